/* Facts in one variable. In: a state; for each variable, its own facts and bounds cut the line into
   cells, and the cells where all of them hold are exactly its possible values as far as they can
   tell. Out: a contradiction if no cell is left, bounds from the outermost cells, or rational
   sample points of the cells. A bound at an irrational root is the end of its interval and learned
   only where there was none, so that learning comes to an end. */
#include "constraints/front/question.h"
#include "constraints/front/univariate.h"

struct condition {
    enum fact_relation relation;
    const uint64_t *origins;
};

/* The facts in one variable alone, bounds included. */
struct profile {
    fmpz_poly_struct *polynomials;
    struct condition *conditions;
    size_t count;
    bool curved;        /* some degree is above one */
    struct line *line;
    bool *open;         /* by cell: all conditions hold */
    size_t cells, left; /* number of cells; of those that are open */
};

static void polynomial_clear(void *object)
{
    fmpz_poly_clear(object);
}

static fmpz_poly_struct *condition_add(struct question *q, struct profile *profile,
                                       enum fact_relation relation, const uint64_t *origins)
{
    fmpz_poly_struct *p = &profile->polynomials[profile->count];
    fmpz_poly_init(p);
    arena_on_free(q->arena, polynomial_clear, p);
    profile->conditions[profile->count++] = (struct condition){relation, origins};
    return p;
}

static void bound_condition(struct question *q, struct profile *profile, const struct bound *bound,
                            bool upper)
{
    fmpz_poly_struct *p =
        condition_add(q, profile, bound->strict ? FACT_GT : FACT_GE, bound->origins);
    fmpz_poly_set_coeff_fmpz(p, 1, fmpq_denref(bound->value));
    fmpz_poly_set_coeff_fmpz(p, 0, fmpq_numref(bound->value));
    fmpz_poly_neg(p, p);
    fmpz_poly_set_coeff_fmpz(p, 1, fmpq_denref(bound->value));
    if (upper)
        fmpz_poly_neg(p, p);
}

/* The cost of isolation grows with the square of the degrees at least. */
static bool profile_judge(struct question *q, struct profile *profile)
{
    slong degrees = 0;
    for (size_t i = 0; i < profile->count; i++)
        degrees += fmpz_poly_degree(&profile->polynomials[i]);
    if (!question_charge(q, (uint64_t)(degrees * degrees)))
        return false;
    profile->line = line_new(q->arena, profile->polynomials, profile->count);
    profile->cells = 2 * profile->line->count + 1;
    profile->open = ARENA_ARRAY(q->arena, bool, profile->cells);
    for (size_t cell = 0; cell < profile->cells; cell++) {
        bool holds = true;
        for (size_t i = 0; holds && i < profile->count; i++) {
            int sign = line_sign(profile->line, &profile->polynomials[i], cell);
            switch (profile->conditions[i].relation) {
            case FACT_EQ: holds = sign == 0; break;
            case FACT_NE: holds = sign != 0; break;
            case FACT_GE: holds = sign >= 0; break;
            case FACT_GT: holds = sign > 0; break;
            }
        }
        profile->open[cell] = holds;
        profile->left += holds;
    }
    return true;
}

static void profile_make(struct question *q, const struct state *state, int v,
                         struct profile *profile)
{
    *profile = (struct profile){0};
    profile->polynomials = ARENA_ARRAY(q->arena, fmpz_poly_struct, state->count + 2);
    profile->conditions = ARENA_ARRAY(q->arena, struct condition, state->count + 2);
    for (size_t i = 0; i < state->count; i++) {
        const struct fact *fact = state->facts[i];
        if (fact->variables != 1ull << v)
            continue;
        fmpz_poly_struct *p = condition_add(q, profile, fact->relation, fact->origins);
        for (slong t = 0; t < fact->p->length; t++)
            fmpz_poly_set_coeff_fmpz(p, fmpz_mpoly_get_term_var_exp_si(fact->p, t, v, q->ctx),
                                     fact->p->coeffs + t);
        profile->curved |= fmpz_poly_degree(p) > 1;
    }
    if (state->lo[v])
        bound_condition(q, profile, state->lo[v], false);
    if (state->hi[v])
        bound_condition(q, profile, state->hi[v], true);
}

static const uint64_t *profile_origins(struct question *q, const struct profile *profile)
{
    const uint64_t *origins = ARENA_ARRAY(q->arena, uint64_t, q->words);
    for (size_t i = 0; i < profile->count; i++)
        origins = origins_union(q, origins, profile->conditions[i].origins);
    return origins;
}

/* The end of the outermost open cell as a bound. */
static bool bound_learn(struct question *q, struct state *state, int v,
                        const struct profile *profile, bool upper)
{
    size_t cell = upper ? profile->cells - 1 : 0;
    while (!profile->open[cell])
        cell += upper ? (size_t)-1 : 1;
    const struct bound *known = upper ? state->hi[v] : state->lo[v];
    if (cell == (upper ? profile->cells - 1 : 0))
        return true;
    const struct root *root = &profile->line->roots[cell % 2 ? cell / 2
                                                    : upper  ? cell / 2
                                                             : cell / 2 - 1];
    if (known && !root->rational)
        return true;
    fmpq *value = rational_new(q);
    fmpq_set(value, upper ? &root->hi : &root->lo);
    bool strict = cell % 2 == 0 || !root->rational;
    return state_bound(q, state, v, upper,
                       (struct bound){value, strict, profile_origins(q, profile)});
}

enum verdict state_univariate(struct question *q, struct state *state)
{
    for (int v = 0; v < q->variables && !q->broken; v++) {
        struct profile profile;
        if (state->gone[v])
            continue;
        profile_make(q, state, v, &profile);
        if (!profile.curved || !profile_judge(q, &profile))
            continue;
        if (!profile.left) {
            q->conflict = profile_origins(q, &profile);
            return SAS_EMPTY;
        }
        if (!bound_learn(q, state, v, &profile, false) || !bound_learn(q, state, v, &profile, true))
            return SAS_EMPTY;
    }
    return SAS_UNKNOWN;
}

/* Further values of an open cell beyond its first sample, at growing distance; those outside are
   dropped. */
static size_t samples_more(const struct profile *profile, size_t cell, fmpq *values, size_t count,
                           size_t limit)
{
    static const slong halves[] = {2, -2, 1, -1, 4, -4, 10, -10, 60, 2000};
    fmpq_t first, value, half;
    fmpq_init(first);
    fmpq_init(value);
    fmpq_init(half);
    line_sample(profile->line, cell, first);
    const struct root *below = cell ? &profile->line->roots[cell / 2 - 1] : NULL;
    const struct root *above =
        cell / 2 < profile->line->count ? &profile->line->roots[cell / 2] : NULL;
    for (size_t i = 0; i < sizeof halves / sizeof *halves && count < limit; i++) {
        fmpq_set_si(half, halves[i], 2);
        fmpq_add(value, first, half);
        if ((!below || fmpq_cmp(value, &below->hi) > 0) &&
            (!above || fmpq_cmp(value, &above->lo) < 0))
            fmpq_set(values + count++, value);
    }
    fmpq_clear(first);
    fmpq_clear(value);
    fmpq_clear(half);
    return count;
}

size_t variable_samples(struct question *q, const struct state *state, int variable, fmpq *values,
                        size_t limit)
{
    struct profile profile;
    size_t count = 0;
    profile_make(q, state, variable, &profile);
    if (!profile_judge(q, &profile))
        return 0;
    for (size_t cell = 0; cell < profile.cells && count < limit; cell++)
        if (profile.open[cell] && line_sample(profile.line, cell, values + count))
            count++;
    for (size_t cell = 0; cell < profile.cells; cell += 2)
        if (profile.open[cell])
            count = samples_more(&profile, cell, values, count, limit);
    if (profile.left && !count)
        question_doubt(q, "only irrational values of a variable are left to try");
    return count;
}
