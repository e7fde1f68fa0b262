/* SPDX-License-Identifier: MIT */
/* Parameters of the bipolar transistor, and what follows from them at its temperature. */
#ifndef LN_BLOCKS_NATIVE_BJT_PARAMETERS_H
#define LN_BLOCKS_NATIVE_BJT_PARAMETERS_H

#include <linnet/block.h>

enum { TYPE, IS, BF, NF, VAF, IKF, ISE, NE, BR, NR, VAR, IKR, ISC, NC, RB, IRB, RBM, RE, RC, CJE, VJE, MJE, TF, XTF,
       VTF, ITF, PTF, CJC, VJC, MJC, XCJC, TR, CJS, VJS, MJS, XTB, EG, XTI, FC, SUBS, NKF, ISS, NS, IBE, IBC, RCO,
       VO, GAMMA, QCO, QUASIMOD, VG, CN, D, TLEV, TLEVC, TBF1, TBF2, TBR1, TBR2, TIKF1, TIKF2, TIKR1, TIKR2, TIRB1,
       TIRB2, TNC1, TNC2, TNE1, TNE2, TNF1, TNF2, TNR1, TNR2, TRB1, TRB2, TRC1, TRC2, TRE1, TRE2, TRM1, TRM2, TVAF1,
       TVAF2, TVAR1, TVAR2, TITF1, TITF2, TTF1, TTF2, TTR1, TTR2, TMJE1, TMJE2, TMJC1, TMJC2, TMJS1, TMJS2, TNS1,
       TNS2, TIS1, TIS2, TISE1, TISE2, TISC1, TISC2, TISS1, TISS2, CTE, TVJE, CTC, TVJC, CTS, TVJS, AREA, AREAB,
       AREAC, GMIN, TEMP, TNOM, VBE0, VCE0, OFF, NPARAMS };

extern const linnet_param ln_bjt_params[];

/* at[NPARAMS]: the parameters with their temperature coefficients; what EG, XTI and XTB do is not in it yet. */
void ln_bjt_warm(const double *p, double *at);

#endif
