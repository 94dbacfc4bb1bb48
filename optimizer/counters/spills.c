/* Spilled words per thread: what a thread needs above the registers that its compiler is given.

   In: a kernel. Out: need - budget where that is positive, else 0. The need is the register bound
   (registers.c) without the cap of pressure level 3, which spills on purpose; the budget is that
   bound, or the cap, as far as the device has so many registers (R_B). So a kernel spills by its
   own cap, where the device has fewer registers than its bound, or not at all; the code of last
   resort, which runs with whatever registers there are, by R_B alone. An estimate: what the
   assembler really spills, `treefork tree --measure` tells where there is one. */
#include "optimizer/counters/scope.h"

enum { LEVEL_CAP = 3 };

/* The bound of the same kernel without a cap. */
static const struct poly *need_of(struct store *store, const struct kernel *kernel)
{
    if (kernel->pressure < LEVEL_CAP)
        return registers_estimate(store, kernel);
    struct kernel *uncapped = kernel_copy(store->ctx->arena, kernel);
    uncapped->pressure = LEVEL_CAP - 1;
    return registers_estimate(store, uncapped);
}

static struct counter_piece piece_make(struct scope *scope, struct constraint guard,
                                       const struct poly *value)
{
    struct sas system = sas_add(scope->store->ctx->arena, sas_empty(scope->ring), guard);
    return (struct counter_piece){system, value, NULL, COUNTER_ESTIMATE};
}

struct counter_value counter_spills(struct store *store, const struct kernel *kernel)
{
    struct scope scope = scope_new(store, kernel, COUNTER_SPILLS);
    const struct poly *bound = scope_moved(&scope, registers_estimate(store, kernel));
    const struct poly *need = scope_moved(&scope, need_of(store, kernel)),
                      *device = scope_machine(&scope, "R_B");
    if (!bound || !need || !device)
        return scope_none(scope.reason ? scope.reason : "the registers could not be estimated");
    const struct poly *capped = poly_sub(need, bound);
    if (!scope_nonnegative(&scope, capped))
        capped = poly_integer(scope.ring, 0);
    struct counter_piece *pieces = ARENA_ARRAY(store->ctx->arena, struct counter_piece, 2);
    pieces[0] = piece_make(&scope, constraint_make(bound, RELATION_LE, device), capped);
    pieces[1] = piece_make(&scope, constraint_make(device, RELATION_LT, bound),
                           poly_sub(poly_add(bound, capped), device));
    return scope_value(&scope, 2, pieces);
}
