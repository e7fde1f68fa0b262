/* SPDX-License-Identifier: MIT */
/* Parameters in scope: order, units, circles, ranges, nesting, lists, and what they cost. */
#include "messages.h"
#include "unit.h"

#include "base/sys.h"
#include "model/scope.h"

typedef struct scope_fixture {
    ln_arena *arena;
    ln_report *report;
    ln_scope *scope;
} scope_fixture;

static const ln_place place = {"m.xml", 7, 0};

static scope_fixture open_scope(void) {
    scope_fixture scopes = {ln_arena_new(), ln_report_new(NULL, NULL), NULL};
    scopes.scope = ln_scope_new(scopes.arena, "", scopes.report);
    return scopes;
}

static void close_scope(scope_fixture *scopes) {
    ln_arena_free(scopes->arena);
    ln_report_free(scopes->report);
}

static void declare(const scope_fixture *scopes, const char *name, const char *text,
                    const char *unit) {
    CU_ASSERT(ln_scope_declare(scopes->scope, name, (ln_written){text, unit, place}, scopes->scope,
                               -INFINITY, INFINITY) == LINNET_OK);
}

static double value_of(const scope_fixture *scopes, const char *text, const char *unit) {
    double value = NAN;
    CU_ASSERT(ln_scope_value(scopes->scope, text, unit, place, &value) == LINNET_OK);
    return value;
}

static void scope_evaluates_in_any_order(void) {
    scope_fixture scopes = open_scope();
    declare(&scopes, "a", "2*b", "Ohm");
    declare(&scopes, "b", "c + 1 kOhm", NULL);
    declare(&scopes, "c", "500", "Ohm");
    CU_ASSERT(ln_scope_override(scopes.scope, "c", "1 kOhm", place) == 1);
    CU_ASSERT(ln_scope_override(scopes.scope, "d", "1", place) == 0);
    CU_ASSERT(ln_scope_evaluate_all(scopes.scope) == LINNET_OK);
    CU_ASSERT(ln_scope_count(scopes.scope) == 3);
    double value;
    const char *unit;
    CHECK_TEXT(ln_scope_name(scopes.scope, 0, &value, &unit), "a");
    CHECK_CLOSE(value, 4000, 0);
    CHECK_TEXT(unit, "Ohm");
    CHECK_CLOSE(value_of(&scopes, "a/b", ""), 2, 0);
    close_scope(&scopes);
}

static void bare_numbers_take_the_unit(void) {
    scope_fixture scopes = open_scope();
    CU_ASSERT(value_of(&scopes, "0.1", "mm") == 1e-4);
    CU_ASSERT(value_of(&scopes, "10", "us") == 1e-5);
    CU_ASSERT(value_of(&scopes, "4.7 uF", "F") == 4.7e-6);
    CU_ASSERT(value_of(&scopes, " -3", "V") == -3);
    CHECK_CLOSE(value_of(&scopes, "25", "degC"), 298.15, 1e-15);
    CHECK_CLOSE(value_of(&scopes, "2*3", "mm"), 0.006, 1e-15);
    CU_ASSERT(value_of(&scopes, "1 m + 1 mm", "mm") == 1.001);
    double value;
    CU_ASSERT(ln_scope_value(scopes.scope, "10 uF", "Ohm", place, &value) == LINNET_MODEL);
    CU_ASSERT(contains(
        scopes.report,
        "m.xml:7: error: in \"10 uF\" at column 1: a value in Ohm is wanted here, not in F"));
    CU_ASSERT(ln_scope_value(scopes.scope, "2*10 uF", "", place, &value) == LINNET_MODEL);
    CU_ASSERT(contains(scopes.report, "a plain number is wanted here, not F"));
    CU_ASSERT(ln_scope_value(scopes.scope, "5", "kohms", place, &value) == LINNET_MODEL);
    CU_ASSERT(contains(scopes.report, "unknown unit 'kohms'"));
    close_scope(&scopes);
}

static void circles_and_ranges_are_told(void) {
    scope_fixture scopes = open_scope();
    declare(&scopes, "k", "m + 1", NULL);
    declare(&scopes, "m", "2*k", NULL);
    declare(&scopes, "self", "self", NULL);
    declare(&scopes, "hangs", "k", NULL);
    CU_ASSERT(ln_scope_declare(scopes.scope, "C", (ln_written){"-1 uF", "F", place}, scopes.scope,
                               nextafter(0, 1), INFINITY) == LINNET_OK);
    CU_ASSERT(ln_scope_declare(scopes.scope, "d", (ln_written){"5 mm", "mm", place}, scopes.scope,
                               0, 0.003) == LINNET_OK);
    CU_ASSERT(ln_scope_declare(scopes.scope, "e0", (ln_written){"3", "V", place}, scopes.scope,
                               -INFINITY, nextafter(3, 0)) == LINNET_OK);
    CU_ASSERT(ln_scope_evaluate_all(scopes.scope) == LINNET_MODEL);
    CU_ASSERT(ln_report_errors(scopes.report) == 5);
    CU_ASSERT(contains(scopes.report, "error: parameters in a circle: 'k' needs 'm' needs 'k'"));
    CU_ASSERT(contains(scopes.report, "'self' needs 'self'"));
    CU_ASSERT(contains(scopes.report,
                       "parameter C: -1e-06 F is out of range; it must be greater than 0 F"));
    CU_ASSERT(
        contains(scopes.report, "parameter d: 5 mm is out of range; it must be at most 3 mm"));
    CU_ASSERT(
        contains(scopes.report, "parameter e0: 3 V is out of range; it must be less than 3 V"));
    CU_ASSERT(ln_scope_declare(scopes.scope, "k", (ln_written){"1", NULL, place}, scopes.scope, 0,
                               1) == LINNET_MODEL);
    CU_ASSERT(contains(scopes.report, "'k' is already given at line 7"));
    CU_ASSERT(ln_scope_declare(scopes.scope, "pi", (ln_written){"1", NULL, place}, scopes.scope, 0,
                               1) == LINNET_MODEL);
    declare(&scopes, "wrong", "1 + foo", NULL);
    CU_ASSERT(ln_scope_evaluate_all(scopes.scope) == LINNET_MODEL);
    CU_ASSERT(contains(
        scopes.report,
        "m.xml:7: error: parameter wrong: in \"1 + foo\" at column 5: unknown name 'foo'"));
    close_scope(&scopes);
}

/* A chain of needs, declared last first: its depth must cost no stack. */
static void long_chains_settle(void) {
    enum { CHAIN = 100000 };
    scope_fixture scopes = open_scope();
    for (int k = CHAIN; k > 0; k--)
        declare(&scopes, ln_arena_printf(scopes.arena, "k%d", k),
                ln_arena_printf(scopes.arena, "k%d + 1", k - 1), NULL);
    declare(&scopes, "k0", "1", NULL);
    CHECK_CLOSE(value_of(&scopes, "k100000", NULL), CHAIN + 1, 0);
    close_scope(&scopes);
}

/* An instance's scope: its defaults among themselves, given values in the scope around it, of the
 * same name even. */
static void scopes_nest(void) {
    scope_fixture scopes = open_scope();
    declare(&scopes, "R", "3", "Ohm");
    ln_scope *inner = ln_scope_new(scopes.arena, "motor", scopes.report);
    CU_ASSERT(ln_scope_declare(inner, "R", (ln_written){"2*R", "Ohm", place}, scopes.scope, 0, 5) ==
              LINNET_OK);
    CU_ASSERT(ln_scope_declare(inner, "G", (ln_written){"1/R", "S", place}, inner, 0, 1) ==
              LINNET_OK);
    CU_ASSERT(ln_scope_evaluate_all(inner) == LINNET_MODEL);
    CU_ASSERT(contains(scopes.report, "motor: R: 6 Ohm is out of range; it must be at most 5 Ohm"));
    CU_ASSERT(ln_report_errors(scopes.report) == 1);
    ln_scope *fine = ln_scope_new(scopes.arena, "motor", scopes.report);
    CU_ASSERT(ln_scope_declare(fine, "R", (ln_written){"2*R", "Ohm", place}, scopes.scope, 0, 7) ==
              LINNET_OK);
    CU_ASSERT(ln_scope_declare(fine, "G", (ln_written){"1/R", "S", place}, fine, 0, 1) ==
              LINNET_OK);
    double value = 0;
    CU_ASSERT(ln_scope_value(fine, "G", "S", place, &value) == LINNET_OK);
    CHECK_CLOSE(value, 1.0 / 6, 1e-15);
    close_scope(&scopes);
}

static void lists_have_units(void) {
    scope_fixture scopes = open_scope();
    declare(&scopes, "b", "2 kOhm", NULL);
    double *values;
    int rows, cols;
    CU_ASSERT(ln_scope_list(scopes.scope, (ln_written){"1 -2 b; 3 4 2*b", "Ohm", place}, &values,
                            &rows, &cols) == LINNET_OK);
    CU_ASSERT(rows == 2 && cols == 3);
    CU_ASSERT(values[0] == 1 && values[1] == -2 && values[2] == 2000 && values[5] == 4000);
    CU_ASSERT(ln_scope_list(scopes.scope, (ln_written){"1, 2 m", "mm", place}, &values, &rows,
                            &cols) == LINNET_OK);
    CU_ASSERT(values[0] == 1e-3 && values[1] == 2);
    CU_ASSERT(ln_scope_list(scopes.scope, (ln_written){"1, 2 V", "mm", place}, &values, &rows,
                            &cols) == LINNET_MODEL);
    CU_ASSERT(ln_scope_list(scopes.scope, (ln_written){"1 2; 3", NULL, place}, &values, &rows,
                            &cols) == LINNET_MODEL);
    /* one number */
    CU_ASSERT(ln_scope_list(scopes.scope, (ln_written){" -2 ms ", "s", place}, &values, &rows,
                            &cols) == LINNET_OK);
    CU_ASSERT(rows == 1 && cols == 1 && values[0] == -2e-3);
    CU_ASSERT(ln_scope_list(scopes.scope, (ln_written){"2 ms 3 ms", "s", place}, &values, &rows,
                            &cols) == LINNET_MODEL);
    declare(&scopes, "m", "2", NULL);
    /* or two */
    CU_ASSERT(ln_scope_list(scopes.scope, (ln_written){"2 m", "mm", place}, &values, &rows,
                            &cols) == LINNET_MODEL);
    close_scope(&scopes);
}

/* A million literals keep nothing: the arena does not grow. */
static void literals_cost_no_memory(void) {
    scope_fixture scopes = open_scope();
    value_of(&scopes, "1 kOhm", "Ohm");
    size_t before = ln_arena_used(scopes.arena);
    unsigned long allocations = ln_sys_allocations();
    for (int k = 0; k < 100000; k++)
        value_of(&scopes, "4.7 kOhm", "Ohm");
    CU_ASSERT(ln_arena_used(scopes.arena) == before);
    CU_ASSERT(ln_sys_allocations() == allocations);
    close_scope(&scopes);
}

/* The same text means another number in another unit, a name is none, and what is wrong stays so,
 * whatever was read before. */
static void literals_read_before_mean_the_same(void) {
    static const char *const wrong[] = {"1 uF", "1 Ohmm", "two"};
    scope_fixture scopes = open_scope();
    ln_literals *literals = ln_literals_new(scopes.arena);
    declare(&scopes, "R", "7", "Ohm");
    for (int k = 0; k < 2000; k++) {
        char text[40];
        double value = NAN;
        snprintf(text, sizeof text, "%d.25", k % 700);
        const char *unit = k % 3 == 0 ? "mm" : k % 3 == 1 ? "m" : "";
        ln_written written = {text, unit, place};
        CU_ASSERT(ln_literals_value(literals, scopes.scope, &written, &value) == LINNET_OK);
        CHECK_CLOSE(value, value_of(&scopes, text, unit), 0);
        written = (ln_written){"R", "Ohm", place};
        CU_ASSERT(ln_literals_value(literals, scopes.scope, &written, &value) == LINNET_OK);
        CHECK_CLOSE(value, 7, 0);
        written = (ln_written){"000000000000000000000000001.5", "Ohm", place}; /* not kept */
        CU_ASSERT(ln_literals_value(literals, scopes.scope, &written, &value) == LINNET_OK);
        CHECK_CLOSE(value, 1.5, 0);
    }
    for (int k = 0; k < 6; k++) {
        double value;
        const ln_written written = {wrong[k % 3], "Ohm", place};
        CU_ASSERT(ln_literals_value(literals, scopes.scope, &written, &value) == LINNET_MODEL);
    }
    close_scope(&scopes);
}

UNIT_MAIN({"a scope evaluates in any order", scope_evaluates_in_any_order},
          {"bare numbers take the unit", bare_numbers_take_the_unit},
          {"circles and ranges are told", circles_and_ranges_are_told},
          {"long chains settle", long_chains_settle}, {"scopes nest", scopes_nest},
          {"lists have units", lists_have_units},
          {"literals cost no memory", literals_cost_no_memory},
          {"literals read before mean the same", literals_read_before_mean_the_same})
