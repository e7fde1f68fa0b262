/* SPDX-License-Identifier: MIT */
/* A file of YAML or JSON to a model: which system wrote it. */
#include "foreign/foreign.h"

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
