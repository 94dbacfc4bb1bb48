/* The candidates of a product proof: products of constraints, monomials and squares, multiplied out
   in counted variables (see handelman.c), level by level. In: a prover with its forms; out: its
   pool. Each candidate knows its factors, its relation and the columns of its terms. A product is
   an equation if a factor is one, positive if all its factors are. Multipliers that meet, terms of
   one candidate's monomials, come before all monomials of a degree. */
#include "base/map.h"
#include "constraints/product/handelman.h"
#include <string.h>

enum { COLUMN_LIMIT = 700, DEGREE_LIMIT = 24, MONOMIAL_LIMIT = 300 };

struct registered {
    fmpq_mpoly_struct p;
    const fmpq_mpoly_ctx_struct *ctx;
};

static void value_clear(void *object)
{
    struct registered *registered = object;
    fmpq_mpoly_clear(&registered->p, registered->ctx);
}

fmpq_mpoly_struct *products_value(struct prover *p)
{
    struct registered *registered = ARENA_NEW(p->arena, struct registered);
    registered->ctx = p->ctx;
    fmpq_mpoly_init(&registered->p, p->ctx);
    arena_on_free(p->arena, value_clear, registered);
    return &registered->p;
}

static size_t exponents_size(const struct prover *p)
{
    return (size_t)p->variables * sizeof(ulong);
}

static ulong *exponents_new(struct prover *p)
{
    return ARENA_ARRAY(p->arena, ulong, p->variables + 1);
}

/* The column of a monomial, made if it is new; SIZE_MAX if there are too many. */
static size_t column_find(struct prover *p, const ulong *exponents)
{
    size_t bytes = exponents_size(p), mask = sizeof p->column_table / sizeof *p->column_table - 1;
    size_t slot = hash_bytes(HASH_START, exponents, bytes) & mask;
    for (; p->column_table[slot]; slot = (slot + 1) & mask)
        if (!memcmp(p->columns.at[p->column_table[slot] - 1], exponents, bytes))
            return p->column_table[slot] - 1;
    if (p->columns.count == COLUMN_LIMIT)
        return SIZE_MAX;
    ulong *copy = exponents_new(p);
    memcpy(copy, exponents, bytes);
    vec_push(p->arena, &p->columns, copy);
    p->column_table[slot] = p->columns.count;
    return p->columns.count - 1;
}

/* The columns of a candidate's terms; false if there are too many. */
static bool candidate_columns(struct prover *p, struct candidate *c)
{
    const fmpq_mpoly_struct *value = c->form->p;
    slong length = value->zpoly->length;
    c->columns = ARENA_ARRAY(p->arena, size_t, length + 1);
    for (slong i = 0; i < length; i++) {
        ulong exponents[RING_CAPACITY], degree = 0;
        fmpq_mpoly_get_term_exp_ui(exponents, value, i, p->ctx);
        for (int v = 0; v < p->variables; v++)
            degree += exponents[v];
        c->columns[i] = degree ? column_find(p, exponents) : SIZE_MAX;
        if (degree && c->columns[i] == SIZE_MAX)
            return false;
    }
    return true;
}

static void monomial_set(const struct prover *p, fmpq_mpoly_t value, const ulong *exponents)
{
    fmpq_mpoly_one(value, p->ctx);
    if (!exponents)
        return;
    fmpq_mpoly_zero(value, p->ctx);
    fmpq_t one;
    fmpq_init(one);
    fmpq_one(one);
    fmpq_mpoly_set_coeff_fmpq_ui(value, one, exponents, p->ctx);
    fmpq_clear(one);
}

/* value *= (a + sign b)^2 */
static void square_multiply(const struct prover *p, fmpq_mpoly_t value, const struct candidate *c)
{
    fmpq_mpoly_t a, b;
    fmpq_mpoly_init(a, p->ctx);
    fmpq_mpoly_init(b, p->ctx);
    monomial_set(p, a, c->a);
    monomial_set(p, b, c->b);
    (c->sign > 0 ? fmpq_mpoly_add : fmpq_mpoly_sub)(a, a, b, p->ctx);
    fmpq_mpoly_mul(a, a, a, p->ctx);
    fmpq_mpoly_mul(value, value, a, p->ctx);
    fmpq_mpoly_clear(a, p->ctx);
    fmpq_mpoly_clear(b, p->ctx);
}

static bool exponents_equal(const struct prover *p, const ulong *a, const ulong *b)
{
    return a == b || (a && b && !memcmp(a, b, exponents_size(p)));
}

static bool candidate_equal(const struct prover *p, const struct candidate *a,
                            const struct candidate *b)
{
    return a->count == b->count && !memcmp(a->factors, b->factors, a->count * sizeof *a->factors) &&
           a->sign == b->sign && a->variable == b->variable &&
           exponents_equal(p, a->monomial, b->monomial) && exponents_equal(p, a->a, b->a) &&
           exponents_equal(p, a->b, b->b);
}

/* The place of the candidate in the table: taken if it is known. */
static size_t *candidate_slot(struct prover *p, const struct candidate *c)
{
    size_t mask = sizeof p->pool_table / sizeof *p->pool_table - 1;
    uint64_t hash = hash_bytes(HASH_START, c->factors, c->count * sizeof *c->factors);
    if (c->monomial)
        hash = hash_bytes(hash, c->monomial, exponents_size(p));
    if (c->a)
        hash = hash_bytes(hash, c->a, exponents_size(p));
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask)
        if (!p->pool_table[slot] || candidate_equal(p, &p->pool.at[p->pool_table[slot] - 1], c))
            return &p->pool_table[slot];
}

bool monomial_strict(const struct prover *p, const ulong *exponents)
{
    for (int v = 0; v < p->variables; v++)
        if (exponents[v] &&
            (p->bound_of[v] == SIZE_MAX ||
             (fmpq_is_zero(p->offset[v]) && p->forms[p->bound_of[v]].relation != RELATION_GT)))
            return false;
    return true;
}

/* Multiplies the candidate out and adds it to the pool; false if a limit or the budget ends the
   level. */
static bool pool_add(struct prover *p, struct candidate c)
{
    if (p->pool.count == POOL_LIMIT || p->budget->spent)
        return false;
    size_t *slot = candidate_slot(p, &c);
    if (*slot)
        return true;
    struct form *form = ARENA_NEW(p->arena, struct form);
    form->p = products_value(p);
    form->relation = RELATION_GT;
    uint64_t cost = 4;
    slong degree = 0;
    monomial_set(p, form->p, c.monomial);
    if (c.a || c.variable >= 0 || (c.monomial && !monomial_strict(p, c.monomial)))
        form->relation = RELATION_GE;
    for (size_t i = 0; i < c.count; i++) {
        const struct form *factor = &p->forms[c.factors[i]];
        cost +=
            (uint64_t)(fmpq_mpoly_length(form->p, p->ctx) * fmpq_mpoly_length(factor->p, p->ctx));
        degree += mpoly_total_degree(factor->p->zpoly, p->ctx->zctx);
        if (degree > DEGREE_LIMIT || !budget_take(p->budget, cost))
            return !p->budget->spent;
        fmpq_mpoly_mul(form->p, form->p, factor->p, p->ctx);
        if (factor->relation == RELATION_EQ ||
            (factor->relation == RELATION_GE && form->relation == RELATION_GT))
            form->relation = factor->relation;
    }
    if (c.a)
        square_multiply(p, form->p, &c);
    if (c.variable >= 0)
        fmpq_mpoly_mul(form->p, p->image[c.variable], p->image[c.variable], p->ctx);
    if (fmpq_mpoly_is_zero(form->p, p->ctx) && form->relation != RELATION_GT)
        return true;
    c.form = form;
    if (!candidate_columns(p, &c))
        return false;
    vec_push(p->arena, &p->pool, c);
    *slot = p->pool.count;
    p->terms += (uint64_t)form->p->zpoly->length;
    return true;
}

bool monomial_positive(const struct prover *p, const ulong *exponents)
{
    for (int v = 0; v < p->variables; v++)
        if (p->bound_of[v] == SIZE_MAX && (exponents[v] & 1))
            return false;
    return true;
}

struct monomials {
    VEC(const ulong *) at;
};

/* Limited in number; looking for it among the others costs budget. */
static void monomial_keep(struct prover *p, struct monomials *list, const ulong *exponents)
{
    if (list->at.count == MONOMIAL_LIMIT || !budget_take(p->budget, 1 + list->at.count / 16))
        return;
    for (size_t i = 0; i < list->at.count; i++)
        if (!memcmp(list->at.at[i], exponents, exponents_size(p)))
            return;
    ulong *copy = exponents_new(p);
    memcpy(copy, exponents, exponents_size(p));
    vec_push(p->arena, &list->at, copy);
}

/* All monomials of the given degree. */
static void monomials_degree(struct prover *p, struct monomials *list, ulong *exponents,
                             int variable, unsigned degree)
{
    if (variable == p->variables - 1) {
        exponents[variable] = degree;
        monomial_keep(p, list, exponents);
        exponents[variable] = 0;
        return;
    }
    for (unsigned e = 0; e <= degree; e++) {
        exponents[variable] = e;
        monomials_degree(p, list, exponents, variable + 1, degree - e);
    }
    exponents[variable] = 0;
}

/* What multiplies a term of `form` to a monomial of some candidate in the pool. */
static void monomials_meeting(struct prover *p, struct monomials *list, const struct form *form,
                              size_t pool)
{
    ulong own[RING_CAPACITY], other[RING_CAPACITY], quotient[RING_CAPACITY];
    for (size_t k = 0; k < pool && list->at.count < MONOMIAL_LIMIT && !p->budget->spent; k++)
        for (slong i = 0; i < form->p->zpoly->length; i++)
            for (slong j = 0; j < p->pool.at[k].form->p->zpoly->length; j++) {
                fmpq_mpoly_get_term_exp_ui(own, form->p, i, p->ctx);
                fmpq_mpoly_get_term_exp_ui(other, p->pool.at[k].form->p, j, p->ctx);
                ulong degree = 0;
                for (int v = 0; v < p->variables; v++) {
                    quotient[v] = other[v] > own[v] ? other[v] - own[v] : 0;
                    degree += quotient[v];
                }
                if (degree)
                    monomial_keep(p, list, quotient);
            }
}

/* Every form, or product of two forms, times the monomials that it allows. */
static void multiples_add(struct prover *p, const struct candidate *base,
                          const struct monomials *list)
{
    bool equation = base->form->relation == RELATION_EQ;
    for (size_t i = 0; i < list->at.count; i++) {
        struct candidate c = *base;
        c.monomial = list->at.at[i];
        c.active = false;
        if ((equation || monomial_positive(p, c.monomial)) && !pool_add(p, c))
            return;
    }
}

/* The forms, and the squares of variables that are not counted as they are. */
static void singles_add(struct prover *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (!p->forms[i].bound &&
            !pool_add(p, (struct candidate){.factors = {i}, .count = 1, .variable = -1}))
            return;
    for (int v = 0; v < p->variables; v++)
        if (fmpq_mpoly_length(p->image[v], p->ctx) > 1 &&
            !pool_add(p, (struct candidate){.variable = v}))
            return;
}

static bool candidate_plain(const struct candidate *c)
{
    return !c->monomial && !c->a && c->variable < 0;
}

/* Products of one more form with each candidate that is a product of `count` forms. */
static void products_add(struct prover *p, size_t count)
{
    size_t pool = p->pool.count;
    for (size_t k = 0; k < pool; k++) {
        struct candidate c = p->pool.at[k];
        if (c.count != count || !candidate_plain(&c))
            continue;
        for (size_t i = c.factors[count - 1]; i < p->count; i++) {
            if (p->forms[i].bound)
                continue;
            struct candidate next = c;
            next.factors[next.count++] = i;
            next.active = false;
            if (!pool_add(p, next))
                return;
        }
    }
}

/* (x + y)^2 and (x - y)^2, y = 1 included, for variables without bounds. */
static void squares_add(struct prover *p)
{
    for (int v = 0; v < p->variables; v++)
        for (int w = v + 1; w <= p->variables; w++) {
            if (w == p->variables ? p->bound_of[v] != SIZE_MAX
                                  : p->bound_of[v] != SIZE_MAX && p->bound_of[w] != SIZE_MAX)
                continue;
            ulong *a = exponents_new(p), *b = exponents_new(p);
            a[v] = 1;
            if (w < p->variables)
                b[w] = 1;
            for (int sign = -1; sign <= 1; sign += 2)
                if (!pool_add(p, (struct candidate){.a = a, .b = b, .sign = sign, .variable = -1}))
                    return;
        }
}

/* Multiples of the products of at most `factors` forms, by what meets the pool, or by all monomials
   of a degree. */
static void multiples_level(struct prover *p, size_t factors, unsigned degree)
{
    size_t pool = p->pool.count;
    for (size_t k = 0; k < pool && !p->budget->spent; k++) {
        struct candidate base = p->pool.at[k];
        if (!candidate_plain(&base) || base.count > factors)
            continue;
        struct monomials list = {{0}};
        ulong exponents[RING_CAPACITY] = {0};
        if (degree)
            monomials_degree(p, &list, exponents, 0, degree);
        else
            monomials_meeting(p, &list, base.form, pool);
        multiples_add(p, &base, &list);
    }
}

/* What each level adds: products of one form more, squares, multiples. */
void products_level(struct prover *p, int level)
{
    static const struct {
        size_t products;          /* form products of this many factors */
        bool squares;
        size_t single, pair;      /* multiples of products of at most one (two) factors: degree + 1;
                                     1 = what meets */
    } levels[LEVEL_LIMIT] = {
        {1, false, 0, 0}, {0, false, 1, 0}, {2, true, 2, 0}, {0, false, 1, 0},
        {3, false, 3, 2}, {4, false, 0, 1}, {0, false, 4, 3},
    };
    size_t products = levels[level].products;
    if (products == 1)
        singles_add(p);
    if (products > 1)
        products_add(p, products - 1);
    if (levels[level].squares)
        squares_add(p);
    if (levels[level].single)
        multiples_level(p, 1, (unsigned)levels[level].single - 1);
    if (levels[level].pair)
        multiples_level(p, 2, (unsigned)levels[level].pair - 1);
}
