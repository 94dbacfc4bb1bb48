/* Formulas: constructors, negation normal form against truth at all points of a small box (random
   formulas, printed seed), the questions, and both printed forms. */
#include "constraints/formula.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>

enum { SEED = 7, FORMULAS = 400 };

static struct check count;

static const struct formula *atom(struct ring *ring, const char *text)
{
    struct constraint c = {0};
    const char *error = NULL;
    check_that(&count, constraint_read(ring, text, &c, &error), "%s: %s", text, error ? error : "");
    return formula_atom(ring_arena(ring), c);
}

static uint64_t state = SEED;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33) % n;
}

static const struct formula *random_formula(struct ring *ring, int depth)
{
    static const char *const atoms[] = {"x < 1",      "x*y == 2", "y >= x",
                                        "x + y != 1", "x^2 <= y", "2*x > 3*y"};
    struct arena *arena = ring_arena(ring);
    if (!depth || !draw(5))
        return draw(12) ? atom(ring, atoms[draw(6)]) : draw(2) ? formula_true() : formula_false();
    const struct formula *a = random_formula(ring, depth - 1), *b = random_formula(ring, depth - 1);
    switch (draw(6)) {
    case 0: return formula_not(arena, a);
    case 1: return formula_xor(arena, a, b);
    case 2: return formula_ite(arena, random_formula(ring, depth - 1), a, b);
    case 3: return formula_implies(arena, a, b);
    case 4: return formula_or(arena, (const struct formula *[]){a, b}, 2);
    default: return formula_and(arena, (const struct formula *[]){a, b}, 2);
    }
}

static bool is_normal(const struct formula *f)
{
    if (f->kind == FORMULA_NOT || f->kind == FORMULA_XOR)
        return false;
    for (size_t i = 0; i < f->count; i++)
        if (!is_normal(f->at[i]))
            return false;
    return true;
}

static void normal_forms(void)
{
    check_test(&count);
    printf("seed %d\n", SEED);
    for (int i = 0; i < FORMULAS; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        ring_variable(ring, "x");
        ring_variable(ring, "y");
        const struct formula *f = random_formula(ring, 4), *yes = formula_nnf(arena, f, false),
                             *no = formula_nnf(arena, f, true);
        bool same = is_normal(yes) && is_normal(no);
        for (int64_t x = -2; x <= 3; x++)
            for (int64_t y = -2; y <= 3; y++) {
                int64_t point[] = {x, y};
                int holds = formula_holds(f, point);
                same &= formula_holds(yes, point) == holds && formula_holds(no, point) == !holds;
            }
        check_that(&count, same, "normal form of formula %d", i);
        arena_free(arena);
    }
}

static void texts(void)
{
    check_test(&count);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    ring_variable(ring, "Z");
    const struct formula *a = atom(ring, "2*s*B + 2 <= Z"), *b = atom(ring, "s == 1"),
                         *c = atom(ring, "s^2 > 4");
    const struct formula *f = formula_and(
        arena,
        (const struct formula *[]){a, formula_or(arena, (const struct formula *[]){b, c}, 2)}, 2);
    const struct formula *e = formula_exists(arena, ring_find(ring, "s"), f);
    struct str c_like = str_new(arena), smt = str_new(arena);
    formula_print(&c_like, e, 1);
    formula_print_smt(&smt, e);
    check_that(&count, !strcmp(c_like.text, "exists s: (2*s*B + 2 <= Z && (s == 1 || 4 < s^2))"),
               "%s", c_like.text);
    check_that(&count,
               !strcmp(smt.text,
                       "(exists ((s Real)) (and (<= (+ (* 2.0 s B) (* (- 1.0) Z) 2.0) 0.0) "
                       "(or (= (+ s (- 1.0)) 0.0) (> (+ (* s s) (- 4.0)) 0.0))))"),
               "%s", smt.text);
    check_that(&count, formula_quantified(e) && !formula_quantified(f), "quantified");
    check_that(&count,
               formula_uses(f, ring_find(ring, "s")) && !formula_uses(e, ring_find(ring, "s")) &&
                   formula_uses(e, ring_find(ring, "B")),
               "free variables");
    struct sas sas;
    check_that(&count,
               !formula_is_sas(arena, ring, f, &sas) &&
                   formula_is_sas(arena, ring, formula_not(arena, a), &sas) && sas.count == 1 &&
                   sas.at[0].relation == RELATION_GT,
               "systems");
    check_that(&count,
               formula_atom(arena, constraint_make(poly_integer(ring, 2), RELATION_LT,
                                                   poly_rational(ring, 5, 2))) == formula_true(),
               "constants");
    arena_free(arena);
}

int main(void)
{
    normal_forms();
    texts();
    return check_end(&count, "constraints_formula");
}
