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
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
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
enum { SOURCES = sizeof sources / sizeof *sources, MOST_PIECES = 512, MOST_NAMES = 512 };

typedef struct source_piece {
    const char *text, *code, *end; /* with its comment; without; behind it */
    int file, is_static, wanted, looked_at;
} source_piece;

/* A word, in the place where a piece defines it. */
typedef struct defined_name {
    const char *word;
    size_t length;
    int piece;
} defined_name;

typedef struct carried_sources {
    source_piece *pieces;
    defined_name *names; /* sorted by word */
    int npieces, nnames;
} carried_sources;

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

static void cut(int file, carried_sources *of) {
    const char *text, *at = ln_c_embedded(sources[file]), *code;
    const int is_own = strchr(sources[file], '.')[1] == 'c'; /* what a header holds is for all */
    while (of->npieces < MOST_PIECES && (code = next_item(at, &text)) != NULL) {
        at = item_end(code);
        if (!is_frame(code))
            of->pieces[of->npieces++] =
                (source_piece){text, code, at, file, is_own && begins_with(code, "static "), 0, 0};
    }
}

/* ---- names ---- */

static size_t word_length(const char *c, const char *end) {
    size_t length = 0;
    while (c + length < end && is_word(c[length]))
        length++;
    return length;
}

static void add_name(carried_sources *of, const char *word, size_t length, int piece) {
    assert(of->nnames < MOST_NAMES);
    of->names[of->nnames++] = (defined_name){word, length, piece};
}

/* The names that a piece defines. The word at its very beginning is a type or a keyword. */
static void add_names(carried_sources *of, int piece) {
    static const char define[] = "#define ";
    const char *code = of->pieces[piece].code, *end = of->pieces[piece].end;
    const int is_enum = begins_with(code, "enum");
    int depth = 0, within = 0;
    if (begins_with(code, define)) {
        add_name(of, code + sizeof define - 1, word_length(code + sizeof define - 1, end), piece);
        return;
    }
    for (const char *c = code + word_length(code, end); c < end;) {
        const char *behind = skip_comment(c);
        const size_t length = behind == c ? word_length(c, end) : 0;
        depth += (*c == '{') - (*c == '}');
        within += (*c == '(') - (*c == ')');
        if (length > 0 && depth <= is_enum && within <= 0) {
            const char *next = c + length + strspn(c + length, " \n");
            if (is_enum || strchr("(=[;", *next) != NULL)
                add_name(of, c, length, piece);
        }
        c = length > 0 ? c + length : behind != c ? behind : c + 1;
    }
}

static int compare_words(const defined_name *one, const char *word, size_t length) {
    const size_t least = one->length < length ? one->length : length;
    const int order = memcmp(one->word, word, least);
    return order != 0 ? order : (one->length > length) - (one->length < length);
}

static int by_word(const void *a, const void *b) {
    const defined_name *other = b;
    return compare_words(a, other->word, other->length);
}

/* The first of the sorted names that is not before the word. */
static int first_name(const carried_sources *of, const char *word, size_t length) {
    int low = 0, high = of->nnames;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (compare_words(&of->names[middle], word, length) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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
static void want(carried_sources *of, const char *name, int from) {
    const size_t length = strlen(name);
    for (int k = first_name(of, name, length);
         k < of->nnames && compare_words(&of->names[k], name, length) == 0; k++) {
        source_piece *piece = &of->pieces[of->names[k].piece];
        if (!piece->is_static || piece->file == from)
            piece->wanted = 1;
    }
}

/* All that wanted pieces name is wanted, too. */
static void close_over(carried_sources *of) {
    for (int k = 0; k < of->npieces; k++) {
        source_piece *piece = &of->pieces[k];
        if (!piece->wanted || piece->looked_at)
            continue;
        char name[64];
        piece->looked_at = 1;
        for (const char *at = piece->code; (at = next_name(at, piece->end, name)) != NULL;)
            want(of, name, piece->file);
        k = -1; /* an earlier piece may be wanted now */
    }
}

const char *ln_c_embedded(const char *name) {
    for (const ln_embedded_file *file = ln_embedded_sources; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return file->data;
    return "";
}

static int is_function(const source_piece *part) {
    const char *round = part->code + strcspn(part->code, "(={;");
    return !begins_with(part->code, "typedef ") && part->code[0] != '#' && round < part->end &&
           *round == '(';
}

static void add_piece(const source_piece *part, ln_text *out) {
    ln_text_add(out, "\n");
    ln_text_add_bytes(out, part->text, (size_t)(part->code - part->text));
    const int is_static = begins_with(part->code, "static ");
    const char *code = part->code + (is_static ? strlen("static ") : 0);
    if (is_static || is_function(part))
        ln_text_add(out, is_function(part) && !begins_with(code, "inline ") ? "static inline "
                                                                            : "static ");
    ln_text_add_bytes(out, code, (size_t)(part->end - code));
}

/* The name of the function that does an operation of special.h. */
static void want_operation(carried_sources *of, int op) {
    static const char *const tables[] = {"linnet_table", "linnet_table_slope",
                                         "linnet_table_middle", "linnet_table_room"};
    char name[64];
    if (ln_op_has_table((ln_op)op)) {
        want(of, tables[op - LN_OP_TABLE], 0);
        return;
    }
    const char *text = ln_op_template((ln_op)op);
    if (begins_with(text, "linnet_") && next_name(text, text + strlen(text), name) != NULL)
        want(of, name, 0);
}

static void want_device(carried_sources *of, const char *type) {
    static const char *const parts[] = {"", "_branches", "_limit"};
    char name[64];
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        snprintf(name, sizeof name, "%s%s", type, parts[k]);
        want(of, name, -1);
    }
}

/* The carried sources in pieces, with the names that these define; 0 when memory is short. */
static int read_sources(ln_arena *arena, carried_sources *of) {
    *of = (carried_sources){LN_NEW(arena, source_piece, MOST_PIECES),
                            LN_NEW(arena, defined_name, MOST_NAMES), 0, 0};
    if (of->pieces == NULL || of->names == NULL)
        return 0;
    for (int k = 0; k < SOURCES; k++)
        cut(k, of);
    for (int k = 0; k < of->npieces; k++)
        add_names(of, k);
    qsort(of->names, (size_t)of->nnames, sizeof *of->names, by_word);
    return 1;
}

void ln_c_carried(const ln_c_writer *w, ln_text *out) {
    carried_sources of;
    int integers = 0;
    if (!read_sources(w->plan->arena, &of)) {
        out->failed = 1;
        return;
    }
    for (int op = 0; op < LN_OPS; op++)
        if (w->cost.used[op])
            want_operation(&of, op);
    if (w->plan->nbreakpoints > 0)
        want(&of, "linnet_next_breakpoint", 0);
    for (int k = 0; w->plan->implicit != NULL && k < w->plan->implicit->ndevices; k++)
        want_device(&of, w->plan->implicit->devices[k].carried.type);
    close_over(&of);
    for (int k = 0; k < of.npieces; k++) {
        const char *bits = strstr(of.pieces[k].code, "uint64_t");
        integers |= of.pieces[k].wanted && bits != NULL && bits < of.pieces[k].end;
    }
    if (integers)
        ln_text_add(out, "#include <stdint.h>\n");
    for (int k = 0; k < of.npieces; k++)
        if (of.pieces[k].wanted)
            add_piece(&of.pieces[k], out);
}
