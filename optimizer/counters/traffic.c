/* Traffic: 4-byte words that a region reads from and writes to global memory, as the kernel's
   statements ask for them: over all grid points, fills and write-backs of tiles included, caches
   left out (elements smaller than a word count as their part of one). Of references under a
   condition on the parameters those of the larger branch count, guards that cut off threads are
   taken as always true: then the value is an upper bound. Source: spec X-03; docs/counters.md. */
#include "optimizer/counters/work.h"

/* Words under one condition on the parameters, where it holds and where it does not. */
struct either {
    const struct expr *condition;
    const struct poly *words[2];
};

struct traffic {
    struct scope *scope;
    const struct poly *always;
    VEC(struct either) branches;
    bool exact;
};

static const struct poly *access_words(struct traffic *traffic, const struct list_access *access)
{
    const struct poly *words =
        access->rounds ? poly_scale(access->rounds, access->width * (int64_t)access->bytes, 4)
                       : NULL;
    traffic->exact &= access->rounds_exact && !access->is_guarded && !access->branch;
    for (int i = 0; words && i < access->n_axes; i++) {
        words = access->axes[i].extent ? poly_mul(words, access->axes[i].extent) : NULL;
        traffic->exact &= access->axes[i].is_exact;
    }
    const struct poly *threads = words && !access->band ? work_threads(traffic->scope) : NULL;
    if (!access->band)
        words = words && threads ? poly_mul(words, threads) : NULL;
    return words;
}

static bool traffic_add(struct traffic *traffic, const struct list_access *access)
{
    const struct poly *words = access_words(traffic, access),
                      *zero = poly_integer(traffic->scope->ring, 0);
    if (!words)
        return false;
    if (!access->branch) {
        traffic->always = poly_add(traffic->always, words);
        return true;
    }
    for (size_t i = 0; i < traffic->branches.count; i++)
        if (expr_equal(traffic->branches.at[i].condition, access->branch)) {
            const struct poly **to = &traffic->branches.at[i].words[access->branch_negated];
            *to = poly_add(*to, words);
            return true;
        }
    struct either branch = {access->branch, {zero, zero}};
    branch.words[access->branch_negated] = words;
    vec_push(traffic->scope->store->ctx->arena, &traffic->branches, branch);
    return true;
}

struct counter_value counter_traffic(struct store *store, const struct kernel *kernel)
{
    struct scope scope = scope_new(store, kernel, COUNTER_TRAFFIC);
    struct traffic traffic = {.scope = &scope, .always = poly_integer(scope.ring, 0)};
    const struct list_access *list;
    const struct poly *blocks = work_blocks(&scope, &traffic.exact);
    size_t count = blocks ? scope_accesses(&scope, &list) : 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].reference.array->space == SPACE_GLOBAL && !traffic_add(&traffic, &list[i]))
            return scope_none(scope.reason ? scope.reason
                                           : "how often an array is touched depends on data");
    if (!blocks)
        return scope_none(scope.reason);
    const struct poly *words = traffic.always;
    for (size_t i = 0; words && i < traffic.branches.count; i++)
        words = poly_add(words, poly_maximum(traffic.branches.at[i].words[0],
                                             traffic.branches.at[i].words[1]));
    words = poly_mul(words, blocks);
    if (!words)
        return scope_none("a polynomial of too high a degree");
    struct counter_piece *piece = ARENA_NEW(store->ctx->arena, struct counter_piece);
    *piece = (struct counter_piece){sas_empty(scope.ring), words, NULL,
                                    traffic.exact ? COUNTER_EXACT : COUNTER_UPPER};
    return scope_value(&scope, 1, piece);
}
