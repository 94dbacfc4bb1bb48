/* In: a banded kernel. Out: may the iterations of grid and bands run at once (access_parallel), may
   serial loops be given to the grid (access_coarse, access_coarse_loops), must a barrier stand
   between two bands (access_needs_barrier).

   Each is a question about every pair of references of one array of which at least one writes:
   blocks (some grid iterator differs, all else is free, since the grid has no barrier), threads
   (one block, one step, some thread iterator differs), step (one block, steps free, some thread
   differs), coarse (one block, the loop's iterator differs, all else is free). An open pair is
   searched for a witness: found, it is a conflict; not found, the answer is unknown and says which
   fact was missing. */
#include "base/map.h"
#include "ir/access/delta.h"

static const struct meeting_question BLOCKS = {DIFFERENT, ANY, ANY, ANY, 0, NULL};
static const struct meeting_question THREADS = {SAME, SAME, DIFFERENT, ANY, 0, NULL};
static const struct meeting_question STEP = {SAME, ANY, DIFFERENT, ANY, 0, NULL};
static const struct meeting_question ALL_STEPS = {SAME, ANY, ANY, ANY, 0, NULL};

static struct legality legality_proved(struct analysis *analysis)
{
    return (struct legality){.verdict = ACCESS_PROVED,
                             .condition = sas_empty(analysis->kernel->ring)};
}

/* Adds constraints with the pairs that they keep apart. */
static void condition_add(struct analysis *analysis, struct legality *legality,
                          struct sas condition, const struct access_pair *causes)
{
    struct arena *arena = analysis->ctx->arena;
    size_t n = legality->condition.count;
    struct access_pair *all = ARENA_ARRAY(arena, struct access_pair, n + condition.count + 1);
    for (size_t i = 0; i < n; i++)
        all[i] = legality->causes[i];
    for (size_t i = 0; i < condition.count; i++)
        all[n + i] = causes[i];
    legality->condition = sas_join(arena, legality->condition, condition);
    legality->causes = all;
}

static void condition_add_pair(struct analysis *analysis, struct legality *legality,
                               struct sas condition, const struct access *a, const struct access *b)
{
    size_t n = condition.count;
    struct access_pair *causes = ARENA_ARRAY(analysis->arena, struct access_pair, n + 1);
    for (size_t i = 0; i < condition.count; i++)
        causes[i] = (struct access_pair){a->reference, b->reference};
    condition_add(analysis, legality, condition, causes);
}

/* The fact that was missing, with the line that supplies it. */
static const char *missing_text(struct analysis *analysis, const struct access *a,
                                const struct access *b, const struct meeting_question *question,
                                struct meeting_result result)
{
    const char *advice = NULL;
    if (result.lacking)
        advice = pair_advice(analysis, a, b, question, result.lacking);
    if (!advice)
        return result.missing;
    return arena_printf(analysis->ctx->arena, "%s; %s says so", result.missing, advice);
}

/* Adds what is known of one pair to the verdict so far. */
static void legality_pair(struct analysis *analysis, struct legality *legality,
                          const struct access *a, const struct access *b,
                          const struct meeting_question *question)
{
    if (legality->verdict == ACCESS_CONFLICT)
        return;
    struct meeting_result result = pair_meets(analysis, a, b, question);
    if (result.meeting == MEETING_NO)
        return;
    if (result.meeting == MEETING_NO_UNDER) {
        condition_add_pair(analysis, legality, result.condition, a, b);
        if (legality->verdict == ACCESS_PROVED)
            legality->verdict = ACCESS_PROVED_UNDER;
        return;
    }
    const char *witness = analysis->only_proofs ? NULL : witness_find(analysis, a, b, question);
    if (!witness && legality->verdict == ACCESS_UNKNOWN)
        return;
    legality->verdict = witness ? ACCESS_CONFLICT : ACCESS_UNKNOWN;
    legality->reason = witness ? witness : missing_text(analysis, a, b, question, result);
    legality->a = a->reference;
    legality->b = b->reference;
}

/* Do both accumulate by one operator? Then their order does not matter. */
static bool accumulates_alike(const struct access *a, const struct access *b)
{
    return a->reference.store && b->reference.store && a->reference.store->reduction &&
           a->reference.store->reduction == b->reference.store->reduction;
}

/* Starts and finishes of sums are judged apart (ends.c). */
static bool pair_matters(const struct access *a, const struct access *b)
{
    return a->reference.array == b->reference.array && !accumulates_alike(a, b) && !a->end &&
           !b->end &&
           (a->reference.is_write || b->reference.is_write);
}

/* Drops constraints that the others imply where the kernel has blocks at all. */
static void condition_tidy(struct analysis *analysis, struct legality *legality)
{
    struct sas all = legality->condition;
    const struct access_pair *causes = legality->causes;
    legality->condition = sas_empty(analysis->kernel->ring);
    if (legality->verdict != ACCESS_PROVED_UNDER)
        return;
    bool *dropped = ARENA_ARRAY(analysis->arena, bool, all.count + 1);
    for (size_t i = all.count; i-- > 0;) {
        struct context *others = context_extend(analysis->context);
        for (size_t k = 0; k < all.count; k++)
            if (k != i && !dropped[k])
                context_fact(others, poly_move(analysis->ring, all.at[k].poly));
        context_floors(others);
        dropped[i] = context_nonnegative(others, poly_move(analysis->ring, all.at[i].poly));
    }
    for (size_t i = 0; i < all.count; i++)
        if (!dropped[i])
            condition_add(analysis, legality, (struct sas){all.ring, &all.at[i], 1}, &causes[i]);
}

/* Conditions of which each may hold, but never all of them, prove nothing. */
static void condition_judge(struct analysis *analysis, struct legality *legality)
{
    if (legality->verdict != ACCESS_PROVED_UNDER ||
        condition_possible(analysis, analysis->context, legality->condition))
        return;
    size_t last = legality->condition.count - 1;
    legality->verdict = ACCESS_UNKNOWN;
    legality->a = legality->causes[last].a;
    legality->b = legality->causes[last].b;
    legality->reason = "the conditions that would keep all accesses apart exclude each other";
}

static struct legality legality_all(struct analysis *analysis,
                                    const struct meeting_question *question, bool within_band)
{
    struct legality legality = legality_proved(analysis);
    for (size_t i = 0; i < analysis->accesses.count; i++)
        for (size_t k = i; k < analysis->accesses.count; k++) {
            const struct access *a = analysis->accesses.at[i], *b = analysis->accesses.at[k];
            if (!pair_matters(a, b) || (within_band && (a->band != b->band || !a->band)))
                continue;
            if (pair_compatible(analysis, a, b, within_band))
                legality_pair(analysis, &legality, a, b, question);
        }
    return legality;
}

static int verdict_rank(enum access_verdict verdict)
{
    static const int rank[] = {[ACCESS_PROVED] = 0,
                               [ACCESS_PROVED_UNDER] = 1,
                               [ACCESS_UNKNOWN] = 2,
                               [ACCESS_CONFLICT] = 3};
    return rank[verdict];
}

/* The worse of two verdicts, with both conditions. */
static struct legality legality_join(struct analysis *analysis, struct legality a,
                                     struct legality b)
{
    struct legality worse = verdict_rank(b.verdict) > verdict_rank(a.verdict) ? b : a;
    worse.condition = a.condition;
    worse.causes = a.causes;
    condition_add(analysis, &worse, b.condition, b.causes);
    condition_judge(analysis, &worse);
    condition_tidy(analysis, &worse);
    return worse;
}

static struct legality parallel_decide(struct analysis *analysis)
{
    struct legality blocks = legality_proved(analysis),
                    threads = legality_all(analysis, &THREADS, true);
    if (analysis->kernel->n_grid)
        blocks = legality_all(analysis, &BLOCKS, false);
    return legality_join(analysis, blocks, threads);
}

/* Every other question about a kernel begins with this one, so the answer is kept with
   the compilation. Where proofs were found, no witness was searched, and the answer is the whole
   one also if the analysis asked for proofs alone. */
struct legality analysis_parallel(struct analysis *analysis)
{
    struct ctx *ctx = analysis->ctx;
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    const char *whole = analysis_key(analysis->arena, "parallel", analysis->kernel),
               *proofs = arena_printf(analysis->arena, "proofs of %s", whole);
    struct legality *kept = map_get(ctx->caches, whole);
    if (!kept && analysis->only_proofs)
        kept = map_get(ctx->caches, proofs);
    if (!kept) {
        kept = ARENA_NEW(ctx->arena, struct legality);
        *kept = parallel_decide(analysis);
        bool is_whole = !analysis->only_proofs || kept->verdict <= ACCESS_PROVED_UNDER;
        map_put(ctx->caches, is_whole ? whole : proofs, kept);
    }
    return *kept;
}

void analysis_assume(struct analysis *analysis)
{
    if (analysis->assumed)
        return;
    analysis->assumed = true;
    analysis->only_proofs = true;
    struct legality legality = analysis_parallel(analysis);
    analysis->only_proofs = false;
    analysis->verdict = legality.verdict;
    if (legality.verdict <= ACCESS_PROVED_UNDER)
        for (size_t i = 0; i < legality.condition.count; i++) {
            const struct poly *p = poly_move(analysis->ring, legality.condition.at[i].poly);
            if (p)
                context_constraint(analysis->context,
                                   (struct constraint){p, legality.condition.at[i].relation});
        }
    context_floors(analysis->context);
}

struct legality access_parallel(struct ctx *ctx, const struct kernel *kernel)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    struct legality legality = analysis_parallel(analysis);
    analysis_free(analysis);
    return legality;
}

struct legality analysis_coarse(struct analysis *analysis, const struct stmt *loop)
{
    struct meeting_question question = ALL_STEPS;
    question.n_loops = 1;
    question.loops = &loop;
    struct legality legality = legality_all(analysis, &question, false);
    condition_judge(analysis, &legality);
    condition_tidy(analysis, &legality);
    return legality;
}

struct legality access_coarse(struct ctx *ctx, const struct kernel *kernel, const struct stmt *loop)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    struct legality legality = analysis_coarse(analysis, loop);
    analysis_free(analysis);
    return legality;
}

bool analysis_disjoint(struct analysis *analysis, const struct access *a, const struct access *b)
{
    return !pair_compatible(analysis, a, b, false) ||
           pair_meets(analysis, a, b, &ALL_STEPS).meeting == MEETING_NO;
}

bool access_needs_barrier(struct ctx *ctx, const struct kernel *kernel, const struct stmt *a,
                          const struct stmt *b)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    bool needed = false;
    for (size_t i = 0; i < analysis->accesses.count && !needed; i++)
        for (size_t k = 0; k < analysis->accesses.count && !needed; k++) {
            const struct access *x = analysis->accesses.at[i], *y = analysis->accesses.at[k];
            if (x->band != a || y->band != b || !pair_matters(x, y) ||
                !pair_compatible(analysis, x, y, false))
                continue;
            const struct meeting_question *question = bands_share_threads(a, b) ? &STEP
                                                                                : &ALL_STEPS;
            needed = pair_meets(analysis, x, y, question).meeting != MEETING_NO;
        }
    analysis_free(analysis);
    return needed;
}

void access_flags(const struct kernel *kernel, const struct array *array, bool *is_read,
                  bool *is_written)
{
    *is_read = stmt_loads_from(kernel->body, array) || stmt_accumulates_in(kernel->body, array);
    *is_written = stmt_stores_to(kernel->body, array);
}
