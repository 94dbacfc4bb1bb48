#include "cut.h"
#include <stdio.h>
#include <string.h>

double relax_source(int steps, int n, double a[restrict n][n], double b[restrict n][n],
                    const int *restrict p);
void carry_source(int n, double *restrict a, double *restrict b);
void between_source(int n, int *restrict a, int *restrict b);
int iterators_source(int n, int *restrict a, int *restrict b);

enum { SIDE = 20 };

struct memory {
    double a[SIDE][SIDE], b[SIDE][SIDE];
    int c[SIDE + 2], d[SIDE + 2];
    double sum;
    int last;
};

double twist(double x)
{
    static const double factors[] = {0.5, -1, 3};
    return x * factors[(int)x % 3 < 0 ? 0 : (int)x % 3];
}

static void fill(struct memory *m)
{
    memset(m, 0, sizeof *m);
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++)
            m->a[i][j] = i - j + 0.25, m->b[i][j] = i * j;
        m->c[i] = 3 * i, m->d[i] = i - 7;
    }
}

int main(void)
{
    static const int sizes[] = {0, 1, 2, 3, 7, SIDE};
    static struct memory source, mapped;
    int p[SIDE], wrong = 0;
    for (int k = 0; k < 6; k++) {
        int n = sizes[k];
        for (int i = 0; i < n; i++)
            p[i] = i / 2;
        fill(&source);
        fill(&mapped);
        double (*a)[n] = (double (*)[n])source.a, (*b)[n] = (double (*)[n])source.b;
        double (*a2)[n] = (double (*)[n])mapped.a, (*b2)[n] = (double (*)[n])mapped.b;
        if (n > 0) {
            source.sum = relax_source(k, n, a, b, p);
            mapped.sum = relax(k, n, a2, b2, p);
        }
        carry_source(n, &source.a[0][0], &source.b[0][0]);
        carry(n, &mapped.a[0][0], &mapped.b[0][0]);
        between_source(n, source.c, source.d);
        between(n, mapped.c, mapped.d);
        source.last = iterators_source(n, source.c, source.d);
        mapped.last = iterators(n, mapped.c, mapped.d);
        if (memcmp(&source, &mapped, sizeof source)) {
            printf("differs at n=%d\n", n);
            wrong++;
        }
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
