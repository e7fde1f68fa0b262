/* SPDX-License-Identifier: MIT */
/* The unknowns of a type while it is compiled: ports, variables, then what is added for
 * derivatives and fluxes. */
#include "blocks/compile.h"

#include "base/domain.h"

int ln_new_unknown(ln_compile *c, linnet_var var) {
    if (!LN_GROW(c->lines, c->nlines, c->lines_room)) {
        (void)ln_no_memory(c->report);
        return -1;
    }
    c->lines[c->nlines] = (ln_line){.var = var, .residual = LN_NONE, .place = c->equations->place};
    return (int)c->nlines++;
}

const char *ln_unknown_name(const ln_compile *c, int unknown) {
    if (unknown >= LN_FLUX) {
        const linnet_port *port = &c->equations->ports[unknown - LN_FLUX];
        const char *flux =
            ln_arena_printf(c->scratch, "%s.%s", port->name, ln_domain(port->domain)->flux);
        return flux != NULL ? flux : port->name;
    }
    if (unknown >= c->nports)
        return c->lines[unknown].var.name;
    const linnet_port *port = &c->equations->ports[unknown];
    if (port->domain == LINNET_SIGNAL)
        return port->name;
    const char *name =
        ln_arena_printf(c->scratch, "%s.%s", port->name, ln_domain(port->domain)->potential);
    return name != NULL ? name : port->name;
}
