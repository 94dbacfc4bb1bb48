/* The loops of a fragment: `for (i = a; i < b; i += c)`, up or down.

   In: a `for`. Out: its iterator, affine start and limits, and its step; whatever else a header
   holds is refused. */
#include "frontend/writes.h"
#include "mapper/scop/extract.h"
#include "mapper/scop/range.h"

/* Up to so many points of an axis, whatever else ends its loop, are no harm. */
enum { POINTS_NEAR = 1024 };

/* Reports why a bound is not affine, and blames the statement that changes the bound. Returns
   NULL. */
static void *refuse_bound(struct scop *scop, struct scop_place at, const struct ast *bound)
{
    struct ast_walk walk;
    for (const struct ast *n = ast_first(&walk, scop->arena, bound); n; n = ast_next(&walk)) {
        const struct ast *change = n->kind == AST_REF && !loop_of_iterator(at, n->decl)
                                       ? variable_change(scop, n->decl) : NULL;
        const struct ast *changed = change && change->kind != AST_VARIABLE ? ast_written(change)
                                                                          : change;
        if (change)
            return scop_refuse_for(scop, REFUSE_BOUND_CHANGES, bound->loc,
                                   changed ? changed->name : n->decl->name, change);
    }
    return scop_refuse(scop, REFUSE_BOUND, bound->loc, NULL);
}

/* Unsigned comparisons: the bound, not yet a limit, and the iterator are values of their types
   while the loop runs, and one step behind. A bound of 32 bits beside a wider iterator is a value
   of these, too, as the text counts blocks in its type. */
static bool check_unsigned(struct scop *scop, struct scop_place at, const struct scop_loop *loop,
                           const struct ast *condition, const struct ast *bound, bool strict)
{
    struct affine last = loop->limits[loop->n_limits - 1], one = affine_constant(-1);
    bool compares = class_is_unsigned(condition->children[0]->type->class);
    enum ast_class class = loop->iterator->type->class;
    bool counts = class_is_unsigned(class);
    const struct ast *own = bound;
    while (own->kind == AST_CAST && own->n_children)
        own = own->children[0];
    if (own->type && own->type->class == AST_TYPE_U32 && loop->step > 0)
        range_add(scop, at, own, AST_TYPE_U32, &last);
    if (!compares && !counts)
        return true;
    if (loop->step > 0) {
        if (counts)
            range_add(scop, at, bound, class, &last);
        else
            range_add(scop, at, bound, AST_TYPE_U64, &loop->start);
        return true;
    }
    if (!compares || !counts || loop->step != -1)
        return scop_refuse(scop, REFUSE_UNSIGNED, bound->loc, loop->name);
    if (!strict && !affine_add(&last, &one, 1))
        return refuse_bound(scop, at, bound);
    range_add(scop, at, bound, class, &last);
    range_add(scop, at, bound, class, &loop->start);
    return true;
}

/* `i + 1 < n` of unsigned numbers: i + 1 is at most n; the text has `i < n - 1`, where n is claimed
   to be at least 1. */
static bool check_ahead(struct scop *scop, struct scop_place at, struct scop_loop *loop,
                        const struct ast *condition, int64_t plus)
{
    enum ast_class class = condition->children[0]->type->class;
    struct affine end = loop->limits[loop->n_limits - 1];
    struct affine less = affine_constant(-plus);
    if (!plus || !class_is_unsigned(class))
        return true;
    if (plus < 0 || loop->step < 0 || !affine_add(&end, &less, 1))
        return scop_refuse(scop, REFUSE_UNSIGNED, condition->loc, loop->name);
    loop->is_ahead = true;
    range_add(scop, at, condition, class, &end);
    return true;
}

/* A literal times the iterator: the literal; 0 for other expressions. */
static int64_t multiple_of(const struct ast *ast, const struct ast *iterator)
{
    if (ast->kind != AST_BINARY || ast->op != AST_OP_MUL)
        return 0;
    int side = is_ref_to(ast->children[0], iterator);
    const struct ast *amount = ast_strip(ast->children[side]);
    bool counts = amount->kind == AST_INTEGER && amount->integer > 0 &&
                  amount->integer < INT16_MAX && is_ref_to(ast->children[1 - side], iterator);
    return counts ? amount->integer : 0;
}

/* factor * iterator + rest */
struct iterator_sum {
    int64_t factor;
    struct affine rest;
};

/* Adds sign times an expression that the iterator may be part of. False if it is no such sum of
   signed numbers. */
static bool parts_add(struct scop *scop, struct scop_place at, const struct scop_loop *loop,
                      const struct ast *ast, int64_t sign, struct iterator_sum *sum)
{
    struct affine form;
    ast = ast_strip(ast);
    if (!ast->type || class_is_unsigned(ast->type->class))
        return false;
    int64_t times = is_ref_to(ast, loop->iterator) ? 1 : multiple_of(ast, loop->iterator);
    if (times)
        return !__builtin_add_overflow(sum->factor, sign * times, &sum->factor);
    int64_t second = ast->op == AST_OP_ADD ? sign : -sign;
    bool sums = ast->kind == AST_BINARY && (ast->op == AST_OP_ADD || ast->op == AST_OP_SUB);
    if (sums)
        return parts_add(scop, at, loop, ast->children[0], sign, sum) &&
               parts_add(scop, at, loop, ast->children[1], second, sum);
    return affine_read(scop, at, ast, &form) && affine_add(&sum->rest, &form, sign);
}

/* The iterator is below e / c rounded up where c * i < e: e below 0 gives at most 0, where a loop
   that begins at 0 or above has no iteration. */
static bool read_share(struct scop *scop, struct scop_loop *loop, const struct affine *end,
                       int64_t factor, enum ast_class class, struct affine *limit)
{
    struct affine last = affine_constant(-1), more = affine_constant(factor - 1), dividend = *end;
    bool begins = !loop->start.n_terms && loop->start.constant >= 0;
    if (!begins || loop->step < 0 || affine_has_iterator(scop, end) ||
        !affine_add(&dividend, &more, 1))
        return false;
    *limit = affine_quotient(scop, &dividend, factor, class);
    return affine_add(limit, &last, 1);
}

/* `i + taps <= n`, `n - i > k`, `3 * i < n`, which the text has with the iterator alone on its left
   side; false if the condition is none of these. */
static bool read_sums(struct scop *scop, struct scop_place at, struct scop_loop *loop,
                      const struct ast *condition)
{
    struct iterator_sum sum = {0};
    struct affine end = affine_constant(0), one = affine_constant(1);
    enum ast_op op = condition->op;
    bool less = op == AST_OP_LT || op == AST_OP_LE, strict = op == AST_OP_LT || op == AST_OP_GT;
    if (loop->n_limits == LOOP_LIMITS || (!less && op != AST_OP_GT && op != AST_OP_GE) ||
        !parts_add(scop, at, loop, condition->children[0], 1, &sum) ||
        !parts_add(scop, at, loop, condition->children[1], -1, &sum) || !sum.factor)
        return false;
    int64_t sign = sum.factor > 0 ? 1 : -1;
    bool below = less == (sum.factor > 0);
    if (below != (loop->step > 0) || !affine_add(&end, &sum.rest, -sign))
        return false;
    struct affine *limit = &loop->limits[loop->n_limits++];
    loop->is_shifted = true;
    if (sum.factor != sign)
        return affine_add(&end, &one, strict ? 0 : 1) &&
               read_share(scop, loop, &end, sum.factor * sign,
                          condition->children[0]->type->class, limit);
    *limit = end;
    return affine_add(limit, &one, !strict ? 0 : below ? -1 : 1);
}

/* Comparisons like `i < e` as limits that the iterator may reach. `i != e` is a limit if the loop
   begins on the right side of e, which is claimed. */
static bool read_limit(struct scop *scop, struct scop_place at, struct scop_loop *loop,
                       const struct ast *condition)
{
    condition = ast_strip(condition);
    if (condition->kind == AST_BINARY && condition->op == AST_OP_LAND)
        return read_limit(scop, at, loop, condition->children[0]) &&
               read_limit(scop, at, loop, condition->children[1]);
    struct header_comparison c;
    bool counts = header_compares(condition, loop->iterator, &c);
    if (is_comparison(condition) && !counts && read_sums(scop, at, loop, condition))
        return true;
    if (!counts || loop->n_limits >= LOOP_LIMITS)
        return scop_refuse(scop, REFUSE_HEADER, loop->ast->loc, NULL);
    bool differs = c.op == AST_OP_NE, up = loop->step > 0;
    bool below = differs ? up : c.op == AST_OP_LT || c.op == AST_OP_LE;
    bool strict = differs || c.op == AST_OP_LT || c.op == AST_OP_GT;
    bool meets = !c.plus && !loop->n_limits && (loop->step == 1 || loop->step == -1);
    if (below != up || (differs && !meets))
        return scop_refuse(scop, REFUSE_HEADER, loop->ast->loc, NULL);
    loop->is_met |= differs;
    struct affine one = affine_constant((strict ? (below ? -1 : 1) : 0) - c.plus);
    const struct ast *bound = c.bound;
    struct extremum ends;
    if (!extremum_read(scop, at, bound, below, &ends) || (differs && ends.n > 1))
        return refuse_bound(scop, at, bound);
    loop->is_shifted |= ends.n > 1;
    for (int i = 0; i < ends.n; i++) {
        if (loop->n_limits == LOOP_LIMITS)
            return scop_refuse(scop, REFUSE_HEADER, loop->ast->loc, NULL);
        struct affine *limit = &loop->limits[loop->n_limits++];
        *limit = ends.forms[i];
        if (!check_unsigned(scop, at, loop, condition, bound, strict) ||
            !check_ahead(scop, at, loop, condition, c.plus))
            return false;
        if (!affine_add(limit, &one, 1))
            return refuse_bound(scop, at, bound);
    }
    return true;
}

/* The body has one less than what is compared: i-- > e begins at one less, and ends at e. */
static bool read_last(struct scop *scop, struct scop_place at, struct scop_loop *loop,
                      const struct ast *condition)
{
    struct affine less = affine_constant(-1);
    bool compares = condition->kind == AST_BINARY;
    loop->is_met = !compares || condition->op == AST_OP_NE;
    loop->is_last = true;
    loop->n_limits = 1;
    loop->limits[0] = affine_constant(0);
    if (compares && !affine_read(scop, at, condition->children[1], &loop->limits[0]))
        return refuse_bound(scop, at, condition->children[1]);
    return affine_add(&loop->start, &less, 1) || refuse_bound(scop, at, condition);
}

/* b of `b % step`, or of `b & (step - 1)` where the step is a power of two; NULL for others. */
static const struct ast *remainder_of(const struct ast *ast, int64_t step)
{
    ast = ast_strip(ast);
    if (ast->kind != AST_BINARY || step < 2)
        return NULL;
    const struct ast *divisor = ast_strip(ast->children[1]);
    bool literal = divisor->kind == AST_INTEGER;
    bool rest = ast->op == AST_OP_REM && literal && divisor->integer == step;
    bool mask = ast->op == AST_OP_AND && literal && divisor->integer == step - 1 &&
                !(step & (step - 1));
    return rest || mask ? ast->children[0] : NULL;
}

/* `a + b % c` and `a - b % c` where c is the step, as a start and a phase; the sum has its parts in
   any order. For b >= 0 a - b % c is a - c + 1 + (c - 1 - b % c), and the last part is the
   remainder of (c - 1) * (b + 1). */
static bool read_phased(struct scop *scop, struct scop_place at, struct scop_loop *loop,
                        const struct ast *value)
{
    const struct ast *base = NULL, *rest = ast_strip(value);
    bool takes = false;
    if (rest->kind == AST_BINARY && (rest->op == AST_OP_ADD || rest->op == AST_OP_SUB)) {
        bool swap = rest->op == AST_OP_ADD && remainder_of(rest->children[0], loop->step);
        takes = rest->op == AST_OP_SUB;
        base = rest->children[swap];
        rest = rest->children[!swap];
    }
    const struct ast *operand = remainder_of(rest, loop->step);
    struct affine phase, turned = affine_constant(loop->step - 1), less = turned;
    loop->start = affine_constant(0);
    if (!operand || !affine_read(scop, at, operand, &phase) ||
        (base && !affine_read(scop, at, base, &loop->start)))
        return false;
    loop->dividend = phase;
    loop->phase = takes ? turned : phase;
    loop->is_masked = ast_strip(rest)->op == AST_OP_AND;
    return !takes || (affine_add(&loop->phase, &phase, loop->step - 1) &&
                      affine_add(&loop->start, &less, -1));
}

static bool check_iterator(struct scop *scop, struct scop_place at, const struct ast *ast,
                           const struct ast *iterator)
{
    enum ast_class class = iterator->type->class;
    bool counts = class == AST_TYPE_I32 || class == AST_TYPE_I64 || class_is_unsigned(class);
    if (!counts || iterator->type->is_volatile)
        return scop_refuse(scop, REFUSE_ITERATOR_TYPE, ast->loc, iterator->name);
    if (loop_of_iterator(at, iterator))
        return scop_refuse(scop, REFUSE_ITERATOR_WRITTEN, ast->loc, iterator->name);
    return true;
}

/* Is the number of points up to the limit a small one, or free of what the loop begins with:
   `j < ii + size` where j begins at ii, beside `j < n`? */
static bool is_near(const struct scop_loop *loop, const struct affine *limit)
{
    struct affine way = *limit;
    bool is_free = loop->start.n_terms > 0;
    if (!affine_add(&way, &loop->start, -1))
        return false;
    if (!way.n_terms)
        return way.constant < POINTS_NEAR && way.constant > -POINTS_NEAR;
    for (int i = 0; i < loop->start.n_terms && is_free; i++)
        is_free = !affine_factor(&way, loop->start.terms[i].symbol);
    return is_free;
}

/* Puts a near limit first, where the box of an axis ends. */
static void limits_order(struct scop_loop *loop)
{
    struct affine first = loop->limits[0];
    int near = 0;
    while (near < loop->n_limits && !is_near(loop, &loop->limits[near]))
        near++;
    if (near == 0 || near == loop->n_limits)
        return;
    loop->limits[0] = loop->limits[near];
    loop->limits[near] = first;
}

struct scop_loop *header_read(struct scop *scop, struct scop_place at, const struct ast *ast)
{
    const struct ast *value = NULL, *iterator = header_iterator(header_own(ast, 0), &value);
    struct scop_loop *loop = ARENA_NEW(scop->arena, struct scop_loop);
    if (!iterator || !ast->children[1])
        return scop_refuse(scop, REFUSE_HEADER, ast->loc, NULL);
    if (!check_iterator(scop, at, ast, iterator))
        return NULL;
    loop->id = (int)scop->loops.count;
    loop->depth = at.depth;
    loop->outer = at.depth ? at.loops[at.depth - 1] : NULL;
    loop->ast = ast;
    loop->iterator = iterator;
    loop->name = iterator->name;
    loop->type = iterator->type->canonical;
    const struct ast *condition = ast->children[1], *old = header_counted(ast, iterator);
    loop->step = old ? -1 : header_step(header_own(ast, 2), iterator);
    if (!loop->step)
        return scop_refuse(scop, REFUSE_HEADER, ast->loc, NULL);
    if (!affine_read(scop, at, value, &loop->start) && !read_phased(scop, at, loop, value))
        return refuse_bound(scop, at, value);
    if (old && at.depth && class_is_unsigned(iterator->type->class))
        return scop_refuse(scop, REFUSE_UNSIGNED, ast->loc, loop->name);
    if (old ? !read_last(scop, at, loop, condition) : !read_limit(scop, at, loop, condition))
        return NULL;
    limits_order(loop);
    loop->symbol = affine_symbol_of(scop, loop);
    return loop;
}
