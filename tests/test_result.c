/* SPDX-License-Identifier: MIT */
/* The room `result`: what is written reads back exactly, files get their name only when whole,
 * every failure to write is told once and ends in LINNET_IO; what is not a table is refused with
 * its line. */
#include "messages.h"
#include "unit.h"

#include "base/arena.h"
#include "base/sys.h"
#include "result/sink.h"
#include "base/text.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/linnet-result-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[2][256];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int exists(const char *name) {
    return access(in_folder(name), F_OK) == 0;
}

static const char *content(const char *name) {
    static char text[4096];
    FILE *file = fopen(in_folder(name), "r");
    CU_ASSERT_FATAL(file != NULL);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(in_folder(name), "w");
    CU_ASSERT_FATAL(file != NULL);
    fputs(text, file);
    fclose(file);
}

static const ln_column columns[] = {
    {"out", "V", 0}, {"n1@R1.n", "A", 0}, {"odd, \"name\"", NULL, 0}};

/* ---- writing ---- */

static void rows_are_written_exactly(void) {
    static const double values[] = {0.1, -1e-300, 12345678.9, NAN, INFINITY, 3};
    ln_report *report = ln_report_new(NULL, NULL);
    ln_sink *sink = ln_sink_csv(in_folder("a.csv"), report);
    CU_ASSERT_FATAL(sink != NULL);
    CU_ASSERT(exists("a.csv.part") && !exists("a.csv"));
    CU_ASSERT(sink->open(sink, columns, 3) == LINNET_OK);
    CU_ASSERT(sink->row(sink, 0, values) == LINNET_OK);
    CU_ASSERT(sink->row(sink, 1e-5, values + 3) == LINNET_OK);
    CU_ASSERT(sink->close(sink, 1) == LINNET_OK);
    CU_ASSERT(exists("a.csv") && !exists("a.csv.part"));
    CHECK_TEXT(
        content("a.csv"),
        "time,out,n1@R1.n,\"odd, \"\"name\"\"\"\n0,0.1,-1e-300,12345678.9\n1e-05,nan,inf,3\n");
    CU_ASSERT(ln_report_errors(report) == 0);
    ln_report_free(report);
}

/* A pseudo-random double of any size: xorshift bits, finite ones only. */
static double any_double(unsigned long long *state) {
    double value;
    do {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        memcpy(&value, state, sizeof value);
    } while (!isfinite(value));
    return value;
}

static void what_is_written_reads_back(void) {
    enum { ROWS = 20000 };
    unsigned long long state = 88172645463325252ull;
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    double *written = malloc(2 * ROWS * sizeof *written);
    ln_sink *sink = ln_sink_csv(in_folder("b.csv"), report);
    CU_ASSERT_FATAL(sink != NULL && written != NULL);
    CU_ASSERT(sink->open(sink, columns + 1, 2) == LINNET_OK);
    for (int k = 0; k < ROWS; k++) {
        written[2 * k] = any_double(&state);
        written[2 * k + 1] = any_double(&state);
        CU_ASSERT(sink->row(sink, k * 1e-3, written + 2 * k) == LINNET_OK);
    }
    CU_ASSERT(sink->close(sink, 0) == LINNET_OK);
    ln_csv csv;
    CU_ASSERT_FATAL(ln_csv_read(in_folder("b.csv"), LN_FROM_USER, arena, report, &csv) ==
                    LINNET_OK);
    CU_ASSERT_FATAL(csv.ncolumns == 3 && csv.nrows == ROWS);
    CHECK_TEXT(csv.names[2], "odd, \"name\"");
    int wrong = 0;
    for (size_t k = 0; k < ROWS; k++)
        wrong += csv.data[3 * k] != (double)k * 1e-3 ||
                 memcmp(&csv.data[3 * k + 1], &written[2 * k], 2 * sizeof(double)) != 0;
    CU_ASSERT(wrong == 0 && ln_report_errors(report) == 0 && ln_report_warnings(report) == 0);
    free(written);
    ln_arena_free(arena);
    ln_report_free(report);
}

/* No name is a formula to a spreadsheet; read back it is the name it was. */
static void names_are_no_formulas(void) {
    static const struct {
        const char *name, *written;
    } cases[] = {{"=1+1", "'=1+1"}, {"+5V", "'+5V"},       {"@SUM(A1)", "'@SUM(A1)"}, {"-x", "'-x"},
                 {"-5", "-5"},      {"+1e3", "+1e3"},      {"'=a", "''=a"},           {"'a", "'a"},
                 {"-", "'-"},       {"=a,b", "\"'=a,b\""}, {"R1.i", "R1.i"}};
    enum { CASES = sizeof cases / sizeof *cases };
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    ln_column named[CASES] = {{0}};
    double row[CASES] = {0};
    ln_text expected = {0};
    ln_csv csv;
    ln_text_add(&expected, "time");
    for (int k = 0; k < CASES; k++) {
        named[k].name = cases[k].name;
        ln_text_printf(&expected, ",%s", cases[k].written);
    }
    ln_text_add(&expected, "\n");
    ln_sink *sink = ln_sink_csv(in_folder("names.csv"), report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(sink);
    CU_ASSERT(sink->open(sink, named, CASES) == LINNET_OK && sink->row(sink, 0, row) == LINNET_OK);
    CU_ASSERT(sink->close(sink, 1) == LINNET_OK);
    CU_ASSERT(strncmp(content("names.csv"), expected.data, expected.length) == 0);
    CU_ASSERT_FATAL(ln_csv_read(in_folder("names.csv"), LN_FROM_USER, arena, report, &csv) ==
                    LINNET_OK);
    for (int k = 0; k < CASES; k++)
        CHECK_TEXT(csv.names[k + 1], cases[k].name);
    ln_text_free(&expected);
    ln_arena_free(arena);
    ln_report_free(report);
}

static void targets_that_cannot_be_written(void) {
    ln_report *report = ln_report_new(NULL, NULL);
    CU_ASSERT(ln_sink_csv(in_folder("absent/a.csv"), report) == NULL);
    CU_ASSERT(contains(report, "absent/a.csv': No such file or directory"));
    CU_ASSERT(ln_sink_csv(folder, report) == NULL);
    CU_ASSERT(contains(report, "Is a directory"));
    CU_ASSERT(ln_report_errors(report) == 2);
    ln_report_free(report);
}

/* Many rows into a sink until it says something else than done. */
static linnet_status fill(ln_sink *sink, int rows, linnet_status *closed) {
    static const double values[] = {1.0 / 3, 2.0 / 3, 1.0 / 7};
    linnet_status status = sink->open(sink, columns, 3);
    for (int k = 0; k < rows && status == LINNET_OK; k++)
        status = sink->row(sink, k, values);
    *closed = sink->close(sink, status == LINNET_OK);
    return status;
}

/* A run that fails before its first row must not take the place of an older result. */
static void runs_that_never_began_leave_nothing(void) {
    static const double values[] = {1, 2, 3};
    ln_report *report = ln_report_new(NULL, NULL);
    write_file("old.csv", "time,a\n0,1\n");
    ln_sink *sink = ln_sink_csv(in_folder("old.csv"), report);
    CU_ASSERT_FATAL(sink != NULL);
    CU_ASSERT(sink->open(sink, columns, 3) == LINNET_OK && sink->close(sink, 0) == LINNET_OK);
    CHECK_TEXT(content("old.csv"), "time,a\n0,1\n");
    CU_ASSERT(!exists("old.csv.part"));
    sink = ln_sink_csv(in_folder("old.csv"), report);
    CU_ASSERT_FATAL(sink != NULL);
    CU_ASSERT(sink->open(sink, columns, 1) == LINNET_OK && sink->row(sink, 0, values) == LINNET_OK);
    CU_ASSERT(sink->close(sink, 0) == LINNET_OK);
    CHECK_TEXT(content("old.csv"), "time,out\n0,1\n");
    ln_report_free(report);
}

static void full_devices_are_told(void) {
    ln_report *report = ln_report_new(NULL, NULL);
    linnet_status closed;
    ln_sink *sink = ln_sink_csv("/dev/full", report);
    CU_ASSERT_FATAL(sink != NULL);
    /* only the flush at the end fails */
    CU_ASSERT(fill(sink, 3, &closed) == LINNET_OK && closed == LINNET_IO);
    CU_ASSERT(contains(report, "cannot write '/dev/full': No space left on device"));
    CU_ASSERT(access("/dev/full.part", F_OK) != 0);
    sink = ln_sink_csv("/dev/full", report);
    CU_ASSERT(fill(sink, 100000, &closed) == LINNET_IO && closed == LINNET_IO);
    CU_ASSERT(ln_report_errors(report) == 2);
    ln_report_free(report);
}

static void closed_pipes_are_quiet(void) {
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    CU_ASSERT_FATAL(pipe(ends) == 0);
    int saved = dup(STDOUT_FILENO);
    fflush(stdout);
    close(ends[0]);
    dup2(ends[1], STDOUT_FILENO);
    close(ends[1]);
    ln_report *report = ln_report_new(NULL, NULL);
    linnet_status closed = LINNET_OK;
    ln_sink *sink = ln_sink_csv("-", report);
    linnet_status status = sink != NULL ? fill(sink, 100000, &closed) : LINNET_OK;
    dup2(saved, STDOUT_FILENO);
    close(saved);
    CU_ASSERT(status == LINNET_IO && closed == LINNET_IO && ln_report_errors(report) == 0);
    ln_report_free(report);
}

/* ---- failing calls ---- */

static int countdown = -1; /* calls that still succeed; -1: all */
static int has_failed;
static int interruptions; /* EINTR answers left, and short writes afterwards */

static int fails(void) {
    if (countdown != 0) {
        countdown -= countdown > 0;
        return 0;
    }
    errno = EIO;
    has_failed = 1;
    return 1;
}

static ssize_t test_write(int fd, const void *buffer, size_t bytes) {
    if (interruptions > 0 && interruptions-- % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    if (fails())
        return -1;
    return ln_sys_real.write(fd, buffer, bytes > 1000 ? 1000 : bytes);
}
static int test_open(const char *path) {
    return fails() ? -1 : ln_sys_real.open_part(path);
}
static int test_truncate(int fd, off_t length) {
    return fails() ? -1 : ln_sys_real.truncate(fd, length);
}
static int test_sync(int fd) {
    return fails() ? -1 : ln_sys_real.sync(fd);
}
static int test_close(int fd) {
    int failed = fails();
    int result = ln_sys_real.close(fd);
    if (failed)
        errno = EIO;
    return failed ? -1 : result;
}
static int test_rename(const char *from, const char *to) {
    return fails() ? -1 : ln_sys_real.rename(from, to);
}
static void *test_allocate(size_t bytes) {
    return fails() ? NULL : ln_sys_real.allocate(bytes);
}

/* Whichever call is the first to fail: one message, the right status, no file under the final name.
 */
static void every_call_may_fail(void) {
    ln_sys_table table = ln_sys_real;
    table.allocate = test_allocate;
    table.open_part = test_open;
    table.truncate = test_truncate;
    table.write = test_write;
    table.sync = test_sync;
    table.close = test_close;
    table.rename = test_rename;
    int done = 0, k = 0;
    for (; !done && k < 1000; k++) {
        ln_report *report = ln_report_new(NULL, NULL);
        linnet_status closed = LINNET_MEMORY;
        ln_sys = &table;
        countdown = k;
        has_failed = 0;
        ln_sink *sink = ln_sink_csv(in_folder("c.csv"), report);
        if (sink != NULL)
            fill(sink, 200, &closed);
        done = !has_failed;
        ln_sys = &ln_sys_real;
        countdown = -1;
        CU_ASSERT(done ? closed == LINNET_OK && ln_report_errors(report) == 0
                       : ln_report_errors(report) == 1);
        if (!done)
            CU_ASSERT(sink == NULL || closed == LINNET_IO);
        CU_ASSERT(exists("c.csv") == done);
        ln_report_free(report);
    }
    CU_ASSERT(done && k > 15);
}

static void interrupted_and_short_writes_lose_nothing(void) {
    ln_sys_table table = ln_sys_real;
    table.write = test_write;
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    linnet_status closed;
    ln_sys = &table;
    interruptions = 40;
    ln_sink *sink = ln_sink_csv(in_folder("d.csv"), report);
    CU_ASSERT(sink != NULL && fill(sink, 5000, &closed) == LINNET_OK && closed == LINNET_OK);
    ln_sys = &ln_sys_real;
    ln_csv csv;
    CU_ASSERT(ln_csv_read(in_folder("d.csv"), LN_FROM_USER, arena, report, &csv) == LINNET_OK &&
              csv.nrows == 5000);
    int wrong = 0;
    for (size_t k = 0; k < csv.nrows; k++)
        wrong += csv.data[4 * k] != (double)k || csv.data[4 * k + 3] != 1.0 / 7;
    CU_ASSERT(wrong == 0);
    ln_arena_free(arena);
    ln_report_free(report);
}

/* ---- memory ---- */

static void memory_keeps_rows(void) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_table_rows rows = {0};
    ln_sink *sink = ln_sink_memory(&rows, report);
    CU_ASSERT_FATAL(sink != NULL);
    CU_ASSERT(sink->open(sink, columns, 2) == LINNET_OK);
    for (int k = 0; k < 1000; k++)
        CU_ASSERT(sink->row(sink, k, (double[]){2.0 * k, 3.0 * k}) == LINNET_OK);
    CU_ASSERT(rows.ncolumns == 2 && rows.nrows == 1000);
    CU_ASSERT(rows.data[3 * 999] == 999 && rows.data[3 * 999 + 1] == 1998 &&
              rows.data[3 * 999 + 2] == 2997);
    CU_ASSERT(sink->close(sink, 1) == LINNET_OK);
    ln_sys->release(rows.data);
    ln_report_free(report);
}

/* As many numbers as are allowed, the time among them, and no row more; those before stay. */
static void memory_has_a_limit(void) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_table_rows rows = {.most = 11, .instead = "too many; take fewer"};
    ln_sink *sink = ln_sink_memory(&rows, report);
    CU_ASSERT_FATAL(sink != NULL);
    CU_ASSERT(sink->open(sink, columns, 2) == LINNET_OK);
    for (int k = 0; k < 3; k++)
        CU_ASSERT(sink->row(sink, k, (double[]){1, 2}) == LINNET_OK);
    CU_ASSERT(sink->row(sink, 3, (double[]){1, 2}) == LINNET_USAGE);
    CU_ASSERT(rows.nrows == 3 && rows.data[8] == 2);
    CU_ASSERT_STRING_EQUAL(ln_report_text(report, 0),
                           "error: more than 3 rows of 3 values by t = 3 s: too many; take fewer");
    CU_ASSERT(sink->close(sink, 0) == LINNET_OK);
    ln_sys->release(rows.data);
    ln_report_free(report);
}

/* ---- reading ---- */

static void read_text(const char *text, size_t nrows, const char *message) {
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    ln_csv csv;
    write_file("r.csv", text);
    linnet_status status = ln_csv_read(in_folder("r.csv"), LN_FROM_USER, arena, report, &csv);
    if (message == NULL) {
        CU_ASSERT(status == LINNET_OK && csv.nrows == nrows && ln_report_errors(report) == 0);
    } else if (nrows > 0) {
        CU_ASSERT(status == LINNET_OK && csv.nrows == nrows && ln_report_warnings(report) == 1 &&
                  contains(report, message));
    } else {
        CU_ASSERT(status == LINNET_MODEL && contains(report, message));
    }
    ln_arena_free(arena);
    ln_report_free(report);
}

static void tables_of_others(void) {
    read_text("time,a\n0,1\n1,2\n", 2, NULL);
    read_text("\xef\xbb\xbft,\"a\nb\"\r\n0, 1 \r\n\r\n1,\"2\"\r\n", 2, NULL);
    read_text("time\n0\n0\n1\n", 3, NULL);
    read_text("time,a\n", 0, NULL);
    read_text("time,a\n0,1\n1,2", 2, "the last line has no end; it counts");
    read_text("time,a\n0,1\n1,2 ", 2, "the last line has no end; it counts");
    read_text("time,a\n0,1\n1,2e", 1, "the last line has no end and is left out");
    read_text("time,a\n0,1\n1,2,3", 1, "the last line has no end and is left out");
    read_text("time,a\n0,1\n1,\"2", 1, "the last line has no end and is left out");
    read_text("time,a\n0,1\n1,-", 1, "the last line has no end and is left out");
    read_text("time\n0\n1", 2, "the last line has no end; it counts");
    read_text("time,a\n0,1\n1,2\n2,", 2, "the last line has no end");
}

/* Other separators, and a comma for the point where it separates nothing. */
static void other_separators(void) {
    static const char *const texts[] = {"time;a\n0;1,5\n2,5;-3e-1\n", "t\ta\n0\t1.5\n2.5\t-0.3\n",
                                        "time;\"a;b\"\n0;1.5\n2.5;-0,3\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        ln_arena *arena = ln_arena_new();
        ln_csv csv;
        write_file("r.csv", texts[k]);
        CU_ASSERT(ln_csv_read(in_folder("r.csv"), LN_FROM_USER, arena, NULL, &csv) == LINNET_OK);
        CU_ASSERT(csv.ncolumns == 2 && csv.nrows == 2 && csv.data[1] == 1.5 && csv.data[2] == 2.5 &&
                  csv.data[3] == -0.3);
        ln_arena_free(arena);
    }
}

static void faults_are_told_with_their_line(void) {
    read_text("", 0, "the file holds no line");
    read_text("x,a\n0,1\n", 0, "r.csv:1: error: the first column is 'x', expected 'time'");
    read_text("time;a\n0;1;2\n", 0, "r.csv:2: error: the line has more than the 2 columns");
    read_text("time,\n0,1\n", 0, "r.csv:1: error: column 2 has no name");
    read_text("time,a\n0,1\n1,x\n", 0, "r.csv:3: error: column 2 (a): 'x' is not a number");
    read_text("time,a\n0,1\n1\n", 0, "r.csv:3: error: the line has less than the 2 columns");
    read_text("time,a\n0,1,2\n", 0, "r.csv:2: error: the line has more than the 2 columns");
    read_text("time,a\n\n1,1\n0.5,1\n", 0, "r.csv:4: error: the time 0.5 does not follow");
    read_text("time,a\nnan,1\n", 0, "times must be finite");
    read_text("time,a\n0,0x10\n", 0, "'0x10' is not a number");
    read_text("time,\"a\n0,1\n", 0, "r.csv:1: error: a quote is not closed");
    read_text("time,\"a\"b\n0,1\n", 0, "text behind a closing quote");
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    ln_csv csv;
    CU_ASSERT(ln_csv_read(in_folder("absent.csv"), LN_FROM_USER, arena, report, &csv) == LINNET_IO);
    CU_ASSERT(contains(report, "absent.csv': No such file or directory"));
    CU_ASSERT(ln_csv_read(folder, LN_FROM_USER, arena, report, &csv) == LINNET_IO);
    ln_arena_free(arena);
    ln_report_free(report);
}

/* A header of many columns over many empty lines asks for no more memory than the file has bytes.
 */
static void memory_is_bounded_by_the_file(void) {
    enum { COLUMNS = 50000, LINES = 50000 };
    FILE *file = fopen(in_folder("wide.csv"), "w");
    CU_ASSERT_FATAL(file != NULL);
    fputs("time", file);
    for (int k = 0; k < COLUMNS; k++)
        fputs(",a", file);
    for (int k = 0; k < LINES; k++)
        fputc('\n', file);
    fclose(file);
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    ln_csv csv;
    CU_ASSERT(ln_csv_read(in_folder("wide.csv"), LN_FROM_USER, arena, report, &csv) == LINNET_OK &&
              csv.nrows == 0);
    CU_ASSERT(ln_arena_used(arena) < 10u * 1000 * 1000);
    ln_arena_free(arena);
    ln_report_free(report);
}

static void make_folder(void) {
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
}

static void remove_folder(void) {
    static const char *const names[] = {"a.csv",   "b.csv", "c.csv",    "d.csv",
                                        "old.csv", "r.csv", "wide.csv", "names.csv"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        CU_ASSERT(unlink(in_folder(names[k])) == 0);
    unlink(in_folder("c.csv.part"));
    CU_ASSERT(rmdir(folder) == 0);
}

UNIT_MAIN({"a folder for files", make_folder},
          {"rows are written exactly", rows_are_written_exactly},
          {"what is written reads back", what_is_written_reads_back},
          {"no formulas", names_are_no_formulas},
          {"targets that cannot be written", targets_that_cannot_be_written},
          {"runs that never began", runs_that_never_began_leave_nothing},
          {"full devices are told", full_devices_are_told},
          {"closed pipes are quiet", closed_pipes_are_quiet},
          {"other separators", other_separators}, {"every call may fail", every_call_may_fail},
          {"interrupted and short writes", interrupted_and_short_writes_lose_nothing},
          {"memory keeps rows", memory_keeps_rows}, {"memory has a limit", memory_has_a_limit},
          {"tables of others", tables_of_others},
          {"faults are told with their line", faults_are_told_with_their_line},
          {"memory is bounded by the file", memory_is_bounded_by_the_file},
          {"the folder is removed", remove_folder})
