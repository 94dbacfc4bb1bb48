/* Functions that are known by name.

   In: a call. Out: whether the function is a mathematical one of ir/function.def or an absolute
   value. Such a call changes nothing. */
#include "ir/function.h"
#include "mapper/forms/calls.h"
#include <string.h>

bool call_is_math(const struct ast *call)
{
    static const char *const names[] = {
#define X(name, arguments, libdevice) #name, #name "f",
#include "ir/function.def"
#undef X
        "abs", "labs", "llabs",
    };
    if (!call->decl || call->decl->has_body)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(call->decl->name, names[i]))
            return true;
    return library_find(call->decl->name) != NULL;
}
