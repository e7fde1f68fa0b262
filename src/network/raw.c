/* SPDX-License-Identifier: MIT */
/* What all steps of flattening share: names of ids under the prefix of their level, raw links
 * behind their other names, the ports of raw instances. */
#include "network/flatten.h"

#include <string.h>

int ln_build_failed(ln_build *build) {
    build->status = ln_no_memory(build->report);
    return 0;
}

/* The length of indices "[3]" or "[2,1]" at the start of the text, 0 if there are none. */
static size_t indices_length(const char *text) {
    size_t length = 0;
    if (text[0] != '[')
        return 0;
    do {
        length++; /* the bracket or comma */
        length += text[length] == '-';
        size_t digits = strspn(text + length, "0123456789");
        if (digits == 0)
            return 0;
        length += digits;
    } while (text[length] == ',');
    return text[length] == ']' ? length + 1 : 0;
}

int ln_is_id(const ln_build *build, const char *text) {
    if (build->network->model->flat)
        return text[0] != '\0' && text[ln_word_length(text)] == '\0';
    return text[0] != '\0' && text[ln_id_length(text)] == '\0';
}

size_t ln_id_length(const char *text) {
    size_t length = 0;
    for (;; length++) {
        char c = text[length];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '_' || c == '-'))
            return length == 0 ? 0 : length + indices_length(text + length);
    }
}

const char *ln_full_name(ln_build *build, const ln_level *level, const char *name, size_t length) {
    if (level->prefix_length == 0 && name[length] == '\0')
        return name;
    build->name.length = 0;
    ln_text_add_bytes(&build->name, level->prefix, level->prefix_length);
    ln_text_add_bytes(&build->name, name, length);
    if (build->name.failed)
        ln_build_failed(build);
    return build->name.failed ? NULL : build->name.data;
}

ln_besides *ln_raw_besides(ln_build *build, ln_raw_instance *instance) {
    ln_besides *besides = LN_NEW(build->network->arena, ln_besides, 1);
    if (besides != NULL && instance->besides != NULL)
        *besides = *instance->besides;
    if (besides != NULL)
        instance->besides = besides;
    return besides;
}

int ln_raw_root(const ln_build *build, int link) {
    while (link >= 0 && build->links[link].same_as >= 0)
        link = build->links[link].same_as;
    return link;
}

ln_place ln_raw_place(const ln_build *build, int link) {
    return ln_place_of(build->links[link].element);
}

const linnet_port *ln_raw_ports(const ln_raw_instance *instance, int *nports) {
    const int late = instance->class == NULL && instance->vector_block != NULL;
    *nports = late                      ? instance->vector_block->nports
              : instance->class == NULL ? 0
                                        : instance->class->nports;
    return late                      ? instance->vector_block->ports
           : instance->class == NULL ? NULL
                                     : instance->class->ports;
}
