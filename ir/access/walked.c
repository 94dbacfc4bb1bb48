/* Sums of arrays that a block walks over, and sums that a block uses itself.

   A block may go over many points of the grid, as `y[j] += a[i][j] * t[i]` does with a block for
   each row i and lanes along j. If each element of y belongs to one thread of the block, whatever i
   is, then a block needs no tree: it accumulates in an array of its own by plain stores. This is
   asked of the proofs of legality, for a band in which each thread makes all these accumulations of
   all points of the grid, one after the other.

   Elements of a sum may be read in the same region where all its accumulations are over: in bands
   behind them, for the same point of the grid. */
#include "ir/access/sums.h"
#include "ir/names.h"
#include "ir/walk.h"

/* --- uses ------------------------------------------------------------------------------------- */

static bool is_read_in(struct arena *arena, const struct stmt *root, const struct array *array)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&stmts, arena, root); s; s = stmt_next(&stmts))
        for (const struct expr *e = stmt_first_expr(&exprs, arena, s); e; e = expr_next(&exprs))
            if (e->kind == EXPR_LOAD && e->array == array && !stmt_has_end(s))
                return true;
    return false;
}

int sums_use(struct arena *arena, const struct stmt *body, const struct array *array)
{
    int first = -1;
    bool is_sequence = body->kind == STMT_SEQUENCE;
    int n = is_sequence ? body->n_children : 1;
    if (!stmt_accumulates_in(body, array))
        return -1;
    for (int i = 0; i < n; i++) {
        const struct stmt *s = is_sequence ? body->children[i] : body;
        bool is_read = is_read_in(arena, s, array);
        if ((is_read || first >= 0) && stmt_accumulates_in(s, array))
            return -2;
        if (is_read && first < 0)
            first = i;
    }
    return first;
}

/* --- walks ------------------------------------------------------------------------------------ */

/* The body of one band being made of a kernel's. */
struct walk_probe {
    struct arena *arena;
    const struct kernel *kernel;
    const struct array *array;
    const struct stmt *band;                 /* whose variables are replaced */
    bool is_strided;                         /* an accumulation stands in a strided band */
};

static const struct expr *axis_replace(void *state, const struct expr *e)
{
    const struct walk_probe *probe = state;
    if (e->kind != EXPR_VAR)
        return e;
    for (int i = 0; i < probe->band->n_axes; i++)
        if (probe->band->axes[i].var == e->var)
            return expr_var(probe->arena, probe->kernel->block[i].var);
    return e;
}

static bool has_stores(const struct stmt *s)
{
    return s && stmt_contains(s, STMT_STORE);
}

/* For stmt_rewrite: plain stores in place of the array's accumulations, nothing of other stores,
   bodies in place of bands. */
static const struct stmt *walk_make(void *state, const struct stmt *s)
{
    struct walk_probe *probe = state;
    switch (s->kind) {
    case STMT_STORE:
        if (s->array != probe->array || s->end)
            return NULL;
        return stmt_store(probe->arena, s->array, s->indices,
                          expr_zero(probe->arena, s->array->element), s->loc);
    case STMT_BAND:
        probe->is_strided |= s->strided && has_stores(s);
        if (s->strided)
            return NULL;
        probe->band = s;
        return stmt_rewrite_exprs(probe->arena, s->children[0], axis_replace, probe);
    case STMT_BARRIER: return NULL;
    case STMT_IF: return has_stores(s) ? s : NULL;
    case STMT_FOR: return has_stores(s) ? s : NULL;
    default: return s;
    }
}

bool sum_is_walked(struct ctx *ctx, const struct kernel *kernel, const struct array *array)
{
    struct arena *arena = ctx->arena;
    struct walk_probe probe = {.arena = arena, .kernel = kernel, .array = array};
    struct kernel *walk = kernel_copy(arena, kernel);
    struct names names = names_new(arena, kernel);
    struct axis *grid = ARENA_ARRAY(arena, struct axis, 1);
    const struct stmt *body = stmt_rewrite(arena, kernel->body, walk_make, &probe);
    if (probe.is_strided)
        return false;
    for (int i = kernel->n_grid; i-- > 0;) {
        const struct var *var = kernel->grid[i].var;
        body = stmt_for(arena, var, expr_integer(arena, var->type, 0), kernel->grid[i].extent,
                        expr_integer(arena, var->type, 1), body);
    }
    grid[0].var = var_new(arena, names_fresh(&names, "block"), TYPE_I32, VAR_ITERATOR);
    grid[0].extent = expr_integer(arena, TYPE_I32, 1);
    walk->grid = grid;
    walk->n_grid = 1;
    walk->body = stmt_band(arena, kernel->block, kernel->n_block, false, body);
    return access_parallel(ctx, walk).verdict == ACCESS_PROVED;
}
