/* Runs the body for one grid point: all threads of the block in lockstep at block level, one after
   another in bands.

   A statement of block level that holds no band and no barrier is run by each thread for itself.
   Around bands and barriers the threads move together: each evaluates the condition or bound in its
   own frame, and if two disagree they would not meet at the barrier, which is INTERPRET_DIVERGENCE.
   A barrier begins a new epoch, and so does a block, but not the next grid point of the same block:
   its fills race with what threads still read of the point before. Between barriers the order of
   threads does not matter to a correct kernel; a seed permutes it.

   Serially (run->checked false) a band is a loop over its points in order; where locals live across
   bands there is a frame per thread, and point p uses the frame of the thread that would
   execute it. */
#include "ir/interpret_code.h"
#include <assert.h>
#include <string.h>

static void run_collective(struct interpreter *run, const struct action *s);

/* SplitMix64. */
static uint64_t draw(struct interpreter *run)
{
    uint64_t x = run->random += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static void shuffle(struct interpreter *run)
{
    for (int64_t i = run->n_frames - 1; run->input->seed && i > 0; i--) {
        int64_t k = (int64_t)(draw(run) % (uint64_t)(i + 1)), swapped = run->order[i];
        run->order[i] = run->order[k];
        run->order[k] = swapped;
    }
}

/* The common value of an integer expression; all threads must agree on it (as a truth value
   if `truth`). */
static int64_t agree(struct interpreter *run, const struct action *s, const struct closure *c,
                     bool truth)
{
    int64_t common = 0;
    run->execution++;
    for (int64_t i = 0; i < run->n_frames; i++) {
        int64_t value = c->run(c, &run->threads[i]).integer;
        value = truth ? value != 0 : value;
        if (i && value != common)
            interpret_stop(
                run, INTERPRET_DIVERGENCE,
                "%sthe threads of block %lld part at '%s': thread 0 has %lld, thread %lld has %lld",
                interpret_place(run, s->source->loc), (long long)run->block,
                expr_text(run->arena, c->source), (long long)common, (long long)i,
                (long long)value);
        common = value;
    }
    return common;
}

static void run_alone(struct interpreter *run, const struct action *s)
{
    run->execution++;
    for (int64_t i = 0; i < run->n_frames; i++)
        s->run(s, &run->threads[i]);
}

static void run_point(const struct action *s, struct thread *t, const int64_t *extents,
                      int64_t point)
{
    assert(s->n_axes <= AXES_MAX);
    for (int i = s->n_axes - 1; i >= 0; i--) {
        assert(extents[i] > 0);
        t->values[s->axis_slots[i]] = value_integer(point % extents[i]);
        point /= extents[i];
    }
    interpret_step(t->run);
    s->children[0]->run(s->children[0], t);
}

/* The number of points of a band's box, 0 if an extent is not positive (then nothing is divided by
   the extents). */
static int64_t measure_box(struct interpreter *run, const struct action *s, int64_t *extents)
{
    int64_t points = 1;
    for (int i = 0; i < s->n_axes; i++) {
        int64_t extent = agree(run, s, s->operands[i], false);
        extents[i] = extent > 0 ? extent : 1;
        if (__builtin_mul_overflow(points, extent > 0 ? extent : 0, &points))
            interpret_stop(run, INTERPRET_ARITHMETIC, "%sa band of more than 2^63 points",
                           interpret_place(run, s->source->loc));
    }
    return points;
}

static void run_band(struct interpreter *run, const struct action *s)
{
    int64_t extents[AXES_MAX] = {0};
    int64_t points = measure_box(run, s, extents);
    if (!run->checked) {
        for (int64_t p = 0; p < points; p++)
            run_point(s, &run->threads[p % run->n_frames], extents, p);
        return;
    }
    if (!s->source->strided && points != run->n_threads)
        interpret_stop(run, INTERPRET_DIVERGENCE,
                       "%sa plain band of %lld points is run by %lld threads",
                       interpret_place(run, s->source->loc), (long long)points,
                       (long long)run->n_threads);
    shuffle(run);
    run->execution++;
    for (int64_t i = 0; i < run->n_threads; i++)
        for (int64_t p = run->order[i]; p < points; p += run->n_threads) {
            run->pass = p / run->n_threads;
            run_point(s, &run->threads[run->order[i]], extents, p);
        }
    run->pass = 0;
}

static void run_loop(struct interpreter *run, const struct action *s)
{
    for (int64_t i = 0; i < run->n_frames; i++)
        run->threads[i].values[s->slot] = s->from->run(s->from, &run->threads[i]);
    while (agree(run, s, s->again, true)) {
        interpret_step(run);
        run_collective(run, s->children[0]);
        for (int64_t i = 0; i < run->n_frames; i++) {
            struct thread *t = &run->threads[i];
            uint64_t next = t->values[s->slot].unsigned_ + s->step->run(s->step, t).unsigned_;
            t->values[s->slot] = value_integer(type_wrap(s->source->var->type, (int64_t)next));
        }
    }
}

static void run_barrier(struct interpreter *run)
{
    if (run->epoch == UINT32_MAX)
        interpret_stop(run, INTERPRET_BUDGET, "more than 2^32 barriers");
    run->epoch++;
}

static void run_collective(struct interpreter *run, const struct action *s)
{
    const struct action *branch;
    if (!s->collective) {
        run_alone(run, s);
        return;
    }
    interpret_step(run);
    switch (s->kind) {
    case STMT_SEQUENCE:
        for (int i = 0; i < s->n_children; i++)
            run_collective(run, s->sequence[i]);
        break;
    case STMT_IF:
        branch = s->children[agree(run, s, s->value, true) ? 0 : 1];
        if (branch)
            run_collective(run, branch);
        break;
    case STMT_FOR: run_loop(run, s); break;
    case STMT_BAND: run_band(run, s); break;
    default:
        run_barrier(run);
        if (s->source->waits)
            async_wait(run, s->source->pending);
        break;
    }
}

void block_begin(struct interpreter *run)
{
    run_barrier(run);
    async_new_block(run);
}

void block_run(struct interpreter *run, const struct action *body)
{
    int64_t rest = run->block;
    for (int i = run->kernel->n_grid - 1; i >= 0; i--) {
        run->grid[i] = value_integer(run->grid_begin[i] + rest % run->grid_extents[i]);
        rest /= run->grid_extents[i];
    }
    run->block_ordinal++;
    memset(run->threads[0].defined, 0, (size_t)run->n_slots * (size_t)run->n_frames);
    memory_new_block(run);
    run_collective(run, body);
}

void block_run_last(struct interpreter *run, const struct action *last)
{
    block_begin(run);
    run->is_last = true;
    memset(run->threads[0].defined, 0, (size_t)run->n_slots * (size_t)run->n_frames);
    memory_new_block(run);
    run_collective(run, last);
}
