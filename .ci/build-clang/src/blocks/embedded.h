/* SPDX-License-Identifier: MIT */
/* Files carried inside the program (embedded.c is made by embed.awk at build time): those of
 * models/library, so that it finds its types wherever it runs, and sources of Linnet that generated
 * code takes along. */
#ifndef LN_BLOCKS_EMBEDDED_H
#define LN_BLOCKS_EMBEDDED_H

#include <stddef.h>

/* A type that a library file defines. */
typedef struct ln_embedded_type {
    const char *name, *group;
} ln_embedded_type;

typedef struct ln_embedded_file {
    const char *name, *data;
    size_t length;
    const ln_embedded_type *types; /* of a library file; ends with a row of NULL */
} ln_embedded_file;
/* Ends with a row of NULL. */
extern const ln_embedded_file ln_embedded_library[], ln_embedded_sources[];

#endif
