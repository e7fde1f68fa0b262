/* SPDX-License-Identifier: MIT */
/* The formats of results, in a list: a result has the format whose suffix its name ends in, and
 * CSV otherwise. A new format is a file of this room with an object ln_format_NAME, and NAME in the
 * list. */
#ifndef LN_RESULT_FORMATS_H
#define LN_RESULT_FORMATS_H

#include "result/sink.h"

/* What a file of a format can hold beside the rows of one run. */
enum {
    LN_FORMAT_PLOTS = 1, /* several results, one behind the other (ln_result_head.is_next) */
    LN_FORMAT_PAIRS = 2, /* complex rows (ln_result_head.is_complex) */
    LN_FORMAT_POINT = 4, /* one row without a first column (ln_result_head.first.name NULL) */
    LN_FORMAT_SPICE = 8, /* what is swept is called as SPICE calls it */
    LN_FORMAT_CASES = 16 /* texts among the numbers, as the cases of a sweep have them */
};
/* Endings of what commands write as text instead, for ln_format_check(). */
#define LN_FORMAT_TEXTS ".txt .json"

typedef struct ln_result_format {
    const char *name;   /* "SPICE rawfile", for messages and help */
    const char *suffix; /* ".raw"; NULL: every name that no other format takes */
    const char *doc;    /* what the help says of it */
    unsigned holds;
    /* A sink that writes to the path; `head` is borrowed until open(). NULL, reported: LINNET_IO,
     * or memory is short. */
    ln_sink *(*open)(const char *path, const ln_result_head *head, ln_report *report);
    /* A sink that goes on behind the first `length` bytes, whose CRC-32 is `sum` (ln_sink.mark).
     * NULL: a file of this format cannot be gone on with. */
    ln_sink *(*resume)(const char *path, long long length, unsigned long sum, ln_report *report);
} ln_result_format;

/* In the order of the help; the first one takes what no suffix tells. */
#define LN_RESULT_FORMATS(X) X(csv) X(raw) X(trajectory) X(hdf5)
#define LN_DECLARE_FORMAT(name) extern const ln_result_format ln_format_##name;
LN_RESULT_FORMATS(LN_DECLARE_FORMAT)
#undef LN_DECLARE_FORMAT

/* The format of a path; never NULL. */
const ln_result_format *ln_format_of(const char *path);
/* Whether a result may have this name: it ends in .csv, in the suffix of a format that holds one of
 * `holds` (0: every format) or in one of `texts` (endings with blanks between, or ""), it has no
 * ending, or it is "-" or something that is no plain file. Else LINNET_USAGE, reported with what
 * there is. */
linnet_status ln_format_check(const char *path, unsigned holds, const char *texts,
                              ln_report *report);
/* Number `index` of the list; NULL behind the last one. */
const ln_result_format *ln_format_at(size_t index);
/* Opens a result in the format of its name. */
ln_sink *ln_sink_file(const char *path, const ln_result_head *head, ln_report *report);

#endif
