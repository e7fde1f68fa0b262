/* SPDX-License-Identifier: MIT */
/* The public API beside runs, with the public headers alone: names, measures, points, modes,
 * responses, state matrices, margins and sweeps against closed forms. */
#include "unit.h"

#include <linnet/analyses.h>

static const char rc[] =
    "<model name='rc' xmlns='urn:linnet:model:1'><parameter name='load' value='1 kOhm'/>\n"
    "<ground id='gnd' p='0'/><voltage-source id='V1' p='in' n='0' V='2 V'/>\n"
    "<resistor id='R1' p='in' n='out' R='load'/><capacitor id='C1' p='out' n='0' C='1 uF'/>\n"
    "<resistor id='R2' p='out' n='0' R='1 kOhm'/>\n"
    "<measure name='peak' kind='maximum' signal='out'/>\n"
    "<simulation duration='10 ms' step='10 us'/><record signals='out'/></model>";

static const char loop[] =
    "<model name='loop' xmlns='urn:linnet:model:1'><step id='r' out='r'/>\n"
    "<sum id='s' in='r y' signs='+-' out='e'/>\n"
    "<transfer-function id='G' in='e' out='y' numerator='4' denominator='1 3 3 1'/>\n"
    "<simulation duration='1' step='0.1'/></model>";

static linnet_model *load(const char *text) {
    linnet_model *model = linnet_model_new();
    CU_ASSERT_FATAL(model != NULL);
    CU_ASSERT_FATAL(linnet_load_text(model, "m.xml", text, strlen(text)) == LINNET_OK);
    return model;
}

static const linnet_item *find(const linnet_list *list, const char *name) {
    for (size_t k = 0; k < list->count; k++)
        if (strcmp(list->items[k].name, name) == 0)
            return &list->items[k];
    return NULL;
}

static void test_names(void) {
    linnet_model *model = load(rc);
    linnet_list *list;
    CU_ASSERT_FATAL(linnet_list_names(model, LINNET_LIST_BLOCKS, &list) == LINNET_OK);
    CU_ASSERT(list->count == 5);
    CHECK_TEXT(find(list, "R2")->type, "resistor");
    CU_ASSERT(find(list, "R2")->line == 4);
    CHECK_TEXT(find(list, "R2")->file, "m.xml");
    linnet_list_free(list);
    CU_ASSERT_FATAL(linnet_list_names(model, LINNET_LIST_LINKS, &list) == LINNET_OK);
    CU_ASSERT(list->count == 3);
    CHECK_TEXT(find(list, "out")->type, "electrical");
    CHECK_TEXT(find(list, "out")->unit, "V");
    linnet_list_free(list);
    CU_ASSERT(linnet_set(model, "load", "2 kOhm") == LINNET_OK);
    CU_ASSERT_FATAL(linnet_list_names(model, LINNET_LIST_PARAMETERS, &list) == LINNET_OK);
    CHECK_CLOSE(find(list, "R1.R")->value, 2000, 0);
    CHECK_CLOSE(find(list, "load")->value, 2000, 0);
    CHECK_TEXT(find(list, "C1.C")->unit, "F");
    linnet_list_free(list);
    CU_ASSERT_FATAL(linnet_list_names(model, LINNET_LIST_SIGNALS, &list) == LINNET_OK);
    CU_ASSERT(find(list, "R1.i") != NULL && find(list, "out") != NULL);
    linnet_list_free(list);
    linnet_model_free(model);
}

static void test_point(void) {
    linnet_model *model = load(rc);
    linnet_result *point;
    CU_ASSERT_FATAL(linnet_operating_point(model, &point) == LINNET_OK);
    CU_ASSERT(linnet_result_rows(point) == 1);
    CHECK_CLOSE(linnet_result_signal(point, "out")[0], 1, 1e-12);
    CHECK_CLOSE(linnet_result_signal(point, "R1.i")[0] * 1e3, 1, 1e-12);
    linnet_result_free(point);
    linnet_model_free(model);
}

static void test_small_signals(void) {
    linnet_model *model = load(rc); /* pole at -(1/R1 + 1/R2)/C = -2000/s, gain 1/2 */
    linnet_modes *modes;
    CU_ASSERT_FATAL(linnet_eigenvalues(model, NULL, 0, &modes) == LINNET_OK);
    CU_ASSERT_FATAL(modes->count == 1);
    CHECK_CLOSE(modes->modes[0].re / 2000, -1, 1e-12);
    CHECK_TEXT(modes->modes[0].states[0].name, "C1.v");
    linnet_modes_free(modes);

    const double corner = 2000 / (2 * acos(-1)), frequencies[] = {0, corner};
    linnet_result *response;
    CU_ASSERT_FATAL(linnet_response(model, NULL, "V1", "out R1.i", frequencies, 2, &response) ==
                    LINNET_OK);
    CHECK_CLOSE(linnet_result_time(response)[1], corner, 0);
    CHECK_CLOSE(linnet_result_signal(response, "out.re")[0], 0.5, 1e-12);
    CHECK_CLOSE(linnet_result_signal(response, "out.re")[1], 0.25, 1e-12);
    CHECK_CLOSE(linnet_result_signal(response, "out.im")[1], -0.25, 1e-12);
    linnet_result_free(response);

    linnet_state_space *space;
    CU_ASSERT_FATAL(linnet_linearise(model, "5 ms", "V1", "out R1.i", &space) == LINNET_OK);
    CU_ASSERT_FATAL(space->nstates == 1 && space->ninputs == 1 && space->noutputs == 2);
    CHECK_CLOSE(space->A[0] / 2000, -1, 1e-12);
    CHECK_CLOSE(space->B[0] * space->C[0] / 1000, 1, 1e-12);
    CHECK_CLOSE(space->D[1] * 1e3, 1, 1e-12);
    CHECK_TEXT(space->states[0], "out");
    CHECK_TEXT(space->outputs[1], "R1.i");
    linnet_state_space_free(space);

    linnet_result *none = NULL;
    CU_ASSERT(linnet_response(model, NULL, "V2", "out", frequencies, 2, &none) == LINNET_USAGE);
    CU_ASSERT(none == NULL && linnet_diagnostic_count(model) > 0);
    linnet_model_free(model);
}

/* L = 4/(s + 1)^3: -180 degrees at w = sqrt(3), |L| = 4/8; |L| = 1 at w^2 = 4^(2/3) - 1. */
static void test_margins(void) {
    const double turn = 2 * acos(-1), w = sqrt(pow(4, 2.0 / 3) - 1);
    linnet_model *model = load(loop);
    linnet_margins margins;
    CU_ASSERT_FATAL(linnet_loop_margins(model, NULL, "e", &margins) == LINNET_OK);
    CU_ASSERT(margins.stable == 1);
    CHECK_CLOSE(margins.gain, 2, 1e-9);
    CHECK_CLOSE(margins.gain_at * turn, sqrt(3), 1e-9);
    CHECK_CLOSE(margins.phase, 180 - 3 * atan(w) * 360 / turn, 1e-7);
    CHECK_CLOSE(margins.phase_at * turn, w, 1e-9);
    CHECK_CLOSE(margins.delay, margins.phase / 360 * turn / w, 1e-9);
    CU_ASSERT(linnet_set(model, "G.numerator", "16") == LINNET_OK);
    CU_ASSERT_FATAL(linnet_loop_margins(model, NULL, "e", &margins) == LINNET_OK);
    CU_ASSERT(margins.stable == 0);
    linnet_model_free(model);
}

static void test_measures_and_sweep(void) {
    linnet_model *model = load(rc);
    CU_ASSERT(linnet_measure(model, "last=final(out)") == LINNET_OK);
    CU_ASSERT_FATAL(linnet_run(model, NULL) == LINNET_OK);
    CU_ASSERT_FATAL(linnet_measured_count(model) == 2);
    CHECK_TEXT(linnet_measured(model, 1).name, "last");
    CHECK_TEXT(linnet_measured(model, 1).unit, "V");
    CHECK_CLOSE(linnet_measured(model, 1).value, 1 - exp(-20), 1e-6);
    CU_ASSERT(linnet_measured(model, 2).name == NULL && isnan(linnet_measured(model, 2).value));

    static const char *const vary[] = {"load=1 kOhm,3 kOhm", "R2.R=1k:3k:3"};
    linnet_result *cases = NULL;
    linnet_status status = linnet_sweep(model, &(linnet_sweep_plan){vary, 2, 0, 1}, 2, &cases);
    CU_ASSERT_FATAL(status == LINNET_OK && cases != NULL);
    CU_ASSERT_FATAL(linnet_result_rows(cases) == 6);
    for (size_t k = 0; k < 6; k++) {
        const double r1 = linnet_result_signal(cases, "load")[k];
        const double r2 = linnet_result_signal(cases, "R2.R")[k];
        CHECK_CLOSE(r1, k < 3 ? 1000 : 3000, 0);
        CHECK_CLOSE(r2, 1000 + 1000 * (double)(k % 3), 0);
        const double rate = (1 / r1 + 1 / r2) / 1e-6, end = 2 * r2 / (r1 + r2);
        CHECK_CLOSE(linnet_result_signal(cases, "last")[k], end * (1 - exp(-0.01 * rate)), 1e-5);
        CU_ASSERT(linnet_result_signal(cases, "failed")[k] == 0);
    }
    linnet_result_free(cases);
    static const char *const wrong[] = {"lod=1k,2k"};
    CU_ASSERT(linnet_sweep(model, &(linnet_sweep_plan){wrong, 1, 0, 1}, 1, &cases) ==
                  LINNET_USAGE &&
              cases == NULL);
    linnet_model_free(model);
}

/* What is missing is an error, never a crash. */
static void test_nothing(void) {
    linnet_result *result;
    linnet_list *list;
    linnet_modes *modes;
    linnet_state_space *space;
    linnet_margins margins;
    CU_ASSERT(linnet_load(NULL, "x") == LINNET_USAGE && linnet_check(NULL) == LINNET_USAGE);
    CU_ASSERT(linnet_run(NULL, NULL) == LINNET_USAGE && linnet_set(NULL, "a", "1") == LINNET_USAGE);
    CU_ASSERT(linnet_operating_point(NULL, &result) == LINNET_USAGE);
    CU_ASSERT(linnet_list_names(NULL, LINNET_LIST_BLOCKS, &list) == LINNET_USAGE);
    CU_ASSERT(linnet_diagnostic_count(NULL) == 0 && linnet_diagnostic_at(NULL, 0) == NULL);
    linnet_model *model = linnet_model_new(); /* nothing is loaded */
    CU_ASSERT(linnet_operating_point(model, &result) == LINNET_USAGE && result == NULL);
    CU_ASSERT(linnet_list_names(model, LINNET_LIST_LINKS, &list) == LINNET_USAGE && list == NULL);
    CU_ASSERT(linnet_eigenvalues(model, NULL, 0, &modes) == LINNET_USAGE && modes == NULL);
    CU_ASSERT(linnet_linearise(model, NULL, "u", "y", &space) == LINNET_USAGE && space == NULL);
    CU_ASSERT(linnet_loop_margins(model, NULL, "y", &margins) == LINNET_USAGE);
    CU_ASSERT(linnet_option(model, "stepp", "1") == LINNET_USAGE);
    CU_ASSERT_FATAL(linnet_diagnostic_count(model) == 1);
    CHECK_TEXT(linnet_diagnostic_at(model, 0)->text,
               "error: there is no option 'stepp'; did you mean 'step'?");
    linnet_model_free(model);
    linnet_list_free(NULL);
    linnet_modes_free(NULL);
    linnet_state_space_free(NULL);
}

UNIT_MAIN({"names", test_names}, {"operating point", test_point},
          {"small signals", test_small_signals}, {"margins", test_margins},
          {"measures and sweeps", test_measures_and_sweep}, {"nothing", test_nothing})
