/* Unrolling: the innermost serial loops of the threads by a factor, with the exact remainder.

   In:  a kernel of any form, a factor U. Out: in bands, `for (k = 0; k < n; k += 1) S` becomes
       for (k = 0; k < n / U * U; k += U) { S; S with k + 1; …; S with k + U - 1 }
       for (k' = n / U * U; k' < n; k' += 1) S with k'
   where the rest is left out if U divides a constant n. C's division truncates, so that n <= 0 runs
   nothing in either. Taken are loops that count from 0 by 1 (others are rare, and are left to the
   compiler), whose bound is a sum or product of scalars that the body does not set, and that hold
   no loop but those marked `unroll`, which disappear when the kernel is bound; loops so marked are
   not taken themselves, nor those of fewer than U rounds or with a large body. What a copy declares
   gets a name of its own.
   Why it is right: the iterations are executed in their order, each once. */
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

/* Nodes of expressions in a loop after unrolling: beyond that nothing is gained, and what comes
   after takes long. */
enum { NODES_MAX = 1024 };

struct unrolling {
    struct arena *arena;
    struct names names;
    int factor;
    bool in_band;
};

/* Sums and products of scalars, cheap and without effect. */
static bool bound_is_plain(const struct expr *e, const struct stmt *body)
{
    bool plain = e->kind == EXPR_INTEGER || e->kind == EXPR_CAST ||
                 (e->kind == EXPR_VAR && !stmt_sets_var(body, e->var)) ||
                 (e->kind == EXPR_BINARY &&
                  (e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL || e->op == OP_DIV));
    for (int i = 0; i < e->n_arguments && plain; i++)
        plain = bound_is_plain(e->arguments[i], body);
    return plain && !type_is_floating(e->type);
}

/* Nodes of all expressions. */
static int count_nodes(struct arena *arena, const struct stmt *root)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    int n = 0;
    for (const struct stmt *s = stmt_first(&stmts, arena, root); s; s = stmt_next(&stmts))
        for (const struct expr *e = stmt_first_expr(&exprs, arena, s); e; e = expr_next(&exprs))
            n++;
    return n;
}

static bool is_taken(const struct unrolling *u, const struct stmt *s)
{
    int64_t trips;
    if (s->kind != STMT_FOR || s->unroll || !loop_is_normal(s) ||
        !bound_is_plain(s->to, s->children[0]))
        return false;
    if (expr_get_integer(s->to, &trips) && trips < u->factor)
        return false;
    if (stmt_has_rolled_loop(s))
        return false;
    return count_nodes(u->arena, s->children[0]) * u->factor <= NODES_MAX;
}

static const struct stmt *loop_unroll(struct unrolling *u, const struct stmt *loop)
{
    struct arena *arena = u->arena;
    enum type type = loop->to->type;
    const struct expr *factor = expr_integer(arena, type, u->factor);
    const struct expr *whole = expr_binary(arena, OP_MUL,
                                           expr_binary(arena, OP_DIV, loop->to, factor), factor);
    const struct stmt **bodies = ARENA_ARRAY(arena, const struct stmt *, u->factor);
    bodies[0] = loop->children[0];
    for (int c = 1; c < u->factor; c++) {
        const struct expr *offset = expr_integer(arena, loop->var->type, c);
        bodies[c] = loop_round(&u->names, loop,
                               expr_binary(arena, OP_ADD, expr_var(arena, loop->var), offset));
    }
    const struct expr *step = expr_integer(arena, loop->var->type, u->factor);
    const struct stmt *parts[2] = {stmt_for(arena, loop->var, loop->from, whole, step,
                                            stmt_sequence(arena, bodies, u->factor)),
                                   NULL};
    int64_t trips;
    if (!expr_get_integer(loop->to, &trips) || trips % u->factor) {
        struct var *rest = var_new(arena, names_fresh(&u->names, loop->var->name), loop->var->type,
                                   loop->var->kind);
        const struct stmt *body = loop_round(&u->names, loop, expr_var(arena, rest));
        parts[1] = stmt_for(arena, rest, expr_cast(arena, rest->type, whole), loop->to, loop->step,
                            body);
    }
    return stmt_sequence(arena, parts, 2);
}

static const struct stmt *unroll_stmt(struct unrolling *u, const struct stmt *s)
{
    if (u->in_band && is_taken(u, s) && !stmt_contains(s->children[0], STMT_ARRAY))
        return loop_unroll(u, s);
    if (s->n_children == 0)
        return s;
    bool outer = u->in_band, changed = false;
    const struct stmt **children = ARENA_ARRAY(u->arena, const struct stmt *, s->n_children);
    u->in_band |= s->kind == STMT_BAND;
    for (int i = 0; i < s->n_children; i++) {
        children[i] = s->children[i] ? unroll_stmt(u, s->children[i]) : NULL;
        changed |= children[i] != s->children[i];
    }
    u->in_band = outer;
    return changed ? stmt_rebuild(u->arena, s, children) : s;
}

const struct kernel *strategy_unroll(struct ctx *ctx, const struct kernel *kernel, int factor)
{
    struct unrolling u = {.arena = ctx->arena,
                          .names = names_new(ctx->arena, kernel),
                          .factor = factor};
    const struct stmt *body = unroll_stmt(&u, kernel->body);
    if (body == kernel->body)
        return kernel;
    struct kernel *unrolled = kernel_copy(ctx->arena, kernel);
    unrolled->body = body;
    return unrolled;
}
