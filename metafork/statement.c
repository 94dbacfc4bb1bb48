/* Statements of C as statements of the IR, at block level and inside bands.

   In: AST statements of a region or of an inlined function. Out: statements appended to the current
   list. Levels: at block level all threads run the same code, so stores to the region's arrays are
   refused there; inside a band only what is declared inside it may be written. What is no case here
   is refused by its kind (frontend/refusal.def). */
#include "ir/reduction.h"
#include "metafork/lower.h"

void emit(struct lower *l, const struct stmt *s)
{
    vec_push(l->arena, l->block, s);
}

const struct stmt *nested_lower(struct lower *l, const struct ast *node)
{
    stmt_list list = {0}, *outer = l->block;
    l->block = &list;
    if (node)
        statement_lower(l, node);
    l->block = outer;
    return stmt_sequence(l->arena, list.at, (int)list.count);
}

static bool is_jump(const struct ast *node, enum ast_kind jump)
{
    return node->kind == jump || (jump == AST_CONTINUE && node->kind == AST_BREAK);
}

/* Does the statement leave its list by the jump? A `continue` and a `break` belong to the innermost
   loop. */
static bool jumps(const struct ast *node, enum ast_kind jump)
{
    if (!node || is_jump(node, jump))
        return node != NULL;
    if (jump == AST_CONTINUE && ast_is_loop(node))
        return false;
    for (int i = 0; i < node->n_children; i++)
        if (jumps(node->children[i], jump))
            return true;
    return false;
}

/* Is nothing behind the statement ever reached? */
static bool always_jumps(const struct ast *node, enum ast_kind jump)
{
    if (!node || is_jump(node, jump))
        return node != NULL;
    if (node->kind == AST_IF)
        return node->n_children > 2 && always_jumps(node->children[1], jump) &&
               always_jumps(node->children[2], jump);
    if (node->kind != AST_COMPOUND)
        return false;
    for (int i = 0; i < node->n_children; i++)
        if (always_jumps(node->children[i], jump))
            return true;
    return false;
}

static bool tail_has_meta(const struct tail *tail)
{
    for (; tail; tail = tail->next)
        for (int i = 0; i < tail->n; i++)
            if (ast_has_meta(tail->at[i]))
                return true;
    return false;
}

static const struct stmt *nested_tail(struct lower *l, const struct ast *first,
                                      const struct tail *rest)
{
    stmt_list list = {0}, *outer = l->block;
    struct tail tail = {&first, first ? 1 : 0, rest, rest->jump};
    bool returns = rest->jump == AST_RETURN;
    l->block = &list;
    if (returns)
        l->frame->depth++;
    tail_lower(l, &tail);
    if (returns)
        l->frame->depth--;
    l->block = outer;
    return stmt_sequence(l->arena, list.at, (int)list.count);
}

static void branches_emit(struct lower *l, const struct expr *condition, const struct stmt *then,
                          const struct stmt *otherwise)
{
    bool is_guard = then->kind == STMT_SEQUENCE && then->n_children == 0;
    if (otherwise->kind == STMT_SEQUENCE && otherwise->n_children == 0)
        otherwise = is_guard ? otherwise : NULL;
    if (is_guard)
        emit(l, stmt_if(l->arena, condition_negate(l, condition), otherwise, NULL));
    else
        emit(l, stmt_if(l->arena, condition, then, otherwise));
}

/* An `if` with a jump below it, and what follows. */
static void tail_branch(struct lower *l, const struct ast *s, const struct tail *rest)
{
    const struct ast *otherwise = s->n_children > 2 ? s->children[2] : NULL;
    bool is_twice = !always_jumps(s->children[1], rest->jump) &&
                    !always_jumps(otherwise, rest->jump);
    if (++l->inlined > 4000) {
        refuse(l, s, "this many nested jumps", "put the rest of the body into an `if`");
        return;
    }
    if (is_twice && tail_has_meta(rest)) {
        refuse(l, s, "a `continue` in a branch that does not always jump, before a meta_for,",
               "put the rest of the body into an `if`");
        return;
    }
    const struct expr *c = condition_lower(l, s->children[0]);
    const struct stmt *then = nested_tail(l, s->children[1], rest);
    const struct stmt *other = nested_tail(l, otherwise, rest);
    if (c)
        branches_emit(l, c, then, other);
}

/* What follows an `if` with a jump goes into both branches. */
void tail_lower(struct lower *l, const struct tail *tail)
{
    for (; tail; tail = tail->next)
        for (int i = 0; i < tail->n; i++) {
            const struct ast *s = tail->at[i];
            struct tail rest = {tail->at + i + 1, tail->n - i - 1, tail->next, tail->jump};
            if (is_jump(s, tail->jump)) {
                if (s->kind == AST_RETURN)
                    return_lower(l, s);
                if (s->kind == AST_BREAK)
                    break_lower(l, s);
                return;
            }
            if (!jumps(s, tail->jump)) {
                statement_lower(l, s);
            } else if (s->kind == AST_COMPOUND) {
                tail_lower(l, &(struct tail){s->children, s->n_children, &rest, tail->jump});
                return;
            } else if (s->kind == AST_IF && s->n_children >= 2) {
                tail_branch(l, s, &rest);
                return;
            } else if (tail->jump == AST_RETURN) {
                refuse(l, s, "`return` inside a loop", "end the function with one `return`");
                return;
            } else {
                refuse_kind(l, s);
                return;
            }
        }
}

void body_lower(struct lower *l, const struct ast *body)
{
    tail_lower(l, &(struct tail){&body, 1, NULL, AST_CONTINUE});
}

const struct stmt *body_nested(struct lower *l, const struct ast *body)
{
    stmt_list list = {0}, *outer = l->block;
    l->block = &list;
    body_lower(l, body);
    l->block = outer;
    return stmt_sequence(l->arena, list.at, (int)list.count);
}

static const char *declaration_fault(const struct ast *decl)
{
    if (decl->is_static)
        return "a static local variable";
    return decl->is_extern ? "an extern declaration" : NULL;
}

static void scalar_declare(struct lower *l, const struct ast *decl)
{
    enum type type;
    if (!type_of(decl->type, &type)) {
        refuse_type(l, decl, decl->type);
        symbol_add(l, decl, SYMBOL_BAD);
        return;
    }
    const struct ast *initialiser = decl->n_children ? decl->children[0] : NULL;
    if (initialiser && initialiser->kind == AST_LIST && initialiser->n_children == 1)
        initialiser = initialiser->children[0];
    const struct expr *value = initialiser ? expression_lower(l, initialiser) : NULL;
    struct symbol *symbol = symbol_add(l, decl, initialiser && !value ? SYMBOL_BAD : SYMBOL_SCALAR);
    if (symbol->kind == SYMBOL_BAD)
        return;
    symbol->var = local_add(l, decl->name, type, VAR_LOCAL, decl->loc);
    emit(l, stmt_let(l->arena, symbol->var, value));
}

void declaration_lower(struct lower *l, const struct ast *decl)
{
    if (decl->kind == AST_TYPEDEF || decl->kind == AST_ENUM || decl->kind == AST_STRUCT ||
        decl->kind == AST_UNION)
        return;
    if (decl->kind != AST_VARIABLE) {
        refuse_kind(l, decl);
        return;
    }
    if (declaration_fault(decl)) {
        refuse(l, decl, declaration_fault(decl), "declare it before the region");
        symbol_add(l, decl, SYMBOL_BAD);
    } else if (decl->type->class == AST_TYPE_ARRAY && !decl->type->is_volatile)
        array_local(l, decl);
    else
        scalar_declare(l, decl);
}

static const struct expr *combine(struct lower *l, enum ast_op op, const struct expr *old,
                                  const struct expr *value)
{
    static const enum op ops[AST_OPS] =
        {[AST_OP_ADD] = OP_ADD, [AST_OP_SUB] = OP_SUB, [AST_OP_MUL] = OP_MUL, [AST_OP_DIV] = OP_DIV,
         [AST_OP_REM] = OP_REM, [AST_OP_SHL] = OP_SHL, [AST_OP_SHR] = OP_SHR, [AST_OP_AND] = OP_AND,
         [AST_OP_XOR] = OP_XOR, [AST_OP_OR] = OP_OR};
    return op ? expr_binary(l->arena, ops[op], old, value) : value;
}

static void element_assign(struct lower *l, const struct ast *target, enum ast_op op,
                           const struct expr *value)
{
    const struct expr **indices;
    const struct array *array = array_element(l, target, &indices);
    if (!array)
        return;
    if (array->space == SPACE_GLOBAL && l->level != LEVEL_THREAD) {
        refuse(l, target,
               arena_printf(l->arena, "a store to `%s` outside the bands of threads", array->name),
               "put it inside a meta_for of the block band");
        return;
    }
    const struct symbol *symbol = symbol_find(l, ast_base(target)->decl, target);
    if (array->space == SPACE_PRIVATE && symbol->level < l->level) {
        refuse(l, target,
               arena_printf(l->arena, "writing `%s` in a band, which is declared before it,",
                            array->name),
               "declare it inside the innermost meta_for");
        return;
    }
    const struct expr *old =
        op ? expr_load(l->arena, array, (const struct expr *const *)indices, target->loc) : NULL;
    emit(l, stmt_store(l->arena, array, (const struct expr *const *)indices,
                       combine(l, op, old, value), target->loc));
}

/* The advice for a store to a scalar that is declared outside. */
static const char *outside_advice(struct lower *l, const char *name, enum ast_op op)
{
    static const enum reduce_op sums[AST_OPS] = {
        [AST_OP_ADD] = REDUCE_ADD, [AST_OP_SUB] = REDUCE_ADD, [AST_OP_MUL] = REDUCE_MUL,
        [AST_OP_AND] = REDUCE_AND, [AST_OP_OR] = REDUCE_OR,   [AST_OP_XOR] = REDUCE_XOR};
    if (!sums[op])
        return "store the result into an element of an array; a minimum or maximum over all "
               "iterations is named in meta_reduce";
    return arena_printf(l->arena,
                        "a sum over iterations is said by `meta_schedule meta_reduce(%s, %s)`",
                        reduction_text(sums[op]), name);
}

static void scalar_assign(struct lower *l, const struct ast *target, enum ast_op op,
                          const struct expr *value)
{
    const struct symbol *symbol = symbol_find(l, target->decl, target);
    const char *name = target->decl->name;
    if (symbol->kind == SYMBOL_BAD)
        return;
    if (symbol->is_iterator)
        refuse(l, target, arena_printf(l->arena, "writing the loop variable `%s`", name),
               "use another variable; trip counts must be known before a loop starts");
    else if (symbol->kind == SYMBOL_ARRAY && symbol->array->is_scalar)
        element_assign(l, target, op, value);
    else if (symbol->kind == SYMBOL_ARRAY)
        refuse(l, target, arena_printf(l->arena, "assigning to the array or pointer `%s`", name),
               "assign to an element");
    else if (symbol->level == LEVEL_HOST || symbol->kind != SYMBOL_SCALAR)
        refuse(l, target, arena_printf(l->arena, "writing `%s`, which is declared outside,", name),
               outside_advice(l, name, op));
    else if (symbol->level < l->level)
        refuse(l, target,
               arena_printf(l->arena, "writing `%s` in a band, which is declared before it,", name),
               "declare it inside the innermost meta_for");
    else
        emit(l, stmt_set(l->arena, symbol->var,
                         combine(l, op, expr_var(l->arena, symbol->var), value)));
}

static bool is_dereference(const struct ast *node)
{
    return node->kind == AST_UNARY && node->op == AST_OP_DEREFERENCE;
}

static void assign_lower(struct lower *l, const struct ast *target, enum ast_op op,
                         const struct expr *value)
{
    enum type type;
    if (!value)
        return;
    if (target->kind == AST_REF)
        scalar_assign(l, target, op, value);
    else if ((target->kind == AST_INDEX || is_dereference(target)) &&
             type_of(target->type, &type))
        element_assign(l, target, op, value);
    else
        expression_lower(l, target);   /* refused there by name */
}

/* `a = b = e`: b is set first, then a to what b holds: the value is kept, as others may write b. */
static void assignment_lower(struct lower *l, const struct ast *node)
{
    const struct ast *outer = l->chained, *value = ast_strip(node->children[1]);
    l->chained = value->kind == AST_ASSIGN && value->op == AST_OP_NONE ? value : NULL;
    assign_lower(l, node->children[0], node->op, expression_lower(l, node->children[1]));
    l->chained = outer;
}

const struct expr *chained_lower(struct lower *l, const struct ast *node)
{
    enum type type;
    const struct ast *target = node->children[0], *inner = ast_strip(node->children[1]);
    l->chained = inner->kind == AST_ASSIGN && inner->op == AST_OP_NONE ? inner : NULL;
    const struct expr *value = expression_lower(l, node->children[1]);
    if (!value || !type_of(target->type, &type)) {
        assign_lower(l, target, AST_OP_NONE, value);
        return NULL;
    }
    struct var *held = local_add(l, "held", type, VAR_LOCAL, node->loc);
    emit(l, stmt_let(l->arena, held, value));
    assign_lower(l, target, AST_OP_NONE, expr_var(l->arena, held));
    return expr_var(l->arena, held);
}

static void update_lower(struct lower *l, const struct ast *node)
{
    enum type type;
    const struct ast *target = node->children[0];
    bool up = node->op == AST_OP_PRE_INCREMENT || node->op == AST_OP_POST_INCREMENT;
    if (target->type && target->type->class == AST_TYPE_POINTER)
        refuse(l, node, "pointer arithmetic", "write `a[i]` with the array's own name");
    else if (type_of(target->type, &type))
        assign_lower(l, target, up ? AST_OP_ADD : AST_OP_SUB, expr_integer(l->arena, TYPE_I32, 1));
    else
        refuse_type(l, node, target->type);
}

static void if_lower(struct lower *l, const struct ast *node)
{
    if (node->n_children < 2) {
        refuse_kind(l, node);
        return;
    }
    size_t known = l->known.count;
    const struct expr *c = condition_lower(l, node->children[0]);
    calls_share(l, known, node->children[1]);
    const struct stmt *then = nested_lower(l, node->children[1]);
    l->known.count = known;
    const struct stmt *otherwise = node->n_children > 2 ? nested_lower(l, node->children[2]) : NULL;
    if (c)
        emit(l, stmt_if(l->arena, c, then, otherwise));
}

/* A value that nobody uses: computed for its refusals only. */
static void expression_statement(struct lower *l, const struct ast *node)
{
    while (node->kind == AST_CAST && node->type && node->type->class == AST_TYPE_VOID &&
           node->n_children)
        node = node->children[node->n_children - 1];
    if (node->kind == AST_REF)
        return;
    if (node->kind == AST_CALL)
        call_lower(l, node, true);
    else
        expression_lower(l, node);
}

void statement_lower(struct lower *l, const struct ast *node)
{
    switch (node->kind) {
    case AST_COMPOUND:
        for (int i = 0; i < node->n_children; i++)
            statement_lower(l, node->children[i]);
        return;
    case AST_EMPTY: return;
    case AST_DECLARE:
        for (int i = 0; i < node->n_children; i++)
            declaration_lower(l, node->children[i]);
        return;
    case AST_IF: if_lower(l, node); return;
    case AST_FOR:
        if (node->is_meta)
            band_lower(l, node);
        else if (l->level == LEVEL_THREAD && !loop_counts(l, node))
            repeat_lower(l, node);
        else
            loop_lower(l, node);
        return;
    case AST_WHILE:
    case AST_DO:
        if (l->level == LEVEL_THREAD)
            repeat_lower(l, node);
        else
            refuse_kind(l, node);
        return;
    case AST_ASSIGN:
        assignment_lower(l, node);
        return;
    case AST_UNARY:
        if (node->op >= AST_OP_PRE_INCREMENT && node->op <= AST_OP_POST_DECREMENT)
            update_lower(l, node);
        else
            expression_statement(l, node);
        return;
    case AST_BINARY:
        if (node->op == AST_OP_COMMA) {
            statement_lower(l, node->children[0]);
            statement_lower(l, node->children[1]);
        } else {
            expression_statement(l, node);
        }
        return;
    default:
        if (ast_is_expression(node))
            expression_statement(l, node);
        else
            refuse_kind(l, node);
    }
}
