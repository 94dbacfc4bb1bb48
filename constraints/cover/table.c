/* Interned polynomials and what is derived from them. In: polynomials over one FLINT context; out:
   numbers. Two polynomials that differ by a constant have one number, so that caches by number lose
   nothing; what needs the sign of the constant (atoms) asks for it when the polynomial is interned.
   A table only grows; its arena is freed as a whole (engine.c). Work is taken from the budget of
   the question at hand before it is done: by sizes, never by time. */
#include "constraints/cover/table.h"
#include "base/map.h"
#include "base/vec.h"
#include "constraints/real/subresultant.h"
#include <stdlib.h>
#include <string.h>

enum { DERIVED_REDUCTUM = 1 << 16, DERIVED_DERIVATIVE };

/* Something computed from p and q with respect to a variable: the k-th subresultant coefficient or
   a kind above. */
struct derived {
    int p, q, variable;
    unsigned kind;
    int result;
    bool used;
};

static void table_clear(void *object)
{
    struct table *table = object;
    for (size_t i = 0; i < table->count; i++)
        fmpz_mpoly_clear(table->at[i]->value, table->ctx);
}

struct table *table_new(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx)
{
    struct table *table = ARENA_NEW(arena, struct table);
    table->arena = arena;
    table->ctx = ctx;
    table->slot_count = 256;
    table->slots = ARENA_ARRAY(arena, int, table->slot_count);
    table->derived_capacity = 256;
    table->derived = ARENA_ARRAY(arena, struct derived, table->derived_capacity);
    arena_on_free(arena, table_clear, table);
    return table;
}

size_t table_size(const struct table *table)
{
    return arena_size(table->arena) + table->words * sizeof(ulong);
}

/* --- interning ------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Fills what is read off the terms: hash, variables, degree. */
static void terms_scan(const struct table *table, struct polynomial *p)
{
    ulong exponents[RING_CAPACITY];
    slong variables = fmpz_mpoly_ctx_nvars(table->ctx);
    p->terms = (size_t)p->value->length;
    p->hash = HASH_START;
    for (slong i = 0; i < p->value->length; i++) {
        unsigned degree = 0;
        mpoly_exponents(exponents, p->value, i, table->ctx);
        for (slong v = 0; v < variables; v++) {
            p->hash = mix(p->hash, exponents[v]);
            p->variables |= exponents[v] ? (uint64_t)1 << v : 0;
            degree += (unsigned)exponents[v];
        }
        p->degree = degree > p->degree ? degree : p->degree;
        p->hash = mix(p->hash, fmpz_fdiv_ui(p->value->coeffs + i, 4294967291u));
    }
}

static void slots_grow(struct table *table)
{
    table->slot_count *= 2;
    table->slots = ARENA_ARRAY(table->arena, int, table->slot_count);
    for (size_t i = 0; i < table->count; i++) {
        size_t s = table->at[i]->hash % table->slot_count;
        while (table->slots[s])
            s = (s + 1) % table->slot_count;
        table->slots[s] = (int)i + 1;
    }
}

/* Divides p by its content, the leading coefficient's sign included; that sign. */
static int make_primitive(fmpz_mpoly_t p)
{
    int sign = fmpz_sgn(p->coeffs);
    fmpz_t content;
    fmpz_init(content);
    _fmpz_vec_content(content, p->coeffs, p->length);
    if (sign < 0)
        fmpz_neg(content, content);
    if (!fmpz_is_one(content))
        _fmpz_vec_scalar_divexact_fmpz(p->coeffs, p->coeffs, p->length, content);
    fmpz_clear(content);
    return sign;
}

static size_t words_of(const struct table *table, const fmpz_mpoly_t p)
{
    size_t words = (size_t)p->length * (size_t)(1 + fmpz_mpoly_ctx_nvars(table->ctx) / 8);
    for (slong i = 0; i < p->length; i++)
        words += COEFF_IS_MPZ(p->coeffs[i]) ? 2 + (size_t)fmpz_size(p->coeffs + i) : 0;
    return words;
}

int table_intern(struct table *table, fmpz_mpoly_t p, int *sign)
{
    if (!p->length || fmpz_mpoly_is_fmpz(p, table->ctx)) {
        if (sign)
            *sign = p->length ? fmpz_sgn(p->coeffs) : 0;
        return p->length ? POLYNOMIAL_ONE : POLYNOMIAL_ZERO;
    }
    int taken = make_primitive(p);
    if (sign)
        *sign = taken;
    struct polynomial candidate = {0};
    *candidate.value = *p;
    terms_scan(table, &candidate);
    size_t s = candidate.hash % table->slot_count;
    for (; table->slots[s]; s = (s + 1) % table->slot_count) {
        struct polynomial *other = table->at[table->slots[s] - 1];
        if (other->hash == candidate.hash && fmpz_mpoly_equal(other->value, p, table->ctx))
            return table->slots[s] - 1;
    }
    struct polynomial *made = ARENA_NEW(table->arena, struct polynomial);
    *made = candidate;
    fmpz_mpoly_init(made->value, table->ctx);
    fmpz_mpoly_set(made->value, p, table->ctx);
    table->words += words_of(table, p);
    table->slots[s] = (int)table->count + 1;
    table->at =
        vec_reserve(table->arena, table->at, table->count, &table->capacity, sizeof *table->at);
    table->at[table->count++] = made;
    if (table->count * 3 > table->slot_count * 2)
        slots_grow(table);
    return (int)table->count - 1;
}

void table_convert(const struct table *table, fmpz_mpoly_t converted, const struct poly *p)
{
    const fmpz_mpoly_ctx_struct *from = p->ring->ctx->zctx;
    ulong exponents[RING_CAPACITY];
    const fmpz_mpoly_struct *source = p->value->zpoly;
    fmpz_mpoly_zero(converted, table->ctx);
    for (slong i = 0; i < source->length; i++) {
        mpoly_exponents(exponents, source, i, from);
        mpoly_push(converted, source->coeffs + i, exponents, table->ctx);
    }
    fmpz_mpoly_sort_terms(converted, table->ctx);
    if (fmpq_sgn(p->value->content) < 0)
        fmpz_mpoly_neg(converted, converted, table->ctx);
}

const struct poly *table_poly(const struct table *table, struct arena *arena, struct ring *ring,
                              int p)
{
    struct poly *made = poly_scratch(arena, ring);
    const fmpz_mpoly_struct *value = table->at[p]->value;
    ulong exponents[RING_CAPACITY] = {0};
    for (slong i = 0; i < value->length; i++) {
        mpoly_exponents(exponents, value, i, table->ctx);
        fmpq_mpoly_push_term_fmpz_ui(made->value, value->coeffs + i, exponents, ring->ctx);
    }
    fmpq_mpoly_sort_terms(made->value, ring->ctx);
    fmpq_mpoly_reduce(made->value, ring->ctx);
    return made;
}

/* --- factors --------------------------------------------------------------------------------- */

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Linear in a variable with a constant coefficient (one term contains it, and nothing else):
   irreducible. */
static bool plainly_irreducible(const struct table *table, const struct polynomial *p)
{
    slong variables = fmpz_mpoly_ctx_nvars(table->ctx);
    uint64_t once = 0, barred = 0;   /* occur alone in a term; in another term */
    ulong exponents[RING_CAPACITY];
    for (slong i = 0; i < p->value->length; i++) {
        uint64_t in = 0;
        unsigned degree = 0;
        mpoly_exponents(exponents, p->value, i, table->ctx);
        for (slong v = 0; v < variables; v++) {
            in |= exponents[v] ? (uint64_t)1 << v : 0;
            degree += (unsigned)exponents[v];
        }
        if (degree == 1)
            once |= in;
        else
            barred |= in;
    }
    return (once & ~barred) != 0;
}

static double bits_of(const fmpz_mpoly_t p)
{
    slong bits = _fmpz_vec_max_bits(p->coeffs, p->length);
    return (double)(bits < 0 ? -bits : bits);
}

/* Work of factoring, in steps: fitted to FLINT's times for polynomials as they occur here. */
static uint64_t factor_steps(const struct polynomial *p)
{
    double degree = p->degree, limbs = 1 + bits_of(p->value) / 64;
    return (uint64_t)(200 + 4 * degree * (double)p->terms + 2 * degree * degree * limbs);
}

static bool factor_fully(struct table *table, int number)
{
    struct polynomial *p = table->at[number];
    if (!budget_take(table->budget, factor_steps(p)))
        return false;
    fmpz_mpoly_factor_t f;
    fmpz_mpoly_factor_init(f, table->ctx);
    bool done = fmpz_mpoly_factor(f, p->value, table->ctx);
    size_t count = 0;
    int *factors = ARENA_ARRAY(table->arena, int, done ? f->num : 0);
    bool single = done && f->num == 1 && fmpz_is_one(f->exp);
    for (slong i = 0; done && i < f->num; i++) {
        int factor = single ? number : table_intern(table, f->poly + i, NULL);
        if (factor < 0)
            continue;
        factors[count++] = factor;
        if (factor != number && !table->at[factor]->factors) {
            int *self = ARENA_NEW(table->arena, int);
            *self = factor;
            table->at[factor]->factors = self;
            table->at[factor]->factor_count = 1;
        }
    }
    fmpz_mpoly_factor_clear(f, table->ctx);
    if (!done) {
        budget_take(table->budget, UINT64_MAX);
        return false;
    }
    qsort(factors, count, sizeof *factors, compare_ints);
    p->factors = factors;
    p->factor_count = count;
    return true;
}

bool table_factor(struct table *table, int p)
{
    struct polynomial *polynomial = table->at[p];
    if (polynomial->factors)
        return true;
    if (!plainly_irreducible(table, polynomial))
        return factor_fully(table, p);
    int *self = ARENA_NEW(table->arena, int);
    *self = p;
    polynomial->factors = self;
    polynomial->factor_count = 1;
    return true;
}

const unsigned *table_exponents(struct table *table, struct arena *arena, int p)
{
    const struct polynomial *polynomial = table->at[p];
    unsigned *exponents = ARENA_ARRAY(arena, unsigned, polynomial->factor_count);
    if (polynomial->factor_count == 1 && polynomial->factors[0] == p) {
        exponents[0] = 1;
        return exponents;
    }
    fmpz_mpoly_t rest, quotient;
    fmpz_mpoly_init(rest, table->ctx);
    fmpz_mpoly_init(quotient, table->ctx);
    fmpz_mpoly_set(rest, polynomial->value, table->ctx);
    for (size_t i = 0; i < polynomial->factor_count; i++)
        while (fmpz_mpoly_divides(quotient, rest, table->at[polynomial->factors[i]]->value,
                                  table->ctx)) {
            fmpz_mpoly_swap(rest, quotient, table->ctx);
            exponents[i]++;
        }
    fmpz_mpoly_clear(quotient, table->ctx);
    fmpz_mpoly_clear(rest, table->ctx);
    return exponents;
}

/* --- coefficients ---------------------------------------------------------------------------- */

bool table_uses(const struct table *table, int p, int variable)
{
    return table->at[p]->variables >> variable & 1;
}

const struct shape *table_shape(struct table *table, int p, int variable)
{
    struct polynomial *polynomial = table->at[p];
    for (const struct shape *s = polynomial->shapes; s; s = s->next)
        if (s->variable == variable)
            return s;
    struct shape *shape = ARENA_NEW(table->arena, struct shape);
    shape->variable = variable;
    shape->degree = (unsigned)mpoly_degree_in(polynomial->value, variable, table->ctx);
    int *at = ARENA_ARRAY(table->arena, int, shape->degree + 1);
    fmpz_mpoly_t coefficient;
    fmpz_mpoly_init(coefficient, table->ctx);
    for (unsigned k = 0; k <= shape->degree; k++) {
        mpoly_take_coefficient(coefficient, polynomial->value, variable, k, table->ctx);
        at[k] = table_intern(table, coefficient, NULL);
    }
    fmpz_mpoly_clear(coefficient, table->ctx);
    shape->at = at;
    shape->next = polynomial->shapes;
    polynomial->shapes = shape;
    return shape;
}

unsigned table_degree(struct table *table, int p, int variable)
{
    if (!table_uses(table, p, variable))
        return 0;
    for (const struct shape *s = table->at[p]->shapes; s; s = s->next)
        if (s->variable == variable)
            return s->degree;
    return (unsigned)mpoly_degree_in(table->at[p]->value, variable, table->ctx);
}

/* --- derived from pairs ---------------------------------------------------------------------- */

static struct derived *derived_slot(const struct table *table, const struct derived *key)
{
    uint64_t hash = mix(mix(mix(HASH_START, (uint64_t)key->p << 32 | (uint32_t)key->q), key->kind),
                        (uint64_t)key->variable);
    size_t mask = table->derived_capacity - 1;   /* a power of two */
    for (size_t s = hash & mask;; s = (s + 1) & mask) {
        struct derived *d = &table->derived[s];
        if (!d->used || (d->p == key->p && d->q == key->q && d->kind == key->kind &&
                         d->variable == key->variable))
            return d;
    }
}

static int derived_put(struct table *table, struct derived key, int result)
{
    if ((table->derived_count + 1) * 3 > table->derived_capacity * 2) {
        struct derived *old = table->derived;
        size_t count = table->derived_capacity;
        table->derived_capacity *= 2;
        table->derived = ARENA_ARRAY(table->arena, struct derived, table->derived_capacity);
        for (size_t i = 0; i < count; i++)
            if (old[i].used)
                *derived_slot(table, &old[i]) = old[i];
    }
    struct derived *slot = derived_slot(table, &key);
    if (!slot->used) {
        *slot = key;
        slot->used = true;
        slot->result = result;
        table->derived_count++;
    }
    return slot->result;
}

int table_reductum(struct table *table, int p, int variable, unsigned degree)
{
    if (table_degree(table, p, variable) <= degree)
        return p;
    struct derived key = {.p = p, .q = (int)degree, .variable = variable, .kind = DERIVED_REDUCTUM};
    struct derived *known = derived_slot(table, &key);
    if (known->used)
        return known->result;
    ulong exponents[RING_CAPACITY];
    const fmpz_mpoly_struct *value = table->at[p]->value;
    fmpz_mpoly_t rest;
    fmpz_mpoly_init(rest, table->ctx);
    for (slong i = 0; i < value->length; i++) {
        mpoly_exponents(exponents, value, i, table->ctx);
        if (exponents[variable] <= degree)
            mpoly_push(rest, value->coeffs + i, exponents, table->ctx);
    }
    int result = table_intern(table, rest, NULL);
    fmpz_mpoly_clear(rest, table->ctx);
    return derived_put(table, key, result);
}

int table_derivative(struct table *table, int p, int variable)
{
    struct derived key = {.p = p, .q = -1, .variable = variable, .kind = DERIVED_DERIVATIVE};
    struct derived *known = derived_slot(table, &key);
    if (known->used)
        return known->result;
    fmpz_mpoly_t derivative;
    fmpz_mpoly_init(derivative, table->ctx);
    fmpz_mpoly_derivative(derivative, table->at[p]->value, variable, table->ctx);
    int result = table_intern(table, derivative, NULL);
    fmpz_mpoly_clear(derivative, table->ctx);
    return derived_put(table, key, result);
}

/* Terms that the resultant may have, at most: by its degrees in the other variables, by its total
   degree, and by the number of products of terms. */
static double resultant_terms(struct table *table, int p, int q, int variable)
{
    const struct polynomial *f = table->at[p], *g = table->at[q];
    double m = table_degree(table, p, variable), n = table_degree(table, q, variable), box = 1,
           simplex = 1, k = 1;
    double total = n * f->degree + m * g->degree - m * n, products = 1;
    uint64_t others = (f->variables | g->variables) & ~((uint64_t)1 << variable);
    for (int v = 0; v < RING_CAPACITY; v++) {
        if (!(others >> v & 1))
            continue;
        box *= 1 + n * table_degree(table, p, v) + m * table_degree(table, q, v);
        simplex *= (total + k) / k;
        k++;
    }
    for (int i = 0; i < n + m && products < box; i++)
        products *= (double)(i < n ? f->terms : g->terms);
    box = products < box ? products : box;
    return box < simplex ? box : simplex;
}

/* Work of a resultant of so many terms, in steps: fitted to FLINT's times. */
static double resultant_steps(struct table *table, int p, int q, int variable, double terms)
{
    double m = table_degree(table, p, variable), n = table_degree(table, q, variable),
           least = m < n ? m : n;
    double bits = n * bits_of(table->at[p]->value) + m * bits_of(table->at[q]->value);
    return 100 + terms * (m + n) + terms * terms * least * least / 32 * (1 + bits / 256);
}

/* The bound of terms is seldom reached, hence a share of the work it means must be left, and what
   was done is taken. */
static bool resultant_affordable(struct table *table, int p, int q, int variable)
{
    double steps =
        resultant_steps(table, p, q, variable, resultant_terms(table, p, q, variable)) / 4;
    return steps < (double)table->budget->left || budget_take(table->budget, UINT64_MAX);
}

static int resultant_make(struct table *table, int p, int q, int variable)
{
    int result = POLYNOMIAL_VOID;
    fmpz_mpoly_t resultant;
    fmpz_mpoly_init(resultant, table->ctx);
    bool done = fmpz_mpoly_resultant(resultant, table->at[p]->value, table->at[q]->value, variable,
                                     table->ctx);
    double steps = resultant_steps(table, p, q, variable, (double)resultant->length);
    if (budget_take(table->budget, done && steps < 1e18 ? (uint64_t)steps : UINT64_MAX))
        result = table_intern(table, resultant, NULL);
    fmpz_mpoly_clear(resultant, table->ctx);
    return result;
}

int table_subresultant(struct table *table, int p, int q, int variable, unsigned k)
{
    struct derived key = {.p = p < q ? p : q, .q = p < q ? q : p, .variable = variable, .kind = k};
    struct derived *known = derived_slot(table, &key);
    if (known->used)
        return known->result;
    if (!resultant_affordable(table, p, q, variable))
        return POLYNOMIAL_VOID;
    if (k == 0) {
        int resultant = resultant_make(table, p, q, variable);
        return resultant == POLYNOMIAL_VOID ? resultant : derived_put(table, key, resultant);
    }
    int result = POLYNOMIAL_VOID;
    struct arena *scratch = arena_new();
    const fmpz_mpoly_struct **chain;
    size_t count = subresultant_principal(scratch, table->ctx, table->at[p]->value,
                                          table->at[q]->value, variable, table->budget, &chain);
    for (size_t j = 1; j < count; j++) {
        struct derived entry = key;
        entry.kind = (unsigned)j;
        int number =
            derived_put(table, entry, table_intern(table, (fmpz_mpoly_struct *)chain[j], NULL));
        result = j == k ? number : result;
    }
    arena_free(scratch);
    return result;
}
