/* SPDX-License-Identifier: MIT */
/* The conditions of devices at an operating point: a table for each type, devices side by side, as
 * SPICE's users know it. Numbers are short; JSON and CSV have all digits. */
#include "cli/point_table.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ACROSS = 5, NAME = 9, CELL = 14 };

int ln_point_has_conditions(const linnet_block_class *type) {
    return type->observed_units != NULL;
}

int ln_point_is_condition(const linnet_block_class *type, const char *name) {
    for (int k = 0; ln_point_has_conditions(type) && k < type->nobserved; k++)
        if (strcmp(type->observed[k], name) == 0)
            return 1;
    return 0;
}

/* Four digits with a prefix: "12.35 uA"; of what has words for its values, the word. */
static void cell(double value, const char *unit, char text[32]) {
    static const char prefixes[] = "fpnum kMG";
    if (unit != NULL && strchr(unit, '|') != NULL) {
        for (int k = 0; k < (int)value && strchr(unit, '|') != NULL; k++)
            unit = strchr(unit, '|') + 1;
        snprintf(text, 32, "%.*s", (int)strcspn(unit, "|"), unit);
        return;
    }
    int power = value != 0 && isfinite(value) ? (int)floor(log10(fabs(value) * 1.00005) / 3) : 0;
    power = power < -5 ? -5 : power > 3 ? 3 : power;
    if (fabs(value) < 1e-18)
        snprintf(text, 32, "0 %s", unit != NULL ? unit : "");
    else if (power == 0)
        snprintf(text, 32, "%.4g %s", value, unit != NULL ? unit : "");
    else
        snprintf(text, 32, "%.4g %c%s", value * pow(10, -3 * power), prefixes[power + 5],
                 unit != NULL ? unit : "");
}

/* The value of a block's condition among the columns, which are sorted by owner. */
static double value_of(const ln_operating *op, int owner, const char *name) {
    const size_t skip = strlen(op->simulation.network->instances[owner].name) + 1;
    for (int k = op->nlinks; k < op->ncolumns; k++)
        if (op->owner[k] == owner && strcmp(op->columns[k].name + skip, name) == 0)
            return op->values[k];
    return NAN;
}

/* Up to ACROSS devices of one type. */
static void put_group(const ln_operating *op, const linnet_block_class *type, const int *owners,
                      int count, ln_text *text) {
    char short_text[32];
    ln_text_printf(text, "\n%-*s", NAME + 2, type->name);
    for (int k = 0; k < count; k++)
        ln_text_printf(text, " %*s", CELL, op->simulation.network->instances[owners[k]].name);
    ln_text_add(text, "\n");
    for (int item = 0; item < type->nobserved; item++) {
        ln_text_printf(text, "  %-*s", NAME, type->observed[item]);
        for (int k = 0; k < count; k++) {
            cell(value_of(op, owners[k], type->observed[item]), type->observed_units[item],
                 short_text);
            ln_text_printf(text, " %*s", CELL, short_text);
        }
        ln_text_add(text, "\n");
    }
}

void ln_point_conditions(const ln_operating *op, ln_text *text) {
    const ln_network *network = op->simulation.network;
    for (int first = 0; first < network->ninstances; first++) {
        const linnet_block_class *type = network->instances[first].block.type;
        int owners[ACROSS], count = 0, seen = !ln_point_has_conditions(type);
        for (int k = 0; k < first && !seen; k++)
            seen = strcmp(network->instances[k].block.type->name, type->name) == 0;
        for (int k = first; k < network->ninstances && !seen; k++) {
            if (strcmp(network->instances[k].block.type->name, type->name) != 0)
                continue;
            owners[count++] = k;
            if (count < ACROSS)
                continue;
            put_group(op, type, owners, count, text);
            count = 0;
        }
        if (count > 0)
            put_group(op, type, owners, count, text);
    }
}
