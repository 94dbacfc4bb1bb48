/* Minimal disjunctions, by the solver. In: conjunctions D1 or D2 or ...; out: an equivalent subset
   of them with a subset of their atoms. From the last to the first: a disjunct goes if the others
   cover it; an atom goes if without it its disjunct reaches nothing new. Each question is a formula
   that should have no solution; one that stays undecided within its budget changes nothing, and the
   budget of all together is limited too. */
#include "constraints/project/normal.h"

enum { QUESTION_STEPS = 20 * 1000 };

/* Is the node false wherever the context holds? */
static bool impossible(struct normal *n, const struct node *node)
{
    node = node_reduce(n->w, node, n->theory);
    if (node->kind == NODE_TRUE || node->kind == NODE_FALSE || n->w->broken || !n->solver_steps)
        return node->kind == NODE_FALSE;
    uint64_t steps = n->solver_steps < QUESTION_STEPS ? n->solver_steps : QUESTION_STEPS;
    struct arena *scratch = arena_new();
    struct solver *solver =
        solver_new(scratch, n->w->ring, &(struct solver_options){.steps = steps});
    const struct formula *f = node_formula(n->w, scratch, node);
    struct sas sas;
    solver_assert_all(solver, n->context);
    if (formula_is_sas(scratch, n->w->ring, f, &sas))
        solver_assert_all(solver, sas);
    else
        solver_assert_formula(solver, f);
    bool empty = solver_check(solver) == SAS_EMPTY;
    uint64_t used = solver_statistics(solver).steps + 1;
    n->solver_steps -= used < n->solver_steps ? used : n->solver_steps;
    arena_free(scratch);
    return empty;
}

/* None of the disjuncts but number i holds. */
static const struct node *none_other(struct normal *n, size_t i)
{
    node_list list = {0};
    for (size_t j = 0; j < n->disjuncts.count; j++)
        if (j != i)
            vec_push(n->w->arena, &list, node_not(n->w, n->disjuncts.at[j]));
    return node_and(n->w, list.at, list.count);
}

static void disjuncts_drop(struct normal *n)
{
    for (size_t i = n->disjuncts.count; i-- > 0;)
        if (impossible(n, n->disjuncts.at[i]) ||
            (n->disjuncts.count > 1 &&
             impossible(n, node_and2(n->w, n->disjuncts.at[i], none_other(n, i)))))
            disjunct_remove(n, i);
}

static void atoms_drop(struct normal *n, size_t i)
{
    const struct node *disjunct = n->disjuncts.at[i], *const *at;
    const struct node *others = none_other(n, i);
    node_list kept = {0};
    size_t count = node_conjuncts(&disjunct, &at);
    for (size_t k = 0; k < count; k++)
        vec_push(n->w->arena, &kept, at[k]);
    for (size_t k = count; k-- > 0 && !n->w->broken;) {
        const struct node *atom = kept.at[k];
        kept.at[k] = n->w->truth;
        const struct node *wider = node_and(n->w, kept.at, kept.count);
        const struct node *gained =
            node_and2(n->w, node_and2(n->w, wider, node_not(n->w, atom)), others);
        if (!impossible(n, gained))
            kept.at[k] = atom;
    }
    n->disjuncts.at[i] = node_and(n->w, kept.at, kept.count);
}

void disjuncts_minimise(struct normal *n)
{
    disjuncts_drop(n);
    for (size_t i = n->disjuncts.count; i-- > 0;)
        atoms_drop(n, i);
    if (n->disjuncts.count > 1)
        disjuncts_drop(n);
}
