/* SPDX-License-Identifier: MIT */
/* <link> elements: their ends wait, by block, until the block comes. */
#include "network/flatten.h"

#include "base/sys.h"
#include <string.h>

/* Adds `end`, whose link, arrow and element are known, at the port that the text names. */
static int add_end(ln_build *build, ln_level *level, ln_end end, const char *text, size_t length) {
    char *block = ln_arena_text(build->scratch, text, length);
    if (block == NULL)
        return ln_build_failed(build);
    /* of a flat model's block, whose name may hold others */
    const char *dot = strrchr(block, '.');
    size_t id =
        build->network->model->flat && dot != NULL ? (size_t)(dot - block) : ln_id_length(block);
    if (id == 0 || block[id] != '.' || block[id + 1] == '\0') {
        LN_WRONG(build, ln_place_of(end.element),
                 "<link>: end '%s' is not of the form block.port%s", block,
                 ln_port_find(level->ports, level->nports, block) >= 0
                     ? "; a port of the component is joined by a link that bears its name"
                     : "");
        return 1;
    }
    block[id] = '\0';
    if (!LN_GROW(level->ends, level->nends, level->ends_room))
        return ln_build_failed(build);
    int index = (int)level->nends;
    end.block = block, end.port = block + id + 1;
    end.next = -1, end.last = index;
    level->ends[level->nends++] = end;
    int first = ln_map_put(level->end_map, block, index);
    if (first < 0)
        return ln_build_failed(build);
    if (first == index)
        return 1;
    level->ends[level->ends[first].last].next = index;
    level->ends[first].last = index;
    return 1;
}

static int add_ends(ln_build *build, ln_level *level, const ln_element *element, int link,
                    const char *attribute, signed char arrow) {
    const char *at =
        ln_spell(build, level, ln_attribute_of(element, attribute), ln_place_of(element));
    const ln_end end = {.link = link, .arrow = arrow, .element = element};
    while (at != NULL && *at != '\0') {
        size_t skip = strspn(at, " \t\r\n,"), length = ln_word_length(at + skip);
        if (length > 0 && !add_end(build, level, end, at + skip, length))
            return 0;
        at += skip + length;
    }
    return 1;
}

static int read_link(ln_build *build, ln_level *level, const ln_element *element) {
    ln_place place = ln_place_of(element);
    const char *id = ln_spell(build, level, ln_attribute_of(element, "id"), place);
    if (id == NULL)
        return build->status != LINNET_MEMORY;
    if (!ln_is_id(build, id)) {
        LN_WRONG(build, place, "<link>: id '%s' is not a name; use letters, digits, '_' and '-'",
                 id);
        return 1;
    }
    int line = ln_map_get(level->link_ids, id);
    if (line >= 0) {
        LN_WRONG(build, place, "link '%s' is already defined at line %d; write all its ends there",
                 id, line);
        return 1;
    }
    if (ln_map_put(level->link_ids, id, element->line) < 0)
        return ln_build_failed(build);
    int link = ln_link_named(build, level, id, element);
    if (link < 0)
        return build->status != LINNET_MEMORY;
    build->links[link].flags |= LN_RAW_WRITTEN;
    return add_ends(build, level, element, link, "from", -1) &&
           add_ends(build, level, element, link, "to", 1);
}

static int read_links(ln_build *build, ln_level *level, const ln_body *body) {
    for (int i = 0; i < body->nlinks; i++)
        if (ln_wanted(build, level, body->links[i]) && !read_link(build, level, body->links[i]))
            return 0;
    return build->status != LINNET_MEMORY;
}

int ln_read_ends(ln_build *build, ln_level *level) {
    if (level->body->nlinks == 0 && level->body->nrepeats == 0)
        return 1;
    level->link_ids = ln_map_new();
    level->end_map = ln_map_new();
    if (level->link_ids == NULL || level->end_map == NULL)
        return ln_build_failed(build);
    return ln_walk_body(build, level, level->body, LN_WALK_LINKS, read_links);
}

void ln_free_ends(ln_level *level) {
    ln_map_free(level->link_ids);
    ln_map_free(level->end_map);
    ln_sys->release(level->ends);
    level->link_ids = level->end_map = NULL;
    level->ends = NULL;
}

void ln_check_ends(ln_build *build, const ln_level *level) {
    for (size_t e = 0; e < level->nends && !build->stopped; e++)
        if (!level->ends[e].used)
            ln_no_block(build, level, ln_place_of(level->ends[e].element), level->ends[e].block);
}
