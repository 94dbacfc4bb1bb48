/* Integer points in boxes against brute force. A table of systems without an integer point in a
   large box, which must be proved absent within the default steps (parity, common divisors, roots,
   residues, real emptiness), and of systems with one that must be found. Then random systems with
   equations, inequalities and inequations (printed seed; first argument sets it, second the number
   of rounds) in random small boxes: the answer must be exact, and a point must hold and lie in its
   box. */
#include "constraints/solve.h"
#include "tests/unit/check.h"
#include "tests/unit/constraints_system.h"
#include <stdlib.h>
#include <string.h>

enum { VARIABLES = 3 };

static uint64_t state;

static int random_between(int lo, int hi)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return lo + (int)((state >> 33) % (unsigned)(hi - lo + 1));
}

static const struct {
    const char *text;
    int expected;
} table[] = {
    {"2*x + 4*y == 7", 0},
    {"6*x == 9*y + 1; x >= 5", 0},
    {"3 < 2*x; 2*x < 4", 0},
    {"2 < 3*x; 3*x < 3", 0},
    {"4*x*y <= 4*z + 3; 4*x*y >= 4*z + 1", 0},
    {"x^2 == 2", 0},
    {"x^3 == 5", 0},
    {"x^2 + y^2 == 4*z + 3", 0},
    {"x^2 == 3*y + 2", 0},
    {"x^2 + y^2 == 8*z^2 + 7*w^2; w == 1", 0},
    {"x + y == 2*z; x == y + 2*w + 1", 0},
    {"x^2 == 1000000000007", 0},
    {"2*x*y == 2*z*w + 1", 0},
    {"s >= 1; B >= 1; 64*s*B == 63", 0},
    {"x == 3; x*y == 100", 0},
    {"x == 6; x*y == 3*z + 1", 0},
    {"x*y >= 10; x + y <= 6", 0},
    {"x^2 + y^2 + z^2 < 1; x*y*z > 1", 0},
    {"x >= 1; y >= 1; x*y^2 == 50; x < 1", 0},
    {"2*x + 4*y == 6", 1},
    {"x^2 + y^2 == 25; x > 3; y > 2", 1},
    {"x^2 == 1000000; x > 0", 1},
    {"x*y == 143; x > 1; y > x", 1},
    {"s >= 1; B >= 1; 2*s*B + 2 <= Z; Z < 2*B + 4; 9 <= R", 1},
    {"7*x == 3*y + 1", 1},
};

static void table_check(struct check *check)
{
    check_test(check);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        struct sas sas = system_read(ring, table[i].text);
        int64_t point[RING_CAPACITY] = {0};
        int found = sas_integer_point(sas, NULL, NULL, 0, point);
        check_that(check, found == table[i].expected, "%s: %d", table[i].text, found);
        check_that(check, found != 1 || sas_holds(sas, point) == 1, "%s: the point does not hold",
                   table[i].text);
        arena_free(arena);
    }
}

static const struct poly *poly_random(struct ring *ring)
{
    const struct poly *p = poly_integer(ring, random_between(-9, 9));
    int scale = random_between(1, 3);
    for (int t = random_between(1, 3); t > 0; t--) {
        const struct poly *term = poly_integer(ring, scale * random_between(-4, 4));
        for (int d = random_between(1, 3); d > 0; d--)
            term = poly_mul(term, poly_variable(ring, random_between(0, VARIABLES - 1)));
        p = poly_add(p, term);
    }
    return p;
}

static bool brute(struct sas sas, const int64_t *lo, const int64_t *hi)
{
    int64_t point[RING_CAPACITY] = {0};
    for (point[0] = lo[0]; point[0] <= hi[0]; point[0]++)
        for (point[1] = lo[1]; point[1] <= hi[1]; point[1]++)
            for (point[2] = lo[2]; point[2] <= hi[2]; point[2]++)
                if (sas_holds(sas, point) == 1)
                    return true;
    return false;
}

static void random_round(struct check *check, unsigned *absent)
{
    static const char *const names[VARIABLES] = {"x", "y", "z"};
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct str text = str_new(arena);
    int64_t lo[RING_CAPACITY] = {0}, hi[RING_CAPACITY] = {0}, point[RING_CAPACITY] = {0};
    for (int v = 0; v < VARIABLES; v++) {
        ring_variable(ring, names[v]);
        lo[v] = random_between(-9, 9);
        hi[v] = lo[v] + random_between(0, 9);
    }
    struct sas sas = sas_empty(ring);
    for (int i = random_between(1, 4); i > 0; i--) {
        struct constraint c = {poly_random(ring), random_between(0, 2)
                                                      ? (enum relation)random_between(0, 5)
                                                      : RELATION_EQ};
        sas = sas_add(arena, sas, c);
        constraint_print(&text, c, 0);
        str_add(&text, "; ");
    }
    bool expected = brute(sas, lo, hi);
    int found = sas_integer_point(sas, lo, hi, 100000, point);
    *absent += !expected;
    check_that(check, found == expected, "%s in [%d, %d] [%d, %d] [%d, %d]: %d", text.text,
               (int)lo[0], (int)hi[0], (int)lo[1], (int)hi[1], (int)lo[2], (int)hi[2], found);
    for (int v = 0; found == 1 && v < VARIABLES; v++)
        check_that(check, lo[v] <= point[v] && point[v] <= hi[v], "%s: a point outside of the box",
                   text.text);
    check_that(check, found != 1 || sas_holds(sas, point) == 1, "%s: the point does not hold",
               text.text);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    struct check check = {0};
    unsigned long seed = argc > 1 ? strtoul(argv[1], NULL, 10) : 1120;
    unsigned long rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 3000;
    unsigned absent = 0;
    state = seed;
    table_check(&check);
    check_test(&check);
    for (unsigned long i = 0; i < rounds; i++)
        random_round(&check, &absent);
    printf("seed %lu: %u of %lu random systems without a point\n", seed, absent, rounds);
    return check_end(&check, "constraints_integer");
}
