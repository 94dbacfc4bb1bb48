/* Systems as text, each with the verdict expected of the solver; witnesses are checked by
   evaluation here too, and infeasible subsets are checked to be infeasible and irreducible. Then
   minimal systems and integer points. */
#include "constraints/solve.h"
#include "tests/unit/constraints_system.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <string.h>

static struct check results;

static void check(bool good, const char *what, const char *detail)
{
    if (good) {
        results.passed++;
        return;
    }
    results.failed++;
    printf("FAILED: %s: %s\n", what, detail);
}

static const struct {
    const char *text;
    enum verdict expected;
} systems[] = {
    {"", SAS_NONEMPTY},
    {"0 < 0", SAS_EMPTY},
    {"1 <= s; 1 <= B; 2*s*B + 2 <= Z; Z < 2*B + 2", SAS_EMPTY},
    {"1 <= s; 1 <= B; 2*B + 2 <= Z; Z < 2*s*B + 2; 9 <= R", SAS_NONEMPTY},
    {"1 <= s; 1 <= B0; 1 <= B1; 2*s*B0*B1 <= Z; Z < 2*B0*B1", SAS_EMPTY},
    {"1 <= s; 1 <= B0; 1 <= B1; 2*s*B0*B1 <= Z; 6 <= R; Z < 12288", SAS_NONEMPTY},
    {"x == 3; y == 2*x; y < 6", SAS_EMPTY},
    {"x == 3; y == 2*x; y <= 6", SAS_NONEMPTY},
    {"x != 0; x >= 0; x <= 0", SAS_EMPTY},
    {"x != 0; x >= 0; x <= 1", SAS_NONEMPTY},
    {"3 < 2*x; 2*x < 4", SAS_NONEMPTY},
    {"x < y; y < z; z < x", SAS_EMPTY},
    {"x < y; y < z; z <= x + 1", SAS_NONEMPTY},
    {"x >= 1; y >= 1; x*y < 1", SAS_EMPTY},
    {"x*y == 1; x >= 2; y >= 1", SAS_EMPTY},
    {"x + y + z + w <= 4; x - y >= 3; z - w >= 3; x + z <= 2; y + w >= 0", SAS_EMPTY},
    {"a >= 0; b >= 0; c >= 0; a + b >= 2*c + 1; b + c >= 2*a + 1; c + a >= 2*b + 1; a + b + c < 1",
     SAS_EMPTY},
    {"x^2 < 0", SAS_EMPTY},
    {"x^2 + 1 <= 2*x; x != 1", SAS_EMPTY},
    {"x^2 == 4; x < 0", SAS_NONEMPTY},
    {"x^2 < 2; x > 1", SAS_NONEMPTY},
    {"x^2 < 2; x^2 > 3", SAS_EMPTY},
    {"x*y > 0; x + y == 0", SAS_EMPTY},
    {"x*y < 0; x > y", SAS_NONEMPTY},
    {"x*y > 0; x*z > 0; y*z < 0", SAS_EMPTY},
    {"x^2 + y^2 < 1; x + y > 2", SAS_EMPTY},
    {"x^2 + y^2 < 1; x + y > 1", SAS_NONEMPTY},
};

static bool subset_empty(struct sas sas, const size_t *core, size_t count, size_t without)
{
    struct sas part = sas_empty(sas.ring);
    for (size_t i = 0; i < count; i++)
        if (i != without)
            part = sas_add(ring_arena(sas.ring), part, sas.at[core[i]]);
    return sas_check(part) == SAS_EMPTY;
}

static bool witness_good(struct sas sas, const struct witness *w)
{
    for (size_t i = 0; w && i < sas.count; i++) {
        int sign = poly_sign_at(sas.at[i].poly, w->numerator, w->denominator);
        enum relation r = sas.at[i].relation;
        bool holds = r == RELATION_EQ   ? !sign
                     : r == RELATION_NE ? sign
                     : r == RELATION_LT ? sign < 0
                     : r == RELATION_LE ? sign <= 0
                     : r == RELATION_GT ? sign > 0
                                        : sign >= 0;
        if (!holds)
            return false;
    }
    return w != NULL;
}

static void system_check(const char *text, enum verdict expected)
{
    check_test(&results);
    static const char *const names[] = {"empty", "nonempty", "unknown"};
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct sas sas = system_read(ring, text);
    struct solver *solver = solver_new(arena, ring, NULL);
    solver_assert_all(solver, sas);
    enum verdict verdict = solver_check(solver);
    check(verdict == expected, text,
          verdict == SAS_UNKNOWN ? solver_reason(solver) : names[verdict]);
    if (verdict == SAS_NONEMPTY)
        check(witness_good(sas, solver_witness(solver)), text, "the witness does not hold");
    if (verdict == SAS_EMPTY) {
        size_t count;
        const size_t *core = solver_core(solver, &count);
        check(subset_empty(sas, core, count, count), text, "the core is not infeasible");
        for (size_t i = 0; i < count; i++)
            check(!subset_empty(sas, core, count, i), text, "the core can be reduced");
    }
    arena_free(arena);
}

static const struct {
    const char *context, *system, *machine, *expected;
} minimal[] = {
    {"1 <= s; 1 <= B", "9 <= R_B; 2*s*B + 2 <= Z_B; 2*B + 2 <= Z_B", "R_B Z_B",
     "9 <= R_B; 2*s*B + 2 <= Z_B"},
    {"1 <= s; 1 <= B", "9 <= R_B; Z_B < 2*s*B + 2; 2*B + 2 <= Z_B", "R_B Z_B",
     "9 <= R_B; Z_B < 2*s*B + 2; 2*B + 2 <= Z_B"},
    {"1 <= s; 1 <= B", "9 <= R_B; Z_B < 2*s*B + 2; Z_B < 2*B + 2", "R_B Z_B",
     "9 <= R_B; Z_B < 2*B + 2"},
    {"1 <= s; 1 <= B0; 1 <= B1", "6 <= R_B; 5 <= R_B; Z_B < 2*s*B0*B1; 2*B0*B1 <= Z_B", "R_B Z_B",
     "6 <= R_B; Z_B < 2*s*B0*B1; 2*B0*B1 <= Z_B"},
    {"1 <= s; 1 <= B0; 1 <= B1", "R_B < 6; 5 <= R_B; Z_B < 2*s*B0*B1; Z_B < 2*B0*B1", "R_B Z_B",
     "R_B < 6; 5 <= R_B; Z_B < 2*B0*B1"},
    {"", "x <= 3; x < 4; x <= 3; 0 <= x", "", "x <= 3; 0 <= x"},
};

static void minimal_check(const char *context, const char *text, const char *machine,
                          const char *expected)
{
    check_test(&results);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct sas facts = system_read(ring, context), sas = system_read(ring, text);
    struct sas kept = sas_minimal(arena, sas, facts);
    uint64_t bits = 0;
    char *copy = arena_strdup(arena, machine), *save = NULL;
    for (char *name = strtok_r(copy, " ", &save); name; name = strtok_r(NULL, " ", &save))
        bits |= 1ull << ring_variable(ring, name);
    struct str out = str_new(arena);
    for (size_t i = 0; i < kept.count; i++) {
        str_add(&out, i ? "; " : "");
        constraint_print(&out, kept.at[i], bits);
    }
    check(!strcmp(out.text, expected), expected, out.text);
    arena_free(arena);
}

static const struct {
    const char *text;
    int expected;
} integers[] = {
    {"1 <= s; 1 <= B; 2*B + 2 <= Z; Z < 2*s*B + 2; 9 <= R", 1},
    {"2*x == 7", 0},
    {"3*x + 5*y == 7; x >= 0; y >= 0; x + y <= 100", 0},
    {"3*x + 5*y == 8; x >= 0; y >= 0; x + y <= 100", 1},
    {"x*x + y*y == z*z; x >= 1; y >= x; z <= 5", 1},
    {"x*x + y*y == z*z; x >= 1; y >= x; z <= 4", 0},
    {"x > 2*y; y >= 500000; x < 1000003", 1},
    {"x != y; x + y == 0; x >= 0; y >= 0", 0},
};

static void integer_check(const char *text, int expected)
{
    check_test(&results);
    struct arena *arena = arena_new();
    struct sas sas = system_read(ring_new(arena), text);
    int64_t point[RING_CAPACITY] = {0};
    int found = sas_integer_point(sas, NULL, NULL, 0, point);
    check(found == expected, text,
          found == 1 ? "a point was found"
          : found    ? "undecided"
                     : "no point was found");
    if (found == 1)
        check(sas_holds(sas, point) == 1, text, "the point does not hold");
    arena_free(arena);
}

/* Many rounds of push, check and pop leave the solver's arena as it was, and the answers too. */
static void rounds_check(void)
{
    check_test(&results);
    struct arena *arena = arena_new(), *own = arena_new();
    struct ring *ring = ring_new(arena);
    struct sas facts = system_read(ring, "1 <= s; 1 <= B; 9 <= R; 2*s*B + 2 <= Z");
    struct sas more = system_read(ring, "Z < 2*B + 2; Z < 4*B + 2");
    struct solver *solver = solver_new(own, ring, NULL);
    solver_assert_all(solver, facts);
    size_t size = 0;
    bool same = true;
    for (int i = 0; i < 3000; i++) {
        solver_push(solver);
        solver_assert(solver, more.at[i % 2]);
        same &= solver_check(solver) == (i % 2 ? SAS_NONEMPTY : SAS_EMPTY);
        solver_pop(solver);
        size = i == 10 ? arena_size(own) + arena_size(arena) : size;
    }
    check(same, "push and pop", "an answer changed");
    check(arena_size(own) + arena_size(arena) == size, "push and pop", "memory grows");
    arena_free(own);
    arena_free(arena);
}

int main(void)
{
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        system_check(systems[i].text, systems[i].expected);
    for (size_t i = 0; i < sizeof minimal / sizeof *minimal; i++)
        minimal_check(minimal[i].context, minimal[i].system, minimal[i].machine,
                      minimal[i].expected);
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        integer_check(integers[i].text, integers[i].expected);
    rounds_check();
    return check_end(&results, "constraints_solve");
}
