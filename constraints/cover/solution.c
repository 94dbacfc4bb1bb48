/* Solution formulas from sign vectors. In: a chart whose sign vectors tell true from false; out: a
   disjunction of conjunctions. A cube allows each polynomial some of the signs -, 0, +. Each true
   vector is widened to a cube that no false vector is in, complicated polynomials being freed
   first, then those cubes are kept that are needed, the ones that cover most first (Quine,
   McCluskey; the covering is greedy). Vectors that occur nowhere may fall on either side. */
#include "constraints/cover/solution.h"
#include <string.h>

enum { ALLOW_NEGATIVE = 1, ALLOW_ZERO = 2, ALLOW_POSITIVE = 4, ALLOW_ALL = 7, CUBE_LIMIT = 2000 };

struct cube {
    unsigned char *allowed;   /* by polynomial of the chart */
    size_t atoms, covers;
    bool kept;
};

struct cubes {
    struct search *s;
    const struct chart *chart;
    const size_t *by_cost;    /* polynomials, complicated ones first */
    struct cube *at;
    size_t count;
};

static unsigned allowed_of(char sign)
{
    return sign == '-' ? ALLOW_NEGATIVE : sign == '0' ? ALLOW_ZERO : ALLOW_POSITIVE;
}

static bool cube_has(const struct cubes *c, const unsigned char *allowed, const struct point *point)
{
    for (size_t i = 0; i < c->chart->signs.count; i++)
        if (!(allowed[i] & allowed_of(point->signs[i])))
            return false;
    return true;
}

static bool cube_false(const struct cubes *c, const unsigned char *allowed)
{
    for (size_t i = 0; i < c->chart->count; i++)
        if (!c->chart->at[i]->truth && cube_has(c, allowed, c->chart->at[i]))
            return true;
    return false;
}

/* Allows polynomial i these signs as well unless that lets a false vector in. */
static bool cube_widen(const struct cubes *c, unsigned char *allowed, size_t i, unsigned more)
{
    unsigned char before = allowed[i];
    allowed[i] |= more;
    if (allowed[i] == before)
        return false;
    if (!cube_false(c, allowed))
        return true;
    allowed[i] = before;
    return false;
}

static struct cube cube_make(const struct cubes *c, struct arena *scratch,
                             const struct point *point)
{
    size_t count = c->chart->signs.count;
    struct cube cube = {.allowed = ARENA_ARRAY(scratch, unsigned char, count)};
    for (size_t i = 0; i < count; i++)
        cube.allowed[i] = (unsigned char)allowed_of(point->signs[i]);
    for (size_t k = 0; k < count; k++)
        cube_widen(c, cube.allowed, c->by_cost[k], ALLOW_ALL);
    for (size_t k = 0; k < count; k++)
        for (unsigned more = 1; more < ALLOW_ALL; more *= 2)
            cube_widen(c, cube.allowed, c->by_cost[k], more);
    for (size_t i = 0; i < count; i++)
        cube.atoms += cube.allowed[i] != ALLOW_ALL;
    for (size_t i = 0; i < c->chart->count; i++)
        cube.covers += c->chart->at[i]->truth && cube_has(c, cube.allowed, c->chart->at[i]);
    return cube;
}

static double polynomial_cost(const struct cubes *c, size_t i)
{
    const struct polynomial *p = c->s->table->at[c->chart->signs.at[i]];
    return p->degree * 100.0 + (double)p->terms;
}

static const size_t *sort_by_cost(const struct cubes *c, struct arena *scratch)
{
    size_t count = c->chart->signs.count, *order = ARENA_ARRAY(scratch, size_t, count);
    for (size_t i = 0; i < count; i++) {
        size_t j = i;
        for (; j > 0 && polynomial_cost(c, order[j - 1]) < polynomial_cost(c, i); j--)
            order[j] = order[j - 1];
        order[j] = i;
    }
    return order;
}

static void cubes_make(struct cubes *c, struct arena *scratch)
{
    c->at = ARENA_ARRAY(scratch, struct cube, c->chart->count);
    for (size_t i = 0; i < c->chart->count; i++) {
        if (!c->chart->at[i]->truth)
            continue;
        struct cube cube = {0};
        bool known = c->count >= CUBE_LIMIT;
        for (size_t k = 0; known && k < c->count; k++)
            if (cube_has(c, c->at[k].allowed, c->chart->at[i]))
                goto next;
        cube = cube_make(c, scratch, c->chart->at[i]);
        for (size_t k = 0; k < c->count; k++)
            if (!memcmp(c->at[k].allowed, cube.allowed, c->chart->signs.count))
                goto next;
        c->at[c->count++] = cube;
    next:;
    }
}

/* Keeps cubes until every true vector is in one, the widest first. */
static void cubes_choose(struct cubes *c, struct arena *scratch)
{
    bool *done = ARENA_ARRAY(scratch, bool, c->chart->count);
    for (;;) {
        struct cube *best = NULL;
        size_t best_gain = 0;
        for (size_t k = 0; k < c->count; k++) {
            size_t gain = 0;
            for (size_t i = 0; i < c->chart->count; i++)
                gain += c->chart->at[i]->truth && !done[i] &&
                        cube_has(c, c->at[k].allowed, c->chart->at[i]);
            if (gain > best_gain || (gain && gain == best_gain && c->at[k].atoms < best->atoms)) {
                best = &c->at[k];
                best_gain = gain;
            }
        }
        if (!best)
            return;
        best->kept = true;
        for (size_t i = 0; i < c->chart->count; i++)
            done[i] |= cube_has(c, best->allowed, c->chart->at[i]);
    }
}

/* Drops cubes whose true vectors all are in others. */
static void cubes_thin(struct cubes *c)
{
    for (size_t k = c->count; k-- > 0;) {
        bool needed = false;
        for (size_t i = 0; c->at[k].kept && i < c->chart->count && !needed; i++) {
            if (!c->chart->at[i]->truth || !cube_has(c, c->at[k].allowed, c->chart->at[i]))
                continue;
            needed = true;
            for (size_t j = 0; j < c->count && needed; j++)
                needed =
                    j == k || !c->at[j].kept || !cube_has(c, c->at[j].allowed, c->chart->at[i]);
        }
        c->at[k].kept = needed;
    }
}

static const struct formula *cube_formula(const struct cubes *c, struct arena *arena,
                                          const struct cube *cube)
{
    static const enum relation relations[] = {
        [ALLOW_NEGATIVE] = RELATION_LT,
        [ALLOW_ZERO] = RELATION_EQ,
        [ALLOW_NEGATIVE | ALLOW_ZERO] = RELATION_LE,
        [ALLOW_POSITIVE] = RELATION_GT,
        [ALLOW_NEGATIVE | ALLOW_POSITIVE] = RELATION_NE,
        [ALLOW_ZERO | ALLOW_POSITIVE] = RELATION_GE,
    };
    const struct formula **atoms = ARENA_ARRAY(arena, const struct formula *, cube->atoms);
    size_t count = 0;
    for (size_t k = c->chart->signs.count; k-- > 0;) {
        size_t i = c->by_cost[k];
        if (cube->allowed[i] == ALLOW_ALL)
            continue;
        const struct poly *p =
            table_poly(c->s->table, arena, engine_ring(c->s->engine), c->chart->signs.at[i]);
        atoms[count++] = formula_atom(arena, (struct constraint){p, relations[cube->allowed[i]]});
    }
    return formula_and(arena, atoms, count);
}

const struct formula *solution_formula(struct search *s, struct arena *arena)
{
    struct arena *scratch = arena_new();
    struct cubes c = {.s = s, .chart = s->chart};
    c.by_cost = sort_by_cost(&c, scratch);
    cubes_make(&c, scratch);
    cubes_choose(&c, scratch);
    cubes_thin(&c);
    const struct formula **parts = ARENA_ARRAY(scratch, const struct formula *, c.count);
    size_t count = 0;
    for (size_t k = 0; k < c.count; k++)
        if (c.at[k].kept)
            parts[count++] = cube_formula(&c, arena, &c.at[k]);
    const struct formula *formula = formula_or(arena, parts, count);
    arena_free(scratch);
    return formula;
}
