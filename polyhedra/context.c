/* Contexts of isl.

   In: an arena, and how many operations isl may take. Out: a context that never aborts and never
   prints. isl counts operations and not time, so what it is stopped at is the same everywhere. */
#include "polyhedra/context.h"
#include <isl/options.h>

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

bool polyhedra_is_stopped(isl_ctx *isl)
{
    return isl_ctx_last_error(isl) == isl_error_quota;
}
