/* SPDX-License-Identifier: MIT */
/* A name that means nothing: what is said about it. */
#include "analysis/unknown_name.h"

#include "base/text.h"
#include <stdio.h>
#include <string.h>

/* For messages: "v, i, P" of the names a pattern matches. */
typedef struct name_list {
    ln_text text;
    size_t skip;
    int count;
} name_list;

static void list_name(void *context, const char *name, const ln_quantity *quantity) {
    name_list *list = context;
    (void)quantity;
    if (++list->count > 12)
        return;
    ln_text_printf(&list->text, "%s%s", list->count > 1 ? ", " : "", name + list->skip);
}

static void list_offered(void *context, const char *name, const char *unit) {
    (void)unit;
    list_name(context, name, NULL);
}

/* SPICE's V(out) is out here, and I(R1) is R1.i; NULL for any other form. */
static const char *of_spice(const ln_network *network, const char *name) {
    const size_t length = strlen(name);
    if (length < 4 || strchr("VvIi", name[0]) == NULL || name[1] != '(' || name[length - 1] != ')')
        return NULL;
    return ln_arena_printf(network->arena, "%.*s%s", (int)length - 3, name + 2,
                           name[0] == 'I' || name[0] == 'i' ? ".i" : "");
}

/* "; there are in, out" while the links are few. */
static const char *links_there(const ln_network *network) {
    ln_text text = {0};
    int count = 0;
    for (int k = 0; k < network->nlinks; k++)
        if (strchr(network->links[k].name, '.') == NULL && ++count <= 12)
            ln_text_printf(&text, "%s%s", count > 1 ? ", " : "; there are the links ",
                           network->links[k].name);
    const char *list =
        count == 0 || count > 12 || text.failed ? "" : ln_arena_string(network->arena, text.data);
    ln_text_free(&text);
    return list != NULL ? list : "";
}

linnet_status ln_tell_unknown_name(const ln_network *network, ln_report *report, const char *name,
                                   const char *nearest, ln_place place) {
    const char *dot = strrchr(name, '.');
    name_list list = {.skip = dot != NULL ? (size_t)(dot - name) + 1 : 0};
    char pattern[264];
    if (dot != NULL && (size_t)(dot - name) < sizeof pattern - 3) {
        snprintf(pattern, sizeof pattern, "%.*s.*", (int)(dot - name), name);
        ln_network_match(network, pattern, list_name, &list);
        const int block = ln_find_instance(network, name, (size_t)(dot - name));
        if (block >= 0)
            ln_network_offered(network, block, list_offered, &list);
    }
    const char *spice = of_spice(network, name);
    if (spice != NULL)
        ln_error(report, place, "there is no '%s'; that is '%s' here", name, spice);
    else if (list.count > 0)
        ln_error(report, place, "there is no '%s'; %.*s has %s%s", name, (int)(dot - name), name,
                 list.text.data != NULL ? list.text.data : "", list.count > 12 ? ", ..." : "");
    else if (nearest != NULL)
        ln_error(report, place, "there is no '%s'; did you mean '%s'?", name, nearest);
    else
        ln_error(report, place,
                 "there is no '%s'; write a link, block.variable or a pattern such as 'R1.*'%s",
                 name, links_there(network));
    ln_text_free(&list.text);
    return LINNET_MODEL;
}
