/* From the lowered statements to the region's kernel.

   In: the state after region_lower. Out: parameters and arrays in the order of the C function's,
   names apart, roles and facts, barriers, legality of the annotations, redistributable loops; the
   kernel is verified. Legality: a conflict is an error with both accesses; what cannot be decided
   is believed with a warning, or refused if the context is strict. */
#include "ir/access/sums.h"
#include "ir/own.h"
#include "ir/walk.h"
#include "metafork/lower.h"
#include <string.h>

typedef VEC(const struct ast *) nodes_list;

/* Place of a declaration among the function's parameters; what is no parameter comes
   behind them. */
static int order_of(const struct lower *l, const struct symbol *symbol)
{
    for (int i = 0; i < l->function->n_children; i++)
        if (l->function->children[i] == symbol->decl)
            return i;
    return l->function->n_children;
}

static void sort_outer(struct lower *l)
{
    for (size_t i = 1; i < l->outer.count; i++) {
        struct symbol *symbol = l->outer.at[i];
        size_t k = i;
        for (; k > 0 && order_of(l, l->outer.at[k - 1]) > order_of(l, symbol); k--)
            l->outer.at[k] = l->outer.at[k - 1];
        l->outer.at[k] = symbol;
    }
}

static const char *name_apart(struct arena *arena, struct map *taken, const char *stem)
{
    const char *name = stem;
    for (unsigned i = 2; map_get(taken, name); i++)
        name = arena_printf(arena, "%s_%u", stem, i);
    map_put(taken, name, taken);
    return name;
}

static void names_settle(struct lower *l)
{
    struct map *taken = map_new(l->arena);
    for (size_t i = 0; i < l->outer.count; i++)
        map_put(taken, l->outer.at[i]->decl->name, taken);
    for (size_t i = 0; i < l->vars.count; i++)
        l->vars.at[i]->name = name_apart(l->arena, taken, l->vars.at[i]->name);
    for (size_t i = 0; i < l->privates.count; i++)
        l->privates.at[i]->name = name_apart(l->arena, taken, l->privates.at[i]->name);
}

static void arrays_list(struct lower *l, struct kernel *kernel)
{
    const struct array **arrays = ARENA_ARRAY(l->arena, const struct array *,
                                              l->outer.count + l->privates.count + 1);
    for (size_t i = 0; i < l->outer.count; i++)
        if (l->outer.at[i]->kind == SYMBOL_ARRAY)
            arrays[kernel->n_arrays++] = l->outer.at[i]->array;
    for (size_t i = 0; i < l->privates.count; i++)
        arrays[kernel->n_arrays++] = l->privates.at[i];
    kernel->arrays = arrays;
}

struct symbol *clause_array(struct lower *l, const struct ast *node, const char *clause)
{
    const struct ast *base = ast_strip(node);
    const struct ast_type *type = base->kind == AST_REF ? base->decl->type : NULL;
    bool is_array = type && (type->class == AST_TYPE_ARRAY || type->class == AST_TYPE_POINTER),
         is_reduced = !strcmp(clause, "meta_reduce");
    enum type scalar;
    if (!is_array && !(is_reduced && type_of(type, &scalar))) {
        diag_error(l->ctx, node->loc, "%s(...) takes names of arrays%s; `%s` is none", clause,
                   is_reduced ? " and scalars" : "",
                   base->kind == AST_REF ? base->decl->name : "this");
        return NULL;
    }
    struct symbol *symbol = map_get_pointer(l->symbols, base->decl);
    if (!symbol && !l->ctx->brief)
        diag_warning(l->ctx, node->loc, "the region does not touch%s `%s` named in %s(...)",
                     is_array ? " the array" : "", base->decl->name, clause);
    return symbol;
}

/* The names in the clauses of the mark, in order of the text; none outside of regions. */
static nodes_list clause_list(struct lower *l, const char *mark)
{
    nodes_list names = {0};
    int n = l->schedule->kind == AST_SCHEDULE ? l->schedule->n_children : 0;
    for (int i = 1; i < n; i++) {
        const struct ast *clause = l->schedule->children[i];
        if (strcmp(clause->decl->name, mark) != 0)
            continue;
        for (int k = 1; k < clause->n_children; k++)
            vec_push(l->arena, &names, clause->children[k]);
    }
    return names;
}

bool clause_names(struct lower *l, const char *mark, const struct ast *decl)
{
    nodes_list names = clause_list(l, mark);
    for (size_t i = 0; i < names.count; i++)
        if (ast_strip(names.at[i])->kind == AST_REF && ast_strip(names.at[i])->decl == decl)
            return true;
    return false;
}

static void cache_mark(struct lower *l)
{
    nodes_list names = clause_list(l, AST_CACHE);
    for (size_t i = 0; i < names.count; i++) {
        struct symbol *symbol = clause_array(l, names.at[i], "cache");
        if (symbol && symbol->kind == SYMBOL_ARRAY)
            symbol->array->cache = true;
    }
}

/* Can some band of the kernel stage the array? If none can, *reason says why the first one that
   touches it cannot; it is NULL where none touches it. */
static bool is_staged(struct lower *l, const struct kernel *kernel, const struct array *array,
                      const char **reason)
{
    struct stmt_walk walk;
    *reason = NULL;
    for (const struct stmt *s = stmt_first(&walk, l->arena, kernel->body); s;
         s = stmt_next(&walk)) {
        if (s->kind != STMT_BAND || !stmt_uses_array(s, array))
            continue;
        struct tiling tiling = access_tiles(l->ctx, kernel, s, array);
        if (tiling.possible)
            return true;
        if (!*reason)
            *reason = tiling.reason;
    }
    return false;
}

/* Warns of each array named in cache(...) that no band can stage, with the reason. */
static void cache_report(struct lower *l, const struct kernel *kernel)
{
    nodes_list names = clause_list(l, AST_CACHE);
    for (size_t i = 0; i < names.count && !l->ctx->brief; i++) {
        const struct ast *node = names.at[i];
        const struct symbol *symbol = map_get_pointer(l->symbols, ast_strip(node)->decl);
        if (!symbol || symbol->kind != SYMBOL_ARRAY)
            continue;
        const char *reason;
        if (!is_staged(l, kernel, symbol->array, &reason))
            diag_warning(l->ctx, node->loc, "`%s` is not staged: %s", symbol->array->name,
                         reason ? reason : "no block band touches it");
    }
}

/* At block level every thread must load the same value. */
static void block_loads_check(struct lower *l, const struct kernel *kernel)
{
    for (size_t i = 0; i < l->block_loads.count; i++) {
        const struct ast *node = l->block_loads.at[i];
        const struct ast *base = ast_base(node);
        const struct symbol *symbol = base ? map_get_pointer(l->symbols, base->decl) : NULL;
        if (symbol && symbol->array && stmt_stores_to(kernel->body, symbol->array))
            diag_error(l->ctx, node->loc,
                       "`%s` is read between the bands and written in the region: threads could "
                       "see different "
                       "values; read it inside a block band",
                       symbol->array->name);
    }
}

static struct kernel *kernel_assemble(struct lower *l, const char *name, const struct stmt *body)
{
    struct kernel *kernel = ARENA_NEW(l->arena, struct kernel);
    struct axis *axes = ARENA_ARRAY(l->arena, struct axis, 2 * AXES_MAX);
    memcpy(axes, l->grid, sizeof l->grid);
    memcpy(axes + AXES_MAX, l->block_axes, sizeof l->block_axes);
    kernel->name = name;
    kernel->n_grid = l->n_grid;
    kernel->n_block = l->n_block;
    kernel->grid = axes;
    kernel->block = axes + AXES_MAX;
    kernel->body = body;
    arrays_list(l, kernel);
    return kernel;
}

static const struct var **params_list(struct lower *l, int *n)
{
    const struct var **vars = ARENA_ARRAY(l->arena, const struct var *, l->outer.count + 1);
    *n = 0;
    for (size_t i = 0; i < l->outer.count; i++)
        if (l->outer.at[i]->kind == SYMBOL_SCALAR)
            vars[(*n)++] = l->outer.at[i]->var;
    return vars;
}

static bool params_fit(struct lower *l, int n)
{
    if (n <= RING_CAPACITY - 24)
        return true;
    diag_error(
        l->ctx, l->schedule->loc,
        "the region uses %d scalars from outside, at most %d are possible; keep some in an array",
        n, RING_CAPACITY - 24);
    return false;
}

/* A trip count of a redistributable loop that was taken for a uniform: then its role, the ring and
   what was derived from them are made again. */
static bool new_tunable(const struct kernel *kernel, const struct region *region)
{
    for (size_t i = 0; i < region->n_coarse; i++)
        for (int k = 0; k < kernel->n_params; k++)
            if (kernel->params[k]->role == ROLE_UNIFORM &&
                expr_uses_var(region->coarse[i]->to, kernel->params[k]->var))
                return true;
    return false;
}

/* Do the loops around the region declare or write it? */
static bool is_varying(struct lower *l, const struct ast *decl)
{
    for (int i = 0; i < l->n_path; i++)
        if (ast_is_loop(l->path[i]) &&
            (ast_may_write(l->body, l->path[i], decl) || ast_declares(l->path[i], decl)))
            return true;
    return false;
}

/* What the host does with the parameters. */
static void host_study(struct lower *l, const struct kernel *kernel, struct region *region)
{
    bool *varies = ARENA_ARRAY(l->arena, bool, kernel->n_params + 1);
    int64_t *defaults = ARENA_ARRAY(l->arena, int64_t, kernel->n_params + 1);
    for (int i = 0; i < kernel->n_params; i++)
        for (size_t k = 0; k < l->outer.count; k++)
            if (l->outer.at[k]->kind == SYMBOL_SCALAR &&
                l->outer.at[k]->var == kernel->params[i]->var) {
                varies[i] = is_varying(l, l->outer.at[k]->decl);
                defaults[i] = tunable_default(l->outer.at[k]->decl);
            }
    region->varies = varies;
    region->defaults = defaults;
}

int64_t region_default(const struct region *region, const char *name)
{
    for (int i = 0; i < region->kernel->n_params; i++)
        if (!strcmp(region->kernel->params[i]->var->name, name))
            return region->defaults[i];
    return 0;
}

/* A meta_tunable that the region does not choose keeps its value there, and this is said. */
static void tunables_report(struct lower *l, const struct region *region)
{
    const struct kernel *kernel = region->kernel;
    for (int i = 0; i < kernel->n_params; i++) {
        const struct param *p = kernel->params[i];
        const char *reason = p->role == ROLE_TUNABLE ? region->automatic.reasons[i]
                                                     : "an array's extent depends on it";
        if (region->defaults[i] == 0 ||
            (p->role == ROLE_TUNABLE && region->automatic.tunables[i] != CHOOSABLE_NEVER))
            continue;
        diag_note(l->ctx, region->loc, "%s stays %lld in region %s: %s", p->var->name,
                     (long long)region->defaults[i], region->name, reason);
    }
}

/* Settles how the arrays in meta_reduce(...) are summed. False after a diagnostic. */
static bool sums_settle(struct lower *l, struct kernel *kernel, struct region *region,
                        reduced_list *reduced, const struct stmt *plain)
{
    int n;
    const struct var **vars = params_list(l, &n);
    if (!reduced->count)
        return true;
    if (reductions_settle(l, kernel, reduced, plain))
        roles_assign(l, kernel, vars, n, NULL, 0);
    if (!kernel_verify(l->ctx, kernel))
        return false;
    region->legality = access_parallel(l->ctx, kernel);
    return true;
}

bool region_finish(struct lower *l, struct region *region)
{
    struct ctx *ctx = l->ctx;
    int n;
    sort_outer(l);
    cache_mark(l);
    names_settle(l);
    const struct stmt *plain = stmt_sequence(l->arena, l->block->at, (int)l->block->count);
    reduced_list reduced = reductions_read(l, plain);
    struct kernel *kernel = kernel_assemble(l, region->name,
                                            reductions_body(l->arena, &reduced, plain));
    block_loads_check(l, kernel);
    const struct var **vars = params_list(l, &n);
    if (ctx->errors > l->errors || !params_fit(l, n))
        return false;
    roles_assign(l, kernel, vars, n, NULL, 0);
    if (!kernel_verify(ctx, kernel))
        return false;
    faults_report(l, kernel);
    if (ctx->errors > l->errors || !reductions_end(l, kernel, &reduced))
        return false;
    region->legality = access_parallel(ctx, kernel);
    legality_report(l, kernel, &region->legality);
    if (ctx->errors > l->errors)
        return false;
    if (!sums_settle(l, kernel, region, &reduced, plain))
        return false;
    kernel->body = barriers_insert(ctx, kernel);
    region->n_coarse = access_coarse_loops(ctx, kernel, &region->coarse);
    if (new_tunable(kernel, region)) {
        roles_assign(l, kernel, vars, n, region->coarse, region->n_coarse);
        region->legality = access_parallel(ctx, kernel);
        region->n_coarse = access_coarse_loops(ctx, kernel, &region->coarse);
    }
    region->kernel = kernel;
    region->conditions = region->legality.verdict == ACCESS_PROVED_UNDER
                             ? region->legality.condition
                             : sas_empty(kernel->ring);
    conditions_report(l, region);
    region->automatic = automatic_find(ctx, kernel);
    host_study(l, kernel, region);
    if (region->legality.verdict == ACCESS_PROVED ||
        region->legality.verdict == ACCESS_PROVED_UNDER || !ctx->judges) {
        tunables_report(l, region);
        cache_report(l, kernel);
    }
    kernel->body = sums_own(ctx, kernel);
    kernel->own_lanes = ctx->reassociates && kernel_row_sums(l->arena, kernel);
    sums_add_arrays(ctx, kernel);
    return kernel_verify(ctx, kernel);
}
