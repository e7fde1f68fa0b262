/* SPDX-License-Identifier: MIT */
/* Signals go to panels one by one, in the order of the columns: each to the first panel whose
 * signals it is like. */
#include "cli/picture.h"

#include "base/text.h"
#include <math.h>
#include <string.h>

enum { MOST_PANELS = 24 };
static const double like = 30; /* sizes that differ by less share a panel */

typedef struct drawing {
    const ln_picture *picture;
    const ln_trajectory *trajectory;
    size_t first, count;    /* rows within from..to */
    int *columns, ncolumns; /* chosen */
    int horizontal;         /* column */
    ln_arena *arena;
    ln_report *report;
} drawing;

/* ---- choosing ---- */

static int find(const ln_trajectory *trajectory, const char *name) {
    for (int k = 0; k < trajectory->ncolumns; k++)
        if (strcmp(trajectory->names[k], name) == 0)
            return k;
    return -1;
}

static linnet_status unknown(const drawing *all, const char *name) {
    const char *nearest =
        ln_nearest(name, all->trajectory->names, (size_t)all->trajectory->ncolumns);
    return ln_fail(all->report, LINNET_USAGE, LN_NOWHERE,
                   "no signal of the result fits '%.100s'%s%.100s%s", name,
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : "");
}

static void choose(drawing *all, int column) {
    for (int k = 0; k < all->ncolumns; k++)
        if (all->columns[k] == column)
            return;
    all->columns[all->ncolumns++] = column;
}

static linnet_status choose_columns(drawing *all) {
    const char *const blanks = " \t\r\n,";
    all->columns = LN_NEW(all->arena, int, all->trajectory->ncolumns);
    if (all->columns == NULL)
        return ln_no_memory(all->report);
    const char *at = all->picture->signals;
    if (at == NULL)
        for (int k = 1; k < all->trajectory->ncolumns; k++)
            if (k != all->horizontal)
                choose(all, k);
    for (size_t length; at != NULL && (at += strspn(at, blanks), *at != '\0'); at += length) {
        length = ln_word_length(at);
        const char *pattern = ln_arena_text(all->arena, at, length);
        if (pattern == NULL)
            return ln_no_memory(all->report);
        int before = all->ncolumns, exact = find(all->trajectory, pattern);
        if (exact >= 0)
            choose(all, exact);
        for (int k = 1; exact < 0 && k < all->trajectory->ncolumns; k++)
            if (ln_matches(pattern, all->trajectory->names[k]))
                choose(all, k);
        if (all->ncolumns == before && exact < 0)
            return unknown(all, pattern);
    }
    if (all->ncolumns > 0)
        return LINNET_OK;
    return ln_fail(all->report, LINNET_USAGE, LN_NOWHERE, "the result has no signal to draw");
}

static void choose_rows(drawing *all) {
    const ln_trajectory *trajectory = all->trajectory;
    size_t width = (size_t)trajectory->ncolumns, end = trajectory->nrows;
    while (all->first < end && trajectory->data[all->first * width] < all->picture->from)
        all->first++;
    while (end > all->first && trajectory->data[(end - 1) * width] > all->picture->to)
        end--;
    all->count = end - all->first;
}

/* ---- panels ---- */

static const char *unit_of(const ln_trajectory *trajectory, int column) {
    if (trajectory->units == NULL || trajectory->units[column] == NULL)
        return column == 0 && strcmp(trajectory->names[0], "time") == 0 ? "s" : "";
    return trajectory->units[column];
}

static double size_of(const drawing *all, int column) {
    double size = 0;
    for (size_t k = all->first; k < all->first + all->count; k++) {
        double value =
            fabs(all->trajectory->data[k * (size_t)all->trajectory->ncolumns + (size_t)column]);
        if (isfinite(value) && value > size)
            size = value;
    }
    return size;
}

/* Is the column like the panel, whose first column is given? Signals that are zero throughout fit
 * anywhere. */
static int alike(const drawing *all, int column, int other) {
    if (all->picture->panels != LN_PANELS_ALIKE)
        return all->picture->panels == LN_PANELS_ONE;
    if (all->trajectory->units != NULL)
        return strcmp(unit_of(all->trajectory, column), unit_of(all->trajectory, other)) == 0;
    double one = size_of(all, column), two = size_of(all, other);
    return one == 0 || two == 0 || (one < like * two && two < like * one);
}

/* panel_of[k] for each chosen column; returns the number of panels. */
static int share_panels(const drawing *all, int *panel_of) {
    int count = 0;
    for (int k = 0; k < all->ncolumns; k++) {
        panel_of[k] = -1;
        for (int j = 0; j < k && panel_of[k] < 0; j++)
            if (alike(all, all->columns[k], all->columns[j]))
                panel_of[k] = panel_of[j];
        if (panel_of[k] < 0)
            panel_of[k] = count++;
    }
    return count;
}

static linnet_status fill_panel(const drawing *all, const int *panel_of, int index, int last,
                                ln_plot_panel *panel) {
    const ln_trajectory *trajectory = all->trajectory;
    const double *data = trajectory->data + all->first * (size_t)trajectory->ncolumns;
    ln_plot_curve *curves = LN_NEW(all->arena, ln_plot_curve, all->ncolumns);
    if (curves == NULL)
        return ln_no_memory(all->report);
    int n = 0, first = -1;
    for (int k = 0; k < all->ncolumns; k++) {
        if (panel_of[k] != index)
            continue;
        if (first < 0)
            first = all->columns[k];
        curves[n++] = (ln_plot_curve){.name = trajectory->names[all->columns[k]],
                                      .x = data + all->horizontal,
                                      .y = data + all->columns[k],
                                      .count = all->count,
                                      .stride = (size_t)trajectory->ncolumns,
                                      .colour = k % 8 + 1};
    }
    const char *unit = unit_of(trajectory, first);
    for (int k = 0; k < all->ncolumns; k++) /* signals of several units: none at the axis */
        if (panel_of[k] == index && strcmp(unit_of(trajectory, all->columns[k]), unit) != 0)
            unit = "";
    *panel = (ln_plot_panel){
        .x = {.unit = unit_of(trajectory, all->horizontal), .logarithmic = all->picture->log_x},
        .y = {.label = n == 1 ? curves[0].name : "",
              .unit = unit,
              .logarithmic = all->picture->log_y},
        .curves = curves,
        .ncurves = n};
    if (last)
        panel->x.label = trajectory->names[all->horizontal];
    else
        panel->x.unit = "";
    if (n == 1)
        curves[0].name = NULL; /* it stands at the axis */
    return LINNET_OK;
}

linnet_status ln_picture_draw(const ln_picture *picture, const ln_trajectory *trajectory,
                              const char *path, ln_arena *arena, ln_report *report) {
    drawing all = {.picture = picture, .trajectory = trajectory, .arena = arena, .report = report};
    if (picture->against != NULL)
        all.horizontal = find(trajectory, picture->against);
    if (all.horizontal < 0)
        return unknown(&all, picture->against);
    LN_TRY(choose_columns(&all));
    choose_rows(&all);
    int *panel_of = LN_NEW(arena, int, all.ncolumns);
    if (panel_of == NULL)
        return ln_no_memory(report);
    int npanels = share_panels(&all, panel_of);
    if (npanels > MOST_PANELS)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "%d panels are too many for one picture; choose some signals "
                       "with --signals",
                       npanels);
    ln_plot_panel *panels = LN_NEW(arena, ln_plot_panel, npanels);
    if (panels == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < npanels; k++)
        LN_TRY(fill_panel(&all, panel_of, k, k + 1 == npanels, &panels[k]));
    ln_plot plot = {.title = picture->title,
                    .panels = panels,
                    .npanels = npanels,
                    .width = picture->width,
                    .height = picture->height};
    return ln_plot_draw(&plot, path, report);
}
