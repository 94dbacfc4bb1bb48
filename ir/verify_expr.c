/* Rules on single expressions: `type`, `scope`, `subscript`, `function`, `array`.

   The constructors make ill-typed nodes impossible; this is the check that nobody built or changed
   nodes behind their back, and that what an expression names is declared where it stands. */
#include "ir/function.h"
#include "ir/verify.h"

static bool is_visible(const struct verifier *v, const void *object)
{
    return map_get_pointer(v->visible, object) == object;
}

/* The types of a binary operator's operands and result. */
static bool binary_fits(const struct expr *e)
{
    enum type a = e->arguments[0]->type, b = e->arguments[1]->type;
    if (e->op == OP_LAND || e->op == OP_LOR)
        return e->type == TYPE_I32;
    if (op_is_comparison(e->op))
        return e->type == TYPE_I32 && a == b;
    bool integers = !type_is_floating(a) && !type_is_floating(b);
    if (e->op == OP_SHL || e->op == OP_SHR)
        return integers && e->type == a && type_promote(a) == a && type_promote(b) == b;
    return a == b && e->type == a && type_promote(a) == a && (integers || e->op <= OP_DIV) &&
           e->op >= OP_ADD;
}

static bool node_fits(const struct expr *e)
{
    switch (e->kind) {
    case EXPR_INTEGER:
        return !type_is_floating(e->type) && e->integer == type_wrap(e->type, e->integer);
    case EXPR_REAL: return type_is_floating(e->type) && e->type != TYPE_F16;
    case EXPR_VAR: return e->var && e->type == e->var->type;
    case EXPR_LOAD: return e->array && e->type == e->array->element;
    case EXPR_UNARY:
        return e->op == OP_NOT ? e->type == TYPE_I32
                               : e->type == e->arguments[0]->type &&
                                     (e->op == OP_NEG || !type_is_floating(e->type));
    case EXPR_BINARY: return binary_fits(e);
    case EXPR_SELECT: return e->type == e->arguments[1]->type && e->type == e->arguments[2]->type;
    default: return true;
    }
}

static int operand_count(const struct expr *e)
{
    switch (e->kind) {
    case EXPR_LOAD: return e->array->n_dims;
    case EXPR_UNARY:
    case EXPR_CAST: return 1;
    case EXPR_BINARY: return 2;
    case EXPR_SELECT: return 3;
    case EXPR_CALL: return e->n_arguments;
    default: return 0;
    }
}

static void verify_call(struct verifier *v, const struct expr *e, struct loc loc)
{
    const struct function_row *f = function_find(e->function);
    if (!f || f->n_arguments != e->n_arguments || f->type != e->type) {
        verify_fail(v, loc, "function",
                    "'%s' with %d arguments and result %s is no function of kernels", e->function,
                    e->n_arguments, type_name(e->type));
        return;
    }
    for (int i = 0; i < e->n_arguments; i++)
        if (e->arguments[i]->type != function_argument(f, i))
            verify_fail(v, loc, "type", "argument %d of '%s' is %s", i + 1, e->function,
                        type_name(e->arguments[i]->type));
}

static void verify_load(struct verifier *v, const struct expr *e, struct loc loc)
{
    if (!is_visible(v, e->array))
        verify_fail(v, loc, "array", "'%s' is not listed in the kernel or does not exist here",
                    e->array->name);
    for (int i = 0; i < e->n_arguments; i++)
        if (type_is_floating(e->arguments[i]->type))
            verify_fail(v, loc, "subscript", "subscript %d of '%s' is no integer", i + 1,
                        e->array->name);
}

void verify_expr(struct verifier *v, const struct expr *e, struct loc loc)
{
    loc = e->loc.source ? e->loc : loc;
    if (!node_fits(e) || operand_count(e) != e->n_arguments) {
        verify_fail(v, loc, "type", "'%s' has type %s", expr_text(v->scratch, e),
                    type_name(e->type));
        return;
    }
    if (e->kind == EXPR_VAR && !is_visible(v, e->var))
        verify_fail(v, loc, "scope", "'%s' is used where it is not declared", e->var->name);
    if (e->kind == EXPR_LOAD)
        verify_load(v, e, loc);
    if (e->kind == EXPR_CALL)
        verify_call(v, e, loc);
    for (int i = 0; i < e->n_arguments; i++)
        verify_expr(v, e->arguments[i], loc);
}

void verify_extent(struct verifier *v, const struct expr *e, struct loc loc, const char *rule)
{
    verify_expr(v, e, loc);
    if (!expr_reads_only_params(e) || expr_contains(e, EXPR_CALL))
        verify_fail(v, loc, rule, "'%s' must be made of parameters alone",
                    expr_text(v->scratch, e));
    if (type_is_floating(e->type))
        verify_fail(v, loc, "type", "'%s' must be an integer", expr_text(v->scratch, e));
}
