/* SPDX-License-Identifier: MIT */
/* `make bench-stiff`: the problems of models/examples/stiff by Linnet's adaptive methods, through
 * the library, beside SUNDIALS IDA called directly on the same equations in plain C, and beside
 * RADAU5 and MEBDFI as the notes of issue 5 have them. Relative tolerances 1e-4, 1e-7, 1e-10;
 * absolute ones as in the notes.
 *
 *     bench/stiff FOLDER [-m METHOD] [-t 4|7|10] [PROBLEM ...]
 *
 * Steps count rejected ones too. Times are the least of several runs, taken by turns with those of
 * IDA, since the machine may be shared: read the ratio to IDA. Linnet's time is that of the run
 * without reading the model, with two recorded points, and includes the consistent start. A run
 * that takes longer than PATIENCE is given up. */
#include "bench/stiff.h"

#include <ida/ida.h>
#include <linnet/linnet.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <time.h>

enum { LARGEST = 80 };
static const double PATIENCE = 5, ENOUGH = 0.15; /* s: a run, all repetitions of one */
enum { REPEATS = 40 };
static const double tolerances[TOLERANCES] = {1e-4, 1e-7, 1e-10};

typedef struct outcome {
    int done;
    double end[LARGEST], seconds;
    long steps, evaluations, factored;
} outcome;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double scd(const problem *p, const double *end) {
    double worst = 0;
    for (int k = 0; k < p->nscored; k++)
        worst = fmax(worst, fabs((end[k] - p->scored[k].value) / p->scored[k].value));
    return -log10(worst);
}

static void print(const problem *p, double tolerance, const char *who, const outcome *result,
                  double ida) {
    printf("%-9s %5.0e  %-15s ", p->name, tolerance, who);
    if (!result->done) {
        printf("     -\n");
        return;
    }
    printf("%6.2f %8ld %9ld %8ld %9.3f ms", scd(p, result->end), result->steps, result->evaluations,
           result->factored, 1e3 * result->seconds);
    if (ida > 0)
        printf("  %5.2f of IDA", result->seconds / ida);
    putchar('\n');
    fflush(stdout);
}

/* ---- IDA, directly ---- */

static int residual(sunrealtype t, N_Vector x, N_Vector rate, N_Vector r, void *data) {
    const problem *p = data;
    return p->residual(t, N_VGetArrayPointer(x), N_VGetArrayPointer(rate), N_VGetArrayPointer(r));
}

static int jacobian(sunrealtype t, sunrealtype c, N_Vector x, N_Vector rate, N_Vector r,
                    SUNMatrix matrix, void *data, N_Vector a, N_Vector b, N_Vector d) {
    (void)rate, (void)r, (void)a, (void)b, (void)d;
    const problem *p = data;
    /* IDA has zeroed it */
    p->jacobian(t, c, N_VGetArrayPointer(x), SUNDenseMatrix_Data(matrix));
    return 0;
}

static void be_silent(int code, const char *module, const char *function, char *text, void *data) {
    (void)code, (void)module, (void)function, (void)text, (void)data;
}

static int too_late(double since) {
    return now() - since > PATIENCE;
}

static void solve_by_ida(const problem *p, double tolerance, outcome *out) {
    SUNContext context;
    double started = now(), t = 0;
    *out = (outcome){0};
    SUNContext_Create(NULL, &context);
    N_Vector x = N_VNew_Serial(p->n, context), rate = N_VNew_Serial(p->n, context);
    N_VConst(0, x);
    N_VConst(0, rate);
    p->start(N_VGetArrayPointer(x), N_VGetArrayPointer(rate));
    void *ida = IDACreate(context);
    SUNMatrix matrix = SUNDenseMatrix(p->n, p->n, context);
    SUNLinearSolver solver = SUNLinSol_Dense(x, matrix, context);
    IDAInit(ida, residual, 0, x, rate);
    IDASetErrHandlerFn(ida, be_silent, NULL);
    IDASetUserData(ida, (void *)p);
    IDASStolerances(ida, tolerance, p->absolute * tolerance);
    IDASetLinearSolver(ida, solver, matrix);
    if (p->jacobian != NULL)
        IDASetJacFn(ida, jacobian);
    IDASetMaxNumSteps(ida, 20000);
    IDASetStopTime(ida, p->end);
    int flag = IDA_TOO_MUCH_WORK;
    while (flag == IDA_TOO_MUCH_WORK && !too_late(started))
        flag = IDASolve(ida, p->end, &t, x, rate, IDA_NORMAL);
    out->seconds = now() - started;
    out->done = flag == IDA_TSTOP_RETURN || flag == IDA_SUCCESS;
    for (int k = 0; k < p->nscored; k++)
        out->end[k] = N_VGetArrayPointer(x)[p->scored[k].unknown];
    long rejected = 0, failed = 0, more = 0;
    IDAGetNumSteps(ida, &out->steps);
    IDAGetNumErrTestFails(ida, &rejected);
    IDAGetNumNonlinSolvConvFails(ida, &failed);
    IDAGetNumResEvals(ida, &out->evaluations);
    IDAGetNumLinResEvals(ida, &more);
    IDAGetNumLinSolvSetups(ida, &out->factored);
    out->steps += rejected + failed;
    out->evaluations += more;
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    N_VDestroy(x);
    N_VDestroy(rate);
    SUNContext_Free(&context);
}

/* ---- Linnet, through the library ---- */

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (file == NULL || text == NULL || fread(text, 1, (1 << 16) - 200, file) == 0) {
        fprintf(stderr, "%s cannot be read\n", path);
        exit(3);
    }
    fclose(file);
    return text;
}

static void complain(linnet_model *model, const char *what) {
    fprintf(stderr, "%s:\n", what);
    for (int i = 0; i < linnet_diagnostic_count(model); i++)
        fprintf(stderr, "  %s\n", linnet_diagnostic_at(model, i)->text);
}

/* The model of the problem with the notes' absolute tolerances: they belong to a relative one of
 * 1e-4. */
static linnet_model *load(const char *folder, const problem *p) {
    char path[512], tolerance[200], end[40];
    snprintf(path, sizeof path, "%s/%s.xml", folder, p->model);
    snprintf(end, sizeof end, "%.17g", p->end);
    snprintf(tolerance, sizeof tolerance, "<tolerance signals=\"%s\" absolute=\"%g\"/></model>",
             p->judged, 1e-4 * p->absolute);
    char *text = read_file(path), *close = strstr(text, "</model>");
    if (close != NULL)
        strcpy(close, tolerance);
    linnet_model *model = linnet_model_new();
    int ok = linnet_load_text(model, path, text, strlen(text)) == LINNET_OK &&
             linnet_option(model, "duration", end) == LINNET_OK &&
             linnet_option(model, "interval", end) == LINNET_OK;
    for (int k = 0; ok && k < p->nscored; k++)
        ok = linnet_record(model, p->scored[k].signal) == LINNET_OK;
    free(text);
    if (ok)
        return model;
    complain(model, path);
    exit(2);
}

typedef struct watching {
    double started;
    int count;
    double *end;
} watching;

static int begin(void *context, int count, const linnet_signal *signals) {
    (void)signals;
    ((watching *)context)->count = count;
    return 0;
}
static int point(void *context, double t, const double *values) {
    (void)t;
    const watching *watcher = context;
    memcpy(watcher->end, values, (size_t)watcher->count * sizeof *values);
    return 0;
}
static int step(void *context, double t) {
    (void)t;
    watching *watcher = context;
    static int polls;
    return ++polls % 1000 == 0 && too_late(watcher->started);
}

static void solve_by_linnet(linnet_model *model, const problem *p, double tolerance,
                            const char *method, outcome *out) {
    char text[40];
    *out = (outcome){0};
    watching watcher = {now(), 0, out->end};
    snprintf(text, sizeof text, "%.17g", tolerance);
    linnet_option(model, "tolerance", text);
    linnet_option(model, "method", method);
    linnet_status status = linnet_run(model, &(linnet_watch){&watcher, begin, point, step});
    if (status != LINNET_OK && status != LINNET_INTERRUPTED && getenv("WHY") != NULL)
        complain(model, p->name);
    linnet_statistics run = linnet_last_run(model);
    out->done = status == LINNET_OK;
    out->seconds = run.seconds;
    out->steps = run.steps + run.rejected;
    out->evaluations = run.evaluations;
    out->factored = run.factored + run.refactored;
}

/* ---- rows ---- */

/* The least time of alternating runs of both; a fails: *ida stays. */
static void measure(linnet_model *model, const problem *p, double tolerance, const char *method,
                    outcome *ours, outcome *ida) {
    double since = now(), fastest = INFINITY, ida_fastest = INFINITY;
    for (int k = 0; k < REPEATS && (k < 3 || now() - since < ENOUGH); k++) {
        if (method != NULL)
            solve_by_linnet(model, p, tolerance, method, ours);
        fastest = fmin(fastest, ours->seconds);
        if (ida != NULL)
            solve_by_ida(p, tolerance, ida);
        if (ida != NULL)
            ida_fastest = fmin(ida_fastest, ida->seconds);
        if (now() - since > 2)
            break;
    }
    ours->seconds = fastest;
    if (ida != NULL)
        ida->seconds = ida_fastest;
}

static void compare(const problem *p, linnet_model *model, int row, const char *only) {
    static const char *const methods[] = {"radau5",         "ida", "tr-bdf2", "bdf2",
                                          "crank-nicolson", "rk45"};
    static const char *const others[OTHERS] = {"RADAU5 (notes)", "MEBDFI (notes)"};
    double tolerance = tolerances[row], direct = 0;
    outcome ours, ida;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
        if (only != NULL && strcmp(only, methods[k]) != 0)
            continue;
        measure(model, p, tolerance, methods[k], &ours, direct == 0 ? &ida : NULL);
        if (direct == 0) {
            direct = ida.seconds;
            print(p, tolerance, "IDA directly", &ida, 0);
        }
        print(p, tolerance, methods[k], &ours, direct);
    }
    for (int k = 0; k < OTHERS; k++) {
        const anchor *a = &p->other[row][k];
        printf("%-9s %5.0e  %-15s ", p->name, tolerance, others[k]);
        if (a->steps == 0)
            printf("     -\n");
        else
            printf("%6.2f %8ld %9ld %8ld %9.3f ms\n", a->scd, a->steps, a->evaluations, a->factored,
                   a->ms);
    }
    putchar('\n');
}

int main(int count, char **argument) {
    const char *folder = count > 1 ? argument[1] : "models/examples/stiff", *only = NULL;
    int first = 2, row = -1;
    for (; first + 1 < count && argument[first][0] == '-'; first += 2) {
        if (argument[first][1] == 'm')
            only = argument[first + 1];
        else
            row = atoi(argument[first + 1]) / 3 - 1;
    }
    printf("%-9s %5s  %-15s %6s %8s %9s %8s %12s\n", "problem", "rtol", "by", "scd", "steps",
           "residuals", "factored", "time");
    for (int k = 0; k < nproblems; k++) {
        int wanted = first >= count;
        for (int j = first; j < count; j++)
            wanted |= strcmp(argument[j], problems[k].name) == 0;
        if (!wanted)
            continue;
        linnet_model *model = load(folder, &problems[k]);
        for (int j = 0; j < TOLERANCES; j++)
            if (row < 0 || row == j)
                compare(&problems[k], model, j, only);
        linnet_model_free(model);
    }
    return 0;
}
