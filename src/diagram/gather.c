/* SPDX-License-Identifier: MIT */
/* From a model's tree to parts and nets. Nothing is checked here but that types exist: what a model
 * lacks is left out of its picture. Repetitions are opened where their bounds can be told; a
 * component is one part, or its inside. */
#include "diagram/gather.h"

#include "base/sys.h"
#include "model/position.h"
#include <math.h>
#include <string.h>

/* A component within components beyond this stays a box; the reader allows no circle. */
enum { DEEPEST = 16 };
/* Of all repetitions, empty ones too. */
enum { MOST_TURNS = 20 * LN_MOST_PARTS };

static int walk(ln_gathering *g, ln_scene *scene, const ln_body *body);

static int failed(ln_gathering *g) {
    g->status = ln_no_memory(g->report);
    return 0;
}

static int too_many(ln_gathering *g, ln_place place) {
    g->status = ln_fail(g->report, LINNET_MODEL, place,
                        "the model has more than %d blocks to draw, the limit; put parts of it "
                        "into components",
                        LN_MOST_PARTS);
    return 0;
}

/* Whether an element is there: its `if`. */
static int is_wanted(const ln_scene *scene, const ln_element *element) {
    const char *text = ln_attribute_of(element, "if");
    double value = 1;
    if (text != NULL &&
        ln_scope_value(scene->scope, text, "", ln_place_of(element), &value) != LINNET_OK)
        return 1;
    return value != 0;
}

/* ---- links ---- */

static int add_ends(ln_gathering *g, ln_scene *scene, const ln_element *element,
                    const char *attribute, int thread) {
    const char *at = ln_attribute_of(element, attribute);
    at = at != NULL ? ln_scene_spell(g, scene, at) : NULL;
    while (at != NULL && *at != '\0') {
        at += strspn(at, " \t\r\n,");
        const size_t length = ln_word_length(at);
        if (length == 0)
            break;
        char *block = ln_arena_text(g->arena, at, length), *dot;
        if (block == NULL || !LN_GROW(scene->ends, scene->nends, scene->ends_room))
            return failed(g);
        dot = strrchr(block, '.');
        if (dot != NULL) {
            *dot = '\0';
            scene->ends[scene->nends++] = (ln_loose_end){block, dot + 1, thread};
        }
        at += length;
    }
    return 1;
}

static int add_links(ln_gathering *g, ln_scene *scene, const ln_body *body) {
    for (int k = 0; k < body->nlinks; k++) {
        const ln_element *element = body->links[k];
        const char *id = ln_attribute_of(element, "id");
        if (id == NULL || !is_wanted(scene, element))
            continue;
        const int thread = ln_thread_named(g, scene, id, strlen(id), element->line);
        if (thread < 0 || !add_ends(g, scene, element, "from", thread) ||
            !add_ends(g, scene, element, "to", thread))
            return failed(g);
    }
    return 1;
}

/* ---- blocks ---- */

static void read_position(ln_drawn_part *part, const ln_element *element) {
    const char *text = ln_attribute_of(element, "at");
    ln_position position;
    if (text == NULL || !ln_position_read(text, &position))
        return;
    part->fixed = 1;
    part->at = (ln_point_xy){(int)lround(position.x / (double)LN_GRID) * LN_GRID,
                             (int)lround(position.y / (double)LN_GRID) * LN_GRID};
    part->own_turn = position.has_turn;
    part->turn = position.turn;
    part->mirrored = position.mirrored;
}

/* The inside of a component in place of its box. */
static int open_component(ln_gathering *g, const ln_scene *scene, const ln_drawn_part *part,
                          const ln_type *type) {
    ln_scene inner = {.outer = scene,
                      .body = &type->definition->body,
                      .prefix = ln_arena_printf(g->arena, "%s.", part->name),
                      .scope =
                          ln_scene_scope(g, &type->definition->body, part->element, scene->scope),
                      .ports = part->pins,
                      .nports = part->npins,
                      .outline = (int)g->noutlines};
    if (inner.prefix == NULL || inner.scope == NULL ||
        !LN_GROW(g->outlines, g->noutlines, g->outlines_room))
        return failed(g);
    g->outlines[g->noutlines++] =
        (ln_outline){part->name, part->type, part->place.line, {0, 0, 0, 0}, scene->outline};
    /* an own link for each port that nothing joins, so that inside and outside agree on it */
    for (int k = 0; k < part->npins; k++) {
        const char *alias = ln_arena_printf(g->arena, "%s%s", inner.prefix, part->pins[k].port);
        const int thread = alias != NULL ? ln_thread_named(g, &(ln_scene){.prefix = ""}, alias,
                                                           strlen(alias), part->place.line)
                                         : -1;
        if (thread < 0)
            return failed(g);
        if (part->pins[k].net < 0)
            part->pins[k].net = thread;
        ln_thread_join(g, part->pins[k].net, thread);
    }
    const int fine = walk(g, &inner, inner.body);
    ln_sys->release(inner.ends);
    return fine;
}

static int depth_of(const ln_scene *scene) {
    int depth = 0;
    for (; scene != NULL; scene = scene->outer)
        depth++;
    return depth;
}

static const char *attribute_of(const void *block, const char *name) {
    return ln_attribute_of(block, name);
}

static const ln_type *find_type(ln_gathering *g, const ln_element *element, const char *name) {
    linnet_status status = LINNET_OK;
    const ln_type *type = ln_catalogue_find(g->catalogue, element->name, &status);
    const char *nearest = type == NULL && status == LINNET_OK
                              ? ln_catalogue_nearest(g->catalogue, element->name)
                              : NULL;
    if (type == NULL && status == LINNET_OK && nearest != NULL)
        ln_error(g->report, ln_place_of(element),
                 "%s: there is no block type '%s'; did you mean '%s'?", name, element->name,
                 nearest);
    else if (type == NULL && status == LINNET_OK)
        ln_error(g->report, ln_place_of(element), "%s: there is no block type '%s'", name,
                 element->name);
    if (type == NULL)
        g->status = LINNET_MODEL;
    return type;
}

/* Told once a type. */
static void unknown_symbol(ln_gathering *g, const ln_element *definition, const char *name) {
    for (size_t k = 0; k < g->nparts; k++)
        if (strcmp(g->parts[k].type, ln_attribute_of(definition, "name")) == 0)
            return;
    const char *names[512];
    size_t count = 0;
    while (count < 512 && (names[count] = ln_symbol_name((int)count)) != NULL)
        count++;
    const char *nearest = ln_nearest(name, names, count);
    ln_error(g->report, ln_place_of(definition), "<%s>: there is no symbol '%.60s'%s%s%s",
             definition->name, name, nearest != NULL ? "; did you mean '" : "",
             nearest != NULL ? nearest : "; 'linnet diagram --help' lists them",
             nearest != NULL ? "'?" : "");
    g->status = LINNET_MODEL;
}

/* A symbol of the type's own, or of the one it is like, or of the table. */
static void find_symbol(ln_gathering *g, ln_drawn_part *part, const ln_type *type) {
    for (int depth = 0; type != NULL && depth < 16; depth++) {
        const ln_element *element = type->definition != NULL ? type->definition->element : NULL;
        const char *own = element != NULL ? ln_attribute_of(element, "symbol") : NULL,
                   *like = element != NULL ? ln_attribute_of(element, "like") : NULL;
        part->symbol = own != NULL ? ln_symbol_named(own)
                                   : ln_symbol_of(type->name, attribute_of, part->element);
        part->borrows = own != NULL;
        if (own != NULL && part->symbol == NULL)
            unknown_symbol(g, element, own);
        if (own != NULL || part->symbol != NULL || like == NULL)
            return;
        linnet_status status;
        type = ln_catalogue_find(g->catalogue, like, &status);
    }
}

static ln_drawn_part part_of(const ln_scene *scene, const ln_element *element, const ln_type *type,
                             const char *name) {
    const linnet_block_class *face = type != NULL ? type->face : NULL;
    return (ln_drawn_part){.name = name,
                           .type = element->name,
                           .doc = face != NULL   ? face->doc
                                  : type != NULL ? type->definition->doc
                                                 : NULL,
                           .place = ln_place_of(element),
                           .is_component = type != NULL && face == NULL,
                           .is_reference = face != NULL && face->reference_port >= 0,
                           .at_pin = -1,
                           .at_part = -1,
                           .frames = scene->outline,
                           .element = element};
}

static int keep_part(ln_gathering *g, const ln_scene *scene, ln_drawn_part *part,
                     const ln_type *type) {
    if (g->nparts >= LN_MOST_PARTS)
        return too_many(g, part->place);
    if (scene->outline < 0)
        read_position(part, part->element);
    find_symbol(g, part, type);
    if (!LN_GROW(g->parts, g->nparts, g->parts_room) ||
        ln_map_put(g->part_map, part->name, (int)g->nparts) < 0 ||
        !ln_face_make(g->drawing, part, type))
        return failed(g);
    g->parts[g->nparts++] = *part;
    return 1;
}

static int add_block(ln_gathering *g, ln_scene *scene, const ln_element *element) {
    const char *id = ln_attribute_of(element, "id");
    if (id == NULL || !is_wanted(scene, element))
        return 1;
    id = ln_scene_spell(g, scene, id);
    const char *name = id != NULL ? ln_arena_printf(g->arena, "%s%s", scene->prefix, id) : NULL;
    if (name == NULL)
        return failed(g);
    if (ln_map_get(g->part_map, name) >= 0)
        return 1; /* a second one of the name, which a check tells */
    const ln_type *type = find_type(g, element, name);
    ln_drawn_part part = part_of(scene, element, type, name);
    if (!ln_gather_pins(g, scene, &part, type))
        return failed(g);
    if (part.is_component && g->wish->expand && depth_of(scene) < DEEPEST &&
        g->noutlines < LN_MOST_PARTS)
        return open_component(g, scene, &part, type);
    return keep_part(g, scene, &part, type);
}

/* ---- repetitions ---- */

static int bound(const ln_scene *scene, const ln_element *element, const char *name,
                 double *value) {
    const char *text = ln_attribute_of(element, name);
    return text != NULL &&
           ln_scope_value(scene->scope, text, "", ln_place_of(element), value) == LINNET_OK &&
           fabs(*value) <= 1e9;
}

static int repeat(ln_gathering *g, ln_scene *scene, const ln_repeat *repetition,
                  int (*visit)(ln_gathering *g, ln_scene *scene, const ln_body *body)) {
    double from, to;
    ln_scope *outside = scene->scope;
    if (!is_wanted(scene, repetition->element))
        return 1;
    if (!bound(scene, repetition->element, "from", &from) ||
        !bound(scene, repetition->element, "to", &to))
        return visit(g, scene, &repetition->body);
    const char *index = ln_attribute_of(repetition->element, "index");
    int fine = 1;
    if (to - from >= MOST_TURNS - g->repeats)
        return too_many(g, ln_place_of(repetition->element));
    for (double k = from; fine && k <= to; k++, g->repeats++) {
        scene->scope = ln_scope_inside(g->arena, outside, index);
        if (scene->scope == NULL)
            return failed(g);
        ln_scope_count_to(scene->scope, k);
        fine = visit(g, scene, &repetition->body);
    }
    scene->scope = outside;
    return fine;
}

static int holds_links(const ln_body *body) {
    int found = body->nlinks > 0;
    for (int k = 0; k < body->nrepeats && !found; k++)
        found = holds_links(&body->repeats[k].body);
    return found;
}

static int walk_links(ln_gathering *g, ln_scene *scene, const ln_body *body) {
    int fine = add_links(g, scene, body);
    for (int k = 0; fine && k < body->nrepeats; k++)
        if (holds_links(&body->repeats[k].body))
            fine = repeat(g, scene, &body->repeats[k], walk_links);
    return fine;
}

static int walk_blocks(ln_gathering *g, ln_scene *scene, const ln_body *body) {
    int fine = 1;
    for (int k = 0; fine && k < body->nblocks; k++)
        fine = add_block(g, scene, body->blocks[k]);
    for (int k = 0; fine && k < body->nrepeats; k++)
        fine = repeat(g, scene, &body->repeats[k], walk_blocks);
    return fine;
}

/* Links before blocks: a <link> may stand behind the blocks it joins. */
static int walk(ln_gathering *g, ln_scene *scene, const ln_body *body) {
    return walk_links(g, scene, body) && walk_blocks(g, scene, body);
}

/* ---- the way in ---- */

static linnet_status finish(ln_gathering *g) {
    ln_drawing *drawing = g->drawing;
    drawing->parts = LN_NEW(g->arena, ln_drawn_part, g->nparts + 1);
    drawing->outlines = LN_NEW(g->arena, ln_outline, g->noutlines + 1);
    if (drawing->parts == NULL || drawing->outlines == NULL)
        return ln_no_memory(g->report);
    if (g->nparts > 0)
        memcpy(drawing->parts, g->parts, g->nparts * sizeof *g->parts);
    if (g->noutlines > 0)
        memcpy(drawing->outlines, g->outlines, g->noutlines * sizeof *g->outlines);
    drawing->nparts = (int)g->nparts;
    drawing->noutlines = (int)g->noutlines;
    return ln_threads_make_nets(g);
}

linnet_status ln_gather(ln_drawing *drawing, const ln_model *model, const ln_drawing_wish *wish,
                        ln_catalogue *catalogue, ln_report *report) {
    ln_gathering g = {.drawing = drawing,
                      .arena = drawing->arena,
                      .model = model,
                      .wish = wish,
                      .catalogue = catalogue,
                      .report = report,
                      .silent = ln_report_new(NULL, NULL),
                      .thread_map = ln_map_new(),
                      .part_map = ln_map_new()};
    ln_scene scene = {.body = &model->body, .prefix = "", .outline = -1};
    linnet_status status = LINNET_MEMORY, wrong = LINNET_OK;
    if (g.silent != NULL && g.thread_map != NULL && g.part_map != NULL)
        scene.scope = ln_scene_scope(&g, &model->body, NULL, NULL);
    if (scene.scope == NULL) {
        status = ln_no_memory(report);
    } else if (walk(&g, &scene, scene.body)) {
        wrong = g.status;
        status = finish(&g);
    } else {
        status = g.status;
    }
    /* places and bounds are read without a word: one that cannot be read is left out of the
     * picture, but not for want of memory */
    if (ln_report_status(g.silent, LINNET_MODEL) == LINNET_MEMORY)
        status = ln_no_memory(report);
    ln_sys->release(scene.ends);
    ln_sys->release(g.parts);
    ln_sys->release(g.threads);
    ln_sys->release(g.outlines);
    ln_map_free(g.thread_map);
    ln_map_free(g.part_map);
    ln_report_free(g.silent);
    return status != LINNET_OK ? status : wrong;
}
