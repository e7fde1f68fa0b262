/* SPDX-License-Identifier: MIT */
/* The way in: from a network to the files of generated code. */
#include "codegen/codegen.h"

#include "base/sys.h"
#include "codegen/c_writer.h"
#include "codegen/python.h"
#include "integrate/runge_kutta.h"
#include "result/document.h"
#include "system/delay.h"
#include "system/hybrid.h"
#include "system/ode.h"
#include "base/text.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- what can be generated ---- */

static int is_named(const ln_codegen_request *request, const char *const *names) {
    const ln_method *method = request->settings->method;
    for (int k = 0; method != NULL && names[k] != NULL; k++)
        if (strcmp(method->name, names[k]) == 0)
            return 1;
    return 0;
}

static const char *const explicit_methods[] = {"euler", "heun", "rk4", NULL};
static const char *const implicit_methods[] = {"backward-euler", "crank-nicolson", NULL};

static linnet_status check_method(const ln_codegen_request *request, ln_report *report) {
    const ln_settings *settings = request->settings;
    const int is_implicit = is_named(request, implicit_methods);
    if (!is_implicit && !is_named(request, explicit_methods))
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "generated code cannot use the method %s; give --method euler, heun or rk4, "
                       "of a physical network backward-euler or crank-nicolson",
                       settings->method != NULL ? settings->method->name : "");
    if (!(settings->step > 0) || settings->tolerance > 0)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "generated code needs a fixed step; give --step");
    if (request->python && request->is_float)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "--language python goes with no --float: Python computes in double");
    return LINNET_OK;
}

/* Why generated code cannot carry a block, or NULL. */
static const char *why_not(const ln_instance *instance, int is_implicit) {
    const linnet_block_class *class = instance->block.type;
    for (int k = 0; k < class->nports && !is_implicit; k++)
        if (class->ports[k].domain != LINNET_SIGNAL)
            return "is physical; that needs --method backward-euler or crank-nicolson";
    if (ln_class_equations(class) != NULL && ln_class_equations(class)->finish != NULL)
        return "runs foreign code, which generated code cannot take along; put a type made of "
               "equations in its place";
    return ln_network_plan_refuses(class, instance);
}

static linnet_status check_blocks(const ln_codegen_request *request, ln_report *report) {
    const ln_network *network = request->network;
    const int is_implicit = is_named(request, implicit_methods);
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        const char *why = why_not(instance, is_implicit);
        if (why != NULL)
            ln_error(report, instance->place, "%s (%s): it %s", instance->name,
                     instance->block.type->name, why);
    }
    return ln_report_errors(report) > 0 ? LINNET_MODEL : LINNET_OK;
}

/* ---- the start ---- */

/* What signals that come from outside are without it: their values at the start of the model. */
static linnet_status find_input_values(ln_plan *plan, const ln_codegen_request *request,
                                       ln_report *report) {
    ln_ode *ode;
    double *z = LN_NEW(plan->arena, double, plan->diagram.nstates);
    double *x = LN_NEW(plan->arena, double, plan->diagram.n);
    for (int k = 0; k < plan->ninputs; k++)
        plan->input_value[k] = plan->start[plan->input_unknown[k]];
    if (plan->ninputs == 0 || plan->solved)
        return LINNET_OK;
    if (z == NULL || x == NULL)
        return ln_no_memory(report);
    LN_TRY(ln_diagram_new(request->network, report, &ode));
    const double begin = request->settings->begin;
    const ln_side side = ln_side_after(begin, begin + request->settings->step);
    ode->memory = request->system->memory;
    ode->states(ode, plan->start, z);
    linnet_status status = ode->unknowns(ode, &side, z, x);
    for (int k = 0; k < plan->ninputs; k++) {
        const int unknown = plan->input_unknown[k];
        plan->input_value[k] = status == LINNET_OK ? x[unknown] : plan->start[unknown];
    }
    ode->free(ode);
    return LINNET_OK;
}

/* Bounds of delays, and what lies before the start: from a start that satisfies the equations. */
static linnet_status size_delays(ln_plan *plan, const ln_codegen_request *request,
                                 ln_report *report) {
    const ln_settings *settings = request->settings;
    ln_statistics statistics;
    ln_side side = ln_side_after(settings->begin, settings->begin + settings->step);
    double *x = LN_NEW(plan->arena, double, plan->diagram.n);
    if (plan->nlines == 0)
        return LINNET_OK;
    if (x == NULL)
        return ln_no_memory(report);
    LN_TRY(ln_integrate_start(request->system, settings, report, &statistics, &side, x));
    return ln_plan_size_delays(plan, request->system, side, x, settings->step);
}

/* The point at which the code begins; delays are as where a run looks for its start. */
static linnet_status find_point(ln_plan *plan, const ln_codegen_request *request,
                                ln_report *report) {
    ln_system *system = request->system;
    plan->solved =
        request->settings->start == LN_START_OPERATING_POINT || is_named(request, implicit_methods);
    if (plan->solved) {
        ln_settings settings = *request->settings;
        ln_statistics statistics;
        ln_side side;
        settings.newton_exact = settings.events_at_steps = 1;
        LN_TRY(ln_integrate_start(system, &settings, report, &statistics, &side, plan->start));
    } else {
        LN_TRY(ln_system_start_values(system, plan->start, report));
        ln_system_reset_memories(system, request->settings->begin);
    }
    for (int k = 0; k < plan->nmemories; k++)
        plan->start_memory[k] = system->memory[k];
    return size_delays(plan, request, report);
}

static linnet_status find_start(ln_plan *plan, const ln_codegen_request *request,
                                ln_report *report) {
    ln_system *system = request->system;
    if (plan->nlines > 0 && request->settings->start == LN_START_VALUES)
        ln_delays_enter_start_search(system);
    const linnet_status status = find_point(plan, request, report);
    if (plan->nlines > 0)
        ln_delays_end(system);
    LN_TRY(status);
    return find_input_values(plan, request, report);
}

/* ---- files ---- */

/* One file of the folder, written by `make` into a text of its own. */
static linnet_status write_file(ln_c_writer *w, const char *name, void (*make)(ln_c_writer *w),
                                ln_report *report) {
    ln_text text = {0}, path = {0};
    w->out = &text;
    make(w);
    ln_text_printf(&path, "%s/%s", w->folder, name);
    linnet_status status = text.failed || path.failed ? ln_no_memory(report)
                                                      : ln_document_write(path.data, &text, report);
    ln_text_free(&text);
    ln_text_free(&path);
    return status;
}

/* What Python costs: its operations are those of the code in C, which is written for that and
 * thrown away. */
static void count_as_in_c(ln_c_writer *w) {
    ln_text text = {0};
    ln_c_writer counted = *w;
    counted.out = &text;
    counted.language = LN_C_DOUBLE;
    ln_c_source(&counted);
    ln_text_free(&text);
    w->step = counted.step;
    w->iteration = counted.iteration;
    w->algebra = counted.algebra;
    w->shorter = counted.shorter;
}

static linnet_status write_all(ln_c_writer *w, ln_report *report) {
    char source[160], header[160], program[160];
    snprintf(source, sizeof source, "%s.c", w->name);
    snprintf(header, sizeof header, "%s.h", w->name);
    snprintf(program, sizeof program, "%s_main.c", w->name);
    const struct {
        const char *name;
        void (*make)(ln_c_writer *w);
    } files[] = {/* the header says what the source has turned out to need */
                 {source, ln_c_source},
                 {header, ln_c_header},
                 {"Makefile", ln_c_makefile},
                 {"README.md", ln_c_readme},
                 {"library.json", ln_c_library_json},
                 {"library.properties", ln_c_library_properties}};
    if (ln_sys->make_folder(w->folder) != 0 && errno != EEXIST)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "the folder %s cannot be made: %s", w->folder,
                       strerror(errno));
    if (w->request->python) {
        snprintf(source, sizeof source, "%s.py", w->name);
        LN_TRY(write_file(w, source, ln_python_source, report));
        count_as_in_c(w);
        return LINNET_OK;
    }
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        LN_TRY(write_file(w, files[k].name, files[k].make, report));
    return w->request->with_main ? write_file(w, program, ln_c_main, report) : LINNET_OK;
}

/* ---- names ---- */

/* The name of files and functions: as asked for, else the model's. */
static linnet_status find_name(const ln_codegen_request *request, ln_arena *arena,
                               const char **name, ln_report *report) {
    const char *wanted = request->name != NULL ? request->name : request->network->name;
    if (request->name != NULL && (!ln_is_identifier(wanted) || strlen(wanted) > 60))
        return ln_fail(
            report, LINNET_USAGE, LN_NOWHERE,
            "--name %s is no identifier of C of at most 60 letters; write letters, digits and _",
            wanted);
    const char *found =
        ln_identifier(arena, wanted != NULL && wanted[0] != '\0' ? wanted : "model");
    if (found == NULL)
        return ln_no_memory(report);
    *name = ln_arena_text(arena, found, strlen(found) < 60 ? strlen(found) : 60);
    return *name != NULL ? LINNET_OK : ln_no_memory(report);
}

static const char *capitals(ln_arena *arena, const char *name) {
    char *text = ln_arena_string(arena, name);
    for (char *c = text; c != NULL && *c != '\0'; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    return text;
}

/* ---- the whole ---- */

/* The plan of a physical network, whose start decides the pivots. */
static linnet_status plan_network(const ln_codegen_request *request, const ln_plan_request *what,
                                  ln_plan *plan, ln_report *report) {
    const ln_settings *settings = request->settings;
    LN_TRY(ln_plan_begin(plan, request->network, what, report));
    LN_TRY(find_start(plan, request, report));
    LN_TRY(ln_network_plan_begin(plan, request->system, settings->step, settings->method->order));
    LN_TRY(ln_plan_hybrid(plan));
    LN_TRY(ln_plan_delay_inputs(plan));
    LN_TRY(ln_plan_outputs(plan, what));
    LN_TRY(ln_network_plan_make(plan, request->system,
                                ln_side_after(settings->begin, settings->begin + settings->step),
                                plan->start, request->all_signals));
    return ln_plan_end(plan);
}

static linnet_status ignore_point(void *context, ln_side side, const double *x) {
    (void)context, (void)side, (void)x;
    return LINNET_OK;
}

/* Whether the simulation begins with two halves of backward Euler, from one step of it. */
static int begins_damped(const ln_codegen_request *request) {
    ln_settings settings = *request->settings;
    ln_statistics statistics;
    const ln_watcher watcher = {.accept = ignore_point};
    settings.end = settings.begin + settings.step;
    settings.interval = 0;
    settings.events_at_steps = 1;
    return ln_integrate(request->system, &settings, &watcher, NULL, &statistics) == LINNET_OK &&
           statistics.damped > 0;
}

linnet_status ln_c_prepare(const ln_codegen_request *request, ln_plan *plan, ln_c_writer *w,
                           ln_report *report) {
    const ln_plan_request what = {request->inputs,        request->ninputs, request->outputs,
                                  request->noutputs,      request->tunable, request->exchange,
                                  request->settings->step};
    const int is_implicit = is_named(request, implicit_methods);
    *plan = (ln_plan){0};
    LN_TRY(check_method(request, report));
    LN_TRY(check_blocks(request, report));
    if (is_implicit) {
        LN_TRY(plan_network(request, &what, plan, report));
    } else {
        LN_TRY(ln_plan_make(plan, request->network, &what, report));
        LN_TRY(find_start(plan, request, report));
    }
    *w = (ln_c_writer){
        .plan = plan,
        .request = request,
        .real = request->is_float ? "float" : "double",
        .language = request->python     ? LN_PYTHON
                    : request->is_float ? LN_C_FLOAT
                                        : LN_C_DOUBLE,
        /* conductances of ideal diodes are more digits apart than a float has */
        .is_wide = is_implicit && request->is_float && !request->python && plan->nmodes > 0,
        .damps = is_implicit && begins_damped(request),
        .stages = is_implicit ? 1 : ln_tableau_find(request->settings->method->name)->stages};
    LN_TRY(find_name(request, plan->arena, &w->name, report));
    w->folder = request->folder != NULL ? request->folder : w->name;
    w->upper = capitals(plan->arena, w->name);
    return w->upper == NULL ? ln_no_memory(report) : LINNET_OK;
}

linnet_status ln_codegen(const ln_codegen_request *request, ln_codegen_summary *summary,
                         ln_report *report) {
    ln_plan plan;
    ln_c_writer w;
    *summary = (ln_codegen_summary){.name = ""};
    linnet_status status = ln_c_prepare(request, &plan, &w, report);
    if (status == LINNET_OK)
        status = write_all(&w, report);
    if (status == LINNET_OK)
        ln_c_summarise(&w, summary);
    ln_plan_free(&plan);
    return status;
}
