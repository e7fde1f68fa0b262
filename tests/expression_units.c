/* SPDX-License-Identifier: MIT */
/* Units: their table against the definitions of the SI, prefixes, the run behind a number, texts of
 * dimensions. */
#include "base/text.h"
#include "expression_fixture.h"
#include "expression_tests.h"

#define PI 3.14159265358979323846

/* SI value of one unit and its exponents of m kg s A K mol cd, from the SI brochure (9th edition).
 */
static const struct {
    const char *text;
    double factor;
    int exponent[7];
} units[] = {
    {"", 1, {0}},
    {"1", 1, {0}},
    {"m", 1, {1}},
    {"g", 1e-3, {0, 1}},
    {"kg", 1, {0, 1}},
    {"s", 1, {0, 0, 1}},
    {"A", 1, {0, 0, 0, 1}},
    {"K", 1, {0, 0, 0, 0, 1}},
    {"mol", 1, {0, 0, 0, 0, 0, 1}},
    {"cd", 1, {0, 0, 0, 0, 0, 0, 1}},
    {"Hz", 1, {0, 0, -1}},
    {"N", 1, {1, 1, -2}},
    {"Pa", 1, {-1, 1, -2}},
    {"J", 1, {2, 1, -2}},
    {"W", 1, {2, 1, -3}},
    {"C", 1, {0, 0, 1, 1}},
    {"V", 1, {2, 1, -3, -1}},
    {"F", 1, {-2, -1, 4, 2}},
    {"Ohm", 1, {2, 1, -3, -2}},
    {"\xCE\xA9", 1, {2, 1, -3, -2}},
    {"\xE2\x84\xA6", 1, {2, 1, -3, -2}},
    {"k\xCE\xA9", 1e3, {2, 1, -3, -2}},
    {"S", 1, {-2, -1, 3, 2}},
    {"Wb", 1, {2, 1, -2, -1}},
    {"T", 1, {0, 1, -2, -1}},
    {"H", 1, {2, 1, -2, -2}},
    {"rad", 1, {0}},
    {"sr", 1, {0}},
    {"deg", PI / 180, {0}},
    {"rev", 2 * PI, {0}},
    {"rpm", 2 * PI / 60, {0, 0, -1}},
    {"%", 0.01, {0}},
    {"min", 60, {0, 0, 1}},
    {"h", 3600, {0, 0, 1}},
    {"d", 86400, {0, 0, 1}},
    {"l", 1e-3, {3}},
    {"L", 1e-3, {3}},
    {"bar", 1e5, {-1, 1, -2}},
    {"mbar", 1e2, {-1, 1, -2}},
    {"atm", 101325, {-1, 1, -2}},
    {"psi", 0.45359237 * 9.80665 / (0.0254 * 0.0254), {-1, 1, -2}},
    {"eV", 1.602176634e-19, {2, 1, -2}},
    {"Wh", 3600, {2, 1, -2}},
    {"kWh", 3.6e6, {2, 1, -2}},
    {"Ah", 3600, {0, 0, 1, 1}},
    {"mAh", 3.6, {0, 0, 1, 1}},
    {"in", 0.0254, {1}},
    {"ft", 0.3048, {1}},
    {"ms", 1e-3, {0, 0, 1}},
    {"us", 1e-6, {0, 0, 1}},
    {"\xC2\xB5s", 1e-6, {0, 0, 1}},
    {"\xCE\xBCs", 1e-6, {0, 0, 1}},
    {"m/s^2", 1, {1, 0, -2}},
    {"N.m/rad", 1, {2, 1, -2}},
    {"N*m", 1, {2, 1, -2}},
    {"1/K", 1, {0, 0, 0, 0, -1}},
    {"W/(m.K)", 1, {1, 1, -3, 0, -1}},
    {"W/m/K", 1, {1, 1, -3, 0, -1}},
    {"m^-2", 1, {-2}},
    {"cm^3", 1e-6, {3}},
    {"km/h", 1 / 3.6, {1, 0, -1}},
    {"(m/s)^2", 1, {2, 0, -2}},
    {"kg.m^2/s^3/A", 1, {2, 1, -3, -1}},
};

void test_unit_table(void) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        double factor = 0, offset = 1;
        ln_dimension dimension;
        int read = ln_unit_read(units[i].text, &factor, &offset, &dimension, NULL);
        if (!read)
            printf("\n    '%s' is not read\n", units[i].text);
        CU_ASSERT(read);
        CHECK_CLOSE(factor / units[i].factor, 1, 3e-16);
        CU_ASSERT_EQUAL(offset, 0);
        CU_ASSERT_EQUAL(dimension.any, 0);
        for (int k = 0; k < 7; k++)
            CU_ASSERT_EQUAL(dimension.exponent[k], 12 * units[i].exponent[k]);
    }
}

void test_unit_prefixes(void) {
    static const struct {
        const char *prefix;
        int decimal;
    } prefixes[] = {{"y", -24}, {"z", -21}, {"a", -18}, {"f", -15}, {"p", -12},
                    {"n", -9},  {"u", -6},  {"m", -3},  {"c", -2},  {"d", -1},
                    {"h", 2},   {"k", 3},   {"M", 6},   {"G", 9},   {"T", 12},
                    {"P", 15},  {"E", 18},  {"Z", 21},  {"Y", 24}};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        char text[32], expected[32];
        double value = 0;
        const char *end;
        ln_dimension dimension;
        snprintf(text, sizeof text, "4.7 %sV", prefixes[i].prefix);
        snprintf(expected, sizeof expected, "4.7e%d", prefixes[i].decimal);
        CU_ASSERT(ln_ast_literal(text, &value, &dimension));
        /* the nearest double, not one beside it */
        CU_ASSERT_EQUAL(value, ln_number_read(expected, &end));
    }
}

void test_unit_literals(void) {
    static const struct {
        const char *text;
        double value;
        const char *unit;
    } literals[] = {
        {"5", 5, "a plain number"},
        {" -5 ", -5, "a plain number"},
        {"+.5", 0.5, "a plain number"},
        {"5.", 5, "a plain number"},
        {"1e-3", 1e-3, "a plain number"},
        {"1E3", 1e3, "a plain number"},
        {"10k", 1e4, "a plain number"},
        {"4.7u", 4.7e-6, "a plain number"},
        {"1M", 1e6, "a plain number"},
        {"10m", 10, "m"},
        {"10 m", 10, "m"},
        {"1T", 1, "T"},
        {"10 us", 1e-5, "s"},
        {"0.1 ms", 1e-4, "s"},
        {"5 m/s", 5, "m/s"},
        {"36 km/h", 10, "m/s"},
        {"25 degC", 298.15, "K"},
        {"-40 degC", 233.15, "K"},
        {"-5 \xC2\xB0"
         "C",
         268.15, "K"},
        {"180 deg", PI, "a plain number"},
        {"90\xC2\xB0", PI / 2, "a plain number"},
        {"50%", 0.5, "a plain number"},
        {"1 eV", 1.602176634e-19, "J"},
        {"2 W/(m.K)", 2, "W/(m.K)"},
        {"1e3 mV", 1, "V"},
        {"3  kOhm", 3000, "Ohm"},
        {"1 kWh", 3.6e6, "J"},
    };
    for (size_t i = 0; i < sizeof literals / sizeof *literals; i++) {
        double value = NAN;
        ln_dimension dimension = ln_dimension_any;
        char text[64];
        int read = ln_ast_literal(literals[i].text, &value, &dimension);
        if (!read)
            printf("\n    '%s' is not read\n", literals[i].text);
        CU_ASSERT(read);
        CHECK_CLOSE(value / literals[i].value, 1, 2.3e-16);
        ln_dimension_text(dimension, text);
        CHECK_TEXT(text, literals[i].unit);
        CU_ASSERT_EQUAL(value_of(literals[i].text), value);
    }
    static const char *const others[] = {"",    "x",   "2*3",   "5 V 3", "1,5",  "(5)",
                                         "--5", "5 x", "1e999", "- 5",   "5 V+1"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        double value;
        ln_dimension dimension;
        CU_ASSERT_FALSE(ln_ast_literal(others[i], &value, &dimension));
    }
}

/* Where the run behind a number ends. */
void test_unit_run(void) {
    static const struct {
        const char *text;
        size_t length;
    } runs[] = {
        {"m/s", 3},  {"V/R1", 1},          {"V/R", 1},    {"V/C", 3},       {"V /C", 1},
        {"m*3", 1},  {"m.s", 3},           {"m.x", 0},    {"V/m.x", 1},     {"m2", 0},
        {"m^2", 3},  {"m^2*4", 3},         {"m^x", 0},    {"W/(m.K)+1", 7}, {"W/(R+1)", 1},
        {"V)", 1},   {"V,3", 1},           {"xyz", 0},    {"k", 0},         {"kV", 2},
        {"kkV", 0},  {"degC", 4},          {"degC/s", 4}, {"kdegC", 0},     {"m/s(3)", 1},
        {"s(3)", 0}, {"kmin", 0},          {"V/s/x", 3},  {"m/s^-2", 6},    {"m^123", 0},
        {"_V", 0},   {"V/(((((s)))))", 1},
    };
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        ln_unit unit;
        size_t length = ln_unit_run(runs[i].text, strlen(runs[i].text), &unit);
        if (length != runs[i].length)
            printf("\n    '%s': %zu\n", runs[i].text, length);
        CU_ASSERT_EQUAL(length, runs[i].length);
    }
    ln_unit unit; /* what stands behind the length is none of it */
    CU_ASSERT_EQUAL(ln_unit_run("kOhmX", 4, &unit), 4);
    CU_ASSERT_EQUAL(ln_unit_run("mVs", 2, &unit), 2);
}

void test_unit_wrong(void) {
    static const struct {
        const char *text, *nearest;
    } wrong[] = {
        {"kohms", "kOhm"}, {"Ohms", "Ohm"}, {"Farad", NULL},  {"x", NULL},
        {"N.", NULL},      {"N.m/", NULL},  {"N m", NULL},    {"m^", NULL},
        {"m^1.5", NULL},   {"(m", NULL},    {"degC/s", NULL}, {"K.degC", NULL},
        {"degC^2", NULL},  {"2 m", NULL},   {"k", NULL},      {"rpmm", "rpm"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double factor, offset;
        ln_dimension dimension;
        const char *nearest = "untouched";
        CU_ASSERT_FALSE(ln_unit_read(wrong[i].text, &factor, &offset, &dimension, &nearest));
        if (wrong[i].nearest)
            CHECK_TEXT(nearest, wrong[i].nearest);
    }
    double factor, offset;
    ln_dimension dimension;
    CU_ASSERT(ln_unit_read("degC", &factor, &offset, &dimension, NULL));
    CU_ASSERT_EQUAL(factor, 1);
    CU_ASSERT_EQUAL(offset, 273.15);
}

static ln_dimension dimension_of(const char *unit) {
    double factor, offset;
    ln_dimension dimension = ln_dimension_any;
    CU_ASSERT(ln_unit_read(unit, &factor, &offset, &dimension, NULL));
    return dimension;
}

void test_unit_texts(void) {
    static const struct {
        const char *unit, *text;
    } texts[] = {
        {"", "a plain number"}, {"kOhm", "Ohm"},    {"V/A", "Ohm"},
        {"J/s", "W"},           {"V.A", "W"},       {"m/s/s", "m/s^2"},
        {"N.m", "J"},           {"Hz", "1/s"},      {"N/m", "N/m"},
        {"W/(m.K)", "W/(m.K)"}, {"m^3/s", "m^3/s"}, {"kg.m^3/s", "kg.m^3/s"},
        {"1/(m.s)", "1/m/s"},   {"1/K", "1/K"},     {"cd^2", "cd^2"},
    };
    char text[64];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ln_dimension_text(dimension_of(texts[i].unit), text);
        CHECK_TEXT(text, texts[i].text);
    }
    ln_dimension root;
    CU_ASSERT(ln_dimension_power(dimension_of("m"), 0.5, &root));
    ln_dimension_text(root, text);
    CHECK_TEXT(text, "m^(1/2)");
    CU_ASSERT(ln_dimension_power(dimension_of("kg^2/m"), 1.0 / 3, &root));
    ln_dimension_text(root, text);
    CHECK_TEXT(text, "kg^(2/3)/m^(1/3)");
    CU_ASSERT_FALSE(ln_dimension_power(dimension_of("m"), 1.0 / 5, &root));
    CU_ASSERT_FALSE(ln_dimension_power(dimension_of("m"), NAN, &root));
    CU_ASSERT_FALSE(ln_dimension_power(dimension_of("m"), 1e9, &root));
    ln_dimension_text(ln_dimension_any, text);
    CHECK_TEXT(text, "a plain number");
}

void test_unit_algebra(void) {
    ln_dimension volt = dimension_of("V"), ampere = dimension_of("A"), product;
    CU_ASSERT(ln_dimension_fits(volt, volt));
    CU_ASSERT_FALSE(ln_dimension_fits(volt, ampere));
    CU_ASSERT(ln_dimension_fits(volt, ln_dimension_any));
    CU_ASSERT(ln_dimension_fits(ln_dimension_plain, volt));
    CU_ASSERT_FALSE(ln_dimension_fits(ln_dimension_none, volt));
    product = ln_dimension_multiply(volt, ampere);
    CU_ASSERT(ln_dimension_fits(product, dimension_of("W")));
    CU_ASSERT(ln_dimension_fits(ln_dimension_divide(volt, ampere), dimension_of("Ohm")));
    CU_ASSERT_EQUAL(ln_dimension_multiply(ln_dimension_plain, volt).any, LN_DEFINITE);
    CU_ASSERT_EQUAL(ln_dimension_multiply(ln_dimension_any, volt).any, LN_FREE);
    CU_ASSERT_EQUAL(ln_dimension_multiply(ln_dimension_plain, ln_dimension_plain).any, LN_PLAIN);
    CU_ASSERT_EQUAL(ln_dimension_merge(ln_dimension_plain, volt).any, LN_DEFINITE);
    CU_ASSERT_EQUAL(ln_dimension_merge(ln_dimension_plain, ln_dimension_any).any, LN_FREE);
    /* no overflow */
    for (int i = 0; i < 100000; i++)
        product = ln_dimension_multiply(product, volt);
    CU_ASSERT_EQUAL(product.any, LN_FREE);
}
