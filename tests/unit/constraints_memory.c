/* Rounds of push, assert, check and pop use no more memory than the largest of them: one solver,
   systems drawn from a table of conjunctions and formulas (linear, of kernels, of higher degree for
   the coverings, Boolean structure, integers), with witnesses, cores and certificates asked for in
   between. After a warm-up of a quarter of the rounds neither the solver's arena nor the process
   may grow: the arena not at all, the greatest resident size of the last quarter (of SAMPLES
   samples in all) by less than SLACK over that of the first (the allocator's own keeping). The same
   draws are made REPEATS times, so that the dearest systems lie in the warm-up. First argument: the
   number of rounds; 300 in make check, 5,000 in make check-all, 100,000 in make bench-solver. A
   second prints the samples. */
#include "constraints/solve.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SLACK = 1 << 20, SAMPLES = 80, REPEATS = 5 };

/* Over reals x y z w s B Z R and integers i j; '&' joins the assertions of a system, '|' makes an
   assertion a disjunction. */
static const char *const SYSTEMS[] = {
    "2*s*B + 2 > Z & 2*B + 2 <= Z & B >= 1 & s >= 1 & R >= 9",
    "2*s*B + 2 > Z & s == 1 & 2*B + 2 <= Z",
    "s*B <= Z & s > Z & B >= 1 & Z >= 1",
    "x + y + z <= 3 & x >= 1 & y >= 1 & z >= 1",
    "x + y < 1 & x - y > 1 & y > 0",
    "x^2 + y^2 < 1 & x*y > 1",
    "x^2 + y^2 == 2 & x*y == 1 & x < 0",
    "x^2 + y^2 + z^2 < 1 & x + y + z > 2",
    "x^2 == 2 & y^2 == x & z*y > 1",
    "x^3 - 3*x + 1 == 0 & y^2 < x & y > 1/2",
    "x^3 + y^3 == z & z^2 + x*y < 1 & x + z > 1",
    "x^2*y + y^2*z + z^2*x == 1 & x + y + z == 0 & x > y & y > z",
    "x^2 + y^2 - 4 == 0 & x^2 - y - 1 < 0 & y < 0 & x > 1",
    "x*y*z > 1 & x + y + z < 1 & x^2 + y^2 + z^2 < 4",
    "x < 0 | x > 1 & x^2 < x",
    "x^2 + y^2 < 1 | x*y > 3 & x + y > 2 | x + y < -5 & x == y",
    "x*y == 1 | x*y == -1 & x^2 + y^2 < 1 | x + y == 7",
    "i^2 + j^2 == 25 & i > j & j > 0",
    "i >= 0 & i <= 7 & j >= 0 & j <= 7 & i*j == 13",
    "2*i == 4*j + 1 & i >= 0 & i <= 100 & j >= 0 & j <= 100",
    "w^4 + x*w^3 + 1 < 0 & x > -1 & x < 1",
    "w^2 + x*w + y < 0 & x^2 - 4*y < 0",
};
enum { SYSTEM_COUNT = sizeof SYSTEMS / sizeof *SYSTEMS, PARTS = 8 };

struct table {
    const struct formula *part[SYSTEM_COUNT][PARTS];
    size_t parts[SYSTEM_COUNT];
};

/* One assertion: constraints with | between them. */
static const struct formula *formula_read(struct arena *arena, struct ring *ring, char *text)
{
    const struct formula *at[PARTS];
    size_t count = 0;
    for (char *next = text; next; text = next) {
        struct constraint c;
        const char *error;
        next = strchr(text, '|');
        if (next)
            *next++ = '\0';
        if (!constraint_read(ring, text, &c, &error)) {
            printf("%s: %s\n", text, error);
            exit(2);
        }
        at[count++] = formula_atom(arena, c);
    }
    return formula_or(arena, at, count);
}

static void table_read(struct arena *arena, struct ring *ring, struct table *table)
{
    for (size_t i = 0; i < SYSTEM_COUNT; i++) {
        char *text = arena_strdup(arena, SYSTEMS[i]);
        for (char *next = text; next; text = next) {
            next = strchr(text, '&');
            if (next)
                *next++ = '\0';
            table->part[i][table->parts[i]++] = formula_read(arena, ring, text);
        }
    }
}

static size_t resident(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%*u %lu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Two systems on top of each other, a check after each. */
static void round_run(struct solver *solver, const struct table *table, unsigned seed,
                      unsigned long verdicts[3])
{
    size_t first = seed % SYSTEM_COUNT, second = seed / SYSTEM_COUNT % SYSTEM_COUNT, count;
    solver_push(solver);
    for (size_t k = 0; k < table->parts[first]; k++)
        solver_assert_formula(solver, table->part[first][k]);
    verdicts[solver_check(solver)]++;
    solver_push(solver);
    for (size_t k = 0; k < table->parts[second]; k++)
        solver_assert_formula(solver, table->part[second][k]);
    enum verdict verdict = solver_check(solver);
    verdicts[verdict]++;
    if (verdict == SAS_NONEMPTY && seed % 2)
        solver_witness(solver);
    if (verdict == SAS_EMPTY && seed % 3 == 0)
        solver_core(solver, &count);
    if (verdict != SAS_UNKNOWN && seed % 16 == 0)
        solver_certificate(solver);
    solver_pop(solver);
    if (seed % 4 == 0)
        solver_check(solver);
    solver_pop(solver);
}

/* The sanitizer would keep 256 MiB of freed memory from use. */
#ifdef __SANITIZE_ADDRESS__
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "quarantine_size_mb=0:thread_local_quarantine_size_kb=0";
}
#endif

int main(int argc, char **argv)
{
    struct check check = {0};
    unsigned long rounds =
                      argc > 1 ? strtoul(argv[1], NULL, 10) : (unsigned long)test_scale(300, 5000),
                  verdicts[3] = {0};
    /* The checker of answers has memory of its own, and a test of its own. */
    unsetenv("TREEFORK_CERTIFY");
    unsetenv("TREEFORK_DISTRUST");
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct solver_options options = {.steps = 200000};
    struct solver *solver = solver_new(arena, ring, &options);
    struct table table = {0};
    size_t warm = 0, warm_arena = 0, end = 0;
    uint64_t state = 11;
    table_read(arena, ring, &table);
    solver_integer(solver, ring_variable(ring, "i"));
    solver_integer(solver, ring_variable(ring, "j"));
    for (unsigned long r = 0; r < rounds; r++) {
        if (r % (rounds / REPEATS + 1) == 0)
            state = 11;
        state = state * 6364136223846793005u + 1442695040888963407u;
        round_run(solver, &table, (unsigned)(state >> 40), verdicts);
        if (r == rounds / 4)
            warm_arena = arena_size(arena);
        if ((r + 1) % (rounds / SAMPLES + 1) == 0) {
            size_t now = resident();
            warm = r <= rounds / 4 && now > warm ? now : warm;
            end = r >= rounds - rounds / 4 && now > end ? now : end;
            if (argc > 2)
                printf("round %lu: %.1f MiB resident\n", r + 1, (double)now / (1 << 20));
        }
    }
    printf("%lu rounds: %lu satisfiable, %lu unsatisfiable, %lu unknown; at most %.1f MiB in the "
           "first quarter, %.1f MiB in the last\n",
           rounds, verdicts[SAS_NONEMPTY], verdicts[SAS_EMPTY], verdicts[SAS_UNKNOWN],
           (double)warm / (1 << 20), (double)end / (1 << 20));
    check_that(&check, warm && end <= warm + SLACK, "the process grows from %zu to %zu bytes", warm,
               end);
    check_that(&check, arena_size(arena) == warm_arena,
               "the solver's arena grows from %zu to %zu bytes", warm_arena, arena_size(arena));
    check_that(&check, verdicts[SAS_NONEMPTY] > rounds / 20 && verdicts[SAS_EMPTY] > rounds / 20,
               "the systems are not mixed");
    arena_free(arena);
    solver_thread_end();
    return check_end(&check, "constraints_memory");
}
