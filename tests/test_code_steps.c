/* SPDX-License-Identifier: MIT */
/* Generated code beside the simulation, each step by itself: the code begins each step where the
 * simulation does, so that a difference is one of this step, and does not grow by what the model
 * makes of it. Without arguments a sample of the examples, in `make check`; else
 *
 *     test_code_steps MODEL METHOD STEP DURATION ALLOWED
 *
 * where 0 stands for the model's step and duration, prints the largest difference, as a part of the
 * largest value of its unknown, and where; exit status 1 if it is more than is allowed, 77 if there
 * is no code (the reason is told). A step that the simulation takes in parts is not compared: where
 * Newton's method finds no solution of the whole, rounding decides which parts lead on. The code is
 * compiled into the cache of `--native` (XDG_CACHE_HOME; for the sample one of its own). */
#include "analysis/simulation.h"
#include "base/sys.h"
#include "codegen/native.h"
#include "model/model.h"
#include "network/network.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step amplifies where it begins: so far from there it is tried, and a difference that as many
 * roundings would make is none of the code. */
static const double ASIDE = 1e-12, ROUNDINGS = 8;

/* An unknown below this part of the largest is rounding of others. */
static const double LEAST = 1e-6;

/* Both sides where they stand. */
typedef struct judge {
    const ln_simulation *simulation;
    const ln_native_code *code;
    void *model, *aside;
    int n, nmemories, explicit_method;
    double *x, *memory;       /* of the code */
    double *last, *last_held; /* the last point of the simulation */
    double *grown;            /* by how far the step ends elsewhere from a place aside */
    double *most, *size;      /* n each: the largest difference, and value */
    long *at;                 /* n: the step of it */
    long step;                /* of the last point; -1: none yet */
    ln_statistics statistics; /* of the simulation */
    long rejected;            /* of these, at the last point */
    long ndivided;            /* steps not compared: rounding decides where their parts end */
    int status;               /* of the code where it ended */
} judge;

static void *room(size_t count, size_t size) {
    void *const made = calloc(count > 0 ? count : 1, size);
    if (made == NULL)
        exit(1);
    return made;
}

static void compare(judge *j, const double *x) {
    double t;
    j->code->read(j->model, &t, j->x, j->memory);
    for (int i = 0; i < j->n; i++) {
        const double off = fabs(j->x[i] - x[i]) - ROUNDINGS * DBL_EPSILON / ASIDE * j->grown[i];
        j->size[i] = fmax(j->size[i], fabs(x[i]));
        if (off <= j->most[i])
            continue;
        j->most[i] = off;
        j->at[i] = j->step;
    }
}

/* One step, tried beside from values that differ by ASIDE, up or down as if at random. */
static int take_step(judge *j) {
    double t;
    memcpy(j->aside, j->model, j->code->size());
    j->code->read(j->aside, &t, j->grown, j->memory);
    for (int i = 0; i < j->n; i++)
        j->grown[i] *=
            1 +
            (((unsigned)i * 2654435761u + (unsigned)j->step * 40503u) >> 8 & 1 ? ASIDE : -ASIDE);
    j->code->write(j->aside, j->grown, j->memory);
    const int aside = j->code->steps(j->aside, 1), status = j->code->steps(j->model, 1);
    j->code->read(j->aside, &t, j->grown, j->memory);
    j->code->read(j->model, &t, j->x, j->memory);
    for (int i = 0; i < j->n; i++)
        j->grown[i] = aside == status ? fabs(j->grown[i] - j->x[i]) : 0;
    return status;
}

/* The code does what happens at the last point, and goes on from the simulation's right side. */
static void finish_point(judge *j) {
    if (j->step < 0 || j->status > 0)
        return;
    j->status = j->code->evaluate(j->model);
    if (j->code->decides)
        compare(j, j->last);
    j->code->write(j->model, j->last, j->last_held);
}

static linnet_status accept(void *context, ln_side side, const double *x) {
    judge *j = context;
    const ln_settings *settings = &j->simulation->settings;
    const double place = (side.t - settings->begin) / settings->step;
    const long step = lround(place);
    if (fabs(place - (double)step) > 1e-6)
        return LINNET_OK;
    if (step > j->step) {
        finish_point(j);
        const int begins = j->step < 0;
        if (!begins && j->status == 0)
            j->status = take_step(j);
        if (j->status != 0)
            return LINNET_FAILED;
        j->step = step;
        /* the signals of explicit steps belong to their begin */
        const int divided = j->statistics.rejected > j->rejected;
        if (!begins && !j->explicit_method && !divided)
            compare(j, x);
        j->ndivided += divided;
        j->rejected = j->statistics.rejected;
        if (!begins && !j->explicit_method)
            j->code->write(j->model, x, j->simulation->system->memory);
    }
    memcpy(j->last, x, (size_t)j->n * sizeof *x);
    memcpy(j->last_held, j->simulation->system->memory,
           (size_t)j->nmemories * sizeof *j->last_held);
    return LINNET_OK;
}

/* The largest difference as a part of its unknown, whose index goes to *worst. */
static double worst_of(const judge *j, int *worst) {
    double most = 0, largest = 0;
    for (int i = 0; i < j->n; i++)
        largest = fmax(largest, j->size[i]);
    for (int i = 0; i < j->n; i++) {
        const double part = j->most[i] / fmax(j->size[i], LEAST * largest);
        if (j->most[i] <= 0 || part <= most)
            continue;
        most = part;
        *worst = i;
    }
    return most;
}

/* Is it within what is allowed? */
static int tell(const judge *j, double allowed) {
    char name[160];
    int worst = 0;
    const double most = worst_of(j, &worst);
    ln_network_unknown_text(j->simulation->network, worst, name);
    printf("%.2g at step %ld of %ld in %s", most, j->at[worst], j->step, name);
    if (j->ndivided > 0)
        printf("; %ld steps in parts", j->ndivided);
    if (j->status != 0)
        printf("; the code ended with status %d", j->status);
    printf("\n");
    return most <= allowed && j->status == 0 && j->step > 0;
}

static judge begin(const ln_simulation *simulation, const ln_native_code *code) {
    const size_t n = (size_t)simulation->network->n, m = (size_t)simulation->network->nmemories;
    return (judge){.simulation = simulation,
                   .code = code,
                   .n = (int)n,
                   .nmemories = (int)m,
                   .explicit_method = !simulation->settings.method->implicit,
                   .model = room(1, code->size()),
                   .aside = room(1, code->size()),
                   .x = room(n, sizeof(double)),
                   .memory = room(m, sizeof(double)),
                   .last = room(n, sizeof(double)),
                   .last_held = room(m, sizeof(double)),
                   .grown = room(n, sizeof(double)),
                   .most = room(n, sizeof(double)),
                   .size = room(n, sizeof(double)),
                   .at = room(n, sizeof(long)),
                   .step = -1};
}

static void end(const judge *j) {
    void *const rooms[] = {j->model,     j->aside, j->x,    j->memory, j->last,
                           j->last_held, j->grown, j->most, j->size,   j->at};
    for (size_t k = 0; k < sizeof rooms / sizeof *rooms; k++)
        free(rooms[k]);
}

/* Runs the simulation with the code beside it; exit status. */
static int judge_code(ln_simulation *simulation, const ln_native_code *code, double allowed) {
    judge j = begin(simulation, code);
    const ln_watcher watcher = {.context = &j, .accept = accept};
    simulation->settings.record_before_ticks = 1; /* both sides */
    code->begin(j.model);
    const linnet_status status = ln_integrate(simulation->system, &simulation->settings, &watcher,
                                              simulation->report, &j.statistics);
    if (status == LINNET_OK)
        finish_point(&j);
    const int agrees = tell(&j, allowed);
    end(&j);
    return !agrees; /* up to where the simulation fails */
}

/* Exit status. */
static int judge_model(const char *path, const ln_request *request, double allowed) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_model *model = NULL;
    ln_simulation simulation = {0};
    ln_native *native = NULL;
    char why[300] = "";
    const ln_model_options options = {0};
    int exit_status = 3;
    if (ln_model_read(path, &options, report, &model) == LINNET_OK &&
        ln_simulation_prepare(&simulation, model, request, 1, NULL, report) == LINNET_OK) {
        simulation.settings.interval = 0;
        const ln_codegen_request asked = {.network = simulation.network,
                                          .system = simulation.system,
                                          .settings = &simulation.settings};
        if (ln_native_make(&asked, &native, why, report) == LINNET_OK) {
            exit_status = judge_code(&simulation, ln_native_functions(native), allowed);
        } else {
            printf("no code: %s\n", why);
            exit_status = 77;
        }
    } else {
        printf("%s\n", ln_report_text(report, 0));
    }
    ln_native_free(native);
    ln_simulation_free(&simulation);
    ln_model_free(model);
    ln_report_free(report);
    return exit_status;
}

/* ---- the sample ---- */

static const char *const sample[][4] = {
    {"electrical/half-wave-rectifier", "crank-nicolson", "0", "10ms"},
    {"electrical/zener-regulator", "backward-euler", "0", "0"},
    {"electrical/phase-control", "crank-nicolson", "0", "0"},
    {"hybrid/sampled-motor", "crank-nicolson", "1ms", "0.5"},
    {"hybrid/ripple-counter", "rk4", "10ms", "2"},
    {"hydraulic/torricelli", "crank-nicolson", "0", "0"},
    {"mixed/dc-motor-pi", "crank-nicolson", "0", "0.5"},
    {"signal/pi-loop", "rk4", "0", "1"},
    {"stiff/chemical-akzo", "crank-nicolson", "0.18", "90"},
    {"translational/two-masses", "backward-euler", "0", "1"},
};

static int judge_sample(void) {
    const char *folder = getenv("srcdir");
    int failed = 0, judged = 0;
    for (size_t k = 0; k < sizeof sample / sizeof *sample; k++) {
        char path[1024];
        const char *const *one = sample[k];
        snprintf(path, sizeof path, "%s/models/examples/%s.xml", folder != NULL ? folder : ".",
                 one[0]);
        const ln_request request = {.method = one[1],
                                    .step = strcmp(one[2], "0") != 0 ? one[2] : NULL,
                                    .duration = strcmp(one[3], "0") != 0 ? one[3] : NULL,
                                    .newton = "exact",
                                    .events = "at-steps"};
        printf("%s, %s: ", one[0], one[1]);
        const int status = judge_model(path, &request, 1e-12);
        failed += status != 0 && status != 77;
        judged += status == 0;
    }
    return failed > 0 ? 1 : judged > 0 ? 0 : 77;
}

/* With a cache of its own. */
static int judge_sample_apart(void) {
    char cache[] = "/tmp/linnet-code-steps-XXXXXX", remove[64];
    if (mkdtemp(cache) == NULL || setenv("XDG_CACHE_HOME", cache, 1) != 0)
        return 1;
    const int status = judge_sample();
    snprintf(remove, sizeof remove, "rm -rf %s", cache);
    return system(remove) != 0 ? 1 : status;
}

int main(int argc, char **argv) {
    if (argc == 1)
        return judge_sample_apart();
    if (argc != 6)
        return 2;
    const ln_request request = {.method = argv[2],
                                .step = strcmp(argv[3], "0") != 0 ? argv[3] : NULL,
                                .duration = strcmp(argv[4], "0") != 0 ? argv[4] : NULL,
                                .newton = "exact",
                                .events = "at-steps"};
    return judge_model(argv[1], &request, atof(argv[5]));
}
