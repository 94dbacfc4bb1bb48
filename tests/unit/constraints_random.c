/* Random two-way properties, with a printed seed (the first argument sets it, the second the number
   of rounds): print and read, arithmetic against direct evaluation, the solver and the integer
   search against all points of a small box, minimal systems against the systems they come from. An
   EMPTY verdict must leave no point in the box and a core without points; a witness must hold;
   every system must be decided. */
#include "constraints/check/check.h"
#include "constraints/solve.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 3, LOW = -3, HIGH = 4 };

static struct check results;
static unsigned long unknown, empty, nonempty;
static uint64_t state;

static unsigned random_below(unsigned n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)((state >> 33) % n);
}

static int random_between(int lo, int hi)
{
    return lo + (int)random_below((unsigned)(hi - lo + 1));
}

static void check(bool good, const char *what, struct sas sas)
{
    if (good) {
        results.passed++;
        return;
    }
    results.failed++;
    struct str text = str_new(ring_arena(sas.ring));
    for (size_t i = 0; i < sas.count; i++) {
        str_add(&text, i ? "; " : "");
        constraint_print(&text, sas.at[i], 0);
    }
    printf("FAILED: %s: %s\n", what, text.text);
}

struct monomial {
    int coefficient;
    unsigned exponents[VARIABLES];
};

/* A polynomial of at most `count` terms, in the ring and as a plain table. */
static const struct poly *poly_random(struct ring *ring, struct monomial *table, size_t count)
{
    const struct poly *p = poly_integer(ring, 0);
    for (size_t i = 0; i < count; i++) {
        struct monomial *m = &table[i];
        m->coefficient = random_between(-4, 4);
        unsigned degree = random_below(4);
        memset(m->exponents, 0, sizeof m->exponents);
        const struct poly *term = poly_integer(ring, m->coefficient);
        for (unsigned d = 0; d < degree; d++) {
            unsigned v = random_below(VARIABLES);
            m->exponents[v]++;
            term = poly_mul(term, poly_variable(ring, (int)v));
        }
        p = poly_add(p, term);
    }
    return p;
}

static int64_t table_value(const struct monomial *table, size_t count, const int64_t *point)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t term = table[i].coefficient;
        for (int v = 0; v < VARIABLES; v++)
            for (unsigned e = 0; e < table[i].exponents[v]; e++)
                term *= point[v];
        sum += term;
    }
    return sum;
}

static struct ring *ring_make(struct arena *arena)
{
    static const char *const names[VARIABLES] = {"x", "y", "z"};
    struct ring *ring = ring_new(arena);
    for (int v = 0; v < VARIABLES; v++)
        ring_variable(ring, names[v]);
    return ring;
}

static void arithmetic_round(void)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_make(arena);
    struct sas none = sas_empty(ring);
    struct monomial a[5], b[3];
    const struct poly *p = poly_random(ring, a, 5), *q = poly_random(ring, b, 3);
    int64_t point[RING_CAPACITY] = {0}, value = 0;
    for (int v = 0; v < VARIABLES; v++)
        point[v] = random_between(-9, 9);
    int64_t pv = table_value(a, 5, point), qv = table_value(b, 3, point);
    check(poly_evaluate(p, point, &value) && value == pv, "value of a polynomial", none);
    check(poly_evaluate(poly_mul(p, q), point, &value) && value == pv * qv, "value of a product",
          none);
    check(poly_evaluate(poly_sub(p, q), point, &value) && value == pv - qv, "value of a difference",
          none);
    check(poly_sign_at(p, point, (const int64_t[RING_CAPACITY]){1, 1, 1}) == (pv > 0) - (pv < 0),
          "sign at a point", none);
    int64_t moved[RING_CAPACITY] = {point[0], qv, point[2]};
    check(poly_evaluate(poly_substitute(p, 1, q), point, &value) &&
              value == table_value(a, 5, moved),
          "substitution", none);
    const struct poly *scaled = poly_scale(p, random_between(-5, 5), random_between(1, 7));
    const char *text = poly_text(arena, scaled), *error = "";
    const struct poly *back = poly_read(ring, text, &error);
    check(back && poly_equal(back, scaled) && !strcmp(poly_text(arena, back), text), text, none);
    if (!poly_is_zero(q))
        check(poly_equal(poly_divide_exact(poly_mul(p, q), q), p), "exact quotient", none);
    struct constraint c = constraint_make(p, (enum relation)random_below(6), q), again;
    struct str printed = str_new(arena);
    constraint_print(&printed, c, random_below(8));
    check(constraint_read(ring, printed.text, &again, &error) && constraint_equal(c, again),
          printed.text, none);
    arena_free(arena);
}

/* A random constraint; where a point is given, one that holds there. */
static struct constraint constraint_random(struct ring *ring, const int64_t *planted)
{
    struct monomial table[3];
    size_t terms = 1 + random_below(3);
    const struct poly *p = poly_random(ring, table, terms);
    enum relation relation = (enum relation)random_below(6);
    int64_t slack = random_below(3), constant = random_between(-5, 5);
    if (planted)
        constant = table_value(table, terms, planted);
    if (planted && (relation == RELATION_LT || relation == RELATION_LE || relation == RELATION_NE))
        constant += slack + (relation != RELATION_LE);
    if (planted && (relation == RELATION_GT || relation == RELATION_GE))
        constant -= slack + (relation == RELATION_GT);
    return constraint_make(p, relation, poly_integer(ring, constant));
}

static struct sas system_random(struct ring *ring)
{
    struct sas sas = sas_empty(ring);
    unsigned count = 1 + random_below(5), bounded = random_below(2), plant = random_below(2);
    int64_t point[VARIABLES];
    for (int v = 0; v < VARIABLES; v++)
        point[v] = random_between(bounded ? 0 : LOW, HIGH);
    for (unsigned i = 0; i < count; i++)
        sas = sas_add(ring_arena(ring), sas, constraint_random(ring, plant ? point : NULL));
    for (int v = 0; bounded && v < VARIABLES; v++)
        sas = sas_add(ring_arena(ring), sas,
                      constraint_make(poly_variable(ring, v), RELATION_GE,
                                      poly_integer(ring, plant ? random_between(0, (int)point[v])
                                                               : random_between(0, 2))));
    return sas;
}

/* The next point of the box; false after the last one. */
static bool point_next(int64_t *point)
{
    for (int v = 0; v < VARIABLES; v++) {
        if (++point[v] <= HIGH)
            return true;
        point[v] = LOW;
    }
    return false;
}

static void point_first(int64_t *point)
{
    for (int v = 0; v < VARIABLES; v++)
        point[v] = LOW;
}

static bool box_has_point(struct sas sas)
{
    int64_t point[RING_CAPACITY] = {0};
    point_first(point);
    do {
        if (sas_holds(sas, point) == 1)
            return true;
    } while (point_next(point));
    return false;
}

static bool box_equal(struct sas a, struct sas b)
{
    int64_t point[RING_CAPACITY] = {0};
    point_first(point);
    do {
        if (sas_holds(a, point) != sas_holds(b, point))
            return false;
    } while (point_next(point));
    return true;
}

/* An irrational witness is judged by the independent checker. */
static bool certificate_holds(struct sas sas, struct solver *solver)
{
    struct arena *arena = ring_arena(sas.ring);
    const struct formula *f = formula_sas(arena, sas);
    struct check_question question = {.ring = sas.ring, .assertions = &f, .count = 1};
    const char *why;
    return check_certificate(arena, &question, solver_certificate(solver), &why) == CHECK_VERIFIED;
}

static bool witness_holds(struct sas sas, struct solver *solver)
{
    const struct witness *w = solver_witness(solver);
    if (w->algebraic)
        return certificate_holds(sas, solver);
    for (size_t i = 0; i < sas.count; i++) {
        static const unsigned allowed[] = {[RELATION_EQ] = 2, [RELATION_NE] = 5, [RELATION_LT] = 1,
                                           [RELATION_LE] = 3, [RELATION_GT] = 4, [RELATION_GE] = 6};
        int sign = poly_sign_at(sas.at[i].poly, w->numerator, w->denominator);
        if (!(allowed[sas.at[i].relation] >> (sign + 1) & 1))
            return false;
    }
    return true;
}

static struct sas core_system(struct solver *solver, struct sas sas)
{
    size_t count;
    const size_t *core = solver_core(solver, &count);
    struct sas part = sas_empty(sas.ring);
    for (size_t i = 0; i < count; i++)
        part = sas_add(ring_arena(sas.ring), part, sas.at[core[i]]);
    return part;
}

static void system_round(void)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_make(arena);
    struct sas sas = system_random(ring);
    struct solver *solver = solver_new(arena, ring, NULL);
    solver_assert_all(solver, sas);
    switch (solver_check(solver)) {
    case SAS_EMPTY:
        empty++;
        check(!box_has_point(sas), "EMPTY, but there is a point", sas);
        check(!box_has_point(core_system(solver, sas)), "a core with a point", sas);
        break;
    case SAS_NONEMPTY:
        nonempty++;
        check(witness_holds(sas, solver), "the witness does not hold", sas);
        break;
    case SAS_UNKNOWN:
        unknown++;
        check(false, solver_reason(solver), sas);
        break;
    }
    int64_t point[RING_CAPACITY] = {0}, lo[RING_CAPACITY], hi[RING_CAPACITY];
    point_first(lo);
    for (int v = 0; v < VARIABLES; v++)
        hi[v] = HIGH;
    int found = sas_integer_point(sas, lo, hi, 100000, point);
    check(found == box_has_point(sas), "integer point against the box", sas);
    check(found != 1 || sas_holds(sas, point) == 1, "the integer point does not hold", sas);
    arena_free(arena);
}

static void minimal_round(void)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_make(arena);
    struct sas sas = system_random(ring), context = sas_empty(ring);
    struct sas kept = sas_minimal(arena, sas, context);
    check(box_equal(sas, kept), "the minimal system is another one", sas);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 20240917,
                  rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 1500;
    state = seed;
    for (unsigned long i = 0; i < rounds; i++) {
        arithmetic_round();
        system_round();
        if (i % 4 == 0)
            minimal_round();
    }
    printf("seed %lu: %lu empty, %lu nonempty, %lu unknown\n", seed, empty, nonempty, unknown);
    return check_end(&results, "constraints_random");
}
