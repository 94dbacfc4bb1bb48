/* meta_tunable(d): a tunable that each region chooses for itself.

   In: a function's body. Out: d of a well-placed one, or a diagnostic. Under a C compiler the mark
   has the value d, and so it has for the host code of the generated program; only a region may run
   with another value, and only where that changes nothing that it computes (automatic.c). That is
   why it stands as the initial value of a `const` local before the regions: the name means the
   same number everywhere else. */
#include "metafork/lower.h"
#include <string.h>

/* The value of a constant made of literals; 0 where it is none or leaves the range of int. */
static int64_t constant_value(const struct ast *node)
{
    node = ast_strip(node);
    if (node->kind == AST_INTEGER)
        return node->integer;
    if (node->kind != AST_BINARY)
        return 0;
    int64_t a = constant_value(node->children[0]), b = constant_value(node->children[1]), value = 0;
    if (a < 1 || b < 1 || a > INT32_MAX || b > INT32_MAX)
        return 0;
    switch (node->op) {
    case AST_OP_ADD: value = a + b; break;
    case AST_OP_SUB: value = a - b; break;
    case AST_OP_MUL: value = a * b; break;
    case AST_OP_DIV: value = a / b; break;
    case AST_OP_SHL: value = b < 31 ? a << b : 0; break;
    default: break;
    }
    return value <= INT32_MAX ? value : 0;
}

static bool is_mark(const struct ast *node)
{
    return node && node->kind == AST_CALL && node->decl &&
           !strcmp(node->decl->name, AST_TUNABLE);
}

/* The mark that is the initial value of a declaration; NULL if there is none. */
static const struct ast *mark_of(const struct ast *decl)
{
    const struct ast *value =
        decl->kind == AST_VARIABLE && decl->n_children == 1 ? ast_strip(decl->children[0]) : NULL;
    return is_mark(value) ? value : NULL;
}

int64_t tunable_default(const struct ast *decl)
{
    const struct ast *mark = mark_of(decl);
    return mark && mark->n_children == 1 ? constant_value(mark->children[0]) : 0;
}

static void declaration_check(struct ctx *ctx, const struct ast *decl, const struct ast *mark,
                              bool in_region)
{
    bool is_integer = decl->type && ast_class_is_integer(decl->type->class) &&
                      decl->type->class != AST_TYPE_BOOL;
    if (in_region)
        diag_error(ctx, mark->loc,
                   "meta_tunable stands inside a region; declare `%s` before meta_schedule",
                   decl->name);
    else if (!is_integer || !decl->type->is_const || decl->is_global || decl->is_static)
        diag_error(ctx, mark->loc,
                   "meta_tunable is the initial value of a const integer local only; write `const "
                   "int %s = meta_tunable(%s)`",
                   decl->name, "16");
    else if (tunable_default(decl) < 1)
        diag_error(ctx, mark->loc,
                   "meta_tunable(d) needs a constant d of at least 1: it is the value that host "
                   "code sees");
}

/* Errors for marks below `node` that are misplaced; `decl`: what `node` is the initial value of. */
static void marks_check(struct ctx *ctx, const struct ast *node, const struct ast *decl,
                        bool in_region)
{
    if (!node)
        return;
    if (is_mark(node) && decl)
        declaration_check(ctx, decl, node, in_region);
    else if (is_mark(node))
        diag_error(ctx, node->loc,
                   "meta_tunable is the initial value of a const integer local only; write `const "
                   "int B = meta_tunable(16);` and use B here");
    const struct ast *mark = mark_of(node);
    if (node->kind == AST_CAST)
        mark = is_mark(ast_strip(node)) ? ast_strip(node) : NULL;
    for (int i = 0; i < node->n_children; i++) {
        const struct ast *owner = node->kind == AST_VARIABLE ? node : decl;
        marks_check(ctx, node->children[i], mark ? owner : NULL,
                    in_region || node->kind == AST_SCHEDULE);
    }
}

void tunables_check(struct ctx *ctx, const struct ast *body)
{
    marks_check(ctx, body, NULL, false);
}
