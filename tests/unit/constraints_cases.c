/* Boolean structure, integers, cores, certificates, coverage and disjointness. Random formulas over
   small coefficients are compared with all points of a box: a point found by brute force forbids
   EMPTY; a witness is evaluated; over the integers with the box asserted the verdict must be brute
   force's. The seed is printed. */
#include "base/vec.h"
#include "constraints/check/check.h"
#include "constraints/solve.h"
#include "tests/unit/check.h"
#include "tests/unit/constraints_system.h"
#include <stdlib.h>
#include <string.h>

enum { SEED = 20261120, SYSTEMS_MOST = 600, BOX = 4 };

static struct check count;
static uint64_t state = SEED;

static int draw(int n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)((state >> 33) % (unsigned)n);
}

static struct constraint read(struct ring *ring, const char *text)
{
    struct constraint c = {0};
    const char *error = NULL;
    check_that(&count, constraint_read(ring, text, &c, &error), "%s: %s", text, error ? error : "");
    return c;
}

/* A polynomial in x, y of degree at most two with coefficients from -3 to 3. */
static const struct poly *random_poly(struct ring *ring)
{
    const struct poly *x = poly_variable(ring, 0), *y = poly_variable(ring, 1);
    const struct poly *monomials[] = {x, y, poly_mul(x, y), poly_mul(x, x), poly_mul(y, y)};
    const struct poly *p = poly_integer(ring, draw(9) - 4);
    for (int i = 0; i < 5; i++)
        if (draw(3) == 0)
            p = poly_add(p, poly_scale(monomials[i], draw(7) - 3, 1));
    return p;
}

static const struct formula *random_formula(struct ring *ring, int depth)
{
    struct arena *arena = ring_arena(ring);
    if (!depth || !draw(4))
        return formula_atom(arena, (struct constraint){random_poly(ring), (enum relation)draw(6)});
    const struct formula *at[3];
    for (int i = 0; i < 3; i++)
        at[i] = random_formula(ring, depth - 1);
    switch (draw(5)) {
    case 0: return formula_xor(arena, at[0], at[1]);
    case 1: return formula_not(arena, formula_and(arena, at, 3));
    case 2: return formula_and(arena, at, 2);
    case 3: return formula_ite(arena, at[0], at[1], at[2]);
    default: return formula_or(arena, at, 3);
    }
}

static bool holds_all(const struct formula *const *at, size_t n, const int64_t *point)
{
    for (size_t i = 0; i < n; i++)
        if (formula_holds(at[i], point) != 1)
            return false;
    return true;
}

/* The certificate of an answer is verified, or its checking is counted as not done; refuted is a
   failure. */
static void certificate_check(struct ring *ring, struct solver *solver,
                              const struct formula *const *at, size_t n, const bool *integer,
                              int outcomes[3])
{
    struct check_question question = {
        .ring = ring, .assertions = at, .count = n, .integer = integer};
    const char *certificate = solver_certificate(solver), *why = "none was found";
    enum check_outcome outcome =
        certificate ? check_certificate(ring_arena(ring), &question, certificate, &why)
                    : CHECK_UNCHECKED;
    check_that(&count, outcome != CHECK_REFUTED, "certificate: %s: %s", why, certificate);
    outcomes[outcome]++;
}

static void core_check(struct solver *solver, struct ring *ring, const struct formula *const *at,
                       const bool *integer)
{
    size_t members;
    const size_t *core = solver_core(solver, &members);
    for (size_t left_out = 0; left_out <= members; left_out++) {
        struct solver *other = solver_new(ring_arena(ring), ring, NULL);
        for (int v = 0; integer && v < 2; v++)
            solver_integer(other, v);
        for (size_t i = 0; i < members; i++)
            if (i != left_out)
                solver_assert_formula(other, at[core[i]]);
        enum verdict verdict = solver_check(other);
        check_that(&count, left_out == members ? verdict == SAS_EMPTY : verdict != SAS_EMPTY,
                   "core member %zu of %zu", left_out, members);
    }
}

static void random_systems(bool integers)
{
    check_test(&count);
    static const bool all[RING_CAPACITY] = {true, true};
    int verdicts[3] = {0}, outcomes[3] = {0};
    printf("seed %d\n", SEED);
    for (int i = 0; i < test_scale(100, SYSTEMS_MOST); i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        ring_variable(ring, "x");
        ring_variable(ring, "y");
        VEC(const struct formula *) at = {0};
        static const char *const box[] = {"x >= -4", "x <= 4", "y >= -4", "y <= 4"};
        for (int j = 0; integers && j < 4; j++)
            vec_push(arena, &at, formula_atom(arena, read(ring, box[j])));
        for (int j = 0; j < 2; j++)
            vec_push(arena, &at, random_formula(ring, 2));
        struct solver *solver = solver_new(arena, ring, NULL);
        for (int v = 0; integers && v < 2; v++)
            solver_integer(solver, v);
        for (size_t j = 0; j < at.count; j++)
            solver_assert_formula(solver, at.at[j]);
        bool found = false;
        for (int64_t x = -BOX; !found && x <= BOX; x++)
            for (int64_t y = -BOX; !found && y <= BOX; y++)
                found = holds_all(at.at, at.count, (int64_t[]){x, y});
        enum verdict verdict = solver_check(solver);
        verdicts[verdict]++;
        check_that(&count, !(found && verdict == SAS_EMPTY), "system %d has a point", i);
        check_that(&count, !(integers && !found && verdict == SAS_NONEMPTY),
                   "system %d has no integer point", i);
        check_that(&count, verdict != SAS_UNKNOWN, "system %d: %s", i,
                   verdict == SAS_UNKNOWN ? solver_reason(solver) : "");
        if (verdict != SAS_UNKNOWN)
            certificate_check(ring, solver, at.at, at.count, integers ? all : NULL, outcomes);
        if (verdict == SAS_EMPTY)
            core_check(solver, ring, at.at, integers ? all : NULL);
        arena_free(arena);
    }
    printf("%s: %d empty, %d nonempty, %d unknown; certificates: %d verified, %d unchecked\n",
           integers ? "integers" : "reals", verdicts[SAS_EMPTY], verdicts[SAS_NONEMPTY],
           verdicts[SAS_UNKNOWN], outcomes[CHECK_VERIFIED], outcomes[CHECK_UNCHECKED]);
}

/* Parts in a region: covered? disjoint? */
static const struct {
    const char *region, *parts[4];
    int covers, disjoint;
} partitions[] = {
    {"x >= 0", {"x < 3", "x >= 3"}, 1, 1},
    {"x >= 0", {"x < 3", "x > 3"}, 0, 1},
    {"x >= 0", {"x <= 3", "x >= 3"}, 1, 0},
    {"B >= 1; s >= 1; R >= 9",
     {"2*s*B + 2 <= Z", "2*B + 2 <= Z; Z < 2*s*B + 2", "Z < 2*B + 2"},
     1,
     1},
    {"B >= 1; R >= 9", {"2*s*B + 2 <= Z", "2*B + 2 <= Z; Z < 2*s*B + 2", "Z < 2*B + 2"}, 1, 0},
    {"x^2 + y^2 <= 4", {"y >= x^2 - 2", "y <= x^2 - 2"}, 1, 0},
    {"x^2 + y^2 < 1", {"x*y > 0", "x*y < 0"}, 0, 1},
    {"x^2 == 2", {"x > 1.41", "x < 0"}, 1, 1},
};

static void partition_tests(void)
{
    check_test(&count);
    for (size_t i = 0; i < sizeof partitions / sizeof *partitions; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        struct sas region = system_read(ring, partitions[i].region), parts[4];
        size_t n = 0, first = 9, second = 9;
        for (; n < 4 && partitions[i].parts[n]; n++)
            parts[n] = system_read(ring, partitions[i].parts[n]);
        const struct witness *gap = NULL;
        int covers = sas_covers(arena, region, parts, n, &gap),
            disjoint = sas_disjoint(region, parts, n, &first, &second);
        check_that(&count, covers == partitions[i].covers && (covers || gap),
                   "partition %zu covers: %d", i, covers);
        check_that(&count, disjoint == partitions[i].disjoint && (disjoint || first < second),
                   "partition %zu disjoint: %d", i, disjoint);
        arena_free(arena);
    }
}

/* A remembered model or core must not outlive what it rests on. */
static void remembering(void)
{
    check_test(&count);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct solver *solver = solver_new(arena, ring, NULL);
    solver_assert(solver, read(ring, "x > 0"));
    solver_push(solver);
    solver_assert(solver, read(ring, "x < 0"));
    check_that(&count, solver_check(solver) == SAS_EMPTY, "x > 0, x < 0");
    solver_push(solver);
    solver_assert(solver, read(ring, "y > 0"));
    check_that(&count, solver_check(solver) == SAS_EMPTY, "still");
    solver_pop(solver);
    solver_pop(solver);
    check_that(&count, solver_check(solver) == SAS_NONEMPTY, "taken back");
    solver_push(solver);
    solver_assert(solver, read(ring, "x < 5"));
    check_that(&count, solver_check(solver) == SAS_NONEMPTY && solver_witness(solver)->count == 2,
               "another in the same place");
    solver_integer(solver, ring_find(ring, "x"));
    solver_assert(solver, read(ring, "2*x == 3"));
    check_that(&count, solver_check(solver) == SAS_EMPTY, "no integer");
    arena_free(arena);
}

int main(void)
{
    random_systems(false);
    random_systems(true);
    partition_tests();
    remembering();
    return check_end(&count, "constraints_cases");
}
