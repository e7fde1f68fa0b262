/* SPDX-License-Identifier: MIT */
/* The two forms of an answer: an object of JSON, and an error as one. */
#include "studio/server.h"

#include "base/sys.h"

void ln_visit_json(ln_visit *visit, json_t *value) {
    char *text = value != NULL ? json_dumps(value, JSON_COMPACT) : NULL;
    visit->reply->type = "application/json";
    if (text != NULL)
        ln_text_add(&visit->reply->text, text);
    else
        visit->reply->text.failed = 1;
    ln_sys->release(text);
    json_decref(value);
}

void ln_visit_error(ln_visit *visit, unsigned status, const char *text) {
    ln_text_free(&visit->reply->text); /* what may have been begun */
    visit->reply->text = (ln_text){0};
    visit->reply->status = status;
    ln_visit_json(visit, json_pack("{s:s}", "error", text));
}
