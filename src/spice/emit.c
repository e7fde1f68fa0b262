/* SPDX-License-Identifier: MIT */
/* The model that a deck becomes: elements of our language, as the XML reader would have made them
 * from a file. "R1 a b 1k" becomes <resistor id="R1" p="a" n="b" R="1000"/>.
 *
 * An element joins the end of the model as it is emitted; the deck's own place goes with it, so
 * that errors found above name the deck's line. What a card says that no block type has (an
 * expression, a polynomial, a follower of a current) becomes a generated <block-type> of ports p,
 * n, c1, c2, ... and inputs i1, i2, ...; cards of one form share one type.
 *
 * A current is followed by a current sensor between its branch and the branch's positive node. In
 * SPICE the controlling branch must be a voltage source, whose current is an unknown of modified
 * nodal analysis (Ho, Ruehli, Brennan, IEEE Trans. CAS-22, 1975). Here any branch of two terminals
 * may be followed, since the sensor brings the unknown. Sensors are made when all cards are read,
 * since a source may stand behind those that follow it. */
#include "base/sys.h"
#include "spice/deck.h"

#include <assert.h>
#include <string.h>

/* ---- blocks ---- */

/* The id of a block from its card's name: "x1.r1" -> "x1.R1". Nodes keep lower case, so that the
 * source Vcc and the node vcc, which SPICE keeps in two name spaces, do not meet in our one. */
static const char *id_of(ln_spice *spice, const char *name) {
    char *id = ln_arena_string(spice->arena, name);
    if (id == NULL)
        return ln_spice_no_memory(spice), name;
    char *dot = strrchr(id, '.');
    for (char *c = dot != NULL ? dot + 1 : id; *c != '\0'; c++)
        if (*c >= 'a' && *c <= 'z')
            *c = (char)(*c - 'a' + 'A');
    return id;
}

const char *ln_block_id(const ln_cursor *cursor) {
    return id_of(cursor->spice, cursor->name);
}

/* Enters the element under its card's full name, so that other cards find it: a source that F, H
 * or W cards follow, an inductor of a K card, an element of .dc or .save. NULL, reported: another
 * bears the name. */
static ln_emitted *enter(const ln_cursor *cursor, ln_element *element) {
    ln_spice *spice = cursor->spice;
    const int fresh = (int)spice->tree.blocks.count,
              index = ln_map_put(spice->tree.ids, cursor->name, fresh);
    if (index < 0)
        return ln_spice_no_memory(spice);
    if (index < fresh) {
        ln_card_error(cursor, "the name is already given at line %d",
                      spice->tree.blocks.items[index].element->line);
        return NULL;
    }
    LN_SPICE_ADD(spice, spice->tree.blocks, (ln_emitted){.name = cursor->name, .element = element});
    return spice->tree.blocks.count > 0 ? &spice->tree.blocks.items[fresh] : NULL;
}

ln_element *ln_emit_block(const ln_cursor *cursor, const char *type) {
    ln_element *element = ln_emit(cursor->spice, type, cursor->card->place);
    (void)enter(cursor, element);
    ln_emit_text(cursor->spice, element, "id", id_of(cursor->spice, cursor->name));
    return element;
}

void ln_name_current(const ln_cursor *cursor, ln_element *element, const char *port) {
    ln_emitted *entry = ln_emitted_named(cursor->spice, cursor->name);
    if (entry == NULL || entry->element != element)
        return;
    entry->ports = element, entry->port = port;
    entry->current =
        ln_spice_text(cursor->spice, "%s.%s.i", id_of(cursor->spice, cursor->name), port);
}

/* SPICE counts a branch's current positive from p through the branch to n, which is also our sign
 * of ID.i; a voltage source that delivers power so has a negative current. */
ln_element *ln_emit_branch(const ln_cursor *cursor, const char *type, const char *p,
                           const char *n) {
    ln_spice *spice = cursor->spice;
    ln_element *element = ln_emit_block(cursor, type);
    ln_emit_text(spice, element, "p", p);
    ln_emit_text(spice, element, "n", n);
    ln_emitted *entry = ln_emitted_named(spice, cursor->name);
    if (entry != NULL && entry->element == element) {
        entry->ports = element, entry->port = "p";
        entry->current = ln_spice_text(
            spice, "%s.i", element->attributes != NULL ? element->attributes[0].value : "");
    }
    return element;
}

/* A port of an element comes to join another node. */
static void move(ln_element *element, const char *port, const char *to) {
    for (int k = 0; k < element->nattributes; k++)
        if (strcmp(element->attributes[k].name, port) == 0)
            ((ln_attribute *)element->attributes)[k].value = to;
}

ln_emitted *ln_emitted_named(ln_spice *spice, const char *name) {
    const int index = ln_map_get(spice->tree.ids, name);
    return index >= 0 && (size_t)index < spice->tree.blocks.count ? &spice->tree.blocks.items[index]
                                                                  : NULL;
}

/* ---- behavioural sources ----
 *
 * What B, E, G, F and H cards, and resistors, capacitors and inductors with expressions, have in
 * common: a branch from p to n whose equation holds voltages of other nodes and currents of other
 * branches. While a formula is printed, ln_controls collects them: the k-th node that is named
 * becomes port ck of the type, the k-th current its input ik. A node that is named twice is one
 * port. Ground needs none: its potential is the number 0. */

int ln_control_node(const ln_cursor *cursor, ln_controls *controls, const char *node) {
    return ln_control_link(cursor, controls, ln_node_of(cursor->spice, cursor->inside, node));
}

int ln_control_link(const ln_cursor *cursor, ln_controls *controls, const char *link) {
    if (strcmp(link, "0") == 0)
        return 0;
    for (size_t k = 0; k < controls->nodes.count; k++)
        if (strcmp(controls->nodes.items[k], link) == 0)
            return (int)k + 1;
    LN_SPICE_ADD(cursor->spice, controls->nodes, link);
    return (int)controls->nodes.count;
}

int ln_control_current(const ln_cursor *cursor, ln_controls *controls, const char *source) {
    ln_spice *spice = cursor->spice;
    const char *name = ln_spice_text(spice, "%s%s", cursor->inside->prefix, source);
    for (size_t k = 0; k < controls->currents.count; k++)
        if (strcmp(controls->currents.items[k], name) == 0)
            return (int)k + 1;
    LN_SPICE_ADD(spice, controls->currents, name);
    return (int)controls->currents.count;
}

/* Equal texts of kind 'a' share a name, for they have one value; two integrals never do, since each
 * is a state of its own. The numbers count parts of all kinds, so that a caller who adds several
 * states in a row knows their names beforehand (laplace.c). */
const char *ln_control_part(const ln_cursor *cursor, ln_controls *controls, char kind,
                            const char *text) {
    ln_spice *spice = cursor->spice;
    for (size_t k = 0; kind == 'a' && k < controls->parts.count; k++)
        if (controls->parts.items[k].kind == 'a' &&
            strcmp(controls->parts.items[k].text, text) == 0)
            return controls->parts.items[k].name;
    const char *name =
        ln_spice_text(spice, "%s%zu", kind == 'a' ? "part" : "state", controls->parts.count + 1);
    LN_SPICE_ADD(spice, controls->parts, (ln_formula_part){kind, name, text});
    return name;
}

void ln_controls_free(ln_controls *controls) {
    ln_sys->release(controls->nodes.items);
    ln_sys->release(controls->currents.items);
    ln_sys->release(controls->parts.items);
}

/* The text that tells one type from another. Names of nodes and sources do not enter it, only how
 * many there are: E1 and E2 of one form share a type and differ in what their ports are joined
 * to. */
static const char *type_key(ln_spice *spice, char kind, const ln_controls *controls,
                            const char *formula) {
    const char *key = ln_spice_text(spice, "%c %zu %zu %s", kind, controls->nodes.count,
                                    controls->currents.count, formula);
    for (size_t k = 0; k < controls->parts.count; k++)
        key = ln_spice_text(spice, "%s %c %s", key, controls->parts.items[k].kind,
                            controls->parts.items[k].text);
    return key;
}

/* An <equation> behind the type's last child. */
static ln_element *equation(ln_spice *spice, ln_element *type, ln_element *after,
                            const char *text) {
    ln_element *made =
        ln_emit_child(spice, type, after, "equation", (ln_place){type->file, type->line, 0});
    made->text = text;
    return made;
}

/* idt(x, start), whose text is "start|x": d/dt y = x with y(0) = start.
 *
 * At an operating point every derivative is zero, which would ask for x = 0 and leave y free.
 * SPICE simulators hold the integral at its start there. So does this: while the memory `held` is
 * 1 the equation is dy/dt = (start - y)/(1 s), whose rest is y = start. An event at t = 0
 * (sample(1e300) fires once, at the start of a run) sets the memory to 0, and dy/dt = x holds. */
static ln_element *make_held(ln_spice *spice, ln_element *type, ln_element *last,
                             const ln_formula_part *part) {
    const ln_place place = {type->file, type->line, 0};
    const size_t digits = strcspn(part->text, "|");
    const char *start = ln_spice_text(spice, "%.*s", (int)digits, part->text),
               *held = ln_spice_text(spice, "held_%s", part->name);
    if (start == NULL || held == NULL)
        return last;
    last = ln_emit_child(spice, type, last, "memory", place);
    ln_emit_text(spice, last, "name", held);
    ln_emit_text(spice, last, "start", "1");
    last = ln_emit_child(spice, type, last, "when", place);
    ln_emit_text(spice, last, "condition", "sample(1e300)");
    ln_element *set = ln_emit_child(spice, last, NULL, "set", place);
    ln_emit_text(spice, set, "name", held);
    ln_emit_text(spice, set, "value", "0");
    last = ln_emit_child(spice, type, last, "state", place);
    ln_emit_text(spice, last, "name", part->name);
    ln_emit_text(spice, last, "start", start);
    return equation(spice, type, last,
                    ln_spice_text(spice, "der(%s)*(1 s) = if(%s gt 0, (%s) - %s, %s)", part->name,
                                  held, start, part->name, part->text + digits + 1));
}

/* What the formula uses by name: <let> for a value that occurs more than once, <state> for an
 * integral. Formulas are dimensionless, as SPICE's are; the factor (1 s) makes the unit of a
 * derivative come out. */
static ln_element *make_part(ln_spice *spice, ln_element *type, ln_element *last,
                             const ln_formula_part *part) {
    const ln_place place = {type->file, type->line, 0};
    if (part->kind == 'h')
        return make_held(spice, type, last, part);
    last = ln_emit_child(spice, type, last, part->kind == 'a' ? "let" : "state", place);
    ln_emit_text(spice, last, "name", part->name);
    if (part->kind == 'a')
        ln_emit_text(spice, last, "value", part->text);
    else
        last = equation(spice, type, last,
                        ln_spice_text(spice, "der(%s)*(1 s) = %s", part->name, part->text));
    return last;
}

/* The <block-type> of a behavioural source: ports and inputs, then the parts, then the equation of
 * its kind, in which the formula stands as a number. Ports c1, c2, ... carry no current: they sense
 * a potential as an ideal voltmeter does.
 *
 * The kinds of a branch whose formula has the value y:
 *   v  V = y             B1 a 0 V=...            q  I = d(y)/dt         C1 a 0 Q=...
 *   i  I = y             B1 a 0 I=...            c  I = y dV/dt         C1 a 0 C=...
 *   r  I = V/y           R1 a 0 R=...            l  V = y dI/dt         L1 a 0 L=...
 * Only q conserves charge when y depends on voltages: the integral of y(V) dV/dt around a closed
 * path of several voltages need not vanish. SPICE has both forms, so both are kept. The current of
 * l is a state of the type, and starts as an inductor's does. */
static void make_type(const ln_cursor *cursor, const char *name, char kind,
                      const ln_controls *controls, const char *formula) {
    ln_spice *spice = cursor->spice;
    ln_place place = cursor->card->place;
    ln_element *type = ln_emit(spice, "block-type", place), *last = NULL;
    ln_emit_text(spice, type, "name", name);
    ln_emit_text(spice, type, "doc", "Made from a SPICE card");
    for (size_t k = 0; k < controls->nodes.count + 2; k++) {
        last = ln_emit_child(spice, type, last, "port", place);
        ln_emit_text(spice, last, "name",
                     k == 0   ? "p"
                     : k == 1 ? "n"
                              : ln_spice_text(spice, "c%zu", k - 1));
        ln_emit_text(spice, last, "domain", "electrical");
    }
    for (size_t k = 0; k < controls->currents.count; k++) {
        last = ln_emit_child(spice, type, last, "input", place);
        ln_emit_text(spice, last, "name", ln_spice_text(spice, "i%zu", k + 1));
    }
    for (size_t k = 0; k < controls->nodes.count; k++)
        last = equation(spice, type, last, ln_spice_text(spice, "c%zu.i = 0", k + 1));
    for (size_t k = 0; k < controls->parts.count; k++)
        last = make_part(spice, type, last, &controls->parts.items[k]);
    static const struct branch_form {
        char kind;
        const char *form, *current; /* the element that makes its current an unknown; NULL: none */
    } forms[] = {{'v', "p.v - n.v = (%s)*(1 V)", NULL},
                 {'i', "p.i = (%s)*(1 A)", NULL},
                 {'r', "p.i = (p.v - n.v)/((%s)*(1 Ohm))", NULL},
                 {'z', "p.v - n.v = (%s)*(1 Ohm)*current", "variable"},
                 {'c', "p.i = (%s)*(1 F)*der(p.v - n.v)", NULL},
                 {'q', "p.i = der((%s)*(1 C))", NULL},
                 {'l', "p.v - n.v = (%s)*(1 H)*der(current)", "state"}};
    const struct branch_form *of = forms;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (forms[k].kind == kind)
            of = &forms[k];
    const char *form = of->form, *at = strstr(form, "%s");
    if (of->current != NULL) {
        last = ln_emit_child(spice, type, last, of->current, place);
        ln_emit_text(spice, last, "name", "current");
        ln_emit_text(spice, last, "unit", "A");
        last = equation(spice, type, last, "p.i = current");
    }
    last = equation(spice, type, last,
                    ln_spice_text(spice, "%.*s%s%s", (int)(at - form), form, formula, at + 2));
    equation(spice, type, last, "n.i = -p.i");
}

/* The type is made when its text is new; the card becomes an instance of it. Inputs are joined to
 * signals "i(v1)", which are not there yet: ln_emit_sensors makes them. */
void ln_emit_behavioural(const ln_cursor *cursor, char kind, const char *p, const char *n,
                         const char *formula, ln_controls *controls) {
    ln_spice *spice = cursor->spice;
    const char *key = type_key(spice, kind, controls, formula);
    const int fresh = (int)spice->tree.type_texts.count,
              index = ln_map_put(spice->tree.types, key, fresh);
    if (index < 0) {
        (void)ln_spice_no_memory(spice);
        return;
    }
    const char *name = ln_spice_text(spice, "behavioural-%d", index + 1);
    if (index == fresh) {
        LN_SPICE_ADD(spice, spice->tree.type_texts, key);
        make_type(cursor, name, kind, controls, formula);
    }
    ln_element *element = ln_emit(spice, name, cursor->card->place);
    ln_emitted *entry = enter(cursor, element);
    const char *id = id_of(spice, cursor->name);
    ln_emit_text(spice, element, "id", id);
    ln_emit_text(spice, element, "p", p);
    ln_emit_text(spice, element, "n", n);
    if (entry != NULL)
        entry->ports = element, entry->port = "p",
        entry->current = ln_spice_text(spice, "%s.i", id);
    for (size_t k = 0; k < controls->nodes.count; k++)
        ln_emit_text(spice, element, ln_spice_text(spice, "c%zu", k + 1), controls->nodes.items[k]);
    for (size_t k = 0; k < controls->currents.count; k++)
        ln_emit_text(spice, element, ln_spice_text(spice, "i%zu", k + 1),
                     ln_spice_text(spice, "i(%s)", controls->currents.items[k]));
}

/* ---- at rest ----
 *
 * In SPICE a source has two values: its DC value, which .op, .dc, .ac and .tf take, and its
 * waveform, which .tran takes, also for the operating point from which it starts. <at-rest> says
 * the first where it is not the waveform's value at t = 0. */

void ln_emit_for_operating_point(const ln_cursor *cursor, const char *parameter,
                                 const char *value) {
    ln_spice *spice = cursor->spice;
    ln_element *e = ln_emit(spice, "at-rest", cursor->card->place);
    ln_emit_text(spice, e, "parameter",
                 ln_spice_text(spice, "%s.%s", id_of(spice, cursor->name), parameter));
    ln_emit_text(spice, e, "value", value);
}

/* For waveforms without a parameter that could hold the DC value (PWL, SFFM, AM). The voltage
 * source stands between the card's source, whose n is moved to a new node, and the old n; the
 * current source stands beside it. .dc sweeps this one. */
void ln_emit_offset(const ln_cursor *cursor, int is_current, double running, double at_rest) {
    ln_spice *spice = cursor->spice;
    ln_emitted *source = ln_emitted_named(spice, cursor->name);
    if (source == NULL)
        return;
    const char *id = id_of(spice, cursor->name),
               *between = ln_spice_text(spice, "%s#rest", cursor->name);
    ln_element *e =
        ln_emit(spice, is_current ? "current-source" : "voltage-source", cursor->card->place);
    ln_emit_text(spice, e, "id", ln_spice_text(spice, "%s.rest", id));
    ln_emit_text(spice, e, "n", ln_attribute_of(source->element, "n"));
    ln_emit_text(spice, e, "p", is_current ? ln_attribute_of(source->ports, "p") : between);
    ln_emit_number(spice, e, is_current ? "I" : "V", running);
    if (!is_current)
        move(source->element, "n", between);
    char digits[32];
    ln_number_format(digits, at_rest);
    source->rest = is_current ? "rest.I" : "rest.V";
    ln_emit_for_operating_point(cursor, source->rest, ln_spice_text(spice, "%s", digits));
}

/* LTspice help, ".TRAN", modifier startup: independent sources are off in the operating point of
 * the run and are turned on during its first 20 us. The block passes its source's voltage or
 * current times a ramp; an operating point by itself (rise 0) sees the source in full. From now on
 * the current that others follow is that of the block, which stands next to the circuit. */
void ln_emit_startup(const ln_cursor *cursor, int is_current) {
    ln_spice *spice = cursor->spice;
    ln_emitted *source = ln_emitted_named(spice, cursor->name);
    if (source == NULL || source->ports == NULL)
        return;
    const char *id = ln_spice_text(spice, "%s.startup", id_of(spice, cursor->name)),
               *between = ln_spice_text(spice, "%s#startup", cursor->name);
    ln_element *e =
        ln_emit(spice, is_current ? "ramped-current" : "ramped-voltage", cursor->card->place);
    ln_emit_text(spice, e, "id", id);
    ln_emit_text(spice, e, "p", ln_attribute_of(source->ports, "p"));
    ln_emit_text(spice, e, "c", between);
    ln_emit_text(spice, e, "n", ln_attribute_of(source->element, "n"));
    move(source->ports, "p", between);
    source->ports = e, source->port = "p";
    source->current = ln_spice_text(spice, "%s.i", id);
    ln_emit_for_operating_point(cursor, "startup.rise", "0");
}

/* ---- sensed currents ---- */

/* The branch whose current an element follows; NULL, reported. */
static ln_emitted *followed(ln_spice *spice, const ln_element *by, const char *name) {
    ln_emitted *source = ln_emitted_named(spice, name);
    if (source != NULL && source->ports != NULL)
        return source;
    ln_spice_error(spice, ln_place_of(by), "%s: its current is that of '%s', which is %s",
                   ln_attribute_of(by, "id"), name,
                   source == NULL ? "not in this circuit"
                                  : "no voltage source or other element of two terminals");
    return NULL;
}

/* Between a branch and its positive node comes a current sensor, once: its output is the signal
 * `link`, "i(v1)", which all that follow the current read. The sensor is a short circuit, and its
 * current is positive into the branch's p, as the branch's own is. */
static void sense(ln_spice *spice, const ln_element *by, const char *link) {
    const size_t length = strlen(link);
    const char *name = ln_spice_text(spice, "%.*s", (int)(length > 3 ? length - 3 : 0), link + 2);
    ln_emitted *source = followed(spice, by, name);
    if (source == NULL || source->sensed)
        return;
    source->sensed = 1;
    ln_element *sensor = ln_emit(spice, "current-sensor", ln_place_of(source->element));
    const char *between = ln_spice_text(spice, "%s#p", name);
    ln_emit_text(spice, sensor, "id", ln_spice_text(spice, "%s.sensor", id_of(spice, name)));
    ln_emit_text(spice, sensor, "p", ln_attribute_of(source->ports, source->port));
    ln_emit_text(spice, sensor, "n", between);
    ln_emit_text(spice, sensor, "out", link);
    move(source->ports, source->port, between);
}

void ln_emit_in_series(const ln_cursor *cursor, ln_element *element, const char *source) {
    LN_SPICE_ADD(cursor->spice, cursor->spice->tree.series, (ln_series){element, source});
}

/* A current-controlled switch (W card) has ports cp and cn through which the source's current
 * flows. Several switches of one source, and its sensor, come to stand in a chain: each takes the
 * place of the source's positive node and leaves it a new one. */
static void join_in_series(ln_spice *spice, const ln_series *series) {
    ln_emitted *source = followed(spice, series->element, series->source);
    if (source == NULL)
        return;
    const char *between =
        ln_spice_text(spice, "%s#%s", series->source, ln_attribute_of(series->element, "id"));
    ln_emit_text(spice, series->element, "cp", ln_attribute_of(source->ports, source->port));
    ln_emit_text(spice, series->element, "cn", between);
    move(source->ports, source->port, between);
}

/* The walk ends at the element that was the last before it began, for sensors join the end and
 * follow nothing themselves. Behavioural types' inputs are the attributes i1, i2, ... with a value
 * of the form "i(name)". */
void ln_emit_sensors(ln_spice *spice) {
    assert(!spice->nodes.opening); /* all elements are made */
    const ln_element *last = spice->tree.last_child;
    for (const ln_element *element = spice->tree.root->first; element != NULL;
         element = element->next) {
        for (int k = 0; k < element->nattributes; k++)
            if (element->attributes[k].name[0] == 'i' &&
                strncmp(element->attributes[k].value, "i(", 2) == 0)
                sense(spice, element, element->attributes[k].value);
        if (element == last)
            break;
    }
    for (size_t k = 0; k < spice->tree.series.count; k++)
        join_in_series(spice, &spice->tree.series.items[k]);
}
