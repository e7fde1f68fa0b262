/* SPDX-License-Identifier: MIT */
/* A run does not know seconds: with all rates 1024 times as fast, or as slow, and the run as long
 * accordingly, it takes the same steps, iterations and evaluations and tells the same values.
 * Powers of two leave no rounding, so that a constant of time in a method shows at once. */
#include "harness.h"
#include "unit.h"

#include <stdlib.h>

#define MODEL(body) "<model xmlns='urn:linnet:model:1'>" body "</model>"

/* @K: the rate; @T: its inverse */
static const struct {
    const char *name, *xml, *signals;
    double end, step;
    int implicit; /* by implicit methods alone */
} models[] = {
    {"ringing circuit",
     MODEL("<ground id='g' p='0'/><pulse-voltage id='V' p='a' n='0' high='5' width='@T' "
           "period='3*@T'/><resistor id='R' p='a' n='b' R='0.3'/><inductor id='L' p='b' n='c' "
           "L='0.1*@T'/><capacitor id='C' p='c' n='0' C='0.2*@T'/>"),
     "c L.i", 8, 0.02, 0},
    {"van der Pol",
     MODEL("<block-type name='vdp'><state name='x' start='2'/><state name='y'/><equation>der(x) = "
           "@K*y</equation><equation>der(y) = @K*(5*(1 - x*x)*y - x)</equation></block-type><vdp "
           "id='s'/>"),
     "s.x s.y", 12, 0.02, 0},
    {"rectifier",
     MODEL("<ground id='g' p='0'/><sine-voltage id='V' p='a' n='0' amplitude='5' "
           "frequency='0.5*@K'/><resistor id='R' p='a' n='b' R='10'/><diode id='D' p='b' n='c'/>"
           "<capacitor id='C' p='c' n='0' C='0.05*@T'/><resistor id='RL' p='c' n='0' R='100'/>"),
     "c b", 6, 0.02, 1},
    {"ball",
     MODEL("<block-type name='ball'><state name='x' start='1'/><state name='v'/><equation>der(x) = "
           "@K*v</equation><equation>der(v) = -@K*9.81</equation><when condition='x lt 0'><set "
           "name='v' value='-0.8*pre(v)'/></when></block-type><ball id='s'/>"),
     "s.x s.v", 2.5, 0.01, 0},
    {"pendulum",
     MODEL("<block-type name='pendulum'><state name='x' start='0.6'/><state name='y' "
           "start='-0.8'/><state name='u'/><state name='v'/><variable name='s'/><equation>der(x) = "
           "@K*u</equation><equation>der(y) = @K*v</equation><equation>der(u) = "
           "-@K*s*x</equation><equation>der(v) = @K*(-s*y - 9.81)</equation><equation>x*x + y*y = "
           "1</equation></block-type><pendulum id='p'/>"),
     "p.x p.y p.s", 1, 0.01, 1},
    {"delay",
     MODEL("<block-type name='lag'><state name='x' start='1'/><equation>der(x) = -2*@K*delay(x, "
           "@T)</equation></block-type><lag id='s'/>"),
     "s.x", 6, 0.02, 0},
    {"relay",
     MODEL(
         "<constant id='r' out='w' value='1'/><sum id='d' in='w y' signs='+-' out='e'/>"
         "<hysteresis-relay id='h' in='e' out='u' on='0.1' off='-0.1'/><first-order id='f' in='u' "
         "out='y' k='2' T='0.5*@T'/>"),
     "y u", 4, 0.01, 0},
};
enum { MODELS = sizeof models / sizeof *models };

/* The text with @K and @T as numbers; free() it. */
static char *with_rate(const char *xml, double rate) {
    const size_t room = 3 * strlen(xml);
    char *text = malloc(room);
    size_t length = 0;
    for (; *xml != '\0'; xml++) {
        if (*xml != '@')
            text[length++] = *xml;
        else
            length += (size_t)snprintf(text + length, room - length, "%.17g",
                                       *++xml == 'K' || *xml == 'S' ? rate : 1 / rate);
    }
    text[length] = '\0';
    return text;
}

static harness run(int m, const char *method, double rate, double begin) {
    char *xml = with_rate(models[m].xml, rate);
    ln_settings settings = {
        .method = ln_method_find(method), .begin = begin, .end = begin + models[m].end / rate};
    if (settings.method->steps != LN_STEPS_FIXED)
        settings.tolerance = 1e-5;
    else
        settings.step = models[m].step / rate;
    harness h = harness_run_with(xml, models[m].signals, settings);
    free(xml);
    return h;
}

static void compare(const char *name, const char *method, const harness *a, const harness *b,
                    double rate, double base) {
    const ln_statistics *x = &a->statistics, *y = &b->statistics;
    const long of_a[] = {x->steps,       x->rejected, x->newton, x->factored,  x->refactored,
                         x->evaluations, x->events,   x->solved, (long)a->rows},
               of_b[] = {y->steps,       y->rejected, y->newton, y->factored,  y->refactored,
                         y->evaluations, y->events,   y->solved, (long)b->rows};
    static const char *const what[] = {"steps",    "rejected",   "newton",
                                       "factored", "refactored", "evaluations",
                                       "events",   "solved",     "rows"};
    for (size_t k = 0; k < sizeof of_a / sizeof *of_a; k++) {
        if (of_a[k] != of_b[k])
            printf("\n    %s by %s: %ld %s, at a rate of %g %ld", name, method, of_a[k], what[k],
                   rate, of_b[k]);
        CU_ASSERT(of_a[k] == of_b[k]);
    }
    double worst = 0;
    for (size_t k = 0; k < a->values && a->rows == b->rows; k++)
        worst = fmax(worst, fabs(a->value[k] - b->value[k]) / fmax(1, fabs(a->value[k])));
    for (size_t k = 0; k < a->rows && a->rows == b->rows; k++)
        worst = fmax(worst, base * fabs(a->time[k] - rate * b->time[k]));
    if (!(worst <= 1e-9))
        printf("\n    %s by %s: off by %g", name, method, worst);
    CU_ASSERT(worst <= 1e-9);
}

/* radau5 knows a second in two places: the first step of runs that are longer, and what unknowns of
 * index above 1 may be off, as in RADAU5. rk45's first step is that of its book, which is no longer
 * one if time is told in milliseconds. */
static void scales(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2", "backward-euler",
                                          "ida",    "rk4",     "heun", "crank-nicolson"};
    harness_verbose = 0;
    for (int m = 0; m < MODELS; m++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            const int is_radau5 = strcmp(methods[k], "radau5") == 0,
                      is_pendulum = strcmp(models[m].name, "pendulum") == 0;
            if (models[m].implicit && !ln_method_find(methods[k])->implicit)
                continue;
            if (is_pendulum && (is_radau5 || strcmp(methods[k], "ida") == 0))
                continue; /* its index is above 1 */
            const double base = is_radau5 ? 64 : 1;
            harness plain = run(m, methods[k], base, 0);
            CU_ASSERT(plain.status == LINNET_OK);
            for (int side = is_radau5; side < 2; side++) {
                const double rate = side ? 1024 : 1.0 / 1024;
                harness other = run(m, methods[k], rate * base, 0);
                CU_ASSERT(other.status == LINNET_OK);
                compare(models[m].name, methods[k], &plain, &other, rate, base);
                harness_free(&other);
            }
            harness_free(&plain);
        }
    harness_verbose = 1;
}

/* ---- sizes ---- */

/* @S: the size of all values, @Q: its inverse */
static const struct {
    const char *name, *xml, *signals;
    double end;
} sized[] = {
    {"van der Pol",
     MODEL("<block-type name='vdp'><state name='x' start='2*@S' absolute='1e-4*@S' nominal='@S'/>"
           "<state name='y' absolute='1e-4*@S' nominal='@S'/><equation>der(x) = y</equation>"
           "<equation>der(y) = 5*(1 - (x*@Q)^2)*y - x</equation></block-type><vdp id='s'/>"),
     "s.x s.y", 12},
    {"ball",
     MODEL("<block-type name='ball'><state name='x' start='@S' absolute='1e-4*@S' nominal='@S'/>"
           "<state name='v' absolute='1e-4*@S' nominal='@S'/><equation>der(x) = v</equation>"
           "<equation>der(v) = -9.81*@S</equation><when condition='x lt 0'><set name='v' "
           "value='-0.8*pre(v)'/></when></block-type><ball id='s'/>"),
     "s.x s.v", 2.5},
    {"algebra",
     MODEL("<block-type name='pair'><state name='x' start='@S' absolute='1e-4*@S' nominal='@S'/>"
           "<variable name='w' start='@S' absolute='1e-4*@S' nominal='@S'/><equation>der(x) = -w"
           "</equation><equation>w^3 + w*@S*@S = 2*x*@S*@S</equation></block-type><pair id='s'/>"),
     "s.x s.w", 3},
    {"dips",
     MODEL("<block-type name='swing'><state name='x' start='@S' absolute='1e-4*@S' nominal='@S'/>"
           "<state name='v' absolute='1e-4*@S' nominal='@S'/><memory name='n'/><equation>der(x) = "
           "v</equation><equation>der(v) = -x</equation><when condition='x + 0.997*@S lt 0'><set "
           "name='n' value='n + 1'/></when><when condition='x + 1.003*@S lt 0'><set name='n' "
           "value='n + 10'/></when></block-type><swing id='s'/>"),
     "s.x s.v s.n", 12},
};

/* Nor does a run know how large things are, where the model says of each what is small and what is
 * usual. */
static void sizes(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2",          "backward-euler",
                                          "ida",    "rk45",    "crank-nicolson"};
    for (size_t m = 0; m < sizeof sized / sizeof *sized; m++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            harness of[2];
            if (!ln_method_find(methods[k])->implicit && strcmp(sized[m].name, "algebra") == 0)
                continue;
            for (int side = 0; side < 2; side++) {
                char *xml = with_rate(sized[m].xml, side ? 1024 : 1);
                of[side] = harness_run_with(xml, sized[m].signals,
                                            (ln_settings){.method = ln_method_find(methods[k]),
                                                          .end = sized[m].end,
                                                          .tolerance = 1e-5});
                CU_ASSERT(of[side].status == LINNET_OK);
                free(xml);
            }
            for (size_t i = 0; i < of[1].values; i++)
                of[1].value[i] /= i % (size_t)of[1].nsignals < 2 ? 1024 : 1; /* counts are counts */
            compare(sized[m].name, methods[k], &of[0], &of[1], 1, 1);
            harness_free(&of[0]);
            harness_free(&of[1]);
        }
}

/* ---- shifts ---- */

/* Nor does a run know what time it is: a model without sources of time does the same from t = 16
 * on; but for the rounding of times, which moves a step now and then, and decides whether the
 * search for a crossing takes one trial more: some four iterations an event. */
static void shifts(void) {
    static const char *const methods[] = {"radau5", "tr-bdf2", "bdf2", "backward-euler", "ida",
                                          "rk45",   "rk4",     "heun", "crank-nicolson"};
    static const char *const autonomous[] = {"van der Pol", "ball", "pendulum", "relay"};
    harness_verbose = 0;
    for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
        for (size_t a = 0; a < sizeof autonomous / sizeof *autonomous; a++) {
            int m = 0;
            while (strcmp(models[m].name, autonomous[a]) != 0)
                m++;
            if ((models[m].implicit && !ln_method_find(methods[k])->implicit) ||
                (strcmp(models[m].name, "pendulum") == 0 && strcmp(methods[k], "ida") == 0))
                continue;
            harness early = run(m, methods[k], 1, 0), late = run(m, methods[k], 1, 16);
            const ln_statistics *x = &early.statistics, *y = &late.statistics;
            CU_ASSERT(early.status == LINNET_OK && late.status == LINNET_OK);
            const long steps = labs(x->steps - y->steps), tried = labs(x->rejected - y->rejected),
                       newton = labs(x->newton - y->newton);
            const long most = 4 + x->newton / 20 + 4 * x->events;
            if (steps > 2 + x->steps / 50 || tried > 2 + x->steps / 50 || newton > most ||
                x->events != y->events)
                printf("\n    %s by %s: %ld steps, %ld rejected, %ld iterations, %ld events; late "
                       "%ld, %ld, %ld, %ld",
                       models[m].name, methods[k], x->steps, x->rejected, x->newton, x->events,
                       y->steps, y->rejected, y->newton, y->events);
            CU_ASSERT(steps <= 2 + x->steps / 50 && tried <= 2 + x->steps / 50);
            CU_ASSERT(newton <= most && x->events == y->events);
            for (int i = 0; i < early.nsignals; i++)
                CHECK_CLOSE(harness_last(&late, i), harness_last(&early, i), 1e-3);
            harness_free(&early);
            harness_free(&late);
        }
    harness_verbose = 1;
}

UNIT_MAIN({"scales", scales}, {"sizes", sizes}, {"shifts", shifts})
