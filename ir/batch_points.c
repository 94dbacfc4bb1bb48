/* What a thread does at a point of a copy in batches: its load and its store.

   In: a band on its way to loops, and the number of a point in its batch. Out: statements that load
   the point's element, or the elements of its vector, into the private array of the batch, and such
   that store them. */
#include "ir/batch_loops.h"

/* --- small things ----------------------------------------------------------------------------- */

const struct expr *batch_integer(struct batch_expansion *x, int64_t value)
{
    return expr_integer(x->arena, TYPE_I32, value);
}

const struct expr *batch_binary(struct batch_expansion *x, enum op op, const struct expr *a,
                                const struct expr *b)
{
    return expr_binary(x->arena, op, a, b);
}

void batch_append(struct batch_expansion *x, struct batch_list *list, const struct stmt *s)
{
    vec_push(x->arena, list, s);
}

const struct stmt *batch_sequence(struct batch_expansion *x, const struct batch_list *list)
{
    return stmt_sequence(x->arena, list->at, (int)list->count);
}

const struct stmt *batch_unrolled(struct batch_expansion *x, struct var *var,
                                  const struct expr *count, const struct batch_list *body)
{
    struct stmt *loop = (struct stmt *)stmt_for(x->arena, var, batch_integer(x, 0), count,
                                                batch_integer(x, 1), batch_sequence(x, body));
    loop->unroll = true;
    return loop;
}

/* --- points ----------------------------------------------------------------------------------- */

const struct expr *batch_axis_value(void *loops, const struct var *var)
{
    const struct batch_loops *b = loops;
    for (int i = 0; i < b->band->n_axes; i++)
        if (b->band->axes[i].var == var)
            return b->axes[i];
    return var == b->copy.lane ? b->lane : NULL;
}

/* The load of the value as one of the line. */
struct batch_value {
    struct batch_expansion *x;
    const struct batch_loops *loops;
};

static const struct expr *load_from(void *state, const struct expr *e)
{
    struct batch_value *v = state;
    const struct batch_loops *b = v->loops;
    const struct batch_form *form = &b->forms[0];
    const struct expr *number = b->numbers[0],
                      *part = b->copy.lane ? form->part[b->band->n_axes] : NULL;
    if (e->kind != EXPR_LOAD)
        return e;
    if (part)
        number = batch_binary(v->x, OP_ADD, number,
                              batch_binary(v->x, OP_MUL,
                                           expr_cast(v->x->arena, form->type, b->lane), part));
    return expr_load(v->x->arena, b->lines[0], &number, e->loc);
}

/* Is there a point of the copy at * rise behind the batch's first one, which is one that is stored
   (NULL: always)? From now on that point is the one that is spoken of. */
static const struct expr *point_condition(struct batch_expansion *x, struct batch_loops *b,
                                          const struct expr *at, int side)
{
    const struct expr *way = batch_binary(x, OP_MUL, at, b->rise),
                      *place = batch_binary(x, OP_ADD, b->at, way);
    int64_t number;
    bool is_first = expr_get_integer(at, &number) && number == 0;
    const struct expr *inside = batch_binary(x, OP_LT, place, b->ends[side]);
    if (is_first && b->ends[side] == b->ends[1])
        inside = NULL;
    if (b->dealing->n_rows == 1)
        b->axes[b->run_axis] = place;
    for (int i = 0; i < dealing_digits(b->dealing); i++)
        b->axes[i] = b->digits[side][i];
    if (!b->left[side])
        return inside;
    return expr_join(x->arena, OP_LAND, inside,
                     expr_substitute(x->arena, b->left[side], batch_axis_value, b));
}

/* The value of the point that is spoken of. */
static const struct expr *point_value(struct batch_expansion *x, struct batch_loops *b)
{
    struct batch_value v = {x, b};
    const struct expr *value = expr_rewrite(x->arena, b->value, load_from, &v);
    return expr_substitute(x->arena, value, batch_axis_value, b);
}

/* held[place] = value of the batch's point `at` where it is loaded, else what it is otherwise: a
   place without a value on some path would be kept from batch to batch. */
static void element_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                         const struct expr *at, const struct expr *place)
{
    const struct expr *condition = point_condition(x, b, at, 0), *value = point_value(x, b);
    if (condition)
        value = expr_select(x->arena, condition, value,
                            expr_substitute(x->arena, b->otherwise, batch_axis_value, b));
    batch_append(x, list, stmt_store(x->arena, b->held, &place, value, b->copy.store->loc));
}

static void zero_store(struct batch_expansion *x, struct batch_list *list,
                       const struct batch_loops *b, const struct expr *place)
{
    batch_append(x, list, stmt_store(x->arena, b->held, &place,
                                     expr_zero(x->arena, b->held->element), b->copy.store->loc));
}

/* Zeros for a vector whose place begins at `first`. */
static void zeros_store(struct batch_expansion *x, struct batch_list *list,
                        const struct batch_loops *b, const struct expr *first)
{
    struct batch_list body = {0};
    int width = b->copy.store->width;
    if (x->unrolls) {
        for (int i = 0; i < width; i++)
            zero_store(x, list, b, batch_binary(x, OP_ADD, first, batch_integer(x, i)));
        return;
    }
    struct var *lane = dealer_var(&x->dealer, "e", TYPE_I32, VAR_ITERATOR);
    zero_store(x, &body, b, batch_binary(x, OP_ADD, first, expr_var(x->arena, lane)));
    batch_append(x, list, batch_unrolled(x, lane, batch_integer(x, width), &body));
}

/* The same of a vector, which is loaded at once: its elements stand in held from width * at on. */
static void vector_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                        const struct expr *at)
{
    const struct stmt *store = b->copy.store;
    const struct expr *condition = point_condition(x, b, at, 0), *value = point_value(x, b);
    const struct expr *first = batch_binary(x, OP_MUL, at, batch_integer(x, store->width));
    const struct stmt *load = stmt_vector(x->arena, b->held, &first, value, store->loc);
    if (!condition) {
        batch_append(x, list, load);
        return;
    }
    zeros_store(x, list, b, first);
    batch_append(x, list, stmt_if(x->arena, condition, load, NULL));
}

static void lane_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                      const struct expr *at, const struct expr *lane)
{
    const struct expr *first = batch_binary(x, OP_MUL, at,
                                            batch_integer(x, b->copy.store->width));
    b->lane = lane;
    element_load(x, list, b, at, batch_binary(x, OP_ADD, first, lane));
}

/* The same of a vector whose elements are loaded one by one. */
static void lanes_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                       const struct expr *at)
{
    struct batch_list body = {0};
    int width = b->copy.store->width;
    if (x->unrolls) {
        for (int i = 0; i < width; i++)
            lane_load(x, list, b, at, batch_integer(x, i));
        return;
    }
    struct var *lane = dealer_var(&x->dealer, "e", TYPE_I32, VAR_ITERATOR);
    lane_load(x, &body, b, at, expr_var(x->arena, lane));
    batch_append(x, list, batch_unrolled(x, lane, batch_integer(x, width), &body));
}

void batch_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                const struct expr *at)
{
    if (b->copy.lane)
        lanes_load(x, list, b, at);
    else if (b->copy.store->width)
        vector_load(x, list, b, at);
    else
        element_load(x, list, b, at, at);
}

/* The batch's point `at` as it stands in `held`, to the place where the side of stores is. */
static const struct stmt *point_store(struct batch_expansion *x, struct batch_loops *b,
                                      const struct expr *at)
{
    const struct stmt *store = b->copy.store;
    if (store->width)
        at = batch_binary(x, OP_MUL, at, batch_integer(x, store->width));
    const struct expr *value = expr_load(x->arena, b->held, &at, store->loc);
    return store->width
               ? stmt_vector(x->arena, b->lines[1], &b->numbers[1], value, store->loc)
               : stmt_store(x->arena, b->lines[1], &b->numbers[1], value, store->loc);
}

void batch_store(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                 const struct expr *at)
{
    const struct expr *condition = point_condition(x, b, at, 1);
    const struct stmt *store = point_store(x, b, at);
    batch_append(x, list, condition ? stmt_if(x->arena, condition, store, NULL) : store);
}

/* Nothing is held, so that a copy has two conditions: one tells whether anything is stored, the
   other one whether that is what is loaded. They are one where both sides have the same points. */
void batch_copy(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                const struct expr *at)
{
    const struct stmt *store = b->copy.store;
    bool is_alike = b->ends[0] == b->ends[1] && b->left[0] == b->left[1];
    const struct expr *loaded = point_condition(x, b, at, 0), *value = point_value(x, b);
    if (loaded && !is_alike)
        value = expr_select(x->arena, loaded, value,
                            expr_substitute(x->arena, b->otherwise, batch_axis_value, b));
    const struct expr *stored = point_condition(x, b, at, 1);
    const struct stmt *copy =
        store->width ? stmt_vector(x->arena, b->lines[1], &b->numbers[1], value, store->loc)
                     : stmt_store(x->arena, b->lines[1], &b->numbers[1], value, store->loc);
    copy = stmt_async(x->arena, copy);
    batch_append(x, list, stored ? stmt_if(x->arena, stored, copy, NULL) : copy);
}
