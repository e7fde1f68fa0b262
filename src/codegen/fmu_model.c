/* SPDX-License-Identifier: MIT */
/* model.h: names under which the FMI functions (share/fmi) know the generated code, and where its
 * variables stand. */
#include "base/text.h"
#include "codegen/fmu_writer.h"

static const char *const kinds[] = {"MODEL_TIME",   "MODEL_INPUT", "MODEL_PARAMETER", "MODEL_STATE",
                                    "MODEL_OUTPUT", "MODEL_RATE",  "MODEL_INDICATOR"};

static void add_calls(const ln_c_writer *c, int exchange) {
    ln_c_add(c, "\ntypedef $N_t model_t;\n"
                "typedef $N_status_t model_status_t;\n"
                "#define MODEL_OK $U_OK\n"
                "#define MODEL_ENDED $U_ENDED\n");
    ln_c_add(c, ln_c_takes_step(c) ? "#define model_init(model) $N_init(model, $U_STEP)\n"
                                   : "#define model_init(model) $N_init(model)\n");
    ln_c_add(c, "#define model_step(model) $N_step(model)\n");
    ln_c_add(c, ln_c_evaluates(c)
                    ? "#define model_evaluate(model) $N_evaluate(model)\n"
                    : "#define model_evaluate(model) ((void)(model), MODEL_OK) /* outputs "
                      "belong to the last step */\n");
    if (exchange)
        ln_c_add(c, "typedef $N_states_t model_states_t;\n"
                    "#define model_observe(model, decide, rates, indicators) "
                    "$N_observe(model, decide, rates, indicators)\n"
                    "#define model_leave(model, decide) $N_leave(model, decide)\n"
                    "#define model_happen(model, decide) $N_happen(model, decide)\n"
                    "#define model_next_time(model) $N_next_time(model)\n");
}

static void add_variables(const ln_fmu_writer *w, ln_text *out) {
    ln_text_add(out, "\ntypedef enum model_kind {\n");
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        ln_text_printf(out, "    %s%s\n", kinds[k],
                       k + 1 < sizeof kinds / sizeof *kinds ? "," : "");
    ln_text_add(out, "} model_kind;\n"
                     "typedef struct model_variable {\n    model_kind kind;\n"
                     "    size_t offset; /* within the model; a rate: within its states */\n"
                     "    size_t count;\n"
                     "    int type; /* 0: a number, 1: a whole one, 2: a truth */\n"
                     "} model_variable;\n\n"
                     "/* By value reference. */\n"
                     "static const model_variable model_variables[] = {\n");
    for (int k = 0; k < w->nvariables; k++) {
        const ln_fmu_variable *v = &w->variable[k];
        ln_text_printf(out, "    {%s, ", kinds[v->kind]);
        if (v->kind == LN_FMU_INDICATOR)
            ln_text_add(out, "0");
        else
            ln_text_printf(out, "offsetof(%s, %s)",
                           v->kind == LN_FMU_RATE ? "model_states_t" : "model_t", v->member);
        ln_text_printf(out, ", %d, %d}%s /* ", v->count, (int)v->type,
                       k + 1 < w->nvariables ? "," : "");
        ln_comment_text(out, v->name);
        ln_text_add(out, " */\n");
    }
    ln_text_add(out, "};\n");
}

static void add_states(const ln_fmu_writer *w, ln_text *out) {
    int any = 0;
    ln_text_add(out, "\n/* The continuous states. */\nstatic const size_t model_state_at[] = {");
    for (int k = 0; k < w->nvariables; k++)
        if (w->variable[k].kind == LN_FMU_STATE)
            ln_text_printf(out, "%soffsetof(model_t, %s)", any++ ? ", " : "",
                           w->variable[k].member);
    ln_text_add(out, any ? "};\nstatic const double model_nominals[] = {"
                         : "0};\nstatic const double model_nominals[] = {");
    any = 0;
    for (int k = 0; k < w->nvariables; k++) {
        if (w->variable[k].kind != LN_FMU_STATE)
            continue;
        ln_text_add(out, any++ ? ", " : "");
        ln_code_number(LN_C_DOUBLE, out, w->variable[k].nominal);
    }
    ln_text_add(out, any ? "};\n" : "0};\n");
}

void ln_fmu_model(const ln_fmu_writer *w, ln_text *out) {
    ln_c_writer *c = w->c;
    const ln_plan *plan = c->plan;
    const ln_program *guards = w->exchange ? plan->guards.program : NULL;
    c->out = out;
    ln_c_add(c, "/* Made by linnet export: the model as the functions of the interface know it. "
                "*/\n#ifndef MODEL_H\n#define MODEL_H\n\n#include \"$N.h\"\n\n#include "
                "<stddef.h>\n\n");
    ln_text_printf(out, "#define MODEL_TOKEN \"%s\"\n", w->token);
    ln_c_add(c, "#define MODEL_STEP $U_STEP\n");
    ln_text_printf(out,
                   "#define MODEL_STEP_IS_FIXED %d\n#define MODEL_EXCHANGE %d\n"
                   "#define MODEL_STATES %d\n#define MODEL_INDICATORS %d\n",
                   plan->implicit != NULL || plan->nlines > 0, w->exchange,
                   plan->implicit != NULL ? 0 : plan->diagram.nstates,
                   guards != NULL ? guards->noutputs : 0);
    ln_text_add(out, "#define MODEL_WORDS {\"it is well\", \"it has ended itself\", "
                     "\"an assertion of the model failed\", \\\n"
                     "    \"a signal or state is not finite\", \"Newton's method finds no "
                     "solution\", \\\n"
                     "    \"events trigger each other without end\", \\\n"
                     "    \"a parameter is outside of its range\"}\n");
    add_calls(c, w->exchange);
    add_variables(w, out);
    if (w->exchange)
        add_states(w, out);
    ln_text_add(out, "\n#endif\n");
}
