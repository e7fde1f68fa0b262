/* SPDX-License-Identifier: MIT */
/* What the models of both systems end with: types, blocks, the run and what is recorded. */
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
