/* Polynomials flattened to machine integers for evaluation at many points: in goes a polynomial
   with integer coefficients, out comes its list of terms; a value that leaves 64 bits is an answer
   of its own. The context evaluates every fact and every question at its pool of points, and the
   library's own evaluation is made for exact rationals. */
#include "ir/access/context.h"

struct flat flat_of(struct arena *arena, const struct poly *p)
{
    struct flat flat = {.n_terms = poly_terms(p)};
    struct flat_term *terms = ARENA_ARRAY(arena, struct flat_term, flat.n_terms + 1);
    flat.terms = terms;
    flat.valid = true;
    for (size_t i = 0; i < flat.n_terms; i++) {
        int64_t d = 1;
        unsigned exponents[RING_CAPACITY] = {0};
        flat.valid &= poly_term(p, i, &terms[i].coefficient, &d, exponents) && d == 1;
        for (int v = 0; v < RING_CAPACITY; v++) {
            if (!exponents[v])
                continue;
            if (terms[i].n_factors == FLAT_FACTORS || exponents[v] > UINT8_MAX) {
                flat.valid = false;
                break;
            }
            terms[i].variables[terms[i].n_factors] = (uint8_t)v;
            terms[i].exponents[terms[i].n_factors++] = (uint8_t)exponents[v];
        }
    }
    return flat;
}

bool flat_evaluate(const struct flat *flat, const int64_t *point, int64_t *value)
{
    int64_t sum = 0;
    bool overflow = !flat->valid;
    for (size_t i = 0; i < flat->n_terms && !overflow; i++) {
        int64_t product = flat->terms[i].coefficient;
        for (int k = 0; k < flat->terms[i].n_factors; k++)
            for (int e = 0; e < flat->terms[i].exponents[k]; e++)
                overflow |= __builtin_mul_overflow(product, point[flat->terms[i].variables[k]],
                                                   &product);
        overflow |= __builtin_add_overflow(sum, product, &sum);
    }
    *value = sum;
    return !overflow;
}
