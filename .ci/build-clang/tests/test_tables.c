/* SPDX-License-Identifier: MIT */
/* Tables against what defines them: straight lines and cubics that every method must reproduce or
 * that were worked out from the papers' formulas by hand, integrals across their kinks, files, and
 * what must be refused. */
#include "harness.h"
#include "unit.h"

#include <stdlib.h>
#include <unistd.h>

#define PI 3.14159265358979323846
#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"

/* The table's value at one argument. */
static double value_at(const char *attributes, double x) {
    char xml[1024];
    snprintf(xml, sizeof xml,
             MODEL("<constant id='c' out='u' value='%.17g'/><lookup id='l' in='u' out='y' %s/>"), x,
             attributes);
    return harness_end(xml, "y", "rk4", 0.1, 0.1);
}

static double map_at(const char *attributes, double x, double y) {
    char xml[1024];
    snprintf(
        xml, sizeof xml,
        MODEL("<constant id='c' out='u' value='%.17g'/><constant id='d' out='v' value='%.17g'/>"
              "<lookup-2d id='l' in='u' by='v' out='y' %s/>"),
        x, y, attributes);
    return harness_end(xml, "y", "rk4", 0.1, 0.1);
}

static void methods(void) {
    static const struct {
        const char *attributes;
        double x, y;
    } cases[] = {
        {"points='0 1; 1 3; 3 2'", 0.25, 1.5},
        {"points='0 1; 1 3; 3 2'", 2, 2.5},
        {"points='0 1; 1 3; 3 2'", -4, 1},
        {"points='0 1; 1 3; 3 2'", 9, 2},
        {"points='0 1; 1 3; 3 2' outside='extrapolate'", -1, -1},
        {"points='0 1; 1 3; 3 2' outside='extrapolate'", 5, 1},
        {"points='0 1; 1 3; 3 2' outside='periodic'", 3.25, 1.5},
        {"points='0 1; 1 3; 3 2' outside='periodic'", -1, 2.5},
        {"points='0 1; 1 3; 1 7; 3 2'", 2, 4.5},
        {"points='0 1; 1 3; 3 2' method='previous'", 0.99, 1},
        {"points='0 1; 1 3; 3 2' method='previous'", 1, 3},
        {"points='0 1; 1 3; 3 2' method='previous'", 3.5, 2},
        {"points='0 1; 1 3; 3 2' method='next'", 0.01, 3},
        {"points='0 1; 1 3; 3 2' method='next'", -1, 1},
        {"points='0 1; 1 3; 3 2' method='nearest'", 0.49, 1},
        {"points='0 1; 1 3; 3 2' method='nearest'", 0.51, 3},
        {"points='0 1; 1 3; 3 2' method='nearest'", 2.1, 2},
        {"points='0 1; 1 3; 3 2' method='nearest'", -5, 1},
        {"points='0 1; 1 3; 3 2' method='nearest'", 50, 2},
        /* both cubics keep a straight line, and Akima's a parabola with equal steps */
        {"points='0 1; 1 3; 2.5 6; 3 7' method='monotone' outside='extrapolate'", 1.7, 4.4},
        {"points='0 1; 1 3; 2.5 6; 3 7' method='akima' outside='extrapolate'", 4, 9},
        {"points='0 0; 1 1; 2 4; 3 9; 4 16' method='akima'", 2.5, 6.25},
        {"points='0 0; 1 1; 2 4; 3 9; 4 16' method='akima'", 0.3, 0.09},
        /* Steffen: slopes at 0, 1, 2 of 0 1 4 are 0 (p = 0), 1.5 (p = 2 > 1.5? no: min(1, 3, 1)*2 =
           2), 4 */
        {"points='0 0; 1 1; 2 4' method='monotone'", 0.5, 0.5 * 1 - 2.0 / 8},
        {"points='0 0; 1 1; 2 4' method='monotone'", 1.5, 0.5 * (1 + 4) + (2.0 - 4) / 8},
        /* a local extremum of the data stays one: slope 0 at 1 */
        {"points='0 0; 1 1; 2 0; 3 5' method='monotone'", 1.5, 0.5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double y = value_at(cases[k].attributes, cases[k].x);
        CHECK_CLOSE(y, cases[k].y, 1e-14);
        if (!(fabs(y - cases[k].y) <= 1e-12))
            printf("\n    %s at %g: %.15g\n", cases[k].attributes, cases[k].x, y);
    }
}

/* Monotone data make a monotone curve, whatever they are. */
static void monotone_stays_so(void) {
    double before = -INFINITY;
    for (double x = -0.5; x < 6; x += 0.01) {
        double y = value_at(
            "points='0 0; 1 0.01; 2 5; 3 5; 4 5.1; 5 40' method='monotone' outside='extrapolate'",
            x);
        CU_ASSERT(y >= before - 1e-12);
        before = y;
    }
}

#define GRID "x='0 1 3' y='-1 0 2 3' "
static void maps(void) {
    /* 2 + 3 x - y + x y is in every bilinear patch */
    const char *plane = GRID "values='3 2 0 -1; 5 5 5 5; 9 11 15 17'";
    for (double x = 0; x <= 3; x += 0.37)
        for (double y = -1; y <= 3; y += 0.41)
            CHECK_CLOSE(map_at(plane, x, y), 2 + 3 * x - y + x * y, 1e-13);
    CHECK_CLOSE(map_at(plane, 10, 10), 17, 0);
    CHECK_CLOSE(map_at(plane, -10, 0.5), 1.5, 1e-14);
    CHECK_CLOSE(
        map_at(GRID "outside='extrapolate' values='3 2 0 -1; 5 5 5 5; 9 11 15 17'", 10, -10),
        2 + 30 + 10 - 100, 1e-12);
    CHECK_CLOSE(
        map_at(GRID "outside='extrapolate' method='monotone' values='3 2 0 -1; 5 4 2 1; 9 8 6 5'",
               2.2, 2.7),
        2 + 2 * 2.2 - 2.7, 1e-14);
    CHECK_CLOSE(map_at(GRID "method='previous' values='3 2 0 -1; 5 5 5 5; 9 11 15 17'", 2.9, 1.9),
                5, 0);
    CHECK_CLOSE(map_at(GRID "method='nearest' values='3 2 0 -1; 5 5 5 5; 9 11 15 17'", 2.9, 1.9),
                15, 0);
    /* a product of a function of x and the constant one is that function */
    const double wanted = value_at("points='0 0; 1 1; 3 0; 4 6' method='akima'", 2.3);
    CHECK_CLOSE(map_at("x='0 1 3 4' y='0 1 2' method='akima' values='0 0 0; 1 1 1; 0 0 0; 6 6 6'",
                       2.3, 1.6),
                wanted, 1e-13);
}

/* Behind an integrator: rk4 is exact on the pieces of a straight-line table when every kink ends a
 * step. */
static void kinks_are_met(void) {
    const char *triangle =
        MODEL("<ramp id='r' out='u' slope='1.3'/><lookup id='l' in='u' out='v' "
              "points='0 0; 0.37 2; 1.11 -1; 2 0.5'/><integrator id='i' in='v' out='y'/>");
    const double area = (0.37 * 1 + 0.74 * 0.5 - 0.89 * 0.25 + 0.6 * 0.5) / 1.3;
    CHECK_CLOSE(harness_end(triangle, "y", "rk4", 2, 0.5), area, 1e-11);
    CHECK_CLOSE(harness_end(triangle, "y", "tr-bdf2", 2, 0.1), area, 1e-3);
    const char *staircase =
        MODEL("<time-table id='l' out='v' points='0 1; 0.3 2; 0.7 -1; 1 1' method='previous' "
              "outside='periodic'/><integrator id='i' in='v' out='y'/>");
    CHECK_CLOSE(harness_end(staircase, "y", "rk4", 2.5, 0.4), 2 * (0.3 + 0.8 - 0.3) + 0.3 + 2 * 0.2,
                1e-12);
    /* the input turns within a piece and comes back over a kink */
    const char *turning =
        MODEL("<sine id='s' out='u' frequency='1 Hz'/><lookup id='l' in='u' out='v' "
              "points='-1 1; 0 0; 1 1'/><integrator id='i' in='v' out='y'/>");
    CHECK_CLOSE(harness_end(turning, "y", "rk4", 1, 0.01), 2 / PI, 1e-8);
}

/* ---- files ---- */

static char folder[] = "/tmp/linnet-tables-XXXXXX";

static void write_file(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

/* A model that stands in the folder of the files. */
static harness run_there(const char *block) {
    char path[256], text[1024];
    harness h = {.status = LINNET_OK, .nsignals = 1};
    snprintf(text, sizeof text,
             MODEL("<constant id='c' out='u' value='0.5'/><constant id='d' out='v' value='15'/>%s"),
             block);
    snprintf(path, sizeof path, "%s/model.xml", folder);
    h.report = ln_report_new(NULL, NULL);
    h.status = ln_model_read_memory(path, text, strlen(text), NULL, h.report, &h.model);
    if (h.status == LINNET_OK)
        h.status = harness_build(h.model, h.report, &h.network);
    return h;
}

static void good_file(const char *block) {
    harness h = run_there(block);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    if (h.status != LINNET_OK)
        printf("\n    %s\n", ln_report_text(h.report, 0));
    harness_free(&h);
}

static void bad_file(const char *block, linnet_status status, const char *message) {
    harness h = run_there(block);
    int found = 0;
    CU_ASSERT_EQUAL(h.status, status);
    for (int i = 0; ln_report_text(h.report, i) != NULL; i++)
        found |= strstr(ln_report_text(h.report, i), message) != NULL;
    CU_ASSERT(found);
    if (!found)
        printf("\n    %s: %s\n", block, ln_report_text(h.report, 0));
    harness_free(&h);
}

static void files(void) {
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    write_file("a.csv", "speed,power,torque\n0,1,5\n1,2,7\n2,5,6\n");
    write_file("late.csv", "speed,power\n0,1\n2,2\n1,5\n");
    write_file("map.csv", "x,10,20\n0,1,2\n1,3,5\n");
    write_file("names.csv", "x,ten,20\n0,1,2\n1,3,5\n");
    good_file("<lookup id='l' in='u' out='y' file='a.csv'/>");
    good_file("<lookup id='l' in='u' out='y' file='a.csv' key='power' column='speed'/>");
    good_file("<lookup-2d id='l' in='u' by='v' out='y' file='map.csv'/>");
    bad_file("<lookup id='l' in='u' out='y' file='b.csv'/>", LINNET_IO,
             "l (lookup): cannot read 'b.csv': No such file");
    bad_file("<lookup id='l' in='u' out='y' file='a.csv' column='torqe'/>", LINNET_MODEL,
             "'a.csv' has no column 'torqe'; did you mean 'torque'?");
    bad_file("<lookup id='l' in='u' out='y' file='late.csv'/>", LINNET_MODEL,
             "1 follows 2 (number 3 of points of 'late.csv'); they must rise");
    bad_file("<lookup id='l' in='u' out='y' file='../a.csv'/>", LINNET_MODEL,
             "leaves the model's folder");
    bad_file("<lookup id='l' in='u' out='y' file='/etc/passwd'/>", LINNET_MODEL,
             "leaves the model's folder");
    bad_file("<lookup id='l' in='u' out='y' file='a.csv' points='0 0; 1 1'/>", LINNET_MODEL,
             "either from points");
    bad_file("<lookup id='l' in='u' out='y'/>", LINNET_MODEL, "either from points");
    bad_file("<lookup id='l' in='u' out='y' points='0 0; 1 1' method='cubical'/>", LINNET_MODEL,
             "method=\"cubical\" is none of");
    bad_file("<lookup id='l' in='u' out='y' points='0 0; 0 1; 1 1' method='akima'/>", LINNET_MODEL,
             "they must rise");
    bad_file("<lookup id='l' in='u' out='y' points='0 0'/>", LINNET_MODEL,
             "a table has two at least");
    bad_file("<lookup-2d id='l' in='u' by='v' out='y' file='names.csv'/>", LINNET_MODEL,
             "column 2 of 'names.csv' is called 'ten'");
    bad_file("<lookup-2d id='l' in='u' by='v' out='y' x='1 2' y='1 2 3' values='1 2; 3 4'/>",
             LINNET_MODEL, "values is 2 x 2; 2 of x and 3 of y ask for 2 x 3");
    static const char *const names[] = {"a.csv", "late.csv", "map.csv", "names.csv"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", folder, names[k]);
        CU_ASSERT_EQUAL(unlink(path), 0);
    }
    CU_ASSERT_EQUAL(rmdir(folder), 0);
}

static void outside_fails(void) {
    const char *xml = MODEL(
        "<ramp id='r' out='u'/><lookup id='l' in='u' out='y' points='-1 0; 1 2' outside='error'/>");
    harness_verbose = 0;
    harness h = harness_run(xml, "y", "rk4", 0.9, 0.1);
    CU_ASSERT_EQUAL(h.status, LINNET_OK);
    harness_free(&h);
    h = harness_run(xml, "y", "rk4", 2, 0.3);
    CU_ASSERT(h.status < 0);
    CHECK_CLOSE(h.time[h.rows - 1], 1, 1e-9);
    const char *text = ln_report_text(h.report, 0);
    CU_ASSERT(text != NULL &&
              strstr(text, "its input has left the table, which goes from -1 to 1") != NULL);
    if (text != NULL && strstr(text, "left the table") == NULL)
        printf("\n    %s\n", text);
    harness_free(&h);
    CU_ASSERT(isnan(value_at("points='0 0; 1 1' outside='error'", 2)));
    harness_verbose = 1;
}

UNIT_MAIN({"methods", methods}, {"monotone stays so", monotone_stays_so}, {"maps", maps},
          {"kinks are met", kinks_are_met}, {"files", files}, {"outside fails", outside_fails})
