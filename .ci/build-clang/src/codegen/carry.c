/* SPDX-License-Identifier: MIT */
/* Functions of Linnet that generated code takes along: the pieces of expression/special.c that its
 * operations need.
 *
 * The sources are carried in the program as text (blocks/embedded.h). A piece is what stands
 * between two blank lines outside of braces; it defines the names that stand at its outermost level
 * in front of (, = or [. Wanted are the functions of the operations used, and then all pieces whose
 * names occur in wanted ones. */
#include "codegen/c_writer.h"

#include "base/sys.h"
#include "blocks/embedded.h"
#include "expression/lower.h"
#include "expression/nodes.h"
#include <ctype.h>
#include <string.h>

typedef struct piece {
    const char *text;
    size_t length;
    int wanted, looked_at;
} piece;

static int is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* The end of the piece that begins at text: behind the line before a blank line outside of braces.
 */
static const char *piece_end(const char *text) {
    int depth = 0;
    for (const char *c = text; *c != '\0'; c++) {
        depth += (*c == '{') - (*c == '}');
        if (*c == '\n' && (c[1] == '\n' || c[1] == '\0') && depth == 0)
            return c + 1;
    }
    return text + strlen(text);
}

static int begins_with(const char *text, const char *word) {
    return strncmp(text, word, strlen(word)) == 0;
}

/* Behind the comments and blanks at the beginning. */
static const char *skip_comments(const char *text, const char *end) {
    for (;;) {
        while (text < end && isspace((unsigned char)*text))
            text++;
        if (!begins_with(text, "/*"))
            return text;
        const char *close = strstr(text, "*/");
        text = close == NULL ? end : close + 2;
    }
}

/* Does the piece define the name? */
static int defines(const piece *it, const char *name) {
    const char *end = it->text + it->length;
    const size_t length = strlen(name);
    int depth = 0;
    for (const char *c = skip_comments(it->text, end); c < end; c++) {
        depth += (*c == '{') - (*c == '}');
        if (depth > 0 || is_word(c[-(c > it->text)]) || strncmp(c, name, length) != 0)
            continue;
        const char *behind = c + length + strspn(c + length, " ");
        if (!is_word(c[length]) && (*behind == '(' || *behind == '=' || *behind == '['))
            return 1;
    }
    return 0;
}

/* The next name in the text, copied; NULL behind the last. */
static const char *next_name(const char *at, const char *end, char name[64]) {
    while (at < end && !(isalpha((unsigned char)*at) || *at == '_'))
        at++;
    size_t length = 0;
    while (at + length < end && is_word(at[length]))
        length++;
    if (length == 0)
        return NULL;
    memcpy(name, at, length < 63 ? length : 63);
    name[length < 63 ? length : 63] = '\0';
    return at + length;
}

static void want(piece *pieces, int count, const char *name) {
    for (int k = 0; k < count; k++)
        if (!pieces[k].wanted && defines(&pieces[k], name))
            pieces[k].wanted = 1;
}

/* All that wanted pieces name is wanted, too. */
static void close_over(piece *pieces, int count) {
    for (int k = 0; k < count; k++) {
        if (!pieces[k].wanted || pieces[k].looked_at)
            continue;
        const char *end = pieces[k].text + pieces[k].length;
        char name[64];
        pieces[k].looked_at = 1;
        for (const char *at = pieces[k].text; (at = next_name(at, end, name)) != NULL;)
            want(pieces, count, name);
        k = -1; /* an earlier piece may be wanted now */
    }
}

const char *ln_c_embedded(const char *name) {
    for (const ln_embedded_file *file = ln_embedded_sources; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return file->data;
    return "";
}

static int cut(const char *text, piece *pieces, int room) {
    int count = 0;
    while (*text != '\0' && count < room) {
        const char *end = piece_end(text);
        pieces[count++] = (piece){text, (size_t)(end - text), 0, 0};
        text = end + strspn(end, "\n");
    }
    return count;
}

static void add_piece(const piece *it, ln_text *out) {
    const char *end = it->text + it->length, *code = skip_comments(it->text, end);
    ln_text_add(out, "\n");
    ln_text_add_bytes(out, it->text, (size_t)(code - it->text));
    if (!begins_with(code, "static "))
        ln_text_add(out, "static ");
    ln_text_add_bytes(out, code, (size_t)(end - code));
}

/* The name of the function that does an operation of special.h. */
static void want_operation(piece *pieces, int count, int op) {
    static const char *const tables[] = {"linnet_table", "linnet_table_slope",
                                         "linnet_table_middle", "linnet_table_room"};
    char name[64];
    if (ln_op_has_table((ln_op)op)) {
        want(pieces, count, tables[op - LN_OP_TABLE]);
        return;
    }
    const char *text = ln_op_template((ln_op)op);
    if (begins_with(text, "linnet_") && next_name(text, text + strlen(text), name) != NULL)
        want(pieces, count, name);
}

void ln_c_carried(const ln_c_writer *w, ln_text *out) {
    enum { MOST = 64 };
    piece pieces[MOST];
    const int count = cut(ln_c_embedded("special.c"), pieces, MOST);
    int integers = 0;
    for (int op = 0; op < LN_OPS; op++)
        if (w->cost.used[op])
            want_operation(pieces, count, op);
    if (w->plan->ncorners > 0)
        want(pieces, count, "linnet_corner");
    close_over(pieces, count);
    for (int k = 0; k < count; k++) {
        const char *bits = strstr(pieces[k].text, "uint64_t");
        integers |= pieces[k].wanted && bits != NULL && bits < pieces[k].text + pieces[k].length;
    }
    if (integers)
        ln_text_add(out, "#include <stdint.h>\n");
    for (int k = 0; k < count; k++)
        if (pieces[k].wanted)
            add_piece(&pieces[k], out);
}
