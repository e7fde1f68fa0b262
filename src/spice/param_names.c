/* SPDX-License-Identifier: MIT */
/* Parameters of circuits and their instances by name: hashed, for a deck may have any number of
 * them. */
#include "base/sys.h"
#include "spice/deck.h"

#include <string.h>

ln_spice_param **ln_params_end(ln_circuit *circuit) {
    return circuit->nparams > 0 ? &circuit->every[circuit->nparams - 1]->next : &circuit->params;
}

ln_spice_param *ln_param_enter(ln_spice *spice, ln_circuit *circuit, ln_spice_param *param) {
    if (circuit->named == NULL)
        circuit->named = ln_map_new();
    if (circuit->named == NULL || !LN_GROW(circuit->every, circuit->nparams, circuit->params_room))
        return ln_spice_no_memory(spice), param;
    const int first = ln_map_put(circuit->named, param->name, (int)circuit->nparams);
    circuit->every[circuit->nparams++] = param;
    return first >= 0 ? circuit->every[first] : (ln_spice_no_memory(spice), param);
}

ln_spice_param *ln_param_named(const ln_circuit *circuit, const char *name) {
    const int index = circuit->named != NULL ? ln_map_get(circuit->named, name) : -1;
    return index >= 0 ? circuit->every[index] : NULL;
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

void ln_params_free(ln_circuit *circuit) {
    for (ln_circuit *inner = circuit->inner; inner != NULL; inner = inner->next)
        ln_params_free(inner);
    ln_map_free(circuit->named);
    ln_sys->release((void *)circuit->every);
}
