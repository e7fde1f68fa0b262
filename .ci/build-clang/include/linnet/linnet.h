/* SPDX-License-Identifier: MIT */
/* Linnet as a library: load a model, change it, run it, read its signals.
 *
 *     linnet_model *model = linnet_model_new();
 *     linnet_result *result = NULL;
 *     if (linnet_load(model, "rectifier.xml") == LINNET_OK && linnet_set(model, "load", "2 kOhm")
 * == LINNET_OK && linnet_run_memory(model, NULL, &result) == LINNET_OK) { const double *t =
 * linnet_result_time(result), *v = linnet_result_signal(result, "out"); for (size_t i = 0; i <
 * linnet_result_rows(result); i++) printf("%g %g\n", t[i], v[i]);
 *     }
 *     for (int i = 0; i < linnet_diagnostic_count(model); i++) puts(linnet_diagnostic_at(model,
 * i)->text); linnet_result_free(result); linnet_model_free(model);
 *
 * Units: every number that goes in or out is in SI units, time in seconds. Texts that stand for
 * numbers are expressions as in a model, with units: "10 us", "4.7 kOhm", "2*load". Ownership:
 * strings and arrays handed in are copied, except a registered class; what is handed out belongs to
 * the object it was asked from and lives until that object is freed, unless a shorter time is said.
 * Errors: a call that can fail returns a status (linnet/status.h). What went wrong with which
 * block, where, and what to do about it is in the diagnostics of the model. Nothing is printed,
 * nothing aborts, the process is never ended. Threads: a model and its results belong to one thread
 * at a time; different models may be used in different threads at once. No call changes the locale,
 * signal handlers or the working directory. */
#ifndef LINNET_LINNET_H
#define LINNET_LINNET_H

#include <linnet/block.h>
#include <linnet/status.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library, "0.1.0". Static storage. */
const char *linnet_version(void);

/* ---- models ---- */

typedef struct linnet_model linnet_model;

/* A model with nothing in it yet. NULL only when memory is short. Owner: the caller, until
 * linnet_model_free(). */
linnet_model *linnet_model_new(void);
/* Frees a model. NULL is allowed. Results stay valid. */
void linnet_model_free(linnet_model *model);

/* Allows <include> and reference files to be read from this folder too, beside the model's own and
 * the library. Before loading. LINNET_MEMORY. */
linnet_status linnet_allow_folder(linnet_model *model, const char *folder);

/* Adds a native block type (linnet/block.h), which a model then names like a built-in one. The
 * class and all it points to must stay as they are until the model is freed. Before linnet_check()
 * and the runs. LINNET_USAGE: its tables are wrong, or the name is registered already;
 * LINNET_MEMORY. That it bears the name of a built-in type is found out when the model is checked
 * or run. */
linnet_status linnet_register(linnet_model *model, const linnet_block_class *type);

/* Reads a model from a file, and the files it includes. A model object is loaded once: LINNET_USAGE
 * otherwise. LINNET_IO: a file cannot be read; LINNET_MODEL: it is no valid model; LINNET_MEMORY.
 * All errors of the file are in the diagnostics, not the first only. */
linnet_status linnet_load(linnet_model *model, const char *path);
/* The same from `length` bytes of text; `name` stands for the file in messages, and its folder, if
 * it has one, is where includes are looked for. */
linnet_status linnet_load_text(linnet_model *model, const char *name, const char *text,
                               size_t length);

/* Sets a parameter of the model ("load") or of a block in it ("R1.R", "motor.R1.R") for the runs
 * that follow, in place of what the model says. value: an expression, in which the model's
 * parameters may be named; NULL: what the model says again. Whether there is such a parameter is
 * checked when the model is checked or run (LINNET_USAGE then). Here LINNET_MEMORY only. */
linnet_status linnet_set(linnet_model *model, const char *name, const char *value);

/* Sets how to run, in place of the attribute of the same name of <simulation>: "method", "step",
 * "tolerance", "duration", "start-time", "start", "interval", "event-limit", "ticks"; also
 * "linear-solver": "auto", "dense" or "sparse". A step or a tolerance replaces both of the model.
 * value NULL: what the model says again. LINNET_USAGE: there is no such option; LINNET_MEMORY. The
 * value is checked when the model is checked or run. */
linnet_status linnet_option(linnet_model *model, const char *name, const char *value);

/* Records these signals, in place of what the model's <record> elements say: names and patterns
 * separated by blanks or commas, "out R1.i C1.*". Calls add up; NULL: what the model says again.
 * LINNET_MEMORY. */
linnet_status linnet_record(linnet_model *model, const char *signals);

/* ---- runs ---- */

/* A recorded signal. unit: SI unit, "" when it has none or is not known. */
typedef struct linnet_signal {
    const char *name;
    const char *unit;
} linnet_signal;

/* Who watches a run. Zero-initialise; a NULL function means there is nothing to do. A function that
 * returns nonzero ends the run with LINNET_INTERRUPTED; what was computed until then is kept.
 * Functions are called in the thread of the run and must not use the model. */
typedef struct linnet_watch {
    void *context; /* passed on to each function */
    /* Once, before the first point: `count` signals, valid until the run ends. */
    int (*begin)(void *context, int count, const linnet_signal *signals);
    /* Each recorded instant, in order, the start included: t in s and `count` values in SI units.
     * The same t twice is a discontinuity, before and after. values is valid during the call. */
    int (*point)(void *context, double t, const double *values);
    /* At every step, recorded or not: for showing progress and for stopping. t: about where the run
     * is. */
    int (*step)(void *context, double t);
} linnet_watch;

/* Does everything up to the first step: flattens the model, joins its links, checks units, ranges,
 * structure, settings and signals. LINNET_MODEL; LINNET_USAGE: what was set does not fit;
 * LINNET_MEMORY. */
linnet_status linnet_check(linnet_model *model);

/* Runs the model and tells the watcher. A model may be run any number of times, changed in between;
 * each run starts anew. LINNET_MODEL, LINNET_USAGE: as linnet_check(); LINNET_FAILED: the numbers
 * failed, see the diagnostics; LINNET_INTERRUPTED: a watcher's function said so; LINNET_MEMORY. */
linnet_status linnet_run(linnet_model *model, const linnet_watch *watch);
/* Runs into a CSV file: first column `time`, then one a signal; "-" is the standard output; or,
 * where path ends in .raw, .mat or .h5, into a SPICE rawfile, a MATLAB or an HDF5 file. watch may
 * be NULL. LINNET_USAGE: another ending; LINNET_IO: the file cannot be written. The file is kept,
 * complete or not. */
linnet_status linnet_run_file(linnet_model *model, const char *path, const linnet_watch *watch);

typedef struct linnet_result linnet_result;
/* Runs into memory. watch may be NULL. *result is the caller's, until linnet_result_free(); also
 * after LINNET_FAILED and LINNET_INTERRUPTED it holds what was computed. NULL when it came to
 * nothing. */
linnet_status linnet_run_memory(linnet_model *model, const linnet_watch *watch,
                                linnet_result **result);

/* What the last run took. Valid after any run, failed ones too. */
typedef struct linnet_statistics {
    const char *method; /* "tr-bdf2"; NULL before the first run */
    int blocks, links;
    /* unknowns of the system; independent states; blocks that need Newton */
    int unknowns, states, nonlinear;
    long steps, rejected; /* accepted; tried again shorter */
    long newton;          /* iterations */
    /* factorisations with new pivots, with known pivots; solutions; of radau5's two matrices, one
     * real and one complex, together */
    long factored, refactored, solved;
    long evaluations;         /* of the residual; explicit methods: of the right-hand side */
    long points;              /* recorded instants */
    double t;                 /* time reached, s */
    double smallest, largest; /* step, s */
    double seconds;           /* the run took */
} linnet_statistics;
linnet_statistics linnet_last_run(const linnet_model *model);

/* ---- results ---- */

/* Numbers of recorded instants and of signals (time is not among them). */
size_t linnet_result_rows(const linnet_result *result);
int linnet_result_count(const linnet_result *result);
/* Name and unit of signal `index`, 0-based; NULL strings when there is none. */
linnet_signal linnet_result_name(const linnet_result *result, int index);
/* Index of a signal by the name that was asked for, or -1. */
int linnet_result_find(const linnet_result *result, const char *name);
/* The times, in s: linnet_result_rows() values that never fall. NULL when there are none. */
const double *linnet_result_time(const linnet_result *result);
/* The values of signal `index`, SI units, one a time; NULL when there is no such signal. */
const double *linnet_result_values(const linnet_result *result, int index);
/* The same by name. */
const double *linnet_result_signal(const linnet_result *result, const char *name);
/* Value of signal `index` at time t by linear interpolation, after the jump where there is one; NAN
 * outside the run. */
double linnet_result_at(const linnet_result *result, int index, double t);
/* NULL is allowed. */
void linnet_result_free(linnet_result *result);

/* ---- diagnostics ---- */

typedef enum linnet_severity { LINNET_NOTE, LINNET_WARNING, LINNET_ERROR } linnet_severity;

typedef struct linnet_diagnostic {
    linnet_severity severity;
    const char *text; /* whole: "m.xml:3: error: R1 (resistor): ...; what to do" */
    const char *file; /* "m.xml", or NULL */
    int line;         /* from 1; 0: unknown */
    int column;       /* byte within the attribute's expression, from 1; 0: unknown */
} linnet_diagnostic;

/* What the last call of linnet_load(), linnet_check(), linnet_register() or a run had to say (at
 * most 50 messages, then a count). The messages live until the next such call. */
int linnet_diagnostic_count(const linnet_model *model);
/* 0-based; NULL when there is none. */
const linnet_diagnostic *linnet_diagnostic_at(const linnet_model *model, int index);

#ifdef __cplusplus
}
#endif

#endif
