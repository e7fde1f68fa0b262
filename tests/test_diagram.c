/* SPDX-License-Identifier: MIT */
/* The diagram compiler: models as text become an ode, whose rates and unknowns are compared with
 * formulas by hand. */
#include "base/sys.h"
#include "base/text.h"
#include "model/model.h"
#include "system/ode.h"
#include "unit.h"

/* ---- from text to ode ---- */

typedef struct built {
    ln_report *report;
    ln_model *model;
    ln_network *network;
    ln_ode *ode;
    linnet_status status;
    double *x, *z, *dz;
    double *memory;
} built;

static built build(const char *blocks) {
    built b = {.report = ln_report_new(NULL, NULL)};
    ln_text text = {0};
    ln_text_printf(&text,
                   "<model xmlns='urn:linnet:model:1'>\n%s\n<simulation duration='1'/></model>",
                   blocks);
    b.status = ln_model_read_memory("d.xml", text.data, text.length, NULL, b.report, &b.model);
    if (b.status == LINNET_OK)
        b.status = ln_network_build(NULL, b.model, NULL, 0, b.report, &b.network);
    CU_ASSERT_EQUAL(b.status, LINNET_OK);
    if (b.status != LINNET_OK)
        printf("\n%s\n", ln_report_errors(b.report) > 0 ? ln_report_text(b.report, 0) : "?");
    if (b.status == LINNET_OK)
        b.status = ln_diagram_new(b.network, b.report, &b.ode);
    if (b.network != NULL) {
        size_t bytes = ((size_t)b.network->n + 1) * sizeof(double);
        b.x = ln_sys->allocate(bytes);
        b.z = ln_sys->allocate(bytes);
        b.dz = ln_sys->allocate(bytes);
        memset(b.x, 0, bytes);
        memset(b.z, 0, bytes);
    }
    if (b.ode != NULL) {
        b.memory = ln_sys->allocate(((size_t)b.network->nmemories + 1) * sizeof(double));
        memset(b.memory, 0, ((size_t)b.network->nmemories + 1) * sizeof(double));
        b.ode->memory = b.memory;
    }
    ln_text_free(&text);
    return b;
}

static void drop(built *b) {
    if (b->ode != NULL)
        b->ode->free(b->ode);
    ln_network_free(b->network);
    ln_model_free(b->model);
    ln_report_free(b->report);
    ln_sys->release(b->x);
    ln_sys->release(b->z);
    ln_sys->release(b->dz);
    ln_sys->release(b->memory);
}

static int number(const built *b, const char *name) {
    ln_quantity quantity;
    const char *nearest;
    int found =
        ln_network_find(b->network, name, &quantity, &nearest) && quantity.kind == LN_Q_UNKNOWN;
    if (!found)
        printf("\nno unknown %s\n", name);
    CU_ASSERT_FATAL(found);
    return quantity.index;
}

static double value(const built *b, const char *name) {
    return b->x[number(b, name)];
}

/* The place of a state among the states. */
static int state(const built *b, const char *wanted) {
    for (int k = 0; k < b->ode->n; k++)
        if (strcmp(ln_network_unknown_name(b->network, b->ode->unknown[k]), wanted) == 0)
            return k;
    printf("\nno state %s\n", wanted);
    CU_ASSERT_FATAL(0);
    return -1;
}

/* Decides the modes of every block at (t, x). */
static void decide_modes(built *b, double t) {
    for (int k = 0; k < b->network->ninstances; k++) {
        const ln_instance *instance = &b->network->instances[k];
        const linnet_block_class *type = instance->block.type;
        double x[64], work[4096], *m = b->memory + instance->first_memory;
        char message[256];
        if (type->nmodes == 0)
            continue;
        CU_ASSERT_FATAL(type->nports + type->nvars <= 64 && type->nwork <= 4096);
        for (int j = 0; j < type->nports; j++)
            x[j] = instance->links[j] < 0 ? 0 : b->x[b->network->links[instance->links[j]].unknown];
        for (int j = 0; j < type->nvars; j++)
            x[type->nports + j] = b->x[instance->first_own + j];
        const linnet_block block = {type, instance->block.p, work};
        CU_ASSERT_EQUAL(type->prepare(&block, message), LINNET_OK);
        type->modes(&block, &(linnet_point){t, t, x, m}, m + type->nmemories - type->nmodes);
    }
}

/* Modes first: each look at all unknowns settles at least one more block on the way of the signals.
 */
static linnet_status unknowns(built *b, double t) {
    for (int pass = 0; pass < 8 && b->network->nmemories > 0; pass++) {
        LN_TRY(b->ode->unknowns(b->ode, &(ln_side){t, t, LN_MODES_FROZEN}, b->z, b->x));
        decide_modes(b, t);
    }
    return b->ode->unknowns(b->ode, &(ln_side){t, t, LN_MODES_FROZEN}, b->z, b->x);
}
static linnet_status rates(built *b, double t) {
    if (b->network->nmemories > 0)
        (void)unknowns(b, t);
    return b->ode->rates(b->ode, &(ln_side){t, t, LN_MODES_FROZEN}, b->z, b->dz);
}

static const char *message(const built *b) {
    return ln_report_errors(b->report) == 1 ? ln_report_text(b->report, 0) : "";
}

/* ---- straight diagrams ---- */

static void signals_follow_each_other(void) {
    built b = build("<gain id='g' in='a' out='c' k='2.5'/><product id='p' in='u v' out='a'/>"
                    "<constant id='k1' out='u' value='3'/><constant id='k2' out='v' value='4'/>"
                    "<sum id='s' in='c u' signs='+-' out='y'/>"
                    "<function id='f' in='y' out='w' expression='sqrt(u - 2)'/>");
    CU_ASSERT_EQUAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(b.ode->n, 0);
    CU_ASSERT_EQUAL(unknowns(&b, 0.0), LINNET_OK);
    CU_ASSERT_EQUAL(value(&b, "c"), 30.0);
    CU_ASSERT_EQUAL(value(&b, "y"), 27.0);
    CU_ASSERT_EQUAL(value(&b, "w"), 5.0);
    drop(&b);
}

/* A control loop: PID with filtered derivative, second-order plant, step at 0.5. */
static const char control_loop[] =
    "<step id='set' out='r' delay='0.5'/><sum id='error' in='r y' signs='+-' out='e'/>"
    "<pid id='c' in='e' out='u' kp='3' ki='2' kd='0.5' Tf='0.1' kb='0'/>"
    "<second-order id='plant' in='u' out='y' w='2' d='0.25' k='1.5'/>";

static void rates_of_a_control_loop(void) {
    built b = build(control_loop);
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(b.ode->n, 4);
    CU_ASSERT_EQUAL(b.ode->loops, 0);
    const int y = state(&b, "plant.y"), dy = state(&b, "plant.dy"), i = state(&b, "c.i"),
              x = state(&b, "c.x");
    b.z[y] = 0.7, b.z[dy] = -0.4, b.z[i] = 0.3, b.z[x] = 0.2;
    for (int side = 0; side < 2; side++) {
        double r = side, e = r - 0.7, u = 3 * e + 0.3 + 0.5 * (e - 0.2) / 0.1;
        CU_ASSERT_EQUAL(
            b.ode->rates(b.ode, &(ln_side){0.5, side ? 0.6 : 0.4, LN_MODES_FROZEN}, b.z, b.dz),
            LINNET_OK);
        CHECK_CLOSE(b.dz[y], -0.4, 1e-15);
        CHECK_CLOSE(b.dz[dy], 2 * (2 * (1.5 * u - 0.7) - 2 * 0.25 * -0.4), 1e-14);
        CHECK_CLOSE(b.dz[i], 2 * e, 1e-15);
        CHECK_CLOSE(b.dz[x], (e - 0.2) / 0.1, 1e-15);
        CU_ASSERT_EQUAL(
            b.ode->unknowns(b.ode, &(ln_side){0.5, side ? 0.6 : 0.4, LN_MODES_FROZEN}, b.z, b.x),
            LINNET_OK);
        CHECK_CLOSE(value(&b, "r"), r, 0);
        CHECK_CLOSE(value(&b, "u"), u, 1e-15);
        CHECK_CLOSE(value(&b, "y"), 0.7, 0);
        CHECK_CLOSE(value(&b, "plant.dy"), -0.4, 0);
    }
    /* states of unknowns is the inverse of unknowns of states */
    double back[4];
    b.ode->states(b.ode, b.x, back);
    for (int k = 0; k < 4; k++)
        CU_ASSERT_EQUAL(back[k], b.z[k]);
    drop(&b);
}

/* An integrator without limits lets any rate pass; one with limits comes to rest there. */
static void rates_of_integrators(void) {
    built b =
        build("<constant id='c' out='u' value='-3e250'/><integrator id='a' in='u' out='y' k='2'/>"
              "<integrator id='b' in='u' out='z' min='-1' max='4'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    const int y = state(&b, "a.y"), z = state(&b, "b.y");
    b.z[z] = 3.0;
    CU_ASSERT_EQUAL(rates(&b, 0.0), LINNET_OK);
    CU_ASSERT_EQUAL(b.dz[y], -6e250);
    CU_ASSERT_EQUAL(b.dz[z], -3e250);
    b.z[z] = -1.0;
    /* the limit it has come to, the first memory of the only block that has any */
    b.memory[0] = -1;
    CU_ASSERT_EQUAL(rates(&b, 0.0), LINNET_OK);
    CU_ASSERT_EQUAL(b.dz[z], 0.0);
    drop(&b);
}

static const char *const pieces[] = {
    "<sine id='source' out='w' frequency='0.3'/>",
    "<sum id='s1' in='w y a' signs='+-+' out='e'/>",
    "<gain id='g1' in='e' out='a' k='0.4'/>",
    "<first-order id='f1' in='e' out='v' T='0.7'/>",
    "<function id='h' in='v b' out='b' expression='0.3*cos(u1 + u2)'/>",
    "<integrator id='i1' in='b' out='y'/>",
    "<product id='p1' in='y v w' out='q'/>",
};
enum { PIECES = sizeof pieces / sizeof *pieces };

/* What a derivative is part of itself is no expression of states: said, with what to do. */
static void derivative_of_itself(void) {
    built b =
        build("<sine id='s' out='u' frequency='0.5'/><exact-derivative id='d' in='y' out='r'/>"
              "<complementary-filter id='f' in='u' rate='r' out='y' T='2 s'/>");
    CU_ASSERT_EQUAL(b.status, LINNET_MODEL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ln_report_text(b.report, 0));
    CU_ASSERT(strstr(ln_report_text(b.report, 0),
                     "cannot compute r: what it derives moves by it") != NULL);
    drop(&b);
}

/* Results do not depend on the order of blocks in the file, bit by bit - loops included. */
static void order_of_blocks_means_nothing(void) {
    double first[64], first_rates[8];
    for (int turn = 0; turn < PIECES; turn++) {
        ln_text text = {0};
        for (int k = 0; k < PIECES; k++)
            ln_text_add(&text, pieces[(k * 3 + turn) % PIECES]);
        built b = build(text.data);
        CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
        CU_ASSERT_EQUAL(b.ode->loops, 1);
        b.z[state(&b, "f1.y")] = 0.31;
        b.z[1 - state(&b, "f1.y")] = -0.17;
        CU_ASSERT_EQUAL(unknowns(&b, 0.4), LINNET_OK);
        CU_ASSERT_EQUAL(rates(&b, 0.4), LINNET_OK);
        size_t bytes = (size_t)b.network->n * sizeof(double),
               rate_bytes = (size_t)b.ode->n * sizeof(double);
        if (turn == 0) {
            memcpy(first, b.x, bytes);
            memcpy(first_rates, b.dz, rate_bytes);
        }
        CU_ASSERT(memcmp(first, b.x, bytes) == 0);
        CU_ASSERT(memcmp(first_rates, b.dz, rate_bytes) == 0);
        double e = value(&b, "e"), bb = value(&b, "b");
        CHECK_CLOSE(e, sin(2 * 3.14159265358979323846 * 0.3 * 0.4) + 0.17 + 0.4 * e, 1e-14);
        CHECK_CLOSE(bb, 0.3 * cos(0.31 + bb), 1e-14);
        drop(&b);
        ln_text_free(&text);
    }
}

/* Two tables are two, and their jumps are decided by `decide`. */
static void tables_keep_their_points(void) {
    built b = build(
        "<piecewise-linear id='ta' out='a' points='0 0; 1 2; 1 5; 2 6'/>"
        "<piecewise-linear id='tb' out='b' points='0 10; 4 50'/><sum id='s' in='a b' out='c'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(unknowns(&b, 0.5), LINNET_OK);
    CHECK_CLOSE(value(&b, "a"), 1.0, 1e-15);
    CHECK_CLOSE(value(&b, "b"), 15.0, 1e-15);
    CU_ASSERT_EQUAL(b.ode->unknowns(b.ode, &(ln_side){1.0, 0.9, LN_MODES_FROZEN}, b.z, b.x),
                    LINNET_OK);
    CHECK_CLOSE(value(&b, "c"), 22.0, 1e-15);
    CU_ASSERT_EQUAL(b.ode->unknowns(b.ode, &(ln_side){1.0, 1.1, LN_MODES_FROZEN}, b.z, b.x),
                    LINNET_OK);
    CHECK_CLOSE(value(&b, "c"), 25.0, 1e-15);
    drop(&b);
}

/* A long chain: no recursion, no quadratic work. */
static void a_long_chain(void) {
    enum { LENGTH = 20000 };
    ln_text text = {0};
    ln_text_add(&text, "<step id='s' out='x0'/>");
    for (int k = 0; k < LENGTH; k++)
        ln_text_printf(&text, "<%s id='b%d' in='x%d' out='x%d' %s/>",
                       k % 2 ? "first-order" : "gain", k, k, k + 1, k % 2 ? "T='2'" : "k='3'");
    built b = build(text.data);
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(b.ode->n, LENGTH / 2);
    CU_ASSERT_EQUAL(rates(&b, 1.0), LINNET_OK);
    CHECK_CLOSE(b.dz[state(&b, "b1.y")], 1.5, 1e-15);
    CHECK_CLOSE(b.dz[state(&b, "b19999.y")], 0.0, 1e-15);
    drop(&b);
    ln_text_free(&text);
}

/* ---- algebraic loops ---- */

/* x = 1 + g x (Vibesim's cases V1 and V2): exact for every gain but one. */
static void linear_loops_are_solved_at_once(void) {
    const double gains[] = {-1, 0.3, 0.48, 0.5, -0.5, 0.9, -0.9, 0.999999, 3, -250};
    for (size_t k = 0; k < sizeof gains / sizeof *gains; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "<constant id='c' out='u' value='1'/><sum id='s' in='u f' out='x'/>"
                 "<gain id='g' in='x' out='f' k='%.17g'/>",
                 gains[k]);
        built b = build(text);
        CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
        CU_ASSERT_EQUAL(b.ode->loops, 0);
        CU_ASSERT_EQUAL(unknowns(&b, 0.0), LINNET_OK);
        CHECK_CLOSE(value(&b, "x"), 1 / (1 - gains[k]), 4e-16);
        CHECK_CLOSE(value(&b, "f"), gains[k] / (1 - gains[k]), 1e-15);
        drop(&b);
    }
}

static void a_gain_of_one_is_refused(void) {
    built b =
        build("<constant id='c' out='u' value='1'/>\n<sum id='s' in='u h' out='x'/>\n"
              "<gain id='g' in='x' out='f' k='4'/>\n<gain id='half' in='f' out='h' k='0.25'/>");
    CU_ASSERT_EQUAL(b.status, LINNET_MODEL);
    CU_ASSERT_PTR_NULL(b.ode);
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&b), "exactly one"));
    int in_order = strstr(message(&b), "loop s -> g -> half -> s ") != NULL ||
                   strstr(message(&b), "loop g -> half -> s -> g ") != NULL ||
                   strstr(message(&b), "loop half -> s -> g -> half ") != NULL;
    if (!in_order)
        printf("\n%s\n", message(&b));
    CU_ASSERT(in_order);
    CU_ASSERT(strncmp(message(&b), "d.xml:", 6) == 0);
    drop(&b);
}

/* Three loops that share signals, with states and time on the outside, against Cramer's rule:
 * a = t - 2b + z, b = 3a + 0.5c - 1, c = b - 4a. */
static void coupled_linear_loops(void) {
    built b =
        build("<function id='t' out='t1' expression='t'/><integrator id='i' in='c' out='z'/>"
              "<gain id='g1' in='b' out='b2' k='2'/><sum id='s1' in='t1 b2 z' signs='+-+' out='a'/>"
              "<function id='f2' in='a c' out='b' expression='3*u1 + 0.5*u2 - 1'/>"
              "<gain id='g3' in='a' out='a4' k='4'/><sum id='s3' in='b a4' signs='+-' out='c'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(b.ode->loops, 0);
    b.z[0] = 0.3;
    CU_ASSERT_EQUAL(unknowns(&b, 2.0), LINNET_OK);
    double a = (2.3 + 4) / 5; /* b = 3a + b/2 - 2a - 1, so b = 2a - 2 */
    CHECK_CLOSE(value(&b, "a"), a, 1e-15);
    CHECK_CLOSE(value(&b, "b"), 2 * a - 2, 1e-15);
    CHECK_CLOSE(value(&b, "c"), -2 * a - 2, 1e-15);
    CU_ASSERT_EQUAL(rates(&b, 2.0), LINNET_OK);
    CHECK_CLOSE(b.dz[0], -2 * a - 2, 1e-15);
    drop(&b);
}

/* n unknowns that all need each other, x_i = 1 + sum over the others of 0.01 x_j, so x_i = 1/(1 -
 * 0.01 (n - 1)): below and beyond what is eliminated symbolically. */
static void large_linear_loops(void) {
    for (int n = 12; n <= 90; n += 78) {
        ln_text text = {0};
        ln_text_add(&text, "<constant id='c' out='u' value='1'/>");
        for (int i = 0; i < n; i++) {
            ln_text_printf(&text, "<gain id='g%d' in='x%d' out='f%d' k='0.01'/>", i, i, i);
            ln_text_printf(&text, "<sum id='s%d' out='x%d' in='u", i, i);
            for (int j = 0; j < n; j++)
                if (j != i)
                    ln_text_printf(&text, " f%d", j);
            ln_text_add(&text, "'/>");
        }
        built b = build(text.data);
        CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
        CU_ASSERT_EQUAL(b.ode->loops, n > 64);
        CU_ASSERT_EQUAL(unknowns(&b, 0.0), LINNET_OK);
        CHECK_CLOSE(value(&b, "x0"), 1 / (1 - 0.01 * (n - 1)), 1e-14);
        CHECK_CLOSE(value(&b, "x11"), 1 / (1 - 0.01 * (n - 1)), 1e-14);
        CHECK_CLOSE(value(&b, "f5"), 0.01 / (1 - 0.01 * (n - 1)), 1e-14);
        drop(&b);
        ln_text_free(&text);
    }
}

/* Two loops through each other: x = 0.5 sin(y) + z, y = cos(x y) - x. */
static void coupled_nonlinear_loops(void) {
    built b = build("<integrator id='i' in='x' out='z'/>"
                    "<function id='f' in='y z' out='x' expression='0.5*sin(u1) + u2'/>"
                    "<function id='g' in='x y' out='y' expression='cos(u1*u2) - u1'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    for (int k = 0; k < 5; k++) {
        b.z[0] = -0.4 + 0.2 * k;
        CU_ASSERT_EQUAL(unknowns(&b, 0.0), LINNET_OK);
        double x = value(&b, "x"), y = value(&b, "y");
        CHECK_CLOSE(x, 0.5 * sin(y) + b.z[0], 1e-14);
        CHECK_CLOSE(y, cos(x * y) - x, 1e-14);
    }
    drop(&b);
}

/* y = cos y at 0.739085133215160641655312087674 (the Dottie number). */
static void a_nonlinear_loop_converges(void) {
    built b = build(
        "<function id='f' in='y' out='c' expression='cos(u)'/><gain id='g' in='c' out='y' k='1'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(b.ode->loops, 1);
    CU_ASSERT_EQUAL(unknowns(&b, 0.0), LINNET_OK);
    CHECK_CLOSE(value(&b, "y"), 0.73908513321516064, 1e-15);
    /* the last solution is the next guess */
    long before = b.ode->loop_iterations;
    CU_ASSERT_EQUAL(unknowns(&b, 0.0), LINNET_OK);
    CU_ASSERT(b.ode->loop_iterations - before <= 1);
    drop(&b);
}

/* Two equations, neither of which is solved for an unknown by the text: x y = 6, x + y^3 = 11 at
 * (3, 2), from the guess that states() is given. */
static const char product_and_cube[] =
    "<block-type name='puzzle'><input name='a'/><output name='x'/><output name='y'/>"
    "<equation>x*y = 2*a</equation><equation>x + y^3 = 11</equation></block-type>"
    "<constant id='c' out='a' value='3'/><puzzle id='p' a='a' x='x' y='y'/>";

static void implicit_equations(void) {
    built b = build(product_and_cube);
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(b.ode->loops, 1);
    b.x[number(&b, "x")] = 2.5;
    b.x[number(&b, "y")] = 2.5;
    b.ode->states(b.ode, b.x, b.z);
    CU_ASSERT_EQUAL(unknowns(&b, 0.0), LINNET_OK);
    CHECK_CLOSE(value(&b, "x"), 3.0, 1e-14);
    CHECK_CLOSE(value(&b, "y"), 2.0, 1e-14);
    drop(&b);
}

/* Newton alone would leave 2 - 3 atan(x) for ever from far away; the line search brings it back.
 * Root tan(2/3). */
static void a_loop_that_needs_damping(void) {
    built b = build("<function id='f' in='x' out='g' expression='u + 2 - 3*atan(u)'/>"
                    "<gain id='k' in='g' out='x' k='1'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    b.x[number(&b, "x")] = b.x[number(&b, "g")] = 50.0;
    b.ode->states(b.ode, b.x, b.z);
    CU_ASSERT_EQUAL(unknowns(&b, 0.0), LINNET_OK);
    CHECK_CLOSE(value(&b, "x"), tan(2.0 / 3.0), 1e-14);
    drop(&b);
}

/* A coefficient that varies with a state makes a linear loop that is solved in one step: x = 1 + z
 * x. */
static void a_loop_linear_in_its_unknown(void) {
    built b = build("<integrator id='i' in='x' out='z'/><constant id='c' out='u' value='1'/>"
                    "<product id='p' in='z x' out='q'/><sum id='s' in='u q' out='x'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(b.ode->loops, 1);
    for (int k = 0; k < 3; k++) {
        b.z[0] = -1.0 + 0.75 * k;
        long before = b.ode->loop_iterations;
        CU_ASSERT_EQUAL(rates(&b, 0.0), LINNET_OK);
        CHECK_CLOSE(b.dz[0], 1 / (1 - b.z[0]), 1e-15);
        CU_ASSERT_EQUAL(b.ode->loop_iterations - before, 1);
    }
    b.z[0] = 1.0;
    CU_ASSERT_EQUAL(rates(&b, 7.0), LINNET_RETRY);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.ode->blame, "gain of exactly one"));
    CU_ASSERT_PTR_NOT_NULL(strstr(b.ode->blame, "t = 7 s"));
    drop(&b);
}

/* A loop behind another, and one that only an output needs. */
static void loops_in_order(void) {
    built b = build("<function id='f' in='y z' out='c' expression='cos(u1) + u2'/><gain id='g' "
                    "in='c' out='y' k='1'/>"
                    "<function id='h' in='y w' out='d' expression='0.5*sin(u2) + u1'/>"
                    "<gain id='k' in='d' out='w' k='1'/>"
                    "<integrator id='i' in='w' out='z'/>"
                    "<function id='m' in='y o' out='n' expression='u1 - 0.1*exp(u2)'/>"
                    "<gain id='q' in='n' out='o' k='1'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(b.ode->loops, 3);
    b.z[0] = 0.2;
    CU_ASSERT_EQUAL(rates(&b, 0.0), LINNET_OK);
    long two = b.ode->loop_iterations;
    double w = b.dz[0];
    CU_ASSERT_EQUAL(unknowns(&b, 0.0), LINNET_OK);
    CU_ASSERT(b.ode->loop_iterations > two);
    double y = value(&b, "y"), o = value(&b, "o");
    CHECK_CLOSE(y, cos(y) + 0.2, 1e-15);
    CHECK_CLOSE(w, 0.5 * sin(w) + y, 1e-15);
    CHECK_CLOSE(o, y - 0.1 * exp(o), 1e-15);
    drop(&b);
}

/* ---- what fails, and how it is told ---- */

static void no_solution_is_told(void) {
    built b = build("<function id='f' in='x t' out='g' expression='u1 + u1^2 + 1'/><gain id='k' "
                    "in='g' out='x' k='1'/>"
                    "<constant id='c' out='t' value='0'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    CU_ASSERT_EQUAL(unknowns(&b, 0.25), LINNET_RETRY);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.ode->blame, "the algebraic loop "));
    CU_ASSERT_PTR_NOT_NULL(strstr(b.ode->blame, "f -> "));
    CU_ASSERT_PTR_NOT_NULL(strstr(b.ode->blame, "at t = 0.25 s"));
    CU_ASSERT_EQUAL(b.ode->blame_place.line, 2);
    drop(&b);
}

static void a_rate_that_is_not_finite_is_named(void) {
    built b =
        build("<constant id='c' out='u' value='1'/>\n<division id='d' in='u' by='z' out='q'/>\n"
              "<integrator id='plant' in='q' out='z'/>");
    CU_ASSERT_EQUAL_FATAL(b.status, LINNET_OK);
    b.z[0] = 2.0;
    CU_ASSERT_EQUAL(rates(&b, 0.0), LINNET_OK);
    CHECK_CLOSE(b.dz[0], 0.5, 0);
    b.z[0] = 0.0;
    CU_ASSERT_EQUAL(rates(&b, 1.5), LINNET_RETRY);
    /* it makes the rate infinite */
    CHECK_TEXT(b.ode->blame, "d (division): q is not finite at t = 1.5 s: 1 / 0");
    CU_ASSERT_EQUAL(b.ode->blame_place.line, 3);
    CU_ASSERT_EQUAL(unknowns(&b, 1.5), LINNET_RETRY);
    CU_ASSERT_PTR_NOT_NULL(strstr(b.ode->blame, "q is not finite at t = 1.5 s: 1 / 0"));
    drop(&b);
}

/* Masses that couple, and a derivative of a signal, are for the split. */
static void what_is_not_causal_is_left_to_others(void) {
    built b = build(
        "<block-type name='couple'><input name='u'/><state name='a'/><state name='b'/>"
        "<equation>der(a) + 0.5*der(b) = u</equation><equation>0.5*der(a) + der(b) = 0</equation>"
        "</block-type><step id='s' out='u'/><couple id='c' u='u'/>");
    CU_ASSERT_EQUAL(b.status, LINNET_USAGE);
    CU_ASSERT_EQUAL(ln_report_errors(b.report), 0);
    drop(&b);
    b = build("<ground id='g' p='0'/><resistor id='R' p='a' n='0' R='1'/><voltage-source id='V' "
              "p='a' n='0' V='1'/>");
    CU_ASSERT_EQUAL(b.status, LINNET_USAGE);
    CU_ASSERT_EQUAL(ln_report_errors(b.report), 0);
    drop(&b);
}

/* A constraint on a state leaves the signal that enforces it undetermined: index 2. */
static void a_constraint_on_states_is_refused(void) {
    built b =
        build("<block-type name='track'><input name='want'/><output name='force'/><state name='x'/>"
              "<equation>der(x) = force</equation><equation>x = want</equation></block-type>"
              "<sine id='source' out='w' frequency='1'/><track id='tr' want='w' force='f'/>");
    CU_ASSERT_EQUAL(b.status, LINNET_MODEL);
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&b), "an explicit method cannot compute"));
    CU_ASSERT_PTR_NOT_NULL(strstr(message(&b), "use an implicit method"));
    drop(&b);
}

/* ---- memory ---- */

static long countdown; /* successful requests left */
static void *short_allocate(size_t bytes) {
    return countdown-- > 0 ? ln_sys_real.allocate(bytes) : NULL;
}
static void *short_resize(void *block, size_t bytes) {
    return countdown-- > 0 ? ln_sys_real.resize(block, bytes) : NULL;
}

/* Every request that can fail fails once; each time it is told, and nothing is lost (the sanitizers
 * look). */
static void short_memory_is_told(void) {
    ln_text text = {0};
    for (int k = 0; k < PIECES; k++)
        ln_text_add(&text, pieces[k]);
    built b = build(text.data);
    ln_sys_table table = ln_sys_real;
    table.allocate = short_allocate;
    table.resize = short_resize;
    linnet_status status = LINNET_MEMORY;
    int failures = 0;
    for (; status != LINNET_OK && failures < 2000; failures++) {
        ln_ode *ode = NULL;
        ln_sys = &table;
        countdown = failures;
        status = ln_diagram_new(b.network, NULL, &ode);
        ln_sys = &ln_sys_real;
        CU_ASSERT(status == LINNET_OK || status == LINNET_MEMORY);
        CU_ASSERT((ode != NULL) == (status == LINNET_OK));
        if (ode != NULL)
            ode->free(ode);
    }
    CU_ASSERT(failures > 20 && failures < 2000);
    drop(&b);
    ln_text_free(&text);
}

UNIT_MAIN({"derivative of itself", derivative_of_itself},
          {"signals follow each other", signals_follow_each_other},
          {"rates of a control loop", rates_of_a_control_loop},
          {"rates of integrators", rates_of_integrators},
          {"order of blocks means nothing", order_of_blocks_means_nothing},
          {"tables keep their points", tables_keep_their_points}, {"a long chain", a_long_chain},
          {"linear loops are solved at once", linear_loops_are_solved_at_once},
          {"a gain of one is refused", a_gain_of_one_is_refused},
          {"coupled linear loops", coupled_linear_loops},
          {"large linear loops", large_linear_loops},
          {"coupled nonlinear loops", coupled_nonlinear_loops},
          {"a nonlinear loop converges", a_nonlinear_loop_converges},
          {"implicit equations", implicit_equations},
          {"a loop that needs damping", a_loop_that_needs_damping},
          {"a loop linear in its unknown", a_loop_linear_in_its_unknown},
          {"loops in order", loops_in_order}, {"no solution is told", no_solution_is_told},
          {"a rate that is not finite is named", a_rate_that_is_not_finite_is_named},
          {"what is not causal is left to others", what_is_not_causal_is_left_to_others},
          {"a constraint on states is refused", a_constraint_on_states_is_refused},
          {"short memory is told", short_memory_is_told})
