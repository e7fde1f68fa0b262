/* SPDX-License-Identifier: MIT */
/* A block diagram as plain Python. */
#ifndef LN_CODEGEN_PYTHON_H
#define LN_CODEGEN_PYTHON_H

#include "codegen/c_writer.h"

/* Writes NAME.py of a plan whose language is LN_PYTHON. */
void ln_python_source(ln_c_writer *w);
/* Its last part: the program that it is when it is run. */
void ln_python_program(const ln_c_writer *w);

#endif
