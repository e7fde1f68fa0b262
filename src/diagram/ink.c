/* SPDX-License-Identifier: MIT */
/* Walks a drawing and hands its strokes to a writer. */
#include "diagram/ink.h"

#include <stdio.h>
#include <string.h>

/* A path of straight lines. */
typedef struct line_path {
    char text[256];
    size_t length;
} line_path;

static void to(line_path *path, char command, int x, int y) {
    const int n = snprintf(path->text + path->length, sizeof path->text - path->length, "%c%d %d",
                           command, x, y);
    if (n > 0 && path->length + (size_t)n < sizeof path->text)
        path->length += (size_t)n;
}

static void draw_line(const ln_ink *ink, void *context, ln_style style, ln_point_xy a,
                      ln_point_xy b) {
    line_path path = {"", 0};
    to(&path, 'M', a.x, a.y);
    to(&path, 'L', b.x, b.y);
    ink->path(context, style, path.text, 0, 0);
}

static ln_point_xy beyond(ln_point_xy at, ln_heading way, int length) {
    return (ln_point_xy){at.x + length * ln_heading_x[way], at.y + length * ln_heading_y[way]};
}

/* ---- marks ---- */

/* A path moved from the origin. Paths of marks are short. */
static void draw_moved(const ln_ink *ink, void *context, const char *path, ln_point_xy at, int turn,
                       const ln_group *group) {
    ln_group moved = *group;
    moved.at = at;
    ink->begin(context, &moved);
    ink->path(context, LN_STYLE_SYMBOL, path, turn, 0);
    ink->end(context);
}

static void draw_reference(const ln_ink *ink, void *context, const ln_pin *pin, ln_point_xy at,
                           const ln_group *group) {
    const ln_symbol *symbol = ln_mark_of(pin->domain);
    ln_point_xy middle;
    const int turn = ln_mark_place(pin, at, &middle);
    if (middle.x != at.x && middle.y != at.y)
        draw_line(ink, context, LN_STYLE_WIRE, at, (ln_point_xy){middle.x, at.y});
    if (pin->marked == LN_MARK_REFERENCE && symbol != NULL)
        draw_moved(ink, context, symbol->lines, middle, turn, group);
}

/* A bar across the end of the wire with the link's name beyond. */
static void draw_supply(const ln_ink *ink, void *context, const ln_net *net, const ln_pin *pin,
                        ln_point_xy at) {
    ln_heading way = pin->way;
    if (way == LN_EAST || way == LN_WEST) {
        const ln_point_xy aside = beyond(at, way, LN_GRID);
        draw_line(ink, context, LN_STYLE_WIRE, at, aside);
        at = aside;
        way = net->supply > 0 ? LN_NORTH : LN_SOUTH;
    }
    const ln_point_xy tip = beyond(at, way, LN_GRID);
    draw_line(ink, context, LN_STYLE_WIRE, at, tip);
    draw_line(ink, context, LN_STYLE_WIRE, (ln_point_xy){tip.x - 8, tip.y},
              (ln_point_xy){tip.x + 8, tip.y});
    ink->words(context, -1, tip.x, tip.y + (way == LN_NORTH ? -3 : 10), 0, net->name);
}

static void draw_flag(const ln_ink *ink, void *context, const ln_net *net, const ln_pin *pin,
                      ln_point_xy at) {
    const ln_point_xy tip = beyond(at, pin->way, LN_GRID);
    draw_line(ink, context, LN_STYLE_WIRE, at, tip);
    const int level = pin->way == LN_EAST || pin->way == LN_WEST, align = pin->way == LN_EAST   ? -1
                                                                          : pin->way == LN_WEST ? 1
                                                                                                : 0;
    ink->words(context, -1, tip.x + 3 * ln_heading_x[pin->way],
               tip.y + (level                  ? 3
                        : pin->way == LN_SOUTH ? 10
                                               : -3),
               align, net->name);
}

/* ---- links ---- */

static void draw_arrow(const ln_ink *ink, void *context, ln_point_xy at, ln_heading way) {
    const ln_point_xy back = beyond(at, way, 7);
    const int x = ln_heading_y[way], y = ln_heading_x[way];
    line_path path = {"", 0};
    to(&path, 'M', at.x, at.y);
    to(&path, 'L', back.x + 3 * x, back.y + 3 * y);
    to(&path, 'L', back.x - 3 * x, back.y - 3 * y);
    ink->path(context, LN_STYLE_ARROW, path.text, 0, 0);
}

static int is_flagged(const ln_net *net, int end) {
    for (int k = 0; k < net->nflags; k++)
        if (net->flags[k] == end)
            return 1;
    return 0;
}

static void draw_end(const ln_drawing *drawing, const ln_ink *ink, void *context,
                     const ln_group *group, int end) {
    const ln_net *net = group->net;
    const ln_drawn_part *part = &drawing->parts[net->ends[end].part];
    const ln_pin *pin = &part->pins[net->ends[end].pin];
    const ln_point_xy at = ln_pin_at(part, pin);
    if (part->at_part >= 0)
        return;
    if (pin->marked == LN_MARK_REFERENCE || pin->marked == LN_MARK_BLOCK)
        draw_reference(ink, context, pin, at, group);
    else if (pin->marked == LN_MARK_SUPPLY)
        draw_supply(ink, context, net, pin, at);
    else if (pin->marked == LN_MARK_FLAG || is_flagged(net, end))
        draw_flag(ink, context, net, pin, at);
    else if ((pin->flags & LINNET_INPUT) && net->nwires > 0)
        draw_arrow(ink, context, at, pin->way);
}

static void draw_net(const ln_drawing *drawing, const ln_net *net, const ln_ink *ink,
                     void *context) {
    const ln_group group = {.net = net, .loop = net->loop};
    ink->begin(context, &group);
    for (int k = 0; k < net->nwires; k++)
        draw_line(ink, context, LN_STYLE_WIRE, net->wires[k].a, net->wires[k].b);
    for (int k = 0; k < net->ndots; k++) {
        line_path path = {"", 0};
        to(&path, 'O', net->dots[k].x, net->dots[k].y);
        to(&path, ' ', 3, 0);
        ink->path(context, LN_STYLE_ARROW, path.text, 0, 0);
    }
    for (int k = 0; k < net->nends; k++)
        draw_end(drawing, ink, context, &group, k);
    if (net->shows_name)
        ink->words(context, -1, net->name_at.x, net->name_at.y, -1, net->name);
    ink->end(context);
}

/* ---- blocks ---- */

/* Beside each pin that has one: the sign of a sum, the name of a box's port. */
static void draw_signs(const ln_drawn_part *part, const ln_ink *ink, void *context) {
    for (int k = 0; k < part->npins; k++) {
        const ln_pin *pin = &part->pins[k];
        const int is_sum = part->symbol != NULL && part->symbol->flags & LN_SYMBOL_SUM,
                  inside = !is_sum;
        if (pin->sign == NULL)
            continue;
        if (inside) {
            const int level = pin->way == LN_EAST || pin->way == LN_WEST;
            ink->words(context, LN_ROLE_PORT, pin->x - 4 * ln_heading_x[pin->way],
                       level ? pin->y + 3 : pin->y + (pin->way == LN_NORTH ? 9 : -3),
                       pin->way == LN_EAST   ? 1
                       : pin->way == LN_WEST ? -1
                                             : 0,
                       pin->sign);
        } else {
            const int x = pin->x + (pin->way == LN_WEST   ? -4
                                    : pin->way == LN_EAST ? 4
                                                          : 6),
                      y = pin->way == LN_SOUTH   ? pin->y + 11
                          : pin->way == LN_NORTH ? pin->y - 3
                                                 : -4;
            ink->words(context, LN_ROLE_PORT, x, y, 0, pin->sign);
        }
    }
}

static void draw_part(const ln_drawn_part *part, const ln_ink *ink, void *context) {
    const ln_group group = {.part = part, .at = part->at, .loop = part->loop};
    ink->begin(context, &group);
    if (part->frame != NULL)
        ink->path(context, LN_STYLE_FRAME, part->frame, 0, 0);
    if (part->symbol != NULL) {
        const ln_symbol *symbol = part->symbol;
        const int is_frame = strcmp(symbol->name, "gain") == 0 ||
                             strcmp(symbol->name, "sum") == 0 || strcmp(symbol->name, "not") == 0;
        if (symbol->lines[0] != '\0')
            ink->path(context, is_frame ? LN_STYLE_FRAME : LN_STYLE_SYMBOL, symbol->lines,
                      part->turn, part->mirrored);
        if (symbol->solid != NULL)
            ink->path(context, LN_STYLE_SOLID, symbol->solid, part->turn, part->mirrored);
        if (symbol->upright != NULL)
            ink->path(context, LN_STYLE_SYMBOL, symbol->upright, 0, 0);
    }
    draw_signs(part, ink, context);
    for (int k = 0; k < part->nlabels; k++) {
        const ln_label *label = &part->labels[k];
        ink->words(context, (int)label->role, label->x, label->y, label->align, label->text);
    }
    for (int k = 0; k < part->npins; k++) {
        const ln_pin *pin = &part->pins[k];
        if (pin->net < 0 && !(pin->flags & LINNET_OUTPUT) && part->at_part < 0) {
            line_path path = {"", 0};
            to(&path, 'O', pin->x, pin->y);
            to(&path, ' ', 3, 0);
            ink->path(context, LN_STYLE_OPEN, path.text, 0, 0);
        }
        ink->port(context, pin, pin->x, pin->y);
    }
    ink->end(context);
}

static void draw_outline(const ln_outline *outline, const ln_ink *ink, void *context) {
    const ln_group group = {.outline = outline};
    const ln_box box = outline->box;
    line_path path = {"", 0};
    char words[160];
    to(&path, 'M', box.x0, box.y0);
    to(&path, 'L', box.x1, box.y0);
    to(&path, 'L', box.x1, box.y1);
    to(&path, 'L', box.x0, box.y1);
    to(&path, 'Z', 0, 0);
    path.text[path.length - 3] = '\0'; /* Z takes no point */
    ink->begin(context, &group);
    ink->path(context, LN_STYLE_OUTLINE, path.text, 0, 0);
    snprintf(words, sizeof words, "%.70s: %.70s", outline->name, outline->type);
    ink->words(context, LN_ROLE_NAME, box.x0 + 6, box.y0 + 13, -1, words);
    ink->end(context);
}

void ln_ink_draw(const ln_drawing *drawing, const ln_ink *ink, void *context) {
    for (int k = 0; k < drawing->noutlines; k++)
        draw_outline(&drawing->outlines[k], ink, context);
    for (int k = 0; k < drawing->nnets; k++)
        draw_net(drawing, &drawing->nets[k], ink, context);
    for (int k = 0; k < drawing->nparts; k++)
        draw_part(&drawing->parts[k], ink, context);
}
