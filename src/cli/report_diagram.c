/* SPDX-License-Identifier: MIT */
/* The model drawn in a report, and its feedback loops by name. */
#include "cli/report.h"

#include "diagram/drawing.h"
#include "network/feedback.h"
#include "plot/html.h"

static const long most_loops = 100;

typedef struct loop_rows {
    ln_reporting *r;
    const ln_network *network;
} loop_rows;

static linnet_status write_loop(void *context, const ln_feedback_loop *loop) {
    const loop_rows *list = context;
    ln_text *page = list->r->page;
    ln_text_printf(page, "<li>%s feedback%s: ",
                   loop->sign > 0   ? "positive"
                   : loop->sign < 0 ? "negative"
                                    : "undecided",
                   loop->algebraic ? ", algebraic" : "");
    for (int k = 0; k < loop->nmembers; k++) {
        const ln_loop_member *member = &loop->members[k];
        ln_html_text(page, list->network->instances[member->instance].name);
        if (member->out_instance != member->instance) {
            ln_text_add(page, " ~ ");
            ln_html_text(page, list->network->instances[member->out_instance].name);
        }
        ln_text_add(page, " \xE2\x86\x92 ");
    }
    ln_html_text(page, list->network->instances[loop->members[0].instance].name);
    ln_text_add(page, "</li>\n");
    return LINNET_OK;
}

/* The loops that the diagram shows in colours. */
static void write_loops(ln_reporting *r) {
    ln_report *silent = ln_report_new(NULL, NULL);
    ln_network *network = NULL;
    ln_loop_count count;
    linnet_status status = silent == NULL
                               ? LINNET_MEMORY
                               : ln_network_build(NULL, r->source, r->job->request.overrides,
                                                  r->job->request.noverrides, silent, &network);
    ln_report_note_memory(r, status);
    if (status != LINNET_OK) {
        ln_report_free(silent);
        return;
    }
    ln_report_section(r, "Feedback loops");
    ln_text_add(r->page, "<ul>\n");
    loop_rows list = {r, network};
    status = ln_feedback_loops(network, most_loops, NULL, silent,
                               (ln_feedback_visitor){write_loop, &list}, &count);
    ln_report_note_memory(r, status);
    if (status == LINNET_OK && !count.complete)
        ln_text_printf(r->page, "<li>and more than these %ld</li>\n", most_loops);
    ln_text_add(r->page, "</ul>\n");
    ln_network_free(network);
    ln_report_free(silent);
}

/* Errors of the model are told by the run; here they only leave the drawing as it is. */
linnet_status ln_report_diagram(ln_reporting *r) {
    const ln_job *job = r->job;
    const int count = job->request.noverrides;
    ln_drawing *drawing = NULL;
    const char **names = LN_NEW(job->arena, const char *, count + 1),
               **values = LN_NEW(job->arena, const char *, count + 1);
    ln_report *silent = ln_report_new(NULL, NULL);
    if (names == NULL || values == NULL || silent == NULL) {
        ln_report_free(silent);
        return ln_no_memory(job->report);
    }
    for (int k = 0; k < count; k++) {
        names[k] = job->request.overrides[k].name;
        values[k] = job->request.overrides[k].value;
    }
    const ln_drawing_wish wish = {.loops = 1, .names = names, .values = values, .nsettings = count};
    const linnet_status status = ln_drawing_make(r->source, &wish, silent, &drawing);
    if (status == LINNET_IO) /* no Graphviz: told, since the page would lack its picture */
        ln_report_forward(job->report, silent);
    if (drawing != NULL) {
        ln_text_add(r->page, "<h2>Diagram</h2>\n<div class=\"diagram\">\n");
        ln_drawing_svg(drawing, 1, r->page);
        ln_text_add(r->page, "</div>\n");
        if (drawing->nloops > 0)
            write_loops(r);
    }
    ln_drawing_free(drawing);
    ln_report_free(silent);
    return status;
}
