/* SPDX-License-Identifier: MIT */
/* Patterns: all recordable names that match "R1.*". Names are made only for instances that the
 * pattern's literal start does not exclude. */
#include "network/names.h"

#include "base/sys.h"
#include "base/text.h"
#include <stdlib.h>
#include <string.h>

typedef struct name_hints {
    const ln_network *network;
    const char *pattern;
    size_t literal;    /* bytes of the pattern before its first wildcard */
    const char *owner; /* instance or component whose names come */
    const char **names;
    size_t count, room;
    int failed;
} name_hints;

static void add(name_hints *all, const char *name) {
    if (name != NULL && LN_GROW(all->names, all->count, all->room))
        all->names[all->count++] = name;
    else
        all->failed = 1;
}

/* Can a name that begins with `owner.` match? */
static int may_own(const name_hints *all, const char *owner) {
    size_t length = strlen(owner);
    return strncmp(all->pattern, owner, length < all->literal ? length : all->literal) == 0;
}

static void consider(void *context, const char *rest) {
    name_hints *all = context;
    char *name = ln_arena_printf(all->network->arena, "%s.%s", all->owner, rest);
    if (name == NULL)
        all->failed = 1;
    else if (ln_matches(all->pattern, name))
        add(all, name);
}

static void collect(name_hints *all) {
    const ln_network *network = all->network;
    for (int k = 0; k < network->nlinks; k++)
        if (ln_matches(all->pattern, network->links[k].name))
            add(all, network->links[k].name);
    for (int i = 0; i < network->names->ncomponents; i++) {
        const ln_component *component = &network->names->components[i];
        all->owner = component->name;
        for (int j = 0; may_own(all, component->name) && j < component->nports; j++)
            if (component->links[j] >= 0)
                consider(all, component->ports[j].name);
    }
    for (int i = 0; i < network->ninstances; i++) {
        all->owner = network->instances[i].name;
        if (may_own(all, all->owner))
            ln_instance_names(network, i, consider, all);
    }
}

/* By bytes, but numbers by value: x[2] comes before x[10]. */
static int compare_names(const void *left, const void *right) {
    const char *a = *(const char *const *)left, *b = *(const char *const *)right;
    for (;; a++, b++) {
        const size_t m = strspn(a, "0123456789"), n = strspn(b, "0123456789");
        if (m != n && m > 0 && n > 0)
            return m < n ? -1 : 1;
        if (*a != *b || *a == '\0')
            return (unsigned char)*a - (unsigned char)*b;
    }
}

/* The name of a vector stands for its elements, that of a block's output `g.out` for those of all
 * the blocks g[i]. */
static int match_elements(const ln_network *network, const char *name,
                          void (*visit)(void *context, const char *name,
                                        const ln_quantity *quantity),
                          void *context) {
    const char *dot = strrchr(name, '.');
    const size_t length = dot == NULL ? strlen(name) : (size_t)(dot - name);
    const char *elements = ln_arena_printf(network->arena, "%s[*]", name);
    const char *blocks =
        ln_arena_printf(network->arena, "%.*s[*]%s", (int)length, name, dot == NULL ? "" : dot);
    if (elements == NULL || blocks == NULL)
        return -1;
    const int count = ln_network_match(network, elements, visit, context);
    return count != 0 || dot == NULL ? count : ln_network_match(network, blocks, visit, context);
}

int ln_network_match(const ln_network *network, const char *pattern,
                     void (*visit)(void *context, const char *name, const ln_quantity *quantity),
                     void *context) {
    ln_quantity quantity;
    name_hints all = {.network = network, .pattern = pattern, .literal = strcspn(pattern, "*?")};
    if (pattern[all.literal] == '\0') {
        if (ln_network_find(network, pattern, &quantity, NULL)) {
            visit(context, pattern, &quantity);
            return 1;
        }
        return match_elements(network, pattern, visit, context);
    }
    collect(&all);
    all.failed |=
        ln_arena_failed(network->arena); /* a name that could not be made was passed over */
    int count = 0;
    if (!all.failed && all.count > 0)
        qsort(all.names, all.count, sizeof *all.names, compare_names);
    for (size_t k = 0; !all.failed && k < all.count; k++) {
        /* an open port's own link */
        if (k > 0 && strcmp(all.names[k - 1], all.names[k]) == 0)
            continue;
        if (!ln_network_find(network, all.names[k], &quantity, NULL))
            continue;
        visit(context, all.names[k], &quantity);
        count++;
    }
    ln_sys->release(all.names);
    return all.failed ? -1 : count;
}
