/* SPDX-License-Identifier: MIT */
/* A block type as a section of Markdown, its equations as TeX between double dollars, for pages
 * that pandoc and its kin make. */
#include "cli/catalogue_view.h"

#include "expression/typeset.h"

#include <stdio.h>
#include <string.h>

/* Words of the catalogue: what means something to Markdown is escaped, but not within backquotes,
 * where only the bar of a table does. */
static void put_words(const char *text) {
    int code = 0;
    for (; text != NULL && *text != '\0'; text++) {
        code ^= *text == '`';
        if (*text == '|' || (!code && strchr("*_<>$[]\\", *text) != NULL))
            putchar('\\');
        putchar(*text);
    }
}

static void put_code(const char *text) {
    if (text == NULL || *text == '\0')
        return;
    putchar('`');
    for (; *text != '\0'; text++)
        fputs(*text == '|' ? "\\|" : (char[]){*text, '\0'}, stdout);
    putchar('`');
}

/* ---- equations ---- */

/* Lines that read as mathematics stand together; a remark in parentheses is a paragraph, and a rule
 * in words is shown as it is. */
typedef enum manner { NOTHING, MATHEMATICS, REMARK, RULE } manner;

static void turn(manner *from, manner to) {
    if (*from == to)
        return;
    if (*from == MATHEMATICS)
        puts("\\end{aligned}\n$$\n");
    else if (*from == RULE)
        puts("```\n");
    if (to == MATHEMATICS)
        puts("$$\n\\begin{aligned}");
    else if (to == RULE)
        puts("```");
    *from = to;
}

enum { MOST_LINES = 10 }; /* in one display, which no page breaks */

static int put_equations(const char *formula, ln_arena *arena) {
    manner now = NOTHING;
    int lines = 0;
    while (formula != NULL && *formula != '\0') {
        const size_t length = strcspn(formula, "\n");
        const char *line = ln_arena_text(arena, formula, length);
        if (line == NULL)
            return 0;
        const char *tex = ln_typeset_line(arena, line);
        const manner wanted = tex != NULL ? MATHEMATICS : *line == '(' ? REMARK : RULE;
        if (wanted == MATHEMATICS && now == MATHEMATICS && ++lines % MOST_LINES != 0)
            puts(" \\\\");
        else if (now == MATHEMATICS) {
            puts("");
            turn(&now, NOTHING);
        }
        turn(&now, wanted);
        if (wanted == MATHEMATICS)
            printf("& %s", tex);
        else if (wanted == RULE)
            puts(line);
        else {
            put_words(line);
            puts("\n");
        }
        formula += length + (formula[length] == '\n');
    }
    if (now == MATHEMATICS)
        puts("");
    turn(&now, NOTHING);
    return !ln_arena_failed(arena); /* a line without TeX may be one without memory */
}

/* ---- tables ---- */

static void put_ports(const ln_view *view) {
    if (view->nports > 0)
        puts("| port | | |\n|---|---|---|");
    for (int k = 0; k < view->nports; k++) {
        const ln_view_port *port = &view->ports[k];
        fputs("| ", stdout);
        put_code(port->name);
        printf(" | %s%s%s | ", strcmp(port->role, "port") == 0 ? port->domain : port->role,
               port->many ? ", a list of links" : "", port->optional ? ", may stay open" : "");
        put_words(port->doc);
        puts(" |");
    }
    if (view->nports > 0)
        puts("");
}

static void put_params(const ln_view *view) {
    if (view->nparams > 0)
        puts("| parameter | unit | default | range | |\n|---|---|---|---|---|");
    for (int k = 0; k < view->nparams; k++) {
        const ln_view_param *param = &view->params[k];
        fputs("| ", stdout);
        put_code(param->name);
        fputs(" | ", stdout);
        put_words(strcmp(param->kind, "number") == 0 ? param->unit : param->kind);
        fputs(" | ", stdout);
        if (param->required || param->standard == NULL)
            fputs(param->required ? "required" : "optional", stdout);
        else
            put_code(param->standard);
        fputs(" | ", stdout);
        put_words(param->range);
        fputs(" | ", stdout);
        put_words(param->doc);
        puts(" |");
    }
    if (view->nparams > 0)
        puts("");
}

static void put_values(const ln_view *view) {
    if (view->nvalues > 0)
        puts("| recorded as | unit | |\n|---|---|---|");
    for (int k = 0; k < view->nvalues; k++) {
        fputs("| ", stdout);
        put_code(view->values[k].name);
        fputs(" | ", stdout);
        put_words(view->values[k].unit);
        fputs(" | ", stdout);
        put_words(view->values[k].doc);
        puts(" |");
    }
    if (view->nvalues > 0)
        puts("");
}

int ln_view_print_markdown(const ln_view *view, ln_arena *arena) {
    printf("### %s\n\n", view->name);
    put_words(view->doc);
    printf(" (%s%s).\n\n", view->group, view->is_component ? ", a component" : "");
    if (!put_equations(view->formula, arena))
        return 0;
    put_ports(view);
    put_params(view);
    put_values(view);
    if (view->example != NULL)
        printf("```xml\n%s\n```\n\n", view->example);
    return 1;
}
