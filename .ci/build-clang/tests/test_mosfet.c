/* SPDX-License-Identifier: MIT */
/* The charges of a MOS channel: how source and drain share them, against Ward's integral along the
 * channel. */
#include "blocks/native/mosfet_equations.h"
#include "unit.h"

static ln_channel_flows channel_flows(double share, double gs, double ds) {
    ln_channel channel = {.gain = 1e-4, .potential = 0.6, .oxide = 1};
    ln_channel_flows flows;
    ln_channel_partition(share, channel.at_drain);
    ln_channel_evaluate(&channel, gs, ds, 0, &flows);
    return flows;
}

/* Along a channel that carries one current the square of its charge falls evenly, and each piece of
 * it belongs to the drain as it is near it (D. E. Ward, Stanford University, 1981): the integral of
 * y sqrt(u^2 + (w^2 - u^2) y), y from 0 to 1, by Simpson's rule; y = 1 - z^2, or y = z^2, has no
 * corner where the charge vanishes. */
static double ward(double u, double w) {
    enum { N = 2000 };
    double sum = 0;
    for (int k = 0; k <= N; k++) {
        const double z = (double)k / N, y = w < u ? 1 - z * z : z * z;
        sum += (k == 0 || k == N ? 1
                : k % 2 != 0     ? 4
                                 : 2) *
               y * sqrt(w * w * y + u * u * (1 - y)) * 2 * z;
    }
    return sum / (3 * N);
}

static const double points[][2] = {{1, 0}, {1, 1e-3}, {2, 0.5},   {2, 1.9},
                                   {2, 2}, {2, 5},    {0.3, 0.2}, {1e-6, 5e-7}};
enum { POINTS = sizeof points / sizeof *points };

static void test_ward(void) {
    for (int k = 0; k < POINTS; k++) {
        const double u = points[k][0], w = fmax(u - points[k][1], 0);
        const ln_channel_flows forty = channel_flows(0.4, u, points[k][1]);
        CHECK_CLOSE(forty.to_drain.value / u, ward(u, w) / u, 1e-9);
        CHECK_CLOSE(forty.to_source.value / u, ward(w, u) / u, 1e-9);
    }
}

/* The gate's charge is the same however it is shared; halves where the channel is uniform, the
 * share asked for in saturation. */
static void test_shares(void) {
    static const double shares[] = {0, 0.2, 0.4, 0.45, 0.5};
    for (int s = 0; s < 5; s++)
        for (int k = 0; k < POINTS; k++) {
            const double u = points[k][0], ds = points[k][1];
            const ln_channel_flows flows = channel_flows(shares[s], u, ds),
                                   whole = channel_flows(0.4, u, ds);
            const double all = flows.to_source.value + flows.to_drain.value;
            CHECK_CLOSE(all / (whole.to_source.value + whole.to_drain.value), 1, 1e-14);
            if (!(ds > 0))
                CHECK_CLOSE(flows.to_drain.value / all, 0.5, 1e-15);
            if (ds >= u)
                CHECK_CLOSE(flows.to_drain.value / all, shares[s], 1e-15);
        }
}

/* In saturation a drain with the share 0 takes part in nothing, so that nothing is asked of a node
 * without capacitance. */
static void test_nothing_at_drain(void) {
    const ln_dual dual = channel_flows(0, 1, 3).to_drain;
    CU_ASSERT_FALSE(dual.value < 0 || dual.value > 0 || dual.gs < 0 || dual.gs > 0 || dual.ds < 0 ||
                    dual.ds > 0 || dual.bs < 0 || dual.bs > 0);
}

/* Source and drain are one and the other as the voltage between them changes its sign. */
static void test_exchange(void) {
    for (int k = 0; k < POINTS; k++) {
        const double u = points[k][0], ds = points[k][1];
        const ln_channel_flows flows = channel_flows(0.1, u, ds),
                               other = channel_flows(0.1, u - ds, -ds);
        CHECK_CLOSE(flows.to_drain.value, other.to_source.value, 1e-14);
        CHECK_CLOSE(flows.current.value, -other.current.value, 1e-14);
    }
}

UNIT_MAIN({"Ward's integral", test_ward}, {"shares", test_shares},
          {"nothing at the drain", test_nothing_at_drain},
          {"source and drain exchanged", test_exchange})
