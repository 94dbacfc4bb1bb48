/* Returns of a called function before its end.

   In: its body, with statements `if (c) return;` outside its loops. Out: the body without them:

       if (n <= 0)                            if (n > 0) {
           return 0;                              s = 0;
       float s = 0;                               for (int i = 0; i < n; i++)
       for (int i = 0; i < n; i++)                    s += x[i];
           s += x[i];                         } else
       return s;                                  s = 0;

   The value is assigned to the variable that the last statement returns. There is no assignment if
   it is that variable, if both are the same literal, or if the caller takes no result. Then the
   condition goes, too, if it only says that the loops behind it have no rounds. */
#include "frontend/ask.h"
#include "frontend/text.h"
#include "frontend/writes.h"
#include "mapper/forms/inlining.h"

/* The return of a statement that does nothing but return under a condition; NULL of other
   statements. */
static const struct ast *guard_return(const struct ast *statement)
{
    const struct ast *branch = statement->kind == AST_IF ? statement->children[1] : NULL;
    if (!branch || (statement->n_children > 2 && statement->children[2]))
        return NULL;
    if (branch->kind == AST_COMPOUND && branch->n_children == 1)
        branch = branch->children[0];
    return branch->kind == AST_RETURN ? branch : NULL;
}

bool inlining_is_guard(const struct inlining *in, const struct ast *node)
{
    for (int i = 0; i < in->code->n_children; i++)
        if (guard_return(in->code->children[i]) == node)
            return true;
    return false;
}

static bool returns_number(const struct ast *ast)
{
    ast = ast_strip(ast);
    return ast->kind == AST_INTEGER || ast->kind == AST_REAL;
}

/* The variable of the function that its last statement returns; NULL if it returns anything else,
   or if the variable never changes, so that none may be left. */
static const struct ast *variable_returned(const struct inlining *in, const struct ast *last)
{
    const struct ast *value = ast_strip(last), *decl = value->kind == AST_REF ? value->decl : NULL;
    bool is_own = decl && decl->kind == AST_VARIABLE && decl->owner == in->callee &&
                  type_is_scalar(decl->type) && !decl->type->is_volatile;
    return is_own && decl->type->class == in->callee->type->class && ast_writes(in->code, decl)
               ? decl : NULL;
}

/* The assignment of the value that the guard returns; NULL if there is none, or with a reason. */
static const struct ast *value_assign(struct inlining *in, const struct ast *guard,
                                      const struct ast *last)
{
    const struct ast *value = guard->n_children ? guard->children[0] : NULL;
    if (!value)
        return NULL;
    if (!inlining_is_value(in->arena, in->unit, value)) {
        inlining_fail(in, "returns what has an effect of its own");
        return NULL;
    }
    bool is_same = last && returns_number(last) && returns_number(value) &&
                   ast_equal(ast_strip(last), ast_strip(value));
    if (in->site->statement->kind == AST_CALL || is_same)
        return NULL;
    const struct ast *decl = last ? variable_returned(in, last) : NULL, *own = ast_strip(value);
    if (!decl) {
        inlining_fail(in, "may return before its end, and its last statement returns no variable");
        return NULL;
    }
    if (own->kind == AST_REF && own->decl == decl)
        return NULL;
    const struct ast *sides[] = {form_ref(in->arena, guard, decl), value};
    return form_make(in->arena, AST_ASSIGN, guard, decl->type, 2, sides);
}

/* The condition under which the function goes on. */
static const struct ast *condition_turned(struct inlining *in, const struct ast *condition)
{
    static const enum ast_op turned[AST_OPS] = {
        [AST_OP_LT] = AST_OP_GE, [AST_OP_GE] = AST_OP_LT, [AST_OP_GT] = AST_OP_LE,
        [AST_OP_LE] = AST_OP_GT, [AST_OP_EQ] = AST_OP_NE, [AST_OP_NE] = AST_OP_EQ};
    const struct ast *plain = ast_strip(condition);
    bool compares = plain->kind == AST_BINARY && turned[plain->op] &&
                    ast_class_is_integer(plain->children[0]->type->class) &&
                    ast_class_is_integer(plain->children[1]->type->class);
    if (compares)
        return form_binary(in->arena, turned[plain->op], plain->type, plain, plain->children[0],
                           plain->children[1]);
    struct ast *node = form_make(in->arena, AST_UNARY, condition, condition->type, 1, &condition);
    node->op = AST_OP_NOT;
    return node;
}

/* The variable that is not positive where the condition, `n <= 0` or `n < 1`, holds; NULL if it is
   another condition, or if the function sets the variable. */
static const struct ast *variable_bounded(const struct inlining *in, const struct ast *condition)
{
    const struct ast *plain = ast_strip(condition), *left = NULL, *right = NULL;
    if (plain->kind == AST_BINARY && (plain->op == AST_OP_LE || plain->op == AST_OP_LT)) {
        left = ast_strip(plain->children[0]);
        right = ast_strip(plain->children[1]);
    }
    bool found = left && left->kind == AST_REF && ast_class_is_integer(left->type->class) &&
                 right->kind == AST_INTEGER && right->integer == (plain->op == AST_OP_LT) &&
                 !ast_writes(in->code, left->decl);
    return found ? left->decl : NULL;
}

/* Is it a loop from a literal that is not negative, with rounds only below the variable? */
static bool runs_below(const struct ast *loop, const struct ast *variable)
{
    const struct ast *start = loop->kind == AST_FOR ? loop->children[0] : NULL;
    const struct ast *end = start ? ast_strip(loop->children[1]) : NULL, *from = NULL;
    if (start && start->kind == AST_ASSIGN && start->op == AST_OP_NONE)
        from = start->children[1];
    else if (start && start->kind == AST_DECLARE && start->n_children == 1 &&
             start->children[0]->n_children)
        from = start->children[0]->children[0];
    from = from ? ast_strip(from) : NULL;
    if (!from || from->kind != AST_INTEGER || from->integer < 0 || !end ||
        end->kind != AST_BINARY || end->op != AST_OP_LT)
        return false;
    const struct ast *iterator = start->kind == AST_ASSIGN ? ast_strip(start->children[0])->decl
                                                           : start->children[0];
    const struct ast *left = ast_strip(end->children[0]), *right = ast_strip(end->children[1]);
    return left->kind == AST_REF && left->decl == iterator && right->kind == AST_REF &&
           right->decl == variable && left->type->class == right->type->class;
}

/* Has everything behind the guard no rounds where its condition holds? */
static bool is_needless(const struct inlining *in, const struct ast *condition,
                        const struct ast *rest)
{
    const struct ast *variable = variable_bounded(in, condition);
    bool below = variable != NULL;
    for (int i = 0; i < rest->n_children; i++)
        below = below && runs_below(rest->children[i], variable);
    return below;
}

static const struct ast *statements_list(struct inlining *in, const struct ast *place, int n,
                                         const struct ast *const *list)
{
    return form_make(in->arena, AST_COMPOUND, place, NULL, n, list);
}

const struct ast *inlining_without_guards(struct inlining *in, const struct ast *code,
                                          const struct ast *last)
{
    VEC(const struct ast *) list = {0};
    int n = 0;
    while (n < code->n_children && !guard_return(code->children[n]))
        vec_push(in->arena, &list, code->children[n++]);
    if (n == code->n_children)
        return code;
    const struct ast *guard = code->children[n], *own = value_assign(in, guard_return(guard), last);
    const struct ast *rest = statements_list(in, code, code->n_children - n - 1,
                                             code->children + n + 1);
    if (!own && is_needless(in, guard->children[0], rest)) {
        for (int i = 0; i < rest->n_children; i++)
            vec_push(in->arena, &list, rest->children[i]);
        return statements_list(in, code, (int)list.count, list.at);
    }
    const struct ast *parts[3] = {condition_turned(in, guard->children[0]),
                                  inlining_without_guards(in, rest, last), own};
    vec_push(in->arena, &list, form_make(in->arena, AST_IF, guard, NULL, own ? 3 : 2, parts));
    return statements_list(in, code, (int)list.count, list.at);
}
