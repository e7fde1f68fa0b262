/* SPDX-License-Identifier: MIT */
/* Pieces, slopes and stairs of tables; see interpolate.h. Stairs are tables of the graph whose
 * values stand in hidden parameters: the piece is chosen by one step node, so a table has one mode
 * whatever its degree. */
#include "base/invariant.h"
#include "blocks/signal/interpolate.h"

#include "base/text.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const ln_method_names[LN_METHODS] = {"linear", "previous", "nearest",
                                                 "next",   "monotone", "akima"};
const char *const ln_outside_names[LN_OUTSIDES] = {"hold", "extrapolate", "error", "periodic"};

int ln_choice(const ln_shape *shape, const char *parameter, const char *word,
              const char *const *names, int count, ln_report *report) {
    ln_text all = {0};
    for (int k = 0; k < count; k++) {
        if (strcmp(word, names[k]) == 0) {
            ln_text_free(&all);
            return k;
        }
        ln_text_printf(&all, "%s%s", k == 0 ? "" : k + 1 == count ? " or " : ", ", names[k]);
    }
    const char *nearest = ln_nearest(word, names, (size_t)count);
    (void)ln_fail(report, LINNET_MODEL, shape->place, "%s=\"%s\" is none of %s%s%s%s", parameter,
                  word, all.data != NULL ? all.data : "", nearest != NULL ? "; did you mean '" : "",
                  nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
    ln_text_free(&all);
    return -1;
}

/* ---- pieces ---- */

static void fill_inner(ln_interpolation method, double h, double m[4][4]) {
    if (method == LN_PREVIOUS) {
        m[0][0] = 1;
    } else if (method == LN_NEXT) {
        m[0][1] = 1;
    } else if (method == LN_LINEAR) {
        m[0][0] = 1, m[1][0] = -1 / h, m[1][1] = 1 / h;
    } else { /* Hermite */
        m[0][0] = 1, m[1][2] = 1;
        m[2][0] = -3 / (h * h), m[2][1] = 3 / (h * h), m[2][2] = -2 / h, m[2][3] = -1 / h;
        m[3][0] = 2 / (h * h * h), m[3][1] = -m[3][0], m[3][2] = 1 / (h * h), m[3][3] = m[3][2];
    }
}

/* Before the first knot (side 0) or behind the last (side 1): held, or on along the tangent. */
static void fill_outer(ln_interpolation method, ln_outside outside, double h, int side,
                       double m[4][4]) {
    m[0][side] = 1;
    if (outside != LN_EXTRAPOLATE)
        return;
    if (method == LN_LINEAR)
        m[1][0] = -1 / h, m[1][1] = 1 / h;
    else if (method >= LN_MONOTONE)
        m[1][2 + side] = 1;
}

ln_table_piece *ln_pieces(ln_arena *arena, ln_interpolation method, ln_outside outside,
                          const double *x, int n) {
    assert(n >= 2 && ln_is_rising(x, (size_t)n));
    ln_table_piece *pieces = LN_NEW(arena, ln_table_piece, n + 1);
    if (pieces == NULL)
        return NULL;
    for (int k = 0; k <= n; k++) {
        ln_table_piece *piece = &pieces[k];
        const int inner = k > 0 && k < n;
        piece->knot = k == 0 ? 0 : inner ? k - 1 : n - 2;
        piece->begin = k == 0 ? -INFINITY : x[k - 1];
        piece->origin = k == 0 ? x[0] : x[k - 1];
        double h = x[piece->knot + 1] - x[piece->knot];
        /* changes in the middles between knots; the first knot is no border */
        if (method == LN_NEAREST) {
            piece->knot = k > 1 ? k - 2 : 0;
            piece->m[0][k > 1] = 1;
            if (k > 1)
                piece->begin = 0.5 * (x[k - 2] + x[k - 1]);
        } else if (inner) {
            fill_inner(method, h > 0 ? h : 1, piece->m);
        } else {
            fill_outer(method, outside, h > 0 ? h : INFINITY, k == n, piece->m);
        }
    }
    return pieces;
}

/* ---- slopes ---- */

static double sign(double x) {
    return (x > 0) - (x < 0);
}

typedef struct samples {
    const double *x, *f;
    int n, stride;
} samples;

/* Slope of the chord behind knot k, extended beyond the ends as Akima does. */
static double chord(const samples *s, int k) {
    const int last = s->n - 2;
    if (k < 0)
        return s->n == 2 ? chord(s, 0) : chord(s, 0) * (1 - k) + chord(s, 1) * k;
    if (k > last)
        return s->n == 2 ? chord(s, 0)
                         : chord(s, last) * (1 + k - last) - chord(s, last - 1) * (k - last);
    return (s->f[(k + 1) * s->stride] - s->f[k * s->stride]) / (s->x[k + 1] - s->x[k]);
}

static double akima(const samples *s, int k) {
    double before = fabs(chord(s, k - 1) - chord(s, k - 2)),
           after = fabs(chord(s, k + 1) - chord(s, k));
    if (before + after == 0)
        return 0.5 * (chord(s, k - 1) + chord(s, k));
    return (after * chord(s, k - 1) + before * chord(s, k)) / (before + after);
}

/* The slope at an end from the parabola through three knots, kept monotone (Steffen, section 3). */
static double steffen_end(double s0, double s1, double h0, double h1) {
    double p = s0 * (1 + h0 / (h0 + h1)) - s1 * h0 / (h0 + h1);
    if (p * s0 <= 0)
        return 0;
    return fabs(p) > 2 * fabs(s0) ? 2 * s0 : p;
}

static double steffen(const samples *s, int k) {
    const double *x = s->x;
    const int n = s->n;
    if (n == 2)
        return chord(s, 0);
    if (k == 0)
        return steffen_end(chord(s, 0), chord(s, 1), x[1] - x[0], x[2] - x[1]);
    if (k == n - 1)
        return steffen_end(chord(s, n - 2), chord(s, n - 3), x[n - 1] - x[n - 2],
                           x[n - 2] - x[n - 3]);
    double s0 = chord(s, k - 1), s1 = chord(s, k), h0 = x[k] - x[k - 1], h1 = x[k + 1] - x[k];
    double p = (s0 * h1 + s1 * h0) / (h0 + h1);
    return (sign(s0) + sign(s1)) * fmin(fmin(fabs(s0), fabs(s1)), 0.5 * fabs(p));
}

void ln_slopes(ln_interpolation method, const double *x, const double *f, int n, int stride,
               double *slope) {
    const samples s = {x, f, n, stride};
    for (int k = 0; k < n; k++)
        slope[k * stride] = method == LN_MONOTONE ? steffen(&s, k)
                            : method == LN_AKIMA  ? akima(&s, k)
                                                  : 0;
}

/* ---- nodes ---- */

ln_node ln_table_argument(ln_equations *e, ln_node x, const char *name, ln_outside outside,
                          double first, double last) {
    ln_graph *g = e->graph;
    if (outside == LN_PERIODIC) {
        const ln_node from = ln_constant(g, first),
                      args[2] = {ln_operation(g, LN_OP_SUB, x, from, LN_NONE),
                                 ln_constant(g, last - first)};
        return ln_sum2(g, from, ln_function(g, "mod", args, 2));
    }
    if (outside == LN_REFUSE) {
        ln_event event = {.place = e->place};
        ln_node below = ln_operation(g, LN_OP_LT, x, ln_constant(g, first), LN_NONE);
        ln_node above = ln_operation(g, LN_OP_LT, ln_constant(g, last), x, LN_NONE);
        event.event.name = ln_arena_printf(e->arena, "%s outside the table", name);
        event.event.flags = LINNET_FAILS | LINNET_TICK; /* a start outside fails, too */
        event.event.message =
            ln_arena_printf(e->arena,
                            "%s has left the table, which goes from %.9g to %.9g; extend the "
                            "table, or choose outside=\"hold\" or \"extrapolate\"",
                            name, first, last);
        event.condition = ln_operation(g, LN_OP_OR, below, above, LN_NONE);
        if (event.event.name == NULL || event.event.message == NULL)
            e->failed = 1;
        (void)ln_add_event(e, event);
    }
    return x;
}

/* Adds `2*points` numbers as a hidden parameter; its first value's place, or -1. */
static int add_pairs(ln_equations *e, const char *name, double *pairs, int points) {
    if (name == NULL || pairs == NULL) {
        e->failed = 1;
        return -1;
    }
    int index = ln_add_hidden(e, name, pairs, points, 2);
    return e->failed ? -1 : e->params[index].offset;
}

/* Two points at each border between pieces; what lies outside is held. */
ln_node ln_stairs(ln_equations *e, const char *name, ln_node step, const double *begins,
                  const double *values, int count) {
    if (count == 1)
        return ln_constant(e->graph, values[0]);
    int points = 2 * (count - 1), same = 1;
    for (int k = 1; k < count; k++)
        same &= values[k] == values[0];
    if (same)
        return ln_constant(e->graph, values[0]);
    double *pairs = LN_NEW(e->arena, double, 2 * points);
    for (int k = 0; pairs != NULL && k + 1 < count; k++) {
        pairs[4 * k] = pairs[4 * k + 2] = begins[k + 1];
        pairs[4 * k + 1] = values[k], pairs[4 * k + 3] = values[k + 1];
    }
    int first = add_pairs(e, ln_arena_string(e->arena, name), pairs, points);
    return first < 0 ? LN_NONE : ln_table(e->graph, step, step, first, points);
}

ln_node ln_piece_step(ln_equations *e, const char *name, ln_node x, const ln_table_piece *pieces,
                      int count) {
    double *pairs = LN_NEW(e->arena, double, 2 * (count - 1));
    for (int k = 0; pairs != NULL && k + 1 < count; k++)
        pairs[2 * k] = pairs[2 * k + 1] = pieces[k + 1].begin;
    int first = add_pairs(e, ln_arena_string(e->arena, name), pairs, count - 1);
    return first < 0 ? LN_NONE : ln_table_step(e->graph, x, first, count - 1);
}
