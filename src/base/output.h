/* SPDX-License-Identifier: MIT */
/* The standard output of the program, which code of others that runs in it shall not write into:
 * what that prints goes to stderr. */
#ifndef LN_BASE_OUTPUT_H
#define LN_BASE_OUTPUT_H

/* Keeps the standard output for Linnet: once, by a program whose only threads are Linnet's. A
 * library does not do that, whose standard output is its user's. */
void ln_output_keep(void);

/* The descriptor for results: the one that was kept, else the standard output. */
int ln_output(void);

/* Code of others begins and ends; in any thread, and one within another. Nothing where nothing was
 * kept. */
void ln_output_lend(void);
void ln_output_take_back(void);

#endif
