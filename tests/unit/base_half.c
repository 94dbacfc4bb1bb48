/* Half precision: every half is its own nearest one, and a number between two halves goes to the
   nearer, in the middle to the one whose last bit is 0. */
#include "base/half.h"
#include "check.h"
#include <math.h>

/* Numbers and the bits of the nearest half (IEEE 754 binary16). */
static const struct {
    double x;
    unsigned bits;
} rows[] = {
    {0, 0},
    {-0.0, 0x8000},
    {1, 0x3c00},
    {-2, 0xc000},
    {0.1, 0x2e66},
    {1 / 3.0, 0x3555},
    {65504, 0x7bff},
    {65519.99, 0x7bff},
    {65520, 0x7c00},
    {1e300, 0x7c00},
    {-INFINITY, 0xfc00},
    {0x1p-14, 0x0400},
    {0x1.ff8p-15, 0x03ff},
    {0x1.ffcp-15, 0x0400},
    {0x1p-24, 0x0001},
    {0x1p-25, 0x0000},
    {0x1.8p-25, 0x0001},
    {-0x1.8p-24, 0x8002},
    {2049, 0x6800},
    {2051, 0x6802},
    {1 + 0x1p-11, 0x3c00},
    {1 + 0x1p-11 + 0x1p-50, 0x3c01},
};

static void check_rows(struct check *check)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_that(check, half_bits(rows[i].x) == rows[i].bits, "%a: %04x instead of %04x",
                   rows[i].x, half_bits(rows[i].x), rows[i].bits);
}

/* The half with these bits, the next one, and what lies between the two. */
static void check_gap(struct check *check, unsigned bits)
{
    double x = half_value(bits), next = half_value(bits + 1), middle = (x + next) / 2;
    unsigned even = bits + (bits & 1);
    bool is_kept = half_bits(x) == bits && half_bits(-x) == (bits | 0x8000);
    bool is_nearest = half_bits(nextafter(middle, x)) == bits &&
                      half_bits(nextafter(middle, next)) == bits + 1;
    check_that(check, is_kept && next > x, "%04x", bits);
    check_that(check, is_nearest && half_bits(middle) == even, "behind %04x", bits);
}

int main(void)
{
    struct check check = {0};
    check_rows(&check);
    for (unsigned bits = 0; bits < 0x7bff; bits++)
        check_gap(&check, bits);
    check_that(&check, isnan(half_round(NAN)) && isnan(half_value(0x7c01)), "NaN");
    check_that(&check, isinf(half_value(0x7c00)), "infinity");
    return check_end(&check, "base_half");
}
