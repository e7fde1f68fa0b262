/* SPDX-License-Identifier: MIT */
/* A program run as a child. Called through ln_sys only. */
#ifndef LN_BASE_PROCESS_H
#define LN_BASE_PROCESS_H

#include "base/sys.h"

/* As ln_sys->run. */
int ln_process_run(const ln_sys_child *child);

#endif
