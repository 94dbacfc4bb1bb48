/* Which variable goes next, and how. In: a conjunction that cannot be split, with some variables of
   the block; out: the cheapest step. Solving an equation with a leading coefficient known not to
   vanish, and dropping bounds on one side only, cost next to nothing; pairs of bounds keep a
   conjunction; equations of degree two and disjunctions multiplied out stand before test points.
   What makes equations or degrees smaller goes before whatever makes them larger. */
#include "constraints/project/plan.h"

enum {
    COST_SOLVED = 1,
    COST_PAIRS = 40,
    COST_LINEAR = 100,
    COST_QUADRATIC = 300,
    COST_DISTRIBUTE = 400,
    COST_POINTS = 500,
    COST_SQUARES = 300,
    COST_LOWER = 200,
    DISTRIBUTE_LIMIT = 96
};

static void plan_offer(struct plan *plan, struct plan offer)
{
    if (plan->method == METHOD_NONE || offer.cost < plan->cost)
        *plan = offer;
}

const struct theory *theory_beside(struct work *w, const struct node *node, int x,
                                   const struct theory *theory)
{
    struct theory *beside = theory_copy(w, theory);
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at);
    for (size_t i = 0; i < count; i++)
        if (at[i]->kind == NODE_ATOM && !(at[i]->uses >> x & 1))
            theory_add(w, beside, at[i]);
    return beside;
}

bool leads(struct work *w, const struct polynomial *f, int x, unsigned degree,
           const struct theory *theory)
{
    fmpz_mpoly_t coefficient;
    fmpz_mpoly_init(coefficient, w->ctx);
    work_coefficient(w, coefficient, f->p, x, degree);
    struct product product = product_one();
    product_multiply(w, &product, coefficient);
    fmpz_mpoly_clear(coefficient, w->ctx);
    return !(theory_product_signs(w, theory, &product) & SIGN_ZERO);
}

static bool is_equation(const struct node *node, int x)
{
    return node->kind == NODE_ATOM && node->signs == SIGN_ZERO && node->uses >> x & 1;
}

static void plan_divisions(struct work *w, struct plan *plan, const struct node *node,
                           const struct node *equation, int x, bool leading)
{
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at);
    for (size_t i = 0; i < count; i++) {
        size_t cost = is_equation(at[i], x)
                          ? divide_cost(w, equation->factors[0], at[i]->factors[0], x, leading)
                          : 0;
        if (cost)
            plan_offer(plan, (struct plan){METHOD_DIVIDE, x, equation, at[i], cost});
    }
}

/* A root of degree two doubles the degrees of what it is put into. */
static void plan_equations(struct work *w, struct plan *plan, const struct node *node, int x,
                           const struct theory *theory)
{
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at), burden = degrees_of(w, node, x).burden;
    for (size_t i = 0; i < count; i++) {
        if (!is_equation(at[i], x))
            continue;
        const struct polynomial *f = at[i]->factors[0];
        unsigned degree = work_degree(w, f->p, x);
        size_t length = (size_t)f->p->length;
        bool leading = leads(w, f, x, degree, theory);
        if (degree == 1)
            plan_offer(plan, (struct plan){METHOD_EQUATION, x, at[i], NULL,
                                           (leading ? COST_SOLVED : COST_LINEAR) + length});
        else if (degree == 2)
            plan_offer(plan, (struct plan){METHOD_EQUATION, x, at[i], NULL,
                                           COST_QUADRATIC + length + 40 * (burden - degree)});
        plan_divisions(w, plan, node, at[i], x, leading);
    }
}

/* How many conjunctions the node is when multiplied out; at most DISTRIBUTE_LIMIT + 1. */
static size_t conjunctions(const struct node *node)
{
    size_t count = node->kind == NODE_OR ? 0 : node->kind != NODE_FALSE;
    for (size_t i = 0; i < node->count && node->kind != NODE_ATOM && count <= DISTRIBUTE_LIMIT; i++)
        count = node->kind == NODE_OR ? count + conjunctions(node->at[i])
                                      : count * conjunctions(node->at[i]);
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

static void plan_variable(struct work *w, struct plan *plan, const struct node *node, int x,
                          const struct theory *theory)
{
    const struct theory *beside = theory_beside(w, node, x, theory);
    size_t pairs;
    plan_equations(w, plan, node, x, beside);
    if (pairs_applicable(w, node, x, beside, &pairs))
        plan_offer(plan, (struct plan){METHOD_PAIRS, x, NULL, NULL,
                                       pairs ? COST_PAIRS + pairs : COST_SOLVED});
    struct degrees d = degrees_of(w, node, x);
    size_t points = COST_POINTS + 20 * d.burden + (d.highest == 2 ? COST_SQUARES : 0);
    if (d.highest <= 2)
        plan_offer(plan, (struct plan){METHOD_POINTS, x, NULL, NULL, points});
    if (d.common > 1 && !d.entangled)
        plan_offer(plan, (struct plan){METHOD_LOWER, x, NULL, NULL, COST_LOWER});
}

struct plan plan_make(struct work *w, const struct node *node, uint64_t block,
                      const struct theory *theory)
{
    struct plan plan = {0};
    for (int x = 0; x < w->variables; x++)
        if (block & node->uses & (uint64_t)1 << x)
            plan_variable(w, &plan, node, x, theory);
    const struct node *disjunction = disjunction_of(node, block);
    if (disjunction && conjunctions(node) <= DISTRIBUTE_LIMIT)
        plan_offer(&plan, (struct plan){METHOD_DISTRIBUTE, -1, disjunction, NULL, COST_DISTRIBUTE});
    return plan;
}

const struct node *conjunction_without(struct work *w, const struct node *node,
                                       const struct node *conjunct)
{
    node_list list = {0};
    const struct node *const *at;
    size_t count = node_conjuncts(&node, &at);
    for (size_t i = 0; i < count; i++)
        if (at[i] != conjunct)
            vec_push(w->arena, &list, at[i]);
    return node_and(w, list.at, list.count);
}
