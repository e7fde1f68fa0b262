/* SPDX-License-Identifier: MIT */
/* Eigenvalues of the small-signal model, sorted, with the states that take part in them by name. */
#include "analysis/modes.h"

#include "base/domain.h"
#include "linear/linear.h"
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void ln_modes_free(ln_modes *modes) {
    ln_arena_free(modes->arena);
    *modes = (ln_modes){0};
}

/* ---- numbers ---- */

double ln_mode_time(const ln_eigenmode *mode) {
    return mode->re == 0 ? INFINITY : -1 / mode->re;
}
double ln_mode_frequency(const ln_eigenmode *mode) {
    return hypot(mode->re, mode->im) / (2 * acos(-1));
}
double ln_mode_damping(const ln_eigenmode *mode) {
    double size = hypot(mode->re, mode->im);
    return size > 0 ? -mode->re / size : NAN;
}

double ln_modes_stiffness(const ln_modes *modes) {
    double most = 0, least = INFINITY;
    for (int k = 0; k < modes->count; k++) {
        const ln_eigenmode *mode = &modes->modes[k];
        if (!(mode->re < -1e-12 * hypot(mode->re, mode->im)))
            continue;
        most = fmax(most, -mode->re);
        least = fmin(least, -mode->re);
    }
    return most > 0 ? most / least : NAN;
}

double ln_modes_step(const ln_modes *modes, const ln_method *method, int *limiting) {
    const ln_tableau *tableau = ln_tableau_find(method->name);
    *limiting = -1;
    return tableau == NULL ? INFINITY
                           : ln_stable_step(tableau, modes->values, modes->count, limiting);
}

/* ---- participation ---- */

/* A state that a user can name: an own variable of a block, or the storage between its ports. */
typedef struct named_state {
    int instance, col, unknown;
    const char *name;
} named_state;

typedef struct storing {
    ln_modes *out;
    named_state *states; /* room for as many as there are entries */
    int nstates;
    struct entry {
        int state, row, unknown;
        double value;
    } * entries;
    int nentries, counting;
} storing;

/* Entries come block by block, so the search goes over the last block's states only. */
static int state_of(storing *storage, int instance, int col) {
    int nports = storage->out->small->system->network->instances[instance].block.type->nports;
    if (col < nports)
        col = -1;
    for (int k = storage->nstates - 1; k >= 0 && storage->states[k].instance == instance; k--)
        if (storage->states[k].col == col)
            return k;
    storage->states[storage->nstates] = (named_state){instance, col, -1, NULL};
    return storage->nstates++;
}

static void take_entry(void *context, int instance, int col, int row, int unknown, double value) {
    storing *storage = context;
    if (storage->counting) {
        storage->nentries++;
        return;
    }
    int state = state_of(storage, instance, col);
    storage->states[state].unknown = unknown;
    storage->entries[storage->nentries].state = state;
    storage->entries[storage->nentries].row = row;
    storage->entries[storage->nentries].unknown = unknown;
    storage->entries[storage->nentries++].value = value;
}

/* "C1.v" for what a block stores between its ports, "L1.i" or "plant.x1" for its variables. */
static const char *state_name(const storing *storage, const named_state *state) {
    const ln_network *network = storage->out->small->system->network;
    if (state->col >= 0)
        return ln_small_signal_name(storage->out->small, state->unknown);
    const ln_instance *block = &network->instances[state->instance];
    const linnet_port *port = &block->block.type->ports[0];
    const char *potential = ln_domain(port->domain)->potential;
    if (potential[0] == '\0')
        return ln_small_signal_name(storage->out->small, state->unknown);
    return ln_arena_printf(storage->out->arena, "%s.%s", block->name, potential);
}

static linnet_status list_storage(storing *storage) {
    ln_small_signal *small = storage->out->small;
    storage->counting = 1;
    LN_TRY(ln_small_signal_storage(small, take_entry, storage));
    storage->entries =
        ln_arena_alloc(storage->out->arena, (size_t)storage->nentries, sizeof *storage->entries);
    storage->states = LN_NEW(storage->out->arena, named_state, storage->nentries);
    if (storage->entries == NULL || storage->states == NULL)
        return LINNET_MEMORY;
    storage->nentries = storage->counting = 0;
    LN_TRY(ln_small_signal_storage(small, take_entry, storage));
    for (int k = 0; k < storage->nstates; k++)
        if ((storage->states[k].name = state_name(storage, &storage->states[k])) == NULL)
            return LINNET_MEMORY;
    return LINNET_OK;
}

static int by_share(const void *a, const void *b) {
    double x = ((const ln_participant *)a)->share, y = ((const ln_participant *)b)->share;
    return (x < y) - (x > y);
}

/* work: a complex number per state. */
static linnet_status participate(const storing *storage, const double *right, const double *left,
                                 double complex *work, ln_eigenmode *mode) {
    memset(work, 0, (size_t)storage->nstates * sizeof *work);
    for (int k = 0; k < storage->nentries; k++) {
        const struct entry *e = &storage->entries[k];
        double complex w = left[2 * e->row] - left[2 * e->row + 1] * I;
        double complex x = right[2 * e->unknown] + right[2 * e->unknown + 1] * I;
        work[e->state] += w * e->value * x;
    }
    double sum = 0;
    int count = 0;
    for (int k = 0; k < storage->nstates; k++)
        sum += cabs(work[k]);
    for (int k = 0; k < storage->nstates; k++)
        count += cabs(work[k]) > 1e-3 * sum;
    mode->states = LN_NEW(storage->out->arena, ln_participant, count);
    if (mode->states == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < storage->nstates; k++)
        if (cabs(work[k]) > 1e-3 * sum)
            mode->states[mode->nstates++] =
                (ln_participant){storage->states[k].name, cabs(work[k]) / sum};
    qsort(mode->states, (size_t)mode->nstates, sizeof *mode->states, by_share);
    return LINNET_OK;
}

/* ---- the index ---- */

/* Names of what is hidden: unknowns by weight, and blocks that store in the rows left over. */
typedef struct tying {
    ln_modes *out;
    const ln_eigen *eigen;
    char *is_tied;
} tying;

static void tie(void *context, int instance, int col, int row, int unknown, double value) {
    tying *ties = context;
    (void)col;
    (void)unknown;
    if (value != 0 && ties->eigen->hidden_row[row])
        ties->is_tied[instance] = 1;
}

static linnet_status name_hidden(ln_modes *out, const ln_eigen *eigen) {
    const ln_network *network = out->small->system->network;
    tying tied = {out, eigen, LN_NEW(out->arena, char, network->ninstances)};
    out->hidden = LN_NEW(out->arena, const char *, eigen->n);
    out->tied = LN_NEW(out->arena, const char *, network->ninstances);
    if (tied.is_tied == NULL || out->hidden == NULL || out->tied == NULL)
        return LINNET_MEMORY;
    for (int i = 0; i < eigen->n; i++)
        if (eigen->hidden_unknown[i] &&
            (out->hidden[out->nhidden++] = ln_small_signal_name(out->small, i)) == NULL)
            return LINNET_MEMORY;
    LN_TRY(ln_small_signal_storage(out->small, tie, &tied));
    for (int i = 0; i < network->ninstances; i++)
        if (tied.is_tied[i])
            out->tied[out->ntied++] = network->instances[i].name;
    return LINNET_OK;
}

/* ---- all of it ---- */

typedef struct numbered {
    double re, im;
    int number;
} numbered;

static int by_size(const void *a, const void *b) {
    const numbered *x = a, *y = b;
    return ln_eigen_by_size((const double[]){x->re, x->im}, (const double[]){y->re, y->im});
}

static linnet_status take_modes(ln_modes *out, const ln_eigen *eigen) {
    size_t n = (size_t)eigen->n;
    numbered *order = LN_NEW(out->arena, numbered, eigen->count);
    double *values = LN_NEW(out->arena, double, 2 * (size_t)eigen->count);
    storing storage = {.out = out};
    out->modes = LN_NEW(out->arena, ln_eigenmode, eigen->count);
    if (order == NULL || values == NULL || out->modes == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < eigen->count; k++)
        order[k] = (numbered){eigen->value[2 * k], eigen->value[2 * k + 1], k};
    qsort(order, (size_t)eigen->count, sizeof *order, by_size);
    LN_TRY(list_storage(&storage));
    double complex *work = LN_NEW(out->arena, double complex, storage.nstates);
    if (work == NULL)
        return LINNET_MEMORY;
    for (int k = 0; k < eigen->count; k++) {
        const int from = order[k].number;
        ln_eigenmode *mode = &out->modes[k];
        values[2 * k] = mode->re = order[k].re;
        values[2 * k + 1] = mode->im = order[k].im;
        mode->residual = eigen->residual[from];
        mode->uncertainty = eigen->uncertainty[from];
        LN_TRY(participate(&storage, eigen->right + 2 * n * (size_t)from,
                           eigen->left + 2 * n * (size_t)from, work, mode));
        out->count++;
    }
    out->values = values;
    return LINNET_OK;
}

static linnet_status explain(const ln_small_signal *small, linnet_status status, int count) {
    if (status == LINNET_RETRY && count > 0)
        return ln_fail(small->report, LINNET_FAILED, LN_NOWHERE,
                       "the point that modes are sought near is a mode itself, or the model is "
                       "singular; choose another point");
    if (status == LINNET_RETRY)
        return ln_fail(small->report, LINNET_FAILED, LN_NOWHERE,
                       "the linearised model is singular here: its equations leave an unknown open "
                       "whatever the "
                       "frequency; linnet run tells more");
    if (status == LINNET_FAILED)
        return ln_fail(small->report, LINNET_FAILED, LN_NOWHERE,
                       "the search for modes has not converged%s",
                       count > 0 ? "; ask for fewer or choose another point" : "");
    return status == LINNET_MEMORY ? ln_no_memory(small->report) : status;
}

/* Points to the right of the one asked for, when that is a mode itself: an integrator at 0. */
static linnet_status find_near(const ln_small_signal *small, const ln_pencil *pencil,
                               const ln_eigen_wish *wish, ln_arena *arena, ln_eigen *eigen) {
    static const double aside[] = {0, 1e-3, 1, 1e3};
    linnet_status status = LINNET_RETRY;
    for (size_t k = 0; status == LINNET_RETRY && k < sizeof aside / sizeof *aside; k++) {
        ln_eigen_wish beside = *wish;
        beside.re += aside[k] * fmax(1, hypot(wish->re, wish->im));
        status = ln_eigen_near(pencil, &beside, arena, eigen);
    }
    return explain(small, status, wish->count);
}

linnet_status ln_modes_find(ln_small_signal *small, int count, double re, double im,
                            ln_modes *out) {
    const ln_pencil *pencil;
    ln_eigen eigen;
    *out = (ln_modes){.small = small, .arena = ln_arena_new(), .all = count == 0, .index = -1};
    if (out->arena == NULL)
        return ln_no_memory(small->report);
    if (out->all && small->n > LN_DENSE_MODES)
        return ln_fail(small->report, LINNET_USAGE, LN_NOWHERE,
                       "the model has %d unknowns, too many for all its modes; ask for some of "
                       "them: --count 10 --near 0",
                       small->n);
    LN_TRY(ln_small_signal_exact(small, &pencil));
    if (out->all)
        LN_TRY(explain(small, ln_eigen_dense(pencil, 1, out->arena, &eigen), 0));
    else
        LN_TRY(find_near(small, pencil, &(ln_eigen_wish){re, im, count, 1}, out->arena, &eigen));
    out->index = eigen.index;
    linnet_status status = take_modes(out, &eigen);
    if (status == LINNET_OK && eigen.index > 1)
        status = name_hidden(out, &eigen);
    return status == LINNET_MEMORY ? ln_no_memory(small->report) : status;
}
