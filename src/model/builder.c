/* SPDX-License-Identifier: MIT */
/* From libxml2's callbacks to a tree of elements in an arena; see builder.h.
 *
 * An element and its attributes are one block of memory. libxml2 interns names, so that a name
 * already seen is found by the address of its text; attribute values are copied straight from the
 * parser's buffer. */
#include "base/sys.h"
#include "base/visible.h"
#include "model/builder.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#define MODEL_NAMESPACE "urn:linnet:model:1"

/* ---- names ---- */

static const char *intern_new(ln_model_builder *builder, const char *name) {
    int known = ln_map_get(builder->names, name);
    if (known >= 0)
        return builder->name_list[known];
    if (builder->nnames == INT_MAX ||
        !LN_GROW(builder->name_list, builder->nnames, builder->name_room))
        return NULL;
    const char *copy = ln_arena_string(builder->arena, name);
    if (copy == NULL || ln_map_put(builder->names, copy, (int)builder->nnames) < 0)
        return NULL;
    builder->name_list[builder->nnames++] = copy;
    return copy;
}

static const char *intern(ln_model_builder *builder, const xmlChar *name) {
    uintptr_t key = (uintptr_t)name;
    size_t slot = (size_t)((key ^ (key >> 10)) % LN_NAME_CACHE);
    if (builder->cache[slot].theirs == name)
        return builder->cache[slot].ours;
    const char *ours = intern_new(builder, (const char *)name);
    if (ours != NULL) {
        builder->cache[slot].theirs = name;
        builder->cache[slot].ours = ours;
    }
    return ours;
}

/* ---- elements ---- */

/* The parser tells of a tag when it stands at its end; a raw '<' cannot stand inside a tag, so the
 * line of its beginning is found by going back to that. */
static int line_of_tag(const ln_model_builder *builder) {
    const xmlParserInput *input = builder->parser->input;
    int line = input->line;
    for (const xmlChar *at = input->cur; at > input->base && *at != '<'; at--)
        line -= at[-1] == '\n';
    return line;
}

/* libxml2 hands an attribute over as five pointers: name, prefix, namespace, begin and end of the
 * value. */
enum {
    ATTRIBUTE_NAME,
    ATTRIBUTE_PREFIX,
    ATTRIBUTE_NAMESPACE,
    ATTRIBUTE_BEGIN,
    ATTRIBUTE_END,
    ATTRIBUTE_POINTERS
};

/* Attributes of XML itself (xml:space) and of editors (xsi:schemaLocation) say nothing about the
 * model. */
static int is_for_tools(const xmlChar *space) {
    return strcmp((const char *)space, "http://www.w3.org/XML/1998/namespace") == 0 ||
           strcmp((const char *)space, "http://www.w3.org/2001/XMLSchema-instance") == 0;
}

static linnet_status check_namespaces(const ln_model_builder *builder, ln_place place,
                                      const xmlChar *name, const xmlChar *space, int nattributes,
                                      const xmlChar **attributes) {
    if (space != NULL && strcmp((const char *)space, MODEL_NAMESPACE) != 0)
        return ln_fail(builder->report, LINNET_MODEL, place,
                       "%s<%s> is of the namespace '%s'; expected xmlns=\"%s\"",
                       builder->depth == 0 ? "root element " : "", (const char *)name,
                       (const char *)space, MODEL_NAMESPACE);
    for (int k = 0; k < nattributes; k++) {
        const xmlChar **a = attributes + ATTRIBUTE_POINTERS * k;
        if (a[ATTRIBUTE_NAMESPACE] != NULL && !is_for_tools(a[ATTRIBUTE_NAMESPACE]) &&
            !builder->limits->passes_over)
            return ln_fail(builder->report, LINNET_MODEL, place,
                           "<%s> has an attribute '%s:%s' of the namespace '%s'; attributes of a "
                           "model bear no prefix",
                           (const char *)name, (const char *)a[ATTRIBUTE_PREFIX],
                           (const char *)a[ATTRIBUTE_NAME], (const char *)a[ATTRIBUTE_NAMESPACE]);
    }
    return LINNET_OK;
}

/* Annotations of other tools, where limits say so, with all that stands in them. */
static int is_passed_over(ln_model_builder *builder, const xmlChar *space) {
    const int foreign = space != NULL && strcmp((const char *)space, MODEL_NAMESPACE) != 0;
    if (builder->passing == 0 && !(builder->limits->passes_over && foreign && builder->depth > 0))
        return 0;
    builder->passing++;
    return 1;
}

static linnet_status check_limits(const ln_model_builder *builder, ln_place place,
                                  const xmlChar *name) {
    if (builder->depth >= (size_t)builder->limits->depth)
        return ln_fail(builder->report, LINNET_MODEL, place,
                       "<%s> is nested deeper than %d levels, the limit", (const char *)name,
                       builder->limits->depth);
    if (builder->elements >= builder->limits->elements)
        return ln_fail(builder->report, LINNET_MODEL, place,
                       "the file has more than %zu elements, the limit", builder->limits->elements);
    return LINNET_OK;
}

/* A text of the file fit to be shown (visible.h): names, documentation and titles go to terminals,
 * pictures and other files. As a rule it is ASCII, and stays where it is. NULL: memory is short. */
static const char *shown(const ln_model_builder *builder, const char *text, size_t length) {
    unsigned char any = 0;
    for (size_t k = 0; k < length; k++)
        any |= (unsigned char)(text[k] + 1); /* the upper bit: no ASCII, or DEL */
    if (any < 0x80 || ln_visible_is(text, 1))
        return text;
    ln_text clean = {0};
    ln_visible_add(&clean, text, 1);
    const char *copy = clean.failed ? NULL : ln_arena_string(builder->arena, clean.data);
    ln_text_free(&clean);
    return copy;
}

/* An attribute's value. libxml2 hands an ampersand over as &#38; where it does not replace
 * entities, and everything else as what it stands for. NULL: memory is short. */
static const char *value_of(const ln_model_builder *builder, const char *text, size_t length) {
    static const char ampersand[] = "&#38;";
    const size_t n = sizeof ampersand - 1;
    char *value = ln_arena_text(builder->arena, text, length);
    char *end = value != NULL ? memchr(value, '&', length) : NULL;
    if (end != NULL) {
        for (size_t k = (size_t)(end - value); k < length; k++) {
            *end++ = text[k];
            if (k + n <= length && memcmp(text + k, ampersand, n) == 0)
                k += n - 1;
        }
        *end = '\0';
    }
    return value != NULL ? shown(builder, value, length) : NULL;
}

/* The element and its attributes. NULL when memory is short. */
static ln_element *new_element(ln_model_builder *builder, const xmlChar *name, int nattributes,
                               const xmlChar **attributes) {
    const char *const own = intern(builder, name);
    const int is_block =
        own != NULL && builder->depth == 1 && ln_is_block_name(&builder->blocks, own);
    ln_arena *arena = is_block ? ln_arena_part(builder->arena) : builder->arena;
    ln_element *element =
        own != NULL && arena != NULL
            ? ln_arena_alloc(arena, 1,
                             sizeof(ln_element) + (size_t)nattributes * sizeof(ln_attribute))
            : NULL;
    if (element == NULL)
        return NULL;
    ln_attribute *attribute = (ln_attribute *)(element + 1);
    int kept = 0;
    for (int k = 0; k < nattributes; k++) {
        const xmlChar **a = attributes + ATTRIBUTE_POINTERS * k;
        if (a[ATTRIBUTE_NAMESPACE] != NULL)
            continue;
        attribute[kept].name = intern(builder, a[ATTRIBUTE_NAME]);
        attribute[kept].value = value_of(builder, (const char *)a[ATTRIBUTE_BEGIN],
                                         (size_t)(a[ATTRIBUTE_END] - a[ATTRIBUTE_BEGIN]));
        if (attribute[kept].name == NULL || attribute[kept].value == NULL)
            return NULL;
        kept++;
    }
    element->name = own;
    element->attributes = attribute;
    element->nattributes = kept;
    return element;
}

static void start_element(void *context, const xmlChar *name, const xmlChar *prefix,
                          const xmlChar *space, int nnamespaces, const xmlChar **namespaces,
                          int nattributes, int ndefaulted, const xmlChar **attributes) {
    (void)prefix, (void)nnamespaces, (void)namespaces, (void)ndefaulted;
    ln_model_builder *builder = context;
    if (builder->status != LINNET_OK || is_passed_over(builder, space))
        return;
    ln_place place = {builder->file, line_of_tag(builder), 0};
    linnet_status status = check_limits(builder, place, name);
    if (status == LINNET_OK)
        status = check_namespaces(builder, place, name, space, nattributes, attributes);
    if (status != LINNET_OK) {
        ln_builder_stop(builder, status);
        return;
    }
    ln_element *element = new_element(builder, name, nattributes, attributes);
    if (element == NULL || !LN_GROW(builder->open, builder->depth, builder->room)) {
        ln_builder_stop(builder, ln_no_memory(builder->report));
        return;
    }
    element->file = builder->file;
    element->line = place.line;
    builder->elements++;
    if (builder->depth == 0) {
        builder->root = element;
    } else {
        ln_builder_level *parent = &builder->open[builder->depth - 1];
        *(parent->last != NULL ? &parent->last->next : &parent->element->first) = element;
        parent->last = element;
    }
    builder->open[builder->depth++] = (ln_builder_level){element, NULL, builder->text.length};
}

static int is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void end_element(void *context, const xmlChar *name, const xmlChar *prefix,
                        const xmlChar *space) {
    (void)name, (void)prefix, (void)space;
    ln_model_builder *builder = context;
    if (builder->passing > 0) {
        builder->passing--;
        return;
    }
    if (builder->status != LINNET_OK || builder->depth == 0)
        return;
    const ln_builder_level *level = &builder->open[--builder->depth];
    size_t end = builder->text.length;
    while (end > level->text && is_blank(builder->text.data[end - 1]))
        end--;
    if (end > level->text) {
        const char *text =
            ln_arena_text(builder->arena, builder->text.data + level->text, end - level->text);
        level->element->text = text != NULL ? shown(builder, text, end - level->text) : NULL;
        if (level->element->text == NULL)
            ln_builder_stop(builder, ln_no_memory(builder->report));
    }
    builder->text.length = level->text;
}

static void characters(void *context, const xmlChar *text, int length) {
    ln_model_builder *builder = context;
    if (builder->status != LINNET_OK || builder->depth == 0 || builder->passing > 0)
        return;
    const char *from = (const char *)text;
    size_t left = (size_t)length;
    if (builder->text.length == builder->open[builder->depth - 1].text)
        for (; left > 0 && is_blank(*from); left--)
            from++;
    if (left == 0)
        return;
    ln_text_add_bytes(&builder->text, from, left);
    if (builder->text.failed)
        ln_builder_stop(builder, ln_no_memory(builder->report));
}

/* ---- what is refused ---- */

/* The scan refuses a document type before the parser sees it; this is the second bolt. */
static void refuse_doctype(void *context, const xmlChar *name, const xmlChar *external,
                           const xmlChar *system) {
    (void)name, (void)external, (void)system;
    ln_model_builder *builder = context;
    if (builder->status != LINNET_OK)
        return;
    ln_builder_stop(builder, ln_fail(builder->report, LINNET_MODEL,
                                     (ln_place){builder->file, builder->parser->input->line, 0},
                                     "document types are not accepted; remove the <!DOCTYPE ...>"));
}

static xmlParserInputPtr refuse_entity(void *context, const xmlChar *public_id,
                                       const xmlChar *system_id) {
    (void)context, (void)public_id, (void)system_id;
    return NULL;
}

/* ---- libxml2 ---- */

/* What libxml2 tells outside of any parser: that memory is short. It is in the midst of its work
 * and must not be stopped here. */
static void hear(void *context, xmlErrorPtr error) {
    ln_model_builder *builder = context;
    if (builder->status == LINNET_OK && error != NULL && error->code == XML_ERR_NO_MEMORY)
        builder->status = ln_no_memory(builder->report);
}

static int parse(ln_model_builder *builder, const char *bytes, int length, int is_end) {
    const xmlStructuredErrorFunc before = xmlStructuredError;
    void *context = xmlStructuredErrorContext;
    xmlSetStructuredErrorFunc(builder, hear);
    const int code = xmlParseChunk(builder->parser, bytes, length, is_end);
    xmlSetStructuredErrorFunc(context, before);
    return code;
}

/* ---- the way through ---- */

linnet_status ln_builder_start(ln_model_builder *builder, ln_arena *arena, const char *file,
                               const ln_limits *limits, ln_report *report) {
    memset(builder, 0, sizeof *builder);
    builder->arena = arena;
    builder->file = file;
    builder->limits = limits;
    builder->report = report;
    ln_scan_start(&builder->scan, file, limits);
    builder->names = ln_map_new();
    xmlSAXHandler handler = {0};
    handler.initialized = XML_SAX2_MAGIC;
    handler.internalSubset = refuse_doctype;
    handler.externalSubset = refuse_doctype;
    handler.resolveEntity = refuse_entity;
    handler.startElementNs = start_element;
    handler.endElementNs = end_element;
    handler.characters = characters;
    handler.ignorableWhitespace = characters;
    handler.cdataBlock = characters;
    handler.serror = ln_builder_error;
    xmlInitParser();
    builder->parser = xmlCreatePushParserCtxt(&handler, builder, NULL, 0, NULL);
    /* the parser told that its memory is short */
    if (builder->status != LINNET_OK)
        return builder->status;
    if (builder->names == NULL || builder->parser == NULL)
        return builder->status = ln_no_memory(report);
    /* HUGE lifts the parser's own limits: those of the scan and of this builder are tighter, and
     * can be set. */
    xmlCtxtUseOptions(builder->parser, XML_PARSE_NONET | XML_PARSE_HUGE);
    return LINNET_OK;
}

linnet_status ln_builder_feed(ln_model_builder *builder, const char *bytes, size_t length) {
    if (builder->status != LINNET_OK)
        return builder->status;
    linnet_status status = ln_scan_feed(&builder->scan, bytes, length, builder->report);
    if (status != LINNET_OK) {
        ln_builder_stop(builder, status);
        return status;
    }
    while (length > 0 && builder->status == LINNET_OK) {
        int part = length < INT_MAX ? (int)length : INT_MAX;
        int code = parse(builder, bytes, part, 0);
        if (code != XML_ERR_OK && builder->status == LINNET_OK && !builder->parser->wellFormed)
            ln_builder_error(builder, &builder->parser->lastError);
        bytes += part;
        length -= (size_t)part;
    }
    return builder->status;
}

/* What a file that ends too early was in the middle of. */
static linnet_status check_complete(ln_model_builder *builder) {
    const ln_scan *scan = &builder->scan;
    ln_place place = {builder->file, scan->line, 0};
    if (scan->blank)
        return ln_fail(builder->report, LINNET_MODEL, place, "the document is empty");
    const char *what = scan->state == LN_SCAN_COMMENT       ? "a comment"
                       : scan->state == LN_SCAN_CDATA       ? "a CDATA section"
                       : scan->state == LN_SCAN_INSTRUCTION ? "a processing instruction"
                                                            : "a tag";
    if (scan->state != LN_SCAN_TEXT)
        return ln_fail(
            builder->report, LINNET_MODEL, place,
            "not well-formed: the file ends inside %s that begins at line %d; is it cut off?", what,
            scan->tag_line);
    if (builder->depth > 0) {
        const ln_element *element = builder->open[builder->depth - 1].element;
        return ln_fail(
            builder->report, LINNET_MODEL, place,
            "not well-formed: the file ends inside <%s> opened at line %d; close it with </%s>",
            element->name, element->line, element->name);
    }
    return LINNET_OK;
}

const ln_element *ln_builder_finish(ln_model_builder *builder) {
    if (builder->status == LINNET_OK) {
        linnet_status status = check_complete(builder);
        if (status != LINNET_OK)
            ln_builder_stop(builder, status);
    }
    if (builder->status == LINNET_OK) {
        (void)parse(builder, NULL, 0, 1);
        /* The parser can lose its memory without a word; only a parse it calls well-formed counts.
         */
        if (builder->status == LINNET_OK && (!builder->parser->wellFormed || builder->root == NULL))
            ln_builder_error(builder, &builder->parser->lastError);
    }
    return builder->status == LINNET_OK ? builder->root : NULL;
}

void ln_builder_end(ln_model_builder *builder) {
    if (builder->parser != NULL)
        xmlFreeParserCtxt(builder->parser);
    ln_text_free(&builder->text);
    ln_map_free(builder->names);
    ln_sys->release(builder->open);
    ln_sys->release((void *)builder->name_list);
}
