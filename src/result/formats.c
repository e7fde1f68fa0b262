/* SPDX-License-Identifier: MIT */
/* The table of the formats of results: see formats.h. */
#include "result/formats.h"

#include <string.h>

static const ln_result_format formats[] = {
    {"CSV", NULL, "CSV: names in the first line, then a row for each time", 0, ln_sink_csv_by,
     ln_sink_csv_resume},
    {"rawfile", ".raw", "SPICE rawfile, binary, or as text with --ascii",
     LN_FORMAT_PLOTS | LN_FORMAT_PAIRS | LN_FORMAT_POINT | LN_FORMAT_SPICE, ln_sink_raw, NULL},
};
enum { FORMATS = sizeof formats / sizeof *formats };

const ln_result_format *ln_format_of(const char *path) {
    const size_t length = strlen(path);
    for (int k = 1; k < FORMATS; k++) {
        const size_t ending = strlen(formats[k].suffix);
        if (length > ending && strcmp(path + length - ending, formats[k].suffix) == 0)
            return &formats[k];
    }
    return formats;
}

const ln_result_format *ln_format_at(size_t index) {
    return index < FORMATS ? &formats[index] : NULL;
}

ln_sink *ln_sink_file(const char *path, const ln_result_head *head, ln_report *report) {
    return ln_format_of(path)->open(path, head, report);
}
