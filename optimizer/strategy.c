/* The table of strategies and the functions that its rows name.

   In: strategy.def. Out: rows by number or name. An `applies` looks at a kernel without rewriting
   it; an `apply` hands the draft to the rewrite of strategies/ and says what it changed. Invariant:
   an `apply` changes nothing but its copy of the draft. To add a row see the legend of
   the table. */
#include "ir/async.h"
#include "optimizer/space.h"
#include "optimizer/store.h"
#include "optimizer/strategies/rewrite.h"
#include <string.h>

/* --- what may be applied ---------------------------------------------------------------------- */

static bool stride_applies(struct store *store, const struct kernel *kernel)
{
    (void)store;
    return !kernel_all_strided(kernel);
}

static bool granularity_applies(struct store *store, const struct kernel *kernel)
{
    (void)kernel;
    return store->space->region->n_coarse > 0;
}

/* A kernel that may need more than every GPU since 2010 has: 63 registers per thread, and so much
   shared memory that a block of 1,024 threads gets 4,096 words and another 1,024. */
static bool kernel_is_large(struct store *store, const struct kernel *kernel)
{
    const struct poly *registers = registers_estimate(store, kernel),
                      *words = kernel_shared_words(kernel), *threads = kernel_threads(kernel);
    int64_t number;
    if (!registers || !poly_get_integer(registers, &number) || number > 63)
        return true;
    if (!words || !threads)
        return true;
    struct ring *ring = poly_ring(words);
    const struct poly *most = poly_add(poly_scale(threads, 4, 1), poly_integer(ring, 1024));
    struct constraint fits = constraint_make(words, RELATION_LE, most);
    return sas_implies(kernel->facts, fits) != 1;
}

static bool split_applies(struct store *store, const struct kernel *kernel)
{
    return space_independent(store->space) && store_splits(store) &&
           kernel_is_large(store, kernel);
}

/* What cannot be proved about the annotation is believed, but nothing is built on it. */
static bool points_independent(struct store *store, const struct kernel *kernel)
{
    (void)kernel;
    return space_independent(store->space);
}

/* Threads that have a lane of a sum are many because few would wait: their blocks shrink. */
static bool coarsen_applies(struct store *store, const struct kernel *kernel)
{
    return space_independent(store->space) && !kernel_all_strided(kernel) &&
           !store_has_lanes(store, kernel);
}

/* A kernel without tiles has nothing to copy. Shared arrays of sums are no tiles. */
static bool has_tiles(struct store *store, const struct kernel *kernel)
{
    (void)store;
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_SHARED && kernel->arrays[i]->origin)
            return true;
    return false;
}

static bool has_pieces(struct store *store, const struct kernel *kernel)
{
    return strategy_has_pieces(kernel) || store_has_lanes(store, kernel);
}

/* A second axis pays where loops of a thread load what its points along it have in common. Where
   the points of a thread already are a parameter, the program has such a tile. */
static bool tile_applies(struct store *store, const struct kernel *kernel)
{
    int last = kernel->n_block - 1;
    return coarsen_applies(store, kernel) && last > 0 && kernel->n_divisible > 0 &&
           !kernel_has_symbolic_private(kernel) &&
           strategy_coarsen_shares(store->ctx, kernel, last, 2);
}

static bool has_stages(struct store *store, const struct kernel *kernel)
{
    return kernel_has_async(store->ctx->arena, kernel);
}

static bool scalar_applies(struct store *store, const struct kernel *kernel)
{
    return strategy_scalar_rotates(store->ctx, kernel);
}

/* The search applies it to all kernels or to none (tree_options.jam). */
static bool jam_applies(struct store *store, const struct kernel *kernel)
{
    (void)store;
    return !kernel_all_strided(kernel);
}

static bool drop_all_applies(struct store *store, const struct kernel *kernel)
{
    return has_tiles(store, kernel) || strategy_has_copies(kernel);
}

/* An array is dropped singly where it is staged and another one is too; else drop-caching does
   the same. */
static bool drop_applies(struct store *store, const struct kernel *kernel, int n)
{
    const struct array *array = store_droppable(store, n);
    bool found = false;
    return array && strategy_staged_count(kernel, array->name, &found) >= 2 && found;
}

static bool drop_first_applies(struct store *store, const struct kernel *kernel)
{
    return drop_applies(store, kernel, 0);
}

static bool drop_second_applies(struct store *store, const struct kernel *kernel)
{
    return drop_applies(store, kernel, 1);
}

static bool drop_third_applies(struct store *store, const struct kernel *kernel)
{
    return drop_applies(store, kernel, 2);
}

/* Several devices share the launches: a plan for their memory, of the same kernels. */
static bool partition_applies(struct store *store, const struct kernel *kernel)
{
    return space_forks_on(store->space, COUNTER_DEVICE_WORDS) && !kernel_all_strided(kernel);
}

static struct kernel_draft partition_apply(struct store *store, struct kernel_draft draft,
                                           int level)
{
    (void)store, (void)level;
    return draft;
}

/* --- banded kernels --------------------------------------------------------------------------- */

static struct kernel_draft stride_apply(struct store *store, struct kernel_draft draft, int level)
{
    (void)store, (void)level;
    draft.strided = true;
    return draft;
}

static struct kernel_draft granularity_apply(struct store *store, struct kernel_draft draft,
                                             int level)
{
    (void)level;
    if (store->space->region->n_coarse > 0)
        draft.kernel = strategy_granularity(store->ctx, draft.kernel);
    return draft;
}

static struct kernel_draft split_apply(struct store *store, struct kernel_draft draft, int level)
{
    (void)store;
    draft.split = level;
    return draft;
}

static struct kernel_draft drop_apply(struct store *store, struct kernel_draft draft, int n)
{
    const struct array *array = store_droppable(store, n);
    const struct kernel *kernel = store->space->region->kernel;
    for (int i = 0; i < kernel->n_arrays && i < 64; i++)
        if (array && kernel->arrays[i] == array)
            draft.placement.stage &= ~((uint64_t)1 << i);
    return draft;
}

static struct kernel_draft drop_first_apply(struct store *store, struct kernel_draft draft,
                                            int level)
{
    (void)level;
    return drop_apply(store, draft, 0);
}

static struct kernel_draft drop_second_apply(struct store *store, struct kernel_draft draft,
                                             int level)
{
    (void)level;
    return drop_apply(store, draft, 1);
}

static struct kernel_draft drop_third_apply(struct store *store, struct kernel_draft draft,
                                            int level)
{
    (void)level;
    return drop_apply(store, draft, 2);
}

static struct kernel_draft drop_pieces_apply(struct store *store, struct kernel_draft draft,
                                             int level)
{
    (void)store, (void)level;
    draft.placement.pieces = false;
    return draft;
}

static struct kernel_draft drop_stages_apply(struct store *store, struct kernel_draft draft,
                                             int level)
{
    (void)store, (void)level;
    draft.placement.stages = 1;
    return draft;
}

static struct kernel_draft drop_all_apply(struct store *store, struct kernel_draft draft, int level)
{
    (void)store, (void)level;
    draft.placement.stage = 0;
    return draft;
}

/* --- placed kernels --------------------------------------------------------------------------- */

/* What neighbouring threads stream in one order of the axes they may not in another, so everything
   that can be is staged for it. */
static struct kernel_draft remap_apply(struct store *store, struct kernel_draft draft, int level)
{
    (void)level;
    if (!space_independent(store->space))
        return draft;
    struct placement_options placement = draft.placement;
    const struct kernel *staged = draft.kernel;
    placement.stage_streamed = true;
    if (draft.banded)
        staged = strategy_place(store->ctx, draft.banded, placement);
    const struct kernel *remapped = strategy_remap(store->ctx, staged);
    if (remapped == staged)
        return draft;
    draft.placement = placement;
    draft.kernel = remapped;
    draft.remapped = true;
    return draft;
}

/* Which way threads go through a tile is seen when it is placed, so the kernel is placed again,
   with longer rows. */
static struct kernel_draft pad_apply(struct store *store, struct kernel_draft draft, int level)
{
    (void)level;
    draft.placement.n_padded = strategy_pad_choose(store->ctx, draft.kernel,
                                                   &draft.placement.padded);
    if (!draft.banded || draft.placement.n_padded == 0)
        return draft;
    draft.kernel = strategy_place(store->ctx, draft.banded, draft.placement);
    if (draft.remapped)
        draft.kernel = strategy_remap(store->ctx, draft.kernel);
    return draft;
}

static struct kernel_draft coarsen_apply(struct store *store, struct kernel_draft draft, int axis,
                                         int factor)
{
    if (!draft.strided && space_independent(store->space))
        draft.kernel = strategy_coarsen(store->ctx, draft.kernel, axis, factor);
    return draft;
}

/* The axis along which rows share most, the outermost of several. */
static struct kernel_draft coarsen_y_apply(struct store *store, struct kernel_draft draft,
                                           int level)
{
    return coarsen_apply(store, draft, store->space->rows_axis, level);
}

/* The last axis of a block of two or more. */
static struct kernel_draft coarsen_x_apply(struct store *store, struct kernel_draft draft,
                                           int level)
{
    int n = draft.kernel->n_block;
    return n > 1 ? coarsen_apply(store, draft, n - 1, level) : draft;
}

static struct kernel_draft wide_apply(struct store *store, struct kernel_draft draft, int level)
{
    (void)level;
    draft.kernel = strategy_wide(store->ctx, draft.kernel, draft.placement.promote_symbolic);
    return draft;
}

static struct kernel_draft jam_apply(struct store *store, struct kernel_draft draft, int level)
{
    draft.kernel = strategy_jam(store->ctx, draft.kernel, level);
    return draft;
}

static struct kernel_draft scalar_apply(struct store *store, struct kernel_draft draft, int level)
{
    (void)level;
    draft.kernel = strategy_scalar_replace(store->ctx, draft.kernel);
    return draft;
}

static struct kernel_draft vector_apply(struct store *store, struct kernel_draft draft, int level)
{
    (void)level;
    draft.kernel = strategy_vector(store->ctx, draft.kernel);
    return draft;
}

static struct kernel_draft vector_loop_apply(struct store *store, struct kernel_draft draft,
                                             int level)
{
    (void)level;
    draft.kernel = strategy_vector_loop(store->ctx, draft.kernel);
    return draft;
}

static struct kernel_draft unroll_apply(struct store *store, struct kernel_draft draft, int level)
{
    draft.kernel = strategy_unroll(store->ctx, draft.kernel, level);
    return draft;
}

static struct kernel_draft cse_apply(struct store *store, struct kernel_draft draft, int level)
{
    draft.kernel = strategy_cse(store->ctx, draft.kernel, level);
    return draft;
}

static struct kernel_draft pressure_apply(struct store *store, struct kernel_draft draft, int level)
{
    draft.kernel = strategy_pressure(store->ctx, draft.kernel, level);
    return draft;
}

/* --- the table -------------------------------------------------------------------------------- */

const struct strategy *strategy_table(int symbol)
{
    static const struct strategy TABLE[STRATEGY_COUNT] = {
#define X(SYMBOL, name, code, family, level, form, ir, sweep, final, paper, change, gain, sole,    \
          claims, applies, apply)                                                                  \
    {name,  code,   FAMILY_##family, level, FORM_##form, ir,      SWEEP_##sweep, final,            \
     paper, change, gain,            sole,  claims,      applies, apply},
#include "optimizer/strategy.def"
#undef X
    };
    return &TABLE[symbol];
}

int strategy_find(const char *name)
{
    for (int i = 0; i < STRATEGY_COUNT; i++)
        if (strcmp(strategy_table(i)->name, name) == 0)
            return i;
    return -1;
}

/* --- keys ------------------------------------------------------------------------------------- */

bool key_equal(struct key a, struct key b)
{
    return memcmp(a.level, b.level, sizeof a.level) == 0;
}

bool key_has(struct key key, const struct strategy *strategy)
{
    return key.level[strategy->family] >= strategy->level;
}

/* Strided bands run whatever else was done, with granularity reduced where it can be. Where nothing
   is staged, no array can be left out of it, and what was split for the sake of tiles is one kernel
   again. Strategies that spare resources do not come with several buffers for a tile. Points of a
   thread that share loads make them wide. */
struct key key_with(struct key key, const struct strategy *strategy)
{
    static const enum family small[] = {FAMILY_GRANULARITY, FAMILY_SPLIT, FAMILY_DROP_FIRST,
                                        FAMILY_DROP_SECOND, FAMILY_DROP_THIRD, FAMILY_DROP_PIECES,
                                        FAMILY_DROP_ALL, FAMILY_PRESSURE};
    if (key.level[strategy->family] < strategy->level)
        key.level[strategy->family] = (unsigned char)strategy->level;
    if (key.level[FAMILY_STRIDE])
        key = (struct key){.level = {[FAMILY_STRIDE] = 1, [FAMILY_GRANULARITY] = 1}};
    if (strategy->family == FAMILY_DROP_ALL)
        key.level[FAMILY_SPLIT] = 0;
    if (key.level[FAMILY_DROP_ALL])
        key.level[FAMILY_DROP_FIRST] = key.level[FAMILY_DROP_SECOND] =
            key.level[FAMILY_DROP_THIRD] = key.level[FAMILY_DROP_PIECES] = 0;
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (key.level[small[i]])
            key.level[FAMILY_DROP_STAGES] = 1;
    if (key.level[FAMILY_COARSEN_Y] || key.level[FAMILY_COARSEN_X])
        key.level[FAMILY_WIDE] = 1;
    return key;
}
