/* SPDX-License-Identifier: MIT */
/* Private to the room: what runs in a page with plots. */
#ifndef LN_PLOT_HTML_SCRIPT_H
#define LN_PLOT_HTML_SCRIPT_H

/* The looks of a page, and its functions. */
extern const char ln_html_style[];
extern const char ln_html_script[];

#endif
