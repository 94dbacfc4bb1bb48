/* Runs six steps of together() and says what members copied between them, with a digest of the
   places. */
#include "together.tf.h"
#include <stdio.h>
#include <treefork.h>

enum { SIZE = 3072, BLOCK = 64 };

static float p[SIZE], f[SIZE];

int main(void)
{
    unsigned sum = 2166136261u;
    for (int i = 0; i < SIZE; i++)
        p[i] = (float)(i * 37 % 101) / 7;
    together(6, SIZE, BLOCK, p, f);
    struct treefork_exchanged moved = treefork_exchanged(treefork_default());
    const unsigned *bits = (const unsigned *)p;
    for (int i = 0; i < SIZE; i++)
        sum = (sum ^ bits[i]) * 16777619u;
    printf("%d members, digest %x, %llu bytes in %llu copies\n", moved.members, sum,
           (unsigned long long)moved.bytes, (unsigned long long)moved.copies);
    return 0;
}
