/* SPDX-License-Identifier: MIT */
/* The first process of a sweep: hands out cases in pieces that shrink towards the end, takes lines in any order, and
 * writes them in the order of cases. A window of cases ahead of the last one written bounds what waits. */
#include "analysis/sweep_run.h"

#include "base/sys.h"
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { WINDOW = 4096, LARGEST_PIECE = 64, NANOSECONDS = 1000000000 };
static const long pause_alone = 20000000, pause_with_others = 500000; /* ns: between looks at rows, at messages       */

typedef struct boss {
    ln_dealer dealer;
    const ln_sweep *sweep;
    const ln_transport *transport;
    ln_sweep_file *file;
    ln_sweep_statistics *statistics;
    const ln_sweep_watch *watch;
    ln_report *report;
    pthread_mutex_t lock;
    pthread_cond_t room, news;
    int workers, gone;             /* to share among; processes that have said goodbye                                */
    long next, written, end;       /* case to hand out; to write                                                      */
    ln_text *rows;                 /* WINDOW lines by case modulo WINDOW; empty: not there yet                        */
    linnet_status status;          /* what ended the work early                                                       */
    int ending;
} boss;

/* ---- under the lock ---- */

static ln_sweep_order hand_out(boss *it, long *from, long *to) {
    if (it->ending || it->next >= it->end) return LN_ORDER_END;
    if (it->next >= it->written + WINDOW) return LN_ORDER_WAIT;
    long piece = (it->end - it->next) / (4 * it->workers);
    if (piece > LARGEST_PIECE) piece = LARGEST_PIECE;
    if (piece > it->written + WINDOW - it->next) piece = it->written + WINDOW - it->next;
    *from = it->next;
    *to = it->next += piece > 1 ? piece : 1;
    return LN_ORDER_WORK;
}

static void give_up(boss *it, linnet_status status) {
    if (it->status == LINNET_OK) it->status = status;
    it->ending = 1;
    (void)pthread_cond_broadcast(&it->room);
    (void)pthread_cond_signal(&it->news);
}

static void keep_row(boss *it, long index, ln_text *row) {
    it->rows[index % WINDOW] = *row;
    if (index == it->end - 1 || it->next - it->written > WINDOW / 2) (void)pthread_cond_signal(&it->news);
}

/* ---- for the threads ---- */

static int take(ln_dealer *dealer, int thread, long *from, long *to) {
    boss *it = (boss *)dealer;
    ln_sweep_order order;
    (void)thread;
    (void)pthread_mutex_lock(&it->lock);
    while ((order = hand_out(it, from, to)) == LN_ORDER_WAIT) (void)pthread_cond_wait(&it->room, &it->lock);
    (void)pthread_mutex_unlock(&it->lock);
    return order == LN_ORDER_WORK;
}

static void put(ln_dealer *dealer, int thread, long index, ln_text *row, linnet_status status) {
    boss *it = (boss *)dealer;
    (void)thread;
    (void)pthread_mutex_lock(&it->lock);
    if (status == LINNET_OK) keep_row(it, index, row);
    else give_up(it, status);
    (void)pthread_mutex_unlock(&it->lock);
}

/* ---- for the other processes ---- */

/* Lines of cases from..to, as far as there are any. */
static linnet_status take_lines(boss *it, const ln_sweep_request *head, const char *text, const char *end) {
    for (long index = head->from; index < head->to; index++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL) return head->status == LINNET_OK ? LINNET_INTERNAL : LINNET_OK;
        ln_text row = {0};
        ln_text_add_bytes(&row, text, (size_t)(newline + 1 - text));
        if (row.failed) return LINNET_MEMORY;
        keep_row(it, index, &row);
        text = newline + 1;
    }
    return LINNET_OK;
}

/* Reads one request and answers it. */
static linnet_status answer_one(boss *it, int from, size_t length) {
    char *data = ln_sys->allocate(length);
    ln_sweep_request head;
    ln_sweep_answer answer = {0, 0, LN_ORDER_END};
    if (data == NULL) return ln_no_memory(it->report);
    int fine = it->transport->receive(data, length, from, LN_TAG_REQUEST) && length >= sizeof head;
    linnet_status status = fine ? LINNET_OK : LINNET_INTERNAL;
    if (fine) {
        memcpy(&head, data, sizeof head);
        if (head.fingerprint != it->sweep->fingerprint)
            status = ln_fail(it->report, LINNET_USAGE, LN_NOWHERE, "process %d has another model or another linnet; all "
                             "must see the same files", from);
        else status = take_lines(it, &head, data + sizeof head, data + length);
        if (status == LINNET_OK) status = (linnet_status)head.status;
        if (status == LINNET_OK) answer.order = (int)hand_out(it, &answer.from, &answer.to);
        fine = it->transport->send(&answer, sizeof answer, from, LN_TAG_ANSWER + head.thread);
    }
    ln_sys->release(data);
    return status != LINNET_OK ? status : fine ? LINNET_OK : LINNET_INTERNAL;
}

static void answer_all(boss *it) {
    int from = -1;
    size_t length;
    while (it->transport->look(&from, LN_TAG_REQUEST, &length)) {
        linnet_status status = answer_one(it, from, length);
        if (status != LINNET_OK) give_up(it, status);
        from = -1;
    }
    while (it->transport->look(&from, LN_TAG_BYE, &length)) {
        char nothing[1];
        (void)it->transport->receive(nothing, length, from, LN_TAG_BYE);
        it->gone++;
        from = -1;
    }
}

/* ---- writing ---- */

/* The lines that follow those written, as one text. */
static void collect(boss *it, ln_text *batch) {
    for (ln_text *row; it->written < it->end && (row = &it->rows[it->written % WINDOW])->data != NULL; it->written++) {
        ln_text_add_bytes(batch, row->data, row->length);
        ln_text_free(row);
        *row = (ln_text){0};
    }
    (void)pthread_cond_broadcast(&it->room);
}

static linnet_status write_batch(boss *it, ln_text *batch) {
    if (batch->failed) return ln_no_memory(it->report);
    LN_TRY(ln_sweep_file_write(it->file, batch->data, batch->length));
    for (char *line = batch->data, *newline; (newline = strchr(line, '\n')) != NULL; line = newline + 1) {
        *newline = '\0';
        if (!ln_sweep_count_row(it->sweep, line, it->statistics)) return LINNET_INTERNAL;
    }
    return LINNET_OK;
}

static void wait_for_news(boss *it) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += it->transport != NULL ? pause_with_others : pause_alone;
    until.tv_sec += until.tv_nsec / NANOSECONDS;
    until.tv_nsec %= NANOSECONDS;
    (void)pthread_cond_timedwait(&it->news, &it->lock, &until);
}

static linnet_status watch(void *context) {
    boss *it = context;
    int others = it->transport != NULL ? it->transport->size - 1 : 0;
    (void)pthread_mutex_lock(&it->lock);
    while (!((it->written == it->end || it->ending) && it->gone == others)) {
        ln_text batch = {0};
        if (others > 0) answer_all(it);
        collect(it, &batch);
        if (!it->ending && it->sweep->stop != NULL && it->sweep->stop(it->sweep->context)) give_up(it, LINNET_INTERRUPTED);
        (void)pthread_mutex_unlock(&it->lock);
        linnet_status status = batch.length > 0 ? write_batch(it, &batch) : LINNET_OK;
        ln_text_free(&batch);
        if (it->watch != NULL) it->watch->progress(it->watch->context, it->statistics->cases, it->end);
        (void)pthread_mutex_lock(&it->lock);
        if (status != LINNET_OK) give_up(it, status);
        if (!((it->written == it->end || it->ending) && it->gone == others)) wait_for_news(it);
    }
    (void)pthread_mutex_unlock(&it->lock);
    return LINNET_OK;
}

/* What the threads had finished when the work ended early. */
static linnet_status write_rest(boss *it) {
    ln_text batch = {0};
    (void)pthread_mutex_lock(&it->lock);
    collect(it, &batch);
    (void)pthread_mutex_unlock(&it->lock);
    linnet_status status = batch.length > 0 && it->status != LINNET_IO ? write_batch(it, &batch) : LINNET_OK;
    ln_text_free(&batch);
    for (int k = 0; k < WINDOW; k++) ln_text_free(&it->rows[k]);
    return it->status != LINNET_OK ? it->status : status;
}

linnet_status ln_sweep_run(const ln_sweep *sweep, int threads, const ln_transport *transport, ln_sweep_file *file,
                           ln_sweep_statistics *statistics, const ln_sweep_watch *watcher, ln_report *report) {
    int processes = transport != NULL ? transport->size : 1;
    boss it = {.dealer = {take, put}, .sweep = sweep, .transport = processes > 1 ? transport : NULL, .file = file,
               .statistics = statistics, .watch = watcher, .report = report, .workers = threads * processes,
               .next = statistics->cases, .written = statistics->cases, .end = sweep->axes.cases};
    it.rows = ln_sys->allocate(WINDOW * sizeof *it.rows);
    if (it.rows == NULL) return ln_no_memory(report);
    for (int k = 0; k < WINDOW; k++) it.rows[k] = (ln_text){0};
    (void)pthread_mutex_init(&it.lock, NULL);
    (void)pthread_cond_init(&it.room, NULL);
    (void)pthread_cond_init(&it.news, NULL);
    linnet_status status = ln_sweep_threads(sweep, &it.dealer, threads, report, watch, &it);
    linnet_status rest = write_rest(&it);
    (void)pthread_cond_destroy(&it.news);
    (void)pthread_cond_destroy(&it.room);
    (void)pthread_mutex_destroy(&it.lock);
    ln_sys->release(it.rows);
    return status != LINNET_OK ? status : rest;
}
