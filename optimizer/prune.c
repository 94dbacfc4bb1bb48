/* Fewer leaves, provably: what is dominated, what a budget cuts.

   In: the cases of a search (mode keep: disjoint) and its versions. Out: the same cases given to
   fewer versions. Invariants: a case is never lost nor enlarged, so that what was proved of the
   partition stays true; a version takes over a case only if all that it requires is implied there,
   proved by the solver (undecided is not proved); the safe version, which requires nothing, and the
   most frugal one are never cut. Source: spec X-05. */
#include "base/map.h"
#include "base/str.h"
#include "optimizer/cases.h"
#include <string.h>

struct pruning {
    const struct search_space *space;
    struct arena *arena;
    size_t n_cases;
    const struct tree_case **cases;     /* replaced as they are given away */
    size_t n_versions;
    const struct version *versions;
    struct tree_stats *stats;
    struct map *implied;                /* the solver's answers, by question */
};

static struct pruning pruning_begin(const struct case_tree *tree, struct tree_stats *stats)
{
    struct arena *arena = tree->store->ctx->arena;
    struct case_list list = case_list_make(arena, tree->root);
    return (struct pruning){.space = tree->store->space,
                            .arena = arena,
                            .n_cases = list.count,
                            .cases = list.at,
                            .n_versions = tree->n_versions,
                            .versions = tree->versions,
                            .stats = stats,
                            .implied = map_new(arena)};
}

static const struct case_tree *pruning_end(const struct pruning *p, const struct case_tree *tree)
{
    return case_tree_with(tree, case_leaves_replace(p->arena, tree->root, p->cases));
}

static size_t version_cases(const struct pruning *p, size_t version)
{
    size_t count = 0;
    for (size_t i = 0; i < p->n_cases; i++)
        count += p->cases[i]->version == version;
    return count;
}

static bool sas_has(struct sas sas, struct constraint c)
{
    for (size_t i = 0; i < sas.count; i++)
        if (constraint_equal(sas.at[i], c))
            return true;
    return false;
}

static void constraint_name(struct str *name, struct constraint c)
{
    poly_print(name, c.poly);
    str_char(name, ' ');
    str_integer(name, (long long)c.relation);
    str_char(name, ';');
}

/* A system and its text, which stands at the end of every question about the system. */
struct premise {
    struct sas system;
    struct str name;
};

static void premise_make(struct premise *premise, const struct pruning *p, struct sas system,
                         struct slots slots)
{
    struct sas all = sas_join(p->arena, p->space->initial, slots_facts(p->space, slots));
    premise->system = sas_join(p->arena, all, system);
    premise->name = str_new(p->arena);
    for (size_t i = 0; i < premise->system.count; i++)
        constraint_name(&premise->name, premise->system.at[i]);
}

/* Is the constraint proved to hold in the system? Cases have the same parts, and versions the same
   limits: between a third and a half of the answers are known. */
static bool is_implied(const struct pruning *p, const struct premise *premise, struct constraint c)
{
    static const bool ANSWERS[2] = {false, true};
    struct str question = str_new(p->arena);
    constraint_name(&question, c);
    str_add_n(&question, premise->name.text, premise->name.length);
    const bool *known = map_get(p->implied, question.text);
    if (!known) {
        p->stats->questions_prune++;
        known = &ANSWERS[sas_implies(premise->system, c) == 1];
        map_put(p->implied, question.text, (void *)known);
    }
    return *known;
}

/* Is all that a version requires proved to hold in a system over `slots`? */
static bool fits_in(const struct pruning *p, struct sas system, struct slots slots,
                    const struct version *version)
{
    struct sas fits;
    struct premise premise = {0};
    if (!version_bind(p->space, version, &slots, &fits))
        return false;
    for (size_t i = 0; i < fits.count; i++) {
        if (sas_has(system, fits.at[i]))
            continue;
        if (!premise.system.ring)
            premise_make(&premise, p, system, slots);
        if (!is_implied(p, &premise, fits.at[i]))
            return false;
    }
    return true;
}

static bool case_fits(const struct pruning *p, size_t i, size_t version)
{
    return fits_in(p, p->cases[i]->constraints, p->cases[i]->slots, &p->versions[version]);
}

/* Is what `inner` requires enough for `outer` too? */
static bool version_implies(const struct pruning *p, const struct version *inner,
                            const struct version *outer)
{
    struct slots slots = {0};
    struct sas fits;
    return version_bind(p->space, inner, &slots, &fits) && fits_in(p, fits, slots, outer);
}

/* The case goes to another version, which a code tells once. */
static void case_give(struct pruning *p, size_t i, size_t version, const char *code)
{
    struct tree_case *given = ARENA_NEW(p->arena, struct tree_case);
    *given = *p->cases[i];
    const char **codes = ARENA_ARRAY(p->arena, const char *, given->n_codes + 1);
    for (size_t k = 0; k < given->n_codes; k++)
        codes[k] = given->codes[k];
    if (given->n_codes == 0 || strcmp(codes[given->n_codes - 1], code) != 0)
        codes[given->n_codes++] = code;
    given->codes = codes;
    given->version = version;
    p->cases[i] = given;
}

/* --- dominated leaves ------------------------------------------------------------------------- */

static bool uses(const struct version *version, const struct strategy *strategy)
{
    for (size_t i = 0; i < version->n_strategies; i++)
        if (version->strategies[i] == strategy)
            return true;
    return false;
}

/* Is the strategy applied for nothing but a resource? */
static bool only_saves(const struct search_space *space, const struct strategy *strategy)
{
    if (strategy->sweep != SWEEP_NO)
        return false;
    for (int i = 0; i < space->n_counters; i++) {
        const struct search_counter *counter = &space->counters[i];
        if (counter->is_resource)
            continue;
        for (int k = 0; k < counter->n_sigma; k++)
            if (&space->strategies[counter->sigma[k]] == strategy)
                return false;
    }
    return true;
}

/* Was `better` made with fewer saving strategies than `worse`, and with the same others? It may
   have more of those that are applied wherever they cost nothing. */
static bool saves_less(const struct pruning *p, const struct version *better,
                       const struct version *worse)
{
    bool fewer = false;
    if (worse->safe || better->safe)
        return worse->safe && !better->safe;
    for (size_t i = 0; i < better->n_strategies; i++)
        if (better->strategies[i]->sweep == SWEEP_NO &&
            !uses(worse, better->strategies[i]))
            return false;
    for (size_t i = 0; i < worse->n_strategies; i++) {
        if (uses(better, worse->strategies[i]))
            continue;
        if (!only_saves(p->space, worse->strategies[i]))
            return false;
        fewer = true;
    }
    return fewer;
}

const struct case_tree *cases_prune_dominated(const struct case_tree *tree,
                                              struct tree_stats *stats)
{
    struct pruning p = pruning_begin(tree, stats);
    bool *had = ARENA_ARRAY(p.arena, bool, p.n_versions + 1);
    for (size_t v = 0; v < p.n_versions; v++)
        had[v] = version_cases(&p, v) > 0;
    for (size_t i = 0; i < p.n_cases; i++) {
        size_t own = p.cases[i]->version;
        for (size_t v = 0; v < p.n_versions; v++) {
            if (v == own || !saves_less(&p, &p.versions[v], &p.versions[own]) ||
                !case_fits(&p, i, v))
                continue;
            case_give(&p, i, v, "dm");
            stats->cases_dominated++;
            break;
        }
    }
    for (size_t v = 0; v < p.n_versions; v++)
        stats->leaves_dominated += had[v] && !p.versions[v].safe && version_cases(&p, v) == 0;
    return pruning_end(&p, tree);
}

/* --- the budget ------------------------------------------------------------------------------- */

/* Strategies that one of the two has and the other has not. */
static size_t distance(const struct version *a, const struct version *b)
{
    size_t count = 0;
    for (size_t i = 0; i < a->n_strategies; i++)
        count += !uses(b, a->strategies[i]);
    for (size_t i = 0; i < b->n_strategies; i++)
        count += !uses(a, b->strategies[i]);
    return count;
}

struct budget {
    struct pruning *p;
    bool *alive;                        /* by version */
    size_t first, frugal, safe;
    size_t n_alive;
    signed char *known;                 /* by case and version: 0 not asked, 1 fits, -1
                                           not proved */
};

static bool heir_fits(const struct budget *b, size_t i, size_t version)
{
    signed char *known = &b->known[i * b->p->n_versions + version];
    if (*known == 0)
        *known = case_fits(b->p, i, version) ? 1 : -1;
    return *known == 1;
}

/* The nearest living version but its own that fits in the case; the safe one if there is
   no other. */
static size_t case_heir(const struct budget *b, size_t i)
{
    const struct pruning *p = b->p;
    const struct version *own = &p->versions[p->cases[i]->version];
    bool *tried = ARENA_ARRAY(p->arena, bool, p->n_versions + 1);
    for (;;) {
        size_t best = b->safe;
        for (size_t v = 0; v < p->n_versions; v++) {
            if (!b->alive[v] || tried[v] || v == b->safe || &p->versions[v] == own)
                continue;
            if (best == b->safe ||
                distance(own, &p->versions[v]) < distance(own, &p->versions[best]))
                best = v;
        }
        if (best == b->safe || heir_fits(b, i, best))
            return best;
        tried[best] = true;
    }
}

/* The one that the fewest need: it fits wherever another does, or, where that is not proved, the
   search came to it last. */
static size_t most_frugal(const struct pruning *p, const bool *alive, size_t safe)
{
    size_t best = safe;
    for (size_t v = 0; v < p->n_versions; v++)
        if (alive[v] && v != safe)
            best = v;
    for (size_t v = 0; v < p->n_versions; v++) {
        if (!alive[v] || v == safe || v == best)
            continue;
        if (version_implies(p, &p->versions[best], &p->versions[v]) &&
            !version_implies(p, &p->versions[v], &p->versions[best]))
            best = v;
    }
    return best;
}

/* What it costs to give a version up: cases left to the safe one weigh most, then how far the
   heirs are. */
static size_t loss(const struct budget *b, size_t version)
{
    const struct pruning *p = b->p;
    size_t sum = 0;
    for (size_t i = 0; i < p->n_cases; i++) {
        if (p->cases[i]->version != version)
            continue;
        size_t heir = case_heir(b, i);
        sum += heir == b->safe ? 1000 : distance(&p->versions[version], &p->versions[heir]);
    }
    return sum;
}

static void version_cut(struct budget *b, size_t version)
{
    struct pruning *p = b->p;
    b->alive[version] = false;
    b->n_alive--;
    p->stats->leaves_cut++;
    for (size_t i = 0; i < p->n_cases; i++)
        if (p->cases[i]->version == version) {
            case_give(p, i, case_heir(b, i), "bg");
            p->stats->cases_cut++;
        }
}

/* The one whose loss is least, of equal ones the last; the safe one if none may be cut. */
static size_t victim_find(const struct budget *b, size_t most)
{
    size_t victim = b->safe, least = SIZE_MAX;
    for (size_t v = 0; v < b->p->n_versions; v++) {
        if (!b->alive[v] || v == b->safe || v == b->frugal || (v == b->first && most > 2))
            continue;
        size_t cost = loss(b, v);
        if (cost <= least) {
            least = cost;
            victim = v;
        }
    }
    return victim;
}

const struct case_tree *cases_limit(const struct case_tree *tree, size_t most,
                                    struct tree_stats *stats)
{
    struct pruning p = pruning_begin(tree, stats);
    struct budget b = {.p = &p, .alive = ARENA_ARRAY(p.arena, bool, p.n_versions + 1)};
    for (size_t v = 0; v < p.n_versions; v++) {
        b.alive[v] = p.versions[v].safe || version_cases(&p, v) > 0;
        b.n_alive += b.alive[v];
        if (p.versions[v].safe)
            b.safe = v;
    }
    if (b.n_alive <= most)
        return tree;
    b.known = ARENA_ARRAY(p.arena, signed char, p.n_cases * p.n_versions + 1);
    b.frugal = most_frugal(&p, b.alive, b.safe);
    while (b.first < p.n_versions && !b.alive[b.first])
        b.first++;
    while (b.n_alive > most) {
        size_t victim = victim_find(&b, most);
        if (victim == b.safe)
            break;
        version_cut(&b, victim);
    }
    return pruning_end(&p, tree);
}
