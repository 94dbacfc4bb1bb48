/* What the head of a C `for` says: the variable, its first value, the comparison, the step.

   In: FOR nodes. Out: struct loop_head, whose parts are nodes of the AST; loop.c makes expressions
   of them. The variable must be one that the loop alone writes, and what bound and step read must
   stay as it is while the loop runs, so that the trip count is known before it starts. */
#include "frontend/header.h"
#include "metafork/loop.h"
#include "metafork/lower.h"

const char loop_canonical[] = "write `for (int k = a; k < b; k += c)`";

static bool read_start(struct lower *l, struct loop_head *head)
{
    const struct ast *start = head->node->children[0];
    head->decl = header_iterator(head->node->children[0], &head->start);
    if (head->decl)
        return true;
    bool several = start && (start->kind == AST_DECLARE || start->kind == AST_BINARY);
    refuse(l, start ? start : head->node,
           several ? "a `for` with several loop variables"
                   : "a `for` that does not set its variable",
           loop_canonical);
    return false;
}

/* The factor c of k * c or c * k; NULL if the node is none. */
static const struct ast *read_factor(const struct ast *node, const struct ast *decl)
{
    node = ast_strip(node);
    if (node->kind != AST_BINARY || node->op != AST_OP_MUL)
        return NULL;
    if (is_ref_to(node->children[0], decl))
        return node->children[1];
    return is_ref_to(node->children[1], decl) ? node->children[0] : NULL;
}

/* `k-- > b` or `k-- != b` in place of condition and step: the body has one less than what is
   compared. */
static bool counts_in_condition(const struct ast *node, const struct ast *decl)
{
    return node->children[1] && node->children[1]->kind == AST_BINARY &&
           header_counted(node, decl);
}

/* Reads a comparison of the variable times something. */
static bool read_multiple(const struct ast *c, struct loop_head *head)
{
    if (!is_comparison(c))
        return false;
    for (int i = 0; i < 2 && !head->factor; i++) {
        head->factor = read_factor(c->children[i], head->decl);
        head->op = i ? op_exchanged(c->op) : c->op;
        head->bound = c->children[1 - i];
    }
    return head->factor != NULL;
}

/* Reads a comparison of the variable, with a literal added or times something. */
static bool read_comparison(const struct ast *c, struct loop_head *head)
{
    struct header_comparison comparison;
    if (!header_compares(c, head->decl, &comparison))
        return read_multiple(c, head);
    head->op = comparison.op;
    head->bound = comparison.bound;
    head->ahead = comparison.plus;
    return true;
}

static bool read_bound(struct lower *l, struct loop_head *head)
{
    const struct ast *c = head->node->children[1];
    head->is_last = counts_in_condition(head->node, head->decl);
    if (head->is_last) {
        head->op = c->op;
        head->bound = c->children[1];
        return true;
    }
    if (read_comparison(c, head) && !(head->ahead && head->op == AST_OP_NE))
        return true;
    refuse(l, c ? c : head->node,
           c ? "a `for` whose condition is not one comparison of its variable"
             : "a `for` without a condition",
           loop_canonical);
    return false;
}

/* Are two names the same array? Parameters of an inlined function may be. */
static bool are_one(const struct lower *l, const struct ast *a, const struct ast *b)
{
    const struct symbol *first = map_get_pointer(l->symbols, a);
    const struct symbol *second = map_get_pointer(l->symbols, b);
    return a == b || (first && second && first->array && first->array == second->array);
}

/* May the body change an element of the array? */
static bool may_store_to(struct lower *l, const struct ast *body, const struct ast *array)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, body); n; n = ast_next(&walk)) {
        const struct ast *base = change_base(n);
        if (n->kind == AST_CALL || (base && are_one(l, base->decl, array)))
            return true;
    }
    return false;
}

/* A use of a variable in `root` that changes while the loop runs; NULL if there is none. */
static const struct ast *variant_in(struct lower *l, const struct ast *root,
                                    const struct loop_head *head)
{
    const struct ast *body = head->node->children[3];
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl && (n->decl == head->decl || ast_writes(body, n->decl)))
            return n;
    return NULL;
}

static bool stores_to_elements(struct lower *l, const struct ast *body)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, body); n; n = ast_next(&walk))
        if (n->kind == AST_CALL || change_base(n))
            return true;
    return false;
}

static bool is_element(const struct ast *node)
{
    return node->kind == AST_INDEX ||
           (node->kind == AST_UNARY && node->op == AST_OP_DEREFERENCE);
}

static bool has_load(const struct ast *node)
{
    if (!node || is_element(node))
        return node != NULL;
    for (int i = 0; i < node->n_children; i++)
        if (has_load(node->children[i]))
            return true;
    return false;
}

/* Does the call read elements of arrays, itself or by calls of its own? */
static bool call_loads(struct lower *l, const struct ast *call)
{
    const struct ast *function = call->decl;
    const struct ast *body = function && function->has_body ? ast_body(l->unit, function) : NULL;
    return body && (has_load(body) || ast_has(body, AST_CALL));
}

/* A load in `root` from an array that may change while the loop runs; NULL if there is none. */
static const struct ast *variant_load_in(struct lower *l, const struct ast *root,
                                         const struct loop_head *head)
{
    const struct ast *body = head->node->children[3];
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, l->arena, root); n; n = ast_next(&walk)) {
        const struct ast *base = is_element(n) ? ast_base(n) : NULL;
        if (base && may_store_to(l, body, base->decl))
            return n;
        if (n->kind == AST_CALL && call_loads(l, n) && stores_to_elements(l, body))
            return n;
    }
    return NULL;
}

/* Does everything that the node reads keep its value in the loop's body? False after a refusal. */
static bool is_invariant(struct lower *l, const struct ast *node, const struct loop_head *head,
                         const char *what)
{
    const struct ast *variant = variant_in(l, node, head);
    if (!variant)
        variant = variant_load_in(l, node, head);
    if (variant)
        refuse(l, variant, arena_printf(l->arena, "a `for` whose %s changes while it runs", what),
               "copy it to a variable before the loop");
    return !variant;
}

static bool variable_is_good(struct lower *l, const struct loop_head *head)
{
    enum type type;
    const struct ast *decl = head->decl, *at = head->node;
    if (!type_of(decl->type, &type) || type_is_floating(type) || type == TYPE_BOOL) {
        refuse(l, at,
               arena_printf(l->arena, "a loop over `%s` of type `%s`", decl->name,
                            decl->type ? decl->type->text : "?"),
               "count in an integer");
        return false;
    }
    if (ast_writes(at->children[3], decl)) {
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
    bool is_declared = at->children[0]->kind == AST_DECLARE;
    const struct ast *use = is_declared ? NULL : header_use_outside(body, decl);
    if (use) {
        refuse(l, use,
               arena_printf(l->arena, "using the loop variable `%s` outside its loop", decl->name),
               "declare the variable in the `for`");
        return false;
    }
    return true;
}

bool loop_head_read(struct lower *l, const struct ast *node, struct loop_head *head)
{
    *head = (struct loop_head){.node = node, .sign = -1};
    if (node->n_children < 4 || !node->children[3]) {
        refuse(l, node, "this `for`", loop_canonical);
        return false;
    }
    if (!read_start(l, head) || !read_bound(l, head) || !variable_is_good(l, head))
        return false;
    const struct ast *step = node->children[2];
    if (!head->is_last && !header_amount(step, head->decl, &head->sign, &head->amount)) {
        refuse(l, step ? step : node, "a `for` whose step does not add to its variable",
               loop_canonical);
        return false;
    }
    return is_invariant(l, head->bound, head, "bound") &&
           (!head->factor || is_invariant(l, head->factor, head, "bound")) &&
           (!head->amount || is_invariant(l, head->amount, head, "step"));
}

/* Has an expression anything that a thread computes or loads? */
static bool is_of_thread(const struct expr *e)
{
    bool found = e->kind == EXPR_LOAD || e->kind == EXPR_CALL ||
                 (e->kind == EXPR_VAR && e->var->kind != VAR_PARAM);
    for (int i = 0; i < e->n_arguments && !found; i++)
        found = is_of_thread(e->arguments[i]);
    return found;
}

static bool is_own_of_thread(const struct lower *l, const struct ast *n)
{
    const struct symbol *symbol = n->kind == AST_REF ? map_get_pointer(l->symbols, n->decl) : NULL;
    return n->kind == AST_INDEX || n->kind == AST_CALL ||
           (symbol && symbol->kind == SYMBOL_SCALAR && symbol->var->kind == VAR_LOCAL) ||
           (symbol && symbol->kind == SYMBOL_VALUE && is_of_thread(symbol->value));
}

/* Has a thread a step of its own, by which no rounds are counted? NULL: 1. */
static bool amount_varies(const struct lower *l, const struct ast *amount)
{
    struct ast_walk walk;
    if (!amount)
        return false;
    for (const struct ast *n = ast_first(&walk, l->arena, amount); n; n = ast_next(&walk))
        if (is_own_of_thread(l, n))
            return true;
    return false;
}

/* Has the head one variable, one comparison of it, and a step? */
static bool head_counts(const struct lower *l, const struct ast *node, const struct ast *decl)
{
    const struct ast *c = node->children[1], *amount;
    struct loop_head head = {.decl = decl};
    int sign;
    if (counts_in_condition(node, decl))
        return true;
    return read_comparison(c, &head) && header_amount(node->children[2], decl, &sign, &amount) &&
           !amount_varies(l, amount);
}

bool loop_counts(struct lower *l, const struct ast *node)
{
    const struct ast *value, *decl;
    if (node->n_children < 4 || !node->children[3])
        return true;
    if (ast_has_own_jump(node->children[3], AST_BREAK))
        return false;
    decl = header_iterator(node->children[0], &value);
    if (!decl || !head_counts(l, node, decl))
        return !node->children[1];
    const struct symbol *symbol = map_get_pointer(l->symbols, decl);
    const struct ast *body = l->frame ? ast_body(l->unit, l->frame->function) : l->body;
    return node->children[0]->kind == AST_DECLARE || !symbol || symbol->level != LEVEL_THREAD ||
           !header_use_outside(body, decl);
}

bool loop_start_read(const struct ast *body, const struct ast *node, struct loop_start *start)
{
    const struct ast *value, *amount, *decl = header_iterator(node->children[0], &value);
    enum type type, own;
    int sign;
    if (!decl || decl->is_global || decl->is_static ||
        ast_may_write(body, node->children[3], decl) ||
        ast_may_write(body, node->children[1], decl) ||
        !header_amount(node->children[2], decl, &sign, &amount) || !type_of(decl->type, &type) ||
        type_bytes(type) < 4 || type_is_floating(type))
        return false;
    value = ast_strip(value);
    amount = amount ? ast_strip(amount) : NULL;
    if (amount && amount->kind != AST_INTEGER)
        return false;
    int64_t step = amount ? amount->integer : 1;
    bool is_literal = value->kind == AST_INTEGER, is_signed = type_is_signed(type),
         is_down = (sign < 0) != (step < 0);
    *start = (struct loop_start){decl, value, is_down, !is_signed && !is_down};
    if (!is_literal && (!type_of(value->type, &own) || own != type))
        return false;
    return !is_down || is_signed || step == 1 || step == -1;
}
