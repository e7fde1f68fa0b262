/* SPDX-License-Identifier: MIT */
/* Of many things alike a few are told: so many as are promised, and those that matter. */
#include "harness.h"
#include "network/structure.h"
#include "unit.h"

#include <stdlib.h>

typedef struct listener {
    char text[40000];
    size_t length;
} listener;

static void listen(void *context, ln_severity severity, ln_place place, const char *text) {
    listener *all = context;
    (void)severity;
    (void)place;
    all->length +=
        (size_t)snprintf(all->text + all->length, sizeof all->text - all->length, "%s\n", text);
    if (all->length >= sizeof all->text)
        all->length = sizeof all->text - 1;
}

static int count(const char *text, const char *part) {
    int found = 0;
    for (; (text = strstr(text, part)) != NULL; text += strlen(part))
        found++;
    return found;
}

/* A model of `number` pieces, each by a format that takes its number three times. */
static linnet_status run(const char *head, const char *piece, int number, ln_start_kind start,
                         listener *heard) {
    const size_t room = strlen(head) + (size_t)number * (strlen(piece) + 40) + 100;
    char *xml = malloc(room);
    size_t length = (size_t)snprintf(xml, room, "<model xmlns='urn:linnet:model:1'>%s", head);
    for (int k = 1; k <= number; k++)
        length += (size_t)snprintf(xml + length, room - length, piece, k, k, k, k, k, k);
    snprintf(xml + length, room - length, "</model>");
    heard->length = 0;
    heard->text[0] = '\0';
    harness h = harness_built(xml, "", ln_report_new(listen, heard));
    const ln_settings settings = {
        .method = ln_method_find("radau5"), .end = 1, .tolerance = 1e-4, .start = start};
    const ln_watcher watcher = {.context = &h, .accept = harness_accept};
    if (h.status == LINNET_OK)
        h.status = ln_integrate(h.system, &settings, &watcher, h.report, &h.statistics);
    const linnet_status status = h.status;
    harness_free(&h);
    free(xml);
    return status;
}

/* What nothing brings to rest: five of eight integrators, and of those that matter: not the one
 * whose rate is a ten thousandth of the others'. */
static void drift(void) {
    static listener heard;
    static const char type[] = "<block-type name='a'><state name='x'/><parameter name='rate'/>"
                               "<equation>der(x) = rate</equation></block-type>",
                      slow[] = "<block-type name='a'><state name='x'/><parameter name='rate'/>"
                               "<equation>der(x) = rate</equation></block-type><a id='s' "
                               "rate='1e-4'/>";
    static const char *const integrator = "<a id='i%d' rate='2'/>";
    CU_ASSERT(run(type, integrator, 8, LN_START_OPERATING_POINT, &heard) == LINNET_FAILED);
    CU_ASSERT(count(heard.text, "which changes by") == 5);
    CU_ASSERT(run(type, integrator, 3, LN_START_OPERATING_POINT, &heard) == LINNET_FAILED);
    CU_ASSERT(count(heard.text, "which changes by") == 3);
    CU_ASSERT(run(slow, integrator, 2, LN_START_OPERATING_POINT, &heard) == LINNET_FAILED);
    CU_ASSERT(count(heard.text, "which changes by") == 2);
}

/* Loops of sources, floating islands: fifty, however many there are; all where there are fewer. */
static void structure(void) {
    static listener heard;
    static const char *const loop = "<voltage-source id='A%d' p='n%d' n='0' V='1'/><voltage-source "
                                    "id='B%d' p='n%d' n='0' V='2'/>",
                             *const island = "<resistor id='R%d' p='a%d' n='b%d' R='1'/>"
                                             "<capacitor id='C%d' p='a%d' n='b%d' C='1'/>";
    static const char ground[] =
        "<ground id='g' p='0'/>"
        "<voltage-source id='V' p='x' n='0' V='1'/><resistor id='R' p='x' n='0' R='1'/>";
    for (int number = 48; number <= 52; number++) {
        const int most = number < LN_STRUCTURE_MESSAGES ? number : LN_STRUCTURE_MESSAGES;
        CU_ASSERT(run(ground, loop, number, LN_START_VALUES, &heard) == LINNET_MODEL);
        if (count(heard.text, "\n") != most)
            printf("\n    %d loops: %d messages", number, count(heard.text, "\n"));
        CU_ASSERT(count(heard.text, "\n") == most);
        CU_ASSERT(run(ground, island, number, LN_START_VALUES, &heard) == LINNET_MODEL);
        if (count(heard.text, "\n") != most)
            printf("\n    %d islands: %d messages", number, count(heard.text, "\n"));
        CU_ASSERT(count(heard.text, "\n") == most);
    }
}

/* Runs that cannot be, each to its last word. */
static void ends(void) {
    static listener heard;
    static const struct {
        const char *xml, *method;
        double step;
        const char *text;
    } cases[] = {
        {"<sum id='s' in='y c' signs='++' out='y'/><constant id='k' out='c' value='1'/>", "radau5",
         0,
         "test.xml:1: error: no consistent start found at t = 0 s: the equations are singular: "
         "nothing determines "
         "signal y; these equations depend on each other: output k.out, output s.out; look for a "
         "loop of ideal sources, a part without a reference, or a loop gain of exactly one\n"},
        {"<block-type name='z'><output name='y'/><equation>y = if(y gt 0, -1, "
         "1)</equation></block-type><z id='x' y='y'/>",
         "radau5", 0,
         "test.xml:1: error: no consistent start found at t = 0 s: Newton's iteration does not "
         "converge; still "
         "moving: "
         "signal y by -1; try start values nearer to the solution (of a deck, .nodeset), or "
         "start=\"values\" (UIC): what oscillates by a switch may rest nowhere\n"},
        {"<block-type name='z'><input name='u'/><output name='y'/><memory name='m'/><equation>y = "
         "m</equation><when condition='t gt 0.5'><set name='m' value='1 - "
         "u'/></when></block-type><z id='a' u='q' y='p'/><z id='b' u='p' y='q'/>",
         "radau5", 0,
         "test.xml:1: error: a (z): at t = 0.5 s what it sets depends on itself at the same "
         "instant, through other "
         "blocks; put a unit-delay into that loop\n"},
        {"<block-type name='z'><state name='x' start='-1'/><equation>der(x) = "
         "sqrt(x)</equation></block-type><z id='x'/>",
         "rk4", 0.1,
         "test.xml:1: error: x (z): rate of x.x is not finite at t = 0 s: sqrt(-1); the step of "
         "0.1 s from t = 0 s "
         "cannot be taken, try a smaller step or an implicit method such as tr-bdf2\n"},
        {"<block-type name='z'><state name='x' start='1'/><equation>der(x) = "
         "1e302</equation></block-type><z id='x'/>",
         "euler", 0.1,
         "test.xml:1: error: x.x grows beyond all bounds at t = 0.1 s; the step of 0.1 s may be "
         "beyond the stability limit of euler, try a smaller step or an implicit method such as "
         "tr-bdf2\n"},
        {"<ground id='g' p='0'/>", "ida", 0,
         "test.xml:1: warning: link '0' joins only g.p; is its name misspelt?\n"
         "error: ida needs an unknown to solve for, and the model has none; take tr-bdf2\n"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char xml[1000];
        heard.length = 0;
        snprintf(xml, sizeof xml, "<model xmlns='urn:linnet:model:1'>%s</model>", cases[k].xml);
        harness h = harness_built(xml, "", ln_report_new(listen, &heard));
        const ln_settings settings = {.method = ln_method_find(cases[k].method),
                                      .end = 1,
                                      .step = cases[k].step,
                                      .tolerance = cases[k].step > 0 ? 0 : 1e-4};
        const ln_watcher watcher = {.context = &h, .accept = harness_accept};
        CU_ASSERT_FATAL(h.status == LINNET_OK);
        CU_ASSERT(ln_integrate(h.system, &settings, &watcher, h.report, &h.statistics) !=
                  LINNET_OK);
        CHECK_TEXT(heard.text, cases[k].text);
        harness_free(&h);
    }
}

UNIT_MAIN({"ends", ends}, {"drift", drift}, {"structure", structure})
