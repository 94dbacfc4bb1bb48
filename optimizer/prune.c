/* Fewer leaves, provably: what is dominated, what a budget cuts, what is alike.

   In:  the cases of a search (mode keep: disjoint) and its variants. Out: the same cases given to fewer variants, and a tree
   with fewer tests.
   Invariants: a case is never lost nor enlarged, so that what was proved of the partition stays true; a variant takes over a
   case only if every constraint of its `fits` is implied there, proved by the solver (undecided is not proved); the safe
   variant, which fits everywhere, and the most frugal one are never cut. Source: spec X-05. */
#include "optimizer/prune.h"
#include <string.h>

static size_t variant_cases(const struct pruning *p, size_t variant)
{
    size_t count = 0;
    for (size_t i = 0; i < p->n_cases; i++)
        count += p->cases[i].variant == (int)variant;
    return count;
}

static bool sas_has(struct sas sas, struct constraint c)
{
    for (size_t i = 0; i < sas.count; i++)
        if (constraint_equal(sas.at[i], c))
            return true;
    return false;
}

/* Is every constraint of `fits` proved to hold in `system` (with the context)? */
static bool fits_in(const struct pruning *p, struct sas system, struct sas fits)
{
    struct arena *scratch = arena_new();
    struct sas all = sas_join(scratch, p->context, system);
    bool proved = true;
    for (size_t i = 0; i < fits.count && proved; i++) {
        if (sas_has(system, fits.at[i]))
            continue;
        p->stats->questions_prune++;
        proved = sas_implies(all, fits.at[i]) == 1;
    }
    arena_free(scratch);
    return proved;
}

static void case_give(const struct pruning *p, struct tree_case *from, size_t variant, const char *code)
{
    const char **codes = ARENA_ARRAY(p->store->ctx->arena, const char *, from->n_codes + 1);
    for (size_t i = 0; i < from->n_codes; i++)
        codes[i] = from->codes[i];
    if (from->n_codes == 0 || strcmp(codes[from->n_codes - 1], code) != 0)
        codes[from->n_codes++] = code;
    from->codes = codes;
    from->variant = (int)variant;
}

/* --- dominated leaves ------------------------------------------------------------------------- */

static bool uses(const struct variant *variant, const struct strategy *strategy)
{
    for (size_t i = 0; i < variant->n_strategies; i++)
        if (variant->strategies[i] == strategy)
            return true;
    return false;
}

static bool names_has(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(names, name); at; at = strstr(at + 1, name))
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

/* Is the strategy applied for nothing but a resource? */
static bool only_saves(const struct store *store, const struct strategy *strategy)
{
    if (strategy->in_sweep)
        return false;
    for (int i = 0; i < store->n_counters; i++) {
        const struct counter *counter = counter_table(store->counters[i]);
        if (counter->kind == COUNTER_TARGET && names_has(counter->sigma, strategy->name))
            return false;
    }
    return true;
}

/* Was `better` made with fewer saving strategies than `worse`, and with the same others? It may have more of those that are
   applied wherever they cost nothing. */
static bool saves_less(const struct pruning *p, const struct variant *better, const struct variant *worse)
{
    bool fewer = false;
    if (worse->safe || better->safe)
        return worse->safe && !better->safe;
    for (size_t i = 0; i < better->n_strategies; i++)
        if (!better->strategies[i]->in_sweep && !uses(worse, better->strategies[i]))
            return false;
    for (size_t i = 0; i < worse->n_strategies; i++) {
        if (uses(better, worse->strategies[i]))
            continue;
        if (!only_saves(p->store, worse->strategies[i]))
            return false;
        fewer = true;
    }
    return fewer;
}

void prune_dominated(const struct pruning *p)
{
    bool *had = ARENA_ARRAY(p->store->ctx->arena, bool, p->n_variants + 1);
    for (size_t v = 0; v < p->n_variants; v++)
        had[v] = variant_cases(p, v) > 0;
    for (size_t i = 0; i < p->n_cases; i++) {
        struct tree_case *from = &p->cases[i];
        for (size_t v = 0; v < p->n_variants; v++) {
            if ((int)v == from->variant || !saves_less(p, &p->variants[v], &p->variants[from->variant]) ||
                !fits_in(p, from->constraints, p->variants[v].fits))
                continue;
            case_give(p, from, v, "dm");
            p->stats->cases_dominated++;
            break;
        }
    }
    for (size_t v = 0; v < p->n_variants; v++)
        p->stats->leaves_dominated += had[v] && !p->variants[v].safe && variant_cases(p, v) == 0;
}

/* --- the budget ------------------------------------------------------------------------------- */

/* Strategies that one of the two has and the other has not. */
static size_t distance(const struct variant *a, const struct variant *b)
{
    size_t count = 0;
    for (size_t i = 0; i < a->n_strategies; i++)
        count += !uses(b, a->strategies[i]);
    for (size_t i = 0; i < b->n_strategies; i++)
        count += !uses(a, b->strategies[i]);
    return count;
}

struct budget {
    const struct pruning *p;
    bool *alive;                        /* by variant */
    size_t first, frugal, safe;
    size_t n_alive;
    signed char *known;                 /* by case and variant: 0 not asked, 1 fits, -1 not proved */
};

static bool case_fits(const struct budget *b, size_t i, size_t variant)
{
    signed char *known = &b->known[i * b->p->n_variants + variant];
    if (*known == 0)
        *known = fits_in(b->p, b->p->cases[i].constraints, b->p->variants[variant].fits) ? 1 : -1;
    return *known == 1;
}

/* The nearest living variant but its own that fits in the case; the safe one if there is no other. */
static size_t case_heir(const struct budget *b, size_t i)
{
    const struct pruning *p = b->p;
    const struct variant *own = &p->variants[p->cases[i].variant];
    bool *tried = ARENA_ARRAY(p->store->ctx->arena, bool, p->n_variants + 1);
    for (;;) {
        size_t best = b->safe;
        for (size_t v = 0; v < p->n_variants; v++)
            if (b->alive[v] && !tried[v] && v != b->safe && &p->variants[v] != own &&
                (best == b->safe || distance(own, &p->variants[v]) < distance(own, &p->variants[best])))
                best = v;
        if (best == b->safe || case_fits(b, i, best))
            return best;
        tried[best] = true;
    }
}

/* The one that the fewest need: it fits wherever another does, or, where that is not proved, the search came to it last. */
static size_t most_frugal(const struct pruning *p, const bool *alive, size_t safe)
{
    size_t best = safe;
    for (size_t v = 0; v < p->n_variants; v++)
        best = alive[v] && v != safe ? v : best;
    for (size_t v = 0; v < p->n_variants; v++)
        if (alive[v] && v != safe && v != best && fits_in(p, p->variants[best].fits, p->variants[v].fits) &&
            !fits_in(p, p->variants[v].fits, p->variants[best].fits))
            best = v;
    return best;
}

/* What it costs to give a variant up: cases left to the safe one weigh most, then how far the heirs are. */
static size_t loss(const struct budget *b, size_t variant)
{
    const struct pruning *p = b->p;
    size_t sum = 0;
    for (size_t i = 0; i < p->n_cases; i++) {
        if (p->cases[i].variant != (int)variant)
            continue;
        size_t heir = case_heir(b, i);
        sum += heir == b->safe ? 1000 : distance(&p->variants[variant], &p->variants[heir]);
    }
    return sum;
}

static void variant_cut(struct budget *b, size_t variant)
{
    const struct pruning *p = b->p;
    b->alive[variant] = false;
    b->n_alive--;
    p->stats->leaves_cut++;
    for (size_t i = 0; i < p->n_cases; i++)
        if (p->cases[i].variant == (int)variant) {
            case_give(p, &p->cases[i], case_heir(b, i), "bg");
            p->stats->cases_cut++;
        }
}

void prune_budget(const struct pruning *p, size_t most)
{
    struct arena *arena = p->store->ctx->arena;
    struct budget b = {.p = p, .alive = ARENA_ARRAY(arena, bool, p->n_variants + 1)};
    for (size_t v = p->n_variants; v-- > 0;) {
        b.alive[v] = p->variants[v].safe || variant_cases(p, v) > 0;
        b.n_alive += b.alive[v];
        b.safe = p->variants[v].safe ? v : b.safe;
    }
    if (b.n_alive <= most)
        return;
    b.known = ARENA_ARRAY(arena, signed char, p->n_cases * p->n_variants + 1);
    b.frugal = most_frugal(p, b.alive, b.safe);
    while (b.first < p->n_variants && !b.alive[b.first])
        b.first++;
    while (b.n_alive > most) {
        size_t victim = b.safe, least = SIZE_MAX;
        for (size_t v = 0; v < p->n_variants; v++) {
            if (!b.alive[v] || v == b.safe || v == b.frugal || (v == b.first && most > 2))
                continue;
            size_t cost = loss(&b, v);
            if (cost <= least) {
                least = cost;
                victim = v;
            }
        }
        if (victim == b.safe)
            return;
        variant_cut(&b, victim);
    }
}

/* --- tests without consequence ---------------------------------------------------------------- */

static bool nodes_alike(const struct pruning *p, const struct node *a, const struct node *b)
{
    if (!a || !b)
        return a == b;
    if (a->variant || b->variant)
        return a->variant && b->variant && p->cases[a->variant - 1].variant == p->cases[b->variant - 1].variant;
    return constraint_equal(a->constraint, b->constraint) && nodes_alike(p, a->accept, b->accept) &&
           nodes_alike(p, a->refuse, b->refuse);
}

/* The cases of b join those of a; both are alike. */
static void nodes_join(const struct pruning *p, const struct node *a, const struct node *b)
{
    if (!a)
        return;
    if (!a->variant) {
        nodes_join(p, a->accept, b->accept);
        nodes_join(p, a->refuse, b->refuse);
        return;
    }
    struct tree_case *into = &p->cases[a->variant - 1];
    into->merged = true;
    into->unknown |= p->cases[b->variant - 1].unknown;
    p->stats->cases_merged++;
}

const struct node *tree_collapse(const struct pruning *p, const struct node *root)
{
    if (!root || root->variant)
        return root;
    const struct node *accept = tree_collapse(p, root->accept), *refuse = tree_collapse(p, root->refuse);
    if (accept && nodes_alike(p, accept, refuse)) {
        nodes_join(p, accept, refuse);
        return accept;
    }
    if (accept == root->accept && refuse == root->refuse)
        return root;
    struct node *node = ARENA_NEW(p->store->ctx->arena, struct node);
    *node = *root;
    node->accept = accept;
    node->refuse = refuse;
    return node;
}
