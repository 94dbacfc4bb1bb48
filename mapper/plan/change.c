/* Changes of a scop before scheduling: the source's statements, or new ones in their place. */
#include "frontend/ask.h"
#include "mapper/forms/transformations.h"
#include "mapper/plan/panels.h"

/* Loops that a candidate was tried with are none of the scop's. */
void changes_find(struct scop *scop, struct change_list *list, bool sums_alone)
{
    size_t n_loops = scop->loops.count;
    if (transformation_is_on(scop->ctx, TRANSFORMATION_SUMS))
        summings_find(scop, list);
    if (transformation_is_on(scop->ctx, TRANSFORMATION_SUMS))
        place_searches_find(scop, list);
    if (transformation_is_on(scop->ctx, TRANSFORMATION_SCANS))
        scans_find(scop, list);
    if (sums_alone)
        return;
    if (transformation_is_on(scop->ctx, TRANSFORMATION_IN_PLACE))
        in_places_find(scop, list);
    if (transformation_is_on(scop->ctx, TRANSFORMATION_EXPANSION))
        expansions_find(scop, list);
    if (transformation_is_on(scop->ctx, TRANSFORMATION_COPYING))
        copyings_find(scop, list);
    if (transformation_is_on(scop->ctx, TRANSFORMATION_SPLITTING))
        splittings_find(scop, list);
    scop->loops.count = n_loops;
}

loop_others changes_others(struct arena *arena, const struct change_list *changes)
{
    loop_others others = {0};
    for (size_t i = 0; i < changes->count; i++)
        if (changes->at[i].other)
            vec_push(arena, &others, *changes->at[i].other);
    return others;
}

bool changes_replace(const struct change_list *list, const struct ast *loop)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->at[i].other && ast_holds(list->at[i].other->loop, loop))
            return true;
    return false;
}

bool changes_apply(struct scop *scop)
{
    const struct change_list *changes = scop->changes;
    for (size_t i = 0; i < changes->count; i++) {
        /* The block in the place of a loop may lack what the loop has. */
        if (changes->at[i].decl && !array_find(scop, changes->at[i].decl))
            continue;
        if (changes->at[i].row == TRANSFORMATION_IN_PLACE)
            in_place_apply(scop, &changes->at[i]);
        if (changes->at[i].row == TRANSFORMATION_EXPANSION)
            expansion_apply(scop, &changes->at[i]);
        if (changes->at[i].row == TRANSFORMATION_SUMS)
            summing_apply(scop, &changes->at[i]);
        if (changes->at[i].row == TRANSFORMATION_SCANS)
            scan_apply(scop, changes->at[i].scan);
        if (changes->at[i].row == TRANSFORMATION_COPYING)
            copying_apply(scop, &changes->at[i]);
    }
    return !scop->refusal.text;
}

bool parts_are_ordered(const struct scop *scop, const struct plan_region *region)
{
    return splitting_region_is_ordered(scop, region) && panels_region_is_ordered(scop, region);
}

static bool steps_are_ordered(const struct scop *scop, const plan_list *steps)
{
    for (size_t i = 0; i < steps->count; i++)
        if (!parts_are_ordered(scop, &steps->at[i]->region) ||
            !steps_are_ordered(scop, &steps->at[i]->body))
            return false;
    return true;
}

bool plan_parts_are_ordered(const struct schedule *plan)
{
    const struct scop *scop = plan->scop;
    return (!scop->split && !scop->panels) || steps_are_ordered(scop, &plan->steps);
}

void changes_print(struct str *out, const struct scop *scop, const char *where, int indent)
{
    for (size_t i = 0; i < scop->changes->count; i++) {
        const struct scop_change *change = &scop->changes->at[i];
        for (int k = 0; k < change->n_cuts; k++) {
            str_indent(out, indent);
            str_addf(out, "/* splitting: %s apart */\n", change->cuts[k].text);
        }
    }
    for (size_t i = 0; i < scop->changes->count; i++) {
        const struct scop_change *change = &scop->changes->at[i];
        if (change->row == TRANSFORMATION_IN_PLACE) {
            str_indent(out, indent);
            str_addf(out, "/* in place: `%s` is in the elements that it is stored to */\n",
                     change->decl->name);
        }
        if (change->row != TRANSFORMATION_PANELS)
            continue;
        str_indent(out, indent);
        str_addf(out, "/* panels: rounds of %s come in groups of %d */\n",
                 change->grouped->like->name, (int)change->width);
    }
    for (size_t i = 0; i < scop->memories.count; i++) {
        const struct scop_memory *memory = scop->memories.at[i];
        str_indent(out, indent);
        if (memory->is_rows) {
            str_addf(out, "/* rows: those of `%s` are one array here */\n",
                     memory->original->name);
            continue;
        }
        if (memory->scanned) {
            str_addf(out,
                     "/* scans%s: chunks of the rounds begin with what `%s` is before them */\n",
                     where, memory->scanned->name);
            continue;
        }
        if (!memory->n_loops) {
            str_addf(out, "/* copying%s: what `%s` was before is read from a copy */\n", where,
                     memory->original->name);
            continue;
        }
        str_addf(out, "/* expansion%s: each iteration of ", where);
        for (int k = 0; k < memory->n_loops; k++)
            str_addf(out, "%s%s", k ? ", " : "", memory->loops[k]->name);
        str_addf(out, " has a `%s` of its own */\n", memory->original->name);
    }
}
