/* SPDX-License-Identifier: MIT */
/* What a user is told when the numbers fail: the unknowns that are worst or undetermined, their
 * blocks, what to try. */
#include "base/text.h"
#include "integrate/start.h"

#include <math.h>
#include <string.h>

enum { NAMED = 5, VECTORS = 3 };

/* Appends "a, b, c and 4 more" of the entries of a null vector that matter. */
static void list_entries(const ln_network *network, const double *vector, ln_text *text,
                         void (*name)(const ln_network *, int, char[160])) {
    int count = 0;
    for (int i = 0; i < network->n; i++) {
        if (fabs(vector[i]) < 1e-3)
            continue;
        char one[160];
        if (++count > NAMED)
            continue;
        name(network, i, one);
        ln_text_printf(text, "%s%s", count > 1 ? ", " : "", one);
    }
    if (count > NAMED)
        ln_text_printf(text, " and %d more", count - NAMED);
}

static ln_place place_of_entries(const ln_network *network, const double *vector) {
    for (int i = 0; i < network->n; i++)
        if (fabs(vector[i]) > 0.999)
            return ln_network_unknown_place(network, i);
    return LN_NOWHERE;
}

static ln_place describe_singular(const ln_run *run, const ln_newton *newton,
                                  const ln_pattern *pattern, ln_text *text) {
    const ln_network *network = run->system->network;
    size_t n = (size_t)run->n;
    ln_place place = LN_NOWHERE;
    ln_arena *arena = ln_arena_new();
    double *right = arena == NULL ? NULL : LN_NEW(arena, double, n *VECTORS);
    double *left = arena == NULL ? NULL : LN_NEW(arena, double, n *VECTORS);
    int found = right == NULL || left == NULL
                    ? -1
                    : ln_linear_null(pattern, newton->values, VECTORS, right, left);
    ln_text_add(text, "the equations are singular");
    for (int k = 0; k < found; k++) {
        ln_text_add(text, k == 0 ? ": nothing determines " : "; nor ");
        list_entries(network, right + (size_t)k * n, text, ln_network_unknown_text);
        if (k == 0)
            place = place_of_entries(network, right);
    }
    if (found > 0 && pattern == &run->system->pattern) {
        ln_text_add(text, "; these equations depend on each other: ");
        list_entries(network, left, text, ln_network_row_text);
    }
    ln_text_add(text, "; look for a loop of ideal sources, a part without a reference, or a loop "
                      "gain of exactly one");
    ln_arena_free(arena);
    return place;
}

/* No update stands out: it is the error of the step that no step is short enough for. */
static ln_place describe_error(const ln_run *run, ln_text *text) {
    char name[160];
    ln_network_unknown_text(run->system->network, run->errors.dominant, name);
    ln_text_printf(text,
                   "the error of a step stays too large, most of all in %s; if it went to where it "
                   "should never be, "
                   "such as a negative concentration, give it a smaller absolute tolerance",
                   name);
    return ln_network_unknown_place(run->system->network, run->errors.dominant);
}

/* The unknowns that moved most in Newton's last update, in units of their tolerances, at most NAMED
 * of them; returns how many there are. */
static int find_worst(const ln_run *run, const ln_newton *newton, int worst[NAMED]) {
    double size[NAMED];
    int count = 0;
    for (int i = 0; i < run->n; i++) {
        double s = fabs(newton->dx[i]) / run->system->abstol[i];
        if (!(s > 1) && s == s)
            continue;
        if (count == NAMED && !(s > size[NAMED - 1]))
            continue;
        int at = count < NAMED ? count++ : NAMED - 1;
        for (; at > 0 && s > size[at - 1]; at--) {
            worst[at] = worst[at - 1];
            size[at] = size[at - 1];
        }
        worst[at] = i;
        size[at] = s;
    }
    return count;
}

/* The unknowns whose last updates were largest against their tolerance. h: of a step, or 0. */
static ln_place describe_worst(const ln_run *run, const ln_newton *newton, double h,
                               ln_text *text) {
    const ln_system *system = run->system;
    int worst[NAMED];
    const int count = find_worst(run, newton, worst);
    if (count == 0 && h > 0 && run->settings->tolerance > 0)
        return describe_error(run, text);
    ln_text_printf(text, "Newton's iteration does not converge%s",
                   count > 0 ? "; still moving: " : "");
    for (int k = 0; k < count; k++) {
        char one[160];
        ln_network_unknown_text(system->network, worst[k], one);
        ln_text_printf(text, "%s%s by %.3g", k > 0 ? ", " : "", one, newton->dx[worst[k]]);
    }
    return count > 0 ? ln_network_unknown_place(system->network, worst[0]) : LN_NOWHERE;
}

/* What lets a step converge: no other method does so more easily than backward-euler, and its
 * adaptive steps go as low as they can by themselves. */
static const char *advice(const ln_settings *settings) {
    if (strcmp(settings->method->name, "backward-euler") != 0)
        return "; try backward-euler, or a smaller step";
    return settings->tolerance > 0 ? "; the equations may have no solution there"
                                   : "; try a smaller step, or a tolerance in its place";
}

linnet_status ln_report_no_convergence(const ln_run *run, const ln_newton *newton,
                                       ln_newton_outcome outcome, const ln_pattern *pattern,
                                       double h, const char *what) {
    if (outcome == LN_NEWTON_MEMORY)
        return ln_no_memory(run->report);
    ln_text text = {0};
    ln_place place;
    ln_text_printf(&text, "%s at t = %.9g s", what, run->side.t);
    if (h > 0)
        ln_text_printf(&text, " with steps down to %.3g s", h);
    ln_text_add(&text, ": ");
    if (outcome == LN_NEWTON_SINGULAR) {
        place = describe_singular(run, newton, pattern, &text);
    } else if (outcome == LN_NEWTON_REFUSED) {
        char blame[256];
        ln_system_blame(run->system, blame, &place);
        ln_text_add(&text, blame);
    } else {
        place = describe_worst(run, newton, h, &text);
        ln_text_add(&text, h > 0 ? advice(run->settings)
                                 : "; try start values nearer to the solution (of a deck, "
                                   ".nodeset), or start=\"values\" (UIC): what oscillates by a "
                                   "switch may rest nowhere");
    }
    if (run->tried != NULL)
        ln_text_printf(&text, "; tried: %s", run->tried);
    linnet_status status = text.failed
                               ? ln_no_memory(run->report)
                               : ln_fail(run->report, LINNET_FAILED, place, "%s", text.data);
    ln_text_free(&text);
    return status;
}

linnet_status ln_report_drift(const ln_run *run, const ln_newton *newton) {
    ln_text text = {0};
    ln_place place = LN_NOWHERE;
    double largest = 0;
    ln_text_printf(&text, "no operating point found at t = %.9g s: nothing brings to rest ",
                   run->side.t);
    for (int i = 0; i < run->n; i++)
        largest = fmax(largest, fabs(newton->dx[i]) / run->system->nominal[i]);
    for (int i = 0, count = 0; i < run->n && count < NAMED; i++) {
        char one[160];
        if (fabs(newton->dx[i]) / run->system->nominal[i] < 1e-3 * largest)
            continue;
        ln_network_unknown_text(run->system->network, i, one);
        ln_text_printf(&text, "%s%s, which changes by %.3g a second", count > 0 ? "; " : "", one,
                       newton->dx[i]);
        if (count++ == 0)
            place = ln_network_unknown_place(run->system->network, i);
    }
    ln_text_add(&text,
                "; an integrator rests only where its input is zero, a coil without voltage, a "
                "capacitor without current: put a resistance there, change a source, start without "
                "it (start=\"values\", UIC of a deck), or free a source (linnet op --free)");
    linnet_status status = text.failed
                               ? ln_no_memory(run->report)
                               : ln_fail(run->report, LINNET_FAILED, place, "%s", text.data);
    ln_text_free(&text);
    return status;
}

/* From this part of a signal's largest value on, the error of one step says that the run tells
 * nothing. */
static const double DOUBTFUL = 0.3;

void ln_warn_of_step(const ln_settings *settings, const ln_statistics *statistics,
                     ln_report *report) {
    if (settings->tolerance > 0 || !(statistics->local_error > DOUBTFUL))
        return;
    const char *name = settings->method->name;
    ln_text cause = {0};
    if (settings->method->implicit)
        ln_text_add(&cause, "something is faster than it; take a shorter one");
    else
        ln_text_printf(&cause,
                       "%s is most likely unstable there ('linnet compare' tells the limit); take "
                       "a shorter one, an "
                       "implicit method",
                       name);
    if (!cause.failed)
        ln_warn(
            report, LN_NOWHERE,
            "the step of %g s is too long for %s: one step's error is %.2g of the largest value of "
            "%s, and the result is not to be trusted; %s, or a tolerance",
            settings->step, name, statistics->local_error, statistics->local_error_of, cause.data);
    ln_text_free(&cause);
}

void ln_warn_of_ringing(const ln_run *run) {
    const ln_network *network = run->system->network;
    if (run->index == NULL || strcmp(run->settings->method->name, "crank-nicolson") != 0)
        return;
    for (int i = 0; i < run->n; i++) {
        char name[160];
        if (run->index[i] < 3)
            continue;
        ln_network_unknown_text(network, i, name);
        ln_warn(
            run->report, ln_network_unknown_place(network, i),
            "crank-nicolson does not damp: %s, which is of index 3, "
            "rings from step to step and spoils the result; take radau5, tr-bdf2 or backward-euler",
            name);
        return;
    }
}
