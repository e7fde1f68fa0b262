/* SPDX-License-Identifier: MIT */
/* Which link each port of a block joins: the one its attribute names, or the one whose <link> names the port.
 *
 * A link comes into being by being named. `block.port` names the link of that port, whatever else it is called; if the
 * block has not been met yet, a link of that name stands in for it ("ahead") and becomes another name of the port's own
 * link later. A port that nothing joins gets a link of its own, called `block.port`. */
#include "network/flatten.h"

#include "base/domain.h"
#include "base/sys.h"
#include <stdlib.h>
#include <string.h>

enum { BROKEN = -2 }; /* no link, and the reason is reported */

int ln_raw_root(const ln_build *build, int link) {
    while (link >= 0 && build->links[link].same_as >= 0) link = build->links[link].same_as;
    return link;
}

ln_place ln_raw_place(const ln_build *build, int link) {
    return ln_place_of(build->links[link].element);
}

/* ---- links ---- */

/* The link of that full name, coming into being if need be; `name` is copied if it stands in build->name. */
static int link_of(ln_build *build, const char *name, const ln_element *element) {
    if (name == NULL) return -1;
    if (name == build->name.data) {
        int known = ln_map_get(build->link_map, name);
        if (known >= 0) return known;
        name = ln_arena_string(build->network->arena, name);
    }
    int fresh = (int)build->nlinks;
    int link = name == NULL ? -1 : ln_map_put(build->link_map, name, fresh);
    if (link != fresh) {
        if (link < 0) ln_build_failed(build);
        return link;
    }
    if (!LN_GROW(build->links, build->nlinks, build->links_room)) {
        build->nlinks = 0;
        ln_build_failed(build);
        return -1;
    }
    build->links[build->nlinks++] = (ln_raw_link){name, element, -1, 0};
    return link;
}

int ln_link_named(ln_build *build, const ln_level *level, const char *name, const ln_element *element) {
    int port = ln_port_find(level->ports, level->nports, name);
    if (port >= 0) return level->port_links[port];
    return link_of(build, ln_full_name(build, level, name, strlen(name)), element);
}

/* Puts `block.port` into build->name; 0 when memory is short. */
static int name_port(ln_build *build, const char *block, const char *port) {
    build->name.length = 0;
    ln_text_add(&build->name, block);
    ln_text_add(&build->name, ".");
    ln_text_add(&build->name, port);
    return !build->name.failed || ln_build_failed(build);
}

/* ---- what is wrong with a name ---- */

/* The element of that id in the body, or NULL. */
static const ln_element *block_element(const ln_level *level, const char *id) {
    for (int i = 0; i < level->body->nblocks; i++) {
        const char *other = ln_attribute_of(level->body->blocks[i], "id");
        if (other != NULL && strcmp(other, id) == 0) return level->body->blocks[i];
    }
    return NULL;
}

static void no_block(ln_build *build, const ln_level *level, ln_place place, const char *id) {
    if (block_element(level, id) != NULL) return; /* it is there, with an error of its own */
    size_t count = 0;
    const char **known = LN_NEW(build->scratch, const char *, level->body->nblocks);
    if (known == NULL) {
        ln_build_failed(build);
        return;
    }
    for (int i = 0; i < level->body->nblocks; i++) {
        const char *other = ln_attribute_of(level->body->blocks[i], "id");
        if (other != NULL) known[count++] = other;
    }
    const char *nearest = ln_nearest(id, known, count);
    if (nearest != NULL) LN_WRONG(build, place, "there is no block `%s`; did you mean `%s`?", id, nearest);
    else LN_WRONG(build, place, "there is no block `%s` here; a name with a dot is that of a block's port", id);
}

static void no_port(ln_build *build, ln_place place, const char *block, const linnet_port *ports, int nports,
                    const char *port) {
    ln_text list = {0};
    for (int j = 0; j < nports; j++) ln_text_printf(&list, "%s%s", j > 0 ? ", " : "", ports[j].name);
    LN_WRONG(build, place, "%s has no port `%s`; it has: %s", block, port, list.data != NULL ? list.data : "none");
    ln_text_free(&list);
}

/* ---- `block.port` as the name of a link ---- */

static int port_of_block(ln_build *build, int code, const char *port, ln_place place) {
    if (code & 1) {
        const ln_component *it = &build->components[code / 2];
        int j = ln_port_find(it->ports, it->nports, port);
        if (j < 0) no_port(build, place, it->name, it->ports, it->nports, port);
        return j < 0 ? BROKEN : it->links[j];
    }
    const ln_raw_instance *it = &build->instances[code / 2];
    if (it->class == NULL) return BROKEN;
    int j = ln_port_find(it->class->ports, it->class->nports, port);
    if (j < 0) no_port(build, place, it->name, it->class->ports, it->class->nports, port);
    else if (build->port_link[it->first + j] < 0)
        LN_WRONG(build, place, "port %s of %s is open; join both to a link with a name", port, it->name);
    return j < 0 ? BROKEN : build->port_link[it->first + j];
}

static int dotted_link(ln_build *build, const ln_level *level, const char *name, const ln_element *element) {
    size_t length = ln_id_length(name);
    const char *full = ln_full_name(build, level, name, length);
    if (full == NULL) return -1;
    int code = ln_map_get(build->block_map, full);
    const char *block = code < 0 ? NULL : code & 1 ? build->components[code / 2].name : build->instances[code / 2].name;
    if (code >= 0 && block != build->connecting)
        return port_of_block(build, code, name + length + 1, ln_place_of(element));
    size_t before = build->nlinks;
    int link = link_of(build, ln_full_name(build, level, name, strlen(name)), element);
    if (link >= 0 && build->nlinks > before) {
        build->links[link].flags |= LN_RAW_AHEAD;
        build->nahead++;
    }
    return link;
}

/* The port whose name stands in build->name has come, and joins this link. */
static int arrive(ln_build *build, int link) {
    if (link < 0) return 1;
    if (build->name.failed) return ln_build_failed(build);
    int ahead = ln_map_get(build->link_map, build->name.data);
    if (ahead < 0 || !(build->links[ahead].flags & LN_RAW_AHEAD)) return 1;
    build->links[ahead].flags &= ~(unsigned)LN_RAW_AHEAD;
    build->nahead--;
    int root = ln_raw_root(build, link);
    if (root != ahead) build->links[ahead].same_as = root;
    return 1;
}

void ln_check_ahead(ln_build *build) {
    for (size_t i = 0; build->nahead > 0 && i < build->nlinks; i++) {
        const ln_raw_link *link = &build->links[i];
        if (!(link->flags & LN_RAW_AHEAD)) continue;
        const char *dot = strrchr(link->name, '.');
        char *block = ln_arena_text(build->scratch, link->name, (size_t)(dot - link->name));
        int code = block == NULL ? -1 : ln_map_get(build->block_map, block);
        ln_level top = {.body = &build->network->model->body};
        if (block == NULL) ln_build_failed(build);
        else if (code >= 0) port_of_block(build, code, dot + 1, ln_raw_place(build, (int)i));
        else no_block(build, &top, ln_raw_place(build, (int)i), block);
        build->nahead--;
    }
}

/* ---- names in attributes ---- */

static int is_number(const char *text) {
    const char *end;
    const char *from = text + (text[0] == '-' || text[0] == '+');
    (void)ln_number_read(from, &end);
    return end != from && *end == '\0';
}

/* The link that one name in a port's attribute means. */
static int named_link(ln_build *build, const ln_level *level, const linnet_port *port, const char *text,
                      const ln_element *element, const char *block) {
    size_t length = ln_id_length(text);
    ln_place place = ln_place_of(element);
    if (port->domain == LINNET_SIGNAL && is_number(text)) {
        LN_WRONG(build, place, "%s (%s): %s=\"%s\" is a number, not a link; add <constant id=\"c\" value=\"%s\" "
                 "out=\"c1\"/> and write %s=\"c1\"", block, element->name, port->name, text, text, port->name);
        return BROKEN;
    }
    if (length > 0 && text[length] == '\0') return ln_link_named(build, level, text, element);
    if (length > 0 && text[length] == '.' && text[length + 1] != '\0' && strpbrk(text, " ,;/") == NULL)
        return dotted_link(build, level, text, element);
    LN_WRONG(build, place, "%s (%s): %s=\"%s\" is not the name of a link; use letters, digits, '_' and '-'%s", block,
             element->name, port->name, text,
             strpbrk(text, " ,") != NULL && !(port->flags & LINNET_MANY) ? " (the port joins one link only)" : "");
    return BROKEN;
}

static int push(ln_build *build, int link, signed char arrow) {
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

typedef struct joining {           /* the block whose ports are being joined                                         */
    ln_level *level;
    const ln_kind *kind;
    const ln_element *element;
    const char *name;
    int first_end;                 /* its first end in the level, or -1                                              */
} joining;

/* A port of the block and the end of a <link> that names it: "in" and, of a port for many, "in[2]" (*index 2). */
static int is_end_of(const ln_end *end, const linnet_port *port, int *index) {
    size_t length = strlen(port->name);
    *index = 0;
    if (strncmp(end->port, port->name, length) != 0) return 0;
    if (end->port[length] == '\0') return 1;
    if (!(port->flags & LINNET_MANY) || end->port[length] != '[') return 0;
    char *rest;
    long value = strtol(end->port + length + 1, &rest, 10);
    *index = value > 0 && value < 1000000 ? (int)value : 0;
    return *index > 0 && strcmp(rest, "]") == 0;
}

static int two_links(ln_build *build, const joining *it, const char *port, int a, int b, int line_a, int line_b) {
    a = ln_raw_root(build, a);
    b = ln_raw_root(build, b);
    if (a < 0 || b < 0) return 0;
    if (a == b)
        LN_WRONG(build, ln_place_of(it->element), "%s.%s is named twice as an end of link `%s` (lines %d and %d); "
                 "remove one", it->name, port, build->links[a].name, line_a, line_b);
    else
        LN_WRONG(build, ln_place_of(it->element), "%s.%s is joined by link `%s` (line %d) and by link `%s` (line %d); a "
                 "port belongs to one link", it->name, port, build->links[a].name, line_a, build->links[b].name, line_b);
    return 1;
}

/* What joins a port that no attribute or end names: a link of its own, or nothing where it may stay open. Another block
 * may have named it already. */
static int open_port(ln_build *build, const joining *it, const linnet_port *port) {
    if ((port->flags & LINNET_OPTIONAL) && build->nahead == 0) return -1;
    if (!name_port(build, it->name, port->name)) return -1;
    int named = ln_map_get(build->link_map, build->name.data);
    if (named >= 0 || (port->flags & LINNET_OPTIONAL)) return named;
    int link = link_of(build, build->name.data, it->element);
    if (link >= 0) build->links[link].flags |= LN_RAW_OPEN;
    return link;
}

static int connect_one(ln_build *build, const joining *it, int j) {
    const linnet_port *port = &it->kind->ports[j];
    const char *text = build->port_text[j];
    int link = -1, line = it->element->line, unused, joined = 0;
    signed char arrow = 0;
    if (text != NULL) {
        link = named_link(build, it->level, port, text, it->element, it->name);
        joined = 1;
    }
    int by_end = 0;
    for (int e = it->first_end; e >= 0; e = it->level->ends[e].next) {
        ln_end *end = &it->level->ends[e];
        if (!is_end_of(end, port, &unused)) continue;
        end->used = 1;
        int differs = joined && (by_end || ln_raw_root(build, link) != ln_raw_root(build, end->link));
        if (differs) two_links(build, it, port->name, link, end->link, line, end->element->line);
        link = end->link;
        arrow = end->arrow;
        line = end->element->line;
        joined = by_end = 1;
    }
    if (!joined) link = open_port(build, it, port);
    if (build->status == LINNET_MEMORY) return 0;
    build->port_count[j] = 1;
    return push(build, link < 0 ? -1 : link, arrow);
}

/* The names in a list, separated by blanks or commas. */
static int connect_list(ln_build *build, const joining *it, const linnet_port *port, const char *text) {
    for (const char *at = text; *at != '\0';) {
        size_t skip = strspn(at, " \t\r\n,"), length = strcspn(at + skip, " \t\r\n,");
        if (length == 0) break;
        const char *name = ln_arena_text(build->network->arena, at + skip, length);
        if (name == NULL) return ln_build_failed(build);
        int link = named_link(build, it->level, port, name, it->element, it->name);
        if (build->status == LINNET_MEMORY || !push(build, link < 0 ? -1 : link, 0)) return 0;
        at += skip + length;
    }
    return 1;
}

/* Ends at a port for many: numbered ones ("in[2]") at their place, the others behind each other. */
static int connect_ends(ln_build *build, const joining *it, const linnet_port *port) {
    size_t first = build->nport_links;
    int index, count = 0;
    for (int e = it->first_end; e >= 0; e = it->level->ends[e].next)
        count += is_end_of(&it->level->ends[e], port, &index);
    for (int k = 0; k < count; k++)
        if (!push(build, BROKEN, 0)) return 0;
    int next = 0;
    for (int e = it->first_end; e >= 0; e = it->level->ends[e].next) {
        ln_end *end = &it->level->ends[e];
        if (!is_end_of(end, port, &index)) continue;
        end->used = 1;
        int at = index > 0 ? index - 1 : next++;
        if (at >= count || build->port_link[first + (size_t)at] != BROKEN) {
            LN_WRONG(build, ln_place_of(end->element), "%s.%s: the links at port %s must be numbered from 1 to %d, each once",
                     it->name, end->port, port->name, count);
            continue;
        }
        build->port_link[first + (size_t)at] = end->link;
        build->port_arrow[first + (size_t)at] = end->arrow;
    }
    for (int k = 0; k < count; k++)
        if (build->port_link[first + (size_t)k] < 0) build->port_link[first + (size_t)k] = -1;
    return 1;
}

static int connect_many(ln_build *build, const joining *it, int j) {
    const linnet_port *port = &it->kind->ports[j];
    size_t first = build->nport_links;
    if (build->port_text[j] != NULL && !connect_list(build, it, port, build->port_text[j])) return 0;
    size_t listed = build->nport_links;
    if (!connect_ends(build, it, port)) return 0;
    if (listed > first && build->nport_links > listed)
        LN_WRONG(build, ln_place_of(it->element), "%s (%s): links at port %s are given by its attribute and by <link>; "
                 "use one of them", it->name, it->element->name, port->name);
    if (build->nport_links == first && !(port->flags & LINNET_OPTIONAL))
        LN_WRONG(build, ln_place_of(it->element), "%s (%s): port %s joins nothing; write %s=\"a b\" with the names of links",
                 it->name, it->element->name, port->name, port->name);
    build->port_count[j] = (int)(build->nport_links - first);
    return 1;
}

/* All ports of the block have come. */
static int arrive_all(ln_build *build, const joining *it, size_t first) {
    for (int j = 0; build->nahead > 0 && j < it->kind->nports; j++) {
        const linnet_port *port = &it->kind->ports[j];
        for (int k = 0; k < build->port_count[j]; k++, first++) {
            if (!name_port(build, it->name, port->name)) return 0;
            if (port->flags & LINNET_MANY) ln_text_printf(&build->name, "[%d]", k + 1);
            if (!arrive(build, build->port_link[first])) return 0;
        }
    }
    return 1;
}

int ln_connect(ln_build *build, ln_level *level, const ln_kind *kind, const ln_element *element, const char *name) {
    joining it = {level, kind, element, name, -1};
    size_t first = build->nport_links;
    build->connecting = name;
    if (level->end_map != NULL) it.first_end = ln_map_get(level->end_map, name + level->prefix_length);
    for (int j = 0; j < kind->nports; j++) {
        int many = (kind->ports[j].flags & LINNET_MANY) != 0;
        if (!(many ? connect_many(build, &it, j) : connect_one(build, &it, j))) return 0;
    }
    for (int e = it.first_end; e >= 0; e = level->ends[e].next) {
        ln_end *end = &level->ends[e];
        if (!end->used) no_port(build, ln_place_of(end->element), name, kind->ports, kind->nports, end->port);
        end->used = 1;
    }
    build->connecting = NULL;
    return arrive_all(build, &it, first);
}

/* ---- <link> elements ---- */

static int add_end(ln_build *build, ln_level *level, const ln_element *element, int link, signed char arrow,
                   const char *text, size_t length) {
    char *block = ln_arena_text(build->scratch, text, length);
    if (block == NULL) return ln_build_failed(build);
    size_t id = ln_id_length(block);
    if (id == 0 || block[id] != '.' || block[id + 1] == '\0') {
        LN_WRONG(build, ln_place_of(element), "<link>: end `%s` is not of the form block.port%s", block,
                 ln_port_find(level->ports, level->nports, block) >= 0
                     ? "; a port of the component is joined by a link that bears its name" : "");
        return 1;
    }
    block[id] = '\0';
    if (!LN_GROW(level->ends, level->nends, level->ends_room)) return ln_build_failed(build);
    int index = (int)level->nends;
    level->ends[level->nends++] = (ln_end){block, block + id + 1, link, -1, index, arrow, 0, element};
    int first = ln_map_put(level->end_map, block, index);
    if (first < 0) return ln_build_failed(build);
    if (first == index) return 1;
    level->ends[level->ends[first].last].next = index;
    level->ends[first].last = index;
    return 1;
}

static int add_ends(ln_build *build, ln_level *level, const ln_element *element, int link, const char *attribute,
                    signed char arrow) {
    const char *at = ln_attribute_of(element, attribute);
    while (at != NULL && *at != '\0') {
        size_t skip = strspn(at, " \t\r\n,"), length = strcspn(at + skip, " \t\r\n,");
        if (length > 0 && !add_end(build, level, element, link, arrow, at + skip, length)) return 0;
        at += skip + length;
    }
    return 1;
}

static int read_link(ln_build *build, ln_level *level, const ln_element *element, ln_map *ids, int index) {
    const char *id = ln_attribute_of(element, "id");
    ln_place place = ln_place_of(element);
    if (id[ln_id_length(id)] != '\0') {
        LN_WRONG(build, place, "<link>: id `%s` is not a name; use letters, digits, '_' and '-'", id);
        return 1;
    }
    int first = ln_map_put(ids, id, index);
    if (first < 0) return ln_build_failed(build);
    if (first != index) {
        LN_WRONG(build, place, "link `%s` is already defined at line %d; write all its ends there", id,
                 level->body->links[first]->line);
        return 1;
    }
    int link = ln_link_named(build, level, id, element);
    if (link < 0) return build->status != LINNET_MEMORY;
    build->links[link].flags |= LN_RAW_WRITTEN;
    return add_ends(build, level, element, link, "from", -1) && add_ends(build, level, element, link, "to", 1);
}

int ln_read_ends(ln_build *build, ln_level *level) {
    if (level->body->nlinks == 0) return 1;
    ln_map *ids = ln_map_new();
    level->end_map = ln_map_new();
    int going = (ids != NULL && level->end_map != NULL) || ln_build_failed(build);
    for (int i = 0; going && i < level->body->nlinks; i++)
        going = read_link(build, level, level->body->links[i], ids, i);
    ln_map_free(ids);
    return going;
}

void ln_free_ends(ln_level *level) {
    ln_map_free(level->end_map);
    ln_sys->release(level->ends);
    level->end_map = NULL;
    level->ends = NULL;
}

void ln_check_ends(ln_build *build, const ln_level *level) {
    for (size_t e = 0; e < level->nends; e++)
        if (!level->ends[e].used) no_block(build, level, ln_place_of(level->ends[e].element), level->ends[e].block);
}
