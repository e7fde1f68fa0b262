/* SPDX-License-Identifier: MIT */
/* What a command of the program `linnet` is: a row of data from which its help is printed and its
 * options are read, and one function. */
#ifndef LN_CLI_COMMAND_H
#define LN_CLI_COMMAND_H

#include <linnet/status.h>

typedef struct ln_option {
    const char *name;     /* "step": --step */
    char letter;          /* 'o': -o; 0: none */
    const char *argument; /* "TIME" for help; NULL: takes none */
    const char *doc;
} ln_option;

typedef struct ln_command ln_command;
struct ln_command {
    const char *name, *doc;   /* one line */
    const char *usage;        /* what follows "linnet run " */
    const char *about;        /* lines above the options */
    const ln_option *options; /* ends with a NULL name; --help is common to all */
    void (*more)(void);       /* prints what help says behind the options; NULL: nothing */
    const char *examples;     /* whole lines */
    const char *exits;        /* exit statuses it knows, as digits: "02356" */
    linnet_status (*run)(const ln_command *command, int argc, char **argv);
};

/* The commands in the order of the help: a new one is a file with an object ln_command_NAME and a
 * line here. */
/* clang-format off */
#define LN_COMMANDS(X) \
    X(run) X(check) X(verify) X(op) X(bug_report) X(compare) X(eig) X(linearise) X(ac) \
    X(margins) X(sweep) X(codegen) X(export) X(convert) X(result) X(blocks) X(loops) X(plot) \
    X(diagram) X(report) X(schema) X(studio) X(completion)
/* clang-format on */

#define LN_DECLARE_COMMAND(name) extern const ln_command ln_command_##name;
LN_COMMANDS(LN_DECLARE_COMMAND)
#undef LN_DECLARE_COMMAND

/* ---- options.c ---- */

enum { LN_OPTION_END = -1, LN_OPTION_HELP = -2, LN_OPTION_WRONG = -3 };

/* The next option of the command: its index in command->options and its value, or one of the above.
 * After WRONG the user has been told. After END, argv[*first] is the first operand. Options and
 * operands may be mixed. */
int ln_option_next(const ln_command *command, int argc, char **argv, const char **value,
                   int *first);
/* Tells that the command line is wrong, with a hint at --help, and returns LINNET_USAGE. command
 * NULL: none yet. */
linnet_status ln_usage(const ln_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- help.c ---- */
void ln_help_command(const ln_command *command);
void ln_help_program(const ln_command *const *commands);

#endif
