/* The system of constraints on a path of the search.

   In: a quintuple, whose steps are the constraints above the initial system. Out: whether any point
   comes there. The solver follows the search: what two paths share stays asserted, so that a
   question costs what is new about its path. A path takes in the auxiliary integers of a value
   together with what is known of them. */
#include "optimizer/search_path.h"

static bool constraint_same(struct constraint a, struct constraint b)
{
    return a.relation == b.relation && (a.poly == b.poly || poly_equal(a.poly, b.poly));
}

/* Brings the solver to the path: what both share stays asserted, the rest is popped and pushed. */
static void solver_follow(struct search *search, const struct quintuple *q)
{
    size_t same = 0;
    while (same < search->asserted.count && same < q->n_steps &&
           constraint_same(search->asserted.at[same], q->steps[same].constraint))
        same++;
    while (search->asserted.count > same) {
        solver_pop(search->solver);
        (void)vec_pop(&search->asserted);
    }
    for (size_t i = same; i < q->n_steps; i++) {
        solver_push(search->solver);
        solver_assert(search->solver, q->steps[i].constraint);
        vec_push(search->arena, &search->asserted, q->steps[i].constraint);
    }
}

bool quintuple_is_empty(struct search *search, struct quintuple *q)
{
    if (q->checked)
        return false;
    solver_follow(search, q);
    enum verdict verdict = solver_check(search->solver);
    q->checked = verdict != SAS_EMPTY;
    if (verdict == SAS_UNKNOWN) {
        q->unknown = true;
        search->result.n_unknown++;
    }
    return verdict == SAS_EMPTY;
}

void quintuple_step(struct search *search, struct quintuple *q, struct step step)
{
    quintuple_add(search->arena, q, step);
    q->checked = false;
}

/* A fact stands once in a system. */
static void fact_add(struct search *search, struct quintuple *q, struct constraint fact,
                     int counter)
{
    for (size_t i = 0; i < q->n_steps; i++)
        if (q->steps[i].kind == STEP_FACT && constraint_same(q->steps[i].constraint, fact))
            return;
    quintuple_step(search, q, (struct step){fact, STEP_FACT, counter});
}

void slots_take(struct search *search, struct quintuple *q, struct slots slots, int counter)
{
    int before = q->slots.count;
    q->slots = slots;
    for (int i = before; i < slots.count; i++) {
        struct sas facts = slots_auxiliary(search->space, search->space->ring, slots, i)->facts;
        for (size_t k = 0; k < facts.count; k++)
            fact_add(search, q, facts.at[k], counter);
    }
}

const struct counter_value *value_here(const struct search *search, const struct quintuple *q,
                                       const struct counter_value *value)
{
    struct slots slots = q->slots;
    return value_bind(search->space, value, &slots, 0);
}
