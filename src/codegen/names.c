/* SPDX-License-Identifier: MIT */
/* Identifiers and comments of generated code: see names.h. */
#include "codegen/names.h"

#include "base/sys.h"
#include "base/text.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Keywords of C11, C++17 and Python 3, operators of C++ by name, and macros without parameters of
 * the headers of the C library, of Windows and of Arduino, each list in alphabetical order. */
static const char *const reserved_words[] = {
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "class",
    "compl",
    "const",
    "const_cast",
    "constexpr",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "typeof",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    "False",
    "None",
    "True",
    "as",
    "assert",
    "async",
    "await",
    "def",
    "del",
    "elif",
    "except",
    "finally",
    "from",
    "global",
    "import",
    "in",
    "is",
    "lambda",
    "nonlocal",
    "pass",
    "raise",
    "with",
    "yield",
    "self",
    "math",
    "BUFSIZ",
    "BYTE_ORDER",
    "EDOM",
    "EOF",
    "ERANGE",
    "FD_SETSIZE",
    "HAVE_INITFINI_ARRAY",
    "HUGE_VAL",
    "HUGE_VALF",
    "HUGE_VALL",
    "I",
    "INFINITY",
    "L_ctermid",
    "L_tmpnam",
    "MAXFLOAT",
    "NAN",
    "NFDBITS",
    "NULL",
    "P_tmpdir",
    "WCONTINUED",
    "WEXITED",
    "WNOHANG",
    "WNOWAIT",
    "WSTOPPED",
    "WUNTRACED",
    "complex",
    "errno",
    "i386",
    "fd_set",
    "imaginary",
    "linux",
    "math_errhandling",
    "physadr",
    "quad",
    "signgam",
    "stderr",
    "stdin",
    "stdout",
    "strtodf",
    "unix",
    "far",
    "interface",
    "near",
    "small",
    "BIN",
    "CHANGE",
    "DEC",
    "DEFAULT",
    "EULER",
    "EXTERNAL",
    "FALLING",
    "HALF_PI",
    "HEX",
    "HIGH",
    "INPUT",
    "INPUT_PULLUP",
    "INTERNAL",
    "LED_BUILTIN",
    "LOW",
    "LSBFIRST",
    "MSBFIRST",
    "OCT",
    "OUTPUT",
    "PI",
    "RISING",
    "SERIAL",
    "TWO_PI",
    "DEG_TO_RAD",
    "RAD_TO_DEG",
    "_B",
    "_C",
    "_L",
    "_N",
    "_P",
    "_S",
    "_U",
    "_X",
};
enum { RESERVED_WORDS = sizeof reserved_words / sizeof *reserved_words };

/* In capitals: NAME_STEP and NAME_H are macros of the header, whatever the model's name, and with
 * the other ends and beginnings stand macros of the C library's. */
static int is_macro(const char *text) {
    static const char *const ends[] = {"_STEP", "_H", "_MAX", "_MIN", "_ENDIAN"};
    static const char *const begins[] = {"FP_",    "M_",       "MATH_", "SEEK_",
                                         "SCHED_", "PTHREAD_", "EXIT_"};
    const size_t length = strlen(text);
    int found = 0;
    for (const char *c = text; *c != '\0'; c++)
        if (*c >= 'a' && *c <= 'z')
            return 0;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        const size_t own = strlen(ends[k]);
        found |= length > own && strcmp(text + length - own, ends[k]) == 0;
    }
    for (size_t k = 0; k < sizeof begins / sizeof *begins; k++)
        found |= strncmp(text, begins[k], strlen(begins[k])) == 0;
    return found;
}

static int is_reserved(const char *text) {
    if (is_macro(text))
        return 1;
    for (size_t k = 0; k < RESERVED_WORDS; k++)
        if (strcmp(text, reserved_words[k]) == 0)
            return 1;
    return 0;
}

/* Letters are those of ASCII, whatever the locale. */
static int is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static int is_digit(char c) {
    return c >= '0' && c <= '9';
}

int ln_is_identifier(const char *text) {
    if (!is_letter(text[0]))
        return 0;
    for (const char *c = text; *c != '\0'; c++)
        if (!is_letter(*c) && !is_digit(*c) && *c != '_')
            return 0;
    return !is_reserved(text);
}

const char *ln_identifier(ln_arena *arena, const char *name) {
    const size_t length = strlen(name);
    char *text = ln_arena_alloc(arena, length + 4, 1);
    if (text == NULL)
        return NULL;
    size_t at = 0;
    /* a name that begins with an underscore belongs to the compiler */
    if (!is_letter(name[0])) {
        text[at++] = 'n';
        if (!is_digit(name[0]))
            text[at++] = '_';
    }
    for (size_t k = 0; k < length; k++)
        text[at++] = is_letter(name[k]) || is_digit(name[k]) ? name[k] : '_';
    if (is_reserved(text))
        text[at++] = '_';
    return text;
}

/* ---- members ---- */

void ln_fields_init(ln_fields *fields, ln_arena *arena, const char *const *reserved) {
    *fields = (ln_fields){.arena = arena, .taken = ln_map_new(), .known = ln_map_new()};
    if (fields->taken == NULL || fields->known == NULL)
        fields->failed = 1;
    for (int k = 0; reserved != NULL && reserved[k] != NULL && !fields->failed; k++)
        if (ln_map_put(fields->taken, reserved[k], 0) < 0)
            fields->failed = 1;
}

void ln_fields_free(ln_fields *fields) {
    if (fields->taken != NULL)
        ln_map_free(fields->taken);
    if (fields->known != NULL)
        ln_map_free(fields->known);
    ln_sys->release(fields->field);
    *fields = (ln_fields){0};
}

/* The name without its indices; row and col become 0-based, dimensions their number: "m[2,1]" is m,
 * 1, 0, 2. */
static const char *take_indices(ln_arena *arena, const char *name, int *row, int *col,
                                int *dimensions) {
    const char *bracket = strrchr(name, '[');
    char *end;
    *row = *col = *dimensions = 0;
    if (bracket == NULL || bracket == name || !is_digit(bracket[1]))
        return name;
    const long first = strtol(bracket + 1, &end, 10),
               second = *end == ',' ? strtol(end + 1, &end, 10) : 0;
    if (strcmp(end, "]") != 0 || first < 1 || second < 0 || first > 1000000 || second > 1000000)
        return name;
    *row = (int)first - 1;
    *col = second > 0 ? (int)second - 1 : 0;
    *dimensions = second > 0 ? 2 : 1;
    return ln_arena_text(arena, name, (size_t)(bracket - name));
}

/* An identifier that no other member has: with a number behind it where it is taken. */
static const char *free_identifier(ln_fields *fields, const char *name) {
    const char *wanted = ln_identifier(fields->arena, name), *found = wanted;
    for (int k = 2; found != NULL && ln_map_get(fields->taken, found) >= 0; k++)
        found = ln_arena_printf(fields->arena, "%s_%d", wanted, k);
    return found;
}

static int new_field(ln_fields *fields, const char *key, const char *name, const char *about) {
    const char *identifier = free_identifier(fields, name);
    if (identifier == NULL || !LN_GROW(fields->field, fields->count, fields->room) ||
        ln_map_put(fields->taken, identifier, (int)fields->count) < 0 ||
        ln_map_put(fields->known, key, (int)fields->count) < 0)
        return -1;
    fields->field[fields->count] =
        (ln_field){.identifier = identifier, .name = name, .about = about};
    return (int)fields->count++;
}

ln_member ln_fields_add(ln_fields *fields, const char *name, const char *about) {
    int row, col, dimensions;
    const char *base = fields->failed || name == NULL || about == NULL
                           ? NULL
                           : take_indices(fields->arena, name, &row, &col, &dimensions);
    /* a vector, a matrix and a number may share a name */
    const char *key =
        base == NULL ? NULL : ln_arena_printf(fields->arena, "%d%s", dimensions, base);
    int at = key == NULL ? -1 : ln_map_get(fields->known, key);
    if (at < 0 && key != NULL)
        at = new_field(fields, key, base, about);
    if (at < 0) {
        fields->failed = 1;
        return (ln_member){0, 0, 0};
    }
    ln_field *field = &fields->field[at];
    if (dimensions > 0 && field->rows <= row)
        field->rows = row + 1;
    if (dimensions > 1 && field->cols <= col)
        field->cols = col + 1;
    return (ln_member){at, row, col};
}

void ln_fields_set_unit(ln_fields *fields, ln_member member, const char *unit) {
    if (!fields->failed)
        fields->field[member.field].unit = unit;
}

void ln_field_about(const ln_field *field, ln_text *out) {
    const int unit = field->unit != NULL && field->unit[0] != '\0';
    const int about = field->about != NULL && field->about[0] != '\0';
    if (unit)
        ln_comment_text(out, field->unit);
    if (unit && about)
        ln_text_add(out, ", ");
    if (about)
        ln_comment_text(out, field->about);
}

void ln_member_print(const ln_fields *fields, ln_member member, ln_text *out) {
    const ln_field *field = &fields->field[member.field];
    ln_text_add(out, field->identifier);
    if (field->rows > 0)
        ln_text_printf(out, "[%d]", member.row);
    if (field->cols > 0)
        ln_text_printf(out, "[%d]", member.col);
}

int ln_field_size(const ln_field *field) {
    return (field->rows > 0 ? field->rows : 1) * (field->cols > 0 ? field->cols : 1);
}

/* ---- comments ---- */

void ln_comment_text(ln_text *out, const char *text) {
    for (const char *c = text; *c != '\0'; c++) {
        const unsigned char byte = (unsigned char)*c;
        if (byte < ' ' || byte == 127)
            ln_text_add(out, " ");
        /* compilers differ in the encoding they expect */
        else if (byte >= 128)
            ln_text_add(out, "_");
        else if (*c == '\\')
            ln_text_add(out, "|");
        else if ((*c == '/' && c > text && c[-1] == '*') || (*c == '*' && c > text && c[-1] == '/'))
            ln_text_add(out, "_");
        /* a trigraph could be a backslash */
        else if (*c == '?' && c[1] == '?')
            ln_text_add(out, "!");
        else
            ln_text_add_bytes(out, c, 1);
    }
}
