/* SPDX-License-Identifier: MIT */
/* What the files of the C target share: see c_writer.h. */
#include "codegen/c_writer.h"

#include "codegen/c_network.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

const char *ln_c_moved(const ln_c_writer *w) {
    return w->plan->implicit != NULL ? "signals" : "states";
}

void ln_c_add(const ln_c_writer *w, const char *text) {
    for (const char *mark; (mark = strchr(text, '$')) != NULL; text = mark + 2) {
        ln_text_add_bytes(w->out, text, (size_t)(mark - text));
        switch (mark[1]) {
        case 'N': ln_text_add(w->out, w->name); break;
        case 'U': ln_text_add(w->out, w->upper); break;
        case 'R': ln_text_add(w->out, w->real); break;
        case 'K': ln_text_add(w->out, w->is_wide ? "double" : w->real); break;
        case 'X': ln_text_add(w->out, ln_c_moved(w)); break;
        default: ln_text_add_bytes(w->out, mark, 2); break;
        }
    }
    ln_text_add(w->out, text);
}

#define STATUS(name, doc) {#name, doc},
const ln_c_status ln_c_statuses[LN_C_STATUSES] = {LN_C_STATUS_LIST(STATUS)};
#undef STATUS

void ln_c_append(ln_text *all, const ln_text *source) {
    static const char include[] = "#include \"";
    for (const char *line = source->data; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n") + 1;
        if (strncmp(line, include, sizeof include - 1) != 0)
            ln_text_add_bytes(all, line, length);
        line += length;
    }
}

void ln_c_number(const ln_c_writer *w, double value) {
    ln_code_number(w->language, w->out, value);
}

/* ---- leaves ---- */

static void add_unknown(const ln_c_writer *w, ln_text *out, int unknown, const char *link) {
    const int is_state = w->plan->state_of[unknown] >= 0;
    ln_text_printf(out, "%s%s", is_state ? "states" : "signals", link);
    ln_member_print(is_state ? &w->plan->states : &w->plan->signals, w->plan->member[unknown], out);
}

void ln_c_unknown(const ln_c_writer *w, ln_text *out, int unknown) {
    add_unknown(w, out, unknown, "->");
}

void ln_c_owned(const ln_c_writer *w, ln_text *out, int unknown) {
    add_unknown(w, out, unknown, ".");
}

/* What flows in a device: now, or stored at the step's begin. */
static void flow_leaf(ln_c_writer *w, ln_text *out, int index) {
    const int stored = ln_network_stored(w->plan, w->plan->implicit, 0),
              is_stored = index >= stored;
    w->reads |= is_stored ? LN_READS_STORED : LN_READS_FLOWS;
    ln_text_printf(out, "%s%s[%d]", w->language == LN_C_FLOAT ? "(float)" : "",
                   is_stored ? "stored" : "flows",
                   index - (is_stored ? stored : ln_network_flow(w->plan, 0)));
}

static void unknown_leaf(ln_c_writer *w, ln_text *out, int index) {
    const ln_plan *plan = w->plan;
    const ln_diagram *d = &plan->diagram;
    if (index < d->nstates) {
        w->reads |= LN_READS_STATES;
        ln_c_unknown(w, out, d->state[index]);
    } else if (plan->implicit != NULL && ln_network_unknown(plan, plan->implicit, index) >= 0) {
        w->reads |= LN_READS_SIGNALS;
        ln_c_unknown(w, out, ln_network_unknown(plan, plan->implicit, index));
    } else if (plan->implicit != NULL && index >= ln_network_flow(plan, 0)) {
        flow_leaf(w, out, index);
    } else if (index < ln_plan_before(plan, 0)) {
        w->reads |= LN_READS_SIGNALS;
        ln_c_unknown(w, out, index - ln_plan_signal(plan, 0));
    } else {
        const int unknown = index - ln_plan_before(plan, 0);
        const int is_state = plan->state_of[unknown] >= 0;
        w->reads |= is_state ? LN_READS_STATES_BEFORE : LN_READS_BEFORE;
        ln_text_add(out, is_state ? "states_before->" : "before->");
        ln_member_print(is_state ? &plan->states : &plan->signals, plan->member[unknown], out);
    }
}

static void memory_leaf(ln_c_writer *w, ln_text *out, int index) {
    const ln_plan *plan = w->plan;
    if (plan->implicit != NULL && index >= ln_network_known(plan, 0)) {
        w->reads |= LN_READS_KNOWN;
        ln_text_printf(out, "known[%d]", index - ln_network_known(plan, 0));
        return;
    }
    if (plan->implicit != NULL && index == ln_network_pace(plan)) {
        w->reads |= LN_READS_PACE;
        ln_text_add(out, "pace");
        return;
    }
    if (plan->implicit != NULL && index >= ln_network_rate(plan, 0)) {
        w->reads |= LN_READS_RATES;
        ln_text_printf(out, "rates[%d]", index - ln_network_rate(plan, 0));
        return;
    }
    const int is_before = index >= plan->nmemories;
    w->reads |= is_before ? LN_READS_MEMORIES_BEFORE : LN_READS_MEMORIES;
    ln_text_add(out, is_before ? "memories_before[MEM_" : "memories[MEM_");
    ln_member_print(&plan->memories, plan->memory[is_before ? index - plan->nmemories : index],
                    out);
    ln_text_add(out, "]");
}

static void parameter_leaf(ln_c_writer *w, ln_text *out, int index) {
    const ln_plan *plan = w->plan;
    if (index >= ln_plan_first_input(plan)) {
        w->reads |= LN_READS_INPUTS;
        ln_text_add(out, "inputs->");
        ln_member_print(&plan->inputs, plan->input[index - ln_plan_first_input(plan)], out);
        return;
    }
    for (int k = 0; k < plan->nparameters; k++) {
        if (plan->parameter[k].place != index)
            continue;
        w->reads |= LN_READS_PARAMETERS;
        ln_text_add(out, "parameters->");
        ln_member_print(&plan->parameters, plan->parameter[k].member, out);
        return;
    }
    out->failed = 1; /* every parameter that is read has a member */
}

void ln_c_leaf(void *context, ln_text *out, ln_leaf kind, int index) {
    ln_c_writer *w = context;
    if (w->widens)
        ln_text_add(out, "(double)");
    switch (kind) {
    case LN_LEAF_TIME:
        w->reads |= LN_READS_TIME;
        ln_text_add(out, "t");
        break;
    case LN_LEAF_DECIDE:
        w->reads |= LN_READS_DECIDE;
        ln_text_add(out, "decide");
        break;
    case LN_LEAF_MEMORY: memory_leaf(w, out, index); break;
    case LN_LEAF_PARAMETER: parameter_leaf(w, out, index); break;
    default: unknown_leaf(w, out, index); break;
    }
}

void ln_c_table(void *context, ln_text *out, int first) {
    (void)context;
    ln_text_printf(out, "table_%d", first);
}

/* ---- programs ---- */

static int no_name(void *context, ln_text *out, int output) {
    (void)context, (void)out, (void)output;
    return 0;
}

static int name_into(void *context, ln_text *out, int output) {
    const ln_c_writer *w = context;
    const int target = w->part->target[output];
    ln_text_add(out, w->into.before);
    if (w->into.fields != NULL)
        ln_member_print(w->into.fields, w->into.member[target], out);
    else
        ln_text_printf(out, "%d", target);
    ln_text_add(out, w->into.after);
    return 1;
}

static void assign_into(void *context, ln_text *out, int output, const char *value) {
    ln_text_add(out, "    ");
    (void)name_into(context, out, output);
    const ln_c_writer *w = context;
    ln_text_printf(out,
                   w->language == LN_PYTHON      ? " = %s\n"
                   : w->widens && !w->keeps_wide ? " = (float)(%s);\n"
                                                 : " = %s;\n",
                   value);
}

void ln_c_part(ln_c_writer *w, const ln_plan_part *part, int named, ln_text *body) {
    const ln_c_target target = {assign_into, named ? name_into : NULL, 0, 0};
    w->part = part;
    if (part->program != NULL)
        ln_c_program(w, part->program, &target, body);
}

void ln_c_program(ln_c_writer *w, const ln_program *program, const ln_c_target *target,
                  ln_text *body) {
    const ln_code code = {.language = w->language,
                          .indent = "    ",
                          .prefix = "r",
                          .leaf = ln_c_leaf,
                          .table = ln_c_table,
                          .recall = ln_c_recalled,
                          .assign = target->assign,
                          .name = target->name != NULL ? target->name : no_name,
                          .truth = target->truth,
                          .ordered = target->ordered,
                          .context = w};
    ln_code_print(program, &code, body, &w->cost);
}

void ln_c_locals(const ln_c_writer *w) {
    static const struct {
        unsigned reads;
        const char *line;
    } locals[] = {
        {LN_READS_TIME, "    const $R t = at->t;\n"},
        {LN_READS_DECIDE, "    const $R decide = at->decide;\n"},
        {LN_READS_INPUTS, "    const $N_inputs_t *const inputs = at->inputs;\n"},
        {LN_READS_STATES, "    const $N_states_t *const states = at->states;\n"},
        {LN_READS_PARAMETERS, "    const $N_parameters_t *const parameters = at->parameters;\n"},
        {LN_READS_MEMORIES, "    const $R *const memories = at->memories;\n"},
        {LN_READS_RATES, "    const volatile $R *const rates = at->rates;\n"},
        {LN_READS_FLOWS, "    const double *const flows = at->flows;\n"},
        {LN_READS_STORED, "    const double *const stored = at->stored;\n"},
        {LN_READS_KNOWN, "    const $K *const known = at->known;\n"},
        {LN_READS_PACE, "    const $R pace = at->pace;\n"},
    };
    unsigned any = 0;
    if (w->plan->implicit != NULL && (w->reads & LN_READS_BEFORE)) {
        ln_c_add(w, "    const volatile $N_signals_t *const before = at->before;\n");
        any = 1;
    }
    any |= w->reads & LN_READS_DELAY_LINES;
    for (size_t k = 0; k < sizeof locals / sizeof *locals; k++) {
        if (!(w->reads & locals[k].reads))
            continue;
        ln_c_add(w, locals[k].line);
        any = 1;
    }
    if (!any)
        ln_c_add(w, "    (void)at;\n");
}

/* ---- signals ---- */

/* "difference (sum), pi-loop.xml:12" behind the statement. */
static void about(const ln_c_writer *w, ln_text *out, int unknown) {
    const ln_plan *plan = w->plan;
    const ln_fields *fields = plan->state_of[unknown] >= 0 ? &plan->states : &plan->signals;
    const ln_field *field = &fields->field[plan->member[unknown].field];
    if (field->about == NULL || field->about[0] == '\0')
        return;
    ln_text_add(out, " /* ");
    ln_field_about(field, out);
    ln_text_add(out, " */");
}

static void assign_signal(void *context, ln_text *out, int output, const char *value) {
    ln_c_writer *w = context;
    const int unknown = w->part->target[output];
    ln_text_add(out, "    ");
    ln_c_unknown(w, out, unknown);
    ln_text_printf(out, " = %s;", value);
    about(w, out, unknown);
    ln_text_add(out, "\n");
}

static int name_signal(void *context, ln_text *out, int output) {
    ln_c_writer *w = context;
    ln_c_unknown(w, out, w->part->target[output]);
    return 1;
}

void ln_c_signals(ln_c_writer *w, const ln_plan_part *part, ln_text *body) {
    const ln_c_target target = {assign_signal, name_signal, 0, 0};
    w->part = part;
    if (part->program != NULL)
        ln_c_program(w, part->program, &target, body);
}

void ln_c_recalled(void *context, ln_text *out, ln_op op, const char *lag, const char *number) {
    ln_c_writer *w = context;
    const int delay = (int)strtod(number, NULL), is_near = w->plan->diagram.is_near[delay];
    w->reads |= LN_READS_DELAY_LINES;
    ln_text_printf(out,
                   w->widens ? "(double)%srecall%s(at, %d, (float)(%s), %d)"
                             : "%srecall%s(at, %d, %s, %d)",
                   w->language == LN_PYTHON ? "_" : "", is_near ? "_near" : "", delay, lag,
                   (int)(op - LN_OP_RECALL));
}

/* ---- numbers by precision ---- */

/* The numbers of texts: in double, in float. s, r: what rounding moves a memory by
 * (integrate/event_iteration.c). r, e, n: what it moves a place among samples by where that
 * decides, is an error, meets a sample. u: a rounding; m: how many times a probe is noise; t: a
 * tolerance of Newton's method; q: so many of them are equal; j: the same at instants; k: a change
 * that shrinks by so much goes on; h: a half. */
static const struct {
    char mark;
    const char *number, *of_float;
} numbers[] = {{'0', "0.0", "0.0f"},        {'1', "1.0", "1.0f"},   {'s', "1e-14", "5e-6f"},
               {'r', "1e-9", "1e-4f"},      {'e', "1e-6", "1e-3f"}, {'n', "1e-11", "1e-4f"},
               {'u', "2.2e-16", "1.2e-7f"}, {'m', "10.0", "10.0f"}, {'t', "1e-13", "1e-6f"},
               {'j', "1e-9", "1e-5f"},      {'q', "1e4", "10.0f"},  {'k', "1e3", "1e3f"},
               {'h', "0.5", "0.5f"}};

void ln_c_precise(const ln_c_writer *w, const char *text) {
    const int is_float = w->language == LN_C_FLOAT;
    ln_text out = {0};
    for (const char *mark; (mark = strchr(text, '@')) != NULL;) {
        ln_text_add_bytes(&out, text, (size_t)(mark - text));
        text = mark + 1;
        size_t length = strcspn(text, "( ,;)");
        if (length == 1) {
            for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
                if (numbers[k].mark == *text)
                    ln_text_add(&out, is_float ? numbers[k].of_float : numbers[k].number);
        } else {
            ln_text_add_bytes(&out, text, length);
            ln_text_add(&out, is_float ? "f" : "");
        }
        text += length;
    }
    ln_text_add(&out, text);
    if (out.failed)
        w->out->failed = 1;
    else
        ln_c_add(w, out.data);
    ln_text_free(&out);
}

static void add_member(const ln_c_writer *w, const char *before, int unknown) {
    if (before == NULL)
        return;
    ln_text_add(w->out, before);
    ln_member_print(&w->plan->signals, w->plan->member[unknown], w->out);
}

void ln_c_for_each(const ln_c_writer *w, const char *set, const char *first, const char *second,
                   const char *end) {
    for (int u = 0; u < ln_network_unknowns(w->plan); u++) {
        if (!set[u])
            continue;
        add_member(w, first, u);
        add_member(w, second, u);
        ln_text_add(w->out, end);
    }
}

double ln_c_abstol(const ln_c_writer *w, int unknown) {
    const ln_network_plan *plan = w->plan->implicit;
    const double *abstol = w->request->system->abstol;
    const int n = w->plan->diagram.n, motion = unknown - n - plan->nacross;
    if (unknown < n)
        return abstol[unknown];
    if (motion < 0)
        return abstol[plan->across[unknown - n].unknown];
    /* what would make so much of the unknown in a step */
    return abstol[plan->motion[motion].unknown] * pow(plan->alpha, plan->motion[motion].order);
}

void ln_c_for_signals(const ln_c_writer *w, const char *set, ln_signal_line line,
                      double of_tolerance) {
    for (int u = 0; u < ln_network_unknowns(w->plan); u++) {
        if (!set[u])
            continue;
        add_member(w, line.first, u);
        add_member(w, line.second, u);
        add_member(w, line.third, u);
        ln_text_add(w->out, line.tolerance);
        ln_c_number(w, of_tolerance * ln_c_abstol(w, u));
        ln_text_add(w->out, line.end);
    }
}
