/* SPDX-License-Identifier: MIT */
/* Fuzz target: checkpoints that somebody made. The input says which of some runs is meant and what
 * becomes of bytes of a checkpoint that this run has written; the checksum is then made right. The
 * run that goes on from it is refused, fails with a reason, or gives numbers. */
#include "fuzz.h"

#include "analysis/checkpoint.h"
#include "base/sys.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static const char *const models[] = {
    "<model><block-type name='ball'><input name='u'/><output name='y'/><state name='h' start='1'/>"
    "<state name='v'/><memory name='n'/><equation>der(h) = v</equation><equation>der(v) = u - "
    "9.81</equation><equation>y = h</equation><when condition='h lt 0'><set name='v' "
    "value='-0.8*v'/><set name='h' value='0'/><set name='n' value='n + 1'/></when></block-type>"
    "<ball id='b' u='f' y='h'/><transport-delay id='d' in='h' out='hd' delay='0.21'/>"
    "<uniform-noise id='n' out='w' min='-1' max='1' period='0.07' seed='5'/>"
    "<function id='g' in='hd h w' out='f' expression='0.5*u1 - 0.1*u2*u2 + 0.2*u3'/>"
    "<simulation duration='2' step='0.01'/></model>",
    "<model><ground id='g' p='0'/><sine-voltage id='V' p='a' n='0' amplitude='5' frequency='3'/>"
    "<diode id='D' p='a' n='b'/><capacitor id='C' p='b' n='0' C='100 uF'/><resistor id='R' p='b' "
    "n='0' R='1 kOhm'/><simulation duration='2' step='0.01'/></model>"};
enum { MODELS = sizeof models / sizeof *models };
static const char *const methods[] = {"rk4", "crank-nicolson", "radau5", "bdf2", "tr-bdf2", "ida",
                                      "rk45"};
enum { METHODS = sizeof methods / sizeof *methods };

typedef struct way {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
} way;

static void prepare(way *path, int model, int method) {
    const ln_request request = {.method = methods[method],
                                .tolerance = method == 2 || method > 4 ? "1e-4" : NULL,
                                .interval = "0.05"};
    path->report = ln_report_new(NULL, NULL);
    path->model = NULL;
    if (ln_model_read_memory("m.xml", models[model], strlen(models[model]), NULL, path->report,
                             &path->model) != LINNET_OK ||
        ln_simulation_prepare(&path->simulation, path->model, &request, 1, NULL, path->report) !=
            LINNET_OK)
        fuzz_broken("the target's model is wrong: %s", ln_report_text(path->report, 0));
}

static void end(way *path) {
    ln_simulation_free(&path->simulation);
    ln_model_free(path->model);
    ln_report_free(path->report);
}

/* Ends a run soon behind its first checkpoint. */
static int has_saved(void *context) {
    return access(context, R_OK) == 0;
}

static int count_down(void *context) {
    return --*(int *)context < 0;
}

/* The checkpoint of such a run on its way, made once; plain malloc, for it stays. */
static const char *genuine(int model, int method, size_t *length) {
    static char *made[MODELS][METHODS];
    static size_t lengths[MODELS][METHODS];
    *length = lengths[model][method];
    if (made[model][method] != NULL)
        return made[model][method];
    char folder[] = "/tmp/linnet-fuzz-XXXXXX", saved[64], result[64];
    if (mkdtemp(folder) == NULL)
        fuzz_broken("no folder");
    snprintf(saved, sizeof saved, "%s/c.ck", folder);
    snprintf(result, sizeof result, "%s/r.csv", folder);
    way path;
    prepare(&path, model, method);
    path.simulation.checkpoint = saved;
    path.simulation.checkpoint_every = 0.3;
    (void)ln_simulation_run(&path.simulation, ln_sink_csv(result, path.report), has_saved, saved);
    end(&path);
    FILE *file = fopen(saved, "rb");
    char *data = malloc(1 << 20);
    const size_t got = file != NULL && data != NULL ? fread(data, 1, 1 << 20, file) : 0;
    if (got < 100)
        fuzz_broken("%s writes no checkpoint", methods[method]);
    (void)fclose(file);
    (void)unlink(saved), (void)unlink(result), (void)rmdir(folder);
    made[model][method] = data, lengths[model][method] = got;
    *length = got;
    return data;
}

/* One change: eight bytes by a value that is likely to hurt or by the input's own, or a cut. */
static void change(fuzz_bytes *bytes, uint8_t *data, size_t *length) {
    static const double numbers[] = {NAN, INFINITY, -INFINITY, -1e300, 1e-320, 0, -1, 1e9};
    static const long long integers[] = {-1, 0, 1, 1LL << 31, 1LL << 40, INT64_MAX, INT64_MIN, 3};
    enum { HEAD = 32 /* magic, format, order of bytes, fingerprint */, FOOT = 8 };
    const size_t words = (*length - HEAD - FOOT) / 8;
    const size_t at = HEAD + 8 * (fuzz_choice(bytes, 65536) % words);
    uint64_t own = 0;
    switch (fuzz_choice(bytes, 4)) {
    case 0: memcpy(data + at, &numbers[fuzz_choice(bytes, 8)], 8); break;
    case 1: memcpy(data + at, &integers[fuzz_choice(bytes, 8)], 8); break;
    case 2:
        for (int k = 0; k < 4; k++)
            own = own << 16 | fuzz_choice(bytes, 65536);
        memcpy(data + at, &own, 8);
        break;
    default: *length = at + FOOT > 64 ? at + FOOT : *length;
    }
}

static void go_on(way *path, const char *file) {
    ln_checkpoint_result begun;
    ln_table_rows rows = {0};
    int polls = 40;
    linnet_status status = ln_checkpoint_read(&path->simulation, file, &begun);
    if (status == LINNET_OK) {
        path->simulation.checkpoint_every = 10;
        status = ln_simulation_run(&path->simulation, ln_sink_memory(&rows, path->report),
                                   count_down, &polls);
    }
    fuzz_told(status, path->report, "a checkpoint");
    for (size_t k = 0; k < rows.nrows * ((size_t)rows.ncolumns + 1); k++)
        if (!isfinite(rows.data[k]))
            fuzz_broken("a run from a checkpoint gives %g", rows.data[k]);
    ln_sys->release(rows.data);
}

void fuzz_checkpoint(const uint8_t *data, size_t length) {
    fuzz_bytes bytes = {data, length};
    const int model = (int)fuzz_choice(&bytes, MODELS), method = (int)fuzz_choice(&bytes, METHODS);
    size_t size;
    const char *good = genuine(model, method, &size);
    uint8_t *copy = malloc(size);
    memcpy(copy, good, size);
    for (int k = 0; k < 8 && bytes.left > 0; k++)
        change(&bytes, copy, &size);
    const long long sum = (long long)crc32(crc32(0, NULL, 0), copy, (uInt)(size - sizeof sum));
    memcpy(copy + size - sizeof sum, &sum, sizeof sum);
    way path;
    prepare(&path, model, method);
    go_on(&path, fuzz_file(copy, size));
    end(&path);
    free(copy);
}
