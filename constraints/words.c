/* Polynomials at integer points in machine words.

   In:  a polynomial and a point. Out: the value of its primitive integer polynomial, if no step of the calculation leaves 64
   bits. The terms are unpacked once per polynomial and kept in the arena of its ring: searches evaluate the same few
   polynomials at thousands of points, for which FLINT's general evaluation sets up all variables of the ring each time.
   Invariant: a value given is the exact one; false says nothing about the polynomial, the exact way must be taken then. */
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

static struct word_term term_unpack(struct arena *arena, int64_t coefficient, const ulong *exponents)
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
    struct arena *arena = p->ring->arena;
    const fmpz_mpoly_ctx_struct *ctx = p->ring->ctx->zctx;
    struct poly_words *words = ARENA_NEW(arena, struct poly_words);
    words->count = (size_t)fmpz_mpoly_length(p->value->zpoly, ctx);
    words->terms = ARENA_ARRAY(arena, struct word_term, words->count + 1);
    words->fits = true;
    fmpz_t coefficient;
    fmpz_init(coefficient);
    for (size_t i = 0; i < words->count && words->fits; i++) {
        ulong exponents[RING_CAPACITY];
        fmpz_mpoly_get_term_coeff_fmpz(coefficient, p->value->zpoly, (slong)i, ctx);
        fmpz_mpoly_get_term_exp_ui(exponents, p->value->zpoly, (slong)i, ctx);
        words->fits = fmpz_fits_si(coefficient);
        words->terms[i] = term_unpack(arena, words->fits ? fmpz_get_si(coefficient) : 0, exponents);
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

bool poly_primitive_value(const struct poly *p, const int64_t *point, int64_t *value)
{
    if (!p->words)
        ((struct poly *)p)->words = words_unpack(p);
    *value = 0;
    for (size_t i = 0; p->words->fits && i < p->words->count; i++) {
        int64_t term;
        if (!term_value(&p->words->terms[i], point, &term) || __builtin_add_overflow(*value, term, value))
            return false;
    }
    return p->words->fits;
}
