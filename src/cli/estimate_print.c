/* SPDX-License-Identifier: MIT */
/* One line per recorded signal, on stderr like the summary. */
#include "cli/estimate_print.h"

#include "cli/listing.h"
#include "cli/terminal.h"
#include <stdio.h>

int ln_estimate_print(const ln_estimate *estimate, ln_arena *arena) {
    ln_listing table = {.arena = arena};
    char size[32], took[32];
    fprintf(stderr, "  estimated errors, by a second run ");
    if (estimate->fixed)
        fprintf(stderr, "at step %s (Richardson, order %d)", ln_time_text(size, estimate->size, 6),
                estimate->order);
    else
        fprintf(stderr, "at tolerance %g (the difference)", estimate->size);
    fprintf(stderr, ", %s\n", ln_time_text(took, estimate->seconds, 3));
    ln_listing_row(&table, "signal", "largest error", "relative", "at", NULL);
    for (int k = 0; k < estimate->count; k++) {
        const ln_estimate_signal *signal = &estimate->signals[k];
        char error[96], relative[32] = "-", at[32] = "-";
        if (signal->compared == 0)
            snprintf(error, sizeof error, "-");
        else
            snprintf(error, sizeof error, "%.2e%s%.60s", signal->error,
                     signal->unit != NULL && signal->unit[0] != '\0' ? " " : "",
                     signal->unit != NULL ? signal->unit : "");
        if (signal->compared > 0 && signal->size > 0)
            snprintf(relative, sizeof relative, "%.2e", signal->error / signal->size);
        if (signal->compared > 0)
            (void)ln_time_text(at, signal->t, 6);
        ln_listing_row(&table, signal->name, error, relative, at, NULL);
    }
    return ln_listing_print(&table, 4, stderr);
}
