/* SPDX-License-Identifier: MIT */
/* JSON and CSV pieces, and a file that is replaced in one go. */
#include "result/document.h"

#include "base/output.h"
#include "base/arena.h"
#include "base/csv.h"
#include "base/part.h"
#include "base/sys.h"
#include "base/text.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void ln_json_head(ln_json *json, const char *model, const char *origin) {
    ln_json_begin(json, NULL, LN_JSON_OBJECT_LINES);
    ln_json_text(json, "model", model);
    ln_json_text(json, "origin", origin != NULL ? origin : "");
}

void ln_csv_number(ln_text *text, double value) {
    char buffer[32];
    ln_text_add_bytes(text, buffer, (size_t)ln_number_format(buffer, value));
}

void ln_csv_text(ln_text *text, const char *value) {
    const char *apostrophe = ln_csv_is_formula(value) ? "'" : "";
    if (strpbrk(value, ",\"\r\n") == NULL) {
        ln_text_printf(text, "%s%s", apostrophe, value);
        return;
    }
    ln_text_printf(text, "\"%s", apostrophe);
    for (; *value != '\0'; value++)
        ln_text_add_bytes(text, *value == '"' ? "\"\"" : value, *value == '"' ? 2 : 1);
    ln_text_add(text, "\"");
}

static linnet_status fail(const char *what, const char *path, ln_report *report) {
    return errno == EPIPE ? LINNET_IO
                          : ln_fail(report, LINNET_IO, LN_NOWHERE, "cannot %s '%s': %s", what, path,
                                    ln_part_why(errno));
}

/* A plain file is written beside and renamed; devices and pipes are written as they are. */
static linnet_status write_file(const char *path, const ln_text *text, ln_arena *arena,
                                ln_report *report) {
    struct stat there;
    int in_place = stat(path, &there) == 0 && !S_ISREG(there.st_mode);
    const char *part = in_place ? path : ln_arena_printf(arena, "%s.part", path);
    if (part == NULL)
        return ln_no_memory(report);
    int fd = in_place ? ln_sys->open_write(part) : ln_part_open(part, 0);
    if (fd < 0)
        return fail("write", path, report);
    int written = ln_sys_write_all(fd, text->data, text->length), reason = errno;
    const int closed =
        in_place ? ln_sys->close(fd) : ln_part_close(fd, part, written ? path : NULL);
    if (written && closed != 0) {
        written = 0;
        reason = errno;
    }
    if (written)
        return LINNET_OK;
    if (!in_place)
        (void)ln_sys->remove(part);
    errno = reason;
    return fail("write", path, report);
}

linnet_status ln_document_write(const char *path, const ln_text *text, ln_report *report) {
    if (text->failed)
        return ln_no_memory(report);
    if (strcmp(path, "-") == 0)
        return ln_sys_write_all(ln_output(), text->data, text->length)
                   ? LINNET_OK
                   : fail("write", "the standard output", report);
    char *target;
    LN_TRY(ln_part_target(path, report, &target));
    ln_arena *arena = ln_arena_new();
    linnet_status status =
        arena != NULL ? write_file(target, text, arena, report) : ln_no_memory(report);
    ln_arena_free(arena);
    ln_sys->release(target);
    return status;
}
