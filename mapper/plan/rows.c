/* Rows that an array of pointers leads to: `float **a`, whose rows were allocated one by one.

   In: a scop that touches such arrays by two subscripts. Out: memory of the text's own in place of
   each, `float (*a_1)[m]`, into which the text gathers the rows before the regions, and from which
   it puts those back that the fragment writes. Copied are boxes that hold what the statements
   surely touch, what lies before that in the same row, and no more, so that each element is there.
   The text tests that no row which is written shares memory with another row, array or scalar of
   the fragment, and runs the loops as they stand where a row does. That is a walk over pointers,
   not over elements, as it asks for rows that go up or down in memory, as allocators give them.
   Gathering costs as much as a loop over the box: it is done only where the fragment does more. */
#include "frontend/ask.h"
#include "frontend/facts.h"
#include "frontend/writes.h"
#include "mapper/forms/words.h"
#include "mapper/plan/change.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/values.h"
#include "mapper/scop/walk.h"
#include <isl/map.h>
#include <isl/space.h>
#include <string.h>

enum { LOOPS_LEAST = 3 };            /* a loop more than the box has axes */

/* --- what gathering costs --------------------------------------------------------------------- */

static int loops_below(const struct ast *ast)
{
    int most = 0;
    for (int i = 0; i < ast->n_children; i++) {
        int own = ast->children[i] ? loops_below(ast->children[i]) : 0;
        most = own > most ? own : most;
    }
    return most + ast_is_loop(ast);
}

static bool gathering_pays(const struct scop *scop)
{
    for (size_t i = 0; i < scop->stmts.count; i++)
        if (scop->stmts.at[i]->depth + loops_below(scop->stmts.at[i]->ast) >= LOOPS_LEAST)
            return true;
    return false;
}

/* --- the box ---------------------------------------------------------------------------------- */

/* Is the node executed whenever the statement is? The value of a name is computed in the place of
   the name. */
static bool is_surely_reached(const struct scop *scop, const struct ast *statement,
                              const struct ast *node)
{
    bool chooses = statement->kind == AST_IF || statement->kind == AST_CONDITIONAL ||
                   (statement->kind == AST_BINARY && (statement->op == AST_OP_LAND ||
                                                      statement->op == AST_OP_LOR));
    if (statement == node)
        return true;
    if (statement->kind == AST_REF && is_named(scop, statement->decl))
        return is_surely_reached(scop, statement->decl->children[0], node);
    if (ast_is_loop(statement))
        return false;
    int n = chooses ? 1 : statement->n_children;
    for (int i = 0; i < n; i++)
        if (statement->children[i] && is_surely_reached(scop, statement->children[i], node))
            return true;
    return false;
}

static bool is_sure(const struct scop *scop, const struct scop_stmt *stmt,
                    const struct scop_access *access)
{
    return !ast_has(stmt->ast, AST_BREAK) && !ast_has(stmt->ast, AST_CONTINUE) &&
           is_surely_reached(scop, stmt->ast, access->ast);
}

/* The relation of an element to the elements before it in the same row, which are there, too. */
static __isl_give isl_map *to_earlier(__isl_take isl_space *space)
{
    isl_map *map = isl_map_universe(isl_space_map_from_set(space));
    map = isl_map_equate(map, isl_dim_in, 0, isl_dim_out, 0);
    map = isl_map_order_ge(map, isl_dim_in, 1, isl_dim_out, 1);
    return isl_map_lower_bound_si(map, isl_dim_out, 1, 0);
}

/* The elements that the fragment surely touches, and those before them in their rows. */
static __isl_give isl_set *elements_there(const struct scop *scop, const struct scop_array *array,
                                          __isl_take isl_space *space)
{
    struct access_walk walk;
    isl_set *all = isl_set_empty(isl_space_copy(space));
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk))
        if (is_sure(scop, walk.stmt, access))
            all = isl_set_union(all, isl_map_range(isl_map_copy(access->relation)));
    return isl_set_apply(all, to_earlier(space));
}

/* Finds the box around what accesses by some names touch (NULL: all), with all columns from the
   first one on; false if elements of the box might not be there. Where some are missing for few
   sizes only the text tests the sizes. */
static bool box_find(struct scop *scop, const struct scop_array *array, const name_list *names,
                     struct rows_box *box)
{
    struct affine lower[2], upper[2], one = affine_constant(1);
    struct scop_loop *loops[SUBSCRIPTS_MAX];
    size_t n_loops = scop->loops.count;
    for (int dim = 0; dim < 2; dim++)
        if (!hull_find(scop, array, names, dim, &lower[dim], &upper[dim]))
            return false;
    lower[1] = affine_constant(0);
    box_loops(scop, array, names, lower, upper, loops);
    isl_set *all = loops_set(scop, place_below((const struct scop_loop *const *)loops, 2));
    isl_set *idle = isl_set_subtract(isl_set_copy(all),
                                     elements_there(scop, array, isl_set_get_space(all)));
    bool good = isl_set_is_empty(idle) == isl_bool_true ||
                scop_claim_place(scop, all, isl_set_copy(idle));
    isl_set_free(idle);
    isl_set_free(all);
    scop->loops.count = n_loops;
    *box = (struct rows_box){lower[0], upper[0], upper[1]};
    return affine_add(&box->rows, &one, 1) && affine_add(&box->columns, &one, 1) && good;
}

/* Boxes around what some accesses touch each, as few as are found; false if they are too many. */
static bool boxes_find(struct scop *scop, const struct scop_array *array,
                       struct scop_memory *memory)
{
    name_list lists[ROWS_BOXES];
    struct access_walk walk;
    memory->n_boxes = 1;
    if (box_find(scop, array, NULL, &memory->boxes[0]))
        return true;
    memory->n_boxes = 0;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        bool found = false;
        for (int i = 0; i < memory->n_boxes && !found; i++) {
            size_t count = lists[i].count;
            vec_push(scop->arena, &lists[i], access_name(access));
            found = box_find(scop, array, &lists[i], &memory->boxes[i]);
            lists[i].count = found ? lists[i].count : count;
            if (!found)
                box_find(scop, array, &lists[i], &memory->boxes[i]);
        }
        if (found)
            continue;
        if (memory->n_boxes == ROWS_BOXES)
            return false;
        lists[memory->n_boxes] = (name_list){0};
        vec_push(scop->arena, &lists[memory->n_boxes], access_name(access));
        if (!box_find(scop, array, &lists[memory->n_boxes],
                      &memory->boxes[memory->n_boxes]))
            return false;
        memory->n_boxes++;
    }
    return true;
}

/* --- the memory ------------------------------------------------------------------------------- */

/* Has every name of the array an access of its own, which can get another name? */
static bool names_are_accesses(const struct scop *scop, const struct scop_array *array)
{
    struct access_walk accesses;
    struct ast_walk walk;
    name_list names = {0};
    for (const struct scop_access *access = access_first(&accesses, scop, array); access;
         access = access_next(&accesses)) {
        const struct ast *name = access_name(access);
        if (!name)
            return false;
        vec_push(scop->arena, &names, name);
    }
    for (size_t i = 0; i < scop->fragment->n_statements; i++) {
        const struct ast *n = ast_first(&walk, scop->arena, scop->fragment->statements[i]);
        for (; n; n = ast_next(&walk)) {
            bool found = n->kind != AST_REF || n->decl != array->decl;
            for (size_t k = 0; k < names.count && !found; k++)
                found = names.at[k] == n;
            if (!found)
                return false;
        }
    }
    return true;
}

/* Rows of memory are laid out by variables that the function leaves alone. */
static bool extent_stays(const struct scop *scop, const struct affine *extent)
{
    for (int i = 0; i < extent->n_terms; i++)
        if (scop->symbols.at[extent->terms[i].symbol].changes)
            return false;
    return true;
}

static void rows_move(struct scop *scop, struct scop_array *array, struct scop_memory *memory)
{
    struct access_walk walk;
    for (struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        map_put_pointer(scop->moved, access_name(access), memory);
        access->array = (struct scop_array *)memory->array;
    }
}

static bool rows_gather(struct scop *scop, struct scop_array *array)
{
    struct access_walk walk;
    struct affine lower, one = affine_constant(1);
    const struct scop_access *first = access_first(&walk, scop, array);
    struct loc loc = first->ast->loc;
    if (!names_are_accesses(scop, array) ||
        !memory_is_available(scop->ctx, scop->unit, scop->fragment))
        return scop_refuse(scop, REFUSE_POINTER_ARRAY, loc, array->name);
    if (!gathering_pays(scop))
        return scop_refuse(scop, REFUSE_ROWS_COPY, loc, array->name);
    struct scop_memory *memory = memory_add(scop, array, array->n_dims);
    memory->is_rows = true;
    ((struct scop_array *)memory->array)->is_written = array->is_written;
    for (int dim = 0; dim < 2; dim++)
        if (!hull_find(scop, array, NULL, dim, dim ? &lower : &memory->first,
                       &memory->extents[dim]) ||
            !affine_add(&memory->extents[dim], &one, 1))
            return scop_refuse(scop, REFUSE_ROWS_BOX, loc, array->name);
    if (!boxes_find(scop, array, memory))
        return scop_refuse(scop, REFUSE_ROWS_BOX, loc, array->name);
    if (!extent_stays(scop, &memory->extents[1]))
        return scop_refuse(scop, REFUSE_EXTENT_CHANGES, loc, array->name);
    rows_move(scop, array, memory);
    return true;
}

/* --- what rows might share -------------------------------------------------------------------- */

enum { ENDS_MAX = 12 };

static bool is_byte(const struct scop_array *array)
{
    return element_type(array)->bytes == 1;
}

/* An array of the fragment in memory that is not the text's own. */
static bool is_of_others(const struct scop_array *array)
{
    return array->n_dims > 0 && !array->memory && !array->is_rows;
}

static bool is_scalar_name(const struct ast *n)
{
    return n->kind == AST_REF && n->decl && n->decl->kind != AST_FUNCTION && n->decl->type &&
           ast_class_is_scalar(n->decl->type->class);
}

/* May a row be the scalar, one of them written? */
static bool meets(const struct scop *scop, const struct scop_memory *rows, const struct ast *decl)
{
    bool written = rows->array->is_written || map_get_pointer(scop->written, decl);
    return written && types_may_meet(element_type(rows->array), decl->type) &&
           !decl->type->is_const &&
           (decl->is_global || decl->is_static ||
            ast_takes_address(scop->fragment->body, decl));
}

static bool may_share(const struct scop_memory *rows, const struct scop_array *array)
{
    return is_of_others(array) &&
           ((element_types_meet(rows->array, array) &&
             (rows->array->is_written || array->is_written)) ||
            (array->is_written && is_byte(array)));
}

/* Is each array's memory known whose rows or pointers others may write? */
static bool rows_check(struct scop *scop, const struct scop_memory *rows)
{
    const char *ends[ENDS_MAX][2];
    for (size_t i = 0; i < scop->arrays.count; i++) {
        const struct scop_array *array = scop->arrays.at[i];
        const struct ast *open = NULL;
        if (may_share(rows, array) && array_ends(scop, array, ENDS_MAX, ends, &open) < 0)
            return scop_refuse(scop, REFUSE_OVERLAP, open->loc,
                               arena_printf(scop->arena, "%s` and `%s", rows->original->name,
                                            array->name));
    }
    return true;
}

bool rows_apply(struct scop *scop)
{
    size_t count = scop->arrays.count;
    for (size_t i = 0; i < count; i++)
        if (scop->arrays.at[i]->is_rows && !rows_gather(scop, scop->arrays.at[i]))
            return false;
    for (size_t i = 0; i < scop->memories.count; i++)
        if (!rows_check(scop, scop->memories.at[i]))
            return false;
    return true;
}

/* --- the text --------------------------------------------------------------------------------- */

/* Prints the tests; `name` is the variable that says whether all hold. */
struct row_text {
    struct str *out;
    struct scop *scop;
    const char *name, *row;
    int indent;
};

static const char *last_text(const struct row_text *t, const struct affine *extent)
{
    struct affine last = *extent, one = affine_constant(1);
    affine_add(&last, &one, -1);
    return affine_text(t->scop, &last);
}

/* The address at which a row begins, or the address behind its last column. */
static const char *row_end(const struct row_text *t, const struct scop_memory *rows,
                           const char *row, bool at_end)
{
    if (!at_end)
        return arena_printf(t->scop->arena, "(const char *)%s[%s]", rows->original->name, row);
    return arena_printf(t->scop->arena, "(const char *)(%s[%s] + %s)", rows->original->name, row,
                        affine_text(t->scop, &rows->extents[1]));
}

/* "a", "a + 1" */
static const char *offset_text(const struct row_text *t, const char *array,
                              const struct affine *offset)
{
    if (!offset->n_terms && !offset->constant)
        return array;
    return arena_printf(t->scop->arena, "(%s + %s)", array, affine_text(t->scop, offset));
}

/* "for (long row = 0; rows && row < n; row++)", and below it the assignment of a condition, which
   has a newline behind each line but the last. */
static void row_loop(const struct row_text *t, const struct scop_memory *rows, int from,
                     const char *condition)
{
    struct affine first = rows->first, more = affine_constant(from);
    affine_add(&first, &more, 1);
    str_indent(t->out, t->indent);
    str_addf(t->out, "for (long %s = %s; %s && %s < %s; %s++)\n", t->row,
             affine_text(t->scop, &first), t->name, t->row,
             affine_text(t->scop, &rows->extents[0]), t->row);
    str_indent(t->out, t->indent + 4);
    str_addf(t->out, "%s =\n", t->name);
    for (const char *end; (end = strchr(condition, '\n')); condition = end + 1) {
        str_indent(t->out, t->indent + 8);
        str_add_n(t->out, condition, (size_t)(end - condition) + 1);
    }
    str_indent(t->out, t->indent + 8);
    str_addf(t->out, "%s;\n", condition);
}

/* Rows that are written go up or down in memory. */
static void order_test(const struct row_text *t, const struct scop_memory *rows)
{
    struct arena *arena = t->scop->arena;
    const char *first = affine_text(t->scop, &rows->first);
    const char *last = last_text(t, &rows->extents[0]);
    const char *before = arena_printf(arena, "%s - 1", t->row);
    row_loop(t, rows, 1,
             arena_printf(arena, "%s < %s\n    ? %s <= %s\n    : %s <= %s",
                          row_end(t, rows, first, false), row_end(t, rows, last, false),
                          row_end(t, rows, before, true), row_end(t, rows, t->row, false),
                          row_end(t, rows, t->row, true), row_end(t, rows, before, false)));
}

static void ends_apart(const struct row_text *t, const struct scop_memory *rows,
                       const char *first, const char *end)
{
    row_loop(t, rows, 0,
             arena_printf(t->scop->arena, "%s <= %s ||\n%s <= %s",
                          row_end(t, rows, t->row, true), first, end,
                          row_end(t, rows, t->row, false)));
}

/* Each row of one array lies before or behind all of another, whose rows go up or down. */
static void rows_apart(const struct row_text *t, const struct scop_memory *rows,
                       const struct scop_memory *ordered)
{
    struct arena *arena = t->scop->arena;
    const char *first = affine_text(t->scop, &ordered->first);
    const char *last = last_text(t, &ordered->extents[0]);
    const char *begin = row_end(t, rows, t->row, false), *end = row_end(t, rows, t->row, true);
    const char *none = !ordered->first.n_terms && !ordered->first.constant
                           ? "" : arena_printf(arena, "%s < %s ||\n", last, first);
    row_loop(t, rows, 0,
             arena_printf(arena, "%s(%s <= %s &&\n %s <= %s) ||\n(%s <= %s &&\n %s <= %s)", none,
                          end,
                          row_end(t, ordered, first, false), end,
                          row_end(t, ordered, last, false), row_end(t, ordered, first, true),
                          begin, row_end(t, ordered, last, true), begin));
}

static void arrays_apart(const struct row_text *t, const struct scop_memory *rows)
{
    const char *ends[ENDS_MAX][2];
    const struct ast *open;
    for (size_t i = 0; i < t->scop->arrays.count; i++) {
        const struct scop_array *array = t->scop->arrays.at[i];
        int n = may_share(rows, array) ? array_ends(t->scop, array, ENDS_MAX, ends, &open) : 0;
        for (int k = 0; k < n; k++)
            ends_apart(t, rows, ends[k][0], ends[k][1]);
    }
}

static void scalars_apart(const struct row_text *t, const struct scop_memory *rows)
{
    struct ast_walk walk;
    struct map *seen = map_new(t->scop->arena);
    for (size_t i = 0; i < t->scop->fragment->n_statements; i++) {
        const struct ast *n = ast_first(&walk, t->scop->arena, t->scop->fragment->statements[i]);
        for (; n; n = ast_next(&walk)) {
            if (!is_scalar_name(n) || map_get_pointer(seen, n->decl) ||
                !meets(t->scop, rows, n->decl))
                continue;
            map_put_pointer(seen, n->decl, (void *)n);
            ends_apart(t, rows,
                       arena_printf(t->scop->arena, "(const char *)&%s", n->decl->name),
                       arena_printf(t->scop->arena, "(const char *)(&%s + 1)", n->decl->name));
        }
    }
}

/* The pointers themselves, which bytes that the fragment writes might be. */
static void pointers_apart(const struct row_text *t, const struct scop_memory *rows)
{
    struct arena *arena = t->scop->arena;
    const char *ends[ENDS_MAX][2];
    const struct ast *open;
    const char *begin = arena_printf(arena, "(const char *)%s",
                                     offset_text(t, rows->original->name, &rows->first));
    const char *end = arena_printf(arena, "(const char *)%s",
                                   offset_text(t, rows->original->name, &rows->extents[0]));
    for (size_t i = 0; i < t->scop->memories.count; i++) {
        const struct scop_memory *other = t->scop->memories.at[i];
        if (other->is_rows && other->array->is_written && is_byte(other->array))
            ends_apart(t, other, begin, end);
    }
    for (size_t i = 0; i < t->scop->arrays.count; i++) {
        const struct scop_array *array = t->scop->arrays.at[i];
        bool writes = is_of_others(array) && array->is_written && is_byte(array);
        int n = writes ? array_ends(t->scop, array, ENDS_MAX, ends, &open) : 0;
        for (int k = 0; k < n; k++) {
            str_indent(t->out, t->indent);
            str_addf(t->out, "%s = %s &&\n", t->name, t->name);
            str_indent(t->out, t->indent + 8);
            str_addf(t->out, "(%s <= %s ||\n", end, ends[k][0]);
            str_indent(t->out, t->indent + 9);
            str_addf(t->out, "%s <= %s);\n", ends[k][1], begin);
        }
    }
}

const char *rows_test(struct str *out, struct scop *scop, struct word_list *words,
                      const char *condition, int indent)
{
    struct row_text t = {out, scop, NULL, NULL, indent};
    for (size_t i = 0; i < scop->memories.count; i++) {
        const struct scop_memory *rows = scop->memories.at[i];
        if (!rows->is_rows)
            continue;
        if (!t.name) {
            t.name = words_have(words, "rows") ? words_fresh(words, "rows", 2)
                                               : words_local(words, "rows");
            t.row = words_local(words, "row");
            str_indent(out, indent);
            str_addf(out, "int %s = %s != 0;\n", t.name, condition);
        }
        if (rows->array->is_written)
            order_test(&t, rows);
        for (size_t k = 0; k < scop->memories.count; k++) {
            const struct scop_memory *other = scop->memories.at[k];
            bool pair = other->is_rows && rows->array->is_written && k != i &&
                        (k > i || !other->array->is_written) &&
                        element_types_meet(rows->array, other->array);
            if (pair)
                rows_apart(&t, other, rows);
        }
        arrays_apart(&t, rows);
        scalars_apart(&t, rows);
        pointers_apart(&t, rows);
    }
    return t.name ? t.name : condition;
}

/* Loops over the boxes, and in them an assignment of an element. */
static void boxes_copy(struct str *out, const struct scop *scop, const struct scop_memory *rows,
                       struct word_list *words, bool back, int indent)
{
    const char *row = words_local(words, "row"), *column = words_local(words, "column");
    const char *own = rows->name, *source = rows->original->name;
    for (int i = 0; i < rows->n_boxes; i++) {
        const struct rows_box *box = &rows->boxes[i];
        str_indent(out, indent);
        str_addf(out, "for (long %s = %s; %s < %s; %s++)\n", row,
                 affine_text(scop, &box->first), row, affine_text(scop, &box->rows), row);
        str_indent(out, indent + 4);
        str_addf(out, "for (long %s = 0; %s < %s; %s++)\n", column, column,
                 affine_text(scop, &box->columns), column);
        str_indent(out, indent + 8);
        str_addf(out, "%s[%s][%s] = %s[%s][%s];\n", back ? source : own, row, column,
                 back ? own : source, row, column);
    }
}

void rows_copy(struct str *out, const struct scop *scop, struct word_list *words, bool back,
               int indent)
{
    for (size_t i = 0; i < scop->memories.count; i++)
        if (scop->memories.at[i]->is_rows && (!back || scop->memories.at[i]->array->is_written))
            boxes_copy(out, scop, scop->memories.at[i], words, back, indent);
}
