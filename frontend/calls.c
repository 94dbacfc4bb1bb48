/* Functions that are known by name.

   In: a call. Out: whether its function is a mathematical one of ir/function.def or ir/library.def,
   an absolute value, or a mark of metafork.h. Such a call changes nothing. clang's builtins of the
   same names count, too. */
#include "frontend/calls.h"
#include <string.h>

static bool is_pure_name(const char *name)
{
    static const char *const names[] = {
#define X(name, arguments, libdevice) #name, #name "f",
#include "ir/function.def"
#undef X
#define X(name, kind, by) #name,
#include "ir/library.def"
#undef X
        "abs", "labs", "llabs", "nearbyint", "nearbyintf", "scalbn", "scalbnf", "creal", "crealf",
        "cimag", "cimagf", "conj", "conjf", "cabs", "cabsf", "complex",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i]))
            return true;
    return false;
}

bool call_is_pure(const struct ast *call)
{
    static const char builtin[] = "__builtin_";
    const struct ast *function = call->decl;
    if (!function || function->has_body || function->is_static)
        return false;
    bool is_builtin = !strncmp(function->name, builtin, sizeof builtin - 1);
    return is_pure_name(function->name) ||
           (is_builtin && is_pure_name(function->name + sizeof builtin - 1));
}

bool call_is_mark(const struct ast *call)
{
    static const char *const names[] = {AST_ASSERT, AST_TUNABLE, AST_THREADS, AST_PAYS,
                                        AST_PAID};
    if (!call->decl)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(call->decl->name, names[i]))
            return true;
    return false;
}
