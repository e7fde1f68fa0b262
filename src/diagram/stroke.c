/* SPDX-License-Identifier: MIT */
/* Paths of symbols (symbol.h) read, turned and measured, and the marks of references. */
#include "base/text.h"
#include "diagram/room.h"

#include <math.h>
#include <string.h>

const int ln_heading_x[4] = {1, 0, -1, 0}, ln_heading_y[4] = {0, 1, 0, -1};

static void turn_point(double *x, double *y, int turn, int mirrored) {
    if (mirrored)
        *x = -*x;
    for (int k = 0; k < turn; k++) {
        const double old = *x;
        *x = *y == 0 ? 0 : -*y;
        *y = old;
    }
}

static const char *read_number(const char *at, double *value) {
    const char *end;
    while (*at == ' ')
        at++;
    *value = ln_number_read(at, &end);
    return end;
}

void ln_stroke_walk(const char *path, int turn, int mirrored,
                    void (*visit)(void *context, const ln_stroke *stroke), void *context) {
    for (const char *at = path; *at != '\0';) {
        ln_stroke stroke = {.command = *at++};
        const int points = stroke.command == 'C' ? 3 : stroke.command == 'Z' ? 0 : 1;
        if (strchr("MLCZO", stroke.command) == NULL)
            continue; /* a blank, or # */
        for (int k = 0; k < points; k++) {
            at = read_number(at, &stroke.x[k]);
            at = read_number(at, &stroke.y[k]);
            turn_point(&stroke.x[k], &stroke.y[k], turn, mirrored);
        }
        if (stroke.command == 'O')
            at = read_number(at, &stroke.r);
        visit(context, &stroke);
    }
}

static void enlarge(void *context, const ln_stroke *stroke) {
    ln_box *box = context;
    const int points = stroke->command == 'C' ? 3 : stroke->command == 'Z' ? 0 : 1;
    for (int k = 0; k < points; k++) {
        const int x0 = (int)floor(stroke->x[k] - stroke->r),
                  x1 = (int)ceil(stroke->x[k] + stroke->r),
                  y0 = (int)floor(stroke->y[k] - stroke->r),
                  y1 = (int)ceil(stroke->y[k] + stroke->r);
        box->x0 = x0 < box->x0 ? x0 : box->x0;
        box->x1 = x1 > box->x1 ? x1 : box->x1;
        box->y0 = y0 < box->y0 ? y0 : box->y0;
        box->y1 = y1 > box->y1 ? y1 : box->y1;
    }
}

ln_box ln_stroke_box(const char *path, int turn, int mirrored) {
    ln_box box = {0, 0, 0, 0};
    if (path != NULL)
        ln_stroke_walk(path, turn, mirrored, enlarge, &box);
    return box;
}

/* ---- references ---- */

const ln_symbol *ln_mark_of(linnet_domain domain) {
    static const char *const names[LINNET_DOMAINS] = {
        [LINNET_ELECTRICAL] = "ground",      [LINNET_TRANSLATIONAL] = "fixed-point",
        [LINNET_ROTATIONAL] = "fixed-shaft", [LINNET_THERMAL] = "absolute-zero",
        [LINNET_HYDRAULIC] = "vacuum",       [LINNET_MAGNETIC] = "magnetic-ground"};
    return names[domain] != NULL ? ln_symbol_named(names[domain]) : NULL;
}

int ln_mark_place(const ln_pin *pin, ln_point_xy at, ln_point_xy *middle) {
    const int lies = pin->domain == LINNET_TRANSLATIONAL || pin->domain == LINNET_ROTATIONAL;
    const int x = ln_heading_x[pin->way], y = ln_heading_y[pin->way];
    if (lies || pin->way == LN_SOUTH || pin->way == LN_NORTH) {
        *middle = (ln_point_xy){at.x + LN_GRID * x, at.y + LN_GRID * y};
        return (pin->way + 3) % 4;
    }
    /* two steps aside, clear of the part, then down */
    *middle = (ln_point_xy){at.x + 2 * LN_GRID * x, at.y + LN_GRID};
    return 0;
}
