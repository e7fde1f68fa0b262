/* SPDX-License-Identifier: MIT */
/* What decides which elements there are, and under which names: <repeat>, the attribute `if`, and
 * indices in names.
 *
 * A level's elements are walked several times, links before blocks before start values, and each
 * walk opens the repetitions anew. Inside, the index is a number in a scope of its own; `R[k+1]` is
 * spelled out to `R[3]`, which from then on is a name like any other. */
#include "network/flatten.h"

#include "base/sys.h"
#include "model/scope.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Turns of all repetitions together, empty ones too. */
static const double most_turns = 20e6;

/* ---- names ---- */

/* A whole number as digits, at the end of the buffer: a hundred thousand names are spelled out so.
 */
static const char *digits(char buffer[24], double value) {
    long rest = (long)fabs(value);
    char *at = buffer + 23;
    *at = '\0';
    do
        *--at = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (value < 0)
        *--at = '-';
    return at;
}

/* Digits at the start of the text as a number; their count, 0 when there are none or too many. */
static size_t read_digits(const char *text, size_t length, double *value) {
    size_t count = 0;
    for (*value = 0; count < length && text[count] >= '0' && text[count] <= '9'; count++)
        *value = 10 * *value + (text[count] - '0');
    return count <= 9 ? count : 0;
}

/* `3`, `k`, `k+1`, `n-2`: what an index nearly always is, without the cost of an expression. */
static int read_simple(const ln_level *level, const char *text, size_t length, double *value) {
    char name[32];
    size_t word = 0;
    double offset;
    while (word < length && strchr("+-", text[word]) == NULL)
        word++;
    if (word == 0 || word >= sizeof name)
        return 0;
    memcpy(name, text, word);
    name[word] = '\0';
    if (!ln_scope_number(level->scope, name, value) && read_digits(text, word, value) != word)
        return 0;
    if (word < length) {
        if (read_digits(text + word + 1, length - word - 1, &offset) != length - word - 1 ||
            length == word + 1)
            return 0;
        *value += text[word] == '-' ? -offset : offset;
    }
    return *value == nearbyint(*value) && fabs(*value) <= 1e9;
}

/* One index, between brackets and commas, as a whole number into build->spelled. */
static int spell_index(ln_build *build, const ln_level *level, const char *text, size_t length,
                       ln_place place, const char *whole) {
    double value = 0;
    char buffer[24];
    if (read_simple(level, text, length, &value)) {
        ln_text_add(&build->spelled, digits(buffer, value));
        return 1;
    }
    char *expression = ln_arena_text(build->scratch, text, length);
    if (expression == NULL)
        return ln_build_failed(build);
    ln_subject before = ln_report_about(build->report, (ln_subject){NULL, NULL, NULL});
    linnet_status status = ln_scope_value(level->scope, expression, "", place, &value);
    ln_report_about(build->report, before);
    if (status == LINNET_OK && (value != nearbyint(value) || fabs(value) > 1e9)) {
        char number[32];
        ln_number_format(number, value);
        status = ln_fail(build->report, LINNET_MODEL, place,
                         "'%s': the index %s is %s; an index is a whole number", whole, expression,
                         number);
    }
    if (status != LINNET_OK)
        build->status = status;
    if (status == LINNET_OK)
        ln_text_add(&build->spelled, digits(buffer, value));
    return status == LINNET_OK;
}

/* Where an index ends: at a comma or bracket outside of parentheses, or with the text. */
static const char *index_end(const char *at) {
    for (int depth = 0; *at != '\0' && (depth > 0 || (*at != ',' && *at != ']')); at++)
        depth += (*at == '(' || *at == '[') - (*at == ')' || *at == ']');
    return at;
}

/* "[i + 1, 2*k]" as "[3,8]" behind the text spelled so far; *at stands on the bracket, and then
 * behind the other one. 0: reported. */
static int spell_indices(ln_build *build, const ln_level *level, const char **at, const char *whole,
                         ln_place place) {
    do {
        const char *begin = *at + 1;
        ln_text_add_bytes(&build->spelled, *at, 1); /* the bracket or comma */
        *at = index_end(begin);
        if (**at == '\0') {
            LN_WRONG(build, place, "'%s': the bracket is not closed; write name[index]", whole);
            return 0;
        }
        if (!spell_index(build, level, begin, (size_t)(*at - begin), place, whole))
            return 0;
    } while (**at != ']');
    ln_text_add_bytes(&build->spelled, (*at)++, 1);
    return 1;
}

const char *ln_spell(ln_build *build, const ln_level *level, const char *text, ln_place place) {
    if (text == NULL || build->network->model->flat || strchr(text, '[') == NULL)
        return text;
    const char *at = text;
    build->spelled.length = 0;
    while (*at != '\0') {
        size_t plain = strcspn(at, "[");
        ln_text_add_bytes(&build->spelled, at, plain);
        at += plain;
        if (*at != '\0' && !spell_indices(build, level, &at, text, place))
            return NULL;
    }
    const char *spelled =
        build->spelled.failed ? NULL : ln_arena_string(build->network->arena, build->spelled.data);
    if (spelled == NULL)
        ln_build_failed(build);
    return spelled;
}

/* ---- conditions ---- */

int ln_wanted(ln_build *build, const ln_level *level, const ln_element *element) {
    const char *text = ln_attribute_of(element, "if");
    double value = 0;
    if (text == NULL)
        return 1;
    const char *id = ln_attribute_of(element, "id");
    ln_subject before =
        ln_report_about(build->report, (ln_subject){id != NULL ? id : element->name, NULL, "if"});
    linnet_status status = ln_scope_value(level->scope, text, "", ln_place_of(element), &value);
    ln_report_about(build->report, before);
    if (status == LINNET_OK)
        return value != 0;
    build->status = status;
    return 0;
}

/* ---- repetitions ---- */

static int holds(const ln_body *body, ln_walk_kind what) {
    int found = (what == LN_WALK_LINKS    ? body->nlinks
                 : what == LN_WALK_STARTS ? body->nstarts
                                          : body->nblocks) > 0;
    for (int i = 0; i < body->nrepeats && !found; i++)
        found = holds(&body->repeats[i].body, what);
    return found;
}

/* A bound of a repetition. 0 after an error. */
static int read_bound(ln_build *build, const ln_level *level, const ln_element *element,
                      const char *name, double *value) {
    char number[32];
    const char *text = ln_attribute_of(element, name);
    ln_subject before = ln_report_about(build->report, (ln_subject){"<repeat>", NULL, name});
    linnet_status status = ln_scope_value(level->scope, text, "", ln_place_of(element), value);
    ln_report_about(build->report, before);
    if (status == LINNET_OK && (*value != nearbyint(*value) || fabs(*value) > 1e9)) {
        ln_number_format(number, *value);
        status = ln_fail(build->report, LINNET_MODEL, ln_place_of(element),
                         "<repeat>: %s=\"%s\" is %s; it must be a "
                         "whole number, at most 1e9",
                         name, text, number);
    }
    if (status != LINNET_OK)
        build->status = status;
    return status == LINNET_OK;
}

/* "i = 2, k = 3" behind the messages of a turn. */
typedef struct place_of_turn {
    const char *outer;
    char text[120];
    size_t length;
} place_of_turn;

static void tell_turns(ln_build *build, place_of_turn *turn, const char *index) {
    turn->outer = ln_report_within(build->report, NULL);
    int length = snprintf(turn->text, 80, "%.50s%s%.20s = ", turn->outer != NULL ? turn->outer : "",
                          turn->outer != NULL ? ", " : "", index);
    turn->length = (size_t)length;
}

static void tell_turn(ln_build *build, place_of_turn *turn, double value) {
    char buffer[24];
    const char *number = digits(buffer, value);
    memcpy(turn->text + turn->length, number, strlen(number) + 1);
    (void)ln_report_within(build->report, turn->text);
}

static int check_index(ln_build *build, const ln_level *level, const ln_element *element,
                       const char *index) {
    double value;
    if (ln_scope_number(level->scope, index, &value))
        LN_WRONG(build, ln_place_of(element),
                 "<repeat>: '%s' is a parameter or an outer index already; choose another "
                 "name",
                 index);
    else if (ln_port_find(level->ports, level->nports, index) >= 0)
        LN_WRONG(build, ln_place_of(element),
                 "<repeat>: '%s' is a port of the component; choose another name", index);
    else
        return 1;
    return 0;
}

/* Turns of the repetitions within a body, as far as plain bounds tell them here; an `if` may leave
 * any of them out. */
static double count_within(const ln_level *level, const ln_body *body, ln_walk_kind what) {
    double all = 0;
    for (int i = 0; i < body->nrepeats; i++) {
        const ln_repeat *inner = &body->repeats[i];
        const char *from = ln_attribute_of(inner->element, "from"),
                   *to = ln_attribute_of(inner->element, "to");
        double first, last;
        if (holds(&inner->body, what) && ln_attribute_of(inner->element, "if") == NULL &&
            from != NULL && to != NULL && read_simple(level, from, strlen(from), &first) &&
            read_simple(level, to, strlen(to), &last) && last >= first)
            all += (last - first + 1) * (1 + count_within(level, &inner->body, what));
    }
    return all;
}

/* Do repetitions within make too many turns of this one? Told before the first is made: a million
 * times a million took three gigabytes until they were. */
static int is_beyond(const ln_build *build, ln_level *level, const ln_repeat *repetition,
                     double from, double to, ln_walk_kind what) {
    const double left = most_turns - build->turns;
    double all = to - from + 1;
    for (double k = from; k <= to && all <= left && repetition->body.nrepeats > 0; k++) {
        ln_scope_count_to(level->scope, k);
        const double within = count_within(level, &repetition->body, what);
        if (within > left) /* that one tells it itself */
            return 0;
        all += within;
    }
    return all > left;
}

static void report_beyond(ln_build *build, const ln_repeat *repetition, const char *index,
                          double from, double to) {
    LN_WRONG(build, ln_place_of(repetition->element),
             "<repeat>: %s from %.0f to %.0f makes more than %.0f turns in all, the limit", index,
             from, to, most_turns);
}

/* From where to where a repetition counts; 0: it is not wanted, or wrong. */
static int read_turns(ln_build *build, ln_level *level, const ln_element *element, double *from,
                      double *to) {
    return ln_wanted(build, level, element) &&
           check_index(build, level, element, ln_attribute_of(element, "index")) &&
           read_bound(build, level, element, "from", from) &&
           read_bound(build, level, element, "to", to);
}

/* All turns of one repetition. After a turn with an error no other follows: it would only say the
 * same. */
static int repeat(ln_build *build, ln_level *level, const ln_repeat *repetition, ln_walk_kind what,
                  ln_visit_body *visit) {
    const char *index = ln_attribute_of(repetition->element, "index");
    double from, to;
    ln_scope *outside = level->scope;
    if (!read_turns(build, level, repetition->element, &from, &to)) {
        build->stopped |= build->status != LINNET_OK;
        return build->status != LINNET_MEMORY;
    }
    if (to - from + 1 > most_turns - build->turns) {
        report_beyond(build, repetition, index, from, to);
        return 0;
    }
    linnet_status before = build->status;
    build->status = LINNET_OK;
    place_of_turn turn;
    tell_turns(build, &turn, index);
    int going = 1;
    for (double k = from; going && k <= to && build->status == LINNET_OK; k++) {
        if (k == from || what == LN_WALK_STARTS)
            level->scope = ln_scope_inside(build->network->arena, outside, index);
        if (level->scope == NULL)
            going = ln_build_failed(build);
        if (going && k == from && is_beyond(build, level, repetition, from, to, what)) {
            report_beyond(build, repetition, index, from, to);
            going = 0;
        }
        if (!going)
            break;
        build->turns++;
        ln_scope_count_to(level->scope, k);
        tell_turn(build, &turn, k);
        going = ln_walk_body(build, level, &repetition->body, what, visit);
    }
    level->scope = outside;
    (void)ln_report_within(build->report, turn.outer);
    build->stopped |= build->status != LINNET_OK;
    if (build->status == LINNET_OK)
        build->status = before;
    return going;
}

int ln_walk_body(ln_build *build, ln_level *level, const ln_body *body, ln_walk_kind what,
                 ln_visit_body *visit) {
    if (!visit(build, level, body))
        return 0;
    for (int i = 0; i < body->nrepeats; i++) {
        if (!holds(&body->repeats[i].body, what))
            continue;
        if (!repeat(build, level, &body->repeats[i], what, visit))
            return 0;
    }
    return 1;
}
