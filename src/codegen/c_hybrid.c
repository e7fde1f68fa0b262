/* SPDX-License-Identifier: MIT */
/* What happens at the boundary of a step: modes are decided and events act, by the rules of
 * integrate/event_iteration.h, with bounds on every repetition. */
#include "codegen/c_writer.h"
#include "base/text.h"

#include <string.h>

static int is_hybrid(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    return plan->nmemories > 0 || plan->nevents > 0 ||
           (plan->implicit != NULL && plan->implicit->is_hybrid);
}

/* ---- memories by name ---- */

void ln_c_memories(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    if (plan->nmemories == 0)
        return;
    ln_text_add(w->out,
                "\n/* Memories: values that change at boundaries of steps only. */\nenum {\n");
    for (int k = 0; k < plan->nmemories; k++) {
        const ln_field *field = &plan->memories.field[plan->memory[k].field];
        ln_text_add(w->out, "    MEM_");
        ln_member_print(&plan->memories, plan->memory[k], w->out);
        ln_text_printf(w->out, " = %d, /* ", k);
        ln_field_about(field, w->out);
        ln_text_add(w->out, " */\n");
    }
    ln_text_printf(w->out, "    MEMORIES = %d\n};\n", plan->nmemories);
}

/* ---- the programs ---- */

/* A function whose body is there. */
static void add_function(ln_c_writer *w, const char *head, const char *rest, ln_text *body) {
    ln_c_add(w, head);
    ln_c_locals(w);
    if (!(w->reads & LN_READS_SIGNALS))
        ln_c_add(w, "    (void)signals;\n");
    ln_c_add(w, rest);
    if (body->data != NULL)
        ln_text_add(w->out, body->data);
    if (body->failed)
        w->out->failed = 1;
    ln_text_add(w->out, "}\n");
    ln_text_free(body);
}

static void add_modes(ln_c_writer *w) {
    ln_text body = {0};
    w->reads = 0;
    w->into = (ln_c_into){"modes[MEM_", "]", &w->plan->memories, w->plan->memory};
    ln_c_part(w, &w->plan->modes, 0, &body);
    add_function(w,
                 "\n/* The branches of conditionals as they stand. */\n"
                 "static void modes_of(const at_t *at, const $N_signals_t *signals, $R *modes) {\n",
                 "", &body);
}

static void assign_condition(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    const ln_plan_event *event = &w->plan->events[w->part->target[output]];
    ln_text_printf(out, "    holds[%d] = (unsigned char)(%s); /* ", w->part->target[output], value);
    ln_comment_text(out, event->block->name);
    if (event->event->name != NULL) {
        ln_text_add(out, ": ");
        ln_comment_text(out, event->event->name);
    }
    ln_text_add(out, " */\n");
}

static void add_conditions(ln_c_writer *w) {
    const ln_c_target target = {assign_condition, NULL, 1, 0};
    ln_text body = {0};
    w->reads = 0;
    w->part = &w->plan->conditions;
    ln_c_program(w, w->part->program, &target, &body);
    add_function(w,
                 "\n/* Which conditions of events hold. */\n"
                 "static void conditions_of(const at_t *at, const $N_signals_t *signals, unsigned "
                 "char *holds) {\n",
                 "", &body);
}

static void assign_set(void *context, ln_text *out, int output, const char *value) {
    const ln_c_writer *w = context;
    const ln_plan_set *set = &w->plan->sets[w->part->target[output]];
    ln_text_printf(out, "    if (fired[%d]) ", set->event);
    if (set->memory >= 0) {
        ln_text_add(out, "next[MEM_");
        ln_member_print(&w->plan->memories, w->plan->memory[set->memory], out);
        ln_text_add(out, "]");
    } else {
        ln_text_add(out, "set->");
        ln_member_print(w->plan->implicit != NULL ? &w->plan->signals : &w->plan->states,
                        w->plan->member[set->unknown], out);
    }
    ln_text_printf(out, " = %s;\n", value);
}

int ln_c_sets_states(const ln_plan *plan) {
    for (int k = 0; plan->act.program != NULL && k < plan->act.program->noutputs; k++)
        if (plan->sets[k].memory < 0)
            return 1;
    return 0;
}

static void add_act(ln_c_writer *w) {
    const ln_c_target target = {assign_set, NULL, 0, 1};
    ln_text body = {0}, unused = {0};
    w->reads = 0;
    w->part = &w->plan->act;
    if (w->part->program != NULL)
        ln_c_program(w, w->part->program, &target, &body);
    if (!(w->reads & LN_READS_BEFORE))
        ln_text_add(&unused, "    (void)before;\n");
    w->reads &= ~(unsigned)LN_READS_BEFORE; /* an argument here */
    if (!(w->reads & LN_READS_STATES_BEFORE))
        ln_text_add(&unused, "    (void)states_before;\n");
    if (!(w->reads & LN_READS_MEMORIES_BEFORE))
        ln_text_add(&unused, "    (void)memories_before;\n");
    if (w->part->program == NULL)
        ln_text_add(&unused, "    (void)fired;\n");
    if (!ln_c_sets_states(w->plan))
        ln_text_add(&unused, "    (void)set;\n");
    int sets_memories = 0;
    for (int k = 0; w->part->program != NULL && k < w->part->program->noutputs; k++)
        sets_memories |= w->plan->sets[k].memory >= 0;
    if (!sets_memories)
        ln_text_add(&unused, "    (void)next;\n");
    add_function(
        w,
        "\n/* What the events that fired leave behind: in `next` memories, in `set` states. `at` "
        "has the memories\n"
        " * before the round; memories_before, before, states_before: as they were before the "
        "instant. */\n"
        "static void act(const at_t *at, const $N_signals_t *signals, const $R *memories_before,\n"
        "    const $N_signals_t *before, const $N_$X_t *states_before, const unsigned char "
        "*fired,\n"
        "    $R *next, $N_$X_t *set) {\n",
        unused.data != NULL ? unused.data : "", &body);
    ln_text_free(&unused);
}

/* ---- the instant ---- */

/* What stands behind the name of agree(). */
static const char agree_without_modes[] =
    "($N_t *model, const at_t *at) {\n"
    "    const $N_status_t status = signals_for_rates(at, &model->signals);\n"
    "    return status == $U_OK ? other_signals(at, &model->signals) : status;\n"
    "}\n";

static const char agree_with_modes[] =
    "($N_t *model, const at_t *at) {\n"
    "    for (int pass = 0; pass < PASSES; pass++) {\n"
    "        $R modes[MEMORIES];\n"
    "        int changed = 0;\n"
    "        $N_status_t status = signals_for_rates(at, &model->signals);\n"
    "        if (status == $U_OK) status = other_signals(at, &model->signals);\n"
    "        if (status != $U_OK) return status;\n"
    "        memcpy(modes, model->memories.value, sizeof modes);\n"
    "        modes_of(at, &model->signals, modes);\n"
    "        for (int k = 0; k < MEMORIES; k++) changed |= modes[k] < model->memories.value[k] ||\n"
    "                                                      modes[k] > model->memories.value[k];\n"
    "        if (!changed) return $U_OK;\n"
    "        memcpy(model->memories.value, modes, sizeof modes);\n"
    "    }\n"
    "    return $U_EVENTS_UNSETTLED;\n"
    "}\n";

static const char take_memories[] =
    "\n/* Takes over what has been set; returns whether that is news: a memory that has changed "
    "already in this round and\n"
    " * moves by no more than rounding stands still. */\n"
    "static int take($N_t *model, const $R *next, unsigned char *changed, int pass) {\n"
    "    int news = 0;\n"
    "    for (int k = 0; k < MEMORIES; k++) {\n"
    "        $R *const value = &model->memories.value[k], *const peak = "
    "&model->memories.peak[k];\n"
    "        const $R move = @fabs(next[k] - *value), size = @fmax(@fabs(next[k]), *peak);\n"
    "        if (memcmp(&next[k], value, sizeof *value) == 0) continue;\n"
    "        if (move > @0 && !(changed[k] && move <= (pass < 60 ? @s : @r) * size)) news = 1;\n"
    "        changed[k] = 1;\n"
    "        if (isfinite(next[k])) *peak = @fmax(*peak, @fabs(next[k]));\n"
    "        *value = next[k];\n"
    "    }\n"
    "    return news;\n"
    "}\n";

static const char fire[] = "\n/* Which conditions have turned true; returns how many. */\n"
                           "static int fire($N_t *model, const at_t *at, unsigned char *fired) {\n"
                           "    unsigned char holds[sizeof model->memories.held];\n"
                           "    int count = 0;\n"
                           "    conditions_of(at, &model->signals, holds);\n"
                           "    for (unsigned k = 0; k < sizeof holds; k++) {\n"
                           "        fired[k] = holds[k] && !model->memories.held[k];\n"
                           "        model->memories.held[k] = holds[k];\n"
                           "        count += fired[k];\n"
                           "    }\n"
                           "    return count;\n"
                           "}\n";

static const char join[] =
    "\n/* Events that act together with those that turned their condition true; returns how many. "
    "*/\n"
    "static int join($N_t *model, const at_t *at, unsigned char *fired) {\n"
    "    unsigned char holds[sizeof model->memories.held];\n"
    "    int count = 0;\n"
    "    conditions_of(at, &model->signals, holds);\n"
    "    for (unsigned k = 0; k < sizeof holds; k++) {\n"
    "        if (!joins[k] || !holds[k] || model->memories.held[k] || fired[k]) continue;\n"
    "        fired[k] = model->memories.held[k] = 1;\n"
    "        count++;\n"
    "    }\n"
    "    return count;\n"
    "}\n";

/* One round, until data has flowed everywhere. %s: what joins. */
static const char round_memories[] =
    "\n/* The events that fired act until their data has flowed everywhere; then the states they "
    "set are taken. */\n"
    "static $N_status_t act_all($N_t *model, const at_t *at, const $R *memories_before,\n"
    "    const $N_signals_t *before, const $N_$X_t *states_before, unsigned char *fired) {\n"
    "    $R micro[MEMORIES];\n"
    "    unsigned char changed[MEMORIES] = {0};\n"
    "    at_t round = *at;\n"
    "    round.memories = micro;\n"
    "    memcpy(micro, model->memories.value, sizeof micro);\n"
    "    for (int pass = 0; pass < PASSES; pass++) {\n"
    "        $R next[MEMORIES];\n"
    "        $N_$X_t set = model->$X;\n"
    "        memcpy(next, micro, sizeof next);\n";
static const char round_modes[] =
    "        for (unsigned k = 0; k < sizeof mode_at / sizeof *mode_at; k++)\n"
    "            next[mode_at[k]] = model->memories.value[mode_at[k]];\n";
static const char round_changes[] =
    "        for (int k = 0; k < CHANGES; k++)\n"
    "            next[change_at[k]] = micro[change_at[k]] = model->memories.value[change_at[k]];\n";
static const char round_end[] = "        act(&round, &model->signals, memories_before, before, "
                                "states_before, fired, next, &set);\n"
                                "        if (take(model, next, changed, pass)) {\n"
                                "            const $N_status_t status = agree(model, at);\n"
                                "            if (status != $U_OK) return status;\n"
                                "            continue;\n"
                                "        }\n";
static const char round_join[] = "        if (join(model, at, fired) > 0) {\n"
                                 "            pass = -1;\n"
                                 "            continue;\n"
                                 "        }\n";
static const char round_states[] =
    "        if (memcmp(&set, &model->$X, sizeof set) == 0) return $U_OK;\n"
    "        model->$X = set;\n"
    "        return agree(model, at);\n"
    "    }\n"
    "    return $U_EVENTS_UNSETTLED;\n"
    "}\n";
static const char round_no_states[] = "        return $U_OK;\n"
                                      "    }\n"
                                      "    return $U_EVENTS_UNSETTLED;\n"
                                      "}\n";

/* Without memories events set states alone. */
static const char round_without_memories[] =
    "\n/* The events that fired set states. */\n"
    "static $N_status_t act_all($N_t *model, const at_t *at, const $R *memories_before,\n"
    "    const $N_signals_t *before, const $N_$X_t *states_before, unsigned char *fired) {\n"
    "    $N_$X_t set = model->$X;\n"
    "    act(at, &model->signals, memories_before, before, states_before, fired, 0, &set);\n"
    "    model->$X = set;\n"
    "    return agree(model, at);\n"
    "}\n";

static const char boundary_events[] =
    "\n/* The boundary of a step: what happens there, and the signals after it. */\n"
    "static $N_status_t boundary($N_t *model, const at_t *at) {\n"
    "    unsigned char fired[sizeof model->memories.held];\n"
    "    $N_status_t status, end = $U_OK;\n"
    "    if (!model->memories.started) { /* what holds from the start on has not turned true; "
    "ticks have */\n"
    "        if ((status = agree(model, at)) != $U_OK) return status;\n"
    "        conditions_of(at, &model->signals, model->memories.held);\n"
    "        for (unsigned k = 0; k < sizeof fired; k++)\n"
    "            if (ticks[k]) model->memories.held[k] = 0;\n"
    "$B"
    "$C"
    "        model->memories.started = 1;\n"
    "    }\n"
    "    const $N_$X_t states_before = model->$X;\n"
    "$M"
    "    if ((status = agree(model, at)) != $U_OK) return status;\n"
    "    for (int round = 0; fire(model, at, fired) > 0; round++) {\n"
    "        if (round == ROUNDS) return $U_EVENTS_UNSETTLED;\n"
    "        status = act_all(model, at, $P, $S, &states_before, fired);\n"
    "        if (status != $U_OK) return status;\n"
    "        for (unsigned k = 0; k < sizeof fired; k++)\n"
    "            if (fired[k] && ends[k] != $U_OK && end == $U_OK) end = ends[k];\n"
    "    }\n"
    "$D"
    "    return end;\n"
    "}\n";

static const char boundary_without_events[] =
    "\n/* The boundary of a step: modes are decided, and the signals with them. */\n"
    "static $N_status_t boundary($N_t *model, const at_t *at) {\n"
    "    return agree(model, at);\n"
    "}\n";

/* ---- putting them together ---- */

/* Rows of a table by event. */
static void add_event_tables(const ln_c_writer *w, int any_joins) {
    const ln_plan *plan = w->plan;
    ln_text_add(w->out, "\n/* By event: whether it is a tick, and how the model ends with it. */\n"
                        "static const unsigned char ticks[] = {");
    for (int k = 0; k < plan->nevents; k++)
        ln_text_printf(w->out, "%s%d", k > 0 ? ", " : "",
                       (plan->events[k].event->flags & LINNET_TICK) != 0);
    ln_c_add(w, "};\nstatic const $N_status_t ends[] = {");
    for (int k = 0; k < plan->nevents; k++) {
        const unsigned flags = plan->events[k].event->flags;
        ln_text_printf(w->out, "%s%s_%s", k > 0 ? ", " : "", w->upper,
                       flags & LINNET_FAILS  ? "FAILED"
                       : flags & LINNET_ENDS ? "ENDED"
                                             : "OK");
    }
    ln_text_add(w->out, "};\n");
    if (!any_joins)
        return;
    ln_text_add(w->out, "static const unsigned char joins[] = {");
    for (int k = 0; k < plan->nevents; k++)
        ln_text_printf(w->out, "%s%d", k > 0 ? ", " : "",
                       (plan->events[k].event->flags & LINNET_JOINS) != 0);
    ln_text_add(w->out, "};\n");
}

static void add_mode_places(const ln_c_writer *w) {
    const ln_plan_part *modes = &w->plan->modes;
    ln_text_add(w->out, "static const int mode_at[] = {");
    for (int k = 0; k < modes->program->noutputs; k++) {
        ln_text_add(w->out, k > 0 ? ", MEM_" : "MEM_");
        ln_member_print(&w->plan->memories, w->plan->memory[modes->target[k]], w->out);
    }
    ln_text_add(w->out, "};\n");
}

static void add_round(const ln_c_writer *w, int any_joins) {
    const ln_plan *plan = w->plan;
    if (plan->nmemories == 0) {
        ln_c_add(w, round_without_memories);
        return;
    }
    ln_c_precise(w, take_memories);
    if (any_joins)
        ln_c_add(w, join);
    ln_c_add(w, round_memories);
    if (plan->modes.program != NULL)
        ln_c_add(w, round_modes);
    if (plan->nchanges > 0)
        ln_c_add(w, round_changes);
    ln_c_add(w, round_end);
    if (any_joins)
        ln_c_add(w, round_join);
    ln_c_add(w, ln_c_sets_states(plan) ? round_states : round_no_states);
}

/* What stands in a place of the boundary's text. */
static void add_mark(const ln_c_writer *w, char mark) {
    const int changes = w->plan->nchanges > 0;
    const int memories = w->plan->nmemories > 0, is_network = w->plan->implicit != NULL;
    const int before = w->plan->reads_before && !is_network;
    switch (mark) {
    case 'B':
        ln_c_add(w, before ? "        model->memories.before = model->signals;\n" : "");
        break;
    case 'C': ln_c_add(w, changes ? "        begin_changes(model, at);\n" : ""); break;
    case 'D':
        /* what has acted at the start was so before it */
        ln_c_add(w, changes ? "    if (model->steps > 0) pass_changes(model, at);\n"
                              "    else begin_changes(model, at);\n"
                            : "");
        break;
    case 'M':
        ln_c_add(w, memories ? "    $R memories_before[MEMORIES];\n    memcpy(memories_before, "
                               "model->memories.value, sizeof memories_before);\n"
                             : "");
        break;
    case 'P': ln_c_add(w, memories ? "memories_before" : "0"); break;
    default:
        ln_c_add(w, is_network ? "&states_before" : before ? "&model->memories.before" : "0");
        break;
    }
}

/* The boundary's text has places of its own. */
static void add_boundary(const ln_c_writer *w) {
    for (const char *at = boundary_events; *at != '\0';) {
        const char *mark = at;
        while ((mark = strchr(mark, '$')) != NULL && strchr("BCDMPS", mark[1]) == NULL)
            mark += 2;
        char piece[sizeof boundary_events];
        const size_t length = mark != NULL ? (size_t)(mark - at) : strlen(at);
        memcpy(piece, at, length);
        piece[length] = '\0';
        ln_c_add(w, piece);
        if (mark == NULL)
            return;
        add_mark(w, mark[1]);
        at = mark + 2;
    }
}

/* Signals and modes; then the rates that follow from them. */
static void add_agree(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    const char *name = plan->nchanges > 0 ? "agree_in_signals" : "agree";
    const int modes = plan->modes.program != NULL;
    ln_c_add(w, plan->implicit != NULL
                    ? "\n/* Signals and modes that agree with each other, and with what is stored "
                      "in the signals as they are. */\n"
                : modes ? "\n/* Signals and modes that agree with each other. */\n"
                        : "\n/* The signals as they follow from states and memories. */\n");
    ln_text_printf(w->out, "static %s_status_t %s", w->name, name);
    if (plan->implicit != NULL)
        ln_c_agree(w);
    else
        ln_c_add(w, modes ? agree_with_modes : agree_without_modes);
    if (plan->nchanges > 0)
        ln_c_add(w, "\n/* The same, with the rates that follow from them. */\n"
                    "static $N_status_t agree($N_t *model, const at_t *at) {\n"
                    "    const $N_status_t status = agree_in_signals(model, at);\n"
                    "    if (status == $U_OK) look_at_changes(model, at);\n"
                    "    return status;\n}\n");
}

void ln_c_hybrid(ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    int any_joins = 0;
    if (!is_hybrid(w))
        return;
    for (int k = 0; k < plan->nevents; k++)
        any_joins |= (plan->events[k].event->flags & LINNET_JOINS) != 0;
    ln_text_printf(w->out, "\nenum { PASSES = %d, ROUNDS = %d };\n", LN_MOST_PASSES,
                   LN_MOST_ROUNDS);
    if (plan->modes.program != NULL)
        add_modes(w);
    ln_c_changes(w);
    add_agree(w);
    if (plan->nevents == 0) {
        ln_c_add(w, boundary_without_events);
        return;
    }
    add_conditions(w);
    add_act(w);
    add_event_tables(w, any_joins);
    if (plan->modes.program != NULL)
        add_mode_places(w);
    ln_c_add(w, fire);
    add_round(w, any_joins);
    add_boundary(w);
}
