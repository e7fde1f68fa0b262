/* SPDX-License-Identifier: MIT */
/* Can every equation be matched with an unknown of its own? If not, the equations are singular for
 * all values, and the sets that stick out can be named (Dulmage and Mendelsohn, Canad. J. Math. 10,
 * 1958): equations reached by alternating paths from one that is left over are too many for their
 * unknowns; unknowns reached from one left over are too many for their equations.
 *
 * Rows are tried with the unknown of their own number first: most have it. */
#include "network/structure.h"

#include "base/sys.h"
#include "base/text.h"
#include "linear/assignment.h"
#include <string.h>

typedef struct structural_matching {
    int n;
    size_t *start;        /* n + 2 */
    int *col;             /* unknowns of each row */
    int *row_of, *col_of; /* partner of an unknown, of a row; -1: none */
    int *stack, *touched;
} structural_matching;

static void matching_free(structural_matching *m) {
    ln_sys->release(m->start);
    ln_sys->release(m->col);
    ln_sys->release(m->row_of);
    ln_sys->release(m->col_of);
    ln_sys->release(m->stack);
    ln_sys->release(m->touched);
}

int ln_unknown_at(const ln_network *network, const ln_instance *instance, int local) {
    int nports = instance->block.type->nports;
    if (local >= nports)
        return instance->first_own + local - nports;
    return instance->links[local] < 0 ? -1 : network->links[instance->links[local]].unknown;
}

int ln_row_at(const ln_network *network, const ln_instance *instance, int local) {
    const linnet_block_class *type = instance->block.type;
    if (local < type->nports && (type->ports[local].flags & LINNET_INPUT))
        return -1;
    return ln_unknown_at(network, instance, local);
}

/* Calls for every entry that meets a row and an unknown; count only when m->col is NULL. */
static void visit_entries(const ln_network *network, structural_matching *m) {
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        const linnet_block_class *type = instance->block.type;
        if (type->reference_port >= 0)
            continue;
        for (int k = 0; k < type->nentries; k++) {
            int row = ln_row_at(network, instance, type->entries[k].row),
                col = ln_unknown_at(network, instance, type->entries[k].col);
            if (row < 0 || col < 0)
                continue;
            if (m->col == NULL)
                m->start[row + 2]++;
            else
                m->col[m->start[row + 1]++] = col;
        }
    }
}

static int make_pattern(const ln_network *network, structural_matching *m) {
    size_t n = (size_t)network->names->nowned;
    *m = (structural_matching){.n = (int)n};
    m->start = ln_sys->allocate((n + 2) * sizeof *m->start);
    if (m->start == NULL)
        return 0;
    memset(m->start, 0, (n + 2) * sizeof *m->start);
    visit_entries(network, m);
    for (size_t i = 0; i < n; i++)
        m->start[i + 2] += m->start[i + 1];
    size_t total = m->start[n + 1];
    m->col = ln_sys->allocate((total + 1) * sizeof *m->col);
    if (m->col == NULL)
        return 0;
    visit_entries(network, m);
    m->row_of = ln_sys->allocate((n + 1) * sizeof *m->row_of);
    m->col_of = ln_sys->allocate((n + 1) * sizeof *m->col_of);
    m->stack = ln_sys->allocate((n + 1) * sizeof *m->stack);
    m->touched = ln_sys->allocate((n + 1) * sizeof *m->touched);
    return m->row_of && m->col_of && m->stack && m->touched;
}

/* ---- matching ---- */

static void match_diagonal(structural_matching *m) {
    for (int i = 0; i < m->n; i++)
        m->row_of[i] = m->col_of[i] = -1;
    for (int i = 0; i < m->n; i++)
        for (size_t k = m->start[i]; k < m->start[i + 1] && m->col_of[i] < 0; k++)
            if (m->col[k] == i)
                m->row_of[i] = m->col_of[i] = i;
}

/* ---- telling ---- */

typedef void name_text(const ln_network *network, int index, char text[160]);

static void list(const ln_network *network, const int *items, int count, name_text *name,
                 ln_text *text) {
    char one[160];
    for (int k = 0; k < count && k < 5; k++) {
        name(network, items[k], one);
        ln_text_printf(text, "%s%s", k == 0 ? "" : k == count - 1 ? " and " : ", ", one);
    }
    if (count > 5)
        ln_text_printf(text, " and %d more", count - 5);
}

/* Rows reached by alternating paths from an unmatched one, in m->stack; their unknowns in
 * m->touched. */
static void tell_too_many(ln_structure *all, structural_matching *m, int row, char *reported) {
    int head = 0, rows = 0, cols = 0, entries = m->start[row + 1] > m->start[row];
    m->stack[rows++] = row;
    while (head < rows) {
        int at = m->stack[head++];
        for (size_t k = m->start[at]; k < m->start[at + 1]; k++) {
            int col = m->col[k];
            if (reported[col])
                continue;
            reported[col] = 1;
            m->touched[cols++] = col;
            m->stack[rows++] = m->row_of[col];
        }
    }
    /* told with another that is too many for the same unknowns */
    if (entries && cols == 0)
        return;
    ln_text equations = {0}, unknowns = {0};
    list(all->network, m->stack, rows, ln_network_row_text, &equations);
    list(all->network, m->touched, cols, ln_network_unknown_text, &unknowns);
    ln_place place = ln_network_unknown_place(all->network, row);
    const char *which = equations.data != NULL ? equations.data : "";
    if (cols == 0)
        ln_error(all->report, place,
                 "no unknown stands in %s; only sources meet there, or a block is joined to itself",
                 which);
    else
        ln_error(
            all->report, place,
            "%d equations for %d unknown%s: %s determine only %s; remove one, or loosen it with a "
            "resistance or a storage",
            rows, cols, cols > 1 ? "s" : "", which, unknowns.data != NULL ? unknowns.data : "");
    ln_text_free(&equations);
    ln_text_free(&unknowns);
}

/* The pattern by unknowns: rows of each. */
static int transpose(const structural_matching *m, size_t *start, int *row) {
    size_t n = (size_t)m->n;
    memset(start, 0, (n + 2) * sizeof *start);
    for (size_t k = 0; k < m->start[n]; k++)
        start[m->col[k] + 2]++;
    for (size_t j = 0; j < n; j++)
        start[j + 2] += start[j + 1];
    for (int i = 0; i < m->n; i++)
        for (size_t k = m->start[i]; k < m->start[i + 1]; k++)
            row[start[m->col[k] + 1]++] = i;
    return 1;
}

/* Unknowns reached by alternating paths from an unmatched one. */
static void tell_too_few(ln_structure *all, structural_matching *m, int col, const size_t *start,
                         const int *row, char *reported) {
    int head = 0, cols = 0;
    m->stack[cols++] = col;
    reported[col] = 1;
    while (head < cols) {
        int at = m->stack[head++];
        for (size_t k = start[at]; k < start[at + 1]; k++) {
            int next = m->col_of[row[k]];
            if (next < 0 || reported[next])
                continue;
            reported[next] = 1;
            m->stack[cols++] = next;
        }
    }
    ln_text unknowns = {0};
    list(all->network, m->stack, cols, ln_network_unknown_text, &unknowns);
    ln_error(all->report, ln_network_unknown_place(all->network, col),
             "there are not enough equations to determine %s",
             unknowns.data != NULL ? unknowns.data : "");
    ln_text_free(&unknowns);
}

static int tell(ln_structure *all, structural_matching *m) {
    size_t n = (size_t)m->n, *start = ln_sys->allocate((n + 2) * sizeof *start);
    int *row = ln_sys->allocate((m->start[n] + 1) * sizeof *row);
    char *reported = ln_sys->allocate(n + 1);
    int going = start != NULL && row != NULL && reported != NULL;
    all->status = LINNET_MODEL;
    if (going) {
        memset(reported, 0, n + 1);
        transpose(m, start, row);
    }
    for (int i = 0, count = 0; going && i < m->n && count < LN_STRUCTURE_MESSAGES; i++) {
        if (m->col_of[i] >= 0)
            continue;
        tell_too_many(all, m, i, reported);
        count++;
    }
    if (going)
        memset(reported, 0, n + 1);
    for (int j = 0, count = 0; going && j < m->n && count < LN_STRUCTURE_MESSAGES; j++) {
        if (m->row_of[j] >= 0 || reported[j])
            continue;
        tell_too_few(all, m, j, start, row, reported);
        count++;
    }
    ln_sys->release(start);
    ln_sys->release(row);
    ln_sys->release(reported);
    return going;
}

int ln_check_matching(ln_structure *all) {
    structural_matching m;
    int going = make_pattern(all->network, &m);
    if (going) {
        match_diagonal(&m);
        const ln_bipartite graph = {m.n, m.start, m.col};
        const int unmatched = ln_match(&graph, m.row_of, m.col_of);
        going = unmatched == 0 || (unmatched > 0 && tell(all, &m));
    }
    matching_free(&m);
    return going;
}
