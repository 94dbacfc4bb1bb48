/* Product proofs: a sum of products of hypotheses that cannot be negative, and somewhere is positive, yet multiplies out
   to zero. The check multiplies out with exact rational numbers and looks at nothing else. The Farkas lemma is the case
   of one factor per term. */
#include "constraints/check/checker.h"

/* What is known of a term while its factors are read. */
struct term {
    const struct poly *product;
    bool positive;     /* > 0 rather than >= 0 */
    bool equation, times;
};

/* The hypothesis' polynomial in the check's ring, whose context is the same. */
static const struct poly *poly_copy(struct checker *checker, const struct poly *p)
{
    struct poly *copy = poly_new(checker->ring);
    fmpq_mpoly_set(copy->value, p->value, p->ring->ctx);
    return copy;
}

static bool factor_multiply(struct checker *checker, struct term *term, const struct text *text)
{
    struct hypothesis h;
    struct constraint atom = {0};
    const struct poly *p;
    bool square = text_begins(text, "square", 1, 1), times = text_begins(text, "times", 1, 1);
    if (square || times)
        p = checker_poly(checker, text->at[1]);
    else if (!hypothesis_read(checker, text, &h))
        return false;
    else
        p = hypothesis_atom(h, &atom) ? poly_copy(checker, atom.poly) : NULL;
    if (!p)
        return checker_refute(checker, text, "the hypothesis is no constraint");
    bool two = square || (!times && atom.relation == RELATION_NE);
    bool negative = !square && !times && (atom.relation == RELATION_LT || atom.relation == RELATION_LE);
    term->product = poly_mul(term->product, negative ? poly_neg(p) : two ? poly_mul(p, p) : p);
    term->positive &= !square && !times && atom.relation != RELATION_LE && atom.relation != RELATION_GE;
    term->equation |= !square && !times && atom.relation == RELATION_EQ;
    term->times |= times;
    return term->product ? checker_step(checker, poly_terms(term->product) + poly_terms(p))
                         : checker_give_up(checker, "a product is beyond the checker's limits");
}

/* Reads a term and adds it to the sum. */
static bool term_add(struct checker *checker, const struct text *text, const struct poly **sum, bool *positive)
{
    if (text->kind != TEXT_LIST || !text->count)
        return checker_refute(checker, text, "a term is a list (RATIONAL FACTOR...)");
    struct term term = {.product = checker_poly(checker, text->at[0]), .positive = true};
    if (!term.product || !poly_is_constant(term.product))
        return checker_refute(checker, text, "a rational number should stand first");
    int sign = fmpq_sgn(term.product->value->content);
    for (size_t i = 1; i < text->count; i++)
        if (!factor_multiply(checker, &term, text->at[i]))
            return false;
    if (!term.equation && (sign <= 0 || term.times))
        return checker_refute(checker, text, "a term without an equation needs a positive coefficient and no (times POLY)");
    *positive |= term.positive && !term.equation;
    *sum = poly_add(*sum, term.product);
    return checker_step(checker, poly_terms(*sum));
}

bool product_check(struct checker *checker, const struct text *proof)
{
    const struct poly *sum = poly_integer(checker->ring, 0);
    bool positive = false;
    for (size_t i = 1; i < proof->count; i++)
        if (!term_add(checker, proof->at[i], &sum, &positive))
            return false;
    if (!poly_is_zero(sum))
        return checker_refute(checker, proof, "the terms sum to %s, not to zero", poly_text(checker->arena, sum));
    return positive || checker_refute(checker, proof, "no term is positive");
}
