/* SPDX-License-Identifier: MIT */
/* Complex numbers as text: "-1 -2+3i -2-3i, 4j". */
#include "base/text.h"
#include "blocks/signal/sized.h"

#include <math.h>
#include <string.h>

static int is_unit(char c) {
    return c == 'i' || c == 'j';
}
static int is_gap(char c) {
    return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r';
}

/* A signed number, or a bare sign before the imaginary unit (one). Returns behind it, NULL when
 * there is none. */
static const char *read_part(const char *text, double *value) {
    const char *end;
    *value = ln_number_read(text, &end);
    if (end != text)
        return end;
    if (*text == '+' || *text == '-')
        end++;
    *value = *text == '-' ? -1 : 1;
    return is_unit(*end) ? end : NULL;
}

/* One element; returns behind it, or NULL when it is no number. */
static const char *read_one(const char *text, double value[2]) {
    double first;
    const char *at = read_part(text, &first);
    value[0] = value[1] = 0;
    if (at == NULL)
        return NULL;
    if (is_unit(*at)) {
        value[1] = first;
        at++;
    } else {
        value[0] = first;
        if (*at == '+' || *at == '-') {
            at = read_part(at, &value[1]);
            if (at == NULL || !is_unit(*at))
                return NULL;
            at++;
        }
    }
    return (*at == '\0' || is_gap(*at)) && isfinite(value[0]) && isfinite(value[1]) ? at : NULL;
}

const char *ln_read_complex(ln_arena *arena, const char *text, double **values, int *count) {
    static const char no_memory[] = "memory is short";
    *count = 0;
    *values = LN_NEW(arena, double,
                     strlen(text) + 2); /* an element and its gap take two bytes at least */
    if (*values == NULL)
        return no_memory;
    for (const char *at = text; *at != '\0';) {
        if (is_gap(*at)) {
            at++;
            continue;
        }
        const char *end = read_one(at, *values + 2 * *count);
        if (end == NULL) {
            const char *message = ln_arena_printf(arena, "'%.*s' is no number like -2 or -1+3i",
                                                  (int)strcspn(at, " ,\t\n\r"), at);
            return message != NULL ? message : no_memory;
        }
        ++*count;
        at = end;
    }
    return NULL;
}
