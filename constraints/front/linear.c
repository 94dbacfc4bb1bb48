/* Linearisation: every monomial counts as a variable of its own, and exact linear programming looks
   for a point. In: a state; out: EMPTY if even this relaxation has none (the refutation's
   multipliers make a Farkas certificate over the facts), NONEMPTY if the point found solves the
   facts themselves, as it must where they are linear. Variables are counted from their bounds, so
   that monomials of them are not negative; products of two facts and squares of sums and
   differences are consequences that join the monomials (a Handelman-like refutation of degree two).
 */
#include "base/vec.h"
#include "constraints/front/question.h"
#include "constraints/front/simplex.h"
#include <string.h>

enum {
    COLUMN_LIMIT = 120,
    ROW_LIMIT = 150,
    FACTOR_LIMIT = 14,
    PRODUCT_DEGREE = 8,
    WORK_A_STEP = 8
};

struct row {
    const fmpz_mpoly_struct *p;
    enum fact_relation relation;
    const uint64_t *origins;
};


struct relaxation {
    struct question *q;
    const struct state *state;
    VEC(struct row) rows;
    VEC(ulong *) columns;   /* exponents by local variable */
    bool unbounded[RING_CAPACITY];
};

static void row_add(struct relaxation *r, const fmpz_mpoly_struct *p, enum fact_relation relation,
                    const uint64_t *origins)
{
    struct row row = {p, relation, origins};
    if (r->rows.count < ROW_LIMIT && question_spend(r->q, p))
        vec_push(r->q->arena, &r->rows, row);
}

/* hi - lo - x' >= 0 for a variable with both bounds, counted from the lower one. */
static void width_add(struct relaxation *r, int v)
{
    const struct bound *hi = r->state->hi[v];
    struct question *q = r->q;
    fmpz_mpoly_struct *p = mpoly_new(q);
    const uint64_t *origins = hi->origins;
    bool unbounded[RING_CAPACITY];
    fmpz_mpoly_gen(p, v, q->ctx);
    fmpz_mpoly_scalar_mul_fmpz(p, p, fmpq_denref(hi->value), q->ctx);
    fmpz_mpoly_sub_fmpz(p, p, fmpq_numref(hi->value), q->ctx);
    fmpz_mpoly_neg(p, p, q->ctx);
    row_add(r, sign_shift(q, r->state, p, unbounded, &origins), hi->strict ? FACT_GT : FACT_GE,
            origins);
}

static void facts_add(struct relaxation *r)
{
    for (int v = 0; v < r->q->variables; v++) {
        r->unbounded[v] = !r->state->lo[v] && !r->state->hi[v];
        if (!r->state->gone[v] && r->state->lo[v] && r->state->hi[v])
            width_add(r, v);
    }
    for (size_t i = 0; i < r->state->count; i++) {
        const struct fact *fact = r->state->facts[i];
        const uint64_t *origins = fact->origins;
        bool unbounded[RING_CAPACITY];
        if (fact->relation != FACT_NE)
            row_add(r, sign_shift(r->q, r->state, fact->p, unbounded, &origins), fact->relation,
                    origins);
    }
}

static fmpz_mpoly_struct *product(struct question *q, const fmpz_mpoly_struct *a,
                                  const fmpz_mpoly_struct *b)
{
    fmpz_mpoly_struct *p = mpoly_new(q);
    if (question_spend_product(q, a, b))
        fmpz_mpoly_mul(p, a, b, q->ctx);
    return p;
}

/* Products of two rows; an equation times an inequality is an equation. */
static void products_add(struct relaxation *r)
{
    size_t count = r->rows.count < FACTOR_LIMIT ? r->rows.count : FACTOR_LIMIT;
    for (size_t i = 0; i < count; i++)
        for (size_t j = i; j < count; j++) {
            struct row a = r->rows.at[i], b = r->rows.at[j];
            slong degree = mpoly_total_degree(a.p, r->q->ctx) + mpoly_total_degree(b.p, r->q->ctx);
            if (degree > PRODUCT_DEGREE)
                continue;
            bool equation = a.relation == FACT_EQ || b.relation == FACT_EQ;
            bool strict = a.relation == FACT_GT && b.relation == FACT_GT;
            row_add(r, product(r->q, a.p, b.p), equation ? FACT_EQ : strict ? FACT_GT : FACT_GE,
                    origins_union(r->q, a.origins, b.origins));
        }
}

static bool squared(const struct relaxation *r, int v)
{
    for (size_t i = 0; i < r->rows.count; i++)
        if (mpoly_degree(r->q, r->rows.at[i].p, v) >= 2)
            return true;
    return false;
}

/* (x + y)^2 >= 0 and (x - y)^2 >= 0 for variables that occur squared. */
static void squares_add(struct relaxation *r)
{
    struct question *q = r->q;
    const uint64_t *nothing = ARENA_ARRAY(q->arena, uint64_t, q->words);
    for (int v = 0; v < q->variables; v++)
        for (int w = v + 1; w < q->variables; w++) {
            if (!squared(r, v) || !squared(r, w))
                continue;
            for (int minus = 0; minus < 2; minus++) {
                fmpz_mpoly_struct *x = mpoly_new(q), *y = mpoly_new(q);
                fmpz_mpoly_gen(x, v, q->ctx);
                fmpz_mpoly_gen(y, w, q->ctx);
                (minus ? fmpz_mpoly_sub : fmpz_mpoly_add)(x, x, y, q->ctx);
                row_add(r, product(q, x, x), FACT_GE, nothing);
            }
        }
}

/* The column of a monomial, made if it is new; the limit if there are too many. */
static size_t column_find(struct relaxation *r, const ulong *exponents)
{
    size_t bytes = (size_t)r->q->variables * sizeof *exponents;
    for (size_t j = 0; j < r->columns.count; j++)
        if (!memcmp(r->columns.at[j], exponents, bytes))
            return j;
    if (r->columns.count == COLUMN_LIMIT)
        return COLUMN_LIMIT;
    ulong *copy = ARENA_ARRAY(r->q->arena, ulong, r->q->variables + 1);
    memcpy(copy, exponents, bytes);
    vec_push(r->q->arena, &r->columns, copy);
    return r->columns.count - 1;
}

/* Coefficients of a row by column and its constant; false if there are too many columns. */
static bool row_read(struct relaxation *r, const fmpz_mpoly_struct *p, fmpz *coefficients,
                     fmpz_t constant)
{
    fmpz_zero(constant);
    _fmpz_vec_zero(coefficients, COLUMN_LIMIT);
    for (slong i = 0; i < p->length; i++) {
        ulong exponents[RING_CAPACITY], degree = 0;
        mpoly_exponents(exponents, p, i, r->q->ctx);
        for (int v = 0; v < r->q->variables; v++)
            degree += exponents[v];
        size_t j = degree ? column_find(r, exponents) : 0;
        if (j == COLUMN_LIMIT)
            return false;
        fmpz_set(degree ? coefficients + j : constant, p->coeffs + i);
    }
    return true;
}

static const struct bound *anchor(const struct state *state, int v)
{
    return state->lo[v] ? state->lo[v] : state->hi[v];
}

/* The lower bound 0 of a monomial of variables counted from their bounds (free ones squared):
   whether it has one, whether it is strict, and where it comes from. */
static bool column_bound(const struct relaxation *r, const ulong *exponents, bool *strict,
                         const uint64_t **origins)
{
    *strict = true;
    *origins = ARENA_ARRAY(r->q->arena, uint64_t, r->q->words);
    for (int v = 0; v < r->q->variables; v++) {
        if (!exponents[v])
            continue;
        if (r->unbounded[v] && (exponents[v] & 1))
            return false;
        bool open = !r->unbounded[v] && anchor(r->state, v)->strict;
        if (!open)
            *strict = false;
        if (open || (!r->unbounded[v] && (exponents[v] & 1)))   /* an even power is >= 0 anyway, > 0
                                                                   by its variable */
            *origins = origins_union(r->q, *origins, anchor(r->state, v)->origins);
    }
    return true;
}

struct program {
    struct simplex *simplex;
    const uint64_t **origins;  /* by number of a bound */
};

static void program_bounds(struct relaxation *r, struct program *program, const fmpz *constants)
{
    fmpq_t value;
    fmpq_init(value);
    size_t number = 0;
    for (size_t j = 0; j < r->columns.count; j++, number++) {
        bool strict;
        if (column_bound(r, r->columns.at[j], &strict, &program->origins[number]))
            simplex_bound(program->simplex, j, false, value, strict, number);
    }
    for (size_t i = 0; i < r->rows.count; i++, number++) {
        const struct row *row = &r->rows.at[i];
        program->origins[number] = row->origins;
        fmpq_set_fmpz(value, constants + i);
        fmpq_neg(value, value);
        simplex_bound(program->simplex, r->columns.count + i, false, value,
                      row->relation == FACT_GT, number);
        if (row->relation == FACT_EQ)
            simplex_bound(program->simplex, r->columns.count + i, true, value, false, number);
    }
    fmpq_clear(value);
}

/* The linear program of the relaxation; false if it is too large. */
static bool program_make(struct relaxation *r, struct program *program)
{
    size_t rows = r->rows.count;
    fmpz *table = _fmpz_vec_init((slong)(rows * COLUMN_LIMIT + 1)),
         *constants = _fmpz_vec_init((slong)rows + 1);
    bool fits = true;
    for (size_t i = 0; fits && i < rows; i++)
        fits = row_read(r, r->rows.at[i].p, table + i * COLUMN_LIMIT, constants + i);
    if (fits) {
        program->simplex = simplex_new(r->q->arena, r->columns.count, rows);
        program->origins = ARENA_ARRAY(r->q->arena, const uint64_t *, r->columns.count + rows + 1);
        for (size_t i = 0; i < rows; i++)
            simplex_row(program->simplex, table + i * COLUMN_LIMIT);
        program_bounds(r, program, constants);
    }
    _fmpz_vec_clear(table, (slong)(rows * COLUMN_LIMIT + 1));
    _fmpz_vec_clear(constants, (slong)rows + 1);
    return fits;
}

/* The variable of a column that stands for a single variable in the first degree; -1 if it is
   another monomial. */
static int column_variable(const struct relaxation *r, const ulong *exponents)
{
    int found = -1;
    for (int v = 0; v < r->q->variables; v++) {
        if (!exponents[v])
            continue;
        if (found >= 0 || exponents[v] > 1)
            return -1;
        found = v;
    }
    return found;
}

/* From the program's solution, with variables counted from their bounds again as they are. */
static bool point_take(struct relaxation *r, struct program *program)
{
    if (!point_start(r->q, r->state))
        return false;
    simplex_settle(program->simplex);
    for (size_t j = 0; j < r->columns.count; j++) {
        int v = column_variable(r, r->columns.at[j]);
        if (v < 0)
            continue;
        fmpq *value = r->q->point + v;
        const struct bound *from = anchor(r->state, v);
        fmpq_set(value, simplex_value(program->simplex, j));
        if (!from)
            continue;
        fmpq_div_fmpz(value, value, fmpq_denref(from->value));
        if (!r->state->lo[v])
            fmpq_neg(value, value);
        fmpq_add(value, value, from->value);
    }
    return point_holds(r->q, r->state) && point_extend(r->q, r->state);
}

static void conflict_take(struct relaxation *r, const struct program *program)
{
    size_t count;
    const size_t *numbers = simplex_conflict(program->simplex, &count);
    r->q->conflict = NULL;
    for (size_t i = 0; i < count; i++)
        r->q->conflict = origins_union(r->q, r->q->conflict, program->origins[numbers[i]]);
}

enum verdict state_linear(struct question *q, const struct state *state, bool products)
{
    struct relaxation r = {.q = q, .state = state};
    struct program program;
    facts_add(&r);
    if (products) {
        products_add(&r);
        squares_add(&r);
    }
    if (q->broken || !program_make(&r, &program))
        return SAS_UNKNOWN;
    uint64_t most = q->steps * WORK_A_STEP, work = most;
    int feasible = simplex_solve(program.simplex, &work);
    question_charge(q, (most - work) / WORK_A_STEP);
    if (feasible == 0)
        conflict_take(&r, &program);
    return feasible == 0                               ? SAS_EMPTY
           : feasible == 1 && point_take(&r, &program) ? SAS_NONEMPTY
                                                       : SAS_UNKNOWN;
}
