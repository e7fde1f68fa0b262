/* SPDX-License-Identifier: MIT */
/* While code of others runs, descriptor 1 is the one of stderr; what is buffered in the stdio
 * stream goes where it belongs before that turns. */
#include "base/output.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int kept = -1;
static int lent; /* so many times at the moment */
static pthread_mutex_t turning = PTHREAD_MUTEX_INITIALIZER;

void ln_output_keep(void) {
    kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

int ln_output(void) {
    return kept >= 0 ? kept : STDOUT_FILENO;
}

static void turn(int by, int from) {
    if (kept < 0)
        return;
    (void)pthread_mutex_lock(&turning);
    const int turns = by > 0 ? lent == 0 : lent == 1;
    lent += by;
    if (turns) {
        (void)fflush(stdout);
        (void)dup2(from, STDOUT_FILENO);
    }
    (void)pthread_mutex_unlock(&turning);
}

void ln_output_lend(void) {
    turn(1, STDERR_FILENO);
}

void ln_output_take_back(void) {
    turn(-1, kept);
}
