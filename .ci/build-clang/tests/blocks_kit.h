/* SPDX-License-Identifier: MIT */
/* One block alone, without a network: what the tests of block types share.
 *
 * kit_type() compiles a <block-type>; kit_instance() makes an instance of a catalogue type from an
 * element as a model would write it ("<resistor R='5'/>"). Then q(x, t) and f(x, t) are whole:
 * linear entries, nonlinear parts and source together. */
#ifndef TESTS_BLOCKS_KIT_H
#define TESTS_BLOCKS_KIT_H

#include "blocks/catalogue.h"

enum { KIT_MAX = 64, KIT_VALUES = 256, KIT_WORK = 8192, KIT_MEMORIES = 64, KIT_ENTRIES = 512 };

typedef struct kit {
    ln_report *report;
    ln_model *model;
    ln_equations *equations;
    ln_catalogue *catalogue;
    ln_arena *arena;
    const linnet_block_class *class;
    linnet_block block;
    double p[KIT_VALUES], work[KIT_WORK];
    double m[KIT_MEMORIES]; /* as at the start; modes follow every kit_at() */
    double q[KIT_MAX], f[KIT_MAX], entry[KIT_ENTRIES];
    linnet_status status; /* of the last step */
    char message[256];    /* prepare()'s */
} kit;

/* Compiles the only <block-type> of the text; kit->class is NULL when it has errors (kit_said tells
 * which). */
void kit_type(kit *setup, const char *xml);
/* Sets parameter values in order of the class and calls prepare(). */
void kit_prepare(kit *setup, const double *values, int count);
/* An instance of a built-in type; ports may be left out except lists. catalogue: shared by all
 * instances. */
void kit_instance(kit *setup, ln_catalogue *catalogue, ln_report *report, const char *element);
void kit_free(kit *setup);

/* 1 when some message so far contains the text. */
int kit_said(const kit *setup, const char *text);

/* Evaluates all at (t, decide, x): q, f and entries (constant ones too). Returns eval()'s status.
 */
linnet_status kit_at(kit *setup, double t, double decide, const double *x);
/* After kit_at(): the sum of the entries at a place, 0 when there is none. */
double kit_entry(const kit *setup, linnet_kind kind, int row, int col);
/* Number of entries of a kind of change. */
int kit_count(const kit *setup, linnet_change change);

/* Output number `out` of a linear signal block to input `in` at the complex frequency s: solves (s
 * E + A) X = 0 with that input 1 and others 0. Sets gain[2] (re, im). Returns 0 when the matrix is
 * singular. */
int kit_response(kit *setup, int in, int out, const double s[2], double gain[2]);

#endif
