/* SPDX-License-Identifier: MIT */
/* Help, printed from the tables of the commands. */
#include "cli/command.h"

#include <stdio.h>
#include <string.h>

static const char *const exits[] = {
    "0    done",
    "1    internal error, or out of memory",
    "2    the command line is wrong, or names a parameter that is not there",
    "3    the model is wrong",
    "4    the simulation failed; what was computed is kept",
    "5    a file could not be read or written",
    "6    a reference was missed",
};

static void print_option(const ln_option *option) {
    char left[64];
    int length = option->letter != 0
                     ? snprintf(left, sizeof left, "  -%c, --%s", option->letter, option->name)
                     : snprintf(left, sizeof left, "      --%s", option->name);
    if (option->argument != NULL && length > 0 && (size_t)length < sizeof left)
        snprintf(left + length, sizeof left - (size_t)length, " %s", option->argument);
    const char *line = option->doc;
    printf("%-30s ", left);
    for (size_t n; (n = strcspn(line, "\n")) > 0 || *line != '\0'; line += n + (line[n] == '\n')) {
        if (line != option->doc)
            printf("%31s", "");
        printf("%.*s\n", (int)n, line);
    }
}

void ln_help_command(const ln_command *command) {
    printf("linnet %s: %s\n\nUsage: linnet %s %s\n\n%s\n\nOptions:\n", command->name, command->doc,
           command->name, command->usage, command->about);
    for (const ln_option *option = command->options; option->name != NULL; option++)
        print_option(option);
    print_option(&(ln_option){"help", 'h', NULL, "print this and exit"});
    if (command->more != NULL)
        command->more();
    printf("\nExamples:\n%s\nExit status:\n", command->examples);
    for (const char *digit = command->exits; *digit != '\0'; digit++)
        printf("  %s\n", exits[*digit - '0']);
    if (strchr(command->exits, '4') != NULL)
        puts(
            "  130  interrupted (Ctrl-C), 143 terminated, 129 hung up, 152 out of processor time;\n"
            "       what was computed is kept");
}

void ln_help_program(const ln_command *const *commands) {
    puts("Linnet simulates physical networks and block diagrams written in XML.\n\n"
         "Usage: linnet COMMAND [OPTION]... [FILE]...\n\nCommands:");
    for (const ln_command *const *command = commands; *command != NULL; command++)
        printf("  %-11s %s\n", (*command)->name, (*command)->doc);
    puts("\nOptions:\n"
         "  -h, --help      print this and exit\n"
         "  -V, --version   print the version and exit\n\n"
         "Examples:\n"
         "  linnet run model.xml            simulate; the trajectory goes to model.csv\n"
         "  linnet blocks capacitor         what a capacitor is and how to write one\n\n"
         "'linnet help COMMAND' tells more about a command; the manual is doc/manual.md.");
}
