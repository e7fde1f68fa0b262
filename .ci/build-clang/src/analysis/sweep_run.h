/* SPDX-License-Identifier: MIT */
/* Private to sweeps: who hands out cases and takes rows - the first process itself, or a link to it
 * from another one. */
#ifndef LN_ANALYSIS_SWEEP_RUN_H
#define LN_ANALYSIS_SWEEP_RUN_H

#include "analysis/sweep.h"

/* Called by any thread. */
typedef struct ln_dealer ln_dealer;
struct ln_dealer {
    /* Cases to do, from *from up to *to; waits while there are none yet. 0: there are no more.
     * `thread`: who asks. */
    int (*take)(ln_dealer *dealer, int thread, long *from, long *to);
    /* The line of a case, taken over; or, with another status than OK, why there is none, which
     * ends the sweep. */
    void (*put)(ln_dealer *dealer, int thread, long index, ln_text *row, linnet_status status);
};

/* Starts `threads` threads that work for a dealer, and waits for their end; `meanwhile` (may be
 * NULL) is run by the calling thread until they are done or it returns. LINNET_MEMORY when not one
 * thread could be started. */
linnet_status ln_sweep_threads(const ln_sweep *sweep, ln_dealer *dealer, int threads,
                               ln_report *report, linnet_status (*meanwhile)(void *context),
                               void *context);

/* What processes say to each other. A request: a head, then the lines done since the last one. */
enum { LN_TAG_REQUEST = 1, LN_TAG_BYE = 2, LN_TAG_ANSWER = 16 }; /* answers: plus the thread */
typedef struct ln_sweep_request {
    unsigned long long fingerprint;
    long from, to; /* the lines that follow */
    int thread, status;
} ln_sweep_request;
typedef enum ln_sweep_order { LN_ORDER_WORK, LN_ORDER_WAIT, LN_ORDER_END } ln_sweep_order;
typedef struct ln_sweep_answer {
    long from, to;
    int order;
} ln_sweep_answer;

#endif
