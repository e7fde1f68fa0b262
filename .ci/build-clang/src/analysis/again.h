/* SPDX-License-Identifier: MIT */
/* Models whose numbers were computed as they were read (SPICE decks): other values of their
 * parameters read them anew. */
#ifndef LN_ANALYSIS_AGAIN_H
#define LN_ANALYSIS_AGAIN_H

#include "model/model.h"
#include "network/network.h"

/* Reads the model once more if one of the overrides is about a parameter of its own that the
 * reading used up; *again, else NULL, is the caller's. A failure is reported with its first
 * message; warnings have been told the first time. */
linnet_status ln_model_again(const ln_model *model, const ln_override *overrides, int noverrides,
                             ln_report *report, ln_model **again);

#endif
