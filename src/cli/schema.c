/* SPDX-License-Identifier: MIT */
/* linnet schema: RELAX NG and XML Schema of the model language, with which editors complete and
 * check while one types. What they say is what the reader's table of words and the catalogue say.
 */
#include "cli/schema.h"

#include "base/domain.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "integrate/integrate.h"
#include "result/document.h"

#include <string.h>

static linnet_status schema_command(const ln_command *command, int argc, char **argv);

enum { FORMAT, OUTPUT };
static const ln_option options[] = {
    [FORMAT] = {"format", 'f', "NAME", "rng (RELAX NG, default) or xsd (XML Schema)"},
    [OUTPUT] = {"output", 'o', "FILE",
                "where to (the standard output); its ending .rng or .xsd says "
                "the format, too"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_schema = {
    .name = "schema",
    .doc = "write the model language as a schema for editors",
    .usage = "[OPTION]...",
    .about = "Writes a schema with every element of the model language and every block type of the "
             "catalogue: its ports\n"
             "and parameters with units, defaults and texts. Editors complete and check with it; "
             "types that a model\n"
             "defines itself are accepted with any attributes.",
    .options = options,
    .examples = "  linnet schema -o linnet.rng\n"
                "  linnet schema --format xsd > linnet.xsd\n"
                "  xmllint --noout --relaxng linnet.rng rectifier.xml\n",
    .exits = "0125",
    .run = schema_command};

/* ---- gathering ---- */

static int takes_text(const linnet_block_class *face) {
    for (int k = 0; face != NULL && k < face->nparams; k++)
        if (face->params[k].flags & (LINNET_TEXT | LINNET_LIST | LINNET_MATRIX))
            return 1;
    return 0;
}

static linnet_status gather_types(ln_schema *schema, ln_catalogue *catalogue, ln_report *report) {
    const char *group;
    int count = 0;
    while (ln_catalogue_name(catalogue, count, &group) != NULL)
        count++;
    schema->types = LN_NEW(schema->arena, ln_schema_type, count + 1);
    if (schema->types == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < count; k++) {
        linnet_status status = LINNET_OK;
        const ln_type *type =
            ln_catalogue_find(catalogue, ln_catalogue_name(catalogue, k, &group), &status);
        if (type == NULL)
            return status != LINNET_OK ? status : LINNET_INTERNAL;
        ln_schema_type *to = &schema->types[schema->ntypes++];
        *to = (ln_schema_type){.face = type->face, .takes_text = takes_text(type->face)};
        if (!ln_view_make(type, schema->arena, &to->view))
            return ln_no_memory(report);
    }
    return LINNET_OK;
}

static linnet_status gather_words(ln_schema *schema, ln_report *report) {
    size_t count = 0;
    while (ln_word_at(count) != NULL)
        count++;
    schema->words = LN_NEW(schema->arena, const char *, count + 1);
    if (schema->words == NULL)
        return ln_no_memory(report);
    for (size_t k = 0; k < count; k++) {
        const char *name = ln_word_at(k)->name;
        int known = 0;
        for (int j = 0; j < schema->nwords; j++)
            known |= strcmp(schema->words[j], name) == 0;
        if (!known)
            schema->words[schema->nwords++] = name;
    }
    return LINNET_OK;
}

/* ---- the command ---- */

static linnet_status write_schema(int is_xsd, const char *path, ln_report *report) {
    ln_schema schema = {.arena = ln_arena_new()};
    ln_text text = {0};
    linnet_status status = schema.arena != NULL ? LINNET_OK : ln_no_memory(report);
    ln_catalogue *catalogue = status == LINNET_OK ? ln_catalogue_new(NULL, report, &status) : NULL;
    if (catalogue != NULL)
        status = gather_types(&schema, catalogue, report);
    if (status == LINNET_OK)
        status = gather_words(&schema, report);
    if (status == LINNET_OK) {
        (is_xsd ? ln_schema_xsd : ln_schema_rng)(&schema, &text);
        text.failed |= ln_arena_failed(schema.arena); /* what is said of parameters */
        status = ln_document_write(path != NULL ? path : "-", &text, report);
    }
    ln_text_free(&text);
    ln_catalogue_free(catalogue);
    ln_arena_free(schema.arena);
    return status;
}

static linnet_status schema_command(const ln_command *command, int argc, char **argv) {
    const char *value, *format = NULL, *path = NULL;
    int option, first;
    while ((option = ln_option_next(command, argc, argv, &value, &first)) >= 0)
        *(option == FORMAT ? &format : &path) = value;
    if (option == LN_OPTION_HELP) {
        ln_help_command(command);
        return LINNET_OK;
    }
    if (option == LN_OPTION_WRONG)
        return LINNET_USAGE;
    if (first < argc)
        return ln_usage(command,
                        "'%.200s' is one word too many; a schema is of the language, not of "
                        "a model",
                        argv[first]);
    if (format == NULL)
        format = path != NULL && ln_ends_with(path, ".xsd") ? "xsd" : "rng";
    if (strcmp(format, "rng") != 0 && strcmp(format, "xsd") != 0)
        return ln_usage(command, "--format is '%.60s'; it must be rng or xsd", format);
    ln_report *report = ln_terminal_report(NULL);
    const linnet_status status =
        report != NULL ? write_schema(strcmp(format, "xsd") == 0, path, report) : LINNET_MEMORY;
    ln_report_close(report);
    ln_report_free(report);
    if (status != LINNET_OK)
        ln_terminal_outcome(status);
    return status;
}
