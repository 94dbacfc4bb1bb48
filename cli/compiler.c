/* In: the options of C compilers that stand on a command line (cli/compiler.def). Out: arguments of
   clang, which reads the file, and of the C compiler that makes the programs of verify, tune and
   build --warm. Options that only change how code is generated are accepted, so that $(CFLAGS) can
   be handed over, and passed to neither compiler. An option that would give the text a meaning that
   kernels do not have is a usage error. */
#include "cli/cli.h"
#include <string.h>

struct compiler_option {
    const char *name, *argument, *reads, *runs;
};

static const struct compiler_option options[] = {
#define X(name, argument, reads, runs, help) {name, argument, reads, runs},
#include "cli/compiler.def"
#undef X
};

enum { OPTION_COUNT = sizeof options / sizeof options[0] };

/* The entry of a row, NULL if the option is not one of a C compiler. */
static const struct compiler_option *compiler_option_of(const struct option_row *row)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (strcmp(options[i].name, row->name) == 0 && !options[i].argument == !row->argument)
            return &options[i];
    return NULL;
}

/* The argument for clang, or with `runs` for the compiler of programs; NULL if it gets none. */
static const char *argument_of(struct ctx *ctx, const struct option_value *value, bool runs)
{
    const struct compiler_option *option = compiler_option_of(value->row);
    if (!option)
        return NULL;
    const char *beginning = runs ? option->runs : option->reads;
    if (!beginning)
        return NULL;
    const char *argument = arena_printf(ctx->arena, "%s%s", beginning, value->text);
    return runs ? ast_host_argument(argument) : argument;
}

/* Both compilers find treefork.h and metafork.h. */
static struct program_options arguments_make(struct ctx *ctx, const struct command_line *line,
                                             bool runs)
{
    VEC(const char *) arguments = {0};
    for (size_t i = 0; i < line->options.count; i++) {
        const char *argument = argument_of(ctx, &line->options.at[i], runs);
        if (argument)
            vec_push(ctx->arena, &arguments, argument);
    }
    const char *library, *include;
    if (runtime_find(ctx, &library, &include))
        vec_push(ctx->arena, &arguments, arena_printf(ctx->arena, "-idirafter%s", include));
    return (struct program_options){.n_arguments = (int)arguments.count, .arguments = arguments.at};
}

struct program_options input_options(struct ctx *ctx, const struct command_line *line)
{
    return arguments_make(ctx, line, false);
}

struct program_options input_run_options(struct ctx *ctx, const struct command_line *line)
{
    return arguments_make(ctx, line, true);
}

bool compiler_options_check(struct ctx *ctx, const struct command_line *line)
{
    static const char *const refused[][2] = {
        {"-m32", "kernels and libtreefork have pointers of 64 bits"},
        {"-mx32", "kernels and libtreefork have pointers of 64 bits"},
        {"-m16", "kernels and libtreefork have pointers of 64 bits"},
        {"-std=c++", "treefork reads C"},
        {"-std=gnu++", "treefork reads C"}};
    for (size_t i = 0; i < line->options.count; i++) {
        const struct option_value *option = &line->options.at[i];
        const char *name = option->row->name;
        const char *word =
            arena_printf(ctx->arena, "%s%s%s", name, name[2] ? "=" : "", option->text);
        for (size_t k = 0; k < sizeof refused / sizeof refused[0]; k++) {
            if (strncmp(word, refused[k][0], strlen(refused[k][0])) != 0)
                continue;
            diag_error(ctx, loc_none(), "option '%s': %s", word, refused[k][1]);
            return false;
        }
    }
    return true;
}
