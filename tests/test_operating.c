/* SPDX-License-Identifier: MIT */
/* Operating points: closed forms, what keeps its start and what loses it, the aids when Newton's
 * method fails, and the start of a run from a file. */
#include "analysis/operating.h"
#include "base/sys.h"
#include "heard.h"
#include "model/model.h"
#include "unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
#define GROUND "<ground id='gnd' p='0'/>"

typedef struct found {
    ln_report *report;
    ln_model *model;
    ln_operating op;
    linnet_status status;
} found;

static found find(const char *xml) {
    found finding = {.report = ln_report_new(hear, NULL)};
    said[0] = '\0';
    finding.status =
        ln_model_read_memory("test.xml", xml, strlen(xml), NULL, finding.report, &finding.model);
    ln_request request = {.prefix = "--"};
    if (finding.status == LINNET_OK)
        finding.status = ln_operating_prepare(&finding.op, finding.model, &request, finding.report);
    if (finding.status == LINNET_OK)
        finding.status = ln_operating_find(&finding.op);
    return finding;
}

static void drop(found *finding) {
    ln_operating_free(&finding->op);
    ln_model_free(finding->model);
    ln_report_free(finding->report);
}

static double value(const found *finding, const char *name) {
    for (int k = 0; k < finding->op.ncolumns; k++)
        if (strcmp(finding->op.columns[k].name, name) == 0)
            return finding->op.values[k];
    return NAN;
}

/* A divider that loads a capacitor: its start value is lost; powers balance. */
static void circuit_at_rest(void) {
    found finding = find(MODEL(
        GROUND
        "<voltage-source id='V' p='in' n='0' V='6 V'/><resistor id='R1' p='in' n='out' R='1 kOhm'/>"
        "<resistor id='R2' p='out' n='0' R='2 kOhm'/><capacitor id='C' p='out' n='0' C='1 uF' "
        "v0='1 V'/>"
        "<inductor id='L' p='in' n='x' L='1 H' i0='1 A'/><resistor id='R3' p='x' n='0' R='3 "
        "Ohm'/>"));
    CU_ASSERT_EQUAL(finding.status, LINNET_OK);
    CU_ASSERT_STRING_EQUAL(finding.op.point.means, "Newton");
    CHECK_CLOSE(value(&finding, "out"), 4, 1e-12);
    CHECK_CLOSE(value(&finding, "L.i"), 2, 1e-12);
    CHECK_CLOSE(value(&finding, "C.i"), 0, 1e-12);
    CHECK_CLOSE(value(&finding, "V.P") + value(&finding, "R1.P") + value(&finding, "R2.P") +
                    value(&finding, "R3.P"),
                0, 1e-12);
    CU_ASSERT_EQUAL(finding.op.ndropped, 2);
    CHECK_CLOSE(finding.op.dropped[0].wanted, 1, 0);
    CHECK_CLOSE(finding.op.dropped[0].found, 4, 1e-12);
    CU_ASSERT_STRING_EQUAL(finding.op.dropped[0].name, "v0");
    CU_ASSERT_STRING_EQUAL(finding.op.dropped[0].unit, "V");
    CU_ASSERT_EQUAL(finding.op.nkept, 0);
    drop(&finding);
}

/* An integrator without input, and two capacitors in series between which charge is caught: C1 v1 -
 * C2 v2 stays. */
static void free_combinations(void) {
    found finding = find(MODEL(
        "<constant id='c' out='u' value='0'/><integrator id='I' in='u' out='y' y0='3'/>" GROUND
        "<voltage-source id='V' p='in' n='0' V='9 V'/><capacitor id='C1' p='in' n='m' C='1 uF' "
        "v0='2 V'/>"
        "<capacitor id='C2' p='m' n='k' C='2 uF' v0='4 V'/><resistor id='R' p='k' n='0' R='1 "
        "kOhm'/>"));
    CU_ASSERT_EQUAL(finding.status, LINNET_OK);
    CHECK_CLOSE(value(&finding, "y"), 3, 1e-9);
    /* v1 + v2 = 9, 1 v1 - 2 v2 = 2 - 8 */
    CHECK_CLOSE(value(&finding, "C1.v"), 4, 1e-9);
    CHECK_CLOSE(value(&finding, "C2.v"), 5, 1e-9);
    CU_ASSERT_EQUAL(finding.op.point.nfree, 2);
    CU_ASSERT_EQUAL(finding.op.nkept, 1);
    CU_ASSERT_EQUAL(finding.op.ndropped, 2);
    drop(&finding);
}

/* Diode and resistor: R i(v) + v = V, checked by its own equation. */
static void diode_at_rest(void) {
    found finding = find(MODEL(
        GROUND
        "<voltage-source id='V' p='in' n='0' V='50 V'/><resistor id='R' p='in' n='a' R='1 Ohm'/>"
        "<diode id='D1' p='a' n='b'/><diode id='D2' p='b' n='0'/>"));
    CU_ASSERT_EQUAL(finding.status, LINNET_OK);
    CHECK_CLOSE(value(&finding, "R.i"), value(&finding, "D1.i"), 1e-9);
    CHECK_CLOSE(value(&finding, "D1.v"), value(&finding, "D2.v"), 1e-9);
    CHECK_CLOSE(value(&finding, "R.v") + 2 * value(&finding, "D1.v"), 50, 1e-12);
    drop(&finding);
}

/* The rest of x' = -f(x), begun at 0. */
static found find_rest(const char *f) {
    char model[1000];
    snprintf(model, sizeof model,
             MODEL("<block-type name='rest'><output name='y'/><state name='x' start='0'/>"
                   "<equation>der(x) = -(%s)</equation><equation>y = x</equation></block-type>"
                   "<rest id='c' y='y'/>"),
             f);
    return find(model);
}

/* x^3 - x - 3: Newton's updates go round four points for ever, on and on and then back, of which a
 * part leads nowhere. */
static void damped(void) {
    found finding = find_rest("x^3 - x - 3");
    CU_ASSERT_EQUAL(finding.status, LINNET_OK);
    CHECK_CLOSE(value(&finding, "y"), 1.671699881657161, 1e-12);
    CU_ASSERT_STRING_NOT_EQUAL(finding.op.point.means, "Newton");
    drop(&finding);
}

/* Newton's updates lead to the other side and back for ever, from 0 to 1 of the cubic and from x to
 * -x of the root, unless they are taken in part; of the cubic, whose last updates shrink slowly by
 * a kept Jacobian, Newton's method may leave 1e-10. */
static void to_and_fro(void) {
    static const struct {
        const char *f;
        double rest, left;
    } of[] = {{"x^3 - 2*x + 2", -1.7692923542386314, 1e-10},
              {"noevent(sign(x - 3)*sqrt(abs(x - 3)))", 3, 1e-12}};
    for (int k = 0; k < 2; k++) {
        found finding = find_rest(of[k].f);
        CU_ASSERT_EQUAL(finding.status, LINNET_OK);
        CHECK_CLOSE(value(&finding, "y"), of[k].rest, of[k].left);
        CU_ASSERT_STRING_EQUAL(finding.op.point.means, "Newton");
        drop(&finding);
    }
}

/* x' = -f(x + 7), f(z) = z/(1 + z^2)^2: behind the hump of f, damped or not, Newton's method runs
 * away from the rest at -7, and there is no source to step: following x' leads there. */
static void pseudo_transient(void) {
    found finding =
        find(MODEL("<block-type name='hump'><output name='y'/><state name='x' start='0'/>"
                   "<equation>der(x) = -(x + 7)/(1 + (x + 7)^2)^2</equation><equation>y = "
                   "x</equation></block-type>"
                   "<hump id='c' y='y'/>"));
    CU_ASSERT_EQUAL(finding.status, LINNET_OK);
    CHECK_CLOSE(value(&finding, "y"), -7, 1e-9);
    CU_ASSERT_STRING_EQUAL(finding.op.point.means, "pseudo-transient continuation");
    drop(&finding);
}

static void failures_name_the_worst(void) {
    found finding =
        find(MODEL("<constant id='c' out='u' value='2'/><integrator id='I' in='u' out='y'/>"));
    CU_ASSERT_EQUAL(finding.status, LINNET_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "nothing brings to rest"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "changes by 2 a second"));
    drop(&finding);
    finding = find(MODEL("<block-type name='no-rest'><output name='y'/><state name='x'/>"
                         "<equation>der(x) = 1 + x^2</equation><equation>y = "
                         "x</equation></block-type><no-rest id='n' y='y'/>"));
    CU_ASSERT_EQUAL(finding.status, LINNET_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "no operating point found"));
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "n.x"));
    drop(&finding);
}

/* Forty integrators of nothing: each stays where it is, more of them than directions
 * are looked for. */
static void many_are_free(void) {
    found finding =
        find(MODEL("<constant id='c' out='z' value='0'/><repeat index='k' from='1' to='40'>"
                   "<integrator id='i[k]' in='z' out='x[k]' y0='k'/></repeat>"));
    CU_ASSERT_EQUAL(finding.status, LINNET_OK);
    for (int k = 1; k <= 40; k++) {
        char name[20];
        snprintf(name, sizeof name, "x[%d]", k);
        CHECK_CLOSE(value(&finding, name), k, 1e-12);
    }
    CU_ASSERT_EQUAL(finding.op.ndropped, 0);
    drop(&finding);
}

UNIT_MAIN({"circuit at rest", circuit_at_rest}, {"free combinations", free_combinations},
          {"many are free", many_are_free}, {"diode at rest", diode_at_rest}, {"damped", damped},
          {"to and fro", to_and_fro}, {"pseudo-transient", pseudo_transient},
          {"failures name the worst", failures_name_the_worst})
