/* SPDX-License-Identifier: MIT */
/* Bytes to legal models: blocks of the whole catalogue, joined at random within their domains. */
#ifndef TESTS_FUZZ_GENERATE_H
#define TESTS_FUZZ_GENERATE_H

#include "base/text.h"
#include "blocks/catalogue.h"
#include "fuzz.h"
#include "integrate/integrate.h"

enum { FUZZ_BLOCKS = 8, FUZZ_NODES = 3 /* a domain; node 0 is its reference */ };

typedef struct fuzz_joint { /* a physical port, one of a list "p[2]", and where it is joined */
    int domain, node;
    char block[16], port[24];
} fuzz_joint;

typedef struct fuzz_model {
    const ln_method *method;
    const ln_type *types[FUZZ_BLOCKS];
    int nblocks;
    unsigned nodes[LINNET_DOMAINS]; /* bit per node in use, by domain */
    fuzz_joint joints[FUZZ_BLOCKS * 64];
    int njoints;
    int within_steps; /* rows within steps too, not at their ends alone */
    int adaptive;     /* the step is, by a tolerance */
    double tolerance; /* 0: none */
    int exact;        /* Newton's method to rounding, without bypass */
    int loops;        /* a block's signal may lead back to it: of solutions there may be several */
    int extreme;      /* a parameter is far from that of its example */
    ln_text xml;
} fuzz_model;

/* Fills the model; false when a type of the catalogue could not be had. The caller frees xml. Its
 * settings stand in the model: fixed steps, or a tolerance, as the method can. */
void fuzz_generate(fuzz_model *model, ln_catalogue *catalogue, fuzz_bytes *bytes);

#endif
