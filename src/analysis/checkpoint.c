/* SPDX-License-Identifier: MIT */
/* The file of a checkpoint: see checkpoint.h. Numbers are as in memory; a mark tells the order of
 * their bytes. */
#include "analysis/checkpoint.h"

#include "base/bytes.h"
#include "base/input.h"
#include "integrate/pause.h"
#include "result/document.h"
#include "base/text.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

static const char magic[8] = "LINNETCP";
enum { FORMAT = 9, TAIL = sizeof(long long) };
static const long long BYTE_ORDER_MARK = 0x0102030405060708;
static const size_t MOST = (size_t)1 << 40;

/* ---- fingerprint ---- */

static void mix(void *context, const void *data, size_t length) {
    uint64_t *hash = context;
    *hash = ln_hash(*hash, data, length);
}

static void mix_text(uint64_t *hash, const char *text) {
    mix(hash, text, strlen(text) + 1);
}

/* Of all that decides the trajectory and its columns. */
static long long fingerprint(const ln_simulation *simulation) {
    const ln_network *network = simulation->network;
    const ln_settings *s = &simulation->settings;
    uint64_t hash = LN_HASH_BEGIN;
    for (int i = 0; i < network->ninstances; i++) {
        const ln_instance *instance = &network->instances[i];
        mix_text(&hash, instance->name);
        mix_text(&hash, instance->block.type->name);
        mix(&hash, instance->block.p, (size_t)instance->block.type->nvalues * sizeof(double));
        for (int k = 0; k < instance->block.type->nports; k++)
            mix(&hash, &instance->links[k], sizeof instance->links[k]);
    }
    for (int k = 0; k < network->nlinks; k++)
        mix_text(&hash, network->links[k].name);
    const double numbers[] = {s->begin,    s->end,        s->step,          s->tolerance,
                              s->interval, s->resolution, (double)s->start, (double)s->linear};
    mix_text(&hash, s->method->name);
    mix(&hash, numbers, sizeof numbers);
    int ncolumns;
    const ln_column *columns = ln_recorder_columns(simulation->recorder, &ncolumns);
    for (int k = 0; k < ncolumns; k++)
        mix_text(&hash, columns[k].name);
    ln_measures_mark(simulation->measures, mix, &hash);
    return (long long)hash;
}

/* ---- writing ---- */

linnet_status ln_checkpoint_write(ln_simulation *simulation) {
    ln_checkpoint_result result;
    ln_sink *sink = simulation->sink;
    if (sink->mark == NULL)
        return ln_fail(simulation->report, LINNET_USAGE, LN_NOWHERE,
                       "checkpoints need a result that is a CSV file");
    LN_TRY(sink->mark(sink, &result.length, &result.sum));
    const ln_bytes *bytes = &simulation->pause.bytes;
    ln_bytes file = {0};
    ln_bytes_put(&file, magic, sizeof magic);
    ln_bytes_put_long(&file, FORMAT);
    ln_bytes_put_long(&file, BYTE_ORDER_MARK);
    ln_bytes_put_long(&file, fingerprint(simulation));
    ln_bytes_put_double(&file, simulation->checkpoint_every);
    ln_bytes_put_long(&file, result.length);
    ln_bytes_put_long(&file, (long long)result.sum);
    ln_bytes_put_long(&file, simulation->rows);
    ln_pause_save_counts(&file, &simulation->pause.counts);
    ln_measures_save(simulation->measures, &file);
    if (simulation->dense != NULL)
        ln_dense_save(simulation->dense, &file);
    ln_bytes_put_long(&file, (long long)bytes->length);
    ln_bytes_put(&file, bytes->data, bytes->length);
    ln_bytes_put_long(&file, (long long)crc32(crc32(0, NULL, 0), file.data, (uInt)file.length));
    linnet_status status =
        file.failed || bytes->failed ? ln_no_memory(simulation->report) : LINNET_OK;
    const ln_text text = {.data = (char *)file.data, .length = file.length};
    if (status == LINNET_OK)
        status = ln_document_write(simulation->checkpoint, &text, simulation->report);
    ln_bytes_free(&file);
    return status;
}

/* ---- reading ---- */

static linnet_status wrong(const ln_simulation *simulation, const char *path, const char *what) {
    return ln_fail(simulation->report, LINNET_IO, LN_NOWHERE, "'%s' %s", path, what);
}

static linnet_status read_file(const ln_simulation *simulation, const char *path, ln_bytes *file) {
    ln_text text = {0};
    linnet_status status = ln_input_read(path, LN_FROM_MODEL, MOST, simulation->report, &text);
    if (status == LINNET_OK && text.length > MOST)
        status = wrong(simulation, path, "is no checkpoint: it is too long");
    if (status == LINNET_OK)
        ln_bytes_put(file, text.data, text.length);
    ln_text_free(&text);
    return file->failed ? ln_no_memory(simulation->report) : status;
}

/* The frame: what it is, and whether it is whole. */
static linnet_status check_frame(const ln_simulation *simulation, const char *path,
                                 ln_bytes *file) {
    char found[sizeof magic];
    ln_bytes_get(file, found, sizeof found);
    if (file->failed || memcmp(found, magic, sizeof magic) != 0)
        return wrong(simulation, path, "is no checkpoint of linnet");
    if (file->length < sizeof magic + 3 * TAIL)
        return wrong(simulation, path, "is damaged: it is too short");
    long long sum;
    memcpy(&sum, file->data + file->length - TAIL, sizeof sum);
    if (sum != (long long)crc32(crc32(0, NULL, 0), file->data, (uInt)(file->length - TAIL)))
        return wrong(simulation, path,
                     "is damaged: its checksum does not fit; take an older one or run anew");
    if (ln_bytes_get_long(file) != FORMAT)
        return wrong(simulation, path, "was written by another version of linnet");
    if (ln_bytes_get_long(file) != BYTE_ORDER_MARK)
        return wrong(simulation, path, "was written on a machine with another order of bytes");
    if (ln_bytes_get_long(file) != fingerprint(simulation))
        return wrong(
            simulation, path,
            "belongs to another model, other settings or other recorded signals; a run goes on "
            "exactly as it was begun");
    return LINNET_OK;
}

static linnet_status read_content(ln_simulation *simulation, const char *path, ln_bytes *file,
                                  ln_checkpoint_result *result) {
    ln_bytes *bytes = &simulation->pause.bytes;
    const ln_settings *settings = &simulation->settings;
    simulation->checkpoint_every = ln_bytes_get_finite(file);
    result->length = ln_bytes_get_within(file, 0, LLONG_MAX);
    result->sum = (unsigned long)ln_bytes_get_within(file, 0, 0xFFFFFFFF);
    simulation->rows = (long)ln_bytes_get_within(file, 0, LONG_MAX / 2);
    ln_pause_load_counts(file, &simulation->pause.counts);
    LN_TRY(ln_simulation_make_dense(simulation));
    const int measured = ln_measures_load(simulation->measures, file) &&
                         (simulation->dense == NULL || ln_dense_load(simulation->dense, file));
    const long long length = ln_bytes_get_long(file);
    if (!measured || file->failed || length <= 0 ||
        (size_t)length != file->length - file->at - TAIL)
        return wrong(simulation, path, "is damaged: its lengths do not fit");
    ln_bytes_clear(bytes);
    ln_bytes_put(bytes, file->data + file->at, (size_t)length);
    if (bytes->failed)
        return ln_no_memory(simulation->report);
    const double t = ln_pause_time(&simulation->pause);
    const int stands =
        t >= settings->begin && t <= settings->end && simulation->checkpoint_every > 0;
    return stands ? LINNET_OK : wrong(simulation, path, "is damaged: it stands outside the run");
}

linnet_status ln_checkpoint_read(ln_simulation *simulation, const char *path,
                                 ln_checkpoint_result *result) {
    ln_bytes file = {0};
    linnet_status status = read_file(simulation, path, &file);
    if (status == LINNET_OK)
        status = check_frame(simulation, path, &file);
    if (status == LINNET_OK)
        status = read_content(simulation, path, &file, result);
    ln_bytes_free(&file);
    return status;
}
