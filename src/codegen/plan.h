/* SPDX-License-Identifier: MIT */
/* What is to be generated, whatever the language: a plain block diagram as structs and programs.
 *
 * The diagram compiler (system/diagram.h) has expressed every unknown by states, memories, time and
 * inputs. Here they become members of structs and programs that compute some members from others:
 *
 *     needed      the signals on which rates of states depend, from states
 *     rest        all other signals, from states and the signals before
 *     rates       the rates of the states, from states and signals
 *     outputs     what the model records, from states, signals and memories
 *     loops       residuals and slopes of algebraic loops, on which Newton's method iterates
 *     modes, conditions, act    what is decided at the boundary of a step
 *
 * Leaves of all programs. UNKNOWN: a state k is k, the signal of unknown u of the network is
 * ln_plan_signal(plan, u), and the same before the instant is ln_plan_before(plan, u); MEMORY: as
 * in the network, those before the instant behind all others; PARAMETER: tunable ones by their
 * place in diagram.parameters, inputs from ln_plan_first_input(plan) on. */
#ifndef LN_CODEGEN_PLAN_H
#define LN_CODEGEN_PLAN_H

#include "codegen/names.h"
#include "system/diagram.h"
#include "system/system.h"
#include "blocks/equations.h"

/* Something recorded: a quantity by its name, or an expression of quantities. */
typedef struct ln_codegen_output {
    const char *name, *unit; /* unit: NULL or "": none, or none that is known */
    ln_quantity quantity;    /* by whatever name it is recorded */
    const ln_graph *graph;   /* of the expression; NULL: the quantity */
    ln_node node;
    const ln_quantity *inputs; /* what its UNKNOWN leaves stand for */
} ln_codegen_output;

/* What is asked for. */
typedef struct ln_plan_request {
    const char *const *inputs;
    int ninputs; /* signals that the caller of the code supplies */
    const ln_codegen_output *outputs;
    int noutputs; /* names of quantities */
    int tunable;  /* parameters of blocks become members of a struct */
    int exchange; /* another program integrates: guards and breakpoints are wanted */
    double step;  /* s */
} ln_plan_request;

/* Something that a program computes: which unknown, output or memory output k of the program is. */
typedef struct ln_plan_part {
    const ln_program *program; /* NULL: there is nothing */
    const int *target;         /* per output of the program */
} ln_plan_part;

typedef struct ln_plan_loop {
    const ln_node *nodes;      /* of the program, in plan->graph */
    const ln_program *program; /* count residuals, then count x count slopes by columns */
    int count;
    const int *unknown; /* of the network */
    const double *nominal;
    int affine, for_rates;
    const char *members;
    ln_place place;
} ln_plan_loop;

/* What an event sets: the memory or the unknown (a state) becomes output k of `act`. */
typedef struct ln_plan_set {
    int event, memory, unknown;
} ln_plan_set;

typedef struct ln_plan_event {
    const linnet_event *event;
    const ln_instance *block;
} ln_plan_event;

/* A condition on time alone: scale and shift are outputs 2k and 2k+1 of `breakpoints`. */
typedef struct ln_plan_breakpoint {
    ln_breakpoint_kind kind;
    int table, points; /* among diagram.parameters */
} ln_plan_breakpoint;

typedef struct ln_plan_parameter {
    ln_member member;
    const linnet_param *param;
    int place;
    double value;
} ln_plan_parameter;

/* A delayed signal: its samples, one a step, stand in a ring. */
typedef struct ln_plan_delay {
    int instance, number; /* of the network; of the instance */
    int first, size;      /* of the ring, among all samples */
    int varies;           /* the time of the delay does */
    int is_rate;          /* nothing comes back: how fast the signal changes is asked */
    double before, begin; /* the signal before the start, and there */
} ln_plan_delay;

/* Whether an enabled component or block is on: all its enables and those around it above one half.
 */
typedef struct ln_plan_enable {
    ln_member member;
    const int *unknown; /* of the enabling signals */
    int count;
} ln_plan_enable;

enum { LN_PLAN_STRUCTS = 7 };

/* What values something has: 0 and 1, whole numbers, any; and whether at any time or from one event
 * to the next. */
typedef enum ln_plan_kind { LN_PLAN_TRUTH, LN_PLAN_WHOLE, LN_PLAN_REAL } ln_plan_kind;
typedef struct ln_plan_nature {
    unsigned char kind, moves; /* moves: it changes also between events */
} ln_plan_nature;

typedef struct ln_plan {
    ln_network *network; /* borrowed */
    ln_report *report;
    ln_arena *arena;
    ln_diagram diagram;
    ln_graph *graph; /* of all programs */
    ln_fields inputs, outputs, signals, states, parameters, memories, enable_states;
    const int *input_unknown;
    ln_member *input;
    double *input_value;
    int ninputs;
    ln_member *member; /* per unknown of the network: in `states` or in `signals` */
    int *state_of;     /* per unknown: its number among the states, or -1 */
    ln_member *output;
    const ln_codegen_output *recorded;
    int noutputs;
    ln_plan_parameter *parameter;
    int nparameters;
    const char *fixed; /* per instance: its parameters stay constants; NULL: those of none */
    ln_member *memory;
    int nmemories;
    ln_plan_enable *enable;
    int nenables;
    ln_plan_part needed, rest, rates, observed;
    ln_plan_loop *loops;
    int nloops;
    ln_plan_part modes, conditions, act; /* targets: memories; events; index into `sets` */
    ln_plan_event *events;
    int nevents;
    ln_plan_set *sets;
    int nmodes;
    /* of a physical network: assertions on parameters alone, which hold where the condition does
     * not; targets: index into `asserted` */
    ln_plan_part asserts;
    ln_plan_event *asserted;
    /* the nodes of graph from which programs were made: of signals (NULL: of a network), what
     * events set, modes, outputs */
    const ln_node *value, *set_node, *mode_node, *output_node;
    ln_plan_part guards, breakpoints; /* for model exchange; targets: numbers */
    ln_plan_breakpoint *breakpoint;
    int nbreakpoints;
    ln_plan_delay *delays;
    int ndelays, delay_samples; /* samples of all */
    int nlines, nchanges;    /* of these: those that delay, and rates, which are numbered apart */
    int *change_memory;      /* per rate: the memory that holds it */
    ln_plan_part remembered; /* inputs of delays; targets: their numbers */
    ln_plan_part changing;   /* signals whose rates are asked; the same of rates */
    ln_delay_nodes delay_nodes;  /* in graph */
    char *near;                  /* per delay: it may lie within the step at hand */
    const ln_residuals **native; /* per instance: rows of a native type that delays or is linear */
    ln_graph *natives;           /* of those */
    int reads_before;            /* something reads signals as they were before the instant */
    int reads_time;              /* something reads the time */
    struct ln_network_plan *implicit; /* of a physical network; NULL: a plain diagram */
    int solved; /* the start satisfies the equations; else it holds values that were given */
    double *start, *start_memory; /* per unknown, per memory; filled by the caller */
} ln_plan;

/* The plan of a network. LINNET_MODEL, reported by name and place: something that generated code
 * cannot carry. The plan is to be freed in any case. */
linnet_status ln_plan_make(ln_plan *plan, ln_network *network, const ln_plan_request *request,
                           ln_report *report);
void ln_plan_free(ln_plan *plan);

static inline int ln_plan_signal(const ln_plan *plan, int unknown) {
    return plan->diagram.nstates + unknown;
}
static inline int ln_plan_before(const ln_plan *plan, int unknown) {
    return plan->diagram.nstates + plan->diagram.n + unknown;
}
static inline int ln_plan_first_input(const ln_plan *plan) {
    return plan->diagram.nparameters;
}

/* A native type whose rows are constant entries alone. */
static inline int ln_plan_is_linear(const linnet_block_class *type) {
    return type->linear != NULL && type->eval == NULL && type->source == NULL;
}

/* The same in parts, for a physical network, whose programs network_plan.h makes between them from
 * the start: members and the start's room; outputs; parameters. */
linnet_status ln_plan_begin(ln_plan *plan, ln_network *network, const ln_plan_request *request,
                            ln_report *report);
linnet_status ln_plan_outputs(ln_plan *plan, const ln_plan_request *request);
linnet_status ln_plan_end(ln_plan *plan);

/* ---- for the files of this room ---- */

/* plan_members.c: members of unknowns, inputs, memories, and, once all programs are there, of the
 * parameters that they read. LINNET_MEMORY is reported. */
linnet_status ln_plan_add_unknowns(ln_plan *plan);
linnet_status ln_plan_add_inputs(ln_plan *plan);
linnet_status ln_plan_add_memories(ln_plan *plan);
linnet_status ln_plan_find_parameters(ln_plan *plan);
/* All programs of the plan, of which some are NULL. */
int ln_plan_nprograms(const ln_plan *plan);
const ln_program *ln_plan_program(const ln_plan *plan, int k);
/* Of enabled components, whose names the enables of their blocks bear. LINNET_MEMORY is reported.
 */
linnet_status ln_plan_add_enables(ln_plan *plan);
/* What stands in the comment of a member: "gain g, model.xml:12". Parts may be NULL. */
const char *ln_plan_about(ln_plan *plan, const ln_instance *block, ln_place place);
/* For ln_diagram.tunes: may the value at this offset stay open? */
int ln_plan_tunes(const void *plan, int instance, int offset);
/* plan_hybrid.c: modes, conditions, act, events, sets. */
linnet_status ln_plan_hybrid(ln_plan *plan);
/* guards, breakpoints. */
linnet_status ln_plan_exchange(ln_plan *plan);
/* plan_delays.c: all delays, before anything is compiled; their bounds, from a start x, and the
 * code's step: LINNET_MODEL, reported: a delay that is unbounded or takes too many steps; their
 * inputs. */
linnet_status ln_plan_find_delays(ln_plan *plan, double step);
linnet_status ln_plan_size_delays(ln_plan *plan, const ln_system *system, ln_side side,
                                  const double *x, double step);
linnet_status ln_plan_delay_inputs(ln_plan *plan);
/* plan_nature.c: of each output, once the start is there; in the plan's arena. NULL: memory is
 * short. */
ln_plan_nature *ln_plan_natures(const ln_plan *plan);
/* Values at the start in the place of recalled values, when nothing of a signal comes through;
 * is_near: as in a step whose end takes part. */
linnet_status ln_plan_delays_at_start(ln_plan *plan, int is_near, ln_node *nodes, int count);
/* A part of `count` nodes of plan->graph; nothing when there is none. LINNET_MEMORY is reported. */
linnet_status ln_plan_compile(ln_plan *plan, const ln_node *nodes, const int *target, int count,
                              ln_plan_part *part);
/* The node of a class's graph in plan->graph, for one instance: local unknowns become states and
 * signals. `count` nodes at once. LINNET_MEMORY is reported. */
linnet_status ln_plan_copy(ln_plan *plan, int instance, const ln_graph *from, ln_node *nodes,
                           int count);

#endif
