/* How much there is to do in a region, for the library, which lets small regions stay in place
   (runtime/stays.c): a bound of its points and of the rounds of their loops, in C over the region's
   parameters. In doubles, so that nothing overflows; each extent counts one more, so that a loop
   with rounds around an empty one counts, too; tunables that may be any are 1, as in serial code.
   There is none where rounds depend on data or on the point, and for sums whose bits depend on the
   order, which may not run as the text says (small.c). */
#include "emit/host.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"

struct sizing {
    struct arena *arena;
    const struct region *region;
};

static const struct expr *tunable_value(void *state, const struct var *var)
{
    const struct sizing *p = state;
    const struct kernel *k = p->region->kernel;
    for (int i = 0; i < k->n_params; i++)
        if (k->params[i]->var == var && tunable_is_any(p->region, i))
            return expr_integer(p->arena, var->type, 1);
    return NULL;
}

/* e in doubles; false if it is more than arithmetic on integer parameters. */
static bool double_print(struct str *out, const struct expr *e)
{
    int64_t value;
    const struct expr *a, *b;
    e = expr_uncast(e);
    if (expr_get_integer(e, &value)) {
        str_addf(out, "%lld.0", (long long)value);
        return true;
    }
    if (e->kind == EXPR_VAR) {
        str_addf(out, "(double)%s", e->var->name);
        return e->var->kind == VAR_PARAM && !type_is_floating(e->type);
    }
    if (expr_get_minimum(e, &a, &b))
        return double_print(out, b);
    if (e->kind != EXPR_BINARY || e->op < OP_ADD || e->op > OP_DIV)
        return false;
    str_char(out, '(');
    bool is_known = double_print(out, e->arguments[0]);
    str_addf(out, " %s ", op_text(e->op));
    is_known = is_known && double_print(out, e->arguments[1]);
    str_char(out, ')');
    return is_known;
}

/* A factor of the product. */
static bool extent_print(struct sizing *p, struct str *product, const struct expr *extent)
{
    const struct kernel *k = p->region->kernel;
    const struct expr *e = expr_substitute(p->arena, extent, tunable_value, p);
    const struct poly *poly = kernel_expr_poly(k, e);
    const struct expr *simple = poly ? kernel_poly_expr(p->arena, k, poly, TYPE_I64) : NULL;
    int64_t value;
    e = simple ? simple : e;
    if (expr_get_integer(expr_uncast(e), &value) && value == 1)
        return true;
    str_addf(product, "%s(", product->length ? " * " : "");
    bool is_known = double_print(product, e);
    str_add(product, " + 1)");
    return is_known;
}

static bool axes_print(struct sizing *p, struct str *product, const struct axis *axes, int n)
{
    bool is_known = true;
    for (int i = 0; i < n && is_known; i++)
        is_known = extent_print(p, product, axes[i].extent);
    return is_known;
}

/* The rounds of a loop, the points of a band. */
static bool level_print(struct sizing *p, struct str *product, const struct stmt *s)
{
    if (s->kind == STMT_BAND)
        return axes_print(p, product, s->axes, s->n_axes);
    return s->kind != STMT_FOR || extent_print(p, product, loop_trip(p->arena, s));
}

/* A loop or band without others in it. */
static bool is_nest_end(const struct stmt *s)
{
    return (s->kind == STMT_FOR || s->kind == STMT_BAND) &&
           !stmt_contains(s->children[0], STMT_FOR) && !stmt_contains(s->children[0], STMT_BAND);
}

/* One summand: everything around the statement that was given last, and itself. */
static bool nest_print(struct sizing *p, struct str *sum, const struct stmt_walk *walk)
{
    const struct kernel *k = p->region->kernel;
    struct str product = str_new(p->arena);
    bool is_known = axes_print(p, &product, k->grid, k->n_grid);
    for (int i = 0; i <= walk->depth && is_known; i++)
        is_known = level_print(p, &product, walk->path[i].stmt);
    str_addf(sum, "%s%s", sum->length ? " + " : "", product.length ? product.text : "1.0");
    return is_known;
}

const char *points_text(struct host *host, const struct tree *tree)
{
    struct sizing p = {.arena = host->arena, .region = tree->region};
    const struct kernel *k = tree->region->kernel;
    struct str sum = str_new(host->arena);
    struct stmt_walk walk;
    if (kernel_is_inexact(k) || stmt_contains(k->body, STMT_WHILE))
        return NULL;
    for (const struct stmt *s = stmt_first(&walk, host->arena, k->body); s; s = stmt_next(&walk))
        if (is_nest_end(s) && !nest_print(&p, &sum, &walk))
            return NULL;
    return sum.length ? sum.text : NULL;
}
