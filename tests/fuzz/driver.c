/* SPDX-License-Identifier: MIT */
/* Runs fuzz targets: see fuzz.h.
 *
 * As a test: every file of tests/fuzz/corpus/TARGET, and for the targets that read models the
 * examples too. Without arguments all targets; `fuzz TARGET FILE...` for these files alone, as
 * AFL++ wants it (afl-fuzz ... -- tests/fuzz/replay TARGET @@); `fuzz TARGET --random COUNT SEED`
 * executes so many of them changed at random, and leaves the one that breaks something as
 * fuzz-found-TARGET. Built with LINNET_LIBFUZZER it is
 * clang's libFuzzer, whose target the environment variable LINNET_FUZZ names. After each execution
 * all memory that came through ln_sys must be given back. */
#include "fuzz.h"
#include "mutate.h"

#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

static const fuzz_target targets[] = {
    {"xml", "bytes as a model in XML, to the network", fuzz_xml, 1},
    {"deck", "bytes as a SPICE deck, to the network", fuzz_deck, 1},
    {"diagram", "bytes as a diagram of Vibesim or obliq-2", fuzz_diagram, 1},
    {"expression", "text as an expression or equation, derived and evaluated", fuzz_expression, 0},
    {"number", "text as numbers, units, lists", fuzz_number, 0},
    {"table", "bytes as CSV file and rawfile", fuzz_table, 0},
    {"checkpoint", "checkpoints whose checksum is right", fuzz_checkpoint, 0},
    {"network", "random legal models from the catalogue, run by a random method", fuzz_network, 1}};
enum { TARGETS = sizeof targets / sizeof *targets };

/* ---- what targets need ---- */

void fuzz_broken(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("fuzz: ", stderr);
    (void)vfprintf(stderr, format, list);
    fputs("\n", stderr);
    va_end(list);
    abort();
}

void fuzz_told(linnet_status status, const ln_report *report, const char *what) {
    if (status > 0 || status == LINNET_INTERNAL)
        fuzz_broken("%s: status %d escapes", what, (int)status);
    if (status != LINNET_OK && status != LINNET_INTERRUPTED && ln_report_errors(report) == 0)
        fuzz_broken("%s: failed with status %d without a word", what, (int)status);
}

unsigned fuzz_choice(fuzz_bytes *bytes, unsigned n) {
    unsigned value = 0;
    for (unsigned reach = 1; reach < n && bytes->left > 0; reach *= 256, bytes->left--)
        value = value * 256 + *bytes->at++;
    return value % n;
}

const char *fuzz_file(const uint8_t *data, size_t length) {
    static char path[64];
    static int fd = -1;
    if (fd < 0) {
        fd = memfd_create("fuzz", MFD_CLOEXEC);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, length, 0) != (ssize_t)length)
        fuzz_broken("no file could be made: %s", strerror(errno));
    return path;
}

static ln_catalogue *catalogue;
static ln_report *catalogue_report;

ln_catalogue *fuzz_catalogue(ln_report *report) {
    if (catalogue == NULL) {
        catalogue_report = ln_report_new(NULL, NULL);
        catalogue = ln_catalogue_new(NULL, catalogue_report, NULL);
        /* types that are read later would look like memory that is not given back */
        linnet_status status;
        const char *group, *name;
        for (int k = 0; (name = ln_catalogue_name(catalogue, k, &group)) != NULL; k++)
            (void)ln_catalogue_find(catalogue, name, &status);
    }
    ln_catalogue_tell(catalogue, report != NULL ? report : catalogue_report);
    return catalogue;
}

void fuzz_catalogue_end(void) {
    ln_catalogue_tell(catalogue, catalogue_report);
    ln_catalogue_forget(catalogue);
}

/* ---- memory ---- */

static long blocks;
static void *allocate(size_t bytes) {
    void *block = ln_sys_real.allocate(bytes);
    blocks += block != NULL;
    return block;
}
static void *resize(void *old, size_t bytes) {
    void *block = ln_sys_real.resize(old, bytes);
    blocks += block != NULL && old == NULL;
    return block;
}
static void release(void *block) {
    blocks -= block != NULL;
    ln_sys_real.release(block);
}

static void hook(void) {
    static ln_sys_table table;
    table = ln_sys_real;
    table.allocate = allocate, table.resize = resize, table.release = release;
    /* Arenas take each piece by itself: its bounds are seen by AddressSanitizer, and what an arena
     * that stays is given is counted. */
    table.arena_pieces = 1;
    ln_sys = &table;
}

/* An execution may take so many seconds of the processor without a sign of life (under sanitizers
 * ten times as many); then SIGPROF ends it. */
void fuzz_alive(void) {
#ifdef LINNET_LIBFUZZER
    enum { SECONDS = 100 };
#else
    enum { SECONDS = 10 };
#endif
    const struct itimerval limit = {.it_value = {.tv_sec = SECONDS}};
    (void)setitimer(ITIMER_PROF, &limit, NULL);
}

static void execute(const fuzz_target *target, const uint8_t *data, size_t length) {
    if (ln_sys == &ln_sys_real) {
        hook();
        if (target->models)
            (void)fuzz_catalogue(NULL);
        target->run((const uint8_t *)"", 0); /* what is made once stays */
    }
    fuzz_alive();
    long before = blocks;
    target->run(data, length);
    if (blocks != before && target->models) { /* the catalogue keeps what it has compiled, once */
        before = blocks;
        target->run(data, length);
    }
    if (blocks != before)
        fuzz_broken("%s: %ld blocks of memory are not given back", target->name, blocks - before);
}

static const fuzz_target *find(const char *name) {
    for (int k = 0; k < TARGETS; k++)
        if (strcmp(targets[k].name, name) == 0)
            return &targets[k];
    fprintf(stderr, "fuzz: there is no target '%s'; there are:\n", name);
    for (int k = 0; k < TARGETS; k++)
        fprintf(stderr, "  %-12s %s\n", targets[k].name, targets[k].doc);
    exit(2);
}

#ifdef LINNET_LIBFUZZER
/* libFuzzer keeps the input of what is aborted. */
static void give_up(int signal_number) {
    (void)signal_number;
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length) {
    static const fuzz_target *target;
    if (target == NULL)
        (void)signal(SIGPROF, give_up);
    if (target == NULL)
        target = find(getenv("LINNET_FUZZ") != NULL ? getenv("LINNET_FUZZ") : "");
    execute(target, data, length);
    return 0;
}
#else

/* ---- files ---- */

static const fuzz_target *replayed;
static long executed;
static int keeps; /* files are kept, not executed */
/* Of files of other tests every stride-th is taken. */
static long stride = 1, seen;

static int replay(const char *path) {
    FILE *file = fopen(path, "rb");
    long length = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    uint8_t *data = length >= 0 ? malloc((size_t)length + (length == 0)) : NULL;
    if (data == NULL || fseek(file, 0, SEEK_SET) != 0 ||
        fread(data, 1, (size_t)length, file) != (size_t)length) {
        fprintf(stderr, "fuzz: cannot read '%s'\n", path);
        exit(5);
    }
    (void)fclose(file);
    if (keeps)
        mutate_keep(data, (size_t)length);
    else
        execute(replayed, data, (size_t)length);
    executed++;
    free(data);
    return 0;
}

static int visit(const char *path, const struct stat *info, int kind) {
    (void)info;
    return kind == FTW_F && seen++ % stride == 0 ? replay(path) : 0;
}

static void replay_folder(const char *format, const char *name, long every) {
    char path[4096];
    const char *top = getenv("srcdir");
    const int used = snprintf(path, sizeof path, "%s/", top != NULL ? top : ".");
    (void)snprintf(path + used, sizeof path - (size_t)used, format, name);
    stride = every, seen = 0;
    if (ftw(path, visit, 16) != 0) {
        fprintf(stderr, "fuzz: cannot read '%s'\n", path);
        exit(5);
    }
}

static void take_all(const fuzz_target *target) {
    replayed = target, executed = 0;
    replay_folder("tests/fuzz/corpus/%s", target->name, 1);
    if (strcmp(target->name, "xml") == 0) {
        replay_folder("models/examples%s", "", 4);
        replay_folder("tests/bad%s", "", 1);
    }
    if (strcmp(target->name, "deck") == 0)
        replay_folder("tests/spice%s", "", 2);
}

static void replay_all(const fuzz_target *target) {
    take_all(target);
    printf("%s: %ld inputs\n", target->name, executed);
}

/* ---- at random ---- */

static uint8_t input[MUTATE_LONGEST];
static size_t input_length;

/* The input that was being executed stays in a file. */
static void keep_input(int signal_number) {
    char path[64];
    snprintf(path, sizeof path, "fuzz-found-%s", replayed->name);
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd >= 0 && write(fd, input, input_length) == (ssize_t)input_length)
        (void)close(fd);
    (void)signal(signal_number, SIG_DFL);
    (void)raise(signal_number);
}

static int search(const fuzz_target *target, long times, long seed) {
    static const int ends[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL, SIGPROF};
    keeps = 1;
    take_all(target);
    mutate_begin((uint64_t)seed);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        (void)signal(ends[k], keep_input);
    for (long k = 0; k < times; k++) {
        input_length = mutate_next(input, target->run == fuzz_network);
        execute(target, input, input_length);
    }
    mutate_end();
    printf("%s: %ld executions at random from seed %ld\n", target->name, times, seed);
    return 0;
}

int main(int argc, char **argv) {
    for (int k = 0; argc < 2 && k < TARGETS; k++)
        replay_all(&targets[k]);
    if (argc > 1)
        replayed = find(argv[1]);
    if (argc == 5 && strcmp(argv[2], "--random") == 0)
        return search(replayed, atol(argv[3]), atol(argv[4]));
    for (int k = 2; k < argc; k++)
        (void)replay(argv[k]);
    return 0;
}
#endif
