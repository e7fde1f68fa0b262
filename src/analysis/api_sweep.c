/* SPDX-License-Identifier: MIT */
/* The public API's sweeps: the cases of a sweep by the threads of this process, their lines read
 * back into a result as they come. */
#include "analysis/api.h"

#include "analysis/sweep_run.h"
#include "base/crew.h"
#include "base/sys.h"
#include "model/scope.h"
#include "base/text.h"
#include <math.h>
#include <pthread.h>
#include <string.h>

typedef struct collector {
    ln_dealer dealer; /* first: what threads see */
    const ln_sweep *sweep;
    ln_scope *scope; /* in which the values of parameters are numbers */
    pthread_mutex_t lock;
    ln_sweep_row row;
    int ncolumns;
    double *values; /* cases x ncolumns */
    long next;
    linnet_status status;
} collector;

/* ---- what threads call ---- */

static int take(ln_dealer *dealer, int thread, long *from, long *to) {
    collector *all = (collector *)dealer;
    (void)thread;
    (void)pthread_mutex_lock(&all->lock);
    const int more = all->status == LINNET_OK && all->next < all->sweep->axes.cases;
    *from = all->next;
    *to = all->next += more;
    (void)pthread_mutex_unlock(&all->lock);
    return more;
}

/* A line into its row of numbers. */
static linnet_status read_line(collector *all, long index, ln_text *line) {
    double *to = &all->values[(size_t)index * (size_t)all->ncolumns];
    if (line->failed || line->length == 0)
        return LINNET_MEMORY;
    if (line->data[line->length - 1] == '\n')
        line->data[line->length - 1] = '\0';
    if (!ln_sweep_read_row(all->sweep, line->data, index + 1, &all->row))
        return LINNET_INTERNAL;
    for (int k = 0; k < all->sweep->axes.count; k++, to++)
        if (ln_scope_value(all->scope, all->row.varied[k], NULL, LN_NOWHERE, to) != LINNET_OK)
            *to = (double)NAN;
    for (int k = 0; k < all->sweep->nmeasures; k++)
        *to++ = all->row.measures[k];
    *to = all->row.failed;
    return LINNET_OK;
}

static void put(ln_dealer *dealer, int thread, long index, ln_text *row, linnet_status status) {
    collector *all = (collector *)dealer;
    (void)thread;
    (void)pthread_mutex_lock(&all->lock);
    if (status == LINNET_OK)
        status = read_line(all, index, row);
    if (all->status == LINNET_OK)
        all->status = status;
    (void)pthread_mutex_unlock(&all->lock);
    ln_text_free(row);
}

/* ---- the whole ---- */

static linnet_status open_result(const ln_sweep *sweep, ln_arena *arena, linnet_result *result,
                                 ln_report *report) {
    const int naxes = sweep->axes.count, n = naxes + sweep->nmeasures + 1;
    ln_column *columns = LN_NEW(arena, ln_column, n);
    if (columns == NULL)
        return ln_no_memory(report);
    for (int k = 0; k < naxes; k++)
        columns[k] = (ln_column){.name = sweep->axes.items[k].name, .unit = ""};
    for (int k = 0; k < sweep->nmeasures; k++)
        columns[naxes + k] =
            (ln_column){.name = sweep->measures[k].name, .unit = sweep->measures[k].unit};
    columns[n - 1] = (ln_column){.name = "failed", .unit = ""};
    return ln_result_open(result, columns, n, report);
}

static linnet_status collect(collector *all, int threads, ln_arena *arena, linnet_result *result,
                             ln_report *report) {
    const ln_sweep *sweep = all->sweep;
    all->ncolumns = sweep->axes.count + sweep->nmeasures + 1;
    all->values = ln_arena_alloc(arena, (size_t)sweep->axes.cases * (size_t)all->ncolumns,
                                 sizeof *all->values);
    if (all->values == NULL || !ln_sweep_row_init(&all->row, sweep, arena))
        return ln_no_memory(report);
    LN_TRY(open_result(sweep, arena, result, report));
    LN_TRY(ln_sweep_threads(sweep, &all->dealer, threads, report, NULL, NULL));
    LN_TRY(all->status);
    for (long k = 0; k < sweep->axes.cases; k++)
        LN_TRY(ln_result_row(result, (double)(k + 1), &all->values[k * all->ncolumns], report));
    return LINNET_OK;
}

/* The model is prepared once more, for the scope in which what is varied is evaluated. */
static linnet_status sweep_model(linnet_model *model, const ln_vary_plan *plan, int threads,
                                 ln_arena *arena, linnet_result *result, ln_report *report) {
    ln_sweep sweep;
    ln_simulation nominal;
    collector all = {.dealer = {take, put}, .sweep = &sweep, .lock = PTHREAD_MUTEX_INITIALIZER};
    LN_TRY(ln_sweep_prepare(&sweep, model->model, &model->request, plan, arena, report));
    linnet_status status =
        ln_simulation_prepare(&nominal, model->model, &model->request, 0, NULL, report);
    if (status == LINNET_OK) {
        all.scope = nominal.network->scope;
        status = collect(&all, threads > 0 ? threads : ln_processors(), arena, result, report);
    }
    ln_simulation_free(&nominal);
    return status;
}

linnet_status linnet_sweep(linnet_model *model, const linnet_sweep_plan *plan, int threads,
                           linnet_result **result) {
    if (model == NULL || plan == NULL || plan->vary == NULL || plan->nvary < 1 || plan->draws < 0 ||
        result == NULL)
        return LINNET_USAGE;
    *result = NULL;
    ln_report *report = ln_api_begin(model);
    ln_arena *arena = ln_arena_new();
    linnet_status status = ln_api_request(model, NULL, report);
    if (status == LINNET_OK && (arena == NULL || (*result = ln_result_new()) == NULL))
        status = ln_no_memory(report);
    if (status == LINNET_OK)
        status =
            sweep_model(model, &(ln_vary_plan){plan->vary, plan->nvary, plan->draws, plan->seed},
                        threads, arena, *result, report);
    if (status != LINNET_OK) {
        linnet_result_free(*result);
        *result = NULL;
    }
    ln_arena_free(arena);
    return ln_api_end(report, status);
}
