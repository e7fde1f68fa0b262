/* SPDX-License-Identifier: MIT */
/* Algebraic loops in generated code: the method of system/loop.c, with work space on the stack. */
#include "codegen/c_writer.h"
#include "base/text.h"

#include <string.h>

/* The method, once for all loops. */
static const char solver[] =
    "/* An algebraic loop: `count` unknowns x of which residual() gives residuals and their "
    "slopes, by columns. */\n"
    "typedef struct loop_t {\n"
    "    int count;\n"
    "    int affine;             /* linear in its unknowns: one step is exact */\n"
    "    const $R *nominal;  /* typical sizes of the unknowns */\n"
    "    void (*residual)(const at_t *at, const $N_signals_t *signals, $R *residual, $R *slopes);\n"
    "    $R **x;\n"
    "    $R *residuals, *slopes, *step, *before; /* work space */\n"
    "} loop_t;\n"
    "\n"
    "/* The largest residual against the typical sizes; not finite where there is no value. */\n"
    "static $R loop_size(const loop_t *loop, const at_t *at, const $N_signals_t *signals) {\n"
    "    $R largest = @0;\n"
    "    loop->residual(at, signals, loop->residuals, loop->slopes);\n"
    "    for (int i = 0; i < loop->count; i++) {\n"
    "        const $R size = @fabs(loop->residuals[i]) / loop->nominal[i];\n"
    "        if (!(size <= largest)) largest = size;\n"
    "    }\n"
    "    return largest;\n"
    "}\n"
    "\n"
    "/* step = -slopes^-1 residuals by elimination with row exchanges; 0 when the slopes are "
    "singular. */\n"
    "static int loop_step(const loop_t *loop) {\n"
    "    const int n = loop->count;\n"
    "    $R *const a = loop->slopes, *const b = loop->step;\n"
    "    for (int i = 0; i < n; i++) b[i] = -loop->residuals[i];\n"
    "    for (int c = 0; c < n; c++) {\n"
    "        int pivot = c;\n"
    "        for (int r = c + 1; r < n; r++)\n"
    "            if (@fabs(a[r + c * n]) > @fabs(a[pivot + c * n])) pivot = r;\n"
    "        if (!(@fabs(a[pivot + c * n]) > @0)) return 0;\n"
    "        for (int j = 0; j < n && pivot != c; j++) {\n"
    "            const $R kept = a[c + j * n];\n"
    "            a[c + j * n] = a[pivot + j * n];\n"
    "            a[pivot + j * n] = kept;\n"
    "        }\n"
    "        const $R kept = b[c];\n"
    "        b[c] = b[pivot];\n"
    "        b[pivot] = kept;\n"
    "        for (int r = c + 1; r < n; r++) {\n"
    "            const $R factor = a[r + c * n] / a[c + c * n];\n"
    "            for (int j = c + 1; j < n; j++) a[r + j * n] -= factor * a[c + j * n];\n"
    "            b[r] -= factor * b[c];\n"
    "        }\n"
    "    }\n"
    "    for (int c = n - 1; c >= 0; c--) {\n"
    "        for (int j = c + 1; j < n; j++) b[c] -= a[c + j * n] * b[j];\n"
    "        b[c] /= a[c + c * n];\n"
    "        if (!isfinite(b[c])) return 0;\n"
    "    }\n"
    "    return 1;\n"
    "}\n"
    "\n"
    "static void loop_move(const loop_t *loop, $R part) {\n"
    "    for (int i = 0; i < loop->count; i++) *loop->x[i] = loop->before[i] + part * "
    "loop->step[i];\n"
    "}\n"
    "\n"
    "/* Halves the step until the residual falls; the new residual, negative when it falls "
    "nowhere. */\n"
    "static $R loop_search(const loop_t *loop, const at_t *at, const $N_signals_t *signals, $R "
    "size) {\n"
    "    $R part = @1;\n"
    "    for (int halvings = 0; halvings <= 12; halvings++, part *= @h) {\n"
    "        loop_move(loop, part);\n"
    "        const $R now = loop_size(loop, at, signals);\n"
    "        if (isfinite(now) && now <= (@1 - @a * part) * size) return now;\n"
    "    }\n"
    "    loop_move(loop, @0);\n"
    "    return -@1;\n"
    "}\n"
    "\n"
    "/* Newton's method from the values that the unknowns have, in at most 50 iterations. */\n"
    "static $N_status_t loop_solve(const loop_t *loop, const at_t *at, const $N_signals_t "
    "*signals) {\n"
    "    $R size = loop_size(loop, at, signals);\n"
    "    if (!isfinite(size)) return $U_NOT_FINITE;\n"
    "    for (int k = 0; k < 50; k++) {\n"
    "        if (!(size > @0)) return $U_OK;\n"
    "        if (!loop_step(loop)) return $U_NO_CONVERGENCE;\n"
    "        $R change = @0;\n"
    "        for (int i = 0; i < loop->count; i++) {\n"
    "            loop->before[i] = *loop->x[i];\n"
    "            const $R part = @fabs(loop->step[i]) / @fmax(@fabs(loop->before[i]), "
    "loop->nominal[i]);\n"
    "            if (!(part <= change)) change = part;\n"
    "        }\n"
    "        if (loop->affine || change <= @c) {\n"
    "            loop_move(loop, @1);\n"
    "            return $U_OK;\n"
    "        }\n"
    "        size = loop_search(loop, at, signals, size);\n"
    "        if (size < @0) return change <= @r ? $U_OK : $U_NO_CONVERGENCE;\n"
    "    }\n"
    "    return $U_NO_CONVERGENCE;\n"
    "}\n";

/* @0 @1 @h: numbers; @fabs, @fmax: functions; @a Armijo's part; @c converged; @r limited by
 * rounding (system/loop.c; in float as many units in the last place). */
static void add_solver(const ln_c_writer *w) {
    const int is_float = w->language == LN_C_FLOAT;
    const struct {
        const char *mark, *text[2];
    } words[] = {{"0", {"0.0", "0.0f"}},      {"1", {"1.0", "1.0f"}},      {"h", {"0.5", "0.5f"}},
                 {"fabs", {"fabs", "fabsf"}}, {"fmax", {"fmax", "fmaxf"}}, {"a", {"1e-4", "1e-4f"}},
                 {"c", {"1e-12", "5e-4f"}},   {"r", {"1e-9", "1e-4f"}}};
    ln_text text = {0};
    const char *at = solver;
    for (const char *mark; (mark = strchr(at, '@')) != NULL;) {
        size_t length = 1, best = 0;
        const char *by = "";
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            length = strlen(words[k].mark);
            if (length <= best || strncmp(mark + 1, words[k].mark, length) != 0)
                continue;
            best = length;
            by = words[k].text[is_float];
        }
        ln_text_add_bytes(&text, at, (size_t)(mark - at));
        ln_text_add(&text, by);
        at = mark + 1 + best;
    }
    ln_text_add(&text, at);
    if (text.failed)
        w->out->failed = 1;
    else
        ln_c_add(w, text.data);
    ln_text_free(&text);
}

/* ---- one loop ---- */

static void assign_residual(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    const int count = w->loop->count;
    if (output < count)
        ln_text_printf(out, "    residual[%d] = %s;\n", output, value);
    else
        ln_text_printf(out, "    slopes[%d] = %s;\n", output - count, value);
}

static void add_residual(ln_c_writer *w, int k) {
    const ln_c_target target = {assign_residual, NULL, 0, 0};
    ln_text body = {0};
    const ln_code_cost before = w->cost;
    w->reads = 0;
    w->loop = &w->plan->loops[k];
    ln_c_program(w, w->loop->program, &target, &body);
    w->iteration.operations += w->cost.operations - before.operations;
    w->iteration.calls += w->cost.calls - before.calls;
    ln_text_printf(w->out, "\nstatic void loop_%d_residual(", k + 1);
    ln_c_add(w, "const at_t *at, const $N_signals_t *signals, $R *residual, $R *slopes) {\n");
    ln_c_locals(w);
    if (!(w->reads & LN_READS_SIGNALS))
        ln_c_add(w, "    (void)signals;\n");
    if (body.data != NULL)
        ln_text_add(w->out, body.data);
    if (body.failed)
        w->out->failed = 1;
    ln_c_add(w, "}\n");
    ln_text_free(&body);
}

static void add_call(ln_c_writer *w, int k) {
    const ln_plan_loop *loop = &w->plan->loops[k];
    const int n = loop->count;
    ln_text_add(w->out, "\n/* ");
    ln_comment_text(w->out, loop->members);
    ln_text_printf(w->out, " */\nstatic ");
    ln_c_add(w, "$N_status_t ");
    ln_text_printf(w->out, "loop_%d(", k + 1);
    ln_c_add(w, "const at_t *at, $N_signals_t *signals) {\n    static const $R nominal[] = {");
    for (int i = 0; i < n; i++) {
        if (i > 0)
            ln_text_add(w->out, ", ");
        ln_c_number(w, loop->nominal[i]);
    }
    ln_c_add(w, "};\n    $R *x[] = {");
    for (int i = 0; i < n; i++) {
        ln_text_add(w->out, i > 0 ? ", &" : "&");
        ln_c_unknown(w, w->out, loop->unknown[i]);
    }
    ln_c_add(w, "};\n    $R ");
    ln_text_printf(w->out, "residuals[%d], slopes[%d], step[%d], before[%d];\n", n, n * n, n, n);
    ln_text_printf(w->out,
                   "    const loop_t loop = {%d, %d, nominal, loop_%d_residual, x, residuals, "
                   "slopes, step, before};\n"
                   "    return loop_solve(&loop, at, signals);\n}\n",
                   n, loop->affine, k + 1);
}

void ln_c_loops(ln_c_writer *w) {
    if (w->plan->nloops == 0)
        return;
    ln_text_add(w->out, "\n");
    add_solver(w);
    for (int k = 0; k < w->plan->nloops; k++) {
        add_residual(w, k);
        add_call(w, k);
    }
}
