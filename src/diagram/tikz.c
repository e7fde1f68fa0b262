/* SPDX-License-Identifier: MIT */
/* A drawing as a TikZ picture in a document of its own (class standalone). A pixel is 0.75 bp, as
 * in CSS; y points downwards by a negative unit. */
#include "base/text.h"
#include "diagram/ink.h"

#include <string.h>

typedef struct tikz {
    ln_text *out;
    ln_point_xy at;
    int loop;
    double x, y; /* where the last stroke ended */
} tikz;

static const char *const colours[] = {"black",          "red!75!black", "blue!70!black",
                                      "green!50!black", "violet",       "orange!85!black",
                                      "teal!85!black"};

static const char *colour_of(const tikz *writer) {
    return colours[writer->loop > 0 ? (writer->loop - 1) % 6 + 1 : 0];
}

/* ---- strokes ---- */

static void pair(const tikz *writer, double x, double y) {
    char a[32], b[32];
    ln_number_format(a, writer->at.x + x);
    ln_number_format(b, writer->at.y + y);
    ln_text_printf(writer->out, "(%s,%s)", a, b);
}

static void write_stroke(void *context, const ln_stroke *stroke) {
    tikz *writer = context;
    ln_text *out = writer->out;
    char radius[32];
    switch (stroke->command) {
    case 'M':
        ln_text_add(out, " ");
        pair(writer, stroke->x[0], stroke->y[0]);
        break;
    case 'L':
        ln_text_add(out, "--");
        pair(writer, stroke->x[0], stroke->y[0]);
        break;
    case 'C':
        ln_text_add(out, ".. controls ");
        pair(writer, stroke->x[0], stroke->y[0]);
        ln_text_add(out, " and ");
        pair(writer, stroke->x[1], stroke->y[1]);
        ln_text_add(out, " .. ");
        pair(writer, stroke->x[2], stroke->y[2]);
        break;
    case 'O':
        ln_number_format(radius, stroke->r);
        ln_text_add(out, " ");
        pair(writer, stroke->x[0], stroke->y[0]);
        ln_text_printf(out, " circle[radius=%s]", radius);
        break;
    default: ln_text_add(out, "--cycle");
    }
}

static void path(void *context, ln_style kind, const char *text, int turn, int mirrored) {
    static const char *const styles[] = {"symbol", "solid",   "frame", "wire",
                                         "arrow",  "outline", "open"};
    tikz *writer = context;
    ln_text_printf(writer->out, "  \\path[%s,draw=%s", styles[kind], colour_of(writer));
    if (kind == LN_STYLE_SOLID || kind == LN_STYLE_ARROW)
        ln_text_printf(writer->out, ",fill=%s", colour_of(writer));
    ln_text_add(writer->out, "]");
    ln_stroke_walk(text, turn, mirrored, write_stroke, writer);
    if (strchr(text, 'O') == NULL && (kind == LN_STYLE_ARROW || kind == LN_STYLE_OUTLINE))
        ln_text_add(writer->out, "--cycle");
    ln_text_add(writer->out, ";\n");
}

/* ---- words ---- */

static void write_char(ln_text *out, const char *at, size_t length) {
    static const struct {
        const char *text, *tex;
    } special[] = {{"\\", "\\textbackslash{}"},
                   {"~", "\\textasciitilde{}"},
                   {"\xCE\xA9", "\\ensuremath{\\Omega}"},
                   {"\xC2\xB2", "\\textsuperscript{2}"},
                   {"\xC2\xB3", "\\textsuperscript{3}"},
                   {"\xC2\xB7", "\\ensuremath{\\cdot}"},
                   {"\xCE\xA6", "\\ensuremath{\\Phi}"},
                   {"\xCE\xA3", "\\ensuremath{\\Sigma}"},
                   {"\xCE\xA0", "\\ensuremath{\\Pi}"},
                   {"\xCE\xB1", "\\ensuremath{\\alpha}"},
                   {"\xCF\x84", "\\ensuremath{\\tau}"},
                   {"\xCF\x86", "\\ensuremath{\\varphi}"},
                   {"\xCF\x89", "\\ensuremath{\\omega}"},
                   {"\xC2\xB5", "\\ensuremath{\\mu}"},
                   {"\xE2\x88\x92", "\\ensuremath{-}"},
                   {"\xE2\x88\x9A", "\\ensuremath{\\surd}"},
                   {"\xE2\x89\xA4", "\\ensuremath{\\le}"},
                   {"\xE2\x89\xA5", "\\ensuremath{\\ge}"},
                   {"\xE2\x80\xA6", "\\dots{}"},
                   {"\xE2\x80\xB2", "\\ensuremath{'}"},
                   {"\xE2\x81\xBA", "\\ensuremath{^+}"},
                   {"<", "\\ensuremath{<}"},
                   {">", "\\ensuremath{>}"},
                   {"|", "\\ensuremath{|}"}};
    for (size_t k = 0; k < sizeof special / sizeof *special; k++)
        if (strlen(special[k].text) == length && strncmp(special[k].text, at, length) == 0) {
            ln_text_add(out, special[k].tex);
            return;
        }
    if (length == 1 && strchr("#$%&_{}", *at) != NULL)
        ln_text_add(out, "\\");
    ln_text_add_bytes(out, at, length);
}

static size_t char_length(const char *at) {
    size_t length = 1;
    while (((unsigned char)at[length] & 0xC0) == 0x80)
        length++;
    return length;
}

/* As in SVG: what follows ^ is raised, of words inside a block only. */
static void write_words(ln_text *out, const char *text, int markup) {
    int raised = 0;
    for (size_t length; *text != '\0'; text += length) {
        length = char_length(text);
        if (markup && *text == '^' && !raised) {
            ln_text_add(out, "\\textsuperscript{");
            raised = 1;
            continue;
        }
        if (raised && strchr(" /)", *text) != NULL) {
            ln_text_add(out, "}");
            raised = 0;
        }
        if (*text == '^')
            ln_text_add(out, "\\textasciicircum{}");
        else
            write_char(out, text, length);
    }
    if (raised)
        ln_text_add(out, "}");
}

static void words(void *context, int role, int x, int y, int align, const char *text) {
    static const char *const styles[] = {[LN_ROLE_NAME] = "name",
                                         [LN_ROLE_VALUE] = "value",
                                         [LN_ROLE_INSIDE] = "inside",
                                         [LN_ROLE_PORT] = "port"};
    tikz *writer = context;
    ln_text_printf(writer->out, "  \\node[%s,anchor=base%s] at (%d,%d) {",
                   role < 0 ? "link" : styles[role],
                   align < 0   ? " west"
                   : align > 0 ? " east"
                               : "",
                   writer->at.x + x, writer->at.y + y);
    write_words(writer->out, text, role == LN_ROLE_INSIDE);
    ln_text_add(writer->out, "};\n");
}

/* ---- the document ---- */

static void begin(void *context, const ln_group *group) {
    tikz *writer = context;
    writer->at = group->at;
    writer->loop = group->loop;
}

/* Of a group in a link's, which counts from the origin. */
static void end(void *context) {
    tikz *writer = context;
    writer->at = (ln_point_xy){0, 0};
}

static void port(void *context, const ln_pin *pin, int x, int y) {
    (void)context, (void)pin, (void)x, (void)y;
}

void ln_drawing_tikz(const ln_drawing *drawing, ln_text *out) {
    static const ln_ink ink = {begin, end, path, words, port};
    tikz writer = {.out = out};
    ln_text_add(
        out, "\\documentclass[tikz,border=4pt]{standalone}\n"
             "\\usepackage[T1]{fontenc}\n\\usepackage[utf8]{inputenc}\n"
             "\\IfFileExists{lmodern.sty}{\\usepackage{lmodern}}{}\n"
             "\\begin{document}\n"
             "\\begin{tikzpicture}[x=0.75bp,y=-0.75bp,line cap=round,line join=round,\n"
             "  symbol/.style={line width=1.05bp},solid/.style={line width=1.05bp},\n"
             "  frame/.style={line width=1.05bp,fill=white},wire/.style={line width=1.05bp},\n"
             "  arrow/.style={line width=0.4bp},outline/.style={dashed,line width=0.7bp},\n"
             "  open/.style={line width=0.9bp},every node/.style={inner sep=0pt,font=\\sffamily},\n"
             "  name/.style={font=\\sffamily\\fontsize{8}{9}\\selectfont},\n"
             "  value/.style={font=\\sffamily\\fontsize{7}{8}\\selectfont},\n"
             "  inside/.style={font=\\sffamily\\fontsize{9}{10}\\selectfont},\n"
             "  port/.style={font=\\sffamily\\fontsize{6}{7}\\selectfont},\n"
             "  link/.style={font=\\sffamily\\itshape\\fontsize{6.5}{7.5}\\selectfont}]\n");
    ln_ink_draw(drawing, &ink, &writer);
    ln_text_add(out, "\\end{tikzpicture}\n\\end{document}\n");
}
