/* SPDX-License-Identifier: MIT */
/* Last step of a block type: the class itself - its programs, its tables - and the way there
 * through all steps. */
#include "base/domain.h"
#include "base/sys.h"
#include "blocks/builder.h"

#include <string.h>

/* ---- programs ---- */

static const int *places(ln_builder *b, const ln_worklist *list) {
    int *place = LN_NEW(b->c->arena, int, list->count);
    if (place == NULL)
        b->failed = 1;
    for (size_t k = 0; place != NULL && k < list->count; k++)
        place[k] = list->item[k].place;
    return place;
}

/* The program of some lists, one behind the other; NULL when memory is short. */
static const ln_program *compile_lists(ln_builder *b, const ln_worklist *const *lists, int nlists) {
    ln_compile *c = b->c;
    size_t total = 0;
    int count = 0;
    for (int k = 0; k < nlists; k++)
        total += lists[k]->count;
    ln_node *nodes = LN_NEW(c->scratch, ln_node, total);
    if (nodes == NULL)
        return NULL;
    for (int k = 0; k < nlists; k++)
        for (size_t i = 0; i < lists[k]->count; i++)
            nodes[count++] = lists[k]->item[i].node;
    return ln_program_compile(c->arena, c->graph, nodes, count);
}

/* The programs of the residuals: what follows from parameters, what sources give, q and f with the
 * entries that change, and without them. */
static int compile_residuals(ln_builder *b, ln_compiled_type *compiled) {
    ln_compile *c = b->c;
    const ln_worklist none = {0}, *const parametric[] = {&b->linear,
                                                         b->source_varies ? &none : &b->source,
                                                         &b->start, &b->guess, &b->periods};
    const ln_worklist *const source[] = {&b->source}, *const eval[] = {&b->q, &b->f, &b->state};
    const int has_source = b->source_varies, has_eval = b->q.count + b->f.count > 0;
    for (size_t k = 0; k < c->equations->nperiods; k++)
        ln_put(b, &b->periods, c->equations->periods[k].node, 0);
    compiled->parametric = compile_lists(b, parametric, 5);
    if (has_source)
        compiled->source = compile_lists(b, source, 1);
    if (has_eval)
        compiled->eval = compile_lists(b, eval, 3);
    /* NULL: eval serves */
    if (has_eval && b->state.count > 0)
        compiled->value = compile_lists(b, eval, 2);
    return compiled->parametric != NULL && (!has_source || compiled->source != NULL) &&
           (!has_eval || compiled->eval != NULL);
}

/* The programs of observed values and breakpoints. */
static int compile_observed(ln_builder *b, ln_compiled_type *compiled) {
    ln_compile *c = b->c;
    const int has_lets = c->equations->nlets > 0;
    if (has_lets)
        compiled->observed =
            ln_program_compile(c->arena, c->graph, c->extras, (int)c->equations->nlets);
    if (b->nbreakpoints > 0)
        compiled->breakpoints =
            ln_breakpoints_compile(c->arena, c->graph, b->breakpoints, b->nbreakpoints);
    return (!has_lets || compiled->observed != NULL) &&
           (b->nbreakpoints == 0 || compiled->breakpoints != NULL);
}

static int compile_programs(ln_builder *b, ln_compiled_type *compiled) {
    if (!compile_residuals(b, compiled) || !compile_observed(b, compiled) ||
        !ln_compile_hybrid(b, &compiled->hybrid))
        return 0;
    compiled->nlinear = (int)b->linear.count, compiled->linear_entry = places(b, &b->linear);
    compiled->nsources = (int)b->source.count, compiled->source_row = places(b, &b->source);
    compiled->nguesses = (int)b->guess.count, compiled->guess_unknown = places(b, &b->guess);
    compiled->nq = (int)b->q.count, compiled->q_row = places(b, &b->q);
    compiled->nf = (int)b->f.count, compiled->f_row = places(b, &b->f);
    compiled->nstate = (int)b->state.count, compiled->state_entry = places(b, &b->state);
    compiled->nstarts = (int)b->nstarts;
    return !b->failed;
}

/* ---- tables ---- */

static void *keep(ln_builder *b, const void *items, size_t count, size_t size) {
    void *copy = ln_arena_alloc(b->c->arena, count, size);
    if (copy == NULL)
        b->failed = 1;
    else if (count > 0)
        memcpy(copy, items, count * size);
    return copy;
}

/* One character per row: the sum of the marks of the lists that write it. NULL when none does. */
static const char *row_marks(ln_builder *b, const ln_worklist *ones, const ln_worklist *twos) {
    size_t n = b->c->nlines, nothing = ones->count == 0 && (twos == NULL || twos->count == 0);
    char *marks = nothing ? NULL : ln_arena_alloc(b->c->arena, n + 1, 1);
    if (nothing)
        return NULL;
    if (marks == NULL) {
        b->failed = 1;
        return NULL;
    }
    memset(marks, '0', n);
    for (size_t k = 0; k < ones->count; k++)
        marks[ones->item[k].place] = (char)(marks[ones->item[k].place] | 1);
    for (size_t k = 0; twos != NULL && k < twos->count; k++)
        marks[twos->item[k].place] = (char)(marks[twos->item[k].place] | 2);
    return marks;
}

/* The rows whose f, as it is evaluated, depends on time. */
static const char *timed_marks(ln_builder *b) {
    ln_worklist timed = {0};
    for (size_t k = 0; k < b->f.count; k++)
        if (ln_depends(b->c->graph, b->f.item[k].node) & 1u << LN_LEAF_TIME)
            ln_put(b, &timed, b->f.item[k].node, b->f.item[k].place);
    const char *marks = row_marks(b, &timed, NULL);
    ln_sys->release(timed.item);
    return marks;
}

static size_t registers(const ln_program *program) {
    return program != NULL ? (size_t)program->registers : 0;
}

/* What stands beside the residuals, kept for whoever compiles a whole diagram. */
static int keep_nodes(const ln_builder *b, const ln_compiled_type *compiled,
                      ln_residuals *residuals) {
    const ln_compile *c = b->c;
    const ln_equations *e = c->equations;
    const size_t count = e->nlets + e->nevents + e->nsets;
    ln_node *nodes = LN_NEW(c->arena, ln_node, count),
            *modes = LN_NEW(c->arena, ln_node, c->nmodes),
            *guards = LN_NEW(c->arena, ln_node, c->nmodes),
            *delays = LN_NEW(c->arena, ln_node, 2 * (size_t)c->ndelays);
    if (nodes == NULL || modes == NULL || guards == NULL || delays == NULL)
        return 0;
    for (int k = 0; k < c->ndelays; k++) {
        const ln_node delay = c->extras[count + (size_t)k];
        delays[2 * k] = ln_node_arg(c->graph, delay, 0);
        delays[2 * k + 1] =
            ln_node_op(c->graph, delay) == LN_OP_RATE ? LN_NONE : ln_node_arg(c->graph, delay, 1);
    }
    residuals->delays = delays;
    memcpy(nodes, c->extras, count * sizeof *nodes);
    for (int k = 0; k < c->nmodes; k++)
        modes[k] = c->modes[k].live, guards[k] = c->modes[k].guard;
    residuals->guards = guards;
    residuals->breakpoints = b->breakpoints, residuals->nbreakpoints = b->nbreakpoints;
    residuals->lets = nodes;
    residuals->modes = modes;
    residuals->conditions = nodes + e->nlets;
    residuals->sets = nodes + e->nlets + e->nevents, residuals->nsets = (int)e->nsets;
    residuals->set_event = compiled->hybrid.set_event;
    residuals->set_memory = compiled->hybrid.set_memory;
    residuals->set_unknown = compiled->hybrid.set_unknown;
    return 1;
}

/* The tables of variables, own equations and observed values. */
static int fill_tables(ln_builder *b, linnet_block_class *class) {
    const ln_compile *c = b->c;
    const ln_equations *e = c->equations;
    const int nvars = (int)c->nlines - c->nports;
    linnet_var *vars = LN_NEW(c->arena, linnet_var, nvars);
    linnet_row *rows = LN_NEW(c->arena, linnet_row, nvars);
    const char **observed = LN_NEW(c->arena, const char *, e->nlets),
               **docs = LN_NEW(c->arena, const char *, e->nlets);
    if (vars == NULL || rows == NULL || observed == NULL || docs == NULL)
        return 0;
    for (int k = 0; k < nvars; k++) {
        vars[k] = c->lines[c->nports + k].var;
        rows[k] = c->lines[c->nports + k].row;
    }
    for (size_t k = 0; k < e->nlets; k++) {
        observed[k] = e->lets[k].name;
        docs[k] = e->lets[k].doc;
    }
    class->vars = vars, class->rows = rows, class->nvars = nvars;
    class->observed = observed, class->observed_docs = docs, class->nobserved = (int)e->nlets;
    return 1;
}

/* The residuals as nodes, for whoever compiles a whole diagram. */
static int keep_residuals(const ln_builder *b, ln_compiled_type *compiled) {
    const ln_compile *c = b->c;
    ln_node *residuals = LN_NEW(c->arena, ln_node, c->nlines);
    for (size_t k = 0; residuals != NULL && k < c->nlines; k++)
        residuals[k] = c->lines[k].residual;
    compiled->residuals = (ln_residuals){.graph = c->graph, .row = residuals, .live = c->live};
    return residuals != NULL && keep_nodes(b, compiled, &compiled->residuals);
}

/* Each program works in registers of its own, one behind the other. */
static size_t place_registers(ln_compiled_type *compiled) {
    size_t count = registers(compiled->parametric);
    compiled->source_at = count, count += registers(compiled->source);
    compiled->eval_at = count, count += registers(compiled->eval);
    compiled->value_at = count, count += registers(compiled->value);
    compiled->observed_at = count, count += registers(compiled->observed);
    compiled->breakpoints_at = count;
    if (compiled->breakpoints != NULL)
        count += registers(compiled->breakpoints->program);
    return count;
}

/* Do no slopes depend on unknowns? */
static int is_affine(const ln_builder *b) {
    for (size_t k = 0; k < b->state.count; k++)
        if (ln_depends(b->c->graph, b->state.item[k].node) &
            (1u << LN_LEAF_UNKNOWN | LN_DEPENDS_DER))
            return 0;
    return 1;
}

static linnet_block_class *make_class(ln_builder *b, int reference_port) {
    ln_compile *c = b->c;
    const ln_equations *e = c->equations;
    linnet_block_class *class = LN_NEW(c->arena, linnet_block_class, 1);
    ln_compiled_type *compiled = LN_NEW(c->arena, ln_compiled_type, 1);
    if (class == NULL || compiled == NULL || !compile_programs(b, compiled) ||
        !keep_residuals(b, compiled))
        return NULL;
    compiled->equations = e;
    *class = (linnet_block_class){.abi = LINNET_ABI,
                                  .name = e->name,
                                  .doc = e->doc,
                                  .formula = e->formula,
                                  .example = e->example,
                                  .ports = e->ports,
                                  .nports = c->nports,
                                  .params = e->params,
                                  .nparams = (int)e->nparams,
                                  .aliases = e->aliases,
                                  .naliases = (int)e->naliases,
                                  .fixed = e->fixed,
                                  .nfixed = (int)e->nfixed,
                                  .nvalues = ln_equation_values(e),
                                  .entries = keep(b, b->entries, b->nentries, sizeof *b->entries),
                                  .nentries = (int)b->nentries,
                                  .starts = keep(b, b->starts, b->nstarts, sizeof *b->starts),
                                  .nstarts = (int)b->nstarts,
                                  .reference_port = reference_port,
                                  .nonlinear_rows = row_marks(b, &b->f, &b->q),
                                  .affine = is_affine(b),
                                  .timed_rows = timed_marks(b),
                                  .source_rows = row_marks(b, &b->source, NULL),
                                  .source_varies = b->source_varies,
                                  .nwork = place_registers(compiled),
                                  .data = compiled};
    if (!fill_tables(b, class) || !ln_hybrid_tables(b, &compiled->hybrid, class))
        return NULL;
    ln_runtime_functions(class, compiled);
    return b->failed ? NULL : class;
}

/* ---- the way through ---- */

/* 1 when the type holds its only port's potential at zero and does nothing else. */
static int is_reference(const ln_compile *c) {
    const ln_equations *e = c->equations;
    if (e->nports != 1 || e->ports[0].domain == LINNET_SIGNAL || e->nequations != 1)
        return 0;
    if (e->nvariables + e->nlets + e->nconditions + e->nmemories + e->nevents > 0)
        return 0;
    ln_node left = e->equations[0].left, right = e->equations[0].right;
    return (ln_unknown_index(c->graph, left) == 0 && ln_is_constant(c->graph, right, 0)) ||
           (ln_unknown_index(c->graph, right) == 0 && ln_is_constant(c->graph, left, 0));
}

static linnet_status find_breakpoints(ln_builder *b) {
    ln_compile *c = b->c;
    size_t nextras = (size_t)c->nextras, count = c->nlines + nextras;
    ln_node *nodes = LN_NEW(c->scratch, ln_node, count);
    if (nodes == NULL)
        return ln_no_memory(c->report);
    size_t used = 0;
    for (size_t k = 0; k < c->nlines; k++)
        if (c->lines[k].residual != LN_NONE)
            nodes[used++] = c->lines[k].residual;
    memcpy(nodes + used, c->extras, nextras * sizeof *nodes);
    b->nbreakpoints =
        ln_decide_time(c->graph, nodes, (int)(used + nextras), c->arena, &b->breakpoints);
    if (b->nbreakpoints < 0 || ln_graph_failed(c->graph))
        return ln_no_memory(c->report);
    memcpy(c->extras, nodes + used, nextras * sizeof *nodes);
    used = 0;
    for (size_t k = 0; k < c->nlines; k++)
        if (c->lines[k].residual != LN_NONE)
            c->lines[k].residual = nodes[used++];
    return LINNET_OK;
}

static linnet_status set_up(ln_compile *c) {
    const ln_equations *e = c->equations;
    for (size_t k = 0; k < e->nports; k++)
        if (ln_new_unknown(c, (linnet_var){0}) < 0)
            return LINNET_MEMORY;
    for (size_t k = 0; k < e->nvariables; k++)
        if (ln_new_unknown(c, e->variables[k].var) < 0)
            return LINNET_MEMORY;
    c->flux = LN_NEW(c->scratch, ln_node, e->nports);
    c->used = LN_NEW(c->scratch, char, e->nequations);
    c->extras = LN_NEW(c->scratch, ln_node, e->nlets + e->nevents + e->nsets + (size_t)c->ndelays);
    if (c->flux == NULL || c->used == NULL || c->extras == NULL)
        return ln_no_memory(c->report);
    for (size_t k = 0; k < e->nports; k++)
        c->flux[k] = LN_NONE;
    for (size_t k = 0; k < e->nlets; k++)
        c->extras[c->nextras++] = e->lets[k].node;
    for (size_t k = 0; k < e->nevents; k++)
        c->extras[c->nextras++] = e->events[k].condition;
    for (size_t k = 0; k < e->nsets; k++)
        c->extras[c->nextras++] = e->sets[k].value;
    for (int k = 0; k < c->ndelays; k++)
        c->extras[c->nextras++] = c->delays[k];
    return LINNET_OK;
}

static linnet_status keep_live(ln_compile *c) {
    c->live = LN_NEW(c->arena, ln_node, c->nlines);
    if (c->live == NULL)
        return ln_no_memory(c->report);
    for (size_t k = 0; k < c->nlines; k++)
        c->live[k] = c->lines[k].residual;
    return LINNET_OK;
}

static linnet_status compile(ln_builder *b, const linnet_block_class **class) {
    ln_compile *c = b->c;
    LN_TRY(ln_number_delays(c));
    LN_TRY(set_up(c));
    int reference = is_reference(c);
    if (!reference) {
        LN_TRY(ln_find_fluxes(c));
        LN_TRY(ln_match_rows(c));
        LN_TRY(find_breakpoints(b));
        LN_TRY(ln_name_derivatives(c));
        LN_TRY(keep_live(c));
        LN_TRY(ln_find_modes(c));
        if (c->nlines > LN_FLUX)
            return ln_fail(c->report, LINNET_MODEL, c->equations->place,
                           "block type '%s' has %zu unknowns; at most %d", c->equations->name,
                           c->nlines, LN_FLUX);
        LN_TRY(ln_split_rows(b));
    }
    LN_TRY(ln_collect_starts(b));
    if (c->ndelays > 0 && !ln_delays_to_memories(b))
        return ln_no_memory(c->report);
    if (ln_graph_failed(c->graph) || c->equations->failed || b->failed ||
        ln_arena_failed(c->scratch)) /* names are made do without */
        return ln_no_memory(c->report);
    linnet_block_class *made = make_class(b, reference ? 0 : -1);
    *class = made;
    if (made == NULL)
        return ln_no_memory(c->report);
    if (c->equations->finish != NULL)
        c->equations->finish(c->equations, made);
    return LINNET_OK;
}

linnet_status ln_equations_class(ln_equations *equations, ln_report *report,
                                 const linnet_block_class **class) {
    if (equations->failed || ln_graph_failed(equations->graph))
        return ln_no_memory(report);
    if (equations->nports + equations->nvariables > LN_FLUX)
        return ln_fail(report, LINNET_MODEL, equations->place,
                       "block type '%s' has %zu ports and variables; at most %d", equations->name,
                       equations->nports + equations->nvariables, LN_FLUX);
    ln_compile c = {.equations = equations,
                    .graph = equations->graph,
                    .arena = equations->arena,
                    .scratch = ln_arena_new(),
                    .report = report,
                    .nports = (int)equations->nports};
    ln_builder b = {.c = &c};
    linnet_status status = c.scratch == NULL ? ln_no_memory(report) : compile(&b, class);
    ln_worklist *const lists[] = {&b.linear, &b.source, &b.q,     &b.f,
                                  &b.state,  &b.start,  &b.guess, &b.periods};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        ln_sys->release(lists[k]->item);
    ln_sys->release(b.entries);
    ln_sys->release(b.starts);
    ln_sys->release(c.lines);
    ln_sys->release(c.stamp);
    ln_sys->release(c.list);
    ln_arena_free(c.scratch);
    return status;
}
