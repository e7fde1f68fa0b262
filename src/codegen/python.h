/* SPDX-License-Identifier: MIT */
/* A block diagram or a physical network as plain Python. */
#ifndef LN_CODEGEN_PYTHON_H
#define LN_CODEGEN_PYTHON_H

#include "codegen/c_writer.h"

/* Writes NAME.py of a plan whose language is LN_PYTHON. */
void ln_python_source(ln_c_writer *w);
/* python_network.c: the programs and lists of a physical network; its signals at the start. */
void ln_python_network(ln_c_writer *w);
void ln_python_start_signals(const ln_c_writer *w);
/* python_device.c: the devices of a network, as share/python/devices.py evaluates them. */
void ln_python_devices(const ln_c_writer *w);
/* Text printed for C: what C reads through a pointer is an attribute. */
void ln_python_text(const ln_c_writer *w, const ln_text *body);
/* Locals of what a body reads from `at`. */
void ln_python_locals(const ln_c_writer *w);
/* The body of a function, behind the locals that it reads; then its end. */
void ln_python_body(ln_c_writer *w, const ln_text *body, const char *end);
/* Its last part: the program that it is when it is run. */
void ln_python_program(const ln_c_writer *w);

#endif
