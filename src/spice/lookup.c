/* SPDX-License-Identifier: MIT */
/* What a name means where a card stands: the link of a node, a model, a subcircuit, a function,
 * what `let` of a script has defined. A name is looked for in the circuit of the card, then in
 * those around it. */
#include "spice/deck.h"

#include <string.h>

/* ---- nodes ---- */

/* SPICE calls it 0; gnd is its other name in most decks. */
static int is_ground(const char *name) {
    return strcmp(name, "0") == 0 || strcmp(name, "gnd") == 0;
}

/* The link under this name. While elements are made it comes into being; afterwards names of nodes
 * are only looked up. */
static const char *known_node(ln_spice *spice, const char *name) {
    if (!spice->nodes.opening)
        return name;
    const int index = ln_map_put(spice->nodes.names, name, (int)spice->nodes.list.count);
    if (index < 0)
        return ln_spice_no_memory(spice), "0";
    if (index == (int)spice->nodes.list.count)
        LN_SPICE_ADD(spice, spice->nodes.list, name);
    /* empty once memory was short */
    return (size_t)index < spice->nodes.list.count ? spice->nodes.list.items[index] : "0";
}

const char *ln_node_of(ln_spice *spice, const ln_inside *inside, const char *name) {
    if (is_ground(name))
        return known_node(spice, "0");
    for (int k = 0; k < inside->circuit->nports; k++)
        if (strcmp(inside->circuit->ports[k], name) == 0)
            return inside->joined[k];
    for (size_t k = 0; k < spice->nodes.globals.count; k++)
        if (strcmp(spice->nodes.globals.items[k], name) == 0)
            return known_node(spice, spice->nodes.globals.items[k]);
    return known_node(spice, ln_spice_text(spice, "%s%s", inside->prefix, name));
}

int ln_node_is_used(ln_spice *spice, const char *link) {
    return ln_map_get(spice->nodes.names, link) >= 0;
}

/* ---- definitions ---- */

const ln_spice_model *ln_model_named(const ln_circuit *circuit, const char *name) {
    const ln_spice_model *model;
    for (; circuit != NULL; circuit = circuit->outer)
        if ((model = ln_defined(&circuit->models, name)) != NULL)
            return model;
    return NULL;
}

const ln_circuit *ln_subckt_named(const ln_circuit *circuit, const char *name) {
    const ln_circuit *inner;
    for (; circuit != NULL; circuit = circuit->outer)
        if ((inner = ln_defined(&circuit->inner, name)) != NULL)
            return inner;
    return NULL;
}

/* Functions belong to the circuit's text, unlike parameters: the search goes outwards through the
 * .subckt definitions. */
const ln_spice_function *ln_function_named(const ln_spice_scope *scope, const char *name,
                                           int nargs) {
    for (const ln_circuit *circuit = scope->circuit; circuit != NULL; circuit = circuit->outer)
        for (const ln_spice_function *f = ln_defined(&circuit->functions, name); f != NULL;
             f = f->next)
            if (f->nformal == nargs)
                return f;
    return NULL;
}

const ln_formula *ln_let_named(const ln_spice *spice, const char *name) {
    for (size_t k = spice->script.lets.count; k > 0; k--)
        if (strcmp(spice->script.lets.items[k - 1].name, name) == 0)
            return spice->script.lets.items[k - 1].formula;
    return NULL;
}
