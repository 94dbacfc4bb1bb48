/* Rows of parts, read. In: a region's tables at one point, a row, the blocks of a part. Out: the
   bytes of the array that the row stands for (treefork-tables.h says what its numbers mean). */
#include "runtime/tables.h"

/* False if it left 64 bits. */
static bool fetch(struct treefork_evaluation *e, uint16_t number, treefork_int *value)
{
    return number != TREEFORK_NONE && treefork_evaluation_value(e, number, value);
}

static treefork_int greatest(treefork_int a, treefork_int b)
{
    return a > b ? a : b;
}

/* step * block + offset */
static bool row_end(struct treefork_evaluation *e, const struct treefork_part_row *row,
                   uint16_t offset, treefork_int block, treefork_int *end)
{
    treefork_int step, start;
    int wrong = 0;
    if (!fetch(e, row->step, &step) || !fetch(e, offset, &start))
        return false;
    *end = treefork_add(treefork_mul(step, block, &wrong), start, &wrong);
    return !wrong;
}

bool treefork_part_clip(struct treefork_evaluation *e, const struct treefork_part_row *row,
                        treefork_int *from, treefork_int *to)
{
    treefork_int least, most;
    if (!fetch(e, row->least, &least) || !fetch(e, row->most, &most))
        return false;
    *from = greatest(*from, least);
    *to = greatest(treefork_least(*to, most), *from);
    return true;
}

bool treefork_part_subscripts(struct treefork_evaluation *e, const struct treefork_part_row *row,
                              treefork_int f, treefork_int t, treefork_int *from, treefork_int *to)
{
    return row_end(e, row, row->from, f, from) && row_end(e, row, row->to, t, to) &&
           treefork_part_clip(e, row, from, to);
}

static bool fill_bytes(struct treefork_evaluation *e, const struct treefork_part_row *row,
                       treefork_int from, treefork_int to, struct treefork_part_bytes *bytes)
{
    treefork_int unit, base;
    int wrong = 0;
    if (!fetch(e, row->unit, &unit) || !fetch(e, row->base, &base) ||
        !fetch(e, row->pieces, &bytes->pieces) || !fetch(e, row->pitch, &bytes->pitch))
        return false;
    bytes->offset = treefork_add(base, treefork_mul(from, unit, &wrong), &wrong);
    bytes->length = treefork_mul(to - from, unit, &wrong);
    return !wrong;
}

bool treefork_part_counts(struct treefork_evaluation *e, const struct treefork_part_row *row,
                          bool *met)
{
    treefork_int condition = 1;
    if (row->condition != TREEFORK_NONE && !fetch(e, row->condition, &condition))
        return false;
    *met = condition != 0;
    return true;
}

/* Does a part write all of the row? */
static bool is_exact(struct treefork_evaluation *e, const struct treefork_part_row *row)
{
    if (row->exact == TREEFORK_NONE)
        return false;
    const uint16_t *list = e->region->lists + row->exact;
    treefork_int value;
    for (size_t i = 1; i <= list[0]; i++)
        if (!fetch(e, list[i], &value) || value == 0)
            return false;
    return true;
}

bool treefork_evaluation_part(struct treefork_evaluation *e, const struct treefork_part_row *row,
                              treefork_int f, treefork_int t, struct treefork_part_bytes *bytes)
{
    treefork_int from, to;
    bool met = false;
    *bytes = (struct treefork_part_bytes){0};
    if (!treefork_part_counts(e, row, &met))
        return false;
    if (!met)
        return true;
    bytes->writes = row->access & TREEFORK_WRITE;
    bytes->reads = !bytes->writes || (!treefork_part_reduction(row) && !is_exact(e, row));
    if (row->step == TREEFORK_NONE) {
        bytes->pieces = 1;
        return treefork_evaluation_bytes(e, row->array, &bytes->length) == TREEFORK_OK;
    }
    return treefork_part_subscripts(e, row, f, t, &from, &to) &&
           fill_bytes(e, row, from, to, bytes);
}
