/* Projection: the way in and out. In: a formula with quantifiers over the ring; out: an equivalent
   one without, or a reason. The formula is brought to negation normal form and taken over node by
   node; at a quantifier the inside comes first, then its block (quantifiers of one kind in a row)
   is eliminated, a universal one by negation. What is assumed of the free variables is known
   throughout; constraints on a name that some quantifier binds are left out of it. */
#include "base/map.h"
#include "constraints/project/work.h"

enum { WRITING_STEPS = 1 << 20 };
static const uint64_t default_steps = 100 * 1000 * 1000;   /* about ten seconds */

static const unsigned relation_signs[] = {
    [RELATION_EQ] = SIGN_ZERO,
    [RELATION_NE] = SIGN_NEGATIVE | SIGN_POSITIVE,
    [RELATION_LT] = SIGN_NEGATIVE,
    [RELATION_LE] = SIGN_NEGATIVE | SIGN_ZERO,
    [RELATION_GT] = SIGN_POSITIVE,
    [RELATION_GE] = SIGN_ZERO | SIGN_POSITIVE,
};

/* --- formulas to nodes ----------------------------------------------------------------------- */

struct taking {
    struct work *w;
    const struct theory *theory;
    struct map *done;
};

static const struct node *constraint_node(struct work *w, struct constraint c)
{
    if (!c.poly) {
        work_break(w, "a polynomial is beyond the limits");
        return w->truth;
    }
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, w->ctx);
    work_take(w, p, c.poly);
    const struct node *node = w->broken ? w->truth : node_sign(w, p, relation_signs[c.relation]);
    fmpz_mpoly_clear(p, w->ctx);
    return node;
}

static const struct node *take(struct taking *t, const struct formula *f);

static const struct node *take_operands(struct taking *t, const struct formula *f)
{
    VEC(const struct node *) list = {0};
    for (size_t i = 0; i < f->count; i++)
        vec_push(t->w->arena, &list, take(t, f->at[i]));
    return f->kind == FORMULA_AND ? node_and(t->w, list.at, list.count)
                                  : node_or(t->w, list.at, list.count);
}

static const struct node *take_block(struct taking *t, const struct formula *f)
{
    uint64_t block = 0;
    enum formula_kind kind = f->kind;
    for (; f->kind == kind; f = f->at[0])
        if (t->w->local_variable[f->variable] >= 0)
            block |= (uint64_t)1 << t->w->local_variable[f->variable];
    const struct node *inside = take(t, f);
    if (kind == FORMULA_EXISTS)
        return block_eliminate(t->w, inside, block, t->theory);
    return node_not(t->w, block_eliminate(t->w, node_not(t->w, inside), block, t->theory));
}

/* f is in negation normal form. */
static const struct node *take_kind(struct taking *t, const struct formula *f)
{
    switch (f->kind) {
    case FORMULA_FALSE: return t->w->falsity;
    case FORMULA_ATOM: return constraint_node(t->w, f->constraint);
    case FORMULA_AND:
    case FORMULA_OR: return take_operands(t, f);
    case FORMULA_EXISTS:
    case FORMULA_FORALL: return take_block(t, f);
    default: return t->w->truth;
    }
}

static const struct node *take(struct taking *t, const struct formula *f)
{
    const struct node *done = map_get_pointer(t->done, f);
    if (!done) {
        done = take_kind(t, f);
        map_put_pointer(t->done, f, (void *)done);
    }
    return done;
}

const struct node *formula_node(struct work *w, const struct formula *f,
                                const struct theory *theory)
{
    struct taking t = {w, theory, map_new(w->arena)};
    return take(&t, formula_nnf(w->arena, f, false));
}

/* --- nodes to formulas ----------------------------------------------------------------------- */

static const struct formula *atom_formula(struct work *w, struct arena *arena,
                                          const struct node *node)
{
    static const enum relation relations[] = {
        [SIGN_ZERO] = RELATION_EQ,
        [SIGN_NEGATIVE | SIGN_POSITIVE] = RELATION_NE,
        [SIGN_NEGATIVE] = RELATION_LT,
        [SIGN_NEGATIVE | SIGN_ZERO] = RELATION_LE,
        [SIGN_POSITIVE] = RELATION_GT,
        [SIGN_ZERO | SIGN_POSITIVE] = RELATION_GE,
    };
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, w->ctx);
    fmpz_mpoly_set(p, node->factors[0]->p, w->ctx);
    for (size_t i = 1; i < node->count; i++)
        work_mul(w, p, p, node->factors[i]->p);
    const struct formula *f =
        formula_atom(arena, (struct constraint){work_give(w, arena, p), relations[node->signs]});
    fmpz_mpoly_clear(p, w->ctx);
    return f;
}

struct giving {
    struct work *w;
    struct arena *arena;
    struct map *done;
};

static const struct formula *give(struct giving *g, const struct node *node)
{
    if (node->kind == NODE_TRUE || node->kind == NODE_FALSE)
        return node->kind == NODE_TRUE ? formula_true() : formula_false();
    const struct formula *f = map_get_pointer(g->done, node);
    if (f)
        return f;
    if (node->kind == NODE_ATOM) {
        f = atom_formula(g->w, g->arena, node);
    } else {
        VEC(const struct formula *) list = {0};
        for (size_t i = 0; i < node->count; i++)
            vec_push(g->w->arena, &list, give(g, node->at[i]));
        f = node->kind == NODE_AND ? formula_and(g->arena, list.at, list.count)
                                   : formula_or(g->arena, list.at, list.count);
    }
    map_put_pointer(g->done, node, (void *)f);
    return f;
}

const struct formula *node_formula(struct work *w, struct arena *arena, const struct node *node)
{
    struct giving g = {w, arena, map_new(w->arena)};
    return give(&g, node);
}

/* --- the way in ------------------------------------------------------------------------------ */

/* Variables in *uses, those some quantifier binds in *bound. */
static void variables_collect(struct map *seen, const struct formula *f, uint64_t *uses,
                              uint64_t *bound)
{
    if (map_get_pointer(seen, f))
        return;
    map_put_pointer(seen, f, (void *)f);
    if (f->kind == FORMULA_EXISTS || f->kind == FORMULA_FORALL)
        *bound |= (uint64_t)1 << f->variable;
    for (int v = 0; f->kind == FORMULA_ATOM && f->constraint.poly && v < RING_CAPACITY; v++)
        if (poly_uses(f->constraint.poly, v))
            *uses |= (uint64_t)1 << v;
    for (size_t i = 0; i < f->count; i++)
        variables_collect(seen, f->at[i], uses, bound);
}

static uint64_t constraint_uses(struct constraint c)
{
    uint64_t uses = 0;
    for (int v = 0; c.poly && v < RING_CAPACITY; v++)
        if (poly_uses(c.poly, v))
            uses |= (uint64_t)1 << v;
    return uses;
}

/* The part of the context that may be assumed everywhere; one whose polynomial is beyond the limits
   says nothing. */
static struct sas context_free(struct arena *arena, struct ring *ring, struct sas context,
                               uint64_t bound, uint64_t *uses)
{
    struct sas kept = sas_empty(ring);
    for (size_t i = 0; i < context.count; i++) {
        uint64_t own = constraint_uses(context.at[i]);
        if (own & bound || !context.at[i].poly)
            continue;
        kept = sas_add(arena, kept, context.at[i]);
        *uses |= own;
    }
    return kept;
}

/* False if the context contradicts itself plainly. */
static bool context_known(struct work *w, struct theory *theory, struct sas context)
{
    for (size_t i = 0; i < context.count; i++) {
        const struct node *node = constraint_node(w, context.at[i]);
        const struct node *const *at;
        size_t count = node_conjuncts(&node, &at);
        for (size_t k = 0; k < count; k++)
            if ((at[k]->kind == NODE_ATOM || at[k]->kind == NODE_FALSE) &&
                !theory_add(w, theory, at[k]))
                return false;
    }
    return true;
}

/* The readable form where the budget reaches for it, else the node as it is; NULL if it cannot even
   be written. */
static const struct formula *presented(struct work *w, struct arena *arena, const struct node *node,
                                       const struct theory *theory, struct sas context)
{
    const struct node *normal = node_normal(w, node, theory, context);
    node = w->broken ? node : normal;
    w->broken = false;
    w->steps += WRITING_STEPS;
    const struct formula *result = node_formula(w, arena, node);
    return w->broken ? NULL : result;
}

/* One attempt with half of the budget: variable by variable, or by the coverings at once. NULL if
   undecided. */
static const struct formula *attempt(struct arena *arena, struct ring *ring,
                                     const struct formula *f, const struct project_options *options,
                                     bool at_once, const char **reason)
{
    struct arena *scratch = arena_new();
    uint64_t uses = 0, bound = 0;
    variables_collect(map_new(scratch), f, &uses, &bound);
    struct sas context = context_free(scratch, ring, options->context, bound, &uses);
    struct work *w =
        work_new(scratch, ring, uses, (options->steps ? options->steps : default_steps) / 2 + 1);
    struct theory *theory = theory_copy(w, NULL);
    const struct formula *result = NULL;
    if (!context_known(w, theory, context)) {
        result = formula_false();
    } else {
        const struct node *node =
            at_once ? covering_prenex(w, f, theory) : formula_node(w, f, theory);
        result = node && !w->broken ? presented(w, arena, node, theory, context) : NULL;
    }
    *reason = w->reason;
    arena_free(scratch);
    return result;
}

const struct formula *formula_eliminate(struct arena *arena, struct ring *ring,
                                        const struct formula *f,
                                        const struct project_options *options, const char **reason)
{
    static const struct project_options defaults;
    const char *why = NULL, *unused;
    const struct formula *result =
        attempt(arena, ring, f, options ? options : &defaults, false, &why);
    if (!result && formula_quantified(f))
        result = attempt(arena, ring, f, options ? options : &defaults, true, &unused);
    if (reason)
        *reason = result ? NULL : why;
    return result;
}

const struct formula *sas_project(struct arena *arena, struct sas sas, const int *variables,
                                  size_t count, const struct project_options *options,
                                  const char **reason)
{
    struct arena *scratch = arena_new();
    const struct formula *f = formula_sas(scratch, sas);
    for (size_t i = 0; i < count; i++)
        f = formula_exists(scratch, variables[i], f);
    const struct formula *result = formula_eliminate(arena, sas.ring, f, options, reason);
    arena_free(scratch);
    return result;
}

const struct formula *formula_simplify(struct arena *arena, struct ring *ring,
                                       const struct formula *f, struct sas context)
{
    const struct formula *result =
        formula_eliminate(arena, ring, f, &(struct project_options){.context = context}, NULL);
    return result ? result : f;
}
