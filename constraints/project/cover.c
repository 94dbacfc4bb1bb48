/* What test points do not reach: the coverings. In: a conjunction with variables of the block in
   higher degrees, or a whole formula on which the elimination of one variable after another has
   failed, its quantifiers pulled to the front; out: an equivalent node without them. Where no free
   variable is left the question is whether there is a solution at all, which is the solver's; else
   the coverings survey the space of the free variables. Their steps are taken from the work's. */
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

/* Levels for the engine: the free variables, then a prefix of quantified ones. */
struct prefix {
    int *order;
    char *quantifiers;
    size_t levels, free;
};

/* Variables of f in Brown's order, those of `bound` (bit set of ring variables) apart. */
static void free_first(struct work *w, struct arena *scratch, const struct formula *f,
                       uint64_t bound, struct prefix *prefix)
{
    size_t count;
    const int *all = engine_order(scratch, w->ring, &f, 1, &count);
    prefix->order = ARENA_ARRAY(scratch, int, RING_CAPACITY);
    prefix->quantifiers = ARENA_ARRAY(scratch, char, RING_CAPACITY);
    for (size_t i = 0; i < count; i++)
        if (!(bound >> all[i] & 1))
            prefix->order[prefix->levels++] = all[i];
    prefix->free = prefix->levels;
}

/* Appends those of `block` in Brown's order. */
static void block_append(struct work *w, struct arena *scratch, const struct formula *f,
                         uint64_t block, char quantifier, struct prefix *prefix)
{
    size_t count;
    const int *all = engine_order(scratch, w->ring, &f, 1, &count);
    for (size_t i = 0; i < count; i++) {
        if (!(block >> all[i] & 1))
            continue;
        prefix->order[prefix->levels] = all[i];
        prefix->quantifiers[prefix->levels++] = quantifier;
    }
}

/* NULL, and the work is broken, if undecided. */
static const struct node *matrix_eliminate(struct work *w, struct arena *scratch,
                                           const struct formula *matrix,
                                           const struct prefix *prefix, const struct theory *theory)
{
    struct budget budget = {.left = allowance(w)};
    uint64_t before = budget.left;
    const struct formula *f =
        engine_eliminate(engine_new(scratch, w->ring), scratch, matrix, prefix->order,
                         prefix->quantifiers, prefix->levels, prefix->free, &budget);
    account(w, before - budget.left,
            f               ? NULL
            : budget.reason ? budget.reason
                            : "the coverings found no formula");
    return f ? formula_node(w, f, theory) : NULL;
}

const struct node *covering_eliminate(struct work *w, const struct node *node, uint64_t block,
                                      const struct theory *theory)
{
    struct arena *scratch = arena_new();
    const struct formula *matrix = node_formula(w, scratch, node);
    struct prefix prefix = {0};
    uint64_t bound = 0;
    for (int v = 0; v < w->variables; v++)
        bound |= block >> v & 1 ? (uint64_t)1 << w->ring_variable[v] : 0;
    free_first(w, scratch, matrix, bound, &prefix);
    block_append(w, scratch, matrix, bound, 'e', &prefix);
    const struct node *result = matrix_eliminate(w, scratch, matrix, &prefix, theory);
    arena_free(scratch);
    return result ? result : node;
}

/* --- whole formulas -------------------------------------------------------------------------- */

/* The quantifiers of a formula pulled to the front. */
struct pulling {
    struct arena *arena;
    VEC(enum formula_kind) kinds;    /* by block, from outside */
    VEC(uint64_t) sets;              /* its variables */
    uint64_t bound;
    bool clash;                      /* a name is bound twice */
};

/* f, in negation normal form, without its quantifiers. */
static const struct formula *pull(struct pulling *p, const struct formula *f)
{
    if (f->kind == FORMULA_EXISTS || f->kind == FORMULA_FORALL) {
        uint64_t variable = (uint64_t)1 << f->variable;
        p->clash |= (p->bound & variable) != 0;
        p->bound |= variable;
        if (!p->kinds.count || vec_last(&p->kinds) != f->kind) {
            vec_push(p->arena, &p->kinds, f->kind);
            vec_push(p->arena, &p->sets, 0);
        }
        vec_last(&p->sets) |= variable;
        return pull(p, f->at[0]);
    }
    if (f->kind != FORMULA_AND && f->kind != FORMULA_OR)
        return f;
    VEC(const struct formula *) list = {0};
    for (size_t i = 0; i < f->count; i++)
        vec_push(p->arena, &list, pull(p, f->at[i]));
    return f->kind == FORMULA_AND ? formula_and(p->arena, list.at, list.count)
                                  : formula_or(p->arena, list.at, list.count);
}

/* A variable that is bound in one place must not be free in another: then the matrix would mix them
   up. */
static bool bound_free(const struct formula *f, uint64_t bound)
{
    for (int v = 0; v < RING_CAPACITY; v++)
        if (bound >> v & 1 && formula_uses(f, v))
            return true;
    return false;
}

const struct node *covering_prenex(struct work *w, const struct formula *f,
                                   const struct theory *theory)
{
    struct arena *scratch = arena_new();
    struct pulling p = {.arena = scratch};
    struct prefix prefix = {0};
    const struct node *result = NULL;
    const struct formula *matrix = pull(&p, formula_nnf(scratch, f, false));
    if (!p.clash && !bound_free(f, p.bound)) {
        free_first(w, scratch, matrix, p.bound, &prefix);
        for (size_t i = 0; i < p.kinds.count; i++)
            block_append(w, scratch, matrix, p.sets.at[i],
                         p.kinds.at[i] == FORMULA_EXISTS ? 'e' : 'a', &prefix);
        result = matrix_eliminate(w, scratch, matrix, &prefix, theory);
    }
    arena_free(scratch);
    return result;
}
