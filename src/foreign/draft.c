/* SPDX-License-Identifier: MIT */
/* Elements, their names and texts, in one arena. */
#include "foreign/draft.h"

#include "base/sys.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void no_memory(ln_draft *draft) {
    if (draft->status != LINNET_MEMORY)
        draft->status = ln_no_memory(draft->report);
}

void ln_draft_begin(ln_draft *draft, ln_arena *arena, const char *file, const char *system,
                    ln_report *report) {
    *draft = (ln_draft){.arena = arena, .report = report, .system = system};
    draft->nowhere.attributes = draft->nothing;
    draft->file = ln_draft_text(draft, "%s", file);
    draft->interned = ln_draft_map(draft);
    draft->types = ln_draft_map(draft);
    draft->variables = ln_draft_map(draft);
}

void ln_draft_end(ln_draft *draft) {
    for (size_t k = 0; k < draft->nmaps; k++)
        ln_map_free(draft->maps[k]);
    ln_sys->release((void *)draft->maps);
    ln_sys->release((void *)draft->names);
}

void ln_draft_error(ln_draft *draft, int line, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    ln_error(draft->report, (ln_place){draft->file, line, 0}, "%s", text);
    if (draft->status == LINNET_OK)
        draft->status = LINNET_MODEL;
}

void *ln_draft_alloc(ln_draft *draft, size_t count, size_t size) {
    void *memory = ln_arena_alloc(draft->arena, count, size);
    if (memory == NULL)
        no_memory(draft);
    return memory;
}

const char *ln_draft_text(ln_draft *draft, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length >= 0 ? ln_draft_alloc(draft, (size_t)length + 1, 1) : NULL;
    if (text != NULL)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text != NULL ? text : "";
}

const char *ln_draft_keep(ln_draft *draft, ln_text *text) {
    const char *copy = "";
    if (text->failed)
        no_memory(draft);
    else if (text->data != NULL)
        copy = ln_draft_text(draft, "%s", text->data);
    ln_text_free(text);
    return copy;
}

ln_map *ln_draft_map(ln_draft *draft) {
    ln_map *map = ln_map_new();
    if (map == NULL || !LN_GROW(draft->maps, draft->nmaps, draft->map_room)) {
        ln_map_free(map);
        return no_memory(draft), NULL;
    }
    return draft->maps[draft->nmaps++] = map;
}

static const char *interned(ln_draft *draft, const char *name) {
    const int index = ln_draft_enter(draft, draft->interned, name, (int)draft->nnames);
    if (index >= 0 && (size_t)index < draft->nnames)
        return draft->names[index];
    if (index < 0 || !LN_GROW(draft->names, draft->nnames, draft->name_room))
        return no_memory(draft), name;
    return draft->names[draft->nnames++] = name;
}

ln_element *ln_draft_add(ln_draft *draft, ln_nest *nest, const char *name, int line, int room) {
    ln_element *element =
        draft->status != LINNET_MEMORY ? ln_draft_alloc(draft, 1, sizeof *element) : NULL;
    ln_attribute *attributes =
        element != NULL ? ln_draft_alloc(draft, (size_t)room, sizeof *attributes) : NULL;
    if (attributes == NULL)
        return &draft->nowhere;
    *element = (ln_element){
        .name = interned(draft, name), .file = draft->file, .line = line, .attributes = attributes};
    if (nest == NULL)
        return element;
    if (nest->last != NULL)
        nest->last->next = element;
    else
        nest->element->first = element;
    return nest->last = element;
}

void ln_draft_put(ln_draft *draft, ln_element *element, const char *name, const char *value) {
    if (value == NULL || element == &draft->nowhere || draft->status == LINNET_MEMORY)
        return;
    ln_attribute *attributes = (ln_attribute *)element->attributes;
    attributes[element->nattributes++] = (ln_attribute){interned(draft, name), value};
}

const char *ln_draft_name(ln_draft *draft, const char *name) {
    ln_text text = {0};
    if (name[0] >= '0' && name[0] <= '9')
        ln_text_add(&text, "n");
    for (const char *c = name + (name[0] == '\\'); *c != '\0'; c++)
        if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
            (*c == '-' && c > name))
            ln_text_add_bytes(&text, c, 1);
        else if ((*c & 0xC0) != 0x80) /* once for a character of many bytes */
            ln_text_add(&text, "_");
    if (text.length == 0)
        ln_text_add(&text, "x");
    return ln_draft_keep(draft, &text);
}

int ln_draft_enter(ln_draft *draft, ln_map *map, const char *key, int value) {
    const int first = ln_map_put(map, key, value);
    if (first < 0)
        no_memory(draft);
    return first;
}

const char *ln_draft_unique(ln_draft *draft, ln_map *taken, const char *name) {
    const char *candidate = name;
    int last = 1, free = 1; /* a number that is taken, and one behind it that is not */
    if (taken == NULL)
        return candidate;
    while (ln_map_get(taken, candidate) >= 0 && draft->status == LINNET_OK) {
        last = free;
        candidate = ln_draft_text(draft, "%s_%d", name, free *= 2);
    }
    while (free - last > 1) {
        const int middle = last + (free - last) / 2;
        const char *other = ln_draft_text(draft, "%s_%d", name, middle);
        if (ln_map_get(taken, other) >= 0)
            last = middle;
        else
            free = middle, candidate = other;
    }
    (void)ln_draft_enter(draft, taken, candidate, 1);
    return candidate;
}
