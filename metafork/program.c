/* A C file as a program of regions: the one list of calls from text to kernels.

   In: a path or a text, compiler arguments. Out: struct program: functions with regions, each
   region lowered to a banded kernel (shape.c … finish.c), described (signature.c) and with the
   places where host code touches its arrays (touch.c). Errors of one region do not hide those of
   the next; the stage ends with NULL if there was any. */
#include "metafork/lower.h"
#include <string.h>

typedef VEC(const struct ast *) ast_list;
typedef VEC(struct region_place) place_list;

struct reading {
    struct ctx *ctx;
    struct ast_unit *unit;
    VEC(struct function) functions;
    VEC(const struct region *) regions;
};

/* Regions below `node`, with the way to them; annotations outside regions are errors. */
static void find_regions(struct ctx *ctx, const struct ast *node, ast_list *path,
                         place_list *places)
{
    if (!node)
        return;
    if (node->kind == AST_FOR && node->is_meta)
        diag_error(ctx, node->loc,
                   "a meta_for outside meta_schedule; put `meta_schedule { ... }` around the "
                   "outermost one");
    if (ast_is_clause(node))
        diag_error(ctx, node->loc, "%s(...) stands directly behind meta_schedule or nowhere",
                   strcmp(node->decl->name, AST_CACHE) ? "meta_reduce" : "cache");
    vec_push(ctx->arena, path, node);
    if (node->kind == AST_SCHEDULE) {
        struct region_place place = {node, (int)path->count, NULL};
        const struct ast **copy = ARENA_ARRAY(ctx->arena, const struct ast *, path->count);
        memcpy(copy, path->at, path->count * sizeof *copy);
        place.path = copy;
        vec_push(ctx->arena, places, place);
    } else
        for (int i = 0; i < node->n_children; i++)
            find_regions(ctx, node->children[i], path, places);
    path->count--;
}

/* The region's text is replaced as a whole, so it must stand in the file as such. */
static bool place_is_plain(struct ctx *ctx, const struct source *source, const struct ast *schedule)
{
    static const char word[] = "meta_schedule";
    const char *text = source->text;
    if (schedule->end <= source->length && schedule->end > schedule->begin + sizeof word &&
        !strncmp(text + schedule->begin, word, sizeof word - 1) && text[schedule->end - 1] == '}')
        return true;
    diag_error(ctx, schedule->loc,
               "a region must be written out as `meta_schedule { ... }` in the file itself, not by "
               "a macro");
    return false;
}

static const struct ast *declared_as(const struct ast_unit *unit, const char *name)
{
    for (size_t i = 0; i < unit->n_declarations; i++)
        if (unit->declarations[i]->name && !strcmp(unit->declarations[i]->name, name))
            return unit->declarations[i];
    return NULL;
}

/* Does the file give the name a meaning of its own? A declaration alone may be that of
   our function. */
static const struct ast *taken_by(const struct reading *r, const char *name, const char *suffix)
{
    const struct ast *other = declared_as(r->unit,
                                          arena_printf(r->ctx->arena, "%s%s", name, suffix));
    return other && (other->kind != AST_FUNCTION || other->has_body) ? other : NULL;
}

/* NAME, and NAME_2, NAME_3, … for further regions, without the names that the file has, and those
   whose dispatcher would have one of them. */
static const char *region_name(const struct reading *r, const struct ast *function, size_t *number)
{
    const char *name = function->name;
    bool is_taken;
    do {
        if (++*number > 1)
            name = arena_printf(r->ctx->arena, "%s_%zu", function->name, *number);
        is_taken = (*number > 1 && declared_as(r->unit, name)) || taken_by(r, name, "_select");
    } while (is_taken);
    return name;
}

typedef VEC(struct file_array) file_array_list;

static void remember_arrays(const struct lower *l, struct map *arrays,
                            file_array_list *at_file_scope)
{
    for (size_t i = 0; i < l->outer.count; i++) {
        const struct symbol *symbol = l->outer.at[i];
        const struct ast *decl = symbol->decl;
        if (symbol->kind != SYMBOL_ARRAY || symbol->array->is_scalar)
            continue;
        if (decl->is_global && !decl->owner && !map_get_pointer(arrays, decl)) {
            bool pointer = decl->type->class == AST_TYPE_POINTER;
            struct file_array array = {decl->name, symbol->array->element, pointer,
                                       pointer ? decl->type->is_const : symbol->array->is_const};
            vec_push(l->arena, at_file_scope, array);
        }
        map_put_pointer(arrays, decl, (void *)symbol);
    }
}

typedef VEC(struct file_scalar) file_scalar_list;

/* The integers of 32 and 64 bits at file scope that the body names, each once. */
static file_scalar_list scalars_find(struct arena *arena, const struct ast *body)
{
    static const enum type types[AST_TYPES] = {[AST_TYPE_I32] = TYPE_I32,
                                                    [AST_TYPE_U32] = TYPE_U32,
                                                    [AST_TYPE_I64] = TYPE_I64,
                                                    [AST_TYPE_U64] = TYPE_U64};
    file_scalar_list found = {0};
    struct map *seen = map_new(arena);
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, body); n; n = ast_next(&walk)) {
        const struct ast *decl = n->kind == AST_REF ? n->decl : NULL;
        if (!decl || !decl->is_global || decl->owner || !decl->type || decl->type->is_const ||
            !types[decl->type->class] || map_get_pointer(seen, decl))
            continue;
        map_put_pointer(seen, decl, (void *)decl);
        struct file_scalar scalar = {decl->name, types[decl->type->class]};
        vec_push(arena, &found, scalar);
    }
    return found;
}

static void scratch_fill(struct lower *l)
{
    for (int i = 0; i < l->function->n_children && i < RING_CAPACITY / 2; i++)
        if (l->function->children[i]->type &&
            ast_class_is_integer(l->function->children[i]->type->class))
            ring_variable(l->scratch, l->function->children[i]->name);
}

/* Local arrays that only regions touch, and pointers that may be NULL. */
static void arrays_judge(const struct lower *l, struct region *region)
{
    bool *is_scratch = ARENA_ARRAY(l->arena, bool, region->kernel->n_arrays + 1);
    bool *is_unread = ARENA_ARRAY(l->arena, bool, region->kernel->n_arrays + 1);
    bool *may_be_null = ARENA_ARRAY(l->arena, bool, region->kernel->n_arrays + 1);
    for (int i = 0; i < region->kernel->n_arrays; i++)
        for (size_t k = 0; k < l->outer.count; k++)
            if (l->outer.at[k]->kind == SYMBOL_ARRAY &&
                !strcmp(l->outer.at[k]->decl->name, region->kernel->arrays[i]->name)) {
                const struct ast *decl = l->outer.at[k]->decl;
                is_scratch[i] = array_is_scratch(l->body, decl);
                is_unread[i] = is_scratch[i] && array_is_lone(l->body, decl, l->schedule);
                may_be_null[i] = ast_may_be_null(l->arena, l->body, decl);
            }
    region->is_scratch = is_scratch;
    region->is_unread = is_unread;
    region->may_be_null = may_be_null;
}

static const struct region *region_read(struct reading *r, const struct ast *function,
                                        const struct ast *body, const struct region_place *place,
                                        const char *name, struct lower **lower)
{
    struct ctx *ctx = r->ctx;
    struct arena *arena = ctx->arena;
    stmt_list statements = {0};
    struct region *region = ARENA_NEW(arena, struct region);
    struct lower *l = ARENA_NEW(arena, struct lower);
    *l = (struct lower){.ctx = ctx,
                        .arena = arena,
                        .unit = r->unit,
                        .function = function,
                        .body = body,
                        .schedule = place->schedule,
                        .n_path = place->n_path,
                        .path = place->path,
                        .symbols = map_new(arena),
                        .opaque = map_new(arena),
                        .refused = map_new(arena),
                        .scratch = ring_new(arena),
                        .block = &statements,
                        .errors = ctx->errors};
    l->writes = writes_count(arena, body);
    scratch_fill(l);
    region->name = name;
    region->begin = place->schedule->begin;
    region->end = place->schedule->end;
    region->loc = place->schedule->loc;
    region->function = (int)r->functions.count;
    bool good = place_is_plain(ctx, r->unit->source, place->schedule) && region_lower(l) &&
                region_finish(l, region);
    if (good)
        arrays_judge(l, region);
    if (ctx->errors > l->errors)
        refuse_jumps(l);
    *lower = l;
    return good && ctx->errors == l->errors ? region : NULL;
}

static void function_read(struct reading *r, const struct ast *decl)
{
    struct ctx *ctx = r->ctx;
    const struct ast *body = ast_body(r->unit, decl);
    ast_list path = {0};
    place_list places = {0};
    struct function function = {0};
    struct map *arrays = map_new(ctx->arena);
    file_array_list at_file_scope = {0};
    find_regions(ctx, body, &path, &places);
    unsigned errors = ctx->errors;
    if (body)
        tunables_check(ctx, body);
    if (!body || !places.count || ctx->errors > errors)
        return;
    size_t number = 0;
    for (size_t i = 0; i < places.count; i++) {
        const char *name = region_name(r, decl, &number);
        struct lower *lower;
        const struct region *region = region_read(r, decl, body, &places.at[i], name, &lower);
        remember_arrays(lower, arrays, &at_file_scope);
        if (region)
            vec_push(ctx->arena, &r->regions, region);
    }
    function_describe(ctx, r->unit, decl, &function);
    function.n_file_arrays = at_file_scope.count;
    function.file_arrays = at_file_scope.at;
    file_scalar_list scalars = scalars_find(ctx->arena, body);
    function.n_file_scalars = scalars.count;
    function.file_scalars = scalars.at;
    function.has_own_auto = taken_by(r, decl->name, "_auto") != NULL;
    aliasings_find(ctx->arena, body, &function);
    touches_find(ctx->arena, body, places.at, places.count, arrays, &function);
    vec_push(ctx->arena, &r->functions, function);
}

static const char *stem_of(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path,
               *dot = strrchr(name, '.');
    return dot && dot > name ? arena_strndup(arena, name, (size_t)(dot - name))
                             : arena_strdup(arena, *name ? name : "input");
}

static struct program *program_finish(struct reading *r, const struct source *source,
                                      const char *stem_path)
{
    struct program *program = ARENA_NEW(r->ctx->arena, struct program);
    program->source = source;
    program->stem = stem_of(r->ctx->arena, stem_path ? stem_path : source->path);
    program->n_functions = r->functions.count;
    program->functions = r->functions.at;
    program->n_regions = r->regions.count;
    program->regions = r->regions.at;
    return program;
}

static struct program *source_read(struct ctx *ctx, const struct source *source,
                                   const struct program_options *options)
{
    struct reading r = {.ctx = ctx};
    unsigned errors = ctx->errors;
    r.unit = ast_parse(ctx, source, options ? options->arguments : NULL,
                       options ? options->n_arguments : 0);
    if (!r.unit)
        return NULL;
    if (options && options->look)
        options->look(options->looker, r.unit);
    for (size_t i = 0; i < r.unit->n_declarations; i++)
        if (r.unit->declarations[i]->kind == AST_FUNCTION && r.unit->declarations[i]->has_body)
            function_read(&r, r.unit->declarations[i]);
    ast_close(r.unit);
    bool may_lack = options && options->may_lack_regions;
    if (ctx->errors == errors && !r.regions.count && !may_lack)
        diag_error(ctx, (struct loc){source, 1, 1},
                   "no region: mark the loops to offload by `meta_schedule { meta_for ... }`, or "
                   "plain ones by `#pragma scop` and `#pragma endscop`");
    return ctx->errors == errors ? program_finish(&r, source, options ? options->stem_of : NULL)
                                 : NULL;
}

static const struct source *source_make(struct ctx *ctx, const char *path, const char *text,
                                        size_t length, const struct source_origin *origin)
{
    struct source *source = ARENA_NEW(ctx->arena, struct source);
    source->path = arena_strdup(ctx->arena, path);
    source->text = text;
    source->length = length;
    source->origin = origin;
    return source;
}

struct program *program_read(struct ctx *ctx, const char *path,
                             const struct program_options *options)
{
    size_t length;
    const char *text = ast_text_read(ctx, path, &length);
    return text ? source_read(ctx, source_make(ctx, path, text, length, NULL), options) : NULL;
}

struct program *program_read_text(struct ctx *ctx, const char *path, const char *text,
                                  size_t length, const struct program_options *options)
{
    const char *copy = arena_strndup(ctx->arena, text, length);
    return source_read(ctx, source_make(ctx, path, copy, length, options ? options->origin : NULL),
                       options);
}

struct program *program_serial(struct ctx *ctx, const char *path, const char *text, size_t length)
{
    struct reading r = {.ctx = ctx};
    return program_finish(&r, source_make(ctx, path, text, length, NULL), path);
}

bool program_print_ast(struct ctx *ctx, struct str *out, const char *path,
                       const struct program_options *options)
{
    size_t length;
    const char *text = ast_text_read(ctx, path, &length);
    struct ast_unit *unit = text ? ast_parse(ctx, source_make(ctx, path, text, length, NULL),
                                             options ? options->arguments : NULL,
                                             options ? options->n_arguments : 0)
                                 : NULL;
    if (!unit)
        return false;
    ast_unit_print(out, unit);
    ast_close(unit);
    return true;
}
