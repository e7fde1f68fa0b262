/* SPDX-License-Identifier: MIT */
/* The past of a signal, by itself: what is a polynomial up to degree 5 comes back to rounding, with
 * its slope and with the weight of the step's end; stretches part at breakpoints; a history that is
 * written is read again, and nothing else is. */
#include "system/history.h"
#include "unit.h"

#include "base/sys.h"
#include <stdlib.h>

enum { DEGREE = 5 };

/* 1 - 2 t + 3 t^2 - ... and its slope, to a degree */
static double polynomial(double t, int degree, double *slope) {
    double value = 0, rate = 0;
    for (int k = degree; k >= 0; k--) {
        rate = rate * t + value;
        value = value * t + (k % 2 ? -(k + 1.0) : k + 1.0);
    }
    if (slope != NULL)
        *slope = rate;
    return value;
}

/* Samples of that polynomial at times that are not evenly spaced. */
static void sample(ln_history *h, const double *t, int count, int degree) {
    CU_ASSERT_FATAL(ln_history_begin(h, t[0], polynomial(t[0], degree, NULL), 7));
    for (int k = 1; k < count; k++)
        CU_ASSERT_FATAL(
            ln_history_add(h, t[k], polynomial(t[k], degree, NULL), LN_SPLIT_ORDER + 1));
}

static const double times[] = {-1, -.7, -.5, -.2, 0, .1, .4, .6, .9, 1};
enum { TIMES = sizeof times / sizeof *times };

/* Between samples, at both ends of the stretch, and in the step at hand. */
static void polynomials(void) {
    ln_history h = {0};
    sample(&h, times, TIMES, DEGREE);
    for (double s = -1; s < 0.99; s += 0.04) {
        double out[LN_DELAY_OUTPUTS], slope;
        ln_history_evaluate(&h, 0, s, 2, 1e9, out);
        CHECK_CLOSE(out[LN_VALUE], polynomial(s, DEGREE, &slope), 1e-12);
        CHECK_CLOSE(out[LN_SLOPE], slope, 1e-10);
        CU_ASSERT(out[LN_WEIGHT] == 0);
    }
    /* the end of the step is a node; the weight is its Lagrange polynomial, by the five last
     * samples that lie a quarter of the step apart */
    const double end = 1.3, nodes[] = {1, .9, .6, .4, .1};
    for (double s = 1; s <= end; s += 0.05) {
        double out[LN_DELAY_OUTPUTS], slope, weight = 1;
        ln_history_evaluate(&h, 0, s, end, polynomial(end, DEGREE, NULL), out);
        CHECK_CLOSE(out[LN_VALUE], polynomial(s, DEGREE, &slope), 1e-12);
        CHECK_CLOSE(out[LN_SLOPE], slope, 1e-10);
        for (int k = 0; k < 5; k++)
            weight *= (s - nodes[k]) / (end - nodes[k]);
        CHECK_CLOSE(out[LN_WEIGHT], weight, 1e-12);
    }
    /* no step: the value now is the last one */
    double out[LN_DELAY_OUTPUTS];
    ln_history_evaluate(&h, 0, 1, 1, 5, out);
    CHECK_CLOSE(out[LN_VALUE], polynomial(1, DEGREE, NULL), 1e-13);
    CU_ASSERT(out[LN_WEIGHT] == 0);
    ln_history_free(&h);
}

/* Six nodes are taken, and those that are nearest: of a polynomial of degree 6 the error is
 * 7 (s - t_1) ... (s - t_6), 7 being its leading factor. */
static void nearest_nodes(void) {
    static const double even[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    ln_history h = {0};
    sample(&h, even, 11, DEGREE + 1);
    for (double s = 0.25; s < 10; s += 0.5) {
        double out[LN_DELAY_OUTPUTS], error = 7;
        const double first = fmin(fmax(floor(s) - 2, 0), 5);
        for (int k = 0; k < 6; k++)
            error *= s - (first + k);
        ln_history_evaluate(&h, 0, s, 11, 0, out);
        CHECK_CLOSE(polynomial(s, DEGREE + 1, NULL) - out[LN_VALUE], error, 1e-9);
    }
    ln_history_free(&h);
}

/* Samples that cluster add nothing but their noise: 1e-12 beside others at a distance of 1e-9 would
 * be a slope of 1e-3. */
static void clusters(void) {
    static const double clustered[] = {0, .2, .4, .5, .5 + 1e-9, .5 + 3e-9, .7, .9, 1};
    double out[LN_DELAY_OUTPUTS];
    ln_history h = {0};
    CU_ASSERT_FATAL(ln_history_begin(&h, 0, 0, 0));
    for (int k = 1; k < 9; k++)
        CU_ASSERT_FATAL(ln_history_add(&h, clustered[k], clustered[k] + (k % 2 ? 1e-12 : -1e-12),
                                       LN_SPLIT_ORDER + 1));
    for (double s = 0.41; s < 1; s += 0.1) {
        ln_history_evaluate(&h, 0, s, 2, 0, out);
        CHECK_CLOSE(out[LN_SLOPE], 1, 1e-9);
    }
    /* in a step of 0.3 behind a cluster, too */
    CU_ASSERT_FATAL(ln_history_add(&h, 1 + 1e-9, 1 + 1e-9 + 1e-12, LN_SPLIT_ORDER + 1));
    ln_history_evaluate(&h, 0, 1.1, 1.3, 1.3, out);
    CHECK_CLOSE(out[LN_SLOPE], 1, 1e-9);
    ln_history_free(&h);
}

/* Within a step that was recorded at points between its ends the signal is the polynomial through
 * these, whatever lies beside it: here a cubic between two fast steps that jump about. */
static double step_between(double s) {
    return 1 + s * (2 - s * (3 - s));
}

static void within_steps(void) {
    double out[LN_DELAY_OUTPUTS];
    ln_history h = {0};
    CU_ASSERT_FATAL(ln_history_begin(&h, -1e-3, 5, 5));
    for (int k = 1; k < 4; k++)
        CU_ASSERT_FATAL(
            ln_history_add(&h, -1e-3 + 2.5e-4 * k, k % 2 ? -3 : 7, LN_WITHIN_STEP_ORDER));
    for (int k = 0; k <= 4; k++)
        CU_ASSERT_FATAL(ln_history_add(&h, 0.25 * k, step_between(0.25 * k),
                                       k % 4 ? LN_WITHIN_STEP_ORDER : LN_NO_BREAK_ORDER));
    for (int k = 1; k <= 4; k++)
        CU_ASSERT_FATAL(ln_history_add(&h, 1 + 2.5e-4 * k, k % 2 ? 9 : -8,
                                       k < 4 ? LN_WITHIN_STEP_ORDER : LN_NO_BREAK_ORDER));
    for (double s = 0.01; s < 1; s += 0.03) {
        ln_history_evaluate(&h, 0, s, 2, 0, out);
        CHECK_CLOSE(out[LN_VALUE], step_between(s), 1e-13);
        CHECK_CLOSE(out[LN_SLOPE], 2 - s * (6 - 3 * s), 1e-12);
    }
    /* the steps on both sides of 1 */
    ln_history_evaluate(&h, 0, 1 + 1e-12, 2, 0, out);
    const double jump = out[LN_SLOPE] - 2 + 3;
    CU_ASSERT(fabs(jump) > 1e3);
    CHECK_CLOSE(ln_history_slope_jump(&h, 1), jump, 1e-6 * fabs(jump));
    CHECK_CLOSE(ln_history_slope_jump(&h, 1.001), 0, 0); /* nothing is known behind it */
    CHECK_CLOSE(ln_history_slope_jump(&h, 0.6), 0, 0);   /* no step ends there */
    /* a step that has not ended is taken out again */
    const size_t count = h.count;
    CU_ASSERT_FATAL(ln_history_add(&h, 1.5, 1, LN_WITHIN_STEP_ORDER));
    CU_ASSERT_FATAL(ln_history_add(&h, 1.75, 1, LN_WITHIN_STEP_ORDER));
    ln_history_drop_within(&h);
    CU_ASSERT_EQUAL(h.count, count);
    ln_history_free(&h);
}

/* A signal of three stretches: 0 before, t from 1, a jump to 10 - t at 2, a kink to 8 at 3. */
static void begin_stretches(ln_history *h) {
    CU_ASSERT_FATAL(ln_history_begin(h, 1, 1, 0));
    for (int k = 1; k <= 4; k++)
        CU_ASSERT_FATAL(ln_history_add(h, 1 + 0.25 * k, 1 + 0.25 * k, LN_SPLIT_ORDER + 1));
    CU_ASSERT_FATAL(ln_history_add(h, 2, 8, 0));
    for (int k = 1; k <= 4; k++)
        CU_ASSERT_FATAL(ln_history_add(h, 2 + 0.25 * k, 8 - 0.25 * k, LN_SPLIT_ORDER + 1));
    CU_ASSERT_FATAL(ln_history_add(h, 3, 7, 1));
    CU_ASSERT_FATAL(ln_history_add(h, 3.5, 7, LN_SPLIT_ORDER + 1));
}

static void stretches(void) {
    static const struct {
        double s;
        int stretch;
        double value, slope, depth;
    } cases[] = {{0.5, LN_BEFORE, 0, 0, 0.5},
                 {1, 0, 1, 1, 0},
                 {1.6, 0, 1.6, 1, 0.4},
                 {2, 1, 8, -1, 0},
                 {2.3, 1, 7.7, -1, .3},
                 {2.9, 1, 7.1, -1, .1},
                 {3, 2, 7, 0, 0},
                 {3.25, 2, 7, 0, .25}};
    double out[LN_DELAY_OUTPUTS];
    ln_history h = {0};
    begin_stretches(&h);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        CU_ASSERT(ln_history_stretch(&h, cases[k].s) == cases[k].stretch);
        ln_history_evaluate(&h, cases[k].stretch, cases[k].s, 4, 7, out);
        CHECK_CLOSE(out[LN_VALUE], cases[k].value, 1e-13);
        CHECK_CLOSE(out[LN_SLOPE], cases[k].slope, 1e-12);
        CHECK_CLOSE(ln_history_depth(&h, cases[k].stretch, cases[k].s), cases[k].depth, 1e-15);
    }
    /* the other limit of the jump, and a little beyond each end of a stretch, as Newton's method
     * asks */
    ln_history_evaluate(&h, 0, 2, 4, 7, out);
    CHECK_CLOSE(out[LN_VALUE], 2, 1e-13);
    ln_history_evaluate(&h, 0, 2.1, 4, 7, out);
    CHECK_CLOSE(out[LN_VALUE], 2.1, 1e-13);
    ln_history_evaluate(&h, 1, 1.9, 4, 7, out);
    CHECK_CLOSE(out[LN_VALUE], 8.1, 1e-13);
    CU_ASSERT(ln_history_depth(&h, 1, 1.9) < 0 && ln_history_depth(&h, 1, 3.1) < 0);
    CU_ASSERT(ln_history_depth(&h, 0, 0.9) < 0 && ln_history_depth(&h, LN_BEFORE, 1.1) < 0);
    /* orders: a begin with a jump, the jump, the kink, none beyond the last */
    CU_ASSERT(ln_history_order_between(&h, LN_BEFORE, 0) == 0);
    CU_ASSERT(ln_history_order_between(&h, 0, 1) == 0 && ln_history_order_between(&h, 1, 0) == 0);
    CU_ASSERT(ln_history_order_between(&h, 1, 2) == 1);
    CU_ASSERT(ln_history_order_between(&h, 2, 3) == LN_SMOOTH_ORDER);
    CHECK_CLOSE(ln_history_span(&h), 0.5, 0);
    CU_ASSERT(h.peak == 8);
    ln_history_free(&h);
}

/* A begin without a jump has a kink; a breakpoint of order LN_SPLIT_ORDER parts, a smoother one
 * does not, and at the time of the last sample it replaces that. */
static void orders(void) {
    ln_history h = {0};
    CU_ASSERT_FATAL(ln_history_begin(&h, 0, 3, 3));
    CU_ASSERT(ln_history_last(&h)->order == 1 && ln_history_last(&h)->stretch == 0);
    CU_ASSERT_FATAL(ln_history_add(&h, 0, -4, LN_SPLIT_ORDER + 1));
    CU_ASSERT(h.count == 1 && ln_history_last(&h)->u == -4 && h.peak == 4);
    CU_ASSERT_FATAL(ln_history_add(&h, 0, 2, LN_SPLIT_ORDER));
    CU_ASSERT(h.count == 2 && ln_history_last(&h)->stretch == 1);
    CU_ASSERT(ln_history_last(&h)->order == LN_SPLIT_ORDER);
    CU_ASSERT_FATAL(ln_history_add(&h, 1, 2, LN_SPLIT_ORDER + 1));
    CU_ASSERT(h.count == 3 && ln_history_last(&h)->stretch == 1);
    ln_history_free(&h);
}

/* Slopes now: exact for polynomials; what moves less than noise keeps the slope; a jump has a
 * finite one; a slope does not turn back at once. */
static void rates(void) {
    ln_history h = {0};
    double slope;
    sample(&h, times, TIMES, DEGREE);
    const double end = polynomial(1.2, DEGREE, &slope);
    CHECK_CLOSE(ln_history_rate(&h, 1.2, end, 1e-9, 3), slope, 1e-11);
    CHECK_CLOSE(ln_history_rate(&h, 1, ln_history_last(&h)->u + 1, 1e-9, 3), 1e30, 0);
    CHECK_CLOSE(ln_history_rate(&h, 1, ln_history_last(&h)->u - 1, 1e-9, 3), -1e30, 0);
    CHECK_CLOSE(ln_history_rate(&h, 1, ln_history_last(&h)->u, 1e-9, 3), 3, 0);
    ln_history_free(&h);

    h = (ln_history){0};
    CU_ASSERT_FATAL(ln_history_begin(&h, 0, 1, 1));
    for (int k = 1; k <= 5; k++)
        CU_ASSERT_FATAL(ln_history_add(&h, k, 1 + k * 1e-8, LN_SPLIT_ORDER + 1));
    /* the largest change since the fifth last sample is 5e-8 of a size of 1 */
    CHECK_CLOSE(ln_history_rate(&h, 6, 1 + 6e-8, 4.9e-8, 3) * 1e8, 1, 1e-6);
    /* so noise may hide a change of 5.1e-8 in 5 s, and no steeper slope stays */
    CHECK_CLOSE(ln_history_rate(&h, 6, 1 + 6e-8, 5.1e-8, 3) * 1e8, 5.1 / 5, 1e-6);
    CHECK_CLOSE(ln_history_rate(&h, 6, 1 + 6e-8, 5.1e-8, 1e-9) * 1e9, 1, 1e-12);
    /* nor does it turn within half of what the last six span, in its stretch */
    ln_history_note_reversal(&h, 5);
    CHECK_CLOSE(h.no_reversal_before, 7.5, 0);
    CHECK_CLOSE(ln_history_rate(&h, 7.4, 0, 1e-9, 3), 3, 0);
    CU_ASSERT(ln_history_rate(&h, 7.6, 0, 1e-9, 3) < 0);
    CU_ASSERT(ln_history_rate(&h, 7.4, 2, 1e-9, 3) != 3); /* no turn */
    CU_ASSERT_FATAL(ln_history_add(&h, 6, 1, 1));
    CU_ASSERT(ln_history_rate(&h, 7.4, 0, 1e-9, 3) < 0);
    ln_history_free(&h);
}

/* Of six samples the third last against the five others: t^5 is off by the product of distances. */
static void roughness(void) {
    static const double t[] = {0, 1, 1.5, 2.25, 3, 3.5};
    double wanted = 6; /* the leading factor */
    ln_history h = {0};
    sample(&h, t, 5, DEGREE);
    CU_ASSERT(ln_history_roughness(&h) == 0);
    CHECK_CLOSE(ln_history_span(&h), 3, 0);
    CU_ASSERT_FATAL(ln_history_add(&h, t[5], polynomial(t[5], DEGREE, NULL), LN_SPLIT_ORDER + 1));
    for (int k = 0; k < 6; k++)
        wanted *= k == 3 ? 1 : fabs(t[3] - t[k]);
    CHECK_CLOSE(ln_history_roughness(&h), wanted, 1e-12);
    CHECK_CLOSE(ln_history_span(&h), 3.5, 0);
    /* the last six only */
    CU_ASSERT_FATAL(ln_history_add(&h, 5, 0, LN_SPLIT_ORDER + 1));
    CHECK_CLOSE(ln_history_span(&h), 4, 0);
    /* none across a breakpoint */
    CU_ASSERT_FATAL(ln_history_add(&h, 6, 0, 0));
    CU_ASSERT(ln_history_roughness(&h) == 0);
    CHECK_CLOSE(ln_history_span(&h), 0, 0);
    ln_history_free(&h);
}

/* What is not asked for any more goes, but for the six that an interpolation there needs. */
static void forgotten(void) {
    ln_history h = {0};
    CU_ASSERT_FATAL(ln_history_begin(&h, 0, 0, 0));
    for (int k = 1; k <= 5000; k++) {
        CU_ASSERT_FATAL(ln_history_add(&h, k, (double)k * k, LN_SPLIT_ORDER + 1));
        ln_history_forget(&h, k - 100.5);
        if (k < 110)
            continue;
        double out[LN_DELAY_OUTPUTS];
        const double s = k - 100.5;
        CU_ASSERT(ln_history_stretch(&h, s) == 0);
        ln_history_evaluate(&h, 0, s, k + 1, 0, out);
        CHECK_CLOSE(out[LN_VALUE], s * s, 1e-9);
        CU_ASSERT(h.count - h.first_kept <= 110 && h.count <= 2500);
        CU_ASSERT(h.samples[h.first_kept + 5].t < s && h.samples[h.first_kept + 6].t >= s);
    }
    ln_history_free(&h);
}

static int same(const ln_history *a, const ln_history *b) {
    int is = a->count - a->first_kept == b->count - b->first_kept &&
             a->value_before == b->value_before && a->t_begin == b->t_begin && a->peak == b->peak &&
             a->no_reversal_before == b->no_reversal_before &&
             a->reversal_stretch == b->reversal_stretch;
    for (size_t k = 0; is && k < a->count - a->first_kept; k++) {
        const ln_history_sample *x = &a->samples[a->first_kept + k],
                                *y = &b->samples[b->first_kept + k];
        is = x->t == y->t && x->u == y->u && x->stretch == y->stretch && x->order == y->order;
    }
    return is;
}

/* Is the history, written with one change, read again? */
static int is_read(const ln_history *h, double now) {
    ln_bytes bytes = {0};
    ln_history back = {0};
    ln_history_save(h, &bytes);
    const int read = ln_history_load(&back, &bytes, now);
    CU_ASSERT(!read || (same(h, &back) && bytes.at == bytes.length));
    ln_history_free(&back);
    ln_bytes_free(&bytes);
    return read;
}

static void to_bytes(void) {
    ln_history h = {0};
    begin_stretches(&h);
    ln_history_note_reversal(&h, 3);
    CU_ASSERT(is_read(&h, 3.5) && is_read(&h, 4));
    CU_ASSERT(!is_read(&h, 3.4)); /* a sample of the future */
    h.first_kept = 2;
    CU_ASSERT(is_read(&h, 3.5));
    h.first_kept = 0;
#define REFUSED(place, wrong)           \
    do {                                \
        const ln_history kept = h;      \
        const double was = (place);     \
        (place) = wrong;                \
        CU_ASSERT(!is_read(&h, 3.5));   \
        (place) = was;                  \
        CU_ASSERT(is_read(&kept, 3.5)); \
    } while (0)
    REFUSED(h.samples[3].t, 1.5);  /* twice the time of the one before, in one stretch */
    REFUSED(h.samples[5].t, 1.99); /* falls */
    REFUSED(h.samples[3].u, NAN);
    REFUSED(h.samples[3].t, NAN);
    REFUSED(h.value_before, INFINITY);
    REFUSED(h.t_begin, 1.1); /* behind the first sample */
    REFUSED(h.t_begin, NAN);
    REFUSED(h.peak, -1);
    REFUSED(h.peak, NAN);
    REFUSED(h.no_reversal_before, NAN);
#undef REFUSED
    h.peak = 0.5;
    CU_ASSERT(is_read(&h, 3.5));
    h.samples[3].stretch = -1;
    CU_ASSERT(!is_read(&h, 3.5));
    h.samples[3].stretch = 1; /* and back to 0 */
    CU_ASSERT(!is_read(&h, 3.5));
    h.samples[3].stretch = 0;
    h.samples[3].order = LN_SMOOTH_ORDER + 1;
    CU_ASSERT(is_read(&h, 3.5));
    h.samples[3].order++;
    CU_ASSERT(!is_read(&h, 3.5));
    h.samples[3].order = -1;
    CU_ASSERT(!is_read(&h, 3.5));
    h.samples[3].order = 3;
    h.reversal_stretch = -1;
    CU_ASSERT(!is_read(&h, 3.5));
    h.reversal_stretch = 0;
    /* cut short */
    ln_bytes bytes = {0};
    ln_history_save(&h, &bytes);
    for (size_t length = bytes.length; length-- > 0;) {
        ln_history back = {0};
        ln_bytes some = {0};
        ln_bytes_put(&some, bytes.data, length);
        CU_ASSERT(!ln_history_load(&back, &some, 3.5));
        ln_history_free(&back);
        ln_bytes_free(&some);
    }
    ln_bytes_free(&bytes);
    ln_history_free(&h);
}

UNIT_MAIN({"polynomials", polynomials}, {"nearest nodes", nearest_nodes}, {"clusters", clusters},
          {"within steps", within_steps}, {"stretches", stretches}, {"orders", orders},
          {"rates", rates}, {"roughness", roughness}, {"forgotten", forgotten},
          {"to bytes", to_bytes})
