/* SPDX-License-Identifier: MIT */
/* Several threads look at the devices of a large circuit: each takes some chunks (batch.h), whose
 * numbers are their own. What they give is added up behind that in the order of the chunks, so that
 * the bits are the same whatever the threads. */
#include "system/batch.h"

#include "base/crew.h"

enum {
    PART = 16,   /* chunks that a thread takes at a time, about 10 us */
    LARGE = 2000 /* chunks from which threads are taken unasked, 16 000 devices: an evaluation then
                    takes a millisecond, and to wake a thread a few hundredths of one */
};

typedef struct place {
    const ln_batch *batch;
    ln_chunk *chunk;
} place;

struct ln_threads {
    ln_crew *crew;
    place *all; /* chunks in the order of the batches */
    int count;
};

/* Room for what is seen of a chunk. */
static ln_seen *seen_of(ln_arena *arena, const ln_batch *batch) {
    ln_seen *seen = LN_NEW(arena, ln_seen, 1);
    if (seen != NULL)
        seen->values = LN_NEW(arena, double, LN_LANES * batch->values.count);
    return seen != NULL && seen->values != NULL ? seen : NULL;
}

static linnet_status list_chunks(ln_system *system, struct ln_threads *threads) {
    struct ln_system_private *own = system->own;
    threads->all = LN_NEW(system->arena, place, threads->count);
    if (threads->all == NULL)
        return LINNET_MEMORY;
    for (int k = 0, at = 0; k < own->nbatches; k++)
        for (int c = 0; c < ln_batch_chunks(&own->batches[k]); c++) {
            ln_chunk *chunk = &own->batches[k].chunks[c];
            threads->all[at++] = (place){&own->batches[k], chunk};
            chunk->seen = seen_of(system->arena, &own->batches[k]);
            if (chunk->seen == NULL)
                return LINNET_MEMORY;
        }
    return LINNET_OK;
}

linnet_status ln_system_take_threads(ln_system *system, int asked) {
    struct ln_system_private *own = system->own;
    int count = 0;
    for (int k = 0; k < own->nbatches; k++)
        count += ln_batch_chunks(&own->batches[k]);
    const int number = asked > 0 ? asked : count < LARGE ? 1 : ln_processors();
    if (own->threads != NULL || number < 2 || count < 2)
        return LINNET_OK;
    struct ln_threads *threads = LN_NEW(system->arena, struct ln_threads, 1);
    if (threads == NULL)
        return LINNET_MEMORY;
    threads->count = count;
    LN_TRY(list_chunks(system, threads));
    threads->crew = ln_crew_new(number);
    if (threads->crew == NULL)
        return LINNET_MEMORY;
    own->threads = threads;
    return LINNET_OK;
}

void ln_threads_free(ln_system *system) {
    if (system->own != NULL && system->own->threads != NULL)
        ln_crew_free(system->own->threads->crew);
}

typedef struct looking {
    ln_system *system;
    const ln_look *at;
} looking;

static void look(void *context, int part) {
    const looking *l = context;
    const struct ln_threads *threads = l->system->own->threads;
    for (int k = part * PART; k < (part + 1) * PART && k < threads->count; k++) {
        const place *one = &threads->all[k];
        if (!one->chunk->held)
            ln_chunk_look(l->system, one->batch, one->chunk, l->at, one->chunk->seen);
    }
}

int ln_threads_look(ln_system *system, const ln_look *at) {
    const struct ln_threads *threads = system->own->threads;
    if (threads == NULL)
        return 0;
    looking job = {system, at};
    ln_crew_run(threads->crew, look, &job, (threads->count + PART - 1) / PART);
    return 1;
}
