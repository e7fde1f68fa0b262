/* SPDX-License-Identifier: MIT */
/* The public API in two threads at once, each with models of its own: the same bits as one after
 * the other. Built with ThreadSanitizer by tests/threads.sh. */
#include "unit.h"

#include <linnet/linnet.h>
#include <pthread.h>
#include <stdlib.h>

#define HEAD "<model xmlns='urn:linnet:model:1'>"
/* A circuit by every implicit method, events, a delay with noise, a type of its own, an error. */
static const char *const models[] = {
    HEAD "<ground id='g' p='0'/><sine-voltage id='V' p='a' n='0' amplitude='5' frequency='50'/>"
         "<diode id='D' p='a' n='b'/><capacitor id='C' p='b' n='0' C='100 uF'/><resistor id='R' "
         "p='b' n='0' R='1 kOhm'/><simulation duration='0.02' step='1e-4'/></model>",
    HEAD "<block-type name='ball'><output name='y'/><state name='h' start='1'/><state name='v'/>"
         "<equation>der(h) = v</equation><equation>der(v) = -9.81</equation><equation>y = h"
         "</equation><when condition='h lt 0'><set name='v' value='-0.8*v'/><set name='h' "
         "value='0'/></when></block-type><ball id='b' y='h'/>"
         "<simulation duration='2' tolerance='1e-6'/></model>",
    HEAD "<uniform-noise id='n' out='w' min='-1' max='1' period='0.07' seed='5'/><transport-delay "
         "id='d' in='w' out='u' delay='0.21'/><integrator id='i' in='u' out='y'/><simulation "
         "duration='2' step='0.01'/></model>",
    HEAD "<resistor id='R' p='a' n='b' R='1 farad'/></model>"};
enum { MODELS = sizeof models / sizeof *models, PASSES = 3, THREADS = 2, FAILED = 1000000 };
static const char *const methods[] = {"backward-euler", "crank-nicolson", "tr-bdf2",
                                      "bdf2",           "radau5",         "ida"};
enum { METHODS = sizeof methods / sizeof *methods, RUNS = MODELS - 1 + METHODS };

static int is_adaptive(const char *method) {
    return method != NULL && (strcmp(method, "radau5") == 0 || strcmp(method, "ida") == 0);
}

/* What a run comes to: its rows as one number, or how it failed. */
static double sum_of(const char *text, const char *method) {
    linnet_model *model = linnet_model_new();
    linnet_result *result = NULL;
    double sum = -1;
    linnet_status status = model != NULL ? LINNET_OK : LINNET_MEMORY;
    if (status == LINNET_OK)
        status = linnet_load_text(model, "m.xml", text, strlen(text));
    if (status == LINNET_OK && method != NULL)
        status = linnet_option(model, "method", method);
    if (status == LINNET_OK && is_adaptive(method))
        status = linnet_option(model, "tolerance", "1e-5");
    if (status == LINNET_OK)
        status = linnet_run_memory(model, NULL, &result);
    for (int k = 0; status == LINNET_OK && k < linnet_result_count(result); k++)
        for (size_t row = 0; row < linnet_result_rows(result); row++)
            sum += (double)(row % 7 + 1) * linnet_result_values(result, k)[row];
    if (status != LINNET_OK)
        sum = FAILED + linnet_diagnostic_count(model);
    linnet_result_free(result);
    linnet_model_free(model);
    return sum;
}

static void *work(void *into) {
    double *sums = into;
    for (int pass = 0; pass < PASSES; pass++) {
        for (int k = 0; k < MODELS - 1; k++)
            sums[k] = sum_of(models[k + 1], NULL);
        for (int k = 0; k < METHODS; k++)
            sums[MODELS - 1 + k] = sum_of(models[0], methods[k]);
    }
    return NULL;
}

static void test_two_threads(void) {
    double alone[RUNS], sums[THREADS][RUNS];
    pthread_t thread[THREADS];
    for (int k = 0; k < THREADS; k++)
        CU_ASSERT_FATAL(pthread_create(&thread[k], NULL, work, sums[k]) == 0);
    for (int k = 0; k < THREADS; k++)
        CU_ASSERT_FATAL(pthread_join(thread[k], NULL) == 0);
    (void)work(alone);
    for (int run = 0; run < RUNS; run++) {
        /* the model in error has one message, no other fails */
        CU_ASSERT((run == MODELS - 2) == (alone[run] >= FAILED));
        for (int k = 0; k < THREADS; k++)
            CU_ASSERT(memcmp(&sums[k][run], &alone[run], sizeof alone[run]) == 0);
    }
}

UNIT_MAIN({"two threads", test_two_threads})
