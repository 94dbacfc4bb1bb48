/* Sums over iterations in the source.

   In: a statement as a tree. Out: the elements and scalars that it accumulates in, and by which
   operator: `a += e`, `a -= e`, `a++`, `a = a + e`, `a = e + a`, `if (e > a) a = e;`,
   `a = e > a ? e : a` and their like, also under conditions on data and in loops that belong to the
   statement. The order of such accumulations is free where every order has the same result:
   integers, and the least or greatest of floating numbers in the forms that keep the element where
   the comparison is false, so that none takes an element that is no number (of zeros of either
   sign, which are equal, another one may be found). It is free, too, where the programmer says so:
   by `--reassociate`, or by the clause `reduction` of a directive.

   The forms are those that a region's reader takes for accumulating stores
   (metafork/reduction.c). */
#include "mapper/scop/sums.h"
#include "mapper/forms/transformations.h"
#include "mapper/scop/directive.h"
#include <string.h>

/* --- sums that are free ----------------------------------------------------------------------- */

static enum type type_of_class(enum ast_class class)
{
    switch (class) {
    case AST_TYPE_I32: return TYPE_I32;
    case AST_TYPE_U32: return TYPE_U32;
    case AST_TYPE_I64: return TYPE_I64;
    case AST_TYPE_U64: return TYPE_U64;
    case AST_TYPE_F32: return TYPE_F32;
    case AST_TYPE_F64: return TYPE_F64;
    default: return TYPE_COUNT;
    }
}

enum type sum_type(const struct scop_array *array)
{
    const struct ast_type *type = array->decl->type;
    for (int i = 0; i < (array->n_pitches ? 1 : array->n_dims) && type; i++)
        type = type->element;
    return type ? type_of_class(type->class) : TYPE_COUNT;
}

bool scop_has_sums(const struct scop *scop)
{
    for (size_t i = 0; i < scop->arrays.count; i++)
        if (scop->arrays.at[i]->is_summed)
            return true;
    return false;
}

bool sum_is_exact(const struct scop_array *array, enum reduce_op reduction)
{
    return reduction_is_exact(reduction, sum_type(array));
}

/* May the accumulations in an element of the variable come in any order? */
static bool order_is_free(const struct scop *scop, const struct ast *element,
                          const struct ast *decl, enum type type, enum reduce_op reduction)
{
    return reduction_is_exact(reduction, type) || scop->ctx->reassociates ||
           directives_free(scop->ctx, scop->unit, scop->fragment, element, decl, reduction);
}

/* --- forms ------------------------------------------------------------------------------------ */

/* An accumulation that is looked for. */
struct sum_reading {
    struct extraction *e;
    const struct ast *target;
    enum type type;
    enum reduce_op reduction;
    size_t n_before;                 /* places that were known before */
};

/* False for targets of types that no sum has. */
static bool form_begin(struct sum_reading *form, struct extraction *e, const struct ast *target)
{
    *form = (struct sum_reading){.e = e, .target = target, .n_before = e->sums.count};
    form->type = target->type ? type_of_class(target->type->class) : TYPE_COUNT;
    return form->type != TYPE_COUNT;
}

static void place_push(struct sum_reading *form, const struct ast *node)
{
    while (node->kind == AST_CAST)
        node = node->children[0];
    vec_push(form->e->scop->arena, &form->e->sums, ((struct sum_place){node, form->reduction}));
}

static enum reduce_op reduction_of(enum ast_op op)
{
    switch (op) {
    case AST_OP_ADD:
    case AST_OP_SUB: return REDUCE_ADD;
    case AST_OP_MUL: return REDUCE_MUL;
    case AST_OP_AND: return REDUCE_AND;
    case AST_OP_OR: return REDUCE_OR;
    case AST_OP_XOR: return REDUCE_XOR;
    default: return REDUCE_NONE;
    }
}

static bool has_integer_type(const struct ast *e)
{
    return e->type && ast_class_is_integer(e->type->class);
}

static bool is_summed_real(enum ast_class class)
{
    return class == AST_TYPE_F32 || class == AST_TYPE_F64;
}

/* Is the conversion between float and double where floats are summed in doubles? */
static bool is_between_reals(const struct sum_reading *form, const struct ast *cast)
{
    return form->type == TYPE_F32 && is_summed_real(cast->type->class) &&
           is_summed_real(cast->children[0]->type->class);
}

/* Behind conversions that change no value, and of integers behind those that keep the low bits; of
   floats behind those from and to double, in which C may add a term. */
static const struct ast *low_bits(const struct sum_reading *form, const struct ast *e)
{
    while (e->kind == AST_CAST && e->type && e->children[0]->type) {
        const struct ast *inner = e->children[0];
        bool is_idle = e->type->class == inner->type->class;
        bool keeps = !type_is_floating(form->type) && has_integer_type(e) &&
                     has_integer_type(inner) && e->type->class != AST_TYPE_BOOL &&
                     e->type->bytes >= type_bytes(form->type);
        if (!is_idle && !keeps && !is_between_reals(form, e))
            break;
        e = inner;
    }
    return e;
}

/* Is what joins an element such that the result has the element's type, but for low bits, or for
   the rounding of a double that joins floats? */
static bool operand_fits(const struct sum_reading *form, const struct ast *operand)
{
    const struct ast *inner = ast_strip(operand);
    if (!inner->type || !operand->type)
        return false;
    enum ast_class class = inner->type->class;
    if (!type_is_floating(form->type))
        return ast_class_is_integer(class);
    return ast_class_is_integer(class) || class == AST_TYPE_F16 || is_summed_real(class);
}

/* Is e the target, joined with others by the operator, as in `a + x - y`? */
static bool is_joined(struct sum_reading *form, const struct ast *e)
{
    bool is_real = type_is_floating(form->type);
    e = low_bits(form, e);
    if (ast_equal(e, form->target)) {
        place_push(form, e);
        return true;
    }
    bool is_minus = e->kind == AST_BINARY && e->op == AST_OP_SUB;
    if (e->kind != AST_BINARY || reduction_of(e->op) != form->reduction || !e->type ||
        is_real != !ast_class_is_integer(e->type->class) ||
        (form->type == TYPE_F64 && e->type->class == AST_TYPE_F32))
        return false;
    if (is_joined(form, e->children[0]))
        return operand_fits(form, e->children[1]);
    return !is_minus && is_joined(form, e->children[1]) && operand_fits(form, e->children[0]);
}

/* The operator that joins the outermost operands of `a = a + e`. */
static enum reduce_op joining(const struct sum_reading *form, const struct ast *value)
{
    value = low_bits(form, value);
    return value->kind == AST_BINARY ? reduction_of(value->op) : REDUCE_NONE;
}

/* Does a condition (or where it does not hold, if `negated`) compare e with the target, so that a
   minimum or maximum takes e? */
static enum reduce_op extreme_of(const struct sum_reading *form, const struct ast *condition,
                                 bool negated, const struct ast *e, const struct ast **element)
{
    condition = ast_strip(condition);
    if (condition->kind != AST_BINARY || condition->op < AST_OP_LT || condition->op > AST_OP_GE ||
        (negated && type_is_floating(form->type)))
        return REDUCE_NONE;
    const struct ast *const *side = condition->children;
    bool is_right = ast_equal(side[1], form->target) && ast_equal(side[0], e);
    if (!is_right && !(ast_equal(side[0], form->target) && ast_equal(side[1], e)))
        return REDUCE_NONE;
    bool is_less = condition->op == AST_OP_LT || condition->op == AST_OP_LE;
    *element = side[is_right];
    return (is_less == is_right) != negated ? REDUCE_MIN : REDUCE_MAX;
}

/* Keeps the places that were pushed since the form began, with the target; drops them if the form
   is no accumulation, or if its order counts. */
static void form_finish(struct sum_reading *form, bool is_sum)
{
    struct extraction *e = form->e;
    const struct ast *base = form->target;
    while (base->kind == AST_INDEX)
        base = base->children[0];
    if (is_sum && base->kind == AST_REF && reduction_applies(form->reduction, form->type) &&
        order_is_free(e->scop, form->target, base->decl, form->type, form->reduction))
        place_push(form, form->target);
    else
        e->sums.count = form->n_before;
}

/* `a = e > a ? e : a` */
static bool chosen_read(struct sum_reading *form, const struct ast *value)
{
    const struct ast *element = NULL;
    value = low_bits(form, value);
    if (value->kind != AST_CONDITIONAL)
        return false;
    for (int arm = 1; arm <= 2 && !element; arm++) {
        if (!ast_equal(value->children[3 - arm], form->target))
            continue;
        form->reduction = extreme_of(form, value->children[0], arm == 2, value->children[arm],
                                     &element);
        if (!form->reduction)
            continue;
        place_push(form, element);
        place_push(form, value->children[3 - arm]);
    }
    return element != NULL;
}

static void assignment_read(struct sum_reading *form, const struct ast *ast)
{
    const struct ast *value = ast->children[1];
    if (ast->op != AST_OP_NONE) {
        form->reduction = reduction_of(ast->op);
        form_finish(form, operand_fits(form, value));
        return;
    }
    form->reduction = joining(form, value);
    bool is_sum = form->reduction && is_joined(form, value);
    form_finish(form, is_sum || chosen_read(form, value));
}

/* `if (e > a) a = e;`, also with conditions before that one: false if the `if` is something
   else. */
static bool guarded_read(struct extraction *e, const struct ast *ast)
{
    const struct ast *condition = ast_strip(ast->children[0]);
    const struct ast *store = ast->n_children < 3 || !ast->children[2] ? ast->children[1] : NULL;
    while (store && store->kind == AST_COMPOUND && store->n_children == 1)
        store = store->children[0];
    if (!store || store->kind != AST_ASSIGN || store->op != AST_OP_NONE)
        return false;
    struct sum_reading form;
    const struct ast *element = NULL;
    if (!form_begin(&form, e, store->children[0]))
        return false;
    if (condition->kind == AST_BINARY && condition->op == AST_OP_LAND)
        condition = condition->children[1];
    form.reduction = extreme_of(&form, condition, false, store->children[1], &element);
    if (!form.reduction)
        return false;
    place_push(&form, element);
    form_finish(&form, true);
    return true;
}

void sums_collect(struct extraction *e, const struct ast *ast)
{
    if (!ast)
        return;
    struct sum_reading form;
    switch (ast->kind) {
    case AST_IF:
        if (guarded_read(e, ast))
            return;
        break;
    case AST_COMPOUND:
    case AST_FOR:
    case AST_WHILE:
    case AST_DO:
        break;
    case AST_ASSIGN:
    case AST_UNARY:
        if (!form_begin(&form, e, ast->children[0]))
            return;
        form.reduction = REDUCE_ADD;
        if (ast->kind == AST_ASSIGN)
            assignment_read(&form, ast);
        else if (ast->op >= AST_OP_PRE_INCREMENT && ast->op <= AST_OP_POST_DECREMENT)
            form_finish(&form, true);
        return;
    default:
        return;
    }
    for (int i = 0; i < ast->n_children; i++)
        if (ast->children[i] && !(ast->kind == AST_FOR && i != 3))
            sums_collect(e, ast->children[i]);
}

/* --- accesses --------------------------------------------------------------------------------- */

enum reduce_op sum_of(const struct extraction *e, const struct ast *node)
{
    for (size_t i = 0; i < e->sums.count; i++)
        if (e->sums.at[i].node == node)
            return e->sums.at[i].reduction;
    return REDUCE_NONE;
}

bool sum_is_atomic(const struct extraction *e, const struct ast *node)
{
    enum reduce_op reduction = sum_of(e, node);
    enum type type = node->type ? type_of_class(node->type->class) : TYPE_COUNT;
    return reduction && type != TYPE_COUNT && reduction_is_atomic(reduction, type) &&
           transformation_is_on(e->scop->ctx, TRANSFORMATION_SUMS);
}

/* Does the statement name the scalar elsewhere? A read of a scalar that the statement has surely
   set is no access. */
static bool is_named_else(const struct extraction *e, const struct scop_stmt *stmt,
                          const struct ast *scalar)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, e->scop->arena, stmt->ast); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl == scalar && !sum_of(e, n))
            return true;
    return false;
}

void sums_mark(const struct extraction *e, struct scop_stmt *stmt)
{
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        struct scop_access *access = &stmt->accesses.at[i];
        access->reduction = sum_of(e, access->ast);
        if (!access->array->n_dims && is_named_else(e, stmt, access->array->decl))
            access->reduction = REDUCE_NONE;
    }
    for (size_t i = 0; i < stmt->accesses.count; i++)
        for (size_t k = 0; k < stmt->accesses.count; k++) {
            struct scop_access *a = &stmt->accesses.at[i], *b = &stmt->accesses.at[k];
            if (a->array == b->array && a->reduction != b->reduction)
                a->reduction = b->reduction = REDUCE_NONE;
        }
}
