/* SPDX-License-Identifier: MIT */
/* Which link each port of a block joins: the one its attribute names, or the one whose <link> names
 * the port. A port that nothing joins gets a link of its own, called `block.port`. */
#include "network/flatten.h"

#include <stdlib.h>
#include <string.h>

int ln_add_port_link(ln_build *build, int link, signed char arrow) {
    size_t at = build->nport_links;
    if (!LN_GROW(build->port_link, at, build->port_links_room) ||
        !LN_GROW(build->port_arrow, at, build->port_arrows_room))
        return ln_build_failed(build);
    build->port_link[at] = link;
    build->port_arrow[at] = arrow;
    build->nport_links++;
    return 1;
}

/* ---- ports of one block ---- */

typedef struct joining { /* the block whose ports are being joined */
    ln_level *level;
    const ln_kind *kind;
    const ln_element *element;
    const char *name;
    int first_end; /* its first end in the level, or -1 */
} joining;

/* A port of the block and the end of a <link> that names it: "in" and, of a port for many, "in[2]"
 * (*index 2). */
static int is_end_of(const ln_end *end, const linnet_port *port, int *index) {
    size_t length = strlen(port->name);
    *index = 0;
    if (strncmp(end->port, port->name, length) != 0)
        return 0;
    if (end->port[length] == '\0')
        return 1;
    if (!(port->flags & LINNET_MANY) || end->port[length] != '[')
        return 0;
    char *rest;
    long value = strtol(end->port + length + 1, &rest, 10);
    *index = value > 0 && value < 1000000 ? (int)value : 0;
    return *index > 0 && strcmp(rest, "]") == 0;
}

/* A link, and the line in which it is joined. */
typedef struct tie {
    int link, line;
} tie;

static void two_links(ln_build *build, const joining *joiner, const char *port, tie one,
                      tie other) {
    const int a = ln_raw_root(build, one.link), b = ln_raw_root(build, other.link);
    if (a < 0 || b < 0)
        return;
    if (a == b)
        LN_WRONG(build, ln_place_of(joiner->element),
                 "%s.%s is named twice as an end of link '%s' (lines %d and %d); "
                 "remove one",
                 joiner->name, port, build->links[a].name, one.line, other.line);
    else
        LN_WRONG(build, ln_place_of(joiner->element),
                 "%s.%s is joined by link '%s' (line %d) and by link '%s' (line %d); a "
                 "port belongs to one link",
                 joiner->name, port, build->links[a].name, one.line, build->links[b].name,
                 other.line);
}

/* What joins a port that no attribute or end names: a link of its own, or nothing where it may stay
 * open. Another block may have named it already. */
static int open_port(ln_build *build, const joining *joiner, const linnet_port *port) {
    if ((port->flags & LINNET_OPTIONAL) && build->nahead == 0)
        return -1;
    if (!ln_name_port(build, joiner->name, port->name))
        return -1;
    int named = ln_map_get(build->link_map, build->name.data);
    if (named >= 0 || (port->flags & LINNET_OPTIONAL))
        return named;
    int link = ln_link_of(build, build->name.data, joiner->element);
    if (link >= 0)
        build->links[link].flags |= LN_RAW_OPEN;
    return link;
}

static int connect_one(ln_build *build, const joining *joiner, int j) {
    const linnet_port *port = &joiner->kind->ports[j];
    const char *text = build->port_text[j];
    int link = -1, line = joiner->element->line, unused, joined = 0;
    signed char arrow = 0;
    if (text != NULL) {
        link = ln_named_link(build, joiner->level, port, text, joiner->element, joiner->name);
        joined = 1;
    }
    int by_end = 0;
    for (int e = joiner->first_end; e >= 0; e = joiner->level->ends[e].next) {
        ln_end *end = &joiner->level->ends[e];
        if (!is_end_of(end, port, &unused))
            continue;
        end->used = 1;
        int differs =
            joined && (by_end || ln_raw_root(build, link) != ln_raw_root(build, end->link));
        if (differs)
            two_links(build, joiner, port->name, (tie){link, line},
                      (tie){end->link, end->element->line});
        link = end->link;
        arrow = end->arrow;
        line = end->element->line;
        joined = by_end = 1;
    }
    if (!joined)
        link = open_port(build, joiner, port);
    if (build->status == LINNET_MEMORY)
        return 0;
    build->port_count[j] = 1;
    return ln_add_port_link(build, link < 0 ? -1 : link, arrow);
}

/* The names in a list, separated by blanks or commas. */
static int connect_list(ln_build *build, const joining *joiner, const linnet_port *port,
                        const char *text) {
    for (const char *at = text; *at != '\0';) {
        size_t skip = strspn(at, " \t\r\n,"), length = ln_word_length(at + skip);
        if (length == 0)
            break;
        const char *name = ln_arena_text(build->network->arena, at + skip, length);
        if (name == NULL)
            return ln_build_failed(build);
        int link = ln_named_link(build, joiner->level, port, name, joiner->element, joiner->name);
        if (build->status == LINNET_MEMORY || !ln_add_port_link(build, link < 0 ? -1 : link, 0))
            return 0;
        at += skip + length;
    }
    return 1;
}

/* Ends at a port for many: numbered ones ("in[2]") at their place, the others behind each other. */
static int connect_ends(ln_build *build, const joining *joiner, const linnet_port *port) {
    size_t first = build->nport_links;
    int index, count = 0;
    for (int e = joiner->first_end; e >= 0; e = joiner->level->ends[e].next)
        count += is_end_of(&joiner->level->ends[e], port, &index);
    for (int k = 0; k < count; k++)
        if (!ln_add_port_link(build, LN_BROKEN, 0))
            return 0;
    int next = 0;
    for (int e = joiner->first_end; e >= 0; e = joiner->level->ends[e].next) {
        ln_end *end = &joiner->level->ends[e];
        if (!is_end_of(end, port, &index))
            continue;
        end->used = 1;
        int at = index > 0 ? index - 1 : next++;
        if (at >= count || build->port_link[first + (size_t)at] != LN_BROKEN) {
            LN_WRONG(build, ln_place_of(end->element),
                     "%s.%s: the links at port %s must be numbered from 1 to %d, each once",
                     joiner->name, end->port, port->name, count);
            continue;
        }
        build->port_link[first + (size_t)at] = end->link;
        build->port_arrow[first + (size_t)at] = end->arrow;
    }
    for (int k = 0; k < count; k++)
        if (build->port_link[first + (size_t)k] < 0)
            build->port_link[first + (size_t)k] = -1;
    return 1;
}

static int connect_many(ln_build *build, const joining *joiner, int j) {
    const linnet_port *port = &joiner->kind->ports[j];
    size_t first = build->nport_links;
    if (build->port_text[j] != NULL && !connect_list(build, joiner, port, build->port_text[j]))
        return 0;
    size_t listed = build->nport_links;
    if (!connect_ends(build, joiner, port))
        return 0;
    if (listed > first && build->nport_links > listed)
        LN_WRONG(build, ln_place_of(joiner->element),
                 "%s (%s): links at port %s are given by its attribute and by <link>; "
                 "use one of them",
                 joiner->name, joiner->element->name, port->name);
    if (build->nport_links == first && !(port->flags & LINNET_OPTIONAL))
        LN_WRONG(build, ln_place_of(joiner->element),
                 "%s (%s): port %s joins nothing; write %s=\"a b\" with the names of links",
                 joiner->name, joiner->element->name, port->name, port->name);
    build->port_count[j] = (int)(build->nport_links - first);
    return 1;
}

/* All ports of the block have come. */
static int arrive_all(ln_build *build, const joining *joiner, size_t first) {
    for (int j = 0; build->nahead > 0 && j < joiner->kind->nports; j++) {
        const linnet_port *port = &joiner->kind->ports[j];
        for (int k = 0; k < build->port_count[j]; k++, first++) {
            if (!ln_name_port(build, joiner->name, port->name))
                return 0;
            if (port->flags & LINNET_MANY)
                ln_text_printf(&build->name, "[%d]", k + 1);
            if (!ln_arrive(build, build->port_link[first]))
                return 0;
        }
    }
    return 1;
}

int ln_connect(ln_build *build, ln_level *level, const ln_kind *kind, const ln_element *element,
               const char *name) {
    joining joiner = {level, kind, element, name, -1};
    size_t first = build->nport_links;
    build->connecting = name;
    for (int j = 0; j < kind->nports; j++) {
        const char *text = build->port_text[j];
        build->port_text[j] = ln_spell(build, level, text, ln_place_of(element));
        /* told: no name at all */
        if (text != NULL && build->port_text[j] == NULL)
            build->port_text[j] = "?";
    }
    if (level->end_map != NULL)
        joiner.first_end = ln_map_get(level->end_map, name + level->prefix_length);
    for (int j = 0; j < kind->nports; j++) {
        int many = (kind->ports[j].flags & LINNET_MANY) != 0;
        if (!(many ? connect_many(build, &joiner, j) : connect_one(build, &joiner, j)))
            return 0;
    }
    for (int e = joiner.first_end; e >= 0; e = level->ends[e].next) {
        ln_end *end = &level->ends[e];
        if (!end->used)
            ln_no_port(build, ln_place_of(end->element), name, kind->ports, kind->nports,
                       end->port);
        end->used = 1;
    }
    build->connecting = NULL;
    return arrive_all(build, &joiner, first);
}
