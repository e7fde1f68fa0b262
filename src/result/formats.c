/* SPDX-License-Identifier: MIT */
/* The list of the formats of results: see formats.h. */
#include "result/formats.h"

#include "base/text.h"

#include <string.h>
#include <sys/stat.h>

#define ADDRESS(name) &ln_format_##name,
static const ln_result_format *const formats[] = {LN_RESULT_FORMATS(ADDRESS)};
#undef ADDRESS
enum { FORMATS = sizeof formats / sizeof *formats };

const ln_result_format *ln_format_of(const char *path) {
    const size_t length = strlen(path);
    for (int k = 1; k < FORMATS; k++) {
        const size_t ending = strlen(formats[k]->suffix);
        if (length > ending && strcmp(path + length - ending, formats[k]->suffix) == 0)
            return formats[k];
    }
    return formats[0];
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
        (format != formats[0] && suits(format, holds)) ||
        (stat(path, &about) == 0 && !S_ISREG(about.st_mode)))
        return LINNET_OK;
    ln_text others = {0};
    for (int k = 1; k < FORMATS; k++)
        if (suits(formats[k], holds))
            ln_text_printf(&others, ", %s (%s)", formats[k]->suffix, formats[k]->name);
    for (const char *at = texts; *at != '\0'; at += strspn(at, " ")) {
        const size_t one = strcspn(at, " ");
        ln_text_printf(&others, ", %.*s", (int)one, at);
        at += one;
    }
    linnet_status status =
        ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                "'%.200s': no result has the ending '%.20s'%s; take .csv%s", path, dot,
                format != formats[0] ? " here" : "", others.data != NULL ? others.data : "");
    ln_text_free(&others);
    return status;
}

const ln_result_format *ln_format_at(size_t index) {
    return index < FORMATS ? formats[index] : NULL;
}

ln_sink *ln_sink_file(const char *path, const ln_result_head *head, ln_report *report) {
    return ln_format_of(path)->open(path, head, report);
}
