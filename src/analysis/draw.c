/* SPDX-License-Identifier: MIT */
/* Random numbers without a state: Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel random
 * numbers: as easy as 1, 2, 3, SC11), from the library Random123. The counter is the case and the
 * parameter's name, the key is the seed. */
#include "analysis/vary.h"
#include "base/constants.h"

#include "base/bytes.h"

#include <Random123/philox.h>
#include <math.h>
#include <string.h>

static void draw(unsigned long long seed, unsigned long long index, const char *name, double u[2]) {
    const uint64_t key = ln_hash(LN_HASH_BEGIN, name, strlen(name));
    philox4x32_ctr_t counter = {
        {(uint32_t)index, (uint32_t)(index >> 32), (uint32_t)key, (uint32_t)(key >> 32)}};
    philox4x32_key_t seeds = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
    philox4x32_ctr_t bits = philox4x32(counter, seeds);
    for (int k = 0; k < 2; k++) {
        unsigned long long word =
            ((unsigned long long)bits.v[2 * k] << 32 | bits.v[2 * k + 1]) >> 11;
        u[k] = ((double)word + 0.5) * 0x1p-53;
    }
}

double ln_draw_uniform(unsigned long long seed, unsigned long long index, const char *name) {
    double u[2];
    draw(seed, index, name, u);
    return u[0];
}

/* Box and Muller, A note on the generation of random normal deviates, 1958. */
double ln_draw_normal(unsigned long long seed, unsigned long long index, const char *name) {
    double u[2];
    draw(seed, index, name, u);
    return sqrt(-2 * log(u[0])) * cos(2 * LN_PI * u[1]);
}
