/* SPDX-License-Identifier: MIT */
/* The table of the formats of results: see formats.h. */
#include "result/formats.h"

#include "base/text.h"
#include "result/hdf5.h"
#include "result/trajectory.h"

#include <string.h>
#include <sys/stat.h>

static const ln_result_format formats[] = {
    {"CSV", NULL, "CSV: names in the first line, then a row for each time", 0, ln_sink_csv_by,
     ln_sink_csv_resume},
    {"rawfile", ".raw", "SPICE rawfile, binary, or as text with --ascii",
     LN_FORMAT_PLOTS | LN_FORMAT_PAIRS | LN_FORMAT_POINT | LN_FORMAT_SPICE, ln_sink_raw, NULL},
    {"MATLAB file", ".mat", "MATLAB file, as Dymola and OpenModelica write trajectories", 0,
     ln_sink_trajectory, NULL},
    {"HDF5 file", ".h5", "HDF5 file: a data set for each signal", 0, ln_sink_hdf5, NULL},
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

/* Is the ending one of the list? */
static int is_listed(const char *ending, const char *list) {
    const size_t length = strlen(ending);
    for (const char *at = list; *at != '\0'; at += strspn(at, " ")) {
        const size_t one = strcspn(at, " ");
        if (one == length && memcmp(at, ending, one) == 0)
            return 1;
        at += one;
    }
    return 0;
}

static int suits(const ln_result_format *format, unsigned holds) {
    return holds == 0 || (format->holds & holds) != 0;
}

linnet_status ln_format_check(const char *path, unsigned holds, const char *texts,
                              ln_report *report) {
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const ln_result_format *format = ln_format_of(path);
    struct stat about;
    if (dot == NULL || dot == name || strcmp(dot, ".csv") == 0 || is_listed(dot, texts) ||
        (format != formats && suits(format, holds)) ||
        (stat(path, &about) == 0 && !S_ISREG(about.st_mode)))
        return LINNET_OK;
    ln_text others = {0};
    for (int k = 1; k < FORMATS; k++)
        if (suits(&formats[k], holds))
            ln_text_printf(&others, ", %s (%s)", formats[k].suffix, formats[k].name);
    for (const char *at = texts; *at != '\0'; at += strspn(at, " ")) {
        const size_t one = strcspn(at, " ");
        ln_text_printf(&others, ", %.*s", (int)one, at);
        at += one;
    }
    linnet_status status =
        ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                "'%.200s': no result has the ending '%.20s'%s; take .csv%s", path, dot,
                format != formats ? " here" : "", others.data != NULL ? others.data : "");
    ln_text_free(&others);
    return status;
}

const ln_result_format *ln_format_at(size_t index) {
    return index < FORMATS ? &formats[index] : NULL;
}

ln_sink *ln_sink_file(const char *path, const ln_result_head *head, ln_report *report) {
    return ln_format_of(path)->open(path, head, report);
}
