/* Rounds of a loop around a loop over lanes, four at once.

   In: a body of C in which points run loops in step (emit/lanes.c), or threads are the innermost
   loop (emit/blocks.c). Out: the same with
       for (i = from; i < to; i++)
           for (lane = 0; lane < lanes(i); lane++)
               work;
   as
       for (r = 0; r < (to - from) / 4; r++)
           if (lanes(from + 4 * r) == lanes(from + 4 * r + 1) && … == lanes(from + 4 * r + 3))
               for (lane = 0; lane < lanes(from + 4 * r); lane++) {
                   work with from + 4 * r for i; … work with from + 4 * r + 3;
               }
           else
               for (i = from + 4 * r; i < from + 4 * r + 4; i++)
                   for (lane = 0; lane < lanes(i); lane++)
                       work;
       for (i = from + (to - from) / 4 * 4; i < to; i++)
           for (lane = 0; lane < lanes(i); lane++)
               work;
   so that what a lane keeps goes through memory once in four rounds. Nothing is compared where all
   rounds have the same lanes. Each lane executes its work in the same order. Where there may be too
   many rounds to come out of a cache, these go one by one: four places at once are read from memory
   more slowly than one. */
#include "emit/rows.h"
#include "ir/names.h"
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"

enum { JAMMED = 4 };

struct jamming {
    struct arena *arena;
    struct names *names;
    const struct var *count;         /* NULL: loops over lanes have ends of their own */
    int most;                        /* rounds of a loop that is jammed; 0: any number */
};

/* A round of a loop: scalars, then a loop over lanes, whose end may be one of them. */
struct lanes_round {
    const struct stmt *const *scalars;
    int n_scalars;
    const struct stmt *lanes;
};

static bool round_read(const struct stmt *body, struct lanes_round *round)
{
    const struct stmt *sole = stmt_sole(body);
    *round = (struct lanes_round){.lanes = sole};
    if (sole->kind == STMT_SEQUENCE) {
        int last = sole->n_children - 1;
        *round = (struct lanes_round){sole->children, last, last < 0 ? NULL : sole->children[last]};
    }
    for (int i = 0; i < round->n_scalars; i++)
        if (round->scalars[i]->kind != STMT_LET || !round->scalars[i]->value)
            return false;
    const struct stmt *lanes = round->lanes;
    return lanes && lanes->kind == STMT_FOR && !stmt_has_loop(lanes->children[0]) &&
           !stmt_contains(lanes, STMT_ARRAY);
}

/* Do the loop's rounds go up by one, with lanes from a number that is the same in all? */
static bool rounds_are_plain(const struct stmt *s, const struct lanes_round *round)
{
    int64_t step;
    const struct expr *from = round->lanes->from;
    bool is_same = !expr_uses_var(from, s->var);
    for (int i = 0; i < round->n_scalars; i++)
        is_same &= !expr_uses_var(from, round->scalars[i]->var);
    return is_same && !s->unroll && expr_get_integer(s->step, &step) && step == 1 &&
           type_is_signed(s->var->type);
}

/* The round for a value of the variable, with locals of its own. */
static struct lanes_round round_copy(struct jamming *j, const struct stmt *body,
                                     const struct var *var, const struct expr *value)
{
    VEC(const struct var *) variables = {0};
    VEC(const struct expr *) values = {0};
    struct stmt_walk walk;
    struct lanes_round copy;
    vec_push(j->arena, &variables, var);
    vec_push(j->arena, &values, value);
    for (const struct stmt *s = stmt_first(&walk, j->arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_LET) {
            const struct var *local = var_new(j->arena, names_fresh(j->names, s->var->name),
                                              s->var->type, s->var->kind);
            vec_push(j->arena, &variables, s->var);
            vec_push(j->arena, &values, expr_var(j->arena, local));
        }
    struct substitution renaming = {(int)variables.count, variables.at, values.at};
    round_read(stmt_replace(j->arena, body, &renaming), &copy);
    return copy;
}

/* Value number `round` of the loop's variable. */
static const struct expr *value_of_round(struct arena *arena, const struct stmt *s,
                                         const struct expr *round)
{
    return expr_binary(arena, OP_ADD, expr_cast(arena, s->var->type, s->from), round);
}

/* Rounds first … first + 3 of the loop. */
static const struct stmt *group_make(struct jamming *j, const struct stmt *s,
                                     const struct expr *first)
{
    struct arena *arena = j->arena;
    const struct expr *same = NULL;
    const struct stmt *works[JAMMED];
    struct stmts parts = {0};
    struct lanes_round rounds[JAMMED];
    for (int i = 0; i < JAMMED; i++) {
        const struct expr *at = expr_binary(arena, OP_ADD, first,
                                            expr_integer(arena, s->var->type, i));
        rounds[i] = round_copy(j, s->children[0], s->var, value_of_round(arena, s, at));
        works[i] = rounds[i].lanes->children[0];
        for (int k = 0; k < rounds[i].n_scalars; k++)
            vec_push(arena, &parts, rounds[i].scalars[k]);
        const struct expr *end = rounds[0].lanes->to, *other = rounds[i].lanes->to;
        if (!expr_equal(end, other))
            same = same ? expr_binary(arena, OP_LAND, same, expr_binary(arena, OP_EQ, end, other))
                        : expr_binary(arena, OP_EQ, end, other);
    }
    const struct stmt *lanes = rounds[0].lanes;
    const struct stmt *group = stmt_for(arena, lanes->var, lanes->from, lanes->to, lanes->step,
                                        stmt_sequence(arena, works, JAMMED));
    const struct expr *end = expr_binary(arena, OP_ADD, first,
                                         expr_integer(arena, s->var->type, JAMMED));
    if (same)
        group = stmt_if(arena, same, group,
                        stmt_for(arena, s->var, value_of_round(arena, s, first),
                                 value_of_round(arena, s, end), s->step, s->children[0]));
    vec_push(arena, &parts, group);
    return stmt_sequence(arena, parts.at, (int)parts.count);
}

/* The bound of the loop, as a scalar that joins `parts` unless it is a number or a variable. */
static const struct expr *bound_named(struct jamming *j, const struct stmt *s,
                                      const struct expr *bound, const char *stem,
                                      struct stmts *parts)
{
    if (bound->kind == EXPR_INTEGER || bound->kind == EXPR_VAR)
        return bound;
    const struct var *var = var_new(j->arena, names_fresh(j->names, stem), s->var->type, VAR_LOCAL);
    vec_push(j->arena, parts, stmt_let(j->arena, var, expr_cast(j->arena, var->type, bound)));
    return expr_var(j->arena, var);
}

static const struct stmt *rounds_grouped(struct jamming *j, const struct stmt *s)
{
    struct arena *arena = j->arena;
    enum type type = s->var->type;
    struct stmts parts = {0};
    const struct expr *start = bound_named(j, s, s->from, "start", &parts);
    const struct expr *end = bound_named(j, s, s->to, "end", &parts);
    s = stmt_for(arena, s->var, start, end, s->step, s->children[0]);
    const struct expr *four = expr_integer(arena, type, JAMMED);
    const struct expr *rounds = expr_cast(arena, type, loop_trip(arena, s));
    const struct expr *count = expr_binary(arena, OP_DIV, rounds, four);
    if (j->most) {
        const struct expr *few = expr_binary(arena, OP_LE, rounds,
                                             expr_integer(arena, type, j->most));
        count = expr_select(arena, few, count, expr_integer(arena, type, 0));
        count = bound_named(j, s, count, "groups", &parts);
    }
    const struct var *group = var_new(arena, names_fresh(j->names, s->var->name), type,
                                      VAR_ITERATOR);
    const struct expr *first = expr_binary(arena, OP_MUL, four, expr_var(arena, group));
    const struct expr *rest = value_of_round(arena, s, expr_binary(arena, OP_MUL, count, four));
    vec_push(arena, &parts, stmt_for(arena, group, expr_integer(arena, type, 0), count,
                                     expr_integer(arena, type, 1), group_make(j, s, first)));
    vec_push(arena, &parts, stmt_for(arena, s->var, rest, s->to, s->step, s->children[0]));
    return stmt_sequence(arena, parts.at, (int)parts.count);
}

const struct stmt *rounds_jam(struct arena *arena, struct names *names, const struct stmt *s,
                              int most)
{
    struct jamming j = {arena, names, NULL, most};
    struct lanes_round round;
    bool is_plain = round_read(s->children[0], &round) && rounds_are_plain(s, &round);
    return is_plain ? rounds_grouped(&j, s) : s;
}

/* A loop around a loop over all lanes. */
static const struct stmt *lanes_jam(void *state, const struct stmt *s)
{
    struct jamming *j = state;
    struct lanes_round round;
    bool is_plain = s->kind == STMT_FOR && round_read(s->children[0], &round) &&
                    !round.n_scalars && rounds_are_plain(s, &round);
    const struct expr *end = is_plain ? round.lanes->to : NULL;
    return end && end->kind == EXPR_VAR && end->var == j->count ? rounds_grouped(j, s) : s;
}

const struct stmt *loops_jam(struct arena *arena, const struct kernel *kernel,
                             const struct stmt *body, const struct var *count)
{
    struct kernel *named = kernel_copy(arena, kernel);
    named->body = body;
    struct names names = names_new(arena, named);
    struct jamming j = {arena, &names, count, 0};
    return stmt_rewrite(arena, body, lanes_jam, &j);
}
