/* In: a global array. Out: how many of its elements, counted from its start, the kernel may touch,
   as an expression over the parameters.

   Declared extents are taken as they are. An open first extent is found from the subscripts: per
   reference the greatest value of the first subscript plus one, from the loops' ranges and, where a
   guard bounds a part of the subscript, from the guard: the smaller of the two, as a selection if
   the parameters decide. References under conditions on parameters, or in loops that may be empty,
   count under those conditions only, so that not more memory is promised than a run touches; a
   condition with a reference on either side does not count. The host computes with whole numbers
   only: of an array that is touched where a floating parameter says so, nothing is known. */
#include "ir/access/delta.h"
#include "ir/access/footprint.h"
#include "ir/walk.h"

enum { TOPS_MAX = 6 };

static const struct expr *choose(struct analysis *analysis, const struct expr *a,
                                 const struct expr *b, bool greater)
{
    struct arena *arena = analysis->ctx->arena;
    if (!a || !b)
        return a ? a : b;
    if (expr_equal(a, b))
        return a;
    return expr_select(arena, expr_binary(arena, greater ? OP_GE : OP_LE, a, b), a, b);
}

/* One past the greatest first subscript of references under one condition: the least
   of `bounds`. */
struct top {
    const struct expr *condition;
    bool negative;                    /* a bound may be below 0 even where the reference is made */
    VEC(const struct poly *) bounds;
};

/* What the references so far need: the greatest of `at`. */
struct tops {
    struct analysis *analysis;
    const struct context *known;      /* holds wherever the extent is asked for */
    bool whole;                       /* a reference's conditions on parameters count */
    size_t n;
    struct top at[TOPS_MAX];
};

/* False if nothing bounds the subscript in the context. */
static bool top_make(struct analysis *analysis, const struct context *context,
                     const struct access *access, const struct form *subscript, struct top *top)
{
    const struct poly *one = poly_integer(analysis->ring, 1);
    struct form_list found = {0};
    form_bounds(analysis, context, access, subscript, NULL, &found);
    for (size_t i = 0; i < found.forms.count; i++) {
        const struct poly *bound = found.forms.at[i]->constant;
        bool needed = true;
        for (size_t k = 0; k < found.forms.count && needed; k++)
            needed = i == k || !context_at_least(context, bound, found.forms.at[k]->constant) ||
                     (k > i && context_at_least(context, found.forms.at[k]->constant, bound));
        if (needed)
            vec_push(analysis->arena, &top->bounds, poly_add(bound, one));
    }
    const struct context *made = pair_context(analysis, access, access);
    for (size_t i = 0; i < top->bounds.count; i++)
        top->negative |= !context_nonnegative(made, top->bounds.at[i]);
    return top->bounds.count > 0;
}

/* The last conjunct of what conjoin made, and in *rest those before it, NULL if there are none. */
static const struct expr *conjunct_last(const struct expr *all, const struct expr **rest)
{
    bool several = all->kind == EXPR_BINARY && all->op == OP_LAND;
    *rest = several ? all->arguments[0] : NULL;
    return several ? all->arguments[1] : all;
}

/* Is c one of the conjuncts of `all`, which conjoin made? Both may be NULL. */
static bool is_conjunct(const struct expr *all, const struct expr *c)
{
    const struct expr *rest = all;
    while (c && rest)
        if (expr_equal(conjunct_last(rest, &rest), c))
            return true;
    return false;
}

/* Has `all` every conjunct of `some`? NULL has none. */
static bool has_conjuncts(const struct expr *all, const struct expr *some)
{
    while (some)
        if (!is_conjunct(all, conjunct_last(some, &some)))
            return false;
    return true;
}

/* Are the bounds of a never above those of b? */
static bool bounds_below(struct analysis *analysis, const struct top *a, const struct top *b)
{
    for (size_t i = 0; i < b->bounds.count; i++) {
        bool below = false;
        for (size_t k = 0; k < a->bounds.count && !below; k++)
            below = context_at_least(analysis->context, b->bounds.at[i], a->bounds.at[k]);
        if (!below)
            return false;
    }
    return true;
}

/* Is a never above b, under the same condition or a narrower one? */
static bool top_below(struct analysis *analysis, const struct top *a, const struct top *b)
{
    return has_conjuncts(a->condition, b->condition) && bounds_below(analysis, a, b);
}

static bool is_negation(struct analysis *analysis, const struct expr *a, const struct expr *b)
{
    return expr_equal(a, expr_unary(analysis->ctx->arena, OP_NOT, b));
}

/* Are both under the same conditions but for the last, which is the other's negation? Then *rest is
   what they share. */
static bool tops_are_sides(struct analysis *analysis, const struct top *a, const struct top *b,
                           const struct expr **rest)
{
    const struct expr *rest_b;
    if (!a->condition || !b->condition)
        return false;
    const struct expr *x = conjunct_last(a->condition, rest),
                      *y = conjunct_last(b->condition, &rest_b);
    bool same = !*rest == !rest_b && (!rest_b || expr_equal(*rest, rest_b));
    return same && (is_negation(analysis, x, y) || is_negation(analysis, y, x));
}

static const struct expr *top_expr(struct analysis *analysis, const struct top *top, enum type type)
{
    const struct expr *least = NULL;
    for (size_t i = 0; i < top->bounds.count; i++) {
        const struct expr *e = expr_of_poly(analysis, top->bounds.at[i], type);
        if (!e)
            return NULL;
        least = choose(analysis, least, e, false);
    }
    if (!top->condition)
        return least;
    return expr_select(analysis->ctx->arena, top->condition, least,
                       expr_integer(analysis->ctx->arena, type, 0));
}

static const struct expr *conjoin(struct analysis *analysis, const struct expr *a,
                                  const struct expr *b)
{
    return expr_join(analysis->ctx->arena, OP_LAND, a, b);
}

/* span >= 0, or trip count > 0 where that is shorter. */
static const struct expr *loop_runs(struct analysis *analysis, const struct poly *span)
{
    const struct poly *trips = poly_add(span, poly_integer(analysis->ring, 1));
    bool shorter = poly_terms(trips) < poly_terms(span);
    const struct expr *e = expr_of_poly(analysis, shorter ? trips : span, TYPE_I64);
    const struct expr *zero = expr_integer(analysis->ctx->arena, TYPE_I64, 0);
    return e ? expr_binary(analysis->ctx->arena, shorter ? OP_GT : OP_GE, e, zero) : NULL;
}

/* Conditions on parameters under which the reference is made at all, beyond what is known; NULL if
   it always is. */
static const struct expr *access_condition(struct analysis *analysis, const struct context *known,
                                           const struct access *access)
{
    struct arena *arena = analysis->ctx->arena;
    const struct expr *all = NULL;
    for (size_t i = 0; i < access->n_path; i++) {
        const struct path_step *step = &access->path[i];
        if (step->iterator < 0) {
            if (step->condition.kind != CONDITION_PARAMS || !step->condition.expr)
                continue;
            const struct expr *c = step->condition.expr;
            all = conjoin(analysis, all,
                          step->condition.negated ? expr_unary(arena, OP_NOT, c) : c);
            continue;
        }
        const struct range *range = &access->ranges[step->iterator];
        if (!range->lo || !range->hi)
            continue;
        const struct form *span = form_sub(analysis, range->hi, range->lo);
        if (span->n_terms || context_nonnegative(known, span->constant))
            continue;
        const struct expr *c = loop_runs(analysis, span->constant);
        if (!is_conjunct(all, c))
            all = conjoin(analysis, all, c);
    }
    return all;
}

/* False if there is no room for it. */
static bool tops_add(struct tops *tops, struct top top)
{
    for (size_t k = 0; k < tops->n; k++) {
        const struct top *other = &tops->at[k];
        const struct expr *rest;
        if (top_below(tops->analysis, &top, other))
            return true;
        if (tops_are_sides(tops->analysis, &top, other, &rest) &&
            bounds_below(tops->analysis, &top, other) &&
            bounds_below(tops->analysis, other, &top)) {
            top.condition = rest;
            top.negative |= other->negative;
            tops->at[k] = tops->at[--tops->n];
            return tops_add(tops, top);
        }
    }
    for (size_t k = 0; k < tops->n; k++)
        if (top_below(tops->analysis, &tops->at[k], &top))
            tops->at[k--] = tops->at[--tops->n];
    if (tops->n == TOPS_MAX)
        return false;
    tops->at[tops->n++] = top;
    return true;
}

/* The first coefficient whose sign is open; NULL if there is none. */
static const struct poly *coefficient_open(const struct context *context, const struct form *form)
{
    for (int i = 0; i < form->n_terms; i++)
        if (context_direction(context, form->terms[i].coefficient) == 2)
            return form->terms[i].coefficient;
    return NULL;
}

/* Adds what one subscript needs; a coefficient of unknown sign is taken both ways, each under the
   condition that says so. `deep`: so many more may be open. */
static bool tops_reach(struct tops *tops, const struct context *context,
                       const struct access *access, const struct form *subscript,
                       const struct expr *condition, int deep)
{
    struct analysis *analysis = tops->analysis;
    struct top top = {.condition = condition};
    if (top_make(analysis, context, access, subscript, &top))
        return tops_add(tops, top);
    const struct poly *c = deep ? coefficient_open(context, subscript) : NULL;
    const struct expr *value = c && tops->whole ? expr_of_poly(analysis, c, TYPE_I64) : NULL;
    if (!value)
        return false;
    const struct expr *zero = expr_integer(analysis->ctx->arena, TYPE_I64, 0);
    for (int sign = -1; sign <= 1; sign += 2) {
        struct context *under = context_extend(context);
        context_fact(under, sign > 0 ? c : poly_neg(c));
        const struct expr *says = expr_binary(analysis->ctx->arena, sign > 0 ? OP_GE : OP_LT, value,
                                              zero);
        if (!tops_reach(tops, under, access, subscript, conjoin(analysis, condition, says),
                        deep - 1))
            return false;
    }
    return true;
}

enum { OPEN_SIGNS = 2 };

static bool tops_access(struct tops *tops, const struct access *access)
{
    struct analysis *analysis = tops->analysis;
    const struct expr *condition =
        tops->whole ? access_condition(analysis, tops->known, access) : NULL;
    const struct form *const *forms = access->subscripts[0] ? &access->subscripts[0]
                                      : access->reach       ? access->reach->at[1]
                                                            : NULL;
    int n = access->subscripts[0] ? 1 : access->reach ? access->reach->n[1] : 0;
    for (int i = 0; i < n; i++)
        if (!tops_reach(tops, analysis->context, access, forms[i], condition, OPEN_SIGNS))
            return false;
    return n > 0;
}

static bool is_member(const struct box *box, const struct access *access)
{
    for (int k = 0; k < box->n_members; k++)
        if (box->members[k].access == access)
            return true;
    return false;
}

static bool uses_floating(struct analysis *analysis, const struct expr *condition)
{
    struct expr_walk walk;
    const struct expr *e = condition ? expr_first(&walk, analysis->arena, condition) : NULL;
    while (e && !type_is_floating(e->type))
        e = expr_next(&walk);
    return e != NULL;
}

const struct expr *analysis_rows(struct analysis *analysis, const struct context *known,
                                 const struct array *array, const struct box *box, enum type type)
{
    struct tops tops = {.analysis = analysis, .known = known, .whole = !box};
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        if (access->reference.array == array && (!box || is_member(box, access)) &&
            !tops_access(&tops, access))
            return NULL;
    }
    bool negative = false;
    const struct expr *rows = tops.n ? NULL : expr_integer(analysis->ctx->arena, type, 0);
    for (size_t k = 0; k < tops.n; k++) {
        const struct expr *e = top_expr(analysis, &tops.at[k], type);
        if (!e || uses_floating(analysis, tops.at[k].condition))
            return NULL;
        rows = choose(analysis, rows, e, true);
        negative |= tops.at[k].negative;
    }
    return negative ? choose(analysis, rows, expr_integer(analysis->ctx->arena, type, 0), true)
                    : rows;
}

const struct expr *analysis_extent(struct analysis *analysis, const struct array *array)
{
    struct arena *arena = analysis->ctx->arena;
    const struct expr *product = NULL;
    for (int d = 0; d < array->n_dims; d++) {
        const struct expr *e = array->dims[d] ? expr_cast(arena, TYPE_I64, array->dims[d]) : NULL;
        if (!e && d == 0)
            e = analysis_rows(analysis, analysis->plain, array, NULL, TYPE_I64);
        if (!e)
            return NULL;
        product = product ? expr_binary(arena, OP_MUL, product, e) : e;
    }
    return product;
}

const struct poly *analysis_dimension(struct analysis *analysis, const struct array *array, int d)
{
    const struct expr *e = array->dims[d];
    if (!e && d == 0) {
        analysis_assume(analysis);
        e = analysis_rows(analysis, analysis->context, array, NULL, TYPE_I64);
    }
    const struct form *form = e ? form_of(analysis, e) : NULL;
    return form && form->n_terms == 0 ? form->constant : NULL;
}

const struct expr *access_dimension(struct ctx *ctx, const struct kernel *kernel,
                                    const struct array *array, int d)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    const struct poly *extent = analysis_dimension(analysis, array, d);
    const struct expr *e = extent ? expr_of_poly(analysis, extent, TYPE_I64) : NULL;
    analysis_free(analysis);
    return e;
}

const struct expr *access_extent(struct ctx *ctx, const struct kernel *kernel,
                                 const struct array *array)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    if (array->n_dims && !array->dims[0])
        analysis_assume(analysis);
    const struct expr *extent = analysis_extent(analysis, array);
    analysis_free(analysis);
    return extent;
}

static const struct expr *access_index(const struct access *access)
{
    return access->reference.store ? access->reference.store->indices[0]
                                   : access->reference.load->arguments[0];
}

/* Does a tunable occur, which the program chooses and no array's extent depends on? */
static bool uses_tunable(const struct analysis *analysis, const struct poly *p)
{
    const struct kernel *kernel = analysis->kernel;
    for (int i = 0; i < kernel->n_params; i++) {
        int v = ring_find(analysis->ring, kernel->params[i]->var->name);
        if (kernel->params[i]->role == ROLE_TUNABLE && v >= 0 && poly_uses(p, v))
            return true;
    }
    return false;
}

/* coefficient * trip count of one term of a subscript: how far it would reach with the other terms
   inside its steps; NULL unless both are known not to be negative, have no tunable and can be
   written. */
static const struct expr *rows_guess(struct analysis *analysis, const struct access *access,
                                     const struct form_term *term)
{
    const struct poly *c = term->coefficient, *hi =
        form_extreme(analysis, analysis->context, access,
                     form_iterator(analysis, term->iterator), true);
    const struct poly *trips = hi ? poly_add(hi, poly_integer(analysis->ring, 1)) : NULL;
    if (!trips || !context_nonnegative(analysis->context, c) ||
        !analysis_export(analysis, trips) || !analysis_export(analysis, c) ||
        uses_tunable(analysis, trips) || uses_tunable(analysis, c))
        return NULL;
    return expr_of_poly(analysis, poly_mul(c, trips), TYPE_I32);
}

/* Of a reference without a bound: what the array's extent is likely to be, from the affine term
   with the greatest stride; NULL: no idea. */
static const char *extent_guess(struct analysis *analysis, const struct access *access)
{
    const struct form *form = access->subscripts[0] ? access->subscripts[0] : access->part;
    const struct expr *best = NULL;
    const struct poly *stride = NULL;
    for (int i = 0; form && i < form->n_terms; i++) {
        const struct poly *c = form->terms[i].coefficient;
        const struct expr *guess = rows_guess(analysis, access, &form->terms[i]);
        if (guess && (!stride || !context_at_least(analysis->context, stride, c))) {
            best = guess;
            stride = c;
        }
    }
    return best ? expr_text(analysis->ctx->arena, best) : NULL;
}

struct extent_fault access_extent_fault(struct ctx *ctx, const struct kernel *kernel,
                                        const struct array *array)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    struct extent_fault fault = {{0}, NULL, NULL};
    analysis_assume(analysis);
    for (size_t i = 0; i < analysis->accesses.count && !fault.subscript; i++) {
        const struct access *access = analysis->accesses.at[i];
        struct tops tops = {.analysis = analysis, .known = analysis->plain, .whole = true};
        if (access->reference.array != array || tops_access(&tops, access))
            continue;
        fault.loc = access->reference.loc;
        fault.subscript = expr_text(ctx->arena, access_index(access));
        fault.guess = extent_guess(analysis, access);
    }
    analysis_free(analysis);
    return fault;
}
