#ifndef REPLAY_RUN_H
#define REPLAY_RUN_H
#include "replay/memory.h"

/* One side of a trial: a function of one program run in a world. */

enum run_end {
    RUN_GOES,
    RUN_RETURNED,                    /* the function, or the program by exit */
    RUN_UNDEFINED,                   /* C does not say what happens next */
    RUN_UNKNOWN,                     /* the replay does not */
    RUN_LONG                         /* out of steps */
};

/* A call of an unknown function. */
struct event {
    uint64_t term;
    const char *name;
    struct loc loc;
};

typedef VEC(struct event) event_list;

/* A round of a meta_for: what its threads do, as long as they are in no inner one. */
struct strand {
    const struct strand *outer;      /* the round in which that loop runs; NULL: none */
    uint64_t loop;                   /* a run of the loop, each with a number of its own */
    int depth;
};

/* May two of them run at once? NULL is what runs outside of regions. */
bool strands_are_concurrent(const struct strand *a, const struct strand *b);

struct slot {
    struct value value;
    bool is_set;
};

enum { SLOTS_MAX = 1 << 14, CALLS_MAX = 12 };

struct run {
    struct ctx *ctx;
    struct arena *arena;             /* of the trial */
    struct world *world;
    const struct replay_program *program;
    const struct function_code *function;
    int side;                        /* 0: the source, 1: the mapped text */
    enum run_end end;
    const char *reason;              /* of UNDEFINED and UNKNOWN */
    const struct code *at;           /* the code at which the run ended */
    int64_t steps, limit;
    uint64_t draws;                  /* of orders */
    uint64_t loops;                  /* runs of meta_for */
    const struct strand *strand;     /* that runs; NULL: none */
    struct elements *memory;
    struct slot *slots, *frame;      /* SLOTS_MAX; those of the function that runs */
    size_t n_slots, depth;
    size_t n_heap;
    struct object **globals;         /* by number; NULL: not touched yet */
    event_list events;
    unsigned char *marks;            /* by mark: how often it ran, at most UCHAR_MAX */
    struct value result;
    bool has_result;
};

/* Runs the function of the run's program with arguments: one value for each parameter. */
void run_function(struct run *run, const struct function_code *function,
                  const struct value *arguments);
void run_stop(struct run *run, enum run_end end, const char *reason, const struct code *code);
struct object *run_global(struct run *run, int64_t number);
/* A value's end as the run's. */
bool run_check(struct run *run, enum value_end end, const struct code *code);

/* run.c: values */
struct value code_value(struct run *run, const struct code *code);
/* call.c: calls */
struct value call_value(struct run *run, const struct code *code);
/* perform.c: statements */
enum flow { FLOW_NEXT, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN };
enum flow code_perform(struct run *run, const struct code *code);

#endif
