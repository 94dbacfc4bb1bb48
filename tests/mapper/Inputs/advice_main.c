/* The twins of the functions in advice.c, as they are refused, and a comparison. */
#include <stdio.h>
#include <string.h>

enum { N = 40, M = 7, PARTS = 5, NX = 5, NY = 4, NZ = 3 };

void counts(int n, int m, const int *at, int *h, int part[PARTS][M]);
void until(int n, const double *c, double *a);
void gather(int n, const int *from, const double *c, double *a);
void blocks(int down, int across, int *a);
int last(int n, int *a);
void warm(int n, float *r, const float *t);
void layers(int nx, int ny, int nz, const float *in, float *out);
extern const float ambient;

static int wrong;

static void check(const char *name, const void *got, const void *want, size_t size)
{
    if (memcmp(got, want, size)) {
        printf("%s differs\n", name);
        wrong++;
    }
}

static void integers(void)
{
    int at[N * PARTS], to[N], from[N], h[M] = {0}, want[M] = {0}, part[PARTS][M];
    int a[N + 1] = {0}, b[N + 1] = {0}, i, k;
    for (i = 0; i < N * PARTS; i++)
        at[i] = i * i % M;
    counts(N, M, at, h, part);
    for (i = 0; i < N * PARTS; i++)
        want[at[i]]++;
    check("counts", h, want, sizeof h);
    blocks(4, 6, a);
    for (i = 0; i < 24; i++)
        b[(i / 6) * 6 + i % 6] = i % 6 + 7 * (i / 6);
    check("blocks", a, b, sizeof a);
    wrong += last(N, a) != N;
    for (i = 0; i < N; i++) {
        k = i;
        k += 1;
        b[k] = i;
    }
    b[0] = i;
    check("last", a, b, sizeof a);
    double c[N], x[N], y[N];
    for (i = 0; i < N; i++) {
        to[i] = (i * 7 + 3) % N;
        from[to[i]] = i;
        c[i] = i / 3.0;
    }
    gather(N, from, c, x);
    for (i = 0; i < N; i++)
        y[to[i]] = c[i];
    check("gather", x, y, sizeof x);
}

static void numbers(int end)
{
    double c[N] = {0}, a[N] = {0}, b[N] = {0};
    float in[NX * NY * NZ], out[NX * NY * NZ], want[NX * NY * NZ];
    for (int i = 0; i < N; i++)
        c[i] = i == end;
    until(N, c, a);
    for (int i = 0; i < N; i++) {
        b[i] += 1;
        if (c[i] > 0.5)
            break;
    }
    check("until", a, b, sizeof a);
    for (int i = 0; i < NX * NY * NZ; i++)
        in[i] = i / 7.0f;
    layers(NX, NY, NZ, in, out);
    for (int i = 0; i < NX * NY * NZ; i++)
        want[i] = in[i] + 0.5f * in[i % NX ? i - 1 : i] + 0.25f * in[i % NX < NX - 1 ? i + 1 : i];
    check("layers", out, want, sizeof out);
    warm(NX * NY * NZ, out, in);
    for (int i = 0; i < NX * NY * NZ; i++)
        want[i] = in[i] + (ambient - in[i]) * 0.5f;
    check("warm", out, want, sizeof out);
}

int main(void)
{
    integers();
    numbers(0);
    numbers(17);
    numbers(N);
    printf("%d wrong\n", wrong);
    return 0;
}
