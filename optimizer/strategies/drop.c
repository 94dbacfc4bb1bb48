/* Which staged array is dropped first: the one whose words in shared memory save the
   fewest accesses.

   In: a banded kernel and facts about its parameters. Out: the arrays of cache(...) that some band
   stages, in the order in which drop-1, drop-2, … take the staging away from them one by one
   (drop-caching takes it from all).
   Benefit per word of an array: accesses of one block in the bands that stage it (band extents
   times trip counts of the loops around each reference) over the words of its tiles. Array a goes
   before b if its benefit is proved to be at most b's and not the other way round; where neither is
   proved, and where a trip count is no polynomial, the order of declaration stands. Invariant: the
   order depends on the kernel as written, never on decisions, so that a kernel of the tree stays a
   function of its set. */
#include "ir/walk.h"
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"
#include <string.h>

struct benefit {
    const struct array *array;
    int index;                             /* in the kernel's arrays */
    const struct poly *accesses, *words;   /* accesses NULL: not known */
};

static bool stmt_holds(const struct stmt *s, const struct reference *reference)
{
    return reference->store == s || (reference->load && stmt_holds_expr(s, reference->load));
}

/* How often the reference is executed for one execution of s: 0 if it does not stand there, NULL if
   that is not known. */
static const struct poly *executions(struct ctx *ctx, const struct kernel *kernel,
                                     const struct stmt *s, const struct reference *reference)
{
    const struct poly *count = poly_integer(kernel->ring, stmt_holds(s, reference) ? 1 : 0);
    for (int i = 0; i < s->n_children && count; i++)
        if (s->children[i]) {
            const struct poly *inner = executions(ctx, kernel, s->children[i], reference);
            count = inner ? poly_add(count, inner) : NULL;
        }
    if (!count || poly_is_zero(count))
        return count;
    for (int i = 0; i < s->n_axes && count; i++) {
        const struct poly *extent = kernel_expr_poly(kernel, s->axes[i].extent);
        count = extent ? poly_mul(count, extent) : NULL;
    }
    if (s->kind == STMT_WHILE)
        return NULL;
    if (s->kind != STMT_FOR || !count)
        return count;
    const struct poly *trip = kernel_expr_poly(kernel, loop_trip(ctx->arena, s));
    return trip ? poly_mul(count, trip) : NULL;
}

static void count_band(struct ctx *ctx, const struct kernel *kernel, const struct stmt *band,
                       bool stage_streamed, struct benefit *benefit)
{
    struct tiling tiling = access_tiles(ctx, kernel, band, benefit->array);
    if (!tiling.possible)
        return;
    for (size_t i = 0; i < tiling.count; i++) {
        if (tiling.tiles[i].is_streamed && !stage_streamed)
            continue;
        benefit->words = poly_add(benefit->words, tiling.tiles[i].words);
        for (size_t k = 0; k < tiling.tiles[i].n_references && benefit->accesses; k++) {
            const struct poly *count = executions(ctx, kernel, band,
                                                  &tiling.tiles[i].references[k]);
            benefit->accesses = count ? poly_add(benefit->accesses, count) : NULL;
        }
    }
}

static void count_bands(struct ctx *ctx, const struct kernel *kernel, bool stage_streamed,
                        struct benefit *benefit)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, ctx->arena, kernel->body); s;
         s = stmt_next(&walk))
        if (s->kind == STMT_BAND && !s->strided && stmt_uses_array(s, benefit->array))
            count_band(ctx, kernel, s, stage_streamed, benefit);
}

static bool at_most(struct sas facts, const struct benefit *a, const struct benefit *b)
{
    return sas_implies(facts, constraint_make(poly_mul(a->accesses, b->words), RELATION_LE,
                                              poly_mul(b->accesses, a->words))) == 1;
}

static bool goes_before(struct sas facts, const struct benefit *a, const struct benefit *b)
{
    return a->accesses && b->accesses && at_most(facts, a, b) && !at_most(facts, b, a);
}

int strategy_drop_order(struct ctx *ctx, const struct kernel *kernel, struct sas facts,
                        bool stage_streamed, int *order, int capacity)
{
    struct benefit *benefits = ARENA_ARRAY(ctx->arena, struct benefit, kernel->n_arrays + 1);
    int count = 0;
    for (int i = 0; i < kernel->n_arrays && i < 64; i++) {
        struct benefit benefit = {kernel->arrays[i], i, poly_integer(kernel->ring, 0),
                                  poly_integer(kernel->ring, 0)};
        if (benefit.array->space != SPACE_GLOBAL || !benefit.array->cache)
            continue;
        count_bands(ctx, kernel, stage_streamed, &benefit);
        if (poly_is_zero(benefit.words))
            continue;
        int at = count++;
        for (; at > 0 && goes_before(facts, &benefit, &benefits[at - 1]); at--)
            benefits[at] = benefits[at - 1];
        benefits[at] = benefit;
    }
    for (int i = 0; i < count && i < capacity; i++)
        order[i] = benefits[i].index;
    return count < 2 ? 0 : count;
}

int strategy_staged_count(const struct kernel *kernel, const char *name, bool *found)
{
    int count = 0;
    *found = false;
    for (int i = 0; i < kernel->n_arrays; i++) {
        const struct array *array = kernel->arrays[i];
        if (array->space != SPACE_SHARED || !array->origin)
            continue;
        bool again = false;
        for (int k = 0; k < i; k++)
            again |= kernel->arrays[k]->space == SPACE_SHARED &&
                     kernel->arrays[k]->origin == array->origin;
        count += !again;
        *found |= strcmp(array->origin->name, name) == 0;
    }
    return count;
}
