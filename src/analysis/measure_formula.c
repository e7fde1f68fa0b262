/* SPDX-License-Identifier: MIT */
/* Measures that are made of others: an expression of those before it, by their names, without
 * units. */
#include "analysis/measure_kind.h"

#include "base/text.h"
#include "model/scope.h"

#include <math.h>
#include <string.h>

int ln_measure_index(const ln_measures *measures, const char *name) {
    return measures->names != NULL ? ln_map_get(measures->names, name) : -1;
}

linnet_status ln_measure_keep(ln_measures *measures) {
    const int at = measures->count++; /* what it owns is given back whatever follows */
    if (measures->names == NULL)
        measures->names = ln_map_new();
    return measures->names != NULL &&
                   ln_map_put(measures->names, measures->items[at].result.name, at) >= 0
               ? LINNET_OK
               : ln_no_memory(measures->report);
}

/* The measures before `measure` as names for numbers; 1 stands for what is not known yet. */
static ln_scope *earlier(const ln_measures *measures, const ln_measure *measure, int known) {
    ln_scope *scope = ln_scope_new(measures->arena, "", measures->report);
    for (const ln_measure *entry = measures->items; scope != NULL && entry < measure; entry++) {
        char digits[32];
        ln_number_format(digits, known && isfinite(entry->result.value) ? entry->result.value : 1);
        if (ln_scope_declare(
                scope, entry->result.name,
                (ln_written){ln_arena_string(measures->arena, digits), "", measure->place}, scope,
                -INFINITY, INFINITY) != LINNET_OK)
            return NULL;
    }
    return scope;
}

linnet_status ln_measure_check(const ln_measures *measures, const ln_measure *measure) {
    double value;
    ln_scope *scope = earlier(measures, measure, 0);
    return scope != NULL ? ln_scope_value(scope, measure->formula, NULL, measure->place, &value)
                         : ln_report_status(measures->report, LINNET_MODEL);
}

static int is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Does the formula name it? */
static int names(const char *formula, const char *name) {
    const size_t length = strlen(name);
    for (const char *at = strstr(formula, name); at != NULL; at = strstr(at + 1, name))
        if ((at == formula || !is_letter(at[-1])) && !is_letter(at[length]))
            return 1;
    return 0;
}

double ln_measure_compute(const ln_measures *measures, const ln_measure *measure) {
    double value = NAN;
    for (const ln_measure *entry = measures->items; entry < measure; entry++)
        if (!isfinite(entry->result.value) && names(measure->formula, entry->result.name))
            return NAN;
    ln_scope *scope = earlier(measures, measure, 1);
    return scope != NULL && ln_scope_value(scope, measure->formula, NULL, measure->place, &value) ==
                                LINNET_OK
               ? value
               : NAN;
}
