/* SPDX-License-Identifier: MIT */
/* The table of words of other programs. It holds only words that no similarity of spelling would
 * lead home from. */
#include "base/foreign.h"

#include <stddef.h>
#include <strings.h>

typedef struct foreign_word {
    ln_foreign kind;
    const char *theirs, *ours;
} foreign_word;

static const foreign_word words[] = {
    /* MATLAB and Simulink */
    {LN_FOREIGN_METHOD, "ode45", "rk45"},
    {LN_FOREIGN_METHOD, "ode23", "rk45"},
    {LN_FOREIGN_METHOD, "ode113", "rk45"},
    {LN_FOREIGN_METHOD, "ode15s", "ida"},
    {LN_FOREIGN_METHOD, "ode15i", "ida"},
    {LN_FOREIGN_METHOD, "ode23s", "radau5"},
    {LN_FOREIGN_METHOD, "ode23t", "crank-nicolson"},
    {LN_FOREIGN_METHOD, "ode23tb", "tr-bdf2"},
    {LN_FOREIGN_METHOD, "ode1", "euler"},
    {LN_FOREIGN_METHOD, "ode2", "heun"},
    {LN_FOREIGN_METHOD, "ode4", "rk4"},
    {LN_FOREIGN_METHOD, "ode14x", "backward-euler"},
    /* SPICE */
    {LN_FOREIGN_METHOD, "trap", "crank-nicolson"},
    {LN_FOREIGN_METHOD, "trapezoidal", "crank-nicolson"},
    {LN_FOREIGN_METHOD, "gear", "bdf2"},
    /* Modelica tools, SciPy, SUNDIALS */
    {LN_FOREIGN_METHOD, "dassl", "ida"},
    {LN_FOREIGN_METHOD, "cvode", "ida"},
    {LN_FOREIGN_METHOD, "bdf", "ida"},
    {LN_FOREIGN_METHOD, "lsoda", "radau5"},
    {LN_FOREIGN_METHOD, "radau", "radau5"},
    {LN_FOREIGN_METHOD, "dopri5", "rk45"},
    {LN_FOREIGN_METHOD, "rungekutta", "rk4"},
    {LN_FOREIGN_METHOD, "runge-kutta", "rk4"},
    {LN_FOREIGN_METHOD, "implicit-euler", "backward-euler"},
    {LN_FOREIGN_METHOD, "impliciteuler", "backward-euler"},
    {LN_FOREIGN_METHOD, "forward-euler", "euler"},
    {LN_FOREIGN_SETTING, "time", "duration"},
    {LN_FOREIGN_SETTING, "stop", "duration"},
    {LN_FOREIGN_SETTING, "stop-time", "duration"},
    {LN_FOREIGN_SETTING, "stoptime", "duration"},
    {LN_FOREIGN_SETTING, "end", "duration"},
    {LN_FOREIGN_SETTING, "end-time", "duration"},
    {LN_FOREIGN_SETTING, "tstop", "duration"},
    {LN_FOREIGN_SETTING, "tend", "duration"},
    {LN_FOREIGN_SETTING, "t_end", "duration"},
    {LN_FOREIGN_SETTING, "dt", "step"},
    {LN_FOREIGN_SETTING, "h", "step"},
    {LN_FOREIGN_SETTING, "tstep", "step"},
    {LN_FOREIGN_SETTING, "timestep", "step"},
    {LN_FOREIGN_SETTING, "time-step", "step"},
    {LN_FOREIGN_SETTING, "fixedstep", "step"},
    {LN_FOREIGN_SETTING, "maxstep", "step"},
    {LN_FOREIGN_SETTING, "solver", "method"},
    {LN_FOREIGN_SETTING, "integrator", "method"},
    {LN_FOREIGN_SETTING, "algorithm", "method"},
    {LN_FOREIGN_SETTING, "tol", "tolerance"},
    {LN_FOREIGN_SETTING, "rtol", "tolerance"},
    {LN_FOREIGN_SETTING, "reltol", "tolerance"},
    /* SPICE's prefix, and units as people write them */
    {LN_FOREIGN_UNIT, "meg", "M"},
    {LN_FOREIGN_UNIT, "megohm", "MOhm"},
    {LN_FOREIGN_UNIT, "sec", "s"},
    {LN_FOREIGN_UNIT, "second", "s"},
    {LN_FOREIGN_UNIT, "seconds", "s"},
    {LN_FOREIGN_UNIT, "msec", "ms"},
    {LN_FOREIGN_UNIT, "usec", "us"},
    {LN_FOREIGN_UNIT, "nsec", "ns"},
    {LN_FOREIGN_UNIT, "volt", "V"},
    {LN_FOREIGN_UNIT, "volts", "V"},
    {LN_FOREIGN_UNIT, "amp", "A"},
    {LN_FOREIGN_UNIT, "amps", "A"},
    {LN_FOREIGN_UNIT, "ampere", "A"},
    {LN_FOREIGN_UNIT, "watt", "W"},
    {LN_FOREIGN_UNIT, "watts", "W"},
    {LN_FOREIGN_UNIT, "farad", "F"},
    {LN_FOREIGN_UNIT, "henry", "H"},
    {LN_FOREIGN_UNIT, "newton", "N"},
    {LN_FOREIGN_UNIT, "meter", "m"},
    {LN_FOREIGN_UNIT, "metre", "m"},
    {LN_FOREIGN_UNIT, "kelvin", "K"},
    {LN_FOREIGN_UNIT, "radians", "rad"},
    {LN_FOREIGN_UNIT, "degrees", "deg"},
    {LN_FOREIGN_UNIT, "ohms", "Ohm"},
    {LN_FOREIGN_UNIT, "kohms", "kOhm"},
};

const char *ln_foreign_word(ln_foreign kind, const char *word) {
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (words[k].kind == kind && strcasecmp(words[k].theirs, word) == 0)
            return words[k].ours;
    return NULL;
}
