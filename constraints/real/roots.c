/* The real roots of a polynomial over the sample. In: a polynomial p, a free variable; out: its
   distinct real roots, ascending. Where no irrational coordinate occurs p becomes a polynomial over
   Z: its square-free part is isolated and every rational root recognised (lc * root is an integer).
   Otherwise coefficients that vanish at the sample are dropped at both ends, then the rest is
   isolated by balls; where that fails because of multiple roots, the square-free part over the
   point is taken, see over.c. No norms, no factoring over extensions. */
#include "constraints/real/real.h"
#include <limits.h>

enum { ROOTLESS_LENGTH = 16 };

static void family_free(void *object)
{
    struct family *family = object;
    struct algebra g = {family->ctx, NULL};
    fmpz_poly_clear(family->f);
    dense_clear(&g, &family->d);
    arb_poly_clear(family->enclosure);
}

struct family *family_new(struct arena *arena, const fmpz_mpoly_ctx_struct *ctx, int variable)
{
    struct family *family = ARENA_NEW(arena, struct family);
    family->arena = arena;
    family->ctx = ctx;
    family->variable = variable;
    fmpz_poly_init(family->f);
    dense_init(&family->d);
    arb_poly_init(family->enclosure);
    arena_on_free(arena, family_free, family);
    return family;
}

const struct dense *family_dense(const struct sample *sample, struct family *family)
{
    if (family->d.length == 0 && family->univariate) {
        slong length = fmpz_poly_length(family->f);
        dense_fit(&sample->g, &family->d, length);
        for (slong i = 0; i < length; i++)
            fmpz_mpoly_set_fmpz(&family->d.at[i], family->f->coeffs + i, family->ctx);
        family->d.length = length;
    }
    return &family->d;
}

slong family_degree(const struct family *family)
{
    return family->univariate ? family->f->length - 1 : family->d.length - 1;
}

static void batch_free(void *object)
{
    struct batch *batch = object;
    for (size_t i = 0; i < batch->capacity; i++) {
        fmpq_clear(&batch->roots[i].value);
        arf_clear(&batch->roots[i].lo);
        arf_clear(&batch->roots[i].hi);
    }
}

struct batch *batch_new(struct arena *arena, const fmpz_mpoly_struct *asked, int variable,
                        size_t capacity)
{
    struct batch *batch = ARENA_NEW(arena, struct batch);
    *batch =
        (struct batch){.arena = arena, .variable = variable, .asked = asked, .capacity = capacity};
    batch->roots = ARENA_ARRAY(arena, struct root, capacity);
    for (size_t i = 0; i < capacity; i++) {
        fmpq_init(&batch->roots[i].value);
        arf_init(&batch->roots[i].lo);
        arf_init(&batch->roots[i].hi);
    }
    arena_on_free(arena, batch_free, batch);
    return batch;
}

struct root *batch_add(struct batch *batch)
{
    struct root *root = &batch->roots[batch->count++];
    root->batch = batch;
    return root;
}

struct root *batch_rational(struct batch *batch)
{
    struct root *root = batch_add(batch);
    root->rational = true;
    fmpq_zero(&root->value);
    return root;
}

/* num / den */
static void add_fraction(struct batch *batch, const fmpz_t num, const fmpz_t den)
{
    fmpq_set_fmpz_frac(&batch_rational(batch)->value, num, den);
}

static struct family *family_univariate(struct sample *sample, struct batch *batch,
                                        const fmpz_poly_t f)
{
    struct family *family = family_new(batch->arena, sample->g.ctx, batch->variable);
    family->univariate = true;
    fmpz_poly_set(family->f, f);
    return family;
}

/* The root zero comes before the first that is above it. */
static struct root *batch_next(struct batch *batch, const arf_t hi, bool *zero)
{
    if (*zero && arf_sgn(hi) > 0) {
        batch_rational(batch);
        *zero = false;
    }
    return batch_add(batch);
}

void batch_intervals(struct batch *batch, struct family *family, struct interval *at, size_t count,
                     bool zero)
{
    for (size_t i = 0; i < count; i++) {
        struct root *root = batch_next(batch, &at[i].hi, &zero);
        root->family = family;
        arf_swap(&root->lo, &at[i].lo);
        arf_swap(&root->hi, &at[i].hi);
        root->sign = at[i].sign;
    }
    if (zero)
        batch_rational(batch);
}

void batch_move(struct batch *batch, struct root *from, bool *zero)
{
    struct root *root = batch_next(batch, &from->hi, zero);
    root->family = from->family;
    arf_swap(&root->lo, &from->lo);
    arf_swap(&root->hi, &from->hi);
    root->sign = from->sign;
}

bool batch_isolate(struct sample *sample, struct batch *batch, struct family *family, bool zero,
                   int attempts)
{
    struct interval *at;
    size_t count;
    slong bits = PRECISION_FIRST;
    for (int i = 0; i < attempts && !sample->g.budget->spent; bits *= 2, i++) {
        if (bits > PRECISION_LIMIT) {
            budget_end(sample->g.budget,
                       "roots could not be separated within the limit of precision");
            break;
        }
        if (!roots_isolate(sample->g.budget, &at, &count, family_enclose(sample, family, bits),
                           bits, i))
            continue;
        batch_intervals(batch, family, at, count, zero);
        intervals_clear(at, count);
        return true;
    }
    return false;
}

/* If the root of f in the interval is rational, it is m / lc(f) for the only integer m with m /
   lc(f) in the interval, once that is short enough. */
static bool recognise(struct sample *sample, struct root *root, const fmpz_poly_t f)
{
    const fmpz *lead = fmpz_poly_lead(f);
    fmpz_t m;
    fmpq_t candidate, value;
    arf_t x;
    bool found = false;
    if (!root_narrow(sample, root, -(slong)fmpz_bits(lead)))
        return false;
    fmpz_init(m);
    fmpq_init(candidate);
    fmpq_init(value);
    arf_init(x);
    arf_mul_fmpz(x, &root->hi, lead, ARF_PREC_EXACT, ARF_RND_DOWN);
    arf_get_fmpz(m, x, ARF_RND_FLOOR);
    arf_mul_fmpz(x, &root->lo, lead, ARF_PREC_EXACT, ARF_RND_DOWN);
    if (arf_compare_integer(x, m) < 0) {
        fmpq_set_fmpz_frac(candidate, m, lead);
        if (fmpz_divisible(f->coeffs, fmpq_numref(candidate))) {
            fmpz_poly_evaluate_fmpq(value, f, candidate);
            found = fmpq_is_zero(value);
        }
    }
    if (found) {
        root->rational = true;
        fmpq_set(&root->value, candidate);
    }
    fmpz_clear(m);
    fmpq_clear(candidate);
    fmpq_clear(value);
    arf_clear(x);
    return found;
}

/* Is f, whose leading coefficient a small prime does not divide, without roots modulo it? Then it
   has no rational root. */
static bool rootless(const fmpz_poly_t f)
{
    static const ulong primes[] = {5, 7, 11, 13, 17};
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++) {
        ulong p = primes[i], x = 0, residues[ROOTLESS_LENGTH];
        for (slong j = 0; j < f->length; j++)
            residues[j] = fmpz_fdiv_ui(f->coeffs + j, p);
        if (residues[f->length - 1] == 0)
            continue;
        for (; x < p; x++) {
            ulong value = 0;
            for (slong j = f->length - 1; j >= 0; j--)
                value = (value * x + residues[j]) % p;
            if (value == 0)
                break;
        }
        if (x == p)
            return true;
    }
    return false;
}

/* Divides the rational roots of the batch out of f. */
static void divide_rational(const struct batch *batch, fmpz_poly_t f)
{
    fmpz_poly_t factor;
    fmpz_poly_init2(factor, 2);
    for (size_t i = 0; i < batch->count; i++) {
        const fmpq *value = &batch->roots[i].value;
        if (!batch->roots[i].rational || fmpq_is_zero(value))
            continue;
        fmpz_poly_set_coeff_fmpz(factor, 1, fmpq_denref(value));
        fmpz_poly_set_coeff_fmpz(factor, 0, fmpq_numref(value));
        fmpz_neg(factor->coeffs, factor->coeffs);
        fmpz_poly_div(f, f, factor);
    }
    fmpz_poly_clear(factor);
}

/* Finds the rational roots and gives the others a family without them. */
static bool recognise_all(struct sample *sample, struct batch *batch, struct family *family)
{
    fmpz_poly_t rest;
    size_t found = 0;
    bool none = family->f->length <= ROOTLESS_LENGTH && rootless(family->f);
    for (size_t i = 0; i < batch->count && !none && !sample->g.budget->spent; i++)
        if (!batch->roots[i].rational && recognise(sample, &batch->roots[i], family->f))
            found++;
    if (sample->g.budget->spent)
        return false;
    if (found == 0)
        return true;
    fmpz_poly_init(rest);
    fmpz_poly_set(rest, family->f);
    divide_rational(batch, rest);
    struct family *left = family_univariate(sample, batch, rest);
    for (size_t i = 0; i < batch->count; i++) {
        struct root *root = &batch->roots[i];
        if (root->rational)
            continue;
        root->family = left;
        root->sign = family_sign_at(sample, left, &root->lo);
    }
    fmpz_poly_clear(rest);
    return !sample->g.budget->spent;
}

/* A quadratic polynomial with a square as discriminant: its rational roots. False if it is none. */
static bool quadratic_rational(struct batch *batch, const fmpz_poly_t f, bool zero)
{
    const fmpz *a = f->coeffs + 2, *b = f->coeffs + 1, *c = f->coeffs;
    fmpz_t d, e, num, den;
    fmpz_init(d);
    fmpz_init(e);
    fmpz_init(num);
    fmpz_init(den);
    fmpz_mul(d, b, b);
    fmpz_mul(e, a, c);
    fmpz_submul_ui(d, e, 4);
    bool square = fmpz_sgn(d) < 0 || fmpz_is_square(d);
    if (fmpz_sgn(d) < 0) {
        if (zero)
            batch_rational(batch);
    } else if (square) {
        fmpz_sqrt(d, d);
        fmpz_mul_2exp(den, a, 1);
        fmpz_abs(den, den);
        for (int side = -1; side <= (fmpz_is_zero(d) ? -1 : 1); side += 2) {
            fmpz_mul_si(num, b, -fmpz_sgn(a));
            fmpz_addmul_si(num, d, side);
            if (zero && fmpz_sgn(num) > 0) {
                batch_rational(batch);
                zero = false;
            }
            add_fraction(batch, num, den);
        }
        if (zero)
            batch_rational(batch);
    }
    fmpz_clear(d);
    fmpz_clear(e);
    fmpz_clear(num);
    fmpz_clear(den);
    return square;
}

static void linear_rational(struct batch *batch, const fmpz_poly_t f, bool zero)
{
    fmpz_t num;
    fmpz_init(num);
    fmpz_neg(num, f->coeffs);
    int sign = -fmpz_sgn(f->coeffs) * fmpz_sgn(f->coeffs + 1);
    if (zero && sign > 0)
        batch_rational(batch);
    add_fraction(batch, num, f->coeffs + 1);
    if (zero && sign < 0)
        batch_rational(batch);
    fmpz_clear(num);
}

/* f without factors of the variable and repeated factors, primitive. */
static bool squarefree(fmpz_poly_t f)
{
    fmpz_poly_t derivative, common;
    slong low = 0;
    while (fmpz_is_zero(f->coeffs + low))
        low++;
    if (low > 0)
        fmpz_poly_shift_right(f, f, low);
    fmpz_poly_primitive_part(f, f);
    if (f->length > 3) {
        fmpz_poly_init(derivative);
        fmpz_poly_init(common);
        fmpz_poly_derivative(derivative, f);
        fmpz_poly_gcd(common, f, derivative);
        if (common->length > 1)
            fmpz_poly_div(f, f, common);
        fmpz_poly_clear(derivative);
        fmpz_poly_clear(common);
    }
    return low > 0;
}

bool batch_univariate(struct sample *sample, struct batch *batch, fmpz_poly_t f)
{
    struct family *family;
    uint64_t length = (uint64_t)f->length;
    slong bits = fmpz_poly_max_bits(f);
    if (!budget_take(sample->g.budget,
                     length * length * (1 + (uint64_t)(bits < 0 ? -bits : bits) / 64)))
        return false;
    bool zero = squarefree(f);
    if (f->length == 1) {
        if (zero)
            batch_rational(batch);
        return true;
    }
    if (f->length == 2) {
        linear_rational(batch, f, zero);
        return true;
    }
    if (f->length == 3 && quadratic_rational(batch, f, zero))
        return true;
    family = family_univariate(sample, batch, f);
    if (!batch_isolate(sample, batch, family, zero, INT_MAX))
        return false;
    return f->length == 3 || recognise_all(sample, batch, family);
}

bool sample_roots(struct sample *sample, struct arena *arena, const fmpz_mpoly_struct *p,
                  int variable, const struct root ***roots, size_t *count)
{
    const fmpz_mpoly_ctx_struct *ctx = sample->g.ctx;
    bool good = false;
    *roots = NULL;
    *count = 0;
    if (fmpz_mpoly_is_zero(p, ctx) || !budget_take(sample->g.budget, 1 + (uint64_t)p->length))
        return false;
    bool irrational = sample_look(sample, p);
    struct batch *batch = batch_new(arena, p, variable, (size_t)sample->degrees[variable]);
    if (irrational) {
        fmpz_mpoly_t q;
        fmpz_mpoly_init(q, ctx);
        sample_specialise(sample, q, p);
        good = batch_over(sample, batch, q);
        fmpz_mpoly_clear(q, ctx);
    } else {
        fmpz_poly_t f;
        fmpz_poly_init(f);
        sample_specialise_univariate(sample, f, p, variable);
        good = !fmpz_poly_is_zero(f) && batch_univariate(sample, batch, f);
        fmpz_poly_clear(f);
    }
    if (!good || sample->g.budget->spent)
        return false;
    *count = batch->count;
    *roots = ARENA_ARRAY(arena, const struct root *, batch->count);
    for (size_t i = 0; i < batch->count; i++)
        (*roots)[i] = &batch->roots[i];
    return true;
}

static void asked_free(void *object)
{
    const fmpz_mpoly_ctx_struct **held = object;
    fmpz_mpoly_clear((fmpz_mpoly_struct *)(held + 1), *held);
}

const struct root *root_of_rational(struct sample *sample, struct arena *arena, int variable,
                                    const fmpq *q)
{
    const fmpz_mpoly_ctx_struct *ctx = sample->g.ctx;
    const fmpz_mpoly_ctx_struct **held =
        arena_alloc(arena, sizeof *held + sizeof(fmpz_mpoly_struct));
    fmpz_mpoly_struct *asked = (fmpz_mpoly_struct *)(held + 1);
    fmpz_t constant;
    *held = ctx;
    fmpz_mpoly_init(asked, ctx);
    arena_on_free(arena, asked_free, held);
    fmpz_init(constant);
    fmpz_neg(constant, fmpq_numref(q));
    fmpz_mpoly_gen(asked, variable, ctx);
    fmpz_mpoly_scalar_mul_fmpz(asked, asked, fmpq_denref(q), ctx);
    fmpz_mpoly_add_fmpz(asked, asked, constant, ctx);
    fmpz_clear(constant);
    struct root *root = batch_rational(batch_new(arena, asked, variable, 1));
    fmpq_set(&root->value, q);
    return root;
}

const fmpz_mpoly_struct *root_polynomial(const struct root *root, size_t *index)
{
    *index = (size_t)(root - root->batch->roots) + 1;
    return root->batch->asked;
}

int root_variable(const struct root *root)
{
    return root->batch->variable;
}

const fmpq *root_rational(const struct root *root)
{
    return root->rational ? &root->value : NULL;
}
