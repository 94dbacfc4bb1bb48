/* Witnesses by sampling: cheaper than the search for an integer point, which moreover knows only
   bounds of auxiliary integers and misses their values where they stand in one another.

   In: a path. Out: a point of it. Program parameters and what machine parameters the definitions
   use are drawn from small and from usual values; the auxiliary integers are computed; every other
   machine parameter is a limit that stands alone in its constraints, so that the least value they
   leave it is found at once, and the whole point is checked exactly.
   Invariant: the same path gives the same point. Source: spec C-10 (a case has a witness). */
#include "optimizer/store.h"
#include <string.h>

enum { TRIES = 600, USUAL = 6 };

struct sampling {
    const struct tree *tree;
    struct sas all;                  /* the initial system and the path */
    uint64_t state;
    int64_t *point;
    const int64_t *high;             /* by ring variable: largest value of a machine that exists;
                                        0 = any */
    uint64_t used, limits;           /* ring variables: of the path or of a definition; limits */
    uint64_t linear;                 /* ring variables that are of degree one at most everywhere */
    uint64_t *uses;                  /* by constraint of `all`: its ring variables */
};

static uint64_t next(struct sampling *s)
{
    s->state ^= s->state << 13;
    s->state ^= s->state >> 7;
    s->state ^= s->state << 17;
    return s->state >> 11;
}

/* What devices have; 1 to 4 for others. */
static const int64_t *usual(const char *name)
{
    static const struct {
        const char *name;
        int64_t values[USUAL];
    } rows[] = {
        {"W_B", {32, 32, 32, 32, 64, 1}},      {"Q_B", {4, 4, 4, 2, 1, 1}},
        {"U_F", {256, 256, 256, 64, 1, 8}},    {"U_Z", {32, 32, 64, 64, 1, 16}},
        {"Z_R", {256, 256, 0, 0, 0, 8}},       {"T_M", {2048, 1536, 1024, 2048, 128, 512}},
        {"N_M", {32, 32, 16, 24, 8, 2}},       {"O_T", {50, 50, 100, 75, 25, 10}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, name) == 0)
            return rows[i].values;
    return NULL;
}

static int64_t draw(struct sampling *s, int variable)
{
    const int64_t *values = s->tree->machine >> variable & 1
                                ? usual(ring_name(s->tree->ring, variable))
                                : NULL;
    if (values)
        return values[next(s) % USUAL];
    switch (next(s) % 4) {
    case 0: return 1 + (int64_t)(next(s) % 4);
    case 1: return (int64_t)1 << next(s) % 8;
    case 2: return 1 + (int64_t)(next(s) % 40);
    default: return (int64_t)1 << next(s) % 14;
    }
}

/* c's polynomial as slope * variable + rest at the present point; false if a value leaves
   64 bits. */
static bool line_find(struct sampling *s, struct constraint c, int variable, int64_t *slope,
                      int64_t *rest)
{
    int64_t at_one;
    s->point[variable] = 1;
    if (!poly_evaluate(c.poly, s->point, &at_one))
        return false;
    s->point[variable] = 0;
    return poly_evaluate(c.poly, s->point, rest) && !__builtin_sub_overflow(at_one, *rest, slope);
}

/* floor(a / b) for b > 0. */
static int64_t divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* Narrows lo <= x <= hi to the integers with slope * x + rest `relation` 0; false if it does not
   tell how. */
static bool range_narrow(enum relation relation, int64_t slope, int64_t rest, int64_t *lo,
                         int64_t *hi)
{
    bool below = relation == RELATION_LE || relation == RELATION_LT,
         strict = relation == RELATION_LT || relation == RELATION_GT;
    if (relation == RELATION_EQ || relation == RELATION_NE || slope == INT64_MIN ||
        rest <= INT64_MIN + 1)
        return false;
    if (slope == 0)
        return true;
    if (slope < 0) {
        slope = -slope;
        rest = -rest;
        below = !below;
    }
    int64_t most = divide_down(-rest - strict, slope),
            least = -divide_down(rest - strict, slope);
    if (below && most < *hi)
        *hi = most;
    if (!below && least > *lo)
        *lo = least;
    return true;
}

/* The least value of a limit that its constraints leave, everything else being known; false if
   there is none. */
static bool limit_find(struct sampling *s, int variable)
{
    int64_t lo = 0, hi = INT64_MAX - 1;
    for (size_t i = 0; i < s->all.count; i++) {
        struct constraint c = s->all.at[i];
        int64_t slope, rest;
        if (!(s->uses[i] >> variable & 1))
            continue;
        if (!(s->linear >> variable & 1) || !line_find(s, c, variable, &slope, &rest) ||
            !range_narrow(c.relation, slope, rest, &lo, &hi))
            return false;
    }
    s->point[variable] = lo;
    return lo <= hi;
}

static bool sample(struct sampling *s)
{
    int n = ring_count(s->tree->ring);
    for (int v = 0; v < n; v++)
        s->point[v] = (s->used & ~s->limits) >> v & 1 ? draw(s, v) : 0;
    if (!tree_point_complete(s->tree, s->point))
        return false;
    for (int v = 0; v < n; v++) {
        if ((s->limits >> v & 1) && !limit_find(s, v))
            return false;
        if ((s->tree->machine >> v & 1) && s->high[v] > 0 && s->point[v] > s->high[v])
            return false;
    }
    return tree_system_holds(s->tree, s->all, s->point) == 1;
}

static void variables_find(struct sampling *s)
{
    for (int v = 0; v < ring_count(s->tree->ring); v++) {
        bool defines = false, stands = false;
        for (size_t i = 0; i < s->tree->n_auxiliaries; i++)
            defines |= auxiliary_uses(s->tree->auxiliaries[i], v);
        bool linear = true;
        for (size_t i = 0; i < s->all.count; i++) {
            unsigned degree = poly_degree(s->all.at[i].poly, v);
            stands |= degree > 0;
            linear &= degree <= 1;
            s->uses[i] |= (uint64_t)(degree > 0) << v;
        }
        s->linear |= (uint64_t)linear << v;
        if (defines || stands)
            s->used |= (uint64_t)1 << v;
        if (!defines && (s->tree->machine >> v & 1))
            s->limits |= (uint64_t)1 << v;
    }
}

bool witness_sample(struct arena *arena, const struct tree *tree, struct sas path,
                    const int64_t *high, int64_t *point)
{
    struct sampling s = {.tree = tree,
                         .all = sas_join(arena, tree->initial, path),
                         .state = 0x9E3779B97F4A7C15u,
                         .high = high,
                         .point = point};
    s.uses = ARENA_ARRAY(arena, uint64_t, s.all.count + 1);
    variables_find(&s);
    for (int i = 0; i < TRIES; i++)
        if (sample(&s))
            return true;
    return false;
}
