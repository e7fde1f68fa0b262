/* SPDX-License-Identifier: MIT */
/* The schema as XML Schema 1.0. A model may hold types of its own, whose names no schema knows, so
 * the content of models and components is open (processContents="lax"): every element that is known
 * is checked, whichever it is, and others pass. What stands in block types is closed. */
#include "cli/schema.h"

#include "base/text.h"
#include "model/write.h"
#include <string.h>

static void document(ln_text *out, const char *text) {
    if (text == NULL || text[0] == '\0')
        return;
    ln_text_add(out, "<xs:annotation><xs:documentation>");
    ln_xml_text(out, text);
    ln_text_add(out, "</xs:documentation></xs:annotation>");
}

static void attribute(ln_text *out, const char *name, const char *doc, int required) {
    ln_text_add(out, "   <xs:attribute");
    ln_xml_attribute(out, "name", name);
    ln_text_printf(out, " type=\"xs:string\"%s>", required ? " use=\"required\"" : "");
    document(out, doc);
    ln_text_add(out, "</xs:attribute>\n");
}

/* ---- words ---- */

static void word_attribute(ln_text *out, const char *word, const char *name, int required) {
    const char *choice = ln_schema_choice(word, name, 0);
    if (choice == NULL) {
        attribute(out, name, NULL, required);
        return;
    }
    ln_text_printf(
        out, "   <xs:attribute name=\"%s\"%s><xs:simpleType><xs:restriction base=\"xs:string\">",
        name, required ? " use=\"required\"" : "");
    for (int k = 0; (choice = ln_schema_choice(word, name, k)) != NULL; k++)
        ln_text_printf(out, "<xs:enumeration value=\"%s\"/>", choice);
    ln_text_add(out, "</xs:restriction></xs:simpleType></xs:attribute>\n");
}

/* Whether the word has the attribute; *required when it must. */
static int has_attribute(const ln_word *word, const char *name, int *required) {
    for (int k = 0; word->attributes[k] != NULL; k++) {
        *required = word->attributes[k][0] == '!';
        if (strcmp(word->attributes[k] + *required, name) == 0)
            return 1;
    }
    *required = 0;
    return 0;
}

/* A word of that name in one of the contexts (0: whatever they are). */
static int is_meant(const ln_word *word, const char *name, unsigned contexts) {
    return strcmp(word->name, name) == 0 && (contexts == 0 || (word->contexts & contexts) != 0);
}

/* Whether an earlier word of the name has the attribute; *required: all words of the name require
 * it. */
static int came_before(const char *name, unsigned contexts, size_t at, const char *attribute_name,
                       int *required) {
    const ln_word *other;
    int before = 0, one;
    *required = 1;
    for (size_t j = 0; (other = ln_word_at(j)) != NULL; j++) {
        if (!is_meant(other, name, contexts))
            continue;
        before |= has_attribute(other, attribute_name, &one) && j < at;
        *required &= one;
    }
    return before;
}

/* The attributes of a name in several places: all of them, required where every place does. */
static void merged_attributes(ln_text *out, const char *name, unsigned contexts) {
    const ln_word *word;
    for (size_t k = 0; (word = ln_word_at(k)) != NULL; k++)
        for (int a = 0; is_meant(word, name, contexts) && word->attributes[a] != NULL; a++) {
            const char *attribute_name = word->attributes[a] + (word->attributes[a][0] == '!');
            int required;
            if (!came_before(name, contexts, k, attribute_name, &required))
                word_attribute(out, name, attribute_name, required);
        }
}

static void content(ln_text *out, const ln_schema_place *inside);

/* An element of words; contexts 0: a root. */
static void word_element(ln_text *out, const ln_word *word, unsigned contexts) {
    const ln_schema_place *inside = ln_schema_inside(word);
    ln_text_printf(out, "  <xs:element name=\"%s\"><xs:complexType%s>\n", word->name,
                   word->takes_text ? " mixed=\"true\"" : "");
    if (inside != NULL)
        content(out, inside);
    merged_attributes(out, word->name, contexts);
    ln_text_add(out, "  </xs:complexType></xs:element>\n");
}

static void content(ln_text *out, const ln_schema_place *inside) {
    if (inside->holds_blocks) {
        ln_text_add(out, "   <xs:sequence><xs:any namespace=\"##targetNamespace\" "
                         "processContents=\"lax\" minOccurs=\"0\" maxOccurs=\"unbounded\"/>"
                         "</xs:sequence>\n");
        return;
    }
    ln_text_add(out, "   <xs:choice minOccurs=\"0\" maxOccurs=\"unbounded\">\n");
    const ln_word *word;
    for (size_t k = 0; (word = ln_word_at(k)) != NULL; k++)
        if (word->contexts & inside->context)
            word_element(out, word, inside->context);
    ln_text_add(out, "   </xs:choice>\n");
}

/* ---- types ---- */

static void type_element(ln_text *out, const ln_schema *schema, const ln_schema_type *type) {
    ln_text_printf(out, "  <xs:element name=\"%s\">", type->view.name);
    document(out, type->view.doc);
    ln_text_printf(out, "<xs:complexType%s>\n", type->takes_text ? " mixed=\"true\"" : "");
    ln_schema_attributes(schema, type, attribute, out);
    ln_text_add(out, "  </xs:complexType></xs:element>\n");
}

void ln_schema_xsd(const ln_schema *schema, ln_text *out) {
    const unsigned open = LN_IN_MODEL | LN_IN_COMPONENT | LN_IN_REPEAT;
    ln_text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                     "<!-- Linnet's model language, written by `linnet schema` -->\n"
                     "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" "
                     "targetNamespace=\"urn:linnet:model:1\"\n"
                     "  elementFormDefault=\"qualified\">\n");
    const ln_word *word;
    for (size_t k = 0; (word = ln_word_at(k)) != NULL; k++) {
        int known = 0;
        for (size_t j = 0; j < k; j++)
            known |= strcmp(ln_word_at(j)->name, word->name) == 0 &&
                     (ln_word_at(j)->contexts & open) != 0;
        if (word->kind == LN_WORD_ROOT || ((word->contexts & open) != 0 && !known))
            word_element(out, word, word->kind == LN_WORD_ROOT ? 0 : open);
    }
    for (int k = 0; k < schema->ntypes; k++)
        type_element(out, schema, &schema->types[k]);
    ln_text_add(out, "</xs:schema>\n");
}
