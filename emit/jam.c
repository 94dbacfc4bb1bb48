/* Rounds of a loop around a loop over lanes, four at once.

   In: a body of C in which points run loops in step (emit/lanes.c). Out: the same with
       for (i = from; i < to; i++)
           for (lane = 0; lane < lanes; lane++)
               work;
   as
       for (r = 0; r < (to - from) / 4; r++)
           for (lane = 0; lane < lanes; lane++) {
               work with from + 4 * r for i; … work with from + 4 * r + 3;
           }
       for (i = from + (to - from) / 4 * 4; i < to; i++)
           for (lane = 0; lane < lanes; lane++)
               work;
   so that what a lane keeps goes through memory once in four rounds. Each lane executes its work in
   the same order. */
#include "emit/rows.h"
#include "ir/names.h"
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"

enum { JAMMED = 4 };

struct jamming {
    struct arena *arena;
    struct names names;
    const struct var *count;         /* of lanes */
};

static const struct stmt *sole_child(const struct stmt *s)
{
    while (s->kind == STMT_SEQUENCE && s->n_children == 1)
        s = s->children[0];
    return s;
}

/* The loop over lanes that is all that s does in a round; NULL if s is no such loop. */
static const struct stmt *inner_loop(const struct jamming *j, const struct stmt *s)
{
    int64_t step;
    if (s->kind != STMT_FOR || s->unroll || !expr_get_integer(s->step, &step) || step != 1 ||
        !type_is_signed(s->var->type))
        return NULL;
    const struct stmt *inner = sole_child(s->children[0]);
    bool is_over_lanes = inner->kind == STMT_FOR && inner->to->kind == EXPR_VAR &&
                         inner->to->var == j->count;
    return is_over_lanes && !stmt_has_loop(inner->children[0]) &&
                   !stmt_contains(inner, STMT_ARRAY) && !expr_uses_var(inner->from, s->var)
               ? inner
               : NULL;
}

/* The work for a value of the variable, with locals of its own. */
static const struct stmt *work_copy(struct jamming *j, const struct stmt *work,
                                    const struct var *var, const struct expr *value)
{
    VEC(const struct var *) variables = {0};
    VEC(const struct expr *) values = {0};
    struct stmt_walk walk;
    vec_push(j->arena, &variables, var);
    vec_push(j->arena, &values, value);
    for (const struct stmt *s = stmt_first(&walk, j->arena, work); s; s = stmt_next(&walk))
        if (s->kind == STMT_LET) {
            const struct var *copy = var_new(j->arena, names_fresh(&j->names, s->var->name),
                                             s->var->type, s->var->kind);
            vec_push(j->arena, &variables, s->var);
            vec_push(j->arena, &values, expr_var(j->arena, copy));
        }
    struct substitution renaming = {(int)variables.count, variables.at, values.at};
    return stmt_replace(j->arena, work, &renaming);
}

static const struct stmt *rounds_jam(void *state, const struct stmt *s)
{
    struct jamming *j = state;
    struct arena *arena = j->arena;
    const struct stmt *inner = inner_loop(j, s), *copies[JAMMED];
    if (!inner)
        return s;
    enum type type = s->var->type;
    const struct expr *four = expr_integer(arena, type, JAMMED),
                      *from = expr_cast(arena, type, s->from);
    const struct expr *count = expr_binary(arena, OP_DIV,
                                           expr_cast(arena, type, loop_trip(arena, s)), four);
    const struct var *group = var_new(arena, names_fresh(&j->names, s->var->name), type,
                                      VAR_ITERATOR);
    const struct expr *first = expr_binary(arena, OP_MUL, four, expr_var(arena, group));
    for (int i = 0; i < JAMMED; i++) {
        const struct expr *at = expr_binary(arena, OP_ADD, first, expr_integer(arena, type, i));
        copies[i] = work_copy(j, inner->children[0], s->var, expr_binary(arena, OP_ADD, from, at));
    }
    const struct stmt *jammed = stmt_for(arena, inner->var, inner->from, inner->to, inner->step,
                                         stmt_sequence(arena, copies, JAMMED));
    const struct expr *done = expr_binary(arena, OP_MUL, count, four);
    const struct stmt *parts[] = {
        stmt_for(arena, group, expr_integer(arena, type, 0), count, expr_integer(arena, type, 1),
                 jammed),
        stmt_for(arena, s->var, expr_binary(arena, OP_ADD, from, done), s->to, s->step,
                 s->children[0])};
    return stmt_sequence(arena, parts, 2);
}

const struct stmt *loops_jam(struct arena *arena, const struct kernel *kernel,
                             const struct stmt *body, const struct var *count)
{
    struct kernel *named = kernel_copy(arena, kernel);
    named->body = body;
    struct jamming j = {arena, names_new(arena, named), count};
    return stmt_rewrite(arena, body, rounds_jam, &j);
}
