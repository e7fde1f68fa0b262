/* SPDX-License-Identifier: MIT */
/* The room `model`: trees with exact places, refusals, the words of the language, includes. */
#include "messages.h"
#include "unit.h"

#include "base/sys.h"
#include "base/text.h"
#include "model/language.h"
#include "model/model.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN "<model xmlns=\"urn:linnet:model:1\">\n"

/* ---- helpers ---- */

/* Reads XML from memory; NULL in `message`: it must be read, else refused with that message. */
static void check_tree(const char *xml, size_t length, const ln_limits *limits,
                       const char *message) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    linnet_status status;
    const ln_element *root =
        ln_tree_read_memory(arena, (ln_document){"m.xml", xml, length}, limits, report, &status);
    if (message == NULL) {
        CU_ASSERT(root != NULL && status == LINNET_OK && ln_report_errors(report) == 0);
    } else {
        CU_ASSERT(root == NULL && status == LINNET_MODEL && ln_report_errors(report) == 1);
        CU_ASSERT(contains(report, message));
    }
    ln_arena_free(arena);
    ln_report_free(report);
}

static void refuse(const char *xml, const char *message) {
    check_tree(xml, strlen(xml), NULL, message);
}

/* The same for a whole model. */
static void check_model(const char *xml, const char *message) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *model = NULL;
    linnet_status status = ln_model_read_memory("m.xml", xml, strlen(xml), NULL, report, &model);
    if (message == NULL) {
        CU_ASSERT(status == LINNET_OK && model != NULL && ln_report_errors(report) == 0);
        if (ln_report_errors(report) > 0)
            printf("\n    %s\n", ln_report_text(report, 0));
    } else {
        CU_ASSERT(status == LINNET_MODEL && model == NULL && contains(report, message));
    }
    ln_model_free(model);
    ln_report_free(report);
}

/* ---- trees ---- */

static void tree_holds_what_is_written(void) {
    static const char xml[] = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- a > b -->\n" OPEN
                              "  <r id=\"R1\"\n     n=\"a &lt; b\"/>\n\n<t>\n 1 2\n "
                              "<![CDATA[<3>]]> &amp; \n</t><r id=\"\xc3\xa9\"/></model>";
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    linnet_status status;
    const ln_element *root =
        ln_tree_read_memory(arena, (ln_document){"m.xml", xml, strlen(xml)}, NULL, report, &status);
    CU_ASSERT_FATAL(root != NULL);
    const ln_element *r = root->first, *t = r->next, *last = t->next;
    CHECK_TEXT(root->name, "model");
    CHECK_TEXT(r->name, "r");
    CHECK_TEXT(ln_attribute_of(r, "n"), "a < b");
    CHECK_TEXT(t->text, "1 2\n <3> &");
    CHECK_TEXT(ln_attribute_of(last, "id"), "\xc3\xa9");
    CU_ASSERT(root->line == 3 && r->line == 4 && t->line == 7 && last->line == 10);
    CU_ASSERT(r->name == last->name && r->attributes[0].name == last->attributes[0].name);
    CU_ASSERT(root->text == NULL && r->text == NULL && last->next == NULL && r->first == NULL);
    CU_ASSERT(root->nattributes == 0 && r->nattributes == 2);
    ln_arena_free(arena);
    ln_report_free(report);
}

/* libxml2 itself keeps 16 bits of a line number; tags that span chunks and lines must not disturb
 * the count. */
static void lines_are_exact_in_large_files(void) {
    enum { ELEMENTS = 200000 };
    ln_text xml = {0};
    ln_text_add(&xml, OPEN);
    for (int k = 0; k < ELEMENTS; k++)
        ln_text_printf(&xml, "<r id=\"R%d\"\n  p=\"a\"\n/>\n", k);
    ln_text_add(&xml, "</model>");
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    linnet_status status;
    const ln_element *root = ln_tree_read_memory(
        arena, (ln_document){"m.xml", xml.data, xml.length}, NULL, report, &status);
    CU_ASSERT_FATAL(root != NULL);
    int line = 2, wrong = 0, count = 0;
    for (const ln_element *r = root->first; r != NULL; r = r->next, line += 3, count++)
        wrong += r->line != line;
    CU_ASSERT(wrong == 0 && count == ELEMENTS);
    ln_arena_free(arena);
    ln_report_free(report);
    ln_text_free(&xml);
}

static void malformed_files_are_refused(void) {
    refuse("", "m.xml:1: error: the document is empty");
    refuse(" \n\n", "m.xml:3: error: the document is empty");
    refuse(OPEN "<component name=\"a\">\n<r/>\n",
           "m.xml:4: error: not well-formed: the file ends inside <component> opened at line 2");
    refuse(OPEN "<r id=\"", "ends inside a tag that begins at line 2");
    refuse(OPEN "<!-- <r/>", "ends inside a comment that begins at line 2");
    refuse(OPEN "<t><![CDATA[ ]] >", "ends inside a CDATA section that begins at line 2");
    refuse(OPEN "<component>\n<port>\n</component></model>",
           "m.xml:4: error: not well-formed: <port> opened at line 3 is closed by </component>");
    refuse(OPEN "<r id=\"a\" id=\"b\"/></model>",
           "m.xml:2: error: not well-formed: attribute 'id' is given twice");
    refuse(OPEN "<r id=a/></model>", "not in quotes");
    refuse(OPEN "<r id/></model>", "attribute 'id' has no value");
    refuse(OPEN "<r c=\"a < b\"/></model>", "'<' inside an attribute's value; write lt");
    refuse(OPEN "<r c=\"a & b\"/></model>", "'&' &amp;");
    refuse(OPEN "<r c=\"&foo;\"/></model>", "unknown entity '&foo;'");
    refuse(OPEN "</model><model/>", "more text behind the end of the root element");
    refuse("resistor", "text where the root element belongs");
    refuse(OPEN "<r id=\"\xe9\"/></model>",
           "m.xml:2: error: not valid in encoding 'utf-8' at byte 43");
    refuse(OPEN "<r id=\"\x01\"/></model>",
           "m.xml:2: error: not well-formed: a control character (number 1) at byte 43");
    refuse("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n" OPEN "</model>",
           "encoding 'ISO-8859-1' is not accepted");
    refuse("\x1f\x8b\x08", "compressed input is not accepted");
    check_tree("<\0m\0", 4, NULL, "UTF-16");
    refuse("<model xmlns=\"urn:other\"/>", "root element <model> is of the namespace 'urn:other'");
    refuse(OPEN "<svg xmlns=\"urn:svg\"/></model>",
           "m.xml:2: error: <svg> is of the namespace 'urn:svg'");
    refuse(OPEN "<r q:id=\"a\" xmlns:q=\"urn:q\"/></model>", "attribute 'q:id'");
    refuse(OPEN "<q:r/></model>", "stands for no namespace");
    check_tree("<model/>", 8, NULL, NULL);
    check_tree("\xef\xbb\xbf<model/>", 11, NULL, NULL);
}

static void document_types_are_refused(void) {
    refuse("<!DOCTYPE model SYSTEM \"file:///etc/hostname\">\n<model/>",
           "m.xml:1: error: document types are not accepted");
    refuse("<?xml version=\"1.0\"?>\n<!DOCTYPE m [<!ENTITY a \"lol\"><!ENTITY b "
           "\"&a;&a;\">]>\n<model>&b;</model>",
           "m.xml:2: error: document types are not accepted");
    refuse("<!DOCTYPE m [", "document types are not accepted");
}

static double seconds_to_refuse(const ln_text *xml, const ln_limits *limits, const char *message) {
    double start = ln_sys->clock();
    check_tree(xml->data, xml->length, limits, message);
    return ln_sys->clock() - start;
}

/* Each of these took the parser alone seconds to minutes, or gigabytes. */
static void attacks_end_at_once(void) {
    ln_text xml = {0};
    ln_text_add(&xml, OPEN "\n<a");
    for (int k = 0; k < 200000; k++)
        ln_text_printf(&xml, " a%d=\"1\"", k);
    ln_text_add(&xml, "/></model>");
    CU_ASSERT(seconds_to_refuse(&xml, NULL, "m.xml:3: error: a tag has more than 64 attributes") <
              0.5);
    xml.length = 0;
    ln_text_add(&xml, OPEN);
    for (int k = 0; k < 100000; k++)
        ln_text_add(&xml, "<a>");
    CU_ASSERT(seconds_to_refuse(&xml, NULL, "<a> is nested deeper than 64 levels") < 0.5);
    xml.length = 0;
    ln_text_add(&xml, OPEN "<a b=\"");
    for (int k = 0; k < 200000; k++)
        ln_text_add(&xml, "0123456789");
    CU_ASSERT(seconds_to_refuse(&xml, NULL, "m.xml:2: error: a tag is longer than 65536 bytes") <
              0.5);
    ln_text_free(&xml);
}

static void limits_can_be_set(void) {
    ln_limits limits = ln_limits_default;
    static const char xml[] = OPEN "<a b=\"1\" c=\"2\"><d/></a><!-- eleven char --></model>";
    check_tree(xml, strlen(xml), &limits, NULL);
    limits.attributes = 1;
    check_tree(xml, strlen(xml), &limits, "more than 1 attributes");
    limits = ln_limits_default;
    limits.depth = 2;
    check_tree(xml, strlen(xml), &limits, "<d> is nested deeper than 2 levels");
    limits = ln_limits_default;
    limits.elements = 2;
    check_tree(xml, strlen(xml), &limits, "more than 2 elements");
    limits = ln_limits_default;
    limits.file_bytes = 20;
    check_tree(xml, strlen(xml), &limits, "larger than 20 bytes");
    limits = ln_limits_default;
    limits.section_bytes = 10;
    check_tree(xml, strlen(xml), &limits, "longer than 10 bytes");
    limits = ln_limits_default;
    limits.tag_bytes = 30;
    check_tree(xml, strlen(xml), &limits, "m.xml:1: error: a tag is longer than 30 bytes");
}

/* The same file in pieces of any size is the same tree or the same message: chunks end in the
 * middle of everything. */
static ssize_t (*real_read)(int, void *, size_t);
static size_t piece = 1;
static ssize_t read_piece(int fd, void *buffer, size_t bytes) {
    return real_read(fd, buffer, bytes < piece ? bytes : piece);
}

static void read_in_pieces(const char *path, const char *message) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    linnet_status status;
    ln_sys_table table = ln_sys_real;
    real_read = ln_sys_real.read;
    table.read = read_piece;
    ln_sys = &table;
    const ln_element *root = ln_tree_read_file(arena, path, NULL, report, &status);
    ln_sys = &ln_sys_real;
    if (message == NULL) {
        CU_ASSERT(root != NULL && root->first->line == 3);
        if (root != NULL)
            CHECK_TEXT(root->first->text, "<x> &");
    } else {
        CU_ASSERT(root == NULL && contains(report, message));
    }
    ln_arena_free(arena);
    ln_report_free(report);
}

/* ---- files ---- */

static char folder[] = "/tmp/linnet-model-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(in_folder(name), "w");
    CU_ASSERT_FATAL(file != NULL);
    fputs(text, file);
    fclose(file);
}

static void pieces_of_any_size(void) {
    write_file("whole.xml", "<?xml version='1.0' encoding='UTF-8'?>\n" OPEN
                            "<t a='>' b=\"'\"><!-- - -- > --><![CDATA[<x>]]> &amp;</t></model>");
    write_file("fine.xml", "<?xml version='1.0' encoding='UTF-8'?>\n" OPEN
                           "<t a='>' b=\"'\"><!-- - > <a --><![CDATA[<x>]]> &amp;</t></model>");
    write_file("type.xml", "<?xml version='1.0'?>\n<!DOCTYPE a>" OPEN "</model>");
    write_file("cut.xml", OPEN "\n<t a='");
    for (piece = 1; piece < 12; piece++) {
        read_in_pieces(in_folder("whole.xml"), "'--' inside a comment");
        read_in_pieces(in_folder("fine.xml"), NULL);
        read_in_pieces(in_folder("type.xml"), "type.xml:2: error: document types are not accepted");
        read_in_pieces(
            in_folder("cut.xml"),
            "cut.xml:3: error: not well-formed: the file ends inside a tag that begins at line 3");
    }
}

static void unreadable_files(void) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *model;
    CU_ASSERT(ln_model_read(in_folder("absent.xml"), NULL, report, &model) == LINNET_IO &&
              model == NULL);
    CU_ASSERT(contains(report, "cannot read") &&
              contains(report, "absent.xml': No such file or directory"));
    CU_ASSERT(ln_model_read(folder, NULL, report, &model) == LINNET_IO);
    CU_ASSERT(contains(report, "Is a directory"));
    ln_report_free(report);
}

/* ---- the language ---- */

/* Who lists what a word takes goes on to the NULL behind it: the word with the most has one, too.
 */
static void lists_of_attributes_end(void) {
    const ln_word *word;
    size_t words = 0;
    for (; (word = ln_word_at(words)) != NULL; words++)
        CU_ASSERT_PTR_NULL(
            word->attributes[sizeof word->attributes / sizeof *word->attributes - 1]);
    CU_ASSERT(words > 20);
}

static void model_is_sorted(void) {
    static const char xml[] = "<model name=\"m\" version=\"1\" xmlns=\"urn:linnet:model:1\">"
                              "<parameter name=\"k\" value=\"1\"/><ground id=\"g\" p=\"0\"/><link "
                              "id=\"a\" from=\"R.p\" to=\"C.p\"/>"
                              "<resistor id=\"R\" p=\"a\" n=\"0\" R=\"k\"/><start link=\"a\" "
                              "value=\"1\"/><simulation duration=\"1\"/>"
                              "<record signals=\"a\"/><reference signal=\"a\" value=\"0\"/>"
                              "<block-type name=\"ball\"><output name=\"y\"/><state "
                              "name=\"h\"/><variable name=\"v\"/><let name=\"l\" "
                              "value=\"h\"/>"
                              "<start of=\"h\" value=\"1\"/><equation>y = h</equation><equation>v "
                              "= h</equation></block-type>"
                              "<component name=\"two\"><port name=\"p\" "
                              "domain=\"electrical\"/><resistor id=\"R\" p=\"p\" "
                              "n=\"0\"/></component></model>";
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *model;
    CU_ASSERT_FATAL(ln_model_read_memory("x/m.xml", xml, strlen(xml), NULL, report, &model) ==
                    LINNET_OK);
    const ln_body *body = &model->body;
    CHECK_TEXT(model->name, "m");
    CU_ASSERT(body->nparameters == 1 && body->nblocks == 2 && body->nlinks == 1 &&
              body->nstarts == 1);
    CU_ASSERT(model->simulation != NULL && model->nrecords == 1 && model->nreferences == 1 &&
              model->ndefinitions == 2);
    CHECK_TEXT(body->blocks[1]->name, "resistor");
    const ln_definition *ball = &model->definitions[0], *two = &model->definitions[1];
    CHECK_TEXT(ball->name, "ball");
    CU_ASSERT(!ball->is_component && ball->body.nports == 1 && ball->body.nstates == 2 &&
              ball->body.nlets == 1);
    CU_ASSERT(ball->body.nequations == 2 && ball->body.nstarts == 1);
    CHECK_TEXT(two->name, "two");
    CU_ASSERT(two->is_component && two->body.nblocks == 1 && two->body.nports == 1);
    ln_model_free(model);
    ln_report_free(report);
}

static void wrong_words_are_told(void) {
    check_model("<foo/>", "m.xml:1: error: the root is <foo>, expected <model>");
    check_model("<library/>", "a library holds types only");
    check_model("<model version=\"9\"/>",
                "version '9' of the language is not supported; this program reads version 1");
    check_model(
        OPEN "<simulation durration=\"1\"/></model>",
        "m.xml:2: error: <simulation> has no attribute 'durration'; did you mean 'duration'?");
    check_model(OPEN "<record xyzzy=\"1\"/></model>", "it has: signals, name, expression, unit");
    check_model(OPEN "<parameter name=\"a\"/></model>",
                "<parameter> lacks an attribute; write value=");
    check_model(OPEN "<parameter name=\"\" value=\"1\"/></model>",
                "has an empty attribute; write name=");
    check_model(OPEN "<parameter name=\"1a\" value=\"1\"/></model>", "name '1a' is not accepted");
    check_model(OPEN "<parameter name=\"pi\" value=\"1\"/></model>", "the name 'pi' is reserved");
    check_model(OPEN "<parameter name=\"t\" value=\"1\"/></model>", "the name 't' is reserved");
    check_model(OPEN
                "<parameter name=\"a\" value=\"1\"/>\n<parameter name=\"a\" value=\"2\"/></model>",
                "m.xml:3: error: <parameter>: the name 'a' is already given in <model> at line 2");
    check_model(OPEN "<simulation/>\n<simulation/></model>",
                "m.xml:3: error: a second <simulation>; the first is at line 2");
    check_model(OPEN "<equation>a = b</equation></model>",
                "<equation> has no meaning in <model>; it belongs in <block-type>");
    check_model(
        OPEN "<simulaton duration=\"1\"/></model>",
        "unknown element <simulaton>: it is no block, as it has no id; did you mean <simulation>?");
    check_model(OPEN "<resistor id=\"R\"><port/></resistor></model>",
                "<port> has no meaning inside the block <resistor>");
    check_model(OPEN "<record signals=\"a\">text</record></model>",
                "text 'text' inside <record> has no meaning");
    check_model(OPEN "<plugin file=\"a.so\"/></model>", "by the command line only");
    check_model(
        OPEN "<block-type name=\"b\"><when condition=\"h lt 0\"><put "
             "name=\"v\"/></when></block-type></model>",
        "m.xml:2: error: unknown element <put> in <when>; it holds <set>, <stop> and <fail>");
    check_model(OPEN "<block-type name=\"b\"><eqation>a = b</eqation></block-type></model>",
                "unknown element <eqation> in block type 'b'; did you mean <equation>?");
    check_model(OPEN "<block-type name=\"b\"><resistor/></block-type></model>",
                "blocks belong in a <component>");
    check_model(OPEN "<block-type name=\"b\"><equation/></block-type></model>",
                "<equation> is empty");
    check_model(OPEN "<block-type name=\"b\"><state name=\"h\"/><let name=\"h\" "
                     "value=\"1\"/></block-type></model>",
                "the name 'h' is already given in block type 'b'");
    check_model(OPEN "<block-type name=\"link\"/></model>", "'link' is a word of the language");
    check_model(OPEN "<block-type/></model>", "<block-type> lacks an attribute; write name=");
    check_model(OPEN "<component name=\"a\"/>\n<block-type name=\"a\"/></model>",
                "m.xml:3: error: block type 'a' is already defined at line 2");
    check_model(OPEN "<when id=\"a\"/></model>",
                "<when> has no meaning in <model>; it belongs in <block-type>");
    /* a block without id is the network's affair */
    check_model(OPEN "<step out=\"u\"/></model>", NULL);
}

/* All errors of a file, not the first only. */
static void all_errors_are_told(void) {
    static const char xml[] =
        OPEN "<parameter/><simulation a=\"1\" b=\"2\"/><equation/><block-type "
             "name=\"x\"><foo/><link/></block-type></model>";
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *model;
    CU_ASSERT(ln_model_read_memory("m.xml", xml, strlen(xml), NULL, report, &model) ==
              LINNET_MODEL);
    CU_ASSERT(ln_report_errors(report) == 7);
    ln_report_free(report);
}

static void libraries_hold_types(void) {
    static const char fine[] =
        "<library><block-type name=\"a\"><equation>p.i = 1</equation></block-type></library>";
    static const char wrong[] = "<library><resistor id=\"R\"/></library>";
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *model;
    CU_ASSERT_FATAL(ln_library_read_memory("l.xml", fine, strlen(fine), report, &model) ==
                    LINNET_OK);
    CU_ASSERT(model->ndefinitions == 1 && model->body.nblocks == 0);
    CHECK_TEXT(model->name, "l");
    ln_model_free(model);
    CU_ASSERT(ln_library_read_memory("l.xml", wrong, strlen(wrong), report, &model) ==
                  LINNET_MODEL &&
              model == NULL);
    CU_ASSERT(contains(report, "<resistor> has no meaning in <library>, which gives types only"));
    ln_report_free(report);
}

/* ---- includes ---- */

static void include(const char *main_text, const ln_model_options *options, const char *message,
                    int ndefinitions) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *model;
    write_file("main.xml", main_text);
    linnet_status status = ln_model_read(in_folder("main.xml"), options, report, &model);
    if (message == NULL) {
        CU_ASSERT(status == LINNET_OK && model != NULL && model->ndefinitions == ndefinitions);
        if (status != LINNET_OK)
            printf("\n    %s\n", ln_report_text(report, 0));
    } else {
        CU_ASSERT(status == LINNET_MODEL && contains(report, message));
    }
    ln_model_free(model);
    ln_report_free(report);
}

static void includes_give_types(void) {
    mkdir(in_folder("parts"), 0700);
    write_file("a.xml",
               "<library><include href=\"parts/b.xml\"/><component name=\"a\"/></library>");
    write_file("parts/b.xml", "<model xmlns=\"urn:linnet:model:1\"><include "
                              "href=\"c.xml\"/><block-type name=\"b\"/></model>");
    write_file("parts/c.xml", "<library><block-type name=\"c\"/></library>");
    include(OPEN "<include href=\"a.xml\"/><include href=\"parts/c.xml\"/><include "
                 "href=\"./a.xml\"/></model>",
            NULL, NULL, 3);
    include(OPEN "<include href=\"c.xml\"/></model>", NULL, "m", 0);
    char library[512];
    snprintf(library, sizeof library, "%s/parts", folder);
    include(OPEN "<include href=\"c.xml\"/></model>", &(ln_model_options){.library = library}, NULL,
            1);
    const char *folders[] = {library};
    include(OPEN "<include href=\"c.xml\"/></model>",
            &(ln_model_options){.include_folders = folders, .ninclude_folders = 1}, NULL, 1);
    write_file("blocks.xml", "<model><resistor id=\"R\"/></model>");
    include(OPEN "<include href=\"blocks.xml\"/></model>", NULL,
            "blocks.xml:1: error: <resistor> has no meaning in the included file", 0);
    write_file("again.xml", "<library>\n<block-type name=\"c\"/></library>");
    include(OPEN "<include href=\"parts/c.xml\"/><include href=\"again.xml\"/></model>", NULL,
            "parts/c.xml:1", 0);
}

static void includes_stay_inside(void) {
    include(OPEN "<include href=\"absent.xml\"/></model>", NULL,
            "main.xml:2: error: include: cannot read 'absent.xml'", 0);
    include(OPEN "<include href=\"http://a.org/b.xml\"/></model>", NULL,
            "only paths of files are accepted", 0);
    include(OPEN "<include href=\"file:///etc/passwd\"/></model>", NULL,
            "only paths of files are accepted", 0);
    include(OPEN "<include href=\"/etc/passwd\"/></model>", NULL, "leaves the model's folder", 0);
    include(OPEN "<include href=\"parts/../../x.xml\"/></model>", NULL, "leaves the model's folder",
            0);
    include(OPEN "<include href=\"a&#10;b.xml\"/></model>", NULL, "control character", 0);
    include(OPEN "<include/></model>", NULL, "<include> lacks an attribute; write href=", 0);
    CU_ASSERT(symlink("/etc/hostname", in_folder("out.xml")) == 0);
    include(OPEN "<include href=\"out.xml\"/></model>", NULL,
            "leaves the model's folder: it is a link to '/etc/", 0);
    CU_ASSERT(symlink("parts/c.xml", in_folder("in.xml")) == 0);
    include(OPEN "<include href=\"in.xml\"/></model>", NULL, NULL, 1);
    write_file("x.xml", "<library>\n<include href=\"y.xml\"/></library>");
    write_file("y.xml", "<library>\n\n<include href=\"x.xml\"/></library>");
    include(OPEN "<include href=\"x.xml\"/></model>", NULL,
            "y.xml:3: error: circular include: x.xml -> y.xml -> x.xml", 0);
    include(OPEN "<include href=\"main.xml\"/></model>", NULL,
            "circular include: main.xml -> main.xml", 0);
    ln_limits limits = ln_limits_default;
    limits.include_depth = 1;
    include(OPEN "<include href=\"a.xml\"/></model>", &(ln_model_options){.limits = &limits},
            "a.xml:1: error: include 'parts/b.xml' is nested deeper than 1 files", 0);
    limits = ln_limits_default;
    limits.include_files = 2;
    include(OPEN "<include href=\"a.xml\"/></model>", &(ln_model_options){.limits = &limits},
            "more than 2 files are included", 0);
}

static void make_folder(void) {
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
}

static void remove_folder(void) {
    static const char *const names[] = {
        "whole.xml",   "fine.xml",   "type.xml",  "cut.xml", "main.xml", "a.xml", "parts/b.xml",
        "parts/c.xml", "blocks.xml", "again.xml", "out.xml", "in.xml",   "x.xml", "y.xml"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        CU_ASSERT(unlink(in_folder(names[k])) == 0);
    CU_ASSERT(rmdir(in_folder("parts")) == 0 && rmdir(folder) == 0);
}

UNIT_MAIN({"a folder for files", make_folder},
          {"a tree holds what is written", tree_holds_what_is_written},
          {"lines are exact in large files", lines_are_exact_in_large_files},
          {"malformed files are refused", malformed_files_are_refused},
          {"document types are refused", document_types_are_refused},
          {"attacks end at once", attacks_end_at_once}, {"limits can be set", limits_can_be_set},
          {"files in pieces of any size", pieces_of_any_size},
          {"unreadable files", unreadable_files}, {"a model is sorted", model_is_sorted},
          {"lists of attributes end", lists_of_attributes_end},
          {"wrong words are told", wrong_words_are_told},
          {"all errors are told", all_errors_are_told},
          {"libraries hold types", libraries_hold_types},
          {"includes give types", includes_give_types},
          {"includes stay inside", includes_stay_inside}, {"the folder is removed", remove_folder})
