/* Calls the functions of tunables.c at sizes that blocks divide and do not; what they compute must not depend on the device.
   Arguments: the size of factor. */
#include <stdio.h>
#include <stdlib.h>
#include <treefork.h>

long sized(int n, const int x[n]);
void stepped(int n, int x[restrict n]);
long exchanged(int n, const int x[n]);
void truncated(int n, int x[restrict n]);
void factor(int n, float A[n][n]);

static long sum(int n, const int *x)
{
    long total = 0;
    for (int i = 0; i < n; i++)
        total += (i % 13 + 1) * (long)x[i];
    return total;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 6, 37, 96, 100, 1024};
    int n = argc > 1 ? atoi(argv[1]) : 100;
    for (int k = 0; k < 6; k++) {
        int m = sizes[k], x[1024];
        for (int i = 0; i < m; i++)
            x[i] = i * 7 % 31 - 5;
        printf("%d: %ld", m, sized(m, x));
        printf(" %ld", exchanged(m, x));
        truncated(m, x);
        printf(" %ld", sum(m, x));
        stepped(m, x);
        printf(" %ld\n", sum(m, x));
    }
    float (*A)[n] = malloc(sizeof(float[n][n]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = i == j ? n : (float)((i * 3 + j * 5) % 7) / 8;
    struct treefork_device *device = treefork_default();
    struct treefork_statistics before = {0}, after = {0};
    if (device)
        before = treefork_statistics(device);
    factor(n, A);
    if (device)
        after = treefork_statistics(device);
    fprintf(stderr, "choices %lu\nprograms %lu\n", (unsigned long)(after.choices - before.choices),
            (unsigned long)(after.builds + after.loads - before.builds - before.loads));
    double total = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            total += A[i][j] * ((i + 2 * j) % 5);
    printf("factor %.6g\n", total);
    free(A);
    return 0;
}
