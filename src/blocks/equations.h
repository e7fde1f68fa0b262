/* SPDX-License-Identifier: MIT */
/* Block types in equations: from a list of equations to a linnet_block_class.
 *
 * A describer (the XML reader of <block-type>, or C code of a sized type such as transfer-function)
 * fills an ln_equations; ln_equations_class() turns it into a class by the rules of the design:
 *   - `p.i = expression` for a port's flux is explicit: the expression goes into the port's row,
 * wherever else p.i stands it is replaced by it, and it costs no unknown; a flux without such an
 * equation becomes an own variable;
 *   - der(...) with a constant coefficient is an entry of q; with another factor the derivative
 * becomes an own variable d with the row d = der(...);
 *   - each row is split: entries with constant derivative are stamped by linear(), what depends on
 * time and parameters only is source(), the rest is eval() with exact partial derivatives;
 *   - an equation that holds a port's potential at zero, of a type with that one port and nothing
 * else, makes it the reference (linnet_block_class.reference_port);
 *   - conditions on time alone are decided at `decide` and become breakpoints (next_breakpoint);
 *   - other conditionals become modes, events their conditions and what act() computes (modes.c,
 * events.c). */
#ifndef LN_BLOCKS_EQUATIONS_H
#define LN_BLOCKS_EQUATIONS_H

#include "expression/graph.h"
#include "expression/program.h"
#include <linnet/block.h>

/* Leaf numbering in the graph: UNKNOWN i < nports: the port's potential or signal; UNKNOWN nports +
 * k: variable k as declared; UNKNOWN LN_FLUX + port: the port's flux. PARAMETER: offset in the
 * value array. MEMORY k: memory k as declared. */
#define LN_FLUX (1 << 24)

typedef struct ln_equation {
    ln_node left, right;
    const char *text; /* as written, for messages and formula; NULL from describers in C */
    const char *unit; /* of both sides; NULL any */
    ln_place place;
} ln_equation;

typedef struct ln_variable {
    linnet_var var; /* var.flags: START_FIXED for <state> */
    ln_node start;  /* of parameters; LN_NONE: 0 */
    /* the parameter its start is, when it is just that ("v0"), else NULL */
    const char *start_parameter;
} ln_variable;

typedef struct ln_condition { /* <start of="p.v - n.v" value="v0"/> */
    ln_node of, value;
    const char *parameter;
    ln_place place;
} ln_condition;

typedef struct ln_memory {
    linnet_memory memory; /* a name of NULL: for the type's own use */
    ln_node start;        /* of parameters and time; LN_NONE: 0 */
    int counts;           /* 1: it counts samples, in a block that is off (enable.h), too */
} ln_memory;

typedef struct ln_event {
    linnet_event event; /* TICK is found out by itself */
    ln_node condition;
    /* 1: looked at when it can be true only (it contains a sample): no modes of it */
    int quiet;
    int gated; /* 1: condition is `and` of its own and of what lets it act (enable.h) */
    ln_place place;
} ln_event;

typedef struct ln_set {
    int event;
    ln_node target, value; /* leaf of a memory or of a state; what it becomes */
} ln_set;

typedef struct ln_period { /* a time that must come to more than zero */
    ln_node node;
    const char *what; /* "the period of sample" */
    int zero;         /* 1: or to zero */
} ln_period;

typedef struct ln_named {
    const char *name;
    ln_node node;
    const char *doc; /* what it is, for the reference; NULL: not said */
} ln_named;

typedef struct ln_equations {
    ln_arena *arena; /* holds the tables; the class lives as long */
    ln_graph *graph; /* owned; freed with ln_equations_free() */
    const char *name, *doc, *formula, *example;
    ln_place place;
    linnet_port *ports;
    size_t nports, ports_room;
    linnet_alias *aliases;
    size_t naliases, aliases_room; /* other names of parameters */
    linnet_param *params;
    size_t nparams, params_room; /* offset, rows, cols set */
    linnet_fixed *fixed;
    size_t nfixed, fixed_room; /* tables among them */
    ln_variable *variables;
    size_t nvariables, variables_room;
    ln_equation *equations;
    size_t nequations, equations_room;
    ln_condition *conditions;
    size_t nconditions, conditions_room;
    ln_named *lets;
    size_t nlets, lets_room;
    ln_memory *memories;
    size_t nmemories, memories_room;
    ln_event *events;
    size_t nevents, events_room;
    ln_set *sets;
    size_t nsets, sets_room;
    ln_period *periods;
    size_t nperiods, periods_room;
    int has_delay; /* 1: a delay() stands in them; set when compiled (delays.c) */
    int no_modes;  /* 1: conditionals stay as they stand, as if all stood in noevent() */
    int failed;    /* memory was short; stays set */
    /* A type that does in C what equations cannot say: `finish` changes functions of the class that
     * was just made, and `end` frees, with the equations, what `data` keeps outside of the arena.
     */
    void (*finish)(struct ln_equations *equations, linnet_block_class *class);
    void (*end)(void *data);
    void *data;
} ln_equations;

/* An empty type of that name (copied); NULL when memory is short. Owner: caller. */
ln_equations *ln_equations_new(const char *name);
void ln_equations_free(ln_equations *equations);

/* ---- for describers; each returns the leaf to use in expressions, LN_NONE when memory is short.
 * Strings are not copied and must live as long as the equations (constant, or in equations->arena).
 * Ports come before variables. ---- */
ln_node ln_add_port(ln_equations *equations, linnet_port port); /* its potential or signal */
ln_node ln_flux_of(ln_equations *equations, int port);          /* its flux */
/* Another name of the parameter of that name; both texts live as long as the equations. */
void ln_add_alias(ln_equations *equations, const char *name, const char *param);
/* its index; offset assigned here */
int ln_add_param(ln_equations *equations, linnet_param param);
/* A table of rows x cols that no user sees: its index. The values must live as long as the
 * equations. */
int ln_add_hidden(ln_equations *equations, const char *name, const double *values, int rows,
                  int cols);
/* item of its values, row by row */
ln_node ln_param_item(ln_equations *equations, int param, int item);
ln_node ln_add_variable(ln_equations *equations, linnet_var var, ln_node start,
                        const char *start_parameter);
ln_node ln_der(ln_equations *equations, ln_node of);
void ln_add_equation(ln_equations *equations, ln_node left, ln_node right);
void ln_add_written(ln_equations *equations, ln_equation equation); /* with text and place */
void ln_add_condition(ln_equations *equations, ln_condition condition);
void ln_add_let(ln_equations *equations, ln_named let);
ln_node ln_add_memory(ln_equations *equations, linnet_memory memory, ln_node start);
int ln_add_event(ln_equations *equations, ln_event event); /* its index */
void ln_add_period(ln_equations *equations, ln_period period);
void ln_add_set(ln_equations *equations, ln_set set); /* later ones win */
/* The node that holds from each time offset + k*period on (k = 0, 1, ...; not before the start)
 * until its counter has been set: a memory that ln_add_sample() makes, the number of the next
 * sample. With a clock (a signal; else LN_NONE) also from each change of the clock's count on until
 * `seen` has been set, and a period of 0 means the clock alone. An event that contains the node
 * must end it: ln_end_sample(). */
typedef struct ln_sample {
    ln_node condition, counter, next, seen, clock;
} ln_sample;
ln_sample ln_add_sample(ln_equations *equations, ln_node period, ln_node offset, ln_node clock);
void ln_end_sample(ln_equations *equations, const ln_sample *sample, int event);
int ln_equation_values(const ln_equations *equations); /* doubles of its parameters */

/* The class; tables in equations->arena. The ln_equations must outlive it. LINNET_MODEL: equations
 * and variables do not balance, or a start condition is not of the form x or x - y; reported. */
linnet_status ln_equations_class(ln_equations *equations, ln_report *report,
                                 const linnet_block_class **class);

/* Memories of a class: those of the type, LN_DELAY_MEMORIES for each delay, modes. */
enum { LN_DELAY_MEMORIES = 3 };

/* What a class is made from; NULL for a native class. */
const ln_equations *ln_class_equations(const linnet_block_class *class);

/* What an explicit method compiles: the residual of each row of an equation-defined class, over the
 * leaves of the *class* (UNKNOWN: local unknowns of the class in its final numbering, ports then
 * variables), with DER nodes. NULL for a native class. For ports: the flux expression (physical) or
 * output residual; NONE for inputs. */
typedef struct ln_residuals {
    const ln_graph *graph;
    const ln_node *row; /* nports + nvars; conditions are modes here, and delays memories */
    /* the same with conditions as they stand, no modes, and delays as DELAY nodes */
    const ln_node *live;
    const ln_node *lets;       /* nobserved */
    const ln_node *delays;     /* input and lag of each delay; of a rate LN_NONE for the lag */
    const ln_node *modes;      /* nmodes: what decides each, as it stands */
    const ln_node *guards;     /* nmodes: how far each is from changing while all stand still */
    const ln_node *conditions; /* nevents */
    const ln_breakpoint *breakpoints; /* conditions on time alone (ln_decide_time) */
    int nbreakpoints;
    /* What events set. pre() has become leaves behind all others: unknown k before the instant is
     * nports + nvars + k, memory k is nmemories + k. Set j is of event set_event[j] and concerns
     * memory set_memory[j], or where that is -1 the local unknown set_unknown[j]. */
    const ln_node *sets;
    int nsets;
    const int *set_event, *set_memory, *set_unknown;
} ln_residuals;
const ln_residuals *ln_class_residuals(const linnet_block_class *class);

#endif
