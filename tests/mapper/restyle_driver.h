/* Data of the drivers of restyle.py: arrays of numbers that are filled and compared, and sizes. An array has BEFORE elements ahead
   of what a function gets, as some touch those. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { BEFORE = 1024 };
static unsigned long fill_state;
static int wrong;

/* Positive; greater on the diagonal of n rows of n + 1. */
static double fill_next(long i, long n)
{
    fill_state = fill_state * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(fill_state >> 40) / (1 << 24) + (i % (n + 1) == 0 ? 8 : 0.25);
}

/* `all` elements of `size` bytes; integers from 0 to 6, as they may be subscripts. */
static void numbers_fill(void *memory, size_t size, long all, int is_real, long n)
{
    for (long i = 0; i < all; i++) {
        double value = fill_next(i - BEFORE, n);
        char *at = (char *)memory + i * size;
        long whole = (long)(value * 1000) % 7;
        if (is_real && size == sizeof(double))
            *(double *)at = value;
        else if (is_real)
            *(float *)at = (float)value;
        else
            memcpy(at, &whole, size < sizeof whole ? size : sizeof whole);
    }
}

static int is_nan(const void *at, size_t size)
{
    if (size == sizeof(float))
        return *(const float *)at != *(const float *)at;
    return *(const double *)at != *(const double *)at;
}

/* Says which element of the array `name` differs; any NaN is as good as another. */
static void numbers_compare(const char *name, const void *one, const void *two, size_t size, long all, int is_real)
{
    if (!memcmp(one, two, size * all))
        return;
    for (long i = 0; i < all; i++) {
        const char *x = (const char *)one + i * size, *y = (const char *)two + i * size;
        if (memcmp(x, y, size) && !(is_real && is_nan(x, size) && is_nan(y, size))) {
            printf("element %ld of %s differs\n", i - BEFORE, name);
            wrong++;
            return;
        }
    }
}

static long size_at(const long *given, int k, long least)
{
    return given[k] < least ? least : given[k];
}

/* A variable of the file and that of the original, NAME_source. */
#define VARIABLE_COMPARE(name)                                                     \
    if (memcmp(&name, &name##_source, sizeof name))                                \
    printf("variable %s differs\n", #name), wrong++
#define VARIABLE_FILL(name, type, is_real)                                         \
    for (size_t at = 0; at < sizeof name / sizeof(type); at++)                     \
    ((type *)&name)[at] = ((type *)&name##_source)[at] = is_real ? at * 37 % 11 * 0.25 : at * 53 % 7
