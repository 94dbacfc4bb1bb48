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

/* Two arrays of which the joined nest asks that they lie apart, and neither part does; NULL: there
   are none. */
static const struct scop_overlap *asks_more(const struct scop *joined, const struct scop *first,
                                            const struct scop *next)
{
    for (size_t i = 0; i < joined->overlaps.count; i++)
        if (!has_overlap(first, &joined->overlaps.at[i]) &&
            !has_overlap(next, &joined->overlaps.at[i]))
            return &joined->overlaps.at[i];
    return NULL;
}

/* The statements from the first of one fragment to the last of the other: neighbours in a block. */
static struct fragment fragment_joined(const struct fragment *first, const struct fragment *next)
{
    struct fragment joined = *first;
    joined.n_statements = (size_t)(next->statements - first->statements) + next->n_statements;
    joined.end = next->end;
    joined.statements_end = next->statements_end;
    joined.sinking = NULL;
    return joined;
}

/* "`a` and `b` would have to lie apart for both" */
static const char *apart_text(struct arena *arena, const struct scop_overlap *overlap)
{
    return arena_printf(arena, "`%s` and `%s` would have to lie apart for both loops together",
                        overlap->first->name,
                        overlap->second ? overlap->second->name : overlap->scalar->name);
}

/* Why a nest has no plan. */
static struct nest_end refusal_end(const struct nest *nest)
{
    return nest->refusal.text ? (struct nest_end){nest->refusal.text, nest->refusal.loc}
                              : (struct nest_end){"no loop is independent", nest->fragment.loc};
}

/* Why two nests are no fragment together; the text is NULL if they are one. */
static struct nest_end nest_end_of(struct arena *arena, const struct nest *first,
                                   const struct nest *next, const struct nest *joined)
{
    struct nest_end end = {NULL, next->fragment.loc};
    if (!joined->plan)
        return refusal_end(joined);
    double apart = plan_cost(first->plan, &COST_ASSUMED) + plan_cost(next->plan, &COST_ASSUMED);
    if (!(plan_cost(joined->plan, &COST_ASSUMED) < apart)) {
        end.text = "both together are predicted to be no faster";
        return end;
    }
    const struct scop_overlap *overlap = asks_more(joined->plan->scop, first->plan->scop,
                                                   next->plan->scop);
    end.text = overlap ? apart_text(arena, overlap) : NULL;
    return end;
}

struct nest *sequence_join(struct ctx *ctx, struct ast_unit *unit, struct nest *first,
                           const struct nest *next)
{
    if (!first->plan)
        return NULL;
    if (!next->plan) {
        first->end = refusal_end(next);
        return NULL;
    }
    struct nest *joined = ARENA_NEW(ctx->arena, struct nest);
    joined->fragment = fragment_joined(&first->fragment, &next->fragment);
    nest_read(ctx, unit, joined);
    first->end = nest_end_of(ctx->arena, first, next, joined);
    return first->end.text ? NULL : joined;
}
