/* SPDX-License-Identifier: MIT */
/* What is recorded: names and expressions asked for become columns, and columns become numbers at
 * every point.
 *
 * Order of use: new; add...; ready (before the system is built: a stored flux becomes an unknown);
 * columns; then observe at each accepted point. A column bears the name that was asked for. Values
 * are SI, except an expression whose unit is asked for with a prefix ("mW", "degC"). */
#ifndef LN_ANALYSIS_RECORDER_H
#define LN_ANALYSIS_RECORDER_H

#include "network/network.h"
#include "result/sink.h"
#include "system/system.h"

typedef struct ln_graph ln_graph;
typedef int ln_node; /* expression/graph.h */

typedef struct ln_recorder ln_recorder;

/* Owner: caller. network and report are borrowed. NULL when memory is short (reported). */
ln_recorder *ln_recorder_new(ln_network *network, ln_report *report);
void ln_recorder_free(ln_recorder *recorder);

/* Adds what a list of names and patterns ("out R1.*, C1.i") means. A name that is recorded already
 * is not repeated. A name that means nothing, or a pattern without a match, is an error that tells
 * what there is. */
linnet_status ln_recorder_add(ln_recorder *recorder, const char *names, ln_place place);
/* Adds a column computed from t, parameters and everything that has a name. unit: NULL: the SI unit
 * that follows. */
linnet_status ln_recorder_add_expression(ln_recorder *recorder, const char *name,
                                         const char *expression, const char *unit, ln_place place);
/* Adds a column that is above 0 exactly where a condition holds, and passes 0 where it changes. */
linnet_status ln_recorder_add_condition(ln_recorder *recorder, const char *name,
                                        const char *condition, ln_place place);
/* Adds what the model's <record> elements ask for; nothing when it has none. */
linnet_status ln_recorder_add_records(ln_recorder *recorder);
/* Adds every link, except those held at zero. */
linnet_status ln_recorder_add_links(ln_recorder *recorder);
/* Adds what a run records when nobody says: every link, the states of blocks whose type the model
 * itself defines; where that is nothing, the states of all blocks; where there are none, all that
 * has a name. */
linnet_status ln_recorder_add_default(ln_recorder *recorder);
/* The column of that name, added if it is not there; -1 after an error. */
int ln_recorder_column(ln_recorder *recorder, const char *name, ln_place place);

/* What a column is that is no expression. */
const ln_quantity *ln_recorder_quantity(const ln_recorder *recorder, int index);
/* A column that is an expression: its node in *graph, whose unknowns are the quantities of *inputs.
 * LN_NONE of any other, which is the quantity of its name. After the columns are added. */
ln_node ln_recorder_expression(const ln_recorder *recorder, int column, const ln_graph **graph,
                               const ln_quantity **inputs);

/* Compiles the expressions, and makes recorded fluxes that store unknowns of the network. */
linnet_status ln_recorder_ready(ln_recorder *recorder);
/* The columns; they live as long as the recorder. After ready only. */
const ln_column *ln_recorder_columns(const ln_recorder *recorder, int *count);
/* The columns' values at a point; valid until the next call. Allocates nothing. */
const double *ln_recorder_observe(ln_recorder *recorder, ln_system *system, ln_side side,
                                  const double *x);

/* What expressions decide (comparisons, whole numbers) at the point last observed, into decision[]
 * unless it is NULL; returns how much. After ready. */
int ln_recorder_decisions(const ln_recorder *recorder, double *decision);
/* Which of them a column comes from: own[], 1 or 0. LINNET_MEMORY, not reported. */
linnet_status ln_recorder_own_decisions(const ln_recorder *recorder, int column, char *own);

/* Marks the columns that are held between events; before the columns are looked at. LINNET_MEMORY
 * is reported. */
linnet_status ln_recorder_mark_held(ln_recorder *recorder, ln_system *system);
/* Per column, what is noise rather than signal: the absolute tolerance of its unit (at the default
 * relative one of 1e-4), 0 where it has none. In the arena; NULL when memory is short. */
const double *ln_recorder_noise(const ln_recorder *recorder, ln_arena *arena);

/* 1 unless the values last observed, at t, are those of the call before at the same t: an event
 * that changes nothing that is recorded is no second point. Once per observation. */
int ln_recorder_is_new(ln_recorder *recorder, double t);

#endif
