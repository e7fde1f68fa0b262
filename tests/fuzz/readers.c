/* SPDX-License-Identifier: MIT */
/* Fuzz targets that read models: bytes as XML or as a deck, through the network to a system that
 * could run; what was read is written as XML and read again. */
#include "fuzz.h"

#include "analysis/simulation.h"
#include "base/visible.h"
#include "model/write.h"
#include "reading/open.h"
#include "base/text.h"

#include <string.h>

/* Small limits keep an execution short; that they hold is part of the test. */
static const ln_limits limits = {.file_bytes = 1 << 20,
                                 .tag_bytes = 1 << 16,
                                 .section_bytes = 1 << 18,
                                 .attributes = 64,
                                 .depth = 64,
                                 .elements = 20000,
                                 .include_depth = 2,
                                 .include_files = 4};

static void look_at_message(void *context, ln_severity severity, ln_place place, const char *text) {
    (void)context, (void)severity, (void)place;
    if (!ln_visible_is(text, 0))
        fuzz_broken("a message holds control characters: %s", text);
}

/* Everything up to the first step. */
static void build(const ln_model *model, ln_report *report) {
    ln_simulation simulation;
    const int shares = model->ndefinitions == 0;
    const ln_request request = {.prefix = "", .catalogue = shares ? fuzz_catalogue(report) : NULL};
    const linnet_status status =
        ln_simulation_prepare(&simulation, model, &request, 0, NULL, report);
    ln_simulation_free(&simulation);
    if (shares)
        fuzz_catalogue_end();
    fuzz_told(status, report, "the network");
}

/* What is written from a tree is read again. */
static void again(const ln_model *model) {
    ln_text text = {0};
    ln_model *second = NULL;
    ln_report *report = ln_report_new(look_at_message, NULL);
    ln_model_options options = {.limits = &limits};
    ln_xml_element(&text, model->root, 0);
    const linnet_status status =
        ln_model_read_memory("again.xml", text.data, text.length, &options, report, &second);
    if (status != LINNET_OK)
        fuzz_broken("what was written cannot be read: %s\n%s", ln_report_text(report, 0),
                    text.data);
    ln_model_free(second);
    ln_report_free(report);
    ln_text_free(&text);
}

static void read_model(const char *name, const uint8_t *data, size_t length, int writes) {
    ln_report *report = ln_report_new(look_at_message, NULL);
    ln_model *model = NULL;
    ln_model_options options = {
        .limits = &limits, .bytes = length > 0 ? (const char *)data : "", .length = length};
    const linnet_status status = ln_model_open(name, &options, report, &model);
    fuzz_told(status, report, name);
    if (status == LINNET_OK) {
        if (writes)
            again(model);
        build(model, report);
        ln_model_free(model);
    }
    ln_report_free(report);
}

void fuzz_xml(const uint8_t *data, size_t length) {
    read_model("m.xml", data, length, 1);
}

void fuzz_diagram(const uint8_t *data, size_t length) {
    read_model(length > 0 && data[0] == '{' ? "m.json" : "m.yaml", data, length, 0);
}

void fuzz_deck(const uint8_t *data, size_t length) {
    read_model("m.cir", data, length, 0);
}
