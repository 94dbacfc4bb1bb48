/* Minimal and simplified systems. In: a system and what may be assumed (the context); out: an
   equivalent one under the context. Simplification rewrites one constraint after another, each time
   to an equivalent one given the context and all others, until nothing changes: factors whose sign
   these imply are divided out, odd powers lose their exponent, what is said twice of one polynomial
   is said once (p <= 0 and p >= 0 make p = 0, p <= 0 and p != 0 make p < 0), p <= 0 becomes p = 0
   where the others imply p >= 0, and values of variables are put in. Then what is left over is
   dropped: from the last constraint to the first, each that the context and the others imply, so
   that of equivalent ones the earliest stays. Most questions ask for a point where one constraint
   fails and all others hold; where an integer point of the system is given, a point next to it,
   with one coordinate moved, often is one, and the solver is not asked. All depends on nothing but
   the input; what is undecided within the budget stays as it is. */
#include "base/vec.h"
#include "constraints/front/question.h"
#include <string.h>

enum { STEPS = 200000, SIGN_STEPS = 40000, FACTOR_TERMS = 200, CORE_FROM = 4 };

struct system {
    struct arena *arena, *scratch;
    struct ring *ring;
    struct sas context;
    VEC(struct constraint) at;
    const int64_t *inside;       /* a point of context and system; NULL if none is known */
    struct question *q;          /* its variables are those of system and context */
    const struct state *known;   /* the context; NULL if it contradicts itself */
};

/* Does the point lie in the context and in the system without constraint `except`? */
static bool point_fits(const struct system *s, size_t except, const int64_t *point)
{
    for (size_t i = 0; i < s->at.count; i++)
        if (i != except && constraint_holds(s->at.at[i], point) != 1)
            return false;
    return sas_holds(s->context, point) == 1;
}

/* Is a point near the known one, with at most one coordinate moved, a point of the context, the
   system without constraint `except`, and c? False says nothing. */
static bool point_is_near(const struct system *s, size_t except, struct constraint c)
{
    int64_t point[RING_CAPACITY];
    if (!s->inside || !c.poly)
        return false;
    memcpy(point, s->inside, (size_t)s->ring->count * sizeof *point);
    if (constraint_holds(c, point) == 1 && point_fits(s, except, point))
        return true;
    for (int v = 0; v < s->ring->count; v++) {
        int64_t own = point[v];
        const int64_t moved[] = {own - 1, own + 1, own / 2, own <= INT32_MAX ? 2 * own : own};
        if (!poly_uses(c.poly, v))
            continue;
        for (size_t k = 0; k < sizeof moved / sizeof *moved; k++) {
            point[v] = moved[k];
            if (constraint_holds(c, point) == 1 && point_fits(s, except, point))
                return true;
        }
        point[v] = own;
    }
    return false;
}

/* Is there no point of the context, the system without constraint `except` (SIZE_MAX: none left
   out), and c? */
static bool system_refutes(const struct system *s, size_t except, struct constraint c)
{
    if (point_is_near(s, except, c))
        return false;
    struct arena *scratch = arena_new();
    const struct solver_options options = {.steps = STEPS};
    struct solver *solver = solver_new(scratch, s->ring, &options);
    solver_assert_all(solver, s->context);
    for (size_t i = 0; i < s->at.count; i++)
        if (i != except)
            solver_assert(solver, s->at.at[i]);
    solver_assert(solver, c);
    bool empty = solver_check(solver) == SAS_EMPTY;
    arena_free(scratch);
    return empty;
}

static void constraint_remove(struct system *s, size_t i)
{
    memmove(s->at.at + i, s->at.at + i + 1, (s->at.count - i - 1) * sizeof *s->at.at);
    s->at.count--;
}

static void system_begin(struct system *s, struct arena *arena, struct sas sas, struct sas context,
                         const int64_t *inside)
{
    *s = (struct system){
        .arena = arena, .scratch = arena_new(), .ring = sas.ring, .context = context};
    for (size_t i = 0; i < sas.count; i++)
        vec_push(s->scratch, &s->at, sas.at[i]);
    if (inside && point_fits(s, SIZE_MAX, inside))
        s->inside = inside;
}

static struct sas system_end(struct system *s)
{
    struct sas sas =
        sas_join(s->arena, sas_empty(s->ring), (struct sas){s->ring, s->at.at, s->at.count});
    arena_free(s->scratch);
    return sas;
}

/* If context and system contradict each other, drops what an irreducible contradiction does not
   need. */
static void contradiction_take(struct system *s)
{
    struct arena *scratch = arena_new();
    const struct solver_options options = {.steps = STEPS};
    struct solver *solver = solver_new(scratch, s->ring, &options);
    solver_assert_all(solver, s->context);
    for (size_t i = 0; i < s->at.count; i++)
        solver_assert(solver, s->at.at[i]);
    if (solver_check(solver) == SAS_EMPTY) {
        size_t count, kept = 0;
        const size_t *core = solver_core(solver, &count);
        for (size_t i = 0; i < count; i++)
            if (core[i] >= s->context.count)
                s->at.at[kept++] = s->at.at[core[i] - s->context.count];
        s->at.count = kept;
    }
    arena_free(scratch);
}

static void system_minimise(struct system *s)
{
    if (s->at.count > CORE_FROM && !s->inside)
        contradiction_take(s);
    for (size_t i = s->at.count; i-- > 0;)
        if (s->at.at[i].poly && system_refutes(s, i, constraint_negate(s->at.at[i])))
            constraint_remove(s, i);
}

struct sas sas_minimal(struct arena *arena, struct sas sas, struct sas context)
{
    struct system s;
    system_begin(&s, arena, sas, context, NULL);
    system_minimise(&s);
    return system_end(&s);
}

/* --- one constraint -------------------------------------------------------------------------- */

/* A polynomial of the question in the ring. */
static const struct poly *ring_poly(const struct system *s, const fmpz_mpoly_struct *p)
{
    struct poly *poly = poly_new(s->ring);
    fmpq_mpoly_t sum;
    fmpq_mpoly_init(sum, s->ring->ctx);
    ulong local[RING_CAPACITY], wide[RING_CAPACITY] = {0};
    for (slong t = 0; t < p->length; t++) {
        mpoly_exponents(local, p, t, s->q->ctx);
        for (int v = 0; v < s->q->variables; v++)
            wide[s->q->ring_variable[v]] = local[v];
        fmpq_mpoly_push_term_fmpz_ui(sum, p->coeffs + t, wide, s->ring->ctx);
    }
    fmpq_mpoly_sort_terms(sum, s->ring->ctx);
    fmpq_mpoly_reduce(sum, s->ring->ctx);
    fmpq_mpoly_swap(poly->value, sum, s->ring->ctx);
    fmpq_mpoly_clear(sum, s->ring->ctx);
    return poly;
}

/* The signs that polynomial p of the question may have: by the context's bounds, else by asking
   about everything but constraint i. */
static unsigned signs_find(const struct system *s, size_t i, const fmpz_mpoly_struct *p)
{
    static const struct {
        enum relation denied;
        unsigned left;
    } questions[] = {{RELATION_LE, SIGN_POSITIVE},
                     {RELATION_GE, SIGN_NEGATIVE},
                     {RELATION_EQ, SIGN_POSITIVE | SIGN_NEGATIVE}};
    const uint64_t *origins;
    unsigned signs = s->known ? sign_of(s->q, s->known, p, &origins) : SIGN_ANY;
    if (signs == SIGN_POSITIVE || signs == SIGN_NEGATIVE)
        return signs;
    const struct poly *poly = ring_poly(s, p);
    for (size_t k = 0; k < sizeof questions / sizeof *questions; k++)
        if ((signs & ~questions[k].left) &&
            system_refutes(s, i, (struct constraint){poly, questions[k].denied}))
            return signs & questions[k].left;
    return signs;
}

/* Is p irreducible at a glance: some variable in the first degree, its coefficient prime to the
   rest? */
static bool plainly_irreducible(const struct system *s, const fmpz_mpoly_struct *p)
{
    bool irreducible = false;
    fmpz_mpoly_t common, a, b;
    fmpz_mpoly_init(common, s->q->ctx);
    fmpz_mpoly_init(a, s->q->ctx);
    fmpz_mpoly_init(b, s->q->ctx);
    for (int v = 0; v < s->q->variables && !irreducible; v++) {
        if (mpoly_degree(s->q, p, v) != 1)
            continue;
        mpoly_take_coefficient(a, p, v, 1, s->q->ctx);
        mpoly_take_coefficient(b, p, v, 0, s->q->ctx);
        irreducible =
            fmpz_mpoly_gcd(common, a, b, s->q->ctx) && fmpz_mpoly_is_fmpz(common, s->q->ctx);
        break;
    }
    fmpz_mpoly_clear(common, s->q->ctx);
    fmpz_mpoly_clear(a, s->q->ctx);
    fmpz_mpoly_clear(b, s->q->ctx);
    return irreducible;
}

/* The exponent that a factor keeps in a constraint; *turn: its sign turns the relation. */
static ulong exponent_left(unsigned signs, enum relation relation, ulong exponent, bool *turn)
{
    bool equation = relation == RELATION_EQ || relation == RELATION_NE;
    bool known = signs == SIGN_POSITIVE || signs == SIGN_NEGATIVE;
    if (known && signs == SIGN_NEGATIVE && (exponent & 1))
        *turn = !*turn;
    if (known || (!(signs & SIGN_ZERO) && (equation || !(exponent & 1))))
        return 0;
    return equation || (exponent & 1) ? 1 : 2;
}

/* Divides out the factors of constraint i whose signs are known; true if that changed it. */
static bool factors_reduce(struct system *s, size_t i)
{
    struct constraint *c = &s->at.at[i];
    fmpz_mpoly_struct *p = question_polynomial(s->q, (struct constraint){c->poly, RELATION_GE});
    if (p->length < 1 || p->length > FACTOR_TERMS || plainly_irreducible(s, p))
        return false;
    fmpz_mpoly_factor_t factors;
    fmpz_mpoly_factor_init(factors, s->q->ctx);
    bool split = fmpz_mpoly_factor(factors, p, s->q->ctx) &&
                 (factors->num > 1 || (factors->num == 1 && !fmpz_is_one(factors->exp)));
    fmpz_mpoly_struct *left = mpoly_new(s->q);
    bool changed = false, turn = fmpz_sgn(factors->constant) < 0;
    fmpz_mpoly_one(left, s->q->ctx);
    for (slong k = 0; split && k < factors->num; k++) {
        ulong exponent = fmpz_get_ui(factors->exp + k);
        ulong kept =
            exponent_left(signs_find(s, i, factors->poly + k), c->relation, exponent, &turn);
        changed |= kept != exponent;
        for (ulong e = 0; e < kept; e++)
            fmpz_mpoly_mul(left, left, factors->poly + k, s->q->ctx);
    }
    fmpz_mpoly_factor_clear(factors, s->q->ctx);
    if (!changed)
        return false;
    c->poly = ring_poly(s, left);
    if (turn)
        c->poly = poly_neg(c->poly);
    return true;
}

static struct constraint constraint_false(const struct system *s)
{
    return (struct constraint){poly_integer(s->ring, 1), RELATION_EQ};
}

/* The signs that a relation allows. */
static unsigned relation_signs(enum relation relation)
{
    return (relation_holds(relation, -1) ? SIGN_NEGATIVE : 0) |
           (relation_holds(relation, 0) ? SIGN_ZERO : 0) |
           (relation_holds(relation, 1) ? SIGN_POSITIVE : 0);
}

static enum relation signs_relation(unsigned signs)
{
    for (enum relation relation = RELATION_EQ; relation < RELATION_GE; relation++)
        if (relation_signs(relation) == signs)
            return relation;
    return RELATION_GE;
}

/* Joins constraint j into the earlier i if both are about one polynomial up to a factor; true if
   they are. */
static bool constraints_join(struct system *s, size_t i, size_t j)
{
    const fmpz_mpoly_ctx_struct *ctx = s->ring->ctx->zctx;
    struct constraint *a = &s->at.at[i], *b = &s->at.at[j];
    if (!fmpz_mpoly_equal(a->poly->value->zpoly, b->poly->value->zpoly, ctx))
        return false;
    bool opposite = fmpq_sgn(a->poly->value->content) != fmpq_sgn(b->poly->value->content);
    unsigned own = relation_signs(a->relation), other = relation_signs(b->relation);
    unsigned both = own & (opposite ? signs_turn(other) : other);
    if (both)
        a->relation = signs_relation(both);
    else
        *a = constraint_false(s);
    constraint_remove(s, j);
    return true;
}

static bool system_join(struct system *s)
{
    bool changed = false;
    for (size_t i = 0; i < s->at.count; i++)
        for (size_t j = s->at.count; j-- > i + 1;)
            changed |= constraints_join(s, i, j);
    return changed;
}

/* Constants go: true ones leave the system, a false one is all that stays. */
static bool constants_drop(struct system *s)
{
    size_t before = s->at.count;
    for (size_t i = s->at.count; i-- > 0;) {
        struct constraint c = s->at.at[i];
        if (!poly_is_constant(c.poly))
            continue;
        int sign = poly_is_zero(c.poly) ? 0 : fmpq_sgn(c.poly->value->content);
        if (!relation_holds(c.relation, sign)) {
            s->at.at[0] = constraint_false(s);
            s->at.count = 1;
            return before > 1;
        }
        constraint_remove(s, i);
    }
    return s->at.count < before;
}

static enum relation relation_strict(enum relation relation)
{
    return relation == RELATION_LE ? RELATION_LT : relation == RELATION_GE ? RELATION_GT : relation;
}

/* Are the inequalities strict next to the known point, all variables of one constraint after the
   other moved up? Limits stand on the greater side of their constraints. */
static bool open_point_is_near(const struct system *s)
{
    int64_t point[RING_CAPACITY];
    if (!s->inside)
        return false;
    memcpy(point, s->inside, (size_t)s->ring->count * sizeof *point);
    for (size_t i = 0; i < s->at.count; i++) {
        struct constraint strict = {s->at.at[i].poly, relation_strict(s->at.at[i].relation)};
        for (int v = s->ring->count; v-- > 0 && constraint_holds(strict, point) != 1;)
            if (poly_uses(strict.poly, v))
                point[v]++;
    }
    for (size_t i = 0; i < s->at.count; i++) {
        struct constraint strict = {s->at.at[i].poly, relation_strict(s->at.at[i].relation)};
        if (constraint_holds(strict, point) != 1)
            return false;
    }
    return sas_holds(s->context, point) == 1;
}

/* Is there a point where all inequalities hold strictly? */
static bool open_point_exists(const struct system *s)
{
    if (open_point_is_near(s))
        return true;
    struct arena *scratch = arena_new();
    const struct solver_options options = {.steps = STEPS};
    struct solver *solver = solver_new(scratch, s->ring, &options);
    solver_assert_all(solver, s->context);
    for (size_t i = 0; i < s->at.count; i++)
        solver_assert(solver,
                      (struct constraint){s->at.at[i].poly, relation_strict(s->at.at[i].relation)});
    bool found = solver_check(solver) == SAS_NONEMPTY;
    arena_free(scratch);
    return found;
}

/* p <= 0 is p = 0 where the others imply p >= 0. True if that was so somewhere. */
static bool bounds_close(struct system *s)
{
    bool changed = false;
    if (open_point_exists(s))
        return false;
    for (size_t i = 0; i < s->at.count; i++) {
        struct constraint *c = &s->at.at[i];
        enum relation strict = relation_strict(c->relation);
        if (strict == c->relation || poly_is_constant(c->poly) ||
            !system_refutes(s, i, (struct constraint){c->poly, strict}))
            continue;
        c->relation = RELATION_EQ;
        changed = true;
    }
    return changed;
}

/* Constraint i as "variable = value": the variable; -1 if it is none. */
static int value_variable(const struct system *s, size_t i, const struct poly **value)
{
    struct constraint c = s->at.at[i];
    if (c.relation != RELATION_EQ || poly_total_degree(c.poly) != 1)
        return -1;
    for (int v = 0; v < s->ring->count; v++) {
        if (!poly_uses(c.poly, v))
            continue;
        const struct poly *rest = poly_coefficient(c.poly, v, 0);
        *value = poly_divide_exact(poly_neg(rest), poly_coefficient(c.poly, v, 1));
        return poly_is_constant(rest) ? v : -1;
    }
    return -1;
}

/* Puts the values of variables into the other constraints. */
static bool values_put(struct system *s)
{
    bool changed = false;
    for (size_t i = 0; i < s->at.count; i++) {
        const struct poly *value = NULL;
        int v = value_variable(s, i, &value);
        for (size_t j = 0; v >= 0 && value && j < s->at.count; j++) {
            const struct poly *p = i != j && poly_uses(s->at.at[j].poly, v)
                                       ? poly_substitute(s->at.at[j].poly, v, value)
                                       : NULL;
            if (!p)
                continue;
            s->at.at[j].poly = p;
            changed = true;
        }
    }
    return changed;
}

/* --- the whole ------------------------------------------------------------------------------- */

/* Coefficients without a common factor. */
static struct constraint constraint_primitive(const struct system *s, struct constraint c)
{
    if (poly_is_zero(c.poly))
        return c;
    struct poly *p = poly_new(s->ring);
    poly_primitive(p->value->zpoly, c.poly);
    if (fmpz_sgn(p->value->zpoly->coeffs) < 0)
        fmpz_mpoly_neg(p->value->zpoly, p->value->zpoly, s->ring->ctx->zctx);
    fmpz_set_si(fmpq_numref(p->value->content), fmpq_sgn(c.poly->value->content));
    return (struct constraint){p, c.relation};
}

/* The question with the variables of system and context, and what the context alone says about
   signs. */
static void known_make(struct system *s)
{
    struct sas all = sas_join(s->scratch, s->context, (struct sas){s->ring, s->at.at, s->at.count});
    s->q = question_new(s->scratch, s->ring, all.at, all.count, SIGN_STEPS);
    struct state *state = question_state(s->q);
    bool consistent = true;
    for (size_t i = 0; consistent && i < s->context.count; i++)
        consistent = question_assert(s->q, state, i, s->context.at[i]);
    s->known = consistent && state_settle(s->q, state) ? state : NULL;
}

/* What costs no question. */
static void system_tidy(struct system *s)
{
    while (constants_drop(s) | system_join(s) | values_put(s))
        ;
}

static bool system_rewrite(struct system *s)
{
    bool changed = false;
    for (size_t i = 0; i < s->at.count; i++)
        changed |= factors_reduce(s, i);
    return bounds_close(s) || changed;
}

struct sas sas_simplify(struct arena *arena, struct sas sas, struct sas context,
                        const int64_t *inside)
{
    struct system s;
    system_begin(&s, arena, sas, context, inside);
    for (size_t i = 0; i < context.count; i++)
        if (!context.at[i].poly)
            return system_end(&s);
    for (size_t i = 0; i < s.at.count; i++) {
        if (!s.at.at[i].poly)
            return system_end(&s);
        s.at.at[i] = constraint_primitive(&s, s.at.at[i]);
    }
    known_make(&s);
    for (bool changed = true; changed;) {
        system_tidy(&s);
        system_minimise(&s);
        changed = system_rewrite(&s);
    }
    return system_end(&s);
}
