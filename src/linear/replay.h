/* SPDX-License-Identifier: MIT */
/* An elimination that KLU has done once, done again with other values of the same matrix: a fixed
 * list of operations.
 *
 * KLU's own refactorisation looks for the place of each number anew. Where factors are as sparse as
 * those of circuits (a few multiplications an entry) that search is most of the work. Here the
 * numbers of the factors stand in the order of their use, and each entry of the matrix and each
 * product of the elimination knows its place among them. Columns that do not wait for each other
 * are neighbours, so that a processor works on several at once. What is done to each number, and in
 * which order, is KLU's: all results agree with KLU's bit for bit. */
#ifndef LN_LINEAR_REPLAY_H
#define LN_LINEAR_REPLAY_H

#include "linear/factors.h"
#include "linear/linear.h"

typedef struct ln_replay ln_replay;

/* Are the factors so sparse that the list pays? */
int ln_replay_serves(const ln_factors *factors);
/* Room for the list of these factors of a matrix with this pattern, untouched until a build. NULL
 * when memory is short. Owner: caller. */
ln_replay *ln_replay_new(const ln_factors *factors, const ln_pattern *pattern);
void ln_replay_free(ln_replay *replay);
/* Makes the list, from the factors of ln_replay_new(). Allocates nothing. */
void ln_replay_build(ln_replay *replay, const ln_factors *factors, const ln_pattern *pattern);

/* The factors become those of the matrix with these values. *growth: the largest multiplier;
 * *doubtful: 1 when ln_factors_check() is to look whether pivots have cancelled. 0 when a pivot is
 * zero. */
int ln_replay_run(ln_replay *replay, const double *values, double *growth, int *doubtful);
/* b becomes x by the factors of the last run. */
void ln_replay_solve(ln_replay *replay, double *b);
/* Writes them into KLU's own, of which `factors` is a view. */
void ln_replay_copy(const ln_replay *replay, const ln_factors *factors);

#endif
