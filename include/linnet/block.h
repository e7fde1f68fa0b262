/* SPDX-License-Identifier: MIT */
/* The Modelable interface: what a block type is.
 *
 * Every model is one form,
 *
 *     d/dt q(x, t) + f(x, t) = 0,     q = E x + q_nl(x),     f = A x + f_nl(x, t) - s(t) (design
 * section 2)
 *
 * and a block contributes its share of q and f through small block-local arrays that the engine
 * scatters through precomputed slots. A block never sees the method that integrates it, nor another
 * block's entries.
 *
 * Local unknowns x[]: first one per port in table order (a physical port's potential, a signal
 * port's value, input or output alike), then the type's own variables in table order. Local rows:
 * first one per port in table order, then the type's own equations.
 *   - row of a physical port: the flux INTO the block at that port (the engine sums these over each
 * link to zero);
 *   - row of a signal output: the equation that defines the output, as a residual;
 *   - row of a signal input: stays empty (no entry may name it);
 *   - own rows: residuals. There are exactly as many own rows as own variables.
 * Units: q has the row's unit times second, f the row's unit; time is in s; every value is SI.
 *
 * A class is constant data plus optional pure functions. All that changes (parameters, derived
 * values, memories) lives in arrays the engine owns, so rejection of a step, checkpoints and
 * parallel sweeps need nothing from the block. Functions may be called from several threads at once
 * for different instances.
 *
 * Memories m[] are values that change only at events. Some are for the user (the count of a
 * counter), some are modes: which branch of a conditional holds, or the integer a floor() has
 * reached. Within a step all memories are frozen, so that q and f are smooth there; the engine
 * watches guards(), ends the step where one turns negative, and has the modes decided anew. Events
 * (the `when` clauses of a type) act at such instants, see act(). */
#ifndef LINNET_BLOCK_H
#define LINNET_BLOCK_H

#include <linnet/status.h>
#include <stddef.h>

#define LINNET_ABI 7

typedef enum linnet_domain {
    LINNET_SIGNAL,
    LINNET_ELECTRICAL,    /* v [V], i [A] */
    LINNET_TRANSLATIONAL, /* v [m/s], f [N] */
    LINNET_ROTATIONAL,    /* w [rad/s], tau [N.m] */
    LINNET_THERMAL,       /* T [K], Q [W] */
    LINNET_HYDRAULIC,     /* p [Pa], m [kg/s] */
    LINNET_MAGNETIC,      /* mmf [A], phi [Wb] */
    LINNET_DOMAINS        /* their number */
} linnet_domain;

/* Flags of a port. */
enum {
    LINNET_INPUT = 1,  /* signal input */
    LINNET_OUTPUT = 2, /* signal output */
    /* attribute holds a list of links; the instance's class has one port per link ("in[1]") */
    LINNET_MANY = 4,
    LINNET_OPTIONAL = 8 /* may stay open: physical: flux 0, signal input: value 0; no warning */
};
typedef struct linnet_port {
    const char *name; /* "p" */
    linnet_domain domain;
    unsigned flags;
    const char *doc; /* may be NULL */
} linnet_port;

/* Flags of a parameter. */
enum {
    LINNET_REQUIRED = 1, /* no default */
    LINNET_OPEN_MIN = 2, /* value must be > min, not >= */
    LINNET_OPEN_MAX = 4,
    LINNET_LIST = 8,    /* a vector; rows = 1 */
    LINNET_MATRIX = 16, /* a matrix; rows by ';' */
    LINNET_INTEGER = 32,
    /* not a number (an expression, a choice); read by the class builder, takes no value */
    LINNET_TEXT = 64,
    /* decides the tables of the instance's class (a sign list); fixed once built */
    LINNET_STRUCTURAL = 128,
    /* a TEXT that names a file, from the folder of the model's file where it is written */
    LINNET_FILE = 256
};
typedef struct linnet_param {
    const char *name; /* "R" */
    const char *unit; /* "Ohm"; "" dimensionless; NULL: any unit */
    /* as written in a model, "1 kOhm"; may name earlier parameters; NULL: required, or what may be
     * absent (a number then is NAN) */
    const char *default_text;
    /* allowed range in SI; -INFINITY, INFINITY when free; each item of a list */
    double min, max;
    unsigned flags;
    const char *doc;
    /* where its values stand in linnet_block.p (row by row); set by the engine for lists; 1 x 1 for
     * numbers */
    int offset, rows, cols;
    /* a signal input of the type in whose presence the parameter must not be given; without it, it
     * must if its default is outside its range. NULL: no such input */
    const char *unless;
} linnet_param;

/* Another name under which a parameter may be given; whoever uses it is told the parameter's own
 * name. */
typedef struct linnet_alias {
    const char *name, *param;
} linnet_alias;

/* Values of a parameter that the type itself computed, in place of a user's; its name has a blank
 * and is not shown. */
typedef struct linnet_fixed {
    int param;
    const double *values;
} linnet_fixed;

/* Flags of a variable. */
enum {
    /* its start value is an initial condition (a state), not only a first guess */
    LINNET_START_FIXED = 1,
    /* of types in XML: a state that only those instances have whose model reads it by its name or
     * gives its start value; the class of the others is without */
    LINNET_ON_REQUEST = 2
};
typedef struct linnet_var {
    const char *name; /* "i" */
    const char *unit; /* SI unit, "" dimensionless, NULL any */
    double nominal;   /* typical size in the unit, > 0; 0: from the unit's domain or 1 */
    unsigned flags;
    const char *doc;
    /* absolute tolerance at the relative one of 1e-4, > 0; 0: from the domain and nominal */
    double absolute;
} linnet_var;

typedef struct linnet_row { /* an own equation */
    const char *name;       /* for messages: "voltage" */
    const char *unit;       /* of f */
} linnet_row;

/* One entry the class may write: d f[row] / d x[col] (kind A) or d q[row] / d x[col] (kind E). */
typedef enum linnet_kind { LINNET_A, LINNET_E } linnet_kind;
typedef enum linnet_change {
    LINNET_CONSTANT, /* from the parameters only: written by linear(), stamped once */
    LINNET_STATE     /* changes with x or t: written by eval() at every Newton iteration */
} linnet_change;
typedef struct linnet_entry {
    int row, col; /* local row and local unknown */
    linnet_kind kind;
    linnet_change change;
} linnet_entry;

/* A delay as its block asks for it at a point. */
typedef struct linnet_delay {
    double input;  /* u, what is delayed, now */
    double lag;    /* T >= 0, s, now */
    double most;   /* the longest T that will be asked for; INFINITY: not known */
    double before; /* u before the start; NAN: as at the start */
    /* 1: nothing is delayed; u'(t), as the last values tell, is all that is asked for (third
     * memory): huge at a jump of u; as it was while u changes by less than 1e-9 of its size */
    int rate;
} linnet_delay;

/* A value that changes only at events. */
typedef struct linnet_memory {
    const char *name; /* "count"; NULL: for the type's own use, neither recorded nor shown */
    const char *unit; /* SI unit, "" dimensionless, NULL any */
    const char *doc;
} linnet_memory;

/* What a type does at an instant. Flags: */
enum {
    /* its condition holds at times the type chose (sample(T)): true at the start counts as turning
       true, and a result shows the instant once, after it */
    LINNET_TICK = 1,
    LINNET_ENDS = 2,  /* the run ends here, and is done */
    LINNET_FAILS = 4, /* the run ends here, and has failed */
    /* joins the events of other blocks that turned its condition true: acts in their round, on
       memories and states of before them, too */
    LINNET_JOINS = 8,
    /* its condition is of memories alone: it holds for as long as events leave it so, and no state
       passes a bound by it */
    LINNET_DECIDED = 16
};
typedef struct linnet_event {
    const char *name; /* for messages: "h lt 0" */
    unsigned flags;
    const char *message; /* of ENDS and FAILS: what the user is told */
} linnet_event;

/* An initial condition: the combination sum(coefficient * x[col]) starts at a value. A class lists
 * the columns here and writes coefficients and value in start(). A state `h` with start value is
 * the case of one column. */
enum {
    LINNET_START_OPTIONAL = 1, /* where its parameter is not given there is no condition */
    /* no condition that a user knows: an inner unknown begins where the other is */
    LINNET_START_INNER = 2
};
typedef struct linnet_start {
    const char *name; /* parameter that sets it, for messages: "v0" */
    /* local unknowns; col[1] = -1 when there is one; x[col[0]] - x[col[1]] = value */
    int col[2];
    unsigned char flags;
} linnet_start;

/* A block's instance as its functions see it. */
struct linnet_block_class;
typedef struct linnet_block {
    const struct linnet_block_class *type;
    const double *p; /* parameter values at the params[].offset, SI; equal instances share them */
    /* type->nwork doubles of the engine, filled by prepare(): derived parameters and scratch.
     * Functions of one instance never run at the same time. */
    double *work;
} linnet_block;

/* Where a block is evaluated. */
typedef struct linnet_point {
    double t; /* time, s */
    /* time at which conditions on time alone are decided: a point strictly inside the current step,
     * so that a step ending at a breakpoint uses the breakpoint's left side and the next one its
     * right side */
    double decide;
    const double *x; /* local unknowns */
    const double *m; /* memories */
} linnet_point;

/* A stretch of time, over which each local unknown goes straight from x[] to x_end[], and memories
 * stay. */
typedef struct linnet_stretch {
    double from, to; /* s */
    double decide;   /* as of a point */
    const double *x, *x_end;
    const double *m;
} linnet_stretch;

/* Where eval() writes; zeroed before each call. */
typedef struct linnet_out {
    double *q, *f; /* per local row: the nonlinear part only, q_nl and f_nl */
    double *entry; /* per item of type->entries, in table order; STATE items only */
} linnet_out;

typedef struct linnet_block_class linnet_block_class;
struct linnet_block_class {
    unsigned abi;        /* LINNET_ABI */
    const char *name;    /* element name in a model: "resistor" */
    const char *doc;     /* one line: "Linear resistor" */
    const char *formula; /* the equations as text, lines by '\n'; source of the formula */
    const char *example; /* an element as written in a model, for help */
    const linnet_port *ports;
    int nports;
    const linnet_param *params;
    int nparams, nvalues; /* nvalues: doubles in linnet_block.p */
    const linnet_alias *aliases;
    int naliases;
    const linnet_fixed *fixed;
    int nfixed;
    const linnet_var *vars;
    int nvars;
    const linnet_row *rows; /* nvars own rows */
    const linnet_entry *entries;
    int nentries;
    const linnet_start *starts;
    int nstarts;
    /* physical port whose potential is held at zero (ground), else -1. Such a type has that port
     * only, no variables and no entries: the link needs no unknown */
    int reference_port;
    size_t nwork; /* doubles of linnet_block.work */
    /* nports + nvars chars, '1' where eval() writes f, '2' q, '3' both, '0' none; NULL when no eval
     */
    const char *nonlinear_rows;
    /* 1: while its memories stay, what eval() writes is affine in x, as of a switch */
    int affine;
    /* likewise '1' where the f of eval() depends on t beside x; NULL: nowhere */
    const char *timed_rows;
    const char *source_rows; /* likewise '1' where source() writes; NULL when no source */
    int source_varies;       /* source() depends on t: called at every evaluation; else once */
    const void *data;        /* the class's own constant data */
    /* 1 + index of the parameter that asks, by 1, to be taken as without voltage while an operating
     * point is first sought; 0: none */
    int off;

    /* All optional. A NULL pointer means there is nothing to do. */

    /* Relations between parameters (each alone is checked against its range already); fills
     * block->work. On failure writes what is wrong and what to do, without place or block name,
     * into message[256]. */
    linnet_status (*prepare)(const linnet_block *block, char message[256]);
    /* Writes CONSTANT items of entry[] (table order; STATE ones stay 0). */
    void (*linear)(const linnet_block *block, double *entry);
    /* Writes s per local row (zeroed before). point->x is NULL. */
    void (*source)(const linnet_block *block, const linnet_point *point, double *s);
    /* Nonlinear q, f and STATE entries (which may be infinite where q and f are not: acos(u) at 1).
     * LINNET_RETRY: outside the domain here, try a shorter step. */
    linnet_status (*eval)(const linnet_block *block, const linnet_point *point, linnet_out *out);
    /* The same q and f without the entries, for less work; may be NULL. */
    linnet_status (*value)(const linnet_block *block, const linnet_point *point, linnet_out *out);
    /* After an eval() that gave LINNET_RETRY or a value that is not finite: names the operation
     * ("sqrt(-0.3)") in text[128] and returns 1, or returns 0. */
    int (*explain)(const linnet_block *block, char text[128]);
    /* Values of the start conditions, in starts[] order. */
    void (*start)(const linnet_block *block, double *value);
    /* First guess of the local unknowns (zeroed before; own variables and potentials), used by
     * Newton at t = 0. */
    void (*guess)(const linnet_block *block, double *x);
    /* Newton limiting: x_old is where the block was evaluated last, x_new where Newton wants it;
     * moves x_new to where it shall be evaluated and returns 1 if it did. */
    int (*limit)(const linnet_block *block, const double *x_old, double *x_new);
    /* The earliest breakpoint of the block's time functions strictly after t, or INFINITY. m: its
     * memories now, on which a breakpoint may depend (the time of the next sample). */
    double (*next_breakpoint)(const linnet_block *block, double t, const double *m);
    /* Named values to record beside ports and variables (lets): index in observed[]. */
    const char *const *observed;
    int nobserved;
    /* of each, or NULL; "off|active" has none, but words for 0, 1, ... */
    const char *const *observed_units;
    const char *const *observed_docs; /* what each is, for the reference; or NULL */
    double (*observe)(const linnet_block *block, const linnet_point *point, int index);

    /* ---- memories and events ---- */
    const linnet_memory *memories;
    int nmemories; /* delays, then modes come last */
    int nmodes;
    int ndelays;   /* three memories each: u(t - T), d/du(t) of it, u'(t - T) */
    int lags_vary; /* 1: the T of some delay is not fixed by the parameters */
    const linnet_event *events;
    int nevents;
    const int *set;
    int nset; /* local unknowns that act() may set: states, potentials */

    /* Its delays: delay[ndelays]. An input may depend on the values of delays before it. The engine
     * sets their memories before every evaluation; du(t - T)/dx is the second times du/dx minus the
     * third times dT/dx. */
    void (*delays)(const linnet_block *block, const linnet_point *point, linnet_delay *delay);
    /* Start values of the memories that are neither modes nor of delays. t: the time of the start.
     */
    void (*remember)(const linnet_block *block, double t, double *m);
    /* The modes as they are when decided at this point: mode[nmodes]. Conditions are taken as they
     * stand; the modes in point->m are not looked at. */
    void (*modes)(const linnet_block *block, const linnet_point *point, double *mode);
    /* How far each mode in point->m is from changing, guard[nmodes]: continuous in x and t while
     * the memories stay;
     * >= 0 while the mode holds, < 0 where it does not. Any unit. */
    void (*guards)(const linnet_block *block, const linnet_point *point, double *guard);
    /* How far each guard may turn over the stretch, turn[nmodes], in its unit: fall and rise again,
     * or rise and fall. 0: it goes one way only, or nothing is known; negative: it does not come to
     * zero there. NULL: guards go as straight as time and unknowns do. */
    void (*turns)(const linnet_block *block, const linnet_stretch *stretch, double *turn);
    /* Whether the condition of each event holds now: holds[nevents], taken as they stand. */
    void (*conditions)(const linnet_block *block, const linnet_point *point, char *holds);
    /* The events whose fired[] is 1 act together, each on the values before. point: t, decide
     * (right of the instant); x: the block's states as before the instant, all else (signals from
     * other blocks) as it follows from them and from the memories after the instant; m: the
     * memories before. `before`: all as before the instant. m holds a copy of point->m, x of
     * point->x: act() writes what its events set (memories; the unknowns of set[]). It is called
     * again until nothing changes any more, and then the x set take effect. */
    void (*act)(const linnet_block *block, const linnet_point *point, const linnet_point *before,
                const char *fired, double *m, double *x);

    /* ---- types of several classes ---- */

    /* A type whose tables follow from its parameters (a transistor has inner nodes only where it
     * has resistances): which class an instance has, from 0, given the values and texts of its
     * parameters (NULL where there is none, in order of params[]); or -1 with what is wrong in
     * message[256]. The class named in the catalogue is then only what a user sees. */
    int (*variant)(const double *const *values, const char *const *texts, char message[256]);
    /* Makes that class of a copy of the type's own: its variables, rows, entries and data, in
     * memory from allocate(), which is zeroed and lives as long as the class. 0 when memory is
     * short. */
    int (*tables)(int variant, linnet_block_class *type,
                  void *(*allocate)(void *context, size_t bytes), void *context);
};

#endif
