#ifndef IR_MACHINE_H
#define IR_MACHINE_H
#include <stdbool.h>

/* Is it the symbol of a machine parameter (R_B, Z_B, …)? Such names stand for the machine in every
   polynomial, so no variable of a program may have them. */
bool machine_is_symbol(const char *name);

#endif
