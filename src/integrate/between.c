/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "integrate/between.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* alpha h of the equations in the step's middle: of the implicit methods it is 1 to 4. */
static const double ALPHA_H = 3;
/* alpha h of the equations at the step's ends: what is stored moves by a millionth of what else
 * gives way there. */
static const double STAYS = 1e6;
/* What the last step's polynomial missed counts this much for the next, so that an error that
 * passes through zero does not hide what follows. */
static const double FADES = 0.25;
/* The equations are solved where the polynomial may miss so much of what is allowed: behind a
 * junction's knee it missed two to four times what its lead back to before the knee tells. */
static const double HOLDS = 0.25;
/* Polynomials through so many inner points are probed between two of them; of those through fewer,
 * steps with a kink are told apart (ln_parabola_has_kink()). */
enum { LEAST_PROBED = 2 };
/* An update of this part of what is allowed is the last; a polynomial that so many do not lead to a
 * solution from stays as it is: a junction driven half a volt too far forward comes back by kT/q in
 * each. */
static const double DONE = 0.1;
enum { ITERATIONS = 20 };
/* Points within a step at which a polynomial of any method, of degree 5 at most, is told whole. */
static const double EVERY[LN_NODES - 2] = {0.2, 0.4, 0.6, 0.8};

/* A look within the last step, which began at `begin` and is h long, or at its end. */
typedef struct between_look {
    ln_between *between;
    ln_run *run;
    double begin, h;
    double alpha; /* of the equations */
} between_look;

/* Is there a row that stores nothing? */
static int has_algebra(const ln_run *run) {
    for (int i = 0; i < run->n; i++)
        if (!run->system->dynamic[i])
            return 1;
    return 0;
}

static linnet_status allocate(ln_between *between, const ln_run *run) {
    const ln_system *system = run->system;
    double **vectors[] = {&between->start[0], &between->start[1], &between->start[2],
                          &between->allowed,  &between->q,        &between->base,
                          &between->f,        &between->carried,  &between->other};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if ((*vectors[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return LINNET_MEMORY;
    for (int k = 0; k < LN_NODES; k++)
        if ((between->stored[k] = LN_NEW(run->arena, double, run->n)) == NULL)
            return LINNET_MEMORY;
    between->values = LN_NEW(run->arena, double, system->pattern.start[run->n]);
    between->df = LN_NEW(run->arena, double, system->ndf + system->ndq);
    between->places = LN_NEW(run->arena, double, ln_system_places(system));
    between->linear = ln_linear_new(&system->pattern, run->settings->linear);
    return between->values && between->df && between->places && between->linear ? LINNET_OK
                                                                                : LINNET_MEMORY;
}

linnet_status ln_between_init(ln_between *between, ln_run *run, const ln_stepper_class *stepper,
                              void *stepper_data) {
    *between = (ln_between){.stepper = stepper, .stepper_data = stepper_data};
    if (run->system->linear || ln_run_has_index_3(run) || stepper->explicit_ops != NULL ||
        !has_algebra(run))
        return LINNET_OK;
    between->serves = run->adaptive;
    between->tolerance = run->adaptive ? run->settings->tolerance : LN_DEFAULT_TOLERANCE;
    if ((between->read = LN_NEW(run->arena, char, run->n)) == NULL)
        return LINNET_MEMORY;
    if (run->index == NULL)
        between->nread = ln_system_rows_read(run->system, between->read);
    return between->serves || between->nread > 0 ? allocate(between, run) : LINNET_OK;
}

void ln_between_free(ln_between *between) {
    ln_linear_free(between->linear);
}

void ln_between_begin_step(ln_between *between, const ln_run *run, int is_fresh) {
    if (!between->serves)
        return;
    between->is_judged = 0;
    between->nnodes = 0;
    for (; between->count > 0 && (is_fresh || between->t[0] >= run->side.t); between->count--)
        ln_past_drop(LN_STARTS, between->start, between->t);
    ln_past_add(LN_STARTS, between->start, between->t, run->side.t, run->x, run->n);
    between->count += between->count < LN_STARTS;
}

/* ---- how good the polynomial is ---- */

double ln_interpolation_product(const ln_interpolation *by, double before, double s) {
    double product = s * (s - 1);
    for (int k = 0; k < by->ninside; k++)
        product *= s - by->inside[k];
    return by->passes_step_before ? product * (s + before) : product;
}

double ln_interpolation_most(const ln_interpolation *by, double before) {
    enum { PARTS = 32 }; /* a maximum of a polynomial of degree 4 is met to a hundredth */
    double most = 0;
    for (int k = 1; k < PARTS; k++)
        most = ln_larger(most, fabs(ln_interpolation_product(by, before + 1, (double)k / PARTS)));
    return most;
}

/* Is unknown i told by the polynomial whatever the equations say? What follows from a derivative
 * would be that of what the polynomial misses. */
static int stays(const ln_run *run, int i) {
    return run->index != NULL && run->index[i] > 1;
}

static void find_allowed(ln_between *between, const ln_run *run) {
    for (int i = 0; i < run->n; i++)
        between->allowed[i] =
            LN_EXPECTED * between->tolerance *
            ln_error_unit(run, i, ln_larger(run->errors.peak[i], fabs(run->x[i])));
}

/* How much the polynomial misses within the step, in units of what is allowed. Led back to the
 * first point behind its own, it misses that by the product of the distances to its points, as
 * within. What is stored counts, too: where it is tied to a source or to what is not stored, the
 * equations mend it. INFINITY: nobody can tell. */
static double find_excess(ln_between *between, ln_run *run, double h) {
    const ln_interpolation *by = &between->by;
    const int back = by->passes_step_before ? 2 : 1;
    if (by->degree == 0 || between->count <= back)
        return INFINITY;
    const double t = between->t[back], before = (between->t[0] - between->t[1]) / h;
    if (between->stepper->interpolate(run, between->stepper_data, t, between->q) != LINNET_OK)
        return INFINITY;
    const double ratio = ln_interpolation_most(by, before) /
                         fabs(ln_interpolation_product(by, before, (t - between->t[0]) / h));
    double excess = 0;
    for (int i = 0; i < run->n; i++)
        if (!stays(run, i))
            excess = ln_larger(excess, ratio * fabs(between->q[i] - between->start[back][i]) /
                                           between->allowed[i]);
    return isfinite(excess) ? excess : INFINITY;
}

static void judge(ln_between *between, ln_run *run, double h) {
    find_allowed(between, run);
    const double before = isfinite(between->excess) ? FADES * between->excess : 0;
    between->excess = fmax(find_excess(between, run, h), before);
    between->is_judged = 1;
}

/* ---- what is stored ---- */

/* What is stored at the point x, at t, becomes that of the next node. */
static int add_node(const between_look *at, double t, const double *x) {
    ln_between *between = at->between;
    const int k = between->nnodes;
    between->node[k] = (t - at->begin) / at->h;
    if (ln_system_q(at->run->system, ln_side_at(at->run->side, t), x, between->stored[k]) !=
        LINNET_OK)
        return 0;
    between->nnodes++;
    return 1;
}

/* A point of the method's polynomial becomes the next node. */
static int add_inside(const between_look *at, double s) {
    ln_between *between = at->between;
    const double t = at->begin + s * at->h;
    return between->stepper->interpolate(at->run, between->stepper_data, t, between->q) ==
               LINNET_OK &&
           add_node(at, t, between->q);
}

/* The middle of the parabola through what the step's ends store, with the rate at its end that the
 * step was solved with, -f: that of the trapezoidal rule and of BDF2 itself. A parabola of x
 * through the step before leads far beyond where iron desaturates, and what is stored there is
 * another. */
static void add_middle(ln_between *between, const ln_run *run, double h) {
    const double *begin = between->stored[0], *end = between->stored[1];
    double *middle = between->stored[2];
    for (int i = 0; i < run->n; i++) {
        const double rise = end[i] - begin[i], rate = run->system->dynamic[i] ? -run->f[i] : 0;
        middle[i] = begin[i] + rise / 2 - (h * rate - rise) / 4;
    }
    between->node[between->nnodes++] = 0.5;
}

/* The nodes of what is stored: the step's ends, and where the method's polynomial is its own. */
static int find_nodes(const between_look *at) {
    ln_between *between = at->between;
    const ln_interpolation *by = &between->by;
    const double *inside = by->degree == 0 ? EVERY : by->inside;
    const int ninside = by->degree == 0 ? LN_NODES - 2 : by->ninside;
    if (!add_node(at, at->begin, between->start[0]) || !add_node(at, at->run->side.t, at->run->x))
        return 0;
    if (by->passes_step_before)
        add_middle(between, at->run, at->h);
    for (int k = 0; !by->passes_step_before && k < ninside; k++)
        if (!add_inside(at, inside[k]))
            return 0;
    return 1;
}

/* What is stored goes by the polynomial Q through its values at the nodes: Q' - alpha Q at the
 * part s of the step to base [Lagrange]; or with the slope of the line through the ends for Q'. */
static void find_base(const between_look *at, double s, int slope_of_line) {
    ln_between *between = at->between;
    for (int i = 0; i < at->run->n; i++)
        between->base[i] =
            slope_of_line ? (between->stored[1][i] - between->stored[0][i]) / at->h : 0;
    for (int k = 0; k < between->nnodes; k++) {
        double weight = 1, slope = 0;
        for (int j = 0; j < between->nnodes; j++) {
            if (j == k)
                continue;
            const double apart = between->node[k] - between->node[j];
            slope = (slope * (s - between->node[j]) + weight) / apart;
            weight *= (s - between->node[j]) / apart;
        }
        const double share = (slope_of_line ? 0 : slope / at->h) - at->alpha * weight;
        for (int i = 0; i < at->run->n; i++)
            between->base[i] += share * between->stored[k][i];
    }
}

/* ---- the equations between ---- */

/* What the equations miss at x, to between->f. */
static int residual(const between_look *at, ln_side side, const double *x) {
    ln_between *between = at->between;
    ln_run *run = at->run;
    ln_system *system = run->system;
    double *f = between->f, *q = between->q;
    ln_matrix_apply(&system->E, x, q);
    ln_matrix_apply(&system->A, x, f);
    run->statistics->evaluations++;
    if (ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, system->linear_q ? NULL : q, f,
                       NULL) != LINNET_OK)
        return 0;
    for (int i = 0; i < run->n; i++)
        f[i] += at->alpha * q[i] + between->base[i] - run->s[i];
    return 1;
}

/* May fluxes that are read at a point miss zero there by this share of what they are made of,
 * behind residual() at x? */
static int adds_up(const between_look *at, const double *x, double share) {
    ln_between *between = at->between;
    const ln_run *run = at->run;
    double *sizes = between->q;
    int adds_up = 1;
    for (int i = 0; i < run->n; i++)
        sizes[i] = fabs(run->s[i]);
    ln_add_abs_product(&run->system->A.pattern, run->system->A.value, 1, x, sizes);
    for (int i = 0; i < run->n; i++) {
        if (!between->read[i])
            continue;
        between->carried[i] = fmax(between->carried[i], sizes[i]);
        adds_up &= fabs(between->f[i]) <= share * between->carried[i];
    }
    return adds_up;
}

/* What is stored and how it changes round to so many halves of the last digit of their terms. */
static const double ROUNDINGS = 16;

/* Is what the equations miss (between->f) no more than the rounding of their terms? A step of
 * 2e-17 s makes 0.1 kg/s of the last digit of the 17 g in a chamber, and Newton's updates fall no
 * more. Terms are as large as the run has had them: where Newton's method has strayed to 1e13 V
 * across a junction any current is rounding. Behind residual(), by the matrix there. */
static int is_rounding(const between_look *at) {
    const ln_between *between = at->between;
    const ln_run *run = at->run;
    double *sizes = between->q;
    for (int i = 0; i < run->n; i++)
        sizes[i] = fabs(run->s[i]) + fabs(between->base[i]);
    ln_add_abs_product(&run->system->pattern, between->values, 1, run->errors.peak, sizes);
    for (int i = 0; i < run->n; i++)
        if (!(fabs(between->f[i]) <= ROUNDINGS * DBL_EPSILON / 2 * sizes[i]))
            return 0;
    return 1;
}

/* The last step of Newton's method: the largest update, in units of what is allowed, and whether a
 * junction bends over it. */
typedef struct between_update {
    double largest;
    int bends;
} between_update;

/* Is it one after which no other is needed? Not where it is hardly less than the one before: a
 * junction driven 7 V forward carries 1e90 A, and comes back by kT/q in each, which is little of
 * volts. */
static int is_last(between_update last, double before) {
    return !last.bends && last.largest <= DONE && last.largest <= before / 2;
}

/* One step of Newton's method by the matrix at x, behind residual(). */
static int update(const between_look *at, double *x, between_update *last) {
    ln_between *between = at->between;
    const ln_run *run = at->run;
    double *f = between->f, *sizes = between->q;
    if (ln_linear_factor(between->linear, between->values) != LN_FACTORED)
        return 0;
    ln_linear_solve(between->linear, f);
    last->largest = 0;
    last->bends =
        run->system->has_junctions && ln_system_nonlinearity_here(run->system, x, f, sizes) > 1;
    for (int i = 0; i < run->n; i++) {
        x[i] -= f[i];
        if (!stays(run, i))
            last->largest = ln_larger(last->largest, fabs(f[i]) / between->allowed[i]);
    }
    return isfinite(last->largest);
}

/* Fluxes must add up to so much of what they are made of, some thousand roundings, if so many
 * iterations can bring that: a cylinder's force may be a millionth of those of its chambers, or
 * less (5 mN of 12 kN beside a chamber of 1 m2: 1e-9 left 0.3 % of it). */
static const double ADDS_UP = 1e-12;
enum { TO_ADD_UP = 6 };

/* Newton's method from x, with what is stored in base. At first `largest` is taken as the last
 * update: 0: x serves if only fluxes add up. */
static int iterate(const between_look *at, ln_side side, double largest, double *x) {
    const double expected = LN_EXPECTED * at->between->tolerance;
    between_update last = {.largest = largest};
    double before = INFINITY;
    for (int k = 0; k <= ITERATIONS; k++) {
        const int ends = is_last(last, before);
        if (ends && at->between->nread == 0)
            return 1;
        if (!residual(at, side, x))
            return 0;
        ln_system_jacobian(at->run->system, at->alpha, at->between->values);
        const int converges = ends || (k > 0 && is_rounding(at));
        if (converges && at->between->nread == 0)
            return 1;
        if (converges && adds_up(at, x, k < TO_ADD_UP ? ADDS_UP : expected))
            return 1;
        before = last.largest;
        if (k < ITERATIONS && !update(at, x, &last))
            return 0;
    }
    return 0;
}

/* Sources and what is stored at the part s of the step, for iterate(). */
static int prepare(const between_look *at, ln_side side, double s) {
    ln_between *between = at->between;
    if (ln_system_sources(at->run->system, side, at->run->s) != LINNET_OK ||
        (between->nnodes == 0 && !find_nodes(at))) {
        between->nnodes = 0;
        return 0;
    }
    find_base(at, s, 0);
    return 1;
}

/* Rows of what is stored miss nothing at this point, which the method has found. */
static int keep_stored(const between_look *at, ln_side side, const double *point) {
    ln_between *between = at->between;
    const ln_run *run = at->run;
    memset(between->base, 0, (size_t)run->n * sizeof *between->base);
    if (ln_system_sources(run->system, side, run->s) != LINNET_OK || !residual(at, side, point))
        return 0;
    for (int i = 0; i < run->n; i++)
        between->base[i] = run->system->dynamic[i] ? -between->f[i] : 0;
    return 1;
}

/* From x alone. Where the step began what is stored is known: an angle has no value at its origin,
 * and any beside it. */
static int solve_near(const between_look *at, ln_side side, double *x) {
    const double s = (side.t - at->begin) / at->h;
    const int ready = s > 0 ? prepare(at, side, s) : keep_stored(at, side, at->between->start[0]);
    return ready && iterate(at, side, INFINITY, x);
}

/* Has Newton's method led from the polynomial (run->guess) further than from one end of the step to
 * the other? Such a way may end at another solution than theirs. */
static int went_far(const between_look *at, const double *x) {
    const ln_between *between = at->between;
    const double *begin = between->start[0], *guess = at->run->guess, *end = at->run->x;
    for (int i = 0; i < at->run->n; i++)
        if (!stays(at->run, i) &&
            fabs(x[i] - guess[i]) > fabs(end[i] - begin[i]) + between->allowed[i])
            return 1;
    return 0;
}

/* From the polynomial, where `largest` is taken as the last update; where that leads nowhere,
 * across a kink, or far away, from the nearer end of the step, and from the other: a junction's
 * voltage is found from above. */
static int solve_from(const between_look *at, ln_side side, double largest, double *x) {
    ln_between *between = at->between;
    const double s = (side.t - at->begin) / at->h, *begin = between->start[0], *end = at->run->x;
    const double *from[] = {s < 0.5 ? begin : end, s < 0.5 ? end : begin};
    if (!prepare(at, side, s))
        return 0;
    int solved = iterate(at, side, largest, x) && !went_far(at, x);
    for (int k = 0; k < 2 && !solved; k++) {
        memcpy(x, from[k], (size_t)at->run->n * sizeof *x);
        solved = iterate(at, side, INFINITY, x);
    }
    return solved;
}

static int solve_within(const between_look *at, ln_side side, double *x) {
    return solve_from(at, side, at->between->excess > HOLDS ? INFINITY : 0, x);
}

/* Whatever the polynomial's excess is. */
static int solve_anew(const between_look *at, ln_side side, double *x) {
    return solve_from(at, side, INFINITY, x);
}

/* In a step with a kink, where lines tell what is not stored (run->guess): the slope of a winding's
 * flux would be volts beyond what bounds it. What a transistor without charge follows does not ask
 * for slopes: the solution counts for the unknowns of which the slope of the line through what is
 * stored makes the same. */
static int solve_at_kink(const between_look *at, ln_side side, double *x) {
    ln_between *between = at->between;
    const ln_run *run = at->run;
    double *other = between->other;
    if (!solve_anew(at, side, x))
        return 0;
    memcpy(other, x, (size_t)run->n * sizeof *x);
    find_base(at, (side.t - at->begin) / at->h, 1);
    if (!iterate(at, side, INFINITY, other))
        return 0;
    for (int i = 0; i < run->n; i++)
        if (!(fabs(other[i] - x[i]) <= between->allowed[i]))
            x[i] = run->guess[i];
    return 1;
}

/* At the step's end the method has met the equations within its tolerance, of which fluxes may be
 * made up whole. What is stored stays: its rows miss nothing at x, and alpha is large. */
static int meet_end(const between_look *at, ln_side side, double *x) {
    return keep_stored(at, side, x) && iterate(at, side, 0, x);
}

typedef int solver(const between_look *at, ln_side side, double *x);

/* What a look elsewhere changes of the system is put back: the next step goes on from its own. 0:
 * x is as it was. */
static int look(const between_look *at, solver *solve_at, ln_side side, double *x) {
    ln_between *between = at->between;
    ln_run *run = at->run;
    ln_system *system = run->system;
    const size_t df = (size_t)system->ndf * sizeof(double),
                 dq = (size_t)system->ndq * sizeof(double), bytes = (size_t)run->n * sizeof *x;
    memcpy(between->df, system->df, df);
    memcpy(between->df + system->ndf, system->dq, dq);
    ln_system_save_places(system, between->places);
    memcpy(run->guess, x, bytes);
    const int solved = solve_at(at, side, x);
    for (int i = 0; i < run->n; i++)
        if (!solved || stays(run, i))
            x[i] = run->guess[i];
    ln_system_restore_places(system, between->places);
    memcpy(system->df, between->df, df);
    memcpy(system->dq, between->df + system->ndf, dq);
    return solved;
}

/* The polynomial's slope is not the equations' rate by the step's error, over h; towards the ends
 * that is given ever less time, so that what is stored goes on from there: the mean since the start
 * is a sum of nothing yet, divided by no time. */
static double alpha_within(const ln_run *run, ln_side side, double h) {
    const double left = (run->side.t - side.t) / h, middle = 4 * left * (1 - left);
    return fmin(ALPHA_H / fmax(middle, 0), STAYS) / h;
}

/* The lead back may see nothing of a kink that lies within the step. So between the method's inner
 * points the equations are solved whatever it says, and where that makes another of the point, they
 * are at all rows. */
static void probe(ln_between *between, ln_run *run, double h) {
    const ln_interpolation *by = &between->by;
    const double part = (by->inside[0] + by->inside[1]) / 2;
    const ln_side side = ln_side_at(run->side, run->side.t - (1 - part) * h);
    double *x = between->other;
    if (by->ninside < LEAST_PROBED || between->excess > HOLDS ||
        between->stepper->interpolate(run, between->stepper_data, side.t, x) != LINNET_OK)
        return;
    (void)look(&(between_look){between, run, run->side.t - h, h, alpha_within(run, side, h)},
               solve_anew, side, x);
    for (int i = 0; i < run->n; i++)
        if (fabs(x[i] - run->guess[i]) > HOLDS * between->allowed[i])
            between->excess = INFINITY;
}

/* How the method tells the last step. */
static void know_interpolation(ln_between *between) {
    between->by = between->stepper->interpolation;
    if (between->stepper->last != NULL)
        between->stepper->last(between->stepper_data, &between->by);
}

void ln_between_solve(ln_between *between, ln_run *run, ln_side side, double h, double *x) {
    if (!between->serves)
        return;
    if (!between->is_judged) {
        know_interpolation(between);
        judge(between, run, h);
        probe(between, run, h);
    }
    const int has_kink = between->by.has_kink;
    if (has_kink || between->excess > HOLDS || between->nread > 0)
        (void)look(&(between_look){between, run, run->side.t - h, h, alpha_within(run, side, h)},
                   has_kink ? solve_at_kink : solve_within, side, x);
}

void ln_between_meet_end(ln_between *between, ln_run *run, ln_side side, double h, double *x) {
    find_allowed(between, run);
    (void)look(&(between_look){between, run, side.t - h, h, STAYS / h}, meet_end, side, x);
}

int ln_between_solve_from(ln_between *between, ln_run *run, ln_side side, double h, double *x) {
    know_interpolation(between);
    find_allowed(between, run);
    return look(&(between_look){between, run, run->side.t - h, h, alpha_within(run, side, h)},
                solve_near, side, x);
}
