/* Scalars in the elements that they are stored to.

   In: a scop. Out: private scalars as the elements that get their last value: of

       w = A[i][j];
       for (k …) w -= A[i][k] * A[k][j];
       A[i][j] = w / A[j][j];

   the sum is taken in A[i][j], and what then sets an element to itself is left out. The scalar
   holds the three statements together in one thread, so that all of the sum waits for the last
   element that it needs; without the scalar each term is added as soon as its elements are known.
   The values are the same, as nothing else touches the element between the statements, which isl
   decides, and as the types are one. */
#include "mapper/plan/change.h"
#include "mapper/scop/walk.h"
#include <string.h>

/* The statements of one iteration that share the scalar. */
struct place_web {
    const struct ast *last;          /* stores the scalar to the element */
    int n_stmts;
    const struct ast *stmts[STATEMENTS_MAX];
    bool is_dropped[STATEMENTS_MAX]; /* sets the element to itself */
};

struct place_webs {
    size_t count, capacity;
    struct place_web *at;
};

static bool touches(const struct scop_stmt *stmt, const struct scop_array *array)
{
    for (size_t i = 0; i < stmt->accesses.count; i++)
        if (stmt->accesses.at[i].array == array)
            return true;
    return false;
}

/* The value that the statement sets the scalar to without a use of the scalar; NULL: the statement
   does something else. */
static const struct ast *value_begun(const struct scop_stmt *stmt, const struct scop_array *scalar)
{
    const struct ast *ast = stmt->ast, *value = NULL;
    if (ast->kind == AST_ASSIGN && ast->op == AST_OP_NONE &&
        ast->children[0]->kind == AST_REF && ast->children[0]->decl == scalar->decl)
        value = ast->children[1];
    if (ast->kind == AST_DECLARE && ast->n_children == 1 && ast->children[0] == scalar->decl &&
        ast->children[0]->n_children)
        value = ast->children[0]->children[0];
    for (size_t i = 0; i < stmt->accesses.count; i++)
        if (stmt->accesses.at[i].array == scalar && !stmt->accesses.at[i].is_write)
            value = NULL;
    return value;
}

/* The only write of a statement that sets an element to what is made of the scalar; NULL: it is no
   such statement. */
static const struct scop_access *element_set(const struct scop_stmt *stmt,
                                             const struct scop_array *scalar)
{
    const struct ast *ast = stmt->ast;
    const struct scop_access *found = NULL;
    if (ast->kind != AST_ASSIGN || ast->op != AST_OP_NONE || ast->children[0]->kind != AST_INDEX)
        return NULL;
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        const struct scop_access *access = &stmt->accesses.at[i];
        if (!access->is_write)
            continue;
        if (found || access->is_may || access->ast != ast->children[0])
            return NULL;
        found = access;
    }
    if (!found)
        return NULL;
    const char *type = found->ast->type ? found->ast->type->canonical : "";
    for (int dim = 0; dim < found->array->n_dims; dim++)
        if (!found->is_affine[dim])
            return NULL;
    return found->array->n_dims && !found->array->n_pitches && !found->choices &&
                   !found->alternatives.count && !found->array->memory &&
                   !strcmp(type, scalar->decl->type->canonical)
               ? found
               : NULL;
}

/* May the access touch the element in the same iteration of the unit's loops? */
static bool meets(const struct scop_access *access, const struct scop_access *element, int depth)
{
    if (access->array != element->array)
        return false;
    isl_map *pairs = isl_map_apply_range(isl_map_copy(element->relation),
                                         isl_map_reverse(isl_map_copy(access->relation)));
    for (int i = 0; i < depth; i++)
        pairs = isl_map_equate(pairs, isl_dim_in, i, isl_dim_out, i);
    bool none = isl_map_is_empty(pairs) == isl_bool_true;
    isl_map_free(pairs);
    return !none;
}

/* Does nothing from the unit's first statement to its last one, of other units too, touch the
   element, but for what the first statement reads and the last one stores? */
static bool element_is_free(const struct scop *scop, const struct scop_unit *unit,
                            const struct scop_access *element)
{
    const struct scop_stmt *first = unit->stmts.at[0], *last = vec_last(&unit->stmts);
    for (size_t i = 0; i < scop->stmts.count; i++) {
        const struct scop_stmt *stmt = scop->stmts.at[i];
        bool is_between = stmt->id >= first->id && stmt->id <= last->id;
        size_t count = is_between ? stmt->accesses.count : 0;
        for (size_t k = 0; k < count; k++) {
            const struct scop_access *access = &stmt->accesses.at[k];
            bool is_begin = stmt == first && !access->is_write;
            if (access != element && !is_begin && meets(access, element, unit->depth))
                return false;
        }
    }
    return true;
}

/* Is the expression the element itself? The iterators are those of the same loops. */
static bool equals_element(const struct ast *value, const struct scop_access *element)
{
    return ast_equal(ast_strip(value), element->ast);
}

static bool is_scalar_name(const struct ast *value, const struct scop_array *scalar)
{
    value = ast_strip(value);
    return value->kind == AST_REF && value->decl == scalar->decl;
}

static bool web_read(const struct scop *scop, const struct scop_unit *unit,
                     const struct scop_array *scalar, struct place_web *web)
{
    const struct scop_stmt *first = unit->stmts.at[0], *last = vec_last(&unit->stmts);
    const struct ast *value = value_begun(first, scalar);
    const struct scop_access *element = element_set(last, scalar);
    if (!value || !element || first == last || first->depth != unit->depth ||
        last->depth != unit->depth || first->node->parent != last->node->parent ||
        first->node->parent->kind != SCOP_BLOCK || !element_is_free(scop, unit, element))
        return false;
    web->last = last->ast;
    for (size_t i = 0; i < unit->stmts.count; i++) {
        const struct scop_stmt *stmt = unit->stmts.at[i];
        bool is_store = stmt != last && element_set(stmt, scalar);
        if (!touches(stmt, scalar) || is_store || !stmt_is_replaceable(scop, stmt, scalar))
            return false;
        web->is_dropped[web->n_stmts] =
            (stmt == first && equals_element(value, element)) ||
            (stmt == last && is_scalar_name(last->ast->children[1], scalar));
        web->stmts[web->n_stmts++] = stmt->ast;
    }
    return first->ast->kind != AST_DECLARE || web->is_dropped[0];
}

void in_places_find(struct scop *scop, struct change_list *list)
{
    for (size_t i = 0; i < scop->arrays.count; i++) {
        const struct scop_array *scalar = scop->arrays.at[i];
        if (!scalar->is_private)
            continue;
        struct place_webs *webs = ARENA_NEW(scop->arena, struct place_webs);
        for (size_t k = 0; k < scop->units.count; k++) {
            struct place_web web = {0};
            if (touches(scop->units.at[k]->stmts.at[0], scalar) &&
                web_read(scop, scop->units.at[k], scalar, &web))
                vec_push(scop->arena, webs, web);
        }
        struct scop_change change = {.row = TRANSFORMATION_IN_PLACE, .decl = scalar->decl,
                                     .webs = webs};
        if (webs->count)
            vec_push(scop->arena, list, change);
    }
}

/* --- the change ------------------------------------------------------------------------------- */

static struct scop_stmt *stmt_of(const struct scop *scop, const struct ast *ast)
{
    for (size_t i = 0; i < scop->stmts.count; i++)
        if (scop->stmts.at[i]->ast == ast)
            return scop->stmts.at[i];
    return NULL;
}

static void stmt_drop(struct scop *scop, const struct scop_stmt *stmt)
{
    struct scop_node *block = (struct scop_node *)stmt->node->parent;
    int n = 0;
    size_t count = 0;
    for (int i = 0; i < block->n_children; i++)
        if (block->children[i] != stmt->node)
            block->children[n++] = block->children[i];
    block->n_children = n;
    for (size_t i = 0; i < scop->stmts.count; i++)
        if (scop->stmts.at[i] != stmt)
            scop->stmts.at[count++] = scop->stmts.at[i];
    scop->stmts.count = count;
    for (size_t i = 0; i < count; i++)
        scop->stmts.at[i]->id = (int)i;
}

/* The scalar's accesses in the statement become ones of the element. */
static void stmt_move(struct scop *scop, struct scop_stmt *stmt, const struct scop_array *scalar,
                      const struct scop_access *element)
{
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        struct scop_access *access = &stmt->accesses.at[i];
        if (access->array != scalar)
            continue;
        map_put_pointer(scop->in_place, access_name(access), (void *)element->ast);
        access->array = element->array;
        access->relation = NULL;
        access->reduction = REDUCE_NONE;
        memcpy(access->subscripts, element->subscripts, sizeof access->subscripts);
        memcpy(access->is_affine, element->is_affine, sizeof access->is_affine);
    }
}

static void web_apply(struct scop *scop, const struct place_web *web,
                      const struct scop_array *scalar)
{
    const struct scop_stmt *last = stmt_of(scop, web->last);
    const struct scop_access *found = last ? element_set(last, scalar) : NULL;
    if (!found)
        return;
    const struct scop_access element = *found;
    for (int i = 0; i < web->n_stmts; i++) {
        struct scop_stmt *stmt = stmt_of(scop, web->stmts[i]);
        if (stmt && web->is_dropped[i])
            stmt_drop(scop, stmt);
        else if (stmt)
            stmt_move(scop, stmt, scalar, &element);
    }
}

void in_place_apply(struct scop *scop, const struct scop_change *change)
{
    const struct scop_array *scalar = array_find(scop, change->decl);
    if (!scop->in_place)
        scop->in_place = map_new(scop->arena);
    for (size_t i = 0; i < change->webs->count; i++)
        web_apply(scop, &change->webs->at[i], scalar);
}
