/* SPDX-License-Identifier: MIT */
/* Links as wires on a grid: link after link, short ones first, grows as a tree from pin to pin; a
 * link that finds no way comes first in the next round. A pin that cannot be reached at all bears
 * the link's name. */
#include "diagram/route.h"

#include "base/sys.h"
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 8, ROUNDS = 5, LONGEST = 20000, MOST_CELLS = 16000000 };

ln_point_xy ln_maze_point(const ln_maze *maze, int cell) {
    return (ln_point_xy){maze->x0 + cell % maze->width * LN_GRID,
                         maze->y0 + cell / maze->width * LN_GRID};
}

/* ---- the maze ---- */

/* What of a part no wire may cross: its body without the leads of its pins. */
static ln_box core_of(const ln_drawn_part *part) {
    ln_box box = part->body;
    if (part->symbol == NULL || part->symbol->flags & (LN_SYMBOL_BLOCK | LN_SYMBOL_BOX))
        return box;
    for (int k = 0; k < part->npins; k++) {
        const ln_pin *pin = &part->pins[k];
        if (pin->way == LN_EAST && pin->x == box.x1)
            box.x1 -= LN_GRID;
        else if (pin->way == LN_WEST && pin->x == box.x0)
            box.x0 += LN_GRID;
        else if (pin->way == LN_SOUTH && pin->y == box.y1)
            box.y1 -= LN_GRID;
        else if (pin->way == LN_NORTH && pin->y == box.y0)
            box.y0 += LN_GRID;
    }
    return box;
}

static int floor_cells(int length) {
    return length >= 0 ? length / LN_GRID : -((-length + LN_GRID - 1) / LN_GRID);
}

/* Calls for each cell of a box of the picture, edges too. */
static void fill(ln_maze *maze, ln_box box, char *blocked, unsigned char penalty) {
    const int x0 = floor_cells(box.x0 - maze->x0 + LN_GRID - 1),
              x1 = floor_cells(box.x1 - maze->x0),
              y0 = floor_cells(box.y0 - maze->y0 + LN_GRID - 1),
              y1 = floor_cells(box.y1 - maze->y0);
    for (int y = y0 < 0 ? 0 : y0; y <= y1 && y < maze->height; y++)
        for (int x = x0 < 0 ? 0 : x0; x <= x1 && x < maze->width; x++) {
            const int cell = y * maze->width + x;
            if (blocked != NULL)
                blocked[cell] = 1;
            else if (maze->penalty[cell] < penalty)
                maze->penalty[cell] = penalty;
        }
}

static ln_box moved(ln_box box, ln_point_xy at) {
    return (ln_box){box.x0 + at.x, box.y0 + at.y, box.x1 + at.x, box.y1 + at.y};
}

static ln_box picture_of(const ln_drawing *drawing) {
    ln_box box = {0, 0, 0, 0};
    for (int k = 0; k < drawing->nparts; k++) {
        const ln_box room = moved(drawing->parts[k].room, drawing->parts[k].at);
        if (k == 0)
            box = room;
        box = (ln_box){room.x0 < box.x0 ? room.x0 : box.x0, room.y0 < box.y0 ? room.y0 : box.y0,
                       room.x1 > box.x1 ? room.x1 : box.x1, room.y1 > box.y1 ? room.y1 : box.y1};
    }
    for (int k = 0; k < drawing->noutlines; k++) {
        const ln_box room = drawing->outlines[k].box;
        box = (ln_box){room.x0 < box.x0 ? room.x0 : box.x0, room.y0 < box.y0 ? room.y0 : box.y0,
                       room.x1 > box.x1 ? room.x1 : box.x1, room.y1 > box.y1 ? room.y1 : box.y1};
    }
    return box;
}

static void reserve(ln_maze *maze, const ln_drawing *drawing, const ln_drawn_part *part,
                    const ln_pin *pin) {
    const ln_point_xy at = ln_pin_at(part, pin), next = {at.x + LN_GRID * ln_heading_x[pin->way],
                                                         at.y + LN_GRID * ln_heading_y[pin->way]};
    const int owner = pin->net >= 0 ? pin->net + 1 : drawing->nnets + 1;
    maze->reserved[ln_maze_cell(maze, at)] = owner;
    const int beside = ln_maze_cell(maze, next);
    if (pin->marked != LN_MARK_NONE) {
        maze->blocked[beside] = 1;
        maze->blocked[2 * beside - ln_maze_cell(maze, at)] = 1;
    }
    if (pin->marked == LN_MARK_NONE && maze->reserved[beside] == 0 && pin->net >= 0 &&
        drawing->nets[pin->net].nends > 1 && !maze->blocked[beside])
        maze->reserved[beside] = owner;
}

static void fill_maze(ln_maze *maze, const ln_drawing *drawing) {
    for (int k = 0; k < drawing->nparts; k++) {
        const ln_drawn_part *part = &drawing->parts[k];
        if (part->at_part >= 0)
            continue;
        fill(maze, moved(core_of(part), part->at), maze->blocked, 0);
        const ln_box body = part->body; /* along its edge a wire may run */
        fill(maze, moved((ln_box){body.x0 + 1, body.y0 + 1, body.x1 - 1, body.y1 - 1}, part->at),
             NULL, 12);
        for (int j = 0; j < part->nlabels; j++)
            fill(maze, moved(ln_label_box(&part->labels[j]), part->at), NULL, 40);
    }
    for (int k = 0; k < drawing->noutlines; k++) {
        /* along its edges no wire runs */
        const ln_box box = drawing->outlines[k].box;
        fill(maze, (ln_box){box.x0 - 4, box.y0 - 4, box.x1 + 4, box.y0 + 18}, NULL, 8);
        fill(maze, (ln_box){box.x0 - 4, box.y1 - 4, box.x1 + 4, box.y1 + 4}, NULL, 8);
        fill(maze, (ln_box){box.x0 - 4, box.y0, box.x0 + 4, box.y1}, NULL, 8);
        fill(maze, (ln_box){box.x1 - 4, box.y0, box.x1 + 4, box.y1}, NULL, 8);
    }
    for (int k = 0; k < drawing->nparts; k++)
        for (int j = 0; j < drawing->parts[k].npins && drawing->parts[k].at_part < 0; j++)
            reserve(maze, drawing, &drawing->parts[k], &drawing->parts[k].pins[j]);
}

static linnet_status make_maze(ln_maze *maze, const ln_drawing *drawing, ln_arena *arena,
                               ln_report *report) {
    const ln_box box = picture_of(drawing);
    *maze = (ln_maze){0};
    maze->x0 = (floor_cells(box.x0) - MARGIN) * LN_GRID;
    maze->y0 = (floor_cells(box.y0) - MARGIN) * LN_GRID;
    maze->width = floor_cells(box.x1 - maze->x0) + MARGIN + 1;
    maze->height = floor_cells(box.y1 - maze->y0) + MARGIN + 1;
    const size_t cells = (size_t)maze->width * (size_t)maze->height;
    if (cells > MOST_CELLS)
        return ln_fail(report, LINNET_MODEL, LN_NOWHERE,
                       "the places that the blocks ask for (at=\"x,y\") lie too far apart for a "
                       "picture: %.0f by %.0f pixels",
                       (double)maze->width * LN_GRID, (double)maze->height * LN_GRID);
    maze->blocked = LN_NEW(arena, char, cells);
    maze->penalty = LN_NEW(arena, unsigned char, cells);
    maze->reserved = LN_NEW(arena, int, cells);
    maze->across = LN_NEW(arena, int, cells);
    maze->down = LN_NEW(arena, int, cells);
    maze->stamp = LN_NEW(arena, unsigned, 4 * cells);
    maze->cost = LN_NEW(arena, int, 4 * cells);
    maze->from = LN_NEW(arena, int, 4 * cells);
    if (!maze->blocked || !maze->penalty || !maze->reserved || !maze->across || !maze->down ||
        !maze->stamp || !maze->cost || !maze->from)
        return ln_no_memory(report);
    fill_maze(maze, drawing);
    return LINNET_OK;
}

/* ---- one link ---- */

typedef struct growing {
    ln_maze *maze;
    ln_drawing *drawing;
    ln_net *net;
    int index;
    ln_gate *tree; /* cells of the wires so far */
    size_t ntree, tree_room;
    ln_segment *wires;
    size_t nwires, wires_room;
    char *joined; /* per end */
    int *path;
} growing;

static ln_gate pin_gate(const growing *g, int end) {
    const ln_drawn_part *part = &g->drawing->parts[g->net->ends[end].part];
    const ln_pin *pin = &part->pins[g->net->ends[end].pin];
    /* out of the body, or past the lead; not through the body */
    const unsigned ways = 15u & ~(1u << (pin->way + 2) % 4);
    const int is_straight = pin->domain == LINNET_SIGNAL || part->symbol == NULL;
    return (ln_gate){ln_maze_cell(g->maze, ln_pin_at(part, pin)),
                     is_straight ? 1u << pin->way : ways};
}

static int add_tree(growing *g, int cell, unsigned ways) {
    for (size_t k = 0; k < g->ntree; k++)
        if (g->tree[k].cell == cell) {
            g->tree[k].ways |= ways;
            return 1;
        }
    if (!LN_GROW(g->tree, g->ntree, g->tree_room))
        return 0;
    g->tree[g->ntree++] = (ln_gate){cell, ways};
    return 1;
}

/* An end is in the tree; with it the other pins of a port that the link goes through. */
static int join_end(growing *g, int end) {
    const ln_end_of_net *ends = g->net->ends;
    const char *port = g->drawing->parts[ends[end].part].pins[ends[end].pin].port;
    for (int k = 0; k < g->net->nends; k++) {
        const ln_drawn_part *part = &g->drawing->parts[ends[k].part];
        if (g->joined[k] || ends[k].part != ends[end].part ||
            strcmp(part->pins[ends[k].pin].port, port) != 0)
            continue;
        g->joined[k] = 1;
        const ln_gate gate = pin_gate(g, k);
        if (!add_tree(g, gate.cell, gate.ways))
            return 0;
    }
    return 1;
}

/* The cells of a way as straight wires; ends and bends keep others out. */
static int lay(growing *g, const int *path, int length) {
    ln_maze *maze = g->maze;
    const int owner = g->index + 1;
    for (int k = 0; k < length; k++) {
        const int is_bend =
            k == 0 || k == length - 1 || path[k] - path[k - 1] != path[k + 1] - path[k];
        const int step = k + 1 < length ? path[k + 1] - path[k] : path[k] - path[k > 0 ? k - 1 : k];
        if (is_bend || abs(step) == 1)
            maze->across[path[k]] = owner;
        if (is_bend || abs(step) != 1)
            maze->down[path[k]] = owner;
        if (!add_tree(g, path[k], 15))
            return 0;
    }
    for (int from = 0, k = 1; k < length; k++)
        if (k == length - 1 || path[k + 1] - path[k] != path[k] - path[k - 1]) {
            if (!LN_GROW(g->wires, g->nwires, g->wires_room))
                return 0;
            g->wires[g->nwires++] =
                (ln_segment){ln_maze_point(maze, path[from]), ln_maze_point(maze, path[k])};
            from = k;
        }
    return 1;
}

/* Joins the nearest end that is not in the tree; *left says how many could not be reached. -1:
 * memory. */
static int grow(growing *g, int *left) {
    ln_gate *goals = LN_NEW(g->drawing->arena, ln_gate, g->net->nends + 1);
    int *which = LN_NEW(g->drawing->arena, int, g->net->nends + 1);
    if (goals == NULL || which == NULL)
        return -1;
    for (;;) {
        int count = 0, length = 0;
        for (int k = 0; k < g->net->nends; k++)
            if (!g->joined[k]) {
                goals[count] = pin_gate(g, k);
                which[count++] = k;
            }
        *left = count;
        if (count == 0)
            return 0;
        const ln_errand errand = {g->index, g->tree, (int)g->ntree, goals, count, g->path, LONGEST};
        const int goal = ln_maze_search(g->maze, &errand, &length);
        if (goal == -2)
            return -1;
        if (goal < 0)
            return 0;
        if (!lay(g, g->path, length) || !join_end(g, which[goal]))
            return -1;
    }
}

static int keep_wires(growing *g) {
    ln_net *net = g->net;
    net->wires = LN_NEW(g->drawing->arena, ln_segment, g->nwires + 1);
    net->flags = LN_NEW(g->drawing->arena, int, net->nends + 1);
    if (net->wires == NULL || net->flags == NULL)
        return 0;
    if (g->nwires > 0)
        memcpy(net->wires, g->wires, g->nwires * sizeof *g->wires);
    net->nwires = (int)g->nwires;
    net->nflags = 0;
    for (int k = 0; k < net->nends; k++)
        if (!g->joined[k])
            net->flags[net->nflags++] = k;
    /* a name at one end alone says nothing: the tree bears it as well */
    if (net->nflags > 0)
        net->flags[net->nflags++] = 0;
    return 1;
}

/* Routes a link. Returns how many ends could not be reached, -1 when memory is short. */
static int route_net(ln_maze *maze, ln_drawing *drawing, int index, int *path) {
    growing g = {.maze = maze,
                 .drawing = drawing,
                 .net = &drawing->nets[index],
                 .index = index,
                 .path = path};
    int left = -1;
    g.joined = LN_NEW(drawing->arena, char, g.net->nends + 1);
    if (g.joined != NULL && join_end(&g, 0) && grow(&g, &left) == 0) {
        if (!keep_wires(&g))
            left = -1;
    } else {
        left = -1;
    }
    ln_sys->release(g.tree);
    ln_sys->release(g.wires);
    return left;
}

/* ---- all links ---- */

static int is_wired(const ln_net *net) {
    return !net->reference && net->supply == 0 && net->nends > 1;
}

static int span_of(const ln_drawing *drawing, const ln_net *net) {
    ln_point_xy low = {0, 0}, high = {0, 0};
    for (int k = 0; k < net->nends; k++) {
        const ln_drawn_part *part = &drawing->parts[net->ends[k].part];
        const ln_point_xy at = ln_pin_at(part, &part->pins[net->ends[k].pin]);
        if (k == 0)
            low = high = at;
        low = (ln_point_xy){at.x < low.x ? at.x : low.x, at.y < low.y ? at.y : low.y};
        high = (ln_point_xy){at.x > high.x ? at.x : high.x, at.y > high.y ? at.y : high.y};
    }
    return high.x - low.x + high.y - low.y;
}

typedef struct turn_of {
    int net, failed, span;
} turn_of;

static int by_turn(const void *a, const void *b) {
    const turn_of *x = a, *y = b;
    if (x->failed != y->failed)
        return x->failed > y->failed ? -1 : 1;
    if (x->span != y->span)
        return x->span < y->span ? -1 : 1;
    return x->net < y->net ? -1 : x->net > y->net;
}

/* All links in their order; the number of ends that were not reached, -1 when memory is short. */
static int route_all(ln_maze *maze, ln_drawing *drawing, turn_of *turns, int count, int *path) {
    const size_t cells = (size_t)maze->width * (size_t)maze->height;
    int failed = 0;
    memset(maze->across, 0, cells * sizeof *maze->across);
    memset(maze->down, 0, cells * sizeof *maze->down);
    for (int k = 0; k < count; k++) {
        const int left = route_net(maze, drawing, turns[k].net, path);
        if (left < 0)
            return -1;
        turns[k].failed += left;
        failed += left;
    }
    return failed;
}

/* The rounds; links that found no way come first in the next. The number of ends without a wire,
 * -1: no memory. */
static int route_rounds(ln_maze *maze, ln_drawing *drawing, turn_of *turns, int *path) {
    int count = 0, failed = 1;
    for (int k = 0; k < drawing->nnets; k++)
        if (is_wired(&drawing->nets[k]))
            turns[count++] = (turn_of){k, 0, span_of(drawing, &drawing->nets[k])};
    for (int round = 0; round < ROUNDS && failed > 0; round++) {
        qsort(turns, (size_t)count, sizeof *turns, by_turn);
        failed = route_all(maze, drawing, turns, count, path);
    }
    return failed;
}

linnet_status ln_route(ln_drawing *drawing, ln_report *report) {
    if (drawing->nparts == 0)
        return LINNET_OK;
    ln_maze maze = {0};
    ln_arena *scratch = ln_arena_new();
    turn_of *turns = scratch != NULL ? LN_NEW(scratch, turn_of, drawing->nnets + 1) : NULL;
    int *path = scratch != NULL ? LN_NEW(scratch, int, LONGEST) : NULL;
    linnet_status status = LINNET_OK;
    if (turns == NULL || path == NULL)
        status = ln_no_memory(report);
    if (status == LINNET_OK)
        status = make_maze(&maze, drawing, scratch, report);
    if (status == LINNET_OK &&
        (route_rounds(&maze, drawing, turns, path) < 0 || !ln_route_finish(drawing, &maze)))
        status = ln_no_memory(report);
    ln_sys->release(maze.heap);
    ln_arena_free(scratch);
    return status;
}
