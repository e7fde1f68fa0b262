/* SPDX-License-Identifier: MIT */
/* What is asked of an element of the tree. */
#include "model/tree.h"

#include <string.h>

const char *ln_attribute_of(const ln_element *element, const char *name) {
    for (int k = 0; k < element->nattributes; k++)
        if (strcmp(element->attributes[k].name, name) == 0)
            return element->attributes[k].value;
    return NULL;
}

ln_place ln_place_of(const ln_element *element) {
    return (ln_place){element->file, element->line, 0};
}
