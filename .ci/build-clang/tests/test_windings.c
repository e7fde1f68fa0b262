/* SPDX-License-Identifier: MIT */
/* coupled-windings: against the closed form of two, conservation of energy among five, what is
 * refused. */
#include "physics.h"

#include <stdlib.h>

/* A constant voltage across the first of two, the other short-circuited: both currents grow evenly.
 */
static void test_two(void) {
    harness h = harness_run(
        MODEL("<ground id='g' p='0'/><voltage-source id='V' p='a' n='0' V='3'/>"
              "<coupled-windings id='T' p='a 0' n='0 0' L='4e-3 1e-3' K='0.5' i0='1 -1'/>"),
        "T.i[1] T.i[2] T.p[1].i T.n[2].i", "crank-nicolson", 1e-3, 1e-4);
    const double slope = 3 / (4e-3 * 0.75), other = -0.5 * 2e-3 * slope / 1e-3;
    CHECK_CLOSE(harness_last(&h, 0), 1 + 1e-3 * slope, 1e-12);
    CHECK_CLOSE(harness_last(&h, 1), -1 + 1e-3 * other, 1e-12);
    CHECK_CLOSE(harness_last(&h, 2), harness_last(&h, 0), 1e-14);
    CHECK_CLOSE(harness_last(&h, 3), -harness_last(&h, 1), 1e-14);
    harness_free(&h);
}

/* Five windings with a capacitor each swing for ever: i'Mi/2 + v'Cv/2 stays, to the last digits by
 * Crank-Nicolson. */
static void test_energy(void) {
    static const double l[5] = {1, 2, 3, 4, 5},
                        k[10] = {0.5, 0.4, 0.3, -0.2, 0.45, 0.35, -0.1, 0.5, 0.1, 0.2};
    harness h = harness_run(
        MODEL("<ground id='g' p='0'/><coupled-windings id='T' p='a b c d x' n='0 0 0 0 0' L='1 2 3 "
              "4 5' "
              "K='0.5 0.4 0.3 -0.2 0.45 0.35 -0.1 0.5 0.1 0.2' i0='1 0 -2 0 0.5'/>"
              "<capacitor id='A' p='a' n='0' C='1'/><capacitor id='B' p='b' n='0' "
              "C='2'/><capacitor id='C' p='c' n='0' C='1'/>"
              "<capacitor id='D' p='d' n='0' C='3'/><capacitor id='X' p='x' n='0' C='1'/>"),
        "T.i[1] T.i[2] T.i[3] T.i[4] T.i[5] a b c d x", "crank-nicolson", 100, 0.05);
    static const double c[5] = {1, 2, 1, 3, 1};
    double first = NAN;
    for (size_t row = 0; row < h.rows; row += h.rows - 1) {
        double energy = 0;
        for (int a = 0, pair = 0; a < 5; a++) {
            energy +=
                0.5 * l[a] * pow(value(&h, row, a), 2) + 0.5 * c[a] * pow(value(&h, row, 5 + a), 2);
            for (int b = a + 1; b < 5; b++, pair++)
                energy += k[pair] * sqrt(l[a] * l[b]) * value(&h, row, a) * value(&h, row, b);
        }
        if (row == 0)
            first = energy;
        else
            CHECK_CLOSE(energy / first, 1, 1e-11);
    }
    harness_free(&h);
}

static void test_refused(void) {
#define WINDINGS(attributes) \
    MODEL("<ground id='g' p='0'/><coupled-windings id='T' " attributes "/>")
    check_refused(WINDINGS("p='a b c' n='0 0 0' L='1 1 1' K='0.9 0.9 -0.9'"),
                  "winding 3 is coupled more than it can be");
    check_refused(WINDINGS("p='a b' n='0 0' L='1 1' K='1'"), "winding 2 is coupled more");
    check_refused(WINDINGS("p='a b' n='0 0' L='1 2; 2 1'"), "winding 2 is coupled more");
    check_refused(WINDINGS("p='a b' n='0 0' L='1 0.2; 0.3 1'"), "L must be symmetric");
    check_refused(WINDINGS("p='a b' n='0 0' L='1 -1' K='0.1'"), "inductance of winding 2");
    check_refused(WINDINGS("p='a b' n='0 0' L='1 1 1' K='0.1'"),
                  "L has 1 x 3 values for 2 windings");
    check_refused(WINDINGS("p='a b' n='0 0' L='1 1'"), "K is missing");
    check_refused(WINDINGS("p='a b' n='0 0' L='1 0; 0 1' K='0.1'"), "remove K");
    check_refused(WINDINGS("p='a b c' n='0 0 0' L='1 1 1' K='0.1 0.1'"),
                  "K has 1 x 2 values for 3 pairs");
    check_refused(WINDINGS("p='a b' n='0' L='1 1' K='0.1'"), "p names 2 links and n 1");
    check_refused(WINDINGS("p='a b' n='0 0' L='1 1' K='0.1' i0='1 2 3'"), "i0 has 3 values");
}

UNIT_MAIN({"two windings", test_two}, {"energy of five", test_energy},
          {"what is refused", test_refused})
