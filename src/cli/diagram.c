/* SPDX-License-Identifier: MIT */
/* linnet diagram: the model drawn. */
#include "cli/job.h"

#include "base/part.h"
#include "base/sys.h"
#include "base/visible.h"
#include "diagram/drawing.h"
#include "result/document.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static linnet_status diagram_command(const ln_command *command, int argc, char **argv);

enum { OUTPUT, FORMAT, EXPAND, LOOPS, QUIET };
static const ln_option options[] = {
    [OUTPUT] = {"output", 'o', "FILE",
                "where to (MODEL.svg); .svg, .tex with TikZ, .pdf or .png; '-': "
                "standard output"},
    [FORMAT] = {"format", 'f', "NAME", "svg, tex, pdf or png, whatever the file is called"},
    [EXPAND] = {"expand", 'x', NULL, "draw components inside, not as boxes"},
    [LOOPS] = {"loops", 'l', NULL, "colour the feedback loops"},
    [QUIET] = {"quiet", 'q', NULL, "say nothing when all goes well"},
    LN_OPTIONS_WHAT,
    {NULL, 0, NULL, NULL}};

/* The names that the attribute `symbol` takes, in lines. */
static void list_symbols(void) {
    const char *name;
    int column = 100;
    puts("\nSymbols, for the attribute symbol of <block-type> and <component>:");
    for (int k = 0; (name = ln_symbol_name(k)) != NULL; k++) {
        const int length = (int)strlen(name) + 1;
        column = column + length > 100 ? printf("%s ", k > 0 ? "\n " : " ") : column;
        column += printf("%s ", name);
    }
    putchar('\n');
}

const ln_command ln_command_diagram = {
    .name = "diagram",
    .doc = "draw a model",
    .usage = "MODEL [OPTION]...",
    .about =
        "Draws the blocks of MODEL with their symbols, and its links as wires. Blocks stand where "
        "their attribute\n"
        "at=\"x,y\" says, in pixels; the others are placed by Graphviz (dot). PDF and PNG are made "
        "from the SVG by\n"
        "rsvg-convert.",
    .options = options,
    .more = list_symbols,
    .examples = "  linnet diagram rectifier.xml\n"
                "  linnet diagram --loops cascade.xml -o cascade.svg\n"
                "  linnet diagram --expand amplifier.cir -o amplifier.tex\n",
    .exits = "01235",
    .run = diagram_command};

typedef enum format { SVG, TEX, PDF, PNG, NONE } format;

static format format_named(const char *name) {
    static const char *const names[] = {"svg", "tex", "pdf", "png"};
    int k = 0;
    while (k < NONE && strcmp(names[k], name) != 0)
        k++;
    return (format)k;
}

/* ---- pictures of pixels and pages ---- */

static linnet_status convert(const ln_job *job, const ln_text *svg, format kind, int output,
                             const char *path) {
    const char *const arguments[] = {
        "rsvg-convert", "-f", kind == PDF ? "pdf" : "png", "-z", kind == PDF ? "1" : "2", "-b",
        "white",        NULL};
    char said[400] = "";
    const ln_sys_child child = {arguments, svg->data, svg->length, output, said, sizeof said};
    const int ended = ln_sys->run(&child);
    if (ended == 0)
        return LINNET_OK;
    if (ended == LN_UNWRITTEN && errno == EPIPE)
        return LINNET_IO;
    if (ended == LN_UNWRITTEN)
        return ln_fail(job->report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", path,
                       ln_part_why(errno));
    if (ended < 0 && errno == EINTR)
        return LINNET_INTERRUPTED;
    if (ended < 0 && errno == ENOENT)
        return ln_fail(job->report, LINNET_IO, LN_NOWHERE,
                       "rsvg-convert, which makes PDF and PNG of a drawing, is missing; install "
                       "librsvg2-bin, or ask for .svg or .tex");
    for (char *c = said; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20)
            *c = ' ';
    return ln_fail(job->report, LINNET_IO, LN_NOWHERE, "rsvg-convert failed with status %d: %.300s",
                   ended, said);
}

/* Beside its place, then put there. */
static linnet_status convert_beside(const ln_job *job, const ln_text *svg, format kind,
                                    const char *path) {
    const char *part = ln_arena_printf(job->arena, "%s.part", path);
    if (part == NULL)
        return ln_no_memory(job->report);
    const int file = ln_part_open(part, 0);
    if (file < 0)
        return ln_fail(job->report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", path,
                       ln_part_why(errno));
    linnet_status status = convert(job, svg, kind, file, path);
    if (ln_part_close(file, part, status == LINNET_OK ? path : NULL) != 0 && status == LINNET_OK)
        status = ln_fail(job->report, LINNET_IO, LN_NOWHERE, "cannot write '%s': %s", path,
                         ln_part_why(errno));
    if (status != LINNET_OK)
        (void)ln_sys->remove(part);
    return status;
}

static linnet_status convert_to_file(const ln_job *job, const ln_text *svg, format kind,
                                     const char *path) {
    char *target;
    LN_TRY(ln_part_target(path, job->report, &target));
    const linnet_status status = convert_beside(job, svg, kind, target);
    ln_sys->release(target);
    return status;
}

/* ---- the command ---- */

static linnet_status write_drawing(const ln_job *job, const ln_drawing *drawing, format kind,
                                   const char *path) {
    ln_text text = {0};
    if (kind == TEX)
        ln_drawing_tikz(drawing, &text);
    else
        ln_drawing_svg(drawing, 0, &text);
    linnet_status status;
    if (kind == SVG || kind == TEX || text.failed) {
        status = ln_document_write(path, &text, job->report);
    } else if (strcmp(path, "-") == 0) {
        (void)fflush(stdout);
        status = convert(job, &text, kind, STDOUT_FILENO, "the standard output");
    } else {
        status = convert_to_file(job, &text, kind, path);
    }
    ln_text_free(&text);
    return status;
}

static linnet_status draw(const ln_job *job, format kind, const char *path) {
    ln_model *model = NULL;
    ln_drawing *drawing = NULL;
    const int count = job->request.noverrides;
    const char **names = LN_NEW(job->arena, const char *, count + 1),
               **values = LN_NEW(job->arena, const char *, count + 1);
    if (names == NULL || values == NULL)
        return ln_no_memory(job->report);
    for (int k = 0; k < count; k++) {
        names[k] = job->request.overrides[k].name;
        values[k] = job->request.overrides[k].value;
    }
    const ln_drawing_wish wish = {.expand = job->values[EXPAND] != NULL,
                                  .loops = job->values[LOOPS] != NULL,
                                  .names = names,
                                  .values = values,
                                  .nsettings = count};
    LN_TRY(ln_job_model(job, job->files[0], &model));
    linnet_status status = ln_drawing_make(model, &wish, job->report, &drawing);
    if (drawing != NULL) {
        const linnet_status written = write_drawing(job, drawing, kind, path);
        if (status == LINNET_OK)
            status = written;
        if (written == LINNET_OK && !job->quiet && strcmp(path, "-") != 0)
            fprintf(stderr, "%s: %d blocks, %d links\n", ln_visible_in(job->arena, path),
                    drawing->nparts, drawing->nnets);
    }
    ln_drawing_free(drawing);
    ln_model_free(model);
    return status;
}

static linnet_status diagram_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status)) {
        const char *path = job.output;
        if (path == NULL)
            path = ln_job_file_after(&job, job.files[0], ".svg");
        const char *dot = path != NULL ? strrchr(path, '.') : NULL;
        format kind = SVG;
        if (job.values[FORMAT] != NULL)
            kind = format_named(job.values[FORMAT]);
        else if (path != NULL && strcmp(path, "-") != 0)
            kind = dot != NULL ? format_named(dot + 1) : NONE;
        if (path == NULL)
            status = ln_no_memory(job.report);
        else if (kind == NONE && job.values[FORMAT] != NULL)
            status = ln_usage(command, "--format is '%.60s'; it must be svg, tex, pdf or png",
                              job.values[FORMAT]);
        else if (kind == NONE)
            status =
                ln_usage(command,
                         "'%.200s': the name of a drawing ends in .svg, .tex, .pdf or .png, or "
                         "is '-' for the standard output",
                         path);
        else
            status = draw(&job, kind, path);
        ln_report_close(job.report);
        if (status != LINNET_OK && status != LINNET_USAGE)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}
