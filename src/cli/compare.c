/* SPDX-License-Identifier: MIT */
/* linnet compare: methods, steps and tolerances side by side. */
#include "analysis/compare.h"

#include "base/sys.h"
#include "cli/compare_print.h"
#include "cli/job.h"
#include "cli/linear_point.h"
#include "plot/plot.h"
#include "result/document.h"
#include "model/model.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static linnet_status compare_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    {"methods", 'm', "NAMES",
     "what to compare, such as radau5,ida,rk4 (below)\n"
     "(default: backward-euler,crank-nicolson,tr-bdf2,radau5,ida,\nrk4,rk45)"},
    {"step", 's', "TIMES", "fixed steps for every method that can, such as 1us,500ns"},
    {"tolerance", 't', "NUMBERS", "tolerances for every method that can, such as 1e-4,1e-7"},
    {"signals", 0, "NAMES",
     "what is compared: names and patterns, 'out,R1.*' (default:\n"
     "signals with a reference, else what the model records)"},
    {"reference", 'r', "FILE",
     "a CSV file with reference values; 'model': the model's own\n"
     "<reference>s (the default if it has any); 'computed'"},
    {"format", 'f', "NAME", "text, csv or json"},
    {"output", 'o', "FILE", "where the table goes (default: the standard output)"},
    {"plot", 'p', "FILE", "also draw error against work: .svg, .png, .pdf or .html"},
    {"limit", 'l', "SECONDS", "give a run up after this time (default: 30)"},
    {"duration", 'd', "TIME", "how long to simulate"},
    {"linear-solver", 0, "NAME", "one of " LN_LINEAR_WORDS},
    LN_OPTIONS_WHAT,
    {"quiet", 'q', NULL, "no progress and no last line"},
    {NULL, 0, NULL, NULL}};

static void help(void) {
    puts("\nMethods:");
    for (int k = 0; ln_method_at(k) != NULL; k++)
        printf("  %-15s %s\n", ln_method_at(k)->name, ln_method_at(k)->doc);
    puts("  A method to which neither list gives a run takes three usual ones: those of order 5 "
         "the tolerances 1e-4,\n"
         "  1e-6 and 1e-8, others the model's step (or a thousandth of the run), its half and its "
         "quarter.");
}

const ln_command ln_command_compare = {
    .name = "compare",
    .doc = "compare methods, steps and tolerances on a model",
    .usage = "MODEL [OPTION]...",
    .about = "Runs MODEL by each method at each step and tolerance and holds every run against a "
             "reference: the model's\n"
             "own <reference>s, a file, or one computed by radau5 at a tight tolerance and "
             "confirmed by a second method.\n"
             "Errors are relative to a signal's largest size; scd is -log10 of the largest "
             "relative error at the end.",
    .options = options,
    .more = help,
    .examples = "  linnet compare rectifier.xml\n"
                "  linnet compare rectifier.xml --methods crank-nicolson,rk4 --step 10us,5us,1us\n"
                "  linnet compare hires.xml --methods radau5,ida --tolerance 1e-4,1e-7,1e-10 "
                "--plot hires.svg\n",
    .exits = "012345",
    .run = compare_command};

/* ---- options ---- */

/* "a, b,c" -> three texts; expressions of steps and tolerances hold no commas. */
static linnet_status split(const ln_job *job, const char *name, const char *const **list,
                           int *count) {
    const char *text = ln_job_value(job, name);
    *count = 0;
    if (text == NULL)
        return LINNET_OK;
    const char **parts = LN_NEW(job->arena, const char *, strlen(text) + 1);
    if (parts == NULL)
        return ln_no_memory(job->report);
    for (const char *at = text; *at != '\0';) {
        at += strspn(at, " ,");
        size_t length = strcspn(at, ",");
        if (length == 0)
            break;
        size_t end = length;
        while (end > 0 && at[end - 1] == ' ')
            end--;
        if ((parts[*count] = ln_arena_text(job->arena, at, end)) == NULL)
            return ln_no_memory(job->report);
        ++*count;
        at += length;
    }
    *list = parts;
    return *count > 0
               ? LINNET_OK
               : ln_usage(job->command, "--%s is empty; write values separated by commas", name);
}

typedef void print_function(const ln_comparison *comparison, linnet_status status, ln_text *text);
static void print_text(const ln_comparison *comparison, linnet_status status, ln_text *text) {
    (void)status;
    ln_compare_text(comparison, text);
}
static void print_csv(const ln_comparison *comparison, linnet_status status, ln_text *text) {
    (void)status;
    ln_compare_csv(comparison, text);
}

/* Seconds that a run may take. */
static linnet_status read_limit(const ln_job *job, double *seconds) {
    const char *limit = ln_job_value(job, "limit"), *end;
    *seconds = 30;
    if (limit == NULL)
        return LINNET_OK;
    *seconds = ln_number_read(limit, &end);
    if (end == limit || *end != '\0' || !(*seconds > 0))
        return ln_usage(job->command, "--limit is '%.60s'; it must be a number of seconds above 0",
                        limit);
    return LINNET_OK;
}

static linnet_status check_picture(const ln_job *job, print_function *print) {
    const char *picture = ln_job_value(job, "plot");
    if (picture == NULL)
        return LINNET_OK;
    const int to_output = job->output == NULL || strcmp(job->output, "-") == 0;
    if (strcmp(picture, "-") == 0 && to_output && print != print_text)
        return ln_usage(job->command,
                        "the picture and the table cannot both go to the standard output");
    return ln_plot_check(picture, job->report);
}

static linnet_status read_options(ln_job *job, ln_compare_options *out, ln_model_options *folders,
                                  print_function **print) {
    static print_function *const printers[] = {print_text, print_csv, ln_compare_json};
    *folders = ln_job_options(job);
    job->request.method = job->request.step = job->request.tolerance = NULL;
    *out = (ln_compare_options){.signals = ln_job_value(job, "signals"),
                                .reference = ln_job_value(job, "reference"),

                                .folders = folders,
                                .request = &job->request};
    LN_TRY(split(job, "methods", &out->methods, &out->nmethods));
    LN_TRY(split(job, "step", &out->steps, &out->nsteps));
    LN_TRY(split(job, "tolerance", &out->tolerances, &out->ntolerances));
    LN_TRY(read_limit(job, &out->limit));
    const int format = ln_linear_format(job, "text, csv or json");
    if (format < 0)
        return LINNET_USAGE;
    *print = printers[format];
    return check_picture(job, *print);
}

/* ---- progress and interruption ---- */

typedef struct showing {
    int visible, allowed, patience;
} showing;

static void wipe(showing *display) {
    if (display->visible)
        fputs("\r\033[K", stderr);
    display->visible = 0;
}

/* The reference, which what has run needs, is still made after an interruption; a second one ends
 * that, too. */
static void tell(void *context, const ln_compare_row *row, int index, int count) {
    showing *display = context;
    char time[32];
    wipe(display);
    if (row == NULL && ln_interrupted() != 0) {
        display->patience = ln_interruptions();
        ln_interrupt_catch();
        fputs("linnet: interrupted; the reference for what has run is being made, a second "
              "interruption leaves it out\n",
              stderr);
        return;
    }
    if (!display->allowed)
        return;
    display->visible = 1;
    if (row == NULL)
        fprintf(stderr, "[%d of %d] the reference", count, count);
    else if (row->fixed)
        fprintf(stderr, "[%d of %d] %s at step %s", index, count, row->method->name,
                ln_time_text(time, row->size, 6));
    else
        fprintf(stderr, "[%d of %d] %s at tolerance %g", index, count, row->method->name,
                row->size);
    fflush(stderr);
}

static int stop(void *context) {
    return ln_interruptions() > ((const showing *)context)->patience;
}

/* ---- output ---- */

/* The table, on the standard output or in a file that is replaced in one go. */
static linnet_status write_text(const ln_job *job, const ln_text *text) {
    (void)fflush(stdout);
    return ln_document_write(job->output != NULL ? job->output : "-", text, job->report);
}

static linnet_status compare(ln_job *job) {
    ln_compare_options asked;
    ln_model_options folders;
    print_function *print = print_text;
    ln_model *model = NULL;
    ln_comparison comparison;
    LN_TRY(read_options(job, &asked, &folders, &print));
    LN_TRY(ln_job_model(job, job->files[0], &model));
    ln_interrupt_catch();
    showing show = {.allowed = !job->quiet && isatty(STDERR_FILENO)};
    ln_compare_watch watch = {tell, stop, &show};
    linnet_status status = ln_compare(model, &asked, &watch, job->report, &comparison);
    wipe(&show);
    if (status == LINNET_OK || status == LINNET_INTERRUPTED ||
        (status == LINNET_FAILED && comparison.nrows > 0)) {
        ln_text text = {0};
        print(&comparison, status, &text);
        linnet_status written = write_text(job, &text);
        ln_text_free(&text);
        const char *picture = ln_job_value(job, "plot");
        if (written == LINNET_OK && picture != NULL && status != LINNET_FAILED) {
            written = ln_compare_draw(&comparison, picture);
            if (status == LINNET_INTERRUPTED && written == LINNET_FAILED)
                written = LINNET_OK;
        }
        if (status == LINNET_OK)
            status = written;
    }
    ln_comparison_free(&comparison);
    ln_model_free(model);
    return status;
}

static linnet_status compare_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status)) {
        status = compare(&job);
        ln_report_close(job.report);
        if (status != LINNET_OK || !job.quiet)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}
