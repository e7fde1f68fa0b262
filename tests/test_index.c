/* SPDX-License-Identifier: MIT */
/* The index of networks and mechanisms: against closed knowledge, and of random networks against
 * the shuffle algorithm [Luenberger, Automatica 14, 1978] in extended precision. */
#include "model/model.h"
#include "system/index.h"
#include "system_kit.h"

#define PORT(name) "<port name='" name "' domain='electrical'/>"
#define GYRATOR                                                                                    \
    "<block-type name='gyrator'>" PORT("p") PORT("q") "<parameter name='g' unit='S' default='1'/>" \
                                                      "<equation>p.i = g*q.v</equation>"           \
                                                      "<equation>q.i = -g*p.v</equation>"          \
                                                      "</block-type>"

/* At a point where no value is special. */
static linnet_status find(const bench *rig, ln_index *index) {
    ln_storage storage;
    double *x = malloc(((size_t)rig->system->n + 1) * sizeof *x);
    for (int i = 0; i < rig->system->n; i++)
        x[i] = 0.5 + 0.3 * sin(1 + i);
    const linnet_status evaluated = ln_system_eval(
        rig->system, &(ln_moment){ln_side_after(0, 1), x}, LN_LIMIT_OFF, NULL, NULL, NULL);
    free(x);
    CU_ASSERT_EQUAL_FATAL(evaluated, LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(ln_storage_split(rig->system, rig->arena, &storage), LINNET_OK);
    return ln_index_find(rig->system, &storage, NULL, rig->arena, index);
}

/* "name=2 other=1": the index of unknowns by name; `highest` of the system. */
static void check(const char *types, const char *elements, int highest, const char *unknowns) {
    bench rig = built(types, elements);
    ln_index index;
    CU_ASSERT_EQUAL(find(&rig, &index), LINNET_OK);
    if (index.highest != highest)
        printf("\n    index %d, not %d: %s\n", index.highest, highest, elements);
    CU_ASSERT_EQUAL(index.highest, highest);
    char list[512], *rest = list;
    snprintf(list, sizeof list, "%s", unknowns);
    for (char *one = strtok_r(list, " ", &rest); one != NULL; one = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(one, '=');
        int found = 0;
        *equals = '\0';
        for (int i = 0; i < rig.system->n; i++)
            if (strcmp(ln_network_unknown_name(rig.network, i), one) == 0)
                found = index.unknown[i];
        if (found != atoi(equals + 1))
            printf("\n    %s has index %d, not %s\n", one, found, equals + 1);
        CU_ASSERT_EQUAL(found, atoi(equals + 1));
    }
    done(&rig);
}

#define V(id, p, n) "<voltage-source id='" id "' p='" p "' n='" n "' V='1'/>"
#define I(id, p, n) "<current-source id='" id "' p='" p "' n='" n "' I='1'/>"
#define C(id, p, n) "<capacitor id='" id "' p='" p "' n='" n "' C='1'/>"
#define L(id, p, n) "<inductor id='" id "' p='" p "' n='" n "' L='1'/>"
#define R(id, p, n) "<resistor id='" id "' p='" p "' n='" n "' R='1'/>"

static void circuits(void) {
    check("", V("V", "a", "0") R("R", "a", "b") C("C", "b", "0"), 1, "a=1 b=1 V.p.i=1");
    /* a loop of source and capacitor, also across a floating part and through two sources */
    check("", V("V", "a", "0") C("C", "a", "0"), 2, "a=1 V.p.i=2");
    check("", V("V", "a", "b") C("C", "a", "b") R("R", "b", "0"), 2, "a=1 b=1 V.p.i=2");
    check("",
          V("V1", "a", "c") V("V2", "b", "d") C("C1", "a", "b") C("C2", "c", "d") R("R", "a", "0"),
          2, "a=1 b=1 V1.p.i=2 V2.p.i=2");
    /* a cutset of coils: at a node, and around a part of resistors */
    check("", I("I", "0", "a") L("L", "a", "0"), 2, "a=2");
    check("", V("V", "s", "0") L("L1", "s", "a") L("L2", "a", "b") R("R", "b", "0"), 2,
          "a=2 b=1 s=1");
    check("",
          V("V", "s", "0") L("L1", "s", "a") R("R1", "a", "c") R("R2", "a", "b") R("R3", "b", "c")
              L("L2", "c", "d") R("R4", "d", "0"),
          2, "a=2 b=2 c=2 d=1 L1.i=1");
    /* with a capacitor inside the part too */
    check("",
          V("V", "s", "0") L("L1", "s", "a") C("C1", "a", "b") R("R1", "a", "b") L("L2", "b", "0"),
          2, "a=2 b=2");
    /* floating capacitors alone are index 1 */
    check("",
          R("R1", "a", "0") C("C1", "a", "b") C("C2", "b", "c") C("C3", "a", "c") R("R2", "c", "0"),
          1, "a=1");
    /* a gyrator makes a cutset of the loop: the capacitor behind it is across a current source */
    check(GYRATOR, I("I", "0", "a") "<gyrator id='G' p='a' q='b'/>" C("C", "b", "0"), 2, "a=2 b=1");
}

#define UNKNOWN(name) "<variable name='" name "'/>"
#define EQ(text) "<equation>" text "</equation>"

/* Rows whose leading parts are dependent, with factors other than one: w = -1.5 cos t comes from
 * the first and the derivative of the second, x = v = -2 w' from the third and the derivative of
 * both. */
static void combinations(void) {
    check("<block-type name='F'>" UNKNOWN("x") UNKNOWN("y") UNKNOWN("w") UNKNOWN("v")
              EQ("3*der(x) + 3*der(y) + w = 0") EQ("2*x + 2*y = sin(t)") EQ("2*der(w) + v = 0")
                  EQ("v = x") "</block-type>",
          "<F id='f'/>", 3, "f.w=2 f.v=3 f.x=3 f.y=3");
}

static void mechanisms(void) {
    check("",
          "<inertia id='J1' p='a' J='1'/><gear id='G' p='a' n='b' ratio='3'/><inertia id='J2' "
          "p='b' J='1'/>",
          2, "a=1 b=1 G.p.tau=2");
    /* a pendulum: places 1, speeds 2, force 3 */
    check("<block-type name='pendulum'><state name='x'/><state name='y'/><state name='u'/><state "
          "name='v'/><variable name='s'/>"
          "<equation>der(x) = u</equation><equation>der(y) = v</equation>"
          "<equation>der(u) = -s*x</equation><equation>der(v) = -s*y - "
          "9.81</equation><equation>x*x + y*y = 1</equation></block-type>",
          "<pendulum id='p'/>", 3, "p.x=1 p.y=1 p.u=2 p.v=2 p.s=3");
    /* derivatives of a known signal, up to the third */
    check("<block-type name='chain'><variable name='a'/><variable name='b'/><variable "
          "name='c'/><variable name='d'/>"
          "<equation>a = sin(t)</equation><equation>b = der(a)</equation><equation>c = "
          "der(b)</equation><equation>d = der(c)</equation></block-type>",
          "<chain id='k'/>", 4, "k.a=1 k.b=2 k.c=3 k.d=4");
}

/* The problems of models/examples/stiff: what the literature says of them. */
static void stiff_problems(void) {
    static const struct {
        const char *name;
        int index;
    } problems[] = {{"robertson", 1},
                    {"robertson-dae", 1},
                    {"hires", 1},
                    {"van-der-pol", 1},
                    {"transistor-amplifier", 1},
                    {"chemical-akzo", 1},
                    {"car-axis", 3},
                    {"pleiades", 1},
                    {"beam", 1},
                    {"rlc-ringing", 1},
                    {"brusselator", 1},
                    {"diffusion", 1}};
    const char *srcdir = getenv("srcdir");
    for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
        char path[512];
        ln_index index;
        bench rig = {.report = ln_report_new(hear, NULL), .arena = ln_arena_new()};
        snprintf(path, sizeof path, "%s/models/examples/stiff/%s.xml",
                 srcdir != NULL ? srcdir : ".", problems[k].name);
        CU_ASSERT_FATAL(build_read(ln_model_read(path, NULL, rig.report, &rig.model), &rig));
        CU_ASSERT_EQUAL(find(&rig, &index), LINNET_OK);
        if (index.highest != problems[k].index)
            printf("\n    %s: index %d, not %d\n", problems[k].name, index.highest,
                   problems[k].index);
        CU_ASSERT_EQUAL(index.highest, problems[k].index);
        done(&rig);
    }
}

/* ---- random networks ---- */

enum { SINGULAR = 100 };

/* Index of E x' + A x: how often rows without derivative are differentiated until E is regular. */
static int shuffle(const bench *rig) {
    const int n = rig->system->n;
    long double *E = dense(&rig->system->E), *A = dense(&rig->system->A);
    int index = 0, rank;
    long double *pencil = dense(&rig->system->E);
    for (int k = 0; k < n * n; k++)
        pencil[k] = 0.7L * pencil[k] + A[k];
    if (eliminate(pencil, NULL, n) < n)
        index = SINGULAR;
    free(pencil);
    while (index < SINGULAR && (rank = eliminate(E, A, n)) < n) {
        index++;
        for (int i = rank; i < n; i++)
            for (int j = 0; j < n; j++) {
                E[i * n + j] = A[i * n + j];
                A[i * n + j] = 0;
            }
    }
    free(E);
    free(A);
    return index;
}

static int add_random(char *text, size_t room, int nodes, int id) {
    static const char *const kinds[] = {"<resistor id='X%d' p='%s' n='%s' R='%.3g'/>",
                                        "<capacitor id='X%d' p='%s' n='%s' C='%.3g'/>",
                                        "<inductor id='X%d' p='%s' n='%s' L='%.3g'/>",
                                        "<voltage-source id='X%d' p='%s' n='%s' V='%.3g'/>",
                                        "<current-source id='X%d' p='%s' n='%s' I='%.3g'/>",
                                        "<gyrator id='X%d' p='%s' q='%s' g='%.3g'/>",
                                        "<capacitor id='X%d' p='%s' n='%s' C='%.3g'/>",
                                        "<inductor id='X%d' p='%s' n='%s' L='%.3g'/>"};
    char p[8], n[8] = "0";
    const int a = 1 + rand() % nodes, b = rand() % (nodes + 1);
    if (a == b)
        return 0;
    snprintf(p, sizeof p, "n%d", a);
    if (b > 0)
        snprintf(n, sizeof n, "n%d", b);
    return snprintf(text, room, kinds[rand() % 8], id, p, n, 1 + 8.0 * rand() / RAND_MAX);
}

static void random_networks(void) {
    int compared = 0, higher = 0;
    srand(5);
    for (int round = 0; round < 1000; round++) {
        char text[4096] = "";
        bench rig;
        ln_index index;
        const int nodes = 2 + rand() % 6, elements = nodes + rand() % 8;
        size_t at = 0;
        for (int k = 0; k < elements; k++)
            at += (size_t)add_random(text + at, sizeof text - at, nodes, k);
        if (!build(GYRATOR, text, &rig))
            continue;
        const int reference = shuffle(&rig);
        const linnet_status status = find(&rig, &index);
        if (reference < SINGULAR) {
            const int wrong =
                status != LINNET_OK || index.highest != (reference > 1 ? reference : 1);
            if (wrong)
                printf("\n    index %d (status %d), not %d: %s\n", index.highest, (int)status,
                       reference, text);
            CU_ASSERT(!wrong);
            higher += reference > 1;
        } else {
            CU_ASSERT_EQUAL(status, LINNET_RETRY);
        }
        compared++;
        done(&rig);
    }
    CU_ASSERT(compared > 500);
    CU_ASSERT(higher > 100);
    printf("%d networks, %d of index 2 and more ", compared, higher);
}

/* ---- large networks ---- */

static ln_index index_of(int n, const char *repeated) {
    char text[1000];
    snprintf(text, sizeof text,
             "<voltage-source id='V' p='a[1]' n='0' V='1'/><repeat index='k' from='1' "
             "to='%d'>%s</repeat>",
             n, repeated);
    bench rig = built("", text);
    ln_index index;
    CU_ASSERT_EQUAL(find(&rig, &index), LINNET_OK);
    CU_ASSERT_EQUAL(index.highest, 2);
    done(&rig);
    return index;
}

/* Ladders of coils in series and of sources across capacitors: each round goes through all entries
 * once, and a ladder ten times as long takes no more of them, and factors no larger a block. */
static void large(void) {
    static const char *const ladders[] = {
        "<inductor id='L[k]' p='a[k]' n='b[k]' L='1'/><inductor id='M[k]' p='b[k]' n='a[k+1]' "
        "L='1'/><resistor id='R[k]' p='a[k+1]' n='0' R='1'/>",
        "<resistor id='R[k]' p='a[k]' n='a[k+1]' R='1'/><capacitor id='C[k]' p='a[k+1]' n='b[k]' "
        "C='1'/><voltage-source id='W[k]' p='a[k+1]' n='b[k]' V='1'/><resistor id='S[k]' p='b[k]' "
        "n='0' R='1'/>",
        "<inductor id='L[k]' p='a[k]' n='a[k+1]' L='1'/>"};
    for (size_t k = 0; k < 3; k++) {
        const ln_index small = index_of(1000, ladders[k]), big = index_of(10000, ladders[k]);
        if (big.rounds > small.rounds || big.dense > small.dense)
            printf("\n    ladder %zu: %d and %d rounds, blocks of %d and %d rows\n", k,
                   small.rounds, big.rounds, small.dense, big.dense);
        CU_ASSERT(big.rounds <= small.rounds);
        CU_ASSERT(big.dense <= small.dense);
    }
}

UNIT_MAIN({"combinations", combinations}, {"circuits", circuits}, {"mechanisms", mechanisms},
          {"stiff problems", stiff_problems}, {"random networks", random_networks},
          {"large networks", large})
