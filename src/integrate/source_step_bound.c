/* SPDX-License-Identifier: MIT */
/* How far a step may go before it passes over what a source does within it.
 *
 * An error estimate sees a source at a method's stages only: of a sine with a period of one step it
 * sees a constant. So before a step each source is looked at between the nodes of Radau IIA: where
 * the cubic through the nodes is off by more than a small part of the source's range, the step is
 * too long. That stops aliasing; the accuracy of what is stored stays with the error estimate.
 *
 * No estimate is about what follows from a source at once, as the node of a voltage source: a
 * method knows it at its points and interpolates between them, for all who look there (rows,
 * guards, delays). So the polynomial that it takes is held against the source, too.
 *
 * What an equation makes of the time beside unknowns, u sin(w t), is looked at like a source, with
 * the unknowns as they are where the step begins.
 *
 * A source matters by what it makes of the unknowns of its row: what is less than they may be off
 * by, such as the rounding of 1 - cos(t) or a pulse at 1e-300 of its height, bounds no step. */
#include "integrate/stepper.h"

#include "base/finite.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { NODES = 4, BETWEEN = 3, POINTS = NODES + BETWEEN };
static const double where[POINTS] = {0,   0.15505102572168219, 0.64494897427831781, 1, 0.08, 0.37,
                                     0.83};
/* of a source's range on the step: a cubic through its nodes may miss it by so much between them */
static const double PART = 0.005;
/* A step is shortened to where it is about allowed, at once to no less than half. */
static const double MARGIN = 0.95, LEAST_SHRINK = 0.5;
/* of a source's value: the noise of a formula that loses four digits */
static const double ROUNDING = 1e-12;
/* A cube root at 0 and a jump look the same however near one comes: no step is shorter for them
 * than so many roundings of the time, of which its nodes still tell themselves apart. */
enum { ROUNDINGS = 1000 };

/* The nodes of the polynomials of degrees 0 to 3. */
enum { CUBIC = 3 };
static const int nodes_of[CUBIC + 1][NODES] = {{0}, {0, 3}, {0, 2, 3}, {0, 1, 2, 3}};

/* The polynomial through the nodes of its degree, at s, in units of `unit`, as its terms may
 * overflow. */
static double polynomial(const double *value, double unit, int degree, double s) {
    const int *node = nodes_of[degree];
    double sum = 0;
    for (int j = 0; j <= degree; j++) {
        double product = value[node[j]] / unit;
        for (int k = 0; k <= degree; k++)
            if (k != j)
                product *= (s - where[node[k]]) / (where[node[j]] - where[node[k]]);
        sum += product;
    }
    return sum;
}

/* By how much it is off, in units of `unit`. */
static double off_by(const double *value, double unit, int degree) {
    double off = 0;
    for (int j = 1; j < POINTS; j++)
        off = fmax(off, fabs(polynomial(value, unit, degree, where[j]) - value[j] / unit));
    return off;
}

/* The method's polynomial: its degree, and its error as a multiple of that of off_by(). */
typedef struct method_polynomial {
    int degree;
    double spread;
} method_polynomial;

static double spread_of(const ln_interpolation *by, double before) {
    const int *node = nodes_of[by->degree];
    double seen = 0;
    for (int j = 1; j < POINTS; j++) {
        double product = 1;
        for (int k = 0; k <= by->degree; k++)
            product *= where[j] - where[node[k]];
        seen = fmax(seen, fabs(product));
    }
    return by->degree > 0 ? ln_interpolation_most(by, before) / seen : 0;
}

/* To which part of its length a step is to be shortened for a source: 1 if it is resolved. */
static double part_allowed(const double *value, const ln_source_floor *floor,
                           method_polynomial by) {
    double smallest = value[0], largest = value[0];
    if (!ln_all_finite(value, POINTS)) /* nothing is known */
        return 1;
    for (int j = 1; j < POINTS; j++) {
        smallest = fmin(smallest, value[j]);
        largest = fmax(largest, value[j]);
    }
    const double size = fmax(fabs(smallest), fabs(largest));
    if (!(largest > smallest)) /* a constant is resolved by any */
        return 1;
    const double unnoticed = fmax(floor->now / size, ROUNDING);
    if (!(off_by(value, size, CUBIC) <= PART * (largest / size - smallest / size) + unnoticed))
        return LEAST_SHRINK;
    const double off = by.spread * off_by(value, size, by.degree);
    const double allowed = fmax(LN_EXPECTED * floor->peak / size, unnoticed);
    return off <= allowed ? 1
                          : fmax(MARGIN * pow(allowed / off, 1.0 / (by.degree + 1)), LEAST_SHRINK);
}

/* What each source row notices over h: the tolerance of its terms, (|A + df| + |E + dq|/h) (|x| +
 * abstol). */
static void find_floors(const ln_run *run, double h) {
    const ln_system *system = run->system;
    const ln_step_bound *bound = &run->bound;
    const double tolerance = run->settings->tolerance;
    const double factor[] = {tolerance, tolerance / h};
    const ln_source_term *term = bound->source_terms;
    for (int row = 0; row < bound->nsource_rows; row++) {
        ln_source_floor *floor = &bound->source_floors[row];
        *floor = (ln_source_floor){0, 0};
        for (; term->row == row; term++) {
            const double size = fabs(*term->value) * factor[term->stores],
                         x = fabs(run->x[term->unknown]);
            floor->now += size * (x + system->abstol[term->unknown]);
            floor->peak +=
                size * ln_error_unit(run, term->unknown, fmax(x, run->errors.peak[term->unknown]));
        }
    }
}

/* The same of all source rows over [t, t + h]; run->w serves as work. */
static double part_of_all(ln_run *run, double h, ln_side side, method_polynomial by) {
    const int count = run->bound.nsource_rows;
    const ln_moment from = {ln_side_at(side, run->side.t), run->x};
    double part = 1;
    find_floors(run, h);
    for (int j = 0; j < POINTS; j++) {
        if (ln_system_driven(run->system, &from, run->side.t + where[j] * h, run->w) != LINNET_OK)
            return LEAST_SHRINK;
        for (int k = 0; k < count; k++)
            run->bound.source_values[k * POINTS + j] = run->w[run->bound.source_rows[k]];
    }
    for (int k = 0; k < count; k++)
        part = fmin(part, part_allowed(run->bound.source_values + k * POINTS,
                                       &run->bound.source_floors[k], by));
    return part;
}

/* The terms of the source rows; place[]: the number of each row among these, or -1. */
typedef struct term_list {
    const int *place;
    ln_source_term *terms; /* NULL: they are counted */
    int count;
} term_list;

static void add_term(term_list *list, int row, int unknown, int stores, const double *value) {
    if (list->place[row] < 0)
        return;
    if (list->terms != NULL)
        list->terms[list->count] = (ln_source_term){list->place[row], unknown, stores, value};
    list->count++;
}

static void add_matrix(term_list *list, const ln_matrix *matrix, int stores) {
    const ln_pattern *pattern = &matrix->pattern;
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            add_term(list, pattern->row[k], j, stores, &matrix->value[k]);
}

static int list_terms(const ln_system *system, const int *place, ln_source_term *terms) {
    term_list list = {place, terms, 0};
    add_matrix(&list, &system->A, 0);
    add_matrix(&list, &system->E, 1);
    for (int k = 0; k < system->ndf; k++)
        add_term(&list, system->df_row[k], system->df_col[k], 0, &system->df[k]);
    for (int k = 0; k < system->ndq; k++)
        add_term(&list, system->dq_row[k], system->dq_col[k], 1, &system->dq[k]);
    return list.count;
}

/* By rows; within one by kind and unknown, as they are listed. */
static int compare_terms(const void *a, const void *b) {
    const ln_source_term *one = a, *other = b;
    const int way = one->row - other->row, kind = one->stores - other->stores,
              column = one->unknown - other->unknown;
    return way != 0      ? way
           : kind != 0   ? kind
           : column != 0 ? column
                         : (one->value > other->value) - (one->value < other->value);
}

/* The last term has no row. */
static linnet_status find_terms(ln_run *run) {
    const ln_system *system = run->system;
    ln_step_bound *bound = &run->bound;
    int *place = LN_NEW(run->arena, int, system->n);
    if (place == NULL)
        return LINNET_MEMORY;
    for (int i = 0; i < system->n; i++)
        place[i] = -1;
    for (int k = 0; k < bound->nsource_rows; k++)
        place[bound->source_rows[k]] = k;
    const int count = list_terms(system, place, NULL);
    bound->source_terms = LN_NEW(run->arena, ln_source_term, count + 1);
    if (bound->source_terms == NULL)
        return LINNET_MEMORY;
    (void)list_terms(system, place, bound->source_terms);
    qsort(bound->source_terms, (size_t)count, sizeof *bound->source_terms, compare_terms);
    bound->source_terms[count] = (ln_source_term){.row = -1};
    return LINNET_OK;
}

linnet_status ln_source_step_bound_init(ln_run *run) {
    const ln_system *system = run->system;
    ln_step_bound *bound = &run->bound;
    bound->source_rows = LN_NEW(run->arena, int, system->n);
    if (bound->source_rows == NULL)
        return LINNET_MEMORY;
    bound->nsource_rows = ln_system_driven_rows(system, bound->source_rows);
    bound->source_values = LN_NEW(run->arena, double, (size_t)bound->nsource_rows *POINTS);
    bound->source_floors = LN_NEW(run->arena, ln_source_floor, bound->nsource_rows);
    if (bound->source_values == NULL || bound->source_floors == NULL)
        return LINNET_MEMORY;
    return find_terms(run);
}

double ln_source_shortest(double t) {
    return ROUNDINGS * DBL_EPSILON * fabs(t);
}

double ln_source_step_bound(ln_run *run, double most, ln_side side, const ln_interpolation *by,
                            double previous_h) {
    if (run->bound.nsource_rows == 0)
        return most;
    const double shortest = ln_source_shortest(run->side.t);
    for (int k = 0; k < 40 && LEAST_SHRINK * most >= shortest; k++) {
        const double before = previous_h > 0 ? previous_h / most : 1;
        const double part =
            part_of_all(run, most, side, (method_polynomial){by->degree, spread_of(by, before)});
        if (part >= 1)
            break;
        most *= part;
    }
    return most;
}
