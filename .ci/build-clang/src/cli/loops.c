/* SPDX-License-Identifier: MIT */
/* linnet loops: the feedback loops of a model. */
#include "cli/job.h"
#include "cli/json.h"

#include "network/feedback.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static linnet_status loops_command(const ln_command *command, int argc, char **argv);

enum { LIMIT, FORMAT, BY_SUM, ALGEBRAIC };
static const ln_option options[] = {
    [LIMIT] = {"limit", 'l', "N", "stop after so many loops (1000)"},
    [FORMAT] = {"format", 'f', "NAME", "text (default) or json"},
    [BY_SUM] = {"by-sum", 0, NULL,
                "a record for each passage of a loop through a sum, instead of loops"},
    [ALGEBRAIC] = {"algebraic", 'a', NULL, "only tell algebraic loops (the limit counts all)"},
    LN_OPTIONS_WHAT,
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_loops = {
    .name = "loops",
    .doc = "list the feedback loops of a model",
    .usage = "MODEL [OPTION]...",
    .about = "Lists every feedback loop of the signals of MODEL, seen through components: its "
             "blocks in order, its sign, the\n"
             "sums it passes, and whether it is algebraic, without a state in it. The sign is that "
             "of slow changes. A block\n"
             "that is not linear has one where its output only rises, or only falls, with its "
             "input; otherwise the sign at the\n"
             "start of the run is told, where there is one. A physical network has no directed "
             "loops; a loop that passes\n"
             "through one from a driven source to a sensor is written source ~ sensor.",
    .options = options,
    .examples = "  linnet loops motor-position.xml\n"
                "  linnet loops --format json --by-sum motor-position.xml\n",
    .exits = "01235",
    .run = loops_command};

static const long default_limit = 1000;

typedef struct telling {
    const ln_network *network;
    int json, by_sum, algebraic;
    long records; /* printed */
} telling;

static const char *sign_name(int sign) {
    return sign > 0 ? "positive" : sign < 0 ? "negative" : "unknown";
}

static const char *block_name(const telling *printer, int instance) {
    return printer->network->instances[instance].name;
}

static const char *link_name(const telling *printer, int link) {
    return printer->network->links[link].name;
}

static const char *port_name(const telling *printer, int instance, int port) {
    return printer->network->instances[instance].block.type->ports[port].name;
}

/* "negative", "sign unknown, positive at the start", "sign unknown". */
static void print_sign(const ln_loop *loop) {
    printf("%s", loop->sign == 0 ? "sign unknown" : sign_name(loop->sign));
    if (loop->sign == 0 && loop->start != 0)
        printf(", %s at the start", sign_name(loop->start));
}

static void print_sign_json(const char *before, const char *key, int sign, int start) {
    char at_start[64];
    snprintf(at_start, sizeof at_start, "%s-at-start", key);
    ln_json_member(before, key, sign_name(sign));
    if (sign == 0)
        ln_json_member(", ", at_start, sign_name(start));
}

/* ---- loops ---- */

static void print_text(const telling *printer, const ln_loop *loop) {
    printf("%ld: ", printer->records);
    print_sign(loop);
    if (loop->algebraic)
        printf(", algebraic");
    for (int k = 0, first = 1; k < loop->nmembers; k++) {
        const ln_loop_member *member = &loop->members[k];
        if (!ln_is_sum(printer->network, member->instance))
            continue;
        printf("%s %s.%s (%c)", first ? ", through" : ",", block_name(printer, member->instance),
               port_name(printer, member->instance, member->in), member->sign < 0 ? '-' : '+');
        first = 0;
    }
    fputs("\n    ", stdout);
    for (int k = 0; k < loop->nmembers; k++) {
        const ln_loop_member *member = &loop->members[k];
        printf("%s", block_name(printer, member->instance));
        if (member->out_instance != member->instance)
            printf(" ~ %s", block_name(printer, member->out_instance));
        printf(" -[%s]-> ", link_name(printer, member->to));
    }
    printf("%s\n", block_name(printer, loop->members[0].instance));
}

static void print_member_json(const telling *printer, const ln_loop_member *member) {
    ln_json_member("{", "block", block_name(printer, member->instance));
    ln_json_member(", ", "type", printer->network->instances[member->instance].block.type->name);
    ln_json_member(", ", "incoming", link_name(printer, member->from));
    ln_json_member(", ", "in", port_name(printer, member->instance, member->in));
    if (member->physical >= 0)
        ln_json_member(", ", "leaves", block_name(printer, member->out_instance));
    ln_json_member(", ", "out", port_name(printer, member->out_instance, member->out));
    ln_json_member(", ", "outgoing", link_name(printer, member->to));
    print_sign_json(", ", "sign", member->sign, member->start);
    printf(", \"direct\": %s}", member->direct ? "true" : "false");
}

static void print_json(const telling *printer, const ln_loop *loop) {
    fputs(printer->records > 1 ? ",\n " : "\n ", stdout);
    print_sign_json("{", "sign", loop->sign, loop->start);
    printf(", \"algebraic\": %s, \"sums\": [", loop->algebraic ? "true" : "false");
    for (int k = 0, count = 0; k < loop->nmembers; k++) {
        if (!ln_is_sum(printer->network, loop->members[k].instance))
            continue;
        if (count++ > 0)
            fputs(", ", stdout);
        ln_json_string(block_name(printer, loop->members[k].instance));
    }
    fputs("], \"members\": [", stdout);
    for (int k = 0; k < loop->nmembers; k++) {
        if (k > 0)
            fputs(", ", stdout);
        print_member_json(printer, &loop->members[k]);
    }
    fputs("]}", stdout);
}

/* ---- sums ---- */

/* One sum of a loop, the member `at`; the other blocks follow in the order of the signal. */
static void print_sum(telling *printer, const ln_loop *loop, int at) {
    const ln_loop_member *sum = &loop->members[at];
    int before = (at + loop->nmembers - 1) % loop->nmembers;
    printer->records++;
    if (printer->json) {
        fputs(printer->records > 1 ? ",\n " : "\n ", stdout);
        ln_json_member("{", "sum", block_name(printer, sum->instance));
        ln_json_member(", ", "outgoing", link_name(printer, sum->to));
        ln_json_member(", ", "incoming", link_name(printer, loop->members[before].to));
        ln_json_member(", ", "in", port_name(printer, sum->instance, sum->in));
        print_sign_json(", ", "feedback", loop->sign, loop->start);
        printf(", \"algebraic\": %s, \"blocks\": [", loop->algebraic ? "true" : "false");
    } else {
        printf("%s: out %s, back by %s at %s, ", block_name(printer, sum->instance),
               link_name(printer, sum->to), link_name(printer, loop->members[before].to),
               port_name(printer, sum->instance, sum->in));
        print_sign(loop);
        printf(":");
    }
    for (int k = 1; k < loop->nmembers; k++) {
        const ln_loop_member *member = &loop->members[(at + k) % loop->nmembers];
        const char *name = block_name(printer, member->instance);
        if (printer->json && k > 1)
            fputs(", ", stdout);
        if (printer->json)
            ln_json_string(name);
        else
            printf(" %s", name);
        if (member->out_instance == member->instance)
            continue;
        if (printer->json)
            fputs(", ", stdout);
        if (printer->json)
            ln_json_string(block_name(printer, member->out_instance));
        else
            printf(" %s", block_name(printer, member->out_instance));
    }
    fputs(printer->json ? "]}" : "\n", stdout);
}

static linnet_status visit(void *context, const ln_loop *loop) {
    telling *printer = context;
    if (printer->algebraic && !loop->algebraic)
        return LINNET_OK;
    if (printer->by_sum) {
        for (int k = 0; k < loop->nmembers; k++)
            if (ln_is_sum(printer->network, loop->members[k].instance))
                print_sum(printer, loop, k);
        return LINNET_OK;
    }
    printer->records++;
    if (printer->json)
        print_json(printer, loop);
    else
        print_text(printer, loop);
    return LINNET_OK;
}

/* ---- the command ---- */

static void print_count(const telling *printer, const ln_loop_count *count, long limit) {
    if (printer->json) {
        printf("\n], \"loops\": %ld, \"algebraic\": %ld, \"complete\": %s, \"physical-networks\": "
               "%d}\n",
               count->loops, count->algebraic, count->complete ? "true" : "false", count->physical);
        return;
    }
    if (count->loops == 0)
        printf("no feedback loops\n");
    else
        printf("%ld feedback loop%s, %ld of them algebraic\n", count->loops,
               count->loops == 1 ? "" : "s", count->algebraic);
    if (!count->complete)
        printf("stopped at the limit of %ld; there are more (--limit)\n", limit);
    if (count->physical > 0)
        printf(
            "%d physical network%s without directed loops of %s own, %d of them between signals\n",
            count->physical, count->physical == 1 ? "" : "s",
            count->physical == 1 ? "its" : "their", count->passable);
}

/* The start of the run, found without a word: a model that has none has loops all the same. */
typedef struct starting {
    const ln_job *job;
    const ln_model *model;
    const ln_network *network;
    ln_report *silent;
    ln_simulation simulation;
    double *x;
} starting;

static linnet_status record_nothing(void *context, ln_simulation *simulation) {
    (void)context, (void)simulation;
    return LINNET_OK;
}

static int find_start(void *context, ln_feedback_point *point) {
    starting *start = context;
    ln_simulation *simulation = &start->simulation;
    start->silent = ln_report_new(NULL, NULL);
    if (start->silent == NULL)
        return 0;
    if (ln_simulation_prepare(simulation, start->model, &start->job->request, 0, record_nothing,
                              NULL, start->silent) != LINNET_OK ||
        simulation->system == NULL || simulation->network->n != start->network->n)
        return 0;
    start->x = LN_NEW(start->job->arena, double, simulation->network->n + 1);
    if (start->x == NULL)
        return 0;
    *point = (ln_feedback_point){.x = start->x, .memory = simulation->system->memory};
    return ln_integrate_start(simulation->system, &simulation->settings, start->silent,
                              &simulation->statistics, &point->side, start->x) == LINNET_OK;
}

static linnet_status list_loops(const ln_job *job, telling *printer, long limit) {
    ln_model *model = NULL;
    ln_network *network = NULL;
    ln_loop_count count;
    LN_TRY(ln_job_model(job, job->files[0], &model));
    linnet_status status = ln_network_build(model, job->request.overrides, job->request.noverrides,
                                            job->report, &network);
    if (status == LINNET_OK) {
        starting start = {.job = job, .model = model, .network = network};
        printer->network = network;
        if (printer->json)
            printf("{\"%s\": [", printer->by_sum ? "by-sum" : "list");
        const ln_feedback_start found = {find_start, &start};
        status = ln_feedback_loops(network, limit, &found, job->report, visit, printer, &count);
        if (status == LINNET_OK)
            print_count(printer, &count, limit);
        ln_simulation_free(&start.simulation);
        ln_report_free(start.silent);
    }
    ln_network_free(network);
    ln_model_free(model);
    return status;
}

/* The value of --limit; 0 when it is wrong. */
static long read_limit(const char *text) {
    char *end;
    long limit = strtol(text, &end, 10);
    return end != text && *end == '\0' && limit > 0 ? limit : 0;
}

static linnet_status loops_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status)) {
        const char *format = job.values[FORMAT] != NULL ? job.values[FORMAT] : "text";
        long limit = job.values[LIMIT] != NULL ? read_limit(job.values[LIMIT]) : default_limit;
        telling printer = {.json = strcmp(format, "json") == 0,
                           .by_sum = job.values[BY_SUM] != NULL,
                           .algebraic = job.values[ALGEBRAIC] != NULL};
        if (!printer.json && strcmp(format, "text") != 0)
            status = ln_usage(command, "--format is '%.60s'; it must be text or json", format);
        else if (limit == 0)
            status = ln_usage(command, "--limit is '%.60s'; it must be a whole number above 0",
                              job.values[LIMIT]);
        else
            status = list_loops(&job, &printer, limit);
        ln_report_close(job.report);
        if (status != LINNET_OK && status != LINNET_USAGE)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}
