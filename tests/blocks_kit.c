/* SPDX-License-Identifier: MIT */
/* See blocks_kit.h. */
#include "blocks_kit.h"

#include "blocks/read_type.h"
#include "model/scope.h"
#include "unit.h"

#include <complex.h>

static void bind(kit *setup) {
    CU_ASSERT_FATAL(setup->class->nports + setup->class->nvars <= KIT_MAX);
    CU_ASSERT_FATAL(setup->class->nvalues <= KIT_VALUES && setup->class->nentries <= KIT_ENTRIES);
    CU_ASSERT_FATAL(setup->class->nwork <= KIT_WORK);
    CU_ASSERT_FATAL(setup->class->nmemories <= KIT_MEMORIES);
    setup->block = (linnet_block){setup->class, setup->p, setup->work};
}

static linnet_status prepare(kit *setup) {
    linnet_status status = setup->class->prepare != NULL
                               ? setup->class->prepare(&setup->block, setup->message)
                               : LINNET_OK;
    if (status == LINNET_OK && setup->class->remember != NULL)
        setup->class->remember(&setup->block, 0, setup->m);
    return status;
}

void kit_type(kit *setup, const char *xml) {
    memset(setup, 0, sizeof *setup);
    setup->report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    const char *text =
        ln_arena_printf(arena, "<library xmlns=\"urn:linnet:model:1\">\n%s</library>", xml);
    setup->status =
        ln_library_read_memory("types.xml", text, strlen(text), setup->report, &setup->model);
    ln_arena_free(arena);
    if (setup->status == LINNET_OK)
        setup->status = ln_read_type(&setup->model->definitions[0], NULL, NULL, setup->report,
                                     &setup->equations);
    if (setup->status == LINNET_OK)
        setup->status = ln_equations_class(setup->equations, setup->report, &setup->class);
    if (setup->status == LINNET_OK)
        bind(setup);
}

void kit_prepare(kit *setup, const double *values, int count) {
    CU_ASSERT_FATAL(setup->class != NULL);
    CU_ASSERT_FATAL(setup->class->nvalues == count);
    if (count > 0)
        memcpy(setup->p, values, (size_t)count * sizeof *values);
    setup->status = prepare(setup);
}

void kit_free(kit *setup) {
    ln_equations_free(setup->equations);
    ln_model_free(setup->model);
    if (setup->catalogue == NULL)
        ln_report_free(setup->report);
    ln_arena_free(setup->arena);
}

int kit_said(const kit *setup, const char *text) {
    for (int k = 0; ln_report_text(setup->report, k) != NULL; k++)
        if (strstr(ln_report_text(setup->report, k), text) != NULL)
            return 1;
    for (int k = 0; ln_report_text(setup->report, k) != NULL; k++)
        printf("\n    said: %s", ln_report_text(setup->report, k));
    printf("\n    not:  %s\n", text);
    return 0;
}

/* ---- instances from an element ---- */

typedef struct shape_room { /* by port; by parameter */
    int links[KIT_MAX], rows[KIT_VALUES], cols[KIT_VALUES];
    const char *texts[KIT_VALUES];
    const double *values[KIT_VALUES];
    double number[KIT_VALUES];
} shape_room;

static int count_words(const char *text) {
    int count = 0;
    for (; text != NULL && *text != '\0'; text++)
        count += *text != ' ' && (text[1] == ' ' || text[1] == '\0');
    return count;
}

static linnet_status read_values(kit *setup, const linnet_block_class *face,
                                 const ln_element *element, ln_scope *scope, shape_room *room) {
    const ln_place place = ln_place_of(element);
    for (int k = 0; k < face->nports; k++)
        room->links[k] = face->ports[k].flags & LINNET_MANY
                             ? count_words(ln_attribute_of(element, face->ports[k].name))
                             : 1;
    for (int k = 0; k < face->nparams; k++) {
        const linnet_param *param = &face->params[k];
        const char *text = ln_attribute_of(element, param->name);
        if (text == NULL)
            text = param->default_text;
        room->rows[k] = room->cols[k] = 1;
        room->values[k] = &room->number[k];
        if (param->flags & LINNET_TEXT) {
            room->texts[k] = text;
        } else if (param->flags & (LINNET_LIST | LINNET_MATRIX)) {
            double *list = NULL;
            room->rows[k] = room->cols[k] = 0;
            if (text != NULL)
                LN_TRY(ln_scope_list(scope, (ln_written){text, param->unit, place}, &list,
                                     &room->rows[k], &room->cols[k]));
            room->values[k] = list;
        } else {
            if (text == NULL && (param->flags & LINNET_REQUIRED))
                return ln_fail(setup->report, LINNET_MODEL, place, "parameter %s is missing",
                               param->name);
            room->number[k] = NAN; /* absent */
            if (text == NULL)
                continue;
            LN_TRY(ln_scope_declare(scope, param->name, (ln_written){text, param->unit, place},
                                    scope, param->min, param->max));
            LN_TRY(ln_scope_value(scope, param->name, param->unit, place, &room->number[k]));
        }
    }
    return LINNET_OK;
}

static linnet_status instantiate(kit *setup, const ln_element *element, shape_room *room) {
    linnet_status status;
    const ln_type *type = ln_catalogue_find(setup->catalogue, element->name, &status);
    if (type == NULL || type->face == NULL)
        return status != LINNET_OK ? status : LINNET_MODEL;
    ln_scope *scope = ln_scope_new(setup->arena, "", setup->report);
    if (scope == NULL)
        return LINNET_MEMORY;
    LN_TRY(read_values(setup, type->face, element, scope, room));
    ln_names names = ln_scope_names(scope);
    const ln_shape shape = {.links = room->links,
                            .rows = room->rows,
                            .cols = room->cols,
                            .texts = room->texts,
                            .values = room->values,
                            .names = &names,
                            .place = ln_place_of(element),
                            .block = "it"};
    LN_TRY(ln_catalogue_class(setup->catalogue, type, &shape, setup->report, &setup->class));
    bind(setup);
    for (int k = 0; k < setup->class->nparams; k++) {
        const linnet_param *param = &setup->class->params[k];
        for (int i = 0; i < param->rows * param->cols && !(param->flags & LINNET_TEXT); i++)
            if (room->values[k] != NULL)
                setup->p[param->offset + i] = room->values[k][i];
    }
    for (int k = 0; k < setup->class->nfixed; k++) {
        const linnet_param *param = &setup->class->params[setup->class->fixed[k].param];
        memcpy(setup->p + param->offset, setup->class->fixed[k].values,
               (size_t)(param->rows * param->cols) * sizeof *setup->p);
    }
    return prepare(setup);
}

void kit_instance(kit *setup, ln_catalogue *catalogue, ln_report *report, const char *text) {
    shape_room room = {0};
    memset(setup, 0, sizeof *setup);
    setup->catalogue = catalogue;
    setup->report = report;
    setup->status = LINNET_MEMORY;
    if ((setup->arena = ln_arena_new()) == NULL)
        return;
    const ln_element *element = ln_tree_read_memory(
        setup->arena, (ln_document){"element", text, strlen(text)}, NULL, report, &setup->status);
    if (element != NULL)
        setup->status = instantiate(setup, element, &room);
    if (setup->status != LINNET_OK)
        setup->class = NULL;
}

/* ---- evaluation ---- */

linnet_status kit_at(kit *setup, double t, double decide, const double *x) {
    const linnet_block_class *class = setup->class;
    const linnet_point point = {t, decide, x, setup->m};
    linnet_out out = {setup->q, setup->f, setup->entry};
    double constant[KIT_ENTRIES] = {0}, s[KIT_MAX] = {0};
    linnet_status status = LINNET_OK;
    memset(setup->q, 0, sizeof setup->q);
    memset(setup->f, 0, sizeof setup->f);
    memset(setup->entry, 0, sizeof setup->entry);
    if (class->modes != NULL)
        class->modes(&setup->block, &point, setup->m + class->nmemories - class->nmodes);
    if (class->eval != NULL)
        status = class->eval(&setup->block, &point, &out);
    if (class->linear != NULL)
        class->linear(&setup->block, constant);
    if (class->source != NULL)
        class->source(&setup->block, &(linnet_point){t, decide, NULL, setup->m}, s);
    for (int k = 0; k < class->nentries; k++) {
        const linnet_entry *e = &class->entries[k];
        if (e->change != LINNET_CONSTANT)
            continue;
        setup->entry[k] = constant[k];
        (e->kind == LINNET_E ? setup->q : setup->f)[e->row] += constant[k] * x[e->col];
    }
    for (int k = 0; k < class->nports + class->nvars; k++)
        setup->f[k] -= s[k];
    return status;
}

double kit_entry(const kit *setup, linnet_kind kind, int row, int col) {
    double sum = 0;
    for (int k = 0; k < setup->class->nentries; k++) {
        const linnet_entry *e = &setup->class->entries[k];
        if (e->kind == kind && e->row == row && e->col == col)
            sum += setup->entry[k];
    }
    return sum;
}

int kit_count(const kit *setup, linnet_change change) {
    int count = 0;
    for (int k = 0; k < setup->class->nentries; k++)
        count += setup->class->entries[k].change == change;
    return count;
}

/* ---- frequency response ---- */

static int eliminate(int n, double complex m[KIT_MAX][KIT_MAX + 1]) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (cabs(m[i][k]) > cabs(m[best][k]))
                best = i;
        if (cabs(m[best][k]) == 0)
            return 0;
        for (int j = k; j <= n; j++) {
            double complex swap = m[k][j];
            m[k][j] = m[best][j];
            m[best][j] = swap;
        }
        for (int i = 0; i < n; i++) {
            double complex factor = i == k ? 0 : m[i][k] / m[k][k];
            for (int j = k; j <= n; j++)
                m[i][j] -= factor * m[k][j];
        }
    }
    return 1;
}

int kit_response(kit *setup, int in, int out, const double s[2], double gain[2]) {
    static double complex m[KIT_MAX][KIT_MAX + 1];
    const double zero[KIT_MAX] = {0};
    int n = setup->class->nports + setup->class->nvars, output = -1;
    memset(m, 0, sizeof m);
    kit_at(setup, 0, 0, zero);
    for (int k = 0; k < setup->class->nentries; k++) {
        const linnet_entry *e = &setup->class->entries[k];
        m[e->row][e->col] += setup->entry[k] * (e->kind == LINNET_E ? s[0] + s[1] * I : 1);
    }
    for (int k = 0; k < setup->class->nports; k++) {
        if (setup->class->ports[k].flags & LINNET_INPUT) {
            m[k][k] = 1;
            m[k][n] = in-- == 0;
        } else if (out-- == 0) {
            output = k;
        }
    }
    if (output < 0 || !eliminate(n, m))
        return 0;
    double complex value = m[output][n] / m[output][output];
    gain[0] = creal(value);
    gain[1] = cimag(value);
    return 1;
}
