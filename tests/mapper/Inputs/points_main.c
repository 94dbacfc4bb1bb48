/* The mapped functions beside the sources, at sizes that they bear: rows and columns from 1 up, of `empty` also none. */
#include <stdio.h>
#include <string.h>

enum { SIDE = 40 };
typedef void solve(int n, int m, unsigned *a, unsigned *b, unsigned *c);
struct memory {
    unsigned a[SIDE * SIDE], b[SIDE * SIDE], c[SIDE];
};
static struct memory first, source, mapped;

#define EACH(X) X(rows) X(column) X(spread) X(twice) X(empty) X(perhaps) X(diagonal) X(element)
#define DECLARE(name) solve name, name##_source;
#define ROW(name) {#name, name##_source, name},
EACH(DECLARE)

int main(void)
{
    static const struct {
        const char *name;
        solve *source, *mapped;
    } cases[] = {EACH(ROW)};
    static const int sizes[][2] = {{1, 3}, {2, 3}, {3, 7}, {7, 4}, {16, 9}, {33, 35}, {0, 5}};
    int wrong = 0;
    for (size_t i = 0; i < sizeof first / sizeof(unsigned); i++)
        ((unsigned *)&first)[i] = (unsigned)i * 2654435761u >> 7;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            int n = sizes[i][0], m = sizes[i][1];
            if (!n && strcmp(cases[k].name, "empty") != 0)
                continue;
            source = mapped = first;
            cases[k].source(n, m, source.a, source.b, source.c);
            cases[k].mapped(n, m, mapped.a, mapped.b, mapped.c);
            if (memcmp(&source, &mapped, sizeof source)) {
                printf("%s differs at n=%d, m=%d\n", cases[k].name, n, m);
                wrong++;
            }
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
