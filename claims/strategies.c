/* What the strategies at the refuse edges of forks claim. In: the places of the tree. Out: claims
   that what a fork compares (its yardstick) is no worse at the next test of the same, or at
   the leaf.

   The yardstick of a resource is its value, that of a target its value with the sign turned, or the
   keys of the part that the fork tests: so "no worse" is "no member rises". Between the two ends no
   other strategy is applied. */
#include "claims/counter.h"
#include "claims/lister.h"
#include <string.h>

/* The counters, by name, that a strategy claims never to raise. */
static const struct {
    const char *name, *claims;
} strategy_rows[] = {
#define X(symbol, name, code, family, level, form, ir, sweep, final, paper, change, gain, sole,    \
          claims, ...)                                                                             \
    {name, claims},
#include "optimizer/strategy.def"
#undef X
};

/* Is the word among those of the list, which commas or spaces part? */
static bool list_has(const char *list, const char *word)
{
    size_t length = strlen(word);
    while (*list) {
        size_t next = strcspn(list, ", ");
        if (next == length && strncmp(list, word, length) == 0)
            return true;
        list += next;
        list += strspn(list, ", ");
    }
    return false;
}

/* Do all strategies of the list, which are known, claim not to raise the counter? */
static bool strategies_claim(const char *names, const char *counter)
{
    size_t known = 0, listed = 1;
    for (const char *c = names; *c; c++)
        listed += *c == ',';
    for (size_t i = 0; i < sizeof strategy_rows / sizeof *strategy_rows; i++)
        known += list_has(names, strategy_rows[i].name) &&
                 list_has(strategy_rows[i].claims, counter);
    return known == listed;
}

/* --- yardsticks ------------------------------------------------------------------------------ */

/* What a counter is compared by: fractions, none of which may rise; no count: it has none. */
struct yardstick {
    size_t count;
    const struct poly *const *numerators, *const *denominators;     /* an entry NULL = 1 */
};

static struct yardstick yardstick_of_fraction(struct lister *lister, const struct poly *n,
                                          const struct poly *d)
{
    const struct poly **both = ARENA_ARRAY(lister->arena, const struct poly *, 2);
    both[0] = n;
    both[1] = d;
    return (struct yardstick){1, &both[0], &both[1]};
}

static struct yardstick yardstick_of_part(struct lister *lister, const struct document_part *part)
{
    return (struct yardstick){part->n_keys, part->keys,
                            ARENA_ARRAY(lister->arena, const struct poly *, part->n_keys + 1)};
}

/* n <= d*R of a resource with the limit R, d*R <= n of a target's value. */
static struct yardstick fork_yardstick(struct lister *lister, const struct document_node *node)
{
    const struct counter_row *row = counter_by_name(node->counter);
    int limit = row ? ring_find(lister->region->ring, row->limit) : -1;
    const struct poly *p = node->constraint.poly;
    if (node->part)
        return yardstick_of_part(lister, node->part);
    if (node->condition || limit < 0 || node->constraint.relation != RELATION_LE ||
        poly_degree(p, limit) != 1)
        return (struct yardstick){0};
    const struct poly *slope = poly_coefficient(p, limit, 1);
    return yardstick_of_fraction(lister, poly_coefficient(p, limit, 0),
                               row->is_resource ? poly_neg(slope) : slope);
}

/* Do they ask for the same part, or for a value both? */
static bool same_part(const struct document_part *a, const struct document_part *b)
{
    return a && b ? a->test == b->test : a == b;
}

/* "threads B", "banks 200/33", "occupancy, test 1" */
static const char *fork_text(struct lister *lister, const struct stop *fork)
{
    struct arena *arena = lister->arena;
    const struct document_node *node = fork->node;
    const struct counter_row *row = counter_by_name(node->counter);
    struct yardstick yardstick = fork_yardstick(lister, node);
    int64_t one;
    if (node->part)
        return arena_printf(arena, "fork %d, %s, test %d", fork->number, node->counter,
                            node->part->test);
    const struct poly *n = yardstick.numerators[0], *d = yardstick.denominators[0];
    const char *top = poly_text(arena, row->is_resource ? n : poly_neg(n));
    if (!poly_get_integer(d, &one) || one != 1)
        top = arena_printf(arena, "(%s)/(%s)", top, poly_text(arena, d));
    return arena_printf(arena, "fork %d, %s %s", fork->number, node->counter, top);
}

/* Nothing of `after` is above what it is `before`. */
static void conclude(struct lister *lister, struct claim *claim, struct yardstick before,
                     struct yardstick after)
{
    if (before.count == 0 || after.count == 0)
        claim->unstated = "a test stands for several codes, of which the tree has no keys";
    else if (before.count != after.count)
        claim->fault = "the tests have other numbers of keys";
    if (claim->fault)
        claim->form = CLAIM_TEXT;
    if (claim->unstated || claim->fault)
        return;
    for (size_t i = 0; i < before.count; i++)
        claim->conclusions =
            sas_join(lister->arena, claim->conclusions,
                     fraction_below(lister, after.numerators[i], after.denominators[i],
                                    before.numerators[i], before.denominators[i]));
}

/* --- claims ---------------------------------------------------------------------------------- */

/* What the claims from a fork on have in common. */
struct comparison {
    enum claim_kind kind;
    const char *by;                     /* the key begins with it: "4 " of claims by fork 4 */
    const struct stop *fork;            /* whose yardstick is not exceeded */
};

static struct claim *lower_add(struct lister *lister, const struct comparison *from,
                               const struct stop *place, size_t number)
{
    const struct document_node *node = place->node;
    const char *subject = arena_printf(lister->arena, "%s, down to leaf %d, case %zu",
                                       fork_text(lister, from->fork), node->leaf, node->system + 1);
    struct claim *claim = claim_add(lister, from->kind, subject, "%s%d %d.%zu %zu", from->by,
                                    from->fork->number, node->leaf, node->system + 1, number);
    claim->premises = place->way;
    return claim;
}

/* The pieces of the value of a leaf. */
static void lower_pieces(struct lister *lister, const struct comparison *from,
                         const struct stop *place, const struct document_need *need)
{
    struct yardstick before = fork_yardstick(lister, from->fork->node);
    if (need->is_foreign)
        lower_add(lister, from, place, 1)->unstated = "the leaf's value is one of another form";
    for (size_t k = 0; k < need->count; k++) {
        const struct document_piece *piece = &need->pieces[k];
        const struct poly *n = need->is_resource ? piece->numerator : poly_neg(piece->numerator);
        struct claim *claim = lower_add(lister, from, place, k + 1);
        claim->premises = sas_join(lister->arena, claim->premises, piece->guard);
        claim->besides = not_before(lister, need, k);
        conclude(lister, claim, before, yardstick_of_fraction(lister, n, piece->denominator));
    }
}

/* The same part of a leaf, which is met where the leaf has none. */
static void lower_parts(struct lister *lister, const struct comparison *from,
                        const struct stop *place, const struct document_need *need)
{
    const struct document_part *asked = from->fork->node->part;
    for (size_t k = 0; k < need->n_parts; k++)
        if (need->parts[k].test == asked->test)
            conclude(lister, lower_add(lister, from, place, 1), yardstick_of_part(lister, asked),
                     yardstick_of_part(lister, &need->parts[k]));
}

static void lower_leaf(struct lister *lister, const struct comparison *from,
                       const struct stop *place)
{
    const struct document_leaf *leaf = document_leaf(lister->region, place->node->leaf);
    const char *json = counter_by_name(from->fork->node->counter)->json;
    if (!case_at(lister, place))
        return;
    for (size_t i = 0; i < leaf->n_needs; i++) {
        if (strcmp(leaf->needs[i].counter, json) != 0)
            continue;
        if (from->fork->node->part)
            lower_parts(lister, from, place, &leaf->needs[i]);
        else
            lower_pieces(lister, from, place, &leaf->needs[i]);
    }
}

static void lower_fork(struct lister *lister, const struct comparison *from,
                       const struct stop *next)
{
    const char *subject = arena_printf(lister->arena, "%s, down to %s",
                                       fork_text(lister, from->fork), fork_text(lister, next));
    struct claim *claim = claim_add(lister, from->kind, subject, "%s%d %d", from->by,
                                    from->fork->number, next->number);
    claim->premises = next->way;
    conclude(lister, claim, fork_yardstick(lister, from->fork->node),
             fork_yardstick(lister, next->node));
}

/* Does the accept edge apply a strategy, which the test is about? */
static bool applies_at_accept(const struct document_node *node)
{
    return node->condition || node->proposed;
}

/* Does the fork test what `asked` tests? */
static bool asks_the_same(struct lister *lister, const struct document_node *asked,
                          const struct document_node *node)
{
    return !applies_at_accept(node) && strcmp(node->counter, asked->counter) == 0 &&
           same_part(node->part, asked->part) &&
           (node->part || fork_yardstick(lister, node).count);
}

/* Behind everything below stop `from`. */
static size_t stop_after(const struct lister *lister, size_t from)
{
    size_t open = 1, i = from;
    while (open && i < lister->stops.count) {
        const struct document_node *node = lister->stops.at[i++].node;
        open += node && node->is_fork;
        open -= !node || !node->is_fork;
    }
    return i;
}

/* A place on the ways below a fork. */
struct way_end {
    size_t at;
    bool own;                           /* what the strategies need that the fork applies is asked
                                           here */
};

/* Below the refuse edge of fork i: the next test of the same, or the leaf, on every way on which no
   strategy is applied for another test. */
static void lower_list(struct lister *lister, size_t i)
{
    struct comparison from = {CLAIM_LOWER, "", &lister->stops.at[i]};
    VEC(struct way_end) todo = {0};
    vec_push(lister->arena, &todo, ((struct way_end){stop_after(lister, i + 1), true}));
    while (todo.count) {
        struct way_end end = vec_pop(&todo);
        const struct stop *stop = &lister->stops.at[end.at];
        const struct document_node *node = stop->node;
        if (!node)
            continue;
        if (!node->is_fork) {
            lower_leaf(lister, &from, stop);
            continue;
        }
        if (asks_the_same(lister, from.fork->node, node)) {
            lower_fork(lister, &from, stop);
            continue;
        }
        bool is_own = applies_at_accept(node) && end.own;
        size_t refused = stop_after(lister, end.at + 1);
        if (is_own || !node->strategy)
            vec_push(lister->arena, &todo, ((struct way_end){refused, is_own}));
        if (is_own || !applies_at_accept(node))
            vec_push(lister->arena, &todo, ((struct way_end){end.at + 1, false}));
    }
}

/* The strategies at the refuse edge of fork i do not raise what was accepted at fork `above`: up to
   the next test of it, or the leaf, by accept edges alone, so that no other strategy is applied. */
static void claimed_list(struct lister *lister, size_t i, const struct stop *above)
{
    const struct stop *stop = &lister->stops.at[stop_after(lister, i + 1)];
    struct comparison from = {CLAIM_CLAIMED,
                              arena_printf(lister->arena, "%d ", lister->stops.at[i].number),
                              above};
    while (stop->node && stop->node->is_fork && stop->node->proposed)
        stop++;
    while (stop->node && stop->node->is_fork && !applies_at_accept(stop->node) &&
           !asks_the_same(lister, above->node, stop->node))
        stop++;
    if (stop->node && !stop->node->is_fork)
        lower_leaf(lister, &from, stop);
    else if (stop->node && !applies_at_accept(stop->node))
        lower_fork(lister, &from, stop);
}

/* What was accepted above fork i since a strategy was applied. */
static void accepted_list(struct lister *lister, size_t i)
{
    const struct document_node *node = lister->stops.at[i].node;
    size_t at = i;
    while (lister->stops.at[at].accepted) {
        at = lister->stops.at[at].parent;
        const struct stop *above = &lister->stops.at[at];
        if (above->node->condition)
            return;
        if (strcmp(above->node->counter, node->counter) != 0 &&
            strategies_claim(node->strategy, above->node->counter) &&
            fork_yardstick(lister, above->node).count)
            claimed_list(lister, i, above);
        if (above->node->proposed)
            return;
    }
}

/* Strategies are applied at a fork that compares nothing that the tree has. */
static void unstated_add(struct lister *lister, const struct stop *fork)
{
    const struct document_node *node = fork->node;
    const char *subject = arena_printf(lister->arena, "fork %d, %s by %s", fork->number,
                                       node->counter, node->strategy);
    struct claim *claim = claim_add(lister, CLAIM_LOWER, subject, "%d", fork->number);
    claim->unstated = "the tree has no value that could be compared";
}

void strategy_claims(struct lister *lister)
{
    for (size_t i = 0; i < lister->stops.count; i++) {
        const struct document_node *node = lister->stops.at[i].node;
        if (!node || !node->is_fork || node->condition)
            continue;
        if (fork_yardstick(lister, node).count) {
            lower_list(lister, i);
            if (node->strategy)
                accepted_list(lister, i);
            continue;
        }
        if (node->strategy)
            unstated_add(lister, &lister->stops.at[i]);
    }
}
