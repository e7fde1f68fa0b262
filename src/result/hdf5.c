/* SPDX-License-Identifier: MIT */
/* The only file that includes HDF5. A block of rows gathers in memory and goes out column by
 * column, so a long run needs no more than a block. The file is written as `path`.part and gets its
 * name at its end. */
#include "result/hdf5.h"

#include "base/library.h"
#include "base/part.h"
#include "base/sys.h"
#include "base/text.h"
#include "result/formats.h"

#include <errno.h>
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
#define FUNCTIONS(X) \
    X(H5Aclose) X(H5Acreate2) X(H5Aexists) X(H5Aget_type) X(H5Aopen) X(H5Aread) X(H5Awrite) \
    X(H5Dclose) X(H5Dcreate2) X(H5Dget_space) X(H5Dget_type) X(H5Dread) \
    X(H5Dset_extent) X(H5Dwrite) X(H5Eset_auto2) X(H5Fclose) X(H5Fcreate) X(H5Fopen) X(H5Gclose) \
    X(H5Gget_create_plist) X(H5Gget_info) X(H5Gopen2) X(H5Iget_type) X(H5Lget_name_by_idx) \
    X(H5Oclose) X(H5Oopen) X(H5Pclose) \
    X(H5Pcreate) X(H5Pget_link_creation_order) X(H5Pset_chunk) X(H5Pset_file_locking) \
    X(H5Pset_link_creation_order) X(H5Pset_obj_track_times) \
    X(H5Sclose) X(H5Screate) X(H5Screate_simple) X(H5Sget_simple_extent_dims) \
    X(H5Sget_simple_extent_ndims) X(H5Sselect_hyperslab) X(H5Tclose) X(H5Tcopy) X(H5Tget_class) \
    X(H5Tget_size) X(H5Tis_variable_str) X(H5Tset_cset) X(H5Tset_size) X(H5dont_atexit) \
    X(H5open) \
    X(H5P_CLS_DATASET_CREATE_ID_g) X(H5P_CLS_FILE_ACCESS_ID_g) X(H5P_CLS_FILE_CREATE_ID_g) \
    X(H5T_C_S1_g) X(H5T_IEEE_F64LE_g) \
    X(H5T_NATIVE_DOUBLE_g) X(H5T_NATIVE_INT_g)
/* clang-format on */

static struct { FUNCTIONS(LN_LIBRARY_MEMBER) } hdf5;
static const char *const function_names[] = {FUNCTIONS(LN_LIBRARY_NAME) NULL};
static ln_library library = {.file = LINNET_SONAME_HDF5,
                             .package = "libhdf5-103-1",
                             .what = "HDF5 files",
                             .names = function_names,
                             .members = &hdf5};

/* HDF5's constants are variables of the library behind a call that makes them (load). */
#undef H5OPEN
#undef H5CHECK
#define H5OPEN
#define H5CHECK
#define H5P_CLS_DATASET_CREATE_ID_g (*hdf5.H5P_CLS_DATASET_CREATE_ID_g)
#define H5P_CLS_FILE_ACCESS_ID_g (*hdf5.H5P_CLS_FILE_ACCESS_ID_g)
#define H5P_CLS_FILE_CREATE_ID_g (*hdf5.H5P_CLS_FILE_CREATE_ID_g)
#define H5T_C_S1_g (*hdf5.H5T_C_S1_g)
#define H5T_IEEE_F64LE_g (*hdf5.H5T_IEEE_F64LE_g)
#define H5T_NATIVE_DOUBLE_g (*hdf5.H5T_NATIVE_DOUBLE_g)
#define H5T_NATIVE_INT_g (*hdf5.H5T_NATIVE_INT_g)

static linnet_status load(ln_report *report) {
    LN_TRY(ln_library_load(&library, report));
    /* All files are closed here. What a full disk leaves of one, HDF5 would write again at the
     * process's end, and crash. Refused where a host has begun to use HDF5: then that is its. */
    (void)hdf5.H5dont_atexit();
    if (hdf5.H5open() < 0)
        return ln_fail(report, LINNET_INTERNAL, LN_NOWHERE, "HDF5 cannot be started");
    (void)hdf5.H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what is wrong is told by us */
    return LINNET_OK;
}

enum { BLOCK = 1024 /* rows; also the chunk of a data set */ };

typedef struct hdf5_sink {
    ln_sink sink;
    ln_report *report;
    ln_arena *arena;
    const char *path, *part, *first, *first_unit, *origin;
    int held;          /* the part file, held by its lock; -1: not open */
    hid_t file, *sets; /* -1: not open */
    int nsets;
    double *block; /* a column after the other, BLOCK values each */
    int filled;
    hsize_t written; /* rows in the file */
    int failed;
} hdf5_sink;

/* ---- small parts ---- */

static int put_text(hid_t owner, const char *name, const char *value) {
    const hid_t type = hdf5.H5Tcopy(H5T_C_S1), space = hdf5.H5Screate(H5S_SCALAR);
    int good = type >= 0 && space >= 0 && hdf5.H5Tset_size(type, strlen(value) + 1) >= 0 &&
               hdf5.H5Tset_cset(type, H5T_CSET_UTF8) >= 0;
    const hid_t attribute =
        good ? hdf5.H5Acreate2(owner, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    good = attribute >= 0 && hdf5.H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0)
        good = hdf5.H5Aclose(attribute) >= 0 && good;
    if (space >= 0)
        (void)hdf5.H5Sclose(space);
    if (type >= 0)
        (void)hdf5.H5Tclose(type);
    return good;
}

static int put_flag(hid_t owner, const char *name, int value) {
    const hid_t space = hdf5.H5Screate(H5S_SCALAR);
    const hid_t attribute =
        space < 0 ? -1
                  : hdf5.H5Acreate2(owner, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT);
    int good = attribute >= 0 && hdf5.H5Awrite(attribute, H5T_NATIVE_INT, &value) >= 0;
    if (attribute >= 0)
        good = hdf5.H5Aclose(attribute) >= 0 && good;
    if (space >= 0)
        (void)hdf5.H5Sclose(space);
    return good;
}

/* A slash would be a folder, and a name of dots the place itself. */
static const char *link_name(ln_arena *arena, const char *name) {
    char *copy = name[strspn(name, ".")] == '\0' ? ln_arena_printf(arena, "_%s", name)
                                                 : ln_arena_string(arena, name);
    for (char *c = copy; c != NULL && *c != '\0'; c++)
        if (*c == '/')
            *c = '|';
    return copy;
}

static linnet_status failed(hdf5_sink *sink) {
    if (sink->failed)
        return LINNET_IO;
    sink->failed = 1;
    return ln_fail(sink->report, LINNET_IO, LN_NOWHERE, "cannot write '%s'%s%s", sink->path,
                   errno != 0 ? ": " : "", errno != 0 ? ln_part_why(errno) : "");
}

/* ---- the sink ---- */

static int make_set(hdf5_sink *sink, int index, const char *name, const char *unit, int held) {
    const hsize_t none = 0, most = H5S_UNLIMITED, chunk = BLOCK;
    const char *link = link_name(sink->arena, name);
    const hid_t space = hdf5.H5Screate_simple(1, &none, &most),
                list = hdf5.H5Pcreate(H5P_DATASET_CREATE);
    int good = link != NULL && space >= 0 && list >= 0 && hdf5.H5Pset_chunk(list, 1, &chunk) >= 0 &&
               hdf5.H5Pset_obj_track_times(list, 0) >= 0; /* the same bytes at any time */
    if (good)
        sink->sets[index] = hdf5.H5Dcreate2(sink->file, link, H5T_IEEE_F64LE, space, H5P_DEFAULT,
                                            list, H5P_DEFAULT);
    if (list >= 0)
        (void)hdf5.H5Pclose(list);
    if (space >= 0)
        (void)hdf5.H5Sclose(space);
    return good && sink->sets[index] >= 0 &&
           put_text(sink->sets[index], "unit", unit != NULL ? unit : "") &&
           (!held || put_flag(sink->sets[index], "held", 1));
}

static linnet_status open_sets(ln_sink *base, const ln_column *columns, int ncolumns) {
    hdf5_sink *sink = (hdf5_sink *)base;
    sink->sets = LN_NEW(sink->arena, hid_t, ncolumns + 1);
    sink->block = ln_arena_alloc(sink->arena, (size_t)ncolumns + 1, BLOCK * sizeof(double));
    if (sink->sets == NULL || sink->block == NULL)
        return ln_no_memory(sink->report);
    sink->nsets = ncolumns + 1;
    for (int k = 0; k < sink->nsets; k++)
        sink->sets[k] = -1;
    errno = 0;
    if ((sink->origin != NULL && !put_text(sink->file, "origin", sink->origin)) ||
        !make_set(sink, 0, sink->first, sink->first_unit, 0))
        return failed(sink);
    for (int k = 0; k < ncolumns; k++)
        if (!make_set(sink, k + 1, columns[k].name, columns[k].unit, columns[k].held))
            return failed(sink);
    return LINNET_OK;
}

static int write_column(hdf5_sink *sink, int k) {
    const hsize_t count = (hsize_t)sink->filled, total = sink->written + count;
    if (hdf5.H5Dset_extent(sink->sets[k], &total) < 0)
        return 0;
    const hid_t to = hdf5.H5Dget_space(sink->sets[k]),
                from = hdf5.H5Screate_simple(1, &count, NULL);
    const int good =
        to >= 0 && from >= 0 &&
        hdf5.H5Sselect_hyperslab(to, H5S_SELECT_SET, &sink->written, NULL, &count, NULL) >= 0 &&
        hdf5.H5Dwrite(sink->sets[k], H5T_NATIVE_DOUBLE, from, to, H5P_DEFAULT,
                      sink->block + (size_t)k * BLOCK) >= 0;
    if (from >= 0)
        (void)hdf5.H5Sclose(from);
    if (to >= 0)
        (void)hdf5.H5Sclose(to);
    return good;
}

static linnet_status flush_block(hdf5_sink *sink) {
    errno = 0;
    for (int k = 0; k < sink->nsets && sink->filled > 0; k++)
        if (!write_column(sink, k))
            return failed(sink);
    sink->written += (hsize_t)sink->filled;
    sink->filled = 0;
    return LINNET_OK;
}

static linnet_status add_row(ln_sink *base, double time, const double *values) {
    hdf5_sink *sink = (hdf5_sink *)base;
    if (sink->failed)
        return LINNET_IO;
    for (int k = 0; k < sink->nsets; k++)
        sink->block[(size_t)k * BLOCK + (size_t)sink->filled] = k > 0 ? values[k - 1] : time;
    return ++sink->filled == BLOCK ? flush_block(sink) : LINNET_OK;
}

static linnet_status close_file(ln_sink *base, int complete) {
    hdf5_sink *sink = (hdf5_sink *)base;
    linnet_status status = sink->failed ? LINNET_IO : flush_block(sink);
    errno = 0;
    int good = 1;
    for (int k = 0; k < sink->nsets; k++)
        if (sink->sets[k] >= 0)
            good = hdf5.H5Dclose(sink->sets[k]) >= 0 && good;
    good = hdf5.H5Fclose(sink->file) >= 0 && good;
    const int named = (complete || sink->written > 0) && good && status == LINNET_OK;
    if (!named) /* nobody reads a file without its tables */
        (void)ln_sys->remove(sink->part);
    good = ln_part_close(sink->held, sink->part, named ? sink->path : NULL) == 0 && good;
    if (status == LINNET_OK && !good)
        status = failed(sink);
    ln_arena_free(sink->arena);
    ln_sys->release(sink);
    return status;
}

/* The file, which tells the order in which its data sets were made. HDF5 locks nothing: the lock is
 * that of the part file, which HDF5 would take for another's. */
static hid_t create_file(const char *path) {
    const hid_t list = hdf5.H5Pcreate(H5P_FILE_CREATE), access = hdf5.H5Pcreate(H5P_FILE_ACCESS);
    hid_t file = -1;
    if (list >= 0 && access >= 0 && hdf5.H5Pset_file_locking(access, 0, 1) >= 0 &&
        hdf5.H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED) >= 0)
        file = hdf5.H5Fcreate(path, H5F_ACC_TRUNC, list, access);
    if (list >= 0)
        (void)hdf5.H5Pclose(list);
    if (access >= 0)
        (void)hdf5.H5Pclose(access);
    return file;
}

static ln_sink *open_hdf5(const char *path, const ln_result_head *head, ln_report *report) {
    char *target;
    if (load(report) != LINNET_OK || ln_part_target(path, report, &target) != LINNET_OK)
        return NULL;
    ln_arena *arena = ln_arena_new();
    hdf5_sink *sink = ln_sys->allocate(sizeof *sink);
    if (arena == NULL || sink == NULL) {
        ln_arena_free(arena);
        ln_sys->release(sink);
        ln_sys->release(target);
        (void)ln_no_memory(report);
        return NULL;
    }
    *sink = (hdf5_sink){.sink = {.open = open_sets, .row = add_row, .close = close_file},
                        .report = report,
                        .arena = arena,
                        .path = ln_arena_string(arena, target),
                        .part = ln_arena_printf(arena, "%s.part", target),
                        .first = head->first.name,
                        .first_unit = head->first.unit,
                        .origin = head->origin,
                        .held = -1,
                        .file = -1};
    ln_sys->release(target);
    errno = 0;
    if (sink->path != NULL && sink->part != NULL)
        sink->held = ln_part_open(sink->part, 0);
    if (sink->held >= 0)
        sink->file = create_file(sink->part);
    if (sink->file >= 0 && put_text(sink->file, "title", head->title != NULL ? head->title : ""))
        return &sink->sink;
    if (sink->path != NULL)
        (void)failed(sink);
    else
        (void)ln_no_memory(report);
    if (sink->file >= 0)
        (void)hdf5.H5Fclose(sink->file);
    if (sink->held >= 0) {
        (void)ln_sys->remove(sink->part);
        (void)ln_sys->close(sink->held);
    }
    ln_arena_free(arena);
    ln_sys->release(sink);
    return NULL;
}

/* ---- reading ---- */

typedef struct hdf5_reader {
    const char *path;
    ln_arena *arena;
    ln_report *report;
    hid_t file;
    H5_index_t order;
} hdf5_reader;

static linnet_status wrong(const hdf5_reader *reader, const char *what) {
    return ln_fail(reader->report, LINNET_IO, LN_NOWHERE, "'%s': %s", reader->path, what);
}

/* The name of link k, in the arena; NULL when memory is short or there is none. */
static const char *name_at(const hdf5_reader *reader, hsize_t k) {
    const ssize_t length = hdf5.H5Lget_name_by_idx(reader->file, ".", reader->order, H5_ITER_INC, k,
                                                   NULL, 0, H5P_DEFAULT);
    char *name = length > 0 ? LN_NEW(reader->arena, char, (size_t)length + 1) : NULL;
    if (name != NULL && hdf5.H5Lget_name_by_idx(reader->file, ".", reader->order, H5_ITER_INC, k,
                                                name, (size_t)length + 1, H5P_DEFAULT) < 0)
        name = NULL;
    return name;
}

/* Whether a data set is a list of numbers, of so many; -1: that cannot be told. */
static int is_list(hid_t set, hsize_t *length) {
    const hid_t space = hdf5.H5Dget_space(set), type = hdf5.H5Dget_type(set);
    const H5T_class_t kind = type >= 0 ? hdf5.H5Tget_class(type) : H5T_NO_CLASS;
    const int rank = space >= 0 ? hdf5.H5Sget_simple_extent_ndims(space) : -1;
    const int known = kind != H5T_NO_CLASS && rank >= 0;
    int is = known ? rank == 1 && (kind == H5T_FLOAT || kind == H5T_INTEGER) : -1;
    if (is == 1 && hdf5.H5Sget_simple_extent_dims(space, length, NULL) != 1)
        is = -1;
    if (type >= 0)
        (void)hdf5.H5Tclose(type);
    if (space >= 0)
        (void)hdf5.H5Sclose(space);
    return is == 1 ? *length <= (hsize_t)1 << 40 : is;
}

static const char *read_unit(const hdf5_reader *reader, hid_t set) {
    if (hdf5.H5Aexists(set, "unit") <= 0)
        return "";
    const hid_t attribute = hdf5.H5Aopen(set, "unit", H5P_DEFAULT);
    const hid_t type = attribute >= 0 ? hdf5.H5Aget_type(attribute) : -1;
    const size_t size = type >= 0 ? hdf5.H5Tget_size(type) : 0;
    char *unit = NULL;
    if (size > 0 && size < 1000 && hdf5.H5Tget_class(type) == H5T_STRING &&
        !hdf5.H5Tis_variable_str(type))
        unit = LN_NEW(reader->arena, char, size + 1);
    if (unit != NULL && hdf5.H5Aread(attribute, type, unit) < 0)
        unit[0] = '\0';
    if (type >= 0)
        (void)hdf5.H5Tclose(type);
    if (attribute >= 0)
        (void)hdf5.H5Aclose(attribute);
    return unit != NULL ? unit : "";
}

/* One data set as the next column, if it is as long as the first. */
static linnet_status read_set(const hdf5_reader *reader, const char *name, hid_t set,
                              double **columns, ln_result_table *table) {
    const int k = table->ncolumns;
    hsize_t length = 0;
    const int list = is_list(set, &length);
    if (list < 0)
        return wrong(reader, "a data set cannot be read");
    if (list == 0 || (k > 0 && (size_t)length != table->nrows))
        return LINNET_OK; /* something else than a signal of this result */
    columns[k] = ln_arena_alloc(reader->arena, (size_t)length + 1, sizeof(double));
    if (columns[k] == NULL)
        return ln_no_memory(reader->report);
    if (length > 0 &&
        hdf5.H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, columns[k]) < 0)
        return wrong(reader, "a data set cannot be read");
    table->nrows = (size_t)length;
    table->names[k] = name;
    table->units[k] = read_unit(reader, set);
    ((char *)table->held)[k] = hdf5.H5Aexists(set, "held") > 0;
    table->ncolumns++;
    return LINNET_OK;
}

/* In the order of names, time stands anywhere. */
static void put_time_first(double **columns, ln_result_table *table) {
    for (int k = 1; k < table->ncolumns; k++) {
        if (strcmp(table->names[k], "time") != 0)
            continue;
        double *values = columns[k];
        const char *unit = table->units[k];
        char *held = (char *)table->held;
        for (int j = k; j > 0; j--) {
            columns[j] = columns[j - 1];
            table->names[j] = table->names[j - 1];
            table->units[j] = table->units[j - 1];
            held[j] = held[j - 1];
        }
        columns[0] = values;
        table->names[0] = "time";
        table->units[0] = unit;
        held[0] = 0;
    }
}

static linnet_status read_sets(const hdf5_reader *reader, hsize_t count, ln_result_table *table) {
    double **columns = LN_NEW(reader->arena, double *, count + 1);
    table->names = LN_NEW(reader->arena, const char *, count + 1);
    table->units = LN_NEW(reader->arena, const char *, count + 1);
    table->held = LN_NEW(reader->arena, char, count + 1);
    if (columns == NULL || table->names == NULL || table->units == NULL || table->held == NULL)
        return ln_no_memory(reader->report);
    for (hsize_t k = 0; k < count; k++) {
        const char *name = name_at(reader, k);
        if (name == NULL)
            return wrong(reader, "a name cannot be read");
        const hid_t object = hdf5.H5Oopen(reader->file, name, H5P_DEFAULT);
        const H5I_type_t kind = object >= 0 ? hdf5.H5Iget_type(object) : H5I_BADID;
        linnet_status status = LINNET_OK; /* groups and types are passed over */
        if (kind == H5I_BADID)
            status = wrong(reader, "a data set cannot be read");
        else if (kind == H5I_DATASET)
            status = read_set(reader, name, object, columns, table);
        if (object >= 0)
            (void)hdf5.H5Oclose(object);
        LN_TRY(status);
    }
    if (table->ncolumns == 0)
        return wrong(reader, "the file holds no list of numbers");
    put_time_first(columns, table);
    const size_t width = (size_t)table->ncolumns;
    double *data = ln_arena_alloc(reader->arena, table->nrows + 1, width * sizeof *data);
    if (data == NULL)
        return ln_no_memory(reader->report);
    for (size_t c = 0; c < width; c++)
        for (size_t i = 0; i < table->nrows; i++)
            data[i * width + c] = columns[c][i];
    table->data = data;
    return LINNET_OK;
}

/* Does the file know in which order its data sets were made? */
static int tells_order(hid_t file) {
    const hid_t root = hdf5.H5Gopen2(file, "/", H5P_DEFAULT);
    const hid_t list = root >= 0 ? hdf5.H5Gget_create_plist(root) : -1;
    unsigned order = 0;
    const int tells = list >= 0 && hdf5.H5Pget_link_creation_order(list, &order) >= 0 &&
                      (order & H5P_CRT_ORDER_TRACKED);
    if (list >= 0)
        (void)hdf5.H5Pclose(list);
    if (root >= 0)
        (void)hdf5.H5Gclose(root);
    return tells;
}

linnet_status ln_hdf5_read(const char *path, ln_arena *arena, ln_report *report,
                           ln_result_table *table) {
    hdf5_reader reader = {path, arena, report, -1, H5_INDEX_NAME};
    const int file = ln_sys->open_read(path);
    if (file < 0)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot read '%s': %s", path,
                       strerror(errno));
    (void)ln_sys->close(file);
    *table = (ln_result_table){.ncolumns = 0};
    LN_TRY(load(report));
    reader.file = hdf5.H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (reader.file < 0)
        return wrong(&reader, "it is no HDF5 file");
    H5G_info_t about;
    linnet_status status = LINNET_IO;
    if (tells_order(reader.file))
        reader.order = H5_INDEX_CRT_ORDER;
    if (hdf5.H5Gget_info(reader.file, &about) < 0 || about.nlinks > 1000000)
        status = wrong(&reader, "its list of data sets cannot be read");
    else
        status = read_sets(&reader, about.nlinks, table);
    (void)hdf5.H5Fclose(reader.file);
    return status;
}

const ln_result_format ln_format_hdf5 = {
    .name = "HDF5 file",
    .suffix = ".h5",
    .doc = "HDF5 file: a data set for each signal",
    .open = open_hdf5,
};
