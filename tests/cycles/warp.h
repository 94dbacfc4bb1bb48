#ifndef TESTS_CYCLES_WARP_H
#define TESTS_CYCLES_WARP_H
#include "tests/cycles/code.h"
#include "tests/cycles/cycles.h"
#include "tests/cycles/machine.h"

/* Warps: their threads' values and where they stand. */

/* Threads that go on at instruction `at` until they come to `meets`. */
struct way {
    int at, meets;
    uint32_t lanes;
};

enum { WAYS_MAX = 64, GROUPS_MAX = 8 };
struct warp {
    struct block *block;
    int number;                 /* in its block */
    int n_ways;                 /* 0: it has ended */
    struct way ways[WAYS_MAX];  /* the last one runs */
    uint64_t *values;           /* by register and lane */
    int64_t *ready;             /* by register: from this cycle on its value can be used */
    bool carry[MACHINE_LANES];
    char *local;                /* by lane */
    int64_t next;               /* not before this cycle does it go on */
    bool waits;                 /* at a barrier */
    int64_t arrives;            /* when the asynchronous copies of the open group are there */
    int64_t groups[GROUPS_MAX]; /* the same of the groups before it, the newest first */
};

struct block {
    unsigned at[2];
    int n_warps, n_live, n_waiting;
    struct warp *warps;
    char *shared;
};

/* What all warps of a launch share. */
struct world {
    struct ctx *ctx;
    const struct code *code;
    const struct cycles_launch *launch;
    char *params;
    int shared_bytes;           /* of a block */
};

/* What an instruction asked of memory. */
struct access {
    enum space space;
    uint32_t lanes;
    int bytes;                  /* of one lane */
    uint64_t address[MACHINE_LANES];    /* in SPACE_MEMORY: arrays one behind the other, not where
                                           they lie in this process */
    uint32_t into_lanes;        /* of an asynchronous copy: those that write to shared memory, */
    uint64_t into[MACHINE_LANES];       /* and where; `lanes` read global memory */
};

void warp_start(const struct world *world, struct warp *warp, struct block *block, int number);
/* The instruction that comes next. */
const struct instruction *warp_instruction(const struct world *world, const struct warp *warp);
/* Runs it; a memory operation fills in `access`. False after a diagnostic. */
bool warp_execute(const struct world *world, struct warp *warp, struct access *access);

#endif
