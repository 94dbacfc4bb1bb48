#ifndef TREEFORK_SECTORS_H
#define TREEFORK_SECTORS_H
/* Sectors that accesses touch, for the model of predicted time (predict.c): of a warp's access lane
   by lane, of what a block touches by the closed form of spec H-23. */
#include "runtime/internal.h"

enum {
#define X(symbol, value, meaning, source) symbol = value,
#include "runtime/model.def"
#undef X
    LANES = 64                    /* threads of a warp at most */
};

/* Numbers: generated programs link without libm. */
static inline double least(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

/* Does the device run the threads of a block one after the other, several at once as lanes of a
   vector? Then it is a CPU. */
static inline bool has_vectors(const int64_t *machine)
{
    return machine[TREEFORK_V_L] > machine[TREEFORK_W_B];
}

/* floor of a number >= 0. */
static inline double round_down(double a)
{
    return a < 9e15 ? (double)(int64_t)a : a;
}

static inline double round_up(double a)
{
    double down = round_down(a);
    return down < a ? down + 1 : down;
}

static inline const struct treefork_access *access_at(const struct treefork_figures *f,
                                                     size_t number)
{
    return &f->accesses[f->order ? f->order[4 * number] : number];
}

static inline int leader_of(const struct treefork_figures *f, size_t number)
{
    return f->order ? f->order[4 * number + 1] : f->accesses[number].leader;
}

static inline int phase_of(const struct treefork_figures *f, size_t number)
{
    return f->order ? f->order[4 * number + 2] : f->accesses[number].phase;
}

static inline int64_t distance_of(const struct treefork_figures *f, size_t number)
{
    return f->order ? f->values[f->order[4 * number + 3]] : f->accesses[number].distance;
}

static inline double points_of(const struct treefork_access *a, double threads)
{
    double points = 1;
    for (int i = 0; i < a->n_axes; i++)
        points *= (double)(a->extent[i] > 0 ? a->extent[i] : 0);
    return a->n_axes ? points : threads;
}

#pragma GCC visibility push(hidden)

/* Sectors that all accesses of a leader touch together in one round of their `inner` innermost
   loops; next[i]: the next access with the leader of i, or -1. */
double treefork_sectors_group(const struct treefork_figures *figures, const int *next,
                              size_t leader, int inner);
/* One access of a warp with so many lanes: sectors (of shared memory words) and cycles of the
   port, kept for the next kernel that makes the access. */
struct treefork_warp treefork_sectors_warp(const struct treefork_figures *figures,
                                           const struct treefork_access *access, int lanes);

#pragma GCC visibility pop
#endif
