/* In: a reference and its path. Out: what the path says of every execution: the ranges of its
   iterators, tightened by guards on one iterator where that is certain, the other guards, and the
   facts about the parameters.

   A reference may also be looked at as if some steps of its path were not there. Such a cover is
   executed wherever the reference is, and elsewhere. What a condition only tells together with an
   earlier one is left out of it.
   Invariant: what a guard, a fact or a range says is true of every execution. */
#include "ir/access/analysis.h"

/* Tightens the range of the iterator that occurs with coefficient 1 or -1 in a guard, the rest
   being parameters. */
static bool range_tighten(struct analysis *analysis, struct range *ranges, const struct form *guard)
{
    int64_t c;
    if (guard->n_terms != 1 || !poly_get_integer(guard->terms[0].coefficient, &c) ||
        (c != 1 && c != -1))
        return false;
    struct range *range = &ranges[guard->terms[0].iterator];
    const struct form **end = c == 1 ? &range->lo : &range->hi;
    const struct form *bound = form_constant(analysis,
                                             c == 1 ? poly_neg(guard->constant) : guard->constant);
    if (!range->lo || !range->hi || (*end)->n_terms)
        return false;
    const struct poly *gain = poly_sub(bound->constant, (*end)->constant);
    gain = c == 1 ? gain : poly_neg(gain);
    if (context_nonnegative(analysis->context, gain)) {
        *end = bound;
        return true;
    }
    return context_nonnegative(analysis->context, poly_neg(gain));
}

static void access_ranges(struct analysis *analysis, struct access *access)
{
    struct range *ranges = ARENA_ARRAY(analysis->arena, struct range,
                                       analysis->iterators.count + 1);
    VEC(const struct form *) rest = {0};
    for (size_t i = 0; i < access->n_path; i++)
        if (access->path[i].iterator >= 0)
            ranges[access->path[i].iterator] =
                analysis->iterators.at[access->path[i].iterator].range;
    for (size_t i = 0; i < access->n_path; i++) {
        const struct guards *guards = &access->path[i].condition.guards;
        for (size_t k = 0; k < guards->forms.count; k++)
            if (!range_tighten(analysis, ranges, guards->forms.at[k]))
                vec_push(analysis->arena, &rest, guards->forms.at[k]);
    }
    access->n_ranges = (int)analysis->iterators.count;
    access->ranges = ranges;
    access->guards = rest.at;
    access->n_guards = rest.count;
}

/* The facts of the conditions, and those that hold because no loop around the reference
   is empty. */
static void access_facts(struct analysis *analysis, struct access *access)
{
    VEC(const struct poly *) facts = {0};
    for (size_t i = 0; i < access->n_path; i++) {
        const struct guards *guards = &access->path[i].condition.guards;
        for (size_t k = 0; k < guards->facts.count; k++)
            vec_push(analysis->arena, &facts, guards->facts.at[k]);
    }
    access->n_said = facts.count;
    for (int v = 0; v < access->n_ranges; v++) {
        const struct range *range = &access->ranges[v];
        if (!range->lo || !range->hi)
            continue;
        const struct form *span = form_sub(analysis, range->hi, range->lo);
        const struct poly *most = form_extreme(analysis, analysis->context, access, span, true);
        if (most)
            vec_push(analysis->arena, &facts, most);
    }
    access->facts = facts.at;
    access->n_facts = facts.count;
}

void access_settle(struct analysis *analysis, struct access *access)
{
    access->exact = true;
    for (size_t i = 0; i < access->n_path; i++)
        if (access->path[i].iterator < 0 && access->path[i].condition.kind >= CONDITION_THREAD)
            access->exact &= access->path[i].condition.affine;
    access_ranges(analysis, access);
    access_facts(analysis, access);
}

const struct access *access_cover(struct analysis *analysis, const struct access *access,
                                  const bool *dropped)
{
    struct access *cover = ARENA_NEW(analysis->arena, struct access);
    struct path_step *path = ARENA_ARRAY(analysis->arena, struct path_step, access->n_path + 1);
    *cover = *access;
    cover->n_path = 0;
    for (size_t i = 0; i < access->n_path; i++) {
        if (dropped[i])
            continue;
        struct path_step *step = &path[cover->n_path++];
        *step = access->path[i];
        if (step->condition.guards.leans) {
            step->condition.guards = (struct guards){0};
            step->condition.affine = false;
        }
    }
    cover->path = path;
    access_settle(analysis, cover);
    return cover;
}
