/* Arrays that may be the same memory.

   In: a scop. Out: pairs of arrays that C lets overlap, one of which the fragment writes, and a
   test whether they do: whether the rows that accesses touch lie apart. Distinct are objects by
   name, `const` objects, and memory of different types; a pointer that is `restrict` shares what is
   written with nobody but pointers that the function makes from it. A parameter may point to an
   array at file scope, but not to one of the function that it is a parameter of. */
#include "frontend/ask.h"
#include "frontend/facts.h"
#include "frontend/text.h"
#include "frontend/writes.h"
#include "mapper/forms/forms.h"
#include "mapper/scop/bounds.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/flat.h"
#include "mapper/scop/range.h"
#include "mapper/scop/sets.h"
#include "mapper/scop/walk.h"
#include <string.h>

enum { ROWS_MAX = 6 };

/* The declaration of the array's memory: of an array that records.c made, the array of
   structures, of a member that written.c found, the structure. */
static const struct ast *object_of(const struct scop_array *array)
{
    const struct ast *decl = array->decl, *structure = written_structure(decl);
    if (structure)
        return structure;
    const struct ast *value = decl->is_made && decl->n_children ? decl->children[0] : NULL;
    return value && value->kind == AST_REF ? value->decl : decl;
}

enum { ORIGINS_MAX = 8 };            /* pointers that are made from each other */

static bool is_restrict(const struct scop_array *array)
{
    return object_of(array)->type->is_restrict;
}

const struct ast_type *element_type(const struct scop_array *array)
{
    const struct ast_type *type = array->decl->type;
    while (type->element)
        type = type->element;
    return type;
}

bool element_types_meet(const struct scop_array *a, const struct scop_array *b)
{
    return types_may_meet(element_type(a), element_type(b)) ||
           types_may_meet(element_type(b), element_type(a));
}

static bool is_pointer(const struct scop_array *array)
{
    const struct ast *decl = object_of(array);
    return decl->kind == AST_PARAMETER || decl->type->class == AST_TYPE_POINTER;
}

/* Is the value memory that nothing else means? */
static bool is_fresh(const struct ast *value)
{
    while (value && value->kind == AST_CAST)
        value = value->children[0];
    const struct ast *function = value && value->kind == AST_CALL ? value->decl : NULL;
    return function && (!strcmp(function->name, "malloc") || !strcmp(function->name, "calloc"));
}

static bool begins_fresh(const struct ast *decl)
{
    return decl->n_children && is_fresh(decl->children[0]);
}

static bool sets_fresh(const struct ast *change)
{
    return change->kind == AST_ASSIGN && change->op == AST_OP_NONE && is_fresh(change->children[1]);
}

/* Is it a local pointer that has no values but memory of its own, `p = malloc(n)`? */
static bool has_own_memory(const struct scop *scop, const struct scop_array *array)
{
    const struct ast *decl = object_of(array), *body = scop->fragment->body;
    const struct ast_facts *facts = ast_facts(scop->unit, body);
    const struct ast *first = map_get_pointer(facts->changed, decl);
    bool good = is_pointer(array) && decl->kind == AST_VARIABLE && !decl->is_global &&
                !decl->is_static && !decl->is_extern && !map_get_pointer(facts->addressed, decl) &&
                (decl->n_children ? begins_fresh(decl) : first != NULL);
    if (!good || !first || !sets_fresh(first))
        return good && !first;
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, body); n; n = ast_next(&walk)) {
        const struct ast *target = change_target(n);
        if (target && is_ref_to(target, decl) && !sets_fresh(n))
            return false;
    }
    return true;
}

/* May the function have made the pointer from another of its arrays? */
static bool is_derived(const struct scop *scop, const struct scop_array *array)
{
    const struct ast *decl = object_of(array);
    bool local = decl->kind == AST_VARIABLE && !decl->is_global && !begins_fresh(decl);
    return is_pointer(array) && !is_restrict(array) && !has_own_memory(scop, array) &&
           (local || map_get_pointer(scop->changed, decl));
}

/* Is the variable what `ast` takes the address of, as in `&a[i]`? */
static bool is_addressed_by(const struct ast *ast, const struct ast *decl)
{
    if (ast->kind != AST_UNARY || ast->op != AST_OP_ADDRESS)
        return false;
    for (ast = ast->children[0]; ast->kind == AST_INDEX || ast->kind == AST_CAST;)
        ast = ast->children[0];
    return ast->kind == AST_REF && ast->decl == decl;
}

/* Does the code use the address of the array, as a call does that may keep it? `of_element`: only
   an element of what `ast` is counts. */
static bool uses_address(const struct ast *ast, const struct ast *decl, bool of_element)
{
    if (!ast || ast->kind == AST_SIZEOF)
        return false;
    if (ast->kind == AST_REF)
        return ast->decl == decl && !of_element;
    if (is_addressed_by(ast, decl))
        return true;
    bool decays = ast->kind == AST_CAST && ast->is_implicit && of_element;
    bool indexes = ast->kind == AST_INDEX &&
                   (of_element || ast_class_is_scalar(ast->type->class));
    for (int i = 0; i < ast->n_children; i++)
        if (uses_address(ast->children[i], decl, i == 0 && (decays || indexes)))
            return true;
    return false;
}

static bool is_own_structure(const struct ast *decl)
{
    return decl->kind == AST_VARIABLE && decl->type->class == AST_TYPE_STRUCT &&
           !decl->is_global && !decl->is_static && !decl->is_extern;
}

/* Are the arrays two members of one structure? */
static bool are_members(const struct scop_array *a, const struct scop_array *b)
{
    return written_structure(a->decl) && written_structure(a->decl) == written_structure(b->decl);
}

/* Is the first array memory that the second cannot mean: by `restrict`, as it is the function's
   own, or as the function has allocated it? A pointer at file scope may have got the address of an
   array of the function by a call. */
static bool is_apart(const struct scop *scop, const struct scop_array *a,
                     const struct scop_array *b)
{
    bool is_kept = b->decl->is_global && is_pointer(b) &&
                   uses_address(scop->fragment->body, object_of(a), false);
    bool is_own = !a->is_pointer || has_own_memory(scop, a) || is_own_structure(object_of(a));
    return (is_restrict(a) || (is_own && !is_kept)) && !is_derived(scop, b);
}

/* Is the array, or the scalar, an object of a `const` type, which C lets nobody write? A pointer to
   `const` may point to what others write. */
static bool is_read_only(const struct scop_array *array)
{
    return !is_pointer(array) && element_type(array)->is_const;
}

/* The side of a sum that is the pointer. */
static const struct ast *pointer_side(const struct ast *sum)
{
    return ast_plain(sum->children[ast_class_is_integer(sum->children[0]->type->class)]);
}

/* The parameter, the variable of the file or the member of a structure that a pointer's value comes
   from, as an expression or a declaration; NULL if it may come from several. */
static const struct ast *origin_of(const struct scop *scop, const struct ast *decl)
{
    const struct ast_facts *facts = ast_facts(scop->unit, scop->fragment->body);
    for (int n = 0; n < ORIGINS_MAX; n++) {
        bool is_local = decl->kind == AST_VARIABLE && !decl->is_global;
        if (!decl->is_made && map_get_pointer(facts->changed, decl))
            return NULL;
        if (!is_local || decl->type->class == AST_TYPE_ARRAY)
            return decl;
        const struct ast *value = decl->n_children ? ast_plain(decl->children[0]) : NULL;
        while (value && value->kind == AST_BINARY && value->type->class == AST_TYPE_POINTER)
            value = pointer_side(value);
        if (value && value->kind == AST_MEMBER)
            return value;
        const struct ast *base = ast_base(value);
        if (!base)
            return NULL;
        decl = base->decl;
    }
    return NULL;
}

/* Does the programmer say that the two lie apart, as pointers of unlike origins do? */
static bool are_said_apart(const struct scop *scop, const struct scop_array *a,
                           const struct scop_array *b)
{
    if (!scop->ctx->restricts)
        return false;
    const struct ast *first = origin_of(scop, a->decl), *second = origin_of(scop, b->decl);
    return first && second && first != second && !ast_equal(first, second);
}

static bool may_overlap(const struct scop *scop, const struct scop_array *a,
                        const struct scop_array *b)
{
    bool apart = are_members(a, b) || are_said_apart(scop, a, b) || is_apart(scop, a, b) ||
                 is_apart(scop, b, a) || !element_types_meet(a, b) || is_read_only(a) ||
                 is_read_only(b);
    bool pointers = (is_pointer(a) || is_pointer(b)) && !a->memory && !b->memory;
    return pointers && !apart;
}

/* --- the test --------------------------------------------------------------------------------- */

/* Rows that accesses touch: from the first to the last along the first axis. */
struct row_range {
    struct affine first, last;
    bool is_flat;                    /* counted in elements of a flat array, not in its rows */
};
typedef VEC(struct row_range) rows_list;

static void row_range_add(struct arena *arena, rows_list *list, const struct row_range *rows)
{
    for (size_t i = 0; i < list->count; i++) {
        struct row_range both = list->at[i];
        if (both.is_flat == rows->is_flat && bound_join(&both.first, &rows->first, false) &&
            bound_join(&both.last, &rows->last, true)) {
            list->at[i] = both;
            return;
        }
    }
    vec_push(arena, list, *rows);
}

/* The rows of an array with an extent are those declared: that is what a region copies, whatever it
   touches. False if none is declared over parameters. */
static bool extent_add(struct scop *scop, const struct scop_array *array, rows_list *list)
{
    const struct ast *extent = array->decl->type->extent;
    struct row_range rows = {affine_constant(0), affine_constant(-1), array->n_pitches > 0};
    struct affine count;
    if (!extent || !affine_read(scop, place_outside(), extent, &count) ||
        !affine_add(&rows.last, &count, 1))
        return false;
    row_range_add(scop->arena, list, &rows);
    return true;
}

/* Reads `e % n` where e is at least 0 and n above 0, whenever the statement runs: then it is one of
   the numbers up to n - 1. */
static bool remainder_read(struct scop *scop, const struct scop_stmt *stmt, const struct ast *ast,
                           struct affine *divisor)
{
    struct affine dividend, one = affine_constant(1);
    struct scop_place at = place_in(stmt);
    ast = ast_plain(ast);
    return ast->kind == AST_BINARY && ast->op == AST_OP_REM &&
           class_is_signed(ast->type->class) &&
           affine_read(scop, at, ast->children[0], &dividend) &&
           affine_read(scop, place_outside(), ast->children[1], divisor) &&
           affine_add(&dividend, &one, 1) && loops_imply_positive(scop, at, &dividend) &&
           loops_imply_positive(scop, at, divisor);
}

/* Is the form the pitch of the array's rows, a single parameter? */
static bool is_pitch(const struct scop_array *array, const struct affine *form)
{
    const struct flat_pitch *pitch = &array->pitches[0];
    return array->n_pitches == 1 && pitch->factor == 1 && pitch->n == 1 && form->n_terms == 1 &&
           !form->n_names && !form->constant && form->terms[0].factor == 1 &&
           form->terms[0].symbol == pitch->symbols[0];
}

/* Reads `(e % n) * pitch + f % pitch`, the element of a torus, in whose rows both are. */
static bool torus_read(struct scop *scop, const struct scop_stmt *stmt,
                       const struct scop_access *access, const struct ast *sum,
                       struct affine *divisor)
{
    for (int side = 0; side < 2; side++) {
        const struct ast *row = ast_plain(sum->children[side]);
        struct affine length, pitch;
        if (row->kind != AST_BINARY || row->op != AST_OP_MUL ||
            !remainder_read(scop, stmt, sum->children[1 - side], &length) ||
            !is_pitch(access->array, &length))
            continue;
        for (int i = 0; i < 2; i++)
            if (affine_read(scop, place_outside(), row->children[1 - i], &pitch) &&
                is_pitch(access->array, &pitch) &&
                remainder_read(scop, stmt, row->children[i], divisor))
                return true;
    }
    return false;
}

/* The rows of a subscript with remainders, from 0 to the last one. */
static bool remainder_rows(struct scop *scop, const struct scop_stmt *stmt,
                           const struct scop_access *access, struct affine *last)
{
    const struct ast *index = access->ast->kind == AST_INDEX ? access->ast->children[1] : NULL;
    const struct affine one = affine_constant(1);
    if (!index || access->array->n_dims != access->array->n_pitches + 1)
        return false;
    index = ast_plain(index);
    bool good = access->array->n_pitches
                    ? index->kind == AST_BINARY && index->op == AST_OP_ADD &&
                          torus_read(scop, stmt, access, index, last)
                    : remainder_read(scop, stmt, index, last);
    return good && affine_add(last, &one, -1);
}

/* The rows of an access: from the bounds of the access's loops, else from the touched elements. The
   number of ranges, 0 if the rows are unknown. */
static int access_rows(struct scop *scop, const struct scop_stmt *stmt,
                       const struct scop_access *access, struct affine *first, struct affine *last)
{
    const struct affine *row = &access->subscripts[0];
    if (access->is_affine[0])
        return affine_bound(scop, 0, row, false, first) && affine_bound(scop, 0, row, true, last);
    if (access->alternatives.count)
        return relation_rows(scop, access, ROWS_MAX, first, last);
    first[0] = affine_constant(0);
    return remainder_rows(scop, stmt, access, &last[0]);
}

/* The rows of an array, from the first row on, that the fragment touches, as a region touches them.
   Returns an access whose rows are unknown before the fragment runs; NULL if all are known. */
static const struct ast *rows_of(struct scop *scop, const struct scop_array *array,
                                 rows_list *list)
{
    struct affine first[ROWS_MAX], last[ROWS_MAX];
    struct access_walk walk;
    if (extent_add(scop, array, list))
        return NULL;
    for (const struct scop_access *access = access_first(&walk, scop, array); access;
         access = access_next(&walk)) {
        int count = access_rows(scop, walk.stmt, access, first, last);
        for (int i = 0; i < count; i++) {
            struct row_range rows = {first[i], last[i], false};
            if (rows.first.n_terms)
                row_range_add(scop->arena, list, &rows);
            if (rows.first.n_terms || rows.first.constant > 0)
                rows.first = affine_constant(0);
            row_range_add(scop->arena, list, &rows);
        }
        if (!count || list->count > ROWS_MAX)
            return access->ast;
    }
    return NULL;
}

/* "(const char *)(a + n)": the address of the first row, or behind the last one. */
static const char *address_text(const struct scop *scop, const struct scop_array *array,
                                const struct row_range *rows, bool at_end)
{
    struct affine sum = at_end ? rows->last : rows->first, constant = affine_constant(at_end);
    affine_add(&sum, &constant, 1);
    if (!sum.n_terms && !sum.constant)
        return arena_printf(scop->arena, "(const char *)%s", array->name);
    if (array->n_pitches && !rows->is_flat)
        return arena_printf(scop->arena, "(const char *)(%s + %s * %s)", array->name,
                            affine_operand_text(scop, &sum), flat_pitch_text(scop, array));
    return arena_printf(scop->arena, "(const char *)(%s + %s)", array->name,
                        affine_text(scop, &sum));
}

/* `absent`: a further condition that keeps the two apart; NULL: none. */
static void ends_test(struct str *out, const char *absent, const char *const first[2],
                      const char *const second[2])
{
    str_addf(out, "%s(%s%s%s <= %s ||\n %s <= %s)", out->length ? " &&\n" : "",
             absent ? absent : "", absent ? " ||\n " : "", first[1], second[0], second[1],
             first[0]);
}

static void pair_test(const struct scop *scop, struct str *out, const struct scop_overlap *pair,
                      const struct row_range *first, const struct row_range *second)
{
    const struct scop_array *a = pair->first, *b = pair->second;
    const char *const ends[][2] = {
        {address_text(scop, a, first, false), address_text(scop, a, first, true)},
        {address_text(scop, b, second, false), address_text(scop, b, second, true)},
    };
    ends_test(out, NULL, ends[0], ends[1]);
}

static void scalar_test(const struct scop *scop, struct str *out, const struct scop_overlap *pair,
                        const struct row_range *rows)
{
    struct ast_writer writer = {scop->arena, scop->unit->source, NULL};
    const struct ast *pointer = member_path_pointer(pair->scalar);
    const struct scop_array *array = pair->first;
    const char *name = pointer ? ast_text(&writer, pair->scalar->children[0]) : pair->scalar->name;
    const char *absent = pointer ? arena_printf(scop->arena, "!%s", pointer->name) : NULL;
    const char *const ends[][2] = {
        {address_text(scop, array, rows, false), address_text(scop, array, rows, true)},
        {arena_printf(scop->arena, "(const char *)&%s", name),
         arena_printf(scop->arena, "(const char *)(&%s + 1)", name)},
    };
    ends_test(out, absent, ends[0], ends[1]);
}

/* One condition per line. */
char *scop_apart_text(struct scop *scop)
{
    struct str out = str_new(scop->arena);
    for (size_t i = 0; i < scop->overlaps.count; i++) {
        const struct scop_overlap *pair = &scop->overlaps.at[i];
        rows_list first = {0}, second = {0};
        rows_of(scop, pair->first, &first);
        if (pair->second)
            rows_of(scop, pair->second, &second);
        for (size_t k = 0; k < first.count; k++) {
            if (pair->scalar)
                scalar_test(scop, &out, pair, &first.at[k]);
            for (size_t n = 0; n < second.count; n++)
                pair_test(scop, &out, pair, &first.at[k], &second.at[n]);
        }
    }
    return out.length ? out.text : NULL;
}

int array_ends(struct scop *scop, const struct scop_array *array, int most,
               const char *(*ends)[2], const struct ast **open)
{
    rows_list rows = {0};
    *open = rows_of(scop, array, &rows);
    for (size_t i = 0; i < rows.count && i < (size_t)most; i++)
        for (int end = 0; end < 2; end++)
            ends[i][end] = address_text(scop, array, &rows.at[i], end);
    return *open || rows.count > (size_t)most ? -1 : (int)rows.count;
}

/* An access of one of the two that no test at run time covers; NULL if there is none. */
static const struct ast *untestable(struct scop *scop, const struct scop_array *a,
                                    const struct scop_array *b)
{
    rows_list first = {0}, second = {0};
    const struct ast *access = rows_of(scop, a, &first);
    return access ? access : rows_of(scop, b, &second);
}

/* May the pointer point to a scalar that the fragment names, and one of them be written? Nobody may
   write a `const` object. */
static bool meets_scalar(const struct scop *scop, const struct scop_array *pointer,
                         const struct ast *decl)
{
    bool written = pointer->is_written || map_get_pointer(scop->written, decl);
    const struct ast *structure = written_structure(pointer->decl);
    if (structure && structure == member_path_pointer(decl))
        return false;                /* two members of one structure */
    return types_may_meet(element_type(pointer), decl->type) && written && is_pointer(pointer) &&
           !is_restrict(pointer) && !decl->type->is_const && !scop->ctx->restricts &&
           (decl->is_global || member_path_pointer(decl) ||
            ast_takes_address(scop->fragment->body, decl));
}

static void *refuse_pair(struct scop *scop, enum refusal row, const struct ast *use,
                         const char *first, const char *second)
{
    return scop_refuse(scop, row, use->loc,
                       arena_printf(scop->arena, "%s` and `%s", first, second));
}

static void scalar_add(struct scop *scop, const struct scop_array *array, const struct ast *decl)
{
    struct scop_overlap pair = {array, NULL, decl};
    for (size_t i = 0; i < scop->overlaps.count; i++)
        if (scop->overlaps.at[i].first == array && scop->overlaps.at[i].scalar == decl)
            return;
    vec_push(scop->arena, &scop->overlaps, pair);
}

/* The pointers that may point to a scalar, and the test of each; false after a refusal. */
static bool scalar_pairs(struct scop *scop, const struct ast *ref)
{
    for (size_t i = 0; i < scop->arrays.count; i++) {
        const struct scop_array *array = scop->arrays.at[i];
        rows_list rows = {0};
        if (!array->n_dims || array->memory || array->is_rows ||
            !meets_scalar(scop, array, ref->decl))
            continue;
        if (rows_of(scop, array, &rows))
            return refuse_pair(scop, map_get_pointer(scop->written, ref->decl)
                                         ? REFUSE_OVERLAP : REFUSE_OVERLAP_SCALAR,
                               ref, object_of(array)->name, ref->decl->name);
        scalar_add(scop, array, ref->decl);
    }
    return true;
}

static bool find_scalars(struct scop *scop, const struct ast *statement)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, statement); n; n = ast_next(&walk)) {
        const struct ast *decl = n->kind == AST_REF ? n->decl : NULL;
        bool is_scalar = decl && decl->kind != AST_FUNCTION &&
                         ast_class_is_scalar(decl->type->class);
        if (is_scalar && !scalar_pairs(scop, n))
            return false;
    }
    return true;
}

bool scop_find_overlaps(struct scop *scop)
{
    for (size_t i = 0; i < scop->fragment->n_statements; i++)
        if (!find_scalars(scop, scop->fragment->statements[i]))
            return false;
    for (size_t i = 0; i < scop->arrays.count; i++)
        for (size_t k = i + 1; k < scop->arrays.count; k++) {
            const struct scop_array *a = scop->arrays.at[i], *b = scop->arrays.at[k];
            if (!a->n_dims || !b->n_dims || a->is_rows || b->is_rows ||
                !(a->is_written || b->is_written) || !may_overlap(scop, a, b))
                continue;
            const struct ast *access = untestable(scop, a, b);
            if (access)
                return refuse_pair(scop, REFUSE_OVERLAP, access, object_of(a)->name,
                                   object_of(b)->name);
            struct scop_overlap pair = {a, b, NULL};
            vec_push(scop->arena, &scop->overlaps, pair);
        }
    return true;
}
