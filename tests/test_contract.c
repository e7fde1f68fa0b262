/* SPDX-License-Identifier: MIT */
/* What every class of the catalogue promises, tried on each: native, in equations and sized, all
 * from the example that the type itself gives.
 *
 *   tables      within bounds (ln_class_check); the example is an element of the type that
 * instantiates prepare     twice gives the same values Jacobian    entries against differences of q
 * and f at 100 random points; no column is left out fluxes      sum to zero over the ports of a
 * domain, where nothing stands behind the block NaN         in, then LINNET_RETRY or a value that
 * is not finite out modes       as decided at a point, their guards are not negative there; where a
 * guard is well below zero when the point has moved, the mode decided anew differs, and where well
 * above, it is the same breakpoints     at each, source and f have the two sides that they have
 * just before and after it, and none between lanes       a device's loops over lanes give the bits
 * of the device alone
 */
#include "base/domain.h"
#include "blocks/native/device.h"
#include "blocks_kit.h"
#include "unit.h"

#include <stdlib.h>

static ln_catalogue *catalogue;
static ln_report *report;

static void begin(void) {
    report = ln_report_new(NULL, NULL);
    catalogue = ln_catalogue_new(NULL, report, NULL);
    for (int k = 0; ln_report_text(report, k) != NULL; k++)
        printf("\n    %s", ln_report_text(report, k));
    CU_ASSERT_PTR_NOT_NULL_FATAL(catalogue);
}

static void end(void) {
    ln_catalogue_free(catalogue);
    ln_report_free(report);
}

/* Random numbers of our own, so that a failure can be repeated (Numerical Recipes' 64-bit
 * congruence). */
static unsigned long long seed = 1;
static double uniform(void) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) / 9007199254740992.0;
}

/* Instances beside the types' examples: parameter groups and inner nodes that change a class or its
 * equations. */
static const char *const more_instances[] = {
    "<spice-diode id=\"x\" p=\"a\" n=\"b\" BV=\"3\" IKF=\"1e-3\" IKR=\"1e-3\" ISR=\"1e-9\" "
    "JSW=\"1e-12\" PJ=\"2\" NS=\"1.3\" CJSW=\"1e-12\" "
    "TT=\"1e-9\" temp=\"80 degC\" GMIN=\"1e-6\"/>",
    "<bjt id=\"x\" c=\"a\" b=\"b\" e=\"d\" s=\"s\" type=\"pnp\" VAR=\"9\" VAF=\"20\" IKR=\"1e-3\" "
    "ISC=\"1e-13\" CJS=\"1e-12\" MJS=\"0.4\" XCJC=\"0.4\" "
    "CJC=\"1e-12\" TF=\"1e-9\" XTF=\"3\" ITF=\"1e-3\" VTF=\"2\" RB=\"100\" IRB=\"3e-9\" RBM=\"5\" "
    "temp=\"80 degC\"/>",
    "<mosfet id=\"x\" d=\"a\" g=\"b\" s=\"d\" b=\"s\" type=\"pmos\" VTO=\"-0.3\" TOX=\"25 nm\" "
    "NSUB=\"1e16\" LAMBDA=\"0.1\" CJ=\"3e-4\" CJSW=\"3e-10\" AD=\"1e-11\" "
    "PD=\"1e-5\"/>",
    "<mosfet id=\"x\" LEVEL=\"3\" d=\"a\" g=\"b\" s=\"d\" b=\"s\" L=\"1 um\" VTO=\"0.1\" TOX=\"25 "
    "nm\" NSUB=\"1e16\" XJ=\"0.2 um\" LD=\"0.1 um\" THETA=\"0.1\" "
    "ETA=\"0.05\" VMAX=\"1e5\" DELTA=\"0.5\" NFS=\"1e11\" KAPPA=\"0.3\" RD=\"10\"/>",
    "<mosfet id=\"x\" LEVEL=\"3\" d=\"a\" g=\"b\" s=\"d\" b=\"s\" L=\"1 um\" VTO=\"0.1\" TOX=\"25 "
    "nm\" NSUB=\"1e15\" KAPPA=\"0.3\" RS=\"10\"/>",
    "<mosfet id=\"x\" LEVEL=\"2\" d=\"a\" g=\"b\" s=\"d\" b=\"s\" L=\"1 um\" VTO=\"0.1\" TOX=\"25 "
    "nm\" NSUB=\"1e16\" XJ=\"0.2 um\" XQC=\"0.3\" "
    "UCRIT=\"1e4\" UEXP=\"0.2\" VMAX=\"1e5\" NEFF=\"2\" DELTA=\"0.5\" NFS=\"1e11\" RD=\"10\"/>",
    "<mosfet id=\"x\" LEVEL=\"2\" type=\"pmos\" d=\"a\" g=\"b\" s=\"d\" b=\"s\" L=\"2 um\" "
    "VTO=\"-0.1\" NSUB=\"1e15\" XQC=\"0.5\"/>",
    "<mosfet id=\"x\" LEVEL=\"2\" d=\"a\" g=\"b\" s=\"d\" b=\"s\" L=\"2 um\" VTO=\"0.1\" "
    "GAMMA=\"0\" LAMBDA=\"0.1\" UEXP=\"0.1\" VMAX=\"5e4\"/>",
    "<bjt id=\"x\" c=\"a\" b=\"b\" e=\"d\" s=\"s\" RCO=\"200\" VO=\"3\" GAMMA=\"1e-9\" "
    "QCO=\"1e-12\" RC=\"10\" RE=\"1\" TF=\"1e-9\" PTF=\"30\" "
    "IBE=\"1e-16\" IBC=\"2e-16\" XTF=\"2\" ISS=\"1e-15\"/>",
    "<spice-diode id=\"x\" p=\"a\" n=\"b\" JTUN=\"1e-6\" NTUN=\"20\" JTUNSW=\"1e-7\" PJ=\"2\" "
    "parallel=\"2\" TLEVC=\"1\" CTA=\"1e-3\" CJO=\"1e-12\" "
    "temp=\"60 degC\"/>",
    "<jfet id=\"x\" d=\"a\" g=\"b\" s=\"d\" VTO=\"-0.6\" B=\"0.6\" LAMBDA=\"0.05\" CGS=\"1e-12\" "
    "CGD=\"2e-12\" GMIN=\"1e-6\"/>",
    NULL};

static void check_instance(const char *text, const char *name, const char *group,
                           void (*check)(kit *setup)) {
    int failures = (int)CU_get_number_of_failures(), errors = ln_report_errors(report);
    kit tried;
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    kit_instance(&tried, catalogue, report, text);
    CU_ASSERT_EQUAL(tried.status, LINNET_OK);
    if (tried.class != NULL)
        check(&tried);
    if (tried.message[0] != '\0')
        printf("\n    %s: %s", name, tried.message);
    kit_free(&tried);
    if ((int)CU_get_number_of_failures() != failures)
        printf("\n    ^ type %s (%s)\n", name, group);
    for (int i = errors; i < ln_report_errors(report) && ln_report_text(report, i) != NULL; i++)
        printf("\n    %s", ln_report_text(report, i));
}

/* Calls `check` for an instance of every type, and says which one failed. */
static void for_each(void (*check)(kit *setup)) {
    const char *name, *group;
    begin();
    for (int k = 0; (name = ln_catalogue_name(catalogue, k, &group)) != NULL; k++) {
        linnet_status status;
        const ln_type *type = ln_catalogue_find(catalogue, name, &status);
        CU_ASSERT_EQUAL(status, LINNET_OK);
        /* Classes of types that know sizes come from whole models (test_vectors); a state space
         * needs none. */
        int needs_sizes = type != NULL && type->measure != NULL && strcmp(name, "state-space") != 0;
        /* An FMU is a file with code of its own, which tests/fmu_import.sh makes and runs. */
        int needs_file = strcmp(group, "foreign") == 0;
        if (type != NULL && type->face != NULL && !needs_sizes && !needs_file)
            check_instance(type->face->example, name, group, check);
    }
    for (int k = 0; more_instances[k] != NULL; k++)
        check_instance(more_instances[k], more_instances[k], "more", check);
    end();
}

/* ---- tables ---- */

static void check_tables(kit *setup) {
    const linnet_block_class *class = setup->class;
    CU_ASSERT_EQUAL(ln_class_check(class, report), LINNET_OK);
    CU_ASSERT(class->doc != NULL && class->doc[0] != '\0');
    CU_ASSERT(class->formula != NULL && class->formula[0] != '\0');
    for (int k = 0; k < class->nparams; k++)
        CU_ASSERT_PTR_NOT_NULL(class->params[k].doc);
}

static void check_prepare(kit *setup) {
    if (setup->class->prepare == NULL)
        return;
    double *first = malloc((setup->class->nwork + 1) * sizeof *first);
    CU_ASSERT_PTR_NOT_NULL_FATAL(first);
    memcpy(first, setup->work, setup->class->nwork * sizeof *first);
    CU_ASSERT_EQUAL(setup->class->prepare(&setup->block, setup->message), LINNET_OK);
    CU_ASSERT(memcmp(first, setup->work, setup->class->nwork * sizeof *first) == 0);
    free(first);
}

/* ---- Jacobian ---- */

/* Typical size of a local unknown. */
static double size_of(const linnet_block_class *class, int unknown) {
    if (unknown < class->nports) {
        const ln_domain_info *domain = ln_domain(class->ports[unknown].domain);
        return domain->potential_nominal > 0 ? domain->potential_nominal : 1;
    }
    double nominal = class->vars[unknown - class->nports].nominal;
    return nominal > 0 ? nominal : 1;
}

static void random_point(const linnet_block_class *class, double *x) {
    for (int k = 0; k < class->nports + class->nvars; k++) {
        /* above absolute zero */
        int is_thermal = k < class->nports && class->ports[k].domain == LINNET_THERMAL;
        x[k] = size_of(class, k) * (is_thermal ? 0.5 + uniform() : 2 * uniform() - 1);
    }
}

/* q and f at x with one unknown moved. */
static int moved(kit *setup, double t, double *x, int col, double by, double *q, double *f) {
    double kept = x[col];
    x[col] += by;
    linnet_status status = kit_at(setup, t, t, x);
    x[col] = kept;
    memcpy(q, setup->q, sizeof setup->q);
    memcpy(f, setup->f, sizeof setup->f);
    return status == LINNET_OK;
}

/* 1 when the entry agrees with the differences, or the point lies at a kink (the two sides differ).
 * h: the step. */
static int agrees(double entry, double far_left, double left, double here, double right,
                  double far_right, double h) {
    double slope = (8 * (right - left) - (far_right - far_left)) / (12 * h);
    double noise = 1e-15 * (fabs(left) + fabs(right) + fabs(far_left) + fabs(far_right)) / h;
    /* an exponential of 40 has 40 times the rounding of its argument */
    if (fabs(slope - entry) <= 1e-6 * fabs(entry) + 40 * noise + 1e-300)
        return 1;
    double forward = (right - here) / h, backward = (here - left) / h;
    return fabs(forward - backward) > 1e-3 * (fabs(forward) + fabs(backward));
}

/* Compares one column at a point; returns 0 where the functions have no value. */
static int check_column(kit *setup, double t, double *x, int col) {
    static double q[5][KIT_MAX], f[5][KIT_MAX], entry[KIT_ENTRIES];
    const linnet_block_class *class = setup->class;
    double h = 1e-5 * size_of(class, col);
    volatile double there = x[col] + h; /* a step that the numbers have */
    h = there - x[col];
    for (int k = -2; k <= 2; k++)
        if (!moved(setup, t, x, col, k * h, q[k + 2], f[k + 2]))
            return 0;
    if (kit_at(setup, t, t, x) != LINNET_OK)
        return 0;
    memcpy(entry, setup->entry, sizeof entry);
    for (int row = 0; row < class->nports + class->nvars; row++) {
        double a = kit_entry(setup, LINNET_A, row, col), e = kit_entry(setup, LINNET_E, row, col);
        int good_a = agrees(a, f[0][row], f[1][row], f[2][row], f[3][row], f[4][row], h);
        int good_e = agrees(e, q[0][row], q[1][row], q[2][row], q[3][row], q[4][row], h);
        CU_ASSERT(good_a && good_e);
        if (!good_a || !good_e)
            printf("\n    row %d column %d at %g: df %g, differences %g; dq %g, differences %g",
                   row, col, x[col], a, (f[3][row] - f[1][row]) / (2 * h), e,
                   (q[3][row] - q[1][row]) / (2 * h));
    }
    return 1;
}

static void check_jacobian(kit *setup) {
    int n = setup->class->nports + setup->class->nvars, good = 0, tried = 0;
    double x[KIT_MAX];
    seed = 1;
    for (int point = 0; point < 100; point++) {
        random_point(setup->class, x);
        for (int col = 0; col < n; col++, tried++)
            good += check_column(setup, 0.37 * uniform(), x, col);
    }
    /* many points lie in the domain of the equations, for a logarithm half of them */
    CU_ASSERT(5 * good >= 2 * tried);
}

/* ---- fluxes ---- */

/* Types that lean on something outside their ports: the frame of a gear box or lever, the supply of
 * an amplifier, the shaft and housing of a machine; or that keep or turn into heat what comes in.
 */
static int leans_on_something(const char *name) {
    static const char *const types[] = {"gear",     "lossy-gear",        "differential",
                                        "cylinder", "compressible-pipe", "peltier-element",
                                        "lever",    "ideal-op-amp",      "op-amp"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strcmp(name, types[k]) == 0)
            return 1;
    return 0;
}

/* Whose own rows are Kirchhoff's law at inner nodes. */
static int has_inner_nodes(const linnet_block_class *class) {
    return class->eval == ln_device_eval || strcmp(class->name, "rc-line") == 0;
}

static void check_fluxes(kit *setup) {
    const linnet_block_class *class = setup->class;
    double x[KIT_MAX];
    seed = 7;
    for (int domain = LINNET_SIGNAL + 1; domain < LINNET_DOMAINS; domain++) {
        int ports = 0;
        for (int k = 0; k < class->nports; k++)
            ports += class->ports[k].domain == (linnet_domain)domain;
        for (int point = 0; point < 20 && ports > 1 && !leans_on_something(class->name); point++) {
            double q = 0, f = 0, q_size = 0, f_size = 0;
            random_point(class, x);
            if (kit_at(setup, 0.1, 0.1, x) != LINNET_OK)
                continue;
            const int inner = has_inner_nodes(class) ? class->nvars : 0;
            for (int k = 0; k < class->nports + inner; k++) {
                if (k < class->nports && class->ports[k].domain != (linnet_domain)domain)
                    continue;
                q += setup->q[k], f += setup->f[k];
                q_size += fabs(setup->q[k]), f_size += fabs(setup->f[k]);
            }
            CU_ASSERT(fabs(q) <= 1e-12 * q_size && fabs(f) <= 1e-12 * f_size);
        }
    }
}

/* ---- NaN ---- */

static void check_nan(kit *setup) {
    double x[KIT_MAX];
    int finite = 1, depends = 0;
    for (int k = 0; k < KIT_MAX; k++)
        x[k] = NAN;
    if (setup->class->eval == NULL)
        return;
    for (int k = 0; k < setup->class->nentries; k++)
        depends |= setup->class->entries[k].change == LINNET_STATE;
    linnet_out out = {setup->q, setup->f, setup->entry};
    memset(setup->q, 0, sizeof setup->q), memset(setup->f, 0, sizeof setup->f),
        memset(setup->entry, 0, sizeof setup->entry);
    /* what a delay of NaN gives */
    if (setup->class->ndelays > 0)
        setup->m[setup->class->nmemories - setup->class->nmodes - 3] = NAN;
    linnet_status status =
        setup->class->eval(&setup->block, &(linnet_point){0.1, 0.1, x, setup->m}, &out);
    for (int k = 0; k < setup->class->nports + setup->class->nvars; k++)
        finite &= isfinite(setup->q[k]) && isfinite(setup->f[k]);
    for (int k = 0; k < setup->class->nentries; k++)
        finite &= isfinite(setup->entry[k]);
    /* may give what it has kept */
    int remembers = setup->class->nmemories > setup->class->nmodes;
    CU_ASSERT(status == LINNET_RETRY || !finite || !depends || remembers);
    char text[128] = "";
    if (setup->class->explain != NULL)
        (void)setup->class->explain(&setup->block, text);
    CU_ASSERT(memchr(text, '\0', sizeof text) != NULL);
}

/* ---- modes ---- */

static void check_modes(kit *setup) {
    const linnet_block_class *class = setup->class;
    const int first = class->nmemories - class->nmodes;
    double x[KIT_MAX], guard[KIT_MEMORIES], mode[KIT_MEMORIES];
    if (class->nmodes == 0)
        return;
    seed = 11;
    for (int point = 0; point < 100; point++) {
        double t = uniform();
        random_point(class, x);
        class->modes(&setup->block, &(linnet_point){t, t, x, setup->m}, setup->m + first);
        class->guards(&setup->block, &(linnet_point){t, t, x, setup->m}, guard);
        for (int k = 0; k < class->nmodes; k++)
            CU_ASSERT(guard[k] >= 0);
        t += 0.1 * uniform();
        random_point(class, x);
        class->guards(&setup->block, &(linnet_point){t, t, x, setup->m}, guard);
        class->modes(&setup->block, &(linnet_point){t, t, x, setup->m}, mode);
        /* others may be frozen in its guard */
        for (int k = 0; k < class->nmodes && class->nmodes == 1; k++)
            CU_ASSERT(fabs(guard[k]) < 1e-9 || (guard[k] < 0) == (mode[k] != setup->m[first + k]));
    }
}

/* ---- breakpoints ---- */

/* 1 when f at (t, decide) agrees with f at (near, near). */
static int same_side(kit *setup, const double *x, double t, double decide, double near) {
    double f[KIT_MAX];
    if (kit_at(setup, t, decide, x) != LINNET_OK)
        return 1;
    memcpy(f, setup->f, sizeof f);
    if (kit_at(setup, near, near, x) != LINNET_OK)
        return 1;
    for (int k = 0; k < setup->class->nports + setup->class->nvars; k++)
        if (fabs(f[k] - setup->f[k]) > 1e-4 * (1 + fabs(f[k])))
            return 0;
    return 1;
}

static void check_corners(kit *setup) {
    double x[KIT_MAX], t = -1;
    if (setup->class->next_breakpoint == NULL)
        return;
    seed = 3;
    random_point(setup->class, x);
    for (int k = 0; k < 8; k++) {
        double breakpoint = setup->class->next_breakpoint(&setup->block, t, setup->m);
        CU_ASSERT(breakpoint > t);
        if (!(breakpoint > t) || breakpoint > 1e6)
            return; /* 1e308: never */
        double after = setup->class->next_breakpoint(&setup->block, breakpoint, setup->m);
        double left = breakpoint - t, right = fmin(after - breakpoint, 1);
        CU_ASSERT(
            same_side(setup, x, breakpoint, breakpoint - 0.3 * left, breakpoint - 1e-9 * left));
        CU_ASSERT(
            same_side(setup, x, breakpoint, breakpoint + 0.3 * right, breakpoint + 1e-9 * right));
        for (int i = 1; i < 50; i++) { /* no jump that is not a breakpoint */
            double at = t + left * i / 50;
            CU_ASSERT(same_side(setup, x, at, at, at + 1e-9 * left));
        }
        t = breakpoint;
    }
}

/* ---- devices side by side ---- */

/* In every lane the device of kit[lane % kits], one class, each at a point of its own: the bits of
 * the device alone. */
static void check_lanes_of(kit *const *setup, int kits) {
    static const double voltages[] = {0,    1e-9,  -1e-9, 0.03, 0.3,  0.55, 0.7,
                                      0.95, -0.05, -0.08, -0.5, -2.5, 8,    -40};
    enum { VOLTAGES = sizeof voltages / sizeof *voltages, NUMBERS = 1 + LN_DEVICE_CONTROLS };
    const ln_device_shape *shape = ln_device_shape_of(setup[0]->class);
    if (shape == NULL || shape->device->flows_of_lanes == NULL)
        return;
    for (int point = 0; point < 200; point++) {
        ln_device_lanes at[LN_DEVICE_NODES], flow[LN_DEVICE_BRANCHES * NUMBERS];
        const double *node[LN_DEVICE_NODES], *work[LN_DEVICE_LANES];
        for (int k = 0; k < shape->nnodes; k++)
            node[k] = at[(int)shape->unknown[k]];
        for (int l = 0; l < LN_DEVICE_LANES; l++) {
            work[l] = setup[l % kits]->work;
            for (int k = 0; k < shape->nunknowns; k++)
                at[k][l] = voltages[(int)(uniform() * VOLTAGES)] * (k % 2 == 0 ? 1 : uniform());
        }
        if (!shape->device->flows_of_lanes(work, node, flow))
            continue;
        for (int l = 0; l < LN_DEVICE_LANES; l++) {
            ln_flow alone[LN_DEVICE_BRANCHES];
            double v[LN_DEVICE_NODES];
            for (int k = 0; k < shape->nnodes; k++)
                v[k] = node[k][l];
            shape->device->flows(&setup[l % kits]->block, v, alone);
            for (int k = 0; k < shape->njoined; k++)
                for (int c = 0; c <= shape->joined[k].ncontrols; c++) {
                    const int number = shape->joined[k].branch * NUMBERS + c;
                    CU_ASSERT(memcmp(&flow[number][l], &alone[0].value + number, sizeof(double)) ==
                              0);
                }
        }
    }
}

static void check_lanes(kit *setup) {
    seed = 11;
    check_lanes_of(&setup, 1);
}

static void test_lanes(void) {
    static kit one, other;
    kit *const both[] = {&one, &other};
    for_each(check_lanes);
    begin();
    kit_instance(&one, catalogue, report,
                 "<spice-diode id='x' p='a' n='b' CJO='3e-12' M='0.4' VJ='0.8' TT='1e-9'/>");
    kit_instance(&other, catalogue, report,
                 "<spice-diode id='x' p='a' n='b' IS='1e-11' CJO='1e-12' FC='0.3' BV='30'/>");
    CU_ASSERT_PTR_NOT_NULL_FATAL(one.class);
    CU_ASSERT_PTR_NOT_NULL_FATAL(other.class);
    seed = 12;
    check_lanes_of(both, 2);
    kit_free(&one);
    kit_free(&other);
    end();
}

static void test_tables(void) {
    for_each(check_tables);
}
static void test_prepare(void) {
    for_each(check_prepare);
}
static void test_jacobian(void) {
    for_each(check_jacobian);
}
static void test_fluxes(void) {
    for_each(check_fluxes);
}
static void test_nan(void) {
    for_each(check_nan);
}
static void test_modes(void) {
    for_each(check_modes);
}
static void test_corners(void) {
    for_each(check_corners);
}

UNIT_MAIN({"tables and examples", test_tables}, {"prepare twice", test_prepare},
          {"Jacobian", test_jacobian}, {"fluxes sum to zero", test_fluxes},
          {"NaN in, no number out", test_nan}, {"modes and guards", test_modes},
          {"corners", test_corners}, {"devices side by side", test_lanes})
