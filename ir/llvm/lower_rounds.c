/* Short loops round by round.

   In: the body of a kernel. Out: the same, where loops that are unrolled anyway and have a literal
   number of rounds stand as that many copies of their bodies, if subscripts of global or shared
   memory come from the loop: the taps of a window. Each copy has the round as a literal, and
   variables of its own, so that lower_near.c sees which accesses of different rounds, and of
   different points of the thread, are the same element or lie a literal apart, and LLVM loads an
   element once. LLVM unrolls such loops too, but only behind the lowering, where 4 * u + 1 + 0 and
   4 * u + 0 + 1 times the length of a row are no longer seen to be the same.
   Why it is right: the rounds stand in their order, each once; nothing leaves a loop early, and
   no loop sets its own variable. */
#include "ir/llvm/lower.h"
#include "ir/walk.h"

enum { STATEMENTS_MOST = 256 };

struct rounds {
    struct lowering *l;
    const struct map *subscripts;    /* variables that end in a subscript */
    struct map *own;                 /* variable -> the expression that stands for it in the copy */
};

static int64_t statements_in(const struct stmt *s)
{
    int64_t count = s->kind != STMT_SEQUENCE;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            count += statements_in(s->children[i]);
    return count;
}

static bool reaches_memory(struct arena *arena, const struct stmt *root)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&stmts, arena, root); s; s = stmt_next(&stmts)) {
        if (s->kind == STMT_STORE && s->array->space != SPACE_PRIVATE)
            return true;
        for (const struct expr *e = stmt_first_expr(&exprs, arena, s); e; e = expr_next(&exprs))
            if (e->kind == EXPR_LOAD && e->array->space != SPACE_PRIVATE)
                return true;
    }
    return false;
}

static const struct expr *own_expr(void *state, const struct expr *e)
{
    const struct rounds *r = state;
    const struct expr *own = e->kind == EXPR_VAR ? map_get_pointer(r->own, e->var) : NULL;
    return own ? own : e;
}

static const struct stmt *own_stmt(void *state, const struct stmt *s)
{
    const struct rounds *r = state;
    const struct expr *own = s->var ? map_get_pointer(r->own, s->var) : NULL;
    if (!own)
        return s;
    struct stmt *copy = ARENA_NEW(r->l->ctx->arena, struct stmt);
    *copy = *s;
    copy->var = own->var;
    return copy;
}

/* The body of the loop in the round in which its variable is `value`. */
static const struct stmt *round_of(struct rounds *r, const struct stmt *loop, int64_t value)
{
    struct arena *arena = r->l->ctx->arena;
    struct stmt_walk walk;
    r->own = map_new(arena);
    map_put_pointer(r->own, loop->var, (void *)expr_integer(arena, loop->var->type, value));
    for (const struct stmt *s = stmt_first(&walk, arena, loop->children[0]); s;
         s = stmt_next(&walk)) {
        if (s->kind != STMT_LET && s->kind != STMT_FOR)
            continue;
        const struct var *var = var_new(arena, s->var->name, s->var->type, s->var->kind);
        map_put_pointer(r->own, s->var, (void *)expr_var(arena, var));
    }
    const struct stmt *body = stmt_rewrite_exprs(arena, loop->children[0], own_expr, r);
    return stmt_rewrite(arena, body, own_stmt, r);
}

static const struct stmt *loop_spell(void *state, const struct stmt *s)
{
    struct rounds *r = state;
    struct arena *arena = r->l->ctx->arena;
    int64_t rounds = s->kind == STMT_FOR ? stmt_literal_rounds(s) : 0, from, step;
    if (!rounds || lower_unroll(r->l, s) != 0 || !map_get_pointer(r->subscripts, s->var) ||
        rounds > STATEMENTS_MOST || rounds * statements_in(s->children[0]) > STATEMENTS_MOST ||
        !reaches_memory(arena, s->children[0]) || !expr_get_integer(s->from, &from) ||
        !expr_get_integer(s->step, &step))
        return s;
    const struct stmt **copies = ARENA_ARRAY(arena, const struct stmt *, rounds);
    for (int64_t i = 0; i < rounds; i++)
        copies[i] = round_of(r, s, from + i * step);
    return stmt_sequence(arena, copies, (int)rounds);
}

const struct stmt *lower_rounds(struct lowering *l, const struct map *subscripts)
{
    struct rounds r = {.l = l, .subscripts = subscripts};
    return stmt_rewrite(l->ctx->arena, l->body, loop_spell, &r);
}
