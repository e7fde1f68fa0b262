/* SPDX-License-Identifier: MIT */
/* The measures of a run as a file. */
#include "cli/measures_file.h"

#include "result/document.h"
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

static void put_json(const char *model, const ln_measures *measures, ln_text *text) {
    ln_text_add(text, "{\n  \"model\": ");
    ln_json_text(text, model);
    ln_text_add(text, ",\n  \"measures\": [");
    for (int k = 0; k < ln_measures_count(measures); k++) {
        const ln_measured *measured = ln_measures_at(measures, k);
        ln_text_add(text, k > 0 ? ",\n    {\"name\": " : "\n    {\"name\": ");
        ln_json_text(text, measured->name);
        ln_text_add(text, ", \"value\": ");
        ln_json_number(text, measured->value);
        ln_text_add(text, ", \"unit\": ");
        ln_json_text(text, measured->unit);
        ln_text_add(text, "}");
    }
    ln_text_add(text, "\n  ]\n}\n");
}

linnet_status ln_measures_file_write(const char *path, const char *model,
                                     const ln_measures *measures, ln_report *report) {
    ln_text text = {0};
    if (ln_ends_with(path, ".json"))
        put_json(model, measures, &text);
    else
        put_csv(measures, &text);
    linnet_status status = ln_document_write(path, &text, report);
    ln_text_free(&text);
    return status;
}
