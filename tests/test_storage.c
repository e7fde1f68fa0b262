/* SPDX-License-Identifier: MIT */
/* The rank of what a network stores, and the rows in which nothing is stored, against a dense
 * factorisation of E in extended precision; and the time it takes. */
#include "system/active.h"
#include "system_kit.h"
#include <time.h>

/* Capacitances of any sign, coils of any coupling, and storage behind a gyrator. */
#define PORT(name) "<port name='" name "' domain='electrical'/>"
static const char TYPES[] = "<block-type name='charge'>" PORT("p") PORT(
    "n") "<parameter name='C' unit='F'/>"
         "<equation>p.i = C*der(p.v - n.v)</equation><equation>n.i = -p.i</equation></block-type>"
         "<block-type name='coils'>" PORT("p")
             PORT("q") "<parameter name='L' unit='H' default='1 mH'/><parameter name='k'/>"
                       "<equation>p.v = L*der(p.i) + 2*k*L*der(q.i)</equation><equation>q.v = "
                       "2*k*L*der(p.i) + 4*L*der(q.i)</equation></block-type>"
                       "<block-type name='odd'>" PORT("p")
                           PORT("q") "<parameter name='C' unit='F' default='1 uF'/>"
                                     "<equation>p.i = 3*C*der(q.v)</equation><equation>q.i = "
                                     "3*C*der(p.v)</equation></block-type>"
                                     "<block-type name='bent'>" PORT("p")
                                         PORT("n") "<equation>p.i = 1 uF*der(1 V*sinh((p.v - "
                                                   "n.v)/1 V))</equation><equation>n.i = "
                                                   "-p.i</equation></block-type>"
                                                   "<block-type name='pair'>" PORT("p") PORT("n")
                                                       PORT("q") PORT(
                                                           "m") "<equation>p.i = 1 uF*der(p.v - "
                                                                "n.v)</equation><equation>n.i = "
                                                                "-p.i</equation><equation>q.i = "
                                                                "1 uF*der(q.v - "
                                                                "m.v)</equation><equation>m.i = "
                                                                "-q.i</equation></block-type>";

/* ---- the reference ---- */

static int dense_rank(const ln_matrix *E) {
    long double *copy = dense(E);
    const int rank = eliminate(copy, NULL, E->pattern.n);
    free(copy);
    return rank;
}

/* Largest entry that a combination called algebraic leaves of E, against the terms it is summed
 * from. */
static double leftover(const bench *rig, const ln_storage *s) {
    const ln_matrix *E = &rig->system->E;
    const int n = s->n;
    double worst = 0, *sum = calloc((size_t)n + 1, sizeof *sum),
           *size = calloc((size_t)n + 1, sizeof *size);
    for (int k = 0; k < n; k++) {
        if (s->differential[k])
            continue;
        memset(sum, 0, (size_t)n * sizeof *sum);
        memset(size, 0, (size_t)n * sizeof *size);
        for (int i = s->start[k]; i < s->start[k + 1]; i++)
            for (int j = 0; j < n; j++)
                for (int at = E->pattern.start[j]; at < E->pattern.start[j + 1]; at++) {
                    if (E->pattern.row[at] != s->row[i])
                        continue;
                    sum[j] += s->coefficient[i] * E->value[at];
                    size[j] += fabs(s->coefficient[i] * E->value[at]);
                }
        for (int j = 0; j < n; j++)
            if (size[j] > 0)
                worst = fmax(worst, fabs(sum[j]) / size[j]);
    }
    free(sum);
    free(size);
    return worst;
}

static void check(const char *body, int rank, int nparts) {
    bench rig = built(TYPES, body);
    ln_storage storage;
    CU_ASSERT_EQUAL_FATAL(ln_storage_split(rig.system, rig.arena, &storage), LINNET_OK);
    if (storage.rank != rank || storage.nparts != nparts)
        printf("\n    rank %d, %d floating parts in %s\n", storage.rank, storage.nparts, body);
    CU_ASSERT_EQUAL(storage.rank, rank);
    CU_ASSERT_EQUAL(storage.rank, dense_rank(&rig.system->E));
    CU_ASSERT_EQUAL(storage.nparts, nparts);
    CU_ASSERT(leftover(&rig, &storage) < 1e-12);
    done(&rig);
}

/* ---- tests ---- */

#define C(id, p, n, value) "<charge id='" id "' p='" p "' n='" n "' C='" value "'/>"
#define R(id, p, n) "<resistor id='" id "' p='" p "' n='" n "' R='1'/>"

static void known_ranks(void) {
    check(C("C1", "a", "b", "1") R("R1", "a", "0") R("R2", "b", "0"), 1, 1);
    check(C("C1", "a", "b", "1") C("C2", "b", "0", "1 pF") R("R1", "a", "0"), 2, 0);
    check(C("C1", "a", "b", "1") C("C2", "b", "c", "1") C("C3", "c", "a", "1 nF") R("R1", "a", "0")
              R("R2", "b", "0") R("R3", "c", "0"),
          2, 1);
    check(C("C1", "a", "b", "1 F") C("C2", "c", "d", "1 pF") R("R1", "a", "0") R("R2", "b", "c")
              R("R3", "d", "0"),
          2, 2);
    /* negative capacitances may take a rank away, also where nothing floats */
    check(C("C1", "a", "0", "1") C("C2", "a", "b", "-0.5") C("C3", "b", "0", "1") R("R1", "a", "0")
              R("R2", "b", "0"),
          1, 0);
    check(C("C1", "a", "0", "1") C("C2", "a", "b", "-0.5") R("R1", "a", "0") R("R2", "b", "0"), 2,
          0);
    check(C("C1", "a", "0", "1") C("C2", "a", "b", "2") C("C3", "b", "0", "-0.6666666666666667")
              R("R1", "a", "0") R("R2", "b", "0"),
          1, 0);
}

/* Coupled coils: regular below k = 1, of rank 1 at it. */
static void coupling(void) {
    char body[512];
    static const struct {
        double k;
        int rank;
    } cases[] = {{0.5, 2}, {0.999999, 2}, {1, 1}};
    for (size_t k = 0; k < 3; k++) {
        snprintf(body, sizeof body,
                 "<coils id='T' p='a' q='b' k='%.9g'/>" R("R1", "a", "0") R("R2", "b", "0"),
                 cases[k].k);
        check(body, cases[k].rank, 0);
    }
}

/* Capacitors of eight decades at random, a few of them negative, with floating and grounded parts.
 */
static void random_networks(void) {
    srand(12);
    for (int round = 0; round < 300; round++) {
        char body[8192];
        const int nodes = 2 + rand() % 8, edges = 1 + rand() % 12;
        int at = 0;
        for (int k = 1; k <= nodes; k++)
            at += snprintf(body + at, sizeof body - (size_t)at,
                           "<resistor id='R%d' p='n%d' n='0' R='1'/>", k, k);
        for (int k = 0; k < edges; k++) {
            int a = rand() % (nodes + 1), b = rand() % (nodes + 1);
            if (a == b)
                continue;
            char p[8] = "0", n[8] = "0";
            if (a > 0)
                snprintf(p, sizeof p, "n%d", a);
            if (b > 0)
                snprintf(n, sizeof n, "n%d", b);
            at += snprintf(body + at, sizeof body - (size_t)at,
                           "<charge id='C%d' p='%s' n='%s' C='%s%.3ge%d'/>", k, p, n,
                           rand() % 8 == 0 ? "-" : "", 1 + 8.0 * rand() / RAND_MAX,
                           -(rand() % 3) * (1 + round % 2) - 3);
        }
        bench rig = built(TYPES, body);
        ln_storage storage;
        CU_ASSERT_EQUAL_FATAL(ln_storage_split(rig.system, rig.arena, &storage), LINNET_OK);
        const int rank = dense_rank(&rig.system->E);
        if (storage.rank != rank)
            printf("\n    rank %d, not %d: %s\n", storage.rank, rank, body);
        CU_ASSERT_EQUAL(storage.rank, rank);
        CU_ASSERT(leftover(&rig, &storage) < 1e-10);
        done(&rig);
    }
}

/* A chain of n capacitors, plain or with a pair of coils coupled ideally; the seconds it takes. */
static double chain(int n, int ideal, int rank, int dense) {
    char *body = malloc(2000);
    snprintf(body, 2000,
             "<voltage-source id='V' p='a[1]' n='0' V='1'/><repeat index='k' from='1' to='%d'>"
             "<capacitor id='C[k]' p='a[k]' n='a[k+1]' C='1 uF'/><resistor id='R[k]' p='a[k+1]' "
             "n='0' R='1 kOhm'/></repeat>%s",
             n, ideal ? "<odd id='O' p='a[1]' q='a[5]'/>" : "");
    bench rig = built(TYPES, body);
    ln_storage storage;
    const clock_t began = clock();
    CU_ASSERT_EQUAL_FATAL(ln_storage_split(rig.system, rig.arena, &storage), LINNET_OK);
    const double seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    CU_ASSERT_EQUAL(storage.rank, rank);
    CU_ASSERT_EQUAL(storage.dense, dense);
    done(&rig);
    free(body);
    return seconds;
}

/* No size is special, and what is odd is all that is factored densely. */
static void large_parts(void) {
    (void)chain(780, 0, 780, 0);
    (void)chain(820, 0, 820, 0);
    (void)chain(820, 1, 821, 2);
    const double small = chain(2000, 0, 2000, 0), large = chain(20000, 0, 20000, 0);
    CU_ASSERT(large < 0.2);
    /* ten times as many; quadratic growth would be a hundred */
    CU_ASSERT(large < 40 * small + 0.01);
    CU_ASSERT(chain(20000, 1, 20001, 2) < 0.3);
}

/* Amplifiers in a row: capacitors join a collector to the next external base, which by itself
 * stores nothing. No part is larger than a transistor with its capacitor, and no rank takes a large
 * factorisation. */
static void amplifiers(void) {
    enum { STAGES = 60 };
    bench rig = built(TYPES, "<voltage-source id='V' p='c[1]' n='0' V='1'/><repeat index='k' "
                             "from='1' to='60'><capacitor id='C[k]' p='c[k]' n='b[k+1]' C='100 "
                             "nF'/><resistor id='RB[k]' p='b[k+1]' n='0' R='22 kOhm'/><bjt "
                             "id='Q[k]' c='c[k+1]' b='b[k+1]' e='e[k+1]' type='npn' RB='50' "
                             "VAF='80' CJE='1.2 pF' CJC='0.8 pF' TF='0.3 ns'/><resistor id='RC[k]' "
                             "p='c[k+1]' n='0' R='2.2 kOhm'/><resistor id='RE[k]' p='e[k+1]' n='0' "
                             "R='2 kOhm'/></repeat>");
    ln_storage storage;
    double *x = LN_NEW(rig.arena, double, rig.system->n);
    for (int i = 0; i < rig.system->n; i++) {
        const char *name = ln_network_unknown_name(rig.system->network, i);
        x[i] = strchr(name, 'b') != NULL ? 0.95 : strchr(name, 'c') != NULL ? 5 : 0;
    }
    CU_ASSERT_EQUAL_FATAL(
        ln_system_eval(rig.system, &(ln_moment){(ln_side){0}, x}, LN_LIMIT_OFF, NULL, NULL, NULL),
        LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(ln_storage_split(rig.system, rig.arena, &storage), LINNET_OK);
    CU_ASSERT(storage.rank >= 3 * STAGES);
    CU_ASSERT(storage.dense <= 4);
    done(&rig);
}

static int called(const ln_system *system, const char *name) {
    for (int i = 0; i < system->n; i++)
        if (strcmp(ln_network_unknown_name(system->network, i), name) == 0)
            return i;
    return -1;
}

/* An ampere into a raises what floats on 100 MOhm by 100 MV, however short the step: at b, too, by
 * the balance of the part. */
static void raises_all(const char *body, int nparts, double leak, double alpha) {
    char text[2000];
    snprintf(text, sizeof text, "%s<resistor id='leak' p='b' n='0' R='100 MOhm'/>", body);
    bench rig = built(TYPES, text);
    ln_system *system = rig.system;
    const int n = system->n, a = called(system, "a"), b = called(system, "b");
    double *x = LN_NEW(rig.arena, double, n),
           *K = LN_NEW(rig.arena, double, system->pattern.start[n]);
    CU_ASSERT_EQUAL_FATAL(
        ln_system_eval(system, &(ln_moment){(ln_side){0}, x}, LN_LIMIT_OFF, NULL, NULL, NULL),
        LINNET_OK);
    CU_ASSERT_EQUAL(system->nparts, nparts);
    ln_linear *linear = ln_linear_new(&system->pattern, LN_LINEAR_AUTO);
    ln_system_jacobian(system, alpha, K);
    CU_ASSERT_EQUAL_FATAL(ln_linear_factor(linear, K), LN_FACTORED);
    int entered[2];
    const int count = ln_system_entered(system, a, entered);
    for (int k = 0; k < count; k++)
        x[entered[k]] = 1;
    ln_linear_solve(linear, x);
    const double expected = 1 / (1e-8 + leak);
    if (!(fabs(x[b] - expected) < 1e-3))
        printf("\n    %.17g V at alpha = %g in %s\n", x[b], alpha, body);
    CU_ASSERT_DOUBLE_EQUAL(x[b], expected, 1e-3);
    ln_linear_free(linear);
    done(&rig);
}

/* What devices bring to the balance of a part, by values and by slopes: differences of the one are
 * the other. */
static void slopes_of_balance(const char *body) {
    bench rig = built(TYPES, body);
    ln_system *system = rig.system;
    const int n = system->n;
    const double step = 1e-6;
    double *x = LN_NEW(rig.arena, double, n), *q[2], *f[2];
    CU_ASSERT_FATAL(system->balance_row != NULL);
    for (int side = 0; side < 2; side++) {
        q[side] = LN_NEW(rig.arena, double, n);
        f[side] = LN_NEW(rig.arena, double, n);
    }
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            x[i] = 0.3 * sin(1 + 2.7 * i);
        for (int side = 0; side < 2; side++) {
            memset(q[side], 0, (size_t)n * sizeof **q);
            memset(f[side], 0, (size_t)n * sizeof **f);
            x[j] += side == 0 ? -step : 2 * step;
            CU_ASSERT_EQUAL_FATAL(ln_system_eval(system, &(ln_moment){(ln_side){0}, x},
                                                 LN_LIMIT_OFF, q[side], f[side], NULL),
                                  LINNET_OK);
        }
        x[j] -= step;
        (void)ln_system_eval(system, &(ln_moment){(ln_side){0}, x}, LN_LIMIT_OFF, NULL, NULL, NULL);
        for (int i = 0; i < n; i++) {
            double dq = 0, df = 0;
            for (int k = 0; k < system->ndq; k++)
                dq += system->dq_row[k] == i && system->dq_col[k] == j ? system->dq[k] : 0;
            for (int k = 0; k < system->ndf; k++)
                df += system->df_row[k] == i && system->df_col[k] == j ? system->df[k] : 0;
            const double by_q = (q[1][i] - q[0][i]) / (2 * step),
                         by_f = (f[1][i] - f[0][i]) / (2 * step);
            CU_ASSERT_DOUBLE_EQUAL(dq, by_q, 1e-16 + 1e-5 * fabs(by_q));
            CU_ASSERT_DOUBLE_EQUAL(df, by_f, 1e-7 + 1e-5 * fabs(by_f));
            if (!(fabs(df - by_f) <= 1e-7 + 1e-5 * fabs(by_f)) ||
                !(fabs(dq - by_q) <= 1e-16 + 1e-5 * fabs(by_q)))
                printf("row %d col %d part %d: df %g %g dq %g %g\n", i, j, system->balance_row[i],
                       df, by_f, dq, by_q);
        }
    }
    done(&rig);
}

static void crossing_devices(void) {
    slopes_of_balance("<capacitor id='C1' p='p' n='m' C='1 uF'/><spice-diode id='D1' p='a' n='p' "
                      "CJO='10 pF' TT='5 ns' RS='0.1'/><spice-diode id='D3' p='m' n='a' CJO='10 "
                      "pF' TT='5 ns' RS='0.1'/>" R("R", "m", "0") R("S", "a", "0"));
    slopes_of_balance(C("C1", "a", "b", "1 uF") "<bjt id='Q' c='a' b='c' e='b' type='pnp' CJE='1 "
                                                "pF' CJC='1 pF' TF='1 ns' RB='10' RC='2'/>");
}

static void supernodes(void) {
    static const struct {
        const char *body;
        int nparts;
        double leak; /* beside the 100 MOhm */
    } cases[] = {
        {C("C1", "a", "b", "1 uF"), 1, 0},
        {C("C1", "a", "c", "1 uF") C("C2", "c", "b", "47 pF") R("R1", "a", "b"), 1, 0},
        {"<bent id='C1' p='a' n='b'/>", 1, 0},
        {C("C1", "a", "b", "1 uF") "<spice-diode id='D1' p='b' n='a' CJO='10 pF' TT='5 ns'/>", 1,
         0},
        /* a junction across the surface that stores nothing grounds no part */
        {C("C1", "a", "b", "1 uF") "<spice-diode id='D1' p='0' n='c'/>" R("R1", "c", "0"), 1, 0},
        {"<pair id='P' p='a' n='b' q='c' m='d'/>" R("R1", "c", "0"), 2, 0},
        {C("C1", "a", "b", "1 uF") "<current-source id='I1' p='a' n='b' I='1 A'/>"
                                   "<bent id='C2' p='b' n='a'/>",
         1, 0},
        {C("C1", "a", "b", "1 uF") "<inductor id='L1' p='a' n='b' L='1 mH'/>", 1, 0},
        /* the substrate is the only way out, by its junction's conductance */
        {C("C1", "a", "b",
           "1 uF") "<bjt id='Q' c='a' b='c' e='b' type='npn' CJE='1 pF' CJC='1 pF' TF='1 ns'/>",
         1, 1e-12}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (double alpha = 1e12; alpha < 1e31; alpha *= 1e9)
            raises_all(cases[k].body, cases[k].nparts, cases[k].leak, alpha);
    bench rig = built(TYPES, C("C1", "a", "b", "1 uF") C("C2", "b", "0", "1 fF") R("R", "a", "b"));
    CU_ASSERT_EQUAL(rig.system->nparts, 0);
    done(&rig);
}

/* Whichever link comes first: a capacitance that a third link rules, by a law that is flat at rest,
 * floats between two. */
static void any_first_link(void) {
    static const char type[] = "<block-type name='ruled'>" PORT("p") PORT("n")
        PORT("m") "<equation>p.i = 1 uF/(1 "
                  "V^2)*der(m.v^2*(p.v - n.v))</equation><equation>n.i = "
                  "-p.i</equation><equation>m.i = 0 "
                  "A</equation></block-type>";
    int ruled_first = 0;
    for (int turn = 0; turn < 3; turn++) {
        const char link[] = {"abc"[turn], "bca"[turn], "cab"[turn]};
        char body[500];
        snprintf(body, sizeof body,
                 "<ruled id='x' p='%c' n='%c' m='%c'/>" R("A", "a", "0") R("B", "b", "0")
                     R("C", "c", "0"),
                 link[0], link[1], link[2]);
        bench rig = built(type, body);
        ruled_first |= called(rig.system, "a") == 0 && link[2] == 'a';
        CU_ASSERT_EQUAL(rig.system->nparts, 1);
        done(&rig);
    }
    CU_ASSERT(ruled_first);
}

/* A device's share of a balance is summed over the side with fewer branches: a diode across the
 * surface has one branch and none on either side (its own node, then); of a transistor whose
 * emitter is out, one is left inside, none out, so that the emitter is taken. */
static void sides(void) {
    bench rig = built("", "<spice-diode id='D' p='a' n='b'/><bjt id='Q' c='a' b='c' e='b' "
                          "type='npn'/>" R("R1", "a", "0") R("R2", "b", "0") R("R3", "c", "0"));
    for (int k = 0; k < rig.network->ninstances; k++) {
        const ln_instance *instance = &rig.network->instances[k];
        const linnet_block_class *type = instance->block.type;
        int balance_row[32];
        char from_outside[32] = {0};
        const int n = type->nports + type->nvars;
        CU_ASSERT_FATAL(n <= 32);
        for (int j = 0; j < 32; j++)
            balance_row[j] = -1;
        if (strcmp(instance->name, "D") == 0) {
            balance_row[0] = 7;
            CU_ASSERT_EQUAL(ln_choose_sides(type, balance_row, from_outside), 0);
            CU_ASSERT_EQUAL(from_outside[0], 0);
        } else if (strcmp(instance->name, "Q") == 0) {
            for (int j = 0; j < n; j++)
                balance_row[j] = 7;
            for (int j = 0; j < type->nports; j++)
                if (strcmp(type->ports[j].name, "e") == 0)
                    balance_row[j] = -1;
            CU_ASSERT(ln_choose_sides(type, balance_row, from_outside) > 0);
        }
    }
    done(&rig);
}

/* ---- starts ---- */

/* A start that may be left out is no condition where it is: the base begins 0.7 V above the
 * emitter, whose link the model gives, the collector where nothing says. Where it is given, too,
 * all follow each other, in any order of the blocks. */
static void starts_left_out(void) {
    static const struct {
        const char *body;
        double b, c;
    } cases[] = {
        {"<bjt id='Q' c='c' b='b' e='e' type='npn' vbe0='0.7'/>", 2.7, 0},
        {"<bjt id='Q' c='c' b='b' e='e' type='npn' vbe0='0.7' vce0='5'/>", 2.7, 7},
        {"<capacitor id='C' p='c' n='b' C='1 nF' v0='1'/><bjt id='Q' c='c' b='b' e='e' type='npn' "
         "vbe0='0.7'/>",
         2.7, 3.7},
        {"<bjt id='Q' c='c' b='b' e='e' type='npn' vce0='5'/><capacitor id='C' p='c' n='b' C='1 "
         "nF' v0='4'/>",
         3, 7}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char body[1000];
        snprintf(body, sizeof body,
                 "%s<start link='e' value='2 V' fixed='yes'/>" R("B", "b", "0") R("C9", "c", "0")
                     R("E", "e", "0"),
                 cases[k].body);
        bench rig = built("", body);
        double *x = LN_NEW(rig.arena, double, rig.system->n);
        CU_ASSERT_EQUAL(ln_system_start_values(rig.system, x, rig.report), LINNET_OK);
        CU_ASSERT_DOUBLE_EQUAL(x[called(rig.system, "e")], 2, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(x[called(rig.system, "b")], cases[k].b, 1e-15);
        CU_ASSERT_DOUBLE_EQUAL(x[called(rig.system, "c")], cases[k].c, 1e-15);
        done(&rig);
    }
}

/* ---- products ---- */

/* Rows of any length, and unknowns that are zero: by rows the bits are those of the columns. */
static void products(void) {
    enum { MOST = 40 };
    unsigned seed = 1;
    for (int n = 1; n <= MOST; n++) {
        double x[MOST], y[2][MOST];
        ln_triplets all = {0};
        ln_arena *arena = ln_arena_new();
        ln_matrix matrix = {.value = NULL};
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                if ((seed = seed * 1664525u + 1013904223u) >> 28 <= (unsigned)(i % 9))
                    CU_ASSERT(ln_triplets_add(&all, i, j, 1 / (1.0 + seed % 1000) - 0.3));
        CU_ASSERT_EQUAL_FATAL(ln_triplets_matrix(&all, n, 0, arena, &matrix), LINNET_OK);
        ln_matrix by_rows = matrix;
        CU_ASSERT_EQUAL_FATAL(ln_matrix_list_rows(&by_rows, arena), LINNET_OK);
        for (int i = 0; i < n; i++)
            x[i] = i % 5 == 3 ? 0 : sin(1 + i);
        const size_t bytes = (size_t)n * sizeof(double);
        ln_matrix_apply(&matrix, x, y[0]);
        ln_matrix_apply(&by_rows, x, y[1]);
        CU_ASSERT(memcmp(y[0], y[1], bytes) == 0);
        ln_matrix_add(&matrix, x, y[0]);
        ln_matrix_add(&by_rows, x, y[1]);
        CU_ASSERT(memcmp(y[0], y[1], bytes) == 0);
        ln_triplets_free(&all);
        ln_arena_free(arena);
    }
}

UNIT_MAIN({"starts left out", starts_left_out}, {"sides", sides},
          {"whichever link is first", any_first_link}, {"products", products},
          {"known ranks", known_ranks}, {"supernodes", supernodes},
          {"crossing devices", crossing_devices}, {"coupled coils", coupling},
          {"random networks", random_networks}, {"large parts", large_parts},
          {"amplifiers", amplifiers})
