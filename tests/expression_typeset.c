/* SPDX-License-Identifier: MIT */
/* Expressions and lines of equations as TeX: each form once, parentheses where they are needed and
 * nowhere else, and what is no equation. */
#include "expression_tests.h"

#include "base/arena.h"
#include "expression/typeset.h"
#include "unit.h"

#include <string.h>

static void check_line(ln_arena *arena, const char *line, const char *wanted) {
    const char *tex = ln_typeset_line(arena, line);
    const int same = tex == NULL || wanted == NULL ? tex == wanted : strcmp(tex, wanted) == 0;
    if (!same)
        printf("\n%s: %s", line, tex != NULL ? tex : "(nothing)");
    CU_ASSERT_TRUE(same);
}

void test_typeset(void) {
    static const struct {
        const char *line, *tex;
    } table[] = {
        {"v = p.v - n.v", "v = v_{p} - v_{n}"},
        {"y = a - (b - c)", "y = a - \\left(b - c\\right)"},
        {"y = (a*b)*c + (d)", "y = a\\,b\\,c + d"},
        {"y = a*(b + c)/2", "y = \\frac{a\\,\\left(b + c\\right)}{2}"},
        {"y = 2*3", "y = 2\\cdot 3"},
        {"y = -a^2", "y = -{a}^{2}"},
        {"y = (-a)^2 - (-b)", "y = {\\left(-a\\right)}^{2} - \\left(-b\\right)"},
        {"y = (a/b)^n", "y = {\\left(\\frac{a}{b}\\right)}^{n}"},
        {"y = exp(-t/tau)", "y = \\mathrm{e}^{-\\frac{t}{\\tau }}"},
        {"y = (-a + b)/c", "y = \\frac{-a + b}{c}"},
        {"der(x) = v", "\\frac{\\mathrm{d}x}{\\mathrm{d}t} = v"},
        {"der(x + y) = v", "\\frac{\\mathrm{d}}{\\mathrm{d}t}\\left(x + y\\right) = v"},
        {"heat.T = T0 + w_nominal*v12",
         "T_{\\mathit{heat}} = T_{0} + w_{\\text{nominal}}\\,v_{12}"},
        {"g_over_R = 1", "g_{\\text{over\\_R}} = 1"},
        {"y = 1e-12 S + 4.7 uF", "y = 10^{-12}\\,\\mathrm{S} + 4.7\\,\\mathrm{uF}"},
        {"y = 2.5E3*x", "y = 2.5\\cdot 10^{3}\\,x"},
        {"y = noevent(max(a, b))", "y = \\operatorname{max}\\left(a,\\,b\\right)"},
        {"y = if(a gt b, 1, if(c, 2, 3))",
         "y = \\begin{cases} 1 & \\text{if } a > b \\\\ 2 & \\text{if } c \\\\ 3 & "
         "\\text{otherwise} \\end{cases}"},
        {"y = 2*if(a, 1, 0)",
         "y = 2\\,\\left(\\begin{cases} 1 & \\text{if } a \\\\ 0 & \\text{otherwise} "
         "\\end{cases}\\right)"},
        {"y[i] = sum(j = 1 .. n, A[i, j]*u[j])   for i = 1 .. n",
         "y_{i} = \\sum_{j=1}^{n} A_{i,j}\\,u_{j}\\quad\\text{for } i = 1, \\dots, n"},
        {"assert min le max", "\\text{always } \\mathit{min} \\le \\mathit{max}"},
        {"when h lt 0: v = -k*v, h = max(h, 0)",
         "\\text{when } h < 0:\\quad v \\leftarrow -k\\,v,\\quad h \\leftarrow "
         "\\operatorname{max}\\left(h,\\,0\\right)"},
        {"y = `my-block_1`.i", "y = i_{\\text{my-block}_{1}}"},
        {"y = `50%{}`", "y = \\text{50\\%\\{\\}}"},
        {"y = max(a, b, ...)", "y = \\operatorname{max}\\left(a,\\,b,\\,\\dots\\right)"},
        {"y = c[1]*a^n + ... + c[n]", "y = c_{1}\\,{a}^{n} + \\dots + c_{n}"},
        {"(exp goes on)", NULL},
        {"out(t) = in at tick k", NULL},
        {"when it rains: x = 1", NULL},
        {"", NULL},
    };
    ln_arena *arena = ln_arena_new();
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        check_line(arena, table[k].line, table[k].tex);
    char many[4096] = "y = 1";
    for (int k = 0; k < 1000; k++)
        strcat(many, "+x");
    check_line(arena, many, NULL); /* no formula to be read */
    ln_arena_free(arena);
}
