/* Calls of functions whose body the file shows.

   In: a call in a statement. Out: what the function touches, as accesses of the statement; the call
   stays as it is in the printed text, where the region's reader puts the body in its place. So a
   helper may hold what a thread may: declarations, assignments to its own variables and to elements
   of arrays, `if`, loops, `return` outside loops. An unchanged parameter stands for the argument,
   so a subscript over parameters is affine if the arguments are; iterators of the helper's loops
   are not affine. Array parameters are the caller's arrays by other names, or places in them:
   `x[k]` is `a[i * n + k]` where the argument is `&a[i * n]`. */
#include "mapper/forms/forms.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/helper.h"
#include "mapper/scop/limit.h"

static bool frame_owns(const struct scop_frame *frame, const struct ast *decl)
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

const struct ast *helper_argument(const struct scop *scop, const struct ast *decl,
                                  const struct scop_frame **frame)
{
    for (const struct scop_frame *f = scop->frame; f; f = f->outer) {
        int number = parameter_number(f->call->decl, decl);
        if (number < 0)
            continue;
        *frame = f;
        return map_get_pointer(f->written, decl) ? NULL : f->call->children[number];
    }
    return NULL;
}

/* --- arrays ----------------------------------------------------------------------------------- */

/* The parts of a pointer's expression: the pointer or array, and the added offset (NULL: none). */
struct pointer_sum {
    const struct ast *from, *by;
    enum ast_op op;
};

static bool sum_read(const struct ast *ast, struct pointer_sum *sum)
{
    ast = ast_strip(ast);
    bool is_address = ast->kind == AST_UNARY && ast->op == AST_OP_ADDRESS;
    const struct ast *index = is_address ? ast_strip(ast->children[0]) : ast;
    bool adds = index->kind == AST_BINARY && (index->op == AST_OP_ADD || index->op == AST_OP_SUB);
    *sum = (struct pointer_sum){ast, NULL, AST_OP_ADD};
    if (!(is_address && index->kind == AST_INDEX) && (is_address || !adds))
        return !is_address;
    int side = index->children[0]->type && !index->children[0]->type->element ? 1 : 0;
    sum->from = index->children[side];
    sum->by = index->children[1 - side];
    sum->op = adds ? index->op : AST_OP_ADD;
    return sum->by->type && ast_class_is_integer(sum->by->type->class);
}

const struct ast *place_base(const struct ast *place)
{
    struct pointer_sum sum;
    while (place->kind == AST_INDEX || place->kind == AST_CAST)
        place = place->children[0];
    if (place->kind == AST_REF)
        return place;
    return sum_read(place, &sum) && sum.by ? place_base(sum.from) : NULL;
}

/* `from[s]` for `(from + by)[s]`. */
static const struct ast *index_move(struct arena *arena, const struct ast *index,
                                    const struct ast *from, const struct ast *s)
{
    const struct ast *sides[] = {ast_strip(from), s};
    struct pointer_sum sum;
    while (sum_read(sides[0], &sum) && sum.by) {
        const struct ast *by = sum.op == AST_OP_ADD ? sum.by
                                                    : form_sum(arena, NULL, sum.by, AST_OP_SUB);
        sides[1] = form_sum(arena, by, sides[1], AST_OP_ADD);
        sides[0] = ast_strip(sum.from);
    }
    return form_make(arena, AST_INDEX, index, index->type, 2, sides);
}

/* An element or row with the argument in place of the array that it begins with. */
static const struct ast *index_bind(struct arena *arena, const struct ast *index,
                                    const struct ast *argument)
{
    const struct ast *array = ast_strip(index->children[0]);
    if (array->kind != AST_INDEX)
        return index_move(arena, index, argument, index->children[1]);
    const struct ast *sides[] = {index_bind(arena, array, argument), index->children[1]};
    return form_make(arena, AST_INDEX, index, index->type, 2, sides);
}

const struct ast *helper_element(const struct scop *scop, const struct ast *index, bool *is_place)
{
    *is_place = index->is_made && index->integer;
    for (const struct scop_frame *f = scop->frame; f; f = f->outer) {
        const struct ast *base = index;
        while (base->kind == AST_INDEX)
            base = ast_strip(base->children[0]);
        int number = base->kind == AST_REF ? parameter_number(f->call->decl, base->decl) : -1;
        if (number < 0)
            break;
        const struct ast *argument = f->call->children[number];
        struct pointer_sum sum;
        *is_place |= sum_read(argument, &sum) && sum.by;
        index = index_bind(scop->arena, index, argument);
    }
    return index;
}

bool helper_owns(const struct scop *scop, const struct ast *decl)
{
    return scop->frame && frame_owns(scop->frame, decl);
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
    if (target->kind != AST_REF || !frame_owns(frame, target->decl))
        return refuse_helper(e->scop, target, "an assignment in a called function to what is "
                                               "declared outside it", NULL);
    if (!type_is_scalar(target->decl->type))
        return scop_refuse(e->scop, REFUSE_POINTER_MOVES, target->loc, target->decl->name);
    return true;
}

static bool read_statement(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast,
                           bool is_may);

/* The array that an element belongs to; NULL for other expressions. */
static const struct ast *array_meant(const struct scop *scop, const struct ast *ast)
{
    bool is_place;
    const struct ast *base = ast && ast->kind == AST_INDEX
                                 ? place_base(helper_element(scop, ast, &is_place)) : NULL;
    return base ? base->decl : NULL;
}

/* An element in a loop's condition that the loop may store to, perhaps under another name, as a
   function may get an array twice; NULL if there is none. */
static const struct ast *bound_stored(const struct scop *scop, const struct ast *loop)
{
    struct ast_walk walk, writes;
    for (const struct ast *n = ast_first(&walk, scop->arena, loop->children[1]); n;
         n = ast_next(&walk)) {
        const struct ast *array = array_meant(scop, n);
        const struct ast *w = array ? ast_first(&writes, scop->arena, loop->children[3]) : NULL;
        for (; w; w = ast_next(&writes))
            if (w->kind == AST_CALL || array_meant(scop, change_target(w)) == array)
                return n;
    }
    return NULL;
}

/* All parts of a loop: statements and expressions, of which a `for` may leave some out. */
static bool read_loop(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast)
{
    bool good = true;
    if (has_return(e->scop->arena, ast))
        return refuse_helper(e->scop, ast, "`return` inside a loop", NULL);
    if (ast->kind == AST_FOR && !ast->children[1] && !ast_has_own_jump(ast->children[3], AST_BREAK))
        return scop_refuse(e->scop, REFUSE_HEADER, ast->loc, NULL);
    const struct ast *stored = ast->kind == AST_FOR ? bound_stored(e->scop, ast) : NULL;
    if (stored)
        return refuse_helper(e->scop, stored,
                             "a loop in a called function that stores to what bounds it, in",
                             array_meant(e->scop, stored)->name);
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

/* An array, or a place in one: what its subscripts and sums read. */
static bool check_place(struct extraction *e, struct scop_stmt *stmt, const struct ast *argument,
                        const struct ast *parameter)
{
    const struct ast *at = ast_strip(argument);
    struct pointer_sum sum = {0};
    while (at->kind == AST_INDEX || (sum_read(at, &sum) && sum.by)) {
        bool rows = at->kind == AST_INDEX;
        if (!expression_read(e, stmt, rows ? at->children[1] : sum.by))
            return false;
        at = ast_strip(rows ? at->children[0] : sum.from);
    }
    if (at->kind == AST_REF && at->decl->type && at->decl->type->element)
        return true;
    return scop_refuse(e->scop, REFUSE_ARGUMENT, argument->loc, parameter->name);
}

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
        if (!check_place(e, stmt, argument, function->children[i]))
            return false;
    }
    return true;
}

static bool helper_call_read(struct extraction *e, struct scop_stmt *stmt, const struct ast *call,
                             bool is_may, bool is_statement)
{
    struct scop *scop = e->scop;
    const struct ast *function = call->decl, *body = ast_body(scop->unit, function);
    bool plain = body && body->n_children == 1 && body->children[0]->kind == AST_RETURN;
    if (!body || function->is_variadic)
        return scop_refuse(scop, REFUSE_CALL, call->loc, function->name);
    if (!scop_limit_call(scop))
        return scop_refuse(scop, REFUSE_CALLS, call->loc, NULL);
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

/* A refusal inside the helper blames the calling statement. */
bool helper_read(struct extraction *e, struct scop_stmt *stmt, const struct ast *call, bool is_may,
                 bool is_statement)
{
    struct scop *scop = e->scop;
    if (helper_call_read(e, stmt, call, is_may, is_statement))
        return true;
    if (scop->frame || !scop->refusal.text)
        return false;
    scop->refusal.culprit = call->end ? call->begin : NOBODY;
    if (scop->refusal.loc.source != call->loc.source || scop->refusal.loc.line != call->loc.line)
        scop->refusal.text = arena_printf(scop->arena, "%s (in `%s`, which line %u calls)",
                                          scop->refusal.text, call->decl->name, call->loc.line);
    return false;
}
