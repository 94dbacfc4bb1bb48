/* The claims of a region, listed. In: the region. Out: claims in a fixed order, each with a key.

   The tree decides at every fork by one constraint, so that its ways exclude each other and every
   point goes one of them: that needs no proof. What is claimed is that each case is the same as the
   way to its place: the way implies the case (CLAIM_COVER: hence every point lies in a case), the
   case implies the way (CLAIM_APART: hence none lies in two). docs/certificates.md has the
   argument. */
#include "claims/lister.h"
#include <string.h>

enum { DIVISORS_MAX = 8 };

static const struct {
    const char *word, *title;
} kinds[] = {
#define X(SYMBOL, word, title, failure) {word, title},
#include "claims/claim.def"
#undef X
};

const char *claim_title(enum claim_kind kind)
{
    return kinds[kind].title;
}

struct claim *claim_add(struct lister *lister, enum claim_kind kind, const char *subject,
                        const char *format, ...)
{
    struct sas none = sas_empty(lister->region->ring);
    va_list arguments;
    va_start(arguments, format);
    const char *what = arena_vprintf(lister->arena, format, arguments);
    va_end(arguments);
    struct claim claim = {.kind = kind, .subject = subject, .premises = none, .conclusions = none};
    claim.key = arena_printf(lister->arena, "%s %s", kinds[kind].word, what);
    vec_push(lister->arena, &lister->claims, claim);
    return &vec_last(&lister->claims);
}

static const char *case_name(struct lister *lister, int leaf, size_t number)
{
    return arena_printf(lister->arena, "leaf %d, case %zu", leaf, number);
}

/* --- the tree and its cases ------------------------------------------------------------------ */

/* Every fork and place with its way. */
static void stops_find(struct lister *lister)
{
    struct arena *arena = lister->arena;
    VEC(struct stop) todo = {0};
    struct stop stop = {lister->region->root, sas_empty(lister->region->ring), 0, 0, false};
    int forks = 0;
    vec_push(arena, &todo, stop);
    while (todo.count) {
        stop = vec_pop(&todo);
        const struct document_node *node = stop.node;
        bool is_fork = node && node->is_fork;
        stop.number = is_fork ? ++forks : 0;
        vec_push(arena, &lister->stops, stop);
        if (!is_fork)
            continue;
        struct constraint refused = constraint_negate(node->constraint);
        struct sas yes = sas_add(arena, stop.way, node->constraint),
                   no = sas_add(arena, stop.way, refused);
        size_t parent = lister->stops.count - 1;
        vec_push(arena, &todo, ((struct stop){node->refuse, no, 0, parent, false}));
        vec_push(arena, &todo, ((struct stop){node->accept, yes, 0, parent, true}));
    }
}

static bool stands_at(const struct stop *stop, int leaf, size_t system)
{
    return stop->node && !stop->node->is_fork && stop->node->leaf == leaf &&
           stop->node->system == system;
}

static void case_places(struct lister *lister, const struct document_leaf *leaf, size_t system)
{
    size_t places = 0;
    const char *subject = case_name(lister, leaf->id, system + 1);
    for (size_t i = 0; i < lister->stops.count; i++)
        places += stands_at(&lister->stops.at[i], leaf->id, system);
    struct claim *claim = claim_add(lister, CLAIM_PLACE, subject, "%d.%zu", leaf->id, system + 1);
    claim->form = CLAIM_TEXT;
    if (places != 1)
        claim->fault = arena_printf(lister->arena, "it stands at %zu places of the tree", places);
}

const struct document_case *case_at(const struct lister *lister, const struct stop *stop)
{
    const struct document_leaf *leaf = document_leaf(lister->region, stop->node->leaf);
    return leaf && stop->node->system < leaf->n_cases ? &leaf->cases[stop->node->system] : NULL;
}

/* No point comes where no case is. */
static void rest_list(struct lister *lister, const struct stop *stop, const char *subject, size_t i)
{
    struct claim *claim = claim_add(lister, CLAIM_COVER, subject, "rest %zu", i + 1);
    claim->form = CLAIM_NOWHERE;
    claim->premises = stop->way;
}

static const struct document_leaf *safe_leaf(const struct document_region *region)
{
    for (size_t i = 0; i < region->n_leaves; i++)
        if (region->leaves[i].safe)
            return &region->leaves[i];
    return NULL;
}

/* A safe leaf without cases takes what no case does. */
static void place_list(struct lister *lister, const struct stop *stop, size_t i)
{
    const struct document_leaf *safe = safe_leaf(lister->region);
    if (!stop->node) {
        if (!safe || safe->n_cases)
            rest_list(lister, stop, "a place of the tree without a case", i);
        return;
    }
    int leaf = stop->node->leaf;
    size_t number = stop->node->system + 1;
    const char *subject = case_name(lister, leaf, number);
    const struct document_case *found = case_at(lister, stop);
    if (!found) {
        struct claim *missing = claim_add(lister, CLAIM_PLACE, subject, "missing %zu", i + 1);
        missing->form = CLAIM_TEXT;
        missing->fault = "the tree leads to it, but it is not there";
        rest_list(lister, stop, subject, i);
        return;
    }
    struct claim *cover = claim_add(lister, CLAIM_COVER, subject, "%d.%zu", leaf, number);
    cover->premises = stop->way;
    cover->conclusions = found->path;
    struct claim *apart = claim_add(lister, CLAIM_APART, subject, "%d.%zu", leaf, number);
    apart->premises = found->path;
    apart->conclusions = stop->way;
    if (!lister->region->keeps)
        apart->unstated = "in mode retract cases may overlap";
}

/* The box of a dead case as constraints. */
static struct sas box_constraints(struct lister *lister, const struct document_case *found)
{
    struct ring *ring = lister->region->ring;
    struct sas box = sas_empty(ring);
    for (int v = 0; v < ring_count(ring); v++) {
        const struct poly *x = poly_variable(ring, v);
        struct constraint lo = constraint_make(poly_integer(ring, found->lo[v]), RELATION_LE, x);
        if (!sas_uses(found->path, v))
            continue;
        box = sas_add(lister->arena, box, lo);
        box = sas_add(lister->arena, box,
                      constraint_make(x, RELATION_LE, poly_integer(ring, found->hi[v])));
    }
    return box;
}

/* Has the point no unlimited value? */
static bool is_limited(const struct document_region *region, const int64_t *point)
{
    for (int v = 0; v < ring_count(region->ring); v++)
        if (point[v] == INT64_MAX)
            return false;
    return true;
}

static void case_list(struct lister *lister, const struct document_leaf *leaf, size_t system)
{
    const struct document_region *region = lister->region;
    const struct document_case *found = &leaf->cases[system];
    const char *subject = case_name(lister, leaf->id, system + 1);
    struct claim *claim = claim_add(lister, CLAIM_POINT, subject, "%d.%zu", leaf->id, system + 1);
    claim->premises = sas_join(lister->arena, found->path, found->shown);
    claim->form = found->lo ? CLAIM_NOWHERE : CLAIM_SOMEWHERE;
    claim->point = found->has_point && is_limited(region, found->point) ? found->point : NULL;
    if (found->lo)
        claim->point = NULL;
    if (found->lo)
        claim->premises = sas_join(lister->arena, found->path, box_constraints(lister, found));
    claim = claim_add(lister, CLAIM_SHOWN, subject, "%d.%zu forth", leaf->id, system + 1);
    claim->premises = found->path;
    claim->conclusions = found->shown;
    claim = claim_add(lister, CLAIM_SHOWN, subject, "%d.%zu back", leaf->id, system + 1);
    claim->premises = found->shown;
    claim->conclusions = found->path;
    claim = claim_add(lister, CLAIM_FITS, subject, "%d.%zu", leaf->id, system + 1);
    claim->premises = found->path;
    claim->conclusions = leaf->fits;
}

/* --- resources ------------------------------------------------------------------------------- */

const struct formula *not_before(struct lister *lister, const struct document_need *need, size_t k)
{
    struct arena *arena = lister->arena;
    const struct formula **parts = ARENA_ARRAY(arena, const struct formula *, k + 1);
    if (k == 0)
        return NULL;
    for (size_t i = 0; i < k; i++)
        parts[i] = formula_not(arena, formula_sas(arena, need->pieces[i].guard));
    return formula_and(arena, parts, k);
}

struct sas fraction_below(struct lister *lister, const struct poly *a, const struct poly *b,
                          const struct poly *c, const struct poly *d)
{
    struct ring *ring = lister->region->ring;
    const struct poly *one = poly_integer(ring, 1), *zero = poly_integer(ring, 0);
    b = b ? b : one;
    d = d ? d : one;
    struct sas below = sas_add(lister->arena, sas_empty(ring),
                               constraint_make(poly_mul(a, d), RELATION_LE, poly_mul(c, b)));
    if (!poly_is_constant(b))
        below = sas_add(lister->arena, below, constraint_make(b, RELATION_GT, zero));
    if (!poly_is_constant(d))
        below = sas_add(lister->arena, below, constraint_make(d, RELATION_GT, zero));
    return below;
}

static void need_list(struct lister *lister, const struct document_leaf *leaf,
                      const struct document_need *need)
{
    struct ring *ring = lister->region->ring;
    const char *subject = arena_printf(lister->arena, "leaf %d, %s", leaf->id, need->counter);
    int limit = ring_find(ring, need->limit);
    for (size_t k = 0; k < need->count || k == 0; k++) {
        struct claim *claim = claim_add(lister, CLAIM_NEED, subject, "%d %s %zu", leaf->id,
                                        need->counter, k + 1);
        if (k >= need->count)
            claim->unstated = "the tree has no value for it";
        else if (limit < 0)
            claim->unstated = arena_printf(lister->arena, "the tree has no parameter %s",
                                           need->limit);
        bool is_unlimited = limit >= 0 && (lister->region->unlimited >> limit & 1);
        if (is_unlimited)
            claim->form = CLAIM_TEXT;
        if (claim->unstated || is_unlimited)
            continue;
        claim->premises = sas_join(lister->arena, leaf->fits, need->pieces[k].guard);
        claim->besides = not_before(lister, need, k);
        claim->conclusions = fraction_below(lister, need->pieces[k].numerator,
                                            need->pieces[k].denominator,
                                            poly_variable(ring, limit), NULL);
    }
}

static const char *safe_fault(const struct lister *lister)
{
    const struct document_region *region = lister->region;
    size_t count = 0;
    for (size_t i = 0; i < region->n_leaves; i++)
        count += region->leaves[i].safe;
    if (count != 1)
        return count ? "there is more than one" : "no leaf is safe";
    if (!region->leaves[region->n_leaves - 1].safe)
        return "it is not the last leaf";
    return region->leaves[region->n_leaves - 1].fits.count ? "it does not run everywhere" : NULL;
}

struct claim_list claims_of(struct arena *arena, const struct document_region *region)
{
    struct lister lister = {.arena = arena, .region = region};
    stops_find(&lister);
    struct claim *safe = claim_add(&lister, CLAIM_SAFE, "the safe leaf", "leaf");
    safe->form = CLAIM_TEXT;
    safe->fault = safe_fault(&lister);
    for (size_t i = 0; i < region->n_auxiliaries; i++) {
        const struct poly *divisors[DIVISORS_MAX];
        size_t count = term_divisors(region->auxiliaries[i].term, divisors, DIVISORS_MAX);
        for (size_t k = 0; k < count; k++) {
            struct claim *claim = claim_add(&lister, CLAIM_DIVISOR, region->auxiliaries[i].text,
                                            "%s %zu", region->auxiliaries[i].name, k + 1);
            claim->conclusions = sas_add(arena, claim->conclusions,
                                         constraint_make(divisors[k], RELATION_GT,
                                                         poly_integer(region->ring, 0)));
        }
    }
    for (size_t i = 0; i < region->n_leaves; i++) {
        const struct document_leaf *leaf = &region->leaves[i];
        for (size_t k = 0; k < leaf->n_cases; k++) {
            case_places(&lister, leaf, k);
            case_list(&lister, leaf, k);
        }
        for (size_t k = 0; k < leaf->n_needs; k++)
            if (leaf->needs[k].is_resource)
                need_list(&lister, leaf, &leaf->needs[k]);
    }
    for (size_t i = 0; i < lister.stops.count; i++) {
        const struct document_node *node = lister.stops.at[i].node;
        if (!node || !node->is_fork)
            place_list(&lister, &lister.stops.at[i], i);
    }
    strategy_claims(&lister);
    return (struct claim_list){lister.claims.count, lister.claims.at};
}
