/* Functions of which a program has two, NAME as mapped and NAME_source: both run on the same arrays, and what they leave is compared. */
#include <stdio.h>
#include <string.h>
enum { SIDE = 72 };
static double a[2][SIDE * SIDE], x[2][SIDE * SIDE];
static int wrong, runs;

#define DECLARE(name, ...) void name(__VA_ARGS__), name##_source(__VA_ARGS__)

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
