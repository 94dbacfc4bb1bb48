/* NAME_auto: the drop-in function without its tunables. In: a function and the trees of its
   regions. Out: C text that has the runtime try every candidate (powers of two: blocks up to 1024,
   granularity up to 16, lengths of tiles up to 256), ask of each region which variants fit, rank
   them by predicted time (a model, no trial), and calls NAME with the best; ties go to the first,
   so that the choice is always the same.

   A tunable whose value changes the iteration set (region->automatic says why) is tried only where
   every division by it is exact; where a division by it cannot be tested there is no NAME_auto, and
   the header says why. While NAME runs, the runtime takes the best variant of each region, because
   what ranks first need not be the case's leaf. */
#include "emit/auto.h"
#include "base/map.h"
#include "emit/code.h"
#include "ir/walk.h"
#include <string.h>

static void collect_in_expr(struct divisions *d, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, d->arena, root); e; e = expr_next(&walk)) {
        bool divides = e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_REM);
        if (divides && expr_uses_var(e->arguments[1], d->var))
            vec_push(d->arena, &d->found, e);
    }
}

static void collect_in_body(struct divisions *d, const struct stmt *body)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, d->arena, body); s; s = stmt_next(&walk)) {
        if (s->kind != STMT_FOR && s->kind != STMT_BAND)
            continue;
        for (int i = 0; i < stmt_n_exprs(s); i++)
            collect_in_expr(d, stmt_expr(s, i));
    }
}

/* The divisions of the region's extents and loop bounds by `var`. */
struct divisions region_divisions(struct arena *arena, const struct region *region,
                                  const struct var *var)
{
    struct divisions d = {.arena = arena, .var = var};
    const struct kernel *k = region->kernel;
    for (int i = 0; i < k->n_grid; i++)
        collect_in_expr(&d, k->grid[i].extent);
    for (int i = 0; i < k->n_block; i++)
        collect_in_expr(&d, k->block[i].extent);
    collect_in_body(&d, k->body);
    return d;
}

/* Block extents up to the threads of any block, work of a thread up to what registers hold, lengths
 * of tiles between. */
int tunable_choices(const struct region *region, const struct param *param)
{
    enum { BLOCK = 11, WORK = 5, TILE = 9 };
    const struct kernel *k = region->kernel;
    for (int i = 0; i < k->n_block; i++)
        if (expr_uses_var(k->block[i].extent, param->var))
            return BLOCK;
    for (size_t i = 0; i < region->n_coarse; i++)
        if (expr_uses_var(region->coarse[i]->to, param->var))
            return WORK;
    return TILE;
}

static const struct argument *find_argument(const struct function *function, const char *name)
{
    for (int i = 0; i < function->n_arguments; i++)
        if (!function->arguments[i].is_array && !strcmp(function->arguments[i].name, name))
            return &function->arguments[i];
    return NULL;
}

bool auto_tunable(struct host *host, int function, const char *name)
{
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const struct region *region = host->program->regions[r];
        const struct param *param =
            region->function == function ? kernel_param(region->kernel, name) : NULL;
        if (param && param->role == ROLE_TUNABLE)
            return true;
    }
    return false;
}

/* Is e made of parameters of the kernel that are not tunable? */
static bool is_testable(const struct kernel *kernel, const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL)
        return false;
    if (e->kind == EXPR_VAR) {
        const struct param *param = kernel_param(kernel, e->var->name);
        return param && param->role != ROLE_TUNABLE;
    }
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_testable(kernel, e->arguments[i]))
            return false;
    return true;
}

/* May the divisions by a tunable that is not free be tested for exactness? Their dividends are
 * parameters and sizes. */
static bool divisions_testable(const struct kernel *kernel, const struct divisions *d)
{
    for (size_t i = 0; i < d->found.count; i++)
        if (!is_testable(kernel, d->found.at[i]->arguments[0]))
            return false;
    return d->found.count > 0;
}

/* Does the number of blocks or threads, or a division that is tested, depend on the parameter? */
static bool shape_uses(struct host *host, const struct region *region, const struct var *var)
{
    const struct kernel *k = region->kernel;
    bool found = false;
    for (int i = 0; i < k->n_grid; i++)
        found |= expr_uses_var(k->grid[i].extent, var);
    for (int i = 0; i < k->n_block; i++)
        found |= expr_uses_var(k->block[i].extent, var);
    for (int i = 0; i < k->n_params && !found; i++) {
        if (k->params[i]->role != ROLE_TUNABLE || !region->automatic.reasons[i])
            continue;
        struct divisions d = region_divisions(host->arena, region, k->params[i]->var);
        for (size_t j = 0; j < d.found.count; j++)
            found |= expr_uses_var(d.found.at[j], var);
    }
    return found;
}

static const char *region_reason(struct host *host, const struct tree *tree,
                                 const struct function *function)
{
    const struct region *region = tree->region;
    const struct kernel *k = region->kernel;
    for (int i = 0; i < k->n_params; i++) {
        const char *name = k->params[i]->var->name;
        bool known = find_argument(function, name) != NULL;
        if (!known &&
            (host_selects(tree, k->params[i]) || shape_uses(host, region, k->params[i]->var)))
            return arena_printf(host->arena, "%s is no argument of %s", name, function->name);
        if (k->params[i]->role != ROLE_TUNABLE || !region->automatic.reasons[i])
            continue;
        struct divisions d = region_divisions(host->arena, region, k->params[i]->var);
        if (!divisions_testable(k, &d))
            return arena_printf(host->arena, "%s: %s", name, region->automatic.reasons[i]);
    }
    return NULL;
}

static bool expr_mentions(const struct expr *e, const char *name)
{
    if (e->kind == EXPR_VAR)
        return !strcmp(e->var->name, name);
    for (int i = 0; i < e->n_arguments; i++)
        if (expr_mentions(e->arguments[i], name))
            return true;
    return false;
}

static bool extent_mentions(const struct argument *argument, const char *name)
{
    for (int d = 0; d < argument->n_dims; d++)
        if (argument->dims[d] && expr_mentions(argument->dims[d], name))
            return true;
    return false;
}

const char *auto_reason(struct host *host, int index)
{
    const struct function *function = &host->program->functions[index];
    int tunables = 0;
    if (function->is_static || function->is_main)
        return "it is not exported";
    if (strpbrk(function->is_plain ? function->return_canonical : function->return_text, "(["))
        return "its result is a pointer to a function or array";
    if (function->has_own_auto)
        return "the file has a function of that name";
    for (int i = 0; i < function->n_arguments; i++) {
        if (!*function->arguments[i].name)
            return "an argument has no name";
        if (function->arguments[i].is_array ||
            !auto_tunable(host, index, function->arguments[i].name))
            continue;
        tunables++;
        for (int j = 0; j < function->n_arguments; j++)
            if (extent_mentions(&function->arguments[j], function->arguments[i].name))
                return arena_printf(host->arena, "%s gives the extent of %s",
                                    function->arguments[i].name, function->arguments[j].name);
    }
    if (tunables == 0)
        return "it has no tunable argument";
    for (size_t r = 0; r < host->program->n_regions; r++) {
        const char *reason = host->program->regions[r]->function == index
                                 ? region_reason(host, host->trees[r], function)
                                 : NULL;
        if (reason)
            return reason;
    }
    return NULL;
}

bool auto_chooses(struct host *host, const struct tree *tree)
{
    return auto_reason(host, tree->region->function) == NULL;
}

static bool host_computes(struct host *host, const struct kernel *kernel, const struct expr *e)
{
    return code_expr(code_new(host->arena, kernel), e) >= 0;
}

struct exact_divisions auto_exact_divisions(struct host *host, const struct tree *tree)
{
    const struct region *region = tree->region;
    const struct kernel *k = region->kernel;
    struct map *seen = map_new(host->arena);
    VEC(const struct expr *) found = {0};
    if (!auto_chooses(host, tree))
        return (struct exact_divisions){0, NULL};
    for (int i = 0; i < k->n_params; i++) {
        if (k->params[i]->role != ROLE_TUNABLE || !region->automatic.reasons[i])
            continue;
        struct divisions d = region_divisions(host->arena, region, k->params[i]->var);
        for (size_t j = 0; j < d.found.count; j++) {
            char *text = expr_text(host->arena, d.found.at[j]);
            if (map_get(seen, text) || !host_computes(host, k, d.found.at[j]->arguments[0]) ||
                !host_computes(host, k, d.found.at[j]->arguments[1]))
                continue;
            map_put(seen, text, text);
            vec_push(host->arena, &found, d.found.at[j]);
        }
    }
    return (struct exact_divisions){found.count, found.at};
}
