/* SPDX-License-Identifier: MIT */
/* Text from outside, made fit to be shown: names, titles, paths and messages come from files that
 * nobody has looked at.
 *
 * What could command a terminal or deceive a reader stands as visible characters: control
 * characters (C0, DEL, C1) and bytes that are no UTF-8 as \x1b, marks that turn the direction of
 * writing or have no width as \u202e. */
#ifndef LN_BASE_VISIBLE_H
#define LN_BASE_VISIBLE_H

#include "base/arena.h"

typedef struct ln_text ln_text;

/* Bytes of the UTF-8 character at the head of `length` bytes (at least one), 1 to 4; 0 when there
 * is none: cut off, too long a form, a surrogate, beyond U+10FFFF (RFC 3629). */
int ln_utf8_length(const char *bytes, size_t length);
/* Appends the text fit to be shown; `lines` 1: newlines and tabs stay. */
void ln_visible_add(ln_text *out, const char *text, int lines);
/* The text itself where it may be shown as it is, else a copy that may be; "?" where memory is
 * short (ln_arena_failed()). For names of files and columns, of one line. */
const char *ln_visible_in(ln_arena *arena, const char *text);
/* 1 when the text may be shown as it is. */
int ln_visible_is(const char *text, int lines);
/* The bytes of a file as UTF-8 fit to be shown: if they are not UTF-8 throughout they are taken as
 * Latin-1; control characters but blanks and line ends become \x1b, deceptive ones \u202e; a ^Z at
 * the end, which DOS wrote, goes. Changes *text, whose `failed` tells when memory is short. */
void ln_visible_clean(ln_text *text);

#endif
