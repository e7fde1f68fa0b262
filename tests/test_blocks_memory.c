/* SPDX-License-Identifier: MIT */
/* Block types where memory is short: each request on the way from a definition to an instance fails
 * in turn. */
#include "base/sys.h"
#include "blocks/read_type.h"
#include "blocks_kit.h"
#include "unit.h"

static long allowed; /* requests that succeed before one fails */
static int fail_on;  /* and all behind it, too */

static int refuses(void) {
    return allowed-- == 0 || (fail_on && allowed < 0);
}
static void *scarce_allocate(size_t bytes) {
    return refuses() ? NULL : ln_sys_real.allocate(bytes);
}
static void *scarce_resize(void *block, size_t bytes) {
    return refuses() ? NULL : ln_sys_real.resize(block, bytes);
}

static ln_sys_table scarce;

/* Makes request k and, if asked, all behind it fail from here on. */
static void arm(long k, int forever) {
    scarce = ln_sys_real;
    scarce.allocate = scarce_allocate, scarce.resize = scarce_resize;
    allowed = k;
    fail_on = forever;
    ln_sys = &scarce;
}

/* 1 when no request has failed since arm(). */
static int disarm(void) {
    ln_sys = &ln_sys_real;
    return allowed >= 0;
}

/* Everything between a definition and an instance, with each request for memory failing in turn: an
 * error each time, no crash, nothing lost (the leak checker sees to that). */
static void check_short(const char *element, int nentries, int nvars, int forever) {
    int done = 0;
    for (long k = 0; !done && k < 5000; k++) {
        kit setup;
        ln_report *report = ln_report_new(NULL, NULL);
        ln_catalogue *catalogue = ln_catalogue_new(NULL, report, NULL);
        arm(k, forever);
        kit_instance(&setup, catalogue, report, element);
        done = disarm();
        CU_ASSERT(done ? setup.status == LINNET_OK : !forever || setup.status != LINNET_OK);
        if (setup.status == LINNET_OK) { /* a failure that did no harm must have done none */
            CU_ASSERT_EQUAL(setup.class->nentries, nentries);
            CU_ASSERT_EQUAL(setup.class->nvars, nvars);
        }
        kit_free(&setup);
        ln_catalogue_free(catalogue);
        ln_report_free(report);
    }
    CU_ASSERT(done);
}

static void test_memory(void) {
    static const struct {
        const char *element;
        int nentries, nvars;
    } cases[] = {{"<resistor p='a' n='b' R='1 Ohm'/>", 4, 0},
                 {"<current-sensor p='a' n='b' out='y'/>", 6, 1},
                 {"<diode p='a' n='b'/>", 4, 0},
                 {"<transfer-function in='u' out='y' numerator='1' denominator='1 2 3'/>", 8, 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int forever = 0; forever < 2; forever++)
            check_short(cases[k].element, cases[k].nentries, cases[k].nvars, forever);
    int done = 0;
    for (long k = 0; !done; k += 1 + k / 7) { /* thousands of requests: samples of them */
        ln_report *report = ln_report_new(NULL, NULL);
        arm(k, 0);
        linnet_status status;
        ln_catalogue *catalogue = ln_catalogue_new(NULL, report, &status);
        done = disarm();
        CU_ASSERT(catalogue != NULL ? status == LINNET_OK : !done && status == LINNET_MEMORY);
        ln_catalogue_free(catalogue);
        ln_report_free(report);
    }
}

/* A type with arrays, from its elements to the list of equations: all or an error, nothing lost. */
static void test_arrays(void) {
    static const char text[] =
        "<model name='m'><block-type name='a'><number name='n' value='2'/>"
        "<parameter name='A' size='n, n' default='1 2; 3 4'/><state name='x' size='n' index='i' "
        "start='i'/>"
        "<let name='y' size='n' index='i' value='sum(j = 1 .. n, if(i eq j, 0, A[i, j]*x[j]))'/>"
        "<equation for='i = 1 .. n' where='i gt 0'>der(x[i]) = y[i] + "
        "x[i]*sin(x[1])</equation></block-type></model>";
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *model = NULL;
    int done = 0;
    CU_ASSERT_EQUAL_FATAL(ln_model_read_memory("m.xml", text, strlen(text), NULL, report, &model),
                          LINNET_OK);
    for (long k = 0; !done && k < 5000; k++) {
        ln_equations *equations = NULL;
        arm(k, 1);
        linnet_status status = ln_read_type(&model->definitions[0], NULL, NULL, report, &equations);
        done = disarm();
        CU_ASSERT_EQUAL(status == LINNET_OK, done);
        if (status == LINNET_OK)
            CU_ASSERT_EQUAL(equations->nequations, 2);
        if (status == LINNET_OK)
            ln_equations_free(equations);
    }
    CU_ASSERT(done);
    ln_model_free(model);
    ln_report_free(report);
}

UNIT_MAIN({"arrays", test_arrays}, {"memory that runs short", test_memory})
