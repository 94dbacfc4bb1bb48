/* How the points of a box are dealt out to the threads of a block.

   In: a strided band, whose axes span a box. Out: which row and column of the box each thread
   begins at, and how far it goes on, as expressions; what is divided (threads by the length of a
   row) is divided once per kernel, where that hangs on parameters alone. Which thread does a point
   is open: the points of a copy are independent, and barriers stand around copies. */
#include "ir/batch_dealing.h"
#include "ir/walk.h"

/* --- definitions ------------------------------------------------------------------------------ */

struct var *dealer_var(struct batch_dealer *dealer, const char *stem, enum type type,
                       enum var_kind kind)
{
    return var_new(dealer->arena, names_fresh(&dealer->names, stem), type, kind);
}

const struct expr *dealer_define(struct batch_dealer *dealer, struct batch_list *list,
                                 const char *stem, enum type type, const struct expr *value)
{
    value = expr_cast(dealer->arena, type, value);
    if (value->kind == EXPR_INTEGER || value->kind == EXPR_VAR)
        return value;
    struct var *var = dealer_var(dealer, stem, type, VAR_LOCAL);
    vec_push(dealer->arena, list, stmt_let(dealer->arena, var, value));
    return expr_var(dealer->arena, var);
}

static const struct expr *number_define(struct batch_dealer *dealer, struct batch_list *list,
                                        const char *stem, const struct expr *value)
{
    return dealer_define(dealer, list, stem, TYPE_I32, value);
}

/* --- what is known of the kernel -------------------------------------------------------------- */

static const struct expr *meaning_of(void *state, const struct var *var)
{
    return map_get_pointer(state, var);
}

/* The scalars at block level that stand for expressions over parameters. */
static void meanings_collect(struct batch_dealer *dealer)
{
    struct stmt_walk walk;
    dealer->meanings = map_new(dealer->arena);
    for (const struct stmt *s = stmt_first(&walk, dealer->arena, dealer->kernel->body); s;
         s = stmt_next(&walk)) {
        if (s->kind != STMT_LET || !s->value || stmt_sets_var(dealer->kernel->body, s->var))
            continue;
        const struct expr *value = expr_substitute(dealer->arena, s->value, meaning_of,
                                                   dealer->meanings);
        if (expr_reads_only_params(value) && expr_is_total(value))
            map_put_pointer(dealer->meanings, s->var, (void *)value);
    }
}

struct batch_dealer dealer_new(struct arena *arena, const struct kernel *kernel)
{
    struct batch_dealer dealer = {.arena = arena, .kernel = kernel};
    dealer.names = names_new(arena, kernel);
    dealer.thread = expr_var(arena, dealer_var(&dealer, "thread", TYPE_I32, VAR_LOCAL));
    dealer.threads = expr_var(arena, dealer_var(&dealer, "threads", TYPE_I32, VAR_LOCAL));
    meanings_collect(&dealer);
    return dealer;
}

const struct poly *dealer_poly(const struct batch_dealer *dealer, const struct expr *e)
{
    return kernel_poly(dealer->kernel,
                       expr_substitute(dealer->arena, e, meaning_of, dealer->meanings));
}

/* --- dealings --------------------------------------------------------------------------------- */

/* a / b as an expression; NULL if it is not certainly an integer, whatever the parameters are. */
static const struct expr *quotient(struct batch_dealer *dealer, const struct poly *a,
                                   const struct poly *b)
{
    const struct poly *q = a && b && !poly_is_zero(b) ? poly_divide_exact(a, b) : NULL;
    return q ? kernel_poly_expr(dealer->arena, dealer->kernel, q, TYPE_I32) : NULL;
}

/* Chooses the shape: sets shape, and rise and width where they are certain. A kernel whose bands
   are all strided runs with any number of threads. */
static void dealing_shape(struct batch_dealer *dealer, struct batch_dealing *d)
{
    const struct kernel *k = dealer->kernel;
    d->shape = d->columns ? SHAPE_FREE : SHAPE_LINE;
    if (!d->columns || kernel_all_strided(k))
        return;
    const struct expr *last = k->block[k->n_block - 1].extent;
    const struct poly *threads = kernel_threads(k), *columns = kernel_poly(k, d->columns),
                      *piece = kernel_poly(k, last), *rows = NULL;
    const struct expr *whole = quotient(dealer, threads, columns);
    const struct expr *pieces = quotient(dealer, columns, piece) ? quotient(dealer, threads, piece)
                                                                 : NULL;
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
static const struct expr *at_least_one(struct batch_dealer *dealer, const struct expr *e)
{
    const struct expr *one = expr_integer(dealer->arena, TYPE_I32, 1);
    return expr_select(dealer->arena, expr_binary(dealer->arena, OP_LT, e, one), one, e);
}

/* The digits of a number of rows, the last axis of rows fastest. */
static void dealing_split(struct batch_dealer *dealer, struct batch_list *list,
                          const struct batch_dealing *d, const struct expr *number,
                          const struct expr **digits)
{
    for (int i = d->n_rows - 1; i > 0; i--) {
        const struct expr *extent = at_least_one(dealer, d->extents[i]);
        digits[i] = number_define(dealer, list, "copy_digit",
                                  expr_binary(dealer->arena, OP_REM, number, extent));
        number = number_define(dealer, list, "copy_rest",
                               expr_binary(dealer->arena, OP_DIV, number, extent));
    }
    digits[0] = number;
}

/* Threads in a row where rows need not fill the block. */
static const struct expr *row_width(struct batch_dealer *dealer, const struct expr *columns)
{
    return at_least_one(dealer, expr_minimum(dealer->arena, columns, dealer->threads));
}

/* Neither number is negative: the quotient is that of unsigned numbers, which costs less. */
static const struct expr *divide(struct batch_dealer *dealer, const struct expr *a,
                                 const struct expr *b)
{
    const struct expr *q = expr_binary(dealer->arena, OP_DIV,
                                       expr_cast(dealer->arena, TYPE_U32, a),
                                       expr_cast(dealer->arena, TYPE_U32, b));
    return expr_cast(dealer->arena, TYPE_I32, q);
}

static void dealing_define(struct batch_dealer *dealer, struct batch_list *list,
                           struct batch_dealing *d)
{
    if (d->shape == SHAPE_LINE) {
        d->row = dealer->thread;
        d->rise = dealer->threads;
    } else {
        if (d->shape == SHAPE_FREE) {
            d->width = number_define(dealer, list, "copy_width", row_width(dealer, d->columns));
            d->rise = divide(dealer, dealer->threads, d->width);
        }
        d->row = number_define(dealer, list, "copy_row", divide(dealer, dealer->thread, d->width));
        d->rise = number_define(dealer, list, "copy_rise", d->rise);
    }
    dealing_split(dealer, list, d, d->row, d->first);
    dealing_split(dealer, list, d, d->rise, d->step);
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

const struct batch_dealing *dealing_of(struct batch_dealer *dealer, struct batch_list *local,
                                       const struct stmt *band)
{
    struct batch_dealing *d = ARENA_NEW(dealer->arena, struct batch_dealing);
    const struct expr *extents[AXES_MAX] = {NULL};
    bool is_known = true;
    for (int i = 0; i < band->n_axes; i++) {
        extents[i] = expr_substitute(dealer->arena, band->axes[i].extent, meaning_of,
                                     dealer->meanings);
        is_known &= i == 0 || expr_reads_only_params(extents[i]);
        extents[i] = expr_cast(dealer->arena, TYPE_I32, extents[i]);
    }
    d->n_rows = band->n_axes > 1 ? band->n_axes - 1 : 1;
    d->columns = band->n_axes > 1 ? extents[d->n_rows] : NULL;
    for (int i = 0; i < d->n_rows; i++)
        d->extents[i] = extents[i];
    dealing_shape(dealer, d);
    if (!is_known) {
        dealing_define(dealer, local, d);
        return d;
    }
    for (size_t i = 0; i < dealer->dealings.count; i++)
        if (dealing_equal(dealer->dealings.at[i], d))
            return dealer->dealings.at[i];
    dealing_define(dealer, &dealer->begin, d);
    vec_push(dealer->arena, &dealer->dealings, d);
    return d;
}

int dealing_digits(const struct batch_dealing *dealing)
{
    return dealing->n_rows > 1 ? dealing->n_rows : 0;
}
