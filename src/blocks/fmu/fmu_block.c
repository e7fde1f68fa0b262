/* SPDX-License-Identifier: MIT */
/* fmu: an FMU of another program (FMI 2.0 or 3.0, co-simulation) as a block with signals.
 *
 * Made of equations as far as they go: outputs are memories, and the ticks are samples. What
 * happens at a tick is C: the FMU takes the step from the tick before with the inputs as they were
 * there, is given the inputs as they are, and its outputs become the memories. A tick is repeated
 * until nothing changes (block.h, act); the step is taken once. An FMU cannot be told to go back,
 * so a run that does so fails by name.
 *
 * Instances belong to the parameters of a network, which stand at an address of their own. */
#include "blocks/fmu/fmu_instance.h"
#include "blocks/signal/sized.h"
#include "blocks/signal/table_data.h"

#include "base/sys.h"
#include "base/report.h"
#include "base/text.h"
#include "blocks/equations.h"
#include "expression/graph.h"
#include "expression/nodes.h"
#include "model/model.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { IN, OUT };
static const linnet_port ports[] = {
    {"in", LINNET_SIGNAL, LINNET_INPUT | LINNET_MANY | LINNET_OPTIONAL,
     "what its inputs get, in the order of `inputs`"},
    {"out", LINNET_SIGNAL, LINNET_OUTPUT | LINNET_MANY, "its outputs, in the order of `outputs`"}};

#define TEXT_FLAGS LINNET_TEXT | LINNET_STRUCTURAL
enum { FILE_NAME, PERIOD, START, INPUTS, OUTPUTS, PARAMETERS, VALUES };
static const linnet_param params[] = {
    {.name = "file",
     LN_FREE,
     .flags = TEXT_FLAGS | LINNET_FILE | LINNET_REQUIRED,
     .doc = "the FMU"},
    {.name = "period",
     .unit = "s",
     .min = 0,
     .max = INFINITY,
     .flags = LINNET_OPEN_MIN | LINNET_REQUIRED,
     .doc = "step between communication points"},
    {.name = "start",
     .unit = "s",
     LN_FREE,
     .doc = "time of the FMU at the start of the run; as the run's"},
    {.name = "inputs",
     .default_text = "",
     LN_FREE,
     .flags = TEXT_FLAGS,
     .doc = "names of its inputs; all by default"},
    {.name = "outputs",
     .default_text = "",
     LN_FREE,
     .flags = TEXT_FLAGS,
     .doc = "names of its outputs; all by default"},
    {.name = "parameters",
     .default_text = "",
     LN_FREE,
     .flags = TEXT_FLAGS,
     .doc = "names of parameters that are set before the start"},
    {.name = "values", LN_FREE, .flags = LINNET_LIST, .doc = "what they are"}};
static const linnet_block_class face = {
    .abi = LINNET_ABI,
    .name = "fmu",
    .doc = "FMU of another program, FMI 2 or 3, in co-simulation; needs --allow-native",
    .formula = "at every multiple of the period T: a step of the FMU from t - T with the inputs as "
               "they were there;\n"
               "outputs are held from tick to tick",
    .example = "<fmu id=\"plant\" file=\"plant.fmu\" period=\"10 ms\" in=\"u\" out=\"y\" "
               "parameters=\"mass\" values=\"2\"/>",
    .ports = ports,
    .nports = 2,
    .params = params,
    .nparams = 7,
    .reference_port = -1};

/* An instance that runs, and for whom. */
typedef struct running {
    const linnet_block *block; /* equal ones share their parameters */
    ln_fmu_instance *instance;
    double begin; /* time of the FMU at its first tick */
    int steps;    /* taken */
    int ended, failed;
} running;

typedef struct fmu_data {
    pthread_mutex_t lock; /* sweeps run in threads; FMUs need not be made for that */
    const char *path, *name;
    ln_fmi_description about;
    ln_fmu_library *library;
    ln_fmu_slots in, out, set;
    int steps, failed, ended, first; /* memories; the first output */
    double *values;                  /* work: of inputs or outputs */
    running *all;
    size_t count, room;
    void (*act)(const linnet_block *block, const linnet_point *point, const linnet_point *before,
                const char *fired, double *m, double *x);
    char message[256];
} fmu_data;

/* ---- ticks ---- */

static running *find_running(fmu_data *data, const linnet_block *block) {
    for (size_t k = 0; k < data->count; k++)
        if (data->all[k].block == block)
            return &data->all[k];
    if (!LN_GROW(data->all, data->count, data->room))
        return NULL;
    data->all[data->count] = (running){.block = block};
    return &data->all[data->count++];
}

static int load(fmu_data *data) {
    if (data->library != NULL)
        return 1;
    ln_report *report = ln_report_new(NULL, NULL);
    const linnet_status status = ln_fmu_library_open(data->path, report, &data->library);
    const char *text = ln_report_text(report, 0);
    const char *said = text != NULL ? strstr(text, "error: ") : NULL; /* it is told again, as one */
    if (status != LINNET_OK)
        (void)snprintf(data->message, sizeof data->message, "%s",
                       said != NULL ? said + strlen("error: ") : "memory is short");
    ln_report_free(report);
    return status == LINNET_OK;
}

static int begin(fmu_data *data, const linnet_block *block, double t, running *run) {
    const double start = block->p[block->type->params[START].offset];
    const double *values =
        data->set.count > 0 ? block->p + block->type->params[VALUES].offset : NULL;
    ln_fmu_instance_free(run->instance);
    run->instance = NULL;
    run->steps = run->ended = run->failed = 0;
    run->begin = isnan(start) ? t : start;
    if (!load(data))
        return 0;
    /* the slots name variables of another reading of the same description: only their contents
     * count */
    run->instance = ln_fmu_instance_new(data->library, data->name, run->begin, &data->set, values,
                                        data->message);
    return run->instance != NULL;
}

/* The FMU brought to its k-th tick. */
static int advance(fmu_data *data, const linnet_block *block, int k, running *run) {
    const double period = block->p[block->type->params[PERIOD].offset];
    if (k == run->steps)
        return 1;
    if (k != run->steps + 1) {
        (void)snprintf(data->message, sizeof data->message,
                       "it is at its step %d and would have to go to %d: an FMU goes on only, so "
                       "the run cannot go back or begin in the middle",
                       run->steps, k);
        return 0;
    }
    const double t = run->begin + run->steps * period;
    if (!ln_fmu_step(run->instance, t, period, &run->ended, data->message))
        return 0;
    run->steps++;
    return 1;
}

/* The step to this tick, the inputs as they are, the outputs that follow. */
static int exchange(fmu_data *data, const linnet_block *block, const linnet_point *point,
                    running *run, double *m) {
    if (!advance(data, block, (int)point->m[data->steps], run))
        return 0;
    for (int i = 0; i < data->in.count; i++)
        data->values[i] = point->x[i];
    return ln_fmu_set(run->instance, data->in.slot, data->values, data->in.count, data->message) &&
           ln_fmu_get(run->instance, data->out.slot, m + data->first, data->out.count,
                      data->message);
}

/* One pass of a tick: what has ended or failed in an earlier one has so in this one. */
static void tick(fmu_data *data, const linnet_block *block, const linnet_point *point, double *m) {
    const int k = (int)point->m[data->steps];
    running *run = find_running(data, block);
    if (run == NULL) {
        (void)snprintf(data->message, sizeof data->message, "memory is short");
        m[data->failed] = 1;
        return;
    }
    if (run->instance == NULL || (k == 0 && (run->steps > 0 || run->failed)))
        run->failed = !begin(data, block, point->t, run);
    if (!run->failed)
        run->failed = !exchange(data, block, point, run, m);
    m[data->failed] = run->failed;
    m[data->ended] = run->ended;
}

static void act(const linnet_block *block, const linnet_point *point, const linnet_point *before,
                const char *fired, double *m, double *x) {
    fmu_data *data = ln_class_equations(block->type)->data;
    data->act(block, point, before, fired, m, x);
    if (!fired[0])
        return;
    (void)pthread_mutex_lock(&data->lock);
    tick(data, block, point, m);
    (void)pthread_mutex_unlock(&data->lock);
}

static void finish(ln_equations *e, linnet_block_class *class) {
    fmu_data *data = e->data;
    data->act = class->act;
    class->act = act;
}

static void end(void *context) {
    fmu_data *data = context;
    for (size_t k = 0; k < data->count; k++)
        ln_fmu_instance_free(data->all[k].instance);
    ln_sys->release(data->all);
    ln_fmu_library_close(data->library);
    (void)pthread_mutex_destroy(&data->lock);
}

/* ---- names ---- */

/* What the elements that a parameter lists are to the FMU. */
static const struct {
    ln_fmi_causality causality;
    const char *name;
} listed[] = {[INPUTS] = {LN_FMI_INPUT, "input"},
              [OUTPUTS] = {LN_FMI_OUTPUT, "output"},
              [PARAMETERS] = {LN_FMI_PARAMETER, "parameter"}};

/* All elements of the causality that a parameter lists, or those that it names. */
static linnet_status find_slots(const ln_shape *shape, const fmu_data *data, int param,
                                ln_equations *e, ln_report *report, ln_fmu_slots *slots) {
    const ln_fmi_causality causality = listed[param].causality;
    const char *text = shape->texts[param];
    const ln_fmi_description *about = &data->about;
    size_t most = strlen(text) / 2 + 1;
    for (int k = 0; k < about->nvariables; k++)
        most += about->variables[k].causality == causality ? (size_t)about->variables[k].count : 0;
    ln_fmu_slot *found = slots->slot = LN_NEW(e->arena, ln_fmu_slot, most);
    if (found == NULL)
        return ln_no_memory(report);
    slots->count = 0;
    for (int k = 0; k < about->nvariables && text[0] == '\0' && causality != LN_FMI_PARAMETER; k++)
        for (int i = 0; about->variables[k].causality == causality && i < about->variables[k].count;
             i++)
            found[slots->count++] = (ln_fmu_slot){&about->variables[k], i};
    for (text += strspn(text, " ,"); *text != '\0'; text += strspn(text, " ,")) {
        const size_t length = ln_word_length(text);
        int element;
        const ln_fmi_variable *variable = ln_fmi_find(about, causality, text, length, &element);
        if (variable == NULL)
            return ln_fail(report, LINNET_MODEL, shape->place,
                           "%s: '%.*s' is no %s of %s that is a number", params[param].name,
                           (int)length, text, listed[param].name, shape->texts[FILE_NAME]);
        found[slots->count++] = (ln_fmu_slot){variable, element};
        text += length;
    }
    return LINNET_OK;
}

static linnet_status find_all(const ln_shape *shape, fmu_data *data, ln_equations *e,
                              ln_report *report) {
    LN_TRY(find_slots(shape, data, INPUTS, e, report, &data->in));
    LN_TRY(find_slots(shape, data, OUTPUTS, e, report, &data->out));
    LN_TRY(find_slots(shape, data, PARAMETERS, e, report, &data->set));
    const int values = shape->rows[VALUES] * shape->cols[VALUES];
    if (shape->links[IN] != data->in.count || shape->links[OUT] != data->out.count)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "'in' joins %d links and 'out' %d, and the FMU has %d inputs and %d outputs "
                       "there; name those that are wanted by inputs and outputs",
                       shape->links[IN], shape->links[OUT], data->in.count, data->out.count);
    if (values != data->set.count)
        return ln_fail(report, LINNET_MODEL, shape->place, "there are %d parameters and %d values",
                       data->set.count, values);
    return LINNET_OK;
}

/* ---- equations ---- */

static void add_ending(ln_equations *e, const ln_shape *shape, ln_node memory, linnet_event event) {
    ln_graph *g = e->graph;
    (void)ln_add_event(
        e, (ln_event){.event = event,
                      .condition = ln_operation(g, LN_OP_LT, ln_constant(g, 0.5), memory, LN_NONE),
                      .place = shape->place});
}

static void add_equations(ln_equations *e, const ln_shape *shape, fmu_data *data) {
    ln_graph *g = e->graph;
    const linnet_memory own = {NULL, "", NULL};
    const ln_node zero = ln_constant(g, 0);
    const ln_sample sample = ln_add_sample(e, ln_param_item(e, PERIOD, 0), zero, LN_NONE);
    const ln_event ticks = {.event = {"tick", LINNET_JOINS, NULL},
                            .condition = sample.condition,
                            .quiet = 1,
                            .place = shape->place};
    const int event = ln_add_event(e, ticks);
    ln_end_sample(e, &sample, event);
    data->steps = (int)e->nmemories;
    const ln_node steps = ln_add_memory(e, own, zero);
    ln_add_set(e, (ln_set){event, steps, ln_sum2(g, steps, ln_constant(g, 1))});
    data->failed = (int)e->nmemories;
    const ln_node failed = ln_add_memory(e, own, zero);
    data->ended = (int)e->nmemories;
    const ln_node ended = ln_add_memory(e, own, zero);
    data->first = (int)e->nmemories;
    for (int k = 0; k < data->out.count; k++)
        ln_add_equation(e, ln_sized_port(e, shape, OUT, k), ln_add_memory(e, own, zero));
    add_ending(e, shape, failed, (linnet_event){"the FMU", LINNET_FAILS, data->message});
    add_ending(
        e, shape, ended,
        (linnet_event){"the FMU", LINNET_ENDS, "the FMU asks for the end of the simulation"});
}

static linnet_status describe(const ln_shape *shape, ln_equations *e, ln_report *report) {
    fmu_data *data = LN_NEW(e->arena, fmu_data, 1);
    if (data == NULL)
        return ln_no_memory(report);
    if (!shape->allow_native)
        return ln_fail(report, LINNET_MODEL, shape->place,
                       "it runs the code of '%s', which can do whatever its maker pleased; if you "
                       "trust it, allow it by --allow-native",
                       shape->texts[FILE_NAME]);
    LN_TRY(ln_file_beside(shape, shape->texts[FILE_NAME], e->arena, report, &data->path));
    LN_TRY(ln_fmi_describe(data->path, e->arena, report, &data->about));
    (void)pthread_mutex_init(&data->lock, NULL);
    e->data = data, e->finish = finish, e->end = end;
    LN_TRY(find_all(shape, data, e, report));
    data->name = ln_arena_string(e->arena, shape->block);
    data->values = LN_NEW(e->arena, double, data->in.count);
    if (data->name == NULL || data->values == NULL)
        return ln_no_memory(report);
    LN_TRY(ln_sized_begin(&face, shape, e, report));
    add_equations(e, shape, data);
    return LINNET_OK;
}

const ln_type ln_type_fmu = {"fmu", "foreign", &face, describe, NULL, NULL, NULL, NULL};
