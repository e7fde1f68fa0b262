/* SPDX-License-Identifier: MIT */
/* The line of resistance and capacitance only, SPICE's U: a chain of 2 N resistors with a capacitor
 * at each joint, which grow by K from either end towards the middle, so that the fast parts at the
 * ends are resolved best (L. Gertzberg, Transmission Line Models for SPICE, Berkeley 1974). K = 1:
 * all are alike. */
#include "blocks/native/device.h"
#include "base/constants.h"
#include "blocks/native/native.h"

#include <math.h>
#include <stdio.h>

enum { P1, P2, REF, NPORTS };
enum { R, C, K, FMAX, N, NPARAMS };
enum { MOST_LUMPS = 500 };
static const linnet_port ports[] = {
    {"p1", LINNET_ELECTRICAL, 0, "end 1"},
    {"p2", LINNET_ELECTRICAL, 0, "end 2"},
    {"ref", LINNET_ELECTRICAL, 0, "what the capacitance lies against"},
};
static const linnet_param params[] = {
    LN_NUMBER(R, "R", "Ohm", NULL, 0, INFINITY, LINNET_OPEN_MIN | LINNET_REQUIRED,
              "resistance of the whole line"),
    LN_NUMBER(C, "C", "F", NULL, 0, INFINITY, LINNET_OPEN_MIN | LINNET_REQUIRED,
              "capacitance of the whole line"),
    LN_NUMBER(K, "K", "", "1.5", 1, 10, 0, "ratio of neighbours; 1: all alike"),
    LN_NUMBER(FMAX, "FMAX", "Hz", "1 GHz", 0, INFINITY, LINNET_OPEN_MIN,
              "largest frequency of interest; tells N"),
    LN_NUMBER(N, "N", "", NULL, 1, MOST_LUMPS, LINNET_INTEGER | LINNET_STRUCTURAL,
              "lumps to either side of the middle; else from FMAX, at least 3"),
};

static int lumps_of(const linnet_block_class *class) {
    return (class->nvars + 1) / 2;
}

static int lumps(const double *const *values, const char *const *texts, char message[256]) {
    const double k = *values[K], reach = 2 * LN_PI * *values[FMAX] * *values[R] * *values[C];
    (void)texts;
    if (!isnan(*values[N]))
        return (int)*values[N];
    if (!(k > 1)) {
        snprintf(message, 256, "with K = 1 its lumps are missing; give N");
        return -1;
    }
    const double n = floor(log(reach * (k - 1) / k * (k - 1) / k) / log(k));
    return reach < 35 || n < 3 ? 3 : n < MOST_LUMPS ? (int)n : MOST_LUMPS;
}

/* Unknown of node j of the chain, 0 to 2 N. */
static int node(int n, int j) {
    return j == 0 ? P1 : j == 2 * n ? P2 : NPORTS + j - 1;
}

static int tables(int n, linnet_block_class *class, void *(*allocate)(void *context, size_t bytes),
                  void *context) {
    const int nvars = 2 * n - 1;
    linnet_var *vars = allocate(context, (size_t)nvars * sizeof *vars);
    linnet_row *rows = allocate(context, (size_t)nvars * sizeof *rows);
    char(*names)[16] = allocate(context, (size_t)nvars * sizeof *names);
    linnet_entry *entries = allocate(context, (size_t)(8 * n + 4 * nvars) * sizeof *entries);
    if (vars == NULL || rows == NULL || names == NULL || entries == NULL)
        return 0;
    for (int k = 0; k < nvars; k++) {
        snprintf(names[k], sizeof names[k], "v[%d]", k + 1);
        vars[k] = (linnet_var){names[k], "V", 0, 0, "potential within the line", 0};
        rows[k] = (linnet_row){names[k], "A"};
    }
    for (int j = 0; j < 8 * n; j++) { /* of resistor j/4: rows and columns of its two nodes */
        const int row = node(n, j / 4 + j % 4 / 2), col = node(n, j / 4 + j % 2);
        entries[j] = (linnet_entry){row, col, LINNET_A, LINNET_CONSTANT};
    }
    for (int j = 0; j < 4 * nvars; j++) {
        const int row = j % 4 / 2 ? REF : node(n, j / 4 + 1),
                  col = j % 2 ? REF : node(n, j / 4 + 1);
        entries[8 * n + j] = (linnet_entry){row, col, LINNET_E, LINNET_CONSTANT};
    }
    class->vars = vars;
    class->rows = rows;
    class->nvars = nvars;
    class->entries = entries;
    class->nentries = 8 * n + 4 * nvars;
    return 1;
}

/* 1 + k + ... + k^(n - 1) */
static double series(double k, int n) {
    return k > 1 ? (pow(k, n) - 1) / (k - 1) : n;
}

static void linear(const linnet_block *block, double *entry) {
    const double *p = block->p, k = p[K];
    const int n = lumps_of(block->type);
    const double first = 0.5 * p[R] / series(k, n),
                 least = p[C] / (2 * series(k, n - 1) + pow(k, n - 1));
    for (int j = 0; j < 8 * n; j++) {
        const int resistor = j / 4, from_end = resistor < n ? resistor : 2 * n - 1 - resistor;
        entry[j] = (j % 4 / 2 == j % 2 ? 1 : -1) / (first * pow(k, from_end));
    }
    for (int j = 0; j < 4 * (2 * n - 1); j++) {
        const int at = j / 4 + 1, from_end = at <= n ? at : 2 * n - at;
        entry[8 * n + j] = (j % 4 / 2 == j % 2 ? 1 : -1) * least * pow(k, from_end - 1);
    }
}

const linnet_block_class ln_rc_line_class = {
    .abi = LINNET_ABI,
    .name = "rc-line",
    .doc = "Line of distributed resistance and capacitance, SPICE's U",
    .formula = "N = log(2*pi*FMAX*R*C*((K - 1)/K)^2)/log(K)\n"
               "(N where it is not given, at least 3; 2*N resistors in a chain, r, r*K, ..., "
               "r*K^(N - 1) from either end, R in all; at the joints capacitors to ref, c, c*K, "
               "... likewise, C in all. Gertzberg: Transmission Line Models for SPICE, Berkeley "
               "1974; ngspice manual, chapter 6)",
    .example =
        "<rc-line id=\"U1\" p1=\"in\" p2=\"out\" ref=\"0\" R=\"10 kOhm\" C=\"10 pF\" N=\"6\"/>",
    .ports = ports,
    .nports = NPORTS,
    .params = params,
    .nparams = NPARAMS,
    .nvalues = NPARAMS,
    .reference_port = -1,
    .variant = lumps,
    .tables = tables,
    .linear = linear,
};
