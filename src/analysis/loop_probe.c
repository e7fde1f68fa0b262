/* SPDX-License-Identifier: MIT */
/* Which entries of the blocks see the named side of a link, and what both injections make of them.
 */
#include "analysis/loop_probe.h"

#include "analysis/delayed.h"
#include "base/domain.h"
#include "base/sys.h"
#include <string.h>

/* What an entry's value is multiplied by: 1, s, or what delay term k adds (0 and up). */
enum { TIMES_ONE = -2, TIMES_S = -1 };

/* An entry of a block that is on the named side by its column (it reads the potential there), by
 * its row (it gives a flux there), or by both. */
typedef struct probed_entry {
    int factor, row, col; /* unknowns; -1: none */
    int reads, gives;     /* 1: on the named side by its column, by its row */
    double value;
} probed_entry;

struct ln_loop_probe {
    ln_small_signal *small; /* borrowed */
    ln_linear *solver;      /* owned */
    ln_delay_shares in_a;   /* owned */
    int unknown, balance; /* potential of the link; the balance that its row takes part in, or -1 */
    probed_entry *entries; /* released */
    size_t count, room;
    double *values;                 /* pairs of the pencil */
    double complex *x[2], *dx[2];   /* of both injections */
    double complex *factor, *slope; /* of the delay terms */
};

/* ---- which ports are named ---- */

/* How a name means ports of a link: a block's port, or those inside of a component. */
typedef struct side_name {
    const ln_network *network;
    const char *name;
    size_t length; /* of what stands before its last dot */
    int is_block;  /* a block bears that name, else a component may */
} side_name;

static int is_inside(const side_name *side, const ln_joint *joint) {
    const ln_instance *instance = &side->network->instances[joint->instance];
    const char *port = instance->block.type->ports[joint->port].name;
    const size_t length = side->length;
    if (strncmp(instance->name, side->name, length) != 0)
        return 0;
    if (side->is_block)
        return instance->name[length] == '\0' && strcmp(port, side->name + length + 1) == 0;
    return instance->name[length] == '.';
}

static side_name read_name(const ln_network *network, const char *name) {
    const char *dot = strrchr(name, '.');
    const size_t length = dot != NULL ? (size_t)(dot - name) : strlen(name);
    return (side_name){network, name, length,
                       dot != NULL && ln_find_instance(network, name, length) >= 0};
}

/* The physical link that a name means, or NULL; of the reference links any. */
static const ln_link *find_link(const ln_network *network, const char *name) {
    ln_quantity quantity;
    if (!ln_network_find(network, name, &quantity, NULL))
        return NULL;
    for (int k = 0; k < network->nlinks; k++) {
        const ln_link *link = &network->links[k];
        const int meant = quantity.kind == LN_Q_ZERO
                              ? link->unknown < 0
                              : quantity.kind == LN_Q_UNKNOWN && link->unknown == quantity.index;
        if ((meant || strcmp(link->name, name) == 0) && link->domain != LINNET_SIGNAL)
            return link;
    }
    return NULL;
}

static const char *joint_name(const ln_network *network, const ln_joint *joint, ln_arena *arena) {
    const ln_instance *instance = &network->instances[joint->instance];
    return ln_arena_printf(arena, "%s.%s", instance->name,
                           instance->block.type->ports[joint->port].name);
}

static linnet_status which_port(ln_small_signal *small, const ln_link *link) {
    const ln_network *network = small->system->network;
    const char *list = "", *one = "";
    for (int k = 0; k < link->nports && list != NULL && one != NULL; k++) {
        one = joint_name(network, &network->joints[link->first + k], small->arena);
        if (one != NULL)
            list = ln_arena_printf(small->arena, "%s%s%s", list, k > 0 ? ", " : "", one);
    }
    if (list == NULL || one == NULL)
        return ln_no_memory(small->report);
    return ln_fail(small->report, LINNET_USAGE, link->place,
                   "link '%s' joins %s: a loop is opened at a signal or at one of these ports, as "
                   "in --open %s",
                   link->name, list, one);
}

/* Does joint k of the link belong to the named side? Of a link with two ports it is either. */
static int is_named(const side_name *side, const ln_link *link, int k, int by_ports) {
    return by_ports ? is_inside(side, &side->network->joints[link->first + k]) : k == 0;
}

/* Whether the name means ports and not the link: it means some of them, not all. */
static int names_ports(const side_name *side, const ln_link *link) {
    int count = 0;
    for (int k = 0; k < link->nports; k++)
        count += is_inside(side, &side->network->joints[link->first + k]);
    return count > 0 && count < link->nports;
}

/* ---- entries ---- */

static linnet_status append(ln_loop_probe *probe, probed_entry entry) {
    if (!LN_GROW(probe->entries, probe->count, probe->room))
        return ln_no_memory(probe->small->report);
    probe->entries[probe->count++] = entry;
    return LINNET_OK;
}

/* What is read in a row of a floating part enters the part's balance, too; what a block passes on
 * within the part adds up to nothing there. `from`: the block's first entry. */
static linnet_status add_to_balance(ln_loop_probe *probe, size_t from, probed_entry entry) {
    entry.row = ln_balance_row(probe->small->system, entry.row);
    entry.col = -1;
    entry.gives = 0;
    if (entry.row < 0 || !entry.reads)
        return LINNET_OK;
    for (size_t k = from; k < probe->count; k++) {
        probed_entry *other = &probe->entries[k];
        if (other->gives || other->col >= 0 || other->row != entry.row ||
            other->factor != entry.factor)
            continue;
        other->value += entry.value;
        return LINNET_OK;
    }
    return append(probe, entry);
}

static linnet_status add_entry(ln_loop_probe *probe, size_t from, probed_entry entry) {
    if (entry.value == 0)
        return LINNET_OK;
    LN_TRY(append(probe, entry));
    return add_to_balance(probe, from, entry);
}

/* The entries of a block, of whose ports some (1 in `named`, by local number) are on that side. */
static linnet_status add_block(ln_loop_probe *probe, int instance, const char *named) {
    ln_small_signal *small = probe->small;
    const ln_network *network = small->system->network;
    const ln_instance *block = &network->instances[instance];
    const linnet_block_class *type = block->block.type;
    const size_t from = probe->count;
    const double *value = ln_system_block_entries(small->system, instance, small->at);
    if (value == NULL)
        return ln_fail(small->report, LINNET_FAILED, block->place,
                       "%s (%s) has no derivative at this point", block->name, type->name);
    for (int k = 0; k < type->nentries; k++) {
        const linnet_entry *e = &type->entries[k];
        probed_entry entry = {.factor = e->kind == LINNET_E ? TIMES_S : TIMES_ONE,
                              .row = ln_local_row(network, instance, e->row),
                              .col = ln_local_unknown(network, block, e->col),
                              .reads = e->col < type->nports && named[e->col],
                              .gives = e->row < type->nports && named[e->row],
                              .value = value[k]};
        if (!entry.reads && !entry.gives)
            continue;
        LN_TRY(add_entry(probe, from, entry));
        for (entry.factor = 0; entry.factor < small->nterms; entry.factor++) {
            const ln_delay_term *term = &small->terms[entry.factor];
            entry.value = term->instance == instance ? term->entry[k] : 0;
            LN_TRY(add_entry(probe, from, entry));
        }
    }
    return LINNET_OK;
}

static linnet_status add_side(ln_loop_probe *probe, const side_name *side, const ln_link *link,
                              int by_ports) {
    const ln_network *network = side->network;
    for (int k = 0; k < link->nports; k++) {
        const int instance = network->joints[link->first + k].instance;
        int before = 0;
        for (int j = 0; j < k; j++)
            before |= network->joints[link->first + j].instance == instance;
        char *named =
            LN_NEW(probe->small->arena, char, network->instances[instance].block.type->nports);
        if (named == NULL)
            return ln_no_memory(probe->small->report);
        int any = 0;
        for (int j = k; j < link->nports && !before; j++) {
            const ln_joint *joint = &network->joints[link->first + j];
            if (joint->instance == instance && is_named(side, link, j, by_ports))
                any = named[joint->port] = 1;
        }
        if (any)
            LN_TRY(add_block(probe, instance, named));
    }
    return LINNET_OK;
}

static linnet_status allocate(ln_loop_probe *probe, ln_linear_kind kind) {
    ln_small_signal *small = probe->small;
    ln_arena *arena = small->arena;
    probe->values = LN_NEW(arena, double, 2 * (size_t)small->pattern->start[small->n]);
    probe->factor = LN_NEW(arena, double complex, small->nterms);
    probe->slope = LN_NEW(arena, double complex, small->nterms);
    for (int k = 0; k < 2; k++) {
        probe->x[k] = LN_NEW(arena, double complex, small->n);
        probe->dx[k] = LN_NEW(arena, double complex, small->n);
    }
    probe->solver = ln_linear_new_complex(small->pattern, kind);
    return LN_ALL_SET(probe->values, probe->factor, probe->slope, probe->x[0], probe->x[1],
                      probe->dx[0], probe->dx[1], probe->solver)
               ? LINNET_OK
               : ln_no_memory(small->report);
}

linnet_status ln_loop_probe_begin(ln_small_signal *small, const char *name, ln_linear_kind kind,
                                  ln_loop_probe **out) {
    const side_name side = read_name(small->system->network, name);
    const ln_link *link = find_link(side.network, name);
    *out = NULL;
    if (link == NULL)
        return LINNET_RETRY;
    if (link->unknown < 0)
        return ln_fail(small->report, LINNET_USAGE, link->place,
                       "'%s' is held at zero: no loop leads through it", name);
    const int by_ports = names_ports(&side, link);
    if (!by_ports && link->nports != 2)
        return which_port(small, link);
    ln_loop_probe *probe = *out = LN_NEW(small->arena, ln_loop_probe, 1);
    if (probe == NULL)
        return ln_no_memory(small->report);
    *probe = (ln_loop_probe){.small = small,
                             .unknown = link->unknown,
                             .balance = ln_balance_row(small->system, link->unknown)};
    LN_TRY(allocate(probe, kind));
    LN_TRY(ln_delayed_matrix(small, &probe->in_a));
    return add_side(probe, &side, link, by_ports);
}

void ln_loop_probe_free(ln_loop_probe *probe) {
    if (probe == NULL)
        return;
    ln_linear_free(probe->solver);
    ln_sys->release(probe->in_a.items);
    ln_sys->release(probe->entries);
}

/* ---- at a frequency ---- */

/* The factor of an entry and its derivative by s. */
static double complex factor_of(const ln_loop_probe *probe, const probed_entry *entry,
                                double complex s, double complex *slope) {
    switch (entry->factor) {
    case TIMES_ONE: *slope = 0; return 1;
    case TIMES_S: *slope = 1; return s;
    default: *slope = probe->slope[entry->factor]; return probe->factor[entry->factor];
    }
}

/* What the potential added in series brings into the rows that read it, and its derivative by s. */
static void drive_series(ln_loop_probe *probe, double complex s) {
    for (size_t k = 0; k < probe->count; k++) {
        const probed_entry *entry = &probe->entries[k];
        double complex slope;
        const double complex factor = factor_of(probe, entry, s, &slope);
        if (!entry->reads || entry->row < 0)
            continue;
        probe->x[0][entry->row] -= factor * entry->value;
        probe->dx[0][entry->row] -= slope * entry->value;
    }
}

/* The flux into the named side in injection k, and its derivative by s. */
static double complex flux(const ln_loop_probe *probe, double complex s, int k,
                           double complex *derivative) {
    double complex sum = 0;
    *derivative = 0;
    for (size_t i = 0; i < probe->count; i++) {
        const probed_entry *entry = &probe->entries[i];
        if (!entry->gives)
            continue;
        double complex slope;
        const double complex factor = factor_of(probe, entry, s, &slope),
                             x = entry->col < 0 ? 0 : probe->x[k][entry->col],
                             dx = entry->col < 0 ? 0 : probe->dx[k][entry->col],
                             added = entry->reads && k == 0 ? 1 : 0;
        sum += factor * entry->value * (x + added);
        *derivative += slope * entry->value * (x + added) + factor * entry->value * dx;
    }
    return sum;
}

linnet_status ln_loop_probe_at(ln_loop_probe *probe, double complex s, double complex *q,
                               double complex *dq) {
    const ln_small_signal *small = probe->small;
    const size_t size = (size_t)small->n * sizeof *probe->x[0];
    double complex v[2], dv[2], i[2], di[2];
    ln_delayed_factors(small, s, probe->factor, probe->slope);
    ln_delayed_pencil(small, &probe->in_a, s, probe->factor, probe->values);
    switch (ln_linear_factor(probe->solver, probe->values)) {
    case LN_FACTORED: break;
    case LN_SINGULAR: return LINNET_RETRY;
    default: return ln_no_memory(small->report);
    }
    for (int k = 0; k < 2; k++) {
        memset(probe->x[k], 0, size);
        memset(probe->dx[k], 0, size);
    }
    drive_series(probe, s);
    probe->x[1][probe->unknown] = 1;
    if (probe->balance >= 0)
        probe->x[1][probe->balance] = 1;
    for (int k = 0; k < 2; k++) {
        /* (s E + A) x' = b' - (s E + A)' x */
        ln_linear_solve(probe->solver, (double *)probe->x[k]);
        ln_delayed_slope(small, &probe->in_a, probe->slope, (const double *)probe->x[k],
                         (double *)probe->dx[k]);
        ln_linear_solve(probe->solver, (double *)probe->dx[k]);
        v[k] = probe->x[k][probe->unknown];
        dv[k] = probe->dx[k][probe->unknown];
        i[k] = flux(probe, s, k, &di[k]);
    }
    *q = i[1] - v[0] - 2 * (i[0] * v[1] - v[0] * i[1]);
    *dq = di[1] - dv[0] - 2 * (di[0] * v[1] + i[0] * dv[1] - dv[0] * i[1] - v[0] * di[1]);
    return LINNET_OK;
}
