/* Expressions of C as expressions of the IR.

   In: AST expressions without side effects. Out: typed expressions with C's conversions explicit
   (ir/expr.c makes them from the operands' types). A condition keeps its integer form (`t % 2`); a
   floating one is compared with zero. Whatever has an effect or a type that kernels lack is refused
   by name. */
#include "metafork/lower.h"

static const struct expr *load_lower(struct lower *l, const struct ast *node)
{
    const struct expr **indices;
    const struct array *array = array_element(l, node, &indices);
    if (!array)
        return NULL;
    if (l->level == LEVEL_HOST) {
        refuse(l, node, "an array element in an extent", "copy it to a scalar before the region");
        return NULL;
    }
    if (l->level == LEVEL_BLOCK && array->space == SPACE_GLOBAL)
        vec_push(l->arena, &l->block_loads, node);
    return expr_load(l->arena, array, indices, node->loc);
}

static const struct expr *reference_lower(struct lower *l, const struct ast *node)
{
    const struct symbol *symbol = symbol_find(l, node->decl, node);
    switch (symbol->kind) {
    case SYMBOL_SCALAR:
        return expr_var(l->arena, symbol->var);
    case SYMBOL_VALUE:
        return symbol->value;
    case SYMBOL_ARRAY:
        if (symbol->array->is_scalar)
            return load_lower(l, node);
        refuse(l, node, arena_printf(l->arena, "`%s` without subscripts", node->decl->name),
               "give every element a subscript in each dimension");
        return NULL;
    case SYMBOL_BAD:
        break;
    }
    return NULL;
}

/* Was its declaration refused already? */
static bool is_bad(struct lower *l, const struct ast *node)
{
    node = ast_strip(node);
    const struct symbol *symbol = node->kind == AST_REF ? map_get_pointer(l->symbols, node->decl)
                                                        : NULL;
    return symbol && symbol->kind == SYMBOL_BAD;
}

static bool operand_is_scalar(struct lower *l, const struct ast *node)
{
    enum type type;
    if (is_bad(l, node))
        return false;
    if (type_of(node->type, &type))
        return true;
    if (node->type && node->type->class == AST_TYPE_POINTER)
        refuse(l, node, "pointer arithmetic", "write `a[i]` with the array's own name");
    else
        refuse_type(l, node, node->type);
    return false;
}

static const struct expr *unary_lower(struct lower *l, const struct ast *node)
{
    const struct ast *operand = node->children[0];
    switch (node->op) {
    case AST_OP_DEREFERENCE:
        return load_lower(l, node);
    case AST_OP_ADDRESS:
        refuse_row(l, node, REFUSE_ADDRESS, NULL);
        return NULL;
    case AST_OP_PRE_INCREMENT:
    case AST_OP_PRE_DECREMENT:
    case AST_OP_POST_INCREMENT:
    case AST_OP_POST_DECREMENT:
        refuse(l, node, arena_printf(l->arena, "`%s` inside an expression", ast_op_text(node->op)),
               "make it a statement of its own");
        return NULL;
    case AST_OP_REAL_PART:
    case AST_OP_IMAGINARY_PART:
        refuse(l, node, "complex arithmetic", "use real and imaginary parts as separate scalars");
        return NULL;
    default:
        break;
    }
    if (!operand_is_scalar(l, operand))
        return NULL;
    const struct expr *a = node->op == AST_OP_NOT ? condition_lower(l, operand)
                                                  : expression_lower(l, operand);
    if (!a)
        return NULL;
    switch (node->op) {
    case AST_OP_PLUS: return expr_cast(l->arena, type_promote(a->type), a);
    case AST_OP_MINUS: return expr_unary(l->arena, OP_NEG, a);
    case AST_OP_NOT: return expr_unary(l->arena, OP_NOT, a);
    default: return expr_unary(l->arena, OP_COMPLEMENT, a);
    }
}

static enum op op_of(enum ast_op op)
{
    switch (op) {
    case AST_OP_MUL: return OP_MUL;
    case AST_OP_DIV: return OP_DIV;
    case AST_OP_REM: return OP_REM;
    case AST_OP_SUB: return OP_SUB;
    case AST_OP_SHL: return OP_SHL;
    case AST_OP_SHR: return OP_SHR;
    case AST_OP_LT: return OP_LT;
    case AST_OP_GT: return OP_GT;
    case AST_OP_LE: return OP_LE;
    case AST_OP_GE: return OP_GE;
    case AST_OP_EQ: return OP_EQ;
    case AST_OP_NE: return OP_NE;
    case AST_OP_AND: return OP_AND;
    case AST_OP_XOR: return OP_XOR;
    case AST_OP_OR: return OP_OR;
    case AST_OP_LAND: return OP_LAND;
    case AST_OP_LOR: return OP_LOR;
    default: return OP_ADD;
    }
}

static const struct expr *binary_lower(struct lower *l, const struct ast *node)
{
    if (node->op == AST_OP_COMMA) {
        refuse_row(l, node, REFUSE_COMMA, NULL);
        return NULL;
    }
    if (!operand_is_scalar(l, node->children[0]) || !operand_is_scalar(l, node->children[1]))
        return NULL;
    bool logical = node->op == AST_OP_LAND || node->op == AST_OP_LOR;
    const struct expr *a = logical ? condition_lower(l, node->children[0])
                                   : expression_lower(l, node->children[0]);
    l->conditional += logical;
    const struct expr *b = logical ? condition_lower(l, node->children[1])
                                   : expression_lower(l, node->children[1]);
    l->conditional -= logical;
    return a && b ? expr_binary(l->arena, op_of(node->op), a, b) : NULL;
}

static const struct expr *select_lower(struct lower *l, const struct ast *node)
{
    enum type type;
    if (node->n_children != 3 || !type_of(node->type, &type)) {
        refuse_type(l, node, node->type);
        return NULL;
    }
    const struct expr *c = condition_lower(l, node->children[0]);
    l->conditional++;
    const struct expr *a = expression_lower(l, node->children[1]),
                      *b = expression_lower(l, node->children[2]);
    l->conditional--;
    if (!a || !b || !c)
        return NULL;
    return expr_select(l->arena, c, expr_cast(l->arena, type, a), expr_cast(l->arena, type, b));
}

static const struct expr *cast_lower(struct lower *l, const struct ast *node)
{
    enum type type;
    if (node->n_children < 1 || !operand_is_scalar(l, node->children[node->n_children - 1]))
        return NULL;
    if (!type_of(node->type, &type)) {
        refuse_type(l, node, node->type);
        return NULL;
    }
    const struct expr *a = expression_lower(l, node->children[node->n_children - 1]);
    return a ? expr_cast(l->arena, type, a) : NULL;
}

const struct expr *expression_lower(struct lower *l, const struct ast *node)
{
    enum type type;
    switch (node->kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_SIZEOF:
    case AST_REAL:
        if (!type_of(node->type, &type)) {
            refuse_type(l, node, node->type);
            return NULL;
        }
        return node->kind == AST_REAL ? expr_real(l->arena, type, node->real)
                                      : expr_integer(l->arena, type, node->integer);
    case AST_REF: return reference_lower(l, node);
    case AST_INDEX: return load_lower(l, node);
    case AST_UNARY: return unary_lower(l, node);
    case AST_BINARY: return binary_lower(l, node);
    case AST_CONDITIONAL: return select_lower(l, node);
    case AST_CAST: return cast_lower(l, node);
    case AST_CALL: return call_lower(l, node, false);
    case AST_ASSIGN:
        if (node == l->chained)
            return chained_lower(l, node);
        refuse_row(l, node, REFUSE_ASSIGNMENT, NULL);
        return NULL;
    default:
        if (node->kind != AST_MEMBER || !node->n_children || !is_bad(l, node->children[0]))
            refuse_kind(l, node);
        return NULL;
    }
}

const struct expr *condition_lower(struct lower *l, const struct ast *node)
{
    node = node->kind == AST_CAST && node->is_implicit && node->type->class == AST_TYPE_BOOL
               ? node->children[0]
               : node;
    if (!operand_is_scalar(l, node))
        return NULL;
    const struct expr *e = expression_lower(l, node);
    if (e && type_is_floating(e->type))
        e = expr_binary(l->arena, OP_NE, e, expr_real(l->arena, e->type, 0.0));
    return e;
}

/* Comparisons of floating values stay, as one with a NaN is false either way. */
const struct expr *condition_negate(struct lower *l, const struct expr *c)
{
    bool is_binary = c->kind == EXPR_BINARY;
    if (c->kind == EXPR_UNARY && c->op == OP_NOT)
        return c->arguments[0];
    if (is_binary && (c->op == OP_LAND || c->op == OP_LOR))
        return expr_binary(l->arena, c->op == OP_LAND ? OP_LOR : OP_LAND,
                           condition_negate(l, c->arguments[0]),
                           condition_negate(l, c->arguments[1]));
    if (is_binary && c->op >= OP_LT && c->op <= OP_NE && !type_is_floating(c->arguments[0]->type))
        return expr_binary(l->arena, op_negate(c->op), c->arguments[0], c->arguments[1]);
    return expr_unary(l->arena, OP_NOT, c);
}
