/* SPDX-License-Identifier: MIT */
/* Signals go to panels one by one, in the order of the columns: each to the panel that has one of
 * its name, of another result, else to the first panel whose signals it is all like. */
#include "cli/picture.h"

#include "base/text.h"
#include "result/formats.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PANELS = 24, MOST_MARKS = 60 };
static const double like = 30; /* sizes that differ by less share a panel */

/* ---- choosing ---- */

static int find(const ln_trajectory *result, const char *name) {
    return ln_trajectory_find(result, name, strlen(name), "");
}

static linnet_status unknown(const ln_composition *composition, const char *name) {
    const char *nearest = NULL;
    for (int k = 0; k < composition->count && nearest == NULL; k++)
        nearest = ln_nearest(name, composition->results[k].names,
                             (size_t)composition->results[k].ncolumns);
    const char *dot = strrchr(name, '.');
    const int file = ln_format_of(name)->suffix != NULL ||
                     (dot != NULL && (strcmp(dot, ".csv") == 0 || strcmp(dot, ".xml") == 0));
    return ln_fail(composition->report, LINNET_USAGE, LN_NOWHERE,
                   "no signal of the result fits '%.100s'%s%s%.100s%s", name,
                   file ? ", and there is no file of this name" : "",
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                   nearest != NULL ? "'?" : "");
}

static void add(ln_composition *composition, const ln_trajectory *of, int column) {
    composition->chosen[composition->nchosen++] = (ln_choice){.of = of, .column = column};
}

/* Adds a column that is not chosen yet. */
static void choose(ln_composition *composition, const ln_trajectory *of, int column) {
    for (int k = 0; k < composition->nchosen; k++)
        if (composition->chosen[k].of == of && composition->chosen[k].column == column)
            return;
    add(composition, of, column);
}

/* May the column be drawn upwards? Not what lies along the horizontal axis; of a response only
 * magnitudes are chosen, which stand for all of it. */
static int is_signal(const ln_composition *composition, const ln_trajectory *of, int column) {
    if (ln_is_response(of))
        return ln_response_name(of, column) > 0;
    return column > 0 && (composition->picture->against == NULL ||
                          strcmp(of->names[column], composition->picture->against) != 0);
}

/* Does the pattern fit the column, or what it is the magnitude of? */
static int fits(const ln_composition *composition, const char *pattern, const ln_trajectory *of,
                int column, int exactly) {
    const size_t base = ln_is_response(of) ? ln_response_name(of, column) : 0;
    const char *name = of->names[column];
    if (base > 0)
        name = ln_arena_text(composition->arena, name, base);
    if (name == NULL)
        return 0;
    return exactly ? strcmp(pattern, name) == 0
                   : is_signal(composition, of, column) && ln_matches(pattern, name);
}

static linnet_status choose_by(ln_composition *composition, const char *pattern) {
    const int before = composition->nchosen;
    int found = 0;
    for (int exactly = 1; exactly >= 0 && !found; exactly--)
        for (int k = 0; k < composition->count; k++)
            for (int c = 0; c < composition->results[k].ncolumns; c++) {
                if (!fits(composition, pattern, &composition->results[k], c, exactly))
                    continue;
                found = 1;
                choose(composition, &composition->results[k], c);
            }
    return found || composition->nchosen > before ? LINNET_OK : unknown(composition, pattern);
}

static linnet_status choose_columns(ln_composition *composition) {
    const char *const blanks = " \t\r\n,";
    int room = 0;
    for (int k = 0; k < composition->count; k++)
        room += composition->results[k].ncolumns;
    composition->chosen = LN_NEW(composition->arena, ln_choice, room);
    if (composition->chosen == NULL)
        return ln_no_memory(composition->report);
    const char *at = composition->picture->signals;
    for (int k = 0; k < composition->count && at == NULL; k++)
        for (int c = 0; c < composition->results[k].ncolumns; c++)
            if (is_signal(composition, &composition->results[k], c))
                add(composition, &composition->results[k], c);
    for (size_t length; at != NULL && (at += strspn(at, blanks), *at != '\0'); at += length) {
        length = ln_word_length(at);
        const char *pattern = ln_arena_text(composition->arena, at, length);
        if (pattern == NULL)
            return ln_no_memory(composition->report);
        LN_TRY(choose_by(composition, pattern));
    }
    if (composition->nchosen > 0)
        return LINNET_OK;
    return ln_fail(composition->report, LINNET_USAGE, LN_NOWHERE,
                   "the result has no signal to draw");
}

/* ---- natural order ---- */

/* Are the names the same but for their numbers? */
static int same_but_numbers(const char *a, const char *b) {
    while (*a != '\0' && *b != '\0') {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            a += strspn(a, "0123456789");
            b += strspn(b, "0123456789");
        } else if (*a++ != *b++)
            return 0;
    }
    return *a == *b;
}

/* Of two such names: negative where the numbers of a are less. */
static int compare_numbers(const char *a, const char *b) {
    while (*a != '\0' && *b != '\0') {
        if (!isdigit((unsigned char)*a)) {
            a++;
            b++;
            continue;
        }
        char *end_a, *end_b;
        const double one = strtod(a, &end_a), two = strtod(b, &end_b);
        if (one != two)
            return one < two ? -1 : 1;
        a += strspn(a, "0123456789");
        b += strspn(b, "0123456789");
    }
    return 0;
}

static const char *name_of(const ln_choice *choice) {
    return choice->of->names[choice->column];
}

/* By the numbers; those of the same numbers (s[1], s[01]) as they stood, which `name` still tells.
 */
static int compare_choices(const void *a, const void *b) {
    const ln_choice *one = a, *two = b;
    const int numbers = compare_numbers(name_of(one), name_of(two));
    return numbers != 0 ? numbers : one->name - two->name;
}

/* s[1], s[10], s[2] become s[1], s[2], s[10]; what differs otherwise stays where it was recorded.
 */
static void order_naturally(ln_composition *composition) {
    ln_choice *chosen = composition->chosen;
    for (int k = 0, end; k < composition->nchosen; k = end) {
        for (end = k; end < composition->nchosen && chosen[end].of == chosen[k].of &&
                      same_but_numbers(name_of(&chosen[k]), name_of(&chosen[end]));
             end++)
            chosen[end].name = end;
        qsort(&chosen[k], (size_t)(end - k), sizeof *chosen, compare_choices);
    }
}

/* ---- rows ---- */

/* The rows of a result within from..to. */
static size_t rows_of(const ln_composition *composition, const ln_trajectory *of, size_t *first) {
    const size_t width = (size_t)of->ncolumns;
    size_t end = of->nrows;
    *first = 0;
    while (*first < end && of->data[*first * width] < composition->picture->from)
        ++*first;
    while (end > *first && of->data[(end - 1) * width] > composition->picture->to)
        end--;
    return end - *first;
}

/* ---- panels ---- */

static const char *unit_of(const ln_trajectory *of, int column) {
    if (of->units == NULL || of->units[column] == NULL)
        return column == 0 && strcmp(of->names[0], "time") == 0 ? "s" : "";
    return of->units[column];
}

static double size_of(const ln_composition *composition, const ln_choice *choice) {
    const ln_trajectory *of = choice->of;
    double size = 0;
    size_t first, count = rows_of(composition, of, &first);
    for (size_t k = first; k < first + count; k++) {
        double value = fabs(of->data[k * (size_t)of->ncolumns + (size_t)choice->column]);
        if (isfinite(value) && value > size)
            size = value;
    }
    return size;
}

/* Signals of a panel, with or without a unit, of results that tell units or do not: what another
 * signal must be like. */
typedef struct kin {
    int count;
    double least, most; /* sizes above 0; least INFINITY: there are none */
} kin;

/* What stands in a panel so far. */
typedef struct shared_panel {
    const char *unit; /* of those that have one; NULL: there is none, or there are several */
    kin of[2][2];     /* has a unit, the result tells units */
} shared_panel;

/* May the signal share the panel: is it like all that stands there? By their units; where one of
 * two has none, by their sizes, unless its result tells units. Signals that are zero throughout fit
 * anywhere. */
static int suits_panel(const ln_choice *choice, const shared_panel *panel) {
    const char *unit = unit_of(choice->of, choice->column);
    const int has_unit = *unit != '\0', tells = choice->of->units != NULL;
    for (int k = 0; k < 4; k++) {
        const int have = k / 2, tell = k % 2;
        const kin *others = &panel->of[have][tell];
        if (others->count == 0)
            continue;
        if (has_unit && have) {
            if (panel->unit == NULL || strcmp(panel->unit, unit) != 0)
                return 0;
        } else if (tells && tell && (has_unit || have)) {
            return 0;
        } else if (choice->size > 0 && isfinite(others->least) &&
                   !(choice->size < like * others->least && others->most < like * choice->size))
            return 0;
    }
    return 1;
}

static void put_into_panel(const ln_choice *choice, shared_panel *panel) {
    const char *unit = unit_of(choice->of, choice->column);
    const int has_unit = *unit != '\0';
    kin *others = &panel->of[has_unit][choice->of->units != NULL];
    const int first = panel->of[1][0].count + panel->of[1][1].count == 0;
    if (has_unit && (first || panel->unit == NULL || strcmp(panel->unit, unit) != 0))
        panel->unit = first ? unit : NULL;
    if (others->count++ == 0)
        others->least = INFINITY;
    if (choice->size > 0) {
        others->least = fmin(others->least, choice->size);
        others->most = fmax(others->most, choice->size);
    }
}

/* The first panel that the signal suits, or the one behind them all. */
static int panel_for(const ln_composition *composition, const ln_choice *choice,
                     const shared_panel *panels, int count) {
    const ln_panels sharing = composition->picture->panels;
    if (sharing == LN_PANELS_ONE)
        return 0;
    int panel = sharing == LN_PANELS_EACH ? count : 0;
    while (panel < count && !suits_panel(choice, &panels[panel]))
        panel++;
    return panel;
}

/* panel_of[k] for each chosen column: that of the first of its name, else one that it suits.
 * Returns the number of panels, -1 when memory is short. */
static int share_panels(const ln_composition *composition, int *panel_of) {
    int count = 0;
    int *named = LN_NEW(composition->arena, int, composition->nnames); /* 1 + the panel of a name */
    shared_panel *panels = LN_NEW(composition->arena, shared_panel, composition->nchosen);
    if (named == NULL || panels == NULL)
        return -1;
    for (int k = 0; k < composition->nchosen; k++) {
        ln_choice *choice = &composition->chosen[k];
        choice->size = size_of(composition, choice);
        panel_of[k] = named[choice->name] > 0 ? named[choice->name] - 1
                                              : panel_for(composition, choice, panels, count);
        named[choice->name] = panel_of[k] + 1;
        put_into_panel(choice, &panels[panel_of[k]]);
        if (panel_of[k] == count)
            count++;
    }
    return count;
}

static linnet_status fill_curve(const ln_composition *composition, int k, ln_plot_curve *curve) {
    const ln_choice *choice = &composition->chosen[k];
    const ln_trajectory *of = choice->of;
    const int horizontal =
        composition->picture->against != NULL ? find(of, composition->picture->against) : 0;
    size_t first, count = rows_of(composition, of, &first);
    const double *data = of->data + first * (size_t)of->ncolumns;
    if (horizontal < 0)
        return unknown(composition, composition->picture->against);
    *curve = (ln_plot_curve){.x = data + horizontal,
                             .y = data + choice->column,
                             .count = count,
                             .stride = (size_t)of->ncolumns};
    ln_composition_look(composition, k, curve);
    if (horizontal > 0 && curve->style == LN_PLOT_STAIRS)
        curve->style = LN_PLOT_LINES; /* a stair is one over time */
    return LINNET_OK;
}

/* ---- beside the curves ---- */

/* Times that a result has twice: its events. More than can be told apart are not marked. */
static void mark_events(const ln_composition *composition, ln_plot_panel *panel) {
    if (composition->picture->no_events || composition->picture->against != NULL ||
        composition->count > 1)
        return;
    double *marks = LN_NEW(composition->arena, double, MOST_MARKS + 1);
    const ln_trajectory *of = &composition->results[0];
    size_t first, count = rows_of(composition, of, &first);
    int found = 0;
    for (size_t k = first + 1; marks != NULL && k < first + count && found <= MOST_MARKS; k++) {
        const double t = of->data[k * (size_t)of->ncolumns];
        if (t == of->data[(k - 1) * (size_t)of->ncolumns] && (found == 0 || marks[found - 1] != t))
            marks[found++] = t;
    }
    panel->marks = marks;
    panel->nmarks = found <= MOST_MARKS ? found : 0;
}

/* The value at t, on the line between rows or on the stair; NAN outside. */
static double value_at(const ln_plot_curve *curve, double t) {
    for (size_t k = 0; k + 1 < curve->count; k++) {
        const double a = curve->x[k * curve->stride], b = curve->x[(k + 1) * curve->stride];
        if (!(a <= t && t <= b) || (b == t && k + 2 < curve->count && a == b))
            continue;
        const double one = curve->y[k * curve->stride], two = curve->y[(k + 1) * curve->stride];
        if (curve->style == LN_PLOT_STAIRS)
            return b == t ? two : one;
        return b > a ? one + (t - a) / (b - a) * (two - one) : two;
    }
    return NAN;
}

static linnet_status add_notes(const ln_composition *composition, ln_plot_panel *panel) {
    const ln_picture *picture = composition->picture;
    if (picture->nat == 0 || picture->against != NULL)
        return LINNET_OK;
    ln_plot_note *notes = LN_NEW(composition->arena, ln_plot_note, picture->nat * panel->ncurves);
    if (notes == NULL)
        return ln_no_memory(composition->report);
    panel->lines = picture->at;
    panel->nlines = picture->nat;
    panel->notes = notes;
    for (int i = 0; i < picture->nat; i++)
        for (int k = 0; k < panel->ncurves; k++) {
            const double t = picture->at[i], y = value_at(&panel->curves[k], t);
            const char *name = panel->curves[k].name;
            char value[LN_PLOT_QUANTITY];
            ln_plot_quantity(value, y, panel->y.unit);
            const char *text =
                ln_arena_printf(composition->arena, "%s%s%s", name != NULL ? name : "",
                                name != NULL ? ": " : "", value);
            if (text == NULL)
                return ln_no_memory(composition->report);
            if (isfinite(y))
                notes[panel->nnotes++] = (ln_plot_note){t, y, text};
        }
    return LINNET_OK;
}

static linnet_status fill_panel(const ln_composition *composition, const int *panel_of, int index,
                                int last, ln_plot_panel *panel) {
    ln_plot_curve *curves = LN_NEW(composition->arena, ln_plot_curve, composition->nchosen);
    const char *unit = NULL, *only = NULL, *against = composition->picture->against;
    if (curves == NULL)
        return ln_no_memory(composition->report);
    int n = 0, names = 0;
    for (int k = 0; k < composition->nchosen; k++) {
        if (panel_of[k] != index)
            continue;
        const ln_choice *choice = &composition->chosen[k];
        LN_TRY(fill_curve(composition, k, &curves[n++]));
        const char *own = unit_of(choice->of, choice->column);
        if (unit == NULL)
            unit = own;
        else if (strcmp(unit, own) != 0)
            unit = ""; /* signals of several units: none at the axis */
        names += only == NULL || strcmp(only, ln_chosen_name(composition, k)) != 0;
        only = ln_chosen_name(composition, k);
    }
    const ln_trajectory *first = &composition->results[0];
    const int horizontal = against != NULL ? find(first, against) : 0;
    *panel = (ln_plot_panel){.x = {.unit = unit_of(first, horizontal < 0 ? 0 : horizontal),
                                   .logarithmic = composition->picture->log_x},
                             .y = {.label = names == 1 ? only : "",
                                   .unit = unit,
                                   .logarithmic = composition->picture->log_y},
                             .curves = curves,
                             .ncurves = n,
                             .locus = against != NULL};
    panel->x.label = against != NULL ? against : first->names[0];
    panel->x.unlabelled = !last;
    if (names == 1 && composition->count == 1)
        curves[0].name = NULL; /* it stands at the axis */
    mark_events(composition, panel);
    return add_notes(composition, panel);
}

static linnet_status make_panels(const ln_composition *composition, ln_plot_panel **panels,
                                 int *npanels) {
    int *panel_of = LN_NEW(composition->arena, int, composition->nchosen);
    if (panel_of == NULL)
        return ln_no_memory(composition->report);
    *npanels = share_panels(composition, panel_of);
    if (*npanels < 0)
        return ln_no_memory(composition->report);
    if (*npanels > MOST_PANELS)
        return ln_fail(composition->report, LINNET_USAGE, LN_NOWHERE,
                       "%d panels are too many for one picture; choose some signals "
                       "with --signals",
                       *npanels);
    *panels = LN_NEW(composition->arena, ln_plot_panel, *npanels);
    if (*panels == NULL)
        return ln_no_memory(composition->report);
    for (int k = 0; k < *npanels; k++)
        LN_TRY(fill_panel(composition, panel_of, k, k + 1 == *npanels, &(*panels)[k]));
    return LINNET_OK;
}

/* ---- the whole ---- */

/* Responses and trajectories have no axis in common. */
static linnet_status check_kinds(const ln_composition *composition) {
    for (int k = 1; k < composition->count; k++)
        if (ln_is_response(&composition->results[k]) != ln_is_response(&composition->results[0]))
            return ln_fail(composition->report, LINNET_USAGE, LN_NOWHERE,
                           "'%.100s' and '%.100s' have no axis in common: one is a frequency "
                           "response",
                           composition->results[0].name, composition->results[k].name);
    if (composition->picture->nyquist && !ln_is_response(&composition->results[0]))
        return ln_fail(composition->report, LINNET_USAGE, LN_NOWHERE,
                       "--nyquist draws frequency responses, as 'linnet ac -f csv' writes them");
    return LINNET_OK;
}

static void scale_shades(const ln_composition *composition, ln_plot *plot) {
    plot->shade_label = composition->picture->shade;
    plot->shade_low = INFINITY;
    plot->shade_high = -INFINITY;
    for (int k = 0; k < composition->count; k++) {
        plot->shade_low = fmin(plot->shade_low, composition->results[k].shade);
        plot->shade_high = fmax(plot->shade_high, composition->results[k].shade);
    }
    /* values in ratios, 1 2 5 10 20, crowd at the low end of a linear scale */
    int low = 0;
    for (int k = 0; k < composition->count; k++)
        low += composition->results[k].shade <
               plot->shade_low + (plot->shade_high - plot->shade_low) / 4;
    plot->shade_log = plot->shade_low > 0 && 2 * low >= composition->count &&
                      plot->shade_high >= 8 * plot->shade_low;
}

linnet_status ln_picture_make(const ln_picture *picture, const ln_trajectory *results, int count,
                              ln_arena *arena, ln_report *report, ln_plot *plot) {
    ln_composition composition = {
        .picture = picture, .results = results, .count = count, .arena = arena, .report = report};
    ln_plot_panel *panels;
    *plot = (ln_plot){.title = picture->title,
                      .width = picture->width,
                      .height = picture->height,
                      .dark = picture->dark};
    LN_TRY(check_kinds(&composition));
    LN_TRY(choose_columns(&composition));
    order_naturally(&composition);
    if (!ln_composition_count_names(&composition))
        return ln_no_memory(report);
    LN_TRY(ln_is_response(&results[0]) ? ln_response_panels(&composition, &panels, &plot->npanels)
                                       : make_panels(&composition, &panels, &plot->npanels));
    plot->panels = panels;
    scale_shades(&composition, plot);
    return ln_arena_failed(arena) ? ln_no_memory(report) : LINNET_OK; /* names of curves */
}

linnet_status ln_picture_draw(const ln_picture *picture, const ln_trajectory *results, int count,
                              const char *path, ln_arena *arena, ln_report *report) {
    ln_plot plot;
    LN_TRY(ln_picture_make(picture, results, count, arena, report, &plot));
    return ln_plot_draw(&plot, path, report);
}
