/* SPDX-License-Identifier: MIT */
/* Frequency responses as pictures: magnitude and phase over frequency (Bode), or the locus of the
 * response (Nyquist). */
#include "cli/picture.h"

/* The chosen response's column with this suffix over frequency, or over another one. */
static int curve_of(const ln_composition *composition, int k, const char *over, const char *suffix,
                    ln_plot_curve *curve) {
    const ln_choice *choice = &composition->chosen[k];
    const ln_trajectory *of = choice->of;
    const size_t length = ln_response_name(of, choice->column);
    const char *name = of->names[choice->column];
    const int x = over != NULL ? ln_trajectory_find(of, name, length, over) : 0;
    const int y = ln_trajectory_find(of, name, length, suffix);
    if (x < 0 || y < 0)
        return 0;
    *curve = (ln_plot_curve){
        .x = of->data + x, .y = of->data + y, .count = of->nrows, .stride = (size_t)of->ncolumns};
    ln_composition_look(composition, k, curve);
    return 1;
}

static linnet_status fill(const ln_composition *composition, const char *over, const char *suffix,
                          ln_plot_panel *panel) {
    ln_plot_curve *curves = LN_NEW(composition->arena, ln_plot_curve, composition->nchosen);
    if (curves == NULL)
        return ln_no_memory(composition->report);
    for (int k = 0; k < composition->nchosen; k++)
        panel->ncurves += curve_of(composition, k, over, suffix, &curves[panel->ncurves]);
    panel->curves = curves;
    return LINNET_OK;
}

linnet_status ln_response_panels(const ln_composition *composition, ln_plot_panel **panels,
                                 int *npanels) {
    *npanels = composition->picture->nyquist ? 1 : 2;
    *panels = LN_NEW(composition->arena, ln_plot_panel, *npanels);
    if (*panels == NULL)
        return ln_no_memory(composition->report);
    ln_plot_panel *first = &(*panels)[0];
    if (composition->picture->nyquist) {
        *first = (ln_plot_panel){
            .x = {.label = "real part"}, .y = {.label = "imaginary part"}, .square = 1};
        return fill(composition, ".re", ".im", first);
    }
    const ln_plot_axis frequency = {.label = "frequency", .unit = "Hz", .logarithmic = 1};
    first[0] = (ln_plot_panel){.x = frequency, .y = {.label = "magnitude", .unit = "dB"}};
    first[0].x.unlabelled = 1;
    first[1] = (ln_plot_panel){.x = frequency,
                               .y = {.label = "phase", .unit = "deg", .tick = LN_PHASE_TICK}};
    LN_TRY(fill(composition, NULL, ".dB", &first[0]));
    LN_TRY(fill(composition, NULL, ".phase", &first[1]));
    for (int k = 0; k < first[1].ncurves; k++)
        ((ln_plot_curve *)first[1].curves)[k].name = NULL; /* said above */
    return LINNET_OK;
}
