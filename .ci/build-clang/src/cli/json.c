/* SPDX-License-Identifier: MIT */
/* JSON strings and members. */
#include "cli/json.h"

#include <stdio.h>

void ln_json_string(const char *text) {
    putchar('"');
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\')
            printf("\\%c", byte);
        else if (byte == '\n')
            fputs("\\n", stdout);
        else if (byte < ' ')
            printf("\\u%04x", byte);
        else
            putchar(byte);
    }
    putchar('"');
}

void ln_json_member(const char *separator, const char *name, const char *text) {
    if (text == NULL)
        return;
    printf("%s\"%s\": ", separator, name);
    ln_json_string(text);
}
