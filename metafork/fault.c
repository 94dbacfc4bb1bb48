/* Faults that the text alone proves: subscripts that leave an array, locals that are read and have
   no value.

   In: a region's kernel as lowered. Out: errors, and nothing else. A subscript is refused where it
   is affine in variables whose ranges are literal, independent of each other, and where no
   condition stands around it: then its least and its greatest value are attained. A local is
   refused where it is never given a value, or is read unconditionally before the first statement
   that gives it one. What depends on parameters is left to `treefork verify`. */
#include "metafork/lower.h"
#include <string.h>

enum { TERMS_MAX = 16 };

struct iterator_range {
    const struct var *var;
    int64_t lo, hi;
};

struct fault_search {
    struct lower *l;
    VEC(struct iterator_range)
    ranges;            /* iterators around the current place; lo > hi: not literal */
    struct map *given; /* locals and private arrays that a statement so far gives a value */
    struct map *ever;  /* those that any statement gives one */
    struct map *empty; /* locals declared without a value, private arrays */
    struct map *reported;
    int conditional; /* conditions around the current place */
};

/* constant + sum of factor * (its variable) */
struct affine_sum {
    int64_t constant;
    int n_terms;
    struct {
        const struct var *var;
        int64_t factor;
    } terms[TERMS_MAX];
};

static bool sum_term(struct affine_sum *sum, const struct var *var, int64_t factor)
{
    int i = 0;
    while (i < sum->n_terms && sum->terms[i].var != var)
        i++;
    if (i == TERMS_MAX)
        return false;
    if (i == sum->n_terms) {
        sum->terms[i].var = var;
        sum->terms[i].factor = 0;
        sum->n_terms++;
    }
    return !__builtin_add_overflow(sum->terms[i].factor, factor, &sum->terms[i].factor);
}

/* Does the conversion keep every value? */
static bool is_widening(const struct expr *cast)
{
    enum type from = cast->arguments[0]->type;
    return !type_is_floating(from) && type_is_signed(from) &&
           type_bytes(cast->type) >= type_bytes(from);
}

/* Adds factor * e; false if e is not affine or may wrap. */
static bool sum_add(struct affine_sum *sum, const struct expr *e, int64_t factor)
{
    int64_t value;
    if (type_is_floating(e->type) || !type_is_signed(e->type))
        return false;
    if (expr_get_integer(e, &value))
        return !__builtin_mul_overflow(value, factor, &value) &&
               !__builtin_add_overflow(sum->constant, value, &sum->constant);
    if (e->kind == EXPR_VAR)
        return sum_term(sum, e->var, factor);
    if (e->kind == EXPR_CAST && is_widening(e))
        return sum_add(sum, e->arguments[0], factor);
    if (e->kind == EXPR_UNARY && e->op == OP_NEG)
        return sum_add(sum, e->arguments[0], -factor);
    if (e->kind != EXPR_BINARY)
        return false;
    if (e->op == OP_ADD)
        return sum_add(sum, e->arguments[0], factor) && sum_add(sum, e->arguments[1], factor);
    if (e->op == OP_SUB)
        return sum_add(sum, e->arguments[0], factor) && sum_add(sum, e->arguments[1], -factor);
    if (e->op != OP_MUL)
        return false;
    for (int i = 0; i < 2; i++)
        if (expr_get_integer(e->arguments[i], &value))
            return !__builtin_mul_overflow(value, factor, &value) &&
                   sum_add(sum, e->arguments[1 - i], value);
    return false;
}

static const struct iterator_range *range_of(const struct fault_search *search,
                                             const struct var *var)
{
    for (size_t i = search->ranges.count; i-- > 0;)
        if (search->ranges.at[i].var == var)
            return &search->ranges.at[i];
    return NULL;
}

/* The least and the greatest value of e, both attained; false if the literals do not tell. */
static bool attained(const struct fault_search *search, const struct expr *e, int64_t *lo,
                     int64_t *hi)
{
    struct affine_sum sum = {0};
    if (!sum_add(&sum, e, 1))
        return false;
    *lo = *hi = sum.constant;
    for (int i = 0; i < sum.n_terms; i++) {
        const struct iterator_range *range = range_of(search, sum.terms[i].var);
        int64_t factor = sum.terms[i].factor, first, last;
        if (factor == 0)
            continue;
        if (!range || range->lo > range->hi ||
            __builtin_mul_overflow(factor, factor > 0 ? range->lo : range->hi, &first) ||
            __builtin_mul_overflow(factor, factor > 0 ? range->hi : range->lo, &last) ||
            __builtin_add_overflow(*lo, first, lo) || __builtin_add_overflow(*hi, last, hi))
            return false;
    }
    return *lo > INT32_MIN && *hi < INT32_MAX;
}

/* Once per array. */
static void subscripts_check(struct fault_search *search, const struct array *array,
                             const struct expr *const *indices, struct loc loc)
{
    int64_t lo, hi, extent;
    for (int i = 0; i < array->n_dims && !search->conditional; i++) {
        if (!array->dims[i] || !expr_get_integer(array->dims[i], &extent) ||
            !attained(search, indices[i], &lo, &hi) || (lo >= 0 && hi < extent) ||
            map_get_pointer(search->reported, array))
            continue;
        diag_error(search->l->ctx, loc,
                   "subscript %d of `%s` reaches %lld, which is not in 0..%lld", i + 1, array->name,
                   (long long)(hi >= extent ? hi : lo), (long long)extent - 1);
        diag_note(search->l->ctx, array->loc, "`%s` is declared here", array->name);
        map_put_pointer(search->reported, array, search);
    }
}

/* `what` is a local or a private array, just read. */
static void value_check(struct fault_search *search, const void *what, const char *name,
                        struct loc declared, struct loc read)
{
    if (!map_get_pointer(search->empty, what) || map_get_pointer(search->given, what) ||
        map_get_pointer(search->reported, what))
        return;
    if (search->conditional && map_get_pointer(search->ever, what))
        return;
    bool ever = map_get_pointer(search->ever, what) != NULL;
    diag_error(search->l->ctx, read.source ? read : declared,
               ever ? "`%s` is read before it has a value" : "`%s` is read and never has a value",
               name);
    if (read.source)
        diag_note(search->l->ctx, declared, "`%s` is declared here, without a value", name);
    map_put_pointer(search->reported, what, search);
}

static void expr_check(struct fault_search *search, const struct expr *e, struct loc loc)
{
    bool branches = e->kind == EXPR_SELECT ||
                    (e->kind == EXPR_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
    loc = e->loc.source ? e->loc : loc;
    for (int i = 0; i < e->n_arguments; i++) {
        search->conditional += branches && i > 0;
        expr_check(search, e->arguments[i], loc);
        search->conditional -= branches && i > 0;
    }
    if (e->kind == EXPR_VAR)
        value_check(search, e->var, e->var->name, e->var->loc, loc);
    if (e->kind != EXPR_LOAD)
        return;
    subscripts_check(search, e->array, e->arguments, loc);
    if (!map_get_pointer(search->ever, e->array))
        value_check(search, e->array, e->array->name, e->array->loc, loc);
}

static void range_push(struct fault_search *search, const struct var *var, const struct expr *from,
                       const struct expr *to, const struct expr *step)
{
    struct iterator_range range = {var, 0, -1};
    int64_t first = 0, end, by = 1;
    if ((!from || expr_get_integer(from, &first)) && expr_get_integer(to, &end) &&
        (!step || expr_get_integer(step, &by)) && by > 0 && end > first && first > INT32_MIN &&
        end < INT32_MAX) {
        range.lo = first;
        range.hi = first + (end - 1 - first) / by * by;
    }
    vec_push(search->l->arena, &search->ranges, range);
}

static void stmt_check(struct fault_search *search, const struct stmt *s)
{
    size_t ranges = search->ranges.count;
    const struct expr *direct[] = {s->value, s->from, s->to, s->step};
    for (size_t i = 0; i < sizeof direct / sizeof direct[0]; i++)
        if (direct[i])
            expr_check(search, direct[i], s->loc);
    if (s->kind == STMT_STORE) {
        for (int i = 0; i < s->array->n_dims; i++)
            expr_check(search, s->indices[i], s->loc);
        subscripts_check(search, s->array, s->indices, s->loc);
    }
    if ((s->kind == STMT_LET && !s->value) || s->kind == STMT_ARRAY)
        map_put_pointer(search->empty, s->kind == STMT_LET ? (const void *)s->var : s->array,
                        search);
    if (s->kind == STMT_SET)
        map_put_pointer(search->given, s->var, search);
    if (s->kind == STMT_FOR)
        range_push(search, s->var, s->from, s->to, s->step);
    for (int i = 0; i < s->n_axes; i++)
        range_push(search, s->axes[i].var, NULL, s->axes[i].extent, NULL);
    bool is_conditional = s->kind == STMT_IF || s->kind == STMT_WHILE;
    search->conditional += is_conditional;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            stmt_check(search, s->children[i]);
    search->conditional -= is_conditional;
    search->ranges.count = ranges;
}

static void values_collect(struct fault_search *search, const struct stmt *s)
{
    if (s->kind == STMT_SET)
        map_put_pointer(search->ever, s->var, search);
    if (s->kind == STMT_STORE)
        map_put_pointer(search->ever, s->array, search);
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i])
            values_collect(search, s->children[i]);
}

void faults_report(struct lower *l, const struct kernel *kernel)
{
    struct fault_search search = {.l = l,
                                  .given = map_new(l->arena),
                                  .ever = map_new(l->arena),
                                  .empty = map_new(l->arena),
                                  .reported = map_new(l->arena)};
    for (int i = 0; i < kernel->n_grid; i++)
        range_push(&search, kernel->grid[i].var, NULL, kernel->grid[i].extent, NULL);
    values_collect(&search, kernel->body);
    stmt_check(&search, kernel->body);
}
