/* SPDX-License-Identifier: MIT */
/* Private to the room `blocks`: where classes are made to order and kept - of sized types for the shape of an instance, of
 * types in C with several classes, of classes that are switched on and off, or triggered. Equal orders get the same class.
 * A shop that could not be opened has no shapes: an order then ends with want of memory. */
#ifndef LN_BLOCKS_SHOP_H
#define LN_BLOCKS_SHOP_H

#include "blocks/catalogue.h"

typedef struct ln_shop {
    ln_arena *arena;        /* keys                                                                                   */
    ln_map *shapes;         /* key of a shape -> index of classes[]                                                   */
    const linnet_block_class **classes; size_t nclasses, classes_room;
    ln_equations **kept;    size_t nkept, kept_room; /* what they live in                                             */
} ln_shop;

/* 0 when memory is short. */
int ln_shop_open(ln_shop *shop);
/* Frees everything in it; it may be opened again. */
void ln_shop_close(ln_shop *shop);

/* Compiles equations, which the shop then keeps; frees them when that fails. */
linnet_status ln_shop_compile(ln_shop *shop, ln_equations *equations, ln_report *report, const linnet_block_class **class);
/* The class of an instance of a sized type; of a type in C that has several. Failures are reported. */
linnet_status ln_shop_class(ln_shop *shop, const ln_type *type, const ln_shape *shape, ln_report *report,
                            const linnet_block_class **class);
linnet_status ln_shop_variant(ln_shop *shop, const ln_type *type, const ln_shape *shape, ln_report *report,
                              const linnet_block_class **class);
/* As ln_catalogue_gated() and ln_catalogue_triggered(). */
linnet_status ln_shop_gated(ln_shop *shop, const linnet_block_class *class, const ln_gate *gates, int ngates,
                            ln_report *report, const linnet_block_class **gated);
linnet_status ln_shop_triggered(ln_shop *shop, const linnet_block_class *class, ln_trigger_edge edge, ln_report *report,
                                const linnet_block_class **triggered, const char **reason);

#endif
