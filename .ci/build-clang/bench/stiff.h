/* SPDX-License-Identifier: MIT */
/* Stiff problems for `make bench-stiff`: what SUNDIALS IDA is given directly, what counts, and the
 * figures of others. */
#ifndef BENCH_STIFF_H
#define BENCH_STIFF_H

enum { TOLERANCES = 3, OTHERS = 2 }; /* 1e-4, 1e-7, 1e-10; RADAU5 and MEBDFI */

/* scd, steps, evaluations, factorisations, milliseconds. steps 0: it failed. */
typedef struct anchor {
    double scd;
    long steps, evaluations, factored;
    double ms;
} anchor;

/* One component that is scored: as a signal of the model, as an unknown of the plain equations, and
 * its end value. */
typedef struct scored {
    const char *signal;
    int unknown;
    double value;
} scored;

/* 0 = r(t, x, x') in plain C, as its author would write it for IDA. Returns 0, or 1 where it has no
 * value. */
typedef int residual_function(double t, const double *x, const double *rate, double *r);
/* J = dr/dx + c dr/dx', dense by columns (n x n), zeroed before. NULL: left to IDA's difference
 * quotients. */
typedef void jacobian_function(double t, double c, const double *x, double *j);

typedef struct problem {
    const char *name, *model, *judged; /* judged: the signals the notes' tolerances are about */
    int n;
    double end, absolute; /* s; absolute tolerance over the relative one */
    void (*start)(double *x, double *rate);
    residual_function *residual;
    jacobian_function *jacobian;
    int nscored;
    const scored *scored;
    /* RADAU5, MEBDFI: one core of an AMD EPYC, gcc -O2; f of difference quotients counted */
    anchor other[TOLERANCES][OTHERS];
} problem;

extern const problem problems[];
extern const int nproblems;

#endif
