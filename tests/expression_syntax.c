/* SPDX-License-Identifier: MIT */
/* The grammar: precedence, names, lists, equations, and every message with its exact text. */
#include "expression_fixture.h"
#include "expression_tests.h"

#include "base/sys.h"

#include <stdlib.h>

void test_precedence(void) {
    static const struct {
        const char *text;
        double value;
    } table[] = {
        {"1+2*3", 7},
        {"(1+2)*3", 9},
        {"2-3-4", -5},
        {"2-(3-4)", 3},
        {"24/4/2", 3},
        {"24/(4/2)", 12},
        {"2*3/4", 1.5},
        {"-2^2", -4},
        {"(-2)^2", 4},
        {"2^3^2", 512},
        {"2^-1", 0.5},
        {"2^-1^2", 0.5},
        {"-2^-2", -0.25},
        {"2*-3", -6},
        {"2--3 + 0*1", NAN},
        {"2 - -3", 5},
        {"+3", 3},
        {"-+3", -3},
        {"2^+2", 4},
        {"1 lt 2", 1},
        {"2 < 1", 0},
        {"2 <= 2", 1},
        {"2 ge 3", 0},
        {"1 eq 1", 1},
        {"1 == 2", 0},
        {"1 != 2", 1},
        {"1 ne 1", 0},
        {"1 + 1 gt 1", 1},
        {"1 and 0 or 1", 1},
        {"1 or 1 and 0", 1},
        {"not 1 or 1", 1},
        {"not (1 or 1)", 0},
        {"not 1 eq 2", 1},
        {"!1 == 0", 1},
        {"!0 && 1", 1},
        {"1 && 0 || 0", 0},
        {"not not 5", 1},
        {"3 gt 2 and 2 gt 1", 1},
        {"(3 gt 2) gt 0.5", 1},
        {"-3 lt -2", 1},
        {"2*3^2", 18},
        {"-3*-3", 9},
        {"1e3-1", 999},
        {"1e+3", 1000},
        {"pi", 3.14159265358979323846},
        {"e^1", 2.71828182845904523536},
        {"2 m*3", 6},
        {"10 V / 5", 2},
        {"if(1, 2, 3)", 2},
        {"if(0 and 1, 2, 3)", 3},
        {"max(1, min(5, 3), 2)", 3},
        {" \t\n( 1 )\r ", 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!isnan(table[i].value))
            CHECK_CLOSE(value_of(table[i].text), table[i].value, 1e-15);
}

void test_messages(void) {
    static const struct {
        const char *text, *message;
    } table[] = {
        /* syntax */
        {"", "in \"\" at column 1: the expression is empty"},
        {"  ", "in \"  \" at column 3: the expression is empty"},
        {"1 +", "in \"1 +\" at column 4: an operand is missing behind '+'"},
        {"* 2", "in \"* 2\" at column 1: an operand is missing at the start"},
        {"2 * / 3", "in \"2 * / 3\" at column 5: an operand is missing behind '*'"},
        {"1++2",
         "in \"1++2\" at column 2: '++' is not understood; there is no increment; write a + b"},
        {"1--2", "in \"1--2\" at column 2: '--' is not understood; there is no decrement; write a "
                 "- b, or a - (-b)"},
        {"2**3", "in \"2**3\" at column 2: '**' is not understood; a power is written with ^"},
        {"5&3", "in \"5&3\" at column 2: '&' is not understood; 'and' is written and or &&"},
        {"5|3", "in \"5|3\" at column 2: '|' is not understood; 'or' is written or or ||"},
        {"x ? 1", "in \"x ? 1\" at column 3: '?' is not understood; a choice is written "
                  "if(condition, a, b)"},
        {"x % 2", "in \"x % 2\" at column 3: '%' is not understood; a remainder is written mod(a, "
                  "b); a percentage is "
                  "a number followed by %"},
        {"1 <> 2",
         "in \"1 <> 2\" at column 3: '<>' is not understood; 'not equal' is written ne or !="},
        {"~5", "in \"~5\" at column 1: '~' is not understood; names are letters, digits and _, "
               "others stand in "
               "backquotes"},
        {"2*\xC3\xBC", "in \"2*\xC3\xBC\" at column 3: '\xC3\xBC' is not understood; names are "
                       "letters, digits and _, "
                       "others stand in backquotes"},
        {"x = 1",
         "in \"x = 1\" at column 3: a lone = stands only in equations; compare with == or eq"},
        {"(1", "in \"(1\" at column 3: a ) is missing"},
        {"(1 2)", "in \"(1 2)\" at column 4: an operator or ) is missing; products need a star"},
        {"1)", "in \"1)\" at column 2: there is a ) without its ("},
        {"()", "in \"()\" at column 2: the parentheses are empty"},
        {"1,5", "in \"1,5\" at column 2: a comma stands only between arguments; the decimal sign "
                "is the point"},
        {"(1,5)", "in \"(1,5)\" at column 3: a comma stands only between arguments; the decimal "
                  "sign is the point"},
        {"sin(1", "in \"sin(1\" at column 6: a ) is missing"},
        {"min(1,)", "in \"min(1,)\" at column 7: an argument is missing behind the comma"},
        {"min(1 2)", "in \"min(1 2)\" at column 7: an operator, a comma or ) is missing"},
        {"x y", "in \"x y\" at column 3: an operator is missing before 'y'; products need a star"},
        {"(x)(y)",
         "in \"(x)(y)\" at column 4: an operator is missing before '('; products need a star"},
        {"1 2", "in \"1 2\" at column 3: an operator is missing before '2'; products need a star"},
        {"1 lt 2 lt 3",
         "in \"1 lt 2 lt 3\" at column 8: comparisons do not chain; write (a lt b) and (b lt c)"},
        {"2 * not 1", "in \"2 * not 1\" at column 5: 'not' here needs parentheses: (not ...)"},
        {"a.", "in \"a.\" at column 3: a name is missing behind the dot"},
        {"`a", "in \"`a\" at column 1: the backquote is not closed, or empty"},
        /* numbers and units */
        {"0x10",
         "in \"0x10\" at column 1: hexadecimal numbers are not understood; write it in decimal"},
        {"1.2.3", "in \"1.2.3\" at column 1: '1.2.' is no number; it has two points"},
        {"1e999", "in \"1e999\" at column 1: the number is too large; at most about 1.8e308"},
        {"1e300 km^20",
         "in \"1e300 km^20\" at column 1: the number is too large; at most about 1.8e308"},
        {"1e-999",
         "in \"1e-999\" at column 1: the number is too small; at least about 5e-324, or 0"},
        {"2 x", "in \"2 x\" at column 3: 'x' is no unit; products need a star: 2*x"},
        {"2x", "in \"2x\" at column 2: 'x' is no unit; products need a star: 2*x"},
        {"2pi", "in \"2pi\" at column 2: 'pi' is no unit; products need a star: 2*pi"},
        {"2 sin(1)",
         "in \"2 sin(1)\" at column 3: an operator is missing before 'sin'; products need a star"},
        {"5 kohms", "in \"5 kohms\" at column 3: 'kohms' is no unit; did you mean 'kOhm'? products "
                    "need a star: "
                    "5*kohms"},
        {"10 k", "in \"10 k\" at column 4: 'k' is no unit; a prefix without unit stands directly "
                 "on its number: 10k; products need a star: 10*k"},
        {"5 m^x",
         "in \"5 m^x\" at column 3: the exponent of a unit is an integer; write (5 m)^..."},
        {"5 degC/s",
         "in \"5 degC/s\" at column 3: 'degC' stands alone, as it has an offset; use K"},
        {"5 degC^2",
         "in \"5 degC^2\" at column 3: 'degC' stands alone, as it has an offset; use K"},
        {"5 V + 3 A", "in \"5 V + 3 A\" at column 5: cannot add V and A"},
        {"5 V - 3 m/s^2", "in \"5 V - 3 m/s^2\" at column 5: cannot subtract m/s^2 from V"},
        {"5 V lt 3 A", "in \"5 V lt 3 A\" at column 5: cannot compare V with A"},
        {"sin(2 V)", "in \"sin(2 V)\" at column 5: sin needs a plain number, not V; divide by a "
                     "reference value"},
        {"1 and 2 s", "in \"1 and 2 s\" at column 7: and needs a plain number, not s; divide by a "
                      "reference value"},
        {"min(1 V, 2, 3 A)",
         "in \"min(1 V, 2, 3 A)\" at column 1: cannot take min: V and A do not fit"},
        {"if(1 V, 2, 3)",
         "in \"if(1 V, 2, 3)\" at column 4: the condition of if is a comparison, not V"},
        {"if(1, 2 V, 3 A)",
         "in \"if(1, 2 V, 3 A)\" at column 1: cannot choose: V and A do not fit"},
        {"2^(3 V)", "in \"2^(3 V)\" at column 4: an exponent is a plain number, not V"},
        {"(2 m)^0.3", "in \"(2 m)^0.3\" at column 6: m to the power 0.3 has no unit; divide by a "
                      "reference value first"},
        {"sqrt(cbrt(sqrt(sqrt(2 m))))",
         "in \"sqrt(cbrt(sqrt(sqrt(2 m))))\" at column 1: the root of m^(1/12) has no "
         "unit; divide by a reference value first"},
        {"atan2(1 V, 2 A)", "in \"atan2(1 V, 2 A)\" at column 1: cannot atan2: V and A do not fit"},
        /* names */
        {"foo", "in \"foo\" at column 1: unknown name 'foo'; did you mean 'food'?"},
        {"1 + unknown", "in \"1 + unknown\" at column 5: unknown name 'unknown'; define it with "
                        "<parameter name=... value=.../>"},
        {"sin + 1", "in \"sin + 1\" at column 1: 'sin' is a function; write sin(...)"},
        {"2*kV",
         "in \"2*kV\" at column 3: unknown name 'kV'; a unit stands only directly behind a number, "
         "as one word: kg.m^2"},
        {"-inf", "in \"-inf\" at column 2: unknown name 'inf'; numbers must be finite"},
        {"nan", "in \"nan\" at column 1: unknown name 'nan'; numbers must be finite"},
        {"t + 1", "in \"t + 1\" at column 1: unknown name 't'; did you mean 'T'?"},
        {"ln(2)", "in \"ln(2)\" at column 1: unknown function 'ln'; did you mean 'log'?"},
        {"sine(2)", "in \"sine(2)\" at column 1: unknown function 'sine'; did you mean 'sinc'?"},
        {"whatever(2)", "in \"whatever(2)\" at column 1: unknown function 'whatever'"},
        {"x(2)", "in \"x(2)\" at column 1: 'x' is no function; products need a star: x*(...)"},
        {"sin(1, 2)", "in \"sin(1, 2)\" at column 1: sin needs 1 argument, not 2"},
        {"sin()", "in \"sin()\" at column 1: sin needs 1 argument, not 0"},
        {"clamp(1, 2)", "in \"clamp(1, 2)\" at column 1: clamp needs 3 arguments, not 2"},
        {"max(1)", "in \"max(1)\" at column 1: max needs at least 2 arguments, not 1"},
        /* values */
        {"2 + sqrt(1 - 2)", "in \"2 + sqrt(1 - 2)\" at column 5: sqrt(-1) is not a number; check "
                            "the values it is made "
                            "of"},
        {"3/(x - 1)", "in \"3/(x - 1)\" at column 2: 3 / 0 is a division by zero; check the values "
                      "it is made of"},
        {"0/(x - 1)", "in \"0/(x - 1)\" at column 2: 0 / 0 is a division by zero; check the values "
                      "it is made of"},
        {"0*(1/0)",
         "in \"0*(1/0)\" at column 5: 1 / 0 is a division by zero; check the values it is made of"},
        {"exp(1000)",
         "in \"exp(1000)\" at column 1: exp(1000) is not finite; check the values it is made of"},
        {"1 + log(0)*0",
         "in \"1 + log(0)*0\" at column 5: log(0) is not finite; check the values it is made of"},
        {"1e200*1e200", "in \"1e200*1e200\" at column 6: 1e+200 * 1e+200 is not finite; check the "
                        "values it is made of"},
        {"max(1, acos(2))",
         "in \"max(1, acos(2))\" at column 8: acos(2) is not a number; check the values it is made "
         "of"},
        {"mod(1, 0)", "in \"mod(1, 0)\" at column 1: 1 / 0 is a division by zero; check the values "
                      "it is made of"},
        {"(0-8)^0.3", "in \"(0-8)^0.3\" at column 6: pow(-8, 0.3) is not a number; check the "
                      "values it is made of"},
        {"(1/0 gt 2) and 0",
         "in \"(1/0 gt 2) and 0\" at column 3: 1 / 0 is a division by zero; check the values it is "
         "made of"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char message[512], expected[512];
        snprintf(expected, sizeof expected, "m.xml:3: error: %s", table[i].message);
        CHECK_TEXT(message_of(table[i].text, message), expected);
    }
}

/* What must not be an error: the branch not taken, logic decided by its left side. */
void test_not_evaluated(void) {
    CU_ASSERT_EQUAL(value_of("if(2 lt 1, sqrt(-1), 7)"), 7);
    CU_ASSERT_EQUAL(value_of("if(1, 7, 1/0)"), 7);
    CU_ASSERT_EQUAL(value_of("0 and 1/0 gt 1"), 0);
    CU_ASSERT_EQUAL(value_of("1 or 1/0 gt 1"), 1);
}

/* Long expressions are cut in messages, at the place that matters; the place's column adds up. */
void test_message_place(void) {
    char text[400], message[512];
    memset(text, ' ', sizeof text);
    text[0] = '1';
    memcpy(text + 200, "+ bad + 2", 9);
    text[399] = '\0';
    message_of(text, message);
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "in \"..."));
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "+ bad + 2"));
    CU_ASSERT_PTR_NOT_NULL(strstr(message, "...\" at column 203: unknown name 'bad'"));
    CU_ASSERT(strlen(message) < 200);
}

static int find_strange(void *context, const char *name, int column, ln_value *value) {
    (void)context, (void)column;
    value->dimension = ln_dimension_any;
    value->constant = INFINITY;
    /* anything else: the resolver has told an error itself */
    return strcmp(name, "endless") == 0 ? 1 : -1;
}

void test_strange_names(void) {
    const ln_names names = {find_strange, NULL, NULL, 0, NULL, 0};
    fixture f;
    double value;
    ln_dimension dimension;
    fixture_open(&f);
    const ln_ast *ast = ln_ast_parse(f.arena, "endless", LN_NOWHERE, f.report);
    CU_ASSERT_FALSE(ln_evaluate(ast, &names, LN_NOWHERE, f.report, &value, &dimension));
    CHECK_TEXT(fixture_message(&f), "error: in \"endless\" at column 1: the value is not finite");
    ast = ln_ast_parse(f.arena, "atan(endless)*2", LN_NOWHERE, f.report);
    CU_ASSERT(ln_evaluate(ast, &names, LN_NOWHERE, f.report, &value, &dimension));
    CHECK_CLOSE(value, 3.14159265358979323846, 1e-15);
    ast = ln_ast_parse(f.arena, "2*other", LN_NOWHERE, f.report);
    int errors = ln_report_errors(f.report);
    CU_ASSERT_FALSE(ln_evaluate(ast, &names, LN_NOWHERE, f.report, &value, &dimension));
    CU_ASSERT_EQUAL(ln_report_errors(f.report), errors);
    fixture_close(&f);
}

/* While few names are known, an unknown one is answered with the list. */
void test_known_names(void) {
    static const char *const known[] = {"R", NULL, "length"};
    const ln_names names = {NULL, NULL, known, 3, NULL, 0};
    fixture f;
    ln_value value;
    fixture_open(&f);
    const ln_ast *ast = ln_ast_parse(f.arena, "2*width", LN_NOWHERE, f.report);
    CU_ASSERT_FALSE(ln_lower(f.graph, ast, &names, LN_NOWHERE, f.report, &value));
    CHECK_TEXT(fixture_message(&f),
               "error: in \"2*width\" at column 3: unknown name 'width'; known here: R, length");
    fixture_close(&f);
}

static ln_place told;
static void remember(void *context, ln_severity severity, ln_place place, const char *text) {
    (void)context, (void)severity, (void)text;
    told = place;
}

void test_place_column(void) {
    ln_arena *arena = ln_arena_new();
    ln_report *report = ln_report_new(remember, NULL);
    CU_ASSERT_PTR_NULL(ln_ast_parse(arena, "1 + )", (ln_place){"m.xml", 7, 20}, report));
    CU_ASSERT_EQUAL(told.line, 7);
    CU_ASSERT_EQUAL(told.column, 24);
    CU_ASSERT_PTR_NULL(ln_ast_parse(arena, "1 + )", (ln_place){"m.xml", 7, 0}, report));
    CU_ASSERT_EQUAL(told.column, 5);
    ln_report_free(report);
    ln_arena_free(arena);
}

void test_limits(void) {
    char message[512];
    char *text = malloc(70001);
    for (int depth = 199; depth <= 201; depth++) { /* parentheses around a 1 */
        memset(text, '(', (size_t)depth);
        text[depth] = '1';
        memset(text + depth + 1, ')', (size_t)depth);
        text[2 * depth + 1] = '\0';
        message_of(text, message);
        CU_ASSERT_EQUAL(message[0] == '\0', depth <= 200);
    }
    CU_ASSERT_PTR_NOT_NULL(
        strstr(message, "nested deeper than 200; name a part of it and use the name"));
    /* a sum is as deep as it is long, but not nested */
    for (int i = 0; i < 30000; i++)
        memcpy(text + 2 * i, "1+", 2);
    memcpy(text + 60000, "1", 2);
    CU_ASSERT_EQUAL(value_of(text), 30001);
    for (int i = 0; i < 3000; i++)
        memcpy(text + 2 * i, "2^", 2); /* powers nest to the right */
    memcpy(text + 6000, "1", 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(message_of(text, message), "nested deeper than 200"));
    for (int i = 0; i < 3000; i++)
        memcpy(text + 2 * i, "- ", 2);
    memcpy(text + 6000, "1", 2);
    CU_ASSERT_PTR_NOT_NULL(strstr(message_of(text, message), "nested deeper than 200"));
    memset(text, ' ', 70000);
    text[70000] = '\0';
    CU_ASSERT_PTR_NOT_NULL(strstr(message_of(text, message), "longer than 65536 bytes"));
    text[0] = '1';
    text[65537] = '\0';
    CU_ASSERT_PTR_NOT_NULL(strstr(message_of(text, message), "longer than 65536 bytes"));
    text[65536] = '\0';
    CHECK_TEXT(message_of(text, message), "");
    free(text);
}

/* ---- names, equations, lists ---- */

typedef struct collected {
    char text[200];
} collected;

static void collect(void *context, const ln_ast *name) {
    collected *c = context;
    size_t used = strlen(c->text);
    snprintf(c->text + used, sizeof c->text - used, "%s@%d ", name->name, name->column);
}

void test_names(void) {
    fixture f;
    fixture_open(&f);
    collected c = {""};
    const ln_ast *ast = ln_ast_parse(f.arena, "a.b + sin(heat.T, `my-block`.i)*-c_1^`0` - 5 m",
                                     LN_NOWHERE, f.report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ast);
    ln_ast_names(ast, collect, &c);
    CHECK_TEXT(c.text, "a.b@1 heat.T@11 my-block.i@19 c_1@34 0@38 ");
    c.text[0] = '\0';
    ln_ast_names(ast->args[0]->args[1]->args[0], collect, &c); /* a subtree: the call of sin */
    CHECK_TEXT(c.text, "heat.T@11 my-block.i@19 ");
    static const char *const reserved[] = {"t", "pi", "e", "if", "der", "lt", "and", "not"};
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        CU_ASSERT(ln_is_reserved(reserved[i]));
    CU_ASSERT_FALSE(ln_is_reserved("min"));
    CU_ASSERT_FALSE(ln_is_reserved("R1"));
    fixture_close(&f);
}

void test_equations(void) {
    fixture f;
    const ln_ast *left, *right;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"p.i", "error: in \"p.i\" at column 4: an equation needs its = sign: left = right"},
        {"a = ", "error: in \"a = \" at column 5: an operand is missing behind '='"},
        {"a = b = c",
         "error: in \"a = b = c\" at column 7: an equation has one = sign; compare with == or eq"},
        {"a b = c", "error: in \"a b = c\" at column 3: an operator is missing before 'b'; "
                    "products need a star"},
        {"a = b)", "error: in \"a = b)\" at column 6: there is a ) without its ("},
    };
    fixture_open(&f);
    CU_ASSERT(ln_ast_parse_equation(f.arena, "p.i = (p.v == n.v)/R", LN_NOWHERE, f.report, &left,
                                    &right));
    CHECK_TEXT(left->name, "p.i");
    CHECK_TEXT(right->name, "/");
    CU_ASSERT_EQUAL(right->nargs, 2);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CU_ASSERT_FALSE(
            ln_ast_parse_equation(f.arena, wrong[i].text, LN_NOWHERE, f.report, &left, &right));
        CHECK_TEXT(fixture_message(&f), wrong[i].message);
    }
    fixture_close(&f);
}

void test_lists(void) {
    static const struct {
        const char *text;
        int rows, cols;
        double values[6];
    } good[] = {
        {"5", 1, 1, {5}},
        {"1 -2", 1, 2, {1, -2}},
        {" 1\t2\n3 ", 1, 3, {1, 2, 3}},
        {"1, -2", 1, 2, {1, -2}},
        {"1 - 2, 3", 1, 2, {-1, 3}},
        {"1 kV, 2 kV", 1, 2, {1000, 2000}},
        {"1kV 2kV", 1, 2, {1000, 2000}},
        {"1 2; 3 4", 2, 2, {1, 2, 3, 4}},
        {"1,2;3,4;5,6", 3, 2, {1, 2, 3, 4, 5, 6}},
        {"max(1, 2) 3", 1, 2, {2, 3}},
        {"max(1, 2), 3", 1, 2, {2, 3}},
        {"max( 1 , 2 ) (3 + 4)", 1, 2, {2, 7}},
        {"1 kV,", 0, 0, {0}},
    };
    fixture f;
    fixture_open(&f);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int rows = 0, cols = 0;
        const ln_ast **items =
            ln_ast_parse_list(f.arena, good[i].text, LN_NOWHERE, f.report, &rows, &cols);
        if (good[i].rows == 0) {
            CU_ASSERT_PTR_NULL(items);
            continue;
        }
        CU_ASSERT_PTR_NOT_NULL_FATAL(items);
        CU_ASSERT_EQUAL(rows, good[i].rows);
        CU_ASSERT_EQUAL(cols, good[i].cols);
        for (int k = 0; k < rows * cols; k++) {
            double value = NAN;
            ln_dimension dimension;
            CU_ASSERT(ln_evaluate(items[k], NULL, LN_NOWHERE, f.report, &value, &dimension));
            CU_ASSERT_EQUAL(value, good[i].values[k]);
        }
    }
    /* what is a list and no expression: a ',' or ';' outside of parentheses, or numbers with blanks
     * between */
    static const struct {
        const char *text;
        int is;
    } lists[] = {{"1 2", 1},      {"1 -2", 1},     {"+1 -2", 1}, {"1, x", 1},      {"x; y", 1},
                 {"-1e3\t.5", 1}, {" 1  2 ", 1},   {"5", 0},     {" 5 ", 0},       {"1 + 2", 0},
                 {"1 - 2", 0},    {"1 x", 0},      {"x 1", 0},   {"max(1, 2)", 0}, {"- 3", 0},
                 {"1 2 x", 0},    {"1 +", 0},      {"- -", 0},   {"", 0},          {"  ", 0},
                 {"1 2kV", 0},    {"(1, 2) 3", 0}, {",", 1},     {"1 2;", 1}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (ln_is_list(lists[i].text) != lists[i].is)
            printf("\n    '%s'\n", lists[i].text);
        CU_ASSERT_EQUAL(ln_is_list(lists[i].text), lists[i].is);
    }
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"", "in \"\" at column 1: a row of the list is empty"},
        {"1 2;", "in \"1 2;\" at column 5: a row of the list is empty"},
        {"1,,2", "in \"1,,2\" at column 3: an element of the list is missing"},
        {"1, 2,", "in \"1, 2,\" at column 6: an element of the list is missing"},
        {"1 2; 3", "in \"1 2; 3\" at column 5: row 2 has 1 elements, the first has 2"},
        {"1 kOhm 2", "in \"1 kOhm 2\" at column 3: 'kOhm' looks like the unit of the number before "
                     "it; leave the blank "
                     "out, or separate the elements by commas"},
        {"1 - 2", "in \"1 - 2\" at column 3: blanks separate the elements here; write a-b, or "
                  "separate them by commas"},
        {"1, 2 3",
         "in \"1, 2 3\" at column 6: an operator is missing before '3'; products need a star"},
        {"1 (2", "in \"1 (2\" at column 5: a ) is missing"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int rows, cols;
        char expected[256];
        CU_ASSERT_PTR_NULL(
            ln_ast_parse_list(f.arena, wrong[i].text, LN_NOWHERE, f.report, &rows, &cols));
        snprintf(expected, sizeof expected, "error: %s", wrong[i].message);
        CHECK_TEXT(fixture_message(&f), expected);
    }
    fixture_close(&f);
}
