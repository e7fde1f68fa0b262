/* SPDX-License-Identifier: MIT */
/* What all sized types share: ports and parameters of a face, spread out for one instance. */
#include "blocks/signal/sized.h"

linnet_status ln_sized_begin(const linnet_block_class *face, const ln_shape *shape, ln_equations *equations,
                             ln_report *report) {
    equations->doc = face->doc;
    equations->formula = face->formula;
    equations->example = face->example;
    equations->place = shape->place;
    for (int p = 0; p < face->nports; p++) {
        linnet_port port = face->ports[p];
        int many = (port.flags & LINNET_MANY) != 0;
        port.flags &= ~(unsigned)LINNET_MANY;
        for (int k = 0; k < shape->links[p]; k++) {
            if (many) port.name = ln_arena_printf(equations->arena, "%s[%d]", face->ports[p].name, k + 1);
            if (port.name == NULL) return ln_no_memory(report);
            ln_add_port(equations, port);
        }
    }
    for (int k = 0; k < face->nparams; k++) {
        linnet_param param = face->params[k];
        param.rows = shape->rows[k];
        param.cols = shape->cols[k];
        ln_add_param(equations, param);
    }
    return equations->failed ? ln_no_memory(report) : LINNET_OK;
}

ln_node ln_sized_port(ln_equations *equations, const ln_shape *shape, int face_port, int k) {
    for (int p = 0; p < face_port; p++) k += shape->links[p];
    return ln_leaf_node(equations->graph, LN_LEAF_UNKNOWN, k);
}
