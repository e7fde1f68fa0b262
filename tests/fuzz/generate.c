/* SPDX-License-Identifier: MIT */
/* Bytes to legal models: see generate.h. A block is its type's example, an element as a user would
 * write it, with other links at its ports and, here and there, another number for a parameter: one
 * near a limit of its range, or a plain size. */
#include "generate.h"

#include "base/domain.h"
#include "expression/ast.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct piece { /* within an example */
    const char *at;
    size_t length;
} piece;

/* ---- choices ---- */

static const ln_type *choose_type(ln_catalogue *catalogue, fuzz_bytes *bytes) {
    static int count;
    linnet_status status;
    const char *group;
    while (ln_catalogue_name(catalogue, count, &group) != NULL)
        count++;
    const char *name =
        ln_catalogue_name(catalogue, (int)fuzz_choice(bytes, (unsigned)count), &group);
    const ln_type *type = ln_catalogue_find(catalogue, name, &status);
    if (type == NULL)
        fuzz_broken("type %s cannot be had", name);
    return type->face != NULL && type->face->example != NULL ? type : NULL;
}

/* A thousand times as large as in the example, or as small: fluxes are lost in the rounding of
 * potentials. A length counts by its fourth power, as the diameter of a pipe does. */
static int is_extreme(double value, const linnet_param *param, piece example) {
    char text[64];
    double usual = 0;
    ln_dimension dimension;
    snprintf(text, sizeof text, "%.*s", (int)example.length, example.at);
    (void)ln_ast_literal(text, &usual, &dimension);
    const int is_length = param->unit != NULL && strcmp(param->unit, "m") == 0;
    const double ratio = pow(fabs(value) / (fabs(usual) > 0 ? fabs(usual) : 1), is_length ? 4 : 1);
    return ratio > 0 && !(ratio < 1e3 && ratio > 1e-3);
}

static void add_size(fuzz_model *model, const linnet_param *param, piece example,
                     fuzz_bytes *bytes) {
    static const double sizes[] = {0, 1, -1, 1e-12, 1e-6, 1e-3, 0.5, 2, 10, 1e3, 1e6, 1e12};
    enum { SIZES = sizeof sizes / sizeof *sizes };
    char text[32];
    double value = NAN;
    const unsigned which = fuzz_choice(bytes, SIZES + 4);
    if (which < SIZES)
        value = sizes[which];
    else if (isfinite(which % 2 ? param->min : param->max))
        value = which % 2 ? param->min : param->max;
    if (which >= SIZES + 2 && value == param->min)
        value += 1e-9 * fmax(1, fabs(value));
    if (!(value >= param->min && value <= param->max) ||
        (value == param->min && param->flags & LINNET_OPEN_MIN) ||
        (value == param->max && param->flags & LINNET_OPEN_MAX))
        value = isfinite(param->min) ? param->min + 1 : 1;
    model->extreme |= is_extreme(value, param, example);
    ln_number_format(text, value);
    ln_text_add(&model->xml, text);
}

/* ---- links ---- */

static void add_driver(fuzz_model *model, int driven, fuzz_bytes *bytes) {
    ln_text *out = &model->xml;
    const unsigned block = fuzz_choice(bytes, (unsigned)model->nblocks + 1);
    const linnet_block_class *face =
        block < (unsigned)model->nblocks ? model->types[block]->face : NULL;
    int outputs = 0;
    for (int k = 0; face != NULL && k < face->nports; k++)
        outputs += (face->ports[k].flags & (LINNET_OUTPUT | LINNET_MANY)) == LINNET_OUTPUT;
    if (outputs == 0)
        ln_text_add(out, "source");
    else
        ln_text_printf(out, "s%u-%u", block, fuzz_choice(bytes, (unsigned)outputs));
    model->loops |= outputs > 0 && (int)block >= driven;
}

static void note_joint(fuzz_model *model, int domain, int node, const char *block,
                       const char *port) {
    if (model->njoints == sizeof model->joints / sizeof *model->joints)
        fuzz_broken("more than %d physical ports", model->njoints);
    fuzz_joint *joint = &model->joints[model->njoints++];
    *joint = (fuzz_joint){.domain = domain, .node = node};
    snprintf(joint->block, sizeof joint->block, "%s", block);
    snprintf(joint->port, sizeof joint->port, "%s", port);
}

/* A node at a port, the word-th of it. */
static void add_node(fuzz_model *model, int block, const linnet_port *port, int word,
                     fuzz_bytes *bytes) {
    char block_name[16], port_name[24];
    const int domain = (int)port->domain, node = (int)fuzz_choice(bytes, FUZZ_NODES);
    ln_text_printf(&model->xml, "n%d-%d", domain, node);
    model->nodes[domain] |= 1u << node;
    snprintf(block_name, sizeof block_name, "b%d", block);
    if (port->flags & LINNET_MANY)
        snprintf(port_name, sizeof port_name, "%s[%d]", port->name, word + 1);
    else
        snprintf(port_name, sizeof port_name, "%s", port->name);
    note_joint(model, domain, node, block_name, port_name);
}

/* The links at a port: as many as the example has there. */
static void add_links(fuzz_model *model, int block, int port, piece value, fuzz_bytes *bytes) {
    const linnet_port *it = &model->types[block]->face->ports[port];
    int output = 0;
    for (int k = 0; k < port; k++)
        output += (model->types[block]->face->ports[k].flags & (LINNET_OUTPUT | LINNET_MANY)) ==
                  LINNET_OUTPUT;
    for (size_t at = 0, word = 0; at < value.length; word++) {
        ln_text_add(&model->xml, at > 0 ? " " : "");
        if (it->domain != LINNET_SIGNAL)
            add_node(model, block, it, (int)word, bytes);
        else if (it->flags & LINNET_OUTPUT && it->flags & LINNET_MANY)
            ln_text_printf(&model->xml, "m%d-%d-%d", block, port, (int)word);
        else if (it->flags & LINNET_OUTPUT)
            ln_text_printf(&model->xml, "s%d-%d", block, output);
        else
            add_driver(model, block, bytes);
        while (at < value.length && value.at[at] != ' ')
            at++;
        while (at < value.length && value.at[at] == ' ')
            at++;
    }
}

/* ---- blocks ---- */

static int find_port(const linnet_block_class *face, piece name) {
    for (int k = 0; k < face->nports; k++)
        if (strlen(face->ports[k].name) == name.length &&
            memcmp(face->ports[k].name, name.at, name.length) == 0)
            return k;
    return -1;
}

static const linnet_param *find_number(const linnet_block_class *face, piece name) {
    enum { FIXED = LINNET_LIST | LINNET_MATRIX | LINNET_INTEGER | LINNET_TEXT | LINNET_STRUCTURAL };
    for (int k = 0; k < face->nparams; k++)
        if (strlen(face->params[k].name) == name.length &&
            memcmp(face->params[k].name, name.at, name.length) == 0)
            return (face->params[k].flags & FIXED) == 0 ? &face->params[k] : NULL;
    return NULL;
}

static void add_value(fuzz_model *model, int block, piece name, piece value, fuzz_bytes *bytes) {
    const linnet_block_class *face = model->types[block]->face;
    const int port = find_port(face, name);
    const linnet_param *param = find_number(face, name);
    if (name.length == 2 && memcmp(name.at, "id", 2) == 0)
        ln_text_printf(&model->xml, "b%d", block);
    else if (port >= 0)
        add_links(model, block, port, value, bytes);
    else if (param != NULL && fuzz_choice(bytes, 4) == 0)
        add_size(model, param, value, bytes);
    else
        ln_text_add_bytes(&model->xml, value.at, value.length);
}

/* The example with other values in its first tag. */
static void add_block(fuzz_model *model, int block, fuzz_bytes *bytes) {
    const char *at = model->types[block]->face->example;
    while (*at != '\0' && *at != '>') {
        const char *quote = at + strcspn(at, "\">");
        if (*quote != '"')
            break;
        const char *end = strchr(quote + 1, '"');
        const char *name = quote - 1; /* at the sign = */
        while (name > at && name[-1] != ' ' && name[-1] != '\n')
            name--;
        if (end == NULL)
            break;
        ln_text_add_bytes(&model->xml, at, (size_t)(quote + 1 - at));
        add_value(model, block, (piece){name, (size_t)(quote - 1 - name)},
                  (piece){quote + 1, (size_t)(end - quote - 1)}, bytes);
        ln_text_add(&model->xml, "\"");
        at = end + 1;
    }
    ln_text_add(&model->xml, at);
    ln_text_add(&model->xml, "\n");
}

/* ---- the model ---- */

/* A reference for each domain in use. */
static void add_references(fuzz_model *model, ln_catalogue *catalogue) {
    linnet_status status;
    for (int domain = LINNET_SIGNAL + 1; domain < LINNET_DOMAINS; domain++) {
        const char *name = ln_domain((linnet_domain)domain)->reference;
        const ln_type *type = model->nodes[domain] != 0 && name != NULL
                                  ? ln_catalogue_find(catalogue, name, &status)
                                  : NULL;
        if (type != NULL)
            ln_text_printf(&model->xml, "<%s id=\"reference%d\" %s=\"n%d-0\"/>\n", name, domain,
                           type->face->ports[0].name, domain);
    }
}

/* A resistance from every node to the reference: most models then have a solution. */
static void add_leaks(fuzz_model *model) {
    static const char *const leaks[LINNET_DOMAINS] = {
        [LINNET_ELECTRICAL] = "resistor\0R=\"1 kOhm\"",
        [LINNET_TRANSLATIONAL] = "damper\0d=\"5 N.s/m\"",
        [LINNET_ROTATIONAL] = "rotational-damper\0d=\"0.1 N.m.s/rad\"",
        [LINNET_THERMAL] = "thermal-conductance\0G=\"2 W/K\"",
        [LINNET_HYDRAULIC] = "pipe-resistance\0R=\"1e9\"",
        [LINNET_MAGNETIC] = "reluctance\0R=\"1e6 A/Wb\""};
    for (int domain = LINNET_SIGNAL + 1; domain < LINNET_DOMAINS; domain++)
        for (int node = 1; node < FUZZ_NODES; node++) {
            if ((model->nodes[domain] >> node & 1u) == 0)
                continue;
            char block[16];
            snprintf(block, sizeof block, "leak%d-%d", domain, node);
            note_joint(model, domain, node, block, "p");
            ln_text_printf(&model->xml, "<%s id=\"%s\" p=\"n%d-%d\" n=\"n%d-0\" %s/>\n",
                           leaks[domain], block, domain, node, domain,
                           leaks[domain] + strlen(leaks[domain]) + 1);
        }
}

static const ln_method *choose_method(fuzz_bytes *bytes) {
    unsigned count = 0;
    while (ln_method_at((int)count) != NULL)
        count++;
    return ln_method_at((int)fuzz_choice(bytes, count));
}

static void add_settings(fuzz_model *model, fuzz_bytes *bytes) {
    static const char *const steps[] = {"1e-6", "1e-4", "1e-3", "1e-2", "0.1"};
    static const char *const durations[] = {"2e-5", "2e-3", "2e-2", "0.2", "2"};
    const unsigned size = fuzz_choice(bytes, 5);
    ln_text_printf(&model->xml, "<simulation duration=\"%s\" ", durations[size]);
    const ln_steps steps_by = model->method->steps;
    const int wish = (int)fuzz_choice(bytes, 2);
    model->adaptive = steps_by == LN_STEPS_ADAPTIVE || (steps_by == LN_STEPS_EITHER && wish);
    if (model->adaptive)
        ln_text_printf(&model->xml, "tolerance=\"%g\"",
                       model->tolerance = fuzz_choice(bytes, 2) ? 1e-3 : 1e-6);
    else
        ln_text_printf(&model->xml, "step=\"%s\"", steps[size]);
    ln_text_add(&model->xml,
                fuzz_choice(bytes, 4) == 0 ? " start=\"operating-point\"/>\n" : "/>\n");
}

void fuzz_generate(fuzz_model *model, ln_catalogue *catalogue, fuzz_bytes *bytes) {
    *model = (fuzz_model){.method = choose_method(bytes)};
    ln_text_add(&model->xml, "<model>\n");
    add_settings(model, bytes);
    const int leaks = fuzz_choice(bytes, 4) != 0;
    const int wanted = 1 + (int)fuzz_choice(bytes, FUZZ_BLOCKS);
    for (int k = 0; k < wanted; k++) {
        const ln_type *type = choose_type(catalogue, bytes);
        if (type != NULL)
            model->types[model->nblocks++] = type;
    }
    ln_text_add(&model->xml, "<sine id=\"source-block\" out=\"source\" frequency=\"50\"/>\n");
    for (int k = 0; k < model->nblocks; k++)
        add_block(model, k, bytes);
    if (leaks)
        add_leaks(model);
    add_references(model, catalogue);
    ln_text_add(&model->xml, "</model>\n");
    model->within_steps = (int)fuzz_choice(bytes, 2);
    model->exact = !fuzz_choice(bytes, 2);
}
