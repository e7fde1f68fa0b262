/* SPDX-License-Identifier: MIT */
/* A tree written as XML again. */
#include "model/write.h"
#include "base/text.h"

#include <string.h>

/* ]]> may not stand in a text (XML 1.0, 2.4). */
static int ends_data(const char *whole, const char *at) {
    return *at == '>' && at > whole + 1 && at[-1] == ']' && at[-2] == ']';
}

void ln_xml_text(ln_text *out, const char *text) {
    const char *whole = text;
    for (; *text != '\0'; text++) {
        const char *name = *text == '&'             ? "&amp;"
                           : *text == '<'           ? "&lt;"
                           : *text == '"'           ? "&quot;"
                           : *text == '\n'          ? "&#10;"
                           : *text == '\t'          ? "&#9;"
                           : *text == '\r'          ? "&#13;"
                           : ends_data(whole, text) ? "&gt;"
                                                    : NULL;
        if (name != NULL)
            ln_text_add(out, name);
        else
            ln_text_add_bytes(out, text, 1);
    }
}

void ln_xml_attribute(ln_text *out, const char *name, const char *value) {
    ln_text_printf(out, " %s=\"", name);
    ln_xml_text(out, value);
    ln_text_add(out, "\"");
}

void ln_xml_element(ln_text *out, const ln_element *element, int depth) {
    ln_text_printf(out, "%*s<%s", 2 * depth, "", element->name);
    for (int k = 0; k < element->nattributes; k++)
        ln_xml_attribute(out, element->attributes[k].name, element->attributes[k].value);
    if (element->text == NULL && element->first == NULL) {
        ln_text_add(out, "/>\n");
        return;
    }
    ln_text_add(out, ">");
    if (element->text != NULL)
        ln_xml_text(out, element->text);
    if (element->first != NULL)
        ln_text_add(out, "\n");
    for (const ln_element *child = element->first; child != NULL; child = child->next)
        ln_xml_element(out, child, depth + 1);
    if (element->first != NULL)
        ln_text_printf(out, "%*s", 2 * depth, "");
    ln_text_printf(out, "</%s>\n", element->name);
}
