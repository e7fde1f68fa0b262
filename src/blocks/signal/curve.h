/* SPDX-License-Identifier: MIT */
/* A curve through points as an expression: what lookup, time-table and core-table share (lookup.c).
 */
#ifndef LN_BLOCKS_SIGNAL_CURVE_H
#define LN_BLOCKS_SIGNAL_CURVE_H

#include "blocks/signal/interpolate.h"
#include "blocks/signal/table_data.h"
#include "expression/graph.h"
#include "model/model.h"

typedef struct ln_curve_manner {
    ln_interpolation method;
    ln_outside outside;
    double least_end; /* a cubic curve rises at both ends at least so steeply; 0: as it comes */
} ln_curve_manner;

/* From the texts of a parameter `method` and the one behind it, `outside`. What they mean by no
 * name is reported. */
linnet_status ln_read_manner(const ln_shape *shape, int param, ln_report *report,
                             ln_curve_manner *manner);
/* The argument of a table, and what messages call it. */
typedef struct ln_argument {
    ln_node at;
    const char *name;
} ln_argument;
/* *value: the curve at x. Adds tables to the type. LINNET_MEMORY is reported. */
linnet_status ln_add_curve(ln_equations *equations, const ln_table_curve *curve,
                           ln_curve_manner manner, ln_argument x, ln_report *report,
                           ln_node *value);

#endif
