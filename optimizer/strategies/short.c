/* Short loops: a literal number of rounds, of no more than STATEMENTS together with the short loops
   inside.

   In: a placed kernel. Out: its body, with these loops marked to be unrolled, in every text and in
   the counters: the 27 neighbours of a point, the weights of a window, the elements of a local
   array, which becomes registers by it. Compilers of CUDA C and OpenCL C unroll many of them
   unasked, so that the register estimate was that of another program. Inner loops come first: where
   all rounds together are too many, the outer loop stays. A loop from k0 to k0 + 8 counts from 0 to
   8 then, so that the text says how many rounds there are. */
#include "ir/walk.h"
#include "optimizer/strategies/place.h"

enum { STATEMENTS = 128 };

static int64_t literal_rounds(const struct stmt *loop)
{
    int64_t rounds = stmt_literal_rounds(loop);
    return rounds <= STATEMENTS ? rounds : 0;
}

/* Statements that an execution of s makes in straight lines; 0 if it is no such thing or they are
   more than STATEMENTS. */
static int64_t statements_in(const struct stmt *s)
{
    int64_t sum = s->kind == STMT_SEQUENCE ? 0 : 1, rounds = 1;
    if (s->kind == STMT_BAND || s->kind == STMT_BARRIER || s->kind == STMT_WHILE)
        return 0;
    if (s->kind == STMT_FOR && (!s->unroll || !(rounds = literal_rounds(s))))
        return 0;
    for (int i = 0; i < s->n_children; i++) {
        int64_t inner = s->children[i] ? statements_in(s->children[i]) : 1;
        if (!inner)
            return 0;
        sum += inner;
    }
    return sum * rounds <= STATEMENTS ? sum * rounds : 0;
}

/* The loop from 0 by 1 where its ends are no literals but their distance is one; else itself. */
static const struct stmt *loop_from_zero(struct placement *p, const struct stmt *s)
{
    int64_t rounds;
    const struct expr *trip = loop_is_normal(s) ? NULL : loop_trip(p->arena, s);
    const struct poly *known = trip ? kernel_expr_poly(p->kernel, trip) : NULL;
    if (!known || !poly_get_integer(known, &rounds) || rounds < 1 || rounds > STATEMENTS)
        return s;
    struct var *round = var_new(p->arena, names_fresh(&p->names, s->var->name), s->var->type,
                                s->var->kind);
    const struct expr *distance = expr_binary(p->arena, OP_MUL, expr_var(p->arena, round), s->step);
    const struct expr *value = expr_binary(p->arena, OP_ADD, s->from, distance);
    struct substitution substitution = {1, (const struct var *const *)&s->var, &value};
    enum type type = s->var->type;
    return stmt_for(p->arena, round, expr_integer(p->arena, type, 0),
                    expr_integer(p->arena, type, rounds), expr_integer(p->arena, type, 1),
                    stmt_replace(p->arena, s->children[0], &substitution));
}

static const struct stmt *short_marked(void *state, const struct stmt *s)
{
    struct placement *p = state;
    if (s->kind != STMT_FOR || s->unroll)
        return s;
    const struct stmt *loop = literal_rounds(s) ? s : loop_from_zero(p, s);
    struct stmt *marked = ARENA_NEW(p->arena, struct stmt);
    *marked = *loop;
    marked->unroll = true;
    return statements_in(marked) ? marked : s;
}

const struct stmt *loops_unroll_short(struct placement *p, const struct stmt *body)
{
    return stmt_rewrite(p->arena, body, short_marked, p);
}
