/* SPDX-License-Identifier: MIT */
/* Private to the room `system`: how one instance's local arrays meet the global ones. */
#ifndef LN_SYSTEM_ACTIVE_H
#define LN_SYSTEM_ACTIVE_H

#include "system/system.h"

#include <float.h>

/* Values of a local array, from[k], and where they belong in a global one, to[k]. */
typedef struct ln_scatter {
    int count;
    int *from, *to;
} ln_scatter;

/* What stands at local[from] is added to values[to], or taken from it. */
static inline void ln_scatter_add(const ln_scatter *list, const double *local, double *values) {
    for (int k = 0; k < list->count; k++)
        values[list->to[k]] += local[list->from[k]];
}

static inline void ln_scatter_clear(const ln_scatter *list, double *values) {
    for (int k = 0; k < list->count; k++)
        values[list->to[k]] = 0;
}

static inline void ln_scatter_subtract(const ln_scatter *list, const double *local,
                                       double *values) {
    for (int k = 0; k < list->count; k++)
        values[list->to[k]] -= local[list->from[k]];
}

/* An instance with its gather and scatter lists. Local index -> global number, -1: no unknown
 * (reference, open port) or no row (reference link, signal input). */
struct ln_active {
    ln_instance *instance;
    int nlocal;               /* ports + variables */
    const int *unknown, *row; /* nlocal each */
    const int *balance_row; /* nlocal: the balance row of the floating part (supernodes.c) to which
                          the local row adds as well, or -1 */
    /* of an instance with eval(): what it writes and where that goes */
    ln_scatter to_q, to_f, to_dq, to_df;
    /* values subtracted from a balance row: those of the device's nodes outside the part
     * (ln_choose_sides()) */
    ln_scatter outside_q, outside_f, outside_dq, outside_df;
    const char *from_outside; /* nlocal: 1 where the balance row is written from the nodes outside
                                 the part */
    int nnodes;               /* of a device with any `from_outside`, else 0 */
    int nentries;             /* of its class: those before the ones by or of ports that are open */
    int no_memories;          /* evaluated without memories: neither modes nor delays */
    int hybrid;               /* its place among the hybrid instances, -1: it is none */
    int first_guard, first_event; /* of a hybrid one: its place among all guards and events */
    /* local unknowns where limit() last let it be evaluated; NULL without limit() */
    double *last;
    /* what it gave when it was evaluated last, there if it has limit(): q, f, entries, one behind
     * the other; is_whole: that is all of it, and Newton wanted that place */
    double *written;
    int is_whole;
};

/* What its local unknowns are in x, zero where there is none; into local[], which is returned. */
static inline const double *ln_gather(const ln_active *active, const double *x, double *local) {
    for (int j = 0; j < active->nlocal; j++)
        local[j] = active->unknown[j] < 0 ? 0.0 : x[active->unknown[j]];
    return local;
}

/* Where what a local row gives goes, -1: nowhere. */
static inline int ln_row_of(const ln_active *active, int local) {
    return active->row[local] >= 0 ? active->row[local] : active->balance_row[local];
}

/* Local maps of an instance: its unknowns; its rows, and the balances that they enter, as
 * ln_place_rows() has them. */
typedef struct ln_maps {
    int *unknown, *row, *balance_row;
} ln_maps;

static inline int ln_is_hybrid_type(const linnet_block_class *type) {
    return type->nmemories + type->nevents > 0;
}

/* Makes the lists of an instance; its entries that change join those of all, by kind. LINNET_MEMORY
 * is not reported. */
linnet_status ln_active_make(ln_system *system, ln_scattered *state, const ln_maps *map,
                             int instance, int with_entries, ln_active *active);

/* The side a block is asked about. */
static inline ln_side ln_side_of(const linnet_point *point) {
    return (ln_side){point->t, point->decide, LN_MODES_FROZEN};
}

/* From which part of what flows through a junction on its current bends: by 1 % of an exponential
 * the second term of its series is 5e-5. And what rounding makes of a product, tenfold for a sum of
 * some. */
#define LN_BENDS_FROM 0.01
#define LN_ROUNDING (10 * DBL_EPSILON)
/* A junction's current may be so many times what the rest of the network carries, its own charge
 * feeding it. Beyond, it is none: stages of 1e93 A fed each other's charge. */
#define LN_BEYOND 1e6

/* What ln_system_nonlinearity() says of one instance with n local rows: what it gives to each, what
 * a way changes of that, and what rounding makes of it. */
double ln_bend_of(const ln_active *active, int n, const double *f, const double *change,
                  const double *rounding, const double *sizes);

/* A look at all nonlinear instances. */
typedef struct ln_look {
    ln_side side;
    const double *x;
    double rests; /* V: so near to where they were evaluated devices give their tangent */
    int manner;
    int entries; /* derivatives, too */
    double *q, *f;
    int limited, secants;
} ln_look;

/* Rows of nonlinear instances in which no constant entry of E stores, `count` of them: whether a
 * row stores at a point depends on its entries of dq, loose->dq[first[k]] to first[k + 1] - 1. */
typedef struct ln_loose_rows {
    int count, *row, *first, *dq;
    char *is_unstored; /* n: of the rows listed, 1 for those that store nothing now; others 0 */
} ln_loose_rows;

struct ln_system_private {
    /* local work arrays, long enough for every class; q, f and entry of the instance at hand stand
     * one behind the other in `written` while it is evaluated */
    double *x, *q, *f, *entry, *written, *moved, *memory, *mode;
    double *q_moved, *f_moved, *entry_moved; /* of ln_secant_entries() */
    int secants;  /* derivatives in the last ln_system_eval() that are slopes of secants */
    ln_side side; /* of the last ln_system_eval() */
    double *x_before;
    ln_active **single; /* instances that are evaluated one by one */
    int nsingle;
    int single_df, single_dq; /* their entries are the last ones, from these numbers on */
    struct ln_batch *batches; /* all others (batch.c) */
    int nbatches;
    struct ln_threads *threads; /* that look at them (threads.c); NULL: the caller's alone */
    struct ln_resting *resting; /* of these, what rests (resting.c); NULL: nothing may */
    ln_loose_rows loose;
    int *hybrid;  /* per instance: as ln_active.hybrid */
    double *work; /* shared linnet_block.work of instances that are evaluated only at set-up */
    /* alpha E + A at the pattern's positions */
    double *base;
    double base_alpha;
    int base_valid;
    char blame[256];
    ln_place blame_place;
    const ln_instance *prepared; /* passive instance whose work is in the shared place */
};

/* Guards of an instance: of its modes, then of its delays where they vary. */
static inline int ln_guards_of(const linnet_block_class *type) {
    return type->nmodes + (type->lags_vary ? type->ndelays : 0);
}

static inline double *ln_memories_of(const ln_system *system, const ln_instance *instance) {
    return system->memory == NULL ? NULL : system->memory + instance->first_memory;
}

/* The memories hybrid instance `index` (-1: not hybrid) is evaluated with at a point: as they
 * are; with its delays looked up; with its modes decided there on a side with LN_MODES_FREE. A
 * copy lasts until the next call. point->m is not read. */
const double *ln_memories_at(ln_system *system, const ln_instance *instance, int index,
                             ln_side side, const double *local);

/* Puts slopes of secants in the place of the entries (own->entry) that are not finite at the point
 * own->x, where the block's values (own->q, own->f) are. Returns their number. (secant.c) */
int ln_secant_entries(ln_system *system, const ln_active *active, const linnet_point *point);

/* Keeps for ln_system_blame() which block it was, and why. (blame.c) */
void ln_blame(ln_system *system, const ln_active *active, const char *what, double t);

/* One instance: its values are added, its derivatives set. LINNET_RETRY as ln_system_eval(). */
linnet_status ln_system_visit(ln_system *system, ln_active *active, ln_look *at);
/* Of a block without limit(), evaluated last at x, by local rows: what it gives at x - dx, how far
 * that is from its tangent at x, and the sums of |slope| |x| before and after. The arrays last
 * until the next look. LINNET_RETRY as ln_system_eval(). */
typedef struct ln_departure {
    const double *f;
    double *off, *before, *after;
} ln_departure;
linnet_status ln_system_depart(ln_system *system, const ln_active *active, const double *x,
                               const double *dx, ln_departure *found);
/* Does the block ask to be off at first? */
int ln_asks_off(const linnet_block *block);

/* Sorts the nonlinear instances into batches and single ones, and the entries that change (state,
 * by kind) in the order of the batches. LINNET_MEMORY is not reported. */
linnet_status ln_batches_new(ln_system *system, ln_scattered *state);
/* All instances that stand in batches, as ln_system_visit(). */
linnet_status ln_batches_visit(ln_system *system, ln_look *at);
/* The threads of ln_system_take_threads() end. */
void ln_threads_free(ln_system *system);
/* Room for those of them that rest. LINNET_MEMORY is not reported. */
linnet_status ln_resting_new(ln_system *system);
/* How many chunks are held at present. */
int ln_resting_count(const ln_system *system);
/* Nothing rests any more. */
void ln_resting_drop(ln_system *system);
/* values += df + alpha dq, by their slots. */
void ln_add_slopes(const ln_system *system, double alpha, double *values);
/* Finds own->loose. LINNET_MEMORY is not reported. */
linnet_status ln_find_loose_rows(ln_system *system);
/* Has it a row to which it may bend, one whose size is not infinite? n: its local rows. */
int ln_bend_counts(const ln_active *active, int n, const double *sizes);
/* ln_system_nonlinearity() of all instances in batches; of those that do not move by more than
 * `still` times their ln_device.unlimited(), 0. */
double ln_batches_bends(const ln_system *system, const double *x, const double *dx,
                        const double *sizes, double still);

/* The places of all instances in batches, as ln_system_save_places(): their number; one way or the
 * other. */
size_t ln_batches_places(const ln_system *system);
void ln_batches_save_places(const ln_system *system, double *places);
void ln_batches_restore_places(ln_system *system, const double *places);

/* Fills the two maps (nlocal each) of an instance. */
void ln_local_unknowns(const ln_network *network, int instance, int *unknown);
void ln_local_rows(const ln_network *network, int instance, int *row);

/* Finds system->balance_row (supernodes.c); locals: of the largest class. LINNET_MEMORY is not
 * reported.
 */
linnet_status ln_supernodes_find(ln_system *system, int locals, ln_report *report);
/* The rows of an instance as the system has them: what local row j gives enters row[j] and
 * across[j], the balance of a part; -1: none. LINNET_MEMORY is not reported. */
linnet_status ln_place_rows(const ln_system *system, int instance, int *row, int *balance_row);
/* Does the class store anything across the surface of the part? A device whose charges all stand
 * between nodes of one side adds none to the balance, which else would pass for a dynamic row: a
 * method would average its flux over a step, where it is zero at every point. What is no device
 * may. */
int ln_stores_across(const linnet_block_class *type, const int *balance_row, int common);
/* A balance row needs the flux through the part's surface. A device's share is summed over its
 * nodes inside the part, or, with opposite sign, over those outside (beyond[j] = 1): over
 * whichever side has fewer branches from node to node, because those cancel only up to rounding.
 * Returns the number of nodes, or 0 if beyond is 0 throughout. */
int ln_choose_sides(const linnet_block_class *type, const int *balance_row, char *from_outside);
/* What the constant entries of entry `first`'s column bring across the surface of the part that it
 * is in; told with the first of them, else 0. */
double ln_sum_across(const linnet_block_class *type, const double *entry, const int *balance_row,
                     const int *unknown, int first);

/* The extra row of a port's flux, or NULL. */
const ln_extra *ln_find_extra(const ln_network *network, int instance, int port);

/* The instance's derived parameters ready in block.work, computing them into the shared place if it
 * has none of its own. The returned block is valid until the next call for another instance. */
linnet_status ln_prepare(ln_system *system, ln_instance *instance, linnet_block *block,
                         ln_report *report);

/* A change of unknown j, at x, that is noise: a guard that changes by it has not changed. */
double ln_system_noise_of(const ln_system *system, int j, double x);

#endif
