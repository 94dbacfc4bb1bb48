/* The matrix of a question. In: formulas; out: hypotheses (docs/certificates.md says how assertions
   are flattened into them) as graphs of nodes in negation normal form over atoms, whose polynomials
   are split into interned irreducible factors. Evaluation is three-valued at the sample; the truth
   found is explained by a set of polynomials whose signs suffice for it, chosen by cost: of a false
   conjunction one operand, of a false disjunction all, and dually. */
#include "base/map.h"
#include "base/vec.h"
#include "constraints/cover/search.h"
#include <string.h>

struct reader {
    struct search *s;
    struct map *nodes;           /* formula to its node's number */
    struct arena *scratch;
    size_t assertion;
    bool failed;
};

/* --- reading --------------------------------------------------------------------------------- */

static int node_add(struct search *s, struct node node)
{
    s->nodes = vec_reserve(s->arena, s->nodes, s->node_count, &s->node_capacity, sizeof *s->nodes);
    s->nodes[s->node_count] = node;
    return (int)s->node_count++;
}

static struct node atom_read(struct reader *r, const struct constraint *c)
{
    struct search *s = r->s;
    struct node node = {.kind = NODE_ATOM, .atom.relation = c->relation};
    node.strict =
        c->relation == RELATION_LT || c->relation == RELATION_GT || c->relation == RELATION_NE;
    if (!c->poly) {
        node.atom.beyond = true;
        return node;
    }
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, s->ctx);
    table_convert(s->table, p, c->poly);
    int number = table_intern(s->table, p, &node.atom.sign);
    fmpz_mpoly_clear(p, s->ctx);
    if (number < 0) {
        node.kind = relation_holds(c->relation, node.atom.sign) ? NODE_TRUE : NODE_FALSE;
        return node;
    }
    if (!table_factor(s->table, number)) {
        r->failed = true;
        return node;
    }
    const struct polynomial *polynomial = s->table->at[number];
    const unsigned *exponents = table_exponents(s->table, r->scratch, number);
    struct factor *factors = ARENA_ARRAY(s->arena, struct factor, polynomial->factor_count);
    for (size_t i = 0; i < polynomial->factor_count; i++) {
        factors[i] = (struct factor){polynomial->factors[i], exponents[i] % 2};
        node.levels |= (uint64_t)1 << view_level(s, polynomial->factors[i]);
    }
    node.atom.factors = factors;
    node.atom.count = polynomial->factor_count;
    return node;
}

static int node_read(struct reader *r, const struct formula *f)
{
    int *known = map_get_pointer(r->nodes, f);
    if (known)
        return *known;
    struct node node = {.strict = true};
    if (f->kind == FORMULA_ATOM) {
        node = atom_read(r, &f->constraint);
    } else if (f->kind == FORMULA_AND || f->kind == FORMULA_OR) {
        int *operands = ARENA_ARRAY(r->s->arena, int, f->count);
        for (size_t i = 0; i < f->count; i++) {
            operands[i] = node_read(r, f->at[i]);
            node.levels |= r->s->nodes[operands[i]].levels;
            node.strict &= r->s->nodes[operands[i]].strict;
        }
        node.kind = f->kind == FORMULA_AND ? NODE_AND : NODE_OR;
        node.operands = operands;
        node.count = f->count;
    } else {
        node.kind = f->kind == FORMULA_TRUE ? NODE_TRUE : NODE_FALSE;
    }
    known = ARENA_NEW(r->scratch, int);
    *known = node_add(r->s, node);
    map_put_pointer(r->nodes, f, known);
    return *known;
}

static void hypotheses_read(struct reader *r, const struct formula *f, bool negated)
{
    struct search *s = r->s;
    if (f->kind == FORMULA_NOT) {
        hypotheses_read(r, f->at[0], !negated);
        return;
    }
    if (f->kind == (negated ? FORMULA_OR : FORMULA_AND)) {
        for (size_t i = 0; i < f->count; i++)
            hypotheses_read(r, f->at[i], negated);
        return;
    }
    if (f->kind == (negated ? FORMULA_FALSE : FORMULA_TRUE))
        return;
    struct hypothesis h = {.assertion = r->assertion, .decided = (int)s->levels};
    h.node = node_read(r, formula_nnf(s->arena, f, negated));
    s->hypotheses = vec_reserve(s->arena, s->hypotheses, s->hypothesis_count,
                                &s->hypothesis_capacity, sizeof h);
    s->hypotheses[s->hypothesis_count++] = h;
}

/* The hypotheses that each level touches, and those that are strict. */
static void levels_touch(struct search *s)
{
    uint64_t *strict = ARENA_ARRAY(s->arena, uint64_t, s->words);
    for (size_t h = 0; h < s->hypothesis_count; h++)
        strict[h / 64] |= (uint64_t)s->nodes[s->hypotheses[h].node].strict << h % 64;
    s->strict = strict;
    for (size_t l = 0; l < s->levels; l++) {
        int *touched = ARENA_ARRAY(s->arena, int, s->hypothesis_count);
        for (size_t h = 0; h < s->hypothesis_count; h++)
            if (s->nodes[s->hypotheses[h].node].levels >> l & 1)
                touched[s->level[l].touched_count++] = (int)h;
        s->level[l].touched = touched;
    }
}

bool matrix_read(struct search *s, const struct formula *const *assertions, size_t count)
{
    struct arena *scratch = arena_new();
    struct reader r = {.s = s, .nodes = map_new(scratch), .scratch = scratch};
    for (size_t i = 0; i < count && !r.failed; i++) {
        r.assertion = i;
        hypotheses_read(&r, assertions[i], false);
    }
    arena_free(scratch);
    s->words = s->hypothesis_count / 64 + 1;
    levels_touch(s);
    return !r.failed;
}

/* --- evaluation ------------------------------------------------------------------------------ */

/* The sign of the atom's polynomial: zero if a factor is; SIGN_OPEN or SIGN_UNDECIDED if it is not
   known. */
static int atom_sign(struct search *s, const struct atom *atom)
{
    int sign = atom->sign, doubt = 0;
    for (size_t i = 0; i < atom->count; i++) {
        int one = view_sign(s, atom->factors[i].polynomial);
        if (!one)
            return 0;
        if (one == SIGN_OPEN || one == SIGN_UNDECIDED)
            doubt = one;
        else if (atom->factors[i].odd)
            sign *= one;
    }
    return doubt ? doubt : sign;
}

static int atom_value(struct search *s, const struct atom *atom)
{
    int sign = atom->beyond ? SIGN_OPEN : atom_sign(s, atom);
    return sign == SIGN_OPEN || sign == SIGN_UNDECIDED ? -1 : relation_holds(atom->relation, sign);
}

static int node_value(struct search *s, int number)
{
    struct node *node = &s->nodes[number];
    if (node->stamp == s->stamp)
        return node->value;
    int value = node->kind == NODE_TRUE;
    if (node->kind == NODE_ATOM) {
        value = atom_value(s, &node->atom);
    } else if (node->kind == NODE_AND || node->kind == NODE_OR) {
        int zero = node->kind == NODE_OR;
        value = !zero;
        for (size_t i = 0; i < node->count && value != zero; i++) {
            int operand = node_value(s, node->operands[i]);
            value = operand == zero ? zero : operand < 0 ? -1 : value;
        }
    }
    node->stamp = s->stamp;
    return node->value = value;
}

int matrix_evaluate(struct search *s, bool all, size_t *false_at, size_t *false_count)
{
    *false_count = 0;
    s->stamp++;
    size_t count = all ? s->hypothesis_count : s->level[s->height - 1].touched_count;
    for (size_t i = 0; i < count; i++) {
        size_t number = all ? i : (size_t)s->level[s->height - 1].touched[i];
        struct hypothesis *h = &s->hypotheses[number];
        if (h->decided < (int)s->levels)
            continue;
        int value = node_value(s, h->node);
        if (!value)
            false_at[(*false_count)++] = number;
        else if (value > 0)
            h->decided = (int)s->height - 1;
    }
    if (*false_count)
        return 0;
    for (size_t i = 0; i < s->hypothesis_count; i++)
        if (s->hypotheses[i].decided == (int)s->levels)
            return -1;
    return 1;
}

void matrix_retreat(struct search *s, size_t height)
{
    for (size_t i = 0; i < s->hypothesis_count; i++)
        if (s->hypotheses[i].decided >= (int)height)
            s->hypotheses[i].decided = (int)s->levels;
}

/* --- explanation ----------------------------------------------------------------------------- */

/* What it costs to project a polynomial, roughly. */
static double weight(struct search *s, int polynomial)
{
    double degree =
        table_degree(s->table, polynomial, s->level[view_level(s, polynomial)].variable);
    return degree * degree + 0.25 * s->table->at[polynomial]->degree +
           0.05 * (double)s->table->at[polynomial]->terms;
}

/* The factor that alone makes the atom's polynomial zero, the cheapest; -1: no factor is zero. */
static int zero_factor(struct search *s, const struct atom *atom)
{
    int best = -1;
    for (size_t i = 0; i < atom->count; i++) {
        int p = atom->factors[i].polynomial;
        if (!view_sign(s, p) && (best < 0 || weight(s, p) < weight(s, best)))
            best = p;
    }
    return best;
}

static double atom_cost(struct search *s, const struct atom *atom)
{
    int zero = zero_factor(s, atom);
    if (zero >= 0)
        return weight(s, zero);
    double cost = 0;
    for (size_t i = 0; i < atom->count; i++)
        cost += weight(s, atom->factors[i].polynomial);
    return cost;
}

/* Does one operand suffice to explain the node's value? */
static bool one_suffices(const struct node *node, int value)
{
    return (node->kind == NODE_AND) == !value;
}

/* What it costs to explain that the node has the value; infinite if it does not have it. */
static double node_cost(struct search *s, int number, int value)
{
    struct node *node = &s->nodes[number];
    if (node_value(s, number) != value)
        return 1e300;
    if (node->cost_stamp == s->stamp)
        return node->cost;
    double cost = 0;
    if (node->kind == NODE_ATOM) {
        cost = atom_cost(s, &node->atom);
    } else if (node->count) {
        bool one = one_suffices(node, value);
        cost = one ? 1e300 : 0;
        for (size_t i = 0; i < node->count; i++) {
            double operand = node_cost(s, node->operands[i], value);
            cost = !one ? cost + operand : operand < cost ? operand : cost;
        }
    }
    node->cost_stamp = s->stamp;
    return node->cost = cost;
}

struct collection {
    struct search *s;
    struct arena *arena;
    uint64_t stamp;
    VEC(int) found;
};

static void collect_atom(struct collection *c, const struct atom *atom)
{
    int zero = zero_factor(c->s, atom);
    if (zero >= 0) {
        vec_push(c->arena, &c->found, zero);
        return;
    }
    for (size_t i = 0; i < atom->count; i++)
        vec_push(c->arena, &c->found, atom->factors[i].polynomial);
}

static void collect(struct collection *c, int number, int value)
{
    struct node *node = &c->s->nodes[number];
    if (node->seen == c->stamp)
        return;
    node->seen = c->stamp;
    if (node->kind == NODE_ATOM) {
        collect_atom(c, &node->atom);
        return;
    }
    size_t best = 0;
    bool one = node->count && one_suffices(node, value);
    for (size_t i = 1; one && i < node->count; i++)
        if (node_cost(c->s, node->operands[i], value) <
            node_cost(c->s, node->operands[best], value))
            best = i;
    for (size_t i = 0; i < node->count; i++)
        if (!one || i == best)
            collect(c, node->operands[i], value);
}

struct set matrix_false(struct search *s, struct arena *arena, size_t h)
{
    struct collection c = {.s = s, .arena = arena, .stamp = ++s->version};
    node_cost(s, s->hypotheses[h].node, 0);
    collect(&c, s->hypotheses[h].node, 0);
    return set_make(arena, c.found.at, c.found.count);
}

struct set matrix_true(struct search *s, struct arena *arena)
{
    struct collection c = {.s = s, .arena = arena, .stamp = ++s->version};
    s->stamp++;
    for (size_t h = 0; h < s->hypothesis_count; h++) {
        node_cost(s, s->hypotheses[h].node, 1);
        collect(&c, s->hypotheses[h].node, 1);
    }
    return set_make(arena, c.found.at, c.found.count);
}
