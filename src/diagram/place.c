/* SPDX-License-Identifier: MIT */
/* Where parts stand, by Graphviz's dot (Gansner, Koutsofios, North, Vo, IEEE Trans. Softw. Eng. 19,
 * 1993), which is run as a child: the program of another process costs the other commands nothing,
 * where libgvc would bring ten shared libraries into each start, and no fault of it can take
 * Linnet or a server with it. The graph holds numbers only; no name of the model ever gets there.
 */
#include "diagram/room.h"

#include "base/sys.h"
#include "base/text.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double points_per_inch = 72;

/* ---- what dot is told ---- */

static int is_placed_by_dot(const ln_drawn_part *part) {
    return part->at_part < 0;
}

static int count_side(const ln_drawn_part *part, ln_heading way) {
    int count = 0;
    for (int k = 0; k < part->npins; k++)
        count += part->pins[k].way == way;
    return count;
}

/* A column of cells, one for each pin of a side from the top down, so that dot keeps their order.
 */
static void write_column(ln_text *out, const ln_drawn_part *part, ln_heading way, int width,
                         int height) {
    const int count = count_side(part, way);
    ln_text_printf(out, "<TD BORDER=\"0\"><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
                        "CELLPADDING=\"0\">");
    int last = -1000000;
    for (int k = 0; k < count; k++) {
        int best = -1;
        for (int j = 0; j < part->npins; j++)
            if (part->pins[j].way == way && part->pins[j].y > last &&
                (best < 0 || part->pins[j].y < part->pins[best].y))
                best = j;
        if (best < 0)
            break;
        last = part->pins[best].y;
        ln_text_printf(
            out, "<TR><TD PORT=\"p%d\" FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"%d\"></TD></TR>",
            best, width, height / count);
    }
    if (count == 0)
        ln_text_printf(out, "<TR><TD FIXEDSIZE=\"TRUE\" WIDTH=\"%d\" HEIGHT=\"%d\"></TD></TR>",
                       width, height);
    ln_text_add(out, "</TABLE></TD>");
}

/* Sizes are symmetric about the middle, since that is the point that dot places. */
static int half_width(const ln_drawn_part *part) {
    return part->room.x1 > -part->room.x0 ? part->room.x1 : -part->room.x0;
}
static int half_height(const ln_drawn_part *part) {
    return part->room.y1 > -part->room.y0 ? part->room.y1 : -part->room.y0;
}

static void write_node(ln_text *out, const ln_drawn_part *part, int index) {
    const int w = half_width(part), h = half_height(part);
    if (count_side(part, LN_WEST) <= 1 && count_side(part, LN_EAST) <= 1) {
        ln_text_printf(out, "n%d [shape=box fixedsize=true label=\"\" width=%.4f height=%.4f]\n",
                       index, 2 * w / points_per_inch, 2 * h / points_per_inch);
        return;
    }
    ln_text_printf(out,
                   "n%d [shape=plain label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" "
                   "CELLPADDING=\"0\"><TR>",
                   index);
    write_column(out, part, LN_WEST, w, 2 * h);
    write_column(out, part, LN_EAST, w, 2 * h);
    ln_text_add(out, "</TR></TABLE>>]\n");
}

static void write_end(ln_text *out, const ln_drawing *drawing, ln_end_of_net end) {
    const ln_drawn_part *part = &drawing->parts[end.part];
    ln_text_printf(out, "n%d", end.part);
    if (count_side(part, LN_WEST) <= 1 && count_side(part, LN_EAST) <= 1)
        return;
    if (part->pins[end.pin].way == LN_WEST || part->pins[end.pin].way == LN_EAST)
        ln_text_printf(out, ":p%d", end.pin);
}

/* Does the link leave the part to the right (1), reach it from the left (-1), or neither? */
static int direction(const ln_drawing *drawing, ln_end_of_net end) {
    const ln_drawn_part *part = &drawing->parts[end.part];
    const ln_pin *pin = &part->pins[end.pin];
    if (pin->flags & (LINNET_INPUT | LINNET_OUTPUT))
        return pin->flags & LINNET_OUTPUT ? 1 : -1;
    if (pin->way == LN_EAST || pin->way == LN_WEST)
        return pin->way == LN_EAST ? 1 : -1;
    return part->symbol != NULL && part->symbol->flags & LN_SYMBOL_STANDS ? 1 : 0;
}

static void write_edge(ln_text *out, const ln_drawing *drawing, ln_end_of_net a, ln_end_of_net b) {
    const int forward = direction(drawing, a) >= direction(drawing, b);
    write_end(out, drawing, forward ? a : b);
    ln_text_add(out, " -> ");
    write_end(out, drawing, forward ? b : a);
    ln_text_add(out, "\n");
}

/* The end that the others are drawn to: the driver of a signal, a part the link goes through; -1: a
 * junction of its own. */
static int hub_of(const ln_drawing *drawing, const ln_net *net) {
    for (int k = 0; k < net->nends; k++) {
        const ln_drawn_part *part = &drawing->parts[net->ends[k].part];
        if (part->pins[net->ends[k].pin].flags & LINNET_OUTPUT)
            return k;
        if (part->symbol != NULL && part->symbol->flags & LN_SYMBOL_THROUGH)
            return k;
    }
    return net->nends == 2 ? 0 : -1;
}

static int is_dotted(const ln_net *net) {
    return !net->reference && net->supply == 0 && net->nends > 1;
}

/* The outline that a junction belongs to: that of the end which leads to it, or else of the first.
 * Were it outside of all, dot would see a circle through each outline that it joins twice. */
static int home_of(const ln_drawing *drawing, const ln_net *net) {
    for (int k = 0; k < net->nends; k++)
        if (direction(drawing, net->ends[k]) > 0)
            return drawing->parts[net->ends[k].part].frames;
    return drawing->parts[net->ends[0].part].frames;
}

static void write_outline(ln_text *out, const ln_drawing *drawing, int outline) {
    if (outline >= 0)
        ln_text_printf(out, "subgraph cluster_%d { margin=28\n", outline);
    for (int k = 0; k < drawing->nparts; k++)
        if (drawing->parts[k].frames == outline && is_placed_by_dot(&drawing->parts[k]))
            write_node(out, &drawing->parts[k], k);
    for (int k = 0; k < drawing->nnets; k++)
        if (is_dotted(&drawing->nets[k]) && hub_of(drawing, &drawing->nets[k]) < 0 &&
            home_of(drawing, &drawing->nets[k]) == outline)
            ln_text_printf(out, "j%d [shape=point width=0.02 label=\"\"]\n", k);
    for (int k = outline + 1; k < drawing->noutlines; k++)
        if (drawing->outlines[k].outer == outline)
            write_outline(out, drawing, k);
    if (outline >= 0)
        ln_text_add(out, "}\n");
}

static void write_net(ln_text *out, const ln_drawing *drawing, int index) {
    const ln_net *net = &drawing->nets[index];
    if (!is_dotted(net))
        return;
    const int hub = hub_of(drawing, net);
    for (int k = 0; k < net->nends; k++) {
        if (k == hub || (hub >= 0 && net->ends[k].part == net->ends[hub].part))
            continue;
        if (hub >= 0) {
            write_edge(out, drawing, net->ends[hub], net->ends[k]);
            continue;
        }
        const int leaves = direction(drawing, net->ends[k]) > 0;
        if (!leaves)
            ln_text_printf(out, "j%d -> ", index);
        write_end(out, drawing, net->ends[k]);
        if (leaves)
            ln_text_printf(out, " -> j%d", index);
        ln_text_add(out, " [weight=2]\n");
    }
}

static void write_graph(ln_text *out, const ln_drawing *drawing) {
    ln_text_add(out, "digraph g { rankdir=LR; nodesep=0.3; ranksep=0.4; splines=false; "
                     "edge [arrowhead=none]\n");
    write_outline(out, drawing, -1);
    for (int k = 0; k < drawing->nnets; k++)
        write_net(out, drawing, k);
    ln_text_add(out, "}\n");
}

/* ---- what dot says ---- */

static int to_grid(double length) {
    return (int)lround(length / LN_GRID) * LN_GRID;
}

/* "node n3 x y width height ...", the origin at the lower left, in inches. */
static void read_line(ln_drawing *drawing, const char *line) {
    char *end;
    if (strncmp(line, "node n", 6) != 0)
        return;
    const long index = strtol(line + 6, &end, 10);
    if (index < 0 || index >= drawing->nparts)
        return;
    const char *next;
    const double x = ln_number_read(end + 1, &next), y = ln_number_read(next + 1, &next);
    ln_drawn_part *part = &drawing->parts[index];
    part->hint = (ln_point_xy){to_grid(x * points_per_inch), to_grid(-y * points_per_inch)};
}

static linnet_status read_places(ln_drawing *drawing, FILE *file, ln_report *report) {
    char line[512];
    int count = 0;
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        count += strncmp(line, "node", 4) == 0;
        read_line(drawing, line);
    }
    if (ferror(file) || count == 0)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "dot's answer cannot be read");
    return LINNET_OK;
}

static linnet_status judge(int ended, char *said, ln_report *report) {
    if (ended == 0)
        return LINNET_OK;
    if (ended < 0 && errno == EINTR)
        return LINNET_INTERRUPTED;
    if (ended < 0 && errno == ENOENT)
        return ln_fail(report, LINNET_IO, LN_NOWHERE,
                       "dot, which places the blocks of a diagram, is missing; install graphviz "
                       "(Debian: apt-get install graphviz)");
    if (ended == LN_UNWRITTEN)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot write a temporary file: %s",
                       strerror(errno));
    if (ended < 0)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "dot cannot be started: %s", strerror(errno));
    for (char *c = said; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20)
            *c = ' ';
    return ln_fail(report, LINNET_IO, LN_NOWHERE, "dot failed with status %d: %.300s", ended, said);
}

static linnet_status ask_dot(ln_drawing *drawing, ln_report *report) {
    static const char *const arguments[] = {"dot", "-Tplain", NULL};
    ln_text graph = {0};
    char said[400] = "";
    write_graph(&graph, drawing);
    FILE *answer = graph.failed ? NULL : tmpfile();
    linnet_status status = LINNET_OK;
    if (graph.failed)
        status = ln_no_memory(report);
    else if (answer == NULL)
        status = ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot make a temporary file: %s",
                         strerror(errno));
    if (status == LINNET_OK) {
        const ln_sys_child child = {arguments,      graph.data, graph.length,
                                    fileno(answer), said,       sizeof said};
        status = judge(ln_sys->run(&child), said, report);
    }
    if (status == LINNET_OK)
        status = read_places(drawing, answer, report);
    if (answer != NULL)
        (void)fclose(answer);
    ln_text_free(&graph);
    return status;
}

/* ---- all together ---- */

static int is_free_at(const ln_drawing *drawing, int index, ln_point_xy at) {
    for (int k = 0; k < drawing->nparts; k++)
        if (k != index && drawing->parts[k].placed && is_placed_by_dot(&drawing->parts[k]) &&
            ln_boxes_meet(drawing->parts[index].room, at, drawing->parts[k].room,
                          drawing->parts[k].at, LN_GRID))
            return 0;
    return 1;
}

/* The free place nearest to where dot wants the part, on rings around it. */
static void put_near(ln_drawing *drawing, int index, ln_point_xy wanted) {
    ln_drawn_part *part = &drawing->parts[index];
    part->at = wanted;
    for (int ring = 0; ring < 400; ring++) {
        const int r = ring * 2 * LN_GRID;
        for (int step = -ring; step <= ring; step++) {
            const int s = step * 2 * LN_GRID;
            const ln_point_xy tries[4] = {{wanted.x + s, wanted.y + r},
                                          {wanted.x + s, wanted.y - r},
                                          {wanted.x + r, wanted.y + s},
                                          {wanted.x - r, wanted.y + s}};
            for (int k = 0; k < 4; k++)
                if (is_free_at(drawing, index, tries[k])) {
                    part->at = tries[k];
                    part->placed = 1;
                    return;
                }
        }
    }
    part->placed = 1;
}

/* Dot's picture is laid over the places that the model gives so that these agree on the whole. */
static ln_point_xy shift_of(const ln_drawing *drawing) {
    long x = 0, y = 0, count = 0;
    for (int k = 0; k < drawing->nparts; k++) {
        const ln_drawn_part *part = &drawing->parts[k];
        if (!part->fixed)
            continue;
        x += part->at.x - part->hint.x;
        y += part->at.y - part->hint.y;
        count++;
    }
    if (count == 0)
        return (ln_point_xy){0, 0};
    return (ln_point_xy){to_grid((double)x / (double)count), to_grid((double)y / (double)count)};
}

linnet_status ln_place_parts(ln_drawing *drawing, ln_report *report) {
    int open = 0;
    for (int k = 0; k < drawing->nparts; k++) {
        open += !drawing->parts[k].fixed && is_placed_by_dot(&drawing->parts[k]);
        drawing->parts[k].placed = drawing->parts[k].fixed;
    }
    if (open == 0)
        return LINNET_OK;
    if (open > 1 || drawing->nparts > 1)
        LN_TRY(ask_dot(drawing, report));
    const ln_point_xy shift = shift_of(drawing);
    for (int k = 0; k < drawing->nparts; k++) {
        ln_drawn_part *part = &drawing->parts[k];
        if (!part->fixed && is_placed_by_dot(part))
            put_near(drawing, k, (ln_point_xy){part->hint.x + shift.x, part->hint.y + shift.y});
    }
    return LINNET_OK;
}
