/* The comprehensive search: Algorithm 1 (comprehensive_optimization) and Algorithm 2 (optimize).

   In:  a problem: counters with limits and sigma, strategies, an initial system.
   Out: the processed quintuples in accept-first order, and the decision tree T(Q).
   Invariants: no quintuple with an inconsistent system is ever returned, on any path of return; a path has at most
   search_height_bound() pops (asserted); in mode keep the leaves' systems are disjoint; UNKNOWN keeps a branch.
   Repairs of spec C-19 against the printed algorithms: line 30 is done on every return path, at once (eager
   consistency); gamma holds a counter once; a rewrite is passed over when its counter may rise; accepted counters whose
   value may have risen are evaluated again; mode retract drops the accept constraints of what is evaluated again; a
   performance counter is a target: accept P <= v, refuse v < P, the best effort stays, and what is done for a target
   raises no resource, so that no leaf is lost by it. A strategy may need something of the parameters: then the refuse
   branch forks on it, and where it does not hold the rest of sigma is tried.
   Source: Chen et al., Algorithms 1 and 2; line numbers below are those of spec C-17. */
#include "optimizer/search.h"
#include "base/vec.h"
#include <assert.h>

struct search {
    struct arena *arena;
    const struct search_problem *problem;
    struct solver *solver;
    VEC(struct constraint) asserted;      /* what the solver holds above the initial system, one level each */
    VEC(struct search_leaf) leaves;
    size_t accepted;                      /* counters accepted on all paths so far */
    struct search_result result;
};

/* A VEC of quintuples. */
struct quintuples {
    struct quintuple **at;
    size_t count, capacity;
};

static void result_add(struct search *search, struct quintuples *result, struct quintuple *q)
{
    search->accepted++;
    vec_push(search->arena, result, q);
}

int search_height_bound(const struct search_problem *problem)
{
    int s = 0, t = 0, w = problem->n_strategies;
    for (int i = 0; i < problem->n_counters; i++)
        *(problem->counters[i].is_resource ? &s : &t) += 1;
    return t == 0 ? s + w * s : s + t + w * (s + t + 1);
}

static bool constraint_same(struct constraint a, struct constraint b)
{
    return a.relation == b.relation && (a.poly == b.poly || poly_equal(a.poly, b.poly));
}

/* Brings the solver to the quintuple's path: what both share stays asserted, the rest is popped and pushed. */
static enum verdict quintuple_check(struct search *search, struct quintuple *q)
{
    size_t same = 0;
    while (same < search->asserted.count && same < q->n_steps &&
           constraint_same(search->asserted.at[same], q->steps[same].constraint))
        same++;
    while (search->asserted.count > same) {
        solver_pop(search->solver);
        (void)vec_pop(&search->asserted);
    }
    for (size_t i = same; i < q->n_steps; i++) {
        solver_push(search->solver);
        solver_assert(search->solver, q->steps[i].constraint);
        vec_push(search->arena, &search->asserted, q->steps[i].constraint);
    }
    enum verdict verdict = solver_check(search->solver);
    if (verdict == SAS_UNKNOWN) {
        q->unknown = true;
        search->result.n_unknown++;
    }
    return verdict;
}

struct constraint counter_accept(const struct counter_piece *piece, const struct poly *limit, bool is_resource)
{
    const struct poly *bound = piece->denominator ? poly_mul(limit, piece->denominator) : limit;
    return is_resource ? constraint_make(piece->numerator, RELATION_LE, bound)
                       : constraint_make(bound, RELATION_LE, piece->numerator);
}

/* What limits the counter, or the value aimed at. */
static const struct poly *counter_limit(const struct search_problem *problem, int c)
{
    const struct search_counter *counter = &problem->counters[c];
    return counter->target ? counter->target : poly_variable(problem->ring, counter->limit);
}

bool poly_may_rise(struct sas system, const struct poly *before, const struct poly *after)
{
    return !poly_equal(before, after) && sas_implies(system, constraint_make(after, RELATION_LE, before)) != 1;
}

bool counter_may_rise(struct arena *arena, struct sas system, const struct counter_value *before,
                      const struct counter_value *after)
{
    if (before == after)
        return false;
    if (before->n_keys && before->n_keys == after->n_keys) {
        for (size_t i = 0; i < before->n_keys; i++)
            if (poly_may_rise(system, before->keys[i], after->keys[i]))
                return true;
        return false;
    }
    for (size_t i = 0; i < before->count; i++)
        for (size_t j = 0; j < after->count; j++) {
            const struct counter_piece *a = &before->pieces[i], *b = &after->pieces[j];
            struct sas both = sas_join(arena, sas_join(arena, system, a->guard), b->guard);
            const struct poly *old = b->denominator ? poly_mul(a->numerator, b->denominator) : a->numerator;
            const struct poly *new = a->denominator ? poly_mul(b->numerator, a->denominator) : b->numerator;
            if (poly_may_rise(both, old, new))
                return true;
        }
    return false;
}

/* Where enough has been tried: the strategy that makes the code of last resort, for a resource; -1 for a target. */
static int strategy_last(const struct search_problem *problem, const struct quintuple *q, int c)
{
    for (int i = 0; i < problem->n_strategies && problem->counters[c].is_resource; i++)
        if (problem->strategies[i].is_final && stack_has(&q->omega, i))
            return i;
    return -1;
}

/* The first resource from number `from` on that the strategy may raise: n_counters if none. One that is applied for a
   target must fit with it, so that no leaf is lost by it. *after: its value then; NULL if it is not one piece. */
static int resource_that_rises(struct search *search, const struct quintuple *q, int strategy, int from,
                               const struct counter_value **after)
{
    const struct search_problem *problem = search->problem;
    struct sas system = quintuple_system(search->arena, q, problem->initial, true);
    uint64_t set = quintuple_strategies(q);
    int i = from;
    for (*after = NULL; i < problem->n_counters; i++) {
        if (!problem->counters[i].is_resource)
            continue;
        const struct counter_value *before = problem->evaluate(problem->state, set, i);
        *after = problem->evaluate(problem->state, set | (uint64_t)1 << strategy, i);
        if (!before || !*after || counter_may_rise(search->arena, system, before, *after))
            break;
    }
    if (i < problem->n_counters && *after && (*after)->count != 1)
        *after = NULL;
    return i;
}

/* Can what the strategy may raise be tested? */
static bool resources_testable(struct search *search, const struct quintuple *q, int strategy)
{
    const struct counter_value *after;
    for (int i = 0;; i++) {
        i = resource_that_rises(search, q, strategy, i, &after);
        if (i >= search->problem->n_counters)
            return true;
        if (!after)
            return false;
    }
}

/* The first member of sigma(c) left in omega that applies and does not raise the counter; for a target one that betters
   `test` of it; -1 if there is none. */
static int strategy_search(struct search *search, const struct quintuple *q, int c, const struct counter_value *value, size_t test)
{
    const struct search_problem *problem = search->problem;
    const struct search_counter *counter = &problem->counters[c];
    uint64_t set = quintuple_strategies(q);
    if (problem->max_accepted && search->accepted >= problem->max_accepted)
        return strategy_last(problem, q, c);
    struct sas system = quintuple_system(search->arena, q, problem->initial, true);
    for (int i = 0; i < counter->n_sigma; i++) {
        int strategy = counter->sigma[i];
        if (!stack_has(&q->omega, strategy) || !problem->applicable(problem->state, set, strategy))
            continue;
        const struct counter_value *after = problem->evaluate(problem->state, set | (uint64_t)1 << strategy, c);
        if (!after)
            continue;
        if (counter->is_resource ? !counter_may_rise(search->arena, system, value, after)
                                 : target_betters(search->arena, system, value, after, test) &&
                                       resources_testable(search, q, strategy))
            return strategy;
    }
    return -1;
}

/* May the counter be worse than it was? */
static bool counter_may_worsen(struct search *search, int c, struct sas system, const struct counter_value *before,
                               const struct counter_value *after)
{
    return search->problem->counters[c].is_resource ? counter_may_rise(search->arena, system, before, after)
                                                    : target_may_fall(search->arena, system, before, after);
}

/* Lines 12 to 15 and 25 to 28: the strategy leaves omega; r1..ri (r1..rs, p_i) come back onto gamma, and with them every
   accepted counter whose value may be worse. */
static bool strategy_apply(struct search *search, struct quintuple *q, int c, int strategy)
{
    const struct search_problem *problem = search->problem;
    struct sas system = quintuple_system(search->arena, q, problem->initial, true);
    stack_remove(&q->omega, strategy);
    if (problem->strategies[strategy].on_ir)
        stack_push(&q->lambda, strategy);
    else
        q->set |= (uint64_t)1 << strategy;
    quintuple_code(q, problem->strategies[strategy].code);
    q->registers_decided |= problem->strategies[strategy].is_final;
    for (int i = 0; i < problem->n_counters; i++) {
        const struct search_counter *counter = &problem->counters[i];
        bool again = i == c || (counter->is_resource && (i < c || !problem->counters[c].is_resource));
        if (!again && q->accepted[i]) {
            const struct counter_value *after = problem->evaluate(problem->state, quintuple_strategies(q), i);
            if (!after)
                return false;
            again = counter_may_worsen(search, i, system, q->accepted[i], after);
        }
        if (!again)
            continue;
        if (!problem->repeat_gamma)
            stack_remove(&q->gamma, i);
        stack_push(&q->gamma, i);
        q->accepted[i] = NULL;
        if (problem->mode == TREE_RETRACT)
            quintuple_retract(search->arena, q, i);
    }
    return true;
}

static void accept_codes(const struct search_problem *problem, struct quintuple *q, int c)
{
    const struct search_counter *counter = &problem->counters[c];
    if (counter->codes_registers && !q->registers_decided) {
        q->registers_decided = true;
        quintuple_code(q, "1");
    }
    if (counter->codes_staging && problem->is_staged(problem->state, quintuple_strategies(q))) {
        quintuple_code(q, "4a");
        quintuple_code(q, "3a");
    }
}

static bool optimize(struct search *search, struct quintuple *q, struct quintuples *result);

static struct search_node *node_new(struct search *search, const struct quintuple *q, int c, struct constraint constraint)
{
    struct search_node *node = ARENA_NEW(search->arena, struct search_node);
    node->node.constraint = constraint;
    node->node.counter = search->problem->counters[c].name;
    *q->slot = &node->node;
    return node;
}

/* A fact stands once in a system. */
static void fact_add(struct search *search, struct quintuple *q, struct step fact)
{
    for (size_t i = 0; i < q->n_steps; i++)
        if (q->steps[i].kind == STEP_FACT && constraint_same(q->steps[i].constraint, fact.constraint))
            return;
    quintuple_add(search->arena, q, fact);
}

/* The counter that is refused, and what is to become of the branch. */
struct refusal {
    int c;
    const struct counter_value *value;
    size_t test;                          /* of a target */
    struct quintuples *result;
};

/* A strategy for a target, and the resource from which on it is still to be tested. */
struct attempt {
    size_t test;
    int strategy, resource;
};

static bool target_next(struct search *search, struct quintuple *q, int c, const struct counter_value *value, size_t test,
                        struct quintuples *result);
static bool target_attempt(struct search *search, struct quintuple *refuse, int c, const struct counter_value *value,
                           struct attempt attempt, struct quintuples *result);
static bool refuse_branch(struct search *search, struct quintuple *refuse, const struct refusal *refusal,
                          struct search_node *node);

/* The strategy needs conditions[0..n): where they hold it is applied, elsewhere the rest of sigma is tried. */
static bool condition_branch(struct search *search, struct quintuple *q, const struct refusal *refusal, int strategy,
                             size_t n, const struct search_condition *conditions)
{
    const struct search_problem *problem = search->problem;
    if (n == 0 && !problem->counters[refusal->c].is_resource)
        return target_attempt(search, q, refusal->c, refusal->value, (struct attempt){refusal->test, strategy, 0}, refusal->result);
    if (n == 0)
        return strategy_apply(search, q, refusal->c, strategy) && optimize(search, q, refusal->result);
    for (size_t i = 0; i < conditions->facts.count; i++)
        fact_add(search, q, (struct step){conditions->facts.at[i], STEP_FACT, refusal->c});
    struct search_node *node = node_new(search, q, refusal->c, conditions->holds);
    struct quintuple *other = quintuple_copy(search->arena, q);
    node->node.condition = problem->strategies[strategy].name;
    quintuple_add(search->arena, q, (struct step){conditions->holds, STEP_GUARD, refusal->c});
    q->slot = &node->node.accept;
    quintuple_add(search->arena, other, (struct step){constraint_negate(conditions->holds), STEP_GUARD, refusal->c});
    other->slot = &node->node.refuse;
    stack_remove(&other->omega, strategy);
    if (quintuple_check(search, q) != SAS_EMPTY && !condition_branch(search, q, refusal, strategy, n - 1, conditions + 1))
        return false;
    node->refuse_empty = quintuple_check(search, other) == SAS_EMPTY;
    return node->refuse_empty || refuse_branch(search, other, refusal, node);
}

/* The refuse branch behind `node` with a strategy to apply. */
static bool strategy_branch(struct search *search, struct quintuple *refuse, const struct refusal *refusal, int strategy,
                            struct search_node *node)
{
    const struct search_problem *problem = search->problem;
    const struct search_condition *conditions = NULL;
    size_t n = !problem->conditions ? 0 : problem->conditions(problem->state, quintuple_strategies(refuse), strategy, &conditions);
    if (n == 0)
        node->node.strategy = problem->strategies[strategy].name;
    return condition_branch(search, refuse, refusal, strategy, n, conditions);
}

/* The refuse branch (lines 7 to 16, 20 to 29) behind `node`; `refuse` has its constraint and is consistent. */
static bool refuse_branch(struct search *search, struct quintuple *refuse, const struct refusal *refusal,
                          struct search_node *node)
{
    const struct search_problem *problem = search->problem;
    int strategy = strategy_search(search, refuse, refusal->c, refusal->value, refusal->test);
    if (strategy < 0)
        return problem->counters[refusal->c].is_resource ||
               target_next(search, refuse, refusal->c, refusal->value, refusal->test, refusal->result);
    return strategy_branch(search, refuse, refusal, strategy, node);
}

static bool optimize_target(struct search *search, struct quintuple *q, int c, const struct counter_value *value, size_t test,
                            struct quintuples *result);

static bool target_accept(struct search *search, struct quintuple *q, int c, const struct counter_value *value,
                          struct quintuples *result)
{
    q->accepted[c] = value;
    result_add(search, result, q);
    return true;
}

/* After test `test` of a target: the next one, or accepted. */
static bool target_next(struct search *search, struct quintuple *q, int c, const struct counter_value *value, size_t test,
                        struct quintuples *result)
{
    return value->goal && test + 1 < value->goal->count ? optimize_target(search, q, c, value, test + 1, result)
                                                        : target_accept(search, q, c, value, result);
}

/* `refuse` misses the test: the strategy is applied where all resources that it raises still fit, elsewhere the code stays
   as it is. */
static bool target_attempt(struct search *search, struct quintuple *refuse, int c, const struct counter_value *value,
                           struct attempt attempt, struct quintuples *result)
{
    const struct search_problem *problem = search->problem;
    const struct counter_value *after;
    int resource = resource_that_rises(search, refuse, attempt.strategy, attempt.resource, &after);
    if (resource >= problem->n_counters)
        return strategy_apply(search, refuse, c, attempt.strategy) && optimize(search, refuse, result);
    if (!after)
        return false;
    for (size_t i = 0; i < after->n_auxiliary; i++)
        for (size_t k = 0; k < after->auxiliaries[i]->facts.count; k++)
            fact_add(search, refuse, (struct step){after->auxiliaries[i]->facts.at[k], STEP_FACT, c});
    struct constraint fits = counter_accept(&after->pieces[0], counter_limit(problem, resource), true);
    struct search_node *node = node_new(search, refuse, resource, fits);
    struct quintuple *stays = quintuple_copy(search->arena, refuse);
    quintuple_add(search->arena, refuse, (struct step){fits, STEP_GUARD, c});
    refuse->slot = &node->node.accept;
    quintuple_add(search->arena, stays, (struct step){constraint_negate(fits), STEP_GUARD, c});
    stays->slot = &node->node.refuse;
    attempt.resource = resource + 1;
    if (quintuple_check(search, refuse) != SAS_EMPTY && !target_attempt(search, refuse, c, value, attempt, result))
        return false;
    if (quintuple_check(search, stays) == SAS_EMPTY) {
        node->refuse_empty = true;
        return true;
    }
    return target_next(search, stays, c, value, attempt.test, result);
}

/* Lines 17 to 29 for a target: test `test` of its goal, or piece `test` of its value. Where nothing left in sigma betters
   the test, or it always holds, there is no node: whatever the point, this code is the best effort. */
static bool optimize_target(struct search *search, struct quintuple *q, int c, const struct counter_value *value, size_t test,
                            struct quintuples *result)
{
    const struct search_problem *problem = search->problem;
    struct constraint holds = value->goal ? value->goal->tests[test].accept
                                          : counter_accept(&value->pieces[test], counter_limit(problem, c), false);
    struct quintuple *refuse = quintuple_copy(search->arena, q);
    quintuple_add(search->arena, refuse, (struct step){constraint_negate(holds), STEP_REFUSE, c});
    bool always = quintuple_check(search, refuse) == SAS_EMPTY;
    int strategy = always ? -1 : strategy_search(search, refuse, c, value, test);
    if (strategy < 0)
        return target_next(search, q, c, value, test, result);
    struct search_node *node = node_new(search, q, c, holds);
    struct refusal refusal = {c, value, test, result};
    quintuple_add(search->arena, q, (struct step){holds, STEP_ACCEPT, c});
    q->slot = &node->node.accept;
    if (quintuple_check(search, q) != SAS_EMPTY && !target_next(search, q, c, value, test, result))
        return false;
    refuse->slot = &node->node.refuse;
    return strategy_branch(search, refuse, &refusal, strategy, node);
}

/* Accept and refuse branch of one piece of the counter's value; q has the piece's guard among its steps. */
static bool optimize_piece(struct search *search, struct quintuple *q, int c, const struct counter_value *value, size_t k,
                           struct quintuples *result)
{
    const struct search_problem *problem = search->problem;
    if (!problem->counters[c].is_resource)
        return optimize_target(search, q, c, value, k, result);
    struct constraint holds = counter_accept(&value->pieces[k], counter_limit(problem, c), true);
    struct search_node *node = node_new(search, q, c, holds);
    struct quintuple *refuse = quintuple_copy(search->arena, q);

    quintuple_add(search->arena, q, (struct step){holds, STEP_ACCEPT, c});
    q->slot = &node->node.accept;
    q->accepted[c] = value;
    if (quintuple_check(search, q) != SAS_EMPTY) {
        accept_codes(problem, q, c);
        result_add(search, result, q);
    }
    quintuple_add(search->arena, refuse, (struct step){constraint_negate(holds), STEP_REFUSE, c});
    refuse->slot = &node->node.refuse;
    if (quintuple_check(search, refuse) == SAS_EMPTY) {
        node->refuse_empty = true;
        return true;
    }
    struct refusal refusal = {c, value, 0, result};
    return refuse_branch(search, refuse, &refusal, node);
}

/* A piece of a value, and how many conditions of its guard have been tested. */
struct cursor {
    size_t piece, condition;
};

/* The pieces of a value from `at` on: each condition of a guard is a test of its own, the last piece is the rest. */
static bool optimize_pieces(struct search *search, struct quintuple *q, int c, const struct counter_value *value,
                            struct cursor at, struct quintuples *result)
{
    if (at.piece + 1 == value->count || at.condition == value->pieces[at.piece].guard.count)
        return optimize_piece(search, q, c, value, at.piece, result);
    struct constraint guard = value->pieces[at.piece].guard.at[at.condition];
    struct search_node *node = node_new(search, q, c, guard);
    struct quintuple *rest = quintuple_copy(search->arena, q);
    quintuple_add(search->arena, q, (struct step){guard, STEP_GUARD, c});
    q->slot = &node->node.accept;
    quintuple_add(search->arena, rest, (struct step){constraint_negate(guard), STEP_GUARD, c});
    rest->slot = &node->node.refuse;
    if (quintuple_check(search, q) != SAS_EMPTY &&
        !optimize_pieces(search, q, c, value, (struct cursor){at.piece, at.condition + 1}, result))
        return false;
    if (quintuple_check(search, rest) == SAS_EMPTY) {
        node->refuse_empty = true;
        return true;
    }
    return optimize_pieces(search, rest, c, value, (struct cursor){at.piece + 1, 0}, result);
}

/* Is a member of sigma(c) left in omega that applies? */
static bool strategy_left(const struct search_problem *problem, const struct quintuple *q, int c)
{
    uint64_t set = quintuple_strategies(q);
    const struct search_counter *counter = &problem->counters[c];
    for (int i = 0; i < counter->n_sigma; i++)
        if (stack_has(&q->omega, counter->sigma[i]) && problem->applicable(problem->state, set, counter->sigma[i]))
            return true;
    return false;
}

/* Algorithm 2. Pushes onto `result`, the accept branch first, only quintuples with consistent systems. */
static bool optimize(struct search *search, struct quintuple *q, struct quintuples *result)
{
    const struct search_problem *problem = search->problem;
    int c = stack_pop(&q->gamma);
    q->depth++;
    assert(problem->repeat_gamma || q->depth <= search_height_bound(problem));
    if (q->depth > search->result.depth)
        search->result.depth = q->depth;
    const struct counter_value *value = problem->evaluate(problem->state, quintuple_strategies(q), c);
    if (!value || (value->count == 0 && problem->counters[c].is_resource))
        return false;
    const struct counter_goal *goal = value->goal;
    if (!problem->counters[c].is_resource && (target_is_met(value) || !strategy_left(problem, q, c)))
        return target_accept(search, q, c, value, result);
    size_t n = goal ? goal->n_auxiliary : value->n_auxiliary;
    for (size_t i = 0; i < n; i++) {
        const struct auxiliary *auxiliary = goal ? goal->auxiliaries[i] : value->auxiliaries[i];
        for (size_t k = 0; k < auxiliary->facts.count; k++)
            fact_add(search, q, (struct step){auxiliary->facts.at[k], STEP_FACT, c});
    }
    return goal ? optimize_target(search, q, c, value, 0, result) : optimize_pieces(search, q, c, value, (struct cursor){0, 0}, result);
}

/* Leftover strategies of the sweep at a processed leaf; skipped where a counter may rise, except in golden runs. */
static bool leaf_sweep(struct search *search, struct quintuple *q)
{
    const struct search_problem *problem = search->problem;
    uint64_t set = quintuple_strategies(q);
    struct sas system = quintuple_system(search->arena, q, problem->initial, true);
    for (int i = 0; i < problem->n_strategies; i++)
        if (problem->strategies[i].is_final && (set >> i & 1))
            return true;
    for (int i = 0; i < problem->n_strategies; i++) {
        if (!problem->strategies[i].in_sweep || !stack_has(&q->omega, i) || !problem->applicable(problem->state, set, i))
            continue;
        bool worse = false;
        for (int c = 0; c < problem->n_counters && !worse && !problem->sweep_always; c++) {
            const struct counter_value *before = problem->evaluate(problem->state, set, c);
            const struct counter_value *after = problem->evaluate(problem->state, set | (uint64_t)1 << i, c);
            if (!before || !after)
                return false;
            worse = counter_may_worsen(search, c, system, before, after);
        }
        if (worse)
            continue;
        stack_remove(&q->omega, i);
        q->set |= (uint64_t)1 << i;
        quintuple_code(q, problem->strategies[i].code);
        set |= (uint64_t)1 << i;
    }
    return true;
}

/* Algorithm 1. */
static bool comprehensive_optimization(struct search *search, struct quintuple *q)
{
    if (q->gamma.count == 0) {
        if (!leaf_sweep(search, q))
            return false;
        struct search_node *leaf = ARENA_NEW(search->arena, struct search_node);
        vec_push(search->arena, &search->leaves, ((struct search_leaf){q, q->slot}));
        leaf->node.variant = (int)search->leaves.count;
        *q->slot = &leaf->node;
        return true;
    }
    struct quintuples next = {0};
    if (!optimize(search, q, &next))
        return false;
    for (size_t i = 0; i < next.count; i++)
        if (!comprehensive_optimization(search, next.at[i]))
            return false;
    return true;
}

struct search_result optimizer_search(struct arena *arena, const struct search_problem *problem)
{
    struct search search = {.arena = arena, .problem = problem};
    struct arena *scratch = arena_new();
    struct quintuple *root = ARENA_NEW(arena, struct quintuple);
    assert(problem->n_counters <= COUNTERS_MAX && problem->n_strategies <= STRATEGIES_MAX);
    search.solver = solver_new(scratch, problem->ring, NULL);
    solver_assert_all(search.solver, problem->initial);
    for (int i = problem->n_counters; i-- > 0;)
        stack_push(&root->gamma, i);
    for (int i = problem->n_strategies; i-- > 0;)
        stack_push(&root->omega, i);
    const struct node **top = ARENA_NEW(arena, const struct node *);
    root->slot = top;
    search.result.ok = comprehensive_optimization(&search, root);
    search.result.root = *top;
    search.result.n_leaves = search.leaves.count;
    search.result.leaves = search.leaves.at;
    search.result.questions = solver_statistics(search.solver).questions;
    arena_free(scratch);
    return search.result;
}
