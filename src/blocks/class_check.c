/* SPDX-License-Identifier: MIT */
/* Checks the tables of a class before anything trusts them: a native class that a program registers
 * may be wrong in any of them, and the engine indexes by them without looking. */
#include "blocks/catalogue.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "base/text.h"

#include <string.h>

typedef struct checker {
    const linnet_block_class *class;
    ln_report *report;
    int errors;
} checker;

#define WRONG(c, ...)                                                       \
    do {                                                                    \
        (c)->errors++;                                                      \
        ln_error((c)->report, LN_NOWHERE, "block type '%s': " __VA_ARGS__); \
    } while (0)

static const char *name_of(const checker *c) {
    return c->class->name;
}

/* A table and its length must agree. */
static int table(checker *c, const char *what, const void *items, int count) {
    if (count >= 0 && (count == 0 || items != NULL))
        return 1;
    WRONG(c, "its table of %s has %d rows%s", name_of(c), what, count,
          items == NULL ? " and no address" : "");
    return 0;
}

static void check_names(checker *c) {
    const linnet_block_class *t = c->class;
    ln_map *names = ln_map_new();
    const int params = t->nports, vars = params + t->nparams, memories = vars + t->nvars;
    for (int k = 0; names != NULL && k < memories + t->nmemories; k++) {
        const char *name = k < params     ? t->ports[k].name
                           : k < vars     ? t->params[k - params].name
                           : k < memories ? t->vars[k - vars].name
                                          : t->memories[k - memories].name;
        if (k >= memories && name == NULL)
            continue;
        if (name == NULL || name[0] == '\0')
            WRONG(c, "a port, parameter or variable has no name", name_of(c));
        else if (ln_map_put(names, name, k) != k)
            WRONG(c, "the name '%s' stands twice in its tables", name_of(c), name);
    }
    if (names == NULL)
        c->errors++, (void)ln_no_memory(c->report);
    ln_map_free(names);
}

static void check_ports(checker *c) {
    for (int k = 0; k < c->class->nports; k++) {
        const linnet_port *port = &c->class->ports[k];
        unsigned direction = port->flags & (LINNET_INPUT | LINNET_OUTPUT);
        if ((unsigned)port->domain >= LINNET_DOMAINS)
            WRONG(c, "port %s has no domain", name_of(c), port->name);
        else if (port->domain == LINNET_SIGNAL && direction != LINNET_INPUT &&
                 direction != LINNET_OUTPUT)
            WRONG(c, "signal port %s must be either input or output", name_of(c), port->name);
        else if (port->domain != LINNET_SIGNAL && direction != 0)
            WRONG(c, "physical port %s has a direction", name_of(c), port->name);
    }
}

static void check_rows(checker *c) {
    for (int k = 0; k < c->class->nvars; k++)
        if (c->class->rows[k].name == NULL)
            WRONG(c, "its own equation %d has no name", name_of(c), k + 1);
}

static void check_params(checker *c) {
    for (int k = 0; k < c->class->nparams; k++) {
        const linnet_param *param = &c->class->params[k];
        if (param->min > param->max)
            WRONG(c, "parameter %s has an empty range", name_of(c), param->name);
        if (param->flags & LINNET_TEXT)
            continue;
        if (param->offset < 0 || param->rows < 0 || param->cols < 0 ||
            param->offset + param->rows * param->cols > c->class->nvalues)
            WRONG(c, "parameter %s stands outside its %d values", name_of(c), param->name,
                  c->class->nvalues);
    }
}

static void check_entries(checker *c) {
    const linnet_block_class *t = c->class;
    int n = t->nports + t->nvars, state = 0, constant = 0;
    for (int k = 0; k < t->nentries; k++) {
        const linnet_entry *entry = &t->entries[k];
        if (entry->row < 0 || entry->row >= n || entry->col < 0 || entry->col >= n)
            WRONG(c, "entry %d (row %d, column %d) lies outside its %d unknowns", name_of(c), k,
                  entry->row, entry->col, n);
        else if (entry->row < t->nports && t->ports[entry->row].flags & LINNET_INPUT)
            WRONG(c, "entry %d stands in the row of input %s, which has none", name_of(c), k,
                  t->ports[entry->row].name);
        if (entry->change == LINNET_STATE)
            state++;
        else
            constant++;
    }
    if (constant > 0 && t->linear == NULL)
        WRONG(c, "it has constant entries and no linear()", name_of(c));
    if (state > 0 && t->eval == NULL)
        WRONG(c, "it has entries that change and no eval()", name_of(c));
}

static void check_marks(checker *c, const char *what, const char *marks, const char *allowed,
                        int needed) {
    size_t n = (size_t)(c->class->nports + c->class->nvars);
    if (marks == NULL && needed)
        WRONG(c, "it has no %s", name_of(c), what);
    if (marks != NULL && (strlen(marks) != n || strspn(marks, allowed) != n))
        WRONG(c, "its %s must hold %zu characters of \"%s\"", name_of(c), what, n, allowed);
}

static void check_functions(checker *c) {
    const linnet_block_class *t = c->class;
    check_marks(c, "nonlinear_rows", t->nonlinear_rows, "0123", t->eval != NULL);
    check_marks(c, "timed_rows", t->timed_rows, "01", 0);
    check_marks(c, "source_rows", t->source_rows, "01", t->source != NULL);
    if (t->nstarts > 0 && t->start == NULL)
        WRONG(c, "it has start conditions and no start()", name_of(c));
    for (int k = 0; k < t->nstarts; k++)
        for (int side = 0; side < 2; side++)
            if (t->starts[k].col[side] >= t->nports + t->nvars || t->starts[k].col[side] < -side)
                WRONG(c, "start condition %d names no unknown of its own", name_of(c), k);
    if (t->nobserved > 0 && t->observe == NULL)
        WRONG(c, "it has observed values and no observe()", name_of(c));
    if (t->reference_port < -1 || t->reference_port >= t->nports ||
        (t->reference_port >= 0 && (t->nports != 1 || t->nvars > 0 || t->nentries > 0)))
        WRONG(c, "a reference type has one port, no variables and no entries", name_of(c));
}

/* Modes stand first among the memories; each delay has three (linnet/block.h). */
static void check_memories(checker *c) {
    const linnet_block_class *t = c->class;
    if (t->nmodes < 0 || t->nmodes > t->nmemories)
        WRONG(c, "it has %d modes among %d memories", name_of(c), t->nmodes, t->nmemories);
    if (t->nmodes > 0 && (t->modes == NULL || t->guards == NULL))
        WRONG(c, "it has modes and no modes() or guards()", name_of(c));
    if (t->ndelays < 0 || t->nmodes + 3 * t->ndelays > t->nmemories)
        WRONG(c, "it has %d delays (of three memories each) and %d modes among %d memories",
              name_of(c), t->ndelays, t->nmodes, t->nmemories);
    if (t->ndelays > 0 && t->delays == NULL)
        WRONG(c, "it has delays and no delays()", name_of(c));
    if (t->nmemories > t->nmodes + 3 * t->ndelays && t->remember == NULL)
        WRONG(c, "it has memories and no remember()", name_of(c));
}

/* Whether events may set an unknown: a variable of the block, or the potential of a physical port.
 */
static int can_be_set(const linnet_block_class *t, int unknown) {
    if (unknown < 0 || unknown >= t->nports + t->nvars)
        return 0;
    return unknown >= t->nports || t->ports[unknown].domain != LINNET_SIGNAL;
}

static void check_events(checker *c) {
    const linnet_block_class *t = c->class;
    if (t->nevents > 0 && t->conditions == NULL)
        WRONG(c, "it has events and no conditions()", name_of(c));
    if (t->nset > 0 && t->act == NULL)
        WRONG(c, "it names unknowns that events set and has no act()", name_of(c));
    for (int k = 0; k < t->nset; k++)
        if (!can_be_set(t, t->set[k]))
            WRONG(c, "what its events set, number %d, is no variable of its own", name_of(c), k);
    for (int k = 0; k < t->nevents; k++)
        if (t->events[k].name == NULL)
            WRONG(c, "its event %d has no name", name_of(c), k + 1);
}

/* An alias leads to a parameter, and is the name of none. */
static void check_aliases(checker *c) {
    const linnet_block_class *t = c->class;
    for (int i = 0; i < t->naliases; i++) {
        int leads = 0, taken = 0;
        for (int k = 0; k < t->nparams; k++) {
            leads |= strcmp(t->params[k].name, t->aliases[i].param) == 0;
            taken |= strcmp(t->params[k].name, t->aliases[i].name) == 0;
        }
        if (!leads)
            WRONG(c, "'%s' is another name of '%s', which is no parameter", name_of(c),
                  t->aliases[i].name, t->aliases[i].param);
        if (taken)
            WRONG(c, "'%s' is another name of '%s', and a parameter itself", name_of(c),
                  t->aliases[i].name, t->aliases[i].param);
    }
}

linnet_status ln_class_check(const linnet_block_class *class, ln_report *report) {
    checker c = {class, report, 0};
    if (class == NULL || class->abi != LINNET_ABI)
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE,
                       "a block type was made for another version of Linnet (interface %u, here "
                       "%d); compile it anew",
                       class == NULL ? 0u : class->abi, LINNET_ABI);
    if (class->name == NULL || class->name[0] == '\0')
        return ln_fail(report, LINNET_USAGE, LN_NOWHERE, "a block type has no name");
    int whole = table(&c, "ports", class->ports, class->nports) &
                table(&c, "parameters", class->params, class->nparams) &
                table(&c, "other names of parameters", class->aliases, class->naliases) &
                table(&c, "variables", class->vars, class->nvars) &
                table(&c, "equations", class->rows, class->nvars) &
                table(&c, "entries", class->entries, class->nentries) &
                table(&c, "start conditions", class->starts, class->nstarts) &
                table(&c, "memories", class->memories, class->nmemories) &
                table(&c, "events", class->events, class->nevents) &
                table(&c, "unknowns set by events", class->set, class->nset) &
                table(&c, "observed values", class->observed, class->nobserved);
    if (whole && class->nports + class->nvars > LN_FLUX)
        WRONG(&c, "it has %d unknowns; at most %d", name_of(&c), class->nports + class->nvars,
              LN_FLUX);
    if (whole) {
        check_names(&c);
        check_ports(&c);
        check_params(&c);
        check_aliases(&c);
        check_rows(&c);
        check_entries(&c);
        check_functions(&c);
        check_memories(&c);
        check_events(&c);
    }
    return c.errors == 0 ? LINNET_OK : LINNET_USAGE;
}
