/* SPDX-License-Identifier: MIT */
/* Generated code run in this process. Behind NAME.h and NAME.c stand six functions of fixed names,
 * by which the loop here begins a model, takes steps, and reads all unknowns and memories, so that
 * recorder, measures and results are those of any run. */
#include "codegen/native.h"

#include "base/sys.h"
#include "base/underflow.h"
#include "codegen/c_writer.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A longer text takes the compiler more than some ten seconds, by measurement on circuits of
 * transistors, for which evaluating them side by side (system/batch.h) is as fast. */
enum { MOST_TEXT = 1 << 19 };

struct ln_native {
    ln_compiled compiled;
    ln_native_code code;
    int states;
    char what[80];
};

/* ---- the text ---- */

/* x[u] becomes each unknown, memory[k] each memory. */
static void add_read(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_c_add(w, "void linnet_native_read(const void *from, double *t, double *x, double *memory) "
                "{\n    const $N_t *const model = from;\n    *t = model->time;\n");
    for (int u = 0; u < plan->diagram.n; u++) {
        ln_text_printf(w->out, "    x[%d] = model->", u);
        ln_c_owned(w, w->out, u);
        ln_text_add(w->out, ";\n");
    }
    ln_c_add(w, plan->nmemories > 0 ? "    for (int k = 0; k < MEMORIES; k++) memory[k] = "
                                      "model->memories.value[k];\n}\n"
                                    : "    (void)memory;\n}\n");
}

/* The reverse. A potential that a signal of another name shares is told once. */
static void add_write(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_c_add(w, "void linnet_native_write(void *to, const double *x, const double *memory) {\n"
                "    $N_t *const model = to;\n");
    for (int u = 0; u < plan->diagram.n; u++) {
        ln_c_add(w, "    model->");
        ln_c_owned(w, w->out, u);
        ln_text_printf(w->out, " = x[%d];\n", u);
    }
    if (plan->implicit != NULL && plan->implicit->ndevices > 0)
        ln_c_add(w, "    double left = 0.0;\n"
                    "    (void)devices_at(&model->signals, &model->states.devices, 0, &left);\n");
    ln_c_add(w, plan->nmemories > 0 ? "    for (int k = 0; k < MEMORIES; k++) "
                                      "model->memories.value[k] = memory[k];\n}\n"
                                    : "    (void)memory;\n}\n");
}

static void add_interface(const ln_c_writer *w) {
    ln_c_add(w, "\nsize_t linnet_native_size(void) {\n    return sizeof($N_t);\n}\n"
                "void linnet_native_begin(void *model) {\n    $N_init(model");
    ln_c_add(w, ln_c_takes_step(w) ? ", $U_STEP);\n}\n" : ");\n}\n");
    ln_c_add(w, ln_c_evaluates(w)
                    ? "int linnet_native_evaluate(void *model) {\n    return (int)$N_evaluate"
                      "(model);\n}\n"
                    : "int linnet_native_evaluate(void *model) {\n    (void)model;\n    return 0;\n"
                      "}\n");
    ln_c_add(w, "int linnet_native_steps(void *model, long count) {\n"
                "    int status = 0;\n"
                "    for (; count > 0 && status == 0; count--) status = (int)$N_step(model);\n"
                "    return status;\n}\n");
    add_read(w);
    add_write(w);
}

/* source, header: work. */
static void write_text(ln_c_writer *w, ln_text *source, ln_text *header, ln_text *all) {
    w->out = source;
    ln_c_source(w); /* the header says what the source has turned out to need */
    add_interface(w);
    w->out = header;
    ln_c_header(w);
    ln_c_append(all, header);
    ln_text_add(all, "#include <stddef.h>\n");
    ln_c_append(all, source);
    all->failed |= source->failed | header->failed;
}

/* ---- making ---- */

static int is_multiple(double of, double time) {
    const double count = time / of;
    return fabs(count - round(count)) <= 1e-9 * fmax(count, 1);
}

/* What the loop below cannot do; NULL: nothing. */
static const char *why_not(const ln_codegen_request *request) {
    const ln_settings *settings = request->settings;
    if (request->system->delays != NULL)
        return "the model delays signals";
    if (!(settings->step > 0) || settings->tolerance > 0)
        return "it takes fixed steps; give --step";
    if (!is_multiple(settings->step, settings->end - settings->begin) ||
        !is_multiple(settings->step, settings->interval))
        return "the duration or the interval is no multiple of the step";
    for (size_t k = 0; k < settings->nstops; k++)
        if (!is_multiple(settings->step, settings->stops[k] - settings->begin))
            return "a time asked for is no multiple of the step";
    return NULL;
}

/* A function's address, which C99 keeps apart from those of objects. */
static int find(const ln_compiled *compiled, const char *name, void *function, size_t size) {
    void *const found = ln_compiled_find(compiled, name);
    memcpy(function, &found, size < sizeof found ? size : sizeof found);
    return found != NULL;
}

static int find_all(const ln_compiled *c, ln_native_code *code) {
    return find(c, "linnet_native_size", &code->size, sizeof code->size) &&
           find(c, "linnet_native_begin", &code->begin, sizeof code->begin) &&
           find(c, "linnet_native_evaluate", &code->evaluate, sizeof code->evaluate) &&
           find(c, "linnet_native_steps", &code->steps, sizeof code->steps) &&
           find(c, "linnet_native_read", &code->read, sizeof code->read) &&
           find(c, "linnet_native_write", &code->write, sizeof code->write);
}

static linnet_status generate(ln_native *code, const ln_codegen_request *request, ln_text *text,
                              ln_report *quiet) {
    ln_plan plan;
    ln_c_writer w;
    const linnet_status status = ln_c_prepare(request, &plan, &w, quiet);
    if (status == LINNET_OK) {
        ln_text source = {0}, header = {0};
        write_text(&w, &source, &header, text);
        ln_text_free(&source);
        ln_text_free(&header);
        code->code.decides = ln_c_evaluates(&w);
        code->states = plan.implicit == NULL ? plan.diagram.nstates : plan.implicit->nrates;
    }
    ln_plan_free(&plan);
    return status;
}

/* The reason as part of a note: where it was reported as an error, without that word. */
static void say(char *why, const char *reason) {
    static const char word[] = "error: ";
    const char *error = strstr(reason, word);
    const int place = error != NULL ? (int)(error - reason) : 0;
    snprintf(why, 300, "%.*s%s", place, reason, error != NULL ? error + strlen(word) : reason);
}

linnet_status ln_native_make(const ln_codegen_request *asked, ln_native **native, char *why,
                             ln_report *report) {
    ln_codegen_request request = {.network = asked->network,
                                  .system = asked->system,
                                  .settings = asked->settings,
                                  .name = "model",
                                  .all_signals = 1};
    const char *reason = why_not(&request);
    ln_native *code = *native = ln_sys->allocate(sizeof *code);
    ln_report *quiet = ln_report_new(NULL, NULL);
    ln_text text = {0};
    if (code != NULL)
        *code = (ln_native){.states = 0};
    if (code == NULL || quiet == NULL) {
        ln_report_free(quiet);
        return ln_no_memory(report);
    }
    linnet_status status = reason != NULL ? LINNET_RETRY : generate(code, &request, &text, quiet);
    if (reason == NULL && status != LINNET_OK)
        reason = ln_report_text(quiet, 0);
    say(why, reason != NULL ? reason : "");
    if (status == LINNET_OK && text.length > MOST_TEXT) {
        snprintf(why, 300, "its code of %zu kB would take long to compile", text.length / 1000);
        status = LINNET_RETRY;
    } else if (status == LINNET_OK) {
        status = ln_compiled_load(&text, &code->compiled, report);
        snprintf(why, 300, "%s", code->compiled.why);
        if (status == LINNET_OK && !find_all(&code->compiled, &code->code))
            status = LINNET_RETRY;
    } else if (status == LINNET_MEMORY) {
        status = ln_no_memory(report);
    } else {
        status = LINNET_RETRY;
    }
    ln_text_free(&text);
    ln_report_free(quiet);
    return status;
}

const ln_native_code *ln_native_functions(const ln_native *native) {
    return &native->code;
}

void ln_native_free(ln_native *code) {
    if (code == NULL)
        return;
    ln_compiled_free(&code->compiled);
    ln_sys->release(code);
}

/* ---- running ---- */

typedef struct native_run {
    ln_native *native;
    ln_system *system;
    const ln_settings *settings;
    const ln_watcher *watcher;
    ln_report *report;
    ln_statistics *statistics;
    void *model;
    double *x;
    double told;     /* the time of the last point told, which is in x; before the first one NAN */
    long steps;      /* of the whole run */
    const char *why; /* it failed */
} native_run;

/* A step failed: LINNET_RETRY, and why. */
static linnet_status fail(native_run *run, int status) {
    run->why = ln_c_statuses[status < LN_C_STATUSES ? status : LN_C_FAILED].doc;
    return LINNET_RETRY;
}

/* The point where the model is. */
static linnet_status tell(native_run *run) {
    const double h = run->settings->step;
    double t;
    run->native->code.read(run->model, &t, run->x, run->system->memory);
    ln_side side = ln_side_after(t, t + h);
    if (!run->native->code.decides && t > run->settings->begin)
        side = ln_side_at(ln_side_after(t - h, t), t);
    run->statistics->t = run->told = t;
    return run->watcher->accept(run->watcher->context, side, run->x);
}

/* `count` steps, in parts between which somebody may stop the run. */
static linnet_status walk(native_run *run, long count, int *ended) {
    enum { PART = 4096 };
    const ln_watcher *watcher = run->watcher;
    while (count > 0) {
        const long part = count < PART ? count : PART;
        if (watcher->stop != NULL && watcher->stop(watcher->context))
            return LINNET_INTERRUPTED;
        const int status = run->native->code.steps(run->model, part);
        if (status > LN_C_ENDED)
            return fail(run, status);
        *ended = status == LN_C_ENDED;
        if (*ended)
            return LINNET_OK;
        count -= part;
        run->statistics->steps += part;
        run->statistics->t += (double)part * run->settings->step;
    }
    return LINNET_OK;
}

/* From point to point that is told. */
static linnet_status go(native_run *run) {
    const ln_settings *settings = run->settings;
    const double interval = settings->interval > 0 ? settings->interval : settings->step;
    const long most = run->steps, each = lround(interval / settings->step);
    int ended = 0;
    run->native->code.begin(run->model);
    for (long done = 0;;) {
        const int status = run->native->code.evaluate(run->model);
        if (status > LN_C_ENDED)
            return fail(run, status);
        LN_TRY(tell(run));
        if (status == LN_C_ENDED || ended)
            snprintf(run->statistics->ended, sizeof run->statistics->ended,
                     "by an event of the model at t = %.9g s", run->statistics->t);
        if (status == LN_C_ENDED || ended || done == most)
            return LINNET_OK;
        const long count = each < most - done ? each : most - done;
        LN_TRY(walk(run, count, &ended));
        done += count;
    }
}

/* ---- where the code finds no way ---- */

typedef struct behind {
    const ln_watcher *watcher;
    double t; /* what is there has been told */
} behind;

static linnet_status accept_behind(void *context, ln_side side, const double *x) {
    const behind *followed = context;
    return side.t <= followed->t ? LINNET_OK
                                 : followed->watcher->accept(followed->watcher->context, side, x);
}

static int stop_behind(void *context) {
    const ln_watcher *watcher = ((const behind *)context)->watcher;
    return watcher->stop != NULL && watcher->stop(watcher->context);
}

/* The rest of the run, interpreted from the last point told: a run shortens its step where a
 * solution is too far away. What is remembered beside the unknowns could not be handed over. */
static linnet_status go_on(native_run *run) {
    ln_settings settings = *run->settings;
    behind followed = {run->watcher, run->told};
    const ln_watcher watcher = {.context = &followed, .accept = accept_behind, .stop = stop_behind};
    if (run->system->network->nmemories > 0 || settings.nstops > 0)
        return ln_fail(run->report, LINNET_FAILED, LN_NOWHERE,
                       "native steps end behind t = %.9g s: %s; a run without --native says where, "
                       "and tries shorter steps",
                       run->statistics->t, run->why);
    ln_note(run->report, LN_NOWHERE,
            "native steps end behind t = %.9g s: %s; the run goes on interpreted from t = %.9g s",
            run->statistics->t, run->why, isnan(run->told) ? settings.begin : run->told);
    if (!isnan(run->told)) {
        settings.begin = run->told;
        settings.start = LN_START_VALUES;
        settings.start_x = run->x;
    } else {
        followed.t = -INFINITY;
    }
    return ln_integrate(run->system, &settings, &watcher, run->report, run->statistics);
}

static linnet_status integrate(void *context, ln_system *system, const ln_settings *settings,
                               const ln_watcher *watcher, ln_report *report,
                               ln_statistics *statistics) {
    ln_native *native = context;
    *statistics = (ln_statistics){.method = settings->method,
                                  .unknowns = system->network->n,
                                  .states = native->states,
                                  .nonlinear = system->nnonlinear,
                                  .start_means = "that of the code",
                                  .t = settings->begin,
                                  .smallest = settings->step,
                                  .largest = settings->step};
    native_run run = {.native = native,
                      .system = system,
                      .settings = settings,
                      .watcher = watcher,
                      .report = report,
                      .statistics = statistics,
                      .model = ln_sys->allocate(native->code.size()),
                      .x = ln_sys->allocate((size_t)system->network->n * sizeof(double)),
                      .told = NAN,
                      .steps = lround((settings->end - settings->begin) / settings->step)};
    const uint64_t underflow = ln_underflow_to_zero();
    linnet_status status = run.model == NULL || run.x == NULL ? ln_no_memory(report) : go(&run);
    if (status == LINNET_RETRY)
        status = go_on(&run);
    ln_underflow_restore(underflow);
    ln_sys->release(run.model);
    ln_sys->release(run.x);
    return status;
}

ln_integrator ln_native_integrator(ln_native *native) {
    snprintf(native->what, sizeof native->what,
             native->compiled.kept ? "code compiled before" : "code compiled in %.2g s",
             native->compiled.seconds);
    return (ln_integrator){integrate, native, native->what};
}
