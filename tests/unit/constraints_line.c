/* Isolation of real roots: products of random linear and quadratic factors whose roots are known,
   with a printed seed. The roots must come in order, as many as there are, rational ones exactly,
   and the sign of each factor on each cell must be that of a sample between the roots. */
#include "constraints/front/univariate.h"
#include "tests/unit/check.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FACTORS = 5 };

static struct check results;
static uint64_t state;

static void check(bool good, const char *what, int round)
{
    if (good) {
        results.passed++;
        return;
    }
    results.failed++;
    printf("FAILED: %s in round %d\n", what, round);
}

static slong random_between(slong lo, slong hi)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return lo + (slong)((state >> 33) % (uint64_t)(hi - lo + 1));
}

/* Distinct real roots of the factors as doubles, ascending; far enough apart or equal, coefficients
   being small. */
static size_t roots_expected(const slong f[FACTORS][3], double *roots)
{
    size_t count = 0;
    for (int i = 0; i < FACTORS; i++) {
        double a = (double)f[i][2], b = (double)f[i][1], c = (double)f[i][0], found[2];
        int n = 0;
        if (a == 0 && b != 0)
            found[n++] = -c / b;
        double d = b * b - 4 * a * c;
        if (a != 0 && d >= 0) {
            found[n++] = (-b - __builtin_sqrt(d)) / (2 * a);
            if (d > 0)
                found[n++] = (-b + __builtin_sqrt(d)) / (2 * a);
        }
        for (int k = 0; k < n; k++) {
            size_t at = 0;
            while (at < count && roots[at] < found[k] - 1e-9)
                at++;
            if (at < count && roots[at] < found[k] + 1e-9)
                continue;
            for (size_t j = count++; j > at; j--)
                roots[j] = roots[j - 1];
            roots[at] = found[k];
        }
    }
    return count;
}

static void round_run(int round)
{
    struct arena *arena = arena_new();
    fmpz_poly_struct polynomials[FACTORS];
    slong factors[FACTORS][3];
    double expected[2 * FACTORS];
    for (int i = 0; i < FACTORS; i++) {
        fmpz_poly_init(&polynomials[i]);
        do {
            for (int k = 0; k < 3; k++) {
                factors[i][k] = random_between(-6, 6);
                fmpz_poly_set_coeff_si(&polynomials[i], k, factors[i][k]);
            }
        } while (fmpz_poly_is_zero(&polynomials[i]));
    }
    struct line *line = line_new(arena, polynomials, FACTORS);
    size_t count = roots_expected((const slong(*)[3])factors, expected);
    check(line->count == count, "number of roots", round);
    for (size_t i = 0; i < count && i < line->count; i++) {
        double lo = fmpq_get_d(&line->roots[i].lo), hi = fmpq_get_d(&line->roots[i].hi);
        check(lo - 1e-9 <= expected[i] && expected[i] <= hi + 1e-9, "place of a root", round);
        for (int k = 0; k < FACTORS; k++) {
            double x = expected[i], value = (double)factors[k][0] +
                                            x * ((double)factors[k][1] + x * (double)factors[k][2]);
            int sign = value > 1e-7 ? 1 : value < -1e-7 ? -1 : 0;
            check(line_sign(line, &polynomials[k], 2 * i + 1) == sign, "sign at a root", round);
        }
    }
    fmpq_t sample;
    fmpq_init(sample);
    for (size_t cell = 0; cell <= 2 * line->count; cell += 2) {
        check(line_sample(line, cell, sample), "sample of an interval", round);
        double x = fmpq_get_d(sample);
        check((!cell || x > expected[cell / 2 - 1]) &&
                  (cell == 2 * count || x < expected[cell / 2]),
              "place of a sample", round);
    }
    fmpq_clear(sample);
    for (int i = 0; i < FACTORS; i++)
        fmpz_poly_clear(&polynomials[i]);
    arena_free(arena);
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoul(argv[1], NULL, 10) : 20240918;
    printf("seed %lu\n", (unsigned long)state);
    for (int round = 0; round < 500; round++)
        round_run(round);
    flint_cleanup();
    return check_end(&results, "constraints_line");
}
