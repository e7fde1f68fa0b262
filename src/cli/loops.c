/* SPDX-License-Identifier: MIT */
/* linnet loops: the feedback loops of a model. */
#include "cli/job.h"
#include "base/json.h"

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
    long records;   /* printed */
    ln_text text;   /* JSON that is still to be printed */
    ln_json writer; /* that writes it */
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
static void print_sign(const ln_feedback_loop *loop) {
    printf("%s", loop->sign == 0 ? "sign unknown" : sign_name(loop->sign));
    if (loop->sign == 0 && loop->start != 0)
        printf(", %s at the start", sign_name(loop->start));
}

static void put_sign(ln_json *json, const char *key, int sign, int start) {
    char at_start[64];
    snprintf(at_start, sizeof at_start, "%s-at-start", key);
    ln_json_text_if(json, key, sign_name(sign));
    if (sign == 0)
        ln_json_text_if(json, at_start, sign_name(start));
}

/* ---- loops ---- */

static void print_text(const telling *printer, const ln_feedback_loop *loop) {
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

static void put_member(telling *printer, const ln_loop_member *member) {
    ln_json *json = &printer->writer;
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text(json, "block", block_name(printer, member->instance));
    ln_json_text(json, "type", printer->network->instances[member->instance].block.type->name);
    ln_json_text(json, "incoming", link_name(printer, member->from));
    ln_json_text(json, "in", port_name(printer, member->instance, member->in));
    if (member->physical >= 0)
        ln_json_text(json, "leaves", block_name(printer, member->out_instance));
    ln_json_text(json, "out", port_name(printer, member->out_instance, member->out));
    ln_json_text(json, "outgoing", link_name(printer, member->to));
    put_sign(json, "sign", member->sign, member->start);
    ln_json_flag(json, "direct", member->direct);
    ln_json_end(json);
}

static void put_loop(telling *printer, const ln_feedback_loop *loop) {
    ln_json *json = &printer->writer;
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    put_sign(json, "sign", loop->sign, loop->start);
    ln_json_flag(json, "algebraic", loop->algebraic);
    ln_json_begin(json, "sums", LN_JSON_LIST);
    for (int k = 0; k < loop->nmembers; k++)
        if (ln_is_sum(printer->network, loop->members[k].instance))
            ln_json_text(json, NULL, block_name(printer, loop->members[k].instance));
    ln_json_end(json);
    ln_json_begin(json, "members", LN_JSON_LIST);
    for (int k = 0; k < loop->nmembers; k++)
        put_member(printer, &loop->members[k]);
    ln_json_end(json);
    ln_json_end(json);
}

/* What is written so far: a model may have more loops than memory holds. */
static linnet_status flush(telling *printer) {
    if (printer->text.failed)
        return LINNET_MEMORY;
    fwrite(printer->text.data, 1, printer->text.length, stdout);
    printer->text.length = 0;
    return LINNET_OK;
}

/* ---- sums ---- */

/* One sum of a loop, the member `at`; the other blocks follow in the order of the signal. */
static void print_sum(telling *printer, const ln_feedback_loop *loop, int at) {
    const ln_loop_member *sum = &loop->members[at];
    int before = (at + loop->nmembers - 1) % loop->nmembers;
    printer->records++;
    printf("%s: out %s, back by %s at %s, ", block_name(printer, sum->instance),
           link_name(printer, sum->to), link_name(printer, loop->members[before].to),
           port_name(printer, sum->instance, sum->in));
    print_sign(loop);
    printf(":");
    for (int k = 1; k < loop->nmembers; k++) {
        const ln_loop_member *member = &loop->members[(at + k) % loop->nmembers];
        printf(" %s", block_name(printer, member->instance));
        if (member->out_instance != member->instance)
            printf(" %s", block_name(printer, member->out_instance));
    }
    printf("\n");
}

static void put_sum(telling *printer, const ln_feedback_loop *loop, int at) {
    ln_json *json = &printer->writer;
    const ln_loop_member *sum = &loop->members[at];
    int before = (at + loop->nmembers - 1) % loop->nmembers;
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text(json, "sum", block_name(printer, sum->instance));
    ln_json_text(json, "outgoing", link_name(printer, sum->to));
    ln_json_text(json, "incoming", link_name(printer, loop->members[before].to));
    ln_json_text(json, "in", port_name(printer, sum->instance, sum->in));
    put_sign(json, "feedback", loop->sign, loop->start);
    ln_json_flag(json, "algebraic", loop->algebraic);
    ln_json_begin(json, "blocks", LN_JSON_LIST);
    for (int k = 1; k < loop->nmembers; k++) {
        const ln_loop_member *member = &loop->members[(at + k) % loop->nmembers];
        ln_json_text(json, NULL, block_name(printer, member->instance));
        if (member->out_instance != member->instance)
            ln_json_text(json, NULL, block_name(printer, member->out_instance));
    }
    ln_json_end(json);
    ln_json_end(json);
}

static void tell_sums(telling *printer, const ln_feedback_loop *loop) {
    for (int k = 0; k < loop->nmembers; k++) {
        if (!ln_is_sum(printer->network, loop->members[k].instance))
            continue;
        if (printer->json)
            put_sum(printer, loop, k);
        else
            print_sum(printer, loop, k);
    }
}

static linnet_status visit(void *context, const ln_feedback_loop *loop) {
    telling *printer = context;
    if (printer->algebraic && !loop->algebraic)
        return LINNET_OK;
    if (printer->by_sum) {
        tell_sums(printer, loop);
    } else if (printer->json) {
        put_loop(printer, loop);
    } else {
        printer->records++;
        print_text(printer, loop);
    }
    return printer->json ? flush(printer) : LINNET_OK;
}

/* ---- the command ---- */

static void print_count(telling *printer, const ln_loop_count *count, long limit) {
    if (printer->json) {
        ln_json *json = &printer->writer;
        ln_json_end(json);
        ln_json_integer(json, "loops", count->loops);
        ln_json_integer(json, "algebraic", count->algebraic);
        ln_json_flag(json, "complete", count->complete);
        ln_json_integer(json, "physical-networks", count->physical);
        ln_json_finish(json);
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
    int short_of_memory;
} starting;

static linnet_status record_nothing(void *context, ln_simulation *simulation) {
    (void)context, (void)simulation;
    return LINNET_OK;
}

static int find_start(void *context, ln_feedback_point *point) {
    starting *start = context;
    ln_simulation *simulation = &start->simulation;
    start->silent = ln_report_new(NULL, NULL);
    start->short_of_memory = start->silent == NULL;
    if (start->silent == NULL)
        return 0;
    if (ln_simulation_prepare(simulation, start->model, &start->job->request, 0,
                              &(ln_record_choice){record_nothing, NULL},
                              start->silent) != LINNET_OK ||
        simulation->system == NULL || simulation->network->n != start->network->n)
        return 0;
    start->x = LN_NEW(start->job->arena, double, simulation->network->n + 1);
    start->short_of_memory = start->x == NULL;
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
    linnet_status status = ln_network_build(NULL, model, job->request.overrides,
                                            job->request.noverrides, job->report, &network);
    if (status == LINNET_OK) {
        starting start = {.job = job, .model = model, .network = network};
        printer->network = network;
        if (printer->json) {
            printer->writer.out = &printer->text;
            ln_json_begin(&printer->writer, NULL, LN_JSON_OBJECT_LINES);
            ln_json_begin(&printer->writer, printer->by_sum ? "by-sum" : "list",
                          LN_JSON_LIST_LINES);
        }
        const ln_feedback_start found = {find_start, &start};
        status = ln_feedback_loops(network, limit, &found, job->report,
                                   (ln_feedback_visitor){visit, printer}, &count);
        /* a sign that is not known for want of memory alone */
        if (start.short_of_memory || ln_report_status(start.silent, LINNET_MODEL) == LINNET_MEMORY)
            status = ln_no_memory(job->report);
        if (status == LINNET_OK)
            print_count(printer, &count, limit);
        if (status == LINNET_OK && printer->json)
            status = flush(printer);
        ln_text_free(&printer->text);
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
