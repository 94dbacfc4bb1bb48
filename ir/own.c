/* Sums that a thread takes over the rounds of a loop, found by their form.

   In: a loop of a band's threads. Out: what it sums, where its rounds may be taken in lanes: it
   does nothing but compute locals and add, `s = s + e`, `s = e + s - f`, `a[i] = a[i] + e` with one
   element in all rounds, or choose the greater or the less, `if (e > m) m = e`,
   `m = m > e ? m : e`, `m = fmax(m, e)`, also under conditions, beside stores to other arrays, and
   nothing else in it reads a sum. In lanes an `e` that is no number is never chosen. Lanes pay
   where a thread goes along rows, as in the product of a matrix and a vector: there compilers make
   vectors of them. Where threads that follow each other read neighbours, vectors of threads are
   better, and the order stays. Literal loops of few rounds, loops in loops, whose rounds may be
   few, and loops that read what threads along one of several axes share, by tiles, keep their
   order, too. */
#include "ir/own.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include <string.h>

enum { ROUNDS_LEAST = 64 };

struct own_search {
    struct arena *arena;
    const struct stmt *band, *loop;
    struct own_sums sums;
    bool has_row, has_column, has_shared, has_stores;
};

/* --- forms ------------------------------------------------------------------------------------ */

/* Is e what s sets? */
static bool is_sum(const struct stmt *s, const struct expr *e)
{
    if (s->kind == STMT_SET)
        return e->kind == EXPR_VAR && e->var == s->var;
    return e->kind == EXPR_LOAD && e->array == s->array &&
           exprs_equal(e->arguments, s->indices, s->array->n_dims);
}

/* Is e the sum, with others added or subtracted? *others: these; NULL if there are none. */
static bool addends_find(struct arena *arena, const struct stmt *s, const struct expr *e,
                         const struct expr **others)
{
    *others = NULL;
    if (is_sum(s, e))
        return true;
    if (e->kind != EXPR_BINARY || (e->op != OP_ADD && e->op != OP_SUB))
        return false;
    const struct expr *left = e->arguments[0], *right = e->arguments[1];
    if (addends_find(arena, s, left, others)) {
        right = e->op == OP_SUB ? expr_unary(arena, OP_NEG, right) : right;
        *others = *others ? expr_binary(arena, OP_ADD, *others, right) : right;
        return true;
    }
    if (e->op == OP_SUB || !addends_find(arena, s, right, others))
        return false;
    *others = *others ? expr_binary(arena, OP_ADD, left, *others) : left;
    return true;
}

/* May s set a sum: a local, or one element by a plain store? */
static bool may_sum(const struct stmt *s)
{
    bool stores = s->kind == STMT_STORE && !s->reduction && !s->end && !s->width;
    return (s->kind == STMT_SET || stores) && s->value;
}

/* The number chosen by `m = e > m ? e : m`, and REDUCE_MAX; by `<` REDUCE_MIN; NULL: s is not
   that. */
static const struct expr *choice_term(const struct stmt *s, enum reduce_op *reduction)
{
    const struct expr *value = s->value;
    if (value->kind != EXPR_SELECT || value->arguments[0]->kind != EXPR_BINARY)
        return NULL;
    const struct expr *test = value->arguments[0], *term = value->arguments[1];
    bool is_choice = (test->op == OP_GT || test->op == OP_LT) && is_sum(s, value->arguments[2]) &&
                     is_sum(s, test->arguments[1]) && expr_equal(test->arguments[0], term);
    *reduction = test->op == OP_GT ? REDUCE_MAX : REDUCE_MIN;
    return is_choice ? term : NULL;
}

/* The term of s, and how it is joined; NULL: s neither adds nor chooses. */
static const struct expr *term_find(struct arena *arena, const struct stmt *s,
                                    enum reduce_op *reduction)
{
    const struct expr *others;
    *reduction = REDUCE_ADD;
    if (!may_sum(s))
        return NULL;
    if (addends_find(arena, s, s->value, &others))
        return others;
    return choice_term(s, reduction);
}

const struct expr *own_sum_term(struct arena *arena, const struct stmt *s)
{
    enum reduce_op reduction;
    return term_find(arena, s, &reduction);
}

/* --- choices ---------------------------------------------------------------------------------- */

static enum reduce_op extreme_opposite(enum reduce_op reduction)
{
    if (reduction == REDUCE_NONE)
        return REDUCE_NONE;
    return reduction == REDUCE_MAX ? REDUCE_MIN : REDUCE_MAX;
}

/* Which extreme keeps e, where the condition holds, beside the sum of s: e > m, m <= e, …;
   REDUCE_NONE: the condition is no comparison of the two. */
static enum reduce_op comparison_keeps(const struct stmt *s, const struct expr *condition,
                                       const struct expr *e)
{
    if (condition->kind == EXPR_UNARY && condition->op == OP_NOT)
        return extreme_opposite(comparison_keeps(s, condition->arguments[0], e));
    if (condition->kind != EXPR_BINARY)
        return REDUCE_NONE;
    const struct expr *left = condition->arguments[0], *right = condition->arguments[1];
    bool is_less = condition->op == OP_LT || condition->op == OP_LE,
         is_greater = condition->op == OP_GT || condition->op == OP_GE,
         is_turned = is_sum(s, left) && expr_equal(right, e);
    if ((!is_less && !is_greater) || (!is_turned && !(is_sum(s, right) && expr_equal(left, e))))
        return REDUCE_NONE;
    return is_greater != is_turned ? REDUCE_MAX : REDUCE_MIN;
}

/* The number that the value of s chooses beside its sum, by a condition or a function; NULL if it
   is no choice. */
static const struct expr *chosen_find(const struct stmt *s, enum reduce_op *reduction)
{
    const struct expr *value = s->value, *const *a = value->arguments;
    if (value->kind == EXPR_SELECT && is_sum(s, a[2])) {
        *reduction = comparison_keeps(s, a[0], a[1]);
        return a[1];
    }
    if (value->kind == EXPR_SELECT && is_sum(s, a[1])) {
        *reduction = extreme_opposite(comparison_keeps(s, a[0], a[2]));
        return a[2];
    }
    bool is_max = value->kind == EXPR_CALL && strcmp(value->function, "fmax") == 0,
         is_min = value->kind == EXPR_CALL && strcmp(value->function, "fmin") == 0;
    if ((!is_max && !is_min) || is_sum(s, a[0]) == is_sum(s, a[1]))
        return NULL;
    *reduction = is_max ? REDUCE_MAX : REDUCE_MIN;
    return a[is_sum(s, a[0])];
}

/* For stmt_rewrite: the choice of an extreme, under an `if` or not, as one statement of one
   form. */
static const struct stmt *choice_make(void *state, const struct stmt *s)
{
    struct arena *arena = state;
    const struct stmt *set = s;
    if (s->kind == STMT_IF && s->n_children == 1)
        set = stmt_sole(s->children[0]);
    enum reduce_op reduction = REDUCE_NONE;
    if (!may_sum(set) || !type_is_floating(set->value->type))
        return s;
    const struct expr *chosen = set->value;
    if (s->kind == STMT_IF)
        reduction = comparison_keeps(set, s->value, chosen);
    else
        chosen = chosen_find(s, &reduction);
    if (!chosen || reduction == REDUCE_NONE)
        return s;
    const struct expr *sum = set->kind == STMT_SET
                                 ? expr_var(arena, set->var)
                                 : expr_load(arena, set->array, set->indices, set->loc);
    const struct expr *value = reduction_join(arena, reduction, sum, chosen);
    return set->kind == STMT_SET ? stmt_set(arena, set->var, value)
                                 : stmt_store(arena, set->array, set->indices, value, set->loc);
}

/* --- sums ------------------------------------------------------------------------------------- */

static bool sum_is_same(const struct stmt *a, const struct stmt *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == STMT_SET)
        return a->var == b->var;
    return a->array == b->array && exprs_equal(a->indices, b->indices, a->array->n_dims);
}

int own_sum_of(const struct own_sums *sums, const struct stmt *s)
{
    if (s->kind != STMT_SET && s->kind != STMT_STORE)
        return -1;
    for (int i = 0; i < sums->count; i++)
        if (sum_is_same(sums->at[i].first, s))
            return i;
    return -1;
}

/* --- statements ------------------------------------------------------------------------------- */

static bool expr_is_fixed(struct own_search *o, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, o->arena, root); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD || e->kind == EXPR_CALL ||
            (e->kind == EXPR_VAR && stmt_gives_value(o->loop, e->var)))
            return false;
    return true;
}

static bool element_is_fixed(struct own_search *o, const struct stmt *store)
{
    for (int i = 0; i < store->array->n_dims; i++)
        if (!expr_is_fixed(o, store->indices[i]))
            return false;
    return true;
}

/* Takes s for an addition to a sum of the loop, or the choice of an extreme; false if s is another
   statement. */
static bool addition_take(struct own_search *o, const struct stmt *s)
{
    struct own_sums *sums = &o->sums;
    enum reduce_op reduction;
    if (!term_find(o->arena, s, &reduction) || (s->kind == STMT_STORE && !element_is_fixed(o, s)))
        return false;
    int known = own_sum_of(sums, s);
    if (known >= 0)
        return sums->at[known].reduction == reduction;
    if (sums->count == OWN_SUMS_MOST)
        return false;
    sums->at[sums->count++] = (struct own_sum){s, s->value->type, reduction};
    return true;
}

/* Takes s for a store that has nothing to do with the sums. */
static bool store_take(struct own_search *o, const struct stmt *s)
{
    bool stores = s->kind == STMT_STORE && may_sum(s) && s->array->space == SPACE_GLOBAL;
    o->has_stores |= stores;
    return stores;
}

/* Does the loop's body consist of locals, conditions, sums and stores? */
static bool body_is_plain(struct own_search *o, const struct stmt *s)
{
    if (s->kind == STMT_SET || s->kind == STMT_STORE)
        return addition_take(o, s) || store_take(o, s);
    if (s->kind != STMT_SEQUENCE && s->kind != STMT_IF && (s->kind != STMT_LET || !s->value))
        return false;
    for (int i = 0; i < s->n_children; i++)
        if (s->children[i] && !body_is_plain(o, s->children[i]))
            return false;
    return true;
}

static bool reads_sum(struct own_search *o, const struct expr *root)
{
    struct expr_walk walk;
    for (const struct expr *e = expr_first(&walk, o->arena, root); e; e = expr_next(&walk))
        for (int i = 0; i < o->sums.count; i++) {
            const struct stmt *first = o->sums.at[i].first;
            if (first->kind == STMT_SET ? e->kind == EXPR_VAR && e->var == first->var
                                        : e->kind == EXPR_LOAD && e->array == first->array)
                return true;
        }
    return false;
}

/* Does the statement declare, or set otherwise, what the statement `sum` adds to? */
static bool stmt_gives_sum(const struct stmt *s, const struct stmt *sum)
{
    if (s->kind == STMT_STORE)
        return sum->kind == STMT_STORE && s->array == sum->array;
    return s->kind == STMT_LET && sum->kind == STMT_SET && s->var == sum->var;
}

/* Does the statement touch a sum but to add to it? */
static bool stmt_touches_sum(struct own_search *o, const struct stmt *s)
{
    enum reduce_op reduction;
    int sum = own_sum_of(&o->sums, s);
    if (sum >= 0) {
        const struct expr *term = term_find(o->arena, s, &reduction);
        return !term || reduction != o->sums.at[sum].reduction || reads_sum(o, term);
    }
    for (int i = 0; i < stmt_n_exprs(s); i++)
        if (reads_sum(o, stmt_expr(s, i)))
            return true;
    for (int i = 0; i < o->sums.count; i++)
        if (stmt_gives_sum(s, o->sums.at[i].first))
            return true;
    return false;
}

static bool sums_are_alone(struct own_search *o)
{
    struct stmt_walk walk;
    const struct stmt *body = o->loop->children[0];
    for (const struct stmt *s = stmt_first(&walk, o->arena, body); s; s = stmt_next(&walk))
        if (stmt_touches_sum(o, s))
            return false;
    return true;
}

/* --- rows ------------------------------------------------------------------------------------- */

/* Does e have the variable as a term? Then the two grow alike. */
static bool is_addend(const struct expr *e, const struct var *var)
{
    if (e->kind == EXPR_CAST)
        return is_addend(e->arguments[0], var);
    if (e->kind == EXPR_BINARY && e->op == OP_ADD)
        return is_addend(e->arguments[0], var) || is_addend(e->arguments[1], var);
    if (e->kind == EXPR_BINARY && e->op == OP_SUB)
        return is_addend(e->arguments[0], var);
    return e->kind == EXPR_VAR && e->var == var;
}

/* Does the relation hold of e and the number of the thread along an axis? Scalars of the band count
   as what they are set to. */
static bool holds_along(struct own_search *o, int axis, const struct expr *e,
                        bool (*holds)(const struct expr *e, const struct var *var))
{
    struct stmt_walk walk;
    if (holds(e, o->band->axes[axis].var))
        return true;
    for (const struct stmt *s = stmt_first(&walk, o->arena, o->band); s; s = stmt_next(&walk))
        if (s->kind == STMT_LET && s->value && !type_is_floating(s->var->type) &&
            holds(e, s->var) && holds_along(o, axis, s->value, holds))
            return true;
    return false;
}

/* The number of axes of the band that tell elements of the load apart. */
static int axes_count(struct own_search *o, const struct expr *load)
{
    int count = 0;
    for (int axis = 0; axis < o->band->n_axes; axis++) {
        bool is_used = false;
        for (int i = 0; i < load->array->n_dims && !is_used; i++)
            is_used = holds_along(o, axis, load->arguments[i], expr_uses_var);
        count += is_used;
    }
    return count;
}

/* Elements that all threads read alike, as those of a vector, are of no row or column. */
static void load_look(struct own_search *o, const struct expr *load)
{
    int n_axes = o->band->n_axes, n_dims = load->array->n_dims;
    bool moves = false;
    for (int i = 0; i < n_dims; i++)
        moves |= expr_uses_var(load->arguments[i], o->loop->var);
    int own = moves ? axes_count(o, load) : 0;
    if (!own)
        return;
    const struct expr *last = load->arguments[n_dims - 1];
    o->has_shared |= own < n_axes;
    o->has_row |= is_addend(last, o->loop->var);
    o->has_column = o->has_column || holds_along(o, n_axes - 1, last, is_addend);
}

static bool goes_along_rows(struct own_search *o)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&stmts, o->arena, o->loop->children[0]); s;
         s = stmt_next(&stmts))
        for (const struct expr *e = stmt_first_expr(&exprs, o->arena, s); e; e = expr_next(&exprs))
            if (e->kind == EXPR_LOAD && e->array->n_dims)
                load_look(o, e);
    return o->has_row && !o->has_column && !o->has_shared;
}

/* --- loops ------------------------------------------------------------------------------------ */

/* Does the loop count up by ones, with bounds that stay, through many rounds or an unknown number
   of them? */
static bool counts_plainly(struct own_search *o)
{
    const struct stmt *loop = o->loop;
    int64_t step, from, to;
    if (loop->unroll || !expr_get_integer(loop->step, &step) || step != 1 ||
        !type_is_signed(loop->var->type) || stmt_sets_var(loop, loop->var) ||
        !expr_is_fixed(o, loop->from) || !expr_is_fixed(o, loop->to))
        return false;
    return !expr_get_integer(loop->from, &from) || !expr_get_integer(loop->to, &to) ||
           to - from >= ROUNDS_LEAST;
}

/* Does the loop do nothing but sum and store? */
static bool loop_sums(struct own_search *o)
{
    const struct stmt *body = o->loop->kind == STMT_FOR ? o->loop->children[0] : NULL;
    return body && !o->band->strided && !stmt_has_loop(body) && counts_plainly(o) &&
           body_is_plain(o, body) && sums_are_alone(o);
}

struct own_sums own_sums_find(struct arena *arena, const struct stmt *band,
                              const struct stmt *loop)
{
    const struct stmt *chosen = stmt_rewrite(arena, loop, choice_make, arena);
    struct own_search o = {.arena = arena, .band = band, .loop = chosen, .sums.loop = chosen};
    bool takes = loop_sums(&o) && goes_along_rows(&o);
    for (int i = 0; i < o.sums.count; i++)
        takes = takes && type_is_floating(o.sums.at[i].type);
    o.sums.count = takes ? o.sums.count : 0;
    return o.sums;
}

bool own_stores_find(struct arena *arena, const struct stmt *band, const struct stmt *loop)
{
    struct own_search o = {.arena = arena, .band = band, .loop = loop};
    return loop_sums(&o) && o.sums.count == 0;
}

static bool sums_column(struct arena *arena, const struct stmt *band, const struct stmt *loop)
{
    struct own_search o = {.arena = arena, .band = band, .loop = loop};
    bool sums = band->n_axes == 1 && loop_sums(&o) && !o.has_stores && !goes_along_rows(&o) &&
                !o.has_row && o.has_column;
    for (int i = 0; i < o.sums.count; i++)
        sums = sums && o.sums.at[i].reduction == REDUCE_ADD;
    return sums;
}

/* The first loop of the kernel's threads that is in no other and sums along rows, or else along
   columns. */
static const struct stmt *sums_find(struct arena *arena,
                                    const struct stmt *band, const struct stmt *s, bool along_rows)
{
    const struct stmt *found = NULL;
    if (band && (s->kind == STMT_FOR || s->kind == STMT_WHILE)) {
        bool sums = along_rows ? own_sums_find(arena, band, s).count > 0
                               : sums_column(arena, band, s);
        return sums ? s : NULL;
    }
    for (int i = 0; i < s->n_children && !found; i++)
        if (s->children[i])
            found = sums_find(arena, s->kind == STMT_BAND ? s : band, s->children[i],
                              along_rows);
    return found;
}

const struct stmt *kernel_row_sums(struct arena *arena, const struct kernel *kernel)
{
    return sums_find(arena, NULL, kernel->body, true);
}

const struct stmt *kernel_column_sums(struct arena *arena, const struct kernel *kernel)
{
    return sums_find(arena, NULL, kernel->body, false);
}

/* --- in their place --------------------------------------------------------------------------- */

struct own_rewriting {
    struct arena *arena;
    own_loop_make make;
    void *state;
};

static const struct stmt *loops_rewrite(const struct own_rewriting *r, const struct stmt *band,
                                        const struct stmt *s)
{
    if (band && (s->kind == STMT_FOR || s->kind == STMT_WHILE)) {
        struct own_sums sums = own_sums_find(r->arena, band, s);
        return sums.count ? r->make(r->state, &sums) : s;
    }
    if (!s->n_children)
        return s;
    const struct stmt **children = ARENA_ARRAY(r->arena, const struct stmt *, s->n_children);
    for (int i = 0; i < s->n_children; i++)
        children[i] = s->children[i]
                          ? loops_rewrite(r, s->kind == STMT_BAND ? s : band, s->children[i])
                          : NULL;
    if (s->kind == STMT_SEQUENCE)
        return stmt_sequence(r->arena, children, s->n_children);
    return stmt_rebuild(r->arena, s, children);
}

const struct stmt *own_loops_rewrite(struct arena *arena, const struct kernel *kernel,
                                     own_loop_make make, void *state)
{
    const struct own_rewriting r = {arena, make, state};
    return loops_rewrite(&r, NULL, kernel->body);
}
