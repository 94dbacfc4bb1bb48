/* Affine forms and conditions in isl.

   In: forms, and conditions of the source made of comparisons, `&&`, `||` and `!`. Out: isl's
   functions and sets over the space of the instances below some loops. */
#include "mapper/scop/choices.h"
#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

static int dimension_of(struct scop_place at, const struct scop_loop *loop)
{
    for (int i = 0; i < at.depth; i++)
        if (at.loops[i]->symbol == loop->symbol)
            return i;
    return -1;
}

__isl_give isl_aff *affine_isl(const struct scop *scop, struct scop_place at,
                               const struct affine *a)
{
    isl_space *space = isl_space_copy(scop->params);
    space = isl_space_add_unnamed_tuple_ui(space, (unsigned)at.depth);
    isl_aff *aff = isl_aff_zero_on_domain(isl_local_space_from_space(space));
    aff = isl_aff_set_constant_val(aff, isl_val_int_from_si(scop->isl, (long)a->constant));
    for (int i = 0; i < a->n_terms; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[a->terms[i].symbol];
        isl_val *factor = isl_val_int_from_si(scop->isl, (long)a->terms[i].factor);
        int place = symbol->loop ? dimension_of(at, symbol->loop) : symbol->param;
        aff = isl_aff_set_coefficient_val(aff, symbol->loop ? isl_dim_in : isl_dim_param, place,
                                          factor);
    }
    return aff;
}

static bool op_compares(enum ast_op op)
{
    return op >= AST_OP_LT && op <= AST_OP_NE;
}

static bool is_connective(const struct ast *ast)
{
    return (ast->kind == AST_BINARY && (ast->op == AST_OP_LAND || ast->op == AST_OP_LOR)) ||
           (ast->kind == AST_UNARY && ast->op == AST_OP_NOT);
}

/* The sides of a comparison. A lone remainder is compared with 0. */
static bool sides_read(struct scop *scop, struct scop_place at, const struct ast *ast,
                       struct affine *left, struct affine *right)
{
    *right = affine_constant(0);
    if (ast->kind == AST_BINARY && op_compares(ast->op))
        return affine_read(scop, at, ast->children[0], left) &&
               affine_read(scop, at, ast->children[1], right);
    return is_remainder(ast) && affine_read(scop, at, ast, left);
}

/* Are the sides affine in all ways that choices can be made? These are kept, if there are some. */
static bool comparison_is_affine(struct scop *scop, struct scop_place at, const struct ast *ast)
{
    struct affine left, right;
    struct choice_list next = {0};
    struct condition_pieces *pieces = ARENA_NEW(scop->arena, struct condition_pieces);
    if (at.choices)
        return sides_read(scop, at, ast, &left, &right);
    do {
        struct choice_list *choices = ARENA_NEW(scop->arena, struct choice_list);
        *choices = next;
        at.choices = choices;
        bool good = sides_read(scop, at, ast, &left, &right);
        vec_push(scop->arena, &pieces->choices, choices);
        if (!good || pieces->choices.count > ALTERNATIVES_MAX)
            return false;
        next = *choices;
    } while (choices_step(&next));
    if (vec_last(&pieces->choices)->n)
        map_put_pointer(scop->pieces, ast, pieces);
    return true;
}

bool condition_is_affine(struct scop *scop, struct scop_place at, const struct ast *ast)
{
    size_t n_ranges = scop->ranges.count;
    bool good = true;
    if (is_connective(ast)) {
        for (int i = 0; i < ast->n_children && good; i++)
            good = condition_is_affine(scop, at, ast_strip(ast->children[i]));
    } else {
        good = comparison_is_affine(scop, at, ast);
    }
    if (!good)
        scop->ranges.count = n_ranges;
    return good;
}

static __isl_give isl_set *comparison_set(struct scop *scop, struct scop_place at,
                                          const struct ast *ast)
{
    struct affine forms[2];
    sides_read(scop, at, ast, &forms[0], &forms[1]);
    isl_aff *left = affine_isl(scop, at, &forms[0]);
    isl_aff *right = affine_isl(scop, at, &forms[1]);
    switch (ast->kind == AST_BINARY ? ast->op : AST_OP_NE) {
    case AST_OP_LT: return isl_aff_lt_set(left, right);
    case AST_OP_GT: return isl_aff_gt_set(left, right);
    case AST_OP_LE: return isl_aff_le_set(left, right);
    case AST_OP_GE: return isl_aff_ge_set(left, right);
    case AST_OP_EQ: return isl_aff_eq_set(left, right);
    default: return isl_aff_ne_set(left, right);
    }
}

/* The union of a comparison's pieces, each where its choices hold. */
static __isl_give isl_set *pieces_set(struct scop *scop, struct scop_place at,
                                      const struct ast *ast, const struct condition_pieces *pieces)
{
    isl_set *all = NULL;
    for (size_t i = 0; i < pieces->choices.count; i++) {
        at.choices = pieces->choices.at[i];
        isl_set *own = choices_restrict(scop, at, comparison_set(scop, at, ast));
        all = all ? isl_set_union(all, own) : own;
    }
    return isl_set_coalesce(all);
}

__isl_give isl_set *condition_set(struct scop *scop, struct scop_place at, const struct ast *ast)
{
    const struct condition_pieces *pieces = map_get_pointer(scop->pieces, ast);
    if (!is_connective(ast))
        return pieces && !at.choices ? pieces_set(scop, at, ast, pieces)
                                     : comparison_set(scop, at, ast);
    isl_set *first = condition_set(scop, at, ast_strip(ast->children[0]));
    if (ast->op == AST_OP_NOT)
        return isl_set_complement(first);
    isl_set *second = condition_set(scop, at, ast_strip(ast->children[1]));
    return ast->op == AST_OP_LAND ? isl_set_intersect(first, second) : isl_set_union(first, second);
}
