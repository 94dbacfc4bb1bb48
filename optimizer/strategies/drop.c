/* Which staged array is dropped first: the one whose words in shared memory save the fewest accesses.

   In:  a banded kernel and facts about its parameters. Out: the arrays of cache(...) that some band stages, in the order in
   which drop-1, drop-2, … take the staging away from them one by one (drop-caching takes it from all).
   Benefit per word of an array: accesses of one block in the bands that stage it (band extents times trip counts of the
   loops around each reference) over the words of its tiles. Array a goes before b if its benefit is proved to be at most
   b's and not the other way round; where neither is proved, and where a trip count is no polynomial, the order of
   declaration stands. Invariant: the order depends on the kernel as written, never on decisions, so that a kernel of the
   tree stays a function of its set. */
#include "optimizer/strategies/rewrite.h"
#include "optimizer/strategies/strategies.h"
#include <string.h>

struct benefit {
    const struct array *array;
    int index;                             /* in the kernel's arrays */
    const struct poly *accesses, *words;   /* accesses NULL: not known */
};

struct counting {
    struct ctx *ctx;
    const struct kernel *kernel;
    struct benefit *benefit;
};

struct load_search {
    const struct expr *load;
    bool found;
};

static void find_load(void *state, const struct expr *e)
{
    struct load_search *search = state;
    search->found |= e == search->load;
}

static void find_load_root(void *state, const struct expr *e)
{
    expr_walk(e, find_load, state);
}

static bool stmt_holds(const struct stmt *s, const struct reference *reference)
{
    struct load_search search = {reference->load, reference->store == s};
    if (reference->load)
        stmt_exprs(s, find_load_root, &search);
    return search.found;
}

/* How often the reference is executed for one execution of s: 0 if it does not stand there, NULL if that is not known. */
static const struct poly *executions(const struct counting *counting, const struct stmt *s, const struct reference *reference)
{
    const struct poly *count = poly_integer(counting->kernel->ring, stmt_holds(s, reference) ? 1 : 0);
    for (int i = 0; i < s->n_children && count; i++)
        if (s->children[i]) {
            const struct poly *inner = executions(counting, s->children[i], reference);
            count = inner ? poly_add(count, inner) : NULL;
        }
    if (!count || poly_is_zero(count))
        return count;
    for (int i = 0; i < s->n_axes && count; i++) {
        const struct poly *extent = kernel_expr_poly(counting->kernel, s->axes[i].extent);
        count = extent ? poly_mul(count, extent) : NULL;
    }
    if (s->kind != STMT_FOR || !count)
        return count;
    const struct poly *trip = kernel_expr_poly(counting->kernel, loop_trip(counting->ctx->arena, s));
    return trip ? poly_mul(count, trip) : NULL;
}

static void count_band(void *state, const struct stmt *s)
{
    const struct counting *counting = state;
    struct benefit *benefit = counting->benefit;
    if (s->kind != STMT_BAND || s->strided || !stmt_uses_array(s, benefit->array))
        return;
    struct tiling tiling = access_tiles(counting->ctx, counting->kernel, s, benefit->array);
    for (size_t i = 0; tiling.possible && i < tiling.count; i++) {
        benefit->words = poly_add(benefit->words, tiling.tiles[i].words);
        for (size_t k = 0; k < tiling.tiles[i].n_references && benefit->accesses; k++) {
            const struct poly *count = executions(counting, s, &tiling.tiles[i].references[k]);
            benefit->accesses = count ? poly_add(benefit->accesses, count) : NULL;
        }
    }
}

static bool at_most(struct sas facts, const struct benefit *a, const struct benefit *b)
{
    return sas_implies(facts, constraint_make(poly_mul(a->accesses, b->words), RELATION_LE, poly_mul(b->accesses, a->words))) == 1;
}

static bool goes_before(struct sas facts, const struct benefit *a, const struct benefit *b)
{
    return a->accesses && b->accesses && at_most(facts, a, b) && !at_most(facts, b, a);
}

int strategy_drop_order(struct ctx *ctx, const struct kernel *kernel, struct sas facts, int *order, int capacity)
{
    struct benefit *benefits = ARENA_ARRAY(ctx->arena, struct benefit, kernel->n_arrays + 1);
    int count = 0;
    for (int i = 0; i < kernel->n_arrays && i < 64; i++) {
        struct benefit benefit = {kernel->arrays[i], i, poly_integer(kernel->ring, 0), poly_integer(kernel->ring, 0)};
        struct counting counting = {ctx, kernel, &benefit};
        if (benefit.array->space != SPACE_GLOBAL || !benefit.array->cache)
            continue;
        stmt_walk(kernel->body, count_band, &counting);
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
            again |= kernel->arrays[k]->space == SPACE_SHARED && kernel->arrays[k]->origin == array->origin;
        count += !again;
        *found |= strcmp(array->origin->name, name) == 0;
    }
    return count;
}
