/* Tables of auxiliary integers (slots.h).

   In:  definitions of the store. Out: their numbers on a path, their bounds and order there.
   Invariant: operands stand before what uses them; what is known of an integer follows from its
   definition, and of two integers from their two definitions, whatever else is in the table. */
#include "optimizer/slots.h"

int slots_find(struct slots slots, const struct definition *definition)
{
    for (int i = 0; i < slots.count; i++)
        if (slots.at[i] == definition)
            return i;
    return -1;
}

static struct slots slots_add(struct arena *arena, struct slots slots,
                              const struct definition *definition)
{
    const struct definition **at = ARENA_ARRAY(arena, const struct definition *, slots.count + 1);
    for (int i = 0; i < slots.count; i++)
        at[i] = slots.at[i];
    at[slots.count] = definition;
    return (struct slots){slots.count + 1, at};
}

bool slots_join(const struct search_space *space, struct slots *to, struct slots from, int room,
                int *at)
{
    for (int v = 0; v < RING_CAPACITY; v++)
        at[v] = v;
    for (int i = 0; i < from.count; i++) {
        int own[RING_CAPACITY];
        if (!slots_join(space, to, from.at[i]->operands, room, own))
            return false;
        int place = slots_find(*to, from.at[i]);
        if (place < 0) {
            place = to->count;
            if (space->n_fixed + place + room >= RING_CAPACITY)
                return false;
            *to = slots_add(space->arena, *to, from.at[i]);
        }
        at[space->n_fixed + i] = space_slot(space, place);
    }
    return true;
}

/* Without what is known of its order with others. */
static struct auxiliary *auxiliary_make(const struct search_space *space, struct ring *ring,
                                        struct slots slots, int i)
{
    const struct definition *d = slots.at[i];
    struct auxiliary *auxiliary = ARENA_NEW(space->arena, struct auxiliary);
    struct slots same = slots;
    int at[RING_CAPACITY];
    (void)slots_join(space, &same, d->operands, 0, at);
    int variable = space_slot(space, i);
    *auxiliary = (struct auxiliary){.form = d->form,
                                    .variable = variable,
                                    .name = ring_name(ring, variable),
                                    .numerator = poly_rename(ring, d->numerator, at),
                                    .denominator = poly_rename(ring, d->denominator, at),
                                    .cap = poly_rename(ring, d->cap, at),
                                    .multiple = d->multiple,
                                    .floor = d->floor,
                                    .least = d->least,
                                    .machine = space->machine};
    auxiliary_define(space->arena, auxiliary);
    return auxiliary;
}

/* Is `c` a bound bound <= variable with bound >= 0? */
static bool lower_bound(struct constraint c, int variable, int64_t *bound)
{
    struct ring *ring = poly_ring(c.poly);
    const struct poly *p = NULL;
    if (c.relation == RELATION_GE)
        p = c.poly;
    if (c.relation == RELATION_LE)
        p = poly_neg(c.poly);
    if (!p || poly_degree(p, variable) != 1)
        return false;
    return poly_get_integer(poly_sub(poly_variable(ring, variable), p), bound) && *bound >= 0;
}

int64_t slots_least(const struct search_space *space, struct slots slots, int variable)
{
    int slot = variable - space->n_fixed;
    int64_t bound, best = -1;
    if (slot >= 0)
        return slot < slots.count ? slots.at[slot]->floor : -1;
    for (size_t i = 0; i < space->initial.count; i++)
        if (lower_bound(space->initial.at[i], variable, &bound) && bound > best)
            best = bound;
    return best;
}

/* Is p never negative in the initial system? Every variable is moved to its least value; then no
   coefficient may be negative. False says nothing. */
static bool is_nonnegative(const struct search_space *space, struct slots slots,
                           const struct poly *p)
{
    unsigned exponents[RING_CAPACITY];
    int64_t numerator, denominator;
    if (!p)
        return false;
    struct ring *ring = poly_ring(p);
    for (int v = 0; v < ring_count(ring); v++) {
        if (!poly_uses(p, v))
            continue;
        int64_t least = slots_least(space, slots, v);
        if (least < 0)
            return false;
        if (least > 0)
            p = poly_substitute(p, v,
                                poly_add(poly_variable(ring, v), poly_integer(ring, least)));
        if (!p)
            return false;
    }
    for (size_t i = 0; i < poly_terms(p); i++)
        if (!poly_term(p, i, &numerator, &denominator, exponents) || numerator < 0)
            return false;
    return true;
}

/* Of two that differ in their numerators and floors only, the one with the larger numerator is the
   larger: ceilings keep order, which their bounds over the reals do not tell. */
static struct sas order_add(const struct search_space *space, struct slots slots, struct sas facts,
                            const struct auxiliary *a, const struct auxiliary *b)
{
    struct ring *ring = facts.ring;
    const struct poly *v = poly_variable(ring, a->variable), *w = poly_variable(ring, b->variable);
    const struct poly *difference = poly_sub(a->numerator, b->numerator);
    if (a->floor >= b->floor && is_nonnegative(space, slots, difference))
        return sas_add(space->arena, facts, constraint_make(w, RELATION_LE, v));
    if (a->floor <= b->floor && is_nonnegative(space, slots, poly_neg(difference)))
        return sas_add(space->arena, facts, constraint_make(v, RELATION_LE, w));
    return facts;
}

/* May they differ in nothing but their numerators and floors? */
static bool is_alike(const struct definition *a, const struct definition *b)
{
    return a->form == b->form && a->multiple == b->multiple && (a->cap == NULL) == (b->cap == NULL);
}

const struct auxiliary *slots_auxiliary(const struct search_space *space, struct ring *ring,
                                        struct slots slots, int i)
{
    struct auxiliary *own = auxiliary_make(space, ring, slots, i);
    for (int k = 0; k < i; k++) {
        if (!is_alike(slots.at[i], slots.at[k]))
            continue;
        const struct auxiliary *other = auxiliary_make(space, ring, slots, k);
        struct auxiliary same = *other;
        same.numerator = own->numerator;
        same.floor = own->floor;
        if (auxiliary_equal(&same, own))
            own->facts = order_add(space, slots, own->facts, own, other);
    }
    return own;
}

const struct auxiliary *const *slots_integers(const struct search_space *space, struct slots slots)
{
    const struct auxiliary **integers = ARENA_ARRAY(space->arena, const struct auxiliary *,
                                                    slots.count + 1);
    for (int i = 0; i < slots.count; i++)
        integers[i] = slots_auxiliary(space, space->ring, slots, i);
    return integers;
}

struct sas slots_facts(const struct search_space *space, struct slots slots)
{
    struct sas facts = sas_empty(space->ring);
    for (int i = 0; i < slots.count; i++)
        facts = sas_join(space->arena, facts, slots_auxiliary(space, space->ring, slots, i)->facts);
    return facts;
}
