/* SPDX-License-Identifier: MIT */
/* The sizes of signals, found before anything is numbered. Only models with a block that says a
 * size come here.
 *
 * Sizes pass from inputs to outputs, block by block, until nothing changes: a block that works
 * element by element has the size of its inputs, scalars among them going with any; a type with
 * measure() says itself. Where everything waits for something else (a feedback loop), blocks give
 * less and less certain answers: first those of which some input is known to be a vector, then
 * those of which any is known, and at last a loop of nothing but unknown sizes is scalar. All
 * answers are corrected when more is known; in the end each block checks what it joins. */
#include "network/flatten.h"

#include "base/sys.h"
#include "blocks/signal/sized.h"
#include <stdlib.h>
#include <string.h>

/* When a block of which some inputs are unknown may answer; see above. */
typedef enum certainty { ALL_KNOWN, SOME_VECTOR, SOME_KNOWN, NONE_KNOWN, CERTAINTIES } certainty;

/* How often one block may answer: sizes that still change after that grow around a loop; so do
 * those of so many elements, which a loop that multiplies them reaches sooner. */
enum { MOST_ANSWERS = 200, MOST_ELEMENTS = 1 << 24 };
/* Elements of a vector put together from links named like its elements; an index beyond is a
 * mistake. */
enum { MOST_GATHERED = 1000000 };

typedef struct shapes {
    ln_build *build;
    ln_size *size;              /* per raw link */
    int *driver;                /* per raw link: instance, -1 none */
    int *first_reader, *reader; /* per raw link: where its readers begin; instances */
    int *queue;                 /* instances to be asked, a ring */
    char *queued;
    short *answers; /* per instance */
    size_t head, count;
} shapes;

static int is_scalar(ln_size size) {
    return size.rows == 1 && size.cols == 1;
}

static int same(ln_size a, ln_size b) {
    return a.rows == b.rows && a.cols == b.cols;
}

static int link_at(const shapes *all, const ln_raw_instance *raw, int port) {
    return ln_raw_root(all->build, all->build->port_link[raw->first + port]);
}

static int is_output(const linnet_port *port) {
    return (port->flags & LINNET_OUTPUT) != 0;
}

/* Signals alone, and no sizes of its own. */
static int is_elementwise(const ln_raw_instance *raw) {
    int nports;
    const linnet_port *ports = ln_raw_ports(raw, &nports);
    if (raw->vector_block != NULL && raw->vector_block->kind != NULL)
        return 0;
    for (int j = 0; j < nports; j++)
        if (ports[j].domain != LINNET_SIGNAL)
            return 0;
    return 1;
}

/* ---- passing sizes on ---- */

static void ask(shapes *all, int instance) {
    if (all->queued[instance])
        return;
    all->queued[instance] = 1;
    all->queue[(all->head + all->count++) % all->build->ninstances] = instance;
}

static void set_size(shapes *all, int link, ln_size size) {
    if (link < 0 || size.rows == 0 || same(all->size[link], size))
        return;
    all->size[link] = size;
    for (int k = all->first_reader[link]; k < all->first_reader[link + 1]; k++)
        ask(all, all->reader[k]);
}

/* The common size of what is known; *unknown counts the other inputs. */
static ln_size join_inputs(const shapes *all, const ln_raw_instance *raw, int *known,
                           int *unknown) {
    int nports;
    const linnet_port *ports = ln_raw_ports(raw, &nports);
    ln_size joined = raw->vector_block != NULL ? raw->vector_block->size : (ln_size){1, 1};
    *known = *unknown = 0;
    for (int j = 0; j < nports; j++) {
        const int link = link_at(all, raw, j);
        if (link < 0 || is_output(&ports[j]))
            continue;
        if (all->size[link].rows == 0)
            ++*unknown;
        else
            ++*known;
        if (all->size[link].rows > 0 && is_scalar(joined))
            joined = all->size[link];
    }
    return joined;
}

static void answer_elementwise(shapes *all, const ln_raw_instance *raw, certainty level) {
    int known, unknown, nports;
    const linnet_port *ports = ln_raw_ports(raw, &nports);
    const ln_size joined = join_inputs(all, raw, &known, &unknown);
    const int own = raw->vector_block != NULL; /* parameters given as lists say it, too */
    if (unknown > 0 && !own &&
        (level == ALL_KNOWN || (level == SOME_VECTOR && is_scalar(joined)) ||
         (level == SOME_KNOWN && known == 0)))
        return;
    for (int j = 0; j < nports; j++)
        if (is_output(&ports[j]))
            set_size(all, link_at(all, raw, j), joined);
}

/* A type on scalars: physical ports among them. */
static void answer_scalar(shapes *all, const ln_raw_instance *raw) {
    int nports;
    const linnet_port *ports = ln_raw_ports(raw, &nports);
    for (int j = 0; j < nports; j++)
        if (is_output(&ports[j]))
            set_size(all, link_at(all, raw, j), (ln_size){1, 1});
}

/* What a type that knows sizes is told of its links. */
typedef struct knowledge {
    ln_shape shape;
    ln_size **sizes;
} knowledge;

/* "'u', a vector of 3 from c (line 4)" */
static const char *end_text(shapes *all, int link) {
    char size[64];
    if (link < 0)
        return "an open port";
    const ln_build *build = all->build;
    const char *name = build->links[link].name;
    ln_size_text(size, all->size[link]);
    if (all->driver[link] < 0)
        return ln_arena_printf(build->scratch, "'%s', %s", name, size);
    const ln_raw_instance *from = &build->instances[all->driver[link]];
    return ln_arena_printf(build->scratch, "'%s', %s from %s (line %d)", name, size, from->name,
                           from->element->line);
}

static int find_knowledge(shapes *all, const ln_raw_instance *raw, int with_ends,
                          knowledge *known) {
    ln_arena *scratch = all->build->scratch;
    const ln_vector_block *vector_block = raw->vector_block;
    const int nports = vector_block->kind->nports;
    ln_size *size = LN_NEW(scratch, ln_size, vector_block->nports),
            **sizes = LN_NEW(scratch, ln_size *, nports);
    const char **end = LN_NEW(scratch, const char *, vector_block->nports),
               ***ends = LN_NEW(scratch, const char **, nports);
    int *links = LN_NEW(scratch, int, nports), at = 0;
    if (size == NULL || sizes == NULL || end == NULL || ends == NULL || links == NULL)
        return ln_build_failed(all->build);
    for (int j = 0; j < nports; j++) {
        sizes[j] = size + at;
        ends[j] = end + at;
        for (int k = 0; k < vector_block->joined[j]; k++, at++) {
            const int link = link_at(all, raw, at);
            size[at] = link < 0 ? (ln_size){1, 1} : all->size[link];
            if (with_ends && (end[at] = end_text(all, link)) == NULL)
                return ln_build_failed(all->build);
            links[j] += size[at].rows * size[at].cols;
        }
    }
    const ln_values *values = &vector_block->values;
    *known = (knowledge){{.links = links,
                          .joined = vector_block->joined,
                          .sizes = (const ln_size *const *)sizes,
                          .ends = with_ends ? (const char *const *const *)ends : NULL,
                          .rows = values->rows,
                          .cols = values->cols,
                          .texts = values->texts,
                          .values = (const double *const *)values->list,
                          .place = ln_place_of(raw->element),
                          .block = raw->name},
                         sizes};
    return 1;
}

/* Ports of a type with sizes of its own are what they are. */
static void own_sizes(const ln_vector_block *vector_block, ln_size **sizes,
                      const linnet_port *ports) {
    for (int j = 0; j < vector_block->kind->nports; j++)
        if (is_output(&ports[j]))
            sizes[j][0] = vector_block->own[j];
}

static int answer_measured(shapes *all, const ln_raw_instance *raw) {
    const ln_type *type = raw->vector_block->kind->type;
    knowledge known;
    if (!find_knowledge(all, raw, 0, &known))
        return 0;
    if (raw->vector_block->own != NULL)
        own_sizes(raw->vector_block, known.sizes, raw->vector_block->kind->ports);
    else if (type->measure(&known.shape, known.sizes, NULL) != LINNET_OK)
        return 1;
    for (int j = 0, at = 0; j < raw->vector_block->kind->nports;
         at += raw->vector_block->joined[j++])
        for (int k = 0;
             is_output(&raw->vector_block->kind->ports[j]) && k < raw->vector_block->joined[j]; k++)
            set_size(all, link_at(all, raw, at + k), known.sizes[j][k]);
    return 1;
}

/* Of all that a block of vectors joins; an int holds it thereafter. */
static double elements_at(const shapes *all, const ln_raw_instance *raw) {
    const ln_vector_block *vector_block = raw->vector_block;
    double sum = 0;
    for (int k = 0; vector_block != NULL && k < vector_block->nports; k++) {
        const int link = link_at(all, raw, k);
        sum += link < 0 ? 1 : (double)all->size[link].rows * all->size[link].cols;
    }
    return sum;
}

static int answer(shapes *all, int instance, certainty level) {
    const ln_raw_instance *raw = &all->build->instances[instance];
    if (++all->answers[instance] > MOST_ANSWERS || elements_at(all, raw) > MOST_ELEMENTS) {
        LN_WRONG(all->build, ln_place_of(raw->element),
                 "%s (%s): the size of its output grows around a loop; what it "
                 "joins must not hold its own output",
                 raw->name, raw->element->name);
        return 0;
    }
    if (raw->vector_block != NULL && raw->vector_block->kind != NULL)
        return answer_measured(all, raw);
    if (is_elementwise(raw))
        answer_elementwise(all, raw, level);
    else
        answer_scalar(all, raw);
    return 1;
}

static int pass_on(shapes *all) {
    const int n = (int)all->build->ninstances;
    for (certainty level = ALL_KNOWN; level < CERTAINTIES; level++) {
        for (int i = 0; i < n; i++) {
            all->answers[i] = 0;
            ask(all, i);
        }
        while (all->count > 0) {
            const int instance = all->queue[all->head];
            all->head = (all->head + 1) % (size_t)n;
            all->count--;
            all->queued[instance] = 0;
            if (!answer(all, instance, level))
                return 0;
        }
    }
    return 1;
}

/* ---- what does not fit ---- */

static const char *port_name(const ln_raw_instance *raw, int port) {
    int nports;
    return ln_raw_ports(raw, &nports)[port].name;
}

static void check_elementwise(shapes *all, const ln_raw_instance *raw) {
    int known, unknown, nports, first = -1;
    const linnet_port *ports = ln_raw_ports(raw, &nports);
    const ln_size joined = join_inputs(all, raw, &known, &unknown);
    char text[64];
    for (int j = 0; j < nports; j++) {
        const int link = link_at(all, raw, j);
        if (link < 0 || is_output(&ports[j]) || is_scalar(all->size[link]))
            continue;
        if (first < 0 && same(all->size[link], joined))
            first = j;
        if (same(all->size[link], joined))
            continue;
        const char *here = end_text(all, link),
                   *there = first < 0 ? NULL : end_text(all, link_at(all, raw, first));
        if (here == NULL)
            ln_build_failed(all->build);
        else if (there == NULL)
            LN_WRONG(all->build, ln_place_of(raw->element),
                     "%s (%s): %s is %s, but its parameters are %s; sizes must be "
                     "equal, or scalar",
                     raw->name, raw->element->name, port_name(raw, j), here,
                     ln_size_text(text, joined));
        else
            LN_WRONG(all->build, ln_place_of(raw->element),
                     "%s (%s): %s is %s, %s is %s; sizes must be equal, or scalar", raw->name,
                     raw->element->name, port_name(raw, first), there, port_name(raw, j), here);
        return;
    }
}

static void wrong_port(shapes *all, const ln_raw_instance *raw, const char *port, int link,
                       ln_size wanted) {
    char text[64];
    const char *here = end_text(all, link);
    if (here == NULL)
        ln_build_failed(all->build);
    else
        LN_WRONG(all->build, ln_place_of(raw->element), "%s (%s): %s takes %s, but joins %s",
                 raw->name, raw->element->name, port, ln_size_text(text, wanted), here);
}

static void check_scalar(shapes *all, const ln_raw_instance *raw) {
    int nports;
    const linnet_port *ports = ln_raw_ports(raw, &nports);
    for (int j = 0; j < nports; j++) {
        const int link = link_at(all, raw, j);
        if (ports[j].domain != LINNET_SIGNAL || link < 0 || is_scalar(all->size[link]))
            continue;
        wrong_port(all, raw, ports[j].name, link, (ln_size){1, 1});
    }
}

static void check_measured(shapes *all, const ln_raw_instance *raw) {
    const ln_kind *kind = raw->vector_block->kind;
    knowledge known;
    if (!find_knowledge(all, raw, 1, &known))
        return;
    if (kind->type->measure != NULL) {
        const ln_subject before =
            ln_report_about(all->build->report, (ln_subject){raw->name, kind->element, NULL});
        linnet_status status = kind->type->measure(&known.shape, known.sizes, all->build->report);
        ln_report_about(all->build->report, before);
        if (status != LINNET_OK)
            all->build->status = status;
        return;
    }
    for (int j = 0; j < kind->nports; j++) {
        const int link = link_at(all, raw, j);
        if (link >= 0 && !same(all->size[link], raw->vector_block->own[j]))
            wrong_port(all, raw, kind->ports[j].name, link, raw->vector_block->own[j]);
    }
}

/* What is still unknown is a scalar: what drives it has an error. */
static void check_all(shapes *all) {
    for (size_t k = 0; k < all->build->nlinks; k++)
        if (all->size[k].rows == 0)
            all->size[k] = (ln_size){1, 1};
    for (size_t i = 0; i < all->build->ninstances; i++) {
        const ln_raw_instance *raw = &all->build->instances[i];
        if (raw->vector_block != NULL && raw->vector_block->kind != NULL)
            check_measured(all, raw);
        else if (is_elementwise(raw))
            check_elementwise(all, raw);
        else
            check_scalar(all, raw);
    }
}

/* ---- the graph ---- */

static int find_readers(shapes *all) {
    ln_build *build = all->build;
    const size_t n = build->nlinks;
    int *next = LN_NEW(build->scratch, int, n + 1);
    all->first_reader = LN_NEW(build->scratch, int, n + 2);
    all->reader = LN_NEW(build->scratch, int, build->nport_links);
    if (next == NULL || all->first_reader == NULL || all->reader == NULL)
        return ln_build_failed(build);
    for (size_t k = 0; k < n; k++)
        all->driver[k] = -1;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < build->ninstances; i++) {
            int nports;
            const linnet_port *ports = ln_raw_ports(&build->instances[i], &nports);
            for (int j = 0; j < nports; j++) {
                const int link = link_at(all, &build->instances[i], j);
                if (link < 0)
                    continue;
                if (is_output(&ports[j]))
                    all->driver[link] = (int)i;
                else if (pass == 0)
                    all->first_reader[link + 1]++;
                else
                    all->reader[next[link]++] = (int)i;
            }
        }
        for (size_t k = 0; pass == 0 && k < n; k++) {
            all->first_reader[k + 1] += all->first_reader[k];
            next[k] = all->first_reader[k];
        }
    }
    return 1;
}

/* ---- vectors put together from elements ---- */

/* The link that a name with indices is an element of, "x" of "x[3]", and these indices; -1: none.
 */
static int base_of(ln_build *build, const char *name, ln_size *index) {
    const char *bracket = strrchr(name, '[');
    if (bracket == NULL || bracket == name || name[strlen(name) - 1] != ']')
        return -1;
    char *rest;
    *index = (ln_size){(int)strtol(bracket + 1, &rest, 10), 1};
    if (*rest == ',')
        index->cols = (int)strtol(rest + 1, &rest, 10);
    if (*rest != ']' || index->rows < 1 || index->cols < 1)
        return -1;
    build->name.length = 0;
    ln_text_add_bytes(&build->name, name, (size_t)(bracket - name));
    return build->name.failed ? -1
                              : ln_raw_root(build, ln_map_get(build->link_map, build->name.data));
}

/* Is there a link that is read whole, while blocks drive links named like its elements? */
int ln_has_gathered(ln_build *build) {
    ln_size index;
    for (size_t k = 0; k < build->nlinks; k++)
        if (base_of(build, build->links[k].name, &index) >= 0)
            return 1;
    return 0;
}

/* A link that nothing drives, but elements of it are driven, is a vector of these: as large as the
 * largest index. */
static void gather(shapes *all) {
    ln_build *build = all->build;
    ln_size index;
    for (size_t k = 0; k < build->nlinks; k++) {
        const int base = base_of(build, build->links[k].name, &index),
                  link = ln_raw_root(build, (int)k);
        if (base < 0 || base == link || all->driver[base] >= 0 || all->driver[link] < 0)
            continue;
        if (index.rows > MOST_GATHERED || index.cols > MOST_GATHERED / index.rows)
            continue;
        if (index.rows > all->size[base].rows)
            all->size[base].rows = index.rows;
        if (index.cols > all->size[base].cols)
            all->size[base].cols = index.cols;
    }
}

/* What nothing drives is a scalar: an element of a vector (`x[2]`), which is told by its name, or a
 * mistake, which is told later. */
static void size_undriven(shapes *all) {
    for (size_t k = 0; k < all->build->nlinks; k++)
        if (all->driver[k] < 0 && all->size[k].rows == 0)
            all->size[k] = (ln_size){1, 1};
}

ln_size *ln_find_sizes(ln_build *build) {
    shapes all = {.build = build};
    all.size = LN_NEW(build->scratch, ln_size, build->nlinks + 1);
    all.driver = LN_NEW(build->scratch, int, build->nlinks + 1);
    all.queue = LN_NEW(build->scratch, int, build->ninstances + 1);
    all.queued = LN_NEW(build->scratch, char, build->ninstances + 1);
    all.answers = LN_NEW(build->scratch, short, build->ninstances + 1);
    if (!all.size || !all.driver || !all.queue || !all.queued || !all.answers) {
        ln_build_failed(build);
        return NULL;
    }
    if (!find_readers(&all))
        return NULL;
    gather(&all);
    size_undriven(&all);
    if (!pass_on(&all))
        return NULL;
    check_all(&all);
    return build->status == LINNET_OK ? all.size : NULL;
}
