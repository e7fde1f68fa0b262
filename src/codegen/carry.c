/* SPDX-License-Identifier: MIT */
/* Functions of Linnet that generated code takes along: the pieces of expression/special.c that its
 * operations need, and of the devices' equations (blocks/native) that its devices need.
 *
 * The sources are carried in the program as text (blocks/embedded.h). A piece is a definition or
 * declaration with the comment that stands right before it. It defines the names that stand at its
 * outermost level in front of (, =, [ or ;, the constants of an enumeration, or a macro; a static
 * one is known in its own file only. Wanted are the functions of the operations used and of the
 * devices, and then all pieces whose names occur in wanted ones. */
#include "codegen/c_writer.h"

#include "base/sys.h"
#include "blocks/embedded.h"
#include "blocks/native/device.h"
#include "expression/lower.h"
#include "expression/nodes.h"
#include "base/text.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* In this order: what a file needs of another is declared in headers before it. */
static const char *const sources[] = {"special.c",
                                      "flow.h",
                                      "dual.h",
                                      "diode_equations.h",
                                      "junction_equations.h",
                                      "spice_diode_equations.h",
                                      "bjt_equations.h",
                                      "jfet_equations.h",
                                      "mosfet_equations.h",
                                      "mosfet_branches.h",
                                      "diode_equations.c",
                                      "junction_equations.c",
                                      "spice_diode_equations.c",
                                      "bjt_equations.c",
                                      "jfet_equations.c",
                                      "mosfet_equations.c",
                                      "mosfet_level2.c",
                                      "mosfet_level3.c",
                                      "mosfet_charges.c",
                                      "mosfet_branches.c"};
enum { SOURCES = sizeof sources / sizeof *sources, MOST_PIECES = 512 };

typedef struct source_piece {
    const char *text, *code, *end; /* with its comment; without; behind it */
    int file, is_static, wanted, looked_at;
} source_piece;

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static int begins_with(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

/* ---- cutting ---- */

/* Behind a comment that begins here, or here. */
static const char *skip_comment(const char *c) {
    if (!begins_with(c, "/*"))
        return c;
    const char *close = strstr(c, "*/");
    return close == NULL ? c + strlen(c) : close + 2;
}

/* Behind the line that begins or goes on here, with the lines that continue it. */
static const char *line_end(const char *c) {
    while (*c != '\0' && !(*c == '\n' && c[-1] != '\\'))
        c++;
    return *c == '\0' ? c : c + 1;
}

/* The end of a definition or declaration that begins at code. */
static const char *item_end(const char *code) {
    int depth = 0;
    if (*code == '#')
        return line_end(code);
    for (const char *c = code; *c != '\0';) {
        const char *behind = skip_comment(c);
        if (behind != c) {
            c = behind;
            continue;
        }
        depth += (*c == '{') - (*c == '}');
        if (depth == 0 && (*c == ';' || (*c == '}' && c[1] == '\n')))
            return line_end(c);
        c++;
    }
    return code + strlen(code);
}

/* The next item at or after `at`: *text is where its comment begins, if that stands right before
 * it. NULL behind the last. */
static const char *next_item(const char *at, const char **text) {
    *text = NULL;
    for (;;) {
        const char *c = at + strspn(at, " \n");
        if (c - at > 1 && *text != NULL)
            *text = NULL; /* a blank line between */
        if (*c == '\0')
            return NULL;
        const char *behind = skip_comment(c);
        if (*text == NULL)
            *text = c;
        if (behind == c)
            return c;
        at = behind;
    }
}

static int is_frame(const char *code) {
    return begins_with(code, "#include") || begins_with(code, "#if") ||
           begins_with(code, "#endif") ||
           (begins_with(code, "#define") && strchr(code, '\n') != NULL &&
            strchr(code, '\n')[-1] == 'H' && strchr(code, '\n')[-2] == '_');
}

static int cut(int file, source_piece *pieces, int count) {
    const char *text, *at = ln_c_embedded(sources[file]), *code;
    const int is_own = strchr(sources[file], '.')[1] == 'c'; /* what a header holds is for all */
    while (count < MOST_PIECES && (code = next_item(at, &text)) != NULL) {
        at = item_end(code);
        if (!is_frame(code))
            pieces[count++] =
                (source_piece){text, code, at, file, is_own && begins_with(code, "static "), 0, 0};
    }
    return count;
}

/* ---- names ---- */

/* Does the piece define the name? */
static int defines(const source_piece *part, const char *name) {
    const size_t length = strlen(name);
    const int is_enum = begins_with(part->code, "enum");
    int depth = 0, within = 0;
    if (begins_with(part->code, "#define "))
        return begins_with(part->code + 8, name) && !is_word(part->code[8 + length]);
    for (const char *c = part->code; c < part->end; c++) {
        const char *behind = skip_comment(c);
        if (behind != c) {
            c = behind - 1;
            continue;
        }
        depth += (*c == '{') - (*c == '}');
        within += (*c == '(') - (*c == ')');
        if (depth > is_enum || within > 0 || is_word(c[-(c > part->code)]) ||
            strncmp(c, name, length) != 0 || is_word(c[length]))
            continue;
        behind = c + length + strspn(c + length, " \n");
        if (is_enum || strchr("(=[;", *behind) != NULL)
            return 1;
    }
    return 0;
}

/* The next name in the text outside of comments, copied; NULL behind the last. */
static const char *next_name(const char *at, const char *end, char name[64]) {
    while (at < end && !(isalpha((unsigned char)*at) || *at == '_')) {
        const char *behind = skip_comment(at);
        at = behind != at ? behind : at + 1;
    }
    size_t length = 0;
    while (at + length < end && is_word(at[length]))
        length++;
    if (length == 0)
        return NULL;
    memcpy(name, at, length < 63 ? length : 63);
    name[length < 63 ? length : 63] = '\0';
    return at + length;
}

/* from: the file that names it. */
static void want(source_piece *pieces, int count, const char *name, int from) {
    for (int k = 0; k < count; k++)
        if (!pieces[k].wanted && (!pieces[k].is_static || pieces[k].file == from) &&
            defines(&pieces[k], name))
            pieces[k].wanted = 1;
}

/* All that wanted pieces name is wanted, too. */
static void close_over(source_piece *pieces, int count) {
    for (int k = 0; k < count; k++) {
        if (!pieces[k].wanted || pieces[k].looked_at)
            continue;
        char name[64];
        pieces[k].looked_at = 1;
        for (const char *at = pieces[k].code; (at = next_name(at, pieces[k].end, name)) != NULL;)
            want(pieces, count, name, pieces[k].file);
        k = -1; /* an earlier piece may be wanted now */
    }
}

const char *ln_c_embedded(const char *name) {
    for (const ln_embedded_file *file = ln_embedded_sources; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return file->data;
    return "";
}

static int needs_static(const char *code) {
    return !begins_with(code, "static ") && !begins_with(code, "typedef ") &&
           !begins_with(code, "enum ") && code[0] != '#';
}

static void add_piece(const source_piece *part, ln_text *out) {
    ln_text_add(out, "\n");
    ln_text_add_bytes(out, part->text, (size_t)(part->code - part->text));
    if (needs_static(part->code))
        ln_text_add(out, "static ");
    ln_text_add_bytes(out, part->code, (size_t)(part->end - part->code));
}

/* The name of the function that does an operation of special.h. */
static void want_operation(source_piece *pieces, int count, int op) {
    static const char *const tables[] = {"linnet_table", "linnet_table_slope",
                                         "linnet_table_middle", "linnet_table_room"};
    char name[64];
    if (ln_op_has_table((ln_op)op)) {
        want(pieces, count, tables[op - LN_OP_TABLE], 0);
        return;
    }
    const char *text = ln_op_template((ln_op)op);
    if (begins_with(text, "linnet_") && next_name(text, text + strlen(text), name) != NULL)
        want(pieces, count, name, 0);
}

static void want_device(source_piece *pieces, int count, const char *type) {
    static const char *const parts[] = {"", "_branches", "_limit"};
    char name[64];
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        snprintf(name, sizeof name, "%s%s", type, parts[k]);
        want(pieces, count, name, -1);
    }
}

void ln_c_carried(const ln_c_writer *w, ln_text *out) {
    source_piece *pieces = LN_NEW(w->plan->arena, source_piece, MOST_PIECES);
    int count = 0, integers = 0;
    if (pieces == NULL) {
        out->failed = 1;
        return;
    }
    for (int k = 0; k < SOURCES; k++)
        count = cut(k, pieces, count);
    for (int op = 0; op < LN_OPS; op++)
        if (w->cost.used[op])
            want_operation(pieces, count, op);
    if (w->plan->nbreakpoints > 0)
        want(pieces, count, "linnet_next_breakpoint", 0);
    for (int k = 0; w->plan->implicit != NULL && k < w->plan->implicit->ndevices; k++)
        want_device(pieces, count, w->plan->implicit->devices[k].carried.type);
    close_over(pieces, count);
    for (int k = 0; k < count; k++) {
        const char *bits = strstr(pieces[k].code, "uint64_t");
        integers |= pieces[k].wanted && bits != NULL && bits < pieces[k].end;
    }
    if (integers)
        ln_text_add(out, "#include <stdint.h>\n");
    for (int k = 0; k < count; k++)
        if (pieces[k].wanted)
            add_piece(&pieces[k], out);
}
