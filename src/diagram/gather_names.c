/* SPDX-License-Identifier: MIT */
/* Names of links: indices spelled out, several names of one link brought together. */
#include "diagram/gather.h"

#include "base/sys.h"
#include "base/text.h"
#include <math.h>
#include <string.h>

/* ---- parameters and indices ---- */

static const char *setting(const ln_drawing_wish *wish, const char *name) {
    const char *value = NULL;
    for (int k = 0; k < wish->nsettings; k++)
        if (strcmp(wish->names[k], name) == 0)
            value = wish->values[k];
    return value;
}

static void declare(ln_gathering *g, ln_scope *scope, const ln_element *element,
                    const ln_element *instance, ln_scope *outer) {
    const char *name = ln_attribute_of(element, "name"), *type = ln_attribute_of(element, "type");
    const char *text = ln_attribute_of(element, instance == NULL ? "value" : "default");
    if (name == NULL)
        return;
    const char *given = instance != NULL ? ln_attribute_of(instance, name) : setting(g->wish, name);
    if (given != NULL)
        text = given;
    if (text == NULL)
        return;
    if ((type != NULL && strcmp(type, "text") == 0) || ln_attribute_of(element, "choices"))
        (void)ln_scope_add_text(scope, name, text);
    else
        (void)ln_scope_declare(
            scope, name, (ln_written){text, ln_attribute_of(element, "unit"), ln_place_of(element)},
            given != NULL && instance != NULL ? outer : scope, -INFINITY, INFINITY);
}

ln_scope *ln_scene_scope(ln_gathering *g, const ln_body *body, const ln_element *instance,
                         ln_scope *outer) {
    ln_scope *scope = ln_scope_new(g->arena, "", g->silent);
    for (int k = 0; scope != NULL && k < body->nparameters; k++)
        declare(g, scope, body->parameters[k], instance, outer);
    if (scope != NULL)
        (void)ln_scope_evaluate_all(scope);
    return scope;
}

/* The indices between brackets as numbers, behind `out`. 0: they cannot be told. */
static int spell_indices(ln_gathering *g, const ln_scene *scene, const char *text, size_t length,
                         ln_text *out) {
    size_t from = 0;
    while (from <= length) {
        size_t to = from;
        int depth = 0;
        while (to < length && (depth > 0 || text[to] != ',')) {
            depth += (text[to] == '(' || text[to] == '[') - (text[to] == ')' || text[to] == ']');
            to++;
        }
        const char *expression = ln_arena_text(g->arena, text + from, to - from);
        double value;
        if (expression == NULL ||
            ln_scope_value(scene->scope, expression, "", LN_NOWHERE, &value) != LINNET_OK)
            return 0;
        ln_text_printf(out, "%s%.0f", from > 0 ? "," : "", value);
        from = to + 1;
    }
    return 1;
}

const char *ln_scene_spell(ln_gathering *g, const ln_scene *scene, const char *text) {
    if (g->model->flat || scene->scope == NULL || strchr(text, '[') == NULL)
        return text;
    ln_text out = {0};
    const char *at = text, *spelled = NULL;
    int fine = 1;
    while (*at != '\0' && fine) {
        const size_t plain = strcspn(at, "[");
        ln_text_add_bytes(&out, at, plain);
        at += plain;
        if (*at == '\0')
            break;
        const char *close = at + 1;
        for (int depth = 1; *close != '\0' && (depth += (*close == '[') - (*close == ']')) > 0;)
            close++;
        ln_text_add(&out, "[");
        fine = *close == ']' && spell_indices(g, scene, at + 1, (size_t)(close - at - 1), &out);
        ln_text_add(&out, "]");
        at = close + (*close == ']');
    }
    if (!out.failed)
        spelled = fine ? ln_arena_string(g->arena, out.data) : text;
    ln_text_free(&out);
    return spelled;
}

/* ---- threads ---- */

int ln_thread_named(ln_gathering *g, const ln_scene *scene, const char *text, size_t length,
                    int line) {
    const char *plain = ln_arena_text(g->arena, text, length);
    plain = plain != NULL ? ln_scene_spell(g, scene, plain) : NULL;
    if (plain == NULL)
        return -1;
    for (int k = 0; k < scene->nports; k++)
        if (strcmp(scene->ports[k].port, plain) == 0)
            return scene->ports[k].net;
    const char *name = ln_arena_printf(g->arena, "%s%s", scene->prefix, plain);
    if (name == NULL || !LN_GROW(g->threads, g->nthreads, g->threads_room))
        return -1;
    const int index = ln_map_put(g->thread_map, name, (int)g->nthreads);
    if (index == (int)g->nthreads) {
        g->threads[index] = (ln_thread){name, line, index};
        g->nthreads++;
    }
    return index;
}

int ln_thread_root(ln_gathering *g, int thread) {
    while (g->threads[thread].parent != thread) {
        g->threads[thread].parent = g->threads[g->threads[thread].parent].parent;
        thread = g->threads[thread].parent;
    }
    return thread;
}

static int is_plainer(const char *a, const char *b) {
    const int dots = (strchr(a, '.') != NULL) - (strchr(b, '.') != NULL);
    return dots != 0 ? dots < 0 : strlen(a) < strlen(b);
}

/* The plainer name stays. */
void ln_thread_join(ln_gathering *g, int a, int b) {
    a = ln_thread_root(g, a);
    b = ln_thread_root(g, b);
    if (a == b)
        return;
    if (is_plainer(g->threads[b].name, g->threads[a].name)) {
        const int other = a;
        a = b;
        b = other;
    }
    g->threads[b].parent = a;
}

/* `plant.out` is the link of that port, whatever its other name. */
static int join_port_names(ln_gathering *g) {
    for (int k = 0; k < g->drawing->nparts; k++) {
        ln_drawn_part *part = &g->drawing->parts[k];
        for (int j = 0; j < part->npins; j++) {
            const char *name = ln_arena_printf(g->arena, "%s.%s", part->name, part->pins[j].port);
            if (name == NULL)
                return 0;
            const int thread = ln_map_get(g->thread_map, name);
            if (thread < 0)
                continue;
            if (part->pins[j].net < 0)
                part->pins[j].net = thread;
            else
                ln_thread_join(g, part->pins[j].net, thread);
        }
    }
    return 1;
}

/* `x[2]` that nothing drives is an element of the vector x, drawn as the same wire. */
static int join_elements(ln_gathering *g) {
    char *driven = LN_NEW(g->arena, char, g->nthreads + 1);
    if (driven == NULL)
        return 0;
    for (int k = 0; k < g->drawing->nparts; k++)
        for (int j = 0; j < g->drawing->parts[k].npins; j++) {
            const ln_pin *pin = &g->drawing->parts[k].pins[j];
            if (pin->net >= 0 && (pin->flags & LINNET_OUTPUT))
                driven[ln_thread_root(g, pin->net)] = 1;
        }
    for (size_t k = 0; k < g->nthreads; k++) {
        const char *name = g->threads[k].name, *bracket = strrchr(name, '[');
        if (bracket == NULL || bracket == name || driven[ln_thread_root(g, (int)k)])
            continue;
        const char *base = ln_arena_text(g->arena, name, (size_t)(bracket - name));
        const int whole = base != NULL ? ln_map_get(g->thread_map, base) : -1;
        if (whole >= 0)
            ln_thread_join(g, whole, (int)k);
    }
    return 1;
}

/* Open ports that may stay open are not drawn. */
static void drop_open(ln_drawn_part *part) {
    int count = 0;
    for (int j = 0; j < part->npins; j++)
        if (part->pins[j].net >= 0 || !(part->pins[j].flags & LINNET_OPTIONAL))
            part->pins[count++] = part->pins[j];
    part->npins = count;
}

static int make_net(ln_gathering *g, int *net_of, const ln_pin *pin) {
    const int root = ln_thread_root(g, pin->net);
    ln_drawing *drawing = g->drawing;
    if (net_of[root] < 0) {
        net_of[root] = drawing->nnets++;
        drawing->nets[net_of[root]] = (ln_net){
            .name = g->threads[root].name, .line = g->threads[root].line, .domain = pin->domain};
    }
    drawing->nets[net_of[root]].nends++;
    return net_of[root];
}

linnet_status ln_threads_make_nets(ln_gathering *g) {
    ln_drawing *drawing = g->drawing;
    int *net_of = LN_NEW(g->arena, int, g->nthreads + 1);
    drawing->nets = LN_NEW(g->arena, ln_net, g->nthreads + 1);
    if (net_of == NULL || drawing->nets == NULL || !join_port_names(g) || !join_elements(g))
        return ln_no_memory(g->report);
    for (size_t k = 0; k < g->nthreads; k++)
        net_of[k] = -1;
    for (int k = 0; k < drawing->nparts; k++) {
        drop_open(&drawing->parts[k]);
        for (int j = 0; j < drawing->parts[k].npins; j++) {
            ln_pin *pin = &drawing->parts[k].pins[j];
            if (pin->net >= 0)
                pin->net = make_net(g, net_of, pin);
        }
    }
    return LINNET_OK;
}
