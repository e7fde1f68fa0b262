/* SPDX-License-Identifier: MIT */
/* Derivatives that q cannot carry.
 *
 * q holds coefficient * argument for each der(argument) of a row, so the coefficient may depend on
 * parameters only. A derivative with another factor (`v*C*der(v)`), inside a function, in another
 * derivative or in a recorded value becomes a variable d with the row d - der(argument) = 0; only
 * where it stands so is it replaced. */
#include "blocks/compile.h"
#include "base/text.h"

static void print_leaf(void *context, ln_text *text, ln_leaf kind, int index) {
    const ln_compile *c = context;
    if (kind == LN_LEAF_UNKNOWN) {
        ln_text_add(text, ln_unknown_name(c, index));
    } else if (kind == LN_LEAF_PARAMETER) {
        const ln_equations *e = c->equations;
        size_t k = 0;
        while (k + 1 < e->nparams && index >= e->params[k + 1].offset)
            k++;
        ln_text_add(text, e->params[k].name);
    } else if (kind == LN_LEAF_MEMORY) {
        const char *name = c->equations->memories[index].memory.name;
        ln_text_add(text, name != NULL ? name : "counter");
    } else {
        ln_text_add(text, "t");
    }
}

/* "der(C*(p.v - n.v))", cut where it gets long; NULL when memory is short. */
static const char *derivative_text(ln_compile *c, ln_node argument) {
    ln_text text = {0};
    ln_node_print(c->graph, argument, &text, print_leaf, c);
    const char *name =
        text.failed ? NULL
                    : ln_arena_printf(c->arena, "der(%.60s)", text.data != NULL ? text.data : "");
    ln_text_free(&text);
    return name;
}

/* The variable that stands for a DER node: a leaf, made on the first request. LN_NONE when memory
 * is short. */
static ln_node variable_of(ln_compile *c, ln_node der) {
    for (int u = c->nports; u < (int)c->nlines; u++) {
        ln_node leaf = ln_unknown(c->graph, u);
        if (c->lines[u].residual == ln_operation(c->graph, LN_OP_SUB, leaf, der, LN_NONE))
            return leaf;
    }
    const char *name = derivative_text(c, ln_node_arg(c->graph, der, 0));
    const char *row = name == NULL ? NULL : ln_arena_printf(c->arena, "equation of %s", name);
    if (row == NULL)
        return LN_NONE;
    int u = ln_new_unknown(
        c, (linnet_var){name, NULL, 0, 0, "derivative that stands with a factor that varies", 0});
    if (u < 0)
        return LN_NONE;
    ln_node leaf = ln_unknown(c->graph, u);
    c->lines[u].row.name = row;
    c->lines[u].residual = ln_operation(c->graph, LN_OP_SUB, leaf, der, LN_NONE);
    return leaf;
}

/* Replaces the outermost DER nodes of a node by variables. 0 when memory is short. */
static int name_all(ln_compile *c, ln_node *node) {
    ln_node *ders;
    int count = ln_parts(c, *node, LN_PART_DER, &ders);
    for (int k = 0; k < count; k++) {
        ln_node variable = variable_of(c, ders[k]);
        if (variable == LN_NONE)
            return 0;
        *node = ln_replace(c->graph, *node, ders[k], variable, 1);
    }
    return count >= 0;
}

/* A DER inside a DER of this node that holds none itself, or LN_NONE. */
static ln_node innermost(ln_compile *c, ln_node node) {
    int count = ln_reach(c, node, 1);
    for (int k = 0; k < count; k++) {
        ln_node outer = c->list[k];
        if (ln_node_op(c->graph, outer) != LN_OP_DER)
            continue;
        if (!(ln_depends(c->graph, ln_node_arg(c->graph, outer, 0)) & LN_DEPENDS_DER))
            continue;
        count = ln_reach(c, ln_node_arg(c->graph, outer, 0), 1);
        while (count-- > 0)
            if (ln_node_op(c->graph, c->list[count]) == LN_OP_DER)
                return c->list[count]; /* the lowest number */
    }
    return LN_NONE;
}

static int name_nested(ln_compile *c, ln_node *node) {
    if (!(ln_depends(c->graph, *node) & LN_DEPENDS_DER))
        return 1;
    for (ln_node inner; (inner = innermost(c, *node)) != LN_NONE;) {
        ln_node variable = variable_of(c, inner);
        if (variable == LN_NONE)
            return 0;
        *node = ln_replace(c->graph, *node, inner, variable, 1);
    }
    return 1;
}

static int name_factored(ln_compile *c, ln_node *row) {
    ln_sum sum;
    if (!(ln_depends(c->graph, *row) & LN_DEPENDS_DER))
        return 1;
    if (!ln_take_apart(c, *row, &sum))
        return 0;
    if (!(ln_depends(c->graph, sum.nonlinear) & LN_DEPENDS_DER))
        return 1;
    if (!name_all(c, &sum.nonlinear))
        return 0;
    *row = ln_put_together(c, &sum);
    return 1;
}

linnet_status ln_name_derivatives(ln_compile *c) {
    for (int k = 0; k < c->nextras; k++) {
        if (!(ln_depends(c->graph, c->extras[k]) & LN_DEPENDS_DER))
            continue;
        if (!name_nested(c, &c->extras[k]) || !name_all(c, &c->extras[k]))
            return ln_no_memory(c->report);
    }
    for (size_t r = 0; r < c->nlines; r++) { /* lines that join meanwhile are met, too */
        ln_node row = c->lines[r].residual;
        if (row == LN_NONE)
            continue;
        if (!name_nested(c, &row) || !name_factored(c, &row))
            return ln_no_memory(c->report);
        c->lines[r].residual = row;
    }
    return LINNET_OK;
}
