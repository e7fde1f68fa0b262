/* SPDX-License-Identifier: MIT */
/* Which block has refused a point, or given a value that is not finite: kept for the message. */
#include "system/active.h"

#include <stdio.h>
#include <string.h>

void ln_blame(ln_system *system, const ln_active *active, const char *what, double t) {
    const linnet_block *block = &active->instance->block;
    char detail[128] = "";
    int known = block->type->explain != NULL && block->type->explain(block, detail);
    snprintf(system->own->blame, sizeof system->own->blame, "%s (%s): %s at t = %.9g s%s%s",
             active->instance->name, block->type->name, what, t, known ? ": " : "",
             known ? detail : "");
    system->own->blame_place = active->instance->place;
}

void ln_system_blame(const ln_system *system, char text[256], ln_place *place) {
    memcpy(text, system->own->blame, 256);
    *place = system->own->blame_place;
}
