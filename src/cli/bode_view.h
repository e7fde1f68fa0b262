/* SPDX-License-Identifier: MIT */
/* A frequency response as text, CSV, JSON and pictures. */
#ifndef LN_CLI_BODE_VIEW_H
#define LN_CLI_BODE_VIEW_H

#include "analysis/response.h"
#include "plot/plot.h"
#include "result/document.h"
#include "result/formats.h"

typedef struct ln_bode_view {
    const char *model, *origin; /* its name, and ln_model.origin */
    const ln_small_signal *small;
    const ln_response *response; /* its names; of a loop transfer where the loop is opened */
    int is_loop;
    const ln_bode *bode;
    ln_arena *arena; /* for the picture */
} ln_bode_view;

void ln_bode_text(const ln_bode_view *view, ln_text *text);
/* Columns frequency, then of each output NAME.dB, NAME.phase (degrees), NAME.delay (s), NAME.re,
 * NAME.im. */
void ln_bode_csv(const ln_bode_view *view, ln_text *text);
void ln_bode_json(const ln_bode_view *view, ln_text *text);
/* A result of complex rows, in a format with LN_FORMAT_PAIRS: frequency and the outputs. is_next,
 * as_text: see ln_result_head. */
linnet_status ln_bode_result(const ln_bode_view *view, const char *path, int as_text, int is_next,
                             ln_report *report);
/* Magnitude and phase over frequency, and the Nyquist curve beside them. */
linnet_status ln_bode_plot(const ln_bode_view *view, const char *path, ln_report *report);

#endif
