/* SPDX-License-Identifier: MIT */
/* Threads that share the parts of a job, again and again. Which thread takes which part is left to
 * chance: parts write to places of their own, and what depends on an order is done behind them. */
#ifndef LN_BASE_CREW_H
#define LN_BASE_CREW_H

typedef struct ln_crew ln_crew;

/* So many threads, the caller's among them; fewer where the system gives no more. NULL: memory is
 * short. Owner: caller. */
ln_crew *ln_crew_new(int threads);
void ln_crew_free(ln_crew *crew);
/* work(context, k) for k = 0 to parts - 1, each once, in the caller's mode of underflow
 * (underflow.h); returns when all are done. */
void ln_crew_run(ln_crew *crew, void (*work)(void *context, int part), void *context, int parts);

/* The processors of this machine, at most 1024. */
int ln_processors(void);

#endif
