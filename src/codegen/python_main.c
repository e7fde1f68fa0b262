/* SPDX-License-Identifier: MIT */
/* NAME.py as a program: it reads inputs from a CSV file and writes outputs to one. */
#include "base/text.h"
#include "codegen/python.h"

/* A text as a string of Python. */
static void add_string(const ln_c_writer *w, const char *text) {
    ln_text_add(w->out, "\"");
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\')
            ln_text_add(w->out, "\\");
        if (*c == '\n' || *c == '\r')
            ln_text_add(w->out, *c == '\n' ? "\\n" : "\\r");
        else
            ln_text_add_bytes(w->out, c, 1);
    }
    ln_text_add(w->out, "\"");
}

void ln_python_program(const ln_c_writer *w) {
    const ln_plan *plan = w->plan;
    ln_c_add(w, "\n\ndef _main(arguments):\n"
                "    options = dict(zip(arguments[::2], arguments[1::2]))\n"
                "    if len(arguments) % 2 or set(options) - {\"-t\", \"-i\", \"-o\"}:\n"
                "        print(\"usage: $N.py [-t end] [-i inputs.csv] [-o outputs.csv]\", "
                "file=sys.stderr)\n        return 2\n    end = float(options.get("
                "\"-t\", ");
    ln_c_number(w, w->request->settings->end);
    ln_c_add(w,
             "))\n    out = open(options[\"-o\"], \"w\", newline=\"\") if \"-o\" in options else "
             "sys.stdout\n    rows = csv.writer(out, lineterminator=\"\\n\")\n"
             "    rows.writerow([\"time\"");
    for (int k = 0; k < plan->noutputs; k++) {
        ln_text_add(w->out, ", ");
        add_string(w, plan->recorded[k].name);
    }
    ln_c_add(w, "])\n    lines = list(csv.DictReader(open(options[\"-i\"]), "
                "skipinitialspace=True)) if \"-i\" in options else []\n"
                "    model, status = Model(), OK\n"
                "    while status == OK and model.time <= end + 1e-12 * abs(end):\n"
                "        t = model.time\n"
                "        while lines and float(lines[0][\"time\"]) <= t + 1e-12 * abs(t):\n"
                "            line = lines.pop(0)\n");
    for (int k = 0; k < plan->ninputs; k++) {
        const char *name = ln_network_unknown_name(plan->network, plan->input_unknown[k]);
        ln_text_add(w->out, "            if ");
        add_string(w, name);
        ln_text_add(w->out, " in line:\n                model.inputs.");
        ln_member_print(&plan->inputs, plan->input[k], w->out);
        ln_text_add(w->out, " = float(line[");
        add_string(w, name);
        ln_text_add(w->out, "])\n");
    }
    if (plan->ninputs == 0)
        ln_c_add(w, "            del line\n");
    static const char step[] =
        "        status = model.step()\n        if status not in (OK, ENDED):\n            break\n";
    const int after = plan->implicit != NULL; /* outputs belong to the end of a step */
    const int happens = after && plan->implicit->is_hybrid;
    if (happens)
        ln_c_add(w, "        status = model.evaluate()\n        if status not in (OK, ENDED):\n"
                    "            break\n");
    ln_c_add(w, after ? "" : step);
    ln_c_add(w, "        outputs = model.outputs\n        rows.writerow([repr(t)");
    for (int k = 0; k < plan->noutputs; k++) {
        ln_text_add(w->out, ", repr(outputs.");
        ln_member_print(&plan->outputs, plan->output[k], w->out);
        ln_text_add(w->out, ")");
    }
    ln_text_add(w->out, "])\n");
    if (happens)
        ln_c_add(w, "        if status == ENDED:\n            break\n");
    ln_c_add(w, after ? step : "");
    ln_c_add(w, "    if status > ENDED:\n        print(f\"$N: stopped at t = {model.time} s: "
                "{_SAID[status]}\", file=sys.stderr)\n"
                "    out.flush()\n    return int(status > ENDED)\n"
                "\n\nif __name__ == \"__main__\":\n"
                "    try:\n        sys.exit(_main(sys.argv[1:]))\n"
                "    except BrokenPipeError:  # whoever reads has had enough\n"
                "        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)\n        sys.exit(1)\n");
}
