/* SPDX-License-Identifier: MIT */
/* Expressions as mathematics: one directed acyclic graph per block type or diagram, in which equal
 * subexpressions are one node (hash-consing), with constant folding, exact symbolic partial
 * derivatives, and substitution.
 *
 * A node is a number; nodes are immutable and live as long as their graph. Node arguments always
 * have smaller numbers than the node itself, so a loop over increasing numbers is a topological
 * order. When memory is short, building functions return LN_NONE and the graph's `failed` flag
 * stays set; LN_NONE as an argument gives LN_NONE, so that callers test once at the end. */
#ifndef LN_EXPRESSION_GRAPH_H
#define LN_EXPRESSION_GRAPH_H

#include "base/arena.h"
#include "expression/ast.h"

typedef struct ln_text ln_text;

typedef int ln_node;
#define LN_NONE (-1)

/* Leaf kinds: what an expression may refer to. */
typedef enum ln_leaf {
    LN_LEAF_PARAMETER, /* index: value in the instance's parameter array */
    LN_LEAF_UNKNOWN,   /* index: local (block) or global (diagram) unknown */
    LN_LEAF_TIME,      /* t; index 0 */
    LN_LEAF_DECIDE,    /* the time at which conditions on time alone are decided; 0 */
    LN_LEAF_MEMORY,    /* index: a value that changes only at events */
    LN_LEAVES
} ln_leaf;

/* The operations. X(name, arity, C expression of operands a, b, c): folding, the register program,
 * and printed C come from the one expression. Those of the first list are special and have none. */
/* clang-format off */
#define LN_OP_SPECIAL(X) \
    X(CONSTANT, 0, ) \
    X(LEAF, 0, ) \
    X(DER, 1, )         /* d/dt of its argument; only before compiling */ \
    X(TABLE, 2, )       /* piecewise linear: value at a, in the segment chosen by b */ \
    X(TABLE_SLOPE, 1, ) /* slope of the segment chosen by a */ \
    X(TABLE_MIDDLE, 1, ) /* an abscissa that stands for the segment which holds a */ \
    X(TABLE_ROOM, 2, )  /* how far a lies inside the segment that b stands for */ \
    X(DELAY, 2, )       /* a, as it was a time of b ago; c: see blocks/delays.c */ \
    X(RATE, 1, )        /* how fast a changes, as its last values tell; c likewise */
/* clang-format on */
/* NOEVENT marks a condition or step that never becomes a mode; PRE what is read as before the
 * instant. */
/* clang-format off */
#define LN_OP_MATH(X) \
    X(ADD, 2, a + b) X(SUB, 2, a - b) X(MUL, 2, a * b) X(DIV, 2, a / b) X(NEG, 1, -a) \
    X(POW, 2, pow(a, b)) \
    X(LT, 2, (double)(a < b)) X(LE, 2, (double)(a <= b)) X(EQ, 2, (double)(a == b)) \
    X(AND, 2, (double)(a != 0 && b != 0)) X(OR, 2, (double)(a != 0 || b != 0)) \
    X(NOT, 1, (double)(a == 0)) \
    X(IF, 3, a != 0 ? b : c) \
    X(SQRT, 1, sqrt(a)) X(CBRT, 1, cbrt(a)) X(HYPOT, 2, hypot(a, b)) \
    X(EXP, 1, exp(a)) X(EXP2, 1, exp2(a)) X(EXPM1, 1, expm1(a)) \
    X(LOG, 1, log(a)) X(LOG2, 1, log2(a)) X(LOG10, 1, log10(a)) X(LOG1P, 1, log1p(a)) \
    X(SIN, 1, sin(a)) X(COS, 1, cos(a)) X(TAN, 1, tan(a)) \
    X(ASIN, 1, asin(a)) X(ACOS, 1, acos(a)) X(ATAN, 1, atan(a)) X(ATAN2, 2, atan2(a, b)) \
    X(SINH, 1, sinh(a)) X(COSH, 1, cosh(a)) X(TANH, 1, tanh(a)) \
    X(ASINH, 1, asinh(a)) X(ACOSH, 1, acosh(a)) X(ATANH, 1, atanh(a)) \
    X(ERF, 1, erf(a)) X(ERFC, 1, erfc(a)) X(TGAMMA, 1, tgamma(a)) X(LGAMMA, 1, lgamma(a)) \
    X(POLYGAMMA, 2, linnet_polygamma(a, b)) /* a-th derivative of digamma at b */ \
    X(SINC, 2, linnet_sinc(a, b))           /* a-th derivative of sin(pi x)/(pi x) at x = b */ \
    X(UNIFORM, 2, linnet_uniform(a, b)) \
    X(NORMAL, 2, linnet_normal(a, b)) /* random numbers: seed, counter */ \
    X(FLOOR, 1, floor(a)) X(CEIL, 1, ceil(a)) X(ROUND, 1, round(a)) X(TRUNC, 1, trunc(a)) \
    X(NOEVENT, 1, a) X(PRE, 1, a) \
    /* Delayed signal b, a time of a ago, as samples tell it; its slope there; how much of the \
     * signal now comes through where a ago lies within the step; the slope of that. Made by \
     * code generation only, never run. */ \
    X(RECALL, 2, LN_UNKNOWN_SAMPLES(a, b)) \
    X(RECALL_SLOPE, 2, LN_UNKNOWN_SAMPLES(a, b)) \
    X(RECALL_WEIGHT, 2, LN_UNKNOWN_SAMPLES(a, b)) \
    X(RECALL_WEIGHT_SLOPE, 2, LN_UNKNOWN_SAMPLES(a, b))
/* clang-format on */
#define LN_UNKNOWN_SAMPLES(a, b) ((void)(a), (void)(b), (double)NAN)
/* Two operations in one, made by the compiler of programs only (the product is rounded as on its
 * own). */
/* clang-format off */
#define LN_OP_FUSED(X) \
    X(MULADD, 3, a * b + c) X(MULSUB, 3, a * b - c) X(SUBMUL, 3, c - a * b)
/* clang-format on */
#define LN_OP_LIST(X) LN_OP_SPECIAL(X) LN_OP_MATH(X) LN_OP_FUSED(X)

typedef enum ln_op {
#define LN_OP_ENUM(name, arity, expression) LN_OP_##name,
    LN_OP_LIST(LN_OP_ENUM)
#undef LN_OP_ENUM
        LN_OPS
} ln_op;

/* 1: what it gives jumps or bends where its operands cross something: comparisons, whole numbers.
 * (Choices follow a comparison, tables a segment that is chosen beside them.) */
int ln_op_decides(ln_op op);

/* 1: it reads a delay line: RECALL and those behind it. */
static inline int ln_op_recalls(ln_op op) {
    return op >= LN_OP_RECALL && op <= LN_OP_RECALL_WEIGHT_SLOPE;
}

typedef struct ln_graph ln_graph;

ln_graph *ln_graph_new(void);
void ln_graph_free(ln_graph *graph);
int ln_graph_failed(const ln_graph *graph);
int ln_graph_size(const ln_graph *graph);

/* Building. Folding: constants; x+0, x-0, 0-x, x*1, x*0, x/1, 0/x; x^0, x^1, x^2 -> x*x, x^3, x^4,
 * x^-1, x^-2, x^0.5;
 * --x and minus signs in products and sums; x-x; `if` of a constant, and with equal branches; and,
 * or with a constant. An operation of constants whose value is not finite is kept (it depends on
 * nothing and is no CONSTANT), and nothing folds it away except the branch of an `if` not taken, so
 * that it fails where it is evaluated, with its place. */
ln_node ln_constant(ln_graph *graph, double value);
ln_node ln_leaf_node(ln_graph *graph, ln_leaf kind, int index);
/* unused operands LN_NONE */
ln_node ln_operation(ln_graph *graph, ln_op op, ln_node a, ln_node b, ln_node c);
/* Piecewise linear table: `points` x,y pairs taken from 2*points consecutive PARAMETER leaves
 * starting at `first` (x1 y1 x2 y2 ..., x rising; equal x make a jump); beyond the ends the end
 * value is held. `decide` chooses the segment. */
ln_node ln_table(ln_graph *graph, ln_node x, ln_node decide, int first, int points);
/* A step function of x: an abscissa that stands for the segment of the table which holds x. Tables
 * at such a node are constant from one abscissa to the next. */
ln_node ln_table_step(ln_graph *graph, ln_node x, int first, int points);
/* The mode of the segment that a TABLE node chooses by `u`, and how far u is from leaving the
 * segment of `mode`. */
ln_node ln_table_mode(ln_graph *graph, ln_node table, ln_node u);
ln_node ln_table_room(ln_graph *graph, ln_node table, ln_node u, ln_node mode);

/* Looking. */
ln_op ln_node_op(const ln_graph *graph, ln_node node);
/* 0..2, LN_NONE when there is none */
ln_node ln_node_arg(const ln_graph *graph, ln_node node, int which);
double ln_node_value(const ln_graph *graph, ln_node node);             /* CONSTANT */
ln_leaf ln_node_leaf(const ln_graph *graph, ln_node node, int *index); /* LEAF */
/* Bit mask of what the node depends on: 1 << LN_LEAF_..., and LN_DEPENDS_DER when a DER is below.
 * O(1). */
#define LN_DEPENDS_DER (1u << LN_LEAVES)
unsigned ln_depends(const ln_graph *graph, ln_node node);
/* 1 when `node` contains `part` (a leaf or any node). */
int ln_contains(const ln_graph *graph, ln_node node, ln_node part);
/* 1 when a leaf of this kind with an index of at least `from` stands below one of the nodes. */
int ln_has_leaf(const ln_graph *graph, const ln_node *nodes, int count, ln_leaf kind, int from);

/* Builds a function by its name in the language ("max", "clamp", "sinc", ...; see ln_lower),
 * without unit checks. LN_NONE when there is none of the name for so many arguments. */
ln_node ln_function(ln_graph *graph, const char *name, const ln_node *args, int nargs);

/* Exact partial derivative of `node` with respect to `variable` (a leaf or a DER node, taken as
 * independent; a DER that is not the variable is a constant). A conditional's derivative is that of
 * the branch; floor, comparisons: 0; of a^b with b varying at a = 0, and of hypot(0, 0): 0. O(size
 * below node). */
ln_node ln_derivative(ln_graph *graph, ln_node node, ln_node variable);
/* The derivatives of `node` with respect to `count` variables (rising, each as above), as
 * ln_derivative() gives them: slopes[k] is that of variables[k], the constant 0 where it does not
 * occur. A sum costs the size of its terms times the variables of each, not times all variables. 0
 * when memory is short. */
int ln_gradient(ln_graph *graph, ln_node node, const ln_node *variables, int count,
                ln_node *slopes);
/* How a node depends on a variable: 0 not at all, 1 linearly with a coefficient free of unknowns,
 * time and DER (parameters only), 2 otherwise. */
typedef enum ln_degree { LN_DEGREE_NONE, LN_DEGREE_LINEAR, LN_DEGREE_NONLINEAR } ln_degree;
ln_degree ln_degree_in(ln_graph *graph, ln_node node, ln_node variable);

/* Copies nodes from one graph into another (or the same), replacing each leaf and DER by what `map`
 * returns; `map` returns LN_NONE to keep it (DER: then its argument is copied; leaves below a DER
 * are mapped in any case). `from == to` substitutes. Results are memoised in one call over all
 * `count` nodes; nodes[] is overwritten by the new nodes, all LN_NONE when memory is short. `map`
 * may build and derive in both graphs. LN_NONE among nodes[] stays. */
typedef ln_node ln_leaf_map(void *context, ln_graph *to, const ln_graph *from, ln_node leaf_or_der);
void ln_copy(ln_graph *to, const ln_graph *from, ln_node *nodes, int count, ln_leaf_map *map,
             void *context);
/* The same for an instance whose parameters stand `shift` places further on in an array of many:
 * tables move there (PARAMETER leaves are the map's business). */
typedef struct ln_leaf_mapping {
    ln_leaf_map *map;
    void *context;
    int shift;
} ln_leaf_mapping;
void ln_copy_shifted(ln_graph *to, const ln_graph *from, ln_node *nodes, int count,
                     const ln_leaf_mapping *mapping);

/* Rewriting in general. Copies nodes bottom up; `rebuild` makes each from the old one and its new
 * arguments. As ln_copy() for failure. */
typedef ln_node ln_rebuild(void *context, ln_graph *to, const ln_graph *from, ln_node old,
                           const ln_node arg[3]);
void ln_rewrite(ln_graph *to, const ln_graph *from, ln_node *nodes, int count, ln_rebuild *rebuild,
                void *context);
/* The node `old` of `from` built in `to` with other arguments (its leaves and constants are taken
 * over). */
ln_node ln_remake(ln_graph *to, const ln_graph *from, ln_node old, const ln_node arg[3]);

/* Conditions on time alone. Rewrites the nodes so that each comparison, floor, ceil, round, trunc
 * and table segment whose argument is g(t) = scale*t + shift is decided at LN_LEAF_DECIDE, and
 * lists when it changes: at times where g is zero (CORNER_ZERO: g is the difference of the two
 * sides), an integer (CORNER_INTEGER), an integer plus a half (CORNER_HALF), or an abscissa of the
 * table (CORNER_TABLE). The list lives in the arena.
 *
 * Why it is exact. A node is taken when it is linear in time by its form, with coefficients of
 * parameters alone: then scale = dg/dt, shift = g with 0 put for t. Inner conditions come first
 * (arguments before what uses them) and are on `decide` by then, hence constants to d/dt; so in
 * `mod(t, T) lt w`, which is t - T*floor(t/T) lt w, the floor is a breakpoint of its own and the
 * comparison is affine between the floor's breakpoints, with a shift that depends on `decide`. Such
 * a scale or shift holds up to the next breakpoint listed before it: see ln_breakpoints_next() in
 * program.h, which asks them in order. A condition that is no such function of time (sin(t) gt 0)
 * stays as it is, and so does one that contains it. */
typedef enum ln_breakpoint_kind {
    LN_BREAKPOINT_ZERO,
    LN_BREAKPOINT_INTEGER,
    LN_BREAKPOINT_HALF,
    LN_BREAKPOINT_TABLE
} ln_breakpoint_kind;
typedef struct ln_breakpoint {
    ln_breakpoint_kind kind;
    /* depend on parameters and memories, and on DECIDE where conditions nest */
    ln_node scale, shift;
    int table_first, table_points;
} ln_breakpoint;
/* Returns the number of breakpoints; nodes[] is overwritten (LN_NONE when memory is short, see
 * ln_graph_failed). */
int ln_decide_time(ln_graph *graph, ln_node *nodes, int count, ln_arena *arena,
                   const ln_breakpoint **breakpoints);
/* Next time strictly after t (by more than a few units in the last place) at which the breakpoint
 * fires, given scale, shift and the table's values (x1 y1 x2 y2 ...); INFINITY if none. With scale
 * 1 and shift -t0 exactly t0. */
double ln_breakpoint_next(ln_breakpoint_kind kind, double scale, double shift, const double *table,
                          int points, double t);

/* Conditionals in general are IF nodes: min, max, abs, clamp, sign are built from them, so that
 * every kink of a model is an IF with a condition that can be watched. */

/* ---- from tree to graph ---- */

/* A value with its dimension. */
typedef struct ln_value {
    /* a resolver may leave LN_NONE: then the name is the number `constant` in any graph */
    ln_node node;
    ln_dimension dimension;
    double constant;
} ln_value;

/* Resolves a name. Returns 1 and sets *value, or 0 if unknown (the caller of ln_lower reports it
 * with the nearest of `known`), or -1 after having reported an error itself. */
typedef struct ln_names {
    int (*find)(void *context, const char *name, int column, ln_value *value);
    void *context;
    const char *const *known; /* for the hint; may be NULL */
    size_t nknown;
    /* NULL where neither sample() nor pre() has a meaning */
    const struct ln_event_names *events;
    int has_history; /* 1: delay() has a meaning; rate() where events have one, too */
} ln_names;

/* What an expression of an event may hold besides. */
typedef struct ln_event_names {
    int pre; /* 1: pre() is allowed (in a set) */
    /* sample(period, offset, clock): the node that holds from each sample on until it is acted
     * upon; NULL where it has no place (outside of conditions). clock: LN_NONE where there is none.
     * LN_NONE after an error, reported. */
    ln_node (*sample)(void *context, ln_node period, ln_node offset, ln_node clock, int column);
    void *context;
} ln_event_names;

/* Functions known: the C99 ones of one or two arguments (sqrt cbrt exp exp2 expm1 log log2 log10
 * log1p pow hypot sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc tgamma
 * lgamma fabs floor ceil round trunc fmod fmin fmax fdim), min max (two or more), clamp(x, low,
 * high), sign, abs, sinc (sin(pi x)/(pi x)), mod (result has the sign of the divisor), if(c, a, b),
 * der(x), delay(x, T), rate(x). Constants pi and e; `t` is resolved by `names` so that where time
 * has no meaning it is an unknown name. Operators: see ast.h.
 *
 * noevent(x): x, its conditions and steps marked by NOEVENT; pre(x): PRE, sample(period, offset):
 * see ln_event_names; smooth_abs(x, w) = hypot(x, w), smooth_sign(x, w) = x/hypot(x, w), smooth_max
 * and smooth_min(a, b, w) = (a + b +- hypot(a - b, w))/2.
 *
 * Units. Sums, comparisons, branches, min, max, clamp, mod, hypot, atan2 need arguments that fit;
 * abs and the like keep the unit, sqrt and cbrt take its root, der divides it by s; x^c scales it
 * when c is a constant; all else needs plain numbers. See ln_any for what fits everything. Checks
 * units and the number of arguments; reports with file:line and column; returns 0 after an error.
 */
int ln_lower(ln_graph *graph, const ln_ast *ast, const ln_names *names, ln_place place,
             ln_report *report, ln_value *result);

/* Value of an expression of constants and of names that resolve to constants (ln_lower into a
 * scratch graph, then evaluated): a parameter's value. A domain error (sqrt of a negative, division
 * by zero, overflow) is reported with the operation's column. Returns 0 after an error. */
int ln_evaluate(const ln_ast *ast, const ln_names *names, ln_place place, ln_report *report,
                double *value, ln_dimension *dimension);

/* 1 for t, pi, e, if, der and the operator words, which no parameter may bear (functions are known
 * by their parenthesis and reserve nothing: a parameter may be called min). */
int ln_is_reserved(const char *name);

/* Text of a node, with names for leaves (for messages and the printed model): the language of
 * ast.h, with as few parentheses as it needs; numbers in SI. Shared nodes are written out each
 * time; beyond 65 536 bytes the text ends in "...". */
typedef void ln_leaf_print(void *context, ln_text *text, ln_leaf kind, int index);
void ln_node_print(const ln_graph *graph, ln_node node, ln_text *text, ln_leaf_print *leaf,
                   void *context);

#endif
