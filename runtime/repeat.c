/* Runs of regions that repeat: a loop of the host launches a region thousands of times with the
   same sizes. In: a region and its arguments; out: all that was found out at the run before.
   An integer decides nothing (a step of time that only kernels read) where the tables say so, and
   may differ then. What else a choice heeds is the device's (limits: treefork_repeats_forget),
   has changed since choices were last forgotten (what is kept of tuning), or makes the caller not
   ask (environment, a region that is timed). */
#include "runtime/repeat.h"
#include "runtime/choice.h"
#include <stdlib.h>

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

/* Choices heed every integer that loops of the host do not change (choice.c). */
static bool may_differ(const struct treefork_parameter_row *row)
{
    return row->varies && !row->decides;
}

static bool arguments_equal(const struct treefork_repeat *r, const struct treefork_region *region,
                            const struct treefork_argument *arguments)
{
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *row = &region->parameters[i];
        if (row->integer != TREEFORK_NONE && !may_differ(row) &&
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
        if (row->integer != TREEFORK_NONE && may_differ(row))
            r->integers[row->integer] = treefork_argument_integer(&arguments[i]);
    }
}

struct treefork_repeat *treefork_repeat_find(struct treefork_device *device,
                                             const struct treefork_region *region,
                                             const struct treefork_argument *arguments,
                                             int automatic, bool after_serial)
{
    uint64_t number = treefork_region_number(region);
    struct treefork_repeat *r = number ? *place_of(device, number) : NULL;
    if (!r || r->region != number ||
        r->generation != treefork_choice_generation() || r->automatic != automatic ||
        r->after_serial != after_serial || !arguments_equal(r, region, arguments))
        return NULL;
    arguments_take(r, region, arguments);
    return r;
}

static void repeat_free(struct treefork_repeat *r)
{
    if (!r)
        return;
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

void treefork_repeats_forget(struct treefork_device *device)
{
    for (size_t i = 0; i < TREEFORK_REPEATS; i++) {
        repeat_free(device->repeats[i]);
        device->repeats[i] = NULL;
    }
}
