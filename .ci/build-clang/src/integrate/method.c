/* SPDX-License-Identifier: MIT */
/* The methods by name and number, from their list (stepper.h). */
#include "integrate/stepper.h"

#include <string.h>

#define STEPPER(name) &ln_stepper_##name,
static const ln_stepper_class *const steppers[] = {LN_STEPPERS(STEPPER)};

static const ln_stepper_class *stepper_at(int index) {
    return index >= 0 && (size_t)index < sizeof steppers / sizeof *steppers ? steppers[index]
                                                                            : NULL;
}

const ln_method *ln_method_at(int index) {
    const ln_stepper_class *stepper = stepper_at(index);
    return stepper != NULL ? &stepper->method : NULL;
}

const ln_method *ln_method_find(const char *name) {
    const ln_method *method;
    for (int k = 0; (method = ln_method_at(k)) != NULL; k++)
        if (strcmp(method->name, name) == 0)
            return method;
    return NULL;
}

const ln_stepper_class *ln_stepper_of(const ln_method *method) {
    const ln_stepper_class *stepper;
    for (int k = 0; (stepper = stepper_at(k)) != NULL; k++)
        if (&stepper->method == method)
            return stepper;
    return NULL;
}
