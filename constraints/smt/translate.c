/* Terms to formulas. In: an assertion; out: a formula over the session's ring, or what is wrong. A
   term has as its image a formula or a number by cases (fraction.h); each node of the graph is
   translated once. Variables that a definition determines belong to the innermost scope that the
   definition depends on: in the assertion itself they are free, under a quantifier they are
   quantified like its own variables (exists q: q = t and …, forall q: q = t implies …), which says
   the same. Quantified variables of one assertion are all different and different from the free
   ones. Truth values are variables too: b holds where b > 0. */
#include "constraints/smt/translate.h"
#include <string.h>

/* --- variables and scopes -------------------------------------------------------------------- */

static bool refuse(struct translation *t, const char *why)
{
    if (!t->error)
        t->error = why;
    return false;
}

static const char ring_is_full[] = "more than 64 variables",
                  too_large[] = "a polynomial is beyond the limits of degree or size";

int translation_variable(struct translation *t, bool integer, size_t scope)
{
    int variable = session_auxiliary(t->session, integer);
    if (variable < 0) {
        refuse(t, ring_is_full);
        return -1;
    }
    t->scope_of[variable] = scope;
    if (scope)
        vec_push(t->scratch, &t->bound, variable);
    return variable;
}

size_t translation_scope(const struct translation *t, const struct poly *p)
{
    size_t scope = 0;
    for (int v = 0; v < ring_count(t->session->ring); v++)
        if (t->scope_of[v] > scope && poly_uses(p, v))
            scope = t->scope_of[v];
    return scope;
}

static size_t formula_scope(const struct translation *t, const struct formula *f)
{
    size_t scope = 0;
    for (int v = 0; v < ring_count(t->session->ring); v++)
        if (t->scope_of[v] > scope && formula_uses(f, v))
            scope = t->scope_of[v];
    return scope;
}

void translation_define(struct translation *t, size_t scope, int variable,
                        const struct formula *definition)
{
    vec_push(t->scratch, &t->scopes.at[scope].pending, ((struct pending){variable, definition}));
}

static size_t number_scope(const struct translation *t, const struct fraction *a)
{
    size_t scope = 0;
    for (size_t i = 0; i < a->count; i++) {
        const struct fraction_case *x = &a->at[i];
        size_t of[3] = {formula_scope(t, x->guard), translation_scope(t, x->numerator),
                        x->denominator ? translation_scope(t, x->denominator) : 0};
        for (int k = 0; k < 3; k++)
            scope = of[k] > scope ? of[k] : scope;
    }
    return scope;
}

const struct poly *translation_poly(struct translation *t, const struct fraction *a)
{
    const struct poly *p = fraction_is_poly(a);
    if (!fraction_fits(a))
        refuse(t, too_large);
    if (p || t->error)
        return t->error ? NULL : p;
    size_t scope = number_scope(t, a);
    int variable = translation_variable(t, false, scope);
    if (variable < 0)
        return NULL;
    translation_define(t, scope, variable, fraction_definition(t->session->arena, a, variable));
    return poly_variable(t->session->ring, variable);
}

/* --- numbers --------------------------------------------------------------------------------- */

typedef const struct fraction *(*fraction_operation)(struct arena *arena, const struct fraction *a,
                                                     const struct fraction *b);

/* With operands that have a variable each if there are too many cases else. */
static const struct fraction *combine(struct translation *t, fraction_operation operation,
                                      const struct fraction *a, const struct fraction *b)
{
    struct arena *arena = t->session->arena;
    const struct fraction *result = operation(arena, a, b);
    if (!result) {
        const struct poly *p = translation_poly(t, a), *q = p ? translation_poly(t, b) : NULL;
        result = q ? operation(arena, fraction_poly(arena, p), fraction_poly(arena, q)) : NULL;
    }
    if (result && !fraction_fits(result))
        refuse(t, too_large);
    return t->error ? NULL : result;
}

/* Halves are summed first, so that no intermediate result is written more than log n times. */
static const struct fraction *fold(struct translation *t, fraction_operation operation,
                                   const struct fraction **at, size_t count)
{
    for (; count > 1; count = (count + 1) / 2)
        for (size_t i = 0; i < count; i += 2) {
            at[i / 2] = i + 1 < count ? combine(t, operation, at[i], at[i + 1]) : at[i];
            if (!at[i / 2])
                return NULL;
        }
    return at[0];
}

static const struct fraction *power(struct translation *t, const struct fraction *a,
                                    unsigned exponent)
{
    struct arena *arena = t->session->arena;
    const struct fraction *result = fraction_power(arena, a, exponent);
    if (!result) {
        const struct poly *p = translation_poly(t, a);
        result = p ? fraction_power(arena, fraction_poly(arena, p), exponent) : NULL;
    }
    if (result && !fraction_fits(result))
        refuse(t, too_large);
    return t->error ? NULL : result;
}

static const struct fraction *conditional(struct translation *t, const struct formula *c,
                                          const struct fraction *a, const struct fraction *b)
{
    struct arena *arena = t->session->arena;
    const struct fraction *result = fraction_ite(arena, c, a, b);
    if (result)
        return result;
    const struct poly *p = translation_poly(t, a), *q = p ? translation_poly(t, b) : NULL;
    return q ? fraction_ite(arena, c, fraction_poly(arena, p), fraction_poly(arena, q)) : NULL;
}

static const struct fraction *literal(struct translation *t, const struct term *term)
{
    const char *why = NULL;
    const struct poly *p = poly_read(t->session->ring, term->name, &why);
    if (!p)
        refuse(t, why ? why : too_large);
    return p ? fraction_poly(t->session->arena, p) : NULL;
}

/* --- terms ----------------------------------------------------------------------------------- */

static bool image_put(struct translation *t, const struct term *term, struct image image)
{
    if (t->error || (!image.formula && !image.number))
        return refuse(t, too_large);
    struct image *kept = ARENA_NEW(t->scratch, struct image);
    *kept = image;
    map_put_pointer(t->images, term, kept);
    return true;
}

static bool known(void *self, const struct term *term)
{
    return map_get_pointer(((struct translation *)self)->images, term) != NULL;
}

static struct image variable_image(struct translation *t, const struct poly *p, enum sort sort)
{
    if (sort != SORT_BOOL)
        return (struct image){.number = fraction_poly(t->session->arena, p)};
    return (struct image){.formula =
                              formula_atom(t->session->arena, (struct constraint){p, RELATION_GT})};
}

static bool constant_image(struct translation *t, const struct term *term)
{
    const struct poly *p = session_symbol(t->session, term->symbol);
    return p ? image_put(t, term, variable_image(t, p, term->sort)) : refuse(t, ring_is_full);
}

static bool scope_open(void *self, const struct term *term)
{
    struct translation *t = self;
    if (term->op != TERM_FORALL && term->op != TERM_EXISTS)
        return true;
    size_t scope = t->scopes.count;
    vec_push(t->scratch, &t->scopes, ((struct scope){.term = term}));
    for (size_t i = 1; i < term->count; i++) {
        int variable = translation_variable(t, term->at[i]->sort == SORT_INT, scope);
        if (variable < 0)
            return false;
        const struct poly *p = poly_variable(t->session->ring, variable);
        if (!image_put(t, term->at[i], variable_image(t, p, term->at[i]->sort)))
            return false;
        translation_define(t, scope, variable, formula_true());
    }
    return true;
}

/* The body under all variables of the scope: its own and those that were defined in it. */
static const struct formula *scope_close(struct translation *t, const struct formula *body)
{
    struct arena *arena = t->session->arena;
    struct scope scope = vec_pop(&t->scopes);
    bool all = scope.term->op == TERM_FORALL;
    VEC(const struct formula *) parts = {0};
    for (size_t i = 0; i < scope.pending.count; i++) {
        const struct formula *definition = scope.pending.at[i].definition;
        vec_push(t->scratch, &parts, all ? formula_not(arena, definition) : definition);
    }
    vec_push(t->scratch, &parts, body);
    body =
        all ? formula_or(arena, parts.at, parts.count) : formula_and(arena, parts.at, parts.count);
    for (size_t i = scope.pending.count; i-- > 0;) {
        int variable = scope.pending.at[i].variable;
        body = all ? formula_forall(arena, variable, body) : formula_exists(arena, variable, body);
    }
    return body;
}

/* The conjunction or disjunction with each operand once: shared operands are not copied into one
   another again and again. */
static const struct formula *join(struct translation *t, enum formula_kind kind,
                                  const struct formula *const *at, size_t count)
{
    struct map *seen = map_new(t->scratch);
    VEC(const struct formula *) operands = {0};
    for (size_t i = 0; i < count; i++) {
        bool flat = at[i]->kind == kind;
        size_t n = flat ? at[i]->count : 1;
        for (size_t k = 0; k < n; k++) {
            const struct formula *f = flat ? at[i]->at[k] : at[i];
            if (map_get_pointer(seen, f))
                continue;
            map_put_pointer(seen, f, t);
            vec_push(t->scratch, &operands, f);
        }
    }
    struct arena *arena = t->session->arena;
    return kind == FORMULA_AND ? formula_and(arena, operands.at, operands.count)
                               : formula_or(arena, operands.at, operands.count);
}

static struct image formula_image(struct translation *t, enum term_op op,
                                  const struct formula *const *at, size_t count)
{
    struct arena *arena = t->session->arena;
    switch (op) {
    case TERM_TRUE: return (struct image){.formula = formula_true()};
    case TERM_FALSE: return (struct image){.formula = formula_false()};
    case TERM_NOT: return (struct image){.formula = formula_not(arena, at[0])};
    case TERM_AND: return (struct image){.formula = join(t, FORMULA_AND, at, count)};
    case TERM_OR: return (struct image){.formula = join(t, FORMULA_OR, at, count)};
    case TERM_XOR: return (struct image){.formula = formula_xor(arena, at[0], at[1])};
    case TERM_ITE: return (struct image){.formula = formula_ite(arena, at[0], at[1], at[2])};
    default: return (struct image){.formula = scope_close(t, at[0])};
    }
}

static const struct fraction *number_image(struct translation *t, const struct term *term,
                                           const struct fraction **at, size_t count)
{
    switch (term->op) {
    case TERM_NUMBER: return literal(t, term);
    case TERM_ADD: return fold(t, fraction_add, at, count);
    case TERM_MUL: return fold(t, fraction_mul, at, count);
    case TERM_NEG: return fraction_neg(t->session->arena, at[0]);
    case TERM_POWER: return power(t, at[0], term->exponent);
    case TERM_DIVIDE: return translation_divide(t, at[0], at[1]);
    case TERM_IDIV:
    case TERM_MOD: return translation_div_mod(t, at[0], at[1], term->op == TERM_MOD);
    default: return translation_floor(t, at[0]);
    }
}

static struct image relation_image(struct translation *t, enum term_op op, const struct fraction *a,
                                   const struct fraction *b)
{
    enum relation relation = op == TERM_EQ   ? RELATION_EQ
                             : op == TERM_LE ? RELATION_LE
                                             : RELATION_LT;
    const struct fraction *difference =
        combine(t, fraction_add, a, fraction_neg(t->session->arena, b));
    return (struct image){
        .formula = difference ? fraction_compare(t->session->arena, difference, relation) : NULL};
}

static bool leave(void *self, const struct term *term)
{
    struct translation *t = self;
    size_t count;
    const struct term *const *operands = term_operands(t->scratch, term, &count);
    if (term->op == TERM_CONSTANT)
        return constant_image(t, term);
    const struct formula **formulas = ARENA_ARRAY(t->scratch, const struct formula *, count);
    const struct fraction **numbers = ARENA_ARRAY(t->scratch, const struct fraction *, count);
    for (size_t i = 0; i < count; i++) {
        const struct image *image = map_get_pointer(t->images, operands[i]);
        formulas[i] = image->formula;
        numbers[i] = image->number;
    }
    if (term->op == TERM_ITE && term->sort != SORT_BOOL)
        return image_put(
            t, term, (struct image){.number = conditional(t, formulas[0], numbers[1], numbers[2])});
    if (term->op == TERM_EQ || term->op == TERM_LE || term->op == TERM_LT)
        return image_put(t, term, relation_image(t, term->op, numbers[0], numbers[1]));
    if (term->sort == SORT_BOOL)
        return image_put(t, term, formula_image(t, term->op, formulas, count));
    return image_put(t, term, (struct image){.number = number_image(t, term, numbers, count)});
}

/* --- assertions ------------------------------------------------------------------------------ */

/* The term's formula with the definitions of the free variables that it uses; `closed`: which are
   quantified. */
static const struct formula *whole(struct translation *t, const struct term *term, bool closed)
{
    const struct term_visitor visitor = {t, known, scope_open, leave};
    if (!term_visit(t->scratch, term, &visitor))
        return NULL;
    VEC(const struct formula *) parts = {0};
    vec_push(t->scratch, &parts, ((const struct image *)map_get_pointer(t->images, term))->formula);
    for (size_t i = 0; i < t->scopes.at[0].pending.count; i++)
        vec_push(t->scratch, &parts, t->scopes.at[0].pending.at[i].definition);
    const struct formula *f =
        translation_consistency(t, formula_and(t->session->arena, parts.at, parts.count));
    for (size_t i = t->scopes.at[0].pending.count; closed && i-- > 0;)
        f = formula_exists(t->session->arena, t->scopes.at[0].pending.at[i].variable, f);
    return t->error ? NULL : f;
}

/* What a failed translation leaves behind is taken back. */
static const struct formula *translate(struct session *session, const struct term *term,
                                       bool settle, const char **error)
{
    struct arena *scratch = arena_new();
    struct translation t = {.session = session, .scratch = scratch, .images = map_new(scratch)};
    size_t zeros = session->zeros.count, parts = session->parts.count;
    struct role *roles = ARENA_ARRAY(scratch, struct role, RING_CAPACITY);
    memcpy(roles, session->roles, sizeof session->roles);
    vec_push(scratch, &t.scopes, ((struct scope){.term = NULL}));
    const struct formula *f = whole(&t, term, !settle);
    if (f && settle)
        f = translation_settle(&t, f);
    if (!f) {
        *error = arena_strdup(session->arena, t.error);
        session->zeros.count = zeros;
        session->parts.count = parts;
        for (int v = 0; v < ring_count(session->ring); v++)
            if (!roles[v].taken)
                session_give_back(session, v);
    }
    for (size_t i = 0; i < t.bound.count; i++)
        if (t.scope_of[t.bound.at[i]])
            session_give_back(session, t.bound.at[i]);
    if (f && t.integers_bound)
        session_weaken(session, "an integer variable is quantified");
    if (f && t.choices.count && !session->approximate)
        session->approximate = session_level(session);
    arena_free(scratch);
    return f;
}

const struct formula *session_formula(struct session *session, const struct term *term,
                                      const char **error)
{
    return translate(session, term, false, error);
}

const char *session_assert(struct session *session, const struct term *term)
{
    const char *error = NULL;
    const struct formula *f = translate(session, term, true, &error);
    if (!f)
        return error;
    session->work++;
    vec_push(session->arena, &session->asserted, f);
    if (session->solver)
        solver_assert_formula(session->solver, f);
    return NULL;
}
