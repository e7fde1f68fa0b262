/* SPDX-License-Identifier: MIT */
/* How a part looks: its symbol or box, where its ports are, and what is written beside it. */
#include "diagram/face.h"

#include <stdlib.h>
#include <string.h>

enum { PITCH = 2 * LN_GRID, HALF = 2 * LN_GRID };

/* Width of a character, by role, in pixels; what browsers and TikZ take for sans-serif of the sizes
 * that the writers choose, rounded up. */
static const double widths[] = {
    [LN_ROLE_NAME] = 6.6, [LN_ROLE_VALUE] = 6.0, [LN_ROLE_INSIDE] = 7.2, [LN_ROLE_PORT] = 5.2};
static const int heights[] = {
    [LN_ROLE_NAME] = 11, [LN_ROLE_VALUE] = 10, [LN_ROLE_INSIDE] = 12, [LN_ROLE_PORT] = 8};

static int is_box(const ln_drawn_part *part) {
    return part->symbol == NULL || part->symbol->flags & LN_SYMBOL_BOX;
}

static int pixels(const char *text, ln_role role) {
    return (int)(ln_width_of(text) * widths[role]) + 1;
}

static int up_to_grid(int length) {
    return (length + LN_GRID - 1) / LN_GRID * LN_GRID;
}

/* ---- pins ---- */

static void put_pin(ln_pin *pin, int x, int y, ln_heading way) {
    pin->x = pin->base_x = x;
    pin->y = pin->base_y = y;
    pin->way = pin->base_way = way;
    pin->placed = 1;
}

static ln_heading way_of(int x, int y) {
    if (abs(x) > abs(y))
        return x > 0 ? LN_EAST : LN_WEST;
    return y > 0 ? LN_SOUTH : LN_NORTH;
}

/* The next "name x y" of a list; NULL at its end. */
static const char *next_place(const char *at, char name[32], int *x, int *y) {
    at += strspn(at, " ");
    const size_t length = strcspn(at, " ");
    if (length == 0 || length >= 32)
        return NULL;
    memcpy(name, at, length);
    name[length] = '\0';
    char *end;
    *x = (int)strtol(at + length, &end, 10);
    *y = (int)strtol(end, &end, 10);
    return end;
}

/* The part's pin of that name; else, of a type that borrows the symbol of another, the first one
 * that has no place yet, if there is one of the same kind. */
static ln_pin *pin_for(ln_drawn_part *part, const char *name, int borrowed) {
    for (int k = 0; k < part->npins; k++)
        if (strcmp(part->pins[k].port, name) == 0)
            return &part->pins[k];
    const int is_input = strcmp(name, "in") == 0, is_output = strcmp(name, "out") == 0;
    for (int k = 0; borrowed && k < part->npins; k++) {
        const unsigned flags = part->pins[k].flags;
        if (!part->pins[k].placed && is_input == ((flags & LINNET_INPUT) != 0) &&
            is_output == ((flags & LINNET_OUTPUT) != 0))
            return &part->pins[k];
    }
    return NULL;
}

static void symbol_pins(ln_drawn_part *part) {
    const char *at = part->symbol->pins;
    char name[32];
    int x, y;
    while ((at = next_place(at, name, &x, &y)) != NULL) {
        ln_pin *pin = pin_for(part, name, part->borrows);
        if (pin == NULL)
            continue;
        if (pin->placed) { /* a link that goes through */
            part->pins[part->npins] = *pin;
            pin = &part->pins[part->npins++];
        }
        put_pin(pin, x, y, way_of(x, y));
    }
}

/* Pins that have no place yet, along a side: `way` the side, `half` its distance. */
static int spread(ln_drawn_part *part, ln_heading way, int half,
                  int (*belongs)(const ln_pin *pin)) {
    int count = 0, index = 0;
    for (int k = 0; k < part->npins; k++)
        count += !part->pins[k].placed && belongs(&part->pins[k]);
    const int pitch = part->symbol != NULL && !is_box(part) && count > 1 && count <= 3
                          ? PITCH / (count - 1) / LN_GRID * LN_GRID
                          : PITCH;
    for (int k = 0; k < part->npins; k++) {
        ln_pin *pin = &part->pins[k];
        if (pin->placed || !belongs(pin))
            continue;
        const int along = index++ * pitch - (count - 1) * pitch / 2 / LN_GRID * LN_GRID;
        if (way == LN_WEST || way == LN_EAST)
            put_pin(pin, way == LN_WEST ? -half : half, along, way);
        else
            put_pin(pin, along, way == LN_NORTH ? -half : half, way);
    }
    return count;
}

static int is_switch(const ln_pin *pin) {
    return strncmp(pin->port, "enable", 6) == 0 || strcmp(pin->port, "trigger") == 0;
}
static int is_input(const ln_pin *pin) {
    return (pin->flags & LINNET_INPUT) != 0;
}
static int is_output(const ln_pin *pin) {
    return (pin->flags & LINNET_OUTPUT) != 0;
}
static int is_left(const ln_pin *pin) {
    return is_input(pin) || pin->left;
}
static int is_right(const ln_pin *pin) {
    return is_output(pin) || (pin->domain != LINNET_SIGNAL && !pin->left);
}
static int is_any(const ln_pin *pin) {
    (void)pin;
    return 1;
}

/* Physical ports of a box: of two domains the first stands left; of one, names that begin with p
 * (or are numbered 1), else the first half. */
static void choose_sides(ln_drawn_part *part) {
    int count = 0, seen = 0;
    linnet_domain first = LINNET_SIGNAL;
    int several = 0;
    for (int k = 0; k < part->npins; k++) {
        if (part->pins[k].domain == LINNET_SIGNAL)
            continue;
        first = count++ == 0 ? part->pins[k].domain : first;
        several |= part->pins[k].domain != first;
    }
    for (int k = 0; k < part->npins; k++) {
        ln_pin *pin = &part->pins[k];
        if (pin->domain == LINNET_SIGNAL)
            continue;
        pin->left = several ? pin->domain == first : 2 * seen < count;
        seen++;
    }
}

/* ---- boxes ---- */

static const char *box_label(ln_arena *arena, const ln_drawn_part *part) {
    const char *label = part->symbol != NULL ? part->symbol->label : part->type;
    const char *expression =
        strcmp(part->type, "function") == 0 ? ln_attribute_of(part->element, "expression") : NULL;
    if (expression != NULL && ln_width_of(expression) <= 28)
        label = expression;
    return ln_arena_string(arena, label != NULL ? label : part->type);
}

static void add_label(ln_drawn_part *part, const char *text, ln_role role, int x, int y,
                      int align) {
    if (text != NULL && part->nlabels < (int)(sizeof part->labels / sizeof *part->labels))
        part->labels[part->nlabels++] = (ln_label){text, role, x, y, align};
}

/* The longest name of a port on a side, in pixels. */
static int port_room(const ln_drawn_part *part, ln_heading way) {
    int most = 0;
    for (int k = 0; k < part->npins; k++) {
        const int width = pixels(part->pins[k].port, LN_ROLE_PORT);
        if (part->pins[k].base_way == way && width > most)
            most = width;
    }
    return most;
}

static int count_of(const ln_drawn_part *part, ln_heading way) {
    int count = 0;
    for (int k = 0; k < part->npins; k++)
        count += part->pins[k].base_way == way && part->pins[k].placed;
    return count;
}

static int names_ports(const ln_drawn_part *part) {
    return part->npins > 2 || part->is_component;
}

/* Width and height follow from what is written inside; pins on top and bottom move out to the edge.
 */
/* Half the width of a box: what is written inside, and the names of its ports on both sides. */
static int half_width(const ln_drawn_part *part, int inside) {
    int width = inside + 12;
    if (names_ports(part))
        width += port_room(part, LN_WEST) + port_room(part, LN_EAST) + 4;
    return up_to_grid(width > 2 * HALF ? (width + 1) / 2 : HALF);
}

/* Pins move out to the edges of a box. */
static void move_out(ln_drawn_part *part, int half_w, int half_h) {
    for (int k = 0; k < part->npins; k++) {
        ln_pin *pin = &part->pins[k];
        if (pin->base_way == LN_WEST || pin->base_way == LN_EAST)
            put_pin(pin, pin->base_way == LN_WEST ? -half_w : half_w, pin->base_y, pin->base_way);
        else
            put_pin(pin, pin->base_x, -half_h, LN_NORTH);
        pin->sign = names_ports(part) ? pin->port : NULL;
    }
}

/* Width and height follow from what is written inside and the number of ports. */
static int make_box(ln_drawing *drawing, ln_drawn_part *part) {
    const int fraction = ln_face_fraction(drawing->arena, part, &part->above, &part->below);
    if (!fraction) {
        part->above = box_label(drawing->arena, part);
        part->below = NULL;
    }
    if (part->above == NULL)
        return 0;
    choose_sides(part);
    spread(part, LN_NORTH, HALF, is_switch);
    spread(part, LN_WEST, HALF, is_left);
    spread(part, LN_EAST, HALF, is_right);
    const int left = count_of(part, LN_WEST), right = count_of(part, LN_EAST),
              rows = left > right ? left : right;
    int inside = pixels(part->above, LN_ROLE_INSIDE);
    if (fraction && pixels(part->below, LN_ROLE_INSIDE) > inside)
        inside = pixels(part->below, LN_ROLE_INSIDE);
    const int half_w = half_width(part, inside), half_h = rows > 2 ? rows * LN_GRID : HALF;
    move_out(part, half_w, half_h);
    part->frame = ln_arena_printf(drawing->arena, "M%d %dL%d %dL%d %dL%d %dZ", -half_w, -half_h,
                                  half_w, -half_h, half_w, half_h, -half_w, half_h);
    if (part->frame != NULL && fraction)
        part->frame =
            ln_arena_printf(drawing->arena, "%sM%d 0L%d 0", part->frame, -inside / 2, inside / 2);
    return part->frame != NULL;
}

/* ---- symbols ---- */

/* The inputs of a sum: from the left, from below, from above; many along the left of a box. */
static void sum_pins(ln_drawn_part *part) {
    static const ln_heading ways[3][3] = {
        {LN_WEST}, {LN_WEST, LN_SOUTH}, {LN_NORTH, LN_WEST, LN_SOUTH}};
    const char *signs = ln_attribute_of(part->element, "signs");
    int count = 0, index = 0;
    for (int k = 0; k < part->npins; k++)
        count += is_input(&part->pins[k]);
    for (int k = 0; k < part->npins; k++) {
        ln_pin *pin = &part->pins[k];
        if (!is_input(pin))
            continue;
        if (count <= 3) {
            const ln_heading way = ways[count - 1][index];
            put_pin(pin, LN_GRID * ln_heading_x[way], LN_GRID * ln_heading_y[way], way);
        }
        while (signs != NULL && *signs != '\0' && *signs != '+' && *signs != '-')
            signs++;
        pin->sign = signs != NULL && *signs == '-' ? "\xE2\x88\x92" : "+";
        signs += signs != NULL && *signs != '\0';
        index++;
    }
    if (count > 3)
        part->symbol = ln_symbol_named("long-sum");
}

/* What the symbol's own list does not place, and the frame that has room for it. */
static int symbol_rest(ln_drawing *drawing, ln_drawn_part *part) {
    const int framed = part->symbol->lines[0] == '#';
    const int bar = strcmp(part->symbol->name, "mux") == 0 ? 10 : HALF;
    const int left = spread(part, LN_WEST, bar, is_input);
    const int right =
        spread(part, LN_EAST, strcmp(part->symbol->name, "demux") == 0 ? 10 : HALF, is_output);
    const int rows = left > right ? left : right;
    spread(part, LN_SOUTH, HALF, is_any);
    const int half = rows > 3 ? rows * LN_GRID : HALF;
    if (framed)
        part->frame = ln_arena_printf(drawing->arena, "M-20 %dL20 %dL20 %dL-20 %dZ", -half, -half,
                                      half, half);
    return !framed || part->frame != NULL;
}

int ln_face_make(ln_drawing *drawing, ln_drawn_part *part, const ln_type *type) {
    const linnet_block_class *face = type != NULL ? type->face : NULL;
    if (part->symbol != NULL && part->symbol->flags & LN_SYMBOL_SUM)
        sum_pins(part);
    if (is_box(part)) {
        if (!make_box(drawing, part))
            return 0;
        const int said = part->below != NULL || strcmp(part->above, part->type) != 0;
        part->value =
            ln_face_value(drawing->arena, part, face, part->symbol != NULL || !said ? 2 : 0, 1);
    } else {
        symbol_pins(part);
        if (!symbol_rest(drawing, part))
            return 0;
        part->value = ln_face_value(drawing->arena, part, face, part->symbol->shown, 0);
        part->above = part->symbol->label;
    }
    return ln_face_turn(drawing, part, part->own_turn ? part->turn : 0,
                        part->own_turn ? part->mirrored : 0);
}

/* ---- turning ---- */

static ln_box join(ln_box a, ln_box b) {
    return (ln_box){a.x0 < b.x0 ? a.x0 : b.x0, a.y0 < b.y0 ? a.y0 : b.y0, a.x1 > b.x1 ? a.x1 : b.x1,
                    a.y1 > b.y1 ? a.y1 : b.y1};
}

static void turn_pins(ln_drawn_part *part) {
    for (int k = 0; k < part->npins; k++) {
        ln_pin *pin = &part->pins[k];
        pin->x = part->mirrored ? -pin->base_x : pin->base_x;
        pin->y = pin->base_y;
        pin->way = pin->base_way;
        if (part->mirrored && (pin->way == LN_EAST || pin->way == LN_WEST))
            pin->way = pin->way == LN_EAST ? LN_WEST : LN_EAST;
        for (int turn = 0; turn < part->turn; turn++) {
            const int old = pin->x;
            pin->x = -pin->y;
            pin->y = old;
            pin->way = (ln_heading)((pin->way + 1) % 4);
        }
    }
}

static int has_pin(const ln_drawn_part *part, ln_heading way) {
    for (int k = 0; k < part->npins; k++)
        if (part->pins[k].way == way)
            return 1;
    return 0;
}

ln_box ln_label_box(const ln_label *label) {
    const int width = pixels(label->text, label->role), x0 = label->align < 0 ? label->x
                                                             : label->align > 0
                                                                 ? label->x - width
                                                                 : label->x - width / 2;
    return (ln_box){x0, label->y - heights[label->role], x0 + width, label->y + 3};
}

/* Name and value where no wire leaves. */
/* Of a block: below it, beside a wire that leaves there. */
static void place_below(ln_drawn_part *part) {
    const int x = has_pin(part, LN_SOUTH) ? 6 : 0, align = x > 0 ? -1 : 0;
    add_label(part, part->name, LN_ROLE_NAME, x, part->body.y1 + 12, align);
    add_label(part, part->value, LN_ROLE_VALUE, x, part->body.y1 + 24, align);
}

/* Of an element that lies: its name above, its value below, beside wires that leave there. */
static void place_around(ln_drawn_part *part) {
    const ln_box body = part->body;
    const int top = has_pin(part, LN_NORTH), bottom = has_pin(part, LN_SOUTH);
    add_label(part, part->name, LN_ROLE_NAME, top ? -5 : 0, (body.y0 > -8 ? -8 : body.y0) - 4,
              top ? 1 : 0);
    add_label(part, part->value, LN_ROLE_VALUE, bottom ? 6 : 0, (body.y1 < 8 ? 8 : body.y1) + 11,
              bottom ? -1 : 0);
}

/* Name and value where no wire leaves. */
static void place_names(ln_drawn_part *part) {
    const ln_box body = part->body;
    if (!is_box(part) && part->symbol->flags & LN_SYMBOL_SUM && !has_pin(part, LN_NORTH)) {
        add_label(part, part->name, LN_ROLE_NAME, 0, body.y0 - 6, 0);
        return;
    }
    if (is_box(part) || part->symbol->flags & LN_SYMBOL_BLOCK) {
        place_below(part);
        return;
    }
    const int right = has_pin(part, LN_EAST),
              stands = has_pin(part, LN_NORTH) && has_pin(part, LN_SOUTH);
    if (right && !(stands && !has_pin(part, LN_WEST))) {
        place_around(part);
        return;
    }
    const int side = right ? body.x0 - 4 : body.x1 + 4, align = right ? 1 : -1;
    add_label(part, part->name, LN_ROLE_NAME, side, -2, align);
    add_label(part, part->value, LN_ROLE_VALUE, side, 11, align);
}

/* The words inside: one line, or two around a stroke. */
static void place_inside(ln_drawn_part *part) {
    const char *slash = part->below == NULL && part->above != NULL && part->symbol != NULL &&
                                part->frame != NULL && !is_box(part)
                            ? strchr(part->above, '/')
                            : NULL;
    if (part->below != NULL) {
        add_label(part, part->above, LN_ROLE_INSIDE, 0, -5, 0);
        add_label(part, part->below, LN_ROLE_INSIDE, 0, 14, 0);
    } else if (slash != NULL && slash[1] != '\0') {
        add_label(part, part->numerator, LN_ROLE_INSIDE, 0, -4, 0);
        add_label(part, slash + 1, LN_ROLE_INSIDE, 0, 13, 0);
    } else {
        const int down = part->symbol != NULL && strcmp(part->symbol->name, "gain") == 0 ? -3 : 0;
        add_label(part, part->above, LN_ROLE_INSIDE, part->symbol != NULL && down < 0 ? down : 0, 4,
                  0);
    }
}

/* The value of a gain or a constant, inside where it fits. */
static void value_inside(ln_drawn_part *part) {
    if (part->symbol == NULL || !(part->symbol->flags & LN_SYMBOL_VALUE))
        return;
    if (part->value != NULL && ln_width_of(part->value) <= 5) {
        part->above = part->value;
        part->value = NULL;
    }
}

static int split_label(ln_drawing *drawing, ln_drawn_part *part) {
    const char *slash = part->above != NULL ? strchr(part->above, '/') : NULL;
    part->numerator =
        slash == NULL ? ""
                      : ln_arena_text(drawing->arena, part->above, (size_t)(slash - part->above));
    return part->numerator != NULL;
}

/* Room for the wires that leave a side: one more track for each further pin. */
static ln_box lead_box(const ln_drawn_part *part, const ln_pin *pin) {
    int beside = 0;
    for (int k = 0; k < part->npins; k++)
        beside += part->pins[k].way == pin->way && part->pins[k].net >= 0;
    const int far = beside > 3 ? 3 * LN_GRID : beside * LN_GRID,
              x = pin->x + far * ln_heading_x[pin->way], y = pin->y + far * ln_heading_y[pin->way];
    return (ln_box){x < pin->x ? x : pin->x, y < pin->y ? y : pin->y, x > pin->x ? x : pin->x,
                    y > pin->y ? y : pin->y};
}

/* What a mark at a pin takes, from the part's middle. */
static ln_box mark_box(const ln_pin *pin) {
    const int x = ln_heading_x[pin->way], y = ln_heading_y[pin->way],
              half = pin->mark_width / 2 > 12 ? pin->mark_width / 2 : 12;
    if (pin->marked == LN_MARK_FLAG && x != 0) {
        const int far = pin->x + x * (LN_GRID + 4 + pin->mark_width);
        return (ln_box){far < pin->x ? far : pin->x, pin->y - 5, far > pin->x ? far : pin->x,
                        pin->y + 5};
    }
    const int middle = pin->x + 2 * LN_GRID * x;
    if (y != 0)
        return (ln_box){middle - half, pin->y + (y < 0 ? -24 : 0), middle + half,
                        pin->y + (y > 0 ? 24 : 0)};
    return (ln_box){middle - half, pin->y - (pin->marked == LN_MARK_SUPPLY ? 24 : 12),
                    middle + half, pin->y + 22};
}

int ln_face_turn(ln_drawing *drawing, ln_drawn_part *part, int turn, int mirrored) {
    part->turn = turn;
    part->mirrored = mirrored;
    part->nlabels = 0;
    value_inside(part);
    if (!split_label(drawing, part))
        return 0;
    turn_pins(part);
    part->body = ln_stroke_box(part->frame, 0, 0);
    if (part->symbol != NULL) {
        part->body = join(part->body, ln_stroke_box(part->symbol->lines, turn, mirrored));
        part->body = join(part->body, ln_stroke_box(part->symbol->solid, turn, mirrored));
    }
    for (int k = 0; k < part->npins; k++)
        part->body = join(part->body, (ln_box){part->pins[k].x, part->pins[k].y, part->pins[k].x,
                                               part->pins[k].y});
    place_inside(part);
    if (part->symbol == NULL || !(part->symbol->flags & LN_SYMBOL_MARK))
        place_names(part);
    part->room = part->body;
    for (int k = 0; k < part->nlabels; k++)
        part->room = join(part->room, ln_label_box(&part->labels[k]));
    for (int k = 0; k < part->npins; k++)
        part->room =
            join(part->room, part->pins[k].marked != LN_MARK_NONE ? mark_box(&part->pins[k])
                                                                  : lead_box(part, &part->pins[k]));
    return 1;
}

ln_point_xy ln_pin_at(const ln_drawn_part *part, const ln_pin *pin) {
    return (ln_point_xy){part->at.x + pin->x, part->at.y + pin->y};
}
