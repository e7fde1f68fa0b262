/* SPDX-License-Identifier: MIT */
/* Comparisons held against closed forms: what backward Euler, Crank-Nicolson and rk4 make of y' =
 * -y is known exactly, so the errors and orders that are told can be computed here independently.
 */
#include "unit.h"

#include "analysis/compare.h"
#include "messages.h"

#define DECAY                                                                                      \
    "<block-type name='decay'><output name='y'/><parameter name='k' default='1'/><state name='x' " \
    "start='1'/>"                                                                                  \
    "<equation>der(x) = -k*x</equation><equation>y = x</equation></block-type><decay id='d' y='y'"
static const char own[] =
    "<model name='decay'>" DECAY "/><simulation duration='2'/><record signals='y'/>"
    "<reference signal='y' value='exp(-t)'/></model>";
static const char bare[] =
    "<model name='decay'>" DECAY "/><simulation duration='2'/><record signals='y'/></model>";
static const char at_end[] =
    "<model name='decay'>" DECAY "/><simulation duration='2'/><record signals='y'/>"
    "<reference signal='y' value='0.1353352832366127' at='2'/></model>";

typedef struct compared {
    ln_report *report;
    ln_model *model;
    ln_comparison comparison;
    linnet_status status;
} compared;

static int never(void *context) {
    (void)context;
    return 0;
}

static ln_compare_options asked;
static const ln_request request;

static compared compare_with(const char *xml, const ln_compare_options *options,
                             int (*stop)(void *), void *context) {
    compared out = {.report = ln_report_new(NULL, NULL)};
    asked = *options;
    asked.request = &request;
    if (asked.limit == 0)
        asked.limit = 20;
    const ln_compare_watch watch = {NULL, stop, context};
    CU_ASSERT_FATAL(ln_model_read_memory("test.xml", xml, strlen(xml), NULL, out.report,
                                         &out.model) == LINNET_OK);
    out.status = ln_compare(out.model, &asked, &watch, out.report, &out.comparison);
    return out;
}

static void release(compared *out) {
    ln_comparison_free(&out->comparison);
    ln_model_free(out->model);
    ln_report_free(out->report);
}

/* The largest error of y1 = growth(h) y0 on exp(-t) over [0, 2], relative to 1, the largest size.
 */
static double worst_of(double growth, double h) {
    double worst = 0, y = 1;
    int steps = (int)lround(2 / h);
    for (int k = 1; k <= steps; k++) {
        y *= growth;
        worst = fmax(worst, fabs(y - exp(-k * h)));
    }
    return worst;
}

static double growth_of(const char *method, double h) {
    if (strcmp(method, "backward-euler") == 0)
        return 1 / (1 + h);
    if (strcmp(method, "crank-nicolson") == 0)
        return (1 - h / 2) / (1 + h / 2);
    return 1 - h + h * h / 2 - h * h * h / 6 + h * h * h * h / 24;
}

/* Every point is compared with an expression; the errors are those of the recurrences, the orders
 * 1, 2 and 4. */
static void tells_exact_errors(void) {
    const char *methods[] = {"backward-euler", "crank-nicolson", "rk4"},
               *steps[] = {"0.1", "0.05", "0.025"};
    compared out = compare_with(
        own, &(ln_compare_options){.methods = methods, .nmethods = 3, .steps = steps, .nsteps = 3},
        never, NULL);
    const double sizes[] = {0.1, 0.05, 0.025}, orders[] = {1, 2, 4};
    CU_ASSERT_FATAL(out.status == LINNET_OK && out.comparison.nrows == 9 &&
                    out.comparison.nsummaries == 3);
    for (int r = 0; r < 9; r++) {
        const ln_compare_row *row = &out.comparison.rows[r];
        double h = sizes[r % 3], growth = growth_of(methods[r / 3], h),
               expected = worst_of(growth, h);
        double end = fabs(pow(growth, 2 / h) - exp(-2));
        CU_ASSERT(row->outcome == LN_COMPARE_RAN && row->has_errors && row->has_end);
        CHECK_CLOSE(row->largest / expected, 1, 1e-4);
        CHECK_CLOSE(row->end / end, 1, 1e-4);
        CHECK_CLOSE(row->scd, -log10(end / exp(-2)), 1e-3);
        CU_ASSERT(row->has_order == (r % 3 > 0) && row->work.steps == lround(2 / h));
        if (row->has_order)
            CHECK_CLOSE(row->order, orders[r / 3], 0.05);
    }
    for (int k = 0; k < 3; k++) {
        CU_ASSERT(out.comparison.summaries[k].has_order);
        CHECK_CLOSE(out.comparison.summaries[k].order, orders[k], 0.05);
    }
    release(&out);
}

/* The same without a reference in the model: the computed one is as good, and the second method
 * says so. */
static void computes_a_reference(void) {
    const char *methods[] = {"backward-euler", "crank-nicolson"}, *steps[] = {"0.1", "0.05"};
    compared out = compare_with(
        bare, &(ln_compare_options){.methods = methods, .nmethods = 2, .steps = steps, .nsteps = 2},
        never, NULL);
    CU_ASSERT_FATAL(out.status == LINNET_OK && out.comparison.nrows == 4 &&
                    out.comparison.has_reference);
    CU_ASSERT(out.comparison.doubt < 1e-8 &&
              strstr(out.comparison.reference, "radau5 at a tolerance of 1e-1") != NULL);
    for (int r = 0; r < 4; r++) {
        double h = r % 2 == 0 ? 0.1 : 0.05;
        CHECK_CLOSE(out.comparison.rows[r].largest / worst_of(growth_of(methods[r / 2], h), h), 1,
                    1e-3);
    }
    release(&out);
}

/* A reference that is written for one time counts there only, and every run steps onto it. */
static void keeps_to_written_times(void) {
    const char *methods[] = {"backward-euler", "radau5"}, *steps[] = {"0.1"};
    compared out = compare_with(
        at_end,
        &(ln_compare_options){.methods = methods, .nmethods = 2, .steps = steps, .nsteps = 1},
        never, NULL);
    CU_ASSERT_FATAL(out.status == LINNET_OK && out.comparison.nrows == 4);
    CU_ASSERT(out.comparison.rows[0].errors[0].compared == 1);
    CHECK_CLOSE(out.comparison.rows[0].end * exp(-2), fabs(pow(1 / 1.1, 20) - exp(-2)), 1e-12);
    CU_ASSERT(out.comparison.rows[3].end < 1e-7);
    release(&out);
}

static int later(void *context) {
    return ++*(int *)context > 30;
}

/* Interrupted in the second run: the first is there and judged, the others are not run. */
static void keeps_what_ran(void) {
    const char *methods[] = {"backward-euler", "crank-nicolson"}, *steps[] = {"0.1", "0.001"};
    int polls = 0;
    compared out = compare_with(
        own, &(ln_compare_options){.methods = methods, .nmethods = 2, .steps = steps, .nsteps = 2},
        later, &polls);
    CU_ASSERT(out.status == LINNET_INTERRUPTED || out.status == LINNET_OK);
    release(&out);
    polls = -40; /* three quick runs of 20 steps, then into the next */
    out = compare_with(
        own, &(ln_compare_options){.methods = methods, .nmethods = 2, .steps = steps, .nsteps = 2},
        later, &polls);
    CU_ASSERT(out.status == LINNET_INTERRUPTED &&
              out.comparison.rows[0].outcome == LN_COMPARE_RAN &&
              out.comparison.rows[0].has_errors);
    CU_ASSERT(out.comparison.rows[1].outcome == LN_COMPARE_NOT_RUN &&
              out.comparison.rows[3].outcome == LN_COMPARE_NOT_RUN);
    release(&out);
}

/* C1 with R2 is a time constant of 1 us, C9 with R9 one of 1 ms; the boundary of rk4 on the
 * negative axis is 2.785293563405282 (the real root of 1 + z/2 + z^2/6 + z^3/24), that of Euler's
 * method 2. */
static const char circuit[] =
    "<model name='two'><ground id='g' p='0'/><voltage-source id='V1' p='in' n='0' V='1 V'/>"
    "<resistor id='R2' p='in' n='a' R='1 kOhm'/><capacitor id='C1' p='a' n='0' C='1 nF'/>"
    "<resistor id='R9' p='in' n='b' R='1 kOhm'/><capacitor id='C9' p='b' n='0' C='1 uF'/>"
    "<simulation duration='1 ms'/><record signals='a b'/></model>";

static void names_what_limits_the_step(void) {
    const char *methods[] = {"rk4", "euler"}, *steps[] = {"1e-4", "2.9e-6", "1.9e-6"};
    compared out = compare_with(
        circuit,
        &(ln_compare_options){.methods = methods, .nmethods = 2, .steps = steps, .nsteps = 3},
        never, NULL);
    CU_ASSERT_FATAL(out.status == LINNET_OK && out.comparison.nrows == 6);
    for (int r = 0; r < 6; r++) {
        const ln_compare_row *row = &out.comparison.rows[r];
        if (r % 3 == 2) {
            CU_ASSERT(row->outcome == LN_COMPARE_RAN);
            continue;
        }
        CU_ASSERT_FATAL(row->outcome == LN_COMPARE_UNSTABLE && row->remark != NULL);
        CHECK_CLOSE(row->limit * 1e6, r < 3 ? 2.785293563405282 : 2, 1e-6);
        if (strstr(row->remark, "set by C1 and R2 (") == NULL)
            CU_FAIL(row->remark);
        CU_ASSERT(strstr(row->remark, "rate of 1e+06 1/s in a ") != NULL);
    }
    release(&out);
}

/* An LC tank without damping: Euler's method grows at every step, rk4 up to 2 sqrt(2) of 1/w. */
static const char tank[] =
    "<model name='tank'><ground id='g' p='0'/><inductor id='L1' p='a' n='0' L='1 mH'/>"
    "<capacitor id='C1' p='a' n='0' C='1 uF' v0='1 V'/><simulation duration='10 ms'/><record "
    "signals='a'/></model>";

static void knows_oscillations(void) {
    const char *methods[] = {"euler", "rk4"}, *steps[] = {"2e-6", "1e-4"};
    compared out = compare_with(
        tank, &(ln_compare_options){.methods = methods, .nmethods = 2, .steps = steps, .nsteps = 2},
        never, NULL);
    CU_ASSERT_FATAL(out.status == LINNET_OK && out.comparison.nrows == 4);
    CU_ASSERT(out.comparison.rows[0].outcome == LN_COMPARE_UNSTABLE &&
              strstr(out.comparison.rows[0].remark, "at every step") != NULL);
    CU_ASSERT(out.comparison.rows[2].outcome == LN_COMPARE_RAN &&
              out.comparison.rows[3].outcome == LN_COMPARE_UNSTABLE);
    CHECK_CLOSE(out.comparison.rows[3].limit * sqrt(1e9), 2 * sqrt(2), 1e-6);
    release(&out);
}

/* Euler's steps of 0.1 ms take x to -0.2 x, where the root has no value: which is no instability.
 */
static const char rooted[] =
    "<model name='root'><block-type name='lag'><state name='x' start='1'/><output name='y'/>"
    "<equation>der(x) = -12000*x/(1 s)</equation><equation>y = sqrt(x)</equation></block-type>"
    "<lag id='L' y='y'/><simulation duration='10 ms'/><record signals='y'/></model>";

static void tells_refusals_as_such(void) {
    const char *methods[] = {"euler", "tr-bdf2"}, *steps[] = {"1e-4"};
    compared out = compare_with(
        rooted,
        &(ln_compare_options){.methods = methods, .nmethods = 2, .steps = steps, .nsteps = 1},
        never, NULL);
    CU_ASSERT_FATAL(out.status == LINNET_OK && out.comparison.nrows == 2);
    CU_ASSERT(out.comparison.rows[0].outcome == LN_COMPARE_FAILED &&
              strstr(out.comparison.rows[0].remark, "sqrt") != NULL);
    CU_ASSERT(out.comparison.rows[1].outcome == LN_COMPARE_RAN);
    release(&out);
}

static void tells_what_is_wrong(void) {
    const char *wrong[] = {"rk44"}, *good[] = {"rk4"}, *steps[] = {"-1"}, *units[] = {"3 kg"},
               *loose[] = {"2"};
    const struct {
        ln_compare_options options;
        const char *says;
    } cases[] = {
        {{.methods = wrong, .nmethods = 1}, "did you mean 'rk4'?"},
        {{.methods = good, .nmethods = 1, .steps = steps, .nsteps = 1}, "must be above 0"},
        {{.methods = good, .nmethods = 1, .steps = units, .nsteps = 1}, "option --step"},
        {{.methods = good, .nmethods = 1, .tolerances = loose, .ntolerances = 1}, "below 1"},
        {{.methods = good, .nmethods = 1, .reference = "model"}, "has no <reference>"},
        {{.methods = good, .nmethods = 1, .signals = "z"}, "z"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        compared out = compare_with(bare, &cases[k].options, never, NULL);
        CU_ASSERT(out.status == LINNET_USAGE && contains(out.report, cases[k].says));
        release(&out);
    }
    compared out = compare_with(
        bare, &(ln_compare_options){.methods = good, .nmethods = 1, .reference = "/no/such.csv"},
        never, NULL);
    CU_ASSERT(out.status == LINNET_IO);
    release(&out);
}

UNIT_MAIN({"errors and orders are exact", tells_exact_errors},
          {"a computed reference", computes_a_reference},
          {"references at written times", keeps_to_written_times},
          {"an interruption keeps what ran", keeps_what_ran},
          {"what limits the step", names_what_limits_the_step},
          {"oscillations", knows_oscillations}, {"a refusal", tells_refusals_as_such},
          {"wrong requests", tells_what_is_wrong})
