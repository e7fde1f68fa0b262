/* SPDX-License-Identifier: MIT */
/* For tests of what a system knows of itself: elements as text, built to a system. */
#ifndef TESTS_SYSTEM_KIT_H
#define TESTS_SYSTEM_KIT_H

#include "heard.h"
#include "model/model.h"
#include "system/storage.h"
#include "unit.h"
#include <stdlib.h>

typedef struct bench {
    ln_report *report;
    ln_model *model;
    ln_network *network;
    ln_system *system;
    ln_arena *arena;
} bench;

static inline void done(bench *rig) {
    ln_arena_free(rig->arena);
    ln_system_free(rig->system);
    ln_network_free(rig->network);
    ln_model_free(rig->model);
    ln_report_free(rig->report);
}

/* From the model that was read, if it was, to its system. 0 when it is refused; then nothing is
 * left to free. */
static inline int build_read(linnet_status status, bench *rig) {
    if (status == LINNET_OK)
        status = ln_network_build(NULL, rig->model, NULL, 0, rig->report, &rig->network);
    if (status == LINNET_OK)
        status = ln_system_new(rig->network, rig->report, &rig->system);
    if (status == LINNET_OK)
        return 1;
    done(rig);
    return 0;
}

/* The elements of a model, with a ground at link 0. 0 when it is refused; then nothing is left to
 * free. */
static inline int build(const char *types, const char *elements, bench *rig) {
    const size_t length = strlen(types) + strlen(elements) + 100;
    char *xml = malloc(length);
    *rig = (bench){.report = ln_report_new(hear, NULL), .arena = ln_arena_new()};
    snprintf(xml, length, "<model xmlns='urn:linnet:model:1'>%s<ground id='gnd' p='0'/>%s</model>",
             types, elements);
    said[0] = '\0';
    const linnet_status status =
        ln_model_read_memory("test.xml", xml, strlen(xml), NULL, rig->report, &rig->model);
    free(xml);
    return build_read(status, rig);
}

static inline bench built(const char *types, const char *elements) {
    bench rig;
    const int sound = build(types, elements, &rig);
    if (!sound)
        printf("\n    %s\n", said);
    CU_ASSERT_FATAL(sound);
    return rig;
}

/* A sparse matrix as n x n numbers in extended precision, row by row; free() it. */
static inline long double *dense(const ln_matrix *from) {
    const int n = from->pattern.n;
    long double *to = calloc((size_t)n * (size_t)n + 1, sizeof *to);
    for (int j = 0; j < n; j++)
        for (int k = from->pattern.start[j]; k < from->pattern.start[j + 1]; k++)
            to[from->pattern.row[k] * n + j] = from->value[k];
    return to;
}

static inline void swap_rows(long double *a, int n, int i, int k) {
    for (int j = 0; j < n; j++) {
        const long double swap = a[i * n + j];
        a[i * n + j] = a[k * n + j];
        a[k * n + j] = swap;
    }
}

/* Rank of E by elimination with full pivoting, its rows scaled to largest entry 1. A (NULL: none)
 * is carried along: afterwards the last rows of E are zero. Columns are not exchanged. */
static inline int eliminate(long double *E, long double *A, int n) {
    char *used = calloc((size_t)n + 1, 1);
    int rank = 0;
    for (int i = 0; i < n; i++) {
        long double most = 0;
        for (int j = 0; j < n; j++)
            most = fmaxl(most, fabsl(E[i * n + j]));
        for (int j = 0; most > 0 && j < n; j++) {
            E[i * n + j] /= most;
            if (A != NULL)
                A[i * n + j] /= most;
        }
    }
    for (; rank < n; rank++) {
        int row = rank, col = -1;
        long double most = 1e-12L;
        for (int i = rank; i < n; i++)
            for (int j = 0; j < n; j++)
                if (!used[j] && fabsl(E[i * n + j]) > most) {
                    most = fabsl(E[i * n + j]);
                    row = i;
                    col = j;
                }
        if (col < 0)
            break;
        used[col] = 1;
        swap_rows(E, n, row, rank);
        if (A != NULL)
            swap_rows(A, n, row, rank);
        for (int i = rank + 1; i < n; i++) {
            const long double factor = E[i * n + col] / E[rank * n + col];
            for (int j = 0; j < n; j++) {
                E[i * n + j] -= factor * E[rank * n + j];
                if (A != NULL)
                    A[i * n + j] -= factor * A[rank * n + j];
            }
        }
    }
    free(used);
    return rank;
}

#endif
