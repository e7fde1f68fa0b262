/* SPDX-License-Identifier: MIT */
/* A block type as a page of text. */
#include "cli/catalogue_view.h"
#include "cli/listing.h"

#include <string.h>

static const char *or_empty(const char *text) {
    return text != NULL ? text : "";
}

/* Lines of a text, each indented. */
static void print_lines(const char *text) {
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        printf("    %.*s\n", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static int print_ports(const ln_view *view, ln_arena *arena) {
    ln_listing listing = {.arena = arena};
    for (int k = 0; k < view->nports; k++) {
        const ln_view_port *port = &view->ports[k];
        int physical = strcmp(port->role, "port") == 0;
        const char *what = ln_arena_printf(
            arena, "%s%s%s", physical ? or_empty(port->domain) : port->role,
            port->many ? ", a list of links" : "", port->optional ? ", may stay open" : "");
        ln_listing_row(&listing, port->name, or_empty(what), or_empty(port->doc), NULL);
    }
    if (view->nports > 0)
        puts("\nPorts");
    return ln_listing_print(&listing, 4, stdout);
}

static int print_params(const ln_view *view, ln_arena *arena) {
    ln_listing listing = {.arena = arena};
    for (int k = 0; k < view->nparams; k++) {
        const ln_view_param *param = &view->params[k];
        const char *standard = param->required           ? "required"
                               : param->standard != NULL ? param->standard
                                                         : "optional";
        const char *kind = strcmp(param->kind, "number") == 0 ? "" : param->kind;
        const char *what =
            ln_arena_printf(arena, "%s%s%s", kind,
                            *kind != '\0' && *param->unit != '\0' ? " of " : "", param->unit);
        ln_listing_row(&listing, param->name, or_empty(what), standard, param->range,
                       or_empty(param->doc), NULL);
    }
    if (view->nparams > 0)
        puts("\nParameters (name, unit, default, range)");
    return ln_listing_print(&listing, 4, stdout);
}

static int print_values(const ln_view *view, ln_arena *arena) {
    ln_listing listing = {.arena = arena};
    for (int k = 0; k < view->nvalues; k++)
        ln_listing_row(&listing, view->values[k].name, view->values[k].unit,
                       or_empty(view->values[k].doc), NULL);
    if (view->nvalues > 0)
        puts("\nCan be recorded, as ID.name");
    return ln_listing_print(&listing, 4, stdout);
}

int ln_view_print(const ln_view *view, ln_arena *arena) {
    printf("%s: %s (%s%s)\n", view->name, or_empty(view->doc), view->group,
           view->is_component ? ", a component" : "");
    if (view->formula != NULL && *view->formula != '\0') {
        puts("\nEquations");
        print_lines(view->formula);
    }
    if (!print_ports(view, arena) || !print_params(view, arena) || !print_values(view, arena))
        return 0;
    if (view->example != NULL) {
        puts("\nExample");
        print_lines(view->example);
    }
    return !ln_arena_failed(arena); /* cells were composed, too */
}
