/* Formulas as values. In: constraints and operands; out: immutable nodes in an arena, shared
   freely. Constants are folded and equal connectives flattened when a node is made; double
   negations vanish. The negation normal form keeps sharing: a node is visited at most once per
   sign. Printing is in formula_text.c. */
#include "base/map.h"
#include "base/vec.h"
#include "constraints/formula.h"
#include "constraints/ring.h"
#include <string.h>

static const struct formula truth = {.kind = FORMULA_TRUE}, falsity = {.kind = FORMULA_FALSE};

const struct formula *formula_true(void)
{
    return &truth;
}

const struct formula *formula_false(void)
{
    return &falsity;
}

const struct formula *formula_atom(struct arena *arena, struct constraint c)
{
    if (c.poly && poly_is_constant(c.poly)) {
        int64_t zeros[RING_CAPACITY] = {0}, ones[RING_CAPACITY];
        for (int v = 0; v < RING_CAPACITY; v++)
            ones[v] = 1;
        return relation_holds(c.relation, poly_sign_at(c.poly, zeros, ones)) ? &truth : &falsity;
    }
    struct formula *f = ARENA_NEW(arena, struct formula);
    f->kind = FORMULA_ATOM;
    f->constraint = c;
    return f;
}

static struct formula *node_new(struct arena *arena, enum formula_kind kind,
                                const struct formula *const *at, size_t count)
{
    struct formula *f = ARENA_NEW(arena, struct formula);
    const struct formula **operands = ARENA_ARRAY(arena, const struct formula *, count);
    memcpy(operands, at, count * sizeof *at);
    f->kind = kind;
    f->at = operands;
    f->count = count;
    return f;
}

const struct formula *formula_not(struct arena *arena, const struct formula *f)
{
    switch (f->kind) {
    case FORMULA_TRUE: return &falsity;
    case FORMULA_FALSE: return &truth;
    case FORMULA_NOT: return f->at[0];
    default: return node_new(arena, FORMULA_NOT, &f, 1);
    }
}

/* AND with its unit TRUE and zero FALSE, OR the other way round. */
static const struct formula *connect(struct arena *arena, enum formula_kind kind,
                                     const struct formula *const *at, size_t count)
{
    enum formula_kind unit = kind == FORMULA_AND ? FORMULA_TRUE : FORMULA_FALSE;
    VEC(const struct formula *) operands = {0};
    for (size_t i = 0; i < count; i++) {
        const struct formula *f = at[i];
        if (f->kind == unit)
            continue;
        if (f->kind == FORMULA_TRUE || f->kind == FORMULA_FALSE)
            return f;
        if (f->kind != kind) {
            vec_push(arena, &operands, f);
            continue;
        }
        for (size_t j = 0; j < f->count; j++)
            vec_push(arena, &operands, f->at[j]);
    }
    if (!operands.count)
        return unit == FORMULA_TRUE ? &truth : &falsity;
    return operands.count == 1 ? operands.at[0]
                               : node_new(arena, kind, operands.at, operands.count);
}

const struct formula *formula_and(struct arena *arena, const struct formula *const *at,
                                  size_t count)
{
    return connect(arena, FORMULA_AND, at, count);
}

const struct formula *formula_or(struct arena *arena, const struct formula *const *at, size_t count)
{
    return connect(arena, FORMULA_OR, at, count);
}

const struct formula *formula_xor(struct arena *arena, const struct formula *a,
                                  const struct formula *b)
{
    if (a->kind == FORMULA_FALSE || b->kind == FORMULA_FALSE)
        return a->kind == FORMULA_FALSE ? b : a;
    if (a->kind == FORMULA_TRUE || b->kind == FORMULA_TRUE)
        return formula_not(arena, a->kind == FORMULA_TRUE ? b : a);
    return node_new(arena, FORMULA_XOR, (const struct formula *[]){a, b}, 2);
}

const struct formula *formula_implies(struct arena *arena, const struct formula *a,
                                      const struct formula *b)
{
    return formula_or(arena, (const struct formula *[]){formula_not(arena, a), b}, 2);
}

const struct formula *formula_ite(struct arena *arena, const struct formula *c,
                                  const struct formula *a, const struct formula *b)
{
    return formula_and(
        arena,
        (const struct formula *[]){formula_implies(arena, c, a),
                                   formula_or(arena, (const struct formula *[]){c, b}, 2)},
        2);
}

static const struct formula *quantify(struct arena *arena, enum formula_kind kind, int variable,
                                      const struct formula *f)
{
    if (!formula_uses(f, variable))
        return f;
    struct formula *made = node_new(arena, kind, &f, 1);
    made->variable = variable;
    return made;
}

const struct formula *formula_exists(struct arena *arena, int variable, const struct formula *f)
{
    return quantify(arena, FORMULA_EXISTS, variable, f);
}

const struct formula *formula_forall(struct arena *arena, int variable, const struct formula *f)
{
    return quantify(arena, FORMULA_FORALL, variable, f);
}

const struct formula *formula_sas(struct arena *arena, struct sas sas)
{
    VEC(const struct formula *) atoms = {0};
    for (size_t i = 0; i < sas.count; i++)
        vec_push(arena, &atoms, formula_atom(arena, sas.at[i]));
    return formula_and(arena, atoms.at, atoms.count);
}

/* --- negation normal form -------------------------------------------------------------------- */

struct normaliser {
    struct arena *arena;
    struct map *done[2];   /* node to its form, by sign */
};

static const struct formula *normalise(struct normaliser *n, const struct formula *f, bool negated);

static const struct formula *normalise_operands(struct normaliser *n, const struct formula *f,
                                                bool negated)
{
    VEC(const struct formula *) operands = {0};
    for (size_t i = 0; i < f->count; i++)
        vec_push(n->arena, &operands, normalise(n, f->at[i], negated));
    bool conjunction = (f->kind == FORMULA_AND) != negated;
    return connect(n->arena, conjunction ? FORMULA_AND : FORMULA_OR, operands.at, operands.count);
}

/* a xor b = (a or b) and (not a or not b); its negation = (a or not b) and (not a or b). */
static const struct formula *normalise_xor(struct normaliser *n, const struct formula *f,
                                           bool negated)
{
    const struct formula *clauses[2];
    for (int sign = 0; sign < 2; sign++)
        clauses[sign] =
            formula_or(n->arena,
                       (const struct formula *[]){normalise(n, f->at[0], sign),
                                                  normalise(n, f->at[1], sign != negated)},
                       2);
    return formula_and(n->arena, clauses, 2);
}

static const struct formula *normalise_node(struct normaliser *n, const struct formula *f,
                                            bool negated)
{
    switch (f->kind) {
    case FORMULA_TRUE:
    case FORMULA_FALSE: return (f->kind == FORMULA_TRUE) != negated ? &truth : &falsity;
    case FORMULA_ATOM:
        return negated ? formula_atom(n->arena, constraint_negate(f->constraint)) : f;
    case FORMULA_NOT: return normalise(n, f->at[0], !negated);
    case FORMULA_AND:
    case FORMULA_OR: return normalise_operands(n, f, negated);
    case FORMULA_XOR: return normalise_xor(n, f, negated);
    case FORMULA_EXISTS:
    case FORMULA_FORALL: break;
    }
    bool exists = (f->kind == FORMULA_EXISTS) != negated;
    return quantify(n->arena, exists ? FORMULA_EXISTS : FORMULA_FORALL, f->variable,
                    normalise(n, f->at[0], negated));
}

static const struct formula *normalise(struct normaliser *n, const struct formula *f, bool negated)
{
    const struct formula *done = map_get_pointer(n->done[negated], f);
    if (!done) {
        done = normalise_node(n, f, negated);
        map_put_pointer(n->done[negated], f, (void *)done);
    }
    return done;
}

const struct formula *formula_nnf(struct arena *arena, const struct formula *f, bool negated)
{
    if (f->kind == FORMULA_ATOM && !negated)
        return f;
    struct arena *scratch = arena_new();
    struct normaliser n = {arena, {map_new(scratch), map_new(scratch)}};
    const struct formula *form = normalise(&n, f, negated);
    arena_free(scratch);
    return form;
}

/* --- questions ------------------------------------------------------------------------------- */

bool formula_is_literal(const struct formula *f)
{
    return f->kind == FORMULA_ATOM || (f->kind == FORMULA_NOT && f->at[0]->kind == FORMULA_ATOM);
}

struct visit {
    struct map *seen;
    bool (*found)(const struct formula *f, int variable);
    int variable;
};

/* Does `found` say yes to some node outside a quantifier that binds the variable? */
static bool visit(struct visit *v, const struct formula *f)
{
    if (map_get_pointer(v->seen, f))
        return false;
    map_put_pointer(v->seen, f, (void *)f);
    if (v->found(f, v->variable))
        return true;
    if ((f->kind == FORMULA_EXISTS || f->kind == FORMULA_FORALL) && f->variable == v->variable)
        return false;
    for (size_t i = 0; i < f->count; i++)
        if (visit(v, f->at[i]))
            return true;
    return false;
}

static bool search(const struct formula *f, int variable,
                   bool (*found)(const struct formula *, int))
{
    if (!f->count)
        return found(f, variable);
    struct arena *scratch = arena_new();
    struct visit v = {map_new(scratch), found, variable};
    bool answer = visit(&v, f);
    arena_free(scratch);
    return answer;
}

static bool is_quantifier(const struct formula *f, int variable)
{
    (void)variable;
    return f->kind == FORMULA_EXISTS || f->kind == FORMULA_FORALL;
}

bool formula_quantified(const struct formula *f)
{
    return search(f, -1, is_quantifier);
}

static bool atom_uses(const struct formula *f, int variable)
{
    return f->kind == FORMULA_ATOM && f->constraint.poly && poly_uses(f->constraint.poly, variable);
}

bool formula_uses(const struct formula *f, int variable)
{
    return search(f, variable, atom_uses);
}

bool formula_is_sas(struct arena *arena, struct ring *ring, const struct formula *f,
                    struct sas *sas)
{
    *sas = sas_empty(ring);
    if (f->kind == FORMULA_TRUE)
        return true;
    const struct formula *const *at = f->kind == FORMULA_AND ? f->at : &f;
    size_t count = f->kind == FORMULA_AND ? f->count : 1;
    struct constraint *constraints = ARENA_ARRAY(arena, struct constraint, count);
    for (size_t i = 0; i < count; i++) {
        bool negated = at[i]->kind == FORMULA_NOT;
        const struct formula *atom = negated ? at[i]->at[0] : at[i];
        if (atom->kind != FORMULA_ATOM)
            return false;
        constraints[i] = negated ? constraint_negate(atom->constraint) : atom->constraint;
    }
    *sas = (struct sas){ring, constraints, count};
    return true;
}

static int holds_operands(const struct formula *f, const int64_t *point)
{
    int zero = f->kind == FORMULA_AND ? 0 : 1, result = !zero;
    for (size_t i = 0; i < f->count; i++) {
        int holds = formula_holds(f->at[i], point);
        if (holds == zero)
            return zero;
        if (holds < 0)
            result = -1;
    }
    return result;
}

int formula_holds(const struct formula *f, const int64_t *point)
{
    switch (f->kind) {
    case FORMULA_TRUE: return 1;
    case FORMULA_FALSE: return 0;
    case FORMULA_ATOM: return constraint_holds(f->constraint, point);
    case FORMULA_AND:
    case FORMULA_OR: return holds_operands(f, point);
    case FORMULA_NOT: {
        int holds = formula_holds(f->at[0], point);
        return holds < 0 ? -1 : !holds;
    }
    case FORMULA_XOR: {
        int a = formula_holds(f->at[0], point), b = formula_holds(f->at[1], point);
        return a < 0 || b < 0 ? -1 : a != b;
    }
    case FORMULA_EXISTS:
    case FORMULA_FORALL: break;
    }
    return -1;
}
