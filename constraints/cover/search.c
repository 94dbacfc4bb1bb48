/* The search. In: a question; out: its truth with a point, or with the hypotheses used and a proof.
   Level by level a place outside the known cells becomes the next coordinate; where the hypotheses
   are decided there, the polynomials that decide them give a cell around it, else the level above
   is covered first and its covering is projected to a cell. A level is decided by one cell (true
   under 'e', false under 'a') or by a covering of the other truth. Source: Ábrahám, Davenport,
   England, Kremer, JLAMP 119 (2021); Nalbach, Kremer, "Extensions of the cylindrical algebraic
   covering method for quantifiers" (2023). */
#include "constraints/cover/search.h"
#include "base/vec.h"
#include <string.h>

enum { NO_HYPOTHESIS = -1 };

/* Why the matrix has its truth over a cell around the newest place. */
struct finding {
    int truth;
    struct set set;
    const uint64_t *origins;
    bool leaf;                    /* decided by signs alone, */
    int hypothesis;               /* by the one that is false; NO_HYPOTHESIS: */
    const struct proof *below;
};

struct findings {
    struct finding *at;
    size_t count;
};

static struct outcome search_level(struct search *s);

/* The arena of the level that an outcome goes up to. */
static struct arena *arena_above(struct search *s)
{
    return s->height ? s->level[s->height - 1].arena : s->arena;
}

static const uint64_t *origins_single(struct search *s, struct arena *arena, size_t hypothesis)
{
    uint64_t *origins = ARENA_ARRAY(arena, uint64_t, s->words);
    origins[hypothesis / 64] |= (uint64_t)1 << hypothesis % 64;
    return origins;
}

static const uint64_t *origins_of_cells(struct search *s, struct arena *arena, struct cell **cells,
                                        size_t count)
{
    uint64_t *origins = ARENA_ARRAY(arena, uint64_t, s->words);
    for (size_t i = 0; i < count; i++)
        for (size_t w = 0; w < s->words; w++)
            origins[w] |= cells[i]->origins[w];
    return origins;
}

static const uint64_t *origins_all(struct search *s, struct arena *arena)
{
    uint64_t *origins = ARENA_ARRAY(arena, uint64_t, s->words);
    for (size_t h = 0; h < s->hypothesis_count; h++)
        origins[h / 64] |= (uint64_t)1 << h % 64;
    return origins;
}

/* Truth at the newest place, with its reasons in the arena of the place's level; -1: the budget is
   spent. */
static int look_here(struct search *s, struct findings *findings)
{
    struct arena *arena = s->level[s->height - 1].arena;
    size_t *false_at = ARENA_ARRAY(arena, size_t, s->hypothesis_count), false_count = 0;
    int truth =
        s->height < s->free ? -1 : matrix_evaluate(s, s->height == s->free, false_at, &false_count);
    if (s->budget->spent)
        return -1;
    findings->count = truth ? 1 : false_count;
    findings->at = ARENA_ARRAY(arena, struct finding, findings->count);
    for (size_t i = 0; !truth && i < false_count; i++)
        findings->at[i] = (struct finding){0,
                                           matrix_false(s, arena, false_at[i]),
                                           origins_single(s, arena, false_at[i]),
                                           true,
                                           (int)false_at[i],
                                           NULL};
    if (truth == 1)
        findings->at[0] = (struct finding){1, {NULL, 0}, NULL, true, NO_HYPOTHESIS, NULL};
    if (truth == 1 && !s->plain) {
        findings->at[0].set = matrix_true(s, arena);
        findings->at[0].origins = origins_all(s, arena);
    }
    if (truth >= 0)
        return truth;
    if (s->height == s->levels) {
        s->budget->spent = true;
        s->budget->reason = "a polynomial is beyond the limits";
        return -1;
    }
    struct outcome outcome = search_level(s);
    findings->at[0] = (struct finding){outcome.truth, outcome.set,   outcome.origins,
                                       false,         NO_HYPOTHESIS, outcome.proof};
    return outcome.truth;
}

/* The same; a point of the free variables goes into the chart. */
static int look(struct search *s, struct findings *findings)
{
    int truth = look_here(s, findings);
    if (!s->free || s->height != s->free || truth < 0)
        return truth;
    findings->count = 1;
    return chart_point(s, s->level[s->height - 1].arena, truth, &findings->at[0].set) ? truth : -1;
}

/* Do all the hypotheses have open solutions? Then an open cell where they are false extends to its
   bounds: a solution on a bound would have solutions next to it, in the cell. */
static bool origins_strict(const struct search *s, const uint64_t *origins)
{
    for (size_t w = 0; w < s->words; w++)
        if (origins[w] & ~s->strict[w])
            return false;
    return true;
}

/* Adds the cells of the findings around the place, which is taken back already. False if the budget
   is spent. */
static bool add_cells(struct search *s, const struct place *place, const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *f = &findings->at[i];
        struct cell cell = {.truth = f->truth, .leaf = f->leaf, .origins = f->origins};
        if (!line_cell(s, place, f->set, &cell))
            return false;
        cell.closed = s->plain && (!cell.lo.end || cell.lo.end != cell.hi.end) &&
                      origins_strict(s, f->origins);
        if (s->certificate)
            cell.proof = proof_cell(s, place, &cell, f->hypothesis, f->below);
        line_add(s, cell);
    }
    return true;
}

/* The outcome that cells of this level show for the coordinates below. */
static struct outcome conclude(struct search *s, int truth, struct cell **cells, size_t count,
                               bool covering)
{
    struct outcome outcome = {.truth = truth};
    struct arena *arena = arena_above(s);
    if (s->height && !project_cells(s, arena, cells, count, covering, &outcome.set))
        outcome.truth = -1;
    outcome.origins = origins_of_cells(s, arena, cells, count);
    if (s->certificate)
        outcome.proof = proof_list(s, cells, count);
    return outcome;
}

static struct cell **cheapest(struct cell **cells, size_t count)
{
    struct cell **best = cells;
    for (size_t i = 1; i < count; i++)
        if (cells[i]->cost < (*best)->cost)
            best = &cells[i];
    return best;
}

/* Covers the line of level s->height. A point that answers a plain question stays in the sample. */
static struct outcome cover_line(struct search *s)
{
    struct level *level = &s->level[s->height];
    int wanted = level->quantifier == 'f' ? -1 : level->quantifier == 'e';
    for (;;) {
        struct place place = {.end = NULL};
        struct findings findings;
        fmpq_init(place.value);
        if (!budget_take(s->budget, 20 + s->hypothesis_count) || !line_place(s, &place)) {
            fmpq_clear(place.value);
            break;
        }
        place_push(s, &place);
        int truth = look(s, &findings);
        bool stay = truth == 1 && s->plain;
        if (!stay && truth >= 0)
            place_pop(s);
        size_t first = level->cell_count;
        bool good = stay || (truth >= 0 && add_cells(s, &place, &findings));
        fmpq_clear(place.value);
        if (!good || stay)
            return (struct outcome){.truth = good ? 1 : -1};
        if (truth == wanted)
            return conclude(s, truth, cheapest(level->cells + first, level->cell_count - first), 1,
                            false);
    }
    if (s->budget->spent)
        return (struct outcome){.truth = -1};
    size_t count;
    struct cell **cover = line_cover(s, &count);
    return conclude(s, wanted < 0 ? chart_line(s, cover, count) : !wanted, cover, count, true);
}

static struct outcome search_level(struct search *s)
{
    line_open(s);
    struct outcome outcome = cover_line(s);
    if (outcome.truth >= 0 && !(outcome.truth == 1 && s->plain))
        line_close(s);
    return outcome;
}

struct outcome covering_run(struct search *s)
{
    size_t *false_at = ARENA_ARRAY(s->arena, size_t, s->hypothesis_count), false_count;
    int truth = matrix_evaluate(s, true, false_at, &false_count);
    if (truth == 0) {
        struct outcome outcome = {.truth = 0, .origins = origins_single(s, s->arena, false_at[0])};
        if (s->certificate)
            outcome.proof = proof_contradiction(s, false_at[0]);
        return outcome;
    }
    if (truth == 1 || !s->levels)
        return (struct outcome){.truth = truth};
    return search_level(s);
}
