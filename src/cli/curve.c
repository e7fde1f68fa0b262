/* SPDX-License-Identifier: MIT */
/* What a chosen column is called, and what its curve looks like. */
#include "base/text.h"
#include "cli/picture.h"

#include <string.h>

enum { FEW_RESULTS = 4, COLOURS = 16 };

int ln_trajectory_find(const ln_trajectory *result, const char *name, size_t length,
                       const char *suffix) {
    for (int k = 0; k < result->ncolumns; k++)
        if (strncmp(result->names[k], name, length) == 0 &&
            strcmp(result->names[k] + length, suffix) == 0)
            return k;
    return -1;
}

int ln_is_response(const ln_trajectory *result) {
    return strcmp(result->names[0], "frequency") == 0;
}

size_t ln_response_name(const ln_trajectory *result, int column) {
    const char *name = result->names[column];
    const size_t length = strlen(name);
    if (length <= 3 || strcmp(name + length - 3, ".dB") != 0)
        return 0;
    return ln_trajectory_find(result, name, length - 3, ".phase") >= 0 ? length - 3 : 0;
}

const char *ln_chosen_name(const ln_composition *composition, int k) {
    return composition->chosen[k].of->names[composition->chosen[k].column];
}

int ln_composition_count_names(ln_composition *composition) {
    ln_map *known = ln_map_new();
    int complete = known != NULL;
    composition->nnames = 0;
    for (int k = 0; k < composition->nchosen && complete; k++) {
        ln_choice *choice = &composition->chosen[k];
        choice->name = ln_map_put(known, ln_chosen_name(composition, k), composition->nnames);
        complete = choice->name >= 0;
        composition->nnames += choice->name == composition->nnames;
    }
    ln_map_free(known);
    return complete;
}

void ln_composition_look(const ln_composition *composition, int k, ln_plot_curve *curve) {
    const ln_choice *choice = &composition->chosen[k];
    const int result = (int)(choice->of - composition->results);
    const size_t response =
        ln_is_response(choice->of) ? ln_response_name(choice->of, choice->column) : 0;
    const char *name = ln_chosen_name(composition, k);
    const int length = (int)(response > 0 ? response : strlen(name));
    curve->style = choice->of->held != NULL && choice->of->held[choice->column] ? LN_PLOT_STAIRS
                   : choice->of->marked ? LN_PLOT_LINES_POINTS
                                        : LN_PLOT_LINES;
    if (composition->picture->shade != NULL) {
        curve->shaded = 1;
        curve->shade = choice->of->shade;
        return; /* the scale says which it is */
    }
    if (composition->count == 1) {
        curve->colour = k % COLOURS + 1;
        curve->name = ln_arena_printf(composition->arena, "%.*s", length, name);
    } else if (composition->nnames == 1) {
        curve->colour = result % COLOURS + 1;
        curve->name = choice->of->name;
    } else {
        curve->colour =
            composition->count <= FEW_RESULTS ? choice->name % COLOURS + 1 : k % COLOURS + 1;
        curve->dash = composition->count <= FEW_RESULTS ? result : 0;
        curve->name =
            ln_arena_printf(composition->arena, "%.*s, %s", length, name, choice->of->name);
    }
}
