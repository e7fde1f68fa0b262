/* SPDX-License-Identifier: MIT */
/* From the pencil to state matrices. With J x = [z; N'B u] (the transformed rows: z = E x on the differential ones, N'(A x -
 * B u) = 0 on the others) x = T z + S u, and z' = -A x + B u on the differential rows. */
#include "analysis/state_space.h"

#include "analysis/memory_input.h"
#include "analysis/state_space_delays.h"
#include "base/domain.h"
#include "system/transform.h"
#include <math.h>
#include <string.h>

typedef struct making {
    ln_small_signal *small;
    ln_state_space_how how;
    int asked;                     /* inputs by name                                                                  */
    ln_state_space *out;
    ln_transform *transform;
    ln_linear *linear;
    ln_input *inputs;
    ln_raw_space raw;              /* what is computed, delays open: n, ninputs, noutputs below are those of it        */
    double *B, *C, *D;             /* n x ninputs, noutputs x n (row by row), noutputs x ninputs (row by row)          */
    int *row;                      /* per state: its old row                                                          */
    double *scale;                 /* per state: z = scale * state                                                    */
    double *T, *S;                 /* n x states, n x ninputs                                                         */
} making;

void ln_state_space_free(ln_state_space *it) {
    ln_arena_free(it->arena);
    *it = (ln_state_space){.n = 0};
}

/* ---- labels ---- */

static const char *unit_of(const ln_network *network, const char *name) {
    ln_quantity quantity;
    return ln_network_find(network, name, &quantity, NULL) && quantity.unit != NULL ? quantity.unit : "";
}

/* Who stores in the rows of E, for rows with several unknowns: one block between its ports, or more. */
typedef struct owner { int instance, port; double value; } owner; /* instance -1: nobody, -2: several                  */
typedef struct owning { owner *of; const ln_network *network; } owning;

static void own(void *context, int instance, int col, int row, int unknown, double value) {
    owning *it = context;
    owner *of = &it->of[row];
    (void)unknown;
    if (of->instance == -2 || value == 0) return;
    if (col >= it->network->instances[instance].block.type->nports || (of->instance >= 0 && of->instance != instance)) {
        of->instance = -2;
    } else if (of->instance < 0 || col < of->port) {
        *of = (owner){instance, col, value};
    }
}

/* State k is row it->row[k] of E, whose entries are counted in `entries`; the last of them stands in column, value. */
static linnet_status label_state(making *it, int k, int entries, int column, double value, const owner *of) {
    const ln_network *network = it->small->system->network;
    ln_label *label = &it->out->states[k];
    *label = (ln_label){.unit = ""};
    it->scale[k] = 1;
    if (entries == 1) {
        it->scale[k] = value;
        label->name = ln_network_unknown_name(network, column);
        label->unit = unit_of(network, label->name);
    } else if (of->instance >= 0 && entries == 2) {
        const ln_instance *block = &network->instances[of->instance];
        const ln_domain_info *domain = ln_domain(block->block.type->ports[of->port].domain);
        it->scale[k] = of->value;
        label->name = ln_arena_printf(it->out->arena, "%s.%s", block->name, domain->potential);
        label->unit = domain->potential_unit;
    } else {
        label->name = ln_arena_printf(it->out->arena, "q(%s)", ln_network_unknown_name(network, it->row[k]));
    }
    return label->name != NULL ? LINNET_OK : LINNET_MEMORY;
}

static linnet_status label_states(making *it) {
    const ln_small_signal *small = it->small;
    ln_arena *arena = it->out->arena;
    owning owners = {LN_NEW(arena, owner, small->n), small->system->network};
    int *entries = LN_NEW(arena, int, small->n), *column = LN_NEW(arena, int, small->n);
    double *value = LN_NEW(arena, double, small->n), *stored = LN_NEW(arena, double, small->n);
    if (owners.of == NULL || entries == NULL || column == NULL || value == NULL || stored == NULL) return LINNET_MEMORY;
    for (int i = 0; i < small->n; i++) owners.of[i].instance = -1;
    for (int j = 0; j < small->n; j++)
        for (int k = small->pattern->start[j]; k < small->pattern->start[j + 1]; k++) {
            if (small->E[k] == 0) continue;
            int row = small->pattern->row[k];
            entries[row]++;
            column[row] = j;
            value[row] = small->E[k];
            stored[row] += small->E[k] * small->x[j];
        }
    LN_TRY(ln_system_storage(small->system, small->at, own, &owners));
    for (int k = 0; k < it->raw.n; k++) {
        int row = it->row[k];
        LN_TRY(label_state(it, k, entries[row], column[row], value[row], &owners.of[row]));
        it->out->states[k].value = stored[row] / it->scale[k];
    }
    return LINNET_OK;
}

/* ---- inputs and outputs ---- */

static linnet_status take_inputs(making *it, const char *const *names) {
    ln_state_space *out = it->out;
    size_t n = (size_t)it->small->n;
    for (int k = 0; k < it->how.nmemories; k++) {
        const int memory = it->how.memories[k];
        out->inputs[it->asked + k] = (ln_label){"", "", it->small->system->memory[memory]};
        LN_TRY(ln_memory_column(it->small, memory, it->B + n * (size_t)(it->asked + k)));
    }
    for (int k = 0; k < it->asked; k++) {
        LN_TRY(ln_small_signal_input(it->small, names[k], &it->inputs[k]));
        LN_TRY(ln_small_signal_column(it->small, &it->inputs[k], it->B + n * (size_t)k));
        const char *unit = it->inputs[k].unit;
        out->inputs[k] = (ln_label){names[k], unit != NULL ? unit : "", 0};
    }
    return LINNET_OK;
}

static linnet_status take_outputs(making *it, const ln_column *columns) {
    ln_state_space *out = it->out;
    ln_small_signal *small = it->small;
    for (int k = 0; k < out->noutputs; k++) {
        ln_quantity quantity;
        if (!ln_network_find(small->system->network, columns[k].name, &quantity, NULL))
            return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE, "%s is no output", columns[k].name);
        double *direct = it->D + (size_t)k * (size_t)it->raw.ninputs;
        LN_TRY(ln_small_signal_output(small, &quantity, it->inputs, it->asked, it->C + (size_t)k * (size_t)small->n, direct));
        for (int j = 0; j < it->how.nmemories; j++)
            direct[it->asked + j] = ln_memory_direct(small, it->how.memories[j], &quantity);
        out->outputs[k] = (ln_label){columns[k].name, columns[k].unit != NULL ? columns[k].unit : "",
                                     ln_system_observe(small->system, &quantity, small->at.t, small->at.decide, small->x)};
    }
    return LINNET_OK;
}

/* ---- the descriptor form ---- */

static linnet_status fill_descriptor(making *it) {
    ln_state_space *out = it->out;
    const ln_small_signal *small = it->small;
    size_t n = (size_t)out->n;
    const ln_network *network = small->system->network;
    out->E = LN_NEW(out->arena, double, n * n);
    if (out->E == NULL) return LINNET_MEMORY;
    for (size_t j = 0; j < n; j++) {
        const char *name = ln_small_signal_name(small, (int)j);
        if (name == NULL || (name = ln_arena_string(out->arena, name)) == NULL) return LINNET_MEMORY;
        out->states[j] = (ln_label){name, unit_of(network, name), small->x[j]};
        for (int k = small->pattern->start[j]; k < small->pattern->start[j + 1]; k++) {
            out->E[j * n + (size_t)small->pattern->row[k]] = small->E[k];
            out->A[j * n + (size_t)small->pattern->row[k]] = 0 - small->A[k];
        }
        for (int k = 0; k < out->noutputs; k++) out->C[j * (size_t)out->noutputs + (size_t)k] = it->C[(size_t)k * n + j];
    }
    memcpy(out->B, it->B, n * (size_t)out->ninputs * sizeof *out->B);
    for (int k = 0; k < out->noutputs; k++)
        for (int j = 0; j < out->ninputs; j++)
            out->D[(size_t)j * (size_t)out->noutputs + (size_t)k] = it->D[(size_t)k * (size_t)out->ninputs + (size_t)j];
    return LINNET_OK;
}

/* ---- the state space ---- */

/* T and S by solving with the transformed Jacobian. */
static linnet_status solve_unknowns(making *it) {
    const ln_transform *transform = it->transform;
    size_t n = (size_t)transform->n;
    for (int k = 0, state = 0; k < transform->n; k++)
        if (transform->differential[k]) {
            it->T[n * (size_t)state + (size_t)k] = it->scale[state];
            state++;
        }
    for (int j = 0; j < it->raw.ninputs; j++) {
        const double *b = it->B + n * (size_t)j;
        double *s = it->S + n * (size_t)j;
        for (int k = 0; k < transform->n; k++)
            for (int i = transform->start[k]; !transform->differential[k] && i < transform->start[k + 1]; i++)
                s[k] += transform->coefficient[i] * b[transform->row[i]];
        ln_linear_solve(it->linear, s);
    }
    for (int k = 0; k < it->raw.n; k++) ln_linear_solve(it->linear, it->T + n * (size_t)k);
    return LINNET_OK;
}

/* rows[] of -A x + b, divided by the states' scales: one column of A or B. */
static void rates(const making *it, const double *x, const double *b, double *work, double *column) {
    const ln_small_signal *small = it->small;
    memset(work, 0, (size_t)small->n * sizeof *work);
    for (int j = 0; j < small->n; j++)
        for (int k = small->pattern->start[j]; x[j] != 0 && k < small->pattern->start[j + 1]; k++)
            work[small->pattern->row[k]] -= small->A[k] * x[j];
    for (int k = 0; k < it->raw.n; k++) {
        double value = work[it->row[k]] + (b != NULL ? b[it->row[k]] : 0);
        column[k] = value / it->scale[k];
    }
}

/* A column of C or D: c x, plus the direct part. */
static void observe(const making *it, const double *x, int input, double *column) {
    size_t n = (size_t)it->small->n;
    for (int k = 0; k < it->raw.noutputs; k++) {
        double sum = input < 0 ? 0 : it->D[(size_t)k * (size_t)it->raw.ninputs + (size_t)input];
        for (size_t i = 0; i < n; i++) sum += it->C[(size_t)k * n + i] * x[i];
        column[k] = sum;
    }
}

static linnet_status fill_state_space(making *it) {
    const ln_raw_space *raw = &it->raw;
    size_t n = (size_t)it->small->n, states = (size_t)raw->n, inputs = (size_t)raw->ninputs,
           outputs = (size_t)raw->noutputs;
    it->T = LN_NEW(it->out->arena, double, n * states);
    it->S = LN_NEW(it->out->arena, double, n * inputs);
    double *work = LN_NEW(it->out->arena, double, n);
    if (it->T == NULL || it->S == NULL || work == NULL) return LINNET_MEMORY;
    LN_TRY(label_states(it));
    LN_TRY(solve_unknowns(it));
    for (size_t k = 0; k < states; k++) {
        rates(it, it->T + n * k, NULL, work, raw->A + states * k);
        observe(it, it->T + n * k, -1, raw->C + outputs * k);
    }
    for (size_t j = 0; j < inputs; j++) {
        rates(it, it->S + n * j, it->B + n * j, work, raw->B + states * j);
        observe(it, it->S + n * j, (int)j, raw->D + outputs * j);
    }
    it->out->T = it->T;
    it->out->row = it->row;
    it->out->scale = it->scale;
    return ln_raw_space_close(raw, it->small->report, it->out);
}

/* The transform at the point, its Jacobian factored. LINNET_RETRY: no state space. */
static linnet_status transform_at_point(making *it) {
    ln_small_signal *small = it->small;
    LN_TRY(ln_system_linearise(small->system, small->at, small->E, small->A)); /* leaves dq and df of the point */
    LN_TRY(ln_transform_new(small->system, &it->transform));
    const ln_pattern *pattern = &it->transform->pattern;
    double *values = LN_NEW(it->out->arena, double, pattern->start[small->n]);
    it->linear = ln_linear_new(pattern, LN_LINEAR_AUTO);
    if (values == NULL || it->linear == NULL) return LINNET_MEMORY;
    ln_transform_jacobian(it->transform, values);
    if (ln_linear_factor(it->linear, values) != LN_FACTORED) return LINNET_RETRY;
    it->row = LN_NEW(it->out->arena, int, it->transform->rank);
    it->scale = LN_NEW(it->out->arena, double, it->transform->rank);
    if (it->row == NULL || it->scale == NULL) return LINNET_MEMORY;
    for (int k = 0; k < small->n; k++)
        if (it->transform->differential[k]) it->row[it->raw.n++] = it->transform->row[it->transform->start[k]];
    return LINNET_OK;
}

static linnet_status allocate(making *it) {
    ln_state_space *out = it->out;
    size_t n = (size_t)it->small->n, inputs = (size_t)out->ninputs, outputs = (size_t)out->noutputs,
           states = (size_t)out->n;
    it->inputs = LN_NEW(out->arena, ln_input, inputs);
    it->B = LN_NEW(out->arena, double, n * (size_t)it->raw.ninputs);
    it->C = LN_NEW(out->arena, double, n * (size_t)it->raw.noutputs);
    it->D = LN_NEW(out->arena, double, (size_t)it->raw.ninputs * (size_t)it->raw.noutputs);
    out->states = LN_NEW(out->arena, ln_label, states);
    out->inputs = LN_NEW(out->arena, ln_label, inputs);
    out->outputs = LN_NEW(out->arena, ln_label, outputs);
    out->A = LN_NEW(out->arena, double, states * states);
    out->B = LN_NEW(out->arena, double, states * inputs);
    out->C = LN_NEW(out->arena, double, outputs * states);
    out->D = LN_NEW(out->arena, double, outputs * inputs);
    return it->inputs && it->B && it->C && it->D && out->states && out->inputs && out->outputs && out->A && out->B &&
                   out->C && out->D ? LINNET_OK : LINNET_MEMORY;
}

static linnet_status prepare(making *it, const char *const *inputs, const ln_column *outputs) {
    ln_state_space *out = it->out;
    if (out->n > LN_STATE_SPACE_LARGEST)
        return ln_fail(it->small->report, LINNET_FAILED, LN_NOWHERE,
                       "%d states make matrices too large to write down; at most %d", out->n, LN_STATE_SPACE_LARGEST);
    LN_TRY(allocate(it));
    LN_TRY(take_inputs(it, inputs));
    return take_outputs(it, outputs);
}

static linnet_status make_descriptor(making *it, const char *const *inputs, const ln_column *outputs) {
    it->out->n = it->small->n;
    LN_TRY(prepare(it, inputs, outputs));
    return fill_descriptor(it);
}

/* Delays are cut: what each gives is an input, what it reads an output, behind those asked for. */
static linnet_status cut_delays(making *it, const char *const *inputs, const ln_column *outputs) {
    ln_raw_space *raw = &it->raw;
    LN_TRY(ln_raw_space_cut(it->small, inputs, it->asked, outputs, it->out->noutputs, it->out->pade_order, raw));
    ln_system_delay_gain(it->small->system, 0);
    linnet_status status = transform_at_point(it);
    if (status == LINNET_RETRY)
        return ln_fail(it->small->report, LINNET_FAILED, LN_NOWHERE,
                       "the model has no state space here: its index is above 1 (linnet eig names the blocks); use the "
                       "descriptor form");
    LN_TRY(status);
    it->out->n = raw->n + raw->pade.nchains * raw->pade.order;
    return LINNET_OK;
}

static linnet_status make_state_space(making *it, const char *const *inputs, const ln_column *outputs) {
    LN_TRY(cut_delays(it, inputs, outputs));
    LN_TRY(prepare(it, inputs, outputs));
    LN_TRY(ln_raw_space_begin(&it->raw, it->small->n, it->out, it->B, it->C, it->D));
    return fill_state_space(it);
}

linnet_status ln_state_space_make(ln_small_signal *small, const char *const *inputs, int ninputs, const ln_column *outputs,
                                  int noutputs, ln_state_space_how how, ln_state_space *out) {
    const int all_inputs = ninputs + how.nmemories;
    *out = (ln_state_space){.arena = ln_arena_new(), .ninputs = all_inputs, .noutputs = noutputs, .delays = small->nterms,
                            .pade_order = how.pade_order};
    if (out->arena == NULL) return ln_no_memory(small->report);
    making it = {.small = small, .how = how, .asked = ninputs, .out = out,
                 .raw = {.ninputs = all_inputs, .noutputs = noutputs}};
    ln_small_signal expanded = {.means = ""};
    linnet_status status = LINNET_OK;
    if (how.descriptor && small->nterms > 0) {
        status = ln_pade_expand(small, how.pade_order, &expanded);
        it.small = &expanded;
    }
    if (status == LINNET_OK)
        status = how.descriptor ? make_descriptor(&it, inputs, outputs) : make_state_space(&it, inputs, outputs);
    ln_linear_free(it.linear);
    ln_transform_free(it.transform);
    if (small->nterms > 0 && !how.descriptor) { /* the delays were cut */
        ln_system_delay_gain(small->system, 1);
        (void)ln_system_linearise(small->system, small->at, small->E, small->A);
    }
    if (status == LINNET_MEMORY) status = ln_no_memory(small->report);
    ln_small_signal_free(&expanded);
    return status;
}
