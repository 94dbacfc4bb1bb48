#ifndef TESTS_CYCLES_EXECUTE_H
#define TESTS_CYCLES_EXECUTE_H
#include "tests/cycles/code.h"

/* What an arithmetic instruction computes of the bits of its operands (sources only, as in the
   text); `carry` is the thread's flag of the instructions with .cc. */
uint64_t cycles_compute(const struct instruction *at, const uint64_t *operands, bool *carry);
/* What atom and red leave in memory, of `type`. */
uint64_t cycles_combine(enum op op, struct ptx_type type, uint64_t old, const uint64_t *operands);

#endif
