/* SPDX-License-Identifier: MIT */
/* What of a solution is iterated, what follows from that, and what nobody asks for.
 *
 * The solution of the linearised equations reads some unknowns where Newton's method stands: on
 * those it iterates. Of the others the code keeps what outputs, events, devices and the next step
 * read, and computes it once those are found: the same expressions, in which the unknowns found and
 * what flows in devices at them take the place of what they were computed from. */
#include "codegen/network_assembly.h"

#include <string.h>

typedef struct choice {
    const ln_assembly *all;
    char *shown;
    ln_walk walk;
    /* per unknown: its solution has been looked through, 1: of the step, 2: of the algebra, 4: of
     * a part of a step */
    char *root;
} choice;

/* ---- what is asked for ---- */

/* Unknowns that a program reads, now or before. */
static void mark_part(const choice *c, const ln_plan_part *part) {
    const ln_plan *plan = c->all->plan;
    const int first = ln_plan_signal(plan, 0), n = c->all->n;
    for (int k = 0; part->program != NULL && k < part->program->nunknowns; k++) {
        const int index = part->program->unknown[k] - first;
        if (index >= 0 && index < 2 * n)
            c->shown[index % n] = 1;
    }
}

static void mark_asked(const choice *c) {
    const ln_plan *plan = c->all->plan;
    const ln_plan_part *const parts[] = {
        &plan->observed,   &plan->modes,        &plan->conditions,
        &plan->act,        &c->all->out->fresh, &c->all->out->edges,
        &plan->remembered, &plan->changing,     &c->all->out->equations};
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        mark_part(c, parts[k]);
    for (int k = 0; plan->act.program != NULL && k < plan->act.program->noutputs; k++)
        if (plan->sets[k].unknown >= 0)
            c->shown[plan->sets[k].unknown] = 1;
    for (int k = 0; k < plan->nenables; k++)
        for (int i = 0; i < plan->enable[k].count; i++)
            c->shown[plan->enable[k].unknown[i]] = 1;
    for (int u = 0; u < c->all->n && c->all->shows_all; u++)
        c->shown[u] = 1;
}

/* ---- what that needs ---- */

/* Marks the unknowns that stand below a node; now: as they are, likewise marked there. */
static void mark_below(choice *c, ln_node node, char *now) {
    ln_plan *plan = c->all->plan;
    c->walk.stamp++;
    ln_walk_push(&c->walk, node, c->walk.stamp);
    for (ln_node part; (part = ln_walk_next(&c->walk, c->walk.stamp)) != LN_NONE;) {
        int index;
        if (ln_node_op(plan->graph, part) != LN_OP_LEAF ||
            ln_node_leaf(plan->graph, part, &index) != LN_LEAF_UNKNOWN)
            continue;
        const int u = ln_network_unknown(plan, c->all->out, index);
        const int before = index - ln_plan_before(plan, 0);
        if (u >= 0 && now != NULL)
            now[u] = 1;
        if (u >= 0 || (before >= 0 && before < c->all->n))
            c->shown[u >= 0 ? u : before] = 1;
    }
}

/* Looks through the solutions of all that is kept, until nothing is new. */
static void follow(choice *c, const ln_solution *solution, int which, char *iterates, int *news) {
    for (int u = 0; u < c->all->nunknowns; u++) {
        if (!c->shown[u] || (c->root[u] & which))
            continue;
        c->root[u] |= (char)which;
        *news = 1;
        mark_below(c, solution->value[u], iterates);
    }
}

/* ---- programs ---- */

typedef struct found {
    const ln_node *by; /* per node of the graph as it was: what takes its place, or LN_NONE */
    int size;
} found;

static ln_node use_found(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                         const ln_node arg[3]) {
    const found *map = context;
    return old < map->size && map->by[old] != LN_NONE ? map->by[old]
                                                      : ln_remake(to, from, old, arg);
}

/* The value is read, the change made from it: none where it is counted from itself. */
static void replace(const choice *c, ln_node *by, const ln_solution *solution, int at, int leaf) {
    ln_graph *graph = c->all->plan->graph;
    const ln_node value = solution->value[at], change = solution->change[at];
    const ln_node now = ln_leaf_node(graph, LN_LEAF_UNKNOWN, leaf);
    const ln_op op = ln_node_op(graph, change);
    if (value != change && op != LN_OP_LEAF && op != LN_OP_CONSTANT) {
        const ln_node origin = ln_assembly_origin(c->all, at);
        by[change] = ln_operation(graph, LN_OP_SUB, now, origin, LN_NONE);
        if (op == LN_OP_NEG) /* sums hold what stands below */
            by[ln_node_arg(graph, change, 0)] =
                ln_operation(graph, LN_OP_SUB, origin, now, LN_NONE);
    }
    if (ln_node_op(graph, value) != LN_OP_LEAF && ln_node_op(graph, value) != LN_OP_CONSTANT)
        by[value] = now;
}

/* Rewrites nodes so that they read what has been found. */
static linnet_status after(const choice *c, const ln_solution *solution, const char *iterates,
                           ln_node *nodes, int count) {
    ln_plan *plan = c->all->plan;
    const int size = ln_graph_size(plan->graph), n = c->all->nunknowns;
    ln_node *by = LN_NEW(plan->diagram.scratch, ln_node, size);
    if (by == NULL)
        return ln_no_memory(plan->report);
    for (int k = 0; k < size; k++)
        by[k] = LN_NONE;
    for (int u = n; u-- > 0;)
        if (iterates[u])
            replace(c, by, solution, u, ln_network_leaf(plan, c->all->out, u));
    for (int b = 0; b < c->all->out->nflows / LN_FLOW_VALUES; b++)
        replace(c, by, solution, n + b, ln_network_flow(plan, LN_FLOW_VALUES * b));
    found map = {by, size};
    ln_rewrite(plan->graph, plan->graph, nodes, count, use_found, &map);
    return ln_graph_failed(plan->graph) ? ln_no_memory(plan->report) : LINNET_OK;
}

/* Does a program compare, or look into tables? A step across a kink may be short by chance. What is
 * equal is none: it asks for the place where a slope is infinite. */
static int has_kinks(const ln_program *program) {
    int kinks = 0;
    for (int k = 0; program != NULL && k < program->nbody; k++) {
        const ln_op op = (ln_op)program->body[k].op;
        kinks |=
            (ln_op_decides(op) && op != LN_OP_EQ) || op == LN_OP_TABLE || op == LN_OP_TABLE_SLOPE;
    }
    return kinks;
}

/* The two programs of a solver; those of the step share what they know with `rates`. */
static linnet_status make_solver(const choice *c, const ln_solution *solution, char *iterates,
                                 ln_node *rates, ln_network_solver *out) {
    ln_plan *plan = c->all->plan;
    ln_arena *scratch = plan->diagram.scratch;
    const int n = c->all->nunknowns, nrates = rates != NULL ? c->all->out->nrates : 0;
    ln_node *first = LN_NEW(scratch, ln_node, n), *then = LN_NEW(scratch, ln_node, 2 * n);
    int *to = LN_NEW(scratch, int, n), *later = LN_NEW(scratch, int, n), count = 0;
    if (first == NULL || then == NULL || to == NULL || later == NULL)
        return ln_no_memory(plan->report);
    out->iterates = iterates;
    for (int u = 0; u < n; u++) {
        if (iterates[u]) {
            first[out->niterated] = solution->value[u];
            to[out->niterated++] = u;
        } else if (c->shown[u]) {
            then[count] = solution->value[u];
            later[count++] = u;
        }
    }
    if (out->niterated > 0)
        LN_TRY(after(c, solution, iterates, then, count));
    if (rates != NULL && out->niterated > 0) {
        memcpy(then + count, rates, (size_t)nrates * sizeof *then);
        LN_TRY(ln_assembly_hoist(c->all, first, out->niterated, then, count + nrates));
        memcpy(rates, then + count, (size_t)nrates * sizeof *then);
    }
    LN_TRY(ln_plan_compile(plan, first, to, out->niterated, &out->update));
    out->kinks = has_kinks(out->update.program);
    out->bends = solution->bends || c->all->out->ndevices == 0;
    out->refuses = out->niterated > 0 && out->bends && solution->refuses;
    return ln_plan_compile(plan, then, later, count, &out->rest);
}

static void hide_fields(const choice *c) {
    ln_plan *plan = c->all->plan;
    for (size_t k = 0; k < plan->signals.count; k++)
        plan->signals.field[k].hidden = 1;
    for (int u = 0; u < c->all->nunknowns; u++)
        if (c->shown[u])
            plan->signals.field[plan->member[u].field].hidden = 0;
}

/* Follows all solutions; where the step iterates, that of a part of it, too. */
static void follow_all(choice *c, const ln_solutions *solutions, char *const iterates[3]) {
    const int n = c->all->nunknowns;
    const ln_solution *const each[] = {solutions->step, solutions->algebra, solutions->shorter};
    int solvers = 2;
    for (int news = 1; news;) {
        news = 0;
        for (int k = 0; k < solvers; k++)
            if (each[k] != NULL)
                follow(c, each[k], 1 << k, iterates[k], &news);
        if (news || solvers == 3 || solutions->shorter == NULL ||
            memchr(iterates[0], 1, (size_t)n) == NULL)
            continue;
        news = c->all->out->divides = 1;
        solvers = 3;
    }
}

linnet_status ln_assembly_choose(const ln_assembly *all, const ln_solutions *solutions) {
    ln_plan *plan = all->plan;
    ln_network_plan *out = all->out;
    const int n = all->nunknowns;
    choice c = {.all = all,
                .shown = LN_NEW(plan->arena, char, n),
                .root = LN_NEW(plan->diagram.scratch, char, n)};
    /* one iteration for the step and for parts of it */
    char *const of_step = LN_NEW(plan->arena, char, n), *const of_algebra =
                                                            LN_NEW(plan->arena, char, n);
    char *const by[] = {of_step, of_algebra, of_step};
    int *target = LN_NEW(plan->diagram.scratch, int, n);
    if (c.shown == NULL || c.root == NULL || of_step == NULL || of_algebra == NULL ||
        target == NULL)
        return ln_no_memory(plan->report);
    LN_TRY(ln_walk_new(&c.walk, &plan->diagram, plan->graph));
    mark_asked(&c);
    for (int u = 0; u < n; u++)
        if (all->steers[u]) {
            c.shown[u] = of_algebra[u] = 1;
            of_step[u] = u < n - out->nmotions; /* the others have no part in it */
        }
    for (int k = 0; k < out->nrates; k++) {
        target[k] = k;
        mark_below(&c, solutions->rates[k], NULL);
    }
    follow_all(&c, solutions, by);
    out->shown = c.shown;
    hide_fields(&c);
    LN_TRY(make_solver(&c, solutions->step, by[0], solutions->rates, &out->step));
    LN_TRY(ln_plan_compile(plan, solutions->rates, target, out->nrates, &out->rates));
    if (solutions->algebra != NULL)
        LN_TRY(make_solver(&c, solutions->algebra, by[1], NULL, &out->algebra));
    if (!out->divides)
        return LINNET_OK;
    LN_TRY(make_solver(&c, solutions->shorter, by[2], NULL, &out->shorter));
    return ln_plan_compile(plan, solutions->shorter_rates, target, out->nrates,
                           &out->shorter_rates);
}
