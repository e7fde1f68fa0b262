/* SPDX-License-Identifier: MIT */
/* A file to a tree of data, by libyaml's events; the stack of open lists and maps is ours. */
#include "foreign/document.h"

#include "base/input.h"
#include "base/text.h"

#include <string.h>

#ifdef LINNET_SONAME_YAML
#include "base/library.h"
#include <yaml.h>

#define YAML_NAMES(X)               \
    X(yaml_parser_initialize)       \
    X(yaml_parser_set_input_string) \
    X(yaml_parser_parse)            \
    X(yaml_event_delete)            \
    X(yaml_parser_delete)
static struct { YAML_NAMES(LN_LIBRARY_MEMBER) } yaml;
static const char *const yaml_names[] = {YAML_NAMES(LN_LIBRARY_NAME) NULL};
static ln_library library = {.file = LINNET_SONAME_YAML,
                             .package = "libyaml-0-2",
                             .what = "models in YAML and JSON",
                             .names = yaml_names,
                             .members = &yaml};

typedef struct document_reader {
    ln_arena *arena;
    ln_report *report;
    const char *path;
    ln_datum *open[LN_DATUM_DEPTH], *last[LN_DATUM_DEPTH]; /* their last items */
    int depth;
    ln_datum *root;
    const char *key; /* read, its value not yet */
    linnet_status status;
} document_reader;

static void refuse(document_reader *to, int line, const char *why) {
    to->status =
        ln_fail(to->report, LINNET_MODEL, (ln_place){to->path, line, 0}, "%s cannot be read", why);
}

/* Hangs a datum where the reading stands; a text in a map's place for a key becomes the key. */
static ln_datum *hang(document_reader *to, ln_datum_kind kind, const yaml_event_t *event) {
    const int line = (int)event->start_mark.line + 1;
    ln_datum *parent = to->depth > 0 ? to->open[to->depth - 1] : NULL;
    const int wants_key = parent != NULL && parent->kind == LN_DATUM_MAP && to->key == NULL;
    if (wants_key && kind != LN_DATUM_TEXT)
        return refuse(to, line, "a list or map as a key"), NULL;
    const char *text = "";
    if (kind == LN_DATUM_TEXT) {
        text = ln_arena_text(to->arena, (const char *)event->data.scalar.value,
                             event->data.scalar.length);
        if (text == NULL)
            return to->status = ln_no_memory(to->report), NULL;
        if (wants_key)
            return to->key = text, NULL;
    }
    ln_datum *datum = LN_NEW(to->arena, ln_datum, 1);
    if (datum == NULL)
        return to->status = ln_no_memory(to->report), NULL;
    *datum = (ln_datum){.kind = kind,
                        .key = to->key,
                        .text = text,
                        .quoted = kind == LN_DATUM_TEXT &&
                                  event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE,
                        .line = line};
    to->key = NULL;
    if (parent == NULL)
        return to->root = datum;
    if (to->last[to->depth - 1] != NULL)
        to->last[to->depth - 1]->next = datum;
    else
        parent->first = datum;
    return to->last[to->depth - 1] = datum;
}

static void enter(document_reader *to, ln_datum_kind kind, const yaml_event_t *event) {
    ln_datum *datum = hang(to, kind, event);
    if (datum == NULL)
        return;
    if (to->depth == LN_DATUM_DEPTH) {
        refuse(to, datum->line, "a depth above 64");
        return;
    }
    to->open[to->depth] = datum;
    to->last[to->depth++] = NULL;
}

static void take(document_reader *to, const yaml_event_t *event) {
    const int line = (int)event->start_mark.line + 1;
    switch (event->type) {
    case YAML_SCALAR_EVENT: (void)hang(to, LN_DATUM_TEXT, event); break;
    case YAML_SEQUENCE_START_EVENT: enter(to, LN_DATUM_LIST, event); break;
    case YAML_MAPPING_START_EVENT: enter(to, LN_DATUM_MAP, event); break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: to->depth--; break;
    case YAML_ALIAS_EVENT: refuse(to, line, "an alias (*name)"); break;
    case YAML_DOCUMENT_START_EVENT:
        if (to->root != NULL)
            refuse(to, line, "a second document in one file");
        break;
    default: break;
    }
}

static void parse(document_reader *to, const ln_text *bytes) {
    yaml_parser_t parser;
    if (!yaml.yaml_parser_initialize(&parser)) {
        to->status = ln_no_memory(to->report);
        return;
    }
    yaml.yaml_parser_set_input_string(&parser, (const unsigned char *)bytes->data, bytes->length);
    int more = 1;
    while (more && to->status == LINNET_OK) {
        yaml_event_t event;
        if (!yaml.yaml_parser_parse(&parser, &event)) {
            const int line = (int)parser.problem_mark.line + 1;
            to->status = ln_fail(to->report, LINNET_MODEL, (ln_place){to->path, line, 0},
                                 "this is neither YAML nor JSON: %s",
                                 parser.problem != NULL ? parser.problem : "it cannot be read");
            break;
        }
        more = event.type != YAML_STREAM_END_EVENT;
        take(to, &event);
        yaml.yaml_event_delete(&event);
    }
    yaml.yaml_parser_delete(&parser);
}

/* The code of an escape (\u and four digits) at `at`, or -1. */
static int escaped(const char *at) {
    int code = 0;
    if (at[0] != '\\' || at[1] != 'u')
        return -1;
    for (int k = 2; k < 6; k++) {
        const char *digits = "0123456789abcdef", lower = (char)(at[k] | ('a' ^ 'A'));
        const char *digit = at[k] == '\0' ? NULL : strchr(digits, at[k] <= '9' ? at[k] : lower);
        if (digit == NULL)
            return -1;
        code = 16 * code + (int)(digit - digits);
    }
    return code;
}

/* JSON writes a character beyond U+FFFF as two escapes (RFC 8259, section 7), which YAML does not
 * know: they become the character's UTF-8. */
static void join_surrogates(ln_text *bytes) {
    char *to = bytes->data;
    const char *end = bytes->data + bytes->length;
    for (const char *from = bytes->data; from < end;) {
        const int high = escaped(from),
                  low = high >= 0xD800 && high < 0xDC00 ? escaped(from + 6) : -1;
        if (low >= 0xDC00 && low < 0xE000) {
            const int code = 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            *to++ = (char)(0xF0 | code >> 18);
            *to++ = (char)(0x80 | ((code >> 12) & 0x3F));
            *to++ = (char)(0x80 | ((code >> 6) & 0x3F));
            *to++ = (char)(0x80 | (code & 0x3F));
            from += 12;
        } else {
            if (*from == '\\' && from + 1 < end)
                *to++ = *from++;
            *to++ = *from++;
        }
    }
    bytes->length = (size_t)(to - bytes->data);
    *to = '\0';
}

static linnet_status read_bytes(document_reader *to, ln_text *bytes) {
    LN_TRY(ln_library_load(&library, to->report));
    LN_TRY(ln_input_read(to->path, LN_FROM_USER, LN_DATUM_BYTES, to->report, bytes));
    if (bytes->length > LN_DATUM_BYTES)
        return ln_fail(to->report, LINNET_MODEL, (ln_place){to->path, 0, 0},
                       "the file has more than %d MiB", LN_DATUM_BYTES >> 20);
    if (bytes->data[strspn(bytes->data, " \t\r\n")] == '{')
        join_surrogates(bytes);
    parse(to, bytes);
    if (to->status == LINNET_OK && to->root == NULL)
        refuse(to, 0, "an empty file");
    return to->status;
}

const ln_datum *ln_document_read(ln_arena *arena, const char *path, ln_report *report,
                                 linnet_status *status) {
    document_reader to = {.arena = arena, .report = report, .path = path};
    ln_text bytes = {0};
    *status = read_bytes(&to, &bytes);
    ln_text_free(&bytes);
    return *status == LINNET_OK ? to.root : NULL;
}

#else

const ln_datum *ln_document_read(ln_arena *arena, const char *path, ln_report *report,
                                 linnet_status *status) {
    (void)arena;
    *status = ln_fail(report, LINNET_IO, (ln_place){path, 0, 0},
                      "this linnet was built without libyaml and reads no YAML and JSON; install "
                      "libyaml-dev and build it again");
    return NULL;
}

#endif

const ln_datum *ln_datum_of(const ln_datum *map, const char *key) {
    if (map == NULL || map->kind != LN_DATUM_MAP)
        return NULL;
    for (const ln_datum *item = map->first; item != NULL; item = item->next)
        if (strcmp(item->key, key) == 0)
            return item;
    return NULL;
}

static int is_null(const ln_datum *datum) {
    return !datum->quoted && (strcmp(datum->text, "null") == 0 || strcmp(datum->text, "~") == 0);
}

const char *ln_datum_text(const ln_datum *map, const char *key, const char *otherwise) {
    const ln_datum *item = ln_datum_of(map, key);
    if (item == NULL || item->kind != LN_DATUM_TEXT || item->text[0] == '\0' || is_null(item))
        return otherwise;
    return item->text;
}

double ln_datum_number(const ln_datum *map, const char *key, double otherwise) {
    const char *text = ln_datum_text(map, key, ""), *end;
    const double value = ln_number_read(text, &end);
    return end != text && *end == '\0' ? value : otherwise;
}

int ln_datum_is_true(const ln_datum *map, const char *key) {
    const char *text = ln_datum_text(map, key, "");
    return strcmp(text, "true") == 0 || strcmp(text, "yes") == 0 || strcmp(text, "1") == 0;
}

int ln_datum_count(const ln_datum *list) {
    int count = 0;
    for (const ln_datum *item = list != NULL ? list->first : NULL; item != NULL; item = item->next)
        count++;
    return count;
}
