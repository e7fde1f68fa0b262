/* SPDX-License-Identifier: MIT */
/* Where a run's time goes: one stopwatch that is handed from part to part.
 *
 * Each part has the time between its being entered and left, without what was entered within it.
 * The parts of a step (those behind LN_PART_METHOD in the list) are told apart within steps only:
 * what devices and factorisations take at a start or a corner belongs to these. A call costs two
 * looks at the clock; without a profile (NULL) it costs a comparison. */
#ifndef LN_BASE_PROFILE_H
#define LN_BASE_PROFILE_H

/* clang-format off */
#define LN_PROFILE_PARTS(X) \
    X(OTHER, "other", "command line and what no other part has") \
    X(READ, "read", "the model's text") \
    X(SETUP, "set-up", "types, network, structure, equations") \
    X(START, "start", "the point at which the run begins") \
    X(CORNER, "corners", "corners of sources and events") \
    X(OUTPUT, "output", "recorded signals, measures, the result's rows") \
    X(METHOD, "method", "step control, errors and what else steps need") \
    X(DEVICES, "devices", "equations of blocks, sources") \
    X(ASSEMBLY, "assembly", "the matrix from the blocks' derivatives") \
    X(FACTOR, "factor", "its factorisation") \
    X(SOLVE, "solve", "solutions by its factors")
/* clang-format on */

#define LN_PROFILE_PART(part, word, doc) LN_PART_##part,
typedef enum ln_profile_part { LN_PROFILE_PARTS(LN_PROFILE_PART) LN_PROFILE_COUNT } ln_profile_part;
#undef LN_PROFILE_PART

typedef struct ln_profile {
    double seconds[LN_PROFILE_COUNT];
    long entered[LN_PROFILE_COUNT];
    ln_profile_part now;
    double since;
} ln_profile;

/* "read", and what it is. */
const char *ln_profile_word(ln_profile_part part);
const char *ln_profile_doc(ln_profile_part part);

/* The time from here on belongs to LN_PART_OTHER, until a part is entered. */
void ln_profile_begin(ln_profile *profile);
/* What has been counted so far stands in seconds[]. */
void ln_profile_look(ln_profile *profile);

/* Hands over to a part; returns the one before, which is for ln_profile_leave(). */
ln_profile_part ln_profile_hand_over(ln_profile *profile, ln_profile_part to);
void ln_profile_hand_back(ln_profile *profile, ln_profile_part to);

static inline ln_profile_part ln_profile_enter(ln_profile *profile, ln_profile_part to) {
    return profile != 0 ? ln_profile_hand_over(profile, to) : to;
}
static inline void ln_profile_leave(ln_profile *profile, ln_profile_part before) {
    if (profile != 0)
        ln_profile_hand_back(profile, before);
}

#endif
