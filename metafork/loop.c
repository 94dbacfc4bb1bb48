/* Loops: C's canonical `for` as the IR's, with a step above zero.

   In: FOR nodes. Out: STMT_FOR, or an axis of a band. `for (k = a; k < b; k += c)` keeps its form;
   `<=` and `!=` become `<`; a loop that counts down runs a counter up and k becomes a - counter; an
   axis always runs from 0 by 1. Where the comparison is done in another type than the variable's,
   the counter has the comparison's type and the variable is its conversion, so that unsigned and
   narrow loop variables mean what C says. Trip counts must not change while a loop runs: what its
   bound reads is not written in its body. */
#include "ir/walk.h"
#include "metafork/lower.h"

static const char canonical[] = "write `for (int k = a; k < b; k += c)`";

static bool is_ref(const struct ast *node, const struct ast *decl)
{
    node = node ? ast_strip(node) : NULL;
    return node && node->kind == AST_REF && node->decl == decl;
}

/* The variable of the loop and its first value. */
static const struct ast *read_start(struct lower *l, const struct ast *node, struct loop *loop)
{
    const struct ast *start = node->children[0];
    if (start && start->kind == AST_DECLARE && start->n_children == 1 &&
        start->children[0]->kind == AST_VARIABLE && start->children[0]->n_children == 1 &&
        !start->children[0]->is_static) {
        loop->decl = start->children[0];
        return loop->decl->children[0];
    }
    if (start && start->kind == AST_ASSIGN && !start->op && start->children[0]->kind == AST_REF) {
        loop->decl = start->children[0]->decl;
        return start->children[1];
    }
    refuse(l, start ? start : node,
           start && (start->kind == AST_DECLARE || start->kind == AST_BINARY)
               ? "a `for` with several loop variables"
               : "a `for` that does not set its variable",
           canonical);
    return NULL;
}

static enum ast_op mirror(enum ast_op op)
{
    switch (op) {
    case AST_OP_LT: return AST_OP_GT;
    case AST_OP_GT: return AST_OP_LT;
    case AST_OP_LE: return AST_OP_GE;
    case AST_OP_GE: return AST_OP_LE;
    default: return op;
    }
}

/* The factor c of k * c or c * k; NULL if the node is none. */
static const struct ast *read_factor(const struct ast *node, const struct ast *decl)
{
    node = ast_strip(node);
    if (node->kind != AST_BINARY || node->op != AST_OP_MUL)
        return NULL;
    if (is_ref(node->children[0], decl))
        return node->children[1];
    return is_ref(node->children[1], decl) ? node->children[0] : NULL;
}

/* A literal c >= 0 of k + c or k - c, with its sign; false if the node is none. */
static bool read_ahead(const struct ast *node, const struct ast *decl, int64_t *ahead)
{
    node = ast_strip(node);
    if (node->kind != AST_BINARY || (node->op != AST_OP_ADD && node->op != AST_OP_SUB))
        return false;
    bool swaps = node->op == AST_OP_ADD && is_ref(node->children[1], decl);
    const struct ast *amount = ast_strip(node->children[swaps ? 0 : 1]);
    bool literal = amount->kind == AST_INTEGER && amount->integer >= 0 &&
                   amount->integer <= INT16_MAX;
    *ahead = literal ? (node->op == AST_OP_SUB ? -amount->integer : amount->integer) : 0;
    return literal && is_ref(node->children[swaps ? 1 : 0], decl);
}

/* `k-- > b` or `k-- != b` in place of condition and step: the body has one less than what is
   compared. */
static bool counts_in_condition(const struct ast *node, const struct ast *decl)
{
    const struct ast *c = node->children[1];
    bool compares = c && c->kind == AST_BINARY && (c->op == AST_OP_GT || c->op == AST_OP_NE);
    const struct ast *old = compares ? ast_strip(c->children[0]) : NULL;
    return old && !node->children[2] && old->kind == AST_UNARY &&
           old->op == AST_OP_POST_DECREMENT && is_ref(old->children[0], decl);
}

/* The relation between variable and bound; NULL unless the condition is one comparison with the
   variable alone, with a literal added, or with the variable times `*factor`. */
static const struct ast *read_bound(struct lower *l, const struct ast *node,
                                    struct loop *loop, enum ast_op *op,
                                    const struct ast **factor)
{
    const struct ast *c = node->children[1];
    bool compares = c && c->kind == AST_BINARY &&
                    ((c->op >= AST_OP_LT && c->op <= AST_OP_GE) || c->op == AST_OP_NE);
    loop->is_last = counts_in_condition(node, loop->decl);
    if (c && (loop->is_last || (compares && is_ref(c->children[0], loop->decl)))) {
        *op = c->op;
        return c->children[1];
    }
    if (compares && is_ref(c->children[1], loop->decl)) {
        *op = mirror(c->op);
        return c->children[0];
    }
    if (compares)
        for (int i = 0; i < 2; i++)
            if ((*factor = read_factor(c->children[i], loop->decl)) ||
                (c->op != AST_OP_NE && read_ahead(c->children[i], loop->decl, &loop->ahead))) {
                *op = i ? mirror(c->op) : c->op;
                return c->children[1 - i];
            }
    refuse(l, c ? c : node, c ? "a `for` whose condition is not one comparison of its variable"
                              : "a `for` without a condition", canonical);
    return NULL;
}

/* The amount added to the variable; `sign` is -1 if it is subtracted. NULL amount means 1. */
static bool read_step(const struct ast *step, const struct ast *decl, int *sign,
                      const struct ast **amount)
{
    *amount = NULL;
    *sign = 1;
    if (!step)
        return false;
    if (step->kind == AST_UNARY && step->op >= AST_OP_PRE_INCREMENT &&
        step->op <= AST_OP_POST_DECREMENT) {
        *sign = step->op == AST_OP_PRE_INCREMENT || step->op == AST_OP_POST_INCREMENT ? 1 : -1;
        return is_ref(step->children[0], decl);
    }
    if (step->kind != AST_ASSIGN || !is_ref(step->children[0], decl))
        return false;
    const struct ast *value = step->children[1];
    enum ast_op op = step->op;
    if (!op) {
        value = ast_strip(value);
        op = value->kind == AST_BINARY ? value->op : AST_OP_NONE;
        bool left = op && is_ref(value->children[0], decl),
             right = op == AST_OP_ADD && is_ref(value->children[1], decl);
        if (!left && !right)
            return false;
        value = value->children[left ? 1 : 0];
    }
    *sign = op == AST_OP_SUB ? -1 : 1;
    *amount = value;
    return op == AST_OP_ADD || op == AST_OP_SUB;
}

/* The variable that the head sets, and its first value; NULL if it sets none, or several. */
static const struct ast *first_value(const struct ast *node, const struct ast **value)
{
    const struct ast *start = node->children[0];
    if (start && start->kind == AST_DECLARE && start->n_children == 1 &&
        start->children[0]->n_children == 1) {
        *value = start->children[0]->children[0];
        return start->children[0];
    }
    if (!start || start->kind != AST_ASSIGN || start->op || start->children[0]->kind != AST_REF)
        return NULL;
    *value = start->children[1];
    return start->children[0]->decl;
}

bool loop_start_read(const struct ast *node, struct loop_start *start)
{
    const struct ast *value, *amount, *decl = first_value(node, &value);
    enum type type, own;
    int sign;
    if (!decl || decl->is_global || decl->is_static || ast_writes(node->children[3], decl) ||
        (node->children[1] && ast_writes(node->children[1], decl)) ||
        !read_step(node->children[2], decl, &sign, &amount) || !type_of(decl->type, &type) ||
        type_bytes(type) < 4 || type_is_floating(type))
        return false;
    value = ast_strip(value);
    amount = amount ? ast_strip(amount) : NULL;
    bool is_literal = value->kind == AST_INTEGER, is_signed = type_is_signed(type);
    *start = (struct loop_start){decl, value, sign < 0, !is_signed && sign > 0};
    if (!is_literal && (!type_of(value->type, &own) || own != type))
        return false;
    if (sign < 0 && !is_signed && amount && (amount->kind != AST_INTEGER || amount->integer != 1))
        return false;
    return !amount || amount->kind == AST_INTEGER;
}

static bool is_write(const struct ast *node)
{
    if (node->kind == AST_UNARY)
        return node->op >= AST_OP_PRE_INCREMENT && node->op <= AST_OP_POST_DECREMENT;
    return node->kind == AST_ASSIGN;
}

/* May the body change an element of the array? */
static bool may_store_to(struct lower *l, const struct ast *body, const struct ast *array)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, body); n; n = ast_next(&walk)) {
        const struct ast *base = is_write(n) ? ast_base(n->children[0]) : NULL;
        if (n->kind == AST_CALL || (base && base->decl == array))
            return true;
    }
    return false;
}

/* A use of a variable in `root` that changes while the loop runs; NULL if there is none. */
static const struct ast *variant_in(struct lower *l, const struct ast *root,
                                    const struct loop *loop)
{
    const struct ast *body = loop->node->children[3];
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl && (n->decl == loop->decl || ast_writes(body, n->decl)))
            return n;
    return NULL;
}

/* A load in `root` from an array that may change while the loop runs; NULL if there is none. */
static const struct ast *variant_load_in(struct lower *l, const struct ast *root,
                                         const struct loop *loop)
{
    const struct ast *body = loop->node->children[3];
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, root); n; n = ast_next(&walk)) {
        const struct ast *base = n->kind == AST_INDEX ? ast_base(n) : NULL;
        if (base && may_store_to(l, body, base->decl))
            return n;
    }
    return NULL;
}

/* Does everything that the node reads keep its value in the loop's body? False after a refusal. */
static bool is_invariant(struct lower *l, const struct ast *node, const struct loop *loop,
                         const char *what)
{
    const struct ast *variant = variant_in(l, node, loop);
    if (!variant)
        variant = variant_load_in(l, node, loop);
    if (variant)
        refuse(l, variant, arena_printf(l->arena, "a `for` whose %s changes while it runs", what),
               "copy it to a variable before the loop");
    return !variant;
}

static bool is_loop_over(const struct ast *node, const struct ast *decl)
{
    const struct ast *start = node->kind == AST_FOR ? node->children[0] : NULL;
    return start && start->kind == AST_ASSIGN && is_ref(start->children[0], decl) &&
           !ast_mentions(start->children[1], decl);
}

/* A use of the variable that stands in no loop over it; NULL if there is none. */
static const struct ast *use_outside(struct lower *l, const struct ast *body,
                                     const struct ast *decl)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, body); n; n = ast_next(&walk)) {
        if (is_loop_over(n, decl))
            ast_skip(&walk);
        else if (n->kind == AST_REF && n->decl == decl)
            return n;
    }
    return NULL;
}

static bool variable_is_good(struct lower *l, const struct loop *loop)
{
    enum type type;
    const struct ast *decl = loop->decl, *at = loop->node;
    if (!type_of(decl->type, &type) || type_is_floating(type) || type == TYPE_BOOL) {
        refuse(l, at,
               arena_printf(l->arena, "a loop over `%s` of type `%s`", decl->name,
                            decl->type ? decl->type->text : "?"),
               "count in an integer");
        return false;
    }
    if (ast_writes(loop->node->children[3], decl)) {
        refuse(l, at,
               arena_printf(l->arena, "a `for` whose variable `%s` is written in its body",
                            decl->name),
               "use another variable; trip counts must be known before a loop starts");
        return false;
    }
    if (decl->is_global || decl->is_static) {
        refuse(l, at,
               arena_printf(l->arena, "a loop over the variable `%s` of static storage",
                            decl->name),
               "declare the variable in the `for`");
        return false;
    }
    const struct ast *body = l->frame ? ast_body(l->unit, l->frame->function) : l->body;
    bool is_declared = loop->node->children[0]->kind == AST_DECLARE;
    const struct ast *use = is_declared ? NULL : use_outside(l, body, decl);
    if (use) {
        refuse(l, use,
               arena_printf(l->arena, "using the loop variable `%s` outside its loop", decl->name),
               "declare the variable in the `for`");
        return false;
    }
    return true;
}

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

static const struct expr *read_amount(struct lower *l, const struct ast *amount, struct loop *loop,
                                      int *sign)
{
    if (!amount)
        return expr_integer(l->arena, loop->counter, 1);
    if (!is_invariant(l, amount, loop, "step"))
        return NULL;
    const struct expr *e = expression_lower(l, amount);
    int64_t value;
    if (e && expr_get_integer(e, &value) && value != 0 && value != INT64_MIN) {
        *sign = value < 0 ? -*sign : *sign;
        return expr_integer(l->arena, loop->counter, value < 0 ? -value : value);
    }
    if (!e)
        return NULL;
    if (!factors_keep(l, e)) {
        refuse(l, amount,
               "a `for` with a step that is no product of positive literals and parameters",
               "name the step by a parameter, or write `k = a + c * r` in a loop over r");
        return NULL;
    }
    return expr_cast(l->arena, loop->counter, e);
}

static bool bound_direction(struct lower *l, const struct ast *node, enum ast_op op, int sign,
                            struct loop *loop)
{
    struct arena *arena = l->arena;
    bool up = op == AST_OP_LT || op == AST_OP_LE, down = op == AST_OP_GT || op == AST_OP_GE;
    loop->down = sign < 0;
    if ((loop->down && up) || (!loop->down && down)) {
        refuse(l, node, "a `for` whose step leads away from its bound", canonical);
        return false;
    }
    const struct expr *one = expr_integer(arena, loop->counter, 1);
    if (op == AST_OP_LE)
        loop->bound = expr_binary(arena, OP_ADD, loop->bound, one);
    if (op == AST_OP_GE && !type_is_signed(loop->counter)) {
        int64_t value;
        if (expr_get_integer(loop->bound, &value) && value == 0) {
            refuse(l, node, "a `for` with an unsigned variable and `>= 0`, which never ends,",
                   "count in an int");
            return false;
        }
    }
    if (op == AST_OP_GE)
        loop->bound = expr_binary(arena, OP_SUB, loop->bound, one);
    if (op == AST_OP_NE) {
        int64_t step;
        if (!expr_get_integer(loop->step, &step) || step != 1) {
            refuse(l, node, "a `for` with `!=` and a step other than 1", "compare with `<`");
            return false;
        }
    }
    return true;
}

/* k * c < b is k < ceil(b / c) for c > 0 where numbers do not wrap. */
static bool bound_divide(struct lower *l, const struct ast *node, const struct ast *factor,
                         enum ast_op *op, struct loop *loop)
{
    struct arena *arena = l->arena;
    const struct expr *c = is_invariant(l, factor, loop, "bound") ? expression_lower(l, factor)
                                                                  : NULL;
    if (!c)
        return false;
    if ((*op != AST_OP_LT && *op != AST_OP_LE) || !type_is_signed(loop->counter) ||
        !factors_keep(l, c)) {
        refuse(l, node->children[1],
               "a `for` whose condition is not one comparison of its variable", canonical);
        return false;
    }
    const struct expr *one = expr_integer(arena, loop->counter, 1);
    c = expr_cast(arena, loop->counter, c);
    if (*op == AST_OP_LE)
        loop->bound = expr_binary(arena, OP_ADD, loop->bound, one);
    loop->bound =
        expr_binary(arena, OP_DIV,
                    expr_binary(arena, OP_SUB, expr_binary(arena, OP_ADD, loop->bound, c), one), c);
    *op = AST_OP_LT;
    return true;
}

/* k + c < b is k < b - c where numbers do not wrap. */
static bool bound_shift(struct lower *l, const struct ast *node, struct loop *loop)
{
    struct arena *arena = l->arena;
    const struct expr *c = expr_integer(arena, loop->counter, loop->ahead);
    if (!type_is_signed(loop->counter)) {
        refuse(l, node->children[1],
               "a `for` whose condition adds to its unsigned variable", canonical);
        return false;
    }
    loop->bound = expr_binary(arena, OP_SUB, loop->bound, c);
    return true;
}

/* The variable that a loop gives a value to begin with, and counts; NULL if that is not one. */
static const struct ast *variable_of(const struct ast *node)
{
    const struct ast *start = node->children[0];
    if (start && start->kind == AST_DECLARE && start->n_children == 1)
        return start->children[0];
    bool sets = start && start->kind == AST_ASSIGN && start->children[0]->kind == AST_REF;
    return sets ? start->children[0]->decl : NULL;
}

static bool counts_in(const struct ast *side, const struct ast *decl)
{
    int64_t ahead;
    return is_ref(side, decl) || read_factor(side, decl) || read_ahead(side, decl, &ahead);
}

bool loop_counts(struct lower *l, const struct ast *node)
{
    const struct ast *c = node->n_children > 3 ? node->children[1] : NULL, *decl;
    if (node->n_children < 4 || !node->children[3])
        return true;
    decl = variable_of(node);
    bool compares = decl && c && c->kind == AST_BINARY &&
                    ((c->op >= AST_OP_LT && c->op <= AST_OP_GE) || c->op == AST_OP_NE);
    bool counts = compares && (counts_in(c->children[0], decl) || counts_in(c->children[1], decl));
    int sign;
    const struct ast *amount;
    counts = (counts && read_step(node->children[2], decl, &sign, &amount)) ||
             (decl && counts_in_condition(node, decl));
    if (ast_breaks(node->children[3]) || !counts)
        return !c && !ast_breaks(node->children[3]);
    const struct symbol *symbol = map_get_pointer(l->symbols, decl);
    const struct ast *body = l->frame ? ast_body(l->unit, l->frame->function) : l->body;
    return node->children[0]->kind == AST_DECLARE || !symbol || symbol->level != LEVEL_THREAD ||
           !use_outside(l, body, decl);
}

bool loop_read(struct lower *l, const struct ast *node, struct loop *loop)
{
    enum ast_op op;
    int sign;
    const struct ast *amount, *factor = NULL;
    loop->node = node;
    if (node->n_children < 4 || !node->children[3]) {
        refuse(l, node, "this `for`", canonical);
        return false;
    }
    const struct ast *start = read_start(l, node, loop);
    const struct ast *bound = start ? read_bound(l, node, loop, &op, &factor) : NULL;
    if (!bound || !variable_is_good(l, loop))
        return false;
    if (loop->is_last) {
        sign = -1;
        amount = NULL;
    } else if (!read_step(node->children[2], loop->decl, &sign, &amount)) {
        refuse(l, node->children[2] ? node->children[2] : node,
               "a `for` whose step does not add to its variable", canonical);
        return false;
    }
    type_of(loop->decl->type, &loop->type);
    if (!type_of(node->children[1]->children[0]->type, &loop->counter) ||
        type_is_floating(loop->counter)) {
        refuse(l, node->children[1], "a `for` that compares in floating point",
               "count in an integer");
        return false;
    }
    if (!is_invariant(l, bound, loop, "bound"))
        return false;
    loop->step = read_amount(l, amount, loop, &sign);
    loop->from = expression_lower(l, start);
    loop->bound = expression_lower(l, bound);
    if (!loop->step || !loop->from || !loop->bound)
        return false;
    loop->from = expr_cast(l->arena, loop->counter, expr_cast(l->arena, loop->type, loop->from));
    loop->bound = expr_cast(l->arena, loop->counter, loop->bound);
    if (factor && !bound_divide(l, node, factor, &op, loop))
        return false;
    if (loop->ahead && !bound_shift(l, node, loop))
        return false;
    return bound_direction(l, node->children[1], op, sign, loop);
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
    if (loop.is_last)
        loop.from = expr_binary(arena, OP_SUB, loop.from, expr_integer(arena, loop.counter, 1));
    bind_variable(l, &loop, loop.down ? expr_binary(arena, OP_SUB, loop.from, counter) : counter);
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
    bind_variable(l, loop, expr_binary(arena, loop->down ? OP_SUB : OP_ADD, loop->from, offset));
    return true;
}
