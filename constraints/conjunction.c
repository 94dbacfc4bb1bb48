/* One conjunction of constraints: first the front (question.h: elimination, pairing, linear and
   univariate reasoning, case distinction by signs) with a budget of its own, then the coverings,
   which are complete. Out: a verdict with a model or the constraints that exclude each other. */
#include "constraints/front/question.h"
#include "constraints/search.h"

enum { FRONT_STEPS = 40000 };

static struct engine *engine_of(struct search *search)
{
    struct engine_holder *holder = search->engine;
    if (holder->engine && engine_variables(holder->engine) >= ring_count(search->ring))
        return holder->engine;
    arena_free(holder->arena);
    holder->arena = arena_new();
    return holder->engine = engine_new(holder->arena, search->ring);
}

struct engine_answer coverings_ask(struct search *search, const struct formula *const *assertions,
                                   size_t count, const size_t *numbers)
{
    struct engine_question question = {.assertions = assertions,
                                       .count = count,
                                       .certificate = numbers != NULL,
                                       .numbers = numbers,
                                       .budget = &search->budget};
    struct engine_answer answer = engine_ask(engine_of(search), search->arena, &question);
    if (answer.truth < 0 && !search->reason)
        search->reason = search->budget.reason ? search->budget.reason
                                               : "the coverings do not decide this system";
    return answer;
}

static const struct model *front_model(struct search *search, const struct question *q)
{
    struct model *model = model_new(search->arena, search->ring);
    for (int v = 0; v < q->variables; v++)
        fmpq_set(model->values + q->ring_variable[v], q->point + v);
    return model;
}

static bool model_satisfies(const struct model *model, const struct constraint *at, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int sign = model_sign(model, at[i].poly);
        if (sign == SIGN_UNDECIDED || !relation_holds(at[i].relation, sign))
            return false;
    }
    return true;
}

static const bool *front_core(struct search *search, const struct question *q, size_t count)
{
    bool *core = ARENA_ARRAY(search->arena, bool, count + 1);
    for (size_t i = 0; i < count; i++)
        core[i] = origins_have(q->conflict, i);
    return core;
}

static struct conjunction front_decide(struct search *search, const struct constraint *at,
                                       size_t count)
{
    struct conjunction answer = {SAS_EMPTY, NULL, NULL};
    uint64_t steps = search->budget.left < FRONT_STEPS ? search->budget.left : FRONT_STEPS;
    struct arena *scratch = arena_new();
    struct question *q = question_new(scratch, search->ring, at, count, steps);
    struct state *state = question_state(q);
    if (question_assert_all(q, state, at) || q->broken)
        answer.verdict = state_decide(q, state);
    if (answer.verdict == SAS_EMPTY)
        answer.core = front_core(search, q, count);
    if (answer.verdict == SAS_NONEMPTY) {
        answer.model = front_model(search, q);
        if (!model_satisfies(answer.model, at, count))
            answer.verdict = SAS_UNKNOWN;
    }
    budget_take(&search->budget, steps - q->steps);
    arena_free(scratch);
    return answer;
}

static struct conjunction coverings_decide(struct search *search, const struct constraint *at,
                                           size_t count)
{
    struct conjunction answer = {SAS_UNKNOWN, NULL, NULL};
    const struct formula **atoms = ARENA_ARRAY(search->arena, const struct formula *, count + 1);
    for (size_t i = 0; i < count; i++)
        atoms[i] = formula_atom(search->arena, at[i]);
    struct engine_answer found = coverings_ask(search, atoms, count, NULL);
    if (found.truth == 0) {
        answer.verdict = SAS_EMPTY;
        answer.core = found.core;
    }
    if (found.truth == 1) {
        answer.verdict = SAS_NONEMPTY;
        answer.model =
            model_of_sample(search->arena, search->ring, search->engine->engine, found.sample);
    }
    return answer;
}

struct conjunction conjunction_decide(struct search *search, const struct constraint *at,
                                      size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!at[i].poly) {
            search->reason = "a polynomial is beyond the limits";
            return (struct conjunction){SAS_UNKNOWN, NULL, NULL};
        }
    struct conjunction answer = front_decide(search, at, count);
    if (answer.verdict != SAS_UNKNOWN) {
        search->statistics->front++;
        return answer;
    }
    answer = coverings_decide(search, at, count);
    search->statistics->coverings += answer.verdict != SAS_UNKNOWN;
    return answer;
}
