/* Axes that run unlike loops of the units of a region.

   In: units of one group of rounds (panel_parts.c) that depend on each other in a circle and share
   no axis. Out: a region with one axis, which is a loop of each unit. A column that is divided in
   one nest and updated in another one, both below the loop over columns, has its rows as such an axis:
   where every dependence stays in a row, a thread runs all that happens to a row, in the source's
   order. */
#include "mapper/plan/box.h"
#include "mapper/plan/schedule.h"
#include "mapper/scop/depend.h"

enum { TRIALS_MAX = 400 };

struct unlike_search {
    struct scop *scop;
    const struct plan_place *place;
    const unit_list *units;
    int axes[STATEMENTS_MAX];        /* by place in the list: the depth of the unit's loop */
    int trials;
};

static size_t place_of(const struct unlike_search *s, const struct scop_unit *unit)
{
    size_t i = 0;
    while (i < s->units->count && s->units->at[i] != unit)
        i++;
    return i;
}

/* Do the edges among the units up to `last` that touch the last one stay at one point? */
static bool edges_stay(struct unlike_search *s, size_t last)
{
    for (size_t i = 0; i < s->place->edges->count; i++) {
        const struct scop_edge *edge = &s->place->edges->at[i];
        size_t from = place_of(s, edge->from->unit), to = place_of(s, edge->to->unit);
        bool asks = from <= last && to <= last && (from == last || to == last);
        if (asks && !edge_is_level(edge, s->axes[from], s->axes[to]))
            return false;
    }
    return true;
}

/* Loops of the units from `at` on. */
static bool axes_search(struct unlike_search *s, size_t at)
{
    if (at == s->units->count)
        return true;
    const struct scop_unit *unit = s->units->at[at];
    for (int depth = s->place->depth; depth < unit->depth; depth++) {
        s->axes[at] = depth;
        if (s->trials++ < TRIALS_MAX && unit->loops[depth]->step == 1 && edges_stay(s, at) &&
            axes_search(s, at + 1))
            return true;
    }
    return false;
}

bool unlike_find(struct scop *scop, const struct plan_place *place, const unit_list *units,
                 struct plan_region *region)
{
    struct unlike_search s = {.scop = scop, .place = place, .units = units};
    struct plan_region found = {.n_axes = 1};
    if (!axes_search(&s, 0))
        return false;
    for (size_t i = 0; i < units->count; i++) {
        struct plan_member member = {.unit = units->at[i], .axes = {s.axes[i]}};
        vec_push(scop->arena, &found.members, member);
    }
    if (!region_roles_agree(scop, place->depth, &found) || !region_box(scop, place->depth, &found))
        return false;
    *region = found;
    return true;
}
