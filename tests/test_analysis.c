/* SPDX-License-Identifier: MIT */
/* The room `analysis`: the rules that fill the settings, what is recorded under which name and
 * unit, references, counts. Expected numbers are closed forms. */
#include "unit.h"

#include "analysis/check.h"
#include "analysis/verify.h"
#include "base/sys.h"
#include <stdlib.h>
#include <unistd.h>

/* ---- a model on its way ---- */

typedef struct way {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
    ln_table_rows rows;
    linnet_status status;
} way;

static way prepare(const char *xml, ln_request request) {
    way path = {.report = ln_report_new(NULL, NULL)};
    path.status = ln_model_read_memory("m.xml", xml, strlen(xml), NULL, path.report, &path.model);
    CU_ASSERT_FATAL(path.status == LINNET_OK);
    path.status =
        ln_simulation_prepare(&path.simulation, path.model, &request, 1, NULL, path.report);
    return path;
}

static way run(const char *xml, ln_request request) {
    way path = prepare(xml, request);
    if (path.status == LINNET_OK)
        path.status = ln_simulation_run(&path.simulation, ln_sink_memory(&path.rows, path.report),
                                        NULL, NULL);
    if (path.status != LINNET_OK && ln_report_text(path.report, 0) != NULL)
        printf("\n    %s", ln_report_text(path.report, 0));
    return path;
}

static void end(way *path) {
    ln_simulation_free(&path->simulation);
    ln_model_free(path->model);
    ln_report_free(path->report);
    ln_sys->release(path->rows.data);
}

static double last(const way *path, int column) {
    CU_ASSERT_FATAL(path->rows.nrows > 0 && column < path->rows.ncolumns);
    return path->rows
        .data[(path->rows.nrows - 1) * (size_t)(path->rows.ncolumns + 1) + (size_t)column + 1];
}

static const char *title(const way *path, int column) {
    int count;
    const ln_column *columns = ln_recorder_columns(path->simulation.recorder, &count);
    return column < count ? columns[column].name : NULL;
}

static const char *unit(const way *path, int column) {
    int count;
    const ln_column *columns = ln_recorder_columns(path->simulation.recorder, &count);
    return column < count ? columns[column].unit : NULL;
}

/* Does the i-th message hold this text? */
static int says(const way *path, int i, const char *text) {
    const char *message = ln_report_text(path->report, i);
    if (message != NULL && strstr(message, text) != NULL)
        return 1;
    printf("\n    message %d is \"%s\",\n    expected \"%s\" in it\n", i,
           message != NULL ? message : "(none)", text);
    return 0;
}

#define RC(simulation, more)                                                              \
    "<model name='rc' xmlns='urn:linnet:model:1'><parameter name='load' value='1 kOhm'/>" \
    "<ground id='gnd' p='0'/><voltage-source id='V1' p='in' n='0' V='1 V'/>"              \
    "<resistor id='R1' p='in' n='out' R='load'/><capacitor id='C1' p='out' n='0' C='1 "   \
    "uF'/>" simulation more "</model>"
#define LAG(simulation, more)                                                           \
    "<model name='lag' xmlns='urn:linnet:model:1'><constant id='u' out='r' value='1'/>" \
    "<first-order id='p' in='r' out='y' T='1'/>" simulation more "</model>"

/* ---- settings ---- */

static void chooses(const char *xml, ln_request request, const char *method, double step,
                    double tolerance) {
    way path = prepare(xml, request);
    CU_ASSERT(path.status == LINNET_OK);
    if (path.status == LINNET_OK) {
        CHECK_TEXT(path.simulation.settings.method->name, method);
        CHECK_CLOSE(path.simulation.settings.step, step, 0);
        CHECK_CLOSE(path.simulation.settings.tolerance, tolerance, 0);
    } else {
        printf("\n    %s", ln_report_text(path.report, 0));
    }
    end(&path);
}

static void test_method_rule(void) {
    const ln_request none = {0};
    chooses(RC("<simulation duration='1 ms'/>", ""), none, "radau5", 0, 1e-4);
    chooses(RC("<simulation duration='1 ms' step='1 us'/>", ""), none, "crank-nicolson", 1e-6, 0);
    chooses(RC("<simulation duration='1 ms' tolerance='1e-6' step='10 us'/>", ""), none, "radau5",
            1e-5, 1e-6);
    chooses(LAG("<simulation duration='1'/>", ""), none, "radau5", 0, 1e-4);
    chooses(LAG("<simulation duration='1' step='0.1'/>", ""), none, "rk4", 0.1, 0);
}

static void test_request_wins(void) {
    const char *xml = RC("<simulation duration='1 ms' step='1 us' method='backward-euler'/>", "");
    chooses(xml, (ln_request){.step = "2us"}, "backward-euler", 2e-6, 0);
    chooses(xml, (ln_request){.method = "rk4"}, "rk4", 1e-6, 0);
    chooses(xml, (ln_request){.method = "tr-bdf2", .tolerance = "1e-5"}, "tr-bdf2", 0, 1e-5);
    chooses(xml, (ln_request){.method = "tr-bdf2", .tolerance = "1e-5", .step = "10 us"}, "tr-bdf2",
            1e-5, 1e-5);
    way path = prepare(xml, (ln_request){.duration = "load*C", .step = "1us"});
    CU_ASSERT(path.status == LINNET_USAGE); /* C is not in scope: told as the option's fault */
    end(&path);
    path = prepare(xml, (ln_request){.duration = "2*load*1 uF", .start_time = "1 ms"});
    CU_ASSERT(path.status == LINNET_OK);
    CHECK_CLOSE(path.simulation.settings.begin, 1e-3, 0);
    CHECK_CLOSE(path.simulation.settings.end, 3e-3, 1e-15);
    end(&path);
}

static void refuses(const char *xml, ln_request request, linnet_status status,
                    const char *message) {
    way path = prepare(xml, request);
    CU_ASSERT(path.status == status);
    if (path.status != status)
        printf("\n    status %d, expected %d", path.status, status);
    CU_ASSERT(says(&path, 0, message));
    end(&path);
}

static void test_wrong_settings(void) {
    const ln_request none = {0};
    refuses(RC("", ""), none, LINNET_MODEL,
            "m.xml: error: the model has no <simulation> element; add");
    refuses(RC("<simulation step='1 us'/>", ""), none, LINNET_MODEL, "it has no duration");
    refuses(RC("<simulation duration='0'/>", ""), none, LINNET_MODEL,
            "simulation: duration is 0; it must be a time above 0");
    refuses(RC("<simulation duration='1' step='-1 us'/>", ""), none, LINNET_MODEL,
            "simulation: step is -1 us");
    refuses(RC("<simulation duration='1' tolerance='0'/>", ""), none, LINNET_MODEL,
            "simulation: tolerance is 0");
    refuses(RC("<simulation duration='1' step='1 kg'/>", ""), none, LINNET_MODEL,
            "m.xml:1: error:");
    refuses(RC("<simulation duration='1' step='1 ps'/>", ""), none, LINNET_MODEL, "1e+12 steps");
    refuses(RC("<simulation duration='1' method='rk5'/>", ""), none, LINNET_MODEL,
            "'rk5' is no method; did you mean 'rk4'");
    refuses(RC("<simulation duration='1' start='rest'/>", ""), none, LINNET_MODEL,
            "it must be 'values' or 'operating-point'");
    refuses(RC("<simulation duration='1' method='heun' tolerance='1e-3'/>", ""), none, LINNET_MODEL,
            "'heun' needs a fixed step; give a step, or take backward-euler");
    refuses(
        RC("<simulation duration='1' method='radau5' step='1 us'/>", ""), none, LINNET_MODEL,
        "'radau5' chooses its own steps; give a tolerance beside the step, or take backward-euler");
    refuses(RC("<simulation duration='1' method='euler'/>", ""), none, LINNET_MODEL,
            "'euler' needs a fixed step");
    refuses(RC("<simulation duration='1'/>", ""), (ln_request){.method = "rk44", .prefix = "--"},
            LINNET_USAGE, "option --method: 'rk44' is no method");
    refuses(RC("<simulation duration='1'/>", ""), (ln_request){.step = "5 kohms", .prefix = "--"},
            LINNET_USAGE, "option --step");
    refuses(RC("<simulation duration='1'/>", ""), (ln_request){.tolerance = "2"}, LINNET_USAGE,
            "option tolerance is 2");
}

static void test_all_errors_told(void) {
    way path = prepare(
        RC("<simulation duration='0' step='-1' method='rk5'/>", "<record signals='nothing'/>"),
        (ln_request){0});
    CU_ASSERT(path.status == LINNET_MODEL);
    CU_ASSERT(ln_report_errors(path.report) == 4);
    end(&path);
}

static void test_unknown_override(void) {
    ln_override wrong = {"R1.Ohm", "5"};
    refuses(RC("<simulation duration='1'/>", ""),
            (ln_request){.overrides = &wrong, .noverrides = 1}, LINNET_USAGE, "Ohm");
    ln_override load = {"load", "2 kOhm"};
    way path = run(RC("<simulation duration='2 ms' step='1 us'/>", "<record signals='out'/>"),
                   (ln_request){.overrides = &load, .noverrides = 1});
    CU_ASSERT(path.status == LINNET_OK);
    CHECK_CLOSE(last(&path, 0), 1 - exp(-1), 1e-6);
    end(&path);
}

/* ---- recording ---- */

static void test_names_and_patterns(void) {
    way path = run(RC("<simulation duration='1 ms' step='1 us'/>",
                      "<record signals='R1.*, out in'/><record signals='o*t R1.i'/>"),
                   (ln_request){0});
    CU_ASSERT(path.status == LINNET_OK);
    static const char *const names[] = {"R1.P", "R1.i", "R1.v", "out", "in"};
    for (int k = 0; k < 5; k++)
        CHECK_TEXT(title(&path, k), names[k]);
    CU_ASSERT(title(&path, 5) == NULL); /* nothing twice */
    CHECK_TEXT(unit(&path, 0), "W");
    CHECK_TEXT(unit(&path, 1), "A");
    double e = exp(-1);
    CHECK_CLOSE(last(&path, 1), e * 1e-3, 1e-9);
    CHECK_CLOSE(last(&path, 0), e * e * 1e-3, 1e-9);
    CU_ASSERT(path.rows.nrows == 1001 && path.simulation.rows == 1001);
    end(&path);
}

static void test_all_links_by_default(void) {
    way path = run(RC("<simulation duration='1 ms' step='1 us'/>", ""), (ln_request){0});
    CHECK_TEXT(title(&path, 0), "in"); /* and not the link 0, which is held at zero */
    CHECK_TEXT(title(&path, 1), "out");
    CU_ASSERT(title(&path, 2) == NULL);
    end(&path);
}

static void test_stored_flux(void) {
    way path = run(RC("<simulation duration='1 ms' step='1 us'/>", "<record signals='C1.i C1.P'/>"),
                   (ln_request){0});
    CU_ASSERT(path.status == LINNET_OK);
    CHECK_CLOSE(1e3 * last(&path, 0), exp(-1), 1e-6);
    CHECK_CLOSE(1e3 * last(&path, 1), exp(-1) * (1 - exp(-1)), 1e-6);
    end(&path);
}

static void test_expressions(void) {
    way path = run(RC("<simulation duration='1 ms' step='1 us'/>",
                      "<record name='p' expression='in*R1.i' unit='mW'/><record name='twice' "
                      "expression='2*out + 1 V'/>"
                      "<record name='n' expression='load/R1.R + t/1 s'/><record name='side' "
                      "expression='if(t lt 0.5 ms, 1, 2)'/>"),
                   (ln_request){0});
    CU_ASSERT(path.status == LINNET_OK);
    CHECK_CLOSE(last(&path, 0), exp(-1), 1e-6); /* 1 V * e^-1 mA, in mW */
    CHECK_TEXT(unit(&path, 0), "mW");
    CHECK_CLOSE(last(&path, 1), 2 * (1 - exp(-1)) + 1, 1e-6);
    CHECK_TEXT(unit(&path, 1), "V");
    CHECK_CLOSE(last(&path, 2), 1.001, 1e-12);
    CHECK_CLOSE(last(&path, 3), 2, 0);
    end(&path);
}

static void test_wrong_records(void) {
    const ln_request none = {0};
#define WITH(record) RC("<simulation duration='1 ms' step='1 us'/>", record)
    refuses(WITH("<record signals='R1.w'/>"), none, LINNET_MODEL,
            "there is no 'R1.w'; R1 has P, i, v");
    refuses(WITH("<record signals='outt'/>"), none, LINNET_MODEL, "did you mean 'out'?");
    refuses(WITH("<record signals='X*'/>"), none, LINNET_MODEL, "there is no 'X*'");
    refuses(WITH("<record name='p' expression='in*R1.i' unit='V'/>"), none, LINNET_MODEL,
            "does not fit the unit V");
    refuses(WITH("<record name='p' expression='in' unit='Volts'/>"), none, LINNET_MODEL,
            "'Volts' is no unit");
    refuses(WITH("<record name='p' expression='in + '/>"), none, LINNET_MODEL, "m.xml:1: error:");
    refuses(WITH("<record name='p' expression='in + R1.i'/>"), none, LINNET_MODEL,
            "m.xml:1: error:");
    refuses(WITH("<record name='p' expression='in + nowhere'/>"), none, LINNET_MODEL,
            "there is no 'nowhere'");
    refuses(WITH("<record name='p' expression='1'/><record name='p' expression='2'/>"), none,
            LINNET_MODEL, "recorded twice");
    refuses(WITH("<record name='p'/>"), none, LINNET_MODEL, "record: give either");
}

static void test_interval(void) {
    way path = run(RC("<simulation duration='1 ms' step='3 us' interval='0.1 ms'/>",
                      "<record signals='out'/>"),
                   (ln_request){0});
    CU_ASSERT(path.status == LINNET_OK);
    CU_ASSERT_FATAL(path.rows.nrows == 11);
    for (size_t k = 0; k < 11; k++) {
        CHECK_CLOSE(path.rows.data[2 * k] * 1e4, (double)k, 1e-9);
        CHECK_CLOSE(path.rows.data[2 * k + 1], 1 - exp(-0.1 * (double)k), 1e-5);
    }
    end(&path);
}

/* ---- references ---- */

typedef struct verdict {
    linnet_status status;
    ln_references references;
    ln_arena *arena;
    way path;
} verdict;

static verdict verify(const char *path, const char *references) {
    char xml[2048];
    snprintf(xml, sizeof xml, RC("<simulation duration='1 ms' step='1 us'/>", "%s"), references);
    verdict v = {.arena = ln_arena_new(), .path = {.report = ln_report_new(NULL, NULL)}};
    v.status = ln_model_read_memory(path, xml, strlen(xml), NULL, v.path.report, &v.path.model);
    CU_ASSERT_FATAL(v.status == LINNET_OK);
    ln_request none = {0};
    v.status =
        ln_verify_prepare(&v.path.simulation, v.path.model, &none,
                          &(ln_references_choice){NULL, v.arena, &v.references}, v.path.report);
    if (v.status == LINNET_OK)
        v.status = ln_verify_run(&v.path.simulation, &v.references, NULL, NULL);
    return v;
}

static void end_verdict(verdict *v) {
    end(&v->path);
    ln_arena_free(v->arena);
}

static void test_reference_met_and_missed(void) {
    verdict v =
        verify("m.xml", "<reference signal='out' value='1 - exp(-t/1 ms)' tolerance='1e-6'/>"
                        "<reference signal='out' value='1.1 - exp(-t/1 ms)' tolerance='1e-6'/>");
    CU_ASSERT(v.status == LINNET_MISSED);
    CU_ASSERT_FATAL(v.references.count == 2);
    CU_ASSERT(v.references.items[0].met && v.references.items[0].worst < 1e-7 &&
              v.references.items[0].worst > 0);
    CU_ASSERT(v.references.items[0].compared == 1001);
    CU_ASSERT(!v.references.items[1].met);
    CHECK_CLOSE(v.references.items[1].worst, 0.1, 1e-6);
    end_verdict(&v);
}

/* times off the grid are hit; the tolerance is checked there only */
static void test_reference_at(void) {
    verdict v = verify(
        "m.xml",
        "<reference signal='out' value='1 - exp(-0.00012345*1000)' at='123.45us' tolerance='1e-6'/>"
        "<reference signal='R1.i' value='1 mA*exp(-t/1 ms)' at='0.1 ms, 0.9999 ms, 1 ms'/>");
    CU_ASSERT(v.status == LINNET_OK);
    CU_ASSERT_FATAL(v.references.count == 2);
    CU_ASSERT(v.references.items[0].compared == 1 && v.references.items[1].compared == 3);
    end_verdict(&v);
}

static void test_reference_of_expression(void) {
    verdict v =
        verify("m.xml", "<record name='p' expression='in*R1.i' unit='mW'/><record signals='out'/>"
                        "<reference signal='p' value='1 mW*exp(-t/1 ms)'/><reference signal='p' "
                        "value='exp(-t/1 ms)'/>"
                        "<reference signal='C1.i' value='R1.i'/>");
    CU_ASSERT(v.status == LINNET_OK);
    CU_ASSERT(v.references.count == 3);
    end_verdict(&v);
}

static void test_wrong_references(void) {
    static const struct {
        const char *references, *message;
    } wrong[] = {
        {"", "there is nothing to verify"},
        {"<reference signal='outt' value='1'/>", "did you mean 'out'?"},
        {"<reference signal='out'/>", "give either value"},
        {"<reference signal='out' value='1' tolerance='0'/>", "tolerance is 0"},
        {"<reference signal='out' value='1' at='2ms'/>", "lies outside the run"},
        {"<reference signal='out' value='1 A'/>", "does not fit"},
        {"<reference signal='out' file='/etc/passwd'/>", "lies outside the model's folder"},
        {"<reference signal='out' file='../../../../../../etc/passwd'/>", "reference:"},
        {"<reference signal='out' file='nothing.csv'/>", "cannot read 'nothing.csv'"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        verdict v = verify("m.xml", wrong[k].references);
        CU_ASSERT(v.status == (k == 8 ? LINNET_IO : LINNET_MODEL) ||
                  (k == 7 && v.status == LINNET_IO));
        CU_ASSERT(says(&v.path, 0, wrong[k].message));
        end_verdict(&v);
    }
}

static void test_reference_file(void) {
    char folder[] = "/tmp/linnet-analysis-XXXXXX", model[64], file[64];
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    snprintf(model, sizeof model, "%s/m.xml", folder);
    snprintf(file, sizeof file, "%s/ref.csv", folder);
    FILE *csv = fopen(file, "w");
    CU_ASSERT_FATAL(csv != NULL);
    fputs("time,out,other\n", csv); /* the last row lies behind the run */
    for (int k = 0; k <= 12; k++)
        fprintf(csv, "%.17g,%.17g,%d\n", 0.1e-3 * k, 1 - exp(-0.1 * k), k);
    fclose(csv);
    verdict v = verify(
        model, "<reference signal='out' file='ref.csv' tolerance='1e-6'/>"
               "<reference signal='out' file='ref.csv' at='0.3 ms, 0.7 ms' tolerance='1e-6'/>");
    CU_ASSERT(v.status == LINNET_OK);
    CU_ASSERT(v.references.count == 2 && v.references.items[0].compared == 11 &&
              v.references.items[1].compared == 2);
    end_verdict(&v);
    v = verify(model, "<reference signal='in' file='ref.csv'/>");
    CU_ASSERT(v.status == LINNET_MODEL && says(&v.path, 0, "has no column 'in'"));
    end_verdict(&v);
    v = verify(model, "<reference signal='out' file='ref.csv' at='0.35ms'/>");
    CU_ASSERT(v.status == LINNET_MODEL && says(&v.path, 0, "no row at 0.00035 s"));
    end_verdict(&v);
    unlink(file);
    rmdir(folder);
}

/* ---- counting, stopping ---- */

static void test_census(void) {
    way path = prepare(
        RC("<simulation duration='1 ms'/>",
           "<capacitor id='C2' p='in' n='x' C='1 uF'/><capacitor id='C3' p='x' n='out' C='1 uF'/>"
           "<diode id='D1' p='out' n='0'/><constant id='k' out='s' value='1'/>"),
        (ln_request){0});
    ln_census census;
    CU_ASSERT_FATAL(path.status == LINNET_OK);
    CU_ASSERT(ln_census_take(&path.simulation, &census) == LINNET_OK);
    CU_ASSERT(census.blocks == 8 && census.links == 5 && census.links_of[LINNET_ELECTRICAL] == 4);
    CU_ASSERT(census.links_of[LINNET_SIGNAL] == 1 && census.nonlinear == 1);
    /* three capacitors, three rows of charge; x is joined by capacitors only */
    CU_ASSERT(census.states == 3);
    end(&path);
}

static int stop_at_once(void *context) {
    return ++*(int *)context > 10;
}

static void test_stop(void) {
    way path = prepare(RC("<simulation duration='1 ms' step='1 us'/>", ""), (ln_request){0});
    int polls = 0;
    linnet_status status = ln_simulation_run(
        &path.simulation, ln_sink_memory(&path.rows, path.report), stop_at_once, &polls);
    CU_ASSERT(status == LINNET_INTERRUPTED);
    CU_ASSERT(path.rows.nrows == 11); /* the start and ten steps */
    CHECK_CLOSE(path.simulation.statistics.t, 1e-5, 1e-15);
    end(&path);
}

/* ---- memory: any call may fail, once or from there on ---- */

static struct {
    long calls, fail_at, blocks;
    int from_there;
} memory;

static int memory_fails(void) {
    memory.calls++;
    return memory.fail_at > 0 &&
           (memory.from_there ? memory.calls >= memory.fail_at : memory.calls == memory.fail_at);
}

static void *allocate(size_t bytes) {
    void *block = memory_fails() ? NULL : ln_sys_real.allocate(bytes);
    memory.blocks += block != NULL;
    return block;
}

static void *resize(void *block, size_t bytes) {
    void *longer = memory_fails() ? NULL : ln_sys_real.resize(block, bytes);
    memory.blocks += longer != NULL && block == NULL;
    return longer;
}

static void release(void *block) {
    memory.blocks -= block != NULL;
    ln_sys_real.release(block);
}

/* From text to verdict with every kind of record and block; returns the status, frees everything.
 */
static linnet_status whole_way(void) {
    static const char xml[] =
        RC("<simulation duration='1 ms' tolerance='1e-3' method='tr-bdf2'/>",
           "<diode id='D1' p='in' n='out'/><voltage-sensor id='s1' p='out' n='0' out='q'/><sum "
           "id='s2' in='q' out='w'/><integrator id='l1' in='w' out='z'/>"
           "<spice-diode id='D2' p='in' n='out' IS='1e-14'/>"
           "<transfer-function id='h' in='w' out='y' numerator='1' denominator='1e-3 1'/>"
           "<transport-delay id='d' in='y' out='u' delay='0.1ms'/><hysteresis-relay id='r' in='u' "
           "out='v' off='0' on='1'/>"
           "<record signals='out C1.i R1.*'/><record name='e' expression='out*R1.i' unit='mW'/>"
           "<reference signal='e' value='0' tolerance='10'/><reference signal='out' value='t/1 s' "
           "at='0.5ms' "
           "tolerance='10'/>");
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    ln_model *model = NULL;
    ln_simulation simulation = {.method_why = ""};
    ln_references references;
    ln_request none = {0};
    linnet_status status = LINNET_MEMORY;
    if (report != NULL && arena != NULL)
        status = ln_model_read_memory("m.xml", xml, strlen(xml), NULL, report, &model);
    if (status == LINNET_OK) {
        status = ln_verify_prepare(&simulation, model, &none,
                                   &(ln_references_choice){NULL, arena, &references}, report);
        if (status == LINNET_OK)
            status = ln_verify_run(&simulation, &references, NULL, NULL);
        ln_simulation_free(&simulation);
        ln_model_free(model);
    }
    ln_arena_free(arena);
    ln_report_free(report);
    return status;
}

static void test_short_memory(void) {
    enum { STRIDE = 7 }; /* every seventh call, another seventh each in the two modes */
    ln_sys_table table = ln_sys_real;
    table.allocate = allocate;
    table.resize = resize;
    table.release = release;
    ln_sys = &table;
    memory.fail_at = 0;
    CU_ASSERT(whole_way() == LINNET_OK);
    for (memory.from_there = 0; memory.from_there < 2; memory.from_there++)
        for (memory.fail_at = 1 + memory.from_there;; memory.fail_at += STRIDE) {
            memory.calls = memory.blocks = 0;
            linnet_status status = whole_way();
            CU_ASSERT(memory.blocks == 0); /* nothing is lost */
            if (memory.calls < memory.fail_at)
                break;
            /* OK: it could do without */
            CU_ASSERT(status == LINNET_MEMORY || status == LINNET_OK);
        }
    ln_sys = &ln_sys_real;
    /* there was something to fail: the whole way asks for memory so often at least */
    CU_ASSERT(memory.fail_at > 1000);
}

UNIT_MAIN({"method and step by the rule", test_method_rule},
          {"a request wins over the model", test_request_wins},
          {"wrong settings", test_wrong_settings}, {"all errors are told", test_all_errors_told},
          {"overrides", test_unknown_override}, {"names and patterns", test_names_and_patterns},
          {"all links by default", test_all_links_by_default},
          {"flux of a storage", test_stored_flux}, {"expressions", test_expressions},
          {"wrong records", test_wrong_records}, {"interval", test_interval},
          {"references met and missed", test_reference_met_and_missed},
          {"references at times", test_reference_at},
          {"references of expressions", test_reference_of_expression},
          {"wrong references", test_wrong_references},
          {"references from files", test_reference_file}, {"counting", test_census},
          {"stopping", test_stop}, {"short memory", test_short_memory})
