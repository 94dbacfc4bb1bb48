#ifndef CLI_TUNE_H
#define CLI_TUNE_H
#include "cli/interval.h"
#include "cli/leaves.h"
#include "cli/ranking.h"

/* The parts of `treefork tune` (docs/tuning.md). */

enum tune_strategy { TUNE_EXHAUSTIVE, TUNE_RANDOM, TUNE_MODEL };

/* What became of a trial, as T4 calls it. */
enum trial_state { TRIAL_CORRECT, TRIAL_WRONG, TRIAL_TIMEOUT, TRIAL_COMPILE, TRIAL_RUNTIME };
const char *trial_state_name(enum trial_state state);

/* One candidate that was measured. */
struct trial {
    const char *function, *region, *set;   /* set: the values of --set */
    int leaf, devices;                     /* devices: 0 on a single one */
    const char *choice;                    /* "s=4,B0=64" */
    enum trial_state state;
    const char *reason;                    /* what went wrong; "" */
    size_t n_samples;
    const double *samples;                 /* ns of the region in a call of the function */
    double median, low, high;              /* of them; low and high: the 95 % interval */
    double runs;                           /* of the region in a call */
    double predicted;                      /* ns of a run, by the model; 0: nothing */
    double framework, validation;          /* ns of the whole trial but the samples, of comparing */
    const char *time;                      /* when it was made, RFC 3339 */
    const char *record;                    /* for treefork_tune_keep; "" */
};
/* "s=4,B0=64,devices=2" */
const char *trial_choice(struct ctx *ctx, const struct trial *trial);
/* Fills in median, low and high. */
void trial_evaluate(struct ctx *ctx, struct trial *trial);

/* Where a region runs, as the generated program tells it. */
struct tune_place {
    const char *parameters;                /* "n=512,s=1" */
    const char *record;
    struct treefork_machine machine;
    double runs;                           /* of the region in a call */
    int leaf;                              /* that the model takes */
    int members;                           /* devices that may share launches */
};

struct tune_space;
struct tune_log;

struct tuning {
    struct verification v;
    enum tune_strategy strategy;
    int64_t trials;                        /* at most, for each region; 0: no limit */
    int64_t runs, patience;
    uint64_t seed;                         /* of the order of random trials */
    bool is_generic, is_fresh, keeps;      /* keeps: results go into the store */
    const struct tune_space *space;        /* NULL: all that fits */
    const struct verify_set *set;          /* the values at hand */
    struct assignments fixed;              /* tunables of --set */
    VEC(struct trial) done;
    VEC(struct tune_log *) logs;           /* of the regions so far */
    size_t tuned, wrong;                   /* regions; trials with a wrong result */
    bool log_has_failed;                   /* which has been said */
    const char *device;                    /* its name; NULL: none was met yet */
    struct own_choice *own;                /* for times of several devices; NULL: not asked yet */
};

/* tune_harness.c: the harness around the generated file: makes the data, calls the function
   several times on the same data and times a region. skip: the function's tunables, which
   NAME_auto does not have; NULL: NAME itself is called. */
const char *tune_harness_text(struct verification *v, int function, const struct datum *data,
                              int n_data, const bool *skip);

/* tune_trial.c */
/* Has the region run as it chooses itself and tells where. False after a diagnostic. */
bool tune_probe(struct tuning *t, struct subject *s, const struct region *region,
                struct tune_place *place);
/* Measures a choice, whose leaf and choice are filled in. False if the tool was asked to stop. */
bool tune_measure(struct tuning *t, struct subject *s, const struct tune_place *place, double slow,
                  struct trial *trial);

/* tune_contest.c: the time of the region's own choice over that of the best, from turns in which
   both run. */
struct contest {
    int turns;                             /* 0: one of them came to no right result any more */
    struct median_interval ratio;
};
/* False if the tool was asked to stop. */
bool tune_contest(struct tuning *t, struct subject *s, const struct tune_place *place,
                  const struct trial *own, const struct trial *best, struct contest *contest);

/* tune_order.c: what is tried, in order; the ranking has all that fits, and its places may move.
   False after a diagnostic. */
struct tune_candidate {
    const struct place *place;
    int devices;                           /* 0 on a single device */
    double nanoseconds;                    /* of a run, by the model; 0: nothing */
    double compared;
};
struct tune_order {
    size_t count;
    struct tune_candidate *at;
};
bool tune_order_make(struct tuning *t, struct ranking *r, size_t region, int members,
                     struct tune_order *order);

/* tune_region.c: all trials of one region. False after a diagnostic. */
bool tune_region(struct tuning *t, struct subject *s, size_t region);

/* tune_log.c: the trials of a region so far, in the cache's folder, so that a run that was stopped
   or killed goes on. NULL if nothing can be kept. */
struct tune_log;
struct tune_log *tune_log_open(struct tuning *t, const char *region,
                               const struct tune_place *place);
/* The trial of this choice that is there; false if there is none. */
bool tune_log_find(const struct tune_log *log, struct trial *trial);
/* Waits until no other tool measures, which tune_log_go lets others do again, or one has measured
   this trial, which is filled in then. */
enum log_turn { LOG_MEASURE, LOG_KNOWN, LOG_STOPPED };
enum log_turn tune_log_wait(struct tuning *t, struct tune_log *log, struct trial *trial);
void tune_log_go(struct tune_log *log);
void tune_log_add(struct tuning *t, const struct tune_log *log, const struct trial *trial);
/* All regions have been tuned, and the document is written: the next time begins anew. */
void tune_log_end(struct tune_log *log);

/* tune_output.c: all trials as one T4 document. False after a diagnostic. */
bool tune_output_write(struct tuning *t, const char *path);

/* tune_space.c: the candidates that a T1 document names. NULL after a diagnostic. */
const struct tune_space *tune_space_read(struct ctx *ctx, const char *path);
/* For struct ranking: are the conditions true that do not name `devices`? */
bool tune_space_admits(void *space, const struct tree *tree, int leaf, const int64_t *point);
/* Are all of them? */
bool tune_space_takes(const struct tune_space *space, const struct tree *tree, int leaf,
                      const int64_t *point, int devices);
/* Puts its values in place of a tunable's candidates. */
void tune_space_values(const struct tune_space *space, struct tried_values *values);
/* How many trials it allows; 0: it says nothing. */
int64_t tune_space_trials(const struct tune_space *space);
/* False after a diagnostic if it names a parameter that no region has. */
bool tune_space_known(const struct tuning *t, const struct tune_space *space);

#endif
