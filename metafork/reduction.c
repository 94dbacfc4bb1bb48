/* Sums over the iterations: the clause meta_reduce(op, a, …).

   In: a region's lowered body, and the clauses of its meta_schedule. Out: the body with
   accumulating stores in place of the assignments that are sums of such an array: `a[i] += e`,
   `a[i] = e + a[i]`, `if (e > a[i]) a[i] = e;`, `a[i] = e > a[i] ? e : a[i]` and their like. Every
   store to the array must be one by the clause's operator, and nothing else in the region may read
   it, but stores that begin its sums at their first point or end them at their last one
   (ir/access/ends.h): each other use is an error with both places. min and max of floating point
   must not take an element that is no number, so that their forms keep the array's element where
   the comparison is false.

   Which of them stay plain, and which keep their order, is decided in order.c. */
#include "ir/access/ends.h"
#include "ir/reduction.h"
#include "ir/walk.h"
#include "metafork/lower.h"
#include <string.h>

/* An array's assignments being made sums by one operator. */
struct summing {
    struct arena *arena;
    const struct array *array;
    enum reduce_op reduction;
    const reduced_list *list;        /* all arrays of the clauses; NULL = there is no other */
    const struct stmt *band;         /* being read */
    bool is_summed;                  /* there is such an assignment */
    const struct stmt *other;        /* the first store that is no such sum, but reads or sets it */
    const struct expr *read;         /* the first load that belongs to neither */
};

/* --- forms ------------------------------------------------------------------------------------ */

static bool is_element(const struct summing *s, const struct expr *e, const struct stmt *store)
{
    return e->kind == EXPR_LOAD && e->array == s->array &&
           exprs_equal(e->arguments, store->indices, s->array->n_dims);
}

/* The operand of conversions between integers that keep the low bits: sums, products and bits of
   those are the same in any width from the element's on. Of floats the operand of those from and to
   double, in which C may add a term that it then rounds with the sum. */
static const struct expr *low_bits(const struct summing *s, const struct expr *e)
{
    bool is_real = type_is_floating(s->array->element);
    while (e->kind == EXPR_CAST && e->type != TYPE_BOOL &&
           type_is_floating(e->type) == is_real &&
           type_is_floating(e->arguments[0]->type) == is_real &&
           (is_real ? s->array->element == TYPE_F32
                    : type_bytes(e->type) >= type_bytes(s->array->element)))
        e = e->arguments[0];
    return e;
}

/* Is e the element, joined by the operator with others, as in `a[i] + x - y`? *others: these,
   joined; NULL if there are none. */
static bool others_find(const struct summing *s, const struct expr *e, const struct stmt *store,
                        const struct expr **others)
{
    static const enum op ops[REDUCE_MIN] = {[REDUCE_ADD] = OP_ADD, [REDUCE_MUL] = OP_MUL,
                                            [REDUCE_AND] = OP_AND, [REDUCE_OR] = OP_OR,
                                            [REDUCE_XOR] = OP_XOR};
    bool is_real = type_is_floating(s->array->element);
    *others = NULL;
    e = low_bits(s, e);
    if (is_element(s, e, store))
        return true;
    bool is_minus = e->kind == EXPR_BINARY && s->reduction == REDUCE_ADD && e->op == OP_SUB;
    if (e->kind != EXPR_BINARY || (!is_minus && e->op != ops[s->reduction]) ||
        is_real != type_is_floating(e->type) ||
        (s->array->element == TYPE_F64 && e->type == TYPE_F32))
        return false;
    const struct expr *left = e->arguments[0], *right = e->arguments[1];
    if (others_find(s, left, store, others)) {
        right = is_minus ? expr_unary(s->arena, OP_NEG, right) : right;
        *others = expr_join(s->arena, ops[s->reduction], *others, right);
        return true;
    }
    if (is_minus || !others_find(s, right, store, others))
        return false;
    *others = expr_join(s->arena, ops[s->reduction], left, *others);
    return true;
}

/* The operand that the store adds to the element, multiplies it by, …; the neutral one of
   `a[i] += 0`, which is folded to the element alone; NULL if the store does anything else. */
static const struct expr *operand_of(const struct summing *s, const struct stmt *store)
{
    const struct expr *others;
    if (s->reduction >= REDUCE_MIN || !others_find(s, store->value, store, &others))
        return NULL;
    if (!others)
        return reduction_neutral(s->arena, s->reduction, s->array->element);
    return type_is_floating(s->array->element) && type_is_floating(others->type)
               ? expr_cast(s->arena, s->array->element, others) : others;
}

/* Does `condition` (or where it does not hold, if `negated`) compare e with the element such that a
   minimum or maximum takes e? */
static bool takes(const struct summing *s, const struct expr *condition, bool negated,
                  const struct expr *e, const struct stmt *store)
{
    if (condition->kind != EXPR_BINARY || condition->op < OP_LT || condition->op > OP_GE)
        return false;
    const struct expr *const *sides = condition->arguments;
    bool is_left = is_element(s, sides[1], store);
    if ((!is_left && !is_element(s, sides[0], store)) || !expr_equal(sides[!is_left], e) ||
        (negated && type_is_floating(sides[0]->type)))
        return false;
    bool is_less = condition->op == OP_LT || condition->op == OP_LE;
    return (is_less == is_left) != negated ? s->reduction == REDUCE_MIN
                                           : s->reduction == REDUCE_MAX;
}

/* The value that `a = e > a ? e : a` takes; NULL if the store is something else. */
static const struct expr *extreme_of(const struct summing *s, const struct stmt *store)
{
    const struct expr *e = store->value;
    if (e->kind != EXPR_SELECT)
        return NULL;
    for (int arm = 1; arm <= 2; arm++)
        if (is_element(s, e->arguments[3 - arm], store) &&
            takes(s, e->arguments[0], arm == 2, e->arguments[arm], store))
            return e->arguments[arm];
    return NULL;
}

/* --- statements ------------------------------------------------------------------------------- */

static const struct stmt *accumulation_make(struct summing *s, const struct stmt *store,
                                            const struct expr *e)
{
    s->is_summed = true;
    return stmt_accumulate(s->arena, store->array, store->indices, s->reduction, e, store->loc);
}

/* `if (e > a[i]) a[i] = e;`, also with other conditions before that one, as an accumulating store
   (under these); NULL if the statement is something else. */
static const struct stmt *guarded_of(struct summing *s, const struct stmt *at)
{
    const struct stmt *store = at->kind == STMT_IF && !at->children[1] ? at->children[0] : NULL;
    while (store && store->kind == STMT_SEQUENCE && store->n_children == 1)
        store = store->children[0];
    if (!store || store->kind != STMT_STORE || store->array != s->array)
        return NULL;
    const struct expr *taking = at->value, *others = NULL;
    if (taking->kind == EXPR_BINARY && taking->op == OP_LAND) {
        others = taking->arguments[0];
        taking = taking->arguments[1];
    }
    if (!takes(s, taking, false, store->value, store))
        return NULL;
    const struct stmt *accumulation = accumulation_make(s, store, store->value);
    return others ? stmt_if(s->arena, others, accumulation, NULL) : accumulation;
}

/* A store that sets the array or reads it and is no accumulation may begin its sums, before all of
   them, or end them. */
static const struct stmt *end_make(struct summing *s, const struct stmt *at)
{
    bool is_start = at->array == s->array && !s->is_summed;
    s->other = s->other ? s->other : at;
    return stmt_end(s->arena, at->array, at->indices, at->value,
                    is_start ? SUM_END_START : SUM_END_FINISH, at->loc);
}

/* Does e read a sum that is taken in the same band, or in other blocks, too? Then the store may end
   that sum, but uses none that is over. */
static bool reads_open_sum(const struct summing *s, const struct expr *e)
{
    bool found = false;
    if (!s->list || !s->band)
        return false;
    for (size_t i = 0; i < s->list->count; i++) {
        const struct reduced *other = &s->list->at[i];
        bool is_open = !other->in_block || stmt_stores_to(s->band, other->array);
        found |= other->array != s->array && expr_uses_array(e, other->array) && is_open;
    }
    return found;
}

static const struct stmt *store_make(struct summing *s, const struct stmt *at)
{
    const struct expr *e = at->array == s->array ? operand_of(s, at) : NULL;
    if (at->array == s->array && !e)
        e = extreme_of(s, at);
    return e && !at->reduction && !reads_open_sum(s, e) ? accumulation_make(s, at, e) : at;
}

static const struct stmt *sums_make(struct summing *s, const struct stmt *at)
{
    const struct stmt *guarded = guarded_of(s, at);
    if (guarded)
        return guarded;
    if (at->kind == STMT_STORE)
        return store_make(s, at);
    if (!at->n_children)
        return at;
    s->band = at->kind == STMT_BAND ? at : s->band;
    const struct stmt **children = ARENA_ARRAY(s->arena, const struct stmt *, at->n_children);
    for (int i = 0; i < at->n_children; i++)
        children[i] = at->children[i] ? sums_make(s, at->children[i]) : NULL;
    return stmt_rebuild(s->arena, at, children);
}

/* For stmt_rewrite, in the order of the text and behind sums_make. */
static const struct stmt *ends_make(void *state, const struct stmt *at)
{
    struct summing *s = state;
    if (at->kind != STMT_STORE || at->end)
        return at;
    if (at->reduction) {
        s->is_summed |= at->array == s->array;
        return at;
    }
    return at->array == s->array || expr_uses_array(at->value, s->array) ? end_make(s, at) : at;
}

/* The first load of the array, but for starts, finishes, and accumulations in other arrays: these
   may read the sum behind its last accumulation (ir/access/sums.h). */
static const struct expr *load_find(struct arena *arena, const struct stmt *body,
                                    const struct array *array)
{
    struct stmt_walk stmts;
    struct expr_walk exprs;
    for (const struct stmt *s = stmt_first(&stmts, arena, body); s; s = stmt_next(&stmts))
        for (const struct expr *e = stmt_first_expr(&exprs, arena, s); e; e = expr_next(&exprs))
            if (e->kind == EXPR_LOAD && e->array == array && !stmt_has_end(s) &&
                (!s->reduction || s->array == array))
                return e;
    return NULL;
}

/* The body, which has the accumulating stores of all sums, with starts and finishes of the
   array's. */
static const struct stmt *body_end(struct summing *s, const struct stmt *body)
{
    s->is_summed = false;
    const struct stmt *ended = stmt_rewrite(s->arena, body, ends_make, s);
    s->read = load_find(s->arena, ended, s->array);
    return ended;
}

enum reduce_op reduction_guess(struct arena *arena, const struct stmt *body,
                               const struct array *array)
{
    for (enum reduce_op r = REDUCE_NONE + 1; r < REDUCE_COUNT; r++) {
        struct summing summing = {.arena = arena, .array = array, .reduction = r};
        body_end(&summing, sums_make(&summing, body));
        if (summing.is_summed && !summing.other && !summing.read &&
            reduction_applies(r, array->element))
            return r;
    }
    return REDUCE_NONE;
}

/* --- clauses ---------------------------------------------------------------------------------- */

static void reduced_add(struct lower *l, reduced_list *list, enum reduce_op reduction,
                        const struct ast *node)
{
    struct symbol *symbol = clause_array(l, node, "meta_reduce");
    if (!symbol || symbol->kind != SYMBOL_ARRAY)
        return;
    for (size_t i = 0; i < list->count; i++) {
        if (list->at[i].array != symbol->array)
            continue;
        if (list->at[i].reduction != reduction) {
            diag_error(l->ctx, node->loc,
                       "`%s` is reduced by `%s` and by `%s`; use an array for each operator",
                       symbol->array->name, reduction_text(list->at[i].reduction),
                       reduction_text(reduction));
            diag_note(l->ctx, list->at[i].loc, "by `%s` here",
                      reduction_text(list->at[i].reduction));
        }
        return;
    }
    if (!reduction_applies(reduction, symbol->array->element)) {
        diag_error(l->ctx, node->loc,
                   "meta_reduce takes %s by `%s`; `%s` has elements of type %s",
                   type_bytes(symbol->array->element) < 4 ? "elements of 32 or 64 bits"
                                                          : "integers",
                   reduction_text(reduction), symbol->array->name,
                   type_name(symbol->array->element));
        return;
    }
    vec_push(l->arena, list, ((struct reduced){symbol->array, reduction, node->loc, false, false}));
}

static void clause_read(struct lower *l, reduced_list *list, const struct ast *clause)
{
    const struct ast *string = ast_strip(clause->children[0]);
    enum reduce_op reduction = reduction_find(string->name, strlen(string->name));
    if (!reduction) {
        diag_error(l->ctx, clause->loc,
                   "meta_reduce takes + * & | ^ min or max, which begin at a neutral element, not "
                   "`%s`; a difference is a sum of negative terms",
                   string->name);
        return;
    }
    for (int i = 1; i < clause->n_children; i++)
        reduced_add(l, list, reduction, clause->children[i]);
}

/* `reason`: why a store is no start and no finish, "" or ": …". */
static void store_report(struct lower *l, const struct stmt *store, const struct reduced *reduced,
                         const char *reason)
{
    diag_error(l->ctx, store->loc,
               "this store to `%s` is no accumulation by `%s`, as every one in the region must "
               "be%s",
               reduced->array->name, reduction_text(reduced->reduction), reason);
    diag_note(l->ctx, reduced->loc, "`%s` is reduced here", reduced->array->name);
}

static void read_report(struct lower *l, const struct expr *read, const struct reduced *reduced,
                        const char *reason)
{
    diag_error(l->ctx, read->loc,
               "`%s` is read here, while other iterations accumulate in it by `%s`; read it behind "
               "the region%s",
               reduced->array->name, reduction_text(reduced->reduction), reason);
    diag_note(l->ctx, reduced->loc, "`%s` is reduced here", reduced->array->name);
}

static void summing_report(struct lower *l, const struct summing *s, const struct reduced *reduced)
{
    if (s->other && !s->is_summed)
        store_report(l, s->other, reduced, "");
    else if (s->read)
        read_report(l, s->read, reduced, "");
}

/* The load of the array in a store; NULL if there is none. */
static const struct expr *load_in(struct arena *arena, const struct stmt *store,
                                  const struct array *array)
{
    struct expr_walk walk;
    for (const struct expr *e = stmt_first_expr(&walk, arena, store); e; e = expr_next(&walk))
        if (e->kind == EXPR_LOAD && e->array == array)
            return e;
    return NULL;
}

bool reductions_end(struct lower *l, struct kernel *kernel, const reduced_list *list)
{
    struct ends_fault fault;
    const struct stmt *body = access_ends(l->ctx, kernel, &fault);
    const struct expr *read = NULL;
    const struct reduced *reduced = list->at;
    if (body) {
        kernel->body = body;
        return true;
    }
    const char *point = fault.store->end == SUM_END_START ? "start" : "finish";
    const char *reason = arena_printf(l->arena, " (it is not the %s of a sum: %s)", point,
                                      fault.reason);
    for (size_t i = 0; i < list->count && !read; i++) {
        reduced = &list->at[i];
        if (reduced->array == fault.store->array)
            break;
        read = load_in(l->arena, fault.store, reduced->array);
    }
    if (read)
        read_report(l, read, reduced, reason);
    else
        store_report(l, fault.store, reduced, reason);
    return false;
}

/* The body with accumulating stores to those of the arrays that are not plain. */
static const struct stmt *accumulations_body(struct arena *arena, const reduced_list *list,
                                             const struct stmt *body)
{
    for (size_t i = 0; i < list->count; i++) {
        struct summing summing = {.arena = arena,
                                  .array = list->at[i].array,
                                  .reduction = list->at[i].reduction,
                                  .list = list};
        if (!list->at[i].is_plain)
            body = sums_make(&summing, body);
    }
    return body;
}

/* Does e follow the variable, perhaps by scalars of the body? */
static bool expr_follows(struct arena *arena, const struct stmt *body, const struct expr *e,
                         const struct var *var)
{
    struct stmt_walk walk;
    if (expr_uses_var(e, var))
        return true;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk))
        if (s->kind == STMT_LET && s->value && expr_uses_var(e, s->var) &&
            expr_follows(arena, body, s->value, var))
            return true;
    return false;
}

/* Do the subscripts of all stores to the array follow the variable? */
static bool stores_follow(struct arena *arena, const struct stmt *body, const struct array *array,
                          const struct var *var)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, body); s; s = stmt_next(&walk)) {
        bool follows = s->kind != STMT_STORE || s->array != array;
        for (int i = 0; i < array->n_dims && !follows; i++)
            follows = expr_follows(arena, body, s->indices[i], var);
        if (!follows)
            return false;
    }
    return true;
}

static bool block_has_sum(const struct lower *l, const struct stmt *body, const struct array *array)
{
    bool has = true;
    for (int i = 0; i < l->n_grid; i++)
        has = has && stores_follow(l->arena, body, array, l->grid[i].var);
    return has;
}

reduced_list reductions_read(struct lower *l, const struct stmt *body)
{
    reduced_list list = {0};
    for (int i = 1; i < l->schedule->n_children; i++)
        if (!strcmp(l->schedule->children[i]->decl->name, AST_REDUCE))
            clause_read(l, &list, l->schedule->children[i]);
    for (size_t i = 0; i < list.count; i++)
        list.at[i].in_block = block_has_sum(l, body, list.at[i].array);
    body = accumulations_body(l->arena, &list, body);
    for (size_t i = 0; i < list.count; i++) {
        struct summing summing = {.arena = l->arena,
                                  .array = list.at[i].array,
                                  .reduction = list.at[i].reduction};
        body = body_end(&summing, body);
        summing_report(l, &summing, &list.at[i]);
    }
    return list;
}

const struct stmt *reductions_body(struct arena *arena, const reduced_list *list,
                                   const struct stmt *body)
{
    body = accumulations_body(arena, list, body);
    for (size_t i = 0; i < list->count; i++) {
        struct summing summing = {.arena = arena,
                                  .array = list->at[i].array,
                                  .reduction = list->at[i].reduction};
        if (!list->at[i].is_plain)
            body = body_end(&summing, body);
    }
    return body;
}
