/* SPDX-License-Identifier: MIT */
/* Devices made of branches between nodes: what the semiconductors share.
 *
 * A device has nodes: its electrical ports, then inner nodes, each behind the series resistance of
 * a port. Between nodes run branches, each a current or (where it stores) a charge that depends on
 * some differences of node voltages. A device in C says only which branches there are and, at given
 * voltages, their values and slopes; from that this file makes the class: Kirchhoff's law, entries
 * and the conservation of charge follow. Without its resistance an inner node IS the port, so that
 * a model pays for no unknown that it does not need: a type has a class for each set of inner
 * nodes.
 *
 * The last port is `heat`, which may stay open. Joined, it gives the device its temperature in
 * place of the parameter, and takes what the branches lose: the device is then prepared anew at
 * each temperature, and differences are its slopes there.
 *
 * A type of two polarities (npn and pnp) has the equations of the first; the second sees all
 * voltages with the other sign and gives its currents and charges back with it. */
#ifndef LN_BLOCKS_NATIVE_DEVICE_H
#define LN_BLOCKS_NATIVE_DEVICE_H

#include "blocks/native/flow.h"
#include <linnet/block.h>

enum { LN_DEVICE_NODES = 12, LN_DEVICE_BRANCHES = 24 };

/* A number of each of so many devices side by side. */
enum { LN_DEVICE_LANES = 8 };
typedef double ln_device_lanes[LN_DEVICE_LANES];

/* A branch from one node to another. Where it stores nothing its current through its voltage is
 * heat, unless it is made up. */
typedef struct ln_branch {
    signed char from, to;
    char stores; /* its value is a charge */
    char ncontrols;
    /* each the voltage of the first node against the second */
    signed char control[LN_DEVICE_CONTROLS][2];
    char made_up; /* an equation in a branch's form: it gives no heat */
} ln_branch;

/* An inner node hangs on a port, or on an inner node before it, by a resistance that the device's
 * branches contain. */
typedef struct ln_inner {
    linnet_var var;
    signed char on;
} ln_inner;

/* A voltage at the start, between nodes, and the parameter that gives it (NULL by default). */
typedef struct ln_device_start {
    int param;
    signed char from, to;
} ln_device_start;

typedef struct ln_device {
    const char *carried; /* see ln_carried.type */
    const ln_branch *branches;
    int nbranches;
    const ln_inner *inner;
    int ninner;
    const ln_device_start *starts;
    int nstarts;
    int off;                 /* index of the parameter "off" */
    int type;                /* index of the parameter that tells the polarity, or -1 */
    int temperature;         /* index of the parameter */
    const char *polarity[2]; /* its values: as in the equations, the other sign */
    /* Is there a resistance before this inner node, which is no part of a branch's own law? */
    int (*exists)(const double *const *values, int inner);
    /* flow[nbranches] at the node voltages v (ports, then inner nodes), in the first polarity. */
    void (*flows)(const linnet_block *block, const double *v, ln_flow *flow);
    /* The same bits of LN_DEVICE_LANES devices side by side, by their linnet_block.work: node[k] of
     * all lanes; flow[] as the numbers of ln_flow follow each other, of the branches that join two
     * nodes at least. 0: one of them is not of the kind that this serves. NULL: there is none. */
    int (*flows_of_lanes)(const double *const *work, const double *const *node,
                          ln_device_lanes *flow);
    /* Where the junctions shall be evaluated (see limit() of a class): moves v, returns 1 if it
     * did. */
    int (*limit)(const linnet_block *block, const double *v_old, double *v);
    /* The way on which limit() changes nothing, V: the sum over all nodes of how far each moves. */
    double (*unlimited)(const linnet_block *block);
    /* Conditions to record (gm, vbe, region) at the same voltages, in the first polarity; the first
     * `nsigned` are voltages and currents, which the other polarity has with the other sign. Their
     * names are the class's observed[]. */
    double (*condition)(const linnet_block *block, const double *v, const ln_flow *flow, int index);
    int nsigned;
} ln_device;

/* A branch that joins two unknowns. */
enum { LN_CORNERS = 4 }; /* of a stamp: rows from, to x columns of a control voltage */
typedef struct ln_joined {
    unsigned char branch, from, to, stores, ncontrols; /* from, to: local unknowns */
    unsigned char control[LN_DEVICE_CONTROLS][2];      /* local unknowns */
    short slot[LN_DEVICE_CONTROLS][LN_CORNERS];        /* of entries */
} ln_joined;

/* What the tables of a class are made from: .data of a variant. */
typedef struct ln_device_shape {
    const ln_device *device;
    double sign;                          /* -1 for the second polarity */
    int nports, nnodes, nunknowns;        /* nports: electrical ones; behind them comes heat */
    unsigned inner;                       /* bit k: inner node k is a node of its own */
    signed char unknown[LN_DEVICE_NODES]; /* of each node */
    ln_joined joined[LN_DEVICE_BRANCHES];
    int njoined;
    short by_heat[LN_DEVICE_BRANCHES][2]; /* of `from` and `to` by the temperature */
    short losses[LN_DEVICE_NODES + 1];    /* of the heat by each unknown */
} ln_device_shape;

/* NULL: the class is no device's. */
const ln_device_shape *ln_device_shape_of(const linnet_block_class *type);

/* What generated code takes along of a device at a fixed temperature: its equations, which are
 * TYPE_branches(device, v, flow) and TYPE_limit(device, v_old, v), its parameters and where its
 * branches are. */
typedef struct ln_carried {
    const char *type; /* "ln_diode": a struct of doubles alone, as linnet_block.work holds it */
    const ln_branch *branches;
    int nbranches, nnodes;
    signed char unknown[LN_DEVICE_NODES]; /* local, of each node */
    double sign;
    void (*flows)(const linnet_block *block, const double *v, ln_flow *flow);
} ln_carried;
/* 0: the class is no device. */
int ln_device_carried(const linnet_block_class *class, ln_carried *carried);
/* The same of the diodes that are no SPICE models (diode.c). */
int ln_diode_carried(const linnet_block_class *class, ln_carried *carried);

/* The device of a class; .data of its face points to it, that of a variant to more. */
int ln_device_variant(const ln_device *device, const double *const *values,
                      const char *const *texts, char message[256]);
int ln_device_tables(const ln_device *device, int variant, linnet_block_class *class,
                     void *(*allocate)(void *context, size_t bytes), void *context);
linnet_status ln_device_eval(const linnet_block *block, const linnet_point *point, linnet_out *out);
linnet_status ln_device_value(const linnet_block *block, const linnet_point *point,
                              linnet_out *out);
int ln_device_limit(const linnet_block *block, const double *x_old, double *x_new);
double ln_device_observe(const linnet_block *block, const linnet_point *point, int index);

/* For prepare(): has the class the inner nodes that the values ask for? They may have been changed
 * since it was made. LINNET_OK, or LINNET_MODEL with a message. */
linnet_status ln_device_check(const linnet_block *block, const char *const *names,
                              char message[256]);

/* 1, or -1 for the second polarity. */
double ln_device_sign(const linnet_block *block);

/* The values of the class's start conditions. */
void ln_device_begin(const linnet_block *block, double *value);

/* The two functions that a face needs, which know their device; the members they go into, and those
 * that all faces write alike from what a device's file calls ports, conditions, units, prepare,
 * NPARAMS and NWORK. */
#define LN_DEVICE_CALLS(device)                                                                 \
    static int device##_variant(const double *const *values, const char *const *texts,          \
                                char message[256]) {                                            \
        return ln_device_variant(&device, values, texts, message);                              \
    }                                                                                           \
    static int device##_tables(int variant, linnet_block_class *class,                          \
                               void *(*allocate)(void *context, size_t bytes), void *context) { \
        return ln_device_tables(&device, variant, class, allocate, context);                    \
    }
#define LN_DEVICE_MEMBERS(device, parameters)                                         \
    .reference_port = -1, .start = ln_device_begin, .variant = device##_variant,      \
    .tables = device##_tables, .eval = ln_device_eval, .value = ln_device_value,      \
    .limit = ln_device_limit, .observe = ln_device_observe, .observed = conditions,   \
    .observed_units = units, .observed_docs = docs,                                   \
    .nobserved = sizeof conditions / sizeof *conditions, .ports = ports,              \
    .nports = sizeof ports / sizeof *ports, .params = parameters, .nparams = NPARAMS, \
    .nvalues = NPARAMS, .nwork = NWORK, .prepare = prepare

#define LN_DEVICE_HEAT                                                     \
    {                                                                      \
        "heat", LINNET_THERMAL, LINNET_OPTIONAL,                           \
            "where the losses go; its temperature takes the place of temp" \
    }
/* The parameter of all devices that makes a search for an operating point begin without them. */
#define LN_OFF(index)                                      \
    LN_NUMBER(index, "off", "", "0", 0, 1, LINNET_INTEGER, \
              "1: off while an operating point is first sought")

/* A row of a parameter table: a number without a unit or with one, in a range. */
/* clang-format off */
#define LN_NUMBER(index, name, unit, value, min, max, flags, doc) \
    {name, unit, value, min, max, flags, doc, index, 1, 1, NULL}
/* clang-format on */

#endif
