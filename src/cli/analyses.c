/* SPDX-License-Identifier: MIT */
/* linnet run beyond the trajectory: operating point, DC curves, frequency response. */
#include "cli/analyses.h"

#include "base/visible.h"

#include "cli/dc_command.h"
#include "result/formats.h"
#include <stdio.h>
#include <string.h>

/* Where what is printed goes: not among the rows of a trajectory on the standard output. */
static const char *beside(const char *output) {
    return strcmp(output, "-") == 0 ? "/dev/stderr" : "-";
}

/* Does one file hold the results of all analyses, one behind the other? */
static int holds_all(const char *output) {
    return (ln_format_of(output)->holds & LN_FORMAT_PLOTS) != 0;
}

static linnet_status operating_point(ln_job *job, const ln_model *model, const char *output) {
    ln_job op;
    LN_TRY(ln_job_for(job, &ln_command_op, &op));
    op.output = holds_all(output) ? output : beside(output);
    ln_job_give(&op, "no-trim", "");
    return ln_op_of_model(&op, model);
}

static linnet_status dc_sweep(ln_job *job, const ln_model *model, const char *output) {
    ln_job dc;
    ln_dc_curve curve = {.done = 0};
    LN_TRY(ln_job_for(job, &ln_command_sweep, &dc));
    return ln_dc_of_model(&dc, model, output, &curve);
}

static linnet_status frequency_response(ln_job *job, const ln_model *model, const char *output) {
    ln_job ac;
    LN_TRY(ln_format_check(output, LN_FORMAT_PAIRS, "", job->report));
    LN_TRY(ln_job_for(job, &ln_command_ac, &ac));
    ln_job_give(&ac, "result", output);
    ln_job_give(&ac, "format", "csv");
    return ln_ac_of_model(&ac, model);
}

static linnet_status dc_gain(ln_job *job, const ln_model *model, const char *output) {
    ln_job gain;
    LN_TRY(ln_job_for(job, &ln_command_ac, &gain));
    ln_job_give(&gain, "result", beside(output));
    return ln_gain_of_model(&gain, model);
}

typedef struct kind {
    const char *element, *name, *suffix; /* suffix of its file: NULL: it is printed */
    linnet_status (*perform)(ln_job *job, const ln_model *model, const char *output);
    unsigned holds; /* what a format must hold for it, beside CSV; 0: all do */
} kind;

static const kind kinds[] = {
    {"operating-point", "operating point", NULL, operating_point, 0},
    {"dc-gain", "gain at rest", NULL, dc_gain, 0},
    {"dc-sweep", "DC curves", "dc", dc_sweep, 0},
    {"frequency-response", "frequency response", "ac", frequency_response, LN_FORMAT_PAIRS}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const kind *kind_of(const ln_element *element) {
    for (int k = 0; k < KINDS; k++)
        if (strcmp(kinds[k].element, element->name) == 0)
            return &kinds[k];
    return NULL;
}

int ln_analyses_files(const ln_model *model, int runs) {
    int count = runs;
    for (int k = 0; k < model->nanalyses; k++) {
        const kind *analysis = kind_of(model->analyses[k]);
        count += analysis != NULL && analysis->suffix != NULL;
    }
    return count;
}

/* "amplifier.csv" -> "amplifier-ac.csv", the second one "amplifier-ac2.csv"; as it is where it is
 * the only result. CSV is written where the format of the first cannot hold it. */
static const char *file_of(const ln_job *job, const char *output, const kind *analysis, int number,
                           int is_alone) {
    const char *slash = strrchr(output, '/'), *dot = strrchr(slash != NULL ? slash : output, '.');
    const int length = (int)(dot != NULL ? (size_t)(dot - output) : strlen(output));
    char count[16] = "";
    if (is_alone || analysis->suffix == NULL || holds_all(output))
        return output;
    if (number > 1)
        snprintf(count, sizeof count, "%d", number);
    if (analysis->holds != 0 && (ln_format_of(output)->holds & analysis->holds) == 0 && dot != NULL)
        dot = ".csv";
    return ln_arena_printf(job->arena, "%.*s-%s%s%s", length, output, analysis->suffix, count,
                           dot != NULL ? dot : "");
}

static linnet_status perform(ln_job *job, const ln_model *model, const ln_element *element,
                             const kind *analysis, const char *file) {
    ln_model one = *model; /* that asks for this one */
    one.response = one.dc_sweep = element;
    linnet_status status = analysis->perform(job, &one, file);
    job->is_next |= status == LINNET_OK && holds_all(file) && analysis->perform != dc_gain;
    if (status != LINNET_OK && status != LINNET_INTERRUPTED)
        fprintf(stderr, "linnet: the %s failed: %s\n", analysis->name, linnet_status_text(status));
    else if (status == LINNET_OK && !job->quiet &&
             (analysis->suffix != NULL || (holds_all(file) && analysis->perform != dc_gain)))
        fprintf(stderr, "linnet: %s in %s\n", analysis->name, ln_visible_in(job->arena, file));
    return status;
}

linnet_status ln_analyses_run(ln_job *job, const ln_model *model, const char *output) {
    int count[KINDS] = {0};
    const int is_alone = ln_analyses_files(model, model->simulation != NULL) == 1;
    linnet_status status = LINNET_OK;
    for (int k = 0; k < model->nanalyses && status != LINNET_INTERRUPTED && status != LINNET_MEMORY;
         k++) {
        const kind *analysis = kind_of(model->analyses[k]);
        if (analysis == NULL)
            continue;
        const char *file = file_of(job, output, analysis, ++count[analysis - kinds], is_alone);
        linnet_status one = file != NULL ? perform(job, model, model->analyses[k], analysis, file)
                                         : ln_no_memory(job->report);
        if (status == LINNET_OK)
            status = one;
    }
    if (model->sweep != NULL && !job->quiet)
        fprintf(stderr, "linnet: the cases of line %d: 'linnet sweep %s' runs them\n",
                model->sweep->line, ln_visible_in(job->arena, job->files[0]));
    return status;
}
