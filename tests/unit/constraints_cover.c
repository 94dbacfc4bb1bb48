/* Coverings: questions as text (assertions separated by ';', each a disjunction '|' of conjunctions
   '&' of constraints) with the truth expected. Every point found is evaluated exactly, every core
   is asked again, and random questions are compared with a grid of points. Quantified questions
   carry an order of variables with quantifiers. */
#include "constraints/check/check.h"
#include "constraints/cover/cover.h"
#include "constraints/cover/table.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>

enum { ASSERTIONS = 32 };

struct question {
    struct ring *ring;
    const struct formula *at[ASSERTIONS];
    size_t count;
};

static const struct formula *conjunction_read(struct ring *ring, char *text, struct check *check)
{
    struct arena *arena = ring_arena(ring);
    const struct formula *parts[ASSERTIONS];
    size_t count = 0;
    char *save = NULL;
    for (char *part = strtok_r(text, "&", &save); part; part = strtok_r(NULL, "&", &save)) {
        struct constraint c;
        const char *error = "";
        if (check_that(check, constraint_read(ring, part, &c, &error), "%s: %s", part, error))
            parts[count++] = formula_atom(arena, c);
    }
    return formula_and(arena, parts, count);
}

static struct question question_read(struct ring *ring, const char *text, struct check *check)
{
    struct arena *arena = ring_arena(ring);
    struct question q = {.ring = ring};
    char *save = NULL, *inner = NULL;
    for (char *a = strtok_r(arena_strdup(arena, text), ";", &save); a;
         a = strtok_r(NULL, ";", &save)) {
        const struct formula *parts[ASSERTIONS];
        size_t count = 0;
        for (char *part = strtok_r(a, "|", &inner); part; part = strtok_r(NULL, "|", &inner))
            parts[count++] = conjunction_read(ring, part, check);
        q.at[q.count++] = formula_or(arena, parts, count);
    }
    return q;
}

/* Truth of a formula at the sample by exact signs of its polynomials as they stand; -1
   undecided. */
static int truth_at(struct sample *sample, const struct table *table, const struct formula *f)
{
    if (f->kind == FORMULA_ATOM) {
        fmpz_mpoly_t p;
        fmpz_mpoly_init(p, table->ctx);
        table_convert(table, p, f->constraint.poly);
        int sign = sample_sign(sample, p);
        fmpz_mpoly_clear(p, table->ctx);
        return sign == SIGN_UNDECIDED ? -1 : relation_holds(f->constraint.relation, sign);
    }
    if (f->kind == FORMULA_TRUE || f->kind == FORMULA_FALSE)
        return f->kind == FORMULA_TRUE;
    for (size_t i = 0; i < f->count; i++) {
        int truth = truth_at(sample, table, f->at[i]);
        if (truth < 0 || truth == (f->kind == FORMULA_OR))
            return truth;
    }
    return f->kind == FORMULA_AND;
}

static struct engine_answer ask(struct engine *engine, struct arena *arena,
                                const struct question *q, struct budget *budget)
{
    struct engine_question question = {
        .assertions = q->at, .count = q->count, .certificate = true, .budget = budget};
    return engine_ask(engine, arena, &question);
}

/* The independent checker verifies the proof, or gives up on a large one. */
static void certificate_check(struct check *check, const struct question *q, const char *text,
                              const struct engine_answer *answer, struct arena *arena)
{
    const char *why = "there is none";
    enum check_outcome outcome = CHECK_REFUTED;
    struct check_question question = {
        .ring = q->ring, .assertions = q->at, .count = q->count, .steps = 20000000};
    if (answer->certificate)
        outcome = check_certificate(arena, &question,
                                    arena_printf(arena, "(unsat %s)", answer->certificate), &why);
    check->skipped += outcome == CHECK_UNCHECKED;
    if (outcome != CHECK_UNCHECKED)
        check_that(check, outcome == CHECK_VERIFIED, "%s: certificate refuted: %s", text, why);
}

/* A point satisfies what was asked; a core has no point either. */
static void answer_check(struct check *check, struct engine *engine, const struct question *q,
                         const char *text, const struct engine_answer *answer, struct arena *arena)
{
    struct budget budget = {.left = 100000000};
    if (answer->truth == 1) {
        struct table *table = table_new(arena, engine_context(engine));
        for (size_t i = 0; i < q->count; i++)
            check_that(check, truth_at(answer->sample, table, q->at[i]) == 1,
                       "%s: the point violates %zu", text, i);
    }
    if (answer->truth == 0) {
        struct question core = {.ring = q->ring};
        for (size_t i = 0; i < q->count; i++)
            if (answer->core[i])
                core.at[core.count++] = q->at[i];
        check_that(check, ask(engine, arena, &core, &budget).truth == 0, "%s: the core has points",
                   text);
        certificate_check(check, q, text, answer, arena);
    }
}

static void systems_check(struct check *check)
{
    check_test(check);
    static const struct {
        const char *text;
        int truth;
    } table[] = {
        {"x > 0", 1},
        {"x > 0; x < 0", 0},
        {"x^2 < 0", 0},
        {"x^2 + 1 <= 2*x; x != 1", 0},
        {"x^2 == 2", 1},
        {"x^2 == 2; x > 2", 0},
        {"x^2 == 2; y^3 == x; y < 0", 1},
        {"x^2 == 2; y^3 == x; y < 0; x > 0", 0},
        {"x^2 == 2; y^2 == 3; z == x + y; z^4 - 10*z^2 + 1 != 0", 0},
        {"x^2 == 2; y^2 == 3; z == x*y; z^2 == 6; z > 0; x < 0", 1},
        {"x^2 + y^2 < 1; x + y > 2", 0},
        {"x^2 + y^2 <= 1; x + y >= 1; x*y > 1/2", 0},
        {"x^2 + y^2 <= 1; x*y >= 1/2", 1},
        {"x^2 + y^2 <= 1; x*y >= 1/2; x != y", 0},
        {"x^2 + y^2 == 1; x^2 + 2*y^2 == 1; y != 0", 0},
        {"x^2 + y^2 + z^2 < 1; x + y + z > 2", 0},
        {"x^2 + y^2 + z^2 <= 1; x + y + z >= 1; x*y*z > 1/5", 0},
        {"x^2 + y^2 + z^2 == 1; x + y + z == 0; x*y*z > 0", 1},
        {"(x - 1)^2 + y^2 < 1; (x + 1)^2 + y^2 < 1", 0},
        {"(x - 1)^2 + y^2 <= 1; (x + 1)^2 + y^2 <= 1", 1},
        {"(x - 1)^2 + y^2 <= 1; (x + 1)^2 + y^2 <= 1; x != 0 | y != 0", 0},
        {"x*y == z; x == 0; y == 0; z != 0", 0},
        {"x*y == z; x == 0; y == 0", 1},
        {"x*y - z^2 == 0; x == 0; y == 0; z^2 > 0", 0},
        {"w*x + y*z == 0; x == 0; y == 0; w^2 + z^2 == 1; w*z == 2", 0},
        {"x*y + z*x^2 + y*z^2 == 0; x == 0; y*z > 0", 0},
        {"x^2 - y^2*z == 0; x == 0; y == 0; z < 0", 1},
        {"x^2 - y^2*z == 0; z < 0; x != 0 | y != 0", 0},
        {"y^2 < x*z; x*z < 0", 0},
        {"x > 0 | y > 0; x + y < 0; x*y > 0", 0},
        {"x > 0 | y > 0; x + y < 0; x*y >= 0", 0},
        {"x > 0 | y > 0; x + y < 0", 1},
        {"x > 1 & y > 1 | x < -1 & y < -1; x*y < 1", 0},
        {"x > 1 & y > 1 | x < -1 & y < -1; x*y < 2; x^2 + y^2 > 4", 1},
        {"a*x^2 + b*x + c == 0; b^2 - 4*a*c < 0; a != 0", 0},
        {"a*x^2 + b*x + c == 0; b^2 - 4*a*c < 0", 0},
        {"a*x^2 + b*x + c == 0; a*y^2 + b*y + c == 0; x != y; a != 0; b^2 == 4*a*c", 0},
        {"x^3 + y^3 == z^3; x > 0; y > 0; z < x", 0},
        {"x^4 + y^4 + z^4 + 1 < 4*x*y*z", 0},
        {"x^4 + y^4 + z^4 + 1 <= 4*x*y*z", 1},
        {"0 < 0", 0},
        {"0 <= 0", 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        struct question q = question_read(ring, table[i].text, check);
        struct engine *engine = engine_new(arena, ring);
        struct budget budget = {.left = 100000000};
        struct arena *scratch = arena_new();
        struct engine_answer answer = ask(engine, scratch, &q, &budget);
        check_that(check, answer.truth == table[i].truth, "%s: %d, not %d (%s)", table[i].text,
                   answer.truth, table[i].truth, budget.reason ? budget.reason : "");
        answer_check(check, engine, &q, table[i].text, &answer, scratch);
        arena_free(scratch);
        arena_free(arena);
    }
}

/* A random polynomial as text, small coefficients. */
static const char *polynomial_random(struct arena *arena, int variables, int degree)
{
    static const char names[] = "xyz";
    struct str text = str_new(arena);
    str_addf(&text, "%d", rand() % 7 - 3);
    for (int terms = 1 + rand() % 3; terms > 0; terms--) {
        str_addf(&text, " + (%d)", rand() % 7 - 3);
        for (int factors = 1 + rand() % degree; factors > 0; factors--)
            str_addf(&text, "*%c", names[rand() % variables]);
    }
    return text.text;
}

static const char *question_random(struct arena *arena, int variables)
{
    static const char *const relations[] = {"<", "<=", "==", "!=", ">", ">="};
    struct str text = str_new(arena);
    for (int n = 2 + rand() % 4; n > 0; n--) {
        for (int parts = rand() % 3 ? 1 : 2 + rand() % 2; parts > 0; parts--) {
            str_addf(&text, "%s %s 0", polynomial_random(arena, variables, 3),
                     relations[rand() % 6]);
            str_add(&text, parts == 1 ? "" : rand() % 2 ? " & " : " | ");
        }
        str_add(&text, n == 1 ? "" : "; ");
    }
    return text.text;
}

static bool grid_has_point(const struct question *q, int variables)
{
    int64_t point[RING_CAPACITY] = {0};
    for (int at = 0, end = variables == 2 ? 81 : 729; at < end; at++) {
        bool all = true;
        for (int v = 0, rest = at; v < variables; v++, rest /= 9)
            point[v] = rest % 9 - 4;
        for (size_t i = 0; i < q->count && all; i++)
            all = formula_holds(q->at[i], point) == 1;
        if (all)
            return true;
    }
    return false;
}

static void random_check(struct check *check, unsigned seed, int rounds)
{
    check_test(check);
    int decided = 0;
    printf("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < rounds; i++) {
        struct arena *arena = arena_new(), *scratch = arena_new();
        struct ring *ring = ring_new(arena);
        int variables = 2 + rand() % 2;
        for (int v = 0; v < variables; v++)
            ring_variable(ring, (const char *[]){"x", "y", "z"}[v]);
        const char *text = question_random(arena, variables);
        struct question q = question_read(ring, text, check);
        struct engine *engine = engine_new(arena, ring);
        struct budget budget = {.left = 3000000};
        struct engine_answer answer = ask(engine, scratch, &q, &budget);
        decided += answer.truth >= 0;
        if (answer.truth == 0)
            check_that(check, !grid_has_point(&q, variables), "%s: there is a point", text);
        answer_check(check, engine, &q, text, &answer, scratch);
        arena_free(scratch);
        arena_free(arena);
    }
    check_that(check, decided * 100 >= rounds * 95, "%d of %d random questions decided", decided,
               rounds);
}

static void quantified_check(struct check *check)
{
    check_test(check);
    static const struct {
        const char *text, *order, *quantifiers;
        int truth;
    } table[] = {
        {"y^3 + x*y == 1", "xy", "ae", 1},
        {"y^2 + x*y == -1", "xy", "ae", 0},
        {"x^2 - y == 0", "xy", "ae", 1},
        {"x^2 - y == 0", "yx", "ae", 0},
        {"y > x^2", "yx", "ea", 0},
        {"y > x^2 | x > 1 | x < -1", "yx", "ea", 1},
        {"x^2 + y^2 >= 2*x*y", "xy", "aa", 1},
        {"x^2 + y^2 > 2*x*y", "xy", "aa", 0},
        {"x^2 + y^2 > 2*x*y | x == y", "xy", "aa", 1},
        {"a*x^2 + b*x + c != 0 | b^2 - 4*a*c >= 0", "abcx", "aaaa", 1},
        {"a*x^2 + b*x + c != 0 | b^2 - 4*a*c > 0", "abcx", "aaaa", 0},
        {"b^2 - 4*a*c < 0 | a == 0 | a*x^2 + b*x + c == 0", "abcx", "aaae", 1},
        {"b^2 - 4*a*c < 0 | a*x^2 + b*x + c == 0", "abcx", "aaae", 0},
        {"x*y == z*z", "zxy", "aee", 1},
        {"z == x*y", "xzy", "aae", 0},
        {"x == 0 | z == x*y", "xzy", "aae", 1},
        {"x + y > 0; x - y > 0", "xy", "ea", 0},
        {"(x - y)^2 + z > 0", "zxy", "eaa", 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        struct question q = question_read(ring, table[i].text, check);
        int order[RING_CAPACITY];
        size_t levels = strlen(table[i].order);
        for (size_t l = 0; l < levels; l++)
            order[l] = ring_variable(ring, (char[]){table[i].order[l], 0});
        struct engine *engine = engine_new(arena, ring);
        struct budget budget = {.left = 100000000};
        struct engine_question question = {.assertions = q.at, .count = q.count, .order = order,
            .quantifiers = table[i].quantifiers, .levels = levels, .budget = &budget};
        int truth = engine_ask(engine, arena, &question).truth;
        check_that(check, truth == table[i].truth, "%s %s: %s: %d, not %d (%s)",
                   table[i].quantifiers, table[i].order, table[i].text, truth, table[i].truth,
                   budget.reason ? budget.reason : "");
        arena_free(arena);
    }
}

static const struct formula *whole(struct arena *arena, const struct question *q)
{
    return formula_and(arena, q->at, q->count);
}

/* No point tells the two formulas apart. */
static bool equivalent(struct engine *engine, struct arena *arena, const struct formula *a,
                       const struct formula *b)
{
    struct question q = {.count = 1};
    struct budget budget = {.left = 100000000};
    q.at[0] = formula_xor(arena, a, b);
    return ask(engine, arena, &q, &budget).truth == 0;
}

static void elimination_check(struct check *check)
{
    check_test(check);
    static const struct {
        const char *text, *order, *quantifiers;
        size_t free;
        const char *expected, *printed;   /* printed NULL: any */
    } table[] = {
        {"x^2 == a", "ax", "?e", 1, "a >= 0", "0 <= a"},
        {"x^2 > a", "ax", "?a", 1, "a < 0", "a < 0"},
        {"x^2 + y^2 < 1; x + y == a", "axy", "?ee", 1, "a^2 < 2", NULL},
        {"x^2 + y^2 < 1; 2*x*y == a", "axy", "?ee", 1, "a < 1; a > -1", NULL},
        {"x^2 + a*x + b == 0", "abx", "??e", 2, "a^2 >= 4*b", "4*b <= a^2"},
        {"x^2 + a*x + b > 0", "abx", "??a", 2, "a^2 < 4*b", "a^2 < 4*b"},
        {"a*x^2 + b*x + c == 0", "abcx", "???e", 3,
         "a == 0 & b != 0 | a == 0 & c == 0 | a != 0 & b^2 >= 4*a*c", NULL},
        {"x^3 + a*x + b == 0; x > 0", "abx", "??e", 2,
         "b < 0 | a < 0 & b == 0 | a < 0 & b > 0 & 4*a^3 + 27*b^2 <= 0", NULL},
        {"y == x^2; y == a*x + b; x > 0", "abxy", "??ee", 2, "b > 0 | a > 0 & a^2 + 4*b >= 0",
         NULL},
        {"x^2 == 2; a > x", "ax", "?e", 1, "a > 0 | a^2 < 2", NULL},
        {"x^2 == 2; a == x", "ax", "?e", 1, "a^2 == 2", NULL},
        {"x^3 - 3*x + 1 == 0; x > 1; a == x", "ax", "?e", 1, "a^3 - 3*a + 1 == 0; a > 1", NULL},
        {"2*s*B + 2 <= Z; 1 <= s; 1 <= B", "BZs", "??e", 2, "B >= 1; 2*B + 2 <= Z", NULL},
        {"x*y == 1", "xy", "?e", 1, "x != 0", "x != 0"},
        {"x*a > 1", "ax", "?a", 1, "0 > 1", NULL},
        {"y > x^2 | y < a", "axy", "?ae", 1, "0 < 1", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new(), *scratch = arena_new();
        struct ring *ring = ring_new(arena);
        struct question q = question_read(ring, table[i].text, check),
                        expected = question_read(ring, table[i].expected, check);
        int order[RING_CAPACITY];
        size_t levels = strlen(table[i].order);
        for (size_t l = 0; l < levels; l++)
            order[l] = ring_variable(ring, (char[]){table[i].order[l], 0});
        struct engine *engine = engine_new(arena, ring);
        struct budget budget = {.left = 100000000};
        const struct formula *f =
            engine_eliminate(engine, scratch, whole(arena, &q), order, table[i].quantifiers, levels,
                             table[i].free, &budget);
        struct str text = str_new(arena);
        if (check_that(check, f != NULL, "%s %s: %s", table[i].quantifiers, table[i].text,
                       budget.reason)) {
            formula_print(&text, f, 0);
            check_that(check, equivalent(engine, scratch, f, whole(arena, &expected)),
                       "%s %s: %s, not %s", table[i].quantifiers, table[i].text, text.text,
                       table[i].expected);
            check_that(check, !table[i].printed || !strcmp(table[i].printed, text.text),
                       "%s: %s, not %s", table[i].text, text.text, table[i].printed);
        }
        arena_free(scratch);
        arena_free(arena);
    }
}

/* A prefix: the free variables come first. */
struct prefix {
    struct ring *ring;
    int order[RING_CAPACITY];
    const char *quantifiers;
    size_t levels, free;
};

/* Is the matrix true with the free variables at these integers and the others quantified? -1
   undecided. */
static int truth_of_instance(struct engine *engine, struct arena *arena,
                             const struct formula *matrix, const struct prefix *prefix,
                             const int64_t *point)
{
    const struct formula *parts[ASSERTIONS] = {matrix};
    char marks[RING_CAPACITY];
    struct budget budget = {.left = 20000000};
    for (size_t l = 0; l < prefix->levels; l++) {
        marks[l] = l < prefix->free ? 'e' : prefix->quantifiers[l];
        if (l < prefix->free)
            parts[l + 1] = formula_atom(
                arena, constraint_make(poly_variable(prefix->ring, prefix->order[l]), RELATION_EQ,
                                       poly_integer(prefix->ring, point[prefix->order[l]])));
    }
    struct engine_question question = {.assertions = parts,
                                       .count = prefix->free + 1,
                                       .order = prefix->order,
                                       .quantifiers = marks,
                                       .levels = prefix->levels,
                                       .budget = &budget};
    return engine_ask(engine, arena, &question).truth;
}

static void instances_check(struct check *check, struct engine *engine, const struct question *q,
                            const struct prefix *prefix, const struct formula *f, const char *text)
{
    for (int at = 0; at < (prefix->free == 1 ? 11 : 49); at++) {
        struct arena *scratch = arena_new();
        int64_t point[RING_CAPACITY] = {prefix->free == 1 ? at - 5 : at % 7 - 3, at / 7 - 3};
        int truth = truth_of_instance(engine, scratch, whole(scratch, q), prefix, point);
        struct str shown = str_new(scratch);
        formula_print(&shown, f, 0);
        if (truth >= 0)
            check_that(check, truth == formula_holds(f, point), "%s: %s: %s at %d %d",
                       prefix->quantifiers, text, shown.text, (int)point[0], (int)point[1]);
        arena_free(scratch);
    }
}

/* Random eliminations against the truth at points of a grid. */
static void elimination_random(struct check *check, int rounds)
{
    check_test(check);
    static const char *const shapes[] = {"?e", "?a", "??e", "?ee", "?ae", "?ea", "??a"};
    int decided = 0;
    for (int i = 0; i < rounds; i++) {
        struct arena *arena = arena_new(), *scratch = arena_new();
        struct prefix prefix = {.ring = ring_new(arena)};
        prefix.quantifiers = shapes[(size_t)rand() % (sizeof shapes / sizeof *shapes)];
        prefix.levels = strlen(prefix.quantifiers);
        prefix.free = prefix.levels - strlen(strrchr(prefix.quantifiers, '?') + 1);
        for (size_t l = 0; l < prefix.levels; l++)
            prefix.order[l] = ring_variable(prefix.ring, (const char *[]){"x", "y", "z"}[l]);
        const char *text = question_random(arena, (int)prefix.levels);
        struct question q = question_read(prefix.ring, text, check);
        struct engine *engine = engine_new(arena, prefix.ring);
        struct budget budget = {.left = 10000000};
        const struct formula *f =
            engine_eliminate(engine, scratch, whole(arena, &q), prefix.order, prefix.quantifiers,
                             prefix.levels, prefix.free, &budget);
        decided += f != NULL;
        if (f)
            instances_check(check, engine, &q, &prefix, f, text);
        arena_free(scratch);
        arena_free(arena);
    }
    check_that(check, decided * 100 >= rounds * 90, "%d of %d random eliminations decided", decided,
               rounds);
}

/* What the table takes for irreducible is. */
static void factors_check(struct check *check)
{
    check_test(check);
    static const struct {
        const char *text;
        size_t factors;
    } table[] = {
        {"x*y - x + y - 1 == 0", 2}, {"x*y + 1 == 0", 1},           {"x^2*y - y == 0", 3},
        {"x^2 + y == 0", 1},         {"x^2 - y^2 == 0", 2},         {"x^4 - 4 == 0", 2},
        {"x*y*z + x*y == 0", 3},     {"(x + y)^3*(x - 1) == 0", 2}, {"3*x - 6*y == 0", 1},
        {"x^2 + 1 == 0", 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        struct question q = question_read(ring, table[i].text, check);
        struct engine *engine = engine_new(arena, ring);
        struct table *polynomials = table_new(arena, engine_context(engine));
        struct budget budget = {.left = 1000000};
        fmpz_mpoly_t p;
        fmpz_mpoly_init(p, polynomials->ctx);
        table_convert(polynomials, p, q.at[0]->constraint.poly);
        polynomials->budget = &budget;
        int number = table_intern(polynomials, p, NULL);
        fmpz_mpoly_clear(p, polynomials->ctx);
        size_t count =
            table_factor(polynomials, number) ? polynomials->at[number]->factor_count : 0;
        check_that(check, count == table[i].factors, "%s: %zu factors", table[i].text, count);
        arena_free(arena);
    }
}

int main(int argc, char **argv)
{
    struct check check = {0};
    systems_check(&check);
    quantified_check(&check);
    elimination_check(&check);
    factors_check(&check);
    random_check(&check, argc > 1 ? (unsigned)atoi(argv[1]) : 1, argc > 2 ? atoi(argv[2]) : 300);
    elimination_random(&check, argc > 2 ? atoi(argv[2]) / 2 : 100);
    return check_end(&check, "constraints_cover");
}
