/* Quantifier elimination. In: a matrix with free and quantified variables; out: a formula in the
   free ones. The free space is covered by cells on which truth is constant; the signs of a set of
   polynomials are recorded with it. While points of different truth have the same signs, the set
   grows and the space is surveyed again: by the bounds where truth changes, by all polynomials that
   cells depend on, by derivatives (Thom's lemma: a polynomial's root is told from its others by the
   signs of its derivatives). */
#include "base/map.h"
#include "base/vec.h"
#include "constraints/cover/solution.h"

/* One survey of the free space with the signs of these polynomials, in `arena`; the truth, 2 if it
   has both. */
static int survey(struct engine *engine, struct arena *arena,
                  const struct engine_question *question, size_t free, struct set signs,
                  struct search *s)
{
    bool ready = covering_start(s, engine, arena, question);
    s->free = free;
    s->chart = ARENA_NEW(arena, struct chart);
    s->chart->signs = signs;
    s->chart->points = map_new(arena);
    struct outcome outcome = ready ? covering_run(s) : (struct outcome){.truth = -1};
    covering_end(s, false);
    return question->budget->spent ? -1 : outcome.truth;
}

/* The polynomials that the next survey looks at: in turn, those where truth changes, the
   derivatives of what is there, all that cells depend on, and derivatives again. */
static struct set signs_more(struct search *s, struct arena *arena, int round)
{
    const struct chart *chart = s->chart;
    VEC(int) more = {0};
    for (size_t i = 0; i < chart->signs.count; i++)
        vec_push(arena, &more, chart->signs.at[i]);
    for (size_t i = 0; round == 0 && i < chart->bound_count; i++)
        vec_push(arena, &more, chart->bounds[i]);
    for (size_t i = 0; round == 2 && i < chart->member_count; i++)
        vec_push(arena, &more, chart->members[i]);
    for (size_t i = 0; round % 2 && i < chart->signs.count; i++) {
        int p = chart->signs.at[i],
            derivative = table_derivative(s->table, p, s->level[view_level(s, p)].variable);
        if (derivative < 0 || !table_factor(s->table, derivative))
            continue;
        for (size_t k = 0; k < s->table->at[derivative]->factor_count; k++)
            vec_push(arena, &more, s->table->at[derivative]->factors[k]);
    }
    return set_make(arena, more.at, more.count);
}

const struct formula *engine_eliminate(struct engine *engine, struct arena *arena,
                                       const struct formula *matrix, const int *order,
                                       const char *quantifiers, size_t levels, size_t free,
                                       struct budget *budget)
{
    enum { ROUNDS = 6 };
    struct arena *scratch = arena_new();
    char *marks = ARENA_ARRAY(scratch, char, levels + 1);
    for (size_t l = 0; l < levels; l++)
        marks[l] = l < free ? 'f' : quantifiers[l];
    struct engine_question question = {.assertions = &matrix,
                                       .count = 1,
                                       .order = order,
                                       .quantifiers = marks,
                                       .levels = levels,
                                       .budget = budget};
    struct search s;
    struct set signs = {NULL, 0};
    const struct formula *result = NULL;
    for (int round = 0; round < ROUNDS && !result && !budget->spent; round++) {
        int truth = survey(engine, scratch, &question, free, signs, &s);
        if (truth == 0 || truth == 1)
            result = truth ? formula_true() : formula_false();
        else if (truth == 2 && !s.chart->mixed)
            result = solution_formula(&s, arena);
        else if (truth == 2)
            signs = signs_more(&s, scratch, round);
    }
    if (!result && !budget->spent) {
        budget->spent = true;
        budget->reason =
            "signs of projection factors and their derivatives do not describe the projection";
    }
    arena_free(scratch);
    return result;
}
