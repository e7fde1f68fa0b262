/* SPDX-License-Identifier: MIT */
/* Symbols of physical elements, by domain. Shapes follow IEC 60617 and ISO 1219 where these have
 * one, with the zigzag of ANSI Y32 for resistors. */
#include "diagram/symbol_table.h"

/* ---- strokes that several symbols share ---- */

#define TWO "p -30 0 n 30 0"
#define TWO_IN "p -30 0 n 30 0 in 0 -20 heat 0 20"
#define TWO_OUT "p -30 0 n 30 0 out 0 20"
#define ZIGZAG "M-30 0L-18 0L-15 -7L-9 7L-3 -7L3 7L9 -7L15 7L18 0L30 0"
#define COIL                                                                 \
    "M-30 0L-20 0C-20 -12 -10 -12 -10 0C-10 -12 0 -12 0 0C0 -12 10 -12 10 0" \
    "C10 -12 20 -12 20 0L30 0"
#define PLATES "M-30 0L-4 0M4 0L30 0M-4 -13L-4 13M4 -13L4 13"
#define BAR "M-30 0L-18 0M18 0L30 0M-18 -7L18 -7L18 7L-18 7Z"
#define ROUND "M-30 0L-15 0M15 0L30 0O0 0 15"
#define PLUS "M-25 -8L-19 -8M-22 -11L-22 -5"
#define POLES "M-12 0L-6 0M-9 -3L-9 3M9 -3L9 3"
#define FORWARD "M-10 0L4 0"
#define HEAD "M11 0L3 -4L3 4Z"
#define DIODE "M-30 0L-9 0M9 0L30 0M9 -10L9 10"
#define TRIANGLE "M-9 -10L-9 10L9 0Z"
#define SLANTED "M-16 15L14 -13"
#define SLANT_HEAD "M18 -17L15 -8L9 -14Z"
#define FROM_TOP "M0 -20L0 -8"
#define SPRING "M-30 0L-20 0L-16 -8L-8 8L0 -8L8 8L16 -8L20 0L30 0"
#define DASHPOT "M-30 0L-4 0M-4 -9L-4 9M14 -12L-14 -12M-14 12L14 12M14 -12L14 12M14 0L30 0"
#define HATCHED "M-14 12L-18 18M-7 12L-11 18M0 12L-4 18M7 12L3 18M14 12L10 18M-18 12L18 12"
#define COUPLED "p1 -40 -20 n1 -40 20 p2 40 -20 n2 40 20"
#define CONTROL \
    "M-40 -20L-24 -20M-40 20L-24 20O-22 -20 2O-22 20 2M40 -20L14 -20L14 -14M14 14L14 20L40 20"
#define DIAMOND "M14 -14L28 0L14 14L0 0Z"
#define OPERATIONAL                                                                 \
    "M-20 -25L-20 25L22 0ZM-30 -10L-20 -10M-30 10L-20 10M22 0L30 0M-16 -10L-10 -10" \
    "M-16 10L-10 10M-13 7L-13 13"
#define SHAFT "M-30 0L-8 0M8 0L30 0"

const ln_symbol ln_symbols_physical[] = {
    /* ---- electrical ---- */
    {"resistor", "resistor conductor", NULL, TWO, ZIGZAG, NULL, NULL, NULL, 1, 0},
    {"heating-resistor", "heating-resistor", NULL, "p -30 0 n 30 0 heat 0 20", ZIGZAG "M0 20L0 11",
     NULL, NULL, NULL, 1, 0},
    {"variable-resistor", "variable-resistor variable-conductor", NULL, TWO_IN,
     ZIGZAG SLANTED FROM_TOP, SLANT_HEAD, NULL, NULL, 1, 0},
    {"potentiometer", "potentiometer", NULL, "p -30 0 n 30 0 tap 0 -20 in -10 20 heat 10 20",
     ZIGZAG "M0 -20L0 -12", "M0 -7L-4 -14L4 -14Z", NULL, NULL, 1, 0},
    {"capacitor", "capacitor", NULL, TWO, PLATES, NULL, NULL, NULL, 1, 0},
    {"variable-capacitor", "variable-capacitor", NULL, TWO_IN, PLATES SLANTED FROM_TOP, SLANT_HEAD,
     NULL, NULL, 1, 0},
    {"inductor", "inductor", NULL, TWO, COIL, NULL, NULL, NULL, 1, 0},
    {"iron-inductor", "saturating-inductor hysteretic-inductor", NULL, TWO,
     COIL "M-18 -13L18 -13M-18 -16L18 -16", NULL, NULL, NULL, 1, 0},
    {"variable-inductor", "variable-inductor", NULL, TWO_IN, COIL SLANTED FROM_TOP, SLANT_HEAD,
     NULL, NULL, 1, 0},
    {"voltage-source", "voltage-source piecewise-linear-voltage", NULL, TWO, ROUND POLES, NULL,
     NULL, NULL, 1, STANDS},
    {"sine-voltage", "sine-voltage", NULL, TWO, ROUND PLUS, NULL,
     "M-9 0C-5 -11 -4 -11 0 0C4 11 5 11 9 0", NULL, 2, STANDS},
    {"pulse-voltage", "pulse-voltage", NULL, TWO, ROUND PLUS, NULL,
     "M-9 5L-5 5L-5 -5L1 -5L1 5L6 5L6 -5L9 -5", NULL, 2, STANDS},
    {"step-voltage", "step-voltage", NULL, TWO, ROUND PLUS, NULL, "M-8 5L0 5L0 -5L8 -5", NULL, 1,
     STANDS},
    {"ramp-voltage", "ramp-voltage", NULL, TWO, ROUND PLUS, NULL, "M-8 5L-3 5L6 -6", NULL, 1,
     STANDS},
    {"exponential-voltage", "exponential-voltage", NULL, TWO, ROUND PLUS, NULL,
     "M-9 5L-6 5C-4 -6 0 -6 9 -6", NULL, 1, STANDS},
    {"signal-voltage", "signal-voltage", NULL, TWO_IN, ROUND POLES "M0 -20L0 -15", NULL, NULL, NULL,
     1, STANDS},
    {"current-source",
     "current-source sine-current pulse-current step-current ramp-current exponential-current "
     "piecewise-linear-current",
     NULL, TWO, ROUND FORWARD, HEAD, NULL, NULL, 2, STANDS},
    {"signal-current", "signal-current", NULL, TWO_IN, ROUND FORWARD "M0 -20L0 -15", HEAD, NULL,
     NULL, 1, STANDS},
    {"three-phase-voltage", "three-phase-voltage", NULL, "a 30 -20 b 30 0 c 30 20 n -30 0",
     "M-30 0L-20 0O0 0 20M11 -17L30 -20M20 0L30 0M11 17L30 20", NULL,
     "M-12 0C-6 -12 -5 -12 0 0C5 12 6 12 12 0", NULL, 2, FIXED},
    {"diode", "diode spice-diode ideal-diode", NULL, "p -30 0 n 30 0 heat 0 20", DIODE, TRIANGLE,
     NULL, NULL, 0, 0},
    {"heating-diode", "heating-diode", NULL, "p -30 0 n 30 0 heat 0 20", DIODE "M0 20L0 6",
     TRIANGLE, NULL, NULL, 0, 0},
    {"zener-diode", "zener-diode", NULL, TWO, DIODE "M9 -10L4 -13M9 10L14 13", TRIANGLE, NULL, NULL,
     1, 0},
    {"thyristor", "ideal-thyristor", NULL, "p -30 0 n 30 0 fire 20 20", DIODE "M9 0L20 11L20 20",
     TRIANGLE, NULL, NULL, 0, 0},
    {"turn-off-thyristor", "turn-off-thyristor", NULL, "p -30 0 n 30 0 fire 20 20 heat 0 20",
     DIODE "M9 0L20 11L20 20M12 9L18 3", TRIANGLE, NULL, NULL, 0, 0},
    {"triac", "triac", NULL, "p -30 0 n 30 0 fire 20 20 heat 0 20",
     "M-30 0L-9 0M9 0L30 0M9 -16L9 16M-9 -16L-9 16M9 2L20 11L20 20",
     "M-9 -15L-9 -1L9 -8ZM9 1L9 15L-9 8Z", NULL, NULL, 0, 0},
    {"pnp", "bjt", "type=pnp", "b -30 0 c 10 -30 e 10 30 s 20 0 heat 20 10",
     "M-30 0L-6 0M-6 -14L-6 14M-6 -6L10 -18L10 -30M-6 6L10 18L10 30O2 0 21", "M-4 8L5 9L0 15Z",
     NULL, NULL, 0, FIXED | FLIPS},
    {"npn", "bjt", NULL, "b -30 0 c 10 -30 e 10 30 s 20 0 heat 20 10",
     "M-30 0L-6 0M-6 -14L-6 14M-6 -6L10 -18L10 -30M-6 6L10 18L10 30O2 0 21", "M9 17L0 15L5 9Z",
     NULL, NULL, 0, FIXED | FLIPS},
    {"pmos", "mosfet", "type=pmos", "g -30 0 d 10 -30 s 10 30 b 20 0 heat 20 10",
     "M-30 0L-10 0M-10 -14L-10 14M-4 -16L-4 -8M-4 -4L-4 4M-4 8L-4 16M-4 -12L10 -12L10 -30M-4 0L20 "
     "0M-4 12L10 12L10 30",
     "M8 0L0 -4L0 4Z", NULL, NULL, 0, FIXED | FLIPS},
    {"nmos", "mosfet", NULL, "g -30 0 d 10 -30 s 10 30 b 20 0 heat 20 10",
     "M-30 0L-10 0M-10 -14L-10 14M-4 -16L-4 -8M-4 -4L-4 4M-4 8L-4 16M-4 -12L10 -12L10 -30M-4 0L20 "
     "0M-4 12L10 12L10 30",
     "M-3 0L5 -4L5 4Z", NULL, NULL, 0, FIXED | FLIPS},
    {"pjf", "jfet", "type=pjf", "g -30 0 d 10 -30 s 10 30 heat 20 10",
     "M-30 0L-6 0M-6 -15L-6 15M-6 -10L10 -10L10 -30M-6 10L10 10L10 30", "M-18 0L-10 -4L-10 4Z",
     NULL, NULL, 0, FIXED | FLIPS},
    {"njf", "jfet", NULL, "g -30 0 d 10 -30 s 10 30 heat 20 10",
     "M-30 0L-6 0M-6 -15L-6 15M-6 -10L10 -10L10 -30M-6 10L10 10L10 30", "M-7 0L-15 -4L-15 4Z", NULL,
     NULL, 0, FIXED | FLIPS},
    {"op-amp", "ideal-op-amp op-amp", NULL, "n -30 -10 p -30 10 out 30 0", OPERATIONAL, NULL, NULL,
     NULL, 0, FIXED},
    {"op-amp-with-supply", "op-amp-with-supply", NULL,
     "n -30 -10 p -30 10 out 30 0 vp 0 -30 vn 0 30", OPERATIONAL "M0 -30L0 -13M0 30L0 13", NULL,
     NULL, NULL, 0, FIXED},
    {"vcvs", "vcvs ccvs", NULL, COUPLED, CONTROL DIAMOND "M11 -6L17 -6M14 -9L14 -3M11 7L17 7", NULL,
     NULL, NULL, 1, FIXED},
    {"vccs", "vccs cccs", NULL, COUPLED, CONTROL DIAMOND "M14 -9L14 4", "M14 10L10 3L18 3Z", NULL,
     NULL, 1, FIXED},
    {"transformer", "ideal-transformer coupled-inductors", NULL, COUPLED,
     "M-40 -20L-10 -20C2 -20 2 -10 -10 -10C2 -10 2 0 -10 0C2 0 2 10 -10 10C2 10 2 20 -10 20L-40 20"
     "M40 -20L10 -20C-2 -20 -2 -10 10 -10C-2 -10 -2 0 10 0C-2 0 -2 10 10 10C-2 10 -2 20 10 20L40 "
     "20",
     "M-15 -27L-11 -27L-11 -23L-15 -23ZM11 -27L15 -27L15 -23L11 -23Z", NULL, NULL, 1, FIXED},
    {"gyrator", "gyrator", NULL, COUPLED,
     "M-40 -20L-8 -20L-8 20L-40 20M40 -20L8 -20L8 20L40 20M-18 -10C-6 -6 -6 6 -18 10M18 -10C6 -6 6 "
     "6 18 10",
     NULL, NULL, NULL, 1, FIXED},
    {"line", "transmission-line lossy-line", NULL, COUPLED,
     "M-40 -20L40 -20M-40 20L40 20M-24 -14L24 -14L24 14L-24 14Z", NULL, NULL, "line", 1, FIXED},
    {"switch-electrical", "ideal-switch breaker", NULL, TWO_IN,
     "M-30 0L-14 0O-12 0 2M30 0L14 0O12 0 2M-11 -2L10 -11M0 -20L0 -7", NULL, NULL, NULL, 0, 0},
    {"controlled-switch", "voltage-controlled-switch current-controlled-switch", NULL,
     "p -30 0 n 30 0 cp -10 30 cn 10 30",
     "M-30 0L-14 0O-12 0 2M30 0L14 0O12 0 2M-11 -2L10 -11M-10 30L-10 15M10 30L10 15M-14 7L14 7L14 "
     "15L-14 15Z",
     NULL, NULL, NULL, 0, FIXED},
    {"two-way-switch", "two-way-switch", NULL, "p -30 0 n1 30 -10 n2 30 10 in 0 -20 heat 0 20",
     "M-30 0L-14 0O-12 0 2M30 -10L14 -10O12 -10 2M30 10L14 10O12 10 2M-11 -2L10 -9M0 -20L0 -7",
     NULL, NULL, NULL, 0, FIXED},
    {"current-sensor", "current-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "A", 0, 0},
    {"voltage-sensor", "voltage-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "V", 0,
     STANDS},
    {"ground", "ground", NULL, "p 0 -10", "M0 -10L0 0M-11 0L11 0M-7 4L7 4M-3 8L3 8", NULL, NULL,
     NULL, 0, MARK},

    /* ---- magnetic ---- */
    {"reluctance",
     "reluctance permeance core core-table hollow-cylinder-axial "
     "hollow-cylinder-radial",
     NULL, TWO, BAR, NULL, NULL, NULL, 1, 0},
    {"saturating-core", "saturating-core", NULL, TWO, BAR, NULL, "M-9 5C-6 -5 0 -4 9 -4", NULL, 1,
     0},
    {"air-gap", "air-gap", NULL, TWO,
     "M-30 0L-18 0M18 0L30 0M-18 -7L-4 -7L-4 7L-18 7ZM18 -7L4 -7L4 7L18 7Z", NULL, NULL, NULL, 1,
     0},
    {"eddy-current-loop", "eddy-current-loop", NULL, "p -30 0 n 30 0 heat 0 20",
     "M-30 0L30 0M0 -12C10 -12 10 12 0 12C-10 12 -10 -12 0 -12", NULL, NULL, NULL, 1, 0},
    {"permanent-magnet", "permanent-magnet", NULL, TWO, BAR "M0 -7L0 7M-12 3L-12 -3L-6 3L-6 -3",
     NULL, NULL, NULL, 1, STANDS},
    {"mmf-source", "mmf-source", NULL, TWO, ROUND POLES, NULL, NULL, NULL, 1, STANDS},
    {"signal-mmf", "signal-mmf", NULL, TWO_IN, ROUND POLES "M0 -20L0 -15", NULL, NULL, NULL, 1,
     STANDS},
    {"flux-source", "flux-source", NULL, TWO, ROUND FORWARD, HEAD, NULL, NULL, 1, STANDS},
    {"signal-flux", "signal-flux", NULL, TWO_IN, ROUND FORWARD "M0 -20L0 -15", HEAD, NULL, NULL, 1,
     STANDS},
    {"flux-sensor", "flux-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "\xCE\xA6", 0, 0},
    {"mmf-sensor", "mmf-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "F", 0, STANDS},
    {"magnetic-coil", "magnetic-coil", NULL, "p -40 -20 n -40 20 north 40 -20 south 40 20",
     "M-40 -20L-10 -20C2 -20 2 -10 -10 -10C2 -10 2 0 -10 0C2 0 2 10 -10 10C2 10 2 20 -10 20L-40 20"
     "M40 -20L8 -20L8 20L40 20M13 -20L13 20",
     NULL, NULL, NULL, 1, FIXED},
    {"magnetic-ground", "magnetic-ground", NULL, "p 0 -10", "M0 -10L0 0M-11 0L11 0M-11 4L11 4",
     NULL, NULL, NULL, 0, MARK},

    /* ---- thermal ---- */
    {"thermal-resistance",
     "thermal-resistance thermal-conductance wall-conduction "
     "tube-conduction",
     NULL, TWO, BAR "M-12 7L-4 -7M-4 7L4 -7M4 7L12 -7", NULL, NULL, NULL, 1, 0},
    {"signal-conductance", "signal-conductance", NULL, TWO_IN,
     BAR "M-12 7L-4 -7M-4 7L4 -7M4 7L12 -7M0 -20L0 -7", NULL, NULL, NULL, 1, 0},
    {"convection", "convection natural-convection", NULL, TWO,
     "M-30 0L-18 0M18 0L30 0M-18 -14L-18 14M18 -14L18 14M-12 -7C-8 -13 -4 -1 0 -7C4 -13 8 -1 10 "
     "-7M-12 7C-8 1 -4 13 0 7C4 1 8 13 10 7",
     "M17 -7L10 -10L10 -4ZM17 7L10 4L10 10Z", NULL, NULL, 1, 0},
    {"radiation", "radiation", NULL, TWO,
     "M-30 0L-18 0M18 0L30 0M-18 -14L-18 14M18 -14L18 14M-13 -7L8 -7M-8 7L13 7",
     "M15 -7L8 -10L8 -4ZM-15 7L-8 4L-8 10Z", NULL, NULL, 1, 0},
    {"heat-capacity", "heat-capacity", NULL, "p 0 -20",
     "M0 -20L0 -12M-14 -12L14 -12C18 -12 20 -10 20 -6L20 10C20 14 18 16 14 16L-14 16C-18 16 -20 14 "
     "-20 10L-20 -6C-20 -10 -18 -12 -14 -12Z",
     NULL, NULL, NULL, 1, FIXED},
    {"heat-source", "heat-source step-heat", NULL, TWO, ROUND FORWARD, HEAD, NULL, NULL, 1, STANDS},
    {"signal-heat", "signal-heat", NULL, TWO_IN, ROUND FORWARD "M0 -20L0 -15", HEAD, NULL, NULL, 1,
     STANDS},
    {"temperature-source", "temperature-source sine-temperature", NULL, TWO, ROUND PLUS, NULL, NULL,
     "T", 2, STANDS},
    {"signal-temperature", "signal-temperature", NULL, TWO_IN, ROUND PLUS "M0 -20L0 -15", NULL,
     NULL, "T", 1, STANDS},
    {"temperature-sensor", "temperature-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "T",
     0, STANDS},
    {"heat-flow-sensor", "heat-flow-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "Q", 0,
     0},
    {"absolute-zero", "absolute-zero", NULL, "p 0 -10",
     "M0 -10L0 0M-11 0L11 0M-8 0L-11 5M-1 0L-4 5M6 0L3 5", NULL, NULL, NULL, 0, MARK},

    /* ---- translational ---- */
    {"spring", "spring", NULL, TWO, SPRING, NULL, NULL, NULL, 1, 0},
    {"damper", "damper", NULL, TWO, DASHPOT, NULL, NULL, NULL, 1, 0},
    {"heating-damper", "heating-damper", NULL, "p -30 0 n 30 0 heat 0 20", DASHPOT "M0 12L0 20",
     NULL, NULL, NULL, 1, 0},
    {"spring-damper", "spring-damper", NULL, TWO,
     "M-30 0L-22 0M-22 -12L-22 12M-22 -12L-16 -12L-13 -18L-7 -6L-1 -18L5 -6L11 -18L15 -12L22 "
     "-12M22 -12L22 12M22 0L30 0M-22 12L-3 12M-3 6L-3 18M12 4L-10 4M-10 20L12 20M12 4L12 20M12 "
     "12L22 12",
     NULL, NULL, NULL, 2, 0},
    {"mass", "mass", NULL, "p -30 0 p 30 0", "M-30 0L-20 0M20 0L30 0M-20 -20L20 -20L20 20L-20 20Z",
     NULL, NULL, NULL, 1, THROUGH | VALUE},
    {"weight", "weight", NULL, "p -30 0", "M-30 0L-15 0O0 0 15M0 -9L0 4", "M0 11L-4 3L4 3Z", NULL,
     NULL, 1, 0},
    {"fixed-point", "fixed-point rigid-stop", NULL, "p 0 -10",
     "M0 -10L0 0M-14 0L14 0M-8 0L-13 6M0 0L-5 6M8 0L3 6", NULL, NULL, NULL, 0, MARK},
    {"force-source", "force-source sine-force step-force", NULL, TWO, "M-30 0L30 0M-14 -10L6 -10",
     "M16 -10L5 -15L5 -5Z", NULL, NULL, 1, 0},
    {"signal-force", "signal-force", NULL, TWO_IN, "M-30 0L30 0M-14 -10L6 -10M0 -20L0 -10",
     "M16 -10L5 -15L5 -5Z", NULL, NULL, 1, 0},
    {"velocity-source", "velocity-source sine-velocity", NULL, TWO, ROUND, NULL, NULL, "v", 1, 0},
    {"signal-velocity", "signal-velocity signal-position signal-acceleration", NULL, TWO_IN,
     ROUND "M0 -20L0 -15", NULL, NULL, "v", 0, 0},
    {"lever", "lever", NULL, TWO, "M-30 0L30 0M0 0L-7 12L7 12ZM-12 12L12 12", NULL, NULL, NULL, 1,
     0},
    {"friction", "friction dry-friction rolling-resistance", NULL, "p -30 0 n 30 0 heat 0 20",
     "M-30 0L-14 0M14 0L30 0M-14 -10L14 -10L14 10L-14 10Z" HATCHED, NULL, NULL, NULL, 1, 0},
    {"translational-brake", "translational-brake", NULL, TWO_IN,
     "M-30 0L-14 0M14 0L30 0M-14 -7L14 -7L14 10L-14 10ZM0 -20L0 -12M-8 -12L8 -12" HATCHED, NULL,
     NULL, NULL, 1, 0},
    {"stop", "hard-stop elastic-gap elastic-backlash", NULL, "p -30 0 n 30 0 heat 0 20",
     "M-30 0L-6 0M-6 -10L-6 10M6 -10L6 10M6 0L30 0", NULL, NULL, NULL, 1, 0},
    {"position-sensor", "position-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "x", 0,
     0},
    {"velocity-sensor", "velocity-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "v", 0,
     0},
    {"acceleration-sensor", "acceleration-sensor", NULL, "p -30 0 out 0 20",
     "M-30 0L-15 0O0 0 15M0 15L0 20", NULL, NULL, "a", 0, 0},
    {"force-sensor", "force-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "f", 0, 0},
    {"power-sensor", "rod-power-sensor shaft-power-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL,
     NULL, "P", 0, 0},

    /* ---- rotational ---- */
    {"inertia", "inertia", NULL, "p -30 0 p 30 0",
     "M-30 0L-10 0M10 0L30 0M-10 -22L10 -22L10 22L-10 22Z", NULL, NULL, NULL, 1, THROUGH},
    {"torsion-spring", "torsion-spring", NULL, TWO,
     "M-30 0L-20 0L-17 -10L-11 10L-5 -10L1 10L7 -10L13 10L16 0L30 0", NULL, NULL, NULL, 1, 0},
    {"torsion-spring-damper", "torsion-spring-damper torsion-backlash", NULL,
     "p -30 0 n 30 0 heat 0 20",
     "M-30 0L-22 0M-22 -12L-22 12M-22 -12L-16 -12L-13 -18L-7 -6L-1 -18L5 -6L11 -18L15 -12L22 "
     "-12M22 -12L22 12M22 0L30 0M-22 12L-3 12M-3 6L-3 18M12 4L-10 4M-10 20L12 20M12 4L12 20M12 "
     "12L22 12",
     NULL, NULL, NULL, 2, 0},
    {"rotational-damper", "rotational-damper", NULL, TWO, DASHPOT "M-24 -5L-24 5M24 -5L24 5", NULL,
     NULL, NULL, 1, 0},
    {"heating-rotational-damper", "heating-rotational-damper", NULL, "p -30 0 n 30 0 heat 0 20",
     DASHPOT "M-24 -5L-24 5M24 -5L24 5M0 12L0 20", NULL, NULL, NULL, 1, 0},
    {"rotational-friction",
     "rotational-friction bearing-friction eddy-current-brake constant-power-load quadratic-load",
     NULL, "p -30 0 n 30 0 heat 0 20",
     SHAFT
     "M-8 -5L8 -5L8 5L-8 5ZM-14 -8L14 -8M-14 8L14 8M-10 -8L-13 -13M0 -8L-3 -13M10 -8L7 -13M-10 "
     "8L-13 13M0 8L-3 13M10 8L7 13",
     NULL, NULL, NULL, 1, 0},
    {"clutch", "clutch", NULL, TWO_IN, "M-30 0L-4 0M4 0L30 0M-4 -15L-4 15M4 -15L4 15M0 -20L0 -15",
     NULL, NULL, NULL, 1, 0},
    {"one-way-clutch", "one-way-clutch", NULL, "p -30 0 n 30 0 heat 0 20",
     "M-30 0L-4 0M4 0L30 0M-4 -15L-4 15M4 -15L4 15", "M4 -11L-4 -15L-4 -7Z", NULL, NULL, 0, 0},
    {"brake", "brake", NULL, TWO_IN,
     "M-30 0L-3 0M3 0L30 0M-3 -14L3 -14L3 14L-3 14ZM-14 -18L14 -18M-14 -18L-14 -14L14 -14L14 "
     "-18M0 -20L0 -18",
     NULL, NULL, NULL, 1, 0},
    {"gear", "gear lossy-gear", NULL, "p -30 0 n 30 0 heat 0 20",
     "M-30 0L-12 0M12 0L30 0M-12 -22L-2 -22L-2 10L-12 10ZM2 -10L12 -10L12 22L2 22Z", NULL, NULL,
     NULL, 1, FIXED},
    {"fixed-shaft", "fixed-shaft", NULL, "p 0 -10",
     "M0 -10L0 0M-14 0L14 0M-8 0L-13 6M0 0L-5 6M8 0L3 6", NULL, NULL, NULL, 0, MARK},
    {"torque-source", "torque-source sine-torque step-torque", NULL, TWO,
     ROUND "M-7 5C-9 -8 6 -10 8 2", "M8 7L4 0L11 -1Z", NULL, NULL, 1, 0},
    {"signal-torque", "signal-torque", NULL, TWO_IN, ROUND "M-7 5C-9 -8 6 -10 8 2M0 -20L0 -15",
     "M8 7L4 0L11 -1Z", NULL, NULL, 0, 0},
    {"speed-source", "speed-source", NULL, TWO, ROUND, NULL, NULL, "\xCF\x89", 1, 0},
    {"signal-speed", "signal-speed signal-angle signal-angular-acceleration", NULL, TWO_IN,
     ROUND "M0 -20L0 -15", NULL, NULL, "\xCF\x89", 0, 0},
    {"angle-sensor", "angle-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "\xCF\x86", 0,
     0},
    {"speed-sensor", "speed-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "\xCF\x89", 0,
     0},
    {"angular-acceleration-sensor", "angular-acceleration-sensor", NULL, "p -30 0 out 0 20",
     "M-30 0L-15 0O0 0 15M0 15L0 20", NULL, NULL, "\xCE\xB1", 0, 0},
    {"torque-sensor", "torque-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "\xCF\x84", 0,
     0},
    {"machine", "dc-machine dc-machine-series dc-machine-shunt motor-constant", NULL,
     "p -40 -10 n -40 10 shaft 40 0 case 0 20 heat 0 -20",
     "O0 0 20M-40 -10L-17 -10M-40 10L-17 10M20 -3L40 -3M20 3L40 3M40 -3L40 3", NULL, NULL, "M", 0,
     FIXED},
    {"three-phase-machine", "induction-machine pm-synchronous-machine", NULL,
     "a -40 -20 b -40 0 c -40 20 shaft 40 0 heat 0 20",
     "O0 0 20M-40 -20L-8 -18M-40 0L-20 0M-40 20L-8 18M20 -3L40 -3M20 3L40 3M40 -3L40 3", NULL, NULL,
     "M3~", 0, FIXED},

    /* ---- hydraulic ---- */
    {"tank", "tank", NULL, "p 0 20", "M-20 -15L-20 12L20 12L20 -15M-20 -5L20 -5M0 12L0 20", NULL,
     NULL, NULL, 1, FIXED},
    {"accumulator", "accumulator spring-accumulator", NULL, "p 0 30",
     "M0 20L0 30M-10 -10C-10 -24 10 -24 10 -10L10 10C10 24 -10 24 -10 10ZM-10 0L10 0", NULL, NULL,
     NULL, 1, FIXED},
    {"fluid-volume", "fluid-volume", NULL, "p 0 20", "M0 14L0 20O0 -2 16", NULL, NULL, NULL, 1,
     FIXED},
    {"pipe", "pipe laminar-pipe compressible-pipe fluid-inertia", NULL, TWO,
     "M-30 0L-18 0M18 0L30 0M-18 -6L18 -6M-18 6L18 6M-18 -6L-18 6M18 -6L18 6", NULL, NULL, NULL, 1,
     0},
    {"orifice", "orifice turbulent-resistance pipe-resistance slot annular-gap", NULL, TWO,
     "M-30 0L30 0M-14 -12C-6 -4 6 -4 14 -12M-14 12C-6 4 6 4 14 12", NULL, NULL, NULL, 1, 0},
    {"variable-orifice", "variable-orifice", NULL, TWO_IN,
     "M-30 0L30 0M-14 -12C-6 -4 6 -4 14 -12M-14 12C-6 4 6 4 14 12M0 -20L0 -6" SLANTED, SLANT_HEAD,
     NULL, NULL, 1, 0},
    {"check-valve", "check-valve", NULL, TWO, "M-30 0L-8 0M30 0L8 0O2 0 6M-10 -9L0 0L-10 9", NULL,
     NULL, NULL, 0, 0},
    {"relief-valve", "relief-valve", NULL, TWO,
     "M-30 0L-14 0M14 0L30 0M-14 -14L14 -14L14 14L-14 14ZM-14 -4L6 -4M0 -14L-4 -18L4 -20L-4 -23",
     "M13 -4L5 -8L5 0Z", NULL, NULL, 1, 0},
    {"pressure-source", "pressure-source", NULL, TWO, ROUND PLUS, NULL, NULL, "p", 1, STANDS},
    {"signal-pressure", "signal-pressure", NULL, TWO_IN, ROUND PLUS "M0 -20L0 -15", NULL, NULL, "p",
     0, STANDS},
    {"flow-source", "flow-source step-flow", NULL, TWO, ROUND FORWARD, HEAD, NULL, NULL, 1, STANDS},
    {"signal-flow", "signal-flow", NULL, TWO_IN, ROUND FORWARD "M0 -20L0 -15", HEAD, NULL, NULL, 0,
     STANDS},
    {"pump", "pump pump-with-losses variable-pump", NULL, "p 0 30 n 0 -30 shaft -40 0 in 40 0",
     "M0 30L0 20M0 -30L0 -20O0 0 20M-40 -3L-20 -3M-40 3L-20 3M-40 -3L-40 3", "M0 -19L-7 -8L7 -8Z",
     NULL, NULL, 1, FIXED},
    {"hydraulic-motor", "hydraulic-motor", NULL, "p 0 -30 n 0 30 shaft 40 0",
     "M0 30L0 20M0 -30L0 -20O0 0 20M40 -3L20 -3M40 3L20 3M40 -3L40 3", "M0 -8L-7 -19L7 -19Z", NULL,
     NULL, 1, FIXED},
    {"piston", "piston", NULL, "port -40 0 rod 40 0",
     "M-40 0L-24 0M-24 -12L24 -12L24 12L-24 12ZM0 -12L0 12M0 -2L40 -2M0 2L40 2", NULL, NULL, NULL,
     1, FIXED},
    {"cylinder", "cylinder", NULL, "a -20 20 b 20 20 rod 40 0 case -40 0",
     "M-20 20L-20 12M20 20L20 12M-26 -12L26 -12L26 12L-26 12ZM0 -12L0 12M0 -2L40 -2M0 2L40 2M-40 "
     "0L-26 0",
     NULL, NULL, NULL, 1, FIXED},
    {"pressure-sensor", "pressure-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL, "p", 0,
     STANDS},
    {"flow-sensor", "flow-sensor volume-flow-sensor", NULL, TWO_OUT, ROUND "M0 15L0 20", NULL, NULL,
     "m", 0, 0},
    {"vacuum", "vacuum", NULL, "p 0 -10", "M0 -10L0 0M-11 0L11 0L0 9Z", NULL, NULL, NULL, 0, MARK},

};
const int ln_symbols_physical_count = sizeof ln_symbols_physical / sizeof *ln_symbols_physical;
