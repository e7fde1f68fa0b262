/* SPDX-License-Identifier: MIT */
/* Reads the attribute `at`; see position.h. */
#include "model/position.h"

#include "base/text.h"
#include <math.h>

static const double farthest = 1e5;

static const char *skip_blanks(const char *at) {
    while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
        at++;
    return at;
}

/* A whole number, rounded; NULL when there is none. */
static const char *read_whole(const char *at, int *value) {
    const char *end;
    at = skip_blanks(at);
    const double number = ln_number_read(at, &end);
    if (end == at || !(fabs(number) <= farthest))
        return NULL;
    *value = (int)lround(number);
    return skip_blanks(end);
}

static int read_turn(const char *at, ln_position *position) {
    int degrees;
    at = read_whole(at, &degrees);
    if (at == NULL || degrees < 0 || degrees > 270 || degrees % 90 != 0)
        return 0;
    position->has_turn = 1;
    position->turn = degrees / 90;
    position->mirrored = *at == 'm';
    return *skip_blanks(at + position->mirrored) == '\0';
}

int ln_position_read(const char *text, ln_position *position) {
    *position = (ln_position){0};
    const char *at = read_whole(text, &position->x);
    if (at == NULL || *at != ',')
        return 0;
    at = read_whole(at + 1, &position->y);
    if (at == NULL)
        return 0;
    return *at == '\0' || (*at == ',' && read_turn(at + 1, position));
}
