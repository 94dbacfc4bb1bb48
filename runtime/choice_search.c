/* The search for tunables and a leaf at one point, by predicted time (a model, no trial).

   In: the tunables that a region chooses, a point, a choice to begin with. Out: that choice or a
   better one, if it pays: an eighth of the predicted time, or what compiling takes within so many
   calls.

   Candidates of a tunable are powers of two, or divisors where a division must be exact. The search
   goes along one tunable at a time, around a choice that is known only a little, then exchanges a
   step of one tunable for one of another, until neither helps. Ties go to what was tried first. */
#include "runtime/candidates.h"
#include "runtime/choice.h"
#include <string.h>

enum {
    EVALUATIONS_MAX = 48,          /* of one search */
    NEAR = 2,                      /* candidates on either side of a choice that is known */
    BINDINGS_MAX = 16,             /* parameters that size private arrays, looked at */
    COMPILING = 500000000,         /* nanoseconds that compiling a leaf takes, about */
    CALLS = 1000                   /* within so many calls it has to pay */
};

struct candidates {
    int n;
    treefork_int at[CANDIDATES_MAX];
};

struct search {
    const struct treefork_tunables *tunables;
    const struct treefork_choosing *choosing;      /* theirs */
    treefork_int *integers;                        /* the point */
    struct candidates candidates[TUNABLES_MAX];    /* by tunable */
    int n_tried;
    uint64_t tried[EVALUATIONS_MAX];
    bool found;
    int best[TUNABLES_MAX];                        /* numbers of candidates */
    struct treefork_prediction time;
    struct treefork_chosen choice;
    struct treefork_refusal *refusal;
};

/* --- texts ----------------------------------------------------------------------------------- */

/* For the values at the search's point (struct treefork_texts). */
static bool text_is_general(const struct treefork_texts *texts,
                            const struct treefork_module *module)
{
    const struct search *s = texts->state;
    const struct treefork_region *region = s->choosing->region;
    struct treefork_device *device = s->choosing->device;
    struct treefork_binding bindings[BINDINGS_MAX];
    struct treefork_launch launch = {.module = module, .bindings = bindings};
    for (size_t i = 0; i < region->n_parameters && launch.n_bindings < BINDINGS_MAX; i++) {
        const struct treefork_parameter_row *p = &region->parameters[i];
        if (p->bound && p->integer != TREEFORK_NONE)
            bindings[launch.n_bindings++] =
                (struct treefork_binding){p->name, s->integers[p->integer]};
    }
    return treefork_text_is_general(device, &launch);
}

/* --- one point ------------------------------------------------------------------------------- */

static void point_set(const struct search *s)
{
    treefork_evaluation_set(s->choosing->evaluation, treefork_choosing_machine(s->choosing),
                            s->integers);
}

/* May the region run at the point? */
static bool point_is_legal(struct search *s)
{
    const struct treefork_choosing *c = s->choosing;
    int status = c->region->select(treefork_choosing_machine(c), s->integers, NULL);
    if (status < 0 && !s->refusal->status) {
        s->refusal->status = -status;
        snprintf(s->refusal->reason, sizeof s->refusal->reason, "%s", treefork_message());
    }
    point_set(s);
    return status >= 0 && (!s->tunables->is_exact || treefork_evaluation_exact(c->evaluation));
}

/* Has the combination not been tried yet, and may more be tried? */
static bool trial_is_new(struct search *s, const int *numbers)
{
    uint64_t combination = 0;
    for (int i = 0; i < s->tunables->n; i++)
        combination = combination * CANDIDATES_MAX + (uint64_t)numbers[i];
    for (int i = 0; i < s->n_tried; i++)
        if (s->tried[i] == combination)
            return false;
    if (s->n_tried == EVALUATIONS_MAX)
        return false;
    s->tried[s->n_tried++] = combination;
    return true;
}

/* True if the combination is better than all before it. */
static bool try_combination(struct search *s, const int *numbers)
{
    struct treefork_prediction time;
    if (!trial_is_new(s, numbers))
        return false;
    for (int i = 0; i < s->tunables->n; i++)
        s->integers[s->tunables->integers[i]] = s->candidates[i].at[numbers[i]];
    int leaf = point_is_legal(s) ? treefork_evaluation_best(s->choosing->evaluation,
                                                            s->choosing->forced, &time)
                                 : 0;
    if (leaf == 0 || (s->found && !treefork_faster(&time, &s->time)))
        return false;
    s->found = true;
    s->time = time;
    s->choice.leaf = leaf;
    s->choice.n = s->tunables->n;
    for (int i = 0; i < s->tunables->n; i++) {
        s->best[i] = numbers[i];
        s->choice.integers[i] = s->tunables->integers[i];
        s->choice.values[i] = s->integers[s->tunables->integers[i]];
    }
    return true;
}

/* --- search ---------------------------------------------------------------------------------- */

/* The candidates of one tunable that are at most `reach` away. */
static bool try_line(struct search *s, const int *from, int tunable, int reach)
{
    int numbers[TUNABLES_MAX];
    bool better = false;
    memcpy(numbers, from, sizeof numbers);
    for (int i = 0; i < s->candidates[tunable].n; i++) {
        numbers[tunable] = i;
        if (i >= from[tunable] - reach && i <= from[tunable] + reach)
            better |= try_combination(s, numbers);
    }
    return better;
}

/* A step up of one tunable and a step down of another. */
static bool try_exchanges(struct search *s, const int *from)
{
    bool better = false;
    for (int up = 0; up < s->tunables->n; up++)
        for (int down = 0; down < s->tunables->n; down++) {
            int numbers[TUNABLES_MAX];
            memcpy(numbers, from, sizeof numbers);
            if (up == down || ++numbers[up] == s->candidates[up].n || --numbers[down] < 0)
                continue;
            better |= try_combination(s, numbers);
        }
    return better;
}

static void search_from(struct search *s, const int *start, int reach)
{
    int from[TUNABLES_MAX] = {0};
    bool better = true;
    memcpy(from, start, sizeof from);
    try_combination(s, from);
    while (better) {
        better = false;
        for (int i = 0; i < s->tunables->n; i++) {
            better |= try_line(s, from, i, reach);
            if (s->found)
                memcpy(from, s->best, sizeof from);
        }
        better |= try_exchanges(s, from);
        if (s->found)
            memcpy(from, s->best, sizeof from);
    }
}

/* The number of the greatest candidate that is not above `value`. */
static int candidate_number(const struct candidates *c, treefork_int value)
{
    int number = 0;
    while (number + 1 < c->n && c->at[number + 1] <= value)
        number++;
    return number;
}

/* Blocks of some 16 by 16 threads of little work first, then threads of one point each. */
static void search_run(struct search *s)
{
    enum { MIDDLE = 16, BLOCK_CHOICES = 11 };
    int middle[TUNABLES_MAX] = {0}, least[TUNABLES_MAX] = {0};
    for (int i = 0; i < s->tunables->n; i++)
        if (s->tunables->rows[i]->choices >= BLOCK_CHOICES)
            middle[i] = candidate_number(&s->candidates[i], MIDDLE);
    search_from(s, middle, CANDIDATES_MAX);
    if (!s->found)
        search_from(s, least, CANDIDATES_MAX);
}

/* --- candidates ------------------------------------------------------------------------------ */

/* Values of a region that a number has to divide. */
struct dividends {
    struct treefork_evaluation *evaluation;
    const uint16_t *list;
};

static bool divides_all(void *state, treefork_int divisor)
{
    const struct dividends *d = state;
    for (size_t i = 1; i <= d->list[0]; i++) {
        treefork_int value;
        if (!treefork_evaluation_value(d->evaluation, d->list[i], &value) || value % divisor != 0)
            return false;
    }
    return true;
}

int treefork_tunable_numbers(struct treefork_evaluation *e, const struct treefork_tunable_row *row,
                             bool is_exact, treefork_int *at)
{
    struct dividends dividends = {e, e->region->lists + row->dividends};
    bool has_to_divide = is_exact && row->dividends;
    return treefork_candidates(row->choices, has_to_divide ? divides_all : NULL, &dividends, at);
}

/* The candidates at the point. */
static void candidates_fill(struct search *s)
{
    const struct treefork_tunables *tunables = s->tunables;
    point_set(s);
    for (int i = 0; i < tunables->n; i++)
        s->candidates[i].n = treefork_tunable_numbers(s->choosing->evaluation, tunables->rows[i],
                                                      tunables->is_exact, s->candidates[i].at);
}

/* --- better choices -------------------------------------------------------------------------- */

/* The time of a choice at the search's point; false if it cannot be taken there. */
static bool choice_time(struct search *s, const struct treefork_chosen *choice,
                        struct treefork_prediction *time)
{
    if (choice->leaf == 0)
        return false;
    for (int i = 0; i < choice->n; i++)
        s->integers[choice->integers[i]] = choice->values[i];
    return point_is_legal(s) &&
           treefork_evaluation_best(s->choosing->evaluation, choice->leaf, time) != 0;
}

static bool pays(const struct treefork_prediction *now, const struct treefork_prediction *better)
{
    double saved = now->nanoseconds - better->nanoseconds;
    return saved * 8 > now->nanoseconds || saved * CALLS > COMPILING;
}

/* The numbers of the candidates nearest to a choice. */
static void numbers_near(const struct search *s, const struct treefork_chosen *choice,
                         int *numbers)
{
    for (int i = 0; i < s->tunables->n; i++)
        numbers[i] = i < choice->n ? candidate_number(&s->candidates[i], choice->values[i]) : 0;
}

void treefork_choice_search(const struct treefork_tunables *tunables, treefork_int *integers,
                            const struct treefork_chosen *base, struct treefork_chosen *choice,
                            struct treefork_refusal *refusal)
{
    struct search s = {.tunables = tunables,
                       .choosing = tunables->choosing,
                       .integers = integers,
                       .refusal = refusal};
    struct treefork_prediction time;
    const struct treefork_texts texts = {text_is_general, &s};
    int near[TUNABLES_MAX] = {0};
    tunables->choosing->evaluation->texts = tunables->choosing->device ? &texts : NULL;
    refusal->status = 0;
    candidates_fill(&s);
    *choice = *base;
    bool possible = choice_time(&s, base, &time);
    if (possible) {
        numbers_near(&s, base, near);
        search_from(&s, near, NEAR);
    } else {
        choice->leaf = 0;
        search_run(&s);
    }
    if (s.found && (!possible || pays(&time, &s.time)))
        *choice = s.choice;
    tunables->choosing->evaluation->texts = NULL;
}
