/* treefork help [COMMAND]: the commands, or the options of one, as `treefork COMMAND --help`. */
#include "cli/cli.h"

const struct option_row help_rows[] = {
    {"--commands", NULL, "the names of the commands, one a line"},
};
const size_t help_row_count = sizeof help_rows / sizeof help_rows[0];

void help_print(FILE *out)
{
    fputs("usage: treefork COMMAND …\n\n", out);
    for (size_t i = 0; i < command_count(); i++)
        fprintf(out, "  %-10s %s\n", command_at(i)->name, command_at(i)->summary);
    fputs("\nstages of dump: ", out);
    dump_stages_print(out, false);
    fputs("\n\n`treefork help COMMAND` tells the options of a command, as "
          "`treefork COMMAND --help` does; `-d STAGE FILE.c` is `dump STAGE FILE.c`.\n",
          out);
}

static enum exit_code help_of(struct ctx *ctx, const char *word)
{
    const struct command *command = command_find(word);
    if (!command) {
        command_unknown(ctx, word);
        return EXIT_USAGE;
    }
    command_options(command);
    return EXIT_DONE;
}

enum exit_code command_help(struct ctx *ctx, const struct command_line *line)
{
    if (line->positional.count > 1) {
        diag_error(ctx, loc_none(), "one command at a time: '%s' is one too many",
                   line->positional.at[1]);
        return EXIT_USAGE;
    }
    if (option_flag(line, "--commands")) {
        for (size_t i = 0; i < command_count(); i++)
            puts(command_at(i)->name);
        return EXIT_DONE;
    }
    if (line->positional.count)
        return help_of(ctx, line->positional.at[0]);
    help_print(stdout);
    return EXIT_DONE;
}
