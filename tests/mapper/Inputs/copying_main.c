#include <stdio.h>
#include <string.h>
enum { SIDE = 40 };
static double a[2][SIDE * SIDE], b[2][SIDE * SIDE + 1];
static int places[SIDE], wrong;

#define DECLARE(name, ...) void name(__VA_ARGS__), name##_source(__VA_ARGS__)
DECLARE(blur, int, int, double *);
DECLARE(shift, int, double *);
DECLARE(diagonal, int, double *);
DECLARE(before, int, double *);
DECLARE(mixed, int, int, double *, double *);
DECLARE(indexed, int, double *, const int *);
DECLARE(updated, int, int, double *);
DECLARE(windows, int, double *);

void *no_memory(unsigned long bytes)
{
    (void)bytes;
    return 0;
}

static void fill(void)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < SIDE * SIDE; i++) {
            a[k][i] = (i * 7 % 23) / 4.0 - 2;
            b[k][i] = (i * 5 % 19) / 8.0;
        }
}

static void compare(const char *name, int n, int m)
{
    if (!memcmp(a[0], a[1], sizeof a[0]) && !memcmp(b[0], b[1], sizeof b[0]))
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
    static const int sizes[] = {0, 1, 2, 3, 5, 17, -1};
    for (int i = 0; i < SIDE; i++)
        places[i] = i * 3 % 17;
    for (int x = 0; x < 49; x++) {
        int n = sizes[x / 7], m = sizes[x % 7];
        BOTH(shift, n, b[at]);
        BOTH(diagonal, n, a[at]);
        BOTH(windows, n, a[at]);
        BOTH(before, n, b[at] + 1);
        BOTH(indexed, n, b[at], places);
        if (m < 1)
            continue;
        BOTH(blur, n, m, a[at]);
        BOTH(mixed, n, m, a[at], b[at]);
        BOTH(updated, n, m, a[at]);
    }
    printf("%d differ\n", wrong);
    return wrong != 0;
}
