/* SPDX-License-Identifier: MIT */
/* Parameters of the MOS transistor, and what follows from the process where they are not given. */
#ifndef LN_BLOCKS_NATIVE_MOSFET_PARAMETERS_H
#define LN_BLOCKS_NATIVE_MOSFET_PARAMETERS_H

#include "base/constants.h"
#include <linnet/block.h>

enum {
    TYPE,
    LEVEL,
    VTO,
    KP,
    GAMMA,
    PHI,
    LAMBDA,
    TOX,
    NSUB,
    NSS,
    TPG,
    U0,
    L,
    W,
    LD,
    XL,
    WD,
    XW,
    DELVTO,
    THETA,
    ETA,
    KAPPA,
    VMAX,
    XJ,
    DELTA,
    NFS,
    UCRIT,
    UEXP,
    NEFF,
    RD,
    RS,
    RSH,
    NRD,
    NRS,
    IS,
    JS,
    AD,
    AS,
    PD,
    PS,
    CBD,
    CBS,
    CJ,
    MJ,
    CJSW,
    MJSW,
    PB,
    FC,
    CGSO,
    CGDO,
    CGBO,
    XQC,
    MANY,
    GMIN,
    TEMP,
    TNOM,
    VDS0,
    VGS0,
    VBS0,
    OFF,
    NPARAMS
};
extern const linnet_param ln_mosfet_params[];

#define LN_SILICON (11.7 * 8.854214871e-12) /* permittivity of silicon, F/m, as SPICE has it */
#define LN_OXIDE (3.9 * 8.854214871e-12)    /* of silicon dioxide */
#define LN_CHARGE 1.6021766208e-19          /* of an electron, C */
/* At the temperature of the parameters. */
typedef struct ln_process {
    double oxide; /* capacitance, F/m^2; 0: the gate has no charge */
    /* PHI, GAMMA, VTO, KP; U0 in m^2/(V s) */
    double potential, body, threshold, gain, mobility;
    /* width of a depletion layer per root of its voltage, m/sqrt V; 0 without NSUB */
    double depletion;
} ln_process;

/* sign: -1 for pmos. LINNET_MODEL with a message where the parameters make no transistor. */
linnet_status ln_mosfet_process(const double *p, double sign, ln_process *process,
                                char message[256]);
/* Of the channel, m. */
double ln_mosfet_length(const double *p);
double ln_mosfet_width(const double *p);

#endif
