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
   which it leaves only if that pays: small extents take little time anyhow, and each choice is
   another binary.

   Search: candidates of a tunable are powers of two, or divisors where a division must be exact. It
   goes along one tunable at a time, around a choice that is known only a little, then exchanges a
   step of one tunable for one of another, until neither helps. Ties go to what was tried first. */
#include "runtime/candidates.h"
#include "runtime/tables.h"
#include <stdlib.h>
#include <string.h>

enum {
    TUNABLES_MAX = 8,
    EVALUATIONS_MAX = 48,          /* of one search */
    NEAR = 2,                      /* candidates on either side of a choice that is known */
    KEY_MAX = 160,
    BUCKETS = 1024,
    REMEMBERED_MAX = 8192,
    COMPILING = 500000000,         /* nanoseconds that compiling a leaf takes, about */
    CALLS = 1000                   /* within so many calls it has to pay */
};

struct choice {
    int leaf;                      /* 0: no candidate can run, or nothing is chosen */
    bool is_held;
    int n;
    uint16_t integers[TUNABLES_MAX];
    treefork_int values[TUNABLES_MAX];
};

/* --- memory ---------------------------------------------------------------------------------- */

struct choice_key {
    size_t n;
    treefork_int at[KEY_MAX];
};

struct known_choice {
    struct known_choice *next;
    struct choice choice;
    size_t n;
    treefork_int key[];
};

static struct known_choice *buckets[BUCKETS];
static size_t n_remembered;
static pthread_mutex_t memory_mutex = PTHREAD_MUTEX_INITIALIZER;

static void key_add(struct choice_key *key, treefork_int value)
{
    key->at[key->n++] = value;
}

static size_t key_bucket(const struct choice_key *key)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < key->n; i++)
        hash = (hash ^ (uint64_t)key->at[i]) * 1099511628211u;
    return (size_t)((hash ^ hash >> 32) % BUCKETS);
}

static bool recall(const struct choice_key *key, struct choice *choice)
{
    pthread_mutex_lock(&memory_mutex);
    const struct known_choice *r = buckets[key_bucket(key)];
    while (r && (r->n != key->n || memcmp(r->key, key->at, key->n * sizeof *r->key) != 0))
        r = r->next;
    if (r)
        *choice = r->choice;
    pthread_mutex_unlock(&memory_mutex);
    return r != NULL;
}

static void memory_clear(void)
{
    for (size_t i = 0; i < BUCKETS; i++)
        while (buckets[i]) {
            struct known_choice *next = buckets[i]->next;
            free(buckets[i]);
            buckets[i] = next;
        }
    n_remembered = 0;
}

/* Without memory for it the choice is made again. */
static void remember(const struct choice_key *key, const struct choice *choice)
{
    struct known_choice *r = malloc(sizeof *r + key->n * sizeof *r->key);
    if (!r)
        return;
    r->choice = *choice;
    r->n = key->n;
    memcpy(r->key, key->at, key->n * sizeof *r->key);
    pthread_mutex_lock(&memory_mutex);
    if (n_remembered == REMEMBERED_MAX)
        memory_clear();
    r->next = buckets[key_bucket(key)];
    buckets[key_bucket(key)] = r;
    n_remembered++;
    pthread_mutex_unlock(&memory_mutex);
}

/* --- the region's values --------------------------------------------------------------------- */

/* At its parameters as they are. */
static void values_set(const struct treefork_choosing *c)
{
    treefork_evaluation_set(c->evaluation, treefork_device_machine(c->device), c->integers);
}

static bool is_exact_here(const struct treefork_choosing *c)
{
    values_set(c);
    return treefork_evaluation_exact(c->evaluation);
}

/* --- one point ------------------------------------------------------------------------------- */

struct candidates {
    const struct treefork_tunable_row *row;
    uint16_t integer;
    int n;
    treefork_int at[CANDIDATES_MAX];
};

struct search {
    const struct treefork_choosing *choosing;
    const struct treefork_machine *machine;
    treefork_int *integers;        /* the point */
    int n;
    struct candidates tunables[TUNABLES_MAX];
    bool is_exact;                 /* divisions have to be */
    int n_tried;
    uint64_t tried[EVALUATIONS_MAX];
    bool found;
    int best[TUNABLES_MAX];        /* numbers of candidates */
    struct treefork_prediction time;
    struct choice choice;
    int refused;                   /* status of the first candidate that NAME_select refused */
    char reason[256];
};

static void point_set(struct search *s)
{
    treefork_evaluation_set(s->choosing->evaluation, s->machine, s->integers);
}

/* May the region run at the point? */
static bool point_is_legal(struct search *s)
{
    const struct treefork_region *region = s->choosing->region;
    int status = region->select(s->machine, s->integers, NULL);
    if (status < 0 && !s->refused) {
        s->refused = -status;
        snprintf(s->reason, sizeof s->reason, "%s", treefork_message());
    }
    point_set(s);
    return status >= 0 && (!s->is_exact || treefork_evaluation_exact(s->choosing->evaluation));
}

/* Has the combination not been tried yet, and may more be tried? */
static bool trial_is_new(struct search *s, const int *numbers)
{
    uint64_t combination = 0;
    for (int i = 0; i < s->n; i++)
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
    for (int i = 0; i < s->n; i++)
        s->integers[s->tunables[i].integer] = s->tunables[i].at[numbers[i]];
    int leaf = point_is_legal(s) ? treefork_evaluation_best(s->choosing->evaluation,
                                                            s->choosing->forced, &time)
                                 : 0;
    if (leaf == 0 || (s->found && !treefork_faster(&time, &s->time)))
        return false;
    s->found = true;
    s->time = time;
    s->choice.leaf = leaf;
    s->choice.n = s->n;
    for (int i = 0; i < s->n; i++) {
        s->best[i] = numbers[i];
        s->choice.integers[i] = s->tunables[i].integer;
        s->choice.values[i] = s->integers[s->tunables[i].integer];
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
    for (int i = 0; i < s->tunables[tunable].n; i++) {
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
    for (int up = 0; up < s->n; up++)
        for (int down = 0; down < s->n; down++) {
            int numbers[TUNABLES_MAX];
            memcpy(numbers, from, sizeof numbers);
            if (up == down || ++numbers[up] == s->tunables[up].n || --numbers[down] < 0)
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
        for (int i = 0; i < s->n; i++) {
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
    for (int i = 0; i < s->n; i++)
        if (s->tunables[i].row->choices >= BLOCK_CHOICES)
            middle[i] = candidate_number(&s->tunables[i], MIDDLE);
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

static void candidates_fill(struct search *s, struct candidates *c)
{
    struct treefork_evaluation *e = s->choosing->evaluation;
    struct dividends dividends = {e, e->region->lists + c->row->dividends};
    bool has_to_divide = s->is_exact && c->row->dividends;
    c->n = treefork_candidates(c->row->choices, has_to_divide ? divides_all : NULL, &dividends,
                               c->at);
}

/* The tunables that are chosen now, with candidates for the search's point. */
static void search_begin(struct search *s, const struct treefork_choosing *choosing,
                         treefork_int *integers, const struct search *like)
{
    *s = (struct search){.choosing = choosing,
                         .machine = like->machine,
                         .integers = integers,
                         .n = like->n,
                         .is_exact = like->is_exact};
    point_set(s);
    for (int i = 0; i < s->n; i++) {
        struct candidates *c = &s->tunables[i];
        *c = (struct candidates){.row = like->tunables[i].row,
                                 .integer = like->tunables[i].integer};
        candidates_fill(s, c);
    }
}

static bool is_active(const struct treefork_choosing *c, const struct treefork_tunable_row *row,
                      bool is_exact)
{
    bool is_given = c->given >> (row - c->region->tunables) & 1;
    return (row->always || c->automatic) && !is_given && (is_exact || !row->dividends);
}

/* Which tunables are chosen: those tied to a division only where it is exact as things stand. */
static void tunables_find(struct search *s, struct treefork_choosing *c)
{
    const struct treefork_region *region = c->region;
    s->is_exact = is_exact_here(c);
    for (size_t i = 0; i < region->n_tunables && s->n < TUNABLES_MAX; i++) {
        const struct treefork_tunable_row *row = &region->tunables[i];
        c->is_held |= is_active(c, row, true) && !is_active(c, row, s->is_exact);
        if (is_active(c, row, s->is_exact))
            s->tunables[s->n++] = (struct candidates){
                .row = row, .integer = region->parameters[row->parameter].integer};
    }
}

/* --- classes --------------------------------------------------------------------------------- */

/* The exponent of the power of two that is nearest; -1 for what is no extent. */
static int rounded_exponent(treefork_int value)
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
static bool is_given(const struct search *s, size_t integer)
{
    for (int i = 0; i < s->n; i++)
        if (s->tunables[i].integer == integer)
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

static void key_begin(struct choice_key *key, const struct treefork_choosing *c, int n)
{
    key->n = 0;
    key_add(key, (treefork_int)(intptr_t)c->region);
    key_add(key, (treefork_int)(intptr_t)c->device);
    key_add(key, 2 * (treefork_int)c->forced + (c->automatic != 0));
    key_add(key, (treefork_int)c->given);
    key_add(key, n);
}

static void key_add_size(struct choice_key *key, const struct treefork_choosing *c,
                         const struct treefork_size_row *size)
{
    treefork_int value;
    bool is_known = treefork_evaluation_value(c->evaluation, size->value, &value);
    key_add(key, is_known ? rounded_exponent(value) : -1);
}

/* What the parameters are once extents are rounded; those that loops of the host change to
   2^anchor, if it is not 0. */
static void key_of_class(struct choice_key *key, const struct search *s, int anchor)
{
    const struct treefork_choosing *c = s->choosing;
    const struct treefork_region *region = c->region;
    key_begin(key, c, s->n);
    for (size_t i = 0; i < region->n_parameters; i++) {
        const struct treefork_parameter_row *p = &region->parameters[i];
        if (p->integer != TREEFORK_NONE && !p->varies && is_given(s, p->integer) &&
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

/* The parameters, with extents in place of what the host's loops change. */
static void key_of_point(struct choice_key *key, const struct treefork_choosing *c)
{
    const struct treefork_region *region = c->region;
    if (has_varying_size(region) || region->exact_varies)
        values_set(c);
    key_begin(key, c, -1);
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

/* Moves the parameters of the point so that every extent is its power of two, or 2^anchor. */
static void point_round(struct search *s, int anchor)
{
    const struct treefork_region *region = s->choosing->region;
    for (size_t i = 0; i < region->n_sizes; i++) {
        const struct treefork_size_row *size = &region->sizes[i];
        treefork_int value, *integer = &s->integers[size->integer];
        point_set(s);
        if (!treefork_evaluation_value(s->choosing->evaluation, size->value, &value) || value < 1)
            continue;
        int exponent = anchor && size->varies ? anchor : rounded_exponent(value);
        treefork_int more = ((treefork_int)1 << exponent) - value;
        *integer += size->falls ? -more : more;
    }
}

/* --- choosing -------------------------------------------------------------------------------- */

/* The time of a choice at the search's point; false if it cannot be taken there. */
static bool choice_time(struct search *s, const struct choice *choice,
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

static treefork_int *integers_copy(const struct treefork_choosing *c)
{
    size_t bytes = ((size_t)c->region->n_integers + 1) * sizeof(treefork_int);
    treefork_int *copy = malloc(bytes);
    if (copy)
        memcpy(copy, c->integers, bytes - sizeof *copy);
    return copy;
}

/* The numbers of the candidates nearest to a choice. */
static void numbers_near(const struct search *s, const struct choice *choice, int *numbers)
{
    for (int i = 0; i < s->n; i++)
        numbers[i] = i < choice->n ? candidate_number(&s->tunables[i], choice->values[i]) : 0;
}

/* At the search's point `base`, or what a search around it finds if that pays. */
static void better_choose(struct search *s, const struct choice *base, struct choice *choice)
{
    struct treefork_prediction time;
    int near[TUNABLES_MAX] = {0};
    *choice = *base;
    bool possible = choice_time(s, base, &time);
    if (possible) {
        numbers_near(s, base, near);
        search_from(s, near, NEAR);
    } else {
        choice->leaf = 0;
        search_run(s);
    }
    if (s->found && (!possible || pays(&time, &s->time)))
        *choice = s->choice;
}

/* The choice at the rounded point. */
static void class_choose(const struct search *like, int anchor, const struct choice *base,
                         struct choice *choice)
{
    struct search s;
    struct choice_key key;
    key_of_class(&key, like, anchor);
    if (recall(&key, choice))
        return;
    treefork_int *integers = integers_copy(like->choosing);
    *choice = *base;
    if (!integers)
        return;
    search_begin(&s, like->choosing, integers, like);
    point_round(&s, anchor);
    search_begin(&s, like->choosing, integers, like);
    better_choose(&s, base, choice);
    remember(&key, choice);
    free(integers);
    values_set(like->choosing);
}

/* From the anchor to the class to the point. */
static int point_choose(const struct search *like, struct choice *choice)
{
    enum { ANCHOR = 10 };
    const struct treefork_choosing *c = like->choosing;
    struct choice anchor = {0}, class = {0};
    treefork_int *integers = integers_copy(c);
    struct search s;
    if (!integers)
        return treefork_fail(TREEFORK_MEMORY, "no memory to choose for region %s",
                             c->region->name);
    if (has_varying_size(c->region))
        class_choose(like, ANCHOR, &anchor, &anchor);
    class_choose(like, 0, &anchor, &class);
    search_begin(&s, c, integers, like);
    better_choose(&s, &class, choice);
    free(integers);
    if (choice->leaf)
        return TREEFORK_OK;
    if (s.refused)
        return treefork_fail(s.refused, "%s", s.reason);
    return treefork_fail(TREEFORK_ARGUMENT, "no candidate for the tunables of %s fits",
                         c->region->name);
}

/* At first sight of a point. */
static int first_choose(struct treefork_choosing *choosing, struct choice *choice)
{
    struct search s = {.choosing = choosing,
                       .machine = treefork_device_machine(choosing->device)};
    *choice = (struct choice){0};
    choosing->is_held = false;
    tunables_find(&s, choosing);
    if (s.n > 0) {
        int status = point_choose(&s, choice);
        if (status)
            return status;
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
    struct choice choice;
    struct choice_key key;
    choosing->leaf = 0;
    choosing->given = 0;
    choosing->is_changed = choosing->is_held = false;
    if (choosing->region->n_tunables == 0 ||
        (size_t)2 * choosing->region->n_parameters + 8 > KEY_MAX)
        return TREEFORK_OK;
    if (getenv("TREEFORK_SET")) {
        int status = settings_take(choosing);
        if (status)
            return status;
    }
    key_of_point(&key, choosing);
    if (!recall(&key, &choice)) {
        int status = first_choose(choosing, &choice);
        if (status)
            return status;
        remember(&key, &choice);
    }
    for (int i = 0; i < choice.n; i++)
        choosing->integers[choice.integers[i]] = choice.values[i];
    choosing->is_changed |= choice.n > 0;
    choosing->leaf = choice.leaf;
    choosing->is_held = choice.is_held;
    return TREEFORK_OK;
}
