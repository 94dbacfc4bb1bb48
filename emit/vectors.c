/* The rounds of a long loop for several vectors of a row's points at once.

   In: a loop over rounds that all points of a row run in step, with what each of them does in a
   round (emit/lanes.c). Out: what a printer needs to do the rounds for a few vectors of points at
   once. Lanes alone leave what a point keeps in memory: each round loads and stores it for all
   lanes of the group, and compilers do not exchange the two loops. As vectors of literal number it
   stays in registers from the first round to the last (a product of matrices on PoCL: 22 ms instead
   of 55). Taken only where all that differs from point to point in a round is sums and products of
   one floating type, of elements that lie side by side and of what is kept.
   Invariant: each element of a vector is computed by the operations of its point in their order;
   points of a plain band are independent of each other. */
#include "emit/vectors.h"
#include "ir/walk.h"

enum { KEPT_MOST = 16 };        /* vectors that registers hold beside operands */

struct search {
    struct lanes *lanes;
    struct vectors *found;
    struct kept kept[KEPT_MOST];
    bool fails;
};

bool vectors_expr_varies(const struct vectors *v, const struct expr *e)
{
    bool varies = e->kind == EXPR_VAR && map_get_pointer(v->varying, e->var);
    for (int i = 0; i < e->n_arguments; i++)
        varies |= vectors_expr_varies(v, e->arguments[i]);
    return varies;
}

int vectors_find_kept(const struct vectors *v, const struct array *array,
                      const struct expr *const *indices)
{
    for (int i = 0; i < v->n_kept; i++)
        if (v->kept[i].array == array && exprs_equal(v->kept[i].indices, indices, array->n_dims))
            return i;
    return -1;
}

/* The type of all that differs: that of the first such value. */
static void check_type(struct search *search, enum type type)
{
    struct vectors *v = search->found;
    if (v->type == TYPE_COUNT)
        v->type = type;
    search->fails |= type != v->type || !type_is_floating(type);
}

/* An element of a private array that has one for each lane. */
static void note_kept(struct search *search, const struct array *array,
                      const struct expr *const *indices, bool is_stored)
{
    struct vectors *v = search->found;
    int64_t literal;
    int last = array->n_dims - 1, n = vectors_find_kept(v, array, indices);
    for (int d = 0; d < last; d++)
        search->fails |= !expr_get_integer(indices[d], &literal);
    search->fails |= indices[last]->kind != EXPR_VAR || indices[last]->var != v->lane ||
                     (n < 0 && v->n_kept == KEPT_MOST);
    check_type(search, array->element);
    if (search->fails)
        return;
    if (n < 0) {
        n = v->n_kept++;
        const char *stem = arena_printf(search->lanes->arena, "%s_vectors", array->name);
        search->kept[n] =
            (struct kept){array, indices, names_fresh(&search->lanes->names, stem), false};
    }
    search->kept[n].is_stored |= is_stored;
}

static void check_load(struct search *search, const struct expr *e)
{
    if (e->array->space == SPACE_PRIVATE)
        note_kept(search, e->array, e->arguments, false);
    else
        search->fails |= !lanes_are_side_by_side(search->lanes, e);
}

/* May e be computed for a vector of points? */
static void check_value(struct search *search, const struct expr *e)
{
    if (!vectors_expr_varies(search->found, e)) {
        check_type(search, e->type);
        return;
    }
    bool is_sum = e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB ||
                                             e->op == OP_MUL || e->op == OP_DIV);
    bool is_negated = e->kind == EXPR_UNARY && e->op == OP_NEG;
    check_type(search, e->type);
    if (e->kind == EXPR_LOAD)
        check_load(search, e);
    else if (is_sum || is_negated)
        for (int i = 0; i < e->n_arguments; i++)
            check_value(search, e->arguments[i]);
    else
        search->fails |= e->kind != EXPR_VAR;
}

/* A scalar; integers are there for places of elements alone, which loads check. */
static void check_scalar(struct search *search, const struct stmt *s)
{
    struct vectors *v = search->found;
    if (s->kind == STMT_SET)
        search->fails |= !map_get_pointer(v->varying, s->var);
    search->fails |= !s->value;
    if (search->fails)
        return;
    bool is_set = stmt_sets_var(v->work, s->var);
    if (is_set || vectors_expr_varies(v, s->value))
        map_put_pointer(v->varying, s->var, (void *)s->var);
    if (!map_get_pointer(v->varying, s->var) || (!type_is_floating(s->var->type) && !is_set))
        return;
    check_type(search, s->var->type);
    check_value(search, s->value);
}

static void check_work(struct search *search, const struct stmt *s)
{
    if (s->kind == STMT_LET || s->kind == STMT_SET) {
        check_scalar(search, s);
    } else if (s->kind == STMT_STORE && s->array->space == SPACE_PRIVATE && !s->width) {
        note_kept(search, s->array, s->indices, true);
        check_value(search, s->value);
    } else {
        search->fails |= s->kind != STMT_SEQUENCE;
    }
    for (int i = 0; i < s->n_children && !search->fails; i++)
        check_work(search, s->children[i]);
}

/* The statements of a round without the last; only scalars may stand there, as rounds are begun
   anew for the next vectors. */
static const struct stmt *shared_scalars(struct search *search, const struct stmts *rounds)
{
    for (size_t i = 0; i + 1 < rounds->count; i++)
        search->fails |= rounds->at[i]->kind != STMT_LET || !rounds->at[i]->value;
    return stmt_sequence(search->lanes->arena, rounds->at, (int)rounds->count - 1);
}

/* The loop for the points from `done` on. */
static const struct stmt *loop_of_rest(struct arena *arena, const struct vectors *v,
                                       const struct stmt *loop, const struct stmts *rounds)
{
    const struct stmt *last = rounds->at[rounds->count - 1];
    const struct stmt *parts[] = {v->before,
                                  stmt_for(arena, last->var, expr_var(arena, v->done), last->to,
                                           last->step, last->children[0])};
    return stmt_for(arena, loop->var, loop->from, loop->to, loop->step,
                    stmt_sequence(arena, parts, 2));
}

static const struct var *count_new(struct lanes *l)
{
    return var_new(l->arena, names_fresh(&l->names, "done"), TYPE_I32, VAR_LOCAL);
}

const struct stmt *vectors_make(struct lanes *l, const struct stmt *loop,
                                const struct stmts *rounds, const struct stmt *work)
{
    struct vectors *v = ARENA_NEW(l->arena, struct vectors);
    struct search search = {.lanes = l, .found = v};
    *v = (struct vectors){.work = work,
                          .lanes = l->count,
                          .lane = l->lane,
                          .type = TYPE_COUNT,
                          .varying = map_new(l->arena),
                          .next = l->vectors};
    v->kept = search.kept;
    map_put_pointer(v->varying, v->lane, (void *)v->lane);
    v->before = shared_scalars(&search, rounds);
    check_work(&search, work);
    if (search.fails || v->n_kept == 0)
        return loop;
    struct kept *kept = ARENA_ARRAY(l->arena, struct kept, (size_t)v->n_kept);
    for (int i = 0; i < v->n_kept; i++)
        kept[i] = search.kept[i];
    v->kept = kept;
    v->vector = names_fresh(&l->names, "vector");
    v->count = names_fresh(&l->names, "vectors");
    v->done = count_new(l);
    v->loop = loop_of_rest(l->arena, v, loop, rounds);
    l->vectors = v;
    const struct stmt *parts[] = {
        stmt_let(l->arena, v->done, expr_integer(l->arena, TYPE_I32, 0)), v->loop};
    return stmt_sequence(l->arena, parts, 2);
}
