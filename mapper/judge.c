/* What ir/access says of the regions of a mapped text.

   In: regions that are not proved independent, by their number in the text. Out: the plans, in
   which those are loops of the host, without the fragments that are left as their source. */
#include "mapper/mapping.h"

/* The region at a number that counts down over the steps, by the order of their text; NULL if it
   stands behind them. */
static struct plan_region *region_at(const plan_list *steps, size_t *number)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *step = steps->at[i];
        struct plan_region *found = NULL;
        bool is_region = step->kind == PLAN_REGION || step->kind == PLAN_CHAIN;
        if (is_region && (*number)-- == 0)
            return &step->region;
        if (step->kind == PLAN_CHAIN ? chain_has_other(step) : step->kind != PLAN_REGION)
            found = region_at(&step->body, number);
        if (found)
            return found;
    }
    return NULL;
}

/* Regions that have no text but in a chain that is not proved are serial, as nobody judged them. */
static void chains_drop(const plan_list *steps, bool drops)
{
    for (size_t i = 0; i < steps->count; i++) {
        struct plan_step *step = steps->at[i];
        bool own = step->kind == PLAN_CHAIN && step->region.is_serial && !chain_has_other(step);
        step->region.is_serial |= drops;
        chains_drop(&step->body, drops || own);
    }
}

static bool has_regions(const plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++) {
        const struct plan_step *step = steps->at[i];
        bool is_region = step->kind == PLAN_REGION || step->kind == PLAN_CHAIN;
        if (is_region ? !step->region.is_serial : has_regions(&step->body))
            return true;
        if (step->kind == PLAN_CHAIN && has_regions(&step->body))
            return true;
    }
    return false;
}

/* The same of a plan and the other one behind it. */
static struct plan_region *plan_region_at(const struct schedule *plan, size_t *number)
{
    struct plan_region *region = NULL;
    for (; plan && !region; plan = plan->otherwise)
        region = region_at(&plan->steps, number);
    return region;
}

static bool plan_has_regions(const struct schedule *plan)
{
    bool has = false;
    for (; plan; plan = plan->otherwise) {
        chains_drop(&plan->steps, false);
        has |= has_regions(&plan->steps);
    }
    return has;
}

bool mapping_judge(struct plain_file *mapping, const struct map_verdict *verdicts, size_t n)
{
    size_t kept = 0, count = mapping->plans.count;
    bool *conflicts = ARENA_ARRAY(mapping->arena, bool, count);
    for (size_t i = 0; i < n; i++) {
        size_t number = verdicts[i].region, at = 0;
        struct plan_region *region = NULL;
        for (; at < count && !region; at++)
            region = plan_region_at(mapping->plans.at[at], &number);
        if (region)
            region->is_serial = true;
        if (region && verdicts[i].is_conflict)
            conflicts[at - 1] = true;
    }
    for (size_t i = 0; i < count; i++) {
        if (conflicts[i] || !plan_has_regions(mapping->plans.at[i]))
            continue;
        mapping->plans.at[kept] = mapping->plans.at[i];
        mapping->fragments.at[kept++] = mapping->fragments.at[i];
    }
    mapping->plans.count = mapping->fragments.count = kept;
    return kept > 0;
}
