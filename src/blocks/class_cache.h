/* SPDX-License-Identifier: MIT */
/* Private to the room `blocks`: where classes are made to order and kept - of sized types for the
 * shape of an instance, of types in C with several classes, of classes that are switched on and
 * off, or triggered. Equal orders get the same class. A cache that could not be made has no
 * shapes: an order then ends with want of memory. */
#ifndef LN_BLOCKS_CLASS_CACHE_H
#define LN_BLOCKS_CLASS_CACHE_H

#include "blocks/catalogue.h"
#include "base/text.h"

typedef struct ln_kept ln_kept;

typedef struct ln_class_cache {
    ln_arena *arena; /* keys, and what is kept */
    ln_map *shapes;  /* key of a shape -> index of classes[] */
    const linnet_block_class **classes;
    size_t nclasses, classes_room;
    ln_kept *kept; /* what they live in */
} ln_class_cache;

/* 0 when memory is short. */
int ln_class_cache_open(ln_class_cache *cache);
/* Frees everything in it; it may be opened again. */
void ln_class_cache_close(ln_class_cache *cache);

/* Compiles equations, which the cache then keeps; frees them when that fails. */
linnet_status ln_class_cache_compile(ln_class_cache *cache, ln_equations *equations,
                                     ln_report *report, const linnet_block_class **class);
/* The class of an instance of a sized type; of a type in C that has several. Failures are reported.
 */
linnet_status ln_class_cache_class(ln_class_cache *cache, const ln_type *type,
                                   const ln_shape *shape, ln_report *report,
                                   const linnet_block_class **class);
linnet_status ln_class_cache_variant(ln_class_cache *cache, const ln_type *type,
                                     const ln_shape *shape, ln_report *report,
                                     const linnet_block_class **class);
/* As ln_catalogue_enabled() and ln_catalogue_triggered(). */
linnet_status ln_class_cache_enabled(ln_class_cache *cache, const linnet_block_class *class,
                                     const ln_enable *enables, int nenables, ln_report *report,
                                     const linnet_block_class **enabled);
linnet_status ln_class_cache_triggered(ln_class_cache *cache, const linnet_block_class *class,
                                       ln_trigger_edge edge, ln_report *report,
                                       const linnet_block_class **triggered, const char **reason);

#endif
