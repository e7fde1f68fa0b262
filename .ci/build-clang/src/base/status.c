/* SPDX-License-Identifier: MIT */
/* Texts and exit codes of the outcomes, from the one list. */
#include <linnet/status.h>

const char *linnet_status_text(linnet_status status) {
    switch (status) {
#define TEXT(name, value, exit_code, text) \
    case name: return text;
        LINNET_STATUS_LIST(TEXT)
#undef TEXT
    }
    return "unknown status";
}

int linnet_status_exit(linnet_status status) {
    switch (status) {
#define CODE(name, value, exit_code, text) \
    case name: return exit_code;
        LINNET_STATUS_LIST(CODE)
#undef CODE
    }
    return 1;
}
