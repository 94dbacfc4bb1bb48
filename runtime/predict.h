#ifndef TREEFORK_PREDICT_H
#define TREEFORK_PREDICT_H
/* What the files of the model of predicted time share: predict.c for all devices, turns.c for
   those whose threads run one after the other, resident.c for the blocks that run at once. */
#include "runtime/sectors.h"

struct model {
    const int64_t *machine;
    const struct treefork_figures *figures;
    double warp, lanes;           /* threads of a warp; of them busy on average, all where they run
                                     one after the other (in_turn) */
    double share, second_share;   /* first-level and second-level cache of one block */
    double base;                  /* what all references need there in one round */
    double blocks_most;           /* of the busiest multiprocessor */
    double resident;              /* blocks of a multiprocessor at once */
    int next[TREEFORK_ACCESSES];  /* by access: the next one that is made and has the same leader,
                                     or -1 */
    bool leads[TREEFORK_ACCESSES];          /* the first one that is made of those */
    double first[TREEFORK_ACCESSES];        /* by leader: sectors of one round */
    double waits[TREEFORK_ACCESSES];        /* by phase: cycles */
    bool in_turn;                 /* the threads of a block run one after the other */
    double sums;                  /* then: cycles that the threads of a block wait for their sums */
    double fetched;               /* and for lines of the caches */
    double points;                /* lanes that the points of a thread fill, at least 1 */
    double apart;                 /* times as long as it computes without vectors */
    double device_bytes;          /* of all blocks, from memory */
    double once_cached;           /* the share of cache_bytes that the first-level cache lacks, as
                                     other blocks have fetched the rest */
    double slope;                 /* of the longest threads' work what all do on average */
    /* of one block */
    double memory_bytes, cache_bytes, port_cycles, port_sectors, instructions;
};

/* Rounds of the loops around an access. */
static inline double trips_of(const struct treefork_access *a)
{
    double trips = 1;
    for (int i = 0; i < a->n_loops; i++)
        trips *= greater(1, (double)a->trip[i]);
    return trips;
}

/* Accesses that are made and have this leader. */
static inline double group_count(const struct model *model, size_t leader)
{
    double count = 0;
    for (int i = (int)leader; i >= 0; i = model->next[i])
        count++;
    return count;
}

/* Of a pass through a loop: where the bytes of one round are kept until the next, each of the
   `distinct` sectors is fetched once, else those of a round are fetched again in each. A cache that
   is too small keeps a part. */
static inline double pass_fetched(double round_sectors, double trip, double distinct, double kept)
{
    double again = trip * round_sectors;
    return kept * least(distinct, again) + (1 - kept) * again;
}

static inline double kept_share(double share, double need)
{
    return need <= share ? 1 : share / need;
}

#pragma GCC visibility push(hidden)

/* Blocks that a multiprocessor is expected to hold at once (resident.c): 1 where the machine tells
   no limit, 0 where a block does not fit. ARGUMENT if a number is impossible. */
int treefork_resident(const struct treefork_machine *machine,
                      const struct treefork_figures *figures, int64_t *resident);
/* Do the threads of a block run one after the other, none of them a lane of a vector? */
bool treefork_turns_taken(const int64_t *machine, const struct treefork_figures *figures);
/* Fills in sums, fetched and points of a model whose threads take turns. */
void treefork_turns_sum(struct model *model);
/* Cycles of a block for what the threads compute, one operation after the other but for the points
   that fill lanes. */
double treefork_turns_units(const struct model *model);

#pragma GCC visibility pop
#endif
