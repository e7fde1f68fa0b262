/* SPDX-License-Identifier: MIT */
/* Numbers of tables, from the model or from a file; see table_data.h. Files are opened as includes
 * are: relative, not upwards, and links are followed to where they lead. */
#include "blocks/signal/table_data.h"

#include "base/csv.h"
#include "base/text.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- files ---- */

static int leads_up(const char *path) {
    for (const char *at = path; *at != '\0'; at++)
        if ((at == path || at[-1] == '/') && at[0] == '.' && at[1] == '.' &&
            (at[2] == '/' || at[2] == '\0'))
            return 1;
    return path[0] == '/';
}

linnet_status ln_file_beside(const ln_shape *shape, const char *file, ln_arena *arena,
                             ln_report *report, const char **found) {
    const char *from = shape->place.file != NULL ? shape->place.file : "",
               *slash = strrchr(from, '/');
    const char *folder =
        slash == NULL ? "."
                      : ln_arena_text(arena, from, slash == from ? 1 : (size_t)(slash - from));
    char real[PATH_MAX], within[PATH_MAX];
    if (folder == NULL)
        return ln_no_memory(report);
    const char *path = slash == NULL ? file : ln_arena_printf(arena, "%s/%s", folder, file);
    if (path == NULL)
        return ln_no_memory(report);
    if (leads_up(file))
        return ln_fail(
            report, LINNET_MODEL, shape->place,
            "file '%s' leaves the model's folder: only relative paths without '..' are accepted",
            file);
    if (realpath(path, real) == NULL || realpath(folder, within) == NULL)
        return ln_fail(report, LINNET_IO, shape->place, "cannot read '%s': %s", file,
                       strerror(errno));
    size_t length = strlen(within);
    if (length > 1 && (strncmp(real, within, length) != 0 || real[length] != '/'))
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "file '%s' leaves the model's folder: it is a link to '%s'", file, real);
    *found = path;
    return LINNET_OK;
}

static linnet_status open_file(const ln_shape *shape, const char *file, ln_arena *arena,
                               ln_report *report, ln_csv *csv) {
    const char *path;
    LN_TRY(ln_file_beside(shape, file, arena, report, &path));
    LN_TRY(ln_csv_read_columns(path, LN_FROM_MODEL, arena, report, csv));
    if (csv->nrows > 0 && csv->nrows < INT_MAX / 4)
        return LINNET_OK;
    return ln_fail(report, LINNET_MODEL, shape->place, "file '%s' has %s rows", file,
                   csv->nrows == 0 ? "no" : "too many");
}

/* A column by name; an empty name means the one given by number. -1: reported. */
static int find_column(const ln_shape *shape, const char *file, const ln_csv *csv, const char *name,
                       int usual, ln_report *report) {
    if (name == NULL || name[0] == '\0') {
        if (usual < csv->ncolumns)
            return usual;
        (void)ln_fail(report, LINNET_MODEL, shape->place,
                      "'%s' has one column only; a table has two", file);
        return -1;
    }
    for (int k = 0; k < csv->ncolumns; k++)
        if (strcmp(csv->names[k], name) == 0)
            return k;
    const char *nearest = ln_nearest(name, csv->names, (size_t)csv->ncolumns);
    (void)ln_fail(report, LINNET_MODEL, shape->place, "'%s' has no column '%s'%s%s%s", file, name,
                  nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                  nearest != NULL ? "'?" : "");
    return -1;
}

/* ---- order ---- */

/* Rising, finite, two at least. `jumps`: two in a row may be equal. what: "x", "point"... */
static linnet_status check_order(const ln_shape *shape, const double *x, int n, const char *what,
                                 int jumps, ln_report *report) {
    if (n < 2)
        return ln_fail(report, LINNET_MODEL, shape->place, "it has %d %s; a table has two at least",
                       n, what);
    for (int k = 0; k < n; k++) {
        if (!isfinite(x[k]))
            return ln_fail(report, LINNET_MODEL, shape->place, "number %d of %s is not finite",
                           k + 1, what);
        if (k == 0)
            continue;
        if (x[k] < x[k - 1] || (x[k] == x[k - 1] && !jumps))
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "%g follows %g (number %d of %s); they must rise", x[k], x[k - 1], k + 1,
                           what);
        if (k > 1 && x[k] == x[k - 1] && x[k] == x[k - 2])
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "%g stands three times (number %d of %s); a jump has two", x[k], k + 1,
                           what);
    }
    if (!isfinite(x[n - 1] - x[0]))
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "from %g to %g (%s) it is farther than a number can tell", x[0], x[n - 1],
                       what);
    if (x[0] < x[n - 1])
        return LINNET_OK;
    return ln_fail(report, LINNET_MODEL, shape->place, "all of %s are equal", what);
}

static linnet_status check_slopes(const ln_shape *shape, const ln_table_curve *curve,
                                  ln_report *report) {
    for (int k = 1; k < curve->n; k++)
        if (curve->x[k] > curve->x[k - 1] &&
            !isfinite((curve->y[k] - curve->y[k - 1]) / (curve->x[k] - curve->x[k - 1])))
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "between %g and %g its table is steeper than a number can tell",
                           curve->x[k - 1], curve->x[k]);
    return LINNET_OK;
}

/* ---- curves ---- */

static double *numbers(ln_arena *arena, size_t count) {
    return LN_NEW(arena, double, count);
}

static linnet_status curve_of_file(const ln_shape *shape, ln_curve_source source, ln_arena *arena,
                                   ln_report *report, ln_table_curve *curve) {
    ln_csv csv;
    const char *file = shape->texts[source.file];
    LN_TRY(open_file(shape, file, arena, report, &csv));
    int key = find_column(shape, file, &csv, shape->texts[source.key], 0, report);
    int column =
        key < 0 ? -1 : find_column(shape, file, &csv, shape->texts[source.column], 1, report);
    if (column < 0)
        return LINNET_MODEL;
    double *x = numbers(arena, csv.nrows), *y = numbers(arena, csv.nrows);
    if (x == NULL || y == NULL)
        return ln_no_memory(report);
    for (size_t row = 0; row < csv.nrows; row++) {
        x[row] = csv.data[row * (size_t)csv.ncolumns + (size_t)key];
        y[row] = csv.data[row * (size_t)csv.ncolumns + (size_t)column];
    }
    *curve = (ln_table_curve){(int)csv.nrows, x, y};
    return LINNET_OK;
}

static linnet_status curve_of_points(const ln_shape *shape, int points, ln_arena *arena,
                                     ln_report *report, ln_table_curve *curve) {
    const int rows = shape->rows[points];
    if (shape->cols[points] != 2)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "points is %d x %d; write a row of two for each point, rows by "
                       "';'",
                       rows, shape->cols[points]);
    double *x = numbers(arena, (size_t)rows), *y = numbers(arena, (size_t)rows);
    if (x == NULL || y == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < rows; k++)
        x[k] = shape->values[points][2 * k], y[k] = shape->values[points][2 * k + 1];
    *curve = (ln_table_curve){rows, x, y};
    return LINNET_OK;
}

linnet_status ln_read_curve(const ln_shape *shape, ln_curve_source source, int jumps,
                            ln_arena *arena, ln_report *report, ln_table_curve *curve) {
    const char *file = shape->texts[source.file];
    const int from_file = file != NULL && file[0] != '\0';
    if (from_file == (shape->rows[source.points] > 0))
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "it takes its table either from points=\"...\" or from "
                       "file=\"...\"");
    if (from_file)
        LN_TRY(curve_of_file(shape, source, arena, report, curve));
    else
        LN_TRY(curve_of_points(shape, source.points, arena, report, curve));
    for (int k = 0; k < curve->n; k++)
        if (!isfinite(curve->y[k]))
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "value %d of its table is not finite", k + 1);
    const char *what = from_file ? ln_arena_printf(arena, "points of '%s'", file) : "points";
    if (what == NULL)
        return ln_no_memory(report);
    LN_TRY(check_order(shape, curve->x, curve->n, what, jumps, report));
    return check_slopes(shape, curve, report);
}

/* ---- maps ---- */

static linnet_status map_of_file(const ln_shape *shape, const char *file, ln_arena *arena,
                                 ln_report *report, ln_map_data *data) {
    ln_csv csv;
    LN_TRY(open_file(shape, file, arena, report, &csv));
    const int ny = csv.ncolumns - 1, nx = (int)csv.nrows;
    double *x = numbers(arena, (size_t)nx), *y = numbers(arena, (size_t)ny + 1);
    double *z = numbers(arena, (size_t)nx * (size_t)csv.ncolumns);
    if (x == NULL || y == NULL || z == NULL)
        return ln_no_memory(report);
    for (int j = 0; j < ny; j++) {
        const char *name = csv.names[j + 1], *end;
        y[j] = ln_number_read(name, &end);
        if (end == name || *end != '\0')
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "column %d of '%s' is called '%s'; in a table of two "
                           "arguments the first line holds numbers, behind its first name",
                           j + 2, file, name);
    }
    for (int i = 0; i < nx; i++) {
        x[i] = csv.data[i * csv.ncolumns];
        for (int j = 0; j < ny; j++)
            z[i * ny + j] = csv.data[i * csv.ncolumns + j + 1];
    }
    *data = (ln_map_data){nx, ny, x, y, z};
    return LINNET_OK;
}

linnet_status ln_read_map(const ln_shape *shape, ln_map_source source, ln_arena *arena,
                          ln_report *report, ln_map_data *data) {
    const char *file = shape->texts[source.file];
    const int from_file = file != NULL && file[0] != '\0';
    const int nx = shape->cols[source.x], ny = shape->cols[source.y];
    if (from_file == (shape->rows[source.values] > 0))
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "it takes its table either from x=\"...\", y=\"...\", "
                       "values=\"...\" or from file=\"...\"");
    if (from_file) {
        LN_TRY(map_of_file(shape, file, arena, report, data));
    } else {
        if (shape->rows[source.values] != nx || shape->cols[source.values] != ny)
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "values is %d x %d; %d of x and %d of y ask for %d x %d",
                           shape->rows[source.values], shape->cols[source.values], nx, ny, nx, ny);
        *data = (ln_map_data){nx, ny, shape->values[source.x], shape->values[source.y],
                              shape->values[source.values]};
    }
    for (int k = 0; k < data->nx * data->ny; k++)
        if (!isfinite(data->z[k]))
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "value %d of its table is not finite", k + 1);
    LN_TRY(check_order(shape, data->x, data->nx, "x", 0, report));
    return check_order(shape, data->y, data->ny, "y", 0, report);
}
