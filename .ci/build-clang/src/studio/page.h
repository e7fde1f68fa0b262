/* SPDX-License-Identifier: MIT */
/* The page's own files, src/studio/page, carried inside the program (embedded_page.c is made by
 * src/blocks/embed.awk at build time). */
#ifndef LN_STUDIO_PAGE_H
#define LN_STUDIO_PAGE_H

#include "blocks/embedded.h"

/* Ends with a row of NULL. */
extern const ln_embedded_file ln_studio_page[];

#endif
