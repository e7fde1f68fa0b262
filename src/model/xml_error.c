/* SPDX-License-Identifier: MIT */
/* The XML parser's errors in our words: what is wrong, which element stands open, what to do. */
#include "model/builder.h"

#include <string.h>

typedef struct wording {
    int code;                /* of libxml2 */
    const char *text, *hint; /* text may take the error's first string at %s */
} wording;

static const wording wordings[] = {
    {XML_ERR_ATTRIBUTE_REDEFINED, "attribute '%s' is given twice in one tag", "keep one of them"},
    {XML_NS_ERR_ATTRIBUTE_REDEFINED, "attribute '%s' is given twice in one tag",
     "keep one of them"},
    {XML_ERR_ATTRIBUTE_NOT_STARTED, "an attribute's value is not in quotes",
     "write name=\"value\""},
    {XML_ERR_ATTRIBUTE_NOT_FINISHED, "an attribute's value has no closing quote",
     "write name=\"value\""},
    {XML_ERR_ATTRIBUTE_WITHOUT_VALUE, "attribute '%s' has no value", "write name=\"value\""},
    {XML_ERR_LT_IN_ATTRIBUTE, "'<' inside an attribute's value",
     "write lt or &lt;, or close the quote before it"},
    {XML_ERR_SPACE_REQUIRED, "a blank is missing between two attributes", "write a=\"1\" b=\"2\""},
    {XML_ERR_GT_REQUIRED, "a tag is not closed by '>'", "check its attributes and quotes"},
    {XML_ERR_LTSLASH_REQUIRED, "an end tag is not of the form </name>", "check the line"},
    {XML_ERR_NAME_REQUIRED, "a name is missing behind '<' or '&'",
     "a lone '<' is written lt or &lt;, '&' &amp;"},
    {XML_ERR_ENTITYREF_NO_NAME, "a lone '&'", "write &amp; (or 'and' in a condition)"},
    {XML_ERR_ENTITYREF_SEMICOL_MISSING, "a lone '&'", "write &amp; (or 'and' in a condition)"},
    {XML_ERR_UNDECLARED_ENTITY, "unknown entity '&%s;'",
     "XML knows &lt; &gt; &amp; &quot; &apos; only"},
    {XML_WAR_UNDECLARED_ENTITY, "unknown entity '&%s;'",
     "XML knows &lt; &gt; &amp; &quot; &apos; only"},
    {XML_ERR_INVALID_CHARREF, "a character reference &#...; names no character",
     "check its number"},
    {XML_ERR_INVALID_DEC_CHARREF, "a character reference &#...; names no character",
     "check its number"},
    {XML_ERR_INVALID_HEX_CHARREF, "a character reference &#x...; names no character",
     "check its number"},
    {XML_ERR_HYPHEN_IN_COMMENT, "'--' inside a comment", "a comment ends at -->"},
    {XML_ERR_RESERVED_XML_NAME, "<?xml ...?> may stand only at the very beginning",
     "remove what is before it"},
    {XML_ERR_MISPLACED_CDATA_END, "']]>' in text", "write ]]&gt;"},
    {XML_NS_ERR_UNDEFINED_NAMESPACE, "the prefix of '%s' stands for no namespace",
     "remove the prefix"},
    {XML_ERR_DOCUMENT_EMPTY, "text where the root element belongs",
     "a model begins with <model ...>"},
    {XML_ERR_DOCUMENT_END, "more text behind the end of the root element",
     "a file holds one <model>"},
};

void ln_builder_stop(ln_model_builder *builder, linnet_status status) {
    if (builder->status != LINNET_OK)
        return;
    builder->status = status;
    if (builder->parser != NULL)
        xmlStopParser(builder->parser);
}

static void say(ln_model_builder *builder, int line, const char *text, const char *hint) {
    ln_error(builder->report, (ln_place){builder->file, line, 0}, "not well-formed: %s; %s", text,
             hint);
}

static void say_mismatch(ln_model_builder *builder, int line, const char *closing) {
    if (builder->depth == 0) {
        say(builder, line, "an end tag closes nothing", "remove it");
        return;
    }
    const ln_element *element = builder->open[builder->depth - 1].element;
    ln_error(builder->report, (ln_place){builder->file, line, 0},
             "not well-formed: <%s> opened at line %d is closed by </%s>; write </%s> before it, "
             "or <%s .../>",
             element->name, element->line, closing != NULL ? closing : "?", element->name,
             element->name);
}

static void say_character(ln_model_builder *builder, int line) {
    const xmlParserInput *input = builder->parser->input;
    long byte = xmlByteConsumed(builder->parser) + 1;
    ln_place place = {builder->file, line, 0};
    if (input != NULL && input->cur < input->end && *input->cur < ' ')
        ln_error(
            builder->report, place,
            "not well-formed: a control character (number %d) at byte %ld of the file; remove it",
            *input->cur, byte);
    else
        ln_error(builder->report, place,
                 "not valid in encoding 'utf-8' at byte %ld of the file; save the file as UTF-8",
                 byte);
}

/* libxml2's own text, without its newline. */
static void say_other(ln_model_builder *builder, int line, const char *message) {
    size_t length = message != NULL ? strcspn(message, "\n") : 0;
    if (length == 0)
        say(builder, line, "the XML parser gave up", "check the file with xmllint");
    else
        ln_error(builder->report, (ln_place){builder->file, line, 0},
                 "not well-formed: %.*s; check the line before it", (int)length, message);
}

static void say_known(ln_model_builder *builder, int line, const wording *known, const char *name) {
    char text[256];
    const char *gap = strstr(known->text, "%s");
    if (gap == NULL) {
        say(builder, line, known->text, known->hint);
        return;
    }
    snprintf(text, sizeof text, "%.*s%s%s", (int)(gap - known->text), known->text,
             name != NULL ? name : "?", gap + 2);
    say(builder, line, text, known->hint);
}

void ln_builder_error(void *context, xmlErrorPtr error) {
    ln_model_builder *builder = context;
    if (builder->status != LINNET_OK || (error != NULL && error->level == XML_ERR_WARNING))
        return;
    if (error == NULL || error->code == XML_ERR_NO_MEMORY || builder->parser == NULL) {
        ln_builder_stop(builder, ln_no_memory(builder->report));
        return;
    }
    int line = builder->parser->input != NULL ? builder->parser->input->line : 0;
    const wording *known = NULL;
    for (size_t k = 0; k < sizeof wordings / sizeof *wordings && known == NULL; k++)
        if (wordings[k].code == error->code)
            known = &wordings[k];
    if (error->code == XML_ERR_TAG_NAME_MISMATCH)
        say_mismatch(builder, line, error->str2);
    else if (error->code == XML_ERR_INVALID_ENCODING || error->code == XML_ERR_INVALID_CHAR)
        say_character(builder, line);
    else if (known != NULL)
        say_known(builder, line, known, error->str1);
    else
        say_other(builder, line, error->message);
    ln_builder_stop(builder, LINNET_MODEL);
}
