#ifndef IR_MACHINE_H
#define IR_MACHINE_H
#include <stdbool.h>
#include <stdint.h>

/* A machine parameter. */
struct machine_row {
    const char *symbol;                 /* "R_B" */
    int64_t least, most;                /* the values that devices have; most 0 = no end is known */
};

/* NULL if there is none of the name. */
const struct machine_row *machine_row_find(const char *name);

/* Is it the symbol of a machine parameter (R_B, Z_B, …)? Such names stand for the machine in every
   polynomial, so no variable of a program may have them. */
bool machine_is_symbol(const char *name);

#endif
