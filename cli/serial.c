/* Whether the serial program itself is right, where `treefork verify` takes it as the reference.

   The first time that a region is met with a grid that is neither empty nor too large, it runs on a
   copy of its data in the thread interpreter, which finds accesses out of bounds, reads of values
   never written, and iterations of meta_for that race. What could not be checked is said in a line
   of its own. Where the region is met, and with what, tells hosted.c. */
#include "cli/verify.h"
#include "ir/interpret.h"
#include <string.h>

enum { CHECKED_POINTS = 100000, CHECKED_STEPS = 20000000 };

bool region_is_parallel(const struct tree *tree, const union value *params)
{
    int64_t point[RING_CAPACITY] = {0};
    const struct kernel *kernel = tree->region->kernel;
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            point[kernel->params[i]->variable] = params[i].integer;
    return tree_system_holds(tree, kernel->facts, point) == 1 &&
           tree_system_holds(tree, tree->region->conditions, point) == 1 &&
           !kernel_indivisible(kernel, params);
}

static const char *too_large(struct verification *v, double points)
{
    return arena_printf(
        v->ctx->arena,
        "it has %.0f points here, and at most %d are checked: give smaller values, too", points,
        (int)CHECKED_POINTS);
}

bool check_is_large(double points)
{
    return points > CHECKED_POINTS;
}

struct region_check check_region(struct verification *v, size_t region,
                                 const struct interpret_input *input, double points)
{
    const struct kernel *kernel = v->program->regions[region]->kernel;
    struct interpret_input checked = *input;
    checked.steps = CHECKED_STEPS;
    if (check_is_large(points))
        return (struct region_check){.reason = too_large(v, points)};
    if (!region_is_parallel(v->trees[region], input->params))
        return (struct region_check){
            .reason = "its conditions do not hold at these values, so it runs serially"};
    struct interpret_result result = interpret_threads(v->ctx->arena, kernel, &checked);
    if (result.status == INTERPRET_BUDGET)
        return (struct region_check){.reason = arena_printf(
                                         v->ctx->arena, "it takes more than %d steps",
                                         (int)CHECKED_STEPS)};
    if (result.status == INTERPRET_DONE)
        return (struct region_check){0};
    return (struct region_check){
        .fault = arena_printf(v->ctx->arena, "%s: %s", interpret_status_name(result.status),
                              result.message)};
}

void check_report(struct verification *v, size_t region, const struct region_check *check)
{
    const char *name = v->program->regions[region]->name;
    if (check->fault && *check->fault)
        printf("%s as it is written: FAILED: %s\n", name, check->fault);
    else if (check->reason && *check->reason)
        printf("%s as it is written: not checked for bounds, values never written and races: %s\n",
               name, check->reason);
    v->failed += check->fault && *check->fault;
}
