/* small N MODE: 40 rounds over N of 2^22 cells, beside the same in plain C; says what was launched
   and copied. MODE: "apart" (arrays that begin at no multiple of 16 bytes), "moved" (to such places
   between the calls), "attached", "halfway" (TREEFORK_HOST=never from the second call on), "timed"
   (a region is), "explain". */
#define _XOPEN_SOURCE 700
#include "small.tf.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <treefork.h>

enum { CELLS = 1 << 22, ROUNDS = 40, BLOCK = 64 };
static _Alignas(64) int memory[2][CELLS + 4], wanted[2][CELLS];

static void plainly(int n, int *a, int *b)
{
    for (int t = 0; t < ROUNDS; t++) {
        for (int p = 0; p < n; p++)
            a[p] = (int)((unsigned)a[p] * 3 + (unsigned)b[p] + (unsigned)t);
        a[0] += t % 5;
        for (int p = 0; t % 8 == 7 && p < CELLS; p++)
            b[p] = b[p] + a[p] % 7;
    }
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]), apart = strcmp(argv[2], "apart") == 0, wrong = 0;
    int *a = memory[0] + apart, *b = memory[1] + apart;
    void *place = a;
    treefork_default();     /* nothing runs before the device is open (early.test) */
    for (int p = 0; p < CELLS; p++) {
        a[p] = wanted[0][p] = p % 10;
        b[p] = wanted[1][p] = p % 3;
    }
    if (strcmp(argv[2], "attached") == 0 &&
        treefork_attach(treefork_default(), &place, CELLS * sizeof *a, NULL))
        return puts(treefork_message()), 1;
    if (strcmp(argv[2], "timed") == 0)
        treefork_tune_watch(treefork_default(), "small");
    for (int call = 0; call < 2; call++) {
        small(n, CELLS, ROUNDS, BLOCK, a, b);
        plainly(n, wanted[0], wanted[1]);
        if (strcmp(argv[2], "halfway") == 0)
            setenv("TREEFORK_HOST", "never", 1);
        if (call == 0 && strcmp(argv[2], "moved") == 0) {
            a = memmove(memory[0] + 1, a, CELLS * sizeof *a);
            b = memmove(memory[1] + 1, b, CELLS * sizeof *b);
        }
    }
    if (strcmp(argv[2], "explain") == 0)
        return treefork_explain("small", TREEFORK_TEXT, stdout);
    if (place == a)
        treefork_sync(treefork_default());
    treefork_host(treefork_default(), NULL, TREEFORK_READ);
    for (int p = 0; p < CELLS; p++)
        wrong += a[p] != wanted[0][p] || b[p] != wanted[1][p];
    struct treefork_statistics s = treefork_statistics(treefork_default());
    printf("%d wrong, %llu launches, %s\n", wrong, (unsigned long long)s.launches,
           s.copies_to_device ? "copies" : "no copies");
    return wrong != 0;
}
