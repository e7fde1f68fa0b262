/* SPDX-License-Identifier: MIT */
/* For tests of messages: does a report hold a text? */
#ifndef TESTS_MESSAGES_H
#define TESTS_MESSAGES_H

#include "base/report.h"
#include <stdio.h>
#include <string.h>

/* 1 when a message holds the text; else the messages there are, on stdout, and 0. */
static inline int contains(const ln_report *report, const char *text) {
    for (int k = 0; ln_report_text(report, k) != NULL; k++)
        if (strstr(ln_report_text(report, k), text) != NULL)
            return 1;
    printf("\n    no message holds \"%s\"; there are:\n", text);
    for (int k = 0; ln_report_text(report, k) != NULL; k++)
        printf("      %s\n", ln_report_text(report, k));
    return 0;
}

#endif
