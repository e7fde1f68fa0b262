/* SPDX-License-Identifier: MIT */
/* SPICE's numbers and expressions; whole decks are the matter of spice.sh and ngspice.sh. */
#include "spice/deck.h"
#include "unit.h"

#include <math.h>

static void test_numbers(void) {
    static const struct {
        const char *text;
        double value;
    } known[] = {{"1", 1},     {"-2.5e-3", -2.5e-3}, {"4.7k", 4700},    {"1meg", 1e6},
                 {"1m", 1e-3}, {"2.2uf", 2.2e-6},    {"10mil", 254e-6}, {"3g", 3e9},
                 {"1t", 1e12}, {"5n", 5e-9},         {"7p", 7e-12},     {"1f", 1e-15},
                 {"2a", 2},    {"12v", 12},          {"1e3k", 1e6}};
    double value;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        CU_ASSERT(ln_spice_number(known[k].text, &value));
        CHECK_CLOSE(value / known[k].value, 1, 1e-15);
    }
    CU_ASSERT(!ln_spice_number("k1", &value));
    /* ngspice reads 1k and drops the 5: said, not guessed */
    CU_ASSERT(!ln_spice_number("1k5", &value));
    CU_ASSERT(!ln_spice_number("1e400", &value));
    CU_ASSERT(!ln_spice_number("", &value));
}

/* As ngspice has it: powers from left to right, of the size of their base; comparisons are numbers.
 */
static void test_expressions(void) {
    static const struct {
        const char *text;
        double value;
    } known[] = {{"1+2*3", 7},
                 {"(1+2)*3", 9},
                 {"2**3**2", 64},
                 {"-2^2", -4},
                 {"7%4", 3},
                 {"1k/2", 500},
                 {"1>2 ? 10 : 1 < 2 ? 20 : 30", 20},
                 {"1<2 && 2<=2", 1},
                 {"!(1==1)", 0},
                 {"sqrt(16)+abs(-2)", 6},
                 {"min(3,max(1,2))", 2},
                 {"pow(2,10)", 1024},
                 {"ln(exp(2))", 2},
                 {"log10(1000)", 3},
                 {"sgn(-3)", -1},
                 {"int(-2.7)", -2},
                 {"atan2(1,1)*4", 3.14159265358979323846},
                 {"{2*{3}}", 6},
                 {"+2 - +3", -1},
                 {"2>=2 && 3!=2", 1},
                 {"0 || 2>=3", 0},
                 {"0 || 0.1", 1},
                 {"uramp(-1) + uramp(2)", 2},
                 {"db(-100)", 40},
                 {"sqr(-3)", 9},
                 {"u2(-1) + 10*u2(0.25) + 100*u2(7)", 102.5},
                 {"buf(0.6) + 10*buf(0.4) + 100*inv(0.4)", 101},
                 {"pwr(-2,3)", 8},
                 {"pwrs(-2,3)", -8},
                 {"sign(2,-3)", -2},
                 {"if(1>2, 3, 4)", 4},
                 {"ternary_fcn(1<2, 3, 4)", 3},
                 {"table(0.5, 0, 1, 1, 3, 2, 0)", 2},
                 {"table(-5, 0, 1, 1, 3) + 10*table(5, 0, 1, 1, 3)", 31},
                 {"pwl(-1, 0, 1, 1, 3) + 10*pwl(2, 0, 1, 1, 3)", 49},
                 {"hypot(3,4)", 5},
                 {"nint(2.5) + 10*nint(3.5)", 42},
                 {"fmod(-7,4)", -3},
                 {"temper", 27}};
    ln_report *report = ln_report_new(NULL, NULL);
    ln_arena *arena = ln_arena_new();
    ln_spice spice = {.arena = arena, .report = report, .settings = {.temperature = 27}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        double value = NAN;
        CU_ASSERT(ln_text_value(&spice, &spice.global, known[k].text, LN_NOWHERE, &value));
        CHECK_CLOSE(value, known[k].value, 1e-14);
    }
    CU_ASSERT(spice.status == LINNET_OK);
    ln_arena_free(arena);
    ln_report_free(report);
}

UNIT_MAIN({"numbers and their suffixes", test_numbers},
          {"expressions of parameters", test_expressions})
