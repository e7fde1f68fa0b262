/* SPDX-License-Identifier: MIT */
/* linnet linearise: state matrices of a model. */
#include "analysis/sampled.h"
#include "cli/linear_point.h"
#include "cli/state_space_text.h"

#include "result/document.h"
#include <string.h>

static linnet_status linearise_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    {"inputs", 'u', "NAMES", "sources, links or signal inputs: 'V1,G1.in'"},
    {"outputs", 'y', "NAMES", "names and patterns: 'out,R1.*'"},
    LN_OPTION_AT,
    LN_OPTION_PADE,
    {"sampled", 0, NULL,
     "over one period of its clocks: x[k+1] = A x[k] + B u[k]; else\nmemories stand still"},
    {"descriptor", 0, NULL, "all unknowns and E x' = A x + B u; for any index"},
    {"output", 'o', "FILE", "matrices as .json, .csv or .mat (MATLAB 5); '-': a table\n(default)"},
    LN_OPTIONS_HOW,
    LN_OPTIONS_WHAT,
    {"quiet", 'q', NULL, "no last line"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_linearise = {
    .name = "linearise",
    .doc = "give a model's state matrices A, B, C, D",
    .usage = "MODEL --inputs NAMES --outputs NAMES [OPTION]...",
    .about =
        "Linearises MODEL at its operating point, or at a time of a run, with exact derivatives:\n"
        "x' = A x + B u, y = C x + D u, with the states, inputs and outputs by name. Memories "
        "stand still, or\n"
        "with --sampled are states of x[k+1] = A x[k] + B u[k] over the period of the clocks.",
    .options = options,
    .more = ln_help_methods,
    .examples = "  linnet linearise motor.xml --inputs V1 --outputs 'rotor.w,L1.i'\n"
                "  linnet linearise motor.xml -u V1 -y speed --at 2s -o motor.mat\n"
                "  linnet linearise press.xml -u F1 -y 'p1 p2' --descriptor -o press.json\n",
    .exits = "012345",
    .run = linearise_command};

/* Names separated by commas or blanks; in the job's arena. -1 when memory is short. */
static int split(const ln_job *job, const char *list, const char ***names) {
    char *rest = ln_arena_string(job->arena, list);
    *names = LN_NEW(job->arena, const char *, strlen(list) + 1);
    if (rest == NULL || *names == NULL)
        return -1;
    int count = 0;
    for (char *name; (name = strtok_r(rest, ", \t", &rest)) != NULL;)
        (*names)[count++] = name;
    return count;
}

static linnet_status write_matrices(const ln_job *job, const ln_linear_point *point,
                                    const ln_state_space *matrices) {
    const char *path = job->output != NULL ? job->output : "-";
    ln_text text = {0};
    if (ln_ends_with(path, ".mat"))
        return ln_state_space_mat(matrices, path, job->report);
    if (ln_ends_with(path, ".json"))
        ln_state_space_json(point, matrices, &text);
    else if (ln_ends_with(path, ".csv"))
        ln_state_space_csv(matrices, &text);
    else
        ln_state_space_text(point, matrices, &text);
    linnet_status status = ln_document_write(path, &text, job->report);
    ln_text_free(&text);
    return status;
}

static linnet_status check(const ln_job *job) {
    if (ln_job_value(job, "inputs") == NULL || ln_job_value(job, "outputs") == NULL)
        return ln_usage(job->command, "say between what: --inputs NAMES --outputs NAMES");
    if (ln_job_value(job, "sampled") != NULL && ln_job_value(job, "descriptor") != NULL)
        return ln_usage(job->command, "--sampled and --descriptor exclude each other");
    if (ln_linear_point_pade(job) == 0)
        return LINNET_USAGE;
    const char *path = job->output;
    if (path == NULL || strcmp(path, "-") == 0 || ln_ends_with(path, ".mat") ||
        ln_ends_with(path, ".json") || ln_ends_with(path, ".csv"))
        return LINNET_OK;
    return ln_usage(job->command, "--output is '%.200s'; its name must end in .json, .csv or .mat",
                    path);
}

static linnet_status make(const ln_job *job, ln_linear_point *point, ln_state_space *matrices) {
    const char **inputs;
    int ninputs = split(job, ln_job_value(job, "inputs"), &inputs), noutputs;
    if (ninputs < 0)
        return ln_no_memory(job->report);
    if (ninputs == 0)
        return ln_usage(job->command, "--inputs names nothing");
    const ln_column *outputs = ln_recorder_columns(point->simulation.recorder, &noutputs);
    const ln_space_ports ports = {inputs, ninputs, outputs, noutputs};
    if (ln_job_value(job, "sampled") != NULL)
        return ln_sampled_make(&point->small, &point->simulation.settings, &ports, matrices);
    const ln_state_space_how how = {ln_job_value(job, "descriptor") != NULL,
                                    ln_linear_point_pade(job), NULL, 0};
    return ln_state_space_make(&point->small, &ports, how, matrices);
}

static linnet_status work(const ln_job *job, ln_linear_point *point) {
    ln_state_space matrices = {.n = 0};
    linnet_status status = make(job, point, &matrices);
    if (status == LINNET_OK)
        status = write_matrices(job, point, &matrices);
    ln_state_space_free(&matrices);
    return status;
}

static linnet_status linearise_command(const ln_command *command, int argc, char **argv) {
    return ln_linear_command_run(&(ln_linear_command){"outputs", check, NULL, work}, command, argc,
                                 argv);
}
