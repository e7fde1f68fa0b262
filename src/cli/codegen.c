/* SPDX-License-Identifier: MIT */
/* linnet codegen, linnet export: a model as source code, or as an FMU around it. */
#include "codegen/codegen.h"

#include "base/visible.h"

#include "cli/job.h"
#include "codegen/fmu.h"
#include <stdio.h>
#include <string.h>

static linnet_status codegen_command(const ln_command *command, int argc, char **argv);

/* What both commands know. */
/* clang-format off */
#define METHOD(of) \
    {"method", 'm', "NAME", \
     of "euler, heun or rk4, of a physical network backward-euler or\n" \
        "crank-nicolson; as the model says"}, \
    {"step", 's', "TIME", "the fixed step, such as 1ms; as the model says"}
#define INPUT(who) \
    {"input", 0, "SIGNAL", \
     "this signal is supplied by the " who ", beside the outputs of blocks\n" \
     "external-input; repeatable"}
#define TUNABLE(what) \
    {"tunable", 0, NULL, "parameters of blocks become " what " that may be changed between steps"}
#define COMMON_END \
    LN_OPTIONS_WHAT, \
    {"quiet", 'q', NULL, "only tell what is wrong"}, \
    {NULL, 0, NULL, NULL}
/* clang-format on */

static const ln_option options[] = {
    {"output", 'o', "DIR", "folder for the files; made if it is not there; the code's name"},
    METHOD(""),
    {"name", 0, "NAME", "of files and functions; the model's name"},
    INPUT("caller"),
    TUNABLE("members"),
    {"all-signals", 0, NULL,
     "of a network also potentials and fluxes on which no step and no output depends"},
    {"float", 0, NULL, "compute in float instead of double"},
    {"language", 0, "c|python", "C99, or plain Python without packages; c"},
    {"test-main", 0, NULL, "also NAME_main.c, a program that prints the outputs as CSV"},
    COMMON_END};

const ln_command ln_command_codegen = {
    .name = "codegen",
    .doc = "write a model as a library in C, or in Python",
    .usage = "MODEL [OPTION]...",
    .about =
        "Writes MODEL, a block diagram or a physical network, as self-contained C99: NAME.h and "
        "NAME.c,\n"
        "which need math.h and memcpy and its like of string.h, use no heap and no globals, with a "
        "Makefile,\n"
        "a README and the files of a PlatformIO library. NAME_step() computes one step of a fixed "
        "length; what\n"
        "the model records are its outputs. Events and samples act at boundaries of steps.",
    .options = options,
    .examples = "  linnet codegen pi-loop.xml --input r -o controller --name controller\n"
                "  linnet codegen pi-loop.xml --method heun --step 1ms --float --test-main\n",
    .exits = "01235",
    .run = codegen_command};

static linnet_status export_command(const ln_command *command, int argc, char **argv);

static const ln_option export_options[] = {
    {"output", 'o', "FILE", "the FMU; by default the code's name with .fmu"},
    {"fmi", 0, "2|3", "version of the interface; 2"},
    METHOD("of co-simulation: "),
    {"name", 0, "NAME", "of the model in the FMU; the model's name"},
    INPUT("importer"),
    TUNABLE("variables, of a physical network too,"),
    {"compiler", 0, "PROGRAM", "the C compiler, cc; none: an FMU of sources alone"},
    COMMON_END};

const ln_command ln_command_export = {
    .name = "export",
    .doc = "write a model as an FMU",
    .usage = "MODEL [OPTION]...",
    .about =
        "Writes MODEL, a block diagram or a physical network, as a Functional Mock-up Unit that "
        "other\n"
        "simulators import: generated C, compiled, with its description, its sources and a page "
        "about it.\n"
        "What the model records are its outputs; parameters of a diagram may be changed while it "
        "runs.\n"
        "Every FMU does co-simulation; one of a diagram with an explicit method model exchange, "
        "too.",
    .options = export_options,
    .examples = "  linnet export pi-loop.xml --input r -o controller.fmu\n"
                "  linnet export rc-ladder.xml --fmi 3 --method backward-euler --step 1us\n",
    .exits = "01235",
    .run = export_command};

/* ---- inputs and outputs ---- */

/* The signals that blocks external-input drive, and those of the command line. */
static const char **find_inputs(const ln_job *job, const ln_network *network, int *count) {
    int given;
    const char **named = ln_job_values(job, "input", &given);
    const char **inputs = LN_NEW(job->arena, const char *, network->ninstances + given);
    *count = 0;
    if (named == NULL || inputs == NULL)
        return NULL;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        if (strcmp(instance->block.type->name, "external-input") == 0 && instance->links[0] >= 0)
            inputs[(*count)++] = network->links[instance->links[0]].name;
    }
    for (int k = 0; k < given; k++)
        inputs[(*count)++] = named[k];
    return inputs;
}

static ln_codegen_output *find_outputs(const ln_job *job, const ln_simulation *simulation,
                                       int *count) {
    const ln_column *columns = ln_recorder_columns(simulation->recorder, count);
    ln_codegen_output *outputs = LN_NEW(job->arena, ln_codegen_output, *count);
    for (int k = 0; outputs != NULL && k < *count; k++) {
        ln_codegen_output *output = &outputs[k];
        output->name = columns[k].name;
        output->unit = columns[k].unit;
        output->node =
            ln_recorder_expression(simulation->recorder, k, &output->graph, &output->inputs);
        if (output->node == LN_NONE)
            output->graph = NULL;
        output->quantity = *ln_recorder_quantity(simulation->recorder, k);
    }
    return outputs;
}

/* ---- what was made ---- */

static void print_summary(const ln_codegen_summary *made, const char *folder, const char *ending) {
    fprintf(stderr, "linnet: %s/%s.%s: %d states, %d signals, %d memories, %d inputs, %d outputs\n",
            folder, made->name, ending, made->states, made->signals, made->memories, made->inputs,
            made->outputs);
    ln_text cost = {0};
    ln_codegen_tell_cost(made, &cost);
    fprintf(stderr, "linnet: %s\n", cost.data != NULL ? cost.data : "");
    ln_text_free(&cost);
    if (made->is_wide)
        fputs(
            "linnet: note: branches depend on the network (ideal diodes and switches, whose "
            "conductances are many digits apart): its equations are solved in double, and what is "
            "kept is float\n",
            stderr);
    if (made->at_boundaries)
        fputs("linnet: note: events, samples and edges in time act at boundaries of steps\n",
              stderr);
}

/* ---- the command ---- */

static linnet_status fill_request(const ln_job *job, ln_simulation *simulation,
                                  ln_codegen_request *request) {
    *request = (ln_codegen_request){.network = simulation->network,
                                    .system = simulation->system,
                                    .settings = &simulation->settings,
                                    .name = ln_job_value(job, "name")};
    request->inputs = find_inputs(job, simulation->network, &request->ninputs);
    request->outputs = find_outputs(job, simulation, &request->noutputs);
    if (request->inputs == NULL || request->outputs == NULL)
        return ln_no_memory(job->report);
    if (simulation->settings.method == NULL)
        simulation->settings.method = ln_method_find("rk4");
    return LINNET_OK;
}

static linnet_status generate(const ln_job *job, ln_simulation *simulation) {
    ln_codegen_request request;
    ln_codegen_summary made;
    LN_TRY(fill_request(job, simulation, &request));
    request.folder = job->output;
    request.is_float = ln_job_value(job, "float") != NULL;
    request.tunable = ln_job_value(job, "tunable") != NULL;
    request.all_signals = ln_job_value(job, "all-signals") != NULL;
    request.with_main = ln_job_value(job, "test-main") != NULL;
    const char *language = ln_job_value(job, "language");
    request.python = language != NULL && strcmp(language, "python") == 0;
    if (language != NULL && !request.python && strcmp(language, "c") != 0)
        return ln_fail(job->report, LINNET_USAGE, LN_NOWHERE,
                       "--language %s: code is written in c or python", language);
    LN_TRY(ln_codegen(&request, &made, job->report));
    if (!job->quiet)
        print_summary(&made,
                      job->output != NULL ? ln_visible_in(job->arena, job->output) : made.name,
                      request.python ? "py" : "c");
    return LINNET_OK;
}

static linnet_status export_model(const ln_job *job, ln_simulation *simulation) {
    const char *version = ln_job_value(job, "fmi"), *compiler = ln_job_value(job, "compiler");
    const ln_method *method = simulation->settings.method;
    ln_fmu_request request;
    ln_fmu_summary made;
    if (version != NULL && strcmp(version, "2") != 0 && strcmp(version, "3") != 0)
        return ln_fail(job->report, LINNET_USAGE, LN_NOWHERE, "--fmi %s: Linnet knows FMI 2 and 3",
                       version);
    LN_TRY(fill_request(job, simulation, &request.code));
    request.code.tunable =
        ln_job_value(job, "tunable") != NULL || method == NULL || !method->implicit;
    request.version = version != NULL && version[0] == '3' ? 3 : 2;
    request.output = job->output;
    request.compiler = compiler != NULL ? compiler : "cc";
    LN_TRY(ln_fmu_export(&request, &made, job->report));
    if (!job->quiet) {
        fprintf(stderr,
                "linnet: %s: FMI %d, co-simulation%s, %s: %d inputs, %d parameters, %d "
                "outputs, %d states\n",
                ln_visible_in(job->arena, made.file), request.version,
                made.exchange ? " and model exchange" : "",
                made.binary ? "binary and sources" : "sources", made.code.inputs,
                made.code.parameters, made.code.outputs, made.code.states);
        if (made.code.at_boundaries)
            fputs("linnet: note: in co-simulation events, samples and edges in time act at "
                  "boundaries of steps\n",
                  stderr);
    }
    return LINNET_OK;
}

typedef linnet_status ln_make(const ln_job *job, ln_simulation *simulation);

static linnet_status run_command(const ln_command *command, int argc, char **argv, ln_make *make) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status)) {
        ln_model *model = NULL;
        ln_simulation simulation = {.method_why = ""};
        status = ln_job_model(&job, job.files[0], &model);
        if (status == LINNET_OK)
            status = ln_simulation_prepare(&simulation, model, &job.request, 1, NULL, job.report);
        if (status == LINNET_OK)
            status = make(&job, &simulation);
        ln_report_close(job.report);
        if (status != LINNET_OK)
            ln_terminal_outcome(status);
        ln_simulation_free(&simulation);
        if (model != NULL)
            ln_model_free(model);
    }
    ln_job_free(&job);
    return status;
}

static linnet_status codegen_command(const ln_command *command, int argc, char **argv) {
    return run_command(command, argc, argv, generate);
}

static linnet_status export_command(const ln_command *command, int argc, char **argv) {
    return run_command(command, argc, argv, export_model);
}
