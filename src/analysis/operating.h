/* SPDX-License-Identifier: MIT */
/* The operating point of a model, by block and link, and as the start of a run. */
#ifndef LN_ANALYSIS_OPERATING_H
#define LN_ANALYSIS_OPERATING_H

#include "analysis/simulation.h"
#include "integrate/operating_point.h"

/* A written start value that the operating point overruled, or a start condition that it left free.
 */
typedef struct ln_start_note {
    const ln_instance *block; /* or, NULL, of the link */
    const ln_link *link;
    const char *name, *unit; /* unit "" when it has none */
    double wanted, found;
} ln_start_note;

typedef struct ln_operating {
    ln_simulation simulation; /* owned */
    ln_arena *arena;          /* owned: what follows */
    double *x;                /* n */
    ln_operating_point point;
    /* every link, then every quantity of every block, by name */
    const ln_column *columns;
    int ncolumns;
    /* how many of them are links; a column behind those that no block owns is another name of a
     * link */
    int nlinks;
    const double *values;
    const int *owner; /* per column: the instance whose quantity it is; -1: a link */
    ln_start_note *dropped, *kept;
    int ndropped, nkept;
    int ndefaults; /* start values of the types themselves, not written, that were overruled */
} ln_operating;

/* A ln_choose_record: every link, then everything else that has a name. */
linnet_status ln_operating_record(void *context, ln_simulation *simulation);
/* Prepares the model, to be observed at a point. The result is the caller's in any case, to be
 * freed; model and report must outlive it. */
linnet_status ln_operating_prepare(ln_operating *op, const ln_model *model,
                                   const ln_request *request, ln_report *report);
/* Finds the operating point, at the start time. Failures are reported. */
linnet_status ln_operating_find(ln_operating *op);
/* Fills columns, values and notes from op->x and op->point. */
linnet_status ln_operating_observe(ln_operating *op);
void ln_operating_free(ln_operating *op);

/* Makes the last row of a result or operating point (CSV) the start of a prepared simulation's run:
 * potentials, signals and states as the file says; what it does not tell of states starts as the
 * model says, with a warning. A name the model does not have is an error with the nearest one
 * (LINNET_MODEL). What is set lives in the arena. */
linnet_status ln_start_from(ln_simulation *simulation, const char *path, ln_arena *arena);

#endif
