/* Interned polynomials and products of their irreducible factors. In: polynomials over the work's
   context; out: pointers that are equal if and only if the polynomials are equal up to a constant
   factor. The table is keyed by terms (exponents and coefficients), which are canonical.
   Factorisation is FLINT's; one of a large polynomial is left at its square-free parts, which is as
   sound (nothing relies on irreducibility). */
#include "base/map.h"
#include "constraints/project/work.h"

enum { FACTOR_TERMS = 400 };

static uint64_t polynomial_hash(const struct work *w, const fmpz_mpoly_t p)
{
    ulong exponents[RING_CAPACITY];
    uint64_t hash = HASH_START;
    for (slong i = 0; i < p->length; i++) {
        mpoly_exponents(exponents, p, i, w->ctx);
        hash = hash_bytes(hash, exponents, (size_t)w->variables * sizeof *exponents);
        ulong coefficient = fmpz_fdiv_ui(p->coeffs + i, 0xffffffffffffffc5u);
        hash = hash_bytes(hash, &coefficient, sizeof coefficient);
    }
    return hash;
}

/* The place of p, or the empty one where it belongs. */
static struct polynomial **polynomial_place(struct work *w, const fmpz_mpoly_t p, uint64_t hash)
{
    size_t i = hash & (w->polynomial_capacity - 1);
    while (w->polynomials[i] &&
           (w->polynomials[i]->hash != hash || !fmpz_mpoly_equal(w->polynomials[i]->p, p, w->ctx)))
        i = (i + 1) & (w->polynomial_capacity - 1);
    return w->polynomials + i;
}

static void polynomials_grow(struct work *w)
{
    if (2 * w->polynomial_count < w->polynomial_capacity)
        return;
    struct polynomial **old = w->polynomials;
    size_t capacity = w->polynomial_capacity;
    w->polynomial_capacity = capacity ? 2 * capacity : 128;
    w->polynomials = ARENA_ARRAY(w->arena, struct polynomial *, w->polynomial_capacity);
    for (size_t i = 0; i < capacity; i++)
        if (old[i])
            *polynomial_place(w, old[i]->p, old[i]->hash) = old[i];
}

struct registered {
    struct polynomial polynomial;
    const fmpz_mpoly_ctx_struct *ctx;
};

static void polynomial_clear(void *object)
{
    struct registered *registered = object;
    fmpz_mpoly_clear(registered->polynomial.p, registered->ctx);
    fmpq_clear(registered->polynomial.threshold);
}

static struct polynomial *polynomial_new(struct work *w)
{
    struct registered *registered = ARENA_NEW(w->arena, struct registered);
    registered->ctx = w->ctx;
    fmpz_mpoly_init(registered->polynomial.p, w->ctx);
    fmpq_init(registered->polynomial.threshold);
    arena_on_free(w->arena, polynomial_clear, registered);
    return &registered->polynomial;
}

static int variable_of(const struct work *w, const struct polynomial *p)
{
    if (p->p->length != 1 || mpoly_total_degree(p->p, w->ctx) != 1)
        return -1;
    int v = 0;
    while (!(p->uses >> v & 1))
        v++;
    return v;
}

/* p = content * shape + constant, hence p > 0 where shape > -constant / content; the content is
   positive since the leading coefficient is. */
static void polynomial_shape(struct work *w, struct polynomial *polynomial)
{
    polynomial->shape = polynomial;
    fmpz_t constant, content;
    fmpq_t threshold;
    fmpz_mpoly_t rest;
    fmpq_init(threshold);
    fmpz_init(constant);
    fmpz_init(content);
    fmpz_mpoly_init(rest, w->ctx);
    const ulong zeros[RING_CAPACITY] = {0};
    fmpz_mpoly_get_coeff_fmpz_ui(constant, polynomial->p, zeros, w->ctx);
    if (!fmpz_is_zero(constant)) {
        int sign;
        fmpz_mpoly_sub_fmpz(rest, polynomial->p, constant, w->ctx);
        _fmpz_vec_content(content, rest->coeffs, rest->length);
        polynomial->shape = polynomial_intern(w, rest, &sign);
        fmpz_neg(constant, constant);
        fmpq_set_fmpz_frac(threshold, constant, content);
        fmpq_swap(polynomial->threshold, threshold);
    }
    fmpq_clear(threshold);
    fmpz_clear(constant);
    fmpz_clear(content);
    fmpz_mpoly_clear(rest, w->ctx);
    polynomial->variable = variable_of(w, polynomial->shape);
}

/* All exponents are even and all coefficients positive: 1, and 2 with a constant term; else 0. */
static int definite(const struct work *w, const fmpz_mpoly_t p)
{
    ulong exponents[RING_CAPACITY];
    bool constant = false;
    for (slong i = 0; i < p->length; i++) {
        mpoly_exponents(exponents, p, i, w->ctx);
        constant = true;
        for (int v = 0; v < w->variables; v++) {
            if (exponents[v] & 1)
                return 0;
            constant &= !exponents[v];
        }
        if (fmpz_sgn(p->coeffs + i) < 0)
            return 0;
    }
    return constant ? 2 : 1;
}

static struct polynomial *polynomial_add(struct work *w, const fmpz_mpoly_t p, uint64_t hash)
{
    struct polynomial *polynomial = polynomial_new(w);
    int used[RING_CAPACITY];
    fmpz_mpoly_set(polynomial->p, p, w->ctx);
    polynomial->hash = hash;
    polynomial->id = w->polynomial_count++;
    mpoly_used(used, p, w->ctx);
    for (int v = 0; v < w->variables; v++)
        polynomial->uses |= (uint64_t)(used[v] != 0) << v;
    polynomial->definite = definite(w, p);
    *polynomial_place(w, p, hash) = polynomial;
    polynomial_shape(w, polynomial);
    return polynomial;
}

static void primitive(struct work *w, fmpz_mpoly_t result, const fmpz_mpoly_t p)
{
    fmpz_t content;
    fmpz_init(content);
    _fmpz_vec_content(content, p->coeffs, p->length);
    if (fmpz_sgn(p->coeffs) < 0)
        fmpz_neg(content, content);
    fmpz_mpoly_scalar_divexact_fmpz(result, p, content, w->ctx);
    fmpz_clear(content);
}

struct polynomial *polynomial_intern(struct work *w, const fmpz_mpoly_t p, int *sign)
{
    polynomials_grow(w);
    fmpz_mpoly_t form;
    fmpz_mpoly_init(form, w->ctx);
    *sign = fmpz_sgn(p->coeffs);
    primitive(w, form, p);
    uint64_t hash = polynomial_hash(w, form);
    struct polynomial *found = *polynomial_place(w, form, hash);
    if (!found)
        found = polynomial_add(w, form, hash);
    fmpz_mpoly_clear(form, w->ctx);
    return found;
}

/* --- products -------------------------------------------------------------------------------- */

struct product product_one(void)
{
    return (struct product){.sign = 1};
}

static void product_insert(struct work *w, struct product *product, const struct polynomial *factor,
                           unsigned multiplicity)
{
    size_t i = 0;
    while (i < product->at.count && product->at.at[i]->id < factor->id)
        i++;
    if (i < product->at.count && product->at.at[i] == factor) {
        unsigned sum = product->multiplicity.at[i] + multiplicity;
        product->multiplicity.at[i] = 2 - (sum & 1);
        return;
    }
    vec_push(w->arena, &product->at, factor);
    vec_push(w->arena, &product->multiplicity, 2 - (multiplicity & 1));
    for (size_t j = product->at.count - 1; j > i; j--) {
        product->at.at[j] = product->at.at[j - 1];
        product->multiplicity.at[j] = product->multiplicity.at[j - 1];
    }
    product->at.at[i] = factor;
    product->multiplicity.at[i] = 2 - (multiplicity & 1);
}

/* The leading coefficients of p and of its factors are positive, hence so is the constant between
   them. */
static const struct product *factorise(struct work *w, struct polynomial *p)
{
    struct product *factors = ARENA_NEW(w->arena, struct product);
    *factors = product_one();
    p->factors = factors;
    fmpz_mpoly_factor_t list;
    fmpz_mpoly_factor_init(list, w->ctx);
    work_charge(w, (uint64_t)p->p->length * 4);
    bool done = p->p->length <= FACTOR_TERMS ? fmpz_mpoly_factor(list, p->p, w->ctx)
                                             : fmpz_mpoly_factor_squarefree(list, p->p, w->ctx);
    bool whole = !done || (list->num == 1 && fmpz_is_one(list->exp));
    if (whole)
        product_insert(w, factors, p, 1);
    for (slong i = 0; !whole && i < list->num; i++) {
        int sign;
        struct polynomial *factor = polynomial_intern(w, list->poly + i, &sign);
        product_insert(w, factors, factor, (unsigned)fmpz_get_ui(list->exp + i));
        if (factor->factors)
            continue;
        struct product *own = ARENA_NEW(w->arena, struct product);
        *own = product_one();
        product_insert(w, own, factor, 1);
        factor->factors = own;
    }
    fmpz_mpoly_factor_clear(list, w->ctx);
    return factors;
}

struct product product_copy(struct work *w, const struct product *product)
{
    struct product copy = {.sign = product->sign};
    for (size_t i = 0; i < product->at.count; i++) {
        vec_push(w->arena, &copy.at, product->at.at[i]);
        vec_push(w->arena, &copy.multiplicity, product->multiplicity.at[i]);
    }
    return copy;
}

void product_multiply_factor(struct work *w, struct product *product,
                             const struct polynomial *factor)
{
    product_insert(w, product, factor, 1);
}

void product_multiply(struct work *w, struct product *product, const fmpz_mpoly_t p)
{
    if (fmpz_mpoly_is_zero(p, w->ctx) || fmpz_mpoly_is_fmpz(p, w->ctx)) {
        product->sign *= p->length ? fmpz_sgn(p->coeffs) : 0;
        return;
    }
    int sign;
    struct polynomial *polynomial = polynomial_intern(w, p, &sign);
    const struct product *factors =
        polynomial->factors ? polynomial->factors : factorise(w, polynomial);
    product->sign *= sign;
    for (size_t i = 0; i < factors->at.count; i++)
        product_insert(w, product, factors->at.at[i], factors->multiplicity.at[i]);
}
