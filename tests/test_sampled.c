/* SPDX-License-Identifier: MIT */
/* Models with clocks over a period, against discretisations in closed form. */
#include "analysis/sampled.h"
#include "small_signal_kit.h"
#include <complex.h>
#include <math.h>

#define MODEL(body) \
    "<model xmlns='urn:linnet:model:1'><constant id='ref' out='r' value='1'/>" body "</model>"

static linnet_status sample(bench *rig, const char *input, ln_state_space *out) {
    int noutputs;
    const ln_column *outputs = ln_recorder_columns(rig->simulation.recorder, &noutputs);
    return ln_sampled_make(&rig->small, &rig->simulation.settings,
                           &(ln_space_ports){&input, 1, outputs, noutputs}, out);
}

static bench sampled(const char *xml, const char *input, const char *outputs, ln_state_space *out) {
    bench rig = linearised(xml, outputs, -1);
    linnet_status status = sample(&rig, input, out);
    if (status != LINNET_OK)
        printf("\n    %s\n", said);
    CU_ASSERT_EQUAL_FATAL(status, LINNET_OK);
    return rig;
}

/* A lag of 0.5 s behind a hold of 0.1 s: x[k+1] = a x + (1 - a) u, a = exp(-0.2). */
static void held_lag(void) {
    ln_state_space m;
    bench rig = sampled(MODEL("<zero-order-hold id='h' in='r' out='v' period='0.1'/><first-order "
                              "id='P' in='v' out='y' T='0.5'/>"),
                        "r", "y v", &m);
    CU_ASSERT_EQUAL_FATAL(m.n, 1);
    CU_ASSERT_STRING_EQUAL(m.states[0].name, "P.y");
    CHECK_CLOSE(m.period, 0.1, 1e-12);
    CHECK_CLOSE(m.A[0], exp(-0.2), 1e-12);
    CHECK_CLOSE(m.B[0], 1 - exp(-0.2), 1e-12);
    CHECK_CLOSE(m.C[0], 1, 1e-12);
    CHECK_CLOSE(m.C[1], 0, 1e-12);
    CHECK_CLOSE(m.D[1], 1, 1e-12);
    ln_state_space_free(&m);
    done(&rig);
}

/* 1/s^2 behind a hold: the double integrator, T (z + 1) T/2/(z - 1)^2. */
static void double_integrator(void) {
    ln_state_space m;
    const double T = 0.25;
    bench rig = sampled(MODEL("<zero-order-hold id='h' in='r' out='a' period='0.25'/><integrator "
                              "id='I' in='a' out='v'/>"
                              "<integrator id='J' in='v' out='y'/>"),
                        "ref", "y", &m);
    CU_ASSERT_EQUAL(m.n, 2);
    for (double angle = 0.3; angle < 3; angle += 0.4) {
        const double complex z = cexp(angle * I);
        CHECK_CLOSE(cabs(response_of(&m, 0, 0, z) - T * T / 2 * (z + 1) / ((z - 1) * (z - 1))), 0,
                    1e-11);
    }
    ln_state_space_free(&m);
    done(&rig);
}

/* kp = 2, ki = 3, T = 0.1 around that lag: u = 2 e + I, I[k+1] = I + 0.3 e, so
 * y/r = b (2 (z - 1) + 0.3)/((z - a) (z - 1) + b (2 (z - 1) + 0.3)). */
static void pi_loop(void) {
    ln_state_space m;
    const double a = exp(-0.2), b = 1 - a;
    bench rig = sampled(MODEL("<sum id='s' in='r y' signs='+-' out='e'/><discrete-pid id='C' "
                              "in='e' out='u' kp='2' ki='3' "
                              "period='0.1'/><first-order id='P' in='u' out='y' T='0.5'/>"),
                        "ref", "y e", &m);
    for (double angle = 0.2; angle < 3.1; angle += 0.3) {
        const double complex z = cexp(angle * I), c = 2 * (z - 1) + 0.3,
                             den = (z - a) * (z - 1) + b * c;
        CHECK_CLOSE(cabs(response_of(&m, 0, 0, z) - b * c / den), 0, 1e-9);
        CHECK_CLOSE(cabs(response_of(&m, 0, 1, z) - (z - a) * (z - 1) / den), 0, 1e-9);
    }
    ln_state_space_free(&m);
    done(&rig);
}

/* Two rates: a hold of 0.1 s, its integral sampled every 0.2 s and delayed by one such tick; and a
 * hold that ticks between the others. */
static void two_rates(void) {
    ln_state_space m;
    bench rig = sampled(MODEL("<zero-order-hold id='h' in='r' out='v' period='0.1'/><integrator "
                              "id='P' in='v' out='y'/>"
                              "<unit-delay id='d' in='y' out='w' period='0.2'/>"),
                        "ref", "w", &m);
    CHECK_CLOSE(m.period, 0.2, 1e-12);
    for (double angle = 0.2; angle < 3.1; angle += 0.3) {
        /* y = 0.2/(z - 1) u at the ticks; w is y as it was a tick before */
        const double complex z = cexp(angle * I);
        CHECK_CLOSE(cabs(response_of(&m, 0, 0, z) - 0.2 / (z - 1) / z), 0, 1e-11);
    }
    ln_state_space_free(&m);
    done(&rig);
    rig = sampled(MODEL("<zero-order-hold id='h' in='r' out='v' period='0.1'/><first-order id='P' "
                        "in='v' out='y' T='0.5'/>"
                        "<zero-order-hold id='g' in='y' out='w' period='0.1' offset='0.05'/>"),
                  "r", "w", &m);
    const double a = exp(-0.1);
    /* which of the two clocks begins does not matter to |w/u| */
    for (double angle = 0.2; angle < 3.1; angle += 0.3) {
        const double complex z = cexp(angle * I), y = (1 - a * a) / (z - a * a);
        CHECK_CLOSE(cabs(response_of(&m, 0, 0, z)), cabs(a * y + 1 - a), 1e-10);
    }
    ln_state_space_free(&m);
    done(&rig);
}

/* A circuit whose source is driven by a discrete filter, on a clock of its own: y[k+1] = 0.5 y[k] +
 * u[k] drives R C. */
static void circuit(void) {
    ln_state_space m;
    bench rig = sampled(
        MODEL("<clock id='k' period='1 ms' out='c'/><discrete-transfer-function id='F' in='r' "
              "out='f' clock='c' "
              "numerator='1 0' denominator='1 -0.5'/><ground id='gnd' p='0'/>"
              "<signal-voltage id='V' in='f' p='a' n='0'/><resistor id='R' p='a' n='b' R='1 kOhm'/>"
              "<capacitor id='C' p='b' n='0' C='2 uF'/>"),
        "ref", "b f", &m);
    const double a = exp(-0.5);
    CHECK_CLOSE(m.period, 1e-3, 1e-12);
    for (double angle = 0.2; angle < 3.1; angle += 0.3) {
        const double complex z = cexp(angle * I), f = z / (z - 0.5);
        CHECK_CLOSE(cabs(response_of(&m, 0, 1, z) - f), 0, 1e-9);
        CHECK_CLOSE(cabs(response_of(&m, 0, 0, z) - (1 - a) / (z - a) * f), 0, 1e-9);
    }
    ln_state_space_free(&m);
    done(&rig);
}

/* H(z) = y/u of the matrices, which are small: C (z - A)^-1 B + D by elimination. */
static double complex transfer(const ln_state_space *m, double complex z) {
    enum { MOST = 12 };
    double complex a[MOST][MOST + 1] = {{0}};
    const int n = m->n;
    CU_ASSERT_FATAL(n <= MOST);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            a[i][j] = (i == j ? z : 0) - m->A[j * n + i];
        a[i][n] = m->B[i];
    }
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            pivot = cabs(a[i][k]) > cabs(a[pivot][k]) ? i : pivot;
        for (int j = 0; j <= n; j++) {
            const double complex swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (int i = 0; i < n; i++)
            for (int j = n; i != k && j >= k; j--)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    double complex sum = m->D[0];
    for (int k = 0; k < n; k++)
        sum += m->C[k] * a[k][n] / a[k][k];
    return sum;
}

/* A hold of P = 0.1 s, a delay of T = m P + r, a lag 1/(s + 2), or nothing: from Franklin, Powell,
 * Workman, Digital Control of Dynamic Systems, 3rd ed., 4.3.4: the lag sees u[k-m-1] up to r after
 * the tick and u[k-m] from there on. */
static void held_delays(void) {
    static const double delays[] = {0.03, 0.1, 0.17, 0.2, 0.3, 0.45};
    for (size_t k = 0; k < sizeof delays / sizeof *delays; k++) {
        const double T = delays[k], P = 0.1, m = ceil(T / P - 1e-9) - 1, r = T - m * P;
        const double complex z = cexp(0.7 * I);
        const double early = (exp(-2 * (P - r)) - exp(-2 * P)) / 2,
                     late = (1 - exp(-2 * (P - r))) / 2;
        char body[600];
        snprintf(body, sizeof body,
                 MODEL("<zero-order-hold id='h' in='r' out='v' period='0.1'/><transport-delay "
                       "id='d' in='v' out='w' delay='%g'/><transfer-function id='G' in='w' out='y' "
                       "numerator='1' denominator='1 2'/>"),
                 T);
        ln_state_space space;
        bench rig = sampled(body, "r", "y", &space);
        const double complex lag = transfer(&space, z),
                             exact =
                                 (early * cpow(z, -m - 1) + late * cpow(z, -m)) / (z - exp(-2 * P));
        CU_ASSERT(cabs(lag - exact) < 1e-12);
        ln_state_space_free(&space);
        done(&rig);
        /* and sampled again, at the same clock: what returns at a tick is read there */
        snprintf(body, sizeof body,
                 MODEL("<zero-order-hold id='h' in='r' out='v' period='0.1'/><transport-delay "
                       "id='d' in='v' out='w' delay='%g'/><zero-order-hold id='g' in='w' out='y' "
                       "period='0.1'/>"),
                 T);
        rig = sampled(body, "r", "y", &space);
        CU_ASSERT(cabs(transfer(&space, z) - cpow(z, -m - 1)) < 1e-12);
        ln_state_space_free(&space);
        done(&rig);
    }
}

static void refusals(void) {
    static const struct {
        const char *xml, *input, *text;
    } rows[] = {
        {MODEL("<first-order id='P' in='r' out='y' T='0.5'/>"), "r",
         "nothing in the model has a clock"},
        {MODEL("<zero-order-hold id='h' in='r' out='v' period='0.1'/><first-order id='P' in='v' "
               "out='w' T='0.5'/><transport-delay id='d' in='w' out='y' delay='0.3'/>"),
         "r", "what it reads changes between ticks"},
        {MODEL("<zero-order-hold id='h' in='r' out='v' period='0.1'/><transport-delay id='d' "
               "in='v' out='w' delay='0.25'/><transport-delay id='e' in='w' out='y' delay='0.3'/>"),
         "r", "e: a model with transport delays"},
        {MODEL("<zero-order-hold id='h' in='r' out='v' period='0.1'/><zero-order-hold id='g' "
               "in='v' out='w' period='0.2' offset='0.05'/><transport-delay id='d' in='w' out='y' "
               "delay='0.3'/>"),
         "r", "all clocks tick at once"},
        {MODEL("<zero-order-hold id='h' in='r' out='y' period='0.1'/>"), "h.in",
         "reads it at ticks"},
        {MODEL("<zero-order-hold id='h' in='r' out='v' period='0.1'/><zero-order-hold id='g' "
               "in='v' out='y' period='pi/1000'/>"),
         "r", "no common multiple"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bench rig = linearised(rows[k].xml, "y", -1);
        ln_state_space m;
        CU_ASSERT(sample(&rig, rows[k].input, &m) != LINNET_OK);
        CU_ASSERT_PTR_NOT_NULL(strstr(said, rows[k].text));
        if (strstr(said, rows[k].text) == NULL)
            printf("\n    %s\n", said);
        ln_state_space_free(&m);
        done(&rig);
    }
}

/* exp of a rotation, of a nilpotent matrix, and of a large one. */
static void exponential(void) {
    double turn[] = {0, 3, -3, 0}, shift[] = {0, 0, 0, 2, 0, 0, 0, 5, 0},
           large[] = {-400, 0, 100, -300};
    CU_ASSERT_EQUAL(ln_dense_exponential(2, turn), LINNET_OK);
    CHECK_CLOSE(turn[0], cos(3), 1e-14);
    CHECK_CLOSE(turn[1], sin(3), 1e-14);
    CU_ASSERT_EQUAL(ln_dense_exponential(3, shift), LINNET_OK);
    CHECK_CLOSE(shift[3], 2, 1e-15);
    CHECK_CLOSE(shift[7], 5, 1e-15);
    CHECK_CLOSE(shift[6], 5, 1e-14);
    CU_ASSERT_EQUAL(ln_dense_exponential(2, large), LINNET_OK);
    CHECK_CLOSE(large[0] / exp(-400), 1, 1e-12);
    CHECK_CLOSE(large[2] / (exp(-300) - exp(-400)), 1, 1e-12);
    double endless[] = {INFINITY};
    CU_ASSERT_EQUAL(ln_dense_exponential(1, endless), LINNET_FAILED);
}

/* A plant of order 3 near 1e6 rad/s, written with 1 at s = 0, behind a hold and in a loop: entries
 * of 1e18 beside 1. Reference: the exponential in 60 digits (mpmath). */
static void written_with_one(void) {
    static const double A[] = {0.926039865410093,    -259403.358263697,   -399841194908.477,
                               4.79535762490867e-7,  0.36880055408707,    -1070638.4589534,
                               7.98820905353271e-14, 1.23129286934533e-7, -0.180560071054484};
    static const double B[] = {0.0497037864562672, 174328.091703295, 268707209341.148};
    ln_state_space m;
    bench rig =
        sampled(MODEL("<sum id='sm' in='r y' signs='+-' out='e'/><zero-order-hold id='h' in='e' "
                      "out='v' period='6.5477406309781e-07'/><transfer-function id='G' in='v' "
                      "out='y' numerator='0.48801811417289814' denominator='4.582284458851629e-19 "
                      "2.044458079441001e-12 3.3356394472920823e-06 1.0'/>"),
                "ref", "y", &m);
    CU_ASSERT_EQUAL_FATAL(m.n, 3);
    for (int k = 0; k < 9; k++)
        CHECK_CLOSE(m.A[k] / A[k], 1, 1e-8);
    for (int k = 0; k < 3; k++)
        CHECK_CLOSE(m.B[k] / B[k], 1, 1e-8);
    ln_state_space_free(&m);
    done(&rig);
}

UNIT_MAIN({"held lag", held_lag}, {"double integrator", double_integrator}, {"PI loop", pi_loop},
          {"two rates", two_rates}, {"circuit", circuit}, {"refusals", refusals},
          {"held signals, delayed", held_delays}, {"exponential", exponential},
          {"written with 1 at s = 0", written_with_one})
