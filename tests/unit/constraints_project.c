/* Projection, text in, text out: quantifiers in front ("E x, A y:"), then a disjunction ("|") of
   conjunctions (";"). The result as formula_print writes it; sentences become true or false. Each
   result is compared with the sentences that random numbers for the free variables make. Then
   simplification under a context, ranges and cells. */
#include "constraints/project.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>

static struct check check;

static const struct formula *conjunction_read(struct ring *ring, char *text)
{
    struct arena *arena = ring_arena(ring);
    struct sas sas = sas_empty(ring);
    char *save = NULL;
    for (char *part = strtok_r(text, ";", &save); part; part = strtok_r(NULL, ";", &save)) {
        struct constraint c;
        const char *error = "";
        if (check_that(&check, constraint_read(ring, part, &c, &error), "%s: %s", part, error))
            sas = sas_add(arena, sas, c);
    }
    return formula_sas(arena, sas);
}

static const struct formula *disjunction_read(struct ring *ring, const char *text)
{
    struct arena *arena = ring_arena(ring);
    const struct formula *f = formula_false();
    char *copy = arena_strdup(arena, text), *save = NULL;
    for (char *part = strtok_r(copy, "|", &save); part; part = strtok_r(NULL, "|", &save)) {
        const struct formula *both[] = {f, conjunction_read(ring, part)};
        f = formula_or(arena, both, 2);
    }
    return f;
}

/* The last quantifier is the innermost. */
static const struct formula *quantified_read(struct ring *ring, const char *text)
{
    struct arena *arena = ring_arena(ring);
    const char *colon = strchr(text, ':');
    const struct formula *f = disjunction_read(ring, colon ? colon + 1 : text);
    if (!colon)
        return f;
    char *prefix = arena_strndup(arena, text, (size_t)(colon - text)), *save = NULL;
    char *parts[RING_CAPACITY];
    size_t count = 0;
    for (char *part = strtok_r(prefix, ",", &save); part; part = strtok_r(NULL, ",", &save))
        parts[count++] = part + strspn(part, " ");
    while (count-- > 0) {
        int v = ring_variable(ring, parts[count] + 2);
        f = parts[count][0] == 'E' ? formula_exists(arena, v, f) : formula_forall(arena, v, f);
    }
    return f;
}

static const struct {
    const char *text, *expected;
} projections[] = {
#include "tests/unit/constraints_project.def"
};

/* --- against numbers ------------------------------------------------------------------------- */

/* f with a number for each variable that is not bound in it. */
static const struct formula *put_in(struct arena *arena, const struct formula *f, uint64_t bound,
                                    const int64_t *numerators, const int64_t *denominators)
{
    const struct formula *at[8];
    const struct poly *p = f->constraint.poly;
    if (f->kind == FORMULA_ATOM) {
        for (int v = 0; v < ring_count(poly_ring(p)); v++)
            if (!(bound >> v & 1))
                p = poly_substitute(p, v,
                                    poly_rational(poly_ring(p), numerators[v], denominators[v]));
        return formula_atom(arena, (struct constraint){p, f->constraint.relation});
    }
    if (f->kind == FORMULA_EXISTS || f->kind == FORMULA_FORALL) {
        const struct formula *inner =
            put_in(arena, f->at[0], bound | (uint64_t)1 << f->variable, numerators, denominators);
        return f->kind == FORMULA_EXISTS ? formula_exists(arena, f->variable, inner)
                                         : formula_forall(arena, f->variable, inner);
    }
    for (size_t i = 0; i < f->count; i++)
        at[i] = put_in(arena, f->at[i], bound, numerators, denominators);
    return f->kind == FORMULA_AND  ? formula_and(arena, at, f->count)
           : f->kind == FORMULA_OR ? formula_or(arena, at, f->count)
                                   : f;
}

/* The result and the sentence that a random point makes of the formula have the same truth. */
static void points_check(struct ring *ring, const struct formula *f, const struct formula *result,
                         const char *text)
{
    struct arena *arena = ring_arena(ring);
    for (int n = 0; n < 40; n++) {
        int64_t numerators[RING_CAPACITY], denominators[RING_CAPACITY];
        for (int v = 0; v < RING_CAPACITY; v++) {
            numerators[v] = rand() % 13 - 6;
            denominators[v] = 1 + rand() % 3;
        }
        const struct formula *sentence = formula_eliminate(
            arena, ring, put_in(arena, f, 0, numerators, denominators), NULL, NULL);
        const struct formula *truth = put_in(arena, result, 0, numerators, denominators);
        check_that(&check, sentence && sentence->kind == truth->kind, "%s is wrong at a point",
                   text);
    }
}

static void projection_check(const char *text, const char *expected)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    const char *reason = NULL;
    const struct formula *f = quantified_read(ring, text),
                         *result = formula_eliminate(arena, ring, f, NULL, &reason);
    struct str out = str_new(arena);
    uint64_t machine = 0;
    for (int v = 0; v < ring_count(ring); v++)
        if (strchr(ring_name(ring, v), '_'))
            machine |= (uint64_t)1 << v;
    if (result)
        formula_print(&out, result, machine);
    else
        str_addf(&out, "undecided: %s", reason);
    check_that(&check, !strcmp(out.text, expected), "%s\n    gives %s\n    not   %s", text,
               out.text, expected);
    if (result)
        points_check(ring, f, result, text);
    arena_free(arena);
}

/* With any budget the answer is right or undecided with a reason. */
static void budgets_check(const char *text)
{
    static const uint64_t steps[] = {1, 30, 300, 3000, 30000};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        const char *reason = NULL;
        const struct formula *f = quantified_read(ring, text);
        const struct formula *result = formula_eliminate(
            arena, ring, f, &(struct project_options){.steps = steps[i]}, &reason);
        check_that(&check, (result == NULL) == (reason != NULL), "%s: undecided without a reason",
                   text);
        if (result)
            points_check(ring, f, result, text);
        arena_free(arena);
    }
}

/* --- simplification -------------------------------------------------------------------------- */

static const struct {
    const char *context, *text, *expected;
} simplifications[] = {
    {"1 <= s; 1 <= B", "2*s*B + 2 <= Z | 2*B + 2 <= Z", "2*B + 2 <= Z"},
    {"1 <= s; 1 <= B", "9 <= R; 2*s*B + 2 <= Z; 2*B + 2 <= Z; 8 <= R", "9 <= R && 2*s*B + 2 <= Z"},
    {"x > 0", "x*y > 0", "0 < y"},
    {"x > 0", "x^2*y >= 0; x*y <= 0", "y == 0"},
    {"", "x <= 0; x >= 0", "x == 0"},
    {"", "x < 3 | x < 5", "x < 5"},
    {"", "x > 0 | x == 0", "0 <= x"},
    {"", "x > 0; y > 0 | x > 0; y <= 0", "0 < x"},
    {"", "x < 0; y > 1 | x >= 0; y > 1; z == 0 | x >= 0; y > 1; z != 0", "1 < y"},
    {"", "x > 0; x < 0 | y == 1", "y == 1"},
    {"x == 2", "x*y >= 4 ; x <= 3", "2 <= y"},
    {"", "x == 2; x*y >= 4; x + z < 5", "x == 2 && 2 <= y && z < 3"},
    {"", "x^2 + y^2 <= 0", "x == 0 && y == 0"},
    {"", "x^2 + y^2 + 1 > 0", "true"},
    {"", "x^2 + 2*y^2 > 0; z > x^2 + y^2 ; z > 0", "x^2 + y^2 < z && (x != 0 || y != 0)"},
    {"", "x^2 < y; y < 0", "false"},
    {"0 <= x; x <= 1; 0 <= y; y <= 1", "x*y <= 2", "true"},
    {"0 <= x; x <= 1", "x^2 <= x; y >= x", "x <= y"},
    {"x >= 0; y >= 0", "x + y > 0; x + y + 1 > 0", "0 < x + y"},
    {"x*y > 0", "x*y >= 0; z > 0", "0 < z"},
    {"x + y > 3; x < 1", "y > 2; z > 0", "0 < z"},
};

static void simplification_check(const char *context, const char *text, const char *expected)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct sas facts;
    formula_is_sas(arena, ring, *context ? disjunction_read(ring, context) : formula_true(),
                   &facts);
    const struct formula *f = disjunction_read(ring, text),
                         *simple = formula_simplify(arena, ring, f, facts);
    struct str out = str_new(arena), again = str_new(arena);
    formula_print(&out, simple, 0);
    check_that(&check, !strcmp(out.text, expected), "[%s] %s\n    gives %s\n    not   %s", context,
               text, out.text, expected);
    formula_print(&again, formula_simplify(arena, ring, simple, facts), 0);
    check_that(&check, !strcmp(out.text, again.text), "%s is simplified again to %s", out.text,
               again.text);
    arena_free(arena);
}

/* --- integers, ranges, cells ----------------------------------------------------------------- */

static const struct {
    const char *text, *expected;
} integrals[] = {
    {"2*x <= 5", "x <= 2"},     {"x < 5", "x <= 4"},           {"5 < 3*x", "2 <= x"},
    {"3*x > 6", "3 <= x"},      {"4*x*y + 6*z <= 9", "2*x*y + 3*z <= 4"},
    {"2*x >= -5", "0 <= x + 2"}, {"2*x == 5", "2*x == 5"},
};

static void integral_check(const char *text, const char *expected)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct constraint c;
    const char *error;
    struct str out = str_new(arena);
    if (check_that(&check, constraint_read(ring, text, &c, &error), "%s", text))
        constraint_print(&out, constraint_integral(arena, c), 0);
    check_that(&check, !strcmp(out.text, expected), "%s gives %s, not %s", text, out.text,
               expected);
    arena_free(arena);
}

static const struct {
    const char *text, *expected;
} ranges[] = {
    {"1 <= x; x < 7", "[1, 7) 1..6"},
    {"x^2 <= 2", "[x^2 - 2, x^2 - 2] -1..1"},
    {"x^3 == 2", "[x^3 - 2, x^3 - 2] 2..1"},
    {"x^2 > 4 | x == 0", "(-oo, -2) ..-3 [0, 0] 0..0 (2, oo) 3.."},
    {"x != 1; 2*x >= 1", "[1/2, 1) 1..0 (1, oo) 2.."},
    {"x^2 < 0", ""},
    {"0 <= x^2", "(-oo, oo) .."},
};

static void end_print(struct str *out, const struct endpoint *end, const char *infinite)
{
    if (!end->value)
        str_add(out, infinite);
    else
        str_add(out, strcmp(end->value->lo, end->value->hi) == 0 ? end->value->lo
                                                                 : end->value->polynomial);
}

static void interval_print(struct str *out, const struct interval *interval)
{
    int64_t value;
    str_add(out, !interval->lo.value || interval->lo.open ? "(" : "[");
    end_print(out, &interval->lo, "-oo");
    str_add(out, ", ");
    end_print(out, &interval->hi, "oo");
    str_add(out, !interval->hi.value || interval->hi.open ? ") " : "] ");
    if (interval_first(interval, &value))
        str_addf(out, "%ld", (long)value);
    str_add(out, "..");
    if (interval_last(interval, &value))
        str_addf(out, "%ld", (long)value);
}

static void range_check(const char *text, const char *expected)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct str out = str_new(arena);
    int x = ring_variable(ring, "x");
    size_t count;
    const struct interval *list =
        formula_range(arena, ring, disjunction_read(ring, text), x, &count);
    for (size_t i = 0; i < count; i++) {
        str_add(&out, i ? " " : "");
        interval_print(&out, list + i);
    }
    check_that(&check, !strcmp(out.text, expected), "%s gives %s, not %s", text, out.text,
               expected);
    arena_free(arena);
}

static const struct {
    const char *text, *expected;
} planes[] = {
    {"1 <= x; 1 <= y; x*y <= 6", "1 < x < 6: [y - 1:1, x*y - 6:1]"},
    {"x^2 + y^2 <= 2", "x^2 - 2 < x < x^2 - 2: [x^2 + y^2 - 2:1, x^2 + y^2 - 2:2]"},
    {"x^2 + y^2 < 4; y > x", "-2 < x < x^2 - 2: (x^2 + y^2 - 4:1, x^2 + y^2 - 4:2) x^2 - 2 < x < "
                             "x^2 - 2: (x - y:1, x^2 + y^2 - 4:2)"},
    {"y == x^2; x > 1", "1 < x < oo: [x^2 - y:1, x^2 - y:1]"},
    {"x*y >= 1", "-oo < x < 0: (-oo, x*y - 1:1] 0 < x < oo: [x*y - 1:1, oo)"},
    {"x == 1", ""},
    {"y > 0", "-oo < x < oo: (y:1, oo)"},
};

static void branch_print(struct str *out, const struct branch *branch, const char *infinite)
{
    if (!branch->curve) {
        str_add(out, infinite);
        return;
    }
    poly_print(out, branch->curve);
    str_addf(out, ":%zu", branch->root);
}

static void plane_check(const char *text, const char *expected)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct str out = str_new(arena);
    int x = ring_variable(ring, "x"), y = ring_variable(ring, "y");
    size_t count;
    const struct cell *cells =
        formula_cells(arena, ring, disjunction_read(ring, text), x, y, &count, NULL);
    for (size_t i = 0; cells && i < count; i++) {
        str_add(&out, i ? " " : "");
        end_print(&out, &cells[i].x.lo, "-oo");
        str_add(&out, " < x < ");
        end_print(&out, &cells[i].x.hi, "oo");
        str_add(&out, ":");
        for (size_t k = 0; k < cells[i].count; k++) {
            const struct strip *strip = cells[i].strips + k;
            str_add(&out, strip->lo.open ? " (" : " [");
            branch_print(&out, &strip->lo, "-oo");
            str_add(&out, ", ");
            branch_print(&out, &strip->hi, "oo");
            str_add(&out, strip->hi.open ? ")" : "]");
        }
    }
    check_that(&check, cells && !strcmp(out.text, expected), "%s\n    gives %s\n    not   %s", text,
               out.text, expected);
    arena_free(arena);
}

/* Each row of a table. */
#define EACH(table, call)                                                                          \
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {                                    \
        check_test(&check);                                                                        \
        call;                                                                                      \
    }

int main(void)
{
    EACH(projections, projection_check(projections[i].text, projections[i].expected))
    EACH(projections, budgets_check(projections[i].text))
    EACH(simplifications, simplification_check(simplifications[i].context, simplifications[i].text,
                                               simplifications[i].expected))
    EACH(integrals, integral_check(integrals[i].text, integrals[i].expected))
    EACH(ranges, range_check(ranges[i].text, ranges[i].expected))
    EACH(planes, plane_check(planes[i].text, planes[i].expected))
    return check_end(&check, "constraints_project");
}
