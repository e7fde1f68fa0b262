/* SPDX-License-Identifier: MIT */
/* Feedback loops: counted by formula and by brute force, their signs and algebraic loops by hand.
 */
#include "network/feedback.h"
#include "network_kit.h"

enum { MOST = 400 };

typedef struct found {
    const ln_network *network;
    ln_loop_count count;
    long visited, negative, positive, unknown, algebraic;
    char text[MOST][256]; /* "s C P": blocks in order */
    int sign[MOST], direct[MOST];
} found;

static linnet_status visit(void *context, const ln_feedback_loop *loop) {
    found *all = context;
    long k = all->visited++;
    all->negative += loop->sign < 0;
    all->positive += loop->sign > 0;
    all->unknown += loop->sign == 0;
    all->algebraic += loop->algebraic;
    if (k >= MOST)
        return LINNET_OK;
    all->sign[k] = loop->sign;
    all->direct[k] = loop->algebraic;
    size_t at = 0;
    for (int m = 0; m < loop->nmembers && at < 250; m++)
        at += (size_t)snprintf(all->text[k] + at, 256 - at, "%s%s", m > 0 ? " " : "",
                               all->network->instances[loop->members[m].instance].name);
    return LINNET_OK;
}

static found search(const net *model, long limit) {
    found all = {.network = model->network};
    CU_ASSERT_PTR_NOT_NULL_FATAL(model->network);
    CU_ASSERT_EQUAL(ln_feedback_loops(model->network, limit, NULL, model->report,
                                      (ln_feedback_visitor){visit, &all}, &all.count),
                    LINNET_OK);
    CU_ASSERT_EQUAL(all.count.loops, all.visited);
    CU_ASSERT_EQUAL(all.count.algebraic, all.algebraic);
    return all;
}

static found loops_of(const char *body) {
    net model = net_build(body);
    if (model.network == NULL)
        net_print(&model);
    found all = search(&model, 1000000);
    all.network = NULL;
    net_free(&model);
    return all;
}

static int index_of(const found *all, const char *text) {
    for (int k = 0; k < all->visited && k < MOST; k++)
        if (strcmp(all->text[k], text) == 0)
            return k;
    printf("\n    no loop '%s'; there are:", text);
    for (int k = 0; k < all->visited && k < 5; k++)
        printf(" '%s'", all->text[k]);
    return -1;
}

static void check_loop(const found *all, const char *text, int sign, int algebraic) {
    int k = index_of(all, text);
    CU_ASSERT_FATAL(k >= 0);
    CU_ASSERT_EQUAL(all->sign[k], sign);
    CU_ASSERT_EQUAL(all->direct[k], algebraic);
}

/* ---- known loops ---- */

/* cases.md V1: constant 1 -> sum(+,+); sum -> gain -1 -> sum. */
static void test_algebraic(void) {
    found all =
        loops_of("<constant id='c' out='one' value='1'/><sum id='s' in='one b' signs='++' out='x'/>"
                 "<gain id='g' in='x' out='b' k='-1'/>");
    CU_ASSERT_EQUAL(all.visited, 1);
    check_loop(&all, "s g", -1, 1);
}

static void test_none(void) {
    found all = loops_of("<step id='r' out='u'/><first-order id='f' T='1' in='u' out='y'/><sum "
                         "id='s' in='u y' out='z'/>");
    CU_ASSERT_EQUAL(all.visited, 0);
    CU_ASSERT_EQUAL(all.count.complete, 1);
}

/* A cascade in a component: an inner loop, an outer one that passes both sums and the component's
 * ports. */
static void test_cascade(void) {
    found all = loops_of(
        "<component name='drive'><input name='ref'/><output name='w'/>"
        "<sum id='si' in='ref i' signs='+-' out='e'/><pid id='C' in='e' out='u' kp='2' ki='1'/>"
        "<first-order id='L' T='1' in='u' out='i'/><integrator id='J' in='i' out='w'/></component>"
        "<step id='r' out='wref'/><sum id='so' in='wref w' signs='+-' out='e'/><gain id='K' in='e' "
        "out='iref' k='3'/>"
        "<drive id='d' ref='iref' w='w'/>");
    CU_ASSERT_EQUAL(all.visited, 2);
    check_loop(&all, "d.si d.C d.L", -1, 0);
    check_loop(&all, "d.si d.C d.L d.J so K", -1, 0);
}

/* Labels of the same name in two components are different signals: no loop joins them. */
static void test_labels(void) {
    found all = loops_of(
        "<component name='lag'><input name='u'/><output name='y'/><sum id='s' in='u x' signs='+-' "
        "out='e'/>"
        "<first-order id='f' T='1' in='e' out='x'/><gain id='o' in='x' out='y' k='1'/></component>"
        "<step id='r' out='x'/><lag id='a' u='x' y='m'/><lag id='b' u='m' y='z'/>");
    CU_ASSERT_EQUAL(all.visited, 2);
    check_loop(&all, "a.s a.f", -1, 0);
    check_loop(&all, "b.s b.f", -1, 0);
}

/* One link on two inputs of a sum: two connections, two loops, of opposite sign. */
static void test_parallel(void) {
    found all = loops_of("<step id='r' out='u'/><sum id='s' in='u y y' signs='++-' out='e'/>"
                         "<first-order id='f' T='1' in='e' out='y'/>");
    CU_ASSERT_EQUAL(all.visited, 2);
    CU_ASSERT_EQUAL(all.negative, 1);
    CU_ASSERT_EQUAL(all.positive, 1);
}

/* What decides signs: a negative gain twice; a product of two signals is not linear. */
static void test_signs(void) {
    found all = loops_of(
        "<gain id='a' in='x' out='y' k='-2'/><first-order id='b' T='1' in='y' out='x' k='-3'/>");
    check_loop(&all, "a b", 1, 0);
    all = loops_of("<step id='r' out='w'/><product id='p' in='x w' out='y'/><integrator id='b' "
                   "in='y' out='x'/>");
    check_loop(&all, "b p", 0, 0);
    all = loops_of("<step id='r' out='w'/><sum id='s' in='w x' signs='+-' out='e'/>"
                   "<transfer-function id='g' numerator='-1 1' denominator='1 1' in='e' out='x'/>");
    /* (1 - s)/(1 + s): positive for slow changes, and passes at once */
    check_loop(&all, "s g", -1, 1);
    all = loops_of(
        "<step id='r' out='w'/><sum id='s' in='w x' signs='+-' out='e'/>"
        "<transfer-function id='g' numerator='1' denominator='1 0 0 0 0' in='e' out='x'/>");
    check_loop(&all, "s g", -1, 0);
}

/* e = w - y, u = block(e), T y' = u - y: the sign is that of the block's slope, turned. What jumps
 * up rises, too. */
static void test_bent(void) {
    static const struct {
        const char *block;
        int sign;
    } cases[] = {
        {"<saturation id='b' in='e' out='u' min='-1' max='1'/>", -1},
        {"<dead-zone id='b' in='e' out='u' min='-1' max='2'/>", -1},
        {"<quantizer id='b' in='e' out='u' step='0.1'/>", -1},
        {"<sign id='b' in='e' out='u'/>", -1},
        {"<coulomb id='b' in='e' out='u' level='1' slope='2'/>", -1},
        {"<tanh id='b' in='e' out='u'/>", -1},
        {"<exp id='b' in='e' out='u'/>", -1},
        {"<reciprocal id='b' in='e' out='u'/>", 1},
        {"<power id='b' in='e' out='u' exponent='3'/>", -1},
        {"<polynomial id='b' in='e' out='u' coefficients='1 0 2 1'/>", -1},
        {"<lookup id='b' in='e' out='u' points='-1 -3; 0 0; 1 2'/>", -1},
        {"<lookup id='b' in='e' out='u' points='-1 3; 0 0; 1 -2' outside='extrapolate'/>", 1},
        {"<lookup id='b' in='e' out='u' points='-1 -3; 0 0; 1 2' method='nearest'/>", -1},
        {"<lookup id='b' in='e' out='u' points='-1 -3; 0 0; 1 -2'/>", 0},
        {"<pid id='b' in='e' out='u' kp='2' ki='1' kd='0.1' min='-1' max='1'/>", -1},
        {"<pid-two-degrees id='b' set='w' in='e' out='u' k='2' max='1'/>", 1},
        {"<rate-limiter id='b' in='e' out='u' rising='1'/>", -1},
        {"<rate-limiter id='b' in='e' out='u' rising='1' falling='-3' begins='1'/>", -1},
        {"<greater id='b' in='e' out='u'/>", -1},
        {"<not id='b' in='e' out='u'/>", 1},
        {"<switch id='b' condition='w' then='e' else='w' out='u'/>", -1},
        {"<switch id='b' condition='e' then='w' out='u'/>", 0},
        {"<max id='b' in='e w' out='u'/>", -1},
        {"<constant id='z' out='o' value='0'/><variable-saturation id='b' in='e' low='o' high='w' "
         "out='u'/>",
         -1},
        {"<multi-switch id='b' in='e w' select='w' out='u'/>", -1},
        {"<function id='b' in='e w' out='u' expression='u1*exp(u2)'/>", -1},
        {"<function id='b' in='e' out='u' expression='-u*abs(u)'/>", 1},
        {"<abs id='b' in='e' out='u'/>", 0},
        {"<product id='b' in='e w' out='u'/>", 0},
        {"<sin id='b' in='e' out='u'/>", 0},
        {"<block-type name='x'><input name='in'/><output name='out'/><state "
         "name='v'/><equation>der(v) = delay(in, 0.5) - v*abs(v)"
         "</equation><equation>out = -v</equation></block-type><x id='b' in='e' out='u'/>",
         1},
        /* what is below the limit of an anti-windup stands in three rows, with one slope */
        {"<block-type name='x'><input name='in'/><output name='out'/><state "
         "name='i'/><equation>out = clamp(in + i, -1, 1)</equation>"
         "<equation>der(i) = in + 5*(out - in - i)</equation></block-type><x id='b' in='e' "
         "out='u'/>",
         -1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[1200];
        snprintf(body, sizeof body,
                 "<step id='r' out='w'/><sum id='s' in='w y' signs='+-' out='e'/>%s"
                 "<first-order id='f' T='1' in='u' out='y'/>",
                 cases[k].block);
        found all = loops_of(body);
        if (all.visited != 1 || all.sign[0] != cases[k].sign)
            printf("\n    %s: %d\n", cases[k].block, all.sign[0]);
        CU_ASSERT(all.visited == 1 && all.sign[0] == cases[k].sign);
    }
}

/* The same of what is set: a hold gives its input, a sum over samples rises with it as an integral,
 * what a state is set to draws it there. A relay jumps up or down, by its signal, which no slope of
 * what it sets tells; of a memory that two events set oppositely nothing is decided, either. */
static void test_set(void) {
#define TYPE(inside)                                                                      \
    "<block-type name='x'><input name='in'/><input name='w'/><output name='out'/>" inside \
    "</block-type><x id='b' in='e' w='w' out='u'/>"
#define HELD(value)                                                                       \
    TYPE("<memory name='m'/><equation>out = m</equation><when condition='sample(0.1 s)'>" \
         "<set name='m' value='" value "'/></when>")
    static const struct {
        const char *block;
        int sign;
    } cases[] = {{"<zero-order-hold id='b' in='e' out='u' period='0.1 s'/>", -1},
                 {"<first-order-hold-extrapolating id='b' in='e' out='u' period='0.1 s'/>", -1},
                 {"<sample-delay id='b' in='e' out='u' period='0.1 s' n='3'/>", -1},
                 {"<reset-integrator id='b' in='e' reset='w' out='u'/>", -1},
                 {"<reset-integrator id='b' in='e' k='-1' reset='w' out='u'/>", 1},
                 {"<reset-integrator id='b' in='w' reset='w' to='e' out='u'/>", -1},
                 {"<reset-integrator id='b' in='w' reset='e' out='u'/>", 0},
                 {"<hysteresis-relay id='b' in='e' out='u' on='1' off='-1'/>", 0},
                 {HELD("in"), -1},
                 {HELD("-2*in"), 1},
                 {HELD("m + 0.1*in"), -1},
                 {HELD("0.5*m - in"), 1},
                 {HELD("in - 0.5*m"), -1},
                 {HELD("-in*abs(in)"), 1},
                 {HELD("if(in gt 0, 2*in, in)"), -1},
                 {HELD("in*w"), 0},
                 {"<block-type name='x'><input name='in'/><input name='open' optional='yes'/>"
                  "<output name='out'/><memory name='m'/><equation>out = m</equation><when "
                  "condition='sample(0.1 s)'><set name='m' value='(open - 0.5)*in'/></when>"
                  "</block-type><x id='b' in='e' out='u'/>",
                  1}, /* what nothing is joined to is zero */
                 {TYPE("<memory name='m'/><equation>out = in - 2*m</equation>"
                       "<when condition='sample(0.1 s)'><set name='m' value='in'/></when>"),
                  1},
                 {TYPE("<memory name='m'/><memory name='n'/><equation>out = n</equation>"
                       "<when condition='sample(0.1 s)'><set name='m' value='-in'/>"
                       "<set name='n' value='m'/></when>"),
                  1},
                 {TYPE("<memory name='m'/><equation>out = m</equation>"
                       "<when condition='sample(0.1 s)'><set name='m' value='in'/></when>"
                       "<when condition='sample(0.3 s)'><set name='m' value='-in'/></when>"),
                  0},
                 {TYPE("<memory name='m'/><equation>out = in + 5*m</equation>"
                       "<when condition='in gt 0'><set name='m' value='-1'/></when>"
                       "<when condition='in lt 0'><set name='m' value='1'/></when>"),
                  0},
                 {TYPE("<memory name='m'/><equation>out = in + m</equation>"
                       "<when condition='rate(in) gt 2'><set name='m' value='-3*in'/></when>"),
                  -1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[1200];
        snprintf(body, sizeof body,
                 "<step id='r' out='w'/><sum id='s' in='w y' signs='+-' out='e'/>%s"
                 "<first-order id='f' T='1' in='u' out='y'/>",
                 cases[k].block);
        found all = loops_of(body);
        const int at = all.visited == 1 ? 0 : -1;
        if (at < 0 || all.sign[0] != cases[k].sign || all.direct[0])
            printf("\n    %s: %d loops, sign %d, direct %d\n", cases[k].block, (int)all.visited,
                   all.sign[0], all.direct[0]);
        CU_ASSERT(at == 0 && all.sign[0] == cases[k].sign && !all.direct[0]);
    }
}

/* A block whose first output depends on its second input only, and the other way round. */
static void test_channels(void) {
    const char *type = "<block-type name='two'><input name='a'/><input name='b'/><output "
                       "name='x'/><output name='y'/>"
                       "<equation>x = 2*b</equation><equation>y = -a</equation></block-type>";
    char body[600];
    snprintf(body, sizeof body, "%s<two id='t' a='x' b='w' x='x' y='y'/><step id='r' out='w'/>",
             type);
    found all = loops_of(body);
    CU_ASSERT_EQUAL(all.visited, 0);
    snprintf(body, sizeof body, "%s<two id='t' a='w' b='x' x='x' y='y'/><step id='r' out='w'/>",
             type);
    all = loops_of(body);
    CU_ASSERT_EQUAL(all.visited, 1);
    snprintf(body, sizeof body, "%s<two id='t' a='x' b='y' x='x' y='y'/>", type);
    all = loops_of(body);
    check_loop(&all, "t t", -1, 1);
}

/* ---- through physical networks ---- */

static void test_motor(void) {
    /* also where the input of the circuit is the first link of all */
    static const char *const input[] = {"u", "A"}, *const ground[] = {"0", "Z"};
    for (int k = 0; k < 2; k++) {
        char body[1000];
        snprintf(body, sizeof body,
                 "<step id='r' out='ref'/><sum id='s' in='ref angle' signs='+-' out='e'/><gain "
                 "id='C' in='e' out='%s' k='10'/><ground id='g' p='%s'/><signal-voltage id='V' "
                 "in='%s' p='a' n='%s'/><resistor id='R' p='a' n='b' R='1'/><inductor id='L' p='b' "
                 "n='c' L='1 mH'/><motor-constant id='M' p='c' n='%s' shaft='rotor' "
                 "k='0.1'/><inertia id='J' p='rotor' J='1e-4'/><angle-sensor id='W' p='rotor' "
                 "out='angle'/>",
                 input[k], ground[k], input[k], ground[k], ground[k]);
        found all = loops_of(body);
        CU_ASSERT_EQUAL(all.visited, 1);
        check_loop(&all, "s C V", -1, 0);
        CU_ASSERT_EQUAL(all.count.physical, 1);
        CU_ASSERT_EQUAL(all.count.passable, 1);
    }
}

/* A voltage passes a divider at once, also through a capacitor in series; a resistor into a
 * capacitor stores it. Two circuits that meet at ground only are not connected. */
static void test_direct(void) {
    static const char *const front =
        "<step id='r' out='ref'/><sum id='s' in='ref m' signs='+-' out='e'/><ground id='g' p='0'/>"
        "<signal-voltage id='V' in='e' p='a' n='0'/>";
    static const struct {
        const char *circuit;
        int loops, algebraic;
    } cases[] = {
        {"<resistor id='R1' p='a' n='b' R='1'/><resistor id='R2' p='b' n='0' R='1'/>", 1, 1},
        {"<capacitor id='C1' p='a' n='b' C='1e-9'/><resistor id='R2' p='b' n='0' R='1'/>", 1, 1},
        {"<resistor id='R1' p='a' n='b' R='1 kOhm'/><capacitor id='C1' p='b' n='0' C='1e-9'/>", 1,
         0},
        {"<capacitor id='C1' p='a' n='b' C='1e-9'/><capacitor id='C2' p='b' n='0' C='2e-9'/>", 1,
         1},
        {"<resistor id='R1' p='a' n='0' R='1'/><voltage-source id='V2' p='b' n='0' V='1'/>", 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[900];
        snprintf(body, sizeof body, "%s%s<voltage-sensor id='M' p='b' n='0' out='m'/>", front,
                 cases[k].circuit);
        found all = loops_of(body);
        CU_ASSERT_EQUAL(all.visited, cases[k].loops);
        CU_ASSERT_EQUAL(all.negative, cases[k].loops);
        CU_ASSERT_EQUAL(all.algebraic, cases[k].algebraic);
    }
}

/* ---- counting ---- */

/* Every sum reads all others: sum over k of C(n, k) (k - 1)! circuits. */
static void test_complete_graph(void) {
    enum { N = 7 };
    char body[4000];
    size_t at = 0;
    for (int i = 0; i < N; i++) {
        at += (size_t)snprintf(body + at, sizeof body - at, "<sum id='s%d' out='x%d' in='", i, i);
        for (int j = 0; j < N; j++)
            if (j != i)
                at += (size_t)snprintf(body + at, sizeof body - at, "x%d ", j);
        at += (size_t)snprintf(body + at, sizeof body - at, "'/>");
    }
    long expected = 0;
    for (int k = 2; k <= N; k++) {
        double choose = 1, order = 1;
        for (int j = 0; j < k; j++)
            choose *= (double)(N - j) / (j + 1);
        for (int j = 2; j < k; j++)
            order *= j;
        expected += (long)(choose * order + 0.5);
    }
    net model = net_build(body);
    found all = search(&model, 1000000);
    CU_ASSERT_EQUAL(all.visited, expected);
    CU_ASSERT_EQUAL(all.algebraic, expected);
    all = search(&model, expected);
    CU_ASSERT_EQUAL(all.count.complete, 1);
    all = search(&model, 10);
    CU_ASSERT_EQUAL(all.visited, 10);
    CU_ASSERT_EQUAL(all.count.complete, 0);
    net_free(&model);
}

/* Brute force: walks from each start over larger numbers only, without any blocking. */
typedef struct graph {
    int n, sign[9][9];
    long circuits, negative;
} graph;

static void walk(graph *g, int start, int at, unsigned seen, int sign) {
    for (int next = start; next < g->n; next++) {
        if (g->sign[at][next] == 0)
            continue;
        int s = sign * g->sign[at][next];
        if (next == start) {
            g->circuits++;
            g->negative += s < 0;
        } else if (!(seen >> next & 1)) {
            walk(g, start, next, seen | 1u << next, s);
        }
    }
}

static void test_random(void) {
    unsigned seed = 1;
    for (int trial = 0; trial < 60; trial++) {
        graph g = {.n = 3 + trial % 7};
        char body[4000];
        size_t at = (size_t)snprintf(body, sizeof body, "<constant id='c' out='one' value='1'/>");
        for (int i = 0; i < g.n; i++) {
            char signs[16] = "+", in[128] = "one";
            for (int j = 0; j < g.n; j++) {
                seed = seed * 1664525u + 1013904223u;
                if (seed >> 16 & 1 && seed >> 17 & 1)
                    continue;
                if (g.n > 6 && seed >> 18 & 1)
                    continue;
                g.sign[j][i] = seed >> 20 & 1 ? 1 : -1;
                snprintf(in + strlen(in), sizeof in - strlen(in), " x%d", j);
                snprintf(signs + strlen(signs), sizeof signs - strlen(signs), "%c",
                         g.sign[j][i] > 0 ? '+' : '-');
            }
            at += (size_t)snprintf(body + at, sizeof body - at,
                                   "<sum id='s%d' in='%s' signs='%s' out='x%d'/>", i, in, signs, i);
        }
        for (int start = 0; start < g.n; start++)
            walk(&g, start, start, 0, 1);
        found all = loops_of(body);
        CU_ASSERT_EQUAL(all.visited, g.circuits);
        CU_ASSERT_EQUAL(all.negative, g.negative);
    }
}

UNIT_MAIN({"algebraic loop", test_algebraic}, {"no loop", test_none},
          {"cascade in a component", test_cascade}, {"labels of two components", test_labels},
          {"parallel connections", test_parallel}, {"signs", test_signs},
          {"signs through what is not linear", test_bent},
          {"signs through what events set", test_set}, {"separate channels", test_channels},
          {"motor position", test_motor}, {"at once or stored", test_direct},
          {"complete graph", test_complete_graph}, {"random graphs", test_random})
