/* SPDX-License-Identifier: MIT */
/* From the pencil to state matrices. With J x = [z; N'B u] (the transformed rows: z = E x on the
 * differential ones, N'(A x - B u) = 0 on the others) x = T z + S u, and z' = -A x + B u on the
 * differential rows. */
#include "analysis/state_space.h"

#include "analysis/memory_input.h"
#include "analysis/state_space_delays.h"
#include "base/domain.h"
#include "linear/reduce.h"
#include "system/row_transform.h"
#include <math.h>
#include <string.h>

typedef struct making {
    ln_small_signal *small;
    ln_state_space_how how;
    const ln_space_ports *ports;
    ln_state_space *out;
    ln_row_transform *transform;
    ln_linear *linear;
    ln_input *inputs;
    /* what is computed, delays open: n, ninputs, noutputs below are those of it */
    ln_raw_space raw;
    /* n x ninputs, noutputs x n (row by row), noutputs x ninputs (row by row) */
    double *B, *C, *D;
    int *row;      /* per state: its old row */
    double *scale; /* per state: z = scale * state */
    double *T, *S; /* n x states, n x ninputs */
} making;

void ln_state_space_free(ln_state_space *space) {
    ln_arena_free(space->arena);
    *space = (ln_state_space){.n = 0};
}

/* ---- labels ---- */

static const char *unit_of(const ln_network *network, const char *name) {
    ln_quantity quantity;
    return ln_network_find(network, name, &quantity, NULL) && quantity.unit != NULL ? quantity.unit
                                                                                    : "";
}

/* Who stores in the rows of E, for rows with several unknowns: one block between its ports, or
 * more. */
/* instance -1: nobody, -2: several */
typedef struct owner {
    int instance, port;
    double value;
} owner;
typedef struct owning {
    owner *of;
    const ln_network *network;
} owning;

static void own(void *context, int instance, int col, int row, int unknown, double value) {
    owning *search = context;
    owner *of = &search->of[row];
    (void)unknown;
    if (of->instance == -2 || value == 0)
        return;
    if (col >= search->network->instances[instance].block.type->nports ||
        (of->instance >= 0 && of->instance != instance)) {
        of->instance = -2;
    } else if (of->instance < 0 || col < of->port) {
        *of = (owner){instance, col, value};
    }
}

/* State k is row it->row[k] of E, whose entries are counted in `entries`; the last of them stands
 * in column, value. */
static linnet_status label_state(making *maker, int k, int entries, int column, double value,
                                 const owner *of) {
    const ln_network *network = maker->small->system->network;
    ln_state_label *label = &maker->out->states[k];
    *label = (ln_state_label){.unit = ""};
    maker->scale[k] = 1;
    if (entries == 1) {
        maker->scale[k] = value;
        label->name = ln_network_unknown_name(network, column);
        label->unit = unit_of(network, label->name);
    } else if (of->instance >= 0 && entries == 2) {
        const ln_instance *block = &network->instances[of->instance];
        const ln_domain_info *domain = ln_domain(block->block.type->ports[of->port].domain);
        maker->scale[k] = of->value;
        label->name = ln_arena_printf(maker->out->arena, "%s.%s", block->name, domain->potential);
        label->unit = domain->potential_unit;
    } else {
        label->name = ln_arena_printf(maker->out->arena, "q(%s)",
                                      ln_network_unknown_name(network, maker->row[k]));
    }
    return label->name != NULL && !ln_arena_failed(network->arena) ? LINNET_OK : LINNET_MEMORY;
}

static linnet_status label_states(making *maker) {
    const ln_small_signal *small = maker->small;
    ln_arena *arena = maker->out->arena;
    owning owners = {LN_NEW(arena, owner, small->n), small->system->network};
    int *entries = LN_NEW(arena, int, small->n), *column = LN_NEW(arena, int, small->n);
    double *value = LN_NEW(arena, double, small->n), *stored = LN_NEW(arena, double, small->n);
    if (owners.of == NULL || entries == NULL || column == NULL || value == NULL || stored == NULL)
        return LINNET_MEMORY;
    for (int i = 0; i < small->n; i++)
        owners.of[i].instance = -1;
    for (int j = 0; j < small->n; j++)
        for (int k = small->pattern->start[j]; k < small->pattern->start[j + 1]; k++) {
            if (small->E[k] == 0)
                continue;
            int row = small->pattern->row[k];
            entries[row]++;
            column[row] = j;
            value[row] = small->E[k];
            stored[row] += small->E[k] * small->x[j];
        }
    LN_TRY(ln_system_storage(small->system, small->at, own, &owners));
    for (int k = 0; k < maker->raw.n; k++) {
        int row = maker->row[k];
        LN_TRY(label_state(maker, k, entries[row], column[row], value[row], &owners.of[row]));
        maker->out->states[k].value = stored[row] / maker->scale[k];
    }
    return LINNET_OK;
}

/* ---- inputs and outputs ---- */

static linnet_status take_inputs(making *maker, const char *const *names) {
    ln_state_space *out = maker->out;
    size_t n = (size_t)maker->small->n;
    for (int k = 0; k < maker->how.nmemories; k++) {
        const int memory = maker->how.memories[k];
        out->inputs[maker->ports->ninputs + k] =
            (ln_state_label){"", "", maker->small->system->memory[memory]};
        LN_TRY(ln_memory_column(maker->small, memory,
                                maker->B + n * (size_t)(maker->ports->ninputs + k)));
    }
    for (int k = 0; k < maker->ports->ninputs; k++) {
        LN_TRY(ln_small_signal_input(maker->small, names[k], &maker->inputs[k]));
        LN_TRY(ln_small_signal_column(maker->small, &maker->inputs[k], maker->B + n * (size_t)k));
        const char *unit = maker->inputs[k].unit;
        out->inputs[k] = (ln_state_label){names[k], unit != NULL ? unit : "", 0};
    }
    return LINNET_OK;
}

static linnet_status take_outputs(making *maker, const ln_column *columns) {
    ln_state_space *out = maker->out;
    ln_small_signal *small = maker->small;
    for (int k = 0; k < out->noutputs; k++) {
        ln_quantity quantity;
        if (!ln_network_find(small->system->network, columns[k].name, &quantity, NULL))
            return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE, "%s is no output",
                           columns[k].name);
        double *direct = maker->D + (size_t)k * (size_t)maker->raw.ninputs;
        LN_TRY(ln_small_signal_output(small, &quantity, maker->inputs, maker->ports->ninputs,
                                      maker->C + (size_t)k * (size_t)small->n, direct));
        for (int j = 0; j < maker->how.nmemories; j++)
            direct[maker->ports->ninputs + j] =
                ln_memory_direct(small, maker->how.memories[j], &quantity);
        out->outputs[k] =
            (ln_state_label){columns[k].name, columns[k].unit != NULL ? columns[k].unit : "",
                             ln_system_observe(small->system, &quantity, small->at.side, small->x)};
    }
    return LINNET_OK;
}

/* ---- the descriptor form ---- */

static linnet_status fill_descriptor(making *maker) {
    ln_state_space *out = maker->out;
    const ln_small_signal *small = maker->small;
    size_t n = (size_t)out->n;
    const ln_network *network = small->system->network;
    out->E = LN_NEW(out->arena, double, n *n);
    if (out->E == NULL)
        return LINNET_MEMORY;
    for (size_t j = 0; j < n; j++) {
        const char *name = ln_small_signal_name(small, (int)j);
        if (name == NULL || (name = ln_arena_string(out->arena, name)) == NULL)
            return LINNET_MEMORY;
        out->states[j] = (ln_state_label){name, unit_of(network, name), small->x[j]};
        for (int k = small->pattern->start[j]; k < small->pattern->start[j + 1]; k++) {
            out->E[j * n + (size_t)small->pattern->row[k]] = small->E[k];
            out->A[j * n + (size_t)small->pattern->row[k]] = 0 - small->A[k];
        }
        for (int k = 0; k < out->noutputs; k++)
            out->C[j * (size_t)out->noutputs + (size_t)k] = maker->C[(size_t)k * n + j];
    }
    memcpy(out->B, maker->B, n * (size_t)out->ninputs * sizeof *out->B);
    for (int k = 0; k < out->noutputs; k++)
        for (int j = 0; j < out->ninputs; j++)
            out->D[(size_t)j * (size_t)out->noutputs + (size_t)k] =
                maker->D[(size_t)k * (size_t)out->ninputs + (size_t)j];
    return LINNET_OK;
}

/* ---- the state space ---- */

/* T and S by solving with the transformed Jacobian. */
static linnet_status solve_unknowns(making *maker) {
    const ln_row_transform *transform = maker->transform;
    size_t n = (size_t)transform->n;
    for (int k = 0, state = 0; k < transform->n; k++)
        if (transform->differential[k]) {
            maker->T[n * (size_t)state + (size_t)k] = maker->scale[state];
            state++;
        }
    for (int j = 0; j < maker->raw.ninputs; j++) {
        const double *b = maker->B + n * (size_t)j;
        double *s = maker->S + n * (size_t)j;
        for (int k = 0; k < transform->n; k++)
            for (int i = transform->start[k];
                 !transform->differential[k] && i < transform->start[k + 1]; i++)
                s[k] += transform->coefficient[i] * b[transform->row[i]];
        ln_linear_solve(maker->linear, s);
    }
    for (int k = 0; k < maker->raw.n; k++)
        ln_linear_solve(maker->linear, maker->T + n * (size_t)k);
    return LINNET_OK;
}

/* rows[] of -A x + b, divided by the states' scales: one column of A or B. */
static void rates(const making *maker, const double *x, const double *b, double *work,
                  double *column) {
    const ln_small_signal *small = maker->small;
    memset(work, 0, (size_t)small->n * sizeof *work);
    for (int j = 0; j < small->n; j++)
        for (int k = small->pattern->start[j]; x[j] != 0 && k < small->pattern->start[j + 1]; k++)
            work[small->pattern->row[k]] -= small->A[k] * x[j];
    for (int k = 0; k < maker->raw.n; k++) {
        double value = work[maker->row[k]] + (b != NULL ? b[maker->row[k]] : 0);
        column[k] = value / maker->scale[k];
    }
}

/* A column of C or D: c x, plus the direct part. */
static void observe(const making *maker, const double *x, int input, double *column) {
    size_t n = (size_t)maker->small->n;
    for (int k = 0; k < maker->raw.noutputs; k++) {
        double sum =
            input < 0 ? 0 : maker->D[(size_t)k * (size_t)maker->raw.ninputs + (size_t)input];
        for (size_t i = 0; i < n; i++)
            sum += maker->C[(size_t)k * n + i] * x[i];
        column[k] = sum;
    }
}

static linnet_status fill_state_space(making *maker) {
    const ln_raw_space *raw = &maker->raw;
    size_t n = (size_t)maker->small->n, states = (size_t)raw->n, inputs = (size_t)raw->ninputs,
           outputs = (size_t)raw->noutputs;
    maker->T = LN_NEW(maker->out->arena, double, n *states);
    maker->S = LN_NEW(maker->out->arena, double, n *inputs);
    double *work = LN_NEW(maker->out->arena, double, n);
    if (maker->T == NULL || maker->S == NULL || work == NULL)
        return LINNET_MEMORY;
    LN_TRY(label_states(maker));
    LN_TRY(solve_unknowns(maker));
    for (size_t k = 0; k < states; k++) {
        rates(maker, maker->T + n * k, NULL, work, raw->A + states * k);
        observe(maker, maker->T + n * k, -1, raw->C + outputs * k);
    }
    for (size_t j = 0; j < inputs; j++) {
        rates(maker, maker->S + n * j, maker->B + n * j, work, raw->B + states * j);
        observe(maker, maker->S + n * j, (int)j, raw->D + outputs * j);
    }
    maker->out->T = maker->T;
    maker->out->row = maker->row;
    maker->out->scale = maker->scale;
    return ln_raw_space_close(raw, maker->small->report, maker->out);
}

/* The transform at the point, its Jacobian factored. LINNET_RETRY: no state space. */
static linnet_status transform_at_point(making *maker) {
    ln_small_signal *small = maker->small;
    /* leaves dq and df of the point */
    LN_TRY(ln_system_linearise(small->system, small->at, small->E, small->A));
    LN_TRY(ln_row_transform_new(small->system, &maker->transform));
    const ln_pattern *pattern = &maker->transform->pattern;
    double *values = LN_NEW(maker->out->arena, double, pattern->start[small->n]);
    maker->linear = ln_linear_new(pattern, LN_LINEAR_AUTO);
    if (values == NULL || maker->linear == NULL)
        return LINNET_MEMORY;
    ln_row_transform_jacobian(maker->transform, values);
    const ln_factored factored = ln_linear_factor(maker->linear, values);
    if (factored != LN_FACTORED)
        return factored == LN_FACTOR_MEMORY ? LINNET_MEMORY : LINNET_RETRY;
    maker->row = LN_NEW(maker->out->arena, int, maker->transform->rank);
    maker->scale = LN_NEW(maker->out->arena, double, maker->transform->rank);
    if (maker->row == NULL || maker->scale == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < small->n; k++)
        if (maker->transform->differential[k])
            maker->row[maker->raw.n++] = maker->transform->row[maker->transform->start[k]];
    return LINNET_OK;
}

linnet_status ln_state_space_allocate(ln_state_space *space) {
    const size_t n = (size_t)space->n, m = (size_t)space->ninputs, p = (size_t)space->noutputs;
    space->states = LN_NEW(space->arena, ln_state_label, n);
    space->inputs = LN_NEW(space->arena, ln_state_label, m);
    space->outputs = LN_NEW(space->arena, ln_state_label, p);
    space->A = LN_NEW(space->arena, double, n *n);
    space->B = LN_NEW(space->arena, double, n *m);
    space->C = LN_NEW(space->arena, double, p *n);
    space->D = LN_NEW(space->arena, double, p *m);
    return ln_arena_failed(space->arena) ? LINNET_MEMORY : LINNET_OK;
}

static linnet_status allocate(making *maker) {
    ln_state_space *out = maker->out;
    const size_t n = (size_t)maker->small->n, inputs = (size_t)out->ninputs;
    maker->inputs = LN_NEW(out->arena, ln_input, inputs);
    maker->B = LN_NEW(out->arena, double, n *(size_t)maker->raw.ninputs);
    maker->C = LN_NEW(out->arena, double, n *(size_t)maker->raw.noutputs);
    maker->D = LN_NEW(out->arena, double, (size_t)maker->raw.ninputs *(size_t)maker->raw.noutputs);
    return ln_state_space_allocate(out);
}

static linnet_status prepare(making *maker) {
    ln_state_space *out = maker->out;
    if (out->n > LN_STATE_SPACE_LARGEST)
        return ln_fail(maker->small->report, LINNET_FAILED, LN_NOWHERE,
                       "%d states make matrices too large to write down; at most %d", out->n,
                       LN_STATE_SPACE_LARGEST);
    LN_TRY(allocate(maker));
    LN_TRY(take_inputs(maker, maker->ports->inputs));
    return take_outputs(maker, maker->ports->outputs);
}

static linnet_status make_descriptor(making *maker) {
    maker->out->n = maker->small->n;
    LN_TRY(prepare(maker));
    return fill_descriptor(maker);
}

/* Delays are cut: what each gives is an input, what it reads an output, behind those asked for. */
static linnet_status cut_delays(making *maker) {
    ln_raw_space *raw = &maker->raw;
    LN_TRY(ln_raw_space_cut(maker->small, maker->ports, maker->out->pade_order, raw));
    ln_system_delay_gain(maker->small->system, 0);
    linnet_status status = transform_at_point(maker);
    if (status == LINNET_RETRY && raw->pade.nchains > 0)
        return ln_fail(maker->small->report, LINNET_FAILED, LN_NOWHERE,
                       "the model has no state space here: its index is above 1 (linnet eig names "
                       "the blocks) and it has transport delays; use the descriptor form");
    LN_TRY(status);
    maker->out->n = raw->n + raw->pade.nchains * raw->pade.order;
    return LINNET_OK;
}

/* Outputs that see the derivative of an input have no y = C x + D u. */
static linnet_status check_proper(const making *maker, const ln_proper *proper) {
    const ln_state_space *out = maker->out;
    for (int j = 0; j < out->ninputs; j++)
        for (int i = 0; i < out->noutputs; i++)
            if (proper->improper[j * out->noutputs + i])
                return ln_fail(maker->small->report, LINNET_FAILED, LN_NOWHERE,
                               "%s sees the derivative of %s, which y = C x + D u cannot say; "
                               "leave it out, or use the descriptor form",
                               out->outputs[i].name, out->inputs[j].name);
    return LINNET_OK;
}

/* Index above 1: the states are those unknowns that the reduction of the pencil keeps, less what an
 * input gives directly. */
static linnet_status make_reduced(making *maker) {
    ln_state_space *out = maker->out;
    ln_small_signal *small = maker->small;
    const ln_pencil *pencil;
    ln_reduced reduced;
    ln_proper proper;
    LN_TRY(prepare(maker));
    LN_TRY(ln_small_signal_exact(small, &pencil));
    const ln_border border = {out->ninputs, out->noutputs, maker->B, maker->C, maker->D};
    linnet_status status = ln_reduce(pencil, &border, out->arena, &reduced);
    if (status == LINNET_RETRY || status == LINNET_FAILED)
        return ln_fail(small->report, LINNET_FAILED, LN_NOWHERE,
                       "the linearised model is singular here, or of an index too high: it has no "
                       "state space");
    LN_TRY(status);
    LN_TRY(ln_reduced_proper(&reduced, &border, out->arena, &proper));
    LN_TRY(check_proper(maker, &proper));
    out->n = proper.m;
    out->A = proper.A;
    out->B = proper.B;
    out->C = proper.C;
    out->D = proper.D;
    out->states = LN_NEW(out->arena, ln_state_label, out->n);
    if (out->states == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < out->n; k++) {
        const char *name = ln_network_unknown_name(small->system->network, reduced.unknown[k]);
        out->states[k] = (ln_state_label){name, unit_of(small->system->network, name),
                                          small->x[reduced.unknown[k]]};
    }
    return LINNET_OK;
}

static linnet_status make_state_space(making *maker) {
    linnet_status status = cut_delays(maker);
    if (status == LINNET_RETRY)
        return make_reduced(maker);
    LN_TRY(status);
    LN_TRY(prepare(maker));
    LN_TRY(
        ln_raw_space_begin(&maker->raw, maker->small->n, maker->out, maker->B, maker->C, maker->D));
    return fill_state_space(maker);
}

linnet_status ln_state_space_make(ln_small_signal *small, const ln_space_ports *ports,
                                  ln_state_space_how how, ln_state_space *out) {
    const int all_inputs = ports->ninputs + how.nmemories, noutputs = ports->noutputs;
    *out = (ln_state_space){.arena = ln_arena_new(),
                            .ninputs = all_inputs,
                            .noutputs = noutputs,
                            .delays = small->nterms,
                            .pade_order = how.pade_order};
    if (out->arena == NULL)
        return ln_no_memory(small->report);
    making maker = {.small = small,
                    .how = how,
                    .ports = ports,
                    .out = out,
                    .raw = {.ninputs = all_inputs, .noutputs = noutputs}};
    ln_small_signal expanded = {.means = ""};
    linnet_status status = LINNET_OK;
    if (how.descriptor && small->nterms > 0) {
        status = ln_pade_expand(small, how.pade_order, &expanded);
        maker.small = &expanded;
    }
    if (status == LINNET_OK)
        status = how.descriptor ? make_descriptor(&maker) : make_state_space(&maker);
    ln_linear_free(maker.linear);
    ln_row_transform_free(maker.transform);
    if (small->nterms > 0 && !how.descriptor) { /* the delays were cut */
        ln_system_delay_gain(small->system, 1);
        (void)ln_system_linearise(small->system, small->at, small->E, small->A);
    }
    if (status == LINNET_MEMORY)
        status = ln_no_memory(small->report);
    ln_small_signal_free(&expanded);
    return status;
}
