/* Points. Values for the variables that are left come from their bounds (simple ones) or from
   another method; then the trail is walked back from the newest step to the oldest, each giving its
   variable a value. In: a state; out: question.point, rational values by local variable. Without
   facts any values within the bounds will do. The solver verifies the point against the assertions
   before it shows it. */
#include "constraints/front/question.h"
#include <assert.h>

/* The integer of least absolute value between the bounds; false if there is none. */
static bool integer_between(fmpz_t value, const fmpq *lo, bool lo_strict, const fmpq *hi,
                            bool hi_strict)
{
    fmpz_t least, most;
    fmpz_init(least);
    fmpz_init(most);
    if (lo) {
        fmpz_cdiv_q(least, fmpq_numref(lo), fmpq_denref(lo));
        if (lo_strict && fmpz_is_one(fmpq_denref(lo)))
            fmpz_add_ui(least, least, 1);
    }
    if (hi) {
        fmpz_fdiv_q(most, fmpq_numref(hi), fmpq_denref(hi));
        if (hi_strict && fmpz_is_one(fmpq_denref(hi)))
            fmpz_sub_ui(most, most, 1);
    }
    fmpz_zero(value);
    if (lo && fmpz_sgn(least) > 0)
        fmpz_set(value, least);
    else if (hi && fmpz_sgn(most) < 0)
        fmpz_set(value, most);
    bool found = (!lo || fmpz_cmp(value, least) >= 0) && (!hi || fmpz_cmp(value, most) <= 0);
    fmpz_clear(least);
    fmpz_clear(most);
    return found;
}

/* The simplest rational of the middle half of [lo, hi]. */
static void fraction_between(fmpq_t value, const fmpq *lo, const fmpq *hi)
{
    fmpq_t width, left, right;
    fmpq_init(width);
    fmpq_init(left);
    fmpq_init(right);
    fmpq_sub(width, hi, lo);
    fmpq_div_2exp(width, width, 2);
    fmpq_add(left, lo, width);
    fmpq_sub(right, hi, width);
    fmpq_simplest_between(value, left, right);
    fmpq_clear(width);
    fmpq_clear(left);
    fmpq_clear(right);
}

bool rational_between(fmpq_t value, const fmpq *lo, bool lo_strict, const fmpq *hi, bool hi_strict)
{
    fmpz_t integer;
    fmpz_init(integer);
    bool found = integer_between(integer, lo, lo_strict, hi, hi_strict);
    if (found)
        fmpq_set_fmpz(value, integer);
    fmpz_clear(integer);
    if (found)
        return true;
    int order = fmpq_cmp(lo, hi);
    if (order > 0 || (order == 0 && (lo_strict || hi_strict)))
        return false;
    if (order == 0)
        fmpq_set(value, lo);
    else
        fraction_between(value, lo, hi);
    return true;
}

/* The tightest of the limits on one side at the point; false if there is none. */
static bool limits_value(struct question *q, const struct step *step, bool upper, fmpq_t best,
                         bool *strict)
{
    bool found = false;
    fmpq_t value, divisor;
    fmpq_init(value);
    fmpq_init(divisor);
    for (size_t i = 0; i < step->count; i++) {
        const struct limit *limit = &step->limits[i];
        if (limit->upper != upper)
            continue;
        mpoly_value(q, value, limit->h, q->point);
        mpoly_value(q, divisor, limit->g, q->point);
        assert(fmpq_sgn(divisor) > 0);
        fmpq_div(value, value, divisor);
        int order = found ? fmpq_cmp(value, best) * (upper ? -1 : 1) : 1;
        if (order < 0 || (order == 0 && !limit->strict))
            continue;
        *strict = limit->strict;
        fmpq_set(best, value);
        found = true;
    }
    fmpq_clear(value);
    fmpq_clear(divisor);
    return found;
}

static bool step_value(struct question *q, const struct step *step)
{
    fmpq *value = q->point + step->variable;
    fmpq_t lo, hi;
    fmpq_init(lo);
    fmpq_init(hi);
    bool done = true, lo_strict = false, hi_strict = false;
    if (step->numerator) {
        mpoly_value(q, lo, step->numerator, q->point);
        mpoly_value(q, hi, step->denominator, q->point);
        assert(fmpq_sgn(hi) > 0);
        fmpq_div(value, lo, hi);
    } else {
        bool below = limits_value(q, step, false, lo, &lo_strict),
             above = limits_value(q, step, true, hi, &hi_strict);
        done = rational_between(value, below ? lo : NULL, lo_strict, above ? hi : NULL, hi_strict);
    }
    fmpq_clear(lo);
    fmpq_clear(hi);
    return done;
}

bool point_start(struct question *q, const struct state *state)
{
    q->point = rationals_new(q, (size_t)q->variables);
    for (int v = 0; v < q->variables; v++) {
        const struct bound *lo = state->lo[v], *hi = state->hi[v];
        if (!state->gone[v] &&
            !rational_between(q->point + v, lo ? lo->value : NULL, lo && lo->strict,
                              hi ? hi->value : NULL, hi && hi->strict))
            return false;
    }
    return true;
}

bool point_holds(struct question *q, const struct state *state)
{
    bool holds = true;
    fmpq_t value;
    fmpq_init(value);
    for (size_t i = 0; holds && i < state->count; i++) {
        mpoly_value(q, value, state->facts[i]->p, q->point);
        int sign = fmpq_sgn(value);
        switch (state->facts[i]->relation) {
        case FACT_EQ: holds = sign == 0; break;
        case FACT_NE: holds = sign != 0; break;
        case FACT_GE: holds = sign >= 0; break;
        case FACT_GT: holds = sign > 0; break;
        }
    }
    fmpq_clear(value);
    return holds;
}

bool point_extend(struct question *q, const struct state *state)
{
    for (const struct step *step = state->trail; step; step = step->older)
        if (!step_value(q, step))
            return false;
    return true;
}
