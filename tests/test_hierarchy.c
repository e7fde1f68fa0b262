/* SPDX-License-Identifier: MIT */
/* What a model expands into: repetitions, conditions, typed parameters, scopes of components. */
#include "network_kit.h"

static const char *const lag =
    "<component name='lag'><input name='u'/><output name='y'/><parameter name='speed' "
    "choices='slow fast' default='fast'/>"
    "<parameter name='law' type='text' default='2*u'/><parameter name='b' default='1'/>"
    "<first-order id='a' in='u' out='x' T='1 s' if='speed.slow'/><gain id='a' in='u' out='x' k='b' "
    "if='speed.fast'/>"
    "<function id='g' in='x' out='y' expression='law'/></component><constant id='one' out='u' "
    "value='1'/>";

static net build(const char *head, const char *body, const char *set, const char *value) {
    char text[4000];
    snprintf(text, sizeof text, "<model>%s%s</model>", head, body);
    ln_override override = {set, value};
    net circuit = net_build_with(text, &override, set != NULL);
    if (circuit.network == NULL && circuit.status != LINNET_MODEL)
        net_print(&circuit);
    return circuit;
}

static void test_ladder(void) {
    net circuit = net_build(
        "<ground id='g' p='0'/><voltage-source id='V' p='x[0]' n='0' V='1'/>"
        "<repeat index='k' from='1' to='3'><resistor id='R[k]' p='x[k-1]' n='x[ k ]' R='k*1 kOhm'/>"
        "<capacitor id='C[2*k]' p='R[k].n' n='0' C='1 nF'/></repeat>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(circuit.network);
    CU_ASSERT_EQUAL(circuit.network->ninstances, 8);
    CU_ASSERT_EQUAL(circuit.network->nlinks, 5);
    CHECK_TEXT(net_joined(&circuit, "R[1]", "p"), "x[0]");
    CHECK_TEXT(net_joined(&circuit, "R[3]", "p"), "x[2]");
    CHECK_TEXT(net_joined(&circuit, "C[6]", "p"), "x[3]");
    CHECK_CLOSE(net_value(&circuit, "R[3]", "R"), 3000, 0);
    net_free(&circuit);
}

/* Links written with arrows, to blocks of other turns; nested indices; a sum over the inputs of a
 * list. */
static void test_links(void) {
    net circuit = net_build(
        "<parameter name='n' value='2'/><constant id='c' out='one' value='1'/>"
        "<repeat index='i' from='1' to='n'><repeat index='j' from='i' to='n'>"
        "<gain id='G[i,j]' in='one' k='10*i + j'/></repeat>"
        "<gain id='H[i]' k='1'/><link id='y[i]' from='G[1,i].out' to='H[n+1-i].in'/></repeat>"
        "<sum id='s' in='y[1], G[2,2].out y[n]' out='z'/>");
    if (circuit.network == NULL)
        net_print(&circuit);
    CU_ASSERT_PTR_NOT_NULL_FATAL(circuit.network);
    CU_ASSERT_EQUAL(circuit.network->ninstances, 7);
    CHECK_TEXT(net_joined(&circuit, "H[1]", "in"), "y[2]");
    CHECK_TEXT(net_joined(&circuit, "H[2]", "in"), "y[1]");
    CHECK_TEXT(net_joined(&circuit, "s", "in[2]"), "G[2,2].out");
    CHECK_TEXT(net_joined(&circuit, "s", "in[3]"), "y[2]");
    CHECK_CLOSE(net_value(&circuit, "G[1,2]", "k"), 12, 0);
    ln_quantity quantity;
    CU_ASSERT_TRUE(ln_network_find(circuit.network, "G[1,2].out", &quantity, NULL));
    CU_ASSERT_FALSE(ln_network_find(circuit.network, "G[2,1].out", &quantity, NULL));
    net_free(&circuit);
}

/* A start value in a repetition is evaluated when domains are known, with its own index. */
static void test_starts(void) {
    net circuit = net_build(
        "<ground id='g' p='0'/><repeat index='k' from='1' to='3'><diode id='D[k]' p='x[k]' n='0'/>"
        "<current-source id='I[k]' p='0' n='x[k]' I='1 mA'/><start link='x[k]' value='k*0.1 "
        "V'/></repeat>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(circuit.network);
    CHECK_CLOSE(net_link(&circuit, "x[1]")->start->value, 0.1, 1e-15);
    CHECK_CLOSE(net_link(&circuit, "x[3]")->start->value, 0.3, 1e-15);
    net_free(&circuit);
}

static void test_conditions(void) {
    net circuit = net_build(
        "<parameter name='n' value='3'/><ground id='g' p='0'/>"
        "<repeat index='k' from='1' to='n'><resistor id='R[k]' p='x' n='0' R='1' if='k ne "
        "2'/></repeat>"
        "<repeat index='k' from='1' to='n' if='n gt 5'><resistor id='S[k]' p='x' n='0' "
        "R='1'/></repeat>"
        "<repeat index='k' from='1' to='0'><resistor id='T[k]' p='x' n='0' R='1'/></repeat>"
        "<resistor id='U' p='x' R='1' if='n eq 3'/><link id='0' to='U.n' if='n eq 3'/>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(circuit.network);
    CU_ASSERT_EQUAL(circuit.network->ninstances, 4);
    CU_ASSERT_PTR_NULL(net_block(&circuit, "R[2]"));
    net_free(&circuit);
}

/* One type, many instances, each with its own parameters: choices decide what is inside, texts
 * reach a function. */
static void test_parameters(void) {
    const char *body =
        "<parameter name='kind' choices='slow fast' value='slow'/>"
        "<parameter name='f' type='text' value='u + b'/><parameter name='n' type='integer' "
        "value='2'/>"
        "<lag id='p' u='u' y='y1' speed='kind' law='f' b='5'/><lag id='q' u='u' y='y2' b='7'/>"
        "<repeat index='k' from='1' to='n'><lag id='r[k]' u='u' y='z[k]' b='k'/></repeat>";
    net circuit = build(lag, body, NULL, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(circuit.network);
    CHECK_TEXT(net_block(&circuit, "p.a")->block.type->name, "first-order");
    CHECK_TEXT(net_block(&circuit, "q.a")->block.type->name, "gain");
    CHECK_CLOSE(net_value(&circuit, "q.a", "k"), 7, 0);
    CHECK_CLOSE(net_value(&circuit, "r[2].a", "k"), 2, 0);
    CHECK_TEXT(net_joined(&circuit, "p.a", "out"), "p.x");
    CHECK_TEXT(net_joined(&circuit, "q.a", "out"), "q.x");
    net_free(&circuit);
    circuit = build(lag, body, "kind", "fast");
    CU_ASSERT_PTR_NOT_NULL_FATAL(circuit.network);
    CHECK_TEXT(net_block(&circuit, "p.a")->block.type->name, "gain");
    net_free(&circuit);
    circuit = build(lag, body, "q.speed", "slow");
    CU_ASSERT_PTR_NOT_NULL_FATAL(circuit.network);
    CHECK_TEXT(net_block(&circuit, "q.a")->block.type->name, "first-order");
    net_free(&circuit);
    circuit = build(lag, body, "n", "4");
    CU_ASSERT_PTR_NOT_NULL_FATAL(circuit.network);
    CU_ASSERT_PTR_NOT_NULL(net_block(&circuit, "r[4].g"));
    net_free(&circuit);
    circuit = build(lag, body, "n", "1.5");
    CU_ASSERT_EQUAL(circuit.status, LINNET_MODEL);
    CU_ASSERT_TRUE(net_said(&circuit, "parameter 'n' is 1.5; it must be a whole number"));
    net_free(&circuit);
    circuit = build(lag, body, "kind", "fats");
    CU_ASSERT_EQUAL(circuit.status, LINNET_MODEL);
    CU_ASSERT_TRUE(net_said(&circuit, "parameter 'kind' is 'fats'; it must be one of: slow fast"));
    net_free(&circuit);
}

/* A ladder in a repetition is what the same ladder is when written out, and loads in much the same
 * time. */
static void test_large(void) {
    enum { N = 10000 };
    size_t room = (size_t)N * 120 + 200, at = 0;
    char *xml = malloc(room);
    at += (size_t)snprintf(xml, room, "<model><ground id='g' p='x[0]'/>");
    for (int k = 1; k <= N; k++)
        at += (size_t)snprintf(xml + at, room - at,
                               "<resistor id='R[%d]' p='x[%d]' n='x[%d]' R='1 kOhm'/>"
                               "<capacitor id='C[%d]' p='x[%d]' n='x[0]' C='1 nF'/>",
                               k, k - 1, k, k, k);
    snprintf(xml + at, room - at, "</model>");
    double begin = ln_sys->clock();
    net written = net_build_with(xml, NULL, 0);
    double middle = ln_sys->clock();
    net repeated = net_build("<ground id='g' p='x[0]'/><repeat index='k' from='1' to='10000'>"
                             "<resistor id='R[k]' p='x[k-1]' n='x[k]' R='1 kOhm'/>"
                             "<capacitor id='C[k]' p='x[k]' n='x[0]' C='1 nF'/></repeat>");
    double end = ln_sys->clock();
    free(xml);
    CU_ASSERT_PTR_NOT_NULL_FATAL(written.network);
    CU_ASSERT_PTR_NOT_NULL_FATAL(repeated.network);
    CU_ASSERT_EQUAL(repeated.network->ninstances, 2 * N + 1);
    CU_ASSERT_EQUAL(repeated.network->n, written.network->n);
    int same = 1;
    for (int i = 0; i < repeated.network->ninstances && same; i++)
        same =
            strcmp(repeated.network->instances[i].name, written.network->instances[i].name) == 0 &&
            repeated.network->instances[i].links[0] == written.network->instances[i].links[0];
    CU_ASSERT_TRUE(same);
    CU_ASSERT(end - middle < 3 * (middle - begin) + 0.2); /* wide: other work on the machine */
    net_free(&written);
    net_free(&repeated);
}

UNIT_MAIN({"ladder", test_ladder}, {"links between turns", test_links},
          {"start values", test_starts}, {"conditions", test_conditions},
          {"parameters", test_parameters}, {"ten thousand turns", test_large})
