/* SPDX-License-Identifier: MIT */
/* Checkpoints: a run that was cut at any point and resumed writes the bytes of the run that was
 * not, by every method, with events, samples and delays; and no damaged or foreign checkpoint is
 * taken for one. */
#include "analysis/checkpoint.h"
#include "base/sys.h"
#include "model/model.h"
#include "unit.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

static char folder[] = "/tmp/linnet-checkpoint-XXXXXX";
static const char *in_folder(const char *name) {
    static char path[4][256];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

#define MODEL(blocks)                                    \
    "<model name='m' xmlns='urn:linnet:model:1'>" blocks \
    "<simulation duration='2' step='0.01'/></model>"
/* A ball that bounces on a floor, its height sampled, delayed, and fed back with noise. */
static const char hybrid[] =
    MODEL("<block-type name='ball'><input name='u'/><output name='y'/><state name='h' "
          "start='1'/><state name='v'/>"
          "<memory name='bounces'/><equation>der(h) = v</equation><equation>der(v) = u - "
          "9.81</equation><equation>y = h</equation>"
          "<when condition='h lt 0'><set name='v' value='-0.8*v'/><set name='h' value='0'/><set "
          "name='bounces' value='bounces + 1'/>"
          "</when></block-type>"
          "<block-type name='hold'><input name='u'/><output name='y'/><memory "
          "name='held'/><equation>y = held</equation>"
          "<when condition='sample(0.13)'><set name='held' value='u'/></when></block-type>"
          "<ball id='b' u='f' y='h'/><hold id='z' u='h' y='hz'/><transport-delay id='d' in='hz' "
          "out='hd' delay='0.21'/>"
          "<uniform-noise id='n' out='w' min='-1' max='1' period='0.07' seed='5'/>"
          "<function id='g' in='hd h w' out='f' expression='0.5*u1 - 0.1*u2*u2 + 0.2*u3'/>");
/* Physical, nonlinear. */
static const char circuit[] =
    MODEL("<ground id='g' p='0'/><sine-voltage id='V' p='a' n='0' amplitude='5' "
          "frequency='3'/><diode id='D' p='a' n='b'/>"
          "<capacitor id='C' p='b' n='0' C='100 uF'/><resistor id='R' p='b' n='0' R='1 kOhm'/>");

typedef struct job {
    const char *xml, *method, *step, *tolerance, *interval;
} job;
typedef struct way {
    ln_report *report;
    ln_model *model;
    ln_simulation simulation;
} way;

/* One that takes pieces as they come, one that keeps points to the end, one of a condition. */
static const char *const hybrid_measures[] = {"top=maximum(h, from=0.7)", "mean=mean(h)",
                                              "half=crossing(hz, level=0.5, count=2)",
                                              "set=settling-time(hd)", "low=first-time(h lt 0.2)"};
enum { MEASURES = sizeof hybrid_measures / sizeof *hybrid_measures };
static double measured[2][MEASURES]; /* of the straight run, of the last */

static way prepare(const job *what) {
    way path = {.report = ln_report_new(NULL, NULL)};
    CU_ASSERT_FATAL(ln_model_read_memory("m.xml", what->xml, strlen(what->xml), NULL, path.report,
                                         &path.model) == LINNET_OK);
    ln_request request = {.method = what->method,
                          .step = what->step,
                          .tolerance = what->tolerance,
                          .interval = what->interval};
    if (what->xml == hybrid) {
        request.measures = hybrid_measures;
        request.nmeasures = MEASURES;
    }
    linnet_status status =
        ln_simulation_prepare(&path.simulation, path.model, &request, 1, NULL, path.report);
    if (status != LINNET_OK)
        printf("\n    %s", ln_report_text(path.report, 0));
    CU_ASSERT_FATAL(status == LINNET_OK);
    return path;
}

static void end(way *path) {
    ln_simulation_free(&path->simulation);
    ln_model_free(path->model);
    ln_report_free(path->report);
}

static void keep_measures(const way *path, int straight) {
    for (int k = 0; k < ln_measures_count(path->simulation.measures); k++)
        measured[!straight][k] = ln_measures_at(path->simulation.measures, k)->value;
}

static int stop_later(void *context) {
    return --*(int *)context < 0;
}

/* Runs with checkpoints, cut at the k-th poll (or never: k < 0), resumed or not. */
static linnet_status run(const job *what, const char *result, const char *checkpoint, int resume,
                         int polls) {
    way path = prepare(what);
    ln_checkpoint_result begun;
    ln_sink *sink = NULL;
    linnet_status status = LINNET_OK;
    path.simulation.checkpoint = checkpoint;
    path.simulation.checkpoint_every = 0.3;
    if (resume)
        status = ln_checkpoint_read(&path.simulation, checkpoint, &begun);
    if (status == LINNET_OK)
        sink = resume ? ln_sink_csv_resume(result, begun.length, begun.sum, path.report)
                      : ln_sink_csv(result, path.report);
    if (status == LINNET_OK && sink == NULL)
        status = LINNET_IO;
    if (status == LINNET_OK)
        status = ln_simulation_run(&path.simulation, sink, polls >= 0 ? stop_later : NULL, &polls);
    if (status != LINNET_OK && status != LINNET_INTERRUPTED)
        printf("\n    %s", ln_report_text(path.report, 0));
    keep_measures(&path, strstr(result, "whole") != NULL);
    end(&path);
    return status;
}

static char *contents(const char *path, long *length) {
    FILE *file = fopen(path, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, 0, SEEK_END);
    *length = ftell(file);
    rewind(file);
    char *data = malloc((size_t)*length + 1);
    CU_ASSERT_FATAL(fread(data, 1, (size_t)*length, file) == (size_t)*length);
    fclose(file);
    return data;
}

static int same_files(const char *a, const char *b) {
    long la, lb;
    char *da = contents(a, &la), *db = contents(b, &lb);
    int same = la == lb && memcmp(da, db, (size_t)la) == 0;
    free(da), free(db);
    return same;
}

static void cut_and_resumed(const job *what) {
    static unsigned seed = 4711;
    const char *whole = in_folder("whole.csv"), *part = in_folder("part.csv"),
               *saved = in_folder("part.cp");
    char whole_copy[256], part_copy[256], saved_copy[256];
    strcpy(whole_copy, whole), strcpy(part_copy, part), strcpy(saved_copy, saved);
    unlink(saved_copy);
    CU_ASSERT(run(what, whole_copy, in_folder("whole.cp"), 0, -1) == LINNET_OK);
    for (int cut = 0; cut < 4; cut++) {
        seed = seed * 1103515245u + 12345u;
        unlink(saved_copy);
        linnet_status status = run(what, part_copy, saved_copy, 0, 20 + (int)(seed >> 16) % 150);
        for (int again = 1; status == LINNET_INTERRUPTED && access(saved_copy, R_OK) == 0;
             again++) {
            seed = seed * 1103515245u + 12345u;
            status = run(what, part_copy, saved_copy, 1, again * (60 + (int)(seed >> 16) % 400));
        }
        if (status == LINNET_INTERRUPTED)
            continue; /* cut before the first checkpoint */
        CU_ASSERT(status == LINNET_OK);
        if (!same_files(whole_copy, part_copy))
            printf("\n    %s differs", what->method);
        CU_ASSERT(same_files(whole_copy, part_copy));
        CU_ASSERT(what->xml != hybrid || memcmp(measured[0], measured[1], sizeof measured[0]) == 0);
    }
    for (int k = 0; k < MEASURES && what->xml == hybrid; k++)
        CU_ASSERT(isfinite(measured[0][k]));
}

static void every_method(void) {
    static const job jobs[] = {{hybrid, "rk4", "0.01", NULL, NULL},
                               {hybrid, "rk45", NULL, "1e-7", NULL},
                               {hybrid, "rk45", NULL, "1e-7", "0.05"},
                               {hybrid, "crank-nicolson", "0.01", NULL, NULL},
                               {hybrid, "backward-euler", "0.01", NULL, "0.05"},
                               {hybrid, "radau5", NULL, "1e-6", "0.05"},
                               {hybrid, "radau5", NULL, "1e-6", NULL},
                               {hybrid, "bdf2", NULL, "1e-4", NULL},
                               {hybrid, "tr-bdf2", NULL, "1e-5", NULL},
                               {hybrid, "ida", NULL, "1e-5", NULL},
                               {hybrid, "euler", "0.01", NULL, NULL},
                               {circuit, "crank-nicolson", "0.01", NULL, NULL},
                               {circuit, "radau5", NULL, "1e-5", NULL},
                               {circuit, "ida", NULL, "1e-5", NULL},
                               {circuit, "bdf2", NULL, "1e-4", "0.01"},
                               {circuit, "tr-bdf2", "0.01", NULL, NULL},
                               {circuit, "rk4", "0.0001", NULL, NULL}};
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++)
        cut_and_resumed(&jobs[k]);
}

/* Each byte of a checkpoint changed in turn, and each length: refused, for a reason. */
static void damaged(void) {
    const job what = {circuit, "crank-nicolson", "0.1", NULL, NULL};
    char path[256], bad[256];
    strcpy(path, in_folder("good.cp")), strcpy(bad, in_folder("bad.cp"));
    CU_ASSERT(run(&what, in_folder("good.csv"), path, 0, -1) == LINNET_OK);
    long length;
    char *data = contents(path, &length);
    way trial = prepare(&what);
    ln_checkpoint_result result;
    CU_ASSERT(ln_checkpoint_read(&trial.simulation, path, &result) == LINNET_OK);
    for (long k = 0; k < 2 * length; k++) {
        FILE *file = fopen(bad, "wb");
        long cut = k < length ? length : k - length;
        if (k < length)
            data[k] = (char)(data[k] ^ (1 << k % 8));
        fwrite(data, 1, (size_t)cut, file);
        fclose(file);
        CU_ASSERT(ln_checkpoint_read(&trial.simulation, bad, &result) == LINNET_IO);
        if (k < length)
            data[k] = (char)(data[k] ^ (1 << k % 8));
    }
    free(data);
    end(&trial);
    const job others[] = {{circuit, "crank-nicolson", "0.05", NULL, NULL},
                          {hybrid, "crank-nicolson", "0.1", NULL, NULL},
                          {circuit, "backward-euler", "0.1", NULL, NULL}};
    for (int k = 0; k < 3; k++) {
        trial = prepare(&others[k]);
        CU_ASSERT(ln_checkpoint_read(&trial.simulation, path, &result) == LINNET_IO);
        CU_ASSERT(strstr(ln_report_text(trial.report, 0), "belongs to another model") != NULL);
        end(&trial);
    }
}

/* ---- crafted: the checksum is right, a value is not ---- */

static void put_crc(unsigned char *data, long length) {
    const long long sum =
        (long long)crc32(crc32(0, NULL, 0), data, (uInt)(length - (long)sizeof sum));
    memcpy(data + length - (long)sizeof sum, &sum, sizeof sum);
}

/* Goes on from a checkpoint for some steps, or is refused: it ends, and every number of its rows is
 * one. */
static void go_on_from(const job *what, const char *path, long *refused, long *taken) {
    way trial = prepare(what);
    ln_checkpoint_result begun;
    ln_table_rows rows = {0};
    int polls = 25;
    linnet_status status = ln_checkpoint_read(&trial.simulation, path, &begun);
    if (status == LINNET_OK) {
        trial.simulation.checkpoint_every = 10;
        status = ln_simulation_run(&trial.simulation, ln_sink_memory(&rows, trial.report),
                                   stop_later, &polls);
    }
    *(status == LINNET_IO ? refused : taken) += 1;
    CU_ASSERT(status == LINNET_IO || status == LINNET_INTERRUPTED || status == LINNET_OK ||
              status == LINNET_FAILED);
    CU_ASSERT(status >= 0 || status == LINNET_INTERRUPTED || ln_report_errors(trial.report) > 0);
    for (size_t k = 0; k < rows.nrows * ((size_t)rows.ncolumns + 1); k++)
        CU_ASSERT(isfinite(rows.data[k]));
    ln_sys->release(rows.data);
    end(&trial);
}

static void crafted_from(const job *what) {
    static const double numbers[] = {NAN, INFINITY, -1e300, 1e-320};
    static const long long integers[] = {-1, 1LL << 40, LLONG_MAX, 3};
    enum { HEAD = 32 /* magic, format, order of bytes, fingerprint */, KINDS = 8 };
    char path[256], bad[256];
    long length, refused = 0, taken = 0;
    strcpy(path, in_folder("part.cp")), strcpy(bad, in_folder("bad.cp"));
    CU_ASSERT(run(what, in_folder("part.csv"), path, 0, 120) == LINNET_INTERRUPTED);
    char *data = contents(path, &length);
    /* the sample: every value meets one kind */
    const int stride = getenv("LINNET_FULL") != NULL ? 1 : KINDS;
    for (long at = HEAD; at + 16 <= length; at += 8)
        for (int kind = (int)(at / 8) % stride; kind < KINDS; kind += stride) {
            char kept[8];
            memcpy(kept, data + at, 8);
            memcpy(data + at,
                   kind < 4 ? (const void *)&numbers[kind] : (const void *)&integers[kind - 4], 8);
            put_crc((unsigned char *)data, length);
            FILE *file = fopen(bad, "wb");
            fwrite(data, 1, (size_t)length, file);
            fclose(file);
            memcpy(data + at, kept, 8);
            go_on_from(what, bad, &refused, &taken);
        }
    CU_ASSERT(refused > taken / 2); /* most of such values are no states of that run */
    free(data);
}

static void crafted(void) {
    const job jobs[] = {{hybrid, "rk4", "0.01", NULL, NULL},
                        {hybrid, "radau5", NULL, "1e-4", "0.05"}};
    for (size_t k = 0; k < sizeof jobs / sizeof *jobs; k++)
        crafted_from(&jobs[k]);
}

/* A checkpoint goes on in its own result only. */
static void other_result(void) {
    const job what = {circuit, "crank-nicolson", "0.1", NULL, NULL};
    char path[256], result[256];
    strcpy(path, in_folder("good.cp")), strcpy(result, in_folder("good.csv"));
    FILE *file = fopen(result, "r+b");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputc('T', file);
    fclose(file);
    CU_ASSERT(run(&what, result, path, 1, -1) == LINNET_IO);
}

static void with_folder(void) {
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
}

static void clean(void) {
    static const char *const names[] = {"whole.csv", "part.csv", "whole.cp", "part.cp",
                                        "good.cp",   "good.csv", "bad.cp"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        unlink(in_folder(names[k]));
    CU_ASSERT(rmdir(folder) == 0);
}

UNIT_MAIN({"a folder", with_folder}, {"cut and resumed", every_method},
          {"damaged and foreign", damaged}, {"crafted", crafted}, {"another result", other_result},
          {"clean", clean})
