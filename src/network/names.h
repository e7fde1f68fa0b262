/* SPDX-License-Identifier: MIT */
/* Private to the room `network`: what look-up and messages need beside the public arrays. */
#ifndef LN_NETWORK_NAMES_H
#define LN_NETWORK_NAMES_H

#include "network/network.h"
#include "model/tree.h"

/* A component instance. Its inside is flattened; its name, ports and parameters can still be asked
 * for. */
typedef struct ln_component {
    const char *name;
    const ln_element *element; /* while the network is built */
    const linnet_port *ports;  /* of its definition */
    int nports;
    int *links; /* per port: link, -1 when nothing is joined */
    /* per port: the vector it joins, whose elements are links; NULL: none; may be NULL */
    const char *const *vectors;
    const signed char *arrows; /* per port, as ln_joint.arrow */
    ln_scope *scope;           /* its parameters */
} ln_component;

struct ln_network_names {
    ln_component *components; /* ordered by name */
    int ncomponents;
    int *owner; /* per unknown: instance, or -1 - link */
    int nowned; /* unknowns without the extra fluxes, which follow */
};

/* The index of a name (of `length` bytes) in the ordered arrays, or -1. O(log n). (Instances:
 * network.h.) */
int ln_find_link(const ln_network *network, const char *name, size_t length);
int ln_find_component(const ln_network *network, const char *name, size_t length);

/* The port of that name, or -1. */
int ln_port_find(const linnet_port *ports, int nports, const char *name);

/* A value as a quantity; of a link (-1: an open port) its potential or signal; the flux into a
 * port. All return 1. */
int ln_quantity_constant(ln_quantity *quantity, double value, const char *unit);
int ln_quantity_link(const ln_network *network, int link, ln_quantity *quantity);
int ln_quantity_flux(const ln_network *network, int instance, int port, ln_quantity *quantity);

/* One of the names that mean something at an instance, as a quantity; `rest` is what follows
 * "block.". 0: unknown. */
int ln_find_in_instance(const ln_network *network, int instance, const char *rest,
                        ln_quantity *quantity);
/* Calls visit(context, name) for every recordable name at an instance, without "block."; a name for
 * which memory is short is passed over, and ln_arena_failed(network->arena) tells. */
void ln_instance_names(const ln_network *network, int instance,
                       void (*visit)(void *context, const char *name), void *context);

/* Reads the model's <tolerance> elements. */
linnet_status ln_take_tolerances(ln_network *network, ln_report *report);

#endif
