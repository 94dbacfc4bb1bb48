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

struct rounds_lowering {
    struct lowering *l;
    const struct map *subscripts;    /* variables that end in a subscript */
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

static const struct stmt *loop_spell(void *state, const struct stmt *s)
{
    struct rounds_lowering *r = state;
    struct arena *arena = r->l->ctx->arena;
    int64_t rounds = s->kind == STMT_FOR ? stmt_literal_rounds(s) : 0, from, step;
    if (!rounds || lower_unroll(r->l, s) != 0 || !map_get_pointer(r->subscripts, s->var) ||
        rounds > STATEMENTS_MOST || rounds * statements_in(s->children[0]) > STATEMENTS_MOST ||
        !reaches_memory(arena, s->children[0]) || !expr_get_integer(s->from, &from) ||
        !expr_get_integer(s->step, &step))
        return s;
    const struct stmt **copies = ARENA_ARRAY(arena, const struct stmt *, rounds);
    for (int64_t i = 0; i < rounds; i++)
        copies[i] = stmt_instance(arena, s->children[0], s->var,
                                  expr_integer(arena, s->var->type, from + i * step));
    return stmt_sequence(arena, copies, (int)rounds);
}

const struct stmt *lower_rounds(struct lowering *l, const struct map *subscripts)
{
    struct rounds_lowering r = {.l = l, .subscripts = subscripts};
    return stmt_rewrite(l->ctx->arena, l->body, loop_spell, &r);
}
