/* SPDX-License-Identifier: MIT */
/* Flattening, joining and numbering: models of which every link, number and value can be told by
 * hand. */
#include "network_kit.h"

static const char rc[] =
    "\n<ground id='gnd' p='0'/>\n<voltage-source id='V1' p='in' n='0' V='5 V'/>\n"
    "<resistor id='R1' p='in' n='out' R='1 kOhm'/>\n<capacitor id='C1' p='out' n='0' C='1 uF'/>\n";

static void test_numbers(void) {
    net circuit = net_build(rc);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    const ln_network *n = circuit.network;
    CU_ASSERT_EQUAL(n->nlinks, 3);
    CU_ASSERT_EQUAL(n->ninstances, 4);
    CHECK_TEXT(n->links[0].name, "0");
    CHECK_TEXT(n->links[1].name, "in");
    CHECK_TEXT(n->links[2].name, "out");
    CHECK_TEXT(n->instances[0].name, "C1");
    CHECK_TEXT(n->instances[3].name, "gnd");
    /* in the order of owners' names: 0 C1 R1 V1 gnd in out; only V1 has a variable of its own */
    CU_ASSERT_EQUAL(n->n, 3);
    CU_ASSERT_EQUAL(n->links[0].unknown, -1);
    CU_ASSERT_EQUAL(net_block(&circuit, "V1")->first_own, 0);
    CU_ASSERT_EQUAL(n->links[1].unknown, 1);
    CU_ASSERT_EQUAL(n->links[2].unknown, 2);
    CU_ASSERT_EQUAL(n->links[0].nports, 3);
    CU_ASSERT_EQUAL(n->links[1].place.line, 3);
    CU_ASSERT_EQUAL(n->links[2].place.line, 4);
    CU_ASSERT_EQUAL(n->njoints, 7);
    for (int k = 0; k < n->nlinks; k++)
        for (int j = 0; j < n->links[k].nports; j++) {
            const ln_joint *joint = &n->joints[n->links[k].first + j];
            CU_ASSERT_EQUAL(n->instances[joint->instance].links[joint->port], k);
            CU_ASSERT(j == 0 || joint[-1].instance <= joint->instance);
        }
    CHECK_CLOSE(net_value(&circuit, "R1", "R"), 1000, 0);
    CHECK_CLOSE(net_value(&circuit, "C1", "C"), 1e-6, 0);
    CU_ASSERT_FALSE(n->purely_signal);
    CU_ASSERT_EQUAL(ln_report_warnings(circuit.report), 0);
    net_free(&circuit);
}

/* Only what the model wrote itself binds the start. */
static void test_given_starts(void) {
    net circuit =
        net_build("<ground id='g' p='0'/><capacitor id='C1' p='a' n='0' C='1 uF' v0='2 V'/>"
                  "<capacitor id='C2' p='a' n='0' C='1 uF'/><start link='a' value='1500 mV'/>");
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    CU_ASSERT_EQUAL(ln_is_given(net_block(&circuit, "C1"), 0), 1);
    CU_ASSERT_EQUAL(ln_is_given(net_block(&circuit, "C2"), 0), 0);
    CU_ASSERT(net_link(&circuit, "a")->start != NULL);
    CHECK_CLOSE(net_link(&circuit, "a")->start->value, 1.5, 1e-15);
    net_free(&circuit);
}

/* ---- the order of the file ---- */

enum { LINES = 60 };

/* The lines of a random network, in an order that a seed gives. */
static char *shuffled(unsigned seed) {
    static char lines[LINES][128];
    unsigned state = 12345;
    for (int k = 0; k < LINES; k++) {
        int a = (int)((state = state * 1103515245u + 12345u) >> 16) % 12,
            b = (int)((state = state * 1103515245u + 12345u) >> 16) % 12;
        if (k == 0)
            snprintf(lines[k], sizeof lines[k], "<ground id='g' p='n0'/>");
        else if (k < 12)
            snprintf(lines[k], sizeof lines[k], "<capacitor id='C%d' p='n%d' n='n0' C='%d nF'/>", k,
                     k, k);
        else if (k < 20)
            snprintf(lines[k], sizeof lines[k],
                     "<inductor id='a-long-name-%d' p='n%d' n='n%d' L='%d mH'/>", k, a, b, k);
        else if (k < 24)
            snprintf(lines[k], sizeof lines[k], "<link id='n%d' from='a-long-name-of-%d.p'/>", a,
                     k);
        else if (k < 28)
            snprintf(lines[k], sizeof lines[k], "<resistor id='a-long-name-of-%d' n='n%d' R='%d'/>",
                     k - 4, b, k);
        else
            snprintf(lines[k], sizeof lines[k], "<resistor id='R%d' p='n%d' n='n%d' R='%d Ohm'/>",
                     k, a, b, k + 1);
    }
    /* one <link> a name */
    for (int k = 20; k < 24; k++)
        snprintf(lines[k], sizeof lines[k], "<link id='n%d' from='a-long-name-of-%d.p'/>", k - 19,
                 k);
    int order[LINES];
    for (int k = 0; k < LINES; k++)
        order[k] = k;
    for (int k = LINES - 1; seed > 0 && k > 0; k--) {
        int other = (int)((seed = seed * 1103515245u + 12345u) >> 16) % (k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
    char *text = calloc(LINES, 130);
    for (int k = 0; k < LINES; k++) {
        strcat(text, lines[order[k]]);
        strcat(text, "\n");
    }
    return text;
}

static int same(const ln_network *a, const ln_network *b) {
    if (a->n != b->n || a->nlinks != b->nlinks || a->ninstances != b->ninstances ||
        a->njoints != b->njoints)
        return 0;
    for (int k = 0; k < a->nlinks; k++)
        if (strcmp(a->links[k].name, b->links[k].name) != 0 ||
            a->links[k].unknown != b->links[k].unknown || a->links[k].first != b->links[k].first)
            return 0;
    for (int i = 0; i < a->ninstances; i++) {
        const ln_instance *x = &a->instances[i], *y = &b->instances[i];
        if (strcmp(x->name, y->name) != 0 || strcmp(x->block.type->name, y->block.type->name) != 0)
            return 0;
        if (x->first_own != y->first_own || ln_is_given(x, 0) != ln_is_given(y, 0))
            return 0;
        if (memcmp(x->links, y->links, (size_t)x->block.type->nports * sizeof *x->links) != 0)
            return 0;
        if (memcmp(x->block.p, y->block.p, (size_t)x->block.type->nvalues * sizeof *x->block.p) !=
            0)
            return 0;
    }
    for (int k = 0; k < a->njoints; k++)
        if (a->joints[k].instance != b->joints[k].instance ||
            a->joints[k].port != b->joints[k].port)
            return 0;
    return 1;
}

static void test_order_of_file(void) {
    char *text = shuffled(0);
    net first = net_build(text);
    free(text);
    if (first.status != LINNET_OK)
        net_print(&first);
    CU_ASSERT_EQUAL_FATAL(first.status, LINNET_OK);
    CU_ASSERT_EQUAL(first.network->ninstances, LINES - 4);
    for (unsigned seed = 1; seed <= 20; seed++) {
        text = shuffled(seed);
        net other = net_build(text);
        CU_ASSERT_EQUAL_FATAL(other.status, LINNET_OK);
        CU_ASSERT(same(first.network, other.network));
        net_free(&other);
        free(text);
    }
    net_free(&first);
}

/* ---- links in both notations ---- */

static void test_both_notations(void) {
    net named = net_build(rc);
    net arrows = net_build(
        "<link id='0' from='gnd.p' to='V1.n C1.n'/><link id='in' from='V1.p' to='R1.p'/>"
        "<link id='out' from='R1.n' to='C1.p'/><ground id='gnd'/><voltage-source id='V1' V='5 V'/>"
        "<resistor id='R1' R='1 kOhm'/><capacitor id='C1' C='1 uF'/>");
    net mixed = net_build("<resistor id='R1' R='1 kOhm' p='in'/><link id='out' "
                          "from='R1.n,C1.p'/><ground id='gnd' p='0'/>"
                          "<voltage-source id='V1' V='5 V' n='0'/><link id='in' to='V1.p'/>"
                          "<capacitor id='C1' C='1 uF' n='0'/>");
    CU_ASSERT_EQUAL_FATAL(arrows.status, LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(mixed.status, LINNET_OK);
    CU_ASSERT(same(named.network, arrows.network));
    CU_ASSERT(same(named.network, mixed.network));
    const ln_joint *joints = &arrows.network->joints[net_link(&arrows, "in")->first];
    CU_ASSERT_EQUAL(joints[0].arrow, 1);  /* R1 */
    CU_ASSERT_EQUAL(joints[1].arrow, -1); /* V1 */
    CU_ASSERT_EQUAL(named.network->joints[net_link(&named, "in")->first].arrow, 0);
    net_free(&named);
    net_free(&arrows);
    net_free(&mixed);
}

/* An output is a name of its link, whatever comes first in the file; a block may read itself. */
static void test_output_as_name(void) {
    static const char *const orders[] = {
        "<gain id='g' in='plant.out' out='z' k='2'/><gain id='g2' in='y' out='u' "
        "k='-1'/><first-order id='plant' "
        "in='u' out='y' T='1'/>",
        "<first-order id='plant' in='u' out='y' T='1'/><gain id='g' in='plant.out' out='z' "
        "k='2'/><gain id='g2' in='y' "
        "out='u' k='-1'/>",
        /* y comes first of all, the name of the output before its block */
        ("<gain id='g2' in='y' out='u' k='-1'/><gain id='g' in='plant.out' out='z' k='2'/>"
         "<first-order id='plant' in='u' out='y' T='1'/>"),
    };
    for (int k = 0; k < 3; k++) {
        net circuit = net_build(orders[k]);
        if (circuit.status != LINNET_OK)
            net_print(&circuit);
        CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
        CHECK_TEXT(net_joined(&circuit, "g", "in"), "y");
        CHECK_TEXT(net_joined(&circuit, "plant", "out"), "y");
        CU_ASSERT_EQUAL(net_link(&circuit, "y")->nports, 3);
        CU_ASSERT_PTR_NULL(net_link(&circuit, "plant.out"));
        CU_ASSERT(circuit.network->purely_signal);
        net_free(&circuit);
    }
    net self = net_build("<integrator id='i' in='i.out'/>");
    CU_ASSERT_EQUAL_FATAL(self.status, LINNET_OK);
    CHECK_TEXT(net_joined(&self, "i", "in"), "i.out");
    CU_ASSERT_EQUAL(self.network->nlinks, 1);
    net_free(&self);
    net open = net_build("<gain id='a' in='i.out' k='1'/><gain id='b' in='a.out' out='s' "
                         "k='1'/><constant id='i' value='1'/>");
    CU_ASSERT_EQUAL_FATAL(open.status, LINNET_OK);
    CHECK_TEXT(net_joined(&open, "b", "in"), "a.out");
    CHECK_TEXT(net_joined(&open, "i", "out"), "i.out");
    CU_ASSERT_EQUAL(open.network->nlinks, 3);
    net_free(&open);
}

static void test_many_links(void) {
    static const char *const ways[] = {
        "<constant id='c1' value='1' out='a'/><constant id='c2' value='1' out='b'/><sum id='s' "
        "in='a b' signs='+-' "
        "out='e'/>",
        "<constant id='c1' value='1' out='a'/><constant id='c2' value='1' out='b'/><sum id='s' "
        "in='a, b' signs='+-' "
        "out='e'/>",
        "<constant id='c1' value='1'/><constant id='c2' value='1'/><sum id='s' signs='+-' out='e'/>"
        "<link id='a' from='c1.out' to='s.in'/><link id='b' from='c2.out' to='s.in'/>",
        "<constant id='c1' value='1'/><constant id='c2' value='1'/><sum id='s' signs='+-' out='e'/>"
        "<link id='b' from='c2.out' to='s.in[2]'/><link id='a' from='c1.out' to='s.in[1]'/>",
    };
    for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
        net circuit = net_build(ways[k]);
        if (circuit.status != LINNET_OK)
            net_print(&circuit);
        CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
        const ln_instance *sum = net_block(&circuit, "s");
        CU_ASSERT_EQUAL_FATAL(sum->block.type->nports, 3);
        CHECK_TEXT(circuit.network->links[sum->links[0]].name, "a");
        CHECK_TEXT(circuit.network->links[sum->links[1]].name, "b");
        net_free(&circuit);
    }
}

/* ---- components ---- */

static const char nested[] =
    "<component name='divider'><port name='top' domain='electrical'/><port name='tap' "
    "domain='electrical'/>"
    "<port name='foot' domain='electrical'/><parameter name='R' unit='Ohm' default='1 kOhm'/>"
    "<parameter name='ratio' default='0.5' min='0' max='1'/><parameter name='lower' "
    "default='R*ratio'/>"
    "<resistor id='up' p='top' n='tap' R='R - lower'/><resistor id='down' p='tap' n='foot' "
    "R='lower'/></component>"
    "<component name='pair'><port name='in' domain='electrical'/><port name='low' "
    "domain='electrical'/>"
    "<parameter name='size' unit='Ohm'/>"
    "<divider id='first' top='in' tap='m' foot='low' R='2*size'/><divider id='second' top='m' "
    "foot='low' ratio='0.1'/>"
    "</component>"
    "<parameter name='R' value='7 kOhm'/>"
    "<ground id='gnd' p='0'/><voltage-source id='V' p='a' n='0' V='1'/><pair id='x' in='a' "
    "size='R'/>"
    "<link id='0' to='x.low'/>";

static void test_components(void) {
    net circuit = net_build(nested);
    if (circuit.status != LINNET_OK)
        net_print(&circuit);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    CU_ASSERT_EQUAL(circuit.network->ninstances, 6);
    CHECK_CLOSE(net_value(&circuit, "x.first.up", "R"), 7000, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "x.first.down", "R"), 7000, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "x.second.up", "R"), 900, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "x.second.down", "R"), 100, 1e-15);
    CHECK_TEXT(net_joined(&circuit, "x.first.up", "p"), "a");
    CHECK_TEXT(net_joined(&circuit, "x.first.up", "n"), "x.m");
    CHECK_TEXT(net_joined(&circuit, "x.first.down", "n"), "0");
    CHECK_TEXT(net_joined(&circuit, "x.second.up", "p"), "x.m");
    /* nothing joins it outside */
    CHECK_TEXT(net_joined(&circuit, "x.second.up", "n"), "x.second.tap");
    CU_ASSERT_EQUAL(circuit.network->nlinks, 4);
    net_free(&circuit);
}

/* Without a port of that name, `0` is local like every other link. */
static void test_local_links(void) {
    net circuit = net_build(
        "<component name='cell'><ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>"
        "<resistor id='R' p='a' n='0' R='1'/></component><cell id='c1'/><cell id='c2'/>");
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    CU_ASSERT_EQUAL(circuit.network->nlinks, 4);
    CU_ASSERT_PTR_NOT_NULL(net_link(&circuit, "c1.0"));
    CU_ASSERT_PTR_NOT_NULL(net_link(&circuit, "c2.a"));
    net_free(&circuit);
}

static void test_component_outputs(void) {
    net circuit = net_build("<component name='chain'><input name='u'/><output name='y'/><gain "
                            "id='a' in='u' out='h' k='2'/>"
                            "<gain id='b' in='h' out='y' k='3'/></component>"
                            "<chain id='second' u='first.y'/><chain id='first' u='s'/><constant "
                            "id='c' value='1' out='s'/>"
                            "<gain id='end' in='second.y' out='z' k='1'/>");
    if (circuit.status != LINNET_OK)
        net_print(&circuit);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    CHECK_TEXT(net_joined(&circuit, "first.b", "out"), "first.y");
    CHECK_TEXT(net_joined(&circuit, "second.a", "in"), "first.y");
    CHECK_TEXT(net_joined(&circuit, "second.b", "out"), "second.y");
    CHECK_TEXT(net_joined(&circuit, "end", "in"), "second.y");
    CU_ASSERT_EQUAL(circuit.network->nlinks, 6);
    net_free(&circuit);
}

/* ---- parameters ---- */

static void test_defaults(void) {
    net circuit = net_build(
        "<block-type name='t'><port name='p' domain='electrical'/><parameter name='a' unit='Ohm' "
        "default='2 kOhm'/>"
        "<parameter name='b' unit='Ohm' default='2*a'/><parameter name='c' unit='mm' default='5'/>"
        "<equation>p.i = p.v/(a + b)</equation></block-type>"
        "<parameter name='a' value='1'/>"
        "<t id='t1' p='x'/><t id='t2' p='x' a='a*1 Ohm'/><t id='t3' p='x' b='1 Ohm' c='3'/>"
        "<resistor id='r' p='x' n='y' R='1'/><ground id='g' p='y'/>");
    if (circuit.status != LINNET_OK)
        net_print(&circuit);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    CHECK_CLOSE(net_value(&circuit, "t1", "b"), 4000, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "t2", "a"), 1, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "t2", "b"), 2, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "t3", "a"), 2000, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "t3", "b"), 1, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "t1", "c"), 0.005, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "t3", "c"), 0.003, 1e-15);
    net_free(&circuit);
}

static void test_lists(void) {
    net circuit = net_build(
        "<parameter name='k' value='3'/><step id='r' out='u'/>"
        "<transfer-function id='A' in='u' out='y' numerator='1' denominator='1 k 2*k'/>"
        "<transfer-function id='B' in='u' denominator='1, k, 2'>1 0.5</transfer-function>");
    if (circuit.status != LINNET_OK)
        net_print(&circuit);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    const ln_instance *a = net_block(&circuit, "A"), *b = net_block(&circuit, "B");
    for (int i = 0; i < a->block.type->nparams; i++) {
        const linnet_param *param = &a->block.type->params[i];
        if (strcmp(param->name, "denominator") != 0)
            continue;
        CU_ASSERT_EQUAL(param->rows * param->cols, 3);
        CHECK_CLOSE(a->block.p[param->offset + 1], 3, 0);
        CHECK_CLOSE(a->block.p[param->offset + 2], 6, 0);
    }
    for (int i = 0; i < b->block.type->nparams; i++) {
        const linnet_param *param = &b->block.type->params[i];
        if (strcmp(param->name, "numerator") != 0)
            continue;
        CU_ASSERT_EQUAL(param->cols, 2);
        CHECK_CLOSE(b->block.p[param->offset + 1], 0.5, 0);
    }
    net_free(&circuit);
}

static void test_overrides(void) {
    char xml[4096];
    snprintf(xml, sizeof xml, "<model>%s</model>", nested);
    const ln_override set[] = {
        {"R", "1 kOhm"}, {"V.V", "12 V"}, {"x.second.ratio", "0.25"}, {"x.first.up.R", "R/4"}};
    net circuit = net_build_with(xml, set, 4);
    if (circuit.status != LINNET_OK)
        net_print(&circuit);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    CHECK_CLOSE(net_value(&circuit, "V", "V"), 12, 0);
    CHECK_CLOSE(net_value(&circuit, "x.first.down", "R"), 1000, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "x.first.up", "R"), 250, 1e-15);
    CHECK_CLOSE(net_value(&circuit, "x.second.down", "R"), 250, 1e-15);
    CHECK_CLOSE(circuit.network->parameters[0].value, 1000, 1e-15);
    net_free(&circuit);
    const char *wrong[] = {"Rx", "V.W", "x.secnd.ratio", "nothing-like-it"};
    const char *hint[] = {"did you mean 'R'?", "V (voltage-source) has no parameter 'W'; it has: V",
                          "did you mean 'x.second.ratio'?", "there is no parameter"};
    for (int k = 0; k < 4; k++) {
        const ln_override one = {wrong[k], "1"};
        circuit = net_build_with(xml, &one, 1);
        CU_ASSERT_EQUAL(circuit.status, LINNET_USAGE);
        CU_ASSERT(net_said(&circuit, hint[k]));
        if (!net_said(&circuit, hint[k]))
            net_print(&circuit);
        net_free(&circuit);
    }
}

/* ---- memory ---- */

static ln_sys_table short_sys;
static unsigned long left;

static void *short_allocate(size_t bytes) {
    return left > 0 && left-- > 0 ? ln_sys_real.allocate(bytes) : NULL;
}
static void *short_resize(void *block, size_t bytes) {
    return left > 0 && left-- > 0 ? ln_sys_real.resize(block, bytes) : NULL;
}

/* Whichever request for memory fails, and all after it, the build ends with a status and leaves
 * nothing behind. */
static void test_short_memory(void) {
    char xml[4096];
    snprintf(
        xml, sizeof xml,
        "<model>%s<step id='r' out='u'/><transfer-function id='A' in='u' out='y' numerator='1' "
        "denominator='1 3 2'/><gain id='q' in='A.out' k='2'/></model>",
        nested);
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *model = NULL;
    CU_ASSERT_EQUAL_FATAL(ln_model_read_memory("t.xml", xml, strlen(xml), NULL, report, &model),
                          LINNET_OK);
    short_sys = ln_sys_real;
    short_sys.allocate = short_allocate;
    short_sys.resize = short_resize;
    static const char *const used[] = {"divider",           "pair",     "ground",
                                       "voltage-source",    "resistor", "step",
                                       "transfer-function", "gain",     "constant"};
    linnet_status status;
    int done = 0;
    for (unsigned long k = 0; !done && k < 20000; k++) {
        ln_network *network = NULL;
        ln_report_free(report);
        report = ln_report_new(NULL, NULL);
        ln_catalogue *catalogue = ln_catalogue_new(model, report, NULL);
        CU_ASSERT_PTR_NOT_NULL_FATAL(catalogue);
        /* types have tests of their own */
        for (int i = 0; i < 9; i++)
            ln_catalogue_find(catalogue, used[i], &status);
        left = k;
        ln_sys = &short_sys;
        status = ln_network_build(catalogue, model, NULL, 0, report, &network);
        ln_sys = &ln_sys_real;
        done = status == LINNET_OK;
        CU_ASSERT(done || network == NULL);
        CU_ASSERT(done || status == LINNET_MEMORY);
        if (!done && status != LINNET_MEMORY)
            printf("\n    request %lu: status %d: %s", k, (int)status, ln_report_text(report, 0));
        ln_network_free(network);
        ln_catalogue_free(catalogue);
    }
    CU_ASSERT(done);
    ln_model_free(model);
    ln_report_free(report);
}

UNIT_MAIN({"links and unknowns are numbered by name", test_numbers},
          {"start values that the model wrote", test_given_starts},
          {"equal instances share their values", test_equal_values},
          {"a network without the elements of its blocks", test_forgotten_blocks},
          {"the order of the file changes nothing", test_order_of_file},
          {"both notations of links", test_both_notations},
          {"an output is a name of its link", test_output_as_name},
          {"ports for many links", test_many_links}, {"components nest", test_components},
          {"links of a component are local", test_local_links},
          {"outputs of components", test_component_outputs}, {"defaults", test_defaults},
          {"lists", test_lists}, {"overrides", test_overrides},
          {"memory runs short", test_short_memory}, {"errors of the model", test_errors},
          {"what types refuse", test_types}, {"what a model unfolds into", test_unfolding},
          {"structural errors", test_structure_errors},
          {"random circuits against their matrix", test_random_circuits},
          {"no sound circuit is refused", test_no_false_alarm}, {"names", test_find},
          {"fluxes along links", test_flux_along_link}, {"patterns", test_match},
          {"fluxes as unknowns", test_extras}, {"texts and scales", test_texts})
