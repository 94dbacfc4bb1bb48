/* A jammed nest run over a small box.

   In: a jam with its shifts, a schedule. Out: does every iteration of the nest run once, and after
   all iterations that it depends on?

   A round of the unrolled outer loops takes as long as all rounds of the innermost loop; rounds
   outside follow each other. The check speaks of the nest's own iterations and distances alone, so
   that it shares nothing with the arcs of copies (spec P-15). */
#include "optimizer/pipeline/jam.h"

struct box {
    const struct jam *jam;
    int64_t extents[MODULO_LOOPS];    /* iterations of the nest by loop */
    int64_t count;
    int64_t *issued;                  /* by iteration and operation: the cycle; -1: not yet */
};

/* Row-major number of an iteration; -1 outside the box. */
static int64_t box_number(const struct box *box, const int64_t *at)
{
    int64_t number = 0;
    for (int k = 0; k < box->jam->nest->n_loops; k++) {
        if (at[k] < 0 || at[k] >= box->extents[k])
            return -1;
        number = number * box->extents[k] + at[k];
    }
    return number;
}

static void box_place(const struct box *box, int64_t number, int64_t *at)
{
    for (int k = box->jam->nest->n_loops - 1; k >= 0; k--) {
        at[k] = number % box->extents[k];
        number /= box->extents[k];
    }
}

/* Cycles of one round of each loop as unrolled; margins leave room for shifted copies. */
static void periods_make(const struct box *box, const struct modulo_schedule *schedule,
                         int64_t *periods)
{
    int inner = box->jam->nest->n_loops - 1;
    int64_t latest = 0, period = schedule->ii;
    for (int o = 0; o < box->jam->nest->n_operations; o++)
        if (box->jam->nest->operations[o].latency > latest)
            latest = box->jam->nest->operations[o].latency;
    periods[inner] = period;
    period = period * box->extents[inner] + schedule->span + latest;
    for (int k = inner - 1; k >= 0; k--) {
        periods[k] = period;
        period *= 4 * box->extents[k];
    }
}

static void iteration_issue(struct box *box, const struct modulo_schedule *schedule,
                            const int64_t *periods, const int64_t *at)
{
    const struct jam *jam = box->jam;
    int n = jam->nest->n_operations, n_loops = jam->nest->n_loops, copy = 0;
    int64_t cycle = 0;
    for (int k = 0; k < n_loops; k++)
        copy = copy * (int)jam->unroll[k] + (int)(at[k] % jam->unroll[k]);
    for (int k = 0; k < n_loops; k++) {
        int64_t shift = k + 1 < n_loops ? jam->shifts[copy][k] : 0;
        cycle += periods[k] * (at[k] / jam->unroll[k] + shift);
    }
    for (int o = 0; o < n; o++)
        box->issued[box_number(box, at) * n + o] = cycle + schedule->times[copy * n + o];
}

static bool iteration_waits(const struct box *box, const int64_t *at)
{
    const struct modulo_graph *nest = box->jam->nest;
    int n = nest->n_operations;
    for (size_t i = 0; i < nest->n_arcs; i++) {
        const struct modulo_arc *arc = &nest->arcs[i];
        int64_t source[MODULO_LOOPS], number = box_number(box, at), from;
        for (int k = 0; k < nest->n_loops; k++)
            source[k] = at[k] - arc->distance[k];
        from = box_number(box, source);
        if (from >= 0 &&
            box->issued[from * n + arc->from] + arc->latency > box->issued[number * n + arc->to])
            return false;
    }
    return true;
}

bool jam_replay(struct arena *arena, const struct jam *jam, const struct modulo_schedule *schedule,
                int64_t rounds)
{
    struct box box = {.jam = jam, .count = 1};
    int64_t periods[MODULO_LOOPS], at[MODULO_LOOPS];
    bool good = true;
    for (int k = 0; k < jam->nest->n_loops; k++) {
        box.extents[k] = rounds * jam->unroll[k];
        box.count *= box.extents[k];
    }
    box.issued = ARENA_ARRAY(arena, int64_t, box.count * jam->nest->n_operations);
    periods_make(&box, schedule, periods);
    for (int64_t i = 0; i < box.count; i++) {
        box_place(&box, i, at);
        iteration_issue(&box, schedule, periods, at);
    }
    for (int64_t i = 0; i < box.count; i++) {
        box_place(&box, i, at);
        good &= iteration_waits(&box, at);
    }
    return good;
}
