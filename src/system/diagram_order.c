/* SPDX-License-Identifier: MIT */
/* Who determines what, and in what order.
 *
 * A largest matching of algebraic rows with the unknowns they contain, in which rows that can be
 * solved for their unknown at once (linear with a constant coefficient) are preferred; an output's
 * own row is its first choice. Then the strongly connected components of "row needs row", in the
 * order in which they can be computed [Tarjan, SIAM J. Comput. 1 (1972) 146; Duff, Reid, ACM Trans.
 * Math. Softw. 4 (1978) 137]. No recursion: diagrams may be long chains. */
#include "system/diagram.h"

#include "base/text.h"

/* ---- matching ---- */

/* Sets *coefficient of a row that is linear in an unknown with a coefficient of parameters alone.
 */
static int is_explicit_in(ln_diagram *d, int row, int unknown, ln_node *coefficient) {
    ln_node leaf = ln_leaf_node(d->rows, LN_LEAF_UNKNOWN, unknown);
    if (ln_degree_in(d->rows, d->row[row].node, leaf) != LN_DEGREE_LINEAR)
        return 0;
    *coefficient = ln_derivative(d->rows, d->row[row].node, leaf);
    return ln_is_usable(d->rows, *coefficient);
}

static int is_algebraic(const ln_diagram *d, int row) {
    return d->row[row].state < 0;
}
/* Unknown k of a row. */
static int use(const ln_diagram *d, int row, int k) {
    return d->uses[d->row[row].first + k];
}

typedef struct causal_matching {
    ln_diagram *d;
    char *is_state;   /* per unknown */
    char *edge;       /* per use: 0 not asked yet, 1 explicit, 2 not */
    int *seen;        /* per row: the last search that came by */
    int *path, *next; /* rows on the path, and per row the use to try next */
} causal_matching;

static int may_match(causal_matching *m, int row, int k, int explicit_only) {
    int unknown = use(m->d, row, k);
    if (m->is_state[unknown] || (m->d->row[row].derives && unknown != row))
        return 0;
    if (!explicit_only)
        return 1;
    char *edge = &m->edge[m->d->row[row].first + k];
    ln_node coefficient;
    if (*edge == 0)
        *edge = is_explicit_in(m->d, row, unknown, &coefficient) ? 1 : 2;
    return *edge == 1;
}

/* Looks for a path from a free row to a free unknown on which matched and unmatched alternate, and
 * turns it round. */
static int augment(causal_matching *m, int root, int explicit_only) {
    ln_diagram *d = m->d;
    int height = 0;
    m->path[height++] = root;
    m->seen[root] = root;
    m->next[root] = 0;
    while (height > 0) {
        int row = m->path[height - 1], k = m->next[row]++;
        if (k >= d->row[row].count) {
            height--;
            continue;
        }
        if (!may_match(m, row, k, explicit_only))
            continue;
        int owner = d->row_of[use(d, row, k)];
        if (owner >= 0) {
            if (m->seen[owner] == root)
                continue;
            m->seen[owner] = root;
            m->next[owner] = 0;
            m->path[height++] = owner;
            continue;
        }
        while (height > 0) { /* each row on the path takes the unknown it came by */
            row = m->path[--height];
            int unknown = use(d, row, m->next[row] - 1);
            d->row[row].unknown = unknown;
            d->row_of[unknown] = row;
        }
        return 1;
    }
    return 0;
}

static void match_own(causal_matching *m) {
    ln_diagram *d = m->d;
    for (int row = 0; row < d->n; row++) {
        if (!is_algebraic(d, row))
            continue;
        for (int k = 0; k < d->row[row].count; k++) {
            if (use(d, row, k) != row || !may_match(m, row, k, 1))
                continue;
            d->row[row].unknown = row;
            d->row_of[row] = row;
        }
    }
}

static void match_rest(causal_matching *m, int explicit_only) {
    ln_diagram *d = m->d;
    for (int row = 0; row < d->n; row++)
        m->seen[row] = -1;
    for (int row = 0; row < d->n; row++)
        if (is_algebraic(d, row) && d->row[row].unknown < 0)
            (void)augment(m, row, explicit_only);
}

/* ---- what cannot be matched ---- */

static void list(ln_text *text, int *count, const char *name) {
    enum { MOST = 5 }; /* names that a message lists */
    if (++*count <= MOST)
        ln_text_printf(text, "%s%s", *count > 1 ? ", " : "", name);
    if (*count == MOST + 1)
        ln_text_add(text, ", ...");
}

static linnet_status report_unmatched(ln_diagram *d) {
    ln_text text = {0};
    ln_place place = LN_NOWHERE;
    int count = 0;
    char name[160];
    ln_text_add(&text, "an explicit method cannot compute ");
    for (int u = 0; u < d->n; u++) {
        if (d->row_of[u] >= 0)
            continue;
        if (count == 0)
            place = ln_network_unknown_place(d->network, u);
        ln_network_unknown_text(d->network, u, name);
        list(&text, &count, name);
    }
    ln_text_add(&text, " from the states and time, for nothing is left to be solved for in ");
    count = 0;
    for (int row = 0; row < d->n; row++) {
        if (!is_algebraic(d, row) || d->row[row].unknown >= 0)
            continue;
        ln_network_row_text(d->network, row, name);
        list(&text, &count, name);
    }
    ln_text_add(&text, "; use an implicit method such as tr-bdf2, or change these equations");
    linnet_status status = text.failed ? ln_no_memory(d->report)
                                       : ln_fail(d->report, LINNET_MODEL, place, "%s", text.data);
    ln_text_free(&text);
    return status;
}

static linnet_status match(ln_diagram *d) {
    causal_matching m = {.d = d};
    m.is_state = LN_NEW(d->scratch, char, d->n);
    m.edge = LN_NEW(d->scratch, char, d->nuses);
    m.seen = LN_NEW(d->scratch, int, d->n);
    m.path = LN_NEW(d->scratch, int, d->n);
    m.next = LN_NEW(d->scratch, int, d->n);
    if (m.is_state == NULL || m.edge == NULL || m.seen == NULL || m.path == NULL || m.next == NULL)
        return ln_no_memory(d->report);
    for (int k = 0; k < d->nstates; k++)
        m.is_state[d->state[k]] = 1;
    match_own(&m);
    match_rest(&m, 1);
    match_rest(&m, 0);
    for (int row = 0; row < d->n; row++) {
        ln_row *equation = &d->row[row];
        if (!is_algebraic(d, row))
            continue;
        if (equation->unknown < 0)
            return report_unmatched(d);
        equation->is_explicit = is_explicit_in(d, row, equation->unknown, &equation->coefficient);
    }
    return ln_graph_failed(d->rows) ? ln_no_memory(d->report) : LINNET_OK;
}

/* ---- order ---- */

typedef struct tarjan {
    ln_diagram *d;
    int *number, *low; /* per row; number 0: not visited */
    int *open;         /* rows whose component is not complete */
    int *path, *next;
    char *is_open;
    int numbers, nopen, norder;
} tarjan;

static void enter(tarjan *state, int row, int *height) {
    state->number[row] = state->low[row] = ++state->numbers;
    state->open[state->nopen++] = row;
    state->is_open[row] = 1;
    state->next[row] = 0;
    state->path[(*height)++] = row;
}

static void close_component(tarjan *state, int root) {
    ln_diagram *d = state->d;
    ln_part *part = &d->part[d->nparts++];
    part->first = state->norder;
    for (int row = -1; row != root; part->count++) {
        row = state->open[--state->nopen];
        state->is_open[row] = 0;
        d->order[state->norder++] = row;
    }
}

static void visit(tarjan *state, int root) {
    ln_diagram *d = state->d;
    int height = 0;
    enter(state, root, &height);
    while (height > 0) {
        int row = state->path[height - 1];
        if (state->next[row] < d->row[row].count) {
            int needed = d->row_of[use(d, row, state->next[row]++)];
            if (!is_algebraic(d, needed))
                continue;
            if (state->number[needed] == 0)
                enter(state, needed, &height);
            else if (state->is_open[needed] && state->number[needed] < state->low[row])
                state->low[row] = state->number[needed];
            continue;
        }
        if (state->low[row] == state->number[row])
            close_component(state, row);
        if (--height > 0 && state->low[row] < state->low[state->path[height - 1]])
            state->low[state->path[height - 1]] = state->low[row];
    }
}

linnet_status ln_diagram_order(ln_diagram *d) {
    LN_TRY(match(d));
    LN_TRY(ln_diagram_order_derivatives(d));
    tarjan state = {.d = d};
    state.number = LN_NEW(d->scratch, int, d->n);
    state.low = LN_NEW(d->scratch, int, d->n);
    state.open = LN_NEW(d->scratch, int, d->n);
    state.path = LN_NEW(d->scratch, int, d->n);
    state.next = LN_NEW(d->scratch, int, d->n);
    state.is_open = LN_NEW(d->scratch, char, d->n);
    d->order = LN_NEW(d->scratch, int, d->n);
    d->part = LN_NEW(d->scratch, ln_part, d->n);
    if (state.number == NULL || state.low == NULL || state.open == NULL || state.path == NULL ||
        state.next == NULL || state.is_open == NULL || d->order == NULL || d->part == NULL)
        return ln_no_memory(d->report);
    for (int row = 0; row < d->n; row++)
        if (is_algebraic(d, row) && state.number[row] == 0)
            visit(&state, row);
    return LINNET_OK;
}
