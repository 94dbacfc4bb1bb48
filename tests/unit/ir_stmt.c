/* Walking and rewriting of statements and the small questions about kernels. */
#include "ir_check.h"
#include "ir_kernels.h"
#include "ir/names.h"

static struct kernel *load(struct ctx *ctx, const char *text)
{
    return kernel_read(ctx, check_source(ctx, text));
}

static const struct stmt *keep(void *state, const struct stmt *s)
{
    (void)state;
    return s;
}

static const struct stmt *drop_kind(void *state, const struct stmt *s)
{
    return s->kind == *(enum stmt_kind *)state ? NULL : s;
}

static int count_kind(const struct stmt *s, enum stmt_kind kind)
{
    int n = s->kind == kind;
    for (int i = 0; i < s->n_children; i++)
        n += s->children[i] ? count_kind(s->children[i], kind) : 0;
    return n;
}

static void check_rewrite(struct check *check)
{
    check_test(check);
    static const enum stmt_kind kinds[] = {STMT_BARRIER, STMT_STORE, STMT_FOR,     STMT_IF,
                                           STMT_BAND,    STMT_LET,   STMT_SEQUENCE};
    struct ctx *ctx = check_ctx();
    struct kernel *k = load(ctx, kernel_matmul);
    check_that(check, stmt_rewrite(ctx->arena, k->body, keep, NULL) == k->body,
               "an identity rewrite copied the body");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct stmt *body = stmt_rewrite(ctx->arena, k->body, drop_kind, (void *)&kinds[i]);
        check_that(check, body && (kinds[i] == STMT_SEQUENCE || count_kind(body, kinds[i]) == 0),
                   "kind %d was not dropped", (int)kinds[i]);
        struct kernel *copy = kernel_copy(ctx->arena, k);
        copy->body = body;
        check_that(check, load(ctx, check_print(ctx, copy)) || kinds[i] == STMT_LET, "kind %d: %s",
                   (int)kinds[i], ctx->last);
    }
    check_that(check, count_kind(k->body, STMT_BARRIER) == 2 && stmt_contains(k->body, STMT_BAND),
               "the original changed");
    ctx_free(ctx);
}

struct exchange {
    struct arena *arena;
    const struct var *from;
    const struct expr *to;
};

static const struct expr *exchange_var(void *state, const struct expr *e)
{
    struct exchange *x = state;
    return e->kind == EXPR_VAR && e->var == x->from ? x->to : e;
}

static const struct expr *exchange_map(void *state, const struct var *var)
{
    struct exchange *x = state;
    return var == x->from ? x->to : NULL;
}

/* s := 2 in a body: extents, bounds and subscripts fold, nothing of s is left. */
static void check_exprs(struct check *check)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    struct kernel *k = kernel_copy(ctx->arena, load(ctx, kernel_jacobi));
    const struct var *s = kernel_param(k, "s")->var;
    struct exchange x = {ctx->arena, s, expr_integer(ctx->arena, TYPE_I64, 2)};
    k->body = stmt_rewrite_exprs(ctx->arena, k->body, exchange_var, &x);
    struct str out = str_new(ctx->arena);
    stmt_print(&out, k->body, 0);
    check_that(check,
               strstr(out.text, "strided band (int u < (long)2 * (long)B") == NULL &&
                   strstr(out.text, "2L * (long)B + 2L"),
               "extents were not rewritten: %s", out.text);
    check_that(check, strstr(out.text, "let int p = (int)("), "a wider value was not cast back: %s",
               out.text);
    check_that(check, kernel_verify(ctx, k), "%s", ctx->last);
    const struct expr *sum = expr_binary(ctx->arena, OP_ADD, expr_var(ctx->arena, s),
                                         expr_integer(ctx->arena, TYPE_I32, 3));
    const struct expr *five = expr_substitute(ctx->arena, sum, exchange_map, &x);
    check_that(check, five->kind == EXPR_INTEGER && five->integer == 5 && five->type == TYPE_I32,
               "s + 3 with s = 2 is %s", expr_text(ctx->arena, five));
    check_that(check, expr_uses_var(sum, s) && !expr_uses_var(five, s), "expr_uses_var");
    ctx_free(ctx);
}

static void check_questions(struct check *check)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    const struct kernel *j = load(ctx, kernel_jacobi), *m = load(ctx, kernel_matmul),
                        *z = load(ctx, kernel_zoo);
    check_that(check, strcmp(poly_text(ctx->arena, kernel_threads(m)), "B0*B1") == 0,
               "threads of matmul");
    check_that(check,
               strcmp(poly_text(ctx->arena, kernel_threads(load(ctx, kernel_quarter))), "1/4*B") ==
                   0,
               "threads of quarter");
    check_that(check, strcmp(poly_text(ctx->arena, kernel_shared_words(j)), "s*B + 2") == 0,
               "words of jacobi");
    check_that(check, poly_is_zero(kernel_shared_words(z)), "words of zoo");
    check_that(check, kernel_all_strided(z) && !kernel_all_strided(m), "kernel_all_strided");
    static const struct {
        const char *stem, *fresh;
    } names[] = {{"x9", "x9"}, {"q", "q_2"}, {"tile", "tile_2"}, {"N", "N_2"},
                 {"i", "i_2"}, {"j", "j_2"}, {"u", "u_2"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        check_that(check, strcmp(kernel_fresh(ctx->arena, j, names[i].stem), names[i].fresh) == 0,
                   "fresh name of %s", names[i].stem);
    check_that(check, kernel_hash(j) != kernel_hash(m), "hashes of different kernels are equal");
    uint64_t before = kernel_hash(j);
    ring_variable(j->ring, "later");
    check_that(check, kernel_hash(j) == before, "the hash depends on ring variables of others");
    ctx_free(ctx);
}

static void check_constructors(struct check *check)
{
    check_test(check);
    struct ctx *ctx = check_ctx();
    struct arena *arena = ctx->arena;
    const struct stmt *barrier = stmt_barrier(arena), *pair[] = {barrier, NULL, barrier};
    const struct stmt *inner = stmt_sequence(arena, pair, 3), *nested[] = {inner, barrier, inner};
    check_that(check, inner->n_children == 2, "NULL children stay");
    check_that(check, stmt_sequence(arena, nested, 3)->n_children == 5,
               "sequences are not spliced");
    const struct stmt *branch = stmt_if(arena, expr_integer(arena, TYPE_I32, 1), NULL, NULL);
    check_that(check, branch->n_children == 1 && branch->children[0] && !branch->children[1],
               "if without branches");
    const struct var *v = var_new(arena, "v", TYPE_U8, VAR_LOCAL);
    check_that(check, stmt_let(arena, v, expr_real(arena, TYPE_F64, 200))->value->type == TYPE_U8,
               "let does not cast");
    ctx_free(ctx);
}

int main(void)
{
    struct check check = {0};
    check_rewrite(&check);
    check_exprs(&check);
    check_questions(&check);
    check_constructors(&check);
    return check_end(&check, "ir_stmt");
}
