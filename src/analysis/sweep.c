/* SPDX-License-Identifier: MIT */
/* The plan of a sweep: what it varies and measures, its header and its fingerprint. */
#include "analysis/sweep.h"

#include "result/document.h"
#include "model/model.h"
#include "model/tree.h"
#include "base/text.h"
#include <linnet/linnet.h>
#include <stdio.h>
#include <string.h>

/* ---- fingerprint: of everything that decides a row ---- */

typedef uint64_t print;

/* No text, which is no UTF-8, differs from an empty one. */
static void add(print *value, const char *text) {
    const char *bytes = text != NULL ? text : "\xff";
    *value = ln_hash(*value, bytes, strlen(bytes) + 1);
}

/* Lines count too, for reasons name them. The depth is limited by that of the file. */
static void add_element(print *value, const ln_element *element) {
    char line[32];
    if (element == NULL)
        return;
    snprintf(line, sizeof line, "%d", element->line);
    add(value, line);
    add(value, element->name);
    add(value, element->file);
    add(value, element->text);
    for (int k = 0; k < element->nattributes; k++) {
        add(value, element->attributes[k].name);
        add(value, element->attributes[k].value);
    }
    for (const ln_element *child = element->first; child != NULL; child = child->next)
        add_element(value, child);
    add(value, NULL);
}

static void add_elements(print *value, const ln_element *const *elements, int count) {
    for (int k = 0; k < count; k++)
        add_element(value, elements[k]);
    add(value, NULL);
}

static void add_model(print *value, const ln_model *model) {
    const ln_body *body = &model->body;
    for (int k = 0; k < model->ndefinitions; k++)
        add_element(value, model->definitions[k].element);
    add_elements(value, body->parameters, body->nparameters);
    add_elements(value, body->blocks, body->nblocks);
    add_elements(value, body->links, body->nlinks);
    add_elements(value, body->starts, body->nstarts);
    for (int k = 0; k < body->nrepeats; k++)
        add_element(value, body->repeats[k].element);
    add_element(value, model->simulation);
    add_elements(value, model->records, model->nrecords);
    add_elements(value, model->tolerances, model->ntolerances);
    add_elements(value, model->measures, model->nmeasures);
}

static print fingerprint(const ln_sweep *sweep, const char *const *vary, int nvary, long draws) {
    const ln_request *request = &sweep->request;
    const char *const texts[] = {linnet_version(),   request->method,   request->step,
                                 request->tolerance, request->duration, request->start_time,
                                 request->start,     request->interval, request->points};
    char numbers[96];
    print value = LN_HASH_BEGIN;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        add(&value, texts[k]);
    for (int k = 0; k < request->noverrides; k++) {
        add(&value, request->overrides[k].name);
        add(&value, request->overrides[k].value);
    }
    for (int k = 0; k < request->nmeasures; k++)
        add(&value, request->measures[k]);
    for (int k = 0; k < nvary; k++)
        add(&value, vary[k]);
    snprintf(numbers, sizeof numbers, "%ld %llu %d", draws, sweep->axes.seed, (int)request->linear);
    add(&value, numbers);
    add_model(&value, sweep->model);
    return value;
}

/* ---- the plan ---- */

static linnet_status record_nothing(void *context, ln_simulation *simulation) {
    (void)context;
    (void)simulation;
    return LINNET_OK;
}

static linnet_status keep_measures(ln_sweep *sweep, const ln_simulation *nominal, ln_arena *arena,
                                   ln_report *report) {
    sweep->nmeasures = ln_measures_count(nominal->measures);
    ln_measured *kept = LN_NEW(arena, ln_measured, sweep->nmeasures);
    for (int k = 0; kept != NULL && k < sweep->nmeasures; k++) {
        const ln_measured *measured = ln_measures_at(nominal->measures, k);
        kept[k] = (ln_measured){ln_arena_string(arena, measured->name),
                                ln_arena_string(arena, measured->unit), 0};
        if (kept[k].name == NULL || kept[k].unit == NULL)
            kept = NULL;
    }
    sweep->measures = kept;
    return kept != NULL ? LINNET_OK : ln_no_memory(report);
}

static linnet_status make_header(ln_sweep *sweep, ln_arena *arena, ln_report *report) {
    ln_text text = {0};
    ln_text_add(&text, "case");
    for (int k = 0; k < sweep->axes.count + sweep->nmeasures; k++) {
        ln_text_add(&text, ",");
        ln_csv_text(&text, k < sweep->axes.count ? sweep->axes.items[k].name
                                                 : sweep->measures[k - sweep->axes.count].name);
    }
    ln_text_printf(&text, ",status,reason,sweep-%016llx\n", sweep->fingerprint);
    if (!text.failed)
        sweep->header = ln_arena_string(arena, text.data);
    ln_text_free(&text);
    return sweep->header != NULL ? LINNET_OK : ln_no_memory(report);
}

/* The first case, up to the first step: a name that means nothing, or a wrong value, shows here.
 * What is a matter of this case alone (its network, its equations) is no error yet. */
static linnet_status try_first(const ln_sweep *sweep, ln_arena *arena, ln_report *report) {
    const ln_request *asked = &sweep->request;
    ln_request request = *asked;
    ln_override *overrides = LN_NEW(arena, ln_override, asked->noverrides + sweep->axes.count);
    char(*values)[96] = ln_arena_alloc(arena, (size_t)sweep->axes.count, sizeof *values);
    if (overrides == NULL || values == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < asked->noverrides; k++)
        overrides[k] = asked->overrides[k];
    for (int k = 0; k < sweep->axes.count; k++)
        overrides[asked->noverrides + k] =
            (ln_override){sweep->axes.items[k].name, ln_axis_value(&sweep->axes, k, 0, values[k])};
    request.overrides = overrides;
    request.noverrides = asked->noverrides + sweep->axes.count;
    ln_report *quiet = ln_report_new(NULL, NULL);
    if (quiet == NULL)
        return ln_no_memory(report);
    ln_simulation first;
    linnet_status status = ln_simulation_prepare(&first, sweep->model, &request, 1,
                                                 &(ln_record_choice){record_nothing, NULL}, quiet);
    ln_simulation_free(&first);
    if (status == LINNET_USAGE)
        ln_report_forward(report, quiet);
    ln_report_free(quiet);
    return status == LINNET_USAGE || status == LINNET_MEMORY ? status : LINNET_OK;
}

linnet_status ln_sweep_prepare(ln_sweep *sweep, const ln_model *model, const ln_request *request,
                               const ln_vary_plan *plan, ln_arena *arena, ln_report *report) {
    *sweep = (ln_sweep){.model = model, .request = *request};
    ln_simulation nominal;
    linnet_status status = ln_simulation_prepare(&nominal, model, request, 1,
                                                 &(ln_record_choice){record_nothing, NULL}, report);
    if (status == LINNET_OK)
        status = ln_axes_read(nominal.network, plan, arena, report, &sweep->axes);
    if (status == LINNET_OK)
        status = keep_measures(sweep, &nominal, arena, report);
    ln_simulation_free(&nominal);
    LN_TRY(status);
    LN_TRY(try_first(sweep, arena, report));
    sweep->fingerprint = fingerprint(sweep, plan->texts, plan->ntexts, plan->draws);
    return make_header(sweep, arena, report);
}
