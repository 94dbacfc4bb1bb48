/* What the first launch of a process costs beside the second one. `cache KERNEL` opens the device,
   runs the region of one of three functions twice, and prints microseconds of opening, of the first
   and of the second call, how many programs were compiled and how many came from the cache on disk,
   and whether the result is right. tools/bench-cache builds and drives it. */
#include <metafork.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <treefork.h>

/* One point to a thread, nothing staged. */
void saxpy(int n, int B, float alpha, float x[n], float y[n])
{
    int blocks = (n + B - 1) / B;
    meta_schedule {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++) {
                int p = i * B + j;
                if (p < n)
                    y[p] = alpha * x[p] + y[p];
            }
    }
}

/* A stencil over a staged row. */
void smooth(int n, int s, int B, int a[n + 2], int b[n + 2])
{
    int blocks = (n + s * B - 1) / (s * B);
    meta_schedule cache(a) {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < B; j++)
                for (int k = 0; k < s; k++) {
                    int p = (i * s + k) * B + j;
                    if (p < n)
                        b[p + 1] = (a[p] + a[p + 1] + a[p + 2]) / 3;
                }
    }
}

/* A product with staged tiles: the largest text of the three. */
void product(int n, int B, float a[n][n], float b[n][n], float c[n][n])
{
    int blocks = (n + B - 1) / B;
    meta_schedule cache(a, b) {
        meta_for (int i = 0; i < blocks; i++)
            meta_for (int j = 0; j < blocks; j++)
                for (int k = 0; k < blocks; k++)
                    meta_for (int v = 0; v < B; v++)
                        meta_for (int u = 0; u < B; u++) {
                            int p = i * B + v;
                            int q = j * B + u;
                            for (int z = 0; z < B; z++) {
                                int r = k * B + z;
                                if (p < n && q < n && r < n)
                                    c[p][q] += a[p][r] * b[r][q];
                            }
                        }
    }
}

enum { N = 64 };
static float x[N * N], y[N * N], z[N * N];
static int from[N + 2], to[N + 2];

static void call(const char *kernel)
{
    if (strcmp(kernel, "saxpy") == 0)
        saxpy(N * N, 64, 2, x, y);
    else if (strcmp(kernel, "smooth") == 0)
        smooth(N, 2, 16, from, to);
    else
        product(N, 8, (float (*)[N])x, (float (*)[N])y, (float (*)[N])z);
}

/* After two calls, where x, y and from held ones. */
static int is_right(const char *kernel)
{
    if (strcmp(kernel, "saxpy") == 0)
        return y[0] == 5 && y[N * N - 1] == 5;
    if (strcmp(kernel, "smooth") == 0)
        return to[1] == 1 && to[N] == 1;
    return z[0] == 2 * N && z[N * N - 1] == 2 * N;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return 1e6 * (double)time.tv_sec + 1e-3 * (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
    const char *kernel = argc > 1 ? argv[1] : "product";
    double times[4];
    for (int i = 0; i < N * N; i++)
        x[i] = y[i] = 1;
    for (int i = 0; i < N + 2; i++)
        from[i] = 1;
    times[0] = now();
    struct treefork_device *device = treefork_default();
    times[1] = now();
    if (!device) {
        fprintf(stderr, "%s\n", treefork_message());
        return 77;
    }
    for (int i = 2; i < 4; i++) {
        call(kernel);
        treefork_wait(device);
        times[i] = now();
    }
    struct treefork_statistics statistics = treefork_statistics(device);
    printf("%.1f %.1f %.1f %llu %llu %s\n", times[1] - times[0], times[2] - times[1],
           times[3] - times[2], (unsigned long long)statistics.builds,
           (unsigned long long)statistics.loads, is_right(kernel) ? "right" : "wrong");
    return is_right(kernel) ? 0 : 1;
}
