/* SPDX-License-Identifier: MIT */
/* What a user's names mean. */
#include "network_kit.h"

static const char model[] =
    "<parameter name='load' value='1 kOhm'/>"
    "<component name='box'><port name='p' domain='electrical'/><port name='n' domain='electrical'/>"
    "<parameter name='R' default='5 Ohm'/><link id='p' from='R1.p'/><resistor id='R1' n='m' R='R'/>"
    "<capacitor id='C1' p='m' n='n' C='1 uF'/></component>"
    "<block-type name='odd'><port name='p' domain='electrical'/><variable name='v' unit='A'/><let "
    "name='i' "
    "value='2*p.v'/>"
    "<equation>p.i = v</equation><equation>v = p.v/(3 Ohm)</equation></block-type>"
    "<ground id='gnd' p='0'/><voltage-source id='V1' p='in' n='0' V='5 V'/><resistor id='R1' "
    "p='in' n='a' R='load'/>"
    "<link id='a' to='b1.p'/><box id='b1' n='0'/><odd id='o' p='in'/>"
    "<ideal-transformer id='T1' ratio='2' p1='in' n1='0' p2='q' n2='0'/><resistor id='R2' p='q' "
    "n='0' R='1'/>"
    "<motor-constant id='M1' p='in' n='0' shaft='w' k='1'/><inertia id='J1' p='w' J='1'/>"
    "<vacuum id='vac' p='h0'/><pipe-resistance id='P1' p='h' n='h0' R='1'/><tank id='K1' p='h' "
    "A='1'/>"
    "<voltage-sensor id='vm' p='a' n='0' out='reading'/>";

static ln_quantity find(const net *circuit, const char *name) {
    ln_quantity quantity = {.kind = LN_Q_NONE};
    const char *nearest = NULL;
    if (!ln_network_find(circuit->network, name, &quantity, &nearest))
        quantity.kind = LN_Q_NONE;
    return quantity;
}

static int index_of(const net *circuit, const char *block) {
    return (int)(net_block(circuit, block) - circuit->network->instances);
}

static void check_flux(const net *circuit, const char *name, const char *block, int port,
                       double sign) {
    ln_quantity q = find(circuit, name);
    CU_ASSERT_EQUAL(q.kind, LN_Q_FLUX);
    CU_ASSERT_EQUAL(q.index, index_of(circuit, block));
    CU_ASSERT_EQUAL(q.item, port);
    CHECK_CLOSE(q.sign, sign, 0);
    if (q.kind != LN_Q_FLUX || q.item != port)
        printf("\n    %s", name);
}

static void check_unknown(const net *circuit, const char *name, int unknown) {
    ln_quantity q = find(circuit, name);
    CU_ASSERT_EQUAL(q.kind, LN_Q_UNKNOWN);
    CU_ASSERT_EQUAL(q.index, unknown);
    if (q.kind != LN_Q_UNKNOWN || q.index != unknown)
        printf("\n    %s", name);
}

void test_find(void) {
    net circuit = net_build(model);
    if (circuit.status != LINNET_OK)
        net_print(&circuit);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    check_unknown(&circuit, "in", net_link(&circuit, "in")->unknown);
    CU_ASSERT_EQUAL(find(&circuit, "0").kind, LN_Q_ZERO);
    CHECK_TEXT(find(&circuit, "in").unit, "V");
    /* a component's port is a name of its link */
    check_unknown(&circuit, "b1.p", net_link(&circuit, "a")->unknown);
    check_unknown(&circuit, "b1.m", net_link(&circuit, "b1.m")->unknown);
    CHECK_CLOSE(find(&circuit, "load").value, 1000, 0);
    CHECK_CLOSE(find(&circuit, "R1.R").value, 1000, 0);
    CHECK_CLOSE(find(&circuit, "b1.R").value, 5, 0);
    CHECK_CLOSE(find(&circuit, "b1.R1.R").value, 5, 0);
    check_flux(&circuit, "R1.i", "R1", 0, 1);
    check_flux(&circuit, "R1.p.i", "R1", 0, 1);
    check_flux(&circuit, "R1.n.i", "R1", 1, 1);
    check_flux(&circuit, "b1.C1.i", "b1.C1", 0, 1);
    CHECK_TEXT(find(&circuit, "R1.i").unit, "A");
    /* the flux that the type keeps as its unknown */
    check_unknown(&circuit, "V1.i", net_block(&circuit, "V1")->first_own);
    check_unknown(&circuit, "R1.n.v", net_link(&circuit, "a")->unknown);
    ln_quantity drop = find(&circuit, "R1.v");
    CU_ASSERT_EQUAL(drop.kind, LN_Q_DROP);
    CU_ASSERT_EQUAL(drop.item, 0);
    CU_ASSERT_EQUAL(drop.other, 1);
    /* one port: its potential */
    check_unknown(&circuit, "J1.w", net_link(&circuit, "w")->unknown);
    check_unknown(&circuit, "J1.w", net_link(&circuit, "w")->unknown);
    CU_ASSERT_EQUAL(find(&circuit, "M1.v").kind, LN_Q_DROP);
    CHECK_TEXT(find(&circuit, "M1.tau").unit, "N.m");
    CU_ASSERT_EQUAL(find(&circuit, "T1.v").other, 1);
    CU_ASSERT_EQUAL(find(&circuit, "R1.P").kind, LN_Q_POWER);
    /* a mass flow times a pressure is no power */
    CU_ASSERT_EQUAL(find(&circuit, "P1.P").kind, LN_Q_NONE);
    CU_ASSERT_EQUAL(find(&circuit, "vm.out").index, net_link(&circuit, "reading")->unknown);
    /* the type's own names win over derived ones */
    check_unknown(&circuit, "o.v", net_block(&circuit, "o")->first_own);
    CU_ASSERT_EQUAL(find(&circuit, "o.i").kind, LN_Q_OBSERVED);
    const char *nearest;
    ln_quantity q;
    CU_ASSERT_FALSE(ln_network_find(circuit.network, "reeding", &q, &nearest));
    CHECK_TEXT(nearest, "reading");
    CU_ASSERT_FALSE(ln_network_find(circuit.network, "lod", &q, &nearest));
    CHECK_TEXT(nearest, "load");
    CU_ASSERT_FALSE(ln_network_find(circuit.network, "b1.C2.i", &q, &nearest));
    CHECK_TEXT(nearest, "b1.C1.i");
    CU_ASSERT_FALSE(ln_network_find(circuit.network, "M1.tua", &q, &nearest));
    CHECK_TEXT(nearest, "M1.tau");
    CU_ASSERT_FALSE(ln_network_find(circuit.network, "", &q, &nearest));
    CU_ASSERT_FALSE(ln_network_find(circuit.network, "R1.", &q, &nearest));
    CU_ASSERT_FALSE(ln_network_find(circuit.network, ".i", &q, &nearest));
    net_free(&circuit);
}

void test_flux_along_link(void) {
    net circuit = net_build(
        "<ground id='g' p='0'/><resistor id='R1' p='x' R='1'/><resistor id='R2' n='0' R='1'/>"
        "<link id='n1' from='R1.n' to='R2.p C1.p'/><capacitor id='C1' n='0' C='1'/>"
        "<voltage-source id='V' p='x' n='0' V='1'/>"
        "<component name='box'><port name='p' domain='electrical'/><resistor id='R' p='p' n='0' "
        "R='1'/>"
        "<ground id='g' p='0'/></component><box id='b'/><link id='n2' from='b.p' to='R3.p'/>"
        "<resistor id='R3' n='x' R='1'/>");
    if (circuit.status != LINNET_OK)
        net_print(&circuit);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    check_flux(&circuit, "n1@R1.n", "R1", 1, -1); /* out of a `from` port */
    check_flux(&circuit, "n1@R2.p", "R2", 0, 1);
    check_flux(&circuit, "n1@C1.p", "C1", 0, 1);
    check_flux(&circuit, "x@R1.p", "R1", 0, 1);
    check_flux(&circuit, "n2@b.p", "b.R", 0, -1);
    check_flux(&circuit, "n2@R3.p", "R3", 0, 1);
    check_flux(&circuit, "b.p@R3.p", "R3", 0, 1);
    CU_ASSERT_EQUAL(find(&circuit, "x@R1.n").kind, LN_Q_NONE); /* another link's port */
    CU_ASSERT_EQUAL(find(&circuit, "n1@R9.n").kind, LN_Q_NONE);
    CU_ASSERT_EQUAL(find(&circuit, "n1@").kind, LN_Q_NONE);
    CU_ASSERT_EQUAL(find(&circuit, "@R1.n").kind, LN_Q_NONE);
    net_free(&circuit);
}

static void collect(void *context, const char *name, const ln_quantity *quantity) {
    CU_ASSERT(quantity->kind != LN_Q_NONE);
    char *list = context;
    if (list[0] != '\0')
        strcat(list, " ");
    strcat(list, name);
}

static void check_match(const net *circuit, const char *pattern, int count, const char *expected) {
    char list[4096] = "";
    CU_ASSERT_EQUAL(ln_network_match(circuit->network, pattern, collect, list), count);
    CHECK_TEXT(list, expected);
}

void test_match(void) {
    net circuit = net_build(model);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    check_match(&circuit, "in", 1, "in");
    check_match(&circuit, "nothing", 0, "");
    check_match(&circuit, "R1.*", 3, "R1.P R1.i R1.v");
    check_match(&circuit, "?1.P", 5, "J1.P M1.P R1.P T1.P V1.P");
    check_match(&circuit, "b1.*", 9,
                "b1.C1.P b1.C1.i b1.C1.v b1.R1.P b1.R1.i b1.R1.v b1.m b1.n b1.p");
    check_match(&circuit, "T1.*", 6, "T1.P T1.i T1.n1.i T1.n2.i T1.p2.i T1.v");
    check_match(&circuit, "*.tau", 2, "J1.tau M1.tau");
    check_match(&circuit, "P1.*", 2, "P1.m P1.p");
    check_match(&circuit, "o.*", 3, "o.P o.i o.v");
    check_match(&circuit, "vm.*", 4, "vm.P vm.i vm.out vm.v");
    net_free(&circuit);
}

void test_extras(void) {
    net circuit =
        net_build("<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>"
                  "<capacitor id='C1' p='a' n='0' C='1'/><capacitor id='C2' p='a' n='0' C='1'/>"
                  "<capacitor id='C3' p='a' n='0' C='1'/>");
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    int n = circuit.network->n, c1 = index_of(&circuit, "C1"), c2 = index_of(&circuit, "C2"),
        c3 = index_of(&circuit, "C3");
    CU_ASSERT_EQUAL(ln_network_add_flux(circuit.network, c3, 0), n);
    CU_ASSERT_EQUAL(ln_network_add_flux(circuit.network, c1, 1), n);
    CU_ASSERT_EQUAL(ln_network_add_flux(circuit.network, c2, 0), n + 1);
    CU_ASSERT_EQUAL(ln_network_add_flux(circuit.network, c1, 0), n);
    CU_ASSERT_EQUAL(ln_network_add_flux(circuit.network, c3, 0), n + 3);
    CU_ASSERT_EQUAL(circuit.network->nextras, 4);
    CU_ASSERT_EQUAL(circuit.network->n, n + 4);
    for (int k = 0; k < 4; k++)
        CU_ASSERT_EQUAL(circuit.network->extras[k].unknown, n + k);
    CU_ASSERT_EQUAL(circuit.network->extras[1].instance, c1);
    CU_ASSERT_EQUAL(circuit.network->extras[1].port, 1);
    char text[160];
    ln_network_unknown_text(circuit.network, n + 1, text);
    CHECK_TEXT(text, "C1.n.i [A]");
    CHECK_TEXT(ln_network_unknown_name(circuit.network, n + 2), "C2.p.i");
    net_free(&circuit);
}

void test_texts(void) {
    net circuit = net_build(
        "\n<ground id='g' p='0'/>\n<voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' "
        "p='a' n='0' R='1'/>"
        "\n<step id='s' out='u'/>\n<first-order id='f' in='u' out='y' T='1'/>"
        "<block-type name='z'><output name='out'/><state name='x' nominal='50'/>"
        "<variable name='w' unit='V' nominal='100'/><variable name='d'/>"
        "<variable name='k' absolute='1e-9'/><equation>k = 2*x</equation><equation>der(x) = "
        "1</equation><equation>w = x</equation><equation>d = x</equation>"
        "<equation>out = d</equation></block-type>\n<z id='zz'/>"
        "<tolerance signals='a' absolute='1 mV'/><tolerance signals='a y' absolute='3e-5'/>"
        "<tolerance unit='A' absolute='2 nA'/>");
    if (circuit.status != LINNET_OK)
        net_print(&circuit);
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    char text[160];
    double abstol, nominal;
    int a = net_link(&circuit, "a")->unknown, v = net_block(&circuit, "V")->first_own,
        y = net_link(&circuit, "y")->unknown;
    ln_network_unknown_text(circuit.network, a, text);
    CHECK_TEXT(text, "potential of link a [V]");
    ln_network_row_text(circuit.network, a, text);
    CHECK_TEXT(text, "flux sum at link a");
    CHECK_TEXT(ln_network_unknown_name(circuit.network, a), "a");
    CU_ASSERT_EQUAL(ln_network_unknown_place(circuit.network, a).line, 3);
    ln_network_unknown_text(circuit.network, v, text);
    CHECK_TEXT(text, "V.p.i [A]");
    ln_network_unknown_text(circuit.network, y, text);
    CHECK_TEXT(text, "signal y");
    ln_network_row_text(circuit.network, y, text);
    CHECK_TEXT(text, "output f.out");
    ln_network_unknown_scale(circuit.network, a, &abstol, &nominal);
    CHECK_CLOSE(abstol / 3e-5, 1, 1e-15);
    CHECK_CLOSE(nominal, 1, 0);
    ln_network_unknown_scale(circuit.network, v, &abstol, &nominal);
    CHECK_CLOSE(abstol / 2e-9, 1, 1e-15);
    CU_ASSERT(ln_network_has_tolerance(circuit.network, a));
    CU_ASSERT(!ln_network_has_tolerance(circuit.network, v)); /* its unit has */
    const ln_instance *z = net_block(&circuit, "zz");
    for (int k = 0; k < z->block.type->nvars; k++) {
        ln_network_unknown_scale(circuit.network, z->first_own + k, &abstol, &nominal);
        const char *name = z->block.type->vars[k].name;
        double expected = strcmp(name, "x") == 0 ? 50 : strcmp(name, "w") == 0 ? 100 : 1;
        CHECK_CLOSE(nominal, expected, 0);
        CU_ASSERT(fabs(abstol - (strcmp(name, "k") == 0 ? 1e-9 : 1e-6 * expected)) <=
                  1e-12 * expected);
    }
    net_free(&circuit);
}

/* ---- what a large model saves ---- */

/* Equal instances have one array of values, whatever stands between them; others their own. */
void test_equal_values(void) {
    net circuit = net_build(
        "<ground id='g' p='0'/><resistor id='R1' p='a' n='0' R='1 kOhm'/>"
        "<capacitor id='C1' p='a' n='0' C='1 uF'/><resistor id='R2' p='a' n='0' R='1000'/>"
        "<resistor id='R3' p='a' n='0' R='2 kOhm'/><capacitor id='C2' p='a' n='0' C='1 uF' v0='1'/>"
        "<resistor id='R4' p='a' n='0' R='1 kOhm'/>");
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    CU_ASSERT_PTR_EQUAL(net_block(&circuit, "R1")->block.p, net_block(&circuit, "R2")->block.p);
    CU_ASSERT_PTR_NOT_EQUAL(net_block(&circuit, "R1")->block.p, net_block(&circuit, "R3")->block.p);
    CU_ASSERT_PTR_NOT_EQUAL(net_block(&circuit, "C1")->block.p, net_block(&circuit, "C2")->block.p);
    CHECK_CLOSE(net_value(&circuit, "R3", "R"), 2000, 0);
    CHECK_CLOSE(net_value(&circuit, "R4", "R"), 1000, 0);
    CHECK_CLOSE(net_value(&circuit, "C2", "v0"), 1, 0);
    net_free(&circuit);
}

/* Without the elements of its blocks the network stands: names, values, texts and places are what
 * they were, and so are the model's other elements. */
void test_forgotten_blocks(void) {
    net circuit = net_build(
        "<component name='pair'><parameter name='R' default='1 kOhm'/><port name='a' "
        "domain='electrical'/><port name='b' domain='electrical'/>\n"
        "<resistor id='up' p='a' n='m' R='R'/><resistor id='down' p='m' n='b' R='R'/></component>"
        "<simulation duration='1 s'/>\n<ground id='g' p='0'/>\n<record signals='out'/>\n"
        "<pair id='P' a='out' b='0' R='3 kOhm'/>\n<function id='f' in='s' out='y' "
        "expression='2*u'/>\n<step id='s' out='s'/><record signals='P.m'/>\n"
        "<current-source id='I' p='0' n='out' I='1 A'/>");
    ln_quantity found;
    CU_ASSERT_EQUAL_FATAL(circuit.status, LINNET_OK);
    ln_model_forget_blocks(circuit.model);
    const ln_instance *source = net_block(&circuit, "I"), *up = net_block(&circuit, "P.up");
    CU_ASSERT_FATAL(source != NULL && up != NULL);
    CU_ASSERT_STRING_EQUAL(source->place.file, "t.xml");
    CU_ASSERT_EQUAL(source->place.line, 8);
    CU_ASSERT_EQUAL(up->place.line, 2);
    CU_ASSERT_EQUAL(net_link(&circuit, "y")->place.line, 6);
    CHECK_CLOSE(net_value(&circuit, "P.up", "R"), 3000, 0);
    CU_ASSERT(ln_network_find(circuit.network, "P.R", &found, NULL) && found.value == 3000);
    CU_ASSERT_STRING_EQUAL(net_block(&circuit, "f")->besides->texts[1], "2*u");
    int words = 0;
    for (const ln_element *child = circuit.model->root->first; child != NULL; child = child->next)
        words += strcmp(child->name, "record") == 0 || strcmp(child->name, "simulation") == 0 ||
                 strcmp(child->name, "component") == 0;
    CU_ASSERT_EQUAL(words, 4);
    CU_ASSERT_STRING_EQUAL(ln_attribute_of(circuit.model->records[1], "signals"), "P.m");
    CU_ASSERT_EQUAL(circuit.model->body.nblocks, 0);
    net_free(&circuit);
}
