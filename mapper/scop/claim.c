/* Conditions on parameters under which a fragment has the meaning that the mapper read.

   In: instances at which something is not as it was read: a column beyond its pitch, an unsigned
   sum that wraps.
   Out: a condition on parameters under which there is none, which the printed text tests before its
   regions; where it does not hold the loops run as they stand. A condition is taken only if all of
   them together let large sizes through at which the instances run: what holds for some small sizes
   alone is no way that the program is meant to run. */
#include "mapper/scop/bounds.h"
#include "mapper/scop/claim.h"
#include "mapper/scop/flat.h"
#include "mapper/scop/sets.h"
#include <isl/constraint.h>
#include <isl/val.h>
#include <string.h>

enum { SIZE_LARGE = 1000 };

/* Is there a point of the set at which all parameters are large? */
static bool holds_at_large(__isl_take isl_set *set)
{
    isl_size n = isl_set_dim(set, isl_dim_param);
    for (int i = 0; i < n; i++)
        set = isl_set_lower_bound_si(set, isl_dim_param, (unsigned)i, SIZE_LARGE);
    isl_bool empty = isl_set_is_empty(set);
    isl_set_free(set);
    return empty == isl_bool_false;
}

/* The set as a single convex set without divisions; NULL for other sets. */
static __isl_give isl_basic_set *convex_of(__isl_keep isl_set *set)
{
    isl_basic_set_list *list = isl_set_get_basic_set_list(set);
    isl_basic_set *only = NULL;
    if (isl_basic_set_list_n_basic_set(list) == 1)
        only = isl_basic_set_list_get_basic_set(list, 0);
    isl_basic_set_list_free(list);
    if (only && isl_basic_set_dim(only, isl_dim_div) == 0)
        return only;
    isl_basic_set_free(only);
    return NULL;
}

/* The parameters at which no instance is bad. */
static __isl_give isl_set *good_of(__isl_keep isl_set *runs, __isl_keep isl_set *bad)
{
    isl_set *gist = isl_set_gist(isl_set_copy(bad), isl_set_copy(runs));
    return isl_set_remove_redundancies(isl_set_coalesce(isl_set_complement(gist)));
}

/* Of these the ones at which instances run: they may be convex where all of them are not. */
static __isl_give isl_set *good_that_runs(__isl_keep isl_set *runs, __isl_keep isl_set *bad)
{
    isl_set *some = isl_set_coalesce(isl_set_subtract(isl_set_copy(runs), isl_set_copy(bad)));
    return isl_set_gist(some, isl_set_copy(runs));
}

/* Can the text test the condition, as a convex set, also without what always holds? */
static bool is_testable(__isl_keep isl_set *condition, __isl_keep isl_set *always)
{
    isl_set *rest = isl_set_gist(isl_set_copy(condition), isl_set_copy(always));
    isl_basic_set *whole = convex_of(condition), *tested = convex_of(rest);
    bool testable = whole && tested;
    isl_basic_set_free(whole);
    isl_basic_set_free(tested);
    isl_set_free(rest);
    return testable;
}

/* Adds a condition to the claims, with or without what always holds; false if the text cannot test
   the sum of them, or large sizes do not pass at which instances run. */
static bool claim_add(struct scop *scop, __isl_take isl_set *good, __isl_keep isl_set *runs,
                      bool with_always)
{
    isl_set *always = isl_set_params(loops_set(scop, place_outside()));
    if (scop->claims)
        good = isl_set_intersect(good, isl_set_copy(scop->claims));
    isl_set *large = isl_set_intersect(isl_set_copy(good), isl_set_copy(always));
    bool taken = holds_at_large(isl_set_intersect(large, isl_set_copy(runs)));
    if (with_always)
        good = isl_set_intersect(good, isl_set_copy(always));
    good = isl_set_remove_redundancies(isl_set_coalesce(good));
    taken = taken && is_testable(good, always);
    if (taken)
        scop->claims = scop_keep_set(scop, good);
    else
        isl_set_free(good);
    isl_set_free(always);
    return taken;
}

/* Claims that no instance is bad at the parameters at which instances run. `is_place`: other forms
   of the condition do as well. */
static bool claim_try(struct scop *scop, __isl_keep isl_set *runs, __isl_keep isl_set *bad,
                      bool is_place)
{
    return claim_add(scop, good_of(runs, bad), runs, true) ||
           (is_place && (claim_add(scop, good_of(runs, bad), runs, false) ||
                         claim_add(scop, good_that_runs(runs, bad), runs, true) ||
                         claim_add(scop, good_that_runs(runs, bad), runs, false)));
}

static bool form_has_param(const struct scop *scop, const struct affine *form, int param)
{
    bool found = false;
    for (int i = 0; i < form->n_terms && !found; i++)
        found = scop->symbols.at[form->terms[i].symbol].param == param;
    return found;
}

static bool loop_has_param(const struct scop *scop, const struct scop_loop *loop, int param)
{
    bool found = form_has_param(scop, &loop->start, param) ||
                 form_has_param(scop, &loop->phase, param);
    for (int i = 0; i < loop->n_limits && !found; i++)
        found = form_has_param(scop, &loop->limits[i], param);
    return found;
}

/* The set whatever the parameters are that choose between statements, as `if (upper)` does, and are
   in no loop's header and not in `where`. */
static __isl_give isl_set *without_choices(const struct scop *scop, __isl_take isl_set *set,
                                           __isl_keep isl_set *where)
{
    for (int i = 0; i < scop->n_params; i++) {
        bool needed = isl_set_involves_dims(where, isl_dim_param, (unsigned)i, 1) != isl_bool_false;
        for (size_t k = 0; k < scop->loops.count && !needed; k++)
            needed = loop_has_param(scop, scop->loops.at[k], i);
        if (!needed)
            set = isl_set_eliminate(set, isl_dim_param, (unsigned)i, 1);
    }
    return isl_set_coalesce(set);
}

/* Claims the first of several conditions, each of which will do, that can be claimed. */
static bool claim_one_of(struct scop *scop, __isl_keep isl_set *runs, __isl_keep isl_set *bad)
{
    isl_set *good = good_of(runs, bad);
    isl_basic_set_list *list = isl_set_get_basic_set_list(good);
    isl_size n = isl_basic_set_list_n_basic_set(list);
    bool taken = false;
    for (int i = 0; i < n && !taken; i++)
        taken = claim_add(scop, isl_set_from_basic_set(isl_basic_set_list_get_basic_set(list, i)),
                          runs, true);
    isl_basic_set_list_free(list);
    isl_set_free(good);
    return taken;
}

/* The claim may be stronger than it has to be where no simple condition says just that: then what
   an `if` on parameters chooses is left out, and of several conditions that each will do,
   `n <= ld || m <= ld`, one is taken. */
static bool claim(struct scop *scop, __isl_keep isl_set *domain, __isl_take isl_set *where,
                  bool is_place)
{
    isl_set *runs = isl_set_params(isl_set_copy(domain));
    isl_set *bad = isl_set_params(isl_set_intersect(isl_set_copy(where), isl_set_copy(domain)));
    bool taken = claim_try(scop, runs, bad, is_place);
    if (!taken) {
        runs = without_choices(scop, runs, where);
        bad = without_choices(scop, bad, where);
        taken = claim_try(scop, runs, bad, is_place) || claim_one_of(scop, runs, bad);
    }
    isl_set_free(runs);
    isl_set_free(bad);
    isl_set_free(where);
    return taken;
}

bool scop_claim(struct scop *scop, __isl_keep isl_set *domain, __isl_take isl_set *where)
{
    return claim(scop, domain, where, false);
}

bool scop_claim_place(struct scop *scop, __isl_keep isl_set *domain, __isl_take isl_set *where)
{
    return claim(scop, domain, where, true);
}

static void product_claim(struct scop *scop, const char *text)
{
    for (size_t i = 0; i < scop->products.count; i++)
        if (!strcmp(scop->products.at[i], text))
            return;
    vec_push(scop->arena, &scop->products, text);
}

bool scop_claim_number(struct scop *scop, const struct scop_access *access)
{
    struct affine rows, one = affine_constant(1);
    if (!affine_bound(scop, 0, &access->subscripts[0], true, &rows) || !affine_add(&rows, &one, 1))
        return false;
    product_claim(scop, arena_printf(scop->arena, "(double)%s * %s < 4294967296.0",
                                     affine_operand_text(scop, &rows),
                                     flat_pitch_text(scop, access->array)));
    return true;
}

/* Are all numbers of the test's product of 32 bits? */
static bool are_short(const struct scop *scop, const struct flat_blocks *blocks)
{
    enum ast_class class = scop->symbols.at[blocks->size].class;
    bool short_ones = class != AST_TYPE_I64 && class != AST_TYPE_U64;
    for (int i = 0; i < blocks->count.n_terms; i++) {
        class = scop->symbols.at[blocks->count.terms[i].symbol].class;
        short_ones &= class != AST_TYPE_I64 && class != AST_TYPE_U64;
    }
    return short_ones;
}

/* A product of 32-bit numbers is made of 64 bits; before one of longer numbers stands a test in
   doubles, so that it stays within its type. */
void scop_claim_blocks(struct scop *scop, const struct flat_blocks *blocks)
{
    const char *count = affine_operand_text(scop, &blocks->count),
               *size = scop->symbols.at[blocks->size].text,
               *row = scop->symbols.at[blocks->row].text;
    bool is_short = are_short(scop, blocks);
    product_claim(scop, arena_printf(scop->arena, "(%s)%s * %s <= %s", is_short ? "long" : "double",
                                     count, size, row));
    if (!is_short)
        product_claim(scop, arena_printf(scop->arena, "%s * %s <= %s", count, size, row));
}

/* --- the test --------------------------------------------------------------------------------- */

struct claim_text {
    struct scop *scop;
    struct str out;
};

static int64_t val_number(__isl_take isl_val *value)
{
    int64_t number = isl_val_get_num_si(value);
    isl_val_free(value);
    return number;
}

/* Adds a parameter's multiple to one side. */
static void side_add(const struct scop *scop, struct affine *side, int param, int64_t factor)
{
    struct affine one = affine_constant(0);
    one.n_terms = 1;
    for (size_t i = 0; i < scop->symbols.count; i++)
        if (scop->symbols.at[i].param == param)
            one.terms[0] = (struct affine_term){(int)i, 1};
    affine_add(side, &one, factor);
}

/* "stride >= w", "n <= 100": what is added on the left, what is subtracted on the right. */
static isl_stat constraint_print(__isl_take isl_constraint *constraint, void *data)
{
    struct claim_text *text = data;
    struct affine left = affine_constant(0), right = affine_constant(0);
    bool equal = isl_constraint_is_equality(constraint) == isl_bool_true;
    for (int i = 0; i < text->scop->n_params; i++) {
        isl_val *value = isl_constraint_get_coefficient_val(constraint, isl_dim_param, i);
        int64_t factor = val_number(value);
        if (factor > 0)
            side_add(text->scop, &left, i, factor);
        if (factor < 0)
            side_add(text->scop, &right, i, -factor);
    }
    int64_t constant = val_number(isl_constraint_get_constant_val(constraint));
    isl_constraint_free(constraint);
    (left.n_terms ? &right : &left)->constant = left.n_terms ? -constant : constant;
    const char *relation = equal ? "==" : left.n_terms ? ">=" : "<=";
    const struct affine *first = left.n_terms ? &left : &right;
    const struct affine *second = left.n_terms ? &right : &left;
    str_addf(&text->out, "%s%s %s %s", text->out.length ? " && " : "",
             affine_wide_text(text->scop, first), relation,
             affine_wide_text(text->scop, second));
    return isl_stat_ok;
}

char *scop_claims_text(struct scop *scop)
{
    struct claim_text text = {scop, str_new(scop->arena)};
    isl_set *claims = scop->claims ? isl_set_gist(isl_set_copy(scop->claims),
                                                  isl_set_params(loops_set(scop, place_outside())))
                                   : NULL;
    isl_basic_set *convex = claims ? convex_of(claims) : NULL;
    isl_set_free(claims);
    if (convex)
        isl_basic_set_foreach_constraint(convex, constraint_print, &text);
    isl_basic_set_free(convex);
    for (size_t i = 0; i < scop->products.count; i++)
        str_addf(&text.out, "%s%s", text.out.length ? " && " : "", scop->products.at[i]);
    return text.out.length ? text.out.text : NULL;
}
