/* SPDX-License-Identifier: MIT */
/* After routing: dots where three wires or more of a link meet, and the names of links where there
 * is room for them. */
#include "diagram/route.h"

#include <stdlib.h>
#include <string.h>

enum { NAME_WIDTH = 6, NAME_HEIGHT = 10 };

/* ---- dots ---- */

/* Directions in which wires leave a point, as bits; a pin there counts as one. */
static int count_bits(unsigned bits) {
    int count = 0;
    for (; bits != 0; bits >>= 1)
        count += (int)(bits & 1);
    return count;
}

static unsigned bits_at(const ln_segment *wire, ln_point_xy at) {
    const int flat = wire->a.y == wire->b.y;
    const int low = flat ? (wire->a.x < wire->b.x ? wire->a.x : wire->b.x)
                         : (wire->a.y < wire->b.y ? wire->a.y : wire->b.y),
              high = flat ? wire->a.x + wire->b.x - low : wire->a.y + wire->b.y - low,
              here = flat ? at.x : at.y;
    if ((flat ? at.y != wire->a.y : at.x != wire->a.x) || here < low || here > high)
        return 0;
    unsigned bits = 0;
    if (here > low)
        bits |= flat ? 1u << LN_WEST : 1u << LN_NORTH;
    if (here < high)
        bits |= flat ? 1u << LN_EAST : 1u << LN_SOUTH;
    return bits;
}

static int degree_at(const ln_drawing *drawing, const ln_net *net, ln_point_xy at) {
    unsigned bits = 0;
    for (int k = 0; k < net->nwires; k++)
        bits |= bits_at(&net->wires[k], at);
    for (int k = 0; k < net->nends; k++) {
        const ln_drawn_part *part = &drawing->parts[net->ends[k].part];
        const ln_pin *pin = &part->pins[net->ends[k].pin];
        const ln_point_xy there = ln_pin_at(part, pin);
        if (there.x == at.x && there.y == at.y)
            bits |= 1u << (pin->way + 2) % 4;
    }
    return count_bits(bits);
}

static int add_dot(const ln_drawing *drawing, ln_net *net, ln_point_xy at) {
    for (int k = 0; k < net->ndots; k++)
        if (net->dots[k].x == at.x && net->dots[k].y == at.y)
            return 1;
    if (degree_at(drawing, net, at) >= 3)
        net->dots[net->ndots++] = at;
    return 1;
}

static int find_dots(ln_drawing *drawing, ln_net *net) {
    net->dots = LN_NEW(drawing->arena, ln_point_xy, 2 * net->nwires + 1);
    if (net->dots == NULL)
        return 0;
    for (int k = 0; k < net->nwires; k++) {
        add_dot(drawing, net, net->wires[k].a);
        add_dot(drawing, net, net->wires[k].b);
    }
    return 1;
}

/* ---- names ---- */

static int is_clear(const ln_drawing *drawing, const ln_maze *maze, ln_box box) {
    const ln_point_xy origin = {0, 0};
    for (int k = 0; k < drawing->nparts; k++)
        if (ln_boxes_meet(drawing->parts[k].room, drawing->parts[k].at, box, origin, 0))
            return 0;
    for (int k = 0; k < drawing->nnets; k++) {
        const ln_net *net = &drawing->nets[k];
        const ln_box name = {net->name_at.x, net->name_at.y - NAME_HEIGHT,
                             net->name_at.x + NAME_WIDTH * ln_width_of(net->name),
                             net->name_at.y + 2};
        if (net->shows_name && ln_boxes_meet(name, origin, box, origin, 2))
            return 0;
    }
    for (int y = box.y0; y <= box.y1; y += 1)
        for (int x = box.x0 - box.x0 % LN_GRID; x <= box.x1; x += LN_GRID) {
            const int cell = ln_maze_cell(maze, (ln_point_xy){x, y});
            if (y % LN_GRID == 0 && maze->across[cell] != 0)
                return 0;
            if (x >= box.x0 && maze->down[cell] != 0)
                return 0;
        }
    return 1;
}

static void try_name(ln_drawing *drawing, const ln_maze *maze, ln_net *net,
                     const ln_segment *wire) {
    const int width = NAME_WIDTH * ln_width_of(net->name),
              x0 = wire->a.x < wire->b.x ? wire->a.x : wire->b.x,
              length = abs(wire->a.x - wire->b.x);
    if (wire->a.y != wire->b.y || length < width + 4)
        return;
    const ln_point_xy at = {x0 + (length - width) / 2, wire->a.y - 3};
    if (!is_clear(drawing, maze, (ln_box){at.x, at.y - NAME_HEIGHT + 1, at.x + width, at.y + 1}))
        return;
    net->name_at = at;
    net->shows_name = 1;
}

/* Above the longest level wire with room. */
static void place_name(ln_drawing *drawing, const ln_maze *maze, ln_net *net) {
    if (strchr(net->name, '.') != NULL || net->nflags > 0)
        return;
    for (int k = 0; k < net->nwires && !net->shows_name; k++)
        try_name(drawing, maze, net, &net->wires[k]);
}

int ln_route_finish(ln_drawing *drawing, const ln_maze *maze) {
    for (int k = 0; k < drawing->nnets; k++)
        if (!find_dots(drawing, &drawing->nets[k]))
            return 0;
    for (int k = 0; k < drawing->nnets; k++)
        place_name(drawing, maze, &drawing->nets[k]);
    return 1;
}
