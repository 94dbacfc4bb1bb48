/* Calls of functions whose body the file shows.

   In: a call in a statement. Out: what the function touches, as accesses of the statement; the call
   stays as it is in the printed text, where the region's reader puts the body in its place. So a
   helper may hold what a thread may: declarations, assignments to its own variables and to elements
   of arrays, `if`, loops, `return` outside loops. A parameter that keeps its value stands for its
   argument, so that subscripts of parameters are affine where those of the arguments are; what
   loops of the helper count is not. Array parameters are the caller's arrays by other names. */
#include "mapper/extract.h"

static bool is_own(const struct scop_frame *frame, const struct ast *decl)
{
    return decl->owner && decl->owner == frame->call->decl;
}

/* The number of a parameter; -1 if the declaration is none of the function's. */
static int parameter_number(const struct ast *function, const struct ast *decl)
{
    for (int i = 0; i < function->n_children; i++)
        if (function->children[i] == decl)
            return i;
    return -1;
}

const struct ast *helper_argument(const struct scop *scop, const struct ast *decl)
{
    const struct scop_frame *frame = scop->frame;
    int number = frame ? parameter_number(frame->call->decl, decl) : -1;
    if (number < 0 || map_get_pointer(frame->written, decl))
        return NULL;
    return frame->call->children[number];
}

const struct ast *helper_array(const struct scop *scop, const struct ast *ref)
{
    for (const struct scop_frame *f = scop->frame; f; f = f->outer) {
        int number = ref->kind == AST_REF ? parameter_number(f->call->decl, ref->decl) : -1;
        if (number < 0)
            break;
        ref = ast_strip(f->call->children[number]);
    }
    return ref;
}

bool helper_owns(const struct scop *scop, const struct ast *decl)
{
    return scop->frame && is_own(scop->frame, decl);
}

static bool is_running(const struct scop *scop, const struct ast *function)
{
    for (const struct scop_frame *f = scop->frame; f; f = f->outer)
        if (f->call->decl == function)
            return true;
    return false;
}

const struct ast *helper_enter(struct scop *scop, const struct ast *call, struct scop_frame *frame)
{
    const struct ast *function = call->decl;
    if (!function || !function->has_body || is_running(scop, function) ||
        function->n_children != call->n_children)
        return NULL;
    const struct ast *body = ast_body(scop->unit, function);
    bool plain = body && body->n_children == 1 && body->children[0]->kind == AST_RETURN;
    const struct ast *value = plain && body->children[0]->n_children
                                  ? body->children[0]->children[0] : NULL;
    if (!value)
        return NULL;
    *frame = (struct scop_frame){.call = call, .outer = scop->frame};
    frame->written = map_new(scop->arena);
    scop->frame = frame;
    return value;
}

void helper_leave(struct scop *scop)
{
    scop->frame = (struct scop_frame *)scop->frame->outer;
}

/* --- what a body may hold --------------------------------------------------------------------- */

static bool has_return(struct arena *arena, const struct ast *ast)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, ast); n; n = ast_next(&walk))
        if (n->kind == AST_RETURN)
            return true;
    return false;
}

/* NAME: the words end with it; NULL: they are whole. */
static void *refuse_helper(struct scop *scop, const struct ast *at, const char *what,
                           const char *name)
{
    if (name)
        what = arena_printf(scop->arena, "%s `%s`", what, name);
    return scop_refuse(scop, REFUSE_HELPER, at->loc, what);
}

/* A declaration in the helper's body. */
static bool read_variables(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast)
{
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *decl = ast->children[i];
        if (decl->kind != AST_VARIABLE)
            return scop_refuse_kind(e->scop, decl);
        if (decl->is_static || decl->is_extern)
            return scop_refuse(e->scop, REFUSE_LOCAL_STATIC, decl->loc, decl->name);
        if (!type_is_scalar(decl->type) || decl->type->is_volatile)
            return scop_refuse(e->scop, REFUSE_TYPE, decl->loc, decl->type->text);
        if (decl->n_children && !expression_read(e, stmt, decl->children[0]))
            return false;
    }
    return true;
}

/* An assignment in the helper's body: to a variable of its own, or to an element. */
static bool read_assignment(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast,
                            bool is_may)
{
    struct scop_frame *frame = e->scop->frame;
    const struct ast *target = ast->children[0];
    if (target->kind == AST_INDEX)
        return write_read(e, stmt, ast, is_may || frame->may_end);
    if (ast->kind == AST_ASSIGN && !expression_read(e, stmt, ast->children[1]))
        return false;
    if (target->kind != AST_REF || !is_own(frame, target->decl))
        return refuse_helper(e->scop, target, "an assignment in a called function to what is "
                                               "declared outside it", NULL);
    if (!type_is_scalar(target->decl->type))
        return scop_refuse(e->scop, REFUSE_POINTER_MOVES, target->loc, target->decl->name);
    return true;
}

static bool read_statement(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast,
                           bool is_may);

/* All parts of a loop: statements and expressions, of which a `for` may leave some out. */
static bool read_loop(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast)
{
    bool good = true;
    if (has_return(e->scop->arena, ast))
        return refuse_helper(e->scop, ast, "`return` inside a loop", NULL);
    if (ast->kind == AST_FOR && !ast->children[1] && !ast_has_own_jump(ast->children[3], AST_BREAK))
        return scop_refuse(e->scop, REFUSE_HEADER, ast->loc, NULL);
    for (int i = 0; i < ast->n_children && good; i++) {
        const struct ast *part = ast->children[i];
        bool is_condition = i == (ast->kind == AST_WHILE ? 0 : 1);
        if (part)
            good = is_condition ? expression_read(e, stmt, part)
                                : read_statement(e, stmt, part, true);
    }
    return good;
}

static bool read_statement(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast,
                           bool is_may)
{
    bool good = true;
    switch (ast->kind) {
    case AST_EMPTY:
        return true;
    case AST_DECLARE:
        return read_variables(e, stmt, ast);
    case AST_COMPOUND:
        for (int i = 0; i < ast->n_children && good; i++)
            good = read_statement(e, stmt, ast->children[i], is_may);
        return good;
    case AST_IF:
        good = expression_read(e, stmt, ast->children[0]);
        for (int i = 1; i < ast->n_children && good; i++)
            good = !ast->children[i] || read_statement(e, stmt, ast->children[i], true);
        e->scop->frame->may_end |= has_return(e->scop->arena, ast);
        return good;
    case AST_FOR:
    case AST_WHILE:
    case AST_DO:
        return read_loop(e, stmt, ast);
    case AST_BREAK:
    case AST_CONTINUE:
        return true;
    case AST_RETURN:
        return !ast->n_children || expression_read(e, stmt, ast->children[0]);
    case AST_ASSIGN:
        return read_assignment(e, stmt, ast, is_may);
    case AST_UNARY:
        if (ast->op >= AST_OP_PRE_INCREMENT && ast->op <= AST_OP_POST_DECREMENT)
            return read_assignment(e, stmt, ast, is_may);
        return scop_refuse_kind(e->scop, ast);
    case AST_CALL:
        return helper_read(e, stmt, ast, is_may || e->scop->frame->may_end, true);
    default:
        return scop_refuse_kind(e->scop, ast);
    }
}

/* --- the call --------------------------------------------------------------------------------- */

static bool check_arguments(struct extraction *e, struct scop_stmt *stmt, const struct ast *call)
{
    const struct ast *function = call->decl;
    if (function->n_children != call->n_children)
        return refuse_helper(e->scop, call, "a call with other arguments than parameters of",
                             function->name);
    for (int i = 0; i < call->n_children; i++) {
        const struct ast *argument = call->children[i];
        const struct ast_type *type = function->children[i]->type;
        if (type->class != AST_TYPE_POINTER && type->class != AST_TYPE_ARRAY) {
            if (!type_is_scalar(type))
                return scop_refuse(e->scop, REFUSE_TYPE, argument->loc, type->text);
            if (!expression_read(e, stmt, argument))
                return false;
            continue;
        }
        argument = ast_strip(argument);
        if (argument->kind != AST_REF || !argument->decl->type->element)
            return scop_refuse(e->scop, REFUSE_ARGUMENT, argument->loc,
                               function->children[i]->name);
    }
    return true;
}

static bool read_call(struct extraction *e, struct scop_stmt *stmt, const struct ast *call,
                      bool is_may, bool is_statement)
{
    struct scop *scop = e->scop;
    const struct ast *function = call->decl, *body = ast_body(scop->unit, function);
    bool plain = body && body->n_children == 1 && body->children[0]->kind == AST_RETURN;
    if (!body || function->is_variadic)
        return scop_refuse(scop, REFUSE_CALL, call->loc, function->name);
    if (is_running(scop, function))
        return refuse_helper(scop, call, "recursion of", function->name);
    if (e->conditional && !plain)
        return scop_refuse(scop, REFUSE_UNDER_CONDITION, call->loc, function->name);
    if (!is_statement && (!function->type || !type_is_scalar(function->type)))
        return scop_refuse(scop, REFUSE_TYPE, call->loc, function->type ? function->type->text
                                                                        : "void");
    if (!check_arguments(e, stmt, call))
        return false;
    struct scop_frame frame = {.call = call, .outer = scop->frame};
    frame.written = map_new(scop->arena);
    written_collect(scop->arena, frame.written, body);
    scop->frame = &frame;
    bool good = read_statement(e, stmt, body, is_may);
    helper_leave(scop);
    return good;
}

/* What a refusal inside the helper blames is the statement that calls it. */
bool helper_read(struct extraction *e, struct scop_stmt *stmt, const struct ast *call, bool is_may,
                 bool is_statement)
{
    struct scop *scop = e->scop;
    if (read_call(e, stmt, call, is_may, is_statement))
        return true;
    if (scop->frame || !scop->refusal.text)
        return false;
    scop->refusal.culprit = call->end ? call->begin : NOBODY;
    if (scop->refusal.loc.source != call->loc.source || scop->refusal.loc.line != call->loc.line)
        scop->refusal.text = arena_printf(scop->arena, "%s (in `%s`, which line %u calls)",
                                          scop->refusal.text, call->decl->name, call->loc.line);
    return false;
}
