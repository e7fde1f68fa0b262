/* SPDX-License-Identifier: MIT */
/* Modes for people (text), for other programs (JSON) and for tables (CSV). */
#include "cli/eig.h"

#include "base/visible.h"

#include "cli/listing.h"
#include "result/document.h"
#include "model/model.h"
#include <math.h>
#include <string.h>

static const double DOUBTFUL = 1e-6; /* relative uncertainty, or residual, that is told */

/* ---- text ---- */

static int is_pair(const ln_modes *modes, int k) {
    return modes->modes[k].im > 0 && k + 1 < modes->count &&
           modes->modes[k + 1].re == modes->modes[k].re &&
           modes->modes[k + 1].im == -modes->modes[k].im;
}

/* "1", or "1, 2" for a pair. */
static void number_text(const ln_modes *modes, int k, char text[32]) {
    if (k > 0 && modes->modes[k].im < 0 && is_pair(modes, k - 1))
        k--;
    if (is_pair(modes, k))
        snprintf(text, 32, "%d, %d", k + 1, k + 2);
    else
        snprintf(text, 32, "%d", k + 1);
}

static void complex_text(double re, double im, int pair, char text[64]) {
    if (im == 0)
        snprintf(text, 64, "%.7g", re);
    else if (pair)
        snprintf(text, 64, "%.7g +- %.7gi", re, fabs(im));
    else
        snprintf(text, 64, "%.7g %c %.7gi", re, im < 0 ? '-' : '+', fabs(im));
}

/* The states that make up most of the mode. */
static void states_text(const ln_eigenmode *mode, char text[160]) {
    double told = 0;
    size_t length = 0;
    text[0] = '\0';
    for (int k = 0; k < mode->nstates && k < 5 && told < 0.95 && length < 150; k++) {
        int n = snprintf(text + length, 160 - length, "%s%s %.0f %%", k > 0 ? ", " : "",
                         mode->states[k].name, 100 * mode->states[k].share);
        length += n > 0 ? (size_t)n : 0;
        told += mode->states[k].share;
    }
    if (length < 150 && told < 0.95)
        snprintf(text + length, 160 - length, ", ...");
}

static void print_modes(const ln_modes *modes, ln_arena *arena, ln_text *text) {
    ln_listing table = {.arena = arena};
    if (modes->count == 0)
        return;
    ln_listing_row(&table, "mode", "eigenvalue [1/s]", "time constant", "frequency", "damping",
                   "states", NULL);
    for (int k = 0; k < modes->count; k++) {
        const ln_eigenmode *mode = &modes->modes[k];
        char number[32], value[64], time[48], buffer[32], frequency[32] = "", damping[32] = "",
                                                          states[160];
        number_text(modes, k, number);
        complex_text(mode->re, mode->im, is_pair(modes, k), value);
        snprintf(time, sizeof time, mode->re == 0 ? "-" : "%s%s",
                 ln_time_text(buffer, fabs(ln_mode_time(mode)), 6), mode->re > 0 ? ", grows" : "");
        if (mode->im != 0) {
            snprintf(frequency, sizeof frequency, "%.6g Hz", ln_mode_frequency(mode));
            snprintf(damping, sizeof damping, "%.4g", mode->re == 0 ? 0 : ln_mode_damping(mode));
        }
        states_text(mode, states);
        ln_listing_row(&table, number, value, time, frequency, damping, states, NULL);
        k += is_pair(modes, k);
    }
    ln_listing_text(&table, 2, text);
}

/* Modes that the rounding of the model's own numbers leaves open, or that do not satisfy it. */
static void print_doubts(const ln_modes *modes, ln_text *text) {
    for (int k = 0; k < modes->count; k++) {
        const ln_eigenmode *mode = &modes->modes[k];
        const double size = hypot(mode->re, mode->im);
        char number[32];
        number_text(modes, k, number);
        if (mode->residual > DOUBTFUL)
            ln_text_printf(text, "\nmode %s is doubtful: it satisfies the model to %.1g only\n",
                           number, mode->residual);
        else if (isinf(mode->uncertainty))
            ln_text_printf(text, "\nmode %s meets another one: rounding may part them\n", number);
        else if (mode->uncertainty > DOUBTFUL * size)
            ln_text_printf(text,
                           "\nmode %s is uncertain by %.1g 1/s: so much does the rounding of the "
                           "model's own numbers move it\n",
                           number, mode->uncertainty);
        k += is_pair(modes, k);
    }
}

static void print_index(const ln_modes *modes, ln_text *text) {
    if (modes->index < 2)
        return;
    ln_text_printf(text, "\nindex %d: ", modes->index);
    for (int k = 0; k < modes->nhidden && k < 8; k++)
        ln_text_printf(text, "%s%s", k > 0 ? ", " : "", modes->hidden[k]);
    ln_text_printf(text, " follow%s a derivative, because the algebra ties what is stored in ",
                   modes->nhidden == 1 ? "s" : "");
    for (int k = 0; k < modes->ntied && k < 8; k++)
        ln_text_printf(text, "%s%s", k > 0 ? ", " : "", modes->tied[k]);
    ln_text_printf(text, "%s\n", modes->ntied > 8 ? ", ..." : "");
}

static void print_steps(const ln_eig_view *view, ln_text *text) {
    const ln_modes *modes = view->modes;
    double stiffness = ln_modes_stiffness(modes);
    if (isfinite(stiffness))
        ln_text_printf(text, "\nstiffness ratio %.6g%s\n", stiffness,
                       modes->all ? "" : " (of these modes)");
    ln_text_printf(text, "largest stable step%s:", modes->all ? "" : " as far as these modes tell");
    for (int k = 0, told = 0; ln_method_at(k) != NULL; k++) {
        const ln_method *method = ln_method_at(k);
        char step[32], number[32] = "";
        int limiting;
        if (method->implicit)
            continue;
        double longest = ln_modes_step(modes, method, &limiting);
        if (limiting >= 0)
            number_text(modes, limiting, number);
        ln_text_printf(text, "%s %s ", told++ > 0 ? ";" : "", method->name);
        if (limiting < 0)
            ln_text_add(text, "any");
        else
            ln_text_printf(text, "%s (mode %s)",
                           longest == 0 ? "none" : ln_time_text(step, longest, 6), number);
    }
    ln_text_add(text, "\n");
}

/* Of a model with clocks: the modes above are those of the time between ticks. */
static void print_multipliers(const ln_multipliers *all, ln_arena *arena, ln_text *text) {
    ln_listing table = {.arena = arena};
    if (all->why_none != NULL)
        ln_text_printf(text,
                       "\nThe modes above are those between ticks, memories standing still. There "
                       "are no multipliers over the\nperiod of the clocks: %s\n",
                       all->why_none);
    if (all->period <= 0)
        return;
    ln_text_printf(text,
                   "\nThe modes above are those between ticks, memories standing still. Over the "
                   "common period of the clocks,\n%.9g s, x[k+1] = A x[k] has %d multiplier%s (the "
                   "eigenvalues of A), of which %d grow%s:\n",
                   all->period, all->count, all->count == 1 ? "" : "s", all->growing,
                   all->growing == 1 ? "s" : "");
    if (all->count > 0)
        ln_listing_row(&table, "multiplier", "size", NULL);
    for (int k = 0; k < all->count; k++) {
        const double *z = all->value + 2 * k;
        const int pair = z[1] > 0 && k + 1 < all->count && z[2] == z[0] && z[3] == -z[1];
        char value[64], size[48];
        complex_text(z[0], z[1], pair, value);
        snprintf(size, sizeof size, "%.7g%s", hypot(z[0], z[1]),
                 hypot(z[0], z[1]) > 1 ? ", grows" : "");
        ln_listing_row(&table, value, size, NULL);
        k += pair;
    }
    ln_listing_text(&table, 2, text);
}

static void print_transfer(const ln_eig_view *view, ln_arena *arena, ln_text *text) {
    const ln_transfer *transfer = view->transfer;
    ln_listing table = {.arena = arena};
    if (transfer == NULL)
        return;
    ln_text_printf(text, "\nfrom %s to %s: ", view->input, view->output);
    if (transfer->none) {
        ln_text_add(text, "the output does not see the input\n");
        return;
    }
    ln_text_printf(text, "gain %.9g", transfer->gain);
    if (isfinite(transfer->at_zero))
        ln_text_printf(text, ", at s = 0: %.9g", transfer->at_zero);
    ln_text_printf(text, "; %d pole%s (the modes), %d zero%s\n", view->modes->count,
                   view->modes->count == 1 ? "" : "s", transfer->nzeros,
                   transfer->nzeros == 1 ? "" : "s");
    if (transfer->nzeros > 0)
        ln_listing_row(&table, "zero", "value [1/s]", NULL);
    for (int k = 0; k < transfer->nzeros; k++) {
        const double *z = transfer->zeros + 2 * k;
        int pair = z[1] > 0 && k + 1 < transfer->nzeros && z[2] == z[0] && z[3] == -z[1];
        char number[32], value[64];
        snprintf(number, sizeof number, pair ? "%d, %d" : "%d", k + 1, k + 2);
        complex_text(z[0], z[1], pair, value);
        ln_listing_row(&table, number, value, NULL);
        k += pair;
    }
    ln_listing_text(&table, 2, text);
}

void ln_eig_text(const ln_eig_view *view, ln_arena *arena, ln_text *text) {
    char where[96], delays[96];
    const ln_modes *modes = view->modes;
    const ln_model *model = view->point->model;
    ln_linear_point_text(view->point, where);
    ln_text_printf(text, "%s %s: %d unknowns, %d mode%s%s",
                   model->path != NULL ? ln_visible_in(model->arena, model->path) : model->name,
                   where, view->point->small.n, modes->count, modes->count == 1 ? "" : "s",
                   modes->all ? "" : " nearest to the point");
    if (modes->index >= 0)
        ln_text_printf(text, ", index %d", modes->index);
    ln_text_add(text, "\n");
    ln_linear_point_delays(view->point->small.nterms, view->pade_order, delays);
    ln_text_add(text, delays);
    print_modes(modes, arena, text);
    print_doubts(modes, text);
    print_index(modes, text);
    if (modes->count > 0)
        print_steps(view, text);
    print_multipliers(view->multipliers, arena, text);
    print_transfer(view, arena, text);
}

/* ---- JSON ---- */

static void json_list(ln_json *json, const char *name, const char *const *items, int count) {
    ln_json_begin(json, name, LN_JSON_LIST);
    for (int k = 0; k < count; k++)
        ln_json_text(json, NULL, items[k]);
    ln_json_end(json);
}

static void json_mode(const ln_eigenmode *mode, ln_json *json) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_number(json, "re", mode->re);
    ln_json_number(json, "im", mode->im);
    ln_json_number(json, "time_constant", ln_mode_time(mode));
    ln_json_number(json, "frequency", ln_mode_frequency(mode));
    ln_json_number(json, "damping", ln_mode_damping(mode));
    ln_json_number(json, "uncertainty", mode->uncertainty);
    ln_json_number(json, "residual", mode->residual);
    ln_json_begin(json, "states", LN_JSON_LIST);
    for (int k = 0; k < mode->nstates; k++) {
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "name", mode->states[k].name);
        ln_json_number(json, "share", mode->states[k].share);
        ln_json_end(json);
    }
    ln_json_end(json);
    ln_json_end(json);
}

static void json_steps(const ln_eig_view *view, ln_json *json) {
    ln_json_begin(json, "stable_steps", LN_JSON_LIST);
    for (int k = 0; ln_method_at(k) != NULL; k++) {
        const ln_method *method = ln_method_at(k);
        int limiting;
        if (method->implicit)
            continue;
        const double step = ln_modes_step(view->modes, method, &limiting);
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "method", method->name);
        ln_json_number(json, "step", step);
        if (limiting >= 0)
            ln_json_integer(json, "mode", limiting + 1);
        ln_json_end(json);
    }
    ln_json_end(json);
}

/* Complex numbers, as pairs. */
static void json_complex(ln_json *json, const char *name, const double *pairs, int count) {
    ln_json_begin(json, name, LN_JSON_LIST);
    for (int k = 0; k < count; k++) {
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_number(json, "re", pairs[2 * k]);
        ln_json_number(json, "im", pairs[2 * k + 1]);
        ln_json_end(json);
    }
    ln_json_end(json);
}

static void json_multipliers(const ln_multipliers *all, ln_json *json) {
    if (all->why_none != NULL)
        ln_json_text(json, "why_no_multipliers", all->why_none);
    if (all->period <= 0)
        return;
    ln_json_number(json, "period", all->period);
    json_complex(json, "multipliers", all->value, all->count);
}

static void json_transfer(const ln_eig_view *view, ln_json *json) {
    const ln_transfer *transfer = view->transfer;
    if (transfer == NULL)
        return;
    ln_json_begin(json, "transfer", LN_JSON_OBJECT);
    ln_json_text(json, "input", view->input);
    ln_json_text(json, "output", view->output);
    ln_json_number(json, "gain", transfer->none ? 0 : transfer->gain);
    ln_json_number(json, "at_zero", transfer->at_zero);
    json_complex(json, "zeros", transfer->zeros, transfer->nzeros);
    ln_json_end(json);
}

void ln_eig_json(const ln_eig_view *view, ln_text *text) {
    const ln_modes *modes = view->modes;
    const ln_small_signal *small = &view->point->small;
    ln_json json = {.out = text};
    ln_json_head(&json, view->point->model->name, view->point->model->origin);
    ln_json_flag(&json, "operating_point", small->at_rest);
    ln_json_number(&json, "time", small->at.side.t);
    ln_json_integer(&json, "pade_order", small->nterms > 0 ? view->pade_order : 0);
    ln_json_integer(&json, "unknowns", small->n);
    ln_json_flag(&json, "all", modes->all);
    ln_json_number(&json, "index", modes->index >= 0 ? (double)modes->index : NAN);
    json_list(&json, "follow_a_derivative", modes->hidden, modes->nhidden);
    json_list(&json, "tied_storage", modes->tied, modes->ntied);
    ln_json_number(&json, "stiffness", ln_modes_stiffness(modes));
    ln_json_begin(&json, "modes", LN_JSON_LIST_LINES);
    for (int k = 0; k < modes->count; k++)
        json_mode(&modes->modes[k], &json);
    ln_json_end(&json);
    json_steps(view, &json);
    json_multipliers(view->multipliers, &json);
    json_transfer(view, &json);
    ln_json_finish(&json);
}

/* ---- CSV ---- */

void ln_eig_csv(const ln_eig_view *view, ln_text *text) {
    const ln_modes *modes = view->modes;
    ln_text_add(text, "kind,re,im,time_constant,frequency,damping,states\n");
    for (int k = 0; k < modes->count; k++) {
        const ln_eigenmode *mode = &modes->modes[k];
        const double values[] = {mode->re, mode->im, ln_mode_time(mode), ln_mode_frequency(mode),
                                 ln_mode_damping(mode)};
        ln_text_add(text, "mode");
        for (size_t j = 0; j < sizeof values / sizeof *values; j++) {
            ln_text_add(text, ",");
            ln_csv_number(text, values[j]);
        }
        for (int j = 0; j < mode->nstates; j++)
            ln_text_printf(text, "%s%s %.3f", j > 0 ? "; " : ",", mode->states[j].name,
                           mode->states[j].share);
        ln_text_add(text, mode->nstates > 0 ? "\n" : ",\n");
    }
    for (int k = 0; view->transfer != NULL && k < view->transfer->nzeros; k++) {
        ln_text_add(text, "zero,");
        ln_csv_number(text, view->transfer->zeros[2 * k]);
        ln_text_add(text, ",");
        ln_csv_number(text, view->transfer->zeros[2 * k + 1]);
        ln_text_add(text, ",,,,\n");
    }
}
