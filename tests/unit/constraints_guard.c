/* Auxiliary variables: at each point of a small grid the defining formula leaves its variable one
   value, the right one: with it the point satisfies the formula, and no other value does. Values
   are computed here with integers; numbers are halves where rounding is asked about. */
#include "constraints/guard.h"
#include "constraints/solve.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>

enum kind { FLOOR, CEIL, DIV, MOD, QUOTIENT, MIN, MAX, ITE, KINDS };

static const char *const names[KINDS] = {"floor",    "ceil", "div", "mod",
                                         "quotient", "min",  "max", "ite"};

struct desk {
    struct arena *arena;
    struct ring *ring;
    const struct poly *p, *q;
    int value, quotient;
};

static struct desk desk_open(void)
{
    struct desk desk = {.arena = arena_new()};
    desk.ring = ring_new(desk.arena);
    desk.p = poly_variable(desk.ring, ring_variable(desk.ring, "p"));
    desk.q = poly_variable(desk.ring, ring_variable(desk.ring, "q"));
    desk.value = guard_variable(desk.ring, "value");
    desk.quotient = guard_variable(desk.ring, "value");
    return desk;
}

static const struct formula *define(const struct desk *d, enum kind kind)
{
    const struct poly *half = poly_scale(d->p, 1, 2);
    const struct formula *less = formula_atom(d->arena, constraint_make(d->p, RELATION_LT, d->q));
    switch (kind) {
    case FLOOR: return guard_floor(d->arena, d->value, half);
    case CEIL: return guard_ceil(d->arena, d->value, half);
    case DIV: return guard_div(d->arena, d->value, d->p, d->q);
    case MOD: return guard_mod(d->arena, d->value, d->quotient, d->p, d->q);
    case QUOTIENT: return guard_quotient(d->arena, d->value, d->p, d->q);
    case MIN: return guard_min(d->arena, d->value, d->p, d->q);
    case MAX: return guard_max(d->arena, d->value, d->p, d->q);
    default:
        return guard_ite(d->arena, d->value, less, poly_integer(d->ring, 10), poly_mul(d->p, d->q));
    }
}

/* What the variable is at (p, q), as numerator / *denominator; *free if it may be anything. */
static int expected(enum kind kind, int p, int q, int *denominator, bool *free)
{
    int floor = p / 2 - (p % 2 < 0), rest = q ? p % q + (p % q < 0 ? abs(q) : 0) : 0;
    *denominator = kind == QUOTIENT && q ? q : 1;
    *free = !q && (kind == DIV || kind == MOD || kind == QUOTIENT);
    switch (kind) {
    case FLOOR: return floor;
    case CEIL: return floor + (p % 2 != 0);
    case DIV: return q ? (p - rest) / q : 0;
    case MOD: return rest;
    case QUOTIENT: return p;
    case MIN: return p < q ? p : q;
    case MAX: return p < q ? q : p;
    default: return p < q ? 10 : p * q;
    }
}

static enum verdict ask(const struct desk *d, enum kind kind, int p, int q, struct constraint about)
{
    struct solver *solver = solver_new(d->arena, d->ring, NULL);
    solver_integer(solver, d->quotient);
    if (kind <= DIV)
        solver_integer(solver, d->value);
    solver_assert(solver, constraint_make(d->p, RELATION_EQ, poly_integer(d->ring, p)));
    solver_assert(solver, constraint_make(d->q, RELATION_EQ, poly_integer(d->ring, q)));
    solver_assert_formula(solver, define(d, kind));
    solver_assert(solver, about);
    return solver_check(solver);
}

static void grid(struct check *check, enum kind kind)
{
    check_test(check);
    enum { SIZE = 4 };
    struct desk d = desk_open();
    for (int p = -SIZE; p <= SIZE; p++)
        for (int q = -SIZE; q <= SIZE; q++) {
            int denominator;
            bool free;
            int numerator = expected(kind, p, q, &denominator, &free);
            const struct poly *value = poly_variable(d.ring, d.value),
                              *right = poly_rational(d.ring, numerator, denominator);
            enum verdict same = ask(&d, kind, p, q, constraint_make(value, RELATION_EQ, right));
            enum verdict other = ask(&d, kind, p, q, constraint_make(value, RELATION_NE, right));
            check_that(check, same == SAS_NONEMPTY, "%s at (%d, %d) is not %d/%d", names[kind], p,
                       q, numerator, denominator);
            check_that(check, other == (free ? SAS_NONEMPTY : SAS_EMPTY),
                       "%s at (%d, %d): others than %d/%d", names[kind], p, q, numerator,
                       denominator);
        }
    arena_free(d.arena);
}

/* The sign of a fraction is that of its value. */
static void fractions(struct check *check)
{
    check_test(check);
    struct desk d = desk_open();
    for (int relation = RELATION_EQ; relation <= RELATION_GE; relation++)
        for (int p = -2; p <= 2; p++)
            for (int q = -2; q <= 2; q++) {
                const int64_t point[4] = {p, q};
                int holds = formula_holds(
                    guard_fraction(d.arena, d.p, d.q, (enum relation)relation), point);
                int sign = (p > 0) - (p < 0);
                sign = q < 0 ? -sign : sign;
                if (q)
                    check_that(check, holds == relation_holds((enum relation)relation, sign),
                               "%d/%d, relation %d", p, q, relation);
            }
    arena_free(d.arena);
}

int main(void)
{
    struct check check = {0};
    for (int kind = 0; kind < KINDS; kind++)
        grid(&check, (enum kind)kind);
    fractions(&check);
    struct desk d = desk_open();
    check_that(&check, strcmp(ring_name(d.ring, d.value), "value_1") == 0, "the first name");
    check_that(&check, strcmp(ring_name(d.ring, d.quotient), "value_2") == 0, "the second name");
    while (ring_count(d.ring) < RING_CAPACITY)
        guard_variable(d.ring, "more");
    check_that(&check, guard_variable(d.ring, "more") == -1, "a full ring");
    arena_free(d.arena);
    solver_thread_end();
    return check_end(&check, "constraints_guard");
}
