/* SPDX-License-Identifier: MIT */
/* Transmission lines by waves that arrive later: of a lossless piece, at either end
 *     v - Z0 i = v' + Z0 i'  a travel time ago,
 * where v, i are voltage and current into the piece at this end, v', i' at the other (F. H. Branin,
 * Proceedings of the IEEE 55, 1967). A lossy line is a chain of such pieces with its resistance
 * before and behind each and its conductance at the joints: no ringing as of chains of inductors
 * and capacitors, and delays exact; the error falls as 1/sections^2.
 *
 * The unknowns of a chain: i1, then for each joint its voltage and the currents into the pieces
 * left and right of it, then i2. */
#include "blocks/native/device.h"
#include "blocks/native/native.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { P1, N1, P2, N2, NPORTS };
enum { MOST_SECTIONS = 1000 };
/* at most; that stand in the table */
enum { ENTRIES_PIECE = 12, ENTRIES_JOINT = 3, ENTRIES_PORTS = 4 };

static const linnet_port ports[] = {
    {"p1", LINNET_ELECTRICAL, 0, "end 1, positive"},
    {"n1", LINNET_ELECTRICAL, 0, "end 1, negative"},
    {"p2", LINNET_ELECTRICAL, 0, "end 2, positive"},
    {"n2", LINNET_ELECTRICAL, 0, "end 2, negative"},
};

/* Derived: of one piece. */
typedef struct line_section {
    double impedance, lag;
    double half, leak; /* resistance at either end; conductance of a joint */
    /* waves that arrive at either end from before the start; NAN: as at the start */
    double before[2];
} line_section;
enum { NWORK = sizeof(line_section) / sizeof(double) };

/* ---- where things stand ---- */

static int sections_of(const linnet_block_class *class) {
    return class->ndelays / 2;
}
/* its voltage; the currents left and right follow */
static int joint(int k) {
    return NPORTS + 1 + 3 * k;
}

/* Unknown of the current into piece k at its end 0 or 1; row of that end, too. */
static int current_at(int sections, int k, int end) {
    if (end == 0)
        return k == 0 ? NPORTS : joint(k - 1) + 2;
    return k == sections - 1 ? joint(sections - 1) : joint(k) + 1;
}

/* The unknowns whose difference is the voltage there; col[1] < 0: only one. */
static void voltage_at(int sections, int k, int end, int col[2]) {
    col[0] = col[1] = -1;
    if (end == 0 && k == 0)
        col[0] = P1, col[1] = N1;
    else if (end == 1 && k == sections - 1)
        col[0] = P2, col[1] = N2;
    else
        col[0] = joint(end == 0 ? k - 1 : k);
}

/* ---- stamps: one order of entries for tables, linear() and eval() ---- */

/* Where entries go: into the table, or their values into an array, of one kind of change only. */
typedef struct stamp {
    linnet_entry *table;
    double *value;
    linnet_change change;
    int count;
} stamp;

static void put(stamp *stamps, int row, int col, linnet_change change, double value) {
    if (stamps->table != NULL)
        stamps->table[stamps->count] = (linnet_entry){row, col, LINNET_A, change};
    else if (stamps->change == change)
        stamps->value[stamps->count] = value;
    stamps->count++;
}

static void put_all(int sections, const line_section *of, const double *memory, stamp *to) {
    const int last = current_at(sections, sections - 1, 1);
    put(to, P1, NPORTS, LINNET_CONSTANT, 1);
    put(to, N1, NPORTS, LINNET_CONSTANT, -1);
    put(to, P2, last, LINNET_CONSTANT, 1);
    put(to, N2, last, LINNET_CONSTANT, -1);
    for (int k = 0; k < sections - 1; k++) {
        put(to, joint(k), joint(k), LINNET_CONSTANT, of->leak);
        put(to, joint(k), joint(k) + 1, LINNET_CONSTANT, 1);
        put(to, joint(k), joint(k) + 2, LINNET_CONSTANT, 1);
    }
    for (int d = 0; d < 2 * sections; d++) {
        const int k = d / 2, end = d % 2, row = current_at(sections, k, end);
        const double weight = memory != NULL ? memory[3 * d + 1] : 0;
        int here[2], there[2];
        voltage_at(sections, k, end, here);
        voltage_at(sections, k, !end, there);
        for (int side = 0; side < 2; side++) {
            if (here[side] >= 0)
                put(to, row, here[side], LINNET_CONSTANT, side ? -1 : 1);
            if (there[side] >= 0)
                put(to, row, there[side], LINNET_STATE, side ? weight : -weight);
        }
        put(to, row, row, LINNET_CONSTANT, -of->half - of->impedance);
        put(to, row, current_at(sections, k, !end), LINNET_STATE,
            -weight * (of->impedance - of->half));
    }
}

static void linear(const linnet_block *block, double *entry) {
    stamp to = {NULL, entry, LINNET_CONSTANT, 0};
    put_all(sections_of(block->type), (const line_section *)block->work, NULL, &to);
}

static linnet_status eval(const linnet_block *block, const linnet_point *point, linnet_out *out) {
    const int sections = sections_of(block->type);
    stamp to = {NULL, out->entry, LINNET_STATE, 0};
    put_all(sections, (const line_section *)block->work, point->m, &to);
    for (int d = 0; d < 2 * sections; d++) {
        out->f[current_at(sections, d / 2, d % 2)] = -point->m[3 * d];
        if (!isfinite(point->m[3 * d]))
            return LINNET_RETRY;
    }
    return LINNET_OK;
}

/* What arrives at an end is what left the other. */
static void delays(const linnet_block *block, const linnet_point *point, linnet_delay *delay) {
    const line_section *section = (const line_section *)block->work;
    const int sections = sections_of(block->type);
    for (int d = 0; d < 2 * sections; d++) {
        int there[2];
        voltage_at(sections, d / 2, !(d % 2), there);
        const double v = point->x[there[0]] - (there[1] >= 0 ? point->x[there[1]] : 0);
        const double i = point->x[current_at(sections, d / 2, !(d % 2))];
        delay[d] = (linnet_delay){.input = v + (section->impedance - section->half) * i,
                                  .lag = section->lag,
                                  .most = section->lag,
                                  .before = section->before[d % 2]};
    }
}

/* ---- tables ---- */

/* Variable k of nvars: a current at an end of the line, or of a joint its voltage, its current left
 * and its current right. Its equation has the other unit. Returns whether it is a current. */
static int name_variable(int k, int nvars, char name[16], linnet_var *var, linnet_row *row) {
    static const char *const of_joint[] = {"v[%d]", "a[%d]", "b[%d]"};
    const int part = (k + 2) % 3, at_end = k == 0 || k == nvars - 1;
    const int is_voltage = !at_end && part == 0;
    if (at_end)
        snprintf(name, 16, "i%d", k == 0 ? 1 : 2);
    else
        snprintf(name, 16, of_joint[part], (k + 2) / 3);
    *var = (linnet_var){name,
                        is_voltage ? "V" : "A",
                        0,
                        0,
                        is_voltage ? "voltage within the line" : "current into a piece",
                        0};
    *row = (linnet_row){name, is_voltage ? "A" : "V"};
    return !is_voltage;
}

static int tables(int sections, linnet_block_class *class,
                  void *(*allocate)(void *context, size_t bytes), void *context) {
    const int nvars = 3 * sections - 1,
              most = ENTRIES_PIECE * sections + ENTRIES_JOINT * (sections - 1) + ENTRIES_PORTS;
    linnet_var *vars = allocate(context, (size_t)nvars * sizeof *vars);
    linnet_row *rows = allocate(context, (size_t)nvars * sizeof *rows);
    char(*names)[16] = allocate(context, (size_t)nvars * sizeof *names),
    *marks = allocate(context, (size_t)(NPORTS + nvars + 1));
    linnet_entry *entries = allocate(context, (size_t)most * sizeof *entries);
    linnet_memory *memories = allocate(context, (size_t)(6 * sections) * sizeof *memories);
    if (vars == NULL || rows == NULL || names == NULL || marks == NULL || entries == NULL ||
        memories == NULL)
        return 0;
    memset(marks, '0', (size_t)(NPORTS + nvars));
    for (int k = 0; k < nvars; k++)
        if (name_variable(k, nvars, names[k], &vars[k], &rows[k]))
            marks[NPORTS + k] = '1';
    stamp to = {entries, NULL, LINNET_CONSTANT, 0};
    const line_section none = {0};
    put_all(sections, &none, NULL, &to);
    class->vars = vars;
    class->rows = rows;
    class->nvars = nvars;
    class->entries = entries;
    class->nentries = to.count;
    class->nonlinear_rows = marks;
    class->memories = memories;
    class->nmemories = 6 * sections;
    class->ndelays = 2 * sections;
    return 1;
}

#define LINE                                                                                   \
    .abi = LINNET_ABI, .ports = ports, .nports = NPORTS, .reference_port = -1, .nwork = NWORK, \
    .tables = tables, .linear = linear, .eval = eval, .delays = delays

/* ---- lossless ---- */

enum { Z0, TD, F, NL, V10, I10, V20, I20, NLOSSLESS };
static const linnet_param lossless_params[] = {
    LN_NUMBER(Z0, "Z0", "Ohm", NULL, 0, INFINITY, LINNET_OPEN_MIN | LINNET_REQUIRED,
              "characteristic impedance"),
    LN_NUMBER(TD, "TD", "s", NULL, 0, INFINITY, 0, "delay; else NL/F"),
    LN_NUMBER(F, "F", "Hz", NULL, 0, INFINITY, LINNET_OPEN_MIN, "frequency at which NL holds"),
    LN_NUMBER(NL, "NL", "", "0.25", 0, INFINITY, LINNET_OPEN_MIN, "length in wavelengths at F"),
    LN_NUMBER(V10, "v10", "V", NULL, -INFINITY, INFINITY, 0,
              "voltage of end 1 before the start; all absent: as at the start"),
    LN_NUMBER(I10, "i10", "A", NULL, -INFINITY, INFINITY, 0, "current into end 1 before the start"),
    LN_NUMBER(V20, "v20", "V", NULL, -INFINITY, INFINITY, 0, "voltage of end 2 before the start"),
    LN_NUMBER(I20, "i20", "A", NULL, -INFINITY, INFINITY, 0, "current into end 2 before the start"),
};

static int lossless_variant(const double *const *values, const char *const *texts,
                            char message[256]) {
    (void)values, (void)texts, (void)message;
    return 1; /* section */
}

static linnet_status prepare_lossless(const linnet_block *block, char message[256]) {
    const double *p = block->p;
    line_section *section = (line_section *)block->work;
    if (isnan(p[TD]) && isnan(p[F])) {
        snprintf(message, 256, "its delay is missing; give TD, or F and NL");
        return LINNET_MODEL;
    }
    *section = (line_section){
        .impedance = p[Z0], .lag = isnan(p[TD]) ? p[NL] / p[F] : p[TD], .before = {NAN, NAN}};
    if (isnan(p[V10]) && isnan(p[I10]) && isnan(p[V20]) && isnan(p[I20]))
        return LINNET_OK;
    section->before[0] = (isnan(p[V20]) ? 0 : p[V20]) + p[Z0] * (isnan(p[I20]) ? 0 : p[I20]);
    section->before[1] = (isnan(p[V10]) ? 0 : p[V10]) + p[Z0] * (isnan(p[I10]) ? 0 : p[I10]);
    return LINNET_OK;
}

const linnet_block_class ln_transmission_line_class = {
    LINE,
    .name = "transmission-line",
    .doc = "Transmission line without losses, SPICE's T",
    .formula = "v1 - Z0*i1 = v2(t - TD) + Z0*i2(t - TD)\n"
               "v2 - Z0*i2 = v1(t - TD) + Z0*i1(t - TD)\n"
               "(v1 is p1 against n1, i1 flows into p1 and out of n1; so end 2. Branin: "
               "Proceedings of the IEEE 55, 1967)",
    .example = "<transmission-line id=\"T1\" p1=\"in\" n1=\"0\" p2=\"out\" n2=\"0\" Z0=\"50 Ohm\" "
               "TD=\"10 ns\"/>",
    .params = lossless_params,
    .nparams = NLOSSLESS,
    .nvalues = NLOSSLESS,
    .variant = lossless_variant,
    .prepare = prepare_lossless,
};

/* ---- lossy ---- */

enum { R, L, G, C, LEN, SECTIONS, NLOSSY };
static const linnet_param lossy_params[] = {
    LN_NUMBER(R, "R", "Ohm/m", "0", 0, INFINITY, 0, "resistance of both conductors per length"),
    LN_NUMBER(L, "L", "H/m", NULL, 0, INFINITY, LINNET_OPEN_MIN | LINNET_REQUIRED,
              "inductance per length"),
    LN_NUMBER(G, "G", "S/m", "0", 0, INFINITY, 0, "conductance between them per length"),
    LN_NUMBER(C, "C", "F/m", NULL, 0, INFINITY, LINNET_OPEN_MIN | LINNET_REQUIRED,
              "capacitance per length"),
    LN_NUMBER(LEN, "LEN", "m", "1 m", 0, INFINITY, LINNET_OPEN_MIN, "length"),
    LN_NUMBER(SECTIONS, "sections", "", "20", 1, MOST_SECTIONS, LINNET_INTEGER | LINNET_STRUCTURAL,
              "pieces it is computed by"),
};

static int lossy_variant(const double *const *values, const char *const *texts, char message[256]) {
    (void)texts, (void)message;
    return *values[R] > 0 || *values[G] > 0 ? (int)*values[SECTIONS] : 1;
}

static linnet_status prepare_lossy(const linnet_block *block, char message[256]) {
    const double *p = block->p;
    line_section *section = (line_section *)block->work;
    const int sections = sections_of(block->type);
    if ((p[R] > 0 || p[G] > 0) && sections != (int)p[SECTIONS]) {
        snprintf(message, 256,
                 "R and G cannot become other than zero within a run; set them before");
        return LINNET_MODEL;
    }
    const double length = p[LEN] / sections;
    *section = (line_section){.impedance = sqrt(p[L] / p[C]),
                              .lag = length * sqrt(p[L] * p[C]),
                              .half = 0.5 * p[R] * length,
                              .leak = p[G] * length,
                              .before = {NAN, NAN}};
    return LINNET_OK;
}

const linnet_block_class ln_lossy_line_class = {
    LINE,
    .name = "lossy-line",
    .doc = "Transmission line with losses, SPICE's O",
    .formula = "Z0 = sqrt(L/C)\n"
               "TD = LEN*sqrt(L*C)/sections\n"
               "(as many lossless pieces as `sections`, with R*LEN/(2*sections) at both ends of "
               "each and G*LEN/sections at the joints; the error falls as 1/sections^2; without L "
               "see rc-line; Branin, Proceedings of the IEEE 55, 1967)",
    .example = "<lossy-line id=\"O1\" p1=\"in\" n1=\"0\" p2=\"out\" n2=\"0\" R=\"2\" L=\"250e-9\" "
               "C=\"100e-12\" LEN=\"5 m\" sections=\"8\"/>",
    .params = lossy_params,
    .nparams = NLOSSY,
    .nvalues = NLOSSY,
    .variant = lossy_variant,
    .prepare = prepare_lossy,
};
