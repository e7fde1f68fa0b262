/* SPDX-License-Identifier: MIT */
/* linnet completion: scripts by which bash and zsh complete our command line, printed from the
 * tables of commands, options, methods and solvers, so that they know what this program knows. */
#include "cli/command.h"
#include "cli/terminal.h"
#include "integrate/integrate.h"
#include "linear/linear.h"

#include <stdio.h>
#include <string.h>

static linnet_status completion_command(const ln_command *command, int argc, char **argv);

static const ln_option options[] = {{NULL, 0, NULL, NULL}};

const ln_command ln_command_completion = {
    .name = "completion",
    .doc = "print a script by which bash or zsh completes linnet's command line",
    .usage = "bash|zsh",
    .about = "`make install` puts both where the shells look for them. By hand:",
    .options = options,
    .examples = "  eval \"$(linnet completion bash)\"\n"
                "  linnet completion zsh > ~/.zfunc/_linnet\n",
    .exits = "02",
    .run = completion_command};

#define ADDRESS(name) &ln_command_##name,
static const ln_command *const commands[] = {LN_COMMANDS(ADDRESS) NULL};

/* ---- values of options ---- */

static void print_methods(const char *separator) {
    for (int k = 0; ln_method_at(k) != NULL; k++)
        printf("%s%s", k > 0 ? separator : "", ln_method_at(k)->name);
}

/* What the argument of an option is: a file, a folder, one of the methods, or nothing known. */
typedef enum argument { FREE, FILES, FOLDERS, METHODS } argument;

static argument argument_of(const ln_option *option) {
    if (strcmp(option->argument, "FILE") == 0)
        return FILES;
    if (strcmp(option->argument, "DIR") == 0)
        return FOLDERS;
    return strcmp(option->name, "method") == 0 ? METHODS : FREE;
}

/* ---- bash ---- */

/* "--output|-o": the options of a command whose argument is of that kind; returns how many. */
static int print_pattern(const ln_command *command, argument kind) {
    int count = 0;
    for (const ln_option *o = command->options; o->name != NULL; o++) {
        if (o->argument == NULL || argument_of(o) != kind)
            continue;
        printf("%s--%s", count++ > 0 ? "|" : "", o->name);
        if (o->letter != 0)
            printf("|-%c", o->letter);
    }
    return count;
}

static void bash_command(const ln_command *command) {
    static const char *const answers[] = {"return", "COMPREPLY=($(compgen -f -- \"$cur\")); return",
                                          "COMPREPLY=($(compgen -d -- \"$cur\")); return"};
    printf("    %s)\n        case $prev in\n", command->name);
    for (int kind = FREE; kind <= METHODS; kind++) {
        fputs("            ", stdout);
        if (print_pattern(command, (argument)kind) == 0)
            fputs("none", stdout);
        fputs(") ", stdout);
        if (kind == METHODS) {
            fputs("COMPREPLY=($(compgen -W '", stdout);
            print_methods(" ");
            fputs("' -- \"$cur\")); return ;;\n", stdout);
        } else {
            printf("%s ;;\n", answers[kind]);
        }
    }
    fputs("        esac\n        options='--help", stdout);
    for (const ln_option *o = command->options; o->name != NULL; o++)
        printf(" --%s", o->name);
    fputs("' ;;\n", stdout);
}

static void print_bash(void) {
    fputs("# bash completion for linnet; printed by `linnet completion bash`\n"
          "_linnet() {\n"
          "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} options=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ] || { [ \"${COMP_WORDS[1]}\" = help ] && [ "
          "\"$COMP_CWORD\" = 2 ]; }; then\n"
          "        COMPREPLY=($(compgen -W 'help --help --version",
          stdout);
    for (int k = 0; commands[k] != NULL; k++)
        printf(" %s", commands[k]->name);
    fputs("' -- \"$cur\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", stdout);
    for (int k = 0; commands[k] != NULL; k++)
        bash_command(commands[k]);
    fputs("    esac\n"
          "    case ${COMP_WORDS[1]}:$cur in\n"
          "    *:-*) COMPREPLY=($(compgen -W \"$options\" -- \"$cur\")) ;;\n"
          "    completion:*) COMPREPLY=($(compgen -W 'bash zsh' -- \"$cur\")) ;;\n"
          "    blocks:*) COMPREPLY=($(compgen -W \"$(linnet blocks 2> /dev/null |\n"
          "        sed -n 's/^  \\([a-z0-9][a-z0-9-]*\\)  .*/\\1/p')\" -- \"$cur\")) ;;\n"
          "    *) COMPREPLY=($(compgen -f -- \"$cur\")) ;;\n"
          "    esac\n"
          "}\n"
          "complete -o filenames -F _linnet linnet\n",
          stdout);
}

/* ---- zsh ---- */

/* A text between single quotes, and within brackets of _arguments: its first line. */
static void print_quoted(const char *text) {
    for (; *text != '\0' && *text != '\n'; text++) {
        if (strchr("[]:\\", *text) != NULL)
            putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

static void zsh_option(const ln_option *option) {
    static const char *const actions[] = {" ", "_files", "_files -/"};
    fputs("            ", stdout);
    if (option->letter != 0)
        printf("{-%c,--%s}", option->letter, option->name);
    else
        printf("--%s", option->name);
    fputs("'[", stdout);
    print_quoted(option->doc);
    fputs("]", stdout);
    if (option->argument != NULL) {
        fputs(":", stdout);
        print_quoted(option->argument);
        fputs(":", stdout);
        if (argument_of(option) == METHODS) {
            fputs("(", stdout);
            print_methods(" ");
            fputs(")", stdout);
        } else {
            fputs(actions[argument_of(option)], stdout);
        }
    }
    fputs("' \\\n", stdout);
}

static void print_zsh(void) {
    fputs("#compdef linnet\n"
          "# zsh completion for linnet; printed by `linnet completion zsh`\n"
          "_linnet() {\n"
          "    local -a commands types\n"
          "    commands=(\n"
          "        'help:about a command'\n",
          stdout);
    for (int k = 0; commands[k] != NULL; k++) {
        printf("        '%s:", commands[k]->name);
        print_quoted(commands[k]->doc);
        fputs("'\n", stdout);
    }
    fputs("    )\n"
          "    if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
          "        _describe command commands\n"
          "        return\n"
          "    fi\n"
          "    case $words[2] in\n",
          stdout);
    for (int k = 0; commands[k] != NULL; k++) {
        const char *name = commands[k]->name;
        printf("    %s)\n        _arguments -S \\\n            '--help[about the command]' \\\n",
               name);
        for (const ln_option *o = commands[k]->options; o->name != NULL; o++)
            zsh_option(o);
        if (strcmp(name, "completion") == 0)
            fputs("            '*:shell:(bash zsh)'", stdout);
        else if (strcmp(name, "blocks") == 0)
            fputs("            '*:type:($(linnet blocks 2> /dev/null | "
                  "sed -n \"s/^  \\([a-z0-9][a-z0-9-]*\\)  .*/\\1/p\"))'",
                  stdout);
        else
            fputs("            '*:file:_files'", stdout);
        fputs(" ;;\n", stdout);
    }
    fputs("    esac\n}\n_linnet \"$@\"\n", stdout);
}

static linnet_status completion_command(const ln_command *command, int argc, char **argv) {
    const char *value;
    int first, option = ln_option_next(command, argc, argv, &value, &first);
    if (option == LN_OPTION_HELP) {
        ln_help_command(command);
        return LINNET_OK;
    }
    if (option == LN_OPTION_WRONG)
        return LINNET_USAGE;
    if (argc - first != 1)
        return ln_usage(command, "name the shell: bash or zsh");
    if (strcmp(argv[first], "bash") == 0)
        print_bash();
    else if (strcmp(argv[first], "zsh") == 0)
        print_zsh();
    else
        return ln_usage(command, "'%.60s' is neither bash nor zsh", argv[first]);
    return LINNET_OK;
}
