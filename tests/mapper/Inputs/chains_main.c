/* The mapped functions beside the sources, at sizes on both sides of what a block takes. */
#include <stdio.h>
#include <string.h>

enum { SIDE = 600 };
typedef unsigned line[SIDE];
#define DECLARE(which)                                                                             \
    void backward##which(long n, line a, const line b, const line *c);                             \
    void twice##which(int n, int m, line a, line b, line *c);                                      \
    void lines##which(int n, line a, line b, line *c);                                             \
    void sums##which(int n, line a, line b, line *c);                                              \
    void small##which(line a, line b)
DECLARE( );
DECLARE(_source);

struct memory {
    line a, b, c[SIDE];
};
static struct memory first, source, mapped;
static int wrong;

static void compare(const char *name, int n)
{
    if (memcmp(&source, &mapped, sizeof source)) {
        printf("%s differs at n=%d\n", name, n);
        wrong++;
    }
    source = mapped = first;
}

#define RUN(name, n, ...)                                                                          \
    do {                                                                                           \
        name##_source(__VA_ARGS__ source.a, source.b, source.c);                                   \
        name(__VA_ARGS__ mapped.a, mapped.b, mapped.c);                                            \
        compare(#name, n);                                                                         \
    } while (0)
#define COMMA ,

int main(void)
{
    static const int sizes[] = {-2, 0, 1, 2, 3, 5, 31, 32, 33, 100, 512, 513, 514, 560};
    for (size_t i = 0; i < sizeof first / sizeof(unsigned); i++)
        ((unsigned *)&first)[i] = (unsigned)i * 2654435761u >> 7;
    source = mapped = first;
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        int n = sizes[k];
        RUN(backward, n, n COMMA);
        RUN(lines, n, n COMMA);
        RUN(sums, n, n > 40 ? 40 : n COMMA);
        for (int m = -1; m < 3; m++)
            RUN(twice, n, n > 40 ? 40 : n COMMA m COMMA);
    }
    small_source(source.a, source.b);
    small(mapped.a, mapped.b);
    compare("small", 0);
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
