/* Copies in batches, spelled out as loops of a thread.

   In: a kernel with strided bands that are copies. Out: the same with loops in their place:

       strided band batch 4 (int r < R, int c < C) { tile[r][c] = inside ? array[f(r, c)] : 0; }

   gives the threads of a block whole rows of the box, as many at once as fit, `rise` of them (where
   a row has more points than there are threads, the row is gone through by pieces):

       for (row = first; row < R; row += 4 * rise) {
           for (h = 0; h < 4; h++) { held[h] = row + h * rise < R ? array[from] : 0; from += …; }
           for (h = 0; h < 4; h++) { if (row + h * rise < R) tile[to] = held[h]; to += …; }
       }

   A thread stays in one column, so that it carries nothing from axis to axis where there are two,
   and the numbers of the elements, `from` and `to`, run by additions. Of three and more axes all
   but the last are rows, and their digits run as those of an odometer do. What is divided (threads
   by the length of a row) is divided once, before the first point of the grid.

   Asynchronous copies hold nothing: load and store of a point are one statement, `tile[to] = row +
   h * rise < R ? array[from] : 0`, that a thread starts and does not wait for.

   Why the meaning is kept: each point is done once, by one thread; which thread does it is open,
   as the points of a copy are independent and barriers stand around copies. All loads of a batch
   come before its stores, which changes nothing as the array stored to is not read. Threads that
   are left over where rows do not fill the block begin behind every row. No sum overflows: a tile
   has less than 2^28 points, and a thread that has a point adds at most 4 * 1024. */
#include "ir/batch_loops.h"
#include "ir/walk.h"

/* --- variables that run ----------------------------------------------------------------------- */

/* A variable that runs: it begins with `value`. */
static const struct expr *running(struct batch_expansion *x, struct batch_list *list,
                                  const char *stem, enum type type, const struct expr *value)
{
    struct var *var = dealer_var(&x->dealer, stem, type, VAR_LOCAL);
    batch_append(x, list, stmt_let(x->arena, var, expr_cast(x->arena, type, value)));
    if (x->unrolls)
        map_put_pointer(x->result.anew, var, var);
    return expr_var(x->arena, var);
}

static const struct expr *digit(struct batch_expansion *x, struct batch_list *list,
                                const struct expr *first)
{
    struct var *var = dealer_var(&x->dealer, "copy_axis", TYPE_I32, VAR_LOCAL);
    batch_append(x, list, stmt_let(x->arena, var, first));
    return expr_var(x->arena, var);
}

/* A running variable goes on by `step`; NULL: it stays. */
static void run_on(struct batch_expansion *x, struct batch_list *list, const struct expr *var,
                   const struct expr *step)
{
    if (step)
        batch_append(x, list, stmt_set(x->arena, var->var, batch_binary(x, OP_ADD, var, step)));
}

/* --- one band --------------------------------------------------------------------------------- */

/* A variable of the copy that begins with `number`, whatever is kept of that elsewhere. Compilers
   that see where it comes from compute what hangs on it once for all copies, and keep that in
   registers which other code lacks; so it is set anew where that should not be (batches.anew). */
static const struct expr *own(struct batch_expansion *x, struct batch_list *list,
                              const struct expr *number)
{
    if (!x->unrolls || number->kind != EXPR_VAR)
        return number;
    struct var *var = dealer_var(&x->dealer, number->var->name, number->type, VAR_LOCAL);
    batch_append(x, list, stmt_let(x->arena, var, number));
    map_put_pointer(x->result.anew, var, var);
    return expr_var(x->arena, var);
}

static void set_anew(struct batch_expansion *x, struct batch_list *list, const struct expr *number)
{
    if (number && number->kind == EXPR_VAR && map_get_pointer(x->result.anew, number->var))
        batch_append(x, list, stmt_set(x->arena, number->var, number));
}

/* The number of rows that has these digits. */
static const struct expr *digits_join(struct batch_expansion *x, const struct batch_dealing *d,
                                      const struct expr *const *digits)
{
    const struct expr *number = digits[0];
    for (int i = 1; i < d->n_rows; i++)
        number = batch_binary(x, OP_ADD, batch_binary(x, OP_MUL, number, d->extents[i]), digits[i]);
    return number;
}

/* The dealing of one copy. */
static const struct batch_dealing *dealing_own(struct batch_expansion *x, struct batch_list *list,
                                               const struct batch_dealing *dealing)
{
    struct batch_dealing *d = ARENA_NEW(x->arena, struct batch_dealing);
    *d = *dealing;
    for (int i = 0; i < d->n_rows; i++) {
        d->first[i] = own(x, list, d->first[i]);
        d->step[i] = own(x, list, d->step[i]);
    }
    d->row = dealer_define(&x->dealer, list, "copy_row", TYPE_I32, digits_join(x, d, d->first));
    d->rise = dealer_define(&x->dealer, list, "copy_rise", TYPE_I32, digits_join(x, d, d->step));
    if (d->columns) {
        if (d->shape != SHAPE_FREE)
            d->width = dealer_define(&x->dealer, list, "copy_width", TYPE_I32, d->width);
        if (d->shape == SHAPE_PLANE)
            d->width = own(x, list, d->width);
        d->column = batch_binary(x, OP_SUB, x->dealer.thread,
                           batch_binary(x, OP_MUL, d->row, d->width));
        d->column = dealer_define(&x->dealer, list, "copy_column", TYPE_I32, d->column);
    }
    return d;
}

static const struct array *line_of(struct batch_expansion *x, const struct array *array)
{
    for (size_t i = 0; i < x->result.lines.count; i++)
        if (x->result.lines.at[i].array == array)
            return x->result.lines.at[i].line;
    struct array *line = ARENA_NEW(x->arena, struct array);
    const struct expr **dims = ARENA_ARRAY(x->arena, const struct expr *, 1);
    *line = *array;
    dims[0] = NULL;
    line->n_dims = 1;
    line->dims = dims;
    vec_push(x->arena, &x->result.lines, ((struct batch_line){array, line}));
    return line;
}

const struct array *batch_private(struct batch_expansion *x, const char *stem, enum type type,
                                  int elements)
{
    struct array *array = ARENA_NEW(x->arena, struct array);
    const struct expr **dims = ARENA_ARRAY(x->arena, const struct expr *, 1);
    dims[0] = batch_integer(x, elements);
    *array = (struct array){.name = names_fresh(&x->dealer.names, stem),
                            .element = type,
                            .space = SPACE_PRIVATE,
                            .n_dims = 1,
                            .dims = dims};
    return array;
}

const struct expr *batch_parts(struct batch_expansion *x, const struct batch_form *form,
                               const struct expr *const *values, int n)
{
    const struct expr *total = NULL;
    for (int i = 0; i < n; i++)
        if (form->part[i])
            total = expr_join(x->arena, OP_ADD, total,
                              batch_binary(x, OP_MUL, expr_cast(x->arena, form->type, values[i]),
                                     form->part[i]));
    return total;
}

static bool certainly_equal(struct batch_expansion *x, const struct expr *a, const struct expr *b)
{
    const struct poly *p = dealer_poly(&x->dealer, a), *q = dealer_poly(&x->dealer, b);
    return p && q && poly_equal(p, q);
}

/* What a number goes on by where axis i of the rows carries into the axis before it; NULL =
   nothing. */
static const struct expr *carry_of(struct batch_expansion *x, const struct batch_loops *b,
                                   const struct batch_form *form, int i)
{
    const struct expr *zero = expr_integer(x->arena, form->type, 0),
                      *extent = expr_cast(x->arena, form->type, b->dealing->extents[i]),
                      *one = form->part[i - 1] ? form->part[i - 1] : zero,
                      *all = form->part[i] ? batch_binary(x, OP_MUL, extent, form->part[i]) : zero;
    return certainly_equal(x, one, all) ? NULL : batch_binary(x, OP_SUB, one, all);
}

/* The number goes on to the thread's next point, behind the batch's point `at`. Compilers see how
   the numbers of one batch hang together: their addresses are then sums of two, too. */
static void number_advance(struct batch_expansion *x, struct batch_list *list,
                           struct batch_loops *b, int side, const struct expr *at)
{
    int64_t point;
    const struct expr *number = b->numbers[side], *first = b->firsts[side];
    bool chains = x->unrolls && b->dealing->n_rows == 1 && b->steps[side] &&
                  expr_get_integer(at, &point);
    if (chains && point + 1 < b->band->batch) {
        const struct expr *next = batch_binary(x, OP_ADD, number, b->steps[side]);
        b->numbers[side] = dealer_define(&x->dealer, list, first->var->name, first->type, next);
        map_put_pointer(x->result.places, b->numbers[side]->var, (void *)b->lines[side]);
        return;
    }
    if (b->steps[side])
        batch_append(x, list,
                     stmt_set(x->arena, first->var,
                              batch_binary(x, OP_ADD, number, b->steps[side])));
    b->numbers[side] = first;
}

/* One side goes on to the thread's next point. */
static void side_advance(struct batch_expansion *x, struct batch_list *list,
                         struct batch_loops *b, int side, const struct expr *at)
{
    const struct batch_dealing *d = b->dealing;
    const struct expr *const *digits = b->digits[side];
    number_advance(x, list, b, side, at);
    for (int i = 0; i < dealing_digits(d); i++)
        run_on(x, list, digits[i], d->step[i]);
    for (int i = d->n_rows - 1; i > 0; i--) {
        struct batch_list carry = {0};
        run_on(x, &carry, digits[i], expr_unary(x->arena, OP_NEG, d->extents[i]));
        run_on(x, &carry, digits[i - 1], batch_integer(x, 1));
        run_on(x, &carry, b->numbers[side], carry_of(x, b, &b->forms[side], i));
        batch_append(x, list, stmt_if(x->arena, batch_binary(x, OP_GE, digits[i], d->extents[i]),
                             batch_sequence(x, &carry), NULL));
    }
}

/* What a batch does at its point `at`: a half of it. */
typedef void batch_half(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                        const struct expr *at);

/* The half for all points of the batch: one after the other, or as a loop that is unrolled. */
static void batch_all(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                      batch_half *half)
{
    struct batch_list body = {0};
    int points = b->band->batch;
    if (x->unrolls || points == 1) {
        for (int h = 0; h < points; h++)
            half(x, list, b, batch_integer(x, h));
        return;
    }
    struct var *at = dealer_var(&x->dealer, "h", TYPE_I32, VAR_ITERATOR);
    half(x, &body, b, expr_var(x->arena, at));
    batch_append(x, list, batch_unrolled(x, at, batch_integer(x, points), &body));
}

static void half_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                      const struct expr *at)
{
    batch_load(x, list, b, at);
    side_advance(x, list, b, 0, at);
}

static void half_store(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                       const struct expr *at)
{
    batch_store(x, list, b, at);
    side_advance(x, list, b, 1, at);
}

static void whole_copy(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                       const struct expr *at)
{
    batch_copy(x, list, b, at);
    side_advance(x, list, b, 0, at);
    side_advance(x, list, b, 1, at);
}

/* The loads of a batch behind the first one, whose own are done; in its place the numbers of
   elements go on. */
static void later_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b)
{
    struct batch_list loads = {0}, skipped = {0};
    const struct expr *first = b->firsts[0];
    batch_all(x, &loads, b, half_load);
    if (b->steps[0]) {
        const struct expr *points = expr_integer(x->arena, first->type, b->band->batch);
        run_on(x, &skipped, first, batch_binary(x, OP_MUL, points, b->steps[0]));
    }
    const struct expr *is_later = batch_binary(x, OP_NE, b->is_later, batch_integer(x, 0));
    batch_append(x, list, stmt_if(x->arena, is_later, batch_sequence(x, &loads),
                                  batch_sequence(x, &skipped)));
}

/* From now on batches are later ones. */
static void later_set(struct batch_expansion *x, struct batch_list *list,
                      const struct batch_loops *b)
{
    if (b->is_later)
        batch_append(x, list, stmt_set(x->arena, b->is_later->var, batch_integer(x, 1)));
}

/* A thread does all loads of a batch, then all stores; asynchronous copies need no place between
   these. */
static void batch_do(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b)
{
    if (b->copy.store->async) {
        batch_all(x, list, b, whole_copy);
        return;
    }
    if (b->is_later) {
        later_load(x, list, b);
    } else {
        batch_append(x, list, stmt_array(x->arena, b->held));
        batch_all(x, list, b, half_load);
    }
    batch_all(x, list, b, half_store);
    later_set(x, list, b);
}

/* The number of the element that is read (0) or written (1) at the axes' values. */
static const struct expr *number_at(struct batch_expansion *x, struct batch_loops *b, int side)
{
    const struct array *array = side ? b->copy.store->array : b->copy.load->array;
    const struct expr *const *indices = side ? b->copy.to : b->copy.load->arguments;
    enum type type = b->forms[side].type;
    const struct expr *number = NULL;
    for (int i = 0; i < array->n_dims; i++) {
        const struct expr *index = expr_substitute(x->arena, indices[i], batch_axis_value, b);
        if (number)
            number = batch_binary(x, OP_MUL, number, expr_cast(x->arena, type, array->dims[i]));
        number = expr_join(x->arena, OP_ADD, number, expr_cast(x->arena, type, index));
    }
    return number ? number : expr_integer(x->arena, type, 0);
}

/* The first batch alone is loaded, where the thread has one. */
static void first_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b)
{
    struct batch_list loads = {0};
    b->at = b->begin;
    batch_all(x, &loads, b, half_load);
    batch_append(x, list, stmt_if(x->arena, batch_binary(x, OP_LT, b->begin, b->ends[1]),
                                  batch_sequence(x, &loads), NULL));
}

/* The thread's points along the axis that runs, the others fixed. */
static void run_copy(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b)
{
    static const char *const STEMS[2] = {"from", "to"}, *const STEP_STEMS[2] = {"from_step",
                                                                                "to_step"};
    const struct batch_dealing *d = b->dealing;
    struct batch_list body = {0};
    for (int i = 0; i < 2; i++) {
        const struct batch_form *form = &b->forms[i];
        const struct expr *step = NULL;
        if (d->n_rows > 1)
            step = batch_parts(x, form, d->step, d->n_rows);
        else if (form->part[b->run_axis])
            step = batch_binary(x, OP_MUL, expr_cast(x->arena, form->type, b->rise),
                          form->part[b->run_axis]);
        b->numbers[i] = running(x, list, STEMS[i], form->type, number_at(x, b, i));
        b->firsts[i] = b->numbers[i];
        if (x->unrolls)
            map_put_pointer(x->result.places, b->firsts[i]->var, (void *)b->lines[i]);
        b->steps[i] = NULL;
        if (step)
            b->steps[i] = dealer_define(&x->dealer, list, STEP_STEMS[i], form->type, step);
    }
    batch_bound(x, list, b);
    if (b->ahead && b->ahead->loads) {
        first_load(x, list, b);
        return;
    }
    struct var *at = dealer_var(&x->dealer, "copied", TYPE_I32, VAR_ITERATOR);
    const struct expr *stride = batch_binary(x, OP_MUL, batch_integer(x, b->band->batch), b->rise);
    b->at = expr_var(x->arena, at);
    set_anew(x, &body, b->rise);
    batch_do(x, &body, b);
    batch_append(x, list, stmt_for(x->arena, at, b->begin, b->ends[1], stride,
                                   batch_sequence(x, &body)));
}

/* Along the rows, in one column. */
static void rows_copy(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b)
{
    const struct batch_dealing *d = b->dealing;
    const struct expr *rows = batch_integer(x, 1);
    for (int i = 0; i < d->n_rows; i++) {
        rows = batch_binary(x, OP_MUL, rows,
                            expr_cast(x->arena, TYPE_I32, b->band->axes[i].extent));
        b->axes[i] = d->first[i];
    }
    for (int i = 0; i < dealing_digits(d); i++)
        for (int side = 0; side < 2; side++)
            b->digits[side][i] = digit(x, list, d->first[i]);
    b->run_axis = 0;
    b->end = dealer_define(&x->dealer, list, "copy_rows", TYPE_I32, rows);
    b->rise = d->rise;
    b->begin = d->row;
    if (d->shape == SHAPE_FREE)
        b->begin = expr_select(x->arena, batch_binary(x, OP_LT, d->row, d->rise), d->row, b->end);
    run_copy(x, list, b);
}

/* Along the columns, in one row. */
static void columns_copy(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b)
{
    const struct batch_dealing *d = b->dealing;
    b->axes[0] = d->row;
    b->axes[1] = d->column;
    b->run_axis = 1;
    b->begin = d->column;
    b->end = d->columns;
    b->rise = d->width;
    run_copy(x, list, b);
}

/* Along the rows, in one column after the other. */
static void pieces_copy(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b)
{
    const struct batch_dealing *d = b->dealing;
    struct batch_list body = {0};
    if (b->ahead && b->ahead->loads) {
        rows_copy(x, &body, b);
        batch_append(x, list, stmt_if(x->arena, batch_binary(x, OP_LT, d->column, d->columns),
                                      batch_sequence(x, &body), NULL));
        return;
    }
    struct var *column = dealer_var(&x->dealer, "copy_at", TYPE_I32, VAR_ITERATOR);
    b->axes[b->band->n_axes - 1] = expr_var(x->arena, column);
    set_anew(x, &body, d->row);
    rows_copy(x, &body, b);
    later_set(x, &body, b);
    batch_append(x, list,
        stmt_for(x->arena, column, d->column, d->columns, d->width, batch_sequence(x, &body)));
}

static const struct stmt *band_expand(struct batch_expansion *x, const struct stmt *band)
{
    struct batch_loops b = {.band = band, .lane = batch_integer(x, 0)};
    struct batch_list list = {0};
    if (!batch_match(x->arena, band, &b.copy, &b.forms[0], &b.forms[1]))
        return band;
    const struct array *to = b.copy.store->array;
    int width = b.copy.store->width ? b.copy.store->width : 1;
    const struct batch_dealing *d = dealing_own(x, &list, dealing_of(&x->dealer, &list, band));
    b.dealing = d;
    b.ahead = x->ahead ? map_get_pointer(x->ahead, band) : NULL;
    b.held = b.ahead ? b.ahead->held
                     : batch_private(x, "held", to->element, band->batch * width);
    if (b.ahead && !b.ahead->loads)
        b.is_later = running(x, &list, "later", TYPE_I32, b.ahead->first);
    b.lines[0] = line_of(x, b.copy.load->array);
    b.lines[1] = line_of(x, to);
    b.axes[band->n_axes - 1] = d->column;
    if (d->shape == SHAPE_PLANE)
        columns_copy(x, &list, &b);
    else if (d->shape == SHAPE_LINE || d->shape == SHAPE_ROWS)
        rows_copy(x, &list, &b);
    else
        pieces_copy(x, &list, &b);
    return batch_sequence(x, &list);
}

/* --- the kernel ------------------------------------------------------------------------------- */

static const struct stmt *expand(void *state, const struct stmt *s)
{
    return s->kind == STMT_BAND && s->batch ? band_expand(state, s) : s;
}

static bool has_batches(struct arena *arena, const struct kernel *kernel)
{
    struct stmt_walk walk;
    for (const struct stmt *s = stmt_first(&walk, arena, kernel->body); s; s = stmt_next(&walk))
        if (s->kind == STMT_BAND && s->batch)
            return true;
    return false;
}

struct batches batches_expand(struct arena *arena, const struct kernel *kernel,
                              struct batch_options options)
{
    struct batch_expansion x = {.arena = arena, .unrolls = options.unrolls};
    x.result.kernel = kernel;
    if (!has_batches(arena, kernel))
        return x.result;
    x.dealer = dealer_new(arena, kernel);
    x.result.anew = map_new(arena);
    x.result.places = map_new(arena);
    struct kernel *copy = kernel_copy(arena, kernel);
    if (options.ahead) {
        x.ahead = map_new(arena);
        copy->body = batch_ahead_mark(&x, copy->body);
    }
    copy->body = stmt_rewrite(arena, copy->body, expand, &x);
    x.result.kernel = copy;
    x.result.thread = x.dealer.thread->var;
    x.result.threads = x.dealer.threads->var;
    x.result.begin = batch_sequence(&x, &x.dealer.begin);
    return x.result;
}
