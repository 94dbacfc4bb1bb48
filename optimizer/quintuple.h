#ifndef OPTIMIZER_QUINTUPLE_H
#define OPTIMIZER_QUINTUPLE_H
#include "constraints/sas.h"
#include "optimizer/counter.h"

/* The quintuple Q(S) = (G_C, lambda, omega, gamma, C) of the paper (spec C-14), with the decision codes of its path. */

enum { STRATEGIES_MAX = 32, COUNTERS_MAX = 8, STACK_MAX = 64, CODES_MAX = 64 };

/* A sequence as the paper uses it (spec C-15): popping takes the first element, pushing puts one in front. */
struct stack {
    int count;
    signed char at[STACK_MAX];   /* the first element of the sequence is the last entry */
};

void stack_push(struct stack *stack, int item);
int stack_pop(struct stack *stack);
/* Element `i` of the sequence, 0 = next to be popped. */
int stack_at(const struct stack *stack, int i);
bool stack_has(const struct stack *stack, int item);
void stack_remove(struct stack *stack, int item);

/* One constraint of a path and the decision that brought it. */
enum step_kind {
    STEP_ACCEPT, STEP_REFUSE,    /* of a counter's limit */
    STEP_GUARD,                  /* which piece of a value holds, what a strategy needs, or the negation: part of the case */
    STEP_FACT                    /* follows from the definition of an auxiliary integer: true everywhere */
};

struct step {
    struct constraint constraint;
    enum step_kind kind;
    int counter;
};

struct quintuple {
    uint64_t set;                /* G_C: the strategies applied to the source; the kernel is a function of set and lambda */
    struct stack lambda;         /* strategies applied to the IR */
    struct stack omega;          /* strategies not used yet */
    struct stack gamma;          /* counters still to evaluate */
    size_t n_steps;              /* C, without the initial system */
    const struct step *steps;
    int n_codes;
    const char *codes[CODES_MAX];
    /* Value under which a counter was last accepted; NULL = not accepted (yet, or again). */
    const struct counter_value *accepted[COUNTERS_MAX];
    bool registers_decided;      /* code (1) has been given or lost */
    bool unknown;                /* the solver left a step undecided */
    int depth;                   /* pops so far */
    const struct node **slot;    /* where the subtree of this quintuple hangs */
};

struct quintuple *quintuple_copy(struct arena *arena, const struct quintuple *q);
/* All strategies applied: the source's and lambda's. */
uint64_t quintuple_strategies(const struct quintuple *q);
void quintuple_add(struct arena *arena, struct quintuple *q, struct step step);
/* Drops the accept steps of `counter` (mode retract, spec C-19). */
void quintuple_retract(struct arena *arena, struct quintuple *q, int counter);
void quintuple_code(struct quintuple *q, const char *code);
/* C as a system: the initial one, then the steps; `facts` also the defining bounds of auxiliary integers. */
struct sas quintuple_system(struct arena *arena, const struct quintuple *q, struct sas initial, bool facts);

#endif
