/* treefork: finds the subcommand, reads its options by its table, runs it. `-d STAGE` is short for
   `dump STAGE`. Exit codes: 0 done, 1 the input or the environment is wrong, 2 usage,
   3 internal. */
#include "base/progress.h"
#include "cli/cli.h"
#include <string.h>

static const struct command commands[] = {
#define X(name, usage, summary) {#name, usage, summary, name##_rows, 0, command_##name},
#include "cli/command.def"
#undef X
};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static size_t row_count(const char *name)
{
#define X(command, usage, summary)                                                                 \
    if (strcmp(name, #command) == 0)                                                               \
        return command##_row_count;
#include "cli/command.def"
#undef X
    return 0;
}

static void print_usage(FILE *out)
{
    fputs("usage: treefork COMMAND …\n\n", out);
    for (int i = 0; i < COMMAND_COUNT; i++)
        fprintf(out, "  %-8s %s\n", commands[i].name, commands[i].summary);
    fputs("\nstages of dump: ", out);
    dump_stages_print(out, false);
    fputs(
        "\n\n`treefork COMMAND --help` tells the options of a command; `-d STAGE FILE.c` is `dump "
        "STAGE FILE.c`.\n",
        out);
}

static enum exit_code unknown_command(struct ctx *ctx, const char *word)
{
    const char *names[COMMAND_COUNT];
    for (int i = 0; i < COMMAND_COUNT; i++)
        names[i] = commands[i].name;
    option_unknown(ctx, "command", word, names, COMMAND_COUNT);
    return EXIT_USAGE;
}

static enum exit_code run_command(struct ctx *ctx, const struct command *command, int argc,
                                  char **argv)
{
    struct command_line line;
    size_t n_rows = row_count(command->name);
    if (!options_parse(ctx, command->rows, n_rows, argc, argv, &line))
        return EXIT_USAGE;
    if (!line.help)
        return command->run(ctx, &line);
    printf("usage: treefork %s %s\n\n%s\n\n", command->name, command->usage, command->summary);
    options_help(stdout, command->rows, n_rows);
    if (strcmp(command->name, "dump") == 0) {
        printf("\nstages:\n");
        dump_stages_print(stdout, true);
    }
    return EXIT_DONE;
}

static enum exit_code dispatch(struct ctx *ctx, int argc, char **argv)
{
    if (argc < 2) {
        print_usage(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_usage(stdout);
        return EXIT_DONE;
    }
    if (strcmp(word, "--version") == 0) {
        printf("treefork %s\n", TREEFORK_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(word, "-d") == 0)
        word = "dump";
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(word, commands[i].name) == 0)
            return run_command(ctx, &commands[i], argc - 2, argv + 2);
    return unknown_command(ctx, word);
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
