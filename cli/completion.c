/* treefork completion: what completes commands, options and their values in bash, zsh and fish. All
   of it comes from command.def, stage.def and the options' rows: an argument that is named "a|b"
   has these values, FILE… and PATTERN are files, DIR is a folder, MACHINE an installed machine
   file or another; what a command itself takes is the first word of its usage. */
#include "cli/cli.h"
#include <string.h>

const struct option_row completion_rows[] = {{0}};
const size_t completion_row_count = 0;

enum completion_kind { KIND_NONE, KIND_WORDS, KIND_FILES, KIND_FOLDERS, KIND_MACHINES };

/* The values that an option or a command takes. */
struct completion_values {
    enum completion_kind kind;
    const char *words;         /* of KIND_WORDS: separated by blanks */
};

/* "cuda|opencl[:K]" to "cuda opencl". */
static struct completion_values values_words(struct arena *arena, const char *alternatives)
{
    struct str words = str_new(arena);
    bool is_kept = true;
    for (const char *c = alternatives; *c && *c != ' '; c++) {
        is_kept = *c == '|' || (is_kept && *c != '[');
        if (is_kept)
            str_char(&words, *c == '|' ? ' ' : *c);
    }
    return (struct completion_values){KIND_WORDS, words.text};
}

static bool begins(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

static struct completion_values values_of_option(struct arena *arena, const struct option_row *row)
{
    const char *name = row->argument;
    if (!name)
        return (struct completion_values){0};
    if (strchr(name, '|'))
        return values_words(arena, name);
    if (begins(name, "FILE") || begins(name, "PATTERN") || strchr(name, '.'))
        return (struct completion_values){.kind = KIND_FILES};
    if (strcmp(name, "DIR") == 0)
        return (struct completion_values){.kind = KIND_FOLDERS};
    bool is_machine = strcmp(name, "MACHINE") == 0;
    return (struct completion_values){.kind = is_machine ? KIND_MACHINES : KIND_NONE};
}

static const char *command_words(struct arena *arena)
{
    struct str words = str_new(arena);
    for (size_t i = 0; i < command_count(); i++)
        str_addf(&words, "%s%s", i ? " " : "", command_at(i)->name);
    return words.text;
}

static const char *stage_words(struct arena *arena)
{
    struct str words = str_new(arena);
    for (size_t i = 0; dump_stage_name(i); i++)
        str_addf(&words, "%s%s", i ? " " : "", dump_stage_name(i));
    return words.text;
}

static struct completion_values values_of_command(struct arena *arena,
                                                  const struct command *command)
{
    if (!*command->usage)
        return (struct completion_values){0};
    if (begins(command->usage, "[COMMAND]"))
        return (struct completion_values){KIND_WORDS, command_words(arena)};
    if (begins(command->usage, "STAGE"))
        return (struct completion_values){KIND_WORDS, stage_words(arena)};
    size_t length = strcspn(command->usage, " ");
    if (memchr(command->usage, '|', length) && !memchr(command->usage, '.', length))
        return values_words(arena, command->usage);
    return (struct completion_values){.kind = KIND_FILES};
}

/* The words that name the command, as a pattern of bash and of zsh. */
static const char *pattern_of(const struct command *command)
{
    return strcmp(command->name, "dump") == 0 ? "dump|-d" : command->name;
}

/* Are there files behind what the command takes first? */
static bool has_files_behind(const struct command *command)
{
    return strstr(command->usage, " FILE") != NULL;
}

/* Adds `text` for a place between single quotes, the characters of `special` behind a backslash. */
static void quoted_add(struct str *out, const char *text, const char *special)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            str_add(out, "'\\''");
        else if (strchr(special, *c))
            str_addf(out, "\\%c", *c);
        else
            str_char(out, *c);
    }
}

/* --- bash ------------------------------------------------------------------------------------- */

static void bash_values(struct str *out, const struct completion_values *values)
{
    static const char *const kinds[] = {[KIND_NONE] = "none",
                                        [KIND_WORDS] = "words",
                                        [KIND_FILES] = "files",
                                        [KIND_FOLDERS] = "folders",
                                        [KIND_MACHINES] = "machines"};
    str_addf(out, "kind=%s", kinds[values->kind]);
    if (values->words)
        str_addf(out, " words=\"%s\"", values->words);
    str_add(out, " ;;\n");
}

static void bash_command(struct ctx *ctx, struct str *out, const struct command *command)
{
    struct completion_values own = values_of_command(ctx->arena, command);
    str_addf(out, "    %s)\n        options=\"", pattern_of(command));
    for (size_t i = 0; i < *command->n_rows; i++)
        if (command->rows[i].help)
            str_addf(out, "%s ", command->rows[i].name);
    str_add(out, "--help\"\n        case $previous in\n");
    for (size_t i = 0; i < *command->n_rows; i++) {
        struct completion_values values = values_of_option(ctx->arena, &command->rows[i]);
        if (!command->rows[i].argument || !command->rows[i].help)
            continue;
        str_addf(out, "        %s) options= ", command->rows[i].name);
        bash_values(out, &values);
    }
    str_add(out, "        *) ");
    if (own.words && has_files_behind(command))
        str_add(out, "[ \"$COMP_CWORD\" = 2 ] && ");
    bash_values(out, &own);
    str_add(out, "        esac ;;\n");
}

static void bash_print(struct ctx *ctx, struct str *out)
{
    str_addf(out,
             "# What completes treefork in bash, made by `treefork completion bash`.\n"
             "_treefork()\n{\n"
             "    local current=$2 previous=$3 command=${COMP_WORDS[1]} kind=files words options\n"
             "    # --name=value comes in three words.\n"
             "    [ \"$current\" != = ] || current=\n"
             "    [ \"$previous\" != = ] || previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
             "    [ \"$COMP_CWORD\" != 1 ] || command=\n"
             "    case $command in\n"
             "    '') kind=words words=\"%s -d --help --version\" ;;\n",
             command_words(ctx->arena));
    for (size_t i = 0; i < command_count(); i++)
        bash_command(ctx, out, command_at(i));
    str_add(out,
            "    esac\n"
            "    case $current in -*) [ -z \"$options\" ] || kind=words words=$options ;; esac\n"
            "    local found\n"
            "    case $kind in\n"
            "    words) found=$(compgen -W \"$words\" -- \"$current\") ;;\n"
            "    files) found=$(compgen -f -- \"$current\") ;;\n"
            "    folders) found=$(compgen -d -- \"$current\") ;;\n"
            "    machines) words=$(\"$1\" machines --names 2>/dev/null)\n"
            "        found=$(compgen -W \"$words\" -- \"$current\"\n"
            "        compgen -f -- \"$current\") ;;\n"
            "    esac\n"
            "    COMPREPLY=()\n"
            "    [ -z \"$found\" ] || mapfile -t COMPREPLY <<<\"$found\"\n"
            "}\n"
            "complete -o filenames -F _treefork treefork\n");
}

/* --- zsh -------------------------------------------------------------------------------------- */

static void zsh_values(struct str *out, const struct completion_values *values)
{
    static const char *const actions[] = {[KIND_NONE] = " ",
                                          [KIND_FILES] = "_files",
                                          [KIND_FOLDERS] = "_files -/",
                                          [KIND_MACHINES] = "_treefork_machines"};
    if (values->words)
        str_addf(out, "(%s)", values->words);
    else
        str_add(out, actions[values->kind]);
}

static void zsh_option(struct ctx *ctx, struct str *out, const struct option_row *row)
{
    struct completion_values values = values_of_option(ctx->arena, row);
    const char *joined = row->name[1] == '-' ? "=" : "+";
    str_addf(out, " \\\n            '*%s%s[", row->name, row->argument ? joined : "");
    quoted_add(out, row->help, "[]:");
    str_add(out, "]");
    if (row->argument) {
        str_add(out, ":");
        quoted_add(out, row->argument, ":");
        str_add(out, ":");
        zsh_values(out, &values);
    }
    str_add(out, "'");
}

static void zsh_command(struct ctx *ctx, struct str *out, const struct command *command)
{
    struct completion_values own = values_of_command(ctx->arena, command);
    str_addf(out, "        %s)\n            _arguments '--help[this text]'", pattern_of(command));
    for (size_t i = 0; i < *command->n_rows; i++)
        if (command->rows[i].help)
            zsh_option(ctx, out, &command->rows[i]);
    if (own.kind == KIND_WORDS) {
        str_add(out, " \\\n            '1: :");
        zsh_values(out, &own);
        str_add(out, "'");
    }
    if (own.kind == KIND_FILES || has_files_behind(command))
        str_add(out, " \\\n            '*: :_files'");
    str_add(out, " ;;\n");
}

static void zsh_print(struct ctx *ctx, struct str *out)
{
    str_add(out, "#compdef treefork\n"
                 "# What completes treefork in zsh, made by `treefork completion zsh`.\n"
                 "_treefork_machines() {\n"
                 "    local -a names\n"
                 "    names=(${(f)\"$(treefork machines --names 2>/dev/null)\"})\n"
                 "    _alternative 'machines:machine:compadd -a names' 'files:file:_files'\n"
                 "}\n"
                 "_treefork() {\n"
                 "    local context state line\n"
                 "    local -a commands\n"
                 "    _arguments -C '--version[print the version]' '--help[list the commands]' "
                 "'1: :->command' '*:: :->rest'\n"
                 "    case $state in\n"
                 "    command)\n"
                 "        commands=(\n");
    for (size_t i = 0; i < command_count(); i++) {
        str_addf(out, "            '%s:", command_at(i)->name);
        quoted_add(out, command_at(i)->summary, ":");
        str_add(out, "'\n");
    }
    str_add(out, "        )\n"
                 "        _describe command commands ;;\n"
                 "    rest)\n"
                 "        case $words[1] in\n");
    for (size_t i = 0; i < command_count(); i++)
        zsh_command(ctx, out, command_at(i));
    str_add(out, "        esac ;;\n"
                 "    esac\n"
                 "}\n"
                 "if [ \"$funcstack[1]\" = _treefork ]; then\n"
                 "    _treefork \"$@\"\n"
                 "else\n"
                 "    compdef _treefork treefork\n"
                 "fi\n");
}

/* --- fish ------------------------------------------------------------------------------------- */

/* A rule for words behind `command`. */
static void fish_rule(struct str *out, const struct command *command)
{
    str_addf(out, "complete -c treefork -n '__fish_seen_subcommand_from %s%s'", command->name,
             strcmp(command->name, "dump") == 0 ? " -d" : "");
}

static void fish_values(struct str *out, const struct completion_values *values)
{
    static const char *const actions[] = {
        [KIND_NONE] = " -x",
        [KIND_FILES] = " -r -F",
        [KIND_FOLDERS] = " -x -a '(__fish_complete_directories)'",
        [KIND_MACHINES] = " -r -F -a '(treefork machines --names 2>/dev/null)'"};
    if (values->words)
        str_addf(out, " -x -a '%s'", values->words);
    else
        str_add(out, actions[values->kind]);
}

static void fish_option(struct ctx *ctx, struct str *out, const struct command *command,
                        const struct option_row *row)
{
    struct completion_values values = values_of_option(ctx->arena, row);
    bool is_long = row->name[1] == '-';
    const char *kind = row->name[2] ? "o" : "s";
    if (is_long)
        kind = "l";
    fish_rule(out, command);
    str_addf(out, " -%s %s", kind, row->name + (is_long ? 2 : 1));
    if (row->argument)
        fish_values(out, &values);
    str_add(out, " -d '");
    quoted_add(out, row->help, "");
    str_add(out, "'\n");
}

static void fish_command(struct ctx *ctx, struct str *out, const struct command *command)
{
    struct completion_values own = values_of_command(ctx->arena, command);
    str_addf(out, "complete -c treefork -n __fish_use_subcommand -a %s -d '", command->name);
    quoted_add(out, command->summary, "");
    str_add(out, "'\n");
    for (size_t i = 0; i < *command->n_rows; i++)
        if (command->rows[i].help)
            fish_option(ctx, out, command, &command->rows[i]);
    fish_rule(out, command);
    str_add(out, " -l help -d 'this text'\n");
    if (own.kind == KIND_NONE)
        return;
    fish_rule(out, command);
    if (own.words)
        str_addf(out, " -a '%s'", own.words);
    str_add(out, own.words && !has_files_behind(command) ? "\n" : " -F\n");
}

static void fish_print(struct ctx *ctx, struct str *out)
{
    str_add(out, "# What completes treefork in fish, made by `treefork completion fish`.\n"
                 "complete -c treefork -f\n"
                 "complete -c treefork -n __fish_use_subcommand -l help -d 'list the commands'\n"
                 "complete -c treefork -n __fish_use_subcommand -l version "
                 "-d 'print the version'\n");
    for (size_t i = 0; i < command_count(); i++)
        fish_command(ctx, out, command_at(i));
}

/* --- the command ------------------------------------------------------------------------------ */

enum exit_code command_completion(struct ctx *ctx, const struct command_line *line)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    static void (*const prints[])(struct ctx *ctx, struct str *out) = {bash_print, zsh_print,
                                                                       fish_print};
    const char *shell = line->positional.count ? line->positional.at[0] : "";
    struct str out = str_new(ctx->arena);
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shell, shells[i]) == 0)
            prints[i](ctx, &out);
    if (!out.length) {
        option_unknown(ctx, "shell", shell, shells, sizeof shells / sizeof shells[0]);
        return EXIT_USAGE;
    }
    fputs(out.text, stdout);
    return EXIT_DONE;
}
