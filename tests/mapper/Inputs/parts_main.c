/* The mapped functions beside the sources, at sizes from -1 up. */
#include <stdio.h>
#include <string.h>

enum { SIDE = 40, COUNT = SIDE * SIDE };
struct memory {
    double x[COUNT], y[COUNT], z[COUNT];
    unsigned a[COUNT], b[COUNT], c[COUNT], d[COUNT];
};
static struct memory first, source, mapped;

#define EACH(X) X(sums) X(triangle) X(named) X(thrice) X(turned)
#define VECTORS(type, name) void name(int, type *restrict, type *restrict, const type *restrict);
#define SUMS(name) VECTORS(double, name)
#define UNSIGNED(name) VECTORS(unsigned, name)
SUMS(sums) SUMS(sums_source)
UNSIGNED(named) UNSIGNED(named_source) UNSIGNED(turned) UNSIGNED(turned_source)
void triangle(int, int, double, double *, const double *, const double *);
void triangle_source(int, int, double, double *, const double *, const double *);
void thrice(int, unsigned *, unsigned *, unsigned *, const unsigned *);
void thrice_source(int, unsigned *, unsigned *, unsigned *, const unsigned *);

static void call_sums(int n, struct memory *m, int is_source)
{
    (is_source ? sums_source : sums)(n, m->x, m->y, m->z);
}

static void call_triangle(int n, struct memory *m, int is_source)
{
    (is_source ? triangle_source : triangle)(n, n < 3 ? n : n - 2, 0.75, m->x, m->y, m->z);
}

static void call_named(int n, struct memory *m, int is_source)
{
    (is_source ? named_source : named)(n, m->a, m->b, m->c);
}

static void call_thrice(int n, struct memory *m, int is_source)
{
    (is_source ? thrice_source : thrice)(n, m->a, m->b, m->c, m->d);
}

static void call_turned(int n, struct memory *m, int is_source)
{
    (is_source ? turned_source : turned)(n, m->a, m->b, m->c);
}

#define ROW(name) {#name, call_##name},
static const struct {
    const char *name;
    void (*call)(int n, struct memory *m, int is_source);
} rows[] = {EACH(ROW)};

int main(void)
{
    static const int sizes[] = {-1, 0, 1, 2, 3, 7, 16, 33};
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) {
        first.x[i] = i % 13 - 5;
        first.y[i] = i % 7 * 0.5;
        first.z[i] = i % 11 * 0.25 - 1;
        first.a[i] = first.b[i] = first.c[i] = first.d[i] = (unsigned)i * 2654435761u >> 7;
    }
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            source = mapped = first;
            rows[k].call(sizes[i], &source, 1);
            rows[k].call(sizes[i], &mapped, 0);
            if (memcmp(&source, &mapped, sizeof source)) {
                printf("%s differs at n=%d\n", rows[k].name, sizes[i]);
                wrong++;
            }
        }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
