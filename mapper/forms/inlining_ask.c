/* Whether the statements of a called function can stand in the place of its call.

   In: a call, its caller and the body of the called function. Out: a reason against it: what ends
   the function early, keeps values from call to call, or means something else where the call
   stands. Questions about arguments are answered for the time that the function runs: a variable of
   the caller keeps its value then if nobody has its address, one of the file if the function does
   not write it. */
#include "frontend/ask.h"
#include "frontend/calls.h"
#include "frontend/groups.h"
#include "frontend/writes.h"
#include "mapper/forms/inlining.h"
#include <stdarg.h>
#include <string.h>

bool inlining_fail(struct inlining *in, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!in->reason)
        in->reason = arena_vprintf(in->arena, format, arguments);
    va_end(arguments);
    return false;
}

/* --- functions -------------------------------------------------------------------------------- */

static const struct ast *code_of(struct ast_unit *unit, const struct ast *function)
{
    return function && function->has_body ? ast_body(unit, function) : NULL;
}

/* Does the function come to `sought` by calls? `seen`: functions that were looked at. */
static bool comes_to(struct inlining *in, const struct ast *function, const struct ast *sought,
                     struct map *seen)
{
    struct ast_walk walk;
    const struct ast *n = ast_first(&walk, in->arena, code_of(in->unit, function));
    if (map_get_pointer(seen, function))
        return false;
    map_put_pointer(seen, function, in);
    for (; n; n = ast_next(&walk))
        if (n->kind == AST_CALL && n->decl &&
            (n->decl == sought || comes_to(in, n->decl, sought, seen)))
            return true;
    return false;
}

/* `seen`: functions that were looked at; one that changes something ends the search. */
static bool is_calm_code(struct arena *arena, struct ast_unit *unit, const struct ast *function,
                         struct map *seen)
{
    const struct ast *code = code_of(unit, function);
    struct ast_walk walk;
    if (code && map_get_pointer(seen, function))
        return true;
    map_put_pointer(seen, function, seen);
    for (const struct ast *n = ast_first(&walk, arena, code); n; n = ast_next(&walk)) {
        const struct ast *target = change_target(n), *decl = target ? target->decl : NULL;
        bool own = target && target->kind == AST_REF && decl->owner == function &&
                   !decl->is_static && !decl->is_extern;
        bool calls = n->kind == AST_CALL && !call_is_pure(n);
        if ((target && !own) || n->kind == AST_OPAQUE || n->kind == AST_ASM ||
            (calls && !(n->decl && is_calm_code(arena, unit, n->decl, seen))))
            return false;
    }
    return code != NULL;
}

bool inlining_is_calm(struct arena *arena, struct ast_unit *unit, const struct ast *function)
{
    return is_calm_code(arena, unit, function, map_new(arena));
}

/* Does the caller have a variable of the name? */
static bool caller_hides(struct inlining *in, const struct ast *decl)
{
    const struct ast *function = in->site->function;
    for (int i = 0; i < function->n_children; i++)
        if (function->children[i]->name && !strcmp(function->children[i]->name, decl->name))
            return true;
    return form_hides(in->arena, decl, in->site->body);
}

static bool is_callees(const struct inlining *in, const struct ast *decl)
{
    return decl->owner == in->callee;
}

static bool has_own_extent(const struct ast_type *type)
{
    for (; type; type = type->element)
        if (type->extent && type->count < 0)
            return true;
    return false;
}

/* A call in the body of the called function. */
static bool check_inner_call(struct inlining *in, const struct ast *call)
{
    if (!call->decl)
        return inlining_fail(in, "calls a function through a pointer");
    if (!code_of(in->unit, call->decl) && !call_is_pure(call) && !call_is_mark(call))
        return inlining_fail(in, "calls `%s`", call->decl->name);
    return true;
}

static bool check_name(struct inlining *in, const struct ast *decl)
{
    if (!decl || !decl->name || is_callees(in, decl))
        return true;
    map_put(in->outside, decl->name, in);
    return caller_hides(in, decl) ? inlining_fail(in, "uses `%s`, which `%s` has, too", decl->name,
                                                  in->site->function->name)
                                  : true;
}

static bool check_node(struct inlining *in, const struct ast *n)
{
    const struct ast *addressed = ast_addressed(n);
    bool is_last = n->kind == AST_RETURN && n == last_statement(in->code);
    if (n->kind == AST_RETURN && !is_last && !inlining_is_guard(in, n))
        return inlining_fail(in, "may return before its end");
    if (n->kind == AST_GOTO || n->kind == AST_INDIRECT_GOTO || n->kind == AST_LABEL)
        return inlining_fail(in, "has a `goto`");
    if (n->kind == AST_VARIABLE && is_callees(in, n) && (n->is_static || n->is_extern))
        return inlining_fail(in, "keeps `%s` from call to call", n->name);
    if (n->type && n->type->is_volatile)
        return inlining_fail(in, "uses something that is volatile");
    if (addressed && is_callees(in, addressed))
        return inlining_fail(in, "takes the address of `%s`", addressed->name);
    if (n->kind == AST_SCHEDULE || (n->kind == AST_FOR && n->is_meta))
        return inlining_fail(in, "has a region of its own");
    if ((n->kind == AST_SIZEOF && n->integer <= 0) ||
        (n->kind == AST_CAST && has_own_extent(n->type)))
        return inlining_fail(in, "has a type of its own variables in an expression");
    if (n->kind == AST_CALL && !check_inner_call(in, n))
        return false;
    return n->kind == AST_REF || n->kind == AST_CALL ? check_name(in, n->decl) : true;
}

bool inlining_check(struct inlining *in)
{
    struct ast_walk walk;
    if (in->callee->is_variadic || in->callee->n_children != in->call->n_children)
        return inlining_fail(in, "takes other arguments than it has parameters");
    if (comes_to(in, in->callee, in->callee, map_new(in->arena)))
        return inlining_fail(in, "calls itself");
    bool is_here = in->code->loc.source == in->unit->source;
    if (is_here && groups_choose(in->unit, in->code->begin, in->code->end))
        return inlining_fail(in, "has code that the preprocessor chooses");
    for (const struct ast *n = ast_first(&walk, in->arena, in->code); n; n = ast_next(&walk))
        if (++in->n_nodes > INLINED_NODES_MAX)
            return inlining_fail(in, "is too long to stand at its calls");
        else if (!check_node(in, n))
            return false;
    return true;
}

/* --- expressions of the caller ---------------------------------------------------------------- */

bool inlining_is_value(struct arena *arena, struct ast_unit *unit, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, ast); n; n = ast_next(&walk)) {
        bool calls = n->kind == AST_CALL && !call_is_pure(n);
        if (change_target(n) || n->kind == AST_OPAQUE || n->kind == AST_STATEMENT_EXPR ||
            (calls && !(n->decl && inlining_is_calm(arena, unit, n->decl))))
            return false;
    }
    return true;
}

/* Does the variable keep its value while the called function runs? */
static bool is_still_variable(struct inlining *in, const struct ast *decl)
{
    if (!decl->type || decl->type->is_volatile || decl == in->target ||
        (decl->kind != AST_VARIABLE && decl->kind != AST_PARAMETER))
        return false;
    if (decl->is_global || decl->is_static || decl->is_extern)
        return !ast_may_write(in->code, in->code, decl);
    return decl->owner == in->site->function && !ast_takes_address(in->site->body, decl);
}

/* May the operator be worked out again at each place? */
static bool is_free_operator(const struct ast *n)
{
    bool counts = n->type && ast_class_is_integer(n->type->class);
    bool is_sign = n->kind == AST_UNARY && n->op <= AST_OP_NOT;
    return is_sign || (counts && (n->kind == AST_BINARY || n->kind == AST_CAST ||
                                  n->kind == AST_CONDITIONAL));
}

/* A literal, perhaps behind a minus. */
static bool is_literal_number(const struct ast *ast)
{
    ast = ast_strip(ast);
    if (ast->kind == AST_UNARY && ast->op == AST_OP_MINUS)
        ast = ast_strip(ast->children[0]);
    return ast->kind == AST_INTEGER || ast->kind == AST_REAL;
}

bool inlining_is_still(struct inlining *in, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, in->arena, ast); n; n = ast_next(&walk)) {
        bool literal = n->kind == AST_INTEGER || n->kind == AST_CHARACTER || n->kind == AST_REAL ||
                       (n->kind == AST_SIZEOF && n->integer > 0);
        bool name = n->kind == AST_REF && type_is_scalar(n->type) && is_still_variable(in, n->decl);
        bool counts = n->type && ast_class_is_integer(n->type->class);
        bool converts = n->kind == AST_CAST && (counts || is_literal_number(n->children[0]));
        if (!literal && !name && !converts && !is_free_operator(n))
            return false;
    }
    return true;
}

bool inlining_is_place(struct inlining *in, const struct ast *ast)
{
    ast = ast_strip(ast);
    if (!ast->type || !ast->type->element)
        return false;
    if (ast->kind == AST_REF)
        return ast->decl->type && !ast->decl->type->is_volatile &&
               (ast->decl->type->class == AST_TYPE_ARRAY ? ast->decl->kind != AST_FUNCTION
                                                         : is_still_variable(in, ast->decl));
    if (ast->kind == AST_INDEX)
        return ast->type->class == AST_TYPE_ARRAY && inlining_is_place(in, ast->children[0]) &&
               inlining_is_still(in, ast->children[1]);
    const struct ast *index = ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS
                                  ? ast_strip(ast->children[0]) : NULL;
    if (index)
        return index->kind == AST_INDEX && inlining_is_place(in, index->children[0]) &&
               inlining_is_still(in, index->children[1]);
    if (ast->kind != AST_BINARY || (ast->op != AST_OP_ADD && ast->op != AST_OP_SUB))
        return false;
    int side = ast->children[0]->type && !ast->children[0]->type->element ? 1 : 0;
    return inlining_is_place(in, ast->children[side]) &&
           inlining_is_still(in, ast->children[1 - side]);
}
