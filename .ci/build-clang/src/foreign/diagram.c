/* SPDX-License-Identifier: MIT */
/* A file of YAML or JSON to a model: which system wrote it, and what all such models end with. */
#include "foreign/foreign.h"

/* Hangs a chain of elements behind what is there. */
static void append(ln_nest *root, const ln_nest *nest) {
    if (nest->element->first == NULL)
        return;
    if (root->last != NULL)
        root->last->next = nest->element->first;
    else
        root->element->first = nest->element->first;
    root->last = nest->last;
}

/* These systems step with a fixed step, for they have no other; what they mean is the solution, so
 * the step becomes the interval of the rows and the tolerance makes it. */
#define TOLERANCE "1e-6"

void ln_diagram_settings(ln_sketch *sketch, ln_nest *root, const ln_nest *types,
                         const char *duration, const char *interval) {
    ln_draft *draft = sketch->draft;
    append(root, types);
    append(root, &sketch->body);
    ln_element *run = ln_draft_add(draft, root, "simulation", 0, 3);
    ln_draft_put(draft, run, "duration", duration);
    ln_draft_put(draft, run, "tolerance", TOLERANCE);
    ln_draft_put(draft, run, "interval", interval);
    ln_text signals = {0};
    for (size_t k = 0; k < sketch->nviews; k++)
        ln_text_printf(&signals, "%s%s", k > 0 ? " " : "", sketch->views[k]);
    const char *list = ln_draft_keep(draft, &signals);
    if (list[0] != '\0')
        ln_draft_put(draft, ln_draft_add(draft, root, "record", 0, 1), "signals", list);
}

const ln_element *ln_diagram_tree(ln_reader *reader, ln_arena *arena, const char *path,
                                  ln_report *report, linnet_status *status) {
    (void)reader;
    const ln_datum *data = ln_document_read(arena, path, report, status);
    if (data == NULL)
        return NULL;
    const int is_vibesim = ln_datum_of(data, "blocks") != NULL,
              is_obliq = ln_datum_of(data, "sheets") != NULL;
    if (!is_vibesim && !is_obliq) {
        *status = ln_fail(report, LINNET_MODEL, (ln_place){path, data->line, 0},
                          "this is no model: Vibesim's have 'blocks', obliq-2's have 'sheets'");
        return NULL;
    }
    ln_draft draft;
    ln_draft_begin(&draft, arena, path, is_vibesim ? "Vibesim" : "obliq-2", report);
    ln_element *model = ln_draft_add(&draft, NULL, "model", 1, 1);
    const char *name = ln_datum_text(is_vibesim ? data : ln_datum_of(data, "metadata"),
                                     is_vibesim ? "name" : "description", NULL);
    ln_draft_put(&draft, model, "name", name);
    if (draft.status == LINNET_OK && is_vibesim)
        ln_vibesim_model(&draft, data, model);
    else if (draft.status == LINNET_OK)
        ln_obliq_model(&draft, data, model);
    ln_draft_end(&draft);
    *status = draft.status;
    return draft.status == LINNET_OK ? model : NULL;
}
