/* SPDX-License-Identifier: MIT */
/* <tolerance signals="out R1.*" absolute="1 uV"/>: what a model says about the absolute tolerance
 * of single unknowns, for Newton and for step control; <tolerance unit="V" absolute="1 uV"/>: of
 * all of a unit. It belongs to the default relative tolerance, 1e-4, and scales with the one of the
 * run. A later element wins over an earlier one. */
#include "base/text.h"
#include "model/scope.h"
#include "network/names.h"
#include "model/model.h"
#include "model/tree.h"

#include <string.h>

typedef struct taking {
    ln_network *network;
    ln_report *report;
    const ln_element *element;
    const char *unit; /* of the unknowns to take, whichever they are; NULL: they are named */
    int taken;
    linnet_status status;
} taking;

static void take(void *context, const char *name, const ln_quantity *quantity) {
    taking *taker = context;
    const char *text = ln_attribute_of(taker->element, "absolute");
    ln_place place = ln_place_of(taker->element);
    double value;
    (void)name;
    if (quantity->kind != LN_Q_UNKNOWN || taker->status != LINNET_OK)
        return;
    if (taker->unit != NULL && (quantity->unit == NULL || strcmp(quantity->unit, taker->unit) != 0))
        return;
    taker->taken++;
    taker->status = ln_scope_value(taker->network->scope, text, quantity->unit, place, &value);
    if (taker->status != LINNET_OK)
        return;
    if (value > 0) {
        taker->network->absolute[quantity->index] = value;
        if (taker->unit == NULL)
            taker->network->singled[quantity->index] = 1;
    } else
        taker->status = ln_fail(taker->report, LINNET_MODEL, place,
                                "tolerance: absolute is %s; it must be above zero", text);
}

/* One pattern of the list. */
static linnet_status take_pattern(taking *taker, const char *pattern) {
    ln_quantity quantity;
    const char *nearest = NULL;
    ln_place place = ln_place_of(taker->element);
    taker->taken = 0;
    int matched = ln_network_match(taker->network, pattern, take, taker);
    if (matched < 0)
        return ln_no_memory(taker->report);
    if (taker->status != LINNET_OK || taker->taken > 0)
        return taker->status;
    if (matched > 0)
        return ln_fail(taker->report, LINNET_MODEL, place,
                       "tolerance: '%s' is computed from unknowns and is none itself; "
                       "name the links, states or variables it depends on",
                       pattern);
    (void)ln_network_find(taker->network, pattern, &quantity, &nearest);
    return ln_fail(taker->report, LINNET_MODEL, place, "tolerance: there is no signal '%s'%s%s%s",
                   pattern, nearest != NULL ? "; did you mean '" : "",
                   nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

static linnet_status take_named(taking *taker, const char *text) {
    const char *separators = " \t\r\n,";
    for (text += strspn(text, separators); *text != '\0'; text += strspn(text, separators)) {
        size_t length = ln_word_length(text);
        const char *pattern = ln_arena_text(taker->network->arena, text, length);
        if (pattern == NULL)
            return ln_no_memory(taker->report);
        LN_TRY(take_pattern(taker, pattern));
        text += length;
    }
    return LINNET_OK;
}

/* All of a unit: a default of the model's own, which may apply to nothing; but the value must be
 * one of that unit. */
static linnet_status take_unit(taking *taker) {
    double value;
    LN_TRY(ln_scope_value(taker->network->scope, ln_attribute_of(taker->element, "absolute"),
                          taker->unit, ln_place_of(taker->element), &value));
    if (ln_network_match(taker->network, "*", take, taker) < 0)
        return ln_no_memory(taker->report);
    return taker->status;
}

linnet_status ln_take_tolerances(ln_network *network, ln_report *report) {
    const ln_model *model = network->model;
    if (model->ntolerances == 0)
        return LINNET_OK;
    network->absolute = LN_NEW(network->arena, double, network->names->nowned);
    network->singled = LN_NEW(network->arena, char, network->names->nowned);
    if (network->absolute == NULL || network->singled == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < model->ntolerances; k++) {
        taking taker = {.network = network,
                        .report = report,
                        .element = model->tolerances[k],
                        .status = LINNET_OK};
        const char *signals = ln_attribute_of(taker.element, "signals");
        taker.unit = ln_attribute_of(taker.element, "unit");
        if ((signals == NULL) == (taker.unit == NULL))
            return ln_fail(report, LINNET_MODEL, ln_place_of(taker.element),
                           "tolerance: give signals=\"...\", the unknowns it is "
                           "of, or unit=\"...\", for all of a unit");
        LN_TRY(signals != NULL ? take_named(&taker, signals) : take_unit(&taker));
    }
    return LINNET_OK;
}
