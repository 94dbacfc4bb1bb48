/* Polynomials and constraints as text: tables of {text in, text out}, of syntax errors, and of
   printed constraints with machine parameters; then terms, coefficients, limits; then random bytes
   through the readers, which must answer with a value or with an error, and print what they read so
   that it reads the same again. */
#include "constraints/sas.h"
#include "tests/unit/check.h"
#include <stdio.h>
#include <stdlib.h>
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
    const char *in, *out;
} polynomials[] = {
    {"0", "0"},
    {"-7", "-7"},
    {"2 + 2*s*B", "2*s*B + 2"},
    {"B*2*s", "2*s*B"},
    {"-s + B - 1", "-s + B - 1"},
    {"(s + B)^2", "s^2 + 2*s*B + B^2"},
    {"s*B0*B1 + s^2 + B0", "s*B0*B1 + s^2 + B0"},
    {"s/2 + B/3", "1/2*s + 1/3*B"},
    {"0.25*s", "1/4*s"},
    {"--s", "s"},
    {"-s^2", "-s^2"},
    {"2^10", "1024"},
    {"(s - B)*(s + B) - s^2 + B^2", "0"},
    {"123456789012345678901234567890*s", "123456789012345678901234567890*s"},
    {"s^0", "1"},
    {" s\n*\tB ", "s*B"},
};

static void polynomials_check(void)
{
    check_test(&results);
    for (size_t i = 0; i < sizeof polynomials / sizeof *polynomials; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        const char *error = "";
        ring_variable(ring, "s");
        ring_variable(ring, "B");
        const struct poly *p = poly_read(ring, polynomials[i].in, &error);
        const char *text = p ? poly_text(arena, p) : error;
        check(p && !strcmp(text, polynomials[i].out), polynomials[i].in, text);
        arena_free(arena);
    }
}

static const struct {
    const char *in, *error;
} errors[] = {
    {"", "column 1: an operand is missing at the end"},
    {"2 +", "column 4: an operand is missing at the end"},
    {"2 $ 3", "column 3: the expression should end here"},
    {"(s", "column 3: a closing parenthesis is missing"},
    {"s/B", "column 4: division by something that is no constant"},
    {"s/0", "column 4: division by zero"},
    {"s/(1-1)", "column 8: division by zero"},
    {"s^-1", "column 3: an exponent is a number without sign"},
    {"s^B", "column 3: an exponent is a number without sign"},
    {"s^99999", "column 6: an exponent is too large"},
    {"(a+b+c+d)^4000", "column 15: the polynomial is too large"},
    {"*s", "column 1: a number, a name or a parenthesis is expected"},
};

static void errors_check(void)
{
    check_test(&results);
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        struct arena *arena = arena_new();
        const char *error = "";
        const struct poly *p = poly_read(ring_new(arena), errors[i].in, &error);
        check(!p && !strcmp(error, errors[i].error), errors[i].in, p ? "was read" : error);
        arena_free(arena);
    }
}

/* Machine parameters are those whose name ends in _B. */
static const struct {
    const char *in, *out;
} constraints[] = {
    {"2*s*B + 2 <= Z_B", "2*s*B + 2 <= Z_B"},
    {"Z_B - 2*s*B >= 2", "2*s*B + 2 <= Z_B"},
    {"Z_B < 2*B + 2", "Z_B < 2*B + 2"},
    {"R_B >= 9", "9 <= R_B"},
    {"0 > 5 - R_B", "5 < R_B"},
    {"s >= 1", "1 <= s"},
    {"2*s*B - 2 <= Z_B", "2*s*B - 2 <= Z_B"},
    {"s*B - s <= 2*B", "s*B <= s + 2*B"},
    {"s/2 < B/3", "3*s < 2*B"},
    {"Z_B == s*B", "Z_B == s*B"},
    {"s*B == Z_B", "Z_B == s*B"},
    {"s != 0", "s != 0"},
    {"T_B <= F_B", "T_B <= F_B"},
    {"4*W_B*q*b <= F_B", "4*W_B*q*b <= F_B"},
    {"2*Z_B <= s*B", "2*Z_B <= s*B"},
    {"1 < 2", "0 < 1"},
};

static uint64_t machine_bits(const struct ring *ring)
{
    uint64_t bits = 0;
    for (int v = 0; v < ring_count(ring); v++)
        if (strstr(ring_name(ring, v), "_B"))
            bits |= 1ull << v;
    return bits;
}

static void constraints_check(void)
{
    check_test(&results);
    for (size_t i = 0; i < sizeof constraints / sizeof *constraints; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        struct constraint c;
        const char *error = "";
        struct str out = str_new(arena);
        bool read = constraint_read(ring, constraints[i].in, &c, &error);
        if (read)
            constraint_print(&out, c, machine_bits(ring));
        check(read && !strcmp(out.text, constraints[i].out), constraints[i].in,
              read ? out.text : error);
        arena_free(arena);
    }
}

static void terms_check(void)
{
    check_test(&results);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    const char *error = "";
    const struct poly *p = poly_read(ring, "3/4*x^2*y - 5", &error);
    int64_t numerator = 0, denominator = 0, value = 0;
    unsigned exponents[RING_CAPACITY];
    check(poly_terms(p) == 2, "terms", "not two");
    check(poly_term(p, 0, &numerator, &denominator, exponents) && numerator == 3 &&
              denominator == 4 && exponents[0] == 2 && exponents[1] == 1 && !exponents[2],
          "term 0", "another one");
    check(poly_degree(p, 0) == 2 && poly_degree(p, 1) == 1 && poly_total_degree(p) == 3, "degrees",
          "others");
    check(!strcmp(poly_text(arena, poly_coefficient(p, 0, 2)), "3/4*y"), "coefficient",
          "another one");
    check(!poly_evaluate(p, (const int64_t[]){1, 1}, &value), "value that is no integer",
          "was given");
    check(poly_evaluate(p, (const int64_t[]){2, 3}, &value) && value == 4, "value", "another one");
    check(poly_sign_at(p, (const int64_t[]){5, 4}, (const int64_t[]){1, 15}) == 0,
          "exact zero at a rational point", "not seen");
    check(!poly_divide_exact(p, poly_read(ring, "x", &error)), "division with remainder",
          "was done");
    check(poly_get_integer(poly_integer(ring, INT64_MIN), &value) && value == INT64_MIN,
          "least integer", "another one");
    for (unsigned exponent = 1; exponent <= POLY_DEGREE_LIMIT / 2; exponent = 2 * exponent + 1) {
        const struct poly *high =
            poly_power(poly_add(poly_variable(ring, 0), poly_integer(ring, 0)), exponent);
        high = poly_add(poly_mul(high, high), poly_integer(ring, 1));
        check(poly_total_degree(high) == 2 * exponent, "total degree of x^2k + 1", "another one");
    }
    const struct poly *big = poly_power(poly_integer(ring, 10), 19);
    check(!poly_evaluate(big, (const int64_t[]){0, 0}, &value), "value beyond 64 bits",
          "was given");
    check(constraint_holds(constraint_make(big, RELATION_GT, p), (const int64_t[]){0, 0}) == -1,
          "truth beyond 64 bits", "given");
    arena_free(arena);
}

static void limits_check(void)
{
    check_test(&results);
    struct arena *arena = arena_new();
    struct ring *ring = ring_new(arena);
    const struct poly *x = poly_variable(ring, ring_variable(ring, "x")), *p = x;
    for (int i = 0; i < 70; i++)
        p = poly_mul(p, p);
    check(!p, "a degree of 2^70", "was made");
    check(!poly_add(x, p) && !poly_neg(p) && !poly_substitute(x, 0, p),
          "arithmetic beyond the limits", "gave a value");
    struct constraint c = constraint_make(x, RELATION_LE, p);
    check(constraint_holds(c, (const int64_t[]){0}) == -1, "a constraint beyond the limits",
          "has a truth");
    for (int i = 1; i < RING_CAPACITY; i++)
        ring_variable(ring, arena_printf(arena, "v%d", i));
    check(ring_variable(ring, "one_more") == -1 && ring_variable(ring, "x") == 0, "a full ring",
          "takes another name");
    arena_free(arena);
}

static void bytes_check(void)
{
    check_test(&results);
    static const char alphabet[] = "xyZ_B019 .+-*/^()<>=!\n\\$";
    uint64_t state = 42;
    unsigned read = 0;
    for (int i = 0; i < 20000; i++) {
        struct arena *arena = arena_new();
        struct ring *ring = ring_new(arena);
        char text[40];
        size_t length = 0;
        do {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            text[length] = alphabet[(state >> 40) % (sizeof alphabet - 1)];
        } while (++length < 39 && (state >> 20) % 16);
        text[length] = '\0';
        const char *error = NULL;
        const struct poly *p = poly_read(ring, text, &error);
        if (p && ++read) {
            char *once = poly_text(arena, p);
            const struct poly *again = poly_read(ring, once, &error);
            if (!again || !poly_equal(p, again))
                check(false, text, once);
        } else if (!error) {
            check(false, text, "neither a value nor an error");
        }
        arena_free(arena);
    }
    check(read > 500, "random bytes", "hardly any were read");
}

int main(void)
{
    polynomials_check();
    errors_check();
    constraints_check();
    terms_check();
    limits_check();
    bytes_check();
    return check_end(&results, "constraints_poly");
}
