/* SPDX-License-Identifier: MIT */
/* What a report said, for tests of messages: ln_report_new(hear, NULL) after said[0] = '\0', then
 * strstr(said, ...). */
#ifndef TESTS_HEARD_H
#define TESTS_HEARD_H

#include "base/report.h"
#include <stdio.h>
#include <string.h>

static char said[2000]; /* a line per message */

static inline void hear(void *context, ln_severity severity, ln_place place, const char *text) {
    const size_t used = strlen(said);
    (void)context;
    (void)severity;
    (void)place;
    snprintf(said + used, sizeof said - used, "%s\n", text);
}

#endif
