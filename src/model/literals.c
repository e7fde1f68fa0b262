/* SPDX-License-Identifier: MIT */
/* Literals read before. A large network says the same few numbers many thousand times, and to read
 * one with its unit costs forty times as much as to find it again. */
#include "model/binding.h"

#include <string.h>

/* What is read last takes the place of another of the same hash; longer ones are not kept. */
enum { LITERALS = 256, LONGEST_TEXT = 23, LONGEST_UNIT = 15 };

typedef struct literal {
    char text[LONGEST_TEXT + 1], unit[LONGEST_UNIT + 1]; /* the unit that it must fit */
    double value;
} literal;

struct ln_literals {
    literal kept[LITERALS];
};

ln_literals *ln_literals_new(ln_arena *arena) {
    return LN_NEW(arena, ln_literals, 1);
}

/* Where it is, or would be; NULL: it is not kept. */
static const literal *place_of(const ln_literals *literals, const ln_written *written) {
    unsigned hash = 2166136261u; /* FNV-1a */
    size_t length = 0;
    for (; length <= LONGEST_TEXT && written->text[length] != '\0'; length++)
        hash = (hash ^ (unsigned char)written->text[length]) * 16777619u;
    if (length == 0 || length > LONGEST_TEXT || written->unit == NULL ||
        strlen(written->unit) > LONGEST_UNIT)
        return NULL;
    return &literals->kept[(hash ^ hash >> 16) % LITERALS];
}

int ln_literals_know(const ln_literals *literals, const ln_written *written, double *value) {
    const literal *kept = place_of(literals, written);
    if (kept == NULL || strcmp(kept->text, written->text) != 0 ||
        strcmp(kept->unit, written->unit) != 0)
        return 0;
    *value = kept->value;
    return 1;
}

linnet_status ln_literals_value(ln_literals *literals, ln_scope *scope, const ln_written *written,
                                double *value) {
    literal *kept = (literal *)place_of(literals, written);
    ln_dimension dimension;
    if (ln_literals_know(literals, written, value))
        return LINNET_OK;
    const int found =
        ln_quantity_literal(scope, written->text, written->unit, written->place, value, &dimension);
    if (found == 0)
        return ln_scope_value(scope, written->text, written->unit, written->place, value);
    if (found < 0)
        return LINNET_MODEL;
    if (kept != NULL) {
        *kept = (literal){.value = *value};
        memcpy(kept->text, written->text, strlen(written->text));
        memcpy(kept->unit, written->unit, strlen(written->unit));
    }
    return LINNET_OK;
}
