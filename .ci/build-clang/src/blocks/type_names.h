/* SPDX-License-Identifier: MIT */
/* What names mean inside one block type: `p.v`, `p.i`, `u`, `R`, `x`, `t`. */
#ifndef LN_BLOCKS_TYPE_NAMES_H
#define LN_BLOCKS_TYPE_NAMES_H

#include "blocks/equations.h"

typedef enum ln_name_kind {
    LN_NAME_PORT,
    LN_NAME_PARAMETER,
    LN_NAME_VARIABLE,
    LN_NAME_LET,
    LN_NAME_MEMORY,
    LN_NAME_TIME
} ln_name_kind;

typedef struct ln_type_names ln_type_names;
/* Empty but for `t`; NULL when memory is short. Owner: caller. */
ln_type_names *ln_type_names_new(ln_equations *equations);
void ln_type_names_free(ln_type_names *names);

/* Adds a name. When memory is short, equations->failed is set. */
void ln_type_names_add(ln_type_names *names, const char *name, ln_name_kind kind, ln_node node,
                       ln_dimension dimension);
/* Adds a port: a signal's bare name, or `port.potential` and `port.flux` of a physical one. */
void ln_type_names_add_port(ln_type_names *names, const char *name, linnet_domain domain,
                            ln_node node, ln_node flux);
/* The names for ln_lower, as they are now. */
typedef enum ln_name_view {
    LN_VIEW_ALL,
    LN_VIEW_PARAMETERS,
    LN_VIEW_START /* parameters and t */
} ln_name_view;
ln_names ln_type_names_resolver(ln_type_names *names, ln_name_view view);
/* A resolver that knows nothing: for constants. */
ln_names ln_type_names_nothing(void);

#endif
