/* SPDX-License-Identifier: MIT */
/* ZIP archives by libzip: see archive.h. */
#include "base/archive.h"

#include "base/sys.h"

#include <string.h>
#include <time.h>

#ifdef LINNET_SONAME_ZIP

#include "base/library.h"
#include "base/text.h"

#include <sys/stat.h>
#include <zip.h>

/* What is used of libzip. */
/* clang-format off */
#define ZIP_CALLS(X) \
    X(zip_error_init) X(zip_error_strerror) X(zip_error_fini) X(zip_source_buffer_create) \
    X(zip_open_from_source) X(zip_strerror) X(zip_source_keep) X(zip_source_free) \
    X(zip_source_buffer) X(zip_file_add) X(zip_file_set_mtime) X(zip_close) X(zip_discard) \
    X(zip_source_open) X(zip_source_read) X(zip_source_close) X(zip_get_num_entries) \
    X(zip_stat_index) X(zip_file_get_external_attributes) X(zip_name_locate) X(zip_fopen_index) \
    X(zip_fread) X(zip_fclose)
/* clang-format on */
static struct { ZIP_CALLS(LN_LIBRARY_MEMBER) } zip;
static const char *const zip_names[] = {ZIP_CALLS(LN_LIBRARY_NAME) NULL};
static ln_library library = {.file = LINNET_SONAME_ZIP,
                             .package = "libzip4",
                             .what = "FMUs",
                             .names = zip_names,
                             .members = &zip};

/* More folders within one another than any archive needs: making them is quadratic. */
enum { MOST_FILES = 10000, MOST_BYTES = 1 << 30, MOST_DEPTH = 64 };

/* The date of all files, so that equal models give equal archives: noon of 2000-01-01, in local
 * time, since that is what an archive holds (DOS). */
static time_t date(void) {
    struct tm day = {.tm_year = 100, .tm_mday = 1, .tm_hour = 12, .tm_isdst = -1};
    return mktime(&day);
}

struct ln_archive {
    ln_report *report;
    const char *path;
    zip_t *file;
};

/* ---- making ---- */

static linnet_status add_files(zip_t *file, const ln_archive_file *files, int count,
                               ln_report *report) {
    const time_t mtime = date();
    for (int k = 0; k < count; k++) {
        zip_source_t *data = zip.zip_source_buffer(file, files[k].data, files[k].length, 0);
        const zip_int64_t index =
            data == NULL
                ? -1
                : zip.zip_file_add(file, files[k].name, data, ZIP_FL_ENC_UTF_8 | ZIP_FL_OVERWRITE);
        if (index < 0 || zip.zip_file_set_mtime(file, (zip_uint64_t)index, mtime, 0) != 0) {
            if (index < 0 && data != NULL)
                zip.zip_source_free(data);
            return ln_fail(report, LINNET_IO, LN_NOWHERE, "'%s' cannot be put into the archive: %s",
                           files[k].name, zip.zip_strerror(file));
        }
    }
    return LINNET_OK;
}

static linnet_status take_bytes(zip_source_t *whole, ln_text *bytes, ln_report *report) {
    char block[16384];
    zip_int64_t got;
    if (zip.zip_source_open(whole) != 0)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "the archive cannot be read back");
    while ((got = zip.zip_source_read(whole, block, sizeof block)) > 0)
        ln_text_add_bytes(bytes, block, (size_t)got);
    (void)zip.zip_source_close(whole);
    if (got < 0)
        return ln_fail(report, LINNET_IO, LN_NOWHERE, "the archive cannot be read back");
    return bytes->failed ? ln_no_memory(report) : LINNET_OK;
}

linnet_status ln_archive_make(const ln_archive_file *files, int count, ln_text *bytes,
                              ln_report *report) {
    LN_TRY(ln_library_load(&library, report));
    zip_source_t *whole = zip.zip_source_buffer_create(NULL, 0, 0, NULL);
    if (whole == NULL)
        return ln_no_memory(report);
    zip.zip_source_keep(whole);
    zip_t *file = zip.zip_open_from_source(whole, ZIP_TRUNCATE, NULL);
    if (file == NULL) {
        zip.zip_source_free(whole);
        zip.zip_source_free(whole);
        return ln_no_memory(report);
    }
    linnet_status status = add_files(file, files, count, report);
    if (status == LINNET_OK && zip.zip_close(file) != 0)
        status = ln_fail(report, LINNET_IO, LN_NOWHERE, "the archive cannot be made: %s",
                         zip.zip_strerror(file));
    if (status != LINNET_OK)
        zip.zip_discard(file);
    else
        status = take_bytes(whole, bytes, report);
    zip.zip_source_free(whole);
    return status;
}

/* ---- reading: the list at the end of an archive alone says what it holds. The headers before its
 * files may say less: who writes an archive as a stream knows no sizes there, so that libzip's
 * ZIP_CHECKCONS refuses what CMake and libarchive write. Sums are checked as files are read. ----
 */

/* A name that stays below the folder where it is put. */
static int is_safe(const char *name) {
    if (name[0] == '\0' || name[0] == '/' || strchr(name, '\\') != NULL ||
        strchr(name, ':') != NULL)
        return 0;
    for (const char *part = name; part != NULL;) {
        if (strncmp(part, "..", 2) == 0 && (part[2] == '/' || part[2] == '\0'))
            return 0;
        part = strchr(part, '/');
        part = part != NULL ? part + 1 : NULL;
    }
    return 1;
}

static linnet_status refuse(const ln_archive *archive, const char *name, const char *why) {
    return ln_fail(archive->report, LINNET_IO, LN_NOWHERE, "'%s' is not trusted: %s%s%s",
                   archive->path, name, name[0] != '\0' ? " " : "", why);
}

static int depth_of(const char *name) {
    int depth = 0;
    for (; *name != '\0'; name++)
        depth += *name == '/';
    return depth;
}

static int is_link(const ln_archive *archive, int index) {
    zip_uint8_t system;
    zip_uint32_t attributes;
    return zip.zip_file_get_external_attributes(archive->file, (zip_uint64_t)index, 0, &system,
                                                &attributes) == 0 &&
           system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16);
}

static linnet_status look_over(const ln_archive *archive) {
    const zip_int64_t count = zip.zip_get_num_entries(archive->file, 0);
    zip_uint64_t total = 0;
    if (count > MOST_FILES)
        return refuse(archive, "", "it holds more than 10 000 files");
    for (int k = 0; k < (int)count; k++) {
        zip_stat_t about;
        const zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_ENCRYPTION_METHOD;
        if (zip.zip_stat_index(archive->file, (zip_uint64_t)k, 0, &about) != 0 ||
            (about.valid & needed) != needed)
            return refuse(archive, "", "its list of files is damaged");
        if (!is_safe(about.name))
            return refuse(archive, about.name, "leads out of the folder it is unpacked in");
        if (depth_of(about.name) > MOST_DEPTH)
            return refuse(archive, "", "its folders are nested deeper than 64");
        if (zip.zip_name_locate(archive->file, about.name, 0) != k)
            return refuse(archive, about.name, "is in it twice");
        if (about.encryption_method != ZIP_EM_NONE)
            return refuse(archive, about.name, "is encrypted");
        if (is_link(archive, k))
            return refuse(archive, about.name, "is a symbolic link");
        if (about.size > MOST_BYTES || (total += about.size) > MOST_BYTES)
            return refuse(archive, "", "its files are larger than a gigabyte");
    }
    return LINNET_OK;
}

linnet_status ln_archive_open(const char *path, const ln_text *bytes, ln_report *report,
                              ln_archive **archive) {
    zip_error_t error;
    ln_archive *opened = ln_sys->allocate(sizeof *opened);
    *archive = opened;
    if (opened == NULL)
        return ln_no_memory(report);
    *opened = (ln_archive){.report = report, .path = path};
    LN_TRY(ln_library_load(&library, report));
    zip.zip_error_init(&error);
    zip_source_t *source = zip.zip_source_buffer_create(bytes->data, bytes->length, 0, &error);
    if (source != NULL)
        opened->file = zip.zip_open_from_source(source, ZIP_RDONLY, &error);
    if (opened->file == NULL) {
        const linnet_status status =
            ln_fail(report, LINNET_IO, LN_NOWHERE, "'%s' is no ZIP archive, or damaged: %s", path,
                    zip.zip_error_strerror(&error));
        if (source != NULL)
            zip.zip_source_free(source);
        zip.zip_error_fini(&error);
        return status;
    }
    zip.zip_error_fini(&error);
    return look_over(opened);
}

void ln_archive_close(ln_archive *archive) {
    if (archive != NULL && archive->file != NULL)
        zip.zip_discard(archive->file);
    ln_sys->release(archive);
}

int ln_archive_count(const ln_archive *archive) {
    return (int)zip.zip_get_num_entries(archive->file, 0);
}

const char *ln_archive_name(const ln_archive *archive, int index) {
    zip_stat_t about;
    return zip.zip_stat_index(archive->file, (zip_uint64_t)index, 0, &about) == 0 ? about.name : "";
}

/* No more than the list of files says: what was let in by its size there must be of that size
 * (libzip compares a sum, not the length). */
linnet_status ln_archive_read(ln_archive *archive, const char *name, size_t most, ln_text *bytes,
                              int *found) {
    const zip_int64_t index = zip.zip_name_locate(archive->file, name, 0);
    char block[16384];
    zip_stat_t about;
    zip_int64_t got = 0;
    *found = index >= 0;
    if (index < 0)
        return LINNET_OK;
    if (zip.zip_stat_index(archive->file, (zip_uint64_t)index, 0, &about) != 0 || about.size > most)
        return refuse(archive, name, "is too large");
    zip_file_t *file = zip.zip_fopen_index(archive->file, (zip_uint64_t)index, 0);
    const size_t begin = bytes->length;
    while (file != NULL && bytes->length - begin <= about.size && !bytes->failed &&
           (got = zip.zip_fread(file, block, sizeof block)) > 0)
        ln_text_add_bytes(bytes, block, (size_t)got);
    const int closed = file == NULL ? -1 : zip.zip_fclose(file);
    if (bytes->failed)
        return ln_no_memory(archive->report);
    return got < 0 || closed != 0 || bytes->length - begin != about.size
               ? refuse(archive, name, "is damaged")
               : LINNET_OK;
}

#else /* without libzip */

static linnet_status refuse(ln_report *report) {
    return ln_fail(report, LINNET_IO, LN_NOWHERE,
                   "this Linnet was built without libzip (Debian: libzip-dev) and knows no FMUs");
}

linnet_status ln_archive_make(const ln_archive_file *files, int count, ln_text *bytes,
                              ln_report *report) {
    (void)files, (void)count, (void)bytes;
    return refuse(report);
}

linnet_status ln_archive_open(const char *path, const ln_text *bytes, ln_report *report,
                              ln_archive **archive) {
    (void)path, (void)bytes;
    *archive = NULL;
    return refuse(report);
}

void ln_archive_close(ln_archive *archive) {
    (void)archive;
}

linnet_status ln_archive_read(ln_archive *archive, const char *name, size_t most, ln_text *bytes,
                              int *found) {
    (void)archive, (void)name, (void)most, (void)bytes, (void)found;
    return LINNET_IO;
}

int ln_archive_count(const ln_archive *archive) {
    (void)archive;
    return 0;
}

const char *ln_archive_name(const ln_archive *archive, int index) {
    (void)archive, (void)index;
    return "";
}

#endif
