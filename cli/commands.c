/* The subcommands of command.def as a list: for main, for the help of each and for completions. */
#include "cli/cli.h"
#include <string.h>

static const struct command commands[] = {
#define X(name, usage, summary)                                                                    \
    {#name, usage, summary, name##_rows, &name##_row_count, command_##name},
#include "cli/command.def"
#undef X
};

size_t command_count(void)
{
    return sizeof commands / sizeof commands[0];
}

const struct command *command_at(size_t i)
{
    return &commands[i];
}

const struct command *command_find(const char *name)
{
    for (size_t i = 0; i < command_count(); i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

void command_options(const struct command *command)
{
    printf("usage: treefork %s %s\n\n%s\n\n", command->name, command->usage, command->summary);
    options_help(stdout, command->rows, *command->n_rows);
    if (strcmp(command->name, "dump") == 0) {
        printf("\nstages:\n");
        dump_stages_print(stdout, true);
    }
}

void command_unknown(struct ctx *ctx, const char *word)
{
    const char **names = ARENA_ARRAY(ctx->arena, const char *, command_count());
    for (size_t i = 0; i < command_count(); i++)
        names[i] = commands[i].name;
    option_unknown(ctx, "command", word, names, command_count());
}
