/* SPDX-License-Identifier: MIT */
/* The unknowns as expressions, and algebraic loops.
 *
 * A loop is torn: a few of its unknowns are taken as known, the others follow from them one after
 * the other, and the rows of the torn unknowns are left as residuals. Where these are linear with
 * constant coefficients the torn unknowns are eliminated here and nothing is left to iterate; else
 * their exact derivatives go to Newton's method (loop.c). */
#include "system/diagram.h"

#include "base/text.h"
#include <math.h>

/* Up to this many torn unknowns are eliminated symbolically: the expressions grow with the square.
 */
enum { MOST_ELIMINATED = 64 };
/* A pivot below this part of 1 + the largest coefficient is zero but for rounding. */
static const double no_pivot = 1e-13;

static void solve_explicit(ln_diagram *d, int row) {
    const ln_row *equation = &d->row[row];
    const ln_node rest = ln_diagram_residual(d, row, equation->unknown);
    d->value[equation->unknown] =
        ln_diagram_solved(d->graph, rest, ln_diagram_coefficient(d, equation->coefficient));
}

/* ---- tearing ---- */

typedef struct tearing {
    ln_diagram *d;
    const int *rows;
    int count;
    int *needs_first, *needs; /* by local row: rows it needs */
    int *users_first, *users; /* rows that need it */
    int *nneeds, *nusers;     /* of rows not yet removed */
    char *removed;
    int *stack;
    int height;
    int *torn;
    int ntorn; /* local rows */
    int *order;
    int norder; /* the others, in order of computation */
} tearing;

/* Local rows that a local row needs, itself left out. */
static int needed_rows(const tearing *loop, int i, int *out) {
    const ln_diagram *d = loop->d;
    const ln_row *row = &d->row[loop->rows[i]];
    int count = 0;
    for (int k = 0; k < row->count; k++) {
        int needed = d->row_of[d->uses[row->first + k]], j = d->position[needed];
        if (d->row[needed].state >= 0 || j >= loop->count || loop->rows[j] != needed || j == i)
            continue;
        if (out != NULL)
            out[count] = j;
        count++;
    }
    return count;
}

static linnet_status tearing_new(tearing *loop, ln_diagram *d, const int *rows, int count) {
    *loop = (tearing){.d = d, .rows = rows, .count = count};
    ln_arena *arena = d->scratch;
    for (int i = 0; i < count; i++)
        d->position[rows[i]] = i;
    loop->needs_first = LN_NEW(arena, int, count + 1);
    loop->users_first = LN_NEW(arena, int, count + 2);
    loop->nneeds = LN_NEW(arena, int, count);
    loop->nusers = LN_NEW(arena, int, count);
    loop->removed = LN_NEW(arena, char, count);
    loop->stack = LN_NEW(arena, int, 2 * (size_t)count);
    loop->torn = LN_NEW(arena, int, count);
    loop->order = LN_NEW(arena, int, count);
    if (ln_arena_failed(arena))
        return ln_no_memory(d->report);
    for (int i = 0; i < count; i++)
        loop->needs_first[i + 1] = loop->needs_first[i] + needed_rows(loop, i, NULL);
    loop->needs = LN_NEW(arena, int, loop->needs_first[count]);
    loop->users = LN_NEW(arena, int, loop->needs_first[count]);
    if (ln_arena_failed(arena))
        return ln_no_memory(d->report);
    for (int i = 0; i < count; i++)
        loop->nneeds[i] = needed_rows(loop, i, loop->needs + loop->needs_first[i]);
    for (int e = 0; e < loop->needs_first[count]; e++)
        loop->nusers[loop->needs[e]]++;
    for (int i = 0; i < count; i++)
        loop->users_first[i + 2] = loop->users_first[i + 1] + loop->nusers[i];
    for (int i = 0; i < count; i++)
        for (int e = loop->needs_first[i]; e < loop->needs_first[i + 1]; e++)
            loop->users[loop->users_first[loop->needs[e] + 1]++] =
                i; /* shifted by one: ends as the first of each row */
    return LINNET_OK;
}

/* Takes a row out, and with it all that then is on no cycle. */
static void take_out(tearing *loop, int row) {
    loop->height = 0;
    loop->stack[loop->height++] = row;
    loop->removed[row] = 1;
    while (loop->height > 0) {
        int i = loop->stack[--loop->height];
        for (int e = loop->needs_first[i]; e < loop->needs_first[i + 1]; e++) {
            int j = loop->needs[e];
            if (--loop->nusers[j] > 0 || loop->removed[j])
                continue;
            loop->removed[j] = 1;
            loop->stack[loop->height++] = j;
        }
        for (int e = loop->users_first[i]; e < loop->users_first[i + 1]; e++) {
            int j = loop->users[e];
            if (--loop->nneeds[j] > 0 || loop->removed[j])
                continue;
            loop->removed[j] = 1;
            loop->stack[loop->height++] = j;
        }
    }
}

/* Is the unknown of the row read outside of the loop? */
static int leaves(const tearing *loop, int i) {
    return loop->d->leaves[loop->d->row[loop->rows[i]].unknown];
}

static void tear(tearing *loop, int row) {
    loop->torn[loop->ntorn++] = row;
    take_out(loop, row);
}

/* Rows that cannot be solved for their unknown are torn anyhow; then, while cycles are left, the
 * row through which most paths go (greedy: the smallest set is a hard problem). Of equal ones that
 * whose unknown is read outside of the loop: what reads a torn unknown need not compute the loop
 * again, so that the programs of a chain of loops do not grow along it. */
static void choose_torn(tearing *loop) {
    for (int i = 0; i < loop->count; i++)
        if (!loop->d->row[loop->rows[i]].is_explicit)
            tear(loop, i);
    for (;;) {
        long best = 0;
        int chosen = -1;
        for (int i = 0; i < loop->count; i++) {
            long paths = (long)loop->nneeds[i] * loop->nusers[i];
            const int is_better = paths > best || (chosen >= 0 && paths == best &&
                                                   leaves(loop, i) && !leaves(loop, chosen));
            if (loop->removed[i] || !is_better)
                continue;
            best = paths;
            chosen = i;
        }
        if (chosen < 0)
            return;
        tear(loop, chosen);
    }
}

/* The rows that are not torn, each behind those it needs. */
static void sort_others(tearing *loop) {
    char *is_torn = loop->removed;
    for (int i = 0; i < loop->count; i++)
        is_torn[i] = 0;
    for (int k = 0; k < loop->ntorn; k++)
        is_torn[loop->torn[k]] = 1;
    loop->height = 0;
    for (int i = loop->count; i-- > 0;) {
        loop->nneeds[i] = 0;
        for (int e = loop->needs_first[i]; e < loop->needs_first[i + 1]; e++)
            loop->nneeds[i] += !is_torn[loop->needs[e]];
        if (!is_torn[i] && loop->nneeds[i] == 0)
            loop->stack[loop->height++] = i;
    }
    while (loop->height > 0) {
        int i = loop->stack[--loop->height];
        loop->order[loop->norder++] = i;
        for (int e = loop->users_first[i]; e < loop->users_first[i + 1]; e++) {
            int j = loop->users[e];
            if (!is_torn[j] && --loop->nneeds[j] == 0)
                loop->stack[loop->height++] = j;
        }
    }
}

/* "sum -> gain -> sum": the blocks in the order of computation. In the diagram's arena; NULL when
 * memory is short. */
static const char *members_text(const tearing *loop) {
    enum { MOST = 12 };
    const ln_diagram *d = loop->d;
    ln_text text = {0};
    int first = -1, last = -1, named = 0;
    for (int k = 0; k < loop->count; k++) {
        int local = k < loop->ntorn ? loop->torn[k] : loop->order[k - loop->ntorn];
        int instance = d->row[loop->rows[local]].instance;
        if (instance == last)
            continue;
        if (first < 0)
            first = instance;
        last = instance;
        const char *name = d->network->instances[instance].name;
        if (++named <= MOST)
            ln_text_printf(&text, "%s%s", named > 1 ? " -> " : "", name);
    }
    if (named > MOST)
        ln_text_printf(&text, " -> ... (%d in all)", named);
    if (last != first)
        ln_text_printf(&text, " -> %s", d->network->instances[first].name);
    const char *kept = text.failed ? NULL : ln_arena_string(d->arena, text.data);
    ln_text_free(&text);
    return kept;
}

/* ---- the torn loop as expressions ---- */

static int torn_row(const tearing *loop, int k) {
    return loop->rows[loop->torn[k]];
}
static int torn_unknown(const tearing *loop, int k) {
    return loop->d->row[torn_row(loop, k)].unknown;
}

/* Residuals of the torn rows when the torn unknowns have their value[]; an explicit one in units of
 * its unknown. */
static void residuals(tearing *loop, ln_node *out) {
    ln_diagram *d = loop->d;
    for (int k = 0; k < loop->norder; k++)
        solve_explicit(d, loop->rows[loop->order[k]]);
    for (int k = 0; k < loop->ntorn; k++) {
        const ln_row *row = &d->row[torn_row(loop, k)];
        out[k] = ln_diagram_residual(d, torn_row(loop, k), -1);
        if (row->is_explicit && !ln_is_one(d->rows, row->coefficient))
            out[k] = ln_operation(d->graph, LN_OP_DIV, out[k],
                                  ln_diagram_coefficient(d, row->coefficient), LN_NONE);
    }
}

/* Solves slopes * x + rest = 0 by elimination with pivoting; rest becomes x. 0 when the matrix is
 * singular. */
static int eliminate(ln_graph *g, int n, double *slopes, ln_node *rest) {
    double scale = 1.0;
    for (int k = 0; k < n * n; k++)
        scale = fmax(scale, fabs(slopes[k]));
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(slopes[r + c * n]) > fabs(slopes[pivot + c * n]))
                pivot = r;
        if (!(fabs(slopes[pivot + c * n]) > no_pivot * scale))
            return 0;
        for (int j = 0; j < n; j++) {
            double kept = slopes[c + j * n];
            slopes[c + j * n] = slopes[pivot + j * n];
            slopes[pivot + j * n] = kept;
        }
        ln_node kept = rest[c];
        rest[c] = rest[pivot];
        rest[pivot] = kept;
        for (int r = c + 1; r < n; r++) {
            double factor = slopes[r + c * n] / slopes[c + c * n];
            if (factor == 0.0)
                continue;
            for (int j = c; j < n; j++)
                slopes[r + j * n] -= factor * slopes[c + j * n];
            ln_node part = ln_operation(g, LN_OP_MUL, ln_constant(g, factor), rest[c], LN_NONE);
            rest[r] = ln_operation(g, LN_OP_SUB, rest[r], part, LN_NONE);
        }
    }
    for (int c = n; c-- > 0;) {
        for (int j = c + 1; j < n; j++) {
            ln_node part =
                ln_operation(g, LN_OP_MUL, ln_constant(g, slopes[c + j * n]), rest[j], LN_NONE);
            rest[c] = ln_operation(g, LN_OP_ADD, rest[c], part, LN_NONE);
        }
        rest[c] = ln_diagram_solved(g, rest[c], ln_constant(g, slopes[c + c * n]));
    }
    return 1;
}

static linnet_status gain_of_one(const tearing *loop, const char *members) {
    const ln_instance *instance =
        &loop->d->network->instances[loop->d->row[torn_row(loop, 0)].instance];
    return ln_fail(loop->d->report, LINNET_MODEL, instance->place,
                   "%s (%s): the algebraic loop %s has a gain of exactly one, so that nothing "
                   "determines its signals; "
                   "change a gain, or put a block with a state into the loop",
                   instance->name, instance->block.type->name, members);
}

/* All slopes constant: no iteration is left. */
static linnet_status solve_linear(tearing *loop, double *slopes, const char *members) {
    ln_diagram *d = loop->d;
    ln_node *rest = LN_NEW(d->scratch, ln_node, loop->ntorn);
    if (rest == NULL)
        return ln_no_memory(d->report);
    for (int k = 0; k < loop->ntorn; k++)
        d->value[torn_unknown(loop, k)] = ln_constant(d->graph, 0.0);
    residuals(loop, rest);
    if (!eliminate(d->graph, loop->ntorn, slopes, rest))
        return gain_of_one(loop, members);
    for (int k = 0; k < loop->ntorn; k++)
        d->value[torn_unknown(loop, k)] = rest[k];
    for (int k = 0; k < loop->norder; k++)
        solve_explicit(d, loop->rows[loop->order[k]]);
    return LINNET_OK;
}

static linnet_status add_cycle(tearing *loop, ln_node *nodes, const char *members) {
    ln_diagram *d = loop->d;
    /* affine: the slopes do not depend on the unknowns of the loop */
    const int affine = !ln_has_leaf(d->graph, nodes + loop->ntorn, loop->ntorn * loop->ntorn,
                                    LN_LEAF_UNKNOWN, d->nstates + (int)d->niterated);
    if (!LN_GROW(d->loops, d->nloops, d->loops_room))
        return ln_no_memory(d->report);
    d->loops[d->nloops++] =
        (ln_cycle){.nodes = nodes,
                   .first = (int)d->niterated,
                   .count = loop->ntorn,
                   .affine = affine,
                   .members = members,
                   .place = d->network->instances[d->row[torn_row(loop, 0)].instance].place};
    for (int k = 0; k < loop->ntorn; k++) {
        if (!LN_GROW(d->iterated, d->niterated, d->iterated_room))
            return ln_no_memory(d->report);
        d->iterated[d->niterated++] = torn_unknown(loop, k);
    }
    return LINNET_OK;
}

linnet_status ln_diagram_solve_loop(ln_diagram *d, const int *rows, int count) {
    tearing loop;
    LN_TRY(tearing_new(&loop, d, rows, count));
    choose_torn(&loop);
    sort_others(&loop);
    const size_t n = (size_t)loop.ntorn;
    const char *members = members_text(&loop);
    ln_node *nodes = LN_NEW(d->scratch, ln_node, n + n * n);
    double *slopes = LN_NEW(d->scratch, double, n *n);
    if (members == NULL || nodes == NULL || slopes == NULL)
        return ln_no_memory(d->report);
    const int first = d->nstates + (int)d->niterated;
    for (int k = 0; k < loop.ntorn; k++)
        d->value[torn_unknown(&loop, k)] = ln_leaf_node(d->graph, LN_LEAF_UNKNOWN, first + k);
    residuals(&loop, nodes);
    int constant = loop.ntorn <= MOST_ELIMINATED;
    for (size_t k = 0; k < n * n; k++) {
        ln_node slope =
            ln_derivative(d->graph, nodes[k % n], d->value[torn_unknown(&loop, (int)(k / n))]);
        nodes[n + k] = slope;
        if (slope == LN_NONE)
            return ln_no_memory(d->report);
        if (ln_node_op(d->graph, slope) == LN_OP_CONSTANT)
            slopes[k] = ln_node_value(d->graph, slope);
        else
            constant = 0;
    }
    return constant ? solve_linear(&loop, slopes, members) : add_cycle(&loop, nodes, members);
}

/* ---- all unknowns ---- */

/* Sets leaves[]: position[] holds the number of each row's part meanwhile. */
static void find_leaving(ln_diagram *d) {
    for (int p = 0; p < d->nparts; p++)
        for (int k = 0; k < d->part[p].count; k++)
            d->position[d->order[d->part[p].first + k]] = p;
    for (int r = 0; r < d->n; r++)
        for (int k = 0; k < d->row[r].count; k++) {
            const int u = d->uses[d->row[r].first + k];
            d->leaves[u] |= d->position[d->row_of[u]] != d->position[r];
        }
}

linnet_status ln_diagram_values(ln_diagram *d) {
    d->value = LN_NEW(d->scratch, ln_node, d->n);
    d->slope = LN_NEW(d->scratch, ln_node, d->n);
    d->position = LN_NEW(d->scratch, int, d->n);
    d->leaves = LN_NEW(d->scratch, char, d->n);
    if (d->value == NULL || d->slope == NULL || d->position == NULL || d->leaves == NULL)
        return ln_no_memory(d->report);
    ln_walk walk;
    LN_TRY(ln_walk_new(&walk, d, d->rows));
    find_leaving(d);
    for (int u = 0; u < d->n; u++)
        d->value[u] = d->slope[u] = LN_NONE;
    for (int k = 0; k < d->nstates; k++)
        d->value[d->state[k]] = ln_leaf_node(d->graph, LN_LEAF_UNKNOWN, k);
    for (int p = 0; p < d->nparts; p++) {
        const int *rows = d->order + d->part[p].first;
        for (int k = 0; k < d->part[p].count; k++)
            if (d->row[rows[k]].derives)
                LN_TRY(ln_diagram_slopes(d, &walk, rows[k], d->part[p].count == 1));
        if (d->part[p].count == 1 && d->row[rows[0]].is_explicit)
            solve_explicit(d, rows[0]);
        else
            LN_TRY(ln_diagram_solve_loop(d, rows, d->part[p].count));
    }
    return ln_graph_failed(d->graph) ? ln_no_memory(d->report) : LINNET_OK;
}
