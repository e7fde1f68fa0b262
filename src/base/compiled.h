/* SPDX-License-Identifier: MIT */
/* C text compiled by this machine's own compiler, loaded, and kept for the next time.
 *
 * The cache is the folder linnet in XDG_CACHE_HOME, or in .cache of the home folder [XDG Base
 * Directory Specification]: it must belong to the user alone (mode 0700), since what is in it runs
 * with the user's rights. An entry is a library and the text it was made of, which also says the
 * compiler, its flags and Linnet's version; the library is used where that text is the same, byte
 * by byte. Both come to their names by rename, so programs that run at the same time see whole
 * files. */
#ifndef LN_BASE_COMPILED_H
#define LN_BASE_COMPILED_H

#include "base/report.h"
#include "base/arena.h"

typedef struct ln_text ln_text;

typedef struct ln_compiled {
    void *handle;   /* of the library; NULL: none */
    int kept;       /* it was in the cache */
    double seconds; /* that compiling it took */
    char why[300];  /* not */
} ln_compiled;

/* Compiles and loads a text of C99 that needs libm alone. LINNET_RETRY, nothing reported: there is
 * no compiler, or no folder for the cache, or the text is refused; out->why says which.
 * LINNET_MEMORY is reported. To be freed in any case. */
linnet_status ln_compiled_load(const ln_text *source, ln_compiled *out, ln_report *report);
/* A function or variable of it; NULL when there is none of the name. */
void *ln_compiled_find(const ln_compiled *compiled, const char *name);
void ln_compiled_free(ln_compiled *compiled);

#endif
