/* SPDX-License-Identifier: MIT */
/* Private to V and I cards (source.c) and their random waveforms (noise.c): what a card says. */
#ifndef LN_SPICE_SOURCE_H
#define LN_SPICE_SOURCE_H

#include "spice/deck.h"

typedef struct ln_source ln_source;

typedef struct ln_waveform {
    const char *name;    /* "sin" */
    int most;            /* values */
    unsigned amplitudes; /* bit k: value k is an amplitude, which m multiplies; PWL: every second */
    void (*emit)(const ln_cursor *cursor, const ln_source *src);
} ln_waveform;

struct ln_source {
    const char *p, *n;
    int is_current;
    double dc;
    int has_dc;
    const ln_waveform *wave; /* NULL: none */
    double *values; /* those of the card, in its order; an enum in each emit_...() names them */
    int nvalues;
    double m_total;      /* by which amplitudes are multiplied: m of the card times m of the
                            subcircuits around; 1 of a voltage */
    double repeat_from;  /* of PWL: r=, the time from which it repeats; NAN: it does not */
    double delay;        /* of PWL: td= */
    double m;            /* the card's m=, of a current: so many in parallel */
    double ac, ac_phase; /* of the frequency response, degrees */
    double rser, cpar;   /* LTspice's, of a voltage: in series; across all of it */
};

/* The k-th value of the waveform; `otherwise` when it is left out. */
static inline double ln_source_value(const ln_source *src, int k, double otherwise) {
    return k < src->nvalues ? src->values[k] : otherwise;
}
/* A block of constant value for the card. */
static inline ln_element *ln_source_constant(const ln_cursor *cursor, const ln_source *src) {
    return ln_emit_branch(cursor, src->is_current ? "current-source" : "voltage-source", src->p,
                          src->n);
}

/* Waveforms of noise.c. */
void ln_source_trnoise(const ln_cursor *cursor, const ln_source *src);
void ln_source_trrandom(const ln_cursor *cursor, const ln_source *src);

#endif
