/* SPDX-License-Identifier: MIT */
/* Reading a model while memory fails, ours and the XML parser's. */
#include "unit.h"

#include "base/sys.h"
#include "model/model.h"

#include <libxml/parser.h>
#include <libxml/xmlmemory.h>
#include <stdlib.h>

#define OPEN "<model xmlns=\"urn:linnet:model:1\">\n"

static long calls_left;
static void *failing_allocate(size_t bytes) {
    return calls_left-- > 0 ? ln_sys_real.allocate(bytes) : NULL;
}
static void *failing_resize(void *block, size_t bytes) {
    return calls_left-- > 0 ? ln_sys_real.resize(block, bytes) : NULL;
}

/* Whatever request is the first to fail, reading ends with that status and a report, and frees what
 * it had. */
static void every_allocation_may_fail(void) {
    static const char xml[] =
        OPEN "<parameter name=\"a\" value=\"1\"/><resistor id=\"R\">1 2</resistor>"
             "<block-type name=\"b\"><state name=\"x\"/><equation>der(x) = "
             "1</equation></block-type><simulation/></model>";
    ln_sys_table table = ln_sys_real;
    table.allocate = failing_allocate;
    table.resize = failing_resize;
    linnet_status status = LINNET_MEMORY;
    int k = 0;
    for (; status != LINNET_OK && k < 1000; k++) {
        ln_report *report = ln_report_new(NULL, NULL);
        ln_model *model;
        ln_sys = &table;
        calls_left = k;
        status = ln_model_read_memory("m.xml", xml, strlen(xml), NULL, report, &model);
        ln_sys = &ln_sys_real;
        CU_ASSERT(status == LINNET_OK ||
                  (status == LINNET_MEMORY && model == NULL && ln_report_errors(report) > 0));
        if (status == LINNET_OK)
            ln_model_free(model);
        ln_report_free(report);
    }
    CU_ASSERT(status == LINNET_OK && k > 10);
}

/* The XML parser's own memory, whichever request fails once: the model is right or refused with a
 * message. The parser has been seen to return a document without a word after a failure. */
static long xml_calls_left = -1;
static void *xml_allocate(size_t bytes) {
    return xml_calls_left-- == 0 ? NULL : malloc(bytes);
}
static void *xml_resize(void *block, size_t bytes) {
    return xml_calls_left-- == 0 ? NULL : realloc(block, bytes);
}
static char *xml_copy(const char *text) {
    return xml_calls_left-- == 0 ? NULL : strdup(text);
}

static void parser_memory_may_fail(void) {
    static const char xml[] =
        OPEN "<a b=\"1\" long-name=\"&lt;\"><c>&amp; text</c></a><d e=\"\xc3\xa9\"/></model>";
    int refused = 0;
    for (long k = 0; k < 400; k++) {
        ln_report *report = ln_report_new(NULL, NULL);
        ln_arena *arena = ln_arena_new();
        linnet_status status;
        xml_calls_left = k;
        const ln_element *root = ln_tree_read_memory(
            arena, (ln_document){"m.xml", xml, strlen(xml)}, NULL, report, &status);
        xml_calls_left = -1;
        CU_ASSERT((root != NULL) == (status == LINNET_OK) &&
                  (root != NULL) == (ln_report_errors(report) == 0));
        refused += root == NULL;
        if (root != NULL) {
            CHECK_TEXT(ln_attribute_of(root->first, "long-name"), "<");
            CHECK_TEXT(root->first->first->text, "& text");
            CHECK_TEXT(ln_attribute_of(root->first->next, "e"), "\xc3\xa9");
        }
        ln_arena_free(arena);
        ln_report_free(report);
    }
    CU_ASSERT(refused > 10);
}

static void say_nothing(void *context, const char *format, ...) {
    (void)context, (void)format;
}

/* First of all, since the parser takes its memory functions only once. */
static void take_over_the_parser(void) {
    CU_ASSERT_FATAL(xmlMemSetup(free, xml_allocate, xml_resize, xml_copy) == 0);
    xmlSetGenericErrorFunc(NULL, say_nothing);
}

UNIT_MAIN({"the parser's memory is ours", take_over_the_parser},
          {"every allocation may fail", every_allocation_may_fail},
          {"the parser's memory may fail", parser_memory_may_fail})
