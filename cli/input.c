/* From the command line to the file that it names: read, parsed, and as a program. */
#include "cli/cli.h"
#include "cli/mapped.h"
#include <string.h>

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
    if (!compiler_options_check(ctx, line))
        return NULL;
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
            "'%s' is named as C++ or CUDA: treefork reads C; copy it to a .c file if it is C, or "
            "move its loops into one (C++ can include the NAME.tf.h that build writes)",
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
    ctx->reassociates = option_flag(line, "--reassociate");
    ctx->restricts = option_flag(line, "--restrict");
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

bool input_choice(struct ctx *ctx, const struct command_line *line, struct map_choice *choice)
{
    unsigned errors = ctx->errors;
    *choice = (struct map_choice){.function = option_text(line, "--function"),
                                  .all = option_flag(line, "--all")};
    if (choice->function && choice->all)
        diag_error(ctx, loc_none(), "--function and --all exclude each other");
    if (choice->all && option_flag(line, "--any"))
        diag_error(ctx, loc_none(), "--any and --all exclude each other");
    return ctx->errors == errors;
}

/* A text without marks of which nothing is chosen may have a region that a macro hides, which is
   refused where it stands; else the mapper says how to choose, and what loops would become. */
static struct program *unmarked_program(struct ctx *ctx, struct source *source,
                                        struct program_options *options, enum exit_code *code)
{
    struct map_choice none = {0};
    options->may_lack_regions = true;
    struct program *program =
        program_read_text(ctx, source->path, source->text, source->length, options);
    return !program || program->n_regions
               ? program
               : mapped_program(ctx, source, options, &none, false, code);
}

static struct program *program_choose(struct ctx *ctx, const struct command_line *line,
                                      enum input_use use, enum exit_code *code)
{
    struct map_choice choice;
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    *code = EXIT_USAGE;
    source->path = input_choice(ctx, line, &choice) ? input_path(ctx, line, code) : NULL;
    if (!source->path)
        return NULL;
    choice.with_loops = use == INPUT_OR_SERIAL;
    ctx->strict = option_flag(line, "--strict");
    ctx->contract = option_flag(line, "--contract");
    ctx->tells_parts = option_flag(line, "--devices");
    transformation_options(ctx, line);
    struct program_options options = input_options(ctx, line);
    source->text = ast_text_read(ctx, source->path, &source->length);
    if (!source->text)
        return NULL;
    enum ast_marks marks = ast_text_marks(source->text, source->length);
    bool takes_any = option_flag(line, "--any");
    if ((use == INPUT_PART && marks != MARKS_NONE) || (use != INPUT_OR_SERIAL && takes_any))
        choice.function = NULL;
    if (takes_any && !choice.function) {
        choice.all = marks != MARKS_REGIONS;
        choice.may_be_none = true;
    }
    bool chooses = choice.function || choice.all;
    if (chooses && marks == MARKS_REGIONS) {
        diag_error(ctx, loc_none(), "'%s' has regions of its own; --function and --all choose "
                                    "from plain C", source->path);
        *code = EXIT_USAGE;
        return NULL;
    }
    if (chooses || marks == MARKS_FRAGMENTS)
        return mapped_program(ctx, source, &options, &choice, use == INPUT_OR_SERIAL, code);
    return marks == MARKS_NONE ? unmarked_program(ctx, source, &options, code)
                               : program_read_text(ctx, source->path, source->text,
                                                   source->length, &options);
}

/* Of a file that was taken as a whole, the regions of one function. */
static void regions_keep(struct ctx *ctx, struct program *program, const char *function)
{
    VEC(const struct region *) kept = {0};
    for (size_t i = 0; i < program->n_regions; i++)
        if (!strcmp(program->functions[program->regions[i]->function].name, function))
            vec_push(ctx->arena, &kept, program->regions[i]);
    program->n_regions = kept.count;
    program->regions = kept.at;
}

struct program *input_program(struct ctx *ctx, const struct command_line *line, enum input_use use,
                              enum exit_code *code)
{
    struct program *program = program_choose(ctx, line, use, code);
    const char *function = option_text(line, "--function");
    if (program && use == INPUT_WHOLE && function && option_flag(line, "--any"))
        regions_keep(ctx, program, function);
    return program;
}
