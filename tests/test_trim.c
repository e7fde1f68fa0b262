/* SPDX-License-Identifier: MIT */
/* Trims: cases M15 and M21 of the notes, closed forms, bounds, and what cannot be. */
#include "analysis/trim.h"
#include "heard.h"
#include "model/model.h"
#include "unit.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"
#define PROPELLER                                                                                  \
    "<block-type name='propeller'><port name='shaft' domain='rotational'/><output name='thrust'/>" \
    "<parameter name='D' unit='m' default='0.2032'/><parameter name='rho' unit='kg/m^3' "          \
    "default='1.29'/>"                                                                             \
    "<let name='n' value='shaft.w/(2*pi)'/><equation>thrust = 0.09*rho*D^4*n*abs(n)</equation>"    \
    "<equation>shaft.tau = 0.04*rho*D^5*n*abs(n)/(2*pi)</equation></block-type><ground id='gnd' "  \
    "p='0'/>"
#define MOTOR(k, V)                                                                        \
    "<voltage-source id='V" k "' p='a" k "' n='0' V='" V "'/><resistor id='R" k "' p='a" k \
    "' n='c" k "' R='0.0433'/>"                                                            \
    "<motor-constant id='M" k "' p='c" k "' n='0' shaft='s" k "' k='0.789 mN.m/A'/>"       \
    "<inertia id='J" k "' p='s" k "' J='5.284e-6'/><propeller id='P" k "' shaft='s" k      \
    "' thrust='t" k "'/>"

typedef struct bench {
    ln_report *report;
    ln_model *model;
    ln_operating op;
    ln_trim trim;
    linnet_status status;
} bench;

static bench trimmed(const char *xml, ln_trim_request request) {
    bench rig = {.report = ln_report_new(hear, NULL)};
    said[0] = '\0';
    rig.status = ln_model_read_memory("test.xml", xml, strlen(xml), NULL, rig.report, &rig.model);
    if (rig.status == LINNET_OK)
        rig.status = ln_trim_find(rig.model, &(ln_request){.prefix = "--"}, &request, rig.report,
                                  &rig.op, &rig.trim);
    return rig;
}

static void end(bench *rig) {
    ln_trim_free(&rig->trim);
    ln_operating_free(&rig->op);
    ln_model_free(rig->model);
    ln_report_free(rig->report);
}

static double value(const bench *rig, const char *name) {
    for (int k = 0; k < rig->op.ncolumns; k++)
        if (strcmp(rig->op.columns[k].name, name) == 0)
            return rig->op.values[k];
    return NAN;
}

/* M15: a motor with propeller that hovers. */
static void hover(void) {
    const char *const frees[] = {"V1.V=3.5:0:12"}, *const holds[] = {"t1 = 1.5/4*9.81"};
    bench rig =
        trimmed(MODEL(PROPELLER MOTOR("1", "1 V")), (ln_trim_request){frees, 1, holds, 1, NULL});
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(value(&rig, "s1"), 856.5771575, 1e-9);
    CHECK_CLOSE(value(&rig, "M1.i"), 67.0169392, 1e-9);
    CHECK_CLOSE(rig.trim.found[0].value, 3.5776728, 1e-7);
    CHECK_CLOSE(value(&rig, "P1.P"), 45.2926865, 1e-8);
    CHECK_CLOSE(value(&rig, "P1.tau"), 0.0528764, 1e-7);
    end(&rig);
}

#define ENGINE(k, x, y, turns)                                                              \
    "<voltage-source id='V" k "' p='a" k "' n='0' V='3 V'/><resistor id='R" k "' p='a" k    \
    "' n='c" k "' R='0.0433'/>"                                                             \
    "<motor-constant id='M" k "' p='c" k "' n='0' shaft='s" k                               \
    "' k='0.789 mN.m/A'/><inertia id='J" k "' p='s" k "' J='5.284e-6'/>"                    \
    "<air-propeller id='P" k "' shaft='s" k "' thrust='t" k "' torque='q" k                 \
    "' D='0.2032' ct='0.09' cp='0.04' rho='1.29'/>"                                         \
    "<thruster id='T" k "' thrust='t" k "' torque='q" k "' fz='f" k "' mx='x" k "' my='y" k \
    "' mz='z" k "' arm='" x ", " y ", 0'"                                                   \
    " axis='0 0 -1' turns='" turns "'/>"

/* M15: four of them, opposite ones turning alike, carry a body of 1.5 kg without turning it. */
static void quadcopter(void) {
    static const char xml[] =
        MODEL("<ground id='gnd' p='0'/>" ENGINE("1", "0.25", "0.25", "1")
                  ENGINE("2", "-0.25", "0.25", "-1") ENGINE("3", "-0.25", "-0.25", "1")
                      ENGINE("4", "0.25", "-0.25", "-1"));
    const char *const frees[] = {"V1.V=3:0:12", "V2.V=3.2:0:12", "V3.V=4:0:12", "V4.V=3:0:12"};
    const char *const holds[] = {"f1 + f2 + f3 + f4 = -1.5*9.81", "x1 + x2 + x3 + x4 = 0",
                                 "y1 + y2 + y3 + y4 = 0", "z1 + z2 + z3 + z4 = 0"};
    bench rig = trimmed(xml, (ln_trim_request){frees, 4, holds, 4, NULL});
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(value(&rig, "M1.i") + value(&rig, "M2.i") + value(&rig, "M3.i") +
                    value(&rig, "M4.i"),
                268.0677568, 1e-9);
    for (int k = 0; k < 4; k++)
        CHECK_CLOSE(rig.trim.found[k].value, 3.5776728, 1e-7);
    CHECK_CLOSE(value(&rig, "s1"), 856.5771575, 1e-9);
    CHECK_CLOSE(value(&rig, "x1"), -3.67875 / 4, 1e-9);
    CHECK_CLOSE(value(&rig, "y1"), 3.67875 / 4, 1e-9);
    CHECK_CLOSE(value(&rig, "z1"), -0.0528764, 1e-7);
    end(&rig);
}

/* A body that begins askew: of its quaternion one number is redundant where its length is one, and
 * turning about the thrust costs nothing. Gravity has a part along x: the thrust is m|g|, against
 * it. */
#define BODY(attitude)                                                                           \
    "<constant id='c' value='1' out='T'/><thruster id='k' thrust='T' arm='0 0 0' axis='0 0 -1' " \
    "fz='fz'/>"                                                                                  \
    "<rigid-body id='b' fz='fz' mass='1.5' Ixx='0.02' Iyy='0.02' Izz='0.04' gravity='3 0 9.81' " \
    "attitude='" attitude "'/>"

static void askew(void) {
    static const char *const models[] = {MODEL(BODY("0.99 0.1 0.05 0.02")),
                                         MODEL(BODY("0.8 -0.5 0.3 0.1"))};
    const char *const frees[] = {"c.value=10:0:100"}, *const holds[] = {"b.z = -2", "b.x = 1",
                                                                        "b.y = 3"};
    const double g = sqrt(9 + 9.81 * 9.81);
    for (size_t k = 0; k < sizeof models / sizeof *models; k++) {
        bench rig = trimmed(models[k], (ln_trim_request){frees, 1, holds, 3, NULL});
        CU_ASSERT_EQUAL(rig.status, LINNET_OK);
        if (rig.status != LINNET_OK)
            printf("\n    %s\n", said);
        CHECK_CLOSE(rig.trim.found[0].value, 1.5 * g, 1e-9);
        CHECK_CLOSE(value(&rig, "b.R[1,3]"), 3 / g, 1e-9);
        CHECK_CLOSE(value(&rig, "b.R[3,3]"), 9.81 / g, 1e-9);
        CHECK_CLOSE(value(&rig, "b.length"), 1, 1e-9);
        CHECK_CLOSE(value(&rig, "b.z"), -2, 1e-12);
        end(&rig);
    }
    /* of all those, one */
    bench trim_rig = trimmed(models[0], (ln_trim_request){frees, 1, holds, 1, "(b.yaw - 0.5)^2"});
    CU_ASSERT_EQUAL_FATAL(trim_rig.status, LINNET_OK);
    CHECK_CLOSE(value(&trim_rig, "b.yaw"), 0.5, 1e-6);
    CHECK_CLOSE(trim_rig.trim.found[0].value, 1.5 * g, 1e-9);
    end(&trim_rig);
}

/* M21: two propellers share the thrust with the least power: alike, for power is a convex function
 * of thrust. */
static void least_power(void) {
    const char *const frees[] = {"V1.V=5:0:12", "V2.V=1:0:12"}, *const holds[] = {
                                                                    "t1 + t2 = 1.5*9.81/4"};
    bench rig = trimmed(MODEL(PROPELLER MOTOR("1", "1 V") MOTOR("2", "1 V")),
                        (ln_trim_request){frees, 2, holds, 1, "P1.P + P2.P"});
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(value(&rig, "t1") + value(&rig, "t2"), 1.5 * 9.81 / 4, 1e-11);
    CHECK_CLOSE(value(&rig, "t1"), 1.5 * 9.81 / 8, 1e-5);
    /* thrust a n^2, power b n^3: P = 2 b (T/2a)^1.5 */
    double a = 0.09 * 1.29 * pow(0.2032, 4), b = 0.04 * 1.29 * pow(0.2032, 5);
    CHECK_CLOSE(rig.trim.objective, 2 * b * pow(1.5 * 9.81 / 8 / a, 1.5), 1e-9);
    end(&rig);
}

#define PENDULUM                                                                             \
    MODEL("<block-type name='pendulum'><input name='torque'/><output name='energy'/><state " \
          "name='angle' start='1'/>"                                                         \
          "<state name='speed' start='0.5'/><equation>der(angle) = speed</equation>"         \
          "<equation>der(speed) = torque - 9.81*sin(angle)</equation>"                       \
          "<equation>energy = speed^2/2 + 9.81*(1 - cos(angle))</equation></block-type>"     \
          "<constant id='u' out='torque' value='3'/><pendulum id='p' torque='torque' "       \
          "energy='energy'/>")

/* M21: the least energy of a pendulum within angles of +-pi: hanging down; within bounds that keep
 * it from there: at the bound, held by the torque. */
static void pendulum(void) {
    const char *const free_wide[] = {"u.value", "p.angle=1:-pi:pi"}, *const free_narrow[] = {
                                                                         "u.value",
                                                                         "p.angle=1:0.5:pi"};
    bench rig = trimmed(PENDULUM, (ln_trim_request){free_wide, 2, NULL, 0, "energy"});
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(value(&rig, "p.angle"), 0, 1e-5);
    CHECK_CLOSE(value(&rig, "p.speed"), 0, 1e-10);
    CHECK_CLOSE(rig.trim.objective, 0, 1e-10);
    end(&rig);
    rig = trimmed(PENDULUM, (ln_trim_request){free_narrow, 2, NULL, 0, "energy"});
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(value(&rig, "p.angle"), 0.5, 1e-10);
    CHECK_CLOSE(value(&rig, "torque"), 9.81 * sin(0.5), 1e-9);
    end(&rig);
}

/* No operating point exists before the force is right: m v' = F - m g, h' = v. */
static void rest_needs_the_parameter(void) {
    static const char xml[] =
        MODEL("<block-type name='rocket'><input name='F'/><output name='y'/><state name='h' "
              "start='7'/><state name='v' start='2'/>"
              "<equation>der(h) = v</equation><equation>2*der(v) = F - "
              "2*9.81</equation><equation>y = h</equation></block-type>"
              "<constant id='thrust' out='F' value='1'/><rocket id='r' F='F' y='y'/>");
    const char *const frees[] = {"thrust.value=15"}, *const holds[] = {"y = 7"};
    bench rig = trimmed(xml, (ln_trim_request){frees, 1, holds, 1, NULL});
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(rig.trim.found[0].value, 19.62, 1e-12);
    CHECK_CLOSE(value(&rig, "r.v"), 0, 1e-12);
    end(&rig);
}

/* An integrator behind a constant zero is one equation too many; its value is free and stays. */
static void dependent_rows(void) {
    static const char xml[] =
        MODEL("<constant id='r' out='w' value='1'/><sum id='s' in='w y' signs='+-' out='e'/>"
              "<integrator id='G' in='e' out='y' k='2'/><constant id='q' out='z' value='0'/>"
              "<integrator id='H' in='z' out='zz' y0='4'/>");
    const char *const frees[] = {"r.value"}, *const holds[] = {"y = 3"};
    bench rig = trimmed(xml, (ln_trim_request){frees, 1, holds, 1, NULL});
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(rig.trim.found[0].value, 3, 1e-12);
    CHECK_CLOSE(value(&rig, "zz"), 4, 1e-9);
    end(&rig);
}

/* The model asks itself; a command line goes on from there. */
#define ROCKET(trim)                                                                              \
    MODEL("<block-type name='rocket'><input name='F'/><output name='y'/><state name='h' "         \
          "start='7'/><state name='v' start='2'/>"                                                \
          "<equation>der(h) = v</equation><equation>2*der(v) = F - 2*9.81</equation><equation>y " \
          "= h</equation></block-type>"                                                           \
          "<constant id='thrust' out='F' value='1'/><rocket id='r' F='F' y='y'/>\n" trim)

static void in_the_model(void) {
    static const char xml[] = MODEL(
        PROPELLER MOTOR("1", "1 V") "<trim><free name='V1.V' guess='3.5 V' min='0' max='12 V'/>"
                                    "<hold equation='t1 = 1.5/4*9.81'/></trim>");
    bench rig = trimmed(xml, (ln_trim_request){.nfree = 0});
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(rig.trim.found[0].value, 3.5776728, 1e-7);
    end(&rig);
    static const char both[] =
        ROCKET("<trim><free name='thrust.value' guess='30' max='40'/><hold equation='y = 7'/>"
               "<minimise expression='(F - 30)^2'/></trim>");
    const char *const again[] = {"thrust.value=3:0:10"}, *const holds[] = {"y = 8"};
    rig = trimmed(both, (ln_trim_request){.nfree = 0});
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(rig.trim.objective, pow(19.62 - 30, 2), 1e-9);
    end(&rig);
    rig = trimmed(both, (ln_trim_request){.minimise = "F"}); /* in place of the model's */
    CU_ASSERT_EQUAL_FATAL(rig.status, LINNET_OK);
    CHECK_CLOSE(rig.trim.objective, 19.62, 1e-9);
    end(&rig);
    /* at most 10: too little */
    rig = trimmed(both, (ln_trim_request){.free_names = again, .nfree = 1});
    CU_ASSERT_EQUAL(rig.status, LINNET_FAILED);
    end(&rig);
    rig = trimmed(both, (ln_trim_request){.holds = holds, .nholds = 1}); /* 7 and 8 */
    CU_ASSERT_EQUAL(rig.status, LINNET_FAILED);
    end(&rig);
}

/* Errors in the model have its place and status. */
static void wrong_in_the_model(void) {
    static const struct {
        const char *xml, *text;
    } rows[] = {
        {ROCKET("<trim><free name='thrust.valu'/><hold equation='y = 7'/></trim>"),
         "did you mean 'thrust.value'"},
        {ROCKET("<trim><free name='thrust.value'/><hold equation='y'/></trim>"),
         "EXPRESSION = VALUE"},
        {ROCKET("<trim><free name='thrust.value' guess='3 V'/><hold equation='y = 7'/></trim>"),
         "V"},
        {ROCKET(
             "<trim><free name='thrust.value' guess='3' max='2'/><hold equation='y = 7'/></trim>"),
         "between the bounds"},
        {ROCKET("<trim><free name='thrust.value'/><hold equation='y = z'/></trim>"), "z"},
        {ROCKET("<trim><free name='thrust.value'/></trim>"), "something to hold"},
        {ROCKET("<trim/>"), "does nothing"},
        {ROCKET("<trim><free name='thrust.value'/><keep/></trim>"),
         "it holds <free>, <hold> and <minimise>"},
        {ROCKET("<trim><minimise expression='y'/><minimise expression='F'/></trim>"),
         "second <minimise>"},
        {ROCKET("<trim><minimise expression='y'/></trim><trim><minimise expression='y'/></trim>"),
         "second <trim>"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        bench rig = trimmed(rows[k].xml, (ln_trim_request){.nfree = 0});
        CU_ASSERT_EQUAL(rig.status, LINNET_MODEL);
        CU_ASSERT_PTR_NOT_NULL(strstr(said, rows[k].text));
        if (strstr(said, rows[k].text) == NULL)
            printf("\n    row %d: %s\n", (int)k, said);
        end(&rig);
    }
}

static void refusals(void) {
    const char *const low[] = {"V1.V=1:0:2"}, *const unknown[] = {"V1.U"},
                      *const order[] = {"V1.V=3:5:1"};
    const char *const holds[] = {"t1 = 3.67875"}, *const wrong[] = {"t1"};
    static const char xml[] = MODEL(PROPELLER MOTOR("1", "1 V"));
    bench rig = trimmed(xml, (ln_trim_request){low, 1, holds, 1, NULL});
    CU_ASSERT_EQUAL(rig.status, LINNET_FAILED);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "no trim found"));
    end(&rig);
    rig = trimmed(xml, (ln_trim_request){unknown, 1, holds, 1, NULL});
    CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "there is no 'V1.U'"));
    end(&rig);
    rig = trimmed(xml, (ln_trim_request){order, 1, holds, 1, NULL});
    CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
    end(&rig);
    rig = trimmed(xml, (ln_trim_request){low, 1, wrong, 1, NULL});
    CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "EXPRESSION = VALUE"));
    end(&rig);
    rig = trimmed(xml, (ln_trim_request){low, 1, NULL, 0, NULL}); /* M25: no goal */
    CU_ASSERT_EQUAL(rig.status, LINNET_USAGE);
    CU_ASSERT_PTR_NOT_NULL(strstr(said, "something to hold"));
    end(&rig);
}

UNIT_MAIN({"hover", hover}, {"quadcopter", quadcopter}, {"askew", askew},
          {"least power", least_power}, {"pendulum", pendulum},
          {"rest needs the parameter", rest_needs_the_parameter},
          {"dependent rows", dependent_rows}, {"in the model", in_the_model},
          {"wrong in the model", wrong_in_the_model}, {"refusals", refusals})
