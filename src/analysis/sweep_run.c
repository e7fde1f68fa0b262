/* SPDX-License-Identifier: MIT */
/* The first process of a sweep: hands out cases in pieces that shrink towards the end, takes lines
 * in any order, and writes them in the order of cases. A window of cases ahead of the last one
 * written bounds what waits. */
#include "analysis/sweep_run.h"

#include "base/sys.h"
#include "base/text.h"
#include <pthread.h>
#include <string.h>
#include <time.h>

enum { WINDOW = 4096, LARGEST_PIECE = 64, NANOSECONDS = 1000000000 };
/* ns: between looks at rows, at messages */
static const long pause_alone = 20000000, pause_with_others = 500000;

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
    int workers, gone;       /* to share among; processes that have said goodbye */
    long next, written, end; /* case to hand out; to write */
    ln_text *rows;           /* WINDOW lines by case modulo WINDOW; empty: not there yet */
    linnet_status status;    /* what ended the work early */
    int ending;
} boss;

/* ---- under the lock ---- */

static ln_sweep_order hand_out(boss *master, long *from, long *to) {
    if (master->ending || master->next >= master->end)
        return LN_ORDER_END;
    if (master->next >= master->written + WINDOW)
        return LN_ORDER_WAIT;
    long piece = (master->end - master->next) / (4 * master->workers);
    if (piece > LARGEST_PIECE)
        piece = LARGEST_PIECE;
    if (piece > master->written + WINDOW - master->next)
        piece = master->written + WINDOW - master->next;
    *from = master->next;
    *to = master->next += piece > 1 ? piece : 1;
    return LN_ORDER_WORK;
}

static void give_up(boss *master, linnet_status status) {
    if (master->status == LINNET_OK)
        master->status = status;
    master->ending = 1;
    (void)pthread_cond_broadcast(&master->room);
    (void)pthread_cond_signal(&master->news);
}

static void keep_row(boss *master, long index, ln_text *row) {
    master->rows[index % WINDOW] = *row;
    if (index == master->end - 1 || master->next - master->written > WINDOW / 2)
        (void)pthread_cond_signal(&master->news);
}

/* ---- for the threads ---- */

static int take(ln_dealer *dealer, int thread, long *from, long *to) {
    boss *master = (boss *)dealer;
    ln_sweep_order order;
    (void)thread;
    (void)pthread_mutex_lock(&master->lock);
    while ((order = hand_out(master, from, to)) == LN_ORDER_WAIT)
        (void)pthread_cond_wait(&master->room, &master->lock);
    (void)pthread_mutex_unlock(&master->lock);
    return order == LN_ORDER_WORK;
}

static void put(ln_dealer *dealer, int thread, long index, ln_text *row, linnet_status status) {
    boss *master = (boss *)dealer;
    (void)thread;
    (void)pthread_mutex_lock(&master->lock);
    if (status == LINNET_OK)
        keep_row(master, index, row);
    else
        give_up(master, status);
    (void)pthread_mutex_unlock(&master->lock);
}

/* ---- for the other processes ---- */

/* Lines of cases from..to, as far as there are any. */
static linnet_status take_lines(boss *master, const ln_sweep_request *head, const char *text,
                                const char *end) {
    for (long index = head->from; index < head->to; index++) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        if (newline == NULL)
            return head->status == LINNET_OK ? LINNET_INTERNAL : LINNET_OK;
        ln_text row = {0};
        ln_text_add_bytes(&row, text, (size_t)(newline + 1 - text));
        if (row.failed)
            return LINNET_MEMORY;
        keep_row(master, index, &row);
        text = newline + 1;
    }
    return LINNET_OK;
}

/* Reads one request and answers it. */
static linnet_status answer_one(boss *master, int from, size_t length) {
    char *data = ln_sys->allocate(length);
    ln_sweep_request head;
    ln_sweep_answer answer = {0, 0, LN_ORDER_END};
    if (data == NULL)
        return ln_no_memory(master->report);
    int fine =
        master->transport->receive(data, length, from, LN_TAG_REQUEST) && length >= sizeof head;
    linnet_status status = fine ? LINNET_OK : LINNET_INTERNAL;
    if (fine) {
        memcpy(&head, data, sizeof head);
        if (head.fingerprint != master->sweep->fingerprint)
            status = ln_fail(master->report, LINNET_USAGE, LN_NOWHERE,
                             "process %d has another model or another linnet; all "
                             "must see the same files",
                             from);
        else
            status = take_lines(master, &head, data + sizeof head, data + length);
        if (status == LINNET_OK)
            status = (linnet_status)head.status;
        if (status == LINNET_OK)
            answer.order = (int)hand_out(master, &answer.from, &answer.to);
        fine = master->transport->send(&answer, sizeof answer, from, LN_TAG_ANSWER + head.thread);
    }
    ln_sys->release(data);
    return status != LINNET_OK ? status : fine ? LINNET_OK : LINNET_INTERNAL;
}

static void answer_all(boss *master) {
    int from = -1;
    size_t length;
    while (master->transport->look(&from, LN_TAG_REQUEST, &length)) {
        linnet_status status = answer_one(master, from, length);
        if (status != LINNET_OK)
            give_up(master, status);
        from = -1;
    }
    while (master->transport->look(&from, LN_TAG_BYE, &length)) {
        char nothing[1];
        (void)master->transport->receive(nothing, length, from, LN_TAG_BYE);
        master->gone++;
        from = -1;
    }
}

/* ---- writing ---- */

/* The lines that follow those written, as one text. */
static void collect(boss *master, ln_text *batch) {
    for (ln_text *row; master->written < master->end &&
                       (row = &master->rows[master->written % WINDOW])->data != NULL;
         master->written++) {
        ln_text_add_bytes(batch, row->data, row->length);
        ln_text_free(row);
        *row = (ln_text){0};
    }
    (void)pthread_cond_broadcast(&master->room);
}

static linnet_status write_batch(boss *master, ln_text *batch) {
    if (batch->failed)
        return ln_no_memory(master->report);
    if (batch->length == 0)
        return LINNET_OK;
    LN_TRY(ln_sweep_file_write(master->file, batch->data, batch->length));
    for (char *line = batch->data, *newline; (newline = strchr(line, '\n')) != NULL;
         line = newline + 1) {
        *newline = '\0';
        if (!ln_sweep_count_row(master->sweep, line, master->statistics))
            return LINNET_INTERNAL;
    }
    return LINNET_OK;
}

static void wait_for_news(boss *master) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += master->transport != NULL ? pause_with_others : pause_alone;
    until.tv_sec += until.tv_nsec / NANOSECONDS;
    until.tv_nsec %= NANOSECONDS;
    (void)pthread_cond_timedwait(&master->news, &master->lock, &until);
}

static linnet_status watch(void *context) {
    boss *master = context;
    int others = master->transport != NULL ? master->transport->size - 1 : 0;
    (void)pthread_mutex_lock(&master->lock);
    while (!((master->written == master->end || master->ending) && master->gone == others)) {
        ln_text batch = {0};
        if (others > 0)
            answer_all(master);
        collect(master, &batch);
        if (!master->ending && master->sweep->stop != NULL &&
            master->sweep->stop(master->sweep->context))
            give_up(master, LINNET_INTERRUPTED);
        (void)pthread_mutex_unlock(&master->lock);
        linnet_status status = write_batch(master, &batch);
        ln_text_free(&batch);
        if (master->watch != NULL)
            master->watch->progress(master->watch->context, master->statistics->cases, master->end);
        (void)pthread_mutex_lock(&master->lock);
        if (status != LINNET_OK)
            give_up(master, status);
        if (!((master->written == master->end || master->ending) && master->gone == others))
            wait_for_news(master);
    }
    (void)pthread_mutex_unlock(&master->lock);
    return LINNET_OK;
}

/* What the threads had finished when the work ended early. */
static linnet_status write_rest(boss *master) {
    ln_text batch = {0};
    (void)pthread_mutex_lock(&master->lock);
    collect(master, &batch);
    (void)pthread_mutex_unlock(&master->lock);
    linnet_status status =
        batch.length > 0 && master->status != LINNET_IO ? write_batch(master, &batch) : LINNET_OK;
    ln_text_free(&batch);
    for (int k = 0; k < WINDOW; k++)
        ln_text_free(&master->rows[k]);
    return master->status != LINNET_OK ? master->status : status;
}

linnet_status ln_sweep_run(const ln_sweep *sweep, ln_sweep_crew crew, ln_sweep_file *file,
                           ln_sweep_statistics *statistics, const ln_sweep_watch *watcher,
                           ln_report *report) {
    int processes = crew.transport != NULL ? crew.transport->size : 1;
    boss master = {.dealer = {take, put},
                   .sweep = sweep,
                   .transport = processes > 1 ? crew.transport : NULL,
                   .file = file,
                   .statistics = statistics,
                   .watch = watcher,
                   .report = report,
                   .workers = crew.threads * processes,
                   .next = statistics->cases,
                   .written = statistics->cases,
                   .end = sweep->axes.cases};
    master.rows = ln_sys->allocate(WINDOW * sizeof *master.rows);
    if (master.rows == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < WINDOW; k++)
        master.rows[k] = (ln_text){0};
    (void)pthread_mutex_init(&master.lock, NULL);
    (void)pthread_cond_init(&master.room, NULL);
    (void)pthread_cond_init(&master.news, NULL);
    linnet_status status =
        ln_sweep_threads(sweep, &master.dealer, crew.threads, report, watch, &master);
    linnet_status rest = write_rest(&master);
    (void)pthread_cond_destroy(&master.news);
    (void)pthread_cond_destroy(&master.room);
    (void)pthread_mutex_destroy(&master.lock);
    ln_sys->release(master.rows);
    return status != LINNET_OK ? status : rest;
}
