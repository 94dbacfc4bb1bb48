/* The choice that a region makes for itself: tunables on which nothing that it computes depends,
   and the leaf, by predicted time (a model, no trial).

   In: the tables of a region, its integer parameters, a device. Out: the tunables and the leaf. A
   choice is a function of the device and the parameters alone, so that every process chooses alike:

   1. A *class* is what the parameters are once every extent that blocks share out is rounded to a
      power of two. Its choice is the best that a search finds at the rounded point.
   2. At the point itself the choice of the class is taken, so that nothing new is compiled when a
      size changes a little, unless the search finds one that pays: an eighth of the predicted time,
      or what compiling takes within so many calls.

   Both are remembered. Where loops of the host change a parameter between two runs, only the
   rounded extents that it gives count, not its value: the choice is that of the first run with such
   extents. And the class of such a run begins with the choice for extents of 1024, the *anchor*,
   or of the greatest smaller power of two at which the region can run, which it leaves only if
   that pays: small extents take little time anyhow, and each choice is another binary.

   A choice that was tuned for the point comes before all this (tuned_choice.c). It is looked for
   where a point is met first, and remembered like the others.

   How a search goes about it stands in choice_search.c. */
#include "runtime/serial.h"
#include "runtime/several.h"
#include "runtime/tuned.h"
#include <stdlib.h>
#include <string.h>

const struct treefork_machine *treefork_choosing_machine(const struct treefork_choosing *c)
{
    return c->device ? treefork_device_machine(c->device) : c->machine;
}

/* The region's values at its parameters as they are. */
static void values_set(const struct treefork_choosing *c)
{
    treefork_evaluation_set(c->evaluation, treefork_choosing_machine(c), c->integers);
}

static bool is_exact_here(const struct treefork_choosing *c)
{
    values_set(c);
    return treefork_evaluation_exact(c->evaluation);
}

/* --- tunables -------------------------------------------------------------------------------- */

static bool is_active(const struct treefork_choosing *c, const struct treefork_tunable_row *row,
                      bool is_exact)
{
    bool is_given = c->given >> (row - c->region->tunables) & 1;
    return (row->always || c->automatic) && !is_given && (is_exact || !row->dividends);
}

/* Which tunables are chosen: those tied to a division only where it is exact as things stand. */
struct treefork_tunables treefork_tunables_find(struct treefork_choosing *c)
{
    const struct treefork_region *region = c->region;
    struct treefork_tunables t = {.choosing = c, .is_exact = is_exact_here(c)};
    c->is_held = false;
    for (size_t i = 0; i < region->n_tunables && t.n < TUNABLES_MAX; i++) {
        const struct treefork_tunable_row *row = &region->tunables[i];
        c->is_held |= is_active(c, row, true) && !is_active(c, row, t.is_exact);
        if (!is_active(c, row, t.is_exact))
            continue;
        t.rows[t.n] = row;
        t.integers[t.n++] = region->parameters[row->parameter].integer;
    }
    return t;
}

/* --- classes --------------------------------------------------------------------------------- */

static void key_add(struct treefork_key *key, treefork_int value)
{
    key->at[key->n++] = value;
}

int treefork_rounded_exponent(treefork_int value)
{
    int exponent = 0;
    if (value < 1)
        return -1;
    while (value >> exponent > 1)
        exponent++;
    treefork_int power = (treefork_int)1 << exponent;
    return exponent < 62 && value - power >= power / 2 && exponent > 0 ? exponent + 1 : exponent;
}

/* Is the integer given, and not chosen? */
static bool is_given(const struct treefork_tunables *tunables, size_t integer)
{
    for (int i = 0; i < tunables->n; i++)
        if (tunables->integers[i] == integer)
            return false;
    return true;
}

static bool is_rounded(const struct treefork_region *region, size_t integer)
{
    for (size_t i = 0; i < region->n_sizes; i++)
        if (region->sizes[i].integer == integer)
            return true;
    return false;
}

static void key_begin(struct treefork_key *key, const struct treefork_choosing *c, int n)
{
    const struct treefork_several *several = c->evaluation->several;
    treefork_int devices = several ? (treefork_int)several->only << 32 : 0;
    key->n = 0;
    key_add(key, (treefork_int)(intptr_t)c->region);
    key_add(key, (treefork_int)(intptr_t)c->device);
    key_add(key, devices + 2 * (treefork_int)c->forced + (c->automatic != 0));
    key_add(key, (treefork_int)c->given);
    key_add(key, (treefork_int)treefork_choice_generation());
    key_add(key, n);
}

static void key_add_size(struct treefork_key *key, const struct treefork_choosing *c,
                         const struct treefork_size_row *size)
{
    treefork_int value;
    bool is_known = treefork_evaluation_value(c->evaluation, size->value, &value);
    key_add(key, is_known ? treefork_rounded_exponent(value) : -1);
}

/* What the parameters are once extents are rounded; those that loops of the host change to
   2^anchor, if it is not 0. The region's values are those of its parameters. */
static void key_of_class(struct treefork_key *key, const struct treefork_tunables *tunables,
                         int anchor)
{
    const struct treefork_choosing *c = tunables->choosing;
    const struct treefork_region *region = c->region;
    key_begin(key, c, tunables->n);
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *p = &region->parameters[i];
        if (p->integer != TREEFORK_NONE && !p->varies && is_given(tunables, p->integer) &&
            !is_rounded(region, p->integer))
            key_add(key, c->integers[p->integer]);
    }
    for (size_t i = 0; i < region->n_sizes; i++)
        if (anchor && region->sizes[i].varies)
            key_add(key, anchor);
        else
            key_add_size(key, c, &region->sizes[i]);
}

static bool has_varying_size(const struct treefork_region *region)
{
    for (size_t i = 0; i < region->n_sizes; i++)
        if (region->sizes[i].varies)
            return true;
    return false;
}

bool treefork_choice_varies(const struct treefork_region *region)
{
    return has_varying_size(region) || region->exact_varies;
}

/* What is remembered of a point, in place of a class's number of tunables. */
enum { OF_POINT = -1, OF_PLACE = -2, OF_SIZES = -3, OF_DEVICES = -4 };

static bool has_key(const struct treefork_region *region)
{
    return (size_t)2 * region->n_parameters + 8 <= KEY_MAX;
}

/* The parameters, with extents in place of what the host's loops change. The region's values are
   those of its parameters. */
static void key_of_point(struct treefork_key *key, const struct treefork_choosing *c, int what)
{
    const struct treefork_region *region = c->region;
    key_begin(key, c, what);
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *p = &region->parameters[i];
        if (p->integer != TREEFORK_NONE && !p->varies)
            key_add(key, c->integers[p->integer]);
    }
    for (size_t i = 0; i < region->n_sizes; i++)
        if (region->sizes[i].varies)
            key_add_size(key, c, &region->sizes[i]);
    if (region->exact_varies)
        key_add(key, treefork_evaluation_exact(c->evaluation));
}

/* What an extent of the region is rounded to; an empty one is left as it is. */
static treefork_int extent_rounded(const struct treefork_size_row *size, treefork_int value,
                                   int anchor)
{
    int exponent = anchor && size->varies ? anchor : treefork_rounded_exponent(value);
    return value < 1 ? value : (treefork_int)1 << exponent;
}

/* Moves the parameters of the point `integers` so that every extent is its power of two, or
   2^anchor. An extent that an earlier one changes, as n changes n - k, is moved back to its own. */
static void point_round(const struct treefork_choosing *c, treefork_int *integers, int anchor)
{
    treefork_int rounded[KEY_MAX], value;
    size_t n = c->region->n_sizes;
    treefork_evaluation_set(c->evaluation, treefork_choosing_machine(c), integers);
    for (size_t i = 0; i < n; i++) {
        const struct treefork_size_row *size = &c->region->sizes[i];
        bool is_known = treefork_evaluation_value(c->evaluation, size->value, &value);
        rounded[i] = is_known ? extent_rounded(size, value, anchor) : INT64_MAX;
    }
    for (size_t i = 0; i < n; i++) {
        const struct treefork_size_row *size = &c->region->sizes[i];
        treefork_evaluation_set(c->evaluation, treefork_choosing_machine(c), integers);
        bool is_known = treefork_evaluation_value(c->evaluation, size->value, &value);
        if (!is_known || rounded[i] == INT64_MAX)
            continue;
        treefork_int more = rounded[i] - value;
        integers[size->integer] += size->falls ? -more : more;
    }
}

/* --- choosing -------------------------------------------------------------------------------- */

/* Keys do not tell machines apart, but devices. */
static bool choice_recall(const struct treefork_choosing *c, const struct treefork_key *key,
                          struct treefork_chosen *choice)
{
    return c->device && treefork_choice_recall(key, choice);
}

static void choice_remember(const struct treefork_choosing *c, const struct treefork_key *key,
                            const struct treefork_chosen *choice)
{
    if (c->device)
        treefork_choice_remember(key, choice);
}

static treefork_int *integers_copy(const struct treefork_choosing *c)
{
    size_t bytes = ((size_t)c->region->n_integers + 1) * sizeof(treefork_int);
    treefork_int *copy = malloc(bytes);
    if (copy)
        memcpy(copy, c->integers, bytes - sizeof *copy);
    return copy;
}

/* The choice at the rounded point. */
static void class_choose(const struct treefork_tunables *tunables, int anchor,
                         const struct treefork_chosen *base, struct treefork_chosen *choice)
{
    struct treefork_key key;
    struct treefork_refusal refusal;
    key_of_class(&key, tunables, anchor);
    if (choice_recall(tunables->choosing, &key, choice))
        return;
    treefork_int *integers = integers_copy(tunables->choosing);
    *choice = *base;
    if (!integers)
        return;
    point_round(tunables->choosing, integers, anchor);
    treefork_choice_search(tunables, integers, base, choice, &refusal);
    choice_remember(tunables->choosing, &key, choice);
    free(integers);
    values_set(tunables->choosing);
}

/* The choice for the extents that loops of the host change, where all are one power of two: 1024,
   or less where the other parameters leave no room for it (n - k rows of n). */
static void anchor_choose(const struct treefork_tunables *tunables, struct treefork_chosen *anchor)
{
    enum { ANCHOR = 10 };
    const struct treefork_chosen none = {0};
    *anchor = none;
    if (!has_varying_size(tunables->choosing->region))
        return;
    int exponent = ANCHOR;
    while (exponent > 0 && anchor->leaf == 0)
        class_choose(tunables, exponent--, &none, anchor);
}

/* From the anchor to the class to the point. */
static int point_choose(const struct treefork_tunables *tunables, struct treefork_chosen *choice)
{
    const struct treefork_choosing *c = tunables->choosing;
    struct treefork_chosen anchor, class = {0};
    struct treefork_refusal refusal;
    treefork_int *integers = integers_copy(c);
    if (!integers)
        return treefork_fail(TREEFORK_MEMORY, "no memory to choose for region %s",
                             c->region->name);
    anchor_choose(tunables, &anchor);
    class_choose(tunables, 0, &anchor, &class);
    treefork_choice_search(tunables, integers, &class, choice, &refusal);
    free(integers);
    if (choice->leaf)
        return TREEFORK_OK;
    if (refusal.status)
        return treefork_fail(refusal.status, "%s", refusal.reason);
    return treefork_fail(TREEFORK_ARGUMENT, "no candidate for the tunables of %s fits",
                         c->region->name);
}

/* As it was tuned, where it was. A leaf that is forced or a tunable that is given is a choice of
   the user's own. */
static bool tuned_choose(const struct treefork_tunables *tunables, struct treefork_chosen *choice)
{
    const struct treefork_choosing *c = tunables->choosing;
    if (!c->device || c->forced || c->given)
        return false;
    treefork_int *integers = integers_copy(c);
    bool is_tuned = integers && treefork_tuned_choose(tunables, integers, choice);
    free(integers);
    return is_tuned;
}

/* At first sight of a point. */
static int first_choose(struct treefork_choosing *choosing, struct treefork_chosen *choice)
{
    struct treefork_tunables tunables = treefork_tunables_find(choosing);
    *choice = (struct treefork_chosen){0};
    if (tunables.n > 0) {
        int status = tuned_choose(&tunables, choice) ? TREEFORK_OK
                                                     : point_choose(&tunables, choice);
        if (status)
            return status;
        if (choosing->device)
            treefork_choice_count(choosing->device);
    }
    choice->is_held = choosing->is_held;
    return TREEFORK_OK;
}

/* What TREEFORK_SET says of the tunable, as NAME of its region or of its function; 0: nothing. */
static int tunable_setting(const struct treefork_region *region,
                           const struct treefork_tunable_row *row)
{
    const char *tunable = region->parameters[row->parameter].name;
    char name[512];
    snprintf(name, sizeof name, "%s.%s", region->name, tunable);
    int value = treefork_setting(TREEFORK_SETTING_TUNABLE, name);
    snprintf(name, sizeof name, "%s.%s", region->function, tunable);
    return value ? value : treefork_setting(TREEFORK_SETTING_TUNABLE, name);
}

/* Takes over what TREEFORK_SET gives. It fails where that would change what the region computes. */
static int settings_take(struct treefork_choosing *c)
{
    const struct treefork_region *region = c->region;
    bool was_exact = is_exact_here(c), divides = false;
    for (size_t i = 0; i < region->n_tunables && i < TUNABLES_MAX; i++) {
        const struct treefork_tunable_row *row = &region->tunables[i];
        int value = row->always || c->automatic ? tunable_setting(region, row) : 0;
        if (value == 0)
            continue;
        c->given |= 1u << i;
        c->is_changed = true;
        divides |= row->dividends != 0;
        c->integers[region->parameters[row->parameter].integer] = value;
    }
    if (!divides || (was_exact && is_exact_here(c)))
        return TREEFORK_OK;
    return treefork_fail(TREEFORK_ARGUMENT,
                         "TREEFORK_SET would change what region %s computes; not exact: %s",
                         region->name, region->divisions);
}

int treefork_choose(struct treefork_choosing *choosing)
{
    struct treefork_chosen choice;
    struct treefork_key key;
    choosing->leaf = 0;
    choosing->given = 0;
    choosing->is_changed = choosing->is_held = false;
    choosing->tuned = choosing->devices = 0;
    if (choosing->region->n_tunables == 0 || !has_key(choosing->region))
        return TREEFORK_OK;
    if (choosing->has_settings) {
        int status = settings_take(choosing);
        if (status)
            return status;
    }
    if (treefork_choice_varies(choosing->region))
        values_set(choosing);
    key_of_point(&key, choosing, OF_POINT);
    if (!choice_recall(choosing, &key, &choice)) {
        int status = first_choose(choosing, &choice);
        if (status)
            return status;
        choice_remember(choosing, &key, &choice);
    }
    for (int i = 0; i < choice.n; i++)
        choosing->integers[choice.integers[i]] = choice.values[i];
    choosing->is_changed |= choice.n > 0;
    choosing->leaf = choice.leaf;
    choosing->tuned = choice.tuned;
    choosing->devices = choice.devices;
    choosing->is_held = choice.is_held;
    return TREEFORK_OK;
}

/* --- devices ---------------------------------------------------------------------------------- */

/* Weights are at most 1000, so that a number of 64 bits holds six. */
enum { WEIGHT_BITS = 10, WEIGHTS = 6 };

static struct treefork_chosen shares_pack(const struct treefork_shares *shares)
{
    struct treefork_chosen choice = {.leaf = (int)shares->count};
    for (size_t i = 0; i < shares->count; i++)
        choice.values[i / WEIGHTS] |= shares->weight[i] << i % WEIGHTS * WEIGHT_BITS;
    return choice;
}

static void shares_unpack(const struct treefork_chosen *choice, struct treefork_shares *shares)
{
    shares->count = (size_t)choice->leaf;
    for (size_t i = 0; i < shares->count; i++)
        shares->weight[i] = choice->values[i / WEIGHTS] >> i % WEIGHTS * WEIGHT_BITS &
                            ((1 << WEIGHT_BITS) - 1);
}

void treefork_shares_choose(const struct treefork_choosing *choosing,
                            const struct treefork_leaf_row *leaf, struct treefork_shares *shares)
{
    struct treefork_evaluation *e = choosing->evaluation;
    const struct treefork_several *several = e->several;
    struct treefork_several_time time;
    struct treefork_chosen choice;
    struct treefork_key key;
    bool is_remembered = has_key(choosing->region) && !several->weight;
    if (is_remembered) {
        key_of_point(&key, choosing, OF_DEVICES);
        key_add(&key, leaf->id);
    }
    if (is_remembered && choice_recall(choosing, &key, &choice)) {
        shares_unpack(&choice, shares);
        return;
    }
    *shares = treefork_several_shares(e, several, leaf,
                                      treefork_several_choose(e, several, leaf, &time));
    choice = shares_pack(shares);
    if (is_remembered)
        choice_remember(choosing, &key, &choice);
}

/* --- places ----------------------------------------------------------------------------------- */

static bool place_key(const struct treefork_choosing *c, int leaf, struct treefork_key *key)
{
    if (!has_key(c->region))
        return false;
    key_of_point(key, c, OF_PLACE);
    key_add(key, leaf);
    return true;
}

bool treefork_place_recall(const struct treefork_choosing *choosing, int leaf,
                           struct treefork_location *place)
{
    struct treefork_chosen choice;
    struct treefork_key key;
    if (!place_key(choosing, leaf, &key) || !choice_recall(choosing, &key, &choice))
        return false;
    *place = choice.place;
    return true;
}

void treefork_place_remember(const struct treefork_choosing *choosing, int leaf,
                             const struct treefork_location *place)
{
    const struct treefork_chosen choice = {.leaf = leaf, .place = *place};
    struct treefork_key key;
    if (place_key(choosing, leaf, &key))
        choice_remember(choosing, &key, &choice);
}

void treefork_key_of_sizes(struct treefork_key *key, const struct treefork_choosing *choosing)
{
    size_t n = choosing->region->n_sizes;
    key_begin(key, choosing, OF_SIZES);
    for (size_t i = 0; i < n && key->n < KEY_MAX; i++)
        key_add_size(key, choosing, &choosing->region->sizes[i]);
}
