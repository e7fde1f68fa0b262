/* SPDX-License-Identifier: MIT */
/* Block diagrams of other simulators as models: further readers beside those of XML and SPICE. What
 * they make is an ordinary model with the lines of the file. */
#ifndef LN_FOREIGN_FOREIGN_H
#define LN_FOREIGN_FOREIGN_H

#include "foreign/sketch.h"
#include "model/model.h"

/* Vibesim's YAML (`blocks`) or obliq-2's JSON (`sheets`), known by what the file holds. An
 * ln_tree_maker (model.h). */
const ln_element *ln_diagram_tree(ln_reader *reader, ln_arena *arena, const char *path,
                                  ln_report *report, linnet_status *status);

/* ---- within the room ---- */

/* Fills the root below `model` from the file's data. (vibesim.c, obliq.c) */
void ln_vibesim_model(ln_draft *draft, const ln_datum *data, ln_element *model);
void ln_obliq_model(ln_draft *draft, const ln_datum *data, ln_element *model);

/* What a block of these systems becomes. (vibesim_blocks.c, obliq_blocks.c) */
ln_sketch_emit ln_vibesim_block, ln_obliq_block;

/* Vibesim's step and what follows from it, under the names of parameters of the model. */
#define LN_VIBESIM_STEP "sample_time"
#define LN_VIBESIM_FILTER "filter_time"
#define LN_OBLIQ_STEP "time_step"

/* An expression of Vibesim in ours; the model's parameters in it are noted as used. */
const char *ln_vibesim_formula(ln_sketch *sketch, const char *text);
/* The same of a parameter of the part, `otherwise` where it is not given. */
const char *ln_vibesim_value(ln_sketch *sketch, const ln_foreign_part *part, const char *key,
                             const char *otherwise);

/* An expression in C over in(0), in(1), ... as ours over u1, u2, ...; NULL after an error, told
 * with `who`, which names the block. (c_formula.c) */
const char *ln_c_formula(ln_draft *draft, const char *text, int ninputs, const char *who, int line);

/* Ends both conversions: components, blocks, how to run them, what to record. */
void ln_diagram_settings(ln_sketch *sketch, ln_nest *root, const ln_nest *types,
                         const char *duration, const char *interval);

#endif
