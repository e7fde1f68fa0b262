/* SPDX-License-Identifier: MIT */
/* The pins of a part: the ports of its type with the links that its attributes and <link>s name. */
#include "diagram/gather.h"

#include "base/domain.h"
#include "base/sys.h"
#include <string.h>

/* The part whose pins are made. */
typedef struct pinning {
    ln_gathering *g;
    const ln_scene *scene;
    const ln_drawn_part *part;
    const char *id; /* as the scene's <link>s name it */
    ln_pin *pins;
    size_t count, room;
} pinning;

static int add_pin(pinning *p, const linnet_port *port, const char *name, int net) {
    if (!LN_GROW(p->pins, p->count, p->room))
        return 0;
    p->pins[p->count++] =
        (ln_pin){.port = name, .domain = port->domain, .flags = port->flags, .net = net};
    return 1;
}

/* The pins of a port for many: one for each link. */
static int add_many(pinning *p, const linnet_port *port, const char *text) {
    int count = 0;
    for (const char *at = text; at != NULL && *at != '\0';) {
        at += strspn(at, " \t\r\n,");
        const size_t length = ln_word_length(at);
        if (length == 0)
            break;
        const char *name = ln_arena_printf(p->g->arena, "%s[%d]", port->name, ++count);
        const int thread = ln_thread_named(p->g, p->scene, at, length, p->part->place.line);
        if (name == NULL || thread < 0 || !add_pin(p, port, name, thread))
            return 0;
        at += length;
    }
    const size_t length = strlen(port->name);
    for (size_t e = 0; e < p->scene->nends; e++) {
        const ln_loose_end *end = &p->scene->ends[e];
        if (strcmp(end->block, p->id) != 0 || strncmp(end->port, port->name, length) != 0 ||
            (end->port[length] != '\0' && end->port[length] != '['))
            continue;
        const char *name = end->port[length] == '['
                               ? end->port
                               : ln_arena_printf(p->g->arena, "%s[%d]", port->name, ++count);
        if (name == NULL || !add_pin(p, port, name, end->thread))
            return 0;
    }
    return 1;
}

static int add_port(pinning *p, const linnet_port *port) {
    const char *text = ln_attribute_of(p->part->element, port->name);
    if (port->flags & LINNET_MANY)
        return add_many(p, port, text);
    int net = -1;
    if (text != NULL && text[0] != '\0') {
        net = ln_thread_named(p->g, p->scene, text, strlen(text), p->part->place.line);
        if (net < 0)
            return 0;
    }
    for (size_t e = 0; e < p->scene->nends; e++)
        if (strcmp(p->scene->ends[e].block, p->id) == 0 &&
            strcmp(p->scene->ends[e].port, port->name) == 0) {
            if (net >= 0)
                ln_thread_join(p->g, net, p->scene->ends[e].thread);
            net = p->scene->ends[e].thread;
        }
    return add_pin(p, port, port->name, net);
}

/* ---- the ports of a type ---- */

static linnet_port component_port(const ln_element *element) {
    const char *name = ln_attribute_of(element, "name"),
               *domain = ln_attribute_of(element, "domain");
    linnet_port port = {name, LINNET_SIGNAL, 0, NULL};
    if (strcmp(element->name, "input") == 0)
        port.flags = LINNET_INPUT;
    else if (strcmp(element->name, "output") == 0)
        port.flags = LINNET_OUTPUT;
    for (int k = 0; domain != NULL && k < LINNET_DOMAINS; k++)
        if (strcmp(ln_domain((linnet_domain)k)->name, domain) == 0)
            port.domain = (linnet_domain)k;
    return port;
}

static int is_own(const ln_type *type, const char *name) {
    const linnet_block_class *face = type->face;
    for (int k = 0; face != NULL && k < face->nports; k++)
        if (strcmp(face->ports[k].name, name) == 0)
            return 1;
    for (int k = 0; face != NULL && k < face->nparams; k++)
        if (strcmp(face->params[k].name, name) == 0)
            return 1;
    return 0;
}

/* What switches the block on and off, or triggers it. */
static int add_switches(pinning *p, const ln_type *type) {
    static const char *const names[] = {"enable", "trigger"};
    for (size_t k = 0; k < 2; k++) {
        const linnet_port port = {names[k], LINNET_SIGNAL, LINNET_INPUT | LINNET_OPTIONAL, NULL};
        const char *text = ln_attribute_of(p->part->element, names[k]);
        if (text == NULL || is_own(type, names[k]))
            continue;
        const size_t length = ln_word_length(text);
        const int several = text[length + strspn(text + length, " \t\r\n,")] != '\0';
        if (!(several ? add_many(p, &port, text) : add_port(p, &port)))
            return 0;
    }
    return 1;
}

int ln_gather_pins(ln_gathering *g, const ln_scene *scene, ln_drawn_part *part,
                   const ln_type *type) {
    pinning p = {.g = g, .scene = scene, .part = part, .id = part->name + strlen(scene->prefix)};
    int fine = 1;
    if (type == NULL)
        return 1;
    if (type->face != NULL)
        for (int k = 0; fine && k < type->face->nports; k++)
            fine = add_port(&p, &type->face->ports[k]);
    else
        for (int k = 0; fine && k < type->definition->body.nports; k++) {
            const linnet_port port = component_port(type->definition->body.ports[k]);
            fine = add_port(&p, &port);
        }
    fine = fine && add_switches(&p, type);
    part->pins = fine ? LN_NEW(g->arena, ln_pin, p.count + 2) : NULL;
    if (part->pins != NULL && p.count > 0)
        memcpy(part->pins, p.pins, p.count * sizeof *p.pins);
    part->npins = (int)p.count;
    ln_sys->release(p.pins);
    return part->pins != NULL;
}
