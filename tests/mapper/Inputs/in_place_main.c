#include <stdio.h>
#include <string.h>
enum { SIDE = 72 };
static double a[2][SIDE * SIDE], x[2][SIDE * SIDE];
static int wrong, runs;

#define DECLARE(name, ...) void name(__VA_ARGS__), name##_source(__VA_ARGS__)
DECLARE(doolittle, int, double *);
DECLARE(forward, int, const double *, const double *, double *);
DECLARE(twice, int, double *);
DECLARE(rounds, int, float *);
DECLARE(perhaps, int, double *);

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
    for (int n = 0; n <= 40; n++) {
        BOTH(doolittle, n, n, a[at]);
        BOTH(forward, n, n, a[at], x[at], x[at] + 2 * n);
        BOTH(twice, n, n, a[at]);
        BOTH(rounds, n, n, (float *)a[at]);
        BOTH(perhaps, n, n, a[at]);
    }
    printf("%d of %d differ\n", wrong, runs);
    return wrong != 0;
}
