/* SPDX-License-Identifier: MIT */
/* Generated code: a model as a self-contained library in C99 that computes it step by step. */
#ifndef LN_CODEGEN_CODEGEN_H
#define LN_CODEGEN_CODEGEN_H

#include "base/report.h"
#include "codegen/plan.h"
#include "integrate/integrate.h"

typedef struct ln_codegen_request {
    ln_network *network;         /* borrowed */
    ln_system *system;           /* of the network: for its start */
    const ln_settings *settings; /* method, step, begin, start */
    const char *name;   /* of files and functions: an identifier of C; NULL: from the model */
    const char *folder; /* where the files go; made if it is not there */
    const char *const *inputs;
    int ninputs; /* signals that the caller supplies */
    const ln_codegen_output *outputs;
    int noutputs; /* what is recorded */
    int is_float, with_main, tunable, python;
    int all_signals; /* of a network: those, too, on which nothing depends */
    int exchange;    /* also what a program needs that integrates the states itself */
} ln_codegen_request;

/* What was generated. */
typedef struct ln_codegen_summary {
    char name[128];
    int states, signals, memories, inputs, outputs, parameters, loops, events;
    /* of one step, without events and without iterations */
    long operations, calls;
    /* the most that a loop takes, or a step of a network by Newton's method with its probes for
     * noise; of one iteration of all loops or of the network; the most a device is evaluated */
    int iterations;
    long iteration_operations, iteration_calls;
    int devices, evaluations;
    /* where a step may be divided: how many parts of it are tried at most, in so many iterations
     * and evaluations of each device, and what an iteration takes; 0: it is not */
    int tries, try_iterations, try_evaluations;
    long try_operations, try_calls;
    /* of a diagram: how many times more the rates are computed at most, where branches have no
     * value; 0: there are none */
    int stages;
    /* what happens at an instant between steps: how many times, at most, signals are computed, or
     * the algebra of a network is solved, in so many iterations, and what one takes; 0: nothing
     * happens, or no network */
    double solutions;
    int solution_iterations;
    long algebra_operations, algebra_calls;
    int is_wide;       /* code in float computes its network in double */
    int at_boundaries; /* events, samples or conditions on time act at boundaries of steps */
} ln_codegen_summary;

/* What the code costs, in a sentence without its full stop. */
void ln_codegen_tell_cost(const ln_codegen_summary *made, ln_text *out);

/* Writes the files. LINNET_MODEL, LINNET_USAGE, LINNET_IO: reported. */
linnet_status ln_codegen(const ln_codegen_request *request, ln_codegen_summary *summary,
                         ln_report *report);

#endif
