/* SPDX-License-Identifier: MIT */
/* The network: a model flattened into instances and links, numbered, and checked before any number
 * is computed.
 *
 * Numbering. Every link has one unknown (a physical link's potential, a signal's value), except a
 * reference link whose potential is zero; every own variable of an instance is one unknown. Rows
 * are numbered like unknowns: row i of a physical link is its conservation of flux, of a signal
 * link the equation of the output that drives it, of an own variable the own equation of the same
 * place. Unknowns are ordered by the full names of their owners, so that results do not depend on
 * the order of blocks in the file, bit by bit. */
#ifndef LN_NETWORK_NETWORK_H
#define LN_NETWORK_NETWORK_H

#include "base/arena.h"
#include "base/report.h"
#include <linnet/block.h>

typedef struct ln_catalogue ln_catalogue;
typedef struct ln_model ln_model;
typedef struct ln_scope ln_scope;

/* <start link value> */
typedef struct ln_link_start {
    double value;
    int fixed; /* fixed="yes": it is where the link starts, no guess */
    ln_place place;
} ln_link_start;

typedef struct ln_link {
    const char *name; /* full, dotted: "motor.n1"; an open output's own: "plant.out" */
    ln_place place;   /* where it is first named */
    linnet_domain domain;
    int unknown; /* -1: reference link, potential zero */
    int nports;  /* ports joined (first: index into network->joints) */
    int first;
    const ln_link_start *start; /* NULL: there is none */
} ln_link;

static inline int ln_link_is_fixed(const ln_link *link) {
    return link->start != NULL && link->start->fixed;
}

/* arrow: +1 `to`, -1 `from`, 0 named */
typedef struct ln_joint {
    int instance;
    int port : 30, arrow : 2;
} ln_joint;
enum { LN_MOST_PORTS = 1 << 28 }; /* of a block */

/* What few instances have. */
typedef struct ln_besides {
    /* a bit per start condition of the class (ln_is_given); NULL: all zero */
    const unsigned char *given;
    /* parameters that are text, parameters in scope put in: name, text, ..., NULL; or NULL */
    const char *const *texts;
    /* per enable that enables it, whose inputs are its last ports: the full name of the component
     * or block that bears it, the outermost first; NULL behind them. NULL: it has none */
    const char *const *enabled_by;
} ln_besides;

typedef struct ln_instance {
    linnet_block block; /* type, p; work is the system's */
    const char *name;   /* full, dotted */
    ln_place place;
    const int *links;          /* per port: link index, or -1 (open optional port) */
    int first_own;             /* unknown of its first own variable; they follow each other */
    int first_memory;          /* place of its first memory among all; they follow each other */
    const ln_besides *besides; /* never NULL: one without anything serves most */
} ln_instance;

/* Whether the model wrote the parameter of starts[k] of the instance's class. */
static inline int ln_is_given(const ln_instance *instance, int k) {
    const unsigned char *given = instance->besides->given;
    return given != NULL && (given[k / 8] >> k % 8 & 1);
}

typedef struct ln_extra { /* a port flux made an unknown, because it is recorded and stores */
    /* row `unknown`: flux_of_block - x[unknown] = 0; x[unknown] enters the link's row */
    int instance, port, unknown;
} ln_extra;

typedef struct ln_constant_name {
    const char *name, *unit;
    double value;
} ln_constant_name;

typedef struct ln_network {
    ln_arena *arena;
    const char *name;
    ln_catalogue *catalogue;
    int owns_catalogue; /* it is freed with the network; a caller may hand its own over so */
    ln_link *links;
    int nlinks; /* ordered by name */
    ln_instance *instances;
    int ninstances; /* ordered by name */
    ln_joint *joints;
    int njoints;
    ln_extra *extras;
    int nextras;
    int n;         /* unknowns = rows */
    int nmemories; /* memories of all instances, in their order */
    ln_constant_name *parameters;
    int nparameters; /* the model's own parameters */
    ln_scope *scope; /* the model's, for <simulation> and <reference> expressions */
    const ln_model *model;
    /* per owned unknown: absolute tolerance the model asks for, 0 if it does not; or NULL */
    double *absolute;
    /* per owned unknown: 1 where it asks for this one by its name; with absolute */
    char *singled;
    int only_signals;               /* 1: a block diagram */
    int purely_signal;              /* 1: and all its classes are known as equations */
    struct ln_network_names *names; /* private: look-up of names and aliases */
} ln_network;

/* NAME=VALUE given on the command line or by the API: "load=2 kOhm", or "R1.R=5". */
typedef struct ln_override {
    const char *name, *value;
} ln_override;

/* Flattens the model, joins links, numbers, and runs the structural checks. All errors are
 * reported. `model` must outlive the network. catalogue: its types, to which native ones may have
 * been added, borrowed, so that it serves several networks one after the other
 * (ln_catalogue_forget); NULL: the built-in types and the model's, which are the network's own. On
 * success the network is the caller's. LINNET_USAGE when an override names nothing. */
linnet_status ln_network_build(ln_catalogue *catalogue, const ln_model *model,
                               const ln_override *overrides, int noverrides, ln_report *report,
                               ln_network **network);
void ln_network_free(ln_network *network);

/* What a user's name means. */
typedef enum ln_quantity_kind {
    LN_Q_NONE,
    LN_Q_UNKNOWN,  /* x[index] (link potential, signal, variable, flux that is an unknown) */
    LN_Q_ZERO,     /* potential of a reference link */
    LN_Q_FLUX,     /* flux into instance `index` at port `item` */
    LN_Q_DROP,     /* potential of port `item` minus that of port `other`, of instance `index` */
    LN_Q_POWER,    /* power into instance `index` */
    LN_Q_OBSERVED, /* observed value `item` of instance `index` */
    LN_Q_MEMORY,   /* memory `index` of all */
    LN_Q_CONSTANT  /* `value` */
} ln_quantity_kind;
typedef struct ln_quantity {
    ln_quantity_kind kind;
    int index, item, other;
    double sign; /* times this (n1@R1.n) */
    double value;
    const char *unit; /* SI unit or NULL */
} ln_quantity;

/* Looks a name up: link (also by the name of a component's port that joins it), block.variable,
 * block.port.flux, block.flux, block.v, block.P, link@block.port, parameters of blocks, components
 * and the model. A type's own names win over derived ones. 0 when unknown (then *nearest, if
 * nearest is not NULL, is the nearest name or NULL; it lives as long as the network). A flux is
 * LN_Q_FLUX also when it has been made an unknown, whose number may still change. */
int ln_network_find(const ln_network *network, const char *name, ln_quantity *quantity,
                    const char **nearest);
/* Whether the block's output is another one's clock (a port of that name): its memories count
 * ticks. */
int ln_network_is_clock(const ln_network *network, const ln_instance *instance);
/* The index of the instance of that name (of `length` bytes), or -1. O(log n). */
int ln_find_instance(const ln_network *network, const char *name, size_t length);
/* Calls visit for every recordable name that matches a pattern with '*' and '?' ("R1.*", "*"),
 * which stand for dots too; a pattern without wildcard is looked up as it is. Parameters match only
 * by their exact name, and of a block with two ports of a domain only the flux into the first. The
 * name of a vector stands for its elements. Order: by name. Names live as long as the network.
 * Returns the number of matches, -1 when memory is short. */
int ln_network_match(const ln_network *network, const char *pattern,
                     void (*visit)(void *context, const char *name, const ln_quantity *quantity),
                     void *context);

/* The states on request that an instance lacks (LINNET_ON_REQUEST), as `block.state` with their
 * units: they would be there if they were asked for by these names. */
void ln_network_offered(const ln_network *network, int instance,
                        void (*visit)(void *context, const char *name, const char *unit),
                        void *context);

/* Makes the flux at a port an unknown of its own (before any system is built); returns its unknown,
 * or -1 when memory is short. Asking twice gives the same. These unknowns follow all others in the
 * order of instances and ports, so a number is final only when the last has been added. */
int ln_network_add_flux(ln_network *network, int instance, int port);

/* Names for messages: "potential of link out [V]", "D1.i [A]"; "flux sum at link out", "equation
 * `voltage` of V1". */
void ln_network_unknown_text(const ln_network *network, int unknown, char text[160]);
void ln_network_row_text(const ln_network *network, int row, char text[160]);
/* Its unit, "" where it has none. */
const char *ln_network_unknown_unit(const ln_network *network, int unknown);
/* The short name of an unknown as a user writes it ("out", "D1.i"), and the place of its owner. Of
 * a number that is none of the network's unknowns, which may be none at all: "no unknown" and
 * LN_NOWHERE, also in ln_network_unknown_text(). */
const char *ln_network_unknown_name(const ln_network *network, int unknown);
ln_place ln_network_unknown_place(const ln_network *network, int unknown);
/* The block whose equation a row is: of a signal, the one that drives it; NULL of a sum of fluxes.
 */
const ln_instance *ln_network_row_block(const ln_network *network, int row);
/* Its absolute tolerance at the default relative one of 1e-4, and its typical size: from
 * <tolerance>, the variable itself, the domain, the variable's unit, or 1. */
void ln_network_unknown_scale(const ln_network *network, int unknown, double *abstol,
                              double *nominal);
/* The same of a unit that some domain's potential or flux has; else 0. */
int ln_unit_scale(const char *unit, double *abstol, double *nominal);
/* Whether the model gives an absolute tolerance to this very unknown. */
int ln_network_has_tolerance(const ln_network *network, int unknown);
/* Whether it is a potential, a flux, or a variable in such a unit of a block with physical ports.
 */
int ln_network_is_physical(const ln_network *network, int unknown);
/* Is it the potential of a link? */
int ln_network_is_potential(const ln_network *network, int unknown);

#endif
