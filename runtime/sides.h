#ifndef TREEFORK_SIDES_H
#define TREEFORK_SIDES_H
/* The two sides of a region where the device is a CPU that works in the host's arrays, its serial
   code and a launch: their times in this process, and which of them runs next. */
#include "runtime/internal.h"

#pragma GCC visibility push(hidden)

enum treefork_side_kind { SIDE_IS_SERIAL, SIDE_IS_LAUNCH, SIDES };

/* One side of a class of sizes. */
struct treefork_side {
    unsigned tries;             /* runs that were to be timed */
    unsigned timed;             /* tries that gave a time */
    double rate;                /* the least time, over the model's time for that run */
    double spent;               /* nanoseconds of all runs on this side, about */
    int kernels;                /* of a launch: 1: they need not be compiled, -1: they have to be,
                                   0: nobody asked */
};

/* A run, as the model has it. */
struct treefork_odds {
    double model[SIDES];        /* nanoseconds */
    double least;               /* of a launch by itself, without its work */
    double compiling;           /* nanoseconds of serial code that pay for a launch's kernel */
    int pick;                   /* the side that runs first */
};

/* The next run. */
struct treefork_turn {
    int side;
    bool is_timed;              /* and waited for, if it is a launch */
    uint64_t repeats;           /* so many later runs may do the same without asking; UINT64_MAX:
                                   all of them */
};

/* Which side runs next? A function of its arguments alone. */
struct treefork_turn treefork_sides_turn(const struct treefork_side *serial,
                                         const struct treefork_side *launch,
                                         const struct treefork_odds *odds);

/* The side of this key, which stays in its place until the process ends; NULL without memory, and
   where there are too many. */
struct treefork_key;
struct treefork_side *treefork_side_of(const struct treefork_key *key);
/* A copy. */
struct treefork_side treefork_side_read(const struct treefork_side *side);
/* A run of the side counts: as one that is to be timed, or by its time, about. */
void treefork_side_try(struct treefork_side *side);
void treefork_side_spend(struct treefork_side *side, double nanoseconds);
void treefork_side_note_kernels(struct treefork_side *side, bool are_kept);
/* Nanoseconds of a run, corrected by the times of others; 0 if none was timed. */
double treefork_side_time(const struct treefork_side *side, double model);

/* A run that is timed. */
struct treefork_timing {
    struct treefork_side *side; /* NULL: none is */
    double model;               /* the model's time for the run */
    double started;
    _Atomic int64_t *account;   /* the time takes the place of `reserved` here; NULL: nowhere */
    int64_t reserved;
};
/* The time is known. */
void treefork_timing_add(const struct treefork_timing *timing, double nanoseconds);
/* The same of launches that were waited for, by the wall and by the processor time of all threads,
   of which the least counts: on a machine that has other work to do launches take longer by the
   wall than all their threads together. `counts`: else the time is spent, and says nothing. */
void treefork_timing_end(const struct treefork_timing *timing, double wall, double spent,
                         bool counts);
/* This thread's serial code begins; it ends with treefork_after_serial. */
void treefork_timing_begin(const struct treefork_timing *timing);
/* The serial code that this thread begins is not timed, nor is the code around it. */
void treefork_timing_drop(void);

#pragma GCC visibility pop
#endif
