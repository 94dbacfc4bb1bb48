/* Cuts of launches. In: a launch's rows in the tables of a region, at one point; out: the axis that
   may be cut, and bytes of arrays that blocks touch. A number that leaves 64 bits, or bytes beyond
   an array, make the launch run whole: nothing here fails. */
#include "runtime/cut.h"

void treefork_shares_cut(const struct treefork_shares *shares, treefork_int extent,
                         treefork_int *end)
{
    int64_t sum = 0, before = 0;
    for (size_t i = 0; i < shares->count; i++)
        sum += shares->weight[i];
    for (size_t i = 0; i < shares->count; i++) {
        before += shares->weight[i];
        end[i] = sum > 0 ? extent / sum * before + extent % sum * before / sum : 0;
    }
}

/* Rows follow the blocks, and parts of one launch do not write the same elements. */
static const char *row_refuses(struct treefork_evaluation *e, const struct treefork_part_row *row)
{
    treefork_int step = 0;
    if (row->step == TREEFORK_NONE)
        return row->access == TREEFORK_WRITE ? "its parts may write the same elements" : NULL;
    return treefork_evaluation_value(e, row->step, &step) && step >= 1
               ? NULL
               : "its rows do not follow its blocks";
}

struct treefork_cut treefork_cut_of(struct treefork_evaluation *e, size_t launch)
{
    const struct treefork_region *region = e->region;
    const struct treefork_cut_row *row = region->cuts ? &region->cuts[launch] : NULL;
    const uint16_t *grid = region->lists + region->launches[launch].grid;
    struct treefork_cut cut = {.evaluation = e, .reason = "its tables name no axis to cut"};
    if (!row)
        return cut;
    cut.rows = region->parts + row->first;
    cut.count = row->count;
    if (row->axis >= grid[0])
        return cut;
    cut.reason = NULL;
    cut.is_last = row->axis + 1 == grid[0];
    if (!treefork_evaluation_value(e, grid[1 + row->axis], &cut.extent) ||
        (!cut.is_last && row->axis > 0))
        cut.reason = "its axis cannot be cut";
    else if (cut.extent < 2)
        cut.reason = "it has a single block along the axis that may be cut";
    for (size_t i = 0; i < cut.count; i++) {
        cut.reason = cut.reason ? cut.reason : row_refuses(e, &cut.rows[i]);
        cut.adds = cut.adds || treefork_part_reduction(&cut.rows[i]);
    }
    return cut;
}

/* The last of the pieces ends within the array, and no piece reaches into the next. */
static bool row_set(const struct treefork_part_bytes *touched, size_t bytes,
                    struct treefork_row *row)
{
    int wrong = 0;
    treefork_int last = treefork_mul(touched->pieces - 1, touched->pitch, &wrong);
    treefork_int end = treefork_add(treefork_add(touched->offset, last, &wrong), touched->length,
                                    &wrong);
    if (wrong || touched->offset < 0 || end < 0 || (uint64_t)end > bytes ||
        (touched->pieces > 1 && touched->pitch < touched->length))
        return false;
    *row = (struct treefork_row){(size_t)touched->offset, (size_t)touched->length,
                                 (size_t)touched->pitch, (size_t)touched->pieces};
    if (touched->pieces == 1 || touched->pitch == touched->length)
        *row = treefork_row_of((size_t)touched->offset, (size_t)end);
    return true;
}

bool treefork_cut_touches(const struct treefork_cut *cut, const struct treefork_part_row *row,
                          treefork_int from, treefork_int to, size_t bytes,
                          struct treefork_touch *touch)
{
    struct treefork_part_bytes touched;
    *touch = (struct treefork_touch){.row = treefork_row_of(0, 0)};
    if (!treefork_evaluation_part(cut->evaluation, row, from, to, &touched))
        return false;
    if (touched.pieces <= 0 || touched.length <= 0)
        return true;
    touch->reads = touched.reads;
    touch->writes = touched.writes;
    touch->reduction = treefork_part_reduction(row);
    return row_set(&touched, bytes, &touch->row);
}

bool treefork_cut_window(const struct treefork_cut *cut, size_t array, treefork_int from,
                         treefork_int to, size_t bytes, struct treefork_row *window)
{
    size_t begin = bytes, end = 0;
    for (size_t i = 0; i < cut->count; i++) {
        struct treefork_touch touch;
        if (cut->rows[i].array != array)
            continue;
        if (!treefork_cut_touches(cut, &cut->rows[i], from, to, bytes, &touch))
            return false;
        if (!touch.reads && !touch.writes)
            continue;
        size_t last = touch.row.begin + (touch.row.pieces - 1) * touch.row.pitch + touch.row.bytes;
        begin = touch.row.begin < begin ? touch.row.begin : begin;
        end = last > end ? last : end;
    }
    *window = treefork_row_of(0, 0);
    if (begin < end)
        *window = treefork_row_of(begin - begin % TREEFORK_WINDOW_UNIT, end);
    return true;
}
