/* treefork: finds the subcommand, reads its options by its table, runs it. `-d STAGE` is short for
   `dump STAGE`. Exit codes: 0 done, 1 the input or the environment is wrong, 2 usage,
   3 internal. */
#include "base/progress.h"
#include "cli/cli.h"
#include <string.h>

static enum exit_code run_command(struct ctx *ctx, const struct command *command, int argc,
                                  char **argv)
{
    struct command_line line;
    if (!options_parse(ctx, command->rows, *command->n_rows, argc, argv, &line))
        return EXIT_USAGE;
    if (!line.help)
        return command->run(ctx, &line);
    command_options(command);
    return EXIT_DONE;
}

static enum exit_code dispatch(struct ctx *ctx, int argc, char **argv)
{
    if (argc < 2) {
        help_print(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help_print(stdout);
        return EXIT_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        printf("treefork %s\n", TREEFORK_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(word, "-d") == 0)
        word = "dump";
    const struct command *command = command_find(word);
    if (command)
        return run_command(ctx, command, argc - 2, argv + 2);
    command_unknown(ctx, word);
    return EXIT_USAGE;
}

int main(int argc, char **argv)
{
    struct ctx *ctx = ctx_new();
    progress_open(ctx);
    enum exit_code code = dispatch(ctx, argc, argv);
    progress_end(ctx);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_DONE) {
        diag_error(ctx, loc_none(), "cannot write to standard output");
        code = EXIT_INPUT;
    }
    if (ctx->is_internal && code == EXIT_INPUT)
        code = EXIT_INTERNAL;
    ctx_free(ctx);
    return code;
}
