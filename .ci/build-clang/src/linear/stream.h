/* SPDX-License-Identifier: MIT */
/* Sparse factors copied for solving with them many times: rows in the order of use, in contiguous
 * arrays. */
#ifndef LN_LINEAR_STREAM_H
#define LN_LINEAR_STREAM_H

#include "linear/factors.h"

typedef struct ln_stream ln_stream;

/* Room for factors of this size, untouched until a build. NULL when memory is short. Owner: caller.
 */
ln_stream *ln_stream_new(const ln_factors *factors);
void ln_stream_free(ln_stream *stream);
/* Copies the factors; they must be those (but for values) of ln_stream_new(). Allocates nothing. */
void ln_stream_build(ln_stream *stream, const ln_factors *factors);
/* b becomes x. Only after a build. */
void ln_stream_solve(ln_stream *stream, double *b);

#endif
