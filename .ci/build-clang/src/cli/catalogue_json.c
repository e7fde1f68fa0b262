/* SPDX-License-Identifier: MIT */
/* A block type as JSON (RFC 8259), for editors and generators. */
#include "cli/catalogue_view.h"
#include "cli/json.h"

#include <stdio.h>

static void print_port(const ln_view_port *port) {
    ln_json_member("{", "name", port->name);
    ln_json_member(", ", "role", port->role);
    ln_json_member(", ", "domain", port->domain);
    printf(", \"many\": %s, \"optional\": %s", port->many ? "true" : "false",
           port->optional ? "true" : "false");
    ln_json_member(", ", "doc", port->doc);
    putchar('}');
}

static void print_param(const ln_view_param *param) {
    ln_json_member("{", "name", param->name);
    ln_json_member(", ", "kind", param->kind);
    ln_json_member(", ", "unit", param->unit);
    printf(", \"required\": %s", param->required ? "true" : "false");
    ln_json_member(", ", "default", param->standard);
    ln_json_member(", ", "range", param->range);
    ln_json_member(", ", "doc", param->doc);
    putchar('}');
}

static void print_value(const ln_view_value *value) {
    ln_json_member("{", "name", value->name);
    ln_json_member(", ", "unit", value->unit);
    ln_json_member(", ", "doc", value->doc);
    putchar('}');
}

void ln_view_print_json(const ln_view *view) {
    ln_json_member("{", "name", view->name);
    ln_json_member(", ", "group", view->group);
    ln_json_member(", ", "doc", view->doc);
    ln_json_member(", ", "formula", view->formula);
    ln_json_member(", ", "example", view->example);
    fputs(", \"ports\": [", stdout);
    for (int k = 0; k < view->nports; k++) {
        if (k > 0)
            fputs(", ", stdout);
        print_port(&view->ports[k]);
    }
    fputs("], \"parameters\": [", stdout);
    for (int k = 0; k < view->nparams; k++) {
        if (k > 0)
            fputs(", ", stdout);
        print_param(&view->params[k]);
    }
    fputs("], \"recorded\": [", stdout);
    for (int k = 0; k < view->nvalues; k++) {
        if (k > 0)
            fputs(", ", stdout);
        print_value(&view->values[k]);
    }
    fputs("]}", stdout);
}
