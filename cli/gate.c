/* The gate between the mapper and everybody who uses its text.

   In: the source's unit, as it was before the mapper saw it, and the mapped text as clang reads
   it. Out: nothing, where both compute the same; an internal error, where they do not, or where the
   text is no C. Its judgement is the replay's, which knows nothing of the mapper. */
#include "cli/gate.h"
#include "cli/cli.h"

struct gate {
    struct ctx *ctx;
    struct ast_unit *unit;           /* of the source */
    const struct replay_program *source, *made;   /* made: NULL until a text was looked at */
};

struct gate *gate_open(struct ctx *ctx, struct ast_unit *unit)
{
    struct gate *gate = ARENA_NEW(ctx->arena, struct gate);
    *gate = (struct gate){ctx, unit, replay_read(ctx, unit, NULL), NULL};
    return gate;
}

void gate_look(void *data, struct ast_unit *unit)
{
    struct gate *gate = data;
    gate->made = replay_read(gate->ctx, unit, gate->source);
}

bool gate_has_looked(const struct gate *gate)
{
    return gate->made != NULL;
}

/* Parses quietly; NULL where clang finds an error, which ctx->last tells. */
static struct ast_unit *parse_quietly(struct ctx *ctx, const struct source *source,
                                      const char *const *arguments, int n)
{
    bool quiet = ctx->quiet;
    unsigned warnings = ctx->warnings;
    ctx->quiet = true;
    struct ast_unit *unit = ast_parse(ctx, source, arguments, n);
    ctx->quiet = quiet;
    ctx->warnings = warnings;
    return unit;
}

/* Is the source C99, as host code is? C89 has names that are words there, as `restrict`. */
static bool source_is_host_code(struct gate *gate)
{
    const struct ast_unit *unit = gate->unit;
    const char *const *arguments = ast_host_arguments(gate->ctx->arena, unit->arguments,
                                                      unit->n_arguments);
    struct ast_unit *again = parse_quietly(gate->ctx, unit->source, arguments, unit->n_arguments);
    if (again)
        ast_close(again);
    return again != NULL;
}

bool gate_refuse(struct gate *gate)
{
    struct ctx *ctx = gate->ctx;
    if (!source_is_host_code(gate)) {
        diag_error(ctx, ctx->last_loc,
                   "the program is no C99, as host code is (%s); compile this file as it stands, "
                   "or rename what C99 has a meaning for", ctx->last);
        return false;
    }
    ctx->is_internal = true;
    diag_error(ctx, ctx->last_loc,
               "internal error: what mapping made of this is no C (%s)%s; please report this",
               ctx->last, ctx->yields ? "" : "; nothing is written");
    return false;
}

bool gate_text(struct gate *gate, struct str *out, const struct plain_file *mapping)
{
    struct ctx *ctx = gate->ctx;
    struct source_origin *origin = ARENA_NEW(ctx->arena, struct source_origin);
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    mapping_print_parts(out, mapping, origin);
    *source = (struct source){mapped_path(ctx->arena, gate->unit->source->path), out->text,
                              out->length, origin};
    struct ast_unit *unit = parse_quietly(ctx, source, gate->unit->arguments,
                                          gate->unit->n_arguments);
    if (!unit)
        return gate_refuse(gate);
    gate_look(gate, unit);
    ast_close(unit);
    return true;
}

const struct replay_report *gate_report(struct gate *gate)
{
    return replay_compare(gate->ctx, gate->source, gate->made);
}

bool gate_pass(struct gate *gate)
{
    return replay_judge(gate->ctx, gate_report(gate), NULL);
}

bool gate_file(struct gate *gate, struct str *out, const char *path)
{
    struct ctx *ctx = gate->ctx;
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    source->path = path;
    source->text = ast_text_read(ctx, path, &source->length);
    const char *const *arguments = ast_host_arguments(ctx->arena, gate->unit->arguments,
                                                      gate->unit->n_arguments);
    struct ast_unit *unit = source->text ? ast_parse(ctx, source, arguments,
                                                     gate->unit->n_arguments)
                                         : NULL;
    if (!unit)
        return false;
    gate_look(gate, unit);
    ast_close(unit);
    const struct replay_report *report = gate_report(gate);
    replay_print(out, report);
    return replay_judge(ctx, report, path);
}
