/* SPDX-License-Identifier: MIT */
/* From a system at its start to its trajectory: methods, step sizes, breakpoints, failures. */
#ifndef LN_INTEGRATE_INTEGRATE_H
#define LN_INTEGRATE_INTEGRATE_H

#include "base/bytes.h"
#include "system/ode.h"
#include "system/system.h"

/* Whose choice the length of a step is. */
typedef enum ln_steps {
    LN_STEPS_FIXED,    /* the user's: the method has no estimate of its error */
    LN_STEPS_EITHER,   /* the user's, or that of the method's error */
    LN_STEPS_ADAPTIVE, /* always that of the error */
} ln_steps;

/* A method as users see it; `linnet run --help` and error messages list them. */
typedef struct ln_method {
    const char *name; /* "crank-nicolson" */
    const char *doc;
    int order;
    int implicit; /* works on the system; else on an ln_ode */
    ln_steps steps;
} ln_method;
/* 0-based; NULL behind the last. */
const ln_method *ln_method_at(int index);
const ln_method *ln_method_find(const char *name);

typedef enum ln_start_kind { LN_START_VALUES, LN_START_OPERATING_POINT } ln_start_kind;

typedef struct ln_settings {
    /* not NULL for ln_integrate(); analysis/settings.c chooses one where the user names none */
    const ln_method *method;
    double begin, end; /* s */
    double step;       /* fixed step, or largest step when tolerance > 0; 0: none given */
    double tolerance;  /* relative; 0: fixed step */
    ln_start_kind start;
    /* n values to begin with instead of the model's start values; or NULL */
    const double *start_x;
    /* likewise a value of each memory, NAN: as the model says; or NULL */
    const double *start_memory;
    /* > 0: only points begin + k*interval, breakpoints and the end are passed to the watcher; steps
     * end there */
    double interval;
    /* > 0: rows within steps are recorded too, so many that lines between them stay within this
     * part of a signal's range (analysis); 0: the points told, no more */
    double resolution;
    /* s; of what is passed on, a simulation keeps what lies here or later (analysis) */
    double record_from;
    const double *stops;
    size_t nstops;         /* further times, rising, at which a step must end */
    ln_linear_kind linear; /* for studies; AUTO */
    /* events in no time (1e-6 of the run) before it ends as failed; 0: 1000 */
    long event_limit;
    int record_before_ticks; /* 1: the point before a tick is recorded too; 0: only the one after it
                              */
    int evaluate_all;        /* no device bypass: every device is evaluated at every iteration */
    int threads;             /* that evaluate devices (ln_system_take_threads()) */
    int newton_exact; /* Newton's method goes on to rounding, for comparison with other programs */
    int events_at_steps;  /* fixed step: nothing is located within steps; what happens, and edges in
                             time, act at their ends, those in time at the nearest one */
    int only_after_ticks; /* the user asked for ticks="after": record_before_ticks stays 0 where
                       rows are dense (analysis) */
    long max_steps;       /* 0: 10^9 */
    struct ln_pause *pause; /* NULL: from the start to the end */
    ln_profile *profile;    /* where its time is counted (borrowed); NULL: nowhere */
    const struct ln_integrator *integrator; /* borrowed; NULL: ln_integrate() (analysis) */
} ln_settings;

/* Why a step was not longer. */
typedef enum ln_cause {
    LN_BY_ERROR,      /* its estimate; ln_dominant says of which unknowns */
    LN_BY_NEWTON,     /* the equations of a longer one were not solved */
    LN_BY_CROSSING,   /* an event, to which the run was taken back */
    LN_BY_BREAKPOINT, /* of a source, a delay or a clock */
    LN_BY_DELAY,      /* what it gives back has to be known to the tolerance */
    LN_BY_LARGEST,    /* the largest step, given or of the method */
    LN_BY_SOURCE,     /* a longer one would pass over what a source does */
    LN_CAUSES,
    LN_NO_CAUSE = LN_CAUSES /* it was as long as it could be */
} ln_cause;

/* An unknown that dominates the error estimate. */
enum { LN_DOMINANTS = 3 };
typedef struct ln_dominant {
    char name[64];
    double share;  /* of all steps: those whose size it set */
    long rejected; /* steps it had rejected */
} ln_dominant;

typedef struct ln_statistics {
    const ln_method *method;
    int unknowns, states, nonlinear;
    ln_linear_kind linear;
    long steps, rejected, newton;
    /* those of the steps; radau5: a real and a complex matrix together are one */
    long factored, refactored, solved;
    long evaluations;         /* of the residual (implicit) or of the right-hand side (explicit) */
    long events;              /* instants at which memories, modes or states changed */
    char ended[160];          /* the event that ended the run, as it is told; empty: none */
    long leaps;               /* jumps where no solution went on */
    long breakpoints, damped; /* breakpoints met; restarts damped by backward Euler */
    int loops;
    /* the operating point: Newton's method from the start values served, so that nothing is free */
    int start_by_plain_newton;
    const char *start_means; /* "start values", "Newton", "gmin stepping", "source stepping" */
    char start_tried[256];   /* means tried before in vain, with how far they came; empty: none */
    double t;                /* time reached */
    /* adaptive: the unknowns that set the step most often; ends with share 0 */
    ln_dominant dominant[LN_DOMINANTS];
    long by[LN_CAUSES];   /* steps that were short, by their cause */
    char unsolved_at[64]; /* the unknown at which Newton's method failed most often, or empty */
    /* fixed step: largest local error seen in samples, relative to the unknown's largest size; 0:
     * none taken */
    double local_error;
    char local_error_of[64];  /* the unknown it is in */
    double smallest, largest; /* step */
} ln_statistics;

/* A run that stops on the way, to go on later (pause.h). */
typedef struct ln_pause {
    double at;            /* at the first end of a step that is not before this time */
    ln_bytes bytes;       /* in: what to go on from, unless it is empty; out: that at the pause */
    double t;             /* s: of the state in bytes */
    ln_statistics counts; /* what it cost to get to t */
    int paused;           /* out: 1 when the run has stopped there */
    int jumped; /* in: a model value or input was changed during the pause; t is a breakpoint */
} ln_pause;

/* A step that was accepted: what is known between its ends. */
typedef struct ln_step_view {
    double begin; /* s */
    ln_side end;
    void *source;
    /* *x: n values at t, begin <= t <= end, until the next call; NULL where there are none. */
    linnet_status (*at)(void *source, double t, const double **x);
} ln_step_view;

/* Who watches the run. */
typedef struct ln_watcher {
    void *context;
    /* Each accepted point, the start included. side: to observe with. The same t twice: left and
     * right of a discontinuity. A status other than OK ends the run with it. */
    linnet_status (*accept)(void *context, ln_side side, const double *x);
    /* Nonzero ends the run with LINNET_INTERRUPTED; polled at every step. May be NULL. */
    int (*stop)(void *context);
    /* Each step of an adaptive method, before its end is accepted. NULL: not wanted. */
    linnet_status (*within)(void *context, const ln_step_view *step);
} ln_watcher;

/* Runs. What was accepted stays accepted whatever the outcome. LINNET_FAILED is reported with time,
 * step, reason and the worst unknowns with their blocks. *statistics is valid in every case. */
linnet_status ln_integrate(ln_system *system, const ln_settings *settings,
                           const ln_watcher *watcher, ln_report *report, ln_statistics *statistics);

/* Something else that runs in its place, as it does: native code (codegen/native.h). */
typedef struct ln_integrator {
    linnet_status (*run)(void *context, ln_system *system, const ln_settings *settings,
                         const ln_watcher *watcher, ln_report *report, ln_statistics *statistics);
    void *context;
    const char *what; /* for the summary */
} ln_integrator;

/* The start of a run alone, at settings->begin: x (n values) as settings->start asks; *side is
 * right of it, or left of it for an operating point, from which sources may jump. Memories have
 * their start values, modes are those of x, no event acts. No method is needed. LINNET_FAILED is
 * reported. */
linnet_status ln_integrate_start(ln_system *system, const ln_settings *settings, ln_report *report,
                                 ln_statistics *statistics, ln_side *side, double *x);

#endif
