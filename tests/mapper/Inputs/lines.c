/* Error macros that tell the file and the line. */
#include <stdio.h>

#define TELL(reason, file, line) printf("%s:%d: %s\n", file, line, reason)
#define FAIL(reason, code)                  \
    do {                                    \
        TELL(reason, __FILE__, __LINE__);   \
        return code;                        \
    } while (0)
#define CHECK(e) do { if (!(e)) FAIL(#e, 7); } while (0)

static double a[4000], b[4000];

static int scale(double alpha, int n, double *restrict d, const double *restrict p)
{
    CHECK(alpha > 0);
    for (int i = 0; i < n; i++)
        d[i] = p[i] * alpha;
    CHECK(n <= 4000); for (int i = 0; i < n; i++)
        d[i] += 1;
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < n; i++)
            d[i] += t;
        if (n < 100)
            printf("round %d at line %d\n", t, __LINE__);
    }
    if (n > 2000)
        FAIL("many", 5);
    return 0;
}

int main(void)
{
    double s = 0;
    for (int i = 0; i < 4000; i++)
        a[i] = i % 9;
    int x = scale(-1, 10, b, a), y = scale(2, 50, b, a), z = scale(3, 4000, b, a);
    for (int i = 0; i < 4000; i++)
        s += b[i];
    printf("%.17g %d %d %d, line %d\n", s, x, y, z, __LINE__);
    return 0;
}
