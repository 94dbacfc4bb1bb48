/* In: a banded kernel. Out: arrays whose elements can live in registers while loops run (Figure
   4: private_c[s]).

   All references of the array in some loop stand in one band, have one subscript, and the loop does
   not occur in it: the outermost such loop is where the element is loaded before and stored after.
   Serial loops of the thread between it and the references that do occur in the subscript number
   the private elements. If the array is written, the elements must be private to the thread: no
   other thread or block touches them at any step, be it in the loop or elsewhere, and different
   private entries are different elements.

   Load and store stand under the guard: the conditions of one reference that every other reference
   stands under too, none of which may depend on hoisted loops or on data, and the condition that
   hoisted loops are entered. So nothing is accessed that the program does not access. What else
   conditions references stays with them; the store then returns a value that was loaded. */
#include "ir/access/footprint.h"

struct promoting {
    struct analysis *analysis;
    const struct array *array;
    bool written, stored;             /* somewhere in the kernel; in the loop in question */
    VEC(const struct access *) accesses;   /* in that loop */
    size_t common;                    /* steps that all paths share */
    size_t around;                    /* the step of the loop in question */
    VEC(const struct stmt *) loops;
};

static bool subscripts_equal(const struct promoting *p)
{
    const struct access *first = p->accesses.at[0];
    for (size_t i = 0; i < p->accesses.count; i++) {
        const struct access *access = p->accesses.at[i];
        if (access->band != first->band || !access->band)
            return false;
        for (int d = 0; d < p->array->n_dims; d++)
            if (!access->subscripts[d] || !form_equal(access->subscripts[d], first->subscripts[d]))
                return false;
    }
    return true;
}

static size_t common_steps(const struct promoting *p)
{
    const struct access *first = p->accesses.at[0];
    for (size_t n = 0; n < first->n_path; n++)
        for (size_t i = 0; i < p->accesses.count; i++) {
            const struct access *access = p->accesses.at[i];
            bool same = n < access->n_path && access->path[n].iterator == first->path[n].iterator;
            if (same && first->path[n].iterator < 0)
                same = access->path[n].condition.negated == first->path[n].condition.negated &&
                       access->path[n].condition.expr && first->path[n].condition.expr &&
                       expr_equal(access->path[n].condition.expr, first->path[n].condition.expr);
            if (!same)
                return n;
        }
    return first->n_path;
}

static bool in_subscript(const struct promoting *p, int iterator)
{
    for (int d = 0; d < p->array->n_dims; d++)
        if (form_coefficient(p->accesses.at[0]->subscripts[d], iterator))
            return true;
    return false;
}

/* Uses parameters, grid and band axes only (and `loops`, if given). */
static bool expr_hoistable(const struct promoting *p, const struct expr *e, bool loops)
{
    if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL)
        return false;
    if (e->kind == EXPR_VAR && e->var->kind != VAR_PARAM) {
        bool known = false;
        const struct analysis *analysis = p->analysis;
        for (size_t i = 0; i < p->accesses.at[0]->n_path; i++) {
            int v = p->accesses.at[0]->path[i].iterator;
            if (v < 0 || analysis->iterators.at[v].var != e->var)
                continue;
            bool axis = analysis->iterators.at[v].level == LEVEL_GRID ||
                        analysis->iterators.at[v].level == LEVEL_THREAD;
            known |= i < p->around || axis || (loops && in_subscript(p, v));
        }
        return known;
    }
    for (int i = 0; i < e->n_arguments; i++)
        if (!expr_hoistable(p, e->arguments[i], loops))
            return false;
    return true;
}

/* The loops between `around` and the references; false if one of them cannot be handled. */
static bool loops_collect(struct promoting *p)
{
    const struct access *first = p->accesses.at[0];
    p->loops.count = 0;
    for (size_t i = p->around; i < p->common; i++) {
        const struct path_step *step = &first->path[i];
        if (step->iterator < 0 || !step->loop || !in_subscript(p, step->iterator))
            continue;
        if (p->analysis->iterators.at[step->iterator].level != LEVEL_SERIAL)
            return false;
        const struct stmt *loop = step->loop;
        if (!expr_hoistable(p, loop->from, false) || !expr_hoistable(p, loop->to, false) ||
            !expr_hoistable(p, loop->step, false))
            return false;
        vec_push(p->analysis->arena, &p->loops, loop);
    }
    for (size_t k = 0; k < p->accesses.count; k++)
        for (size_t i = p->common; i < p->accesses.at[k]->n_path; i++)
            if (p->accesses.at[k]->path[i].iterator >= 0 &&
                in_subscript(p, p->accesses.at[k]->path[i].iterator))
                return false;
    return true;
}

static bool accesses_private(struct promoting *p)
{
    static const struct meeting_question blocks = {DIFFERENT, ANY, ANY, ANY, 0, NULL},
                                         step = {SAME, ANY, DIFFERENT, ANY, 0, NULL};
    const struct meeting_question entries = {SAME, SAME, SAME, ANY, p->loops.count, p->loops.at};
    const struct access *a = p->accesses.at[0];
    if (!p->written)
        return true;
    if (p->loops.count && pair_meets(p->analysis, a, a, &entries).meeting != MEETING_NO)
        return false;
    for (size_t i = 0; i < p->accesses.count; i++)
        for (size_t k = 0; k < p->analysis->accesses.count; k++) {
            const struct access *x = p->accesses.at[i], *y = p->analysis->accesses.at[k];
            if (y->reference.array != p->array || !(p->stored || y->reference.is_write))
                continue;
            if (p->analysis->kernel->n_grid &&
                pair_meets(p->analysis, x, y, &blocks).meeting != MEETING_NO)
                return false;
            if (pair_meets(p->analysis, x, y, &step).meeting != MEETING_NO)
                return false;
        }
    return true;
}

static size_t conditions_count(const struct promoting *p, const struct access *access)
{
    size_t n = 0;
    for (size_t i = p->around; i < access->n_path; i++)
        n += access->path[i].iterator < 0;
    return n;
}

static bool stands_under(const struct promoting *p, const struct access *access,
                         const struct condition *condition)
{
    for (size_t i = p->around; i < access->n_path; i++) {
        const struct condition *c = &access->path[i].condition;
        if (access->path[i].iterator < 0 && c->expr && c->negated == condition->negated &&
            expr_equal(c->expr, condition->expr))
            return true;
    }
    return false;
}

static const struct expr *conjoin(struct promoting *p, const struct expr *a, const struct expr *b)
{
    return !a ? b : expr_binary(p->analysis->ctx->arena, OP_LAND, a, b);
}

/* The condition that a hoisted loop is entered, if that is not certain; false if it cannot be
   told outside. */
static bool guard_loop(struct promoting *p, const struct access *access,
                       const struct path_step *step, const struct expr **guard)
{
    struct arena *arena = p->analysis->ctx->arena;
    const struct range *range = &access->ranges[step->iterator];
    const struct form *span = range->lo && range->hi ? form_sub(p->analysis, range->hi, range->lo)
                                                     : NULL;
    const struct poly *least =
        span ? form_extreme(p->analysis, p->analysis->context, access, span, false) : NULL;
    if (!step->loop || (least && context_nonnegative(p->analysis->context, least)))
        return true;
    if (!step->from || !step->to || !expr_hoistable(p, step->from, true) ||
        !expr_hoistable(p, step->to, true))
        return false;
    enum type type = type_common(step->from->type, step->to->type);
    *guard = conjoin(p, *guard,
                     expr_binary(arena, OP_LT, expr_cast(arena, type, step->from),
                                 expr_cast(arena, type, step->to)));
    return true;
}

/* The guard of load and store; false if no reference has conditions that can be
   evaluated outside. */
static bool guard_make(struct promoting *p, struct promotion *promotion, const struct access **sure)
{
    const struct access *least = p->accesses.at[0];
    for (size_t i = 1; i < p->accesses.count; i++)
        if (conditions_count(p, p->accesses.at[i]) < conditions_count(p, least))
            least = p->accesses.at[i];
    *sure = least;
    for (size_t i = p->around; i < least->n_path; i++) {
        const struct path_step *step = &least->path[i];
        if (step->iterator >= 0) {
            if (!in_subscript(p, step->iterator) && !guard_loop(p, least, step, &promotion->guard))
                return false;
            continue;
        }
        const struct condition *c = &step->condition;
        if (!c->expr || c->kind == CONDITION_OPAQUE || !expr_hoistable(p, c->expr, true))
            return false;
        for (size_t k = 0; k < p->accesses.count; k++)
            if (!stands_under(p, p->accesses.at[k], c))
                return false;
        const struct expr *e = c->negated ? expr_unary(p->analysis->ctx->arena, OP_NOT, c->expr)
                                          : c->expr;
        promotion->guard = conjoin(p, promotion->guard, e);
    }
    return true;
}

static enum type subscript_type(const struct access *access, int d)
{
    const struct reference *r = &access->reference;
    const struct expr *e = r->load ? r->load->arguments[d] : r->store->indices[d];
    return type_bytes(e->type) > 4 || e->type == TYPE_U32 ? TYPE_I64 : TYPE_I32;
}

static bool promotion_fill(struct promoting *p, struct promotion *promotion)
{
    struct analysis *analysis = p->analysis;
    const struct access *first = p->accesses.at[0], *sure;
    const struct expr **subscript = ARENA_ARRAY(analysis->ctx->arena, const struct expr *,
                                                p->array->n_dims);
    const struct stmt **loops = ARENA_ARRAY(analysis->ctx->arena, const struct stmt *,
                                            p->loops.count + 1);
    *promotion = (struct promotion){.array = p->array, .around = first->path[p->around].loop};
    for (int d = 0; d < p->array->n_dims; d++) {
        subscript[d] = expr_of_form(analysis, first->subscripts[d], subscript_type(first, d));
        if (!subscript[d] || !expr_hoistable(p, subscript[d], true))
            return false;
    }
    for (size_t i = 0; i < p->loops.count; i++)
        loops[i] = p->loops.at[i];
    if (!guard_make(p, promotion, &sure))
        return false;
    promotion->subscript = subscript;
    promotion->n_iterators = (int)p->loops.count;
    promotion->loops = loops;
    promotion->load_first = !first->reference.is_write ||
                            conditions_count(p, first) > conditions_count(p, sure);
    for (size_t i = 0; i < p->accesses.count; i++)
        promotion->is_written |= p->accesses.at[i]->reference.is_write;
    return true;
}

/* The step of the path that enters the loop, n_path if none does. */
static size_t step_of(const struct access *access, const struct stmt *loop)
{
    size_t i = 0;
    while (i < access->n_path && access->path[i].loop != loop)
        i++;
    return i;
}

/* Promotion around one loop, if all references in it allow that. */
static bool loop_promote(struct promoting *p, const struct stmt *loop, struct promotion *promotion)
{
    p->stored = false;
    p->accesses.count = 0;
    for (size_t i = 0; i < p->analysis->accesses.count; i++) {
        const struct access *access = p->analysis->accesses.at[i];
        if (access->reference.array != p->array || step_of(access, loop) == access->n_path)
            continue;
        vec_push(p->analysis->arena, &p->accesses, access);
        p->stored |= access->reference.is_write;
    }
    if (p->accesses.count == 0 || (!p->written && p->array->cache) || !subscripts_equal(p))
        return false;
    p->common = common_steps(p);
    p->around = step_of(p->accesses.at[0], loop);
    return p->around < p->common && !in_subscript(p, p->accesses.at[0]->path[p->around].iterator) &&
           loops_collect(p) && (p->stored || !p->loops.count) && accesses_private(p) &&
           promotion_fill(p, promotion);
}

struct promotion_search {
    VEC(struct promotion) found;
    VEC(const struct stmt *) tried;   /* loops, for the array at hand */
};

static bool search_loop(struct promoting *p, const struct stmt *loop,
                        struct promotion_search *search)
{
    struct promotion promotion;
    for (size_t i = 0; i < search->tried.count; i++)
        if (search->tried.at[i] == loop)
            return false;
    vec_push(p->analysis->arena, &search->tried, loop);
    if (!loop_promote(p, loop, &promotion))
        return false;
    vec_push(p->analysis->ctx->arena, &search->found, promotion);
    return true;
}

/* Each reference in the outermost loop that allows it. */
static void array_promote(struct analysis *analysis, const struct array *array,
                          struct promotion_search *search)
{
    struct promoting p = {.analysis = analysis, .array = array};
    size_t begin = search->found.count;
    search->tried.count = 0;
    for (size_t i = 0; i < analysis->accesses.count; i++)
        p.written |= analysis->accesses.at[i]->reference.array == array &&
                     analysis->accesses.at[i]->reference.is_write;
    for (size_t i = 0; i < analysis->accesses.count; i++) {
        const struct access *access = analysis->accesses.at[i];
        bool done = access->reference.array != array;
        for (size_t k = begin; k < search->found.count && !done; k++)
            done = step_of(access, search->found.at[k].around) < access->n_path;
        for (size_t s = 0; s < access->n_path && !done; s++)
            done = access->path[s].loop && search_loop(&p, access->path[s].loop, search);
    }
}

size_t analysis_promotions(struct analysis *analysis, const struct promotion **promotions)
{
    struct promotion_search search = {0};
    analysis_assume(analysis);
    for (int i = 0; i < analysis->kernel->n_arrays; i++)
        if (analysis->kernel->arrays[i]->space == SPACE_GLOBAL)
            array_promote(analysis, analysis->kernel->arrays[i], &search);
    *promotions = search.found.at;
    return search.found.count;
}

size_t access_promotions(struct ctx *ctx, const struct kernel *kernel,
                         const struct promotion **promotions)
{
    struct analysis *analysis = analysis_new(ctx, kernel);
    size_t n = analysis_promotions(analysis, promotions);
    analysis_free(analysis);
    return n;
}
