#ifndef TREEFORK_REPEAT_H
#define TREEFORK_REPEAT_H
/* A run of a region that is the same as one before on its device, but for integers that decide
   nothing: what was evaluated, chosen and planned then. The device's mutex is held in all of
   these. */
#include "runtime/cut.h"
#include "runtime/explain.h"

#pragma GCC visibility push(hidden)

struct treefork_repeat {
    uint64_t region;                    /* its number in this process */
    uint64_t generation;                /* treefork_choice_generation before it chose */
    int automatic;
    bool is_plain;                      /* launched, and not shared by members */
    bool is_in_place;                   /* nothing was launched */
    bool is_away;                       /* launched only because the device had newer bytes: no
                                           answer for arrays that the host has */
    bool waits;                         /* even where launches are in flight */
    uint64_t left;                      /* repetitions that are still allowed */
    uint64_t settled;                   /* of these the last count of repetitions left so many */
    struct treefork_side *side;         /* repetitions are runs of it, unless NULL */
    double price;                       /* nanoseconds of each, about */
    bool is_free;                       /* no integer that loops of the host change decides */
    unsigned history;                   /* 1: the serial code of a region had run; 2: TREEFORK_HOST
                                           was set; or both */
    struct treefork_run run;            /* for explanations; its integers are these: */
    treefork_int *integers;             /* those that the region chose included */
    treefork_int *given;                /* before it chose */
    const struct treefork_leaf_row *leaf;
    struct treefork_launch *plans;      /* by launch; arguments and bindings are those of the run */
    struct treefork_binding *bindings;
    size_t n_bindings;
    struct treefork_evaluation evaluation;      /* on a device with members, for their parts */
    struct treefork_shares shares;      /* on such a device: of the launches */
    size_t reach;                       /* so many members had the arrays, or 0 */
    size_t *bytes;                      /* by array */
    unsigned *access;
};

/* The remembered run with these arguments; NULL if there is none. Integers that decide nothing are
   taken over. */
struct treefork_repeat *treefork_repeat_find(struct treefork_device *device,
                                             const struct treefork_region *region,
                                             const struct treefork_argument *arguments,
                                             int automatic, unsigned history);
/* Room to be filled in, which takes the place of what was remembered there; NULL without memory. */
struct treefork_repeat *treefork_repeat_new(struct treefork_device *device,
                                            const struct treefork_region *region,
                                            const struct treefork_leaf_row *leaf);
struct execution;
/* Launches as the remembered run did. */
int treefork_repeat_launch(struct execution *x, const struct treefork_repeat *r);
/* The same by members, which share its launches (repeat_parts.c). */
int treefork_repeat_share(struct execution *x, struct treefork_repeat *r);
/* Have more members the arrays than when the number of members was chosen? */
bool treefork_repeat_moves(const struct execution *x, const struct treefork_repeat *r);
bool treefork_argument_is_unsigned(const struct treefork_argument *argument);
treefork_int treefork_argument_integer(const struct treefork_argument *argument);

#pragma GCC visibility pop
#endif
