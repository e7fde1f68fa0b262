/* SPDX-License-Identifier: MIT */
/* A block type as JSON (RFC 8259), for editors and generators. */
#include "cli/catalogue_view.h"

static void put_port(const ln_view_port *port, ln_json *json) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text_if(json, "name", port->name);
    ln_json_text_if(json, "role", port->role);
    ln_json_text_if(json, "domain", port->domain);
    ln_json_flag(json, "many", port->many);
    ln_json_flag(json, "optional", port->optional);
    ln_json_text_if(json, "doc", port->doc);
    ln_json_end(json);
}

static void put_param(const ln_view_param *param, ln_json *json) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text_if(json, "name", param->name);
    ln_json_text_if(json, "kind", param->kind);
    ln_json_text_if(json, "unit", param->unit);
    ln_json_flag(json, "required", param->required);
    ln_json_text_if(json, "default", param->standard);
    ln_json_text_if(json, "range", param->range);
    ln_json_text_if(json, "doc", param->doc);
    ln_json_end(json);
}

static void put_value(const ln_view_value *value, ln_json *json) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text_if(json, "name", value->name);
    ln_json_text_if(json, "unit", value->unit);
    ln_json_text_if(json, "doc", value->doc);
    ln_json_end(json);
}

void ln_view_json(const ln_view *view, ln_json *json) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT);
    ln_json_text_if(json, "name", view->name);
    ln_json_text_if(json, "group", view->group);
    ln_json_text_if(json, "doc", view->doc);
    ln_json_text_if(json, "formula", view->formula);
    ln_json_text_if(json, "example", view->example);
    ln_json_begin(json, "ports", LN_JSON_LIST);
    for (int k = 0; k < view->nports; k++)
        put_port(&view->ports[k], json);
    ln_json_end(json);
    ln_json_begin(json, "parameters", LN_JSON_LIST);
    for (int k = 0; k < view->nparams; k++)
        put_param(&view->params[k], json);
    ln_json_end(json);
    ln_json_begin(json, "recorded", LN_JSON_LIST);
    for (int k = 0; k < view->nvalues; k++)
        put_value(&view->values[k], json);
    ln_json_end(json);
    ln_json_end(json);
}
