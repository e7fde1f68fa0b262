/* SPDX-License-Identifier: MIT */
/* <tolerance signals="out R1.*" absolute="1 uV"/>: what a model says about the absolute tolerance of single unknowns,
 * for Newton and for step control; <tolerance unit="V" absolute="1 uV"/>: of all of a unit. It belongs to the default
 * relative tolerance, 1e-4, and scales with the one of the run. A later element wins over an earlier one. */
#include "network/names.h"

#include <string.h>

typedef struct taking {
    ln_network *network;
    ln_report *report;
    const ln_element *element;
    const char *unit;              /* of the unknowns to take, whichever they are; NULL: they are named               */
    int taken;
    linnet_status status;
} taking;

static void take(void *context, const char *name, const ln_quantity *quantity) {
    taking *it = context;
    const char *text = ln_attribute_of(it->element, "absolute");
    ln_place place = ln_place_of(it->element);
    double value;
    (void)name;
    if (quantity->kind != LN_Q_UNKNOWN || it->status != LINNET_OK) return;
    if (it->unit != NULL && (quantity->unit == NULL || strcmp(quantity->unit, it->unit) != 0)) return;
    it->taken++;
    it->status = ln_scope_value(it->network->scope, text, quantity->unit, place, &value);
    if (it->status != LINNET_OK) return;
    if (value > 0) {
        it->network->absolute[quantity->index] = value;
        if (it->unit == NULL) it->network->singled[quantity->index] = 1;
    } else it->status = ln_fail(it->report, LINNET_MODEL, place, "tolerance: absolute is %s; it must be above zero", text);
}

/* One pattern of the list. */
static linnet_status take_pattern(taking *it, const char *pattern) {
    ln_quantity quantity;
    const char *nearest = NULL;
    ln_place place = ln_place_of(it->element);
    it->taken = 0;
    int matched = ln_network_match(it->network, pattern, take, it);
    if (matched < 0) return ln_no_memory(it->report);
    if (it->status != LINNET_OK || it->taken > 0) return it->status;
    if (matched > 0)
        return ln_fail(it->report, LINNET_MODEL, place, "tolerance: '%s' is computed from unknowns and is none itself; "
                       "name the links, states or variables it depends on", pattern);
    (void)ln_network_find(it->network, pattern, &quantity, &nearest);
    return ln_fail(it->report, LINNET_MODEL, place, "tolerance: there is no signal '%s'%s%s%s", pattern,
                   nearest != NULL ? "; did you mean '" : "", nearest != NULL ? nearest : "", nearest != NULL ? "'?" : "");
}

static linnet_status take_named(taking *it, const char *text) {
    const char *separators = " \t\r\n,";
    for (text += strspn(text, separators); *text != '\0'; text += strspn(text, separators)) {
        size_t length = ln_word_length(text);
        const char *pattern = ln_arena_text(it->network->arena, text, length);
        if (pattern == NULL) return ln_no_memory(it->report);
        LN_TRY(take_pattern(it, pattern));
        text += length;
    }
    return LINNET_OK;
}

/* All of a unit: a default of the model's own, which may apply to nothing; but the value must be one of that unit. */
static linnet_status take_unit(taking *it) {
    double value;
    LN_TRY(ln_scope_value(it->network->scope, ln_attribute_of(it->element, "absolute"), it->unit, ln_place_of(it->element),
                          &value));
    if (ln_network_match(it->network, "*", take, it) < 0) return ln_no_memory(it->report);
    return it->status;
}

linnet_status ln_take_tolerances(ln_network *network, ln_report *report) {
    const ln_model *model = network->model;
    if (model->ntolerances == 0) return LINNET_OK;
    network->absolute = LN_NEW(network->arena, double, network->names->nowned);
    network->singled = LN_NEW(network->arena, char, network->names->nowned);
    if (network->absolute == NULL || network->singled == NULL) return ln_no_memory(report);
    for (int k = 0; k < model->ntolerances; k++) {
        taking it = {.network = network, .report = report, .element = model->tolerances[k], .status = LINNET_OK};
        const char *signals = ln_attribute_of(it.element, "signals");
        it.unit = ln_attribute_of(it.element, "unit");
        if ((signals == NULL) == (it.unit == NULL))
            return ln_fail(report, LINNET_MODEL, ln_place_of(it.element), "tolerance: give signals=\"...\", the unknowns it is "
                           "of, or unit=\"...\", for all of a unit");
        LN_TRY(signals != NULL ? take_named(&it, signals) : take_unit(&it));
    }
    return LINNET_OK;
}
