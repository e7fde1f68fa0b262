/* SPDX-License-Identifier: MIT */
/* How fast signals change, in C: the slope of the polynomial through the last six of their values,
 * one a step, as in the simulation that lets events act at steps (system/history.c), whose every
 * operation is here, so that both see a signal turn in the same step. In double also where the rest
 * is in float: the differences of close values decide. */
#include "codegen/c_writer.h"
#include "base/text.h"

void ln_c_changes_struct(const ln_c_writer *w) {
    if (w->plan->nchanges == 0)
        return;
    ln_c_add(w, "\n/* What signals have been whose rates are asked, the last value first; for the "
                "code's own use. */\n"
                "typedef struct $N_change {\n"
                "    double sample[6], peak; /* peak: the largest it has been */\n"
                "    double slope, turns_after;\n"
                "} $N_change_t;\n"
                "typedef struct $N_changes {\n"
                "    double when[6]; /* of the samples */\n    int count;\n"
                "    $N_change_t of");
    ln_text_printf(w->out, "[%d];\n", w->plan->nchanges);
    ln_c_add(w, "} $N_changes_t;\n");
}

static const char rate[] =
    "\n/* How fast a signal changes that is u at t. What is no more than rounding is no change: "
    "then the sign of the\n"
    " * last rate stays, but no more of its size than could be hidden. */\n"
    "static double rate_of(const $N_changes_t *changes, int k, double t, double u) {\n"
    "    enum { NODES = 6 };\n"
    "    const $N_change_t *const it = &changes->of[k];\n"
    "    const double least = SAME * fmax(it->peak, fabs(u));\n"
    "    double largest = fabs(u - it->sample[0]), time[NODES], value[NODES], slope = 0.0;\n"
    "    int n = 0;\n"
    "    if (!(t > changes->when[0])) return largest > least ? copysign(1e30, u - it->sample[0]) : "
    "it->slope;\n"
    "    for (; n < NODES - 1 && n < changes->count; n++) {\n"
    "        time[n] = changes->when[n];\n"
    "        value[n] = it->sample[n];\n"
    "        largest = fmax(largest, fabs(u - value[n]));\n"
    "    }\n"
    "    if (!(largest > least))\n"
    "        return copysign(fmin(fabs(it->slope), least / (t - time[n - 1])), it->slope);\n"
    "    time[n] = t;\n"
    "    value[n++] = u;\n"
    "    for (int i = 0; i < n; i++) {\n"
    "        double basis = 1.0, rise = 0.0;\n"
    "        for (int j = 0; j < n; j++) {\n"
    "            if (j == i) continue;\n"
    "            const double part = 1.0 / (time[i] - time[j]);\n"
    "            rise = rise * (t - time[j]) * part + basis * part;\n"
    "            basis *= (t - time[j]) * part;\n"
    "        }\n"
    "        slope += value[i] * rise;\n"
    "    }\n"
    "    return !(slope * it->slope > 0.0) && t < it->turns_after ? it->slope : slope;\n"
    "}\n";

static const char uses[] =
    "\n/* The rates at an instant, where a signal may jump. */\n"
    "static void look_at_changes($N_t *model, const at_t *at) {\n"
    "    $R u[CHANGES];\n"
    "    changing_of(at, &model->signals, u);\n"
    "    for (int k = 0; k < CHANGES; k++)\n"
    "        model->memories.value[change_at[k]] = ($R)rate_of(&model->changes, k, "
    "time_of(model), (double)u[k]);\n"
    "}\n"
    "\n/* The first samples. */\n"
    "static void begin_changes($N_t *model, const at_t *at) {\n"
    "    $N_changes_t *const changes = &model->changes;\n"
    "    $R u[CHANGES];\n"
    "    changing_of(at, &model->signals, u);\n"
    "    changes->when[0] = time_of(model);\n"
    "    changes->count = 1;\n"
    "    for (int k = 0; k < CHANGES; k++) {\n"
    "        $N_change_t *const it = &changes->of[k];\n"
    "        it->sample[0] = (double)u[k];\n"
    "        it->peak = fabs(it->sample[0]);\n"
    "        it->slope = 0.0;\n"
    "        it->turns_after = changes->when[0];\n"
    "    }\n"
    "    look_at_changes(model, at);\n"
    "}\n"
    "\n/* An instant has passed: the last samples are those after it. */\n"
    "static void pass_changes($N_t *model, const at_t *at) {\n"
    "    $R u[CHANGES];\n"
    "    changing_of(at, &model->signals, u);\n"
    "    for (int k = 0; k < CHANGES; k++) {\n"
    "        $N_change_t *const it = &model->changes.of[k];\n"
    "        it->slope = rate_of(&model->changes, k, time_of(model), (double)u[k]);\n"
    "        it->sample[0] = (double)u[k];\n"
    "        it->peak = fmax(it->peak, fabs(it->sample[0]));\n"
    "    }\n"
    "}\n"
    "\n/* A step has ended: its slopes, and another sample. A signal that has turned does not turn "
    "back within half\n"
    " * the time that the samples span. */\n"
    "static void note_changes($N_t *model, const at_t *at, const $N_signals_t *signals) {\n"
    "    $N_changes_t *const changes = &model->changes;\n"
    "    const double t = time_of(model);\n"
    "    const int back = changes->count < 6 ? changes->count : 6;\n"
    "    $R u[CHANGES];\n"
    "    changing_of(at, signals, u);\n"
    "    for (int k = 0; k < CHANGES; k++) {\n"
    "        $N_change_t *const it = &changes->of[k];\n"
    "        const double slope = rate_of(changes, k, t, (double)u[k]);\n"
    "        if (slope * it->slope < 0.0) it->turns_after = t + (t - changes->when[back - 1]) / "
    "2;\n"
    "        it->slope = slope;\n"
    "        memmove(it->sample + 1, it->sample, sizeof it->sample - sizeof *it->sample);\n"
    "        it->sample[0] = (double)u[k];\n"
    "        it->peak = fmax(it->peak, fabs(it->sample[0]));\n"
    "    }\n"
    "    memmove(changes->when + 1, changes->when, sizeof changes->when - sizeof "
    "*changes->when);\n"
    "    changes->when[0] = t;\n"
    "    changes->count = back < 6 ? back + 1 : 6;\n"
    "}\n";

/* The signals, and where the rates stand. */
static void add_tables(ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_text body = {0};
    w->reads = 0;
    w->into = (ln_c_into){"u[", "]", NULL, NULL};
    ln_c_part(w, &plan->changing, 0, &body);
    ln_c_add(w, "\n/* Signals whose rates are asked. */\n"
                "static void changing_of(const at_t *at, const $N_signals_t *signals, $R *u) {\n");
    ln_c_locals(w);
    if (!(w->reads & LN_READS_SIGNALS))
        ln_c_add(w, "    (void)signals;\n");
    if (body.data != NULL)
        ln_text_add(w->out, body.data);
    w->out->failed |= body.failed;
    ln_text_free(&body);
    ln_text_printf(w->out, "}\n\nenum { CHANGES = %d };\nstatic const int change_at[] = {",
                   plan->nchanges);
    for (int k = 0; k < plan->nchanges; k++) {
        ln_text_add(w->out, k > 0 ? ", MEM_" : "MEM_");
        ln_member_print(&plan->memories, plan->memory[plan->change_memory[k]], w->out);
    }
    ln_text_add(w->out, "};\n");
}

void ln_c_changes(ln_c_writer *w) {
    const int is_float = w->language == LN_C_FLOAT;
    if (w->plan->nchanges == 0)
        return;
    add_tables(w);
    ln_text_printf(w->out, "static const double SAME = %s; /* rounding, of a signal's size */\n",
                   is_float ? "1e-5" : "1e-9");
    ln_c_add(w, "\nstatic double time_of(const $N_t *model) {\n");
    ln_c_add(w, is_float ? "    return (double)model->begin + (double)model->steps * "
                           "(double)model->dt;\n}\n"
                         : "    return model->time;\n}\n");
    ln_c_add(w, rate);
    ln_c_add(w, uses);
}
