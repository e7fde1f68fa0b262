/* SPDX-License-Identifier: MIT */
/* Which way each part stands. Physical links get a depth, their distance in blocks from the
 * sources, by a search in breadth; an element between two depths lies with its face towards the
 * sources, one between a link and a reference hangs down, one between equal depths stands.
 * References and supplies are drawn as marks at every pin that joins them, as schematics do, and
 * not as wires. */
#include "diagram/room.h"

#include <string.h>

static int is_physical(const ln_pin *pin) {
    return pin->domain != LINNET_SIGNAL;
}

static int is_mechanical(linnet_domain domain) {
    return domain == LINNET_TRANSLATIONAL || domain == LINNET_ROTATIONAL;
}

static int has_flag(const ln_drawn_part *part, unsigned flag) {
    return part->symbol != NULL && (part->symbol->flags & flag) != 0;
}

/* ---- references ---- */

/* The first pin of the net that bears no mark of another block yet; -1: none. */
static int free_end(const ln_drawing *drawing, const ln_net *net) {
    for (int k = 0; k < net->nends; k++) {
        const ln_drawn_part *part = &drawing->parts[net->ends[k].part];
        if (!part->is_reference && part->pins[net->ends[k].pin].marked != LN_MARK_BLOCK)
            return k;
    }
    return -1;
}

/* A reference stands at a pin of its link, unless the model says where. */
static void attach_references(ln_drawing *drawing) {
    for (int k = 0; k < drawing->nparts; k++) {
        ln_drawn_part *part = &drawing->parts[k];
        if (!part->is_reference || part->npins == 0 || part->pins[0].net < 0)
            continue;
        const ln_net *net = &drawing->nets[part->pins[0].net];
        const int end = part->fixed ? -1 : free_end(drawing, net);
        if (end < 0)
            continue;
        part->at_part = net->ends[end].part;
        part->at_pin = net->ends[end].pin;
        drawing->parts[part->at_part].pins[part->at_pin].marked = LN_MARK_BLOCK;
    }
}

static void mark_pins(ln_drawing *drawing, const ln_net *net, ln_mark mark) {
    for (int k = 0; k < net->nends; k++) {
        ln_drawn_part *part = &drawing->parts[net->ends[k].part];
        ln_pin *pin = &part->pins[net->ends[k].pin];
        if (pin->marked != LN_MARK_NONE || part->is_reference)
            continue;
        pin->marked = mark;
        pin->mark_width = mark == LN_MARK_REFERENCE ? 0 : 6 * ln_width_of(net->name);
    }
}

static void find_references(ln_drawing *drawing) {
    for (int k = 0; k < drawing->nparts; k++) {
        const ln_drawn_part *part = &drawing->parts[k];
        if (part->is_reference && part->npins > 0 && part->pins[0].net >= 0)
            drawing->nets[part->pins[0].net].reference = 1;
    }
    attach_references(drawing);
    for (int k = 0; k < drawing->nnets; k++)
        if (drawing->nets[k].reference)
            mark_pins(drawing, &drawing->nets[k], LN_MARK_REFERENCE);
}

/* The net that a constant voltage against a reference feeds; *sign -1 where it lies below. */
static int supply_of(const ln_drawing *drawing, const ln_drawn_part *part, int *sign) {
    if (strcmp(part->type, "voltage-source") != 0 || part->npins != 2 || part->pins[0].net < 0 ||
        part->pins[1].net < 0)
        return -1;
    const int p = part->pins[0].net, n = part->pins[1].net, grounded = drawing->nets[n].reference,
              below = drawing->nets[p].reference;
    if (grounded == below)
        return -1;
    const char *value = part->value;
    const int minus = value != NULL && value[0] == '-';
    if (value == NULL || strncmp(value, "0 ", 2) == 0)
        return -1;
    *sign = (minus ? -1 : 1) * (grounded ? 1 : -1);
    return grounded ? p : n;
}

/* Whether something else drives the circuit: the one source of a circuit is drawn with its wires.
 */
static int has_other_source(const ln_drawing *drawing) {
    for (int k = 0; k < drawing->nparts; k++) {
        const ln_drawn_part *part = &drawing->parts[k];
        if (has_flag(part, LN_SYMBOL_STANDS) && strcmp(part->type, "voltage-source") != 0 &&
            part->pins[0].domain == LINNET_ELECTRICAL && strstr(part->type, "sensor") == NULL)
            return 1;
    }
    return 0;
}

/* A supply that feeds several places would cross the whole picture. */
static void find_supplies(ln_drawing *drawing) {
    if (!has_other_source(drawing))
        return;
    for (int k = 0; k < drawing->nparts; k++) {
        int sign;
        const int net = supply_of(drawing, &drawing->parts[k], &sign);
        if (net < 0 || drawing->nets[net].nends < 3 || drawing->nets[net].supply != 0)
            continue;
        drawing->nets[net].supply = sign;
        mark_pins(drawing, &drawing->nets[net], LN_MARK_SUPPLY);
    }
}

/* A link with one end is its name there, unless that is only the port's. */
static void find_flags(ln_drawing *drawing) {
    for (int k = 0; k < drawing->nnets; k++) {
        const ln_net *net = &drawing->nets[k];
        if (net->nends == 1 && !net->reference && strchr(net->name, '.') == NULL)
            mark_pins(drawing, net, LN_MARK_FLAG);
    }
}

static int is_rail(const ln_drawing *drawing, int net) {
    return net >= 0 && (drawing->nets[net].reference || drawing->nets[net].supply != 0);
}

/* 1 on top, -1 at the bottom, 0: neither. */
static int height_of(const ln_drawing *drawing, int net) {
    return net < 0 ? 0 : drawing->nets[net].reference ? -1 : drawing->nets[net].supply;
}

/* ---- depths ---- */

static int start_queue(const ln_drawing *drawing, int *depth, int *queue) {
    int count = 0;
    for (int k = 0; k < drawing->nparts; k++) {
        const ln_drawn_part *part = &drawing->parts[k];
        if (!has_flag(part, LN_SYMBOL_STANDS) || strstr(part->type, "sensor") != NULL)
            continue;
        for (int j = 0; j < part->npins; j++) {
            const int net = part->pins[j].net;
            if (net < 0 || !is_physical(&part->pins[j]) || is_rail(drawing, net) || depth[net] >= 0)
                continue;
            depth[net] = 0;
            queue[count++] = net;
        }
    }
    return count;
}

static int next_start(const ln_drawing *drawing, int *depth) {
    for (int k = 0; k < drawing->nnets; k++)
        if (drawing->nets[k].domain != LINNET_SIGNAL && depth[k] < 0 && !is_rail(drawing, k)) {
            depth[k] = 0;
            return k;
        }
    return -1;
}

static int reach(const ln_drawing *drawing, const ln_drawn_part *part, int from, int *depth,
                 int *queue, int count) {
    for (int j = 0; j < part->npins; j++) {
        const int net = part->pins[j].net;
        if (net < 0 || !is_physical(&part->pins[j]) || is_rail(drawing, net) || depth[net] >= 0)
            continue;
        depth[net] = depth[from] + 1;
        queue[count++] = net;
    }
    return count;
}

static int find_depths(ln_drawing *drawing, int *depth) {
    int *queue = LN_NEW(drawing->arena, int, drawing->nnets + 1);
    if (queue == NULL)
        return 0;
    for (int k = 0; k < drawing->nnets; k++)
        depth[k] = -1;
    int count = start_queue(drawing, depth, queue), next = 0;
    for (;;) {
        if (next == count) {
            const int start = next_start(drawing, depth);
            if (start < 0)
                return 1;
            queue[count++] = start;
        }
        const ln_net *net = &drawing->nets[queue[next]];
        for (int k = 0; k < net->nends; k++)
            count = reach(drawing, &drawing->parts[net->ends[k].part], queue[next], depth, queue,
                          count);
        next++;
    }
}

/* ---- turning ---- */

/* The physical pins on the west and the east side of an unturned part; -1 each where there is none.
 */
static void find_sides(const ln_drawn_part *part, int *west, int *east) {
    *west = *east = -1;
    for (int k = 0; k < part->npins; k++) {
        if (!is_physical(&part->pins[k]))
            continue;
        if (part->pins[k].base_way == LN_WEST && *west < 0)
            *west = k;
        if (part->pins[k].base_way == LN_EAST && *east < 0)
            *east = k;
    }
}

static int depth_of(const int *depth, int net) {
    return net < 0 || depth[net] < 0 ? 0 : depth[net];
}

/* A shaft or a rod lies; a wall stands at the side where the chain begins or ends. */
static int lies_mirrored(const ln_drawing *drawing, const int *depth, int west, int east) {
    const int west_wall = is_rail(drawing, west), east_wall = is_rail(drawing, east);
    if (east_wall && !west_wall)
        return depth_of(depth, west) == 0;
    if (west_wall && !east_wall)
        return depth_of(depth, east) > 1;
    return depth_of(depth, west) > depth_of(depth, east);
}

static int turn_two(ln_drawing *drawing, ln_drawn_part *part, const int *depth, int w, int e) {
    const int west = part->pins[w].net, east = part->pins[e].net;
    if (is_mechanical(part->pins[w].domain))
        return ln_face_turn(drawing, part, 0, lies_mirrored(drawing, depth, west, east));
    const int top = height_of(drawing, west) - height_of(drawing, east);
    if (top != 0)
        return ln_face_turn(drawing, part, 3, top > 0);
    if (has_flag(part, LN_SYMBOL_STANDS) || depth_of(depth, west) == depth_of(depth, east))
        return ln_face_turn(drawing, part, 3, 1);
    return ln_face_turn(drawing, part, 0, depth_of(depth, west) > depth_of(depth, east));
}

/* A box of physical ports turns its nearer side to the sources. */
static int turn_box(ln_drawing *drawing, ln_drawn_part *part, const int *depth) {
    int west = 0, east = 0, nwest = 0, neast = 0;
    for (int k = 0; k < part->npins; k++) {
        if (!is_physical(&part->pins[k]))
            return ln_face_turn(drawing, part, 0, 0);
        if (is_rail(drawing, part->pins[k].net))
            continue;
        if (part->pins[k].base_way == LN_WEST) {
            west += depth_of(depth, part->pins[k].net);
            nwest++;
        } else {
            east += depth_of(depth, part->pins[k].net);
            neast++;
        }
    }
    return ln_face_turn(drawing, part, 0, nwest > 0 && neast > 0 && west * neast > east * nwest);
}

/* The side of a transistor that is nearer to the supply comes on top; of a p-channel or pnp one
 * that is the source or emitter, where no link decides. */
static int turn_transistor(ln_drawing *drawing, ln_drawn_part *part) {
    int top = 0;
    for (int k = 0; k < part->npins; k++) {
        const ln_pin *pin = &part->pins[k];
        if (pin->base_way == LN_NORTH)
            top += height_of(drawing, pin->net);
        else if (pin->base_way == LN_SOUTH)
            top -= height_of(drawing, pin->net);
    }
    const int flips = top < 0 || (top == 0 && part->symbol->name[0] == 'p');
    return ln_face_turn(drawing, part, flips ? 2 : 0, flips);
}

static int orient_part(ln_drawing *drawing, ln_drawn_part *part, const int *depth) {
    int west, east;
    if (part->own_turn || part->is_reference)
        return ln_face_turn(drawing, part, part->turn, part->mirrored);
    if (part->symbol == NULL)
        return turn_box(drawing, part, depth);
    if (has_flag(part, LN_SYMBOL_FLIPS))
        return turn_transistor(drawing, part);
    if (has_flag(part, LN_SYMBOL_BLOCK | LN_SYMBOL_FIXED | LN_SYMBOL_THROUGH))
        return ln_face_turn(drawing, part, 0, 0);
    find_sides(part, &west, &east);
    if (west < 0 || east < 0)
        return ln_face_turn(drawing, part, 0, 0);
    return turn_two(drawing, part, depth, west, east);
}

int ln_orient(ln_drawing *drawing, int *depth) {
    find_references(drawing);
    find_supplies(drawing);
    find_flags(drawing);
    if (!find_depths(drawing, depth))
        return 0;
    for (int k = 0; k < drawing->nparts; k++)
        if (!orient_part(drawing, &drawing->parts[k], depth))
            return 0;
    return 1;
}
