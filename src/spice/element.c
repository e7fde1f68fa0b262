/* SPDX-License-Identifier: MIT */
/* Elements of the model that a deck becomes, and their attributes: where they stand in memory, and
 * in which order. */
#include "spice/deck.h"

#include <string.h>

/* The same pointer for the same name: names of elements and attributes repeat by the thousand. */
static const char *interned(ln_spice *spice, const char *name) {
    const int index = ln_map_put(spice->tree.names, name, (int)spice->tree.name_list.count);
    if (index < 0)
        return ln_spice_no_memory(spice), name;
    if (index == (int)spice->tree.name_list.count)
        LN_SPICE_ADD(spice, spice->tree.name_list, name);
    /* empty once memory was short */
    return (size_t)index < spice->tree.name_list.count ? spice->tree.name_list.items[index] : name;
}

/* An element; `nowhere`, which nobody reads, when memory is short, so that no caller needs to ask.
 */
static ln_element *new_element(ln_spice *spice, const char *name, ln_place place, int is_child) {
    name = interned(spice, name);
    const int is_block = !is_child && ln_is_block_name(&spice->tree.block_names, name);
    ln_arena *arena = is_block ? ln_arena_part(spice->arena) : spice->arena;
    ln_element *element = arena != NULL ? LN_NEW(arena, ln_element, 1) : NULL;
    if (element == NULL) {
        ln_spice_no_memory(spice);
        return spice->tree.nowhere = (ln_element){.name = name}, &spice->tree.nowhere;
    }
    *element = (ln_element){.name = name, .file = place.file, .line = place.line};
    return element;
}

/* Joins the end of the model: its order is that of the deck. */
ln_element *ln_emit(ln_spice *spice, const char *type, ln_place place) {
    ln_element *element = new_element(spice, type, place, 0);
    if (spice->tree.last_child != NULL)
        spice->tree.last_child->next = element;
    else
        spice->tree.root->first = element;
    return spice->tree.last_child = element;
}

ln_element *ln_emit_child(ln_spice *spice, ln_element *parent, ln_element *after, const char *name,
                          ln_place place) {
    ln_element *element = new_element(spice, name, place, 1);
    if (after != NULL)
        after->next = element;
    else
        parent->first = element;
    return element;
}

/* The room that an array of so many attributes has: a power of two, at least 4. Most elements have
 * an id, two ports and a value. */
static int room_for(int count) {
    int room = count > 0 ? 4 : 0;
    while (room < count)
        room *= 2;
    return room;
}

/* Where attributes of an element stand, of which the first is `first`: those of blocks, which begin
 * by an id, go with their elements. */
static ln_arena *arena_of(ln_spice *spice, const ln_element *element, const char *first) {
    return strcmp(first, "id") == 0 && ln_is_block_name(&spice->tree.block_names, element->name)
               ? ln_arena_part(spice->arena)
               : spice->arena;
}

/* Room for so many attributes, of which `name` is the first, behind those that there are; NULL when
 * memory is short. How many a card gives its author decides, who may repeat words. */
static ln_attribute *grow(ln_spice *spice, ln_element *element, const char *name, int more) {
    const int count = element->nattributes, room = room_for(count + more);
    if (room == room_for(count))
        return (ln_attribute *)element->attributes;
    ln_arena *arena = arena_of(spice, element, count > 0 ? element->attributes[0].name : name);
    ln_attribute *larger = arena != NULL ? LN_NEW(arena, ln_attribute, room) : NULL;
    if (larger == NULL)
        return ln_spice_no_memory(spice);
    if (count > 0)
        memcpy(larger, element->attributes, (size_t)count * sizeof *larger);
    element->attributes = larger;
    return larger;
}

void ln_emit_text(ln_spice *spice, ln_element *element, const char *name, const char *value) {
    ln_attribute *attributes = value != NULL ? grow(spice, element, name, 1) : NULL;
    if (attributes != NULL)
        attributes[element->nattributes++] = (ln_attribute){interned(spice, name), value};
}

void ln_emit_all(ln_spice *spice, ln_element *element, const ln_attribute *attributes, int count) {
    ln_attribute *all = count > 0 ? grow(spice, element, attributes[0].name, count) : NULL;
    if (all == NULL)
        return;
    memcpy(all + element->nattributes, attributes, (size_t)count * sizeof *attributes);
    element->nattributes += count;
}

/* Numbers pass through text as the shortest digits that read back to the same double
 * (ln_number_format), so that a model made from a deck and the same model written as XML give the
 * same bits. */
void ln_emit_number(ln_spice *spice, ln_element *element, const char *name, double value) {
    char digits[32];
    ln_number_format(digits, value);
    const char *text = ln_arena_string(spice->arena, digits);
    if (text == NULL)
        ln_spice_no_memory(spice);
    ln_emit_text(spice, element, name, text);
}
