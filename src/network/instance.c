/* SPDX-License-Identifier: MIT */
/* An instance from its parameters: its class, the array that the class's functions read, its texts
 * and starts; for each element where a parameter is a list, and later where the class waits for
 * sizes. */
#include "network/asked.h"
#include "network/values.h"
#include "base/text.h"
#include "blocks/catalogue.h"
#include "expression/graph.h"
#include "model/scope.h"

#include <math.h>
#include <string.h>

/* ---- class and values ---- */

static linnet_status make_class(ln_build *build, const ln_level *level, const ln_kind *kind,
                                ln_raw_instance *instance) {
    const linnet_block_class *face = kind->type->face;
    instance->class = face;
    if (!ln_type_is_sized(kind->type) && face->variant == NULL)
        return LINNET_OK;
    ln_values *all = &build->values;
    ln_names names = ln_scope_names(level->scope);
    ln_shape shape = {.links = build->port_count,
                      .rows = all->rows,
                      .cols = all->cols,
                      .texts = all->texts,
                      .values = (const double *const *)all->list,
                      .names = &names,
                      .place = ln_place_of(instance->element),
                      .block = instance->name,
                      .allow_native = build->network->model->options.allow_native};
    LN_TRY(ln_wanted_states(build, kind, instance->name, &shape.wanted));
    instance->class = NULL;
    LN_TRY(ln_catalogue_class(build->network->catalogue, kind->type, &shape, build->report,
                              &instance->class));
    if ((size_t)instance->class->nports == build->nport_links - (size_t)instance->first)
        return LINNET_OK;
    return ln_fail(build->report, LINNET_INTERNAL, shape.place,
                   "%s (%s): its class does not have one port per link", instance->name,
                   kind->element);
}

/* The face's parameter that a parameter of the class is; most often it has the same index. */
static int same_param(const ln_kind *kind, int k, const char *name) {
    const linnet_block_class *face = kind->type->face;
    return k < face->nparams && strcmp(face->params[k].name, name) == 0 ? k
                                                                        : ln_param_find(kind, name);
}

/* What equal instances share: the values of the last one of the kind, if they are these, or a copy
 * of these. NULL when memory is short. */
static const double *keep_equal(ln_build *build, const ln_kind *kind,
                                const linnet_block_class *class, const double *p) {
    ln_last_values *last = kind->last;
    const size_t bytes = (size_t) class->nvalues * sizeof *p;
    if (last->class == class && memcmp(last->p, p, bytes) == 0)
        return last->p;
    double *kept = LN_NEW(build->network->arena, double, class->nvalues);
    if (kept == NULL)
        return NULL;
    memcpy(kept, p, bytes);
    *last = (ln_last_values){class, kept};
    return kept;
}

/* The values of an instance at the numbers at hand; NULL after an error. */
static const double *fill(ln_build *build, const ln_kind *kind, const ln_raw_instance *instance) {
    const linnet_block_class *class = instance->class;
    const ln_values *all = &build->values;
    const size_t nvalues = (size_t) class->nvalues;
    if (!LN_GROW(build->filled, nvalues, build->filled_room))
        return ln_build_failed(build), NULL;
    double *p = build->filled;
    memset(p, 0, nvalues * sizeof *p);
    for (int k = 0; k < class->nparams; k++) {
        const linnet_param *param = &class->params[k];
        int from = same_param(kind, k, param->name);
        if (from < 0 || (param->flags & LINNET_TEXT))
            continue;
        if (param->rows != all->rows[from] || param->cols != all->cols[from])
            return LN_WRONG(build, ln_place_of(instance->element),
                            "%s (%s): %s must have %d rows and %d columns, not %d and %d",
                            instance->name, kind->element, param->name, param->rows, param->cols,
                            all->rows[from], all->cols[from]),
                   NULL;
        size_t count = (size_t)param->rows * (size_t)param->cols;
        if (count > 0)
            memcpy(p + param->offset, all->list[from], count * sizeof *p);
    }
    for (int k = 0; k < class->nfixed; k++) {
        const linnet_param *param = &class->params[class->fixed[k].param];
        memcpy(p + param->offset, class->fixed[k].values,
               (size_t)param->rows * (size_t)param->cols * sizeof *p);
    }
    const double *kept = keep_equal(build, kind, class, p);
    if (kept == NULL)
        ln_build_failed(build);
    return kept;
}

/* A text with the numbers of the parameters in scope put in for their names, so that it means the
 * same anywhere. */
static const char *close_text(ln_build *build, const ln_scope *scope, const char *text) {
    static const char begins[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                      goes_on[] =
                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
    ln_text closed = {0};
    while (*text != '\0') {
        size_t plain = strcspn(text, begins), word = strspn(text + plain, goes_on);
        /* directly behind a number */
        int unit = plain > 0 && strchr("0123456789.", text[plain - 1]) != NULL;
        char name[64] = "", digits[32];
        double value;
        ln_text_add_bytes(&closed, text, plain);
        if (!unit && word < sizeof name)
            memcpy(name, text + plain, word);
        if (name[0] != '\0' && text[plain + word] != '(' && ln_scope_number(scope, name, &value)) {
            ln_number_format(digits, value);
            ln_text_printf(&closed, "(%s)", digits);
        } else {
            ln_text_add_bytes(&closed, text + plain, word);
        }
        text += plain + word;
    }
    const char *kept = closed.failed ? NULL
                                     : ln_arena_string(build->network->arena,
                                                       closed.data != NULL ? closed.data : "");
    ln_text_free(&closed);
    return kept;
}

/* Where a block of the model itself is drawn: that of a part of a component, or of a repetition,
 * would be the same for all. NULL: nowhere. */
static const char *position_of(const ln_kind *kind, const ln_raw_instance *instance) {
    if (strpbrk(instance->name, ".[") != NULL || ln_is_own_attribute(kind, "at"))
        return NULL;
    return ln_attribute_of(instance->element, "at");
}

/* What the instance's texts are, for those who print the model. */
static linnet_status keep_texts(ln_build *build, const ln_kind *kind, ln_raw_instance *instance) {
    const linnet_block_class *face = kind->type->face;
    size_t count = 0, at = 0;
    for (int k = 0; k < face->nparams; k++)
        count += (face->params[k].flags & LINNET_TEXT) != 0 && build->values.written[k] != NULL;
    const char *position = position_of(kind, instance);
    if (count == 0 && position == NULL)
        return LINNET_OK;
    const char **texts = LN_NEW(build->network->arena, const char *, 2 * count + 3);
    ln_besides *besides = ln_raw_besides(build, instance);
    if (texts == NULL || besides == NULL)
        return ln_no_memory(build->report);
    if (position != NULL) {
        texts[at++] = "at";
        texts[at++] = position;
    }
    for (int k = 0; k < face->nparams; k++) {
        if (!(face->params[k].flags & LINNET_TEXT) || build->values.written[k] == NULL)
            continue;
        texts[at++] = face->params[k].name;
        texts[at] = close_text(build, build->values.where[k], build->values.texts[k]);
        if (texts[at++] == NULL)
            return ln_no_memory(build->report);
    }
    besides->texts = texts;
    return LINNET_OK;
}

/* Which of the class's start conditions the model wrote itself. */
static linnet_status keep_given(ln_build *build, const ln_kind *kind, ln_raw_instance *instance) {
    const linnet_block_class *class = instance->class;
    unsigned char *given = NULL;
    for (int k = 0; k < class->nstarts; k++) {
        int param = class->starts[k].name == NULL ? -1 : ln_param_find(kind, class->starts[k].name);
        if (param < 0 || build->values.written[param] == NULL)
            continue;
        if (given == NULL)
            given = LN_NEW(build->network->arena, unsigned char, class->nstarts / 8 + 1);
        if (given == NULL)
            return ln_no_memory(build->report);
        given[k / 8] |= (unsigned char)(1u << k % 8);
    }
    if (given == NULL)
        return LINNET_OK;
    ln_besides *besides = ln_raw_besides(build, instance);
    if (besides == NULL)
        return ln_no_memory(build->report);
    besides->given = given;
    return LINNET_OK;
}

/* The links of a port of the kind; called after ln_connect() of the instance. */
static int is_joined(const ln_build *build, const ln_kind *kind, const ln_raw_instance *instance,
                     const char *port) {
    int at = instance->first;
    for (int j = 0; j < kind->nports; at += build->port_count[j++]) {
        if (strcmp(kind->ports[j].name, port) != 0)
            continue;
        for (int k = 0; k < build->port_count[j]; k++)
            if (build->port_link[at + k] >= 0)
                return 1;
    }
    return 0;
}

/* What samples acts at the edges of a trigger instead. */
static int is_triggered(const ln_raw_instance *instance) {
    for (const ln_enables *enable = instance->enables; enable != NULL; enable = enable->outer)
        if (enable->triggers)
            return 1;
    return 0;
}

/* A parameter whose place an input may take: not both, and one of the two where the default is no
 * value to work with and no trigger takes the place of either. */
static void check_alternative(ln_build *build, const ln_kind *kind, const ln_raw_instance *instance,
                              int k) {
    const linnet_param *param = &kind->type->face->params[k];
    if (param->unless == NULL)
        return;
    int joined = is_joined(build, kind, instance, param->unless),
        given = build->values.written[k] != NULL;
    const double usual = kind->defaults[k];
    int without = param->flags & LINNET_OPEN_MIN ? usual > param->min : usual >= param->min;
    if (joined != given || (!given && (without || is_triggered(instance))))
        return;
    if (given)
        LN_WRONG(build, ln_place_of(instance->element), "%s (%s): it has both %s and %s; keep one",
                 instance->name, kind->element, param->name, param->unless);
    else
        LN_WRONG(build, ln_place_of(instance->element),
                 "%s (%s): it needs %s=\"...\"%s%s%s or a link at its input %s", instance->name,
                 kind->element, param->name,
                 param->unit != NULL && param->unit[0] != '\0' ? " [" : "",
                 param->unit != NULL ? param->unit : "",
                 param->unit != NULL && param->unit[0] != '\0' ? "]" : "", param->unless);
}

/* Defaults that name other parameters, at the numbers at hand. */
static linnet_status evaluate_dependent(ln_build *build, const ln_kind *kind,
                                        const ln_raw_instance *instance) {
    if (!kind->any_dependent)
        return LINNET_OK;
    ln_arena *arena = ln_arena_new();
    if (arena == NULL)
        return ln_no_memory(build->report);
    linnet_status status = ln_values_take_dependent(build, instance, kind, arena);
    ln_arena_free(arena);
    return status;
}

static linnet_status complete(ln_build *build, const ln_kind *kind, ln_raw_instance *instance) {
    instance->p = fill(build, kind, instance);
    if (instance->p == NULL)
        return build->status;
    LN_TRY(keep_texts(build, kind, instance));
    return keep_given(build, kind, instance);
}

/* Parameters given as lists: the values of each element in turn. */
static linnet_status fill_items(ln_build *build, const ln_level *level, const ln_kind *kind,
                                ln_raw_instance *instance) {
    ln_values *all = &build->values;
    const int count = all->size.rows * all->size.cols;
    ln_vector_block *vector_block = LN_NEW(build->scratch, ln_vector_block, 1);
    const double **p = LN_NEW(build->scratch, const double *, count);
    if (vector_block == NULL || p == NULL)
        return ln_no_memory(build->report);
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < kind->type->face->nparams; k++)
            if (all->items[k] != NULL)
                all->number[k] = all->items[k][i];
        LN_TRY(evaluate_dependent(build, kind, instance));
        if (i == 0)
            LN_TRY(make_class(build, level, kind, instance));
        LN_TRY(complete(build, kind, instance));
        p[i] = instance->p;
    }
    *vector_block = (ln_vector_block){.size = all->size, .p = p};
    instance->vector_block = vector_block;
    build->nvector_blocks++;
    return LINNET_OK;
}

/* The parameters at hand, to be kept. */
static int keep_values(ln_build *build, const ln_kind *kind, ln_values *kept) {
    const ln_values before = build->values;
    const int nparams = kind->type->face->nparams;
    if (!ln_values_grow(build, nparams))
        return 0;
    *kept = build->values;
    build->values = before;
    for (int k = 0; k < nparams; k++) {
        const size_t count = (size_t)before.rows[k] * (size_t)before.cols[k];
        kept->written[k] = before.written[k];
        kept->rows[k] = before.rows[k];
        kept->cols[k] = before.cols[k];
        kept->texts[k] = before.texts[k];
        kept->list[k] = LN_NEW(build->scratch, double, count + 1);
        if (kept->list[k] == NULL)
            return ln_build_failed(build);
        if (count > 0)
            memcpy(kept->list[k], before.list[k], count * sizeof(double));
    }
    return 1;
}

/* One port per link at the instance, for messages and for `block.port` as a name. */
static linnet_port *spell_ports(ln_build *build, const ln_kind *kind, int *joined, int *nports) {
    *nports = 0;
    for (int j = 0; j < kind->nports; j++)
        *nports += joined[j] = build->port_count[j];
    linnet_port *ports = LN_NEW(build->scratch, linnet_port, *nports);
    for (int j = 0, at = 0; ports != NULL && j < kind->nports; j++)
        for (int k = 0; k < joined[j]; k++, at++) {
            ports[at] = kind->ports[j];
            if (!(ports[at].flags & LINNET_MANY))
                continue;
            ports[at].name = ln_arena_printf(build->scratch, "%s[%d]", kind->ports[j].name, k + 1);
            if (ports[at].name == NULL)
                return NULL;
        }
    return ports;
}

/* A type that knows sizes: its class must wait until those of the signals are found. */
static linnet_status wait(ln_build *build, const ln_kind *kind, ln_raw_instance *instance) {
    ln_vector_block *vector_block = LN_NEW(build->scratch, ln_vector_block, 1);
    int *joined = LN_NEW(build->scratch, int, kind->nports);
    if (vector_block == NULL || joined == NULL)
        return ln_no_memory(build->report);
    *vector_block = (ln_vector_block){.size = {1, 1}, .kind = kind, .joined = joined};
    vector_block->ports = spell_ports(build, kind, joined, &vector_block->nports);
    if (vector_block->ports == NULL || !keep_values(build, kind, &vector_block->values))
        return ln_no_memory(build->report);
    const ln_values *values = &vector_block->values;
    const ln_shape shape = {.rows = values->rows,
                            .cols = values->cols,
                            .texts = values->texts,
                            .values = (const double *const *)values->list,
                            .place = ln_place_of(instance->element),
                            .block = instance->name};
    LN_TRY(ln_catalogue_sizes(build->network->catalogue, kind->type, &shape, build->scratch,
                              build->report, &vector_block->own));
    instance->vector_block = vector_block;
    build->nvector_blocks++;
    return LINNET_OK;
}

static linnet_status finish(ln_build *build, const ln_level *level, const ln_kind *kind,
                            ln_raw_instance *instance) {
    linnet_status before = build->status, first = LINNET_OK;
    build->status = LINNET_OK;
    ln_values_take_overrides(build, kind, instance);
    for (int k = 0; k < kind->type->face->nparams; k++) {
        linnet_status status = ln_values_take(build, instance, kind, k);
        check_alternative(build, kind, instance, k);
        if (status != LINNET_OK)
            first = status;
    }
    if (first == LINNET_OK)
        first = build->status;
    build->status = before;
    LN_TRY(first);
    if (kind->type->measure != NULL || kind->type->sizes != NULL) {
        LN_TRY(evaluate_dependent(build, kind, instance));
        return wait(build, kind, instance);
    }
    if (build->values.size.rows * build->values.size.cols > 1)
        return fill_items(build, level, kind, instance);
    LN_TRY(evaluate_dependent(build, kind, instance));
    LN_TRY(make_class(build, level, kind, instance));
    return complete(build, kind, instance);
}

linnet_status ln_values_late(ln_build *build, ln_raw_instance *instance, const ln_shape *shape) {
    const ln_kind *kind = instance->vector_block->kind;
    ln_shape whole = *shape;
    build->values = instance->vector_block->values;
    LN_TRY(ln_wanted_states(build, kind, instance->name, &whole.wanted));
    LN_TRY(ln_catalogue_class(build->network->catalogue, kind->type, &whole, build->report,
                              &instance->class));
    return complete(build, kind, instance);
}

int ln_values_finish(ln_build *build, const ln_level *level, const ln_kind *kind,
                     ln_raw_instance *instance) {
    linnet_status status = finish(build, level, kind, instance);
    if (status == LINNET_OK)
        return 1;
    build->status = status;
    instance->class = NULL;
    return status != LINNET_MEMORY && status != LINNET_INTERNAL;
}
