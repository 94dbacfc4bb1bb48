#ifndef REPLAY_TRIAL_H
#define REPLAY_TRIAL_H
#include "replay/run.h"

/* One trial: a function of the source and its twin of the mapped text run in one world. */

/* Memory that all trials of a function share. */
struct trial_room {
    struct ctx *ctx;
    struct arena *arena;             /* of the function's trials */
    const struct replay_program *programs[2];
    struct elements memories[2];
    struct slot *slots;
    unsigned char *marks[2];         /* by mark of the program */
};

struct trial {
    struct trial_room *room;
    struct arena *arena;             /* of this trial alone */
    struct world world;
    struct run runs[2];
    const struct function_code *functions[2];
    struct value *arguments;         /* by parameter */
};

/* The difference of two runs. */
struct trial_difference {
    const char *what;                /* "`y[0]`"; NULL: nothing */
    struct loc loc;                  /* the source's statement, if known */
    int64_t step;
    long cells;                      /* number of compared elements */
};

/* Trials from this one on have sizes beyond the longest step of the mapped text's loops. */
enum { TRIALS_FEW = 40 };
/* Runs the source's side of trial `number`, at most `limit` steps. */
void trial_begin(struct trial *trial, struct trial_room *room,
                 const struct function_code *const functions[2], int number, bool is_shrunk,
                 int64_t limit);
/* Runs the mapped text's side. */
void trial_follow(struct trial *trial, int64_t limit);
void trial_end(struct trial *trial);
/* compare.c: of two runs that returned. */
struct trial_difference trial_compare(struct trial *trial);
/* "with n = 3 and m = 2"; "" where there is no size. */
const char *trial_sizes(struct arena *arena, const struct trial *trial);

#endif
