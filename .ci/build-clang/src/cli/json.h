/* SPDX-License-Identifier: MIT */
/* JSON (RFC 8259) to the standard output. */
#ifndef LN_CLI_JSON_H
#define LN_CLI_JSON_H

/* A string in quotes. */
void ln_json_string(const char *text);
/* A member with a string for its value, `separator` in front; nothing when there is no text. */
void ln_json_member(const char *separator, const char *name, const char *text);

#endif
