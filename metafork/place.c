/* Places in arrays: `a[i][j]`, `*p`, `&a[i * n]`, `a[i] + k`.

   In: an expression of C that is an element, a row or a pointer. Out: the array, the subscripts
   that lead there and, of a pointer, how far it lies behind. Pointer arithmetic does not wrap, so
   that such sums are ones of 64 bits. A pointer stands for elements of the row that it begins in,
   as C asks. */
#include "metafork/lower.h"

/* `n` subscripts; offset: what is added to the next one, NULL: nothing. */
struct place {
    const struct symbol *symbol;
    int n;
    const struct expr *indices[AXES_MAX];
    const struct expr *offset;
};

static const struct symbol *array_symbol(struct lower *l, const struct ast *node,
                                         const struct ast *base)
{
    if (base->kind == AST_STRING || base->kind == AST_LITERAL || base->kind == AST_MEMBER) {
        refuse_kind(l, base);
        return NULL;
    }
    if (base->kind == AST_CAST) {
        refuse(l, base, "a cast of a pointer", "declare the array with its element type");
        return NULL;
    }
    if (base->kind == AST_UNARY && base->op == AST_OP_ADDRESS) {
        refuse_row(l, base, REFUSE_ADDRESS, NULL);
        return NULL;
    }
    if (base->kind != AST_REF) {
        refuse(l, node, "an element reached by such a pointer",
               "write `a[i]` with the array's own name");
        return NULL;
    }
    const struct symbol *symbol = symbol_find(l, base->decl, base);
    if (symbol->kind == SYMBOL_BAD)
        return NULL;
    if (symbol->kind != SYMBOL_ARRAY) {
        refuse(l, node, "a subscript on what is no array", "use the array's own name");
        return NULL;
    }
    return symbol;
}

/* a + b or a - b, either of which may be missing. */
static const struct expr *sum_of(struct lower *l, const struct expr *a, const struct expr *b,
                                 enum op op)
{
    if (!b || (!a && op == OP_ADD))
        return b ? b : a;
    a = a ? expr_cast(l->arena, TYPE_I64, a) : expr_integer(l->arena, TYPE_I64, 0);
    return expr_binary(l->arena, op, a, expr_cast(l->arena, TYPE_I64, b));
}

static bool is_integer(const struct ast *ast)
{
    return ast->type && ast_class_is_integer(ast->type->class);
}

static bool place_read(struct lower *l, const struct ast *node, struct place *place);

/* The place that a pointer or an array leads to, and `by` behind it. */
static bool behind_read(struct lower *l, const struct ast *pointer, const struct ast *by,
                        enum op op, struct place *place)
{
    if (!place_read(l, pointer, place))
        return false;
    const struct expr *e = by ? expression_lower(l, by) : NULL;
    place->offset = sum_of(l, place->offset, e, op);
    return !by || e;
}

/* The element or row at a place. */
static bool enter(struct lower *l, const struct ast *node, struct place *place)
{
    if (place->n == place->symbol->array->n_dims || place->n == AXES_MAX) {
        refuse(l, node, "a subscript on what is no array", "use the array's own name");
        return false;
    }
    place->indices[place->n++] = place->offset ? place->offset
                                               : expr_integer(l->arena, TYPE_I32, 0);
    place->offset = NULL;
    return true;
}

static bool place_read(struct lower *l, const struct ast *node, struct place *place)
{
    const struct ast *ast = ast_strip(node);
    bool sums = ast->kind == AST_BINARY && (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB);
    if (ast->kind == AST_INDEX || sums) {
        int side = is_integer(ast->children[0]);
        enum op op = ast->op == AST_OP_SUB ? OP_SUB : OP_ADD;
        return behind_read(l, ast->children[side], ast->children[1 - side], op, place) &&
               (sums || enter(l, ast, place));
    }
    if (ast->kind == AST_UNARY && ast->op == AST_OP_DEREFERENCE)
        return behind_read(l, ast->children[0], NULL, OP_ADD, place) && enter(l, ast, place);
    const struct ast *object = ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS
                                   ? ast_strip(ast->children[0]) : NULL;
    if (object && object->kind == AST_INDEX) {
        int side = is_integer(object->children[0]);
        return behind_read(l, object->children[side], object->children[1 - side], OP_ADD, place);
    }
    place->symbol = array_symbol(l, node, ast);
    if (!place->symbol)
        return false;
    place->n = place->symbol->n_prefix;
    place->offset = place->symbol->offset;
    for (int i = 0; i < place->n; i++)
        place->indices[i] = place->symbol->prefix[i];
    return true;
}

const struct array *array_element(struct lower *l, const struct ast *node,
                                  const struct expr ***indices)
{
    struct place place;
    if (!place_read(l, node, &place))
        return NULL;
    const struct array *array = place.symbol->array;
    if (place.n != array->n_dims) {
        refuse(l, node,
               arena_printf(l->arena, "`%s` with %d of its %d subscripts", array->name, place.n,
                            array->n_dims),
               "give every element a subscript in each dimension");
        return NULL;
    }
    *indices = ARENA_ARRAY(l->arena, const struct expr *, array->n_dims);
    for (int i = 0; i < place.n; i++)
        (*indices)[i] = place.indices[i];
    return array;
}

/* The subscript of an array argument: its value when the function is called, which may store to
   what it is read from. */
static const struct expr *bind_subscript(struct lower *l, const struct ast *parameter,
                                         const struct expr *e)
{
    if (!e || !expr_contains(e, EXPR_LOAD) || l->conditional)
        return e;
    const char *name = arena_printf(l->arena, "%s_at", parameter->name);
    struct var *var = local_add(l, name, e->type, VAR_LOCAL, parameter->loc);
    emit(l, stmt_let(l->arena, var, e));
    return expr_var(l->arena, var);
}

/* Subscripts that lead from the pointer or array to a scalar. */
static int count_dims(const struct ast_type *type)
{
    int n = 0;
    while (type && type->element) {
        type = type->element;
        n++;
    }
    return n;
}

bool array_bind(struct lower *l, const struct ast *parameter, const struct ast *argument)
{
    struct place place;
    if (!place_read(l, argument, &place))
        return false;
    if (place.n + count_dims(parameter->type) != place.symbol->array->n_dims) {
        refuse(l, argument,
               arena_printf(l->arena, "`%s` as an array of another shape",
                            place.symbol->array->name),
               "declare the parameter with the extents that the argument has");
        return false;
    }
    const struct expr **prefix = ARENA_ARRAY(l->arena, const struct expr *, place.n + 1);
    for (int i = 0; i < place.n; i++)
        prefix[i] = bind_subscript(l, parameter, place.indices[i]);
    const struct expr *offset = bind_subscript(l, parameter, place.offset);
    struct symbol *symbol = symbol_add(l, parameter, SYMBOL_ARRAY);
    symbol->array = place.symbol->array;
    symbol->prefix = prefix;
    symbol->n_prefix = place.n;
    symbol->offset = offset;
    symbol->level = place.symbol->level;
    return true;
}
