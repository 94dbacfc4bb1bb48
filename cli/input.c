/* From the command line to the file that it names: read, parsed, and as a program. */
#include "cli/cli.h"
#include "cli/mapped.h"
#include <string.h>

struct program_options input_options(struct ctx *ctx, const struct command_line *line)
{
    VEC(const char *) arguments = {0};
    for (size_t i = 0; i < line->options.count; i++) {
        const char *name = line->options.at[i].row->name;
        if (strcmp(name, "-I") == 0 || strcmp(name, "-D") == 0)
            vec_push(ctx->arena, &arguments,
                     arena_printf(ctx->arena, "%s%s", name, line->options.at[i].text));
    }
    return (struct program_options){.n_arguments = (int)arguments.count, .arguments = arguments.at};
}

static bool is_named_as_other_language(const char *path)
{
    static const char *const suffixes[] = {".cpp", ".cc",  ".cxx", ".c++",
                                           ".C",   ".hpp", ".cu",  ".cuh"};
    const char *dot = strrchr(path, '.');
    if (!dot)
        return false;
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (strcmp(dot, suffixes[i]) == 0)
            return true;
    return false;
}

const char *input_path(struct ctx *ctx, const struct command_line *line, enum exit_code *code)
{
    *code = EXIT_USAGE;
    if (line->positional.count != 1) {
        diag_error(ctx, loc_none(),
                   line->positional.count ? "one file at a time: '%s' is one too many"
                                          : "no file given%s",
                   line->positional.count ? line->positional.at[1] : "");
        return NULL;
    }
    *code = EXIT_INPUT;
    if (is_named_as_other_language(line->positional.at[0])) {
        diag_error(
            ctx, loc_none(),
            "'%s' is named as C++ or CUDA: treefork reads C; move the annotated functions into a "
            ".c file (C++ can include the NAME.tf.h that build writes)",
            line->positional.at[0]);
        return NULL;
    }
    return line->positional.at[0];
}

/* Every --no-NAME of a transformation of the mapper. */
static void transformation_options(struct ctx *ctx, const struct command_line *line)
{
    static const char *const names[] = {
#define X(symbol, name, when, text) "--no-" name,
#include "mapper/forms/transformations.def"
#undef X
    };
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (option_flag(line, names[i]))
            ctx->map_without |= 1u << i;
}

struct ast_unit *input_unit(struct ctx *ctx, const struct command_line *line,
                            enum exit_code *code)
{
    const char *path = input_path(ctx, line, code);
    struct program_options options = input_options(ctx, line);
    transformation_options(ctx, line);
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    source->path = path;
    source->text = path ? ast_text_read(ctx, path, &source->length) : NULL;
    return source->text ? ast_parse(ctx, source, options.arguments, options.n_arguments) : NULL;
}

static struct program *program_get(struct ctx *ctx, const struct command_line *line,
                                   bool may_be_serial, enum exit_code *code)
{
    const char *path = input_path(ctx, line, code);
    if (!path)
        return NULL;
    ctx->strict = option_flag(line, "--strict");
    ctx->contract = option_flag(line, "--contract");
    transformation_options(ctx, line);
    struct program_options options = input_options(ctx, line);
    size_t length;
    const char *text = ast_text_read(ctx, path, &length);
    if (!text)
        return NULL;
    return ast_text_asks_mapping(text, length)
               ? mapped_program(ctx, path, text, length, &options, may_be_serial)
               : program_read_text(ctx, path, text, length, &options);
}

struct program *input_program(struct ctx *ctx, const struct command_line *line,
                              enum exit_code *code)
{
    return program_get(ctx, line, false, code);
}

struct program *input_program_or_serial(struct ctx *ctx, const struct command_line *line,
                                        enum exit_code *code)
{
    return program_get(ctx, line, true, code);
}
