/* SPDX-License-Identifier: MIT */
/* The table of methods. A method is a row here and its step in a file of its own (stepper.h), in
 * implicit.c or in explicit.c. */
#include "integrate/integrate.h"

#include <string.h>

static const ln_method methods[] = {
    {"backward-euler", "fully implicit Euler, adaptive or fixed step: L-stable, order 1", 1, 1, 1},
    {"crank-nicolson",
     "trapezoidal rule, adaptive or fixed step: A-stable, order 2; damped after discontinuities", 2,
     1, 1},
    {"tr-bdf2", "TR-BDF2, adaptive or fixed step: L-stable, order 2, error estimate", 2, 1, 1},
    {"bdf2", "two-step BDF, adaptive or fixed step: L-stable, order 2, one solve per step", 2, 1,
     1},
    {"radau5",
     "Radau IIA of order 5, adaptive: L-stable, the method for accuracy and for stiff systems", 5,
     1, 2},
    {"ida", "SUNDIALS IDA, adaptive: BDF of order 1 to 5, for smooth systems of index 1", 5, 1, 2},
    {"euler", "explicit Euler, fixed step, order 1", 1, 0, 0},
    {"heun", "Heun's method, explicit, fixed step, order 2", 2, 0, 0},
    {"rk4", "classical Runge-Kutta, explicit, fixed step, order 4", 4, 0, 0},
    {"rk45", "Dormand-Prince 5(4), explicit, adaptive", 5, 0, 1},
};

const ln_method *ln_method_at(int index) {
    return index >= 0 && (size_t)index < sizeof methods / sizeof *methods ? &methods[index] : NULL;
}

const ln_method *ln_method_find(const char *name) {
    for (int k = 0; ln_method_at(k) != NULL; k++)
        if (strcmp(methods[k].name, name) == 0)
            return &methods[k];
    return NULL;
}
