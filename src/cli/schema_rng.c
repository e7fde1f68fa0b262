/* SPDX-License-Identifier: MIT */
/* The schema as RELAX NG (ISO/IEC 19757-2) in XML, with the annotations of its DTD compatibility
 * (a:documentation) that editors show. */
#include "cli/schema.h"

#include "base/text.h"
#include "model/write.h"
#include <string.h>

static void document(ln_text *out, const char *text) {
    if (text == NULL || text[0] == '\0')
        return;
    ln_text_add(out, "<a:documentation>");
    ln_xml_text(out, text);
    ln_text_add(out, "</a:documentation>");
}

/* An attribute of any value. */
static void attribute(ln_text *out, const char *name, const char *doc, int required) {
    ln_text_add(out, required ? "    <attribute" : "    <optional><attribute");
    ln_xml_attribute(out, "name", name);
    ln_text_add(out, ">");
    document(out, doc);
    ln_text_add(out, required ? "</attribute>\n" : "</attribute></optional>\n");
}

/* ---- words ---- */

static void word_attribute(ln_text *out, const ln_word *word, const char *text) {
    const int required = text[0] == '!';
    const char *name = text + required;
    if (ln_schema_choice(word->name, name, 0) == NULL) {
        attribute(out, name, NULL, required);
        return;
    }
    ln_text_add(out, required ? "    <attribute" : "    <optional><attribute");
    ln_xml_attribute(out, "name", name);
    ln_text_add(out, "><choice>");
    const char *choice;
    for (int k = 0; (choice = ln_schema_choice(word->name, name, k)) != NULL; k++)
        ln_text_printf(out, "<value>%s</value>", choice);
    ln_text_add(out, required ? "</choice></attribute>\n" : "</choice></attribute></optional>\n");
}

static void word_element(ln_text *out, const ln_word *word) {
    ln_text_printf(out, "   <element name=\"%s\">\n", word->name);
    for (int k = 0; word->attributes[k] != NULL; k++)
        word_attribute(out, word, word->attributes[k]);
    const ln_schema_place *inside = ln_schema_inside(word);
    if (inside != NULL)
        ln_text_printf(out, "    <ref name=\"%s\"/>\n", inside->name);
    else
        ln_text_add(out, word->takes_text ? "    <text/>\n" : "    <empty/>\n");
    ln_text_add(out, "   </element>\n");
}

/* All that may stand at a place, in any order and number. */
static void place(ln_text *out, const ln_schema_place *in) {
    ln_text_printf(out, " <define name=\"%s\">\n  <zeroOrMore><choice>\n", in->name);
    const ln_word *word;
    for (size_t k = 0; (word = ln_word_at(k)) != NULL; k++)
        if (word->contexts & in->context)
            word_element(out, word);
    if (in->holds_blocks)
        ln_text_add(out, "   <ref name=\"block\"/>\n   <ref name=\"own-block\"/>\n");
    ln_text_add(out, "  </choice></zeroOrMore>\n </define>\n");
}

/* ---- types ---- */

static void type_element(ln_text *out, const ln_schema *schema, const ln_schema_type *type) {
    ln_text_printf(out, "   <element name=\"%s\">", type->view.name);
    document(out, type->view.doc);
    ln_text_add(out, "\n");
    ln_schema_attributes(schema, type, attribute, out);
    ln_text_add(out, type->takes_text ? "    <text/>\n   </element>\n"
                                      : "    <empty/>\n   </element>\n");
}

/* A type that the model, or what it includes, defines: any name that is none of these. */
static void own_block(ln_text *out, const ln_schema *schema) {
    ln_text_add(out, " <define name=\"own-block\">\n  <element>\n   <nsName><except>\n");
    for (int k = 0; k < schema->nwords; k++)
        ln_text_printf(out, "    <name>%s</name>\n", schema->words[k]);
    for (int k = 0; k < schema->ntypes; k++)
        ln_text_printf(out, "    <name>%s</name>\n", schema->types[k].view.name);
    ln_text_add(out, "   </except></nsName>\n   <attribute name=\"id\"/>\n"
                     "   <zeroOrMore><attribute><anyName><except><name ns=\"\">id</name></except>"
                     "</anyName></attribute></zeroOrMore>\n   <text/>\n  </element>\n </define>\n");
}

void ln_schema_rng(const ln_schema *schema, ln_text *out) {
    ln_text_add(out,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                "<!-- Linnet's model language, written by `linnet schema` -->\n"
                "<grammar xmlns=\"http://relaxng.org/ns/structure/1.0\" ns=\"urn:linnet:model:1\"\n"
                "  xmlns:a=\"http://relaxng.org/ns/compatibility/annotations/1.0\">\n"
                " <start><choice>\n");
    const ln_word *word;
    for (size_t k = 0; (word = ln_word_at(k)) != NULL; k++)
        if (word->kind == LN_WORD_ROOT)
            word_element(out, word);
    ln_text_add(out, " </choice></start>\n");
    const ln_schema_place *in;
    for (int k = 0; (in = ln_schema_place_at(k)) != NULL; k++)
        place(out, in);
    ln_text_add(out, " <define name=\"block\">\n  <choice>\n");
    for (int k = 0; k < schema->ntypes; k++)
        type_element(out, schema, &schema->types[k]);
    ln_text_add(out, "  </choice>\n </define>\n");
    own_block(out, schema);
    ln_text_add(out, "</grammar>\n");
}
