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

UNIT_MAIN({"drift", drift}, {"structure", structure})
