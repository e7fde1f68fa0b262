/* SPDX-License-Identifier: MIT */
/* The public API, with the public headers alone: life of a model, settings, runs, results,
 * diagnostics. */
#include "unit.h"

#include <linnet/linnet.h>
#include <stdlib.h>
#include <unistd.h>

static const char rc[] =
    "<model name='rc' xmlns='urn:linnet:model:1'><parameter name='load' value='1 kOhm'/>\n"
    "<ground id='gnd' p='0'/><voltage-source id='V1' p='in' n='0' V='1 V'/>\n"
    "<resistor id='R1' p='in' n='out' R='load'/><capacitor id='C1' p='out' n='0' C='1 uF'/>\n"
    "<simulation duration='1 ms' step='1 us'/><record signals='out R1.i'/></model>";

static linnet_model *load(const char *text) {
    linnet_model *model = linnet_model_new();
    CU_ASSERT_FATAL(model != NULL);
    CU_ASSERT_FATAL(linnet_load_text(model, "rc.xml", text, strlen(text)) == LINNET_OK);
    return model;
}

static void test_version(void) {
    CHECK_TEXT(linnet_version(), LINNET_VERSION);
}

static void test_memory(void) {
    linnet_model *model = load(rc);
    linnet_result *result;
    CU_ASSERT_FATAL(linnet_run_memory(model, NULL, &result) == LINNET_OK);
    linnet_statistics statistics = linnet_last_run(model);
    linnet_model_free(model); /* the result outlives it */
    CU_ASSERT(linnet_result_rows(result) == 1001 && linnet_result_count(result) == 2);
    CHECK_TEXT(linnet_result_name(result, 1).name, "R1.i");
    CHECK_TEXT(linnet_result_name(result, 1).unit, "A");
    CU_ASSERT(linnet_result_name(result, 2).name == NULL &&
              linnet_result_name(result, -1).name == NULL);
    const double *t = linnet_result_time(result), *out = linnet_result_signal(result, "out");
    CU_ASSERT_FATAL(t != NULL && out != NULL);
    for (size_t i = 0; i < 1001; i += 100)
        CHECK_CLOSE(out[i], 1 - exp(-1e3 * t[i]), 1e-6);
    CU_ASSERT(linnet_result_signal(result, "in") == NULL &&
              linnet_result_values(result, 2) == NULL);
    int at = linnet_result_find(result, "out");
    CHECK_CLOSE(linnet_result_at(result, at, 0.5005e-3), (out[500] + out[501]) / 2, 1e-12);
    CHECK_CLOSE(linnet_result_at(result, at, 1e-3), out[1000], 0);
    CU_ASSERT(isnan(linnet_result_at(result, at, -1)) && isnan(linnet_result_at(result, at, 2)));
    CHECK_TEXT(statistics.method, "crank-nicolson");
    CU_ASSERT(statistics.steps == 1000 && statistics.points == 1001 && statistics.states == 1);
    CU_ASSERT(statistics.blocks == 4 && statistics.links == 3 && statistics.nonlinear == 0);
    linnet_result_free(result);
}

static double end_of(linnet_model *model, const char *signal) {
    linnet_result *result;
    double value = (double)NAN;
    if (linnet_run_memory(model, NULL, &result) == LINNET_OK &&
        linnet_result_signal(result, signal) != NULL)
        value = linnet_result_signal(result, signal)[linnet_result_rows(result) - 1];
    linnet_result_free(result);
    return value;
}

static void test_set_and_option(void) {
    linnet_model *model = load(rc);
    CU_ASSERT(linnet_set(model, "load", "2 kOhm") == LINNET_OK);
    CHECK_CLOSE(end_of(model, "out"), 1 - exp(-0.5), 1e-6);
    CU_ASSERT(linnet_set(model, "C1.C", "0.5 uF") == LINNET_OK);
    CHECK_CLOSE(end_of(model, "out"), 1 - exp(-1), 1e-6);
    CU_ASSERT(linnet_set(model, "load", NULL) == LINNET_OK);
    CHECK_CLOSE(end_of(model, "out"), 1 - exp(-2), 1e-6);
    CU_ASSERT(linnet_option(model, "duration", "0.5 ms") == LINNET_OK);
    CHECK_CLOSE(end_of(model, "out"), 1 - exp(-1), 1e-6);
    CU_ASSERT(linnet_option(model, "duration", NULL) == LINNET_OK);
    CU_ASSERT(linnet_option(model, "method", "rk4") == LINNET_OK &&
              linnet_option(model, "linear-solver", "dense") == LINNET_OK);
    CHECK_CLOSE(end_of(model, "out"), 1 - exp(-2), 1e-9);
    CHECK_TEXT(linnet_last_run(model).method, "rk4");
    CU_ASSERT(linnet_option(model, "stepp", "1") == LINNET_USAGE &&
              linnet_option(model, "linear-solver", "x") == LINNET_USAGE);
    CU_ASSERT(linnet_record(model, "C1.i") == LINNET_OK && linnet_record(model, "in") == LINNET_OK);
    CHECK_CLOSE(end_of(model, "C1.i") * 1e3, exp(-2), 1e-6);
    CHECK_CLOSE(end_of(model, "in"), 1, 1e-12);
    CU_ASSERT(isnan(end_of(model, "out")));
    linnet_model_free(model);
}

static void test_diagnostics(void) {
    linnet_model *model = linnet_model_new();
    static const char bad[] = "<model name='m' xmlns='urn:linnet:model:1'>\n<ground id='g' "
                              "p='0'/>\n<resitor id='R1' p='a' n='0'/>\n</model>";
    linnet_status status = linnet_load_text(model, "bad.xml", bad, strlen(bad));
    if (status == LINNET_OK)
        status = linnet_check(model);
    CU_ASSERT(status == LINNET_MODEL);
    CU_ASSERT_FATAL(linnet_diagnostic_count(model) > 0);
    const linnet_diagnostic *diagnostic = linnet_diagnostic_at(model, 0);
    CU_ASSERT(diagnostic->severity == LINNET_ERROR && diagnostic->line == 3);
    CHECK_TEXT(diagnostic->file, "bad.xml");
    CU_ASSERT(strstr(diagnostic->text, "bad.xml:3: error: ") == diagnostic->text &&
              strstr(diagnostic->text, "resistor") != NULL);
    CU_ASSERT(linnet_diagnostic_at(model, -1) == NULL &&
              linnet_diagnostic_at(model, linnet_diagnostic_count(model)) == NULL);
    linnet_model_free(model);

    model = load(rc);
    CU_ASSERT(linnet_check(model) == LINNET_OK && linnet_diagnostic_count(model) == 0);
    CU_ASSERT(linnet_set(model, "nothing", "1") == LINNET_OK &&
              linnet_check(model) == LINNET_USAGE);
    CU_ASSERT(linnet_diagnostic_count(model) == 1);
    CU_ASSERT(linnet_set(model, "nothing", NULL) == LINNET_OK && linnet_check(model) == LINNET_OK);
    CU_ASSERT(linnet_diagnostic_count(model) == 0); /* the messages of a call before are gone */
    linnet_model_free(model);
}

static void test_order_of_calls(void) {
    linnet_model *model = linnet_model_new();
    linnet_result *result = NULL;
    CU_ASSERT(linnet_run(model, NULL) == LINNET_USAGE && linnet_check(model) == LINNET_USAGE);
    CU_ASSERT(linnet_run_memory(model, NULL, &result) == LINNET_USAGE && result == NULL);
    CU_ASSERT(linnet_last_run(model).method == NULL);
    CU_ASSERT(linnet_load(model, "/nowhere/at-all.xml") == LINNET_IO &&
              linnet_diagnostic_count(model) == 1);
    CU_ASSERT(linnet_load_text(model, "rc.xml", rc, strlen(rc)) ==
              LINNET_OK); /* after a failure it may be tried again */
    CU_ASSERT(linnet_load_text(model, "rc.xml", rc, strlen(rc)) == LINNET_USAGE);
    CU_ASSERT(linnet_run(model, NULL) == LINNET_OK);
    linnet_model_free(model);
    linnet_model_free(NULL);
    linnet_result_free(NULL);
}

typedef struct seen {
    int begins, points, steps, stop_after, signals;
    double last_t, last_value;
} seen;

static int begin(void *context, int count, const linnet_signal *signals) {
    seen *record = context;
    record->begins++;
    record->signals = count;
    CHECK_TEXT(signals[0].name, "out");
    return 0;
}

static int point(void *context, double t, const double *values) {
    seen *record = context;
    record->last_t = t;
    record->last_value = values[0];
    return ++record->points == record->stop_after;
}

static int step(void *context, double t) {
    (void)t;
    ((seen *)context)->steps++;
    return 0;
}

static void test_watch(void) {
    linnet_model *model = load(rc);
    seen record = {0};
    linnet_watch watch = {&record, begin, point, step};
    CU_ASSERT(linnet_run(model, &watch) == LINNET_OK);
    CU_ASSERT(record.begins == 1 && record.points == 1001 && record.steps >= 1000 &&
              record.signals == 2);
    CHECK_CLOSE(record.last_t, 1e-3, 1e-15);
    CHECK_CLOSE(record.last_value, 1 - exp(-1), 1e-6);
    record = (seen){.stop_after = 101};
    linnet_result *result;
    CU_ASSERT(linnet_run_memory(model, &watch, &result) == LINNET_INTERRUPTED);
    /* what there is is kept */
    CU_ASSERT(record.points == 101 && linnet_result_rows(result) == 101);
    linnet_result_free(result);
    linnet_model_free(model);
}

static void test_file(void) {
    char folder[] = "/tmp/linnet-api-XXXXXX", path[64], line[256] = "";
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/rc.csv", folder);
    linnet_model *model = load(rc);
    CU_ASSERT(linnet_run_file(model, path, NULL) == LINNET_OK);
    FILE *file = fopen(path, "r");
    CU_ASSERT_FATAL(file != NULL);
    CU_ASSERT(fgets(line, sizeof line, file) != NULL);
    CHECK_TEXT(line, "time,out,R1.i\n");
    int rows = 0;
    while (fgets(line, sizeof line, file) != NULL)
        rows++;
    CU_ASSERT(rows == 1001);
    fclose(file);
    unlink(path);
    CU_ASSERT(linnet_run_file(model, "/nowhere/rc.csv", NULL) == LINNET_IO &&
              linnet_diagnostic_count(model) == 1);
    CU_ASSERT(linnet_run_file(model, "rc.unknown", NULL) == LINNET_USAGE &&
              linnet_diagnostic_count(model) == 1 && access("rc.unknown", F_OK) != 0);
    linnet_model_free(model);
    rmdir(folder);
}

/* ---- native types ---- */

static const linnet_port ports[] = {{"p", LINNET_ELECTRICAL, 0, NULL},
                                    {"n", LINNET_ELECTRICAL, 0, NULL}};
static const linnet_param params[] = {{"G", "S", "1 mS", 0, INFINITY, 0, NULL, 0, 1, 1, NULL}};
static const linnet_entry entries[] = {{0, 0, LINNET_A, LINNET_CONSTANT},
                                       {0, 1, LINNET_A, LINNET_CONSTANT},
                                       {1, 0, LINNET_A, LINNET_CONSTANT},
                                       {1, 1, LINNET_A, LINNET_CONSTANT}};
static void linear(const linnet_block *block, double *entry) {
    entry[0] = entry[3] = block->p[0];
    entry[1] = entry[2] = -block->p[0];
}
static const linnet_block_class leak = {.abi = LINNET_ABI,
                                        .name = "leak",
                                        .doc = "Leak",
                                        .ports = ports,
                                        .nports = 2,
                                        .params = params,
                                        .nparams = 1,
                                        .nvalues = 1,
                                        .entries = entries,
                                        .nentries = 4,
                                        .reference_port = -1,
                                        .linear = linear};

static void test_register(void) {
    static const char text[] =
        "<model name='m' xmlns='urn:linnet:model:1'><ground id='g' p='0'/>"
        "<capacitor id='C1' p='a' n='0' C='1 uF' v0='1 V'/><leak id='L1' p='a' n='0'/>"
        "<simulation duration='1 ms' step='1 us'/></model>";
    linnet_model *model = load(text);
    CU_ASSERT(linnet_check(model) == LINNET_MODEL); /* unknown as yet */
    CU_ASSERT(linnet_register(model, &leak) == LINNET_OK);
    CU_ASSERT(linnet_register(model, &leak) == LINNET_USAGE);
    CHECK_CLOSE(end_of(model, "a"), exp(-1), 1e-6);
    CU_ASSERT(linnet_set(model, "L1.G", "2 mS") == LINNET_OK);
    CHECK_CLOSE(end_of(model, "a"), exp(-2), 1e-6);
    linnet_block_class wrong = leak;
    wrong.abi = 99;
    CU_ASSERT(linnet_register(model, &wrong) == LINNET_USAGE && linnet_diagnostic_count(model) > 0);
    linnet_block_class taken = leak;
    taken.name = "resistor";
    CU_ASSERT(linnet_register(model, &taken) == LINNET_OK && linnet_check(model) == LINNET_USAGE);
    linnet_model_free(model);
}

UNIT_MAIN({"version", test_version}, {"into memory", test_memory},
          {"parameters and options", test_set_and_option}, {"diagnostics", test_diagnostics},
          {"order of calls", test_order_of_calls}, {"watching", test_watch},
          {"into a file", test_file}, {"native types", test_register})
