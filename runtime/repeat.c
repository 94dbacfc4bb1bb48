/* Runs of regions that repeat: a loop of the host launches a region thousands of times with the
   same sizes. In: a region and its arguments; out: all that was found out at the run before.
   An integer decides nothing (a step of time that only kernels read) where the tables say so, and
   may differ then. What else a choice heeds is the device's (limits: treefork_repeats_forget),
   has changed since choices were last forgotten (what is kept of tuning), or makes the caller not
   ask (environment, a region that is timed). */
#include "runtime/repeat.h"
#include "runtime/choice.h"
#include "runtime/in_place.h"
#include "runtime/sides.h"
#include "runtime/stays.h"
#include <stdlib.h>
#include <string.h>

static struct treefork_repeat **place_of(struct treefork_device *device, uint64_t number)
{
    return &device->repeats[number % TREEFORK_REPEATS];
}

bool treefork_argument_is_unsigned(const struct treefork_argument *argument)
{
    return argument->type == TREEFORK_U8 || argument->type == TREEFORK_U16 ||
           argument->type == TREEFORK_U32 || argument->type == TREEFORK_U64;
}

treefork_int treefork_argument_integer(const struct treefork_argument *argument)
{
    return treefork_argument_is_unsigned(argument) ? (treefork_int)argument->value.u
                                                   : argument->value.i;
}

/* Choices heed every integer that loops of the host do not change (choice.c). Serial code is right
   whatever NAME_select says, so that others decide where it runs only as they decide the choice. */
static bool may_differ(const struct treefork_repeat *r, const struct treefork_parameter_row *row)
{
    return row->varies && (!row->decides || r->is_free);
}

static bool arguments_equal(const struct treefork_repeat *r, const struct treefork_region *region,
                            const struct treefork_argument *arguments)
{
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *row = &region->parameters[i];
        if (row->integer != TREEFORK_NONE && !may_differ(r, row) &&
            treefork_argument_integer(&arguments[i]) != r->given[row->integer])
            return false;
    }
    return true;
}

static void arguments_take(struct treefork_repeat *r, const struct treefork_region *region,
                           const struct treefork_argument *arguments)
{
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *row = &region->parameters[i];
        if (row->integer != TREEFORK_NONE && may_differ(r, row))
            r->integers[row->integer] = treefork_argument_integer(&arguments[i]);
    }
}

/* Counts the repetitions that there were. */
static void repetitions_settle(struct treefork_repeat *r)
{
    if (r->side && r->settled > r->left)
        treefork_side_spend(r->side, (double)(r->settled - r->left) * r->price);
    r->settled = r->left;
}

struct treefork_repeat *treefork_repeat_find(struct treefork_device *device,
                                             const struct treefork_region *region,
                                             const struct treefork_argument *arguments,
                                             int automatic, unsigned history)
{
    uint64_t number = treefork_region_number(region);
    struct treefork_repeat *r = number ? *place_of(device, number) : NULL;
    if (!r)
        return NULL;
    if (r->region != number || r->generation != treefork_choice_generation() ||
        r->automatic != automatic || r->history != history || r->left == 0 ||
        !arguments_equal(r, region, arguments)) {
        repetitions_settle(r);
        return NULL;
    }
    r->left--;
    arguments_take(r, region, arguments);
    return r;
}

static void repeat_free(struct treefork_repeat *r)
{
    if (!r)
        return;
    repetitions_settle(r);
    treefork_evaluation_free(&r->evaluation);
    free(r->integers);
    free(r->given);
    free(r->plans);
    free(r->bindings);
    free(r->bytes);
    free(r->access);
    free(r);
}

struct treefork_repeat *treefork_repeat_new(struct treefork_device *device,
                                            const struct treefork_region *region,
                                            const struct treefork_leaf_row *leaf)
{
    uint64_t number = treefork_region_number(region);
    struct treefork_repeat *r = number ? calloc(1, sizeof *r) : NULL;
    if (!r)
        return NULL;
    r->region = number;
    r->leaf = leaf;
    r->integers = calloc((size_t)region->n_integers + 1, sizeof *r->integers);
    r->given = calloc((size_t)region->n_integers + 1, sizeof *r->given);
    r->plans = calloc((size_t)leaf->count + 1, sizeof *r->plans);
    r->bindings = calloc((size_t)region->n_parameters + 1, sizeof *r->bindings);
    r->bytes = calloc((size_t)region->n_arrays + 1, sizeof *r->bytes);
    r->access = calloc((size_t)region->n_arrays + 1, sizeof *r->access);
    if (!r->integers || !r->given || !r->plans || !r->bindings || !r->bytes || !r->access) {
        repeat_free(r);
        return NULL;
    }
    repeat_free(*place_of(device, number));
    *place_of(device, number) = r;
    return r;
}

static unsigned history_of(const struct execution *x)
{
    return (unsigned)x->after_serial + 2u * x->switches.host;
}

bool treefork_may_repeat(const struct execution *x)
{
    return !x->switches.any && !x->device->watch && !x->region->checked;
}

void treefork_repeat_keep(struct execution *x)
{
    const struct treefork_region *region = x->region;
    struct treefork_repeat *r = treefork_repeat_new(x->device, region, x->leaf);
    treefork_int bytes = 0;
    if (!r)
        return;
    r->generation = x->generation;
    r->automatic = x->automatic;
    r->history = history_of(x);
    r->is_plain = !x->is_in_place && !x->device->group;
    if (x->shares)
        r->shares = *x->shares;
    r->reach = x->reach;
    r->is_in_place = x->is_in_place;
    r->is_away = x->is_away;
    r->waits = x->place.waits;
    r->left = r->settled = x->repeats;
    r->side = x->side;
    r->price = x->price;
    r->is_free = x->is_in_place && !treefork_choice_varies(region);
    memcpy(r->integers, x->integers, region->n_integers * sizeof *r->integers);
    memcpy(r->given, x->given, region->n_integers * sizeof *r->given);
    memcpy(r->bindings, x->bindings, x->n_bindings * sizeof *r->bindings);
    r->n_bindings = x->n_bindings;
    r->run = treefork_execution_run_of(x);
    r->run.integers = r->integers;
    for (size_t i = 0; i < x->leaf->count; i++)
        treefork_execution_plan_of(x, i, &r->plans[i]);
    for (size_t i = 0; i < region->n_arrays; i++) {
        treefork_evaluation_bytes(&x->evaluation, i, &bytes);
        r->bytes[i] = (size_t)bytes;
        r->access[i] = treefork_execution_access(x, i);
    }
}

static inline int repeat_arrays(struct execution *x, const struct treefork_repeat *r)
{
    int status = TREEFORK_OK;
    for (size_t i = 0; status == TREEFORK_OK && i < x->region->n_arrays; i++)
        status = treefork_execution_take_array(x, i, r->bytes[i], r->access[i]);
    return status;
}

static inline int repeat_launch(struct execution *x, const struct treefork_repeat *r)
{
    int status = repeat_arrays(x, r);
    if (status)
        return status;
    treefork_run_keep(&r->run, x->device);
    x->bindings = r->bindings;
    x->n_bindings = r->n_bindings;
    status = treefork_execution_launch(x, r->region, r->leaf, r->plans);
    x->bindings = NULL;
    return status;
}

static void repeat_take(struct execution *x, const struct treefork_repeat *r)
{
    if (!r->run.is_changed)
        return;
    x->integers = r->integers;
    treefork_execution_take(x);
    x->integers = NULL;
}

/* NULL if it has to be launched now. */
static struct treefork_repeat *repeat_stay(struct execution *x, struct treefork_repeat *r,
                                           int *status)
{
    if (!treefork_may_be_in_place(x) || (x->device->in_flight && !r->waits))
        return NULL;
    treefork_run_keep(&r->run, x->device);
    *status = treefork_hand_over(x);
    return r;
}

int treefork_repeat_launch(struct execution *x, const struct treefork_repeat *r)
{
    repeat_take(x, r);
    return repeat_launch(x, r);
}

bool treefork_execution_repeat(struct execution *x, int *status)
{
    pthread_mutex_lock(&x->device->mutex);
    struct treefork_repeat *r = NULL;
    if (treefork_may_repeat(x))
        r = treefork_repeat_find(x->device, x->region, x->arguments, x->automatic,
                                 history_of(x));
    if (r && r->is_away && treefork_may_be_in_place(x)) {
        r = NULL;
    } else if (r && r->is_plain) {
        repeat_take(x, r);
        *status = repeat_launch(x, r);
    } else if (r && r->is_in_place) {
        r = repeat_stay(x, r, status);
    } else if (r && treefork_repeat_moves(x, r)) {
        r = NULL;
    } else if (r) {
        *status = treefork_repeat_share(x, r);
    }
    pthread_mutex_unlock(&x->device->mutex);
    return r != NULL;
}

void treefork_repeats_forget(struct treefork_device *device)
{
    for (size_t i = 0; i < TREEFORK_REPEATS; i++) {
        repeat_free(device->repeats[i]);
        device->repeats[i] = NULL;
    }
    treefork_stays_forget();
}
