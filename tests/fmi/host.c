/* SPDX-License-Identifier: MIT */
/* A small importer for the tests of `linnet export`: loads the library of an FMU, runs it as
 * co-simulation or as model exchange, and prints its outputs as CSV.
 *
 *     host LIBRARY VERSION TOKEN cs|me STEP END STATES INDICATORS REFERENCE... [REFERENCE=VALUE...]
 *
 * A reference before which stands i or b is that of an Int32 or a Boolean (FMI 3); `7x3` is an
 * array of three. Values are set before the start. Every step is taken, undone by the state kept
 * before it, and taken again from the state as bytes: both times the state behind it must be the
 * same, byte by byte, so that a state that is not whole shows. Model exchange: rk4 with steps of
 * STEP, which end at time events; a change of sign of an indicator is located by bisection of the
 * step. */
#include <fmi2.h>
#include <fmi3.h>

#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1024 };

static void *library;
static int version;

static void *find(const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL) {
        fprintf(stderr, "host: there is no %s\n", name);
        exit(3);
    }
    return found;
}

/* A function of the library by its type and name. */
#define CALL(name) (*(name##Type **)hold(find(#name)))
static void *hold(void *found) {
    static void *held;
    held = found;
    return &held;
}

static void check(int status, const char *what) {
    if (status == 0)
        return;
    fprintf(stderr, "host: %s ends with status %d\n", what, status);
    exit(4);
}

static void log_2(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status status,
                  fmi2String category, fmi2String message, ...) {
    va_list arguments;
    (void)environment;
    fprintf(stderr, "host: %s: %d %s: ", name, (int)status, category);
    va_start(arguments, message);
    vfprintf(stderr, message, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

static void log_3(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                  fmi3String message) {
    (void)environment;
    fprintf(stderr, "host: %d %s: %s\n", (int)status, category, message);
}

/* ---- one interface to both versions ---- */

typedef int mode_call(void *instance);
typedef int numbers_call(void *instance, double *values, size_t count);

static void call_mode(void *instance, const char *two, const char *three) {
    const char *name = version == 2 ? two : three;
    mode_call *call;
    void *found = find(name);
    memcpy(&call, &found, sizeof call);
    check(call(instance), name);
}

static void get_numbers(void *instance, const char *two, const char *three, double *values,
                        size_t count) {
    const char *name = version == 2 ? two : three;
    numbers_call *call;
    void *found = find(name);
    memcpy(&call, &found, sizeof call);
    check(call(instance, values, count), name);
}

static void *make(const char *token, int exchange) {
    static const fmi2CallbackFunctions functions = {log_2, calloc, free, NULL, NULL};
    void *made;
    if (version == 2)
        made = CALL(fmi2Instantiate)("it", exchange ? fmi2ModelExchange : fmi2CoSimulation, token,
                                     NULL, &functions, 0, 1);
    else if (exchange)
        made = CALL(fmi3InstantiateModelExchange)("it", token, NULL, false, true, NULL, log_3);
    else
        made = CALL(fmi3InstantiateCoSimulation)("it", token, NULL, false, true, false, false, NULL,
                                                 0, NULL, log_3, NULL);
    if (made == NULL) {
        fputs("host: there is no instance\n", stderr);
        exit(5);
    }
    return made;
}

static void set(void *it, unsigned reference, double value) {
    check(version == 2 ? (int)CALL(fmi2SetReal)(it, &reference, 1, &value)
                       : (int)CALL(fmi3SetFloat64)(it, &reference, 1, &value, 1),
          "setting a value");
}

/* An output: so many numbers behind a reference. */
typedef struct wanted {
    char type; /* i, b or a digit */
    unsigned reference;
    size_t count;
} wanted;

static wanted wanted_from(const char *text) {
    wanted w = {text[0], 0, 1};
    char *end;
    w.reference = (unsigned)strtoul(text + (text[0] == 'i' || text[0] == 'b'), &end, 10);
    if (*end == 'x')
        w.count = strtoul(end + 1, NULL, 10);
    return w;
}

static void get(void *it, const wanted *w, double *values) {
    const unsigned reference = w->reference;
    if (w->type == 'i') {
        fmi3Int32 whole[MOST];
        check((int)CALL(fmi3GetInt32)(it, &reference, 1, whole, w->count), "getting integers");
        for (size_t k = 0; k < w->count; k++)
            values[k] = whole[k];
    } else if (w->type == 'b') {
        fmi3Boolean truth[MOST];
        check((int)CALL(fmi3GetBoolean)(it, &reference, 1, truth, w->count), "getting truths");
        for (size_t k = 0; k < w->count; k++)
            values[k] = truth[k];
    } else {
        check(version == 2 ? (int)CALL(fmi2GetReal)(it, &reference, 1, values)
                           : (int)CALL(fmi3GetFloat64)(it, &reference, 1, values, w->count),
              "getting a value");
    }
}

static void initialize(void *it, double end) {
    if (version == 2) {
        check(CALL(fmi2SetupExperiment)(it, 0, 0, 0, 1, end), "setting up");
        call_mode(it, "fmi2EnterInitializationMode", NULL);
        call_mode(it, "fmi2ExitInitializationMode", NULL);
        return;
    }
    check(CALL(fmi3EnterInitializationMode)(it, false, 0, 0, true, end), "initializing");
    call_mode(it, NULL, "fmi3ExitInitializationMode");
}

static wanted outputs[MOST];
static int noutputs;

static void print(void *it, double t) {
    printf("%.17g", t);
    for (int k = 0; k < noutputs; k++) {
        double values[MOST];
        get(it, &outputs[k], values);
        for (size_t e = 0; e < outputs[k].count; e++)
            printf(",%.17g", values[e]);
    }
    putchar('\n');
}

/* ---- states of an instance ---- */

typedef struct bytes {
    unsigned char *data;
    size_t size;
} bytes;

static void free_state(void *it, void *state) {
    check(version == 2 ? (int)CALL(fmi2FreeFMUstate)(it, &state)
                       : (int)CALL(fmi3FreeFMUState)(it, &state),
          "freeing a state");
}

/* The state of an instance as bytes. */
static bytes state_of(void *it) {
    bytes kept;
    void *state = NULL;
    check(version == 2 ? (int)CALL(fmi2GetFMUstate)(it, &state)
                       : (int)CALL(fmi3GetFMUState)(it, &state),
          "keeping a state");
    check(version == 2 ? (int)CALL(fmi2SerializedFMUstateSize)(it, state, &kept.size)
                       : (int)CALL(fmi3SerializedFMUStateSize)(it, state, &kept.size),
          "asking for a size");
    kept.data = malloc(kept.size);
    check(version == 2 ? (int)CALL(fmi2SerializeFMUstate)(it, state, (char *)kept.data, kept.size)
                       : (int)CALL(fmi3SerializeFMUState)(it, state, kept.data, kept.size),
          "writing a state");
    free_state(it, state);
    return kept;
}

/* Puts an instance back into a state; the bytes are freed. */
static void go_back(void *it, bytes kept) {
    void *state = NULL;
    check(version == 2
              ? (int)CALL(fmi2DeSerializeFMUstate)(it, (char *)kept.data, kept.size, &state)
              : (int)CALL(fmi3DeserializeFMUState)(it, kept.data, kept.size, &state),
          "reading a state");
    check(version == 2 ? (int)CALL(fmi2SetFMUstate)(it, state)
                       : (int)CALL(fmi3SetFMUState)(it, state),
          "going back");
    free_state(it, state);
    free(kept.data);
}

/* Two states must be the same; both are freed. */
static void same_state(bytes a, bytes b, double t) {
    if (a.size != b.size || memcmp(a.data, b.data, a.size) != 0) {
        fprintf(stderr, "host: at %.17g the way taken again leads to another state\n", t);
        exit(6);
    }
    free(a.data);
    free(b.data);
}

/* ---- co-simulation ---- */

/* 1: the model has ended itself. */
static int step(void *it, double t, double h) {
    if (version == 2) {
        const int status = CALL(fmi2DoStep)(it, t, h, 0);
        int ended = 0;
        if (status == fmi2Discard) {
            check(CALL(fmi2GetBooleanStatus)(it, fmi2Terminated, &ended), "asking for the end");
            return ended;
        }
        check(status, "a step");
        return 0;
    }
    bool event, terminate, early;
    double last;
    check(CALL(fmi3DoStep)(it, t, h, false, &event, &terminate, &early, &last), "a step");
    return terminate;
}

static void simulate(void *it, double h, double end) {
    for (int k = 0; k * h <= end * (1 + 1e-12); k++) {
        const double t = k * h;
        print(it, t);
        const bytes before = state_of(it);
        (void)step(it, t, h);
        const bytes first = state_of(it);
        go_back(it, before);
        const int ended = step(it, t, h);
        same_state(first, state_of(it), t);
        if (ended)
            return;
    }
}

/* ---- model exchange ---- */

static int states, indicators;

static void put(void *it, double t, const double *x) {
    if (version == 2) {
        check(CALL(fmi2SetTime)(it, t), "setting the time");
        check(CALL(fmi2SetContinuousStates)(it, x, (size_t)states), "setting states");
    } else {
        check(CALL(fmi3SetTime)(it, t), "setting the time");
        check(CALL(fmi3SetContinuousStates)(it, x, (size_t)states), "setting states");
    }
}

static void rates(void *it, double t, const double *x, double *r) {
    put(it, t, x);
    get_numbers(it, "fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives", r, (size_t)states);
}

/* rk4 from x at t to `to` at t + h. */
static void advance(void *it, double t, double h, const double *x, double *to) {
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    double k[4][MOST], y[MOST];
    memcpy(to, x, sizeof y);
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < states; i++)
            y[i] = x[i] + (s > 0 ? part[s] * h * k[s - 1][i] : 0);
        rates(it, t + part[s] * h, y, k[s]);
        for (int i = 0; i < states; i++)
            to[i] += h * weight[s] / 6 * k[s][i];
    }
}

/* Has a condition changed at the end of such a step? */
static int crosses(void *it, double t, double h, const double *x, double *to) {
    double z[MOST];
    advance(it, t, h, x, to);
    put(it, t + h, to);
    get_numbers(it, "fmi2GetEventIndicators", "fmi3GetEventIndicators", z, (size_t)indicators);
    for (int k = 0; k < indicators; k++)
        if (z[k] < 0)
            return 1;
    return 0;
}

/* The events at a time; the next by time alone, 1: the model has ended itself. */
static int happen(void *it, double *next) {
    *next = INFINITY;
    if (version == 2) {
        fmi2EventInfo info = {.newDiscreteStatesNeeded = 1};
        while (info.newDiscreteStatesNeeded)
            check(CALL(fmi2NewDiscreteStates)(it, &info), "an event");
        if (info.nextEventTimeDefined)
            *next = info.nextEventTime;
        call_mode(it, "fmi2EnterContinuousTimeMode", NULL);
        return info.terminateSimulation;
    }
    bool again = true, terminate, nominals, changed, has_next;
    double then;
    while (again)
        check(CALL(fmi3UpdateDiscreteStates)(it, &again, &terminate, &nominals, &changed, &has_next,
                                             &then),
              "an event");
    if (has_next)
        *next = then;
    call_mode(it, NULL, "fmi3EnterContinuousTimeMode");
    return terminate;
}

/* From t towards `until`, to the first event on the way; the next event by time alone is `*next`.
 */
static int ended;
static double go_on(void *it, double t, double until, double *next) {
    double x[MOST], to[MOST], reached = until;
    get_numbers(it, "fmi2GetContinuousStates", "fmi3GetContinuousStates", x, (size_t)states);
    int event = *next <= until + 1e-12 * (until - t);
    if (*next < until - 1e-12 * (until - t))
        reached = *next;
    if (crosses(it, t, reached - t, x, to)) {
        double low = 0, high = reached - t;
        while (high - low > 1e-13 * (1 + t)) {
            const double middle = 0.5 * (low + high);
            *(crosses(it, t, middle, x, to) ? &high : &low) = middle;
        }
        (void)crosses(it, t, high, x, to);
        if (!event || high < reached - t)
            reached = t + high;
        event = 1;
    }
    put(it, reached, to);
    if (event) {
        call_mode(it, "fmi2EnterEventMode", "fmi3EnterEventMode");
        ended = happen(it, next);
    }
    return reached;
}

static void exchange(void *it, double h, double end) {
    double t = 0, next;
    ended = happen(it, &next);
    print(it, t);
    for (int k = 1; !ended && k * h <= end * (1 + 1e-12);) {
        const bytes before = state_of(it);
        double then = next;
        (void)go_on(it, t, k * h, &then);
        const bytes first = state_of(it);
        go_back(it, before);
        t = go_on(it, t, k * h, &next);
        same_state(first, state_of(it), t);
        if (t >= k * h * (1 - 1e-12)) {
            print(it, t);
            k++;
        }
    }
}

int main(int argc, char **argv) {
    if (argc < 9 || (library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL)) == NULL) {
        fprintf(stderr, "host: %s\n", argc < 9 ? "arguments are missing" : dlerror());
        return 2;
    }
    version = atoi(argv[2]);
    const int is_exchange = strcmp(argv[4], "me") == 0;
    const double h = strtod(argv[5], NULL), end = strtod(argv[6], NULL);
    states = atoi(argv[7]), indicators = atoi(argv[8]);
    void *it = make(argv[3], is_exchange);
    for (int turn = 0; turn < 2; turn++) { /* the second time after a reset */
        noutputs = 0;
        for (int k = 9; k < argc; k++) {
            const char *value = strchr(argv[k], '=');
            if (value != NULL)
                set(it, (unsigned)strtoul(argv[k], NULL, 10), strtod(value + 1, NULL));
            else
                outputs[noutputs++] = wanted_from(argv[k]);
        }
        initialize(it, end);
        if (turn == 0) {
            call_mode(it, "fmi2Terminate", "fmi3Terminate");
            call_mode(it, "fmi2Reset", "fmi3Reset");
        }
    }
    is_exchange ? exchange(it, h, end) : simulate(it, h, end);
    call_mode(it, "fmi2Terminate", "fmi3Terminate");
    if (version == 2)
        CALL(fmi2FreeInstance)(it);
    else
        CALL(fmi3FreeInstance)(it);
    return dlclose(library) != 0;
}
