/* SPDX-License-Identifier: MIT */
/* Where the texts of a panel's notes stand: each at its point, or above those that it would cover,
 * or below them where the frame ends. They are placed from left to right, those of one x from the
 * lowest up. */
#include "plot/script.h"

#include "base/sys.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 80 };

/* A text beside its point, in parts of the frame, from 0 to 1. */
typedef struct box {
    double x, left, right, low, high;
    int note;
} box;

static double part_of(const ln_plot_axis *axis, const ln_plot_scale *scale, double value) {
    if (axis->logarithmic)
        return log(value / scale->low) / log(scale->high / scale->low);
    return (value - scale->low) / (scale->high - scale->low);
}

static double value_at(const ln_plot_axis *axis, const ln_plot_scale *scale, double part) {
    if (axis->logarithmic)
        return scale->low * pow(scale->high / scale->low, part);
    return scale->low + part * (scale->high - scale->low);
}

int ln_plot_note_left(const ln_plot_note *note, const ln_plot_axis *axis,
                      const ln_plot_scale *scale) {
    return part_of(axis, scale, note->x) > 0.75;
}

static box box_of(const ln_plot_panel *panel, const ln_plot_frame *frame, int k) {
    const ln_plot_note *note = &panel->notes[k];
    const double width = frame->letter * (double)(strnlen(note->text, LONGEST) + 2) / frame->width;
    const double at = part_of(&panel->x, frame->x, note->x),
                 low = part_of(&panel->y, frame->y, note->y);
    const int left = ln_plot_note_left(note, &panel->x, frame->x);
    return (box){
        at, left ? at - width : at, left ? at : at + width, low, low + frame->line / frame->height,
        k};
}

static int compare_boxes(const void *one, const void *other) {
    const box *a = one, *b = other;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return a->low != b->low ? (a->low < b->low ? -1 : 1) : a->note - b->note;
}

static int overlap(const box *a, const box *b) {
    return a->left < b->right && b->left < a->right && a->low < b->high && b->low < a->high;
}

/* Out of what it covers of the boxes before it, until it covers none: it only ever rises, or only
 * ever falls. */
static box move_box(box own, const box *before, int count, int up) {
    static const double gap = 1e-6; /* two that touch do not overlap */
    const double height = own.high - own.low;
    for (int j = 0; j < count; j++) {
        if (!overlap(&own, &before[j]))
            continue;
        own.low = up ? before[j].high + gap : before[j].low - gap - height;
        own.high = own.low + height;
        j = -1;
    }
    return own;
}

static box place_box(box own, const box *before, int count) {
    const double height = own.high - own.low;
    const box raised = move_box(own, before, count, 1);
    if (raised.high <= 1)
        return raised;
    own.high = fmin(own.high, 1);
    own.low = own.high - height;
    return move_box(own, before, count, 0);
}

int ln_plot_place_notes(const ln_plot_panel *panel, const ln_plot_frame *frame, double *heights) {
    const int count = panel->nnotes;
    box *boxes = ln_sys->resize(NULL, (size_t)(count + 1) * sizeof *boxes);
    if (boxes == NULL)
        return 0;
    for (int k = 0; k < count; k++)
        boxes[k] = box_of(panel, frame, k);
    qsort(boxes, (size_t)count, sizeof *boxes, compare_boxes);
    for (int k = 0; k < count; k++) {
        boxes[k] = place_box(boxes[k], boxes, k);
        heights[boxes[k].note] = value_at(&panel->y, frame->y, boxes[k].low);
    }
    ln_sys->release(boxes);
    return 1;
}
