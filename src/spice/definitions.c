/* SPDX-License-Identifier: MIT */
/* What a circuit defines - parameters, models, subcircuits, functions - by name: hashed, for a deck
 * may have any number of them. */
#include "base/sys.h"
#include "spice/deck.h"

#include <string.h>

void *ln_define(ln_spice *spice, ln_definitions *all, const char *name, void *item) {
    if (all->named == NULL)
        all->named = ln_map_new();
    if (all->named == NULL || !LN_GROW(all->items, all->count, all->room))
        return ln_spice_no_memory(spice), item;
    const int first = ln_map_put(all->named, name, (int)all->count);
    all->items[all->count++] = item;
    return first >= 0 ? all->items[first] : (ln_spice_no_memory(spice), item);
}

void *ln_defined(const ln_definitions *all, const char *name) {
    const int index = all->named != NULL ? ln_map_get(all->named, name) : -1;
    return index >= 0 ? all->items[index] : NULL;
}

ln_spice_param **ln_params_end(ln_circuit *circuit) {
    const ln_definitions *all = &circuit->every;
    if (all->count == 0)
        return &circuit->params;
    ln_spice_param *last = all->items[all->count - 1];
    return &last->next;
}

ln_spice_param *ln_param_named(const ln_circuit *circuit, const char *name) {
    return ln_defined(&circuit->every, name);
}

/* An instance has copies, few, behind what its call gives. */
ln_spice_param *ln_scope_param(const ln_spice_scope *scope, const char *name) {
    if (scope->outer == NULL)
        return scope->params != NULL ? ln_param_named(scope->circuit, name) : NULL;
    ln_spice_param *param = scope->params;
    while (param != NULL && strcmp(param->name, name) != 0)
        param = param->next;
    return param;
}

void ln_definitions_free(ln_circuit *circuit) {
    for (size_t k = 0; k < circuit->inner.count; k++)
        ln_definitions_free(circuit->inner.items[k]);
    ln_definitions *const kinds[] = {&circuit->every, &circuit->models, &circuit->inner,
                                     &circuit->functions};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        ln_map_free(kinds[k]->named);
        ln_sys->release((void *)kinds[k]->items);
    }
}
