/* In: two references and a question. Out: they never meet; never under a condition on the
   parameters; open.

   A condition is offered where a stride is symbolic and the span below it is not known to fit
   (a[i*M + j]: M at least the number of columns), or a distance is symbolic; never for literal
   strides and distances: there a condition would only exclude the sizes at which the program is
   wrong. Its floors are replaced by bounds, so that the dispatcher can evaluate it: it may come out
   stronger than needed, never weaker. */
#include "ir/access/advice.h"
#include "ir/access/delta.h"
#include <string.h>

const struct context *pair_context(struct analysis *analysis, const struct access *a,
                                   const struct access *b)
{
    struct context *context = analysis->context;
    for (int side = 0; side < 2; side++) {
        const struct access *access = side ? b : a;
        for (size_t i = 0; i < access->n_facts; i++) {
            if (context_nonnegative(context, access->facts[i]))
                continue;
            if (context == analysis->context)
                context = context_extend(context);
            context_fact(context, access->facts[i]);
        }
    }
    if (context != analysis->context)
        context_floors(context);
    return context;
}

/* The condition without !, != 0 and == 0; flips *negated. */
static const struct expr *condition_core(const struct expr *e, bool *negated)
{
    for (;;) {
        bool compares = e->kind == EXPR_BINARY && (e->op == OP_NE || e->op == OP_EQ) &&
                        e->arguments[1]->kind == EXPR_INTEGER && e->arguments[1]->integer == 0;
        if (!compares && !(e->kind == EXPR_UNARY && e->op == OP_NOT))
            return e;
        *negated ^= e->kind == EXPR_UNARY || e->op == OP_EQ;
        e = e->arguments[0];
    }
}

static bool conditions_exclude(const struct condition *a, const struct condition *b)
{
    bool na = a->negated, nb = b->negated;
    if (!a->expr || !b->expr)
        return false;
    const struct expr *ea = condition_core(a->expr, &na), *eb = condition_core(b->expr, &nb);
    return na != nb && expr_equal(ea, eb);
}

bool pair_compatible(struct analysis *analysis, const struct access *a, const struct access *b,
                     bool same_step)
{
    enum condition_kind most = same_step ? CONDITION_BLOCK : CONDITION_PARAMS;
    for (size_t i = 0; i < a->n_path; i++)
        for (size_t k = 0; k < b->n_path; k++)
            if (a->path[i].iterator < 0 && b->path[k].iterator < 0 &&
                a->path[i].condition.kind <= most && b->path[k].condition.kind <= most &&
                conditions_exclude(&a->path[i].condition, &b->path[k].condition))
                return false;
    return !linear_excludes(analysis, a, b);
}

/* A monomial with a positive coefficient whose variables occur in no negative one. */
static bool is_symbolic(const struct analysis *analysis, const struct poly *p)
{
    int64_t n, d;
    unsigned exponents[RING_CAPACITY];
    bool positive[RING_CAPACITY] = {false}, negative[RING_CAPACITY] = {false};
    for (size_t i = 0; i < poly_terms(p); i++) {
        if (!poly_term(p, i, &n, &d, exponents))
            return false;
        for (int v = 0; v < ring_count(analysis->ring); v++)
            *(n > 0 ? &positive[v] : &negative[v]) |= exponents[v] > 0;
    }
    for (int v = 0; v < ring_count(analysis->ring); v++)
        if (positive[v] && !negative[v])
            return true;
    return false;
}

/* p >= 0 without floors, stronger or equal; NULL if that fails. q*b <= a and a - b + 1 <= q*b. */
static const struct poly *without_floors(struct analysis *analysis, const struct context *context,
                                         const struct poly *p)
{
    for (size_t i = analysis->floors.list.count; i-- > 0;) {
        const struct floor_param *f = &analysis->floors.list.at[i];
        if (!poly_uses(p, f->variable))
            continue;
        const struct poly *rest = poly_coefficient(p, f->variable, 0);
        const struct poly *m = poly_divide_exact(poly_coefficient(p, f->variable, 1),
                                                 f->denominator);
        int direction = m ? context_direction(context, m) : 2;
        if (poly_degree(p, f->variable) > 1 || direction == 2)
            return NULL;
        const struct poly *bound = f->numerator;
        if (direction > 0)
            bound = poly_add(poly_sub(bound, f->denominator), poly_integer(analysis->ring, 1));
        p = poly_add(rest, poly_mul(m, bound));
    }
    return p;
}

/* Sizes >= 2 at which all of them hold: a condition that only degenerate sizes satisfy is none. */
static bool conditions_possible(const struct analysis *analysis, const struct context *context,
                                const struct poly *const p[2])
{
    int64_t value;
    for (size_t i = 0; i < context_points(context); i++) {
        bool holds = true;
        for (int v = 0; v < ring_count(analysis->ring); v++)
            holds &= !analysis->params[v] || !context->has_lo[v] || context->points[i][v] >= 2;
        for (int k = 0; k < 2; k++)
            holds &= !p[k] || (poly_evaluate(p[k], context->points[i], &value) && value >= 0);
        if (holds)
            return true;
    }
    return false;
}

static struct delta *delta_new(struct analysis *analysis, const struct context *context,
                               const struct access *a, const struct access *b,
                               const struct meeting_question *question)
{
    struct delta *delta = ARENA_NEW(analysis->arena, struct delta);
    delta->analysis = analysis;
    delta->context = context;
    delta->a = a;
    delta->b = b;
    delta->same_box = a->band && b->band && bands_share_threads(a->band, b->band);
    return delta_build(delta, question) ? delta : NULL;
}

bool bands_share_threads(const struct stmt *a, const struct stmt *b)
{
    if (a == b)
        return true;
    if (a->n_axes != b->n_axes || a->strided != b->strided)
        return false;
    for (int i = 0; i < a->n_axes; i++)
        if (!expr_equal(a->axes[i].extent, b->axes[i].extent))
            return false;
    return true;
}

enum relation_of iterator_relation(const struct analysis *analysis,
                                   const struct meeting_question *question, int iterator)
{
    const struct iterator *it = &analysis->iterators.at[iterator];
    for (size_t i = 0; i < question->n_loops; i++)
        if (it->stmt == question->loops[i])
            return DIFFERENT;
    switch (it->level) {
    case LEVEL_GRID: return question->grid;
    case LEVEL_OUTER: return question->outer;
    case LEVEL_THREAD: return question->thread;
    case LEVEL_SERIAL: return question->serial;
    case LEVEL_FRESH: break;
    }
    return ANY;
}

/* Refutes the meeting under the two facts; fills *condition. */
static bool refute_under(struct analysis *analysis, const struct context *context,
                         struct delta *open, const struct poly *const facts[2],
                         const struct meeting_question *question, struct sas *condition)
{
    const struct poly *one = poly_integer(analysis->ring, 1),
                      *zero = poly_integer(analysis->kernel->ring, 0);
    const struct poly *stated[2] = {NULL, NULL};
    struct context *under = context_extend(context);
    *condition = sas_empty(analysis->kernel->ring);
    for (int k = 0; k < 2; k++) {
        if (!facts[k] || context_positive(context, facts[k]))
            continue;
        if (!is_symbolic(analysis, facts[k]))
            return false;
        stated[k] = without_floors(analysis, context, poly_sub(facts[k], one));
        if (!stated[k])
            return false;
        context_fact(under, stated[k]);
        const struct poly *moved = analysis_export(analysis, stated[k]);
        if (!moved || (k == 1 && stated[0] && context_at_least(context, stated[1], stated[0])))
            continue;
        *condition = sas_add(analysis->ctx->arena, *condition,
                             constraint_make(moved, RELATION_GE, zero));
    }
    if ((!stated[0] && !stated[1]) || !conditions_possible(analysis, context, stated))
        return false;
    struct delta *delta = delta_new(analysis, under, open->a, open->b, question);
    return delta && delta_refute(delta);
}

/* The first fact whose absence left the question open, in the source's terms; *lacking is what
   should be >= 1. */
static const char *missing_fact(struct analysis *analysis, const struct delta *delta,
                                const struct poly **lacking)
{
    if (delta->a->unknown || delta->b->unknown)
        return delta->a->unknown ? delta->a->unknown : delta->b->unknown;
    for (size_t i = 0; i < delta->n_open; i++)
        for (int k = 0; k < 2; k++) {
            const struct poly *p = delta->open[i][k];
            if (!p || !is_symbolic(analysis, p) || context_positive(delta->context, p))
                continue;
            /* without casts of parameters to long */
            const struct expr *e = expr_of_poly(analysis, p, TYPE_I32);
            if (!e)
                continue;
            *lacking = p;
            return arena_printf(analysis->ctx->arena, "it is not known that %s >= 1",
                                expr_text(analysis->ctx->arena, e));
        }
    return "no fact about the parameters separates the two accesses";
}

/* Parameters of unknown sign among the coefficients and constants, taken to be >= 0; NULL if there
   are none. */
static struct context *signs_assume(struct analysis *analysis, const struct context *context,
                                    const struct access *a, const struct access *b)
{
    struct context *under = NULL;
    for (int side = 0; side < 2; side++)
        for (int d = 0; d < a->reference.array->n_dims; d++) {
            const struct form *form = (side ? b : a)->subscripts[d];
            if (form)
                for (int i = -1; i < form->n_terms; i++)
                    for (int v = 0; v < ring_count(analysis->ring); v++) {
                        const struct poly *p = i < 0 ? form->constant : form->terms[i].coefficient;
                        if (!analysis->params[v] || context->has_lo[v] || !poly_uses(p, v))
                            continue;
                        under = under ? under : context_extend(context);
                        context_bound(under, v, 0);
                    }
        }
    return under;
}

/* The assumed signs as conditions, unless the others imply them. */
static void signs_state(struct analysis *analysis, const struct context *context,
                        const struct context *assumed, struct sas *condition)
{
    const struct poly *zero = poly_integer(analysis->kernel->ring, 0);
    struct context *known = context_extend(context);
    for (size_t i = 0; i < condition->count; i++)
        context_fact(known, poly_move(analysis->ring, condition->at[i].poly));
    for (int v = 0; v < ring_count(analysis->ring); v++) {
        const struct poly *x = poly_variable(analysis->ring, v);
        if (context->has_lo[v] || !assumed->has_lo[v] || !analysis->params[v] ||
            context_nonnegative(known, x))
            continue;
        *condition = sas_add(analysis->ctx->arena, *condition,
                             constraint_make(analysis_export(analysis, x), RELATION_GE, zero));
    }
}

static bool meets_under(struct analysis *analysis, const struct context *context,
                        struct delta *open, const struct meeting_question *question,
                        struct meeting_result *result)
{
    for (size_t i = 0; i < open->n_open; i++)
        if (refute_under(analysis, open->context, open, open->open[i], question,
                         &result->condition)) {
            signs_state(analysis, context, open->context, &result->condition);
            result->meeting = MEETING_NO_UNDER;
            return true;
        }
    return false;
}

/* Adds that the reference stays in the declared extents wherever it is made. */
static void subscripts_assume(struct analysis *analysis, struct context *context,
                              const struct access *access)
{
    const struct array *array = access->reference.array;
    for (int d = 0; d < array->n_dims; d++) {
        const struct form *subscript = access->subscripts[d];
        const struct form *extent = array->dims[d] ? form_of(analysis, array->dims[d]) : NULL;
        if (!subscript)
            continue;
        const struct poly *least = form_extreme(analysis, context, access, subscript, false),
                          *most = form_extreme(analysis, context, access, subscript, true);
        if (least && extent && extent->n_terms == 0)
            context_fact(context, poly_sub(poly_sub(extent->constant, least),
                                           poly_integer(analysis->ring, 1)));
        if (most)
            context_fact(context, most);
    }
}

bool condition_possible(struct analysis *analysis, const struct context *context,
                        struct sas condition)
{
    struct context *under = context_extend(context);
    for (size_t i = 0; i < condition.count; i++) {
        const struct poly *p = poly_move(analysis->ring, condition.at[i].poly);
        const struct poly *breach = poly_sub(poly_integer(analysis->ring, -1), p);
        if (condition.at[i].relation == RELATION_GE && context_nonnegative(under, breach))
            return false;
        context_constraint(under, (struct constraint){p, condition.at[i].relation});
        context_floors(under);
    }
    return true;
}

/* The same where both references are made, within their arrays. */
static bool condition_possible_for(struct analysis *analysis, const struct context *context,
                                   const struct access *a, const struct access *b,
                                   struct sas condition)
{
    struct context *made = context_extend(context);
    subscripts_assume(analysis, made, a);
    subscripts_assume(analysis, made, b);
    return condition_possible(analysis, made, condition);
}

/* Keeps the references apart under a condition, if one does; fills *result. */
static bool meets_conditionally(struct analysis *analysis, const struct context *context,
                                struct delta *delta, const struct meeting_question *question,
                                struct meeting_result *result)
{
    const struct access *a = delta->a, *b = delta->b;
    if (delta->context != context && delta_refute(delta)) {
        result->meeting = MEETING_NO_UNDER;
        signs_state(analysis, context, delta->context, &result->condition);
    } else if (!meets_under(analysis, context, delta, question, result)) {
        return false;
    }
    return condition_possible_for(analysis, context, a, b, result->condition);
}

bool pair_refutes(struct analysis *analysis, const struct context *context,
                  const struct access *a, const struct access *b,
                  const struct meeting_question *question)
{
    struct delta *delta = delta_new(analysis, context, a, b, question);
    return delta && (delta_refute(delta) || cancel_refutes(analysis, context, a, b));
}

struct meeting_result pair_meets(struct analysis *analysis, const struct access *a,
                                 const struct access *b, const struct meeting_question *question)
{
    struct meeting_result result = {.meeting = MEETING_OPEN,
                                    .condition = sas_empty(analysis->kernel->ring),
                                    .missing = "the system is too large"};
    const struct context *context = pair_context(analysis, a, b);
    struct delta *delta = delta_new(analysis, context, a, b, question);
    if (!delta)
        return result;
    if (delta_refute(delta) || cancel_refutes(analysis, context, a, b) ||
        linear_refutes(analysis, context, a, b, question) ||
        phases_refute(analysis, context, a, b, question)) {
        result.meeting = MEETING_NO;
        return result;
    }
    struct context *assumed = signs_assume(analysis, context, a, b);
    struct delta *under = assumed ? delta_new(analysis, assumed, a, b, question) : delta;
    if (under && meets_conditionally(analysis, context, under, question, &result))
        return result;
    result.meeting = MEETING_OPEN;
    result.condition = sas_empty(analysis->kernel->ring);
    result.missing = missing_fact(analysis, under ? under : delta, &result.lacking);
    return result;
}

const char *pair_advice(struct analysis *analysis, const struct access *a, const struct access *b,
                        const struct meeting_question *question, const struct poly *lacking)
{
    struct context *known = analysis->context;
    advice_list list = advice_find(analysis, known, lacking, 1);
    const char *text = NULL;
    for (size_t i = 0; i < list.count && !text; i++) {
        analysis->context = advice_take(known, &list.at[i]);
        if (pair_meets(analysis, a, b, question).meeting == MEETING_NO)
            text = list.at[i].text;
    }
    analysis->context = known;
    return text;
}
