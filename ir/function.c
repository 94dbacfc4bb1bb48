/* The functions a kernel may call, with the C library's implementations for the interpreters.

   In: a name as C spells it; out: its row: type, number of arguments and the function of <math.h>
   itself. The double and float versions come from the rows of function.def, abs and labs stand
   apart because they are integer functions without an implementation here (the interpreter computes
   them, to notice the least value). Names of library.def are computed by these functions and by
   operators. */
#include "ir/function.h"
#include <math.h>
#include <string.h>

enum { COUNT_1 = 1, COUNT_2 = 2, COUNT_3 = 3, COUNT_i = 2 };

#define ROW(n, name, library)                                                                      \
    {#name, TYPE_F64, COUNT_##n, library, .real##n = name},                                        \
        {#name "f", TYPE_F32, COUNT_##n, library, .single##n = name##f},
static const struct function_row rows[] = {
#define X(name, n, needs_libdevice) ROW(n, name, needs_libdevice)
#include "ir/function.def"
#undef X
    {.name = "abs", .type = TYPE_I32, .n_arguments = 1},
    {.name = "labs", .type = TYPE_I64, .n_arguments = 1},
};

enum type function_argument(const struct function_row *row, int argument)
{
    bool takes_int = row->reali || row->singlei;
    return takes_int && argument == 1 ? TYPE_I32 : row->type;
}

const struct function_row *function_find(const char *name)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

const struct library_row *library_find(const char *name)
{
    static const struct library_row known[] = {
#define X(name, kind, by) {#name, LIBRARY_##kind, by},
#include "ir/library.def"
#undef X
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, name) == 0)
            return &known[i];
    return NULL;
}
