/* Definitions of auxiliary integers: texts to values and back, and their facts: at every small
   point the value satisfies them, and where they are exact no other integer does. */
#include "claims/definition.h"
#include "check.h"

enum { SIDE = 7 };

/* exact: the facts leave one value. */
static const struct row {
    const char *text;
    bool exact;
    int64_t value;                      /* at a = 5, b = 3 */
} rows[] = {
    {"ceil(a/b)", true, 2},
    {"floor(a/b)", true, 1},
    {"ceil((a*b + 1)/(2*b))", true, 3},
    {"max(4, ceil(a/b))", true, 4},
    {"min(b, max(1, floor(a/2)))", true, 2},
    {"8*ceil((a + 42)/8)", false, 48},
    {"max(24, 8*ceil((9*a + 62)/8))", false, 112},
    {"2*floor(a/2)", false, 4},
    {"max(0, a - 4)", true, 1},
    {" a + 2*b ", true, 11},
    {"min(a, ceil(60*b/(100*a)))", true, 1},
};

static const struct refused {
    const char *text, *why;
} refused[] = {
    {"ceil(a)", "is no definition"},       {"max(a)", "is no definition"},
    {"ceil(a/c)", "has an unknown name"},  {"ceil((1/2*a)/b)", "is not always an integer"},
    {"round(a/b)", ""},                    {"", ""},
    {"max(1, ceil(a/b)", ""},              {"ceil(a/b) + 1", ""},
};

static void row_check(struct check *check, const struct row *row)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    const char *why = NULL;
    int a = ring_variable(ring, "a"), b = ring_variable(ring, "b"), v = ring_variable(ring, "v");
    const struct term *term = term_read(ring, row->text, &why);
    check_test(check);
    if (!check_that(check, term, "%s: %s", row->text, why ? why : ""))
        return;
    const struct formula *facts = term_facts(arena, term, poly_variable(ring, v));
    int64_t point[RING_CAPACITY] = {0}, value;
    point[a] = 5;
    point[b] = 3;
    check_that(check, term_evaluate(term, point, &value) && value == row->value, "%s is %lld",
               row->text, (long long)value);
    for (point[a] = 1; point[a] <= SIDE; point[a]++)
        for (point[b] = 1; point[b] <= SIDE; point[b]++) {
            bool known = term_evaluate(term, point, &value);
            point[v] = value;
            check_that(check, known && formula_holds(facts, point) == 1,
                       "%s: the facts do not hold at %lld, %lld", row->text, (long long)point[a],
                       (long long)point[b]);
            for (int64_t off = -1; off <= 1 && row->exact; off += 2) {
                point[v] = value + off;
                check_that(check, formula_holds(facts, point) == 0,
                           "%s: the facts leave %lld at %lld, %lld", row->text,
                           (long long)point[v], (long long)point[a], (long long)point[b]);
            }
        }
    arena_free(arena);
}

static void refused_check(struct check *check, const struct refused *row)
{
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    const char *why = "";
    ring_variable(ring, "a");
    ring_variable(ring, "b");
    const struct term *term = term_read(ring, row->text, &why);
    check_test(check);
    check_that(check, !term && strstr(why, row->why), "'%s': %s", row->text, why);
    arena_free(arena);
}

/* What is said of two ceilings, or floors, holds at every small point. */
static void order_check(struct check *check)
{
    static const char *const texts[] = {"ceil(a/b)",  "ceil(a/(4*b))", "ceil((a + 1)/3)",
                                        "floor(a/b)", "floor(b/2)",    "2*ceil(a/b)"};
    enum { COUNT = sizeof texts / sizeof *texts };
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    const char *why;
    int a = ring_variable(ring, "a"), b = ring_variable(ring, "b"), v = ring_variable(ring, "v"),
        w = ring_variable(ring, "w"), told = 0;
    int64_t point[RING_CAPACITY] = {0};
    check_test(check);
    for (int i = 0; i < COUNT * COUNT; i++) {
        const struct term *first = term_read(ring, texts[i / COUNT], &why),
                          *second = term_read(ring, texts[i % COUNT], &why);
        const struct formula *order = term_order(arena, first, poly_variable(ring, v), second,
                                                 poly_variable(ring, w));
        told += order->kind != FORMULA_TRUE;
        for (point[a] = 0; point[a] <= SIDE; point[a]++)
            for (point[b] = 1; point[b] <= SIDE; point[b]++)
                check_that(check,
                           term_evaluate(first, point, &point[v]) &&
                               term_evaluate(second, point, &point[w]) &&
                               formula_holds(order, point) == 1,
                           "%s and %s", texts[i / COUNT], texts[i % COUNT]);
    }
    check_that(check, told >= 8, "%d pairs are compared", told);
    arena_free(arena);
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        row_check(&check, &rows[i]);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        refused_check(&check, &refused[i]);
    order_check(&check);
    return check_end(&check, "claims_definition");
}
