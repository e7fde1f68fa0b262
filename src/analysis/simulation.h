/* SPDX-License-Identifier: MIT */
/* The whole way: model -> network -> recorder -> system -> integrator -> sink.
 *
 * A simulation is everything between a model that was read and its trajectory. It is prepared once,
 * can be looked at
 * (`linnet check` stops here), and runs once. */
#ifndef LN_ANALYSIS_SIMULATION_H
#define LN_ANALYSIS_SIMULATION_H

#include "analysis/dense.h"
#include "analysis/measure.h"
#include "analysis/recorder.h"
#include "analysis/settings.h"
#include "integrate/integrate.h"
#include "result/sink.h"

typedef struct ln_simulation {
    const ln_model *model; /* borrowed */
    /* owned: the model read again with other parameters, then `model`; or NULL */
    ln_model *again;
    ln_report *report; /* borrowed */
    ln_network *network;
    ln_recorder *recorder;
    ln_measures *measures;    /* NULL: none */
    ln_system *system;        /* NULL until built */
    ln_settings settings;     /* stops may be set before the run */
    const char *method_why;   /* who chose the method */
    ln_statistics statistics; /* of the run, also while it goes on */
    long rows;                /* given to the sink */
    double seconds;           /* the run took, without preparing */
    ln_dense *dense;          /* what is recorded within steps; NULL: nothing */
    double *first;            /* n: the first point that was told; NULL: none yet, or it moved */
    double *peak;             /* n: largest |x| of points told so far (a sample); NULL: none was */
    int moved;                /* some later point differs from it by more than the tolerance */
    ln_side last;             /* of the last point */
    ln_sink *sink;
    /* where checkpoints go, and every how many s of simulated time; NULL: none */
    const char *checkpoint;
    double checkpoint_every;
    const double *step_to; /* the run pauses at this time, exactly; NULL: it does not */
    ln_pause pause;        /* with a state in it, the run goes on from there (checkpoint.h) */
} ln_simulation;

/* Who chooses what is recorded: adds columns to the recorder of a simulation whose network is
 * built. NULL, also in a choice, stands for the model's <record> elements, or every link if there
 * are none. */
typedef linnet_status ln_choose_record(void *context, ln_simulation *simulation);
typedef struct ln_record_choice {
    ln_choose_record *choose;
    void *context;
} ln_record_choice;

/* Builds the network, settings, recorder and system. All errors of a stage are reported, later
 * stages then do not run. need_settings 0: a model that does not say how to run is no error
 * (settings.method is then NULL). The simulation is the caller's in any case, to be freed; model
 * and report must outlive it, the record's choice need not. */
linnet_status ln_simulation_prepare(ln_simulation *simulation, const ln_model *model,
                                    const ln_request *request, int need_settings,
                                    const ln_record_choice *record, ln_report *report);
void ln_simulation_free(ln_simulation *simulation);

/* The model's origin with the method of the run behind it, for the head of a result; NULL when
 * nobody said, or memory is short. */
const char *ln_simulation_origin(const ln_simulation *simulation, ln_arena *arena);

/* (dense.c) Makes simulation->dense if the settings ask for rows within steps; a run does so by
 * itself, what goes on with one before it. LINNET_MEMORY is reported. */
linnet_status ln_simulation_make_dense(ln_simulation *simulation);

/* Runs into the sink, which is closed whatever happens. stop (may be NULL) is polled at every step
 * and ends the run with LINNET_INTERRUPTED when it returns nonzero. What was computed until then is
 * in the sink. */
linnet_status ln_simulation_run(ln_simulation *simulation, ln_sink *sink,
                                int (*stop)(void *context), void *context);

#endif
