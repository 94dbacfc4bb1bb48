/* Rows of parts in the tables of a region (runtime/treefork-tables.h). In: the launches. Out: for
   each the axis along which it is cut and the rows of ir/access/cuts.c, with subscripts as they
   are, and what a subscript is in bytes.

   A row is one range or pieces of one length and pitch: dimensions outside that of the row are
   taken at one subscript or whole, and at one subscript between two that are taken whole they are
   taken whole, too, so that the row counts as one that does not write all of its elements. A launch
   of which something cannot be computed by the host runs whole. Equal rows of launches stand once.
   Operations of rows stand behind all others, as only devices with members ask for them. */
#include "emit/emit.h"
#include "emit/tables.h"
#include "ir/access/rows.h"
#include <string.h>

/* A row that is turned into values. */
struct part_coding {
    struct tables *t;
    const struct part_row *from;
    struct part_values row;
    bool fails;
};

static int coded(struct part_coding *coding, const struct expr *e)
{
    int value = e ? code_expr(coding->t->code, e) : -1;
    coding->fails |= value < 0;
    return value < 0 ? code_integer(coding->t->code, 0) : value;
}

static int operation(const struct part_coding *coding, enum treefork_code op, int a, int b)
{
    return code_operation(coding->t->code, op, a, b, a);
}

static int integer(const struct part_coding *coding, int64_t value)
{
    return code_integer(coding->t->code, value);
}

/* The array's number among those of the region; -1 if the region has no such array. */
static int array_number(const struct tables *t, const char *name)
{
    const struct kernel *k = t->tree->region->kernel;
    int number = 0;
    for (int i = 0; i < k->n_arrays; i++) {
        if (k->arrays[i]->space != SPACE_GLOBAL)
            continue;
        if (strcmp(k->arrays[i]->name, name) == 0)
            return number;
        number++;
    }
    return -1;
}

/* Bytes from one subscript in the dimension to the next. */
static int stride_of(struct part_coding *coding, int dimension)
{
    const struct array *array = coding->from->array;
    int stride = integer(coding, type_bytes(array->element));
    for (int d = array->n_dims - 1; d > dimension; d--)
        stride = operation(coding, TREEFORK_OP_MUL, stride, coded(coding, array->dims[d]));
    return stride;
}

/* Subscripts of the dimension; of an open one as many as the array's bytes have. */
static int subscripts_of(struct part_coding *coding, int dimension)
{
    const struct expr *extent = coding->from->array->dims[dimension];
    if (extent)
        return coded(coding, extent);
    int bytes = coding->t->bytes.at[coding->row.array];
    return operation(coding, TREEFORK_OP_DIV, bytes, stride_of(coding, dimension));
}

/* The dimensions outside that of the row. */
static void code_outer(struct part_coding *coding)
{
    const struct part_row *from = coding->from;
    struct part_values *row = &coding->row;
    int first = from->dimension, last = -1;
    for (int d = from->dimension - 1; d >= 0; d--) {
        first = from->outer[d] ? first : d;
        last = from->outer[d] || last >= 0 ? last : d;
    }
    row->base = row->pitch = integer(coding, 0);
    row->pieces = integer(coding, 1);
    for (int d = 0; d < from->dimension; d++) {
        if (d >= first && d <= last) {
            row->pieces = operation(coding, TREEFORK_OP_MUL, row->pieces, subscripts_of(coding, d));
            row->is_widened |= from->outer[d] != NULL;
            continue;
        }
        int start = operation(coding, TREEFORK_OP_MUL, coded(coding, from->outer[d]),
                              stride_of(coding, d));
        row->base = operation(coding, TREEFORK_OP_ADD, row->base, start);
    }
    if (last >= 0)
        row->pitch = stride_of(coding, last);
}

static void code_bounds(struct part_coding *coding)
{
    const struct part_row *from = coding->from;
    struct part_values *row = &coding->row;
    row->step = coded(coding, from->step);
    row->from = coded(coding, from->from);
    row->to = coded(coding, from->to);
    row->unit = stride_of(coding, from->dimension);
    row->least = integer(coding, 0);
    row->most = subscripts_of(coding, from->dimension);
    if (from->least)
        row->least = operation(coding, TREEFORK_OP_GREATEST, row->least,
                               coded(coding, from->least));
    if (from->most) {
        int below = operation(coding, TREEFORK_OP_ADD, coded(coding, from->most),
                              integer(coding, 1));
        row->most = operation(coding, TREEFORK_OP_LEAST, row->most, below);
    }
    code_outer(coding);
}

/* The list of the conditions under which a row of writes is exact; NONE for other rows. */
static unsigned code_exact(struct part_coding *coding)
{
    const struct part_row *from = coding->from;
    int *values = ARENA_ARRAY(coding->t->arena, int, from->n_exact + 1);
    bool is_exact = from->is_write && from->is_exact && !coding->row.is_widened;
    for (size_t i = 0; i < from->n_exact && is_exact; i++) {
        values[i] = code_expr(coding->t->code, from->exact[i]);
        is_exact = values[i] >= 0;
    }
    return is_exact ? tables_list(coding->t, values, from->n_exact) : TREEFORK_NONE;
}

/* Reads under a condition that the host cannot compute count always; writes are not cut. */
static void code_condition(struct part_coding *coding)
{
    const struct expr *condition = coding->from->condition;
    coding->row.condition = condition ? code_expr(coding->t->code, condition) : -1;
    if (condition && coding->row.condition < 0)
        coding->fails |= coding->from->is_write;
}

/* Extremes of unsigned integers are others than those of signed ones. */
static enum treefork_reduction reduction_of(const struct part_row *from)
{
    static const enum treefork_reduction numbers[REDUCE_COUNT] = {
        [REDUCE_ADD] = TREEFORK_REDUCE_ADD, [REDUCE_AND] = TREEFORK_REDUCE_AND,
        [REDUCE_OR] = TREEFORK_REDUCE_OR,   [REDUCE_XOR] = TREEFORK_REDUCE_XOR,
        [REDUCE_MIN] = TREEFORK_REDUCE_MIN, [REDUCE_MAX] = TREEFORK_REDUCE_MAX};
    bool is_signed = type_is_signed(from->array->element);
    if (from->reduction == REDUCE_MIN && !is_signed)
        return TREEFORK_REDUCE_UNSIGNED_MIN;
    if (from->reduction == REDUCE_MAX && !is_signed)
        return TREEFORK_REDUCE_UNSIGNED_MAX;
    return numbers[from->reduction];
}

/* False if the host cannot compute the row. */
static bool code_row(struct tables *t, const struct part_row *from, struct part_values *row)
{
    struct part_coding coding = {.t = t, .from = from};
    coding.row = (struct part_values){.array = array_number(t, from->array->name),
                                      .is_write = from->is_write,
                                      .reduction = reduction_of(from),
                                      .step = -1,
                                      .exact = TREEFORK_NONE};
    if (coding.row.array < 0)
        return false;
    code_condition(&coding);
    if (from->dimension >= 0)
        code_bounds(&coding);
    coding.row.exact = code_exact(&coding);
    *row = coding.row;
    return !coding.fails;
}

/* All that tells rows apart. */
static const char *row_key(struct arena *arena, const struct part_values *r)
{
    return arena_printf(arena, " %d %d %d %d %d %d %d %d %d %d %d %d %d %u", r->array,
                        r->is_write, (int)r->reduction, r->condition, r->step, r->from, r->to,
                        r->least, r->most, r->unit, r->base, r->pieces, r->pitch, r->exact);
}

/* The cut of a launch with these rows. */
static struct cut_values add_rows(struct tables *t, int axis, const struct part_values *rows,
                                  size_t n)
{
    struct str key = str_new(t->arena);
    struct cut_values cut = {.axis = axis, .first = t->parts.count, .count = n};
    str_add(&key, "parts");
    for (size_t i = 0; i < n; i++)
        str_add(&key, row_key(t->arena, &rows[i]));
    const size_t *known = map_get(t->known, key.text);
    if (known) {
        cut.first = *known;
        return cut;
    }
    size_t *first = ARENA_NEW(t->arena, size_t);
    *first = cut.first;
    map_put(t->known, key.text, first);
    for (size_t i = 0; i < n; i++)
        vec_push(t->arena, &t->parts, rows[i]);
    return cut;
}

/* The rows of all that the launch touches of an array: none, one, or two. */
static size_t touched_rows(struct tables *t, const struct kernel *kernel, const struct array *array,
                           struct part_values rows[static 2])
{
    struct part_values row = {.array = -1, .condition = -1, .step = -1, .exact = TREEFORK_NONE};
    size_t n = 0;
    if (array->space == SPACE_GLOBAL && stmt_uses_array(kernel->body, array))
        row.array = array_number(t, array->name);
    if (row.array < 0)
        return 0;
    rows[n++] = row;
    row.is_write = true;
    if (stmt_stores_to(kernel->body, array))
        rows[n++] = row;
    return n;
}

/* A launch that runs whole. In a leaf with several launches, rows say which arrays it touches, so
   that other arrays stay on the devices that have them. */
static struct cut_values whole_cut(struct tables *t, const struct kernel *kernel,
                                   bool is_among_others)
{
    struct part_values *rows = ARENA_ARRAY(t->arena, struct part_values,
                                           2 * (size_t)kernel->n_arrays + 1);
    size_t n = 0;
    if (!is_among_others)
        return (struct cut_values){.axis = -1};
    for (int i = 0; i < kernel->n_arrays; i++)
        n += touched_rows(t, kernel, kernel->arrays[i], rows + n);
    return add_rows(t, -1, rows, n);
}

static struct cut_values launch_cut(struct tables *t, const struct kernel *kernel,
                                    bool is_among_others)
{
    struct part_cut cut = access_cut(t->host->ctx, kernel, t->tree->region->kernel);
    if (!cut.is_cut)
        return whole_cut(t, kernel, is_among_others);
    const struct part_rows *rows = &cut.axes[cut.taken];
    struct part_values *values = ARENA_ARRAY(t->arena, struct part_values, rows->count + 1);
    for (size_t i = 0; i < rows->count; i++)
        if (!code_row(t, &rows->at[i], &values[i]))
            return whole_cut(t, kernel, is_among_others);
    return add_rows(t, rows->axis, values, rows->count);
}

void parts_collect(struct tables *t)
{
    const struct tree *tree = t->tree;
    for (size_t v = 0; v < tree->n_variants; v++)
        for (size_t i = 0; i < tree->variants[v].n_launches; i++) {
            const struct variant *variant = &tree->variants[v],
                                 *owner = launch_owner(t->host->ctx, tree, variant, i, 0);
            struct cut_values cut =
                owner == variant
                    ? launch_cut(t, variant->launches[i].kernel, variant->n_launches > 1)
                    : t->cuts.at[t->leaves.at[owner - tree->variants].first + i];
            vec_push(t->arena, &t->cuts, cut);
        }
}
