/* SPDX-License-Identifier: MIT */
/* A model as text, built into a network: what the tests of the room `network` share. */
#ifndef TESTS_NETWORK_KIT_H
#define TESTS_NETWORK_KIT_H

#include "base/sys.h"
#include "blocks/catalogue.h"
#include "model/model.h"
#include "network/network.h"
#include "unit.h"

#include <stdlib.h>

typedef struct net {
    ln_report *report;
    ln_model *model;
    ln_network *network; /* NULL after an error */
    linnet_status status;
} net;

static inline net net_build_with(const char *xml, const ln_override *overrides, int count) {
    net circuit = {.report = ln_report_new(NULL, NULL)};
    circuit.status =
        ln_model_read_memory("t.xml", xml, strlen(xml), NULL, circuit.report, &circuit.model);
    if (circuit.status == LINNET_OK)
        circuit.status = ln_network_build(NULL, circuit.model, overrides, count, circuit.report,
                                          &circuit.network);
    return circuit;
}

/* The body of a <model>, which stands on line 1. */
static inline net net_build(const char *body) {
    size_t room = strlen(body) + 64;
    char *xml = malloc(room);
    snprintf(xml, room, "<model>%s</model>", body);
    net circuit = net_build_with(xml, NULL, 0);
    free(xml);
    return circuit;
}

/* The same with a catalogue that serves thousands of bodies without types of their own. */
static inline net net_build_shared(ln_catalogue *catalogue, const char *body) {
    char xml[4096];
    net circuit = {.report = ln_report_new(NULL, NULL)};
    snprintf(xml, sizeof xml, "<model>%s</model>", body);
    circuit.status =
        ln_model_read_memory("t.xml", xml, strlen(xml), NULL, circuit.report, &circuit.model);
    if (circuit.status == LINNET_OK)
        circuit.status =
            ln_network_build(catalogue, circuit.model, NULL, 0, circuit.report, &circuit.network);
    return circuit;
}

static inline void net_free(net *circuit) {
    ln_network_free(circuit->network);
    ln_model_free(circuit->model);
    ln_report_free(circuit->report);
}

/* 1 when some message contains the text. */
static inline int net_said(const net *circuit, const char *text) {
    for (int k = 0; ln_report_text(circuit->report, k) != NULL; k++)
        if (strstr(ln_report_text(circuit->report, k), text) != NULL)
            return 1;
    return 0;
}

static inline void net_print(const net *circuit) {
    for (int k = 0; ln_report_text(circuit->report, k) != NULL; k++)
        printf("\n    %s", ln_report_text(circuit->report, k));
}

static inline const ln_link *net_link(const net *circuit, const char *name) {
    for (int k = 0; k < circuit->network->nlinks; k++)
        if (strcmp(circuit->network->links[k].name, name) == 0)
            return &circuit->network->links[k];
    return NULL;
}

static inline const ln_instance *net_block(const net *circuit, const char *name) {
    for (int k = 0; k < circuit->network->ninstances; k++)
        if (strcmp(circuit->network->instances[k].name, name) == 0)
            return &circuit->network->instances[k];
    return NULL;
}

/* The link that a port of a block joins; NULL when there is none. */
static inline const char *net_joined(const net *circuit, const char *block, const char *port) {
    const ln_instance *instance = net_block(circuit, block);
    for (int j = 0; instance != NULL && j < instance->block.type->nports; j++)
        if (strcmp(instance->block.type->ports[j].name, port) == 0)
            return instance->links[j] < 0 ? NULL : circuit->network->links[instance->links[j]].name;
    return NULL;
}

/* Value of a parameter of a block. */
static inline double net_value(const net *circuit, const char *block, const char *parameter) {
    const ln_instance *instance = net_block(circuit, block);
    for (int k = 0; instance != NULL && k < instance->block.type->nparams; k++)
        if (strcmp(instance->block.type->params[k].name, parameter) == 0)
            return instance->block.p[instance->block.type->params[k].offset];
    return NAN;
}

/* Tests in the other files of this program. */
void test_errors(void);
void test_types(void);
void test_unfolding(void);
void test_structure_errors(void);
void test_random_circuits(void);
void test_no_false_alarm(void);
void test_find(void);
void test_flux_along_link(void);
void test_match(void);
void test_extras(void);
void test_texts(void);
void test_equal_values(void);
void test_forgotten_blocks(void);

#endif
