/* In: a context and a polynomial p. Out: is p >= 0 at every integer point of the context?

   Steps of rising cost: a point of the pool refutes it (where most questions end); all coefficients
   non-negative once every variable is moved to its lower bound confirm it, at once or after taking
   away a fact times a monomial; a linear programme confirms it whose unknowns are the monomials and
   whose rows are facts times monomials; several facts are taken away, which comes so late because
   it tries many combinations; the exact solver has the last word on a small budget. A "yes" is a
   proof for all integer points, "open" says that none was found. Source: notes on footprints,
   "Sign query".

   The linear programme is sound because monomials of integers >= 0 are integers >= 0: if no such
   values satisfy the rows together with p <= -1, no point of the context does. */
#include "constraints/solve.h"
#include "ir/access/context.h"
#include <string.h>

enum { ROWS_MAX = 160, COLUMNS_MAX = 80, SOLVER_STEPS = 400, FACTS_FIRST = 1, FACTS_MOST = 4 };

/* The programme while it is built: column k stands for the monomial columns[k]. */
struct programme {
    const struct context *context;
    struct arena *arena;
    int n_columns;
    const unsigned *columns[COLUMNS_MAX];      /* RING_CAPACITY exponents each */
    size_t n_rows;
    const int64_t *rows[ROWS_MAX];             /* COLUMNS_MAX + 1 each */
};

static const struct poly *shift(const struct context *context, const struct poly *p)
{
    for (int v = 0; v < ring_count(context->ring); v++)
        if (context->has_lo[v] && context->lo[v] != 0 && poly_uses(p, v))
            p = poly_substitute(p, v,
                                poly_add(poly_variable(context->ring, v),
                                         poly_integer(context->ring, context->lo[v])));
    return p;
}

static void facts_shift(const struct context *context)
{
    struct context *c = (struct context *)context;
    for (size_t i = c->shifted.count; i < c->facts.count; i++)
        vec_push(c->arena, &c->shifted, shift(c, c->facts.at[i]));
}

/* A monomial that cannot be negative: variables without lower bound only in even powers. */
static bool monomial_safe(const struct context *context, const unsigned *exponents)
{
    for (int v = 0; v < ring_count(context->ring); v++)
        if (!context->has_lo[v] && exponents[v] % 2)
            return false;
    return true;
}

static bool coefficients_nonnegative(const struct context *context, const struct poly *p)
{
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        unsigned exponents[RING_CAPACITY];
        if (!poly_term(p, i, &n, &d, exponents) || n < 0 || !monomial_safe(context, exponents))
            return false;
    }
    return true;
}

/* The first negative term of p; false if there is none, or one that cannot be read. */
static bool term_negative(const struct poly *p, int64_t *coefficient, unsigned *exponents)
{
    int64_t d;
    for (size_t i = 0; i < poly_terms(p); i++)
        if (poly_term(p, i, coefficient, &d, exponents) && d == 1 && *coefficient < 0)
            return true;
    return false;
}

/* fact * c * monomial with c, monomial chosen so that its term `term` becomes the given one; NULL
   if that is none. */
static const struct poly *fact_scaled(const struct context *context, const struct poly *fact,
                                      size_t term, int64_t coefficient, const unsigned *exponents)
{
    int64_t n, d;
    unsigned own[RING_CAPACITY] = {0};
    if (!poly_term(fact, term, &n, &d, own) || d != 1 || n >= 0 || coefficient == INT64_MIN ||
        coefficient % n != 0)
        return NULL;
    for (int v = 0; v < ring_count(context->ring); v++)
        if (exponents[v] < own[v] || (exponents[v] > own[v] && !context->has_lo[v]))
            return NULL;
    const struct poly *m = poly_integer(context->ring, coefficient / n);
    for (int v = 0; v < ring_count(context->ring); v++)
        if (exponents[v] > own[v])
            m = poly_mul(m, poly_power(poly_variable(context->ring, v), exponents[v] - own[v]));
    return poly_mul(fact, m);
}

/* Takes multiples of at most `n` facts away that cancel a negative term each; p is shifted. Finds
   most proofs that need a fact, nearly all of them with one. */
static bool greedy_proves(const struct context *context, const struct poly *p, int n)
{
    int64_t coefficient;
    unsigned exponents[RING_CAPACITY] = {0};
    if (coefficients_nonnegative(context, p))
        return true;
    if (n == 0 || !term_negative(p, &coefficient, exponents))
        return false;
    for (size_t f = 0; f < context->shifted.count; f++)
        for (size_t t = 0; t < poly_terms(context->shifted.at[f]); t++) {
            const struct poly *multiple = fact_scaled(context, context->shifted.at[f], t,
                                                      coefficient, exponents);
            if (multiple && greedy_proves(context, poly_sub(p, multiple), n - 1))
                return true;
        }
    return false;
}

/* The column of a monomial, -1 the constant, -2 no room or not wanted. */
static int column_of(struct programme *lp, const unsigned *exponents, bool add)
{
    bool unit = true;
    for (int v = 0; v < RING_CAPACITY; v++)
        unit &= exponents[v] == 0;
    if (unit)
        return -1;
    for (int k = 0; k < lp->n_columns; k++)
        if (!memcmp(lp->columns[k], exponents, RING_CAPACITY * sizeof *exponents))
            return k;
    if (!add || lp->n_columns == COLUMNS_MAX || !monomial_safe(lp->context, exponents))
        return -2;
    unsigned *column = ARENA_ARRAY(lp->arena, unsigned, RING_CAPACITY);
    memcpy(column, exponents, RING_CAPACITY * sizeof *column);
    lp->columns[lp->n_columns] = column;
    return lp->n_columns++;
}

static bool row_add(struct programme *lp, const struct poly *p)
{
    if (lp->n_rows == ROWS_MAX)
        return false;
    int64_t *row = ARENA_ARRAY(lp->arena, int64_t, COLUMNS_MAX + 1);
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        unsigned exponents[RING_CAPACITY] = {0};
        if (!poly_term(p, i, &n, &d, exponents) || d != 1)
            return false;
        int k = column_of(lp, exponents, true);
        if (k == -2)
            return false;
        row[k == -1 ? COLUMNS_MAX : k] = n;
    }
    lp->rows[lp->n_rows++] = row;
    return true;
}

/* Does a monomial of p with a negative coefficient, or any if `any`, stand in the
   programme already? */
static bool row_relevant(struct programme *lp, const struct poly *p)
{
    for (size_t i = 0; i < poly_terms(p); i++) {
        int64_t n, d;
        unsigned exponents[RING_CAPACITY] = {0};
        if (poly_term(p, i, &n, &d, exponents) && column_of(lp, exponents, false) >= 0)
            return true;
    }
    return false;
}

/* Facts times 1, x and x*y as far as they share monomials with what stands there, up to the degree
   of the question. */
static void rows_collect(struct programme *lp, unsigned degree, uint64_t used)
{
    struct ring *ring = lp->context->ring;
    VEC(const struct poly *) multipliers = {0};
    vec_push(lp->arena, &multipliers, poly_integer(ring, 1));
    for (int v = 0; v < ring_count(ring); v++)
        if (used >> v & 1 && lp->context->has_lo[v])
            vec_push(lp->arena, &multipliers, poly_variable(ring, v));
    size_t singles = multipliers.count;
    if (degree > 2)
        for (size_t i = 1; i < singles; i++)
            for (size_t k = i; k < singles; k++)
                vec_push(lp->arena, &multipliers, poly_mul(multipliers.at[i], multipliers.at[k]));
    for (size_t m = 0; m < multipliers.count; m++)
        for (size_t f = 0; f < lp->context->shifted.count; f++) {
            const struct poly *fact = lp->context->shifted.at[f];
            unsigned total = poly_total_degree(fact) + poly_total_degree(multipliers.at[m]);
            if (m > 0 && total > degree)
                continue;
            const struct poly *row = poly_mul(fact, multipliers.at[m]);
            if (row_relevant(lp, row))
                row_add(lp, row);
        }
}

static uint64_t variables_of(const struct programme *lp, const struct poly *p)
{
    uint64_t used = 0;
    for (int v = 0; v < ring_count(lp->context->ring); v++)
        if (poly_uses(p, v))
            used |= (uint64_t)1 << v;
    return used;
}

/* One programme with rows up to the degree; p is shifted. */
static bool programme_proves(const struct context *context, const struct poly *p, unsigned degree)
{
    struct arena *arena = arena_new();
    struct programme *lp = ARENA_NEW(arena, struct programme);
    lp->context = context;
    lp->arena = arena;
    uint64_t used = variables_of(lp, p);
    for (size_t i = 0; i < context->shifted.count; i++)
        used |= variables_of(lp, context->shifted.at[i]);
    bool proved = row_add(lp, poly_sub(poly_neg(p), poly_integer(context->ring, 1)));
    if (proved) {
        rows_collect(lp, degree, used);
        int n = lp->n_columns;
        int64_t *rows = ARENA_ARRAY(arena, int64_t, lp->n_rows * (size_t)(n + 1));
        for (size_t i = 0; i < lp->n_rows; i++) {
            memcpy(rows + i * (size_t)(n + 1), lp->rows[i], (size_t)n * sizeof *rows);
            rows[i * (size_t)(n + 1) + (size_t)n] = lp->rows[i][COLUMNS_MAX];
        }
        proved = presburger_rows_empty(context->presburger, n, lp->n_rows, rows);
    }
    arena_free(arena);
    return proved;
}

/* First with products of the question's own degree, which mostly suffice and are few. */
static bool linear_proves(const struct context *context, const struct poly *p)
{
    unsigned degree = poly_total_degree(p), most = degree;
    for (size_t i = 0; i < context->facts.count; i++)
        if (poly_total_degree(context->facts.at[i]) > most)
            most = poly_total_degree(context->facts.at[i]);
    return programme_proves(context, p, degree) ||
           (most > degree && programme_proves(context, p, most));
}

static bool solver_proves(const struct context *context, const struct poly *p)
{
    struct arena *arena = arena_new();
    struct solver_options options = {.steps = SOLVER_STEPS};
    struct solver *solver = solver_new(arena, context->ring, &options);
    const struct poly *zero = poly_integer(context->ring, 0), *one = poly_integer(context->ring, 1);
    for (size_t i = 0; i < context->facts.count; i++)
        solver_assert(solver, constraint_make(context->facts.at[i], RELATION_GE, zero));
    for (int v = 0; v < ring_count(context->ring); v++)
        if (context->has_lo[v])
            solver_assert(solver, constraint_make(poly_variable(context->ring, v), RELATION_GE,
                                                  poly_integer(context->ring, context->lo[v])));
    solver_assert(solver, constraint_make(p, RELATION_LE, poly_neg(one)));
    bool empty = solver_check(solver) == SAS_EMPTY;
    arena_free(arena);
    return empty;
}

/* p times a positive integer that makes all coefficients integers: what follows takes p < 0 for
   p <= -1, and p/6 < 0 would not be. */
static const struct poly *without_fractions(const struct poly *p)
{
    int64_t n, d;
    unsigned exponents[RING_CAPACITY];
    for (size_t i = 0; i < poly_terms(p);) {
        bool whole = !poly_term(p, i, &n, &d, exponents) || d == 1;
        p = whole ? p : poly_scale(p, d, 1);
        i = whole ? i + 1 : 0;
    }
    return p;
}

static enum truth decide(const struct context *context, const struct poly *p)
{
    int64_t value;
    p = without_fractions(p);
    if (poly_get_integer(p, &value))
        return value >= 0 ? TRUTH_YES : TRUTH_NO;
    struct flat flat = flat_of(context->arena, p);
    for (size_t i = 0; i < context_points(context); i++)
        if (flat_evaluate(&flat, context->points[i], &value) && value < 0)
            return TRUTH_NO;
    const struct poly *shifted = shift(context, p);
    if (coefficients_nonnegative(context, shifted))
        return TRUTH_YES;
    facts_shift(context);
    if (greedy_proves(context, shifted, FACTS_FIRST) || linear_proves(context, shifted) ||
        greedy_proves(context, shifted, FACTS_MOST))
        return TRUTH_YES;
    return solver_proves(context, p) ? TRUTH_YES : TRUTH_OPEN;
}

enum truth context_sign(const struct context *context, const struct poly *p)
{
    struct context *c = (struct context *)context;
    for (size_t i = 0; i < c->memo.count; i++)
        if (poly_equal(c->memo.at[i].p, p))
            return c->memo.at[i].truth;
    struct answer answer = {p, decide(context, p)};
    vec_push(c->arena, &c->memo, answer);
    return answer.truth;
}

bool context_nonnegative(const struct context *context, const struct poly *p)
{
    return context_sign(context, p) == TRUTH_YES;
}

bool context_positive(const struct context *context, const struct poly *p)
{
    return context_nonnegative(context, poly_sub(p, poly_integer(context->ring, 1)));
}

bool context_at_least(const struct context *context, const struct poly *p, const struct poly *q)
{
    return context_nonnegative(context, poly_sub(p, q));
}

int context_direction(const struct context *context, const struct poly *p)
{
    if (poly_is_zero(p))
        return 0;
    if (context_nonnegative(context, p))
        return 1;
    return context_nonnegative(context, poly_neg(p)) ? -1 : 2;
}
