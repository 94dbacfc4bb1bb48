#include <stdio.h>
#include <string.h>
enum { SIDE = 40 };
static double a[2][SIDE * SIDE], b[2][SIDE], row[2][SIDE];
static int wrong;

/* Calls of each function with one kind of parameters. */
#define DECLARE(name, ...) void name(__VA_ARGS__), name##_source(__VA_ARGS__)
DECLARE(rows, int, int, double, double *, double *, double *);
DECLARE(means, int, int, double *);
DECLARE(local, int, int, int, double *);
DECLARE(nearest, int, int, double *, double *);
DECLARE(sums, int, int, double *, double *);
DECLARE(down, int, int, double *, double *);
DECLARE(carried, int, int, double *, double *);
DECLARE(perhaps, int, int, double *, double *);
DECLARE(less, int, double *, double *);
DECLARE(holes, int, int, double *, double *);
DECLARE(helped, int, int, double *, double *);
DECLARE(spelled, int, int, double *, double *);
DECLARE(previous, int, int, double *, double *);
DECLARE(hidden, int, int, double *, double *, int);

void *no_memory(unsigned long bytes)
{
    (void)bytes;
    return 0;
}

static void fill(void)
{
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < SIDE * SIDE; i++)
            a[k][i] = (i * 7 % 23) / 4.0 - 2;
        for (int i = 0; i < SIDE; i++) {
            b[k][i] = i;
            row[k][i] = 2 * i;
        }
    }
}

static void compare(const char *name, int n, int m)
{
    if (!memcmp(a[0], a[1], sizeof a[0]) && !memcmp(b[0], b[1], sizeof b[0]) &&
        !memcmp(row[0], row[1], sizeof row[0]))
        return;
    printf("%s differs at n = %d, m = %d\n", name, n, m);
    wrong++;
}

#define BOTH(name, ...)                                                                            \
    do {                                                                                           \
        int at = 0;                                                                                \
        fill();                                                                                    \
        name##_source(__VA_ARGS__);                                                                \
        at = 1;                                                                                    \
        name(__VA_ARGS__);                                                                         \
        compare(#name, n, m);                                                                      \
    } while (0)

int main(void)
{
    static const int sizes[] = {0, 1, 2, 5, 17, -1};
    for (int x = 0; x < 36; x++) {
        int n = sizes[x / 6], m = sizes[x % 6];
        BOTH(less, n, a[at], row[at]);
        if (m < 1 && n > 0)
            continue;
        BOTH(rows, n, m, 0.5, a[at], b[at], row[at]);
        BOTH(means, n, m, a[at]);
        BOTH(nearest, n, m, a[at], b[at]);
        BOTH(sums, n, m, a[at], b[at]);
        BOTH(down, n, m, a[at], row[at]);
        BOTH(carried, n, m, a[at], row[at]);
        BOTH(perhaps, n, m, a[at], row[at]);
        BOTH(holes, n, m, a[at], row[at]);
        BOTH(helped, n, m, a[at], row[at]);
        BOTH(spelled, n, m, a[at], row[at]);
        BOTH(previous, n, m, a[at], row[at]);
        BOTH(hidden, n, m, a[at], row[at], 3);
        if (m < 0)
            continue;
        BOTH(local, n, m, 0, a[at]);
        BOTH(local, n, m, 2, a[at]);
    }
    printf("%d differ\n", wrong);
    return wrong != 0;
}
