/* SPDX-License-Identifier: MIT */
/* What the models written by hand have in common: step() returns 0 unless something is not finite.
 */
#ifndef HAND_H
#define HAND_H

typedef struct hand_t {
    double states[4], outputs[5];
    unsigned long steps;
} hand_t;
void hand_init(hand_t *model);
int hand_step(hand_t *model);

#endif
