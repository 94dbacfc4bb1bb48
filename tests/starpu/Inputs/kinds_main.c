#include "kinds.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 61 };
static float a[N][N], b[N][N], c[N][N], want[N][N];
static int wrong;

static void expect(const char *name, float (*got)[N])
{
    if (memcmp(got, want, sizeof want) == 0)
        return;
    printf("%s differs\n", name);
    wrong = 1;
}

static void fill(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (float)((i * 7 + j * 13) % 32);
            b[i][j] = (float)((i * 5 + j * 3) % 16);
            c[i][j] = want[i][j] = -1;
        }
}

static void try_product(void)
{
    fill();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            want[i][j] = sum;
        }
    product(N, a, b, c);
    expect("product", c);
}

static void try_columns(void)
{
    fill();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            want[i][j] = 2 * a[i][j];
    columns(N, a, c);
    expect("columns", c);
}

static void try_colours(void)
{
    fill();
    memcpy(want, a, sizeof a);
    for (int t = 0; t < 4; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                if ((i + j) % 2 == t % 2)
                    want[i][j] = 0.25f * (want[i - 1][j] + want[i + 1][j] + want[i][j - 1] + want[i][j + 1]);
        colours(N, t % 2, a);
    }
    expect("colours", a);
}

static void try_mirror(void)
{
    fill();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            want[i][j] = i > j ? a[i][j] : a[j][i];
    mirror(N, a, c);
    expect("mirror", c);
}

/* Each element from the one before it, which only the loop's own order gives. */
static void try_overlap(void)
{
    fill();
    memcpy(want, a, sizeof a);
    for (int i = 0; i < N - 1; i++)
        want[0][i + 1] = want[0][i] + 1;
    map(N - 1, a[0], a[0] + 1);
    expect("map", a);
}

int main(void)
{
    try_product();
    try_columns();
    try_colours();
    try_mirror();
    try_overlap();
    puts(wrong ? "differs" : "equal");
    return wrong;
}
