/* SPDX-License-Identifier: MIT */
/* Pictures as parts of a page that needs nothing but itself: HTML with zoom, cursor and curves that
 * can be hidden. Panels over a rising quantity are drawn by dygraphs, which is read from where it
 * is installed (Debian's libjs-dygraphs) and stands in the page with its licence; loci by a few
 * lines of our own. Texts may come from anywhere and are escaped. */
#ifndef LN_PLOT_HTML_H
#define LN_PLOT_HTML_H

#include "base/arena.h"
#include "plot/plot.h"

typedef struct ln_text ln_text;

/* Appends a text as HTML shows it. */
void ln_html_text(ln_text *page, const char *text);

/* Whether the library is there; LINNET_IO, reported, when it is not. */
linnet_status ln_html_check(ln_report *report);
/* The page up to its body: title, looks, library. LINNET_IO, reported, when the library is not
 * there. */
linnet_status ln_html_begin(ln_text *page, const char *title, int dark, ln_report *report);
/* A plot where the page stands; `id`, letters and digits, is its own on the page. Returns the
 * number of points in it. */
size_t ln_html_plot(ln_text *page, const ln_plot *plot, const char *id);
/* The panels alone, as linnetPlot() (html_script.h) takes them: a JSON array. Returns the number of
 * points in it. */
size_t ln_html_panels(ln_text *page, const ln_plot *plot);
void ln_html_end(ln_text *page);

#endif
