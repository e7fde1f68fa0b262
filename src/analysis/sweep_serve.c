/* SPDX-License-Identifier: MIT */
/* A process of a sweep that is not the first: its threads ask the first one for cases and send
 * lines. */
#include "analysis/sweep_run.h"

#include "base/sys.h"
#include "base/text.h"
#include <pthread.h>
#include <string.h>
#include <time.h>

static const long pause_between_looks = 100000, pause_without_work = 1000000; /* ns */

typedef struct parcel {
    ln_sweep_request head;
    ln_text lines;
} parcel;

typedef struct servant {
    ln_dealer dealer;
    const ln_sweep *sweep;
    const ln_transport *transport;
    pthread_mutex_t lock; /* around every call of the transport */
    parcel *parcels;      /* by thread: what is to be sent */
} servant;

static void rest(long nanoseconds) {
    (void)nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

static int send_parcel(servant *worker, parcel *what) {
    ln_text message = {0};
    ln_text_add_bytes(&message, (const char *)&what->head, sizeof what->head);
    if (what->lines.length > 0)
        ln_text_add_bytes(&message, what->lines.data, what->lines.length);
    (void)pthread_mutex_lock(&worker->lock);
    int sent = !message.failed && !what->lines.failed &&
               worker->transport->send(message.data, message.length, 0, LN_TAG_REQUEST);
    (void)pthread_mutex_unlock(&worker->lock);
    ln_text_free(&message);
    ln_text_free(&what->lines);
    what->lines = (ln_text){0};
    return sent;
}

static int get_answer(servant *worker, int thread, ln_sweep_answer *answer) {
    for (;;) {
        int from = 0, got = -1;
        size_t length;
        (void)pthread_mutex_lock(&worker->lock);
        if (worker->transport->look(&from, LN_TAG_ANSWER + thread, &length))
            got = length == sizeof *answer &&
                  worker->transport->receive(answer, length, 0, LN_TAG_ANSWER + thread);
        (void)pthread_mutex_unlock(&worker->lock);
        if (got >= 0)
            return got;
        rest(pause_between_looks);
    }
}

static int take(ln_dealer *dealer, int thread, long *from, long *to) {
    servant *worker = (servant *)dealer;
    parcel *mine = &worker->parcels[thread];
    for (;;) {
        ln_sweep_answer answer;
        mine->head.fingerprint = worker->sweep->fingerprint;
        mine->head.thread = thread;
        if (!send_parcel(worker, mine) || !get_answer(worker, thread, &answer) ||
            answer.order == LN_ORDER_END)
            return 0;
        mine->head.from = *from = answer.from;
        mine->head.to = *to = answer.to;
        if (answer.order == LN_ORDER_WORK)
            return 1;
        rest(pause_without_work);
    }
}

static void put(ln_dealer *dealer, int thread, long index, ln_text *row, linnet_status status) {
    parcel *mine = &((servant *)dealer)->parcels[thread];
    (void)index;
    if (status != LINNET_OK)
        mine->head.status = (int)status;
    else
        ln_text_add_bytes(&mine->lines, row->data, row->length);
    ln_text_free(row);
}

linnet_status ln_sweep_serve(const ln_sweep *sweep, ln_sweep_crew crew, ln_report *report) {
    const int threads = crew.threads;
    servant worker = {.dealer = {take, put},
                      .sweep = sweep,
                      .transport = crew.transport,
                      .parcels = ln_sys->allocate((size_t)threads * sizeof(parcel))};
    if (worker.parcels == NULL)
        return ln_no_memory(report);
    memset(worker.parcels, 0, (size_t)threads * sizeof(parcel));
    (void)pthread_mutex_init(&worker.lock, NULL);
    linnet_status status = ln_sweep_threads(sweep, &worker.dealer, threads, report, NULL, NULL);
    (void)crew.transport->send("", 0, 0, LN_TAG_BYE);
    for (int k = 0; k < threads; k++)
        ln_text_free(&worker.parcels[k].lines);
    (void)pthread_mutex_destroy(&worker.lock);
    ln_sys->release(worker.parcels);
    return status;
}
