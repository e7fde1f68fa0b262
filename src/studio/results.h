/* SPDX-License-Identifier: MIT */
/* The private folder in which the results of runs and sweeps stand while the studio serves: files
 * run-1.h5, folders sweep-2 with a table and a file for each case. The oldest go when there are too
 * many, and all of them at the end. */
#ifndef LN_STUDIO_RESULTS_H
#define LN_STUDIO_RESULTS_H

#include "base/arena.h"

typedef struct ln_text ln_text;

typedef struct ln_results ln_results;

typedef enum ln_result_kind { LN_RESULT_RUN, LN_RESULT_SWEEP } ln_result_kind;

/* Makes the folder, readable by its owner alone. NULL with errno. */
ln_results *ln_results_new(void);
/* Removes the folder with all in it. NULL allowed. */
void ln_results_free(ln_results *results);
/* Its path. */
const char *ln_results_folder(const ln_results *results);

/* The name of a new result, "run-3". */
void ln_results_next(ln_results *results, ln_result_kind kind, char name[32]);
/* Appends the path of a result that was given a name here: the file of a run, the folder of a
 * sweep. 0 for any other name. */
int ln_results_path(const ln_results *results, const char *name, ln_text *path);
/* Removes a result; a name that is none does no harm. */
void ln_results_drop(ln_results *results, const char *name);

#endif
