/* SPDX-License-Identifier: MIT */
/* Rows become entries and expressions to evaluate.
 *
 * Each row's residual is r = f + dq/dt. Its DER terms make q = sum(coefficient * argument); q and f
 * are taken apart once more, and what is linear becomes CONSTANT entries, what depends on unknowns
 * goes to eval() with STATE entries, what is known goes to source() with the other sign. A q that
 * depends on time alone is left to eval(), for source() has no place for it, and so is what depends
 * on modes; one of parameters alone has no derivative and is dropped. An unknown that stands in
 * both a linear and a nonlinear part of a row has one STATE entry that covers both. */
#include "base/invariant.h"
#include "base/sys.h"
#include "blocks/builder.h"

#include <assert.h>
#include <stdlib.h>

void ln_put(ln_builder *b, ln_worklist *list, ln_node node, int place) {
    if (node == LN_NONE)
        b->failed = 1;
    if (!LN_GROW(list->item, list->count, list->room)) {
        b->failed = 1;
        return;
    }
    list->item[list->count].node = node;
    list->item[list->count++].place = place;
}

static void put_entry(ln_builder *b, int row, int col, linnet_kind kind, linnet_change change,
                      ln_node value) {
    if (!LN_GROW(b->entries, b->nentries, b->entries_room)) {
        b->failed = 1;
        return;
    }
    b->entries[b->nentries] = (linnet_entry){row, col, kind, change};
    ln_put(b, change == LINNET_STATE ? &b->state : &b->linear, value, (int)b->nentries++);
}

/* Which terms of a row its evaluated part holds: what is nonlinear, the unknowns in `held` (rising)
 * and perhaps what is known. */
typedef struct evaluated {
    const ln_node *held;
    size_t nheld;
    int known; /* 1: what is known, too, which has no place in source() */
} evaluated;

static int compare_rising(const void *a, const void *b) {
    return ln_compare_falling(b, a);
}

static int is_in(const ln_node *rising, size_t count, ln_node node) {
    return count > 0 && bsearch(&node, rising, count, sizeof node, compare_rising) != NULL;
}

static int is_evaluated(const void *context, const ln_graph *g, ln_node term) {
    const evaluated *e = context;
    if (!(ln_depends(g, term) & (1u << LN_LEAF_UNKNOWN | LN_DEPENDS_DER)))
        return e->known;
    if (ln_unknown_index(g, term) >= 0)
        return is_in(e->held, e->nheld, term);
    return ln_node_op(g, term) != LN_OP_DER;
}

/* Parts that `whole` has and `rising` has not are linear after all: they are left out. */
static ln_node leave_out(ln_compile *c, ln_node whole, ln_part_kind kind, const ln_node *rising,
                         int count) {
    ln_node *parts;
    int nparts = ln_parts(c, whole, kind, &parts);
    for (int k = 0; k < nparts; k++)
        if (!is_in(rising, (size_t)count, parts[k]))
            whole = ln_replace(c->graph, whole, parts[k], ln_constant(c->graph, 0), 0);
    return nparts < 0 ? LN_NONE : whole;
}

/* One STATE entry for each unknown of the nonlinear part; its linear terms join that part. The part
 * is added up as the row is written: terms merged beforehand may lose the digits that the order
 * written keeps, (x - x/4) - (1e16*x - 1e16*x^3) at x = 1 for instance. */
static int put_nonlinear(ln_builder *b, int row, linnet_kind kind, ln_node written, ln_sum *sum,
                         evaluated *what) {
    ln_compile *c = b->c;
    ln_graph *g = c->graph;
    ln_node *parts;
    int count = ln_parts(c, sum->nonlinear, LN_PART_UNKNOWN, &parts);
    ln_node *held = count < 0 ? NULL : LN_NEW(c->scratch, ln_node, count);
    ln_node *slopes = count < 0 ? NULL : LN_NEW(c->scratch, ln_node, count);
    if (held == NULL || slopes == NULL || !ln_gradient(g, sum->nonlinear, parts, count, slopes))
        return 0;
    for (int k = 0; k < count; k++)
        if (!ln_is_constant(g, slopes[k], 0))
            slopes[what->nheld] = slopes[k], held[what->nheld++] = parts[k];
    assert(ln_is_strictly_rising(held, what->nheld)); /* to be searched */
    what->held = held;
    ln_node whole = ln_select_terms(c, written, is_evaluated, what);
    whole = leave_out(c, whole, LN_PART_DER, NULL, 0);
    whole = leave_out(c, whole, LN_PART_FREE_UNKNOWN, parts, count);
    for (int i = 0; i < sum->nterms; i++) {
        ln_node *at = bsearch(&sum->terms[i].part, held, what->nheld, sizeof *held, compare_rising);
        if (at == NULL)
            continue;
        slopes[at - held] = ln_derivative(g, whole, *at);
        sum->terms[i].coefficient = ln_constant(g, 0);
    }
    for (size_t k = 0; k < what->nheld; k++)
        put_entry(b, row, ln_unknown_index(g, held[k]), kind, LINNET_STATE, slopes[k]);
    ln_put(b, kind == LINNET_E ? &b->q : &b->f, whole, row);
    return 1;
}

/* Modes may have to follow the unknowns within one Newton iteration (a start), which source() does
 * not see. */
static int depends_on_modes(ln_compile *c, ln_node node) {
    int count = ln_depends(c->graph, node) & 1u << LN_LEAF_MEMORY ? ln_reach(c, node, 1) : 0;
    for (int k = 0; k < count; k++) {
        int index;
        if (ln_node_op(c->graph, c->list[k]) != LN_OP_LEAF)
            continue;
        if (ln_node_leaf(c->graph, c->list[k], &index) == LN_LEAF_MEMORY &&
            index >= ln_first_mode(c))
            return 1;
    }
    return 0;
}

/* Splits q or f of a row into entries, nonlinear and known parts; q of DER terms is collected in
 * *charge. */
static int put_sum(ln_builder *b, int row, linnet_kind kind, ln_node node, ln_node *charge) {
    ln_graph *g = b->c->graph;
    ln_sum sum;
    if (!ln_take_apart(b->c, node, &sum))
        return 0;
    int varies = !ln_is_parametric(g, sum.known);
    evaluated what = {0};
    if (varies && (kind == LINNET_E || depends_on_modes(b->c, sum.known))) {
        sum.nonlinear = ln_operation(g, LN_OP_ADD, sum.nonlinear, sum.known, LN_NONE);
        sum.known = ln_constant(g, 0);
        what.known = 1;
    }
    const int evaluates = !ln_is_constant(g, sum.nonlinear, 0);
    if (kind == LINNET_A && !ln_is_constant(g, sum.known, 0)) {
        ln_put(b, &b->source, ln_operation(g, LN_OP_NEG, sum.known, LN_NONE, LN_NONE), row);
        b->source_varies |= varies;
    }
    if (evaluates && !put_nonlinear(b, row, kind, node, &sum, &what))
        return 0;
    for (int k = sum.nterms - 1; k >= 0; k--) { /* terms come in falling order */
        ln_node part = sum.terms[k].part, factor = sum.terms[k].coefficient;
        if (ln_is_constant(g, factor, 0))
            continue;
        int unknown = ln_unknown_index(g, part);
        if (unknown >= 0) {
            put_entry(b, row, unknown, kind, LINNET_CONSTANT, factor);
            continue;
        }
        ln_node stored = ln_operation(g, LN_OP_MUL, factor, ln_node_arg(g, part, 0), LN_NONE);
        *charge =
            *charge == LN_NONE ? stored : ln_operation(g, LN_OP_ADD, *charge, stored, LN_NONE);
    }
    return !b->failed;
}

linnet_status ln_split_rows(ln_builder *b) {
    ln_compile *c = b->c;
    linnet_status status = LINNET_OK;
    for (int row = 0; row < (int)c->nlines; row++) {
        if (c->lines[row].residual == LN_NONE)
            continue;
        size_t entries = b->nentries, f = b->f.count;
        ln_node charge = LN_NONE, none = LN_NONE;
        if (!put_sum(b, row, LINNET_A, c->lines[row].residual, &charge))
            return ln_no_memory(c->report);
        if (charge != LN_NONE && !put_sum(b, row, LINNET_E, charge, &none))
            return ln_no_memory(c->report);
        int is_flux = row < c->nports && c->equations->ports[row].domain != LINNET_SIGNAL;
        if (b->nentries == entries && b->f.count == f && !is_flux)
            status = ln_fail(c->report, LINNET_MODEL, c->lines[row].place,
                             "block type '%s': the equation '%s' determines nothing, for no "
                             "unknown is left in it; "
                             "change or remove it",
                             c->equations->name, c->lines[row].row.name);
    }
    return status;
}
