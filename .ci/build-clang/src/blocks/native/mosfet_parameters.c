/* SPDX-License-Identifier: MIT */
/* See the header. What follows from the process: S. M. Sze, Physics of Semiconductor Devices, 1981,
 * chapter 7, in the form of the ngspice manual, chapter 11, with SPICE's constants. */
#include "blocks/native/mosfet_parameters.h"

#include "base/report.h"
#include "blocks/native/device.h"
#include "blocks/native/junction_equations.h"

#include <math.h>
#include <stdio.h>

#define ABOVE LINNET_OPEN_MIN

const linnet_param ln_mosfet_params[] = {
    {"type", NULL, "nmos", -INFINITY, INFINITY, LINNET_TEXT | LINNET_STRUCTURAL, "nmos or pmos",
     TYPE, 1, 1, NULL},
    LN_NUMBER(LEVEL, "LEVEL", "", "1", 1, 3, LINNET_INTEGER,
              "1: Shichman and Hodges; 2: with the bulk's charge along the channel; 3: "
              "semi-empirical, for short channels"),
    LN_NUMBER(
        VTO, "VTO", "V", NULL, -INFINITY, INFINITY, 0,
        "threshold without bulk bias; negative for an enhancement pmos; else from NSUB, or 0"),
    LN_NUMBER(KP, "KP", NULL, NULL, 0, INFINITY, ABOVE,
              "transconductance, A/V^2; else U0 times the oxide's capacitance, or 2e-5"),
    LN_NUMBER(GAMMA, "GAMMA", "", NULL, 0, INFINITY, 0,
              "body effect, sqrt V; else from NSUB, or 0"),
    LN_NUMBER(PHI, "PHI", "V", NULL, 0, INFINITY, ABOVE,
              "surface potential; else from NSUB, or 0.6 V"),
    LN_NUMBER(
        LAMBDA, "LAMBDA", "", "0", 0, INFINITY, 0,
        "channel length modulation, 1/V; levels 1 and 2, which has its own from NSUB without"),
    LN_NUMBER(TOX, "TOX", "m", NULL, 0, INFINITY, 0,
              "thickness of the oxide; else 100 nm in levels 2 and 3, none in level 1: the gate "
              "has no charge"),
    LN_NUMBER(NSUB, "NSUB", "", "0", 0, INFINITY, 0, "doping of the bulk, 1/cm^3; 0: not given"),
    LN_NUMBER(NSS, "NSS", "", "0", -INFINITY, INFINITY, 0,
              "surface states, 1/cm^2; count with NSUB and without VTO"),
    LN_NUMBER(TPG, "TPG", "", "1", -1, 1, LINNET_INTEGER,
              "gate: 1 of silicon doped other than the bulk, -1 as the bulk, 0 aluminium"),
    LN_NUMBER(U0, "U0", "", "600", 0, INFINITY, ABOVE, "mobility, cm^2/(V s)"),
    LN_NUMBER(L, "L", "m", "100 um", 0, INFINITY, ABOVE, "length"),
    LN_NUMBER(W, "W", "m", "100 um", 0, INFINITY, ABOVE, "width"),
    LN_NUMBER(LD, "LD", "m", "0", 0, INFINITY, 0, "what drain and source each take of the length"),
    LN_NUMBER(XL, "XL", "m", "0", -INFINITY, INFINITY, 0,
              "what the mask adds to the length; level 3"),
    LN_NUMBER(WD, "WD", "m", "0", 0, INFINITY, 0, "what either side takes of the width; level 3"),
    LN_NUMBER(XW, "XW", "m", "0", -INFINITY, INFINITY, 0,
              "what the mask adds to the width; level 3"),
    LN_NUMBER(DELVTO, "DELVTO", "V", "0", -INFINITY, INFINITY, 0,
              "added to the threshold; level 3"),
    LN_NUMBER(THETA, "THETA", "", "0", 0, INFINITY, 0,
              "mobility's dependence on the gate, 1/V; level 3"),
    LN_NUMBER(ETA, "ETA", "", "0", 0, INFINITY, 0, "threshold's dependence on the drain; level 3"),
    LN_NUMBER(KAPPA, "KAPPA", "", "0.2", 0, INFINITY, 0,
              "shortening of the channel in saturation, with NSUB; level 3"),
    LN_NUMBER(VMAX, "VMAX", "m/s", "0", 0, INFINITY, 0,
              "largest velocity of carriers; 0: none; levels 2, 3"),
    LN_NUMBER(XJ, "XJ", "m", "0", 0, INFINITY, 0,
              "depth of drain and source; 0: no effect of a short channel; levels 2, 3"),
    LN_NUMBER(DELTA, "DELTA", "", "0", 0, INFINITY, 0,
              "width's effect on the threshold; levels 2, 3"),
    LN_NUMBER(NFS, "NFS", "", "0", 0, INFINITY, 0,
              "fast surface states, 1/cm^2; 0: no current below the threshold; levels 2, 3"),
    LN_NUMBER(UCRIT, "UCRIT", "", "1e4", 0, INFINITY, ABOVE,
              "field from which the mobility falls, V/cm; level 2"),
    LN_NUMBER(UEXP, "UEXP", "", "0", 0, INFINITY, 0, "exponent of that fall; level 2"),
    LN_NUMBER(NEFF, "NEFF", "", "1", 0, INFINITY, ABOVE,
              "what NSUB counts for where VMAX shortens the channel; level 2"),
    LN_NUMBER(RD, "RD", "Ohm", NULL, 0, INFINITY, 0, "drain resistance; else RSH*NRD"),
    LN_NUMBER(RS, "RS", "Ohm", NULL, 0, INFINITY, 0, "source resistance; else RSH*NRS"),
    LN_NUMBER(RSH, "RSH", "Ohm", "0", 0, INFINITY, 0,
              "sheet resistance; counts where RD or RS is not given"),
    LN_NUMBER(NRD, "NRD", "", "1", 0, INFINITY, 0, "squares of the drain"),
    LN_NUMBER(NRS, "NRS", "", "1", 0, INFINITY, 0, "squares of the source"),
    LN_NUMBER(IS, "IS", "A", "1e-14 A", 0, INFINITY, 0,
              "saturation current of the bulk's junctions"),
    LN_NUMBER(JS, "JS", "", "0", 0, INFINITY, 0, "the same per area, A/m^2; counts with AD and AS"),
    LN_NUMBER(AD, "AD", "m^2", "0", 0, INFINITY, 0, "area of the drain"),
    LN_NUMBER(AS, "AS", "m^2", "0", 0, INFINITY, 0, "area of the source"),
    LN_NUMBER(PD, "PD", "m", "0", 0, INFINITY, 0, "perimeter of the drain"),
    LN_NUMBER(PS, "PS", "m", "0", 0, INFINITY, 0, "perimeter of the source"),
    LN_NUMBER(CBD, "CBD", "F", NULL, 0, INFINITY, 0,
              "bulk-drain capacitance without bias; else CJ*AD"),
    LN_NUMBER(CBS, "CBS", "F", NULL, 0, INFINITY, 0,
              "bulk-source capacitance without bias; else CJ*AS"),
    LN_NUMBER(CJ, "CJ", "", "0", 0, INFINITY, 0, "junction capacitance per area, F/m^2"),
    LN_NUMBER(MJ, "MJ", "", "0.5", 0, 1, LINNET_OPEN_MAX, "its grading coefficient"),
    LN_NUMBER(CJSW, "CJSW", "", "0", 0, INFINITY, 0,
              "junction capacitance per length of perimeter, F/m"),
    LN_NUMBER(MJSW, "MJSW", "", NULL, 0, 1, LINNET_OPEN_MAX,
              "its grading coefficient; else 0.5, in levels 2 and 3 0.33"),
    LN_NUMBER(PB, "PB", "V", "0.8 V", 0, INFINITY, ABOVE, "junction potential"),
    LN_NUMBER(FC, "FC", "", "0.5", 0, 1, LINNET_OPEN_MAX,
              "share of PB from which capacitances grow linearly"),
    LN_NUMBER(CGSO, "CGSO", "", "0", 0, INFINITY, 0,
              "gate-source overlap capacitance per width, F/m"),
    LN_NUMBER(CGDO, "CGDO", "", "0", 0, INFINITY, 0,
              "gate-drain overlap capacitance per width, F/m"),
    LN_NUMBER(CGBO, "CGBO", "", "0", 0, INFINITY, 0,
              "gate-bulk overlap capacitance per length, F/m"),
    LN_NUMBER(XQC, "XQC", "", "0", 0, 0.5, 0,
              "drain's share of the channel's charge in saturation; 0.4: Ward and Dutton's"),
    LN_NUMBER(MANY, "M", "", "1", 0, INFINITY, ABOVE, "number of such transistors in parallel"),
    LN_NUMBER(GMIN, "GMIN", "S", "1e-12 S", 0, INFINITY, 0, "conductance across each junction"),
    LN_NUMBER(TEMP, "temp", "K", "27 degC", 0, INFINITY, ABOVE, "temperature"),
    LN_NUMBER(TNOM, "tnom", "K", "27 degC", 0, INFINITY, ABOVE,
              "temperature the parameters were measured at"),
    LN_NUMBER(VDS0, "vds0", "V", NULL, -INFINITY, INFINITY, 0, "drain-source voltage at the start"),
    LN_NUMBER(VGS0, "vgs0", "V", NULL, -INFINITY, INFINITY, 0, "gate-source voltage at the start"),
    LN_NUMBER(VBS0, "vbs0", "V", NULL, -INFINITY, INFINITY, 0, "bulk-source voltage at the start"),
    LN_OFF(OFF),
};

double ln_mosfet_length(const double *p) {
    return p[L] - 2 * p[LD] + p[XL];
}
double ln_mosfet_width(const double *p) {
    return p[W] - 2 * p[WD] + p[XW];
}

/* What a level does not have would be without effect in it. */
static linnet_status check_level(const double *p, char message[256]) {
    enum { OF1 = 1, OF2 = 2, OF3 = 4 };
    static const struct {
        short parameter;
        char levels;
        double silent;
    } some[] = {{LAMBDA, OF1 | OF2, 0}, {XL, OF3, 0},         {WD, OF3, 0},
                {XW, OF3, 0},           {DELVTO, OF3, 0},     {THETA, OF3, 0},
                {ETA, OF3, 0},          {VMAX, OF2 | OF3, 0}, {XJ, OF2 | OF3, 0},
                {DELTA, OF2 | OF3, 0},  {NFS, OF2 | OF3, 0},  {UEXP, OF2, 0},
                {UCRIT, OF2, 1e4},      {NEFF, OF2, 1}};
    const int level = (int)p[LEVEL];
    for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
        const double value = p[some[k].parameter], silent = some[k].silent;
        if ((some[k].levels >> (level - 1) & 1) || !(value < silent || value > silent))
            continue;
        snprintf(message, 256,
                 "%s is a parameter of LEVEL %s and has no effect in LEVEL %d; remove it or change "
                 "LEVEL",
                 ln_mosfet_params[some[k].parameter].name,
                 (const char *const[]){"", "1", "2", "1 or 2", "3", "1 or 3",
                                       "2 or 3"}[(int)some[k].levels],
                 level);
        return LINNET_MODEL;
    }
    return LINNET_OK;
}

static double given(double value, double otherwise) {
    return isnan(value) ? otherwise : value;
}

/* Carriers of undoped silicon at the temperature of the parameters, 1/m^3; in levels 1 and 2 as
 * SPICE has it, at 300 K. */
static double intrinsic(const double *p) {
    const double temperature = p[LEVEL] > 2 ? p[TNOM] : 300;
    const double ratio = temperature / 300, vt = ln_thermal_voltage(1);
    return 1.45e16 * ratio * sqrt(ratio) *
           exp(0.5 * ln_energy_gap(temperature) * (1 / 300.0 - 1 / temperature) / vt);
}

/* Voltage that a gate of this kind (TPG) stands over a bulk of surface potential `potential`, both
 * at rest. */
static double work_function(double kind, double sign, double potential, double gap) {
    const double gate = kind < 0 || kind > 0 ? 3.25 + 0.5 * gap - 0.5 * sign * kind * gap : 3.2;
    return gate - (3.25 + 0.5 * gap + 0.5 * sign * potential);
}

static void from_doping(const double *p, double sign, double doping, ln_process *process) {
    const double potential = 2 * ln_thermal_voltage(p[TNOM]) * log(doping / intrinsic(p));
    process->potential = given(p[PHI], fmax(0.1, potential));
    process->depletion = sqrt(2 * LN_SILICON / (LN_CHARGE * doping));
    process->body = given(p[GAMMA], sqrt(2 * LN_SILICON * LN_CHARGE * doping) / process->oxide);
    const double flat = work_function(p[TPG], sign, process->potential, ln_energy_gap(p[TNOM])) -
                        p[NSS] * 1e4 * LN_CHARGE / process->oxide;
    process->threshold = given(
        p[VTO], flat + sign * (process->body * sqrt(process->potential) + process->potential));
}

linnet_status ln_mosfet_process(const double *p, double sign, ln_process *process,
                                char message[256]) {
    const double thickness = given(p[TOX], p[LEVEL] > 1 ? 1e-7 : 0), doping = p[NSUB] * 1e6;
    LN_TRY(check_level(p, message));
    if (!(ln_mosfet_length(p) > 0) || !(ln_mosfet_width(p) > 0)) {
        snprintf(message, 256, "no channel is left of L = %g m, W = %g m; mind LD, XL, WD and XW",
                 p[L], p[W]);
        return LINNET_MODEL;
    }
    if (p[LEVEL] > 1 && !(thickness > 0)) {
        snprintf(message, 256, "LEVEL %g needs an oxide; give TOX above 0", p[LEVEL]);
        return LINNET_MODEL;
    }
    if (doping > 0 && thickness > 0 && !(doping > intrinsic(p))) {
        snprintf(message, 256,
                 "NSUB = %g 1/cm^3 is less than undoped silicon has, %g; it is in 1/cm^3", p[NSUB],
                 intrinsic(p) * 1e-6);
        return LINNET_MODEL;
    }
    *process = (ln_process){.oxide = thickness > 0 ? LN_OXIDE / thickness : 0,
                            .mobility = 1e-4 * p[U0],
                            .potential = given(p[PHI], 0.6),
                            .body = given(p[GAMMA], 0),
                            .threshold = given(p[VTO], 0)};
    process->gain = given(p[KP], thickness > 0 ? process->mobility * process->oxide : 2e-5);
    if (doping > 0 && thickness > 0)
        from_doping(p, sign, doping, process);
    return LINNET_OK;
}
