/* In: a kernel. Out: the axis along which its launches are cut, with what parts touch (rows.h), or
   why they run whole.

   The first and the last axis of a grid can be cut. The first is taken without a look at the last
   if its parts write contiguous elements and read no array whole that the region writes: from other
   parts they need a few rows of contiguous elements then. Else, if both may be cut, the
   choice is the axis whose parts read less of the elements that other parts write: an array that
   the region writes weighs most where a part reads all of it, less where the part reads elements
   beyond those that it writes. If they are equal in this, the axis whose parts write contiguous
   elements is taken, and then the first. */
#include "ir/access/rows.h"
#include "ir/walk.h"

/* Are the elements of the row one range of memory? */
static bool row_is_contiguous(const struct part_row *row)
{
    bool is_contiguous = true;
    for (int d = 0; d < row->dimension && is_contiguous; d++)
        is_contiguous = row->outer[d] != NULL;
    return is_contiguous;
}

static bool rows_are_contiguous(const struct part_rows *rows)
{
    bool are_contiguous = true;
    for (size_t i = 0; i < rows->count && are_contiguous; i++)
        are_contiguous = !rows->at[i].is_write || row_is_contiguous(&rows->at[i]);
    return are_contiguous;
}

/* Does a part read in this row nothing but what it writes in a row of the same array? */
static bool row_is_own(const struct part_rows *rows, const struct part_row *read)
{
    bool is_own = false;
    for (size_t i = 0; i < rows->count && !is_own; i++) {
        const struct part_row *write = &rows->at[i];
        is_own = write->is_write && write->array == read->array &&
                 write->dimension == read->dimension && expr_equal(write->step, read->step) &&
                 expr_equal(write->from, read->from) && expr_equal(write->to, read->to);
    }
    return is_own;
}

/* The weight of the elements that parts need of others. */
static int rows_weight(const struct part_rows *rows, const struct kernel *source)
{
    int weight = 0;
    for (size_t i = 0; i < rows->count; i++) {
        const struct part_row *row = &rows->at[i];
        if (row->is_write || !stmt_stores_to(source->body, row->array))
            continue;
        if (row->dimension < 0)
            weight += 2 * (int)rows->count;
        else
            weight += !row_is_own(rows, row);
    }
    return weight;
}

/* Is the last axis taken where both may be? */
static bool prefers_last(const struct part_cut *cut, const struct kernel *source)
{
    int first = rows_weight(&cut->axes[0], source), last = rows_weight(&cut->axes[1], source);
    if (first != last)
        return last < first;
    return rows_are_contiguous(&cut->axes[1]) && !rows_are_contiguous(&cut->axes[0]);
}

/* Rows of writes of an array under conditions that exclude each other are told apart by them. */
static const char *writes_refused(struct ctx *ctx, const struct part_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        for (size_t j = 0; j < rows->count; j++) {
            const struct part_row *a = &rows->at[i], *b = &rows->at[j];
            if (i != j && a->is_write && b->is_write && a->array == b->array && !a->condition)
                return arena_printf(ctx->arena,
                                    "%s is written under several conditions on parameters",
                                    a->array->name);
        }
    return NULL;
}

static struct part_rows axis_rows(struct ctx *ctx, const struct kernel *kernel,
                                  const struct kernel *source, int axis)
{
    struct part_rows rows = access_rows(ctx, kernel, source, axis);
    if (!rows.refusal)
        rows.refusal = writes_refused(ctx, &rows);
    return rows;
}

/* Is the axis taken whatever another would need? */
static bool axis_suffices(const struct part_rows *rows, const struct kernel *source)
{
    return !rows->refusal && rows_are_contiguous(rows) &&
           rows_weight(rows, source) <= (int)rows->count;
}

struct part_cut access_cut(struct ctx *ctx, const struct kernel *kernel,
                           const struct kernel *source)
{
    struct part_cut cut = {.n_axes = 1, .axes = {axis_rows(ctx, kernel, source, 0)}};
    if (kernel->n_grid > 1 && !axis_suffices(&cut.axes[0], source))
        cut.axes[cut.n_axes++] = axis_rows(ctx, kernel, source, kernel->n_grid - 1);
    bool is_first = !cut.axes[0].refusal, is_last = cut.n_axes > 1 && !cut.axes[1].refusal;
    cut.is_cut = is_first || is_last;
    cut.taken = is_last && (!is_first || prefers_last(&cut, source));
    return cut;
}
