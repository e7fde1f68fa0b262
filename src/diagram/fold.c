/* SPDX-License-Identifier: MIT */
/* A picture that would be a long strip, folded into rows: dot places a chain of fifty blocks on one
 * line, which no screen or page shows at a readable size. The strip is cut where no part stands and
 * few links cross, and its pieces are put below each other, read as lines of a text are. Nothing is
 * folded where the model gives places or where components are drawn inside. */
#include "diagram/room.h"

#include <math.h>
#include <stdlib.h>

enum {
    SHORT = 2000, /* a strip up to here, in pixels, still fits on a screen at half size */
    MOST_ROWS = 12,
    MOST_CUT = 5,     /* more links over a cut would make the way back a bundle */
    GAP = 6 * LN_GRID /* between rows, for the wires that lead from one to the next */
};
static const double STRIP = 3.0; /* width by height from which on a picture is folded ... */
static const double PAGE = 1.9;  /* ... until it is no wider than this */

typedef struct folding {
    ln_drawing *drawing;
    ln_box box;               /* of all parts */
    int rows, cut[MOST_ROWS]; /* row k ends before x = cut[k] */
} folding;

static int is_moved(const ln_drawn_part *part) {
    return part->at_part < 0;
}

static ln_box box_of(const ln_drawing *drawing, int from, int to) {
    ln_box box = {0, 0, -1, -1};
    for (int k = 0; k < drawing->nparts; k++) {
        const ln_drawn_part *part = &drawing->parts[k];
        if (!is_moved(part) || part->at.x < from || part->at.x >= to)
            continue;
        const ln_box own = {part->at.x + part->room.x0, part->at.y + part->room.y0,
                            part->at.x + part->room.x1, part->at.y + part->room.y1};
        if (box.x1 < box.x0)
            box = own;
        box.x0 = own.x0 < box.x0 ? own.x0 : box.x0;
        box.y0 = own.y0 < box.y0 ? own.y0 : box.y0;
        box.x1 = own.x1 > box.x1 ? own.x1 : box.x1;
        box.y1 = own.y1 > box.y1 ? own.y1 : box.y1;
    }
    return box;
}

/* How many links lead over a vertical line, or -1 where a part stands on it. */
static int crossings(const ln_drawing *drawing, int x) {
    int count = 0;
    for (int k = 0; k < drawing->nparts; k++) {
        const ln_drawn_part *part = &drawing->parts[k];
        if (is_moved(part) && part->at.x + part->room.x0 < x && part->at.x + part->room.x1 > x)
            return -1;
    }
    for (int k = 0; k < drawing->nnets; k++) {
        const ln_net *net = &drawing->nets[k];
        int left = 0, right = 0;
        for (int j = 0; j < net->nends && !net->reference && net->supply == 0; j++) {
            const int at = drawing->parts[net->ends[j].part].at.x;
            left |= at < x;
            right |= at >= x;
        }
        count += left && right;
    }
    return count;
}

/* The best line near x, at most `reach` away; 0 when there is none. */
static int find_cut(const ln_drawing *drawing, int x, int reach, int *cut) {
    int best = MOST_CUT + 1, least = 0;
    for (int away = -reach; away <= reach; away += LN_GRID) {
        const int count = crossings(drawing, x + away);
        if (count < 0 || count > best || (count == best && abs(away) >= least))
            continue;
        best = count;
        least = abs(away);
        *cut = x + away;
    }
    return best <= MOST_CUT;
}

static int cut_into(folding *fold, int rows) {
    const int width = fold->box.x1 - fold->box.x0;
    fold->rows = rows;
    fold->cut[rows - 1] = fold->box.x1 + 1;
    for (int k = 0; k < rows - 1; k++)
        if (!find_cut(fold->drawing, fold->box.x0 + width / rows * (k + 1), width / rows / 3,
                      &fold->cut[k]))
            return 0;
    return 1;
}

/* Width by height once folded. */
static double shape_of(const folding *fold) {
    int width = 1, height = 0;
    for (int k = 0; k < fold->rows; k++) {
        const ln_box row =
            box_of(fold->drawing, k > 0 ? fold->cut[k - 1] : fold->box.x0, fold->cut[k]);
        width = row.x1 - row.x0 > width ? row.x1 - row.x0 : width;
        height += row.y1 - row.y0 + GAP;
    }
    return (double)width / height;
}

static int up_to_grid(int length) {
    return (int)ceil((double)length / LN_GRID) * LN_GRID;
}

static void put_below_each_other(const folding *fold) {
    ln_drawing *drawing = fold->drawing;
    int dx[MOST_ROWS], dy[MOST_ROWS], y = fold->box.y0;
    for (int k = 0; k < fold->rows; k++) {
        const ln_box row = box_of(drawing, k > 0 ? fold->cut[k - 1] : fold->box.x0, fold->cut[k]);
        dx[k] = -up_to_grid(row.x0 - fold->box.x0);
        dy[k] = up_to_grid(y - row.y0);
        y += row.y1 - row.y0 + GAP;
    }
    for (int p = 0; p < drawing->nparts; p++) {
        ln_drawn_part *part = &drawing->parts[p];
        int k = 0;
        if (!is_moved(part))
            continue;
        while (k < fold->rows - 1 && part->at.x >= fold->cut[k])
            k++;
        part->at.x += dx[k];
        part->at.y += dy[k];
    }
}

void ln_fold_parts(ln_drawing *drawing) {
    folding fold = {.drawing = drawing};
    for (int k = 0; k < drawing->nparts; k++)
        if (drawing->parts[k].fixed)
            return;
    fold.box = box_of(drawing, -1000000000, 1000000000);
    const int width = fold.box.x1 - fold.box.x0, height = fold.box.y1 - fold.box.y0;
    if (drawing->noutlines > 0 || width <= SHORT || width < STRIP * height)
        return;
    for (int rows = 2; rows <= MOST_ROWS; rows++) {
        if (!cut_into(&fold, rows))
            return;
        if (rows < MOST_ROWS && shape_of(&fold) > PAGE)
            continue;
        put_below_each_other(&fold);
        return;
    }
}
