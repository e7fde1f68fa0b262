/* SPDX-License-Identifier: MIT */
/* Axes and draws of sweeps: the generator against the answers its authors publish, distributions
 * against their moments. */
#include "unit.h"

#include "analysis/vary.h"
#include "base/sys.h"
#include "model/model.h"
#include <Random123/philox.h>
#include <math.h>
#include <string.h>

/* kat_vectors of Random123 1.14: philox4x32 10, counter and key from the digits of pi. */
static void known_answer(void) {
    philox4x32_ctr_t counter = {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}};
    philox4x32_key_t key = {{0xa4093822, 0x299f31d0}};
    const uint32_t expected[4] = {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1};
    philox4x32_ctr_t got = philox4x32(counter, key);
    for (int k = 0; k < 4; k++)
        CU_ASSERT(got.v[k] == expected[k]);
}

/* 200 000 draws: mean within 5 of its standard deviations, Kolmogorov's distance below its limit of
 * 1e-6 chance. */
static void moments(void) {
    enum { N = 200000, CELLS = 100 };
    double sum = 0, square = 0, normal = 0, normals = 0, fourth = 0, product = 0;
    long cells[CELLS] = {0};
    for (unsigned long long k = 0; k < N; k++) {
        double u = ln_draw_uniform(1, k, "R1.R"), z = ln_draw_normal(7, k, "C1.C");
        CU_ASSERT(u > 0 && u < 1);
        sum += u;
        square += u * u;
        cells[(int)(u * CELLS)]++;
        normal += z;
        normals += z * z;
        fourth += z * z * z * z;
        product += (u - 0.5) * (ln_draw_uniform(1, k, "R2.R") - 0.5);
    }
    double below = 0, distance = 0;
    for (int k = 0; k < CELLS; k++) {
        below += (double)cells[k] / N;
        distance = fmax(distance, fabs(below - (k + 1.0) / CELLS));
    }
    CU_ASSERT(distance < 2.7 / sqrt(N));
    CHECK_CLOSE(sum / N, 0.5, 5 * sqrt(1.0 / 12 / N));
    CHECK_CLOSE(square / N, 1.0 / 3, 5 * sqrt(4.0 / 45 / N));
    CHECK_CLOSE(normal / N, 0, 5 / sqrt(N));
    CHECK_CLOSE(normals / N, 1, 5 * sqrt(2.0 / N));
    CHECK_CLOSE(fourth / N / 3, 1, 5 * sqrt(96.0 / N) / 3);
    CHECK_CLOSE(product / N * 12, 0, 5 / sqrt(N));
}

static const char xml[] =
    "<model name='m' xmlns='urn:linnet:model:1'><parameter name='load' unit='Ohm' value='2 kOhm'/>"
    "<ground id='g' p='0'/><resistor id='R1' p='a' n='0' R='load'/>"
    "<current-source id='I1' p='a' n='0' I='1 mA'/></model>";

typedef struct way {
    ln_report *report;
    ln_model *model;
    ln_network *network;
    ln_arena *arena;
    ln_axes axes;
    linnet_status status;
} way;

static way read_axes(const char *const *texts, int count, long draws) {
    way path = {.report = ln_report_new(NULL, NULL), .arena = ln_arena_new()};
    path.status = ln_model_read_memory("m.xml", xml, strlen(xml), NULL, path.report, &path.model);
    if (path.status == LINNET_OK)
        path.status = ln_network_build(NULL, path.model, NULL, 0, path.report, &path.network);
    CU_ASSERT_FATAL(path.status == LINNET_OK);
    path.status = ln_axes_read(path.network, &(ln_vary_plan){texts, count, draws, 1}, path.arena,
                               path.report, &path.axes);
    return path;
}

static void end(way *path) {
    ln_network_free(path->network);
    ln_model_free(path->model);
    ln_report_free(path->report);
    ln_arena_free(path->arena);
}

static void values(const char *text, long draws, int count, const char *const *expected) {
    way path = read_axes(&text, 1, draws);
    char buffer[96];
    CU_ASSERT(path.status == LINNET_OK);
    if (path.status == LINNET_OK)
        CHECK_CLOSE((double)path.axes.cases, count, 0);
    for (int k = 0; path.status == LINNET_OK && k < count && expected[k] != NULL; k++)
        CHECK_TEXT(ln_axis_value(&path.axes, 0, k, buffer), expected[k]);
    end(&path);
}

static void forms(void) {
    values("load=1kOhm:2kOhm:3", 0, 3, (const char *const[]){"1000 Ohm", "1500 Ohm", "2000 Ohm"});
    values("load=1:2:5", 0, 5, (const char *const[]){"1", "1.25", "1.5", "1.75", "2"});
    values("load=load/2:load:2", 0, 2, (const char *const[]){"1000 Ohm", "2000 Ohm"});
    values("load=log:1Ohm:10kOhm:5", 0, 5,
           (const char *const[]){"1 Ohm", "10 Ohm", "100 Ohm", "1000 Ohm", "10000 Ohm"});
    values("load=slow, min(1, 2) ,3 kOhm", 0, 3,
           (const char *const[]){"slow", "min(1, 2)", "3 kOhm"});
    values("R1.R=corner:10%", 0, 2, (const char *const[]){"1800 Ohm", "2200 Ohm"});
    values("load=corner:1kOhm,2kOhm", 0, 2, (const char *const[]){"1000 Ohm", "2000 Ohm"});
    values("load=normal(3 kOhm, 0 Ohm)", 2, 2, (const char *const[]){"3000 Ohm", "3000 Ohm"});
    values("load=uniform(5%)", 4, 4, (const char *const[]){NULL});
}

/* The values of a grid are made as they are asked for: 1e9 of them took 1.3 GB and 5 s before the
 * first case. */
static size_t left;

static void *take(size_t bytes) {
    if (bytes > left)
        return NULL;
    left -= bytes;
    return ln_sys_real.allocate(bytes);
}

static void large(void) {
    static const char *const texts[] = {"load=1 Ohm:2 Ohm:100000", "b=log:1:1e6:10000"};
    ln_sys_table table = ln_sys_real;
    char buffer[96];
    table.allocate = take;
    left = 1000000;
    ln_sys = &table;
    way path = read_axes(texts, 2, 0);
    ln_sys = &ln_sys_real;
    CU_ASSERT_FATAL(path.status == LINNET_OK);
    CHECK_CLOSE((double)path.axes.cases, 1e9, 0);
    CHECK_TEXT(ln_axis_value(&path.axes, 0, 9999, buffer), "1 Ohm");
    CHECK_TEXT(ln_axis_value(&path.axes, 1, 9999, buffer), "1000000");
    CHECK_TEXT(ln_axis_value(&path.axes, 1, 10000, buffer), "1");
    CHECK_TEXT(ln_axis_value(&path.axes, 0, 999999999, buffer), "2 Ohm");
    end(&path);
}

static void combinations(void) {
    static const char *const texts[] = {"a=1,2", "load=uniform(1,2)", "b=x,y,z"};
    way path = read_axes(texts, 3, 10);
    char buffer[96], other[96];
    CU_ASSERT_FATAL(path.status == LINNET_OK);
    CHECK_CLOSE((double)path.axes.cases, 60, 0);
    for (long k = 0; k < 60; k++) {
        CHECK_TEXT(ln_axis_value(&path.axes, 0, k, buffer), k < 30 ? "1" : "2");
        CHECK_TEXT(ln_axis_value(&path.axes, 2, k, buffer), k / 10 % 3 == 0   ? "x"
                                                            : k / 10 % 3 == 1 ? "y"
                                                                              : "z");
        if (k > 0)
            CU_ASSERT(strcmp(ln_axis_value(&path.axes, 1, k, buffer),
                             ln_axis_value(&path.axes, 1, k - 1, other)) != 0);
    }
    end(&path);
}

static void refuses(const char *text, const char *message) {
    way path = read_axes(&text, 1, 0);
    CU_ASSERT(path.status == LINNET_USAGE);
    const char *told = ln_report_text(path.report, 0);
    if (told == NULL || strstr(told, message) == NULL) {
        printf("\n    %s: is \"%s\"\n    expected \"%s\" in it", text,
               told != NULL ? told : "(none)", message);
        CU_FAIL("message");
    }
    end(&path);
}

static void errors(void) {
    refuses("load", "name or values are missing");
    refuses("load=", "name or values are missing");
    refuses("load=1:2:0", "at least 1");
    refuses("load=1 V:2 Ohm:3", "units of the two ends do not fit");
    refuses("load=log:0:1:3", "lies above 0");
    refuses("load=1,,2", "a value is missing");
    refuses("load=uniform(2,1)", "must be below");
    refuses("load=normal(1,-1)", "must not be negative");
    refuses("x=normal(5%)", "needs a parameter of the model");
    refuses("load=1:2:2000000000", "at least 1");
}

UNIT_MAIN({"known answer", known_answer}, {"moments", moments}, {"forms", forms},
          {"a thousand million", large}, {"combinations", combinations}, {"errors", errors})
