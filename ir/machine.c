/* The names of the machine parameters, for those who must keep clear of them.

   In: a name. Out: whether it is a row of runtime/machine.def, the one table of
   machine parameters. */
#include "ir/machine.h"
#include <stddef.h>
#include <string.h>

bool machine_is_symbol(const char *name)
{
    static const char *const symbols[] = {
#define X(symbol, ...) #symbol,
#include "runtime/machine.def"
#undef X
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strcmp(symbols[i], name) == 0)
            return true;
    return false;
}
