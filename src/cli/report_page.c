/* SPDX-License-Identifier: MIT */
/* What all parts of a report write: headings, and what was told while a part was made. */
#include "cli/report.h"

#include "cli/terminal.h"
#include "plot/html.h"

#include <string.h>

void ln_report_note_memory(ln_reporting *r, linnet_status status) {
    if (status == LINNET_MEMORY)
        r->status = status;
}

void ln_report_section(ln_reporting *r, const char *title) {
    ln_text_add(r->page, "<h2>");
    ln_html_text(r->page, title);
    ln_text_add(r->page, "</h2>\n");
}

void ln_report_hear(ln_reporting *r, const char *about) {
    const int count = linnet_diagnostic_count(r->model);
    for (int k = 0; k < count; k++) {
        const linnet_diagnostic *heard = linnet_diagnostic_at(r->model, k);
        static const char *const kinds[] = {"note", "warning", "error"};
        ln_text item = {0};
        ln_html_text(&item, heard->text);
        /* every analysis reads the model anew and says the same of it */
        r->messages.failed |= item.failed;
        if (!item.failed &&
            (r->messages.data == NULL || strstr(r->messages.data, item.data) == NULL)) {
            ln_text_printf(&r->messages, "<li class=\"%s\">", kinds[heard->severity]);
            if (about != NULL)
                ln_text_printf(&r->messages, "<b>%s:</b> ", about);
            ln_text_add(&r->messages, item.data);
            ln_text_add(&r->messages, "</li>\n");
            r->nmessages++;
            ln_terminal_tell((ln_severity)heard->severity, heard->text);
        }
        ln_text_free(&item);
    }
}
