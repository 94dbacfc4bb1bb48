/* Division, total as the standard has it. x / 0, x div 0 and x mod 0 are values of three
   unspecified functions of x: each argument gets a variable for its value, and equal arguments get
   equal values (Ackermann's reduction). Such an argument under a quantifier that it depends on
   would need a function: there the value may be chosen anew at each point (translation.choices),
   which allows more than the standard does; a session that is `strong` takes one constant for all,
   which allows less. The integer quotients are integer variables with their defining formula. */
#include "constraints/guard.h"
#include "constraints/smt/translate.h"

static struct ring *the_ring(const struct translation *t)
{
    return t->session->ring;
}

/* Strong sessions: the one value of the function. */
static const struct poly *zero_constant(struct translation *t, enum zero_function function)
{
    int *variable = &t->session->zero_constant[function];
    if (*variable < 0)
        *variable = translation_variable(t, function != ZERO_DIVIDE, 0);
    return *variable < 0 ? NULL : poly_variable(the_ring(t), *variable);
}

static const struct poly *zero_choice(struct translation *t, enum zero_function function,
                                      const struct poly *argument, size_t scope)
{
    for (size_t i = 0; i < t->choices.count; i++)
        if (t->choices.at[i].function == function &&
            poly_equal(t->choices.at[i].argument, argument))
            return poly_variable(the_ring(t), t->choices.at[i].variable);
    int variable = translation_variable(t, false, scope);
    if (variable < 0)
        return NULL;
    vec_push(t->scratch, &t->choices, ((struct choice){function, argument, variable}));
    return poly_variable(the_ring(t), variable);
}

/* function(argument) */
static const struct poly *zero_value(struct translation *t, enum zero_function function,
                                     const struct poly *argument)
{
    struct session *session = t->session;
    if (session->strong)
        return zero_constant(t, function);
    size_t scope = translation_scope(t, argument);
    if (scope)
        return zero_choice(t, function, argument, scope);
    for (size_t i = 0; i < session->zeros.count; i++)
        if (session->zeros.at[i].function == function &&
            poly_equal(session->zeros.at[i].argument, argument))
            return poly_variable(session->ring, session->zeros.at[i].variable);
    int variable = translation_variable(t, function != ZERO_DIVIDE, 0);
    if (variable < 0)
        return NULL;
    vec_push(session->arena, &session->zeros, ((struct zero){function, argument, variable}));
    return poly_variable(session->ring, variable);
}

const struct fraction *translation_divide(struct translation *t, const struct fraction *a,
                                          const struct fraction *b)
{
    struct arena *arena = t->session->arena;
    const struct poly *at_zero = poly_integer(the_ring(t), 0);
    if (fraction_may_vanish(b)) {
        const struct poly *argument = translation_poly(t, a);
        at_zero = argument ? zero_value(t, ZERO_DIVIDE, argument) : NULL;
        if (!at_zero)
            return NULL;
        a = fraction_poly(arena, argument);
    }
    const struct fraction *quotient = fraction_div(arena, a, b, at_zero);
    if (quotient)
        return quotient;
    const struct poly *p = translation_poly(t, a), *q = p ? translation_poly(t, b) : NULL;
    return q ? fraction_div(arena, fraction_poly(arena, p), fraction_poly(arena, q), at_zero)
             : NULL;
}

/* The variable that is the floor of p (q NULL) or p div q, with its definition in this
   assertion. */
static const struct poly *integer_part(struct translation *t, const struct poly *p,
                                       const struct poly *q)
{
    struct session *session = t->session;
    size_t scope = translation_scope(t, p), other = q ? translation_scope(t, q) : 0;
    scope = other > scope ? other : scope;
    int variable = -1;
    for (size_t i = 0; i < session->parts.count && variable < 0; i++) {
        const struct integer_part *part = &session->parts.at[i];
        if (!part->q == !q && poly_equal(part->p, p) && (!q || poly_equal(part->q, q)))
            variable = part->variable;
    }
    if (variable < 0 || scope) {
        variable = translation_variable(t, true, scope);
        if (variable < 0)
            return NULL;
        if (!scope)
            vec_push(session->arena, &session->parts, ((struct integer_part){p, q, variable}));
    }
    struct arena *arena = session->arena;
    translation_define(t, scope, variable,
                       q ? guard_div(arena, variable, p, q) : guard_floor(arena, variable, p));
    return poly_variable(session->ring, variable);
}

const struct fraction *translation_floor(struct translation *t, const struct fraction *a)
{
    const struct poly *p = translation_poly(t, a), *part = p ? integer_part(t, p, NULL) : NULL;
    return part ? fraction_poly(t->session->arena, part) : NULL;
}

/* By cases: q = 0, or the quotient or remainder. */
const struct fraction *translation_div_mod(struct translation *t, const struct fraction *a,
                                           const struct fraction *b, bool mod)
{
    struct arena *arena = t->session->arena;
    const struct poly *p = translation_poly(t, a), *q = p ? translation_poly(t, b) : NULL;
    if (!q)
        return NULL;
    const struct fraction *divisor = fraction_poly(arena, q);
    const struct poly *at_zero = poly_integer(the_ring(t), 0);
    if (fraction_may_vanish(divisor))
        at_zero = zero_value(t, mod ? ZERO_MOD : ZERO_DIV, p);
    if (!at_zero)
        return NULL;
    if (poly_is_zero(q))
        return fraction_poly(arena, at_zero);
    const struct poly *part = integer_part(t, p, q);
    if (!part)
        return NULL;
    const struct fraction *value =
        fraction_poly(arena, mod ? poly_sub(p, poly_mul(q, part)) : part);
    if (poly_is_constant(q))
        return value;
    const struct formula *is_zero = formula_atom(arena, (struct constraint){q, RELATION_EQ});
    return fraction_ite(arena, is_zero, fraction_poly(arena, at_zero), value);
}

/* f, and equal values for equal arguments; pairs of different functions or of arguments that are
   never equal say nothing. */
static const struct formula *agree(struct arena *arena, const struct formula *f,
                                   const struct zero *a, const struct zero *b)
{
    const struct poly *difference = poly_sub(a->argument, b->argument);
    if (a->function != b->function || (poly_is_constant(difference) && !poly_is_zero(difference)))
        return f;
    struct ring *ring = poly_ring(difference);
    const struct constraint arguments = {difference, RELATION_EQ};
    const struct constraint values = constraint_make(poly_variable(ring, a->variable), RELATION_EQ,
                                                     poly_variable(ring, b->variable));
    const struct formula *agreement =
        formula_implies(arena, formula_atom(arena, arguments), formula_atom(arena, values));
    return formula_and(arena, (const struct formula *[]){f, agreement}, 2);
}

/* The pairs of which f uses one value, until nothing is new: arguments may be values themselves. */
const struct formula *translation_consistency(struct translation *t, const struct formula *f)
{
    const struct session *session = t->session;
    const struct zero *at = session->zeros.at;
    size_t count = session->zeros.count;
    bool *used = ARENA_ARRAY(t->scratch, bool, count), grown = count > 0;
    while (grown) {
        grown = false;
        for (size_t i = 0; i < count; i++) {
            if (used[i] || !formula_uses(f, at[i].variable))
                continue;
            used[i] = grown = true;
            for (size_t j = 0; j < count; j++)
                if (j != i && !used[j])
                    f = agree(session->arena, f, &at[i], &at[j]);
        }
    }
    return f;
}
