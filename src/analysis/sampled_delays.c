/* SPDX-License-Identifier: MIT */
/* A sampled model with transport delays of held signals, exactly.
 *
 * A signal e that changes at the ticks of the period P only comes out of a delay T = m P + r, 0 <
 * r <= P, as what it was m + 1 periods ago, and from r after the ticks on as what it was m periods
 * ago; a tick at which it returns (r = P) sees what returns, as in a run. So the delay is cut: what
 * it gives is an input that changes once, r after the ticks, what it reads an output; and m + 1
 * values of e from the past are the states
 *
 *     q1 = e[k-1], ..., q(m+1) = e[k-m-1]. */
#include "analysis/sampled_period.h"

#include "system/delay.h"
#include <math.h>
#include <string.h>

static const double SAME = 1e-9; /* of a period: a delay that is none */

typedef struct late {
    const ln_instance *block;
    const char *from, *to; /* links */
    double lag;
    int periods; /* m */
    int first;   /* its q1 among the states */
} late;

typedef struct lateness {
    ln_small_signal *small;
    ln_arena *arena;
    const ln_space_ports *ports; /* asked for */
    late *late;
    int count;
    ln_state_space cut; /* inputs: asked for, given before, given from r on; outputs likewise */
    double *read, *before, *after; /* by column of (states, inputs asked for): count values each */
    ln_state_space *out;
} lateness;

static linnet_status refuse(const ln_small_signal *small, const ln_instance *block,
                            const char *why) {
    return ln_fail(small->report, LINNET_FAILED, block->place,
                   "%s: a model with transport delays is sampled where these are transport-delay "
                   "blocks behind a hold, and %s; put a pade-delay in its place, or whole periods "
                   "of a sample-delay",
                   block->name, why);
}

/* ---- cut open ---- */

static linnet_status list_delays(lateness *all) {
    const ln_small_signal *small = all->small;
    const ln_network *network = small->system->network;
    all->late = LN_NEW(all->arena, late, small->nterms);
    if (all->late == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < small->nterms; k++) {
        const ln_instance *block = &network->instances[small->terms[k].instance];
        const linnet_block_class *type = block->block.type;
        const int plain = type->nports == 2 && type->nvars == 0 && type->ndelays == 1 &&
                          !type->lags_vary && type->ports[0].domain == LINNET_SIGNAL &&
                          (type->ports[0].flags & LINNET_INPUT) &&
                          type->ports[1].domain == LINNET_SIGNAL;
        if (!plain || block->links[0] < 0 || block->links[1] < 0)
            return refuse(small, block, "this one is none");
        all->late[all->count++] = (late){.block = block,
                                         .from = network->links[block->links[0]].name,
                                         .to = network->links[block->links[1]].name,
                                         .lag = small->terms[k].lag};
    }
    return LINNET_OK;
}

/* The linearised model without what the delays pass on, of matrices of its own. */
static linnet_status open_delays(const lateness *all, ln_small_signal *open) {
    ln_small_signal *small = all->small;
    const size_t size = (size_t)small->pattern->start[small->n];
    *open = *small;
    open->nterms = 0;
    open->pencil = NULL;
    open->E = LN_NEW(all->arena, double, size);
    open->A = LN_NEW(all->arena, double, size);
    if (open->E == NULL || open->A == NULL)
        return LINNET_MEMORY;
    if (small->at_rest)
        ln_delays_freeze(small->system, small->at.side, small->x);
    ln_system_delay_gain(small->system, 0);
    return ln_system_linearise(small->system, small->at, open->E, open->A);
}

static void close_delays(const lateness *all) {
    ln_small_signal *small = all->small;
    ln_system_delay_gain(small->system, 1);
    if (small->at_rest)
        ln_delays_release(small->system);
    (void)ln_system_linearise(small->system, small->at, small->E, small->A);
}

static linnet_status sample_cut(lateness *all, const ln_settings *settings) {
    const ln_space_ports *ports = all->ports;
    const int m = ports->ninputs, p = ports->noutputs, count = all->count;
    const char **inputs = LN_NEW(all->arena, const char *, m + count);
    ln_column *outputs = LN_NEW(all->arena, ln_column, p + count);
    ln_period_change *changes = LN_NEW(all->arena, ln_period_change, count);
    ln_small_signal open;
    if (inputs == NULL || outputs == NULL || changes == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < m; k++)
        inputs[k] = ports->inputs[k];
    for (int k = 0; k < p; k++)
        outputs[k] = ports->outputs[k];
    for (int k = 0; k < count; k++) {
        inputs[m + k] = all->late[k].to;
        outputs[p + k] = (ln_column){.name = all->late[k].from};
        changes[k].lag = all->late[k].lag;
    }
    linnet_status status = open_delays(all, &open);
    if (status == LINNET_OK)
        status = ln_sampled_period(&open, settings,
                                   &(ln_space_ports){inputs, m + count, outputs, p + count},
                                   &(ln_period_changes){changes, count}, &all->cut);
    close_delays(all);
    for (int k = 0; k < count && status == LINNET_OK; k++) {
        if (changes[k].moves)
            return refuse(all->small, all->late[k].block, "what it reads changes between ticks");
        if (changes[k].instants > 1)
            return refuse(all->small, all->late[k].block, "all clocks tick at once");
        if (all->late[k].lag < SAME * all->cut.period)
            return refuse(all->small, all->late[k].block, "its delay is not zero");
        all->late[k].periods = ln_whole_periods(all->late[k].lag, all->cut.period);
    }
    return status;
}

/* ---- closed again ---- */

/* What the delays read and give, of one column of the states and inputs. */
static void fill_given(lateness *all, int col) {
    const ln_state_space *cut = &all->cut;
    const int p = all->ports->noutputs, m = all->ports->ninputs, rows = cut->noutputs;
    const int states = all->out->n, count = all->count;
    double *read = all->read + col * count, *before = all->before + col * count,
           *after = all->after + col * count;
    for (int k = 0; k < count; k++) {
        const late *delay = &all->late[k];
        before[k] = col == delay->first + delay->periods;
        after[k] = delay->periods > 0 && col == delay->first + delay->periods - 1;
    }
    for (int k = 0; k < count; k++) {
        read[k] = col < cut->n    ? cut->C[col * rows + p + k]
                  : col >= states ? cut->D[(col - states) * rows + p + k]
                                  : 0;
        for (int j = 0; j < count; j++)
            read[k] += cut->D[(m + j) * rows + p + k] * before[j];
        if (all->late[k].periods == 0)
            after[k] = read[k];
    }
}

static void fill_column(const lateness *all, int col, double *next, double *seen) {
    const ln_state_space *cut = &all->cut;
    const int m = all->ports->ninputs, rows = cut->noutputs, states = all->out->n,
              count = all->count;
    const double *before = all->before + col * count, *after = all->after + col * count;
    for (int i = 0; i < cut->n; i++) {
        next[i] = col < cut->n    ? cut->A[col * cut->n + i]
                  : col >= states ? cut->B[(col - states) * cut->n + i]
                                  : 0;
        for (int j = 0; j < count; j++)
            next[i] += cut->B[(m + j) * cut->n + i] * before[j] +
                       cut->B[(m + count + j) * cut->n + i] * after[j];
    }
    for (int i = 0; i < all->ports->noutputs; i++) {
        seen[i] = col < cut->n    ? cut->C[col * rows + i]
                  : col >= states ? cut->D[(col - states) * rows + i]
                                  : 0;
        for (int j = 0; j < count; j++)
            seen[i] += cut->D[(m + j) * rows + i] * before[j];
    }
    for (int k = 0; k < count; k++)
        for (int i = 0; i <= all->late[k].periods; i++) {
            const int own = all->late[k].first + i;
            next[own] = i == 0 ? all->read[col * count + k] : col == own - 1;
        }
}

static linnet_status label(const lateness *all) {
    ln_state_space *out = all->out;
    memcpy(out->inputs, all->cut.inputs, (size_t)out->ninputs * sizeof *out->inputs);
    memcpy(out->outputs, all->cut.outputs, (size_t)out->noutputs * sizeof *out->outputs);
    for (int k = 0; k < out->n; k++) {
        int delay = -1;
        for (int j = 0; j < all->count; j++)
            delay = k >= all->late[j].first ? j : delay;
        out->states[k] = delay < 0 ? all->cut.states[k] : (ln_state_label){.unit = ""};
        out->states[k].name =
            delay < 0 ? ln_arena_string(out->arena, all->cut.states[k].name)
                      : ln_arena_printf(out->arena, "%s.past[%d]", all->late[delay].block->name,
                                        k - all->late[delay].first + 1);
        if (out->states[k].name == NULL)
            return LINNET_MEMORY;
    }
    return LINNET_OK;
}

static linnet_status close_model(lateness *all) {
    ln_state_space *out = all->out;
    out->period = all->cut.period;
    out->n = all->cut.n;
    for (int k = 0; k < all->count; k++) {
        all->late[k].first = out->n;
        if (all->late[k].periods >= LN_STATE_SPACE_LARGEST - out->n)
            return refuse(all->small, all->late[k].block, "of no more than a thousand periods");
        out->n += all->late[k].periods + 1;
    }
    const size_t given = (size_t)(out->n + out->ninputs) * (size_t)all->count;
    all->read = LN_NEW(all->arena, double, given);
    all->before = LN_NEW(all->arena, double, given);
    all->after = LN_NEW(all->arena, double, given);
    if (!LN_ALL_SET(all->read, all->before, all->after))
        return LINNET_MEMORY;
    LN_TRY(ln_state_space_allocate(out));
    for (int col = 0; col < out->n + out->ninputs; col++) {
        const int u = col - out->n;
        fill_given(all, col);
        fill_column(all, col, u < 0 ? out->A + col * out->n : out->B + u * out->n,
                    u < 0 ? out->C + col * out->noutputs : out->D + u * out->noutputs);
    }
    return label(all);
}

static linnet_status make(lateness *all, const ln_settings *settings) {
    LN_TRY(list_delays(all));
    LN_TRY(sample_cut(all, settings));
    return close_model(all);
}

linnet_status ln_sampled_make(ln_small_signal *small, const ln_settings *settings,
                              const ln_space_ports *ports, ln_state_space *out) {
    if (small->nterms == 0)
        return ln_sampled_period(small, settings, ports, NULL, out);
    *out = (ln_state_space){
        .arena = ln_arena_new(), .ninputs = ports->ninputs, .noutputs = ports->noutputs};
    if (out->arena == NULL)
        return ln_no_memory(small->report);
    lateness all = {.small = small, .arena = small->arena, .ports = ports, .out = out};
    const linnet_status status = make(&all, settings);
    ln_state_space_free(&all.cut);
    return status == LINNET_MEMORY ? ln_no_memory(small->report) : status;
}
