/* split_products() of tests/programs: a digest of its results, and the most bytes that a member
   has. */
#include "split_products.tf.h"
#include <stdio.h>
#include <treefork.h>

enum { SIZE = 24, BLOCK = 8 };

static float m[5][SIZE][SIZE];

int main(void)
{
    unsigned sum = 2166136261u;
    uint64_t most = 0;
    for (int k = 0; k < 5 * SIZE * SIZE; k++)
        ((float *)m)[k] = (float)(k * 37 % 101) / 7;
    split_products(SIZE, BLOCK, m[0], m[1], (const float(*)[SIZE])m[2], (const float(*)[SIZE])m[3],
                   (const float(*)[SIZE])m[4]);
    for (int i = 0; i < treefork_exchanged(treefork_default()).members; i++) {
        uint64_t bytes = treefork_member_bytes(treefork_default(), i);
        most = bytes > most ? bytes : most;
    }
    for (int k = 0; k < 2 * SIZE * SIZE; k++)
        sum = (sum ^ ((unsigned *)m)[k]) * 16777619u;
    printf("%x, %d bytes\n", sum, (int)most);
    return 0;
}
