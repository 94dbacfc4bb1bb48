/* Samples whose arrays members have windows of, by name: a digest of the results, and the bytes of
   memory on each member, which are those of the closed forms: rows of B0*f on below B0*t + 2 for
   blocks f up to t that read a halo, of B0*f up to B0*t where they do not. */
#include "heat3d.tf.h"
#include "jacobi2d.tf.h"
#include "matmul.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <treefork.h>

enum { N = 64, B0 = 4, BLOCKS = 16, SPACE = 32, DEPTH = 2, LAYERS = 15, BYTES = 1 << 19 };

static _Alignas(16) unsigned char memory[3][BYTES];

static void fill(int doubles)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BYTES / (doubles ? 8 : 4); i++)
            if (doubles)
                ((double *)memory[k])[i] = (double)((i * 37 + k * 11) % 101) / 7;
            else
                ((float *)memory[k])[i] = (float)((i * 37 + k * 11) % 101) / 7;
}

static void sample_run(const char *name)
{
    fill(strcmp(name, "heat3d") == 0);
    if (strcmp(name, "jacobi2d") == 0)
        jacobi2d(6, N, 1, B0, 16, (float(*)[N][N])memory[0]);
    else if (strcmp(name, "matmul") == 0)
        matmul(N, 1, B0, 16, (float(*)[N])memory[0], (float(*)[N])memory[1],
               (float(*)[N])memory[2]);
    else
        heat3d(SPACE, 1, DEPTH, 5, 10, 0.1, (double(*)[SPACE][SPACE])memory[0],
               (double(*)[SPACE][SPACE])memory[1]);
}

/* Bytes of member k of so many. */
static unsigned long long expected(const char *name, int k, int members)
{
    int blocks = strcmp(name, "heat3d") == 0 ? LAYERS : BLOCKS;
    int f = blocks * k / members, t = blocks * (k + 1) / members, rows = B0 * (t - f);
    int halo = B0 * t + 2 < N ? B0 * t + 2 : N;
    if (members == 1)
        return strcmp(name, "heat3d") == 0  ? 2 * 8 * SPACE * SPACE * SPACE
               : strcmp(name, "matmul") == 0 ? 3 * 4 * N * N
                                             : 2 * 4 * N * N;
    if (strcmp(name, "matmul") == 0)
        return 4 * (N * N + 2 * rows * N);
    if (strcmp(name, "jacobi2d") == 0)
        return 4 * (N * N + (halo - B0 * f) * N);
    return 8 * SPACE * SPACE * (2 * DEPTH * (t - f) + 2);
}

static unsigned long long digest(void)
{
    unsigned long long sum = 14695981039346656037ull;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BYTES; i++)
            sum = (sum ^ memory[k][i]) * 1099511628211ull;
    return sum;
}

static void sample_report(const char *name)
{
    struct treefork_device *device = treefork_default();
    unsigned long long bytes[16], wrong = 0;
    int members = treefork_exchanged(device).members;
    sample_run(name);
    for (int k = 0; k < members; k++) {
        bytes[k] = (unsigned long long)treefork_member_bytes(device, k);
        wrong += bytes[k] != expected(name, k, members);
    }
    treefork_release(device, NULL);
    printf("%s, %llx,", name, digest());
    for (int k = 0; k < members; k++)
        printf(" %llu", bytes[k]);
    printf(" bytes, %llu wrong\n", wrong);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        sample_report(argv[i]);
    return 0;
}
