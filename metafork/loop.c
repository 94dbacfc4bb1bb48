/* Loops: C's canonical `for` as the IR's, with a step above zero.

   In: what loop_head.c read. Out: STMT_FOR, or an axis of a band. `for (k = a; k < b; k += c)`
   keeps its form; `<=` and `!=` become `<`; a loop that counts down runs a counter up and k becomes
   a - counter; an axis always runs from 0 by 1. Where the comparison is done in another type than
   the variable's, the counter has the comparison's type and the variable is its conversion, so that
   unsigned and narrow loop variables mean what C says. */
#include "ir/walk.h"
#include "metafork/loop.h"
#include "metafork/lower.h"

/* Parameters and positive literals in a product are at least 1; false if it is no such product. */
static bool factors_keep(struct lower *l, const struct expr *e)
{
    int64_t value;
    while (e->kind == EXPR_CAST && type_bytes(e->type) >= 4 && !type_is_floating(e->type))
        e = e->arguments[0];
    if (expr_get_integer(e, &value))
        return value > 0;
    if (e->kind == EXPR_BINARY && e->op == OP_MUL)
        return factors_keep(l, e->arguments[0]) && factors_keep(l, e->arguments[1]);
    if (e->kind != EXPR_VAR || e->var->kind != VAR_PARAM || type_is_floating(e->type))
        return false;
    vec_push(l->arena, &l->divisors, e->var);
    return true;
}

/* The step, above zero; a literal below zero turns `*sign`. */
static const struct expr *amount_lower(struct lower *l, const struct ast *amount,
                                       enum type counter, int *sign)
{
    if (!amount)
        return expr_integer(l->arena, counter, 1);
    const struct expr *e = expression_lower(l, amount);
    int64_t value;
    if (e && expr_get_integer(e, &value) && value != 0 && value != INT64_MIN) {
        *sign = value < 0 ? -*sign : *sign;
        return expr_integer(l->arena, counter, value < 0 ? -value : value);
    }
    if (!e)
        return NULL;
    if (!factors_keep(l, e)) {
        refuse(l, amount,
               "a `for` with a step that is no product of positive literals and parameters",
               "name the step by a parameter, or write `k = a + c * r` in a loop over r");
        return NULL;
    }
    return expr_cast(l->arena, counter, e);
}

/* The bound with which the loop's `<` or `>` says what `op` says. */
static bool bound_direction(struct lower *l, const struct ast *node, enum ast_op op,
                            struct loop *loop)
{
    struct arena *arena = l->arena;
    bool up = op == AST_OP_LT || op == AST_OP_LE, down = op == AST_OP_GT || op == AST_OP_GE;
    int64_t value;
    if ((loop->down && up) || (!loop->down && down)) {
        refuse(l, node, "a `for` whose step leads away from its bound", loop_canonical);
        return false;
    }
    if (op == AST_OP_GE && !type_is_signed(loop->counter) &&
        expr_get_integer(loop->bound, &value) && value == 0) {
        refuse(l, node, "a `for` with an unsigned variable and `>= 0`, which never ends,",
               "count in an int");
        return false;
    }
    if (op == AST_OP_NE && (!expr_get_integer(loop->step, &value) || value != 1)) {
        refuse(l, node, "a `for` with `!=` and a step other than 1", "compare with `<`");
        return false;
    }
    const struct expr *one = expr_integer(arena, loop->counter, 1);
    if (op == AST_OP_LE)
        loop->bound = expr_binary(arena, OP_ADD, loop->bound, one);
    if (op == AST_OP_GE)
        loop->bound = expr_binary(arena, OP_SUB, loop->bound, one);
    return true;
}

/* ceil(b / c) for c > 0. Rounding up by b + c - 1 is right for b > -c only, and below the loop must
   not run: that is sure where it starts at zero or above. */
static const struct expr *ceiling(struct arena *arena, const struct loop *loop,
                                  const struct expr *c)
{
    const struct expr *b = loop->bound, *zero = expr_integer(arena, loop->counter, 0),
                      *one = expr_integer(arena, loop->counter, 1);
    const struct expr *raised = expr_binary(arena, OP_SUB, expr_binary(arena, OP_ADD, b, c), one);
    const struct expr *up = expr_binary(arena, OP_DIV, raised, c);
    int64_t from;
    if (expr_get_integer(loop->from, &from) && from >= 0)
        return up;
    return expr_select(arena, expr_binary(arena, OP_GT, b, zero), up,
                       expr_binary(arena, OP_DIV, b, c));
}

/* k * c < b is k < ceil(b / c) for c > 0 where numbers do not wrap. */
static bool bound_divide(struct lower *l, const struct loop_head *head, enum ast_op *op,
                         struct loop *loop)
{
    struct arena *arena = l->arena;
    const struct expr *c = expression_lower(l, head->factor);
    if (!c)
        return false;
    if ((*op != AST_OP_LT && *op != AST_OP_LE) || !type_is_signed(loop->counter) ||
        !factors_keep(l, c)) {
        refuse(l, head->node->children[1],
               "a `for` whose condition is not one comparison of its variable", loop_canonical);
        return false;
    }
    c = expr_cast(arena, loop->counter, c);
    if (*op == AST_OP_LE)
        loop->bound = expr_binary(arena, OP_ADD, loop->bound,
                                  expr_integer(arena, loop->counter, 1));
    loop->bound = ceiling(arena, loop, c);
    *op = AST_OP_LT;
    return true;
}

/* k + c < b is k < b - c where numbers do not wrap. */
static bool bound_shift(struct lower *l, const struct loop_head *head, struct loop *loop)
{
    if (!type_is_signed(loop->counter)) {
        refuse(l, head->node->children[1],
               "a `for` whose condition adds to its unsigned variable", loop_canonical);
        return false;
    }
    loop->bound = expr_binary(l->arena, OP_SUB, loop->bound,
                              expr_integer(l->arena, loop->counter, head->ahead));
    return true;
}

bool loop_read(struct lower *l, const struct ast *node, struct loop *loop)
{
    struct loop_head head;
    bool is_readable = loop_head_read(l, node, &head);
    *loop = (struct loop){.node = node, .decl = head.decl, .is_last = head.is_last};
    if (!is_readable)
        return false;
    const struct ast *condition = node->children[1];
    type_of(loop->decl->type, &loop->type);
    if (!type_of(condition->children[0]->type, &loop->counter) ||
        type_is_floating(loop->counter)) {
        refuse(l, condition, "a `for` that compares in floating point", "count in an integer");
        return false;
    }
    loop->step = amount_lower(l, head.amount, loop->counter, &head.sign);
    loop->down = head.sign < 0;
    loop->from = expression_lower(l, head.start);
    loop->bound = expression_lower(l, head.bound);
    if (!loop->step || !loop->from || !loop->bound)
        return false;
    loop->from = expr_cast(l->arena, loop->counter, expr_cast(l->arena, loop->type, loop->from));
    loop->bound = expr_cast(l->arena, loop->counter, loop->bound);
    enum ast_op op = head.op;
    if (head.factor && !bound_divide(l, &head, &op, loop))
        return false;
    if (head.ahead && !bound_shift(l, &head, loop))
        return false;
    return bound_direction(l, condition, op, loop);
}

/* from - bound (down) or bound - from (up), never below zero in unsigned arithmetic. */
static const struct expr *distance(struct lower *l, const struct loop *loop)
{
    struct arena *arena = l->arena;
    const struct expr *low = loop->down ? loop->bound : loop->from,
                      *high = loop->down ? loop->from : loop->bound;
    const struct expr *d = expr_binary(arena, OP_SUB, high, low);
    int64_t value;
    if (type_is_signed(loop->counter) || (expr_get_integer(low, &value) && value == 0))
        return d;
    return expr_select(arena, expr_binary(arena, OP_GT, high, low), d,
                       expr_integer(arena, loop->counter, 0));
}

static struct symbol *bind_variable(struct lower *l, const struct loop *loop,
                                    const struct expr *value)
{
    struct symbol *symbol = symbol_add(l, loop->decl, SYMBOL_VALUE);
    symbol->value = expr_cast(l->arena, loop->type, value);
    symbol->is_iterator = true;
    return symbol;
}

static bool is_stable(const struct expr *e)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL)
        return false;
    if (e->kind == EXPR_VAR && e->var->kind == VAR_LOCAL)
        return false;
    for (int i = 0; i < e->n_arguments; i++)
        if (!is_stable(e->arguments[i]))
            return false;
    return true;
}

/* The first value, kept in a local if it is not sure to stay what it was. */
static const struct expr *keep_start(struct lower *l, const struct loop *loop)
{
    if (is_stable(loop->from))
        return loop->from;
    struct var *var = local_add(l, arena_printf(l->arena, "%s_from", loop->decl->name),
                                loop->counter, VAR_LOCAL, loop->decl->loc);
    emit(l, stmt_let(l->arena, var, loop->from));
    return expr_var(l->arena, var);
}

/* What the variable is in the first round. */
static const struct expr *first_in_body(struct lower *l, const struct loop *loop)
{
    return loop->is_last ? expr_binary(l->arena, OP_SUB, loop->from,
                                       expr_integer(l->arena, loop->counter, 1))
                         : loop->from;
}

void loop_lower(struct lower *l, const struct ast *node)
{
    struct loop loop = {0};
    struct arena *arena = l->arena;
    if (!loop_read(l, node, &loop)) {
        if (loop.decl && !map_get_pointer(l->symbols, loop.decl))
            symbol_add(l, loop.decl, SYMBOL_BAD);
        return;
    }
    if (loop.down)
        loop.from = keep_start(l, &loop);
    struct var *var = local_add(l, loop.decl->name, loop.counter, VAR_ITERATOR, loop.decl->loc);
    const struct expr *counter = expr_var(arena, var), *zero = expr_integer(arena, loop.counter, 0);
    const struct expr *from = loop.down ? zero : loop.from,
                      *to = loop.down ? distance(l, &loop) : loop.bound;
    const struct expr *down = expr_binary(arena, OP_SUB, first_in_body(l, &loop), counter);
    bind_variable(l, &loop, loop.down ? down : counter);
    const struct stmt *body = body_nested(l, node->children[3]);
    emit(l, stmt_for(arena, var, from, to, loop.step, body));
}

/* Does the polynomial of `d` hold parameters only? A loop's variable that has the name of a scalar
   of the function counts as held: polynomials know names alone. */
static bool only_params_stay(struct lower *l, const struct expr *d, const struct poly *p)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, l->arena, d); e; e = expr_next(&walk)) {
        if (e->kind != EXPR_VAR || e->var->kind == VAR_PARAM)
            continue;
        if (poly_uses(p, ring_variable(l->scratch, e->var->name)) || scalar_outer(l, e->var->name))
            return false;
    }
    return true;
}

/* A distance in which the other loops' variables cancel, as in `for (i = i0; i < i0 + B; i++)`, as
   an expression over parameters; any other as it is. */
static const struct expr *distance_settle(struct lower *l, const struct expr *d)
{
    const struct poly *p = expr_reads_only_params(d) ? NULL : expr_poly(l->scratch, d);
    const struct expr *settled = p && only_params_stay(l, d, p) ? poly_host(l, p, d->type) : NULL;
    return settled ? settled : d;
}

/* ceil(distance / step), without the division where the polynomials divide exactly. */
static const struct expr *trip_count(struct lower *l, const struct loop *loop)
{
    struct arena *arena = l->arena;
    const struct expr *d = distance_settle(l, distance(l, loop));
    const struct expr *one = expr_integer(arena, loop->counter, 1);
    const struct poly *p = expr_reads_only_params(d) ? expr_poly(l->scratch, d) : NULL;
    const struct poly *q = p ? expr_poly(l->scratch, loop->step) : NULL;
    const struct poly *exact = q && !poly_is_zero(q) ? poly_divide_exact(p, q) : NULL;
    const struct expr *e = exact ? poly_host(l, exact, loop->counter) : NULL;
    if (e)
        return e;
    const struct expr *sum = expr_binary(arena, OP_ADD, d,
                                         expr_binary(arena, OP_SUB, loop->step, one));
    return expr_binary(arena, OP_DIV, extent_simplify(l, sum), loop->step);
}

bool loop_axis(struct lower *l, const struct loop *loop, const struct axis *reuse,
               struct axis *axis)
{
    struct arena *arena = l->arena;
    axis->extent = trip_count(l, loop);
    if (reuse)
        axis->var = reuse->var;
    else
        axis->var = local_add(l, loop->decl->name, loop->counter, VAR_ITERATOR, loop->decl->loc);
    if (reuse && reuse->var->type != loop->counter) {
        refuse(l, loop->node, "a second block band that counts in another type",
               "use the same type in all bands");
        return false;
    }
    const struct expr *offset = expr_binary(arena, OP_MUL, loop->step, expr_var(arena, axis->var));
    const struct expr *first = first_in_body(l, loop);
    bind_variable(l, loop, expr_binary(arena, loop->down ? OP_SUB : OP_ADD, first, offset));
    return true;
}
