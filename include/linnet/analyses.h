/* SPDX-License-Identifier: MIT */
/* Linnet as a library: what a model consists of, and what can be asked of it beside a run.
 *
 *     linnet_result *point = NULL;
 *     if (linnet_operating_point(model, &point) == LINNET_OK)
 *         printf("%g V\n", linnet_result_signal(point, "out")[0]);
 *     linnet_result_free(point);
 *
 * The conventions of linnet.h hold: SI units, the diagnostics of the model tell what went wrong,
 * and what is handed out is the caller's until its own free function, unless something else is
 * said. Every output pointer is set in any case: to NULL when there is nothing.
 *
 * A model is linearised at a point. `at` says which: NULL is its operating point, as `linnet op`
 * finds it; else a time of its run, such as "5 ms", to which the model is run first. */
#ifndef LINNET_ANALYSES_H
#define LINNET_ANALYSES_H

#include <linnet/linnet.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a model consists of ------------------------------------------------------------------
 */

typedef enum linnet_list_kind {
    LINNET_LIST_BLOCKS,     /* instances, components opened: name, type                          */
    LINNET_LIST_LINKS,      /* name; type is the domain, "electrical"; unit of the potential      */
    LINNET_LIST_PARAMETERS, /* of the model and of every block, as linnet_set() takes them        */
    LINNET_LIST_SIGNALS     /* everything linnet_record() takes by name, with its unit            */
} linnet_list_kind;

/* A name of a model. Strings live as long as the list. */
typedef struct linnet_item {
    const char *name; /* full: "R1", "motor.R1.R"                                                */
    const char *type; /* see linnet_list_kind; of a parameter: its block's type, "" the model's   */
    const char *unit; /* SI unit, "" when it has none                                            */
    double value;     /* of a parameter that is one number; else NAN                              */
    const char *file; /* where the model says it; NULL: nowhere                                   */
    int line;         /* from 1; 0: unknown                                                      */
} linnet_item;

typedef struct linnet_list {
    size_t count;
    const linnet_item *items; /* count, ordered by name                                          */
} linnet_list;

/* Lists a checked model as it is with all that was set. LINNET_MODEL, LINNET_USAGE, LINNET_MEMORY.
 */
linnet_status linnet_list_names(linnet_model *model, linnet_list_kind kind, linnet_list **list);
/* NULL is allowed. */
void linnet_list_free(linnet_list *list);

/* ---- measures ----------------------------------------------------------------------------------
 */

/* Measures this in the runs that follow, beside the model's own <measure> elements:
 * "t_rise=rise-time(out, low=10%)". NULL forgets those asked for. Checked when the model is run.
 * LINNET_MEMORY. */
linnet_status linnet_measure(linnet_model *model, const char *measure);
/* How many measures the last run has taken, and each of them, 0-based: name, unit and value (NAN:
 * what was measured did not happen). They live until the next run. An index that is none gives
 * NULL strings and NAN. */
int linnet_measured_count(const linnet_model *model);
linnet_item linnet_measured(const linnet_model *model, int index);

/* ---- runs in steps ------------------------------------------------------------------------------
 */

/* A run that goes on from call to call, for programs that look at it and act on it in between: a
 * controller, a game, a test bench.
 *
 *     linnet_stepping *run;
 *     if (linnet_begin(model, &run) == LINNET_OK)
 *         for (double t = 0.01; t < 1 && linnet_step(run, t) == LINNET_OK; t += 0.01) {
 *             char force[32];
 *             snprintf(force, sizeof force, "%.17g", -10 * linnet_step_value(run, "x"));
 *             linnet_set(model, "force.value", force);
 *         }
 *     linnet_finish(run);
 *
 * linnet_set() between two steps holds from the time reached on, as a source's jump would; the
 * block external-input is made to be set. Parameters that change what the model consists of cannot
 * be set then, nor options and what is recorded. Each step begins its method anew, so a step of a
 * few of the method's own is cheap, and one much shorter costs what beginning costs. Measures and
 * references are not taken. */
typedef struct linnet_stepping linnet_stepping;

/* Prepares a run of the model, which must outlive it. *stepping is the caller's, until
 * linnet_finish(); NULL unless the status is LINNET_OK. As linnet_check() otherwise. */
linnet_status linnet_begin(linnet_model *model, linnet_stepping **stepping);
/* Goes on to time t, in s, which is reached exactly. LINNET_USAGE: t does not lie behind the time
 * reached, or lies behind the end of the run, or what was set does not fit a run that has begun;
 * LINNET_FAILED and others as linnet_run(): the run is over then. */
linnet_status linnet_step(linnet_stepping *stepping, double t);
/* The time reached, in s. */
double linnet_step_time(const linnet_stepping *stepping);
/* What is recorded: how many signals, and each of them, 0-based, NULL strings when there is none.
 */
int linnet_step_count(const linnet_stepping *stepping);
linnet_signal linnet_step_signal(const linnet_stepping *stepping, int index);
/* The value of a recorded signal at the time reached, in SI units; NAN before the first step, and
 * when nothing of that name is recorded. */
double linnet_step_value(const linnet_stepping *stepping, const char *name);
/* Ends the run and frees it. NULL is allowed. */
void linnet_finish(linnet_stepping *stepping);

/* ---- points and small signals ------------------------------------------------------------------
 */

/* The operating point, or the trim where the model asks for one, as a result of one row: every
 * link, then every quantity that has a name. LINNET_FAILED: there is none, or none was found. */
linnet_status linnet_operating_point(linnet_model *model, linnet_result **result);

/* A state that takes part in a mode; the shares of a mode sum to 1, those below 0.001 are left out
 * (participation factors, Perez-Arriaga, Verghese, Schweppe 1982). */
typedef struct linnet_participant {
    const char *name;
    double share;
} linnet_participant;

/* A natural motion exp((re + i im) t). */
typedef struct linnet_mode {
    double re, im; /* 1/s                                                  */
    int count;
    const linnet_participant *states; /* count, by falling share                              */
} linnet_mode;

typedef struct linnet_modes {
    int count;
    const linnet_mode *modes; /* by rising modulus; of a pair the one with im > 0 first           */
    int index;                /* differentiation index of the model; -1: not known                */
} linnet_modes;

/* All finite eigenvalues of the linearised model (count 0), or the `count` nearest to 0. Transport
 * delays are Pade approximants. LINNET_FAILED: singular, or too large for all. */
linnet_status linnet_eigenvalues(linnet_model *model, const char *at, int count,
                                 linnet_modes **modes);
void linnet_modes_free(linnet_modes *modes);

/* The response of outputs (names by blanks or commas) to an input of 1 (a source "V1", a signal, a
 * physical link, a block's signal input "G1.in") at `count` frequencies in Hz. A row a frequency:
 * linnet_result_time() gives the frequencies, and of output "out" there are the signals "out.re"
 * and "out.im". NAN at a pole. LINNET_USAGE: a name means nothing. */
linnet_status linnet_response(linnet_model *model, const char *at, const char *input,
                              const char *outputs, const double *frequencies, size_t count,
                              linnet_result **result);

/* x' = A x + B u, y = C x + D u. Matrices are stored column by column. */
typedef struct linnet_state_space {
    int nstates, ninputs, noutputs;
    const char *const *states; /* nstates names                                        */
    const char *const *inputs;
    const char *const *outputs;
    const double *A, *B, *C, *D; /* nstates x nstates, x ninputs; noutputs x nstates, x ninputs   */
} linnet_state_space;
/* inputs, outputs: names by blanks or commas. */
linnet_status linnet_linearise(linnet_model *model, const char *at, const char *inputs,
                               const char *outputs, linnet_state_space **matrices);
void linnet_state_space_free(linnet_state_space *matrices);

/* Margins of the loop that is opened at a signal, a block's signal input or a physical port
 * ("R1.p"). An absent margin is INFINITY, its frequency NAN. */
typedef struct linnet_margins {
    int stable;                 /* 1, 0, or -1: not known                                     */
    double gain, gain_at;       /* factor that makes the loop oscillate; Hz                   */
    double phase, phase_at;     /* degrees; Hz                                                */
    double delay, delay_at;     /* dead time that makes the loop oscillate, s; Hz             */
    double modulus, modulus_at; /* least |1 + L|; Hz                                          */
} linnet_margins;
linnet_status linnet_loop_margins(linnet_model *model, const char *at, const char *signal,
                                  linnet_margins *margins);

/* ---- sweeps ------------------------------------------------------------------------------------
 */

/* What a sweep varies. */
typedef struct linnet_sweep_plan {
    /* as `linnet sweep --vary` takes them: "load=1k,2k,5k", "C1.C=log:1nF:1uF:7",
     * "R1.R=normal(1k,10)" */
    const char *const *vary;
    int nvary;
    long draws;              /* cases of random variation, 0: none asked for */
    unsigned long long seed; /* of them */
} linnet_sweep_plan;

/* Runs the model for every case of the plan in `threads` threads (0: one a processor). A row a
 * case: linnet_result_time() counts them from 1; the signals are what is varied, then the measures,
 * then "failed" (0 or 1). A case that fails is no error. */
linnet_status linnet_sweep(linnet_model *model, const linnet_sweep_plan *plan, int threads,
                           linnet_result **result);

#ifdef __cplusplus
}
#endif

#endif
