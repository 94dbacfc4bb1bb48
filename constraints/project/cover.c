/* What test points do not reach: the coverings. In: a conjunction with variables of the block in higher degrees; out: an
   equivalent node without them. Where no free variable is left the question is whether there is a solution at all, which
   is the solver's; else the coverings survey the space of the free variables. Their steps are taken from the work's. */
#include "constraints/cover/cover.h"
#include "constraints/project/work.h"

/* The solver's or the coverings' part of what is left. */
static uint64_t allowance(const struct work *w)
{
    return w->steps / 2;
}

static void account(struct work *w, uint64_t used, const char *reason)
{
    w->steps -= used < w->steps ? used : w->steps;
    if (reason)
        work_break(w, reason);
}

const struct node *covering_decide(struct work *w, const struct node *node)
{
    struct arena *scratch = arena_new();
    uint64_t steps = allowance(w);
    struct solver *solver = solver_new(scratch, w->ring, &(struct solver_options){.steps = steps});
    solver_assert_formula(solver, node_formula(w, scratch, node));
    enum verdict verdict = solver_check(solver);
    account(w, solver_statistics(solver).steps, NULL);
    arena_free(scratch);
    return verdict == SAS_NONEMPTY ? w->truth : verdict == SAS_EMPTY ? w->falsity : NULL;
}

/* The variables in Brown's order, those that are free first; *free of them. */
static const int *order_make(struct work *w, struct arena *scratch, const struct formula *f, uint64_t block, size_t *levels,
                             size_t *free)
{
    const int *all = engine_order(scratch, w->ring, &f, 1, levels);
    int *order = ARENA_ARRAY(scratch, int, *levels + 1);
    size_t count = 0;
    for (int bound = 0; bound < 2; bound++) {
        for (size_t i = 0; i < *levels; i++)
            if ((block >> w->local_variable[all[i]] & 1) == (uint64_t)bound)
                order[count++] = all[i];
        *free = bound ? *free : count;
    }
    return order;
}

const struct node *covering_eliminate(struct work *w, const struct node *node, uint64_t block, const struct theory *theory)
{
    struct arena *scratch = arena_new();
    struct engine *engine = engine_new(scratch, w->ring);
    const struct formula *matrix = node_formula(w, scratch, node);
    size_t levels, free = 0;
    const int *order = order_make(w, scratch, matrix, block, &levels, &free);
    char *quantifiers = ARENA_ARRAY(scratch, char, levels + 1);
    for (size_t i = 0; i < levels; i++)
        quantifiers[i] = 'e';
    struct budget budget = {.left = allowance(w)};
    uint64_t before = budget.left;
    const struct formula *f = engine_eliminate(engine, scratch, matrix, order, quantifiers, levels, free, &budget);
    account(w, before - budget.left, f ? NULL : budget.reason ? budget.reason : "the coverings found no formula");
    const struct node *result = f ? formula_node(w, f, theory) : node;
    arena_free(scratch);
    return result;
}
