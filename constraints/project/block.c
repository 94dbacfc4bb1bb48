/* Elimination of a block of existential variables. In: a formula without quantifiers; out: an
   equivalent one without the variables. Disjunctions are done one by one; of a conjunction what
   does not speak of the block is kept aside (it is known inside), parts without common variables
   are done apart, and then one variable of one part goes by the cheapest method: an equation is
   solved for it, bounds are paired, a disjunction is multiplied out, test points are put in, x^g
   becomes a variable of its own, or the coverings do the rest. What comes out of that has the
   remaining variables to lose. Invariant: the result is equivalent under the theory, or the work is
   broken. */
#include "constraints/project/plan.h"

enum { COST_HARD = 300 };   /* of a plan: a sentence is decided otherwise */

/* --- methods: each gives disjuncts ----------------------------------------------------------- */

/* All coefficients in x are zero. */
static const struct node *vanishes(struct work *w, const struct polynomial *f, int x)
{
    const struct node *all = w->truth;
    fmpz_mpoly_t coefficient;
    fmpz_mpoly_init(coefficient, w->ctx);
    for (unsigned k = work_degree(w, f->p, x) + 1; k-- > 0;) {
        work_coefficient(w, coefficient, f->p, x, k);
        all = node_and2(w, all, node_sign(w, coefficient, SIGN_ZERO));
    }
    fmpz_mpoly_clear(coefficient, w->ctx);
    return all;
}

static void points_put_in(struct work *w, const struct node *node, int x, const point_list *points,
                          node_list *out)
{
    for (size_t i = 0; i < points->count && !w->broken; i++)
        vec_push(w->arena, out,
                 node_and2(w, points->at[i].guard, point_substitute(w, node, x, points->at + i)));
}

/* The equation's roots, or it vanishes identically and says nothing. */
static void equation_solve(struct work *w, const struct node *node, const struct plan *plan,
                           node_list *out)
{
    const struct polynomial *f = plan->chosen->factors[0];
    const struct node *rest = conjunction_without(w, node, plan->chosen);
    point_list points = {0};
    points_of_equation(w, f, plan->x, &points);
    points_put_in(w, rest, plan->x, &points, out);
    vec_push(w->arena, out, node_and2(w, vanishes(w, f, plan->x), rest));
}

static void disjunction_distribute(struct work *w, const struct node *node, const struct plan *plan,
                                   node_list *out)
{
    const struct node *rest = conjunction_without(w, node, plan->chosen);
    for (size_t i = 0; i < plan->chosen->count; i++)
        vec_push(w->arena, out, node_and2(w, rest, plan->chosen->at[i]));
}

static void points_try(struct work *w, const struct node *node, int x, const struct theory *theory,
                       node_list *out)
{
    point_list points = {0};
    points_make(w, node, x, theory_beside(w, node, x, theory), &points);
    points_put_in(w, node, x, &points, out);
}

/* --- the recursion --------------------------------------------------------------------------- */

static const struct node *disjuncts_eliminate(struct work *w, const struct node *const *at,
                                              size_t count, uint64_t block,
                                              const struct theory *theory)
{
    node_list done = {0};
    for (size_t i = 0; i < count && !w->broken; i++) {
        const struct node *node = block_eliminate(w, at[i], block, theory);
        if (node->kind == NODE_TRUE)
            return node;
        vec_push(w->arena, &done, node);
    }
    return node_or(w, done.at, done.count);
}

/* One variable less in a conjunction that cannot be split. */
static const struct node *conjunction_eliminate(struct work *w, const struct node *node,
                                                uint64_t block, const struct theory *theory)
{
    struct plan plan = plan_make(w, node, block, theory);
    node_list out = {0};
    const struct node *decided =
        plan.cost >= COST_HARD && !(node->uses & ~block) ? covering_decide(w, node) : NULL;
    if (decided)
        return decided;
    switch (plan.method) {
    case METHOD_EQUATION: equation_solve(w, node, &plan, &out); break;
    case METHOD_PAIRS:
        vec_push(w->arena, &out,
                 pairs_eliminate(w, node, plan.x, theory_beside(w, node, plan.x, theory)));
        break;
    case METHOD_DISTRIBUTE: disjunction_distribute(w, node, &plan, &out); break;
    case METHOD_POINTS: points_try(w, node, plan.x, theory, &out); break;
    case METHOD_LOWER:
        vec_push(w->arena, &out,
                 degrees_lower(w, node, plan.x, degrees_of(w, node, plan.x).common));
        break;
    case METHOD_DIVIDE: equation_divide(w, node, &plan, &out); break;
    case METHOD_NONE: return covering_eliminate(w, node, block, theory);
    }
    return disjuncts_eliminate(w, out.at, out.count, block, theory);
}

/* The conjuncts that share variables of the block with the first one, directly or by others, are
   taken out of *list. */
static const struct node *component_take(struct work *w, node_list *list, uint64_t block)
{
    node_list taken = {0};
    uint64_t uses = list->at[0]->uses & block;
    for (bool grown = true; grown;) {
        grown = false;
        size_t kept = 0;
        for (size_t i = 0; i < list->count; i++) {
            if (!(list->at[i]->uses & uses)) {
                list->at[kept++] = list->at[i];
                continue;
            }
            grown |= (list->at[i]->uses & block & ~uses) != 0;
            uses |= list->at[i]->uses & block;
            vec_push(w->arena, &taken, list->at[i]);
        }
        list->count = kept;
    }
    return node_and(w, taken.at, taken.count);
}

static const struct node *parts_eliminate(struct work *w, const struct node *node, uint64_t block,
                                          const struct theory *theory)
{
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at);
    node_list done = {0}, rest = {0};
    struct theory *inside = theory_copy(w, theory);
    for (size_t i = 0; i < count; i++) {
        if (at[i]->uses & block) {
            vec_push(w->arena, &rest, at[i]);
            continue;
        }
        vec_push(w->arena, &done, at[i]);
        if (at[i]->kind == NODE_ATOM && !theory_add(w, inside, at[i]))
            return w->falsity;
    }
    while (rest.count && !w->broken) {
        const struct node *component = component_take(w, &rest, block);
        const struct node *projected = component->kind == NODE_OR
                                           ? block_eliminate(w, component, block, inside)
                                           : conjunction_eliminate(w, component, block, inside);
        if (projected->kind == NODE_FALSE)
            return projected;
        vec_push(w->arena, &done, projected);
    }
    return node_and(w, done.at, done.count);
}

const struct node *block_eliminate(struct work *w, const struct node *node, uint64_t block,
                                   const struct theory *theory)
{
    node = node_reduce(w, node, theory);
    if (w->broken || !(node->uses & block))
        return node;
    if (node->kind == NODE_OR)
        return disjuncts_eliminate(w, node->at, node->count, block, theory);
    return parts_eliminate(w, node, block, theory);
}
