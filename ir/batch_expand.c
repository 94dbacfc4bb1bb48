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

   Why the meaning is kept: each point is done once, by one thread; which thread does it is open,
   as the points of a copy are independent and barriers stand around copies. All loads of a batch
   come before its stores, which changes nothing as the array stored to is not read. Threads that
   are left over where rows do not fill the block begin behind every row. No sum overflows: a tile
   has less than 2^28 points, and a thread that has a point adds at most 4 * 1024. */
#include "ir/batch_copy.h"
#include "ir/walk.h"

struct batch_list {
    const struct stmt **at;
    size_t count, capacity;
};

/* How threads stand in the rows of boxes of one shape. */
enum batch_shape {
    SHAPE_LINE,      /* a box of one axis: thread t begins at point t */
    SHAPE_ROWS,      /* rows fill the block exactly */
    SHAPE_PIECES,    /* the rows of the block's last axis, pieces of which fill a row exactly */
    SHAPE_PLANE,     /* likewise, and the block has as many rows as the box: columns are batched */
    SHAPE_FREE       /* as many whole rows as fit, or pieces as long as the block */
};

struct batch_dealing {
    enum batch_shape shape;
    const struct expr *columns;              /* points of a row; NULL: a box of one axis */
    int n_rows;                              /* axes but the last, or the only one */
    const struct expr *extents[AXES_MAX];    /* of these */
    const struct expr *row, *rise;           /* the thread's first row; rows at once */
    const struct expr *width;                /* threads in a row */
    const struct expr *column;               /* the thread's place there: of one copy only, as it
                                                costs no division */
    const struct expr *first[AXES_MAX], *step[AXES_MAX];    /* digits of row and rise */
};

struct batch_expansion {
    struct arena *arena;
    const struct kernel *kernel;
    bool unrolls;
    struct map *names, *meanings;            /* of scalars at block level: over parameters */
    struct var *thread, *threads;
    struct batch_list begin;                 /* once per kernel */
    VEC(struct batch_dealing *) dealings;
    struct batches result;
};

/* --- small things ----------------------------------------------------------------------------- */

static const char *name_fresh(struct batch_expansion *x, const char *stem)
{
    const char *name = stem;
    for (unsigned i = 2; map_get(x->names, name); i++)
        name = arena_printf(x->arena, "%s_%u", stem, i);
    map_put(x->names, name, x);
    return name;
}

static struct var *variable(struct batch_expansion *x, const char *stem, enum type type,
                            enum var_kind kind)
{
    return var_new(x->arena, name_fresh(x, stem), type, kind);
}

static const struct expr *integer(struct batch_expansion *x, int64_t value)
{
    return expr_integer(x->arena, TYPE_I32, value);
}

static const struct expr *binary(struct batch_expansion *x, enum op op, const struct expr *a,
                                 const struct expr *b)
{
    return expr_binary(x->arena, op, a, b);
}

static void add(struct batch_expansion *x, struct batch_list *list, const struct stmt *s)
{
    vec_push(x->arena, list, s);
}

static const struct stmt *sequence(struct batch_expansion *x, const struct batch_list *list)
{
    return stmt_sequence(x->arena, list->at, (int)list->count);
}

/* `value` under a name, unless it is a number or a name already. */
static const struct expr *define(struct batch_expansion *x, struct batch_list *list,
                                 const char *stem, enum type type, const struct expr *value)
{
    value = expr_cast(x->arena, type, value);
    if (value->kind == EXPR_INTEGER || value->kind == EXPR_VAR)
        return value;
    struct var *var = variable(x, stem, type, VAR_LOCAL);
    add(x, list, stmt_let(x->arena, var, value));
    return expr_var(x->arena, var);
}

/* A variable that runs: it begins with `value`. */
static const struct expr *running(struct batch_expansion *x, struct batch_list *list,
                                  const char *stem, enum type type, const struct expr *value)
{
    struct var *var = variable(x, stem, type, VAR_LOCAL);
    add(x, list, stmt_let(x->arena, var, expr_cast(x->arena, type, value)));
    if (x->unrolls)
        map_put_pointer(x->result.anew, var, var);
    return expr_var(x->arena, var);
}

static const struct expr *digit(struct batch_expansion *x, struct batch_list *list,
                                const struct expr *first)
{
    struct var *var = variable(x, "copy_axis", TYPE_I32, VAR_LOCAL);
    add(x, list, stmt_let(x->arena, var, first));
    return expr_var(x->arena, var);
}

/* A running variable goes on by `step`; NULL: it stays. */
static void run_on(struct batch_expansion *x, struct batch_list *list, const struct expr *var,
                   const struct expr *step)
{
    if (step)
        add(x, list, stmt_set(x->arena, var->var, binary(x, OP_ADD, var, step)));
}

/* --- how points are dealt out ----------------------------------------------------------------- */

static const struct expr *meaning_of(void *state, const struct var *var)
{
    return map_get_pointer(state, var);
}

/* The scalars at block level that stand for expressions over parameters. */
static void meanings_collect(struct batch_expansion *x)
{
    struct stmt_walk walk;
    x->meanings = map_new(x->arena);
    for (const struct stmt *s = stmt_first(&walk, x->arena, x->kernel->body); s;
         s = stmt_next(&walk)) {
        if (s->kind != STMT_LET || !s->value || stmt_sets_var(x->kernel->body, s->var))
            continue;
        const struct expr *value = expr_substitute(x->arena, s->value, meaning_of, x->meanings);
        if (expr_reads_only_params(value) && expr_is_total(value))
            map_put_pointer(x->meanings, s->var, (void *)value);
    }
}

static const struct var *param_of(void *state, const char *name)
{
    const struct param *param = kernel_param(state, name);
    return param ? param->var : NULL;
}

/* a / b as an expression; NULL if it is not certainly an integer, whatever the parameters are. */
static const struct expr *quotient(struct batch_expansion *x, const struct poly *a,
                                   const struct poly *b)
{
    const struct poly *q = a && b && !poly_is_zero(b) ? poly_divide_exact(a, b) : NULL;
    return q ? poly_expr(x->arena, q, TYPE_I32, param_of, (void *)x->kernel) : NULL;
}

/* Chooses the shape: sets shape, and rise and width where they are certain. A kernel whose bands
   are all strided runs with any number of threads. */
static void dealing_shape(struct batch_expansion *x, struct batch_dealing *d)
{
    const struct kernel *k = x->kernel;
    d->shape = d->columns ? SHAPE_FREE : SHAPE_LINE;
    if (!d->columns || kernel_all_strided(k))
        return;
    const struct expr *last = k->block[k->n_block - 1].extent;
    const struct poly *threads = kernel_threads(k), *columns = kernel_poly(k, d->columns),
                      *piece = kernel_poly(k, last), *rows = NULL;
    const struct expr *whole = quotient(x, threads, columns);
    const struct expr *pieces = quotient(x, columns, piece) ? quotient(x, threads, piece) : NULL;
    if (d->n_rows == 1 && expr_reads_only_params(d->extents[0]))
        rows = kernel_poly(k, d->extents[0]);
    if (whole)
        d->shape = SHAPE_ROWS;
    else if (pieces)
        d->shape = rows && poly_equal(poly_mul(rows, piece), threads) ? SHAPE_PLANE : SHAPE_PIECES;
    d->width = whole ? d->columns : last;
    d->rise = whole ? whole : pieces;
}

/* At least 1, as something is divided by it. */
static const struct expr *at_least_one(struct batch_expansion *x, const struct expr *e)
{
    return expr_select(x->arena, binary(x, OP_LT, e, integer(x, 1)), integer(x, 1), e);
}

/* The digits of a number of rows, the last axis of rows fastest. */
static void dealing_split(struct batch_expansion *x, struct batch_list *list,
                          const struct batch_dealing *d, const struct expr *number,
                          const struct expr **digits)
{
    for (int i = d->n_rows - 1; i > 0; i--) {
        const struct expr *extent = at_least_one(x, d->extents[i]);
        digits[i] = define(x, list, "copy_digit", TYPE_I32, binary(x, OP_REM, number, extent));
        number = define(x, list, "copy_rest", TYPE_I32, binary(x, OP_DIV, number, extent));
    }
    digits[0] = number;
}

/* Threads in a row where rows need not fill the block. */
static const struct expr *row_width(struct batch_expansion *x, const struct expr *columns,
                                    const struct expr *threads)
{
    return at_least_one(x, expr_minimum(x->arena, columns, threads));
}

/* Neither number is negative: the quotient is that of unsigned numbers, which costs less. */
static const struct expr *divide(struct batch_expansion *x, const struct expr *a,
                                 const struct expr *b)
{
    const struct expr *q = binary(x, OP_DIV, expr_cast(x->arena, TYPE_U32, a),
                                  expr_cast(x->arena, TYPE_U32, b));
    return expr_cast(x->arena, TYPE_I32, q);
}

static void dealing_define(struct batch_expansion *x, struct batch_list *list,
                           struct batch_dealing *d)
{
    const struct expr *thread = expr_var(x->arena, x->thread),
                      *threads = expr_var(x->arena, x->threads);
    if (d->shape == SHAPE_LINE) {
        d->row = thread;
        d->rise = threads;
    } else {
        if (d->shape == SHAPE_FREE) {
            d->width = define(x, list, "copy_width", TYPE_I32, row_width(x, d->columns, threads));
            d->rise = divide(x, threads, d->width);
        }
        d->row = define(x, list, "copy_row", TYPE_I32, divide(x, thread, d->width));
        d->rise = define(x, list, "copy_rise", TYPE_I32, d->rise);
    }
    dealing_split(x, list, d, d->row, d->first);
    dealing_split(x, list, d, d->rise, d->step);
}

static bool dealing_equal(const struct batch_dealing *a, const struct batch_dealing *b)
{
    if (a->shape != b->shape || a->n_rows != b->n_rows)
        return false;
    if (a->columns && !expr_equal(a->columns, b->columns))
        return false;
    for (int i = 1; i < a->n_rows; i++)
        if (!expr_equal(a->extents[i], b->extents[i]))
            return false;
    return true;
}

/* How the band's points are dealt out: once for all bands of its shape, where that hangs on
   parameters alone; else the definitions stand in `local`. */
static const struct batch_dealing *dealing_of(struct batch_expansion *x, struct batch_list *local,
                                              const struct stmt *band)
{
    struct batch_dealing *d = ARENA_NEW(x->arena, struct batch_dealing);
    const struct expr *extents[AXES_MAX] = {NULL};
    bool is_known = true;
    for (int i = 0; i < band->n_axes; i++) {
        extents[i] = expr_substitute(x->arena, band->axes[i].extent, meaning_of, x->meanings);
        is_known &= i == 0 || expr_reads_only_params(extents[i]);
        extents[i] = expr_cast(x->arena, TYPE_I32, extents[i]);
    }
    d->n_rows = band->n_axes > 1 ? band->n_axes - 1 : 1;
    d->columns = band->n_axes > 1 ? extents[d->n_rows] : NULL;
    for (int i = 0; i < d->n_rows; i++)
        d->extents[i] = extents[i];
    dealing_shape(x, d);
    if (!is_known) {
        dealing_define(x, local, d);
        return d;
    }
    for (size_t i = 0; i < x->dealings.count; i++)
        if (dealing_equal(x->dealings.at[i], d))
            return x->dealings.at[i];
    dealing_define(x, &x->begin, d);
    vec_push(x->arena, &x->dealings, d);
    return d;
}

/* Axes that run as digits: those of rows, where there are several. */
static int digits_count(const struct batch_dealing *d)
{
    return d->n_rows > 1 ? d->n_rows : 0;
}

/* --- one band --------------------------------------------------------------------------------- */

/* A band on its way to loops. */
struct batch_loops {
    const struct stmt *band;
    const struct batch_dealing *dealing;
    struct batch_copy copy;
    struct batch_form forms[2];              /* from, to */
    const struct array *lines[2];
    const struct expr *numbers[2];           /* running */
    const struct expr *steps[2];             /* what they go on by; NULL = nothing */
    int run_axis;                            /* the axis along which points are batched; several
                                                axes of rows count as one, 0 */
    const struct expr *begin, *end, *rise;   /* along it */
    const struct expr *at;                   /* of the batch's first point */
    const struct expr *axes[AXES_MAX];       /* at a point */
    const struct expr *digits[2][AXES_MAX];  /* the axes of rows, where there are several: each
                                                side has its own */
    const struct array *held;                /* the elements of a batch */
};

/* A variable of the copy that begins with `number`, whatever is kept of that elsewhere. Compilers
   that see where it comes from compute what hangs on it once for all copies, and keep that in
   registers which other code lacks; so it is set anew where that should not be (batches.anew). */
static const struct expr *own(struct batch_expansion *x, struct batch_list *list,
                              const struct expr *number)
{
    if (!x->unrolls || number->kind != EXPR_VAR)
        return number;
    struct var *var = variable(x, number->var->name, number->type, VAR_LOCAL);
    add(x, list, stmt_let(x->arena, var, number));
    map_put_pointer(x->result.anew, var, var);
    return expr_var(x->arena, var);
}

static void set_anew(struct batch_expansion *x, struct batch_list *list, const struct expr *number)
{
    if (number && number->kind == EXPR_VAR && map_get_pointer(x->result.anew, number->var))
        add(x, list, stmt_set(x->arena, number->var, number));
}

/* The number of rows that has these digits. */
static const struct expr *digits_join(struct batch_expansion *x, const struct batch_dealing *d,
                                      const struct expr *const *digits)
{
    const struct expr *number = digits[0];
    for (int i = 1; i < d->n_rows; i++)
        number = binary(x, OP_ADD, binary(x, OP_MUL, number, d->extents[i]), digits[i]);
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
    d->row = define(x, list, "copy_row", TYPE_I32, digits_join(x, d, d->first));
    d->rise = define(x, list, "copy_rise", TYPE_I32, digits_join(x, d, d->step));
    if (d->columns) {
        if (d->shape != SHAPE_FREE)
            d->width = define(x, list, "copy_width", TYPE_I32, d->width);
        if (d->shape == SHAPE_PLANE)
            d->width = own(x, list, d->width);
        d->column = binary(x, OP_SUB, expr_var(x->arena, x->thread),
                           binary(x, OP_MUL, d->row, d->width));
        d->column = define(x, list, "copy_column", TYPE_I32, d->column);
    }
    return d;
}

static const struct expr *axis_value(void *state, const struct var *var)
{
    const struct batch_loops *b = state;
    for (int i = 0; i < b->band->n_axes; i++)
        if (b->band->axes[i].var == var)
            return b->axes[i];
    return NULL;
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

static const struct array *private_of(struct batch_expansion *x, const char *stem, enum type type,
                                      const struct expr *size)
{
    struct array *array = ARENA_NEW(x->arena, struct array);
    const struct expr **dims = ARENA_ARRAY(x->arena, const struct expr *, 1);
    dims[0] = size;
    *array = (struct array){.name = name_fresh(x, stem),
                            .element = type,
                            .space = SPACE_PRIVATE,
                            .n_dims = 1,
                            .dims = dims};
    return array;
}

/* The sum of part[i] * values[i]; NULL = 0. */
static const struct expr *parts_sum(struct batch_expansion *x, const struct batch_form *form,
                                    const struct expr *const *values, int n)
{
    const struct expr *total = NULL;
    for (int i = 0; i < n; i++)
        if (form->part[i])
            total = expr_join(x->arena, OP_ADD, total,
                              binary(x, OP_MUL, expr_cast(x->arena, form->type, values[i]),
                                     form->part[i]));
    return total;
}

static bool certainly_equal(struct batch_expansion *x, const struct expr *a, const struct expr *b)
{
    const struct poly *p = kernel_poly(x->kernel,
                                       expr_substitute(x->arena, a, meaning_of, x->meanings)),
                      *q = kernel_poly(x->kernel,
                                       expr_substitute(x->arena, b, meaning_of, x->meanings));
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
                      *all = form->part[i] ? binary(x, OP_MUL, extent, form->part[i]) : zero;
    return certainly_equal(x, one, all) ? NULL : binary(x, OP_SUB, one, all);
}

/* One side goes on to the thread's next point. */
static void side_advance(struct batch_expansion *x, struct batch_list *list,
                         const struct batch_loops *b, int side)
{
    const struct batch_dealing *d = b->dealing;
    const struct expr *const *digits = b->digits[side];
    run_on(x, list, b->numbers[side], b->steps[side]);
    for (int i = 0; i < digits_count(d); i++)
        run_on(x, list, digits[i], d->step[i]);
    for (int i = d->n_rows - 1; i > 0; i--) {
        struct batch_list carry = {0};
        run_on(x, &carry, digits[i], expr_unary(x->arena, OP_NEG, d->extents[i]));
        run_on(x, &carry, digits[i - 1], integer(x, 1));
        run_on(x, &carry, b->numbers[side], carry_of(x, b, &b->forms[side], i));
        add(x, list, stmt_if(x->arena, binary(x, OP_GE, digits[i], d->extents[i]),
                             sequence(x, &carry), NULL));
    }
}

/* The load of the value as one of the line. */
struct batch_value {
    struct batch_expansion *x;
    const struct batch_loops *loops;
};

static const struct expr *load_from(void *state, const struct expr *e)
{
    struct batch_value *v = state;
    if (e->kind != EXPR_LOAD)
        return e;
    return expr_load(v->x->arena, v->loops->lines[0], &v->loops->numbers[0], e->loc);
}

/* Is there a point of the copy at * rise behind the batch's first one? From now on that point is
   the one that is spoken of. */
static const struct expr *point_condition(struct batch_expansion *x, struct batch_loops *b,
                                          const struct expr *at, int side)
{
    const struct expr *place = binary(x, OP_ADD, b->at, binary(x, OP_MUL, at, b->rise));
    const struct expr *inside = binary(x, OP_LT, place, b->end);
    if (b->dealing->n_rows == 1)
        b->axes[b->run_axis] = place;
    for (int i = 0; i < digits_count(b->dealing); i++)
        b->axes[i] = b->digits[side][i];
    if (!b->copy.condition)
        return inside;
    return binary(x, OP_LAND, inside,
                  expr_substitute(x->arena, b->copy.condition, axis_value, b));
}

static const struct expr *zero_of(struct batch_expansion *x, enum type type)
{
    return type_is_floating(type) ? expr_real(x->arena, type, 0) : expr_integer(x->arena, type, 0);
}

/* held[at] = value where there is a point, else 0: a place without a value on some path would be
   kept from batch to batch. Of a copy with a value for cells outside that value is also what no
   point gets: there is one question for each load, not two. */
static void point_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                       const struct expr *at)
{
    struct batch_value v = {x, b};
    const struct expr *condition = point_condition(x, b, at, 0);
    const struct expr *value = expr_rewrite(x->arena, b->copy.value, load_from, &v);
    value = expr_substitute(x->arena, value, axis_value, b);
    const struct expr *otherwise = zero_of(x, value->type);
    if (value->kind == EXPR_SELECT && expr_is_total(value->arguments[2])) {
        condition = binary(x, OP_LAND, condition, value->arguments[0]);
        otherwise = value->arguments[2];
        value = value->arguments[1];
    }
    value = expr_select(x->arena, condition, value, otherwise);
    add(x, list, stmt_store(x->arena, b->held, &at, value, b->copy.store->loc));
}

/* The same of a vector: its elements stand in held from width * at on. */
static void vector_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                        const struct expr *at)
{
    struct batch_value v = {x, b};
    const struct stmt *store = b->copy.store;
    const struct expr *condition = point_condition(x, b, at, 0);
    const struct expr *value = expr_rewrite(x->arena, b->copy.value, load_from, &v);
    value = expr_substitute(x->arena, value, axis_value, b);
    const struct expr *first = binary(x, OP_MUL, at, integer(x, store->width));
    for (int i = 0; i < store->width; i++) {
        const struct expr *place = binary(x, OP_ADD, first, integer(x, i));
        add(x, list, stmt_store(x->arena, b->held, &place, zero_of(x, value->type), store->loc));
    }
    add(x, list, stmt_if(x->arena, condition,
                         stmt_vector(x->arena, b->held, &first, value, store->loc), NULL));
}

static const struct stmt *point_store(struct batch_expansion *x, struct batch_loops *b,
                                      const struct expr *at, const struct expr *place)
{
    const struct stmt *store = b->copy.store;
    if (store->width)
        at = binary(x, OP_MUL, at, integer(x, store->width));
    const struct expr *value = expr_load(x->arena, b->held, &at, store->loc);
    return store->width ? stmt_vector(x->arena, b->lines[1], &place, value, store->loc)
                        : stmt_store(x->arena, b->lines[1], &place, value, store->loc);
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
    if (x->unrolls) {
        for (int h = 0; h < points; h++)
            half(x, list, b, integer(x, h));
        return;
    }
    struct var *at = variable(x, "h", TYPE_I32, VAR_ITERATOR);
    half(x, &body, b, expr_var(x->arena, at));
    struct stmt *loop = (struct stmt *)stmt_for(x->arena, at, integer(x, 0), integer(x, points),
                                                integer(x, 1), sequence(x, &body));
    loop->unroll = true;
    add(x, list, loop);
}

static void half_load(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                      const struct expr *at)
{
    (b->copy.store->width ? vector_load : point_load)(x, list, b, at);
    side_advance(x, list, b, 0);
}

/* A point's condition is computed again for its store. */
static void half_store(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b,
                       const struct expr *at)
{
    const struct expr *condition = point_condition(x, b, at, 1);
    add(x, list, stmt_if(x->arena, condition, point_store(x, b, at, b->numbers[1]), NULL));
    side_advance(x, list, b, 1);
}

/* The number of the element that is read (0) or written (1) at the axes' values. */
static const struct expr *number_at(struct batch_expansion *x, struct batch_loops *b, int side)
{
    const struct array *array = side ? b->copy.store->array : b->copy.load->array;
    const struct expr *const *indices = side ? b->copy.to : b->copy.load->arguments;
    enum type type = b->forms[side].type;
    const struct expr *number = NULL;
    for (int i = 0; i < array->n_dims; i++) {
        const struct expr *index = expr_substitute(x->arena, indices[i], axis_value, b);
        if (number)
            number = binary(x, OP_MUL, number, expr_cast(x->arena, type, array->dims[i]));
        number = expr_join(x->arena, OP_ADD, number, expr_cast(x->arena, type, index));
    }
    return number ? number : expr_integer(x->arena, type, 0);
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
            step = parts_sum(x, form, d->step, d->n_rows);
        else if (form->part[b->run_axis])
            step = binary(x, OP_MUL, expr_cast(x->arena, form->type, b->rise),
                          form->part[b->run_axis]);
        b->numbers[i] = running(x, list, STEMS[i], form->type, number_at(x, b, i));
        b->steps[i] = step ? define(x, list, STEP_STEMS[i], form->type, step) : NULL;
    }
    struct var *at = variable(x, "copied", TYPE_I32, VAR_ITERATOR);
    const struct expr *stride = binary(x, OP_MUL, integer(x, b->band->batch), b->rise);
    b->at = expr_var(x->arena, at);
    set_anew(x, &body, b->rise);
    add(x, &body, stmt_array(x->arena, b->held));
    batch_all(x, &body, b, half_load);
    batch_all(x, &body, b, half_store);
    add(x, list, stmt_for(x->arena, at, b->begin, b->end, stride, sequence(x, &body)));
}

/* Along the rows, in one column. */
static void rows_copy(struct batch_expansion *x, struct batch_list *list, struct batch_loops *b)
{
    const struct batch_dealing *d = b->dealing;
    const struct expr *rows = integer(x, 1);
    for (int i = 0; i < d->n_rows; i++) {
        rows = binary(x, OP_MUL, rows, expr_cast(x->arena, TYPE_I32, b->band->axes[i].extent));
        b->axes[i] = d->first[i];
    }
    for (int i = 0; i < digits_count(d); i++)
        for (int side = 0; side < 2; side++)
            b->digits[side][i] = digit(x, list, d->first[i]);
    b->run_axis = 0;
    b->end = define(x, list, "copy_rows", TYPE_I32, rows);
    b->rise = d->rise;
    b->begin = d->row;
    if (d->shape == SHAPE_FREE)
        b->begin = expr_select(x->arena, binary(x, OP_LT, d->row, d->rise), d->row, b->end);
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
    struct var *column = variable(x, "copy_at", TYPE_I32, VAR_ITERATOR);
    b->axes[b->band->n_axes - 1] = expr_var(x->arena, column);
    set_anew(x, &body, d->row);
    rows_copy(x, &body, b);
    add(x, list,
        stmt_for(x->arena, column, d->column, d->columns, d->width, sequence(x, &body)));
}

static const struct stmt *band_expand(struct batch_expansion *x, const struct stmt *band)
{
    struct batch_loops b = {.band = band};
    struct batch_list list = {0};
    if (!batch_match(x->arena, band, &b.copy, &b.forms[0], &b.forms[1]))
        return band;
    const struct array *to = b.copy.store->array;
    int width = b.copy.store->width ? b.copy.store->width : 1;
    const struct batch_dealing *d = dealing_own(x, &list, dealing_of(x, &list, band));
    b.dealing = d;
    b.held = private_of(x, "held", to->element, integer(x, (int64_t)band->batch * width));
    b.lines[0] = line_of(x, b.copy.load->array);
    b.lines[1] = line_of(x, to);
    b.axes[band->n_axes - 1] = d->column;
    if (d->shape == SHAPE_PLANE)
        columns_copy(x, &list, &b);
    else if (d->shape == SHAPE_LINE || d->shape == SHAPE_ROWS)
        rows_copy(x, &list, &b);
    else
        pieces_copy(x, &list, &b);
    return sequence(x, &list);
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
                              bool unrolls)
{
    struct batch_expansion x = {.arena = arena, .kernel = kernel, .unrolls = unrolls};
    x.result.kernel = kernel;
    if (!has_batches(arena, kernel))
        return x.result;
    x.names = kernel_names(arena, kernel);
    x.thread = variable(&x, "thread", TYPE_I32, VAR_LOCAL);
    x.threads = variable(&x, "threads", TYPE_I32, VAR_LOCAL);
    x.result.anew = map_new(arena);
    meanings_collect(&x);
    struct kernel *copy = kernel_copy(arena, kernel);
    copy->body = stmt_rewrite(arena, kernel->body, expand, &x);
    x.result.kernel = copy;
    x.result.thread = x.thread;
    x.result.threads = x.threads;
    x.result.begin = sequence(&x, &x.begin);
    return x.result;
}
