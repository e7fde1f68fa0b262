/* SPDX-License-Identifier: MIT */
/* The program `linnet`: finds the command, lets it work, and ends with the exit status of the
 * outcome. The list of commands is in command.h. */
#include "base/output.h"
#include "cli/command.h"
#include "cli/terminal.h"

#include "base/sys.h"
#include "base/text.h"
#include <linnet/linnet.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LN_ADDRESS(name) &ln_command_##name,
static const ln_command *const commands[] = {LN_COMMANDS(LN_ADDRESS) NULL};
enum { COMMANDS = sizeof commands / sizeof *commands - 1 };

static linnet_status unknown_command(const char *name) {
    const char *names[COMMANDS];
    for (size_t k = 0; k < COMMANDS; k++)
        names[k] = commands[k]->name;
    const char *nearest = ln_nearest(name, names, COMMANDS);
    if (name[0] == '-')
        return ln_usage(NULL, "there is no option '%.60s' before a command", name);
    if (access(name, R_OK) == 0)
        return ln_usage(NULL, "'%.200s' is a file, not a command; to run it: linnet run %.200s",
                        name, name);
    if (nearest != NULL)
        return ln_usage(NULL, "there is no command '%.60s'; did you mean '%s'?", name, nearest);
    return ln_usage(NULL, "there is no command '%.60s'", name);
}

static const ln_command *find_command(const char *name) {
    for (size_t k = 0; k < COMMANDS; k++)
        if (strcmp(commands[k]->name, name) == 0)
            return commands[k];
    return NULL;
}

/* About a command, or about the program where none is named. */
static linnet_status help(const char *name) {
    if (name == NULL) {
        ln_help_program(commands);
        return LINNET_OK;
    }
    const ln_command *command = find_command(name);
    if (command == NULL)
        return unknown_command(name);
    ln_help_command(command);
    return LINNET_OK;
}

static linnet_status dispatch(int argc, char **argv) {
    const char *name = argc > 1 ? argv[1] : NULL;
    if (name == NULL)
        return ln_usage(NULL, "a command is missing");
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return help(NULL);
    if (strcmp(name, "help") == 0)
        return help(argv[2]);
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("linnet %s\n", linnet_version());
        return LINNET_OK;
    }
    const ln_command *command = find_command(name);
    return command != NULL ? command->run(command, argc - 1, argv + 1) : unknown_command(name);
}

/* The exit status of an outcome. */
static int exit_status(linnet_status status) {
    if (status == LINNET_INTERRUPTED && ln_interrupted() == SIGALRM)
        return linnet_status_exit(LINNET_FAILED);
    return status == LINNET_INTERRUPTED && ln_interrupted() != 0 ? 128 + ln_interrupted()
                                                                 : linnet_status_exit(status);
}

/* Blocks of a mebibyte and more go back to the system when they are freed. By itself malloc()
 * raises that limit with each block that is freed, up to 32 MiB, and keeps what is smaller: of a
 * million sections of a ladder 150 MB, between what stays. */
static void keep_little(void) {
#ifdef M_MMAP_THRESHOLD
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

int main(int argc, char **argv) {
    keep_little();
    /* a closed pipe is a failed write, and so is a file that has grown to the limit */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    (void)unsetenv("POSIXLY_CORRECT"); /* getopt would have all options before the model */
    ln_streams_begin();
    ln_output_keep();
    static ln_sys_table system; /* of the functions that there are: a test has others */
    system = *ln_sys;
    system.interrupted = ln_interrupted_early;
    ln_sys = &system;
    linnet_status status = ln_main_begin() ? dispatch(argc, argv) : LINNET_MEMORY;
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == LINNET_OK) {
        if (!ln_stdout_has_no_reader())
            fputs("linnet: failed: the standard output cannot be written\n", stderr);
        status = LINNET_IO;
    }
    ln_main_end();
    return exit_status(status);
}
