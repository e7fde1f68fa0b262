/* SPDX-License-Identifier: MIT */
/* Links by name: coming into being, `block.port` as the name of a port's link, and what is wrong
 * with a name.
 *
 * `block.port` names the link of that port, whatever else it is called. If the block has not been
 * met yet, a link of that name stands in for it ("ahead") and becomes another name of the port's
 * own link when the block comes. */
#include "network/flatten.h"

#include <string.h>

/* ---- links ---- */

/* The link of that full name, coming into being if need be; `name` is copied if it stands in
 * build->name. */
int ln_link_of(ln_build *build, const char *name, const ln_element *element) {
    if (name == NULL)
        return -1;
    if (name == build->name.data) {
        int known = ln_map_get(build->link_map, name);
        if (known >= 0)
            return known;
        name = ln_arena_string(build->network->arena, name);
    }
    int fresh = (int)build->nlinks;
    int link = name == NULL ? -1 : ln_map_put(build->link_map, name, fresh);
    if (link != fresh) {
        if (link < 0)
            ln_build_failed(build);
        return link;
    }
    if (!LN_GROW(build->links, build->nlinks, build->links_room)) {
        ln_build_failed(build);
        return -1;
    }
    build->links[build->nlinks++] = (ln_raw_link){name, element, -1, 0};
    return link;
}

/* Notes that the link is an element of another, should that turn out to be a vector; `index` begins
 * with '['. */
static int note_element(ln_build *build, int link, int of, const char *index) {
    if (link < 0 || of < 0)
        return link;
    if (!LN_GROW(build->elements, build->nelements, build->elements_room))
        return ln_build_failed(build), -1;
    build->elements[build->nelements++] = (ln_element_name){link, of, index};
    return link;
}

int ln_link_named(ln_build *build, const ln_level *level, const char *name,
                  const ln_element *element) {
    int port = ln_port_find(level->ports, level->nports, name);
    if (port >= 0)
        return level->port_links[port];
    int link = ln_link_of(build, ln_full_name(build, level, name, strlen(name)), element);
    const char *bracket = level->nports > 0 ? strchr(name, '[') : NULL;
    if (bracket == NULL)
        return link;
    const char *base = ln_arena_text(build->scratch, name, (size_t)(bracket - name));
    if (base == NULL)
        return ln_build_failed(build), -1;
    port = ln_port_find(level->ports, level->nports, base);
    return port < 0 ? link : note_element(build, link, level->port_links[port], bracket);
}

/* Puts `block.port` into build->name; 0 when memory is short. */
int ln_name_port(ln_build *build, const char *block, const char *port) {
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
        if (other != NULL && strcmp(other, id) == 0)
            return level->body->blocks[i];
    }
    return NULL;
}

void ln_no_block(ln_build *build, const ln_level *level, ln_place place, const char *id) {
    const ln_element *there = block_element(level, id);
    /* it is there, with an error of its own */
    if (there != NULL && build->status != LINNET_OK)
        return;
    if (there != NULL) {
        LN_WRONG(build, place,
                 "block '%s' (line %d) is left out by its if=\"%s\"; give what joins it the same "
                 "condition",
                 id, there->line, ln_attribute_of(there, "if"));
        return;
    }
    size_t count = 0;
    const char **known = LN_NEW(build->scratch, const char *, level->body->nblocks);
    if (known == NULL) {
        ln_build_failed(build);
        return;
    }
    for (int i = 0; i < level->body->nblocks; i++) {
        const char *other = ln_attribute_of(level->body->blocks[i], "id");
        if (other != NULL)
            known[count++] = other;
    }
    const char *nearest = ln_nearest(id, known, count);
    if (nearest != NULL)
        LN_WRONG(build, place, "there is no block '%s'; did you mean '%s'?", id, nearest);
    else
        LN_WRONG(build, place,
                 "there is no block '%s' here; a name with a dot is that of a block's port", id);
}

void ln_no_port(ln_build *build, ln_place place, const char *block, const linnet_port *ports,
                int nports, const char *port) {
    ln_text list = {0};
    for (int j = 0; j < nports; j++)
        ln_text_printf(&list, "%s%s", j > 0 ? ", " : "", ports[j].name);
    LN_WRONG(build, place, "%s has no port '%s'; it has: %s", block, port,
             list.data != NULL ? list.data : "none");
    ln_text_free(&list);
}

/* ---- `block.port` as the name of a link ---- */

static int port_of_block(ln_build *build, int code, const char *port, ln_place place) {
    if (code & 1) {
        const ln_component *component = &build->components[code / 2];
        int j = ln_port_find(component->ports, component->nports, port);
        if (j < 0)
            ln_no_port(build, place, component->name, component->ports, component->nports, port);
        return j < 0 ? LN_BROKEN : component->links[j];
    }
    const ln_raw_instance *raw = &build->instances[code / 2];
    int nports;
    const linnet_port *ports = ln_raw_ports(raw, &nports);
    if (ports == NULL)
        return LN_BROKEN;
    int j = ln_port_find(ports, nports, port);
    if (j < 0)
        ln_no_port(build, place, raw->name, ports, nports, port);
    else if (build->port_link[raw->first + j] < 0)
        LN_WRONG(build, place, "port %s of %s is open; join both to a link with a name", port,
                 raw->name);
    return j < 0 ? LN_BROKEN : build->port_link[raw->first + j];
}

static int dotted_link(ln_build *build, const ln_level *level, const char *name,
                       const ln_element *element) {
    size_t length = ln_id_length(name);
    const char *full = ln_full_name(build, level, name, length);
    if (full == NULL)
        return -1;
    int code = ln_map_get(build->block_map, full);
    const char *block = code < 0   ? NULL
                        : code & 1 ? build->components[code / 2].name
                                   : build->instances[code / 2].name;
    if (code >= 0 && block != build->connecting)
        return port_of_block(build, code, name + length + 1, ln_place_of(element));
    size_t before = build->nlinks;
    int link = ln_link_of(build, ln_full_name(build, level, name, strlen(name)), element);
    if (link >= 0 && build->nlinks > before) {
        build->links[link].flags |= LN_RAW_AHEAD;
        build->nahead++;
    }
    return link;
}

/* The port whose name stands in build->name has come, and joins this link. */
int ln_arrive(ln_build *build, int link) {
    if (link < 0)
        return 1;
    if (build->name.failed)
        return ln_build_failed(build);
    int ahead = ln_map_get(build->link_map, build->name.data);
    if (ahead < 0 || !(build->links[ahead].flags & LN_RAW_AHEAD))
        return 1;
    build->links[ahead].flags &= ~(unsigned)LN_RAW_AHEAD;
    build->nahead--;
    int root = ln_raw_root(build, link);
    if (root != ahead)
        build->links[ahead].same_as = root;
    return 1;
}

void ln_check_ahead(ln_build *build) {
    for (size_t i = 0; build->nahead > 0 && i < build->nlinks && !build->stopped; i++) {
        const ln_raw_link *link = &build->links[i];
        if (!(link->flags & LN_RAW_AHEAD))
            continue;
        const char *dot = strrchr(link->name, '.');
        char *block = ln_arena_text(build->scratch, link->name, (size_t)(dot - link->name));
        int code = block == NULL ? -1 : ln_map_get(build->block_map, block);
        ln_level top = {.body = &build->network->model->body};
        if (block == NULL)
            ln_build_failed(build);
        else if (code >= 0)
            port_of_block(build, code, dot + 1, ln_raw_place(build, (int)i));
        else
            ln_no_block(build, &top, ln_raw_place(build, (int)i), block);
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
int ln_named_link(ln_build *build, const ln_level *level, const linnet_port *port, const char *text,
                  const ln_element *element, const char *block) {
    size_t length = ln_id_length(text);
    ln_place place = ln_place_of(element);
    if (text[0] == '?')
        return LN_BROKEN; /* its index was wrong */
    if (port->domain == LINNET_SIGNAL && is_number(text)) {
        LN_WRONG(build, place,
                 "%s (%s): %s=\"%s\" is a number, not a link; add <constant id=\"c\" value=\"%s\" "
                 "out=\"c1\"/> and write %s=\"c1\"",
                 block, element->name, port->name, text, text, port->name);
        return LN_BROKEN;
    }
    if (ln_is_id(build, text))
        return ln_link_named(build, level, text, element);
    if (length > 0 && text[length] == '.' && text[length + 1] != '\0' &&
        strpbrk(text, " ;/") == NULL && ln_word_length(text) == strlen(text))
        return dotted_link(build, level, text, element);
    LN_WRONG(build, place,
             "%s (%s): %s=\"%s\" is not the name of a link; use letters, digits, '_' and '-'%s",
             block, element->name, port->name, text,
             strpbrk(text, " ,") != NULL && !(port->flags & LINNET_MANY)
                 ? " (the port joins one link only)"
                 : "");
    return LN_BROKEN;
}
