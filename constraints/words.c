/* Polynomials at integer points in machine words.

   In:  a polynomial and a point. Out: the value of its primitive integer polynomial, if no step of
   the calculation leaves 64 bits. The terms are unpacked once per polynomial and kept in the
   polynomial's own arena, so that those of a solver's question go with the question: searches
   evaluate the same few polynomials at thousands of points, for which FLINT's general evaluation
   sets up all variables of the ring each time. The exponents serve rational points too, whose
   values have any size. Invariant: a value given is the exact one; false says nothing about the
   polynomial, the exact way must be taken then. */
#include "constraints/ring.h"

struct word_power {
    int variable;
    unsigned exponent;
};

struct word_term {
    int64_t coefficient;
    size_t n_powers;
    struct word_power *powers;
};

struct poly_words {
    bool fits;                       /* every coefficient is a word */
    size_t count;
    struct word_term *terms;
};

static struct word_term term_unpack(struct arena *arena, int64_t coefficient,
                                    const ulong *exponents)
{
    struct word_term term = {coefficient, 0, NULL};
    for (int v = 0; v < RING_CAPACITY; v++)
        term.n_powers += exponents[v] > 0;
    term.powers = ARENA_ARRAY(arena, struct word_power, term.n_powers + 1);
    size_t n = 0;
    for (int v = 0; v < RING_CAPACITY; v++)
        if (exponents[v] > 0)
            term.powers[n++] = (struct word_power){v, (unsigned)exponents[v]};
    return term;
}

static const struct poly_words *words_unpack(const struct poly *p)
{
    struct arena *arena = p->arena;
    const fmpz_mpoly_ctx_struct *ctx = p->ring->ctx->zctx;
    struct poly_words *words = ARENA_NEW(arena, struct poly_words);
    words->count = (size_t)fmpz_mpoly_length(p->value->zpoly, ctx);
    words->terms = ARENA_ARRAY(arena, struct word_term, words->count + 1);
    words->fits = true;
    fmpz_t coefficient;
    fmpz_init(coefficient);
    for (size_t i = 0; i < words->count; i++) {
        ulong exponents[RING_CAPACITY];
        fmpz_mpoly_get_term_coeff_fmpz(coefficient, p->value->zpoly, (slong)i, ctx);
        mpoly_exponents(exponents, p->value->zpoly, (slong)i, ctx);
        bool fits = fmpz_fits_si(coefficient);
        words->fits &= fits;
        words->terms[i] = term_unpack(arena, fits ? fmpz_get_si(coefficient) : 0, exponents);
    }
    fmpz_clear(coefficient);
    return words;
}

static bool term_value(const struct word_term *term, const int64_t *point, int64_t *value)
{
    *value = term->coefficient;
    for (size_t i = 0; i < term->n_powers; i++)
        for (unsigned k = 0; k < term->powers[i].exponent; k++)
            if (__builtin_mul_overflow(*value, point[term->powers[i].variable], value))
                return false;
    return true;
}

static const struct poly_words *words_of(const struct poly *p)
{
    if (!p->words)
        ((struct poly *)p)->words = words_unpack(p);
    return p->words;
}

bool poly_primitive_value(const struct poly *p, const int64_t *point, int64_t *value)
{
    const struct poly_words *words = words_of(p);
    *value = 0;
    for (size_t i = 0; words->fits && i < words->count; i++) {
        int64_t term;
        if (!term_value(&words->terms[i], point, &term) ||
            __builtin_add_overflow(*value, term, value))
            return false;
    }
    return words->fits;
}

void poly_primitive_rational(fmpq_t value, const struct poly *p, const fmpq *point)
{
    const struct poly_words *words = words_of(p);
    fmpq_t term;
    fmpq_init(term);
    fmpq_zero(value);
    for (size_t i = 0; i < words->count; i++) {
        const struct word_term *from = &words->terms[i];
        bool is_zero = false;
        fmpq_set_fmpz(term, p->value->zpoly->coeffs + i);
        for (size_t k = 0; k < from->n_powers && !is_zero; k++) {
            const fmpq *x = point + from->powers[k].variable;
            is_zero = fmpq_is_zero(x);
            for (unsigned e = 0; e < from->powers[k].exponent && !is_zero; e++)
                fmpq_mul(term, term, x);
        }
        if (!is_zero)
            fmpq_add(value, value, term);
    }
    fmpq_clear(term);
}
