/* Plain C with fragments to map as a program: the mapper's text is read like a user's, its regions
   are judged, and those that cannot run at once go back to the host. So does what makes the text an
   error, where a program as it stands serves: nobody's build fails for loops that may stay. */
#include "cli/mapped.h"
#include "cli/cli.h"
#include "cli/gate.h"
#include <string.h>

const char *mapped_path(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    int stem = dot ? (int)(dot - path) : (int)strlen(path);
    return arena_printf(arena, "%.*s.mapped.c", stem, path);
}

/* The mapped text as a program. */
static struct program *mapping_read(struct ctx *ctx, const struct plain_file *mapping,
                                    const struct program_options *options)
{
    struct str text = str_new(ctx->arena);
    struct source_origin *origin = ARENA_NEW(ctx->arena, struct source_origin);
    struct program_options made = *options;
    mapping_print_parts(&text, mapping, origin);
    made.origin = origin;
    return program_read_text(ctx, mapped_path(ctx->arena, options->stem_of), text.text,
                             text.length, &made);
}

typedef VEC(struct map_verdict) verdict_list;

static bool is_proved(const struct region *region)
{
    enum access_verdict verdict = region->legality.verdict;
    return verdict == ACCESS_PROVED || verdict == ACCESS_PROVED_UNDER;
}

/* The arrays of a program's regions, of those that are proved, of which nobody knows how much is
   touched. */
static void extents_find(struct ctx *ctx, const struct program *program, verdict_list *list)
{
    for (size_t i = 0; i < program->n_regions; i++) {
        const struct kernel *kernel = program->regions[i]->kernel;
        int n_arrays = is_proved(program->regions[i]) ? kernel->n_arrays : 0;
        for (int k = 0; k < n_arrays; k++) {
            const struct array *array = kernel->arrays[k];
            if (array->space == SPACE_GLOBAL && !access_extent(ctx, kernel, array))
                vec_push(ctx->arena, list, ((struct map_verdict){i, false, array->name}));
        }
    }
}

/* The regions of a program that are not proved independent. */
static void verdicts_find(struct arena *arena, const struct program *program, verdict_list *list)
{
    for (size_t i = 0; i < program->n_regions; i++) {
        bool is_conflict = program->regions[i]->legality.verdict == ACCESS_CONFLICT;
        if (!is_proved(program->regions[i]))
            vec_push(arena, list, ((struct map_verdict){.region = i, .is_conflict = is_conflict}));
    }
}

static void refuse_all(struct ctx *ctx, const char *path)
{
    diag_error(ctx, loc_none(),
               "nothing of %s is left to run at once: all its regions stay on the host", path);
}

/* Takes out of the mapping what is not to run at once. is_left: does anything? False after a
   diagnostic. */
static bool verdicts_take(struct ctx *ctx, struct plain_file *mapping, const verdict_list *verdicts,
                          bool *is_left)
{
    unsigned errors = ctx->errors;
    *is_left = mapping_judge(mapping, verdicts->at, verdicts->count);
    return ctx->errors == errors;
}

/* Reads the mapped text to learn what stands in the way of its regions; regions without a proof are
   no errors then. */
static struct program *verdicts_read(struct ctx *ctx, const struct plain_file *mapping,
                                     const struct program_options *options, verdict_list *verdicts)
{
    ctx->judges = true;
    struct program *program = mapping_read(ctx, mapping, options);
    ctx->judges = false;
    if (program)
        extents_find(ctx, program, verdicts);
    return program;
}

static struct program *mapping_read_quietly(struct ctx *ctx, const struct plain_file *mapping,
                                            const struct program_options *options)
{
    bool quiet = ctx->quiet;
    ctx->quiet = true;
    struct program *program = mapping_read(ctx, mapping, options);
    ctx->quiet = quiet;
    return program;
}

/* The mapper proposes and ir/access decides: regions without a proof stay serial, in a text that is
   read again. What is to be said about it was said at the first reading; only where the second
   fails it is read a third time, to say why. is_left: does a region run at once? */
static struct program *mapping_judged(struct ctx *ctx, struct plain_file *mapping,
                                      const struct program_options *options, bool *is_left)
{
    *is_left = true;
    verdict_list verdicts = {0};
    struct program *program = verdicts_read(ctx, mapping, options, &verdicts);
    if (program)
        verdicts_find(ctx->arena, program, &verdicts);
    if (!verdicts.count)
        return program;
    if (!verdicts_take(ctx, mapping, &verdicts, is_left) || !*is_left)
        return NULL;
    program = mapping_read_quietly(ctx, mapping, options);
    return program ? program : mapping_read(ctx, mapping, options);
}

bool input_foresee(struct ctx *ctx, const struct ast_unit *unit, struct plain_file *mapping)
{
    struct program_options options = {.n_arguments = unit->n_arguments,
                                      .arguments = unit->arguments,
                                      .stem_of = unit->source->path};
    verdict_list verdicts = {0};
    unsigned errors = ctx->errors, warnings = ctx->warnings;
    bool quiet = ctx->quiet, is_internal = ctx->is_internal;
    if (!mapping_is_open(mapping))
        return true;
    ctx->quiet = true;
    verdicts_read(ctx, mapping, &options, &verdicts);
    ctx->quiet = quiet;
    ctx->errors = errors;
    ctx->is_internal = is_internal;
    ctx->warnings = warnings;
    bool is_left = true;
    bool good = !verdicts.count || verdicts_take(ctx, mapping, &verdicts, &is_left);
    if (good && !is_left)
        refuse_all(ctx, options.stem_of);
    return good && is_left;
}

/* Of a file whose marked loops all stay on the host: an error, or the file as it stands where that
   serves, too. The mapper has said of each loop why. A file without marks may be one without loops
   that pay (--any), of which nothing has to be said. */
static struct program *serial_program(struct ctx *ctx, const struct source *source, bool is_marked,
                                      bool serves)
{
    if (serves && !is_marked)
        return program_serial(ctx, source->path, source->text, source->length);
    const char *says = "no loop of `%s` that is marked runs on a device, as the notes say%s";
    if (!serves) {
        diag_error(ctx, loc_none(), says, source->path, "");
        return NULL;
    }
    diag_warning(ctx, loc_none(), says, source->path,
                 "; what is written is the program as it stands");
    return program_serial(ctx, source->path, source->text, source->length);
}

/* The mapped text as a program that the gate accepts; NULL after a diagnostic, or where no region
   is left. */
static struct program *mapping_accepted(struct ctx *ctx, struct plain_file *mapping,
                                        const struct program_options *options, struct gate *gate,
                                        bool *is_left)
{
    struct program *program = mapping_judged(ctx, mapping, options, is_left);
    if (program)
        return gate_pass(gate) ? program : NULL;
    if (!*is_left)
        return NULL;
    if (!gate_has_looked(gate))
        gate_refuse(gate);
    else if (ctx->is_internal)
        diag_note(ctx, loc_none(), "an internal error: mapping put this into a region%s; please "
                                   "report it", ctx->yields ? "" : "; nothing is written");
    return NULL;
}

/* The same; what is refused goes back to the host, piece by piece, where that serves. */
static struct program *mapping_settled(struct ctx *ctx, struct plain_file *mapping,
                                       const struct program_options *options, struct gate *gate,
                                       bool serves, bool *is_left, bool *has_yielded)
{
    unsigned errors = ctx->errors;
    bool is_internal = ctx->is_internal;
    ctx->yields = serves;
    struct program *program = mapping_accepted(ctx, mapping, options, gate, is_left);
    while (!program && ctx->refused.count &&
           mapping_yield(mapping, ctx->refused.at, ctx->refused.count)) {
        diag_note(ctx, ctx->last_loc, "the loops around stay on the host, as they stand");
        ctx->refused.count = 0;
        *has_yielded = true;
        ctx->errors = errors;
        ctx->is_internal = is_internal;
        *is_left = !mapping_is_empty(mapping);
        if (*is_left)
            program = mapping_accepted(ctx, mapping, options, gate, is_left);
    }
    ctx->yields = false;
    return program;
}

struct program *mapped_program(struct ctx *ctx, const struct source *source,
                               struct program_options *options, struct map_choice *choice,
                               bool may_be_serial, enum exit_code *code)
{
    struct ast_unit *unit = ast_parse(ctx, source, options->arguments, options->n_arguments);
    struct gate *gate = unit ? gate_open(ctx, unit) : NULL;
    struct plain_file *mapping = unit ? mapping_make(ctx, unit, choice) : NULL;
    if (unit)
        ast_close(unit);
    options->stem_of = source->path;
    bool is_marked = !choice->may_be_none, serves = may_be_serial && !ctx->strict, is_left;
    *code = choice->is_unknown ? EXIT_USAGE : EXIT_INPUT;
    if (mapping && mapping_is_empty(mapping))
        return serial_program(ctx, source, is_marked, serves);
    if (!mapping)
        return NULL;
    options->look = gate_look;
    options->looker = gate;
    unsigned errors = ctx->errors;
    bool has_yielded = false;
    struct program *program = mapping_settled(ctx, mapping, options, gate, serves, &is_left,
                                              &has_yielded);
    bool is_empty = !is_left && ctx->errors == errors;
    if (is_empty && serves && (!is_marked || has_yielded))
        return serial_program(ctx, source, is_marked, serves);
    if (is_empty)
        refuse_all(ctx, source->path);
    return program;
}
