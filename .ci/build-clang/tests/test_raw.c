/* SPDX-License-Identifier: MIT */
/* SPICE rawfiles: what is written reads back exactly, as do files in ngspice's and in others'
 * manner; what is torn is told with the points that are whole; what is none is refused.
 * tests/raw.sh asks ngspice itself. */
#include "messages.h"
#include "unit.h"

#include "base/sys.h"
#include "result/sink.h"

#include <stdlib.h>
#include <unistd.h>

static char path[] = "/tmp/linnet-raw-XXXXXX";

typedef struct reading {
    ln_report *report;
    ln_arena *arena;
    ln_csv csv;
    linnet_status status;
} reading;

static reading read_back(int as_trajectory) {
    reading file_read = {.report = ln_report_new(NULL, NULL), .arena = ln_arena_new()};
    file_read.status = (as_trajectory ? ln_csv_read : ln_csv_read_columns)(
        path, LN_FROM_USER, file_read.arena, file_read.report, &file_read.csv);
    return file_read;
}

static void done(reading *file_read) {
    ln_arena_free(file_read->arena);
    ln_report_free(file_read->report);
}

static void write_bytes(const char *text, const void *bytes, size_t count) {
    FILE *file = fopen(path, "w");
    CU_ASSERT_FATAL(file != NULL);
    fputs(text, file);
    CU_ASSERT(count == 0 || fwrite(bytes, 1, count, file) == count);
    fclose(file);
}

static void round_trip(int as_text) {
    static const ln_column columns[] = {{"out", "V", 0}, {"a name", NULL, 0}};
    static const double values[] = {0.1, -1e-300, NAN, INFINITY, 12345678.9, -INFINITY};
    const ln_result_head head = {
        .title = "a title\nin two lines", .first = {"time", "s"}, .as_text = as_text};
    ln_report *report = ln_report_new(NULL, NULL);
    ln_sink *sink = ln_sink_raw(path, &head, report);
    CU_ASSERT_FATAL(sink != NULL);
    CU_ASSERT(sink->open(sink, columns, 2) == LINNET_OK);
    for (int k = 0; k < 3; k++)
        CU_ASSERT(sink->row(sink, k / 3.0, values + 2 * k) == LINNET_OK);
    CU_ASSERT(sink->close(sink, 1) == LINNET_OK && ln_report_errors(report) == 0);
    ln_report_free(report);
    reading file_read = read_back(1);
    CU_ASSERT_FATAL(file_read.status == LINNET_OK && file_read.csv.ncolumns == 3 &&
                    file_read.csv.nrows == 3);
    CHECK_TEXT(file_read.csv.names[0], "time");
    CHECK_TEXT(file_read.csv.names[2], "a_name");
    for (int k = 0; k < 3; k++) {
        CU_ASSERT(file_read.csv.data[3 * k] == k / 3.0);
        for (int j = 0; j < 2; j++) {
            double got = file_read.csv.data[3 * k + 1 + j], put = values[2 * k + j];
            CU_ASSERT(isnan(put) ? isnan(got) : got == put);
        }
    }
    CU_ASSERT(ln_report_warnings(file_read.report) == 0);
    done(&file_read);
}

static void binary_reads_back(void) {
    round_trip(0);
}
static void text_reads_back(void) {
    round_trip(1);
}

static void empty_runs_leave_nothing(void) {
    const ln_result_head head = {.first = {"time", "s"}};
    ln_report *report = ln_report_new(NULL, NULL);
    write_bytes("old", NULL, 0);
    ln_sink *sink = ln_sink_raw(path, &head, report);
    CU_ASSERT_FATAL(sink != NULL);
    CU_ASSERT(sink->open(sink, NULL, 0) == LINNET_OK && sink->close(sink, 0) == LINNET_OK);
    char kept[8] = "";
    FILE *file = fopen(path, "r");
    CU_ASSERT(file != NULL && fgets(kept, sizeof kept, file) != NULL);
    if (file != NULL)
        fclose(file);
    CHECK_TEXT(kept, "old");
    CU_ASSERT(ln_sink_raw("-", &head, report) == NULL && contains(report, "standard output"));
    ln_report_free(report);
}

static void names_as_spice_writes_them(void) {
    write_bytes("Title: * a deck\nDate: today\nPlotname: Operating Point\nFlags: real\nNo. "
                "Variables: 1\nNo. Points: 1\n"
                "Variables:\n\t0\tv(out)\tvoltage\nValues:\n 0\t5\n\n"
                "Title: * a deck\r\nDate: today\r\nPlotname: Transient Analysis\r\nFlags: "
                "real\r\nNo. Variables: 4\r\n"
                "No. Points: 2 \r\nCommand: version "
                "39\r\nVariables:\r\n\t0\ttime\ttime\r\n\t1\tv(x1.out)\tvoltage\r\n"
                "\t2\ti(v1)\tcurrent\r\n\t3\ti(r1.i)\tcurrent\r\nValues:\r\n "
                "0\t0\r\n\t1.5\r\n\t-2e-3\r\n\t3\r\n\r\n"
                " 1\t1e-3\r\n\t2.5\r\n\t-3e-3\r\n\t4\r\n\r\n",
                NULL, 0);
    reading file_read = read_back(1);
    CU_ASSERT_FATAL(file_read.status == LINNET_OK && file_read.csv.ncolumns == 4 &&
                    file_read.csv.nrows == 2);
    CHECK_TEXT(file_read.csv.names[1], "x1.out");
    CHECK_TEXT(file_read.csv.names[2], "v1.i");
    CHECK_TEXT(file_read.csv.names[3], "r1.i");
    CU_ASSERT(file_read.csv.data[4] == 1e-3 && file_read.csv.data[5] == 2.5 &&
              file_read.csv.data[6] == -3e-3 && file_read.csv.data[7] == 4);
    done(&file_read);
}

#define HEAD(points)                                                                 \
    "Title: x\nPlotname: p\nFlags: real\nNo. Variables: 2\nNo. Points: " points "\n" \
    "Variables:\n\t0\ttime\ttime\n\t1\ta\tvoltage\n"

static void torn_files(void) {
    static const double numbers[] = {0, 5, 1, 6, 2};
    write_bytes(HEAD("0    ") "Binary:\n", numbers, sizeof numbers);
    reading file_read = read_back(1);
    CU_ASSERT(file_read.status == LINNET_OK && file_read.csv.nrows == 2 &&
              file_read.csv.data[3] == 6);
    done(&file_read);
    write_bytes(HEAD("3") "Binary:\n", numbers, sizeof numbers);
    file_read = read_back(1);
    CU_ASSERT(file_read.status == LINNET_OK && file_read.csv.nrows == 2 &&
              contains(file_read.report, "has 2 points of the 3"));
    done(&file_read);
    write_bytes(HEAD("1000000000000") "Values:\n0\t0\n\t5\n1\t1\n", NULL, 0);
    file_read = read_back(1);
    CU_ASSERT(file_read.status == LINNET_OK && file_read.csv.nrows == 1);
    done(&file_read);
}

static void refuse(const char *text, const char *message) {
    write_bytes(text, NULL, 0);
    reading file_read = read_back(1);
    CU_ASSERT(file_read.status == LINNET_MODEL && contains(file_read.report, message));
    done(&file_read);
}

static void what_is_none(void) {
    refuse("Title: x\n", "it has no values");
    refuse("Title: x\nNo. Variables: 1e9\nNo. Points: 1\nVariables:\n\t0\ttime\ttime\n",
           "the number of variables");
    refuse("Title: x\nNo. Variables: -2\n", "a number in its head");
    refuse("Title: x\nNo. Variables: 3\nNo. Points: 1\nVariables:\n\t0\ttime\ttime\n", "cut off");
    refuse("Title: x\nBinary:\n", "names no variables");
    refuse(HEAD("2") "Values:\n0\t1\n\t5\n1\t0\n\t5\n", "the time 0 of point 1 does not follow");
    refuse("Title: x\nFlags: complex\nNo. Variables: 1\nNo. Points: "
           "1\nVariables:\n\t0\tfrequency\tfrequency\nValues:\n0\t1,0\n",
           "'frequency', expected 'time'");
    reading complex_read = read_back(0);
    CU_ASSERT(complex_read.status == LINNET_OK && complex_read.csv.nrows == 1 &&
              complex_read.csv.ncolumns == 1 && complex_read.csv.data[0] == 1);
    done(&complex_read);
    refuse("Title: x\nFlags: real\nNo. Variables: 1\nNo. Points: "
           "1\nVariables:\n\t0\tv-sweep\tvoltage\nValues:\n0\t1\n",
           "'v-sweep', expected 'time'");
    reading file_read = read_back(0);
    CU_ASSERT(file_read.status == LINNET_OK && file_read.csv.nrows == 1);
    done(&file_read);
}

static void make_file(void) {
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0 && close(fd) == 0);
}
static void remove_file(void) {
    CU_ASSERT(unlink(path) == 0);
}

UNIT_MAIN({"a file", make_file}, {"binary reads back", binary_reads_back},
          {"text reads back", text_reads_back},
          {"runs without rows leave nothing", empty_runs_leave_nothing},
          {"names as SPICE writes them", names_as_spice_writes_them}, {"torn files", torn_files},
          {"what is no rawfile of a run", what_is_none}, {"the file is removed", remove_file})
