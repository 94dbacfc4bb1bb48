/* The mapped functions beside the sources. */
#include <stdio.h>
#include <string.h>

enum { SIDE = 48 };
typedef void solve(int n, unsigned *restrict a, unsigned *restrict b,
                   unsigned c[restrict SIDE][SIDE]);
solve forward, forward_source, backward, backward_source, macro, macro_source, rows, rows_source;
solve strict, strict_source, twofold, twofold_source;

struct memory {
    unsigned a[SIDE], b[SIDE], c[SIDE][SIDE];
};
static struct memory first, source, mapped;

int main(void)
{
    solve *const pairs[][2] = {{forward_source, forward}, {backward_source, backward},
                               {macro_source, macro}, {rows_source, rows},
                               {strict_source, strict}, {twofold_source, twofold}};
    int wrong = 0;
    for (size_t i = 0; i < sizeof first / sizeof(unsigned); i++)
        ((unsigned *)&first)[i] = (unsigned)i * 2654435761u >> 7;
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++)
        for (int n = -1; n < 20; n++) {
            source = mapped = first;
            pairs[k][0](n, source.a, source.b, source.c);
            pairs[k][1](n, mapped.a, mapped.b, mapped.c);
            if (memcmp(&source, &mapped, sizeof source)) {
                printf("function %zu differs at n=%d\n", k, n);
                wrong++;
            }
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
