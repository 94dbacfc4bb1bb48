#ifndef TREEFORK_EXPLANATION_H
#define TREEFORK_EXPLANATION_H
/* Why a region takes a leaf, as one value with one text and one JSON object. The library fills it
   from the tables of a generated program (explain.c), `treefork explain` from the case tree; both
   print it here, so that the two say the same. */
#include "runtime/several.h"

#pragma GCC visibility push(hidden)

/* "B <= T_B" at a point: both sides' values, TREEFORK_UNLIMITED where nothing limits. */
struct treefork_explained_condition {
    const char *text;
    int64_t left, right;
    bool left_is_beyond, right_is_beyond;    /* 64 bits do not hold it */
    bool holds;
};

/* One test on the way down the case tree. */
struct treefork_explained_step {
    struct treefork_explained_condition condition;
    const char *counter;                     /* "" if it is not told */
    const char *strategy;                    /* applied on the branch taken; NULL: none */
};

struct treefork_explained_leaf {
    int id;
    bool is_safe, fits;
    struct treefork_explained_condition lack;    /* where it does not fit: what it lacks */
    bool is_timed;                               /* the rest is known; nanoseconds */
    struct treefork_prediction prediction;
    struct treefork_prediction compared;         /* the same with treefork_handicap: what a choice
                                                    by time goes by */
    int64_t threads, block_width, blocks, grid_width;    /* of its first launch */
    double serial;                               /* what its launches compute, as the host's serial
                                                    code, nanoseconds; 0: not known, or a GPU */
    /* By tuning, at these parameters: median and its interval, nanoseconds; 0: not measured. */
    double measured, low, high;
};

struct treefork_explained_value {
    const char *name;
    int64_t value;
    bool is_chosen;                          /* by the region itself */
};

enum treefork_taken_by {
    TREEFORK_TAKEN_BY_CASE,
    TREEFORK_TAKEN_BY_TIME,
    TREEFORK_TAKEN_BY_FORCE,
    TREEFORK_TAKEN_BY_TUNING
};

/* Of several devices: how many share the launches, and how. */
struct treefork_explained_devices {
    size_t count, members;                   /* there are; that share launches, the first ones */
    bool is_given, is_tuned;                 /* the number; else it is chosen by predicted time */
    bool is_joined;                          /* as many as have the arrays */
    const char *reason;                      /* why no launch is cut; NULL: some are */
    size_t n_launches;
    struct treefork_several_launch *launches;   /* of the leaf taken; owned */
    struct treefork_several_time time, one;  /* of the members; of a single device */
    struct treefork_several_each each;       /* of the members, where a time is predicted */
    size_t other;                            /* where a single one is taken: the best larger number;
                                                0: none was compared */
    struct treefork_several_time other_time; /* on so many devices */
};

struct treefork_explanation {
    const char *region, *machine;
    size_t n_values;
    const struct treefork_explained_value *values;   /* integer parameters, in order */
    size_t n_steps;
    const struct treefork_explained_step *steps;
    int leaf;                                /* that is taken */
    int leaf_by_case;                        /* at the end of the path */
    const char *codes;                       /* of that case, "(1)(4a)"; NULL: none */
    enum treefork_taken_by by;
    bool is_in_place;                        /* the host runs the serial code, and no leaf */
    double serial, launch;                   /* nanoseconds of the serial code and of a launch
                                                of the leaf, as measured; 0: not measured */
    size_t n_leaves;
    const struct treefork_explained_leaf *leaves;    /* all, in accept-first order */
    const struct treefork_explained_devices *devices;   /* NULL for a single device */
    int parting;                             /* step from whose other branch the runner-up is
                                                reached, the last of them; -1: none */
};

/* The leaf next to the one taken, in `leaves`; -1 if there is no other. Taken by time: the fastest
   of the others that fit; else the one before it in accept-first order, or the next one if it is
   the first. */
int treefork_explanation_second(const struct treefork_explanation *e);
/* Would a program run the serial code in place of the leaf taken, on a device that has the host's
   memory? Its leaves are filled in. */
bool treefork_explanation_stays(const struct treefork_explanation *e);
/* Lines. `text` grows; its `failed` says that memory ran out. */
void treefork_explanation_text(struct treefork_text *text, const struct treefork_explanation *e);
/* One object on one line, without a line's end. */
void treefork_explanation_json(struct treefork_text *text, const struct treefork_explanation *e);
/* "B = 1024 <= T_B = 512   does not hold". */
void treefork_condition_text(struct treefork_text *text,
                             const struct treefork_explained_condition *c);
/* A JSON string with its quotes. */
void treefork_json_string(struct treefork_text *text, const char *string);

#pragma GCC visibility pop
#endif
