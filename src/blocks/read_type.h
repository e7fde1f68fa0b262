/* SPDX-License-Identifier: MIT */
/* <block-type> in XML, as the model room read it, to a list of equations. */
#ifndef LN_BLOCKS_READ_TYPE_H
#define LN_BLOCKS_READ_TYPE_H

#include "blocks/equations.h"
#include "model/model.h"

/* Checks names, units, ranges and expressions of a definition and describes it. All errors are
 * reported, with their lines; then LINNET_MODEL. On success *equations is the caller's. The
 * definition must outlive it (names and texts are not copied). given: values of the parameters, by
 * index, of which those that decide sizes count; NULL: their defaults. wanted: the names of those
 * optional states that are there, NULL behind the last; NULL: all of them. */
linnet_status ln_read_type(const ln_definition *definition, const double *const *given,
                           const char *const *wanted, ln_report *report, ln_equations **equations);

#endif
