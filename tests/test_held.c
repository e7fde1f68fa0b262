/* SPDX-License-Identifier: MIT */
/* Which recorded signals are held between events: outputs of holds and what is computed from them
 * alone; not what follows time, a state, or an input. */
#include "messages.h"
#include "unit.h"

#include "analysis/simulation.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

static const char xml[] =
    "<model name='m' xmlns='urn:linnet:model:1'><sine id='s' frequency='1' out='u'/>"
    "<constant id='c' out='one' value='1'/><clock id='k' out='tick' period='0.1 s'/>"
    "<zero-order-hold id='h' in='u' out='held' clock='tick'/>"
    "<gain id='g' in='held' out='twice' k='2'/><sum id='a' in='held one' signs='++' out='more'/>"
    "<sum id='b' in='held u' signs='++' out='mixed'/>"
    "<discrete-pid id='p' in='u' out='pid' kp='2' ki='1' clock='tick'/>"
    "<first-order-hold-extrapolating id='f' in='u' out='line' period='0.1 s'/>"
    "<first-order id='lag' in='held' out='smooth' T='1 s'/><step id='j' out='jump' delay='0.3 s'/>"
    "<transport-delay id='d' in='held' out='later' delay='0.05 s'/>"
    "<hysteresis-relay id='r' in='u' out='relay' on='0.5' off='-0.5'/>"
    "<record signals='u held twice more mixed pid line smooth jump later relay tick'/>"
    "<record name='root' expression='sqrt(abs(held))'/>"
    "<record name='sloping' expression='held*t'/><simulation duration='1 s'/></model>";

static void test_held(void) {
    static const struct {
        const char *name;
        int held;
    } wanted[] = {{"u", 0},     {"held", 1},  {"twice", 1}, {"more", 1},
                  {"mixed", 0}, {"pid", 1},   {"line", 0},  {"smooth", 0},
                  {"jump", 0},  {"later", 0}, {"relay", 1}, {"tick", 1}};
    ln_model *model = NULL;
    ln_simulation simulation = {.method_why = ""};
    const ln_request request = {.prefix = NULL};
    CU_ASSERT_FATAL(ln_model_read_memory("m.xml", xml, strlen(xml), NULL, NULL, &model) ==
                    LINNET_OK);
    CU_ASSERT_FATAL(ln_simulation_prepare(&simulation, model, &request, 1, NULL, NULL) ==
                    LINNET_OK);
    int count;
    const ln_column *columns = ln_recorder_columns(simulation.recorder, &count);
    CU_ASSERT(count == (int)(sizeof wanted / sizeof *wanted) + 2);
    for (int k = 0; k < count; k++)
        for (size_t j = 0; j < sizeof wanted / sizeof *wanted; j++) {
            if (strcmp(columns[k].name, wanted[j].name) != 0)
                continue;
            if (columns[k].held != wanted[j].held)
                printf("%s is %sheld\n", columns[k].name, columns[k].held ? "" : "not ");
            CU_ASSERT(columns[k].held == wanted[j].held);
        }
    ln_simulation_free(&simulation);
    ln_model_free(model);
}

UNIT_MAIN({"what is held", test_held})
