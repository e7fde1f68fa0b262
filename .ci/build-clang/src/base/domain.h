/* SPDX-License-Identifier: MIT */
/* The physical domains: one table, used by blocks, links, tolerances, messages and the manual. */
#ifndef LN_BASE_DOMAIN_H
#define LN_BASE_DOMAIN_H

/* Public part (the enum) is in <linnet/block.h>. */
#include <linnet/block.h>

/* How the power into a block follows from a port's potential and flux. */
typedef enum ln_power { LN_POWER_NONE, LN_POWER_PRODUCT, LN_POWER_FLUX } ln_power;

typedef struct ln_domain_info {
    const char *name;             /* "electrical" */
    const char *potential, *flux; /* names as written in equations: "v", "i"; signal: "", "" */
    const char *potential_unit, *flux_unit; /* "V", "A"; signal: "" (any) */
    double potential_nominal, flux_nominal; /* typical size, in the unit */
    /* absolute tolerance of Newton and step control, in the unit */
    double potential_abstol, flux_abstol;
    ln_power power;
    const char *reference; /* type that fixes the potential: "ground" */
    const char *doc;
} ln_domain_info;

/* Table row of a domain; never NULL for a valid enum value. */
const ln_domain_info *ln_domain(linnet_domain domain);
/* Domain of that name, or -1. */
int ln_domain_find(const char *name);

#endif
