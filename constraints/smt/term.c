/* Terms: made, replaced, visited. In: operands of the right sorts; out: nodes that are never
   changed, except that `shared` is set on what a name is given to. Everything that goes over a
   graph keeps its own stack, so that depth costs memory only; the depth of connectives is limited
   all the same, since formulas are gone over by recursion later. */
#include "constraints/smt/term.h"
#include <string.h>

enum { DEPTH_LIMIT = 2000 };

const char *sort_name(enum sort sort)
{
    static const char *const names[] = {
        [SORT_BOOL] = "Bool", [SORT_INT] = "Int", [SORT_REAL] = "Real"};
    return names[sort];
}

static bool is_connective(enum term_op op)
{
    return op <= TERM_EXISTS || op == TERM_ITE;
}

/* Operators that are flattened. */
static bool is_flat(enum term_op op)
{
    return op == TERM_AND || op == TERM_OR || op == TERM_ADD;
}

static bool passed_over(const struct term *parent, const struct term *child)
{
    return is_flat(parent->op) && child->op == parent->op && child->sort == parent->sort &&
           !child->shared;
}

/* A node of so many operands takes as much from the budget, and one more. */
static struct term *node_new(struct term_maker *maker, enum term_op op, enum sort sort,
                             size_t operands)
{
    if (*maker->budget <= operands) {
        maker->error = "the term is too large";
        return NULL;
    }
    *maker->budget -= operands + 1;
    struct term *term = ARENA_NEW(maker->arena, struct term);
    term->op = op;
    term->sort = sort;
    return term;
}

const struct term *term_constant(struct term_maker *maker, const struct symbol *symbol)
{
    struct term *term = node_new(maker, TERM_CONSTANT, symbol->sort, 0);
    if (term)
        term->symbol = symbol;
    return term;
}

const struct term *term_variable(struct term_maker *maker, const char *name, enum sort sort)
{
    struct term *term = node_new(maker, TERM_VARIABLE, sort, 0);
    if (term)
        term->name = arena_strdup(maker->arena, name);
    return term;
}

const struct term *term_number(struct term_maker *maker, const char *text, enum sort sort)
{
    struct term *term = node_new(maker, TERM_NUMBER, sort, 0);
    if (term)
        term->name = arena_strdup(maker->arena, text);
    return term;
}

/* Sort of the operator's value, its operands being numbers or truth values as it wants them. */
static enum sort result_sort(enum term_op op, const struct term *const *at, size_t count)
{
    if (op == TERM_IDIV || op == TERM_MOD || op == TERM_FLOOR)
        return SORT_INT;
    if (op == TERM_DIVIDE)
        return SORT_REAL;
    if (op < TERM_ITE || at[count - 1]->sort == SORT_BOOL)
        return SORT_BOOL;
    enum sort sort = SORT_INT;
    for (size_t i = op == TERM_ITE; i < count; i++)
        if (at[i]->sort == SORT_REAL)
            sort = SORT_REAL;
    return sort;
}

static bool depth_set(struct term_maker *maker, struct term *term)
{
    for (size_t i = 0; i < term->count; i++) {
        unsigned depth =
            term->at[i]->depth + (is_connective(term->op) && !passed_over(term, term->at[i]));
        if (depth > term->depth)
            term->depth = depth;
    }
    if (term->depth <= DEPTH_LIMIT)
        return true;
    maker->error = "connectives are nested too deeply";
    return false;
}

static struct term *operands_set(struct term_maker *maker, struct term *term,
                                 const struct term *const *at, size_t count)
{
    if (!term)
        return NULL;
    const struct term **copy = ARENA_ARRAY(maker->arena, const struct term *, count);
    if (count)
        memcpy(copy, at, count * sizeof *at);
    term->at = copy;
    term->count = count;
    return depth_set(maker, term) ? term : NULL;
}

const struct term *term_make(struct term_maker *maker, enum term_op op,
                             const struct term *const *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!at[i])
            return NULL;
    if ((op == TERM_AND || op == TERM_OR) && count == 1)
        return at[0];
    if (op == TERM_NOT && at[0]->op == TERM_NOT)
        return at[0]->at[0];
    if (op == TERM_NOT && at[0]->op <= TERM_FALSE)
        return node_new(maker, at[0]->op == TERM_TRUE ? TERM_FALSE : TERM_TRUE, SORT_BOOL, 0);
    if (op == TERM_NEG && at[0]->op == TERM_NEG)
        return at[0]->at[0];
    return operands_set(maker,
                        node_new(maker, op, count ? result_sort(op, at, count) : SORT_BOOL, count),
                        at, count);
}

const struct term *term_power(struct term_maker *maker, const struct term *base, unsigned exponent)
{
    struct term *term = base ? node_new(maker, TERM_POWER, base->sort, 1) : NULL;
    if (term)
        term->exponent = exponent;
    return operands_set(maker, term, &base, 1);
}

/* --- visiting -------------------------------------------------------------------------------- */

const struct term *const *term_operands(struct arena *scratch, const struct term *term,
                                        size_t *count)
{
    size_t nested = 0;
    *count = term->count;
    for (size_t i = 0; i < term->count; i++)
        nested += passed_over(term, term->at[i]);
    if (!nested)
        return term->at;
    VEC(const struct term *) open = {0}, flat = {0};
    vec_push(scratch, &open, term);
    while (open.count) {
        const struct term *top = vec_pop(&open);
        if (top != term && !passed_over(term, top)) {
            vec_push(scratch, &flat, top);
            continue;
        }
        for (size_t i = top->count; i-- > 0;)
            vec_push(scratch, &open, top->at[i]);
    }
    *count = flat.count;
    return flat.at;
}

struct visit {
    const struct term *term;
    bool entered;
};

bool term_visit(struct arena *scratch, const struct term *term, const struct term_visitor *visitor)
{
    VEC(struct visit) open = {0};
    vec_push(scratch, &open, ((struct visit){term, false}));
    while (open.count) {
        struct visit *top = &vec_last(&open);
        term = top->term;
        if (visitor->known(visitor->self, term)) {
            open.count--;
            continue;
        }
        if (top->entered) {
            open.count--;
            if (!visitor->leave(visitor->self, term))
                return false;
            continue;
        }
        top->entered = true;
        if (visitor->enter && !visitor->enter(visitor->self, term))
            return false;
        size_t count;
        const struct term *const *at = term_operands(scratch, term, &count);
        for (size_t i = count; i-- > 0;)
            vec_push(scratch, &open, ((struct visit){at[i], false}));
    }
    return true;
}

/* --- replacing ------------------------------------------------------------------------------- */

struct replacement {
    struct term_maker *maker;
    struct arena *scratch;
    struct map *done;
};

static bool replacement_known(void *self, const struct term *term)
{
    return map_get_pointer(((struct replacement *)self)->done, term) != NULL;
}

static bool replacement_put(struct replacement *r, const struct term *term, const struct term *by)
{
    if (!by)
        return false;
    if (term->shared)
        ((struct term *)by)->shared = true;
    map_put_pointer(r->done, term, (void *)by);
    return true;
}

static bool replacement_enter(void *self, const struct term *term)
{
    struct replacement *r = self;
    if (term->op != TERM_FORALL && term->op != TERM_EXISTS)
        return true;
    for (size_t i = 1; i < term->count; i++)
        if (!replacement_put(r, term->at[i],
                             term_variable(r->maker, term->at[i]->name, term->at[i]->sort)))
            return false;
    return true;
}

static bool replacement_leave(void *self, const struct term *term)
{
    struct replacement *r = self;
    size_t count;
    const struct term *const *operands = term_operands(r->scratch, term, &count);
    const struct term **at = ARENA_ARRAY(r->scratch, const struct term *, count);
    bool same = true;
    for (size_t i = 0; i < count; i++) {
        at[i] = map_get_pointer(r->done, operands[i]);
        same = same && at[i] == operands[i];
    }
    if (same)
        return replacement_put(r, term, term);
    if (term->op == TERM_POWER)
        return replacement_put(r, term, term_power(r->maker, at[0], term->exponent));
    const struct term *made = term_make(r->maker, term->op, at, count);
    if (made && made->sort == SORT_INT && term->sort == SORT_REAL)
        made = operator_apply(r->maker, "to_real", &made, 1);
    return replacement_put(r, term, made);
}

const struct term *term_replace(struct term_maker *maker, const struct term *body,
                                const struct term *const *variables, const struct term *const *at,
                                size_t count)
{
    struct arena *scratch = arena_new();
    struct replacement r = {maker, scratch, map_new(scratch)};
    const struct term_visitor visitor = {&r, replacement_known, replacement_enter,
                                         replacement_leave};
    for (size_t i = 0; i < count; i++)
        map_put_pointer(r.done, variables[i], (void *)at[i]);
    const struct term *result =
        term_visit(scratch, body, &visitor) ? map_get_pointer(r.done, body) : NULL;
    arena_free(scratch);
    return result;
}

/* --- free variables -------------------------------------------------------------------------- */

struct closing {
    struct map *seen;
};

static bool closing_known(void *self, const struct term *term)
{
    return map_get_pointer(((struct closing *)self)->seen, term) != NULL;
}

static bool closing_put(void *self, const struct term *term)
{
    map_put_pointer(((struct closing *)self)->seen, term, self);
    return true;
}

static bool closing_enter(void *self, const struct term *term)
{
    for (size_t i = 1; i < term->count && (term->op == TERM_FORALL || term->op == TERM_EXISTS); i++)
        closing_put(self, term->at[i]);
    return term->op != TERM_VARIABLE;
}

bool term_closed(const struct term *term)
{
    struct arena *scratch = arena_new();
    struct closing closing = {map_new(scratch)};
    const struct term_visitor visitor = {&closing, closing_known, closing_enter, closing_put};
    bool closed = term_visit(scratch, term, &visitor);
    arena_free(scratch);
    return closed;
}
