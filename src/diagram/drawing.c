/* SPDX-License-Identifier: MIT */
/* From a model to its drawing, step by step; see drawing.h. */
#include "diagram/drawing.h"
#include "diagram/room.h"

#include "base/sys.h"
#include <string.h>

/* ---- the ends of each link ---- */

static int list_ends(ln_drawing *drawing) {
    for (int k = 0; k < drawing->nnets; k++) {
        drawing->nets[k].ends = LN_NEW(drawing->arena, ln_end_of_net, drawing->nets[k].nends + 1);
        if (drawing->nets[k].ends == NULL)
            return 0;
        drawing->nets[k].nends = 0;
    }
    for (int k = 0; k < drawing->nparts; k++)
        for (int j = 0; j < drawing->parts[k].npins; j++) {
            const int net = drawing->parts[k].pins[j].net;
            if (net >= 0)
                drawing->nets[net].ends[drawing->nets[net].nends++] = (ln_end_of_net){k, j};
        }
    return 1;
}

/* ---- the picture's size ---- */

static void include_point(ln_box *box, int x, int y) {
    box->x0 = x < box->x0 ? x : box->x0;
    box->y0 = y < box->y0 ? y : box->y0;
    box->x1 = x > box->x1 ? x : box->x1;
    box->y1 = y > box->y1 ? y : box->y1;
}

static void include_box(ln_box *box, ln_box other, ln_point_xy at) {
    include_point(box, at.x + other.x0, at.y + other.y0);
    include_point(box, at.x + other.x1, at.y + other.y1);
}

static void measure(ln_drawing *drawing) {
    ln_box box = {0, 0, 0, 0};
    if (drawing->nparts > 0)
        box = (ln_box){drawing->parts[0].at.x, drawing->parts[0].at.y, drawing->parts[0].at.x,
                       drawing->parts[0].at.y};
    for (int k = 0; k < drawing->nparts; k++)
        include_box(&box, drawing->parts[k].room, drawing->parts[k].at);
    for (int k = 0; k < drawing->noutlines; k++)
        include_box(&box, drawing->outlines[k].box, (ln_point_xy){0, 0});
    for (int k = 0; k < drawing->nnets; k++) {
        const ln_net *net = &drawing->nets[k];
        for (int j = 0; j < net->nwires; j++) {
            include_point(&box, net->wires[j].a.x, net->wires[j].a.y);
            include_point(&box, net->wires[j].b.x, net->wires[j].b.y);
        }
    }
    const int margin = 2 * LN_GRID;
    drawing->box = (ln_box){box.x0 - margin, box.y0 - margin, box.x1 + margin, box.y1 + margin};
}

/* ---- the way ---- */

static linnet_status lay_out(ln_drawing *drawing, ln_report *report) {
    int *depth = LN_NEW(drawing->arena, int, drawing->nnets + 1);
    if (depth == NULL || !list_ends(drawing) || !ln_orient(drawing, depth))
        return ln_no_memory(report);
    LN_TRY(ln_place_parts(drawing, report));
    ln_adjust_parts(drawing);
    ln_fold_parts(drawing);
    ln_attach_marks(drawing);
    LN_TRY(ln_route(drawing, report));
    measure(drawing);
    return LINNET_OK;
}

/* What the model consists of, placed and connected; *wrong: what a part of it has, which is drawn
 * without that part. */
static linnet_status fill(ln_drawing *drawing, const ln_model *model, const ln_drawing_wish *wish,
                          ln_report *report, linnet_status *wrong) {
    linnet_status status = LINNET_OK;
    drawing->title = ln_arena_string(drawing->arena, model->name != NULL ? model->name : "model");
    if (drawing->title == NULL)
        return ln_no_memory(report);
    drawing->catalogue = ln_catalogue_new(model, report, &status);
    if (drawing->catalogue == NULL)
        return LINNET_MEMORY;
    *wrong = ln_report_status(report, ln_gather(drawing, model, wish, drawing->catalogue, report));
    if (*wrong == LINNET_MEMORY || drawing->parts == NULL) /* there are too many */
        return *wrong;
    LN_TRY(lay_out(drawing, report));
    if (*wrong == LINNET_OK && wish->loops)
        *wrong = ln_report_status(report, ln_highlight_loops(drawing, model, wish, report));
    if (*wrong == LINNET_MEMORY)
        return *wrong;
    /* what did without would look otherwise */
    return ln_arena_failed(drawing->arena) ? ln_no_memory(report) : LINNET_OK;
}

linnet_status ln_drawing_make(const ln_model *model, const ln_drawing_wish *wish, ln_report *report,
                              ln_drawing **result) {
    ln_arena *arena = ln_arena_new();
    ln_drawing *drawing = arena != NULL ? LN_NEW(arena, ln_drawing, 1) : NULL;
    linnet_status wrong = LINNET_OK;
    *result = NULL;
    if (drawing == NULL) {
        ln_arena_free(arena);
        return ln_no_memory(report);
    }
    drawing->arena = arena;
    linnet_status status = fill(drawing, model, wish, report, &wrong);
    if (ln_report_status(report, wrong) == LINNET_MEMORY) /* what is missing is not the model's */
        status = LINNET_MEMORY;
    if (status != LINNET_OK) {
        ln_drawing_free(drawing);
        return status;
    }
    *result = drawing;
    return wrong;
}

void ln_drawing_free(ln_drawing *drawing) {
    if (drawing == NULL)
        return;
    ln_catalogue_free(drawing->catalogue);
    ln_arena_free(drawing->arena);
}
