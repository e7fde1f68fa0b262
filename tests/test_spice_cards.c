/* SPDX-License-Identifier: MIT */
/* Cards of SPICE decks, one by one: what is refused with which words, what is told beside, and
 * which element a card becomes. What decks compute is the matter of ngspice.sh and spice_forms.sh.
 */
#include "messages.h"
#include "model/write.h"
#include "reading/open.h"
#include "unit.h"
#include "base/text.h"

#include <stdlib.h>

/* Cards, which stand in a circuit from line 5 on (a deck that begins with '*' is whole), and what
 * is said of them, or what stands in the XML that they become. */
typedef struct saying {
    const char *cards, *text;
} saying;
typedef struct spelling {
    const char *cards, *text, *more; /* NULL: nothing more */
} spelling;

typedef struct deck {
    ln_report *report;
    ln_model *model;
    linnet_status status;
} deck;

static deck read_deck(const char *cards) {
    deck it = {.report = ln_report_new(NULL, NULL)};
    const size_t room = strlen(cards) + 128;
    char *text = malloc(room);
    if (cards[0] == '*')
        snprintf(text, room, "%s", cards);
    else
        snprintf(text, room, "title\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u\n%s\n.tran 1u 10u\n.end\n",
                 cards);
    const ln_model_options options = {.bytes = text, .length = strlen(text)};
    it.status = ln_model_open("m.cir", &options, it.report, &it.model);
    free(text);
    return it;
}

static void end_deck(deck *it) {
    ln_model_free(it->model);
    ln_report_free(it->report);
}

/* ---- refused ---- */

static const saying refused[] = {
    /* analyses */
    {".ac deca 10 1 1k", "m.cir:5: error: .ac: 'deca' is neither dec, oct nor lin"},
    {".dc V1 5 0 1", ".dc: from 5 to 0 in steps of 1 is no sweep"},
    {".dc V1 0 5 0", ".dc: from 0 to 5 in steps of 0 is no sweep"},
    {".dc a 0 5 1\n.param a=1", "'a' is also the name of a node; rename one of the two"},
    {".tf x(b) V1", "write .tf v(node) source, .tf v(node,node) source or .tf i(source) source"},
    {".tf v(b) V7", ".tf: 'v7' is no source of this circuit"},
    {".tf i(V7) V1", ".tf: there is no element 'v7' with one current"},
    {".tf v(b)", ".tf: the source is missing"},
    {".step param r 1 5 0\n.param r=1", "from 1 to 5 by 0 is no row of at most"},
    {".step param r list", ".step: a value is missing"},
    {".step npn q(bf) 1 2 1", ".step: 'q' is no number, and no parameter of that name is known"},
    {".step q(bf) 1 2 1", "a parameter of a .model cannot be varied; write it as {name}"},
    /* sorting */
    {".subckt\n.ends", "the name of the subcircuit is missing"},
    {".if\n.endif", ".if: the condition is missing"},
    {".else", ".else without .if"},
    {".elseif (1)", ".elseif without .if"},
    {".if (1)", "an .if has no .endif"},
    {".model d2 ako:d9", "model 'd2': there is no model 'd9' that it could be like"},
    {".func f {1}", "write .func name(a, b) {expression}"},
    {".func f(a, {1}", "the arguments of a function are names, at most 16, in parentheses"},
    /* how to run */
    {".options method=simpson", "method=simpson is not known; ngspice has trap and gear"},
    {".options xmu=2 reltol=2", "reltol=2 must be above 0 and below 1"},
    {".ic b=1", ".ic: write v(node)=value"},
    {"*\nR1 a 0 1\n.tran -1u 1m", "m.cir:3: error: .tran: tstep must not be negative"},
    {"*\nR1 a 0 1\n.tran 1u 0", ".tran: tstop must be above 0; write .tran tstep tstop"},
    {"*\nR1 a 0 1\n.tran 1u 1m 2m", ".tran: tstart must be from 0 to below tstop"},
    {"*\nR1 a 0 1\n.tran 1u 1m 0 -1u", ".tran: tmax must not be negative"},
    /* controlled sources */
    {"E1 c 0 poly(1) a 0", "e1: the polynomial has no coefficients"},
    {"E1 c 0 poly(0) a 0 1", "e1: POLY takes 1 to "},
    {"E1 c 0 table {v(a)} = (1, 2) (1, 3)", "e1: TABLE: x does not rise from 1 to 1"},
    {"E1 c 0 table {v(a)} = (1, 2) (2)", "e1: TABLE needs points (x, y)"},
    {"E1 c 0 table v(a) = (1, 2)", "e1: write TABLE {expression} = (x, y) (x, y) ..."},
    {"G1 c 0 a 0 1 q=2", "g1: 'q' is no parameter that this card knows"},
    {"E1 c 0 laplace {v(a)} 1/s", "e1: write LAPLACE {input} = {expression of s}"},
    {"E1 c 0 laplace {v(a)} = {exp(-s)}", "LAPLACE: 'exp(-s)' is no fraction of polynomials of s"},
    {"E1 c 0 laplace {v(a)} = {s^2.5}", "'s^2.5' is no fraction of polynomials of s"},
    {"E1 c 0 laplace {v(a)} = {1/(1+s)^1000}", "is no fraction of polynomials of s, at most of"},
    {"E1 c 0 laplace {v(a)} = {s*s/(1+s)}",
     "LAPLACE: the numerator 's*s/(1+s)' is of higher order than the denominator"},
    {"B1 c 0 v=v(a,b,0)", "b1: write v(node) or v(node, node)"},
    {"B1 c 0 v=i(v1,v1)", "b1: write i(source)"},
    {"B1 c 0 v=hertz*v(a)", "'hertz' has no value: a source that depends on frequency is written"},
    {"B1 c 0 v=pwl(v(a), 1, 0, 1, 2)", "pwl: x does not rise from 1 to 1"},
    {"B1 c 0 v=idt(v(a), 0, 1)", "idt(x) or idt(x, start) stands in expressions of sources only"},
    {".print tran idt(v(a))", "idt(x) or idt(x, start) stands in expressions of sources only"},
    {"B1 c", "b1: the negative node is missing"},
    /* expressions */
    {"R2 a 0 {max(1 2)}", "',' or ')' is missing"},
    {"R2 a 0 {(1+2}", "')' is missing"},
    {"R2 a 0 {1>0 ? 1}", "':' is missing"},
    {"R2 a 0 {1/0}", "an expression is infinite"},
    {"R2 a 0 {log(-1)}", "an expression is not a number"},
    {"R2 a 0 1k tc1={time}",
     "'time' has no value here; only the expressions of B, E and G sources"},
    {"B1 c 0 v=v()", "b1: write v(node) or v(node, node)"},
    {"B1 c 0 v=v(,a)", "a name is missing"},
    {".param p=", "an expression is missing"},
    /* couplings, lines */
    {"L1 a c 1m\nL2 c 0 1m\nK1 L1 L2 1.5", "k1: a coupling of 1.5 is not within -1 and 1"},
    {"K1 L1 0.5", "k1: write K1 L1 L2 coupling"},
    {"T1 a 0 c 0 z0=50", "t1: the delay is missing; give td=, or f= and nl="},
    {"T1 a 0 c 0 z0=50 td=1n q=1", "t1: 'q' is no parameter that this card knows"},
    {"T1 a 0 c", "t1: a node is missing"},
    {"U1 a c 0 um\n.model um urc", "u1: the length l= is missing"},
    {"U1 a c 0 um l=1\n.model um urc isperl=1p", "isperl: a distributed line of diodes is not"},
    /* devices */
    {"D1 b 0 dm q=1\n.model dm d", "d1: 'q' is no parameter that this card knows"},
    {"D1 b 0 dm ic=1,2,3\n.model dm d\n.tran 1u 1m uic", "d1: ic= has too many values"},
    {"R2 a 0 dm\n.model dm d", "r2: the model 'dm' (line 6) is of kind d, not r"},
    {"L1 a 0", "l1: it has no value"},
    {"C2 a 0 c='1u*v(b)' ic=1\n.tran 1u 1m uic",
     "ic= beside an expression that follows the circuit is not supported; give .ic for its node"},
    {"W1 a b V1 wm\n.model wm iswitch ion=1 ioff=1",
     "ion and ioff must differ, and resistances be above 0"},
    {"M1 a b 0 mm q=1\n.model mm vdmos vto=2 kp=1",
     "m1: 'q' is no parameter that a VDMOS transistor knows here"},
    {"M1 a b", "m1: a node is missing"},
    /* sources */
    {"V2 c 0 pulse(0 1 0 1u 1u 1u 4u 2 3)", "v2: pulse has 9 values, at most 8 are known"},
    {"V2 c 0 pulse(0 1 0 -1u 1u 1u 4u)", "PULSE: times must not be negative"},
    {"V2 c 0 pwl(0 0 1)", "v2: PWL needs pairs of time and value"},
    {"V2 c 0 pwl(0 0 1u 1 2u 0) r=0.5u", "PWL: r=5e-07 must be a time of the list before its end"},
    {"V2 c 0 pwl(0 0 1u 1 2u 0) r=2u", "PWL: r=2e-06 must be a time of the list before its end"},
    {"V2 c 0 trnoise(1 0 0 0)", "trnoise: the time from sample to sample must be above 0"},
    {"V2 c 0 trrandom(7 1u)",
     "TRRANDOM: of type 7 there is nothing; 1 is uniform, 2 normal, 3 exponential"},
    {"V2 c 0 external", "v2: the waveform EXTERNAL comes from a program that drives ngspice"},
    {"V2 c 0 sin(0 1 1k) pulse(0 1)", "v2: it has two waveforms, sin and pulse"},
    {"V2 c 0 sffm(0 1 1k 1 1k 3 4)", "v2: sffm has 7 values, at most 5 are known"},
    {"V2 c 0 exp(0 1 1u 1u 2u 2u 3u)", "exp has 7 values, at most 6 are known"},
    /* measures */
    {".meas tran x when v(b)", ".meas x: write WHEN signal=value"},
    {".meas tran x trig v(b) rise=1 targ v(b) val=1", ".meas x: VAL= is missing"},
    {".meas tran x trig v(b) val=0.1", ".meas x: TRIG needs a TARG"},
    {".meas tran x find v(b)", ".meas x: FIND needs AT=time or WHEN signal=value"},
    {".meas tran x find", ".meas x: a signal is missing"},
    {".meas tran x when v(b)=0.5 rise=first", "first"},
    {".meas tran", ".meas : the name of the measure is missing"},
    {".meas tran x max i(R9)", ".meas x: there is no element 'r9' with one current"},
    {".ac lin 3 1 3\nV2 c 0 ac 1\n.meas ac x max sqrt(v(b))",
     "of a frequency response v(node), i(source) and their parts (vdb, vp, ...) are measured"},
    {".print tran i(R9)", "there is no element 'r9' with one current"},
    /* files */
    {".include", "m.cir:5: error: .include: write .include FILE"},
    {".lib", "m.cir:5: error: .lib: write .lib FILE SECTION"},
    {"X1 a b", "x1: subcircuit 'b' is not defined; a .subckt of this name"},
    {"X1", "x1: the name of a subcircuit is missing"},
};

static void must_say(const saying *row, linnet_status status) {
    deck it = read_deck(row->cards);
    const int as_expected = it.status == status && contains(it.report, row->text);
    if (!as_expected)
        printf("\n    status %d of\n%s\n", (int)it.status, row->cards);
    CU_ASSERT(as_expected);
    end_deck(&it);
}

static void test_refused(void) {
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        must_say(&refused[k], LINNET_MODEL);
}

/* ---- told, and gone on with ---- */

static const saying told[] = {
    {"B2 c 0 v=v(a)^3 + pow(v(a), 5)", "m.cir:5: note: x^3 is |x|^3, as in ngspice"},
    {"B2 c 0 v=pow(v(b), 5) + v(a)^2", "m.cir:5: note: x^5 is |x|^5"},
    {".temp 27 50", ".temp: the first temperature is taken, 27"},
    {"C2 b 0 1u ic=3\n.tran 1u 1m", "m.cir:5: note: ic= has no effect without UIC"},
    {"L2 b 0 1u ic=3\nT1 a 0 c 0 z0=50 td=1n ic=1\n.tran 1u 1m",
     "m.cir:5: note: ic= has no effect"},
    {"C2 0 b 1u ic=3\n.ic v(b)=2\n.tran 1u 1m uic",
     "m.cir:6: note: .ic: v(b)=2 gives way to ic= of c2, by which it is -3"},
    {".temp 300k", "K is kilo there, and kelvins are not understood"},
    {".subckt s p q\nR1 p q 1\n.ends other\nX1 a b s",
     "m.cir:7: warning: .ends other closes the subcircuit 's' of line 5"},
    {"R2 a 0 1k ac=2k", "r2: ac=2000 has no effect"},
    {".meas tran x max v(b)\n.meas tran x min v(b)", "the first measure of the name is taken"},
    {".save @r1[resistance]", "of elements only their currents and their power p can be recorded"},
    {"M1 a b 0 mm\n.model mm vdmos vto=2 kp=1\n.temp 50",
     "the channel of a VDMOS transistor is that at 27 degC, whatever temp says"},
    {"M1 a b 0 0 mm\n.model mm nmos xqc=1 tox=1e-7",
     "xqc=1 asks for capacitances after Meyer, which lose charge"},
    {".control\nwrdata out.txt v(b)\nlinearize\n.endc",
     "linearize is not performed: results are written as they are computed"},
    {".control\nlet z\n.endc", "let: only let name = expression is understood"},
    {".control\nlet z = (1,2)\n.endc", "let z: the expression is not understood"},
    {".sens v(b)", "there is no sensitivity analysis; `linnet sweep --vary`"},
    {".pz a 0 b 0 vol pz", "`linnet eig` gives the poles"},
};

static void test_told(void) {
    for (size_t k = 0; k < sizeof told / sizeof *told; k++)
        must_say(&told[k], LINNET_OK);
}

/* ---- what becomes of cards ---- */

static const spelling made[] = {
    {".ac oct 10 1 1k\nV2 c 0 ac 1", "per=\"octave\"", "input=\"V2\""},
    {".ac lin 10 1 1k\nV2 c 0 ac 3 45", "linear=\"10\"", "input=\"V2:3@45\""},
    {".tf i(V1) V1", "<dc-gain input=\"V1\" output=\"V1.i\"", NULL},
    {".tf v(a,b) V1", "output=\"a\" minus=\"b\"", NULL},
    {".dc", "<operating-point/>", NULL},
    {".options method=trap", "method=\"tr-bdf2\"", NULL},
    {".options method=gear", "method=\"bdf2\"", NULL},
    {".options method=euler", "method=\"backward-euler\"", NULL},
    {".tran 1u 10u trace all", "duration=\"1e-05\"", NULL},
    {".param p=1 p=2\nR2 a 0 {p}", "<resistor id=\"R2\" p=\"a\" n=\"0\" R=\"2\"/>", NULL},
    {"G1 c 0 a 0 2 m=3", "G=\"6\"", NULL},
    {"C2 a 0 0", "<conductor id=\"C2\"", NULL},
    {"L1 a c 0", "<voltage-source id=\"L1\" p=\"a\" n=\"c\" V=\"0\"/>", NULL},
    {"C2 b 0 1u\n.ic v(b)=2\n.tran 1u 10u uic", "v0=\"2\"", NULL},
    {"C2 a b 1u\n.ic v(b)=2\n.tran 1u 10u uic", "v0=\"-2\"", NULL},
    {"R2 a 0 1k noisy=0", "<resistor id=\"R2\" p=\"a\" n=\"0\" R=\"1000\"/>", NULL},
    {"R2 a 0 rm\n.model rm r r=2 kf=1 noisy=0", "<resistor id=\"R2\"", NULL},
    {"X1 a s m=2\n.subckt s p\nM1 p p 0 0 mm\n.model mm nmos\n.ends", "M=\"2\"", NULL},
    {"M1 a b 0 mm m=2\n.model mm vdmos vto=2 rds=1meg\n.options gmin=1e-9 tnom=50",
     "parallel=\"2\" temp=\"300.15\" GMIN=\"1e-09\"", "tnom=\"323.15\""},
    {"D1 a 0 dm\n.model dm d\n.options gmin=1e-9 tnom=50", "GMIN=\"1e-09\"", "tnom=\"323.15\""},
    {"T1 a 0 c 0 z0=50 td=1n ic=1,2,3,4 rel=1\n.tran 1n 10u uic", "=\"4\"", NULL},
    {"W1 a c V1 wm on\n.model wm csw it=1m", "start=\"1\"", NULL},
    {"V2 c 0 pulse(0 1 0 1u 1u 5u 4u)", "width=\"5e-06\" period=\"4e-06\"", NULL},
    {"V2 c 0 exp(0 1 1u) dc 2\n.op", "low", NULL},
    {"V2 c 0 pwl(0 0 1u 1 2u 0) r=1u", "4e-06 0", NULL},
    {"V2 c 0 pwl(0 0 1u 1 2u 0) r=-1", "2e-06 0", NULL},
    {"V2 c 0 trnoise(0 1u 0 0) dc 3", "V=\"3", NULL},
    {"V2 c 0 ac 1 distof1 0.1 0 dc 5", "V=\"5", NULL},
    {".save v1#branch", "name=\"i(v1)\"", NULL},
    {".save @r1[i] @r1[p]", "signals=\"R1.i\"", "signals=\"R1.P\""},
    {".save @v1[dc]", "signals=\"V1.v\"", NULL},
    {".print tran v(0,b)", "-`b`", NULL},
    {".control\nrun\nlet x = v(a)*2\nplot x b v(a,b)\n.endc", "v(b)", NULL},
    {".control\nlet x = v(a)*2\nrun\nlet y = x + 1\nprint y\n.endc", "*2", NULL},
    {".meas tran x trig at=1u targ v(b) val=0.1",
     "name=\"x_trig\" kind=\"formula\" value=\"1e-06\"", NULL},
    {".meas tran x when v(b)=0.5 rise=last", "direction=\"rising\" count=\"-1\"", NULL},
    {".meas tran x when v(a)=v(b)", "level=\"0\"", "v(a)"},
    {".meas tran x max 'v(a)-v(b)'", "v(a)", NULL},
    {".meas tran x find v(b) when v(a)=0.5 td=1u", "from=\"1e-06\"", NULL},
};

static void test_made(void) {
    for (size_t k = 0; k < sizeof made / sizeof *made; k++) {
        deck it = read_deck(made[k].cards);
        ln_text xml = {0};
        if (it.status == LINNET_OK)
            ln_xml_element(&xml, it.model->root, 0);
        const char *written = xml.data != NULL ? xml.data : "";
        const int as_expected = strstr(written, made[k].text) != NULL &&
                                (made[k].more == NULL || strstr(written, made[k].more) != NULL);
        if (!as_expected)
            printf("\n    %s\n    gives no %s:\n%s", made[k].cards, made[k].text, written);
        for (int j = 0; !as_expected && ln_report_text(it.report, j) != NULL; j++)
            printf("      %s\n", ln_report_text(it.report, j));
        CU_ASSERT(as_expected);
        ln_text_free(&xml);
        end_deck(&it);
    }
}

UNIT_MAIN({"what is refused", test_refused}, {"what is told", test_told},
          {"what becomes of a card", test_made})
