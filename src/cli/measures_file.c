/* SPDX-License-Identifier: MIT */
/* The measures of a run as a file. */
#include "cli/measures_file.h"

#include "result/document.h"
#include "model/model.h"
#include "base/text.h"
#include <math.h>

int ln_measures_file_is_known(const char *path) {
    return ln_ends_with(path, ".json") || ln_ends_with(path, ".csv");
}

static void put_csv(const ln_measures *measures, ln_text *text) {
    ln_text_add(text, "name,value,unit\n");
    for (int k = 0; k < ln_measures_count(measures); k++) {
        const ln_measured *measured = ln_measures_at(measures, k);
        ln_csv_text(text, measured->name);
        ln_text_add(text, ",");
        if (!isnan(measured->value))
            ln_csv_number(text, measured->value);
        ln_text_add(text, ",");
        ln_csv_text(text, measured->unit);
        ln_text_add(text, "\n");
    }
}

void ln_measures_json(const ln_measures *measures, ln_json_kind kind, ln_json *json) {
    ln_json_begin(json, "measures", kind);
    for (int k = 0; k < ln_measures_count(measures); k++) {
        const ln_measured *measured = ln_measures_at(measures, k);
        ln_json_begin(json, NULL, LN_JSON_OBJECT);
        ln_json_text(json, "name", measured->name);
        ln_json_number(json, "value", measured->value);
        ln_json_text(json, "unit", measured->unit);
        ln_json_end(json);
    }
    ln_json_end(json);
}

static void put_json(const char *model, const char *origin, const ln_measures *measures,
                     ln_text *text) {
    ln_json json = {.out = text};
    ln_json_head(&json, model, origin);
    ln_measures_json(measures, LN_JSON_LIST_LINES, &json);
    ln_json_finish(&json);
}

linnet_status ln_measures_file_write(const char *path, const ln_model *model,
                                     const ln_measures *measures, ln_report *report) {
    ln_text text = {0};
    if (ln_ends_with(path, ".json"))
        put_json(model->name, model->origin, measures, &text);
    else
        put_csv(measures, &text);
    linnet_status status = ln_document_write(path, &text, report);
    ln_text_free(&text);
    return status;
}
