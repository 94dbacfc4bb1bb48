/* The line of one level: its ends, its cells, the places between them. In: sets of polynomials that
   decide the truth at a place; out: cells around it, the next place that no cell covers, and a
   covering of least cost. Ends are kept in ascending order; position 2k is the open piece below end
   k, position 2k + 1 is end k itself, so that what a cell covers is a range of positions and
   everything after the exact comparison of roots is counting. */
#include "constraints/cover/search.h"
#include "base/vec.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

void line_open(struct search *s)
{
    struct level *level = &s->level[s->height];
    level->arena = arena_new();
    level->line = ++s->version;
    level->ends = NULL;
    level->cells = NULL;
    level->end_count = level->end_capacity = level->cell_count = level->cell_capacity = 0;
}

void line_close(struct search *s)
{
    arena_free(s->level[s->height].arena);
    s->level[s->height].arena = NULL;
}

void place_push(struct search *s, const struct place *place)
{
    struct level *level = &s->level[s->height++];
    level->version = ++s->version;
    level->place = place;
    if (!place->end) {
        sample_push_rational(s->sample, level->variable, place->value);
        return;
    }
    sample_push_root(s->sample, place->end->root);
    struct view *view = view_of(s, place->end->polynomial);
    view->sign = 0;
    view->sign_version = level->version;
}

void place_pop(struct search *s)
{
    sample_pop(s->sample);
    s->level[--s->height].version = 0;
    matrix_retreat(s, s->height);
}

/* --- cells ----------------------------------------------------------------------------------- */

/* The index-th root of a polynomial, or none. */
struct candidate {
    const struct root *root;
    int polynomial;
    size_t index;
};

static int root_against(struct search *s, const struct root *root, const struct place *place)
{
    if (!place->end)
        return root_compare_rational(s->sample, root, place->value);
    return root == place->end->root ? 0 : root_compare(s->sample, root, place->end->root);
}

/* How many roots lie below the place; *equal: the next one is the place. False if the budget is
   spent. */
static bool roots_below(struct search *s, int polynomial, const struct view *view,
                        const struct place *place, size_t *below, bool *equal)
{
    *equal = false;
    if (place->end && place->end->polynomial == polynomial) {
        *below = place->end->index - 1;
        return *equal = true;
    }
    size_t lo = 0, hi = view->root_count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        int order = root_against(s, view->roots[middle], place);
        if (order == SIGN_UNDECIDED)
            return false;
        if (!order) {
            *equal = true;
            lo = hi = middle;
        } else if (order < 0) {
            lo = middle + 1;
        } else {
            hi = middle;
        }
    }
    *below = lo;
    return true;
}

/* Puts `one` in place of `best` if it is nearer from the given side (1: from below), or as near and
   of lower degree. False if the budget is spent. */
static bool candidate_improve(struct search *s, struct candidate *best, struct candidate one,
                              int side)
{
    int variable = s->level[s->height].variable;
    int order = best->root ? root_compare(s->sample, one.root, best->root) * side : 1;
    if (order == SIGN_UNDECIDED || order == -SIGN_UNDECIDED)
        return false;
    if (order > 0 || (!order && table_degree(s->table, one.polynomial, variable) <
                                    table_degree(s->table, best->polynomial, variable)))
        *best = one;
    return true;
}

static struct bound bound_make(struct search *s, struct candidate c)
{
    struct level *level = &s->level[s->height];
    if (!c.root)
        return (struct bound){NULL, -1, 0};
    size_t lo = 0, hi = level->end_count;
    while (lo < hi) {
        size_t middle = lo + (hi - lo) / 2;
        int order = level->ends[middle]->root == c.root
                        ? 0
                        : root_compare(s->sample, level->ends[middle]->root, c.root);
        if (!order || order == SIGN_UNDECIDED)
            return (struct bound){level->ends[middle], c.polynomial, c.index};
        if (order < 0)
            lo = middle + 1;
        else
            hi = middle;
    }
    struct end *end = ARENA_NEW(level->arena, struct end);
    *end = (struct end){c.root, c.polynomial, c.index, lo};
    level->ends = vec_reserve(level->arena, level->ends, level->end_count, &level->end_capacity,
                              sizeof *level->ends);
    memmove(level->ends + lo + 1, level->ends + lo, (level->end_count - lo) * sizeof *level->ends);
    level->ends[lo] = end;
    level->end_count++;
    for (size_t i = lo + 1; i < level->end_count; i++)
        level->ends[i]->rank = i;
    return (struct bound){end, c.polynomial, c.index};
}

/* What it costs to project a cell with this set, roughly. */
static double set_cost(struct search *s, struct set set)
{
    double cost = 2;
    for (size_t i = 0; i < set.count; i++) {
        int p = set.at[i];
        bool here = view_level(s, p) == (int)s->height;
        double degree = here ? table_degree(s->table, p, s->level[s->height].variable) : 0.5;
        cost += degree * degree + 0.25 * s->table->at[p]->degree;
    }
    return cost;
}

bool line_cell(struct search *s, const struct place *place, struct set set, struct cell *cell)
{
    struct candidate lo = {0}, hi = {0}, at = {0};
    for (size_t i = 0; i < set.count; i++) {
        int p = set.at[i];
        struct view *view;
        size_t below;
        bool equal;
        if (view_level(s, p) != (int)s->height)
            continue;
        if (!view_roots(s, p, &view) || !roots_below(s, p, view, place, &below, &equal))
            return false;
        view = view_of(s, p);
        bool good = true;
        if (equal)
            good =
                candidate_improve(s, &at, (struct candidate){view->roots[below], p, below + 1}, 1);
        else if (below < view->root_count)
            good =
                candidate_improve(s, &hi, (struct candidate){view->roots[below], p, below + 1}, -1);
        if (good && !equal && below)
            good =
                candidate_improve(s, &lo, (struct candidate){view->roots[below - 1], p, below}, 1);
        if (!good)
            return false;
    }
    cell->lo = bound_make(s, at.root ? at : lo);
    cell->hi = at.root ? cell->lo : bound_make(s, hi);
    cell->set = set;
    cell->cost = set_cost(s, set);
    return !s->budget->spent;
}

struct cell *line_add(struct search *s, struct cell cell)
{
    struct level *level = &s->level[s->height];
    struct cell *copy = ARENA_NEW(level->arena, struct cell);
    *copy = cell;
    level->cells = vec_reserve(level->arena, level->cells, level->cell_count, &level->cell_capacity,
                               sizeof *level->cells);
    return level->cells[level->cell_count++] = copy;
}

/* The positions that a cell covers. A closed one covers its bounds too. */
static void cell_span(const struct level *level, const struct cell *cell, size_t *from, size_t *to)
{
    if (cell->lo.end && cell->lo.end == cell->hi.end) {
        *from = *to = 2 * cell->lo.end->rank + 1;
        return;
    }
    *from = cell->lo.end ? 2 * cell->lo.end->rank + 2 : 0;
    *to = cell->hi.end ? 2 * cell->hi.end->rank : 2 * level->end_count;
    *from -= cell->closed && cell->lo.end;
    *to += cell->closed && cell->hi.end;
}

/* --- places ---------------------------------------------------------------------------------- */

/* How unpleasant a number is as a coordinate: its size in bits, the denominator's twice. */
static ulong value_size(const fmpq_t value)
{
    return fmpz_bits(fmpq_numref(value)) + 2 * fmpz_bits(fmpq_denref(value));
}

/* Keeps the place in the positions from … to if it is better than what is there: open pieces before
   single ends, then simple numbers. */
static bool place_consider(struct search *s, size_t from, size_t to, struct place *place,
                           bool *found)
{
    struct level *level = &s->level[s->height];
    if (from == to && from % 2) {
        if (!*found)
            place->end = level->ends[from / 2];
        *found = true;
        return true;
    }
    size_t below = (from + 1) / 2, above = to / 2;   /* ends around the piece: below - 1 and
                                                        above */
    const struct root *lo = below ? level->ends[below - 1]->root : NULL;
    const struct root *hi = above < level->end_count ? level->ends[above]->root : NULL;
    fmpq_t value;
    fmpq_init(value);
    bool done = root_between(s->sample, lo, hi, value);
    if (done && (!*found || place->end || value_size(value) < value_size(place->value))) {
        fmpq_swap(place->value, value);
        place->end = NULL;
        *found = true;
    }
    fmpq_clear(value);
    return done;
}

bool line_place(struct search *s, struct place *place)
{
    struct level *level = &s->level[s->height];
    size_t positions = 2 * level->end_count + 1;
    int *changes = ARENA_ARRAY(level->arena, int, positions + 1);
    for (size_t i = 0; i < level->cell_count; i++) {
        size_t from, to;
        cell_span(level, level->cells[i], &from, &to);
        changes[from]++;
        changes[to + 1]--;
    }
    bool found = false;
    int covers = 0;
    place->end = NULL;
    for (size_t i = 0, start = 0; i <= positions; i++) {
        bool covered = i == positions || (covers += changes[i]) > 0;
        if (covered && i > start && !place_consider(s, start, i - 1, place, &found))
            return false;
        if (covered)
            start = i + 1;
    }
    return found;
}

/* --- coverings ------------------------------------------------------------------------------- */

struct span {
    struct cell *cell;
    size_t from, to;
};

static int compare_spans(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

static struct span *spans_make(struct search *s, size_t *count)
{
    struct level *level = &s->level[s->height];
    struct span *spans = ARENA_ARRAY(level->arena, struct span, level->cell_count);
    *count = 0;
    for (size_t i = 0; i < level->cell_count; i++) {
        struct span span = {.cell = level->cells[i]};
        cell_span(level, span.cell, &span.from, &span.to);
        spans[(*count)++] = span;
    }
    qsort(spans, *count, sizeof *spans, compare_spans);
    return spans;
}

/* Shortest path: best[k] is the least cost of covering the first k positions, by[k] the span that
   does it last. Costs are positive, hence the bounds of the spans on the path ascend strictly. */
struct cell **line_cover(struct search *s, size_t *count)
{
    struct level *level = &s->level[s->height];
    size_t positions = 2 * level->end_count + 1, span_count;
    struct span *spans = spans_make(s, &span_count);
    double *best = ARENA_ARRAY(level->arena, double, positions + 1);
    size_t *by = ARENA_ARRAY(level->arena, size_t, positions + 1);
    for (size_t k = 1; k <= positions; k++)
        best[k] = 1e300;
    for (size_t i = 0; i < span_count; i++) {
        double cost = best[spans[i].from] + spans[i].cell->cost;
        for (size_t k = spans[i].to + 1; k > 0 && cost < best[k]; k--) {
            best[k] = cost;
            by[k] = i;
        }
    }
    assert(best[positions] < 1e300);
    *count = 0;
    for (size_t k = positions; k; k = spans[by[k]].from)
        ++*count;
    struct cell **cover = ARENA_ARRAY(level->arena, struct cell *, *count);
    size_t i = *count;
    for (size_t k = positions; k; k = spans[by[k]].from)
        cover[--i] = spans[by[k]].cell;
    return cover;
}
