/* Sums whose order matters, and axes that give way to it.

   In: a kernel with accumulating stores, the arrays of its clauses and its body without such
   stores. Out: the kernel that is made. An array's stores stay plain where no two iterations that
   run at once touch one element of it (row sums: each thread has rows of its own), which is proved
   as for any other array. Else they accumulate where their sum has a form (ir/access/sums.h), a
   tree over the lanes of a block or atomic operations. Else the axes along which iterations meet
   become loops: axes of the grid around the body of a block, axes of the block inside its bands, in
   the order of the text. One thread then sums each element in the source's order, so that the
   element has the source's bits.

   Which axes become loops is found from the end at which all are, one thread: an axis runs at once
   again where the proof succeeds with it. */
#include "ir/access/ends.h"
#include "ir/names.h"
#include "metafork/lower.h"

/* A kernel whose axes become loops: bit i of `serial` for axis i of the grid, then of the block. */
struct ordering {
    struct ctx *ctx;
    struct arena *arena;
    const struct kernel *kernel;     /* as lowered */
    const struct stmt *plain;        /* its body without accumulating stores */
    unsigned serial;
    struct names names;
    struct axis block[AXES_MAX];     /* what remains of the kernel's axes */
    int n_block;
    const struct var *from;          /* a band's variable, and the loop's that takes its place */
    const struct expr *to;
    struct ends_fault fault;         /* of the last kernel; without a store there is none */
};

static bool grid_is_serial(const struct ordering *o, int axis)
{
    return o->serial >> axis & 1;
}

static bool block_is_serial(const struct ordering *o, int axis)
{
    return o->serial >> (o->kernel->n_grid + axis) & 1;
}

static const struct expr *variable_replace(void *state, const struct expr *e)
{
    const struct ordering *o = state;
    return e->kind == EXPR_VAR && e->var == o->from ? o->to : e;
}

static const struct stmt *axis_loop(struct ordering *o, const struct axis *axis,
                                    const struct var *var, const struct stmt *body)
{
    return stmt_for(o->arena, var, expr_integer(o->arena, var->type, 0), axis->extent,
                    expr_integer(o->arena, var->type, 1), body);
}

/* A band with its serial axes as loops. */
static const struct stmt *band_order(void *state, const struct stmt *s)
{
    struct ordering *o = state;
    struct axis axes[AXES_MAX];
    int n = 0;
    if (s->kind != STMT_BAND)
        return s;
    const struct stmt *body = s->children[0];
    for (int i = s->n_axes; i-- > 0;) {
        const struct var *from = s->axes[i].var;
        if (!block_is_serial(o, i))
            continue;
        const struct var *var = var_new(o->arena, names_fresh(&o->names, from->name), from->type,
                                        VAR_ITERATOR);
        o->from = from;
        o->to = expr_var(o->arena, var);
        body = stmt_rewrite_exprs(o->arena, body, variable_replace, o);
        body = axis_loop(o, &s->axes[i], var, body);
    }
    for (int i = 0; i < s->n_axes; i++)
        if (!block_is_serial(o, i))
            axes[n++] = s->axes[i];
    return stmt_band(o->arena, n ? axes : o->block, n ? n : 1, false, body);
}

static struct axis axis_single(struct ordering *o, const char *stem)
{
    const struct var *var = var_new(o->arena, names_fresh(&o->names, stem), TYPE_I32,
                                    VAR_ITERATOR);
    return (struct axis){var, expr_integer(o->arena, TYPE_I32, 1)};
}

/* The kernel with those axes as loops, and with accumulating stores where the list says so. There
   is none if what would begin or end such sums does not (o->fault). */
static struct kernel *kernel_order(struct ordering *o, const reduced_list *list, unsigned serial)
{
    const struct kernel *from = o->kernel;
    struct kernel *kernel = kernel_copy(o->arena, from);
    struct axis *grid = ARENA_ARRAY(o->arena, struct axis, AXES_MAX);
    struct axis *block = ARENA_ARRAY(o->arena, struct axis, AXES_MAX);
    o->serial = serial;
    o->names = names_new(o->arena, from);
    kernel->n_grid = kernel->n_block = 0;
    for (int i = 0; i < from->n_grid; i++)
        if (!grid_is_serial(o, i))
            grid[kernel->n_grid++] = from->grid[i];
    for (int i = 0; i < from->n_block; i++)
        if (!block_is_serial(o, i))
            block[kernel->n_block++] = from->block[i];
    if (!kernel->n_grid)
        grid[kernel->n_grid++] = axis_single(o, "block");
    if (!kernel->n_block)
        block[kernel->n_block++] = axis_single(o, "thread");
    o->block[0] = block[0];
    const struct stmt *body = reductions_body(o->arena, list, o->plain);
    body = stmt_rewrite(o->arena, body, band_order, o);
    for (int i = from->n_grid; i-- > 0;)
        if (grid_is_serial(o, i))
            body = axis_loop(o, &from->grid[i], from->grid[i].var, body);
    kernel->grid = grid;
    kernel->block = block;
    kernel->body = body;
    o->fault.store = NULL;
    body = access_ends(o->ctx, kernel, &o->fault);
    kernel->body = body ? body : kernel->body;
    return kernel;
}

static bool is_parallel(struct ordering *o, const reduced_list *list, unsigned serial)
{
    const struct kernel *kernel = kernel_order(o, list, serial);
    return !o->fault.store && access_parallel(o->ctx, kernel).verdict == ACCESS_PROVED;
}

/* Few axes that are loops such that the others may run at once. */
static unsigned serial_find(struct ordering *o, const reduced_list *list)
{
    int n = o->kernel->n_grid + o->kernel->n_block;
    unsigned serial = (1u << n) - 1;
    for (int i = 0; i < n; i++)
        if (is_parallel(o, list, serial & ~(1u << i)))
            serial &= ~(1u << i);
    return serial;
}

static enum sum_form form_of(const struct sums *sums, const struct array *array)
{
    for (size_t i = 0; i < sums->count; i++)
        if (sums->at[i].array == array)
            return sums->at[i].form;
    return SUM_SCATTERED;
}

/* Sums without a form keep their order. Axes that become loops for these may take the form of
   others away, which then keep theirs. */
static unsigned order_find(struct ordering *o, reduced_list *list)
{
    unsigned serial = 0;
    for (bool changed = true; changed;) {
        changed = false;
        const struct kernel *kernel = kernel_order(o, list, serial);
        const struct stmt *fault = o->fault.store;
        struct sums sums = {0};
        if (!fault)
            sums = access_sums(o->ctx, kernel);
        for (size_t i = 0; i < list->count; i++) {
            const struct array *array = list->at[i].array;
            if (!list->at[i].is_plain &&
                (fault ? stmt_uses_array(fault, array) : form_of(&sums, array) == SUM_ORDER))
                list->at[i].is_plain = changed = true;
        }
        if (changed)
            serial = serial_find(o, list);
    }
    return serial;
}

bool reductions_settle(struct lower *l, struct kernel *kernel, reduced_list *list,
                       const struct stmt *plain)
{
    struct ordering ordering = {.ctx = l->ctx,
                                .arena = l->arena,
                                .kernel = kernel_copy(l->arena, kernel),
                                .plain = plain};
    for (size_t i = 0; i < list->count; i++)
        list->at[i].is_plain = true;
    if (is_parallel(&ordering, list, 0)) {
        kernel->body = plain;
        return false;
    }
    for (size_t i = 0; i < list->count; i++)
        list->at[i].is_plain = false;
    unsigned serial = order_find(&ordering, list);
    for (size_t i = 0; i < list->count; i++) {
        bool was_plain = list->at[i].is_plain;
        list->at[i].is_plain = true;
        list->at[i].is_plain = was_plain || is_parallel(&ordering, list, serial);
    }
    const struct kernel *settled = kernel_order(&ordering, list, serial);
    kernel->body = settled->body;
    if (serial) {
        kernel->grid = settled->grid;
        kernel->block = settled->block;
        kernel->n_grid = settled->n_grid;
        kernel->n_block = settled->n_block;
    }
    return serial != 0;
}
