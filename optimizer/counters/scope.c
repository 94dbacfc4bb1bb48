/* Rings and auxiliary integers of counters' values (scope.h), and values at points.

   In: a kernel and a row of counter.def. Out: the ring its polynomials belong to, auxiliary
   integers in it, the kernel's references over it. Invariant: an auxiliary integer that is a number
   is that number; the same definition is the same variable. */
#include "optimizer/counters/scope.h"
#include <assert.h>
#include <string.h>

/* Is the machine parameter its limit, or one that the counter declares? */
static bool counter_declares(const struct counter *counter, const char *name)
{
    size_t length = strlen(name);
    if (counter->limit && strcmp(counter->limit, name) == 0)
        return true;
    for (const char *at = strstr(counter->machine, name); at; at = strstr(at + 1, name))
        if ((at == counter->machine || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

struct scope scope_new(struct store *store, const struct kernel *kernel, enum counter_symbol symbol)
{
    const struct search_space *space = store->space;
    struct scope scope = {.store = store, .kernel = kernel, .ring = space->ring};
    scope.counter = symbol < COUNTER_COUNT ? counter_table((int)symbol) : NULL;
    scope.is_private = !space_forks_on(space, (int)symbol);
    scope.is_target = scope.counter && scope.counter->kind == COUNTER_TARGET && !scope.is_private;
    if (!scope.is_private)
        return scope;
    scope.ring = ring_new(store->scratch ? store->scratch : store->ctx->arena);
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            ring_variable(scope.ring, kernel->params[i]->var->name);
    return scope;
}

const struct poly *scope_machine(struct scope *scope, const char *name)
{
    assert(!scope->counter || counter_declares(scope->counter, name));
    int variable = scope->is_private ? ring_variable(scope->ring, name)
                                     : ring_find(scope->ring, name);
    if (variable < 0)
        scope->reason = "too many parameters";
    return variable < 0 ? NULL : poly_variable(scope->ring, variable);
}

/* A definition in a ring of its own. */
static const struct auxiliary *auxiliary_private(struct scope *scope, const char *stem,
                                                 const struct auxiliary *definition)
{
    struct arena *arena = scope->store->ctx->arena;
    const char *name = stem;
    for (int i = 2; ring_find(scope->ring, name) >= 0 || kernel_param(scope->kernel, name) ||
                    kernel_array(scope->kernel, name);
         i++)
        name = arena_printf(arena, "%s_%d", stem, i);
    struct auxiliary *new = ARENA_NEW(arena, struct auxiliary);
    *new = *definition;
    new->name = name;
    new->variable = ring_variable(scope->ring, name);
    if (new->variable < 0)
        return NULL;
    auxiliary_define(arena, new);
    return new;
}

enum { ROOM = 12 };   /* of the tree's ring for what the resources still need */

/* The variable of a definition in a slot of the space's ring; -1 if there is no room. */
static int slot_take(struct scope *scope, const char *stem, const struct auxiliary *definition)
{
    struct store *store = scope->store;
    const struct definition *d = store_definition(store, stem, definition, scope_slots(scope));
    int place = slots_find(scope_slots(scope), d), room = scope->is_target ? ROOM : 0;
    if (place >= 0)
        return space_slot(store->space, place);
    place = (int)scope->definitions.count;
    if (space_slot(store->space, place + room) < 0)
        return -1;
    vec_push(store->ctx->arena, &scope->definitions, d);
    return space_slot(store->space, place);
}

static const struct auxiliary *scope_find(const struct scope *scope,
                                          const struct auxiliary *definition)
{
    for (size_t i = 0; i < scope->auxiliaries.count; i++) {
        const struct auxiliary *old = scope->auxiliaries.at[i];
        if (auxiliary_equal(old, definition))
            return old;
    }
    return NULL;
}

static int private_take(struct scope *scope, const char *stem, const struct auxiliary *definition)
{
    const struct auxiliary *found = scope_find(scope, definition);
    if (found)
        return found->variable;
    found = auxiliary_private(scope, stem, definition);
    if (!found)
        return -1;
    vec_push(scope->store->ctx->arena, &scope->auxiliaries, found);
    return found->variable;
}

const struct poly *scope_auxiliary(struct scope *scope, const char *stem,
                                   const struct auxiliary *definition)
{
    int64_t a, b, none[RING_CAPACITY] = {0}, value;
    if (!definition->numerator || !definition->denominator) {
        scope->reason = "a polynomial of too high a degree";
        return NULL;
    }
    if (poly_get_integer(definition->numerator, &a) &&
        poly_get_integer(definition->denominator, &b) &&
        auxiliary_evaluate(definition, none, &value))
        return poly_integer(scope->ring, value);
    int variable = scope->is_private ? private_take(scope, stem, definition)
                                     : slot_take(scope, stem, definition);
    if (variable < 0)
        scope->reason = "too many parameters";
    return variable < 0 ? NULL : poly_variable(scope->ring, variable);
}

const struct poly *scope_ceiling(struct scope *scope, const char *stem,
                                 const struct poly *numerator, const struct poly *denominator)
{
    int64_t one;
    if (numerator && denominator && poly_get_integer(denominator, &one) && one == 1)
        return numerator;
    struct auxiliary definition = {.numerator = numerator,
                                   .denominator = denominator,
                                   .multiple = 1,
                                   .floor = 1,
                                   .least = 1};
    return scope_auxiliary(scope, stem, &definition);
}

/* The least value that a variable of the ring can have; false if none is known. */
static bool variable_least(const struct scope *scope, int variable, int64_t *least)
{
    const struct param *param = kernel_param(scope->kernel, ring_name(scope->ring, variable));
    *least = param ? param->lo : 0;
    if (param)
        return param->has_lo && param->lo >= 0;
    for (size_t i = 0; i < scope->auxiliaries.count; i++)
        if (scope->auxiliaries.at[i]->variable == variable)
            *least = scope->auxiliaries.at[i]->floor;
    int slot = variable - scope->store->space->n_fixed;
    if (!scope->is_private && slot >= 0 && slot < (int)scope->definitions.count)
        *least = scope->definitions.at[slot]->floor;
    return true;
}

/* Every variable is moved to its least value; then no coefficient may be negative. */
bool scope_nonnegative(const struct scope *scope, const struct poly *p)
{
    unsigned exponents[RING_CAPACITY];
    int64_t least, numerator, denominator;
    for (int v = 0; p && v < ring_count(scope->ring); v++) {
        if (!poly_uses(p, v))
            continue;
        if (!variable_least(scope, v, &least))
            return false;
        if (least > 0)
            p = poly_substitute(p, v,
                                poly_add(poly_variable(scope->ring, v),
                                         poly_integer(scope->ring, least)));
    }
    if (p)
        for (size_t i = 0; i < poly_terms(p); i++)
            if (!poly_term(p, i, &numerator, &denominator, exponents) || numerator < 0)
                return false;
    return p != NULL;
}

const struct poly *scope_quotient(struct scope *scope, const struct poly *numerator,
                                  const struct poly *denominator, bool nonnegative)
{
    int64_t one;
    if (poly_get_integer(denominator, &one) && one == 1 &&
        (nonnegative || scope_nonnegative(scope, numerator)))
        return numerator;
    const struct poly *shifted = poly_add(poly_sub(numerator, denominator),
                                          poly_integer(scope->ring, 1));
    struct auxiliary definition = {.numerator = shifted, .denominator = denominator, .multiple = 1,
                                   .least = nonnegative ? 0 : INT64_MIN};
    return scope_auxiliary(scope, "f", &definition);
}

const struct poly *scope_halvings(struct scope *scope, const struct poly *p)
{
    const char *reason = scope->reason;
    struct auxiliary definition = {.form = AUXILIARY_HALVINGS,
                                   .numerator = p,
                                   .denominator = poly_integer(scope->ring, 1),
                                   .multiple = 1,
                                   .least = 0};
    const struct poly *halvings = scope->is_private ? scope_auxiliary(scope, "h", &definition)
                                                    : NULL;
    scope->reason = reason;
    return halvings;
}

static const struct poly *list_halvings(void *state, const struct poly *p)
{
    return scope_halvings(state, p);
}

static const struct poly *list_quotient(void *state, const struct poly *numerator,
                                        const struct poly *denominator, bool nonnegative)
{
    return scope_quotient(state, numerator, denominator, nonnegative);
}

size_t scope_accesses(struct scope *scope, const struct list_access **list)
{
    struct list_options options = {scope->ring, list_quotient, list_halvings, scope};
    return access_list(scope->store->ctx, scope->kernel, &options, list);
}

bool scope_straddle(struct scope *scope, struct list_straddle *straddle)
{
    struct list_options options = {scope->ring, list_quotient, list_halvings, scope};
    return access_straddle(scope->store->ctx, scope->kernel, &options, straddle);
}

struct slots scope_slots(const struct scope *scope)
{
    return (struct slots){(int)scope->definitions.count, scope->definitions.at};
}

const struct auxiliary *const *scope_integers(const struct scope *scope)
{
    return slots_integers(scope->store->space, scope_slots(scope));
}

struct counter_value scope_value(struct scope *scope, size_t count,
                                 const struct counter_piece *pieces)
{
    struct counter_value value = {.count = count,
                                  .pieces = pieces,
                                  .n_auxiliary = scope->auxiliaries.count,
                                  .auxiliaries = scope->auxiliaries.at};
    if (scope->is_private)
        return value;
    value.slots = scope_slots(scope);
    value.n_auxiliary = scope->definitions.count;
    value.auxiliaries = scope_integers(scope);
    return value;
}

struct counter_value scope_none(const char *reason)
{
    return (struct counter_value){.reason = reason};
}

int counter_value_at(const struct counter_value *value, int64_t *point, int64_t *numerator,
                     int64_t *denominator)
{
    for (size_t i = 0; i < value->n_auxiliary; i++)
        if (!auxiliary_evaluate(value->auxiliaries[i], point,
                                &point[value->auxiliaries[i]->variable]))
            return -1;
    for (size_t i = 0; i < value->count; i++) {
        const struct counter_piece *piece = &value->pieces[i];
        int holds = sas_holds(piece->guard, point);
        *denominator = 1;
        if (holds == 0)
            continue;
        if (holds < 0 || !poly_evaluate(piece->numerator, point, numerator) ||
            (piece->denominator && !poly_evaluate(piece->denominator, point, denominator)))
            return -1;
        return (int)i;
    }
    return -1;
}
