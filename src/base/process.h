/* SPDX-License-Identifier: MIT */
/* A program run as a child. Called through ln_sys only. */
#ifndef LN_BASE_PROCESS_H
#define LN_BASE_PROCESS_H

#include "base/sys.h"

/* As ln_sys->run and ln_sys->start; interrupted, which may be NULL, and write: as in ln_sys. */
int ln_process_run(const ln_sys_child *child, int (*interrupted)(void),
                   ssize_t (*write)(int fd, const void *buffer, size_t bytes));
int ln_process_start(const ln_sys_start *child, pid_t *pid);

#endif
