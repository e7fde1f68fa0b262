/* SPDX-License-Identifier: MIT */
/* See the header. Threads sleep between jobs. */
#include "base/crew.h"

#include "base/sys.h"
#include "base/underflow.h"

#include <pthread.h>
#include <unistd.h>

struct ln_crew {
    pthread_mutex_t lock; /* of all that follows but the threads */
    pthread_cond_t begins, ends;
    void (*work)(void *context, int part);
    void *context;
    uint64_t underflow;          /* the mode of whom it works for */
    int parts, next, unfinished; /* next: the part to be taken */
    int leaves;                  /* the threads end */
    pthread_t *thread;
    int count; /* of threads beside the caller's */
};

/* Takes parts while there are any; under the lock. */
static void take_parts(ln_crew *crew) {
    ln_underflow_restore(crew->underflow);
    while (crew->next < crew->parts) {
        const int part = crew->next++;
        (void)pthread_mutex_unlock(&crew->lock);
        crew->work(crew->context, part);
        (void)pthread_mutex_lock(&crew->lock);
        if (--crew->unfinished == 0)
            (void)pthread_cond_signal(&crew->ends);
    }
}

static void *member(void *argument) {
    ln_crew *crew = argument;
    (void)pthread_mutex_lock(&crew->lock);
    while (!crew->leaves) {
        take_parts(crew);
        if (!crew->leaves)
            (void)pthread_cond_wait(&crew->begins, &crew->lock);
    }
    (void)pthread_mutex_unlock(&crew->lock);
    return NULL;
}

ln_crew *ln_crew_new(int threads) {
    ln_crew *crew = ln_sys->allocate(sizeof *crew);
    pthread_t *thread = ln_sys->allocate((size_t)threads * sizeof *thread);
    if (crew == NULL || thread == NULL) {
        ln_sys->release(thread);
        ln_sys->release(crew);
        return NULL;
    }
    *crew = (ln_crew){.thread = thread};
    (void)pthread_mutex_init(&crew->lock, NULL);
    (void)pthread_cond_init(&crew->begins, NULL);
    (void)pthread_cond_init(&crew->ends, NULL);
    while (crew->count < threads - 1 &&
           pthread_create(&crew->thread[crew->count], NULL, member, crew) == 0)
        crew->count++;
    return crew;
}

void ln_crew_free(ln_crew *crew) {
    if (crew == NULL)
        return;
    (void)pthread_mutex_lock(&crew->lock);
    crew->leaves = 1;
    (void)pthread_cond_broadcast(&crew->begins);
    (void)pthread_mutex_unlock(&crew->lock);
    for (int k = 0; k < crew->count; k++)
        (void)pthread_join(crew->thread[k], NULL);
    (void)pthread_cond_destroy(&crew->ends);
    (void)pthread_cond_destroy(&crew->begins);
    (void)pthread_mutex_destroy(&crew->lock);
    ln_sys->release(crew->thread);
    ln_sys->release(crew);
}

void ln_crew_run(ln_crew *crew, void (*work)(void *context, int part), void *context, int parts) {
    (void)pthread_mutex_lock(&crew->lock);
    crew->work = work;
    crew->context = context;
    crew->underflow = ln_underflow();
    crew->parts = crew->unfinished = parts;
    crew->next = 0;
    if (parts > 1)
        (void)pthread_cond_broadcast(&crew->begins);
    take_parts(crew);
    while (crew->unfinished > 0)
        (void)pthread_cond_wait(&crew->ends, &crew->lock);
    (void)pthread_mutex_unlock(&crew->lock);
}

int ln_processors(void) {
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 1024 ? 1024 : (int)count;
}
