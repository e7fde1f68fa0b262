/* SPDX-License-Identifier: MIT */
/* What all sized types share: ports and parameters of a face, spread out for one instance. */
#include "blocks/signal/sized.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "model/model.h"

#include <stdio.h>

const char *ln_size_text(char text[64], ln_size size) {
    if (size.rows == 1 && size.cols == 1)
        snprintf(text, 64, "a scalar");
    else if (size.cols == 1)
        snprintf(text, 64, "a vector of %d", size.rows);
    else
        snprintf(text, 64, "a matrix of %d x %d", size.rows, size.cols);
    return text;
}

int ln_sizes_known(const ln_shape *shape, int port) {
    for (int k = 0; shape->sizes != NULL && k < shape->joined[port]; k++)
        if (shape->sizes[port][k].rows == 0)
            return 0;
    return 1;
}

/* The name of the k-th scalar of a port that joins one link. */
static const char *element_name(ln_arena *arena, const char *port, ln_size size, int k) {
    if (size.rows == 1 && size.cols == 1)
        return port;
    if (size.cols == 1)
        return ln_arena_printf(arena, "%s[%d]", port, k + 1);
    return ln_arena_printf(arena, "%s[%d,%d]", port, k / size.cols + 1, k % size.cols + 1);
}

linnet_status ln_sized_begin(const linnet_block_class *face, const ln_shape *shape,
                             ln_equations *equations, ln_report *report) {
    equations->doc = face->doc;
    equations->formula = face->formula;
    equations->example = face->example;
    equations->place = shape->place;
    for (int p = 0; p < face->nports; p++) {
        linnet_port port = face->ports[p];
        int many = (port.flags & LINNET_MANY) != 0;
        port.flags &= ~(unsigned)LINNET_MANY;
        for (int k = 0; k < shape->links[p]; k++) {
            if (many)
                port.name = ln_arena_printf(equations->arena, "%s[%d]", face->ports[p].name, k + 1);
            else
                port.name =
                    element_name(equations->arena, face->ports[p].name, ln_size_of(shape, p, 0), k);
            if (port.name == NULL)
                return ln_no_memory(report);
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
    for (int p = 0; p < face_port; p++)
        k += shape->links[p];
    return ln_leaf_node(equations->graph, LN_LEAF_UNKNOWN, k);
}
