/* SPDX-License-Identifier: MIT */
/* Enabled and triggered components and blocks: `enable="signal"` on an element, with `states` and
 * `outputs` to choose what they do, and `trigger="signal"` with `edge`.
 *
 * While elements are flattened, enables are read and kept with the instances they concern; a
 * component hands its own and those around it to all that stands inside. Once all is scalar, each
 * such instance gets the class with enables in place of its own (blocks/enable.h), whose further
 * inputs join the enabling signals. In a flat model the three are lists. */
#include "network/flatten.h"

#include "blocks/equations.h"
#include <string.h>

static int same_as(const char *attribute, const char *which) {
    return strcmp(attribute, which) == 0;
}

int ln_is_own_attribute(const ln_kind *kind, const char *name) {
    if (ln_port_find(kind->ports, kind->nports, name) >= 0)
        return 1;
    if (kind->type->face != NULL)
        return ln_param_find(kind, name) >= 0;
    const ln_body *body = &kind->type->definition->body;
    for (int i = 0; i < body->nparameters; i++)
        if (same_as(ln_attribute_of(body->parameters[i], "name"), name))
            return 1;
    return 0;
}

int ln_is_enable_attribute(const ln_kind *kind, const ln_element *element, const char *name) {
    static const char *const names[][2] = {{"enable", "enable"},
                                           {"states", "enable"},
                                           {"outputs", "enable"},
                                           {"trigger", "trigger"},
                                           {"edge", "trigger"}};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (same_as(name, names[k][0]))
            return !ln_is_own_attribute(kind, name) &&
                   ln_attribute_of(element, names[k][1]) != NULL &&
                   !ln_is_own_attribute(kind, names[k][1]);
    return 0;
}

/* The word number `index` of a choice, "hold" where there is none. 1 for "reset". */
static char resets(ln_build *build, const ln_kind *kind, const ln_element *element,
                   const char *name, const char *attribute, int index) {
    const char *at =
        ln_is_own_attribute(kind, attribute) ? NULL : ln_attribute_of(element, attribute);
    for (; at != NULL; index--) {
        at += strspn(at, " \t\r\n,");
        size_t length = ln_word_length(at);
        if (length == 0)
            break;
        const int reset = length == 5 && strncmp(at, "reset", 5) == 0;
        if (!reset && !(length == 4 && strncmp(at, "hold", 4) == 0)) {
            LN_WRONG(build, ln_place_of(element),
                     "%s (%s): %s=\"%.*s\" is none; it must be hold or reset", name, kind->element,
                     attribute, (int)length, at);
            break;
        }
        if (index == 0)
            return (char)reset;
        at += length;
    }
    return 0;
}

/* The next name in a list of signals; *rest moves on. NULL: memory is short. */
static const char *next_name(ln_build *build, const char **rest) {
    const char *text = *rest + strspn(*rest, " \t\r\n,");
    const size_t length = ln_word_length(text);
    *rest = text + length;
    return ln_arena_text(build->network->arena, text, length);
}

/* Keeps an enable, joined to the link of its signal, which the attribute names. NULL: an error. */
static ln_enables *add_enable(ln_build *build, ln_level *level, const char *attribute,
                              ln_enables enable) {
    const linnet_port input = {attribute, LINNET_SIGNAL, LINNET_INPUT, NULL};
    ln_enables *made = LN_NEW(build->scratch, ln_enables, 1);
    if (enable.signal == NULL || made == NULL) {
        (void)ln_build_failed(build);
        return NULL;
    }
    enable.link = ln_named_link(build, level, &input, enable.signal, enable.element, enable.name);
    if (enable.link < 0)
        return NULL;
    *made = enable;
    return made;
}

/* The text of an attribute that is none of the kind's own, with indices spelled out, or NULL. */
static const char *read_list(ln_build *build, const ln_level *level, const ln_kind *kind,
                             const ln_element *element, const char *attribute) {
    const char *text = ln_attribute_of(element, attribute);
    return text == NULL || ln_is_own_attribute(kind, attribute)
               ? NULL
               : ln_spell(build, level, text, ln_place_of(element));
}

static ln_trigger_edge read_edge(ln_build *build, const ln_kind *kind, const ln_element *element,
                                 const char *name) {
    static const char *const edges[] = {"rising", "falling", "both"};
    const char *text = ln_is_own_attribute(kind, "edge") ? NULL : ln_attribute_of(element, "edge");
    int k = 0;
    while (text != NULL && k < 3 && !same_as(text, edges[k]))
        k++;
    if (k < 3)
        return (ln_trigger_edge)k;
    LN_WRONG(build, ln_place_of(element),
             "%s (%s): edge=\"%s\" is none; it must be rising, falling or both", name,
             kind->element, text);
    return LN_EDGE_RISING;
}

static int read_trigger(ln_build *build, ln_level *level, const ln_kind *kind,
                        const ln_element *element, const char *name, const ln_enables **enables) {
    const char *text = read_list(build, level, kind, element, "trigger");
    if (text == NULL)
        return build->status != LINNET_MEMORY;
    for (const ln_enables *outer = *enables; outer != NULL; outer = outer->outer)
        if (outer->triggers) {
            LN_WRONG(build, ln_place_of(element),
                     "%s (%s): it stands in what '%s' triggers (line %d) and is triggered "
                     "itself; remove one of them",
                     name, kind->element, outer->signal, outer->element->line);
            return 1;
        }
    ln_enables *made = add_enable(build, level, "trigger",
                                  (ln_enables){.outer = *enables,
                                               .element = element,
                                               .name = name,
                                               .signal = next_name(build, &text)});
    if (made == NULL)
        return build->status != LINNET_MEMORY;
    made->triggers = 1;
    made->edge = read_edge(build, kind, element, name);
    *enables = made;
    return 1;
}

int ln_read_enables(ln_build *build, ln_level *level, const ln_kind *kind,
                    const ln_element *element, const char *name, const ln_enables **enables) {
    *enables = level->enables;
    const char *text = read_list(build, level, kind, element, "enable");
    for (int index = 0; text != NULL && (index == 0 || text[strspn(text, " \t\r\n,")] != '\0');
         index++) {
        ln_enables *made = add_enable(build, level, "enable",
                                      (ln_enables){.outer = *enables,
                                                   .element = element,
                                                   .name = name,
                                                   .signal = next_name(build, &text)});
        if (made == NULL)
            break;
        *enables = made;
        made->enable.resets_states = resets(build, kind, element, name, "states", index);
        made->enable.resets_outputs = resets(build, kind, element, name, "outputs", index);
    }
    return build->status != LINNET_MEMORY &&
           read_trigger(build, level, kind, element, name, enables);
}

/* ---- afterwards ---- */

/* Physical blocks cannot have enables. */
static int is_physical(ln_build *build, const ln_raw_instance *raw) {
    const linnet_block_class *class = raw->class;
    const ln_enables *enable = raw->enables;
    int physical = -1;
    for (int j = 0; physical < 0 && j < class->nports; j++)
        if (class->ports[j].domain != LINNET_SIGNAL)
            physical = j;
    if (physical >= 0)
        LN_WRONG(build, ln_place_of(raw->element),
                 "%s (%s): it is to be switched or triggered by '%s' (line %d), but port '%s' is "
                 "physical, and what "
                 "flows there cannot be held; enable signals only, and switch with a switch",
                 raw->name, class->name, enable->signal, enable->element->line,
                 class->ports[physical].name);
    return physical >= 0;
}

/* Its ports' links once more, those of the enables' inputs behind them. */
static int join_inputs(ln_build *build, ln_raw_instance *raw, const ln_enables *const *inputs,
                       int count) {
    const int first = (int)build->nport_links, nports = raw->class->nports;
    for (int j = 0; j < nports; j++) {
        if (!ln_add_port_link(build, build->port_link[raw->first + j],
                              build->port_arrow[raw->first + j]))
            return 0;
        build->port_link[raw->first + j] = -1; /* moved */
    }
    for (int k = 0; k < count; k++) {
        const int link = ln_raw_root(build, inputs[k]->link);
        if (link >= 0 && (build->links[link].flags & LN_RAW_VECTOR))
            LN_WRONG(build, ln_place_of(inputs[k]->element),
                     "%s=\"%s\" is a vector; one number is wanted",
                     inputs[k]->triggers ? "trigger" : "enable", inputs[k]->signal);
        if (!ln_add_port_link(build, link, 0))
            return 0;
    }
    raw->first = first;
    return 1;
}

static const char *words(ln_build *build, const ln_enables *const *inputs, int count, int outputs) {
    ln_text text = {0};
    for (int k = 0; k < count; k++) {
        const int reset =
            outputs ? inputs[k]->enable.resets_outputs : inputs[k]->enable.resets_states;
        ln_text_printf(&text, "%s%s", k > 0 ? " " : "", reset ? "reset" : "hold");
    }
    const char *made = text.failed ? NULL : ln_arena_string(build->network->arena, text.data);
    ln_text_free(&text);
    return made;
}

/* Two more pairs for those who print the model; a name of NULL is left out. */
static int add_texts(ln_build *build, ln_raw_instance *raw, const char *const pair[4]) {
    ln_besides *besides = ln_raw_besides(build, raw);
    int count = 0;
    while (besides != NULL && besides->texts != NULL && besides->texts[count] != NULL)
        count += 2;
    const char **texts = LN_NEW(build->network->arena, const char *, count + 5);
    if (texts == NULL || besides == NULL)
        return ln_build_failed(build);
    for (int k = 0; k < count; k++)
        texts[k] = besides->texts[k];
    for (int k = 0; k < 4; k += 2) {
        if (pair[k] == NULL)
            continue;
        if (pair[k + 1] == NULL)
            return ln_build_failed(build);
        texts[count++] = pair[k];
        texts[count++] = pair[k + 1];
    }
    besides->texts = texts;
    return 1;
}

static void refuse(ln_build *build, const ln_raw_instance *raw, const ln_enables *enable,
                   const char *verb, const char *reason) {
    LN_WRONG(build, ln_place_of(raw->element),
             "%s (%s): it is to be %s by '%s' (line %d), which cannot be: %s; move it out",
             raw->name, raw->class->name, verb, enable->signal, enable->element->line, reason);
}

/* 0 ends the build; a refusal leaves the class as it is. */
static int trigger(ln_build *build, ln_raw_instance *raw, const ln_enables *by) {
    static const char *const edges[] = {"rising", "falling", "both"};
    const linnet_block_class *class;
    const char *reason;
    linnet_status status = ln_catalogue_triggered(build->network->catalogue, raw->class, by->edge,
                                                  build->report, &class, &reason);
    if (status != LINNET_OK)
        build->status = status;
    if (ln_port_find(raw->class->ports, raw->class->nports, "trigger") >= 0)
        reason = "it has a trigger of its own";
    if (status == LINNET_OK && reason != NULL)
        refuse(build, raw, by, "triggered", reason);
    if (build->status != LINNET_OK)
        return status == LINNET_OK || status == LINNET_MODEL;
    const char *const texts[4] = {"edge", edges[by->edge], NULL, NULL};
    if (!join_inputs(build, raw, &by, 1))
        return 0;
    raw->class = class;
    return add_texts(build, raw, texts);
}

/* Which components and blocks the enables are of. */
static int keep_enables(ln_build *build, ln_raw_instance *raw, const ln_enables *const *inputs,
                        int count) {
    const char **enabled_by = LN_NEW(build->network->arena, const char *, count + 1);
    ln_besides *besides = ln_raw_besides(build, raw);
    if (enabled_by == NULL || besides == NULL)
        return ln_build_failed(build);
    for (int k = 0; k < count; k++) {
        enabled_by[k] = ln_arena_string(build->network->arena, inputs[k]->name);
        if (enabled_by[k] == NULL)
            return ln_build_failed(build);
    }
    besides->enabled_by = enabled_by;
    return 1;
}

static int enable(ln_build *build, ln_raw_instance *raw, const ln_enables *const *inputs,
                  int count) {
    ln_enable *enables = LN_NEW(build->scratch, ln_enable, count);
    const linnet_block_class *class;
    if (enables == NULL)
        return ln_build_failed(build);
    for (int k = 0; k < count; k++)
        enables[k] = inputs[k]->enable;
    linnet_status status = ln_catalogue_enabled(build->network->catalogue, raw->class, enables,
                                                count, build->report, &class);
    if (status != LINNET_OK)
        build->status = status;
    const char *reason = class != NULL                            ? NULL
                         : ln_class_equations(raw->class) != NULL ? "it has a delay()"
                                                                  : "it is a type in C";
    if (ln_port_find(raw->class->ports, raw->class->nports, "enable") >= 0)
        reason = "it has a port 'enable' of its own";
    if (status == LINNET_OK && reason != NULL)
        refuse(build, raw, inputs[count - 1], "switched", reason);
    if (build->status != LINNET_OK)
        return status == LINNET_OK || status == LINNET_MODEL;
    if (!join_inputs(build, raw, inputs, count) || !keep_enables(build, raw, inputs, count))
        return 0;
    raw->class = class;
    const char *const texts[4] = {"states", words(build, inputs, count, 0), "outputs",
                                  words(build, inputs, count, 1)};
    return add_texts(build, raw, texts);
}

/* The trigger comes first: what it makes of the block is then switched like any other. */
static int open_enables(ln_build *build, ln_raw_instance *raw) {
    const ln_enables *by = NULL;
    int count = 0;
    if (is_physical(build, raw))
        return 1;
    for (const ln_enables *enable = raw->enables; enable != NULL; enable = enable->outer) {
        if (enable->triggers)
            by = enable;
        else
            count++;
    }
    const ln_enables **inputs = LN_NEW(build->scratch, const ln_enables *, count);
    if (inputs == NULL)
        return ln_build_failed(build);
    int at = count; /* the outermost first */
    for (const ln_enables *enable = raw->enables; enable != NULL; enable = enable->outer)
        if (!enable->triggers)
            inputs[--at] = enable;
    if (by != NULL && !trigger(build, raw, by))
        return 0;
    return count == 0 || build->status != LINNET_OK || enable(build, raw, inputs, count);
}

int ln_open_enables(ln_build *build) {
    for (size_t i = 0; i < build->ninstances; i++)
        if (build->instances[i].enables != NULL && build->instances[i].class != NULL &&
            !open_enables(build, &build->instances[i]))
            return 0;
    return build->status == LINNET_OK;
}
