/* SPDX-License-Identifier: MIT */
/* linnet verify: models against the references they carry. */
#include "analysis/verify.h"

#include "base/visible.h"

#include "cli/job.h"
#include "cli/listing.h"
#include "result/document.h"
#include "model/model.h"
#include <math.h>
#include <stdio.h>

static linnet_status verify_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {LN_OPTIONS_HOW,
                                    LN_OPTIONS_WHAT,
                                    LN_OPTION_FORMAT,
                                    {"quiet", 'q', NULL, "only tell what was missed"},
                                    {NULL, 0, NULL, NULL}};

const ln_command ln_command_verify = {
    .name = "verify",
    .doc = "compare models with the references they carry",
    .usage = "MODEL... [OPTION]...",
    .about =
        "Runs each MODEL and compares it with its <reference> elements. A reference is met when\n"
        "|y - ref| <= tolerance * max(1, |ref|) at all its times; the error shown is |y - ref| / "
        "max(1, |ref|).",
    .options = options,
    .more = ln_help_methods,
    .examples = "  linnet verify models/examples/electrical/rc-step.xml\n"
                "  linnet verify models/examples/*/*.xml\n",
    .exits = "0123456",
    .run = verify_command};

static linnet_status print_references(const ln_job *job, const ln_references *references,
                                      const char *path) {
    ln_listing table = {.arena = job->arena};
    if (!job->quiet)
        ln_listing_row(&table, "signal", "worst error", "at", "tolerance", "times", "", NULL);
    for (int k = 0; k < references->count; k++) {
        const ln_reference *reference = &references->items[k];
        char error[32], at[32], tolerance[32], times[32];
        if (job->quiet && reference->met)
            continue;
        snprintf(error, sizeof error, isfinite(reference->worst) ? "%.2e" : "not finite",
                 reference->worst);
        snprintf(tolerance, sizeof tolerance, "%g", reference->tolerance);
        snprintf(times, sizeof times, "%ld", reference->compared);
        ln_listing_row(&table, reference->signal, error, ln_time_text(at, reference->worst_t, 6),
                       tolerance, times, reference->met ? "ok" : "MISSED", NULL);
    }
    if (table.nrows > 0)
        printf("%s\n", ln_visible_in(job->arena, path));
    const int whole = ln_listing_print(&table, 2, stdout);
    (void)fflush(stdout);
    return whole ? LINNET_OK : ln_no_memory(job->report);
}

static void answer_references(ln_job *job, const ln_references *references) {
    ln_json *json = &job->answer_json;
    ln_json_begin(json, "references", LN_JSON_LIST_LINES);
    for (int k = 0; k < references->count; k++) {
        const ln_reference *reference = &references->items[k];
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "signal", reference->signal);
        ln_json_number(json, "error", reference->worst);
        ln_json_number(json, "at", reference->worst_t);
        ln_json_number(json, "tolerance", reference->tolerance);
        ln_json_integer(json, "times", reference->compared);
        ln_json_flag(json, "met", reference->met);
        ln_json_end(json);
    }
    ln_json_end(json);
}

/* One model. Its table comes out whatever the outcome of the run, if there was one. */
static linnet_status verify_one(ln_job *job, const char *path) {
    ln_model *model = NULL;
    LN_TRY(ln_job_model(job, path, &model));
    ln_interrupt_catch();
    ln_simulation simulation;
    ln_references references;
    ln_model_options folders = ln_job_options(job);
    ln_arena *arena = ln_arena_new();
    const ln_references_choice choice = {&folders, arena, &references};
    linnet_status status =
        arena == NULL ? ln_no_memory(job->report)
                      : ln_verify_prepare(&simulation, model, &job->request, &choice, job->report);
    if (status == LINNET_OK)
        status = ln_verify_run(&simulation, &references, ln_progress_poll,
                               &(ln_progress_line){.form = LN_PROGRESS_NONE});
    if (job->json && (status == LINNET_OK || status == LINNET_MISSED))
        answer_references(job, &references);
    else if (status == LINNET_OK || status == LINNET_MISSED) {
        const linnet_status printed = print_references(job, &references, path);
        if (printed != LINNET_OK)
            status = printed;
    }
    if (arena != NULL)
        ln_simulation_free(&simulation);
    ln_arena_free(arena);
    ln_model_free(model);
    return status;
}

static linnet_status verify_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_SOME, &status)) {
        status = ln_job_each(&job, status, verify_one);
    }
    ln_job_free(&job);
    return status;
}
