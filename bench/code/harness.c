/* SPDX-License-Identifier: MIT */
/* Time of a step of generated code, or with HAND of the same model written by hand, in ns: the
 * least of several runs; then the last value of its second output, which both must agree in.
 *     harness STEPS */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef HAND
#include "hand.h"
static hand_t model;
static void start(void) {
    hand_init(&model);
}
static int step(void) {
    return hand_step(&model);
}
static double value(void) {
    return model.outputs[0];
}
#else
#include "gen.h"
static gen_t model;
static void start(void) {
#ifdef NETWORK
    gen_init(&model);
#else
    gen_init(&model, GEN_STEP);
#endif
}
static int step(void) {
    return (int)gen_step(&model);
}
static double value(void) {
    return *(const double *)&model.outputs;
}
#endif

int main(int argc, char **argv) {
    const long steps = argc > 1 ? atol(argv[1]) : 1000;
    double least = 1e9, end = 0;
    for (int run = 0; run < 15; run++) {
        struct timespec a, b;
        start();
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
        for (long k = 0; k < steps; k++)
            if (step() != 0)
                return 1;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
        const double took = (double)(b.tv_sec - a.tv_sec) + 1e-9 * (double)(b.tv_nsec - a.tv_nsec);
        if (took < least)
            least = took;
        end = value();
    }
    printf("%.2f %.12g\n", least / (double)steps * 1e9, end);
    return 0;
}
