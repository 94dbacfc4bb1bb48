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
    return str_is_one_of(name, names, sizeof names / sizeof *names);
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

bool call_keeps_address(const struct ast *call)
{
    static const char *const filling[] = {"scanf", "fscanf", "sscanf", "fread", "MPI_Comm_rank",
                                          "MPI_Comm_size", "MPI_Bcast"};
    const struct ast *function = call->decl;
    return !function || function->has_body || function->is_static ||
           !str_is_one_of(function->name, filling, sizeof filling / sizeof *filling);
}

bool call_is_mark(const struct ast *call)
{
    static const char *const names[] = {AST_ASSERT, AST_TUNABLE, AST_THREADS, AST_PAYS,
                                        AST_PAID};
    return call->decl && str_is_one_of(call->decl->name, names, sizeof names / sizeof *names);
}
