/* Common subexpressions (spec C-25): level 1 in basic blocks, level 2 across control flow and out
   of loops; and, as a step of other strategies, what points of a thread have in common.

   In: a kernel of any form. Out: integer subexpressions that occur more than once (level 2: also
   those that a loop computes anew in every round) as scalars of their own, named t. A candidate is
   a sum, difference or product of integers without loads, calls, divisions or shifts, so that
   computing it earlier, or where it was not computed before, has no effect; its variables are never
   assigned. Operands of sums and products may stand in either order. Level 1 looks at maximal runs
   of definitions, assignments and stores; level 2 at every sequence with all that is nested in it,
   where only variables visible at the sequence count, and at every loop. Values of points are the
   same of floats, named value, in basic blocks; but a product that is added stays where it is, as
   both may become one operation.
   Invariant: a name is defined before its first use, in the sequence that sees all variables of
   its value. */
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"

enum {
    ROUNDS_MAX = 64,        /* names per sequence */
    REPEATS_MAX = 8         /* passes over the kernel */
};

struct occurrences {
    const struct expr *e;
    int count;
};

struct cse {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;
    struct names names;
    int level;
    bool of_floats;
    VEC(const struct expr *) summands;     /* products that are added */
    VEC(const struct var *) assigned;      /* targets of SET, and variables that have no value
                                              at first */
    VEC(const struct var *) hidden;        /* defined inside the statements being looked at */
    VEC(struct occurrences) found;
    const struct expr *from, *to;          /* the replacement being made */
    const struct stmt *copy;               /* a definition t = t' of two names made here */
    bool changed;                          /* something was named, or a copy dropped */
};

static bool var_among(const struct var *var, const struct var *const *vars, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (vars[i] == var)
            return true;
    return false;
}

static bool variables_fit(const struct cse *cse, const struct expr *e)
{
    if (e->kind == EXPR_VAR)
        return !var_among(e->var, cse->assigned.at, cse->assigned.count) &&
               !var_among(e->var, cse->hidden.at, cse->hidden.count);
    for (int i = 0; i < e->n_arguments; i++)
        if (!variables_fit(cse, e->arguments[i]))
            return false;
    return true;
}

static bool has_variable(const struct expr *e)
{
    if (e->kind == EXPR_VAR)
        return true;
    for (int i = 0; i < e->n_arguments; i++)
        if (has_variable(e->arguments[i]))
            return true;
    return false;
}

static bool is_summand(const struct cse *cse, const struct expr *e)
{
    for (size_t i = 0; i < cse->summands.count; i++)
        if (cse->summands.at[i] == e)
            return true;
    return false;
}

static bool is_candidate(const struct cse *cse, const struct expr *e)
{
    if (e->kind != EXPR_BINARY || type_is_floating(e->type) != cse->of_floats ||
        e->type == TYPE_BOOL)
        return false;
    if ((e->op != OP_ADD && e->op != OP_SUB && e->op != OP_MUL) || is_summand(cse, e))
        return false;
    return expr_is_total(e) && has_variable(e) && variables_fit(cse, e);
}

static int expr_size(const struct expr *e)
{
    int size = 1;
    for (int i = 0; i < e->n_arguments; i++)
        size += expr_size(e->arguments[i]);
    return size;
}

/* Equal up to the order of the operands of sums and products: i * B and B * i. */
static bool expr_alike(const struct expr *a, const struct expr *b)
{
    if (expr_equal(a, b))
        return true;
    if (a->kind != EXPR_BINARY || b->kind != EXPR_BINARY || a->op != b->op || a->type != b->type)
        return false;
    const struct expr *const *x = a->arguments, *const *y = b->arguments;
    if (expr_alike(x[0], y[0]) && expr_alike(x[1], y[1]))
        return true;
    bool commutes = !type_is_floating(a->type) && (a->op == OP_ADD || a->op == OP_MUL);
    return commutes && expr_alike(x[0], y[1]) && expr_alike(x[1], y[0]);
}

static void note_summands(struct cse *cse, const struct expr *sum)
{
    bool adds = sum->kind == EXPR_BINARY && (sum->op == OP_ADD || sum->op == OP_SUB);
    if (!cse->of_floats || !adds)
        return;
    for (int i = 0; i < sum->n_arguments; i++)
        if (sum->arguments[i]->kind == EXPR_BINARY && sum->arguments[i]->op == OP_MUL)
            vec_push(cse->arena, &cse->summands, sum->arguments[i]);
}

static void count_expr(struct cse *cse, const struct expr *e)
{
    note_summands(cse, e);
    if (!is_candidate(cse, e))
        return;
    for (size_t i = 0; i < cse->found.count; i++)
        if (expr_alike(cse->found.at[i].e, e)) {
            cse->found.at[i].count++;
            return;
        }
    vec_push(cse->arena, &cse->found, ((struct occurrences){e, 1}));
}

/* All candidates in `root` and what is nested in it. */
static void count_exprs(struct cse *cse, const struct stmt *root)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&stmts, cse->arena, root); s; s = stmt_next(&stmts))
        for (const struct expr *e = stmt_first_expr(&exprs, cse->arena, s); e;
             e = expr_next(&exprs))
            count_expr(cse, e);
}

/* Notes the variables that `root` and the statements nested in it define. */
static void hide_definitions(struct cse *cse, const struct stmt *root)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, cse->arena, root); s; s = stmt_next(&walk)) {
        if (s->kind == STMT_LET || s->kind == STMT_FOR)
            vec_push(cse->arena, &cse->hidden, s->var);
        for (int i = 0; i < s->n_axes; i++)
            vec_push(cse->arena, &cse->hidden, s->axes[i].var);
    }
}

static void collect_assigned(struct cse *cse)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, cse->arena, cse->kernel->body); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_SET || (s->kind == STMT_LET && !s->value))
            vec_push(cse->arena, &cse->assigned, s->var);
}

/* The largest expression found at least `least` times; NULL if there is none. */
static const struct expr *best_found(const struct cse *cse, int least)
{
    const struct expr *best = NULL;
    for (size_t i = 0; i < cse->found.count; i++)
        if (cse->found.at[i].count >= least &&
            (!best || expr_size(cse->found.at[i].e) > expr_size(best)))
            best = cse->found.at[i].e;
    return best;
}

static const struct expr *replace_node(void *state, const struct expr *e)
{
    struct cse *cse = state;
    if (expr_alike(e, cse->from))
        return cse->to;
    return expr_map_operands(cse->arena, e, replace_node, cse);
}

/* Does the expression stand in the statement itself? */
static bool is_in(struct arena *arena, const struct stmt *s, const struct expr *sought)
{
    struct expr_walk exprs;
    for (const struct expr *e = stmt_first_expr(&exprs, arena, s); e; e = expr_next(&exprs))
        if (expr_alike(e, sought))
            return true;
    return false;
}

/* Most statements do not have it and stay as they are. */
static const struct stmt *replace_in(struct cse *cse, const struct stmt *s)
{
    const struct stmt *mapped = s;
    if (is_in(cse->arena, s, cse->from))
        mapped = stmt_map_exprs(cse->arena, s, replace_node, cse);
    const struct stmt **children = ARENA_ARRAY(cse->arena, const struct stmt *, s->n_children + 1);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i] ? replace_in(cse, s->children[i]) : NULL;
    return s->n_children ? stmt_rebuild(cse->arena, mapped, children) : mapped;
}

static const struct stmt *name_new(struct cse *cse, const struct expr *e)
{
    const char *stem = cse->of_floats ? "value" : "t";
    struct var *var = var_new(cse->arena, names_fresh(&cse->names, stem), e->type, VAR_LOCAL);
    cse->from = e;
    cse->to = expr_var(cse->arena, var);
    cse->changed = true;
    return stmt_let(cse->arena, var, e);
}

static bool is_straight(const struct stmt *s)
{
    return s->kind == STMT_LET || s->kind == STMT_SET || s->kind == STMT_STORE;
}

static bool stmt_uses_expr(struct arena *arena, const struct stmt *root, const struct expr *sought)
{
    struct stmt_walk stmts;
    for (const struct stmt *s = stmt_first(&stmts, arena, root); s; s = stmt_next(&stmts))
        if (is_in(arena, s, sought))
            return true;
    return false;
}

/* Names what occurs twice in the statements [begin, end) of `list`; nested statements count if
   `deep`. The list grows. */
static void run_name(struct cse *cse, struct stmts *list, size_t begin, size_t end)
{
    for (int round = 0; round < ROUNDS_MAX; round++) {
        size_t hidden = cse->hidden.count;
        cse->found.count = cse->summands.count = 0;
        for (size_t i = begin; i < end; i++)
            if (!is_straight(list->at[i]))
                hide_definitions(cse, list->at[i]);
        for (size_t i = begin; i < end; i++)
            count_exprs(cse, list->at[i]);
        cse->hidden.count = hidden;
        const struct expr *e = best_found(cse, 2);
        if (!e)
            return;
        const struct stmt *let = name_new(cse, e);
        size_t first = begin;
        while (!stmt_uses_expr(cse->arena, list->at[first], e))
            first++;
        for (size_t i = first; i < end; i++)
            list->at[i] = replace_in(cse, list->at[i]);
        vec_push(cse->arena, list, NULL);
        for (size_t i = list->count - 1; i > first; i--)
            list->at[i] = list->at[i - 1];
        list->at[first] = let;
        end++;
    }
}

static const struct stmt *cse_sequence(struct cse *cse, const struct stmt *s)
{
    struct stmts list = {0};
    for (int i = 0; i < s->n_children; i++)
        vec_push(cse->arena, &list, s->children[i]);
    if (cse->level == 2) {
        run_name(cse, &list, 0, list.count);
        return stmt_sequence(cse->arena, list.at, (int)list.count);
    }
    for (size_t begin = 0; begin < list.count; begin++) {
        size_t end = begin, before = list.count;
        while (end < list.count && is_straight(list.at[end]))
            end++;
        if (end > begin)
            run_name(cse, &list, begin, end);
        begin = end + (list.count - before);
    }
    return stmt_sequence(cse->arena, list.at, (int)list.count);
}

/* Moves what a loop computes anew in every round before the loop. */
static const struct stmt *loop_hoist(struct cse *cse, const struct stmt *loop)
{
    struct stmts out = {0};
    for (int round = 0; round < ROUNDS_MAX; round++) {
        size_t hidden = cse->hidden.count;
        cse->found.count = cse->summands.count = 0;
        hide_definitions(cse, loop);
        count_exprs(cse, loop->children[0]);
        cse->hidden.count = hidden;
        const struct expr *e = best_found(cse, 1);
        if (!e)
            break;
        vec_push(cse->arena, &out, name_new(cse, e));
        loop = replace_in(cse, loop);
    }
    vec_push(cse->arena, &out, loop);
    return out.count == 1 ? loop : stmt_sequence(cse->arena, out.at, (int)out.count);
}

/* Bottom up: what stands alone in a body is a sequence of one. */
static const struct stmt *cse_stmt(void *state, const struct stmt *s)
{
    struct cse *cse = state;
    if (s->kind == STMT_SEQUENCE)
        return cse_sequence(cse, s);
    const struct stmt *children[2] = {NULL, NULL};
    bool changed = false;
    for (int i = 0; i < s->n_children; i++) {
        children[i] = s->children[i];
        if (children[i] && children[i]->kind != STMT_SEQUENCE) {
            const struct stmt *single = stmt_sequence(cse->arena, &children[i], 1);
            const struct stmt *named = cse_sequence(cse, single);
            if (named->n_children > 1) {
                children[i] = named;
                changed = true;
            }
        }
    }
    if (changed)
        s = stmt_rebuild(cse->arena, s, children);
    return s->kind == STMT_FOR && cse->level == 2 ? loop_hoist(cse, s) : s;
}

static bool is_copy(const struct cse *cse, const struct stmt *s)
{
    return s->kind == STMT_LET && !s->var->loc.source && s->value && s->value->kind == EXPR_VAR &&
           !var_among(s->var, cse->assigned.at, cse->assigned.count) &&
           !var_among(s->value->var, cse->assigned.at, cse->assigned.count);
}

/* The first copy; NULL if there is none. */
static const struct stmt *copy_find(const struct cse *cse, const struct stmt *body)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, cse->arena, body); s; s = stmt_next(&walk))
        if (is_copy(cse, s))
            return s;
    return NULL;
}

static const struct stmt *drop_copy(void *state, const struct stmt *s)
{
    struct cse *cse = state;
    return s->kind == STMT_LET && s->var == cse->copy->var ? NULL : s;
}

/* A name made here may turn out to be a copy of one made later, further out: then the outer one
   is used. */
static const struct stmt *copies_drop(struct cse *cse, const struct stmt *body)
{
    for (;;) {
        cse->copy = copy_find(cse, body);
        if (!cse->copy)
            return body;
        cse->changed = true;
        cse->from = expr_var(cse->arena, cse->copy->var);
        cse->to = cse->copy->value;
        body = stmt_rewrite(cse->arena, replace_in(cse, body), drop_copy, cse);
    }
}

/* The round tells in *changed, if that is not NULL, whether it named or dropped anything. */
static struct kernel *cse_round(struct ctx *ctx, const struct kernel *kernel, int level,
                                bool of_floats, bool *changed)
{
    struct cse cse = {.ctx = ctx,
                      .arena = ctx->arena,
                      .kernel = kernel,
                      .level = level,
                      .of_floats = of_floats};
    cse.names = names_new(ctx->arena, kernel);
    collect_assigned(&cse);
    struct kernel *named = kernel_copy(ctx->arena, kernel);
    named->body = copies_drop(&cse, stmt_rewrite(ctx->arena, kernel->body, cse_stmt, &cse));
    if (changed)
        *changed = cse.changed;
    return named;
}

/* A name made in one sequence can be what another one then has in common with it, so rounds follow
   until nothing is named: applied again the strategy changes nothing. */
const struct kernel *strategy_cse(struct ctx *ctx, const struct kernel *kernel, int level)
{
    bool changed;
    struct kernel *named = cse_round(ctx, kernel, level, false, &changed);
    for (int round = 1; round < REPEATS_MAX && changed; round++)
        named = cse_round(ctx, named, level, false, &changed);
    return named;
}

const struct kernel *values_share(struct ctx *ctx, const struct kernel *kernel)
{
    return cse_round(ctx, kernel, 1, true, NULL);
}
