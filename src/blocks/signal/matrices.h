/* SPDX-License-Identifier: MIT */
/* What the state-space types, continuous and discrete, ask of their matrices. */
#ifndef LN_BLOCKS_SIGNAL_MATRICES_H
#define LN_BLOCKS_SIGNAL_MATRICES_H

#include "blocks/signal/sized.h"

/* Where an instance's A, B, C, D and x0 are among the parameters of its type: first .. first + 4.
 * in, out: its ports. Each size that does not fit is reported; D and x0 may be left out. */
linnet_status ln_check_matrices(const ln_shape *shape, const linnet_param *params, int first,
                                int in, int out, ln_report *report);

/* ln_type's measure() of these types, with matrices, ports and messages as above: one output link
 * takes all outputs as a vector, a list of links one each; vectors among the inputs count with all
 * their elements. (That the matrices fit each other, ln_check_matrices() finds.) */
linnet_status ln_measure_matrices(const ln_shape *shape, ln_size *const *sizes, int first, int in,
                                  int out, ln_report *report);

#endif
