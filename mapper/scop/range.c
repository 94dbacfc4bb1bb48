/* Unsigned arithmetic as whole numbers.

   In: unsigned expressions that were read as affine forms, each with its place. Out: whether every
   value is one of its type, so that nothing wraps: proved for all instances, or by a condition on
   sizes that the printed text tests (claim.c). Sums of 32 bits are held below 2^31, so that what
   the mapped text adds to them does not wrap either. Values of 64 bits that bound loops are taken
   to be below 2^63, as nobody waits for the end of such a loop; other parameters are tested. */
#include "mapper/scop/choices.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/range.h"
#include "mapper/scop/sets.h"
#include <isl/aff.h>
#include <isl/val.h>
#include <string.h>

bool class_is_signed(enum ast_class class)
{
    return class == AST_TYPE_I8 || class == AST_TYPE_I16 || class == AST_TYPE_I32 ||
           class == AST_TYPE_I64;
}

bool class_is_unsigned(enum ast_class class)
{
    return class == AST_TYPE_U32 || class == AST_TYPE_U64;
}

void range_add(struct scop *scop, struct scop_place at, const struct ast *ast, enum ast_class class,
               const struct affine *form)
{
    struct scop_range range = {.form = *form, .at = at, .loc = ast->loc};
    range.most = class == AST_TYPE_U32 ? INT32_MAX : INT64_MAX;
    if (!scop->isl)
        vec_push(scop->arena, &scop->ranges, range);
}

static __isl_give isl_set *domain_of(struct scop *scop, const struct scop_range *range)
{
    if (!range->at.stmt)
        return loops_set(scop, range->at);
    return choices_restrict(scop, range->at, isl_set_copy(range->at.stmt->domain));
}

/* The instances at which the form's value lies outside the type. */
static __isl_give isl_set *outside_of(const struct scop *scop, const struct scop_range *range)
{
    struct affine zero = affine_constant(0), most = affine_constant(range->most);
    isl_set *set = isl_aff_lt_set(affine_isl(scop, range->at, &range->form),
                                  affine_isl(scop, range->at, &zero));
    if (range->most == INT64_MAX)
        return set;
    return isl_set_union(set, isl_aff_gt_set(affine_isl(scop, range->at, &range->form),
                                             affine_isl(scop, range->at, &most)));
}

/* Marks a subscript that may wrap as not affine. */
static void index_spoil(const struct scop_range *range)
{
    const struct scop_stmt *stmt = range->at.stmt;
    for (size_t i = 0; i < stmt->accesses.count; i++) {
        struct scop_access *access = &stmt->accesses.at[i];
        if (access->ast != range->at.index)
            continue;
        memset(access->is_affine, 0, sizeof access->is_affine);
        for (size_t k = 0; k < access->alternatives.count; k++)
            memset(access->alternatives.at[k]->is_affine, 0, sizeof access->is_affine);
    }
}

static bool range_holds(struct scop *scop, const struct scop_range *range)
{
    isl_set *domain = domain_of(scop, range), *outside = outside_of(scop, range);
    bool holds = isl_set_is_disjoint(domain, outside) == isl_bool_true;
    if (holds)
        isl_set_free(outside);
    else
        holds = scop_claim(scop, domain, outside);
    isl_set_free(domain);
    if (holds || !range->at.stmt || !range->at.index)
        return holds || scop_refuse(scop, REFUSE_WRAPS, range->loc, NULL);
    index_spoil(range);
    return true;
}

/* Does a limit grow with the parameter, or with a quotient of it? */
static bool limit_grows(const struct scop *scop, const struct affine *limit, int symbol)
{
    bool grows = affine_factor(limit, symbol) > 0;
    for (int i = 0; i < limit->n_terms && !grows; i++) {
        const struct affine *dividend = scop->symbols.at[limit->terms[i].symbol].dividend;
        grows = dividend && limit->terms[i].factor > 0 && affine_factor(dividend, symbol) > 0;
    }
    return grows;
}

/* Does a loop run at least as often as the parameter says, or as a share of it? */
static bool bounds_loop(const struct scop *scop, int symbol)
{
    for (size_t i = 0; i < scop->loops.count; i++)
        for (int k = 0; k < scop->loops.at[i]->n_limits; k++)
            if (limit_grows(scop, &scop->loops.at[i]->limits[k], symbol))
                return true;
    return false;
}

/* Parameters of 64 bits that bound no loop are below 2^63, or the loops run as they stand. */
static bool params_hold(struct scop *scop)
{
    bool good = true;
    for (size_t i = 0; i < scop->symbols.count; i++) {
        const struct affine_symbol *symbol = &scop->symbols.at[i];
        if (symbol->class != AST_TYPE_U64 || symbol->loop || bounds_loop(scop, (int)i))
            continue;
        isl_set *all = loops_set(scop, place_outside());
        isl_set *large = isl_set_lower_bound_val(isl_set_copy(all), isl_dim_param,
                                                 (unsigned)symbol->param,
                                                 isl_val_2exp(isl_val_int_from_ui(scop->isl, 63)));
        good = scop_claim(scop, all, large) && good;
        isl_set_free(all);
    }
    return good;
}

bool scop_ranges(struct scop *scop)
{
    if (!params_hold(scop))
        return scop_refuse(scop, REFUSE_LIMIT, scop->fragment->loc, NULL);
    for (size_t i = 0; i < scop->ranges.count; i++)
        if (!range_holds(scop, &scop->ranges.at[i]))
            return false;
    return true;
}
