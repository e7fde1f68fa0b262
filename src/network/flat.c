/* SPDX-License-Identifier: MIT */
/* Prints a network as a flat model; what reads it again is marked by model->flat in the other files
 * of this room. */
#include "network/flat.h"

#include "base/text.h"
#include "expression/dimension.h"
#include "model/write.h"
#include "network/names.h"
#include "blocks/catalogue.h"
#include "model/model.h"
#include "expression/graph.h"
#include "model/scope.h"
#include <stdio.h>
#include <string.h>

static void elements(ln_text *out, const ln_element *const *items, int count) {
    for (int k = 0; k < count; k++)
        ln_xml_element(out, items[k], 1);
}

/* ---- numbers ---- */

/* A value in SI with the unit of a dimension: "1000 Ohm", and "2/(1 s)" for what has no unit of its
 * own. */
static void quantity(ln_text *out, double value, ln_dimension dimension) {
    char digits[32], unit[64] = "";
    ln_number_format(digits, value);
    if (!dimension.any)
        ln_dimension_text(dimension, unit);
    /* "a plain number" */
    if (unit[0] == '\0' || strchr(unit, ' ') != NULL)
        ln_text_add(out, digits);
    else if (strncmp(unit, "1/", 2) == 0) {
        for (char *at = unit + 2; *at != '\0'; at++)
            if (*at == '/')
                *at = '.'; /* 1/m/s is one by (m.s) */
        ln_text_printf(out, "%s/(1 %s)", digits, unit + 2);
    } else
        ln_text_printf(out, "%s %s", digits, unit);
}

/* The same with the unit of a parameter, which may be another than that of SI. */
static void number(ln_text *out, double value, const char *unit) {
    double factor, offset;
    ln_dimension dimension = ln_dimension_any;
    const char *nearest;
    char digits[32];
    if (unit != NULL && unit[0] != '\0' &&
        ln_unit_read(unit, &factor, &offset, &dimension, &nearest) && factor == 1 && offset == 0 &&
        (unit[0] < '0' || unit[0] > '9')) {
        ln_number_format(digits, value);
        ln_text_printf(out, "%s %s", digits, unit);
    } else {
        quantity(out, value, dimension);
    }
}

static void values(ln_text *out, const linnet_param *param, const double *p) {
    ln_text_printf(out, " %s=\"", param->name);
    for (int i = 0; i < param->rows; i++)
        for (int j = 0; j < param->cols; j++) {
            if (i + j > 0)
                ln_text_add(out, j > 0 ? ", " : "; ");
            number(out, p[i * param->cols + j], param->unit);
        }
    ln_text_add(out, "\"");
}

/* ---- blocks ---- */

/* A start value that the model did not give must not be given here: two that are given may
 * contradict each other. */
static int is_default_start(const ln_instance *instance, const char *name) {
    const linnet_block_class *type = instance->block.type;
    for (int k = 0; k < type->nstarts; k++)
        if (type->starts[k].name != NULL && strcmp(type->starts[k].name, name) == 0)
            return !ln_is_given(instance, k);
    return 0;
}

/* The start value of a state on request that nobody has asked for: given, it would. */
static int is_of_absent_state(const ln_network *network, const linnet_block_class *class,
                              const char *name) {
    linnet_status status;
    const ln_type *type = ln_catalogue_find(network->catalogue, class->name, &status);
    if (type == NULL || !ln_type_offers(type))
        return 0;
    for (int k = 0; k < class->nstarts; k++)
        if (class->starts[k].name != NULL && strcmp(class->starts[k].name, name) == 0)
            return 0;
    for (int k = 0; k < type->face->nstarts; k++)
        if (type->face->starts[k].name != NULL && strcmp(type->face->starts[k].name, name) == 0)
            return 1;
    return 0;
}

/* An input, or a trigger, stands in the parameter's place. */
static int is_replaced(const ln_instance *instance, const linnet_param *param) {
    const linnet_block_class *type = instance->block.type;
    const size_t length = param->unless != NULL ? strlen(param->unless) : 0;
    if (length > 0 && param->flags & LINNET_OPEN_MIN &&
        instance->block.p[param->offset] <= param->min)
        return 1;
    for (int j = 0; j < type->nports && length > 0; j++)
        if (instance->links[j] >= 0 && strncmp(type->ports[j].name, param->unless, length) == 0 &&
            (type->ports[j].name[length] == '\0' || type->ports[j].name[length] == '['))
            return 1;
    return 0;
}

/* A table of the type's own, not the user's to give. */
static int is_hidden(const linnet_block_class *type, int param) {
    for (int k = 0; k < type->nfixed; k++)
        if (type->fixed[k].param == param)
            return 1;
    return 0;
}

static void parameters(ln_text *out, const ln_network *network, const ln_instance *instance) {
    const linnet_block_class *type = instance->block.type;
    for (int k = 0; k < type->nparams; k++) {
        const linnet_param *param = &type->params[k];
        if (!(param->flags & LINNET_TEXT) && param->rows * param->cols > 0 &&
            !is_default_start(instance, param->name) && !is_replaced(instance, param) &&
            !is_hidden(type, k) && !is_of_absent_state(network, type, param->name))
            values(out, param, instance->block.p + param->offset);
    }
    const char *const *texts = instance->besides->texts;
    for (int k = 0; texts != NULL && texts[2 * k] != NULL; k++)
        ln_xml_attribute(out, texts[2 * k], texts[2 * k + 1]);
}

static signed char arrow_of(const ln_network *network, const ln_instance *instance, int port) {
    const ln_link *link = &network->links[instance->links[port]];
    for (int k = link->first; k < link->first + link->nports; k++)
        if (&network->instances[network->joints[k].instance] == instance &&
            network->joints[k].port == port)
            return network->joints[k].arrow;
    return 0;
}

/* Is it the port's own link, which comes into being by itself? */
static int is_own(const ln_network *network, const ln_instance *instance, int port) {
    const ln_link *link = &network->links[instance->links[port]];
    size_t length = strlen(instance->name);
    return link->nports == 1 && strncmp(link->name, instance->name, length) == 0 &&
           link->name[length] == '.' &&
           strcmp(link->name + length + 1, instance->block.type->ports[port].name) == 0;
}

/* How many ports from j on join the elements of one vector, all of them in their order: they were
 * one link. *base: the length of its name. 0: none. */
static int vector_at(const ln_network *network, const ln_instance *instance, int j, size_t *base) {
    linnet_status status;
    const ln_type *known =
        ln_catalogue_find(network->catalogue, instance->block.type->name, &status);
    const char *first = network->links[instance->links[j]].name, *bracket = strrchr(first, '[');
    if (known == NULL || (known->measure == NULL && known->sizes == NULL) || bracket == NULL)
        return 0;
    if (strcmp(bracket, "[1]") != 0 && strcmp(bracket, "[1,1]") != 0)
        return 0;
    int run = 0, elements = 0;
    *base = (size_t)(bracket - first) + 1;
    for (int k = 0; k < network->nlinks; k++) {
        const char *name = network->links[k].name;
        elements += strncmp(name, first, *base) == 0 && strchr(name + *base, ']') != NULL &&
                    strchr(name + *base, ']')[1] == '\0';
    }
    while (j + run < instance->block.type->nports && run < elements &&
           instance->links[j + run] >= 0 &&
           strncmp(network->links[instance->links[j + run]].name, first, *base) == 0)
        run++;
    --*base;
    return run == elements ? run : 0;
}

/* Ports of a list, "in[1]" "in[2]", stand in one attribute. A port that an arrow joins is left to
 * its <link>. */
static void ports(ln_text *out, const ln_network *network, const ln_instance *instance) {
    const linnet_block_class *type = instance->block.type;
    size_t open = 0; /* length of the list's name whose attribute is open */
    for (int j = 0; j < type->nports; j++) {
        const char *name = type->ports[j].name;
        if (instance->links[j] < 0 || is_own(network, instance, j) ||
            arrow_of(network, instance, j) != 0)
            continue;
        const char *link = network->links[instance->links[j]].name;
        size_t base = strcspn(name, "["), listed = name[base] == '[';
        if (listed && open == base && strncmp(type->ports[j - 1].name, name, base) == 0) {
            ln_text_add(out, " ");
        } else {
            if (open > 0)
                ln_text_add(out, "\"");
            ln_text_printf(out, " %.*s=\"", (int)base, name);
        }
        size_t whole;
        const int run = listed ? vector_at(network, instance, j, &whole) : 0;
        if (run > 0)
            ln_text_add_bytes(out, link, whole);
        else
            ln_xml_text(out, link);
        if (run > 0)
            j += run - 1;
        open = listed ? base : 0;
        if (!listed)
            ln_text_add(out, "\"");
    }
    if (open > 0)
        ln_text_add(out, "\"");
}

static void blocks(ln_text *out, const ln_network *network) {
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        ln_text_printf(out, "  <%s", instance->block.type->name);
        ln_xml_attribute(out, "id", instance->name);
        ports(out, network, instance);
        parameters(out, network, instance);
        ln_text_add(out, "/>\n");
    }
}

/* ---- links ---- */

static void arrows(ln_text *out, const ln_network *network, const ln_link *link, signed char arrow,
                   const char *name) {
    int count = 0;
    for (int k = link->first; k < link->first + link->nports; k++) {
        const ln_joint *joint = &network->joints[k];
        const ln_instance *instance = &network->instances[joint->instance];
        if (joint->arrow != arrow)
            continue;
        if (count++ == 0)
            ln_text_printf(out, " %s=\"", name);
        else
            ln_text_add(out, " ");
        ln_text_printf(out, "%s.%s", instance->name, instance->block.type->ports[joint->port].name);
    }
    if (count > 0)
        ln_text_add(out, "\"");
}

static void links(ln_text *out, const ln_network *network) {
    for (int k = 0; k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        int arrowed = 0;
        for (int j = link->first; j < link->first + link->nports; j++)
            arrowed |= network->joints[j].arrow != 0;
        if (arrowed) {
            ln_text_add(out, "  <link");
            ln_xml_attribute(out, "id", link->name);
            arrows(out, network, link, -1, "from");
            arrows(out, network, link, 1, "to");
            ln_text_add(out, "/>\n");
        }
        if (link->start == NULL)
            continue;
        char digits[32];
        ln_number_format(digits, link->start->value);
        ln_text_add(out, "  <start");
        ln_xml_attribute(out, "link", link->name);
        ln_text_printf(out, " value=\"%s\"%s/>\n", digits,
                       link->start->fixed ? " fixed=\"yes\"" : "");
    }
}

/* ---- the file ---- */

/* The model's own numbers, which its run, record and references may name. */
static void own_parameters(ln_text *out, const ln_network *network) {
    for (int k = 0; k < network->nparameters; k++) {
        const ln_constant_name *constant = &network->parameters[k];
        if (strchr(constant->name, '.') != NULL)
            continue; /* of a choice */
        ln_text_printf(out, "  <parameter name=\"%s\" value=\"", constant->name);
        quantity(out, constant->value, ln_scope_dimension(network->scope, k));
        ln_text_add(out, "\"/>\n");
    }
}

void ln_flat_print(const ln_network *network, ln_text *out) {
    const ln_model *model = network->model;
    ln_text_add(out, "<model");
    ln_xml_attribute(out, "name", network->name);
    ln_text_add(out, " flat=\"yes\" xmlns=\"urn:linnet:model:1\">\n");
    for (int k = 0; k < model->ndefinitions; k++)
        if (!model->definitions[k].is_component)
            ln_xml_element(out, model->definitions[k].element, 1);
    own_parameters(out, network);
    blocks(out, network);
    links(out, network);
    if (model->simulation != NULL)
        ln_xml_element(out, model->simulation, 1);
    if (model->trim != NULL)
        ln_xml_element(out, model->trim, 1);
    if (model->response != NULL)
        ln_xml_element(out, model->response, 1);
    if (model->dc_sweep != NULL)
        ln_xml_element(out, model->dc_sweep, 1);
    elements(out, model->tolerances, model->ntolerances);
    elements(out, model->measures, model->nmeasures);
    elements(out, model->records, model->nrecords);
    elements(out, model->references, model->nreferences);
    ln_text_add(out, "</model>\n");
}
