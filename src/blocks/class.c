/* SPDX-License-Identifier: MIT */
/* Last step of a block type: rows become tables and programs.
 *
 * Each row's residual is r = f + dq/dt. Its DER terms make q = sum(coefficient * argument); q and f are taken apart once
 * more, and what is linear becomes CONSTANT entries, what depends on unknowns goes to eval() with STATE entries, what is
 * known goes to source() with the other sign. A q that depends on time alone is left to eval(), for source() has no
 * place for it; one of parameters alone has no derivative and is dropped. An unknown that stands in both a linear and a
 * nonlinear part of a row has one STATE entry that covers both. */
#include "base/domain.h"
#include "base/sys.h"
#include "blocks/compile.h"

#include <string.h>

/* Nodes to compile, each with the row or entry it belongs to. */
typedef struct worklist {
    struct { ln_node node; int place; } *item;
    size_t count, room;
} worklist;

typedef struct builder {
    ln_compile *c;
    linnet_entry *entries;
    size_t nentries, entries_room;
    worklist linear, source, q, f, state, start, guess;
    linnet_start *starts;
    size_t nstarts, starts_room;
    const ln_corner *corners;
    int ncorners;
    int source_varies, failed;
} builder;

static void put(builder *b, worklist *list, ln_node node, int place) {
    if (node == LN_NONE) b->failed = 1;
    if (!LN_GROW(list->item, list->count, list->room)) {
        list->count = 0;
        b->failed = 1;
        return;
    }
    list->item[list->count].node = node;
    list->item[list->count++].place = place;
}

static void put_entry(builder *b, int row, int col, linnet_kind kind, linnet_change change, ln_node value) {
    if (!LN_GROW(b->entries, b->nentries, b->entries_room)) {
        b->nentries = 0;
        b->failed = 1;
        return;
    }
    b->entries[b->nentries] = (linnet_entry){(short)row, (short)col, kind, change};
    put(b, change == LINNET_STATE ? &b->state : &b->linear, value, (int)b->nentries++);
}

/* ---- rows ---- */

/* One STATE entry for each unknown of the nonlinear part; its linear term joins that part. */
static int put_nonlinear(builder *b, int row, linnet_kind kind, ln_sum *sum) {
    ln_compile *c = b->c;
    ln_graph *g = c->graph;
    ln_node *parts;
    int count = ln_parts(c, sum->nonlinear, LN_PART_UNKNOWN, &parts);
    for (int k = 0; k < count; k++) {
        ln_node slope = ln_derivative(g, sum->nonlinear, parts[k]);
        if (slope == LN_NONE) return 0;
        if (ln_is_constant(g, slope, 0)) continue;
        for (int i = 0; i < sum->nterms; i++) {
            if (sum->terms[i].part != parts[k]) continue;
            ln_node factor = sum->terms[i].coefficient;
            slope = ln_operation(g, LN_OP_ADD, slope, factor, LN_NONE);
            sum->nonlinear = ln_operation(g, LN_OP_ADD, sum->nonlinear,
                                          ln_operation(g, LN_OP_MUL, factor, parts[k], LN_NONE), LN_NONE);
            sum->terms[i].coefficient = ln_constant(g, 0);
        }
        put_entry(b, row, ln_unknown_index(g, parts[k]), kind, LINNET_STATE, slope);
    }
    put(b, kind == LINNET_E ? &b->q : &b->f, sum->nonlinear, row);
    return count >= 0;
}

/* Splits q or f of a row into entries, nonlinear and known parts; q of DER terms is collected in *charge. */
static int put_sum(builder *b, int row, linnet_kind kind, ln_node node, ln_node *charge) {
    ln_graph *g = b->c->graph;
    ln_sum sum;
    if (!ln_take_apart(b->c, node, &sum)) return 0;
    int varies = !ln_is_settled(g, sum.known);
    if (kind == LINNET_E && varies) {
        sum.nonlinear = ln_operation(g, LN_OP_ADD, sum.nonlinear, sum.known, LN_NONE);
    } else if (kind == LINNET_A && !ln_is_constant(g, sum.known, 0)) {
        put(b, &b->source, ln_operation(g, LN_OP_NEG, sum.known, LN_NONE, LN_NONE), row);
        b->source_varies |= varies;
    }
    if (!ln_is_constant(g, sum.nonlinear, 0) && !put_nonlinear(b, row, kind, &sum)) return 0;
    for (int k = sum.nterms - 1; k >= 0; k--) { /* terms come in falling order */
        ln_node part = sum.terms[k].part, factor = sum.terms[k].coefficient;
        if (ln_is_constant(g, factor, 0)) continue;
        int unknown = ln_unknown_index(g, part);
        if (unknown >= 0) {
            put_entry(b, row, unknown, kind, LINNET_CONSTANT, factor);
            continue;
        }
        ln_node stored = ln_operation(g, LN_OP_MUL, factor, ln_node_arg(g, part, 0), LN_NONE);
        *charge = *charge == LN_NONE ? stored : ln_operation(g, LN_OP_ADD, *charge, stored, LN_NONE);
    }
    return !b->failed;
}

static linnet_status split_rows(builder *b) {
    ln_compile *c = b->c;
    linnet_status status = LINNET_OK;
    for (int row = 0; row < (int)c->nlines; row++) {
        if (c->lines[row].residual == LN_NONE) continue;
        size_t entries = b->nentries, f = b->f.count;
        ln_node charge = LN_NONE, none = LN_NONE;
        if (!put_sum(b, row, LINNET_A, c->lines[row].residual, &charge)) return ln_no_memory(c->report);
        if (charge != LN_NONE && !put_sum(b, row, LINNET_E, charge, &none)) return ln_no_memory(c->report);
        int is_flux = row < c->nports && c->equations->ports[row].domain != LINNET_SIGNAL;
        if (b->nentries == entries && b->f.count == f && !is_flux)
            status = ln_fail(c->report, LINNET_MODEL, c->lines[row].place,
                             "block type '%s': the equation%s%s%s determines nothing, for no unknown is left in it; "
                             "change or remove it", c->equations->name, row < c->nports ? "" : " '",
                             row < c->nports ? "" : c->lines[row].row.name, row < c->nports ? "" : "'");
    }
    return status;
}

/* ---- start values ---- */

static linnet_status put_start(builder *b, const char *name, int first, int second, ln_node value, ln_place place) {
    ln_compile *c = b->c;
    if (value == LN_NONE) value = ln_constant(c->graph, 0);
    if (!ln_is_settled(c->graph, value))
        return ln_fail(c->report, LINNET_MODEL, place,
                       "block type '%s': the start value of '%s' may depend on parameters only", c->equations->name, name);
    if (!LN_GROW(b->starts, b->nstarts, b->starts_room)) {
        b->nstarts = 0;
        return ln_no_memory(c->report);
    }
    b->starts[b->nstarts++] = (linnet_start){name, {(short)first, (short)second}};
    put(b, &b->start, value, 0);
    return LINNET_OK;
}

/* The condition `x` or `x - y`. */
static linnet_status put_condition(builder *b, const ln_condition *it) {
    ln_graph *g = b->c->graph;
    int first = ln_unknown_index(g, it->of), second = -1;
    if (first < 0 && ln_node_op(g, it->of) == LN_OP_SUB) {
        first = ln_unknown_index(g, ln_node_arg(g, it->of, 0));
        second = ln_unknown_index(g, ln_node_arg(g, it->of, 1));
        if (second < 0) first = -1;
    }
    if (first < 0)
        return ln_fail(b->c->report, LINNET_MODEL, it->place,
                       "block type '%s': <start of=\"...\"> takes one unknown or the difference of two ('p.v - n.v'); "
                       "a flux counts only where no equation gives it explicitly", b->c->equations->name);
    const char *name = it->parameter != NULL ? it->parameter : ln_arena_string(b->c->arena, ln_unknown_name(b->c, first));
    if (name == NULL) return ln_no_memory(b->c->report);
    return put_start(b, name, first, second, it->value, it->place);
}

static linnet_status collect_starts(builder *b) {
    const ln_equations *e = b->c->equations;
    linnet_status status = LINNET_OK;
    for (int k = 0; k < (int)e->nvariables; k++) {
        const ln_variable *it = &e->variables[k];
        int unknown = b->c->nports + k;
        if (it->start != LN_NONE && ln_is_settled(b->c->graph, it->start)) put(b, &b->guess, it->start, unknown);
        if (!(it->var.flags & LINNET_START_FIXED)) continue;
        const char *name = it->start_parameter != NULL ? it->start_parameter : it->var.name;
        linnet_status one = put_start(b, name, unknown, -1, it->start, e->place);
        if (one != LINNET_OK) status = one;
    }
    for (size_t k = 0; k < e->nconditions; k++) {
        linnet_status one = put_condition(b, &e->conditions[k]);
        if (one != LINNET_OK) status = one;
    }
    return status;
}

/* ---- programs ---- */

static const int *places(builder *b, const worklist *list) {
    int *place = LN_NEW(b->c->arena, int, list->count);
    if (place == NULL) b->failed = 1;
    for (size_t k = 0; place != NULL && k < list->count; k++) place[k] = list->item[k].place;
    return place;
}

/* The program of some lists, one behind the other; NULL when memory is short. */
static const ln_program *compile_lists(builder *b, const worklist *const *lists, int nlists) {
    ln_compile *c = b->c;
    size_t total = 0;
    int count = 0;
    for (int k = 0; k < nlists; k++) total += lists[k]->count;
    ln_node *nodes = LN_NEW(c->scratch, ln_node, total);
    if (nodes == NULL) return NULL;
    for (int k = 0; k < nlists; k++)
        for (size_t i = 0; i < lists[k]->count; i++) nodes[count++] = lists[k]->item[i].node;
    return ln_program_compile(c->arena, c->graph, nodes, count);
}

static int compile_programs(builder *b, ln_compiled *compiled) {
    ln_compile *c = b->c;
    const worklist none = {0}, *const settled[] = {&b->linear, b->source_varies ? &none : &b->source, &b->start, &b->guess};
    const worklist *const source[] = {&b->source}, *const eval[] = {&b->q, &b->f, &b->state};
    const int has_source = b->source_varies, has_eval = b->q.count + b->f.count > 0, has_lets = c->equations->nlets > 0;
    compiled->settled = compile_lists(b, settled, 4);
    if (has_source) compiled->source = compile_lists(b, source, 1);
    if (has_eval) compiled->eval = compile_lists(b, eval, 3);
    if (has_lets) compiled->observed = ln_program_compile(c->arena, c->graph, c->lets, (int)c->equations->nlets);
    if (b->ncorners > 0) compiled->corners = ln_corners_compile(c->arena, c->graph, b->corners, b->ncorners);
    if (compiled->settled == NULL || (has_source && compiled->source == NULL) || (has_eval && compiled->eval == NULL) ||
        (has_lets && compiled->observed == NULL) || (b->ncorners > 0 && compiled->corners == NULL))
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

static void *keep(builder *b, const void *items, size_t count, size_t size) {
    void *copy = ln_arena_alloc(b->c->arena, count, size);
    if (copy == NULL) b->failed = 1;
    else if (count > 0) memcpy(copy, items, count * size);
    return copy;
}

/* One character per row: the sum of the marks of the lists that write it. NULL when none does. */
static const char *row_marks(builder *b, const worklist *ones, const worklist *twos) {
    size_t n = b->c->nlines, nothing = ones->count == 0 && (twos == NULL || twos->count == 0);
    char *marks = nothing ? NULL : ln_arena_alloc(b->c->arena, n + 1, 1);
    if (nothing) return NULL;
    if (marks == NULL) {
        b->failed = 1;
        return NULL;
    }
    memset(marks, '0', n);
    for (size_t k = 0; k < ones->count; k++) marks[ones->item[k].place] = (char)(marks[ones->item[k].place] | 1);
    for (size_t k = 0; twos != NULL && k < twos->count; k++)
        marks[twos->item[k].place] = (char)(marks[twos->item[k].place] | 2);
    return marks;
}

static size_t registers(const ln_program *program) { return program != NULL ? (size_t)program->registers : 0; }

static const linnet_block_class *make_class(builder *b, int reference_port) {
    ln_compile *c = b->c;
    const ln_equations *e = c->equations;
    linnet_block_class *class = LN_NEW(c->arena, linnet_block_class, 1);
    ln_compiled *compiled = LN_NEW(c->arena, ln_compiled, 1);
    int nvars = (int)c->nlines - c->nports;
    linnet_var *vars = LN_NEW(c->arena, linnet_var, nvars);
    linnet_row *rows = LN_NEW(c->arena, linnet_row, nvars);
    ln_node *residuals = LN_NEW(c->arena, ln_node, c->nlines);
    const char **observed = LN_NEW(c->arena, const char *, e->nlets);
    if (class == NULL || compiled == NULL || vars == NULL || rows == NULL || residuals == NULL || observed == NULL ||
        !compile_programs(b, compiled))
        return NULL;
    for (int k = 0; k < nvars; k++) {
        vars[k] = c->lines[c->nports + k].var;
        rows[k] = c->lines[c->nports + k].row;
    }
    for (size_t k = 0; k < c->nlines; k++) residuals[k] = c->lines[k].residual;
    for (size_t k = 0; k < e->nlets; k++) observed[k] = e->lets[k].name;
    compiled->residuals = (ln_residuals){c->graph, residuals};
    *class = (linnet_block_class){
        .abi = LINNET_ABI, .name = e->name, .doc = e->doc, .formula = e->formula, .example = e->example,
        .ports = e->ports, .nports = c->nports, .params = e->params, .nparams = (int)e->nparams,
        .nvalues = ln_equation_values(e), .vars = vars, .nvars = nvars, .rows = rows,
        .entries = keep(b, b->entries, b->nentries, sizeof *b->entries), .nentries = (int)b->nentries,
        .starts = keep(b, b->starts, b->nstarts, sizeof *b->starts), .nstarts = (int)b->nstarts,
        .reference_port = reference_port, .nonlinear_rows = row_marks(b, &b->f, &b->q),
        .source_rows = row_marks(b, &b->source, NULL), .source_varies = b->source_varies,
        .observed = observed, .nobserved = (int)e->nlets, .data = compiled};
    class->nwork = registers(compiled->settled);
    compiled->source_at = class->nwork, class->nwork += registers(compiled->source);
    compiled->eval_at = class->nwork, class->nwork += registers(compiled->eval);
    compiled->observed_at = class->nwork, class->nwork += registers(compiled->observed);
    compiled->corners_at = class->nwork, class->nwork += compiled->corners != NULL ? registers(compiled->corners->program) : 0;
    ln_runtime_functions(class, compiled);
    return b->failed ? NULL : class;
}

/* ---- the way through ---- */

int ln_new_unknown(ln_compile *c, linnet_var var) {
    if (!LN_GROW(c->lines, c->nlines, c->lines_room)) {
        c->nlines = 0;
        (void)ln_no_memory(c->report);
        return -1;
    }
    c->lines[c->nlines] = (ln_line){.var = var, .residual = LN_NONE, .place = c->equations->place};
    return (int)c->nlines++;
}

const char *ln_unknown_name(const ln_compile *c, int unknown) {
    if (unknown >= LN_FLUX) {
        const linnet_port *port = &c->equations->ports[unknown - LN_FLUX];
        const char *flux = ln_arena_printf(c->scratch, "%s.%s", port->name, ln_domain(port->domain)->flux);
        return flux != NULL ? flux : port->name;
    }
    if (unknown >= c->nports) return c->lines[unknown].var.name;
    const linnet_port *port = &c->equations->ports[unknown];
    if (port->domain == LINNET_SIGNAL) return port->name;
    const char *name = ln_arena_printf(c->scratch, "%s.%s", port->name, ln_domain(port->domain)->potential);
    return name != NULL ? name : port->name;
}

/* 1 when the type holds its only port's potential at zero and does nothing else. */
static int is_reference(const ln_compile *c) {
    const ln_equations *e = c->equations;
    if (e->nports != 1 || e->ports[0].domain == LINNET_SIGNAL || e->nequations != 1) return 0;
    if (e->nvariables + e->nlets + e->nconditions > 0) return 0;
    ln_node left = e->equations[0].left, right = e->equations[0].right;
    return (ln_unknown_index(c->graph, left) == 0 && ln_is_constant(c->graph, right, 0)) ||
           (ln_unknown_index(c->graph, right) == 0 && ln_is_constant(c->graph, left, 0));
}

static linnet_status find_corners(builder *b) {
    ln_compile *c = b->c;
    size_t nlets = c->equations->nlets, count = c->nlines + nlets;
    ln_node *nodes = LN_NEW(c->scratch, ln_node, count);
    if (nodes == NULL) return ln_no_memory(c->report);
    size_t used = 0;
    for (size_t k = 0; k < c->nlines; k++)
        if (c->lines[k].residual != LN_NONE) nodes[used++] = c->lines[k].residual;
    memcpy(nodes + used, c->lets, nlets * sizeof *nodes);
    b->ncorners = ln_decide_time(c->graph, nodes, (int)(used + nlets), c->arena, &b->corners);
    if (b->ncorners < 0 || ln_graph_failed(c->graph)) return ln_no_memory(c->report);
    memcpy(c->lets, nodes + used, nlets * sizeof *nodes);
    used = 0;
    for (size_t k = 0; k < c->nlines; k++)
        if (c->lines[k].residual != LN_NONE) c->lines[k].residual = nodes[used++];
    return LINNET_OK;
}

static linnet_status set_up(ln_compile *c) {
    const ln_equations *e = c->equations;
    for (size_t k = 0; k < e->nports; k++)
        if (ln_new_unknown(c, (linnet_var){0}) < 0) return LINNET_MEMORY;
    for (size_t k = 0; k < e->nvariables; k++)
        if (ln_new_unknown(c, e->variables[k].var) < 0) return LINNET_MEMORY;
    c->flux = LN_NEW(c->scratch, ln_node, e->nports);
    c->used = LN_NEW(c->scratch, char, e->nequations);
    c->lets = LN_NEW(c->scratch, ln_node, e->nlets);
    if (c->flux == NULL || c->used == NULL || c->lets == NULL) return ln_no_memory(c->report);
    for (size_t k = 0; k < e->nports; k++) c->flux[k] = LN_NONE;
    for (size_t k = 0; k < e->nlets; k++) c->lets[k] = e->lets[k].node;
    return LINNET_OK;
}

static linnet_status compile(builder *b, const linnet_block_class **class) {
    ln_compile *c = b->c;
    LN_TRY(set_up(c));
    int reference = is_reference(c);
    if (!reference) {
        LN_TRY(ln_find_fluxes(c));
        LN_TRY(ln_match_rows(c));
        LN_TRY(find_corners(b));
        LN_TRY(ln_name_derivatives(c));
        if (c->nlines > LN_FLUX)
            return ln_fail(c->report, LINNET_MODEL, c->equations->place, "block type '%s' has %zu unknowns; at most %d",
                           c->equations->name, c->nlines, LN_FLUX);
        LN_TRY(split_rows(b));
    }
    LN_TRY(collect_starts(b));
    if (ln_graph_failed(c->graph) || b->failed) return ln_no_memory(c->report);
    *class = make_class(b, reference ? 0 : -1);
    return *class == NULL ? ln_no_memory(c->report) : LINNET_OK;
}

linnet_status ln_equations_class(ln_equations *equations, ln_report *report, const linnet_block_class **class) {
    if (equations->failed || ln_graph_failed(equations->graph)) return ln_no_memory(report);
    if (equations->nports + equations->nvariables > LN_FLUX)
        return ln_fail(report, LINNET_MODEL, equations->place, "block type '%s' has %zu ports and variables; at most %d",
                       equations->name, equations->nports + equations->nvariables, LN_FLUX);
    ln_compile c = {.equations = equations, .graph = equations->graph, .arena = equations->arena,
                    .scratch = ln_arena_new(), .report = report, .nports = (int)equations->nports};
    builder b = {.c = &c};
    linnet_status status = c.scratch == NULL ? ln_no_memory(report) : compile(&b, class);
    worklist *const lists[] = {&b.linear, &b.source, &b.q, &b.f, &b.state, &b.start, &b.guess};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) ln_sys->release(lists[k]->item);
    ln_sys->release(b.entries);
    ln_sys->release(b.starts);
    ln_sys->release(c.lines);
    ln_sys->release(c.stamp);
    ln_sys->release(c.list);
    ln_arena_free(c.scratch);
    return status;
}
