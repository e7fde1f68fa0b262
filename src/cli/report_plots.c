/* SPDX-License-Identifier: MIT */
/* The recorded signals of a report, as plots of a page. */
#include "cli/picture.h"
#include "cli/report.h"
#include "plot/html.h"

#include <math.h>
#include <string.h>

/* The result row by row, time first. */
static int fill(ln_arena *arena, const linnet_result *result, ln_trajectory *to) {
    const int count = linnet_result_count(result);
    const size_t rows = linnet_result_rows(result), width = (size_t)count + 1;
    double *data = LN_NEW(arena, double, rows *width);
    const char **names = LN_NEW(arena, const char *, width),
               **units = LN_NEW(arena, const char *, width);
    if (data == NULL || names == NULL || units == NULL)
        return 0;
    const double *time = linnet_result_time(result);
    names[0] = "time";
    units[0] = "s";
    for (size_t row = 0; row < rows; row++)
        data[row * width] = time[row];
    for (int k = 0; k < count; k++) {
        const linnet_signal signal = linnet_result_name(result, k);
        const double *values = linnet_result_values(result, k);
        names[k + 1] = signal.name;
        units[k + 1] = signal.unit;
        for (size_t row = 0; row < rows; row++)
            data[row * width + (size_t)k + 1] = values[row];
    }
    *to = (ln_trajectory){.name = "run",
                          .ncolumns = count + 1,
                          .names = names,
                          .units = units,
                          .data = data,
                          .nrows = rows};
    return 1;
}

linnet_status ln_report_plots(ln_reporting *r, const linnet_result *result) {
    ln_trajectory trajectory;
    const ln_picture picture = {.from = -INFINITY, .to = INFINITY};
    ln_plot plot;
    if (linnet_result_count(result) == 0)
        return LINNET_OK;
    if (!fill(r->job->arena, result, &trajectory))
        return ln_no_memory(r->job->report);
    LN_TRY(ln_picture_make(&picture, &trajectory, 1, r->job->arena, r->job->report, &plot));
    ln_report_section(r, "Signals");
    (void)ln_html_plot(r->page, &plot, "signals");
    return LINNET_OK;
}
