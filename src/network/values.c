/* SPDX-License-Identifier: MIT */
/* Parameters of an instance: what the model writes, else the type's default, checked against the
 * range of each, in the array that the block's functions read. Values are evaluated in the scope
 * where the instance stands. */
#include "network/values.h"

#include "expression/parse.h"
#include "model/scope.h"

#include <math.h>
#include <string.h>
#include <strings.h>

int ln_values_grow(ln_build *build, int room) {
    ln_values *all = &build->values;
    ln_arena *arena = build->scratch;
    *all = (ln_values){.room = room,
                       .written = LN_NEW(arena, const char *, room),
                       .where = LN_NEW(arena, ln_scope *, room),
                       .number = LN_NEW(arena, double, room),
                       .list = LN_NEW(arena, double *, room),
                       .rows = LN_NEW(arena, int, room),
                       .cols = LN_NEW(arena, int, room),
                       .texts = LN_NEW(arena, const char *, room),
                       .items = LN_NEW(arena, const double *, room)};
    return (all->written && all->where && all->number && all->list && all->rows && all->cols &&
            all->texts && all->items) ||
           ln_build_failed(build);
}

int ln_values_begin(ln_build *build, const ln_kind *kind) {
    int nparams = kind->type->face != NULL ? kind->type->face->nparams : 0;
    if (build->values.room < nparams && !ln_values_grow(build, nparams + 8))
        return 0;
    if (build->port_room < kind->nports) {
        build->port_room = kind->nports + 8;
        build->port_text = LN_NEW(build->scratch, const char *, build->port_room);
        build->port_count = LN_NEW(build->scratch, int, build->port_room);
        if (build->port_text == NULL || build->port_count == NULL)
            return ln_build_failed(build);
    }
    for (int k = 0; k < nparams; k++) {
        build->values.written[k] = NULL;
        build->values.items[k] = NULL;
    }
    build->values.size = (ln_size){1, 1};
    for (int j = 0; j < kind->nports; j++)
        build->port_text[j] = NULL;
    return 1;
}

static int find_parameter(const linnet_block_class *face, const char *name) {
    for (int k = 0; k < face->nparams; k++)
        if (strcmp(face->params[k].name, name) == 0)
            return k;
    return -1;
}

int ln_param_meant(const linnet_block_class *face, const char *name) {
    int found = -1, count = 0;
    for (int k = 0; k < face->naliases; k++)
        if (strcmp(face->aliases[k].name, name) == 0)
            return find_parameter(face, face->aliases[k].param);
    for (int k = 0; k < face->nparams; k++) {
        if (strcasecmp(face->params[k].name, name) != 0)
            continue;
        found = k;
        count++;
    }
    return count == 1 ? found : -1;
}

/* Does a user's word name the parameter: by its name or, where no parameter has that name, by
 * another one? */
static int names_parameter(const linnet_block_class *face, const char *word,
                           const char *parameter) {
    if (strcmp(word, parameter) == 0)
        return 1;
    if (face == NULL || find_parameter(face, word) >= 0)
        return 0;
    int meant = ln_param_meant(face, word);
    return meant >= 0 && strcmp(face->params[meant].name, parameter) == 0;
}

const char *ln_override_of(ln_build *build, const char *block, const linnet_block_class *face,
                           const char *parameter) {
    const char *text = NULL;
    for (int i = 0; i < build->noverrides; i++) {
        const char *name = build->overrides[i].name, *dot = strrchr(name, '.');
        size_t length = dot == NULL ? 0 : (size_t)(dot - name);
        if (dot == NULL || strncmp(name, block, length) != 0 || block[length] != '\0')
            continue;
        if (!names_parameter(face, dot + 1, parameter))
            continue;
        build->override_used[i] = 1;
        text = build->overrides[i].value;
    }
    return text;
}

void ln_values_take_overrides(ln_build *build, const ln_kind *kind,
                              const ln_raw_instance *instance) {
    const linnet_block_class *face = kind->type->face;
    for (int k = 0; build->noverrides > 0 && k < face->nparams; k++) {
        const char *text = ln_override_of(build, instance->name, face, face->params[k].name);
        if (text == NULL)
            continue;
        build->values.written[k] = text;
        build->values.where[k] = build->network->scope;
    }
}

/* ---- ranges ---- */

static void range_text(const linnet_param *param, char text[128]) {
    ln_text range = {0};
    char number[32];
    const char *unit = param->unit == NULL ? "" : param->unit, *blank = unit[0] != '\0' ? " " : "";
    if (isfinite(param->min)) {
        ln_number_format(number, param->min);
        ln_text_printf(&range, "%s %s%s%s", param->flags & LINNET_OPEN_MIN ? "above" : "at least",
                       number, blank, unit);
    }
    if (isfinite(param->max)) {
        ln_number_format(number, param->max);
        ln_text_printf(&range, "%s%s %s%s%s", range.length > 0 ? " and " : "",
                       param->flags & LINNET_OPEN_MAX ? "below" : "at most", number, blank, unit);
    }
    text[0] = '\0';
    if (range.data != NULL && range.length < 128)
        memcpy(text, range.data, range.length + 1);
    ln_text_free(&range);
}

static void check_number(ln_build *build, const ln_raw_instance *instance, const ln_kind *kind,
                         const linnet_param *param, double value) {
    int below = param->flags & LINNET_OPEN_MIN ? !(value > param->min) : !(value >= param->min);
    int above = param->flags & LINNET_OPEN_MAX ? !(value < param->max) : !(value <= param->max);
    int broken = (param->flags & LINNET_INTEGER) && value != nearbyint(value);
    if (!below && !above && !broken)
        return;
    char number[32], range[128] = "a whole number";
    const char *unit = param->unit == NULL ? "" : param->unit;
    ln_number_format(number, value);
    if (below || above)
        range_text(param, range);
    LN_WRONG(build, ln_place_of(instance->element), "%s (%s): %s = %s%s%s must be %s",
             instance->name, kind->element, param->name, number, unit[0] != '\0' ? " " : "", unit,
             range);
}

/* What fits by its dimension and is most likely meant otherwise: an angular frequency for a
 * frequency, degrees without their unit. */
static void check_angle(ln_build *build, const ln_raw_instance *instance, const ln_kind *kind,
                        const linnet_param *param, const char *text, double value) {
    const char *unit = param->unit != NULL ? param->unit : "";
    const int is_bare = text[strspn(text, "+-.0123456789 ")] == '\0';
    if (strcmp(unit, "Hz") == 0 && strstr(text, "rad/s") != NULL)
        ln_warn(build->report, ln_place_of(instance->element),
                "%s (%s): %s = '%.60s' is taken as %.6g Hz; of an angular frequency write "
                "w/(2*pi), without rad",
                instance->name, kind->element, param->name, text, value);
    else if (strcmp(unit, "rad") == 0 && is_bare && fabs(value) > 6.3)
        ln_warn(build->report, ln_place_of(instance->element),
                "%s (%s): %s = %.6g rad, %.3g turns; degrees are written '%.40s deg'",
                instance->name, kind->element, param->name, value, value / 6.283185307179586, text);
}

/* ---- evaluating ---- */

static int is_list(const linnet_param *param) {
    return (param->flags & (LINNET_LIST | LINNET_MATRIX)) != 0;
}

static void missing(ln_build *build, const ln_raw_instance *instance, const ln_kind *kind,
                    const linnet_param *param) {
    int with_unit = param->unit != NULL && param->unit[0] != '\0';
    LN_WRONG(build, ln_place_of(instance->element),
             "%s (%s): parameter '%s'%s%s%s is required; add %s=\"...\"", instance->name,
             kind->element, param->name, with_unit ? " [" : "", with_unit ? param->unit : "",
             with_unit ? "]" : "", param->name);
}

static linnet_status take_list(ln_build *build, const ln_raw_instance *instance,
                               const ln_kind *kind, int k) {
    ln_values *all = &build->values;
    const linnet_param *param = &kind->type->face->params[k];
    int written = all->written[k] != NULL;
    const char *text = written ? all->written[k] : param->default_text;
    all->rows[k] = all->cols[k] = 0;
    all->list[k] = NULL;
    if (text == NULL)
        return LINNET_OK;
    ln_subject before =
        ln_report_about(build->report, (ln_subject){instance->name, kind->element, param->name});
    linnet_status status =
        ln_scope_list(written ? all->where[k] : build->blank,
                      (ln_written){text, param->unit, ln_place_of(instance->element)},
                      &all->list[k], &all->rows[k], &all->cols[k]);
    ln_report_about(build->report, before);
    LN_TRY(status);
    if (!(param->flags & LINNET_MATRIX) && all->rows[k] > 1)
        return ln_fail(build->report, LINNET_MODEL, ln_place_of(instance->element),
                       "%s (%s): %s is a list, not a matrix; remove the ';'", instance->name,
                       kind->element, param->name);
    for (int i = 0; i < all->rows[k] * all->cols[k]; i++)
        check_number(build, instance, kind, param, all->list[k][i]);
    return LINNET_OK;
}

/* May a list stand for the number, a value for each element of a signal? */
static int may_be_items(const ln_kind *kind, const linnet_param *param) {
    return kind->elementwise && !(param->flags & LINNET_STRUCTURAL);
}

/* A number given as a list: "1 2 3" for a vector, rows by ';' for a matrix. */
static linnet_status take_items(ln_build *build, const ln_raw_instance *instance,
                                const ln_kind *kind, int k) {
    ln_values *all = &build->values;
    const linnet_param *param = &kind->type->face->params[k];
    double *list;
    int rows, cols;
    ln_subject before =
        ln_report_about(build->report, (ln_subject){instance->name, kind->element, param->name});
    linnet_status status = ln_scope_list(
        all->where[k], (ln_written){all->written[k], param->unit, ln_place_of(instance->element)},
        &list, &rows, &cols);
    ln_report_about(build->report, before);
    LN_TRY(status);
    for (int i = 0; i < rows * cols; i++)
        check_number(build, instance, kind, param, list[i]);
    all->number[k] = list[0];
    if (rows * cols == 1)
        return LINNET_OK;
    const ln_size size = rows == 1 ? (ln_size){cols, 1} : (ln_size){rows, cols};
    if (all->size.rows * all->size.cols > 1 &&
        (all->size.rows != size.rows || all->size.cols != size.cols))
        return ln_fail(
            build->report, LINNET_MODEL, ln_place_of(instance->element),
            "%s (%s): %s is %d x %d where another parameter is %d x %d; give them the same size",
            instance->name, kind->element, param->name, size.rows, size.cols, all->size.rows,
            all->size.cols);
    all->size = size;
    all->items[k] = list;
    return LINNET_OK;
}

linnet_status ln_values_take(ln_build *build, const ln_raw_instance *instance, const ln_kind *kind,
                             int k) {
    ln_values *all = &build->values;
    const linnet_param *param = &kind->type->face->params[k];
    const char *text = all->written[k];
    all->rows[k] = all->cols[k] = 1;
    all->list[k] = &all->number[k];
    all->texts[k] = NULL;
    if (text == NULL && param->default_text == NULL && (param->flags & LINNET_REQUIRED)) {
        missing(build, instance, kind, param);
        return LINNET_OK;
    }
    if (param->flags & LINNET_TEXT) {
        const char *passed = text != NULL ? ln_scope_text(all->where[k], text) : NULL;
        all->texts[k] = passed != NULL ? passed : text != NULL ? text : param->default_text;
        return LINNET_OK;
    }
    if (is_list(param))
        return take_list(build, instance, kind, k);
    all->number[k] = kind->defaults[k];
    /* the default's range is checked where it may depend on others */
    if (text == NULL)
        return LINNET_OK;
    const ln_written written = {text, param->unit, ln_place_of(instance->element)};
    if (ln_literals_know(build->literals, &written, &all->number[k])) { /* no list, nor wrong */
        check_number(build, instance, kind, param, all->number[k]);
        check_angle(build, instance, kind, param, text, all->number[k]);
        return LINNET_OK;
    }
    if (ln_is_list(text) && may_be_items(kind, param))
        return take_items(build, instance, kind, k);
    ln_subject before =
        ln_report_about(build->report, (ln_subject){instance->name, kind->element, param->name});
    linnet_status status =
        ln_literals_value(build->literals, all->where[k], &written, &all->number[k]);
    ln_report_about(build->report, before);
    LN_TRY(status);
    check_number(build, instance, kind, param, all->number[k]);
    check_angle(build, instance, kind, param, text, all->number[k]);
    return LINNET_OK;
}

/* Defaults that name other parameters of the instance: a small scope holds both. */
linnet_status ln_values_take_dependent(ln_build *build, const ln_raw_instance *instance,
                                       const ln_kind *kind, ln_arena *arena) {
    const linnet_block_class *face = kind->type->face;
    ln_values *all = &build->values;
    ln_place place = ln_place_of(instance->element);
    ln_scope *scope = ln_scope_new(arena, instance->name, build->report);
    if (scope == NULL)
        return ln_no_memory(build->report);
    for (int k = 0; k < face->nparams; k++) {
        const linnet_param *param = &face->params[k];
        const char *text = all->written[k] != NULL ? all->written[k] : param->default_text;
        if (!kind->asked[k] || text == NULL || is_list(param) || (param->flags & LINNET_TEXT))
            continue;
        ln_scope *where = all->written[k] != NULL ? all->where[k] : scope;
        const char *unit = param->unit;
        char *item = NULL;
        if (all->items[k] != NULL) { /* the element at hand, in SI */
            char number[32];
            ln_number_format(number, all->number[k]);
            text = item = ln_arena_string(arena, number);
            unit = NULL;
            if (item == NULL)
                return ln_no_memory(build->report);
        }
        LN_TRY(ln_scope_declare(scope, param->name, (ln_written){text, unit, place}, where,
                                -INFINITY, INFINITY));
    }
    LN_TRY(ln_scope_evaluate_all(scope));
    for (int i = 0; i < ln_scope_count(scope); i++) {
        double value;
        const char *unit, *name = ln_scope_name(scope, i, &value, &unit);
        int k = ln_param_find(kind, name);
        if (k < 0 || !kind->dependent[k] || all->written[k] != NULL)
            continue;
        all->number[k] = value;
        check_number(build, instance, kind, &face->params[k], value);
    }
    return LINNET_OK;
}
