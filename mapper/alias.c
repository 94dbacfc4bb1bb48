/* Arrays that may be the same memory.

   In: a scop. Out: a diagnostic for two arrays that C lets overlap, one of which the fragment
   writes. Distinct are objects by name and memory of different types; a pointer that is `restrict`
   shares what is written with nobody. A parameter may point to an array at file scope, but not to
   one of the function that it is a parameter of. */
#include "mapper/scop.h"
#include <string.h>

static bool is_restrict(const struct scop_array *array)
{
    return array->decl->type->is_restrict;
}

/* The type of the elements, without qualifiers and without typedefs. */
static const struct ast_type *element_of(const struct scop_array *array)
{
    const struct ast_type *type = array->decl->type;
    while (type->element)
        type = type->element;
    return type;
}

static bool is_signed_pair(enum ast_class a, enum ast_class b)
{
    static const enum ast_class pairs[][2] = {{AST_TYPE_I16, AST_TYPE_U16},
                                              {AST_TYPE_I32, AST_TYPE_U32},
                                              {AST_TYPE_I64, AST_TYPE_U64}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((a == pairs[i][0] && b == pairs[i][1]) || (a == pairs[i][1] && b == pairs[i][0]))
            return true;
    return false;
}

/* May C access one object by both types? */
static bool types_meet(const struct scop_array *a, const struct scop_array *b)
{
    enum ast_class first = element_of(a)->class, second = element_of(b)->class;
    return first == second || is_signed_pair(first, second) || first == AST_TYPE_I8 ||
           first == AST_TYPE_U8 || second == AST_TYPE_I8 || second == AST_TYPE_U8;
}

static bool is_pointer(const struct scop_array *array)
{
    return array->decl->kind == AST_PARAMETER || array->decl->type->class == AST_TYPE_POINTER;
}

static bool may_overlap(const struct scop_array *a, const struct scop_array *b)
{
    bool apart = is_restrict(a) || is_restrict(b) || !types_meet(a, b);
    bool local = !a->is_pointer || !b->is_pointer;
    bool pointers = is_pointer(a) || is_pointer(b);
    return pointers && !apart && !local;
}

bool scop_check_overlaps(struct scop *scop)
{
    for (size_t i = 0; i < scop->arrays.count; i++)
        for (size_t k = i + 1; k < scop->arrays.count; k++) {
            const struct scop_array *a = scop->arrays.at[i], *b = scop->arrays.at[k];
            if (!a->n_dims || !b->n_dims || !(a->is_written || b->is_written) || !may_overlap(a, b))
                continue;
            return scop_refuse(scop, REFUSE_OVERLAP, scop->fragment->loc,
                               arena_printf(scop->arena, "%s` and `%s", a->name, b->name));
        }
    return true;
}
