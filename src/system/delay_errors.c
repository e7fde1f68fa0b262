/* SPDX-License-Identifier: MIT */
/* Errors that a run carries along pass delays as values do: see delay.h. */
#include "system/delay_line.h"

#include "system/active.h"

#include <math.h>
#include <string.h>

/* Does the hybrid instance ask for anything of the past? A rate is of now. */
static int looks_back(const ln_system *system, int index) {
    const delay_line *lines = system->delays->all + system->delays->first[index];
    int count = 0;
    for (int k = 0; k < system->hybrid[index].instance->block.type->ndelays; k++)
        count += !lines[k].is_derivative;
    return count > 0;
}

void ln_delays_shift(ln_system *system, double part) {
    if (system->delays != NULL)
        system->delays->shift = part;
}

/* What the inputs of an instance's delays are at x, with delayed values off by `part` of their
 * errors; in system->delays->request. */
static void request_beside(const ln_system *system, int index, ln_side side, const double *x,
                           double part) {
    system->delays->shift = part;
    ln_delays_request(system, index, side, x);
    system->delays->shift = 0;
}

linnet_status ln_delays_record_errors(ln_system *system, ln_side side, const double *above,
                                      const double *below, double part) {
    ln_delays *delays = system->delays;
    for (int index = 0; index < system->nhybrid; index++) {
        const int count = system->hybrid[index].instance->block.type->ndelays;
        delay_line *lines = delays->all + delays->first[index];
        if (!looks_back(system, index))
            continue;
        request_beside(system, index, side, above, part);
        for (int k = 0; k < count; k++)
            LN_TRY(ln_error_history_add(&lines[k].errors, side.t, delays->request[k].input));
        request_beside(system, index, side, below, -part);
        for (int k = 0; k < count; k++) {
            ln_error_history *errors = &lines[k].errors;
            ln_error_sample *last = &errors->samples[errors->count - 1];
            last->value = (last->value - delays->request[k].input) / (2 * part);
            if (!isfinite(last->value))
                last->value = 0;
            ln_error_history_forget(errors, side.t - delays->request[k].most);
        }
    }
    return LINNET_OK;
}

linnet_status ln_delays_record_late(ln_system *system, double t, double late) {
    ln_delays *delays = system->delays;
    for (int k = 0; delays != NULL && k < delays->count; k++) {
        delay_line *delay = &delays->all[k];
        if (delay->is_derivative || delay->varies)
            continue;
        LN_TRY(ln_error_history_add(&delay->late, t, late));
        ln_error_history_forget(&delay->late, t - 2 * delay->lag);
    }
    return LINNET_OK;
}

double ln_delays_find_late(const ln_system *system, double t) {
    const ln_delays *delays = system->delays;
    for (int k = 0; delays != NULL && k < delays->count; k++) {
        const delay_line *delay = &delays->all[k];
        const double late =
            ln_error_history_noted(&delay->late, t - delay->lag, LN_SAME_LAG * delay->lag);
        if (fabs(late) > 0)
            return late;
    }
    return 0;
}

/* What an instance gives to its rows at the point with delayed values off by `part` of their
 * errors; own->written. 0: it has no value there. */
static int give_beside(ln_system *system, const ln_active *active, const ln_moment *moment,
                       double part) {
    struct ln_system_private *own = system->own;
    const linnet_block *block = &active->instance->block;
    const linnet_block_class *type = block->type;
    linnet_out out = {own->written, own->written + active->nlocal,
                      own->written + 2 * active->nlocal};
    (void)ln_gather(active, moment->x, own->x);
    system->delays->shift = part;
    const double *m =
        ln_memories_at(system, active->instance, active->hybrid, moment->side, own->x);
    system->delays->shift = 0;
    const linnet_point point = {moment->side.t, moment->side.within, own->x, m};
    memset(own->written, 0, (size_t)(2 * active->nlocal + type->nentries) * sizeof *own->written);
    return (type->value != NULL ? type->value : type->eval)(block, &point, &out) == LINNET_OK;
}

/* rows += weight times what the instance gives to them. */
static void add_given(const ln_system *system, const ln_active *active, double weight,
                      double *rows) {
    const double *f = system->own->written + active->nlocal;
    for (int j = 0; j < active->nlocal; j++) {
        if (active->row[j] >= 0)
            rows[active->row[j]] += weight * f[j];
        if (active->balance_row[j] >= 0)
            rows[active->balance_row[j]] += weight * f[j];
    }
}

void ln_delays_add_error_rows(ln_system *system, ln_side side, const double *x, double part,
                              double *rows) {
    const ln_moment moment = {side, x};
    for (int index = 0; index < system->nhybrid; index++) {
        const ln_active *active = &system->hybrid[index];
        if (active->instance->block.type->eval == NULL || !looks_back(system, index))
            continue;
        for (int by = -1; by <= 1; by += 2)
            if (give_beside(system, active, &moment, by * part))
                add_given(system, active, by / (2 * part), rows);
    }
}
