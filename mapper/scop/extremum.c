/* Bounds that are the least or the greatest of several: `i < MIN(ii + 32, n)`.

   In: an expression that chooses the less, or the greater, of two operands, by `?:`, a macro or a
   function with a single `return`. Out: the operands as affine forms. A number below the least
   operand is below each operand. */
#include "frontend/writes.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/helper.h"
#include "mapper/scop/range.h"

/* Two expressions of one text but for conversions, without effects. */
static bool is_same(const struct ast *a, const struct ast *b)
{
    a = ast_strip(a);
    b = ast_strip(b);
    bool plain = a->kind == AST_REF || a->kind == AST_INTEGER || a->kind == AST_BINARY ||
                 a->kind == AST_UNARY || a->kind == AST_CAST || a->kind == AST_CONDITIONAL;
    bool same = plain && a->kind == b->kind && a->op == b->op && a->decl == b->decl &&
                a->integer == b->integer && a->n_children == b->n_children && !change_target(a);
    for (int i = 0; same && i < a->n_children; i++)
        same = is_same(a->children[i], b->children[i]);
    return same;
}

/* Is the expression `a < b ? a : b`, or, without `least`, `a > b ? a : b`? */
static bool chooses(const struct ast *ast, bool least)
{
    const struct ast *const *child = ast->children;
    const struct ast *condition = ast->kind == AST_CONDITIONAL ? ast_strip(child[0]) : NULL;
    if (!condition || condition->kind != AST_BINARY ||
        condition->op < AST_OP_LT || condition->op > AST_OP_GE)
        return false;
    const struct ast *const *side = condition->children;
    bool less = condition->op == AST_OP_LT || condition->op == AST_OP_LE;
    if (is_same(side[0], child[1]) && is_same(side[1], child[2]))
        return less == least;
    return is_same(side[0], child[2]) && is_same(side[1], child[1]) && less != least;
}

static bool parts_read(struct scop *scop, struct scop_place at, const struct ast *ast, bool least,
                       struct extremum *out);

/* The value of a function that is one `return`, in whose place the call stands. */
static bool call_read(struct scop *scop, struct scop_place at, const struct ast *call, bool least,
                      struct extremum *out)
{
    const struct ast *value = helper_enter(scop, call, &at);
    return value && value->type && value->type->class == call->type->class &&
           parts_read(scop, at, value, least, out);
}

/* Reads the argument of a function's parameter, in the caller. */
static bool argument_read(struct scop *scop, struct scop_place at, const struct ast *ref,
                          bool least, struct extremum *out)
{
    const struct ast *argument = helper_argument(ref->decl, &at);
    return argument && argument->type->class == ref->type->class &&
           parts_read(scop, at, argument, least, out);
}

static bool parts_read(struct scop *scop, struct scop_place at, const struct ast *ast, bool least,
                       struct extremum *out)
{
    const struct ast *inner = ast->kind == AST_CAST ? ast->children[0] : NULL;
    bool widens = inner && class_is_signed(ast->type->class) &&
                  class_is_signed(inner->type->class) && inner->type->bytes <= ast->type->bytes;
    struct affine form;
    int n = out->n;
    if (chooses(ast, least) && parts_read(scop, at, ast->children[1], least, out) &&
        parts_read(scop, at, ast->children[2], least, out))
        return true;
    out->n = n;
    if (affine_read(scop, at, ast, &form)) {
        if (out->n == LOOP_LIMITS)
            return false;
        out->forms[out->n++] = form;
        return true;
    }
    if (widens)
        return parts_read(scop, at, inner, least, out);
    if (ast->kind == AST_CALL)
        return call_read(scop, at, ast, least, out);
    if (ast->kind == AST_REF)
        return argument_read(scop, at, ast, least, out);
    return false;
}

bool extremum_read(struct scop *scop, struct scop_place at, const struct ast *ast, bool least,
                   struct extremum *out)
{
    out->n = 0;
    if (!parts_read(scop, at, ast, least, out))
        return false;
    for (int i = 1; i < out->n; i++) {
        struct affine form = out->forms[i];
        int place = affine_has_iterator(scop, &form) ? i : 0;
        for (int k = i; k > place; k--)
            out->forms[k] = out->forms[k - 1];
        out->forms[place] = form;
    }
    return true;
}
