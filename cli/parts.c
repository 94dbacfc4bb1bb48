/* A launch in parts, by the thread interpreter. In: a kernel and its arguments. Out: its arrays as
   after the launch, or what a part did that its rows (ir/access/rows.h) do not allow.

   The launch is cut along the first or the last axis of its grid, whichever the kernel's hash says
   first, in three parts of about as many blocks. A part may read what its rows of reads hold and
   write what its rows of writes hold. A device would not be given elements that it writes wholly
   and does not read: they are overwritten before, so that an element that it leaves is seen. */
#include "base/map.h"
#include "cli/hosted.h"
#include "ir/access/rows.h"
#include <string.h>

enum { PARTS = 3, STALE = 0xa5 };

struct part_making {
    struct arena *arena;
    const struct kernel *kernel;
    const struct interpret_input *input;
    const struct part_rows *rows;
    struct interpret_part part;
    unsigned char **may;              /* by array */
};

/* Rows of a kernel are asked for once. */
static const struct part_rows *rows_kept(struct ctx *ctx, const struct kernel *kernel,
                                         const struct kernel *source, int axis)
{
    char key[64];
    snprintf(key, sizeof key, "parts %p %d", (const void *)kernel, axis);
    if (!ctx->caches)
        ctx->caches = map_new(ctx->arena);
    struct part_rows *rows = map_get(ctx->caches, key);
    if (!rows) {
        rows = ARENA_NEW(ctx->arena, struct part_rows);
        *rows = access_rows(ctx, kernel, source, axis);
        map_put(ctx->caches, arena_strdup(ctx->arena, key), rows);
    }
    return rows;
}

/* NULL if launches are cut along neither axis. */
static const struct part_rows *rows_choose(struct ctx *ctx, const struct kernel *kernel,
                                           const struct kernel *source)
{
    int last = kernel->n_grid - 1, first = kernel_hash(kernel) / 2 % 2 ? last : 0;
    if (kernel->n_grid == 0)
        return NULL;
    const struct part_rows *rows = rows_kept(ctx, kernel, source, first);
    if (rows->refusal)
        rows = rows_kept(ctx, kernel, source, last - first);
    return rows->refusal ? NULL : rows;
}

/* `otherwise` without an expression or a value. */
static int64_t cut_value(const struct part_making *making, const struct expr *e, int64_t otherwise)
{
    union value value;
    return e && expr_evaluate(making->kernel, e, making->input->params, &value) ? value.integer
                                                                                  : otherwise;
}

/* --- the elements of a row ------------------------------------------------------------------- */

/* A row at the part at hand: elements of one array with these subscripts; last .. first of
   dimensions that are taken whole reach beyond the array. */
struct row_box {
    int n;
    int64_t first[AXES_MAX], last[AXES_MAX], extents[AXES_MAX];
};

static int64_t greater_of(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t lesser_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static struct row_box row_box_of(const struct part_making *making, const struct part_row *row)
{
    struct row_box box = {.n = row->array->n_dims};
    for (int d = 0; d < box.n; d++) {
        box.extents[d] = cut_value(making, row->array->dims[d], INT64_MAX);
        box.first[d] = 0;
        box.last[d] = INT64_MAX;
        if (d < row->dimension && row->outer[d])
            box.first[d] = box.last[d] = cut_value(making, row->outer[d], -1);
    }
    if (row->dimension < 0)
        return box;
    int64_t step = cut_value(making, row->step, 0);
    int64_t first = step * making->part.from + cut_value(making, row->from, 0);
    int64_t last = step * making->part.to + cut_value(making, row->to, 0) - 1;
    box.first[row->dimension] = greater_of(first, cut_value(making, row->least, first));
    box.last[row->dimension] = lesser_of(last, cut_value(making, row->most, last));
    return box;
}

static bool box_holds(const struct row_box *box, int64_t element)
{
    bool holds = true;
    for (int d = box->n - 1; d >= 0; d--) {
        int64_t extent = d ? box->extents[d] : INT64_MAX;
        int64_t at = extent > 0 ? element % extent : 0;
        element = extent > 0 ? element / extent : 0;
        holds = holds && at >= box->first[d] && at <= box->last[d];
    }
    return holds;
}

/* Does the part write all of the row? */
static bool row_is_whole(const struct part_making *making, const struct part_row *row)
{
    bool whole = row->is_write && row->is_exact;
    for (size_t i = 0; i < row->n_exact && whole; i++)
        whole = cut_value(making, row->exact[i], 0) != 0;
    return whole;
}

static int array_number(const struct kernel *kernel, const struct array *array)
{
    int i = 0;
    while (kernel->arrays[i] != array)
        i++;
    return i;
}

/* --- parts ----------------------------------------------------------------------------------- */

enum { IS_WHOLE = 4 };                /* beside INTERPRET_MAY_…: the part certainly writes it */

static void row_allow(struct part_making *making, const struct part_row *row)
{
    int i = array_number(making->kernel, row->array);
    struct row_box box = row_box_of(making, row);
    unsigned char allowed = row->is_write ? INTERPRET_MAY_WRITE : INTERPRET_MAY_READ;
    bool is_whole = row_is_whole(making, row);
    if (cut_value(making, row->condition, 1) == 0)
        return;
    if (is_whole)
        allowed |= IS_WHOLE;
    if (row->reduction || (row->is_write && !is_whole))
        allowed |= INTERPRET_MAY_READ;        /* such rows are read before; stores may add there */
    for (size_t k = 0; k < making->input->arrays[i].count; k++)
        if (box_holds(&box, (int64_t)k))
            making->may[i][k] |= allowed;
}

static void stale_overwrite(const struct part_making *making, int i)
{
    const struct interpret_array *array = &making->input->arrays[i];
    size_t bytes = type_bytes(making->kernel->arrays[i]->element);
    for (size_t k = 0; k < array->count; k++)
        if (making->may[i][k] & IS_WHOLE && !(making->may[i][k] & INTERPRET_MAY_READ))
            memset((char *)array->data + k * bytes, STALE, bytes);
}

static void part_prepare(struct part_making *making)
{
    const struct kernel *kernel = making->kernel;
    making->may = ARENA_ARRAY(making->arena, unsigned char *, kernel->n_arrays + 1);
    for (int i = 0; i < kernel->n_arrays; i++)
        if (kernel->arrays[i]->space == SPACE_GLOBAL)
            making->may[i] = ARENA_ARRAY(making->arena, unsigned char,
                                          making->input->arrays[i].count + 1);
    for (size_t i = 0; i < making->rows->count; i++)
        row_allow(making, &making->rows->at[i]);
    for (int i = 0; i < kernel->n_arrays; i++)
        if (making->may[i])
            stale_overwrite(making, i);
    making->part.may = (const unsigned char *const *)making->may;
}

/* NULL if it went well. */
static const char *part_run(struct ctx *ctx, struct part_making *making)
{
    struct interpret_input input = *making->input;
    part_prepare(making);
    input.part = &making->part;
    struct interpret_result result = interpret_threads(making->arena, making->kernel, &input);
    return result.status == INTERPRET_DONE
               ? NULL
               : arena_printf(ctx->arena, "%s: %s", interpret_status_name(result.status),
                              result.message);
}

/* Part number g of them; NULL if it went well. */
static const char *part_try(struct ctx *ctx, const struct kernel *kernel,
                            const struct interpret_input *input, const struct part_rows *rows,
                            int g)
{
    struct part_making making = {arena_new(), kernel, input, rows, {.axis = rows->axis}, NULL};
    int64_t blocks = cut_value(&making, kernel->grid[rows->axis].extent, 0);
    making.part.from = blocks * g / PARTS;
    making.part.to = blocks * (g + 1) / PARTS;
    const char *fault = making.part.to > making.part.from ? part_run(ctx, &making) : NULL;
    arena_free(making.arena);
    return fault;
}

const char *parts_run(struct ctx *ctx, const struct kernel *kernel, const struct kernel *source,
                      const struct interpret_input *input, bool *is_cut)
{
    const struct part_rows *rows = rows_choose(ctx, kernel, source);
    const char *fault = NULL;
    *is_cut = rows != NULL;
    if (!rows)
        return NULL;
    for (int g = 0; g < PARTS && !fault; g++)
        fault = part_try(ctx, kernel, input, rows, g);
    return fault;
}
