/* SPDX-License-Identifier: MIT */
/* Fault injection: the program `linnet` itself, in which the k-th call of the operating system
 * fails.
 *
 * Linked with the objects of the program, this file stands before its main(). Arguments are a kind
 * of fault and a command; it lets the command run without a fault first, then once for each call of
 * that kind, in a child process of its own, in which the call fails, and looks at how the child
 * ends:
 *
 *     faults KIND TRIES RESULT COMMAND [ARGUMENT]...
 *
 * KIND is CALL-HOW, CALL one of allocate, open, read, write, sync, rename, close, lock, truncate;
 * HOW `once`, `on` (from there on), `short` (a read or write of one byte), `eintr` (interrupted,
 * once) or `kill` (the process is gone). TRIES calls, evenly spread, are tried, 0: all of them, -K:
 * the K-th alone; `new`: of the calls that come by the same way through the program the first, if
 * no run of this program in this folder has tried that way (faults.tried keeps them); `new-K`: of
 * the last K calls alone, behind what all commands begin with.
 * What must hold: the child ends by itself, by `kill` only with the status below; its exit status
 * is one of the documented ones, 0 only where the fault could be made up for, and never where the
 * command fails without a fault (a bad model). With 0 its standard output and RESULT, the file it
 * is to write ("-": none), are those of a run without a fault, by a clock that stands still;
 * otherwise it says why, and RESULT is not there, whole or a beginning of it (a binary one as
 * `linnet result` reads it); FILE.part is a beginning of it; every block of memory is given back.
 * After `kill`, a COMMAND with --checkpoint FILE goes on from what FILE then holds, if there is
 * such a file, by --resume: RESULT must be the same, byte by byte.
 *
 * Hooked beside ln_sys: libxml2 (xmlMemSetup), SuiteSparse (SuiteSparse_config). Not hooked:
 * OpenBLAS and libgfortran, which end the process or ask for ever when they get nothing
 * (linear/blas.c asks before), SUNDIALS and matio, which call malloc() directly, libc's stdio. */
#include "base/sys.h"

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlmemory.h>
#include <suitesparse/SuiteSparse_config.h>

#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILLED = 99 /* exit status of HOW kill */, SECONDS = 60 /* a child may take */ };
enum { ALLOCATE, OPEN, READ, WRITE, SYNC, RENAME, CLOSE, LOCK, TRUNCATE, CALLS };
static const char *const calls[CALLS] = {"allocate", "open",  "read", "write",   "sync",
                                         "rename",   "close", "lock", "truncate"};
enum { ONCE, ON, SHORT, EINTR_ONCE, KILL, HOWS };
static const char *const hows[HOWS] = {"once", "on", "short", "eintr", "kill"};

/* The linker's option --wrap=main: the program's main() is the second one here. */
int __wrap_main(int argc, char **argv);
int __real_main(int argc, char **argv);

/* What the child tells its parent, in memory that they share; atomic, as a sweep has threads. */
static struct shared { atomic_long count, fired, blocks; } * shared;
static int call, how;
static long target; /* the call that fails, 0: none */
static int is_child;

/* ---- ways ---- */

/* A way through the program to a call: the addresses of its callers, as one number. The run without
 * a fault notes them. */
enum { WAYS = 1 << 20, CALLERS = 10 };
static uint64_t *ways; /* WAYS, shared with the child; NULL: not asked for */
static long last;      /* so many calls, the last ones, are tried; 0: all */

static uint64_t way_here(void) {
    void *callers[CALLERS];
    const int depth = backtrace(callers, CALLERS);
    uint64_t way = 14695981039346656037u; /* FNV-1a */
    for (int k = 2; k < depth; k++)       /* without this file's */
        way = (way ^ (uint64_t)((char *)callers[k] - (char *)&ln_sys_real)) * 1099511628211u;
    return way;
}

/* 1 when it is new to the set, which has room for 2*WAYS. */
static int add_way(uint64_t *set, uint64_t way) {
    size_t at = (size_t)(way % (2 * WAYS));
    while (set[at] != 0 && set[at] != way)
        at = (at + 1) % (2 * WAYS);
    const int is_new = set[at] == 0;
    set[at] = way;
    return is_new;
}

/* Of calls from `first` to `count` those by ways that are new, 1 each; the file `tried` gets these
 * ways. */
static char *new_ways(const char *tried, long first, long count) {
    uint64_t *set = calloc(2 * WAYS, sizeof *set), way;
    char *chosen = calloc((size_t)count + 1, 1);
    FILE *file = fopen(tried, "a+b");
    if (set == NULL || chosen == NULL || file == NULL)
        _exit(72);
    long known = 0;
    while (fread(&way, sizeof way, 1, file) == 1 && ++known < WAYS)
        (void)add_way(set, way);
    for (long k = first; k <= count && k < WAYS; k++)
        if (known < WAYS && add_way(set, ways[k])) {
            chosen[k] = 1;
            known += (long)fwrite(&ways[k], sizeof way, 1, file);
        }
    (void)fclose(file);
    free(set);
    return chosen;
}

/* ---- the table ---- */

#ifdef LINNET_COVERAGE
void __gcov_dump(void);
#endif

/* The process is gone; what it has counted for gcov counts nevertheless. */
static void vanish(void) {
#ifdef LINNET_COVERAGE
    __gcov_dump();
#endif
    _exit(KILLED);
}

/* Counts a call; 1 when it is to fail. */
static int fails(int which) {
    if (!is_child || which != call)
        return 0;
    const long k = ++shared->count;
    if (ways != NULL && target == 0 && k < WAYS)
        ways[k] = way_here();
    const int now = target > 0 && (how == ON ? k >= target : k == target);
    shared->fired += now;
    if (now && how == KILL)
        vanish();
    return now;
}

static int failed(int reason) {
    errno = how == EINTR_ONCE ? EINTR : reason;
    return -1;
}

static void *allocate(size_t bytes) {
    void *block = fails(ALLOCATE) ? NULL : ln_sys_real.allocate(bytes);
    shared->blocks += block != NULL;
    return block;
}
static void *resize(void *old, size_t bytes) {
    void *block = fails(ALLOCATE) ? NULL : ln_sys_real.resize(old, bytes);
    shared->blocks += block != NULL && old == NULL;
    return block;
}
static void release(void *block) {
    shared->blocks -= block != NULL;
    ln_sys_real.release(block);
}
static int open_read(const char *path) {
    return fails(OPEN) ? failed(EMFILE) : ln_sys_real.open_read(path);
}
static int open_plain(const char *path) {
    return fails(OPEN) ? failed(EMFILE) : ln_sys_real.open_plain(path);
}
static int open_write(const char *path) {
    return fails(OPEN) ? failed(EMFILE) : ln_sys_real.open_write(path);
}
static int open_part(const char *path) {
    return fails(OPEN) ? failed(EACCES) : ln_sys_real.open_part(path);
}
static int open_append(const char *path) {
    return fails(OPEN) ? failed(EACCES) : ln_sys_real.open_append(path);
}
static ssize_t read_some(int fd, void *buffer, size_t bytes) {
    if (!fails(READ))
        return ln_sys_real.read(fd, buffer, bytes);
    return how == SHORT && bytes > 0 ? ln_sys_real.read(fd, buffer, 1) : failed(EIO);
}
static ssize_t write_some(int fd, const void *buffer, size_t bytes) {
    if (!fails(WRITE))
        return ln_sys_real.write(fd, buffer, bytes);
    return how == SHORT && bytes > 0 ? ln_sys_real.write(fd, buffer, 1) : failed(ENOSPC);
}
static int sync_file(int fd) {
    return fails(SYNC) ? failed(EIO) : ln_sys_real.sync(fd);
}
static int rename_file(const char *from, const char *to) {
    return fails(RENAME) ? failed(EACCES) : ln_sys_real.rename(from, to);
}
static int close_file(int fd) {
    const int fail = fails(CLOSE), result = ln_sys_real.close(fd);
    return fail ? failed(EIO) : result;
}
static int lock(int fd) {
    return fails(LOCK) ? failed(EWOULDBLOCK) : ln_sys_real.lock(fd);
}
static int truncate_file(int fd, off_t length) {
    return fails(TRUNCATE) ? failed(EIO) : ln_sys_real.truncate(fd, length);
}

/* Times that were measured are told, too: they are the same in all runs. */
static double stand_still(void) {
    return 0;
}

static ln_sys_table table;

/* ---- the libraries ---- */

static void *allocate_zeros(size_t count, size_t size) {
    void *block = size > 0 && count > SIZE_MAX / size ? NULL : allocate(count * size);
    return block != NULL ? memset(block, 0, count * size) : NULL;
}
static char *duplicate(const char *text) {
    const size_t bytes = strlen(text) + 1;
    char *copy = allocate(bytes);
    return copy != NULL ? memcpy(copy, text, bytes) : NULL;
}

static void hook(void) {
    table = ln_sys_real;
    table.allocate = allocate, table.resize = resize, table.release = release;
    table.open_read = open_read, table.open_plain = open_plain, table.open_write = open_write;
    table.open_part = open_part, table.open_append = open_append, table.read = read_some;
    table.write = write_some, table.sync = sync_file, table.rename = rename_file;
    table.close = close_file, table.lock = lock, table.truncate = truncate_file;
    table.clock = stand_still;
    table.arena_pieces = call == ALLOCATE;
    ln_sys = &table;
    if (xmlMemSetup(release, allocate, resize, duplicate) != 0)
        _exit(70);
    SuiteSparse_config.malloc_func = allocate;
    SuiteSparse_config.calloc_func = allocate_zeros;
    SuiteSparse_config.realloc_func = resize;
    SuiteSparse_config.free_func = release;
}

/* ---- one run ---- */

typedef struct bytes {
    char *data;
    long length; /* -1: there is no file */
} bytes;

static bytes contents(const char *path) {
    struct stat info;
    bytes it = {NULL, -1};
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &info) == 0) {
        it.data = malloc((size_t)info.st_size + 1);
        it.length = it.data != NULL ? (long)read(fd, it.data, (size_t)info.st_size) : -1;
        if (it.length >= 0)
            it.data[it.length] = '\0';
    }
    if (fd >= 0)
        (void)close(fd);
    return it;
}

static int problems;
static int usual;        /* exit status without a fault */
static bytes told;       /* on the standard output then */
static long kept_blocks; /* by libraries, to the end of a process without faults */

static void problem(const char *what, const bytes *said) {
    if (++problems <= 20)
        printf("FAILED: %s-%s at call %ld: %s\n    %s\n", calls[call], hows[how], target, what,
               said->length > 0 ? said->data : "");
}

/* What libxml2 keeps to the end of a process is no leak. */
static void clean_up(void) {
    xmlCleanupParser();
    xmlResetLastError();
}

/* In a child: 1 there, 0 in the parent when the child has ended, with its wait status. */
static int run(int *ended) {
    *shared = (struct shared){0};
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int err = open("faults.err", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        const int out = open("faults.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        (void)dup2(err, STDERR_FILENO);
        (void)dup2(out, STDOUT_FILENO);
        (void)close(err);
        (void)close(out);
        (void)alarm(SECONDS);
        (void)atexit(clean_up);
        is_child = 1;
        return 1;
    }
    if (child < 0 || waitpid(child, ended, 0) < 0)
        _exit(71);
    return 0;
}

static int is_beginning(const bytes *part, const bytes *whole) {
    return part->length <= whole->length &&
           memcmp(part->data, whole->data, (size_t)part->length) == 0;
}

/* The line of what was got that the whole result does not have. */
static void show_difference(const bytes *got, const bytes *whole) {
    long at = 0, line = 0;
    for (; at < got->length && at < whole->length && got->data[at] == whole->data[at]; at++)
        if (got->data[at] == '\n')
            line = at + 1;
    if (problems <= 20 && at < got->length)
        printf("    got:      %.*s\n    expected: %.*s\n", (int)strcspn(got->data + line, "\n"),
               got->data + line, (int)strcspn(whole->data + line, "\n"), whole->data + line);
}

static int are_equal(const bytes *got, const bytes *whole) {
    return got->length == whole->length && (got->length <= 0 || is_beginning(got, whole));
}

/* A binary result may end in any byte. */
static int is_whole_lines(const bytes *got, const bytes *whole) {
    return is_beginning(got, whole) &&
           (got->length == 0 || got->data[got->length - 1] == '\n' || got->length == whole->length);
}

static int holds(const bytes *said, const char *text) {
    return said->length > 0 && strstr(said->data, text) != NULL;
}

/* Does the file have numbers at its head, or a table of its contents? */
static int is_read_back(const char *result) {
    const char *ending = strrchr(result, '.');
    return ending != NULL && (strcmp(ending, ".raw") == 0 || strcmp(ending, ".mat") == 0 ||
                              strcmp(ending, ".h5") == 0);
}

/* Such a result as rows of CSV, by `linnet result` in a process without faults; no length: it
 * cannot be read. */
static bytes read_back(const char *result) {
    char *argv[] = {"linnet", "result", (char *)(uintptr_t)result, "-q", "-o", "faults.csv", NULL};
    int ended = -1;
    (void)unlink("faults.csv");
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        ln_sys = &ln_sys_real;
        const int out = open("faults.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        (void)dup2(out, STDERR_FILENO);
        exit(__real_main(6, argv));
    }
    if (child < 0 || waitpid(child, &ended, 0) < 0 || ended != 0)
        return (bytes){NULL, -1};
    return contents("faults.csv");
}

static bytes whole_rows; /* of a result that is read back */

/* A run that ended early keeps its rows so far: a beginning of the whole result, byte by byte, or
 * when it is read. A sweep has a row that says why a case failed, which is none. The exit status
 * tells. */
static int has_rows_so_far(const char *result, const bytes *said) {
    if (!is_read_back(result))
        return holds(said, "the column 'reason' tells why");
    bytes rows = read_back(result);
    const int good = rows.length >= 0 && is_whole_lines(&rows, &whole_rows);
    free(rows.data);
    return good;
}

/* A run with a fault has ended: is everything as it must be? */
static void judge(const char *result, const bytes *whole, int ended) {
    char part_name[4096];
    bytes said = contents("faults.err"), got = contents(result);
    snprintf(part_name, sizeof part_name, "%s.part", result);
    bytes part = contents(part_name), answer = contents("faults.out");
    const int status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    if (status < 0)
        problem("the process was ended by a signal", &said);
    if (how == KILL ? status != KILLED : status > 6)
        problem("the exit status is none of those documented", &said);
    if (how != KILL && status == 0 && usual != 0)
        problem("done, where the command fails without a fault", &said);
    if (how != KILL && status == 0 && !are_equal(&got, whole))
        problem("done, and the result is missing or another one", &said);
    if (how != KILL && status == 0 && !are_equal(&answer, &told)) {
        problem("done, and the standard output is another one", &said);
        show_difference(&answer, &told);
    }
    if (how != KILL && status > 0 && !holds(&said, "error: ") && !holds(&said, "linnet: ") &&
        !holds(&answer, "\"error\""))
        problem("it failed without a word", &said);
    if (got.length >= 0 && !is_whole_lines(&got, whole) &&
        !((status > 0 || is_read_back(result)) && has_rows_so_far(result, &said))) {
        problem("half a result bears its name", &said);
        show_difference(&got, whole);
    }
    if (part.length > 0 && !is_beginning(&part, whole))
        problem("what is left is no beginning of the result", &said);
    if (how != KILL && shared->blocks > kept_blocks)
        problem("memory is not given back", &said);
    free(said.data);
    free(got.data);
    free(part.data);
    free(answer.data);
}

/* What a run may leave is gone before the next one. */
static void clear(const char *result) {
    char part_name[4096];
    snprintf(part_name, sizeof part_name, "%s.part", result);
    (void)unlink(part_name);
    (void)unlink(result);
}

/* ---- going on ---- */

static int resumed;

/* The command with --resume in place of --checkpoint and --every, by a process without faults; its
 * status. */
static int resume(int argc, char **argv) {
    static char option[] = "--resume";
    int ended = -1;
    (void)fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        const int out = open("faults.out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
        int kept = 1;
        for (int k = 1; k < argc; k++)
            if (strcmp(argv[k], "--every") == 0)
                k++; /* the checkpoint knows */
            else
                argv[kept++] = strcmp(argv[k], "--checkpoint") == 0 ? option : argv[k];
        argv[kept] = NULL;
        (void)dup2(out, STDERR_FILENO);
        ln_sys = &ln_sys_real;
        exit(__real_main(kept, argv));
    }
    return child > 0 && waitpid(child, &ended, 0) > 0 ? ended : -1;
}

static const char *checkpoint_of(int argc, char **argv) {
    for (int k = 1; k + 1 < argc; k++)
        if (strcmp(argv[k], "--checkpoint") == 0)
            return argv[k + 1];
    return NULL;
}

/* A run was killed: from its checkpoint, whatever that is, it comes to the same bytes. */
static void go_on(const char *result, const bytes *whole, int argc, char **argv) {
    const char *checkpoint = checkpoint_of(argc, argv);
    if (how != KILL || checkpoint == NULL)
        return;
    if (access(checkpoint, R_OK) == 0) {
        const int ended = resume(argc, argv);
        bytes got = contents(result), said = contents("faults.out");
        if (ended != 0)
            problem("the run does not go on from its checkpoint", &said);
        else if (got.length != whole->length ||
                 memcmp(got.data, whole->data, (size_t)got.length) != 0)
            problem("the run that went on has another result", &said);
        resumed++;
        free(got.data);
        free(said.data);
    }
    (void)unlink(checkpoint);
}

/* ---- all runs ---- */

static int find(const char *word, const char *const *list, int count, size_t *length) {
    for (int k = 0; k < count; k++)
        if (strncmp(word, list[k], strlen(list[k])) == 0) {
            *length = strlen(list[k]);
            return k;
        }
    fprintf(stderr, "faults: '%s' is no kind of fault\n", word);
    exit(2);
}

/* Returns in every child, which then is the program; the parent ends here. */
static void try_all(const char *result, long tries, int argc, char **argv) {
    int ended = 0;
    (void)unlink(result);
    if (run(&ended))
        return;
    const long count = shared->count;
    bytes whole = contents(result), said = contents("faults.err");
    told = contents("faults.out");
    kept_blocks = shared->blocks;
    if (!WIFEXITED(ended) || (WEXITSTATUS(ended) != 0 && ways == NULL)) {
        printf("FAILED: without a fault: status %d\n%s\n", ended, said.data);
        exit(1);
    }
    usual = WEXITSTATUS(ended);
    if (whole.length > 0 && is_read_back(result))
        whole_rows = read_back(result);
    const long first = last > 0 && last < count ? count - last + 1 : 1;
    const char *chosen = ways != NULL ? new_ways("faults.tried", first, count) : NULL;
    clear(result);
    if (checkpoint_of(argc, argv) != NULL)
        (void)unlink(checkpoint_of(argc, argv));
    const long stride = tries > 0 && count > tries ? count / tries : tries < 0 ? count : 1;
    long tried = 0;
    for (target = tries < 0 ? -tries : 1 + (count / 2) % stride; target <= count;
         target += stride) {
        if (chosen != NULL && !chosen[target])
            continue;
        tried++;
        if (run(&ended))
            return;
        judge(result, &whole, ended);
        go_on(result, &whole, argc, argv);
        clear(result);
    }
    printf("%s-%s: %ld of %ld calls, %d gone on from, %d problems\n", calls[call], hows[how], tried,
           count, resumed, problems);
    (void)unlink("faults.err");
    (void)unlink("faults.out");
    exit(problems > 0);
}

int __wrap_main(int argc, char **argv) {
    size_t length, rest;
    if (argc < 5) {
        fputs("usage: faults KIND TRIES RESULT COMMAND [ARGUMENT]...\n", stderr);
        return 2;
    }
    call = find(argv[1], calls, CALLS, &length);
    how = find(argv[1] + length + 1, hows, HOWS, &rest);
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 70;
    if (strncmp(argv[2], "new", 3) == 0) {
        last = argv[2][3] == '-' ? atol(argv[2] + 4) : 0;
        ways = mmap(NULL, WAYS * sizeof *ways, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (ways == MAP_FAILED)
            return 70;
    }
    hook();
    char *result = argv[3];
    argv[3] = argv[0];
    try_all(result, atol(argv[2]), argc - 3, argv + 3);
    return __real_main(argc - 3, argv + 3);
}
