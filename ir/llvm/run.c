/* Runs a kernel on the host, block by block.

   In: a kernel with values for its parameters and arrays. Out: the arrays changed, or a diagnostic.
   The threads of a block are fibers that switch at barriers; the order in which they run is
   permuted by the seed, anew in every round between two barriers, since a fixed order hides races.
   A block is over when all its threads are; if some are while others wait at a barrier, or threads
   wait at different barriers, that is an error: on a GPU it would hang or worse. Shared memory
   holds a pattern before each block, so that reading what was never written shows. A kernel without
   barriers needs one fiber, which runs the threads one after the other. */
#include "ir/llvm/fiber.h"
#include "ir/llvm/native.h"
#include <inttypes.h>
#include <string.h>

enum { THREADS_MOST = 1 << 16, PATTERN = 0xcb, SHARED_ALIGNMENT = 16 };

struct fiber_thread {
    struct lane lane;
    struct run *run;
    uint32_t barrier;           /* where it waits */
};

struct run {
    struct ctx *ctx;
    struct arena *arena;        /* of this run */
    const struct kernel *kernel;
    const struct native *native;
    const struct interpret_input *input;
    uint64_t *slots;
    size_t threads, blocks;
    uint32_t width, grid_width; /* threads and blocks in a row: all of them in a line */
    struct fiber_thread *at;
    uint32_t *order;
    struct fibers *fibers;
    uint64_t random;
    size_t failed_thread;
    const struct fault *fault;
    int64_t fault_index, fault_count;
};

/* xorshift64*; a seed of zero keeps the order. */
static uint64_t random_next(struct run *run)
{
    run->random ^= run->random >> 12;
    run->random ^= run->random << 25;
    run->random ^= run->random >> 27;
    return run->random * 2685821657736338717ull;
}

static void shuffle(struct run *run, uint32_t *order, size_t n)
{
    for (size_t i = n; run->input->seed && i > 1; i--) {
        size_t k = random_next(run) % i;
        uint32_t kept = order[i - 1];
        order[i - 1] = order[k];
        order[k] = kept;
    }
}

static struct fiber_thread *thread_of(struct lane *lane)
{
    return (struct fiber_thread *)((unsigned char *)lane - offsetof(struct fiber_thread, lane));
}

static void on_barrier(struct lane *lane, uint32_t number)
{
    struct fiber_thread *thread = thread_of(lane);
    thread->barrier = number;
    fiber_wait(thread->run->fibers);
}

static void on_trap(struct lane *lane, const struct fault *fault, int64_t index, int64_t count)
{
    struct run *run = thread_of(lane)->run;
    run->fault = fault;
    run->fault_index = index;
    run->fault_count = count;
    run->failed_thread = lane->thread[1] * lane->threads[0] + lane->thread[0];
    fiber_fail(run->fibers);
}

static void run_thread(void *owner, size_t index)
{
    struct run *run = owner;
    if (run->native->barriers) {
        run->native->entry(&run->at[index].lane, run->slots);
        return;
    }
    for (size_t i = 0; i < run->threads; i++)
        run->native->entry(&run->at[run->order[i]].lane, run->slots);
}

static bool report_fault(struct run *run, size_t block)
{
    const struct fault *fault = run->fault;
    if (fault->kind == FAULT_DIVISION)
        diag_error(run->ctx, fault->loc, "kernel '%s': division by zero in block %zu, thread %zu",
                   run->kernel->name, block, run->failed_thread);
    else if (fault->kind == FAULT_ALIGNMENT)
        diag_error(run->ctx, fault->loc,
                   "kernel '%s': a vector at element %" PRId64
                   " of '%s' is not aligned, in block %zu, thread %zu",
                   run->kernel->name, run->fault_index, fault->array->name, block,
                   run->failed_thread);
    else
        diag_error(run->ctx, fault->loc,
                   "kernel '%s': element %" PRId64 " of '%s', which has %" PRId64
                   ", in block %zu, thread %zu",
                   run->kernel->name, run->fault_index, fault->array->name, run->fault_count, block,
                   run->failed_thread);
    return false;
}

/* All threads run until they wait or end. */
static bool run_round(struct run *run, size_t block, size_t *waiting, size_t *done)
{
    size_t first = 0;
    *waiting = *done = 0;
    shuffle(run, run->order, run->threads);
    for (size_t i = 0; i < run->threads; i++) {
        size_t t = run->order[i];
        enum fiber_state state = fiber_run(run->fibers, t);
        if (state == FIBER_FAILED)
            return report_fault(run, block);
        *done += state == FIBER_DONE;
        if (state == FIBER_DONE)
            continue;
        if ((*waiting)++ && run->at[t].barrier != run->at[first].barrier) {
            diag_error(run->ctx, loc_none(),
                       "kernel '%s': in block %zu thread %zu waits at barrier %u and thread %zu at "
                       "barrier %u",
                       run->kernel->name, block, first, run->at[first].barrier, t,
                       run->at[t].barrier);
            return false;
        }
        first = t;
    }
    return true;
}

static void block_prepare(struct run *run, size_t block)
{
    for (size_t t = 0; t < run->threads; t++) {
        run->at[t].lane.block[0] = (uint32_t)block % run->grid_width;
        run->at[t].lane.block[1] = (uint32_t)block / run->grid_width;
    }
    if (run->at[0].lane.shared_bytes)
        memset(run->at[0].lane.shared, PATTERN, run->at[0].lane.shared_bytes);
}

static bool run_block(struct run *run, size_t block)
{
    size_t waiting, done;
    block_prepare(run, block);
    if (!run->native->barriers) {
        shuffle(run, run->order, run->threads);
        return fiber_run(run->fibers, 0) != FIBER_FAILED || report_fault(run, block);
    }
    do {
        if (!run_round(run, block, &waiting, &done))
            return false;
        if (waiting && done) {
            diag_error(run->ctx, loc_none(),
                       "kernel '%s': in block %zu %zu threads wait at a barrier that %zu threads "
                       "never reach",
                       run->kernel->name, block, waiting, done);
            return false;
        }
    } while (waiting);
    return true;
}

static bool evaluate(struct run *run, const struct expr *e, int64_t *value)
{
    union value result;
    if (expr_evaluate(run->kernel, e, run->input->params, &result)) {
        *value = result.integer;
        return true;
    }
    diag_error(run->ctx, loc_none(), "kernel '%s': the extent %s divides by zero or overflows",
               run->kernel->name, expr_text(run->arena, e));
    return false;
}

/* The product of extents, 0 where one is not positive. */
static bool box_size(struct run *run, const struct axis *axes, int n, int64_t *size)
{
    bool empty = false;
    *size = 1;
    for (int i = 0; i < n; i++) {
        int64_t extent;
        if (!evaluate(run, axes[i].extent, &extent))
            return false;
        empty |= extent <= 0;
        if (!empty && *size > INT64_MAX / extent) {
            diag_error(run->ctx, loc_none(),
                       "kernel '%s': its grid or block has more than 2^63 points",
                       run->kernel->name);
            return false;
        }
        *size *= empty ? 0 : extent;
    }
    return true;
}

/* A scalar in the low bytes of its slot. */
static uint64_t slot_of(enum type type, union value value)
{
    uint64_t slot = (uint64_t)value.integer;
    float single = (float)value.real;
    if (type == TYPE_F32) {
        slot = 0;
        memcpy(&slot, &single, sizeof single);
    }
    return slot;
}

static void slots_fill(struct run *run)
{
    const struct kernel *kernel = run->kernel;
    size_t n = 0;
    run->slots = ARENA_ARRAY(run->arena, uint64_t, kernel->n_params + 2 * kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_params; i++)
        run->slots[n++] = slot_of(kernel->params[i]->var->type, run->input->params[i]);
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL)
            run->slots[n++] = (uint64_t)(uintptr_t)run->input->arrays[i].data;
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL)
            run->slots[n++] = run->input->arrays[i].count;
}

static bool threads_make(struct run *run, int64_t shared_bytes)
{
    unsigned char *shared = ARENA_ARRAY(run->arena, unsigned char, shared_bytes + SHARED_ALIGNMENT);
    run->at = ARENA_ARRAY(run->arena, struct fiber_thread, run->threads);
    run->order = ARENA_ARRAY(run->arena, uint32_t, run->threads);
    for (size_t t = 0; t < run->threads; t++) {
        run->order[t] = (uint32_t)t;
        run->at[t].run = run;
        run->at[t].lane = (struct lane){
            .thread = {(uint32_t)t % run->width, (uint32_t)t / run->width},
            .threads = {run->width, (uint32_t)run->threads / run->width},
            .blocks = {run->grid_width, (uint32_t)run->blocks / run->grid_width},
            .shared = shared,
            .shared_bytes = (uint64_t)shared_bytes,
            .barrier = on_barrier,
            .trap = on_trap};
    }
    run->fibers = fibers_new(run->arena, run->native->barriers ? run->threads : 1,
                             run->native->stack, run_thread, run);
    if (!run->fibers)
        diag_error(run->ctx, loc_none(), "not enough memory for the stacks of %zu threads",
                   run->threads);
    return run->fibers;
}

/* The last extent of a box that is not empty; *width stays what it is without one. */
static bool row_width(struct run *run, const struct axis *axes, int n, uint32_t *width)
{
    int64_t last;
    if (n == 0)
        return true;
    if (!evaluate(run, axes[n - 1].extent, &last))
        return false;
    *width = (uint32_t)last;
    return true;
}

/* A whole grid is launched in rows. */
static bool plane_find(struct run *run)
{
    const struct kernel *k = run->kernel;
    bool has_rows = run->threads && !kernel_all_strided(k);
    return (!has_rows || row_width(run, k->block, k->n_block, &run->width)) &&
           row_width(run, k->grid, k->n_grid, &run->grid_width);
}

/* Blocks that take several points belong to no part. */
static bool part_suits(struct run *run, bool is_whole)
{
    if (is_whole || !run->input->part)
        return true;
    diag_error(run->ctx, loc_none(), "kernel '%s': a part of a launch has a block for every point",
               run->kernel->name);
    return false;
}

/* False after a diagnostic; *shared: bytes of a block. */
static bool shape_find(struct run *run, int64_t blocks, int64_t *shared)
{
    int64_t points, threads = run->input->threads;
    const struct divisible *fact = kernel_indivisible(run->kernel, run->input->params);
    *shared = 0;
    if (fact) {
        diag_error(run->ctx, loc_none(), "kernel '%s' needs %s to be divisible by %" PRId64,
                   run->kernel->name, poly_text(run->arena, fact->value), fact->divisor);
        return false;
    }
    if (!box_size(run, run->kernel->grid, run->kernel->n_grid, &points) ||
        (!threads && !box_size(run, run->kernel->block, run->kernel->n_block, &threads)) ||
        (run->kernel->shared_bytes && !evaluate(run, run->kernel->shared_bytes, shared)))
        return false;
    if (threads > THREADS_MOST || *shared > (int64_t)1 << 30) {
        diag_error(run->ctx, loc_none(),
                   "kernel '%s': %" PRId64 " threads and %" PRId64
                   " shared bytes per block are beyond what is simulated",
                   run->kernel->name, threads, *shared);
        return false;
    }
    *shared = *shared < 0 ? 0 : *shared;
    run->threads = (size_t)threads;
    run->blocks = (size_t)(blocks && blocks < points ? blocks : points);
    if (run->blocks > INT32_MAX)
        run->blocks = INT32_MAX;
    bool is_whole = !blocks && run->blocks == (size_t)points;
    run->width = (uint32_t)run->threads;
    run->grid_width = (uint32_t)run->blocks;
    return part_suits(run, is_whole) && (!is_whole || !points || plane_find(run));
}

/* Appends the numbers of the part's blocks, which are known by the shape of the whole launch. False
   after a diagnostic. */
static bool part_list(struct run *run, uint32_t *order, size_t *n)
{
    const struct interpret_part *part = run->input->part;
    const struct axis *grid = run->kernel->grid;
    int64_t inner, extent;
    if (!box_size(run, grid + part->axis + 1, run->kernel->n_grid - part->axis - 1, &inner) ||
        !evaluate(run, grid[part->axis].extent, &extent))
        return false;
    for (size_t b = 0; b < run->blocks; b++) {
        int64_t at = (int64_t)b / inner % extent;
        if (at >= part->from && at < part->to)
            order[(*n)++] = (uint32_t)b;
    }
    return true;
}

/* The blocks that run. */
static bool order_list(struct run *run, uint32_t *order, size_t *n)
{
    if (run->input->part)
        return part_list(run, order, n);
    for (size_t b = 0; b < run->blocks; b++)
        order[(*n)++] = (uint32_t)b;
    return true;
}

static bool run_all(struct run *run, int64_t blocks)
{
    int64_t shared;
    if (!shape_find(run, blocks, &shared))
        return false;
    if (!run->threads || !run->blocks)
        return true;
    run->native = native_of(run->ctx, run->kernel, run->input->params);
    if (!run->native || !threads_make(run, shared))
        return false;
    slots_fill(run);
    uint32_t *order = ARENA_ARRAY(run->arena, uint32_t, run->blocks);
    size_t n = 0;
    if (!order_list(run, order, &n))
        return false;
    shuffle(run, order, n);
    for (size_t b = 0; b < n; b++) {
        for (size_t t = 0; t < run->threads; t++)
            run->at[t].lane.is_last = b + 1 == n;
        if (!run_block(run, order[b]))
            return false;
    }
    return true;
}

bool llvm_run(struct ctx *ctx, const struct kernel *kernel, const struct interpret_input *input,
              int64_t blocks)
{
    struct run run = {.ctx = ctx, .arena = arena_new(), .kernel = kernel, .input = input,
                      .random = input->seed * 0x9e3779b97f4a7c15ull + 1};
    bool done = run_all(&run, blocks);
    arena_free(run.arena);
    return done;
}

void llvm_prepare(struct ctx *ctx, const struct kernel *kernel, const union value *params)
{
    bool quiet = ctx->quiet;
    unsigned errors = ctx->errors;
    ctx->quiet = true;
    native_of(ctx, kernel, params);
    ctx->quiet = quiet;
    ctx->errors = errors;
}
