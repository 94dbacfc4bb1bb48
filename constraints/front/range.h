#ifndef CONSTRAINTS_RANGE_H
#define CONSTRAINTS_RANGE_H
/* Interval arithmetic with exact rational ends, open or closed, that remember which assertions they
   came from. */
#include "constraints/front/question.h"

struct end {
    bool infinite, strict;
    fmpq value;
    const uint64_t *origins;
};

struct range {
    struct end lo, hi;
};

void end_init(struct end *end);
void end_clear(struct end *end);
void end_copy(struct end *to, const struct end *from);
void range_init(struct range *range);
void range_clear(struct range *range);
/* The closed interval of one number. */
void range_set(struct range *range, const fmpz *value);
/* From bounds, NULL = none. */
void range_bounds(struct range *range, const struct bound *lo, const struct bound *hi);
void range_power(struct question *q, struct range *range, ulong exponent);
void range_multiply(struct question *q, struct range *a, const struct range *b);
/* 1 if all numbers of the range are positive, -1 negative, 0 otherwise. */
int range_sign(const struct range *range);
/* end += other, an end of the same side (up: upper ends). */
void end_add(struct question *q, struct end *end, const struct end *other, bool up);
/* The exponent-th root of an end, rounded down (up: upwards); negative values for odd exponents
   only. */
void end_root(struct end *end, ulong exponent, bool up);
/* Gives the end a short number, downwards (up: upwards); strict if that moved it. */
void end_round(struct end *end, bool up);

#endif
