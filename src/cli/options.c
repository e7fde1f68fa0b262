/* SPDX-License-Identifier: MIT */
/* Options of a command, read by getopt_long from its own table; a misspelt one is answered with the
 * nearest. */
#include "cli/command.h"

#include "base/foreign.h"
#include "base/text.h"
#include "base/visible.h"
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* options of a command; what getopt returns: 1 + index, or HELP */
enum { MOST = 32, HELP = 1000 };

linnet_status ln_usage(const ln_command *command, const char *format, ...) {
    va_list list;
    char text[2000]; /* words of the command line are cut where they are quoted */
    ln_text shown = {0};
    va_start(list, format);
    (void)vsnprintf(text, sizeof text, format, list);
    va_end(list);
    ln_visible_add(&shown, text, 1);
    fprintf(stderr, "linnet: %s", shown.failed ? "the request is wrong" : shown.data);
    ln_text_free(&shown);
    if (command != NULL)
        fprintf(stderr, "\nlinnet: 'linnet %s --help' tells how to use it\n", command->name);
    else
        fputs("\nlinnet: 'linnet --help' lists the commands\n", stderr);
    return LINNET_USAGE;
}

static int find_letter(const ln_command *command, int letter) {
    for (int k = 0; command->options[k].name != NULL; k++)
        if (letter != 0 && command->options[k].letter == letter)
            return k;
    return -1;
}

/* An option without its argument, or one that does not exist: `at` is the word of the command line.
 */
static void complain(const ln_command *command, int reason, const char *at) {
    if (reason == ':') {
        (void)ln_usage(command, "option '%s' needs a value", at);
        return;
    }
    char name[64];
    size_t length = strncmp(at, "--", 2) == 0 ? strcspn(at + 2, "=") : 0;
    const char *names[MOST + 1] = {"help"};
    size_t count = 1;
    for (int k = 0; command->options[k].name != NULL && count <= MOST; k++)
        names[count++] = command->options[k].name;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             at + 2 * (length > 0));
    const char *nearest =
        length > 0 ? ln_foreign_among(LN_FOREIGN_SETTING, name, names, count) : NULL;
    if (nearest == NULL && length > 0)
        nearest = ln_nearest(name, names, count);
    const int letter = length == 1 ? find_letter(command, name[0]) : -1;
    if (letter >= 0)
        (void)ln_usage(command, "there is no option '--%s'; did you mean -%s (--%s)?", name, name,
                       command->options[letter].name);
    else if (nearest != NULL)
        (void)ln_usage(command, "there is no option '--%s'; did you mean '--%s'?", name, nearest);
    else
        (void)ln_usage(command, "there is no option '%.60s'", at);
}

/* A file or folder without a name, as of a shell's variable that is not set, is refused before
 * anything is computed for it. */
static int is_nameless(const ln_command *command, const ln_option *option, const char *value) {
    const char *what = option->argument;
    const int is_name = what != NULL && (strcmp(what, "FILE") == 0 || strcmp(what, "DIR") == 0);
    if (!is_name || value[0] != '\0')
        return 0;
    (void)ln_usage(command, "--%s is empty; it must be the name of a %s", option->name,
                   what[0] == 'F' ? "file" : "folder");
    return 1;
}

/* The word that getopt() has stumbled on, having begun at this index. */
static const char *word_at_fault(int before, int argc, char **argv) {
    if (optind > before && optind <= argc)
        return argv[optind - 1];
    return argv[before < argc ? before : argc - 1];
}

int ln_option_next(const ln_command *command, int argc, char **argv, const char **value,
                   int *first) {
    struct option longs[MOST + 2] = {{NULL, 0, NULL, 0}};
    char letters[2 * MOST + 3] = ":h";
    size_t nletters = 2, nlongs = 0;
    for (int k = 0; command->options[k].name != NULL && k < MOST; k++) {
        const ln_option *option = &command->options[k];
        longs[nlongs++] = (struct option){option->name, option->argument != NULL, NULL, 1 + k};
        if (option->letter == 0)
            continue;
        letters[nletters++] = option->letter;
        if (option->argument != NULL)
            letters[nletters++] = ':';
    }
    letters[nletters] = '\0';
    longs[nlongs] = (struct option){"help", 0, NULL, HELP};
    opterr = 0;
    int before = optind > 0 ? optind : 1;
    int got = getopt_long(argc, argv, letters, longs, NULL);
    *value = optarg;
    *first = optind;
    if (got == -1)
        return LN_OPTION_END;
    if (got == HELP || got == 'h')
        return LN_OPTION_HELP;
    if (got == '?' || got == ':') {
        complain(command, got, word_at_fault(before, argc, argv));
        return LN_OPTION_WRONG;
    }
    int index = find_letter(command, got);
    index = index >= 0 ? index : got - 1;
    return is_nameless(command, &command->options[index], *value) ? LN_OPTION_WRONG : index;
}
