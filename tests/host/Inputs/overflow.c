/* One call of big.c, chosen by a number. */
#include "big.tf.h"
#include <stdio.h>
#include <stdlib.h>
#include <limits.h>
int main(int argc, char **argv)
{
    static long a[100]; static char c[100]; int w = argc > 1 ? atoi(argv[1]) : 0;
    switch (w) {
    case 0: l(LONG_MAX, 4, a); break;
    case 1: l(1L << 62, 4, a); break;
    case 3: z((size_t)-1, 16, c); break;
    case 5: u(UINT_MAX, 16, c); puts("fine"); break;
    case 7: m(2000000000, 16, NULL); break;
    case 8: m(0, 16, NULL); puts("nothing"); break;
    case 10: q(100, 0, c); break;
    case 11: q(-5, 10, c); break;
    case 12: l(100, LONG_MAX, a); break;
    case 14: u(90, 1u << 31, c); printf("%d\n", c[89]); break;
    }
}
