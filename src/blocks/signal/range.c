/* SPDX-License-Identifier: MIT */
/* Limits that an instance has or has not; see range.h. */
#include "blocks/signal/range.h"
#include "expression/graph.h"
#include "expression/nodes.h"
#include "model/model.h"

linnet_status ln_range_read(const ln_shape *shape, int min, ln_report *report, ln_range *range) {
    *range = (ln_range){shape->values[min][0], shape->values[min + 1][0]};
    if (range->low < range->high)
        return LINNET_OK;
    return ln_fail(report, LINNET_MODEL, shape->place,
                   "its min (%g) is not below its max (%g); exchange them", range->low,
                   range->high);
}

ln_node ln_range_clamp(ln_graph *g, ln_node value, ln_range range) {
    const ln_node low = ln_constant(g, range.low), high = ln_constant(g, range.high);
    ln_node result = value;
    if (ln_range_from_above(range))
        result = ln_operation(g, LN_OP_IF, ln_operation(g, LN_OP_LT, high, value, LN_NONE), high,
                              result);
    if (ln_range_from_below(range))
        result =
            ln_operation(g, LN_OP_IF, ln_operation(g, LN_OP_LT, value, low, LN_NONE), low, result);
    return result;
}
