/* Minimal and simplified systems. A table of systems with contexts and what must come out, printed;
   then random systems (printed seed; first argument sets it, second the number of rounds): the
   result has the truth of the original under the context at every point of a box, by brute force,
   and by the solver both ways; no constraint of it can be left out; simplifying again changes
   nothing. */
#include "constraints/solve.h"
#include "tests/unit/check.h"
#include "tests/unit/constraints_system.h"
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 3, LOW = -3, HIGH = 4 };

static uint64_t state;

static int random_between(int lo, int hi)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return lo + (int)((state >> 33) % (unsigned)(hi - lo + 1));
}

static const char *system_text(struct sas sas, uint64_t machine)
{
    struct str out = str_new(ring_arena(sas.ring));
    for (size_t i = 0; i < sas.count; i++) {
        str_add(&out, i ? "; " : "");
        constraint_print(&out, sas.at[i], machine);
    }
    return out.text;
}

static const struct {
    const char *context, *text, *expected;
} table[] = {
    /* Figure 7: the leaves of the 1D Jacobi example */
    {"1 <= s; 1 <= B; 1 <= Z_B; 1 <= R_B", "9 <= R_B; 2*s*B + 2 <= Z_B",
     "9 <= R_B; 2*s*B + 2 <= Z_B"},
    {"1 <= s; 1 <= B; 1 <= Z_B; 1 <= R_B",
     "9 <= R_B; 9 <= R_B; Z_B < 2*s*B + 2; 2*B + 2 <= Z_B; 5 <= R_B",
     "9 <= R_B; Z_B < 2*s*B + 2; 2*B + 2 <= Z_B"},
    {"1 <= s; 1 <= B; 1 <= Z_B; 1 <= R_B", "Z_B < 2*s*B + 2; 8 < R_B; 9 <= R_B; Z_B < 2*B + 2",
     "9 <= R_B; Z_B < 2*B + 2"},
    {"1 <= s; 1 <= B", "4*s*B + 4 <= 2*Z_B; 18 <= 2*R_B", "2*s*B + 2 <= Z_B; 9 <= R_B"},
    /* Figure 8: transposition */
    {"1 <= s; 1 <= B0; 1 <= B1", "6 <= R_B; 2*s*B0*B1 <= Z_B; 5 <= R_B",
     "6 <= R_B; 2*s*B0*B1 <= Z_B"},
    {"1 <= s; 1 <= B0; 1 <= B1", "5 <= R_B; R_B < 6; Z_B < 2*s*B0*B1; Z_B < 2*B0*B1",
     "5 <= R_B; R_B < 6; Z_B < 2*B0*B1"},
    {"1 <= s; 1 <= B0; 1 <= B1", "6 <= R_B; 2*s*B0*B1 <= Z_B; 2*B0*B1 <= Z_B",
     "6 <= R_B; 2*s*B0*B1 <= Z_B"},
    /* factors of known sign */
    {"1 <= s; 1 <= B", "s*B*Z_B <= 4*s*B", "Z_B <= 4"},
    {"1 <= s", "s*x^2 <= 4*s; x != 2", "x^2 <= 4; x != 2"},
    {"", "x <= -1; x*y < x*z", "x + 1 <= 0; z < y"},
    {"", "x^3 < 0", "x < 0"},
    {"", "x^2*y == 0", "x*y == 0"},
    {"", "x != 0; x^2*y <= 0", "x != 0; y <= 0"},
    {"", "x^2*y > 0", "0 < x^2*y"},
    {"x >= 0", "x*y > 0", "0 < x*y"},
    /* two about one polynomial */
    {"", "x*y <= 1; x*y >= 1", "x*y == 1"},
    {"", "x*y <= 1; x*y != 1", "x*y < 1"},
    {"", "x <= y; y < x + 1; y <= x", "x == y"},
    {"", "x < y; y < x", "1 == 0"},
    /* bounds that meet, values put in */
    {"", "x <= y; y <= z; z <= x", "x == y; y == z"},
    {"", "x == 3; x*y <= 6", "x == 3; y <= 2"},
    {"x <= 3", "3 <= x; y < x", "x == 3; y < 3"},
    /* nothing and everything */
    {"1 <= x", "0 < x; 0 <= x + 1", ""},
    {"1 <= x", "", ""},
    {"", "1 < 2", ""},
    {"", "2 < 1; x < y", "1 == 0"},
};

static void table_check(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        uint64_t machine = 1ull << ring_variable(ring, "Z_B") | 1ull << ring_variable(ring, "R_B");
        struct sas context = system_read(ring, table[i].context),
                   sas = system_read(ring, table[i].text);
        const char *text = system_text(sas_simplify(arena, sas, context, NULL), machine);
        check_that(check, !strcmp(text, table[i].expected), "%s under %s: %s, not %s",
                   table[i].text, table[i].context, text, table[i].expected);
        arena_free(arena);
    }
}

/* --- random systems -------------------------------------------------------------------------- */

static const struct poly *poly_random(struct ring *ring, int terms)
{
    const struct poly *p = poly_integer(ring, random_between(-3, 3));
    for (int i = 0; i < terms; i++) {
        const struct poly *term = poly_integer(ring, random_between(-2, 2));
        for (int d = random_between(1, 2); d > 0; d--)
            term = poly_mul(term, poly_variable(ring, random_between(0, VARIABLES - 1)));
        p = poly_add(p, term);
    }
    return p;
}

/* Often bounds, sometimes products with a factor that may have a known sign. */
static struct constraint constraint_random(struct ring *ring)
{
    enum relation relation = (enum relation)random_between(0, 5);
    const struct poly *x = poly_variable(ring, random_between(0, VARIABLES - 1));
    switch (random_between(0, 3)) {
    case 0:
        return constraint_make(x, relation == RELATION_EQ ? RELATION_LE : relation,
                               poly_integer(ring, random_between(-1, 2)));
    case 1: return (struct constraint){poly_mul(x, poly_random(ring, 1)), relation};
    default: return (struct constraint){poly_random(ring, random_between(1, 2)), relation};
    }
}

static struct sas system_random(struct ring *ring, int most)
{
    struct sas sas = sas_empty(ring);
    for (int i = random_between(0, most); i > 0; i--)
        sas = sas_add(ring_arena(ring), sas, constraint_random(ring));
    return sas;
}

static bool box_equal(struct sas a, struct sas b, struct sas context)
{
    int64_t point[RING_CAPACITY] = {LOW, LOW, LOW};
    for (int i = 0; i < (HIGH - LOW + 1) * (HIGH - LOW + 1) * (HIGH - LOW + 1); i++) {
        for (int v = 0, rest = i; v < VARIABLES; v++, rest /= HIGH - LOW + 1)
            point[v] = LOW + rest % (HIGH - LOW + 1);
        if (sas_holds(context, point) == 1 && sas_holds(a, point) != sas_holds(b, point))
            return false;
    }
    return true;
}

/* Does `from` with the context imply all of `to`, as far as the solver can tell? */
static bool implies_all(struct sas from, struct sas context, struct sas to)
{
    for (size_t i = 0; i < to.count; i++)
        if (sas_implies(sas_join(ring_arena(from.ring), context, from), to.at[i]) == 0)
            return false;
    return true;
}

static bool irreducible(struct sas sas, struct sas context)
{
    for (size_t i = 0; i < sas.count; i++) {
        struct sas rest = context;
        for (size_t j = 0; j < sas.count; j++)
            if (j != i)
                rest = sas_add(ring_arena(sas.ring), rest, sas.at[j]);
        if (sas_implies(rest, sas.at[i]) == 1)
            return false;
    }
    return true;
}

static struct sas simplify_alone(struct arena *arena, struct sas sas, struct sas context)
{
    return sas_simplify(arena, sas, context, NULL);
}

/* A point inside saves questions and changes nothing; one outside is not believed. */
static void points_check(struct check *check, struct sas sas, struct sas context)
{
    struct arena *arena = arena_new();
    const int64_t lo[RING_CAPACITY] = {-4, -4, -4}, hi[RING_CAPACITY] = {4, 4, 4};
    int64_t points[2][RING_CAPACITY] = {
        {0}, {random_between(-4, 4), random_between(-4, 4), random_between(-4, 4)}};
    const char *alone = system_text(sas_simplify(arena, sas, context, NULL), 0);
    bool inside = sas_integer_point(sas_join(arena, sas, context), lo, hi, 10000, points[0]) == 1;
    for (int i = inside ? 0 : 1; i < 2; i++) {
        const char *helped = system_text(sas_simplify(arena, sas, context, points[i]), 0);
        check_that(check, !strcmp(alone, helped), "%s: %s, with a point %s", system_text(sas, 0),
                   alone, helped);
    }
    arena_free(arena);
}

static void random_round(struct check *check)
{
    static const char *const names[VARIABLES] = {"x", "y", "z"};
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    for (int v = 0; v < VARIABLES; v++)
        ring_variable(ring, names[v]);
    struct sas context = system_random(ring, 2), sas = system_random(ring, 4);
    const char *given = system_text(sas, 0), *under = system_text(context, 0);
    for (int way = 0; way < 2; way++) {
        const char *what = way ? "simplified" : "minimal";
        struct sas (*simplify)(struct arena *, struct sas, struct sas) =
            way ? simplify_alone : sas_minimal;
        struct sas result = simplify(arena, sas, context);
        const char *text = system_text(result, 0);
        check_that(check, box_equal(sas, result, context), "%s under %s, %s: %s has other points",
                   given, under, what, text);
        check_that(check, implies_all(sas, context, result) && implies_all(result, context, sas),
                   "%s under %s, %s: %s is not equivalent", given, under, what, text);
        check_that(check, irreducible(result, context), "%s under %s, %s: %s is not minimal", given,
                   under, what, text);
        const char *again = system_text(simplify(arena, result, context), 0);
        check_that(check, !strcmp(text, again), "%s under %s, %s: %s becomes %s", given, under,
                   what, text, again);
    }
    points_check(check, sas, context);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 20261120;
    unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 300;
    state = seed;
    table_check(&check);
    check_test(&check);
    for (unsigned long i = 0; i < rounds; i++)
        random_round(&check);
    printf("seed %lu\n", seed);
    return check_end(&check, "constraints_simplify");
}
