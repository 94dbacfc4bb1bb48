/* Functions of argmax.c beside the same under the name NAME_source, where elements and starts are numbers that are none, zeros
   of either sign, infinities and equal ones, at sizes from 0 up. EACH(X) names them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 700, ROWS = 5 };
typedef void (*function)(int n, int m, const double *x, const float *y, const int *c, double *out, int *at);

#define DECLARE(name) \
    void name(int, int, const double *, const float *, const int *, double *, int *), \
        name##_source(int, int, const double *, const float *, const int *, double *, int *);
EACH(DECLARE)

static double x[MOST * ROWS];
static float y[MOST * ROWS];
static int c[MOST * ROWS];

/* The element of a kind of data; the first kinds are hard ones. */
static double element(int kind, int i)
{
    static const double zeros[] = {-0.0, 0.0, -0.0, -1, 0.0}, others[] = {1, NAN, -INFINITY, INFINITY, NAN, -0.0, 2};
    switch (kind) {
    case 0: return NAN;
    case 1: return zeros[i % 5];
    case 2: return others[i % 7];
    case 3: return i < 3 ? NAN : (i * 29) % 13 - 6;
    case 4: return 4;
    case 5: return -INFINITY;
    default: return (i * 37 + kind * 11) % (kind * 20) * 0.25 - kind;
    }
}

static int compare(const char *name, function mapped, function source)
{
    static const double starts[] = {0.0, -0.0, NAN, -INFINITY, INFINITY, 1.5, -3, 4};
    static const int sizes[][2] = {{0, 1}, {1, 1}, {2, 3}, {37, 2}, {300, 1}, {MOST, ROWS}};
    int wrong = 0;
    for (int i = 0; i < 9 * 8 * 6; i++) {
        int kind = i / 48, n = sizes[i % 6][0], m = sizes[i % 6][1];
        for (int k = 0; k < MOST * ROWS; k++) {
            x[k] = element(kind, k);
            y[k] = (float)x[k];
            c[k] = (k * 53 + kind) % (19 + kind) - 7;
        }
        double start = starts[i / 6 % 8];
        double first[4] = {start, start, 9, 9}, second[4] = {start, start, 9, 9};
        int to[4] = {-1, -2, -3, 2}, from[4] = {-1, -2, -3, 2};
        source(n, m, x, y, c, first, to);
        mapped(n, m, x, y, c, second, from);
        if (memcmp(first, second, sizeof first) == 0 && memcmp(to, from, sizeof to) == 0)
            continue;
        if (!wrong++)
            printf("%s is wrong: data %d, start %g, n = %d: %g %g at %d %d, not %g %g at %d %d\n", name, kind, start, n, second[0],
                   second[1], from[0], from[1], first[0], first[1], to[0], to[1]);
    }
    return wrong;
}

int main(void)
{
    int wrong = 0, functions = 0;
#define COMPARE(name) wrong += compare(#name, name, name##_source), functions++;
    EACH(COMPARE)
    printf("%d functions, %d wrong\n", functions, wrong);
    return wrong != 0;
}
