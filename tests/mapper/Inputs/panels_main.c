#include <stdio.h>
#include <string.h>
enum { SIDE = 72 };
static double a[2][SIDE * SIDE], x[2][SIDE * SIDE];
static int wrong, runs;

#define DECLARE(name, ...) void name(__VA_ARGS__), name##_source(__VA_ARGS__)
DECLARE(cholesky_right, int, double *);
DECLARE(cholesky_left, int, double *);
DECLARE(lu_right, int, int, double *);
DECLARE(lu_part, int, int, int, double *);
DECLARE(solve_columns, int, const double *, double *);
DECLARE(solve_many, int, int, const double *, double *);
DECLARE(relax, int, double *, double *);
DECLARE(solve_down, int, const double *, double *);

/* The diagonal of a matrix with `side` columns is great, so that nothing overflows. */
static void fill(int side)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        a[0][i] = a[1][i] = (i * 7 % 23) / 64.0 + (side > 0 && i % (side + 1) == 0 ? SIDE : 0);
        x[0][i] = x[1][i] = (i * 5 % 19) / 32.0 - 0.25;
    }
}

#define BOTH(name, side, ...)                                                                      \
    do {                                                                                           \
        int at = 0;                                                                                \
        fill(side);                                                                                \
        name##_source(__VA_ARGS__);                                                                \
        at = 1;                                                                                    \
        name(__VA_ARGS__);                                                                         \
        runs++;                                                                                    \
        if (memcmp(a[0], a[1], sizeof a[0]) || memcmp(x[0], x[1], sizeof x[0])) {                  \
            printf(#name " differs at n = %d\n", n);                                               \
            wrong++;                                                                               \
        }                                                                                          \
    } while (0)

int main(void)
{
    for (int n = 0; n <= 69; n++) {
        BOTH(cholesky_right, n, n, a[at]);
        BOTH(cholesky_left, n, n, a[at]);
        BOTH(lu_right, n, 2, n, a[at]);
        BOTH(lu_part, n + 1, n, 1, n - 1, a[at]);
        BOTH(lu_part, n + 1, n, n / 3, n / 2, a[at]);
        BOTH(solve_columns, n, n, a[at], x[at]);
        BOTH(solve_many, n, n, 3, a[at], x[at]);
        BOTH(relax, n, n, a[at], x[at]);
        BOTH(solve_down, n, n, a[at], x[at]);
    }
    printf("%d of %d differ\n", wrong, runs);
    return wrong != 0;
}
