/* The statements of a fragment: loops, conditions, accesses.

   In: a fragment. Out: a scop whose nodes mirror the source, with affine bounds and subscripts.
   Conditions over iterators and parameters are nodes; an `if` on data is one statement, whose
   writes happen perhaps. What a read touches through a subscript that is not affine is everything
   along that axis. Everything else that is not understood is refused by name. */
#include "mapper/scop.h"
#include <string.h>

struct extraction {
    struct scop *scop;
    int depth;
    const struct scop_loop *loops[LOOP_DEPTH_MAX];
};

static bool is_scalar_type(const struct ast_type *type)
{
    return type && ast_class_is_scalar(type->class);
}

/* --- what the fragment changes ---------------------------------------------------------------- */

static const struct ast *written_scalar(const struct ast *n)
{
    bool changes = n->kind == AST_ASSIGN ||
                   (n->kind == AST_UNARY && n->op >= AST_OP_PRE_INCREMENT &&
                    n->op <= AST_OP_POST_DECREMENT);
    const struct ast *target = changes ? n->children[0] : NULL;
    return target && target->kind == AST_REF ? target->decl : NULL;
}

static void collect_written(struct arena *arena, struct map *written, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, arena, root); n; n = ast_next(&walk)) {
        const struct ast *decl = written_scalar(n);
        if (decl && !map_get_pointer(written, decl))
            map_put_pointer(written, decl, (void *)n);
    }
}

static void collect_declared(struct scop *scop, const struct ast *root)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, root); n; n = ast_next(&walk))
        if (n->kind == AST_VARIABLE)
            map_put_pointer(scop->is_declared, n, (void *)n);
}

static struct scop_array *array_of(struct scop *scop, const struct ast *decl, int n_dims)
{
    for (size_t i = 0; i < scop->arrays.count; i++)
        if (scop->arrays.at[i]->decl == decl)
            return scop->arrays.at[i];
    struct scop_array *array = ARENA_NEW(scop->arena, struct scop_array);
    array->decl = decl;
    array->name = decl->name;
    array->pitch = n_dims ? map_get_pointer(scop->pitches, decl) : NULL;
    array->n_dims = array->pitch ? 2 : n_dims;
    array->is_pointer = n_dims && (decl->kind == AST_PARAMETER ||
                                   decl->type->class == AST_TYPE_POINTER || decl->is_global);
    vec_push(scop->arena, &scop->arrays, array);
    return array;
}

/* --- accesses --------------------------------------------------------------------------------- */

static bool read_expression(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast);

/* The number of subscripts that lead to a scalar; 0 if the type has no such number. */
static int dims_of(const struct ast_type *type)
{
    int n = 0;
    while (type && (type->class == AST_TYPE_ARRAY || (type->class == AST_TYPE_POINTER && n == 0))) {
        type = type->element;
        n++;
    }
    if (!type || !ast_class_is_scalar(type->class) || type->is_volatile)
        return 0;
    return n;
}

static bool is_pointer_array(const struct ast_type *type)
{
    const struct ast_type *element = type->element;
    while (element && element->class == AST_TYPE_ARRAY)
        element = element->element;
    return element && element->class == AST_TYPE_POINTER;
}

static const struct ast *base_of(const struct ast *index, int *n)
{
    *n = 0;
    while (index->kind == AST_INDEX) {
        index = index->children[0];
        (*n)++;
    }
    return index;
}

/* Does the function change a variable that an extent of the type names? Then the memory is laid out
   by a value that is no more. */
static bool has_changed_extent(struct scop *scop, const struct ast_type *type)
{
    struct ast_walk walk;
    for (; type; type = type->element)
        for (const struct ast *n = ast_first(&walk, scop->arena, type->extent); n;
             n = ast_next(&walk))
            if (n->kind == AST_REF && map_get_pointer(scop->changed, n->decl))
                return true;
    return false;
}

static bool check_base(struct extraction *e, const struct ast *base, int n)
{
    struct scop *scop = e->scop;
    if (base->kind != AST_REF)
        return scop_refuse_kind(scop, base);
    const struct ast *decl = base->decl;
    const struct ast *moved = map_get_pointer(scop->written, decl);
    if (moved)
        return scop_refuse_for(scop, REFUSE_POINTER_MOVES, base->loc, decl->name, moved);
    if (!decl->type->element || is_pointer_array(decl->type))
        return scop_refuse(scop, REFUSE_POINTER_ARRAY, base->loc, decl->name);
    if (map_get_pointer(scop->is_declared, decl))
        return scop_refuse(scop, REFUSE_LOCAL_ARRAY, base->loc, decl->name);
    int dims = dims_of(decl->type);
    if (!dims)
        return scop_refuse(scop, REFUSE_TYPE, base->loc, decl->type->text);
    if (has_changed_extent(scop, decl->type))
        return scop_refuse(scop, REFUSE_EXTENT_CHANGES, base->loc, decl->name);
    if (dims != n)
        return scop_refuse(scop, REFUSE_WHOLE_ARRAY, base->loc, decl->name);
    return n <= SUBSCRIPTS_MAX || scop_refuse(scop, REFUSE_TYPE, base->loc, decl->type->text);
}

static bool access_array(struct extraction *e, struct scop_stmt *stmt, const struct ast *index,
                         bool is_write, bool is_may)
{
    int n;
    const struct ast *base = base_of(index, &n), *at = index;
    if (!check_base(e, base, n))
        return false;
    struct scop_access access = {.array = array_of(e->scop, base->decl, n),
                                 .ast = index,
                                 .is_write = is_write,
                                 .is_may = is_may};
    for (int i = n; i-- > 0; at = at->children[0]) {
        if (access.array->pitch)
            access.is_affine[0] = access.is_affine[1] =
                subscript_split(e->scop, e->loops, e->depth, access.array->pitch, at->children[1],
                                &access.subscripts[0], &access.subscripts[1]);
        else
            access.is_affine[i] = affine_read(e->scop, e->loops, e->depth, at->children[1],
                                              &access.subscripts[i]);
        if (!access.is_affine[i] && is_write)
            return scop_refuse(e->scop, REFUSE_WRITE_SUBSCRIPT, at->children[1]->loc,
                               base->decl->name);
        if (!read_expression(e, stmt, at->children[1]))
            return false;
    }
    access.array->is_written |= is_write;
    vec_push(e->scop->arena, &stmt->accesses, access);
    return true;
}

static bool is_iterator(const struct extraction *e, const struct ast *decl)
{
    for (int i = 0; i < e->depth; i++)
        if (e->loops[i]->iterator == decl)
            return true;
    return false;
}

/* Does a variable live inside one statement, an `if` on data? */
static bool is_local_to(const struct scop_stmt *stmt, const struct ast *decl)
{
    return stmt->ast->kind == AST_IF && decl->begin >= stmt->ast->begin &&
           decl->end <= stmt->ast->end;
}

static bool access_scalar(struct extraction *e, struct scop_stmt *stmt, const struct ast *ref,
                          bool is_write, bool is_may)
{
    struct scop *scop = e->scop;
    const struct ast *decl = ref->decl;
    if (is_iterator(e, decl))
        return !is_write || scop_refuse(scop, REFUSE_ITERATOR_WRITTEN, ref->loc, decl->name);
    if (decl->type->is_volatile)
        return scop_refuse(scop, REFUSE_VOLATILE, ref->loc, decl->name);
    if (decl->kind == AST_FUNCTION || !is_scalar_type(decl->type))
        return dims_of(decl->type)
                   ? scop_refuse(scop, REFUSE_WHOLE_ARRAY, ref->loc, decl->name)
                   : scop_refuse(scop, REFUSE_TYPE, ref->loc, decl->type->text);
    if (!map_get_pointer(scop->written, decl) && !map_get_pointer(scop->is_declared, decl))
        return true;
    if (is_local_to(stmt, decl))
        return true;
    struct scop_access access = {.array = array_of(scop, decl, 0),
                                 .ast = ref,
                                 .is_write = is_write,
                                 .is_may = is_may};
    access.array->is_written |= is_write;
    vec_push(scop->arena, &stmt->accesses, access);
    return true;
}

static bool is_math(const struct ast *call)
{
    static const char *const names[] = {
#define X(name, arguments, libdevice) #name, #name "f",
#include "ir/function.def"
#undef X
        "abs", "labs", "llabs",
    };
    if (!call->decl || call->decl->has_body)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(call->decl->name, names[i]))
            return true;
    return false;
}

static bool read_expression(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast)
{
    struct scop *scop = e->scop;
    switch (ast->kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_REAL:
    case AST_SIZEOF:
        return true;
    case AST_REF:
        return access_scalar(e, stmt, ast, false, false);
    case AST_INDEX:
        return access_array(e, stmt, ast, false, false);
    case AST_ASSIGN:
        return scop_refuse(scop, REFUSE_ASSIGNMENT, ast->loc, NULL);
    case AST_CALL:
        if (!is_math(ast))
            return scop_refuse(scop, REFUSE_CALL, ast->loc, ast->decl ? ast->decl->name : "?");
        break;
    case AST_UNARY:
        if (ast->op == AST_OP_DEREFERENCE)
            return scop_refuse(scop, REFUSE_DEREFERENCE, ast->loc, NULL);
        if (ast->op == AST_OP_ADDRESS)
            return scop_refuse(scop, REFUSE_ADDRESS, ast->loc, NULL);
        if (ast->op > AST_OP_NOT)
            return scop_refuse(scop, REFUSE_ASSIGNMENT, ast->loc, NULL);
        break;
    case AST_BINARY:
        if (ast->op == AST_OP_COMMA)
            return scop_refuse(scop, REFUSE_COMMA, ast->loc, NULL);
        break;
    case AST_CONDITIONAL:
    case AST_CAST:
        break;
    default:
        return scop_refuse_kind(scop, ast);
    }
    if (!is_scalar_type(ast->type))
        return scop_refuse(scop, REFUSE_TYPE, ast->loc, ast->type ? ast->type->text : "a value");
    for (int i = 0; i < ast->n_children; i++)
        if (!read_expression(e, stmt, ast->children[i]))
            return false;
    return true;
}

static bool write_target(struct extraction *e, struct scop_stmt *stmt, const struct ast *target,
                         bool reads_too, bool is_may)
{
    if (reads_too && !read_expression(e, stmt, target))
        return false;
    if (target->kind == AST_INDEX)
        return access_array(e, stmt, target, true, is_may);
    if (target->kind == AST_REF && target->decl->type->class == AST_TYPE_POINTER)
        return scop_refuse(e->scop, REFUSE_POINTER_MOVES, target->loc, target->decl->name);
    if (target->kind == AST_REF)
        return access_scalar(e, stmt, target, true, is_may);
    return read_expression(e, stmt, target) && scop_refuse_kind(e->scop, target);
}

static bool read_declaration(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast,
                             bool is_may)
{
    struct scop *scop = e->scop;
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *decl = ast->children[i];
        if (decl->kind != AST_VARIABLE)
            return scop_refuse_kind(scop, decl);
        if (decl->is_static || decl->is_extern)
            return scop_refuse(scop, REFUSE_LOCAL_STATIC, decl->loc, decl->name);
        if (decl->type->class == AST_TYPE_ARRAY)
            return scop_refuse(scop, REFUSE_LOCAL_ARRAY, decl->loc, decl->name);
        if (!is_scalar_type(decl->type) || decl->type->is_volatile)
            return scop_refuse(scop, REFUSE_TYPE, decl->loc, decl->type->text);
        if (!decl->n_children)
            continue;
        if (!read_expression(e, stmt, decl->children[0]))
            return false;
        if (is_local_to(stmt, decl))
            continue;
        struct scop_access access = {.array = array_of(scop, decl, 0),
                                     .ast = decl,
                                     .is_write = true,
                                     .is_may = is_may};
        access.array->is_written = true;
        vec_push(scop->arena, &stmt->accesses, access);
    }
    return true;
}

/* A statement as part of a leaf; `is_may`: under a condition on data. */
static bool read_statement(struct extraction *e, struct scop_stmt *stmt, const struct ast *ast,
                           bool is_may)
{
    if (!ast)
        return true;
    switch (ast->kind) {
    case AST_EMPTY:
        return true;
    case AST_DECLARE:
        return read_declaration(e, stmt, ast, is_may);
    case AST_COMPOUND:
        for (int i = 0; i < ast->n_children; i++)
            if (!read_statement(e, stmt, ast->children[i], is_may))
                return false;
        return true;
    case AST_IF:
        return read_expression(e, stmt, ast->children[0]) &&
               read_statement(e, stmt, ast->children[1], true) &&
               (ast->n_children < 3 || read_statement(e, stmt, ast->children[2], true));
    case AST_ASSIGN:
        return read_expression(e, stmt, ast->children[1]) &&
               write_target(e, stmt, ast->children[0], ast->op != AST_OP_NONE, is_may);
    case AST_UNARY:
        if (ast->op >= AST_OP_PRE_INCREMENT && ast->op <= AST_OP_POST_DECREMENT)
            return write_target(e, stmt, ast->children[0], true, is_may);
        return scop_refuse_kind(e->scop, ast);
    case AST_FOR:
        return scop_refuse(e->scop, REFUSE_LOOP_UNDER_DATA, ast->loc, NULL);
    case AST_CALL:
        return scop_refuse(e->scop, REFUSE_CALL_STATEMENT, ast->loc, NULL);
    default:
        return ast->kind == AST_BINARY && ast->op == AST_OP_COMMA
                   ? scop_refuse(e->scop, REFUSE_COMMA, ast->loc, NULL)
                   : scop_refuse_kind(e->scop, ast);
    }
}

/* --- nodes ------------------------------------------------------------------------------------ */

static struct scop_node *node_new(struct scop *scop, enum scop_node_kind kind,
                                  const struct ast *ast, int n_children)
{
    struct scop_node *node = ARENA_NEW(scop->arena, struct scop_node);
    node->kind = kind;
    node->ast = ast;
    node->n_children = n_children;
    node->children = ARENA_ARRAY(scop->arena, struct scop_node *, n_children + 1);
    return node;
}

static struct scop_node *read_node(struct extraction *e, const struct ast *ast);

static struct scop_node *read_leaf(struct extraction *e, const struct ast *ast)
{
    struct scop *scop = e->scop;
    struct scop_node *node = node_new(scop, SCOP_LEAF, ast, 0);
    struct scop_stmt *stmt = ARENA_NEW(scop->arena, struct scop_stmt);
    if (scop->stmts.count == STATEMENTS_MAX)
        return scop_refuse(scop, REFUSE_STATEMENTS, ast->loc, NULL);
    stmt->id = (int)scop->stmts.count;
    stmt->ast = ast;
    stmt->node = node;
    stmt->depth = e->depth;
    memcpy(stmt->loops, e->loops, sizeof stmt->loops);
    node->stmt = stmt;
    if (!read_statement(e, stmt, ast, false))
        return NULL;
    const struct scop_stmt *before = scop->stmts.count ? vec_last(&scop->stmts) : NULL;
    if (before && before->ast->end > ast->begin)
        return scop_refuse(scop, REFUSE_MACRO, ast->loc, NULL);
    vec_push(scop->arena, &scop->stmts, stmt);
    return node;
}

static struct scop_node *read_block(struct extraction *e, const struct ast *ast, int n,
                                    const struct ast *const *statements)
{
    struct scop_node *node = node_new(e->scop, SCOP_BLOCK, ast, n);
    node->n_children = 0;
    for (int i = 0; i < n; i++) {
        struct scop_node *child = read_node(e, statements[i]);
        if (!child)
            return NULL;
        child->parent = node;
        node->children[node->n_children++] = child;
    }
    return node;
}

static struct scop_node *read_if(struct extraction *e, const struct ast *ast)
{
    if (!condition_is_affine(e->scop, e->loops, e->depth, ast->children[0]))
        return read_leaf(e, ast);
    struct scop_node *node = node_new(e->scop, SCOP_IF, ast, 2);
    for (int i = 0; i < 2 && i + 1 < ast->n_children; i++) {
        if (!ast->children[i + 1])
            continue;
        node->children[i] = read_node(e, ast->children[i + 1]);
        if (!node->children[i])
            return NULL;
        node->children[i]->parent = node;
    }
    return node;
}

/* --- loops ------------------------------------------------------------------------------------ */

static const struct ast *iterator_of(const struct ast *start, const struct ast **value)
{
    if (start && start->kind == AST_DECLARE && start->n_children == 1 &&
        start->children[0]->kind == AST_VARIABLE && start->children[0]->n_children) {
        *value = start->children[0]->children[0];
        return start->children[0];
    }
    if (start && start->kind == AST_ASSIGN && start->op == AST_OP_NONE &&
        start->children[0]->kind == AST_REF) {
        *value = start->children[1];
        return start->children[0]->decl;
    }
    return NULL;
}

static const struct ast *without_casts(const struct ast *ast)
{
    while (ast->kind == AST_CAST && ast->is_implicit)
        ast = ast->children[0];
    return ast;
}

static bool is_ref_to(const struct ast *ast, const struct ast *decl)
{
    ast = without_casts(ast);
    return ast->kind == AST_REF && ast->decl == decl;
}

/* c of `i += c`, `i -= c`, `i = i + c`, `i++`; 0 if it is none of them. */
static int64_t step_of(const struct ast *step, const struct ast *iterator)
{
    if (!step || !step->n_children || !is_ref_to(step->children[0], iterator))
        return 0;
    if (step->kind == AST_UNARY)
        return step->op == AST_OP_PRE_INCREMENT || step->op == AST_OP_POST_INCREMENT   ? 1
               : step->op == AST_OP_PRE_DECREMENT || step->op == AST_OP_POST_DECREMENT ? -1
                                                                                       : 0;
    if (step->kind != AST_ASSIGN)
        return 0;
    enum ast_op op = step->op;
    const struct ast *value = without_casts(step->children[1]);
    if (op == AST_OP_NONE && value->kind == AST_BINARY && is_ref_to(value->children[0], iterator)) {
        op = value->op;
        value = without_casts(value->children[1]);
    }
    bool literal = value->kind == AST_INTEGER && value->integer > 0 && value->integer < INT32_MAX;
    if (!literal || (op != AST_OP_ADD && op != AST_OP_SUB))
        return 0;
    return op == AST_OP_ADD ? value->integer : -value->integer;
}

/* Says why a bound is not affine; to blame is what changes it. Returns NULL. */
static void *refuse_bound(struct scop *scop, const struct ast *bound)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, bound); n; n = ast_next(&walk)) {
        const struct ast *change =
            n->kind == AST_REF ? map_get_pointer(scop->written, n->decl) : NULL;
        if (change)
            return scop_refuse_for(scop, REFUSE_BOUND_CHANGES, bound->loc, n->decl->name, change);
    }
    return scop_refuse(scop, REFUSE_BOUND, bound->loc, NULL);
}

/* `i < e` and its like as a limit that the iterator may reach. */
static bool read_limit(struct extraction *e, struct scop_loop *loop, const struct ast *condition)
{
    struct scop *scop = e->scop;
    if (condition->kind == AST_BINARY && condition->op == AST_OP_LAND)
        return read_limit(e, loop, condition->children[0]) &&
               read_limit(e, loop, condition->children[1]);
    bool comparison = condition->kind == AST_BINARY && condition->op >= AST_OP_LT &&
                      condition->op <= AST_OP_GE;
    int side = comparison && is_ref_to(condition->children[0], loop->iterator) ? 0 : 1;
    if (!comparison || loop->n_limits == LOOP_LIMITS ||
        !is_ref_to(condition->children[side], loop->iterator))
        return scop_refuse(scop, REFUSE_HEADER, loop->ast->loc, NULL);
    bool below = (condition->op == AST_OP_LT || condition->op == AST_OP_LE) == (side == 0);
    bool strict = condition->op == AST_OP_LT || condition->op == AST_OP_GT;
    if (below != (loop->step > 0))
        return scop_refuse(scop, REFUSE_HEADER, loop->ast->loc, NULL);
    struct affine *limit = &loop->limits[loop->n_limits++];
    struct affine one = affine_constant(strict ? (below ? -1 : 1) : 0);
    const struct ast *bound = condition->children[1 - side];
    enum ast_class class = condition->children[side]->type->class;
    if (class == AST_TYPE_U32 || class == AST_TYPE_U64)
        return scop_refuse(scop, REFUSE_UNSIGNED, bound->loc, loop->name);
    if (!affine_read(scop, e->loops, e->depth, bound, limit) || !affine_add(limit, &one, 1))
        return refuse_bound(scop, bound);
    return true;
}

static bool check_iterator(struct extraction *e, const struct ast *ast, const struct ast *iterator)
{
    struct scop *scop = e->scop;
    enum ast_class class = iterator->type->class;
    if (class == AST_TYPE_U32 || class == AST_TYPE_U64)
        return scop_refuse(scop, REFUSE_UNSIGNED, ast->loc, iterator->name);
    if ((class != AST_TYPE_I32 && class != AST_TYPE_I64) || iterator->type->is_volatile)
        return scop_refuse(scop, REFUSE_ITERATOR_TYPE, ast->loc, iterator->name);
    if (is_iterator(e, iterator))
        return scop_refuse(scop, REFUSE_ITERATOR_WRITTEN, ast->loc, iterator->name);
    return true;
}

static struct scop_loop *read_header(struct extraction *e, const struct ast *ast)
{
    struct scop *scop = e->scop;
    const struct ast *value = NULL, *iterator = iterator_of(ast->children[0], &value);
    struct scop_loop *loop = ARENA_NEW(scop->arena, struct scop_loop);
    if (ast->is_macro)
        return scop_refuse(scop, REFUSE_MACRO, ast->loc, NULL);
    if (!iterator || !ast->children[1])
        return scop_refuse(scop, REFUSE_HEADER, ast->loc, NULL);
    if (!check_iterator(e, ast, iterator))
        return NULL;
    loop->id = (int)scop->loops.count;
    loop->depth = e->depth;
    loop->outer = e->depth ? e->loops[e->depth - 1] : NULL;
    loop->ast = ast;
    loop->iterator = iterator;
    loop->name = iterator->name;
    loop->type = iterator->type->canonical;
    loop->step = step_of(ast->children[2], iterator);
    if (!loop->step)
        return scop_refuse(scop, REFUSE_HEADER, ast->loc, NULL);
    if (!affine_read(scop, e->loops, e->depth, value, &loop->start))
        return refuse_bound(scop, value);
    if (!read_limit(e, loop, ast->children[1]))
        return NULL;
    loop->symbol = affine_symbol_of(scop, loop);
    return loop;
}

static struct scop_node *read_loop(struct extraction *e, const struct ast *ast)
{
    struct scop *scop = e->scop;
    struct scop_node *node = node_new(scop, SCOP_LOOP, ast, 1);
    if (e->depth == LOOP_DEPTH_MAX)
        return scop_refuse(scop, REFUSE_DEPTH, ast->loc, NULL);
    node->loop = read_header(e, ast);
    if (!node->loop)
        return NULL;
    vec_push(scop->arena, &scop->loops, node->loop);
    e->loops[e->depth++] = node->loop;
    node->children[0] = read_node(e, ast->children[3]);
    e->depth--;
    if (!node->children[0])
        return NULL;
    node->children[0]->parent = node;
    return node;
}

static bool has_values(const struct ast *declare)
{
    for (int i = 0; i < declare->n_children; i++)
        if (declare->children[i]->kind != AST_VARIABLE || declare->children[i]->n_children ||
            !is_scalar_type(declare->children[i]->type))
            return true;
    return false;
}

static struct scop_node *read_node(struct extraction *e, const struct ast *ast)
{
    switch (ast->kind) {
    case AST_COMPOUND:
        return read_block(e, ast, ast->n_children, ast->children);
    case AST_FOR:
        return read_loop(e, ast);
    case AST_IF:
        return read_if(e, ast);
    case AST_EMPTY:
        return node_new(e->scop, SCOP_BLOCK, ast, 0);
    case AST_DECLARE:
        if (!has_values(ast))
            return node_new(e->scop, SCOP_BLOCK, ast, 0);
        return read_leaf(e, ast);
    default:
        return read_leaf(e, ast);
    }
}

/* A loop that gives the iterator a value, whatever it was before. */
static bool begins_anew(const struct scop *scop, const struct ast *loop, const struct ast *iterator)
{
    const struct ast *value = NULL;
    struct ast_walk walk;
    if (loop->kind != AST_FOR || iterator_of(loop->children[0], &value) != iterator)
        return false;
    for (const struct ast *n = ast_first(&walk, scop->arena, value); n; n = ast_next(&walk))
        if (n->kind == AST_REF && n->decl == iterator)
            return false;
    return true;
}

/* Iterators declared outside are used by their own loops only: then nobody asks for the values that
   they end with. */
static void check_iterators(struct scop *scop)
{
    for (size_t i = 0; i < scop->loops.count; i++) {
        const struct scop_loop *loop = scop->loops.at[i];
        struct ast_walk walk;
        if (map_get_pointer(scop->is_declared, loop->iterator))
            continue;
        const struct ast *n = ast_first(&walk, scop->arena, scop->fragment->body);
        for (; n; n = ast_next(&walk)) {
            if (begins_anew(scop, n, loop->iterator))
                ast_skip(&walk);
            else if (n->kind == AST_REF && n->decl == loop->iterator)
                break;
        }
        if (!n && !loop->iterator->is_global && !loop->iterator->is_static)
            continue;
        scop_refuse_for(scop, REFUSE_ITERATOR_READ, n ? n->loc : loop->ast->loc, loop->name,
                        loop->ast);
        return;
    }
}

/* The mapped text declares a variable of the fragment where it needs one: nobody behind may. */
static void check_declarations(struct scop *scop)
{
    const struct fragment *f = scop->fragment;
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, f->body); n; n = ast_next(&walk)) {
        bool outside = n->kind == AST_REF && (n->begin < f->begin || n->begin >= f->end);
        if (!outside || !map_get_pointer(scop->is_declared, n->decl))
            continue;
        scop_refuse_for(scop, REFUSE_DECLARED_INSIDE, n->loc, n->decl->name, n->decl);
        return;
    }
}

/* Where a directive stands, as printed text is the source's and what directives choose there would
   be lost; NOBODY if there is none. */
static size_t directive_find(const struct scop *scop)
{
    const struct fragment *f = scop->fragment;
    const char *text = scop->unit->source->text;
    size_t begin = f->statements[0]->begin, end = f->statements[f->n_statements - 1]->end;
    bool line_begins = false;
    for (size_t i = begin; i < end; i++) {
        if (line_begins && text[i] == '#')
            return i;
        if (text[i] == '\n')
            line_begins = true;
        else if (text[i] != ' ' && text[i] != '\t')
            line_begins = false;
    }
    return NOBODY;
}

static struct loc loc_at(const struct source *source, size_t at)
{
    struct loc loc = {source, 1, 1};
    for (size_t i = 0; i < at; i++) {
        bool ends = source->text[i] == '\n';
        loc.line += ends;
        loc.column = ends ? 1 : loc.column + 1;
    }
    return loc;
}

struct scop *scop_read(struct ctx *ctx, const struct ast_unit *unit,
                       const struct fragment *fragment)
{
    struct scop *scop = ARENA_NEW(ctx->arena, struct scop);
    struct extraction e = {.scop = scop};
    size_t directive;
    scop->ctx = ctx;
    scop->arena = ctx->arena;
    scop->unit = unit;
    scop->fragment = fragment;
    scop->written = map_new(ctx->arena);
    scop->is_declared = map_new(ctx->arena);
    scop->changed = map_new(ctx->arena);
    scop->pitches = map_new(ctx->arena);
    directive = directive_find(scop);
    if (directive != NOBODY) {
        scop_refuse(scop, REFUSE_DIRECTIVE, loc_at(unit->source, directive), NULL);
        return scop;
    }
    collect_written(ctx->arena, scop->changed, fragment->body);
    for (size_t i = 0; i < fragment->n_statements; i++) {
        collect_written(ctx->arena, scop->written, fragment->statements[i]);
        collect_declared(scop, fragment->statements[i]);
    }
    for (size_t i = 0; i < fragment->n_statements; i++)
        pitches_find(scop, fragment->statements[i]);
    scop->root = read_block(&e, NULL, (int)fragment->n_statements, fragment->statements);
    if (scop->root) {
        check_iterators(scop);
        check_declarations(scop);
    }
    return scop;
}
