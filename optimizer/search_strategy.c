/* Which strategy is tried for a refused counter, and what it changes on its path.

   In: a path with its question. Out: the first strategy of sigma(c) left in omega that applies and
   does not raise a resource, or that is proved to better the test asked for of a target; which
   resources it may raise; and the path on which it is applied. What is not proved counts as
   worse. */
#include "optimizer/search_path.h"

bool counter_may_worsen(struct search *search, const struct quintuple *q, int c,
                        const struct counter_value *before, const struct counter_value *after)
{
    struct slots slots = q->slots;
    if (before == after)
        return false;
    const struct counter_value *old = value_bind(search->space, before, &slots, 0);
    const struct counter_value *new = value_bind(search->space, after, &slots, 0);
    if (!old || !new)
        return true;
    struct sas system = quintuple_system(search->arena, q, search->space->initial, true);
    if (after->slots.count > 0 && after->n_keys == 0)       /* keys know no auxiliary integers */
        system = sas_join(search->arena, system, slots_facts(search->space, slots));
    return search->space->counters[c].is_resource
               ? counter_may_rise(search->arena, system, old, new)
               : target_may_fall(search->arena, system, old, new);
}

/* Is the strategy proved to better test `test` of a target? */
static bool target_is_bettered(struct search *search, const struct quintuple *q,
                               const struct counter_value *before,
                               const struct counter_value *after, size_t test)
{
    struct slots slots = q->slots;
    const struct counter_value *old = value_bind(search->space, before, &slots, 0);
    const struct counter_value *new = value_bind(search->space, after, &slots, 0);
    struct sas system = quintuple_system(search->arena, q, search->space->initial, true);
    return old && new && target_betters(search->arena, system, old, new, test);
}

/* May a fifth of the resource be spared? */
static bool resource_may_gain(struct search *search, const struct quintuple *q,
                              const struct counter_value *before,
                              const struct counter_value *after)
{
    struct slots slots = q->slots;
    const struct counter_value *old = value_bind(search->space, before, &slots, 0);
    const struct counter_value *new = value_bind(search->space, after, &slots, 0);
    if (!old || !new || old->count != 1 || new->count != 1)
        return false;
    struct sas system = quintuple_system(search->arena, q, search->space->initial, true);
    struct constraint less = constraint_make(poly_scale(new->pieces[0].numerator, 5, 1),
                                             RELATION_LE,
                                             poly_scale(old->pieces[0].numerator, 4, 1));
    return sas_implies(system, constraint_negate(less)) != 1;
}

const struct counter_value *value_with(struct search *search, const struct quintuple *q,
                                       int strategy, int counter)
{
    return store_value(search->store, key_with(q->key, &search->space->strategies[strategy]),
                       counter);
}

int strategy_last(const struct search_space *space, const struct quintuple *q, int c)
{
    if (!space->counters[c].is_resource)
        return -1;
    for (int i = 0; i < space->n_strategies; i++)
        if (space->strategies[i].is_final && stack_has(q->omega, i))
            return i;
    return -1;
}

int resource_that_rises(struct search *search, const struct quintuple *q, int strategy, int from,
                        const struct counter_value **after)
{
    const struct search_space *space = search->space;
    for (int i = from; i < space->n_counters; i++) {
        if (!space->counters[i].is_resource)
            continue;
        const struct counter_value *before = store_value(search->store, q->key, i);
        *after = value_with(search, q, strategy, i);
        if (before && *after && !counter_may_worsen(search, q, i, before, *after))
            continue;
        if (*after && (*after)->count != 1)
            *after = NULL;
        return i;
    }
    *after = NULL;
    return space->n_counters;
}

/* Can what the strategy may raise be tested? */
static bool resources_testable(struct search *search, const struct quintuple *q, int strategy)
{
    const struct counter_value *after;
    for (int i = 0;; i++) {
        i = resource_that_rises(search, q, strategy, i, &after);
        if (i >= search->space->n_counters)
            return true;
        if (!after)
            return false;
    }
}

int strategy_search(struct search *search, const struct quintuple *q)
{
    const struct search_space *space = search->space;
    const struct path_question *ask = &q->next;
    const struct search_counter *counter = &space->counters[ask->counter];
    if (space->max_accepted && search->accepted >= space->max_accepted)
        return strategy_last(space, q, ask->counter);
    for (int i = 0; i < counter->n_sigma; i++) {
        int strategy = counter->sigma[i];
        if (!stack_has(q->omega, strategy) || !store_applies(search->store, q->key, strategy))
            continue;
        const struct counter_value *after = value_with(search, q, strategy, ask->counter);
        if (!after)
            continue;
        if (counter->is_resource && space->strategies[strategy].must_gain &&
            !resource_may_gain(search, q, ask->value, after))
            continue;
        if (counter->is_resource && !counter_may_worsen(search, q, ask->counter, ask->value, after))
            return strategy;
        if (!counter->is_resource && target_is_bettered(search, q, ask->value, after, ask->test) &&
            resources_testable(search, q, strategy))
            return strategy;
    }
    return -1;
}

bool strategy_left(const struct search *search, const struct quintuple *q, int c)
{
    const struct search_counter *counter = &search->space->counters[c];
    for (int i = 0; i < counter->n_sigma; i++)
        if (stack_has(q->omega, counter->sigma[i]) &&
            store_applies(search->store, q->key, counter->sigma[i]))
            return true;
    return false;
}

/* After a sole strategy only those of the sweep and of last resort can follow, what takes all tiles
   or their second buffers away (devices with little shared memory, and CPUs, are left with its
   points alone), and a plan for several devices, which changes no kernel. */
static void omega_narrow(struct search *search, struct quintuple *q)
{
    for (int i = 0; i < search->space->n_strategies; i++) {
        const struct strategy *row = &search->space->strategies[i];
        if (row->sweep == SWEEP_NO && !row->is_final && row->family != FAMILY_DROP_ALL &&
            row->family != FAMILY_DROP_STAGES && row->family != FAMILY_PARTITION)
            q->omega = stack_remove(search->arena, q->omega, i);
    }
}

void strategy_move(struct search *search, struct quintuple *q, int strategy)
{
    const struct strategy *row = &search->space->strategies[strategy];
    q->omega = stack_remove(search->arena, q->omega, strategy);
    if (row->is_sole)
        omega_narrow(search, q);
    if (row->on_ir)
        q->lambda = stack_push(search->arena, q->lambda, strategy);
    else
        q->source = stack_push(search->arena, q->source, strategy);
    q->key = key_with(q->key, row);
    quintuple_code(search->arena, q, row->code);
    q->registers_decided |= row->is_final;
}

static void counter_evaluate_again(struct search *search, struct quintuple *q, int c)
{
    if (!search->space->repeat_gamma)
        q->gamma = stack_remove(search->arena, q->gamma, c);
    q->gamma = stack_push(search->arena, q->gamma, c);
    q->accepted[c] = NULL;
    if (search->space->mode == TREE_RETRACT) {
        quintuple_retract(search->arena, q, c);
        q->checked = false;
    }
}

bool strategy_apply(struct search *search, struct quintuple *q, int c, int strategy)
{
    const struct search_space *space = search->space;
    const struct quintuple *before = quintuple_copy(search->arena, q);
    bool is_plan = space->strategies[strategy].family == FAMILY_PARTITION;  /* of equal kernels */
    strategy_move(search, q, strategy);
    for (int i = 0; i < space->n_counters; i++) {
        bool again = i == c;
        if (!is_plan && space->counters[i].is_resource &&
            (i < c || !space->counters[c].is_resource))
            again = true;
        if (!again && q->accepted[i]) {
            const struct counter_value *after = store_value(search->store, q->key, i);
            if (!after)
                return false;
            again = counter_may_worsen(search, before, i, q->accepted[i], after);
        }
        if (again)
            counter_evaluate_again(search, q, i);
    }
    return true;
}
