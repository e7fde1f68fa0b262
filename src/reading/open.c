/* SPDX-License-Identifier: MIT */
/* Which language a file is written in, and the reader of each. */
#include "reading/open.h"

#include "base/input.h"
#include "base/sys.h"
#include "foreign/fmi_model.h"
#include "foreign/foreign.h"
#include "spice/spice.h"

#include <string.h>
#include <strings.h>

/* The first byte that is no blank, 0 when there is none. */
static int first_of(const char *bytes, size_t length) {
    for (size_t k = 0; k < length; k++)
        if (strchr(" \t\r\n", bytes[k]) == NULL || bytes[k] == '\0')
            return (unsigned char)bytes[k];
    return 0;
}

static int first_of_file(const char *path) {
    char bytes[256];
    const int fd = ln_input_open(path, LN_FROM_MODEL);
    const ssize_t got = fd >= 0 ? ln_sys->read(fd, bytes, sizeof bytes) : 0;
    ln_input_close(fd);
    return got > 0 ? first_of(bytes, (size_t)got) : 0;
}

static const char *suffix_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return strrchr(slash != NULL ? slash : path, '.');
}

static int has_suffix(const char *path, const char *const *suffixes) {
    const char *dot = suffix_of(path);
    for (; dot != NULL && *suffixes != NULL; suffixes++)
        if (strcasecmp(dot, *suffixes) == 0)
            return 1;
    return 0;
}

int ln_deck_suffix(const char *path) {
    static const char *const suffixes[] = {".cir", ".sp",  ".spi", ".spice",
                                           ".ckt", ".net", ".asc", NULL};
    return has_suffix(path, suffixes);
}

int ln_diagram_suffix(const char *path) {
    static const char *const suffixes[] = {".yaml", ".yml", ".json", NULL};
    return has_suffix(path, suffixes);
}

int ln_fmu_suffix(const char *path) {
    static const char *const suffixes[] = {".fmu", NULL};
    return has_suffix(path, suffixes);
}

/* By its name; where that says nothing, by its beginning: a model in XML has a '<' or a byte order
 * mark there. */
static int is_deck(const char *path, const ln_model_options *options) {
    const char *dot = suffix_of(path);
    if (ln_deck_suffix(path))
        return 1;
    if (dot != NULL && strcasecmp(dot, ".xml") == 0)
        return 0;
    const int first =
        options->bytes != NULL ? first_of(options->bytes, options->length) : first_of_file(path);
    return first != 0 && first != '<' && first != 0xef;
}

/* ---- the model, from a file or a stream ---- */

static linnet_status read_either(const char *path, const ln_model_options *options,
                                 ln_report *report, ln_model **model) {
    if (ln_diagram_suffix(path))
        return ln_model_read_with(path, options, ln_diagram_tree, report, model);
    if (ln_fmu_suffix(path))
        return ln_model_read_with(path, options, ln_fmi_tree, report, model);
    if (!is_deck(path, options))
        return ln_model_read(path, options, report, model);
    LN_TRY(ln_model_read_with(path, options, ln_deck_tree, report, model));
    (*model)->again = ln_model_open;
    return LINNET_OK;
}

/* The bytes of a stream stay with the model: a deck is read again with other parameters. */
static linnet_status keep_bytes(ln_model *model, const ln_text *bytes, ln_report *report) {
    model->options.length = bytes->length;
    model->options.bytes = ln_arena_text(model->arena, bytes->data, bytes->length);
    return model->options.bytes != NULL ? LINNET_OK : ln_no_memory(report);
}

static linnet_status read_stream(const char *path, ln_model_options *options, ln_report *report,
                                 ln_model **model) {
    ln_text bytes = {0};
    linnet_status status = ln_input_read(path, LN_FROM_USER, LN_STREAM_BYTES, report, &bytes);
    options->bytes = bytes.data;
    options->length = bytes.length;
    if (status == LINNET_OK)
        status = read_either("-", options, report, model);
    if (status == LINNET_OK) {
        (*model)->options = *options;
        status = keep_bytes(*model, &bytes, report);
        if (status != LINNET_OK) {
            ln_model_free(*model);
            *model = NULL;
        }
    }
    ln_text_free(&bytes);
    return status;
}

/* Files that people give for a model and that are none, by their ending, and what to do with each.
 */
static const struct foreign_file {
    const char *suffix, *advice;
} foreign_files[] = {
    {".csv", "a result or a table, not a model; 'linnet plot' draws it"},
    {".raw", "a result, not a model; 'linnet plot' draws it"},
    {".mat", "a result, not a model; 'linnet plot' draws it"},
    {".kicad_sch", "a schematic of KiCad; let KiCad export a SPICE netlist and give that"},
    {".sch", "a schematic; let its editor export a SPICE netlist and give that"},
    {".slx", "a model of Simulink, which cannot be read; doc/coming-from.md says what its blocks "
             "are called here"},
    {".mdl", "a model of Simulink, which cannot be read; doc/coming-from.md says what its blocks "
             "are called here"},
    {".mo", "a model in Modelica, which cannot be read; doc/manual.md says how equations are "
            "written here"},
};

static const char *advice_for(const char *path) {
    const char *dot = strrchr(path, '.');
    for (size_t k = 0; dot != NULL && k < sizeof foreign_files / sizeof *foreign_files; k++)
        if (strcasecmp(dot, foreign_files[k].suffix) == 0 && first_of_file(path) != '<')
            return foreign_files[k].advice;
    return NULL;
}

linnet_status ln_model_open(const char *path, const ln_model_options *options, ln_report *report,
                            ln_model **model) {
    ln_model_options own = options != NULL ? *options : (ln_model_options){0};
    if (own.bytes == NULL && ln_input_is_stream(path))
        return read_stream(path, &own, report, model);
    const char *advice = advice_for(path);
    if (advice != NULL && first_of_file(path) != 0)
        return ln_fail(report, LINNET_MODEL, (ln_place){path, 0, 0}, "this is %s", advice);
    own.allow_native |= ln_fmu_suffix(path); /* who names it, allows it */
    LN_TRY(read_either(path, &own, report, model));
    (*model)->options = own;
    return LINNET_OK;
}
