/* SPDX-License-Identifier: MIT */
/* What the browser loads: the page's own files; CodeMirror and dygraphs, read from where they are
 * installed; and what draws panels in pages of src/plot. */
#include "studio/page.h"
#include "studio/server.h"

#include "base/input.h"
#include "base/sys.h"
#include "plot/html_script.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *type_of(const char *name) {
    return ln_ends_with(name, ".css")    ? "text/css; charset=utf-8"
           : ln_ends_with(name, ".js")   ? "text/javascript; charset=utf-8"
           : ln_ends_with(name, ".html") ? "text/html; charset=utf-8"
                                         : "application/octet-stream";
}

/* ---- libraries ---- */

static const struct {
    const char *path, *file, *package;
} libraries[] = {
#define CODEMIRROR(name) \
    { "lib/" name, LINNET_CODEMIRROR_DIR "/" name, "libjs-codemirror" }
#define DYGRAPHS(name) \
    { "lib/" name, LINNET_DYGRAPHS_DIR "/" name, "libjs-dygraphs" }
    CODEMIRROR("lib/codemirror.js"),
    CODEMIRROR("lib/codemirror.css"),
    CODEMIRROR("mode/xml/xml.js"),
    CODEMIRROR("addon/hint/show-hint.js"),
    CODEMIRROR("addon/hint/show-hint.css"),
    CODEMIRROR("addon/edit/closetag.js"),
    CODEMIRROR("addon/fold/xml-fold.js"),
    CODEMIRROR("addon/selection/active-line.js"),
    CODEMIRROR("addon/search/searchcursor.js"),
    CODEMIRROR("addon/search/search.js"),
    CODEMIRROR("addon/dialog/dialog.js"),
    CODEMIRROR("addon/dialog/dialog.css"),
    CODEMIRROR("addon/comment/comment.js"),
    DYGRAPHS("dygraph.min.js"),
    DYGRAPHS("dygraph.min.css"),
#undef CODEMIRROR
#undef DYGRAPHS
};
enum { LIBRARIES = sizeof libraries / sizeof *libraries, LARGEST = 16 << 20 /* bytes of a file */ };

linnet_status ln_studio_check_libraries(ln_report *report) {
    for (size_t k = 0; k < LIBRARIES; k++) {
        const int file = ln_sys->open_plain(libraries[k].file);
        if (file < 0)
            return ln_fail(report, LINNET_IO, LN_NOWHERE,
                           "cannot read '%s', which the page needs: %s; install %s (Debian: "
                           "apt-get install %s)",
                           libraries[k].file, strerror(errno), libraries[k].package,
                           libraries[k].package);
        (void)ln_sys->close(file);
    }
    return LINNET_OK;
}

static int answer_library(ln_visit *visit) {
    for (size_t k = 0; k < LIBRARIES; k++) {
        if (strcmp(visit->request->path, libraries[k].path) != 0)
            continue;
        if (ln_input_read(libraries[k].file, LN_FROM_MODEL, LARGEST, NULL, &visit->reply->text) !=
            LINNET_OK)
            ln_visit_error(visit, 404, "there is no such file");
        else
            visit->reply->type = type_of(libraries[k].path);
        return 1;
    }
    return 0;
}

/* ---- the page ---- */

static int answer_fixed(ln_visit *visit, const char *data, size_t length, const char *name) {
    visit->reply->fixed = data;
    visit->reply->fixed_length = length;
    visit->reply->type = type_of(name);
    return 1;
}

int ln_visit_page(ln_visit *visit) {
    static const char folder[] = "page/";
    const char *path = visit->request->path;
    const char *name = path[0] == '\0' ? "index.html" : path + sizeof folder - 1;
    if (strcmp(path, "plot.js") == 0)
        return answer_fixed(visit, ln_html_script, strlen(ln_html_script), path);
    if (path[0] != '\0' && strncmp(path, folder, sizeof folder - 1) != 0)
        return answer_library(visit);
    for (const ln_embedded_file *file = ln_studio_page; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return answer_fixed(visit, file->data, file->length, name);
    return 0;
}
