/* In: a kernel and an axis of its grid. Out: what some consecutive blocks of this axis touch of
   each array, as bounds in one dimension that are linear in the number of the first and the last
   block (rows.h), or why launches are not cut there.

   Subscripts are bounded over all iterators but the axis (limits.c, form.c): if g occurs with a
   coefficient c >= 1, blocks f .. t - 1 touch c*f + lo .. c*(t - 1) + hi. References of one array
   whose conditions on parameters do not exclude each other share a row: least lo, greatest hi, as
   far as it can be told which it is. Writes have to keep apart: hi - lo < c. Then a part gets all
   from c*f + lo up to where the next part begins, so that parts fit together. Whether all of that
   is written is not asked here: a row is exact where the launch overwrites the whole array
   (overwrite.c), since no other part could have written its elements. Where blocks do not keep
   apart, but do nothing to the array than add up in it, by atomic operations with one result in
   every order, each part may have a copy of it. */
#include "ir/access/rows.h"
#include "ir/access/delta.h"
#include "ir/access/footprint.h"
#include "ir/reduce.h"

/* --- references that share a row -------------------------------------------------------------- */

struct row_group {
    const struct array *array;
    bool is_write, is_mixed;          /* mixed: its references have different conditions */
    const struct expr *condition;
    VEC(const struct access *) members;
};

/* The context of a reference, valid until a fact or a floor is added to the analysis. */
struct own_context {
    const struct access *access;      /* the first with these facts */
    const struct context *context;
    size_t n_facts, n_floors;
};

struct rows_making {
    struct analysis *analysis;
    int iterator;                     /* of the axis */
    bool *over;                       /* by iterator: all others */
    VEC(struct row_group *) groups;
    VEC(struct own_context) contexts;
    VEC(struct part_row) rows;
    const char *refusal;
};

/* The conditions on parameters alone, in the order of the path. */
static const struct expr *params_condition(struct analysis *analysis, const struct access *access)
{
    struct arena *arena = analysis->ctx->arena;
    const struct expr *all = NULL;
    for (size_t i = 0; i < access->n_path; i++) {
        const struct condition *c = &access->path[i].condition;
        if (access->path[i].iterator >= 0 || c->kind != CONDITION_PARAMS || !c->expr)
            continue;
        all = expr_join(arena, OP_LAND, all,
                        c->negated ? expr_unary(arena, OP_NOT, c->expr) : c->expr);
    }
    return all;
}

static bool same_condition(const struct expr *a, const struct expr *b)
{
    return a && b ? expr_equal(a, b) : a == b;
}

static bool group_meets(struct analysis *analysis, const struct row_group *group,
                        const struct access *access)
{
    bool meets = false;
    for (size_t i = 0; i < group->members.count && !meets; i++)
        meets = pair_compatible(analysis, group->members.at[i], access, false);
    return meets;
}

static void group_join(struct analysis *analysis, struct row_group *group,
                       const struct row_group *other)
{
    group->is_mixed |= other->is_mixed || !same_condition(group->condition, other->condition);
    for (size_t i = 0; i < other->members.count; i++)
        vec_push(analysis->arena, &group->members, other->members.at[i]);
}

/* The reference begins a group, which takes in all groups of the array with which it may be made
   in one launch. */
static void group_add(struct rows_making *making, const struct access *access)
{
    struct analysis *analysis = making->analysis;
    struct row_group *fresh = ARENA_NEW(analysis->arena, struct row_group);
    size_t kept = 0;
    fresh->array = access->reference.array;
    fresh->is_write = access->reference.is_write;
    fresh->condition = params_condition(analysis, access);
    vec_push(analysis->arena, &fresh->members, access);
    for (size_t i = 0; i < making->groups.count; i++) {
        struct row_group *group = making->groups.at[i];
        bool joins = group->array == fresh->array && group->is_write == fresh->is_write &&
                     (same_condition(group->condition, fresh->condition) ||
                      group_meets(analysis, group, access));
        if (joins)
            group_join(analysis, fresh, group);
        else
            making->groups.at[kept++] = group;
    }
    making->groups.count = kept;
    vec_push(analysis->arena, &making->groups, fresh);
}

/* --- bounds ----------------------------------------------------------------------------------- */

/* One side of a dimension: the greatest subscript, or its negative's. */
struct row_side {
    const struct poly *follows;       /* of block g: step*g + this; NULL = not known */
    const struct poly *ever;          /* of all blocks; NULL = not known */
};

/* b, or a if that is known to be no greater. */
static const struct poly *lower_poly(struct analysis *analysis, const struct poly *a,
                                     const struct poly *b)
{
    return a && context_at_least(analysis->context, b, a) ? a : b;
}

static void side_take(struct rows_making *making, const struct context *context,
                      const struct access *access, const struct form *bound,
                      const struct poly *step, struct row_side *side)
{
    struct analysis *analysis = making->analysis;
    const struct poly *c = form_coefficient(bound, making->iterator);
    const struct poly *ever = form_extreme(analysis, context, access, bound, true);
    if (ever)
        side->ever = lower_poly(analysis, side->ever, ever);
    if (c && bound->n_terms == 1 && poly_equal(c, step))
        side->follows = lower_poly(analysis, side->follows, bound->constant);
}

/* Do both references have the same facts? */
static bool same_facts(const struct access *a, const struct access *b)
{
    bool same = a->n_facts == b->n_facts;
    for (size_t i = 0; i < a->n_facts && same; i++)
        same = poly_equal(a->facts[i], b->facts[i]);
    return same;
}

/* pair_context of a reference with itself, made once: each dimension asks for it twice, and
   references under the same conditions share it. */
static const struct context *own_context(struct rows_making *making, const struct access *access)
{
    struct analysis *analysis = making->analysis;
    struct own_context own = {.access = access,
                              .n_facts = analysis->context->facts.count,
                              .n_floors = analysis->floors.list.count};
    for (size_t i = 0; i < making->contexts.count; i++) {
        const struct own_context *known = &making->contexts.at[i];
        if (known->n_facts == own.n_facts && known->n_floors == own.n_floors &&
            same_facts(known->access, access))
            return known->context;
    }
    own.context = pair_context(analysis, access, access);
    vec_push(analysis->arena, &making->contexts, own);
    return own.context;
}

/* The greatest values of a subscript, in which g has this coefficient. */
static struct row_side side_find(struct rows_making *making, const struct access *access,
                                 const struct form *subscript, const struct poly *step)
{
    struct analysis *analysis = making->analysis;
    const struct context *context = own_context(making, access);
    const struct form *plain = form_bound(analysis, context, NULL, subscript, true, making->over);
    struct form_list found = {0};
    struct row_side side = {NULL, NULL};
    if (plain)
        side_take(making, context, access, plain, step, &side);
    form_bounds(analysis, context, access, subscript, making->over, &found);
    for (size_t i = 0; i < found.forms.count; i++)
        side_take(making, context, access, found.forms.at[i], step, &side);
    return side;
}

/* The greater; NULL if one is missing or that cannot be told. */
static const struct poly *greater_poly(struct analysis *analysis, const struct poly *a,
                                       const struct poly *b)
{
    if (a && b && context_at_least(analysis->context, a, b))
        return a;
    return a && b && context_at_least(analysis->context, b, a) ? b : NULL;
}

/* The bounds of a group in one dimension. */
struct row_bounds {
    const struct poly *step;
    struct row_side hi, lo;           /* lo: of the negative subscripts */
};

static struct row_side side_join(struct analysis *analysis, struct row_side a, struct row_side b)
{
    return (struct row_side){greater_poly(analysis, a.follows, b.follows),
                             greater_poly(analysis, a.ever, b.ever)};
}

/* A vector copy touches so many elements beyond the first. */
static int64_t elements_beyond(const struct access *access, int d)
{
    return access->vector && d == access->reference.array->n_dims - 1 ? access->vector->width - 1
                                                                      : 0;
}

/* The coefficient of g in a subscript, where loops that begin with g (the points of a block that
   sums up) count from there; NULL if g does not occur. */
static const struct poly *subscript_step(struct rows_making *making, const struct access *access,
                                         const struct form *subscript)
{
    struct analysis *analysis = making->analysis;
    const struct form *expanded = subscript;
    for (int i = subscript->n_terms - 1; i >= 0; i--) {
        const struct form_term *term = &subscript->terms[i];
        const struct form *lo = term->iterator < access->n_ranges
                                    ? access->ranges[term->iterator].lo : NULL;
        if (term->iterator != making->iterator && lo && form_coefficient(lo, making->iterator))
            expanded = form_add(analysis, expanded, form_scale(analysis, lo, term->coefficient));
    }
    return form_coefficient(expanded, making->iterator);
}

/* The coefficient of g in the subscripts of all references; NULL if these differ or may be
   less than 1. */
static const struct poly *common_step(struct rows_making *making, const struct row_group *group,
                                      int d)
{
    const struct poly *step = NULL;
    for (size_t i = 0; i < group->members.count; i++) {
        const struct access *access = group->members.at[i];
        const struct form *subscript = access->subscripts[d];
        const struct poly *c = subscript ? subscript_step(making, access, subscript) : NULL;
        if (!c || (step && !poly_equal(c, step)))
            return NULL;
        step = c;
    }
    return step && context_positive(making->analysis->context, step) ? step : NULL;
}

/* False if the references do not move alike along the dimension, or are not bounded there. */
static bool bounds_find(struct rows_making *making, const struct row_group *group, int d,
                        struct row_bounds *bounds)
{
    struct analysis *analysis = making->analysis;
    const struct poly *c = bounds->step = common_step(making, group, d);
    bool is_bounded = c != NULL;
    for (size_t i = 0; i < group->members.count && is_bounded; i++) {
        const struct access *access = group->members.at[i];
        const struct form *subscript = access->subscripts[d];
        const struct form *last = form_add(analysis, subscript,
                                           form_integer(analysis, elements_beyond(access, d)));
        const struct form *negative = form_sub(analysis, form_integer(analysis, 0), subscript);
        struct row_side hi = side_find(making, access, last, c),
                        lo = side_find(making, access, negative, poly_neg(c));
        bounds->hi = i ? side_join(analysis, bounds->hi, hi) : hi;
        bounds->lo = i ? side_join(analysis, bounds->lo, lo) : lo;
        is_bounded = bounds->hi.follows && bounds->lo.follows;
    }
    return is_bounded;
}

/* --- rows ------------------------------------------------------------------------------------- */

static const struct poly *poly_plus(const struct poly *p, int64_t n)
{
    return poly_add(p, poly_integer(poly_ring(p), n));
}

/* The subscript that all references of the group have in the dimension; NULL if they differ or
   move. */
static const struct expr *outer_subscript(struct analysis *analysis, const struct row_group *group,
                                          int d)
{
    const struct form *first = group->members.at[0]->subscripts[d];
    for (size_t i = 0; i < group->members.count; i++) {
        const struct form *subscript = group->members.at[i]->subscripts[d];
        if (!first || !subscript || first->n_terms || !form_equal(first, subscript))
            return NULL;
    }
    return expr_of_poly(analysis, first->constant, TYPE_I64);
}

/* NULL if p is. */
static const struct expr *bound_expr(struct analysis *analysis, const struct poly *p)
{
    return p ? expr_of_poly(analysis, p, TYPE_I64) : NULL;
}

/* The runtime cuts launches only where steps are at least 1 (runtime/cut.c): so a step that is a
   multiple of one number of the launch, and of no other one, asks for this number. */
static void step_asks(struct analysis *analysis, const struct poly *step)
{
    const struct poly *rest = step;
    struct launched_number *asked = NULL;
    for (size_t i = 0; i < analysis->launched.count; i++) {
        struct launched_number *number = &analysis->launched.at[i];
        const struct poly *variable = poly_variable(analysis->ring, number->variable);
        const struct poly *quotient = poly_divide_exact(step, variable);
        if (quotient && !asked) {
            asked = number;
            rest = quotient;
        }
    }
    for (size_t i = 0; i < analysis->launched.count && asked; i++)
        if (poly_uses(rest, analysis->launched.at[i].variable))
            asked = NULL;
    if (asked && context_positive(analysis->plain, rest))
        asked->is_asked = true;
}

/* False if the bounds cannot be written. */
static bool row_bound(struct analysis *analysis, const struct row_group *group, int d,
                      const struct row_bounds *b, struct part_row *row)
{
    const struct poly *from = poly_neg(b->lo.follows);
    const struct poly *to = row->is_write ? from : poly_plus(poly_sub(b->hi.follows, b->step), 1);
    const struct expr **outer = ARENA_ARRAY(analysis->ctx->arena, const struct expr *, d + 1);
    for (int e = 0; e < d; e++)
        outer[e] = outer_subscript(analysis, group, e);
    step_asks(analysis, b->step);
    row->dimension = d;
    row->outer = outer;
    row->step = bound_expr(analysis, b->step);
    row->from = bound_expr(analysis, from);
    row->to = bound_expr(analysis, to);
    row->least = bound_expr(analysis, b->lo.ever ? poly_neg(b->lo.ever) : NULL);
    row->most = bound_expr(analysis, b->hi.ever);
    return row->step && row->from && row->to;
}

static void row_judge(struct analysis *analysis, struct part_row *row)
{
    struct overwriting overwriting = analysis_covered(analysis, row->array);
    row->is_exact = overwriting.is_shown;
    row->n_exact = overwriting.n_conditions;
    row->exact = overwriting.conditions;
}

/* Subscripts that one block touches, from the least to the greatest. */
static const struct poly *span_of(const struct row_bounds *bounds)
{
    return poly_plus(poly_add(bounds->hi.follows, bounds->lo.follows), 1);
}

/* Why no dimension keeps the writes of blocks apart. */
static const char *overlap_text(struct rows_making *making, const struct row_group *group)
{
    struct analysis *analysis = making->analysis;
    struct str text = str_new(analysis->ctx->arena);
    struct row_bounds bounds = {0};
    int d = 0;
    while (d < group->array->n_dims && !bounds_find(making, group, d, &bounds))
        d++;
    str_addf(&text, "%s: ", group->array->name);
    if (d == group->array->n_dims) {
        str_add(&text, "no subscript of what is written grows with the axis alike in all stores, "
                       "within bounds that are known");
        return text.text;
    }
    const struct expr *span = bound_expr(analysis, span_of(&bounds)),
                      *step = bound_expr(analysis, bounds.step);
    str_addf(&text, "blocks may write the same elements: in dimension %d each writes ", d);
    if (span && step) {
        str_add(&text, access_part_text(analysis->ctx->arena, span));
        str_add(&text, " subscripts, and the next begins ");
        str_add(&text, access_part_text(analysis->ctx->arena, step));
        str_add(&text, " further");
    } else {
        str_add(&text, "more subscripts than the next begins further");
    }
    return text.text;
}

static const char *write_refused(struct rows_making *making, const struct row_group *group)
{
    const struct stmt *store = group->members.at[0]->reference.store;
    if (store && store->reduction)
        return arena_printf(making->analysis->ctx->arena,
                            "%s: blocks add up in the same elements", group->array->name);
    for (size_t i = 0; i < group->members.count; i++)
        for (int d = 0; d < group->array->n_dims; d++)
            if (!group->members.at[i]->subscripts[d])
                return arena_printf(making->analysis->ctx->arena,
                                    "%s: a subscript of what is written is not affine",
                                    group->array->name);
    return overlap_text(making, group);
}

/* The operator by which all references of the group add up; NONE: one does something else, or the
   result depends on the order. */
static enum reduce_op group_reduction(const struct row_group *group)
{
    enum reduce_op common = REDUCE_NONE;
    for (size_t i = 0; i < group->members.count; i++) {
        const struct stmt *store = group->members.at[i]->reference.store;
        enum reduce_op own = store ? store->reduction : REDUCE_NONE;
        if (own == REDUCE_NONE || (common != REDUCE_NONE && own != common))
            return REDUCE_NONE;
        common = own;
    }
    return reduction_is_atomic(common, group->array->element) ? common : REDUCE_NONE;
}

static bool array_is_read(const struct rows_making *making, const struct array *array)
{
    bool is_read = false;
    for (size_t i = 0; i < making->groups.count && !is_read; i++)
        is_read = making->groups.at[i]->array == array && !making->groups.at[i]->is_write;
    return is_read;
}

/* A row of writes that are not kept apart. False, with a reason, if parts cannot have them. */
static bool row_accumulate(struct rows_making *making, const struct row_group *group,
                           struct part_row *row)
{
    row->reduction = group_reduction(group);
    if (row->reduction && array_is_read(making, group->array))
        making->refusal = arena_printf(making->analysis->ctx->arena,
                                       "%s: blocks add up in elements that are read, too",
                                       group->array->name);
    else if (!row->reduction)
        making->refusal = write_refused(making, group);
    return !making->refusal;
}

static bool keeps_apart(struct analysis *analysis, const struct row_bounds *bounds)
{
    return context_at_least(analysis->context, bounds->step, span_of(bounds));
}

static void row_make(struct rows_making *making, const struct row_group *group)
{
    struct analysis *analysis = making->analysis;
    struct part_row row = {.array = group->array, .is_write = group->is_write, .dimension = -1};
    bool is_found = false;
    row.condition = group->is_mixed ? NULL : group->condition;
    for (int d = 0; d < group->array->n_dims && !is_found; d++) {
        struct row_bounds bounds = {0};
        is_found = bounds_find(making, group, d, &bounds) &&
                   (!row.is_write || keeps_apart(analysis, &bounds)) &&
                   row_bound(analysis, group, d, &bounds, &row);
    }
    if (!is_found)
        row.dimension = -1;
    if (!is_found && row.is_write && !row_accumulate(making, group, &row))
        return;
    if (row.is_write && !row.reduction)
        row_judge(analysis, &row);
    vec_push(analysis->ctx->arena, &making->rows, row);
}

/* --- an axis ---------------------------------------------------------------------------------- */

static const char *axis_refused(const struct kernel *kernel, int axis)
{
    int64_t extent;
    if (axis < 0 || axis >= kernel->n_grid)
        return "the launch has no such axis";
    if (expr_get_integer(kernel->grid[axis].extent, &extent) && extent <= 1)
        return "the axis has one block";
    if (stmt_has_end(kernel->body))
        return "its last block adds up what the others leave";
    return NULL;
}

static void groups_make(struct rows_making *making)
{
    struct analysis *analysis = making->analysis;
    for (size_t i = 0; i < analysis->accesses.count; i++)
        group_add(making, analysis->accesses.at[i]);
}

/* Writes may refuse the axis. */
static void rows_make(struct rows_making *making, bool is_write)
{
    for (size_t i = 0; i < making->groups.count && !making->refusal; i++)
        if (making->groups.at[i]->is_write == is_write)
            row_make(making, making->groups.at[i]);
}

/* The condition under which the source may be launched, which the dispatcher checks. That of a
   leaf's kernel is the same, and needs no proof of its own. */
static void source_assume(struct analysis *analysis, const struct kernel *source)
{
    struct legality legality = access_parallel(analysis->ctx, source);
    analysis->assumed = true;
    analysis->verdict = legality.verdict;
    if (legality.verdict != ACCESS_PROVED_UNDER)
        return;
    for (size_t i = 0; i < legality.condition.count; i++) {
        struct constraint c = legality.condition.at[i];
        const struct poly *p = poly_move(analysis->ring, c.poly);
        if (p)
            context_constraint(analysis->context, (struct constraint){p, c.relation});
    }
    context_floors(analysis->context);
}

/* Has the kernel sums whose parts go to partial arrays? */
static bool has_parts(const struct kernel *kernel)
{
    bool has = false;
    for (int i = 0; i < kernel->n_arrays; i++)
        has = has || kernel->arrays[i]->is_partial;
    return has;
}

static void making_begin(struct rows_making *making, int axis)
{
    struct analysis *analysis = making->analysis;
    size_t n = analysis->iterators.count;
    making->over = ARENA_ARRAY(analysis->arena, bool, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct iterator *it = &analysis->iterators.at[i];
        making->over[i] = it->level != LEVEL_GRID || it->axis != axis;
        if (!making->over[i])
            making->iterator = (int)i;
    }
}

/* Is every number that was taken to be at least 1 so where the steps of the rows are, which is
   asked at each launch (runtime/cut.c)? */
static bool numbers_are_asked(const struct analysis *analysis)
{
    bool are_asked = true;
    for (size_t i = 0; i < analysis->launched.count; i++) {
        const struct launched_number *number = &analysis->launched.at[i];
        are_asked = are_asked && (number->is_asked || !number->is_assumed);
    }
    return are_asked;
}

/* False if the rows rest on something that nobody asks. */
static bool rows_find(const struct kernel *source, struct analysis *analysis,
                      struct part_rows *rows)
{
    struct rows_making making = {.analysis = analysis};
    making_begin(&making, rows->axis);
    source_assume(analysis, source);
    groups_make(&making);
    rows_make(&making, true);
    rows_make(&making, false);
    bool are_asked = numbers_are_asked(analysis);
    rows->refusal = making.refusal;
    rows->count = making.refusal ? 0 : making.rows.count;
    rows->at = making.rows.at;
    analysis_free(analysis);
    return are_asked;
}

struct part_rows access_rows(struct ctx *ctx, const struct kernel *kernel,
                             const struct kernel *source, int axis)
{
    struct part_rows rows = {.axis = axis, .refusal = axis_refused(kernel, axis)};
    if (rows.refusal)
        return rows;
    if (!has_parts(kernel) || !rows_find(source, analysis_new_launched(ctx, kernel), &rows))
        rows_find(source, analysis_new(ctx, kernel), &rows);
    return rows;
}
