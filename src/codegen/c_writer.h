/* SPDX-License-Identifier: MIT */
/* Private to the C target: what its files share.
 *
 *     c_writer.c   text with names put in, leaves, functions whose locals are those they use
 *     c_header.c   NAME.h: structs and prototypes
 *     c_source.c   NAME.c: signals, rates, outputs, the public functions
 *     c_parts.c    outputs, start values, ranges, tables
 *     c_loop.c     algebraic loops by Newton's method
 *     c_hybrid.c   what happens at the boundary of a step
 *     c_step.c     the step of the method
 *     c_network.c  the code of a physical network
 *     c_network_step.c  its step
 *     c_agree.c    its signals and modes at an instant
 *     c_start.c    what it remembers, and its start
 *     c_newton.c   its Newton's method
 *     c_device.c   its devices
 *     c_delays.c     delayed signals
 *     c_change.c   how fast signals change
 *     c_exchange.c what another program needs that integrates the states itself
 *     c_readme.c   README.md
 *     c_files.c    Makefile, the libraries' descriptions, a program for trying
 *     carry.c      functions of Linnet that the code takes along */
#ifndef LN_CODEGEN_C_WRITER_H
#define LN_CODEGEN_C_WRITER_H

#include "codegen/codegen.h"
#include "codegen/network_plan.h"
#include "codegen/plan.h"
#include "expression/code.h"

/* What a function reads, as far as its text has been written. */
enum {
    LN_READS_TIME = 1,
    LN_READS_DECIDE = 2,
    LN_READS_INPUTS = 4,
    LN_READS_STATES = 8,
    LN_READS_SIGNALS = 16,
    LN_READS_MEMORIES = 32,
    LN_READS_PARAMETERS = 64,
    LN_READS_BEFORE = 128,
    LN_READS_STATES_BEFORE = 256,
    LN_READS_MEMORIES_BEFORE = 512,
    LN_READS_RATES = 1024,
    LN_READS_FLOWS = 2048,
    LN_READS_STORED = 4096,
    LN_READS_KNOWN = 8192,
    LN_READS_DELAY_LINES = 16384,
    LN_READS_PACE = 32768
};

/* Where the outputs of a program go: into "before" + the member of its target + "after", or,
 * without fields, into element number target. */
typedef struct ln_c_into {
    const char *before, *after;
    const ln_fields *fields;
    const ln_member *member; /* by target */
} ln_c_into;

typedef struct ln_c_writer {
    const ln_plan *plan;
    const ln_codegen_request *request;
    ln_text *out;             /* of the file at hand */
    const char *name, *upper; /* "pi_loop", "PI_LOOP" */
    const char *folder;
    const char *real; /* "double" or "float" */
    ln_language language;
    int stages;               /* of the method */
    int uses_time;            /* signals or outputs depend on time */
    int damps;                /* Crank-Nicolson begins with two halves of backward Euler */
    int is_wide;              /* in float: what a network's programs compute is double... */
    int widens, keeps_wide;   /* ...as in the part at hand; and its outputs stay double */
    unsigned reads;           /* LN_READS_... of the function at hand */
    const ln_plan_part *part; /* the part being written */
    ln_c_into into;           /* where its outputs go */
    const ln_plan_loop *loop; /* the loop being written */
    ln_code_cost cost;        /* of one evaluation of everything */
    ln_code_cost step;        /* of one step, events and iterations of loops left out */
    ln_code_cost iteration;   /* of one iteration of all loops, or of a network */
    ln_code_cost algebra;     /* of one iteration of the algebra of a network */
    ln_code_cost shorter;     /* of one iteration of a part of its step */
} ln_c_writer;

/* Plans and names what is asked for, ready to be written. The plan is to be freed in any case.
 * LINNET_MODEL, LINNET_USAGE: reported. */
linnet_status ln_c_prepare(const ln_codegen_request *request, ln_plan *plan, ln_c_writer *w,
                           ln_report *report);
/* What has been written. */
void ln_c_summarise(const ln_c_writer *w, ln_codegen_summary *out);

/* Appends text in which $N is the model's name, $U the same in capitals, $R the type of numbers, $K
 * that of what a network knows before it iterates, $X what ln_c_moved() says. */
void ln_c_add(const ln_c_writer *w, const char *text);
/* The same, in which @0, @1 and the like are numbers, @fabs( a function of the type of numbers. */
void ln_c_precise(const ln_c_writer *w, const char *text);
/* Appends a source to others that one compiler reads at once: without the lines that include what
 * stands before it. */
void ln_c_append(ln_text *all, const ln_text *source);
/* A number as a literal. */
void ln_c_number(const ln_c_writer *w, double value);
/* "signals->y", "states->x[2]": an unknown of the network. */
void ln_c_unknown(const ln_c_writer *w, ln_text *out, int unknown);
/* "signals.y": the same in a struct that holds them. */
void ln_c_owned(const ln_c_writer *w, ln_text *out, int unknown);
/* A leaf of the plan's programs as an operand; notes what it reads. */
void ln_c_leaf(void *context, ln_text *out, ln_leaf kind, int index);
void ln_c_table(void *context, ln_text *out, int first);
/* The statements of a program; indentation of four blanks. Sets w->reads. */
typedef struct ln_c_target {
    void (*assign)(void *context, ln_text *out, int output, const char *value);
    int (*name)(void *context, ln_text *out, int output); /* NULL: outputs have no names */
    int truth;                                            /* outputs are conditions */
    int ordered; /* they are handed over in their order: a later one may have the same place */
} ln_c_target;
void ln_c_program(ln_c_writer *w, const ln_program *program, const ln_c_target *target,
                  ln_text *body);
/* The statements of a part, whose outputs go to w->into and, where `named`, are read from there. */
void ln_c_part(ln_c_writer *w, const ln_plan_part *part, int named, ln_text *body);
/* Lines that make locals of what the body reads from `at`. */
void ln_c_locals(const ln_c_writer *w);
/* The signals or states of a part, assigned to members of `signals` or `rates`. */
void ln_c_signals(ln_c_writer *w, const ln_plan_part *part, ln_text *body);

/* "pi loop: made by linnet codegen (Linnet 0.1.0) from pi.xml; do not edit. Method rk4, step 0.01
 * s.": for comments. */
void ln_c_origin(const ln_c_writer *w);
/* The arguments of NAME_evaluate_algebraic() or NAME_derivatives(). */
void ln_c_arguments(const ln_c_writer *w, int algebraic);

/* How a call of generated code ends, in whatever language. The numbers are those of the code; what
 * is above LN_C_ENDED is a failure. */
#define LN_C_STATUS_LIST(X)                                                    \
    X(OK, "done")                                                              \
    X(ENDED, "the model ended itself, by an event that says so")               \
    X(FAILED, "an assertion of the model failed")                              \
    X(NOT_FINITE, "a signal or state is NaN or infinite")                      \
    X(NO_CONVERGENCE, "Newton's method found no solution near the last one")   \
    X(EVENTS_UNSETTLED, "events or conditions trigger each other without end") \
    X(OUT_OF_RANGE, "a parameter is outside of what its block allows")
#define LN_C_STATUS_ENUM(name, doc) LN_C_##name,
enum { LN_C_STATUS_LIST(LN_C_STATUS_ENUM) LN_C_STATUSES };
#undef LN_C_STATUS_ENUM
typedef struct ln_c_status {
    const char *name, *doc;
} ln_c_status;
extern const ln_c_status ln_c_statuses[LN_C_STATUSES];

/* Does NAME_evaluate() do something, before a step? Else signals belong to the last step's end. */
static inline int ln_c_evaluates(const ln_c_writer *w) {
    return w->plan->implicit == NULL || w->plan->implicit->is_hybrid;
}
/* NAME_init() has the step as an argument. */
static inline int ln_c_takes_step(const ln_c_writer *w) {
    return w->plan->implicit == NULL;
}

/* How many: of what stirs a solution to find its noise
 * (c_noise.c); of passes of modes, or of an event's round; of rounds at an instant (c_hybrid.c). */
enum { LN_NOISE_PROBES = 3, LN_MOST_PASSES = 100, LN_MOST_ROUNDS = 1000 };

/* c_delays.c: what a function reads of delayed signals; their struct; the functions that recall and
 * remember; their start; "    remember(...)" where a step begins. Nothing where nothing is delayed.
 */
void ln_c_recalled(void *context, ln_text *out, ln_op op, const char *lag, const char *number);
void ln_c_delay_lines_struct(const ln_c_writer *w);
void ln_c_recall(const ln_c_writer *w);
void ln_c_remember(ln_c_writer *w);
void ln_c_start_delay_lines(const ln_c_writer *w);
/* The same for at_t, at the model's time: delay_lines, and the steps since their last sample. */
void ln_c_ahead(const ln_c_writer *w);

/* c_change.c: the struct of signals whose rates are asked; the functions that keep it, before those
 * of boundaries. Nothing where no rate is asked. */
void ln_c_changes_struct(const ln_c_writer *w);
void ln_c_changes(ln_c_writer *w);

/* A function whose body is there: what that reads becomes locals between head and body. `unused`
 * are lines in front of the body, or NULL; the body is freed. */
void ln_c_function(ln_c_writer *w, const char *head, const char *unused, ln_text *body,
                   const char *end);
/* Adds `times` what has been printed between two states of w->cost. */
void ln_c_add_cost(ln_code_cost *sum, const ln_code_cost *now, const ln_code_cost *before,
                   long times);
/* "model->what.member = value;", unless the value is zero; of inputs, parameters, states and the
 * unknowns on which loops iterate. */
void ln_c_value(const ln_c_writer *w, const char *what, const ln_fields *fields, ln_member member,
                double value);
void ln_c_start_values(const ln_c_writer *w);
/* NAME_init() up to what is the target's own: step, time, inputs, parameters, memories,
 * delay_lines. */
void ln_c_begin_init(const ln_c_writer *w);
/* A function that tells whether parameters are in their ranges; a line that asks it and returns.
 * Nothing where no parameter has a range. */
void ln_c_ranges(ln_c_writer *w);
void ln_c_check_ranges(const ln_c_writer *w);
/* The condition itself: "parameters->x > 0.0 && ...". */
void ln_c_bounds(const ln_c_writer *w);
/* Lines of a function of parameters that end it where an assertion on them does not hold. */
void ln_c_asserts(ln_c_writer *w, ln_text *body);
void ln_c_outputs(ln_c_writer *w);
void ln_c_enable_states(const ln_c_writer *w);
void ln_c_tables(const ln_c_writer *w);
/* The absolute tolerance of an unknown of the code: a difference has that of what it is of. */
double ln_c_abstol(const ln_c_writer *w, int unknown);
/* A line for each signal of a set: first, its member, second, its member, third, its
 * member (NULL: neither), tolerance, that number of its absolute tolerance, end. */
typedef struct ln_signal_line {
    const char *first, *second, *third, *tolerance, *end;
} ln_signal_line;
void ln_c_for_signals(const ln_c_writer *w, const char *set, ln_signal_line line,
                      double of_tolerance);

/* The same without a number: first, its member, second, its member, end. */
void ln_c_for_each(const ln_c_writer *w, const char *set, const char *first, const char *second,
                   const char *end);

/* Of a physical network. */
void ln_c_network_source(ln_c_writer *w);
void ln_c_network_states(const ln_c_writer *w);
/* What stands behind the name of agree(): signals and modes of a network that agree with each
 * other. */
void ln_c_agree(const ln_c_writer *w);
/* jumps_at(): does something jump where a step begins? */
void ln_c_jumps(const ln_c_writer *w);
/* Does some event set a state? */
int ln_c_sets_states(const ln_plan *plan);
/* equations_stay(): does an instant leave the equations, and so the signals, as they were? */
void ln_c_stay(const ln_c_writer *w);
/* Newton's method on its programs. */
void ln_c_newton(const ln_c_writer *w);
/* Devices of a network: their equations' calls; nothing where there are none. */
void ln_c_devices(const ln_c_writer *w);
/* What a branch of one may carry beside what its tangent had promised. */
double ln_c_flow_tolerance(const ln_c_writer *w, const ln_branch *branch);
/* The struct whose members events set: "states" or, of a network, "signals". */
const char *ln_c_moved(const ln_c_writer *w);

/* The parts of NAME.h and NAME.c. */
void ln_c_header(ln_c_writer *w);
void ln_c_source(ln_c_writer *w);
void ln_c_loops(ln_c_writer *w);
void ln_c_memories(const ln_c_writer *w); /* their names */
void ln_c_hybrid(ln_c_writer *w);
void ln_c_step(ln_c_writer *w);
/* Can another program integrate the states? Where signals are delayed it would have to keep their
 * past. */
static inline int ln_c_exchanges(const ln_c_writer *w) {
    return w->request->exchange && w->plan->implicit == NULL && w->plan->ndelays == 0;
}
/* For model exchange: rates, indicators and time events apart from steps. */
void ln_c_exchange(ln_c_writer *w);
void ln_c_exchange_prototypes(const ln_c_writer *w);
/* The functions that the operations used need, static. */
void ln_c_carried(const ln_c_writer *w, ln_text *out);
/* The text of a source that Linnet carries, by its name without a folder. */
const char *ln_c_embedded(const char *name);
/* Other files. */
void ln_c_makefile(ln_c_writer *w);
void ln_c_readme(ln_c_writer *w);
void ln_c_library_json(ln_c_writer *w);
void ln_c_library_properties(ln_c_writer *w);
void ln_c_main(ln_c_writer *w);

#endif
