/* The data structure of the search: quintuples and their stacks.

   In:  the decisions of Algorithms 1 and 2, one after the other.
   Out: copies that share nothing that is changed later (the paper's deep copy at line 5).
   Invariant: stacks, steps, slots and codes are never changed in place, so that copies share them;
   a strategy is in exactly one of source, lambda and omega; a counter stands at most as often in
   gamma as it was pushed.
   Source: spec C-14, C-15; Chen et al., section 3.6 and Remark 2. */
#include "optimizer/quintuple.h"
#include <assert.h>
#include <string.h>

struct stack stack_push(struct arena *arena, struct stack stack, int item)
{
    int *at = ARENA_ARRAY(arena, int, stack.count + 1);
    for (int i = 0; i < stack.count; i++)
        at[i] = stack.at[i];
    at[stack.count] = item;
    return (struct stack){stack.count + 1, at};
}

int stack_pop(struct stack *stack)
{
    assert(stack->count > 0);
    return stack->at[--stack->count];
}

int stack_at(struct stack stack, int i)
{
    assert(i < stack.count);
    return stack.at[stack.count - 1 - i];
}

bool stack_has(struct stack stack, int item)
{
    for (int i = 0; i < stack.count; i++)
        if (stack.at[i] == item)
            return true;
    return false;
}

struct stack stack_remove(struct arena *arena, struct stack stack, int item)
{
    int *at = ARENA_ARRAY(arena, int, stack.count + 1), kept = 0;
    for (int i = 0; i < stack.count; i++)
        if (stack.at[i] != item)
            at[kept++] = stack.at[i];
    return (struct stack){kept, at};
}

struct quintuple *quintuple_copy(struct arena *arena, const struct quintuple *q)
{
    struct quintuple *copy = ARENA_NEW(arena, struct quintuple);
    *copy = *q;
    return copy;
}

bool quintuple_has(const struct quintuple *q, int strategy)
{
    return stack_has(q->source, strategy) || stack_has(q->lambda, strategy);
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

void quintuple_code(struct arena *arena, struct quintuple *q, const char *code)
{
    const char **codes = ARENA_ARRAY(arena, const char *, q->n_codes + 1);
    for (size_t i = 0; i < q->n_codes; i++)
        codes[i] = q->codes[i];
    codes[q->n_codes++] = code;
    q->codes = codes;
}

struct sas quintuple_system(struct arena *arena, const struct quintuple *q, struct sas initial,
                            bool facts)
{
    struct sas sas = initial;
    for (size_t i = 0; i < q->n_steps; i++)
        if (facts || q->steps[i].kind != STEP_FACT)
            sas = sas_add(arena, sas, q->steps[i].constraint);
    return sas;
}
