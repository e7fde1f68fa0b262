/* SPDX-License-Identifier: MIT */
/* An FMU as a model of our language. */
#ifndef LN_FOREIGN_FMI_MODEL_H
#define LN_FOREIGN_FMI_MODEL_H

#include "model/model.h"
#include "model/reader.h"

/* The model's parameter that is the step between communication points, s. */
#define LN_FMI_STEP "communication_step"

/* The tree of an FMU; a reader for ln_model_read_with(). */
const ln_element *ln_fmi_tree(ln_reader *reader, ln_arena *arena, const char *path,
                              ln_report *report, linnet_status *status);

#endif
