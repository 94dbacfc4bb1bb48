/* The comprehensive search: Algorithm 1 (comprehensive_optimization) and Algorithm 2 (optimize) as
   one loop.

   In: a space (counters with limits and sigma, strategies, an initial system) and a store. Out:
   what the search came to, in its order: forks, leaves (the processed quintuples, accept first),
   rests where nothing was left to try. The loop owns the solver and a stack of quintuples. It takes
   one, asks whether any point comes there, and lets search_step go on with its question until there
   is a leaf or a fork; of a fork the refuse side waits on the stack below the accept side. A
   quintuple on the stack is never changed: search_step works on a copy. Invariants: no quintuple
   with an inconsistent system is ever a leaf; a path has at most search_height_bound() pops
   (asserted); in mode keep the leaves' systems are disjoint; UNKNOWN keeps a branch. Repairs of
   spec C-19 against the printed algorithms: line 30 is done on every path, at once (eager
   consistency); gamma holds a counter once; a rewrite is passed over when its counter may rise;
   accepted counters whose value may have risen are evaluated again; mode retract drops the accept
   constraints of what is evaluated again; a performance counter is a target: accept P <= v, refuse
   v < P, the best effort stays, and what is done for a target raises no resource, so that no leaf
   is lost by it. A strategy may require something of the parameters: then the refuse branch forks
   on it, and where it does not hold the rest of sigma is tried. Where a path has no variable left
   for an auxiliary integer, a resource goes to the strategy of last resort and a target stays as
   it is.
   Source: Chen et al., Algorithms 1 and 2; line numbers below are those of spec C-17. */
#include "base/progress.h"
#include "optimizer/search_path.h"
#include <assert.h>

enum { ROOM = 12 };                       /* slots of a path that targets leave to the resources */

/* What a step came to. */
enum outcome_kind {
    OUTCOME_ASKED,                        /* another question: the step goes on */
    OUTCOME_FORK,
    OUTCOME_LEAF,
    OUTCOME_REST,
    OUTCOME_FAILED                        /* after a diagnostic */
};

struct outcome {
    enum outcome_kind kind;
    /* of a fork */
    struct constraint test;
    const struct counter_test *part;
    const char *counter, *condition, *proposed;
    struct quintuple *accept, *refuse;
};

int search_height_bound(const struct search_space *space)
{
    int resources = 0, targets = 0, strategies = space->n_strategies;
    for (int i = 0; i < space->n_counters; i++) {
        if (space->counters[i].is_resource)
            resources++;
        else
            targets++;
    }
    if (targets == 0)
        return resources + strategies * resources;
    return resources + targets + strategies * (resources + targets + 1);
}

/* --- one step --------------------------------------------------------------------------------- */

/* A fork of q on a test: copies that know which side they are on. */
static struct outcome fork_make(struct search *search, const struct quintuple *q, int c,
                                struct constraint test, enum step_kind accept,
                                enum step_kind refuse)
{
    struct outcome fork = {.kind = OUTCOME_FORK,
                           .test = test,
                           .counter = search->space->counters[c].name,
                           .accept = quintuple_copy(search->arena, q),
                           .refuse = quintuple_copy(search->arena, q)};
    quintuple_step(search, fork.accept, (struct step){test, accept, c});
    quintuple_step(search, fork.refuse, (struct step){constraint_negate(test), refuse, c});
    return fork;
}

static struct outcome asked(void)
{
    return (struct outcome){.kind = OUTCOME_ASKED};
}

static struct outcome failed(void)
{
    return (struct outcome){.kind = OUTCOME_FAILED};
}

/* A target stands as it is, met or not. */
static struct outcome target_accept(struct search *search, struct quintuple *q)
{
    q->accepted[q->next.counter] = q->next.value;
    search->accepted++;
    q->next = (struct path_question){.kind = ASK_COUNTER};
    return asked();
}

/* After test `test` of a target: the next one, or accepted. */
static struct outcome target_next(struct search *search, struct quintuple *q)
{
    const struct counter_goal *goal = q->next.value->goal;
    if (!goal || q->next.test + 1 >= goal->count)
        return target_accept(search, q);
    q->next.test++;
    q->next.kind = ASK_TEST;
    return asked();
}

/* The test of a target stands, met or missed; the question of what follows is one of its own. */
static struct path_question question_after_test(const struct quintuple *q)
{
    struct path_question next = q->next;
    const struct counter_goal *goal = next.value->goal;
    next.kind = ASK_TEST;
    next.test++;
    if (!goal || next.test >= goal->count)
        next.test = SIZE_MAX;
    return next;
}

/* Where a path has no room for a value: a resource needs the code of last resort, a
   target stays. */
static struct outcome no_room(struct search *search, struct quintuple *q)
{
    int c = q->next.counter, strategy = strategy_last(search->space, q, c);
    if (!search->space->counters[c].is_resource)
        return target_accept(search, q);
    if (strategy < 0)
        return (struct outcome){.kind = OUTCOME_REST};
    q->next.kind = ASK_REQUIREMENT;
    q->next.strategy = strategy;
    q->next.requirement = q->next.n_requirements = 0;
    return asked();
}

/* Was the counter refused on the path? */
static bool counter_was_refused(const struct quintuple *q, int c)
{
    bool refused = false;
    for (size_t i = 0; i < q->n_steps; i++)
        refused |= q->steps[i].kind == STEP_REFUSE && q->steps[i].counter == c;
    return refused;
}

/* May any counter be worse after the strategy? Then *may_ask stays true if such counters are all
   resources that can be tested, none of which was refused on the path. False after a diagnostic. */
static bool strategy_worsens(struct search *search, const struct quintuple *q, int strategy,
                             bool *worsens, bool *may_ask)
{
    const struct search_space *space = search->space;
    *worsens = false;
    for (int c = 0; c < space->n_counters && (!*worsens || *may_ask); c++) {
        const struct counter_value *before = store_value(search->store, q->key, c);
        const struct counter_value *after = value_with(search, q, strategy, c);
        if (!before || !after)
            return false;
        if (!counter_may_worsen(search, q, c, before, after))
            continue;
        *worsens = true;
        *may_ask = *may_ask && space->counters[c].is_resource && after->count == 1 &&
                   !counter_was_refused(q, c);
    }
    return true;
}

/* Leftover strategies of the sweep at a processed leaf; skipped where a counter may be worse,
   except in golden runs. Where a strategy may ask, the leaf forks on what it raises; not with
   tiles, which hold near enough what would be kept. */
static struct outcome leaf_sweep(struct search *search, struct quintuple *q)
{
    const struct search_space *space = search->space;
    for (int i = 0; i < space->n_strategies; i++)
        if (space->strategies[i].is_final && quintuple_has(q, i))
            return (struct outcome){.kind = OUTCOME_LEAF};
    for (int i = 0; i < space->n_strategies; i++) {
        const struct strategy *row = &space->strategies[i];
        if (row->sweep == SWEEP_NO || !stack_has(q->omega, i) ||
            !store_applies(search->store, q->key, i))
            continue;
        bool worsens = false,
             may_ask = row->sweep == SWEEP_ASKED && !store_is_staged(search->store, q->key);
        if (!space->sweep_always && !strategy_worsens(search, q, i, &worsens, &may_ask))
            return failed();
        if (worsens && may_ask) {
            q->next = (struct path_question){.kind = ASK_RESOURCE, .strategy = i};
            return asked();
        }
        if (!worsens)
            strategy_move(search, q, i);
    }
    return (struct outcome){.kind = OUTCOME_LEAF};
}

/* Algorithm 2, lines 1 to 4: the next counter is evaluated. */
static struct outcome ask_counter(struct search *search, struct quintuple *q)
{
    const struct search_space *space = search->space;
    if (q->gamma.count == 0)
        return leaf_sweep(search, q);
    int c = stack_pop(&q->gamma);
    const struct search_counter *counter = &space->counters[c];
    q->depth++;
    assert(space->repeat_gamma || q->depth <= search_height_bound(space));
    if (q->depth > search->result.depth)
        search->result.depth = q->depth;
    const struct counter_value *value = store_value(search->store, q->key, c);
    if (!value || (value->count == 0 && counter->is_resource))
        return failed();
    q->next = (struct path_question){.kind = value->goal ? ASK_TEST : ASK_PIECE,
                                     .counter = c,
                                     .value = value};
    if (!counter->is_resource && (target_is_met(value) || !strategy_left(search, q, c)))
        return target_accept(search, q);
    struct slots slots = q->slots;
    if (!value_bind(space, value, &slots, counter->is_resource ? 0 : ROOM))
        return no_room(search, q);
    slots_take(search, q, slots, c);
    return asked();
}

/* Lines 5 to 7 and 17 to 20: the limit splits the path. */
static struct outcome ask_limit(struct search *search, struct quintuple *q,
                                const struct counter_value *here)
{
    int c = q->next.counter;
    const struct search_counter *counter = &search->space->counters[c];
    struct constraint holds = counter_accept(&here->pieces[q->next.piece], counter->limit, true);
    struct outcome fork = fork_make(search, q, c, holds, STEP_ACCEPT, STEP_REFUSE);
    fork.accept->accepted[c] = q->next.value;
    fork.accept->next = (struct path_question){.kind = ASK_COUNTER};
    if (counter->codes_registers && !fork.accept->registers_decided) {
        fork.accept->registers_decided = true;
        quintuple_code(search->arena, fork.accept, "1");
    }
    if (counter->codes_staging && store_is_staged(search->store, q->key)) {
        quintuple_code(search->arena, fork.accept, "4a");
        quintuple_code(search->arena, fork.accept, "3a");
    }
    fork.refuse->next.kind = ASK_STRATEGY;
    return fork;
}

/* The pieces of a value: each condition of a guard is a test of its own, the last piece is
   the rest. */
static struct outcome ask_piece(struct search *search, struct quintuple *q)
{
    const struct counter_value *here = value_here(search, q, q->next.value);
    const struct counter_piece *piece = &here->pieces[q->next.piece];
    bool is_last = q->next.piece + 1 == here->count;
    if (!is_last && q->next.condition < piece->guard.count) {
        struct constraint guard = piece->guard.at[q->next.condition];
        struct outcome fork = fork_make(search, q, q->next.counter, guard, STEP_GUARD, STEP_GUARD);
        fork.accept->next.condition++;
        fork.refuse->next.piece++;
        fork.refuse->next.condition = 0;
        return fork;
    }
    if (search->space->counters[q->next.counter].is_resource)
        return ask_limit(search, q, here);
    q->next.kind = ASK_TEST;
    q->next.test = q->next.piece;
    return asked();
}

/* Lines 17 to 29 for a target. Where nothing left in sigma betters the test, or it always holds,
   there is no fork: whatever the point, this code is the best effort. */
static struct outcome ask_test(struct search *search, struct quintuple *q)
{
    int c = q->next.counter;
    if (q->next.test == SIZE_MAX)
        return target_accept(search, q);
    const struct counter_value *here = value_here(search, q, q->next.value);
    const struct poly *limit = search->space->counters[c].limit;
    struct constraint holds = here->goal
                                  ? here->goal->tests[q->next.test].accept
                                  : counter_accept(&here->pieces[q->next.test], limit, false);
    struct outcome fork = fork_make(search, q, c, holds, STEP_ACCEPT, STEP_REFUSE);
    int strategy = quintuple_is_empty(search, fork.refuse) ? -1
                                                           : strategy_search(search, fork.refuse);
    if (strategy < 0)
        return target_next(search, q);
    fork.part = here->goal ? &here->goal->tests[q->next.test] : NULL;
    fork.accept->next = question_after_test(q);
    fork.refuse->next.kind = ASK_REQUIREMENT;
    fork.refuse->next.strategy = strategy;
    fork.refuse->next.n_requirements = store_requirements(search->store, fork.refuse->key, strategy,
                                                          &fork.refuse->next.requirements);
    return fork;
}

/* Lines 7 to 16 and 20 to 29: what betters the refused counter. */
static struct outcome ask_strategy(struct search *search, struct quintuple *q)
{
    int strategy = strategy_search(search, q);
    bool is_resource = search->space->counters[q->next.counter].is_resource;
    if (strategy < 0 && is_resource)
        return (struct outcome){.kind = OUTCOME_REST};
    if (strategy < 0)
        return target_next(search, q);
    q->next.kind = ASK_REQUIREMENT;
    q->next.strategy = strategy;
    q->next.requirement = 0;
    q->next.n_requirements = store_requirements(search->store, q->key, strategy,
                                                &q->next.requirements);
    return asked();
}

/* The strategy is given up on this path, and the rest of sigma is tried. */
static void strategy_pass_over(struct search *search, struct quintuple *q)
{
    q->omega = stack_remove(search->arena, q->omega, q->next.strategy);
    q->next.kind = ASK_STRATEGY;
}

/* What the strategy requires: where all of it holds it is applied, elsewhere the rest of sigma
   is tried. */
static struct outcome ask_requirement(struct search *search, struct quintuple *q)
{
    const struct search_space *space = search->space;
    int c = q->next.counter;
    if (q->next.requirement < q->next.n_requirements) {
        const struct requirement *requirement = &q->next.requirements[q->next.requirement];
        struct slots slots = q->slots;
        int at[RING_CAPACITY];
        if (!slots_join(space, &slots, requirement->slots, 0, at)) {
            strategy_pass_over(search, q);
            return asked();
        }
        slots_take(search, q, slots, c);
        struct constraint holds = constraint_rename(space->ring, requirement->holds, at);
        struct outcome fork = fork_make(search, q, c, holds, STEP_GUARD, STEP_GUARD);
        fork.condition = space->strategies[q->next.strategy].name;
        fork.accept->next.requirement++;
        strategy_pass_over(search, fork.refuse);
        return fork;
    }
    if (!space->counters[c].is_resource) {
        q->next.kind = ASK_RESOURCE;
        q->next.resource = 0;
        return asked();
    }
    if (!strategy_apply(search, q, c, q->next.strategy))
        return failed();
    q->next = (struct path_question){.kind = ASK_COUNTER};
    return asked();
}

/* Without the strategy: the question behind a target's test, or what is left of the sweep. */
static void resource_refused(struct search *search, struct quintuple *q)
{
    if (q->next.value) {
        q->next = question_after_test(q);
        return;
    }
    q->omega = stack_remove(search->arena, q->omega, q->next.strategy);
    q->next = (struct path_question){.kind = ASK_COUNTER};
}

/* A strategy for a target, or one that is asked for at a leaf, is applied where all resources that
   it may raise still fit, elsewhere the code stays as it is. */
static struct outcome ask_resource(struct search *search, struct quintuple *q)
{
    const struct search_space *space = search->space;
    const struct counter_value *after;
    int resource = resource_that_rises(search, q, q->next.strategy, q->next.resource, &after);
    if (resource >= space->n_counters) {
        if (!strategy_apply(search, q, q->next.counter, q->next.strategy))
            return failed();
        q->next = (struct path_question){.kind = ASK_COUNTER};
        return asked();
    }
    if (!after)
        return failed();
    struct slots slots = q->slots;
    const struct counter_value *here = value_bind(space, after, &slots, 0);
    if (!here) {
        resource_refused(search, q);
        return asked();
    }
    slots_take(search, q, slots, q->next.counter);
    struct constraint fits = counter_accept(&here->pieces[0], space->counters[resource].limit,
                                            true);
    struct outcome fork = fork_make(search, q, q->next.counter, fits, STEP_GUARD, STEP_GUARD);
    fork.counter = space->counters[resource].name;
    fork.proposed = space->strategies[q->next.strategy].name;
    fork.accept->next.resource = resource + 1;
    resource_refused(search, fork.refuse);
    return fork;
}

static void record_add(struct search *search, struct record record)
{
    vec_push(search->arena, &search->records, record);
}

/* A strategy that is applied without a test of its own stands in the records before what it
   leads to. */
static void record_apply(struct search *search, const struct quintuple *q)
{
    if (q->next.kind == ASK_REQUIREMENT && q->next.n_requirements == 0)
        record_add(search,
                   (struct record){.kind = RECORD_APPLY,
                                   .strategy = search->space->strategies[q->next.strategy].name});
}

/* Goes on with the question of q until there is a leaf or a fork. */
static struct outcome search_step(struct search *search, struct quintuple *q)
{
    struct outcome outcome = asked();
    while (outcome.kind == OUTCOME_ASKED) {
        record_apply(search, q);
        switch (q->next.kind) {
        case ASK_COUNTER: outcome = ask_counter(search, q); break;
        case ASK_PIECE: outcome = ask_piece(search, q); break;
        case ASK_TEST: outcome = ask_test(search, q); break;
        case ASK_STRATEGY: outcome = ask_strategy(search, q); break;
        case ASK_REQUIREMENT: outcome = ask_requirement(search, q); break;
        case ASK_RESOURCE: outcome = ask_resource(search, q); break;
        }
    }
    return outcome;
}

/* --- the loop --------------------------------------------------------------------------------- */

static void search_loop(struct search *search)
{
    while (search->waiting.count > 0 && search->result.ok) {
        struct quintuple *q = quintuple_copy(search->arena, vec_pop(&search->waiting));
        progress_tick(search->space->ctx);
        if (quintuple_is_empty(search, q)) {
            record_add(search, (struct record){.kind = RECORD_EMPTY});
            continue;
        }
        if (q->next.kind == ASK_COUNTER && q->n_steps > 0)
            search->accepted++;           /* only the accept side of a limit goes on with the
                                             next counter */
        struct outcome outcome = search_step(search, q);
        switch (outcome.kind) {
        case OUTCOME_FORK:
            record_add(search, (struct record){.kind = RECORD_FORK,
                                               .test = outcome.test,
                                               .slots = q->slots,
                                               .part = outcome.part,
                                               .proposed = outcome.proposed,
                                               .counter = outcome.counter,
                                               .strategy = outcome.condition});
            vec_push(search->arena, &search->waiting, outcome.refuse);
            vec_push(search->arena, &search->waiting, outcome.accept);
            break;
        case OUTCOME_LEAF:
            record_add(search, (struct record){.kind = RECORD_LEAF, .leaf = q});
            vec_push(search->arena, &search->leaves, q);
            search->space->ctx->counts.cases++;
            break;
        case OUTCOME_REST: record_add(search, (struct record){.kind = RECORD_REST}); break;
        default: search->result.ok = false; break;
        }
    }
}

/* Everything is still to be tried, every counter to be evaluated. With --jam loops are jammed on
   every path, but not behind the code of last resort. A space without options has none of them. */
static const struct quintuple *quintuple_first(const struct search_space *space)
{
    struct quintuple *q = ARENA_NEW(space->arena, struct quintuple);
    for (int i = space->n_counters; i-- > 0;)
        q->gamma = stack_push(space->arena, q->gamma, i);
    for (int i = space->n_strategies; i-- > 0;)
        q->omega = stack_push(space->arena, q->omega, i);
    q->checked = true;
    q->key.level[FAMILY_JAM] = space->options ? (unsigned char)space->options->jam : 0;
    return q;
}

struct search_result search_run(const struct search_space *space, struct store *store)
{
    struct search search = {.arena = space->arena,
                            .space = space,
                            .store = store,
                            .result = {.ok = true}};
    struct arena *scratch = arena_new();
    assert(space->n_counters <= COUNTERS_MAX);
    search.solver = solver_new(scratch, space->ring, NULL);
    solver_assert_all(search.solver, space->initial);
    vec_push(search.arena, &search.waiting, quintuple_first(space));
    search_loop(&search);
    struct search_result result = search.result;
    result.n_records = search.records.count;
    result.records = search.records.at;
    result.n_leaves = search.leaves.count;
    result.leaves = search.leaves.at;
    result.questions = solver_statistics(search.solver).questions;
    arena_free(scratch);
    return result;
}
