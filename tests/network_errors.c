/* SPDX-License-Identifier: MIT */
/* Models that are wrong: what is said of them, and where. */
#include "network_kit.h"

typedef struct wrong {
    const char *body;
    const char *said[3]; /* parts of the messages */
    int errors;          /* their number; 0: only a warning, the model is built */
} wrong;

static void check(const wrong *all, size_t count) {
    for (size_t k = 0; k < count; k++) {
        net built = net_build(all[k].body);
        int as_expected = ln_report_errors(built.report) == all[k].errors &&
                          built.status == (all[k].errors > 0 ? LINNET_MODEL : LINNET_OK);
        for (int i = 0; i < 3 && all[k].said[i] != NULL; i++)
            as_expected &= net_said(&built, all[k].said[i]);
        CU_ASSERT(as_expected);
        if (!as_expected) {
            printf("\n    %s\n    wanted: %s", all[k].body, all[k].said[0]);
            net_print(&built);
        }
        net_free(&built);
    }
}

#define SOUND "<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>"

static const wrong models[] = {
    {"", {"no blocks"}, 1},
    {SOUND "\n<resitor id='R1' p='a' n='0' R='1'/>",
     {"t.xml:2: error: unknown element <resitor>; did you mean <resistor>?"},
     1},
    {SOUND "\n<resistor p='a' n='0' R='1'/>", {"t.xml:2: error: <resistor> has no id"}, 1},
    {SOUND "\n<tolerance signals='aa' absolute='1'/>",
     {"t.xml:2: error: tolerance: there is no signal 'aa'"},
     1},
    {SOUND "\n<tolerance signals='V.P' absolute='1'/>",
     {"t.xml:2: error: tolerance: 'V.P' is computed"},
     1},
    {SOUND "\n<tolerance signals='a' absolute='0'/>",
     {"t.xml:2: error: tolerance: absolute is 0; it must be"},
     1},
    {SOUND "\n<tolerance signals='a' absolute='1 A'/>",
     {"t.xml:2:", "a value in V is wanted here, not in A"},
     1},
    {SOUND "\n<tolerance unit='V' absolute='1 A'/>",
     {"t.xml:2:", "a value in V is wanted here, not in A"},
     1},
    {SOUND "\n<tolerance absolute='1'/>", {"t.xml:2: error: tolerance: give signals="}, 1},
    /* what is determined twice, and what is not: all of it is named */
    {"<block-type name='z'><variable name='a'/><variable name='b'/><variable name='c'/><variable "
     "name='d'/><equation>a + b + d = 1</equation><equation>a - b = d</equation><equation>c = "
     "1</equation><equation>c = 2</equation></block-type>\n<z id='x'/>",
     {"2 equations for 1 unknown: equation 'c = 2' of x and equation 'c = 1' of x determine only "
      "x.c; remove one, or loosen it with a resistance or a storage",
      "t.xml:2: error: there are not enough equations to determine x.b, x.a and x.d"},
     2},
    /* an index that says half of a sum, too much, or no whole number */
    {SOUND "\n<repeat index='k' from='1' to='2'><resistor id='R[k+]' p='a' n='0' R='1'/></repeat>",
     {"t.xml:2:", "k+"},
     1},
    {SOUND "\n<repeat index='k' from='1' to='2'><resistor id='R[k/2]' p='a' n='0' "
           "R='1'/></repeat>",
     {"t.xml:2:", "0.5"},
     1},
    {SOUND "\n<repeat index='k' from='1' to='2'><resistor id='R[k+1e10]' p='a' n='0' "
           "R='1'/></repeat>",
     {"t.xml:2:", "whole number"},
     1},
    {SOUND "\n<resistor id='' p='a' n='0' R='1'/>", {"t.xml:2: error: <resistor> has no id"}, 1},
    {SOUND "\n<resistor id='R 1/x' p='a' n='0' R='1'/>",
     {"t.xml:2:", "id 'R 1/x' is not a name"},
     1},
    {SOUND "<resistor id='R1' p='a' n='0' R='1'/>\n<resistor id='R1' p='a' n='0' R='1'/>",
     {"t.xml:2: error: id 'R1' is already defined at line 1"},
     1},
    /* a value for each element is for blocks of signals alone */
    {SOUND "\n<resistor id='R1' p='a' n='0' R='1 2'/>",
     {"t.xml:2: error: R1 (resistor): R: in \"1 2\" at column 3"},
     1},
    {"\n<mass id='m' p='a' m='1 2'/>", {"t.xml:2: error: m (mass): m: in \"1 2\" at column 3"}, 1},
    {SOUND "\n<resistor id='R1' p='a' n='0' V='1'/>",
     {"t.xml:2: error: R1 (resistor)", "'V'; it has: p, n, R"},
     2},
    {SOUND "\n<capacitor id='C1' p='a' n='0' C='1 uF' vo='4'/>",
     {"C1 (capacitor): it has no port or parameter 'vo'; did you mean 'v0'?"},
     1},
    {SOUND "\n<resistor id='R1' p='a' n='0'/>",
     {"t.xml:2: error: R1 (resistor): parameter 'R' [Ohm] is required"},
     1},
    {SOUND "\n<capacitor id='C1' p='a' n='0' C='-1 uF'/>",
     {"t.xml:2: error: C1 (capacitor): C = -1e-06 F must be above 0 F"},
     1},
    {SOUND "\n<resistor id='R1' p='a' n='0' R='2 F'/>", {"t.xml:2:", "Ohm"}, 1},
    {SOUND "\n<resistor id='R1' p='a' n='0' R='k'/>", {"t.xml:2:", "k"}, 1},
    {SOUND "<resistor id='R1' p='a' n='0' R='1'>text</resistor>", {"text inside"}, 1},
    /* links */
    {SOUND "<resistor id='R1' p='a' n='0' R='1'/>\n<link id='x' from='R9.p' to='V.p'/>",
     {"t.xml:2: error: there is no block 'R9'; did you mean 'R1'?", "V.p is joined by link"},
     2},
    {SOUND "<resistor id='R1' p='a' n='0' R='1'/>\n<link id='a' from='R1.q' to='V.p'/>",
     {"t.xml:2: error: R1 has no port 'q'; it has: p, n"},
     1},
    {SOUND "<resistor id='R1' n='0' R='1'/>\n<link id='x' from='R1.p'/>",
     {"t.xml:2: error: link 'x' joins fewer than two ports"},
     1},
    {SOUND "<resistor id='R1' n='0' R='1'/>\n<link id='a' from='R1.p' to='R1.p'/>",
     {"R1.p is named twice as an end of link 'a'"},
     1},
    {SOUND "<resistor id='R1' p='a' n='0' R='1'/>\n<link id='x' from='R1.p' to='V.p'/>",
     {"R1.p is joined by link 'a' (line 1) and by link 'x' (line 2)", "V.p is joined"},
     2},
    {SOUND "\n<link id='x' from='R1.p'/>\n<link id='y' to='R1.p'/><resistor id='R1' n='0' R='1'/>",
     {"R1.p is joined by link 'x' (line 2) and by link 'y' (line 3)"},
     1},
    {SOUND "\n<link id='a' to='R1.p'/>\n<link id='a' to='R1.n'/><resistor id='R1' R='1'/>",
     {"t.xml:3: error: link 'a' is already defined at line 2"},
     1},
    {SOUND "<resistor id='R1' p='a' n='0' R='1'/><link id='a/b' from='R1.p'/>",
     {"<link>: id 'a/b' is not a name"},
     1},
    {SOUND "<resistor id='R1' p='a' n='0' R='1'/><link id='a' from='R1'/>",
     {"end 'R1' is not of the form block.port"},
     1},
    {SOUND "\n<resistor id='R1' p='a' n='b' R='1'/>",
     {"t.xml:2: warning: link 'b' joins only R1.n"},
     0},
    {SOUND "\n<resistor id='R1' p='a' R='1'/>",
     {"t.xml:2: warning: R1 (resistor): port n is not connected"},
     0},
    {SOUND "\n<resistor id='R1' p='a b' n='0' R='1'/>",
     {"p=\"a b\" is not the name of a link", "one link only"},
     1},
    {SOUND "\n<resistor id='R1' p='V.x' n='0' R='1'/>",
     {"t.xml:2: error: V has no port 'x'; it has: p, n"},
     1},
    {SOUND "\n<resistor id='R1' p='W.p' n='0' R='1'/>",
     {"t.xml:2: error: there is no block 'W'"},
     1},
    {SOUND "<absolute-zero id='z' p='t'/>\n<heat-capacity id='h' p='a' C='1'/><thermal-resistance "
           "id='r' p='t' n='s' R='1'/>",
     {"t.xml:2: error: link 'a' joins h.p (thermal) and V.p (electrical, line 1)"},
     1},
    /* signals */
    {"<constant id='c1' value='1' out='s'/>\n<constant id='c2' value='1' out='s'/>",
     {"t.xml:2: error: signal 's' is driven by c1.out and by c2.out (line 1)"},
     1},
    {"\n<gain id='G1' in='u' out='y' k='1'/>",
     {"t.xml:2: error: G1 (gain): input in reads signal 'u', which has no source"},
     1},
    {"\n<gain id='G1' out='y' k='1'/>", {"t.xml:2: error: G1 (gain): input in has no source"}, 1},
    {"\n<mux id='M1' in='v u' out='y'/><constant id='C1' out='v' value='1'/>",
     {"t.xml:2: error: M1 (mux): input in[2] reads signal 'u', which has no source"},
     1},
    {"\n<gain id='G1' in='5' out='y' k='1'/>",
     {"in=\"5\" is a number, not a link; add <constant id=\"c\" value=\"5\" out=\"c1\"/>"},
     1},
    {"\n<gain id='G1' in='2*x' out='y' k='1'/>", {"in=\"2*x\" is not the name of a link"}, 1},
    {"\n<gain id='G1' in='G2.ou' k='1'/><gain id='G2' in='G1.out' k='1'/>",
     {"G2 has no port 'ou'; it has: in, out"},
     1},
    {"\n<sum id='s' out='y'/>", {"s (sum): port in joins nothing"}, 1},
    {"<constant id='c' value='1' out='a'/>\n<sum id='s' in='a' out='y'/><link id='a' to='s.in'/>",
     {"given by its attribute and by <link>"},
     1},
    /* names */
    {SOUND "\n<resistor id='a' p='a' n='0' R='1'/>",
     {"t.xml:2: error: id 'a' is the name of a link too (line 1)"},
     1},
    {SOUND "\n<parameter name='a' value='1'/><parameter name='V' value='1'/>",
     {"parameter 'a' has the name of a link", "parameter 'V' has the name of a block"},
     2},
    {SOUND "\n<start link='b' value='1'/>", {"t.xml:2: error: <start>: there is no link 'b'"}, 1},
    {SOUND "\n<start link='a' value='1 A'/>", {"t.xml:2:", "V"}, 1},
    /* components */
    {"<component name='A'><B id='b'/></component><component name='B'><A id='a'/></component>\n<A "
     "id='x'/>",
     {"t.xml:1: error: component A contains itself: A in B in A"},
     1},
    {"<component name='A'><A id='a'/></component><A id='x'/>",
     {"component A contains itself: A in A"},
     1},
    {"<component name='A'><port name='p' domain='electrical'/><parameter name='R'/><resistor "
     "id='r' p='p' n='0' "
     "R='R'/><ground id='g' p='0'/></component>" SOUND "\n<A id='x' p='a'/>",
     {"t.xml:2: error: x (A): parameter 'R' is required"},
     1},
    {"<component name='A'><port name='p' domain='electrical'/><resistor id='r' p='p' n='0' "
     "R='1'/><ground id='g' "
     "p='0'/></component>" SOUND "\n<A id='x' q='a'/>",
     {"x (A): it has no port or parameter 'q'"},
     1},
    {"<component name='A'><port name='p' domain='thermal'/><resistor id='r' p='p' n='0' "
     "R='1'/><ground id='g' "
     "p='0'/></component>" SOUND "\n<A id='x' p='a'/>",
     {"t.xml:2: error: x (A): its port p (thermal) joins link 'a', which is electrical"},
     1},
    {"<component name='A'><port name='p' domain='electrical'/><resistor id='p' p='p' n='0' "
     "R='1'/></component>" SOUND "\n<A id='x' p='a'/>",
     {"id 'p' is a port of component A already"},
     1},
    {"<component name='A'><ground id='g' p='in'/><resistor id='r' p='in' n='in' "
     "R='1'/></component>" SOUND "<A id='x'/>\n<resistor id='r' p='x.in' n='0' R='1'/>",
     {"t.xml:2: error: x has no port 'in'; it has: none"},
     1},
};

/* Each to its last word: where it is, what is wrong, what to do. */
static const wrong exact[] = {
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='1'/><damper id='d' p='a' n='q' d='1'/><fixed-point id='f' p='q'/>",
     {"t.xml:2: error: link 'a' joins d.p (translational) and R.p (electrical, line 2); ports of "
      "one link have one domain"},
     1},
    {"<gain id='G' out='y' k='2'/>",
     {"t.xml:1: error: G (gain): input in has no source; write in=\"...\" with the name of a "
      "signal"},
     1},
    {"<gain id='G' in='u' out='y' k='2'/>",
     {"t.xml:1: error: G (gain): input in reads signal 'u', which has no source; join it to an "
      "output"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='1'>five</resistor>",
     {"t.xml:2: error: R (resistor): there is text inside that belongs to no parameter; remove it"},
     1},
    {"<constant id='c' out='u' value='1'/><sum id='s' in='' signs='++' out='y'/>",
     {"t.xml:1: error: s (sum): port in joins nothing; write in=\"a b\" with the names of links",
      "t.xml:1: error: s (sum): signs=\"++\" has 2 characters for 0 inputs; write one each"},
     2},
    {"<component name='k'><port name='p' domain='electrical'/><resistor id='R' p='p' n='0' "
     "R='1'/></component><ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<k "
     "id='K' p='a'>7</k>",
     {"t.xml:2: error: K (k): there is text inside, which means nothing here; remove it"},
     1},
    {"<component name='k'><port name='p' domain='signal'/><resistor id='R' p='p' n='0' "
     "R='1'/></component><ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<k "
     "id='K' p='a'/>",
     {"t.xml:1: error: <port> p needs a physical domain, such as domain=\"electrical\"",
      "t.xml:2: error: K (k): it has no port or parameter 'p'; it has: none; for a physical "
      "network there are <breaker>, <check-valve>, <tank>, <brake>, <eddy-current-brake>, "
      "<torsion-backlash>, <elastic-backlash>, <translational-brake>"},
     2},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='b c' R='1'/>",
     {"t.xml:2: error: R (resistor): n=\"b c\" is not the name of a link; use letters, digits, '_' "
      "and '-' (the port joins one link only)"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='b?' R='1'/>",
     {"t.xml:2: error: R (resistor): n=\"b?\" is not the name of a link; use letters, digits, '_' "
      "and '-'"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<repeat index='k' from='1' "
     "to='2.5'><resistor id='R[k]' p='a' n='0' R='1'/></repeat>",
     {"t.xml:2: error: <repeat>: to=\"2.5\" is 2.5; it must be a whole number, at most 1e9"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<repeat index='k' from='1' "
     "to='2e9'><resistor id='R[k]' p='a' n='0' R='1'/></repeat>",
     {"t.xml:2: error: <repeat>: to=\"2e9\" is 2000000000; it must be a whole number, at most 1e9"},
     1},
    {"<parameter name='k' value='2'/><ground id='g' p='0'/><voltage-source id='V' p='a' n='0' "
     "V='1'/>\n<repeat index='k' from='1' to='2'><resistor id='R[k]' p='a' n='0' R='1'/></repeat>",
     {"t.xml:2: error: <repeat>: 'k' is a parameter or an outer index already; choose another "
      "name"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<repeat index='k' from='1' "
     "to='2'><repeat index='k' from='1' to='2'><resistor id='R[k,k]' p='a' n='0' "
     "R='1'/></repeat></repeat>",
     {"t.xml:2: error: <repeat>: 'k' is a parameter or an outer index already; choose another name "
      "(k = 1)"},
     1},
    {"<component name='c'><port name='k' domain='electrical'/><repeat index='k' from='1' "
     "to='2'><resistor id='R[k]' p='k' n='0' R='1'/></repeat></component><ground id='g' "
     "p='0'/><voltage-source id='V' p='a' n='0' V='1'/><c id='K' k='a'/>",
     {"t.xml:1: error: <repeat>: 'k' is a port of the component; choose another name"},
     1},
    {"<constant id='c' out='u' value='1'/>\n<polynomial id='f' in='u' out='y' coefficients='1; "
     "2'/>",
     {"t.xml:2: error: f (polynomial): coefficients is a list, not a matrix; remove the ';'"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='1' at='5,x'/>",
     {"t.xml:2: error: R (resistor): at=\"5,x\" is no place in a diagram; write at=\"x,y\" in "
      "pixels, or at=\"x,y,turn\" with a turn of 0, 90, 180 or 270"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='1' at='5,5,45'/>",
     {"t.xml:2: error: R (resistor): at=\"5,5,45\" is no place in a diagram; write at=\"x,y\" in "
      "pixels, or at=\"x,y,turn\" with a turn of 0, 90, 180 or 270"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='delay(1, 2)'/>",
     {"t.xml:2: error: R (resistor): R: in \"delay(1, 2)\" at column 1: delay() stands in block "
      "types and functions of signals only, where a run has a past"},
     1},
    {"<block-type name='z'><output name='y'/><equation>y = rate(t)</equation></block-type>\n<z "
     "id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = rate(t)\" at column 5: rate() stands in the "
      "conditions and <set> values of a <when> only; a derivative is der()"},
     1},
    {"<block-type name='z'><output name='y'/><equation>y = pre(t)</equation></block-type>\n<z "
     "id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = pre(t)\" at column 5: pre() reads values before an "
      "instant, which only the value of a <set> can ask for"},
     1},
    {"<block-type name='z'><output name='y'/><equation>y = sample(1)</equation></block-type>\n<z "
     "id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = sample(1)\" at column 5: sample() stands in the "
      "condition of a <when> only"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='sum(i = 1 .. 3, i)'/>",
     {"t.xml:2: error: R (resistor): R: in \"sum(i = 1 .. 3, i)\" at column 1: a sum over an index "
      "stands only in a <block-type>"},
     1},
    {"<block-type name='z'><output name='y'/><equation>y = sum(i = 1 .. 3 "
     "i)</equation></block-type>\n<z id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = sum(i = 1 .. 3 i)\" at column 20: 'i' is no unit; "
      "products need a star: 3*i"},
     1},
    {"<block-type name='z'><output name='y'/><equation>y = sum(i = 1 .. 3, "
     "i</equation></block-type>\n<z id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = sum(i = 1 .. 3, i\" at column 22: an operator or ) "
      "is missing; write sum(i = 1 .. n, expression)"},
     1},
    {"<block-type name='z'><output name='y'/><equation>y = sum(i = 1 .. 2.5, "
     "i)</equation></block-type>\n<z id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = sum(i = 1 .. 2.5, i)\" at column 18: the end of a "
      "range is a whole number, not 2.5"},
     1},
    {"<block-type name='z'><output name='y'/><equation>y = 1 .. 3</equation></block-type>\n<z "
     "id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = 1 .. 3\" at column 7: a range stands only in sum(i "
      "= 1 .. n, expression) and for=\"i = 1 .. n\""},
     1},
    {"<block-type name='z'><output name='y'/><equation>y = 1]</equation></block-type>\n<z id='x' "
     "y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = 1]\" at column 6: there is a ] without its ["},
     1},
    {"<block-type name='z'><output name='y'/><parameter name='q' default='1'/><equation>y = "
     "q[1]</equation></block-type>\n<z id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = q[1]\" at column 5: 'q' is no array; arrays are "
      "declared with size=\"...\""},
     1},
    {"<block-type name='z'><output name='y'/><variable name='w' size='3'/><equation for='i = 1 .. "
     "3'>w[i] = i</equation><equation>y = w[1.5]</equation></block-type>\n<z id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = w[1.5]\" at column 7: an index is a whole number, "
      "not 1.5"},
     1},
    {"<block-type name='z'><output name='y'/><variable name='w' size='3'/><equation for='i = 1 .. "
     "3'>w[i] = i</equation><equation>y = w[1,1,1,1,1]</equation></block-type>\n<z id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = w[1,1,1,1,1]\" at column 5: 'w' takes one index, "
      "not 5"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='.'/>",
     {"t.xml:2: error: R (resistor): R: in \".\" at column 1: '.' is not understood; names are "
      "letters, digits and _, others stand in backquotes"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='4k7x'/>",
     {"t.xml:2: error: R (resistor): R: in \"4k7x\" at column 2: 'k7x' is no unit; products need a "
      "star: 4*k7x"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='5 1/s'/>",
     {"t.xml:2: error: R (resistor): R: in \"5 1/s\" at column 3: a unit does not begin with 1/; "
      "write the number alone, which takes the unit of its parameter, or divide: 5/(1 ...)"},
     1},
    {"<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='1'/>\n<resistor id='R' p='a' "
     "n='0' R='1 + t'/>",
     {"t.xml:2: error: R (resistor): R: in \"1 + t\" at column 5: unknown name 't'; what stands "
      "here does not change with time: take a type with that waveform, or one that a signal "
      "drives"},
     1},
    {"<block-type name='z'><output name='y'/><parameter name='q' default='1' unit='V'/><equation>y "
     "= q^t</equation></block-type>\n<z id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = q^t\" at column 7: the exponent of V must be a "
      "constant; divide by a reference value first"},
     1},
    {"<block-type name='z'><output name='y'/><parameter name='q' default='1' unit='V'/><equation>y "
     "= 2^q</equation></block-type>\n<z id='x' y='u' />",
     {"t.xml:1: error: block type 'z': in \"y = 2^q\" at column 7: an exponent is a plain number, "
      "not V"},
     1},
};

void test_errors(void) {
    check(models, sizeof models / sizeof *models);
    check(exact, sizeof exact / sizeof *exact);
}

/* Components that hold each other twice double the model at each level: refused at once, as are too
 * many levels. */
void test_unfolding(void) {
    static char xml[20000];
    size_t at = (size_t)snprintf(
        xml, sizeof xml, "<component name='c0'><resistor id='r' p='a' n='b' R='1'/></component>");
    for (int k = 1; k < 64; k++)
        at += (size_t)snprintf(xml + at, sizeof xml - at,
                               "<component name='c%d'><c%d id='x'/><c%d id='y'/></component>", k,
                               k - 1, k - 1);
    size_t end = at;
    snprintf(xml + end, sizeof xml - end, "<c40 id='t'/>");
    net built = net_build(xml);
    CU_ASSERT_EQUAL(built.status, LINNET_MODEL);
    CU_ASSERT(net_said(&built, "expands into 3.3e+12 blocks, more than 20000000"));
    net_free(&built);
    snprintf(xml + end, sizeof xml - end,
             "<c60 id='s'/><component name='c64'><c63 id='x'/></component><c64 id='t'/>");
    built = net_build(xml);
    CU_ASSERT_EQUAL(built.status, LINNET_MODEL);
    CU_ASSERT(net_said(&built, "nested deeper than 64"));
    net_free(&built);
    snprintf(xml + end, sizeof xml - end,
             "<component name='top'><c9 id='x'/><again id='y'/></component>"
             "<component name='again'><top id='z'/></component><top id='t'/>");
    built = net_build(xml);
    CU_ASSERT_EQUAL(ln_report_errors(built.report), 1);
    CU_ASSERT(net_said(&built, "component top contains itself: top in again in top"));
    net_free(&built);
}

/* ---- structure ---- */

static const wrong structures[] = {
    {"<voltage-source id='V' p='a' n='b' V='1'/><resistor id='R' p='a' n='b' R='1'/>",
     {"the electrical part with R and V has no reference; add <ground id=\"...\" p=\"a\"/>"},
     1},
    {SOUND "<resistor id='R1' p='c' n='d' R='1'/><capacitor id='C1' p='c' n='d' C='1'/>",
     {"the electrical part with C1 and R1 floats", "p=\"c\""},
     1},
    /* a winding of its own needs its own reference */
    {SOUND "<ideal-transformer id='T' ratio='2' p1='a' n1='0' p2='c' n2='d'/><resistor id='R' "
           "p='c' n='d' R='1'/>",
     {"the electrical part with R and T floats"},
     1},
    {SOUND "<ideal-transformer id='T' ratio='2' p1='a' n1='0' p2='c' n2='0'/><resistor id='R' "
           "p='c' n='0' R='1'/>",
     {NULL},
     0},
    /* a motor's shaft stands on its inertia; without one it needs another end */
    {SOUND "<motor-constant id='M' p='a' n='0' shaft='w' k='1'/><inertia id='J' p='w' J='1'/>",
     {NULL},
     0},
    {"<heat-capacity id='h' p='t' C='1'/><thermal-resistance id='r' p='t' n='s' "
     "R='1'/><heat-capacity id='h2' p='s' "
     "C='1'/>",
     {NULL},
     0},
    {"<spring id='s' p='x' n='y' k='1'/><damper id='d' p='x' n='y' d='1'/>",
     {"the translational part with d and s has no reference; add <fixed-point"},
     1},
    {"<mass id='m' p='x' m='1'/><spring id='s' p='x' n='y' k='1'/><damper id='d' p='x' n='y' "
     "d='1'/>",
     {NULL},
     0},
    /* a thermometer fixes no temperature */
    {"<thermal-resistance id='r' p='t' n='s' R='1'/><thermal-resistance id='r2' p='t' n='s' "
     "R='1'/><temperature-sensor "
     "id='m' p='t' out='T'/>",
     {"the thermal part with", "has no reference"},
     1},
    {"<temperature-source id='q' p='t' n='z' T='300 K'/><absolute-zero id='a' "
     "p='z'/><thermal-resistance id='r' p='t' "
     "n='s' R='1'/>",
     {"warning"},
     0},
    /* loops of potential sources */
    {SOUND "\n<voltage-source id='W' p='a' n='0' V='2'/>",
     {"t.xml:2: error: equations of W, V fix the same difference"},
     1},
    {SOUND "<voltage-source id='W' p='b' n='a' V='2'/>\n<voltage-source id='X' p='b' n='0' "
           "V='2'/><resistor id='R' "
           "p='a' n='b' R='1'/>",
     {"fix the same difference"},
     1},
    {"<ground id='g' p='0'/><resistor id='R1' p='a' n='0' R='1'/><resistor id='R2' p='b' n='0' "
     "R='1'/>"
     "<voltage-source id='V' p='a' n='b' V='1'/>\n<voltage-source id='W' p='a' n='b' V='2'/>",
     {"equations of W, V fix the same difference"},
     1}, /* between floating links: no zero in the structure shows it */
    {SOUND "\n<voltage-source id='W' p='a' n='a' V='2'/>",
     {"t.xml:2: error: W (voltage-source): both of its sides are at the same potential (link 'a')"},
     1},
    {SOUND "<capacitor id='C' p='a' n='0' C='1 uF'/>",
     {NULL},
     0}, /* index 2, which implicit methods solve */
    /* cut-sets of flux sources */
    {"<ground id='g' p='0'/><current-source id='I1' p='0' n='x' I='1'/>\n<current-source id='I2' "
     "p='x' n='0' I='1'/>",
     {"link 'x': only flux sources meet there (I1 and I2)"},
     1},
    {SOUND "<inductor id='L1' p='a' n='x' L='1'/><inductor id='L2' p='x' n='0' L='1'/>", {NULL}, 0},
    /* what only the matching shows */
    {"<ground id='g' p='0'/>\n<signal-voltage id='V' p='a' n='0' in='u'/><signal-voltage id='W' "
     "p='a' n='0' in='u'/>"
     "<constant id='c' value='1' out='u'/>",
     {"equations for 2 unknowns", "output c.out", "potential of link a [V]"},
     2},
    {"<gain id='g' in='x' out='y' k='1'/><gain id='h' in='y' out='x' k='2'/>",
     {NULL},
     0}, /* a loop, but a sound one */
    {"<block-type name='same'><output name='a'/><output name='b'/><input name='u'/><equation>a = "
     "u</equation><equation>b = u</equation></block-type>"
     "<same id='s' u='s.a'/>",
     {NULL},
     0},
};

void test_structure_errors(void) {
    check(structures, sizeof structures / sizeof *structures);
}

/* ---- random circuits against their matrix ---- */

enum { NODES = 6, MOST = 32 };

static unsigned state;
static unsigned draw(unsigned below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}
static double value(void) {
    return 0.5 + (double)draw(1000) / 500;
}

typedef struct circuit {
    double matrix[MOST][MOST]; /* modified nodal analysis at s = 0.7; node 0 is the reference */
    int n, used[NODES];
    char xml[2048];
} circuit;

static void add(circuit *c, int row, int col, double entry) {
    if (row > 0 && col > 0)
        c->matrix[row - 1][col - 1] += entry;
}

/* Conductance y between two nodes, into the equations of the textbook. */
static void admittance(circuit *c, int p, int n, double y) {
    add(c, p, p, y);
    add(c, n, n, y);
    add(c, p, n, -y);
    add(c, n, p, -y);
}

/* A branch current with the row  v_p - v_n - z i = ... */
static void branch(circuit *c, int p, int n, double z) {
    int i = ++c->n;
    add(c, p, i, 1);
    add(c, n, i, -1);
    add(c, i, p, 1);
    add(c, i, n, -1);
    add(c, i, i, -z);
}

static void write_element(circuit *c, const char *form, int k, const int node[4], double v) {
    char text[160];
    snprintf(text, sizeof text, form, k, node[0], node[1], v, node[2], node[3]);
    strcat(c->xml, text);
    for (int j = 0; j < 4; j++)
        c->used[node[j]] |= j < 2 || strstr(form, "p2") != NULL;
}

static void two_pole(circuit *c, int k, unsigned types) {
    static const char *const forms[] = {"<resistor id='x%d' p='%d' n='%d' R='%g'/>",
                                        "<capacitor id='x%d' p='%d' n='%d' C='%g'/>",
                                        "<inductor id='x%d' p='%d' n='%d' L='%g'/>",
                                        "<voltage-source id='x%d' p='%d' n='%d' V='%g'/>",
                                        "<current-source id='x%d' p='%d' n='%d' I='%g'/>",
                                        "<diode id='x%d' p='%d' n='%d' N='%g'/>"};
    unsigned type = draw(types);
    const int node[4] = {(int)draw(NODES), (int)draw(NODES), 0, 0};
    double v = value(), s = 0.7;
    write_element(c, forms[type], k, node, v);
    if (type == 0 || type == 5)
        admittance(c, node[0], node[1], 1 / v);
    if (type == 1)
        admittance(c, node[0], node[1], s * v);
    if (type == 2)
        branch(c, node[0], node[1], s * v);
    if (type == 3)
        branch(c, node[0], node[1], 0);
}

static void four_pole(circuit *c, int k) {
    static const char *const forms[] = {
        "<ideal-transformer id='x%d' p1='%d' n1='%d' ratio='%g' p2='%d' n2='%d'/>",
        "<gyrator id='x%d' p1='%d' n1='%d' G='%g' p2='%d' n2='%d'/>",
        "<vcvs id='x%d' p1='%d' n1='%d' gain='%g' p2='%d' n2='%d'/>",
        "<vccs id='x%d' p1='%d' n1='%d' G='%g' p2='%d' n2='%d'/>",
        "<ccvs id='x%d' p1='%d' n1='%d' R='%g' p2='%d' n2='%d'/>",
        "<cccs id='x%d' p1='%d' n1='%d' gain='%g' p2='%d' n2='%d'/>"};
    unsigned type = draw(6);
    const int node[4] = {(int)draw(NODES), (int)draw(NODES), (int)draw(NODES), (int)draw(NODES)};
    int a = node[0], b = node[1], p = node[2], n = node[3], i = c->n + 1;
    double v = value();
    write_element(c, forms[type], k, node, v);
    if (type == 0 || type == 2) { /* v1 = ratio v2 with i2 = -ratio i1;  v2 = gain v1 */
        branch(c, type == 0 ? a : p, type == 0 ? b : n, 0);
        add(c, i, type == 0 ? p : a, -v);
        add(c, i, type == 0 ? n : b, v);
        add(c, type == 0 ? p : 0, i, -v);
        add(c, type == 0 ? n : 0, i, v);
    }
    if (type == 1 || type == 3) { /* i1 = G v2, i2 = -G v1;  i2 = G v1 */
        double g = type == 1 ? -v : v;
        add(c, p, a, g), add(c, p, b, -g), add(c, n, a, -g), add(c, n, b, g);
        if (type == 1)
            add(c, a, p, v), add(c, a, n, -v), add(c, b, p, -v), add(c, b, n, v);
    }
    if (type == 4 || type == 5)
        branch(c, a, b, 0); /* the wire whose current controls */
    if (type == 4) {
        branch(c, p, n, 0);
        add(c, i + 1, i, -v);
    }
    if (type == 5)
        add(c, p, i, v), add(c, n, i, -v);
}

static int singular(circuit *c) {
    for (int node = 1; node < NODES; node++)
        if (!c->used[node])
            c->matrix[node - 1][node - 1] = 1;
    for (int k = 0; k < c->n; k++) {
        int pivot = k;
        for (int i = k; i < c->n; i++)
            if (fabs(c->matrix[i][k]) > fabs(c->matrix[pivot][k]))
                pivot = i;
        if (fabs(c->matrix[pivot][k]) < 1e-9)
            return 1;
        for (int j = 0; j < c->n; j++) {
            double kept = c->matrix[k][j];
            c->matrix[k][j] = c->matrix[pivot][j];
            c->matrix[pivot][j] = kept;
        }
        for (int i = k + 1; i < c->n; i++) {
            double factor = c->matrix[i][k] / c->matrix[k][k];
            for (int j = k; j < c->n; j++)
                c->matrix[i][j] -= factor * c->matrix[k][j];
        }
    }
    return 0;
}

static void random_circuit(circuit *c, unsigned two_poles, int four_poles) {
    memset(c, 0, sizeof *c);
    c->n = NODES - 1;
    snprintf(c->xml, sizeof c->xml, "<ground id='g' p='0'/>");
    int count = 3 + (int)draw(10);
    for (int k = 0; k < count; k++) {
        if (four_poles && draw(3) == 0)
            four_pole(c, k);
        else
            two_pole(c, k, two_poles);
    }
}

/* For resistors, capacitors, inductors, sources and diodes the diagnosis is exact: it refuses a
 * circuit exactly if the matrix of its equations is singular. (Values are random, so no
 * cancellation but the structural ones is likely.) */
void test_random_circuits(void) {
    int refused = 0, accepted = 0;
    static circuit c;
    state = 1;
    ln_catalogue *catalogue = ln_catalogue_new(NULL, NULL, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(catalogue);
    for (int k = 0; k < 3000; k++) {
        random_circuit(&c, 6, 0);
        net built = net_build_shared(catalogue, c.xml);
        int is_singular = singular(&c);
        CU_ASSERT((built.status != LINNET_OK) == is_singular);
        if ((built.status != LINNET_OK) != is_singular) {
            printf("\n    %s is %s", c.xml, is_singular ? "singular" : "sound");
            net_print(&built);
        }
        refused += is_singular;
        accepted += !is_singular;
        net_free(&built);
    }
    ln_catalogue_free(catalogue);
    CU_ASSERT(refused > 300 && accepted > 300);
}

/* With controlled sources and transformers it may miss what depends on numbers, but never refuses a
 * sound circuit. */
void test_no_false_alarm(void) {
    int sound = 0, missed = 0, refused = 0;
    static circuit c;
    state = 7;
    ln_catalogue *catalogue = ln_catalogue_new(NULL, NULL, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(catalogue);
    for (int k = 0; k < 3000; k++) {
        random_circuit(&c, 4, 1);
        net built = net_build_shared(catalogue, c.xml);
        int is_singular = singular(&c);
        CU_ASSERT(is_singular || built.status == LINNET_OK);
        if (!is_singular && built.status != LINNET_OK) {
            printf("\n    %s is sound", c.xml);
            net_print(&built);
        }
        sound += !is_singular;
        refused += built.status != LINNET_OK;
        missed += is_singular && built.status == LINNET_OK;
        net_free(&built);
    }
    ln_catalogue_free(catalogue);
    CU_ASSERT(sound > 300 && refused > 300 && missed * 5 < refused);
    if (missed * 5 >= refused)
        printf("\n    sound %d, refused %d, missed %d", sound, refused, missed);
}
