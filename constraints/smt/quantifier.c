/* Quantifiers of an assertion after translation. In: a formula with quantifiers; out: one in which
   the existential ones that stand under no universal one are gone (their variables are free from
   now on, of this assertion alone), and in which the values of a division by zero that may be
   chosen are quantified innermost where their argument is. Equal subformulas stay equal: a variable
   freed in one copy means the same in the others. Integer variables that stay under a quantifier
   are beyond the solver: the whole assertion is left out then, and the session remembers. */
#include "constraints/smt/translate.h"

struct settling {
    struct translation *t;
    struct map *done[2];       /* node to result, by whether it stands outermost */
};

static const struct formula *settle(struct settling *s, const struct formula *f, bool outermost);

static const struct formula *settle_operands(struct settling *s, const struct formula *f,
                                             bool outermost)
{
    struct arena *arena = s->t->session->arena;
    const struct formula **at = ARENA_ARRAY(s->t->scratch, const struct formula *, f->count);
    for (size_t i = 0; i < f->count; i++)
        at[i] = settle(s, f->at[i], outermost);
    return f->kind == FORMULA_AND ? formula_and(arena, at, f->count)
                                  : formula_or(arena, at, f->count);
}

/* Quantifies the choices that f contains and whose argument depends on `variable`. */
static const struct formula *choose(struct settling *s, const struct formula *f, int variable)
{
    for (size_t i = 0; i < s->t->choices.count; i++) {
        const struct choice *choice = &s->t->choices.at[i];
        if (poly_uses(choice->argument, variable))
            f = formula_exists(s->t->session->arena, choice->variable, f);
    }
    return f;
}

static const struct formula *settle_quantifier(struct settling *s, const struct formula *f,
                                               bool outermost)
{
    struct translation *t = s->t;
    bool exists = f->kind == FORMULA_EXISTS;
    const struct formula *body = settle(s, f->at[0], outermost && exists);
    if (outermost && exists) {
        t->scope_of[f->variable] = 0;
        return body;
    }
    if (t->session->roles[f->variable].integer)
        t->integers_bound = true;
    body = choose(s, body, f->variable);
    return exists ? formula_exists(t->session->arena, f->variable, body)
                  : formula_forall(t->session->arena, f->variable, body);
}

static const struct formula *settle(struct settling *s, const struct formula *f, bool outermost)
{
    const struct formula *result = map_get_pointer(s->done[outermost], f);
    if (result)
        return result;
    switch (f->kind) {
    case FORMULA_AND:
    case FORMULA_OR: result = settle_operands(s, f, outermost); break;
    case FORMULA_EXISTS:
    case FORMULA_FORALL: result = settle_quantifier(s, f, outermost); break;
    default: result = f;
    }
    map_put_pointer(s->done[outermost], f, (void *)result);
    return result;
}

const struct formula *translation_settle(struct translation *t, const struct formula *f)
{
    struct settling s = {.t = t, .done = {map_new(t->scratch), map_new(t->scratch)}};
    const struct formula *settled = f;
    if (formula_quantified(f))
        settled = settle(&s, formula_nnf(t->session->arena, f, false), true);
    for (size_t i = 0; i < t->choices.count; i++)
        if (formula_uses(settled, t->choices.at[i].variable))
            t->scope_of[t->choices.at[i].variable] = 0;
    return t->integers_bound ? formula_true() : settled;
}
