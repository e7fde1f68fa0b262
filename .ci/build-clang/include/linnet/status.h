/* SPDX-License-Identifier: MIT */
/* Outcome of every fallible call in Linnet.
 *
 * Zero is success. A positive status is recoverable: the caller may try the same thing differently
 * (a shorter step, a damped iteration). A negative status is final; what happened has been told to
 * the report already, so a caller only passes it on. The list is written once, here; texts and exit
 * codes of the program derive from it. */
#ifndef LINNET_STATUS_H
#define LINNET_STATUS_H

/*  X(name, value, exit status of the program, short text) */
/* clang-format off */
#define LINNET_STATUS_LIST(X) \
    X(LINNET_OK,           0,   0, "done") \
    X(LINNET_RETRY,        1,   4, "the step must be tried shorter") \
    X(LINNET_INTERNAL,    -1,   1, "internal error") \
    X(LINNET_USAGE,       -2,   2, "the request is wrong") \
    X(LINNET_MODEL,       -3,   3, "the model is wrong") \
    X(LINNET_FAILED,      -4,   4, "the simulation failed") \
    X(LINNET_IO,          -5,   5, "a file could not be read or written") \
    X(LINNET_MISSED,      -6,   6, "a reference was missed") \
    X(LINNET_MEMORY,      -7,   1, "out of memory") \
    X(LINNET_INTERRUPTED, -8, 130, "interrupted")
/* clang-format on */

typedef enum linnet_status {
#define LINNET_STATUS_ENUM(name, value, exit_code, text) name = value,
    LINNET_STATUS_LIST(LINNET_STATUS_ENUM)
#undef LINNET_STATUS_ENUM
} linnet_status;

#ifdef __cplusplus
extern "C" {
#endif

/* Short English text of a status; never NULL, static storage. */
const char *linnet_status_text(linnet_status status);

/* Exit status the program `linnet` ends with for this outcome (design section 6). */
int linnet_status_exit(linnet_status status);

#ifdef __cplusplus
}
#endif

#endif
