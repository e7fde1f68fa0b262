/* SPDX-License-Identifier: MIT */
/* Memories and events of a <block-type>: <memory>, <when> with its <set>, <stop> and <fail>, and
 * <assert>.
 *
 * sample(period, offset, clock) in a condition makes memories, the number of the next sample and
 * the count of the clock. A condition that is a sample alone sets it on itself; in a larger one the
 * sample gets an event of its own that does nothing else, so that it goes on whether or not the
 * rest holds. */
#include "base/text.h"
#include "blocks/type_reader.h"

#include <string.h>

/* ---- memories ---- */

typedef struct memory_element {
    linnet_memory memory;
    ln_dimension dimension;
    int counts; /* ln_memory.counts */
    int errors;
} memory_element;

static int add_memory(ln_type_reader *r, const ln_element *element, const char *name,
                      void *context) {
    const memory_element *like = context;
    const ln_names names = ln_type_names_resolver(r->names, LN_VIEW_START);
    const char *text = r->errors > like->errors ? NULL : ln_attribute_of(element, "start");
    ln_value start = {.node = LN_NONE};
    linnet_memory memory = like->memory;
    memory.name = name;
    if (text != NULL && ln_type_lower(r, text, &names, ln_place_of(element), &start))
        ln_type_check_fit(r, like->dimension, start.dimension, ln_place_of(element), "the start of",
                          name);
    ln_node node = ln_add_memory(r->e, memory, start.node);
    if (!r->e->failed)
        r->e->memories[r->e->nmemories - 1].counts = like->counts;
    ln_type_names_add(r->names, name, LN_NAME_MEMORY, node, like->dimension);
    return !r->e->failed;
}

void ln_type_memory(ln_type_reader *r, const ln_element *element) {
    ln_array array;
    if (!ln_type_array(r, element, &array))
        return;
    const char *name = ln_name_of(element);
    const ln_dimension dimension = ln_type_unit(r, element, name, 1).dimension;
    linnet_memory memory = {name, ln_attribute_of(element, "unit"),
                            ln_attribute_of(element, "doc")};
    ln_type_each_element(
        r, element, &array, add_memory,
        &(memory_element){memory, dimension, ln_type_yes(r, element, "counts"), r->errors});
}

/* ---- conditions ---- */

enum { SAMPLES = 16 };

typedef struct condition {
    ln_type_reader *r;
    ln_place place;
    ln_sample sample[SAMPLES];
    int nsamples;
} condition;

static ln_node make_sample(void *context, ln_node period, ln_node offset, ln_node clock,
                           int column) {
    condition *parsed = context;
    const unsigned parametric = 1u << LN_LEAF_PARAMETER;
    ln_graph *g = parsed->r->e->graph;
    const ln_place place = {parsed->place.file, parsed->place.line, column};
    if ((ln_depends(g, period) | ln_depends(g, offset)) & ~parametric) {
        ln_error(parsed->r->report, place,
                 "period and offset of sample() are made of parameters; for times that change, "
                 "keep the next one in a <memory> and write t ge next");
        return LN_NONE;
    }
    if (clock == LN_NONE && ln_node_op(g, period) == LN_OP_CONSTANT &&
        !(ln_node_value(g, period) > 0)) {
        ln_error(parsed->r->report, place, "the period of sample() is %g; it must be above zero",
                 ln_node_value(g, period));
        return LN_NONE;
    }
    if (parsed->nsamples == SAMPLES) {
        ln_error(parsed->r->report, place, "more than %d samples in one condition", SAMPLES);
        return LN_NONE;
    }
    ln_sample *sample = &parsed->sample[parsed->nsamples++];
    *sample = ln_add_sample(parsed->r->e, period, offset, clock);
    if (sample->condition == LN_NONE)
        (void)ln_no_memory(parsed->r->report);
    return sample->condition;
}

/* 1 when the node can hold only while one of the samples does: a sample, or `and` with one. */
static int needs_sample(const condition *parsed, ln_node node) {
    const ln_graph *g = parsed->r->e->graph;
    for (;; node = ln_node_arg(g, node, 0)) {
        ln_node last = ln_node_op(g, node) == LN_OP_AND ? ln_node_arg(g, node, 1) : node;
        for (int k = 0; k < parsed->nsamples; k++)
            if (parsed->sample[k].condition == last)
                return 1;
        if (last == node)
            return 0;
    }
}

/* Does the event set a memory that counts samples? It is one then, as if by sample(). */
static int counts(const ln_equations *e, int event) {
    int index;
    for (size_t k = 0; k < e->nsets; k++)
        if (e->sets[k].event == event &&
            ln_node_leaf(e->graph, e->sets[k].target, &index) == LN_LEAF_MEMORY &&
            e->memories[index].counts)
            return 1;
    return 0;
}

/* The counters of the samples go on. index: of the event, whose sets are read. */
static void advance(const condition *parsed, ln_event event, int index) {
    ln_equations *e = parsed->r->e;
    if (!e->failed)
        e->events[index].quiet |= counts(e, index);
    for (int k = 0; k < parsed->nsamples; k++) {
        const ln_sample *sample = &parsed->sample[k];
        if (parsed->nsamples > 1 || event.condition != sample->condition) {
            ln_event own = {.event = {"sample", sample->clock != LN_NONE ? LINNET_JOINS : 0, NULL},
                            .condition = sample->condition,
                            .quiet = 1,
                            .place = event.place};
            index = ln_add_event(e, own);
        }
        ln_end_sample(e, sample, index);
    }
}

/* ---- what an event does ---- */

/* What is wrong with a name that is to be set, or NULL. */
static const char *not_settable(const ln_type_reader *r, ln_node target) {
    const ln_equations *e = r->e;
    int index;
    if (ln_node_op(e->graph, target) != LN_OP_LEAF)
        return "a <let> or number";
    switch (ln_node_leaf(e->graph, target, &index)) {
    case LN_LEAF_MEMORY: return NULL;
    case LN_LEAF_PARAMETER: return "a parameter";
    case LN_LEAF_UNKNOWN: break;
    default: return "the time";
    }
    if (index >= LN_FLUX)
        return "a flux";
    /* a potential */
    if (index < (int)e->nports && e->ports[index].domain != LINNET_SIGNAL)
        return NULL;
    if (index < (int)e->nports)
        return e->ports[index].flags & LINNET_OUTPUT ? "an output" : "an input";
    return e->variables[index - (int)e->nports].var.flags & LINNET_START_FIXED ? NULL
                                                                               : "a <variable>";
}

static int add_set(ln_type_reader *r, const ln_element *element, void *context) {
    const int event = *(const int *)context;
    const ln_event_names before = {1, NULL, NULL};
    const ln_names names = ln_type_names_resolver(r->names, LN_VIEW_ALL);
    ln_names value_names = names;
    const char *name = ln_name_of(element);
    ln_value target, value;
    value_names.events = &before;
    if (!ln_type_lower(r, name, &names, ln_place_of(element), &target) ||
        !ln_type_lower(r, ln_attribute_of(element, "value"), &value_names, ln_place_of(element),
                       &value))
        return 0;
    const char *wrong = not_settable(r, target.node);
    if (wrong != NULL) {
        ln_error(r->report, ln_place_of(element),
                 "<set> cannot change '%s', which is %s; it takes a <memory>, a <state> or "
                 "a port's potential",
                 name, wrong);
        return 0;
    }
    ln_type_check_fit(r, target.dimension, value.dimension, ln_place_of(element), "<set>", name);
    ln_add_set(r->e, (ln_set){event, target.node, value.node});
    return !r->e->failed;
}

static void read_ending(const ln_element *element, linnet_event *event) {
    for (const ln_element *child = element->first; child != NULL; child = child->next) {
        if (strcmp(child->name, "set") == 0)
            continue;
        event->flags |= strcmp(child->name, "stop") == 0 ? LINNET_ENDS : LINNET_FAILS;
        event->message = ln_attribute_of(child, "message");
    }
    if (strcmp(element->name, "assert") != 0)
        return;
    event->flags |= LINNET_FAILS | LINNET_TICK; /* false at the start, it fails there */
    event->message = ln_attribute_of(element, "message");
}

/* Its name, or its condition with the indices. */
static const char *event_name(ln_type_reader *r, const ln_element *element) {
    const char *name = ln_name_of(element),
               *text = name != NULL ? name : ln_attribute_of(element, "condition");
    if (name == NULL && strcmp(element->name, "assert") == 0)
        text = ln_arena_printf(r->e->arena, "not (%s)", text);
    if (r->unroll.nindices > 0 && text != NULL) {
        const char *indices = ln_unroll_indices(&r->unroll, r->e->arena);
        text = indices == NULL ? NULL : ln_arena_printf(r->e->arena, "%s (%s)", text, indices);
    }
    if (text == NULL)
        r->e->failed = 1;
    return text;
}

/* Is it true or false? A number that varies is neither: when it is not zero says nothing, and no
 * crossing could be seen. */
static int is_truth(const ln_graph *g, ln_node node) {
    if ((ln_depends(g, node) & (1u << LN_LEAF_UNKNOWN | 1u << LN_LEAF_TIME)) == 0)
        return 1;
    const ln_node a = ln_node_arg(g, node, 0);
    switch (ln_node_op(g, node)) {
    case LN_OP_LT:
    case LN_OP_LE:
    case LN_OP_EQ: return 1;
    case LN_OP_NOT:
    case LN_OP_NOEVENT:
    case LN_OP_PRE: return is_truth(g, a);
    case LN_OP_AND:
    case LN_OP_OR: return is_truth(g, a) && is_truth(g, ln_node_arg(g, node, 1));
    case LN_OP_IF:
        return is_truth(g, ln_node_arg(g, node, 1)) && is_truth(g, ln_node_arg(g, node, 2));
    default: return 0;
    }
}

static int add_event(ln_type_reader *r, const ln_element *element, void *context) {
    condition made = {.r = r, .place = ln_place_of(element)};
    const ln_event_names samples = {0, make_sample, &made};
    ln_names names = ln_type_names_resolver(r->names, LN_VIEW_ALL);
    ln_event event = {.event = {event_name(r, element), 0, NULL}, .place = ln_place_of(element)};
    ln_value value;
    (void)context;
    names.events = &samples;
    if (!ln_type_lower(r, ln_attribute_of(element, "condition"), &names, event.place, &value))
        return 0;
    if (!ln_dimension_fits(value.dimension, ln_dimension_none)) {
        char text[64];
        ln_dimension_text(value.dimension, text);
        ln_error(r->report, event.place, "the condition of <%s> is a comparison, not %s",
                 element->name, text);
        return 0;
    }
    if (!ln_graph_failed(r->e->graph) && !is_truth(r->e->graph, value.node)) {
        ln_error(r->report, event.place,
                 "the condition \"%.60s\" of <%s> is a number; compare it, \"... gt 0\"",
                 ln_attribute_of(element, "condition"), element->name);
        return 0;
    }
    for (int k = 0; k < made.nsamples; k++)
        if (made.sample[k].clock != LN_NONE)
            event.event.flags |= LINNET_JOINS;
    if (strcmp(element->name, "when") == 0 && ln_type_yes(r, element, "together"))
        event.event.flags |= LINNET_JOINS;
    read_ending(element, &event.event);
    event.condition = value.node;
    if (strcmp(element->name, "assert") == 0)
        event.condition = ln_operation(r->e->graph, LN_OP_NOT, value.node, LN_NONE, LN_NONE);
    event.quiet = needs_sample(&made, event.condition);
    int index = ln_add_event(r->e, event), good = 1;
    for (const ln_element *child = element->first; child != NULL && good && !r->e->failed;
         child = child->next)
        if (strcmp(child->name, "set") == 0)
            good = ln_type_repeat(r, child, add_set, &index);
    advance(&made, event, index);
    return good && !r->e->failed;
}

void ln_type_event(ln_type_reader *r, const ln_element *element) {
    r->errors += !ln_type_repeat(r, element, add_event, NULL);
}

/* ---- as text ---- */

void ln_type_event_text(const ln_element *element, ln_text *text) {
    const char *between = ": ";
    if (strcmp(element->name, "assert") == 0) {
        ln_text_printf(text, "assert %s", ln_attribute_of(element, "condition"));
        ln_type_ranges_text(element, text);
        return;
    }
    ln_text_printf(text, "when %s", ln_attribute_of(element, "condition"));
    ln_type_ranges_text(element, text);
    for (const ln_element *child = element->first; child != NULL;
         child = child->next, between = ", ") {
        ln_text_add(text, between);
        if (strcmp(child->name, "set") != 0) {
            ln_text_add(text, child->name);
            continue;
        }
        ln_text_printf(text, "%s = %s", ln_name_of(child), ln_attribute_of(child, "value"));
        ln_type_ranges_text(child, text);
    }
}
