/* SPDX-License-Identifier: MIT */
/* The way from a request to the file of an FMU. The binary is compiled from one stream of all
 * sources, which the compiler reads from its standard input, so that no file lies about but the
 * library, which is removed when it has been read. */
#include "codegen/fmu_writer.h"

#include "base/archive.h"
#include "base/bytes.h"
#include "base/input.h"
#include "base/sys.h"
#include "result/document.h"

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

static ln_text *add_part(making *it, const char *folder, const char *name) {
    part *added = &it->parts[it->nparts++];
    *added = (part){ln_arena_printf(it->c.plan->arena, "%s%s", folder, name), {0}};
    return &added->text;
}

static void add_source(making *it, const char *name) {
    ln_text *text = add_part(it, "sources/", name);
    ln_text_add(text, ln_c_embedded(name));
    ln_c_append(&it->all, text);
}

/* ---- the token ---- */

static uint64_t hash(const ln_text *text, uint64_t value) {
    return ln_hash(value, text->data, text->length);
}

/* Hashed twice from different beginnings: equal sources, equal token. */
static void make_token(making *it, const ln_text *header, const ln_text *source,
                       const ln_text *page) {
    uint64_t a = hash(page, hash(source, hash(header, LN_HASH_BEGIN)));
    uint64_t b = hash(header, hash(page, hash(source, 1469598103934665603u)));
    a += (uint64_t)it->w.version;
    snprintf(it->w.token, sizeof it->w.token, "{%08x-%04x-%04x-%04x-%012llx}", (unsigned)(a >> 32),
             (unsigned)(a >> 16 & 0xffff), (unsigned)(a & 0xffff), (unsigned)(b >> 48),
             (unsigned long long)(b & 0xffffffffffffu));
}

/* ---- sources ---- */

static void add_interface(making *it) {
    const int three = it->w.version == 3, exchange = it->w.exchange;
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
        add_source(it, files[k].name);
        if (files[k].compiled)
            it->compiled[count++] = files[k].name;
    }
}

static linnet_status make_sources(making *it) {
    ln_arena *arena = it->c.plan->arena;
    const char *source = ln_arena_printf(arena, "%s.c", it->c.name);
    const char *header = ln_arena_printf(arena, "%s.h", it->c.name);
    if (source == NULL || header == NULL)
        return ln_no_memory(it->report);
    LN_TRY(ln_fmu_variables(&it->w, it->report));
    it->w.source = it->compiled;
    it->compiled[0] = source;
    ln_text *const code = it->c.out = add_part(it, "sources/", source);
    ln_c_source(&it->c); /* the header says what the source has turned out to need */
    ln_text *const head = it->c.out = add_part(it, "sources/", header);
    ln_c_header(&it->c);
    ln_text *const page = add_part(it, "documentation/", "index.html");
    ln_fmu_page(&it->w, page);
    make_token(it, head, code, page);
    ln_c_append(&it->all, head);
    ln_c_append(&it->all, code);
    ln_text *const model = add_part(it, "sources/", "model.h");
    ln_fmu_model(&it->w, model);
    ln_c_append(&it->all, model);
    add_interface(it);
    ln_fmu_description(&it->w, add_part(it, "", "modelDescription.xml"));
    if (it->w.version == 3)
        ln_fmu_build(&it->w, add_part(it, "sources/", "buildDescription.xml"));
    return it->all.failed ? ln_no_memory(it->report) : LINNET_OK;
}

/* ---- the binary ---- */

/* The folder of the archive for libraries of this machine. */
static const char *platform(int version) {
#if defined __x86_64__
    return version == 2 ? "linux64" : "x86_64-linux";
#elif defined __i386__
    return version == 2 ? "linux32" : "x86-linux";
#elif defined __aarch64__
    return version == 2 ? "linux64" : "aarch64-linux";
#else
    return version == 2 ? (sizeof(void *) == 8 ? "linux64" : "linux32") : "unknown-linux";
#endif
}

static linnet_status tell_compiler(making *it, int ended, const char *said) {
    const char *compiler = it->request->compiler;
    if (ended == 127 || ended < 0) {
        ln_warn(it->report, LN_NOWHERE,
                "there is no compiler '%s' here: the FMU holds its sources alone; give --compiler",
                compiler);
        return LINNET_OK;
    }
    return ln_fail(it->report, LINNET_IO, LN_NOWHERE, "the compiler '%s' fails (status %d): %.400s",
                   compiler, ended, said);
}

/* The sources through the compiler into a library beside the output, and that into the archive. */
static linnet_status compile(making *it) {
    char said[2048] = "";
    const char *library = ln_arena_printf(it->c.plan->arena, "%s.so.part", it->output);
    const char *name = ln_arena_printf(it->c.plan->arena, "binaries/%s/%s.so",
                                       platform(it->w.version), it->c.name);
    if (library == NULL || name == NULL)
        return ln_no_memory(it->report);
    const char *const arguments[] = {it->request->compiler,
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
                                .input = it->all.data,
                                .length = it->all.length,
                                .output = 2,
                                .said = said,
                                .room = sizeof said};
    const int ended = ln_sys->run(&child);
    if (ended != 0) {
        (void)ln_sys->remove(library);
        return tell_compiler(it, ended, said);
    }
    it->binary = 1;
    const linnet_status status =
        ln_input_read(library, LN_FROM_USER, (size_t)1 << 28, it->report, add_part(it, name, ""));
    (void)ln_sys->remove(library);
    return status;
}

/* ---- the whole ---- */

static linnet_status write_archive(making *it) {
    ln_archive_file files[MOST_TEXTS];
    ln_text bytes = {0};
    for (int k = 0; k < it->nparts; k++) {
        if (it->parts[k].name == NULL || it->parts[k].text.failed)
            return ln_no_memory(it->report);
        files[k] =
            (ln_archive_file){it->parts[k].name, it->parts[k].text.data, it->parts[k].text.length};
    }
    linnet_status status = ln_archive_make(files, it->nparts, &bytes, it->report);
    if (status == LINNET_OK)
        status = ln_document_write(it->output, &bytes, it->report);
    ln_text_free(&bytes);
    return status;
}

static linnet_status make(making *it, ln_plan *plan, const ln_codegen_request *code) {
    LN_TRY(ln_c_prepare(code, plan, &it->c, it->report));
    it->w = (ln_fmu_writer){
        .c = &it->c, .version = it->request->version, .exchange = ln_c_exchanges(&it->c)};
    it->output = it->request->output != NULL ? it->request->output
                                             : ln_arena_printf(plan->arena, "%s.fmu", it->c.name);
    if (it->output == NULL)
        return ln_no_memory(it->report);
    LN_TRY(make_sources(it));
    if (strcmp(it->request->compiler, "none") != 0)
        LN_TRY(compile(it));
    return write_archive(it);
}

linnet_status ln_fmu_export(const ln_fmu_request *request, ln_fmu_summary *summary,
                            ln_report *report) {
    making it = {.request = request, .report = report};
    ln_codegen_request code = request->code;
    ln_plan plan;
    *summary = (ln_fmu_summary){.file = ""};
    code.folder = NULL;
    code.is_float = code.with_main = 0;
    code.exchange = 1;
    const linnet_status status = make(&it, &plan, &code);
    if (status == LINNET_OK) {
        ln_c_summarise(&it.c, &summary->code);
        summary->exchange = it.w.exchange;
        summary->binary = it.binary;
        snprintf(summary->file, sizeof summary->file, "%s", it.output);
    }
    for (int k = 0; k < it.nparts; k++)
        ln_text_free(&it.parts[k].text);
    ln_text_free(&it.all);
    ln_plan_free(&plan);
    return status;
}
