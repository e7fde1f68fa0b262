/* SPDX-License-Identifier: MIT */
/* State matrices: those of a linear block are its own (M20 of the notes), those of a nonlinear
 * circuit foretell what its own simulation does after a small step, and a MATLAB file gives them
 * back. */
#include "small_signal_kit.h"
#include "result/matfile.h"
#include <math.h>
#include <matio.h>
#include <stdlib.h>
#include <unistd.h>

static double uniform(void) {
    static unsigned seed = 2024;
    seed = seed * 1103515245u + 12345u;
    return (double)(seed >> 16 & 0x7fff) / 16384 - 1;
}

/* Appends rows x cols numbers as "a b; c d" and keeps them column by column. */
static void put_matrix(ln_text *text, const char *name, int rows, int cols, double *values) {
    ln_text_printf(text, " %s='", name);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            values[j * rows + i] = round(uniform() * 1e4) / 1e4;
            ln_text_printf(text, "%s%.4f", j > 0 ? " " : i > 0 ? "; " : "", values[j * rows + i]);
        }
    ln_text_add(text, "'");
}

static linnet_status matrices_of(bench *rig, const char *const *inputs, int ninputs,
                                 ln_state_space *m) {
    int noutputs;
    const ln_column *outputs = ln_recorder_columns(rig->simulation.recorder, &noutputs);
    return ln_state_space_make(&rig->small, &(ln_space_ports){inputs, ninputs, outputs, noutputs},
                               (ln_state_space_how){.descriptor = 0}, m);
}

static double worst_difference(const double *a, const double *b, int count) {
    double worst = 0;
    for (int k = 0; k < count; k++)
        worst = fmax(worst, fabs(a[k] - b[k]));
    return worst;
}

static void linear_block(void) {
    for (int n = 3; n <= 11; n += 2) {
        double A[121], B[22], C[33], D[6];
        ln_text xml = {0};
        ln_text_add(
            &xml, "<model xmlns='urn:linnet:model:1'><constant id='c1' out='u1' "
                  "value='0'/><constant id='c2' out='u2' "
                  "value='0'/><mux id='m' in='u1 u2' out='u'/><state-space id='P' in='u' out='y'");
        put_matrix(&xml, "A", n, n, A);
        put_matrix(&xml, "B", n, 2, B);
        put_matrix(&xml, "C", 3, n, C);
        put_matrix(&xml, "D", 3, 2, D);
        ln_text_add(&xml, "/></model>");
        bench rig = linearised(xml.data, "y[1] y[2] y[3]", -1);
        ln_state_space m;
        CU_ASSERT_EQUAL_FATAL(matrices_of(&rig, (const char *const[]){"c1", "c2"}, 2, &m),
                              LINNET_OK);
        CU_ASSERT_EQUAL_FATAL(m.n, n);
        CU_ASSERT(worst_difference(m.A, A, n * n) < 1e-13);
        CU_ASSERT(worst_difference(m.B, B, 2 * n) < 1e-13);
        CU_ASSERT(worst_difference(m.C, C, 3 * n) < 1e-13);
        CU_ASSERT(worst_difference(m.D, D, 6) < 1e-13);
        ln_state_space_free(&m);
        done(&rig);
        ln_text_free(&xml);
    }
}

/* A diode that charges a capacitor behind an inductor: nonlinear, with two states. */
#define CIRCUIT                                                                                  \
    "<model xmlns='urn:linnet:model:1'><ground id='gnd' p='0'/><voltage-source id='V1' p='in' "  \
    "n='0' V='2 V'/>"                                                                            \
    "<inductor id='L1' p='in' n='a' L='1 mH'/><diode id='D1' p='a' n='out'/><capacitor id='C1' " \
    "p='out' n='0' C='1 uF'/>"                                                                   \
    "<resistor id='R1' p='out' n='0' R='100 Ohm'/><simulation duration='200 us' "                \
    "tolerance='1e-10' method='radau5'/></model>"

typedef struct last_row {
    ln_sink sink;
    double value;
    int column;
} last_row;

static linnet_status keep_last(ln_sink *sink, double t, const double *values) {
    (void)t;
    ((last_row *)sink)->value = values[((last_row *)sink)->column];
    return LINNET_OK;
}
static linnet_status opened(ln_sink *sink, const ln_column *columns, int count) {
    (void)sink;
    (void)columns;
    (void)count;
    return LINNET_OK;
}
static linnet_status closed(ln_sink *sink, int complete) {
    (void)sink;
    (void)complete;
    return LINNET_OK;
}

/* `out` after the run that starts at the operating point x with another voltage. */
static double run_from(const double *x, const char *voltage) {
    bench rig = {.report = ln_report_new(hear, NULL)};
    ln_override override = {"V1.V", voltage};
    last_row last = {{.open = opened, .row = keep_last, .close = closed}, NAN, 0};
    CU_ASSERT_EQUAL_FATAL(
        ln_model_read_memory("test.xml", CIRCUIT, strlen(CIRCUIT), NULL, rig.report, &rig.model),
        LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(
        ln_simulation_prepare(&rig.simulation, rig.model,
                              &(ln_request){.overrides = &override, .noverrides = 1}, 1, NULL,
                              rig.report),
        LINNET_OK);
    rig.simulation.settings.start_x = x;
    int noutputs;
    const ln_column *columns = ln_recorder_columns(rig.simulation.recorder, &noutputs);
    while (last.column < noutputs && strcmp(columns[last.column].name, "out") != 0)
        last.column++;
    CU_ASSERT_FATAL(last.column < noutputs);
    CU_ASSERT_EQUAL_FATAL(ln_simulation_run(&rig.simulation, &last.sink, NULL, NULL), LINNET_OK);
    done(&rig);
    return last.value;
}

/* d out(t)/dV from the matrices: C (exp(A t) - 1) A^-1 B + D, as the last column of the exponential
 * of [A B; 0 0] t. */
static double foretold(const ln_state_space *m, double t) {
    double big[9] = {0}, sum = m->D[0];
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            big[j * 3 + i] = m->A[j * 2 + i] * t;
    for (int i = 0; i < 2; i++)
        big[6 + i] = m->B[i] * t;
    CU_ASSERT_EQUAL_FATAL(ln_dense_exponential(3, big), LINNET_OK);
    for (int i = 0; i < 2; i++)
        sum += m->C[i] * big[6 + i];
    return sum;
}

static void against_simulation(void) {
    bench rig = linearised(CIRCUIT, "out", -1);
    ln_state_space m;
    CU_ASSERT_EQUAL_FATAL(matrices_of(&rig, (const char *const[]){"V1"}, 1, &m), LINNET_OK);
    CU_ASSERT_EQUAL_FATAL(m.n, 2);
    const double slope =
        (run_from(rig.small.x, "2.001 V") - run_from(rig.small.x, "1.999 V")) / 0.002;
    CHECK_CLOSE(slope, foretold(&m, 200e-6), 2e-5);
    CU_ASSERT(fabs(slope - 1) > 0.01); /* it still swings */
    ln_state_space_free(&m);
    done(&rig);
}

static void matlab(void) {
    char path[] = "/tmp/linnet-mat-XXXXXX";
    const double values[] = {1, -2.5, 1e-300, 4, 0.1, 1.0 / 3};
    const char *const names[] = {"P.y", "C1.v"};
    const ln_mat_item items[] = {{.name = "A", .rows = 3, .cols = 2, .values = values},
                                 {.name = "states", .rows = 2, .cols = 1, .texts = names}};
    ln_report *report = ln_report_new(NULL, NULL);
    int fd = mkstemp(path);
    CU_ASSERT_FATAL(fd >= 0);
    close(fd);
    CU_ASSERT_EQUAL_FATAL(ln_matfile_write(path, items, 2, report), LINNET_OK);
    mat_t *file = Mat_Open(path, MAT_ACC_RDONLY);
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    matvar_t *A = Mat_VarRead(file, "A"), *states = Mat_VarRead(file, "states");
    CU_ASSERT_FATAL(A != NULL && states != NULL);
    CU_ASSERT(A->rank == 2 && A->dims[0] == 3 && A->dims[1] == 2 && A->data_type == MAT_T_DOUBLE);
    CU_ASSERT(memcmp(A->data, values, sizeof values) == 0);
    CU_ASSERT(states->class_type == MAT_C_CELL && states->dims[0] == 2);
    for (int k = 0; k < 2; k++) {
        const matvar_t *cell = Mat_VarGetCell(states, k);
        CU_ASSERT(cell != NULL && cell->class_type == MAT_C_CHAR &&
                  cell->dims[1] == strlen(names[k]));
        CU_ASSERT(cell != NULL && memcmp(cell->data, names[k], strlen(names[k])) == 0);
    }
    Mat_VarFree(A);
    Mat_VarFree(states);
    Mat_Close(file);
    ln_report_free(report);
    unlink(path);
}

/* Index 2. Two inertias on a gear of ratio 3 (J1 = 2 at a, J2 = 1/2 at b, a spring of 8 and a
 * damper of 0.3 at b): (J2 + 9 J1) w' = 3 tau - 0.3 w - 8 phi, phi' = w. */
static void gear(void) {
    static const char xml[] =
        "<model xmlns='urn:linnet:model:1'><fixed-shaft id='fs' p='0'/>"
        "<torque-source id='T1' p='0' n='a' tau='0'/><inertia id='J1' p='a' J='2'/>"
        "<gear id='G' p='a' n='b' ratio='3'/><inertia id='J2' p='b' J='0.5'/>"
        "<torsion-spring id='K' p='b' n='0' k='8'/>"
        "<rotational-damper id='D' p='b' n='0' d='0.3'/></model>";
    bench rig = linearised(xml, "b K.phi", -1);
    const char *const inputs[] = {"T1"};
    ln_state_space m;
    CU_ASSERT_EQUAL_FATAL(matrices_of(&rig, inputs, 1, &m), LINNET_OK);
    CU_ASSERT_EQUAL(m.n, 2);
    for (int k = 0; k < 4; k++) {
        const double complex s = 0.1 * (k + 1) + 0.3 * k * I;
        const double complex w = 3 / (18.5 * s + 0.3 + 8 / s);
        CHECK_CLOSE(cabs(response_of(&m, 0, 0, s) / w - 1), 0, 1e-12);
        CHECK_CLOSE(cabs(response_of(&m, 0, 1, s) / (w / s) - 1), 0, 1e-12);
    }
    ln_state_space_free(&m);
    done(&rig);
}

/* A capacitive divider: what the source gives at once is a feedthrough of C1/(C1 + C2), and the
 * rest decays with R (C1 + C2). The source's own current sees the derivative of its voltage. */
static void divider(void) {
    static const char xml[] =
        "<model xmlns='urn:linnet:model:1'><ground id='g' p='0'/>"
        "<voltage-source id='V1' p='in' n='0' V='1 V'/><capacitor id='C1' p='in' n='out' C='3 pF'/>"
        "<capacitor id='C2' p='out' n='0' C='1 pF'/><resistor id='R1' p='out' n='0' R='180 Ohm'/>"
        "</model>";
    const char *const inputs[] = {"V1"};
    ln_state_space m;
    bench rig = linearised(xml, "out", -1);
    CU_ASSERT_EQUAL_FATAL(matrices_of(&rig, inputs, 1, &m), LINNET_OK);
    CU_ASSERT_EQUAL(m.n, 1);
    CHECK_CLOSE(m.D[0], 0.75, 1e-15);
    for (int k = 0; k < 4; k++) {
        const double complex s = pow(10, 6 + k) * I;
        const double complex exact = s * 3e-12 / (s * 4e-12 + 1.0 / 180);
        CHECK_CLOSE(cabs(response_of(&m, 0, 0, s) / exact - 1), 0, 1e-12);
    }
    ln_state_space_free(&m);
    done(&rig);
    rig = linearised(xml, "V1.i", -1);
    CU_ASSERT_EQUAL(matrices_of(&rig, inputs, 1, &m), LINNET_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "sees the derivative of V1"));
    ln_state_space_free(&m);
    done(&rig);
}

UNIT_MAIN({"a linear block", linear_block}, {"against simulation", against_simulation},
          {"MATLAB file", matlab}, {"two inertias on a gear", gear},
          {"a capacitive divider", divider})
