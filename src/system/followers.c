/* SPDX-License-Identifier: MIT */
/* Which unknowns only follow: one row alone holds them, linearly, and determines them from the
 * others. They are found from the end: an unknown that occurs in one row alone, by a constant
 * entry; without it and its row, the next. Newton's method has them at one update behind what they
 * follow, whatever its updates were before. */
#include "system/system.h"

typedef struct search {
    int *count;  /* n: entries of each column in the rows that are left */
    long *total; /* n: the sum of their numbers: of a single one, its number */
    int *start;  /* n + 1: the entries of each row in `listed` */
    long *listed;
    int *row, *col; /* per entry */
    char *constant; /* per entry */
    int *queue;     /* n: followers, as they are found */
    long nentries;
    int found;
} search;

static void add(search *s, int row, int col, int constant) {
    s->row[s->nentries] = row;
    s->col[s->nentries] = col;
    s->constant[s->nentries] = (char)constant;
    s->start[row + 1]++;
    s->count[col]++;
    s->total[col] += s->nentries++;
}

static void add_matrix(search *s, const ln_matrix *matrix, int constant) {
    const ln_pattern *pattern = &matrix->pattern;
    for (int j = 0; j < pattern->n; j++)
        for (int k = pattern->start[j]; k < pattern->start[j + 1]; k++)
            if (matrix->value[k] < 0 || matrix->value[k] > 0)
                add(s, pattern->row[k], j, constant);
}

static void gather(search *s, const ln_system *system) {
    add_matrix(s, &system->A, 1);
    add_matrix(s, &system->E, 0);
    for (int k = 0; k < system->ndf; k++)
        add(s, system->df_row[k], system->df_col[k], 0);
    for (int k = 0; k < system->ndq; k++)
        add(s, system->dq_row[k], system->dq_col[k], 0);
    for (int i = 0; i < system->n; i++)
        s->start[i + 1] += s->start[i];
    /* from the end of each row to its begin: start[i + 1] is where row i begins, then */
    for (long k = s->nentries - 1; k >= 0; k--)
        s->listed[--s->start[s->row[k] + 1]] = k;
    for (int i = 0; i < system->n; i++)
        s->start[i] = s->start[i + 1];
    s->start[system->n] = (int)s->nentries;
}

static void look(search *s, int unknown) {
    if (s->count[unknown] == 1 && s->constant[s->total[unknown]])
        s->queue[s->found++] = unknown;
}

/* Takes the row away that determines the unknown. */
static void peel(search *s, int unknown, char *follows) {
    if (s->count[unknown] != 1)
        return; /* another one had the row */
    const int row = s->row[s->total[unknown]];
    follows[unknown] = 1;
    s->count[unknown] = 0;
    for (int k = s->start[row]; k < s->start[row + 1]; k++) {
        const long entry = s->listed[k];
        const int col = s->col[entry];
        if (s->count[col] == 0)
            continue;
        s->count[col]--;
        s->total[col] -= entry;
        look(s, col);
    }
}

linnet_status ln_system_followers(const ln_system *system, char *follows) {
    const int n = system->n;
    const size_t entries = (size_t)system->A.pattern.start[n] + (size_t)system->E.pattern.start[n] +
                           (size_t)system->ndf + (size_t)system->ndq;
    ln_arena *work = ln_arena_new();
    if (work == NULL)
        return LINNET_MEMORY;
    search s = {LN_NEW(work, int, n),
                LN_NEW(work, long, n),
                LN_NEW(work, int, n + 1),
                LN_NEW(work, long, entries),
                LN_NEW(work, int, entries),
                LN_NEW(work, int, entries),
                LN_NEW(work, char, entries),
                LN_NEW(work, int, n),
                0,
                0};
    const linnet_status status = ln_arena_failed(work) ? LINNET_MEMORY : LINNET_OK;
    for (int i = 0; i < n; i++)
        follows[i] = 0;
    if (status == LINNET_OK) {
        gather(&s, system);
        for (int i = 0; i < n; i++)
            look(&s, i);
        for (int k = 0; k < s.found; k++)
            peel(&s, s.queue[k], follows);
    }
    ln_arena_free(work);
    return status;
}
