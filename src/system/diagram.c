/* SPDX-License-Identifier: MIT */
/* A plain block diagram as one program.
 *
 * Rates and unknowns are expressions of the states and time that share one graph, so that a signal
 * used twice is computed once and what is constant is folded through the whole diagram. Two
 * programs come from it, one for the rates alone, which every stage of a method runs, and one for
 * all unknowns. Loops that need iteration come first, in their order, each with a program of its
 * own; their unknowns stand behind the states in the point that the programs read. */
#include "system/diagram.h"

#include "base/sys.h"
#include "system/ode.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct diagram_ode {
    ln_ode ode;
    ln_network *network;
    ln_arena *arena;
    const double *parameters; /* for tables */
    const ln_program *rates, *all;
    double *rates_file, *all_file;
    double *point; /* states, then iterated unknowns; unused without loops */
    const int *iterated;
    int niterated;
    ln_loop *loops;
    int nloops;
} diagram_ode;

/* ---- running ---- */

/* Solves the loops (those the rates need, or all) at z, into diagram->point. */
static linnet_status solve_loops(diagram_ode *diagram, const ln_side *side, const double *z,
                                 int for_rates) {
    memcpy(diagram->point, z, (size_t)diagram->ode.n * sizeof *z);
    const linnet_point at = {side->t, side->within, diagram->point, diagram->ode.memory};
    for (int k = 0; k < diagram->nloops; k++) {
        ln_loop *loop = &diagram->loops[k];
        if (for_rates && !loop->for_rates)
            continue;
        linnet_status status = ln_loop_solve(loop, diagram->parameters, &at,
                                             &diagram->ode.loop_iterations, diagram->ode.blame);
        if (status == LINNET_OK)
            continue;
        diagram->ode.blame_place = loop->place;
        return status;
    }
    return LINNET_OK;
}

/* Begins an evaluation at z; *point becomes where the programs find the states. */
static inline linnet_status enter(diagram_ode *diagram, const ln_side *side, const double *z,
                                  int for_rates, const double **point) {
    diagram->ode.evaluations++;
    *point = diagram->nloops == 0 ? z : diagram->point;
    return diagram->nloops == 0 ? LINNET_OK : solve_loops(diagram, side, z, for_rates);
}

/* ---- values that are not finite ---- */

static double value_of(const diagram_ode *diagram, int unknown) {
    return diagram->all_file[diagram->all->output[unknown]];
}

/* Are all inputs of the block whose equation this is finite? */
static int begins_here(const diagram_ode *diagram, int unknown) {
    const ln_instance *block = ln_network_row_block(diagram->network, unknown);
    for (int j = 0; j < block->block.type->nports; j++) {
        if (!(block->block.type->ports[j].flags & LINNET_INPUT) || block->links[j] < 0)
            continue;
        if (!isfinite(value_of(diagram, diagram->network->links[block->links[j]].unknown)))
            return 0;
    }
    return 1;
}

/* Of the unknowns last computed, one that is not finite while all it is made of is; -1: all are
 * finite. */
static int find_wrong(const diagram_ode *diagram) {
    int wrong = -1;
    for (int u = diagram->network->n - 1; u >= 0; u--)
        if (!isfinite(value_of(diagram, u)) &&
            (wrong < 0 || begins_here(diagram, u) || !begins_here(diagram, wrong)))
            wrong = u;
    return wrong;
}

/* Whose value it is, when, and the operation it comes from. */
static linnet_status blame(diagram_ode *diagram, const ln_program *program, const double *file,
                           const char *what, int unknown, double t) {
    char operation[128] = "";
    const char *colon = ln_program_explain(program, file, operation) ? ": " : "";
    const ln_instance *block = ln_network_row_block(diagram->network, unknown);
    const char *name = ln_network_unknown_name(diagram->network, unknown);
    snprintf(diagram->ode.blame, sizeof diagram->ode.blame,
             "%.40s (%.30s): %s%.40s is not finite at t = %.9g s%s%.70s", block->name,
             block->block.type->name, what, name, t, colon, operation);
    diagram->ode.blame_place = block->place;
    return LINNET_RETRY;
}

/* A rate that is not finite, because of something before it if that is not. */
static linnet_status blame_rate(diagram_ode *diagram, const double *point, const ln_side *side,
                                int state) {
    ln_program_run(diagram->all, diagram->all_file, diagram->parameters,
                   &(linnet_point){side->t, side->within, point, diagram->ode.memory});
    const int wrong = find_wrong(diagram);
    if (wrong >= 0)
        return blame(diagram, diagram->all, diagram->all_file, "", wrong, side->t);
    return blame(diagram, diagram->rates, diagram->rates_file, "rate of ",
                 diagram->ode.unknown[state], side->t);
}

/* ---- what the methods ask for ---- */

static linnet_status rates(ln_ode *ode, const ln_side *side, const double *z, double *dz) {
    diagram_ode *diagram = (diagram_ode *)ode;
    const double *point;
    LN_TRY(enter(diagram, side, z, 1, &point));
    ln_program_run(diagram->rates, diagram->rates_file, diagram->parameters,
                   &(linnet_point){side->t, side->within, point, ode->memory});
    const int *output = diagram->rates->output;
    double sum = 0.0; /* finite rates have one that is finite, or else overflows */
    for (int k = 0; k < ode->n; k++) {
        dz[k] = diagram->rates_file[output[k]];
        sum += dz[k];
    }
    if (isfinite(sum))
        return LINNET_OK;
    for (int k = 0; k < ode->n; k++)
        if (!isfinite(dz[k]))
            return blame_rate(diagram, point, side, k);
    return LINNET_OK;
}

static linnet_status unknowns(ln_ode *ode, const ln_side *side, const double *z, double *x) {
    diagram_ode *diagram = (diagram_ode *)ode;
    const double *point;
    LN_TRY(enter(diagram, side, z, 0, &point));
    ln_program_run(diagram->all, diagram->all_file, diagram->parameters,
                   &(linnet_point){side->t, side->within, point, ode->memory});
    double sum = 0.0;
    for (int u = 0; u < diagram->network->n; u++)
        sum += x[u] = value_of(diagram, u);
    const int wrong = isfinite(sum) ? -1 : find_wrong(diagram);
    return wrong < 0 ? LINNET_OK
                     : blame(diagram, diagram->all, diagram->all_file, "", wrong, side->t);
}

static void states(ln_ode *ode, const double *x, double *z) {
    diagram_ode *diagram = (diagram_ode *)ode;
    for (int k = 0; k < ode->n; k++)
        z[k] = x[diagram->ode.unknown[k]];
    /* first guess of the loops */
    for (int k = 0; k < diagram->niterated; k++)
        diagram->point[ode->n + k] = x[diagram->iterated[k]];
}

static void release(ln_ode *ode) {
    diagram_ode *diagram = (diagram_ode *)ode;
    for (int k = 0; k < diagram->nloops; k++)
        ln_loop_free(&diagram->loops[k]);
    ln_arena_free(diagram->arena);
    ln_sys->release(diagram);
}

/* ---- compiling ---- */

static const ln_program *compile(const ln_diagram *d, const ln_node *nodes, int count,
                                 double **file) {
    const ln_program *program = ln_program_compile(d->arena, d->graph, nodes, count);
    if (program == NULL || (*file = LN_NEW(d->arena, double, program->registers)) == NULL)
        return NULL;
    ln_program_start(program, *file, d->parameters);
    return program;
}

/* Marks the loops whose unknowns stand below what was pushed on the walk. */
static void mark_loops(const ln_diagram *d, ln_walk *walk, ln_loop *loops) {
    for (ln_node part; (part = ln_walk_next(walk, 1)) != LN_NONE;) {
        int index;
        if (ln_node_leaf(d->graph, part, &index) != LN_LEAF_UNKNOWN || index < d->nstates)
            continue;
        int k = 0;
        while (index - d->nstates >= d->loops[k].first + d->loops[k].count)
            k++;
        loops[k].for_rates = 1;
    }
}

/* Which loops must be solved for the rates: those whose unknowns they hold, and the earlier ones
 * that these need. */
static linnet_status mark_needed(ln_diagram *d, const ln_node *nodes, ln_loop *loops) {
    ln_walk walk;
    LN_TRY(ln_walk_new(&walk, d, d->graph));
    for (int k = 0; k < d->nstates; k++)
        ln_walk_push(&walk, nodes[k], 1);
    mark_loops(d, &walk, loops);
    for (size_t l = d->nloops; l-- > 0;) {
        const int count = d->loops[l].count;
        if (!loops[l].for_rates)
            continue;
        for (int k = 0; k < count * (count + 1); k++)
            ln_walk_push(&walk, d->loops[l].nodes[k], 1);
        mark_loops(d, &walk, loops);
    }
    return LINNET_OK;
}

static linnet_status make_loops(ln_diagram *d, diagram_ode *diagram) {
    const int n = (int)d->nloops;
    diagram->loops = LN_NEW(d->arena, ln_loop, n);
    if (diagram->loops == NULL)
        return ln_no_memory(d->report);
    for (; diagram->nloops < n; diagram->nloops++) {
        const ln_cycle *cycle = &d->loops[diagram->nloops];
        ln_loop *loop = &diagram->loops[diagram->nloops];
        *loop = (ln_loop){.count = cycle->count,
                          .x = diagram->point + d->nstates + cycle->first,
                          .affine = cycle->affine,
                          .members = cycle->members,
                          .place = cycle->place};
        double *nominal = LN_NEW(d->arena, double, cycle->count), absolute;
        if (nominal == NULL)
            return ln_no_memory(d->report);
        for (int k = 0; k < cycle->count; k++)
            ln_network_unknown_scale(d->network, d->iterated[cycle->first + k], &absolute,
                                     &nominal[k]);
        loop->nominal = nominal;
        loop->program = compile(d, cycle->nodes, cycle->count * (cycle->count + 1), &loop->file);
        if (loop->program == NULL || ln_loop_prepare(loop, d->arena) != LINNET_OK)
            return ln_no_memory(d->report);
    }
    return LINNET_OK;
}

static linnet_status make_programs(ln_diagram *d, diagram_ode *diagram) {
    ln_node *nodes = LN_NEW(d->scratch, ln_node, d->nstates);
    int *iterated = LN_NEW(d->arena, int, d->niterated);
    double *absolute = LN_NEW(d->arena, double, d->nstates), nominal;
    diagram->point = LN_NEW(d->arena, double, (size_t)d->nstates + d->niterated);
    if (nodes == NULL || iterated == NULL || absolute == NULL || diagram->point == NULL)
        return ln_no_memory(d->report);
    LN_TRY(ln_diagram_rates(d, nodes));
    for (size_t k = 0; k < d->niterated; k++)
        iterated[k] = d->iterated[k];
    diagram->iterated = iterated;
    diagram->niterated = (int)d->niterated;
    for (int k = 0; k < d->nstates; k++)
        ln_network_unknown_scale(d->network, d->state[k], &absolute[k], &nominal);
    diagram->ode.absolute = absolute;
    diagram->ode.unknown = d->state;
    diagram->parameters = d->parameters;
    diagram->ode.n = d->nstates;
    diagram->ode.loops = (int)d->nloops;
    diagram->rates = compile(d, nodes, d->nstates, &diagram->rates_file);
    diagram->all = compile(d, d->value, d->n, &diagram->all_file);
    if (diagram->rates == NULL || diagram->all == NULL)
        return ln_no_memory(d->report);
    LN_TRY(make_loops(d, diagram));
    return mark_needed(d, nodes, diagram->loops);
}

linnet_status ln_diagram_begin(ln_diagram *d) {
    d->refused = -1;
    d->arena = ln_arena_new();
    d->scratch = ln_arena_new();
    d->rows = ln_graph_new();
    d->graph = ln_graph_new();
    if (d->arena == NULL || d->scratch == NULL || d->rows == NULL || d->graph == NULL)
        return ln_no_memory(d->report);
    d->n = d->network->n;
    return ln_diagram_gather(d);
}

linnet_status ln_diagram_open(ln_diagram *d) {
    LN_TRY(ln_diagram_begin(d));
    LN_TRY(ln_diagram_rows(d));
    LN_TRY(ln_diagram_order(d));
    return ln_diagram_values(d);
}

/* What only compiling needs. */
static void close_scratch(ln_diagram *d) {
    ln_arena_free(d->scratch);
    ln_graph_free(d->rows);
    ln_graph_free(d->graph);
    ln_sys->release(d->uses);
    ln_sys->release(d->iterated);
    ln_sys->release(d->loops);
}

void ln_diagram_close(ln_diagram *d) {
    close_scratch(d);
    ln_arena_free(d->arena);
    *d = (ln_diagram){.refused = -1};
}

linnet_status ln_diagram_new(ln_network *network, ln_report *report, ln_ode **ode) {
    if (!network->purely_signal)
        return LINNET_USAGE;
    for (int k = 0; k < network->ninstances; k++) /* delays belong to the system */
        if (network->instances[k].block.type->ndelays > 0)
            return LINNET_USAGE;
    diagram_ode *created = ln_sys->allocate(sizeof *created);
    if (created == NULL)
        return ln_no_memory(report);
    *created = (diagram_ode){
        .network = network,
        .ode = {.rates = rates, .unknowns = unknowns, .states = states, .free = release}};
    ln_diagram diagram = {.network = network, .report = report};
    linnet_status status = ln_diagram_open(&diagram);
    created->arena = diagram.arena;
    if (status == LINNET_OK)
        status = make_programs(&diagram, created);
    close_scratch(&diagram);
    if (status == LINNET_OK)
        *ode = &created->ode;
    else
        release(&created->ode);
    return status;
}
