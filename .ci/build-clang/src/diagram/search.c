/* SPDX-License-Identifier: MIT */
/* The cheapest way through the maze, after Lee (IRE Trans. Electron. Comput. EC-10, 1961) with
 * costs: a state is a cell and the heading by which it is reached. Wires of two links may cross at
 * a right angle and never share a cell otherwise; a bend, a crossing and a word on the way cost. */
#include "diagram/route.h"

#include "base/sys.h"

enum { STEP = 10, BEND = 14, CROSSING = 22, SIDEWAYS = 4 };

/* ---- a heap of states by cost ---- */

static int push(ln_maze *maze, int state) {
    if (!LN_GROW(maze->heap, maze->heap_count, maze->heap_room))
        return 0;
    size_t k = maze->heap_count++;
    while (k > 0 && maze->cost[maze->heap[(k - 1) / 2]] > maze->cost[state]) {
        maze->heap[k] = maze->heap[(k - 1) / 2];
        k = (k - 1) / 2;
    }
    maze->heap[k] = state;
    return 1;
}

static int pop(ln_maze *maze) {
    const int top = maze->heap[0], last = maze->heap[--maze->heap_count];
    size_t k = 0;
    for (;;) {
        size_t child = 2 * k + 1;
        if (child >= maze->heap_count)
            break;
        if (child + 1 < maze->heap_count &&
            maze->cost[maze->heap[child + 1]] < maze->cost[maze->heap[child]])
            child++;
        if (maze->cost[maze->heap[child]] >= maze->cost[last])
            break;
        maze->heap[k] = maze->heap[child];
        k = child;
    }
    maze->heap[k] = last;
    return top;
}

/* ---- steps ---- */

static int is_other(int owner, int net) {
    return owner != 0 && owner != net + 1;
}

/* The neighbour in a heading, or -1 at the edge. */
static int neighbour(const ln_maze *maze, int cell, int way) {
    const int x = cell % maze->width + ln_heading_x[way],
              y = cell / maze->width + ln_heading_y[way];
    if (x < 0 || y < 0 || x >= maze->width || y >= maze->height)
        return -1;
    return y * maze->width + x;
}

/* Whether a wire of the net may bend, branch or end in the cell. */
static int may_turn(const ln_maze *maze, int cell, int net) {
    return !is_other(maze->across[cell], net) && !is_other(maze->down[cell], net);
}

/* What the step into a cell costs; -1: it cannot be taken. */
static int step_cost(const ln_maze *maze, int cell, int way, int net) {
    const int along = way % 2 == 0 ? maze->across[cell] : maze->down[cell],
              other = way % 2 == 0 ? maze->down[cell] : maze->across[cell];
    if (maze->blocked[cell] && maze->reserved[cell] != net + 1)
        return -1;
    if (is_other(along, net) || is_other(maze->reserved[cell], net))
        return -1;
    return STEP + maze->penalty[cell] + (is_other(other, net) ? CROSSING : 0);
}

static int visit(ln_maze *maze, int state, int cost, int from) {
    if (maze->stamp[state] == maze->now && maze->cost[state] <= cost)
        return 1;
    maze->stamp[state] = maze->now;
    maze->cost[state] = cost;
    maze->from[state] = from;
    return push(maze, state);
}

static int expand(ln_maze *maze, int state, int net) {
    const int cell = state / 4, heading = state % 4;
    for (int way = 0; way < 4; way++) {
        if ((way + 2) % 4 == heading || (way != heading && !may_turn(maze, cell, net)))
            continue;
        const int next = neighbour(maze, cell, way);
        if (next < 0)
            continue;
        const int cost = step_cost(maze, next, way, net);
        if (cost >= 0 && !visit(maze, 4 * next + way,
                                maze->cost[state] + cost + (way != heading ? BEND : 0), state))
            return 0;
    }
    return 1;
}

/* The goal that a state has reached: there the wire comes against one of its ways. */
static int goal_at(const ln_maze *maze, int state, int net, const ln_gate *goals, int ngoals) {
    const int cell = state / 4, back = (state % 4 + 2) % 4;
    for (int k = 0; k < ngoals; k++)
        if (goals[k].cell == cell && (goals[k].ways >> back & 1) && may_turn(maze, cell, net))
            return k;
    return -1;
}

static int trace(const ln_maze *maze, int state, int *path, int room, int *length) {
    *length = 0;
    for (; state >= 0; state = maze->from[state]) {
        if (*length > 0 && path[*length - 1] == state / 4)
            continue;
        if (*length == room)
            return 0;
        path[(*length)++] = state / 4;
    }
    return 1;
}

static int begin(ln_maze *maze, int net, const ln_gate *sources, int nsources) {
    maze->now++;
    maze->heap_count = 0;
    for (int k = 0; k < nsources; k++) {
        if (!may_turn(maze, sources[k].cell, net))
            continue;
        for (int way = 0; way < 4; way++) {
            /* the first way of a pin is its own, the others leave it sideways */
            const int cost = sources[k].ways == 1u << way || sources[k].ways == 15 ? 0 : SIDEWAYS;
            if ((sources[k].ways >> way & 1) && !visit(maze, 4 * sources[k].cell + way, cost, -1))
                return 0;
        }
    }
    return 1;
}

int ln_maze_search(ln_maze *maze, const ln_errand *errand, int *length) {
    for (int k = 0; k < errand->ngoals; k++)
        for (int j = 0; j < errand->nsources; j++)
            if (errand->goals[k].cell == errand->sources[j].cell) {
                errand->path[0] = errand->goals[k].cell;
                *length = 1;
                return k;
            }
    if (!begin(maze, errand->net, errand->sources, errand->nsources))
        return -2;
    while (maze->heap_count > 0) {
        const int state = pop(maze),
                  goal = goal_at(maze, state, errand->net, errand->goals, errand->ngoals);
        if (goal >= 0 && maze->from[state] >= 0)
            return trace(maze, state, errand->path, errand->room, length) ? goal : -1;
        if (!expand(maze, state, errand->net))
            return -2;
    }
    return -1;
}
