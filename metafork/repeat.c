/* Loops whose rounds nobody knows before they start: `while`, `do`, and `for` that is no counting
   loop or has a `break`.

   In: such a node inside a band. Out: STMT_WHILE. A `break` sets a flag that the condition asks
   first, and what would follow it stands in the other branch, so that nothing jumps:

       for (k = 0; k < n; k++) {            let int again = 1; let int k = 0;
           if (a[k] == x) break;            while (again && k < n) {
           s += a[k];                           if (a[k] == x) { again = 0; }
       }                                        else { s = s + a[k]; }
                                                if (again) { k = k + 1; }
                                            }

   What a condition needs that is no expression (a function that is inlined) is computed in the
   body, under the flag alone. */
#include "metafork/lower.h"

struct repeat {
    const struct ast *start, *condition, *step, *body;
    bool tests_last;                 /* `do` */
    const struct var *again;         /* 1 while the loop goes on; NULL: the condition says it */
};

static struct repeat repeat_parts(const struct ast *node)
{
    if (node->kind == AST_FOR)
        return (struct repeat){.start = node->children[0],
                               .condition = node->children[1],
                               .step = node->children[2],
                               .body = node->children[3]};
    bool is_do = node->kind == AST_DO;
    return (struct repeat){.condition = node->children[is_do ? 1 : 0],
                           .body = node->children[is_do ? 0 : 1],
                           .tests_last = is_do};
}

static const struct expr *goes_on(struct lower *l, const struct var *again)
{
    return expr_binary(l->arena, OP_NE, expr_var(l->arena, again),
                       expr_integer(l->arena, TYPE_I32, 0));
}

static const struct stmt *again_set(struct lower *l, const struct var *again, int value)
{
    return stmt_set(l->arena, again, expr_integer(l->arena, TYPE_I32, value));
}

void break_lower(struct lower *l, const struct ast *node)
{
    if (l->again)
        emit(l, again_set(l, l->again, 0));
    else
        refuse_kind(l, node);
}

static const struct stmt *list_stmt(struct lower *l, const stmt_list *list)
{
    return stmt_sequence(l->arena, list->at, (int)list->count);
}

/* The body and the step behind it. */
static void round_lower(struct lower *l, const struct repeat *r)
{
    body_lower(l, r->body);
    if (!r->step)
        return;
    const struct stmt *step = nested_lower(l, r->step);
    emit(l, l->again ? stmt_if(l->arena, goes_on(l, l->again), step, NULL) : step);
}

/* The condition with what stands before it: `then` where it holds, else the flag is set. NULL after
   a refusal. */
static const struct stmt *test_lower(struct lower *l, const struct repeat *r, stmt_list *before,
                                     const struct stmt *then)
{
    stmt_list *outer = l->block;
    l->block = before;
    const struct expr *c = condition_lower(l, r->condition);
    l->block = outer;
    if (!c)
        return NULL;
    const struct stmt *stop = again_set(l, r->again, 0);
    vec_push(l->arena, before, then ? stmt_if(l->arena, c, then, stop)
                                    : stmt_if(l->arena, condition_negate(l, c), stop, NULL));
    return list_stmt(l, before);
}

/* A loop under its flag alone: `do`, and where the condition needs statements. */
static void flagged_lower(struct lower *l, const struct repeat *r)
{
    stmt_list round = {0}, before = {0}, *outer = l->block;
    const struct var *around = l->again;
    l->block = &round;
    l->again = ast_has_own_jump(r->body, AST_BREAK) ? r->again : NULL;
    round_lower(l, r);
    bool breaks = l->again != NULL;
    l->again = around;
    l->block = outer;
    const struct stmt *body = list_stmt(l, &round);
    const struct stmt *test = test_lower(l, r, &before, r->tests_last ? NULL : body);
    if (test && r->tests_last && breaks)
        test = stmt_if(l->arena, goes_on(l, r->again), test, NULL);
    const struct stmt *parts[2] = {r->tests_last ? body : NULL, test};
    if (test)
        emit(l, stmt_while(l->arena, goes_on(l, r->again), stmt_sequence(l->arena, parts, 2)));
}

/* A loop under its condition, and the flag if something in it breaks. */
static void tested_lower(struct lower *l, const struct repeat *r, const struct expr *condition)
{
    stmt_list round = {0}, *outer = l->block;
    const struct var *around = l->again;
    l->block = &round;
    l->again = r->again;
    round_lower(l, r);
    l->again = around;
    l->block = outer;
    if (r->again)
        condition = expr_join(l->arena, OP_LAND, goes_on(l, r->again), condition);
    emit(l, stmt_while(l->arena, condition, list_stmt(l, &round)));
}

/* The condition if it is an expression; NULL where it needs statements, and without one. */
static const struct expr *plain_condition(struct lower *l, const struct repeat *r, bool *good)
{
    stmt_list before = {0}, *outer = l->block;
    if (!r->condition)
        return NULL;
    l->block = &before;
    const struct expr *c = condition_lower(l, r->condition);
    l->block = outer;
    *good = c != NULL;
    return before.count ? NULL : c;
}

void repeat_lower(struct lower *l, const struct ast *node)
{
    struct repeat r = repeat_parts(node);
    bool good = true, breaks = ast_has_own_jump(r.body, AST_BREAK);
    if (r.start)
        statement_lower(l, r.start);
    const struct expr *condition = r.tests_last ? NULL : plain_condition(l, &r, &good);
    bool needs_flag = breaks || !condition;
    if (!good)
        return;
    if (needs_flag) {
        struct var *again = local_add(l, "again", TYPE_I32, VAR_LOCAL, node->loc);
        emit(l, stmt_let(l->arena, again, expr_integer(l->arena, TYPE_I32, 1)));
        r.again = again;
    }
    if (condition || !r.condition)
        tested_lower(l, &r, condition);
    else
        flagged_lower(l, &r);
}
