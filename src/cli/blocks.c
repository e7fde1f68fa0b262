/* SPDX-License-Identifier: MIT */
/* linnet blocks: the catalogue. */
#include "cli/catalogue_view.h"
#include "cli/command.h"
#include "cli/listing.h"
#include "cli/terminal.h"
#include "reading/open.h"

#include "base/domain.h"
#include "base/text.h"
#include <stdio.h>
#include <string.h>
#include <strings.h>

static linnet_status blocks_command(const ln_command *command, int argc, char **argv);

enum { FORMAT, MODEL, LANGUAGE };
static const ln_option options[] = {
    [FORMAT] = {"format", 'f', "NAME", "text (default), json, or markdown with equations as TeX"},
    [MODEL] = {"model", 'm', "FILE", "also show the types that this model defines"},
    [LANGUAGE] = {"language", 0, NULL,
                  "instead, for programs: the other words of the language with their\n"
                  "attributes, methods, measures and domains, as JSON"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_blocks = {
    .name = "blocks",
    .doc = "list the block types, or tell all about some",
    .usage = "[GROUP | TYPE... | WORD] [OPTION]...",
    .about =
        "Without TYPE, lists the catalogue by group, or one GROUP of it. With it, shows each "
        "type's equations,\n"
        "ports, parameters with units, defaults and ranges, what of it can be recorded, and an "
        "example. A WORD\n"
        "that is no type is looked for in what is said of the types.",
    .options = options,
    .examples = "  linnet blocks\n"
                "  linnet blocks electrical\n"
                "  linnet blocks amplifier\n"
                "  linnet blocks capacitor diode\n"
                "  linnet blocks --format json > blocks.json\n",
    .exits = "01235",
    .run = blocks_command};

/* What the command works on. */
typedef struct browsing {
    ln_catalogue *catalogue;
    ln_report *report;
    ln_arena *arena;
    const char *format;
    int shown;
    ln_text text; /* as JSON */
    ln_json json; /* that writes it */
} browsing;

static int is_format(const browsing *browser, const char *format) {
    return strcmp(browser->format, format) == 0;
}

/* The group of that name, or the nearest one; NULL. */
static const char *find_group(const browsing *browser, const char *wanted) {
    const char *groups[64], *group;
    size_t count = 0;
    for (int k = 0; ln_catalogue_name(browser->catalogue, k, &group) != NULL && count < 64; k++)
        if (count == 0 || strcmp(groups[count - 1], group) != 0)
            groups[count++] = group;
    for (size_t k = 0; k < count; k++)
        if (strcmp(groups[k], wanted) == 0)
            return groups[k];
    return ln_nearest(wanted, groups, count);
}

/* Shows one type; 'wanted' is a name the user gave. */
static linnet_status show(browsing *browser, const ln_command *command, const char *wanted) {
    linnet_status status;
    const ln_type *type = ln_catalogue_find(browser->catalogue, wanted, &status);
    if (type == NULL && status != LINNET_OK)
        return status;
    if (type == NULL) {
        const char *nearest = ln_catalogue_nearest(browser->catalogue, wanted);
        if (nearest != NULL)
            return ln_usage(command, "there is no block type '%.60s'; did you mean '%s'?", wanted,
                            nearest);
        const char *group = find_group(browser, wanted);
        return ln_usage(command, "there is no block type '%.60s'%s%s%s", wanted,
                        group != NULL ? "; did you mean the group '" : "",
                        group != NULL ? group : "", group != NULL ? "'?" : "");
    }
    ln_view view;
    if (!ln_view_make(type, browser->arena, &view))
        return ln_no_memory(browser->report);
    if (is_format(browser, "markdown"))
        return ln_view_print_markdown(&view, browser->arena) ? LINNET_OK
                                                             : ln_no_memory(browser->report);
    if (is_format(browser, "json")) {
        ln_view_json(&view, &browser->json);
        return LINNET_OK;
    }
    if (browser->shown++ > 0)
        putchar('\n');
    return ln_view_print(&view, browser->arena) ? LINNET_OK : ln_no_memory(browser->report);
}

static int print_group(const char *group, ln_listing *listing) {
    int domain = ln_domain_find(group);
    if (domain < 0 || domain == LINNET_SIGNAL)
        printf("%s\n", group);
    else {
        const ln_domain_info *info = ln_domain((linnet_domain)domain);
        printf("%s (%s: %s in %s, %s in %s)\n", group, info->doc, info->potential,
               info->potential_unit, info->flux, info->flux_unit);
    }
    return ln_listing_print(listing, 2, stdout);
}

/* Does the text hold the word, in whatever case? */
static int holds(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (; strlen(text) >= length; text++)
        if (strncasecmp(text, word, length) == 0)
            return 1;
    return 0;
}

/* Which types are listed: NULL is no condition. */
typedef struct listed {
    const char *group, *word; /* of its name or of what is said of it */
} listed;

static const char *doc_of(const ln_type *type) {
    const char *said = type->face != NULL ? type->face->doc : type->definition->doc;
    return said != NULL ? said : "";
}

static int is_listed(listed which, const char *name, const char *doc) {
    return which.word == NULL || holds(name, which.word) || holds(doc, which.word);
}

/* All types, or some; *count: how many. */
static linnet_status list(browsing *browser, listed which, int *count) {
    ln_listing listing = {.arena = browser->arena};
    const char *group, *name, *current = NULL;
    *count = 0;
    for (int k = 0; (name = ln_catalogue_name(browser->catalogue, k, &group)) != NULL; k++) {
        if (which.group != NULL && strcmp(which.group, group) != 0)
            continue;
        linnet_status status;
        const ln_type *type = ln_catalogue_find(browser->catalogue, name, &status);
        if (type == NULL)
            return status;
        const char *doc = doc_of(type);
        if (!is_listed(which, name, doc))
            continue;
        if (current != NULL && strcmp(current, group) != 0) {
            if (!print_group(current, &listing))
                return ln_no_memory(browser->report);
            putchar('\n');
        }
        current = group;
        ln_listing_row(&listing, name, doc, NULL);
        ++*count;
    }
    if (current != NULL && !print_group(current, &listing))
        return ln_no_memory(browser->report);
    if (*count > 0)
        puts("\n'linnet blocks TYPE' tells all about a type.");
    return LINNET_OK;
}

/* A word that is no type and like none, nor a group, is looked for in what is said of types;
 * *found: there are such. */
static linnet_status look_for(browsing *browser, const char *word, int *found) {
    linnet_status status;
    *found = 0;
    if (find_group(browser, word) != NULL || *word == '\0' ||
        ln_catalogue_find(browser->catalogue, word, &status) != NULL || status != LINNET_OK ||
        ln_catalogue_nearest(browser->catalogue, word) != NULL)
        return LINNET_OK;
    return list(browser, (listed){.word = word}, found);
}

/* What is listed, where it is a list that was asked for; *listed: it was. */
static linnet_status list_some(browsing *browser, char **types, int ntypes, int *listed_any) {
    int count = 0;
    *listed_any = 1;
    if (ntypes == 0)
        return list(browser, (listed){NULL, NULL}, &count);
    const char *group = find_group(browser, types[0]);
    if (group != NULL && strcmp(group, types[0]) == 0)
        return list(browser, (listed){.group = group}, &count);
    linnet_status status = look_for(browser, types[0], &count);
    *listed_any = count > 0;
    return status;
}

/* What was written, where memory was enough for it. */
static linnet_status print_written(const ln_text *text, ln_report *report) {
    if (text->failed)
        return ln_no_memory(report);
    fputs(text->data, stdout);
    return LINNET_OK;
}

static linnet_status browse(browsing *browser, const ln_command *command, char **types,
                            int ntypes) {
    linnet_status status = LINNET_OK;
    int done = 0;
    if (ntypes <= 1 && is_format(browser, "text"))
        LN_TRY(list_some(browser, types, ntypes, &done));
    if (done)
        return LINNET_OK;
    const char *group, *name;
    browser->json.out = &browser->text;
    ln_json_begin(&browser->json, NULL, LN_JSON_LIST_LINES);
    for (int k = 0;
         ntypes == 0 && (name = ln_catalogue_name(browser->catalogue, k, &group)) != NULL; k++)
        LN_TRY(show(browser, command, name));
    for (int k = 0; k < ntypes; k++) {
        linnet_status one = show(browser, command, types[k]);
        if (status == LINNET_OK)
            status = one;
    }
    ln_json_finish(&browser->json);
    if (is_format(browser, "json"))
        LN_TRY(print_written(&browser->text, browser->report));
    return status;
}

static linnet_status open_catalogue(browsing *browser, const char *path, ln_model **model) {
    browser->arena = ln_arena_new();
    browser->report = ln_terminal_report(NULL);
    if (browser->arena == NULL || browser->report == NULL)
        return ln_no_memory(browser->report);
    ln_model_options library = {.library = LINNET_LIBRARY_DIR};
    if (path != NULL)
        LN_TRY(ln_model_open(path, &library, browser->report, model));
    linnet_status status;
    browser->catalogue = ln_catalogue_new(*model, browser->report, &status);
    return status;
}

static linnet_status blocks_command(const ln_command *command, int argc, char **argv) {
    browsing browser = {.format = "text"};
    const char *value, *path = NULL;
    int option, first, language = 0;
    while ((option = ln_option_next(command, argc, argv, &value, &first)) >= 0) {
        if (option == MODEL)
            path = value;
        else if (option == LANGUAGE)
            language = 1;
        else if (strcmp(value, "json") == 0 || strcmp(value, "text") == 0 ||
                 strcmp(value, "markdown") == 0)
            browser.format = value;
        else
            return ln_usage(command, "--format is '%.60s'; it must be text, json or markdown",
                            value);
    }
    if (option == LN_OPTION_WRONG)
        return LINNET_USAGE;
    if (option == LN_OPTION_HELP) {
        ln_help_command(command);
        return LINNET_OK;
    }
    if (language) {
        ln_language_json(&browser.text);
        const linnet_status written = print_written(&browser.text, NULL);
        ln_text_free(&browser.text);
        if (written == LINNET_MEMORY)
            ln_terminal_outcome(written);
        return written;
    }
    ln_model *model = NULL;
    linnet_status status = open_catalogue(&browser, path, &model);
    if (status == LINNET_OK)
        status = browse(&browser, command, argv + first, argc - first);
    ln_catalogue_free(browser.catalogue);
    if (model != NULL)
        ln_model_free(model);
    ln_report_close(browser.report);
    ln_report_free(browser.report);
    ln_arena_free(browser.arena);
    ln_text_free(&browser.text);
    if (status == LINNET_MEMORY)
        ln_terminal_outcome(status);
    return status;
}
