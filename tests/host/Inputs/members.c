/* Samples on a device with members, by name: a digest of the results, and the bytes that were
   copied: from the host, between members, home, and in how many copies. */
#include "heat3d.tf.h"
#include "jacobi2d.tf.h"
#include "matmul.tf.h"
#include "matvec.tf.h"
#include "transpose.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <treefork.h>

enum { BYTES = 1 << 20 };

static _Alignas(16) unsigned char memory[3][BYTES];

static void fill_floats(void)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BYTES / 4; i++)
            ((float *)memory[k])[i] = (float)((i * 37 + k * 11) % 101) / 7;
}

static void fill_doubles(void)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < BYTES / 8; i++)
            ((double *)memory[k])[i] = (double)((i * 37 + k * 11) % 101) / 7;
}

static void heat_run(void)
{
    fill_doubles();
    for (int t = 0; t < 4; t++)
        heat3d(26, 1, 2, 4, 8, 0.1, (double(*)[26][26])memory[t % 2],
               (double(*)[26][26])memory[1 - t % 2]);
}

/* Two products, the second with the result of the first. */
static void product_run(void)
{
    float *x = (float *)memory[1], *y = (float *)memory[2];
    matvec(60, 60, 4, 4, (const float(*)[60])memory[0], x, y);
    matvec(60, 60, 4, 4, (const float(*)[60])memory[0], y, x);
}

static void sample_run(const char *name)
{
    fill_floats();
    if (strcmp(name, "jacobi2d") == 0)
        jacobi2d(6, 61, 1, 4, 16, (float(*)[61][61])memory[0]);
    else if (strcmp(name, "matmul") == 0)
        matmul(50, 1, 4, 16, (float(*)[50])memory[0], (float(*)[50])memory[1],
               (float(*)[50])memory[2]);
    else if (strcmp(name, "transpose") == 0)
        transpose(46, 2, 4, 3, (int(*)[46])memory[0], (int *)memory[1]);
    else if (strcmp(name, "matvec") == 0)
        product_run();
    else
        heat_run();
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
    struct treefork_statistics old = treefork_statistics(device), now;
    struct treefork_exchanged before = treefork_exchanged(device), after;
    sample_run(name);
    treefork_release(device, NULL);
    now = treefork_statistics(device);
    after = treefork_exchanged(device);
    printf("%s, %llx, %d members: %llu bytes from the host, %llu between, %llu home; "
           "%llu, %llu and %llu copies\n", name,
           digest(), after.members,
           (unsigned long long)(now.bytes_to_device - old.bytes_to_device),
           (unsigned long long)(after.bytes - before.bytes),
           (unsigned long long)(now.bytes_to_host - old.bytes_to_host),
           (unsigned long long)(now.copies_to_device - old.copies_to_device),
           (unsigned long long)(after.copies - before.copies),
           (unsigned long long)(now.copies_to_host - old.copies_to_host));
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        sample_report(argv[i]);
    return 0;
}
