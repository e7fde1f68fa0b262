/* SPDX-License-Identifier: MIT */
/* The body of a function in Python: text that was printed for C, and the locals that it reads. */
#include "codegen/python.h"
#include "base/text.h"

#include <string.h>

void ln_python_text(const ln_c_writer *w, const ln_text *body) {
    const char *at = body->data != NULL ? body->data : "";
    for (const char *mark; (mark = strstr(at, "->")) != NULL; at = mark + 2) {
        ln_text_add_bytes(w->out, at, (size_t)(mark - at));
        ln_text_add(w->out, ".");
    }
    ln_text_add(w->out, at);
    w->out->failed |= body->failed;
}

void ln_python_locals(const ln_c_writer *w) {
    static const struct {
        unsigned reads;
        const char *name;
    } locals[] = {{LN_READS_TIME, "t"},
                  {LN_READS_DECIDE, "decide"},
                  {LN_READS_INPUTS, "inputs"},
                  {LN_READS_STATES, "states"},
                  {LN_READS_MEMORIES, "memories"},
                  {LN_READS_PARAMETERS, "parameters"},
                  {LN_READS_RATES, "rates"},
                  {LN_READS_FLOWS, "flows"},
                  {LN_READS_STORED, "stored"},
                  {LN_READS_KNOWN, "known"},
                  {LN_READS_PACE, "pace"}};
    if (w->plan->implicit != NULL && (w->reads & LN_READS_BEFORE))
        ln_text_add(w->out, "    before = at.before\n");
    for (size_t k = 0; k < sizeof locals / sizeof *locals; k++)
        if (w->reads & locals[k].reads)
            ln_text_printf(w->out, "    %s = at.%s\n", locals[k].name, locals[k].name);
}

void ln_python_body(ln_c_writer *w, const ln_text *body, const char *end) {
    ln_python_locals(w);
    ln_python_text(w, body);
    ln_c_add(w, end);
}
