/* SPDX-License-Identifier: MIT */
/* The threads of a sweep: each takes cases, runs them, and hands their lines back. They share
 * nothing but the dealer, the model (never changed) and the flag that interrupts. */
#include "analysis/sweep_run.h"

#include "base/sys.h"
#include "base/text.h"
#include <pthread.h>

typedef struct labour {
    const ln_sweep *sweep;
    ln_dealer *dealer;
    ln_report *report; /* written under the lock */
    pthread_mutex_t *lock;
    pthread_t thread;
    int number, started;
} labour;

static void complain(labour *worker, ln_report *own) {
    (void)pthread_mutex_lock(worker->lock);
    ln_report_forward(worker->report, own);
    (void)pthread_mutex_unlock(worker->lock);
}

static void *work(void *argument) {
    labour *helper = argument;
    ln_sweep_worker worker;
    ln_report *own = ln_report_new(NULL, NULL);
    linnet_status status =
        own == NULL ? LINNET_MEMORY : ln_sweep_worker_init(&worker, helper->sweep);
    int ready = status == LINNET_OK;
    long from = 0, to = 0;
    while (helper->dealer->take(helper->dealer, helper->number, &from, &to)) {
        for (long index = from; index < to; index++) {
            ln_text row = {0};
            if (ready)
                status = ln_sweep_case(&worker, index, &row, own);
            if (status != LINNET_OK)
                ln_text_free(&row);
            helper->dealer->put(helper->dealer, helper->number, index, &row, status);
            if (status != LINNET_OK)
                break;
        }
    }
    if (ready)
        ln_sweep_worker_free(&worker);
    if (own != NULL)
        complain(helper, own);
    ln_report_free(own);
    return NULL;
}

linnet_status ln_sweep_threads(const ln_sweep *sweep, ln_dealer *dealer, int threads,
                               ln_report *report, linnet_status (*meanwhile)(void *context),
                               void *context) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    labour *labours = ln_sys->allocate((size_t)threads * sizeof *labours);
    int started = 0;
    linnet_status status = LINNET_OK;
    if (labours == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < threads; k++) {
        labours[k] = (labour){
            .sweep = sweep, .dealer = dealer, .report = report, .lock = &lock, .number = k};
        labours[k].started = pthread_create(&labours[k].thread, NULL, work, &labours[k]) == 0;
        started += labours[k].started;
    }
    if (started == 0)
        status = ln_no_memory(report);
    else if (meanwhile != NULL)
        status = meanwhile(context);
    for (int k = 0; k < threads; k++)
        if (labours[k].started)
            (void)pthread_join(labours[k].thread, NULL);
    ln_sys->release(labours);
    return status;
}
