/* SPDX-License-Identifier: MIT */
/* The model language: a tree sorted into what it means, with the includes followed. Nothing is
 * evaluated here. */
#ifndef LN_MODEL_MODEL_H
#define LN_MODEL_MODEL_H

#include "model/tree.h"

/* What stands inside <model> or <component>: elements by kind, each in document order. */
typedef struct ln_body {
    /* <parameter name value|default unit min max doc> */
    const ln_element **parameters;
    int nparameters;
    /* elements that are none of the language: block instances */
    const ln_element **blocks;
    int nblocks;
    const ln_element **links;
    int nlinks; /* <link id from to> */
    const ln_element **ports;
    int nports; /* <port>, <input>, <output> (types only) */
    /* <start link value>, in a block type <start of value> */
    const ln_element **starts;
    int nstarts;
    const ln_element **states;
    int nstates; /* block types: <state>, <variable> */
    const ln_element **lets;
    int nlets; /* block types: <let> */
    const ln_element **numbers;
    int nnumbers; /* block types: <number> */
    const ln_element **memories;
    int nmemories; /* block types: <memory> */
    /* block types: <when>, whose children say what it does, <assert> */
    const ln_element **events;
    int nevents;
    const ln_element **equations;
    int nequations; /* block types: <equation> */
    struct ln_repeat *repeats;
    int nrepeats; /* <repeat index from to> */
} ln_body;

/* A part of a body that stands for many: once for each value of the index. */
typedef struct ln_repeat {
    const ln_element *element;
    ln_body body; /* blocks, links, starts, repeats */
} ln_repeat;

/* <block-type> (equations) or <component> (blocks). */
typedef struct ln_definition {
    const char *name, *doc;
    int is_component;
    const ln_element *element;
    ln_body body;
} ln_definition;

typedef struct ln_model_value {
    const char *name;
    double value;
} ln_model_value;

typedef struct ln_model_options {
    const ln_limits *limits; /* NULL: default */
    /* allowed on the command line, beside the model's own folder and the library */
    const char *const *include_folders;
    int ninclude_folders;
    /* of parameters that the reading uses up (ln_model.again) */
    const ln_model_value *values;
    int nvalues;
    const char *library; /* folder of the installed library, or NULL */
    int allow_native;    /* code that the model names (an FMU) may run */
    /* what reads values of the model by name from outside: a command line, a list of signals; the
     * names that stand in it count as asked for (network/asked.h). NULL: nothing */
    const char *asked;
    /* of the model itself, which then is not opened: a pipe can be read once. NULL: none */
    const char *bytes;
    size_t length;
} ln_model_options;

typedef struct ln_model ln_model;
struct ln_model {
    ln_arena *arena;  /* owns everything */
    const char *name; /* the model's name, or the file's */
    const char *path;
    /* who read it, from what: "linnet 1.0; rc.xml, 312 bytes, CRC-32 89abcdef; linnet run rc.xml",
     * for results to name; NULL: nobody said */
    const char *origin;
    int flat;               /* names are taken as they are, dots and brackets with them */
    const ln_element *root; /* of the file itself */
    ln_body body;
    ln_definition *definitions;
    int ndefinitions;             /* of the file and all it includes */
    const ln_element *simulation; /* or NULL */
    const ln_element *trim;       /* or NULL; <free>, <hold> and <minimise> in it */
    /* all that the model asks for, <simulation> with them, in order */
    const ln_element **analyses;
    int nanalyses;
    const ln_element *response; /* the first <frequency-response>, or NULL */
    const ln_element *dc_sweep; /* the first, or NULL */
    const ln_element *sweep;    /* the first, or NULL: what `linnet sweep` varies by itself */
    /* <at-rest>: parameters of points that are no start of a run */
    const ln_element **rests;
    int nrests;
    const ln_element **records;
    int nrecords;
    const ln_element **references;
    int nreferences;
    const ln_element **tolerances;
    int ntolerances;
    const ln_element **measures;
    int nmeasures;
    /* A reader that uses up the <parameter>s as it computes numbers (a SPICE deck): reads the file
     * again, with options.values for some of them. NULL: parameters are looked at when the network
     * is built. */
    linnet_status (*again)(const char *path, const ln_model_options *options, ln_report *report,
                           ln_model **model);
    ln_model_options options; /* of the reading; strings borrowed */
};

/* Sets model->origin, with this way by which it was read: a command line. LINNET_IO and
 * LINNET_MEMORY are told. */
linnet_status ln_model_set_origin(ln_model *model, const char *way, ln_report *report);

/* Reads a model and what it includes. All errors of the file are reported, not the first only. On
 * success *model is the caller's, to be freed by ln_model_free(). Unknown language elements inside
 * block types and unknown attributes of language elements are errors here; block elements are
 * checked by network. */
linnet_status ln_model_read(const char *path, const ln_model_options *options, ln_report *report,
                            ln_model **model);
/* Reads a model that is written in another language: `make` reads the file into a tree whose root
 * is <model>; on failure NULL, reported, with *status. It may read further files: ln_model_source()
 * finds one by the rule of <include> (a relative path, in an allowed folder, no circle) and gives
 * its number, or -1 after an error; *path is then how to open it; `from` is the number of the file
 * that asks, 0 the model's own. ln_model_source_end() when it has been read. */
typedef struct ln_reader ln_reader;
typedef const ln_element *ln_tree_maker(ln_reader *reader, ln_arena *arena, const char *path,
                                        ln_report *report, linnet_status *status);
linnet_status ln_model_read_with(const char *path, const ln_model_options *options,
                                 ln_tree_maker *make, ln_report *report, ln_model **model);
const ln_model_options *ln_reader_options(const ln_reader *reader);
int ln_model_source(ln_reader *reader, const char *href, int from, ln_place place,
                    const char **path);
void ln_model_source_end(ln_reader *reader, int source);
linnet_status ln_model_read_memory(const char *name, const char *data, size_t length,
                                   const ln_model_options *options, ln_report *report,
                                   ln_model **model);
/* Reads a file whose root is <library> (types only), as the catalogue does with the built-in types.
 */
linnet_status ln_library_read_memory(const char *name, const char *data, size_t length,
                                     ln_report *report, ln_model **model);
void ln_model_free(ln_model *model);
/* Gives back the memory of the blocks that stand in the model itself, which is most of a large
 * one's, when the network has been built that was to be: their texts stay, and so do all other
 * elements, but no network can be built from the model any more. */
void ln_model_forget_blocks(ln_model *model);

#endif
