/* SPDX-License-Identifier: MIT */
/* Checkpoints: a run saved on its way, from which it goes on in another process.
 *
 * A run that takes checkpoints pauses at the first end of a step that is not before begin + k*every
 * and goes on from what it has saved (integrate/pause.h), so the run that was interrupted and
 * resumed writes the same bytes as the one that was not. The file holds that state, how much of the
 * result belonged to it, and a fingerprint of model, settings and columns; its CRC-32 stands last,
 * and it takes the place of the one before in one piece. */
#ifndef LN_ANALYSIS_CHECKPOINT_H
#define LN_ANALYSIS_CHECKPOINT_H

#include "analysis/simulation.h"

/* Saves simulation->pause and marks the sink's rows. LINNET_IO is reported. */
linnet_status ln_checkpoint_write(ln_simulation *simulation);

/* How much of the result belongs to a checkpoint. */
typedef struct ln_checkpoint_result {
    long long length;
    unsigned long sum; /* its CRC-32 */
} ln_checkpoint_result;
/* Reads a checkpoint of this prepared simulation into simulation->pause, its rows and its interval
 * of checkpoints. LINNET_IO, reported: it cannot be read, is damaged, or belongs to another model
 * or other settings. */
linnet_status ln_checkpoint_read(ln_simulation *simulation, const char *path,
                                 ln_checkpoint_result *result);

#endif
