/* Which variable goes next, and how. In: a conjunction that cannot be split, with some variables of the block; out: the
   cheapest step. Solving an equation with a leading coefficient known not to vanish, and dropping bounds on one side only,
   cost next to nothing; pairs of bounds keep a conjunction; equations of degree two and disjunctions multiplied out stand
   before test points; what lowers degrees comes last. */
#include "constraints/project/plan.h"

enum { COST_SOLVED = 1, COST_PAIRS = 40, COST_LINEAR = 100, COST_QUADRATIC = 300, COST_DISTRIBUTE = 400, COST_POINTS = 500,
       COST_SQUARES = 300, COST_LOWER = 2000, DISTRIBUTE_LIMIT = 96 };

static void plan_offer(struct plan *plan, enum method method, int x, const struct node *chosen, size_t cost)
{
    if (plan->method == METHOD_NONE || cost < plan->cost)
        *plan = (struct plan){method, x, chosen, cost};
}

const struct theory *theory_beside(struct work *w, const struct node *node, int x, const struct theory *theory)
{
    struct theory *beside = theory_copy(w, theory);
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at);
    for (size_t i = 0; i < count; i++)
        if (at[i]->kind == NODE_ATOM && !(at[i]->uses >> x & 1))
            theory_add(w, beside, at[i]);
    return beside;
}

/* Is the coefficient of x^degree known not to vanish? */
static bool leads(struct work *w, const struct polynomial *f, int x, unsigned degree, const struct theory *theory)
{
    fmpz_mpoly_t coefficient;
    fmpz_mpoly_init(coefficient, w->ctx);
    work_coefficient(w, coefficient, f->p, x, degree);
    struct product product = product_one();
    product_multiply(w, &product, coefficient);
    fmpz_mpoly_clear(coefficient, w->ctx);
    return !(theory_product_signs(w, theory, &product) & SIGN_ZERO);
}

static void plan_equations(struct work *w, struct plan *plan, const struct node *node, int x, const struct theory *theory)
{
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at);
    for (size_t i = 0; i < count; i++) {
        if (at[i]->kind != NODE_ATOM || at[i]->signs != SIGN_ZERO || !(at[i]->uses >> x & 1))
            continue;
        const struct polynomial *f = at[i]->factors[0];
        unsigned degree = work_degree(w, f->p, x);
        size_t length = (size_t)f->p->length;
        if (degree == 1)
            plan_offer(plan, METHOD_EQUATION, x, at[i], (leads(w, f, x, 1, theory) ? COST_SOLVED : COST_LINEAR) + length);
        else if (degree == 2)
            plan_offer(plan, METHOD_EQUATION, x, at[i], COST_QUADRATIC + length);
    }
}

/* How many conjunctions the node is when multiplied out; at most DISTRIBUTE_LIMIT + 1. */
static size_t conjunctions(const struct node *node)
{
    size_t count = node->kind == NODE_OR ? 0 : node->kind != NODE_FALSE;
    for (size_t i = 0; i < node->count && node->kind != NODE_ATOM && count <= DISTRIBUTE_LIMIT; i++)
        count = node->kind == NODE_OR ? count + conjunctions(node->at[i]) : count * conjunctions(node->at[i]);
    return count > DISTRIBUTE_LIMIT ? DISTRIBUTE_LIMIT + 1 : count;
}

/* The shortest disjunction with a variable of the block. */
static const struct node *disjunction_of(const struct node *node, uint64_t block)
{
    const struct node *const *at, *best = NULL;
    size_t count = node_conjuncts(&node, &at);
    for (size_t i = 0; i < count; i++)
        if (at[i]->kind == NODE_OR && at[i]->uses & block && (!best || at[i]->count < best->count))
            best = at[i];
    return best;
}

static void plan_variable(struct work *w, struct plan *plan, const struct node *node, int x, const struct theory *theory)
{
    const struct theory *beside = theory_beside(w, node, x, theory);
    size_t pairs;
    plan_equations(w, plan, node, x, beside);
    if (pairs_applicable(w, node, x, beside, &pairs))
        plan_offer(plan, METHOD_PAIRS, x, NULL, pairs ? COST_PAIRS + pairs : COST_SOLVED);
    struct degrees d = degrees_of(w, node, x);
    if (d.highest <= 2)
        plan_offer(plan, METHOD_POINTS, x, NULL, COST_POINTS + 10 * d.atoms + (d.highest == 2 ? COST_SQUARES : 0));
    else if (d.common > 1 && !d.entangled)
        plan_offer(plan, METHOD_LOWER, x, NULL, COST_LOWER);
}

struct plan plan_make(struct work *w, const struct node *node, uint64_t block, const struct theory *theory)
{
    struct plan plan = {0};
    for (int x = 0; x < w->variables; x++)
        if (block & node->uses & (uint64_t)1 << x)
            plan_variable(w, &plan, node, x, theory);
    const struct node *disjunction = disjunction_of(node, block);
    if (disjunction && conjunctions(node) <= DISTRIBUTE_LIMIT)
        plan_offer(&plan, METHOD_DISTRIBUTE, -1, disjunction, COST_DISTRIBUTE);
    return plan;
}
