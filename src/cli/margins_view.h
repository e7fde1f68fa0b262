/* SPDX-License-Identifier: MIT */
/* The margins of a loop as text, JSON and a picture. */
#ifndef LN_CLI_MARGINS_VIEW_H
#define LN_CLI_MARGINS_VIEW_H

#include "analysis/margins.h"
#include "plot/plot.h"
#include "result/document.h"

typedef struct ln_margins_view {
    const char *model, *origin, *signal;
    const ln_margins *margins;
    ln_arena *arena; /* for the picture */
} ln_margins_view;

void ln_margins_text(const ln_margins_view *view, ln_text *text);
void ln_margins_json(const ln_margins_view *view, ln_text *text);
/* Magnitude and phase of L over frequency, and its Nyquist curve with the point -1. */
linnet_status ln_margins_plot(const ln_margins_view *view, const char *path, ln_report *report);

#endif
