#ifndef TESTS_CYCLES_MACHINE_H
#define TESTS_CYCLES_MACHINE_H

/* The multiprocessor's numbers, as machine.def has them. */
enum {
#define X(name, value) MACHINE_##name = value,
#include "tests/cycles/machine.def"
#undef X
    MACHINE_LANES = 32
};

#endif
