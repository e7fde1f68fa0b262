/* SPDX-License-Identifier: MIT */
/* Who holds a link, so that a flux brought into it changes nothing: the source at it, wherever that
 * stands among what is joined there. */
#include "system/linearise.h"
#include "system_kit.h"

static void holders(void) {
    static const struct {
        const char *elements, *link, *holder; /* NULL: nobody */
    } cases[] = {
        {"<voltage-source id='V' p='a' n='0' V='1'/><resistor id='R' p='a' n='0' R='1'/>", "a",
         "V"},
        {"<voltage-source id='V' p='a' n='0' V='1'/><resistor id='A' p='a' n='0' R='1'/><resistor "
         "id='B' p='a' n='0' R='1'/><resistor id='Z' p='a' n='0' R='1'/>",
         "a", "V"},
        {"<voltage-source id='V' p='a' n='0' V='1'/><resistor id='A' p='a' n='b' R='1'/><resistor "
         "id='B' p='b' n='0' R='1'/>",
         "b", NULL},
        {"<voltage-source id='V' p='a' n='b' V='1'/><resistor id='A' p='a' n='0' R='1'/><resistor "
         "id='B' p='b' n='0' R='1'/>",
         "a", NULL}, /* it holds a difference */
        {"<resistor id='A' p='a' n='0' R='1'/>", "c", NULL}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench rig = built("", cases[k].elements);
        const int holder = ln_system_holder(rig.network, cases[k].link);
        CU_ASSERT((holder < 0) == (cases[k].holder == NULL));
        if (holder >= 0 && cases[k].holder != NULL)
            CHECK_TEXT(rig.network->instances[holder].name, cases[k].holder);
        done(&rig);
    }
}

UNIT_MAIN({"holders", holders})
