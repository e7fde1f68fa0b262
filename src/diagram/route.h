/* SPDX-License-Identifier: MIT */
/* Private to the room `diagram`: the grid that wires are routed on. */
#ifndef LN_DIAGRAM_ROUTE_H
#define LN_DIAGRAM_ROUTE_H

#include "diagram/room.h"

/* Cells of LN_GRID; numbered row by row. */
typedef struct ln_maze {
    int x0, y0, width, height; /* picture coordinates of cell 0; cells */
    char *blocked;             /* a part stands there */
    int *reserved;             /* 1 + net whose pin is there, or leaves over it */
    unsigned char *penalty;    /* words, edges of parts */
    int *across, *down;        /* 1 + net that runs there; a corner or an end is both */
    /* of the search: stamps say whether a state is new */
    unsigned *stamp, now;
    int *cost, *from;
    int *heap;
    size_t heap_count, heap_room;
} ln_maze;

static inline int ln_maze_cell(const ln_maze *maze, ln_point_xy at) {
    return (at.y - maze->y0) / LN_GRID * maze->width + (at.x - maze->x0) / LN_GRID;
}
ln_point_xy ln_maze_point(const ln_maze *maze, int cell);

/* ---- finish.c: dots and names; 0 when memory is short ---- */
int ln_route_finish(ln_drawing *drawing, const ln_maze *maze);

/* ---- search.c ---- */
/* A cell where the search may begin or end, and the headings it may leave by (bits). */
typedef struct ln_gate {
    int cell;
    unsigned ways;
} ln_gate;
/* From any source to any goal of the net; path[room] takes the cells. */
typedef struct ln_errand {
    int net;
    const ln_gate *sources;
    int nsources;
    const ln_gate *goals;
    int ngoals;
    int *path, room;
} ln_errand;
/* The cheapest way, by Dijkstra's search over cells and headings. Returns the index of the goal,
 * with the cells of the way, goal first, in path[0..*length-1]; -1: there is none; -2: memory is
 * short. */
int ln_maze_search(ln_maze *maze, const ln_errand *errand, int *length);

#endif
