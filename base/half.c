/* Half precision by arithmetic in double.

   In: any double, or the 16 bits of a half. Out: the bits of the nearest half, or its value. The
   bits of a finite half are a number of steps from zero: 2^-24 each below 2^-14, and 1024 steps in
   each power of two above. So rounding is one division by the length of a step and one rounding to
   a whole number, and a carry into the next power of two needs no case of its own. From 65520 on,
   which is half a step beyond the largest, the nearest is infinite (IEEE 754, 4.3.1). */
#include "base/half.h"
#include <math.h>

enum { EXPONENT_BIAS = 15, FRACTION_BITS = 10, SMALLEST_EXPONENT = -24 };
enum { INFINITE = 0x7c00, NOT_A_NUMBER = 0x7e00, SIGN = 0x8000 };

unsigned half_bits(double x)
{
    unsigned sign = signbit(x) ? SIGN : 0;
    double size = fabs(x);
    if (isnan(x))
        return sign | NOT_A_NUMBER;
    if (size >= 65520)
        return sign | INFINITE;
    if (size < ldexp(1, 1 - EXPONENT_BIAS))
        return sign | (unsigned)rint(ldexp(size, -SMALLEST_EXPONENT));
    int exponent;
    frexp(size, &exponent);
    exponent--;
    unsigned steps = (unsigned)rint(ldexp(size, FRACTION_BITS - exponent));
    unsigned powers = (unsigned)(exponent + EXPONENT_BIAS - 1) << FRACTION_BITS;
    return sign | (powers + steps);
}

double half_value(unsigned bits)
{
    int powers = (int)(bits >> FRACTION_BITS & 0x1f), fraction = (int)(bits & 0x3ff);
    double size;
    if (powers == 0x1f)
        size = fraction ? NAN : INFINITY;
    else if (powers == 0)
        size = ldexp(fraction, SMALLEST_EXPONENT);
    else
        size = ldexp(fraction + (1 << FRACTION_BITS), powers - 1 + SMALLEST_EXPONENT);
    return bits & SIGN ? -size : size;
}

double half_round(double x)
{
    return half_value(half_bits(x));
}
