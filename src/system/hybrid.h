/* SPDX-License-Identifier: MIT */
/* Memories, modes and events of all instances of a system: what changes only at instants.
 *
 * Guards and events are numbered through the system's hybrid instances, in the order of their
 * names. */
#ifndef LN_SYSTEM_HYBRID_H
#define LN_SYSTEM_HYBRID_H

#include "system/system.h"

/* Sets all memories to their start values; modes are zero until they are decided. */
void ln_system_reset_memories(ln_system *system, double t);

/* Decides all modes at the moment; returns how many have changed. may_change[nguards] (may be
 * NULL): only modes of guards whose may_change[k] is not 0 may change. last (may be NULL): the
 * number of a guard whose mode changed, when any did. */
int ln_system_decide_modes(ln_system *system, const ln_moment *moment, const char *may_change,
                           int *last);

/* All modes, mode[nguards]; NAN where a guard is the stretch of a varying delay. And modes set to
 * such values. */
void ln_system_modes(const ln_system *system, double *mode);
void ln_system_set_modes(ln_system *system, const double *mode);

/* How far each mode is from changing: guard[nguards], negative where it has to. wanted[nguards]
 * (may be NULL: all): only blocks of which some guard is wanted are asked; the guards of the others
 * are left as they are. */
void ln_system_guards(ln_system *system, const ln_moment *moment, const char *wanted,
                      double *guard);
/* A stretch from a moment to a later time, over which the unknowns go straight to x_end[]. */
typedef struct ln_stretch {
    ln_moment from;
    double to; /* s */
    const double *x_end;
} ln_stretch;
/* How far guards may turn over the stretch, turn[nguards] (the block's turns(); -1 where there is
 * none); delays and modes are as at its begin. */
void ln_system_turns(ln_system *system, const ln_stretch *stretch, double *turn);
/* May any guard? */
int ln_system_has_turns(const ln_system *system);
/* Sets a guard of exactly zero to a negative value where its mode would be decided otherwise
 * here. */
void ln_system_resolve_zero_guards(ln_system *system, const ln_moment *moment, double *guard);
/* Is this such a value? */
int ln_guard_is_just_beyond(double guard);

/* changed[nguards] becomes 1 where a mode is another than in these memories (nmemories). */
void ln_system_note_changed_modes(const ln_system *system, const double *before, char *changed);
/* What the noise of unknowns makes of guards, which are known at the moment, into noise[nguards]:
 * of the blocks of those that are wanted (wanted[nguards]; NULL: all). least: what it is at least,
 * n values, or NULL. */
void ln_system_guard_noise(ln_system *system, const ln_moment *moment, const char *wanted,
                           const double *guard, const double *least, double *noise);

/* To which value within its noise an unknown alone brings a wanted guard (wanted[nguards]) that is
 * not zero to zero exactly: zero[n], NAN where there is none. */
void ln_system_guard_zeros(ln_system *system, const ln_moment *moment, const char *wanted,
                           double *zero);

/* Which conditions hold: holds[nevents]. */
void ln_system_conditions(ln_system *system, const ln_moment *moment, char *holds);

/* Everything as it was before events act. */
typedef struct ln_before_event {
    const double *x, *m; /* all unknowns and memories */
    /* memories before the events of this round; the same as m in the first */
    const double *m_round;
} ln_before_event;
/* What events leave, to be filled. */
typedef struct ln_after_event {
    double *memory; /* nmemories: an instance that acts starts from previous->m_round with the modes
                     * as they are now, the others keep system->memory */
    double *x_set;  /* n: what they set, in a copy of moment->x */
    char *sets;     /* nhybrid: 1 for an instance that has set a state; or NULL */
} ln_after_event;
/* The fired events (fired[nevents]) act. Returns 1 when a state was set. */
int ln_system_act(ln_system *system, const ln_moment *moment, const ln_before_event *previous,
                  const char *fired, const ln_after_event *after);

const ln_instance *ln_hybrid_instance(const ln_system *system, int index);
/* The place of a hybrid instance among them. */
int ln_hybrid_index(const ln_system *system, const ln_instance *instance);
/* The instance a guard or an event belongs to, and the event. */
const ln_instance *ln_guard_owner(const ln_system *system, int guard);
const ln_instance *ln_event_owner(const ln_system *system, int number, const linnet_event **event);

#endif
