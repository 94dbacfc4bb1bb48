/* Functions of a plain file beside the same under the name NAME_source, at sizes from -2 up, with arrays apart and overlapping
   (APART: apart only). EACH(X) names them: X(first) X(second). All are
       void NAME(long n, long m, double *a, double *b, int *c);
   and touch at most ROOM elements on either side of what they get, with n and m at most SIZE. */
#include <stdio.h>
#include <string.h>

#ifndef SIZE
#define SIZE 17
#endif
enum { ROOM = 3 * (SIZE + 3) * (SIZE + 3) };

struct memory {
    double reals[6 * ROOM];
    int numbers[3 * ROOM];
};
typedef void (*function)(long n, long m, double *a, double *b, int *c);

#define DECLARE(name) void name(long, long, double *, double *, int *), name##_source(long, long, double *, double *, int *);
EACH(DECLARE)

static void fill(struct memory *memory)
{
    for (int i = 0; i < 6 * ROOM; i++)
        memory->reals[i] = (i * 37) % 11 * 0.25 - 1;
    for (int i = 0; i < 3 * ROOM; i++)
        memory->numbers[i] = i * 53 % 17 - 5;
}

static int compare(const char *name, function mapped, function source)
{
    static const long sizes[] = {-2, 0, 1, 2, 3, 5, 8, SIZE};
#ifdef APART
    static const int shifts[] = {4 * ROOM};
#else
    static const int shifts[] = {4 * ROOM, 1 * ROOM + 1, 1 * ROOM};
#endif
    static struct memory first, second;
    int n_sizes = (int)(sizeof sizes / sizeof *sizes), wrong = 0;
    int n_shifts = (int)(sizeof shifts / sizeof *shifts);
    for (int x = 0; x < n_sizes * n_sizes; x++)
        for (int shift = 0; shift < n_shifts; shift++) {
            long n = sizes[x / n_sizes], m = sizes[x % n_sizes];
            fill(&first);
            fill(&second);
            source(n, m, first.reals + ROOM, first.reals + shifts[shift], first.numbers + ROOM);
            mapped(n, m, second.reals + ROOM, second.reals + shifts[shift], second.numbers + ROOM);
            if (memcmp(&first, &second, sizeof first) == 0)
                continue;
            if (!wrong++)
                printf("%s is wrong: n = %ld, m = %ld, shift %d\n", name, n, m, shifts[shift]);
        }
    return wrong;
}

int main(void)
{
    int wrong = 0, functions = 0;
#define COMPARE(name) wrong += compare(#name, name, name##_source), functions++;
    EACH(COMPARE)
    printf("%d functions, %d wrong\n", functions, wrong);
    return wrong != 0;
}
