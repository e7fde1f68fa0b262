/* SPDX-License-Identifier: MIT */
/* An FMU as a model: one block `fmu`, a block external-input for each of its inputs, a parameter
 * for each of its parameters, and its default experiment as the simulation. So every command that
 * takes models takes FMUs. */
#include "foreign/draft.h"
#include "foreign/fmi_description.h"
#include "foreign/fmi_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The attributes of the block as they grow, a word for each element of a variable. */
typedef struct model_draft {
    ln_draft *draft;
    ln_map *taken; /* names of links, blocks and parameters */
    ln_map *words; /* of elements of variables */
    ln_text names, links, values;
} model_draft;

static const char *element_name(ln_draft *draft, const ln_fmi_variable *variable, int element) {
    char *name = (char *)(variable->count == 1
                              ? ln_draft_text(draft, "%s", variable->name)
                              : ln_draft_text(draft, "%s[%d]", variable->name, element + 1));
    for (size_t end = ln_word_length(name); name[end] != '\0'; end = ln_word_length(name))
        name[end] = '_';
    return name;
}

static const char *number(ln_draft *draft, double value) {
    char digits[32];
    ln_number_format(digits, value);
    return ln_draft_text(draft, "%s", digits);
}

static void add_word(ln_text *list, const char *word) {
    ln_text_printf(list, "%s%s", list->length > 0 ? " " : "", word);
}

static void add_input(model_draft *list, ln_nest *root, const char *name, double start) {
    const char *link = ln_draft_unique(list->draft, list->taken, ln_draft_name(list->draft, name));
    const char *id =
        ln_draft_unique(list->draft, list->taken, ln_draft_text(list->draft, "%s-input", link));
    ln_element *source = ln_draft_add(list->draft, root, "external-input", 0, 3);
    ln_draft_put(list->draft, source, "id", id);
    ln_draft_put(list->draft, source, "out", link);
    ln_draft_put(list->draft, source, "value", number(list->draft, start));
    add_word(&list->names, name);
    add_word(&list->links, link);
}

static void add_output(model_draft *list, const char *name) {
    const char *link = ln_draft_unique(list->draft, list->taken, ln_draft_name(list->draft, name));
    add_word(&list->names, name);
    add_word(&list->links, link);
}

static void add_parameter(model_draft *list, ln_nest *root, const char *name, double start) {
    char *plain = (char *)ln_draft_text(list->draft, "%s", ln_draft_name(list->draft, name));
    for (char *c = plain; *c != '\0'; c++) /* in an expression a dash is a minus */
        if (*c == '-')
            *c = '_';
    const char *own = ln_draft_unique(list->draft, list->taken, plain);
    ln_element *parameter = ln_draft_add(list->draft, root, "parameter", 0, 2);
    ln_draft_put(list->draft, parameter, "name", own);
    ln_draft_put(list->draft, parameter, "value", number(list->draft, start));
    add_word(&list->names, name);
    ln_text_printf(&list->values, "%s%s", list->values.length > 0 ? ", " : "", own);
}

/* All variables of a causality: the attributes `names` and `others` of the block. */
static void add_all(model_draft *list, ln_nest *root, const ln_fmi_description *about,
                    ln_fmi_causality causality, ln_element *block) {
    static const char *const attributes[][2] = {
        {NULL, NULL}, {"inputs", "in"}, {"outputs", "out"}, {"parameters", "values"}};
    list->names = list->links = list->values = (ln_text){0};
    for (int k = 0; k < about->nvariables; k++) {
        const ln_fmi_variable *variable = &about->variables[k];
        for (int i = 0; i < variable->count && variable->causality == causality; i++) {
            const char *name = element_name(list->draft, variable, i);
            if (ln_draft_enter(list->draft, list->words, name, k + 1) != k + 1)
                ln_draft_error(list->draft, 0, "two variables are called '%s' where blanks are '_'",
                               name);
            if (causality == LN_FMI_INPUT)
                add_input(list, root, name, variable->start[i]);
            else if (causality == LN_FMI_OUTPUT)
                add_output(list, name);
            else
                add_parameter(list, root, name, variable->start[i]);
        }
    }
    const int any = list->names.length > 0;
    const char *names = ln_draft_keep(list->draft, &list->names),
               *links = ln_draft_keep(list->draft, &list->links),
               *values = ln_draft_keep(list->draft, &list->values);
    if (!any && causality == LN_FMI_OUTPUT)
        ln_draft_error(list->draft, 0, "this FMU has no output that is a number, to be run for");
    if (!any)
        return;
    ln_draft_put(list->draft, block, attributes[causality][0], names);
    ln_draft_put(list->draft, block, attributes[causality][1],
                 causality == LN_FMI_PARAMETER ? values : links);
    if (causality == LN_FMI_OUTPUT)
        ln_draft_put(list->draft, ln_draft_add(list->draft, root, "record", 0, 1), "signals",
                     links);
}

static void add_simulation(ln_draft *draft, ln_nest *root, const ln_fmi_description *about) {
    const double begin = isfinite(about->start) ? about->start : 0;
    const double asked = about->stop - begin;
    const double length = asked > 0 && isfinite(asked) ? asked : 1;
    const double step = about->step > 0 ? about->step : length / 1000;
    ln_element *parameter = ln_draft_add(draft, root, "parameter", 0, 2);
    ln_draft_put(draft, parameter, "name", LN_FMI_STEP);
    ln_draft_put(draft, parameter, "value", number(draft, step));
    ln_element *run = ln_draft_add(draft, root, "simulation", 0, 3);
    ln_draft_put(draft, run, "duration", number(draft, length));
    ln_draft_put(draft, run, "step", LN_FMI_STEP);
    ln_draft_put(draft, run, "method", "euler");
}

/* Names that the model has already; words of expressions, which no parameter may bear. */
static const char *const reserved[] = {"fmu", LN_FMI_STEP, NULL};
static const char *const words[] = {"t",  "pi", "e",  "if", "der", "and", "or", "not",
                                    "lt", "le", "gt", "ge", "eq",  "ne",  NULL};

static void reserve(model_draft *list, const char *const *names) {
    for (int k = 0; names[k] != NULL; k++)
        (void)ln_draft_unique(list->draft, list->taken, names[k]);
}

static void make(ln_draft *draft, ln_nest *root, const char *path,
                 const ln_fmi_description *about) {
    model_draft list = {.draft = draft, .taken = ln_draft_map(draft), .words = ln_draft_map(draft)};
    const char *slash = strrchr(path, '/');
    if (list.taken == NULL || list.words == NULL)
        return;
    reserve(&list, reserved);
    ln_draft_put(draft, root->element, "name", about->model);
    ln_element *block = ln_draft_add(draft, root, "fmu", 0, 10);
    ln_draft_put(draft, block, "id", "fmu");
    ln_draft_put(draft, block, "file", slash != NULL ? slash + 1 : path);
    ln_draft_put(draft, block, "period", LN_FMI_STEP);
    if (isfinite(about->start))
        ln_draft_put(draft, block, "start", number(draft, about->start));
    add_all(&list, root, about, LN_FMI_INPUT, block);
    add_all(&list, root, about, LN_FMI_OUTPUT, block);
    reserve(&list, words);
    add_all(&list, root, about, LN_FMI_PARAMETER, block);
    add_simulation(draft, root, about);
}

const ln_element *ln_fmi_tree(ln_reader *reader, ln_arena *arena, const char *path,
                              ln_report *report, linnet_status *status) {
    ln_fmi_description about;
    ln_draft draft;
    (void)reader;
    *status = ln_fmi_describe(path, arena, report, &about);
    if (*status != LINNET_OK)
        return NULL;
    ln_draft_begin(&draft, arena, path, "FMI", report);
    ln_element *model = ln_draft_add(&draft, NULL, "model", 1, 1);
    ln_nest root = {model, NULL};
    if (draft.status == LINNET_OK)
        make(&draft, &root, path, &about);
    ln_draft_end(&draft);
    *status = draft.status;
    return draft.status == LINNET_OK ? model : NULL;
}
