/* SPDX-License-Identifier: MIT */
/* What rounding makes of a network's signals, in C: found where they are solved for, by doing so
 * again from numbers that differ from those at hand by a rounding. As in the simulation
 * (linear/convergence.c), an update is noise that is no larger than ten times the largest of three
 * such probes, and so is a jump of a rate. It costs nothing until an update ceases to shrink, or
 * something seems to jump.
 *
 * Updates that shrink no more are noise where they are no larger than what is taken for equal at an
 * instant, and where numbers that differ by the relative tolerance of the unknowns lead as far from
 * there (the backward error). Roundings themselves would be too short a stimulus: most of them
 * change nothing, and then one everything.
 *
 * Rates of Crank-Nicolson follow from the point before, too, whose roundings they carry on: beside
 * a switch that is closed these are much of what is left where a voltage swings through zero.
 */
#include "base/text.h"
#include "codegen/c_network.h"

#include <float.h>

static const char tools[] =
    "\n/* Up or down as if at random, alike in every run; of neighbours some probe moves one up\n"
    " * and the other down, for small differences of them are what rounding makes large. */\n"
    "static int is_up(unsigned long k, unsigned long probe) {\n"
    "    unsigned long hash = ((k >> PROBES) * 0x9e3779b9UL + probe * 0x85ebca6bUL) & "
    "0xffffffffUL;\n"
    "    hash = ((hash ^ hash >> 16) * 0x85ebca6bUL) & 0xffffffffUL;\n"
    "    hash = ((hash ^ hash >> 13) * 0xc2b2ae35UL) & 0xffffffffUL;\n"
    "    return ((hash >> 31 ^ k >> probe % PROBES) & 1UL) != 0;\n"
    "}\n"
    "\n/* Each of these numbers moved by a part of itself, or of what it was made from where that "
    "is\n"
    " * larger. */\n"
    "static void blur(void *numbers, const void *from, unsigned long size, unsigned long probe, "
    "$R part) {\n"
    "    for (unsigned long k = 0; k < size / sizeof($R); k++) {\n"
    "        unsigned char *const place = (unsigned char *)numbers + k * sizeof($R);\n"
    "        $R value, other;\n"
    "        memcpy(&value, place, sizeof value);\n"
    "        memcpy(&other, (const unsigned char *)from + k * sizeof($R), sizeof other);\n"
    "        value += (is_up(k, probe) ? part : -part) * (@fabs(other) > @fabs(value) ? other : "
    "value);\n"
    "        memcpy(place, &value, sizeof value);\n"
    "    }\n"
    "}\n"
    "\nstatic void widen($R *noise, $R one, $R other) {\n"
    "    const $R apart = @m * @fabs(one - other);\n"
    "    if (apart > *noise) *noise = apart;\n"
    "}\n";

/* Of all signals. */
static const char tool_for_all[] =
    "\nenum { SIGNALS = sizeof($N_signals_t) / sizeof($R) };\n"
    "\nstatic void widen_all($N_signals_t *noise, const $N_signals_t *one, const $N_signals_t "
    "*other) {\n"
    "    $R a[SIGNALS], b[SIGNALS], widest[SIGNALS];\n"
    "    memcpy(a, one, sizeof a);\n    memcpy(b, other, sizeof b);\n"
    "    memcpy(widest, noise, sizeof widest);\n"
    "    for (unsigned long k = 0; k < SIGNALS; k++) widen(&widest[k], a[k], b[k]);\n"
    "    memcpy(noise, widest, sizeof widest);\n"
    "}\n";

/* ---- of Newton's method ---- */

/* The branches whose flows are no charges: in a table, which says how many there are. */
static int add_currents(const ln_c_writer *w) {
    const ln_network_plan *plan = plan_of(w);
    int count = 0;
    for (int k = 0; k < plan->ndevices; k++)
        for (int b = 0; b < plan->devices[k].carried.nbranches; b++) {
            if (plan->devices[k].carried.branches[b].stores)
                continue;
            ln_text_add(w->out, count++ > 0 ? ", "
                                            : "\n/* Where the flows of devices are that "
                                              "are no charges. */\n"
                                              "static const int current_at[] = {");
            ln_text_printf(w->out, "%d", plan->devices[k].first + LN_FLOW_VALUES * b);
        }
    if (count > 0)
        ln_text_printf(w->out, "};\nenum { CURRENTS = %d };\n", count);
    return count;
}

/* Lines of is_noise() with devices, and without. */
typedef struct probing {
    const char *head, *middle, *again, *end;
} probing;

static const probing with_devices = {
    ", const $N_devices_t *devices) {\n"
    "    $N_devices_t there = *devices;\n    double ignored = 0.0;\n",
    "    (void)devices_at(&next, &there, 0, &ignored);\n",
    "        $N_devices_t seen = *devices;\n"
    "        (void)devices_at(&near, &seen, 0, &ignored);\n"
    "        at.flows = seen.flows;\n",
    "        (void)devices_at(&other, &seen, 0, &ignored);\n"};
static const probing without = {") {\n", "", "", ""};

static const char currents_vary[] =
    "        for (int k = 0; k < CURRENTS; k++) {\n"
    "            const double apart = 10.0 * fabs(seen.flows[current_at[k]] - "
    "there.flows[current_at[k]]);\n"
    "            if (apart > vary[k]) vary[k] = apart;\n        }\n";
static const char currents_rest[] =
    "    for (int k = 0; k < CURRENTS; k++) {\n"
    "        const double was = devices->flows[current_at[k]], now = there.flows[current_at[k]];\n"
    "        left |= !(fabs(now - was) <= (double)@j * fabs(now) + vary[k]);\n    }\n";

/* A copy of numbers that `at` points to, blurred otherwise than the sets before it. */
static void add_blurred(const ln_c_writer *w, const char *name, int count, int set) {
    if (count == 0)
        return;
    ln_text_printf(w->out,
                   "        %s %s[%d];\n        memcpy(%s, place->%s, sizeof %s);\n"
                   "        blur(%s, %s, sizeof %s, probe + %d * PROBES, ",
                   w->real, name, count, name, name, name, name, name, name, set);
    ln_c_precise(w, "@t);\n");
    ln_text_printf(w->out, "        at.%s = %s;\n", name, name);
}

/* The same of numbers that are double in float, too. */
static void add_blurred_wide(const ln_c_writer *w, const char *name, int count, int set) {
    if (count == 0)
        return;
    ln_text_printf(w->out,
                   "        double %s[%d];\n        for (unsigned long k = 0; k < %d; k++)\n"
                   "            %s[k] = place->%s[k] * (is_up(k, probe + %d * PROBES) ? ",
                   name, count, count, name, name, set);
    ln_c_precise(w, "1.0 + (double)@t : 1.0 - (double)@t);\n");
    ln_text_printf(w->out, "        at.%s = %s;\n", name, name);
}

/* Of one solver. */
static void add_is_noise(const ln_c_writer *w, const ln_network_solver *solver, const char *name,
                         const char *update, int ncurrents) {
    const int of_step = solver == &plan_of(w)->step;
    const probing *lines = plan_of(w)->ndevices > 0 ? &with_devices : &without;
    ln_text_printf(
        w->out,
        "\n/* Is what the next update moves noise, and what that changes in devices, and is it "
        "not much less than this\n * change? */\n"
        "static int %s(const at_t *place, %s change, const %s_signals_t *signals",
        name, w->real, w->name);
    ln_c_add(w, lines->head);
    ln_c_add(w, "    at_t at = *place;\n    $N_signals_t next = *signals, noise;\n");
    if (ncurrents > 0)
        ln_c_add(w, "    double vary[CURRENTS] = {0.0};\n");
    ln_c_add(w, "    memset(&noise, 0, sizeof noise);\n");
    ln_text_printf(w->out, "    %s(&at, signals, &next);\n", update);
    ln_c_add(w, lines->middle);
    ln_c_precise(w, "    for (unsigned long probe = 0; probe < PROBES; probe++) {\n"
                    "        $N_signals_t near = *signals, before = *place->before;\n"
                    "        blur(&near, &near, sizeof near, probe, @t);\n"
                    "        blur(&before, &before, sizeof before, probe + PROBES, @t);\n"
                    "        at.before = &before;\n"
                    "        $N_signals_t other = near;\n");
    if (of_step)
        (w->is_wide ? add_blurred_wide : add_blurred)(w, "known", plan_of(w)->nknown, 2);
    if (of_step && has_rates(w))
        add_blurred(w, "rates", plan_of(w)->nrates, 3);
    if (has_charges(w))
        add_blurred_wide(w, "stored", plan_of(w)->nflows, 4);
    ln_c_add(w, lines->again);
    ln_text_printf(w->out, "        %s(&at, &near, &other);\n", update);
    ln_c_add(w, lines->end);
    ln_c_add(w, "        widen_all(&noise, &next, &other);\n");
    ln_c_add(w, ncurrents > 0 ? currents_vary : "");
    ln_c_add(w, "    }\n    int left = 0;\n    $R largest = ");
    ln_c_number(w, 0.0);
    ln_c_add(w, ";\n");
    ln_c_for_signals(w, solver->iterates,
                     (ln_signal_line){"    left |= is_left(signals->", ", next.", ", noise.", ", ",
                                      ", &largest);\n"},
                     w->language == LN_C_FLOAT ? 1e-4 : 1e-11);
    ln_c_precise(w, ncurrents > 0 ? currents_rest : "");
    ln_c_precise(w, "    return !left && @k * largest >= change;\n}\n");
}

void ln_c_noise_of_newton(const ln_c_writer *w) {
    if (!judges_any(w))
        return;
    const int ncurrents = add_currents(w);
    ln_c_precise(w, "\n/* Is more left than noise? largest: in units of its tolerance. */\n"
                    "static int is_left($R was, $R now, $R noise, $R tolerance, $R *largest) {\n"
                    "    const $R part = @fabs(now - was) / (@t * @fabs(now) + tolerance);\n"
                    "    if (part > *largest) *largest = part;\n"
                    "    return !(part <= @q || @fabs(now - was) <= noise);\n}\n");
    if (judges_signals(&plan_of(w)->step))
        add_is_noise(w, &plan_of(w)->step, "is_noise", "update", ncurrents);
    if (is_hybrid(w) && judges_signals(&plan_of(w)->algebra))
        add_is_noise(w, &plan_of(w)->algebra, "is_noise_of_algebra", "update_algebra", ncurrents);
}

/* ---- of jumps ---- */

void ln_c_least(const ln_c_writer *w, const double *least, int count) {
    ln_text_printf(w->out, "    static const %s least[%d] = {", w->real, count);
    for (int k = 0; k < count; k++) {
        ln_text_add(w->out, k > 0 ? ", " : "");
        ln_c_number(w, least[k]);
    }
    ln_text_add(w->out, "};\n");
}

/* Do rates jump by more than their noise? (integrate/instant.c) */
static void add_comparisons(const ln_c_writer *w) {
    ln_c_add(w, "\n/* Do rates jump by more than their noise? */\n"
                "static int rates_jump(const $N_states_t *states, const $R *rates, const $R "
                "*noise) {\n    int jumped = 0;\n");
    ln_c_least(w, plan_of(w)->least_rate, plan_of(w)->nrates);
    ln_text_printf(w->out, "    for (int k = 0; k < %d; k++)\n", plan_of(w)->nrates);
    ln_c_add(w, "        jumped |= differ(states->rates[k], rates[k], states->last_rates[k], "
                "least[k] + noise[k]);\n    return jumped;\n}\n");
}

/* One probe: the algebra solved from signals that are blurred, and its rates. */
static void add_probe(const ln_c_writer *w) {
    const int devices = plan_of(w)->ndevices > 0, rates = plan_of(w)->nrates;
    ln_c_precise(w, "        $N_signals_t near = model->signals;\n"
                    "        blur(&near, &model->states.last, sizeof near, probe, @u);\n"
                    "        const $N_signals_t before = near;\n"
                    "        at.before = &before;\n");
    if (devices)
        ln_c_add(w, "        $N_devices_t seen = model->states.devices;\n"
                    "        double ignored = 0.0;\n"
                    "        (void)devices_at(&before, &seen, 0, &ignored);\n"
                    "        at.flows = seen.flows;\n");
    if (has_charges(w))
        ln_c_add(w, "        double stored[sizeof seen.flows / sizeof *seen.flows];\n"
                    "        memcpy(stored, seen.flows, sizeof stored);\n"
                    "        at.stored = stored;\n");
    ln_c_add(w, "        if (solve_algebra(&at, &near");
    ln_c_add(w, devices ? ", &seen) != $U_OK) return 0;\n" : ") != $U_OK) return 0;\n");
    ln_text_printf(w->out, "        %s one[%d], other[%d];\n", w->real, rates, rates);
    ln_c_add(w, "        fresh_rates_of(place, &model->signals, one);\n"
                "        fresh_rates_of(&at, &near, other);\n");
    ln_text_printf(w->out,
                   "        for (int k = 0; k < %d; k++) widen(&noise[k], one[k], other[k]);\n",
                   rates);
    ln_c_add(w, "        at.before = &model->signals;\n");
    ln_c_add(w, has_charges(w) ? "        at.stored = model->states.devices.flows;\n" : "");
    if (plan_of(w)->nknown > 0)
        ln_text_printf(w->out,
                       "        %s known[%d];\n        known_of(place, known);\n"
                       "        at.known = known;\n",
                       w->is_wide ? "double" : w->real, plan_of(w)->nknown);
    ln_c_add(w, "        rates_of(&at, &near, other);\n");
    ln_c_add(w, devices ? "        at.flows = place->flows;\n" : "");
    ln_c_add(w, "        rates_of(&at, &model->signals, one);\n");
    ln_text_printf(w->out,
                   "        for (int k = 0; k < %d; k++) widen(&noise[k], one[k], other[k]);\n",
                   rates);
}

void ln_c_noise_of_jumps(const ln_c_writer *w) {
    const int rates = plan_of(w)->nrates;
    if (!is_hybrid(w) || !has_rates(w))
        return;
    add_comparisons(w);
    ln_c_add(w, "\n/* What rounding makes of rates behind an instant. 0: not known. */\n"
                "static int find_noise(const $N_t *model, const at_t *place, $R *noise) {\n"
                "    at_t at = *place;\n");
    ln_text_printf(w->out, "    memset(noise, 0, %d * sizeof *noise);\n", rates);
    ln_c_add(w, "    for (unsigned long probe = 0; probe < PROBES; probe++) {\n");
    add_probe(w);
    ln_c_add(w, "    }\n    return 1;\n}\n"
                "\n/* Do rates jump? */\n"
                "static int have_turned(const $N_t *model, const at_t *at, const $R *rates) {\n");
    ln_text_printf(w->out, "    %s noise[%d] = {0};\n", w->real, rates);
    ln_c_add(w, "    if (!rates_jump(&model->states, rates, noise)) return 0;\n"
                "    return !find_noise(model, at, noise) || rates_jump(&model->states, rates, "
                "noise);\n}\n");
}

void ln_c_noise_tools(const ln_c_writer *w) {
    const int iterates = judges_any(w);
    if (iterates || (is_hybrid(w) && has_rates(w))) {
        ln_text_printf(w->out, "\nenum { PROBES = %d };\n", LN_NOISE_PROBES);
        ln_c_precise(w, tools);
    }
    if (iterates)
        ln_c_precise(w, tool_for_all);
}
