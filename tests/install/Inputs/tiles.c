/* A program of somebody else that asks the installed solver: which tiles fit, why others do not, and who says so. */
#include <constraints/check/check.h>
#include <constraints/project.h>
#include <stdio.h>

static struct constraint fact(struct ring *ring, const char *text)
{
    struct constraint c;
    const char *error = "";
    if (!constraint_read(ring, text, &c, &error))
        printf("%s: %s\n", text, error);
    return c;
}

int main(void)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    const struct formula *facts[] = {
        formula_atom(arena, fact(ring, "rows >= 4")), formula_atom(arena, fact(ring, "columns >= 4")),
        formula_atom(arena, fact(ring, "rows*columns <= words")), formula_atom(arena, fact(ring, "words <= 15")),
    };
    struct solver *solver = solver_new(arena, ring, NULL);
    for (size_t i = 0; i < 3; i++)
        solver_assert_formula(solver, facts[i]);
    solver_push(solver);
    solver_assert_formula(solver, facts[3]);
    if (solver_check(solver) == SAS_EMPTY) {
        size_t count;
        solver_core(solver, &count);
        struct check_question question = {.ring = ring, .assertions = facts, .count = 4};
        const char *why = "no certificate", *certificate = solver_certificate(solver);
        printf("empty, %zu needed, %s\n", count,
               certificate && check_certificate(arena, &question, certificate, &why) == CHECK_VERIFIED ? "verified" : why);
    }
    solver_pop(solver);
    if (solver_check(solver) == SAS_NONEMPTY)
        printf("nonempty, words = %lld\n", (long long)solver_witness(solver)->numerator[ring_find(ring, "words")]);
    struct sas sas;
    formula_is_sas(arena, ring, formula_and(arena, facts, 3), &sas);
    int gone[] = {ring_find(ring, "columns")};
    const struct formula *left = sas_project(arena, sas, gone, 1, NULL, NULL);
    struct str text = str_new(arena);
    formula_print(&text, left, 0);
    printf("without columns: %s\n", text.text);
    arena_free(arena);
    solver_thread_end();
    return 0;
}
