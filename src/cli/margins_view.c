/* SPDX-License-Identifier: MIT */
/* Margins written down and drawn. */
#include "cli/margins_view.h"
#include "base/constants.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>

static const double tau = 2 * LN_PI, degree = 180 / LN_PI;

/* ---- text ---- */

static const char *grow_or_grows(int count) {
    return count == 1 ? "" : "s";
}

static void put_verdict(const ln_margins *margins, int growing, ln_text *text) {
    if (growing < 0)
        ln_text_add(text, "  closed loop     not told: the model is too large\n");
    else if (growing >= LN_NYQUIST_ENDLESS)
        ln_text_add(text,
                    "  closed loop     UNSTABLE: infinitely many natural modes grow, since the "
                    "dead time\n                  passes high frequencies on; the margins are "
                    "distances, no reserves\n");
    else if (growing > 0)
        ln_text_printf(text,
                       "  closed loop     UNSTABLE: %d natural mode%s grow%s; the margins are "
                       "distances, no reserves\n",
                       growing, grow_or_grows(growing), growing > 1 ? "" : "s");
    else if (margins->marginal > 0)
        ln_text_printf(
            text, "  closed loop     at its border: %d natural mode%s neither grow%s nor decay%s\n",
            margins->marginal, grow_or_grows(margins->marginal), margins->marginal > 1 ? "" : "s",
            margins->marginal > 1 ? "" : "s");
    else
        ln_text_add(text, "  closed loop     stable: all natural modes decay\n");
}

/* The verdict is Nyquist's; natural modes, those of approximants where there are delays, should
 * agree with it. */
static void put_stability(const ln_margins *margins, ln_text *text) {
    put_verdict(margins, ln_margins_growing(margins), text);
    if (margins->unstable < 0 && margins->growing >= 0)
        ln_text_add(text,
                    "                  (by its natural modes alone: Nyquist's count could not "
                    "be made)\n");
    else if (margins->unstable != margins->growing && margins->unstable >= 0 &&
             margins->growing >= 0)
        ln_text_printf(
            text,
            "                  (Nyquist's count on the exact curve; of the natural modes%s "
            "%d grow%s)\n",
            margins->delays > 0 ? " of Pade approximants" : "", margins->growing,
            margins->growing == 1 ? "s" : "");
}

static void put_place(double w, ln_text *text) {
    if (isinf(w))
        ln_text_add(text, " at infinite frequency\n");
    else
        ln_text_printf(text, " at %.9g rad/s (%.9g Hz)\n", w, w / tau);
}

static void put_decisive(const ln_margins *margins, ln_text *text) {
    if (margins->gain == NULL)
        ln_text_add(text, "  gain margin     infinite: the phase never crosses -180 degrees\n");
    else {
        ln_text_printf(text, "  gain margin     %.9g (%.6g dB)", margins->gain->margin,
                       20 * log10(margins->gain->margin));
        put_place(margins->gain->w, text);
    }
    if (margins->phase == NULL)
        ln_text_add(text, "  phase margin    infinite: the gain never crosses 1\n"
                          "  delay margin    infinite\n");
    else {
        ln_text_printf(text, "  phase margin    %.9g degrees", margins->phase->margin);
        put_place(margins->phase->w, text);
        ln_text_printf(text, "  delay margin    %.9g s", margins->delay->delay);
        put_place(margins->delay->w, text);
    }
    if (margins->modulus == NULL)
        ln_text_add(text,
                    "  modulus margin  1 or none: L comes nowhere nearer to -1 than at its ends\n");
    else {
        ln_text_printf(text, "  modulus margin  %.9g", margins->modulus->margin);
        put_place(margins->modulus->w, text);
    }
}

void ln_margins_text(const ln_margins_view *view, ln_text *text) {
    const ln_margins *margins = view->margins;
    ln_text_printf(text, "%s: loop opened at %s, L = -Y/U (negative feedback)\n\n", view->model,
                   view->signal);
    if (margins->period > 0)
        ln_text_printf(
            text,
            "  sampled loop    over the common period of the clocks, %.9g s, seen at the "
            "slowest of them:\n                  L at z = exp(jw %.9g s), w up to %.9g "
            "rad/s\n",
            margins->period, margins->period, tau / 2 / margins->period);
    put_stability(margins, text);
    put_decisive(margins, text);
    if (margins->ncrossings == 0)
        return;
    ln_text_add(text, "\n  all crossings       [rad/s]\n");
    for (int k = 0; k < margins->ncrossings; k++) {
        const ln_loop_crossing *crossing = &margins->crossings[k];
        ln_text_printf(text, "  %-12s %16.9g  ",
                       crossing->kind == LN_CROSSING_GAIN    ? "gain 1"
                       : crossing->kind == LN_CROSSING_PHASE ? "phase -180"
                                                             : "near -1",
                       crossing->w);
        if (crossing->kind == LN_CROSSING_GAIN)
            ln_text_printf(text, "phase margin %.9g degrees, delay margin %.9g s\n",
                           crossing->margin, crossing->delay);
        else if (crossing->kind == LN_CROSSING_PHASE)
            ln_text_printf(text, "gain margin %.9g: %s\n", crossing->margin,
                           crossing->margin > 1 ? "so much more gain reaches -1"
                                                : "so much less gain reaches -1");
        else
            ln_text_printf(text, "distance %.9g\n", crossing->margin);
    }
}

/* ---- JSON ---- */

static void put_crossing(ln_json *json, const char *name, const ln_loop_crossing *crossing) {
    static const char *const kinds[] = {"gain", "phase", "modulus"}, *const names[] = {
                                                                         "phase_margin",
                                                                         "gain_margin", "distance"};
    if (crossing == NULL) {
        ln_json_null(json, name);
        return;
    }
    ln_json_begin(json, name, LN_JSON_OBJECT);
    ln_json_text(json, "crossing", kinds[crossing->kind]);
    ln_json_number(json, "w", crossing->w);
    ln_json_number(json, "frequency", crossing->w / tau);
    ln_json_number(json, names[crossing->kind], crossing->margin);
    if (crossing->kind == LN_CROSSING_GAIN)
        ln_json_number(json, "delay_margin", crossing->delay);
    ln_json_end(json);
}

/* Whether the closed loop is stable, and how many modes of it are not. */
static void put_json_verdict(const ln_margins *margins, ln_json *json) {
    const int growing = ln_margins_growing(margins);
    if (growing < 0)
        ln_json_null(json, "stable");
    else
        ln_json_flag(json, "stable", growing + margins->marginal == 0);
    if (growing >= LN_NYQUIST_ENDLESS)
        ln_json_text(json, "unstable_modes", "infinite");
    else
        ln_json_integer(json, "unstable_modes", growing);
    if (margins->period > 0)
        ln_json_number(json, "period", margins->period);
    ln_json_flag(json, "nyquist_count", !(margins->unstable < 0 || margins->period > 0));
    if (margins->growing >= 0)
        ln_json_integer(json, "modes_that_grow", margins->growing);
}

void ln_margins_json(const ln_margins_view *view, ln_text *text) {
    const ln_margins *margins = view->margins;
    ln_json json = {.out = text};
    ln_json_head(&json, view->model, view->origin);
    ln_json_text(&json, "open", view->signal);
    put_json_verdict(margins, &json);
    put_crossing(&json, "gain_margin", margins->gain);
    put_crossing(&json, "phase_margin", margins->phase);
    put_crossing(&json, "delay_margin", margins->delay);
    put_crossing(&json, "modulus_margin", margins->modulus);
    ln_json_begin(&json, "crossings", LN_JSON_LIST_LINES);
    for (int k = 0; k < margins->ncrossings; k++)
        put_crossing(&json, NULL, &margins->crossings[k]);
    ln_json_end(&json);
    ln_json_finish(&json);
}

/* ---- picture ---- */

enum { GREY = 8 }; /* among the colours of pictures */

/* The point of the curve nearest to a frequency, rad/s. */
static size_t nearest_point(const ln_margins *margins, double w) {
    size_t nearest = 0;
    for (size_t k = 1; k < (size_t)margins->npoints; k++)
        if (fabs(log(margins->points[k].w / w)) < fabs(log(margins->points[nearest].w / w)))
            nearest = k;
    return nearest;
}

/* A margin in its panel: a point on the curve (y: one value a point), a line through it, and how
 * far from there to `border`, which is drawn from end to end. */
typedef struct drawn_margin {
    double x, border_x[2], border_y[2];
    ln_plot_note note;
    ln_plot_curve curves[2];
    char text[64];
} drawn_margin;

static void draw_margin(const ln_margins *margins, const ln_loop_crossing *crossing,
                        const double *y, double border, drawn_margin *drawn, ln_plot_panel *panel) {
    const ln_plot_curve *curve = panel->curves;
    drawn->curves[0] = *curve;
    drawn->border_x[0] = curve->x[0];
    drawn->border_x[1] = curve->x[curve->count - 1];
    drawn->border_y[0] = drawn->border_y[1] = border;
    drawn->curves[1] = (ln_plot_curve){.x = drawn->border_x,
                                       .y = drawn->border_y,
                                       .count = 2,
                                       .style = LN_PLOT_DASHES,
                                       .colour = GREY};
    panel->curves = drawn->curves;
    panel->ncurves = 2;
    if (crossing == NULL)
        return;
    drawn->x = crossing->w / tau;
    drawn->note = (ln_plot_note){drawn->x, y[nearest_point(margins, crossing->w)], drawn->text};
    panel->lines = &drawn->x;
    panel->notes = &drawn->note;
    panel->nlines = panel->nnotes = 1;
}

/* The locus of L as far as it says something of -1: an integrator's arm, or a large gain, would
 * make the rest a dot; with the arm cut, three times the unit circle are shown. */
static void locus(const ln_margins *margins, double *re, double *im) {
    double reach = 0;
    for (int k = 0; k < margins->npoints; k++)
        reach = fmax(reach, cabs(margins->points[k].L));
    for (int k = 0; k < margins->npoints; k++) {
        const double complex L = margins->points[k].L;
        const int far = reach > 10 && cabs(L) > 3;
        re[k] = far ? NAN : creal(L);
        im[k] = far ? NAN : cimag(L);
    }
}

/* Which of the points say something: where the phase still runs, and the margins; beyond, magnitude
 * and phase are straight lines, of which a decade is shown at either end. */
static void telling(const ln_margins *margins, const double *phase, size_t *first, size_t *last) {
    static const double still = 1; /* degree: seen as a straight line */
    const size_t count = (size_t)margins->npoints;
    size_t low = 0, high = count - 1;
    while (low < count - 1 && fabs(phase[low] - phase[0]) < still)
        low++;
    while (high > 0 && fabs(phase[high] - phase[count - 1]) < still)
        high--;
    double from = low < high ? margins->points[low].w : INFINITY,
           to = low < high ? margins->points[high].w : 0;
    for (int k = 0; k < margins->ncrossings; k++)
        if (isfinite(margins->crossings[k].w)) {
            from = fmin(from, margins->crossings[k].w);
            to = fmax(to, margins->crossings[k].w);
        }
    *first = 0, *last = count - 1;
    while (*first < count - 1 && margins->points[*first + 1].w <= from / 10)
        (*first)++;
    while (*last > *first + 1 && margins->points[*last - 1].w >= to * 10)
        (*last)--;
}

/* The unit circle: the curve crosses it where the gain is 1. */
enum { CIRCLE = 181 };
static void unit_circle(double *x, double *y) {
    for (int k = 0; k < CIRCLE; k++) {
        x[k] = cos(tau * k / (CIRCLE - 1));
        y[k] = sin(tau * k / (CIRCLE - 1));
    }
}

linnet_status ln_margins_plot(const ln_margins_view *view, const char *path, ln_report *report) {
    const ln_margins *margins = view->margins;
    size_t count = (size_t)margins->npoints;
    double *values = LN_NEW(view->arena, double, 6 * count + 2 * CIRCLE);
    if (values == NULL)
        return ln_no_memory(report);
    double *f = values, *decibel = f + count, *phase = f + 2 * count, *re = f + 3 * count,
           *im = f + 4 * count, *mirrored = f + 5 * count, *round_x = f + 6 * count,
           *round_y = round_x + CIRCLE;
    double before = NAN;
    for (size_t k = 0; k < count; k++) {
        double complex L = margins->points[k].L;
        f[k] = margins->points[k].w / tau;
        decibel[k] = 20 * log10(cabs(L));
        phase[k] = carg(L) * degree;
        if (!isnan(before))
            phase[k] += 360 * round((before - phase[k]) / 360);
        before = phase[k];
    }
    locus(margins, re, im);
    for (size_t k = 0; k < count; k++)
        mirrored[k] = -im[k];
    unit_circle(round_x, round_y);
    size_t first, last;
    telling(margins, phase, &first, &last);
    const size_t shown = last - first + 1;
    static const double minus_one[] = {-1}, zero[] = {0};
    const ln_plot_curve magnitude = {.x = f + first, .y = decibel + first, .count = shown},
                        angle = {.x = f + first, .y = phase + first, .count = shown};
    const ln_plot_curve nyquist[] = {
        {.name = "L", .x = re, .y = im, .count = count},
        {.name = "L at -w", .x = re, .y = mirrored, .count = count, .colour = 1, .dash = 1},
        {.name = "gain 1", .x = round_x, .y = round_y, .count = CIRCLE, .colour = GREY, .dash = 2},
        {.name = "-1",
         .x = minus_one,
         .y = zero,
         .count = 1,
         .style = LN_PLOT_POINTS,
         .colour = 2}};
    const ln_plot_axis frequency = {.label = "frequency", .unit = "Hz", .logarithmic = 1};
    ln_plot_panel panels[] = {{.title = "Bode",
                               .x = frequency,
                               .y = {.label = "magnitude", .unit = "dB"},
                               .curves = &magnitude,
                               .ncurves = 1},
                              {.x = frequency,
                               .y = {.label = "phase", .unit = "deg", .tick = LN_PHASE_TICK},
                               .curves = &angle,
                               .ncurves = 1},
                              {.title = "Nyquist",
                               .x = {.label = "real part"},
                               .y = {.label = "imaginary part"},
                               .curves = nyquist,
                               .ncurves = 4,
                               .square = 1,
                               .share = 1.8}};
    drawn_margin gain = {.x = 0}, turned = {.x = 0};
    if (margins->gain != NULL)
        snprintf(gain.text, sizeof gain.text, "gain margin %.3g dB",
                 20 * log10(margins->gain->margin));
    if (margins->phase != NULL)
        snprintf(turned.text, sizeof turned.text, "phase margin %.3g deg", margins->phase->margin);
    /* the odd multiple of 180 degrees that the phase is measured from */
    const double at =
        margins->phase != NULL ? phase[nearest_point(margins, margins->phase->w)] : -180;
    draw_margin(margins, margins->gain, decibel, 0, &gain, &panels[0]);
    draw_margin(margins, margins->phase, phase, 360 * round((at - 180) / 360) + 180, &turned,
                &panels[1]);
    return ln_plot_draw(
        &(ln_plot){.title = view->model, .panels = panels, .npanels = 3, .height = 1150}, path,
        report);
}
