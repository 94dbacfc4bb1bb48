/* Calls: functions of ir/function.def stay calls, functions whose body is visible are inlined.

   In: a CALL node. Out: an expression; statements of the inlined body go before the current
   statement, so under &&, || and ?: only functions that are one `return` can be inlined. Scalar
   arguments become values or locals of the kernel, array arguments other names for arrays. Several
   returns are allowed where they stand in nested ifs: what follows such an if is lowered into both
   of its branches. */
#include "metafork/lower.h"
#include "ir/function.h"
#include <math.h>
#include <string.h>

enum { INLINED_MAX = 4000 };

static const struct expr *pure_call(struct lower *l, const struct ast *node, const char *name)
{
    const struct function_row *row = function_find(name);
    const struct expr *arguments[3];
    if (node->n_children != row->n_arguments || row->n_arguments > 3) {
        refuse(l, node,
               arena_printf(l->arena, "a call of `%s` with %d arguments", name, node->n_children),
               "declare it by <math.h> or <stdlib.h>");
        return NULL;
    }
    for (int i = 0; i < row->n_arguments; i++) {
        const struct expr *e = expression_lower(l, node->children[i]);
        if (!e)
            return NULL;
        arguments[i] = expr_cast(l->arena, function_argument(row, i), e);
    }
    return expr_call(l->arena, row->type, name, arguments, row->n_arguments);
}

/* (long)rintf(x) for lrintf(x): where the value leaves the type, C says nothing either. */
static const struct expr *rounding_call(struct lower *l, const struct ast *node,
                                        const char *rounded)
{
    const struct expr *e = pure_call(l, node, rounded);
    enum type type;
    return e && type_of(node->type, &type) ? expr_cast(l->arena, type, e) : NULL;
}

/* Does copysign give 1 the sign of a zero, a number, a NaN that is negative? */
static const struct expr *sign_call(struct lower *l, const struct expr *e)
{
    const struct expr *arguments[] = {expr_real(l->arena, e->type, 1), e};
    const char *name = e->type == TYPE_F32 ? "copysignf" : "copysign";
    const struct expr *signed_one = expr_call(l->arena, e->type, name, arguments, 2);
    return expr_binary(l->arena, OP_LT, signed_one, expr_real(l->arena, e->type, 0));
}

/* isnan, isfinite, isinf and signbit of math.h. */
static const struct expr *classification_call(struct lower *l, const struct ast *node,
                                              enum library_kind kind)
{
    const struct expr *e = expression_lower(l, node->children[0]);
    struct arena *arena = l->arena;
    if (!e)
        return NULL;
    if (kind == LIBRARY_SIGN_BIT)
        return sign_call(l, e);
    const struct expr *infinity = expr_real(arena, e->type, (double)INFINITY),
                      *minus = expr_real(arena, e->type, -(double)INFINITY);
    const struct expr *below = expr_binary(arena, OP_LT, e, infinity),
                      *above = expr_binary(arena, OP_GT, e, minus);
    if (kind == LIBRARY_IS_NAN)
        return expr_binary(arena, OP_NE, e, e);
    if (kind == LIBRARY_IS_FINITE)
        return expr_binary(arena, OP_LAND, above, below);
    return expr_binary(arena, OP_SUB, expr_binary(arena, OP_EQ, e, infinity),
                       expr_binary(arena, OP_EQ, e, minus));
}

static const struct expr *library_call(struct lower *l, const struct ast *node,
                                       const struct library_row *row)
{
    enum type type;
    if (row->kind == LIBRARY_ROUNDED)
        return rounding_call(l, node, row->by);
    if (row->kind != LIBRARY_INFINITE && row->kind != LIBRARY_NOT_A_NUMBER)
        return classification_call(l, node, row->kind);
    double value = row->kind == LIBRARY_INFINITE ? (double)INFINITY : (double)NAN;
    return type_of(node->type, &type) ? expr_real(l->arena, type, value) : NULL;
}

static const struct expr *outside_call(struct lower *l, const struct ast *node)
{
    const char *name = node->decl->name, *pure = call_pure_name(l->arena, node->decl);
    const struct library_row *row = library_find(name);
    if (row)
        return library_call(l, node, row);
    if (pure)
        return pure_call(l, node, pure);
    if (!strcmp(name, AST_ASSERT))
        refuse(l, node, "`assert`", "put it before the region");
    else if (!strcmp(name, AST_THREADS))
        refuse(l, node, "`meta_threads`", "ask before the region");
    else if (!strcmp(name, AST_PAYS) || !strcmp(name, AST_PAID))
        refuse(l, node, "`meta_pays`", "ask around the region");
    else if (!strcmp(name, "printf") || !strcmp(name, "fprintf") || !strcmp(name, "puts") ||
             !strcmp(name, "putchar"))
        refuse(l, node, arena_printf(l->arena, "output by `%s`", name),
               "store into an array and print after the region");
    else if (!strcmp(name, "alloca") || !strcmp(name, "__builtin_alloca") ||
             !strcmp(name, "malloc") || !strcmp(name, "calloc") || !strcmp(name, "free"))
        refuse(l, node, arena_printf(l->arena, "memory by `%s`", name),
               "allocate before the region");
    else
        refuse(l, node,
               arena_printf(l->arena, "a call of `%s`, whose definition is not visible,", name),
               "define it as a static inline function, or call one of the functions that regions "
               "know (docs/language.md lists them)");
    return NULL;
}

static int count_nodes(const struct expr *e)
{
    int n = 1;
    for (int i = 0; i < e->n_arguments; i++)
        n += count_nodes(e->arguments[i]);
    return n;
}

/* Is the value cheap enough, and sure not to change, to stand wherever the parameter is used? */
static bool is_simple(const struct expr *e)
{
    return e->kind == EXPR_INTEGER || e->kind == EXPR_REAL || e->kind == EXPR_VAR;
}

static bool bind_scalar(struct lower *l, const struct ast *parameter, const struct expr *value,
                        bool written)
{
    enum type type;
    if (!type_of(parameter->type, &type)) {
        refuse_type(l, parameter, parameter->type);
        return false;
    }
    value = expr_cast(l->arena, type, value);
    bool is_short = is_simple(value) || (l->conditional && count_nodes(value) <= 64);
    bool simple = !written && (is_short || l->level == LEVEL_HOST);
    if (!simple && l->conditional) {
        diag_error(
            l->ctx, parameter->loc,
            "this function cannot be inlined under &&, || or ?:; call it before, "
            "in an `if` where it is called under a condition");
        return false;
    }
    struct symbol *symbol = symbol_add(l, parameter, simple ? SYMBOL_VALUE : SYMBOL_SCALAR);
    symbol->value = value;
    if (!simple) {
        symbol->var = local_add(l, parameter->name, type, VAR_LOCAL, parameter->loc);
        emit(l, stmt_let(l->arena, symbol->var, value));
    }
    return true;
}

static bool bind_arguments(struct lower *l, const struct ast *node, const struct ast *body)
{
    const struct ast *function = node->decl;
    const struct expr **values = ARENA_ARRAY(l->arena, const struct expr *, node->n_children + 1);
    if (function->n_children != node->n_children) {
        refuse(l, node, "a call with another number of arguments than parameters",
               "declare the function with its parameters");
        return false;
    }
    for (int i = 0; i < node->n_children; i++) {
        enum ast_class class = function->children[i]->type->class;
        if (class != AST_TYPE_POINTER && class != AST_TYPE_ARRAY &&
            !(values[i] = expression_lower(l, node->children[i])))
            return false;
    }
    for (int i = 0; i < node->n_children; i++) {
        const struct ast *parameter = function->children[i];
        bool good = values[i] ? bind_scalar(l, parameter, values[i], ast_writes(body, parameter))
                                : array_bind(l, parameter, node->children[i]);
        if (!good)
            return false;
    }
    return true;
}

void return_lower(struct lower *l, const struct ast *node)
{
    struct frame *frame = l->frame;
    const struct expr *value = node->n_children ? expression_lower(l, node->children[0]) : NULL;
    enum type type;
    if (!value || !type_of(frame->function->type, &type))
        return;
    if (!frame->depth && !frame->result)
        frame->value = expr_cast(l->arena, type, value);
    else if (frame->result)
        emit(l, stmt_set(l->arena, frame->result, value));
}

static const struct expr *inline_body(struct lower *l, const struct ast *node,
                                      const struct ast *body)
{
    struct frame frame = {node->decl, l->frame, NULL, NULL, 0};
    enum type type;
    bool several = body->n_children == 0 ||
                   body->children[body->n_children - 1]->kind != AST_RETURN;
    for (int i = 0; i + 1 < body->n_children; i++)
        several |= ast_has(body->children[i], AST_RETURN);
    if (several && type_of(node->decl->type, &type)) {
        frame.result = local_add(l, arena_printf(l->arena, "%s_value", node->decl->name), type,
                                 VAR_LOCAL, node->loc);
        emit(l, stmt_let(l->arena, frame.result, NULL));
    }
    l->frame = &frame;
    tail_lower(l, &(struct tail){body->children, body->n_children, NULL, AST_RETURN});
    l->frame = (struct frame *)frame.outer;
    return frame.result ? expr_var(l->arena, frame.result) : frame.value;
}

static const struct expr *inline_call(struct lower *l, const struct ast *node, bool is_statement)
{
    const struct ast *function = node->decl, *body = ast_body(l->unit, function);
    for (const struct frame *f = l->frame; f; f = f->outer)
        if (f->function == function) {
            refuse(l, node, arena_printf(l->arena, "recursion (`%s`)", function->name),
                   "write a loop");
            return NULL;
        }
    if (!body || function->is_variadic || l->level == LEVEL_HOST) {
        refuse(l, node, arena_printf(l->arena, "the call of `%s` here", function->name),
               l->level == LEVEL_HOST ? "compute the value into a scalar before the region"
                                      : "give it a fixed list of parameters");
        return NULL;
    }
    bool plain = body->n_children == 1 && body->children[0]->kind == AST_RETURN;
    if (l->conditional && !plain) {
        refuse_row(l, node, REFUSE_UNDER_CONDITION, function->name);
        return NULL;
    }
    unsigned errors = l->ctx->errors;
    const struct expr *value = bind_arguments(l, node, body) ? inline_body(l, node, body) : NULL;
    if (l->ctx->errors > errors) {
        diag_note(l->ctx, node->loc, "in the call of `%s` here", function->name);
        return NULL;
    }
    if (!value && !is_statement)
        refuse(l, node,
               arena_printf(l->arena, "the call of `%s`, which returns no value at its end,",
                            function->name),
               "end it with `return`");
    return value;
}

void calls_share(struct lower *l, size_t first, const struct ast *body)
{
    while (body->kind == AST_COMPOUND && body->n_children == 1)
        body = body->children[0];
    const struct ast *call = body->kind == AST_ASSIGN ? ast_strip(body->children[1]) : NULL;
    size_t last = l->known.count;
    if (!call || call->kind != AST_CALL || body->op != AST_OP_NONE)
        return;
    for (size_t i = first; i < last; i++)
        if (!l->known.at[i].takes && ast_equal(l->known.at[i].call, call))
            vec_push(l->arena, &l->known, ((struct known_call){call, l->known.at[i].value, true}));
}

/* The value that calls_share has found for the call; NULL: it is to be computed. */
static const struct expr *value_known(const struct lower *l, const struct ast *node)
{
    for (size_t i = 0; i < l->known.count; i++)
        if (l->known.at[i].takes && l->known.at[i].call == node)
            return l->known.at[i].value;
    return NULL;
}

/* A value that is as good a second time: the statements that compute it store nothing. */
static void value_keep(struct lower *l, const struct ast *node, size_t begin,
                       const struct expr *value)
{
    bool stores = false;
    for (size_t i = begin; i < l->block->count; i++)
        stores |= stmt_contains(l->block->at[i], STMT_STORE);
    if (value && !stores)
        vec_push(l->arena, &l->known, ((struct known_call){node, value, false}));
}

const struct expr *call_lower(struct lower *l, const struct ast *node, bool is_statement)
{
    if (!node->decl) {
        refuse(l, node, "a call through a pointer", "call the function by its name");
        return NULL;
    }
    if (!node->decl->has_body)
        return outside_call(l, node);
    if (++l->inlined > INLINED_MAX) {
        if (l->inlined == INLINED_MAX + 1)
            refuse(l, node, "inlining of this many calls", "simplify the functions");
        return NULL;
    }
    const struct expr *known = value_known(l, node);
    if (known)
        return known;
    size_t begin = l->block->count;
    const struct expr *value = inline_call(l, node, is_statement);
    value_keep(l, node, begin, value);
    return value;
}
