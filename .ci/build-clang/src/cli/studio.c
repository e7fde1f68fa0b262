/* SPDX-License-Identifier: MIT */
/* linnet studio: a page in the browser for writing, running and comparing models. */
#include "studio/studio.h"

#include "base/sys.h"
#include "cli/job.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static linnet_status studio_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {
    {"port", 'p', "NUMBER", "of 127.0.0.1 (default: any that is free)"},
    {"no-browser", 'n', NULL, "only print the address"},
    {"examples", 0, "DIR", "folder of examples (default: those that came with Linnet)"},
    {"quiet", 'q', NULL, "print the address alone"},
    {NULL, 0, NULL, NULL}};

const ln_command ln_command_studio = {
    .name = "studio",
    .doc = "write, run and compare models in the browser",
    .usage = "[MODEL] [OPTION]...",
    .about =
        "Serves a page on this machine alone and opens it: the text of a model with "
        "completion and messages at\n"
        "the line, its diagram to draw in, parameters with sliders, runs with progress, plots "
        "that compare them,\n"
        "sweeps, examples. It reads and writes model files in the folder where it was started, "
        "and ends with Ctrl-C.\n"
        "The address has a random word in it: who does not know it is not answered.",
    .options = options,
    .examples = "  linnet studio\n"
                "  linnet studio rectifier.xml\n"
                "  linnet studio --port 8080 --no-browser\n",
    .exits = "0125",
    .run = studio_command};

#ifdef LINNET_STUDIO

/* ---- the way to the page ---- */

/* What the server tells and asks. */
typedef struct watch {
    int is_quiet, has_browser;
} watch;

/* xdg-open is started and left alone: it may stay as long as the browser. */
static void open_browser(const char *file) {
    const char *const arguments[] = {"xdg-open", file, NULL};
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    pid_t pid;
    if (nowhere < 0)
        return;
    const ln_sys_start start = {arguments, NULL, {nowhere, nowhere, nowhere}};
    if (ln_sys->start(&start, &pid) != 0)
        fputs("linnet: there is no xdg-open; open the address in a browser\n", stderr);
    (void)close(nowhere);
}

static void ready(void *context, const char *address, const char *file) {
    const watch *of = context;
    printf("%s\n", address);
    (void)fflush(stdout);
    if (!of->is_quiet)
        fputs("linnet: serving; Ctrl-C ends it\n", stderr);
    if (of->has_browser)
        open_browser(file);
}

static int stop(void *context) {
    (void)context;
    return ln_interrupted() != 0;
}

/* ---- where things are ---- */

/* The path of this program; NULL, reported, when it cannot be told. */
static const char *own_path(const ln_job *job) {
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        ln_error(job->report, LN_NOWHERE, "cannot tell where this program is (/proc/self/exe)");
        return NULL;
    }
    return ln_arena_text(job->arena, path, (size_t)length);
}

/* The examples beside a program that was built and not installed, or the installed ones. */
static const char *find_examples(const ln_job *job, const char *program) {
    const char *given = ln_job_value(job, "examples");
    const int length = (int)(strrchr(program, '/') - program);
    const char *built = ln_arena_printf(job->arena, "%.*s/models/examples", length, program);
    if (given != NULL)
        return given;
    if (built != NULL && access(built, R_OK | X_OK) == 0)
        return built;
    return access(LINNET_EXAMPLES_DIR, R_OK | X_OK) == 0 ? LINNET_EXAMPLES_DIR : NULL;
}

static linnet_status read_port(const ln_job *job, int *port) {
    const char *text = ln_job_value(job, "port");
    char *end;
    *port = 0;
    if (text == NULL)
        return LINNET_OK;
    const long number = strtol(text, &end, 10);
    if (*text == '\0' || *end != '\0' || number < 1 || number > 65535)
        return ln_usage(job->command, "--port is '%.60s'; it must be a number from 1 to 65535",
                        text);
    *port = (int)number;
    return LINNET_OK;
}

static linnet_status serve(ln_job *job) {
    watch of = {.is_quiet = job->quiet, .has_browser = ln_job_value(job, "no-browser") == NULL};
    ln_studio_options serving = {.ready = ready, .stop = stop, .context = &of};
    if (job->nfiles > 1)
        return ln_usage(job->command, "one model at a time; '%.200s' is one too many",
                        job->files[1]);
    LN_TRY(read_port(job, &serving.port));
    serving.program = own_path(job);
    if (serving.program == NULL)
        return LINNET_IO;
    serving.examples = find_examples(job, serving.program);
    serving.model = job->nfiles > 0 ? job->files[0] : NULL;
    ln_interrupt_catch();
    return ln_studio_serve(&serving, job->report);
}

#else

static linnet_status serve(ln_job *job) {
    return ln_fail(job->report, LINNET_IO, LN_NOWHERE,
                   "this program was built without the studio; install libmicrohttpd and Jansson "
                   "(Debian: apt-get install libmicrohttpd-dev libjansson-dev) and build it again "
                   "(./bootstrap)");
}

#endif

static linnet_status studio_command(const ln_command *command, int argc, char **argv) {
    ln_job job;
    linnet_status status;
    if (ln_job_read(&job, command, argc, argv, LN_JOB_ANY, &status)) {
        status = serve(&job);
        ln_report_close(job.report);
        if (status != LINNET_OK)
            ln_terminal_outcome(status);
    }
    ln_job_free(&job);
    return status;
}
