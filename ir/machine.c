/* The machine parameters by name: for those who must keep clear of the names, and for those who
   need the values that devices have.

   In: a name. Out: its row of runtime/machine.def, the one table of machine parameters. */
#include "ir/machine.h"
#include <stddef.h>
#include <string.h>

const struct machine_row *machine_row_find(const char *name)
{
    static const struct machine_row rows[] = {
#define X(symbol, key, unit, lo, hi, cuda, opencl, missing) {#symbol, lo, hi},
#include "runtime/machine.def"
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].symbol, name) == 0)
            return &rows[i];
    return NULL;
}

bool machine_is_symbol(const char *name)
{
    return machine_row_find(name) != NULL;
}
