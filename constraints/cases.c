/* Case distinction over the Boolean structure. In: formulas without quantifiers; out: a verdict
   with a model, or the assertions needed and a proof. The formulas are flattened into hypotheses
   (atoms and disjunctions); the atoms are decided as a conjunction; a model that satisfies all
   disjunctions is an answer, else one that it does not satisfy is split into its operands. A
   refutation that does not need what an operand added holds for the whole split (backjump), so the
   hypotheses of every proof stand in its path. Sets of atoms that excluded each other once are
   remembered and end other paths without work. Integer variables are split last, at the model's
   value. The invariant: a conflict names hypotheses of the present path only. Source: tableaux with
   model-guided choice and backjumping; the coverings take formulas over where the cases are too
   many. */
#include "base/vec.h"
#include "constraints/literals.h"
#include "constraints/ring.h"
#include "constraints/search.h"
#include <string.h>

enum {
    CASE_LIMIT = 3000,
    BRANCH_LIMIT = 600,
    BRANCH_DEPTH = 120,
    NOGOOD_LIMIT = 400,
    NOGOOD_SIZE = 8
};

struct nogood {
    size_t count;
    size_t literals[NOGOOD_SIZE];
};

struct conflict {
    struct hypothesis **at;
    size_t count;
};

struct cases {
    struct search *search;
    struct hypotheses path;
    struct arena *scratch;
    struct literals *literals;
    VEC(struct hypothesis *) present;   /* by literal: the first on the path; NULL */
    VEC(struct nogood) nogoods;
    struct conflict conflict;   /* after EMPTY */
    const struct model *model;  /* after NONEMPTY */
    size_t left, branches_left; /* conjunctions, integer splits */
};

/* --- hypotheses ------------------------------------------------------------------------------ */

void hypotheses_append(struct arena *arena, struct hypotheses *list, struct hypothesis *h)
{
    list->at = vec_reserve(arena, list->at, list->count, &list->capacity, sizeof *list->at);
    list->at[list->count++] = h;
}

void hypotheses_add(struct arena *arena, struct hypotheses *list, const struct formula *f,
                    bool negated, size_t assertion)
{
    bool conjunction = f->kind == (negated ? FORMULA_OR : FORMULA_AND);
    if (f->kind == FORMULA_NOT) {
        hypotheses_add(arena, list, f->at[0], !negated, assertion);
        return;
    }
    for (size_t i = 0; conjunction && i < f->count; i++)
        hypotheses_add(arena, list, f->at[i], negated, assertion);
    if (conjunction || f->kind == (negated ? FORMULA_FALSE : FORMULA_TRUE))
        return;
    struct hypothesis *h = ARENA_NEW(arena, struct hypothesis);
    *h = (struct hypothesis){
        .f = f, .negated = negated, .assertion = assertion, .number = list->count};
    if (f->kind == FORMULA_ATOM)
        h->constraint = negated ? constraint_negate(f->constraint) : f->constraint;
    hypotheses_append(arena, list, h);
}

size_t disjunction_count(const struct hypothesis *h)
{
    return h->f->count;
}

void disjunction_add(struct arena *arena, struct hypotheses *list, const struct hypothesis *h,
                     size_t i)
{
    if (h->f->kind != FORMULA_XOR) {
        for (size_t j = 0; j < i; j++)
            if (formula_is_literal(h->f->at[j]))
                hypotheses_add(arena, list, h->f->at[j], !h->negated, SIZE_MAX);
        hypotheses_add(arena, list, h->f->at[i], h->negated, SIZE_MAX);
        return;
    }
    hypotheses_add(arena, list, h->f->at[0], i == 1, SIZE_MAX);
    hypotheses_add(arena, list, h->f->at[1], (i == 0) != h->negated, SIZE_MAX);
}

static bool hypothesis_is_atom(const struct hypothesis *h)
{
    return h->f->kind == FORMULA_ATOM;
}

static bool hypothesis_is_false(const struct hypothesis *h)
{
    return h->f->kind == FORMULA_TRUE || h->f->kind == FORMULA_FALSE;
}

/* --- what is known of the path --------------------------------------------------------------- */

static size_t literal_at(struct cases *cases, const struct formula *f, bool negated)
{
    size_t literal = literal_of(cases->literals, f, negated);
    while (cases->present.count < literals_limit(cases->literals))
        vec_push(cases->scratch, &cases->present, NULL);
    return literal;
}

static void path_enter(struct cases *cases, size_t from)
{
    for (size_t i = from; i < cases->path.count; i++) {
        struct hypothesis *h = cases->path.at[i];
        if (!hypothesis_is_atom(h))
            continue;
        h->literal = literal_at(cases, h->f, h->negated);
        if (!cases->present.at[h->literal])
            cases->present.at[h->literal] = h;
    }
}

static void path_leave(struct cases *cases, size_t to)
{
    for (size_t i = to; i < cases->path.count; i++) {
        struct hypothesis *h = cases->path.at[i];
        if (hypothesis_is_atom(h) && cases->present.at[h->literal] == h)
            cases->present.at[h->literal] = NULL;
    }
    cases->path.count = to;
}

static void conflict_start(struct cases *cases, size_t capacity)
{
    cases->conflict =
        (struct conflict){ARENA_ARRAY(cases->search->arena, struct hypothesis *, capacity + 1), 0};
}

static void conflict_add(struct cases *cases, struct hypothesis *h)
{
    for (size_t i = 0; i < cases->conflict.count; i++)
        if (cases->conflict.at[i] == h)
            return;
    cases->conflict.at[cases->conflict.count++] = h;
}

/* An atom on the path from `from` on whose negation is on the path, or FALSE; cases->conflict says
   so. */
static bool contradiction_present(struct cases *cases, size_t from)
{
    for (size_t i = from; i < cases->path.count; i++) {
        struct hypothesis *h = cases->path.at[i];
        bool is_false = hypothesis_is_false(h);
        if (!is_false && (!hypothesis_is_atom(h) || !cases->present.at[h->literal ^ 1]))
            continue;
        conflict_start(cases, 2);
        conflict_add(cases, h);
        if (!is_false)
            conflict_add(cases, cases->present.at[h->literal ^ 1]);
        return true;
    }
    return false;
}

/* A remembered set of atoms all of which are on the path now; cases->conflict says where. */
static bool nogood_present(struct cases *cases)
{
    for (size_t i = 0; i < cases->nogoods.count; i++) {
        const struct nogood *nogood = &cases->nogoods.at[i];
        size_t found = 0;
        while (found < nogood->count && cases->present.at[nogood->literals[found]])
            found++;
        if (found < nogood->count)
            continue;
        conflict_start(cases, nogood->count);
        for (size_t j = 0; j < nogood->count; j++)
            conflict_add(cases, cases->present.at[nogood->literals[j]]);
        return true;
    }
    return false;
}

static void nogood_learn(struct cases *cases)
{
    if (cases->conflict.count > NOGOOD_SIZE || cases->nogoods.count == NOGOOD_LIMIT)
        return;
    struct nogood nogood = {cases->conflict.count, {0}};
    for (size_t i = 0; i < nogood.count; i++)
        nogood.literals[i] = cases->conflict.at[i]->literal;
    vec_push(cases->search->arena, &cases->nogoods, nogood);
}

/* How a disjunction stands: operands that the path does not contradict in plain sight; none needed
   if one is on the path. */
struct standing {
    bool holds;
    size_t open;
};

static struct standing disjunction_stands(struct cases *cases, const struct hypothesis *h)
{
    struct standing standing = {false, 0};
    for (size_t i = 0; i < h->f->count; i++) {
        const struct formula *f = h->f->at[i];
        bool negated = h->negated;
        for (; f->kind == FORMULA_NOT; f = f->at[0])
            negated = !negated;
        if (f->kind != FORMULA_ATOM || h->f->kind == FORMULA_XOR) {
            standing.open++;
            continue;
        }
        size_t literal = literal_at(cases, f, negated);
        standing.holds |= cases->present.at[literal] != NULL;
        standing.open += !cases->present.at[literal ^ 1];
    }
    return standing;
}

static const struct proof *conflict_proof(struct cases *cases)
{
    struct proof *proof = ARENA_NEW(cases->search->arena, struct proof);
    *proof = (struct proof){
        .kind = PROOF_CONFLICT, .members = cases->conflict.at, .count = cases->conflict.count};
    return proof;
}

/* --- the search ------------------------------------------------------------------------------ */

static enum verdict descend(struct cases *cases, const struct proof **proof, size_t from,
                            size_t depth);

static enum verdict give_up(struct cases *cases, const char *reason)
{
    if (!cases->search->reason)
        cases->search->reason = reason;
    return SAS_UNKNOWN;
}

/* The atoms of the path as a conjunction. */
static enum verdict atoms_decide(struct cases *cases)
{
    struct search *search = cases->search;
    struct constraint *at = ARENA_ARRAY(search->arena, struct constraint, cases->path.count + 1);
    struct hypothesis **from =
        ARENA_ARRAY(search->arena, struct hypothesis *, cases->path.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < cases->path.count; i++) {
        struct hypothesis *h = cases->path.at[i];
        if (!hypothesis_is_atom(h) || cases->present.at[h->literal] != h)
            continue;
        at[count] = h->constraint;
        from[count++] = h;
    }
    struct conjunction answer = conjunction_decide(search, at, count);
    cases->model = answer.model;
    if (answer.verdict != SAS_EMPTY)
        return answer.verdict;
    conflict_start(cases, count);
    for (size_t i = 0; i < count; i++)
        if (answer.core[i])
            conflict_add(cases, from[i]);
    nogood_learn(cases);
    return SAS_EMPTY;
}

struct split {
    struct proof *proof;       /* cases or branch */
    size_t count;
    struct hypothesis *needs;  /* the disjunction; NULL for an integer */
};

/* variable - k, in the search's arena: the ring's own would grow with every split. */
static const struct poly *bound_polynomial(struct arena *arena, struct ring *ring, int variable,
                                           int64_t k)
{
    struct poly *p = poly_scratch(arena, ring);
    fmpz_t value;
    fmpz_init_set_si(value, k);
    fmpq_mpoly_gen(p->value, variable, ring->ctx);
    fmpq_mpoly_sub_fmpz(p->value, p->value, value, ring->ctx);
    fmpz_clear(value);
    return p;
}

static void operand_add(struct cases *cases, const struct split *split, size_t i)
{
    struct arena *arena = cases->search->arena;
    struct proof *proof = split->proof;
    if (proof->kind == PROOF_CASES) {
        disjunction_add(arena, &cases->path, split->needs, i);
        return;
    }
    struct constraint c = {
        bound_polynomial(arena, cases->search->ring, proof->variable, proof->floor + (int64_t)i),
        i ? RELATION_GE : RELATION_LE};
    hypotheses_add(arena, &cases->path, formula_atom(arena, c), false, SIZE_MAX);
}

static struct hypotheses path_since(struct cases *cases, size_t base)
{
    struct hypotheses added = {0};
    for (size_t i = base; i < cases->path.count; i++)
        hypotheses_append(cases->search->arena, &added, cases->path.at[i]);
    return added;
}

/* Does the conflict need one of the hypotheses from `base` on? */
static bool conflict_needs(const struct cases *cases, size_t base)
{
    for (size_t i = 0; i < cases->conflict.count; i++)
        if (cases->conflict.at[i]->number >= base)
            return true;
    return false;
}

/* Every operand in turn; EMPTY with the joined conflict, or at once with one that no operand takes
   part in. */
static enum verdict split_decide(struct cases *cases, struct split *split,
                                 const struct proof **proof, size_t depth)
{
    struct arena *arena = cases->search->arena;
    size_t base = cases->path.count, joined_count = 0;
    struct hypothesis **joined = ARENA_ARRAY(arena, struct hypothesis *, base + 1);
    const struct proof **branches = ARENA_ARRAY(arena, const struct proof *, split->count);
    struct hypotheses *added = ARENA_ARRAY(arena, struct hypotheses, split->count);
    bool unknown = false;
    for (size_t i = 0; i < split->count; i++) {
        operand_add(cases, split, i);
        path_enter(cases, base);
        added[i] = path_since(cases, base);
        enum verdict verdict = descend(cases, &branches[i], base, depth + 1);
        path_leave(cases, base);
        if (verdict == SAS_NONEMPTY)
            return verdict;
        unknown |= verdict == SAS_UNKNOWN;
        if (verdict == SAS_UNKNOWN)
            continue;
        if (!conflict_needs(cases, base)) {
            *proof = branches[i];
            return SAS_EMPTY;
        }
        struct conflict part = cases->conflict;
        cases->conflict = (struct conflict){joined, joined_count};
        for (size_t j = 0; j < part.count; j++)
            if (part.at[j]->number < base)
                conflict_add(cases, part.at[j]);
        joined_count = cases->conflict.count;
    }
    if (unknown)
        return SAS_UNKNOWN;
    cases->conflict = (struct conflict){joined, joined_count};
    if (split->needs)
        conflict_add(cases, split->needs);
    split->proof->branches = branches;
    split->proof->added = added;
    split->proof->count = split->count;
    *proof = split->proof;
    return SAS_EMPTY;
}

/* The disjunction with the fewest open operands that the model (NULL: none yet) does not satisfy;
   not one whose operand is on the path. Without a model only one that leaves no choice. */
static struct hypothesis *disjunction_pick(struct cases *cases, const struct model *model,
                                           bool forced)
{
    struct hypothesis *best = NULL;
    size_t least = forced ? 2 : SIZE_MAX;
    for (size_t i = 0; i < cases->path.count; i++) {
        struct hypothesis *h = cases->path.at[i];
        if (hypothesis_is_atom(h) || hypothesis_is_false(h) || h->split)
            continue;
        struct standing standing = disjunction_stands(cases, h);
        if (standing.holds || standing.open >= least ||
            (model && model_holds(model, h->f) == !h->negated))
            continue;
        best = h;
        least = standing.open;
    }
    return best;
}

/* An integer variable whose value in the model is none; -1 if there is none. */
static int fraction_pick(const struct cases *cases, int64_t *floor)
{
    const struct search *search = cases->search;
    int found = -1;
    fmpz_t value;
    fmpz_init(value);
    for (int v = 0; search->integer && found < 0 && v < ring_count(search->ring); v++)
        if (search->integer[v] && !model_floor(cases->model, v, value) && fmpz_fits_si(value)) {
            found = v;
            *floor = fmpz_get_si(value);
        }
    fmpz_clear(value);
    return found;
}

static enum verdict integers_decide(struct cases *cases, const struct proof **proof, size_t depth)
{
    int64_t floor = 0;
    int v = fraction_pick(cases, &floor);
    if (v < 0)
        return SAS_NONEMPTY;
    if (!cases->branches_left || depth > BRANCH_DEPTH || floor == INT64_MAX)
        return give_up(cases, "no integer solution was found by bounded branching");
    cases->branches_left--;
    cases->search->statistics->branches++;
    struct proof *made = ARENA_NEW(cases->search->arena, struct proof);
    *made = (struct proof){.kind = PROOF_BRANCH, .variable = v, .floor = floor};
    struct split split = {made, 2, NULL};
    return split_decide(cases, &split, proof, depth);
}

static enum verdict disjunction_decide(struct cases *cases, struct hypothesis *h,
                                       const struct proof **proof, size_t depth)
{
    struct proof *made = ARENA_NEW(cases->search->arena, struct proof);
    *made = (struct proof){.kind = PROOF_CASES, .disjunction = h};
    cases->search->statistics->cases++;
    struct split split = {made, disjunction_count(h), h};
    h->split = true;
    enum verdict verdict = split_decide(cases, &split, proof, depth);
    h->split = false;
    return verdict;
}

/* The path, whose hypotheses from `from` on are new: what is plain first, then disjunctions that
   leave no choice, then the atoms as a conjunction, then a disjunction that its model does not
   satisfy. */
static enum verdict descend(struct cases *cases, const struct proof **proof, size_t from,
                            size_t depth)
{
    if (contradiction_present(cases, from) || nogood_present(cases)) {
        *proof = conflict_proof(cases);
        return SAS_EMPTY;
    }
    struct hypothesis *h = disjunction_pick(cases, NULL, true);
    if (h)
        return disjunction_decide(cases, h, proof, depth);
    if (!cases->left)
        return give_up(cases, "too many cases");
    cases->left--;
    enum verdict verdict = atoms_decide(cases);
    if (verdict == SAS_EMPTY)
        *proof = conflict_proof(cases);
    if (verdict == SAS_EMPTY || cases->search->budget.spent)
        return verdict == SAS_EMPTY ? SAS_EMPTY : SAS_UNKNOWN;
    h = disjunction_pick(cases, cases->model, false);
    if (h)
        return disjunction_decide(cases, h, proof, depth);
    return verdict == SAS_UNKNOWN ? verdict : integers_decide(cases, proof, depth);
}

static bool *core_of(struct search *search, const struct conflict *conflict, size_t count)
{
    bool *core = ARENA_ARRAY(search->arena, bool, count + 1);
    for (size_t i = 0; i < conflict->count; i++)
        core[conflict->at[i]->assertion] = true;
    return core;
}

/* The coverings on the formulas as they are, for what the cases did not decide. */
static struct cases_answer whole_decide(struct cases *cases,
                                        const struct formula *const *assertions, size_t count)
{
    struct search *search = cases->search;
    struct cases_answer answer = {.verdict = SAS_UNKNOWN};
    bool integers = false;
    for (int v = 0; search->integer && v < ring_count(search->ring); v++)
        integers |= search->integer[v];
    struct engine_answer found = coverings_ask(search, assertions, count, NULL);
    if (found.truth == 1 && !integers) {
        answer.verdict = SAS_NONEMPTY;
        answer.model =
            model_of_sample(search->arena, search->ring, search->engine->engine, found.sample);
    }
    if (found.truth)
        return answer;
    struct proof *proof = ARENA_NEW(search->arena, struct proof);
    struct hypotheses used = {0};
    for (size_t i = 0; i < cases->path.count; i++)
        if (found.core[cases->path.at[i]->assertion])
            hypotheses_append(search->arena, &used, cases->path.at[i]);
    *proof = (struct proof){.kind = PROOF_COVER, .members = used.at, .count = used.count};
    return (struct cases_answer){.verdict = SAS_EMPTY, .core = found.core, .proof = proof};
}

static bool is_conjunction(const struct hypotheses *path)
{
    for (size_t i = 0; i < path->count; i++)
        if (!hypothesis_is_atom(path->at[i]))
            return false;
    return true;
}

struct cases_answer cases_decide(struct search *search, const struct formula *const *assertions,
                                 size_t count)
{
    struct arena *scratch = arena_new();
    struct cases cases = {.search = search,
                          .scratch = scratch,
                          .literals = literals_new(scratch),
                          .left = CASE_LIMIT,
                          .branches_left = BRANCH_LIMIT};
    for (size_t i = 0; i < count; i++)
        hypotheses_add(search->arena, &cases.path, assertions[i], false, i);
    path_enter(&cases, 0);
    size_t roots = cases.path.count;
    struct cases_answer answer = {.verdict = SAS_UNKNOWN};
    answer.verdict = descend(&cases, &answer.proof, 0, 0);
    answer.model = answer.verdict == SAS_NONEMPTY ? cases.model : NULL;
    if (answer.verdict == SAS_EMPTY)
        answer.core = core_of(search, &cases.conflict, count);
    cases.path.count = roots;
    if (answer.verdict == SAS_UNKNOWN && !search->budget.spent && !is_conjunction(&cases.path))
        answer = whole_decide(&cases, assertions, count);
    answer.roots = cases.path;
    arena_free(scratch);
    return answer;
}
