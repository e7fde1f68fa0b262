/* SPDX-License-Identifier: MIT */
/* What the writers of both schemas ask: attributes that all blocks have, texts and values of
 * parameters, which words stand where. */
#include "cli/schema.h"

#include "base/domain.h"
#include "integrate/integrate.h"

#include <string.h>

const char *ln_schema_common(int index, const char **doc) {
    static const char *const names[][2] = {
        {"if", "the block is there only where this is not 0"},
        {"at", "where it is drawn: x,y or x,y,turn, in pixels"},
        {"enable", "signals that switch it on (above one half) and off"},
        {"states", "hold or reset: what states do as it is switched on"},
        {"outputs", "hold or reset: what outputs do while it is off"},
        {"trigger", "signal whose edges make it act"},
        {"edge", "rising, falling or both: the trigger's"}};
    if (index < 0 || index >= (int)(sizeof names / sizeof *names))
        return NULL;
    *doc = names[index][1];
    return names[index][0];
}

int ln_schema_is_own(const ln_schema_type *type, const char *name) {
    for (int k = 0; k < type->view.nports; k++)
        if (strcmp(type->view.ports[k].name, name) == 0)
            return 1;
    for (int k = 0; k < type->view.nparams; k++)
        if (strcmp(type->view.params[k].name, name) == 0)
            return 1;
    return 0;
}

const char *ln_schema_about(ln_arena *arena, const ln_view_param *param) {
    const int has_unit = param->unit[0] != '\0', has_standard = param->standard != NULL,
              has_range = param->range[0] != '\0';
    return ln_arena_printf(arena, "%s%s%s%s%s%s%s%s", param->doc != NULL ? param->doc : param->name,
                           has_unit ? " [" : "", param->unit, has_unit ? "]" : "",
                           has_standard ? "; default " : "", has_standard ? param->standard : "",
                           has_range ? "; " : "", param->range);
}

/* A list may stand inside the element, an old name in its place, an input in that of a value. */
int ln_schema_requires(const ln_schema_type *type, const ln_view_param *param) {
    if (!param->required || type->takes_text)
        return 0;
    for (int k = 0; type->face != NULL && k < type->face->naliases; k++)
        if (strcmp(type->face->aliases[k].param, param->name) == 0)
            return 0;
    for (int k = 0; type->face != NULL && k < type->face->nparams; k++)
        if (strcmp(type->face->params[k].name, param->name) == 0 &&
            type->face->params[k].unless != NULL)
            return 0;
    return 1;
}

const char *ln_schema_choice(const char *word, const char *attribute, int index) {
    if (strcmp(word, "port") == 0 && strcmp(attribute, "domain") == 0)
        return index + 1 < LINNET_DOMAINS ? ln_domain((linnet_domain)(index + 1))->name : NULL;
    if (strcmp(word, "simulation") == 0 && strcmp(attribute, "method") == 0) {
        const ln_method *method = ln_method_at(index);
        return method != NULL ? method->name : NULL;
    }
    return NULL;
}

static const ln_schema_place places[] = {{LN_IN_MODEL, "in-model", 1},
                                         {LN_IN_COMPONENT, "in-component", 1},
                                         {LN_IN_REPEAT, "in-repeat", 1},
                                         {LN_IN_LIBRARY, "in-library", 0},
                                         {LN_IN_BLOCK_TYPE, "in-block-type", 0},
                                         {LN_IN_WHEN, "in-when", 0},
                                         {LN_IN_TRIM, "in-trim", 0}};
enum { PLACES = sizeof places / sizeof *places };

const ln_schema_place *ln_schema_place_at(int index) {
    return index >= 0 && index < PLACES ? &places[index] : NULL;
}

static const ln_schema_place *place_of(ln_context context) {
    for (int k = 0; k < PLACES; k++)
        if (places[k].context == context)
            return &places[k];
    return NULL;
}

const ln_schema_place *ln_schema_inside(const ln_word *word) {
    static const struct {
        const char *word;
        ln_context context;
    } holders[] = {
        {"model", LN_IN_MODEL},   {"library", LN_IN_LIBRARY},       {"component", LN_IN_COMPONENT},
        {"repeat", LN_IN_REPEAT}, {"block-type", LN_IN_BLOCK_TYPE}, {"when", LN_IN_WHEN},
        {"trim", LN_IN_TRIM}};
    for (size_t k = 0; k < sizeof holders / sizeof *holders; k++)
        if (strcmp(holders[k].word, word->name) == 0)
            return place_of(holders[k].context);
    return NULL;
}

void ln_schema_attributes(const ln_schema *schema, const ln_schema_type *type, ln_schema_put *put,
                          ln_text *out) {
    const ln_view *view = &type->view;
    put(out, "id", NULL, 1);
    for (int k = 0; k < view->nports; k++)
        put(out, view->ports[k].name,
            view->ports[k].doc != NULL ? view->ports[k].doc : view->ports[k].domain, 0);
    for (int k = 0; k < view->nparams; k++)
        if (strchr(view->params[k].name, ' ') == NULL)
            put(out, view->params[k].name, ln_schema_about(schema->arena, &view->params[k]),
                ln_schema_requires(type, &view->params[k]));
    for (int k = 0; type->face != NULL && k < type->face->naliases; k++)
        if (!ln_schema_is_own(type, type->face->aliases[k].name))
            put(out, type->face->aliases[k].name, type->face->aliases[k].param, 0);
    const char *common, *doc;
    for (int k = 0; (common = ln_schema_common(k, &doc)) != NULL; k++)
        if (!ln_schema_is_own(type, common))
            put(out, common, doc, 0);
}
