/* The data structure of the search: quintuples and their stacks.

   In:  the decisions of Algorithms 1 and 2, one after the other.
   Out: copies that share nothing that is changed later (the paper's deep copy at line 5).
   Invariant: `steps` is never changed in place, so that copies may share it; a strategy is in exactly one of set,
   lambda and omega; a counter stands at most as often in gamma as it was pushed.
   Source: spec C-14, C-15; Chen et al., section 3.6 and Remark 2. */
#include "optimizer/quintuple.h"
#include <assert.h>
#include <string.h>

void stack_push(struct stack *stack, int item)
{
    assert(stack->count < STACK_MAX);
    stack->at[stack->count++] = (signed char)item;
}

int stack_pop(struct stack *stack)
{
    assert(stack->count > 0);
    return stack->at[--stack->count];
}

int stack_at(const struct stack *stack, int i)
{
    assert(i < stack->count);
    return stack->at[stack->count - 1 - i];
}

bool stack_has(const struct stack *stack, int item)
{
    for (int i = 0; i < stack->count; i++)
        if (stack->at[i] == item)
            return true;
    return false;
}

void stack_remove(struct stack *stack, int item)
{
    int kept = 0;
    for (int i = 0; i < stack->count; i++)
        if (stack->at[i] != item)
            stack->at[kept++] = stack->at[i];
    stack->count = kept;
}

struct quintuple *quintuple_copy(struct arena *arena, const struct quintuple *q)
{
    struct quintuple *copy = ARENA_NEW(arena, struct quintuple);
    *copy = *q;
    return copy;
}

uint64_t quintuple_strategies(const struct quintuple *q)
{
    uint64_t set = q->set;
    for (int i = 0; i < q->lambda.count; i++)
        set |= (uint64_t)1 << q->lambda.at[i];
    return set;
}

void quintuple_add(struct arena *arena, struct quintuple *q, struct step step)
{
    struct step *steps = ARENA_ARRAY(arena, struct step, q->n_steps + 1);
    if (q->n_steps)
        memcpy(steps, q->steps, q->n_steps * sizeof *steps);
    steps[q->n_steps] = step;
    q->steps = steps;
    q->n_steps++;
}

void quintuple_retract(struct arena *arena, struct quintuple *q, int counter)
{
    struct step *steps = ARENA_ARRAY(arena, struct step, q->n_steps + 1);
    size_t kept = 0;
    for (size_t i = 0; i < q->n_steps; i++)
        if (q->steps[i].kind != STEP_ACCEPT || q->steps[i].counter != counter)
            steps[kept++] = q->steps[i];
    q->steps = steps;
    q->n_steps = kept;
}

void quintuple_code(struct quintuple *q, const char *code)
{
    assert(q->n_codes < CODES_MAX);
    q->codes[q->n_codes++] = code;
}

struct sas quintuple_system(struct arena *arena, const struct quintuple *q, struct sas initial, bool facts)
{
    struct sas sas = initial;
    for (size_t i = 0; i < q->n_steps; i++)
        if (facts || q->steps[i].kind != STEP_FACT)
            sas = sas_add(arena, sas, q->steps[i].constraint);
    return sas;
}
