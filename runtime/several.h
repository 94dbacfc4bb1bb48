#ifndef TREEFORK_SEVERAL_H
#define TREEFORK_SEVERAL_H
/* Predicted time on several devices, and how many of them share the launches of a region. */
#include "runtime/cut.h"

#pragma GCC visibility push(hidden)

/* Devices that may share launches. */
struct treefork_several {
    size_t count;
    const struct treefork_machine *machine[TREEFORK_MEMBERS_MAX];  /* each one's own */
    const int64_t *weight;      /* all are taken, with these weights; NULL: as is predicted */
    size_t only;                /* so many are taken, the first ones; 0: as is predicted */
};

/* A launch on several devices. bytes[a][b]: that b gets from a at each run, once the arrays are
   where the launches leave them. */
struct treefork_several_launch {
    const char *reason;         /* it runs on the first device alone; NULL: it is cut */
    bool is_last;               /* along the last axis */
    treefork_int extent;        /* blocks along the axis */
    treefork_int end[TREEFORK_MEMBERS_MAX];     /* as treefork_shares_cut says */
    double bytes[TREEFORK_MEMBERS_MAX][TREEFORK_MEMBERS_MAX];
};

/* The same devices, of which exactly so many share launches; it is written to `result`. */
static inline const struct treefork_several *
treefork_several_only(const struct treefork_several *several, size_t only,
                      struct treefork_several *result)
{
    *result = *several;
    result->only = only;
    return result;
}

/* Nanoseconds of a run of a leaf; `rest`: launches. NO_TIME: none is predicted. */
struct treefork_several_time {
    double nanoseconds, kernels, copies, rest;
};

/* Nanoseconds that each device computes and copies in a run. For the rest it waits. */
struct treefork_several_each {
    double kernels[TREEFORK_MEMBERS_MAX], copies[TREEFORK_MEMBERS_MAX];
};

/* group.c: the members of the device; NULL for a single device. */
const struct treefork_several *treefork_device_several(const struct treefork_device *device);
/* The first `members` of the devices with their weights: given ones, else equal ones for equal
   machines, else one over the time of the leaf on each machine. */
struct treefork_shares treefork_several_shares(struct treefork_evaluation *e,
                                               const struct treefork_several *several,
                                               const struct treefork_leaf_row *leaf,
                                               size_t members);
/* Launch number `launch` of the leaf. */
void treefork_several_launch(struct treefork_evaluation *e, const struct treefork_several *several,
                             const struct treefork_shares *shares,
                             const struct treefork_leaf_row *leaf, size_t launch,
                             struct treefork_several_launch *result);
struct treefork_several_time treefork_several_time(struct treefork_evaluation *e,
                                                   const struct treefork_several *several,
                                                   const struct treefork_leaf_row *leaf,
                                                   size_t members);
/* Adds to *each what the devices do during a run with these shares; false where no time is
   predicted. */
bool treefork_several_each(struct treefork_evaluation *e, const struct treefork_several *several,
                           const struct treefork_leaf_row *leaf,
                           const struct treefork_shares *shares,
                           struct treefork_several_each *each);
/* The number that `only` or weights give, or 0. */
size_t treefork_several_given(const struct treefork_several *several);
/* Of 2, 4, 8, 16 and all devices the number with the least time; 0 without a prediction. */
size_t treefork_several_least(struct treefork_evaluation *e,
                              const struct treefork_several *several,
                              const struct treefork_leaf_row *leaf,
                              struct treefork_several_time *time);
/* How many devices share the launches: the number that is given, else that number if it saves an
   eighth of the time of a single device, and all, where no time is predicted. *time becomes
   theirs. */
size_t treefork_several_choose(struct treefork_evaluation *e,
                               const struct treefork_several *several,
                               const struct treefork_leaf_row *leaf,
                               struct treefork_several_time *time);

#pragma GCC visibility pop
#endif
