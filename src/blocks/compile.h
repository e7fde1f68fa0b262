/* SPDX-License-Identifier: MIT */
/* Private to blocks: the steps that turn an ln_equations into a class, each in a file of its own,
 * in this order:
 *
 *     delays.c        delays are numbered; at the end they become memories
 *     fluxes.c      which port fluxes are given explicitly; they are replaced wherever they stand
 *     match.c       which remaining equation becomes the row of which output or variable
 *     derivative.c  der(...) with a factor that varies becomes a variable
 *     modes.c       conditionals become modes
 *     linear.c      a row taken apart: what is linear, what is not, what depends on time and
 * parameters only rows.c        rows become entries and expressions to evaluate starts.c      start
 * conditions and guesses class.c       the tables and programs of the class events.c      memories,
 * modes and events: tables and programs runtime.c     the functions of the class hybrid.c those
 * that concern memories and events
 *
 * From match.c on, unknowns and rows are numbered as in the class: ports, declared variables,
 * fluxes that are unknown, derivatives that are unknown. */
#ifndef LN_BLOCKS_COMPILE_H
#define LN_BLOCKS_COMPILE_H

#include "blocks/equations.h"

/* An unknown of the class and the row of the same place. */
typedef struct ln_line {
    linnet_var var;   /* own unknowns; unused for ports */
    linnet_row row;   /* own unknowns and signal outputs */
    ln_node residual; /* LN_NONE for a signal input */
    ln_place place;   /* where its equation stands */
} ln_line;

/* A mode: what decides it, as it stands, and how far it is from changing while all modes stand
 * still. */
typedef struct ln_mode {
    ln_node live, guard;
} ln_mode;

typedef struct ln_compile {
    ln_equations *equations;
    ln_graph *graph;
    ln_arena *arena;   /* the class's own */
    ln_arena *scratch; /* freed after the last step */
    ln_report *report;
    int nports;
    /* ports, then own unknowns; grows while fluxes and derivatives become unknowns */
    ln_line *lines;
    size_t nlines, lines_room;
    /* nports: what stands for the flux of a physical port, LN_NONE for a signal */
    ln_node *flux;
    char *used; /* nequations: 1 where the equation gave a flux */
    /* nodes beside the rows: lets, conditions of events, values of sets, delays */
    ln_node *extras;
    int nextras;
    /* in the scratch arena: DELAY and RATE nodes, what they are made of first */
    ln_node *delays;
    int ndelays;
    ln_node *live;  /* residuals of the lines before modes are found; in the class's arena */
    ln_mode *modes; /* in the scratch arena */
    int nmodes, modes_room;
    int *stamp;    /* per node: last search that met it (ln_reach) */
    ln_node *list; /* the nodes it met */
    size_t stamp_room, list_room;
    int search;
} ln_compile;

/* Appends an own unknown; returns its number, -1 when memory is short (reported). Moves lines[]. */
int ln_new_unknown(ln_compile *compile, linnet_var var);

/* The nodes of which `node` is made, itself included, in falling order (so a node comes before its
 * arguments), in compile->list until the next call. into_der: also what stands below DER. Returns
 * their number, -1 when memory is short. */
int ln_reach(ln_compile *compile, ln_node node, int into_der);
int ln_compare_falling(const void *a, const void *b); /* of two ln_node, for qsort */

/* Parts of a node: an array in the scratch arena in rising order; returns their number, -1 when
 * memory is short. */
typedef enum ln_part_kind {
    LN_PART_UNKNOWN,      /* unknowns, those below DER too */
    LN_PART_FREE_UNKNOWN, /* unknowns that stand outside any DER */
    LN_PART_DER           /* outermost DER nodes */
} ln_part_kind;
int ln_parts(ln_compile *compile, ln_node node, ln_part_kind kind, ln_node **parts);

/* `node` with every occurrence of `part` (a leaf or DER) replaced; below DER, too, if into_der. */
ln_node ln_replace(ln_graph *graph, ln_node node, ln_node part, ln_node by, int into_der);
int ln_is_constant(const ln_graph *graph, ln_node node, double value);
/* 1 when it depends on parameters only. */
int ln_is_parametric(const ln_graph *graph, ln_node node);
/* Number of the unknown whose leaf this is, or -1. */
int ln_unknown_index(const ln_graph *graph, ln_node node);
static inline ln_node ln_unknown(ln_graph *graph, int index) {
    return ln_leaf_node(graph, LN_LEAF_UNKNOWN, index);
}

/* Name of an unknown for messages, in the scratch arena: "p.v", "y", "x1", "p.i". Never NULL. */
const char *ln_unknown_name(const ln_compile *compile, int unknown);

/* delays.c: numbers delays in all expressions of the type. LINNET_MODEL: one is of what has no
 * past. */
linnet_status ln_number_delays(ln_compile *compile);
static inline int ln_first_mode(const ln_compile *compile) {
    return (int)compile->equations->nmemories + LN_DELAY_MEMORIES * compile->ndelays;
}

/* fluxes.c: sets flux[] and used[], and renumbers and replaces fluxes in equations, conditions and
 * extras. */
linnet_status ln_find_fluxes(ln_compile *compile);

/* match.c: checks that equations and unknowns balance; sets residual, row and place of every line.
 */
linnet_status ln_match_rows(ln_compile *compile);

/* derivative.c: adds a variable for each derivative that is not linear in its row. */
linnet_status ln_name_derivatives(ln_compile *compile);

/* modes.c: conditionals of rows and lets become memories; c->modes[]. */
linnet_status ln_find_modes(ln_compile *compile);

/* linear.c: node = sum(coefficient * part) + nonlinear + known. */
/* part: an unknown or a DER, each once; the coefficient depends on parameters only */
typedef struct ln_term {
    ln_node part, coefficient;
} ln_term;
typedef struct ln_sum {
    ln_term *terms;
    int nterms;
    ln_node nonlinear; /* depends on unknowns or DER; the constant 0 when there is nothing */
    ln_node known;     /* depends on time and parameters only */
} ln_sum;
/* Lives in the scratch arena. 0 when memory is short. A part of the nonlinear sum may be among the
 * terms, too. */
int ln_take_apart(ln_compile *compile, ln_node node, ln_sum *sum);
/* The sum written as a node again. */
ln_node ln_put_together(ln_compile *compile, const ln_sum *sum);
/* The terms of a sum for which `wanted` is not 0, added in the order and nesting in which they are
 * written, so that they round as written; all others are 0, and those whose factors
 * cancel exactly. A term is what ln_take_apart() does not
 * go into: an unknown, a DER node, what is known, what is nonlinear. Unlike there, equal terms are
 * not merged. LN_NONE when memory is short. */
typedef int ln_select(const void *context, const ln_graph *graph, ln_node term);
ln_node ln_select_terms(ln_compile *compile, ln_node root, ln_select *wanted, const void *context);

/* What an output of ln_hybrid's `bends` is, if not the slope by an unknown. */
enum { LN_BEND_ITSELF = -2, LN_BEND_BY_TIME = -1 };

/* What memories, modes and events of a class compute; programs are NULL where there is nothing. */
typedef struct ln_hybrid {
    const ln_program *remember, *modes, *guards, *conditions, *act, *delays;
    /* of guards that bend by themselves, each: itself, and its slopes */
    const ln_program *bends;
    /* their register files in work[] */
    size_t remember_at, modes_at, guards_at, conditions_at, act_at, delays_at, bends_at;
    size_t ranges_at; /* work for turns(): two numbers for each register of `bends` */
    /* per output of bends: its guard; by which unknown it is the slope, or one of the next */
    const int *bend_guard, *bend_by;
    size_t both_at; /* work for act(): unknowns and memories, twice */
    /* per output of act: its event, and the memory or unknown (-1) */
    const int *set_event, *set_memory, *set_unknown;
    int nsets;
    const ln_period *periods;
    int nperiods; /* the last outputs of `parametric` */
    /* events that fail on parameters alone: they are looked at by prepare() */
    const int *claims;
    int nclaims;
    const char *lag_is_fixed, *is_rate; /* per delay; `delays` gives input and lag of each */
} ln_hybrid;

/* What class->data of an equation-defined class points to. */
typedef struct ln_compiled_type {
    ln_residuals residuals;
    const ln_equations *equations; /* it is made from */
    /* all that follows from parameters: constant entries, constant sources, start values, guesses;
     * outputs in this order */
    const ln_program *parametric;
    const ln_program *source, *eval, *observed; /* NULL when there is nothing */
    const ln_program *value;           /* eval without its entries; NULL when it has none */
    const ln_breakpoints *breakpoints; /* NULL when there are none */
    /* their register files in work[]; parametric's stands at 0 */
    size_t source_at, eval_at, value_at, observed_at, breakpoints_at;
    int nlinear;
    const int *linear_entry; /* entry of each constant coefficient */
    /* local row of each output of source, or of parametric if constant */
    int nsources;
    const int *source_row;
    int nstarts;
    int nguesses;
    const int *guess_unknown;
    int nq, nf, nstate; /* outputs of eval: rows of q, rows of f, entries */
    const int *q_row, *f_row, *state_entry;
    ln_hybrid hybrid;
} ln_compiled_type;

/* runtime.c: the class's functions, for class.c to put into its tables. */
void ln_runtime_functions(linnet_block_class *class, const ln_compiled_type *compiled);

/* hybrid.c: the same for memories and events; prepare() of their programs. */
void ln_hybrid_functions(linnet_block_class *class, const ln_hybrid *hybrid);
linnet_status ln_hybrid_prepare(const linnet_block *block, char message[256]);

#endif
