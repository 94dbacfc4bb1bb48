/* Up to which point a copy in batches goes.

   In: a band on its way to loops, and where a thread begins. Out: the ends of the points that are
   loaded and stored, and what is left to be asked at each.

   Of the condition under which a point is copied
   - what does not change along the thread's points is asked once: where it fails, the end is 0;
   - what bounds the running axis from above, axis + a < b, is an end: b - a;
   - everything else is asked at each point.
   A tile at the border of an array thus asks one thing for each element, not three, and a thread
   beside the array loads nothing.

   No difference overflows: where a < b, b - a is a number without sign of as many bits, and the
   lesser of it and the old end is what counts; where a >= b no point of the axis, which begins at
   0, is inside. */
#include "ir/batch_loops.h"

/* What is asked of the points of one side. */
struct batch_question {
    struct batch_expansion *x;
    struct batch_list *list;
    struct batch_loops *loops;
    const struct expr *end;          /* of the axis that runs */
    const struct expr *once, *left;  /* asked once, and at each point; NULL: nothing */
};

/* Does axis i have other values at the thread's other points? */
static bool axis_changes(const struct batch_loops *b, int i)
{
    return b->dealing->n_rows == 1 ? i == b->run_axis : i < b->dealing->n_rows;
}

/* Does e, over the band's axes, change along the points? */
static bool changes(const struct batch_loops *b, const struct expr *e)
{
    bool does = b->copy.lane && expr_uses_var(e, b->copy.lane);
    for (int i = 0; i < b->band->n_axes; i++)
        does |= axis_changes(b, i) && expr_uses_var(e, b->band->axes[i].var);
    return does;
}

/* The part of a side that stays, where the axis that runs has `factor` in it (NULL: 0); NULL if
   it has not. */
static const struct expr *side_rest(struct batch_question *q, const struct expr *side,
                                    bool has_axis)
{
    struct batch_expansion *x = q->x;
    struct batch_form form = {.type = side->type};
    int64_t one;
    if (!batch_linear(x->arena, q->loops->band, side, &form))
        return NULL;
    const struct expr *part = form.part[q->loops->run_axis];
    if (has_axis != (part && expr_get_integer(part, &one) && one == 1) || (part && !has_axis))
        return NULL;
    form.part[q->loops->run_axis] = NULL;
    const struct expr *rest = batch_parts(x, &form, q->loops->axes, q->loops->band->n_axes);
    rest = expr_join(x->arena, OP_ADD, form.rest, rest);
    return rest ? rest : expr_integer(x->arena, form.type, 0);
}

static enum type unsigned_of(enum type type)
{
    return type_bytes(type) == 8 ? TYPE_U64 : TYPE_U32;
}

/* The end is at most where axis + a < b, or axis + a <= b, ceases to hold. */
static void end_tighten(struct batch_question *q, const struct expr *a, const struct expr *b,
                        bool includes)
{
    struct batch_expansion *x = q->x;
    struct arena *arena = x->arena;
    enum type wide = unsigned_of(a->type);
    const struct expr *room = batch_binary(x, OP_SUB, expr_cast(arena, wide, b),
                                           expr_cast(arena, wide, a));
    if (includes)
        room = batch_binary(x, OP_ADD, room, expr_integer(arena, wide, 1));
    room = dealer_define(&x->dealer, q->list, "copy_room", wide, room);
    room = expr_minimum(arena, room, expr_cast(arena, wide, q->end));
    room = expr_cast(arena, TYPE_I32, room);
    q->end = dealer_define(&x->dealer, q->list, "copy_end", TYPE_I32, room);
    q->once = expr_join(arena, OP_LAND, q->once,
                        batch_binary(x, includes ? OP_LE : OP_LT, a, b));
}

/* Does the condition bound the axis that runs from above? Then it is made the end. */
static bool bounds(struct batch_question *q, const struct expr *e)
{
    if (q->loops->dealing->n_rows > 1 || e->kind != EXPR_BINARY || e->op < OP_LT || e->op > OP_GE)
        return false;
    bool swapped = e->op == OP_GT || e->op == OP_GE;
    const struct expr *less = e->arguments[swapped], *more = e->arguments[!swapped];
    if (!type_is_signed(less->type) || type_is_floating(less->type) || type_bytes(less->type) < 4)
        return false;
    const struct expr *a = side_rest(q, less, true), *b = side_rest(q, more, false);
    if (a && b)
        end_tighten(q, a, b, e->op == OP_LE || e->op == OP_GE);
    return a && b;
}

/* Takes in a condition that all points are under. */
static void question_add(struct batch_question *q, const struct expr *e)
{
    struct arena *arena = q->x->arena;
    if (e && e->kind == EXPR_BINARY && e->op == OP_LAND) {
        question_add(q, e->arguments[0]);
        question_add(q, e->arguments[1]);
    } else if (e && !changes(q->loops, e)) {
        q->once = expr_join(arena, OP_LAND, q->once,
                            expr_substitute(arena, e, batch_axis_value, q->loops));
    } else if (e && !bounds(q, e)) {
        q->left = expr_join(arena, OP_LAND, q->left, e);
    }
}

/* The end of the points of which all that is true. */
static void question_end(struct batch_question *q, int side)
{
    struct batch_expansion *x = q->x;
    const struct expr *end = q->end;
    if (q->once)
        end = expr_select(x->arena, q->once, end, batch_integer(x, 0));
    q->loops->ends[side] = dealer_define(&x->dealer, q->list, "copy_end", TYPE_I32, end);
    q->loops->left[side] = q->left;
}

/* Of a copy with a value for cells outside that value is also what no point gets. */
void batch_bound(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b)
{
    const struct expr *value = b->copy.value, *inside = b->copy.inside;
    struct batch_question q = {.x = x, .list = list, .loops = b, .end = b->end};
    b->otherwise = expr_zero(x->arena, value->type);
    if (!b->copy.store->width || b->copy.lane)
        if (value->kind == EXPR_SELECT && expr_is_total(value->arguments[2])) {
            inside = value->arguments[0];
            b->otherwise = value->arguments[2];
            value = value->arguments[1];
        }
    b->value = value;
    question_add(&q, b->copy.condition);
    question_end(&q, 1);
    if (!inside) {
        b->ends[0] = b->ends[1];
        b->left[0] = b->left[1];
        return;
    }
    question_add(&q, inside);
    question_end(&q, 0);
}
