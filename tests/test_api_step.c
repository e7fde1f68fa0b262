/* SPDX-License-Identifier: MIT */
/* Runs in steps of the caller's: against closed forms piece by piece, by every kind of method, with
 * inputs that change in between, events and a delay; and what cannot be asked for. */
#include "unit.h"

#include <linnet/analyses.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static linnet_model *loaded(const char *text) {
    linnet_model *model = linnet_model_new();
    CU_ASSERT(linnet_load_text(model, "m.xml", text, strlen(text)) == LINNET_OK);
    return model;
}

static void set(linnet_model *model, const char *name, double value) {
    char text[32];
    snprintf(text, sizeof text, "%.17g", value);
    CU_ASSERT(linnet_set(model, name, text) == LINNET_OK);
}

/* Two lags, one in equations and one electrical, behind an input that takes another value every
 * half second: y follows the closed form of each piece, and a signal that follows at once has its
 * new value from the next step on. */
static const char lags[] =
    "<model name='lags'><external-input id='u' out='u'/><first-order id='lag' in='u' out='y' "
    "T='0.5'/><gain id='k' in='u' out='twice' k='2'/><ground id='g' p='0'/>"
    "<signal-voltage id='V' p='a' n='0' in='u'/><resistor id='R' p='a' n='b' R='1'/>"
    "<capacitor id='C' p='b' n='0' C='0.5'/><simulation duration='4' step='0.01'/>"
    "<record signals='y b twice R.i'/></model>";

static void follow(const char *method, const char *step, const char *tolerance, double error) {
    linnet_model *model = loaded(lags);
    linnet_stepping *run;
    CU_ASSERT(linnet_option(model, "method", method) == LINNET_OK);
    if (step == NULL)
        CU_ASSERT(linnet_option(model, "tolerance", tolerance) == LINNET_OK);
    CU_ASSERT_FATAL(linnet_begin(model, &run) == LINNET_OK);
    CU_ASSERT(linnet_step_count(run) == 4 && linnet_step_time(run) == 0);
    CU_ASSERT(isnan(linnet_step_value(run, "y")));
    static const double inputs[] = {1, -2, 0.5, 3};
    double y = 0, worst = 0;
    for (int k = 1; k <= 40; k++) {
        const double u = inputs[(k - 1) / 10], t = k * 0.1;
        if (k % 10 == 1)
            set(model, "u.value", u);
        CU_ASSERT_FATAL(linnet_step(run, t) == LINNET_OK);
        CU_ASSERT(linnet_step_time(run) == t);
        y = u + (y - u) * exp(-0.1 / 0.5);
        worst = fmax(worst, fabs(linnet_step_value(run, "y") - y));
        worst = fmax(worst, fabs(linnet_step_value(run, "b") - y));
        worst = fmax(worst, fabs(linnet_step_value(run, "R.i") - (u - y)));
        CU_ASSERT(linnet_step_value(run, "twice") == 2 * u);
    }
    if (!(worst <= error))
        printf("\n%s: %g", method, worst);
    CU_ASSERT(worst <= error);
    CU_ASSERT(linnet_step(run, 5) == LINNET_USAGE);
    linnet_finish(run);
    linnet_model_free(model);
}

static void test_methods(void) {
    follow("backward-euler", "0.01", NULL, 3e-2);
    follow("crank-nicolson", "0.01", NULL, 1e-3);
    follow("rk4", "0.01", NULL, 1e-7);
    follow("radau5", NULL, "1e-8", 1e-6);
    follow("tr-bdf2", NULL, "1e-7", 1e-5);
    follow("rk45", NULL, "1e-8", 1e-6);
    follow("ida", NULL, "1e-8", 1e-4);
}

/* Steps give what one run gives: a bouncing ball, whose events lie anywhere, and a delay. */
static void test_as_a_run(void) {
    static const char *const texts[] = {
        "<model name='ball'><mass id='m' p='a' m='1'/><weight id='w' p='a' m='1'/>"
        "<rigid-stop id='s' p='a' low='0' x0='1' restitution='0.8'/>"
        "<simulation duration='2' tolerance='1e-9'/><record signals='s.x a'/></model>",
        "<model name='late'><sine id='u' out='u' frequency='1'/><transport-delay id='d' in='u' "
        "out='v' delay='0.3'/><integrator id='y' in='v' out='y'/>"
        "<simulation duration='2' tolerance='1e-9'/><record signals='v y'/></model>"};
    for (int k = 0; k < 2; k++) {
        linnet_model *model = loaded(texts[k]);
        linnet_result *whole;
        linnet_stepping *run;
        CU_ASSERT_FATAL(linnet_run_memory(model, NULL, &whole) == LINNET_OK);
        const size_t last = linnet_result_rows(whole) - 1;
        CU_ASSERT_FATAL(linnet_begin(model, &run) == LINNET_OK);
        for (int step = 1; step <= 20; step++)
            CU_ASSERT(linnet_step(run, step * 0.1) == LINNET_OK);
        for (int signal = 0; signal < 2; signal++) {
            const char *name = linnet_result_name(whole, signal).name;
            const double wanted = linnet_result_values(whole, signal)[last];
            CU_ASSERT(fabs(linnet_step_value(run, name) - wanted) < 1e-6);
        }
        linnet_finish(run);
        linnet_result_free(whole);
        linnet_model_free(model);
    }
}

/* An input that crosses a threshold as it jumps: the event is at the jump. */
static void test_condition(void) {
    linnet_model *model =
        loaded("<model name='c'><external-input id='u' out='u'/>"
               "<greater id='g' in='u' out='on' threshold='1'/><integrator id='i' in='on' out='y'/>"
               "<simulation duration='2' step='0.1'/><record signals='y on'/></model>");
    linnet_stepping *run;
    CU_ASSERT_FATAL(linnet_begin(model, &run) == LINNET_OK);
    CU_ASSERT(linnet_step(run, 0.5) == LINNET_OK && linnet_step_value(run, "y") == 0);
    set(model, "u.value", 2);
    CU_ASSERT(linnet_step(run, 1.5) == LINNET_OK);
    CU_ASSERT(fabs(linnet_step_value(run, "y") - 1) < 1e-12 && linnet_step_value(run, "on") == 1);
    set(model, "u.value", 0);
    CU_ASSERT(linnet_step(run, 2) == LINNET_OK);
    CU_ASSERT(fabs(linnet_step_value(run, "y") - 1) < 1e-12 && linnet_step_value(run, "on") == 0);
    linnet_finish(run);
    linnet_model_free(model);
}

static void test_wrong(void) {
    linnet_model *model = loaded(lags);
    linnet_stepping *run = NULL;
    CU_ASSERT(linnet_begin(NULL, &run) == LINNET_USAGE && run == NULL);
    CU_ASSERT(linnet_begin(model, NULL) == LINNET_USAGE);
    CU_ASSERT(linnet_step(NULL, 1) == LINNET_USAGE && isnan(linnet_step_time(NULL)));
    CU_ASSERT(linnet_step_count(NULL) == 0 && linnet_step_signal(NULL, 0).name == NULL);
    linnet_finish(NULL);
    CU_ASSERT_FATAL(linnet_begin(model, &run) == LINNET_OK);
    CU_ASSERT(strcmp(linnet_step_signal(run, 0).name, "y") == 0);
    CU_ASSERT(linnet_step(run, 0) == LINNET_USAGE && linnet_step(run, NAN) == LINNET_USAGE);
    CU_ASSERT(linnet_diagnostic_count(model) == 1);
    CU_ASSERT(linnet_step(run, 1) == LINNET_OK && linnet_step(run, 1) == LINNET_USAGE);
    CU_ASSERT(linnet_set(model, "nobody.value", "1") == LINNET_OK);
    CU_ASSERT(linnet_step(run, 2) == LINNET_USAGE && linnet_step(run, 3) == LINNET_USAGE);
    linnet_finish(run);
    CU_ASSERT(linnet_begin(model, &run) == LINNET_USAGE && run == NULL);
    linnet_model_free(model);
}

UNIT_MAIN({"methods", test_methods}, {"as a run", test_as_a_run}, {"condition", test_condition},
          {"wrong", test_wrong})
