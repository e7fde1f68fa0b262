/* SPDX-License-Identifier: MIT */
/* The table of domains: the only place that knows their names, units and sizes. */
#include "base/domain.h"

#include <stddef.h>
#include <string.h>

static const ln_domain_info domains[LINNET_DOMAINS] = {
    [LINNET_SIGNAL] = {"signal", "", "", NULL, NULL, 1, 1, 1e-6, 1e-6, LN_POWER_NONE, NULL,
                       "directed value without unit"},
    [LINNET_ELECTRICAL] = {"electrical", "v", "i", "V", "A", 1, 1e-3, 1e-6, 1e-9, LN_POWER_PRODUCT,
                           "ground", "voltage and current"},
    [LINNET_TRANSLATIONAL] = {"translational", "v", "f", "m/s", "N", 1, 1, 1e-6, 1e-6,
                              LN_POWER_PRODUCT, "fixed-point", "velocity and force"},
    [LINNET_ROTATIONAL] = {"rotational", "w", "tau", "rad/s", "N.m", 1, 1, 1e-6, 1e-6,
                           LN_POWER_PRODUCT, "fixed-shaft", "angular velocity and torque"},
    [LINNET_THERMAL] = {"thermal", "T", "Q", "K", "W", 300, 1, 1e-4, 1e-6, LN_POWER_FLUX,
                        "absolute-zero", "temperature and heat flow"},
    [LINNET_HYDRAULIC] = {"hydraulic", "p", "m", "Pa", "kg/s", 1e5, 1e-3, 1e-1, 1e-9, LN_POWER_NONE,
                          "vacuum", "pressure and mass flow"},
    [LINNET_MAGNETIC] = {"magnetic", "mmf", "phi", "A", "Wb", 1, 1e-6, 1e-6, 1e-12, LN_POWER_NONE,
                         "magnetic-ground", "magnetomotive force and flux"},
};

const ln_domain_info *ln_domain(linnet_domain domain) {
    return &domains[domain];
}

int ln_domain_find(const char *name) {
    for (int k = 0; k < LINNET_DOMAINS; k++)
        if (strcmp(domains[k].name, name) == 0)
            return k;
    return -1;
}
