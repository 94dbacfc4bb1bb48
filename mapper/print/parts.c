/* The parts of a region as C.

   In: a region. Out: the names of the region's axes, and the parts in their order. The axes have
   the names of the first part; another part with a different name for an axis declares this name:

       temp2 += B[k][j] * A[i][k];              the first part: i is an axis
       {
           int k = i;                           the second one: k is the axis, i a loop
           for (int i = 0; i < m; i++)
   */
#include "mapper/print/names.h"
#include "mapper/print/print.h"
#include <string.h>

/* Affine forms name an axis's loops by the axis, and those that a common loop runs by it. */
static void names_set(struct plan_text *t, bool as_axes)
{
    for (size_t i = 0; i < t->region->members.count; i++) {
        const struct plan_member *member = &t->region->members.at[i];
        const struct scop_loop *common = t->region->common;
        if (!member_is_in(member, t->part))
            continue;
        if (common) {
            const struct scop_loop *run = member->unit->loops[member->common];
            t->scop->symbols.at[run->symbol].text = as_axes ? common->name : run->name;
        }
        for (int axis = 0; axis < t->region->n_axes; axis++) {
            const struct scop_loop *loop = member_loop(member, axis);
            if (loop)
                t->scop->symbols.at[loop->symbol].text = as_axes ? t->region->axes[axis].name
                                                                 : loop->name;
        }
    }
}

void region_enter(struct plan_text *t, struct plan_step *step)
{
    t->region = &step->region;
    t->depth = step->depth;
    t->part = PART_ALL;
    region_names(t->words, t->scop, &step->region, t->depth, 0);
    names_set(t, true);
}

void region_leave(struct plan_text *t)
{
    names_set(t, false);
    t->region = NULL;
}

/* Is a variable declared in the part, but for those in loops of its threads? */
static bool node_declares(struct plan_text *t, const struct scop_node *node)
{
    if (!any_stmt(t, node))
        return false;
    if (node->stmt)
        return node->ast->kind == AST_DECLARE;
    bool found = false, inside = node->kind == SCOP_LOOP && node->loop->depth >= t->depth;
    if (inside && !fixed_loop_of(t, node).is_fixed)
        return false;
    for (int i = 0; i < node->n_children && !found; i++) {
        const struct scop_node *child = node->children[i];
        found = child && (child->kind == SCOP_NAMES || node_declares(t, child));
    }
    return found;
}

/* The declarations of axes that the part calls otherwise than the first one. */
static void aliases_print(struct plan_text *t, const struct plan_axis *outer, printed_list *out)
{
    for (int axis = 0; axis < t->region->n_axes; axis++) {
        const struct plan_axis *own = &t->region->axes[axis];
        if (!strcmp(own->name, outer[axis].name))
            continue;
        const char *text = arena_printf(t->arena, "%s %s = %s;", own->type, own->name,
                                        outer[axis].name);
        printed_add(t->arena, out, PRINTED_LINE, text)->is_declaration = true;
    }
}

/* The part that is entered. */
static void part_print(struct plan_text *t, const struct plan_axis *outer, printed_list *out)
{
    printed_list aliases = {0};
    aliases_print(t, outer, &aliases);
    if (!aliases.count && !node_declares(t, t->scop->root)) {
        nodes_print(t, t->scop->root, out);
        return;
    }
    struct text_stmt *block = printed_add(t->arena, out, PRINTED_BLOCK, NULL);
    block->body = aliases;
    nodes_print(t, t->scop->root, &block->body);
}

void parts_print(struct plan_text *t, printed_list *out)
{
    struct plan_axis outer[AXES_MAX];
    memcpy(outer, t->region->axes, sizeof outer);
    names_set(t, false);
    for (t->part = 0; t->part < region_parts(t->region); t->part++) {
        if (t->part)
            region_names(t->words, t->scop, t->region, t->depth, t->part);
        names_set(t, true);
        part_print(t, outer, out);
        names_set(t, false);
        memcpy(t->region->axes, outer, sizeof outer);
    }
    t->part = PART_ALL;
    names_set(t, true);
}
