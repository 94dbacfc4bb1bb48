#ifndef POLYHEDRA_CONTEXT_H
#define POLYHEDRA_CONTEXT_H
#include "base/arena.h"
#include <isl/ctx.h>
#include <stdbool.h>

/* A context in which isl's errors are values; it is freed with the arena, after isl objects that
   the arena frees. isl does nothing in it before operations are allowed. */
isl_ctx *polyhedra_context(struct arena *arena);
/* Gives isl so many operations from now on, and forgets an earlier stop. */
void polyhedra_allow(isl_ctx *isl, long operations);
/* How many of them isl took; each time that this is asked takes some 20 more. */
long polyhedra_taken(isl_ctx *isl);
/* Was isl stopped since, as it had no operations left? */
bool polyhedra_is_stopped(isl_ctx *isl);

#endif
