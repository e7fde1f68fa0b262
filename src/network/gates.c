/* SPDX-License-Identifier: MIT */
/* Enabled components and blocks: `enable="signal"` on an element, with `states` and `outputs` to choose what they do.
 *
 * While elements are flattened, gates are read and kept with the instances they concern; a component hands its own
 * and those around it to all that stands inside. Once all is scalar, each such instance gets the class with gates in
 * place of its own (blocks/gate.h), whose further inputs join the enabling signals. In a flat model the three are
 * lists. */
#include "network/flatten.h"

#include <string.h>

static int same_as(const char *attribute, const char *which) { return strcmp(attribute, which) == 0; }

/* A port or parameter of the kind's own comes first. */
static int is_own(const ln_kind *kind, const char *name) {
    if (ln_port_find(kind->ports, kind->nports, name) >= 0) return 1;
    if (kind->type->face != NULL) return ln_param_find(kind, name) >= 0;
    const ln_body *body = &kind->type->definition->body;
    for (int i = 0; i < body->nparameters; i++)
        if (same_as(ln_attribute_of(body->parameters[i], "name"), name)) return 1;
    return 0;
}

int ln_is_gate_attribute(const ln_kind *kind, const ln_element *element, const char *name) {
    if (!same_as(name, "enable") && !same_as(name, "states") && !same_as(name, "outputs")) return 0;
    return !is_own(kind, name) && ln_attribute_of(element, "enable") != NULL && !is_own(kind, "enable");
}

/* The word number `index` of a choice, "hold" where there is none. 1 for "reset". */
static char resets(ln_build *build, const ln_kind *kind, const ln_element *element, const char *name,
                   const char *attribute, int index) {
    const char *at = is_own(kind, attribute) ? NULL : ln_attribute_of(element, attribute);
    for (; at != NULL; index--) {
        at += strspn(at, " \t\r\n,");
        size_t length = ln_word_length(at);
        if (length == 0) break;
        const int reset = length == 5 && strncmp(at, "reset", 5) == 0;
        if (!reset && !(length == 4 && strncmp(at, "hold", 4) == 0)) {
            LN_WRONG(build, ln_place_of(element), "%s (%s): %s=\"%.*s\" is none; it must be hold or reset", name,
                     kind->element, attribute, (int)length, at);
            break;
        }
        if (index == 0) return (char)reset;
        at += length;
    }
    return 0;
}

int ln_read_gates(ln_build *build, ln_level *level, const ln_kind *kind, const ln_element *element, const char *name,
                  const ln_gates **gates) {
    static const linnet_port input = {"enable", LINNET_SIGNAL, LINNET_INPUT, NULL};
    *gates = level->gates;
    const char *text = is_own(kind, "enable") ? NULL : ln_attribute_of(element, "enable");
    if (text == NULL) return 1;
    text = ln_spell(build, level, text, ln_place_of(element));
    if (text == NULL) return build->status != LINNET_MEMORY;
    for (int index = 0;; index++) {
        text += strspn(text, " \t\r\n,");
        size_t length = ln_word_length(text);
        if (length == 0 && index > 0) return 1;
        const char *signal = ln_arena_text(build->network->arena, text, length);
        ln_gates *gate = LN_NEW(build->scratch, ln_gates, 1);
        if (signal == NULL || gate == NULL) return ln_build_failed(build);
        const int link = ln_named_link(build, level, &input, signal, element, name);
        if (build->status == LINNET_MEMORY) return 0;
        if (link < 0) return 1;
        *gate = (ln_gates){*gates, element, signal, link,
                           {resets(build, kind, element, name, "states", index),
                            resets(build, kind, element, name, "outputs", index)}};
        *gates = gate;
        text += length;
    }
}

/* ---- afterwards ---- */

/* Physical blocks cannot have gates. */
static int is_physical(ln_build *build, const ln_raw_instance *it) {
    const linnet_block_class *class = it->class;
    const ln_gates *gate = it->gates;
    int physical = -1;
    for (int j = 0; physical < 0 && j < class->nports; j++)
        if (class->ports[j].domain != LINNET_SIGNAL) physical = j;
    if (physical >= 0)
        LN_WRONG(build, ln_place_of(it->element),
                 "%s (%s): it is to be switched by '%s' (line %d), but port '%s' is physical, and what flows there "
                 "cannot be held; enable signals only, and switch with a switch",
                 it->name, class->name, gate->signal, gate->element->line, class->ports[physical].name);
    return physical >= 0;
}

static int push(ln_build *build, int link, signed char arrow) {
    const size_t at = build->nport_links;
    if (!LN_GROW(build->port_link, at, build->port_links_room) ||
        !LN_GROW(build->port_arrow, at, build->port_arrows_room))
        return ln_build_failed(build);
    build->port_link[at] = link;
    build->port_arrow[at] = arrow;
    build->nport_links++;
    return 1;
}

/* Its ports' links once more, and those of the gates behind them, the outermost first. */
static int join_gates(ln_build *build, ln_raw_instance *it, const linnet_block_class *gated, int ngates) {
    const int first = (int)build->nport_links, nports = it->class->nports;
    for (int j = 0; j < nports; j++) {
        if (!push(build, build->port_link[it->first + j], build->port_arrow[it->first + j])) return 0;
        build->port_link[it->first + j] = -1; /* moved */
    }
    for (int k = 0; k < ngates; k++)
        if (!push(build, -1, 0)) return 0;
    int at = ngates;
    for (const ln_gates *gate = it->gates; gate != NULL; gate = gate->outer) {
        const int link = ln_raw_root(build, gate->link);
        if (link >= 0 && (build->links[link].flags & LN_RAW_VECTOR))
            LN_WRONG(build, ln_place_of(gate->element),
                     "enable=\"%s\" is a vector; a signal that is one number enables", gate->signal);
        build->port_link[first + nports + --at] = link;
    }
    it->first = first;
    it->class = gated;
    return 1;
}

/* What the gates choose, as a flat model says it. */
static int add_texts(ln_build *build, ln_raw_instance *it, const ln_gate *gates, int ngates) {
    ln_text words[2] = {{0}, {0}};
    int count = 0;
    for (int k = 0; k < ngates; k++) {
        ln_text_printf(&words[0], "%s%s", k > 0 ? " " : "", gates[k].resets_states ? "reset" : "hold");
        ln_text_printf(&words[1], "%s%s", k > 0 ? " " : "", gates[k].resets_outputs ? "reset" : "hold");
    }
    while (it->texts != NULL && it->texts[count] != NULL) count += 2;
    const char **texts = LN_NEW(build->network->arena, const char *, count + 5);
    int good = texts != NULL && !words[0].failed && !words[1].failed;
    for (int k = 0; good && k < count; k++) texts[k] = it->texts[k];
    for (int k = 0; good && k < 2; k++) {
        texts[count + 2 * k] = k == 0 ? "states" : "outputs";
        texts[count + 2 * k + 1] = ln_arena_string(build->network->arena, words[k].data);
        good = texts[count + 2 * k + 1] != NULL;
    }
    ln_text_free(&words[0]);
    ln_text_free(&words[1]);
    it->texts = texts;
    return good || ln_build_failed(build);
}

static int open_gates(ln_build *build, ln_raw_instance *it) {
    int ngates = 0;
    for (const ln_gates *gate = it->gates; gate != NULL; gate = gate->outer) ngates++;
    ln_gate *gates = LN_NEW(build->scratch, ln_gate, ngates);
    if (gates == NULL) return ln_build_failed(build);
    int at = ngates;
    for (const ln_gates *gate = it->gates; gate != NULL; gate = gate->outer) gates[--at] = gate->gate;
    const linnet_block_class *gated = NULL;
    if (is_physical(build, it)) return 1;
    linnet_status status =
        ln_catalogue_gated(build->network->catalogue, it->class, gates, ngates, build->report, &gated);
    if (status != LINNET_OK) build->status = status;
    if (status != LINNET_OK) return status == LINNET_MODEL;
    if (gated == NULL) {
        LN_WRONG(build, ln_place_of(it->element),
                 "%s (%s): it is to be switched by '%s' (line %d), which a type in C cannot be; move it out of what is "
                 "enabled", it->name, it->class->name, it->gates->signal, it->gates->element->line);
        return 1;
    }
    return join_gates(build, it, gated, ngates) && add_texts(build, it, gates, ngates);
}

int ln_open_gates(ln_build *build) {
    for (size_t i = 0; i < build->ninstances; i++)
        if (build->instances[i].gates != NULL && build->instances[i].class != NULL &&
            !open_gates(build, &build->instances[i]))
            return 0;
    return build->status == LINNET_OK;
}
