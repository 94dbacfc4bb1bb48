/* Sign queries: what follows from facts is proved, by steps of rising cost; what does not follow is
   never "yes". */
#include "ir/access/context.h"
#include "tests/unit/ir_check.h"

struct query {
    const char *facts[6];             /* each >= 0; every variable of "names" is >= 1 */
    const char *question;
    bool follows;
};

static const struct query QUERIES[] = {
    {{NULL}, "x", true},
    {{NULL}, "x*y - 1", true},
    {{NULL}, "x - 2", false},
    {{NULL}, "x*y - x - y + 1", true},
    {{NULL}, "x*y - x - y", false},
    {{NULL}, "100000 - x", false},
    {{NULL}, "1000000 + x - y", false},
    {{"x - y*z"}, "x - y", true},
    {{"x - y*z"}, "x - z - y + 1", true},
    {{"x - y*z"}, "x - 2*y", false},
    {{"x - q*b - 2", "q - 1"}, "x - b - 2", true},
    {{"x - q*b - 2", "q - 1"}, "x - q - b - 1", true},
    {{"x - q*b - 2", "q - 1"}, "x - 4", false},
    {{"x - 2*q*b", "x - 2*h"}, "x - h - q*b", true},
    {{"x - 2*q*b", "x - 2*h"}, "x - h - q*b - 1", false},
    {{"x - q*s*b", "q - 1"}, "x*x - x*b*s*q", true},
    {{"x - q*s*b", "q - 1"}, "x*y - y*b", true},
    {{"x - y", "y - z", "z - h"}, "x - h", true},
    {{"x - y", "y - z", "z - h"}, "h - x + 1000", false},
};

static const struct poly *read(struct check *check, struct ring *ring, const char *text)
{
    const char *error = NULL;
    const struct poly *p = poly_read(ring, text, &error);
    check_that(check, p != NULL, "%s: %s", text, error ? error : "");
    return p;
}

static void run_query(struct check *check, const struct query *query)
{
    check_test(check);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct floors floors = {0};
    struct context *context = context_new(arena, ring, presburger_new(arena), &floors);
    static const char *const names[] = {"x", "y", "z", "q", "b", "s", "h"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        context_bound(context, ring_variable(ring, names[i]), 1);
    for (size_t i = 0; i < 6 && query->facts[i]; i++)
        context_fact(context, read(check, ring, query->facts[i]));
    enum truth truth = context_sign(context, read(check, ring, query->question));
    check_that(check, (truth == TRUTH_YES) == query->follows, "%s >= 0 is answered %d",
               query->question, truth);
    check_that(check, context_points(context) > 0, "no point satisfies the facts of %s",
               query->question);
    arena_free(arena);
}

/* q = n / b: its inequalities are known once b >= 1 and n >= 0 are. */
static void run_floor(struct check *check)
{
    check_test(check);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    struct floors floors = {0};
    struct context *context = context_new(arena, ring, presburger_new(arena), &floors);
    int n = ring_variable(ring, "n"), b = ring_variable(ring, "b"), q = ring_variable(ring, "q");
    const struct poly *numerator = poly_variable(ring, n), *denominator = poly_variable(ring, b);
    struct floor_param floor = {
        q,        numerator, denominator, flat_of(arena, numerator), flat_of(arena, denominator),
        TYPE_I32, NULL};
    vec_push(arena, &floors.list, floor);
    context_bound(context, b, 1);
    context_floors(context);
    const struct poly *fits = poly_sub(numerator, poly_mul(denominator, poly_variable(ring, q)));
    check_that(check, !context_nonnegative(context, fits), "q*b <= n although n may be negative");
    struct context *positive = context_extend(context);
    context_bound(positive, n, 0);
    context_floors(positive);
    check_that(check, context_nonnegative(positive, fits), "q*b <= n is not known");
    struct context *entered = context_extend(context);
    context_bound(entered, q, 1);
    context_floors(entered);
    check_that(check, context_positive(entered, numerator), "q >= 1 does not give n >= 1");
    check_that(check, !context_nonnegative(context, fits), "an extension changed its base");
    arena_free(arena);
}

int main(void)
{
    struct check check = {0};
    for (size_t i = 0; i < sizeof QUERIES / sizeof *QUERIES; i++)
        run_query(&check, &QUERIES[i]);
    run_floor(&check);
    return check_end(&check, "ir-access_sign");
}
