/* SPDX-License-Identifier: MIT */
/* The entrances to the room: a file, or bytes in memory, read into a model; a library read into its
 * types. */
#include "base/input.h"
#include "base/sys.h"
#include "base/visible.h"
#include "model/reader.h"

#include <string.h>

/* This program's version of the language. */
#define LANGUAGE_VERSION "1"

static linnet_status start(ln_reader *reader, const ln_model_options *options, ln_report *report) {
    memset(reader, 0, sizeof *reader);
    reader->options = options;
    reader->limits =
        options != NULL && options->limits != NULL ? options->limits : &ln_limits_default;
    reader->report = report;
    reader->definition_names = ln_map_new();
    ln_arena *arena = ln_arena_new();
    reader->model = arena != NULL ? LN_NEW(arena, ln_model, 1) : NULL;
    if (reader->model == NULL || reader->definition_names == NULL) {
        ln_arena_free(arena);
        reader->model = NULL;
        reader->status = ln_no_memory(report);
    } else {
        reader->model->arena = arena;
    }
    return reader->status;
}

/* "models/filter.xml" is the model "filter" unless it says otherwise. */
static const char *name_from_path(ln_arena *arena, const char *path) {
    if (strcmp(path, "-") == 0)
        return "standard input";
    const char *slash = strrchr(path, '/');
    const char *name = slash != NULL ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const char *stem = ln_arena_text(
        arena, name, dot != NULL && dot != name ? (size_t)(dot - name) : strlen(name));
    return stem != NULL ? ln_visible_in(arena, stem) : NULL;
}

static int check_root(const ln_element *root, const char *expected, ln_report *report) {
    if (strcmp(root->name, expected) != 0) {
        ln_error(report, ln_place_of(root), "the root is <%s>, expected <%s>%s", root->name,
                 expected,
                 strcmp(root->name, "library") == 0
                     ? "; a library holds types only and is included by a model"
                     : "");
        return 0;
    }
    const char *version = ln_attribute_of(root, "version");
    if (version != NULL && strcmp(version, LANGUAGE_VERSION) != 0) {
        ln_error(report, ln_place_of(root),
                 "version '%s' of the language is not supported; this program reads "
                 "version " LANGUAGE_VERSION,
                 version);
        return 0;
    }
    return ln_word_check(ln_word_root(expected), root, 1, report);
}

static void sort(ln_reader *reader, const ln_element *root, const char *expected, int source) {
    ln_model *model = reader->model;
    if (!check_root(root, expected, reader->report))
        ln_reader_note(reader, LINNET_MODEL);
    if (strcmp(root->name, expected) != 0)
        return;
    model->root = root;
    model->name = ln_attribute_of(root, "name");
    if (model->name == NULL || model->name[0] == '\0')
        model->name = name_from_path(model->arena, model->path);
    const char *flat = ln_attribute_of(root, "flat");
    model->flat = flat != NULL && strcmp(flat, "yes") == 0;
    if (flat != NULL && !model->flat && strcmp(flat, "no") != 0) {
        ln_error(reader->report, ln_place_of(root), "<model>: flat=\"%s\" must be yes or no", flat);
        ln_reader_note(reader, LINNET_MODEL);
    }
    ln_sort_root(reader, root, strcmp(expected, "model") == 0 ? LN_IN_MODEL : LN_IN_LIBRARY,
                 source);
    model->definitions = LN_NEW(model->arena, ln_definition, reader->ndefinitions);
    if (model->name == NULL || model->definitions == NULL) {
        ln_reader_note(reader, ln_no_memory(reader->report));
    } else if (reader->ndefinitions > 0) {
        memcpy(model->definitions, reader->definitions,
               reader->ndefinitions * sizeof *model->definitions);
        model->ndefinitions = (int)reader->ndefinitions;
    }
}

/* Hands the model over, or frees it after an error. */
static linnet_status finish(ln_reader *reader, ln_model **model) {
    for (int k = 0; k < LN_WORD_LISTS; k++)
        ln_sys->release((void *)reader->lists[k].items);
    ln_sys->release(reader->definitions);
    ln_sys->release(reader->sources);
    ln_map_free(reader->definition_names);
    *model = reader->status == LINNET_OK ? reader->model : NULL;
    if (reader->status != LINNET_OK)
        ln_model_free(reader->model);
    return reader->status;
}

static linnet_status read_memory(ln_document document, const char *expected,
                                 const ln_model_options *options, ln_report *report,
                                 ln_model **model) {
    ln_reader reader;
    if (start(&reader, options, report) == LINNET_OK) {
        ln_arena *arena = reader.model->arena;
        linnet_status status = LINNET_OK;
        const ln_element *root = NULL;
        reader.model->path = ln_arena_string(arena, document.name);
        if (reader.model->path == NULL)
            status = ln_no_memory(report);
        else
            root = ln_tree_read_memory(arena, document, reader.limits, report, &status);
        ln_reader_note(&reader, status);
        if (root != NULL)
            sort(&reader, root, expected, -1);
    }
    return finish(&reader, model);
}

static const ln_element *read_xml(ln_reader *reader, ln_arena *arena, const char *path,
                                  ln_report *report, linnet_status *status) {
    const ln_model_options *options = reader->options;
    if (options != NULL && options->bytes != NULL)
        return ln_tree_read_memory(arena, (ln_document){path, options->bytes, options->length},
                                   reader->limits, report, status);
    return ln_tree_read_file(arena, path, reader->limits, report, status);
}

linnet_status ln_model_read(const char *path, const ln_model_options *options, ln_report *report,
                            ln_model **model) {
    return ln_model_read_with(path, options, read_xml, report, model);
}

linnet_status ln_model_read_with(const char *path, const ln_model_options *options,
                                 ln_tree_maker *make, ln_report *report, ln_model **model) {
    ln_reader reader;
    if (start(&reader, options, report) == LINNET_OK) {
        ln_arena *arena = reader.model->arena;
        linnet_status status = LINNET_OK;
        reader.model->path = ln_arena_string(arena, path);
        int source =
            reader.model->path != NULL ? ln_include_first(&reader, reader.model->path) : -1;
        if (reader.model->path == NULL)
            status = ln_no_memory(report);
        const ln_element *root = source >= 0 ? make(&reader, arena, path, report, &status) : NULL;
        ln_reader_note(&reader, status);
        if (root != NULL)
            sort(&reader, root, "model", source);
    }
    return finish(&reader, model);
}

linnet_status ln_model_read_memory(const char *name, const char *data, size_t length,
                                   const ln_model_options *options, ln_report *report,
                                   ln_model **model) {
    return read_memory((ln_document){name, data, length}, "model", options, report, model);
}

linnet_status ln_library_read_memory(const char *name, const char *data, size_t length,
                                     ln_report *report, ln_model **model) {
    return read_memory((ln_document){name, data, length}, "library", NULL, report, model);
}

const ln_model_options *ln_reader_options(const ln_reader *reader) {
    return reader->options;
}

linnet_status ln_model_set_origin(ln_model *model, const char *way, ln_report *report) {
    const char *slash = strrchr(model->path, '/');
    ln_input_mark mark;
    LN_TRY(ln_input_find_mark(model->path, report, &mark));
    const char *origin = ln_arena_printf(model->arena, "linnet %s; %s%s%s; %s", LINNET_VERSION,
                                         slash != NULL ? slash + 1 : model->path,
                                         mark.text[0] != '\0' ? ", " : "", mark.text, way);
    model->origin = origin != NULL ? ln_visible_in(model->arena, origin) : NULL;
    return model->origin != NULL ? LINNET_OK : ln_no_memory(report);
}

void ln_model_forget_blocks(ln_model *model) {
    const ln_element **link = (const ln_element **)&model->root->first;
    ln_block_names names = {.name = {NULL}};
    for (const ln_element *child = *link; child != NULL; child = child->next)
        if (!ln_is_block_name(&names, child->name)) {
            *link = child;
            link = (const ln_element **)&child->next;
        }
    *link = NULL;
    model->body.blocks = NULL;
    model->body.nblocks = 0;
    ln_arena_free_part(model->arena);
}

void ln_model_free(ln_model *model) {
    if (model != NULL)
        ln_arena_free(model->arena);
}
