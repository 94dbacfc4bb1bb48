/* Walks over statements and expressions: the order of a plain recursion, what is left out, trees of
   any depth. */
#include "ir/walk.h"
#include "ir_check.h"
#include "ir_kernels.h"

struct visits {
    const void *at[4096];
    int depth[4096];
    int count;
};

static void visits_add(struct visits *visits, const void *node, int depth)
{
    visits->at[visits->count] = node;
    visits->depth[visits->count++] = depth;
}

static void visit_stmt(struct visits *visits, const struct stmt *s, int depth)
{
    visits_add(visits, s, depth);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            visit_stmt(visits, s->children[i], depth + 1);
}

static void visit_expr(struct visits *visits, const struct expr *e)
{
    visits_add(visits, e, 0);
    for (int i = 0; i < e->n_arguments; i++)
        visit_expr(visits, e->arguments[i]);
}

static bool visits_equal(const struct visits *a, const struct visits *b)
{
    bool equal = a->count == b->count;
    for (int i = 0; equal && i < a->count; i++)
        equal = a->at[i] == b->at[i] && a->depth[i] == b->depth[i];
    return equal;
}

static void check_stmts(struct check *check, struct arena *arena, const struct stmt *root,
                        const char *what)
{
    static struct visits expected, found;
    struct stmt_walk walk;
    expected.count = found.count = 0;
    visit_stmt(&expected, root, 0);
    for (const struct stmt *s = stmt_first(&walk, arena, root); s; s = stmt_next(&walk))
        visits_add(&found, s, walk.depth);
    check_that(check, visits_equal(&expected, &found),
               "statements of %s: %d instead of %d, or another order", what, found.count,
               expected.count);
    check_that(check, !stmt_next(&walk), "statements of %s: something after the end", what);
}

static void check_exprs_of(struct check *check, struct arena *arena, const struct stmt *s,
                           const char *what)
{
    static struct visits expected, found;
    struct expr_walk walk;
    expected.count = found.count = 0;
    for (int i = 0; i < stmt_n_exprs(s); i++)
        visit_expr(&expected, stmt_expr(s, i));
    for (const struct expr *e = stmt_first_expr(&walk, arena, s); e; e = expr_next(&walk))
        visits_add(&found, e, 0);
    check_that(check, visits_equal(&expected, &found),
               "expressions of %s: %d instead of %d, or another order", what, found.count,
               expected.count);
}

static void check_kernels(struct check *check, struct ctx *ctx)
{
    const char *const texts[] = {kernel_matmul, kernel_jacobi, kernel_zoo};
    for (int i = 0; i < 3; i++) {
        const struct kernel *k = kernel_read(ctx, check_source(ctx, texts[i]));
        struct stmt_walk walk;
        check_stmts(check, ctx->arena, k->body, k->name);
        for (const struct stmt *s = stmt_first(&walk, ctx->arena, k->body); s; s = stmt_next(&walk))
            check_exprs_of(check, ctx->arena, s, k->name);
    }
}

/* 200 conditions in each other, each with an else, and a sum of 200 terms, leaning to either
   side. */
static void check_deep(struct check *check, struct ctx *ctx)
{
    struct arena *arena = ctx->arena;
    const struct expr *x = expr_var(arena, var_new(arena, "x", TYPE_I32, VAR_LOCAL)), *left = x,
                      *right = x;
    const struct stmt *s = stmt_barrier(arena);
    for (int i = 0; i < 200; i++) {
        left = expr_binary(arena, OP_ADD, left, x);
        right = expr_binary(arena, OP_ADD, x, right);
        s = stmt_if(arena, x, s, stmt_barrier(arena));
    }
    const struct expr *sums[] = {left, right};
    check_stmts(check, arena, s, "deep conditions");
    for (int i = 0; i < 2; i++) {
        static struct visits expected, found;
        struct expr_walk walk;
        expected.count = found.count = 0;
        visit_expr(&expected, sums[i]);
        for (const struct expr *e = expr_first(&walk, arena, sums[i]); e; e = expr_next(&walk))
            visits_add(&found, e, 0);
        check_that(check, found.count == 401 && visits_equal(&expected, &found), "sum %d: %d nodes",
                   i, found.count);
    }
}

static void check_skip(struct check *check, struct ctx *ctx)
{
    const struct kernel *k = kernel_read(ctx, check_source(ctx, kernel_matmul));
    struct stmt_walk stmts;
    struct expr_walk exprs;
    int n_bands = 0, n_inside = 0;
    for (const struct stmt *s = stmt_first(&stmts, ctx->arena, k->body); s; s = stmt_next(&stmts)) {
        n_bands += s->kind == STMT_BAND;
        for (int i = 0; i < stmts.depth; i++)
            n_inside += stmts.path[i].stmt->kind == STMT_BAND;
        if (s->kind == STMT_BAND)
            stmt_skip(&stmts);
    }
    check_that(check, n_bands > 0 && n_inside == 0,
               "%d bands, %d statements inside bands that are left out", n_bands, n_inside);
    const struct expr *x = expr_var(ctx->arena, var_new(ctx->arena, "x", TYPE_I32, VAR_LOCAL));
    const struct expr *product = expr_binary(ctx->arena, OP_MUL, x, x);
    const struct expr *sum = expr_binary(ctx->arena, OP_ADD, product, x);
    int n = 0;
    for (const struct expr *e = expr_first(&exprs, ctx->arena, sum); e; e = expr_next(&exprs)) {
        n++;
        if (e == product)
            expr_skip(&exprs);
    }
    check_that(check, n == 3, "%d nodes of x * x + x without those of the product", n);
}

int main(void)
{
    struct check check = {0};
    struct ctx *ctx = check_ctx();
    struct stmt_walk stmts;
    struct expr_walk exprs;
    check_kernels(&check, ctx);
    check_deep(&check, ctx);
    check_skip(&check, ctx);
    check_that(&check, !stmt_first(&stmts, ctx->arena, NULL) && !stmt_next(&stmts),
               "no statements");
    check_that(&check, !expr_first(&exprs, ctx->arena, NULL) && !expr_next(&exprs),
               "no expressions");
    ctx_free(ctx);
    return check_end(&check, "ir_walk");
}
