/* The least and the greatest, in the words that have one result in any order: `m = e > m ? e : m;`
   and `if (e > m) m = e;`.

   In: the body of a function. Out: the same body with these words in place of others in loops,

       if (!(e <= m)) m = e;       m = m > e ? m : e;       m = fmax(m, e);       m = most(m, e);

   where `most` is a function of the file that is one `return` of `a > b ? a : b`, or sets a
   variable so in an `if` and returns it. Of whole numbers they mean the same. Floating numbers of
   which an element is no number are the exception: some of these take such an element, `fmax` any
   element in its place. So with `ctx->reassociates` only, by which the programmer says that no
   order counts; but for a choice that keeps `m` where the comparison fails, as `most(e, m)`. */
#include "frontend/ask.h"
#include "frontend/header.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/forms/inlining.h"
#include <string.h>

/* The lesser or the greater of two values. */
struct chosen {
    bool is_least, is_strict;        /* strict: of equal values the comparison takes none */
    int kept;                        /* 0, 1: the value that the choice gives where a value is no
                                        number; -1: the value that is a number */
};

struct extremes {
    struct ctx *ctx;
    struct ast_unit *unit;
};

static bool is_order(const struct ast *ast)
{
    return ast->kind == AST_BINARY && ast->op >= AST_OP_LT && ast->op <= AST_OP_GE &&
           ast->children[0]->type && ast->children[1]->type;
}

/* Reads a choice of `yes` where the condition holds, `no` elsewhere, between two values; `kept` is
   the number of `no` among them. */
static bool choice_read(const struct ast *condition, const struct ast *yes, const struct ast *no,
                        const struct ast *const values[2], struct chosen *out)
{
    condition = ast_strip(condition);
    if (!is_order(condition))
        return false;
    const struct ast *left = ast_plain(condition->children[0]);
    int first = ast_equal(left, values[0]) ? 0 : 1, taken = ast_equal(yes, values[0]) ? 0 : 1;
    bool is_less = condition->op == AST_OP_LT || condition->op == AST_OP_LE;
    out->kept = 1 - taken;
    out->is_strict = condition->op == AST_OP_LT || condition->op == AST_OP_GT;
    out->is_least = is_less == (first == taken);
    return ast_equal(left, values[first]) && ast_equal(yes, values[taken]) &&
           ast_equal(ast_plain(condition->children[1]), values[1 - first]) &&
           ast_equal(no, values[1 - taken]);
}

/* --- functions -------------------------------------------------------------------------------- */

/* The value of `v = value;`, perhaps in braces; NULL of other statements. */
static const struct ast *given_to(const struct ast *statement, const struct ast *variable)
{
    while (statement && statement->kind == AST_COMPOUND && statement->n_children == 1)
        statement = statement->children[0];
    return statement && statement->kind == AST_ASSIGN ? value_given(statement, variable) : NULL;
}

/* Reads `return a > b ? a : b;`, or `T v; if (a > b) v = a; else v = b; return v;`. */
static bool body_read(const struct ast *body, const struct ast *const parameters[2],
                      struct chosen *out)
{
    const struct ast *last = last_statement(body);
    bool returns = last && last->kind == AST_RETURN && last->n_children == 1;
    const struct ast *value = returns ? ast_plain(last->children[0]) : NULL;
    if (value && body->n_children == 1 && value->kind == AST_CONDITIONAL)
        return choice_read(value->children[0], ast_plain(value->children[1]),
                           ast_plain(value->children[2]), parameters, out);
    const struct ast *choice = value && body->n_children == 3 ? body->children[1] : NULL;
    if (!choice || value->kind != AST_REF || !ast_declares(body->children[0], value->decl) ||
        choice->kind != AST_IF || choice->n_children < 3)
        return false;
    const struct ast *yes = given_to(choice->children[1], value->decl);
    const struct ast *no = given_to(choice->children[2], value->decl);
    return yes && no &&
           choice_read(choice->children[0], ast_plain(yes), ast_plain(no), parameters, out);
}

static bool library_read(const char *name, struct chosen *out)
{
    out->kept = -1;
    out->is_strict = false;
    out->is_least = !strcmp(name, "fmin") || !strcmp(name, "fminf");
    return out->is_least || !strcmp(name, "fmax") || !strcmp(name, "fmaxf");
}

/* Reads a call of a function of two values of the call's type. */
static bool extreme_called(const struct extremes *x, const struct ast *call, struct chosen *out)
{
    const struct ast *function = call->decl;
    if (!function || call->n_children != 2 || function->n_children != 2 || !call->type)
        return false;
    const struct ast *const *parameters = function->children;
    for (int i = 0; i < 2; i++)
        if (!parameters[i]->type || parameters[i]->type->class != call->type->class)
            return false;
    const struct ast *body = function->has_body ? ast_body(x->unit, function) : NULL;
    if (!body)
        return !function->has_body && library_read(function->name, out);
    const struct ast *refs[] = {form_ref(x->ctx->arena, call, parameters[0]),
                                form_ref(x->ctx->arena, call, parameters[1])};
    return body_read(body, refs, out);
}

/* --- statements ------------------------------------------------------------------------------- */

/* May a store take its values in any order? `keeps`: the store leaves out what is no number. */
static bool may_change(const struct extremes *x, const struct ast *target, const struct ast *value,
                       bool keeps)
{
    bool is_whole = ast_class_is_integer(target->type->class);
    return value->type && value->type->class == target->type->class && !target->type->is_volatile &&
           target->type->class != AST_TYPE_BOOL &&
           (is_whole || keeps || x->ctx->reassociates) &&
           inlining_is_value(x->ctx->arena, x->unit, value);
}

/* The comparison of e and m by which e is taken; `keeps`: the choice keeps m where its own
   comparison fails. */
static enum ast_op taking_op(const struct chosen *chosen, bool keeps)
{
    bool is_strict = chosen->is_strict == keeps;
    if (chosen->is_least)
        return is_strict ? AST_OP_LT : AST_OP_LE;
    return is_strict ? AST_OP_GT : AST_OP_GE;
}

/* `m = e > m ? e : m;` */
static void store_order(const struct extremes *x, const struct ast *store, const struct ast *value,
                        enum ast_op op)
{
    struct arena *arena = x->ctx->arena;
    const struct ast *target = store->children[0], *taken = store->children[1];
    const struct ast *parts[] = {form_binary(arena, op, form_int(arena), taken, value, target),
                                 form_copy(arena, value), form_copy(arena, target)};
    *form_change(taken) = *form_make(arena, AST_CONDITIONAL, taken, target->type, 3, parts);
}

static void store_reorder(const struct extremes *x, const struct ast *store)
{
    const struct ast *target = store->children[0], *value = ast_plain(store->children[1]);
    const struct ast *values[] = {NULL, NULL};
    struct chosen chosen = {0};
    bool found = false, is_choice = value->kind == AST_CONDITIONAL;
    if (store->op != AST_OP_NONE || !type_is_scalar(target->type))
        return;
    if (value->kind == AST_CALL && extreme_called(x, value, &chosen)) {
        values[0] = ast_plain(value->children[0]);
        values[1] = ast_plain(value->children[1]);
        found = true;
    } else if (is_choice && !ast_class_is_integer(target->type->class)) {
        values[0] = ast_plain(value->children[1]);
        values[1] = ast_plain(value->children[2]);
        found = choice_read(value->children[0], values[0], values[1], values, &chosen);
    }
    if (!found)
        return;
    int kept = ast_equal(values[0], target) ? 0 : 1;
    bool keeps = chosen.kept == kept;
    if (chosen.kept < 0)             /* of equal values fmax gives the first one, as replay does */
        chosen.is_strict = kept != 0;
    if (ast_equal(values[kept], target) && !(is_choice && keeps) &&
        may_change(x, target, values[1 - kept], keeps))
        store_order(x, store, values[1 - kept], taking_op(&chosen, keeps));
}

/* The statement, or that of a block, which sets one side of a comparison to the other; NULL if
   there is none. */
static const struct ast *setter_among(const struct ast *statement, const struct ast *order)
{
    const struct ast *found = NULL;
    int n = statement->kind == AST_COMPOUND ? statement->n_children : 0;
    for (int i = 0; i < n && !found; i++)
        found = setter_among(statement->children[i], order);
    if (found || statement->kind != AST_ASSIGN || statement->op != AST_OP_NONE)
        return found;
    for (int i = 0; i < 2; i++)
        if (ast_equal(ast_plain(statement->children[0]), ast_plain(order->children[i])) &&
            ast_equal(ast_plain(statement->children[1]), ast_plain(order->children[1 - i])))
            return statement;
    return NULL;
}

/* `if (!(e <= m)) m = e;`, also where the condition is the last of several. */
static void condition_fold(const struct extremes *x, const struct ast *choice)
{
    const struct ast *condition = ast_strip(choice->children[0]);
    if (condition->kind == AST_BINARY && condition->op == AST_OP_LAND)
        condition = ast_strip(condition->children[1]);
    bool is_not = condition->kind == AST_UNARY && condition->op == AST_OP_NOT;
    const struct ast *order = is_not ? ast_strip(condition->children[0]) : NULL;
    if (!order || !is_order(order) || order->is_part || choice->n_children > 2)
        return;
    const struct ast *set = setter_among(choice->children[1], order);
    if (!set || !may_change(x, set->children[0], ast_plain(set->children[1]), false))
        return;
    struct ast *made = form_change(condition);
    made->kind = AST_BINARY;
    made->op = op_opposite(order->op);
    made->children = order->children;
    made->n_children = 2;
    made->is_made = true;
}

static void extremes_fold(const struct extremes *x, const struct ast *ast, bool in_loop)
{
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *child = ast->children[i];
        if (!child || (ast_is_expression(child) && !statement_is(ast, i)))
            continue;
        if (in_loop && child->kind == AST_ASSIGN)
            store_reorder(x, child);
        else if (in_loop && child->kind == AST_IF)
            condition_fold(x, child);
        if (!ast_is_expression(child))
            extremes_fold(x, child, in_loop || ast_is_loop(child));
    }
}

void extremes_order(struct ctx *ctx, struct ast_unit *unit, const struct ast *body)
{
    struct extremes x = {ctx, unit};
    extremes_fold(&x, body, false);
}
