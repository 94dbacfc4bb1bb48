/* In: a reference that reads. Out: whether its thread has always written the element before.

   A store is looked for of which an execution precedes every execution of the read, in the same
   thread and with the same subscripts. Both stand in the same loops and conditions down to some
   point, and run through them together. Below that point the store's loops and axes correspond to
   loops and axes of the read with the same bounds, so that for the values that the read's iterators
   have there is an execution of the store with these values, which came first, as the store stands
   first. Its conditions hold because the read stands under the same ones.

   Or a condition of the store holds in the first round of a loop around both (`if (p == 0)`) and
   nothing else about the store depends on that loop: then what the store writes in the first round
   is there in all rounds. A read under the opposite condition is made in later rounds only and may
   stand before the store. */
#include "ir/access/footprint.h"

enum { PAIRS_MAX = 8 };

/* Iterators of the store and of the read that have the same value. */
struct iterator_pair {
    int store, read;
};

struct matching {
    struct analysis *analysis;
    const struct access *store, *read;
    size_t n_common;                  /* steps that both paths begin with */
    int n_pairs;
    struct iterator_pair pairs[PAIRS_MAX];
    bool is_later;                    /* the read is made in later rounds only */
};

static const struct expr *var_of_read(void *state, const struct var *var)
{
    const struct matching *m = state;
    for (int i = 0; i < m->n_pairs; i++)
        if (m->analysis->iterators.at[m->pairs[i].store].var == var)
            return expr_var(m->analysis->ctx->arena,
                            m->analysis->iterators.at[m->pairs[i].read].var);
    return NULL;
}

/* Has the store's expression the value of the read's? */
static bool values_equal(struct matching *m, const struct expr *store, const struct expr *read)
{
    if (!store || !read)
        return false;
    return expr_equal(expr_substitute(m->analysis->ctx->arena, store, var_of_read, m), read);
}

static int iterator_of_read(const struct matching *m, int iterator)
{
    for (int i = 0; i < m->n_pairs; i++)
        if (m->pairs[i].store == iterator)
            return m->pairs[i].read;
    return iterator;
}

static bool subscripts_equal(const struct matching *m)
{
    for (int d = 0; d < m->read->reference.array->n_dims; d++) {
        const struct form *a = m->store->subscripts[d], *b = m->read->subscripts[d];
        if (a->n_terms != b->n_terms || !poly_equal(a->constant, b->constant))
            return false;
        for (int i = 0; i < a->n_terms; i++) {
            int iterator = iterator_of_read(m, a->terms[i].iterator);
            const struct poly *c = form_coefficient(b, iterator);
            if (!c || !poly_equal(c, a->terms[i].coefficient))
                return false;
        }
    }
    return true;
}

/* --- conditions ------------------------------------------------------------------------------- */

/* Do both say the same, or the opposite? */
static bool conditions_equal(struct matching *m, const struct condition *store,
                             const struct condition *read, bool opposite)
{
    return store->kind != CONDITION_OPAQUE && read->kind != CONDITION_OPAQUE &&
           (store->negated == read->negated) != opposite &&
           values_equal(m, store->expr, read->expr);
}

static bool read_has_condition(struct matching *m, const struct condition *condition, bool opposite)
{
    for (size_t i = 0; i < m->read->n_path; i++)
        if (m->read->path[i].iterator < 0 &&
            conditions_equal(m, condition, &m->read->path[i].condition, opposite))
            return true;
    return false;
}

struct first_value {
    const struct var *var;
    const struct expr *from;
};

static const struct expr *var_first(void *state, const struct var *var)
{
    const struct first_value *first = state;
    return var == first->var ? first->from : NULL;
}

/* Does the condition hold in the first round of the loop? */
static bool holds_first(struct analysis *analysis, const struct condition *condition,
                        const struct path_step *loop)
{
    const struct var *var = analysis->iterators.at[loop->iterator].var;
    struct guards guards = {0};
    if (!condition->expr || !loop->from || !expr_uses_var(condition->expr, var))
        return false;
    struct first_value first = {var, expr_cast(analysis->ctx->arena, var->type, loop->from)};
    const struct expr *e =
        expr_substitute(analysis->ctx->arena, condition->expr, var_first, &first);
    if (!guard_collect(analysis, e, condition->negated, &guards) || guards.forms.count)
        return false;
    for (size_t i = 0; i < guards.facts.count; i++)
        if (!context_nonnegative(analysis->context, guards.facts.at[i]))
            return false;
    return true;
}

static bool step_uses(const struct path_step *step, const struct var *var)
{
    const struct expr *const used[] = {step->iterator < 0 ? step->condition.expr : step->from,
                                       step->iterator < 0 ? NULL : step->to,
                                       step->iterator < 0 ? NULL : step->step};
    if (!used[0] || (step->iterator >= 0 && (!step->to || !step->step)))
        return true;
    for (int i = 0; i < 3; i++)
        if (used[i] && expr_uses_var(used[i], var))
            return true;
    return false;
}

/* Does nothing about the store but condition number `condition` depend on loop number `loop` of its
   path? */
static bool is_independent(const struct matching *m, size_t loop, size_t condition)
{
    int iterator = m->store->path[loop].iterator;
    const struct var *var = m->analysis->iterators.at[iterator].var;
    for (size_t i = loop + 1; i < m->store->n_path; i++)
        if (i != condition && step_uses(&m->store->path[i], var))
            return false;
    for (int d = 0; d < m->store->reference.array->n_dims; d++)
        if (form_coefficient(m->store->subscripts[d], iterator))
            return false;
    return true;
}

/* Does condition number i of the store hold in the first round of a loop around both? */
static bool is_first_round(struct matching *m, size_t i)
{
    const struct path_step *path = m->store->path;
    for (size_t loop = 0; loop < m->n_common; loop++)
        if (path[loop].loop && holds_first(m->analysis, &path[i].condition, &path[loop]) &&
            is_independent(m, loop, i)) {
            m->is_later |= read_has_condition(m, &path[i].condition, true);
            return true;
        }
    return false;
}

/* --- loops ------------------------------------------------------------------------------------ */

static bool is_paired(const struct matching *m, int iterator)
{
    for (int i = 0; i < m->n_pairs; i++)
        if (m->pairs[i].read == iterator)
            return true;
    return false;
}

/* Do the subscripts of both use their iterator in the same way? */
static bool uses_equal(const struct matching *m, int store, int read)
{
    for (int d = 0; d < m->read->reference.array->n_dims; d++) {
        const struct poly *a = form_coefficient(m->store->subscripts[d], store),
                          *b = form_coefficient(m->read->subscripts[d], read);
        if (!a != !b || (a && !poly_equal(a, b)))
            return false;
    }
    return true;
}

/* Go the store's axis or loop and the read's through the same values? Axes must be the same ones of
   the block, so that the thread is the same. */
static bool steps_correspond(struct matching *m, const struct path_step *a,
                             const struct path_step *b)
{
    const struct iterator *store = &m->analysis->iterators.at[a->iterator],
                          *read = &m->analysis->iterators.at[b->iterator];
    return store->axis == read->axis && !a->loop == !b->loop &&
           (!a->loop || uses_equal(m, a->iterator, b->iterator)) &&
           values_equal(m, a->from, b->from) && values_equal(m, a->to, b->to) &&
           values_equal(m, a->step, b->step);
}

static bool loop_pair(struct matching *m, const struct path_step *step)
{
    for (size_t i = m->n_common; i < m->read->n_path; i++) {
        const struct path_step *other = &m->read->path[i];
        if (other->iterator < 0 || is_paired(m, other->iterator) || m->n_pairs == PAIRS_MAX ||
            !steps_correspond(m, step, other))
            continue;
        m->pairs[m->n_pairs++] = (struct iterator_pair){step->iterator, other->iterator};
        return true;
    }
    return false;
}

/* --- stores ----------------------------------------------------------------------------------- */

static bool steps_equal(struct matching *m, const struct path_step *a, const struct path_step *b)
{
    if (a->iterator >= 0 || b->iterator >= 0)
        return a->iterator == b->iterator;
    return conditions_equal(m, &a->condition, &b->condition, false);
}

/* Is the store made whenever the read is, by the same thread on the same element, and, but for the
   order in which they stand, before it? */
static bool is_matched(struct matching *m)
{
    const struct access *store = m->store, *read = m->read;
    while (m->n_common < store->n_path && m->n_common < read->n_path &&
           steps_equal(m, &store->path[m->n_common], &read->path[m->n_common]))
        m->n_common++;
    for (size_t i = m->n_common; i < store->n_path; i++) {
        const struct path_step *step = &store->path[i];
        bool ok = step->iterator >= 0 ? loop_pair(m, step)
                                      : read_has_condition(m, &step->condition, false) ||
                                            is_first_round(m, i);
        if (!ok)
            return false;
    }
    return subscripts_equal(m);
}

bool read_is_prepared(struct analysis *analysis, size_t read)
{
    const struct access *access = analysis->accesses.at[read];
    if (access->unknown)
        return false;
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *store = analysis->accesses.at[i];
        struct matching m = {.analysis = analysis,
                             .store = store,
                             .read = access};
        if (store->reference.array == access->reference.array && store->reference.is_write &&
            store->band && access->band && !store->unknown && is_matched(&m) &&
            (i < read || m.is_later))
            return true;
    }
    return false;
}
