/* Nests one behind the other as one fragment, where their regions share launches.

   In: two neighbouring nests of a block, read and planned. Out: the nest of both and the statements
   between them, or NULL: it cannot be read, is predicted to take as long as its two parts, or asks
   of two more arrays that they lie apart. A caller whose arrays overlap would then run both loops
   by one thread, for a launch that other callers save. */
#include "frontend/ask.h"
#include "mapper/plan/cost.h"
#include "mapper/plan/nest.h"
#include <string.h>

static bool names_pair(const struct scop_overlap *o, const struct scop_overlap *other)
{
    const char *first = o->first->name, *second = o->second ? o->second->name : NULL;
    const char *a = other->first->name, *b = other->second ? other->second->name : NULL;
    if (!second || !b)
        return !second && !b && o->scalar == other->scalar && !strcmp(first, a);
    return (!strcmp(first, a) && !strcmp(second, b)) || (!strcmp(first, b) && !strcmp(second, a));
}

static bool has_overlap(const struct scop *scop, const struct scop_overlap *overlap)
{
    bool found = false;
    for (size_t i = 0; i < scop->overlaps.count; i++)
        found |= names_pair(&scop->overlaps.at[i], overlap);
    return found;
}

/* Does the joined nest ask of arrays that they lie apart which neither part asks of? */
static bool asks_more(const struct scop *joined, const struct scop *first, const struct scop *next)
{
    bool more = false;
    for (size_t i = 0; i < joined->overlaps.count; i++)
        more |= !has_overlap(first, &joined->overlaps.at[i]) &&
                !has_overlap(next, &joined->overlaps.at[i]);
    return more;
}

/* The statements from the first of one fragment to the last of the other: neighbours in a block. */
static struct fragment fragment_joined(const struct fragment *first, const struct fragment *next)
{
    struct fragment joined = *first;
    joined.n_statements = (size_t)(next->statements - first->statements) + next->n_statements;
    joined.end = next->end;
    joined.statements_end = next->statements_end;
    return joined;
}

struct nest *sequence_join(struct ctx *ctx, struct ast_unit *unit, const struct nest *first,
                           const struct nest *next)
{
    if (!first->plan || !next->plan)
        return NULL;
    struct nest *joined = ARENA_NEW(ctx->arena, struct nest);
    joined->fragment = fragment_joined(&first->fragment, &next->fragment);
    nest_read(ctx, unit, joined);
    bool is_less = plan_cost(joined->plan, &COST_ASSUMED) <
                   plan_cost(first->plan, &COST_ASSUMED) + plan_cost(next->plan, &COST_ASSUMED);
    bool asks = is_less && asks_more(joined->plan->scop, first->plan->scop, next->plan->scop);
    return is_less && !asks ? joined : NULL;
}
