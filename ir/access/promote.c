/* In: a banded kernel. Out: arrays whose elements can live in registers while loops run (Figure
   4: private_c[s]).

   References of the array in some loop stand in one band, have one subscript, and the loop does not
   occur in it: the outermost such loop is where the element is loaded before and stored after. They
   are all that the loop has of the array, or those with the subscript of its stores; then the
   others must never meet them in the thread (a factorization updates A[i][j] by A[i][k], k < j).
   Serial loops of the thread between it and the references that do occur in the subscript number
   the private elements. If the array is written, the elements must be private to the thread: no
   other thread or block touches them at any step, be it in the loop or elsewhere, and different
   private entries are different elements.

   Load and store stand under the guard: those conditions of one reference that every other
   reference stands under too and that can be told outside, that is without hoisted loops and
   without data, and the condition that hoisted loops are entered. If these are all of its
   conditions, nothing is accessed that the program does not access. Else load and store may be
   made where the program touches nothing, and return the value that was there: so the elements
   have to be private as far as the guard alone goes (the cover), and to exist: the subscripts are
   proved to lie in the array, or the reference to be made in the first round of all hoisted loops.
   What is only written is not promoted then: it would have to be read. */
#include "ir/access/footprint.h"

struct promoting {
    struct analysis *analysis;
    const struct array *array;
    bool written, stored;             /* somewhere in the kernel; in the loop in question */
    VEC(const struct access *) accesses;   /* in that loop, those that become private */
    VEC(const struct access *) others;     /* in that loop, the rest */
    size_t common;                    /* steps that all paths share */
    size_t around;                    /* the step of the loop in question */
    VEC(const struct stmt *) loops;
};

/* The step of the path that enters the loop, n_path if none does. */
static size_t step_of(const struct access *access, const struct stmt *loop)
{
    size_t i = 0;
    while (i < access->n_path && access->path[i].loop != loop)
        i++;
    return i;
}

static bool subscripts_equal(const struct promoting *p, const struct access *a,
                             const struct access *b)
{
    if (a->band != b->band || !a->band)
        return false;
    for (int d = 0; d < p->array->n_dims; d++)
        if (!a->subscripts[d] || !b->subscripts[d] ||
            !form_equal(a->subscripts[d], b->subscripts[d]))
            return false;
    return true;
}

/* Reads the loop's references: those like its first store, or like its first load if it stores
   nothing, and the others. */
static void loop_read(struct promoting *p, const struct stmt *loop)
{
    const struct access *like = NULL;
    p->accesses.count = p->others.count = 0;
    p->stored = false;
    for (size_t i = 0; i < p->analysis->accesses.count; i++) {
        const struct access *access = p->analysis->accesses.at[i];
        if (access->reference.array != p->array || step_of(access, loop) == access->n_path)
            continue;
        bool is_store = access->reference.is_write;
        like = !like || (is_store && !p->stored) ? access : like;
        p->stored |= is_store;
        vec_push(p->analysis->arena, &p->others, access);
    }
    size_t kept = 0;
    for (size_t i = 0; i < p->others.count; i++)
        if (subscripts_equal(p, p->others.at[i], like))
            vec_push(p->analysis->arena, &p->accesses, p->others.at[i]);
        else
            p->others.at[kept++] = p->others.at[i];
    p->others.count = kept;
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

static bool is_among(const struct promoting *p, const struct access *access)
{
    bool found = false;
    for (size_t i = 0; i < p->accesses.count; i++)
        found |= p->accesses.at[i] == access;
    return found;
}

/* May the thread touch the elements by one of the loop's other references? */
static bool others_meet(struct promoting *p, const struct access *cover)
{
    static const struct meeting_question thread = {SAME, ANY, SAME, ANY, 0, NULL};
    bool meet = false;
    for (size_t i = 0; i < p->others.count && !meet; i++)
        meet = pair_meets(p->analysis, cover, p->others.at[i], &thread).meeting != MEETING_NO;
    return meet;
}

/* `cover`: executed at least wherever one of the references is. */
static bool elements_private(struct promoting *p, const struct access *cover)
{
    static const struct meeting_question blocks = {DIFFERENT, ANY, ANY, ANY, 0, NULL},
                                         step = {SAME, ANY, DIFFERENT, ANY, 0, NULL};
    const struct meeting_question entries = {SAME, SAME, SAME, ANY, p->loops.count, p->loops.at};
    if (!p->written)
        return true;
    if (others_meet(p, cover) ||
        (p->loops.count && pair_meets(p->analysis, cover, cover, &entries).meeting != MEETING_NO))
        return false;
    for (size_t k = 0; k < p->analysis->accesses.count; k++) {
        const struct access *other = p->analysis->accesses.at[k];
        if (other->reference.array != p->array || !(p->stored || other->reference.is_write))
            continue;
        if (is_among(p, other))
            other = cover;
        if (p->analysis->kernel->n_grid &&
            pair_meets(p->analysis, cover, other, &blocks).meeting != MEETING_NO)
            return false;
        if (pair_meets(p->analysis, cover, other, &step).meeting != MEETING_NO)
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

/* The loop is entered whenever it is reached. */
static bool loop_certain(struct promoting *p, const struct access *access,
                         const struct path_step *step)
{
    const struct range *range = &access->ranges[step->iterator];
    if (!step->loop)
        return true;
    if (!range->lo || !range->hi)
        return false;
    const struct form *span = form_sub(p->analysis, range->hi, range->lo);
    const struct poly *least = form_extreme(p->analysis, p->analysis->context, access, span, false);
    return least && context_nonnegative(p->analysis->context, least);
}

/* That a hoisted loop is entered, if all references stand in it and it can be told outside; else
   NULL. */
static const struct expr *loop_condition(struct promoting *p, const struct access *access, size_t i)
{
    const struct path_step *step = &access->path[i];
    if (i >= p->common || !step->from || !step->to || !expr_hoistable(p, step->from, true) ||
        !expr_hoistable(p, step->to, true))
        return NULL;
    enum type type = type_common(step->from->type, step->to->type);
    struct arena *arena = p->analysis->ctx->arena;
    return expr_binary(arena, OP_LT, expr_cast(arena, type, step->from),
                       expr_cast(arena, type, step->to));
}

/* A condition of one reference, if all others stand under it and it can be told outside;
   else NULL. */
static const struct expr *shared_condition(struct promoting *p, const struct condition *c)
{
    if (!c->expr || c->kind == CONDITION_OPAQUE || !expr_hoistable(p, c->expr, true))
        return NULL;
    for (size_t k = 0; k < p->accesses.count; k++)
        if (!stands_under(p, p->accesses.at[k], c))
            return NULL;
    return c->negated ? expr_unary(p->analysis->ctx->arena, OP_NOT, c->expr) : c->expr;
}

/* The reference with the fewest conditions in the loop. */
static const struct access *access_surest(const struct promoting *p)
{
    const struct access *least = p->accesses.at[0];
    for (size_t i = 1; i < p->accesses.count; i++)
        if (conditions_count(p, p->accesses.at[i]) < conditions_count(p, least))
            least = p->accesses.at[i];
    return least;
}

/* Where load and store stand: the guard, the reference that it is taken from, and the cover, which
   is that reference under the guard alone. */
struct stand {
    const struct expr *guard;         /* NULL: none */
    const struct access *sure, *cover;
    bool *dropped;                    /* by step of sure's path: not told by the guard */
    bool drops;                       /* there is one */
};

static struct stand stand_make(struct promoting *p)
{
    struct stand stand = {.sure = access_surest(p)};
    const struct access *sure = stand.sure;
    stand.dropped = ARENA_ARRAY(p->analysis->arena, bool, sure->n_path + 1);
    for (size_t i = p->around; i < sure->n_path; i++) {
        const struct path_step *step = &sure->path[i];
        bool is_loop = step->iterator >= 0;
        if (is_loop && (in_subscript(p, step->iterator) || loop_certain(p, sure, step)))
            continue;
        const struct expr *told = is_loop ? loop_condition(p, sure, i)
                                          : shared_condition(p, &step->condition);
        stand.dropped[i] = !told;
        stand.drops |= !told;
        if (told)
            stand.guard = conjoin(p, stand.guard, told);
    }
    stand.cover = stand.drops ? access_cover(p->analysis, sure, stand.dropped) : sure;
    return stand;
}

/* A form with the iterators of the dropped and of the hoisted loops at their first values; NULL if
   one has none. */
static const struct form *form_first_round(struct promoting *p, const struct stand *stand,
                                           const struct form *a)
{
    struct analysis *analysis = p->analysis;
    for (size_t i = stand->sure->n_path; i-- > p->around;) {
        int v = stand->sure->path[i].iterator;
        const struct poly *c = v >= 0 ? form_coefficient(a, v) : NULL;
        if (!c || !stand->sure->path[i].loop || in_subscript(p, v))
            continue;
        const struct form *first = analysis->iterators.at[v].range.lo;
        if (!first)
            return NULL;
        const struct form *change = form_sub(analysis, first, form_iterator(analysis, v));
        a = form_add(analysis, a, form_scale(analysis, change, c));
    }
    return a;
}

/* Is the reference made in the first round of all loops wherever the cover is? */
static bool first_round_made(struct promoting *p, const struct stand *stand)
{
    struct analysis *analysis = p->analysis;
    for (size_t i = p->around; i < stand->sure->n_path; i++) {
        const struct path_step *step = &stand->sure->path[i];
        const struct guards *guards = &step->condition.guards;
        if (!stand->dropped[i])
            continue;
        if (step->iterator >= 0) {
            const struct range *range = &analysis->iterators.at[step->iterator].range;
            const struct form *span = range->lo && range->hi
                                          ? form_sub(analysis, range->hi, range->lo)
                                          : NULL;
            const struct form *first = span ? form_first_round(p, stand, span) : NULL;
            if (!first || !form_holds(analysis, stand->cover, first))
                return false;
            continue;
        }
        if (!step->condition.affine)
            return false;
        for (size_t k = 0; k < guards->forms.count; k++) {
            const struct form *first = form_first_round(p, stand, guards->forms.at[k]);
            if (!first || !form_holds(analysis, stand->cover, first))
                return false;
        }
        for (size_t k = 0; k < guards->facts.count; k++)
            if (!context_nonnegative(analysis->context, guards->facts.at[k]))
                return false;
    }
    return true;
}

static bool is_loaded(const struct promoting *p)
{
    bool loaded = false;
    for (size_t i = 0; i < p->accesses.count; i++)
        loaded |= !p->accesses.at[i]->reference.is_write;
    return loaded;
}

/* May load and store stand under the guard? */
static bool stand_possible(struct promoting *p, const struct stand *stand)
{
    if (stand->drops && !is_loaded(p))
        return false;
    if (!elements_private(p, stand->cover))
        return false;
    return !stand->drops || access_stays_inside(p->analysis, stand->cover) ||
           first_round_made(p, stand);
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
    const struct access *first = p->accesses.at[0];
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
    struct stand stand = stand_make(p);
    if (!stand_possible(p, &stand))
        return false;
    promotion->guard = stand.guard;
    promotion->subscript = subscript;
    promotion->n_iterators = (int)p->loops.count;
    promotion->loops = loops;
    promotion->load_first = !first->reference.is_write || stand.drops ||
                            conditions_count(p, first) > conditions_count(p, stand.sure);
    struct reference *references = ARENA_ARRAY(analysis->ctx->arena, struct reference,
                                               p->accesses.count);
    for (size_t i = 0; i < p->accesses.count; i++) {
        references[i] = p->accesses.at[i]->reference;
        promotion->is_written |= references[i].is_write;
    }
    promotion->references = references;
    promotion->n_references = p->accesses.count;
    return true;
}

bool promotion_has(const struct promotion *promotion, const struct expr *load,
                   const struct stmt *store)
{
    bool found = false;
    for (size_t i = 0; i < promotion->n_references; i++)
        found |= promotion->references[i].load == load && promotion->references[i].store == store;
    return found;
}

/* Promotion around one loop, if all references in it allow that. */
static bool loop_promote(struct promoting *p, const struct stmt *loop, struct promotion *promotion)
{
    loop_read(p, loop);
    if (p->accesses.count == 0 || (!p->written && p->array->cache) ||
        (p->others.count && !p->stored))
        return false;
    p->common = common_steps(p);
    p->around = step_of(p->accesses.at[0], loop);
    return p->around < p->common && !in_subscript(p, p->accesses.at[0]->path[p->around].iterator) &&
           loops_collect(p) && (p->stored || !p->loops.count) &&
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
    if (stmt_accumulates_in(analysis->kernel->body, array))
        return;
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

/* Are there as many private elements as the text says, whatever the parameters? */
static bool promotion_is_literal(const struct promotion *promotion)
{
    int64_t value;
    for (int i = 0; i < promotion->n_iterators; i++) {
        const struct stmt *loop = promotion->loops[i];
        if (!expr_get_integer(loop->from, &value) || !expr_get_integer(loop->to, &value) ||
            !expr_get_integer(loop->step, &value))
            return false;
    }
    return true;
}

bool access_is_kept(struct analysis *analysis, const struct access *access, size_t step)
{
    struct promotion_search search = {0};
    array_promote(analysis, access->reference.array, &search);
    for (size_t i = 0; i < search.found.count; i++)
        if (step_of(access, search.found.at[i].around) <= step &&
            promotion_has(&search.found.at[i], access->reference.load, access->reference.store) &&
            promotion_is_literal(&search.found.at[i]))
            return true;
    return false;
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
