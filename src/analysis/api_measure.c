/* SPDX-License-Identifier: MIT */
/* The public API's measures: what is asked for before a run, and what the run has measured. */
#include "analysis/api.h"

#include "base/sys.h"
#include <math.h>

linnet_status linnet_measure(linnet_model *model, const char *measure) {
    if (model == NULL)
        return LINNET_USAGE;
    if (measure == NULL) {
        model->nmeasures = 0;
        return LINNET_OK;
    }
    const char *copy = ln_arena_string(model->arena, measure);
    if (copy == NULL)
        return LINNET_MEMORY;
    if (!LN_GROW(model->measures, model->nmeasures, model->measures_room))
        return LINNET_MEMORY;
    model->measures[model->nmeasures++] = copy;
    return LINNET_OK;
}

void ln_api_keep_measures(linnet_model *model, const ln_measures *measures) {
    const int count = ln_measures_count(measures);
    model->measured = model->after != NULL ? LN_NEW(model->after, linnet_item, count) : NULL;
    for (int k = 0; model->measured != NULL && k < count; k++) {
        const ln_measured *from = ln_measures_at(measures, k);
        const char *unit = from->unit != NULL ? from->unit : "";
        model->measured[k] = (linnet_item){.name = ln_arena_string(model->after, from->name),
                                           .type = "measure",
                                           .unit = ln_arena_string(model->after, unit),
                                           .value = from->value};
        if (model->measured[k].name == NULL || model->measured[k].unit == NULL)
            return;
        model->nmeasured = k + 1;
    }
}

int linnet_measured_count(const linnet_model *model) {
    return model != NULL ? model->nmeasured : 0;
}

linnet_item linnet_measured(const linnet_model *model, int index) {
    if (index < 0 || index >= linnet_measured_count(model))
        return (linnet_item){.value = (double)NAN};
    return model->measured[index];
}
