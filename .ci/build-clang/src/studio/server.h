/* SPDX-License-Identifier: MIT */
/* Private to the room: what the server consists of, and its answers. */
#ifndef LN_STUDIO_SERVER_H
#define LN_STUDIO_SERVER_H

#include "studio/child.h"
#include "studio/folder.h"
#include "studio/http.h"
#include "studio/order.h"
#include "studio/results.h"
#include "studio/studio.h"

typedef struct ln_studio {
    const char *program;
    ln_folder home, examples; /* where the program was started; the examples, perhaps none */
    const char *model;        /* path in home of what is opened at first, or NULL */
    ln_results *results;
    ln_children *children;
} ln_studio;

/* A request on its way to an answer. */
typedef struct ln_visit {
    ln_studio *studio;
    const ln_http_request *request;
    ln_http_reply *reply;
    json_t *body; /* an object: of a POST what was sent, else empty */
    ln_arena *arena;
} ln_visit;

/* As ln_http_handler; context is the ln_studio. */
void ln_studio_answer(void *context, const ln_http_request *request, ln_http_reply *reply);

/* ---- what all answers use (answer.c) ---- */

/* The answer is this value, which is consumed. */
void ln_visit_json(ln_visit *visit, json_t *value);
/* The answer is a status and {"error": text}. */
void ln_visit_error(ln_visit *visit, unsigned status, const char *text);

/* ---- files.c ---- */
void ln_visit_start(ln_visit *visit);
void ln_visit_files(ln_visit *visit);
void ln_visit_file(ln_visit *visit);
void ln_visit_save(ln_visit *visit);
/* The folder in which a model's children work, by the members "place" ("folder" or "examples") and
 * "path" of the body. NULL, answered, when there is none. */
const char *ln_visit_folder(ln_visit *visit);

/* ---- work.c: commands of the program ---- */
void ln_visit_check(ln_visit *visit);
void ln_visit_diagram(ln_visit *visit);
void ln_visit_blocks(ln_visit *visit);
void ln_visit_language(ln_visit *visit);
void ln_visit_run(ln_visit *visit);
void ln_visit_sweep(ln_visit *visit);
void ln_visit_stop(ln_visit *visit);
void ln_visit_drop(ln_visit *visit);
void ln_visit_signals(ln_visit *visit);
void ln_visit_plot(ln_visit *visit);
void ln_visit_table(ln_visit *visit);
void ln_visit_download(ln_visit *visit);

/* ---- pages.c ---- */

/* The page, its parts, and the libraries it uses, by the path of a GET; 0 when it is none of them.
 */
int ln_visit_page(ln_visit *visit);
/* Whether the libraries are there; LINNET_IO, reported, when one is not. */
linnet_status ln_studio_check_libraries(ln_report *report);

#endif
