#include <stdio.h>
#include <string.h>
enum { SIDE = 24 };
static double a[2][SIDE * SIDE];
static int wrong;

#define DECLARE(name, ...) void name(__VA_ARGS__), name##_source(__VA_ARGS__)
DECLARE(paths, int, double *);
DECLARE(flat, int, double *);
DECLARE(pivot, int, double *);
DECLARE(beyond, int, int, double *);
DECLARE(middle, int, double *);
DECLARE(ended, int, double *);
DECLARE(macro, int, double *);
DECLARE(together, int, double *);

#define BOTH(name, ...)                                                                            \
    do {                                                                                           \
        int at = 0;                                                                                \
        for (int i = 0; i < SIDE * SIDE; i++)                                                      \
            a[0][i] = a[1][i] = (i * 7 % 23) / 64.0 - 0.125;                                       \
        name##_source(__VA_ARGS__);                                                                \
        at = 1;                                                                                    \
        name(__VA_ARGS__);                                                                         \
        if (memcmp(a[0], a[1], sizeof a[0])) {                                                     \
            printf(#name " differs at n = %d\n", n);                                               \
            wrong++;                                                                               \
        }                                                                                          \
    } while (0)

int main(void)
{
    for (int n = -1; n <= 19; n++) {
        BOTH(paths, n, a[at]);
        BOTH(flat, n, a[at]);
        BOTH(pivot, n, a[at]);
        BOTH(beyond, n, n + 3, a[at]);
        BOTH(middle, n, a[at]);
        BOTH(ended, n, a[at]);
        BOTH(macro, n, a[at]);
        BOTH(together, n, a[at]);
    }
    printf("%d differ\n", wrong);
    return wrong != 0;
}
