/* Contexts of isl.

   In: an arena, and how many operations isl may take. Out: a context that never aborts and never
   prints. isl counts operations and not time, so what it is stopped at is the same everywhere. An
   operation is an allocation, or a step of the simplex algorithm over a whole tableau: how long it
   takes depends on the tableau, and who allows operations has to weigh that. */
#include "polyhedra/context.h"
#include <isl/options.h>
#include <isl/val.h>

static void context_clean(void *object)
{
    isl_ctx_free(object);
}

isl_ctx *polyhedra_context(struct arena *arena)
{
    isl_ctx *isl = isl_ctx_alloc();
    isl_options_set_on_error(isl, ISL_ON_ERROR_CONTINUE);
    isl_ctx_set_max_operations(isl, 1);
    arena_on_free(arena, context_clean, isl);
    return isl;
}

void polyhedra_allow(isl_ctx *isl, long operations)
{
    isl_ctx_reset_error(isl);
    isl_ctx_reset_operations(isl);
    isl_ctx_set_max_operations(isl, (unsigned long)operations);
}

/* isl's count cannot be read, but a limit can be set at any time: the next operation fails if as
   many were done. The number is the least limit that lets an operation pass, less one. */
static bool operation_passes(isl_ctx *isl, unsigned long limit)
{
    isl_ctx_set_max_operations(isl, limit);
    isl_val *value = isl_val_int_from_si(isl, 1);
    isl_val_free(value);
    return value != NULL;
}

long polyhedra_taken(isl_ctx *isl)
{
    unsigned long most = isl_ctx_get_max_operations(isl), low = 0, high = most;
    if (polyhedra_is_stopped(isl))
        return (long)most;
    while (low < high) {
        unsigned long middle = low + (high - low) / 2;
        if (operation_passes(isl, middle + 1))
            high = middle;
        else
            low = middle + 1;
    }
    isl_ctx_reset_error(isl);
    isl_ctx_set_max_operations(isl, most);
    return (long)low;
}

bool polyhedra_is_stopped(isl_ctx *isl)
{
    return isl_ctx_last_error(isl) == isl_error_quota;
}
