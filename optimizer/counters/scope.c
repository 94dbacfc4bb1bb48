/* Rings and auxiliary integers of counters' values (scope.h), and values at points.

   In: a kernel and a row of counter.def. Out: the ring its polynomials belong to, auxiliary
   integers in it, the kernel's references over it. Invariant: an auxiliary integer that is a number
   is that number; the same definition is the same variable. */
#include "optimizer/counters/scope.h"

struct scope scope_new(struct store *store, const struct kernel *kernel, enum counter_symbol symbol)
{
    struct scope scope = {.store = store,
                          .kernel = kernel,
                          .ring = store->ring,
                          .is_private = true};
    for (int i = 0; i < store->n_counters; i++)
        scope.is_private &= store->counters[i] != (int)symbol;
    scope.is_target = !scope.is_private && counter_table((int)symbol)->kind == COUNTER_TARGET;
    if (!scope.is_private)
        return scope;
    scope.ring = ring_new(store->ctx->arena);
    for (int i = 0; i < kernel->n_params; i++)
        if (kernel->params[i]->variable >= 0)
            ring_variable(scope.ring, kernel->params[i]->var->name);
    return scope;
}

const struct poly *scope_machine(struct scope *scope, const char *name)
{
    int variable = scope->is_private ? ring_variable(scope->ring, name)
                                     : store_machine(scope->store, name);
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

/* One in the tree's ring; NULL if there is no room. */
static const struct auxiliary *auxiliary_shared(struct scope *scope, const char *stem,
                                                const struct auxiliary *definition)
{
    struct store *store = scope->store;
    for (size_t i = 0; i < store->auxiliaries.count; i++)
        if (auxiliary_equal(store->auxiliaries.at[i], definition))
            return store->auxiliaries.at[i];
    int room = scope->is_target ? ROOM : 0;
    return ring_count(scope->ring) + room < RING_CAPACITY ? store_auxiliary(store, stem, definition)
                                                          : NULL;
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
    const struct auxiliary *found = scope_find(scope, definition);
    if (!found) {
        found = scope->is_private ? auxiliary_private(scope, stem, definition)
                                  : auxiliary_shared(scope, stem, definition);
        if (!found) {
            scope->reason = "too many parameters";
            return NULL;
        }
        vec_push(scope->store->ctx->arena, &scope->auxiliaries, found);
    }
    return poly_variable(scope->ring, found->variable);
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

static const struct poly *list_quotient(void *state, const struct poly *numerator,
                                        const struct poly *denominator, bool nonnegative)
{
    return scope_quotient(state, numerator, denominator, nonnegative);
}

size_t scope_accesses(struct scope *scope, const struct list_access **list)
{
    struct list_options options = {scope->ring, list_quotient, scope};
    return access_list(scope->store->ctx, scope->kernel, &options, list);
}

struct counter_value scope_value(struct scope *scope, size_t count,
                                 const struct counter_piece *pieces)
{
    return (struct counter_value){.count = count,
                                  .pieces = pieces,
                                  .n_auxiliary = scope->auxiliaries.count,
                                  .auxiliaries = scope->auxiliaries.at};
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
