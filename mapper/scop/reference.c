/* The accesses of a statement.

   In: a statement that is a leaf of the fragment. Out: its accesses: arrays with their subscripts,
   scalars that the fragment changes. A read through a subscript that is not affine touches every
   element along the axis, and a write with such a subscript perhaps does. A write is refused if no
   other subscript of it follows an iterator, like any construct that might touch memory without a
   name. */
#include "frontend/calls.h"
#include "frontend/writes.h"
#include "ir/function.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/flat.h"
#include "mapper/scop/helper.h"
#include "mapper/scop/sums.h"
#include "mapper/scop/values.h"
#include <string.h>

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

/* Does the variable lead to rows, each by a pointer of its own: `float **a`? */
static bool leads_to_rows(const struct ast *decl)
{
    const struct ast_type *row = decl->type->element;
    bool named = decl->kind == AST_PARAMETER || decl->kind == AST_VARIABLE;
    return named && row && row->class == AST_TYPE_POINTER && !row->is_volatile &&
           !decl->type->is_volatile && row->element && ast_class_is_scalar(row->element->class) &&
           row->element->class != AST_TYPE_POINTER && !row->element->is_volatile;
}

static struct scop_array *array_of(struct scop *scop, const struct ast *decl, int n_dims)
{
    for (size_t i = 0; i < scop->arrays.count; i++)
        if (scop->arrays.at[i]->decl == decl)
            return scop->arrays.at[i];
    struct scop_array *array = ARENA_NEW(scop->arena, struct scop_array);
    array->decl = decl;
    array->name = decl->name;
    array->n_dims = n_dims;
    array->is_rows = n_dims == 2 && leads_to_rows(decl);
    array->is_pointer = n_dims && (decl->kind == AST_PARAMETER ||
                                   decl->type->class == AST_TYPE_POINTER || decl->is_global);
    vec_push(scop->arena, &scop->arrays, array);
    return array;
}

static const struct ast *subscripted_base(const struct ast *index, int *n)
{
    *n = 0;
    while (index->kind == AST_INDEX) {
        index = index->children[0];
        (*n)++;
    }
    return index;
}

/* Does the function change a variable that an extent of the array names, behind its declaration?
   Then the memory is laid out by a value that is no more. */
static bool has_changed_extent(struct scop *scop, const struct ast *array)
{
    struct ast_walk walk;
    for (const struct ast_type *type = array->type; type; type = type->element)
        for (const struct ast *n = ast_first(&walk, scop->arena, type->extent); n;
             n = ast_next(&walk))
            if (n->kind == AST_REF && map_get_pointer(scop->changed, n->decl) &&
                !ast_keeps_extent(scop->fragment->body, array, n->decl))
                return true;
    return false;
}

/* Can regions compute how long the array's rows are? Of the outermost extent they need not know. */
static bool has_plain_rows(const struct scop *scop, const struct ast *array)
{
    struct ast_walk walk;
    for (const struct ast_type *type = array->type->element; type; type = type->element) {
        if (!ast_is_plain_extent(type->extent))
            return false;
        for (const struct ast *n = ast_first(&walk, scop->arena, type->extent); n;
             n = ast_next(&walk))
            if (n->kind == AST_REF && ast_takes_address(scop->fragment->body, n->decl) &&
                !ast_keeps_extent(scop->fragment->body, array, n->decl))
                return false;
    }
    return true;
}

/* Can the array, declared in the fragment, be one of a thread: in a loop, of a fixed size? */
static bool local_array_is_good(struct scop_place at, const struct ast *decl)
{
    int64_t most = decl->n_children ? LOCAL_FILL_MAX : LOCAL_ELEMENTS_MAX;
    const struct ast_type *element = decl->type;
    while (element->class == AST_TYPE_ARRAY)
        element = element->element;
    return at.depth > 0 && decl->type->class == AST_TYPE_ARRAY && !decl->is_static &&
           dims_of(decl->type) > 0 && element->bytes > 0 &&
           decl->type->bytes > 0 && decl->type->bytes / element->bytes <= most;
}

static bool check_base(struct scop *scop, struct scop_place at, const struct ast *base, int n)
{
    if (base->kind != AST_REF)
        return scop_refuse_kind(scop, base);
    const struct ast *decl = base->decl;
    const struct ast *moved = map_get_pointer(scop->written, decl);
    if (moved)
        return scop_refuse_for(scop, REFUSE_POINTER_MOVES, base->loc, decl->name, moved);
    bool rows = n == 2 && leads_to_rows(decl) && !at.is_inner && !at.frame &&
                !map_get_pointer(scop->is_declared, decl);
    if (rows)
        return true;
    if (!decl->type->element || is_pointer_array(decl->type))
        return scop_refuse(scop, REFUSE_POINTER_ARRAY, base->loc, decl->name);
    if (map_get_pointer(scop->is_declared, decl) && !local_array_is_good(at, decl))
        return scop_refuse(scop, REFUSE_LOCAL_ARRAY, base->loc, decl->name);
    int dims = dims_of(decl->type);
    if (!dims)
        return scop_refuse(scop, REFUSE_TYPE, base->loc, decl->type->text);
    if (has_changed_extent(scop, decl))
        return scop_refuse(scop, REFUSE_EXTENT_CHANGES, base->loc, decl->name);
    if (!has_plain_rows(scop, decl))
        return scop_refuse(scop, REFUSE_EXTENT, base->loc, decl->name);
    if (dims != n)
        return scop_refuse(scop, REFUSE_WHOLE_ARRAY, base->loc, decl->name);
    return n <= SUBSCRIPTS_MAX || scop_refuse(scop, REFUSE_TYPE, base->loc, decl->type->text);
}

/* Does a subscript follow a loop of the fragment? */
static bool follows_loop(const struct scop *scop, const struct scop_access *access)
{
    for (int i = 0; i < access->array->n_dims; i++) {
        int n = access->is_affine[i] ? access->subscripts[i].n_terms : 0;
        for (int k = 0; k < n; k++)
            if (scop->symbols.at[access->subscripts[i].terms[k].symbol].loop)
                return true;
    }
    return false;
}

/* Does a variable live inside one statement, an `if` on data or a loop? The declaration of one that
   counted.c made a loop's stands before the loop's text; others that forms made have no text. */
static bool is_local_to(struct arena *arena, const struct scop_stmt *stmt, const struct ast *decl)
{
    struct ast_walk walk;
    if (stmt->ast->kind == AST_DECLARE)
        return false;
    bool has_text = decl->end > decl->begin;
    if (has_text && decl->begin >= stmt->ast->begin && decl->end <= stmt->ast->end)
        return true;
    for (const struct ast *n = ast_first(&walk, arena, stmt->ast); n; n = ast_next(&walk))
        if (n == decl)
            return true;
    return false;
}

/* An array that lives in a block of a loop: what happens to any of its elements happens to it. */
static bool access_local(struct extraction *e, struct scop_place at, const struct ast *index,
                         const struct ast *decl, bool is_write)
{
    struct scop_access access = {.array = array_of(e->scop, decl, 0),
                                 .ast = index,
                                 .is_write = is_write,
                                 .is_may = true};
    for (const struct ast *own = index; own->kind == AST_INDEX; own = own->children[0])
        if (!expression_read(e, at, own->children[1]))
            return false;
    if (is_local_to(e->scop->arena, at.stmt, decl))
        return true;
    access.array->is_written |= is_write;
    vec_push(e->scop->arena, &at.stmt->accesses, access);
    return true;
}

/* Is there an axis along which iterations touch elements that are known? */
static bool moves_along_any(const struct scop *scop, const struct scop_access *access)
{
    bool moves = false;
    for (int i = 0; i < access->array->n_dims; i++)
        moves |= access->is_affine[i] && affine_has_iterator(scop, &access->subscripts[i]);
    return moves;
}

void subscripts_read(struct scop *scop, struct scop_place at, const struct ast *index,
                     struct scop_access *access)
{
    int n = access->array->n_dims;
    for (int i = n; i-- > 0; index = index->children[0]) {
        access->is_affine[i] = affine_read(scop, at, index->children[1], &access->subscripts[i]);
        if (n == 1)
            access->sum = flat_read(scop, at, index->children[1]);
    }
}

static bool access_array(struct extraction *e, struct scop_place at, const struct ast *index,
                         bool is_write, bool is_may)
{
    int n;
    bool is_place;
    struct scop *scop = e->scop;
    const struct ast *meant = helper_element(scop->arena, at.frame, index, &is_place);
    const struct ast *own = meant;
    if (at.frame && subscripted_base(index, &n)->is_made)
        return scop_refuse(scop, REFUSE_MEMBER, index->loc, NULL);
    if (at.frame && index->is_made && index->integer)
        return scop_refuse(scop, REFUSE_DEREFERENCE, index->loc, NULL);
    const struct ast *base = subscripted_base(meant, &n);
    if (!check_base(scop, at, base, n))
        return false;
    if (map_get_pointer(scop->is_declared, base->decl))
        return access_local(e, at, index, base->decl, is_write);
    struct scop_access access = {.array = array_of(scop, base->decl, n),
                                 .ast = index,
                                 .is_write = is_write,
                                 .is_may = is_may,
                                 .is_called = at.frame != NULL,
                                 .is_place = is_place};
    struct scop_place inside = at;
    inside.index = index;
    if ((is_write && at.is_inner) || !alternatives_read(scop, inside, meant, &access))
        subscripts_read(scop, inside, meant, &access);
    bool is_open = !access.alternatives.count && !access.sum;
    bool is_scattered = is_write && sum_is_atomic(e, index);
    for (int i = n; i-- > 0;) {
        if (!access.is_affine[i] && is_open && is_write && !at.is_inner && !is_scattered &&
            !moves_along_any(scop, &access))
            return refuse_write(scop, own->children[1], base->decl->name);
        own = own->children[0];
    }
    for (own = index; own->kind == AST_INDEX; own = own->children[0])
        if (!expression_read(e, at, own->children[1]))
            return false;
    if (is_write && at.is_inner && !access.sum && !is_scattered && !follows_loop(scop, &access))
        return refuse_write(scop, index->children[1], base->decl->name);
    for (int i = 0; i < n; i++)
        access.is_may |= is_write && !access.is_affine[i] && (at.is_inner || is_open);
    access.array->is_written |= is_write;
    vec_push(scop->arena, &at.stmt->accesses, access);
    return true;
}

/* Has the statement surely written the scalar, on each path to here? */
static bool is_surely_set(const struct extraction *e, const struct ast *decl)
{
    for (size_t i = 0; i < e->set.count; i++)
        if (e->set.at[i] == decl)
            return true;
    return false;
}

static bool access_scalar(struct extraction *e, struct scop_place at, const struct ast *ref,
                          bool is_write, bool is_may)
{
    struct scop *scop = e->scop;
    const struct ast *decl = ref->decl;
    if (at.frame && ref->is_made)
        return scop_refuse(scop, REFUSE_MEMBER, ref->loc, NULL);
    if (loop_of_iterator(at, decl))
        return !is_write || scop_refuse(scop, REFUSE_ITERATOR_WRITTEN, ref->loc, decl->name);
    if (decl->type->is_volatile)
        return scop_refuse(scop, REFUSE_VOLATILE, ref->loc, decl->name);
    if (decl->kind == AST_FUNCTION || !type_is_scalar(decl->type))
        return dims_of(decl->type)
                   ? scop_refuse(scop, REFUSE_WHOLE_ARRAY, ref->loc, decl->name)
                   : scop_refuse(scop, REFUSE_TYPE, ref->loc, decl->type->text);
    if (!map_get_pointer(scop->written, decl) && !map_get_pointer(scop->is_declared, decl))
        return true;
    if (at.frame)
        return scop_refuse(scop, REFUSE_HELPER, ref->loc,
                           arena_printf(scop->arena, "`%s`, which the fragment changes,",
                                        decl->name));
    if (is_local_to(scop->arena, at.stmt, decl) || (!is_write && is_surely_set(e, decl)))
        return true;
    if (is_named(scop, decl))
        return expression_read(e, at, decl->children[0]);
    if (is_write)
        vec_push(scop->arena, &e->set, decl);
    struct scop_access access = {.array = array_of(scop, decl, 0),
                                 .ast = ref,
                                 .is_write = is_write,
                                 .is_may = is_may};
    access.array->is_written |= is_write;
    vec_push(scop->arena, &at.stmt->accesses, access);
    return true;
}

/* The operands, of which `&&`, `||` and `?:` may leave out all but the first. */
static bool operands_read(struct extraction *e, struct scop_place at, const struct ast *ast)
{
    bool good = true;
    bool chooses = ast->kind == AST_CONDITIONAL ||
                   (ast->kind == AST_BINARY && (ast->op == AST_OP_LAND || ast->op == AST_OP_LOR));
    for (int i = 0; i < ast->n_children && good; i++) {
        struct scop_place part = at;
        part.is_conditional |= chooses && i > 0;
        good = expression_read(e, part, ast->children[i]);
    }
    return good;
}

/* INFINITY, NAN. */
static bool call_is_constant(const struct ast *call)
{
    const struct library_row *row = call->decl ? library_find(call->decl->name) : NULL;
    return row && (row->kind == LIBRARY_INFINITE || row->kind == LIBRARY_NOT_A_NUMBER);
}

bool expression_read(struct extraction *e, struct scop_place at, const struct ast *ast)
{
    struct scop *scop = e->scop;
    switch (ast->kind) {
    case AST_INTEGER:
    case AST_CHARACTER:
    case AST_REAL:
    case AST_SIZEOF:
        return true;
    case AST_REF:
        return access_scalar(e, at, ast, false, false);
    case AST_INDEX:
        return access_array(e, at, ast, false, false);
    case AST_ASSIGN:
        return scop_refuse(scop, REFUSE_ASSIGNMENT, ast->loc, NULL);
    case AST_CALL:
        if (ast->decl && ast->decl->has_body)
            return helper_read(e, at, ast, at.is_conditional, false);
        if (call_is_constant(ast))
            return true;
        if (!ast->decl)
            return scop_refuse(scop, REFUSE_POINTER_CALL, ast->loc, NULL);
        if (!call_is_pure(ast))
            return scop_refuse(scop, REFUSE_CALL, ast->loc, ast->decl->name);
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
    if (!type_is_scalar(ast->type))
        return scop_refuse(scop, REFUSE_TYPE, ast->loc, ast->type ? ast->type->text : "a value");
    return operands_read(e, at, ast);
}

static bool write_target(struct extraction *e, struct scop_place at, const struct ast *target,
                         bool reads_too, bool is_may)
{
    if (reads_too && !expression_read(e, at, target))
        return false;
    if (target->kind == AST_INDEX)
        return access_array(e, at, target, true, is_may);
    if (target->kind == AST_REF && target->decl->type->class == AST_TYPE_POINTER)
        return scop_refuse(e->scop, REFUSE_POINTER_MOVES, target->loc, target->decl->name);
    if (target->kind == AST_REF)
        return access_scalar(e, at, target, true, is_may);
    return expression_read(e, at, target) && scop_refuse_kind(e->scop, target);
}

/* The right side of an assignment: `b = e` in `a = b = e` is a write, too. */
static bool assigned_read(struct extraction *e, struct scop_place at, const struct ast *value,
                          bool is_may)
{
    const struct ast *inner = ast_strip(value);
    if (inner->kind == AST_ASSIGN && inner->op == AST_OP_NONE)
        return write_read(e, at, inner, is_may);
    return expression_read(e, at, value);
}

bool write_read(struct extraction *e, struct scop_place at, const struct ast *ast, bool is_may)
{
    bool reads_too = ast->kind == AST_UNARY || ast->op != AST_OP_NONE;
    return (ast->kind == AST_UNARY || assigned_read(e, at, ast->children[1], is_may)) &&
           write_target(e, at, ast->children[0], reads_too, is_may);
}

static bool initialiser_read(struct extraction *e, struct scop_place at, const struct ast *ast)
{
    if (ast->kind != AST_LIST)
        return expression_read(e, at, ast);
    for (int i = 0; i < ast->n_children; i++)
        if (!initialiser_read(e, at, ast->children[i]))
            return false;
    return true;
}

/* An array of a declaration is private to the iteration that declares the array. */
static bool declaration_read(struct extraction *e, struct scop_place at, const struct ast *ast,
                             bool is_may)
{
    struct scop *scop = e->scop;
    for (int i = 0; i < ast->n_children; i++) {
        const struct ast *decl = ast->children[i];
        if (decl->kind != AST_VARIABLE)
            return scop_refuse_kind(scop, decl);
        if (decl->is_static || decl->is_extern)
            return scop_refuse(scop, REFUSE_LOCAL_STATIC, decl->loc, decl->name);
        bool is_array = decl->type->class == AST_TYPE_ARRAY;
        if (is_array && !local_array_is_good(at, decl))
            return scop_refuse(scop, REFUSE_LOCAL_ARRAY, decl->loc, decl->name);
        if (!is_array && (!type_is_scalar(decl->type) || decl->type->is_volatile))
            return scop_refuse(scop, REFUSE_TYPE, decl->loc, decl->type->text);
        if (!decl->n_children && !is_array)
            continue;
        if (decl->n_children && !initialiser_read(e, at, decl->children[0]))
            return false;
        if (is_local_to(scop->arena, at.stmt, decl))
            continue;
        struct scop_access access = {.array = array_of(scop, decl, 0),
                                     .ast = decl,
                                     .is_write = true,
                                     .is_may = is_may};
        access.array->is_written = true;
        vec_push(scop->arena, &at.stmt->accesses, access);
    }
    return true;
}

/* Reads a branch. A scalar that the branch sets may be unset behind the branch. */
static bool branch_read(struct extraction *e, struct scop_place at, const struct ast *ast)
{
    size_t n_set = e->set.count;
    bool good = accesses_read(e, at, ast, true);
    e->set.count = n_set;
    return good;
}

bool accesses_read(struct extraction *e, struct scop_place at, const struct ast *ast, bool is_may)
{
    if (!ast)
        return true;
    switch (ast->kind) {
    case AST_EMPTY:
        return true;
    case AST_DECLARE:
        return declaration_read(e, at, ast, is_may);
    case AST_COMPOUND:
        for (int i = 0; i < ast->n_children; i++)
            if (!accesses_read(e, at, ast->children[i], is_may))
                return false;
        return true;
    case AST_IF:
        return expression_read(e, at, ast->children[0]) &&
               branch_read(e, at, ast->children[1]) &&
               (ast->n_children < 3 || branch_read(e, at, ast->children[2]));
    case AST_ASSIGN:
        return write_read(e, at, ast, is_may);
    case AST_UNARY:
        if (ast->op >= AST_OP_PRE_INCREMENT && ast->op <= AST_OP_POST_DECREMENT)
            return write_read(e, at, ast, is_may);
        return scop_refuse_kind(e->scop, ast);
    case AST_FOR:
    case AST_WHILE:
    case AST_DO:
        return inner_loop_read(e, at, ast, is_may);
    case AST_BREAK:
    case AST_CONTINUE:
        return at.is_inner || scop_refuse_kind(e->scop, ast);
    case AST_CALL:
        if (ast->decl && ast->decl->has_body)
            return helper_read(e, at, ast, is_may, true);
        return scop_refuse(e->scop, REFUSE_CALL_STATEMENT, ast->loc, NULL);
    default:
        return ast->kind == AST_BINARY && ast->op == AST_OP_COMMA
                   ? scop_refuse(e->scop, REFUSE_COMMA, ast->loc, NULL)
                   : scop_refuse_kind(e->scop, ast);
    }
}
