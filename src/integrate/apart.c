/* SPDX-License-Identifier: MIT */
/* Parts of which only differences are stored: capacitors that hang on nothing but each other. What
 * such a part has in common is no state. Where it hangs on the rest by megohms (the far side of a
 * bridge rectifier) it is beset by the rounding of large charges, the more the shorter the step: an
 * error norm that counted it would never be content. So errors are judged against the member of the
 * part that has the least. Only where the errors themselves are too large: elsewhere what a part
 * has in common follows from its differences, and its errors from theirs, but they are what a user
 * looks at.
 *
 * The error of that member itself counts as far as it is more than rounding (radau5). The methods
 * of one stage leave it out once four steps have failed: their noise is not known when they judge.
 *
 * A part is a set of unknowns that share rows of E + dq, in each of which the entries add up to
 * zero. */
#include "base/forest.h"
#include "integrate/stepper.h"

#include <math.h>
#include <string.h>

/* What the walk over the entries of E and dq collects; all in work arrays of the run. */
typedef struct walk {
    int *parent, *owner;
    double *sum, *size;
} walk;

static void meet(walk *groups, int row, int col, double value) {
    /* a junction without a capacitance has the entries of one */
    if (!(value < 0 || value > 0))
        return;
    if (groups->owner[row] < 0)
        groups->owner[row] = col;
    else
        groups->parent[ln_root_of(groups->parent, col)] =
            ln_root_of(groups->parent, groups->owner[row]);
    groups->sum[row] += value;
    groups->size[row] += fabs(value);
}

static void walk_entries(const ln_system *system, walk *groups) {
    const ln_matrix *E = &system->E;
    for (int j = 0; j < system->n; j++)
        for (int k = E->pattern.start[j]; k < E->pattern.start[j + 1]; k++)
            meet(groups, E->pattern.row[k], j, E->value[k]);
    for (int k = 0; k < system->ndq; k++)
        meet(groups, system->dq_row[k], system->dq_col[k], system->dq[k]);
}

/* Numbers the parts: parent becomes the number, -1 for unknowns of none. members, bad: by root. */
static int number_parts(int n, int *parent, int *members, const double *bad, double *number) {
    int count = 0;
    memset(members, 0, (size_t)n * sizeof *members);
    for (int i = 0; i < n; i++)
        members[parent[i]]++;
    for (int i = 0; i < n; i++)
        number[i] = members[i] > 1 && !(bad[i] > 0) ? count++ : -1;
    for (int i = 0; i < n; i++)
        parent[i] = (int)number[parent[i]];
    return count;
}

void ln_find_parts(ln_run *run) {
    const int n = run->n;
    walk groups = {run->part, run->reference, run->q1, run->f1};
    double *bad = run->x1;
    memset(groups.sum, 0, (size_t)n * sizeof *groups.sum);
    memset(groups.size, 0, (size_t)n * sizeof *groups.size);
    memset(bad, 0, (size_t)n * sizeof *bad);
    for (int i = 0; i < n; i++) {
        groups.parent[i] = i;
        groups.owner[i] = -1;
    }
    walk_entries(run->system, &groups);
    for (int i = 0; i < n; i++)
        groups.parent[i] = ln_root_of(groups.parent, i);
    for (int i = 0; i < n; i++)
        if (groups.owner[i] >= 0 && fabs(groups.sum[i]) > 1e-9 * groups.size[i])
            bad[groups.parent[groups.owner[i]]] = 1;
    run->nparts = number_parts(n, groups.parent, groups.owner, bad, groups.sum);
}

void ln_note_stalled(ln_run *run, int rejected) {
    enum { PATIENCE = 4 };
    if (rejected >= PATIENCE && run->nparts > 0)
        run->apart = 1;
}

void ln_choose_references(ln_run *run, const double *e) {
    for (int k = 0; k < run->nparts; k++)
        run->reference[k] = -1;
    for (int i = 0; i < run->n; i++) {
        if (run->part[i] < 0)
            continue;
        int *reference = &run->reference[run->part[i]];
        if (*reference < 0 || fabs(e[i]) < fabs(e[*reference]))
            *reference = i;
    }
}
