/* SPDX-License-Identifier: MIT */
/* The way from a request to the file of an FMU. The binary is compiled from one stream of all
 * sources, which the compiler reads from its standard input, so that no file lies about but the
 * library, which is removed when it has been read. */
#include "codegen/fmu_writer.h"
#include "foreign/fmi_description.h"

#include "base/archive.h"
#include "base/bytes.h"
#include "base/input.h"
#include "base/part.h"
#include "base/sys.h"
#include "result/document.h"
#include "base/text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_TEXTS = 24 };

/* A file of the archive that is being made. */
typedef struct part {
    const char *name;
    ln_text text;
} part;

typedef struct making {
    const ln_fmu_request *request;
    ln_report *report;
    ln_c_writer c;
    ln_fmu_writer w;
    part parts[MOST_TEXTS];
    int nparts;
    ln_text all; /* every source in the order in which a compiler can read them */
    const char *compiled[8];
    int binary;
    const char *output;
} making;

/* ---- texts ---- */

static ln_text *add_part(making *unit, const char *folder, const char *name) {
    part *added = &unit->parts[unit->nparts++];
    *added = (part){ln_arena_printf(unit->c.plan->arena, "%s%s", folder, name), {0}};
    return &added->text;
}

static void add_source(making *unit, const char *name) {
    ln_text *text = add_part(unit, "sources/", name);
    ln_text_add(text, ln_c_embedded(name));
    ln_c_append(&unit->all, text);
}

/* ---- the token ---- */

static uint64_t hash(const ln_text *text, uint64_t value) {
    return ln_hash(value, text->data, text->length);
}

/* Hashed twice from different beginnings: equal sources, equal token. */
static void make_token(making *unit, const ln_text *header, const ln_text *source,
                       const ln_text *page) {
    uint64_t a = hash(page, hash(source, hash(header, LN_HASH_BEGIN)));
    uint64_t b = hash(header, hash(page, hash(source, 1469598103934665603u)));
    a += (uint64_t)unit->w.version;
    snprintf(unit->w.token, sizeof unit->w.token, "{%08x-%04x-%04x-%04x-%012llx}",
             (unsigned)(a >> 32), (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xffff),
             (unsigned)(b >> 48), (unsigned long long)(b & 0xffffffffffffu));
}

/* ---- sources ---- */

static void add_interface(making *unit) {
    const int three = unit->w.version == 3, exchange = unit->w.exchange;
    const struct {
        const char *name;
        int wanted, compiled;
    } files[] = {{three ? "fmi3.h" : "fmi2.h", 1, 0},
                 {"fmu.h", 1, 0},
                 {"fmu_inside.h", 1, 0},
                 {three ? "fmi3_export.h" : "fmi2_export.h", 1, 0},
                 {"fmu.c", 1, 1},
                 {"fmu_exchange.c", exchange, 1},
                 {three ? "fmi3.c" : "fmi2.c", 1, 1},
                 {"fmi3_unused.c", three, 1},
                 {three ? "fmi3_exchange.c" : "fmi2_exchange.c", exchange, 1}};
    int count = 1;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        if (!files[k].wanted)
            continue;
        add_source(unit, files[k].name);
        if (files[k].compiled)
            unit->compiled[count++] = files[k].name;
    }
}

static linnet_status make_sources(making *unit) {
    ln_arena *arena = unit->c.plan->arena;
    const char *source = ln_arena_printf(arena, "%s.c", unit->c.name);
    const char *header = ln_arena_printf(arena, "%s.h", unit->c.name);
    if (source == NULL || header == NULL)
        return ln_no_memory(unit->report);
    LN_TRY(ln_fmu_variables(&unit->w, unit->report));
    unit->w.source = unit->compiled;
    unit->compiled[0] = source;
    ln_text *const code = unit->c.out = add_part(unit, "sources/", source);
    ln_c_source(&unit->c); /* the header says what the source has turned out to need */
    ln_text *const head = unit->c.out = add_part(unit, "sources/", header);
    ln_c_header(&unit->c);
    ln_text *const page = add_part(unit, "documentation/", "index.html");
    ln_fmu_page(&unit->w, page);
    make_token(unit, head, code, page);
    ln_c_append(&unit->all, head);
    ln_c_append(&unit->all, code);
    ln_text *const model = add_part(unit, "sources/", "model.h");
    ln_fmu_model(&unit->w, model);
    ln_c_append(&unit->all, model);
    add_interface(unit);
    ln_fmu_description(&unit->w, add_part(unit, "", "modelDescription.xml"));
    if (unit->w.version == 3)
        ln_fmu_build(&unit->w, add_part(unit, "sources/", "buildDescription.xml"));
    return unit->all.failed ? ln_no_memory(unit->report) : LINNET_OK;
}

/* ---- the binary ---- */

static linnet_status tell_compiler(making *unit, int ended, const char *said) {
    const char *compiler = unit->request->compiler;
    if (ended < 0 && errno == EINTR)
        return LINNET_INTERRUPTED;
    if (ended == 127 || ended < 0) {
        ln_warn(unit->report, LN_NOWHERE,
                "there is no compiler '%s' here: the FMU holds its sources alone; give --compiler",
                compiler);
        return LINNET_OK;
    }
    return ln_fail(unit->report, LINNET_IO, LN_NOWHERE,
                   "the compiler '%s' fails (status %d): %.400s", compiler, ended, said);
}

/* Can the library be written? Of a folder that is not there a compiler tells in its linker's words.
 */
static linnet_status try_to_write(const making *unit, const char *library) {
    const int file = ln_sys->open_write(library);
    if (file < 0)
        return ln_fail(unit->report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", unit->output,
                       ln_part_why(errno));
    (void)ln_sys->close(file);
    return LINNET_OK;
}

/* The sources through the compiler into a library beside the output, and that into the archive. */
static linnet_status compile(making *unit) {
    char said[2048] = "";
    const char *library = ln_arena_printf(unit->c.plan->arena, "%s.so.part", unit->output);
    const char *name = ln_arena_printf(unit->c.plan->arena, "binaries/%s/%s.so",
                                       ln_fmi_platform(unit->w.version), unit->c.name);
    if (library == NULL || name == NULL)
        return ln_no_memory(unit->report);
    LN_TRY(try_to_write(unit, library));
    const char *const arguments[] = {unit->request->compiler,
                                     "-std=c99",
                                     "-O2",
                                     "-fPIC",
                                     "-shared",
                                     "-fvisibility=hidden",
                                     "-ffp-contract=off",
                                     "-x",
                                     "c",
                                     "-o",
                                     library,
                                     "-",
                                     "-lm",
                                     NULL};
    const ln_sys_child child = {.arguments = arguments,
                                .input = unit->all.data,
                                .length = unit->all.length,
                                .output = 2,
                                .said = said,
                                .room = sizeof said};
    const int ended = ln_sys->run(&child);
    if (ended != 0) {
        const linnet_status status = tell_compiler(unit, ended, said);
        (void)ln_sys->remove(library);
        return status;
    }
    unit->binary = 1;
    const linnet_status status = ln_input_read(library, LN_FROM_USER, (size_t)1 << 28, unit->report,
                                               add_part(unit, name, ""));
    (void)ln_sys->remove(library);
    return status;
}

/* ---- the whole ---- */

static linnet_status write_archive(making *unit) {
    ln_archive_file files[MOST_TEXTS];
    ln_text bytes = {0};
    for (int k = 0; k < unit->nparts; k++) {
        if (unit->parts[k].name == NULL || unit->parts[k].text.failed)
            return ln_no_memory(unit->report);
        files[k] = (ln_archive_file){unit->parts[k].name, unit->parts[k].text.data,
                                     unit->parts[k].text.length};
    }
    linnet_status status = ln_archive_make(files, unit->nparts, &bytes, unit->report);
    if (status == LINNET_OK)
        status = ln_document_write(unit->output, &bytes, unit->report);
    ln_text_free(&bytes);
    return status;
}

static linnet_status make(making *unit, ln_plan *plan, const ln_codegen_request *code) {
    LN_TRY(ln_c_prepare(code, plan, &unit->c, unit->report));
    unit->w = (ln_fmu_writer){
        .c = &unit->c, .version = unit->request->version, .exchange = ln_c_exchanges(&unit->c)};
    unit->output = unit->request->output != NULL
                       ? unit->request->output
                       : ln_arena_printf(plan->arena, "%s.fmu", unit->c.name);
    if (unit->output == NULL)
        return ln_no_memory(unit->report);
    LN_TRY(make_sources(unit));
    if (strcmp(unit->request->compiler, "none") != 0)
        LN_TRY(compile(unit));
    return write_archive(unit);
}

linnet_status ln_fmu_export(const ln_fmu_request *request, ln_fmu_summary *summary,
                            ln_report *report) {
    making unit = {.request = request, .report = report};
    ln_codegen_request code = request->code;
    ln_plan plan;
    *summary = (ln_fmu_summary){.file = ""};
    code.folder = NULL;
    code.is_float = code.with_main = 0;
    code.exchange = 1;
    const linnet_status status = make(&unit, &plan, &code);
    if (status == LINNET_OK) {
        ln_c_summarise(&unit.c, &summary->code);
        summary->exchange = unit.w.exchange;
        summary->binary = unit.binary;
        snprintf(summary->file, sizeof summary->file, "%s", unit.output);
    }
    for (int k = 0; k < unit.nparts; k++)
        ln_text_free(&unit.parts[k].text);
    ln_text_free(&unit.all);
    ln_plan_free(&plan);
    return status;
}
