/* SPDX-License-Identifier: MIT */
/* Block types that a program registers and whose tables are wrong, one fault each: what is said. A
 * resistor with a junction's memory is made wrong in a copy. */
#include "blocks/catalogue.h"
#include "messages.h"
#include "unit.h"

/* The tables of a type, a copy for each fault. */
typedef struct tables {
    linnet_block_class class;
    linnet_port ports[2];
    linnet_param params[1];
    linnet_alias aliases[1];
    linnet_var vars[1];
    linnet_row rows[1];
    linnet_entry entries[2];
    linnet_start starts[1];
    linnet_memory memories[4];
    linnet_event events[1];
    int set[1];
} tables;

static const char *const observed[] = {"P"};

/* Nothing of them is called. */
static void linear(const linnet_block *block, double *entry) {
    (void)block, (void)entry;
}
static linnet_status eval(const linnet_block *block, const linnet_point *point, linnet_out *out) {
    (void)block, (void)point, (void)out;
    return LINNET_OK;
}
static void source(const linnet_block *block, const linnet_point *point, double *s) {
    (void)block, (void)point, (void)s;
}
static void start(const linnet_block *block, double *value) {
    (void)block, (void)value;
}
static double observe(const linnet_block *block, const linnet_point *point, int index) {
    (void)block, (void)point;
    return index;
}
static void delays(const linnet_block *block, const linnet_point *point, linnet_delay *delay) {
    (void)block, (void)point, (void)delay;
}
static void modes(const linnet_block *block, const linnet_point *point, double *mode) {
    (void)block, (void)point, (void)mode;
}
static void remember(const linnet_block *block, double t, double *m) {
    (void)block, (void)t, (void)m;
}
static void conditions(const linnet_block *block, const linnet_point *point, char *holds) {
    (void)block, (void)point, (void)holds;
}
static void act(const linnet_block *block, const linnet_point *point, const linnet_point *before,
                const char *fired, double *m, double *x) {
    (void)block, (void)point, (void)before, (void)fired, (void)m, (void)x;
}

static void make_right(tables *t) {
    *t = (tables){.class = {.abi = LINNET_ABI,
                            .name = "thing",
                            .doc = "for tests",
                            .nports = 2,
                            .nparams = 1,
                            .nvalues = 1,
                            .naliases = 1,
                            .nvars = 1,
                            .nentries = 2,
                            .nstarts = 1,
                            .nmemories = 4,
                            .nmodes = 1,
                            .ndelays = 1,
                            .nevents = 1,
                            .nset = 1,
                            .observed = observed,
                            .nobserved = 1,
                            .reference_port = -1,
                            .nonlinear_rows = "003",
                            .source_rows = "001",
                            .linear = linear,
                            .eval = eval,
                            .source = source,
                            .start = start,
                            .observe = observe,
                            .delays = delays,
                            .modes = modes,
                            .guards = modes,
                            .remember = remember,
                            .conditions = conditions,
                            .act = act},
                  .ports = {{.name = "p", .domain = LINNET_ELECTRICAL},
                            {.name = "u", .domain = LINNET_SIGNAL, .flags = LINNET_INPUT}},
                  .params = {{.name = "R", .min = 0, .max = 1, .rows = 1, .cols = 1}},
                  .aliases = {{"resistance", "R"}},
                  .vars = {{.name = "x"}},
                  .rows = {{.name = "its equation"}},
                  .entries = {{.row = 0, .col = 2}, {.row = 2, .col = 2, .change = LINNET_STATE}},
                  .starts = {{.col = {2, -1}}},
                  .events = {{.name = "turns"}},
                  .set = {2}};
    t->class.ports = t->ports, t->class.params = t->params, t->class.aliases = t->aliases;
    t->class.vars = t->vars, t->class.rows = t->rows, t->class.entries = t->entries;
    t->class.starts = t->starts, t->class.memories = t->memories, t->class.events = t->events;
    t->class.set = t->set;
}

/* One fault and what is said of it: FAULT(what is changed, text) */
#define FAULT(change, text)                                          \
    do {                                                             \
        tables t;                                                    \
        ln_report *report = ln_report_new(NULL, NULL);               \
        make_right(&t);                                              \
        change;                                                      \
        CU_ASSERT(ln_class_check(&t.class, report) == LINNET_USAGE); \
        CU_ASSERT(contains(report, text));                           \
        ln_report_free(report);                                      \
    } while (0)

static void test_right(void) {
    tables t;
    ln_report *report = ln_report_new(NULL, NULL);
    make_right(&t);
    CU_ASSERT(ln_class_check(&t.class, report) == LINNET_OK);
    CU_ASSERT(ln_report_text(report, 0) == NULL);
    CU_ASSERT(ln_class_check(NULL, report) == LINNET_USAGE);
    CU_ASSERT(contains(report, "was made for another version of Linnet (interface 0, here "));
    ln_report_free(report);
}

static void test_tables(void) {
    FAULT(t.class.abi = 99, "was made for another version of Linnet (interface 99");
    FAULT(t.class.name = "", "a block type has no name");
    FAULT(t.class.nports = -1, "its table of ports has -1 rows");
    FAULT(t.class.params = NULL, "its table of parameters has 1 rows and no address");
    FAULT(t.ports[0].name = "", "a port, parameter or variable has no name");
    FAULT(t.vars[0].name = "R", "the name 'R' stands twice in its tables");
    FAULT(t.memories[3].name = "x", "the name 'x' stands twice in its tables");
    FAULT(t.ports[0].domain = (linnet_domain)77, "port p has no domain");
    FAULT(t.ports[1].flags = 0, "signal port u must be either input or output");
    FAULT(t.ports[0].flags = LINNET_OUTPUT, "physical port p has a direction");
    FAULT(t.rows[0].name = NULL, "its own equation 1 has no name");
    FAULT(t.params[0].min = 2, "parameter R has an empty range");
    FAULT(t.params[0].cols = 2, "parameter R stands outside its 1 values");
    FAULT(t.aliases[0].param = "L", "'resistance' is another name of 'L', which is no parameter");
    FAULT(t.aliases[0].name = "R", "'R' is another name of 'R', and a parameter itself");
}

static void test_functions(void) {
    FAULT(t.entries[0].col = 3, "entry 0 (row 0, column 3) lies outside its 3 unknowns");
    FAULT(t.entries[0].row = 1, "entry 0 stands in the row of input u, which has none");
    FAULT(t.class.linear = NULL, "it has constant entries and no linear()");
    FAULT(t.class.eval = NULL, "it has entries that change and no eval()");
    FAULT(t.class.nonlinear_rows = NULL, "it has no nonlinear_rows");
    FAULT(t.class.source_rows = "012", "its source_rows must hold 3 characters of \"01\"");
    FAULT(t.class.start = NULL, "it has start conditions and no start()");
    FAULT(t.starts[0].col[0] = 3, "start condition 0 names no unknown of its own");
    FAULT(t.class.observe = NULL, "it has observed values and no observe()");
    FAULT(t.class.reference_port = 0, "a reference type has one port, no variables and no entries");
    FAULT(t.class.nmodes = 5, "it has 5 modes among 4 memories");
    FAULT(t.class.guards = NULL, "it has modes and no modes() or guards()");
    FAULT(t.class.ndelays = 2, "it has 2 delays (of three memories each) and 1 modes among 4");
    FAULT(t.class.delays = NULL, "it has delays and no delays()");
    FAULT((t.class.ndelays = 0, t.class.remember = NULL), "it has memories and no remember()");
    FAULT(t.class.conditions = NULL, "it has events and no conditions()");
    FAULT(t.class.act = NULL, "it names unknowns that events set and has no act()");
    FAULT(t.set[0] = 1, "what its events set, number 0, is no variable of its own");
    FAULT(t.events[0].name = NULL, "its event 1 has no name");
}

UNIT_MAIN({"a type that is right, none, one of another version", test_right},
          {"wrong tables", test_tables}, {"wrong functions", test_functions})
