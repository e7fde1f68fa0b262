/* SPDX-License-Identifier: MIT */
/* See the header. */
#include "base/profile.h"

#include "base/sys.h"

#define LN_WORD(part, word, doc) word,
#define LN_DOC(part, word, doc) doc,
static const char *const words[] = {LN_PROFILE_PARTS(LN_WORD)};
static const char *const docs[] = {LN_PROFILE_PARTS(LN_DOC)};

const char *ln_profile_word(ln_profile_part part) {
    return words[part];
}
const char *ln_profile_doc(ln_profile_part part) {
    return docs[part];
}

void ln_profile_begin(ln_profile *profile) {
    *profile = (ln_profile){.now = LN_PART_OTHER, .since = ln_sys->clock()};
}

void ln_profile_look(ln_profile *profile) {
    const double now = ln_sys->clock();
    profile->seconds[profile->now] += now - profile->since;
    profile->since = now;
}

ln_profile_part ln_profile_hand_over(ln_profile *profile, ln_profile_part to) {
    const ln_profile_part before = profile->now;
    if (to > LN_PART_METHOD && before < LN_PART_METHOD)
        return before; /* a start or a corner has what happens within it */
    ln_profile_look(profile);
    profile->now = to;
    profile->entered[to]++;
    return before;
}

void ln_profile_hand_back(ln_profile *profile, ln_profile_part to) {
    if (profile->now == to)
        return;
    ln_profile_look(profile);
    profile->now = to;
}
