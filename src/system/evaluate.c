/* SPDX-License-Identifier: MIT */
/* The system at a point: nonlinear parts, Jacobian. Runs in the step loop: no search, no
 * allocation. */
#include "system/active.h"

#include "linear/convergence.h"
#include "system/delay.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

double ln_system_next_breakpoint(const ln_system *system, double t) {
    const double next = ln_system_source_break(system, t);
    return system->delays != NULL ? fmin(next, ln_delays_next_breakpoint(system->delays, t)) : next;
}

linnet_status ln_system_q(ln_system *system, ln_side side, const double *x, double *q) {
    ln_matrix_apply(&system->E, x, q);
    if (system->linear_q ||
        ln_system_eval(system, &(ln_moment){side, x}, LN_LIMIT_OFF, q, NULL, NULL) == LINNET_OK)
        return LINNET_OK;
    ln_matrix_apply(&system->E, x, q);
    return LINNET_RETRY;
}

int ln_system_is_told_time(const ln_system *system) {
    return system->own->nsingle > 0;
}

int ln_system_asks_off(const ln_system *system) {
    for (int k = 0; k < system->nnonlinear; k++)
        if (ln_asks_off(&system->nonlinear[k].instance->block))
            return 1;
    return 0;
}

/* An exponential over u = kT/q departs from its tangent by (v/u)^2/2 of itself. kT/q at 300 K, V;
 * at 77 K the part is 15 times as large. */
static const double THERMAL = 0.02585;

double ln_rests_within(double part) {
    return THERMAL * sqrt(2 * part);
}

static linnet_status visit_singles(ln_system *system, ln_look *at) {
    for (int k = 0; k < system->own->nsingle; k++)
        LN_TRY(ln_system_visit(system, system->own->single[k], at));
    return LINNET_OK;
}

static linnet_status visit_all(ln_system *system, ln_look *at) {
    const ln_profile_part before = ln_profile_enter(system->profile, LN_PART_DEVICES);
    linnet_status status = visit_singles(system, at);
    if (status == LINNET_OK)
        status = ln_batches_visit(system, at);
    ln_profile_leave(system->profile, before);
    return status;
}

linnet_status ln_system_eval_within(ln_system *system, const ln_moment *at, ln_leeway leeway,
                                    double *q, double *f, int *limited) {
    ln_look look = {.side = at->side,
                    .x = at->x,
                    .rests = leeway.rests,
                    .manner = leeway.manner,
                    .entries = 1,
                    .q = q,
                    .f = f};
    system->own->side = at->side;
    const linnet_status status = visit_all(system, &look);
    if (limited != NULL)
        *limited = look.limited;
    system->own->secants = look.secants;
    return status;
}

linnet_status ln_system_eval(ln_system *system, const ln_moment *at, int manner, double *q,
                             double *f, int *limited) {
    return ln_system_eval_within(system, at, (ln_leeway){manner, 0}, q, f, limited);
}

linnet_status ln_system_value(ln_system *system, const ln_moment *at, double rests, double *q,
                              double *f) {
    ln_look look = {.side = at->side, .x = at->x, .rests = rests, .q = q, .f = f};
    return visit_all(system, &look);
}

/* ---- places ---- */

size_t ln_system_places(const ln_system *system) {
    size_t count = ln_batches_places(system);
    for (int k = 0; k < system->own->nsingle; k++)
        if (system->own->single[k]->last != NULL)
            count += (size_t)system->own->single[k]->nlocal;
    return count;
}

void ln_system_save_places(const ln_system *system, double *places) {
    for (int k = 0; k < system->own->nsingle; k++) {
        const ln_active *active = system->own->single[k];
        if (active->last == NULL)
            continue;
        memcpy(places, active->last, (size_t)active->nlocal * sizeof *places);
        places += active->nlocal;
    }
    ln_batches_save_places(system, places);
}

void ln_system_restore_places(ln_system *system, const double *places) {
    for (int k = 0; k < system->own->nsingle; k++) {
        ln_active *active = system->own->single[k];
        if (active->last == NULL)
            continue;
        memcpy(active->last, places, (size_t)active->nlocal * sizeof *places);
        active->is_whole = 0;
        places += active->nlocal;
    }
    ln_resting_drop(system);
    ln_batches_restore_places(system, places);
}

/* ---- the Jacobian ---- */

/* alpha E + A, in their places. */
static void set_constants(const ln_system *system, double alpha, double *values) {
    const int ne = system->E.pattern.start[system->n], na = system->A.pattern.start[system->n];
    memset(values, 0, (size_t)system->pattern.start[system->n] * sizeof *values);
    for (int k = 0; k < na; k++)
        values[system->a_slot[k]] += system->A.value[k];
    for (int k = 0; k < ne; k++)
        values[system->e_slot[k]] += alpha * system->E.value[k];
}

void ln_system_least_jumps(const ln_system *system, double alpha, double *least) {
    static const double PART = 1e-6; /* of the tolerances: such a jump is less than any error */
    memset(least, 0, (size_t)system->n * sizeof *least);
    ln_add_abs_product(&system->A.pattern, system->A.value, PART, system->abstol, least);
    ln_add_abs_product(&system->E.pattern, system->E.value, PART * alpha, system->abstol, least);
}

/* The constant part is kept for the next call at the same alpha, unless it is all. */
void ln_system_jacobian(const ln_system *system, double alpha, double *values) {
    struct ln_system_private *own = system->own;
    const ln_profile_part before = ln_profile_enter(system->profile, LN_PART_ASSEMBLY);
    if (system->ndq + system->ndf == 0) {
        set_constants(system, alpha, values);
    } else {
        if (!own->base_valid || own->base_alpha != alpha)
            set_constants(system, alpha, own->base);
        own->base_alpha = alpha;
        own->base_valid = 1;
        memcpy(values, own->base, (size_t)system->pattern.start[system->n] * sizeof *values);
        ln_add_slopes(system, alpha, values);
    }
    ln_profile_leave(system->profile, before);
}

void ln_system_mass_matrix(const ln_system *system, double *values) {
    const int ne = system->E.pattern.start[system->n];
    memset(values, 0, (size_t)system->pattern.start[system->n] * sizeof *values);
    for (int k = 0; k < ne; k++)
        values[system->e_slot[k]] += system->E.value[k];
    for (int k = 0; k < system->ndq; k++)
        values[system->dq_slot[k]] += system->dq[k];
}
