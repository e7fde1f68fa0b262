/* SPDX-License-Identifier: MIT */
/* A drawing as SVG 1.1: looks are a style sheet, light and dark, so that a page can change them;
 * every name is escaped. */
#include "diagram/ink.h"

#include "base/text.h"
#include "model/write.h"
#include <string.h>

static const char *const style =
    "  <style>\n"
    "    svg.linnet { font-family: 'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif }\n"
    "    .linnet path { fill: none; stroke-width: 1.4; stroke-linecap: round; stroke-linejoin: "
    "round }\n"
    "    .linnet .link .arrow { stroke-width: 0.6 }\n"
    "    .linnet .port, .linnet .hit { fill: transparent; fill-opacity: 0; stroke: none }\n"
    "    .linnet text { font-size: 11px }\n"
    "    .linnet .value { font-size: 10px }\n"
    "    .linnet .inside { font-size: 12px }\n"
    "    .linnet .port-name { font-size: 8px }\n"
    "    .linnet .link-name { font-size: 9px; font-style: italic }\n"
    "    .linnet .outline path { stroke-dasharray: 5 4; stroke-width: 1 }\n"
    "    svg.linnet { background: #fff }\n"
    "    .linnet path { stroke: #1b1f24 }\n"
    "    .linnet .solid, .linnet .link .arrow { fill: #1b1f24 }\n"
    "    .linnet .frame { fill: #f6f8fa }\n"
    "    .linnet text { fill: #1b1f24 }\n"
    "    .linnet .value, .linnet .port-name, .linnet .link-name { fill: #57606a }\n"
    "    .linnet .electrical path { stroke: #0b5394 }\n"
    "    .linnet .electrical .arrow { fill: #0b5394 }\n"
    "    .linnet .translational path { stroke: #2f6b1a }\n"
    "    .linnet .translational .arrow { fill: #2f6b1a }\n"
    "    .linnet .rotational path { stroke: #7a5c00 }\n"
    "    .linnet .rotational .arrow { fill: #7a5c00 }\n"
    "    .linnet .thermal path { stroke: #b3261e }\n"
    "    .linnet .thermal .arrow { fill: #b3261e }\n"
    "    .linnet .hydraulic path { stroke: #1a7f8e }\n"
    "    .linnet .hydraulic .arrow { fill: #1a7f8e }\n"
    "    .linnet .magnetic path { stroke: #7b3f9e }\n"
    "    .linnet .magnetic .arrow { fill: #7b3f9e }\n"
    "    .linnet .link .symbol { stroke: #1b1f24 }\n"
    "    .linnet .outline path { stroke: #57606a }\n"
    "    @media (prefers-color-scheme: dark) {\n"
    "      svg.linnet { background: #0d1117 }\n"
    "      .linnet path { stroke: #e6edf3 }\n"
    "      .linnet .solid, .linnet .link .arrow { fill: #e6edf3 }\n"
    "      .linnet .frame { fill: #1f2630 }\n"
    "      .linnet text { fill: #e6edf3 }\n"
    "      .linnet .value, .linnet .port-name, .linnet .link-name { fill: #9da7b3 }\n"
    "      .linnet .electrical path { stroke: #79b8ff }\n"
    "      .linnet .electrical .arrow { fill: #79b8ff }\n"
    "      .linnet .translational path { stroke: #8ddb8c }\n"
    "      .linnet .translational .arrow { fill: #8ddb8c }\n"
    "      .linnet .rotational path { stroke: #e3c065 }\n"
    "      .linnet .rotational .arrow { fill: #e3c065 }\n"
    "      .linnet .thermal path { stroke: #ff9b8f }\n"
    "      .linnet .thermal .arrow { fill: #ff9b8f }\n"
    "      .linnet .hydraulic path { stroke: #6fd3df }\n"
    "      .linnet .hydraulic .arrow { fill: #6fd3df }\n"
    "      .linnet .magnetic path { stroke: #d2a8ff }\n"
    "      .linnet .magnetic .arrow { fill: #d2a8ff }\n"
    "      .linnet .link .symbol { stroke: #e6edf3 }\n"
    "      .linnet .outline path { stroke: #9da7b3 }\n"
    "    }\n"
    "    @media print {\n"
    "      svg.linnet { background: #fff }\n"
    "      .linnet path { stroke: #000 }\n"
    "      .linnet .solid, .linnet .link .arrow { fill: #000 }\n"
    "      .linnet .frame { fill: #fff }\n"
    "      .linnet text { fill: #000 }\n"
    "      .linnet .value, .linnet .port-name, .linnet .link-name { fill: #333 }\n"
    "      .linnet .electrical path { stroke: #000 }\n"
    "      .linnet .electrical .arrow { fill: #000 }\n"
    "      .linnet .translational path { stroke: #000 }\n"
    "      .linnet .translational .arrow { fill: #000 }\n"
    "      .linnet .rotational path { stroke: #000 }\n"
    "      .linnet .rotational .arrow { fill: #000 }\n"
    "      .linnet .thermal path { stroke: #000 }\n"
    "      .linnet .thermal .arrow { fill: #000 }\n"
    "      .linnet .hydraulic path { stroke: #000 }\n"
    "      .linnet .hydraulic .arrow { fill: #000 }\n"
    "      .linnet .magnetic path { stroke: #000 }\n"
    "      .linnet .magnetic .arrow { fill: #000 }\n"
    "      .linnet .link .symbol { stroke: #000 }\n"
    "      .linnet .outline path { stroke: #333 }\n"
    "    }\n"
    "    .linnet .loop-1 path { stroke: #d1242f; stroke-width: 2 }\n"
    "    .linnet .loop-1 .arrow, .linnet .loop-1 .solid { fill: #d1242f }\n"
    "    .linnet .loop-2 path { stroke: #0969da; stroke-width: 2 }\n"
    "    .linnet .loop-2 .arrow, .linnet .loop-2 .solid { fill: #0969da }\n"
    "    .linnet .loop-3 path { stroke: #1a7f37; stroke-width: 2 }\n"
    "    .linnet .loop-3 .arrow, .linnet .loop-3 .solid { fill: #1a7f37 }\n"
    "    .linnet .loop-4 path { stroke: #a33bd6; stroke-width: 2 }\n"
    "    .linnet .loop-4 .arrow, .linnet .loop-4 .solid { fill: #a33bd6 }\n"
    "    .linnet .loop-5 path { stroke: #c05a00; stroke-width: 2 }\n"
    "    .linnet .loop-5 .arrow, .linnet .loop-5 .solid { fill: #c05a00 }\n"
    "    .linnet .loop-6 path { stroke: #0e8a8a; stroke-width: 2 }\n"
    "    .linnet .loop-6 .arrow, .linnet .loop-6 .solid { fill: #0e8a8a }\n"
    "    .linnet .open { stroke: #d1242f; stroke-width: 1.2 }\n"
    "  </style>\n";

/* ---- texts ---- */

/* x^2 and e^{-sT}: what is raised goes up to a blank or the end, or stands in braces. */
static void write_markup(ln_text *out, const char *text) {
    char part[256];
    while (*text != '\0') {
        const size_t plain = strcspn(text, "^");
        const size_t length = plain < sizeof part - 1 ? plain : sizeof part - 1;
        memcpy(part, text, length);
        part[length] = '\0';
        ln_xml_text(out, part);
        text += length;
        if (*text != '^' || plain != length)
            continue;
        size_t raised = strcspn(text + 1, " /)");
        if (raised > sizeof part - 1)
            raised = sizeof part - 1;
        memcpy(part, text + 1, raised);
        part[raised] = '\0';
        ln_text_add(out, "<tspan dy=\"-4\" font-size=\"75%\">");
        ln_xml_text(out, part);
        ln_text_add(out, "</tspan>");
        text += 1 + raised;
        if (*text != '\0') {
            part[0] = *text++;
            part[1] = '\0';
            ln_text_add(out, "<tspan dy=\"4\">");
            ln_xml_text(out, part);
            ln_text_add(out, "</tspan>");
        }
    }
}

static void words(void *context, int role, int x, int y, int align, const char *text) {
    static const char *const classes[] = {[LN_ROLE_NAME] = "name",
                                          [LN_ROLE_VALUE] = "value",
                                          [LN_ROLE_INSIDE] = "inside",
                                          [LN_ROLE_PORT] = "port-name"};
    ln_text *out = context;
    ln_text_printf(out, "      <text class=\"%s\" x=\"%d\" y=\"%d\"%s>",
                   role < 0 ? "link-name" : classes[role], x, y,
                   align < 0   ? ""
                   : align > 0 ? " text-anchor=\"end\""
                               : " text-anchor=\"middle\"");
    if (role == LN_ROLE_INSIDE)
        write_markup(out, text);
    else
        ln_xml_text(out, text);
    ln_text_add(out, "</text>\n");
}

/* ---- strokes ---- */

static void number(ln_text *out, double value) {
    char digits[32];
    ln_number_format(digits, value);
    ln_text_add(out, digits);
}

static void pair(ln_text *out, const char *before, double x, double y) {
    ln_text_add(out, before);
    number(out, x);
    ln_text_add(out, " ");
    number(out, y);
}

/* A circle is two half arcs. */
static void write_stroke(void *context, const ln_stroke *stroke) {
    ln_text *out = context;
    const char command[2] = {stroke->command, '\0'};
    if (stroke->command == 'Z') {
        ln_text_add(out, "Z");
    } else if (stroke->command == 'O') {
        pair(out, "M", stroke->x[0] - stroke->r, stroke->y[0]);
        for (int side = 1; side >= -1; side -= 2) {
            pair(out, "A", stroke->r, stroke->r);
            pair(out, " 0 0 1 ", stroke->x[0] + side * stroke->r, stroke->y[0]);
        }
    } else {
        pair(out, command, stroke->x[0], stroke->y[0]);
        for (int k = 1; k < 3 && stroke->command == 'C'; k++)
            pair(out, " ", stroke->x[k], stroke->y[k]);
    }
}

static void path(void *context, ln_style kind, const char *text, int turn, int mirrored) {
    static const char *const classes[] = {"symbol", "solid", "frame", "wire",
                                          "arrow",  "box",   "open"};
    ln_text *out = context;
    ln_text_printf(out, "      <path class=\"%s\" d=\"", classes[kind]);
    ln_stroke_walk(text, turn, mirrored, write_stroke, out);
    if (kind == LN_STYLE_ARROW || kind == LN_STYLE_OUTLINE)
        ln_text_add(out, "Z");
    ln_text_add(out, "\"/>\n");
}

/* ---- groups ---- */

static const char *const domains[LINNET_DOMAINS] = {
    "signal", "electrical", "translational", "rotational", "thermal", "hydraulic", "magnetic"};

static void write_id(ln_text *out, const char *kind, const char *name) {
    ln_text_printf(out, " id=\"%s-", kind);
    ln_xml_text(out, name);
    ln_text_add(out, "\"");
}

static void write_class(ln_text *out, const char *kind, const char *more, int loop) {
    ln_text_printf(out, "    <g class=\"%s%s%s", kind, more[0] != '\0' ? " " : "", more);
    if (loop > 0)
        ln_text_printf(out, " loop-%d", (loop - 1) % 6 + 1);
    ln_text_add(out, "\"");
}

static void begin_part(ln_text *out, const ln_drawn_part *part) {
    const ln_box body = part->body;
    write_class(out, part->is_component ? "block component" : "block", "", part->loop);
    write_id(out, "block", part->name);
    ln_xml_attribute(out, "data-block", part->name);
    ln_xml_attribute(out, "data-type", part->type);
    ln_text_printf(out, " data-line=\"%d\" data-turn=\"%d%s\" transform=\"translate(%d,%d)\">\n",
                   part->place.line, 90 * part->turn, part->mirrored ? "m" : "", part->at.x,
                   part->at.y);
    ln_text_add(out, "      <title>");
    ln_xml_text(out, part->name);
    ln_text_add(out, ": ");
    ln_xml_text(out, part->type);
    if (part->doc != NULL) {
        ln_text_add(out, " \xE2\x80\x93 ");
        ln_xml_text(out, part->doc);
    }
    ln_text_printf(
        out, "</title>\n      <rect class=\"hit\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
        body.x0, body.y0, body.x1 - body.x0, body.y1 - body.y0);
}

static void begin_net(ln_text *out, const ln_net *net) {
    write_class(out, "link", domains[net->domain], net->loop);
    write_id(out, "link", net->name);
    ln_xml_attribute(out, "data-link", net->name);
    ln_text_printf(out, " data-line=\"%d\">\n      <title>", net->line);
    ln_xml_text(out, net->name);
    ln_text_add(out, "</title>\n");
}

static void begin(void *context, const ln_group *group) {
    ln_text *out = context;
    if (group->part != NULL) {
        begin_part(out, group->part);
    } else if (group->net != NULL && (group->at.x != 0 || group->at.y != 0)) {
        ln_text_printf(out, "      <g transform=\"translate(%d,%d)\">\n", group->at.x, group->at.y);
    } else if (group->net != NULL) {
        begin_net(out, group->net);
    } else {
        write_class(out, "outline", "", 0);
        write_id(out, "outline", group->outline->name);
        ln_xml_attribute(out, "data-component", group->outline->name);
        ln_text_printf(out, " data-line=\"%d\">\n", group->outline->line);
    }
}

static void end(void *context) {
    ln_text_add(context, "    </g>\n");
}

static void port(void *context, const ln_pin *pin, int x, int y) {
    ln_text *out = context;
    ln_text_add(out, "      <circle class=\"port\"");
    ln_xml_attribute(out, "data-port", pin->port);
    ln_text_printf(out, " data-domain=\"%s\" data-way=\"%c\" cx=\"%d\" cy=\"%d\" r=\"5\"/>\n",
                   domains[pin->domain], "eswn"[pin->way], x, y);
}

void ln_drawing_svg(const ln_drawing *drawing, int part, ln_text *out) {
    static const ln_ink ink = {begin, end, path, words, port};
    const ln_box box = drawing->box;
    const int width = box.x1 - box.x0, height = box.y1 - box.y0;
    if (!part)
        ln_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    ln_text_printf(out,
                   "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"linnet\" width=\"%d\" "
                   "height=\"%d\" viewBox=\"%d %d %d %d\" role=\"img\">\n  <title>",
                   width, height, box.x0, box.y0, width, height);
    ln_xml_text(out, drawing->title);
    ln_text_add(out, "</title>\n");
    ln_text_add(out, style);
    ln_ink_draw(drawing, &ink, out);
    ln_text_add(out, "</svg>\n");
}
