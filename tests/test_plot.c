/* SPDX-License-Identifier: MIT */
/* Pictures: what gnuplot is told (a program in its place listens), that thinning loses nothing that
 * can be seen, that names cannot command, and what happens when gnuplot is missing or fails. */
#include "messages.h"
#include "unit.h"

#include "base/sys.h"
#include "plot/plot.h"
#include "plot/script.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- thinning ---- */

typedef struct kept {
    double x[20000], y[20000];
    size_t count, gaps;
} kept;
static kept points;

static void keep(void *context, double x, double y) {
    kept *curve = context;
    if (isnan(x)) {
        curve->gaps++;
        return;
    }
    curve->x[curve->count] = x;
    curve->y[curve->count++] = y;
}

enum { MANY = 200000 };
static double xs[MANY], ys[MANY];

static void thin(const ln_plot_curve *curve, const ln_plot_axis *x, const ln_plot_axis *y,
                 int pixels) {
    double rx[2] = {INFINITY, -INFINITY}, ry[2] = {INFINITY, -INFINITY};
    ln_plot_range(curve, x, y, rx, ry);
    points.count = points.gaps = 0;
    ln_plot_thin(curve, &(ln_plot_view){x, y, rx, ry, pixels}, keep, &points);
}

/* A spike of one sample among 200 000 is drawn, and so are the ends; times still rise. */
static void keeps_peaks(void) {
    for (int k = 0; k < MANY; k++) {
        xs[k] = 1e-3 * k;
        ys[k] = sin(xs[k]);
    }
    ys[77777] = 5;
    ys[123456] = -7;
    ln_plot_axis linear = {0};
    ln_plot_curve curve = {.x = xs, .y = ys, .count = MANY};
    thin(&curve, &linear, &linear, 1000);
    CU_ASSERT(points.count <= 4 * 1001 && points.count > 1000);
    int high = 0, low = 0, falls = 0;
    for (size_t k = 0; k < points.count; k++) {
        high += points.x[k] == xs[77777] && points.y[k] == 5;
        low += points.x[k] == xs[123456] && points.y[k] == -7;
        falls += k > 0 && points.x[k] <= points.x[k - 1];
    }
    CU_ASSERT(high == 1 && low == 1 && falls == 0);
    CU_ASSERT(points.x[0] == xs[0] && points.x[points.count - 1] == xs[MANY - 1]);
}

/* A circle run through many times has a circumference of so many pixels: no more is drawn than
 * thrice that a round, and neighbours are nowhere further apart than two thirds of a pixel. */
static void thins_a_locus(void) {
    for (int k = 0; k < MANY; k++) {
        xs[k] = cos(2 * 3.14159265358979 * k / MANY);
        ys[k] = sin(2 * 3.14159265358979 * k / MANY);
    }
    ln_plot_axis linear = {0};
    ln_plot_curve curve = {.x = xs, .y = ys, .count = MANY};
    thin(&curve, &linear, &linear, 200);
    double gap = 0;
    for (size_t k = 1; k < points.count; k++)
        gap = fmax(gap, hypot(points.x[k] - points.x[k - 1], points.y[k] - points.y[k - 1]) * 100);
    CU_ASSERT((double)points.count < 3 * 200 * 3.2 + 2 && gap < 0.67);
}

/* What cannot be drawn is a gap, few points stay as they are, a stride picks a column. */
static void leaves_gaps(void) {
    const double rows[] = {1, 10, 2, NAN, 3, -1, 4, 1000, 5, 2000};
    ln_plot_axis x = {0}, y = {.logarithmic = 1};
    ln_plot_curve curve = {.x = rows, .y = rows + 1, .count = 5, .stride = 2};
    thin(&curve, &x, &y, 100);
    CU_ASSERT(points.count == 3 && points.gaps == 1);
    CU_ASSERT(points.y[0] == 10 && points.y[1] == 1000 && points.y[2] == 2000);
}

/* ---- axes and looks ---- */

/* Prefixes make the largest number lie between 1 and 1000; no curve lies on the frame. */
static void axes_are_short_and_wide(void) {
    static const struct {
        const char *unit;
        double low, high, factor;
        const char *shown;
    } cases[] = {{"s", 0, 0.02, 1e-3, "ms"},
                 {"V", -325, 325, 1, "V"},
                 {"A", 1e-7, 4.7e-6, 1e-6, "\xC2\xB5\x41"},
                 {"Hz", 0, 1e6, 1e6, "MHz"},
                 {"m/s", 0, 2500, 1e3, "km/s"},
                 {"m^2", 0, 2500, 1, "m^2"},
                 {"K", 0, 5000, 1, "K"},
                 {"kg", 0, 5000, 1, "kg"},
                 {"", 0, 1e9, 1, ""},
                 {"V", 0, 0, 1, "V"},
                 {"s", 0, 1e-30, 1, "s"},
                 {"s", 0, 86400, 1, "s"}, /* nobody says kiloseconds */
                 {"W", 0, 1e30, 1e18, "EW"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const ln_plot_axis axis = {.unit = cases[k].unit};
        const double range[2] = {cases[k].low, cases[k].high};
        ln_plot_scale scale;
        ln_plot_scale_of(&axis, range, 0.05, &scale);
        CHECK_TEXT(scale.unit, cases[k].shown);
        CHECK_CLOSE(scale.factor / cases[k].factor, 1, 1e-12);
        CU_ASSERT(scale.low < range[0] && scale.high > range[1]);
    }
    const ln_plot_axis decades = {.unit = "Hz", .logarithmic = 1};
    const double range[2] = {1, 1e6};
    ln_plot_scale scale;
    ln_plot_scale_of(&decades, range, 0, &scale);
    CU_ASSERT(scale.powers && scale.low == 1 && scale.high == 1e6 && scale.factor == 1);
}

/* Quantities have their prefix; texts beside points cover none, and stay in the frame. */
static void notes_stand_apart(void) {
    char text[LN_PLOT_QUANTITY];
    ln_plot_quantity(text, 0.028317, "A");
    CHECK_TEXT(text, "28.317 mA");
    ln_plot_quantity(text, -2.5, "");
    CHECK_TEXT(text, "-2.5");
    const ln_plot_note notes[] = {{0.1, 0.99, "second of its place"},
                                  {0.1, 0.98, "first of its place"},
                                  {0.2, 0.97, "covered by both"},
                                  {0.9, 0.97, "alone"},
                                  {0.5, 0.10, "far below"}};
    enum { COUNT = sizeof notes / sizeof *notes };
    const ln_plot_panel panel = {.notes = notes, .nnotes = COUNT};
    const ln_plot_scale scale = {.low = 0, .high = 1, .factor = 1};
    const ln_plot_frame frame = {&scale, &scale, 60, 20, 1, 1};
    double at[COUNT];
    CU_ASSERT(ln_plot_place_notes(&panel, &frame, at));
    for (int k = 0; k < COUNT; k++)
        CU_ASSERT(at[k] <= 0.95 + 1e-12); /* a line is a twentieth */
    CU_ASSERT(fabs(at[0] - at[1]) >= 0.05 && fabs(at[0] - at[2]) >= 0.05 &&
              fabs(at[1] - at[2]) >= 0.05);
    CHECK_CLOSE(at[3], 0.95, 1e-12);
    CHECK_CLOSE(at[4], 0.10, 1e-12);
    CU_ASSERT(ln_plot_note_left(&notes[3], &panel.x, &scale));
    CU_ASSERT(!ln_plot_note_left(&notes[4], &panel.x, &scale));
}

/* Sixteen curves are told apart by colour or dash, on either ground; shades run from end to end. */
static void curves_are_told_apart(void) {
    for (int dark = 0; dark < 2; dark++) {
        const ln_plot plot = {.dark = dark, .shade_low = 1, .shade_high = 3};
        char seen[16][16], colour[8];
        for (int k = 0; k < 16; k++) {
            const ln_plot_look look =
                ln_plot_look_of(&plot, &(ln_plot_curve){.colour = 0}, k, colour);
            snprintf(seen[k], sizeof seen[k], "%s %d", colour, look.dash);
            for (int j = 0; j < k; j++)
                CU_ASSERT(strcmp(seen[j], seen[k]) != 0);
        }
        (void)ln_plot_look_of(&plot, &(ln_plot_curve){.shaded = 1, .shade = 1}, 0, colour);
        CHECK_TEXT(colour, "#440154");
        (void)ln_plot_look_of(&plot, &(ln_plot_curve){.shaded = 1, .shade = 3}, 0, colour);
        CHECK_TEXT(colour, "#fde725");
    }
}

/* ---- a listener in gnuplot's place ---- */

static char told[100000];
static int answer, reason;

static int listen(const ln_sys_child *child) {
    if (child->length > 0 && child->length < sizeof told)
        memcpy(told, child->input, child->length);
    told[child->length] = '\0';
    snprintf(child->said, child->room, "line 3: something\nwrong");
    if (answer == 0 && write(child->output, "picture", 7) != 7)
        return 1;
    errno = reason;
    return answer;
}

static linnet_status draw(const char *name, const char *path, ln_report *report) {
    static const double t[] = {1, 2, 3}, v[] = {1, 10, 1000};
    ln_plot_curve curve = {.name = name, .x = t, .y = v, .count = 3};
    ln_plot_panel panel = {.title = name,
                           .x = {.label = name, .unit = "s"},
                           .y = {.logarithmic = 1},
                           .curves = &curve,
                           .ncurves = 1};
    ln_plot plot = {.panels = &panel, .npanels = 1};
    return ln_plot_draw(&plot, path, report);
}

/* Every quoted text of the script is closed on its line, and the hostile name is data only. */
static void quotes_names(void) {
    ln_sys_table table = ln_sys_real;
    table.run = listen;
    ln_sys = &table;
    answer = 0;
    CU_ASSERT(draw("a'; system 'touch x'\n`ls` \\ \xff \xc3\xa4_^", "-", NULL) == LINNET_OK);
    CU_ASSERT(
        strstr(told, "title 'a\u2019; system \u2019touch x\u2019\\x0a`ls` \\ \\xff \xc3\xa4_^'") !=
        NULL);
    for (char *line = told, *end; *line != '\0'; line = end + 1) {
        end = strchr(line, '\n');
        int quotes = 0;
        for (char *c = line; c < end; c++)
            quotes += *c == '\'';
        CU_ASSERT(quotes % 2 == 0);
    }
    CU_ASSERT(strstr(told, "set logscale y 10") != NULL &&
              strstr(told, "unset logscale x") != NULL);
    ln_sys = &ln_sys_real;
}

/* Missing, failing and killed gnuplot; no file is left. */
static void tells_failures(void) {
    char path[] = "/tmp/linnet-plot-XXXXXX.svg", part[64];
    int made = mkstemps(path, 4);
    CU_ASSERT_FATAL(made >= 0);
    (void)close(made);
    (void)unlink(path);
    snprintf(part, sizeof part, "%s.part", path);
    ln_sys_table table = ln_sys_real;
    table.run = listen;
    ln_sys = &table;
    ln_report *report = ln_report_new(NULL, NULL);
    answer = -1;
    reason = ENOENT;
    CU_ASSERT(draw("v", path, report) == LINNET_IO && contains(report, "install gnuplot"));
    CU_ASSERT(ln_plot_check(path, report) == LINNET_IO);
    reason = EACCES;
    CU_ASSERT(draw("v", path, report) == LINNET_IO &&
              contains(report, "cannot be started: Permission denied"));
    answer = 1;
    CU_ASSERT(draw("v", path, report) == LINNET_IO &&
              contains(report, "status 1: line 3: something wrong"));
    answer = 137;
    CU_ASSERT(draw("v", path, report) == LINNET_IO && contains(report, "signal 9"));
    CU_ASSERT(access(path, F_OK) != 0 && access(part, F_OK) != 0);
    answer = reason = 0;
    CU_ASSERT(draw("v", path, report) == LINNET_OK && access(path, F_OK) == 0 &&
              access(part, F_OK) != 0);
    CU_ASSERT(draw("v", "picture.gif", report) == LINNET_USAGE &&
              contains(report, ".svg, .png, .pdf, .html or .json"));
    (void)unlink(path);
    ln_sys = &ln_sys_real;
    ln_report_free(report);
}

/* ---- children ---- */

/* A child that reads much and says much at the same time does not stall; one that reads nothing
 * does no harm. */
static void runs_children(void) {
    static char much[1 << 20], said[100];
    memset(much, 'x', sizeof much);
    int out = ln_sys->open_write("/dev/null");
    const char *const both[] = {"sh", "-c", "cat >&2; exit 7", NULL},
                      *const deaf[] = {"true", NULL},
                      *const none[] = {"linnet-no-such-program", NULL},
                      *const killed[] = {"sh", "-c", "kill -9 $$", NULL};
    ln_sys_child child = {both, much, sizeof much, out, said, sizeof said};
    CU_ASSERT(ln_sys->run(&child) == 7 && strlen(said) == sizeof said - 1);
    child.arguments = deaf;
    CU_ASSERT(ln_sys->run(&child) == 0 && said[0] == '\0');
    child.arguments = killed;
    CU_ASSERT(ln_sys->run(&child) == 137);
    child.arguments = none;
    CU_ASSERT(ln_sys->run(&child) == -1 && errno == ENOENT);
    (void)ln_sys->close(out);
}

/* What a child writes comes through in order, also where it goes by single bytes; where it cannot
 * be written that is told, although the child does not look, and a child that would write for ever
 * ends. */
static ssize_t write_byte(int fd, const void *bytes, size_t count) {
    return write(fd, bytes, count > 1 ? 1 : count);
}

static void hands_on(void) {
    char said[100], got[10000];
    ln_sys_table table = ln_sys_real;
    const char *const counts[] = {"sh", "-c", "seq 1000", NULL},
                      *const endless[] = {"sh", "-c", "trap '' PIPE; yes 2>&-; exit 0", NULL};
    const int ends = ln_sys->open_write("/dev/full");
    int ways[2];
    CU_ASSERT_FATAL(pipe(ways) == 0);
    ln_sys_child child = {counts, "", 0, ways[1], said, sizeof said};
    table.write = write_byte;
    ln_sys = &table;
    CU_ASSERT(ln_sys->run(&child) == 0);
    ln_sys = &ln_sys_real;
    const ssize_t length = read(ways[0], got, sizeof got);
    CU_ASSERT(length == 3893 && memcmp(got, "1\n2\n3\n", 6) == 0 &&
              memcmp(got + length - 9, "999\n1000\n", 9) == 0);
    child.output = ends;
    CU_ASSERT(ln_sys->run(&child) == LN_UNWRITTEN && errno == ENOSPC);
    child.arguments = endless;
    CU_ASSERT(ln_sys->run(&child) == LN_UNWRITTEN && errno == ENOSPC);
    (void)ln_sys->close(ways[0]);
    child.output = ways[1];
    void (*const before)(int) = signal(SIGPIPE, SIG_IGN);
    CU_ASSERT(ln_sys->run(&child) == LN_UNWRITTEN && errno == EPIPE);
    (void)signal(SIGPIPE, before);
    (void)ln_sys->close(ways[1]);
    (void)ln_sys->close(ends);
}

static int asked;
static int interrupt(void) {
    asked++;
    return SIGTERM;
}

/* A child that is to end ends with all that it has started, also once it has nothing to say any
 * more. */
static void stops_children(void) {
    char said[100];
    int out = ln_sys->open_write("/dev/null");
    const char *const family[] = {"sh", "-c",
                                  "(trap 'echo gone >&2; exit' TERM; sleep 60 & wait) & wait",
                                  NULL},
                      *const silent[] = {"sh", "-c", "exec 2>&-; sleep 60", NULL};
    ln_sys_child child = {family, "", 0, out, said, sizeof said};
    const double begin = ln_sys->clock();
    ln_sys_table table = ln_sys_real;
    table.interrupted = interrupt;
    ln_sys = &table;
    asked = 0;
    CU_ASSERT(ln_sys->run(&child) == -1 && errno == EINTR && asked == 1);
    child.arguments = silent;
    CU_ASSERT(ln_sys->run(&child) == -1 && errno == EINTR && said[0] == '\0');
    ln_sys = &ln_sys_real;
    CU_ASSERT(ln_sys->clock() - begin < 30);
    (void)ln_sys->close(out);
}

UNIT_MAIN({"thinning keeps peaks", keeps_peaks}, {"thinning follows a locus", thins_a_locus},
          {"gaps", leaves_gaps}, {"axes", axes_are_short_and_wide},
          {"notes stand apart", notes_stand_apart}, {"sixteen curves", curves_are_told_apart},
          {"names are data", quotes_names}, {"failures are told", tells_failures},
          {"children are fed and heard", runs_children},
          {"children's output is handed on", hands_on},
          {"children end with all that they started", stops_children})
