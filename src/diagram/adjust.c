/* SPDX-License-Identifier: MIT */
/* Wires made straight: a descent that moves one part at a time to where its pins are level with
 * those they join, as long as the estimated length and bends of its links become less and nothing
 * overlaps. Parts that the model places stay. */
#include "diagram/room.h"

#include <stdlib.h>

enum { PASSES = 12, LARGEST_NET = 16, BEND = 30, FARTHEST = 30 * LN_GRID, MOST_TRIES = 160 };

int ln_boxes_meet(ln_box a, ln_point_xy at, ln_box b, ln_point_xy bt, int space) {
    return at.x + a.x0 - space < bt.x + b.x1 && bt.x + b.x0 - space < at.x + a.x1 &&
           at.y + a.y0 - space < bt.y + b.y1 && bt.y + b.y0 - space < at.y + a.y1;
}

/* ---- what a wire between two pins costs ---- */

static int pair_cost(ln_point_xy a, ln_heading from, ln_point_xy b, ln_heading to) {
    const int dx = b.x - a.x, dy = b.y - a.y, ax = ln_heading_x[from], ay = ln_heading_y[from],
              bx = ln_heading_x[to], by = ln_heading_y[to];
    const int across = ax != 0 ? dy : dx, square = (ax != 0) != (bx != 0),
              faces = ax == -bx && ay == -by,
              forward = dx * ax + dy * ay >= 0 && -dx * bx - dy * by >= 0;
    int bends = 2;
    if (square)
        bends = !forward ? 3 : across == 0 ? 0 : 1;
    else if (faces)
        bends = !forward ? 4 : across == 0 ? 0 : 2;
    return abs(dx) + abs(dy) + BEND * bends;
}

static int net_cost(const ln_drawing *drawing, const ln_net *net) {
    int sum = 0;
    if (net->reference || net->supply != 0 || net->nends < 2 || net->nends > LARGEST_NET)
        return 0;
    for (int i = 0; i < net->nends; i++) {
        const ln_drawn_part *a = &drawing->parts[net->ends[i].part];
        const ln_pin *from = &a->pins[net->ends[i].pin];
        int best = -1;
        for (int j = 0; j < net->nends; j++) {
            const ln_drawn_part *b = &drawing->parts[net->ends[j].part];
            const ln_pin *to = &b->pins[net->ends[j].pin];
            if (a == b)
                continue;
            const int cost = pair_cost(ln_pin_at(a, from), from->way, ln_pin_at(b, to), to->way);
            if (best < 0 || cost < best)
                best = cost;
        }
        sum += best > 0 ? best : 0;
    }
    return sum;
}

static int part_cost(const ln_drawing *drawing, const ln_drawn_part *part) {
    int sum = 0;
    for (int k = 0; k < part->npins; k++)
        if (part->pins[k].net >= 0)
            sum += net_cost(drawing, &drawing->nets[part->pins[k].net]);
    return sum;
}

/* ---- where a part may stand ---- */

static int is_inside(const ln_drawing *drawing, int inner, int outline) {
    for (; inner >= 0; inner = drawing->outlines[inner].outer)
        if (inner == outline)
            return 1;
    return 0;
}

/* Within the outlines of its components, and out of all others. */
static int fits_outlines(const ln_drawing *drawing, const ln_drawn_part *part, ln_point_xy at) {
    const ln_point_xy origin = {0, 0};
    for (int k = 0; k < drawing->noutlines; k++) {
        const ln_box box = drawing->outlines[k].box;
        if (is_inside(drawing, part->frames, k)) {
            if (at.x + part->room.x0 < box.x0 || at.x + part->room.x1 > box.x1 ||
                at.y + part->room.y0 < box.y0 + 16 || at.y + part->room.y1 > box.y1)
                return 0;
        } else if (ln_boxes_meet(part->room, at, box, origin, LN_GRID)) {
            return 0;
        }
    }
    return 1;
}

static int is_free(const ln_drawing *drawing, const ln_drawn_part *part, ln_point_xy at) {
    for (int k = 0; k < drawing->nparts; k++) {
        const ln_drawn_part *other = &drawing->parts[k];
        if (other != part && other->at_part < 0 &&
            ln_boxes_meet(part->room, at, other->room, other->at, LN_GRID))
            return 0;
    }
    return fits_outlines(drawing, part, at);
}

/* ---- the descent ---- */

static void add_try(ln_point_xy *tries, int *count, ln_point_xy at, int dx, int dy) {
    if (*count < MOST_TRIES && abs(dx) <= FARTHEST && abs(dy) <= FARTHEST && (dx != 0 || dy != 0))
        tries[(*count)++] = (ln_point_xy){at.x + dx, at.y + dy};
}

/* Places at which some pin is level with one that it joins, and the neighbours of its place. */
static int collect(const ln_drawing *drawing, const ln_drawn_part *part,
                   ln_point_xy tries[MOST_TRIES]) {
    int count = 0;
    for (int step = -2; step <= 2; step++) {
        add_try(tries, &count, part->at, step * LN_GRID, 0);
        add_try(tries, &count, part->at, 0, step * LN_GRID);
    }
    for (int k = 0; k < part->npins; k++) {
        const ln_pin *pin = &part->pins[k];
        const ln_net *net = pin->net >= 0 ? &drawing->nets[pin->net] : NULL;
        if (net == NULL || net->reference || net->nends > LARGEST_NET)
            continue;
        for (int j = 0; j < net->nends; j++) {
            const ln_drawn_part *other = &drawing->parts[net->ends[j].part];
            if (other == part || other->at_part >= 0)
                continue;
            const ln_point_xy there = ln_pin_at(other, &other->pins[net->ends[j].pin]),
                              here = ln_pin_at(part, pin);
            const ln_heading way = other->pins[net->ends[j].pin].way;
            add_try(tries, &count, part->at, 0, there.y - here.y);
            add_try(tries, &count, part->at, there.x - here.x, 0);
            for (int gap = 2; gap <= 8; gap += 2)
                add_try(tries, &count, part->at,
                        there.x + gap * LN_GRID * ln_heading_x[way] - here.x,
                        there.y + gap * LN_GRID * ln_heading_y[way] - here.y);
        }
    }
    return count;
}

static int improve(ln_drawing *drawing, ln_drawn_part *part) {
    ln_point_xy tries[MOST_TRIES], start = part->at, best = start;
    const int count = collect(drawing, part, tries);
    int least = part_cost(drawing, part);
    for (int k = 0; k < count; k++) {
        part->at = tries[k];
        const int cost = part_cost(drawing, part);
        part->at = start;
        if (cost < least && is_free(drawing, part, tries[k])) {
            least = cost;
            best = tries[k];
        }
    }
    part->at = best;
    return best.x != start.x || best.y != start.y;
}

static ln_box around(ln_box box, const ln_drawn_part *part, int first) {
    const ln_box room = {part->at.x + part->room.x0, part->at.y + part->room.y0,
                         part->at.x + part->room.x1, part->at.y + part->room.y1};
    if (first)
        return room;
    return (ln_box){room.x0 < box.x0 ? room.x0 : box.x0, room.y0 < box.y0 ? room.y0 : box.y0,
                    room.x1 > box.x1 ? room.x1 : box.x1, room.y1 > box.y1 ? room.y1 : box.y1};
}

/* Around the parts of each component; outer ones after inner ones, which stand behind them. */
static void measure_outlines(ln_drawing *drawing) {
    for (int k = drawing->noutlines - 1; k >= 0; k--) {
        ln_outline *outline = &drawing->outlines[k];
        int first = 1;
        for (int j = 0; j < drawing->nparts; j++)
            if (is_inside(drawing, drawing->parts[j].frames, k) && drawing->parts[j].at_part < 0) {
                outline->box = around(outline->box, &drawing->parts[j], first);
                first = 0;
            }
        int depth = 1;
        for (int j = k + 1; j < drawing->noutlines; j++)
            if (is_inside(drawing, j, k) && j != k)
                depth = 2;
        const int margin = 14 * depth;
        outline->box = (ln_box){outline->box.x0 - margin, outline->box.y0 - margin - 14,
                                outline->box.x1 + margin, outline->box.y1 + margin};
    }
}

void ln_adjust_parts(ln_drawing *drawing) {
    measure_outlines(drawing);
    int moved = 1;
    for (int pass = 0; pass < PASSES && moved; pass++) {
        moved = 0;
        for (int k = 0; k < drawing->nparts; k++) {
            ln_drawn_part *part = &drawing->parts[k];
            if (!part->fixed && part->at_part < 0)
                moved |= improve(drawing, part);
        }
    }
}

/* ---- references ---- */

void ln_attach_marks(ln_drawing *drawing) {
    for (int k = 0; k < drawing->nparts; k++) {
        ln_drawn_part *part = &drawing->parts[k];
        if (part->at_part < 0)
            continue;
        const ln_drawn_part *other = &drawing->parts[part->at_part];
        const ln_pin *pin = &other->pins[part->at_pin];
        const ln_point_xy at = ln_pin_at(other, pin);
        ln_point_xy middle;
        (void)ln_face_turn(drawing, part, ln_mark_place(pin, at, &middle), 0);
        part->at = middle;
    }
}
