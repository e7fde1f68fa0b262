/* SPDX-License-Identifier: MIT */
/* The files of models/library, carried inside the program (embedded.c is made by embed.awk at build
 * time), so that it finds its types wherever it runs. */
#ifndef LN_BLOCKS_EMBEDDED_H
#define LN_BLOCKS_EMBEDDED_H

#include <stddef.h>

typedef struct ln_embedded_file {
    const char *name, *data;
    size_t length;
} ln_embedded_file;
/* Ends with a row of NULL. */
extern const ln_embedded_file ln_embedded_library[];

#endif
