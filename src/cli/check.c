/* SPDX-License-Identifier: MIT */
/* linnet check: everything up to the first step. */
#include "analysis/check.h"

#include "base/domain.h"
#include "base/visible.h"
#include "cli/job.h"
#include "cli/listing.h"
#include "network/flat.h"
#include "result/document.h"
#include "model/model.h"
#include <stdio.h>

static linnet_status check_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    LN_OPTIONS_HOW,
    LN_OPTIONS_WHAT,
    {"flat", 0, NULL,
     "print the model as it expands: blocks and links under their full names,\n"
     "parameters as numbers; a model file that runs the same"},
    LN_OPTION_FORMAT,
    {"quiet", 'q', NULL, "only tell what is wrong"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_check = {
    .name = "check",
    .doc = "tell what is wrong with models, without running them",
    .usage = "MODEL... [OPTION]...",
    .about = "Reads each MODEL, joins its links, checks units, ranges and structure, and tells "
             "what it consists of.",
    .options = options,
    .more = ln_help_methods,
    .examples = "  linnet check rectifier.xml\n"
                "  linnet check rectifier.xml --method rk4 --step 1us\n",
    .exits = "01235",
    .run = check_command};

/* "3 electrical, 1 signal" */
static void list_domains(const ln_census *census, char *text, size_t size) {
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < LINNET_DOMAINS && length < size; k++) {
        if (census->links_of[k] == 0)
            continue;
        int n = snprintf(text + length, size - length, "%s%d %s", length > 0 ? ", " : "",
                         census->links_of[k], ln_domain((linnet_domain)k)->name);
        length += n > 0 ? (size_t)n : 0;
    }
}

static void describe_method(const ln_simulation *simulation, char *text, size_t size) {
    const ln_settings *settings = &simulation->settings;
    char step[32];
    if (settings->method == NULL)
        snprintf(text, size, "none: the model has no <simulation>; run it with --duration");
    else if (settings->tolerance > 0)
        snprintf(text, size, "%s, %s; adaptive step, tolerance %g", settings->method->name,
                 simulation->method_why, settings->tolerance);
    else
        snprintf(text, size, "%s, %s; fixed step %s", settings->method->name,
                 simulation->method_why, ln_time_text(step, settings->step, 6));
}

static linnet_status print_census(const ln_job *job, const ln_simulation *simulation,
                                  const ln_census *census) {
    ln_listing table = {.arena = job->arena};
    char number[32], text[256];
    printf("%s: no errors\n", simulation->model->path != NULL
                                  ? ln_visible_in(job->arena, simulation->model->path)
                                  : simulation->model->name);
    ln_listing_row(&table, "model", simulation->model->name, NULL);
    snprintf(number, sizeof number, "%d", census->blocks);
    ln_listing_row(&table, "blocks", number, NULL);
    list_domains(census, text, sizeof text);
    ln_listing_row(&table, "links", text, NULL);
    snprintf(number, sizeof number, "%d", census->unknowns);
    ln_listing_row(&table, "unknowns", number, NULL);
    snprintf(number, sizeof number, census->states >= 0 ? "%d" : "too many to tell before a run",
             census->states);
    ln_listing_row(&table, "states", number, NULL);
    snprintf(text, sizeof text, census->nonlinear == 1 ? "%d block" : "%d blocks",
             census->nonlinear);
    ln_listing_row(&table, "nonlinear", census->nonlinear == 0 ? "nothing" : text, NULL);
    describe_method(simulation, text, sizeof text);
    ln_listing_row(&table, "method", text, NULL);
    const int whole = ln_listing_print(&table, 2, stdout);
    (void)fflush(stdout);
    return whole ? LINNET_OK : ln_no_memory(job->report);
}

static void answer_census(ln_job *job, const ln_simulation *simulation, const ln_census *census) {
    ln_json *json = &job->answer_json;
    char method[256];
    ln_json_text(json, "name", simulation->model->name);
    ln_json_integer(json, "blocks", census->blocks);
    ln_json_begin(json, "links", LN_JSON_OBJECT);
    for (int k = 0; k < LINNET_DOMAINS; k++)
        if (census->links_of[k] > 0)
            ln_json_integer(json, ln_domain((linnet_domain)k)->name, census->links_of[k]);
    ln_json_end(json);
    ln_json_integer(json, "unknowns", census->unknowns);
    ln_json_number(json, "states", census->states >= 0 ? (double)census->states : NAN);
    ln_json_integer(json, "nonlinear", census->nonlinear);
    describe_method(simulation, method, sizeof method);
    ln_json_text(json, "method", method);
}

static linnet_status print_flat(const ln_job *job, const ln_network *network) {
    ln_text text = {0};
    ln_flat_print(network, &text);
    if (!text.failed)
        fputs(text.data, stdout);
    linnet_status status = text.failed ? ln_no_memory(job->report) : LINNET_OK;
    ln_text_free(&text);
    return status;
}

static linnet_status check_one(ln_job *job, const char *path) {
    ln_model *model = NULL;
    LN_TRY(ln_job_model(job, path, &model));
    ln_model_options folders = ln_job_options(job);
    ln_simulation simulation;
    ln_census census;
    const ln_request *request = &job->request;
    int asked = request->step != NULL || request->tolerance != NULL || request->duration != NULL ||
                request->method != NULL;
    linnet_status status = ln_check(&simulation, model, &folders, request, asked, job->report);
    if (status == LINNET_OK)
        status = ln_census_take(&simulation, &census);
    if (status == LINNET_OK && ln_job_value(job, "flat") != NULL)
        status = print_flat(job, simulation.network);
    else if (status == LINNET_OK && job->json)
        answer_census(job, &simulation, &census);
    else if (status == LINNET_OK && !job->quiet)
        status = print_census(job, &simulation, &census);
    ln_simulation_free(&simulation);
    ln_model_free(model);
    return status;
}

static linnet_status check_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_SOME, &status)) {
        if (job.json && ln_job_value(&job, "flat") != NULL) {
            status = ln_usage(command, "--flat prints a model; leave --format out");
            job.nfiles = job.json = 0;
        }
        status = ln_job_each(&job, status, check_one);
    }
    ln_job_free(&job);
    return status;
}
