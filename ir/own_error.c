/* The rounding of a thread's own sums.

   In: a kernel, and the number of one of its sums that are taken in lanes. Out: the same kernel
   with that sum shifted, behind its loop, by the most that another order of its terms changes:
   running both shows how far from C's order everything may lie that the region makes of the sum.
   n terms are wrong by at most n * eps of the sum of their absolute values in any order (as in
   interpret_memory.c); the value before the loop is a term, too. */
#include "ir/own.h"
#include "base/vec.h"
#include "ir/names.h"

struct shifting {
    struct arena *arena;
    struct names names;
    int number, seen;                /* which sum is shifted; sums of loops so far */
    struct own_sums sums;            /* of the loop being made */
    int at;                          /* the sum's number among them */
    const struct var *magnitude, *terms;
};

static const struct expr *real_size(struct arena *arena, const struct expr *e)
{
    const struct expr *wide = expr_cast(arena, TYPE_F64, e);
    return expr_call(arena, TYPE_F64, "fabs", &wide, 1);
}

static const struct stmt *noted_add(struct shifting *s, const struct var *var,
                                       const struct expr *e)
{
    return stmt_set(s->arena, var, expr_binary(s->arena, OP_ADD, expr_var(s->arena, var), e));
}

/* Behind each addition to the sum its term is noted. */
static const struct stmt *addition_note(void *state, const struct stmt *addition)
{
    struct shifting *s = state;
    if (own_sum_of(&s->sums, addition) != s->at)
        return addition;
    const struct stmt *both[] = {
        noted_add(s, s->magnitude, real_size(s->arena, own_sum_term(s->arena, addition))),
        noted_add(s, s->terms, expr_real(s->arena, TYPE_F64, 1)), addition};
    return stmt_sequence(s->arena, both, 3);
}

/* The sum with the error of its terms and of the value `sum` that it has now. */
static const struct expr *shifted(struct shifting *s, const struct expr *sum)
{
    struct arena *arena = s->arena;
    double eps = type_epsilon(sum->type);
    const struct expr *magnitude = expr_var(arena, s->magnitude),
                      *terms = expr_binary(arena, OP_ADD, expr_var(arena, s->terms),
                                           expr_real(arena, TYPE_F64, 1));
    magnitude = expr_binary(arena, OP_ADD, expr_binary(arena, OP_ADD, magnitude, magnitude),
                            real_size(arena, sum));
    const struct expr *error = expr_binary(arena, OP_MUL, expr_real(arena, TYPE_F64, eps),
                                           expr_binary(arena, OP_MUL, terms, magnitude));
    return expr_binary(arena, OP_ADD, sum, expr_cast(arena, sum->type, error));
}

static const struct stmt *sum_shift(struct shifting *s, const struct stmt *loop)
{
    struct arena *arena = s->arena;
    const struct stmt *first = s->sums.at[s->at].first;
    if (first->kind == STMT_SET)
        return stmt_set(arena, first->var, shifted(s, expr_var(arena, first->var)));
    const struct expr *old = expr_load(arena, first->array, first->indices, first->loc);
    const struct stmt *store = stmt_store(arena, first->array, first->indices, shifted(s, old),
                                          first->loc);
    return stmt_if(arena, expr_binary(arena, OP_LT, loop->from, loop->to), store, NULL);
}

/* An extreme is not shifted, as no order rounds it. */
static const struct stmt *loop_shift(void *state, const struct own_sums *sums)
{
    struct shifting *s = state;
    const struct stmt *loop = sums->loop;
    int at = s->number - s->seen;
    s->seen += sums->count;
    if (at < 0 || at >= sums->count || sums->at[at].reduction != REDUCE_ADD)
        return loop;
    s->sums = *sums;
    s->at = at;
    s->magnitude = var_new(s->arena, names_fresh(&s->names, "magnitude"), TYPE_F64, VAR_LOCAL);
    s->terms = var_new(s->arena, names_fresh(&s->names, "terms"), TYPE_F64, VAR_LOCAL);
    const struct expr *zero = expr_real(s->arena, TYPE_F64, 0);
    const struct stmt *list[] = {stmt_let(s->arena, s->magnitude, zero),
                                 stmt_let(s->arena, s->terms, zero),
                                 stmt_rewrite(s->arena, loop, addition_note, s),
                                 sum_shift(s, loop)};
    return stmt_sequence(s->arena, list, 4);
}

const struct kernel *own_sum_shifted(struct arena *arena, const struct kernel *kernel, int number)
{
    struct shifting s = {.arena = arena, .names = names_new(arena, kernel), .number = number};
    struct kernel *made = kernel_copy(arena, kernel);
    made->body = own_loops_rewrite(arena, kernel, loop_shift, &s);
    return number < s.seen ? made : NULL;
}
