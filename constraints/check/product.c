/* Product proofs: a sum of products of hypotheses that cannot be negative, and somewhere is
   positive, yet multiplies out to zero. The check multiplies out with exact rational numbers and
   looks at nothing else. The Farkas lemma is the case of one factor per term. */
#include "constraints/check/checker.h"

/* What is known of a term while its factors are read. */
struct term {
    const struct poly *product;
    bool positive, equation, times;   /* positive: > 0 rather than >= 0 */
};

/* Hypotheses are over another ring than the product, whose context is the same: the product stays
   in the check's. */
static bool factor_multiply(struct checker *checker, struct term *term, const struct text *text)
{
    struct hypothesis h;
    struct constraint atom = {.relation = RELATION_GE};
    bool square = text_begins(text, "square", 1, 1), times = text_begins(text, "times", 1, 1);
    if (square || times)
        atom.poly = checker_poly(checker, text->at[1]);
    else if (hypothesis_read(checker, text, &h) && !hypothesis_atom(h, &atom))
        checker_refute(checker, text, "the hypothesis is no constraint");
    if (checker->outcome != CHECK_VERIFIED)
        return false;
    term->product = poly_mul(term->product, atom.poly);
    if (square || atom.relation == RELATION_NE)
        term->product = poly_mul(term->product, atom.poly);
    else if (atom.relation == RELATION_LT || atom.relation == RELATION_LE)
        term->product = term->product ? poly_neg(term->product) : NULL;
    term->positive &= atom.relation != RELATION_LE && atom.relation != RELATION_GE;
    term->equation |= atom.relation == RELATION_EQ;
    term->times |= times;
    return term->product ? checker_step(checker, poly_terms(term->product) + poly_terms(atom.poly))
                         : checker_give_up(checker, "a product is beyond the checker's limits");
}

/* Reads a term and adds it to the sum. */
static bool term_add(struct checker *checker, const struct text *text, const struct poly **sum,
                     bool *positive)
{
    struct term term = {.product = text->count ? checker_poly(checker, text->at[0]) : NULL,
                        .positive = true};
    if (!term.product || !poly_is_constant(term.product))
        return checker_refute(checker, text, "a term is a list (RATIONAL FACTOR...)");
    int sign = fmpq_sgn(term.product->value->content);
    for (size_t i = 1; i < text->count; i++)
        if (!factor_multiply(checker, &term, text->at[i]))
            return false;
    if (!term.equation && (sign <= 0 || term.times))
        return checker_refute(
            checker, text,
            "a term without an equation needs a positive coefficient and no (times POLY)");
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
        return checker_refute(checker, proof, "the terms sum to %s, not to zero",
                              poly_text(checker->arena, sum));
    return positive || checker_refute(checker, proof, "no term is positive");
}
