/* SPDX-License-Identifier: MIT */
/* From the updates of an iteration to a verdict: the rate between updates, what it leaves of the
 * error, and what of an update is rounding, estimated by probes through the factorisation. */
#include "linear/convergence.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A rate from which on the updates no longer fall. RADAU5 has 0.99; an iteration at 0.9 needs 22
 * updates for a digit, and none of the owners grants so many. */
static const double STALLING = 0.9;
/* A rate at which an iteration runs away. Between the two it may be noise. */
static const double RUNNING = 2;
const double ln_convergence_worst = 1e3;

/* HALF_OMEGA_MARGIN: safety factor, since omega/2 is a maximum over unknowns and another may lead
 * next time. An iteration that converges at its first update enlarges the estimate of omega/2
 * instead of measuring it: twofold at first, by 1 + 1/(k + 1) after k measurements in a row that
 * found no more than HALF_OMEGA_MARGIN times the one before, and by LEAST_GROWTH at least: only an
 * omega/2 that has grown unnoticed is a surprise. A measured rate counts as LEAST_RATE at least, so
 * that omega/2 is measured again after some iterations. */
static const double HALF_OMEGA_MARGIN = 2, LEAST_GROWTH = 0.1, LEAST_RATE = 1e-5;
/* HALF_OMEGA_FADES: a new estimate of omega/2 is at least this part of the old one, since a single
 * small quotient may be coincidence; where the measurement agrees with the one before within
 * HALF_OMEGA_MARGIN, of that one. */
static const double HALF_OMEGA_FADES = 0.3;
/* REUSE_LEAVES: what a second use of a factorisation may be expected to leave. Where it leaves more
 * than 1, another evaluation is due, which costs several times what was saved. */
static const double REUSE_LEAVES = 0.1;
/* MOST_LENGTH_RATIO: an estimate of omega/2 serves updates up to so many times longer than the one
 * it was measured on; a longer one may turn a device on. */
static const double MOST_LENGTH_RATIO = 4;

/* Probes of the noise, and what their largest is multiplied by. Each probe is a sum of independent
 * roundings. All three are below a third of its deviation in one unknown of fifty; an update may be
 * three deviations. */
enum { PROBES = 3 };
static const double MARGIN = 10;

linnet_status ln_convergence_init(ln_convergence *judge, ln_arena *arena, int n) {
    *judge = (ln_convergence){.n = n};
    if (n == 0)
        return LINNET_OK;
    judge->noise = LN_NEW(arena, double, n);
    judge->magnitude = LN_NEW(arena, double, n);
    judge->probe = LN_NEW(arena, double, n);
    return judge->noise != NULL && judge->magnitude != NULL && judge->probe != NULL ? LINNET_OK
                                                                                    : LINNET_MEMORY;
}

void ln_convergence_begin(ln_convergence *judge, double remaining) {
    judge->updates = 0;
    judge->norm = 0;
    judge->rate = judge->mean_rate = 1;
    judge->remaining = remaining;
    judge->length = 0;
}

/* What later updates add up to, as a multiple of the last, when each is so many times the one
 * before. */
static double sum_of_updates(double rate) {
    return rate < 1 ? fmin(rate / (1 - rate), ln_convergence_worst) : ln_convergence_worst;
}

/* The rate of this update, and what remains by it. */
static void measure(ln_convergence *judge, double norm) {
    if (judge->updates > 0) {
        const double rate = norm / fmax(judge->norm, DBL_MIN);
        judge->mean_rate = judge->updates == 1 ? rate : sqrt(rate * judge->rate);
        judge->rate = rate;
        judge->remaining = sum_of_updates(fmax(rate, judge->mean_rate));
    }
    judge->updates++;
    judge->norm = norm;
}

static ln_verdict verdict_on(const ln_convergence *judge, double norm) {
    if (!isfinite(norm))
        return LN_RUNS_AWAY;
    if (norm == 0 || norm * judge->remaining <= 1)
        return LN_CONVERGED;
    if (judge->updates == 1 || judge->rate < STALLING)
        return LN_GOES_ON;
    return judge->rate < RUNNING ? LN_STALLS : LN_RUNS_AWAY;
}

ln_verdict ln_convergence_judge(ln_convergence *judge, double norm) {
    measure(judge, norm);
    judge->length = 0;
    return verdict_on(judge, norm);
}

static void measure_half_omega(ln_convergence *judge) {
    const double found = fmax(judge->rate, LEAST_RATE) / judge->length;
    const int grew = found > HALF_OMEGA_MARGIN * judge->half_omega_measured,
              fell = judge->half_omega_measured > HALF_OMEGA_MARGIN * found;
    const int agrees = judge->rate > LEAST_RATE && !grew && !fell;
    judge->confirmations = grew ? 0 : judge->confirmations + 1;
    judge->half_omega =
        fmax(found, HALF_OMEGA_FADES * (agrees ? judge->half_omega_measured : judge->half_omega));
    judge->half_omega_measured = found;
    judge->measured_length = judge->length;
}

ln_verdict ln_convergence_judge_quadratic(ln_convergence *judge, double norm, double length) {
    measure(judge, norm);
    if (judge->length > 0)
        measure_half_omega(judge);
    if (length <= MOST_LENGTH_RATIO * judge->measured_length)
        judge->remaining = fmin(judge->remaining, HALF_OMEGA_MARGIN * judge->half_omega * length);
    judge->length = length;
    const ln_verdict verdict = verdict_on(judge, norm);
    if (verdict == LN_CONVERGED && judge->updates == 1)
        judge->half_omega *= 1 + fmax(1.0 / (judge->confirmations + 1), LEAST_GROWTH);
    return verdict;
}

int ln_convergence_may_reuse(const ln_convergence *judge) {
    const double rate = HALF_OMEGA_MARGIN * judge->half_omega * judge->length;
    return judge->length > 0 && judge->length <= MOST_LENGTH_RATIO * judge->measured_length &&
           judge->norm * rate * sum_of_updates(2 * rate) <= REUSE_LEAVES;
}

ln_verdict ln_convergence_judge_reused(ln_convergence *judge, double norm) {
    measure(judge, norm);
    measure_half_omega(judge);
    judge->length = 0;
    judge->remaining = sum_of_updates(2 * judge->rate);
    return verdict_on(judge, norm);
}

double ln_convergence_expected(const ln_convergence *judge, int more) {
    return judge->mean_rate < 1
               ? judge->norm * pow(judge->mean_rate, more) * sum_of_updates(judge->mean_rate)
               : INFINITY;
}

/* ---- noise ---- */

void ln_add_abs_product(const ln_pattern *pattern, const double *K, double factor, const double *x,
                        double *sum) {
    for (int j = 0; j < pattern->n; j++) {
        const double size = factor * fabs(x[j]);
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            sum[pattern->row[k]] += fabs(K[k]) * size;
    }
}

/* A number that looks random, the same in every run (the finaliser of MurmurHash3): evenly between
 * -sqrt(3) and sqrt(3), so that its deviation is 1. Signs alone would not do: in one pair of rows
 * of four all probes have equal signs, and what follows from the difference of two large equal
 * terms (two tightly coupled coils between floating nodes) would seem to have no noise. */
static double random_sample(unsigned i, unsigned probe) {
    static const double WIDTH = 3.46410161513775458705; /* 2 sqrt(3) */
    unsigned h = i * 0x9e3779b9u + probe * 0x85ebca6bu;
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return WIDTH * ((h + 0.5) / 4294967296.0 - 0.5);
}

void ln_convergence_find_noise_by(ln_convergence *judge, ln_convergence_solve *solve,
                                  void *factors) {
    judge->noise_is_known = 1;
    memset(judge->noise, 0, (size_t)judge->n * sizeof *judge->noise);
    for (unsigned probe = 0; probe < PROBES; probe++) {
        for (int i = 0; i < judge->n; i++)
            judge->probe[i] = DBL_EPSILON * random_sample((unsigned)i, probe) * judge->magnitude[i];
        solve(factors, judge->probe);
        for (int i = 0; i < judge->n; i++)
            judge->noise[i] = fmax(judge->noise[i], fabs(judge->probe[i]));
    }
}

static void solve_linear(void *factors, double *b) {
    ln_linear_solve(factors, b);
}

void ln_convergence_find_noise(ln_convergence *judge, ln_linear *linear) {
    ln_convergence_find_noise_by(judge, solve_linear, linear);
}

double ln_convergence_noise(const ln_convergence *judge, int i) {
    return MARGIN * judge->noise[i];
}

int ln_convergence_is_noise(const ln_convergence *judge, int i, double update) {
    return fabs(update) <= ln_convergence_noise(judge, i);
}
