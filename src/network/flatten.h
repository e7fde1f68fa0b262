/* SPDX-License-Identifier: MIT */
/* Private to the room `network`: a model on its way to a network.
 *
 * Flattening walks the model's blocks in the order of the file and collects raw instances and raw
 * links; joining sorts them by name into the network's arrays. Errors are counted in `status`, so
 * that all of them are reported. */
#ifndef LN_NETWORK_FLATTEN_H
#define LN_NETWORK_FLATTEN_H

#include "base/text.h"
#include "network/names.h"
#include "network/network.h"
#include "blocks/catalogue.h"
#include "blocks/enable.h"
#include "blocks/trigger.h"
#include "model/model.h"
#include "model/tree.h"

typedef struct ln_literals ln_literals; /* model/scope.h */

/* A parameter of a face, by its name. */
typedef struct ln_param_name {
    const char *name;
    int param;
} ln_param_name;

/* The values that the last instance of a type has. */
typedef struct ln_last_values {
    const linnet_block_class *class; /* NULL: there is none yet */
    const double *p;
} ln_last_values;

/* A type as its elements use it, prepared once. */
typedef struct ln_kind {
    const char *element;      /* interned name of the elements: compared as a pointer */
    const ln_type *type;      /* NULL: there is none of the name */
    const char *nearest;      /* then: the nearest that there is, or NULL */
    int broken;               /* or: its definition has errors, which are reported */
    const linnet_port *ports; /* of the face, or of the component's definition */
    int nports;
    const ln_param_name *names; /* of all parameters of the face, sorted */
    /* per parameter of the face: value of a default that stands for itself */
    const double *defaults;
    /* per parameter: 1 where the default names other parameters of the instance */
    const char *dependent;
    int any_dependent;
    /* per parameter: 1 where it is such a one, or one of these names it */
    const char *asked;
    /* signal ports alone, and nothing said about sizes: works on each element */
    int elementwise;
    int text_parameter; /* the one an element's text content belongs to, or -1 */
    ln_last_values *last;
} ln_kind;

/* Parameters of the instance at hand; arrays of `room`, per parameter of the face. */
typedef struct ln_values {
    int room;
    const char **written; /* as the model writes it, or NULL */
    ln_scope **where;     /* scope in which it is written */
    double *number;
    double **list; /* values, row by row; of a number: where it stands in `number` */
    int *rows, *cols;
    const char **texts;
    /* of a number that is given as a list, one value for each element: these */
    const double **items;
    ln_size size; /* and how many they are; else 1 x 1 */
} ln_values;

/* What an instance needs beside, until the sizes of signals are known (shapes.c). */
typedef struct ln_vector_block {
    ln_size size;           /* of the parameters given as lists, 1 x 1 when there are none */
    const double *const *p; /* then the values of each element; NULL: the same for all */
    /* Of a type that knows sizes: its class comes later. */
    const ln_kind *kind; /* else NULL */
    ln_values values;
    const int *joined;        /* links per port of the face */
    const linnet_port *ports; /* one per link */
    int nports;
    /* sizes of the face's ports, where they have such of their own; else NULL */
    const ln_size *own;
} ln_vector_block;

/* What switches a block on and off: its own enable and those of the components it stands in. */
typedef struct ln_enables {
    const struct ln_enables *outer;
    const ln_element *element; /* that bears it */
    const char *name;          /* of what bears it, full */
    const char *signal;        /* as written */
    int link;
    int triggers; /* 1: a trigger at that edge; else an enable */
    ln_trigger_edge edge;
    ln_enable enable;
} ln_enables;

typedef struct ln_raw_instance {
    const linnet_block_class *class;
    const double *p;
    const char *name;
    const ln_element *element;
    const ln_besides *besides; /* NULL: nothing */
    const ln_enables *enables; /* NULL: it is always on */
    /* its first port in port_link and port_arrow; one per port of the class follows */
    int first;
    /* NULL: nothing about it is a vector but what it joins */
    const ln_vector_block *vector_block;
} ln_raw_instance;

enum {
    LN_RAW_WRITTEN = 1, /* there is a <link> element of it */
    LN_RAW_AHEAD = 2,   /* named as `block.port` before the block was met */
    LN_RAW_OPEN = 4,    /* the own link of a port that nothing joins */
    LN_RAW_VECTOR = 8   /* replaced by links for its elements */
};
typedef struct ln_raw_link {
    const char *name;
    const ln_element *element; /* that first names it */
    int same_as;               /* the link it turned out to be another name of, or -1 */
    unsigned flags;
} ln_raw_link;

/* An end of a <link>, waiting for its block. */
typedef struct ln_end {
    const char *block, *port;
    int link, next; /* next end at the same block, or -1 */
    int last;       /* of the first end of a block: the last one */
    signed char arrow;
    char used;
    const ln_element *element;
} ln_end;

/* `g.out[2]`, or a component's own port with an index: an element of the link `of`, if that is a
 * vector. */
typedef struct ln_element_name {
    int link, of;
    const char *index;
} ln_element_name;

typedef struct ln_guess {
    int link;
    const ln_element *element;
    ln_scope *scope;
} ln_guess;

/* The model's or a component instance's inside while it is flattened. */
typedef struct ln_level {
    const struct ln_level *outer;
    const ln_definition *definition; /* NULL: the model itself */
    const ln_body *body;
    const char *prefix; /* "motor." or "" */
    size_t prefix_length;
    ln_scope *scope;
    const linnet_port *ports; /* of the component: inside, a port's name is the link it joins */
    int nports;
    const int *port_links;
    const ln_enables *enables; /* what stands in it */
    int broken;                /* its parameters have errors: what uses them is not looked at */
    ln_map *link_ids;          /* ids of <link> elements -> their lines */
    ln_map *end_map;           /* block id -> its first end */
    ln_end *ends;
    size_t nends, ends_room;
} ln_level;

typedef struct ln_build {
    ln_network *network;
    ln_report *report;
    ln_arena *scratch;     /* freed after the build */
    ln_scope *blank;       /* a scope without names: defaults that stand for themselves */
    ln_literals *literals; /* of all instances */
    const ln_override *overrides;
    int noverrides;
    char *override_used;
    linnet_status status;         /* the first error of the model */
    ln_map *link_map, *block_map; /* full names; block_map: 2*instance or 2*component + 1 */
    ln_kind **kinds;
    size_t nkinds, kinds_room;
    ln_raw_instance *instances;
    size_t ninstances, instances_room;
    ln_raw_link *links;
    size_t nlinks, links_room;
    int *port_link;
    size_t nport_links, port_links_room;
    signed char *port_arrow;
    size_t port_arrows_room;
    ln_component *components;
    size_t ncomponents, components_room;
    ln_guess *guesses;
    size_t nguesses, guesses_room;
    ln_element_name *elements;
    size_t nelements, elements_room;
    const char **port_text; /* per port of the kind at hand: attribute value or NULL */
    int *port_count;        /* per port: how many links it joins */
    int port_room;
    /* name of the block whose ports are being joined: it may name its own */
    const char *connecting;
    /* instances that say sizes of signals: only then there may be vectors */
    int nvector_blocks;
    int nahead; /* links that are LN_RAW_AHEAD */
    ln_values values;
    double *filled; /* values of an instance in the making */
    size_t filled_room;
    ln_text name, spelled;  /* for putting names together, and for spelling indices out */
    double turns;           /* of repetitions so far */
    struct ln_asked *asked; /* NULL: nobody has looked yet */
    int stopped;            /* a repetition ended early, with an error: names may be missing */
} ln_build;

/* Reports an error of the model and lets the flattening go on. */
#define LN_WRONG(build, ...) \
    ((void)((build)->status = ln_fail((build)->report, LINNET_MODEL, __VA_ARGS__)))

/* ---- raw.c ---- */
/* Memory is short: 0, for `return`. */
int ln_build_failed(ln_build *build);
/* `name` with the level's prefix, in build->name (valid until the next call); NULL when memory is
 * short. */
const char *ln_full_name(ln_build *build, const ln_level *level, const char *name, size_t length);
/* Length of the id at the start of `text`: letters, digits, '_' and '-', and indices as in "R[3]"
 * or "M[2,1]". */
size_t ln_id_length(const char *text);
/* Is the whole text a name? In a flat model dots belong to names. */
int ln_is_id(const ln_build *build, const char *text);
/* The raw link behind all other names of it, and its place. */
int ln_raw_root(const ln_build *build, int link);
ln_place ln_raw_place(const ln_build *build, int link);
/* What few instances have, for this one to be changed: a copy, since elements of a vector share it.
 * NULL when memory is short. */
ln_besides *ln_raw_besides(ln_build *build, ln_raw_instance *instance);
/* The ports of an instance as links join them: of the class, or one for each link while there is
 * none. */
const linnet_port *ln_raw_ports(const ln_raw_instance *instance, int *nports);

/* ---- flatten.c ---- */
/* Collects raw instances and links. Everything that returns int here: 0 ends the build
 * (build->status says why). */
int ln_flatten(ln_build *build);

/* ---- repeat.c ---- */
/* A name or a list of names, with the indices in brackets evaluated: "R[k+1]" to "R[3]". Lives as
 * long as the network. The text itself when it has none; NULL after an error. */
const char *ln_spell(ln_build *build, const ln_level *level, const char *text, ln_place place);
/* Does the element's condition `if` hold, or has it none? 0 also after an error. */
int ln_wanted(ln_build *build, const ln_level *level, const ln_element *element);
/* Visits a body and those of its repetitions that hold such elements, turn by turn; level->scope
 * knows the indices. Start values keep the scope, which is their turn's alone. */
typedef enum ln_walk_kind { LN_WALK_LINKS, LN_WALK_BLOCKS, LN_WALK_STARTS } ln_walk_kind;
typedef int ln_visit_body(ln_build *build, ln_level *level, const ln_body *body);
int ln_walk_body(ln_build *build, ln_level *level, const ln_body *body, ln_walk_kind what,
                 ln_visit_body *visit);

/* ---- expand.c ---- */
enum { LN_MOST_BLOCKS = 20000000 }; /* that a model may expand into */
/* Refuses components that contain themselves, nest too deep or expand into too much; then 0. */
int ln_check_expansion(ln_build *build);

/* ---- kinds.c ---- */
/* The kind of an element, or NULL: there is no such type (reported once per place) or memory is
 * short. */
const ln_kind *ln_kind_of(ln_build *build, const ln_element *element);

/* ---- links.c ---- */
enum { LN_BROKEN = -2 }; /* in place of a link: there is none, and the reason is reported */
/* The link of that full name, coming into being if need be; -1 when memory is short. A name that
 * stands in build->name is copied. */
int ln_link_of(ln_build *build, const char *name, const ln_element *element);
/* The same for a name in a level, where a port of the component stands for the link it joins. */
int ln_link_named(ln_build *build, const ln_level *level, const char *name,
                  const ln_element *element);
/* The link that one name in a port's attribute means: a name, or `block.port`. -1 or LN_BROKEN:
 * none. */
int ln_named_link(ln_build *build, const ln_level *level, const linnet_port *port, const char *text,
                  const ln_element *element, const char *block);
/* Puts `block.port` into build->name; 0 when memory is short. */
int ln_name_port(ln_build *build, const char *block, const char *port);
/* The port whose name stands in build->name has come, and joins this link. */
int ln_arrive(ln_build *build, int link);
/* Reports names like `block.port` whose block never came. */
void ln_check_ahead(ln_build *build);
/* Report that a name's block or port does not exist. */
void ln_no_block(ln_build *build, const ln_level *level, ln_place place, const char *id);
void ln_no_port(ln_build *build, ln_place place, const char *block, const linnet_port *ports,
                int nports, const char *port);

/* ---- ends.c ---- */
/* Reads the level's <link> elements. */
int ln_read_ends(ln_build *build, ln_level *level);
void ln_free_ends(ln_level *level);
/* Reports ends whose block does not exist. */
void ln_check_ends(ln_build *build, const ln_level *level);

/* ---- connect.c ---- */
/* Appends the links of the ports of one block (build->port_text: what its attributes say) to
 * port_link, and sets build->port_count. */
int ln_add_port_link(ln_build *build, int link, signed char arrow);
int ln_connect(ln_build *build, ln_level *level, const ln_kind *kind, const ln_element *element,
               const char *name);

/* ---- values.c ---- */
/* Makes room for the parameters of a kind and forgets what was written for the last instance. */
int ln_values_begin(ln_build *build, const ln_kind *kind);
/* The parameter of that name in the face, or -1. */
int ln_param_find(const ln_kind *kind, const char *name);
/* The parameter that a name which no parameter has may stand for: one of whose aliases it is, or
 * the only one that differs from it in the case of letters alone. -1: none. */
int ln_param_meant(const linnet_block_class *face, const char *name);
/* Marks an override `block.parameter` as used and returns its text; NULL when there is none. face:
 * the block's, under whose other names the parameter may be set as well; NULL: its own name only.
 */
const char *ln_override_of(ln_build *build, const char *block, const linnet_block_class *face,
                           const char *parameter);

/* ---- instance.c ---- */
/* Evaluates all parameters of an instance and makes its class and values. */
int ln_values_finish(ln_build *build, const ln_level *level, const ln_kind *kind,
                     ln_raw_instance *instance);
/* Makes class and values of an instance that waited for the sizes of signals. */
linnet_status ln_values_late(ln_build *build, ln_raw_instance *instance, const ln_shape *shape);

/* ---- component.c ---- */
/* Opens the level inside an instance: its links, enables and parameters. */
int ln_component_open(ln_build *build, ln_level *level, const ln_kind *kind,
                      const ln_element *element, const char *name, ln_level *inside);
/* Declares the parameters of a body; `given` is the instance, or NULL for the model itself. */
int ln_declare_parameters(ln_build *build, ln_level *level, const ln_element *given,
                          const char *name);

/* ---- shapes.c ---- */
/* The size of each raw link (scratch), by number; NULL after an error. */
ln_size *ln_find_sizes(ln_build *build);
/* Is a link named like an element of another one? Then that may be a vector, put together from its
 * elements. */
int ln_has_gathered(ln_build *build);

/* ---- scalarise.c ---- */
/* Replaces links that are vectors by links for their elements, and blocks on them by blocks on
 * scalars. */
int ln_scalarise(ln_build *build);

/* ---- attributes.c ---- */
/* An attribute that the element's kind does not know: an error, which names what it has. 0 when
 * memory is short. */
int ln_unknown_attribute(ln_build *build, const ln_kind *kind, const ln_element *element,
                         const char *name, const char *attribute);
/* Is the attribute `at` the place in a diagram? One that is malformed is an error. */
int ln_is_position(ln_build *build, const ln_kind *kind, const ln_element *element,
                   const ln_attribute *attribute, const char *name);

/* ---- enables.c ---- */
/* Is it a port or parameter of the kind's own? */
int ln_is_own_attribute(const ln_kind *kind, const char *name);
/* Is the attribute about enabling, and none of the kind's own? */
int ln_is_enable_attribute(const ln_kind *kind, const ln_element *element, const char *name);
/* The enables of an element that stands in the level. */
int ln_read_enables(ln_build *build, ln_level *level, const ln_kind *kind,
                    const ln_element *element, const char *name, const ln_enables **enables);
/* Instances with enables get their classes and inputs. */
int ln_open_enables(ln_build *build);

/* ---- join.c ---- */
/* Raw instances and links to the network's: sorted by name, numbered, ports and domains checked. */
int ln_join(ln_build *build);

/* ---- diagnose.c ---- */
/* Structural checks of a joined network, cheapest first. */
linnet_status ln_diagnose(ln_network *network, ln_report *report);

#endif
