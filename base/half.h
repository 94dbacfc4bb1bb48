#ifndef BASE_HALF_H
#define BASE_HALF_H
/* Numbers of half precision (IEEE 754 binary16: 11 bits of precision, 2^-24 to 65504), which not
   every compiler of the tool knows as a type. A double has each of them exactly. */

unsigned half_bits(double x);        /* of the nearest one, ties to even */
double half_value(unsigned bits);
double half_round(double x);         /* the value of the nearest one */

#endif
