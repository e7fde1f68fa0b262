/* SPDX-License-Identifier: MIT */
/* The unit that a value must have: a value without one is taken in it, a value in another one is an
 * error; and literals, which need no tree. */
#include "model/binding.h"

#include "expression/message.h"

#include <stdio.h>
#include <string.h>

linnet_status ln_quantity_unit(ln_scope *scope, const char *unit, ln_place place) {
    const char *nearest = NULL;
    if (scope->unit.factor != 0 && strcmp(scope->unit.text, unit) == 0)
        return LINNET_OK;
    scope->unit.factor = 0;
    if (strlen(unit) >= sizeof scope->unit.text ||
        !ln_unit_read(unit, &scope->unit.factor, &scope->unit.offset, &scope->unit.dimension,
                      &nearest)) {
        scope->unit.factor = 0;
        return ln_fail(scope->report, LINNET_MODEL, place, "unknown unit '%.60s'%s%s%s", unit,
                       nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "",
                       nearest != NULL ? "'?" : "");
    }
    memcpy(scope->unit.text, unit, strlen(unit) + 1);
    return LINNET_OK;
}

static linnet_status wrong_unit(const ln_scope *scope, const char *text, const char *unit,
                                ln_dimension dimension, ln_place place) {
    char is[64];
    ln_dimension_text(dimension, is);
    if (unit[0] == '\0' || strcmp(unit, "1") == 0)
        ln_expression_error(scope->report, place, text, 1,
                            "a plain number is wanted here, not %s; remove the unit", is);
    else
        ln_expression_error(scope->report, place, text, 1,
                            "a value in %s is wanted here, not in %s; check the unit%s", unit, is,
                            strcmp(is, "K") == 0 ? " (K is kelvin, kilo is a small k)"
                            : strcmp(is, "C") == 0 && strcmp(unit, "K") == 0
                                ? " (degrees Celsius are degC)"
                                : "");
    return LINNET_MODEL;
}

/* Checks the unit of a value, and converts one that has none. `literal`: text is nothing but a
 * number, which is then read again with the unit behind it, so that 0.1 in mm is the double nearest
 * to 1e-4. */
linnet_status ln_quantity_fit(ln_scope *scope, const ln_written *written, int literal,
                              double *value, ln_dimension *dimension) {
    const char *text = written->text, *unit = written->unit;
    const ln_place place = written->place;
    if (unit == NULL)
        return LINNET_OK;
    LN_TRY(ln_quantity_unit(scope, unit, place));
    if (!dimension->any && !ln_dimension_fits(*dimension, scope->unit.dimension))
        return wrong_unit(scope, text, unit, *dimension, place);
    if (!dimension->any)
        return LINNET_OK;
    *dimension = scope->unit.dimension;
    if (scope->unit.factor == 1 && scope->unit.offset == 0)
        return LINNET_OK;
    char exact[128];
    double again;
    ln_dimension ignored;
    if (literal && strlen(text) <= 90) {
        snprintf(exact, sizeof exact, "%.90s %.31s", text, unit);
        if (ln_ast_literal(exact, &again, &ignored)) {
            *value = again;
            return LINNET_OK;
        }
    }
    *value = *value * scope->unit.factor + scope->unit.offset;
    return LINNET_OK;
}

int ln_quantity_literal(ln_scope *scope, const char *text, const char *unit, ln_place place,
                        double *value, ln_dimension *dimension) {
    if (!ln_ast_literal(text, value, dimension))
        return 0;
    return ln_quantity_fit(scope, &(ln_written){text, unit, place}, 1, value, dimension) ==
                   LINNET_OK
               ? 1
               : -1;
}
