/* SPDX-License-Identifier: MIT */
/* A block type as JSON (RFC 8259), for editors and generators. */
#include "cli/catalogue_view.h"

#include <stdio.h>

static void print_string(const char *text) {
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') printf("\\%c", byte);
        else if (byte == '\n') fputs("\\n", stdout);
        else if (byte < ' ') printf("\\u%04x", byte);
        else putchar(byte);
    }
    putchar('"');
}

/* A member; nothing when there is no text. */
static void print_member(const char *separator, const char *name, const char *text) {
    if (text == NULL) return;
    printf("%s\"%s\": ", separator, name);
    print_string(text);
}

static void print_port(const ln_view_port *port) {
    print_member("{", "name", port->name);
    print_member(", ", "role", port->role);
    print_member(", ", "domain", port->domain);
    printf(", \"many\": %s, \"optional\": %s", port->many ? "true" : "false", port->optional ? "true" : "false");
    print_member(", ", "doc", port->doc);
    putchar('}');
}

static void print_param(const ln_view_param *param) {
    print_member("{", "name", param->name);
    print_member(", ", "kind", param->kind);
    print_member(", ", "unit", param->unit);
    printf(", \"required\": %s", param->required ? "true" : "false");
    print_member(", ", "default", param->standard);
    print_member(", ", "range", param->range);
    print_member(", ", "doc", param->doc);
    putchar('}');
}

static void print_value(const ln_view_value *value) {
    print_member("{", "name", value->name);
    print_member(", ", "unit", value->unit);
    print_member(", ", "doc", value->doc);
    putchar('}');
}

void ln_view_print_json(const ln_view *view) {
    print_member("{", "name", view->name);
    print_member(", ", "group", view->group);
    print_member(", ", "doc", view->doc);
    print_member(", ", "formula", view->formula);
    print_member(", ", "example", view->example);
    fputs(", \"ports\": [", stdout);
    for (int k = 0; k < view->nports; k++) {
        if (k > 0) fputs(", ", stdout);
        print_port(&view->ports[k]);
    }
    fputs("], \"parameters\": [", stdout);
    for (int k = 0; k < view->nparams; k++) {
        if (k > 0) fputs(", ", stdout);
        print_param(&view->params[k]);
    }
    fputs("], \"recorded\": [", stdout);
    for (int k = 0; k < view->nvalues; k++) {
        if (k > 0) fputs(", ", stdout);
        print_value(&view->values[k]);
    }
    fputs("]}", stdout);
}
