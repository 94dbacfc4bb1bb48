/* Sample points: coordinates pushed and popped, and polynomials with the rational coordinates put
   in. In: a polynomial over the ring; out: a positive multiple of its value, as a number, a
   polynomial in one free variable, or one in the irrational coordinates and the free variable.
   Powers of numerators and denominators are kept with their coordinate. Invariant: position[v] is
   the coordinate of variable v; the slots above `height` keep their memory for reuse. */
#include "constraints/real/real.h"
#include <assert.h>

static void powers_clear(struct powers *powers)
{
    _arb_vec_clear(powers->at, powers->capacity);
    *powers = (struct powers){0};
}

static void sample_free(void *object)
{
    struct sample *sample = object;
    flint_free(sample->exponents);
    for (int v = 0; v < sample->variables; v++) {
        struct coordinate *c = &sample->at[v];
        fmpq_clear(&c->value);
        _fmpz_vec_clear(c->num, c->capacity);
        _fmpz_vec_clear(c->den, c->capacity);
        powers_clear(&c->low);
        powers_clear(&c->high);
    }
}

struct sample *sample_new(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx,
                          struct budget *budget)
{
    struct sample *sample = ARENA_NEW(arena, struct sample);
    sample->arena = arena;
    sample->g = (struct algebra){ctx, budget};
    sample->variables = (int)fmpz_mpoly_ctx_nvars(ctx);
    sample->at = ARENA_ARRAY(arena, struct coordinate, sample->variables);
    sample->position = ARENA_ARRAY(arena, int, sample->variables);
    sample->use = ARENA_ARRAY(arena, struct coordinate *, sample->variables);
    sample->degrees = ARENA_ARRAY(arena, slong, sample->variables);
    for (int v = 0; v < sample->variables; v++) {
        sample->position[v] = -1;
        fmpq_init(&sample->at[v].value);
    }
    arena_on_free(arena, sample_free, sample);
    return sample;
}

size_t sample_height(const struct sample *sample)
{
    return sample->height;
}

int sample_variable(const struct sample *sample, size_t i)
{
    return sample->at[i].variable;
}

bool sample_assigns(const struct sample *sample, int variable)
{
    return sample->position[variable] >= 0;
}

bool sample_rational(const struct sample *sample)
{
    return sample->algebraic == 0;
}

const fmpq *sample_value(const struct sample *sample, size_t i)
{
    return sample->at[i].root ? NULL : &sample->at[i].value;
}

const struct root *sample_root(const struct sample *sample, size_t i)
{
    return sample->at[i].root;
}

static struct coordinate *push(struct sample *sample, int variable)
{
    struct coordinate *c = &sample->at[sample->height];
    assert(sample->position[variable] < 0);
    sample->position[variable] = (int)sample->height++;
    c->variable = variable;
    c->root = NULL;
    c->count = 0;
    c->low.precision = c->high.precision = 0;
    return c;
}

void sample_push_rational(struct sample *sample, int variable, const fmpq *value)
{
    fmpq_set(&push(sample, variable)->value, value);
}

void sample_push_root(struct sample *sample, const struct root *root)
{
    struct coordinate *c = push(sample, root->batch->variable);
    if (root->rational) {
        fmpq_set(&c->value, &root->value);
        return;
    }
    c->root = (struct root *)root;
    sample->algebraic++;
}

void sample_pop(struct sample *sample)
{
    struct coordinate *c = &sample->at[--sample->height];
    sample->position[c->variable] = -1;
    sample->algebraic -= c->root != NULL;
}

/* Exponents of all terms at once: FLINT's degrees and terms are unpacked field by field, which is
   what costs. */
bool sample_look(struct sample *sample, const fmpz_mpoly_struct *p)
{
    size_t variables = (size_t)sample->variables, room = (size_t)p->length * variables;
    bool irrational = false;
    if (room > sample->capacity) {
        sample->capacity = 2 * room;
        sample->exponents =
            flint_realloc(sample->exponents, sample->capacity * sizeof *sample->exponents);
    }
    for (size_t v = 0; v < variables; v++)
        sample->degrees[v] = p->length > 0 ? 0 : -1;
    for (slong i = 0; i < p->length; i++) {
        ulong *e = sample->exponents + (size_t)i * variables;
        mpoly_exponents(e, p, i, sample->g.ctx);
        for (size_t v = 0; v < variables; v++)
            if ((slong)e[v] > sample->degrees[v])
                sample->degrees[v] = (slong)e[v];
    }
    sample->used = 0;
    for (size_t i = 0; i < sample->height; i++) {
        if (sample->degrees[sample->at[i].variable] <= 0)
            continue;
        sample->use[sample->used++] = &sample->at[i];
        irrational |= sample->at[i].root != NULL;
    }
    return irrational;
}

/* Powers of a rational coordinate up to `degree`. */
static void coordinate_powers(struct coordinate *c, slong degree)
{
    if (degree >= c->capacity) {
        slong capacity = 2 * degree + 4;
        c->num = flint_realloc(c->num, (size_t)capacity * sizeof *c->num);
        c->den = flint_realloc(c->den, (size_t)capacity * sizeof *c->den);
        for (slong e = c->capacity; e < capacity; e++) {
            fmpz_init(c->num + e);
            fmpz_init(c->den + e);
        }
        c->capacity = capacity;
    }
    for (; c->count <= degree; c->count++) {
        slong e = c->count;
        if (e == 0) {
            fmpz_one(c->num);
            fmpz_one(c->den);
            continue;
        }
        fmpz_mul(c->num + e, c->num + e - 1, fmpq_numref(&c->value));
        fmpz_mul(c->den + e, c->den + e - 1, fmpq_denref(&c->value));
    }
}

/* Coefficient times the powers of the rational coordinates for the term with these exponents. False
   if that is zero. */
static bool term_specialise(struct sample *sample, fmpz_t coefficient, const ulong *exponents)
{
    for (size_t i = 0; i < sample->used; i++) {
        const struct coordinate *c = sample->use[i];
        slong degree = sample->degrees[c->variable], e = (slong)exponents[c->variable];
        if (c->root)
            continue;
        if (e > 0)
            fmpz_mul(coefficient, coefficient, c->num + e);
        if (e < degree && !fmpz_is_one(fmpq_denref(&c->value)))
            fmpz_mul(coefficient, coefficient, c->den + (degree - e));
    }
    return !fmpz_is_zero(coefficient);
}

/* True if a rational coordinate occurs. */
static bool prepare_powers(struct sample *sample)
{
    bool rational = false;
    for (size_t i = 0; i < sample->used; i++)
        if (!sample->use[i]->root) {
            coordinate_powers(sample->use[i], sample->degrees[sample->use[i]->variable]);
            rational = true;
        }
    return rational;
}

void sample_specialise_univariate(struct sample *sample, fmpz_poly_t f, const fmpz_mpoly_struct *p,
                                  int variable)
{
    fmpz_t c;
    fmpz_poly_zero(f);
    if (p->length == 0)
        return;
    fmpz_init(c);
    prepare_powers(sample);
    slong length = 1 + (variable < 0 ? 0 : sample->degrees[variable]);
    fmpz_poly_fit_length(f, length);
    _fmpz_vec_zero(f->coeffs, length);
    for (slong i = 0; i < p->length; i++) {
        const ulong *exponents = sample->exponents + i * sample->variables;
        fmpz_set(c, p->coeffs + i);
        if (term_specialise(sample, c, exponents)) {
            fmpz *to = f->coeffs + (variable < 0 ? 0 : exponents[variable]);
            fmpz_add(to, to, c);
        }
    }
    _fmpz_poly_set_length(f, length);
    _fmpz_poly_normalise(f);
    fmpz_clear(c);
}

void sample_specialise(struct sample *sample, fmpz_mpoly_t r, const fmpz_mpoly_struct *p)
{
    const fmpz_mpoly_ctx_struct *ctx = sample->g.ctx;
    fmpz_t c;
    if (!prepare_powers(sample)) {
        fmpz_mpoly_set(r, p, ctx);
        return;
    }
    fmpz_init(c);
    fmpz_mpoly_zero(r, ctx);
    for (slong i = 0; i < p->length; i++) {
        ulong *exponents = sample->exponents + i * sample->variables;
        fmpz_set(c, p->coeffs + i);
        if (!term_specialise(sample, c, exponents))
            continue;
        for (size_t j = 0; j < sample->used; j++)
            if (!sample->use[j]->root)
                exponents[sample->use[j]->variable] = 0;
        mpoly_push(r, c, exponents, ctx);
    }
    fmpz_mpoly_sort_terms(r, ctx);
    fmpz_mpoly_combine_like_terms(r, ctx);
    fmpz_clear(c);
}
