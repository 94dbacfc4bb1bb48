#ifndef OPTIMIZER_QUINTUPLE_H
#define OPTIMIZER_QUINTUPLE_H
#include "optimizer/store.h"

/* The quintuple Q(S) = (G_C, lambda, omega, gamma, C) of the paper (spec C-14), with the decision
   codes of its path and with what is asked next on it. */

/* A sequence as the paper uses it (spec C-15): popping takes the first element, pushing puts one in
   front. Immutable. */
struct stack {
    int count;
    const int *at;               /* the first element of the sequence is the last entry */
};

struct stack stack_push(struct arena *arena, struct stack stack, int item);
/* The first element, and the rest in *stack. */
int stack_pop(struct stack *stack);
/* Element `i` of the sequence, 0 = next to be popped. */
int stack_at(struct stack stack, int i);
bool stack_has(struct stack stack, int item);
struct stack stack_remove(struct arena *arena, struct stack stack, int item);

/* One constraint of a path and the decision that brought it. */
enum step_kind {
    STEP_ACCEPT, STEP_REFUSE,    /* of a counter's limit */
    STEP_GUARD,                  /* which piece of a value holds, what a strategy needs, or the
                                    negation: part of the case */
    STEP_FACT                    /* follows from the definition of an auxiliary integer:
                                    true everywhere */
};

struct step {
    struct constraint constraint;
    enum step_kind kind;
    int counter;
};

/* What is asked next on a path. */
enum question_kind {
    ASK_COUNTER,                 /* the next counter of gamma; a leaf if there is none */
    ASK_PIECE,                   /* condition `condition` of the guard of piece `piece`, or that
                                    piece against the limit */
    ASK_TEST,                    /* test `test` of a target */
    ASK_STRATEGY,                /* what betters the counter, which is refused */
    ASK_REQUIREMENT,             /* requirement `requirement` of `strategy`; when all hold it
                                    is applied */
    ASK_RESOURCE                 /* whether the resources from number `resource` on still fit
                                    with `strategy` */
};

struct path_question {
    enum question_kind kind;
    int counter;
    const struct counter_value *value;           /* of the counter, as the store knows it */
    size_t piece, condition, test;
    int strategy, resource;
    size_t requirement, n_requirements;
    const struct requirement *requirements;
};

struct quintuple {
    struct key key;              /* the kernel: the levels of all strategies applied */
    struct stack source, lambda; /* G_C and lambda: strategies applied to the source and to the IR,
                                    the last one in front */
    struct stack omega;          /* strategies not used yet */
    struct stack gamma;          /* counters still to evaluate */
    size_t n_steps;              /* C, without the initial system */
    const struct step *steps;
    struct slots slots;          /* the auxiliary integers in C */
    size_t n_codes;
    const char *const *codes;
    /* Value under which a counter was last accepted; NULL = not accepted (yet, or again). */
    const struct counter_value *accepted[COUNTERS_MAX];
    bool registers_decided;      /* code (1) has been given or lost */
    bool unknown;                /* the solver left a step undecided */
    bool checked;                /* C is known to be consistent, or not to be inconsistent */
    int depth;                   /* pops so far */
    struct path_question next;
};

struct quintuple *quintuple_copy(struct arena *arena, const struct quintuple *q);
bool quintuple_has(const struct quintuple *q, int strategy);
void quintuple_add(struct arena *arena, struct quintuple *q, struct step step);
/* Drops the accept steps of `counter` (mode retract, spec C-19). */
void quintuple_retract(struct arena *arena, struct quintuple *q, int counter);
void quintuple_code(struct arena *arena, struct quintuple *q, const char *code);
/* C as a system: the initial one, then the steps; `facts` also the defining bounds of
   auxiliary integers. */
struct sas quintuple_system(struct arena *arena, const struct quintuple *q, struct sas initial,
                            bool facts);

#endif
