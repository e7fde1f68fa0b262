/* SPDX-License-Identifier: MIT */
/* What a trim is asked for: the model's <trim>, then the texts of a command line, both as one list.
 * A text that sets the same name free, or minimises, takes the place of the model's. */
#include "analysis/trim_problem.h"
#include "model/model.h"
#include "model/tree.h"

#include <string.h>

static ln_place place_of_option(const char *option) {
    return (ln_place){option, 0, 0};
}

/* The place in the list of what is set free: that of the same name, or a new one. */
static ln_trim_wish *place_for(ln_trim_problem *problem, const char *name) {
    for (int k = 0; k < problem->nfree; k++)
        if (strcmp(problem->wishes[k].name, name) == 0)
            return &problem->wishes[k];
    return &problem->wishes[problem->nfree++];
}

static void take_element(ln_trim_problem *problem, const ln_element *element) {
    const ln_place place = ln_place_of(element);
    if (strcmp(element->name, "free") == 0) {
        const char *name = ln_attribute_of(element, "name");
        *place_for(problem, name) =
            (ln_trim_wish){name,
                           {ln_attribute_of(element, "guess"), ln_attribute_of(element, "min"),
                            ln_attribute_of(element, "max")},
                           place,
                           LINNET_MODEL};
    } else if (strcmp(element->name, "hold") == 0) {
        problem->holds[problem->nholds++] =
            (ln_trim_goal){ln_attribute_of(element, "equation"), place, LINNET_MODEL};
    } else {
        problem->minimise =
            (ln_trim_goal){ln_attribute_of(element, "expression"), place, LINNET_MODEL};
    }
}

/* NAME[=GUESS][:MIN:MAX] */
static linnet_status take_text(ln_trim_problem *problem, const char *text) {
    const ln_place place = place_of_option("option --free");
    const size_t length = strcspn(text, "=:");
    const char *name = ln_arena_text(problem->arena, text, length);
    if (name == NULL)
        return ln_no_memory(problem->report);
    ln_trim_wish wish = {name, {NULL, NULL, NULL}, place, LINNET_USAGE};
    const char *rest = text + length;
    for (int k = *rest == '=' ? 0 : 1; *rest != '\0'; k++) {
        if (k == 3)
            return ln_fail(problem->report, LINNET_USAGE, place,
                           "'%s' has too many parts; write NAME=GUESS:MIN:MAX", text);
        const char *begin = rest + 1;
        rest = begin + strcspn(begin, ":");
        if (rest == begin)
            continue;
        wish.values[k] = ln_arena_text(problem->arena, begin, (size_t)(rest - begin));
        if (wish.values[k] == NULL)
            return ln_no_memory(problem->report);
    }
    *place_for(problem, name) = wish;
    return LINNET_OK;
}

linnet_status ln_trim_gather(ln_trim_problem *problem) {
    const ln_trim_request *texts = problem->texts;
    const ln_element *element = problem->model->trim;
    int inside = 0;
    for (const ln_element *child = element != NULL ? element->first : NULL; child != NULL;
         child = child->next)
        inside++;
    problem->wishes = LN_NEW(problem->arena, ln_trim_wish, texts->nfree + inside);
    problem->holds = LN_NEW(problem->arena, ln_trim_goal, texts->nholds + inside);
    if (problem->wishes == NULL || problem->holds == NULL)
        return ln_no_memory(problem->report);
    for (const ln_element *child = element != NULL ? element->first : NULL; child != NULL;
         child = child->next)
        take_element(problem, child);
    for (int k = 0; k < texts->nfree; k++)
        LN_TRY(take_text(problem, texts->free_names[k]));
    for (int k = 0; k < texts->nholds; k++)
        problem->holds[problem->nholds++] =
            (ln_trim_goal){texts->holds[k], place_of_option("option --hold"), LINNET_USAGE};
    if (texts->minimise != NULL)
        problem->minimise =
            (ln_trim_goal){texts->minimise, place_of_option("option --minimise"), LINNET_USAGE};
    if (problem->nholds > 0 || problem->minimise.text != NULL)
        return LINNET_OK;
    if (element != NULL)
        return ln_fail(problem->report, LINNET_MODEL, ln_place_of(element),
                       "<trim> needs something to hold or to minimise; write <hold "
                       "equation=\"...\"/> or <minimise "
                       "expression=\"...\"/> inside it");
    return ln_fail(problem->report, LINNET_USAGE, LN_NOWHERE,
                   "a trim needs something to hold (--hold) or to minimise "
                   "(--minimise)");
}
