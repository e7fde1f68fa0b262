/* SPDX-License-Identifier: MIT */
/* See again.h. */
#include "analysis/again.h"

#include "base/sys.h"
#include "expression/ast.h"

#include <string.h>

static int is_parameter(const ln_model *model, const char *name) {
    for (int k = 0; k < model->body.nparameters; k++)
        if (strcmp(ln_attribute_of(model->body.parameters[k], "name"), name) == 0)
            return 1;
    return 0;
}

/* The reading fails quietly; its first error is told here. */
static linnet_status read_again(const ln_model *model, const ln_model_options *options,
                                ln_report *report, ln_model **again) {
    ln_report *quiet = ln_report_new(NULL, NULL);
    if (quiet == NULL)
        return ln_no_memory(report);
    linnet_status status = model->again(model->path, options, quiet, again);
    const char *text = NULL;
    for (int k = 0; status != LINNET_OK && (text = ln_report_text(quiet, k)) != NULL &&
                    strstr(text, "error: ") == NULL;
         k++)
        continue;
    if (status != LINNET_OK)
        ln_error(report, LN_NOWHERE, "with other parameters: %s",
                 text != NULL ? text : linnet_status_text(status));
    ln_report_free(quiet);
    return status;
}

linnet_status ln_model_again(const ln_model *model, const ln_override *overrides, int noverrides,
                             ln_report *report, ln_model **again) {
    ln_model_options options = model->options;
    linnet_status status = LINNET_OK;
    *again = NULL;
    if (model->again == NULL || noverrides == 0)
        return LINNET_OK;
    ln_model_value *values = ln_sys->allocate((size_t)noverrides * sizeof *values);
    if (values == NULL)
        return ln_no_memory(report);
    options.nvalues = 0;
    for (int k = 0; k < noverrides && status == LINNET_OK; k++) {
        ln_dimension dimension;
        if (!is_parameter(model, overrides[k].name))
            continue;
        ln_model_value *value = &values[options.nvalues++];
        value->name = overrides[k].name;
        if (!ln_ast_literal(overrides[k].value, &value->value, &dimension))
            status = ln_fail(
                report, LINNET_USAGE, LN_NOWHERE,
                "parameter '%s' of a deck is '%s'; it must be a number, with or without a unit",
                value->name, overrides[k].value);
    }
    options.values = values;
    if (status == LINNET_OK && options.nvalues > 0)
        status = read_again(model, &options, report, again);
    ln_sys->release(values);
    return status;
}
