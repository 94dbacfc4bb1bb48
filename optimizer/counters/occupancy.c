/* Occupancy: the active share of a multiprocessor's warps, by the least of what registers, shared
   memory, warps and block slots allow.

   In: a kernel. Out: pieces, one for each limit, guarded by "it is the least". With w = warps =
   ceil(threads/W_B), u = units = ceil(budget*W_B/U_F), a warp has U_F*u registers and a partition f
   = floor(F_M/(Q_B*U_F*u)) warps, hence blocks are floor(Q_B*f/w) by registers,
   floor(Z_M/(U_Z*lots)) by shared memory with lots = ceil((words + Z_R)/U_Z), floor(T_M/(W_B*w)) by
   warps, and N_M. Occupancy is their warps' share, 100*W_B*w*blocks/T_M percent: where W_B divides
   T_M, as it does on every device. A kernel without shared memory is not limited by the reserved
   words alone (no device has so few). The compiler keeps the budget and may use fewer registers, so
   this is a lower bound. The goal needs no floor: the target asks for wanted =
   ceil(P*T_M/(100*W_B*w)) blocks, at most as many as warps and slots allow (more, no rewrite of the
   code could reach), and n <= floor(a/b) is n*b <= a. So wanted blocks must have
   Q_B*ceil(wanted*w/Q_B)*U_F*u <= F_M registers and wanted*U_Z*lots <= Z_M words: the limits stand
   alone, an unlimited one makes its test true, and an unlimited T_M wants one block. Source: the
   rules of runtime/occupancy.c, equal to these. */
#include "optimizer/counters/blocks.h"

enum { REGISTERS, WORDS, KINDS };

struct block_use {
    struct scope *scope;
    const struct poly *warp_size, *threads, *warps;
    const struct poly *warp_registers;           /* allocated to a warp */
    const struct poly *words;                    /* allocated to a block; NULL = it uses no
                                                    shared memory */
};

/* Has p integer coefficients? */
static bool is_whole(const struct poly *p)
{
    int64_t numerator, denominator;
    unsigned exponents[RING_CAPACITY];
    bool whole = true;
    for (size_t i = 0; i < poly_terms(p); i++)
        whole &= poly_term(p, i, &numerator, &denominator, exponents) && denominator == 1;
    return whole;
}

/* Words allocated for `shared` of a block's own, which may be quarters where tiles have elements of
   one byte. */
static const struct poly *words_allocated(struct scope *scope, const struct poly *shared)
{
    const struct poly *reserved = scope_machine(scope, "Z_R"), *unit = scope_machine(scope, "U_Z");
    int64_t scale = is_whole(shared) ? 1 : 4;
    struct auxiliary lots = {.numerator = poly_scale(poly_add(shared, reserved), scale, 1),
                             .multiple = 1,
                             .floor = 1,
                             .denominator = poly_scale(unit, scale, 1)};
    return reserved && unit ? poly_mul(unit, scope_auxiliary(scope, "lots", &lots)) : NULL;
}

/* False where a polynomial is missing; scope->reason may say why. */
static bool block_make(struct block_use *block)
{
    struct scope *scope = block->scope;
    const struct poly *budget = scope_budget(scope),
                      *shared = scope_moved(scope, kernel_shared_words(scope->kernel));
    const struct poly *unit = scope_machine(scope, "U_F");
    block->warp_size = scope_machine(scope, "W_B");
    block->threads = scope_moved(scope, kernel_threads(scope->kernel));
    if (!budget || !shared || !unit || !block->warp_size || !block->threads)
        return false;
    block->warps = scope_ceiling(scope, "warps", block->threads, block->warp_size);
    block->warp_registers =
        poly_mul(unit, scope_ceiling(scope, "units", poly_mul(budget, block->warp_size), unit));
    if (poly_is_zero(shared))
        return block->warps && block->warp_registers;
    block->words = words_allocated(scope, shared);
    return block->warps && block->warp_registers && block->words;
}

/* floor(numerator / denominator) of values that are never negative. */
static const struct poly *quotient(struct scope *scope, const char *stem,
                                   const struct poly *numerator, const struct poly *denominator)
{
    const struct poly *shifted = poly_add(poly_sub(numerator, denominator),
                                          poly_integer(scope->ring, 1));
    struct auxiliary definition = {.form = AUXILIARY_QUOTIENT,
                                   .numerator = shifted,
                                   .denominator = denominator,
                                   .multiple = 1};
    return numerator && denominator ? scope_auxiliary(scope, stem, &definition) : NULL;
}

/* The number of blocks that each limit allows. Returns the number of limits, 0 if there is no
   room. */
static int block_limits(const struct block_use *block, const struct poly **blocks)
{
    struct scope *scope = block->scope;
    const struct poly *partitions = scope_machine(scope, "Q_B"),
                      *file = scope_machine(scope, "F_M");
    const struct poly *held = quotient(scope, "held", file,
                                       poly_mul(partitions, block->warp_registers));
    int n = 0;
    blocks[n++] = quotient(scope, "by_registers", poly_mul(partitions, held), block->warps);
    if (block->words)
        blocks[n++] = quotient(scope, "by_shared", scope_machine(scope, "Z_M"), block->words);
    blocks[n++] = quotient(scope, "by_warps", scope_machine(scope, "T_M"),
                           poly_mul(block->warp_size, block->warps));
    blocks[n++] = scope_machine(scope, "N_M");
    for (int i = 0; i < n; i++)
        if (!blocks[i])
            return 0;
    return n;
}

int blocks_allowed(struct scope *scope, const struct poly **blocks)
{
    struct block_use block = {.scope = scope};
    return block_make(&block) ? block_limits(&block, blocks) : 0;
}

/* The share of the warps that the least of them makes active, in percent. */
static struct counter_value least(const struct block_use *block, const struct poly **blocks, int n)
{
    struct scope *scope = block->scope;
    struct arena *arena = scope->store->ctx->arena;
    const struct poly *share = poly_scale(poly_mul(block->warp_size, block->warps), 100, 1),
                      *all = scope_machine(scope, "T_M");
    struct counter_piece *pieces = ARENA_ARRAY(arena, struct counter_piece, BLOCK_LIMITS);
    for (int i = 0; i < n; i++) {
        struct sas guard = sas_empty(scope->ring);
        for (int k = 0; k < n; k++)
            if (k != i)
                guard = sas_add(arena, guard,
                                constraint_make(blocks[i], k < i ? RELATION_LT : RELATION_LE,
                                                blocks[k]));
        pieces[i] = (struct counter_piece){guard, poly_mul(blocks[i], share), all, COUNTER_LOWER};
    }
    return scope_value(scope, (size_t)n, pieces);
}

/* The figure is only reported: its floors live in a ring of their own even where the tree forks
   on occupancy. */
static struct counter_value reported_value(struct store *store, const struct kernel *kernel)
{
    struct scope *scope = ARENA_NEW(store->ctx->arena, struct scope);
    *scope = scope_new(store, kernel, COUNTER_COUNT);
    struct block_use block = {.scope = scope};
    const struct poly *blocks[BLOCK_LIMITS];
    if (kernel_all_strided(kernel))
        return scope_none("it runs with any block");
    int n = block_make(&block) ? block_limits(&block, blocks) : 0;
    return n ? least(&block, blocks, n)
             : scope_none(scope->reason ? scope->reason
                                        : "registers, threads or shared memory are no polynomials");
}

/* Blocks per multiprocessor that reach the target, as far as warps and slots allow. */
static const struct poly *wanted_blocks(const struct block_use *block, const struct poly *target)
{
    struct scope *scope = block->scope;
    const struct poly *threads = scope_machine(scope, "T_M"), *slots = scope_machine(scope, "N_M");
    const struct poly *own = poly_mul(block->warp_size, block->warps),
                      *one = poly_integer(scope->ring, 1);
    struct auxiliary most = {.form = AUXILIARY_QUOTIENT,
                             .numerator = poly_add(poly_sub(threads, own), one),
                             .denominator = own,
                             .multiple = 1,
                             .floor = 1,
                             .least = INT64_MIN,
                             .cap = slots};
    struct auxiliary wanted = {.numerator = poly_mul(target, threads),
                               .denominator = poly_scale(own, 100, 1),
                               .multiple = 1,
                               .floor = 1,
                               .least = 1,
                               .cap = threads && slots ? scope_auxiliary(scope, "most", &most)
                                                       : NULL};
    return wanted.cap ? scope_auxiliary(scope, "wanted", &wanted) : NULL;
}

/* `need` rises with `amount` and, with the same number of threads, with nothing else. */
static struct counter_test test_make(const struct block_use *block, int id, const struct poly *need,
                                     const char *limit, const struct poly *amount)
{
    struct scope *scope = block->scope;
    const struct poly **keys = ARENA_ARRAY(scope->store->ctx->arena, const struct poly *, 3);
    keys[0] = amount;
    keys[1] = block->threads;
    keys[2] = poly_neg(block->threads);
    return (struct counter_test){id,
                                 constraint_make(need, RELATION_LE, scope_machine(scope, limit)), 3,
                                 keys};
}

/* NULL if the ring is full. */
static const struct counter_goal *goal_make(struct scope *scope)
{
    struct arena *arena = scope->store->ctx->arena;
    struct counter_goal *goal = ARENA_NEW(arena, struct counter_goal);
    struct counter_test *tests = ARENA_ARRAY(arena, struct counter_test, KINDS);
    struct block_use block = {.scope = scope};
    const struct poly *target = store_target(scope->store, COUNTER_OCCUPANCY);
    const struct poly *wanted = target && block_make(&block) ? wanted_blocks(&block, target) : NULL;
    const struct poly *partitions = scope_machine(scope, "Q_B");
    const struct poly *part =
        wanted ? scope_ceiling(scope, "part", poly_mul(wanted, block.warps), partitions) : NULL;
    if (!part)
        return NULL;
    const struct poly *need = poly_mul(poly_mul(partitions, part), block.warp_registers);
    tests[goal->count++] = test_make(&block, REGISTERS, need, "F_M",
                                     registers_estimate(scope->store, scope->kernel));
    if (block.words)
        tests[goal->count++] = test_make(&block, WORDS, poly_mul(wanted, block.words), "Z_M",
                                          scope_moved(scope, kernel_shared_words(scope->kernel)));
    goal->tests = tests;
    goal->slots = scope_slots(scope);
    goal->n_auxiliary = (size_t)goal->slots.count;
    goal->auxiliaries = scope_integers(scope);
    return goal;
}

struct counter_value counter_occupancy(struct store *store, const struct kernel *kernel)
{
    struct counter_value value = reported_value(store, kernel);
    struct scope scope = scope_new(store, kernel, COUNTER_OCCUPANCY);
    if (scope.is_private || kernel_all_strided(kernel))
        return value;
    value.goal = goal_make(&scope);
    return value.goal ? value
                      : scope_none(scope.reason
                                       ? scope.reason
                                       : "registers, threads or shared memory are no polynomials");
}
