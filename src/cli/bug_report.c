/* SPDX-License-Identifier: MIT */
/* linnet bug-report: what somebody needs who is to find a fault, in one file.
 *
 * `linnet check` and `linnet run` are run on the model as children of this program, by the very
 * options that are given here, so that a crash is reported like a message. Around what they say
 * stand versions, the libraries as they were loaded, the machine, and which model it was; its text
 * only where the user wants it. */
#include "base/input.h"
#include "base/sys.h"
#include "base/visible.h"
#include "cli/job.h"
#include "result/document.h"
#include <linnet/linnet.h>

#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <zlib.h>

static linnet_status bug_report_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    LN_OPTIONS_HOW,
    LN_OPTIONS_ROWS,
    LN_OPTIONS_WHAT,
    {"with-model", 0, NULL, "put the text of the model's file into the report"},
    {"output", 'o', "FILE", "where the report goes (default: the standard output)"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_bug_report = {
    .name = "bug-report",
    .doc = "gather what a report of a fault needs, in one file",
    .usage = "MODEL [OPTION]...",
    .about = "Checks and runs the MODEL with the options given, and writes what they say, how they "
             "end, and with\nwhich versions on which machine. The model's text is in it only with "
             "--with-model; its names\nare where messages quote them. Look through the report "
             "before you send it.",
    .options = options,
    .more = ln_help_methods,
    .examples = "  linnet bug-report rectifier.xml -o report.txt\n"
                "  linnet bug-report rectifier.xml --method radau5 --with-model -o report.txt\n",
    .exits = "0125",
    .run = bug_report_command};

/* ---- where it happens ---- */

/* Libraries that are loaded when they are first used. */
static const char *const later[] = {LINNET_SONAME_OPENBLAS, LINNET_SONAME_LAPACKE,
                                    LINNET_SONAME_ARPACK,   LINNET_SONAME_ARB,
                                    LINNET_SONAME_MATIO,    LINNET_SONAME_HDF5};

static void load_all(ln_text *text) {
    for (size_t k = 0; k < sizeof later / sizeof *later; k++)
        if (ln_sys->load_library(later[k]) == NULL)
            ln_text_printf(text, "  %s: missing\n", later[k]);
}

static int add_library(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    char path[PATH_MAX];
    if (info->dlpi_name[0] == '\0' || realpath(info->dlpi_name, path) == NULL)
        return 0;
    const char *slash = strrchr(path, '/');
    ln_text_printf(context, "  %s\n", slash != NULL ? slash + 1 : path);
    return 0;
}

static void add_variable(ln_text *text, const char *name) {
    if (getenv(name) != NULL)
        ln_text_printf(text, "  %s=%s\n", name, getenv(name));
}

static void add_place(ln_text *text) {
    static const char *const variables[] = {
        "LC_ALL",     "LC_NUMERIC",     "LANG", "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE",
        "LD_PRELOAD", "LD_LIBRARY_PATH"};
    struct utsname machine;
    ln_text_printf(text, "## Versions\n\n  linnet %s, ABI %d, compiler %s, assertions %s\n",
                   linnet_version(), LINNET_ABI, __VERSION__,
#ifdef NDEBUG
                   "off"
#else
                   "on"
#endif
    );
    if (uname(&machine) == 0)
        ln_text_printf(text, "  %s %s %s, %ld processors\n", machine.sysname, machine.release,
                       machine.machine, sysconf(_SC_NPROCESSORS_ONLN));
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        add_variable(text, variables[k]);
    ln_text_add(text, "\n## Libraries in use\n\n");
    load_all(text);
    (void)dl_iterate_phdr(add_library, text);
}

/* ---- the children ---- */

enum { WORDS = 256, SAID = 65536 };

typedef struct child {
    const char *words[WORDS];
    int count;
} child;

static void add_word(child *process, const char *word) {
    if (process->count < WORDS - 1)
        process->words[process->count++] = word;
}

/* The options of the job that the children have, too, as they were given. */
static void add_options(child *process, const ln_job *job, int for_run) {
    for (int k = 0; k < job->ngiven; k++) {
        const ln_option *option = &job->command->options[job->given[k]];
        const int rows =
            strcmp(option->name, "interval") == 0 || strcmp(option->name, "points") == 0;
        if (strcmp(option->name, "with-model") == 0 || strcmp(option->name, "output") == 0 ||
            (rows && !for_run))
            continue;
        add_word(process,
                 ln_arena_printf(job->arena, "--%s=%s", option->name, job->given_values[k]));
    }
}

/* What stands in the file, from its beginning. */
static void add_output(int fd, ln_text *text) {
    char bytes[4096];
    ssize_t got = lseek(fd, 0, SEEK_SET) == 0 ? 1 : 0;
    while (got > 0 && (got = ln_sys->read(fd, bytes, sizeof bytes)) > 0)
        ln_text_add_bytes(text, bytes, (size_t)got);
}

/* Runs it; what it writes to stdout, which goes to a file in memory, and to stderr, and how it
 * ends. */
static linnet_status run_child(const ln_job *job, child *process, ln_text *text) {
    const int output = memfd_create("report", MFD_CLOEXEC);
    char *said = ln_arena_alloc(job->arena, SAID, 1);
    if (said == NULL)
        return ln_no_memory(job->report);
    ln_text_add(text, "\n##");
    for (int k = 1; k < process->count; k++)
        ln_text_printf(text, " %s", process->words[k]);
    add_word(process, NULL);
    const ln_sys_child how = {process->words, "", 0, output, said, SAID};
    const int ended = ln_sys->run(&how);
    if (ended < 0 && errno == EINTR) {
        (void)ln_sys->close(output);
        return LINNET_INTERRUPTED;
    }
    if (ended < 0)
        return ln_fail(job->report, LINNET_IO, LN_NOWHERE, "linnet cannot be started again: %s",
                       strerror(errno));
    ln_text_printf(text, "\n\n");
    add_output(output, text);
    (void)ln_sys->close(output);
    ln_text_add(text, said);
    if (ended > 128)
        ln_text_printf(text, "ended by signal %d (%s)\n", ended - 128, strsignal(ended - 128));
    else
        ln_text_printf(text, "exit status %d\n", ended);
    return LINNET_OK;
}

/* The program itself, as it stands on the disk. */
static const char *this_program(const ln_job *job) {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    return ln_arena_text(job->arena, path, length > 0 ? (size_t)length : 0);
}

/* A name for the result that nobody wants: a rawfile takes those of all analyses. */
static const char *scratch(const ln_job *job) {
    const char *folder = getenv("TMPDIR");
    return ln_arena_printf(job->arena, "%s/linnet-report-%ld.raw", folder != NULL ? folder : "/tmp",
                           (long)getpid());
}

static linnet_status add_children(const ln_job *job, ln_text *text) {
    const char *program = this_program(job), *result = scratch(job);
    child check = {.words = {program, "check"}, .count = 2};
    child run = {.words = {program, "run", "-o", result}, .count = 4};
    if (program == NULL || result == NULL)
        return ln_no_memory(job->report);
    add_options(&check, job, 0);
    add_options(&run, job, 1);
    child *const both[] = {&check, &run};
    linnet_status status = LINNET_OK;
    for (int k = 0; k < 2 && status == LINNET_OK; k++) {
        add_word(both[k], "--");
        add_word(both[k], job->files[0]);
        status = run_child(job, both[k], text);
    }
    (void)ln_sys->remove(result);
    return status;
}

/* ---- the model ---- */

static linnet_status add_model(const ln_job *job, ln_text *text) {
    const char *path = job->files[0], *slash = strrchr(path, '/');
    ln_input_mark mark;
    LN_TRY(ln_input_find_mark(path, job->report, &mark));
    ln_text_printf(text, "\n## Model\n\n  %s: %s\n", slash != NULL ? slash + 1 : path, mark.text);
    if (ln_job_value(job, "with-model") == NULL)
        return LINNET_OK;
    ln_text bytes = {0};
    linnet_status status = ln_input_read(path, LN_FROM_MODEL, LN_STREAM_BYTES, job->report, &bytes);
    if (status == LINNET_OK) {
        ln_text_add(text, "\n");
        ln_text_add(text, bytes.data);
    }
    ln_text_free(&bytes);
    return status;
}

static linnet_status make_report(const ln_job *job) {
    ln_text text = {0}, shown = {0};
    ln_text_add(&text, "# Report of a fault in Linnet\n\nWhat was expected, and what happened "
                       "instead:\n\n\n");
    add_place(&text);
    linnet_status status = add_children(job, &text);
    if (status == LINNET_OK)
        status = add_model(job, &text);
    if (!text.failed) /* names of files, values of variables, what was said, the model */
        ln_visible_add(&shown, text.data, 1);
    shown.failed |= text.failed;
    if (status == LINNET_OK)
        status = ln_document_write(job->output != NULL ? job->output : "-", &shown, job->report);
    ln_text_free(&text);
    ln_text_free(&shown);
    return status;
}

static linnet_status bug_report_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ONE, &status)) {
        status = make_report(&job);
        ln_report_close(job.report);
        if (status != LINNET_OK)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}
