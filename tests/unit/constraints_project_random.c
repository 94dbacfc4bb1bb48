/* Projection against sampling. Random systems in two to four variables, one or two of them
   projected away, of degree at most two in these. At random rational points of the free variables
   the truth of the result is compared with the solver's verdict on the system with the numbers put
   in, and with the projection of that system (a sentence); where some random value of the
   eliminated variables satisfies the system, the result must be true. Formulas with a universal and
   an existential quantifier are compared with the coverings' verdict on the sentences.
   Simplification is compared with what was simplified. `SEED` and `COUNT` in the environment. */
#include "constraints/cover/cover.h"
#include "constraints/project.h"
#include "tests/unit/check.h"
#include <stdlib.h>

static struct check check;
static uint64_t state;

static unsigned draw(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)(state >> 33) % n;
}

struct sample {
    int64_t numerator[RING_CAPACITY], denominator[RING_CAPACITY];
};

static struct sample sample_draw(void)
{
    struct sample sample;
    for (int v = 0; v < RING_CAPACITY; v++) {
        sample.numerator[v] = (int64_t)draw(13) - 6;
        sample.denominator[v] = draw(3) ? 1 : 1 + draw(4);
    }
    return sample;
}

/* Truth of a formula without quantifiers. */
static bool holds(const struct formula *f, const struct sample *at)
{
    switch (f->kind) {
    case FORMULA_TRUE: return true;
    case FORMULA_ATOM:
        return relation_holds(f->constraint.relation,
                              poly_sign_at(f->constraint.poly, at->numerator, at->denominator));
    case FORMULA_NOT: return !holds(f->at[0], at);
    case FORMULA_AND:
    case FORMULA_OR:
        for (size_t i = 0; i < f->count; i++)
            if (holds(f->at[i], at) != (f->kind == FORMULA_AND))
                return f->kind == FORMULA_OR;
        return f->kind == FORMULA_AND;
    default: return false;
    }
}

static const struct poly *poly_draw(struct ring *ring, int variables)
{
    const struct poly *p = poly_integer(ring, (int64_t)draw(9) - 4);
    for (unsigned terms = 1 + draw(3); terms-- > 0;) {
        const struct poly *term = poly_integer(ring, (int64_t)draw(7) - 3);
        unsigned degree = 1 + draw(2);
        while (degree-- > 0)
            term = poly_mul(term, poly_variable(ring, (int)draw((unsigned)variables)));
        p = poly_add(p, term);
    }
    return p;
}

static struct sas system_draw(struct ring *ring, int variables)
{
    struct sas sas = sas_empty(ring);
    for (unsigned n = 1 + draw(4); n-- > 0;)
        sas = sas_add(ring_arena(ring), sas,
                      (struct constraint){poly_draw(ring, variables), (enum relation)draw(6)});
    return sas;
}

/* The system at a point, the variables below `kept` left as they are. */
static struct sas system_at(struct sas sas, const struct sample *at, int kept)
{
    struct sas result = sas_empty(sas.ring);
    for (size_t i = 0; i < sas.count; i++) {
        const struct poly *p = sas.at[i].poly;
        for (int v = kept; v < ring_count(sas.ring); v++)
            p = poly_substitute(p, v,
                                poly_rational(sas.ring, at->numerator[v], at->denominator[v]));
        result = sas_add(ring_arena(sas.ring), result, (struct constraint){p, sas.at[i].relation});
    }
    return result;
}

static void system_report(struct sas sas, const struct formula *result, const struct sample *at,
                          const char *what)
{
    struct str out = str_new(ring_arena(sas.ring));
    formula_print(&out, formula_sas(ring_arena(sas.ring), sas), 0);
    str_add(&out, "  gives  ");
    formula_print(&out, result, 0);
    for (int v = 0; v < ring_count(sas.ring); v++)
        str_addf(&out, ", %s = %ld/%ld", ring_name(sas.ring, v), (long)at->numerator[v],
                 (long)at->denominator[v]);
    check_that(&check, false, "%s: %s", what, out.text);
}

struct tally {
    int systems, undecided, points, unknown;
};

/* The first `gone` variables are projected away. */
static void point_compare(struct sas sas, const struct formula *result, int gone,
                          struct tally *tally)
{
    struct sample at = sample_draw();
    struct sas inside = system_at(sas, &at, gone);
    bool truth = holds(result, &at);
    enum verdict verdict = sas_check(inside);
    tally->points++;
    tally->unknown += verdict == SAS_UNKNOWN;
    if (verdict != SAS_UNKNOWN && (verdict == SAS_NONEMPTY) != truth)
        system_report(sas, result, &at, "against the solver");
    int variables[] = {0, 1};
    const struct formula *sentence =
        sas_project(ring_arena(sas.ring), inside, variables, (size_t)gone, NULL, NULL);
    if (sentence && (sentence->kind != FORMULA_TRUE && sentence->kind != FORMULA_FALSE))
        system_report(inside, sentence, &at, "a sentence is not decided");
    else if (sentence && (sentence->kind == FORMULA_TRUE) != truth)
        system_report(sas, result, &at, "against the sentence");
    for (int i = 0; i < 20 && !truth; i++) {
        struct sample other = sample_draw();
        for (int v = 0; v < gone; v++) {
            at.numerator[v] = other.numerator[v];
            at.denominator[v] = other.denominator[v];
        }
        if (holds(formula_sas(ring_arena(sas.ring), sas), &at))
            system_report(sas, result, &at, "against a sample");
    }
}

static void projection_compare(struct tally *tally)
{
    static const char *const names[] = {"x", "y", "a", "b"};
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    int variables = 2 + (int)draw(3), gone = 1 + (int)draw(2), list[] = {0, 1};
    for (int v = 0; v < variables; v++)
        ring_variable(ring, names[v]);
    struct sas sas = system_draw(ring, variables);
    const struct formula *result = sas_project(arena, sas, list, (size_t)gone, NULL, NULL);
    tally->systems++;
    tally->undecided += !result;
    for (int i = 0; result && i < 8; i++)
        point_compare(sas, result, gone, tally);
    check.passed++;
    arena_free(arena);
}

/* --- quantifiers that change ----------------------------------------------------------------- */

/* Truth of a sentence with this prefix by the coverings alone: 1, 0, -1 (undecided). */
static int covering_truth(struct ring *ring, const struct formula *matrix, const int *order,
                          const char *quantifiers)
{
    struct arena *scratch = arena_new();
    struct budget budget = {.left = 2000000};
    struct engine_question question = {.assertions = &matrix,
                                       .count = 1,
                                       .order = order,
                                       .quantifiers = quantifiers,
                                       .levels = 2,
                                       .budget = &budget};
    int truth = engine_ask(engine_new(scratch, ring), scratch, &question).truth;
    arena_free(scratch);
    return truth;
}

/* A disjunction of systems with the variables from `kept` on put to numbers. */
static const struct formula *disjunction_at(struct arena *arena, const struct sas *parts,
                                            size_t count, const struct sample *at, int kept)
{
    const struct formula *list[3];
    for (size_t i = 0; i < count; i++)
        list[i] = formula_sas(arena, at ? system_at(parts[i], at, kept) : parts[i]);
    return formula_or(arena, list, count);
}

static void alternation_compare(struct tally *tally)
{
    static const char *const names[] = {"x", "y", "a", "b"};
    static const int order[] = {0, 1};
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    int variables = 3 + (int)draw(2);
    for (int v = 0; v < variables; v++)
        ring_variable(ring, names[v]);
    struct sas parts[3];
    size_t count = 1 + draw(3);
    for (size_t i = 0; i < count; i++)
        parts[i] = system_draw(ring, variables);
    bool first = draw(2);
    const struct formula *f = disjunction_at(arena, parts, count, NULL, 0);
    f = first ? formula_forall(arena, 1, f) : formula_exists(arena, 1, f);
    f = first ? formula_exists(arena, 0, f) : formula_forall(arena, 0, f);
    const struct formula *result = formula_eliminate(arena, ring, f, NULL, NULL);
    tally->systems++;
    tally->undecided += !result;
    for (int i = 0; result && i < 6; i++) {
        struct sample at = sample_draw();
        const struct formula *matrix = disjunction_at(arena, parts, count, &at, 2);
        int truth = matrix->kind == FORMULA_TRUE || matrix->kind == FORMULA_FALSE
                        ? matrix->kind == FORMULA_TRUE
                        : covering_truth(ring, matrix, order, first ? "ea" : "ae");
        tally->points++;
        tally->unknown += truth < 0;
        if (truth >= 0 && truth != holds(result, &at)) {
            struct str text = str_new(arena);
            formula_print_smt(&text, matrix);
            check_that(&check, false, "%s: %s is %d by the coverings",
                       first ? "E x, A y" : "A x, E y", text.text, truth);
        }
    }
    check.passed++;
    arena_free(arena);
}

/* A random formula of depth two and its simplification under a random context agree where the
   context holds. */
static void simplification_compare(struct tally *tally)
{
    static const char *const names[] = {"a", "b", "c"};
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    for (int v = 0; v < 3; v++)
        ring_variable(ring, names[v]);
    const struct formula *parts[3];
    for (int i = 0; i < 3; i++)
        parts[i] = formula_sas(arena, system_draw(ring, 3));
    const struct formula *either = formula_or(arena, parts, 2);
    const struct formula *whole[] = {either, formula_not(arena, parts[2])};
    const struct formula *f = draw(2) ? formula_and(arena, whole, 2) : formula_or(arena, whole, 2);
    struct sas context = system_draw(ring, 3);
    const struct formula *simple = formula_simplify(arena, ring, f, context);
    for (int i = 0; i < 30; i++) {
        struct sample at = sample_draw();
        tally->points++;
        if (holds(formula_sas(arena, context), &at) && holds(f, &at) != holds(simple, &at))
            system_report(context, simple, &at, "simplification under the context");
    }
    check.passed++;
    arena_free(arena);
}

int main(void)
{
    unsigned long seed = getenv("SEED") ? strtoul(getenv("SEED"), NULL, 10) : 20261;
    int count = getenv("COUNT") ? atoi(getenv("COUNT")) : 400;
    struct tally projected = {0}, alternating = {0}, simplified = {0};
    state = seed * 2654435761u + 1;
    for (int i = 0; i < count; i++)
        projection_compare(&projected);
    for (int i = 0; i < count / 4; i++) {
        alternation_compare(&alternating);
        simplification_compare(&simplified);
    }
    printf("seed %lu: %d systems, %d not eliminated; %d points, %d of them not decided by the "
           "solver; %d points simplified\n",
           seed, projected.systems, projected.undecided, projected.points, projected.unknown,
           simplified.points);
    printf("quantifiers that change: %d formulas, %d not eliminated; %d points, %d of them not "
           "decided by the coverings\n",
           alternating.systems, alternating.undecided, alternating.points, alternating.unknown);
    check_that(&check, projected.undecided * 50 <= projected.systems,
               "more than a fiftieth is not eliminated");
    check_that(&check, alternating.undecided * 10 <= alternating.systems,
               "more than a tenth with changing quantifiers is not eliminated");
    check_that(&check,
               projected.unknown * 20 <= projected.points &&
                   alternating.unknown * 20 <= alternating.points,
               "more than a twentieth has nothing to compare with");
    return check_end(&check, "constraints_project_random");
}
