/* SPDX-License-Identifier: MIT */
/* What a method is to the driver: something that takes steps, whatever it had to reject on the way,
 * and can tell x anywhere within the last one. A new method is one file with one ln_stepper_class,
 * and a line in LN_STEPPERS. */
#ifndef LN_INTEGRATE_STEPPER_H
#define LN_INTEGRATE_STEPPER_H

#include "base/loops.h"
#include "integrate/grid.h"
#include "integrate/start.h"

/* What else there is to a method whose steps are those of states, from which x follows: an explicit
 * one. LINNET_RETRY, of any of them: something has no value there; report_no_value() then tells
 * what. */
typedef struct ln_explicit_class {
    /* run->x at run->side becomes the start that the settings ask for. `consistency`: made where it
     * is needed. Failures are reported. */
    linnet_status (*start)(ln_run *run, void *stepper_data, ln_consistency_solver *consistency);
    /* The states become those of x (n values). */
    void (*take)(const ln_run *run, void *stepper_data, const double *x);
    /* x (n values) as it follows from the states. */
    linnet_status (*unknowns)(ln_run *run, void *stepper_data, ln_side side, double *x);
    /* Reports what had no value; h: in a step of it, or 0. */
    linnet_status (*report_no_value)(const ln_run *run, const void *stepper_data, double h);
    /* Steps of fixed length from run->side.t on, as long as the next stop is a point of the grid
     * and nothing else. For runs in which nothing happens between stops: no events, no delays. */
    linnet_status (*walk)(ln_run *run, void *stepper_data, ln_grid *grid);
} ln_explicit_class;

/* What is other at the point where steps go on, though nothing that is stored has jumped. */
typedef enum ln_resumption {
    LN_RESUME_SLOPES,       /* how fast what is stored changes from there on */
    LN_RESUME_SLOPES_AND_X, /* that, and the part of x that follows from it (index above 1) */
    LN_RESUME_PROJECTED     /* x was put onto hidden constraints; slopes go on as before */
} ln_resumption;

/* The polynomial by which interpolate() tells x: through both ends of a step, points within it and,
 * where it passes the step before, the start of that one. */
typedef struct ln_interpolation {
    int degree; /* 0: none that the driver knows */
    int ninside;
    double inside[2]; /* parts of the step */
    int passes_step_before;
    int has_kink; /* the step passes one: what is not stored goes by lines from point to point */
} ln_interpolation;

/* Its error at the part s of a step, behind one of `before` times its length, is a derivative times
 * this product of the distances to its points. */
double ln_interpolation_product(const ln_interpolation *by, double before, double s);
/* The largest |product| within the step. Where points lie before it the derivative there may be
 * twice that within (where a sine turns), which one more step of distance makes up for. */
double ln_interpolation_most(const ln_interpolation *by, double before);

typedef struct ln_stepper_class {
    ln_method method; /* its row in the table of methods */
    size_t size;      /* bytes of its private data (stepper_data below), allocated and zeroed by the
                         driver */
    const ln_explicit_class
        *explicit_ops; /* NULL: an implicit method, whose steps are those of x */
    /* Memory (of run->arena) and constants; before anything else. */
    linnet_status (*create)(ln_run *run, void *stepper_data);
    /* What the driver does not know goes into the statistics; may be NULL. */
    void (*count)(ln_run *run, const void *stepper_data);
    void (*release)(void *stepper_data); /* what is not in an arena; may be NULL */
    /* run->side.t, x, q, f are a consistent point: the start, or right of a discontinuity. Forgets
     * all history. run->bound.first_h may say how long the first step may be. */
    linnet_status (*restart)(ln_run *run, void *stepper_data);
    /* The steps go on from run->side, x, q, f, with some of their history (ln_resumption).
     * LN_RESUME_SLOPES only where the method is
     * adaptive. NULL: a step knows nothing of what was before. */
    linnet_status (*resume)(ln_run *run, void *stepper_data, ln_resumption what);
    /* One accepted step of at most run->bound.longest from run->side.t to at most stop.t (reached
     * exactly, bit by bit, when the step ends there); updates run->side.t, x, q, f and run->side. A
     * failure is reported (LINNET_FAILED). LINNET_RETRY: no step could be taken, but a leap
     * (leap.h); the point is after it, and the driver restarts. NULL: the method does not control
     * its step. */
    linnet_status (*advance)(ln_run *run, void *stepper_data, ln_side stop);
    /* For a method that also runs with a fixed step: one step of exactly h, committed.
     * LINNET_RETRY: it cannot be solved (run->outcome). NULL: adaptive only, or the driver steps
     * itself. */
    linnet_status (*fixed)(ln_run *run, void *stepper_data, double h, ln_side side);
    /* x (n values) at t within the last accepted step, to the method's own order. LINNET_RETRY:
     * nobody can tell, which only a method of states says. */
    linnet_status (*interpolate)(ln_run *run, void *stepper_data, double t, double *x);
    ln_interpolation interpolation;
    /* Tells in what the polynomial of the last step is another; NULL: never. */
    void (*last)(const void *stepper_data, ln_interpolation *by);
} ln_stepper_class;

/* The list of methods; a class is ln_stepper_NAME. */
#define LN_STEPPERS(X) \
    X(backward_euler)  \
    X(crank_nicolson)  \
    X(tr_bdf2)         \
    X(bdf2)            \
    X(radau5)          \
    X(ida)             \
    X(euler)           \
    X(heun)            \
    X(rk4)             \
    X(rk45)
#define LN_STEPPER_DECLARE(name) extern const ln_stepper_class ln_stepper_##name;
LN_STEPPERS(LN_STEPPER_DECLARE)
#undef LN_STEPPER_DECLARE

/* The class of a method; NULL: not one of the list. */
const ln_stepper_class *ln_stepper_of(const ln_method *method);

/* A network as an ODE for explicit methods (split.c): z = q(x) on the rows that store, the
 * algebraic part, and above index 1 its derivatives, solved at each call. LINNET_MEMORY is
 * reported. */
linnet_status ln_split_new(ln_system *system, const ln_settings *settings, ln_report *report,
                           ln_ode **ode);

/* What a user may expect of a tolerance: what is told may be off by so many times it, of the range
 * of a signal, or of its largest value so far. Within steps and of what is not stored, errors are
 * held to it, too. */
#define LN_EXPECTED 10.0
/* The relative tolerance applies to at least this part of the largest |x| so far: else a coil's
 * current of amperes would be resolved to nanoamperes where it crosses zero, in steps of
 * picoseconds. Three digits below what it has been, an error is still a thousandth of what the
 * tolerance is to a reader. */
#define LN_OF_REACH 1e-3

/* Below this length, s, sources shorten no step at t. */
double ln_source_shortest(double t);
/* Prepares the next; LINNET_MEMORY is not reported. */
linnet_status ln_source_step_bound_init(ln_run *run);
/* The largest step from run->side.t, at most `most`, over which no source does anything between a
 * method's stages that they would not show (`most` halved until it is so), and the method's
 * interpolation follows them as well as a user may expect of the tolerance. previous_h, s: the last
 * step; 0: there is none. */
double ln_source_step_bound(ln_run *run, double most, ln_side side, const ln_interpolation *by,
                            double previous_h);

/* ---- step control for methods with an error estimate of their own ---- */

/* Is a step of h to run->x1, that errs by e (n values) and in units of the tolerance by `error`,
 * above 1, taken all the same? It is where no shorter one is left and the error, of what is stored,
 * dies out (layer.h); it is told like all others. Where a solution grows without bound steps
 * shrink, too, and errors grow. */
int ln_passes_layer(ln_run *run, double h, double error, const double *e);

typedef struct ln_control {
    double h;                    /* the step that the estimates allow; 0: to be chosen */
    int order;                   /* the error of a step is proportional to h^order */
    double last_h, last_error;   /* of the last accepted step; 0: none since a restart */
    double tried_h, tried_error; /* of the last trial; 0: none since a restart */
    int rejected;                /* the last trial was */
    double rejected_h,
        rejected_error; /* of the trial before from the same point; 0: there was none */
    double shorter_h;   /* set by a trial: the length to try next instead; 0: none */
    /* 1: the method does not damp stiff components (Crank-Nicolson), so that Newton's error in them
     * persists and its tolerance is not relaxed */
    int undamped;
    int multistep; /* its formula goes through several steps: those of one length serve it best */
    int quantised; /* step sizes are (ln_quantise_step), to meet kept factorisations again */
} ln_control;

/* quantised: pays where a factorisation serves as it is, on linear networks by methods whose alpha
 * depends on h alone. */
void ln_control_begin(ln_control *control, int order, int quantised);
/* Forgets what was learnt: at a start or after a discontinuity. */
void ln_control_restart(ln_control *control, ln_run *run);
/* Sets run->errors.in_error_test and run->errors.least_share. */
void ln_choose_error_test(ln_run *run);
/* After an evaluation: what a charge has turned out to depend on is stored, too. A junction without
 * a capacitance has entries of dq/dx, which are zero and do not count. */
void ln_note_stored(ln_run *run);
/* The largest 2^(k/2), k whole, that is not above h: steps that come back to the same few sizes
 * find their factorisations among those kept. Measured in doc/architecture.md. */
double ln_quantise_step(double h);
/* Tries `attempt(run, stepper_data, h, side, &error)` (1: computed, error relative to tolerance; 0:
 * the equations were not solved) with steps that shrink until error <= 1, then commits the step. */
typedef int ln_attempt(ln_run *run, void *stepper_data, double h, ln_side side, double *error);
linnet_status ln_control_advance(ln_control *control, ln_run *run, ln_attempt *attempt,
                                 void *stepper_data, ln_side stop);

/* No step is short enough, not even one of h: LINNET_RETRY after a leap, else the failure,
 * reported. */
linnet_status ln_no_step(ln_run *run, double h, ln_side stop);

/* Has the run a constraint of a mechanism, whose forces have index 3? */
int ln_run_has_index_3(const ln_run *run);
/* How near to where it was evaluated, V, a device may give its tangent (ln_system_eval_within()):
 * what that leaves of a current is a tenth of what Newton's method may leave, as a part of 1. 0:
 * nowhere. Beside what floats it is not: 1e-10 A in 100 MOhm moves a rectifier's loose side by 10
 * mV, so all that devices depend on is to be stored against the reference; stored: of each unknown.
 */
double ln_devices_rest_within(const ln_run *run, const char *stored, double left);

/* The error of unknown i between run->x and run->x1 that is allowed. The absolute tolerances are
 * those of the default relative one, 1e-4, and shrink with it. */
double ln_error_scale(const ln_run *run, int i);
/* The same of an unknown of this size, in units of the tolerance. */
static inline double ln_error_unit(const ln_run *run, int i, double size) {
    return ln_larger(size, run->errors.least_share[i] * run->errors.peak[i]) +
           run->system->abstol[i] / LN_DEFAULT_TOLERANCE;
}
/* The error of unknown i as it is judged, of errors e (n values) that ln_error_find_least() has
 * seen before. Of a floating part differences alone are stored: what is common to its members is a
 * function of them, as other potentials are, and jumps where a diode does. So each member is judged
 * by its difference to the one that errs least. */
void ln_error_find_least(ln_run *run, const double *e);
double ln_error_of(const ln_run *run, const double *e, int i);
/* Is i that member, whose error is that of what all have in common? */
static inline int ln_error_is_common(const ln_run *run, int i) {
    const int part = run->system->nparts > 0 ? run->system->common_unknown[i] : -1;
    return part >= 0 && run->errors.errs_least[part] == i;
}
/* Norm of a local error e of x (n values) between run->x and run->x1: largest |e| in units of the
 * tolerance; notes which unknown it is in run->errors.dominant. Unknowns that are not judged are
 * left out, and those of index 2 and 3: their estimate does not fall with the step, and their
 * errors of that size do not reach the others [Hairer, Wanner II, VII.4]. */
double ln_error_norm(ln_run *run, const double *e);
/* The same of the potentials that are not stored, in a step of h; they may err by what is
 * expected of this tolerance (LN_EXPECTED): of a coil's current a part that the tolerance hides is
 * kilovolts across an open switch. Zero where junctions stand, at which potentials jump within a
 * step (across.h), and from the ninth trial in a row on. */
double ln_error_of_read(ln_run *run, const double *e, double h, double tolerance);
/* Is unknown i such a potential? */
int ln_error_is_of_read(const ln_run *run, int i);
/* Is a step of h at t too short to be held by them? */
int ln_error_read_is_blurred(double h, double t);

/* Steps, smallest and largest, into the statistics. */
void ln_count_step(ln_run *run, double h);
/* A trial whose equations were not solved; dx (n values): the last update of Newton's method. */
void ln_note_unsolved(ln_run *run, const double *dx);
/* A step rejected because of run->errors.dominant. */
void ln_note_rejected(ln_run *run);
/* Local error e of x (n values) of a fixed step that was sampled: the largest is told in the
 * summary. */
void ln_note_local_error(ln_run *run, const double *e);
/* The same of one unknown, relative to its largest size so far. */
void ln_tell_local_error(ln_run *run, int unknown, double size);
enum { LN_SAMPLE = 32 }; /* one fixed step in so many is sampled for its error */
/* Interrupt, memory that was short, and the limit on steps; polled by the driver between steps, by
 * steppers within long ones. */
linnet_status ln_check_limits(const ln_run *run);

#endif
