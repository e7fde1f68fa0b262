/* SPDX-License-Identifier: MIT */
/* JSON as it comes: see json.h. */
#include "base/json.h"
#include "base/text.h"

#include <assert.h>
#include <math.h>

static int has_lines(const ln_json *json, int depth) {
    return json->kind[depth] == LN_JSON_OBJECT_LINES || json->kind[depth] == LN_JSON_LIST_LINES;
}

static int is_list(unsigned char kind) {
    return kind == LN_JSON_LIST || kind == LN_JSON_LIST_LINES;
}

static void add_line(ln_json *json, int depth) {
    ln_text_printf(json->out, "\n%*s", 2 * (json->indent + depth), "");
}

static void add_string(ln_text *out, const char *text) {
    ln_text_add(out, "\"");
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            ln_text_printf(out, "\\%c", byte);
        else if (byte == '\n')
            ln_text_add(out, "\\n");
        else if (byte < ' ')
            ln_text_printf(out, "\\u%04x", byte);
        else
            ln_text_add_bytes(out, text, 1);
    }
    ln_text_add(out, "\"");
}

/* What stands before a value: the comma behind the one before it, a line of its own, its name. */
static void place(ln_json *json, const char *name) {
    if (json->depth > 0) {
        const int at = json->depth - 1;
        assert((name != NULL) != is_list(json->kind[at])); /* members have names, items none */
        if (json->filled[at])
            ln_text_add(json->out, has_lines(json, at) ? "," : ", ");
        if (has_lines(json, at))
            add_line(json, json->depth);
        json->filled[at] = 1;
    }
    if (name != NULL) {
        add_string(json->out, name);
        ln_text_add(json->out, ": ");
    }
}

void ln_json_begin(ln_json *json, const char *name, ln_json_kind kind) {
    place(json, name);
    if (json->depth == LN_JSON_DEPTH) {
        json->out->failed = 1;
        return;
    }
    json->kind[json->depth] = (unsigned char)kind;
    json->filled[json->depth] = 0;
    ln_text_add(json->out, is_list(json->kind[json->depth]) ? "[" : "{");
    json->depth++;
}

void ln_json_end(ln_json *json) {
    assert(json->depth > 0);
    json->depth--;
    if (json->filled[json->depth] && has_lines(json, json->depth))
        add_line(json, json->depth);
    ln_text_add(json->out, is_list(json->kind[json->depth]) ? "]" : "}");
}

void ln_json_finish(ln_json *json) {
    ln_json_end(json);
    ln_text_add(json->out, "\n");
}

void ln_json_text(ln_json *json, const char *name, const char *text) {
    place(json, name);
    if (text != NULL)
        add_string(json->out, text);
    else
        ln_text_add(json->out, "null");
}

void ln_json_text_if(ln_json *json, const char *name, const char *text) {
    if (text != NULL)
        ln_json_text(json, name, text);
}

void ln_json_number(ln_json *json, const char *name, double value) {
    char digits[32];
    place(json, name);
    if (isfinite(value))
        ln_text_add_bytes(json->out, digits, (size_t)ln_number_format(digits, value));
    else
        ln_text_add(json->out, "null");
}

void ln_json_integer(ln_json *json, const char *name, long long value) {
    place(json, name);
    ln_text_printf(json->out, "%lld", value);
}

void ln_json_flag(ln_json *json, const char *name, int value) {
    place(json, name);
    ln_text_add(json->out, value ? "true" : "false");
}

void ln_json_null(ln_json *json, const char *name) {
    ln_json_text(json, name, NULL);
}

void ln_json_numbers(ln_json *json, const char *name, const double *values, int count, int stride) {
    ln_json_begin(json, name, LN_JSON_LIST);
    for (int k = 0; k < count; k++)
        ln_json_number(json, NULL, values[k * stride]);
    ln_json_end(json);
}

void ln_json_written(ln_json *json, const char *name, const ln_text *value) {
    place(json, name);
    ln_text_add_bytes(json->out, value->data, value->length);
    json->out->failed |= value->failed;
}
