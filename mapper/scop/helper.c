/* Calls of functions whose body the file shows.

   In: a call in a statement. Out: what the function touches, as accesses of the statement; the call
   stays as it is in the printed text, where the region's reader puts the body in its place. So a
   helper may hold what a thread may: declarations, assignments to its own variables and to elements
   of arrays, `if`, loops, `return` outside loops. An unchanged parameter stands for the argument,
   so a subscript over parameters is affine if the arguments are; iterators of the helper's loops
   are not affine. Array parameters are the caller's arrays by other names, or places in them:
   `x[k]` is `a[i * n + k]` where the argument is `&a[i * n]`. */
#include "frontend/writes.h"
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

const struct ast *helper_argument(const struct ast *decl, struct scop_place *at)
{
    for (const struct scop_frame *f = at->frame; f; f = f->outer) {
        int number = parameter_number(f->call->decl, decl);
        if (number < 0)
            continue;
        if (map_get_pointer(f->written, decl))
            return NULL;
        at->frame = f->outer;
        at->is_modular = false;
        return f->call->children[number];
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

const struct ast *helper_element(struct arena *arena, const struct scop_frame *frame,
                                 const struct ast *index, bool *is_place)
{
    *is_place = index->is_made && index->integer;
    for (; frame; frame = frame->outer) {
        const struct ast *base = index;
        while (base->kind == AST_INDEX)
            base = ast_strip(base->children[0]);
        int number = base->kind == AST_REF ? parameter_number(frame->call->decl, base->decl) : -1;
        if (number < 0)
            break;
        const struct ast *argument = frame->call->children[number];
        struct pointer_sum sum;
        *is_place |= sum_read(argument, &sum) && sum.by;
        index = index_bind(arena, index, argument);
    }
    return index;
}

/* Is the function being read, in the frame or in one around it? */
static bool is_running(const struct scop_frame *frame, const struct ast *function)
{
    for (; frame; frame = frame->outer)
        if (frame->call->decl == function)
            return true;
    return false;
}

/* In the body of the function that is called. */
static struct scop_place place_called(struct scop *scop, struct scop_place at,
                                      const struct ast *call, const struct ast *body)
{
    struct scop_frame *frame = ARENA_NEW(scop->arena, struct scop_frame);
    struct map *written = map_new(scop->arena);
    written_collect(scop->arena, written, body);
    *frame = (struct scop_frame){call, at.frame, written};
    at.frame = frame;
    return at;
}

const struct ast *helper_enter(struct scop *scop, const struct ast *call, struct scop_place *at)
{
    const struct ast *function = call->decl;
    if (!function || !function->has_body || is_running(at->frame, function) ||
        function->n_children != call->n_children)
        return NULL;
    const struct ast *body = ast_body(scop->unit, function);
    bool plain = body && body->n_children == 1 && body->children[0]->kind == AST_RETURN;
    const struct ast *value = plain && body->children[0]->n_children
                                  ? body->children[0]->children[0] : NULL;
    if (value)
        *at = place_called(scop, *at, call, body);
    return value;
}

/* --- what a body may hold --------------------------------------------------------------------- */

/* NAME: the words end with it; NULL: they are whole. */
static void *refuse_helper(struct scop *scop, const struct ast *at, const char *what,
                           const char *name)
{
    if (name)
        what = arena_printf(scop->arena, "%s `%s`", what, name);
    return scop_refuse(scop, REFUSE_HELPER, at->loc, what);
}

/* A function's body while it is read. */
struct helper_body {
    struct extraction *e;
    struct scop_place at;            /* in the function */
    bool may_end;                    /* a `return` may have ended the call */
};

/* A declaration in the helper's body. */
static bool read_variables(const struct helper_body *b, const struct ast *ast)
{
    struct scop *scop = b->e->scop;
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *decl = ast->children[i];
        if (decl->kind != AST_VARIABLE)
            return scop_refuse_kind(scop, decl);
        if (decl->is_static || decl->is_extern)
            return scop_refuse(scop, REFUSE_LOCAL_STATIC, decl->loc, decl->name);
        if (!type_is_scalar(decl->type) || decl->type->is_volatile)
            return scop_refuse(scop, REFUSE_TYPE, decl->loc, decl->type->text);
        if (decl->n_children && !expression_read(b->e, b->at, decl->children[0]))
            return false;
    }
    return true;
}

/* An assignment in the helper's body: to a variable of its own, or to an element. */
static bool read_assignment(const struct helper_body *b, const struct ast *ast, bool is_may)
{
    struct scop *scop = b->e->scop;
    const struct ast *target = ast->children[0];
    if (target->kind == AST_INDEX)
        return write_read(b->e, b->at, ast, is_may || b->may_end);
    if (ast->kind == AST_ASSIGN && !expression_read(b->e, b->at, ast->children[1]))
        return false;
    if (target->kind != AST_REF || !frame_owns(b->at.frame, target->decl))
        return refuse_helper(scop, target, "an assignment in a called function to what is "
                                           "declared outside it", NULL);
    if (!type_is_scalar(target->decl->type))
        return scop_refuse(scop, REFUSE_POINTER_MOVES, target->loc, target->decl->name);
    return true;
}

static bool read_statement(struct helper_body *b, const struct ast *ast, bool is_may);

/* The array that an element belongs to; NULL for other expressions. */
static const struct ast *array_meant(const struct helper_body *b, const struct ast *ast)
{
    struct arena *arena = b->e->scop->arena;
    bool is_place;
    const struct ast *base = ast && ast->kind == AST_INDEX
                                 ? ast_base(helper_element(arena, b->at.frame, ast, &is_place))
                                 : NULL;
    return base ? base->decl : NULL;
}

/* An element in a loop's condition that the loop may store to, perhaps under another name, as a
   function may get an array twice; NULL if there is none. */
static const struct ast *bound_stored(const struct helper_body *b, const struct ast *loop)
{
    struct arena *arena = b->e->scop->arena;
    struct ast_walk walk, writes;
    for (const struct ast *n = ast_first(&walk, arena, loop->children[1]); n; n = ast_next(&walk)) {
        const struct ast *array = array_meant(b, n);
        const struct ast *w = array ? ast_first(&writes, arena, loop->children[3]) : NULL;
        for (; w; w = ast_next(&writes))
            if (w->kind == AST_CALL || array_meant(b, change_target(w)) == array)
                return n;
    }
    return NULL;
}

/* All parts of a loop: statements and expressions, of which a `for` may leave some out. */
static bool read_loop(struct helper_body *b, const struct ast *ast)
{
    struct scop *scop = b->e->scop;
    bool good = true;
    if (ast_has(ast, AST_RETURN))
        return refuse_helper(scop, ast, "`return` inside a loop", NULL);
    if (ast->kind == AST_FOR && !ast->children[1] && !ast_has_own_jump(ast->children[3], AST_BREAK))
        return scop_refuse(scop, REFUSE_HEADER, ast->loc, NULL);
    const struct ast *stored = ast->kind == AST_FOR ? bound_stored(b, ast) : NULL;
    if (stored)
        return refuse_helper(scop, stored,
                             "a loop in a called function that stores to what bounds it, in",
                             array_meant(b, stored)->name);
    for (int i = 0; i < ast->n_children && good; i++) {
        const struct ast *part = ast->children[i];
        bool is_condition = i == (ast->kind == AST_WHILE ? 0 : 1);
        if (part)
            good = is_condition ? expression_read(b->e, b->at, part)
                                : read_statement(b, part, true);
    }
    return good;
}

static bool read_statement(struct helper_body *b, const struct ast *ast, bool is_may)
{
    struct extraction *e = b->e;
    bool good = true;
    switch (ast->kind) {
    case AST_EMPTY:
        return true;
    case AST_DECLARE:
        return read_variables(b, ast);
    case AST_COMPOUND:
        for (int i = 0; i < ast->n_children && good; i++)
            good = read_statement(b, ast->children[i], is_may);
        return good;
    case AST_IF:
        good = expression_read(e, b->at, ast->children[0]);
        for (int i = 1; i < ast->n_children && good; i++)
            good = !ast->children[i] || read_statement(b, ast->children[i], true);
        b->may_end |= ast_has(ast, AST_RETURN);
        return good;
    case AST_FOR:
    case AST_WHILE:
    case AST_DO:
        return read_loop(b, ast);
    case AST_BREAK:
    case AST_CONTINUE:
        return true;
    case AST_RETURN:
        return !ast->n_children || expression_read(e, b->at, ast->children[0]);
    case AST_ASSIGN:
        return read_assignment(b, ast, is_may);
    case AST_UNARY:
        if (ast->op >= AST_OP_PRE_INCREMENT && ast->op <= AST_OP_POST_DECREMENT)
            return read_assignment(b, ast, is_may);
        return scop_refuse_kind(e->scop, ast);
    case AST_CALL:
        return helper_read(e, b->at, ast, is_may || b->may_end, true);
    default:
        return scop_refuse_kind(e->scop, ast);
    }
}

/* --- the call --------------------------------------------------------------------------------- */

/* An array, or a place in one: what its subscripts and sums read. */
static bool check_place(struct extraction *e, struct scop_place at, const struct ast *argument,
                        const struct ast *parameter)
{
    const struct ast *from = ast_strip(argument);
    struct pointer_sum sum = {0};
    while (from->kind == AST_INDEX || (sum_read(from, &sum) && sum.by)) {
        bool rows = from->kind == AST_INDEX;
        if (!expression_read(e, at, rows ? from->children[1] : sum.by))
            return false;
        from = ast_strip(rows ? from->children[0] : sum.from);
    }
    if (from->kind == AST_REF && from->decl->type && from->decl->type->element)
        return true;
    return scop_refuse(e->scop, REFUSE_ARGUMENT, argument->loc, parameter->name);
}

static bool check_arguments(struct extraction *e, struct scop_place at, const struct ast *call)
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
            if (!expression_read(e, at, argument))
                return false;
            continue;
        }
        if (!check_place(e, at, argument, function->children[i]))
            return false;
    }
    return true;
}

static bool helper_call_read(struct extraction *e, struct scop_place at, const struct ast *call,
                             bool is_may, bool is_statement)
{
    struct scop *scop = e->scop;
    const struct ast *function = call->decl;
    if (!function)
        return scop_refuse(scop, REFUSE_POINTER_CALL, call->loc, NULL);
    const struct ast *body = ast_body(scop->unit, function);
    bool plain = body && body->n_children == 1 && body->children[0]->kind == AST_RETURN;
    if (!body || function->is_variadic)
        return scop_refuse(scop, REFUSE_CALL, call->loc, function->name);
    if (!scop_limit_call(scop))
        return scop_refuse(scop, REFUSE_CALLS, call->loc, NULL);
    if (is_running(at.frame, function))
        return refuse_helper(scop, call, "recursion of", function->name);
    if (at.is_conditional && !plain)
        return scop_refuse(scop, REFUSE_UNDER_CONDITION, call->loc, function->name);
    if (!is_statement && (!function->type || !type_is_scalar(function->type)))
        return scop_refuse(scop, REFUSE_TYPE, call->loc, function->type ? function->type->text
                                                                        : "void");
    if (!check_arguments(e, at, call))
        return false;
    struct helper_body inside = {.e = e, .at = place_called(scop, at, call, body)};
    return read_statement(&inside, body, is_may);
}

/* A refusal inside the helper blames the calling statement. */
bool helper_read(struct extraction *e, struct scop_place at, const struct ast *call, bool is_may,
                 bool is_statement)
{
    struct scop *scop = e->scop;
    if (helper_call_read(e, at, call, is_may, is_statement))
        return true;
    if (at.frame || !scop->refusal.text)
        return false;
    const char *kept = at.depth ? NULL : kept_call_words(scop->arena, scop->unit, call->begin);
    if (kept) {
        scop->refusal = (struct scop_refusal){0};
        return scop_refuse(scop, REFUSE_KEPT_CALL, call->loc, kept);
    }
    scop->refusal.culprit = call->end ? call->begin : NOBODY;
    if (scop->refusal.loc.source != call->loc.source || scop->refusal.loc.line != call->loc.line)
        scop->refusal.text = arena_printf(scop->arena, "%s (in `%s`, which line %u calls)",
                                          scop->refusal.text, call->decl->name,
                                          loc_line(call->loc));
    return false;
}
